/* kernels.c - writes the numbers of kernels: how many places the kernel table has to operator_kernels.h, and TNI_KERNEL_<name> for
 * every kernel that rows name, each once, to the headers of its group: kernels_<group>.h has those that sources outside of src/cpu
 * name, and changes only with them; kernels_<group>_all.h has the others too. */
#include <string.h>

#include "write.h"

void write_kernel_places(FILE *file) {
    fprintf(file,
            "/* operator_kernels.h - the size of the kernel table. Written by tools/generate.c from operators.def. */\n"
            "#ifndef TNI_OPERATOR_KERNELS_H\n#define TNI_OPERATOR_KERNELS_H\n\n"
            "enum { TNI_KERNEL_PLACES = %d };\n\n#endif\n",
            model_kernel_places);
}

static void write_numbers_of(FILE *file, const char *group, bool used) {
    int count = 0;
    for (const model_kernel *kernel = model_kernels; kernel->name; kernel++)
        if (strcmp(kernel->group, group) == 0 && kernel->used == used)
            fprintf(file, "%s    TNI_KERNEL_%s = %d,\n", count++ ? "" : "\nenum {\n", kernel->name, kernel->id);
    fputs(count ? "};\n\n#endif\n" : "\n#endif\n", file);
}

void write_kernels(FILE *file, const char *group) {
    const char *word = model_word(group);
    fprintf(
        file,
        "/* kernels_%s.h - rows of the kernel table whose numbers are used outside of src/cpu. Written by tools/generate.c from\n"
        " * operators.def. */\n"
        "#ifndef TNI_KERNELS_%s_H\n#define TNI_KERNELS_%s_H\n",
        word, word, word);
    write_numbers_of(file, group, true);
}

void write_all_kernels(FILE *file, const char *group) {
    const char *word = model_word(group);
    fprintf(file,
            "/* kernels_%s_all.h - all rows of the kernel table. Written by tools/generate.c from operators.def. */\n"
            "#ifndef TNI_KERNELS_%s_ALL_H\n#define TNI_KERNELS_%s_ALL_H\n\n#include \"kernels_%s.h\"\n",
            word, word, word, word);
    write_numbers_of(file, group, false);
}

void write_kernel_names(FILE *file) {
    fputs("\nstatic const char *const table_kernel_names[TNI_KERNEL_PLACES] = {\n", file);
    for (const model_kernel *kernel = model_kernels; kernel->name; kernel++)
        fprintf(file, "    [%d] = \"%s\",\n", kernel->id, kernel->name);
    fputs("};\n", file);
}
