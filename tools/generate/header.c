/* header.c - writes include/tenon/operators.h: the public prototypes with their comments, and the macros that let C callers pass
 * plain numbers and index items. */
#include <string.h>

#include "write.h"

/* In C, a function that takes scalars is called through a macro of its own name that turns numbers into tn_scalar. */
static void put_scalar_macro(FILE *file, const model_form *f) {
    const model_signature *s = &f->signature;
    for (int pass = 0; pass < 2; pass++) {
        fprintf(file, "%stn_%s(", pass ? " " : "#define ", f->c);
        for (int i = 0; i < s->count; i++) {
            const model_parameter *p = &s->parameters[i];
            bool wrap = pass == 1 && model_is_number(p);
            fprintf(file, "%s%s%s%s", i ? ", " : "", wrap ? "TN_SCALAR(" : "", p->name, wrap ? ")" : "");
            if (model_is(p, TN_TYPE_TENSORS))
                fprintf(file, ", %s_count", p->name);
        }
        fputs(")", file);
    }
    fputs("\n", file);
}

static void put_prototypes(FILE *file) {
    const char *group = "";
    for (const model_operator *op = model_operators; op->row; op++) {
        if (strcmp(group, op->row->group) != 0) {
            group = op->row->group;
            int length = fprintf(file, "\n/* ---- %s ", group) - 1;
            for (; length < 117; length++)
                fputc('-', file);
            fputs(" */\n", file);
        }
        fputs("\n", file);
        write_paragraph(file, "/* ", " * ", op->row->doc, " */\n");
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if (op->row->variants & variant)
                write_prototype(file, model_form_of(op, variant), WRITE_PUBLIC, ";\n");
    }
}

void write_header(FILE *file) {
    fputs(
        "/* tenon/operators.h - every operator: tensors made from tensors.\n"
        " *\n"
        " * Written by tools/generate.c from the operator table, src/dispatch/operators.def: change it there.\n"
        " *\n"
        " * Common to all: a tensor argument that is NULL gives NULL back, keeping the first error. Arguments are checked before\n"
        " * anything is written. What is returned is yours (or the open scope's), except that an in-place operator, whose name\n"
        " * ends in _, and an _out operator return the tensor they were given, with no new reference. A view shares the storage\n"
        " * of its argument. Dimensions may be negative: they count from the end.\n"
        " */\n"
        "#ifndef TENON_OPERATORS_H\n#define TENON_OPERATORS_H\n\n#include <tenon/index.h>\n#include <tenon/tensor.h>\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
        file);
    put_prototypes(file);
    fputs(
        "\n#ifdef __cplusplus\n}\n#endif\n\n/* Numbers where a tn_scalar is wanted. An argument with a comma outside parentheses needs its own pair. */\n"
        "#if TN_HAS_GENERIC\n/* clang-format off */\n",
        file);
    for (const model_operator *op = model_operators; op->row; op++)
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if ((op->row->variants & variant) && model_takes_scalars(&op->signature))
                put_scalar_macro(file, model_form_of(op, variant));
    fputs(
        "#endif\n\n/* Items of an index without TN_INDEX around them; (tn_index)(x, list) takes a list that exists already. */\n",
        file);
    for (const model_operator *op = model_operators; op->row; op++)
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if ((op->row->variants & variant) && model_takes_items(&op->signature)) {
                const char *name = model_form_of(op, variant)->c;
                fprintf(file, "#define tn_%s(self, ...) tn_%s(self, TN_INDEX(__VA_ARGS__))\n", name, name);
            }
    fputs("/* clang-format on */\n\n#endif\n", file);
}
