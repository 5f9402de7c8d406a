/* kernels.c - writes the numbers of kernels: how many places the kernel table has to operator_kernels.h, and TNI_KERNEL_<name> for
 * every kernel that rows name, each once, to the kernels_<group>.h of its group. */
#include <string.h>

#include "write.h"

void write_kernel_places(FILE *file) {
    fprintf(file,
            "/* operator_kernels.h - the size of the kernel table. Written by tools/generate.c from operators.def. */\n"
            "#ifndef TNI_OPERATOR_KERNELS_H\n#define TNI_OPERATOR_KERNELS_H\n\n"
            "enum { TNI_KERNEL_PLACES = %d };\n\n#endif\n",
            model_kernel_places);
}

void write_kernels(FILE *file, const char *group) {
    const char *word = model_word(group);
    fprintf(file,
            "/* kernels_%s.h - rows of the kernel table. Written by tools/generate.c from operators.def. */\n"
            "#ifndef TNI_KERNELS_%s_H\n#define TNI_KERNELS_%s_H\n\nenum {\n",
            word, word, word);
    for (const model_kernel *kernel = model_kernels; kernel->name; kernel++)
        if (strcmp(kernel->group, group) == 0)
            fprintf(file, "    TNI_KERNEL_%s = %d,\n", kernel->name, kernel->id);
    fputs("};\n\n#endif\n", file);
}

void write_kernel_names(FILE *file) {
    fputs("\nstatic const char *const table_kernel_names[TNI_KERNEL_PLACES] = {\n", file);
    for (const model_kernel *kernel = model_kernels; kernel->name; kernel++)
        fprintf(file, "    [%d] = \"%s\",\n", kernel->id, kernel->name);
    fputs("};\n", file);
}
