/* join_helpers.h - tensors of random elements behind random strides, and comparison bit by bit. */
#ifndef TENON_JOIN_HELPERS_H
#define TENON_JOIN_HELPERS_H

#include "test.h"

/* Numbers that every dtype holds, bool as 0 and 1. */
static inline tn_tensor *join_random(tn_dims sizes, tn_dtype dtype) {
    tn_tensor *x = tn_empty(sizes, dtype);
    if (!x)
        return NULL;
    char *data = tn_mutable_data(x);
    for (int64_t i = 0; i < tn_numel(x); i++) {
        int64_t number = test_random_between(0, dtype == TN_BOOL ? 1 : 15);
        tn_scalar value =
            tn_dtype_is_complex(dtype) ? tn_scalar_complex((double)number, (double)(number % 3)) : tn_scalar_int(number);
        tn_dtype_store(dtype, data + (size_t)i * tn_dtype_size(dtype), value);
    }
    return x;
}

/* The dimensions in any order in memory, each with a step of 1, 2, -1 or -2, some expanded, starting somewhere. */
static inline tn_tensor *join_scrambled(tn_dims sizes, tn_dtype dtype) {
    int64_t order[TN_MAX_DIMS], back[TN_MAX_DIMS], steps[TN_MAX_DIMS], inside[TN_MAX_DIMS];
    for (int64_t d = 0; d < sizes.count; d++) {
        int64_t other = test_random_between(0, d);
        order[d] = d == other ? d : order[other];
        order[other] = d;
        steps[d] = (int64_t[]){1, 1, 2, -1, -2, 0}[test_random_between(0, 5)];
    }
    for (int64_t k = 0; k < sizes.count; k++) {
        int64_t size = sizes.values[order[k]], step = steps[order[k]];
        inside[k] = step == 0 ? (size > 0) : size * (step < 0 ? -step : step);
        back[order[k]] = k;
    }
    tn_tensor *x = tn_permute(join_random((tn_dims){inside, sizes.count}, dtype), (tn_dims){back, sizes.count});
    for (int64_t d = 0; d < sizes.count; d++)
        if (steps[d])
            x = tn_slice(x, d, TN_NONE, TN_NONE, steps[d]);
    return tn_expand(x, sizes);
}

static inline bool join_same_bits(const tn_tensor *a, const tn_tensor *b) {
    const tn_tensor *x = tn_contiguous(a, TN_CONTIGUOUS), *y = tn_contiguous(b, TN_CONTIGUOUS);
    CHECK(x && y);
    if (tn_dtype_of(x) != tn_dtype_of(y) || tn_ndim(x) != tn_ndim(y))
        return false;
    for (int64_t d = 0; d < tn_ndim(x); d++)
        if (tn_size(x, d) != tn_size(y, d))
            return false;
    return tn_numel(x) == 0 || memcmp(tn_data(x), tn_data(y), tn_nbytes(x)) == 0;
}

/* The text of the elements, for small results. */
static inline void join_check_text(const tn_tensor *actual, const char *text, tn_dtype dtype) {
    const tn_tensor *expected = tn_from_text(text, dtype);
    CHECK(actual && expected);
    CHECK(join_same_bits(actual, expected));
}

/* Runs a function of several tensors with scrambled ones and with their contiguous copies: the results must be the same. */
typedef tn_tensor *(*join_function)(const tn_tensor *const *x);

static inline void join_check_layouts(const char *name, join_function function, const tn_dims *sizes, int count,
                                      tn_dtype dtype) {
    tn_scope scope = tn_scope_open();
    const tn_tensor *scrambled[4], *lying[4];
    for (int i = 0; i < count; i++) {
        scrambled[i] = join_scrambled(sizes[i], dtype);
        lying[i] = tn_clone(scrambled[i], TN_CONTIGUOUS);
        CHECK(lying[i]);
    }
    const tn_tensor *expected = function(lying);
    CHECK_MEMORY();
    tn_error_clear(); /* not every operator takes every dtype, but then it takes none of that dtype */
    const tn_tensor *actual = function(scrambled);
    CHECK_MEMORY();
    tn_error_clear();
    if (!expected != !actual || (expected && !join_same_bits(actual, expected)))
        test_fail(__FILE__, __LINE__, "%s of %s depends on the strides", name, tn_dtype_name(dtype));
    tn_scope_close(scope);
}

#endif
