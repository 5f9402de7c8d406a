/* bits.c - `run --bits` prints a hash of each of many results, one a line: copies, pointwise, integer, comparison, index and
 * sorting operators and random numbers, over dtypes, sizes around internal limits, and strides.
 *
 * The numbers mean nothing by themselves; two builds that differ only in speed print the same. tools/test compares the usual
 * build with the one that has small limits. Floating-point sums are left out: their tree is cut by block sizes.
 */
#include "bits.h"

#include "test.h"

enum { BITS_LONGEST = 3000 };

static const char *const bits_copies[] = {"clone", "contiguous", "flatten", "neg", "abs", "square", "sign"};
static const char *const bits_lines[] = {"cummax",  "cummin",  "argmax", "argmin",    "sort",
                                         "max.dim", "min.dim", "mode",   "median.dim"};
static const char *const bits_dims[] = {"amax", "amin", "count_nonzero.dims", "flip"};
static const char *const bits_whole[] = {"max", "min", "any", "all", "nonzero", "unique", "tril", "triu", "median"};
static const char *const bits_exact[] = {"sum", "prod", "cumsum", "cumprod", "bincount"}; /* of integers */
static const char *const bits_unary[] = {"exp",   "log",  "sin",    "cos",  "tanh",  "sqrt",       "rsqrt", "erf",  "sigmoid",
                                         "floor", "ceil", "round",  "frac", "expm1", "log1p",      "isnan", "silu", "gelu",
                                         "atan",  "sinh", "lgamma", "relu", "exp2",  "reciprocal", "isinf", "trunc"};
static const char *const bits_binary[] = {"add",       "sub",  "mul",         "div",   "maximum", "minimum", "eq",
                                          "ne",        "lt",   "le",          "gt",    "ge",      "pow",     "floor_divide",
                                          "remainder", "fmod", "logical_and", "atan2", "hypot",   "equal"};

static uint64_t bits_mix(uint64_t hash, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return hash;
}

static uint64_t bits_of(uint64_t hash, const tn_tensor *made) {
    tn_tensor *plain = tn_contiguous(made, TN_CONTIGUOUS);
    int32_t dtype = (int32_t)tn_dtype_of(made);
    hash = bits_mix(hash, &dtype, sizeof dtype);
    for (int64_t d = 0; d < tn_ndim(made); d++)
        hash = bits_mix(hash, &(int64_t){tn_size(made, d)}, sizeof(int64_t));
    return plain ? bits_mix(hash, tn_data(plain), (size_t)tn_numel(plain) * tn_element_size(plain)) : 0;
}

/* The hash of a call's results, or the name of its error. */
static void bits_call(const char *what, const char *name, tn_values arguments) {
    tn_value made;
    uint64_t hash = UINT64_C(14695981039346656037);
    if (tn_call(name, arguments, &made) != TN_OK) {
        printf("%s %s: %s\n", what, name, tn_error_name(tn_error_take(NULL)));
        return;
    }
    if (made.kind == TN_VALUE_TENSOR)
        hash = bits_of(hash, made.as.tensor);
    else if (made.kind == TN_VALUE_LIST)
        for (int64_t i = 0; i < tn_list_count(made.as.list); i++)
            hash = bits_of(hash, tn_list_at(made.as.list, i));
    else
        hash = bits_mix(hash, &made.as, 1);
    printf("%s %s: %016llx\n", what, name, (unsigned long long)hash);
}

/* x: 2 dimensions, any strides; y: the same sizes. */
static void bits_operators(const char *what, const tn_tensor *x, const tn_tensor *y) {
    tn_dtype dtype = tn_dtype_of(x);
    bool whole = !tn_dtype_is_floating(dtype) && !tn_dtype_is_complex(dtype);
    int64_t rows = tn_size(x, 0), columns = tn_size(x, 1);
    for (size_t i = 0; i < sizeof bits_copies / sizeof bits_copies[0]; i++)
        bits_call(what, bits_copies[i], TN_VALUES(x));
    for (size_t i = 0; i < sizeof bits_whole / sizeof bits_whole[0]; i++)
        bits_call(what, bits_whole[i], TN_VALUES(x));
    for (size_t i = 0; i < sizeof bits_unary / sizeof bits_unary[0]; i++)
        bits_call(what, bits_unary[i], TN_VALUES(x));
    for (size_t i = 0; i < sizeof bits_binary / sizeof bits_binary[0]; i++) {
        bits_call(what, bits_binary[i], TN_VALUES(x, y));
        bits_call(what, bits_binary[i], TN_VALUES(x, tn_select(y, 0, 0)));
    }
    for (int64_t dim = 0; dim < 2; dim++) {
        for (size_t i = 0; i < sizeof bits_lines / sizeof bits_lines[0]; i++)
            bits_call(what, bits_lines[i], TN_VALUES(x, dim));
        for (size_t i = 0; i < sizeof bits_dims / sizeof bits_dims[0]; i++)
            bits_call(what, bits_dims[i], TN_VALUES(x, TN_DIMS(dim)));
        bits_call(what, "topk", TN_VALUES(x, tn_size(x, dim) < 3 ? tn_size(x, dim) : 3, dim));
        bits_call(what, "roll", TN_VALUES(x, TN_DIMS(3), TN_DIMS(dim)));
        bits_call(what, "sum.dim", TN_VALUES(whole ? x : tn_isnan(x), TN_DIMS(dim)));
        tn_tensor *places = tn_remainder_scalar(tn_arange(rows * columns, TN_INT64), tn_size(x, dim));
        places = places ? tn_view(places, TN_DIMS(rows, columns)) : NULL;
        bits_call(what, "gather", TN_VALUES(x, dim, places));
        bits_call(what, "scatter", TN_VALUES(x, dim, places, y));
        bits_call(what, "index_select", TN_VALUES(x, dim, tn_select(places, 0, 0)));
        bits_call(what, "repeat_interleave.number", TN_VALUES(x, 3, dim));
    }
    for (size_t i = 0; whole && i < sizeof bits_exact / sizeof bits_exact[0]; i++)
        bits_call(what, bits_exact[i],
                  i < 2   ? TN_VALUES(x)
                  : i < 4 ? TN_VALUES(x, 1)
                          : TN_VALUES(tn_flatten(tn_abs(x), 0, -1)));
    bits_call(what, "masked_select", TN_VALUES(x, tn_ne(x, y)));
    bits_call(what, "where", TN_VALUES(tn_ne(x, y), x, y));
    bits_call(what, "isin", TN_VALUES(x, tn_select(y, 0, 0)));
    tn_list *both = tn_list_new((const tn_tensor *const[]){x, y}, 2);
    bits_call(what, "cat", TN_VALUES(both, 1));
    bits_call(what, "stack", TN_VALUES(both, -1));
    for (int to = 1; to < TN_DTYPE_COUNT; to++) {
        const tn_tensor *converted = tn_to(x, (tn_dtype)to);
        bits_call(what, "clone", TN_VALUES(converted));
    }
    tn_error_clear();
}

static void bits_layouts(tn_dtype dtype, int64_t rows, int64_t columns) {
    tn_tensor *numbers = tn_arange(2 * rows * columns, TN_INT64);
    numbers = numbers ? tn_sub_scalar(tn_remainder_scalar(tn_mul_scalar(numbers, 37), 23), 9) : NULL;
    tn_tensor *x = numbers ? tn_to(tn_view(numbers, TN_DIMS(2, rows, columns)), dtype) : NULL;
    CHECK(x);
    char what[96];
    snprintf(what, sizeof what, "%s %lldx%lld", tn_dtype_name(dtype), (long long)rows, (long long)columns);
    tn_tensor *first = tn_select(x, 0, 0), *second = tn_select(x, 0, 1);
    CHECK(first && second);
    bits_operators(what, first, second);
    size_t end = strlen(what);
    snprintf(what + end, sizeof what - end, " transposed");
    bits_operators(what, tn_transpose(first, 0, 1), tn_transpose(second, 0, 1));
    if (columns > 2) {
        snprintf(what + end, sizeof what - end, " stepped");
        bits_operators(what, tn_slice(first, 1, 1, columns, 2), tn_slice(second, 1, 0, columns - 1, 2));
    }
    snprintf(what + end, sizeof what - end, " mixed");
    bits_operators(what, first, tn_transpose(tn_contiguous(tn_transpose(second, 0, 1), TN_CONTIGUOUS), 0, 1));
}

static void bits_random(void) {
    static const int64_t sizes[] = {1, 15, 16, 17, 191, 193, 577, 1000, 16385, 40000};
    for (int engine = 0; engine < 2; engine++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (int kind = 0; kind < 5; kind++) {
                tn_generator *generator = tn_generator_new(engine ? TN_PHILOX : TN_MT19937, 5 + (uint64_t)i);
                tn_tensor *made = kind == 0   ? tn_rand(TN_DIMS(sizes[i]), TN_FLOAT32, generator)
                                  : kind == 1 ? tn_randn(TN_DIMS(sizes[i]), TN_FLOAT32, generator)
                                  : kind == 2 ? tn_randn(TN_DIMS(sizes[i]), TN_FLOAT64, generator)
                                  : kind == 3 ? tn_randint(1000, TN_DIMS(sizes[i]), TN_INT64, generator)
                                              : tn_randperm(sizes[i], TN_INT64, generator);
                CHECK(made);
                printf("random %d %d %lld: %016llx\n", engine, kind, (long long)sizes[i], (unsigned long long)bits_of(1, made));
            }
}

void test_print_bits(void) {
    static const int64_t rows[] = {1, 3, 7, 17, 64}, columns[] = {1, 2, 5, 16, 33, 64, 300};
    for (int dtype = 1; dtype < TN_DTYPE_COUNT; dtype++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++)
                if (rows[i] * columns[k] <= BITS_LONGEST) {
                    tn_scope scope = tn_scope_open();
                    bits_layouts((tn_dtype)dtype, rows[i], columns[k]);
                    tn_scope_close(scope);
                }
    bits_random();
}
