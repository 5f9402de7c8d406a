/* linalg_helpers.h - random matrices, and how far two are apart, for the tests of linear algebra. */
#ifndef TENON_LINALG_HELPERS_H
#define TENON_LINALG_HELPERS_H

#include <math.h>

#include "test.h"

static const tn_dtype linalg_dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_COMPLEX64, TN_COMPLEX128};

static inline double linalg_epsilon(tn_dtype dtype) { return dtype == TN_FLOAT32 || dtype == TN_COMPLEX64 ? 1.2e-7 : 2.3e-16; }

/* Numbers between -1 and 1 that look random and are the same everywhere. */
static inline tn_tensor *linalg_random(tn_dims sizes, tn_dtype dtype, int seed) {
    int64_t count = 1;
    for (int64_t d = 0; d < sizes.count; d++)
        count *= sizes.values[d];
    tn_tensor *steps = tn_arange_start(seed + 1, (double)(seed + 1) + (double)count, 1, TN_FLOAT64);
    tn_tensor *real = tn_sin(tn_mul_scalar(tn_mul(steps, tn_add_scalar(tn_sqrt(steps), 3)), 12.9898));
    if (dtype == TN_COMPLEX64 || dtype == TN_COMPLEX128)
        real = tn_complex(real, tn_cos(tn_mul_scalar(tn_mul(steps, steps), 7.233)));
    return tn_reshape(tn_to(real, dtype), sizes);
}

/* The largest magnitude; 0 without elements. */
static inline double linalg_largest(const tn_tensor *x) {
    if (x && tn_numel(x) == 0)
        return 0;
    tn_tensor *most = tn_amax(tn_abs(x), TN_DIMS(), false);
    return most ? tn_item_double(most) : NAN;
}

/* |a - b| compared with |b| (or with 1), in units of epsilon times the rows. */
static inline double linalg_error(const tn_tensor *a, const tn_tensor *b, int64_t n) {
    double scale = linalg_largest(b), error = linalg_largest(tn_sub(a, b));
    return error / ((scale > 0 ? scale : 1) * linalg_epsilon(tn_dtype_of(a)) * (double)(n + 4));
}

#endif
