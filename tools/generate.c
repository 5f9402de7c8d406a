/* generate.c - writes what follows from the operator table. A build tool: never part of the library.
 *
 *   generate DIRECTORY    operator_calls.c, operator_impls.h and operator_kernels.h into DIRECTORY
 *   generate --header     the public header, to standard output
 *   generate --docs       the reference page, to standard output
 *
 * A row that cannot be understood ends the program with its name and the reason, so that a mistake in the table stops `make`.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch/operator_row.h"
#include "dispatch/signature.c" /* NOLINT(bugprone-suspicious-include): one parser, also for this program */

static const tni_operator_row rows[] = {
#include "dispatch/operators.def"
};
enum { ROWS = sizeof rows / sizeof rows[0], PARAMETERS = 12, LINE = 128 };

/* How a type of the signature language looks in C, and how the call checks an argument of it (%s is the argument). */
typedef struct type_rule {
    const char *name, *ctype, *check;
} type_rule;

static const type_rule types[] = {
    {"tensor", "const tn_tensor *", "tni_check_tensor(%s, \"%s\")"},
    {"tensor?", "const tn_tensor *", "tni_check_optional(%s, \"%s\")"},
    {"tensor!", "tn_tensor *", "tni_check_tensor(%s, \"%s\")"},
    {"tensors", "const tn_tensor *const *", "tni_check_tensors(%s, %s_count, \"%s\")"},
    {"storage", "tn_storage *", "tni_check_storage(%s, \"%s\")"},
    {"dims", "tn_dims ", "tni_check_dims(%s, \"%s\")"},
    {"index", "tn_index_list ", "tni_check_index(%s, \"%s\")"},
    {"int", "int64_t ", NULL},
    {"float", "double ", NULL},
    {"bool", "bool ", NULL},
    {"text", "const char *", "tni_check_text(%s, \"%s\")"},
    {"scalar", "tn_scalar ", NULL},
    {"number", "tn_scalar ", NULL},
    {"dtype", "tn_dtype ", "tni_check_dtype(%s, \"%s\")"},
    {"device", "tn_device ", NULL},
    {"format", "tn_memory_format ", "tni_check_format(%s, \"%s\")"},
    {"generator", "tn_generator *", "tni_check_generator(%s, \"%s\")"},
    {"floats", "tn_floats ", "tni_check_floats(%s, \"%s\")"},
};

typedef struct parameter {
    const type_rule *type;
    char name[40], standard[40]; /* standard: the default, or "" */
} parameter;

typedef struct signature {
    parameter parameters[PARAMETERS];
    int count;
    char result[20];
    char results[TN_MAX_RESULTS][40]; /* names, where the result is a list of named tensors */
    int result_count;
} signature;

static void give_up(const tni_operator_row *row, const char *reason, const char *detail) {
    fprintf(stderr, "operators.def: %s%s%s: %s%s\n", row->name, row->overload ? "." : "", row->overload ? row->overload : "",
            reason, detail);
    exit(1);
}

static const char *skip_space(const char *at) {
    while (*at == ' ')
        at++;
    return at;
}

static const char *take_word(const char *at, char *word, size_t size, const char *stops) {
    size_t length = strcspn(at, stops);
    if (length >= size)
        length = size - 1;
    memcpy(word, at, length);
    word[length] = 0;
    return at + length;
}

static const type_rule *find_type(const tni_operator_row *row, const char *name) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    give_up(row, "no such type: ", name);
    return NULL;
}

static signature parse(const tni_operator_row *row) {
    tni_signature read;
    int column;
    const char *wrong = tni_signature_parse(row->signature, &read, &column);
    if (wrong)
        give_up(row, wrong, row->signature + column - 1);
    if (read.count > PARAMETERS || (read.result > TN_RESULT_VIEWS && read.result != TN_RESULT_BOOL))
        give_up(row, "no such result, or too many parameters, in a C function: ", row->signature);
    signature result = {.count = read.count, .result_count = read.result_count};
    memcpy(result.results, read.results, sizeof result.results);
    for (int i = 0; i < read.count; i++) {
        parameter *p = &result.parameters[i];
        p->type = find_type(row, tni_type_spelling(read.parameters[i].type));
        memcpy(p->name, read.parameters[i].name, sizeof p->name);
        memcpy(p->standard, read.parameters[i].standard, sizeof p->standard);
    }
    snprintf(result.result, sizeof result.result, "%s", tni_result_spelling(read.result));
    if ((row->variants & OUT) && strncmp(result.result, "list", 4) == 0 && !read.result_count)
        give_up(row, "an out variant needs names for the tensors of its list: ", row->signature);
    return result;
}

static bool returns_list(const signature *s) { return strncmp(s->result, "list", 4) == 0; }
static bool returns_bool(const signature *s) { return strcmp(s->result, "bool") == 0; }

/* The tensors an out variant writes to: one called out, or those that the list's names say. */
static int out_count(const signature *s) { return s->result_count ? s->result_count : 1; }
static const char *out_name(const signature *s, int i) { return s->result_count ? s->results[i] : "out"; }
static bool is_type(const parameter *p, const char *name) { return strcmp(p->type->name, name) == 0; }
static bool is_number(const parameter *p) { return is_type(p, "scalar") || is_type(p, "number"); }

static void c_name(const tni_operator_row *row, int variant, char *name, size_t size) {
    size_t length = strlen(row->name);
    bool marked = row->name[length - 1] == '_'; /* rows that exist only in place carry torch's name, underscore and all */
    snprintf(name, size, "%.*s%s%s%s", (int)(marked ? length - 1 : length), row->name, row->overload ? "_" : "",
             row->overload ? row->overload : "",
             variant == IN_PLACE ? "_"
             : variant == OUT    ? "_out"
                                 : "");
}

/* Text that wraps at LINE columns, continuing under a given column. */
typedef struct wrapped {
    FILE *file;
    int column, indent;
    const char *lead; /* what a continuation line begins with, before the indent */
    int after;        /* columns that must be left behind a word                 */
} wrapped;

static void put_word(wrapped *out, const char *word) {
    int length = (int)strlen(word);
    if (out->column + length + out->after > LINE) {
        fprintf(out->file, "\n%s%*s", out->lead, out->indent, "");
        out->column = (int)strlen(out->lead) + out->indent;
        while (*word == ' ') {
            word++;
            length--;
        }
    }
    fputs(word, out->file);
    out->column += length;
}

static void put_prototype(FILE *file, const tni_operator_row *row, int variant, bool implementation, const char *ending) {
    signature s = parse(row);
    char name[80], head[200];
    c_name(row, variant, name, sizeof name);
    bool answer = returns_bool(&s) && variant == FUNCTIONAL;
    const char *result = variant != FUNCTIONAL ? (implementation ? "tn_error " : "tn_tensor *")
                         : answer              ? (implementation ? "tn_error " : "bool ")
                         : returns_list(&s)    ? "tn_list *"
                                               : "tn_tensor *";
    snprintf(head, sizeof head, "%s%s%s%s(", implementation ? "" : "TN_API ", result, implementation ? "tni_op_" : "tn_", name);
    wrapped out = {file, 0, (int)strlen(head), "", 0};
    put_word(&out, head);
    for (int i = 0; variant == OUT && i < out_count(&s); i++) {
        char text[80];
        snprintf(text, sizeof text, "%stn_tensor *%s%s", i ? " " : "", out_name(&s, i),
                 s.count || i + 1 < out_count(&s) ? "," : "");
        put_word(&out, text);
    }
    for (int i = 0; i < s.count; i++) {
        const parameter *p = &s.parameters[i];
        const char *ctype = variant == IN_PLACE && i == 0 ? "tn_tensor *" : p->type->ctype;
        char text[160];
        int length = snprintf(text, sizeof text, "%s%s%s", i || variant == OUT ? " " : "", ctype, p->name);
        if (is_type(p, "tensors"))
            length += snprintf(text + length, sizeof text - (size_t)length, ", int64_t %s_count", p->name);
        snprintf(text + length, sizeof text - (size_t)length, "%s", i + 1 < s.count || (answer && implementation) ? "," : "");
        out.after = i + 1 < s.count ? 0 : (int)strlen(ending);
        put_word(&out, text);
    }
    if (answer && implementation)
        put_word(&out, s.count ? " bool *answer" : "bool *answer");
    else if (s.count == 0 && variant != OUT)
        put_word(&out, "void");
    fprintf(file, ")%s", ending);
}

static void put_paragraph(FILE *file, const char *first, const char *lead, const char *text, const char *last) {
    wrapped out = {file, (int)strlen(first), 0, lead, 0};
    fputs(first, file);
    char word[200];
    while (*(text = skip_space(text))) {
        word[0] = ' ';
        text = take_word(text, word + 1, sizeof word - 4, " ");
        bool ends = !*skip_space(text);
        if (ends && out.column + (int)strlen(word) + (int)strlen(last) > LINE)
            out.column = LINE + 1;
        put_word(&out, out.column == (int)strlen(first) ? word + 1 : word);
    }
    fputs(last, file);
}

/* In C, a function that takes scalars is called through a macro of its own name that turns numbers into tn_scalar. */
static void put_scalar_macro(FILE *file, const tni_operator_row *row, int variant) {
    signature s = parse(row);
    bool any = false;
    for (int i = 0; i < s.count; i++)
        any = any || is_number(&s.parameters[i]);
    if (!any)
        return;
    char name[80];
    c_name(row, variant, name, sizeof name);
    for (int pass = 0; pass < 2; pass++) {
        fprintf(file, "%stn_%s(", pass ? " " : "#define ", name);
        for (int i = 0; variant == OUT && i < out_count(&s); i++)
            fprintf(file, "%s, ", out_name(&s, i));
        for (int i = 0; i < s.count; i++) {
            const parameter *p = &s.parameters[i];
            bool wrap = pass == 1 && is_number(p);
            fprintf(file, "%s%s%s%s", i ? ", " : "", wrap ? "TN_SCALAR(" : "", p->name, wrap ? ")" : "");
            if (is_type(p, "tensors"))
                fprintf(file, ", %s_count", p->name);
        }
        fputs(")", file);
    }
    fputs("\n", file);
}

/* A function whose last argument is an index is called through a macro that gathers the items. */
static bool takes_items(const tni_operator_row *row) {
    signature s = parse(row);
    return s.count == 2 && is_type(&s.parameters[1], "index");
}

static void put_items_macro(FILE *file, const tni_operator_row *row, int variant) {
    char name[80];
    c_name(row, variant, name, sizeof name);
    fprintf(file, "#define tn_%s(self, ...) tn_%s(self, TN_INDEX(__VA_ARGS__))\n", name, name);
}

static void write_header(FILE *file) {
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
    const char *group = "";
    for (int i = 0; i < ROWS; i++) {
        if (strcmp(group, rows[i].group) != 0) {
            group = rows[i].group;
            int length = fprintf(file, "\n/* ---- %s ", group) - 1;
            for (; length < 117; length++)
                fputc('-', file);
            fputs(" */\n", file);
        }
        fputs("\n", file);
        put_paragraph(file, "/* ", " * ", rows[i].doc, " */\n");
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if (rows[i].variants & variant)
                put_prototype(file, &rows[i], variant, false, ";\n");
    }
    fputs(
        "\n#ifdef __cplusplus\n}\n#endif\n\n/* Numbers where a tn_scalar is wanted. An argument with a comma outside parentheses needs its own pair. */\n"
        "#ifndef __cplusplus\n/* clang-format off */\n",
        file);
    for (int i = 0; i < ROWS; i++)
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if (rows[i].variants & variant)
                put_scalar_macro(file, &rows[i], variant);
    fputs(
        "#endif\n\n/* Items of an index without TN_INDEX around them; (tn_index)(x, list) takes a list that exists already. */\n",
        file);
    for (int i = 0; i < ROWS; i++)
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if ((rows[i].variants & variant) && takes_items(&rows[i]))
                put_items_macro(file, &rows[i], variant);
    fputs("/* clang-format on */\n\n#endif\n", file);
}

static void write_docs(FILE *file) {
    fputs(
        "# Operators\n\nWritten by `tools/generate.c` from the operator table, `src/dispatch/operators.def`: change it there.\n\n"
        "`name_` changes its first argument and returns it; `name_out` writes to the tensor it is given. In C every name\n"
        "begins with `tn_`. *view*: shares memory with its argument, never copies. *maybe-view*: copies only where strides\n"
        "cannot express the result.\n",
        file);
    const char *group = "";
    for (int i = 0; i < ROWS; i++) {
        signature s = parse(&rows[i]);
        if (strcmp(group, rows[i].group) != 0) {
            group = rows[i].group;
            fprintf(file, "\n## %c%s\n", toupper((unsigned char)group[0]), group + 1);
        }
        fputs("\n### ", file);
        bool first = true;
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if (rows[i].variants & variant) {
                char name[80];
                c_name(&rows[i], variant, name, sizeof name);
                fprintf(file, "%s`%s`", first ? "" : ", ", name);
                first = false;
            }
        fputs("\n\n```\n", file);
        char name[80];
        c_name(&rows[i],
               rows[i].variants & FUNCTIONAL ? FUNCTIONAL
               : rows[i].variants & IN_PLACE ? IN_PLACE
                                             : OUT,
               name, sizeof name);
        fprintf(file, "%s%s\n```\n\n", name, rows[i].signature);
        put_paragraph(file, "", "", rows[i].doc, "\n");
        if (strcmp(s.result, "view") == 0 || strcmp(s.result, "lists") == 0)
            fputs("\n*view*\n", file);
        else if (strcmp(s.result, "maybe-view") == 0)
            fputs("\n*maybe-view*\n", file);
    }
}

static void put_check(FILE *file, const parameter *p, const char *indent) {
    if (!p->type->check)
        return;
    bool may_default = strcmp(p->standard, "default") == 0;
    fputs(indent, file);
    if (is_type(p, "tensors"))
        fprintf(file, p->type->check, p->name, p->name, p->name);
    else if (is_type(p, "dtype"))
        fprintf(file, "tni_check_dtype(%s, %s, \"%s\")", p->name, may_default ? "true" : "false", p->name);
    else
        fprintf(file, p->type->check, p->name, p->name);
}

/* What the arguments tell the dispatcher: tni_plain(...) of it decides whether the call is the CPU's alone. */
static void put_keys(FILE *file, const signature *s, int variant) {
    int written = 0;
    for (int i = 0; variant == OUT && i < out_count(s); i++)
        fprintf(file, "%stni_keys_of_tensor(%s)", written++ ? " | " : "", out_name(s, i));
    for (int i = 0; i < s->count; i++) {
        const parameter *p = &s->parameters[i];
        const char *kind = is_type(p, "tensor") || is_type(p, "tensor!") ? "tensor"
                           : is_type(p, "tensor?")                       ? "optional"
                           : is_type(p, "tensors") || is_type(p, "storage") || is_type(p, "device") || is_type(p, "index")
                               ? p->type->name
                               : NULL;
        if (!kind)
            continue;
        fprintf(file, "%stni_keys_of_%s(%s", written++ ? " | " : "", kind, p->name);
        fprintf(file, is_type(p, "tensors") ? ", %s_count)" : ")", p->name);
    }
    if (!written)
        fputs("TNI_KEYS_CPU", file);
}

static void put_arguments(FILE *file, const signature *s, int variant, bool first) {
    for (int i = 0; variant == OUT && i < out_count(s); i++) {
        fprintf(file, "%s%s", first ? "" : ", ", out_name(s, i));
        first = false;
    }
    for (int i = 0; i < s->count; i++) {
        fprintf(file, "%s%s", first ? "" : ", ", s->parameters[i].name);
        if (is_type(&s->parameters[i], "tensors"))
            fprintf(file, ", %s_count", s->parameters[i].name);
        first = false;
    }
}

/* What messages call an operator. */
static void shown_name(const tni_operator_row *row, int variant, char *name, size_t size) {
    snprintf(name, size, "%s%s", row->name, variant == IN_PLACE && row->name[strlen(row->name) - 1] != '_' ? "_" : "");
}

/* Operators that are done in tens of nanoseconds check and call for themselves; the others leave it to tni_call_tensor and its like,
 * which is slower by some tens of nanoseconds and takes a tenth of the code. */
static bool is_quick(const tni_operator_row *row, const signature *s, int variant) {
    if (variant == OUT)
        return false;
    static const char *const groups[] = {"create", "view", "copy"};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strcmp(row->group, groups[i]) == 0)
            return true;
    return row->kernels || strcmp(s->result, "view") == 0 || strcmp(s->result, "maybe-view") == 0;
}

static void write_call(FILE *file, const tni_operator_row *row, int variant) {
    signature s = parse(row);
    char name[80];
    c_name(row, variant, name, sizeof name);
    fputs("\n", file);
    bool scalars = false;
    for (int i = 0; i < s.count; i++)
        scalars = scalars || is_number(&s.parameters[i]);
    if (scalars || takes_items(row))
        fprintf(file, "#undef tn_%s\n", name);
    put_prototype(file, row, variant, false, " {\n");
    if (!is_quick(row, &s, variant)) {
        const char *kind = variant != FUNCTIONAL ? "tensor" : returns_bool(&s) ? "bool" : returns_list(&s) ? "list" : "tensor";
        fprintf(file, "    return tni_call_%s(OPERATOR_%s", kind, name);
        put_arguments(file, &s, variant, false);
        fputs(");\n}\n", file);
        return;
    }
    const char *type = returns_list(&s) ? "tn_list *" : "tn_tensor *";
    char shown[80];
    shown_name(row, variant, shown, sizeof shown);
    fprintf(file, "    const char *outer = tni_operator_enter(\"%s\");\n", shown);
    bool answer = returns_bool(&s) && variant == FUNCTIONAL;
    if (answer)
        fputs("    bool result = false;\n", file);
    else if (variant == FUNCTIONAL)
        fprintf(file, "    %sresult = NULL;\n", type);
    else
        fprintf(file, "    tn_tensor *result = NULL;\n");
    fputs("    if (true", file);
    const char *indent = " &&\n        ";
    for (int i = 0; variant == OUT && i < out_count(&s); i++)
        fprintf(file, "%stni_check_tensor(%s, \"%s\")", indent, out_name(&s, i), out_name(&s, i));
    for (int i = 0; i < s.count; i++)
        put_check(file, &s.parameters[i], indent);
    fputs(")\n", file);
    fputs(variant == FUNCTIONAL ? "        result = tni_plain(" : "        result = (tni_plain(", file);
    put_keys(file, &s, variant);
    fprintf(file, ") ? tni_op_%s(", name);
    put_arguments(file, &s, variant, true);
    if (answer)
        fprintf(file, "%s&result) == TN_OK && result", s.count ? ", " : "");
    else
        fputs(")", file);
    fprintf(file, "\n                 : tni_dispatch%s(OPERATOR_%s",
            answer                  ? "_bool"
            : variant == FUNCTIONAL ? ""
                                    : "_in_place",
            name);
    put_arguments(file, &s, variant, false);
    if (variant == FUNCTIONAL)
        fputs(");\n", file);
    else
        fprintf(file, ")) == TN_OK ? %s : NULL;\n", variant == OUT ? out_name(&s, 0) : s.parameters[0].name);
    fputs("    tni_operator_leave(outer);\n", file);
    fputs(variant == FUNCTIONAL && !answer ? "    return tni_scope_adopt(result);\n}\n" : "    return result;\n}\n", file);
}

#include "generate_pointwise.h"
#include "generate_table.h"

static FILE *open_file(const char *directory, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

static void write_sources(const char *directory) {
    FILE *impls = open_file(directory, "operator_impls.h");
    fputs(
        "/* operator_impls.h - what implements the operators. Written by tools/generate.c from operators.def. */\n"
        "#ifndef TNI_OPERATOR_IMPLS_H\n#define TNI_OPERATOR_IMPLS_H\n\n#include <tenon/index.h>\n#include <tenon/tensor.h>\n\n#include \"ops/pointwise.h\"\n\n",
        impls);
    FILE *calls = open_file(directory, "operator_calls.c");
    fputs(
        "/* operator_calls.c - the public operators: check the arguments, name the operator, call the implementation.\n"
        " * Written by tools/generate.c from operators.def. */\n"
        "#include \"tensor/check.h\"\n#include \"base/scope.h\"\n#include \"operator_impls.h\"\n#include \"ops/pointwise.h\"\n#include \"dispatch/dispatch.h\"\n#include <tenon/operators.h>\n",
        calls);
    collect_forms();
    write_numbers(calls);
    fputs("\nconst tni_pointwise_spec tni_pointwise_specs[] = {\n", calls);
    for (int i = 0; i < ROWS; i++)
        if (rows[i].kernel)
            write_spec(calls, &rows[i]);
    fputs("};\n", calls);
    for (int i = 0; i < ROWS; i++)
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if (rows[i].variants & variant) {
                if (rows[i].kernel) {
                    write_pointwise(impls, i, variant);
                    write_pointwise_call(calls, &rows[i], variant);
                } else {
                    put_prototype(impls, &rows[i], variant, true, ";\n");
                    write_call(calls, &rows[i], variant);
                }
            }
    write_table(calls);
    fputs("\n#endif\n", impls);
    FILE *kernels = open_file(directory, "operator_kernels.h");
    write_kernel_names(kernels);
    if (fclose(impls) != 0 || fclose(calls) != 0 || fclose(kernels) != 0) {
        perror(directory);
        exit(1);
    }
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--header") == 0)
        write_header(stdout);
    else if (argc == 2 && strcmp(argv[1], "--docs") == 0)
        write_docs(stdout);
    else if (argc == 2 && argv[1][0] != '-')
        write_sources(argv[1]);
    else {
        fputs("usage: generate DIRECTORY | --header | --docs\n", stderr);
        return 2;
    }
    return ferror(stdout) != 0;
}
