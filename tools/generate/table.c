/* table.c - writes the dispatcher's table, at the end of operator_calls.c.
 *
 * Every form of every operator becomes a record in order of its name. Texts are in one block and are named by their offset,
 * parameters are in one array, so the library needs no relocations for them. Kernels of the same C type share the one function
 * that calls them with values: their caller.
 *
 * What only left-out parts need (parts.c) is not compiled. So positions are not numbers here but names, which the compiler
 * counts: OPERATOR_add, PARAMETERS_add, CALLER_7, and T(12) for the offset of a text.
 */
#include <stdlib.h>
#include <string.h>

#include "formula.h"
#include "write.h"

enum { TABLE_TEXTS = 16384, TABLE_CALLERS = 512 };

/* Texts one after the other, and which parts they are for: the names and signatures, and the documentation. */
typedef struct table_block {
    int count;
    struct {
        char *text, *packed; /* packed: what is written instead */
        unsigned parts;
    } texts[TABLE_TEXTS];
} table_block;
static table_block names, docs;

/* A caller is known by the C type that it calls; the first form that has it stands for all. */
static struct {
    char *type;
    unsigned parts;
    const model_form *form;
} callers[TABLE_CALLERS];
static int caller_count;

static char *copy_text(const char *text) { return strcpy(model_alloc(strlen(text) + 1), text); }

/* The number of a text in a block; equal texts are one, for the parts of all of them. */
static int block_add(table_block *block, const char *text, unsigned parts) {
    for (int i = 0; i < block->count; i++)
        if (strcmp(block->texts[i].text, text) == 0) {
            block->texts[i].parts |= parts;
            return i;
        }
    if (block->count == TABLE_TEXTS) {
        fputs("generate: too many texts\n", stderr);
        exit(1);
    }
    block->texts[block->count].text = block->texts[block->count].packed = copy_text(text);
    block->texts[block->count].parts = parts;
    return block->count++;
}

static int text_of(const char *text) { return block_add(&names, text, 0); }

static char *signature_text(const model_signature *s) {
    static char text[1200];
    int length = snprintf(text, sizeof text, "(");
    for (int i = 0; i < s->count; i++) {
        const model_parameter *p = &s->parameters[i];
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%s %s%s%s", i ? ", " : "", p->type->name, p->name,
                           p->standard[0] ? "=" : "", p->standard);
    }
    length += snprintf(text + length, sizeof text - (size_t)length, ") -> %s", tni_result_spelling(s->result));
    for (int i = 0; i < s->result_count; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%s%s", i ? ", " : "(", s->results[i],
                           i + 1 < s->result_count ? "" : ")");
    return text;
}

/* All texts that the table names, before it is written. */
static void collect_texts(void) {
    block_add(&names, "", WRITE_REST);
    block_add(&docs, "", WRITE_REST);
    for (const model_form *f = model_forms; f->op; f++) {
        const tni_operator_row *row = f->op->row;
        const model_signature *s = &f->signature;
        unsigned parts = write_parts_of(f->op);
        const char *of_form[] = {row->hints ? row->hints : "",      f->name, f->base, f->shown, f->c, row->group,
                                 row->overload ? row->overload : ""};
        for (size_t i = 0; i < sizeof of_form / sizeof *of_form; i++)
            block_add(&names, of_form[i], parts);
        for (int k = 0; k < s->count; k++) {
            block_add(&names, s->parameters[k].name, parts);
            block_add(&names, s->parameters[k].standard, parts);
        }
        for (int k = 0; k < s->result_count; k++)
            block_add(&names, s->results[k], parts);
        block_add(&docs, row->doc, parts);
    }
}

/* ---- callers */

static void put_shape(FILE *file, int number) {
    const model_form *f = callers[number].form;
    const model_signature *s = &f->signature;
    fprintf(file, "\nstatic tn_error call_as_%d(const tn_operator *op, const tn_value *values, tn_value *result) {\n", number);
    if (s->count == 0)
        fputs("    (void)values;\n", file);
    bool functional = f->variant == FUNCTIONAL;
    fprintf(file, "    return tni_returned_%s(((%s)op->kernel)(",
            !functional             ? "changed"
            : model_returns_bool(s) ? "bool"
            : model_returns_list(s) ? "list"
                                    : "tensor",
            callers[number].type);
    write_unpacked(file, s);
    if (functional && model_returns_bool(s))
        fprintf(file, "%s&result->as.boolean", s->count ? ", " : "");
    fprintf(file, ")%s, result);\n}\n", functional ? "" : ", values[0].as.tensor");
}

/* The number of a form's caller. */
static int caller_number(const model_form *f) {
    if (model_is_pointwise(f->op))
        return 0;
    char text[WRITE_TYPE];
    write_type(text, f, WRITE_IMPL);
    for (int i = 1; i < caller_count; i++)
        if (strcmp(callers[i].type, text) == 0) {
            callers[i].parts |= write_parts_of(f->op);
            return i;
        }
    if (caller_count == TABLE_CALLERS) {
        fputs("generate: too many callers\n", stderr);
        exit(1);
    }
    callers[caller_count].type = copy_text(text);
    callers[caller_count].parts = write_parts_of(f->op);
    callers[caller_count].form = f;
    return caller_count++;
}

static void collect_callers(int *numbers) {
    callers[0].type = copy_text("those of pointwise operators: see ops/pointwise/pointwise.h");
    callers[0].parts = WRITE_REST;
    caller_count = 1;
    for (int i = 0; i < model_form_count; i++)
        numbers[i] = caller_number(&model_forms[i]);
}

static void put_shapes(FILE *file) {
    unsigned now = WRITE_REST;
    for (int i = 1; i < caller_count; i++) {
        write_for(file, &now, callers[i].parts);
        put_shape(file, i);
    }
    write_for(file, &now, WRITE_REST);
    fputs("\nenum {\n", file);
    for (int i = 0; i < caller_count; i++) {
        write_for(file, &now, callers[i].parts);
        fprintf(file, "    CALLER_%d,\n", i);
    }
    write_for(file, &now, WRITE_REST);
    fputs("};\nstatic const tni_caller table_callers[] = {\n", file);
    for (int i = 0; i < caller_count; i++) {
        write_for(file, &now, callers[i].parts);
        if (i == 0)
            fprintf(file, "    tni_pointwise_values, /* %s */\n", callers[i].type);
        else
            fprintf(file, "    call_as_%d, /* %s */\n", i, callers[i].type);
    }
    write_for(file, &now, WRITE_REST);
    fputs("};\n", file);
}

/* ---- the table */

static void put_flags(FILE *file, const model_form *f) {
    const tni_operator_row *row = f->op->row;
    bool views = f->signature.result == TN_RESULT_VIEW || f->signature.result == TN_RESULT_VIEWS;
    fprintf(file, "0%s%s%s%s%s%s", views || row->any_device ? " | TNI_OPERATOR_ANY_DEVICE" : "",
            row->crosses ? " | TNI_OPERATOR_CROSSES" : "",
            row->kernel || row->kernels || row->prepare ? " | TNI_OPERATOR_POINTWISE" : "",
            row->plan ? " | TNI_OPERATOR_PLANNED" : "", row->composite ? " | TNI_OPERATOR_COMPOSITE" : "",
            row->sized_by_elements ? " | TNI_OPERATOR_SIZED_BY_ELEMENTS" : "");
}

/* What a backend must do for the operator: rows with kernels, and prepared ones, are pointwise jobs, and every computation may
 * copy. */
static int put_jobs(const tni_operator_row *row) {
    int jobs = row->jobs ? row->jobs : row->kernel || row->kernels || row->prepare ? JOB_POINTWISE : 0;
    return jobs > 0 ? jobs | JOB_COPY : 0;
}

/* ---- documentation is packed: a byte that no text has stands for the pair that is most frequent, again and again (texts.c of
 * src/dispatch unpacks it) */

static unsigned char doc_pairs[256][2];

/* How often each pair is in the texts; the most frequent one, and how often that is. */
static int most_frequent(unsigned char pair[2]) {
    static int counts[256][256];
    int most = 0;
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < docs.count; i++)
        for (const unsigned char *at = (const unsigned char *)docs.texts[i].packed; at[0] && at[1]; at++)
            if (++counts[at[0]][at[1]] > most) {
                most = counts[at[0]][at[1]];
                pair[0] = at[0];
                pair[1] = at[1];
            }
    return most;
}

static void replace_pair(unsigned char *text, const unsigned char pair[2], unsigned char code) {
    unsigned char *to = text;
    for (; *text; text++)
        if (text[0] == pair[0] && text[1] == pair[1]) {
            *to++ = code;
            text++;
        } else
            *to++ = *text;
    *to = 0;
}

static void pack_docs(void) {
    bool used[256] = {true};
    for (int i = 0; i < docs.count; i++)
        docs.texts[i].packed = copy_text(docs.texts[i].text);
    for (int i = 0; i < docs.count; i++)
        for (const char *at = docs.texts[i].text; *at; at++)
            used[(unsigned char)*at] = true;
    for (int code = 1; code < 256; code++) {
        unsigned char pair[2];
        if (used[code])
            continue;
        if (most_frequent(pair) < 4)
            return;
        memcpy(doc_pairs[code], pair, sizeof pair);
        for (int i = 0; i < docs.count; i++)
            replace_pair((unsigned char *)docs.texts[i].packed, pair, (unsigned char)code);
    }
}

static void put_pairs(FILE *file) {
    fputs("static const unsigned char table_doc_pairs[256][2] = {\n", file);
    for (int code = 0; code < 256; code++)
        if (doc_pairs[code][0])
            fprintf(file, "    [%d] = {%d, %d},\n", code, doc_pairs[code][0], doc_pairs[code][1]);
    fputs("};\n", file);
}

/* The room that texts.c writes signatures and documentation to. */
static size_t room_of_texts(void) {
    size_t bytes = 1;
    for (const model_form *f = model_forms; f->op; f++)
        bytes += strlen(signature_text(&f->signature)) + 1;
    for (int i = 0; i < docs.count; i++)
        bytes += strlen(docs.texts[i].text) + 1;
    return bytes;
}

/* The texts as the members of a struct, whose offsets the compiler knows. */
static void put_texts(FILE *file, const char *name, const table_block *block) {
    unsigned now = WRITE_REST;
    fprintf(file, "\nstatic const struct %s {\n", name);
    for (int i = 0; i < block->count; i++) {
        write_for(file, &now, block->texts[i].parts);
        fprintf(file, "    char t%d[%zu];\n", i, strlen(block->texts[i].packed) + 1);
    }
    write_for(file, &now, WRITE_REST);
    fprintf(file, "} %s = {\n", name);
    for (int i = 0; i < block->count; i++) {
        write_for(file, &now, block->texts[i].parts);
        fputs("    ", file);
        write_quoted(file, block->texts[i].packed);
        fputs(",\n", file);
    }
    write_for(file, &now, WRITE_REST);
    fprintf(file, "};\nconst char *const tni_%s = (const char *)&%s;\n", name, name);
}

static void put_all_texts(FILE *file) {
    fprintf(file,
            "\nstatic char text_room[%zu];\nstatic _Atomic(const char *) signature_texts[OPERATORS], doc_texts[OPERATORS];\n",
            room_of_texts());
    pack_docs();
    put_texts(file, "operator_texts", &names);
    fputs("_Static_assert(sizeof(struct operator_texts) <= 1 << 16, \"16 bits say where a text begins\");\n", file);
    fputs(
        "#define T(number) offsetof(struct operator_texts, t##number)\n\n#ifdef TN_WITHOUT_DOCS\n"
        "const char *const tni_operator_docs = \"\";\n#define DOC(number) 0\nstatic const unsigned char table_doc_pairs[256][2];\n#else",
        file);
    put_texts(file, "operator_docs", &docs);
    put_pairs(file);
    fputs("#define DOC(number) offsetof(struct operator_docs, t##number)\n#endif\n", file);
}

/* A form's list of parameters, which the names of its results follow. */
static int list_length(const model_form *f) { return f->signature.count + f->signature.result_count; }

static model_parameter list_at(const model_form *f, int i) {
    static const model_type none = {0};
    if (i < f->signature.count)
        return f->signature.parameters[i];
    model_parameter result = {.type = &none};
    snprintf(result.name, sizeof result.name, "%s", f->signature.results[i - f->signature.count]);
    return result;
}

static bool list_ends_with(const model_form *whole, const model_form *f) {
    int length = list_length(f), more = list_length(whole) - length;
    bool same = more >= 0;
    for (int i = 0; same && i < length; i++) {
        model_parameter a = list_at(whole, more + i), b = list_at(f, i);
        same = a.type->type == b.type->type && strcmp(a.name, b.name) == 0 && strcmp(a.standard, b.standard) == 0;
    }
    return same;
}

/* The form whose list a form's is the end of: the longest one that is compiled wherever this one is, the first of several. What
 * follows `out` is the list of the functional form, and many operators take the same. */
static const model_form *list_of(const model_form *f) {
    const model_form *whole = f;
    for (const model_form *other = model_forms; other->op; other++)
        if ((list_length(other) > list_length(whole) || (list_length(other) == list_length(whole) && other < whole)) &&
            (write_parts_of(other->op) == write_parts_of(f->op) || write_parts_of(other->op) == WRITE_REST) &&
            list_ends_with(other, f))
            whole = other;
    return whole;
}

static void put_parameters(FILE *file, const model_form **lists) {
    unsigned now = WRITE_REST;
    fputs("\nstatic const tni_parameter table_operator_parameters[] = {\n", file);
    for (int i = 0; i < model_form_count; i++) {
        const model_form *f = &model_forms[i];
        if (lists[i] != f)
            continue;
        write_for(file, &now, write_parts_of(f->op));
        for (int k = 0; k < list_length(f); k++) {
            model_parameter p = list_at(f, k);
            fprintf(file, "    {T(%d), T(%d), %d}, /* %s: %s */\n", text_of(p.name), text_of(p.standard), (int)p.type->type,
                    f->name, p.name);
        }
    }
    write_for(file, &now, WRITE_REST);
    fputs("    {0, 0, 0}};\n\nenum { /* where those of an operator begin */\n", file);
    for (int i = 0; i < model_form_count; i++) {
        const model_form *f = &model_forms[i];
        if (lists[i] != f)
            continue;
        write_for(file, &now, write_parts_of(f->op));
        fprintf(file, "    PARAMETERS_%s,\n    PARAMETERS_%s_last = PARAMETERS_%s + %d,\n", f->c, f->c, f->c,
                list_length(f) - 1);
    }
    write_for(file, &now, WRITE_REST);
    fputs("};\n", file);
}

/* What calls with values have of the shortcuts: composite.h. The first is none. */
static void put_shortcuts(FILE *file, const char *before, const char *line) {
    unsigned now = WRITE_REST;
    fputs(before, file);
    for (const model_form *f = model_forms; f->op; f++)
        if (f->op->row->shortcut && !model_is_alias(f->op)) {
            write_for(file, &now, write_parts_of(f->op));
            fprintf(file, line, f->impl);
        }
    write_for(file, &now, WRITE_REST);
    fputs("};\n", file);
}

static void put_record(FILE *file, const model_form *f, int caller, const model_form *list) {
    const tni_operator_row *row = f->op->row;
    const model_signature *s = &f->signature;
    char kernel[MODEL_NAME + 10], spec[MODEL_NAME + 10];
    snprintf(kernel, sizeof kernel, model_is_pointwise(f->op) ? "POINTWISE" : "KERNEL(%s)", f->impl);
    if (row->shortcut)
        snprintf(spec, sizeof spec, "SHORTCUT_%s", f->impl);
    else
        snprintf(spec, sizeof spec, "%d", f->op->spec);
    fprintf(
        file,
        "    /* %s */ {%s, DOC(%d), T(%d), T(%d), T(%d), 0, T(%d), T(%d), T(%d), PARAMETERS_%s + %d, CALLER_%d, %s, %d, %d, %d, ",
        f->name, kernel, block_add(&docs, row->doc, 0), text_of(f->name), text_of(f->base),
        text_of(row->overload ? row->overload : ""), text_of(row->group), text_of(row->hints ? row->hints : ""),
        text_of(f->shown), list->c, list_length(list) - list_length(f), caller, spec, s->count, (int)s->result,
        f->variant == FUNCTIONAL ? 0
        : f->variant == IN_PLACE ? 1
                                 : 2);
    put_flags(file, f);
    fprintf(file, ", %d, %d, %d},\n", s->result_count, put_jobs(row), formula_number(f->op));
}

static int compare_c_names(const void *a, const void *b) {
    return strcmp(model_forms[*(const int *)a].c, model_forms[*(const int *)b].c);
}

static void put_c_names(FILE *file) {
    int *sorted = model_alloc((size_t)model_form_count * sizeof *sorted);
    unsigned now = WRITE_REST;
    fputs("\nstatic const uint16_t table_operator_c_names[] = {\n", file);
    for (int i = 0; i < model_form_count; i++) {
        write_for(file, &now, write_parts_of(model_forms[i].op));
        fprintf(file, "    T(%d), /* %s */\n", text_of(model_forms[i].c), model_forms[i].c);
        sorted[i] = i;
    }
    write_for(file, &now, WRITE_REST);
    fputs("};\n\nstatic const uint16_t table_operators_by_c_name[] = {\n", file);
    qsort(sorted, (size_t)model_form_count, sizeof *sorted, compare_c_names);
    for (int i = 0; i < model_form_count; i++) {
        write_for(file, &now, write_parts_of(model_forms[sorted[i]].op));
        fprintf(file, "    OPERATOR_%s,\n", model_forms[sorted[i]].c);
    }
    write_for(file, &now, WRITE_REST);
    fputs("};\n", file);
    free(sorted);
}

void write_table(FILE *file) {
    int *numbers = model_alloc((size_t)model_form_count * sizeof *numbers);
    const model_form **lists = model_alloc((size_t)model_form_count * sizeof *lists);
    unsigned now = WRITE_REST;
    for (int i = 0; i < model_form_count; i++)
        lists[i] = list_of(&model_forms[i]);
    collect_texts();
    collect_callers(numbers);
    put_all_texts(file);
    put_shapes(file);
    put_parameters(file, lists);
    put_shortcuts(file, "\nenum {\n    SHORTCUT_none,\n", "    SHORTCUT_%s,\n");
    put_shortcuts(file, "static const tni_any_function table_shortcuts[] = {\n    NULL,\n",
                  "    (tni_any_function)tni_shortcut_%s,\n");
    fputs("\n#define KERNEL(name) (tni_any_function)tni_op_##name\n"
          "#define POINTWISE (tni_any_function)tni_pointwise_values\nconst tn_operator tni_operator_table[OPERATORS] = {\n",
          file);
    for (int i = 0; i < model_form_count; i++) {
        write_for(file, &now, write_parts_of(model_forms[i].op));
        put_record(file, &model_forms[i], numbers[i], lists[i]);
    }
    write_for(file, &now, WRITE_REST);
    fputs("};\n", file);
    free(numbers);
    free(lists);
    put_c_names(file);
    fputs("#undef KERNEL\n#undef POINTWISE\n#undef T\n#undef DOC\n", file);
}

void write_numbers(FILE *file) {
    unsigned now = WRITE_REST;
    fputs("\nenum {\n", file);
    for (int i = 0; i < model_form_count; i++) {
        write_for(file, &now, write_parts_of(model_forms[i].op));
        fprintf(file, "    OPERATOR_%s,\n", model_forms[i].c);
    }
    write_for(file, &now, WRITE_REST);
    fputs("    OPERATORS\n};\n", file);
}

void write_counts(FILE *file) {
    int specs = 0;
    for (const model_operator *op = model_operators; op->row; op++)
        if (model_is_pointwise(op) && specs <= op->spec)
            specs = op->spec + 1;
    fprintf(file, "\nconst int64_t tni_operator_count = OPERATORS;\nconst int64_t tni_pointwise_spec_count = %d;\n", specs);
}
