/* norm_batch.c - norms over channels that also know statistics of their own: batch_norm, instance_norm; group_norm and local_response_norm
 * by name.
 *
 * Training takes the mean and the variance of each channel from input, and then does what evaluation does with statistics that are given. What
 * was counted before moves towards them: running = (1 - momentum) * running + momentum * found, where the variance of a sample counts
 * n / (n - 1) of its own. float16 and bfloat16 are summed as float32.
 */
#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_math.h"
#include "operators_move.h"
#include "operators_norms.h"
#include "operators_pooling.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "ops/nn/norm_check.h"
#include "ops/nn/planes.h"

/* ---- batch_norm */

/* The variance and the mean of each channel, in the dtype that is computed in. */
static tn_list *batch_find(const tn_tensor *input) {
    int64_t dims[TN_MAX_DIMS], count = 0;
    for (int64_t d = 0; d < input->ndim; d++)
        if (d != 1)
            dims[count++] = d;
    tn_tensor *wide = tn_to(input, tni_plane_compute(input->dtype));
    return tn_var_mean_correction(wide, ((tn_dims){dims, count}), tn_scalar_int(0), false);
}

tn_list *tni_composite__batch_norm_training(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                            double eps) {
    tn_list *found = tni_norm_check_batch(input, weight, bias, NULL, NULL) ? batch_find(input) : NULL;
    if (!found)
        return NULL;
    tn_tensor *var = tn_list_at(found, 0), *mean = tn_list_at(found, 1);
    tn_list *made = tn__native_batch_norm_legit_no_training(input, weight, bias, mean, var, 0, eps);
    tn_tensor *results[4] = {made ? tn_list_at(made, 0) : NULL, mean, tn_rsqrt(tn_add_scalar(var, tn_scalar_float(eps))), var};
    return results[0] && results[2] ? tn_list_new((const tn_tensor *const *)results, 4) : NULL;
}

/* The first three, statistics as `dtype`. */
static tn_list *batch_results(tn_list *made, tn_dtype dtype) {
    tn_tensor *results[3] = {tn_list_at(made, 0), tn_to(tn_list_at(made, 1), dtype), tn_to(tn_list_at(made, 2), dtype)};
    return results[1] && results[2] ? tn_list_new((const tn_tensor *const *)results, 3) : NULL;
}

/* What `running` becomes: found, times `part` where that is not 1, counts `momentum`. */
static tn_tensor *batch_moved(const tn_tensor *running, tn_tensor *found, double momentum, double part) {
    if (!found)
        return NULL;
    tn_tensor *before = tn_mul_scalar(tn_to(running, tn_dtype_of(found)), tn_scalar_float(1 - momentum));
    return tn_to(tn_add(before, tn_mul_scalar(found, tn_scalar_float(momentum * part))), running->dtype);
}

static bool batch_check_running(const tn_tensor *running, const char *name) {
    if (!tni_tensor_overlaps_itself(running))
        return tni_tensor_prepare_write((tn_tensor *)(uintptr_t)running);
    tni_raise(TN_ERROR_OVERLAP, "%s %s cannot be written: several of its elements share a place", name,
              tni_show_tensor(running));
    return false;
}

tn_list *tni_composite__native_batch_norm_legit_no_stats(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                                         bool training, double momentum, double eps) {
    (void)training, (void)momentum; /* there is nothing else to take the statistics from */
    tn_list *made = tn__batch_norm_training(input, weight, bias, eps);
    return made ? batch_results(made, tni_norm_statistics_dtype(input, weight, bias)) : NULL;
}

tn_list *tni_composite__native_batch_norm_legit(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                                tn_tensor *running_mean, tn_tensor *running_var, bool training, double momentum,
                                                double eps) {
    if (!tni_norm_check_batch(input, weight, bias, running_mean, running_var))
        return NULL;
    if (!training)
        return tn__native_batch_norm_legit_no_training(input, weight, bias, running_mean, running_var, momentum, eps);
    if (!batch_check_running(running_mean, "running_mean") || !batch_check_running(running_var, "running_var"))
        return NULL;
    tn_list *made = tn__batch_norm_training(input, weight, bias, eps);
    if (!made)
        return NULL;
    int64_t share = input->sizes[1] ? input->numel / input->sizes[1] : 0;
    double count = (double)share;
    tn_list *results = batch_results(made, tn_dtype_of(running_mean));
    if (share == 0) /* nothing was counted */
        return results;
    tn_tensor *mean = batch_moved(running_mean, tn_detach(tn_list_at(made, 1)), momentum, 1);
    tn_tensor *var = batch_moved(running_var, tn_detach(tn_list_at(made, 3)), momentum, count / (count - 1));
    if (!results || !mean || !var || !tn_copy_(running_mean, mean) || !tn_copy_(running_var, var))
        return NULL;
    return results;
}

/* What was counted before is changed by training, though it need not be given. */
tn_list *tni_composite_native_batch_norm(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                         const tn_tensor *running_mean, const tn_tensor *running_var, bool training,
                                         double momentum, double eps) {
    if (!running_mean != !running_var || (!running_mean && !training))
        return tni_raise_null(TN_ERROR_ARGUMENT, "%s: give running_mean and running_var both%s",
                              running_mean || running_var ? "only one of two statistics is given"
                                                          : "without training statistics are needed",
                              training ? ", or neither" : "");
    return running_mean ? tn__native_batch_norm_legit(input, weight, bias, (tn_tensor *)(uintptr_t)running_mean,
                                                      (tn_tensor *)(uintptr_t)running_var, training, momentum, eps)
                        : tn__native_batch_norm_legit_no_stats(input, weight, bias, training, momentum, eps);
}

static tn_tensor *norm_first(tn_list *made) { return made ? tn_list_at(made, 0) : NULL; }

tn_tensor *tni_composite_batch_norm(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                    const tn_tensor *running_mean, const tn_tensor *running_var, bool training, double momentum,
                                    double eps, bool cudnn_enabled) {
    (void)cudnn_enabled;
    if (input->ndim == 1 && input->numel == 0) /* as torch: there are neither channels nor elements */
        return tn_clone(input, TN_CONTIGUOUS);
    return norm_first(tn_native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps));
}

/* ---- instance_norm: every channel of every input is a channel of one batch */

static const tn_tensor *instance_repeat(const tn_tensor *tensor, int64_t times) {
    return tensor ? tn_repeat(tensor, TN_DIMS(times)) : NULL;
}

/* The mean over the batch of what was counted for each instance. */
static tn_tensor *instance_mean(const tn_tensor *all, int64_t batch) {
    return tn_mean_dim(tn_view(all, TN_DIMS(batch, -1)), TN_DIMS(0), false, TN_DTYPE_DEFAULT);
}

tn_tensor *tni_composite_instance_norm(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                       const tn_tensor *running_mean, const tn_tensor *running_var, bool use_input_stats,
                                       double momentum, double eps, bool cudnn_enabled) {
    int64_t sizes[TN_MAX_DIMS] = {1};
    (void)cudnn_enabled;
    if (!tni_norm_check_batch(input, weight, bias, running_mean, running_var))
        return NULL;
    if (!running_mean != !running_var || (!running_mean && !use_input_stats))
        return tni_raise_null(TN_ERROR_ARGUMENT, "give running_mean and running_var both%s",
                              use_input_stats ? ", or neither" : "");
    int64_t batch = input->sizes[0];
    if (batch == 0)
        return tn_clone(input, TN_CONTIGUOUS);
    if (running_mean && use_input_stats &&
        (!batch_check_running(running_mean, "running_mean") || !batch_check_running(running_var, "running_var")))
        return NULL;
    sizes[1] = batch * input->sizes[1];
    for (int64_t d = 2; d < input->ndim; d++)
        sizes[d] = input->sizes[d];
    tn_tensor *all = tn_contiguous(input, TN_CONTIGUOUS);
    const tn_tensor *mean = instance_repeat(running_mean, batch), *var = instance_repeat(running_var, batch);
    const tn_tensor *scale = instance_repeat(weight, batch), *shift = instance_repeat(bias, batch);
    if (!all || (running_mean && (!mean || !var)) || (weight && !scale) || (bias && !shift))
        return NULL;
    tn_tensor *out = tn_batch_norm(tn_view(all, (tn_dims){sizes, input->ndim}), scale, shift, mean, var, use_input_stats,
                                   momentum, eps, false);
    out = out ? tn_view(out, tn_sizes(input)) : NULL;
    if (!out || !running_mean || !use_input_stats)
        return out;
    tn_tensor *new_mean = instance_mean(mean, batch), *new_var = instance_mean(var, batch);
    bool moved = new_mean && new_var && tn_copy_((tn_tensor *)(uintptr_t)running_mean, new_mean) &&
                 tn_copy_((tn_tensor *)(uintptr_t)running_var, new_var);
    return moved ? out : NULL;
}

/* ---- group_norm */

tn_tensor *tni_composite_group_norm(const tn_tensor *input, int64_t num_groups, const tn_tensor *weight, const tn_tensor *bias,
                                    double eps, bool cudnn_enabled) {
    (void)cudnn_enabled;
    if (input->ndim < 2)
        return tni_raise_null(TN_ERROR_SHAPE, "input %s must have at least 2 dimensions, the second of them channels",
                              tni_show_tensor(input));
    int64_t batch = input->sizes[0], channels = input->sizes[1];
    return norm_first(
        tn_native_group_norm(input, weight, bias, batch, channels, tni_plane_size(input, input->ndim - 2), num_groups, eps));
}

/* ---- local_response_norm: each element by the mean of the squares around it, along the channels */

tn_tensor *tni_composite_local_response_norm(const tn_tensor *input, int64_t size, double alpha, double beta, double k) {
    int64_t before = size / 2, after = (size - 1) / 2;
    if (input->ndim < 3)
        return tni_raise_null(TN_ERROR_SHAPE, "input %s must have at least 3 dimensions, the second of them channels",
                              tni_show_tensor(input));
    if (size < 1)
        return tni_raise_null(TN_ERROR_ARGUMENT, "size %" PRId64 " must be above 0", size);
    if (input->numel == 0)
        return tn_clone(input, TN_PRESERVE);
    tn_tensor *squares = tn_mul(input, input), *mean;
    if (input->ndim == 3) {
        tn_tensor *padded = tn_pad(tn_unsqueeze(squares, 1), TN_DIMS(0, 0, before, after), "constant", tn_scalar_int(0));
        mean = tn_squeeze_dim(tn_avg_pool2d(padded, TN_DIMS(size, 1), TN_DIMS(1), TN_DIMS(), false, true, TN_NONE), 1);
    } else {
        tn_dims sizes = TN_DIMS(input->sizes[0], 1, input->sizes[1], input->sizes[2], -1);
        tn_tensor *padded =
            tn_pad(tn_reshape(squares, sizes), TN_DIMS(0, 0, 0, 0, before, after), "constant", tn_scalar_int(0));
        mean = tn_avg_pool3d(padded, TN_DIMS(size, 1, 1), TN_DIMS(1), TN_DIMS(), false, true, TN_NONE);
        mean = mean ? tn_view(mean, tn_sizes(input)) : NULL;
    }
    tn_tensor *by = tn_add_scalar(tn_mul_scalar(mean, tn_scalar_float(alpha)), tn_scalar_float(k));
    return tn_div(input, tn_pow_scalar(by, tn_scalar_float(beta)));
}
