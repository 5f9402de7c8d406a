/* impls.c - writes operators_<group>.h: the prototypes that the implementations of a group's rows and the bodies of its
 * composite rows must have, the implementations of its pointwise rows, and the public functions again, for operators that are
 * made of them. An operator that needs another includes the header of that operator's group; used.c makes of it what one
 * source names, so a new row concerns few sources. */
#include <string.h>

#include "write.h"

static void put_form(FILE *file, const model_form *f) {
    bool own = !model_is_alias(f->op);
    if (own && model_is_pointwise(f->op))
        write_pointwise_impl(file, f);
    else if (own)
        write_prototype(file, f, WRITE_IMPL, ";\n");
    if (own && f->op->row->composite)
        write_prototype(file, f, WRITE_BODY, ";\n");
    if (own && f->op->row->shortcut)
        write_prototype(file, f, WRITE_SHORTCUT, ";\n");
    write_prototype(file, f, WRITE_PUBLIC_AGAIN, ";\n");
}

void write_declarations_begin(FILE *file, const char *word) {
    fprintf(file,
            "/* operators_%s.h - what implements the operators of a group. Written by tools/generate.c from operators.def. */\n"
            "#ifndef TNI_OPERATORS_%s_H\n#define TNI_OPERATORS_%s_H\n\n#include <tenon/index.h>\n#include <tenon/tensor.h>\n\n"
            "#include \"ops/plan.h\"\n#include \"ops/pointwise/pointwise_prepare.h\"\n\n",
            word, word, word);
}

void write_declarations(FILE *file, const char *group) {
    for (const model_operator *op = model_operators; op->row; op++) {
        if (strcmp(op->row->group, group) != 0)
            continue;
        if (op->row->plan && !model_is_alias(op))
            write_plan_prototypes(file, op);
        if (op->row->prepare && !model_is_alias(op))
            write_prepare_prototype(file, op);
        if (model_is_pointwise(op) && !model_is_alias(op))
            write_pointwise_spec(file, op, false);
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if (op->row->variants & variant)
                put_form(file, model_form_of(op, variant));
    }
}

void write_impls(FILE *file, const char *group) {
    write_declarations_begin(file, model_word(group));
    write_declarations(file, group);
    fputs("\n#endif\n", file);
}
