/* pool_place.c - elements put back where a pooling found them: max_unpool, and the gradients of everything with indices.
 *
 * An index is a place in the plane of the result. One that is outside is found while the elements are placed, which is the only time that
 * indices are read; so a given result is written when all is done, as a whole.
 */
#include <stdatomic.h>

#include "base/error.h"
#include "operators_pooling.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/nn/planes.h"
#include "ops/nn/pool_call.h"

typedef struct place_call {
    tni_pool_place_function place;
    int64_t size, count, channels; /* of a plane; elements that go into it; channels that are next to each other, or 1 */
    bool adds;
    _Atomic bool outside;
} place_call;

static void place_plane(void *const *lines, int64_t number, void *scratch, void *context) {
    place_call *call = context;
    (void)number, (void)scratch;
    if (!call->place(lines[0], call->size, lines[1], lines[2], call->count, call->channels, call->adds))
        atomic_store_explicit(&call->outside, true, memory_order_relaxed);
}

tn_error tni_pool_run_place(tn_tensor *result, const tn_tensor *from, const tn_tensor *indices, int64_t spatial, bool adds) {
    if (from->numel == 0)
        return tni_fill_into(result, tn_scalar_int(0));
    tn_dtype compute = tni_plane_compute(result->dtype);
    place_call call = {.place = tni_kernels()->pool_place[tni_plane_kernel(compute)],
                       .size = tni_plane_size(result, spatial),
                       .count = tni_plane_size(from, spatial),
                       .channels = 1,
                       .adds = adds};
    tni_planes planes = {.results = 1,
                         .operands = 3,
                         .operand = {{result, spatial, compute}, {from, spatial, compute}, {indices, spatial, TN_INT64}},
                         .function = place_plane,
                         .context = &call};
    tn_tensor *views[3] = {NULL, NULL, NULL};
    bool last = spatial == 2, ready = true; /* all have their channels last: an image is one volume */
    for (int i = 0; i < 3; i++)
        last = last && tni_plane_is_channels_last(planes.operand[i].tensor, 2);
    for (int i = 0; i < 3 && last && ready; i++) {
        ready = (views[i] = tni_op_permute(planes.operand[i].tensor, TN_DIMS(0, 2, 3, 1))) != NULL;
        planes.operand[i].tensor = views[i];
        planes.operand[i].merged = 3;
        call.channels = result->sizes[1];
    }
    tn_error code = !ready ? tni_failed() : result->numel ? tni_planes_run(&planes) : TN_OK;
    for (int i = 0; i < 3; i++)
        tni_tensor_release(views[i]);
    if (code == TN_OK && (result->numel == 0 || atomic_load_explicit(&call.outside, memory_order_relaxed)))
        return tni_raise(TN_ERROR_INDEX,
                         "indices has a number outside of its plane, which has %s elements: they go from 0 to %" PRId64,
                         tni_show_dims(result->sizes + result->ndim - spatial, spatial), call.size - 1);
    return code;
}

/* ---- max_pool_with_indices_backward, fractional_max_pool_backward */

static bool place_plan_back(tni_plan *plan, const tni_pool_windows *windows, const tn_tensor *grad, const tn_tensor *self,
                            const tn_tensor *indices, bool keeps_format) {
    return tni_pool_check_gradient(windows, self, grad, "grad_output", self->dtype) &&
           tni_pool_check_gradient(windows, self, indices, "indices", TN_INT64) &&
           (plan->beside = tni_pool_plan_gradient(plan, self, windows->spatial, keeps_format));
}

#define PLACE_BACK(name, spatial_count)                                                                                        \
    bool tni_plan_##name(tni_plan *plan, const tn_tensor *grad_output, const tn_tensor *self, tn_dims kernel_size,             \
                         tn_dims stride, tn_dims padding, tn_dims dilation, bool ceil_mode, const tn_tensor *indices) {        \
        tni_pool_windows windows;                                                                                              \
        return tni_pool_check_dtype(self, "self", "i") &&                                                                      \
               tni_windows_even(&windows, self,                                                                                \
                                &(tni_windows_call){.spatial = spatial_count,                                                  \
                                                    .kernel_size = kernel_size,                                                \
                                                    .stride = stride,                                                          \
                                                    .padding = padding,                                                        \
                                                    .dilation = dilation,                                                      \
                                                    .ceil_mode = ceil_mode}) &&                                                \
               place_plan_back(plan, &windows, grad_output, self, indices, true);                                              \
    }                                                                                                                          \
    tn_error tni_run_##name(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,                     \
                            const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding, tn_dims dilation,     \
                            bool ceil_mode, const tn_tensor *indices) {                                                        \
        (void)plan, (void)self, (void)kernel_size, (void)stride, (void)padding, (void)dilation, (void)ceil_mode;               \
        return tni_pool_run_place(results[0], grad_output, indices, spatial_count, true);                                      \
    }
PLACE_BACK(max_pool2d_with_indices_backward, 2)
PLACE_BACK(max_pool3d_with_indices_backward, 3)

#define PLACE_FRACTIONAL_BACK(name, spatial)                                                                                   \
    bool tni_plan_##name(tni_plan *plan, const tn_tensor *grad_output, const tn_tensor *self, tn_dims kernel_size,             \
                         tn_dims output_size, const tn_tensor *indices) {                                                      \
        tni_pool_windows windows;                                                                                              \
        (void)kernel_size;                                                                                                     \
        return tni_pool_check_dtype(self, "self", "f") && tni_windows_adaptive(&windows, self, spatial, output_size) &&        \
               place_plan_back(plan, &windows, grad_output, self, indices, false);                                             \
    }                                                                                                                          \
    tn_error tni_run_##name(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,                     \
                            const tn_tensor *self, tn_dims kernel_size, tn_dims output_size, const tn_tensor *indices) {       \
        (void)plan, (void)self, (void)kernel_size, (void)output_size;                                                          \
        return tni_pool_run_place(results[0], grad_output, indices, spatial, true);                                            \
    }
PLACE_FRACTIONAL_BACK(fractional_max_pool2d_backward, 2)
PLACE_FRACTIONAL_BACK(fractional_max_pool3d_backward, 3)

/* ---- max_unpool2d, max_unpool3d */

static bool place_plan_unpool(tni_plan *plan, const tn_tensor *self, const tn_tensor *indices, int64_t spatial,
                              tn_dims output_size) {
    int64_t sizes[TN_MAX_DIMS];
    tni_pool_windows windows;
    if (!tni_pool_check_dtype(self, "self", "i") || !tni_windows_adaptive(&windows, self, spatial, output_size))
        return false;
    bool same =
        indices->ndim == self->ndim && memcmp(indices->sizes, self->sizes, (size_t)self->ndim * sizeof *self->sizes) == 0;
    if (!same || indices->dtype != TN_INT64) {
        tni_raise(same ? TN_ERROR_DTYPE : TN_ERROR_SHAPE, "indices %s must be int64 and have the sizes of self %s",
                  tni_show_tensor(indices), tni_show_tensor(self));
        return false;
    }
    tni_plan_begin(plan, self);
    plan->beside = true;
    tni_plan_add_format(plan, tni_windows_sizes(&windows, self, sizes), sizes, self->dtype,
                        spatial == 2 && tni_plane_is_channels_last(self, spatial));
    return true;
}

bool tni_plan_max_unpool2d(tni_plan *plan, const tn_tensor *self, const tn_tensor *indices, tn_dims output_size) {
    return place_plan_unpool(plan, self, indices, 2, output_size);
}

tn_error tni_run_max_unpool2d(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *indices,
                              tn_dims output_size) {
    (void)plan, (void)output_size;
    return tni_pool_run_place(results[0], self, indices, 2, false);
}

/* stride and padding are checked, and say nothing that output_size does not. */
static bool place_check_triple(tn_dims given, int64_t least, const char *name) {
    for (int64_t d = 0; given.count == TNI_POOL_AXES && d < given.count; d++)
        if (given.values[d] < least)
            given.count = 0;
    if (given.count != TNI_POOL_AXES)
        tni_raise(TN_ERROR_ARGUMENT, "%s must be three numbers from %" PRId64 " on", name, least);
    return given.count == TNI_POOL_AXES;
}

bool tni_plan_max_unpool3d(tni_plan *plan, const tn_tensor *self, const tn_tensor *indices, tn_dims output_size, tn_dims stride,
                           tn_dims padding) {
    return place_check_triple(stride, 1, "stride") && place_check_triple(padding, 0, "padding") &&
           place_plan_unpool(plan, self, indices, 3, output_size);
}

tn_error tni_run_max_unpool3d(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *indices,
                              tn_dims output_size, tn_dims stride, tn_dims padding) {
    (void)plan, (void)output_size, (void)stride, (void)padding;
    return tni_pool_run_place(results[0], self, indices, 3, false);
}
