/* pool_fractional.c - max pooling with windows at random places: fractional_max_pool2d, fractional_max_pool3d.
 *
 * Windows of one size begin at floor((o + u) * alpha) - floor(u * alpha), alpha = (in - window) / (out - 1), where u is a random number from
 * 0 to 1 for each plane and dimension; the last one ends with the plane. (Graham, Fractional max-pooling, arXiv 1412.6071; the places are
 * torch's, also for samples of 16 bits, which it computes with.) The samples are an argument, so the operator itself draws nothing.
 */
#include "base/error.h"
#include "operators_pooling.h"
#include "ops/copy/copy.h"
#include "ops/nn/planes.h"
#include "ops/nn/pool_call.h"
#include "tensor/convert.h"

typedef struct fractional_call {
    tni_pool_call pool;
    const double *samples; /* (planes, spatial), in the order of torch: of a plane its last dimension is first */
    tn_dtype dtype;        /* of the samples */
    int64_t window[TNI_POOL_AXES];
} fractional_call;

static double fractional_round(double value, tn_dtype dtype) {
    if (dtype == TN_FLOAT64)
        return value;
    char bytes[16];
    tn_scalar rounded = tn_scalar_float(value);
    tn_dtype_store(dtype, bytes, rounded);
    rounded = tn_dtype_load(dtype, bytes);
    tn_dtype_store(TN_FLOAT64, &value, rounded);
    return value;
}

/* Where windows begin, and end, along one dimension. */
static void fractional_places(int64_t *first, int64_t *end, const tni_pool_axis *axis, int64_t window, double sample,
                              tn_dtype dtype) {
    double alpha = axis->out > 1 ? fractional_round((double)(axis->in - window) / (double)(axis->out - 1), dtype) : 0;
    int64_t start = (int64_t)fractional_round(sample * alpha, dtype);
    for (int64_t o = 0; o < axis->out; o++) {
        int64_t at = (int64_t)fractional_round(fractional_round((double)o + sample, dtype) * alpha, dtype) - start;
        at = o == axis->out - 1 ? axis->in - window : at < 0 ? 0 : at > axis->in - window ? axis->in - window : at;
        first[o] = at;
        end[o] = at + window;
    }
}

static void fractional_plane(void *const *lines, int64_t number, void *scratch, void *context) {
    const fractional_call *call = context;
    tni_pool pool = call->pool.windows.pool;
    int64_t *at = scratch, spatial = call->pool.windows.spatial;
    for (int a = 0; a < TNI_POOL_AXES; a++) {
        tni_pool_axis *axis = &pool.axis[a];
        axis->even = false;
        axis->first = at;
        axis->end = at + axis->out;
        at += 2 * axis->out;
        int64_t place = a - (TNI_POOL_AXES - spatial); /* of two dimensions the last has the first sample; of three the first */
        double sample = place < 0 ? 0 : call->samples[number * spatial + (spatial == 2 ? 1 - place : place)];
        fractional_places((int64_t *)(uintptr_t)axis->first, (int64_t *)(uintptr_t)axis->end, axis, call->window[a], sample,
                          call->dtype);
    }
    call->pool.max(&pool, lines[0], lines[1], lines[2]);
}

/* ---- what is checked */

static bool fractional_windows(tni_pool_windows *windows, const tn_tensor *self, int64_t spatial, tn_dims kernel_size,
                               tn_dims output_size, const tn_tensor *samples, int64_t *window) {
    int64_t sizes[TNI_POOL_AXES];
    if (kernel_size.count == 0 || output_size.count == 0) {
        tni_raise(TN_ERROR_SHAPE, "kernel_size and output_size must be one number, or %" PRId64 " of them", spatial);
        return false;
    }
    for (int a = 0; a < TNI_POOL_AXES; a++)
        window[a] = 1;
    if (!tni_windows_spread(kernel_size, spatial, 1, "kernel_size", window + TNI_POOL_AXES - spatial) ||
        !tni_windows_spread(output_size, spatial, 1, "output_size", sizes) || !tni_pool_check_dtype(self, "self", "f") ||
        !tni_windows_check_self(self, spatial, false) ||
        !tni_windows_adaptive(windows, self, spatial, (tn_dims){sizes, spatial}))
        return false;
    for (int64_t d = 0; d < spatial; d++) {
        const tni_pool_axis *axis = &windows->pool.axis[TNI_POOL_AXES - spatial + d];
        int64_t wide = window[TNI_POOL_AXES - spatial + d];
        if (wide < 1 || axis->out < 1 || axis->out > axis->in || wide > axis->in ||
            axis->out + wide - (spatial == 3 ? 0 : 1) > axis->in) {
            tni_raise(TN_ERROR_SHAPE,
                      "%" PRId64 " windows (output_size) of %" PRId64
                      " elements (kernel_size) do not fit into a dimension of %" PRId64
                      ": output_size + kernel_size%s may be at most its size, and both are above 0",
                      axis->out, wide, axis->in, spatial == 3 ? "" : " - 1");
            return false;
        }
    }
    int64_t batch = self->ndim == spatial + 2 ? self->sizes[0] : 1, channels = self->sizes[self->ndim - spatial - 1];
    if (samples->ndim == 3 && samples->sizes[0] >= batch && samples->sizes[1] == channels && samples->sizes[2] == spatial &&
        samples->dtype == self->dtype)
        return true;
    tni_raise(samples->dtype == self->dtype ? TN_ERROR_SHAPE : TN_ERROR_DTYPE,
              "random_samples %s must be (%" PRId64 ", %" PRId64 ", %" PRId64
              ") numbers, for every plane one for each dimension, in the dtype "
              "of self %s",
              tni_show_tensor(samples), batch, channels, spatial, tni_show_tensor(self));
    return false;
}

static bool fractional_plan(tni_plan *plan, const tn_tensor *self, int64_t spatial, tn_dims kernel_size, tn_dims output_size,
                            const tn_tensor *samples) {
    int64_t window[TNI_POOL_AXES], sizes[TN_MAX_DIMS];
    tni_pool_windows windows;
    if (!fractional_windows(&windows, self, spatial, kernel_size, output_size, samples, window))
        return false;
    int64_t ndim = tni_windows_sizes(&windows, self, sizes);
    tni_plan_begin(plan, self);
    tni_plan_add(plan, ndim, sizes, self->dtype);
    tni_plan_add(plan, ndim, sizes, TN_INT64);
    return true;
}

static tn_error fractional_run(tn_tensor *const *results, const tn_tensor *self, int64_t spatial, tn_dims kernel_size,
                               tn_dims output_size, const tn_tensor *samples) {
    fractional_call call = {.dtype = self->dtype};
    tni_pool_windows *windows = &call.pool.windows;
    if (!fractional_windows(windows, self, spatial, kernel_size, output_size, samples, call.window))
        return tni_failed();
    if (results[0]->numel == 0)
        return TN_OK;
    tn_dtype compute = tni_plane_compute(self->dtype);
    tn_tensor *numbers = tni_clone_as(samples, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "samples are read one by one");
    if (!numbers)
        return tni_failed();
    call.samples = (const double *)(const void *)tni_tensor_read(numbers);
    call.pool.max = tni_kernels()->pool_max[tni_plane_kernel(compute)];
    size_t places = 0;
    for (int a = 0; a < TNI_POOL_AXES; a++)
        places += 2 * (size_t)windows->pool.axis[a].out;
    tni_planes planes = {.results = 2,
                         .operands = 3,
                         .operand = {{results[0], spatial, compute}, {results[1], spatial, TN_INT64}, {self, spatial, compute}},
                         .function = fractional_plane,
                         .context = &call,
                         .scratch = places * sizeof(int64_t)};
    tn_error code = tni_planes_run(&planes);
    tni_tensor_release(numbers);
    return code;
}

#define FRACTIONAL(name, spatial)                                                                                              \
    bool tni_plan_##name(tni_plan *plan, const tn_tensor *self, tn_dims kernel_size, tn_dims output_size,                      \
                         const tn_tensor *random_samples) {                                                                    \
        return fractional_plan(plan, self, spatial, kernel_size, output_size, random_samples);                                 \
    }                                                                                                                          \
    tn_error tni_run_##name(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims kernel_size,       \
                            tn_dims output_size, const tn_tensor *random_samples) {                                            \
        (void)plan;                                                                                                            \
        return fractional_run(results, self, spatial, kernel_size, output_size, random_samples);                               \
    }
FRACTIONAL(fractional_max_pool2d, 2)
FRACTIONAL(fractional_max_pool3d, 3)
