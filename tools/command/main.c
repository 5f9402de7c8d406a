/* main.c - the `tenon` command: finds the subcommand in a table and runs it. */
#include <stdio.h>
#include <string.h>

#include <tenon/tenon.h>

#include "command.h"
#include "terminal.h"

typedef struct subcommand {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} subcommand;

static const subcommand subcommands[] = {
    {"tour", "see what Tenon does, step by step", command_tour},
    {"layout", "draw what each step of a chain of views does to memory", command_layout},
    {"doctor", "what this machine offers and what Tenon uses of it", command_doctor},
    {"version", "the version of the command and of the library", command_version},
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

int command_misused(const char *name, const char *expected) {
    fprintf(stderr, "tenon %s: %s\n", name, expected);
    return COMMAND_MISUSED;
}

int command_failed(void) {
    fprintf(stderr, "tenon: %s\n", tn_error_code() == TN_OK ? "failed" : tn_error_message());
    return COMMAND_FAILED;
}

int command_version(int argc, char **argv) {
    if (argc > 1)
        return command_misused(argv[0], "takes no arguments");
    printf("tenon %s\n", tn_version());
    if (strcmp(tn_version(), TN_VERSION) != 0)
        printf("(the command was built for %s)\n", TN_VERSION);
    return COMMAND_OK;
}

static void print_usage(FILE *stream) {
    fprintf(stream, "usage: tenon COMMAND [ARGUMENT...]\n\n");
    for (int i = 0; i < SUBCOMMANDS; i++)
        fprintf(stream, "  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    fprintf(stream, "  %-10s %s\n", "help", "this text");
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        print_usage(stderr);
        return COMMAND_MISUSED;
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_usage(stdout);
        return COMMAND_OK;
    }
    if (strcmp(name, "--version") == 0)
        name = "version";
    for (int i = 0; i < SUBCOMMANDS; i++)
        if (strcmp(name, subcommands[i].name) == 0)
            return subcommands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "tenon: there is no command '%s'\n\n", name);
    print_usage(stderr);
    return COMMAND_MISUSED;
}

int main(int argc, char **argv) {
    terminal_begin();
    int status = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("tenon: writing the output");
        return COMMAND_FAILED;
    }
    return status;
}
