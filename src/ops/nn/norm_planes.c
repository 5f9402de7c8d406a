/* norm_planes.c - norms with the statistics they used: native_layer_norm, native_group_norm, and batch_norm by given statistics.
 *
 * All are (x - mean) * rstd * weight + bias. What differs is which elements share a mean, and which a weight: a line of layer_norm has one
 * mean and a weight for each element; a group of group_norm is planes of several channels, each with its own weight; batch_norm has a mean and
 * a weight for each channel, so that a channel is x * scale + shift. Sums are those of layer_norm: in blocks, corrected by a first mean,
 * added up in double. float16 and bfloat16 are computed in float32 and rounded once.
 */
#include <math.h>

#include "base/error.h"
#include "base/heap.h"
#include "kernels/table.h"
#include "operators_norms.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/nn/norm_check.h"
#include "ops/nn/planes.h"
#include "ops/plan.h"

/* ---- parameters: as float64, in a row; NULL for NULL */

typedef struct norm_numbers {
    tn_tensor *made[4];
    const double *values[4];
} norm_numbers;

static bool norm_numbers_read(norm_numbers *numbers, const tn_tensor *const *tensors, int count, tn_dtype dtype) {
    *numbers = (norm_numbers){0};
    for (int i = 0; i < count; i++) {
        if (!tensors[i])
            continue;
        numbers->made[i] =
            tensors[i]->dtype == (uint8_t)dtype && tni_tensor_is_contiguous(tensors[i])
                ? tni_tensor_retain(tensors[i])
                : tni_clone_as(tensors[i], dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, "a norm reads its parameters in a row");
        if (!numbers->made[i])
            return false;
        numbers->values[i] = (const double *)(const void *)tni_tensor_read(numbers->made[i]);
    }
    return true;
}

static void norm_numbers_drop(norm_numbers *numbers) {
    for (int i = 0; i < 4; i++)
        tni_tensor_release(numbers->made[i]);
}

/* ---- native_layer_norm */

typedef struct norm_line_call {
    tni_norm_moments_function moments;
    tni_norm_place_function place;
    const void *weight, *bias; /* of the dtype that is computed in */
    const double *weights, *biases;
    int64_t count, channels, groups; /* elements of a line; of group_norm: channels of a group, groups */
    double eps;
    tn_dtype compute;
} norm_line_call;

static void norm_store(void *to, tn_dtype compute, double value) {
    if (compute == TN_FLOAT64)
        *(double *)to = value;
    else
        *(float *)to = (float)value;
}

static void norm_layer_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const norm_line_call *call = context;
    tni_norm_moments of;
    (void)number, (void)scratch;
    call->moments(lines[3], call->count, &of);
    double rstd = 1 / sqrt(of.variance + call->eps);
    call->place(lines[0], lines[3], call->weight, call->bias, call->count, of.center, rstd, -of.left * rstd);
    norm_store(lines[1], call->compute, of.center + of.left);
    norm_store(lines[2], call->compute, rstd);
}

bool tni_plan_native_layer_norm(tni_plan *plan, const tn_tensor *input, tn_dims normalized_shape, const tn_tensor *weight,
                                const tn_tensor *bias, double eps) {
    int64_t sizes[TN_MAX_DIMS];
    (void)eps;
    if (!tni_norm_check_shape(input, normalized_shape) || !tni_norm_check_dtype(input, "input") ||
        !tni_norm_check_parameter(weight, normalized_shape, "weight") ||
        !tni_norm_check_parameter(bias, normalized_shape, "bias") || !tni_norm_check_mixture(input, weight, bias))
        return false;
    for (int64_t d = 0; d < input->ndim; d++)
        sizes[d] = d < input->ndim - normalized_shape.count ? input->sizes[d] : 1;
    tni_plan_begin(plan, input);
    tni_plan_add(plan, input->ndim, input->sizes, input->dtype);
    tni_plan_add(plan, input->ndim, sizes, tni_norm_statistics_dtype(input, weight, bias));
    tni_plan_add(plan, input->ndim, sizes, tni_norm_statistics_dtype(input, weight, bias));
    return true;
}

/* Without elements to normalise a mean is 0 and the rest NaN, as torch has them. */
static tn_error norm_fill_empty(tn_tensor *const *results) {
    tn_error code = tni_fill_into(results[1], tn_scalar_int(0));
    return code == TN_OK ? tni_fill_into(results[2], tn_scalar_float(NAN)) : code;
}

tn_error tni_run_native_layer_norm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input,
                                   tn_dims normalized_shape, const tn_tensor *weight, const tn_tensor *bias, double eps) {
    (void)plan;
    if (results[0]->numel == 0)
        return results[1]->numel ? norm_fill_empty(results) : TN_OK;
    tn_dtype compute = tni_plane_compute(input->dtype);
    norm_numbers numbers;
    int64_t merged = normalized_shape.count;
    bool ready = norm_numbers_read(&numbers, (const tn_tensor *const[]){weight, bias}, 2, compute);
    norm_line_call call = {.moments = tni_kernels()->norm_moments[compute == TN_FLOAT64],
                           .place = tni_kernels()->norm_place[compute == TN_FLOAT64],
                           .weight = numbers.values[0],
                           .bias = numbers.values[1],
                           .count = tni_plane_size(input, merged),
                           .eps = eps,
                           .compute = compute};
    tni_planes planes = {.results = 3,
                         .operands = 4,
                         .operand = {{results[0], merged, compute},
                                     {results[1], merged, compute},
                                     {results[2], merged, compute},
                                     {input, merged, compute}},
                         .function = norm_layer_line,
                         .context = &call};
    tn_error code = ready ? tni_planes_run(&planes) : tni_failed();
    norm_numbers_drop(&numbers);
    return code;
}

/* ---- native_group_norm */

static void norm_group_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const norm_line_call *call = context;
    tni_norm_moments of;
    size_t item = call->compute == TN_FLOAT64 ? sizeof(double) : sizeof(float);
    int64_t first = number % call->groups * call->channels, size = call->count / call->channels;
    (void)scratch;
    call->moments(lines[3], call->count, &of);
    double mean = of.center + of.left, rstd = 1 / sqrt(of.variance + call->eps);
    for (int64_t c = 0; c < call->channels; c++) {
        double factor = call->weights ? rstd * call->weights[first + c] : rstd, rest = -of.left * factor;
        size_t at = (size_t)(c * size) * item;
        call->place((char *)lines[0] + at, (const char *)lines[3] + at, NULL, NULL, size, of.center, factor,
                    call->biases ? rest + call->biases[first + c] : rest);
    }
    norm_store(lines[1], call->compute, mean);
    norm_store(lines[2], call->compute, rstd);
}

bool tni_plan_native_group_norm(tni_plan *plan, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                int64_t N, int64_t C, int64_t HxW, int64_t group, double eps) {
    int64_t sizes[2] = {N, group};
    (void)eps;
    if (!tni_norm_check_dtype(input, "input") || !tni_norm_check_groups(input, N, C, HxW, group) ||
        !tni_norm_check_parameter(weight, (tn_dims){&C, 1}, "weight") ||
        !tni_norm_check_parameter(bias, (tn_dims){&C, 1}, "bias") || !tni_norm_check_mixture(input, weight, bias))
        return false;
    tni_plan_begin(plan, input);
    tni_plan_add_format(plan, input->ndim, input->sizes, input->dtype,
                        input->ndim > 3 && tni_plane_is_channels_last(input, input->ndim - 2));
    tni_plan_add(plan, 2, sizes, tni_norm_statistics_dtype(input, weight, bias));
    tni_plan_add(plan, 2, sizes, tni_norm_statistics_dtype(input, weight, bias));
    return true;
}

/* A contiguous tensor, or a copy that is, as (N, group, the rest); written: one to write to. */
static tn_tensor *norm_group_view(const tn_tensor *tensor, int64_t N, int64_t group, bool written) {
    tn_tensor *row = tni_tensor_is_contiguous(tensor) ? tni_tensor_retain(tensor)
                     : written ? tni_tensor_new(tensor->ndim, tensor->sizes, tensor->dtype, TN_DEVICE_CPU)
                               : tni_clone_contiguous(tensor, "the channels of a group lie apart");
    int64_t sizes[3] = {N, group, tensor->numel / (N * group)};
    tn_tensor *view = row ? tni_op_view(row, (tn_dims){sizes, 3}) : NULL;
    tni_tensor_release(row);
    return view;
}

tn_error tni_run_native_group_norm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input,
                                   const tn_tensor *weight, const tn_tensor *bias, int64_t N, int64_t C, int64_t HxW,
                                   int64_t group, double eps) {
    (void)plan, (void)HxW;
    if (results[0]->numel == 0)
        return results[1]->numel ? norm_fill_empty(results) : TN_OK;
    tn_dtype compute = tni_plane_compute(input->dtype);
    norm_numbers numbers;
    bool ready = norm_numbers_read(&numbers, (const tn_tensor *const[]){weight, bias}, 2, TN_FLOAT64);
    tn_tensor *from = ready ? norm_group_view(input, N, group, false) : NULL,
              *to = from ? norm_group_view(results[0], N, group, true) : NULL;
    norm_line_call call = {.moments = tni_kernels()->norm_moments[compute == TN_FLOAT64],
                           .place = tni_kernels()->norm_place[compute == TN_FLOAT64],
                           .weights = numbers.values[0],
                           .biases = numbers.values[1],
                           .count = input->numel / (N * group),
                           .channels = C / group,
                           .groups = group,
                           .eps = eps,
                           .compute = compute};
    tni_planes planes = {.results = 3,
                         .operands = 4,
                         .operand = {{to, 1, compute}, {results[1], 0, compute}, {results[2], 0, compute}, {from, 1, compute}},
                         .function = norm_group_line,
                         .context = &call};
    tn_error code = to ? tni_planes_run(&planes) : tni_failed();
    if (code == TN_OK && to->storage != results[0]->storage) {
        tn_tensor *whole = tni_op_view(to, (tn_dims){results[0]->sizes, results[0]->ndim});
        code = whole ? tni_copy_into(results[0], whole, "the channels of a group lie apart") : tni_failed();
        tni_tensor_release(whole);
    }
    tni_tensor_release(from);
    tni_tensor_release(to);
    norm_numbers_drop(&numbers);
    return code;
}

/* ---- batch_norm by statistics that are given */

bool tni_plan__native_batch_norm_legit_no_training(tni_plan *plan, const tn_tensor *input, const tn_tensor *weight,
                                                   const tn_tensor *bias, const tn_tensor *running_mean,
                                                   const tn_tensor *running_var, double momentum, double eps) {
    static const int64_t none[1] = {0};
    (void)momentum, (void)eps;
    if (!tni_norm_check_batch(input, weight, bias, running_mean, running_var))
        return false;
    tni_plan_begin(plan, input);
    tni_plan_add_format(plan, input->ndim, input->sizes, input->dtype, tni_plane_is_channels_last(input, input->ndim - 2));
    tni_plan_add(plan, 1, none, running_mean->dtype);
    tni_plan_add(plan, 1, none, running_mean->dtype);
    return true;
}

typedef struct norm_batch_call {
    tni_norm_place_function place;
    const char *scale, *shift; /* (channels), of the dtype that is computed in */
    int64_t channels, count;   /* elements of a plane */
    tn_dtype compute;
} norm_batch_call;

static void norm_batch_plane(void *const *lines, int64_t number, void *scratch, void *context) {
    const norm_batch_call *call = context;
    int64_t c = number % call->channels;
    bool wide = call->compute == TN_FLOAT64;
    double scale =
        wide ? ((const double *)(const void *)call->scale)[c] : (double)((const float *)(const void *)call->scale)[c];
    double shift =
        wide ? ((const double *)(const void *)call->shift)[c] : (double)((const float *)(const void *)call->shift)[c];
    (void)scratch;
    call->place(lines[0], lines[1], NULL, NULL, call->count, 0, scale, shift);
}

static void norm_batch_row(void *const *lines, int64_t number, void *scratch, void *context) {
    const norm_batch_call *call = context;
    (void)number, (void)scratch;
    call->place(lines[0], lines[1], call->scale, call->shift, call->channels, 0, 1, 0);
}

static void norm_batch_rows(void *const *lines, int64_t many, void *context) {
    const norm_batch_call *call = context;
    size_t bytes = (size_t)call->channels * tni_dtype_size(call->compute);
    for (int64_t i = 0; i < many; i++)
        call->place((char *)lines[0] + (size_t)i * bytes, (const char *)lines[1] + (size_t)i * bytes, call->scale, call->shift,
                    call->channels, 0, 1, 0);
}

/* Where the elements of one place lie side by side, rows of channels are what is walked over; otherwise planes. */
static tn_error norm_batch_walk(tn_tensor *result, const tn_tensor *input, norm_batch_call *call) {
    if (call->count == 1 || (input->strides[1] == 1 && result->strides[1] == 1 && call->channels > 1)) {
        tni_lines_job job = {.ndim = input->ndim,
                             .dim = 1,
                             .sizes = input->sizes,
                             .operands = 2,
                             .operand = {tni_line_write(result, 1, call->compute), tni_line_read(input, 1, call->compute)},
                             .function = norm_batch_row,
                             .together = norm_batch_rows,
                             .context = call,
                             .device = TN_DEVICE_CPU};
        return tni_lines_run(&job);
    }
    tni_planes planes = {.results = 1,
                         .operands = 2,
                         .operand = {{result, input->ndim - 2, call->compute}, {input, input->ndim - 2, call->compute}},
                         .function = norm_batch_plane,
                         .context = call};
    return tni_planes_run(&planes);
}

tn_error tni_run__native_batch_norm_legit_no_training(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input,
                                                      const tn_tensor *weight, const tn_tensor *bias,
                                                      const tn_tensor *running_mean, const tn_tensor *running_var,
                                                      double momentum, double eps) {
    (void)plan, (void)momentum;
    if (results[0]->numel == 0)
        return TN_OK;
    tn_dtype compute = tni_plane_compute(input->dtype);
    int64_t channels = input->sizes[1];
    size_t item = tni_dtype_size(compute), bytes = 2 * (size_t)channels * item;
    norm_numbers numbers;
    bool ready =
        norm_numbers_read(&numbers, (const tn_tensor *const[]){running_mean, running_var, weight, bias}, 4, TN_FLOAT64);
    char *room = ready ? tni_heap_alloc(bytes) : NULL;
    for (int64_t c = 0; room && c < channels; c++) {
        double scale = 1 / sqrt(numbers.values[1][c] + eps) * (weight ? numbers.values[2][c] : 1);
        norm_store(room + (size_t)c * item, compute, scale);
        norm_store(room + (size_t)(channels + c) * item, compute,
                   (bias ? numbers.values[3][c] : 0) - numbers.values[0][c] * scale);
    }
    norm_batch_call call = {.place = tni_kernels()->norm_place[compute == TN_FLOAT64],
                            .scale = room,
                            .shift = room ? room + (size_t)channels * item : NULL,
                            .channels = channels,
                            .count = tni_plane_size(input, input->ndim - 2),
                            .compute = compute};
    tn_error code = room ? norm_batch_walk(results[0], input, &call) : tni_failed();
    if (room)
        tni_heap_free(room, bytes);
    norm_numbers_drop(&numbers);
    return code;
}
