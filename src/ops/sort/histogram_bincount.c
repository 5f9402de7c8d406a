/* histogram_bincount.c - bincount: how often each whole number occurs, or the sum of the weights where it does. Sums are formed
 * in the order of the elements, in float64. */
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/limits.h"
#include "kernels/table.h"
#include "operators_create.h"
#include "operators_search.h"
#include "ops/copy/copy.h"

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

/* The greatest number plus 1, at least `length`; -1, raised, where one is negative, or the call was cancelled. */
static int64_t bincount_length(const int64_t *numbers, int64_t count, int64_t length) {
    uint64_t greatest = tni_kernels()->count_greatest[0](numbers, count);
    if (tni_stopped())
        return -1;
    if (greatest >= INT64_MAX) {
        tni_raise(TN_ERROR_ARGUMENT, "self has the element %" PRId64 ", which %s", (int64_t)greatest,
                  greatest > INT64_MAX ? "is negative" : "is larger than any length");
        return -1;
    }
    return count ? tni_max_i64(length, (int64_t)greatest + 1) : length;
}

/* Small numbers are counted before the greatest is known. *near: whether they all are small; if not there is no result, and no error. */
static tn_tensor *bincount_count_near(const int64_t *numbers, int64_t count, int64_t length, bool *near) {
    int64_t even[TNI_COUNT_NEAR] = {0}, odd[TNI_COUNT_NEAR] = {0}, greatest = 0;
    *near = tni_kernels()->count_near[0](even, odd, numbers, count);
    if (!*near || tni_stopped())
        return NULL;
    for (int64_t i = 0; i < TNI_COUNT_NEAR; i++) {
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
    if (counts)
        tni_kernels()->count[0](tni_tensor_write(counts), numbers, NULL, count);
    return counts;
}

static tn_tensor *bincount_add(const int64_t *numbers, int64_t count, int64_t length, const tn_tensor *weights) {
    tn_tensor *wide = tni_clone_as(weights, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "the weights are added as float64");
    tn_tensor *sums = wide ? tni_op_zeros((tn_dims){&length, 1}, TN_FLOAT64) : NULL;
    if (sums)
        tni_kernels()->count[1](tni_tensor_write(sums), numbers, (const double *)(const void *)tni_tensor_read(wide), count);
    tni_tensor_release(wide);
    if (!sums || weights->dtype != TN_FLOAT32)
        return sums;
    tn_tensor *narrow = tni_clone_as(sums, TN_FLOAT32, TN_CONTIGUOUS, TN_DEVICE_CPU,
                                     "the sums are converted to the dtype of "
                                     "the weights");
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
    if (!weights && self->numel >= TNI_COUNT_NEAR)
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
