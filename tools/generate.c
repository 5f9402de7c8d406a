/* generate.c - writes what follows from the operator table. A build tool: never part of the library.
 *
 *   generate DIRECTORY [BODY...]   operator_calls.c, operator_gradients.c and .h, operator_kernels.h, operator_direct.h (for the
 *                                  tests) and, for each group, operators_<group>.h and kernels_<group>.h into DIRECTORY;
 *                                  if files BODY are given, one of them must enter every kernel
 *   generate --header              the public header, to standard output
 *   generate --docs                the reference page, to standard output
 *   generate --gradients           the rows that do not say what their derivative is; fails if there are any
 *
 * generate/model.c reads and checks the table, once; each output is one file beside it. A row that cannot be right ends the
 * program with its name and the reason, so a mistake in the table stops `make`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate/write.h"

static FILE *begin(char *path, size_t size, const char *directory, const char *name, const char *group) {
    snprintf(path, size, "%s/%s%s%s", directory, name, model_word(group), *group ? ".h" : "");
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

static void end(FILE *file, const char *path) {
    if (ferror(file) || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

static void write_to(const char *directory, const char *name, void (*write)(FILE *file)) {
    char path[4096];
    FILE *file = begin(path, sizeof path, directory, name, "");
    write(file);
    end(file, path);
}

/* The same for a group: name is what comes before the group's. */
static void write_group(const char *directory, const char *name, const char *group,
                        void (*write)(FILE *file, const char *group)) {
    char path[4096];
    FILE *file = begin(path, sizeof path, directory, name, group);
    write(file, group);
    end(file, path);
}

static void write_groups(const char *directory) {
    write_group(directory, "kernels_", MODEL_SHARED, write_kernels);
    const char *group = "";
    for (const model_operator *op = model_operators; op->row; op++)
        if (strcmp(op->row->group, group) != 0) {
            group = op->row->group;
            write_group(directory, "operators_", group, write_impls);
            if (model_group_has_kernels(group))
                write_group(directory, "kernels_", group, write_kernels);
        }
}

int main(int argc, char **argv) {
    bool header = argc == 2 && strcmp(argv[1], "--header") == 0, docs = argc == 2 && strcmp(argv[1], "--docs") == 0;
    bool gradients = argc == 2 && strcmp(argv[1], "--gradients") == 0;
    if (argc < 2 || (argv[1][0] == '-' && !header && !docs && !gradients)) {
        fputs("usage: generate DIRECTORY [BODY...] | --header | --docs | --gradients\n", stderr);
        return 2;
    }
    model_read((const char *const *)argv + 2, argc - 2);
    if (header)
        write_header(stdout);
    else if (docs)
        write_docs(stdout);
    else if (gradients)
        return write_missing_gradients(stdout) ? 1 : 0;
    else {
        write_to(argv[1], "operator_calls.c", write_calls);
        write_to(argv[1], "operator_gradients.c", write_gradients);
        write_to(argv[1], "operator_gradients.h", write_gradient_functions);
        write_to(argv[1], "operator_kernels.h", write_kernel_places);
        write_to(argv[1], "operator_direct.h", write_direct);
        write_groups(argv[1]);
    }
    return ferror(stdout) != 0;
}
