/* terminal.c - see terminal.h. */
#include "terminal.h"

#include "common.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_WIDTH = 78, INDENT = 4, NAME_WIDTH = 26 };

static bool coloured, facts_json;
static int facts;

static const char *colour(const char *sequence) { return coloured ? sequence : ""; }
static const char *bold(void) { return colour("\x1b[1m"); }
static const char *dim(void) { return colour("\x1b[2m"); }
static const char *cyan(void) { return colour("\x1b[36m"); }
static const char *plain(void) { return colour("\x1b[0m"); }

void terminal_begin(void) {
    const char *kind = getenv("TERM"), *refused = getenv("NO_COLOR");
    coloured = isatty(STDOUT_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0 && !(refused && *refused);
}

bool terminal_has_colour(void) { return coloured; }

void terminal_facts_json(void) { facts_json = true; }

void terminal_facts_end(void) {
    if (facts_json)
        printf(facts ? "}\n" : "{}\n");
}

void terminal_heading(int number, const char *title) {
    printf("\n%s%d  %s%s\n", bold(), number, title, plain());
    for (int i = 0, width = snprintf(NULL, 0, "%d  %s", number, title); i < width; i++)
        putchar('-');
    printf("\n\n");
}

void terminal_text(const char *text) {
    size_t column = 0;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column && column + 1 + word > TEXT_WIDTH) {
            putchar('\n');
            column = 0;
        }
        if (column)
            putchar(' ');
        fwrite(text, 1, word, stdout);
        column += word + (column > 0);
        text += word;
        text += strspn(text, " ");
    }
    printf("\n\n");
}

void terminal_code(const char *code) { printf("%*s%s%s%s\n", INDENT, "", cyan(), code, plain()); }

void terminal_fact(const char *name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (facts_json) {
        char value[1000];
        vsnprintf(value, sizeof value, format, arguments);
        va_end(arguments);
        printf(facts++ ? ",\n " : "{");
        json_text(stdout, name);
        printf(": ");
        json_text(stdout, value);
        return;
    }
    printf("%*s%s%-*s%s ", INDENT, "", dim(), NAME_WIDTH, name, plain());
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

const char *terminal_bytes(char buffer[TERMINAL_BYTES_SIZE], long long bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) {
        snprintf(buffer, TERMINAL_BYTES_SIZE, "%lld bytes", bytes);
        return buffer;
    }
    double amount = (double)bytes / 1024;
    int unit = 0;
    for (; amount >= 1024 && unit < 3; unit++)
        amount /= 1024;
    snprintf(buffer, TERMINAL_BYTES_SIZE, "%.2f %s", amount, units[unit]);
    return buffer;
}
