/* shared.c - writes the functions that forms of one C type share, at the beginning of operator_calls.c.
 *
 * 1,500 public functions and half as many generated implementations differ from others of their C type only in what they call. So
 * each is two instructions, which add what is called to the arguments and jump to the one function of that type:
 *
 *     tn_tensor *tn_triu(const tn_tensor *self, int64_t diagonal) {
 *         return tni_public_as_7(self, diagonal, &tni_operator_table[OPERATOR_triu]);
 *     }
 *
 * What comes last finds a free register, where all the others stay in theirs. A form that would be alone keeps a function of its own, and so
 * do views and what has a shortcut, which do so little that a few instructions matter.
 *
 * Functions that only jump have a file of their own, operator_jumps.c: they are never on the stack when somebody looks, so the library
 * needs no unwind tables for them, which would be 32 bytes each. Where the arguments leave no register for the last one, the function calls and
 * stays in operator_calls.c.
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
    [SHARED_SLOW] = {"slow_as", "const tn_operator *called", "static TNI_COLD", WRITE_PUBLIC, write_slow_body},
    [SHARED_PUBLIC] = {"tni_public_as", "const tn_operator *called", "TNI_NOINLINE", WRITE_PUBLIC, write_call_body},
    [SHARED_POINTWISE] = {"tni_pointwise_as", "int64_t called", "TNI_NOINLINE TNI_UNGUARDED", WRITE_PUBLIC,
                          write_pointwise_body},
    [SHARED_COMPOSITE] = {"tni_composite_as", "tni_any_function called", "TNI_NOINLINE", WRITE_IMPL, write_composite_body},
    [SHARED_PLAN] = {"tni_planned_as", "const tni_plan_row *called", "TNI_NOINLINE TNI_UNGUARDED", WRITE_IMPL, write_plan_body},
    [SHARED_PREPARED] = {"tni_prepared_as", "tni_any_function called", "TNI_NOINLINE TNI_UNGUARDED", WRITE_IMPL,
                         write_prepared_body},
};

static bool shows_view(const model_form *f) {
    return f->variant == FUNCTIONAL && (f->signature.result == TN_RESULT_VIEW || f->signature.result == TN_RESULT_MAYBE_VIEW);
}

/* Whether a form has a function of this kind, and may share it. */
static bool shares(write_shared kind, const model_form *f) {
    const tni_operator_row *row = f->op->row;
    if (kind == SHARED_SLOW)
        return !model_is_pointwise(f->op);
    if (kind == SHARED_PUBLIC)
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
    snprintf(key, SHARED_KEY, "%d%d%d%d", (int)kind, functional && (kind != SHARED_SLOW || write_is_recorded(f)),
             functional && model_returns_list(s), functional && model_returns_bool(s));
    char type[WRITE_TYPE];
    write_type(type, f, kinds[kind].type);
    add_word(key, type);
    for (int i = 0; i < s->count && (kind == SHARED_PUBLIC || (kind == SHARED_SLOW && write_is_recorded(f))); i++) {
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
    for (const model_form *f = model_forms; f->op; f++) /* and so is one that records, for views, which do little else */
        if (shares(SHARED_SLOW, f) && shows_view(f) && write_is_recorded(f))
            use(SHARED_SLOW, f, 2, write_parts_of(f->op));
}

int write_shared_number(write_shared kind, const model_form *f) {
    if (function_count < 0)
        collect();
    if (!shares(kind, f))
        return -1;
    const shared_function *function = find(kind, f);
    return function->users > 1 ? (int)(function - functions) : -1;
}

/* The registers that arguments take, of those for integers and addresses: two for an address with a count, none for a float or
 * what is passed in memory. */
static int registers(const model_form *f, write_shared kind) {
    int count = kind > SHARED_POINTWISE && f->variant == FUNCTIONAL && model_returns_bool(&f->signature);
    for (int i = 0; i < f->signature.count; i++) {
        const model_parameter *p = &f->signature.parameters[i];
        bool two = model_is(p, TN_TYPE_TENSORS) || model_is(p, TN_TYPE_DIMS) || model_is(p, TN_TYPE_FLOATS) ||
                   model_is(p, TN_TYPE_INDEX);
        count += two ? 2 : model_is(p, TN_TYPE_FLOAT) || model_is_number(p) ? 0 : 1;
    }
    return count;
}

bool write_jumps(write_shared kind, const model_form *f) {
    enum { REGISTERS = 6 }; /* of x86-64; other processors have more */
    return write_shared_number(kind, f) >= 0 && registers(f, kind) < REGISTERS;
}

/* Calls `put` for each of these functions; the slow ones come first. */
static void each_shared(FILE *file, void (*put)(FILE *file, const shared_function *function)) {
    if (function_count < 0)
        collect();
    unsigned now = WRITE_REST;
    for (int i = function_count - 1; i >= 0; i--)
        if (functions[i].users > 1) {
            write_for(file, &now, functions[i].parts);
            put(file, &functions[i]);
        }
    write_for(file, &now, WRITE_REST);
}

/* The slow ones are called by others of them alone. */
static void put_declaration(FILE *file, const shared_function *function) {
    if (function->kind == SHARED_SLOW)
        return;
    write_shared_prototype(file, function->form, kinds[function->kind].type, kinds[function->kind].name,
                           (int)(function - functions), kinds[function->kind].last, ";\n");
}

static void put_definition(FILE *file, const shared_function *function) {
    fprintf(file, "\n%s ", kinds[function->kind].attributes);
    write_shared_prototype(file, function->form, kinds[function->kind].type, kinds[function->kind].name,
                           (int)(function - functions), kinds[function->kind].last, " {\n");
    kinds[function->kind].body(file, function->form, true);
}

void write_shared_functions(FILE *file) { each_shared(file, put_definition); }

void write_shared_header(FILE *file) {
    fputs("/* operator_shared.h - the functions that the public operators of one C type share, and what these are told.\n"
          " * Written by tools/generate.c from operators.def. */\n"
          "#ifndef TNI_OPERATOR_SHARED_H\n#define TNI_OPERATOR_SHARED_H\n\n"
          "#include \"dispatch/dispatch.h\"\n",
          file);
    write_numbers(file);
    fputs("TNI_EXTERN const tn_operator tni_operator_table[OPERATORS];\n"
          "\ntypedef struct tni_plan_row {\n    tni_any_function plan, run;\n} tni_plan_row;\n",
          file);
    unsigned now = WRITE_REST;
    for (const model_operator *op = model_operators; op->row; op++)
        if (op->row->plan && !model_is_alias(op)) {
            write_for(file, &now, write_parts_of(op));
            write_plan_row(file, op, false);
        }
    write_for(file, &now, WRITE_REST);
    fputs("\n", file);
    each_shared(file, put_declaration);
    fputs("\n#endif\n", file);
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
