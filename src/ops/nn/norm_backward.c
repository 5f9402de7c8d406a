/* norm_backward.c - gradients of the norms, as operators of ATen: native_layer_norm_backward, native_group_norm_backward,
 * native_batch_norm_backward.
 *
 * With y = (x - mean) * rstd, a gradient g of y * weight + bias is, for weight, the sum of g * y over all that share it; for bias, that of g;
 * and for x, h = g * weight without what moves mean and rstd: rstd * (h - mean(h) - y * mean(h * y)), where the means are over what shares a mean.
 * An output_mask of three numbers says which are wanted, 0 or 1; what is not is a tensor without elements. All of it is written with public
 * operators, so it has gradients itself. float16 and bfloat16 are computed in float32. Where nothing is recorded, and everything is on
 * the CPU, norm_backward_run.c does it in two passes over memory; that is not shorter for planes of a few elements.
 */
#include "base/error.h"
#include "base/scope.h"
#include "dispatch/dispatch.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_math.h"
#include "operators_norms.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "ops/limits.h"
#include "ops/nn/norm_backward_run.h"
#include "ops/nn/norm_check.h"
#include "ops/nn/planes.h"

typedef struct back_call {
    const tn_tensor *grad, *input, *mean, *rstd, *weight; /* that fit by broadcasting; weight, and a mean of 0, may be NULL */
    tn_dims shared; /* the dimensions over which elements share a mean; none: the statistics do not depend on input */
    tn_dims same;   /* the dimensions over which they share a weight, kept with size 1 */
} back_call;

static bool back_wants(tn_dims mask, int i) { return mask.values[i] != 0; }

static bool back_check(const tn_tensor *grad, const tn_tensor *input, tn_dims mask) {
    bool same = grad->ndim == input->ndim;
    for (int64_t d = 0; same && d < input->ndim; d++)
        same = grad->sizes[d] == input->sizes[d];
    if (!same || grad->dtype != input->dtype) {
        tni_raise(same ? TN_ERROR_DTYPE : TN_ERROR_SHAPE, "grad_out %s must have the sizes and the dtype of input %s",
                  tni_show_tensor(grad), tni_show_tensor(input));
        return false;
    }
    if (mask.count == 3)
        return tni_norm_check_dtype(input, "input");
    tni_raise(TN_ERROR_ARGUMENT, "output_mask has %" PRId64 " numbers; give three, 1 or 0 for each of the gradients",
              mask.count);
    return false;
}

/* Whether there are numbers for statistics: as many as they are for. */
static bool back_check_statistics(const tn_tensor *tensor, int64_t count, const char *name) {
    if (tensor && tensor->numel == count)
        return true;
    tni_raise(TN_ERROR_SHAPE, "%s %s must have %" PRId64 " numbers", name, tensor ? tni_show_tensor(tensor) : "none", count);
    return false;
}

/* Whether there is nothing to record: then loops do it. */
static bool back_is_plain(const tn_tensor *const *tensors, int count) {
    for (int i = 0; i < count; i++)
        if (tensors[i] && (tni_tensor_device(tensors[i]).type != TN_CPU ||
                           tni_keys_add_thread(tni_keys_of_tensor(tensors[i])) & TN_KEYS(TN_KEY_AUTOGRAD)))
            return false;
    return true;
}

static tn_tensor *back_wide(const tn_tensor *tensor) { return tn_to(tensor, tni_plane_compute(tensor->dtype)); }

/* The gradients of input, weight and bias, those that are wanted; `dtype` is that of the last two, `sizes` theirs. */
static tn_list *back_run(const back_call *call, const tn_tensor *input, tn_dims sizes, tn_dtype dtype, tn_dims mask) {
    tn_tensor *results[3] = {NULL, NULL, NULL};
    tn_tensor *y = tn_mul(call->mean ? tn_sub(call->input, call->mean) : call->input, call->rstd);
    if (back_wants(mask, 0)) {
        const tn_tensor *h = call->weight ? tn_mul(call->grad, call->weight) : call->grad;
        tn_tensor *dx = (tn_tensor *)(uintptr_t)h;
        if (call->shared.count) {
            tn_tensor *along = tn_mul(y, tn_mean_dim(tn_mul(h, y), call->shared, true, TN_DTYPE_DEFAULT));
            dx = tn_sub(call->mean ? tn_sub(h, tn_mean_dim(h, call->shared, true, TN_DTYPE_DEFAULT)) : h, along);
        }
        results[0] = tn_reshape(tn_to(tn_mul(dx, call->rstd), input->dtype), tn_sizes(input));
    }
    if (back_wants(mask, 1))
        results[1] = tn_reshape(tn_to(tn_sum_dim(tn_mul(call->grad, y), call->same, true, TN_DTYPE_DEFAULT), dtype), sizes);
    if (back_wants(mask, 2))
        results[2] = tn_reshape(tn_to(tn_sum_dim(call->grad, call->same, true, TN_DTYPE_DEFAULT), dtype), sizes);
    for (int i = 0; i < 3; i++) {
        if (!back_wants(mask, i))
            results[i] = tn_empty(TN_DIMS(0), i ? dtype : (tn_dtype)input->dtype);
        if (!results[i])
            return NULL;
    }
    return tn_list_new((const tn_tensor *const *)results, 3);
}

/* Nothing to normalise: zeros. */
static tn_list *back_zeros(const tn_tensor *input, tn_dims sizes, tn_dtype dtype, tn_dims mask) {
    tn_tensor *results[3] = {back_wants(mask, 0) ? tn_zeros(tn_sizes(input), input->dtype) : tn_empty(TN_DIMS(0), input->dtype),
                             back_wants(mask, 1) ? tn_zeros(sizes, dtype) : tn_empty(TN_DIMS(0), dtype),
                             back_wants(mask, 2) ? tn_zeros(sizes, dtype) : tn_empty(TN_DIMS(0), dtype)};
    return results[0] && results[1] && results[2] ? tn_list_new((const tn_tensor *const *)results, 3) : NULL;
}

/* ---- layer_norm */

/* How many elements a line has; -1, raised, where something does not fit. */
static int64_t back_line_length(const tn_tensor *grad_out, const tn_tensor *input, tn_dims shape, const tn_tensor *weight,
                                const tn_tensor *bias, tn_dims mask) {
    int64_t elements = 1;
    if (!back_check(grad_out, input, mask) || !tni_norm_check_shape(input, shape) ||
        !tni_norm_check_parameter(weight, shape, "weight") || !tni_norm_check_mixture(input, weight, bias))
        return -1;
    for (int64_t d = 0; d < shape.count; d++)
        elements *= shape.values[d];
    return elements;
}

static tn_list *back_lines(const tn_tensor *grad_out, const tn_tensor *input, tn_dims shape, const tn_tensor *mean,
                           const tn_tensor *rstd, const tn_tensor *weight, tn_dtype dtype, int64_t elements, tn_dims mask) {
    int64_t lines = input->numel / elements;
    tn_dims matrix = TN_DIMS(lines, elements), column = TN_DIMS(lines, 1);
    back_call call = {.grad = tn_reshape(back_wide(grad_out), matrix),
                      .input = tn_reshape(back_wide(input), matrix),
                      .mean = mean ? tn_reshape(back_wide(mean), column) : NULL,
                      .rstd = tn_reshape(back_wide(rstd), column),
                      .weight = weight ? tn_reshape(back_wide(weight), TN_DIMS(1, elements)) : NULL,
                      .shared = TN_DIMS(1),
                      .same = TN_DIMS(0)};
    return (weight && !call.weight) || (mean && !call.mean) ? NULL : back_run(&call, input, shape, dtype, mask);
}

tn_list *tni_composite_native_layer_norm_backward(const tn_tensor *grad_out, const tn_tensor *input, tn_dims normalized_shape,
                                                  const tn_tensor *mean, const tn_tensor *rstd, const tn_tensor *weight,
                                                  const tn_tensor *bias, tn_dims output_mask) {
    int64_t elements = back_line_length(grad_out, input, normalized_shape, weight, bias, output_mask);
    if (elements < 0)
        return NULL;
    tn_dtype dtype = tni_norm_statistics_dtype(input, weight, bias);
    if (input->numel == 0)
        return back_zeros(input, normalized_shape, dtype, output_mask);
    int64_t lines = input->numel / elements;
    if (!back_check_statistics(mean, lines, "mean") || !back_check_statistics(rstd, lines, "rstd"))
        return NULL;
    tni_norm_backward call = {
        .grad = grad_out, .input = input, .weight = weight, .mean = mean, .rstd = rstd, .lines = lines, .centred = true};
    if (back_is_plain((const tn_tensor *[]){grad_out, input, weight, mean, rstd}, 5))
        return tni_scope_adopt(tni_norm_backward_run(&call, dtype, normalized_shape, output_mask));
    return back_lines(grad_out, input, normalized_shape, mean, rstd, weight, dtype, elements, output_mask);
}

tn_list *tni_composite__layer_norm_backward(const tn_tensor *grad_out, const tn_tensor *input, tn_dims normalized_shape,
                                            const tn_tensor *weight, double eps, bool centred, tn_dims output_mask) {
    int64_t elements = back_line_length(grad_out, input, normalized_shape, weight, NULL, output_mask);
    if (elements < 0)
        return NULL;
    tn_dtype dtype = tni_norm_statistics_dtype(input, weight, NULL);
    if (input->numel == 0)
        return back_zeros(input, normalized_shape, dtype, output_mask);
    tni_norm_backward call = {.grad = grad_out,
                              .input = input,
                              .weight = weight,
                              .lines = input->numel / elements,
                              .eps = eps,
                              .finds = true,
                              .centred = centred};
    if (back_is_plain((const tn_tensor *[]){grad_out, input, weight}, 3))
        return tni_scope_adopt(tni_norm_backward_run(&call, dtype, normalized_shape, output_mask));
    tn_tensor *x = tn_reshape(back_wide(input), TN_DIMS(input->numel / elements, elements));
    tn_tensor *mean = centred ? tn_mean_dim(x, TN_DIMS(1), true, TN_DTYPE_DEFAULT) : NULL;
    tn_tensor *away = centred ? tn_sub(x, mean) : x;
    tn_tensor *rstd =
        tn_rsqrt(tn_add_scalar(tn_mean_dim(tn_mul(away, away), TN_DIMS(1), true, TN_DTYPE_DEFAULT), tn_scalar_float(eps)));
    return rstd ? back_lines(grad_out, input, normalized_shape, mean, rstd, weight, dtype, elements, output_mask) : NULL;
}

/* ---- group_norm */

tn_list *tni_composite_native_group_norm_backward(const tn_tensor *grad_out, const tn_tensor *input, const tn_tensor *mean,
                                                  const tn_tensor *rstd, const tn_tensor *weight, int64_t N, int64_t C,
                                                  int64_t HxW, int64_t group, tn_dims output_mask) {
    if (!back_check(grad_out, input, output_mask) || !tni_norm_check_groups(input, N, C, HxW, group) ||
        !tni_norm_check_parameter(weight, (tn_dims){&C, 1}, "weight") || !tni_norm_check_mixture(input, weight, NULL))
        return NULL;
    tn_dtype dtype = tni_norm_statistics_dtype(input, weight, NULL);
    if (input->numel == 0)
        return back_zeros(input, TN_DIMS(C), dtype, output_mask);
    if (!back_check_statistics(mean, N * group, "mean") || !back_check_statistics(rstd, N * group, "rstd"))
        return NULL;
    tni_norm_backward at_once = {.grad = grad_out,
                                 .input = input,
                                 .weight = weight,
                                 .mean = mean,
                                 .rstd = rstd,
                                 .lines = N * C,
                                 .channels = C,
                                 .groups = group,
                                 .shares = true};
    if (HxW >= NORM_BACK_LEAST && back_is_plain((const tn_tensor *[]){grad_out, input, weight, mean, rstd}, 5))
        return tni_scope_adopt(tni_norm_backward_run(&at_once, dtype, TN_DIMS(C), output_mask));
    tn_dims grid = TN_DIMS(N, group, C / group, HxW), groups = TN_DIMS(N, group, 1, 1);
    back_call call = {.grad = tn_reshape(back_wide(grad_out), grid),
                      .input = tn_reshape(back_wide(input), grid),
                      .mean = tn_reshape(back_wide(mean), groups),
                      .rstd = tn_reshape(back_wide(rstd), groups),
                      .weight = weight ? tn_reshape(back_wide(weight), TN_DIMS(1, group, C / group, 1)) : NULL,
                      .shared = TN_DIMS(2, 3),
                      .same = TN_DIMS(0, 3)};
    return weight && !call.weight ? NULL : back_run(&call, input, TN_DIMS(C), dtype, output_mask);
}

/* ---- batch_norm */

tn_list *tni_composite_native_batch_norm_backward(const tn_tensor *grad_out, const tn_tensor *input, const tn_tensor *weight,
                                                  const tn_tensor *running_mean, const tn_tensor *running_var,
                                                  const tn_tensor *save_mean, const tn_tensor *save_invstd, bool train,
                                                  double eps, tn_dims output_mask) {
    if (!back_check(grad_out, input, output_mask) || !tni_norm_check_batch(input, weight, NULL, running_mean, running_var))
        return NULL;
    int64_t channels = input->sizes[1], batch = input->sizes[0];
    const tn_tensor *mean = train ? save_mean : running_mean;
    tn_dtype dtype = tni_norm_statistics_dtype(input, weight, mean);
    if (input->numel == 0)
        return back_zeros(input, TN_DIMS(channels), dtype, output_mask);
    if (!back_check_statistics(mean, channels, train ? "save_mean" : "running_mean") ||
        !back_check_statistics(train ? save_invstd : running_var, channels, train ? "save_invstd" : "running_var"))
        return NULL;
    tni_norm_backward at_once = {.grad = grad_out,
                                 .input = input,
                                 .weight = weight,
                                 .mean = mean,
                                 .rstd = train ? save_invstd : running_var,
                                 .lines = batch * channels,
                                 .channels = channels,
                                 .eps = eps,
                                 .shares = train,
                                 .variances = !train};
    if (input->numel / (batch * channels) >= NORM_BACK_LEAST &&
        back_is_plain((const tn_tensor *[]){grad_out, input, weight, mean, at_once.rstd}, 5))
        return tni_scope_adopt(tni_norm_backward_run(&at_once, dtype, TN_DIMS(channels), output_mask));
    tn_dims grid = TN_DIMS(batch, channels, input->numel / (batch * channels)), column = TN_DIMS(1, channels, 1);
    const tn_tensor *rstd =
        train ? back_wide(save_invstd) : tn_rsqrt(tn_add_scalar(back_wide(running_var), tn_scalar_float(eps)));
    back_call call = {.grad = tn_reshape(back_wide(grad_out), grid),
                      .input = tn_reshape(back_wide(input), grid),
                      .mean = tn_reshape(back_wide(mean), column),
                      .rstd = tn_reshape(rstd, column),
                      .weight = weight ? tn_reshape(back_wide(weight), column) : NULL,
                      .shared = train ? TN_DIMS(0, 2) : TN_DIMS(),
                      .same = TN_DIMS(0, 2)};
    return weight && !call.weight ? NULL : back_run(&call, input, TN_DIMS(channels), dtype, output_mask);
}
