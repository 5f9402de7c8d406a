/* sort_helpers.h - random tensors of every dtype and layout, and the order of their elements, for the tests of sorting. */
#ifndef TENON_SORT_HELPERS_H
#define TENON_SORT_HELPERS_H

#include "test.h"

static const tn_dtype ordered_dtypes[] = {TN_BOOL,     TN_UINT8,   TN_UINT16,  TN_UINT32,        TN_UINT64,
                                          TN_INT8,     TN_INT16,   TN_INT32,   TN_INT64,         TN_FLOAT16,
                                          TN_BFLOAT16, TN_FLOAT32, TN_FLOAT64, TN_FLOAT8_E4M3FN, TN_FLOAT8_E5M2};
enum { ORDERED_DTYPES = sizeof ordered_dtypes / sizeof *ordered_dtypes };

/* One element: few different values, so that there are ties, or any bits at all. */
static inline void random_element(tn_dtype dtype, void *to, bool ties) {
    uint64_t bits = test_random();
    if (!ties && dtype != TN_BOOL) {
        memcpy(to, &bits, tn_dtype_size(dtype));
        return;
    }
    static const double few[] = {0, 1, 2, 3, -1, -2, 0.5, -0.0, INFINITY, -INFINITY, NAN, 100};
    int64_t which = (int64_t)(bits % (tn_dtype_is_floating(dtype) ? 12 : tn_dtype_is_signed(dtype) ? 6 : 4));
    tn_dtype_store(dtype, to,
                   tn_dtype_is_floating(dtype) ? tn_scalar_float(few[which])
                                               : tn_scalar_int((int64_t)few[which] & (dtype == TN_BOOL ? 1 : -1)));
}

static inline tn_tensor *random_dense(tn_dims sizes, tn_dtype dtype, bool ties) {
    tn_tensor *x = tn_zeros(sizes, dtype);
    if (x)
        for (int64_t i = 0; i < tn_numel(x); i++)
            random_element(dtype, (char *)tn_mutable_data(x) + (size_t)i * tn_dtype_size(dtype), ties);
    return x;
}

/* Of up to 3 dimensions, of small sizes, 0 and 1 among them; permuted, backwards, with gaps, or expanded. */
static inline tn_tensor *random_layout(tn_dtype dtype, bool ties) {
    int64_t ndim = test_random_between(0, 3), sizes[3];
    for (int64_t d = 0; d < ndim; d++)
        sizes[d] = test_random_between(0, 9) == 0 ? test_random_between(0, 1) : test_random_between(1, 7);
    tn_tensor *x = random_dense((tn_dims){sizes, ndim}, dtype, ties);
    if (ndim == 0 || !x)
        return x;
    int64_t dim = test_random_between(0, ndim - 1);
    switch (test_random_between(0, 4)) {
    case 0: return tn_transpose(x, dim, 0);
    case 1: return tn_flip(x, TN_DIMS(dim));
    case 2: return tn_slice(x, dim, TN_NONE, TN_NONE, 2);
    case 3:
        return ndim < 3 ? tn_expand(tn_unsqueeze(x, dim), ndim == 1  ? (dim == 0 ? TN_DIMS(3, -1) : TN_DIMS(-1, 3))
                                                          : dim == 0 ? TN_DIMS(3, -1, -1)
                                                                     : TN_DIMS(-1, 3, -1))
                        : x;
    default: return x;
    }
}

/* -1, 0, 1: whether a comes before b in ascending order. NaN is greatest, and equal to NaN here. */
static inline int compare_elements(tn_dtype dtype, const void *a, const void *b) {
    tn_scalar x = tn_dtype_load(dtype, a), y = tn_dtype_load(dtype, b);
    if (x.kind == TN_SCALAR_FLOAT) {
        bool p = isnan(x.value.d), q = isnan(y.value.d);
        return p || q ? p - q : (x.value.d > y.value.d) - (x.value.d < y.value.d);
    }
    if (x.kind == TN_SCALAR_BOOL)
        return x.value.b - y.value.b;
    bool p = x.kind == TN_SCALAR_UINT, q = y.kind == TN_SCALAR_UINT;
    if (p != q)
        return p - q;
    return p ? (x.value.u > y.value.u) - (x.value.u < y.value.u) : (x.value.i > y.value.i) - (x.value.i < y.value.i);
}

/* The indices of a dense line in stable order. */
static inline void order_line(tn_dtype dtype, const char *line, int64_t count, bool descending, int64_t *order) {
    size_t item = tn_dtype_size(dtype);
    for (int64_t i = 0; i < count; i++) {
        int64_t k = i;
        for (; k > 0; k--) {
            int compared = compare_elements(dtype, line + (size_t)order[k - 1] * item, line + (size_t)i * item);
            if ((descending ? -compared : compared) <= 0)
                break;
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
}

/* A copy of the lines of x along dim, one after the other: (lines, length). */
static inline tn_tensor *lines_of(const tn_tensor *x, int64_t dim) {
    tn_tensor *last = tn_ndim(x) ? tn_movedim(x, TN_DIMS(dim), TN_DIMS(-1)) : tn_unsqueeze(x, 0);
    int64_t length = last ? tn_size(last, -1) : 1;
    return tn_clone(tn_reshape(last, TN_DIMS(length ? tn_numel(x) / length : 0, length)), TN_CONTIGUOUS);
}

static inline const char *row_of(const tn_tensor *lines, int64_t row) {
    return (const char *)tn_data(lines) + (size_t)(row * tn_size(lines, 1)) * tn_element_size(lines);
}

#endif
