/* pointwise_rows.c - writes the pointwise operators: rows that name a kernel.
 *
 * Such a row needs no implementation: its kernel, its dtype rule and its kinds become a record of tni_pointwise_specs, and its
 * public functions only name their operands for the one call they share (src/ops/pointwise/pointwise_call.c).
 */
#include <string.h>

#include "write.h"

static void put_kinds(FILE *file, const tni_operator_row *row) {
    static const char letters[] = "bifc";
    static const char *const names[] = {"TNI_TAKES_BOOL", "TNI_TAKES_INTEGER", "TNI_TAKES_FLOAT", "TNI_TAKES_COMPLEX"};
    for (const char *at = row->kinds; *at; at++)
        fprintf(file, "%s%s", at == row->kinds ? "" : " | ", names[strchr(letters, *at) - letters]);
    if (row->layout)
        fprintf(file, " | %s",
                row->layout == LAYOUT_TENSORS     ? "LAYOUT_TENSORS"
                : row->layout == LAYOUT_LIKE_SELF ? "LAYOUT_LIKE_SELF"
                                                  : "LAYOUT_ROWS");
    fputs(", ", file);
}

static void put_spec(FILE *file, const model_operator *op) {
    static const char *const checks[] = {"CHECK_NOTHING", "CHECK_DIVISOR", "CHECK_DTYPES", "CHECK_NO_BOOL"};
    static const char *const rules[] = {"PROMOTE", "FLOATING", "COMPARE", "REAL", "SELECT", "LOGIC", "WIDE", "COMPLEX"};
    const tni_operator_row *row = op->row;
    int operands = 0;
    for (int i = 0; i < op->signature.count; i++)
        operands += model_is_operand(&op->signature.parameters[i]);
    fprintf(file, "    {TNI_KERNEL_%s, %s, %s, %d, ", row->kernel, rules[row->rule], checks[row->check], operands);
    put_kinds(file, row);
    if (row->advice)
        fprintf(file, "\"%s\"}, ", row->advice);
    else
        fputs("NULL}, ", file);
    fprintf(file, "/* %s%s%s */\n", row->name, row->overload ? "." : "", row->overload ? row->overload : "");
}

static const char *spec_name(const model_operator *op) {
    return model_form_of(op, op->row->variants & FUNCTIONAL ? FUNCTIONAL : IN_PLACE)->c;
}

/* Others know a spec by its name and not by its number, which every new row before it changes. */
void write_pointwise_spec(FILE *file, const model_operator *op, bool define) {
    if (define)
        fprintf(file, "const tni_pointwise_spec *const tni_spec_%s = &table_pointwise_specs[%d];\n", spec_name(op), op->spec);
    else
        fprintf(file, "TNI_EXTERN const tni_pointwise_spec *const tni_spec_%s;\n", spec_name(op));
}

void write_pointwise_specs(FILE *file) {
    fputs("\nstatic const tni_pointwise_spec table_pointwise_specs[] = {\n", file);
    for (const model_operator *op = model_operators; op->row; op++)
        if (model_is_pointwise(op) && !model_is_alias(op))
            put_spec(file, op);
    fputs("};\n", file);
    for (const model_operator *op = model_operators; op->row; op++)
        if (model_is_pointwise(op) && !model_is_alias(op))
            write_pointwise_spec(file, op, true);
}

/* The operands of a call, as an array. */
static void put_operands(FILE *file, const model_signature *s) {
    fputs("    const tni_pointwise_argument arguments[] = {", file);
    for (int i = 0, written = 0; i < s->count; i++)
        if (model_is_operand(&s->parameters[i]))
            fprintf(file, model_is_number(&s->parameters[i]) ? "%s{NULL, &%s}" : "%s{%s, NULL}", written++ ? ", " : "",
                    s->parameters[i].name);
    fputs("};\n", file);
}

static const char *scalar_maker(const model_parameter *p) {
    return model_is(p, TN_TYPE_FLOAT)  ? "tn_scalar_float"
           : model_is(p, TN_TYPE_INT)  ? "tn_scalar_int"
           : model_is(p, TN_TYPE_BOOL) ? "tn_scalar_bool"
                                       : "";
}

/* The implementation, for those who call it from other operators. */
void write_pointwise_impl(FILE *file, const model_form *f) {
    const model_signature *s = &f->op->signature;
    fputs("static inline ", file);
    write_prototype(file, f, WRITE_IMPL, " {\n");
    put_operands(file, s);
    bool any = false;
    for (int i = 0, position = 0; i < s->count; i++) {
        const model_parameter *p = &s->parameters[i];
        if (model_is_operand(p))
            continue;
        if (!any)
            fputs("    tni_parameters parameters;\n", file);
        any = true;
        fprintf(file, "    tni_parameters_set(&parameters, %d, %s(%s));\n", position++, scalar_maker(p), p->name);
    }
    const char *last = any ? "&parameters" : "NULL";
    if (f->variant == FUNCTIONAL)
        fprintf(file, "    return tni_pointwise_new(tni_spec_%s, arguments, %s);\n}\n", spec_name(f->op), last);
    else
        fprintf(file, "    return tni_pointwise_into(tni_spec_%s, %s, arguments, %s);\n}\n", spec_name(f->op),
                f->signature.parameters[0].name, last);
}

/* The public function: it only gathers its arguments. */
void write_pointwise_body(FILE *file, const model_form *f, bool shared) {
    const model_signature *s = &f->op->signature;
    put_operands(file, s);
    int numbers = 0;
    for (int i = 0; i < s->count; i++)
        if (!model_is_operand(&s->parameters[i]))
            fprintf(file, "%s%s(%s)", numbers++ ? ", " : "    const tn_scalar numbers[] = {", scalar_maker(&s->parameters[i]),
                    s->parameters[i].name);
    if (numbers)
        fputs("};\n", file);
    const char *last = numbers ? "numbers" : "NULL", *number = shared ? "called" : "OPERATOR_", *name = shared ? "" : f->c;
    if (f->variant == FUNCTIONAL)
        fprintf(file, "    return tni_pointwise_call(%s%s, arguments, %s);\n}\n", number, name, last);
    else
        fprintf(file, "    return tni_pointwise_call_into(%s%s, %s, arguments, %s);\n}\n", number, name,
                f->signature.parameters[0].name, last);
}

void write_pointwise_call(FILE *file, const model_form *f, bool jumps) {
    if (write_jumps(SHARED_POINTWISE, f) != jumps)
        return;
    int number = write_shared_number(SHARED_POINTWISE, f);
    char operator[MODEL_NAME + 20];
    snprintf(operator, sizeof operator, "OPERATOR_%s", f->c);
    if (number < 0)
        fputs("TNI_UNGUARDED ", file);
    write_prototype(file, f, WRITE_PUBLIC, " {\n");
    if (number < 0)
        write_pointwise_body(file, f, false);
    else
        write_thunk(file, f, SHARED_POINTWISE, number, operator);
}
