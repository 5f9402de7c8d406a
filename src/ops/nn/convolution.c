/* convolution.c - convolution, plain and transposed, as products with windows (iterate/windows.h).
 *
 * A convolution is one such product: a line for each channel of the result, a position for each of its elements, a tap for each element
 * of the kernel and channel of the input.
 *
 * A transposed one with stride s writes its element i from the inputs (i + padding - k * dilation) / s, for the taps k where that is
 * whole. So elements that leave the same rest when divided by s use the same taps, and the inputs of one are the neighbours of the
 * inputs of the next: for each rest there is one product, of every s-th element with some of the taps, whose windows move by 1. No
 * product has a factor of 0 but those beyond the edges.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "memory/allocator.h"
#include "operators_convolution.h"
#include "ops/nn/convolution.h"
#include "ops/product/product_call.h"
#include "tensor/show.h"

/* ---- windows */

/* The strides of dimensions of size 1 may be any numbers; they are not used. */
static void convolution_strides(const tn_tensor *tensor, int64_t to[TNI_CONVOLUTION_DIMS]) {
    tni_convolution_spread(tensor, tensor->strides, 0, to);
}

static void convolution_take_image(tni_windows *windows, const tn_tensor *image, int64_t groups) {
    windows->x.data = tni_tensor_read(image);
    windows->x.dtype = image->dtype;
    windows->x.image = image->strides[0];
    windows->x.channel = image->strides[1];
    windows->x.group = image->strides[1] * (image->sizes[1] / groups);
    tni_convolution_spread(image, image->sizes, 1, windows->x.sizes);
    convolution_strides(image, windows->x.strides);
}

/* Everything but what differs between plain and transposed ones: the taps, the positions, and where they are. */
static void convolution_begin(tni_windows *windows, const tni_convolution *convolution, tn_tensor *result,
                              const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                              tni_product_activation activation) {
    int64_t groups = convolution->groups, kernel[TNI_CONVOLUTION_DIMS], sizes[TNI_CONVOLUTION_DIMS];
    int64_t along[TNI_CONVOLUTION_DIMS], across[TNI_CONVOLUTION_DIMS];
    bool transposed = convolution->transposed;
    *windows = (tni_windows){.groups = groups, .lines = result->sizes[1] / groups, .activation = activation};
    windows->compute = tni_product_compute(input->dtype);
    convolution_take_image(windows, input, groups);
    tni_convolution_spread(weight, weight->sizes, 1, kernel);
    convolution_strides(weight, along);
    tni_convolution_spread(result, result->sizes, 1, sizes);
    convolution_strides(result, across);
    windows->y.data = tni_tensor_read(weight);
    windows->y.dtype = weight->dtype;
    windows->y.line = weight->strides[transposed ? 1 : 0];
    windows->y.group = weight->strides[0] * (weight->sizes[0] / groups);
    windows->y.along[TNI_WINDOW_DIMS] = weight->strides[transposed ? 0 : 1];
    windows->z.data = tni_tensor_write(result);
    windows->z.dtype = result->dtype;
    windows->z.line = result->strides[1];
    windows->z.group = result->strides[1] * windows->lines;
    windows->z.across[0] = result->strides[0];
    windows->positions[0] = result->sizes[0];
    windows->taps[TNI_WINDOW_DIMS] = input->sizes[1] / groups;
    for (int d = 0; d < TNI_WINDOW_DIMS; d++) {
        windows->taps[d] = kernel[d];
        windows->y.along[d] = along[d];
        windows->positions[d + 1] = sizes[d];
        windows->z.across[d + 1] = across[d];
        windows->x.origin[d] = -convolution->padding[d];
        windows->x.step[d] = convolution->stride[d];
        windows->x.tap_step[d] = convolution->dilation[d];
    }
    if (bias) {
        windows->bias.data = tni_tensor_read(bias);
        windows->bias.dtype = bias->dtype;
        windows->bias.line = bias->strides[0];
        windows->bias.group = bias->strides[0] * windows->lines;
    }
}

/* ---- transposed */

static int64_t convolution_divisor(int64_t a, int64_t b) {
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The elements of the result that leave `rest` when divided by the stride, in one dimension. `begun` is the convolution with all of its
 * elements and taps. False where there are none. */
static bool convolution_take_rest(tni_windows *windows, const tni_windows *begun, const tni_convolution *convolution, int d,
                                  int64_t rest, int64_t element, int64_t weight_element) {
    int64_t stride = convolution->stride[d], dilation = convolution->dilation[d], padding = convolution->padding[d];
    int64_t size = begun->positions[d + 1], kernel = begun->taps[d];
    int64_t divisor = convolution_divisor(dilation, stride), every = stride / divisor, first = 0;
    if (rest >= size)
        return false;
    while (first < every && (rest + padding - first * dilation) % stride != 0)
        first++;
    bool taken = first < every && first < kernel;
    windows->taps[d] = taken ? (kernel - first + every - 1) / every : 0;
    windows->positions[d + 1] = (size - rest + stride - 1) / stride;
    windows->x.origin[d] = taken ? (rest + padding - first * dilation) / stride : 0;
    windows->x.step[d] = 1;
    windows->x.tap_step[d] = -(dilation / divisor);
    windows->y.along[d] = every * begun->y.along[d];
    windows->z.across[d + 1] = stride * begun->z.across[d + 1];
    if (taken)
        windows->y.data = (const char *)windows->y.data + first * begun->y.along[d] * weight_element;
    windows->z.data = (char *)windows->z.data + rest * begun->z.across[d + 1] * element;
    return true;
}

static void convolution_exchange(int64_t *values, int a) {
    int64_t first = values[a];
    values[a] = values[a + 1];
    values[a + 1] = first;
}

/* A column of positions is looked at as a row: tiles go along the last dimension. With one tap in it, sums keep their order. */
static void convolution_lay_down(tni_windows *windows) {
    enum { ROW = 1 };
    if (windows->positions[ROW + 2] != 1 || windows->taps[ROW + 1] != 1 || windows->positions[ROW + 1] == 1)
        return;
    convolution_exchange(windows->positions, ROW + 1);
    convolution_exchange(windows->taps, ROW);
    convolution_exchange(windows->x.strides, ROW);
    convolution_exchange(windows->x.sizes, ROW);
    convolution_exchange(windows->x.origin, ROW);
    convolution_exchange(windows->x.step, ROW);
    convolution_exchange(windows->x.tap_step, ROW);
    convolution_exchange(windows->y.along, windows->over_positions ? ROW + 1 : ROW);
    convolution_exchange(windows->z.across, windows->over_positions ? ROW : ROW + 1);
}

/* Part `number` of a transposed convolution. */
static bool convolution_take_part(tni_windows *windows, const tni_windows *begun, const tni_convolution *convolution,
                                  int64_t number) {
    *windows = *begun;
    if (!convolution->transposed) {
        convolution_lay_down(windows);
        return true;
    }
    int64_t element = (int64_t)tni_dtype_size(begun->z.dtype), weight_element = (int64_t)tni_dtype_size(begun->y.dtype);
    for (int d = TNI_WINDOW_DIMS; d-- > 0;) {
        int64_t rests = tni_min_i64(convolution->stride[d], begun->positions[d + 1]);
        if (!convolution_take_rest(windows, begun, convolution, d, number % rests, element, weight_element))
            return false;
        number /= rests;
    }
    convolution_lay_down(windows);
    return true;
}

static int64_t convolution_parts(const tni_windows *begun, const tni_convolution *convolution) {
    int64_t parts = 1;
    for (int d = 0; convolution->transposed && d < TNI_WINDOW_DIMS; d++)
        parts *= tni_min_i64(convolution->stride[d], begun->positions[d + 1]);
    return parts;
}

/* ---- computing */

/* All parts, in memory that is taken before the first. */
static tn_error convolution_compute(const tni_windows *begun, const tni_convolution *convolution) {
    int64_t parts = convolution_parts(begun, convolution), threads = tn_num_threads();
    size_t bytes = 0;
    tni_windows windows;
    for (int64_t i = 0; i < parts; i++) {
        if (!convolution_take_part(&windows, begun, convolution, i))
            continue;
        size_t wanted = tni_windows_bytes(&windows, threads);
        bytes = wanted > bytes ? wanted : bytes;
    }
    bytes += 64;
    tn_allocator *allocator = tni_allocator_default_held(TN_CPU);
    if (!allocator)
        return tni_failed();
    tn_data_ptr pointer;
    tn_error code = TN_OK;
    if (tni_allocator_take_pointer(allocator, bytes, &pointer)) {
        char *data = pointer.data;
        data += (64 - (uintptr_t)data % 64) % 64;
        for (int64_t i = 0; i < parts && code == TN_OK; i++)
            if (convolution_take_part(&windows, begun, convolution, i))
                code = tni_windows_run(&windows, data, threads);
        tni_allocator_give_pointer(allocator, &pointer, bytes);
    } else {
        code = tni_failed();
    }
    tni_allocator_drop(allocator);
    return code;
}

tn_error tni_convolution_run(const tni_convolution *convolution, tn_tensor *result, const tn_tensor *input,
                             const tn_tensor *weight, const tn_tensor *bias, tni_product_activation activation) {
    tni_windows windows;
    if (result->numel == 0)
        return TN_OK;
    convolution_begin(&windows, convolution, result, input, weight, bias, activation);
    return convolution_compute(&windows, convolution);
}

tn_error tni_convolution_run_weight(const tni_convolution *convolution, tn_tensor *result, const tn_tensor *grad_output,
                                    const tn_tensor *input) {
    if (result->numel == 0)
        return TN_OK;
    const tn_tensor *image = convolution->transposed ? grad_output : input,
                    *lines = convolution->transposed ? input : grad_output;
    int64_t groups = convolution->groups, kernel[TNI_CONVOLUTION_DIMS], sizes[TNI_CONVOLUTION_DIMS];
    int64_t along[TNI_CONVOLUTION_DIMS], across[TNI_CONVOLUTION_DIMS];
    tni_windows windows = {.groups = groups, .lines = result->sizes[0] / groups, .over_positions = true};
    windows.compute = tni_product_compute(input->dtype);
    convolution_take_image(&windows, image, groups);
    tni_convolution_spread(lines, lines->sizes, 1, sizes);
    convolution_strides(lines, along);
    tni_convolution_spread(result, result->sizes, 1, kernel);
    convolution_strides(result, across);
    windows.y.data = tni_tensor_read(lines);
    windows.y.dtype = lines->dtype;
    windows.y.line = lines->strides[1];
    windows.y.group = lines->strides[1] * windows.lines;
    windows.y.along[0] = lines->strides[0];
    windows.z.data = tni_tensor_write(result);
    windows.z.dtype = result->dtype;
    windows.z.line = result->strides[0];
    windows.z.group = result->strides[0] * windows.lines;
    windows.z.across[TNI_WINDOW_DIMS] = result->strides[1];
    windows.positions[0] = lines->sizes[0];
    windows.taps[TNI_WINDOW_DIMS] = result->sizes[1];
    for (int d = 0; d < TNI_WINDOW_DIMS; d++) {
        windows.positions[d + 1] = sizes[d];
        windows.y.along[d + 1] = along[d];
        windows.taps[d] = kernel[d];
        windows.z.across[d] = across[d];
        windows.x.origin[d] = -convolution->padding[d];
        windows.x.step[d] = convolution->stride[d];
        windows.x.tap_step[d] = convolution->dilation[d];
    }
    tni_convolution plain = *convolution;
    plain.transposed = false;
    return convolution_compute(&windows, &plain);
}

/* ---- convolution */

static bool convolution_plan(tni_plan *plan, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                             const tni_convolution_arguments *arguments) {
    tni_product_argument first = {input, "input"}, second = {weight, "weight"}, added = {bias, "bias"};
    tni_convolution *convolution = (void *)plan->room;
    int64_t sizes[TN_MAX_DIMS];
    if (!tni_product_check_dtypes(first, second) || (bias && !tni_product_check_dtypes(first, added)) ||
        !tni_convolution_resolve(convolution, arguments, weight->ndim - 2) ||
        !tni_convolution_sizes(convolution, input, (tn_dims){weight->sizes, weight->ndim}, sizes))
        return false;
    if (bias && (bias->ndim != 1 || bias->sizes[0] != sizes[1])) {
        tni_raise(TN_ERROR_SHAPE,
                  "bias %s must be a vector with one element for each of the %" PRId64 " channels of the result",
                  tni_show_tensor(bias), sizes[1]);
        return false;
    }
    tni_plan_begin(plan, input);
    tni_convolution_plan_result(plan, input->ndim, sizes, input->dtype,
                                tni_convolution_channels_last(convolution, input, weight));
    return true;
}

_Static_assert(sizeof(tni_convolution) <= TNI_PLAN_ROOM, "a plan has room for it");

bool tni_plan_convolution(tni_plan *plan, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                          tn_dims stride, tn_dims padding, tn_dims dilation, bool transposed, tn_dims output_padding,
                          int64_t groups) {
    tni_convolution_arguments arguments = {stride, padding, dilation, output_padding, transposed, groups};
    return convolution_plan(plan, input, weight, bias, &arguments);
}

tn_error tni_run_convolution(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input, const tn_tensor *weight,
                             const tn_tensor *bias, tn_dims stride, tn_dims padding, tn_dims dilation, bool transposed,
                             tn_dims output_padding, int64_t groups) {
    (void)stride, (void)padding, (void)dilation, (void)transposed, (void)output_padding, (void)groups;
    return tni_convolution_run((const void *)plan->room, results[0], input, weight, bias, TNI_ACTIVATION_NONE);
}

bool tni_plan_convolution_fused(tni_plan *plan, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                tn_dims stride, tn_dims padding, tn_dims dilation, bool transposed, tn_dims output_padding,
                                int64_t groups, const char *activation) {
    tni_convolution_arguments arguments = {stride, padding, dilation, output_padding, transposed, groups};
    return convolution_plan(plan, input, weight, bias, &arguments) &&
           tni_product_find_activation(activation, input, &plan->number[0]);
}

tn_error tni_run_convolution_fused(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input,
                                   const tn_tensor *weight, const tn_tensor *bias, tn_dims stride, tn_dims padding,
                                   tn_dims dilation, bool transposed, tn_dims output_padding, int64_t groups,
                                   const char *activation) {
    (void)stride, (void)padding, (void)dilation, (void)transposed, (void)output_padding, (void)groups, (void)activation;
    return tni_convolution_run((const void *)plan->room, results[0], input, weight, bias,
                               (tni_product_activation)plan->number[0]);
}
