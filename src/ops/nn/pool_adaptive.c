/* pool_adaptive.c - pooling by the size of the result: adaptive_avg_pool, adaptive_max_pool.
 *
 * Window o of `out` windows over `in` elements is from floor(o * in / out) to ceil((o + 1) * in / out): all elements are in a window, and
 * windows differ by at most one element. They share elements where out does not divide in.
 */
#include "base/error.h"
#include "operators_pooling.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "ops/nn/planes.h"
#include "ops/nn/pool_call.h"

static bool adaptive_windows(tni_pool_windows *windows, const tn_tensor *self, int64_t spatial, tn_dims output_size) {
    return tni_pool_check_dtype(self, "self", "f") && tni_windows_adaptive(windows, self, spatial, output_size);
}

/* The way back has the sizes of the result in the gradient. */
static bool adaptive_windows_back(tni_pool_windows *windows, const tn_tensor *self, int64_t spatial, const tn_tensor *grad) {
    if (grad->ndim != self->ndim) {
        tni_raise(TN_ERROR_SHAPE, "grad_output %s must have as many dimensions as self %s", tni_show_tensor(grad),
                  tni_show_tensor(self));
        return false;
    }
    return tni_pool_check_dtype(self, "self", "f") &&
           (self->ndim >= spatial ||
            tni_windows_check_self(self, spatial, true)) && /* which raises: there are not enough dimensions */
           tni_windows_adaptive(windows, self, spatial, (tn_dims){grad->sizes + grad->ndim - spatial, spatial}) &&
           tni_pool_check_gradient(windows, self, grad, "grad_output", self->dtype);
}

#define ADAPTIVE_MEAN(name, spatial)                                                                                           \
    bool tni_plan_##name(tni_plan *plan, const tn_tensor *self, tn_dims output_size) {                                         \
        tni_pool_windows windows;                                                                                              \
        return adaptive_windows(&windows, self, spatial, output_size) && tni_pool_plan(plan, &windows, self, false);           \
    }                                                                                                                          \
    tn_error tni_run_##name(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims output_size) {     \
        tni_pool_call call;                                                                                                    \
        (void)plan;                                                                                                            \
        if (!adaptive_windows(&call.windows, self, spatial, output_size))                                                      \
            return tni_failed();                                                                                               \
        return tni_pool_run_mean(&call, results[0], self, false);                                                              \
    }                                                                                                                          \
    bool tni_plan_##name##_backward(tni_plan *plan, const tn_tensor *grad_output, const tn_tensor *self) {                     \
        tni_pool_windows windows;                                                                                              \
        return adaptive_windows_back(&windows, self, spatial, grad_output) &&                                                  \
               tni_pool_plan_gradient(plan, self, spatial, spatial == 2);                                                      \
    }                                                                                                                          \
    tn_error tni_run_##name##_backward(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,          \
                                       const tn_tensor *self) {                                                                \
        tni_pool_call call;                                                                                                    \
        (void)plan;                                                                                                            \
        if (!adaptive_windows_back(&call.windows, self, spatial, grad_output))                                                 \
            return tni_failed();                                                                                               \
        return tni_pool_run_mean(&call, results[0], grad_output, true);                                                        \
    }
ADAPTIVE_MEAN(_adaptive_avg_pool2d, 2)
ADAPTIVE_MEAN(_adaptive_avg_pool3d, 3)

#define ADAPTIVE_MAX(name, spatial)                                                                                            \
    bool tni_plan_##name(tni_plan *plan, const tn_tensor *self, tn_dims output_size) {                                         \
        tni_pool_windows windows;                                                                                              \
        return adaptive_windows(&windows, self, spatial, output_size) && tni_pool_plan(plan, &windows, self, true);            \
    }                                                                                                                          \
    tn_error tni_run_##name(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims output_size) {     \
        tni_pool_call call;                                                                                                    \
        (void)plan;                                                                                                            \
        if (!adaptive_windows(&call.windows, self, spatial, output_size))                                                      \
            return tni_failed();                                                                                               \
        return tni_pool_run_max(&call, results, self, true);                                                                   \
    }                                                                                                                          \
    bool tni_plan_##name##_backward(tni_plan *plan, const tn_tensor *grad_output, const tn_tensor *self,                       \
                                    const tn_tensor *indices) {                                                                \
        tni_pool_windows windows;                                                                                              \
        return adaptive_windows_back(&windows, self, spatial, grad_output) &&                                                  \
               tni_pool_check_gradient(&windows, self, indices, "indices", TN_INT64) &&                                        \
               (plan->beside = tni_pool_plan_gradient(plan, self, spatial, spatial == 2));                                     \
    }                                                                                                                          \
    tn_error tni_run_##name##_backward(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,          \
                                       const tn_tensor *self, const tn_tensor *indices) {                                      \
        (void)plan, (void)self;                                                                                                \
        return tni_pool_run_place(results[0], grad_output, indices, spatial, true);                                            \
    }
ADAPTIVE_MAX(adaptive_max_pool2d, 2)
ADAPTIVE_MAX(adaptive_max_pool3d, 3)

/* ---- one dimension; and a mean of everything, which is a reduction */

/* Sizes that are all 1. */
static bool adaptive_is_one(tn_dims output_size) {
    for (int64_t d = 0; d < output_size.count; d++)
        if (output_size.values[d] != 1)
            return false;
    return output_size.count > 0;
}

static tn_tensor *adaptive_mean(const tn_tensor *self, tn_dims dims) {
    tn_tensor *mean = tn_mean_dim(self, dims, true, TN_DTYPE_DEFAULT);
    if (!mean || !tni_plane_is_channels_last(self, dims.count))
        return mean;
    int64_t strides[TN_MAX_DIMS];
    for (int64_t d = 0; d < mean->ndim; d++)
        strides[d] = d == 1 ? 1 : mean->sizes[1];
    return tn_as_strided(mean, tn_sizes(mean), (tn_dims){strides, mean->ndim}, 0);
}

tn_tensor *tni_composite_adaptive_avg_pool1d(const tn_tensor *self, tn_dims output_size) {
    tni_pool_windows windows;
    if (!adaptive_windows(&windows, self, 1, output_size))
        return NULL;
    return tn_squeeze_dim(tn_adaptive_avg_pool2d(tn_unsqueeze(self, -2), TN_DIMS(1, output_size.values[0])), -2);
}

tn_tensor *tni_composite_adaptive_avg_pool2d(const tn_tensor *self, tn_dims output_size) {
    tni_pool_windows windows;
    if (!adaptive_windows(&windows, self, 2, output_size))
        return NULL;
    return adaptive_is_one(output_size) ? adaptive_mean(self, TN_DIMS(-2, -1)) : tn__adaptive_avg_pool2d(self, output_size);
}

tn_tensor *tni_composite_adaptive_avg_pool3d(const tn_tensor *self, tn_dims output_size) {
    tni_pool_windows windows;
    if (!adaptive_windows(&windows, self, 3, output_size))
        return NULL;
    return adaptive_is_one(output_size) ? adaptive_mean(self, TN_DIMS(-3, -2, -1)) : tn__adaptive_avg_pool3d(self, output_size);
}

tn_list *tni_composite_adaptive_max_pool1d(const tn_tensor *self, tn_dims output_size) {
    tni_pool_windows windows;
    if (!adaptive_windows(&windows, self, 1, output_size))
        return NULL;
    return tni_pool_flat_pair(tn_adaptive_max_pool2d(tn_unsqueeze(self, -2), TN_DIMS(1, output_size.values[0])));
}
