/* plane_helpers.h - tensors of planes for tests: drawn, laid out in several ways, and read as doubles, row by row. */
#ifndef TENON_PLANE_HELPERS_H
#define TENON_PLANE_HELPERS_H

#include "test.h"

/* Whole numbers and halves, so that sums of a few are exact in every float. */
static inline tn_tensor *plane_drawn(tn_dims sizes, tn_dtype dtype) {
    tn_tensor *x = tn_empty(sizes, TN_FLOAT64);
    CHECK(x);
    double *data = tn_numel(x) ? tn_mutable_data(x) : NULL;
    for (int64_t i = 0; i < tn_numel(x); i++)
        data[i] = (double)test_random_between(tn_dtype_is_signed(dtype) ? -16 : 0, 16) / (tn_dtype_is_floating(dtype) ? 2 : 1);
    tn_tensor *drawn = tn_to(x, dtype);
    CHECK(drawn);
    return drawn;
}

/* The same elements row by row, with channels last, with gaps, transposed, or backwards. */
static inline tn_tensor *plane_laid(tn_tensor *x, int64_t how) {
    CHECK(x);
    int64_t ndim = tn_ndim(x), last = ndim - 1;
    tn_tensor *laid = x;
    if (how == 1 && (ndim == 4 || ndim == 5))
        laid = tn_contiguous(x, ndim == 4 ? TN_CHANNELS_LAST : TN_CHANNELS_LAST_3D);
    else if (how == 2 && tn_sizes(x).values[last] > 0)
        laid = tn_slice(tn_repeat_interleave(x, 2, last, TN_NONE), last, 0, TN_END, 2);
    else if (how == 3)
        laid = tn_transpose(tn_contiguous(tn_transpose(x, last, 0), TN_CONTIGUOUS), last, 0);
    else if (how == 4)
        laid = tn_flip(tn_contiguous(tn_flip(x, TN_DIMS(last)), TN_CONTIGUOUS), TN_DIMS(last));
    CHECK(laid);
    return laid;
}

static inline tn_tensor *plane_some(tn_dims sizes, tn_dtype dtype) {
    return plane_laid(plane_drawn(sizes, dtype), test_random_between(0, 4));
}

/* All elements, row by row: borrowed from the scope. */
static inline const double *plane_values(const tn_tensor *x) {
    static const double none = 0;
    tn_tensor *wide = tn_contiguous(tn_to(x, TN_FLOAT64), TN_CONTIGUOUS);
    CHECK(wide);
    return tn_numel(wide) ? tn_data(wide) : &none;
}

/* Whether every element is within `tolerance` of what a model has, in parts of the largest, and NaN where that has one. */
static inline void plane_compare(const tn_tensor *got, const double *model, double tolerance) {
    const double *values = plane_values(got);
    double most = 1;
    for (int64_t i = 0; i < tn_numel(got); i++)
        most = fabs(model[i]) > most && !isinf(model[i]) ? fabs(model[i]) : most;
    for (int64_t i = 0; i < tn_numel(got); i++)
        if (!(values[i] == model[i] || (isnan(values[i]) && isnan(model[i])) || fabs(values[i] - model[i]) <= tolerance * most))
            test_fail(__FILE__, __LINE__, "element %lld is %.17g, not %.17g", (long long)i, values[i], model[i]);
}

static inline double plane_tolerance(tn_dtype dtype) {
    return dtype == TN_FLOAT64    ? 1e-13
           : dtype == TN_FLOAT32  ? 1e-6
           : dtype == TN_FLOAT16  ? 1e-3
           : dtype == TN_BFLOAT16 ? 8e-3
                                  : 0;
}

/* Room for a model's elements, in the scope of the test. */
static inline double *plane_room(int64_t count) {
    tn_tensor *room = tn_zeros(TN_DIMS(count ? count : 1), TN_FLOAT64);
    CHECK(room);
    return tn_mutable_data(room);
}

static inline tn_tensor *plane_at(tn_list *list, int64_t i) {
    CHECK(list);
    tn_tensor *tensor = tn_list_at(list, i);
    CHECK(tensor);
    return tensor;
}

#endif
