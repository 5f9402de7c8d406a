/* cpp.c - writes the C++ faces of the operators: include/tenon/cpp/operators.hpp (AnyTensor with a method for each operator, and the
 * typed methods that call it) and include/tenon/cpp/promotion.hpp (the promotion table).
 *
 * Forms of one operator are overloads of one method, `squeeze()` and `squeeze(dim)`, unless a call could mean two of them: then the
 * later one keeps its name of C, `any_dims`. A default is written where all parameters after it have one too, as C++ wants it. What
 * has no tensor before its other parameters, and what writes to a tensor `out`, is a function of the namespace.
 *
 * A typed method gives a typed tensor where the scalar type of the result follows from that of self: from the row's rule, or from
 * the table below. Otherwise it gives an AnyTensor, which converts when it is assigned and is checked then.
 */
#include <string.h>

#include "iterate/promote_table.h"
#include "write.h"

/* How a type of the signature language looks in C++, and the argument that C gets. */
static const char *const cpp_types[TN_TYPE_COUNT] = {
    [TN_TYPE_TENSOR] = "const AnyTensor &",
    [TN_TYPE_OPTIONAL] = "const AnyTensor &",
    [TN_TYPE_WRITTEN] = "AnyTensor &",
    [TN_TYPE_TENSORS] = "TensorList ",
    [TN_TYPE_STORAGE] = "AnyStorage &",
    [TN_TYPE_DIMS] = "Dims ",
    [TN_TYPE_INDEX] = "Indices ",
    [TN_TYPE_INT] = "int64_t ",
    [TN_TYPE_FLOAT] = "double ",
    [TN_TYPE_BOOL] = "bool ",
    [TN_TYPE_TEXT] = "const char *",
    [TN_TYPE_SCALAR] = "Number ",
    [TN_TYPE_NUMBER] = "Number ",
    [TN_TYPE_DTYPE] = "tn_dtype ",
    [TN_TYPE_DEVICE] = "tn_device ",
    [TN_TYPE_FORMAT] = "tn_memory_format ",
    [TN_TYPE_GENERATOR] = "tn_generator *",
    [TN_TYPE_FLOATS] = "Floats ",
};

static bool is_handle(const model_parameter *p) {
    return model_is(p, TN_TYPE_TENSOR) || model_is(p, TN_TYPE_OPTIONAL) || model_is(p, TN_TYPE_WRITTEN) ||
           model_is(p, TN_TYPE_STORAGE);
}

static bool has_self(const model_form *f) {
    const model_parameter *p = &f->signature.parameters[0];
    return f->variant != OUT && f->signature.count > 0 && (model_is(p, TN_TYPE_TENSOR) || model_is(p, TN_TYPE_WRITTEN));
}

static bool in_place(const model_form *f) {
    return f->variant != OUT && f->signature.count > 0 && model_is(&f->signature.parameters[0], TN_TYPE_WRITTEN);
}

/* The default of a parameter as C++ text. */
static void put_standard(FILE *file, const model_parameter *p) {
    const char *text = p->standard;
    bool none = strcmp(text, "none") == 0;
    switch (p->type->type) {
    case TN_TYPE_OPTIONAL: fputs("AnyTensor()", file); break;
    case TN_TYPE_DIMS: fprintf(file, none ? "Dims()" : "Dims::small(%s)", text); break;
    case TN_TYPE_INDEX: fputs("Indices()", file); break;
    case TN_TYPE_FLOATS: fputs("Floats()", file); break;
    case TN_TYPE_GENERATOR: fputs("nullptr", file); break;
    case TN_TYPE_INT: fputs(none ? "TN_NONE" : text, file); break;
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER: fprintf(file, none ? "Number::none()" : "%s", text); break;
    case TN_TYPE_DTYPE: fputs("TN_DTYPE_DEFAULT", file); break;
    case TN_TYPE_TEXT: write_quoted(file, text); break;
    case TN_TYPE_FORMAT:
        fputs(strcmp(text, "contiguous") == 0      ? "TN_CONTIGUOUS"
              : strcmp(text, "preserve") == 0      ? "TN_PRESERVE"
              : strcmp(text, "channels_last") == 0 ? "TN_CHANNELS_LAST"
                                                   : "TN_CHANNELS_LAST_3D",
              file);
        break;
    default: fputs(text, file);
    }
}

/* The number of parameters that a caller must give, counted from the first. */
static int required(const model_signature *s, int first) {
    int count = s->count;
    while (count > first && *s->parameters[count - 1].standard)
        count--;
    return count;
}

/* Whether some call could mean either: the types that both take are the same. C's numbers convert into each other, so they count as
 * one type here, but for the number that a tn_scalar is made of, which always loses. */
static bool could_be_either(const model_form *a, const model_form *b) {
    int first = has_self(a) ? 1 : 0;
    if (has_self(a) != has_self(b))
        return false;
    int least = required(&a->signature, first), other = required(&b->signature, first);
    least = least > other ? least : other;
    if (a->signature.count < least || b->signature.count < least)
        return false;
    for (int i = first; i < least; i++) {
        const char *x = cpp_types[a->signature.parameters[i].type->type], *y = cpp_types[b->signature.parameters[i].type->type];
        if (strcmp(x, y) != 0 && !(strstr("int64_t double bool ", x) && strstr("int64_t double bool ", y)))
            return false;
    }
    return true;
}

/* The method's name: that of the operator, or of the C function where a form before it would make calls ambiguous. */
static const char *cpp_name(const model_form *f, char *name) {
    size_t length = strlen(f->base);
    memcpy(name, f->base, length + 1);
    if (in_place(f))
        strcat(name, "_");
    else if (f->variant == OUT)
        strcat(name, "_out");
    for (const model_operator *op = model_operators; op->row && op != f->op; op++)
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2) {
            const model_form *other = op->row->variants & variant ? model_form_of(op, variant) : NULL;
            if (other && strcmp(other->base, f->base) == 0 && in_place(other) == in_place(f) &&
                (other->variant == OUT) == (f->variant == OUT) && could_be_either(other, f)) {
                memcpy(name, f->c, strlen(f->c) + 1);
                return name;
            }
        }
    return name;
}

/* "values, indices" is ValuesIndices. */
static void put_struct_name(FILE *file, const model_signature *s) {
    for (int i = 0; i < s->result_count; i++) {
        bool upper = true;
        for (const char *at = s->results[i]; *at; at++) {
            if (*at != '_')
                fputc(upper && *at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at, file);
            upper = *at == '_';
        }
    }
}

static bool same_results(const model_signature *a, const model_signature *b) {
    bool same = a->result_count == b->result_count;
    for (int i = 0; same && i < a->result_count; i++)
        same = strcmp(a->results[i], b->results[i]) == 0;
    return same;
}

static void put_structs(FILE *file) {
    for (const model_operator *op = model_operators; op->row; op++) {
        const model_signature *s = &op->signature;
        bool first = s->result_count > 0;
        for (const model_operator *before = model_operators; first && before != op; before++)
            first = !same_results(&before->signature, s);
        if (!first)
            continue;
        fputs("template <", file);
        for (int i = 0; i < s->result_count; i++)
            fprintf(file, "%sclass T%d = AnyTensor", i ? ", " : "", i);
        fputs("> struct ", file);
        put_struct_name(file, s);
        fputs(" {\n", file);
        for (int i = 0; i < s->result_count; i++)
            fprintf(file, "    T%d %s;\n", i, s->results[i]);
        fputs("};\n", file);
    }
}

static void put_result_type(FILE *file, const model_form *f) {
    const model_signature *s = &f->signature;
    if (in_place(f) || f->variant == OUT)
        fputs("AnyTensor &", file);
    else if (model_returns_bool(s))
        fputs("bool ", file);
    else if (!model_returns_list(s))
        fputs("AnyTensor ", file);
    else if (s->result_count == 0)
        fputs("std::vector<AnyTensor> ", file);
    else {
        put_struct_name(file, s);
        fputs("<> ", file);
    }
}

static void put_parameters(FILE *file, const model_signature *s, int first) {
    int least = required(s, first);
    for (int i = first; i < s->count; i++) {
        const model_parameter *p = &s->parameters[i];
        fprintf(file, "%s%s%s", i > first ? ", " : "", cpp_types[p->type->type], p->name);
        if (i >= least) {
            fputs(" = ", file);
            put_standard(file, p);
        }
    }
}

static void put_c_arguments(FILE *file, const model_form *f) {
    const model_signature *s = &f->signature;
    for (int i = 0; i < s->count; i++) {
        const model_parameter *p = &s->parameters[i];
        fputs(i ? ", " : "", file);
        if (i == 0 && has_self(f))
            fputs("get()", file);
        else if (is_handle(p))
            fprintf(file, "%s.get()", p->name);
        else if (model_is(p, TN_TYPE_TENSORS))
            fprintf(file, "%s.items(), %s.count()", p->name, p->name);
        else
            fputs(p->name, file);
    }
}

/* One function: a method of AnyTensor, or a function of the namespace. */
static void put_function(FILE *file, const model_form *f) {
    const model_signature *s = &f->signature;
    char name[MODEL_NAME];
    bool self = has_self(f), written = in_place(f) || f->variant == OUT;
    fputs(self ? "    " : "inline ", file);
    put_result_type(file, f);
    fprintf(file, "%s(", cpp_name(f, name));
    put_parameters(file, s, self ? 1 : 0);
    fprintf(file, ")%s { return ", self && !written ? " const" : "");
    if (model_returns_bool(s))
        fputs("detail::answer(", file);
    else if (in_place(f))
        fputs("did(", file);
    else if (f->variant == OUT)
        fprintf(file, "%s.did(", s->parameters[0].name);
    else if (!model_returns_list(s))
        fputs("detail::Own()(", file);
    else if (s->result_count == 0)
        fputs("detail::Own().all(", file);
    else {
        fputs("detail::Own().template named<", file);
        put_struct_name(file, s);
        fprintf(file, "<>, %d>(", s->result_count);
    }
    fprintf(file, model_takes_items(s) ? "(tn_%s)(" : "tn_%s(", f->c);
    put_c_arguments(file, f);
    fputs(")); }\n", file);
}

/* ---- typed */

/* Operators whose typed form is an expression (expression.hpp), a view (tensor.hpp) or written by hand there. */
static const char *const by_hand[] = {
    "add",       "sub",     "mul",         "div",         "neg",         "abs",         "square",     "sqrt",    "rsqrt",
    "exp",       "log",     "sin",         "cos",         "tanh",        "sigmoid",     "relu",       "floor",   "ceil",
    "round",     "trunc",   "reciprocal",  "maximum",     "minimum",     "pow",         "eq",         "ne",      "lt",
    "le",        "gt",      "ge",          "sum",         "mean",        "prod",        "amax",       "amin",    "max",
    "min",       "dot",     "where",       "logical_and", "logical_or",  "logical_not", "view",       "reshape", "permute",
    "transpose", "slice",   "expand",      "squeeze",     "unsqueeze",   "clone",       "select",     "narrow",  "flip",
    "t",         "flatten", "to",          "item",        "fill_",       "copy_",       "contiguous", "detach",  "view_as",
    "expand_as", "index",   "bitwise_and", "bitwise_or",  "bitwise_xor", "bitwise_not", NULL};

/* The scalar type of the result, where it is not that of self: what follows from a name. */
static const struct {
    const char *names, *rule;
} results_by_name[] = {
    {" argmax argmin argsort nonzero argwhere count_nonzero bucketize searchsorted multinomial one_hot ", "Index"},
    {" isnan isinf isfinite isposinf isneginf isreal signbit isclose isin logical_xor ", "Bool"},
    {" nansum cumsum cumprod trace ", "Sum"},
    {" any all ", "Truth"},
    {" angle view_as_real real imag ", "Real"},
    {" view_as_complex ", "Complex"},
    {" fft_fft fft_ifft fft_rfft fft_ihfft fft_fft2 fft_ifft2 fft_rfft2 fft_ihfft2 fft_fftn fft_ifftn fft_rfftn fft_ihfftn stft ",
     "Complex"},
    {" fft_irfft fft_hfft fft_irfft2 fft_hfft2 fft_irfftn fft_hfftn norm dist linalg_vector_norm ", "Real"},
};

static bool is_listed(const char *words, const char *word) {
    char text[MODEL_NAME + 2];
    snprintf(text, sizeof text, " %s ", word);
    return strstr(words, text) != NULL;
}

static bool ends_in_dtype(const model_signature *s) {
    const model_parameter *last = &s->parameters[s->count - 1];
    return s->count > 1 && model_is(last, TN_TYPE_DTYPE) && *last->standard;
}

static const char *result_rule(const model_form *f) {
    const tni_operator_row *row = f->op->row;
    for (size_t i = 0; i < sizeof results_by_name / sizeof *results_by_name; i++)
        if (is_listed(results_by_name[i].names, f->base))
            return results_by_name[i].rule;
    int tensors = 0, others = 0;
    for (int i = 0; i < f->signature.count; i++) {
        const model_parameter *p = &f->signature.parameters[i];
        tensors += model_is(p, TN_TYPE_TENSOR) || model_is(p, TN_TYPE_OPTIONAL) || model_is(p, TN_TYPE_TENSORS);
        others += model_is(p, TN_TYPE_SCALAR) || (model_is(p, TN_TYPE_DTYPE) && !ends_in_dtype(&f->signature));
    }
    if (row->rule == COMPARE || row->rule == LOGIC)
        return "Bool";
    if (others)
        return NULL;
    if (row->rule == FLOATING && tensors == 1)
        return "Floating";
    if (row->rule == REAL)
        return "Real";
    if (row->rule == PROMOTE && !model_returns_list(&f->signature) &&
        (tensors == 1 || strstr(" product convolution norms pooling resampling softmax embedding loss ", row->group)))
        return "Same";
    return NULL;
}

/* Whether the result looks into self: then that of a const tensor is read-only. */
static bool is_view(const model_form *f) { return !in_place(f) && strcmp(f->op->row->group, "view") == 0; }

/* What a typed method does with the result of the dynamic one. */
static void put_typed_result(FILE *file, const model_form *f, const char *rule, bool constant) {
    const model_signature *s = &f->signature;
    bool pair = s->result_count == 2 && strcmp(s->results[0], "values") == 0 && strcmp(s->results[1], "indices") == 0;
    if (rule && !model_returns_list(s))
        fprintf(file, "%s<rules::%s>", !is_view(f) ? "typed" : constant ? "viewed_const" : "viewed", rule);
    else
        fputs(in_place(f) ? "wrote" : pair ? "pair" : "plain", file);
}

/* A typed method of the first `count` parameters. */
static void put_typed_form(FILE *file, const model_form *f, const char *name, int count, const char *rule, bool constant) {
    const model_signature *s = &f->signature;
    bool written = in_place(f);
    int least = required(s, 1);
    fprintf(file, "    %s %s(", written ? "Derived &" : "auto", name);
    for (int i = 1; i < count; i++) {
        const model_parameter *p = &s->parameters[i];
        bool operand = model_is(p, TN_TYPE_TENSOR) || model_is(p, TN_TYPE_OPTIONAL);
        fprintf(file, "%s%s%s", i > 1 ? ", " : "", operand ? "const Operand<Derived> &" : cpp_types[p->type->type], p->name);
        if (i < least || (!rule && ends_in_dtype(s)))
            continue;
        fputs(" = ", file);
        if (operand)
            fputs("{}", file);
        else
            put_standard(file, p);
    }
    fprintf(file, ")%s { ", constant ? " const" : "");
    const char *kinds = f->op->row->kinds;
    if (kinds && *kinds)
        fprintf(file, "supported<0x%d%d%d%d>(); ", strchr(kinds, 'b') != NULL, strchr(kinds, 'i') != NULL,
                strchr(kinds, 'f') != NULL, strchr(kinds, 'c') != NULL);
    fputs("return ", file);
    put_typed_result(file, f, rule, constant);
    fprintf(file, "(dynamic().%s(", name);
    for (int i = 1; i < count; i++)
        fprintf(file, "%s%s", i > 1 ? ", " : "", s->parameters[i].name);
    fputs(")); }\n", file);
}

/* Where a dtype is the last parameter, the result's scalar type is known only without it: two methods. */
static void put_typed(FILE *file, const model_form *f) {
    const model_signature *s = &f->signature;
    char name[MODEL_NAME];
    cpp_name(f, name);
    for (int i = 0; by_hand[i]; i++)
        if (strcmp(name, by_hand[i]) == 0)
            return;
    const char *rule = in_place(f) ? NULL : result_rule(f);
    if (rule && ends_in_dtype(s))
        put_typed_form(file, f, name, s->count - 1, rule, true);
    rule = ends_in_dtype(s) ? NULL : rule;
    if (is_view(f))
        put_typed_form(file, f, name, s->count, rule, false);
    put_typed_form(file, f, name, s->count, rule, !in_place(f));
}

static void each_form(FILE *file, bool methods, bool typed) {
    const char *group = "";
    for (const model_operator *op = model_operators; op->row; op++)
        for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2) {
            const model_form *f = op->row->variants & variant ? model_form_of(op, variant) : NULL;
            if (!f || has_self(f) != methods)
                continue;
            if (strcmp(group, op->row->group) != 0) {
                group = op->row->group;
                fprintf(file, "\n%s/* %s */\n", methods ? "    " : "", group);
            }
            if (typed)
                put_typed(file, f);
            else
                put_function(file, f);
        }
}

void write_cpp(FILE *file) {
    fputs(
        "/* tenon/cpp/operators.hpp - every operator as a method of AnyTensor, and of typed tensors.\n"
        " *\n"
        " * Written by tools/generate.c from the operator table, src/dispatch/operators.def: change it there. What each does is told in\n"
        " * tenon/operators.h and docs/operators.md, under the same name; how the faces fit together in docs/cpp.md.\n"
        " */\n"
        "#ifndef TENON_CPP_OPERATORS_HPP\n#define TENON_CPP_OPERATORS_HPP\n\n#include <tenon/cpp/handle.hpp>\n\n"
        "namespace tenon {\n\n/* clang-format off */\n\n"
        "/* Results with names: auto [values, indices] = x.sort(); */\n",
        file);
    put_structs(file);
    fputs("\n/* A tensor whose dtype, rank and device are known at run time: one pointer. */\n"
          "class AnyTensor : public detail::Handle<AnyTensor> {\n  public:\n    using detail::Handle<AnyTensor>::Handle;\n",
          file);
    each_form(file, true, false);
    fputs("};\n\n/* Operators without a tensor before their other parameters, and those that write to out. */\n", file);
    each_form(file, false, false);
    fputs(
        "\n/* The typed methods: the core's operators, with results whose scalar type the compiler knows. */\n"
        "template <class Derived> class TypedOperators : public TypedCalls<Derived> {\n"
        "    using TypedCalls<Derived>::dynamic;\n    using TypedCalls<Derived>::plain;\n    using TypedCalls<Derived>::pair;\n"
        "    using TypedCalls<Derived>::wrote;\n"
        "    template <class Rule> static auto typed(AnyTensor &&result) { return TypedCalls<Derived>::template typed<Rule>(std::move(result)); }\n"
        "    template <class Rule> static auto viewed(AnyTensor &&result) { return TypedCalls<Derived>::template viewed<Rule>(std::move(result)); }\n"
        "    template <class Rule> static auto viewed_const(AnyTensor &&result) { return TypedCalls<Derived>::template viewed_const<Rule>(std::move(result)); }\n"
        "    template <int Kinds> static void supported() { TypedCalls<Derived>::template supported<Kinds>(); }\n\n"
        "  public:\n",
        file);
    each_form(file, true, true);
    fputs("};\n\n/* clang-format on */\n\n} // namespace tenon\n\n#endif\n", file);
}

void write_promotion(FILE *file) {
    fputs(
        "/* tenon/cpp/promotion.hpp - which dtype holds two others, for the compiler.\n"
        " *\n"
        " * Written by tools/generate.c from the library's own table, src/iterate/promote_table.h: change it there.\n"
        " */\n"
        "#ifndef TENON_CPP_PROMOTION_HPP\n#define TENON_CPP_PROMOTION_HPP\n\n#include <tenon/dtype.h>\n\n"
        "namespace tenon {\nnamespace detail {\n\n/* clang-format off */\n"
        "/* Rows and columns in the order of tn_dtype from TN_BOOL to TN_COMPLEX128; the 8-bit floats promote only with themselves. */\n"
        "constexpr unsigned char promotion_table[TN_COMPLEX128][TN_COMPLEX128] = {\n",
        file);
    for (int a = 0; a < TN_COMPLEX128; a++) {
        fputs("    {", file);
        for (int b = 0; b < TN_COMPLEX128; b++)
            fprintf(file, "%s%d", b ? ", " : "", promote_table[a][b]);
        fputs("},\n", file);
    }
    fputs("};\n/* clang-format on */\n\n"
          "/* The dtype of a result of both; TN_DTYPE_DEFAULT where there is none. */\n"
          "constexpr tn_dtype promote(tn_dtype a, tn_dtype b) {\n"
          "    if (a == b)\n        return a;\n"
          "    if (a < TN_BOOL || b < TN_BOOL || a > TN_COMPLEX128 || b > TN_COMPLEX128)\n        return TN_DTYPE_DEFAULT;\n"
          "    return static_cast<tn_dtype>(promotion_table[a - 1][b - 1]);\n}\n\n"
          "} // namespace detail\n} // namespace tenon\n\n#endif\n",
          file);
}
