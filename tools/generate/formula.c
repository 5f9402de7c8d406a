/* formula.c - reads the derivatives of the table. See formula.h.
 *
 *     clause   = name {"," name} ":" sum
 *     sum      = product {("+" | "-") product}
 *     product  = unary {("*" | "/") unary}
 *     unary    = ["-" | "!"] member
 *     member   = primary {"." name}
 *     primary  = number | 'text' | name | ["?"] grad.name | name "(" sums ")" | "@" name "(" sums ")" | "[" sums "]" | "(" sum ")"
 */
#include "formula.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of values that no parameter has. */
enum { KIND_LIST = TN_TYPE_COUNT, KIND_SHAPES, KIND_NONE, KIND_NEW };

typedef struct formula_value {
    int kind; /* a tn_type, or one of those above; KIND_NEW: what an @function gives, a tensor or a list */
    char code[FORMULA_TEXT];
    const model_form *form; /* of a call whose results have names */
    int parameter;          /* which it is; -1 */
} formula_value;

enum { FORMULA_ARGUMENTS = 16, FORMULA_FUNCTIONS = 512 };

static struct {
    const char *at;
    formula *out;
    formula_clause *clause;
    unsigned inputs; /* of the clause, as bits */
} reading;

const char *formula_functions[FORMULA_FUNCTIONS + 1];

static _Noreturn void refuse(const char *reason, const char *detail) { model_refuse(reading.out->op->row, reason, detail); }

/* ---- text */

static void put(char *text, const char *more) {
    if (strlen(text) + strlen(more) + 1 > FORMULA_TEXT)
        refuse("its gradient is too long: ", more);
    memcpy(text + strlen(text), more, strlen(more) + 1);
}

static void set(char *text, const char *before, const char *middle, const char *after) {
    char made[FORMULA_TEXT] = "";
    put(made, before);
    put(made, middle);
    put(made, after);
    memcpy(text, made, sizeof made);
}

static void skip(void) { reading.at += strspn(reading.at, " "); }

static bool takes(char c) {
    skip();
    if (*reading.at != c)
        return false;
    reading.at++;
    return true;
}

static void expect(char c) {
    char reason[64];
    snprintf(reason, sizeof reason, "its gradient has no %c %s", c, reading.at[0] ? "here: " : "at its end");
    if (!takes(c))
        refuse(reason, reading.at);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void word(char name[MODEL_NAME]) {
    size_t length = 0;
    skip();
    while (is_word(reading.at[length]))
        length++;
    if (!length || length >= MODEL_NAME)
        refuse("a name is expected in its gradient here: ", reading.at);
    snprintf(name, MODEL_NAME, "%.*s", (int)length, reading.at);
    reading.at += length;
}

/* ---- what is kept */

static int keep(const char *what, int place) {
    formula *out = reading.out;
    int i = 0;
    while (i < out->keep_count && (strcmp(out->keeps[i].what, what) != 0 || out->keeps[i].place != place))
        i++;
    if (i == FORMULA_KEEPS)
        refuse("its gradient needs too many things", "");
    if (i == out->keep_count)
        out->keeps[out->keep_count++] = (formula_keep){.what = what, .place = place};
    out->keeps[i].inputs |= reading.inputs;
    return i;
}

/* Declares a local once in a clause. */
static void local(const char *name, const char *declaration) {
    char mark[MODEL_NAME + 8];
    snprintf(mark, sizeof mark, "/*%s*/", name);
    if (strstr(reading.clause->locals, mark))
        return;
    put(reading.clause->locals, declaration);
    put(reading.clause->locals, mark);
    put(reading.clause->locals, "\n");
}

static void kept_member(formula_value *value, const char *what, int place, int kind, const char *member) {
    char code[MODEL_NAME];
    snprintf(code, sizeof code, "tni_kept(b, %d)->%s", keep(what, place), member);
    value->kind = kind;
    set(value->code, code, "", "");
    if (kind == TN_TYPE_TENSORS || kind == KIND_SHAPES) {
        snprintf(code, sizeof code, ".items, tni_kept(b, %d)->%s.count", keep(what, place), member);
        put(value->code, code);
    }
}

/* A tensor that was kept is looked at before it is used: it may have been changed since. */
static void kept_tensor(formula_value *value, const char *what, int place, int kind, const char *name) {
    char text[FORMULA_TEXT], own[MODEL_NAME + 8];
    int number = keep(what, place);
    snprintf(own, sizeof own, "kept_%s", name);
    snprintf(text, sizeof text,
             "        const tn_tensor *%s;\n        if (!tni_kept_tensor(b, %d, &%s))\n            return tni_failed(); ", own,
             number, own);
    local(own, text);
    value->kind = kind;
    set(value->code, own, "", "");
}

static void gradient_of(formula_value *value, int result, const char *name) {
    char text[FORMULA_TEXT], own[MODEL_NAME + 8];
    snprintf(own, sizeof own, "grad%s%s", name ? "_" : "", name ? name : "");
    snprintf(text, sizeof text,
             "        const tn_tensor *%s = tni_backward_grad(b, %d);\n        if (!%s)\n            return tni_failed(); ",
             own, result, own);
    local(own, text);
    value->kind = TN_TYPE_TENSOR;
    set(value->code, own, "", "");
}

/* ---- names */

static int parameter_named(const char *name) {
    const model_signature *s = &reading.out->op->signature;
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->parameters[i].name, name) == 0)
            return i;
    return -1;
}

static int result_named(const char *name) {
    const model_signature *s = &reading.out->op->signature;
    for (int i = 0; i < s->result_count; i++)
        if (strcmp(s->results[i], name) == 0)
            return i;
    refuse("its gradient names a result that it does not have: ", name);
}

static bool is_tensor(const model_parameter *p) {
    return model_is(p, TN_TYPE_TENSOR) || model_is(p, TN_TYPE_OPTIONAL) || model_is(p, TN_TYPE_WRITTEN);
}

/* `.values` after grad and result, where results have names. */
static int result_after(char name[MODEL_NAME]) {
    if (!takes('.'))
        refuse("its results have names: grad.name, result.name are expected here: ", reading.at);
    word(name);
    return result_named(name);
}

static void read_grad(formula_value *value, bool raw) {
    char name[MODEL_NAME];
    bool named = reading.out->op->signature.result_count > 0;
    if (!named && model_returns_list(&reading.out->op->signature))
        refuse("it gives a list: its gradients are called grads", "");
    int result = named ? result_after(name) : 0;
    if (raw) {
        char code[MODEL_NAME];
        snprintf(code, sizeof code, "tni_backward_grad_or_null(b, %d)", result);
        set(value->code, code, "", "");
        value->kind = TN_TYPE_OPTIONAL;
        return;
    }
    gradient_of(value, result, named ? name : NULL);
}

static void read_result(formula_value *value) {
    char name[MODEL_NAME], own[MODEL_NAME + 8];
    bool named = reading.out->op->signature.result_count > 0;
    if (!named && model_returns_list(&reading.out->op->signature))
        refuse("a list without names is not kept: its gradient cannot name the result", "");
    int result = named ? result_after(name) : 0;
    snprintf(own, sizeof own, "result%s%s", named ? "_" : "", named ? name : "");
    kept_tensor(value, "RESULT", result, TN_TYPE_TENSOR, own);
}

static void read_grads(formula_value *value) {
    local(
        "grads",
        "        const tn_tensor *const *grads = tni_backward_grads(b);\n        if (!grads)\n            return tni_failed(); ");
    value->kind = TN_TYPE_TENSORS;
    set(value->code, "grads, tni_backward_grad_count(b)", "", "");
}

/* The numbers of a tensor that is an argument: kept without the tensor. */
static bool read_geometry(formula_value *value, int place, const char *member) {
    static const struct {
        const char *name, *what;
        int kind;
        const char *member;
    } known[] = {{"sizes", "SIZES", TN_TYPE_DIMS, "dims"},       {"strides", "STRIDES", TN_TYPE_DIMS, "dims"},
                 {"offset", "OFFSET", TN_TYPE_INT, "integer"},   {"dtype", "DTYPE", TN_TYPE_DTYPE, "dtype"},
                 {"device", "DEVICE", TN_TYPE_DEVICE, "device"}, {"ndim", "NDIM", TN_TYPE_INT, "integer"},
                 {"numel", "NUMEL", TN_TYPE_INT, "integer"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, member) == 0) {
            kept_member(value, known[i].what, place, known[i].kind, known[i].member);
            return true;
        }
    return false;
}

static void read_parameter(formula_value *value, int place) {
    const model_parameter *p = &reading.out->op->signature.parameters[place];
    value->parameter = place;
    if (is_tensor(p)) {
        char member[MODEL_NAME];
        if (takes('.')) {
            word(member);
            if (read_geometry(value, place, member))
                return;
            refuse("a tensor has no such number: ", member);
        }
        kept_tensor(value, "VALUE", place, model_is(p, TN_TYPE_OPTIONAL) ? TN_TYPE_OPTIONAL : TN_TYPE_TENSOR, p->name);
        return;
    }
    if (model_is(p, TN_TYPE_TENSORS) && takes('.')) {
        char member[MODEL_NAME];
        word(member);
        if (strcmp(member, "sizes") == 0)
            kept_member(value, "SHAPES", place, KIND_SHAPES, "shapes");
        else if (strcmp(member, "dtype") == 0)
            refuse("a list of tensors has no one dtype: ", p->name);
        else
            refuse("a list of tensors has no such number: ", member);
        return;
    }
    if (model_is(p, TN_TYPE_TENSORS)) {
        char text[FORMULA_TEXT];
        int number = keep("VALUE", place);
        snprintf(text, sizeof text, "        if (!tni_kept_tensors(b, %d))\n            return tni_failed(); ", number);
        local(p->name, text);
    }
    if (model_is(p, TN_TYPE_INDEX)) {
        char text[FORMULA_TEXT];
        int number = keep("VALUE", place);
        snprintf(text, sizeof text, "        if (!tni_kept_index(b, %d))\n            return tni_failed(); ", number);
        local(p->name, text);
    }
    kept_member(value, "VALUE", place, (int)p->type->type, p->type->member);
}

/* ---- values as arguments */

static const char *kind_name(int kind) {
    return kind == KIND_LIST     ? "a list"
           : kind == KIND_SHAPES ? "the sizes of tensors"
           : kind == KIND_NONE   ? "none"
           : kind == KIND_NEW    ? "what a C function gives"
                                 : model_type_of((tn_type)kind)->name;
}

static bool is_number(int kind) {
    return kind == TN_TYPE_INT || kind == TN_TYPE_FLOAT || kind == TN_TYPE_SCALAR || kind == TN_TYPE_NUMBER ||
           kind == TN_TYPE_BOOL;
}

static void as_scalar(const formula_value *value, char *code) {
    set(code,
        value->kind == TN_TYPE_INT     ? "tn_scalar_int("
        : value->kind == TN_TYPE_FLOAT ? "tn_scalar_float("
        : value->kind == TN_TYPE_BOOL  ? "tn_scalar_bool("
                                       : "(",
        value->code, ")");
}

/* What a parameter has when it is left out: C for its default. */
static bool standard_code(const model_parameter *p, char *code) {
    const char *text = p->standard;
    bool none = strcmp(text, "none") == 0;
    if (!text[0])
        return false;
    switch (p->type->type) {
    case TN_TYPE_OPTIONAL:
    case TN_TYPE_GENERATOR: set(code, "NULL", "", ""); return true;
    case TN_TYPE_DIMS: set(code, "((tn_dims){NULL, 0})", "", ""); return true;
    case TN_TYPE_FLOATS: set(code, "((tn_floats){NULL, 0})", "", ""); return true;
    case TN_TYPE_INDEX: set(code, "((tn_index_list){NULL, 0})", "", ""); return true;
    case TN_TYPE_DTYPE: set(code, "TN_DTYPE_DEFAULT", "", ""); return true;
    case TN_TYPE_INT: set(code, none ? "TN_NONE" : "", none ? "" : text, ""); return true;
    case TN_TYPE_FLOAT:
    case TN_TYPE_BOOL: set(code, text, "", ""); return true;
    case TN_TYPE_TEXT: set(code, "\"", text, "\""); return true;
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER:
        if (none)
            set(code, "tn_scalar_none()", "", "");
        else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
            set(code, "tn_scalar_bool(", text, ")");
        else
            set(code, strpbrk(text, ".e") ? "tn_scalar_float(" : "tn_scalar_int(", text, ")");
        return true;
    case TN_TYPE_FORMAT:
        set(code,
            strcmp(text, "preserve") == 0        ? "TN_PRESERVE"
            : strcmp(text, "contiguous") == 0    ? "TN_CONTIGUOUS"
            : strcmp(text, "channels_last") == 0 ? "TN_CHANNELS_LAST"
                                                 : "TN_CHANNELS_LAST_3D",
            "", "");
        return true;
    default: return false;
    }
}

/* A tensor that need not be there may be used where its own gradient is asked for: then it is. */
static bool is_there(const formula_value *value) {
    for (int i = 0; i < reading.clause->input_count; i++)
        if (value->parameter >= 0 && reading.out->inputs[reading.clause->inputs[i]] == value->parameter)
            return true;
    return false;
}

/* C for a value where a parameter is expected; false where it does not fit. */
static bool fits(const formula_value *value, const model_parameter *p, char *code) {
    tn_type wanted = p->type->type;
    set(code, value->code, "", "");
    if (value->kind == KIND_NONE)
        return strcmp(p->standard, "none") == 0 && standard_code(p, code);
    switch (wanted) {
    case TN_TYPE_TENSOR:
        return value->kind == TN_TYPE_TENSOR || value->kind == KIND_NEW || (value->kind == TN_TYPE_OPTIONAL && is_there(value));
    case TN_TYPE_OPTIONAL: return value->kind == TN_TYPE_TENSOR || value->kind == TN_TYPE_OPTIONAL || value->kind == KIND_NEW;
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER: as_scalar(value, code); return is_number(value->kind);
    case TN_TYPE_FLOAT:
        if (value->kind == TN_TYPE_SCALAR || value->kind == TN_TYPE_NUMBER)
            set(code, "tni_number_real(", value->code, ")");
        else if (value->kind == TN_TYPE_INT)
            set(code, "(double)(", value->code, ")");
        return is_number(value->kind) && value->kind != TN_TYPE_BOOL;
    default: return value->kind == (int)wanted;
    }
}

/* ---- calls */

/* The call of a form with these arguments; false where they do not fit it. */
static bool call_form(const model_form *form, const formula_value *arguments, int count, char *code) {
    const model_signature *s = &form->signature;
    char text[FORMULA_TEXT];
    if (count > s->count)
        return false;
    set(code, "tn_", form->c, "(");
    for (int i = 0; i < s->count; i++) {
        if (i < count ? !fits(&arguments[i], &s->parameters[i], text) : !standard_code(&s->parameters[i], text))
            return false;
        put(code, i ? ", " : "");
        put(code, text);
    }
    put(code, ")");
    return true;
}

static const model_form *find_form(const char *name, const formula_value *arguments, int count, char *code, bool *known) {
    for (int pass = 0; pass < 2; pass++) /* the name of one C function, then all forms of an operator */
        for (const model_operator *op = model_operators; op->row; op++) {
            const model_form *form = op->row->variants & FUNCTIONAL ? model_form_of(op, FUNCTIONAL) : NULL;
            if (!form || strcmp(pass ? form->base : form->c, name) != 0)
                continue;
            *known = true;
            if (call_form(form, arguments, count, code))
                return form;
        }
    return NULL;
}

static void call_operator(formula_value *value, const char *name, const formula_value *arguments, int count) {
    char code[FORMULA_TEXT], kinds[FORMULA_TEXT] = "";
    bool known = false;
    const model_form *form = find_form(name, arguments, count, code, &known);
    for (int i = 0; i < count; i++) {
        put(kinds, i ? ", " : "");
        put(kinds, kind_name(arguments[i].kind));
    }
    char reason[MODEL_NAME + 80];
    snprintf(reason, sizeof reason, "its gradient calls %s with arguments that no form of it takes: ", name);
    if (!known)
        refuse("its gradient calls an operator that does not exist: ", name);
    if (!form)
        refuse(reason, kinds);
    if (model_returns_bool(&form->signature))
        refuse("its gradient calls an operator that gives no tensor: ", name);
    value->kind = model_returns_list(&form->signature) ? KIND_LIST : TN_TYPE_TENSOR;
    value->form = form;
    set(value->code, code, "", "");
}

/* A form with a number for a tensor (SCALAR_OTHER, SCALAR_SELF) has C functions of its own where it hands that over: @pow_self is
 * tni_gradient_pow_self_scalar there. */
static const char *function_suffix(const formula_value *arguments, int count) {
    const char *overload = reading.out->op->row->overload;
    bool form = overload && (strcmp(overload, "scalar") == 0 || strcmp(overload, "rscalar") == 0);
    for (int i = 0; i < count; i++)
        if (form && arguments[i].parameter >= 0 && arguments[i].kind == TN_TYPE_SCALAR)
            return overload;
    return "";
}

/* The prototype that the first call of an @function asks for; later ones must ask for the same. */
static void call_function(formula_value *value, const char *name, const formula_value *arguments, int count, bool list) {
    char text[FORMULA_TEXT], head[2 * MODEL_NAME], whole[2 * MODEL_NAME];
    const char *suffix = function_suffix(arguments, count);
    snprintf(whole, sizeof whole, "%s%s%s", name, *suffix ? "_" : "", suffix);
    name = whole;
    snprintf(head, sizeof head, "*tni_gradient_%.150s(", name);
    set(text, list ? "tn_list " : "tn_tensor ", head, "");
    set(value->code, "tni_gradient_", name, "(");
    for (int i = 0; i < count; i++) {
        int kind = arguments[i].kind;
        put(text, i ? ", " : "");
        put(value->code, i ? ", " : "");
        put(value->code, kind == KIND_NONE ? "NULL" : arguments[i].code);
        put(text, kind == KIND_SHAPES                                                 ? "const tn_dims *, int64_t"
                  : kind == KIND_NONE || kind == KIND_NEW || kind == TN_TYPE_OPTIONAL ? "const tn_tensor *"
                  : kind == KIND_LIST                                                 ? "const tn_list *"
                                                                                      : model_type_of((tn_type)kind)->ctype);
        put(text, kind == TN_TYPE_TENSORS ? ", int64_t" : "");
    }
    put(text, count ? ");" : "void);");
    put(value->code, ")");
    value->kind = list ? KIND_LIST : KIND_NEW;
    int i = 0;
    for (; formula_functions[i]; i++)
        if (strstr(formula_functions[i], head)) {
            if (strcmp(formula_functions[i], text) != 0)
                refuse("its gradient calls a C function in another way than one before: ", text);
            return;
        }
    if (i == FORMULA_FUNCTIONS)
        refuse("there are too many C functions", "");
    char *copy = model_alloc(strlen(text) + 1);
    memcpy(copy, text, strlen(text) + 1);
    formula_functions[i] = copy;
}

/* ---- expressions */

static void read_sum(formula_value *value, bool top);

static int read_arguments(formula_value *arguments, char end) {
    int count = 0;
    if (takes(end))
        return 0;
    do {
        if (count == FORMULA_ARGUMENTS)
            refuse("a call in its gradient has too many arguments: ", reading.at);
        read_sum(&arguments[count++], false);
    } while (takes(','));
    expect(end);
    return count;
}

static void read_call(formula_value *value, const char *name, bool function, bool list) {
    formula_value *arguments = model_alloc(FORMULA_ARGUMENTS * sizeof *arguments);
    int count = read_arguments(arguments, ')');
    if (function)
        call_function(value, name, arguments, count, list);
    else if (strcmp(name, "conj") == 0 && count == 1 && arguments[0].kind == TN_TYPE_TENSOR) {
        set(value->code, "tni_conj_of(", arguments[0].code, ")");
        value->kind = TN_TYPE_TENSOR;
    } else if (strcmp(name, "conj") == 0 && count == 1 && is_number(arguments[0].kind)) {
        char code[FORMULA_TEXT];
        as_scalar(&arguments[0], code);
        set(value->code, "tni_number_conj(", code, ")");
        value->kind = TN_TYPE_SCALAR;
    } else
        call_operator(value, name, arguments, count);
    free(arguments);
}

static void read_dims(formula_value *value) {
    formula_value *items = model_alloc(FORMULA_ARGUMENTS * sizeof *items);
    int count = read_arguments(items, ']');
    char tail[32];
    set(value->code, count ? "((tn_dims){(int64_t[]){" : "((tn_dims){NULL", "", "");
    for (int i = 0; i < count; i++) {
        if (items[i].kind != TN_TYPE_INT && items[i].kind != TN_TYPE_BOOL) /* a mask of what is wanted is such a list, too */
            refuse("a list of dimensions holds ints, not ", kind_name(items[i].kind));
        put(value->code, i ? ", " : "");
        put(value->code, items[i].code);
    }
    snprintf(tail, sizeof tail, "%s, %d})", count ? "}" : "", count);
    put(value->code, tail);
    value->kind = TN_TYPE_DIMS;
    free(items);
}

static void read_literal(formula_value *value) {
    char *end;
    bool whole = true;
    (void)strtod(reading.at, &end);
    char text[MODEL_NAME];
    snprintf(text, sizeof text, "%.*s", (int)(end - reading.at), reading.at);
    whole = !strpbrk(text, ".eE");
    set(value->code, text, "", "");
    value->kind = whole ? TN_TYPE_INT : TN_TYPE_FLOAT;
    reading.at = end;
}

static void read_needs(formula_value *value) {
    char name[MODEL_NAME], code[MODEL_NAME];
    expect('.');
    word(name);
    int place = parameter_named(name);
    for (int i = 0; i < reading.out->input_count; i++)
        if (reading.out->inputs[i] == place && place >= 0) {
            snprintf(code, sizeof code, "tni_backward_wants(b, %d)", i);
            set(value->code, code, "", "");
            value->kind = TN_TYPE_BOOL;
            return;
        }
    set(value->code, "false", "", ""); /* a number in this form */
    value->kind = TN_TYPE_BOOL;
    if (place < 0)
        refuse("its gradient asks for the need of no parameter: ", name);
}

static void read_name(formula_value *value) {
    char name[MODEL_NAME];
    word(name);
    if (takes('(')) {
        read_call(value, name, false, false);
        return;
    }
    int place = parameter_named(name);
    if (strcmp(name, "grad") == 0)
        read_grad(value, false);
    else if (strcmp(name, "grads") == 0)
        read_grads(value);
    else if (strcmp(name, "result") == 0)
        read_result(value);
    else if (strcmp(name, "needs") == 0)
        read_needs(value);
    else if (strcmp(name, "none") == 0)
        value->kind = KIND_NONE;
    else if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0) {
        set(value->code, name, "", "");
        value->kind = TN_TYPE_BOOL;
    } else if (place >= 0)
        read_parameter(value, place);
    else
        refuse("its gradient names what is neither a parameter nor an operator: ", name);
}

static void read_primary(formula_value *value, bool top) {
    char name[MODEL_NAME];
    *value = (formula_value){.parameter = -1};
    skip();
    if (takes('(')) {
        read_sum(value, top);
        expect(')');
        set(value->code, value->kind == TN_TYPE_TENSORS ? "" : "(", value->code, value->kind == TN_TYPE_TENSORS ? "" : ")");
    } else if (takes('[')) {
        read_dims(value);
    } else if (takes('@')) {
        word(name);
        expect('(');
        bool list = top && (reading.clause->input_count > 1 || reading.clause->list);
        read_call(value, name, true, list);
    } else if (takes('?')) {
        word(name);
        if (strcmp(name, "grad") != 0)
            refuse("? is for a gradient that may be missing: ?grad, not ?", name);
        read_grad(value, true);
    } else if (takes('\'')) {
        size_t length = strcspn(reading.at, "'");
        char text[MODEL_NAME];
        snprintf(text, sizeof text, "%.*s", (int)length, reading.at);
        reading.at += length;
        expect('\'');
        set(value->code, "\"", text, "\"");
        value->kind = TN_TYPE_TEXT;
    } else if (isdigit((unsigned char)*reading.at) || *reading.at == '.')
        read_literal(value);
    else
        read_name(value);
}

/* .values of a call, and the numbers of a tensor that is computed. */
static void read_member(formula_value *value, bool top) {
    read_primary(value, top);
    while (takes('.')) {
        char name[MODEL_NAME], code[FORMULA_TEXT];
        word(name);
        if (value->kind == KIND_LIST && value->form) {
            int i = 0;
            while (i < value->form->signature.result_count && strcmp(value->form->signature.results[i], name) != 0)
                i++;
            if (i == value->form->signature.result_count)
                refuse("a list in its gradient has no tensor of this name: ", name);
            snprintf(code, sizeof code, ", %d)", i);
            set(value->code, "tni_item_of(", value->code, code);
            value->kind = TN_TYPE_TENSOR;
            continue;
        }
        if (value->kind != TN_TYPE_TENSOR)
            refuse("what is before the point in its gradient has no parts: ", name);
        static const struct {
            const char *name;
            int kind;
        } known[] = {{"sizes", TN_TYPE_DIMS},
                     {"dtype", TN_TYPE_DTYPE},
                     {"ndim", TN_TYPE_INT},
                     {"numel", TN_TYPE_INT},
                     {"device", TN_TYPE_DEVICE}};
        size_t i = 0;
        while (i < sizeof known / sizeof *known && strcmp(known[i].name, name) != 0)
            i++;
        if (i == sizeof known / sizeof *known)
            refuse("a tensor has no such number: ", name);
        snprintf(code, sizeof code, "tni_%s_of(", name);
        set(value->code, code, value->code, ")");
        value->kind = known[i].kind;
    }
}

static void read_unary(formula_value *value, bool top) {
    if (takes('!')) {
        read_unary(value, false);
        if (value->kind != TN_TYPE_BOOL)
            refuse("! is for a bool, not for ", kind_name(value->kind));
        set(value->code, "!(", value->code, ")");
        return;
    }
    if (!takes('-')) {
        read_member(value, top);
        return;
    }
    read_unary(value, false);
    if (value->kind == TN_TYPE_INT || value->kind == TN_TYPE_FLOAT)
        set(value->code, "-(", value->code, ")");
    else if (is_number(value->kind)) {
        set(value->code, "tni_number_neg(", value->code, ")");
        value->kind = TN_TYPE_SCALAR;
    } else {
        formula_value *argument = model_alloc(sizeof *argument);
        *argument = *value;
        *value = (formula_value){.parameter = -1};
        call_operator(value, "neg", argument, 1);
        free(argument);
    }
}

/* An operation between numbers is C's; where a tensor takes part, it is an operator. */
static void combine(formula_value *left, const formula_value *right, char sign) {
    static const char *const names[] = {"add", "sub", "mul", "div"};
    const char *name = names[strchr("+-*/", sign) - "+-*/"];
    char text[] = {' ', sign, ' ', 0}, code[FORMULA_TEXT], other[FORMULA_TEXT];
    bool plain = (left->kind == TN_TYPE_INT || left->kind == TN_TYPE_FLOAT) &&
                 (right->kind == TN_TYPE_INT || right->kind == TN_TYPE_FLOAT);
    if (plain && !(sign == '/' && left->kind == TN_TYPE_INT && right->kind == TN_TYPE_INT)) {
        bool whole = left->kind == TN_TYPE_INT && right->kind == TN_TYPE_INT;
        set(code, whole || left->kind == TN_TYPE_FLOAT ? "(" : "((double)", left->code, text);
        put(code, right->kind == TN_TYPE_INT && !whole ? "(double)" : "");
        set(left->code, code, right->code, ")");
        left->kind = whole ? TN_TYPE_INT : TN_TYPE_FLOAT;
    } else if (is_number(left->kind) && is_number(right->kind)) {
        as_scalar(left, code);
        as_scalar(right, other);
        set(left->code, "tni_number_", name, "(");
        put(left->code, code);
        put(left->code, ", ");
        put(left->code, other);
        put(left->code, ")");
        left->kind = TN_TYPE_SCALAR;
    } else {
        formula_value *arguments = model_alloc(2 * sizeof *arguments);
        bool swap = is_number(left->kind) && sign == '*';
        arguments[0] = swap ? *right : *left;
        arguments[1] = swap ? *left : *right;
        *left = (formula_value){.parameter = -1};
        call_operator(left, name, arguments, 2);
        free(arguments);
    }
    left->form = NULL;
    left->parameter = -1;
}

static void read_product(formula_value *value, bool top) {
    read_unary(value, top);
    for (char sign; (sign = takes('*') ? '*' : takes('/') ? '/' : 0) != 0;) {
        formula_value *right = model_alloc(sizeof *right);
        read_unary(right, false);
        combine(value, right, sign);
        free(right);
    }
}

static void read_sum(formula_value *value, bool top) {
    read_product(value, top);
    for (char sign; (sign = takes('+') ? '+' : takes('-') ? '-' : 0) != 0;) {
        formula_value *right = model_alloc(sizeof *right);
        read_product(right, false);
        combine(value, right, sign);
        free(right);
    }
}

/* ---- clauses */

/* The names before the colon; whether any of them is a tensor in this form. */
static bool read_inputs(formula_clause *clause, bool adding) {
    formula *out = reading.out;
    do {
        char name[MODEL_NAME];
        word(name);
        int place = parameter_named(name);
        if (place < 0)
            refuse("its gradient is of a parameter that it does not have: ", name);
        const model_parameter *p = &out->op->signature.parameters[place];
        if (model_is_number(p)) /* a form with a number for a tensor */
            continue;
        if (!is_tensor(p) && !model_is(p, TN_TYPE_TENSORS))
            refuse("only tensors have gradients, not ", name);
        int input = 0;
        while (input < out->input_count && out->inputs[input] != place)
            input++;
        if (adding && input < out->input_count)
            refuse("its gradient has two clauses for ", name);
        if (input == FORMULA_INPUTS)
            refuse("its gradient has too many inputs", "");
        if (adding)
            out->inputs[out->input_count++] = place;
        clause->inputs[clause->input_count++] = input;
        clause->list = clause->list || model_is(p, TN_TYPE_TENSORS);
    } while (takes(','));
    expect(':');
    return clause->input_count > 0;
}

static const char *clause_end(const char *at) {
    while (*at && *at != ';')
        at++;
    return at;
}

/* Inputs first, so that needs.x knows all of them. */
static void read_all_inputs(const char *text) {
    for (const char *at = text; *at; at = *at == ';' ? at + 1 : at) {
        formula_clause *clause = model_alloc(sizeof *clause);
        *clause = (formula_clause){.input_count = 0};
        reading.at = at;
        (void)read_inputs(clause, true);
        at = clause_end(at);
        free(clause);
    }
}

static void read_clause(formula_clause *clause) {
    formula_value *value = model_alloc(sizeof *value);
    memset(clause, 0, sizeof *clause);
    reading.clause = clause;
    if (!read_inputs(clause, false)) { /* its input is a number here */
        reading.at = clause_end(reading.at);
        free(value);
        return;
    }
    reading.inputs = 0;
    for (int i = 0; i < clause->input_count; i++)
        reading.inputs |= 1u << clause->inputs[i];
    bool joint = clause->input_count > 1;
    read_sum(value, true);
    skip();
    if (*reading.at && *reading.at != ';')
        refuse("its gradient goes on where it should end: ", reading.at);
    if (joint || clause->list) {
        if (value->kind != KIND_LIST && value->kind != TN_TYPE_TENSORS)
            refuse("the gradient of several tensors is a list, not ", kind_name(value->kind));
        clause->list = true;
        if (value->kind == TN_TYPE_TENSORS)
            set(value->code, "tn_list_new(", value->code, ")");
    } else if (value->kind != TN_TYPE_TENSOR && value->kind != KIND_NEW)
        refuse("a gradient is a tensor, not ", kind_name(value->kind));
    set(clause->code, value->code, "", "");
    reading.out->clause_count++;
    free(value);
}

void formula_read(formula *out, const model_operator *op) {
    memset(out, 0, sizeof *out);
    out->op = op;
    reading.out = out;
    const char *text = op->row->gradient;
    if (strcmp(text, "none") == 0)
        return;
    read_all_inputs(text);
    for (reading.at = text; *reading.at;) {
        read_clause(&out->clauses[out->clause_count]);
        if (*reading.at == ';')
            reading.at++;
    }
}

/* ---- questions */

bool formula_is_wanted(const model_operator *op) {
    const model_signature *s = &op->signature;
    bool tensors = false;
    for (int i = 0; i < s->count; i++)
        tensors = tensors || is_tensor(&s->parameters[i]) || model_is(&s->parameters[i], TN_TYPE_TENSORS);
    return tensors && !op->row->composite && !model_returns_bool(s);
}

int formula_number(const model_operator *op) {
    int number = 1;
    if (!op->row->gradient)
        return 0;
    for (const model_operator *at = model_operators; at->row; at++) {
        if (at == op->of)
            return number;
        number += at->row->gradient && !model_is_alias(at);
    }
    return 0;
}
