/* generate_table.h - the part of tools/generate.c that writes the dispatcher's table. Included by it, once.
 *
 * Every form of every operator (a row in one of its variants) becomes a record in order of its name. Texts stand in one block
 * and are named by their offset, parameters in one array, so that the library needs no relocations for them. Kernels of the
 * same C type share the one function that calls them with values: their shape.
 */
#include "dispatch/signature.h"

enum { FORMS = 3 * ROWS, TEXTS = 16384, SHAPES = 512 };

typedef struct form {
    int row, variant;
    char name[96], c[80];
} form;

static form forms[FORMS];
static int form_count;
static struct pooled {
    char *text;
    unsigned offset;
} pool[TEXTS];
static int pool_count;
static char *shapes[SHAPES];
static int shape_count;

static int compare_forms(const void *a, const void *b) { return strcmp(((const form *)a)->name, ((const form *)b)->name); }
static int compare_c_names(const void *a, const void *b) { return strcmp(forms[*(const int *)a].c, forms[*(const int *)b].c); }

static void base_name(const tni_operator_row *row, char *name, size_t size) {
    size_t length = strlen(row->name);
    snprintf(name, size, "%.*s", (int)(row->name[length - 1] == '_' ? length - 1 : length), row->name);
}

static void collect_forms(void) {
    for (int i = 0; i < ROWS; i++)
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if (rows[i].variants & variant) {
                form *f = &forms[form_count++];
                char base[64];
                f->row = i;
                f->variant = variant;
                base_name(&rows[i], base, sizeof base);
                snprintf(f->name, sizeof f->name, "%s%s%s%s", base,
                         variant == IN_PLACE ? "_"
                         : variant == OUT    ? "_out"
                                             : "",
                         rows[i].overload ? "." : "", rows[i].overload ? rows[i].overload : "");
                c_name(&rows[i], variant, f->c, sizeof f->c);
            }
    qsort(forms, (size_t)form_count, sizeof forms[0], compare_forms);
    for (int i = 1; i < form_count; i++)
        if (strcmp(forms[i - 1].name, forms[i].name) == 0)
            give_up(&rows[forms[i].row], "two rows have the name ", forms[i].name);
}

static void *generate_alloc(size_t size) {
    void *block = malloc(size);
    if (!block) {
        fputs("generate: no memory\n", stderr);
        exit(1);
    }
    return block;
}

/* The offset of a text in the block; equal texts are one. */
static unsigned text_offset(const char *text) {
    unsigned offset = 0;
    for (int i = 0; i < pool_count; i++) {
        if (strcmp(pool[i].text, text) == 0)
            return pool[i].offset;
        offset = pool[i].offset + (unsigned)strlen(pool[i].text) + 1;
    }
    if (pool_count == TEXTS) {
        fputs("generate: too many texts\n", stderr);
        exit(1);
    }
    pool[pool_count].text = strcpy(generate_alloc(strlen(text) + 1), text);
    pool[pool_count].offset = offset;
    pool_count++;
    return offset;
}

/* The parameters of a form: the signature's, with `out` before them, or the first of them written to. */
static signature form_signature(const form *f) {
    const tni_operator_row *row = &rows[f->row];
    signature s = parse(row);
    if (f->variant == OUT) {
        int many = out_count(&s);
        if (s.count + many > PARAMETERS)
            give_up(row, "too many parameters", "");
        memmove(&s.parameters[many], &s.parameters[0], (size_t)s.count * sizeof s.parameters[0]);
        for (int i = 0; i < many; i++) {
            s.parameters[i] = (parameter){.type = find_type(row, "tensor!")};
            snprintf(s.parameters[i].name, sizeof s.parameters[i].name, "%s", out_name(&s, i));
        }
        s.count += many;
    } else if (f->variant == IN_PLACE)
        s.parameters[0].type = find_type(row, "tensor!");
    return s;
}

static int type_number(const parameter *p) {
    for (int type = 0; type < TN_TYPE_COUNT; type++)
        if (is_type(p, tni_type_spelling((tn_type)type)))
            return type;
    return -1;
}

static int result_number(const signature *s) {
    for (int result = 0; result < TN_RESULT_COUNT; result++)
        if (strcmp(tni_result_spelling((tn_result)result), s->result) == 0)
            return result;
    return -1;
}

static unsigned signature_text(const signature *s) {
    char text[1200];
    int length = snprintf(text, sizeof text, "(");
    for (int i = 0; i < s->count; i++) {
        const parameter *p = &s->parameters[i];
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%s %s%s%s", i ? ", " : "", p->type->name, p->name,
                           p->standard[0] ? "=" : "", p->standard);
    }
    length += snprintf(text + length, sizeof text - (size_t)length, ") -> %s", s->result);
    for (int i = 0; i < s->result_count; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%s%s", i ? ", " : "(", s->results[i],
                           i + 1 < s->result_count ? "" : ")");
    return text_offset(text);
}

/* ---- shapes */

static void put_shape(FILE *file, int number, const form *f, const signature *s) {
    static const char *const members[TN_TYPE_COUNT] = {
        [TN_TYPE_TENSOR] = "tensor",       [TN_TYPE_OPTIONAL] = "tensor", [TN_TYPE_WRITTEN] = "tensor",
        [TN_TYPE_STORAGE] = "storage",     [TN_TYPE_DIMS] = "dims",       [TN_TYPE_INDEX] = "index",
        [TN_TYPE_INT] = "integer",         [TN_TYPE_FLOAT] = "real",      [TN_TYPE_BOOL] = "boolean",
        [TN_TYPE_TEXT] = "text",           [TN_TYPE_SCALAR] = "scalar",   [TN_TYPE_NUMBER] = "scalar",
        [TN_TYPE_DTYPE] = "dtype",         [TN_TYPE_DEVICE] = "device",   [TN_TYPE_FORMAT] = "format",
        [TN_TYPE_GENERATOR] = "generator", [TN_TYPE_FLOATS] = "floats"};
    fprintf(file, "\nstatic tn_error call_shape_%d(const tn_operator *op, const tn_value *values, tn_value *result) {\n",
            number);
    if (s->count == 0)
        fputs("    (void)values;\n", file);
    bool functional = f->variant == FUNCTIONAL;
    fprintf(file, "    return tni_shape_%s(((%s)op->kernel)(",
            !functional       ? "changed"
            : returns_bool(s) ? "bool"
            : returns_list(s) ? "list"
                              : "tensor",
            shapes[number]);
    for (int i = 0; i < s->count; i++) {
        int type = type_number(&s->parameters[i]);
        if (type == TN_TYPE_TENSORS)
            fprintf(file, "%svalues[%d].as.tensors.items, values[%d].as.tensors.count", i ? ", " : "", i, i);
        else
            fprintf(file, "%svalues[%d].as.%s", i ? ", " : "", i, members[type]);
    }
    if (functional && returns_bool(s))
        fprintf(file, "%s&result->as.boolean", s->count ? ", " : "");
    fprintf(file, ")%s, result);\n}\n", functional ? "" : ", values[0].as.tensor");
}

/* The shape of a form, written out when it is the first of its kind. */
static int shape_number(FILE *file, const form *f, const signature *s) {
    if (rows[f->row].kernel)
        return 0;
    char text[1200];
    int length = snprintf(text, sizeof text, "%s(*)(",
                          f->variant != FUNCTIONAL || returns_bool(s) ? "tn_error "
                          : returns_list(s)                           ? "tn_list *"
                                                                      : "tn_tensor *");
    for (int i = 0; i < s->count; i++) {
        const parameter *p = &s->parameters[i];
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%s%s", i ? ", " : "", p->type->ctype,
                           is_type(p, "tensors") ? ", int64_t" : "");
    }
    bool answer = f->variant == FUNCTIONAL && returns_bool(s);
    snprintf(text + length, sizeof text - (size_t)length, "%s)",
             answer     ? (s->count ? ", bool *" : "bool *")
             : s->count ? ""
                        : "void");
    for (int i = 0; i < shape_count; i++)
        if (strcmp(shapes[i], text) == 0)
            return i;
    if (shape_count == SHAPES) {
        fputs("generate: too many shapes\n", stderr);
        exit(1);
    }
    shapes[shape_count] = strcpy(generate_alloc(strlen(text) + 1), text);
    put_shape(file, shape_count, f, s);
    return shape_count++;
}

/* ---- the table */

static void put_flags(FILE *file, const tni_operator_row *row, const signature *s) {
    bool views = strcmp(s->result, "view") == 0 || strcmp(s->result, "lists") == 0;
    fprintf(file, "0%s%s%s", views || row->any_device ? " | TNI_OPERATOR_ANY_DEVICE" : "",
            row->crosses ? " | TNI_OPERATOR_CROSSES" : "", row->kernel || row->kernels ? " | TNI_OPERATOR_POINTWISE" : "");
}

static void put_quoted(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

static void write_texts(FILE *file) {
    fputs(
        "\n/* The texts of the operators, one after the other; a member is named by its offset. */\nstatic const struct operator_texts {\n",
        file);
    for (int i = 0; i < pool_count; i++)
        fprintf(file, "    char t%u[%zu];\n", pool[i].offset, strlen(pool[i].text) + 1);
    fputs("} operator_texts = {\n", file);
    for (int i = 0; i < pool_count; i++) {
        fputs("    ", file);
        put_quoted(file, pool[i].text);
        fputs(",\n", file);
    }
    fputs("};\nconst char *const tni_operator_texts = (const char *)&operator_texts;\n", file);
}

static void write_parameters(FILE *file) {
    fputs("\nconst tni_parameter tni_operator_parameters[] = {\n", file);
    for (int i = 0; i < form_count; i++) {
        signature s = form_signature(&forms[i]);
        for (int k = 0; k < s.count; k++)
            fprintf(file, "    {%u, %u, %d}, /* %s: %s */\n", text_offset(s.parameters[k].name),
                    text_offset(s.parameters[k].standard), type_number(&s.parameters[k]), forms[i].name, s.parameters[k].name);
        for (int k = 0; k < s.result_count; k++)
            fprintf(file, "    {%u, 0, 0}, /* %s gives %s */\n", text_offset(s.results[k]), forms[i].name, s.results[k]);
    }
    fputs("    {0, 0, 0}};\n", file);
}

static void write_table(FILE *file) {
    static int numbers[FORMS], by_c_name[FORMS];
    (void)text_offset("");
    shapes[shape_count++] = "those of pointwise operators: see ops/pointwise.h";
    for (int i = 0; i < form_count; i++) {
        signature s = form_signature(&forms[i]);
        numbers[i] = shape_number(file, &forms[i], &s);
        by_c_name[i] = i;
    }
    fputs("\nconst tni_call_shape tni_call_shapes[] = {\n", file);
    for (int i = 0; i < shape_count; i++)
        if (i == 0)
            fprintf(file, "    tni_pointwise_values, /* %s */\n", shapes[i]);
        else
            fprintf(file, "    call_shape_%d, /* %s */\n", i, shapes[i]);
    fputs("};\n\n#define KERNEL(name) (tni_any_function)tni_op_##name\n"
          "#define POINTWISE (tni_any_function)tni_pointwise_values\nconst tn_operator tni_operators[] = {\n",
          file);
    unsigned first = 0;
    for (int i = 0; i < form_count; i++) {
        const tni_operator_row *row = &rows[forms[i].row];
        signature s = form_signature(&forms[i]);
        char base[64];
        base_name(row, base, sizeof base);
        char kernel[100], shown[80];
        snprintf(kernel, sizeof kernel, row->kernel ? "POINTWISE" : "KERNEL(%s)", forms[i].c);
        shown_name(row, forms[i].variant, shown, sizeof shown);
        fprintf(file, "    /* %s */ {%s, %u, %u, %u, %u, %u, %u, %u, %u, %d, %d, %d, %d, %d, ", forms[i].name, kernel,
                text_offset(forms[i].name), text_offset(base), text_offset(row->overload ? row->overload : ""),
                signature_text(&s), text_offset(row->group), text_offset(row->doc), text_offset(shown), first, numbers[i],
                row->kernel ? spec_number(forms[i].row) : 0, s.count, result_number(&s),
                forms[i].variant == FUNCTIONAL ? 0
                : forms[i].variant == IN_PLACE ? 1
                                               : 2);
        put_flags(file, row, &s);
        fprintf(file, ", %d},\n", s.result_count);
        first += (unsigned)(s.count + s.result_count);
    }
    fprintf(
        file,
        "};\n#undef KERNEL\n#undef POINTWISE\nconst int64_t tni_operator_total = %d;\n\nconst uint32_t tni_operator_c_names[] = {\n",
        form_count);
    for (int i = 0; i < form_count; i++)
        fprintf(file, "    %u, /* %s */\n", text_offset(forms[i].c), forms[i].c);
    fputs("};\n\nconst uint16_t tni_operators_by_c_name[] = {\n", file);
    qsort(by_c_name, (size_t)form_count, sizeof by_c_name[0], compare_c_names);
    for (int i = 0; i < form_count; i++)
        fprintf(file, "    %d, /* %s */\n", by_c_name[i], forms[by_c_name[i]].c);
    fputs("};\n", file);
    write_parameters(file);
    write_texts(file);
}

/* Numbers of the operators, for the calls. */
static void write_numbers(FILE *file) {
    fputs("\nenum {\n", file);
    for (int i = 0; i < form_count; i++)
        fprintf(file, "    OPERATOR_%s,\n", forms[i].c);
    fputs("};\n", file);
}
