/* model.c - reads the operator table and checks what can be checked. See model.h. */
#include "model.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef GENERATE_TABLE /* another one, for its tests */
#define GENERATE_TABLE "dispatch/operators.def"
#endif
static const tni_operator_row model_rows[] = {
#include GENERATE_TABLE
};
enum {
    MODEL_ROWS = sizeof model_rows / sizeof model_rows[0],
    MODEL_OPERATORS = 4 * MODEL_ROWS + 16, /* with aliases */
    MODEL_FORMS = 3 * MODEL_OPERATORS,
    MODEL_KERNELS = 1024
};

static model_operator operators[MODEL_OPERATORS + 1];
static int operator_count;
static model_form forms[MODEL_FORMS + 1];
static model_kernel kernels[MODEL_KERNELS + 1];

const model_operator *model_operators = operators;
const model_form *model_forms = forms;
const model_kernel *model_kernels = kernels;
int model_kernel_places;
int model_form_count;

static const model_type model_types[TN_TYPE_COUNT] = {
    [TN_TYPE_TENSOR] = {TN_TYPE_TENSOR, "tensor", "const tn_tensor *", "tensor"},
    [TN_TYPE_OPTIONAL] = {TN_TYPE_OPTIONAL, "tensor?", "const tn_tensor *", "tensor"},
    [TN_TYPE_WRITTEN] = {TN_TYPE_WRITTEN, "tensor!", "tn_tensor *", "tensor"},
    [TN_TYPE_TENSORS] = {TN_TYPE_TENSORS, "tensors", "const tn_tensor *const *", "tensors"},
    [TN_TYPE_STORAGE] = {TN_TYPE_STORAGE, "storage", "tn_storage *", "storage"},
    [TN_TYPE_DIMS] = {TN_TYPE_DIMS, "dims", "tn_dims ", "dims"},
    [TN_TYPE_INDEX] = {TN_TYPE_INDEX, "index", "tn_index_list ", "index"},
    [TN_TYPE_INT] = {TN_TYPE_INT, "int", "int64_t ", "integer"},
    [TN_TYPE_FLOAT] = {TN_TYPE_FLOAT, "float", "double ", "real"},
    [TN_TYPE_BOOL] = {TN_TYPE_BOOL, "bool", "bool ", "boolean"},
    [TN_TYPE_TEXT] = {TN_TYPE_TEXT, "text", "const char *", "text"},
    [TN_TYPE_SCALAR] = {TN_TYPE_SCALAR, "scalar", "tn_scalar ", "scalar"},
    [TN_TYPE_NUMBER] = {TN_TYPE_NUMBER, "number", "tn_scalar ", "scalar"},
    [TN_TYPE_DTYPE] = {TN_TYPE_DTYPE, "dtype", "tn_dtype ", "dtype"},
    [TN_TYPE_DEVICE] = {TN_TYPE_DEVICE, "device", "tn_device ", "device"},
    [TN_TYPE_FORMAT] = {TN_TYPE_FORMAT, "format", "tn_memory_format ", "format"},
    [TN_TYPE_GENERATOR] = {TN_TYPE_GENERATOR, "generator", "tn_generator *", "generator"},
    [TN_TYPE_FLOATS] = {TN_TYPE_FLOATS, "floats", "tn_floats ", "floats"},
};

_Noreturn void model_refuse(const tni_operator_row *row, const char *reason, const char *detail) {
    fprintf(stderr, "operators.def: %s%s%s: %s%s\n", row->name, row->overload ? "." : "", row->overload ? row->overload : "",
            reason, detail);
    exit(1);
}

void *model_alloc(size_t size) {
    void *block = malloc(size);
    if (!block) {
        fputs("generate: no memory\n", stderr);
        exit(1);
    }
    return block;
}

/* ---- questions */

const char *model_word(const char *group) {
    static char word[MODEL_NAME];
    snprintf(word, sizeof word, "%s", group);
    for (char *at = word; *at; at++)
        *at = *at == ' ' ? '_' : *at;
    return word;
}

const model_type *model_type_of(tn_type type) { return &model_types[type]; }

bool model_is_pointwise(const model_operator *op) { return op->row->kernel != NULL; }
bool model_is_alias(const model_operator *op) { return op->of != op; }
bool model_returns_list(const model_signature *s) { return s->result == TN_RESULT_LIST || s->result == TN_RESULT_VIEWS; }
bool model_returns_bool(const model_signature *s) { return s->result == TN_RESULT_BOOL; }
int model_out_count(const model_signature *s) { return s->result_count ? s->result_count : 1; }
const char *model_out_name(const model_signature *s, int i) { return s->result_count ? s->results[i] : "out"; }
bool model_is(const model_parameter *p, tn_type type) { return p->type->type == type; }
bool model_is_number(const model_parameter *p) { return model_is(p, TN_TYPE_SCALAR) || model_is(p, TN_TYPE_NUMBER); }

bool model_is_operand(const model_parameter *p) {
    return model_is(p, TN_TYPE_TENSOR) || model_is(p, TN_TYPE_WRITTEN) || model_is(p, TN_TYPE_SCALAR);
}

bool model_takes_scalars(const model_signature *s) {
    for (int i = 0; i < s->count; i++)
        if (model_is_number(&s->parameters[i]))
            return true;
    return false;
}

bool model_takes_items(const model_signature *s) { return s->count == 2 && model_is(&s->parameters[1], TN_TYPE_INDEX); }

const model_form *model_form_of(const model_operator *op, int variant) {
    for (int i = 0; i < model_form_count; i++)
        if (forms[i].op == op && forms[i].variant == variant)
            return &forms[i];
    return NULL;
}

/* ---- signatures */

static bool is_whole(const char *text) {
    char *end;
    (void)strtoll(text, &end, 10);
    return end != text && !*end;
}

static bool is_real(const char *text) {
    char *end;
    (void)strtod(text, &end);
    return end != text && !*end;
}

static bool is_one_of(const char *text, const char *words) {
    size_t length = strlen(text);
    for (const char *at = words; (at = strstr(at, text)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* Whether a default can be read as its type: the language that dispatch/values.c reads. */
static bool is_standard(tn_type type, const char *text) {
    switch (type) {
    case TN_TYPE_DIMS: return is_one_of(text, "none 0 1 2 3 4 5 6 7 8 9");
    case TN_TYPE_OPTIONAL:
    case TN_TYPE_INDEX:
    case TN_TYPE_GENERATOR:
    case TN_TYPE_FLOATS: return is_one_of(text, "none");
    case TN_TYPE_INT: return is_one_of(text, "none") || is_whole(text);
    case TN_TYPE_FLOAT: return is_real(text);
    case TN_TYPE_BOOL: return is_one_of(text, "true false");
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER: return is_one_of(text, "none true false") || is_real(text);
    case TN_TYPE_DTYPE: return is_one_of(text, "default");
    case TN_TYPE_FORMAT: return is_one_of(text, "contiguous preserve channels_last channels_last_3d");
    case TN_TYPE_TEXT: return true;
    default: return false; /* types that have no default */
    }
}

static model_signature read_signature(const tni_operator_row *row) {
    tni_signature read;
    int column;
    const char *wrong = tni_signature_parse(row->signature, &read, &column);
    char reason[100];
    snprintf(reason, sizeof reason, "%s: ", wrong ? wrong : "");
    if (wrong)
        model_refuse(row, reason, row->signature + column - 1);
    if (read.count > MODEL_PARAMETERS || (read.result > TN_RESULT_VIEWS && read.result != TN_RESULT_BOOL))
        model_refuse(row, "no such result, or too many parameters, in a C function: ", row->signature);
    model_signature s = {.count = read.count, .result = read.result, .result_count = read.result_count};
    memcpy(s.results, read.results, sizeof s.results);
    for (int i = 0; i < read.count; i++) {
        model_parameter *p = &s.parameters[i];
        p->type = &model_types[read.parameters[i].type];
        memcpy(p->name, read.parameters[i].name, sizeof p->name);
        memcpy(p->standard, read.parameters[i].standard, sizeof p->standard);
        if (p->standard[0] && !is_standard(p->type->type, p->standard))
            model_refuse(row, "this is not a default for its type: ", p->standard);
    }
    if ((row->variants & OUT) && model_returns_list(&s) && !s.result_count)
        model_refuse(row, "an out variant needs names for the tensors of its list: ", row->signature);
    if ((row->variants & IN_PLACE) &&
        (s.count == 0 || !(model_is(&s.parameters[0], TN_TYPE_TENSOR) || model_is(&s.parameters[0], TN_TYPE_WRITTEN))))
        model_refuse(row, "an in-place variant changes its first parameter, a tensor: ", row->signature);
    return s;
}

static void check_pointwise(const model_operator *op) {
    const model_signature *s = &op->signature;
    for (int i = 0; i < s->count; i++)
        if (model_is(&s->parameters[i], TN_TYPE_OPTIONAL) || model_is(&s->parameters[i], TN_TYPE_TENSORS))
            model_refuse(op->row, "a pointwise operator with a kernel takes single tensors that are not optional", "");
    if (!op->row->kinds)
        model_refuse(op->row, "a pointwise operator says which kinds of dtypes it takes", "");
    size_t known = strspn(op->row->kinds, "bifc");
    if (op->row->kinds[known])
        model_refuse(op->row, "no such kind of dtype: ", op->row->kinds + known);
}

static model_operator *add_operator(const tni_operator_row *row) {
    if (operator_count == MODEL_OPERATORS)
        model_refuse(row, "there are too many operators", "");
    model_operator *op = &operators[operator_count++];
    *op = (model_operator){.row = row, .of = op};
    return op;
}

/* An alias is the same row under another name. */
static void add_aliases(const model_operator *of) {
    for (const char *at = of->row->aliases ? of->row->aliases : ""; *(at += strspn(at, " "));) {
        size_t length = strcspn(at, " "), text = strlen(of->row->name) + 40;
        tni_operator_row *row = model_alloc(sizeof *row);
        char *name = model_alloc(length + 1), *doc = model_alloc(text);
        snprintf(name, length + 1, "%s", at);
        snprintf(doc, text, "%s under its other name.", of->row->name);
        *row = *of->row;
        row->name = name;
        row->doc = doc;
        row->aliases = NULL;
        model_operator *op = add_operator(row);
        op->of = of;
        op->signature = of->signature;
        op->spec = of->spec;
        at += length;
    }
}

/* Words that tn_operator_hints documents; those with a name name a parameter, but for also, whose name is looked for when all rows
 * are read (check_joins). */
static void check_hints(const model_operator *op) {
    for (const char *at = op->row->hints ? op->row->hints : ""; *(at += strspn(at, " ")); at += strcspn(at, " ")) {
        char word[MODEL_NAME];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
        char *name = strchr(word, '=');
        bool known = false;
        if (name)
            *name++ = 0;
        for (int i = 0; name && i < op->signature.count; i++)
            known = known || strcmp(op->signature.parameters[i].name, name) == 0;
        known = known || strcmp(word, "also") == 0;
        if (!is_one_of(word, name ? "named none early also" : "returns-self returns-number fresh spread each tuple") ||
            (name && !known))
            model_refuse(op->row, "no such hint, or no such parameter: ", at);
    }
}

static void read_row(const tni_operator_row *row) {
    static int specs;
    model_operator *op = add_operator(row);
    op->signature = read_signature(row);
    check_hints(op);
    if (model_is_pointwise(op)) {
        check_pointwise(op);
        op->spec = specs++;
    }
    add_aliases(op);
}

/* A form with a number for an operand is the row again: `tensor` in its signature, at the place given, is `scalar` there. */
static void read_scalar_row(const tni_operator_row *of, const char *place, const char *overload, int variants,
                            const char *doc) {
    static const char tensor[] = "tensor ", scalar[] = "scalar ";
    _Static_assert(sizeof tensor == sizeof scalar, "the signature keeps its length");
    if (!place || strncmp(place, tensor, sizeof tensor - 1) != 0)
        model_refuse(of, "a row with scalar forms has tensors for self and another operand: ", of->signature);
    tni_operator_row *row = model_alloc(sizeof *row);
    size_t length = strlen(of->signature) + 1, name = strlen(overload) + (of->overload ? strlen(of->overload) + 2 : 1);
    char *signature = model_alloc(length), *whole = model_alloc(name);
    memcpy(signature, of->signature, length);
    memcpy(signature + (place - of->signature), scalar, sizeof scalar - 1);
    snprintf(whole, name, "%s%s%s", overload, of->overload ? "_" : "", of->overload ? of->overload : "");
    *row = *of;
    row->signature = signature;
    row->overload = whole;
    row->variants &= variants;
    row->doc = doc;
    row->scalars = 0;
    if (!(variants & IN_PLACE)) /* only operators with a tensor in front have other names */
        row->aliases = NULL;
    read_row(row);
}

static void read_scalar_rows(const tni_operator_row *row) {
    const char *last = NULL;
    for (const char *at = row->signature; (at = strstr(at, ", tensor ")) != NULL; at++)
        last = at + 2;
    if (row->scalars & SCALAR_OTHER)
        read_scalar_row(row, last, "scalar", ALL_VARIANTS, "The same with a number.");
    if (row->scalars & SCALAR_SELF)
        read_scalar_row(row, row->signature + 1, "rscalar", FUNCTIONAL | OUT, "The same with a number in front.");
}

static void read_rows(void) {
    for (int i = 0; i < MODEL_ROWS; i++) {
        const tni_operator_row *row = &model_rows[i];
        if (!row->name || !row->name[0] || !row->signature || !row->doc || !row->group)
            model_refuse(row->name ? row : &(tni_operator_row){.name = "a row"},
                         "a row has a name, a signature, a group and a doc", "");
        if (!(row->variants & ALL_VARIANTS) || row->variants & ~ALL_VARIANTS)
            model_refuse(row, "a row has variants: FUNCTIONAL, IN_PLACE, OUT", "");
        if (row->composite + row->plan + row->prepare + (row->kernel != NULL) > 1)
            model_refuse(row, "a row is one of these: .kernel, .prepare, .plan, .composite", "");
        if (row->composite && (row->kernel || row->kernels || row->any_device || row->jobs))
            model_refuse(row, "a composite operator has no kernels, and runs on any device without saying so", "");
        if (row->shortcut && !row->composite)
            model_refuse(row, "a shortcut is for what is composite", "");
        read_row(row);
        read_scalar_rows(row);
        for (int k = 0; k < i && strcmp(row->group, model_rows[i - 1].group) != 0; k++)
            if (strcmp(row->group, model_rows[k].group) == 0)
                model_refuse(row, "rows of a group are together: ", row->group);
    }
}

/* ---- forms */

static int compare_forms(const void *a, const void *b) {
    return strcmp(((const model_form *)a)->name, ((const model_form *)b)->name);
}

static void make_form(model_form *f, const model_operator *op, int variant) {
    const tni_operator_row *row = op->row;
    size_t length = strlen(row->name);
    bool marked = row->name[length - 1] == '_'; /* rows that exist only in place carry torch's name, underscore and all */
    const char *ending = variant == IN_PLACE ? "_"
                         : variant == OUT    ? "_out"
                                             : "",
               *overload = row->overload ? row->overload : "";
    f->op = op;
    f->variant = variant;
    snprintf(f->base, sizeof f->base, "%.*s", (int)(length - marked), row->name);
    snprintf(f->name, sizeof f->name, "%.*s%s%s%s", (int)(length - marked), row->name, ending, *overload ? "." : "", overload);
    snprintf(f->c, sizeof f->c, "%.*s%s%s%s", (int)(length - marked), row->name, *overload ? "_" : "", overload, ending);
    snprintf(f->shown, sizeof f->shown, "%s%s", row->name, variant == IN_PLACE && !marked ? "_" : "");
    length = strlen(op->of->row->name);
    marked = op->of->row->name[length - 1] == '_';
    snprintf(f->impl, sizeof f->impl, "%.*s%s%s%s", (int)(length - marked), op->of->row->name, *overload ? "_" : "", overload,
             ending);
    model_signature *s = &f->signature;
    *s = op->signature;
    if (variant == IN_PLACE)
        s->parameters[0].type = &model_types[TN_TYPE_WRITTEN];
    if (variant != OUT)
        return;
    int many = model_out_count(s);
    if (s->count + many > MODEL_PARAMETERS)
        model_refuse(row, "too many parameters", "");
    memmove(&s->parameters[many], &s->parameters[0], (size_t)s->count * sizeof s->parameters[0]);
    for (int i = 0; i < many; i++) {
        s->parameters[i] = (model_parameter){.type = &model_types[TN_TYPE_WRITTEN]};
        snprintf(s->parameters[i].name, sizeof s->parameters[i].name, "%s", model_out_name(s, i));
    }
    s->count += many;
}

static void make_forms(void) {
    for (int i = 0; i < operator_count; i++)
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if (operators[i].row->variants & variant)
                make_form(&forms[model_form_count++], &operators[i], variant);
    qsort(forms, (size_t)model_form_count, sizeof forms[0], compare_forms);
    for (int i = 0; i < model_form_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(forms[i].name, forms[k].name) == 0 || strcmp(forms[i].c, forms[k].c) == 0)
                model_refuse(forms[i].op->row, "two rows have the name ", forms[i].name);
}

/* ---- kernels */

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *text = size >= 0 && fseek(file, 0, SEEK_SET) == 0 ? model_alloc((size_t)size + 1) : NULL;
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    text[size] = 0;
    fclose(file);
    return text;
}

static bool is_word(char letter) { return isalnum((unsigned char)letter) || letter == '_'; }

static void add_kernel(const char *name, size_t length, const char *group) {
    int i = 0;
    for (; kernels[i].name; i++)
        if (strlen(kernels[i].name) == length && memcmp(kernels[i].name, name, length) == 0) {
            if (strcmp(kernels[i].group, group) != 0)
                kernels[i].group = MODEL_SHARED;
            return;
        }
    if (i == MODEL_KERNELS) {
        fputs("generate: too many kernels\n", stderr);
        exit(1);
    }
    char *copy = model_alloc(length + 1);
    memcpy(copy, name, length);
    copy[length] = 0;
    kernels[i] = (model_kernel){.name = copy, .group = group, .id = -1};
}

/* Each group has whole blocks of numbers, with at least one number free, so a new kernel of one group seldom changes the
 * numbers of another, and files that use those need not be compiled again. */
static void number_kernels(void) {
    enum { BLOCK = 16 };
    for (int g = 0, next = 0; kernels[g].name; g++) {
        if (kernels[g].id >= 0)
            continue;
        for (int rest = 0; rest < 2; rest++)
            for (int i = g; kernels[i].name; i++)
                if (strcmp(kernels[i].group, kernels[g].group) == 0 && kernels[i].used == (rest == 0))
                    kernels[i].id = next++;
        next = model_kernel_places = (next / BLOCK + 1) * BLOCK;
    }
}

static void add_kernels(const char *names, const char *group) {
    for (const char *at = names ? names : ""; *(at += strspn(at, " ")); at += strcspn(at, " "))
        add_kernel(at, strcspn(at, " "), group);
}

/* Marks the kernels whose numbers a text uses: TNI_KERNEL_add. */
static void use_kernels(const char *text) {
    static const char number[] = "TNI_KERNEL_";
    for (const char *at = text; (at = strstr(at, number)) != NULL;) {
        size_t length = 0;
        for (at += sizeof number - 1; is_word(at[length]);)
            length++;
        for (int i = 0; kernels[i].name; i++)
            if (strlen(kernels[i].name) == length && memcmp(kernels[i].name, at, length) == 0)
                kernels[i].used = true;
    }
}

static void read_kernels(const char *const *sources, int count) {
    for (int i = 0; i < MODEL_ROWS; i++) {
        add_kernels(model_rows[i].kernel, model_rows[i].group);
        add_kernels(model_rows[i].kernels, model_rows[i].group);
        add_kernels(model_rows[i].uses, model_rows[i].group);
    }
    for (int i = 0; i < count; i++)
        if (strncmp(sources[i], "src/cpu/", 8) != 0) {
            char *text = read_file(sources[i]);
            use_kernels(text);
            free(text);
        }
    number_kernels();
}

bool model_group_has_kernels(const char *group) {
    for (int i = 0; kernels[i].name; i++)
        if (strcmp(kernels[i].group, group) == 0)
            return true;
    return false;
}

/* Whether a text enters a kernel: the name is the first argument of a macro, TNI_BODY(add, binary) or TN_ENTER(add), or is in
 * TNI_KERNEL_add. */
static bool enters(const char *text, const char *name) {
    static const char number[] = "TNI_KERNEL_";
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at++) {
        if (is_word(at[length]))
            continue;
        if (at - text >= 2 && at[-1] == '(' && is_word(at[-2]))
            return true;
        if ((size_t)(at - text) >= sizeof number - 1 && memcmp(at - (sizeof number - 1), number, sizeof number - 1) == 0)
            return true;
    }
    return false;
}

static const tni_operator_row *row_of_kernel(const char *name) {
    for (int i = 0; i < MODEL_ROWS; i++)
        if ((model_rows[i].kernel && strcmp(model_rows[i].kernel, name) == 0) ||
            (model_rows[i].kernels && is_one_of(name, model_rows[i].kernels)))
            return &model_rows[i];
    return &model_rows[0];
}

static void check_bodies(const char *const *bodies, int count) {
    static bool found[MODEL_KERNELS];
    for (int b = 0; b < count; b++) {
        char *text = read_file(bodies[b]);
        for (int i = 0; kernels[i].name; i++)
            found[i] = found[i] || enters(text, kernels[i].name);
        free(text);
    }
    for (int i = 0; count > 0 && kernels[i].name; i++)
        if (!found[i])
            model_refuse(row_of_kernel(kernels[i].name), "no body enters the kernel ", kernels[i].name);
}

/* ---- texts */

static bool is_function(const char *name, size_t length) {
    for (int i = 0; i < model_form_count; i++)
        if (strlen(forms[i].c) == length && memcmp(forms[i].c, name, length) == 0)
            return true;
    return false;
}

/* "also=split" names an operator. */
static void check_joins(const tni_operator_row *row) {
    for (const char *at = row->hints ? row->hints : ""; *(at += strspn(at, " ")); at += strcspn(at, " "))
        if (strncmp(at, "also=", 5) == 0 && !is_function(at + 5, strcspn(at + 5, " ")))
            model_refuse(row, "its hint names an operator that does not exist: ", at + 5);
}

/* tn_<name> in a text is what a reader will look for. Functions that are not operators are recognised by their object:
 * tn_dtype_name. */
static void check_text(const tni_operator_row *row, const char *text) {
    static const char *const others[] = {"dtype_", "scalar_", "tensor_", "storage_", "generator_", "list_", "index_", "scope_"};
    for (const char *at = text ? text : ""; (at = strstr(at, "tn_")) != NULL;) {
        bool begins = at == text || !is_word(at[-1]);
        at += 3;
        size_t length = 0;
        while (is_word(at[length]))
            length++;
        bool known = !begins || length == 0 || is_function(at, length);
        for (size_t i = 0; !known && i < sizeof others / sizeof others[0]; i++)
            known = strncmp(at, others[i], strlen(others[i])) == 0;
        if (!known)
            model_refuse(row, "its text names a function that does not exist: tn_", at);
    }
}

void model_read(const char *const *bodies, int body_count, const char *const *sources, int source_count) {
    read_rows();
    make_forms();
    read_kernels(sources, source_count);
    check_bodies(bodies, body_count);
    for (int i = 0; i < MODEL_ROWS; i++) {
        check_text(&model_rows[i], model_rows[i].doc);
        check_text(&model_rows[i], model_rows[i].advice);
        check_joins(&model_rows[i]);
    }
}
