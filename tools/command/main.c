/* main.c - the `tenon` command: finds the subcommand in a table and runs it. */
#include <stdio.h>
#include <string.h>

#include <tenon/tenon.h>

#include "common.h"

typedef struct subcommand {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} subcommand;

static const subcommand subcommands[] = {
    {"info", "what a file of tensors holds", command_info},
    {"show", "a tensor of a file, or a part of it", command_show},
    {"stat", "what the numbers of a file's tensors are like", command_stat},
    {"diff", "two files of tensors, name by name", command_diff},
    {"check", "whether files are whole and right", command_check},
    {"convert", "a file in another format, dtype or under other names", command_convert},
    {"merge", "several files as one", command_merge},
    {"split", "one file as several", command_split},
    {"plot", "a line, a histogram or a heat map, here or as SVG", command_plot},
    {"image", "a tensor as a picture: PNG, SVG, or here", command_image},
    {"graph", "an autograd graph, drawn", command_graph},
    {"memory", "an allocator's snapshot, drawn", command_memory},
    {"run", "a model in ONNX's format, with inputs from files", command_run},
    {"ops", "the operators, and what each takes and gives", command_ops},
    {"tour", "see what Tenon does, step by step", command_tour},
    {"layout", "draw what each step of a chain of views does to memory", command_layout},
    {"bench", "how fast a few operators are here", command_bench},
    {"doctor", "what this machine offers and what Tenon uses of it", command_doctor},
    {"completion", "the words of this command, for a shell", command_completion},
    {"version", "the version of the command and of the library", command_version},
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

int command_misused(const char *name, const char *expected) {
    fprintf(stderr, "tenon %s: %s\n", name, expected);
    return COMMAND_MISUSED;
}

int command_failed(void) { return complain(NULL, "%s", tn_error_code() == TN_OK ? "failed" : tn_error_message()); }

int command_version(int argc, char **argv) {
    static const char usage[] =
        "usage: tenon version [--json]\n\nThe version of the library, and of the command where that is another.\n\n  tenon version\n";
    bool json = false;
    const option known[] = {{.name = "json", .flag = &json}};
    command_line line = {"version", usage, known, 1, 0, 0, NULL, 0};
    int status = options_read(&line, argc, argv);
    if (status >= 0)
        return status;
    if (json) {
        printf("{\"library\": \"%s\", \"command\": \"%s\"}\n", tn_version(), TN_VERSION);
        return COMMAND_OK;
    }
    printf("tenon %s\n", tn_version());
    if (strcmp(tn_version(), TN_VERSION) != 0)
        printf("(the command was built for %s)\n", TN_VERSION);
    return COMMAND_OK;
}

static void print_usage(FILE *stream) {
    fprintf(stream, "usage: tenon COMMAND [ARGUMENT...]\n\n");
    for (int i = 0; i < SUBCOMMANDS; i++)
        fprintf(stream, "  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    fprintf(stream, "  %-10s %s\n", "help", "this text; `tenon help COMMAND` or `tenon COMMAND --help` tells more");
}

const char *command_name(int i) { return i < SUBCOMMANDS ? subcommands[i].name : NULL; }

static int unknown_command(const char *name) {
    complain(NULL, "there is no command '%s'", name);
    fputs("\n", stderr);
    print_usage(stderr);
    return COMMAND_MISUSED;
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        print_usage(stderr);
        return COMMAND_MISUSED;
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        if (argc == 3 && strcmp(name, "help") == 0) {
            char *wanted[] = {argv[2], "--help", NULL};
            for (int i = 0; i < SUBCOMMANDS; i++)
                if (strcmp(argv[2], subcommands[i].name) == 0)
                    return subcommands[i].run(2, wanted);
            if (strcmp(argv[2], "help") != 0)
                return unknown_command(argv[2]);
        }
        print_usage(stdout);
        return COMMAND_OK;
    }
    if (strcmp(name, "--version") == 0)
        name = "version";
    for (int i = 0; i < SUBCOMMANDS; i++)
        if (strcmp(name, subcommands[i].name) == 0)
            return subcommands[i].run(argc - 1, argv + 1);
    return unknown_command(name);
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
