/* gauntlet.c - every pointwise operator of the table, over every kind of strides.
 *
 * The operators are found in the table and called by name, so a new row is tested without a line here. The reference is the
 * operator itself, applied to one element at a time: tensors of size 1, which are contiguous whatever else is true of them.
 * What is tested is therefore everything around the loops: broadcasting, strides, blocks, conversions, overlap, threads, the
 * tails of vector code. The pointwise_*.c tests check that the loops compute the right numbers.
 *
 * Results are compared bit for bit, except that one NaN is as good as another.
 *
 * Tests: src/cpu/arithmetic_kernels.c, src/cpu/compare_kernels.c, src/cpu/complex_kernels.c, src/iterate/elements.c
 * Tests: src/ops/pointwise/pointwise.c */
#include "test.h"

#include <tenon/dispatch.h>

#include "tensor/tensor.h"

enum { TENSORS = 4, DIMS = 6, ELEMENTS = 64, ITEM = 16 };

/* ---- values: small numbers, which wrap, round and divide in all ways, and the special values of floats */

static double random_number(tn_dtype dtype, bool nonzero) {
    switch (tni_dtype_row(dtype)->kind) {
    case TN_KIND_BOOL: return nonzero ? 1 : (double)test_random_between(0, 1);
    case TN_KIND_UNSIGNED: return (double)test_random_between(nonzero, 9);
    case TN_KIND_SIGNED: {
        int64_t value = test_random_between(-6, 6);
        return nonzero && value == 0 ? 5 : (double)value;
    }
    default: break;
    }
    static const double special[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 100};
    int64_t choice = test_random_between(0, 31);
    return choice < 8 ? special[choice] : (double)test_random_between(-40, 40) / 16;
}

static tn_tensor *random_tensor(tn_dims sizes, tn_dtype dtype, bool nonzero) {
    tn_tensor *made = tn_empty(sizes, dtype);
    CHECK(made);
    for (int64_t i = 0; i < tn_numel(made); i++) {
        double value = random_number(dtype, nonzero);
        tn_scalar number = tn_dtype_is_complex(dtype)    ? tn_scalar_complex(value, random_number(dtype, nonzero))
                           : tn_dtype_is_floating(dtype) ? tn_scalar_float(value)
                                                         : tn_scalar_int((int64_t)value);
        tn_dtype_store(dtype, tni_tensor_write(made) + (size_t)i * tn_element_size(made), number);
    }
    return made;
}

/* ---- arrangements: the same values, elsewhere in memory */

typedef enum layout { CONTIGUOUS, PERMUTED, STEPPED, BACKWARD, MIXED, EXPANDED, LAYOUTS } layout;
static const char *const layout_names[] = {"contiguous", "permuted", "stepped", "backward", "mixed", "expanded"};

/* Uninitialised, with these sizes and that layout. */
static tn_tensor *empty_in(layout which, tn_dims sizes, tn_dtype dtype) {
    int64_t room[DIMS], order[DIMS], ndim = sizes.count;
    if (ndim == 0) /* a place in the middle of others */
        return tn_select(tn_empty(TN_DIMS(3), dtype), 0, which == CONTIGUOUS ? 0 : 1);
    bool turned = which == PERMUTED || which == MIXED;
    for (int64_t d = 0; d < ndim; d++) {
        int64_t of = turned ? ndim - 1 - d : d;
        order[d] = ndim - 1 - d;
        room[d] = which == STEPPED ? 2 * sizes.values[of] + 1 : which == MIXED ? sizes.values[of] + of : sizes.values[of];
    }
    tn_tensor *made = tn_empty((tn_dims){room, ndim}, dtype);
    if (turned)
        made = tn_permute(made, (tn_dims){order, ndim});
    for (int64_t d = 0; d < ndim && made; d++) {
        if (which == STEPPED)
            made = tn_slice(made, d, 1, 2 * sizes.values[d] + 1, 2);
        if (which == MIXED)
            made = tn_slice(made, d, d, sizes.values[d] + d, 1);
        if (which == BACKWARD || (which == MIXED && d % 2 == 0))
            made = tn_flip(made, TN_DIMS(d));
    }
    return made;
}

static tn_tensor *arrange(layout which, const tn_tensor *values, tn_dims whole) {
    if (which == EXPANDED && tn_ndim(values) > 0) /* with dimensions it would count for more in promotion */
        return tn_expand(values, whole);
    tn_tensor *made = empty_in(which, tn_sizes(values), tn_dtype_of(values));
    return made ? tn_copy_(made, values) : NULL;
}

/* ---- an operator and the arguments it is called with */

typedef struct run {
    const tn_operator *op;
    int64_t count, first; /* parameters; the first that is an operand: 1 after an out */
    tn_value values[TN_MAX_PARAMETERS];
    int64_t tensors;             /* operands that are tensors           */
    int64_t position[TENSORS];   /* their parameters                    */
    tn_tensor *operand[TENSORS]; /* contiguous, the values of this case */
    tn_dtype out;                /* of an out operator                  */
    int64_t elements;            /* of the reference                    */
    tn_dtype dtype;
    char reference[ELEMENTS][ITEM];
} run;

static bool is_tensor(tn_type type) { return type == TN_TYPE_TENSOR || type == TN_TYPE_OPTIONAL || type == TN_TYPE_WRITTEN; }

static void run_begin(run *r, const tn_operator *op) {
    r->op = op;
    r->count = tn_operator_parameter_count(op);
    r->first = tn_operator_variant(op) == TN_VARIANT_OUT;
    r->tensors = 0;
    for (int64_t i = r->first; i < r->count; i++) {
        tn_parameter p = tn_operator_parameter(op, i);
        if (is_tensor(p.type)) {
            CHECK(r->tensors < TENSORS);
            r->position[r->tensors++] = i;
        } else if (p.type == TN_TYPE_SCALAR || p.type == TN_TYPE_NUMBER) {
            r->values[i] = tn_value_int(i);
        } else if (p.standard) {
            r->values[i] = tn_value_none();
        } else if (p.type == TN_TYPE_TEXT && strcmp(p.name, "rounding_mode") == 0) {
            r->values[i] = tn_value_text("floor");
        } else if (p.type == TN_TYPE_INT || p.type == TN_TYPE_FLOAT || p.type == TN_TYPE_BOOL) {
            r->values[i] = tn_value_int(1);
        } else {
            test_fail(__FILE__, __LINE__, "%s: no value is known here for its parameter %s", tn_operator_name(op), p.name);
        }
    }
}

static bool run_wants_bool(const run *r, int64_t k) {
    const char *name = tn_operator_parameter(r->op, r->position[k]).name;
    return strcmp(name, "condition") == 0 || strcmp(name, "mask") == 0;
}

/* masked_fill's value is the one tensor that must have no dimensions. */
static bool run_wants_single(const run *r, int64_t k) {
    return strcmp(tn_operator_parameter(r->op, r->position[k]).name, "value") == 0;
}

static tn_error run_call(const run *r, tn_tensor *const *tensors, tn_tensor *out, tn_tensor **result) {
    tn_value values[TN_MAX_PARAMETERS], given = {.kind = TN_VALUE_NONE};
    memcpy(values, r->values, sizeof values);
    if (r->first)
        values[0] = tn_value_tensor(out);
    for (int64_t k = 0; k < r->tensors; k++) {
        CHECK(tensors[k]);
        values[r->position[k]] = tn_value_tensor(tensors[k]);
    }
    CHECK_MEMORY();
    tn_error_clear();
    tn_error code = tn_operator_call(r->op, (tn_values){values, r->count}, &given);
    CHECK_MEMORY();
    *result = code == TN_OK ? given.as.tensor : NULL;
    return code;
}

/* ---- the reference */

/* The element of an operand at `index` of the whole, as a tensor of its own rank with sizes 1. */
static tn_tensor *element_at(const tn_tensor *tensor, const int64_t *index, int64_t ndim) {
    static const int64_t ones[DIMS] = {1, 1, 1, 1, 1, 1};
    int64_t offset = 0, rank = tn_ndim(tensor);
    for (int64_t d = 0; d < rank; d++)
        if (tn_size(tensor, d) != 1)
            offset += index[d + ndim - rank] * tn_stride(tensor, d);
    return tn_clone(tn_as_strided(tensor, (tn_dims){ones, rank}, (tn_dims){ones, rank}, offset), TN_CONTIGUOUS);
}

static void index_of(int64_t position, tn_dims sizes, int64_t *index) {
    for (int64_t d = sizes.count - 1; d >= 0; d--) {
        index[d] = position % sizes.values[d];
        position /= sizes.values[d];
    }
}

/* Element by element, until one is refused. */
static tn_error run_reference(run *r, tn_dims whole) {
    static const int64_t ones[DIMS] = {1, 1, 1, 1, 1, 1};
    r->elements = tn_numel(r->operand[0]);
    CHECK(r->elements <= ELEMENTS);
    for (int64_t e = 0; e < r->elements; e++) {
        tn_scope scope = tn_scope_open();
        int64_t index[DIMS];
        index_of(e, whole, index);
        tn_tensor *single[TENSORS], *result;
        for (int64_t k = 0; k < r->tensors; k++)
            single[k] = element_at(r->operand[k], index, whole.count);
        tn_tensor *out = r->first ? tn_zeros((tn_dims){ones, whole.count}, r->out) : NULL;
        tn_error code = run_call(r, single, out, &result);
        if (code != TN_OK) {
            tn_scope_close(scope);
            return code;
        }
        r->dtype = tn_dtype_of(result);
        memcpy(r->reference[e], tni_tensor_read(result), tn_element_size(result));
        tn_scope_close(scope);
    }
    return TN_OK;
}

static bool both_nan(tn_dtype dtype, const char *a, const char *b) {
    tn_scalar x = tn_dtype_load(dtype, a), y = tn_dtype_load(dtype, b);
    if (x.kind == TN_SCALAR_FLOAT)
        return isnan(x.value.d) && isnan(y.value.d);
    if (x.kind != TN_SCALAR_COMPLEX)
        return false;
    bool real =
        memcmp(&x.value.c.real, &y.value.c.real, sizeof(double)) == 0 || (isnan(x.value.c.real) && isnan(y.value.c.real));
    bool imag =
        memcmp(&x.value.c.imag, &y.value.c.imag, sizeof(double)) == 0 || (isnan(x.value.c.imag) && isnan(y.value.c.imag));
    return real && imag;
}

/* Whether a result is the reference, repeated as often as needed. */
static void run_compare(const run *r, const tn_tensor *result, tn_dims sizes, const char *how) {
    const char *name = tn_operator_name(r->op), *of = tn_dtype_name(tn_dtype_of(r->operand[0]));
    if (!result)
        test_fail(__FILE__, __LINE__, "%s of %s, %s: %s", name, of, how, tn_error_message());
    if (tn_dtype_of(result) != r->dtype)
        test_fail(__FILE__, __LINE__, "%s of %s, %s: dtype %s, not %s", name, of, how, tn_dtype_name(tn_dtype_of(result)),
                  tn_dtype_name(r->dtype));
    if (tn_ndim(result) != sizes.count ||
        memcmp(tn_sizes(result).values, sizes.values, (size_t)sizes.count * sizeof(int64_t)) != 0)
        test_fail(__FILE__, __LINE__, "%s of %s, %s: the result has other sizes", name, of, how);
    const tn_tensor *flat = tn_contiguous(result, TN_CONTIGUOUS);
    CHECK(flat);
    size_t item = tn_element_size(flat);
    const char *at = tni_tensor_read(flat);
    char packed[ELEMENTS * ITEM];
    for (int64_t i = 0; i < r->elements; i++)
        memcpy(packed + (size_t)i * item, r->reference[i], item);
    for (int64_t done = 0; done < tn_numel(flat); done += r->elements, at += (size_t)r->elements * item) {
        if (memcmp(at, packed, (size_t)r->elements * item) == 0)
            continue;
        for (int64_t i = 0; i < r->elements; i++)
            if (memcmp(at + (size_t)i * item, r->reference[i], item) != 0 &&
                !both_nan(r->dtype, at + (size_t)i * item, r->reference[i]))
                test_fail(__FILE__, __LINE__, "%s of %s, %s: element %lld differs", name, of, how, (long long)(done + i));
    }
}

/* ---- one case: an operator, dtypes, shapes */

typedef struct shapes {
    const char *name;
    struct shape {
        int64_t ndim, sizes[DIMS];
    } of[3]; /* of the first operand, which is as large as the result, the second, the others */
} shapes;

static const shapes all_shapes[] = {
    {"no dimensions", {{0, {0}}, {0, {0}}, {0, {0}}}},
    {"no elements", {{2, {0, 3}}, {2, {1, 3}}, {1, {3}}}},
    {"a vector", {{1, {13}}, {1, {13}}, {1, {13}}}},
    {"a vector and single numbers", {{1, {13}}, {0, {0}}, {1, {1}}}},
    {"three dimensions", {{3, {2, 3, 5}}, {2, {3, 1}}, {3, {2, 1, 5}}}},
    {"five dimensions", {{5, {2, 1, 3, 2, 2}}, {3, {1, 2, 1}}, {5, {1, 1, 3, 1, 2}}}},
    {"six dimensions", {{6, {2, 1, 2, 3, 1, 2}}, {6, {1, 1, 2, 1, 1, 2}}, {1, {2}}}},
};

static tn_dims shape_of(const shapes *s, int64_t k) { return (tn_dims){s->of[k < 2 ? k : 2].sizes, s->of[k < 2 ? k : 2].ndim}; }

/* Values for the operands, and the reference; a refused call is tried again without a 0. TN_OK, or TN_ERROR_DTYPE. */
static tn_error run_prepare(run *r, const shapes *s, tn_dtype first, tn_dtype others) {
    tn_error code = TN_OK;
    bool empty = s->of[0].ndim > 0 && s->of[0].sizes[0] == 0; /* then another shape shows what is refused, and the dtype */
    for (int nonzero = 0; nonzero < 2; nonzero++) {
        tn_error_clear();
        for (int64_t k = 0; k < r->tensors; k++) {
            tn_dtype dtype = run_wants_bool(r, k) ? TN_BOOL : k == 0 ? first : others;
            r->operand[k] = random_tensor(run_wants_single(r, k) ? (tn_dims){NULL, 0}
                                          : empty                ? TN_DIMS(3)
                                                                 : shape_of(s, k),
                                          dtype, nonzero);
        }
        code = run_reference(r, tn_sizes(r->operand[0]));
        if (code == TN_OK)
            break;
    }
    if (code != TN_OK && code != TN_ERROR_DTYPE)
        test_fail(__FILE__, __LINE__, "%s of %s and %s: %s", tn_operator_name(r->op), tn_dtype_name(first),
                  tn_dtype_name(others), tn_error_message());
    tn_error_clear();
    for (int64_t k = 0; empty && k < r->tensors; k++)
        if (!run_wants_single(r, k))
            r->operand[k] = random_tensor(shape_of(s, k), tn_dtype_of(r->operand[k]), true);
    return code;
}

static void run_layouts(const run *r, const shapes *s, tn_error refused) {
    tn_dims whole = shape_of(s, 0);
    tn_variant variant = tn_operator_variant(r->op);
    for (int own = CONTIGUOUS; own < LAYOUTS; own++) {
        tn_scope scope = tn_scope_open();
        char how[128];
        tn_tensor *tensors[TENSORS], *result;
        for (int64_t k = 0; k < r->tensors; k++) { /* all in the same layout first, later in different ones */
            layout which = (layout)(k == 0 ? own : own < MIXED ? own : (own + k) % LAYOUTS);
            if (which == EXPANDED && k == 0 && variant == TN_VARIANT_IN_PLACE)
                which = CONTIGUOUS;
            tensors[k] = arrange(which, r->operand[k], whole);
        }
        snprintf(how, sizeof how, "%s, %s", s->name, layout_names[own]);
        layout of_out = (layout)((own + (own < MIXED ? 0 : 2)) % EXPANDED);
        tn_tensor *out = r->first ? empty_in(of_out, whole, r->out) : NULL;
        tn_error code = run_call(r, tensors, out, &result);
        if (refused) {
            if (code != refused)
                test_fail(__FILE__, __LINE__, "%s of %s, %s: one element is refused, all together are not",
                          tn_operator_name(r->op), tn_dtype_name(tn_dtype_of(r->operand[0])), how);
            tn_error_clear();
        } else {
            run_compare(r, result, whole, how);
            CHECK(variant == TN_VARIANT_FUNCTIONAL || result == (variant == TN_VARIANT_OUT ? out : tensors[0]));
        }
        tn_scope_close(scope);
    }
}

/* ---- operators and dtypes that go through it */

typedef void (*visit)(run *r, tn_dtype first, tn_dtype others);

static const tn_dtype same_dtypes[] = {TN_BOOL,     TN_UINT8,   TN_UINT16,  TN_UINT32,    TN_UINT64,
                                       TN_INT8,     TN_INT16,   TN_INT32,   TN_INT64,     TN_FLOAT16,
                                       TN_BFLOAT16, TN_FLOAT32, TN_FLOAT64, TN_COMPLEX64, TN_COMPLEX128};
static const tn_dtype mixed_dtypes[][2] = {{TN_INT8, TN_FLOAT32},    {TN_FLOAT32, TN_INT64},     {TN_UINT8, TN_INT16},
                                           {TN_FLOAT16, TN_INT32},   {TN_FLOAT16, TN_BFLOAT16},  {TN_FLOAT64, TN_BOOL},
                                           {TN_UINT64, TN_UINT16},   {TN_COMPLEX64, TN_FLOAT64}, {TN_FLOAT32, TN_COMPLEX64},
                                           {TN_BFLOAT16, TN_FLOAT32}};

static tn_cpu_level level_before;

static void restore(void *state) {
    (void)state;
    (void)tn_set_num_threads(0);
    (void)tn_set_cpu_level(level_before);
}

static void remember(void) {
    level_before = tn_cpu_level_in_use();
    TEST_DEFER(restore, NULL);
}

static void each_operator(visit function, bool mixed) {
    static run r; /* large: not on the stack */
    for (int64_t i = 0; i < tn_operator_count(); i++) {
        const tn_operator *op = tn_operator_at(i);
        if (!tn_operator_is_pointwise(op) || tn_operator_result(op) != TN_RESULT_TENSOR)
            continue;
        run_begin(&r, op);
        size_t same = sizeof same_dtypes / sizeof same_dtypes[0], pairs = sizeof mixed_dtypes / sizeof mixed_dtypes[0];
        for (size_t d = 0; d < same; d++)
            function(&r, same_dtypes[d], same_dtypes[d]);
        for (size_t d = 0; mixed && r.tensors > 1 && d < pairs; d++)
            function(&r, mixed_dtypes[d][0], mixed_dtypes[d][1]);
    }
}

/* What an out operator is given to write to: its own dtype, narrower and wider ones. */
static const tn_dtype out_dtypes[] = {TN_BOOL, TN_INT16, TN_FLOAT16, TN_FLOAT64, TN_COMPLEX64};

static void visit_layouts(run *r, tn_dtype first, tn_dtype others) {
    size_t outs = r->first ? sizeof out_dtypes / sizeof out_dtypes[0] + 1 : 1;
    for (size_t o = 0; o < outs; o++)
        for (size_t s = 0; s < sizeof all_shapes / sizeof all_shapes[0]; s++) {
            if (o > 0 && s != (o + (size_t)first) % (sizeof all_shapes / sizeof all_shapes[0]))
                continue; /* one shape for each dtype of out */
            tn_scope scope = tn_scope_open();
            r->out = o == 0 ? first : out_dtypes[o - 1];
            tn_error refused = run_prepare(r, &all_shapes[s], first, others);
            run_layouts(r, &all_shapes[s], refused);
            tn_scope_close(scope);
        }
}

TEST_ONCE(every_pointwise_operator_gives_the_same_bits_in_every_layout) { /* seconds long */
    remember();
    for (int level = 0; level <= (int)tn_cpu_level_detected(); level++) {
        CHECK(tn_set_cpu_level((tn_cpu_level)level) == TN_OK);
        each_operator(visit_layouts, true);
    }
}

/* ---- threads: more elements than one thread takes, which repeat those of a reference */

/* (rows, width) elements in a layout, the operands' rows all equal, on so many threads; a result in another layout. */
static void run_rows(run *r, int64_t rows, int64_t width, int threads, layout which) {
    tn_tensor *tensors[TENSORS], *result;
    CHECK(tn_set_num_threads(threads) == TN_OK);
    for (int64_t k = 0; k < r->tensors; k++)
        tensors[k] = run_wants_single(r, k)
                         ? r->operand[k]
                         : arrange(which, tn_expand(r->operand[k], TN_DIMS(rows, width)), TN_DIMS(rows, width));
    tn_tensor *out = r->first ? empty_in((layout)((which + 1) % MIXED), TN_DIMS(rows, width), r->out) : NULL;
    char how[96];
    snprintf(how, sizeof how, "%lld rows of %lld, %d threads, %s", (long long)rows, (long long)width, threads,
             layout_names[which]);
    (void)run_call(r, tensors, out, &result);
    run_compare(r, result, TN_DIMS(rows, width), how);
}

static void visit_threads(run *r, tn_dtype first, tn_dtype others) {
    enum { ROW = 61, ROWS = 540 }; /* just above TNI_POINTWISE_GRAIN */
    static const shapes row = {"many elements", {{1, {ROW}}, {1, {ROW}}, {1, {ROW}}}};
    tn_scope scope = tn_scope_open();
    r->out = first;
    if (run_prepare(r, &row, first, others) == TN_OK) /* complex functions take their time */
        for (int threads = tn_dtype_is_complex(first) ? 3 : 1; threads <= 3; threads++)
            run_rows(r, ROWS, ROW, threads, (layout)(((int)first + threads) % MIXED)); /* over the dtypes, all layouts */
    tn_scope_close(scope);
}

TEST_ONCE(every_pointwise_operator_gives_the_same_bits_with_every_number_of_threads) { /* seconds long */
    remember();
    each_operator(visit_threads, false);
}

/* Rows of 1 to 64 elements, thousands in all. */
static void visit_middle(run *r, tn_dtype first, tn_dtype others) {
    int64_t width = test_random_between(1, 64);
    shapes row = {"a row", {{1, {width}}, {1, {width}}, {1, {width}}}};
    tn_scope scope = tn_scope_open();
    r->out = first;
    if (run_prepare(r, &row, first, others) == TN_OK)
        run_rows(r, test_random_between(2048, 4096) / width, width, 2, (layout)test_random_between(0, MIXED - 1));
    tn_scope_close(scope);
}

TEST_SAMPLED(every_pointwise_operator_gives_the_same_bits_in_rows_of_middle_size) {
    remember();
    each_operator(visit_middle, true);
}

/* ---- overlap: the result is where an operand is, or one place further */

static void visit_overlap(run *r, tn_dtype first, tn_dtype others) {
    static const shapes vector = {"a vector", {{1, {21}}, {1, {21}}, {1, {21}}}};
    tn_variant variant = tn_operator_variant(r->op);
    if (variant == TN_VARIANT_FUNCTIONAL)
        return;
    for (int64_t shared = variant == TN_VARIANT_IN_PLACE; shared < r->tensors; shared++)
        for (int shift = -1; shift <= 1; shift++) {
            tn_scope scope = tn_scope_open();
            r->out = first;
            if (!run_wants_single(r, shared) && run_prepare(r, &vector, first, others) == TN_OK &&
                tn_dtype_of(r->operand[shared]) == r->dtype) {
                tn_tensor *memory = tn_zeros(TN_DIMS(23), r->dtype), *tensors[TENSORS], *result;
                tn_tensor *target = tn_narrow(memory, 0, 1, 21), *source = tn_narrow(memory, 0, 1 + shift, 21);
                for (int64_t k = 0; k < r->tensors; k++)
                    tensors[k] = k == shared ? source : r->operand[k];
                if (variant ==
                    TN_VARIANT_IN_PLACE) { /* self and the operand share memory, so what self holds has changed too */
                    CHECK(tn_copy_(source, r->operand[shared]));
                    r->operand[0] = tn_clone(target, TN_CONTIGUOUS);
                    tensors[0] = target;
                    if (run_reference(r, TN_DIMS(21)) != TN_OK)
                        tn_error_clear();
                    else if (run_call(r, tensors, NULL, &result), true)
                        run_compare(r, result, TN_DIMS(21), "an operand overlaps self");
                } else {
                    CHECK(tn_copy_(source, r->operand[shared]));
                    (void)run_call(r, tensors, target, &result);
                    run_compare(r, result, TN_DIMS(21), "an operand overlaps out");
                }
            }
            tn_scope_close(scope);
        }
}

TEST_SAMPLED(results_that_overlap_operands_are_as_if_they_did_not) { each_operator(visit_overlap, false); }

static void visit_refusals(run *r, tn_dtype first, tn_dtype others) {
    static const shapes vector = {"a vector", {{1, {4}}, {1, {4}}, {1, {4}}}};
    if (tn_operator_variant(r->op) == TN_VARIANT_FUNCTIONAL)
        return;
    tn_scope scope = tn_scope_open();
    r->out = first;
    if (run_prepare(r, &vector, first, others) == TN_OK) {
        tn_tensor *tensors[TENSORS], *result;
        memcpy(tensors, r->operand, sizeof tensors);
        tn_tensor **target = r->first ? &(tn_tensor *){NULL} : &tensors[0];
        tn_tensor *one = tn_zeros(TN_DIMS(1), r->dtype), *fixed = tn_zeros(TN_DIMS(4), r->dtype);
        *target = tn_expand(one, TN_DIMS(4));
        bool fills = strcmp(tn_operator_base(r->op), "masked_fill") == 0 && !r->first; /* torch allows it, and so do we */
        CHECK_INT(run_call(r, tensors, *target, &result), fills ? TN_OK : TN_ERROR_OVERLAP);
        tn_error_clear();
        CHECK(one && fixed && tn_set_readonly(fixed) == TN_OK);
        *target = fixed;
        CHECK_INT(run_call(r, tensors, *target, &result), TN_ERROR_READONLY);
        tn_error_clear();
        if (!r->first && r->tensors > 1) {
            *target = tn_zeros(TN_DIMS(1), r->dtype);
            CHECK_INT(run_call(r, tensors, *target, &result), TN_ERROR_SHAPE);
        }
        tn_error_clear();
        if (r->first) { /* one of other sizes is resized */
            (void)run_call(r, tensors, tn_empty(TN_DIMS(0), r->dtype), &result);
            run_compare(r, result, TN_DIMS(4), "an empty out");
            (void)run_call(r, tensors, tn_expand(tn_zeros(TN_DIMS(2, 1), r->dtype), TN_DIMS(2, 3)), &result);
            run_compare(r, result, TN_DIMS(4), "an out of other sizes");
        }
    }
    tn_scope_close(scope);
}

TEST_SAMPLED(results_that_cannot_be_written_to_are_refused) { each_operator(visit_refusals, false); }

/* ---- levels: the same bits from every instruction set, or nearly where a function is approximated */

static int64_t float_steps(tn_dtype dtype, const char *a, const char *b) {
    tn_scalar x = tn_dtype_load(dtype, a), y = tn_dtype_load(dtype, b);
    if (x.kind != TN_SCALAR_FLOAT || dtype == TN_FLOAT16 || dtype == TN_BFLOAT16)
        return memcmp(a, b, tn_dtype_size(dtype)) == 0 ? 0 : INT64_MAX;
    double unit = ldexp(1, dtype == TN_FLOAT32 ? -23 : -52), size = fmax(fabs(x.value.d), fabs(y.value.d));
    if (x.value.d == y.value.d)
        return 0;
    return (int64_t)ceil(fabs(x.value.d - y.value.d) / (ldexp(unit, size > 0 ? ilogb(size) : 0)));
}

static void visit_levels(run *r, tn_dtype first, tn_dtype others) {
    static const shapes vector = {"a vector", {{1, {61}}, {1, {61}}, {1, {61}}}};
    static char baseline[ELEMENTS][ITEM];
    if (tn_operator_variant(r->op) != TN_VARIANT_FUNCTIONAL)
        return;
    static const char *const exact[] = {"arithmetic", "compare", "logic", "select"};
    int64_t allowed = 2;
    for (size_t g = 0; g < sizeof exact / sizeof exact[0]; g++)
        if (strcmp(tn_operator_group(r->op), exact[g]) == 0 && strcmp(tn_operator_base(r->op), "pow") != 0)
            allowed = 0;
    tn_scope scope = tn_scope_open();
    CHECK(tn_set_cpu_level(TN_CPU_BASELINE) == TN_OK);
    if (run_prepare(r, &vector, first, others) == TN_OK) {
        memcpy(baseline, r->reference, sizeof baseline);
        for (int level = 1; level <= (int)tn_cpu_level_detected(); level++) {
            CHECK(tn_set_cpu_level((tn_cpu_level)level) == TN_OK);
            CHECK(run_reference(r, TN_DIMS(61)) == TN_OK);
            for (int64_t i = 0; i < r->elements; i++)
                if (!both_nan(r->dtype, baseline[i], r->reference[i]) &&
                    float_steps(r->dtype, baseline[i], r->reference[i]) > allowed)
                    test_fail(__FILE__, __LINE__, "%s of %s: element %lld differs between baseline and %s",
                              tn_operator_name(r->op), tn_dtype_name(first), (long long)i,
                              tn_cpu_level_name((tn_cpu_level)level));
        }
    }
    tn_scope_close(scope);
}

TEST_SAMPLED(every_instruction_set_gives_the_same_results) {
    remember();
    each_operator(visit_levels, true);
}

/* ---- and that all of this really ran */

TEST_SAMPLED(every_pointwise_operator_takes_some_dtype) {
    static run r;
    static const shapes vector = {"a vector", {{1, {3}}, {1, {3}}, {1, {3}}}};
    int64_t seen = 0;
    for (int64_t i = 0; i < tn_operator_count(); i++) {
        const tn_operator *op = tn_operator_at(i);
        if (!tn_operator_is_pointwise(op) || tn_operator_result(op) != TN_RESULT_TENSOR)
            continue;
        run_begin(&r, op);
        bool any = false;
        size_t same = sizeof same_dtypes / sizeof same_dtypes[0], outs = sizeof out_dtypes / sizeof out_dtypes[0];
        for (size_t d = 0; d < same * (r.first ? outs + 1 : 1) && !any; d++) {
            tn_scope scope = tn_scope_open();
            tn_dtype dtype = same_dtypes[d % same];
            r.out = d < same ? dtype : out_dtypes[d / same - 1];
            any = run_prepare(&r, &vector, dtype, dtype) == TN_OK;
            tn_scope_close(scope);
        }
        if (!any)
            test_fail(__FILE__, __LINE__, "%s takes no dtype at all", tn_operator_name(op));
        seen++;
    }
    CHECK(seen > 100);
}
