/* ops.c - `tenon ops`: the operator reference in the terminal, from the same table that the library is made of. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

static const char ops_usage[] =
    "usage: tenon ops [--json] [--names] [NAME | PATTERN]\n"
    "\n"
    "Without a name: the operators by their groups. With one: what it takes and gives, in all its forms, and its derivative. A * stands for anything.\n"
    "\n"
    "  --names   only the names, one a line\n"
    "  --json    for programs\n"
    "\n"
    "  tenon ops softmax\n"
    "  tenon ops '*pool2d*'\n";

/* Forms of one operator: those whose base is `name`, or that match a pattern. */
static bool ops_wanted(const tn_operator *op, const char *pattern) {
    return strchr(pattern, '*') ? name_matches(pattern, tn_operator_base(op))
                                : strcmp(pattern, tn_operator_base(op)) == 0 || strcmp(pattern, tn_operator_name(op)) == 0;
}

static const struct ops_formula {
    const char *name, *formula;
} ops_formulas[] = {
#include "derivatives.inc"
};

/* The formula of its row: over the parameters' names, grad and result; NULL for an operator that a program registered. */
static const char *ops_derivative(const tn_operator *op) {
    char name[200];
    const char *overload = tn_operator_overload(op);
    snprintf(name, sizeof name, "%s%s%s", tn_operator_base(op), *overload ? "_" : "", overload);
    for (size_t i = 0; i < sizeof ops_formulas / sizeof *ops_formulas; i++)
        if (strcmp(ops_formulas[i].name, name) == 0)
            return ops_formulas[i].formula;
    return NULL;
}

static void ops_paragraph(const char *text, int width) {
    int column = 0;
    while (*text) {
        int word = (int)strcspn(text, " \n");
        if (column && column + 1 + word > width - 6) {
            printf("\n");
            column = 0;
        }
        printf("%s%.*s", column ? " " : "    ", word, text);
        column += word + (column > 0);
        text += word;
        text += strspn(text, " \n");
    }
    printf("\n");
}

/* The form that gives a new result; NULL where there is none. */
static const tn_operator *ops_functional(const tn_operator *op) {
    char name[200];
    const char *overload = tn_operator_overload(op);
    snprintf(name, sizeof name, "%s%s%s", tn_operator_base(op), *overload ? "." : "", overload);
    const tn_operator *found = tn_operator_find(name);
    if (!found)
        tn_error_clear();
    return found;
}

static void ops_parameter(const tn_operator *op, int64_t i) {
    tn_parameter parameter = tn_operator_parameter(op, i);
    printf("      %-14s %s\n", parameter.name ? parameter.name : "", tn_type_name(parameter.type));
}

static void ops_show(const tn_operator *op, bool documented, int width) {
    printf("%s%s%s%s\n", terminal_has_colour() ? "\x1b[1m" : "", tn_operator_name(op), terminal_has_colour() ? "\x1b[0m" : "",
           tn_operator_signature(op));
    if (!documented)
        return;
    printf("  group %s%s%s\n", tn_operator_group(op), tn_operator_is_pointwise(op) ? ", pointwise" : "",
           tn_operator_result(op) == TN_RESULT_VIEW ? ", a view" : "");
    if (tn_operator_doc(op))
        ops_paragraph(tn_operator_doc(op), width);
    if (ops_derivative(op)) {
        printf("    derivative\n");
        ops_paragraph(ops_derivative(op), width);
    }
    if (tn_operator_parameter_count(op))
        printf("    parameters\n");
    for (int64_t i = 0; i < tn_operator_parameter_count(op); i++)
        ops_parameter(op, i);
    printf("\n");
}

static void ops_json(const tn_operator *op, bool first) {
    printf(first ? "\n {\"name\": " : ",\n {\"name\": ");
    json_text(stdout, tn_operator_name(op));
    printf(", \"signature\": ");
    json_text(stdout, tn_operator_signature(op));
    printf(", \"group\": ");
    json_text(stdout, tn_operator_group(op));
    printf(", \"pointwise\": %s, \"doc\": ", tn_operator_is_pointwise(op) ? "true" : "false");
    json_text(stdout, tn_operator_doc(op) ? tn_operator_doc(op) : "");
    printf(", \"derivative\": ");
    json_text(stdout, ops_derivative(op) ? ops_derivative(op) : "");
    printf("}");
}

/* Names side by side, group by group, each base once. */
static void ops_list(int width) {
    const char *group = "", *base = "";
    int column = 0;
    for (int64_t i = 0; i < tn_operator_count(); i++) {
        const tn_operator *op = tn_operator_at(i);
        if (strcmp(tn_operator_group(op), group) != 0) {
            group = tn_operator_group(op);
            printf("%s%s\n", i ? "\n\n" : "", group);
            column = 0;
        }
        if (strcmp(tn_operator_base(op), base) == 0)
            continue;
        base = tn_operator_base(op);
        int word = (int)strlen(base);
        if (column && column + 1 + word > width - 4) {
            printf("\n");
            column = 0;
        }
        printf("%s%s", column ? " " : "  ", base);
        column += word + (column > 0);
    }
    printf("\n");
}

static int ops_distance(const char *a, const char *b) { /* Levenshtein, for short names */
    enum { LONGEST = 64 };
    int row[LONGEST + 1];
    size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST)
        return LONGEST;
    for (size_t k = 0; k <= n; k++)
        row[k] = (int)k;
    for (size_t i = 1; i <= m; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t k = 1; k <= n; k++) {
            int best = diagonal + (a[i - 1] != b[k - 1]);
            diagonal = row[k];
            best = row[k] + 1 < best ? row[k] + 1 : best;
            row[k] = row[k - 1] + 1 < best ? row[k - 1] + 1 : best;
        }
    }
    return row[n];
}

int command_ops(int argc, char **argv) {
    const char *given[1] = {NULL};
    bool json = false, names = false;
    const option known[] = {{.name = "json", .flag = &json}, {.name = "names", .flag = &names}};
    command_line line = {"ops", ops_usage, known, 2, 0, 1, given, 0};
    int status = options_read(&line, argc, argv), width = screen_width() ? screen_width() : 100;
    if (status >= 0)
        return status;
    const char *wanted = line.given_count ? given[0] : NULL;
    if (!wanted && names) {
        const char *base = "";
        for (int64_t i = 0; i < tn_operator_count(); i++)
            if (strcmp(tn_operator_base(tn_operator_at(i)), base) != 0)
                puts(base = tn_operator_base(tn_operator_at(i)));
        return COMMAND_OK;
    }
    if (!wanted && !json) {
        ops_list(width);
        return COMMAND_OK;
    }
    int64_t found = 0;
    if (json)
        printf("[");
    for (int64_t i = 0; i < tn_operator_count(); i++) {
        const tn_operator *op = tn_operator_at(i);
        if (wanted && !ops_wanted(op, wanted))
            continue;
        if (json)
            ops_json(op, found == 0);
        else {
            const tn_operator *whole = ops_functional(op); /* in-place and out forms are told by their signature */
            ops_show(op, whole == op || !whole, width);
        }
        found++;
    }
    if (json)
        printf("]\n");
    if (found || !wanted)
        return COMMAND_OK;
    const char *near = NULL;
    int best = 4;
    for (int64_t i = 0; i < tn_operator_count(); i++) {
        const char *base = tn_operator_base(tn_operator_at(i));
        int distance = ops_distance(wanted, base);
        if (distance < best) {
            best = distance;
            near = base;
        }
    }
    return complain("ops", "there is no operator '%s'%s%s%s", wanted, near ? "; is it '" : "", near ? near : "",
                    near ? "'?" : "");
}
