/* generate_pointwise.h - the part of tools/generate.c that writes the pointwise operators: rows that name a kernel. Included by
 * it, once.
 *
 * Such a row needs no implementation: its kernel, its rule of dtypes and its kinds become a record of tni_pointwise_specs, and
 * its public functions only name their operands for the one call they share (src/ops/pointwise_call.c).
 */

static bool is_operand(const parameter *p) { return strncmp(p->type->name, "tensor", 6) == 0 || is_type(p, "scalar"); }

static void put_kinds(FILE *file, const tni_operator_row *row) {
    static const char letters[] = "bifc";
    static const char *const names[] = {"TNI_TAKES_BOOL", "TNI_TAKES_INTEGER", "TNI_TAKES_FLOAT", "TNI_TAKES_COMPLEX"};
    for (const char *at = row->kinds; *at; at++) {
        if (!strchr(letters, *at))
            give_up(row, "no such kind of dtype: ", at);
        fprintf(file, "%s%s", at == row->kinds ? "" : " | ", names[strchr(letters, *at) - letters]);
    }
    if (row->layout)
        fprintf(file, " | %s",
                row->layout == LAYOUT_TENSORS     ? "LAYOUT_TENSORS"
                : row->layout == LAYOUT_LIKE_SELF ? "LAYOUT_LIKE_SELF"
                                                  : "LAYOUT_ROWS");
    fputs(", ", file);
}

/* The number of a row's entry in tni_pointwise_specs. */
static int spec_number(int row) {
    int number = 0;
    for (int i = 0; i < row; i++)
        number += rows[i].kernel != NULL;
    return number;
}

static void write_spec(FILE *file, const tni_operator_row *row) {
    static const char *const rules[] = {"PROMOTE", "FLOATING", "COMPARE", "REAL", "SELECT", "LOGIC", "WIDE", "COMPLEX"};
    signature s = parse(row);
    int operands = 0;
    for (int i = 0; i < s.count; i++) {
        if (is_type(&s.parameters[i], "tensor?") || is_type(&s.parameters[i], "tensors"))
            give_up(row, "a pointwise operator with a kernel takes tensors that are there, one by one", "");
        operands += is_operand(&s.parameters[i]);
    }
    if (!row->kinds)
        give_up(row, "a pointwise operator says which kinds of dtypes it takes", "");
    fprintf(file, "    {TNI_KERNEL_%s, %s, %s, %d, ", row->kernel, rules[row->rule],
            row->check ? "CHECK_DIVISOR" : "CHECK_NOTHING", operands);
    put_kinds(file, row);
    if (row->advice)
        fprintf(file, "\"%s\"}, ", row->advice);
    else
        fputs("NULL}, ", file);
    fprintf(file, "/* %s%s%s */\n", row->name, row->overload ? "." : "", row->overload ? row->overload : "");
}

/* The operands of a call, as an array. */
static void put_operands(FILE *file, const signature *s) {
    fputs("    const tni_pointwise_argument arguments[] = {", file);
    for (int i = 0, written = 0; i < s->count; i++)
        if (is_operand(&s->parameters[i]))
            fprintf(file, is_number(&s->parameters[i]) ? "%s{NULL, &%s}" : "%s{%s, NULL}", written++ ? ", " : "",
                    s->parameters[i].name);
    fputs("};\n", file);
}

static const char *scalar_maker(const parameter *p) {
    return is_type(p, "float")  ? "tn_scalar_float"
           : is_type(p, "int")  ? "tn_scalar_int"
           : is_type(p, "bool") ? "tn_scalar_bool"
                                : "";
}

/* The implementation, for those who call it from other operators. */
static void write_pointwise(FILE *file, int number, int variant) {
    const tni_operator_row *row = &rows[number];
    signature s = parse(row);
    fputs("static inline ", file);
    put_prototype(file, row, variant, true, " {\n");
    put_operands(file, &s);
    bool any = false;
    for (int i = 0, position = 0; i < s.count; i++) {
        const parameter *p = &s.parameters[i];
        if (is_operand(p))
            continue;
        if (!any)
            fputs("    tni_parameters parameters;\n", file);
        any = true;
        fprintf(file, "    tni_parameters_set(&parameters, %d, %s(%s));\n", position++, scalar_maker(p), p->name);
    }
    const char *last = any ? "&parameters" : "NULL";
    if (variant == FUNCTIONAL)
        fprintf(file, "    return tni_pointwise_new(&tni_pointwise_specs[%d], arguments, %s);\n}\n", spec_number(number), last);
    else
        fprintf(file, "    return tni_pointwise_into(&tni_pointwise_specs[%d], %s, arguments, %s);\n}\n", spec_number(number),
                variant == OUT ? "out" : s.parameters[0].name, last);
}

/* The public function: it only gathers its arguments. */
static void write_pointwise_call(FILE *file, const tni_operator_row *row, int variant) {
    signature s = parse(row);
    char name[80];
    c_name(row, variant, name, sizeof name);
    fputs("\n", file);
    bool scalars = false, numbers = false;
    for (int i = 0; i < s.count; i++) {
        scalars = scalars || is_number(&s.parameters[i]);
        numbers = numbers || !is_operand(&s.parameters[i]);
    }
    if (scalars)
        fprintf(file, "#undef tn_%s\n", name);
    put_prototype(file, row, variant, false, " {\n");
    put_operands(file, &s);
    if (numbers) {
        fputs("    const tn_scalar numbers[] = {", file);
        for (int i = 0, written = 0; i < s.count; i++)
            if (!is_operand(&s.parameters[i]))
                fprintf(file, "%s%s(%s)", written++ ? ", " : "", scalar_maker(&s.parameters[i]), s.parameters[i].name);
        fputs("};\n", file);
    }
    const char *last = numbers ? "numbers" : "NULL";
    if (variant == FUNCTIONAL)
        fprintf(file, "    return tni_pointwise_call(OPERATOR_%s, arguments, %s);\n}\n", name, last);
    else
        fprintf(file, "    return tni_pointwise_call_into(OPERATOR_%s, %s, arguments, %s);\n}\n", name,
                variant == OUT ? "out" : s.parameters[0].name, last);
}

/* TNI_KERNEL_<name> for every kernel that rows name, each once. */
static bool kernel_is_new(const char *name, size_t length, int before_row, const char *before_text) {
    char word[64];
    snprintf(word, sizeof word, " %.*s ", (int)length, name);
    for (int i = 0; i <= before_row; i++) {
        char all[600];
        const char *list = rows[i].kernels ? rows[i].kernels : "";
        int list_length = i == before_row && before_text ? (int)(before_text - list) : (int)strlen(list);
        snprintf(all, sizeof all, " %s %.*s ",
                 i == before_row && !before_text ? ""
                 : rows[i].kernel                ? rows[i].kernel
                                                 : "",
                 list_length, list);
        if (strstr(all, word))
            return i == before_row && !before_text;
    }
    return true;
}

static void write_kernel_names(FILE *file) {
    fputs("/* operator_kernels.h - the rows of the kernel table. Written by tools/generate.c from operators.def. */\n"
          "#ifndef TNI_OPERATOR_KERNELS_H\n#define TNI_OPERATOR_KERNELS_H\n\nenum {\n",
          file);
    for (int i = 0; i < ROWS; i++) {
        if (rows[i].kernel && kernel_is_new(rows[i].kernel, strlen(rows[i].kernel), i, NULL))
            fprintf(file, "    TNI_KERNEL_%s,\n", rows[i].kernel);
        for (const char *at = rows[i].kernels ? rows[i].kernels : ""; *(at = skip_space(at));) {
            size_t length = strcspn(at, " ");
            if (kernel_is_new(at, length, i, at))
                fprintf(file, "    TNI_KERNEL_%.*s,\n", (int)length, at);
            at += length;
        }
    }
    fputs("    TNI_KERNEL_COUNT\n};\n\n#endif\n", file);
}
