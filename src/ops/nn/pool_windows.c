/* pool_windows.c - which elements each window has. See pool_windows.h. */
#include "ops/nn/pool_windows.h"

#include "base/error.h"
#include "base/heap.h"

bool tni_windows_spread(tn_dims given, int64_t spatial, int64_t standard, const char *name, int64_t *values) {
    for (int64_t d = 0; d < spatial; d++)
        values[d] = given.count == 0 ? standard : given.values[given.count == 1 ? 0 : d < given.count ? d : 0];
    if (given.count <= 1 || given.count == spatial)
        return true;
    tni_raise(TN_ERROR_SHAPE, "%s %s must be one number, or %" PRId64 " of them", name,
              tni_show_dims(given.values, given.count), spatial);
    return false;
}

bool tni_windows_check_self(const tn_tensor *self, int64_t spatial, bool adaptive) {
    static const char *const last[] = {"length", "height, width", "depth, height, width"};
    if (self->ndim != spatial + 1 && self->ndim != spatial + 2) {
        tni_raise(TN_ERROR_SHAPE, "self %s must have %" PRId64 " dimensions (channels, %s), or a batch before them",
                  tni_show_tensor(self), spatial + 1, last[spatial - 1]);
        return false;
    }
    for (int64_t d = adaptive ? self->ndim - spatial : self->ndim - spatial - 1; d < self->ndim; d++)
        if (self->sizes[d] == 0) {
            tni_raise(TN_ERROR_SHAPE, "self %s has no elements along dimension %" PRId64 "; only the batch%s may be empty",
                      tni_show_tensor(self), d, adaptive ? " or the channels" : "");
            return false;
        }
    return true;
}

int64_t tni_windows_sizes(const tni_pool_windows *windows, const tn_tensor *self, int64_t *sizes) {
    int64_t outer = self->ndim - windows->spatial;
    for (int64_t d = 0; d < self->ndim; d++)
        sizes[d] = d < outer ? self->sizes[d] : windows->pool.axis[TNI_POOL_AXES - windows->spatial + d - outer].out;
    return self->ndim;
}

/* Dimensions that the tensor does not have are one element, in one window. */
static void pool_windows_begin(tni_pool_windows *windows, int64_t spatial) {
    *windows = (tni_pool_windows){.spatial = spatial, .keeps_format = spatial == 2};
    for (int a = 0; a < TNI_POOL_AXES; a++)
        windows->pool.axis[a] = (tni_pool_axis){.in = 1, .out = 1, .step = 1, .even = true, .stride = 1, .window = 1};
}

static bool windows_check(const int64_t *values, int64_t spatial, int64_t least, const char *name) {
    for (int64_t d = 0; d < spatial; d++)
        if (values[d] < least) {
            tni_raise(TN_ERROR_ARGUMENT, "%s %s must be %s", name, tni_show_dims(values, spatial),
                      least ? "above 0" : "0 or more");
            return false;
        }
    return true;
}

/* How many windows there are along a dimension of `axis->in` elements. */
static bool windows_count(tni_pool_axis *axis, bool ceil_mode) {
    int64_t reach, padded, window = axis->window, step = axis->step;
    if (tni_mul_overflows(step, window - 1, &reach) || tni_add_overflows(reach, 1, &reach) ||
        tni_mul_overflows(axis->padding, 2, &padded) || tni_add_overflows(padded, axis->in, &padded)) {
        tni_raise(TN_ERROR_ARGUMENT,
                  "a window of %" PRId64 " elements %" PRId64 " apart with a padding of %" PRId64 " is too large to count",
                  window, step, axis->padding);
        return false;
    }
    if (axis->padding > window / 2) {
        tni_raise(TN_ERROR_ARGUMENT, "padding %" PRId64 " is more than half of kernel_size %" PRId64, axis->padding, window);
        return false;
    }
    int64_t left = padded - reach, extra = ceil_mode ? axis->stride - 1 : 0;
    axis->out = left < 0 && left + extra < 0 ? 0 : (left + extra) / axis->stride + 1;
    if (ceil_mode && axis->out > 0 && (axis->out - 1) * axis->stride >= axis->in + axis->padding)
        axis->out--; /* the last window would begin behind the end */
    if (axis->out >= 1)
        return true;
    tni_raise(TN_ERROR_SHAPE,
              "there is no window along a dimension of %" PRId64
              " elements: (size + 2 * padding - dilation * (kernel_size - 1) - 1) / stride + 1 "
              "= (%" PRId64 " + 2 * %" PRId64 " - %" PRId64 " * (%" PRId64 " - 1) - 1) / %" PRId64 " + 1 is below 1",
              axis->in, axis->in, axis->padding, step, window, axis->stride);
    return false;
}

bool tni_windows_even(tni_pool_windows *windows, const tn_tensor *self, const tni_windows_call *call) {
    int64_t spatial = call->spatial, window[TNI_POOL_AXES], stride[TNI_POOL_AXES], padding[TNI_POOL_AXES],
            dilation[TNI_POOL_AXES];
    pool_windows_begin(windows, spatial);
    if (call->kernel_size.count == 0) {
        tni_raise(TN_ERROR_SHAPE, "kernel_size is empty; give one number, or %" PRId64 " of them", spatial);
        return false;
    }
    if (!tni_windows_spread(call->kernel_size, spatial, 1, "kernel_size", window) ||
        !tni_windows_spread(call->stride.count ? call->stride : call->kernel_size, spatial, 1, "stride", stride) ||
        !tni_windows_spread(call->padding, spatial, 0, "padding", padding) ||
        !tni_windows_spread(call->dilation, spatial, 1, "dilation", dilation) ||
        !windows_check(window, spatial, 1, "kernel_size") || !windows_check(stride, spatial, 1, "stride") ||
        !windows_check(padding, spatial, 0, "padding") || !windows_check(dilation, spatial, 1, "dilation") ||
        !tni_windows_check_self(self, spatial, false))
        return false;
    windows->padding_counts = call->padding_counts;
    windows->pool.divisor = call->divisor;
    for (int64_t d = 0; d < spatial; d++) {
        tni_pool_axis *axis = &windows->pool.axis[TNI_POOL_AXES - spatial + d];
        axis->in = self->sizes[self->ndim - spatial + d];
        axis->step = dilation[d];
        axis->stride = stride[d];
        axis->padding = padding[d];
        axis->window = window[d];
        if (!windows_count(axis, call->ceil_mode))
            return false;
    }
    return true;
}

bool tni_windows_adaptive(tni_pool_windows *windows, const tn_tensor *self, int64_t spatial, tn_dims output_size) {
    pool_windows_begin(windows, spatial);
    windows->adaptive = true;
    if (output_size.count != spatial) {
        tni_raise(TN_ERROR_SHAPE, "output_size %s must be %" PRId64 " number%s",
                  tni_show_dims(output_size.values, output_size.count), spatial, spatial == 1 ? "" : "s");
        return false;
    }
    if (!windows_check(output_size.values, spatial, 0, "output_size") || !tni_windows_check_self(self, spatial, true))
        return false;
    for (int64_t d = 0; d < spatial; d++) {
        tni_pool_axis *axis = &windows->pool.axis[TNI_POOL_AXES - spatial + d];
        int64_t most;
        axis->in = self->sizes[self->ndim - spatial + d];
        axis->out = output_size.values[d];
        if (tni_mul_overflows(axis->in, axis->out + 1, &most)) {
            tni_raise(TN_ERROR_ARGUMENT, "output_size %" PRId64 " times the size %" PRId64 " is too large to count", axis->out,
                      axis->in);
            return false;
        }
        axis->even = axis->out > 0 && axis->in % axis->out == 0;
        if (axis->even)
            axis->window = axis->stride = axis->in / axis->out;
    }
    return true;
}

/* Window o, its elements inside, and how many of them count. */
static void windows_fill(const tni_pool_windows *windows, const tni_pool_axis *axis, int64_t *first, int64_t *end,
                         int64_t *share) {
    for (int64_t o = 0; o < axis->out; o++) {
        if (windows->adaptive) {
            first[o] = o * axis->in / axis->out;
            end[o] = ((o + 1) * axis->in + axis->out - 1) / axis->out;
            share[o] = end[o] - first[o];
            continue;
        }
        int64_t begin = o * axis->stride - axis->padding, behind = begin + (axis->window - 1) * axis->step + 1;
        int64_t missing = begin < 0 ? (-begin + axis->step - 1) / axis->step : 0;
        first[o] = begin + missing * axis->step;
        end[o] = tni_min_i64(behind, axis->in);
        share[o] = windows->padding_counts ? tni_min_i64(behind, axis->in + axis->padding) - begin : end[o] - first[o];
        if (share[o] < 1)
            share[o] = 1; /* a window without elements: its sum is 0 */
    }
}

bool tni_windows_table(tni_pool_windows *windows) {
    windows->numbers = 0;
    for (int a = 0; a < TNI_POOL_AXES; a++)
        windows->numbers += 3 * windows->pool.axis[a].out;
    windows->room = tni_heap_alloc((size_t)windows->numbers * sizeof *windows->room);
    if (!windows->room)
        return false;
    int64_t *at = windows->room;
    for (int a = 0; a < TNI_POOL_AXES; a++) {
        tni_pool_axis *axis = &windows->pool.axis[a];
        windows_fill(windows, axis, at, at + axis->out, at + 2 * axis->out);
        axis->first = at;
        axis->end = at + axis->out;
        axis->share = at + 2 * axis->out;
        at += 3 * axis->out;
    }
    return true;
}

void tni_windows_drop(tni_pool_windows *windows) {
    if (windows->room)
        tni_heap_free(windows->room, (size_t)windows->numbers * sizeof *windows->room);
    windows->room = NULL;
}
