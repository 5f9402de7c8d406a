/* generate.c - writes what follows from the operator table. A build tool: never part of the library.
 *
 *   generate DIRECTORY [BODY...] [-- SOURCE...]
 *                                  operator_calls.c, operator_jumps.c, operator_shared.h, operator_gradients.c and .h, operator_kernels.h, operator_direct.h (for the
 *                                  tests) and, for each group, operators_<group>.h, kernels_<group>.h and kernels_<group>_all.h into DIRECTORY;
 *                                  if files BODY are given, one of them must enter every kernel; for each SOURCE, src/X.c, what
 *                                  it names of each operators_<group>.h it includes, into DIRECTORY/for/X
 *   generate --header              the public header, to standard output
 *   generate --docs                the reference page, to standard output
 *   generate --cpp                 the operators for C++, to standard output
 *   generate --promotion           the promotion table for C++, to standard output
 *   generate --gradients           the rows that do not say what their derivative is; fails if there are any
 *
 * generate/model.c reads and checks the table, once; each output is one file beside it. A row that cannot be right ends the
 * program with its name and the reason, so a mistake in the table stops `make`. A file whose content would be the same is left alone.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "generate/write.h"

/* The file that is being written: in memory until it is complete. */
static char output_path[4096], *output_text;
static size_t output_size;
static const char *output_directory;

static void stop(const char *path) {
    perror(path);
    exit(1);
}

static FILE *begin(const char *name, const char *group) {
    snprintf(output_path, sizeof output_path, "%s/%s%s%s", output_directory, name, model_word(group), *group ? ".h" : "");
    FILE *file = open_memstream(&output_text, &output_size);
    if (!file)
        stop(output_path);
    return file;
}

/* Whether the file that is there has that content. */
static bool is_written(void) {
    FILE *file = fopen(output_path, "r");
    bool same = file != NULL;
    for (size_t i = 0; same && i < output_size; i++)
        same = getc(file) == (unsigned char)output_text[i];
    same = same && getc(file) == EOF;
    if (file)
        fclose(file);
    return same;
}

static void make_folders(void) {
    for (char *at = output_path; (at = strchr(at + 1, '/')) != NULL; *at = '/') {
        *at = 0;
        (void)mkdir(output_path, 0777);
    }
}

static void end(FILE *file) {
    if (ferror(file) || fclose(file) != 0)
        stop(output_path);
    if (!is_written()) {
        char beside[4200];
        snprintf(beside, sizeof beside, "%s.new", output_path);
        make_folders();
        FILE *to = fopen(beside, "w");
        if (!to || fwrite(output_text, 1, output_size, to) != output_size || fclose(to) != 0 ||
            rename(beside, output_path) != 0)
            stop(beside);
    }
    free(output_text);
}

static void write_to(const char *name, void (*write)(FILE *file)) {
    FILE *file = begin(name, "");
    write(file);
    end(file);
}

/* The same for a group: name is what comes before the group's. */
static void write_group(const char *name, const char *group, void (*write)(FILE *file, const char *group)) {
    FILE *file = begin(name, group);
    write(file, group);
    end(file);
}

/* What src/X.c names is in for/X. */
static FILE *begin_used(const char *source, const char *group) {
    char name[2000];
    snprintf(name, sizeof name, "for/%.*s/operators_", (int)(strcspn(source + 4, ".")), source + 4);
    return begin(name, group);
}

/* What follows the group's name is part of the name of the file. */
static void write_kernel_headers(const char *group) {
    char all[200];
    write_group("kernels_", group, write_kernels);
    snprintf(all, sizeof all, "kernels_%s_all.h", model_word(group));
    FILE *file = begin(all, "");
    write_all_kernels(file, group);
    end(file);
}

static void write_groups(void) {
    write_kernel_headers(MODEL_SHARED);
    const char *group = "";
    for (const model_operator *op = model_operators; op->row; op++)
        if (strcmp(op->row->group, group) != 0) {
            group = op->row->group;
            write_group("operators_", group, write_impls);
            if (model_group_has_kernels(group))
                write_kernel_headers(group);
        }
}

int main(int argc, char **argv) {
    bool header = argc == 2 && strcmp(argv[1], "--header") == 0, docs = argc == 2 && strcmp(argv[1], "--docs") == 0;
    bool gradients = argc == 2 && strcmp(argv[1], "--gradients") == 0, cpp = argc == 2 && strcmp(argv[1], "--cpp") == 0;
    bool promotion = argc == 2 && strcmp(argv[1], "--promotion") == 0;
    if (argc < 2 || (argv[1][0] == '-' && !header && !docs && !gradients && !cpp && !promotion)) {
        fputs("usage: generate DIRECTORY [BODY...] [-- SOURCE...] | --header | --docs | --cpp | --promotion | --gradients\n",
              stderr);
        return 2;
    }
    int bodies = 2;
    while (bodies < argc && strcmp(argv[bodies], "--") != 0)
        bodies++;
    const char *const *arguments = (const char *const *)argv;
    model_read(arguments + 2, bodies - 2, arguments + bodies + 1, argc > bodies ? argc - bodies - 1 : 0);
    if (header)
        write_header(stdout);
    else if (docs)
        write_docs(stdout);
    else if (cpp)
        write_cpp(stdout);
    else if (promotion)
        write_promotion(stdout);
    else if (gradients)
        return write_missing_gradients(stdout) ? 1 : 0;
    else {
        output_directory = argv[1];
        write_to("operator_shared.h", write_shared_header);
        write_to("operator_calls.c", write_calls);
        write_to("operator_jumps.c", write_jump_calls);
        write_to("operator_gradients.c", write_gradients);
        write_to("operator_gradients.h", write_gradient_functions);
        write_to("operator_kernels.h", write_kernel_places);
        write_to("operator_direct.h", write_direct);
        write_to("derivatives.inc", write_derivatives);
        write_groups();
        for (int i = bodies + 1; i < argc; i++)
            if (strncmp(argv[i], "src/", 4) == 0)
                write_used(argv[i], begin_used, end);
    }
    return ferror(stdout) != 0;
}
