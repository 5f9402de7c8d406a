/* pool.c - pooling: the largest or the mean of each window, and the ways back.
 *
 * pool_windows.c finds the windows; each plane is then one call of a kernel (planes.h). float16 and bfloat16 are computed in float32 and
 * rounded once, whole numbers in int64. What has one dimension is done as two, the first of size 1.
 */
#include <math.h>

#include "base/error.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_math.h"
#include "operators_pooling.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/nn/planes.h"
#include "ops/nn/pool_call.h"

/* ---- what all have in common */

bool tni_pool_check_dtype(const tn_tensor *self, const char *name, const char *kinds) {
    bool whole = tn_dtype_is_integral(self->dtype) && self->dtype != TN_BOOL && self->dtype != TN_UINT64;
    if (tn_dtype_is_floating(self->dtype) && tni_dtype_size(self->dtype) >= 2)
        return true;
    if (whole && (*kinds == 'i' || (*kinds == 'l' && self->dtype == TN_INT64)))
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s is %s; %s are pooled, convert it first", name, tni_show_tensor(self),
              *kinds == 'i'   ? "floats of 16 bits and more, and integers up to int64"
              : *kinds == 'l' ? "floats of 16 bits and more, and int64"
                              : "floats of 16 bits and more");
    return false;
}

/* One result for each window, and (indexed) where it was found. */
bool tni_pool_plan(tni_plan *plan, const tni_pool_windows *windows, const tn_tensor *self, bool indexed) {
    int64_t sizes[TN_MAX_DIMS], ndim = tni_windows_sizes(windows, self, sizes);
    bool last = tni_plane_is_channels_last(self, windows->spatial) && windows->keeps_format;
    tni_plan_begin(plan, self);
    tni_plan_add_format(plan, ndim, sizes, self->dtype, last);
    if (indexed)
        tni_plan_add_format(plan, ndim, sizes, TN_INT64, last);
    return true;
}

/* ---- images with their channels last: an image is one volume (height, width, channels), with windows of one channel. So the loops, which take
 * a row of windows at a time, take all channels of a window, and nothing is packed. */

static bool pool_is_turned(const tni_pool_windows *windows, const tn_tensor *const *tensors, int count) {
    bool last = windows->spatial == 2;
    for (int i = 0; last && i < count; i++)
        last = tni_plane_is_channels_last(tensors[i], 2);
    return last;
}

static bool pool_turn(tni_pool_call *call, const tn_tensor *const *tensors, tn_tensor **views, int count) {
    tni_pool_axis *axis = call->windows.pool.axis;
    int64_t channels = tensors[0]->sizes[1];
    call->windows.pool.channels = true;
    axis[0] = axis[1];
    axis[1] = axis[2];
    axis[2] = (tni_pool_axis){.in = channels, .out = channels, .step = 1, .even = true, .stride = 1, .padding = 0, .window = 1};
    for (int i = 0; i < count; i++)
        if (!(views[i] = tni_op_permute(tensors[i], TN_DIMS(0, 2, 3, 1))))
            return false;
    return true;
}

static void pool_max_plane(void *const *lines, int64_t number, void *scratch, void *context) {
    const tni_pool_call *call = context;
    (void)number, (void)scratch;
    if (!call->indexed) {
        call->max(&call->windows.pool, lines[0], NULL, lines[1]);
        return;
    }
    call->max(&call->windows.pool, lines[0], lines[1], lines[2]);
}

static void pool_mean_plane(void *const *lines, int64_t number, void *scratch, void *context) {
    const tni_pool_call *call = context;
    (void)number, (void)scratch;
    call->mean(&call->windows.pool, lines[0], lines[1]);
}

/* How much work a plane is: every element of every window. */
static int64_t pool_work(const tni_pool_windows *windows) {
    double work = 1;
    for (int a = 0; a < TNI_POOL_AXES; a++) {
        const tni_pool_axis *axis = &windows->pool.axis[a];
        work *= (double)axis->out * (double)(axis->even ? axis->window : axis->in / tni_max_i64(axis->out, 1) + 1);
    }
    return work < 1 ? 1 : work > 0x1p40 ? INT64_C(1) << 40 : (int64_t)work;
}

/* The least whole number of a dtype. */
static int64_t pool_least(tn_dtype dtype) {
    return tn_dtype_is_signed(dtype) ? INT64_MIN >> (64 - 8 * tni_dtype_size(dtype)) : 0;
}

/* The planes of some tensors, the first of which are written. */
static tn_error pool_run(tni_pool_call *call, const tn_tensor *const *tensors, int results, int count, tn_dtype compute,
                         tni_line_function function) {
    tn_tensor *views[3] = {NULL, NULL, NULL};
    call->windows.pool.channels = false;
    bool turned = pool_is_turned(&call->windows, tensors, count);
    bool ready = (!turned || pool_turn(call, tensors, views, count)) && tni_windows_table(&call->windows);
    tni_planes planes = {
        .results = results, .operands = count, .function = function, .context = call, .work = pool_work(&call->windows)};
    for (int i = 0; i < count; i++)
        planes.operand[i] = (tni_plane_operand){turned ? views[i] : tensors[i], turned ? 3 : call->windows.spatial,
                                                tensors[i]->dtype == TN_INT64 ? TN_INT64 : compute};
    tn_error code = ready ? tni_planes_run(&planes) : tni_failed();
    if (ready)
        tni_windows_drop(&call->windows);
    for (int i = 0; i < 3; i++)
        tni_tensor_release(views[i]);
    return code;
}

tn_error tni_pool_run_max(tni_pool_call *call, tn_tensor *const *results, const tn_tensor *self, bool indexed) {
    if (results[0]->numel == 0)
        return TN_OK;
    tn_dtype compute = tni_plane_compute(self->dtype);
    call->max = tni_kernels()->pool_max[tni_plane_kernel(compute)];
    call->indexed = indexed;
    call->windows.pool.least = pool_least(self->dtype);
    const tn_tensor *tensors[3] = {results[0], indexed ? results[1] : self, self};
    return pool_run(call, tensors, indexed ? 2 : 1, indexed ? 3 : 2, compute, pool_max_plane);
}

/* Means from self, or (spreads) gradients from those of means: `from` to result. */
tn_error tni_pool_run_mean(tni_pool_call *call, tn_tensor *result, const tn_tensor *from, bool spreads) {
    if (result->numel == 0)
        return TN_OK;
    if (from->numel == 0)
        return tni_fill_into(result, tn_scalar_int(0));
    tn_dtype compute = tni_plane_compute(result->dtype);
    int kernel = tni_plane_kernel(compute);
    call->mean = spreads ? tni_kernels()->pool_spread[kernel] : tni_kernels()->pool_mean[kernel];
    return pool_run(call, (const tn_tensor *[]){result, from}, 1, 2, compute, pool_mean_plane);
}

/* ---- max_pool2d, max_pool3d, and with indices */

static bool pool_max_windows(tni_pool_windows *windows, const tn_tensor *self, int64_t spatial, tn_dims kernel_size,
                             tn_dims stride, tn_dims padding, tn_dims dilation, bool ceil_mode) {
    if (!tni_pool_check_dtype(self, "self", "i") ||
        !tni_windows_even(windows, self,
                          &(tni_windows_call){spatial, kernel_size, stride, padding, dilation, ceil_mode, false, 0}))
        return false;
    windows->keeps_format = true;
    return true;
}

#define POOL_MAX_ARGUMENTS                                                                                                     \
    const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding, tn_dims dilation, bool ceil_mode

#define POOL_MAX(name, spatial, indexed)                                                                                       \
    bool tni_plan_##name(tni_plan *plan, POOL_MAX_ARGUMENTS) {                                                                 \
        tni_pool_windows windows;                                                                                              \
        return pool_max_windows(&windows, self, spatial, kernel_size, stride, padding, dilation, ceil_mode) &&                 \
               tni_pool_plan(plan, &windows, self, indexed);                                                                   \
    }                                                                                                                          \
    tn_error tni_run_##name(const tni_plan *plan, tn_tensor *const *results, POOL_MAX_ARGUMENTS) {                             \
        tni_pool_call call;                                                                                                    \
        (void)plan;                                                                                                            \
        if (!pool_max_windows(&call.windows, self, spatial, kernel_size, stride, padding, dilation, ceil_mode))                \
            return tni_failed();                                                                                               \
        return tni_pool_run_max(&call, results, self, indexed);                                                                \
    }
POOL_MAX(max_pool2d, 2, false)
POOL_MAX(max_pool3d, 3, false)
POOL_MAX(max_pool2d_with_indices, 2, true)
POOL_MAX(max_pool3d_with_indices, 3, true)

/* A plane of one row. The arguments are checked as those of one dimension, so that messages show what was given. */
typedef struct pool_pairs {
    int64_t kernel_size[2], stride[2], padding[2], dilation[2];
} pool_pairs;

static tn_dims pool_pair(int64_t *pair, int64_t first, tn_dims given, int64_t standard) {
    pair[0] = first;
    pair[1] = given.count ? given.values[0] : standard;
    return (tn_dims){pair, 2};
}

tn_tensor *tni_composite_max_pool1d(POOL_MAX_ARGUMENTS) {
    tni_pool_windows windows;
    pool_pairs pairs;
    if (!pool_max_windows(&windows, self, 1, kernel_size, stride, padding, dilation, ceil_mode))
        return NULL;
    return tn_squeeze_dim(tn_max_pool2d(tn_unsqueeze(self, -2), pool_pair(pairs.kernel_size, 1, kernel_size, 1),
                                        pool_pair(pairs.stride, 1, stride.count ? stride : kernel_size, 1),
                                        pool_pair(pairs.padding, 0, padding, 0), pool_pair(pairs.dilation, 1, dilation, 1),
                                        ceil_mode),
                          -2);
}

/* Two tensors with one dimension less, as a list. */
tn_list *tni_pool_flat_pair(tn_list *pair) {
    if (!pair)
        return NULL;
    tn_tensor *both[] = {tn_squeeze_dim(tn_list_at(pair, 0), -2), tn_squeeze_dim(tn_list_at(pair, 1), -2)};
    return both[0] && both[1] ? tn_list_new((const tn_tensor *const *)both, 2) : NULL;
}

tn_list *tni_composite_max_pool1d_with_indices(POOL_MAX_ARGUMENTS) {
    tni_pool_windows windows;
    pool_pairs pairs;
    if (!pool_max_windows(&windows, self, 1, kernel_size, stride, padding, dilation, ceil_mode))
        return NULL;
    return tni_pool_flat_pair(tn_max_pool2d_with_indices(
        tn_unsqueeze(self, -2), pool_pair(pairs.kernel_size, 1, kernel_size, 1),
        pool_pair(pairs.stride, 1, stride.count ? stride : kernel_size, 1), pool_pair(pairs.padding, 0, padding, 0),
        pool_pair(pairs.dilation, 1, dilation, 1), ceil_mode));
}

/* ---- avg_pool1d, avg_pool2d, avg_pool3d and the ways back */

static bool pool_mean_windows(tni_pool_windows *windows, const tn_tensor *self, int64_t spatial, tn_dims kernel_size,
                              tn_dims stride, tn_dims padding, bool ceil_mode, bool count_include_pad,
                              int64_t divisor_override) {
    if (!tni_pool_check_dtype(self, "self", "l"))
        return false;
    if (divisor_override == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "divisor_override is 0, and sums are divided by it");
        return false;
    }
    if (!tni_windows_even(windows, self,
                          &(tni_windows_call){.spatial = spatial,
                                              .kernel_size = kernel_size,
                                              .stride = stride,
                                              .padding = padding,
                                              .ceil_mode = ceil_mode,
                                              .padding_counts = count_include_pad,
                                              .divisor = divisor_override == TN_NONE ? 0 : divisor_override}))
        return false;
    for (int a = 0; spatial == 3 && a < TNI_POOL_AXES; a++) /* torch has this for volumes alone */
        if (windows->pool.axis[a].in < windows->pool.axis[a].window) {
            tni_raise(TN_ERROR_SHAPE,
                      "a window of %" PRId64 " elements (kernel_size) is larger than self %s along one dimension",
                      windows->pool.axis[a].window, tni_show_tensor(self));
            return false;
        }
    return true;
}

/* A gradient of the windows has their sizes, and the dtype of self. */
bool tni_pool_check_gradient(const tni_pool_windows *windows, const tn_tensor *self, const tn_tensor *grad, const char *name,
                             tn_dtype dtype) {
    int64_t sizes[TN_MAX_DIMS], ndim = tni_windows_sizes(windows, self, sizes);
    bool same = grad->ndim == ndim;
    for (int64_t d = 0; same && d < ndim; d++)
        same = grad->sizes[d] == sizes[d];
    if (same && grad->dtype == dtype)
        return true;
    tni_raise(same ? TN_ERROR_DTYPE : TN_ERROR_SHAPE, "%s %s does not fit self %s, whose windows are %s %s", name,
              tni_show_tensor(grad), tni_show_tensor(self), tni_show_dims(sizes, ndim), tn_dtype_name(dtype));
    return false;
}

bool tni_pool_plan_gradient(tni_plan *plan, const tn_tensor *self, int64_t spatial, bool keeps_format) {
    tni_plan_begin(plan, self);
    tni_plan_add_format(plan, self->ndim, self->sizes, self->dtype, keeps_format && tni_plane_is_channels_last(self, spatial));
    return true;
}

#define POOL_MEAN_ARGUMENTS                                                                                                    \
    const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding, bool ceil_mode, bool count_include_pad,       \
        int64_t divisor_override

#define POOL_MEAN(name, spatial)                                                                                               \
    bool tni_plan_##name(tni_plan *plan, POOL_MEAN_ARGUMENTS) {                                                                \
        tni_pool_windows windows;                                                                                              \
        return pool_mean_windows(&windows, self, spatial, kernel_size, stride, padding, ceil_mode, count_include_pad,          \
                                 divisor_override) &&                                                                          \
               tni_pool_plan(plan, &windows, self, false);                                                                     \
    }                                                                                                                          \
    tn_error tni_run_##name(const tni_plan *plan, tn_tensor *const *results, POOL_MEAN_ARGUMENTS) {                            \
        tni_pool_call call;                                                                                                    \
        (void)plan;                                                                                                            \
        if (!pool_mean_windows(&call.windows, self, spatial, kernel_size, stride, padding, ceil_mode, count_include_pad,       \
                               divisor_override))                                                                              \
            return tni_failed();                                                                                               \
        return tni_pool_run_mean(&call, results[0], self, false);                                                              \
    }                                                                                                                          \
    bool tni_plan_##name##_backward(tni_plan *plan, const tn_tensor *grad_output, POOL_MEAN_ARGUMENTS) {                       \
        tni_pool_windows windows;                                                                                              \
        return pool_mean_windows(&windows, self, spatial, kernel_size, stride, padding, ceil_mode, count_include_pad,          \
                                 divisor_override) &&                                                                          \
               tni_pool_check_gradient(&windows, self, grad_output, "grad_output", self->dtype) &&                             \
               tni_pool_plan_gradient(plan, self, spatial, spatial == 2);                                                      \
    }                                                                                                                          \
    tn_error tni_run_##name##_backward(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,          \
                                       POOL_MEAN_ARGUMENTS) {                                                                  \
        tni_pool_call call;                                                                                                    \
        (void)plan;                                                                                                            \
        if (!pool_mean_windows(&call.windows, self, spatial, kernel_size, stride, padding, ceil_mode, count_include_pad,       \
                               divisor_override))                                                                              \
            return tni_failed();                                                                                               \
        return tni_pool_run_mean(&call, results[0], grad_output, true);                                                        \
    }
POOL_MEAN(avg_pool2d, 2)
POOL_MEAN(avg_pool3d, 3)

tn_tensor *tni_composite_avg_pool1d(const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding, bool ceil_mode,
                                    bool count_include_pad) {
    tni_pool_windows windows;
    pool_pairs pairs;
    if (!pool_mean_windows(&windows, self, 1, kernel_size, stride, padding, ceil_mode, count_include_pad, TN_NONE))
        return NULL;
    return tn_squeeze_dim(tn_avg_pool2d(tn_unsqueeze(self, -2), pool_pair(pairs.kernel_size, 1, kernel_size, 1),
                                        pool_pair(pairs.stride, 1, stride.count ? stride : kernel_size, 1),
                                        pool_pair(pairs.padding, 0, padding, 0), ceil_mode, count_include_pad, TN_NONE),
                          -2);
}

/* ---- lp_pool1d, lp_pool2d, lp_pool3d: the root of the sum of powers, or of endless order the size of the largest, or of the smallest */

static tn_tensor *pool_sizes(const tn_tensor *self, int64_t spatial, bool largest, tn_dims kernel_size, tn_dims stride,
                             bool ceil_mode) {
    tn_dims none = {NULL, 0};
    tn_tensor *sizes = tn_abs(self), *x = largest ? sizes : tn_neg(sizes);
    tn_tensor *made = spatial == 1   ? tn_max_pool1d(x, kernel_size, stride, none, none, ceil_mode)
                      : spatial == 2 ? tn_max_pool2d(x, kernel_size, stride, none, none, ceil_mode)
                                     : tn_max_pool3d(x, kernel_size, stride, none, none, ceil_mode);
    return largest ? made : tn_neg(made);
}

static tn_tensor *pool_lp(const tn_tensor *self, int64_t spatial, double norm_type, tn_dims kernel_size, tn_dims stride,
                          bool ceil_mode) {
    int64_t window[TNI_POOL_AXES], elements = 1;
    tn_dims none = {NULL, 0};
    if (norm_type == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "norm_type is 0, and there is no root of that order");
        return NULL;
    }
    if (isinf(norm_type))
        return pool_sizes(self, spatial, norm_type > 0, kernel_size, stride, ceil_mode);
    tn_tensor *powers = tn_pow_scalar(self, tn_scalar_float(norm_type));
    tn_tensor *means = spatial == 1   ? tn_avg_pool1d(powers, kernel_size, stride, none, ceil_mode, true)
                       : spatial == 2 ? tn_avg_pool2d(powers, kernel_size, stride, none, ceil_mode, true, TN_NONE)
                                      : tn_avg_pool3d(powers, kernel_size, stride, none, ceil_mode, true, TN_NONE);
    if (!means || !tni_windows_spread(kernel_size, spatial, 1, "kernel_size", window))
        return NULL;
    for (int64_t d = 0; d < spatial; d++)
        elements *= window[d];
    tn_tensor *size = tn_mul(tn_sign(means), tn_relu(tn_abs(means)));
    return tn_pow_scalar(tn_mul_scalar(size, tn_scalar_int(elements)), tn_scalar_float(1 / norm_type));
}

tn_tensor *tni_composite_lp_pool1d(const tn_tensor *self, double norm_type, tn_dims kernel_size, tn_dims stride,
                                   bool ceil_mode) {
    return pool_lp(self, 1, norm_type, kernel_size, stride, ceil_mode);
}

tn_tensor *tni_composite_lp_pool2d(const tn_tensor *self, double norm_type, tn_dims kernel_size, tn_dims stride,
                                   bool ceil_mode) {
    return pool_lp(self, 2, norm_type, kernel_size, stride, ceil_mode);
}

tn_tensor *tni_composite_lp_pool3d(const tn_tensor *self, double norm_type, tn_dims kernel_size, tn_dims stride,
                                   bool ceil_mode) {
    return pool_lp(self, 3, norm_type, kernel_size, stride, ceil_mode);
}
