/* plans.c - writes the variants of planned rows (src/ops/plan.h) and of prepared ones (src/ops/pointwise/pointwise_prepare.h),
 * at the end of operator_calls.c.
 *
 * Such a row is implemented by a plan and a run; the functional, in-place and out variants are the same few lines around them.
 */
#include <string.h>

#include "write.h"

/* The name that plan and run share: that of the functional C function, or of the in-place one where there is no other. */
static void put_name(FILE *file, const model_operator *op) {
    fputs(model_form_of(op, op->row->variants & FUNCTIONAL ? FUNCTIONAL : IN_PLACE)->c, file);
}

static void put_parameters(FILE *file, const model_operator *op) {
    for (int i = 0; i < op->signature.count; i++) {
        const model_parameter *p = &op->signature.parameters[i];
        fprintf(file, ", %s%s", p->type->ctype, p->name);
        if (model_is(p, TN_TYPE_TENSORS))
            fprintf(file, ", int64_t %s_count", p->name);
    }
    fputs(");\n", file);
}

static void put_arguments(FILE *file, const model_operator *op) {
    for (int i = 0; i < op->signature.count; i++) {
        const model_parameter *p = &op->signature.parameters[i];
        fprintf(file, ", %s", p->name);
        if (model_is(p, TN_TYPE_TENSORS))
            fprintf(file, ", %s_count", p->name);
    }
    fputs(")", file);
}

void write_plan_prototypes(FILE *file, const model_operator *op) {
    fputs("bool tni_plan_", file);
    put_name(file, op);
    fputs("(tni_plan *plan", file);
    put_parameters(file, op);
    fputs("tn_error tni_run_", file);
    put_name(file, op);
    fputs("(const tni_plan *plan, tn_tensor *const *results", file);
    put_parameters(file, op);
}

/* The C types of the parameters, after those that every plan and run has. */
static void put_types(FILE *file, const model_operator *op) {
    for (int i = 0; i < op->signature.count; i++)
        fprintf(file, ", %s%s", op->signature.parameters[i].type->ctype,
                model_is(&op->signature.parameters[i], TN_TYPE_TENSORS) ? ", int64_t" : "");
}

static void put_plan(FILE *file, const model_operator *op, bool shared) {
    if (shared) {
        fputs("    if (!((bool (*)(tni_plan *", file);
        put_types(file, op);
        fputs("))called->plan)", file);
    } else {
        fputs("    if (!tni_plan_", file);
        put_name(file, op);
    }
    fputs("(&plan", file);
    put_arguments(file, op);
}

static void put_run(FILE *file, const model_operator *op, const char *results, bool shared) {
    fputs("tni_plan_runs(&plan) ? ", file);
    if (shared) {
        fputs("((tn_error (*)(const tni_plan *, tn_tensor *const *", file);
        put_types(file, op);
        fputs("))called->run)", file);
    } else {
        fputs("tni_run_", file);
        put_name(file, op);
    }
    fprintf(file, "(&plan, %s", results);
    put_arguments(file, op);
    fputs(" : TN_OK);\n}\n", file);
}

/* The tensors that are read: a list of them, or those among the parameters. */
static void put_operands(FILE *file, const model_operator *op, char *list, size_t size) {
    const model_signature *s = &op->signature;
    int count = 0;
    for (int i = 0; i < s->count; i++)
        if (model_is(&s->parameters[i], TN_TYPE_TENSORS)) {
            for (int k = 0; k < s->count; k++)
                if (model_is(&s->parameters[k], TN_TYPE_TENSOR) || model_is(&s->parameters[k], TN_TYPE_OPTIONAL))
                    model_refuse(op->row,
                                 "a planned row has a list of tensors or single tensors: with both, one of them would not be "
                                 "kept from overlapping out",
                                 "");
            snprintf(list, size, "%s, %s_count", s->parameters[i].name, s->parameters[i].name);
            return;
        }
    for (int i = 0; i < s->count; i++)
        if (model_is(&s->parameters[i], TN_TYPE_TENSOR) || model_is(&s->parameters[i], TN_TYPE_OPTIONAL))
            fprintf(file, "%s%s", count++ ? ", " : "    const tn_tensor *const operands[] = {", s->parameters[i].name);
    fputs(count ? "};\n" : "", file);
    snprintf(list, size, "%s, %d", count ? "operands" : "NULL", count);
}

static void put_functional(FILE *file, const model_form *f, bool shared) {
    fputs("    tn_tensor *made[TNI_PLAN_RESULTS];\n", file);
    put_plan(file, f->op, shared);
    fputs(" || !tni_plan_make(&plan, made))\n        return NULL;\n", file);
    fprintf(file, "    return tni_plan_give%s(&plan, made, ", model_returns_list(&f->signature) ? "_list" : "");
    put_run(file, f->op, "made", shared);
}

static void put_given(FILE *file, const model_form *f, bool shared) {
    const model_signature *s = &f->op->signature;
    bool in_place = f->variant == IN_PLACE;
    int count = in_place ? 1 : model_out_count(s);
    char operands[2 * TNI_SIGNATURE_WORD + 16];
    fputs("    tni_plan_out given;\n", file);
    put_operands(file, f->op, operands, sizeof operands);
    put_plan(file, f->op, shared);
    fputs(" ||\n        !tni_plan_receive(&plan, &given, (tn_tensor *[]){", file);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%s", i ? ", " : "", in_place ? s->parameters[0].name : model_out_name(s, i));
    fputs("}, (const char *[]){", file);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s\"%s\"", i ? ", " : "", in_place ? s->parameters[0].name : model_out_name(s, i));
    fprintf(file, "}, %s, %s))\n        return tni_failed();\n    return tni_plan_end(&plan, &given, ", operands,
            in_place ? "true" : "false");
    put_run(file, f->op, "given.written", shared);
}

void write_plan_body(FILE *file, const model_form *f, bool shared) {
    fprintf(file, "    tni_plan plan;\n    plan.out = %s;\n",
            f->variant == FUNCTIONAL ? "NULL"
            : f->variant == IN_PLACE ? f->op->signature.parameters[0].name
                                     : model_out_name(&f->op->signature, 0));
    (f->variant == FUNCTIONAL ? put_functional : put_given)(file, f, shared);
}

/* What the variants of a row tell the functions they share. */
void write_plan_row(FILE *file, const model_operator *op, bool define) {
    bool used = false;
    for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
        used |= op->row->variants & variant && write_shared_number(SHARED_PLAN, model_form_of(op, variant)) >= 0;
    if (!used)
        return;
    fputs(define ? "\nconst tni_plan_row tni_plan_row_" : "TNI_EXTERN const tni_plan_row tni_plan_row_", file);
    put_name(file, op);
    if (!define) {
        fputs(";\n", file);
        return;
    }
    fputs(" = {(tni_any_function)tni_plan_", file);
    put_name(file, op);
    fputs(", (tni_any_function)tni_run_", file);
    put_name(file, op);
    fputs("};\n", file);
}

void write_plan_variant(FILE *file, const model_form *f, bool jumps) {
    int number = write_shared_number(SHARED_PLAN, f);
    char row[MODEL_NAME + 20];
    snprintf(row, sizeof row, "&tni_plan_row_%s",
             model_form_of(f->op, f->op->row->variants & FUNCTIONAL ? FUNCTIONAL : IN_PLACE)->c);
    if (!jumps && !(f->op->row->variants & (f->variant - 1)))
        write_plan_row(file, f->op, true);
    if (write_jumps(SHARED_PLAN, f) != jumps)
        return;
    fputs("\n", file);
    write_prototype(file, f, WRITE_IMPL, " {\n");
    if (number < 0)
        write_plan_body(file, f, false);
    else
        write_thunk(file, f, SHARED_PLAN, number, row);
}

/* ---- prepared rows: the same around a function that puts a pointwise call together */

void write_prepare_prototype(FILE *file, const model_operator *op) {
    fputs("bool tni_prepare_", file);
    put_name(file, op);
    fputs("(tni_prepared *call", file);
    put_parameters(file, op);
}

void write_prepared_body(FILE *file, const model_form *f, bool shared) {
    fputs("    tni_prepared call;\n    return ", file);
    if (shared) {
        fputs("((bool (*)(tni_prepared *", file);
        put_types(file, f->op);
        fputs("))called)", file);
    } else {
        fputs("tni_prepare_", file);
        put_name(file, f->op);
    }
    fputs("(&call", file);
    put_arguments(file, f->op);
    if (f->variant == FUNCTIONAL)
        fputs(" ? tni_pointwise_new(&call.spec, call.arguments, &call.parameters) : NULL;\n}\n", file);
    else
        fprintf(file, " ? tni_pointwise_into(&call.spec, %s, call.arguments, &call.parameters) : tni_failed();\n}\n",
                f->signature.parameters[0].name);
}

void write_prepared_variant(FILE *file, const model_form *f, bool jumps) {
    if (write_jumps(SHARED_PREPARED, f) != jumps)
        return;
    int number = write_shared_number(SHARED_PREPARED, f);
    char prepare[MODEL_NAME + 40];
    snprintf(prepare, sizeof prepare, "(tni_any_function)tni_prepare_%s",
             model_form_of(f->op, f->op->row->variants & FUNCTIONAL ? FUNCTIONAL : IN_PLACE)->c);
    fputs("\n", file);
    write_prototype(file, f, WRITE_IMPL, " {\n");
    if (number < 0)
        write_prepared_body(file, f, false);
    else
        write_thunk(file, f, SHARED_PREPARED, number, prepare);
}
