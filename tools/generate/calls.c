/* calls.c - writes operator_calls.c: the public functions, which check their arguments, name the operator and, where the call
 * concerns only the CPU, call the implementation with the arguments as they are. The dispatcher's table (table.c) follows them.
 * What only jumps to a function that others share goes to operator_jumps.c (shared.c).
 */
#include <string.h>

#include "write.h"

/* Whether an argument is certainly valid; types without a question here always are. */
static void put_sure(FILE *file, const model_parameter *p) {
    static const char *const kinds[TN_TYPE_COUNT] = {
        [TN_TYPE_TENSOR] = "tensor",   [TN_TYPE_WRITTEN] = "tensor",      [TN_TYPE_OPTIONAL] = "optional",
        [TN_TYPE_TENSORS] = "tensors", [TN_TYPE_STORAGE] = "storage",     [TN_TYPE_DIMS] = "dims",
        [TN_TYPE_INDEX] = "index",     [TN_TYPE_TEXT] = "text",           [TN_TYPE_DTYPE] = "dtype",
        [TN_TYPE_FORMAT] = "format",   [TN_TYPE_GENERATOR] = "generator", [TN_TYPE_FLOATS] = "floats",
        [TN_TYPE_SCALAR] = "scalar",   [TN_TYPE_NUMBER] = "scalar"};
    if (!kinds[p->type->type])
        return;
    fprintf(file, " && tni_sure_%s(%s", kinds[p->type->type], p->name);
    if (model_is(p, TN_TYPE_TENSORS))
        fprintf(file, ", %s_count", p->name);
    else if (model_is(p, TN_TYPE_DTYPE))
        fprintf(file, ", %s", strcmp(p->standard, "default") == 0 ? "true" : "false");
    else if (model_is_number(p))
        fprintf(file, ", %s", strcmp(p->standard, "none") == 0 ? "true" : "false");
    fputs(")", file);
}

/* What the arguments tell the dispatcher: tni_plain(...) of it decides whether the call concerns only the CPU. */
static void put_keys(FILE *file, const model_signature *s) {
    static const char *const kinds[TN_TYPE_COUNT] = {
        [TN_TYPE_TENSOR] = "tensor",   [TN_TYPE_WRITTEN] = "tensor",  [TN_TYPE_OPTIONAL] = "optional",
        [TN_TYPE_TENSORS] = "tensors", [TN_TYPE_STORAGE] = "storage", [TN_TYPE_DEVICE] = "device",
        [TN_TYPE_INDEX] = "index"};
    int written = 0;
    for (int i = 0; i < s->count; i++) {
        const model_parameter *p = &s->parameters[i];
        if (!kinds[p->type->type])
            continue;
        fprintf(file, "%stni_keys_of_%s(%s", written++ ? " | " : "", kinds[p->type->type], p->name);
        fprintf(file, model_is(p, TN_TYPE_TENSORS) ? ", %s_count)" : ")", p->name);
    }
    if (!written)
        fputs("TNI_KEYS_CPU", file);
}

/* The implementation of a composite operator: its body in a scope. */
void write_composite_body(FILE *file, const model_form *f, bool shared) {
    const model_signature *s = &f->signature;
    bool functional = f->variant == FUNCTIONAL, answer = functional && model_returns_bool(s);
    fprintf(file, "    tn_scope scope = tni_composite_begin();\n    return scope.id ? tni_composite_end%s(scope, ",
            answer                                ? "_answer"
            : !functional                         ? "_changed"
            : functional && model_returns_list(s) ? "_list"
                                                  : "");
    if (shared) {
        char type[WRITE_TYPE];
        write_type(type, f, WRITE_BODY);
        fprintf(file, "((%s)called)(", type);
    } else
        fprintf(file, "tni_composite_%s(", f->c);
    write_arguments(file, f, true);
    fprintf(file, "%s)) : %s;\n}\n", answer ? (s->count ? ", answer" : "answer") : "",
            functional && !answer ? "NULL" : "tni_failed()");
}

static void put_composite(FILE *file, const model_form *f, bool jumps) {
    if (write_jumps(SHARED_COMPOSITE, f) != jumps)
        return;
    int number = write_shared_number(SHARED_COMPOSITE, f);
    char body[MODEL_NAME + 40];
    snprintf(body, sizeof body, "(tni_any_function)tni_composite_%s", f->c);
    fputs("\n", file);
    write_prototype(file, f, WRITE_IMPL, " {\n");
    if (number < 0)
        write_composite_body(file, f, false);
    else
        write_thunk(file, f, SHARED_COMPOSITE, number, body);
}

/* What the shared function of a kind of result is called. */
static const char *call_kind(const model_form *f) {
    bool functional = f->variant == FUNCTIONAL;
    return functional && model_returns_bool(&f->signature)   ? "bool"
           : functional && model_returns_list(&f->signature) ? "list"
                                                             : "tensor";
}

/* One argument as a value, for the recorder. */
static void put_value(FILE *file, const model_parameter *p, int place) {
    static const struct {
        const char *kind, *field;
    } kinds[TN_TYPE_COUNT] = {[TN_TYPE_TENSOR] = {"TENSOR", "tensor"},
                              [TN_TYPE_WRITTEN] = {"TENSOR", "tensor"},
                              [TN_TYPE_OPTIONAL] = {"TENSOR", "tensor"},
                              [TN_TYPE_TENSORS] = {"TENSORS", "tensors"},
                              [TN_TYPE_STORAGE] = {"STORAGE", "storage"},
                              [TN_TYPE_DIMS] = {"DIMS", "dims"},
                              [TN_TYPE_INDEX] = {"INDEX", "index"},
                              [TN_TYPE_INT] = {"INT", "integer"},
                              [TN_TYPE_FLOAT] = {"FLOAT", "real"},
                              [TN_TYPE_BOOL] = {"BOOL", "boolean"},
                              [TN_TYPE_TEXT] = {"TEXT", "text"},
                              [TN_TYPE_SCALAR] = {"SCALAR", "scalar"},
                              [TN_TYPE_NUMBER] = {"SCALAR", "scalar"},
                              [TN_TYPE_DTYPE] = {"DTYPE", "dtype"},
                              [TN_TYPE_DEVICE] = {"DEVICE", "device"},
                              [TN_TYPE_FORMAT] = {"FORMAT", "format"},
                              [TN_TYPE_GENERATOR] = {"GENERATOR", "generator"},
                              [TN_TYPE_FLOATS] = {"FLOATS", "floats"}};
    tn_type type = p->type->type;
    bool tensor = type == TN_TYPE_TENSOR || type == TN_TYPE_OPTIONAL;
    fprintf(file, "        boxed[%d].kind = TN_VALUE_%s;\n", place, kinds[type].kind);
    if (type == TN_TYPE_TENSORS)
        fprintf(file, "        boxed[%d].as.tensors.items = %s;\n        boxed[%d].as.tensors.count = %s_count;\n", place,
                p->name, place, p->name);
    else
        fprintf(file, "        boxed[%d].as.%s = %s%s;\n", place, kinds[type].field, tensor ? "(tn_tensor *)(uintptr_t)" : "",
                p->name);
}

/* Calls of more take so long that a walk through the dispatcher does not matter. */
enum { RECORDED_PARAMETERS = 4 };

bool write_is_recorded(const model_form *f) {
    const model_signature *s = &f->signature;
    bool tensors = false;
    for (int i = 0; i < s->count; i++)
        tensors |= model_is(&s->parameters[i], TN_TYPE_TENSOR) || model_is(&s->parameters[i], TN_TYPE_OPTIONAL) ||
                   model_is(&s->parameters[i], TN_TYPE_TENSORS);
    return tensors && s->count <= RECORDED_PARAMETERS && f->variant == FUNCTIONAL && !model_returns_bool(s);
}

/* A call that concerns the CPU and gradients: see tni_recorded in public_call.h. */
static void put_recorded(FILE *file, const model_form *f) {
    const model_signature *s = &f->signature;
    char type[WRITE_TYPE];
    fputs("    tni_recorded call;\n    if (tni_sure_thread(tni_thread_current)", file);
    for (int i = 0; i < s->count; i++)
        put_sure(file, &s->parameters[i]);
    fputs(" && tni_recorded_begin(&call, called, ", file);
    put_keys(file, s);
    write_type(type, f, WRITE_IMPL);
    fprintf(file, ")) {\n        void *made = ((%s)called->kernel)(", type);
    write_arguments(file, f, true);
    fprintf(file, ");\n        tn_value boxed[%d];\n", s->count);
    for (int i = 0; i < s->count; i++)
        put_value(file, &s->parameters[i], i);
    fputs("        return tni_recorded_end(&call, made, boxed);\n    }\n", file);
}

void write_slow_body(FILE *file, const model_form *f, bool shared) {
    (void)shared;
    if (write_is_recorded(f))
        put_recorded(file, f);
    fprintf(file, "    return tni_call_%s(called", call_kind(f));
    write_arguments(file, f, false);
    fputs(");\n}\n", file);
}

void write_call_body(FILE *file, const model_form *f, bool shared) {
    const model_signature *s = &f->signature;
    bool functional = f->variant == FUNCTIONAL, answer = model_returns_bool(s) && functional;
    fputs("    tni_thread *thread = tni_thread_current;\n    if (TNI_UNLIKELY(!(tni_sure_thread(thread)", file);
    for (int i = 0; i < s->count; i++)
        put_sure(file, &s->parameters[i]);
    fputs(" && tni_plain(", file);
    put_keys(file, s);
    fputs("))))\n    ", file);
    char op[MODEL_NAME + 40];
    snprintf(op, sizeof op, "&tni_operator_table[OPERATOR_%s]", f->c);
    if (write_shared_number(SHARED_SLOW, f) >= 0)
        write_shared_call(file, f, SHARED_SLOW, write_shared_number(SHARED_SLOW, f), shared ? "called" : op);
    else {
        fprintf(file, "    return tni_call_%s(&tni_operator_table[OPERATOR_%s]", call_kind(f), f->c);
        write_arguments(file, f, false);
        fputs(");\n", file);
    }
    if (shared)
        fputs("    const char *outer = tni_public_enter(thread, tni_operator_texts + called->shown);\n", file);
    else
        fprintf(file, "    const char *outer = tni_public_enter(thread, \"%s\");\n", f->shown);
    if (answer)
        fputs("    bool result = false;\n    tn_error code = ", file);
    else
        fprintf(file, "    %s", functional ? "return tni_public_leave(thread, outer, " : "tn_error code = ");
    if (shared) {
        char type[WRITE_TYPE];
        write_type(type, f, WRITE_IMPL);
        fprintf(file, "((%s)called->kernel)(", type);
    } else
        fprintf(file, "tni_%s_%s(", f->op->row->shortcut ? "shortcut" : "op", f->impl);
    write_arguments(file, f, true);
    if (answer)
        fprintf(file, "%s&result);\n    return tni_public_leave_answer(thread, outer, code, result);\n}\n",
                s->count ? ", " : "");
    else if (functional)
        fputs("));\n}\n", file);
    else
        fprintf(file, ");\n    return tni_public_leave_changed(thread, outer, code, %s);\n}\n", s->parameters[0].name);
}

static void put_call(FILE *file, const model_form *f, bool jumps) {
    if (write_jumps(SHARED_PUBLIC, f) != jumps)
        return;
    int number = write_shared_number(SHARED_PUBLIC, f);
    char op[MODEL_NAME + 40];
    snprintf(op, sizeof op, "&tni_operator_table[OPERATOR_%s]", f->c);
    write_prototype(file, f, WRITE_PUBLIC, " {\n");
    if (number < 0)
        write_call_body(file, f, false);
    else
        write_thunk(file, f, SHARED_PUBLIC, number, op);
}

/* The generated implementations: those of composite, planned and prepared rows. */
static void put_impl(FILE *file, const model_form *f, bool jumps) {
    if (f->op->row->composite)
        put_composite(file, f, jumps);
    if (f->op->row->plan)
        write_plan_variant(file, f, jumps);
    if (f->op->row->prepare)
        write_prepared_variant(file, f, jumps);
}

/* The public function of a form, and its implementation if that is generated; where its part is left out, functions that say
 * so. Pointwise rows need no such implementation: they find no loop. */
static void put_form(FILE *file, const model_form *f, bool jumps) {
    unsigned now = WRITE_REST, parts = write_parts_of(f->op);
    bool pointwise = model_is_pointwise(f->op), own = !model_is_alias(f->op);
    fputs("\n", file);
    if (model_takes_scalars(&f->signature) || model_takes_items(&f->op->signature))
        fprintf(file, "#undef tn_%s\n", f->c);
    write_for(file, &now, parts);
    (pointwise ? write_pointwise_call : put_call)(file, f, jumps);
    if (own)
        put_impl(file, f, jumps);
    if (parts == WRITE_REST)
        return;
    if (!jumps) {
        fputs("#else\n", file);
        write_left_out(file, f, WRITE_PUBLIC);
        if (own && !pointwise)
            write_left_out(file, f, WRITE_IMPL);
    }
    write_for(file, &now, WRITE_REST);
}

/* The headers of all groups. */
static void write_includes(FILE *file) {
    fputs("#include \"kernels_" MODEL_SHARED "_all.h\"\n", file);
    const char *group = "";
    for (const model_operator *op = model_operators; op->row; op++)
        if (strcmp(op->row->group, group) != 0) {
            group = op->row->group;
            fprintf(file, "#include \"operators_%s.h\"\n", model_word(group));
            if (model_group_has_kernels(group))
                fprintf(file, "#include \"kernels_%s_all.h\"\n", model_word(group));
        }
}

/* Others know the tables only by their addresses, so no header contains a length. */
static void write_addresses(FILE *file) {
    static const char *const tables[][2] = {
        {"const char *const", "kernel_names"},   {"const tni_part", "parts"},
        {"const int8_t", "kernel_parts"},        {"const tni_pointwise_spec", "pointwise_specs"},
        {"const tni_caller", "callers"},         {"const tni_parameter", "operator_parameters"},
        {"const uint16_t", "operator_c_names"},  {"const uint16_t", "operators_by_c_name"},
        {"const tni_any_function", "shortcuts"},
    };
    fputs("\n", file);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        fprintf(file, "%s *const tni_%s = table_%s;\n", tables[i][0], tables[i][1], tables[i][1]);
    fputs("const tn_operator *const tni_operators = tni_operator_table;\n"
          "const unsigned char *const tni_doc_pairs = table_doc_pairs[0];\n"
          "_Atomic(const char *) *const tni_signature_texts = signature_texts;\n"
          "_Atomic(const char *) *const tni_doc_texts = doc_texts;\n"
          "char *const tni_text_room = text_room;\nconst size_t tni_text_room_bytes = sizeof text_room;\n",
          file);
}

/* These functions are short, straight and more than 1,500: what gcc does at O2 beyond O1 finds nothing in them, and takes half as long
 * again. */
const char write_fast_begin[] =
    "\n#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)\n"
    "#define TNI_CALLS_O1\n#pragma GCC push_options\n#pragma GCC optimize(\"O1\", \"optimize-sibling-calls\")\n#endif\n";
const char write_fast_end[] = "\n#ifdef TNI_CALLS_O1\n#undef TNI_CALLS_O1\n#pragma GCC pop_options\n#endif\n";

static void put_forms(FILE *file, bool jumps) {
    fputs(write_fast_begin, file);
    for (const model_operator *op = model_operators; op->row; op++)
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
            if (op->row->variants & variant)
                put_form(file, model_form_of(op, variant), jumps);
}

void write_calls(FILE *file) {
    fputs("/* operator_calls.c - the public operators: check the arguments, name the operator, call the implementation.\n"
          " * Written by tools/generate.c from operators.def. */\n"
          "#include \"dispatch/backend.h\"\n#include \"dispatch/composite.h\"\n#include \"dispatch/parts.h\"\n"
          "#include \"dispatch/public_call.h\"\n#include \"operator_kernels.h\"\n#include \"operator_shared.h\"\n"
          "#include <tenon/operators.h>\n",
          file);
    write_includes(file);
    write_counts(file);
    write_kernel_names(file);
    write_pointwise_specs(file);
    write_parts(file);
    write_shared_functions(file);
    put_forms(file, false);
    write_table(file);
    fputs(write_fast_end, file);
    write_addresses(file);
}

void write_jump_calls(FILE *file) {
    fputs(
        "/* operator_jumps.c - those public operators, and implementations, that only jump to a function they share with others.\n"
        " * Written by tools/generate.c from operators.def. */\n"
        "#include \"operator_shared.h\"\n#include <tenon/operators.h>\n",
        file);
    write_includes(file);
    put_forms(file, true);
    fputs(write_fast_end, file);
}
