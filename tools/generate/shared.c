/* shared.c - writes the functions that forms of one C type share, at the beginning of operator_calls.c.
 *
 * 1,500 public functions and half as many generated implementations differ from others of their C type only in what they call. So
 * each is two instructions, which add what is called to the arguments and jump to the one function of that type:
 *
 *     tn_tensor *tn_triu(const tn_tensor *self, int64_t diagonal) {
 *         return public_as_7(self, diagonal, &table_operators[OPERATOR_triu]);
 *     }
 *
 * What comes last finds a free register, where all the others stay in theirs. A form that would be alone keeps a function of its own, and so
 * do views and what has a shortcut, which do so little that a few instructions matter.
 */
#include <stdlib.h>
#include <string.h>

#include "write.h"

enum { SHARED_FUNCTIONS = 4096, SHARED_KEY = WRITE_TYPE + 400 };

typedef struct shared_function {
    write_shared kind;
    const model_form *form; /* the first of them */
    int users;
    unsigned parts;
    char *key;
} shared_function;
static shared_function functions[SHARED_FUNCTIONS];
static int function_count = -1; /* they have not been collected */

static const struct {
    const char *name, *last, *attributes;
    write_kind type;
    void (*body)(FILE *file, const model_form *f, bool shared);
} kinds[SHARED_KINDS] = {
    [SHARED_SLOW] = {"slow_as", "const tn_operator *called", "TNI_COLD", WRITE_PUBLIC, write_slow_body},
    [SHARED_PUBLIC] = {"public_as", "const tn_operator *called", "TNI_NOINLINE", WRITE_PUBLIC, write_call_body},
    [SHARED_POINTWISE] = {"pointwise_as", "int64_t called", "TNI_NOINLINE TNI_UNGUARDED", WRITE_PUBLIC, write_pointwise_body},
    [SHARED_COMPOSITE] = {"composite_as", "tni_any_function called", "TNI_NOINLINE", WRITE_IMPL, write_composite_body},
    [SHARED_PLAN] = {"planned_as", "const plan_row *called", "TNI_NOINLINE TNI_UNGUARDED", WRITE_IMPL, write_plan_body},
    [SHARED_PREPARED] = {"prepared_as", "tni_any_function called", "TNI_NOINLINE TNI_UNGUARDED", WRITE_IMPL,
                         write_prepared_body},
};

static bool shows_view(const model_form *f) {
    return f->variant == FUNCTIONAL && (f->signature.result == TN_RESULT_VIEW || f->signature.result == TN_RESULT_MAYBE_VIEW);
}

/* Whether a form has a function of this kind, and may share it. */
static bool shares(write_shared kind, const model_form *f) {
    const tni_operator_row *row = f->op->row;
    if (kind == SHARED_PUBLIC || kind == SHARED_SLOW)
        return !model_is_pointwise(f->op) && !row->shortcut && !shows_view(f);
    if (kind == SHARED_POINTWISE)
        return model_is_pointwise(f->op);
    return !model_is_alias(f->op) && (kind == SHARED_COMPOSITE ? row->composite
                                      : kind == SHARED_PLAN    ? row->plan
                                                               : row->prepare);
}

static void add_word(char *key, const char *word) {
    size_t length = strlen(key);
    snprintf(key + length, SHARED_KEY - length, " %s", word);
}

/* Everything that the code of such a function depends on. */
static void put_key(char *key, write_shared kind, const model_form *f) {
    const model_signature *s = &f->signature, *own = &f->op->signature;
    bool functional = f->variant == FUNCTIONAL;
    snprintf(key, SHARED_KEY, "%d%d%d%d", (int)kind, functional && kind != SHARED_SLOW, functional && model_returns_list(s),
             functional && model_returns_bool(s));
    char type[WRITE_TYPE];
    write_type(type, f, kinds[kind].type);
    add_word(key, type);
    for (int i = 0; i < s->count && kind == SHARED_PUBLIC; i++) {
        const model_parameter *p = &s->parameters[i];
        add_word(key, p->type->name);
        if (model_is(p, TN_TYPE_DTYPE) || model_is_number(p))
            add_word(key, strcmp(p->standard, model_is(p, TN_TYPE_DTYPE) ? "default" : "none") == 0 ? "may" : "must");
    }
    if (kind == SHARED_PUBLIC || kind == SHARED_SLOW || kind == SHARED_COMPOSITE)
        return;
    for (int i = 0; i < own->count; i++) /* what follows `out`, or begins with self */
        add_word(key, kind == SHARED_POINTWISE ? own->parameters[i].type->name : own->parameters[i].type->ctype);
    if (kind != SHARED_PLAN)
        return;
    if (f->variant == IN_PLACE)
        add_word(key, own->parameters[0].name);
    for (int i = 0; f->variant == OUT && i < model_out_count(own); i++)
        add_word(key, model_out_name(own, i));
}

static shared_function *find(write_shared kind, const model_form *f) {
    char key[SHARED_KEY];
    put_key(key, kind, f);
    for (int i = 0; i < function_count; i++)
        if (strcmp(functions[i].key, key) == 0)
            return &functions[i];
    if (function_count == SHARED_FUNCTIONS) {
        fputs("generate: too many shared functions\n", stderr);
        exit(1);
    }
    shared_function *made = &functions[function_count++];
    size_t size = strlen(key) + 1;
    *made = (shared_function){kind, f, 0, 0, model_alloc(size)};
    memcpy(made->key, key, size);
    return made;
}

static void use(write_shared kind, const model_form *f, int users, unsigned parts) {
    shared_function *function = find(kind, f);
    function->users += users;
    function->parts |= parts;
}

static void collect(void) {
    function_count = 0;
    for (const model_form *f = model_forms; f->op; f++)
        for (int kind = SHARED_PUBLIC; kind < SHARED_KINDS; kind++)
            if (shares((write_shared)kind, f))
                use((write_shared)kind, f, 1, write_parts_of(f->op));
    for (int i = 0, count = function_count; i < count; i++) /* one that is used by a shared function is shared */
        if (functions[i].kind == SHARED_PUBLIC && functions[i].users > 1)
            use(SHARED_SLOW, functions[i].form, 2, functions[i].parts);
}

int write_shared_number(write_shared kind, const model_form *f) {
    if (function_count < 0)
        collect();
    if (!shares(kind, f))
        return -1;
    const shared_function *function = find(kind, f);
    return function->users > 1 ? (int)(function - functions) : -1;
}

void write_shared_functions(FILE *file) {
    if (function_count < 0)
        collect();
    unsigned now = WRITE_REST;
    fputs("\nstatic const tn_operator table_operators[OPERATORS];\n", file);
    fputs("\ntypedef struct plan_row {\n    tni_any_function plan, run;\n} plan_row;\n", file);
    for (int i = function_count - 1; i >= 0; i--) { /* the slow ones come first */
        const shared_function *function = &functions[i];
        if (function->users < 2)
            continue;
        write_for(file, &now, function->parts);
        fputs("\n", file);
        fprintf(file, "static %s ", kinds[function->kind].attributes);
        write_shared_prototype(file, function->form, kinds[function->kind].type, kinds[function->kind].name, i,
                               kinds[function->kind].last);
        kinds[function->kind].body(file, function->form, true);
    }
    write_for(file, &now, WRITE_REST);
}

void write_shared_call(FILE *file, const model_form *f, write_shared kind, int number, const char *last) {
    bool answer = kind > SHARED_POINTWISE && f->variant == FUNCTIONAL && model_returns_bool(&f->signature);
    fprintf(file, "    return %s_%d(", kinds[kind].name, number);
    write_arguments(file, f, true);
    fprintf(file, "%s%s%s);\n", answer ? (f->signature.count ? ", answer" : "answer") : "",
            f->signature.count || answer ? ", " : "", last);
}

void write_thunk(FILE *file, const model_form *f, write_shared kind, int number, const char *last) {
    write_shared_call(file, f, kind, number, last);
    fputs("}\n", file);
}
