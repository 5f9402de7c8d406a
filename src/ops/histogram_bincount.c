/* histogram_bincount.c - bincount: how often each whole number occurs, or the sum of the weights where it does. Sums are formed
 * in the order of the elements, in float64. */
#include "base/error.h"
#include "operator_impls.h"
#include "ops/copy.h"

static bool bincount_check(const tn_tensor *self, const tn_tensor *weights, int64_t minlength) {
    if (self->ndim != 1 || !tn_dtype_is_integral(self->dtype)) {
        tni_raise(self->ndim != 1 ? TN_ERROR_SHAPE : TN_ERROR_DTYPE, "self is %s; it must be integers in one dimension",
                  tni_show_tensor(self));
        return false;
    }
    if (minlength < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "minlength = %" PRId64 " is negative", minlength);
        return false;
    }
    if (weights && (weights->ndim != 1 || weights->numel != self->numel)) {
        tni_raise(TN_ERROR_SHAPE, "weights is %s; it must have the sizes of self %s", tni_show_tensor(weights),
                  tni_show_tensor(self));
        return false;
    }
    if (weights && tn_dtype_is_complex(weights->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "weights is %s, which is not real", tni_show_tensor(weights));
        return false;
    }
    return true;
}

/* The greatest number plus 1, at least `length`; -1, raised, where one is negative. */
static int64_t bincount_length(const int64_t *numbers, int64_t count, int64_t length) {
    uint64_t greatest[4] = {0}; /* side by side; negative numbers count as very large */
    for (int64_t i = 0; i + 4 <= count; i += 4)
        for (int64_t k = 0; k < 4; k++)
            greatest[k] = (uint64_t)numbers[i + k] > greatest[k] ? (uint64_t)numbers[i + k] : greatest[k];
    for (int64_t i = count & ~INT64_C(3); i < count; i++)
        greatest[0] = (uint64_t)numbers[i] > greatest[0] ? (uint64_t)numbers[i] : greatest[0];
    for (int64_t k = 1; k < 4; k++)
        greatest[0] = greatest[k] > greatest[0] ? greatest[k] : greatest[0];
    if (greatest[0] >= INT64_MAX) {
        tni_raise(TN_ERROR_ARGUMENT, "self has the element %" PRId64 ", which %s", (int64_t)greatest[0],
                  greatest[0] > INT64_MAX ? "is negative" : "is larger than any length");
        return -1;
    }
    return count ? tni_max_i64(length, (int64_t)greatest[0] + 1) : length;
}

enum { BINCOUNT_NEAR = 1024, BINCOUNT_BLOCK = 2048 };

/* Whether no number is negative, or has a bit that those below BINCOUNT_NEAR do not have. */
static bool bincount_is_near(const int64_t *numbers, int64_t count) {
    typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));
    const pair *at = (const pair *)(const void *)numbers;
    pair some = {0}, others = {0};
    for (int64_t i = 0; i + 4 <= count; i += 4, at += 2) {
        some |= at[0];
        others |= at[1];
    }
    some |= others;
    for (int64_t i = count & ~INT64_C(3); i < count; i++)
        some[0] |= (uint64_t)numbers[i];
    return (some[0] | some[1]) < BINCOUNT_NEAR;
}

/* Small numbers are counted before the greatest is known, and in two tables, so that equal ones in a row do not wait. *near:
 * whether they all are small; if not there is no result, and no error. */
static tn_tensor *bincount_count_near(const int64_t *numbers, int64_t count, int64_t length, bool *near) {
    int64_t even[BINCOUNT_NEAR] = {0}, odd[BINCOUNT_NEAR] = {0}, greatest = 0;
    for (int64_t block = 0, end; block < count; block = end) {
        end = tni_min_i64(count, block + BINCOUNT_BLOCK);
        *near = bincount_is_near(numbers + block, end - block);
        if (!*near)
            return NULL;
        for (int64_t i = block; i + 2 <= end; i += 2) {
            even[numbers[i]]++;
            odd[numbers[i + 1]]++;
        }
    }
    if (count % 2 != 0)
        even[numbers[count - 1]]++;
    for (int64_t i = 0; i < BINCOUNT_NEAR; i++) {
        even[i] += odd[i];
        greatest = even[i] != 0 ? i : greatest;
    }
    length = tni_max_i64(length, greatest + 1);
    tn_tensor *counts = tni_op_zeros((tn_dims){&length, 1}, TN_INT64);
    if (counts)
        memcpy(tni_tensor_write(counts), even, (size_t)(greatest + 1) * sizeof *even);
    return counts;
}

static tn_tensor *bincount_count(const int64_t *numbers, int64_t count, int64_t length) {
    tn_tensor *counts = tni_op_zeros((tn_dims){&length, 1}, TN_INT64);
    int64_t *to = counts ? (int64_t *)(void *)tni_tensor_write(counts) : NULL;
    for (int64_t i = 0; to && i < count; i++)
        to[numbers[i]]++;
    return counts;
}

static tn_tensor *bincount_add(const int64_t *numbers, int64_t count, int64_t length, const tn_tensor *weights) {
    tn_tensor *wide = tni_clone_as(weights, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "the weights are added as float64");
    tn_tensor *sums = wide ? tni_op_zeros((tn_dims){&length, 1}, TN_FLOAT64) : NULL;
    if (sums) {
        const double *weight = (const double *)(const void *)tni_tensor_read(wide);
        double *to = (double *)(void *)tni_tensor_write(sums);
        for (int64_t i = 0; i < count; i++)
            to[numbers[i]] += weight[i];
    }
    tni_tensor_release(wide);
    if (!sums || weights->dtype != TN_FLOAT32)
        return sums;
    tn_tensor *narrow = tni_clone_as(sums, TN_FLOAT32, TN_CONTIGUOUS, TN_DEVICE_CPU, "the sums get the dtype of the weights");
    tni_tensor_release(sums);
    return narrow;
}

tn_tensor *tni_op_bincount(const tn_tensor *self, const tn_tensor *weights, int64_t minlength) {
    if (!bincount_check(self, weights, minlength))
        return NULL;
    bool ready = self->dtype == TN_INT64 && tni_tensor_is_contiguous(self);
    tn_tensor *numbers = ready
                             ? tni_tensor_retain(self)
                             : tni_clone_as(self, TN_INT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "its elements are counted in order");
    if (!numbers)
        return NULL;
    const int64_t *at = (const int64_t *)(const void *)tni_tensor_read(numbers);
    tn_tensor *out = NULL;
    bool near = false;
    if (!weights && self->numel >= BINCOUNT_NEAR)
        out = bincount_count_near(at, self->numel, minlength, &near);
    if (!near) {
        int64_t length = bincount_length(at, self->numel, minlength);
        out = length < 0                   ? NULL
              : weights && self->numel > 0 ? bincount_add(at, self->numel, length, weights)
                                           : bincount_count(at, self->numel, length);
    }
    tni_tensor_release(numbers);
    return out;
}
