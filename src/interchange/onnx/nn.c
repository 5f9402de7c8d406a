/* nn.c - ONNX's operators of neural networks: windows over images, norms, losses, attention, and those on quantised numbers.
 *
 * ONNX's windows have a margin of their own on either side. Where both are alike the public operator has them; else the image gets its
 * margin first. Pools end, with ceil_mode, where the last window begins inside the image or its first margin.
 */
#include <math.h>

#include "interchange/onnx/operators.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_convolution.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_join.h"
#include "operators_logic.h"
#include "operators_loss.h"
#include "operators_math.h"
#include "operators_move.h"
#include "operators_norms.h"
#include "operators_pooling.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_resampling.h"
#include "operators_select.h"
#include "operators_softmax.h"
#include "operators_view.h"

#define IN(i) tni_onnx_in(call, i)
enum { ONNX_IMAGE = 3 };

/* ---- windows */

typedef struct onnx_windows {
    int64_t count; /* dimensions of an image */
    int64_t kernel[ONNX_IMAGE], stride[ONNX_IMAGE], dilation[ONNX_IMAGE], before[ONNX_IMAGE], after[ONNX_IMAGE];
    int64_t places[ONNX_IMAGE], beyond[ONNX_IMAGE]; /* of pools: how many windows, and what the last needs behind the margin */
    bool even;                                      /* both margins alike, nothing beyond them */
} onnx_windows;

static bool onnx_windows_list(tni_onnx_call *call, const char *name, int64_t count, int64_t otherwise, int64_t *values) {
    tni_onnx_wholes given;
    if (!tni_onnx_wholes_attribute(call, name, &given))
        return false;
    if (given.there && given.count != count) {
        tni_raise(TN_ERROR_ARGUMENT, "attribute \"%s\" has %" PRId64 " numbers, not %" PRId64, name, given.count, count);
        return false;
    }
    for (int64_t i = 0; i < count; i++)
        values[i] = given.there ? given.values[i] : otherwise;
    return true;
}

/* `kernel`: sizes (c, c, k...) of a weight, or NULL for the attribute. */
static bool onnx_windows_read(tni_onnx_call *call, const tn_tensor *x, const tn_tensor *weight, onnx_windows *w) {
    int64_t pads[2 * ONNX_IMAGE];
    const char *automatic = tni_onnx_text(call, "auto_pad", "NOTSET");
    bool lower = strcmp(automatic, "SAME_LOWER") == 0, same = lower || strcmp(automatic, "SAME_UPPER") == 0;
    bool ceil_mode = tni_onnx_int(call, "ceil_mode", 0) != 0;
    w->count = tn_ndim(x) - 2;
    if (w->count < 1 || w->count > ONNX_IMAGE || (weight && tn_ndim(weight) != tn_ndim(x)))
        return tni_onnx_refuse("images of %" PRId64 " dimensions; there are windows for 1 to %d", w->count, ONNX_IMAGE);
    for (int64_t i = 0; weight && i < w->count; i++)
        w->kernel[i] = tn_size(weight, i + 2);
    if ((!weight && !onnx_windows_list(call, "kernel_shape", w->count, 0, w->kernel)) ||
        !onnx_windows_list(call, "strides", w->count, 1, w->stride) ||
        !onnx_windows_list(call, "dilations", w->count, 1, w->dilation) ||
        !onnx_windows_list(call, "pads", 2 * w->count, 0, pads))
        return false;
    w->even = true;
    for (int64_t i = 0; i < w->count; i++) {
        int64_t size = tn_size(x, i + 2), s = w->stride[i], most = INT32_MAX;
        if (s < 1 || s > most || w->dilation[i] < 1 || w->dilation[i] > most || w->kernel[i] < 1 || w->kernel[i] > most ||
            pads[i] < -most || pads[i] > most || pads[i + w->count] < -most || pads[i + w->count] > most) {
            tni_raise(TN_ERROR_ARGUMENT,
                      "windows of %" PRId64 " elements, %" PRId64 " apart, dilated by %" PRId64 ": each should be at least 1",
                      w->kernel[i], s, w->dilation[i]);
            return false;
        }
        int64_t reach = (w->kernel[i] - 1) * w->dilation[i] + 1;
        if (same) {
            int64_t more = tni_max_i64(0, ((size + s - 1) / s - 1) * s + reach - size);
            w->before[i] = lower ? (more + 1) / 2 : more / 2;
            w->after[i] = more - w->before[i];
        } else {
            bool valid = strcmp(automatic, "VALID") == 0;
            w->before[i] = valid ? 0 : pads[i];
            w->after[i] = valid ? 0 : pads[i + w->count];
        }
        int64_t room = size + w->before[i] + w->after[i] - reach;
        w->places[i] = room < 0 ? 0 : (ceil_mode ? (room + s - 1) / s : room / s) + 1;
        if (ceil_mode && (w->places[i] - 1) * s >= size + w->before[i])
            w->places[i]--;
        w->beyond[i] = (w->places[i] - 1) * s + reach - (size + w->before[i] + w->after[i]);
        w->even &= w->before[i] == w->after[i] && w->before[i] >= 0 && w->beyond[i] <= 0;
    }
    return true;
}

/* The image with its margins; `beyond`: and what the last window needs behind them, also where that is less. */
static tn_tensor *onnx_margin(const tn_tensor *x, const onnx_windows *w, bool beyond, double value) {
    int64_t pairs[2 * ONNX_IMAGE];
    for (int64_t i = 0; i < w->count; i++) {
        pairs[2 * (w->count - 1 - i)] = w->before[i];
        pairs[2 * (w->count - 1 - i) + 1] = w->after[i] + (beyond ? w->beyond[i] : 0);
    }
    return tn_constant_pad_nd(x, ((tn_dims){pairs, 2 * w->count}), TN_SCALAR(value));
}

#define LIST(array) ((tn_dims){(array), w.count})

static tn_tensor *onnx_convolve(tni_onnx_call *call, tn_tensor *x, const tn_tensor *weight, const tn_tensor *bias) {
    static const int64_t none[ONNX_IMAGE];
    onnx_windows w;
    if (!x || !weight || !onnx_windows_read(call, x, weight, &w))
        return NULL;
    bool even = true;
    for (int64_t i = 0; i < w.count; i++)
        even &= w.before[i] == w.after[i] && w.before[i] >= 0;
    x = even ? x : onnx_margin(x, &w, false, 0);
    return tn_convolution(x, weight, bias, LIST(w.stride), LIST(even ? w.before : none), LIST(w.dilation), false, LIST(none),
                          tni_onnx_int(call, "group", 1));
}

bool tni_onnx_conv(tni_onnx_call *call) { return tni_onnx_out(call, 0, onnx_convolve(call, IN(0), IN(1), IN(2))); }

/* All that the windows reach, then cut to the margins: what lies beyond is nothing but the bias. */
bool tni_onnx_conv_transpose(tni_onnx_call *call) {
    static const int64_t none[ONNX_IMAGE];
    tn_tensor *x = IN(0), *bias = IN(2);
    onnx_windows w;
    tni_onnx_wholes shape;
    int64_t more[ONNX_IMAGE], pairs[2 * ONNX_IMAGE];
    const char *automatic = tni_onnx_text(call, "auto_pad", "NOTSET");
    bool upper = strcmp(automatic, "SAME_UPPER") == 0, same = upper || strcmp(automatic, "SAME_LOWER") == 0;
    if (!onnx_windows_read(call, x, IN(1), &w) || !onnx_windows_list(call, "output_padding", w.count, 0, more) ||
        !tni_onnx_wholes_attribute(call, "output_shape", &shape))
        return false;
    int64_t skip = shape.count == w.count + 2 ? 2 : 0;
    for (int64_t i = 0; i < w.count; i++) {
        int64_t full = (tn_size(x, i + 2) - 1) * w.stride[i] + (w.kernel[i] - 1) * w.dilation[i] + 1;
        if (shape.there || same) {
            int64_t wanted = shape.there && i + skip < shape.count ? shape.values[i + skip] : tn_size(x, i + 2) * w.stride[i];
            int64_t off = full + more[i] - wanted;
            w.before[i] = off < 0 ? 0 : upper ? off / 2 : off - off / 2;
            w.after[i] = off - w.before[i];
        }
        pairs[2 * (w.count - 1 - i)] = -w.before[i];
        pairs[2 * (w.count - 1 - i) + 1] = more[i] - w.after[i];
    }
    x = tn_convolution(x, IN(1), NULL, LIST(w.stride), LIST(none), LIST(w.dilation), true, LIST(none),
                       tni_onnx_int(call, "group", 1));
    x = tn_constant_pad_nd(x, ((tn_dims){pairs, 2 * w.count}), TN_SCALAR(0));
    return tni_onnx_out(call, 0, bias ? tn_add(x, tni_onnx_per_channel(bias, w.count + 2, 1)) : x);
}

/* ---- pools */

/* Places in the padded plane become places in the whole tensor without margins. */
static tn_tensor *onnx_pool_places(const tn_tensor *places, const tn_tensor *x, const onnx_windows *w, const tn_tensor *padded,
                                   bool columns) {
    int64_t step = 1;
    tn_tensor *rest = (tn_tensor *)(uintptr_t)places, *all = NULL;
    for (int64_t i = w->count - 1; i >= 0; i--) { /* the last dimension first */
        int64_t size = tn_size(padded, i + 2);
        tn_tensor *own = tn_sub_scalar(tn_remainder_scalar(rest, TN_SCALAR(size)), TN_SCALAR(padded == x ? 0 : w->before[i]));
        int64_t times = step;
        if (columns) {
            times = 1;
            for (int64_t k = 0; k < i; k++)
                times *= tn_size(x, k + 2);
        }
        own = tn_mul_scalar(own, TN_SCALAR(times));
        all = all ? tn_add(all, own) : own;
        rest = tn_floor_divide_scalar(rest, TN_SCALAR(size));
        step *= tn_size(x, i + 2);
    }
    int64_t planes = tn_size(x, 0) * tn_size(x, 1);
    tn_tensor *first = tn_mul_scalar(tn_arange(TN_SCALAR(planes), TN_INT64), TN_SCALAR(step));
    int64_t sizes[2 + ONNX_IMAGE] = {tn_size(x, 0), tn_size(x, 1), 1, 1, 1};
    return tn_add(all, tn_reshape(first, (tn_dims){sizes, w->count + 2}));
}

bool tni_onnx_max_pool(tni_onnx_call *call) {
    static const int64_t none[ONNX_IMAGE];
    tn_tensor *x = IN(0);
    onnx_windows w;
    if (!onnx_windows_read(call, x, NULL, &w))
        return false;
    tn_dtype dtype = tn_dtype_of(x);
    x = tn_dtype_is_integral(dtype) ? tn_to(x, TN_FLOAT64) : x;
    for (int64_t i = 0; i < w.count; i++)
        w.even &= 2 * w.before[i] <= w.kernel[i];
    tn_tensor *image = w.even ? x : onnx_margin(x, &w, true, -INFINITY), *places = NULL;
    tn_dims kernel = LIST(w.kernel), stride = LIST(w.stride), pad = LIST(w.even ? w.before : none), dilation = LIST(w.dilation);
    if (tni_onnx_wanted(call, 1)) {
        tn_list *both = w.count == 1   ? tn_max_pool1d_with_indices(image, kernel, stride, pad, dilation, false)
                        : w.count == 2 ? tn_max_pool2d_with_indices(image, kernel, stride, pad, dilation, false)
                                       : tn_max_pool3d_with_indices(image, kernel, stride, pad, dilation, false);
        if (!both)
            return false;
        places = onnx_pool_places(tn_list_at(both, 1), x, &w, image, tni_onnx_int(call, "storage_order", 0) != 0);
        if (!tni_onnx_out(call, 1, places))
            return false;
        x = tn_list_at(both, 0);
    } else
        x = w.count == 1   ? tn_max_pool1d(image, kernel, stride, pad, dilation, false)
            : w.count == 2 ? tn_max_pool2d(image, kernel, stride, pad, dilation, false)
                           : tn_max_pool3d(image, kernel, stride, pad, dilation, false);
    return tni_onnx_out(call, 0, tn_to(x, dtype));
}

static tn_tensor *onnx_mean_pool(const tn_tensor *x, const onnx_windows *with, const int64_t *pad, bool count_margin) {
    onnx_windows w = *with;
    tn_dims kernel = LIST(w.kernel), stride = LIST(w.stride), margin = LIST(pad);
    return w.count == 1   ? tn_avg_pool1d(x, kernel, stride, margin, false, count_margin)
           : w.count == 2 ? tn_avg_pool2d(x, kernel, stride, margin, false, count_margin, TN_NONE)
                          : tn_avg_pool3d(x, kernel, stride, margin, false, count_margin, TN_NONE);
}

/* The mean of every window over an image with its margins: by averaging, or, where windows are dilated, by a product with ones. */
static tn_tensor *onnx_window_means(const tn_tensor *x, const onnx_windows *with) {
    static const int64_t none[ONNX_IMAGE];
    onnx_windows w = *with;
    int64_t sizes[2 + ONNX_IMAGE] = {tn_size(x, 1), 1, w.kernel[0], w.kernel[1], w.kernel[2]}, count = 1;
    bool dilated = false;
    for (int64_t i = 0; i < w.count; i++) {
        dilated |= w.dilation[i] != 1;
        count *= w.kernel[i];
    }
    if (!dilated)
        return onnx_mean_pool(x, &w, none, true);
    tn_tensor *ones = tn_full(((tn_dims){sizes, w.count + 2}), TN_SCALAR(1.0 / (double)count), tn_dtype_of(x));
    return tn_convolution(x, ones, NULL, LIST(w.stride), LIST(none), LIST(w.dilation), false, LIST(none), tn_size(x, 1));
}

bool tni_onnx_average_pool(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    onnx_windows w;
    bool margin = tni_onnx_int(call, "count_include_pad", 0) != 0;
    if (!onnx_windows_read(call, x, NULL, &w))
        return false;
    for (int64_t i = 0; i < w.count; i++)
        w.even &= 2 * w.before[i] <= w.kernel[i] && w.dilation[i] == 1;
    if (w.even)
        return tni_onnx_out(call, 0, onnx_mean_pool(x, &w, w.before, margin));
    /* sums over how much of each window counts: the image, or also its margins, but nothing beyond them */
    int64_t sizes[2 + ONNX_IMAGE] = {1, 1};
    for (int64_t i = 0; i < w.count; i++)
        sizes[i + 2] = tn_size(x, i + 2) + (margin ? w.before[i] + w.after[i] : 0);
    tn_tensor *share = tn_ones((tn_dims){sizes, w.count + 2}, tn_dtype_of(x));
    onnx_windows around = w;
    for (int64_t i = 0; i < w.count && margin; i++)
        around.before[i] = around.after[i] = 0;
    share = onnx_window_means(onnx_margin(share, &around, true, 0), &w);
    return tni_onnx_out(call, 0, tn_div(onnx_window_means(onnx_margin(x, &w, true, 0), &w), share));
}

bool tni_onnx_lp_pool(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    onnx_windows w;
    double p = (double)tni_onnx_int(call, "p", 2), count = 1;
    if (!onnx_windows_read(call, x, NULL, &w))
        return false;
    for (int64_t i = 0; i < w.count; i++)
        count *= (double)w.kernel[i];
    x = onnx_window_means(onnx_margin(tn_pow_scalar(tn_abs(x), TN_SCALAR(p)), &w, true, 0), &w);
    return tni_onnx_out(call, 0, tn_pow_scalar(tn_mul_scalar(x, TN_SCALAR(count)), TN_SCALAR(1 / p)));
}

/* detail 0: mean, 1: largest, 2: norm */
bool tni_onnx_global_pool(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    int64_t axes[TN_MAX_DIMS], count = 0;
    for (int64_t i = 2; i < tn_ndim(x); i++)
        axes[count++] = i;
    if (count == 0)
        return tni_onnx_refuse("%" PRId64 " dimensions have no image", tn_ndim(x));
    tn_dims dims = {axes, count};
    return tni_onnx_out(call, 0,
                        call->row->detail == 0   ? tn_mean_dim(x, dims, true, TN_DTYPE_DEFAULT)
                        : call->row->detail == 1 ? tn_amax(x, dims, true)
                                                 : tn_linalg_vector_norm(x, TN_SCALAR((double)tni_onnx_int(call, "p", 2)), dims,
                                                                         true, TN_DTYPE_DEFAULT));
}

/* Elements go back to the places in the whole tensor that MaxPool gave. */
bool tni_onnx_max_unpool(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    onnx_windows w;
    tni_onnx_wholes shape;
    int64_t sizes[2 + ONNX_IMAGE] = {tn_size(x, 0), tn_size(x, 1)}, own[2 + ONNX_IMAGE] = {sizes[0], sizes[1]};
    if (!onnx_windows_read(call, x, NULL, &w) || !tni_onnx_wholes_in(call, 2, &shape))
        return false;
    if (shape.there && shape.count != w.count + 2)
        return tni_onnx_refuse("output_shape should have %" PRId64 " numbers", w.count + 2);
    for (int64_t i = 0; i < w.count; i++) {
        own[i + 2] = (tn_size(x, i + 2) - 1) * w.stride[i] + w.kernel[i] - w.before[i] - w.after[i];
        sizes[i + 2] = shape.there ? shape.values[i + 2] : own[i + 2];
    }
    tn_dims plain = {own, w.count + 2};
    tn_tensor *flat = tn_reshape(tn_zeros(plain, tn_dtype_of(x)), TN_DIMS(-1));
    tn_tensor *made = tn_scatter(flat, 0, tn_reshape(IN(1), TN_DIMS(-1)), tn_reshape(x, TN_DIMS(-1)));
    made = tn_reshape(made, plain);
    int64_t pairs[2 * ONNX_IMAGE] = {0};
    for (int64_t i = 0; i < w.count; i++)
        pairs[2 * (w.count - 1 - i) + 1] = sizes[i + 2] - own[i + 2];
    return tni_onnx_out(call, 0, tn_constant_pad_nd(made, ((tn_dims){pairs, 2 * w.count}), TN_SCALAR(0)));
}

/* ---- norms */

bool tni_onnx_batch_norm(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *mean = IN(3), *variance = IN(4);
    double eps = tni_onnx_real(call, "epsilon", 1e-5F), momentum = tni_onnx_real(call, "momentum", 0.9F);
    int64_t ndim = tn_ndim(x), axes[TN_MAX_DIMS], count = 0;
    if (tni_onnx_int(call, "training_mode", 0)) {
        for (int64_t i = 0; i < ndim; i++)
            if (i != 1)
                axes[count++] = i;
        tn_dims dims = {axes, count};
        tn_tensor *own = tn_mean_dim(x, dims, false, TN_DTYPE_DEFAULT), *spread = tn_var_dim(x, dims, false, false);
        if (!tni_onnx_out(call, 1,
                          tn_add(tn_mul_scalar(mean, TN_SCALAR(momentum)), tn_mul_scalar(own, TN_SCALAR(1 - momentum)))) ||
            !tni_onnx_out(call, 2,
                          tn_add(tn_mul_scalar(variance, TN_SCALAR(momentum)), tn_mul_scalar(spread, TN_SCALAR(1 - momentum)))))
            return false;
        mean = own;
        variance = spread;
    }
    tn_dtype dtype = tn_dtype_of(x), wide = tn_dtype_of(mean);
    return tni_onnx_out(call, 0,
                        tn_to(tn_batch_norm(tn_to(x, wide), tn_to(IN(1), wide), tn_to(IN(2), wide), mean, tn_to(variance, wide),
                                            false, 0, eps, false),
                              dtype));
}

bool tni_onnx_instance_norm(tni_onnx_call *call) {
    return tni_onnx_out(
        call, 0, tn_instance_norm(IN(0), IN(1), IN(2), NULL, NULL, true, 0, tni_onnx_real(call, "epsilon", 1e-5F), false));
}

/* Since opset 21 there is a number for each channel, before that one for each group. */
bool tni_onnx_group_norm(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *scale = IN(1), *shift = IN(2);
    int64_t groups = tni_onnx_int(call, "num_groups", 1), channels = tn_size(x, 1);
    if (groups < 1)
        return tni_onnx_refuse("num_groups is %" PRId64, groups);
    if (call->version < 21 && tn_numel(scale) == groups && groups != channels) {
        scale = tn_repeat_interleave(scale, channels / groups, 0, TN_NONE);
        shift = tn_repeat_interleave(shift, channels / groups, 0, TN_NONE);
    }
    return tni_onnx_out(call, 0, tn_group_norm(x, groups, scale, shift, tni_onnx_real(call, "epsilon", 1e-5F), false));
}

bool tni_onnx_layer_norm(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *scale = IN(1), *shift = IN(2);
    int64_t axis = tni_onnx_int(call, "axis", -1), ndim = tn_ndim(x);
    double eps = tni_onnx_real(call, "epsilon", 1e-5F);
    if (!tni_onnx_wrap(&axis, ndim))
        return false;
    tn_dims shape = {tn_sizes(x).values + axis, ndim - axis};
    bool whole = tn_ndim(scale) == ndim - axis, root = call->row->detail; /* scales may be broadcast */
    tn_tensor *full = whole ? tn_expand(scale, shape) : NULL, *more = shift && whole ? tn_expand(shift, shape) : NULL;
    if (root) {
        tn_tensor *made = tn_rms_norm(x, shape, full, TN_SCALAR(eps));
        return tni_onnx_out(call, 0, full ? made : tn_mul(made, scale));
    }
    tn_list *all = tn_native_layer_norm(x, shape, full, more, eps);
    if (!all)
        return false;
    tn_tensor *made = tn_list_at(all, 0);
    made = whole ? made : tn_mul(made, scale);
    made = shift && !more ? tn_add(made, shift) : made;
    return tni_onnx_out(call, 0, made) && tni_onnx_out(call, 1, tn_to(tn_list_at(all, 1), TN_FLOAT32)) &&
           tni_onnx_out(call, 2, tn_to(tn_list_at(all, 2), TN_FLOAT32));
}

bool tni_onnx_lp_norm(tni_onnx_call *call) {
    int64_t axis = tni_onnx_int(call, "axis", -1);
    if (!tni_onnx_wrap(&axis, tn_ndim(IN(0))))
        return false;
    tn_tensor *norm =
        tn_linalg_vector_norm(IN(0), TN_SCALAR((double)tni_onnx_int(call, "p", 2)), TN_DIMS(axis), true, TN_DTYPE_DEFAULT);
    return tni_onnx_out(call, 0, tn_masked_fill(tn_div(IN(0), norm), tn_eq_scalar(norm, TN_SCALAR(0)), TN_SCALAR(0)));
}

bool tni_onnx_local_response(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *squares = tn_mul(x, x);
    int64_t size = tni_onnx_int(call, "size", 0), pairs[2 * TN_MAX_DIMS] = {0}, ndim = tn_ndim(x);
    double alpha = tni_onnx_real(call, "alpha", 1e-4F), beta = tni_onnx_real(call, "beta", 0.75);
    if (size < 1 || ndim < 2)
        return tni_onnx_refuse("a size of %" PRId64 " over %" PRId64 " dimensions", size, ndim);
    pairs[2 * (ndim - 2)] = (size - 1) / 2;
    pairs[2 * (ndim - 2) + 1] = size / 2;
    squares = tn_unfold(tn_constant_pad_nd(squares, ((tn_dims){pairs, 2 * ndim}), TN_SCALAR(0)), 1, size, 1);
    squares = tn_sum_dim(squares, TN_DIMS(-1), false, TN_DTYPE_DEFAULT);
    squares = tn_add_scalar(tn_mul_scalar(squares, TN_SCALAR(alpha / (double)size)), TN_SCALAR(tni_onnx_real(call, "bias", 1)));
    return tni_onnx_out(call, 0, tn_div(x, tn_pow_scalar(squares, TN_SCALAR(beta))));
}

bool tni_onnx_mean_variance(tni_onnx_call *call) {
    tni_onnx_wholes axes;
    tn_tensor *x = IN(0);
    if (!tni_onnx_wholes_attribute(call, "axes", &axes))
        return false;
    if (!axes.there) {
        const int64_t usual[] = {0, 2, 3};
        memcpy(axes.values, usual, sizeof usual);
        axes.count = 3;
    }
    tn_dims dims = {axes.values, axes.count};
    tn_tensor *centred = tn_sub(x, tn_mean_dim(x, dims, true, TN_DTYPE_DEFAULT));
    tn_tensor *spread = tn_sqrt(tn_var_dim(x, dims, false, true));
    return tni_onnx_out(call, 0, tn_div(centred, tn_add_scalar(spread, TN_SCALAR(1e-9))));
}

/* ---- losses */

bool tni_onnx_loss(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    const char *name = tni_onnx_text(call, "reduction", "mean");
    int64_t reduction = strcmp(name, "none") == 0 ? 0 : strcmp(name, "sum") == 0 ? 2 : 1;
    if (call->row->detail) {
        x = tn_log_softmax(x, 1, TN_DTYPE_DEFAULT);
        if (!tni_onnx_out(call, 1, x))
            return false;
    }
    return tni_onnx_out(call, 0,
                        tn_nll_loss_nd(x, tn_to(IN(1), TN_INT64), IN(2), reduction, tni_onnx_int(call, "ignore_index", -100)));
}

/* ---- quantised numbers */

/* Scales of blocks are repeated, those of an axis stand along it. */
static tn_tensor *onnx_scale_for(tni_onnx_call *call, const tn_tensor *scale, const tn_tensor *x) {
    int64_t axis = tni_onnx_int(call, "axis", 1), block = tni_onnx_int(call, "block_size", 0), ndim = tn_ndim(x);
    if (tn_numel(scale) == 1 && tn_ndim(scale) <= 1)
        return tn_reshape(scale, TN_DIMS());
    if (!tni_onnx_wrap(&axis, ndim))
        return NULL;
    if (tn_ndim(scale) == 1)
        return tni_onnx_per_channel(scale, ndim, axis);
    if (block < 1 || tn_ndim(scale) != ndim) {
        (void)tni_onnx_refuse("scales of %" PRId64 " dimensions want a block_size, which is %" PRId64, tn_ndim(scale), block);
        return NULL;
    }
    return tn_narrow(tn_repeat_interleave(scale, block, axis, TN_NONE), axis, 0, tn_size(x, axis));
}

static tn_tensor *onnx_saturate(const tn_tensor *x, tn_dtype dtype) {
    if (!tn_dtype_is_integral(dtype))
        return tni_onnx_cast_to(x, dtype, true);
    int bits = (int)tn_dtype_size(dtype) * 8 - (tn_dtype_is_signed(dtype) ? 1 : 0);
    double high = (double)((INT64_C(1) << bits) - 1);
    return tn_to(tn_clamp(x, TN_SCALAR(tn_dtype_is_signed(dtype) ? -high - 1 : 0.0), TN_SCALAR(high)), dtype);
}

static tn_tensor *onnx_quantize(const tn_tensor *x, const tn_tensor *scale, const tn_tensor *zero, tn_dtype dtype) {
    tn_tensor *made = tn_div(x, scale);
    if (!tn_dtype_is_integral(dtype))
        return onnx_saturate(zero ? tn_add(made, tn_to(zero, tn_dtype_of(made))) : made, dtype);
    made = tn_round(made);
    return onnx_saturate(zero ? tn_add(made, tn_to(zero, tn_dtype_of(made))) : made, dtype);
}

bool tni_onnx_quantize(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *scale = onnx_scale_for(call, IN(1), x);
    tn_tensor *zero = IN(2) && scale ? onnx_scale_for(call, IN(2), x) : NULL;
    tn_dtype dtype = IN(2) ? tn_dtype_of(IN(2)) : tni_onnx_dtype_in(call, "output_dtype", TN_UINT8);
    if (!scale || !dtype || (IN(2) && !zero))
        return false;
    x = tn_dtype_is_integral(tn_dtype_of(x)) ? tn_to(x, TN_FLOAT32) : x;
    return tni_onnx_out(call, 0, onnx_quantize(x, tn_to(scale, tn_dtype_of(x)), zero, dtype));
}

static tn_tensor *onnx_less_zero(const tn_tensor *x, const tn_tensor *zero, tn_dtype dtype) {
    tn_tensor *wide = tn_to(x, dtype);
    return zero ? tn_sub(wide, tn_to(zero, dtype)) : wide;
}

bool tni_onnx_dequantize(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *scale = onnx_scale_for(call, IN(1), x);
    tn_tensor *zero = IN(2) && scale ? onnx_scale_for(call, IN(2), x) : NULL;
    if (!scale || (IN(2) && !zero))
        return false;
    tn_dtype dtype = tn_dtype_of(scale), between = tn_dtype_of(x) == TN_INT32 ? TN_FLOAT64 : TN_FLOAT32;
    return tni_onnx_out(call, 0, tn_to(tn_mul(onnx_less_zero(x, zero, between), tn_to(scale, between)), dtype));
}

bool tni_onnx_dynamic_quantize(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    if (tn_numel(x) == 0)
        return tni_onnx_refuse("a tensor without elements has no range");
    float low = fminf(0, (float)tn_item_double(tn_min(x))), high = fmaxf(0, (float)tn_item_double(tn_max(x)));
    float scale = high == low ? 1 : (high - low) / 255, zero = nearbyintf(fminf(255, fmaxf(0, 0 - low / scale)));
    tn_tensor *made =
        onnx_saturate(tn_add_scalar(tn_round(tn_div_scalar(x, TN_SCALAR((double)scale))), TN_SCALAR((double)zero)), TN_UINT8);
    return tni_onnx_out(call, 0, made) && tni_onnx_out(call, 1, tn_scalar_tensor(TN_SCALAR((double)scale), TN_FLOAT32)) &&
           tni_onnx_out(call, 2, tn_scalar_tensor(TN_SCALAR((int64_t)zero), TN_UINT8));
}

/* A zero for each row of a, or column of b. */
static tn_tensor *onnx_zero_of(const tn_tensor *zero, bool rows) {
    return !zero                                       ? NULL
           : tn_ndim(zero) == 0 || tn_numel(zero) == 1 ? tn_reshape(zero, TN_DIMS())
           : rows && tn_ndim(zero) == 1                ? tn_unsqueeze(zero, 1)
                                                       : (tn_tensor *)(uintptr_t)zero;
}

bool tni_onnx_matmul_integer(tni_onnx_call *call) {
    tn_tensor *a = onnx_less_zero(IN(0), onnx_zero_of(IN(2), true), TN_INT32);
    tn_tensor *b = onnx_less_zero(IN(1), onnx_zero_of(IN(3), false), TN_INT32);
    return tni_onnx_out(call, 0, tn_matmul(a, b));
}

/* a, its scale and zero, b, its scale and zero, and those of the result */
bool tni_onnx_qlinear_matmul(tni_onnx_call *call) {
    tn_tensor *a = onnx_less_zero(IN(0), onnx_zero_of(IN(2), true), TN_INT32);
    tn_tensor *b = onnx_less_zero(IN(3), onnx_zero_of(IN(5), false), TN_INT32);
    tn_tensor *product = tn_to(tn_matmul(a, b), TN_FLOAT32);
    tn_tensor *one = tn_to(onnx_zero_of(IN(1), true), TN_FLOAT32), *two = tn_to(onnx_zero_of(IN(4), false), TN_FLOAT32);
    tn_tensor *made = tn_mul(tn_mul(product, one), two);
    return tni_onnx_out(
        call, 0,
        onnx_quantize(made, tn_to(onnx_zero_of(IN(6), true), TN_FLOAT32), onnx_zero_of(IN(7), true), tn_dtype_of(IN(7))));
}

bool tni_onnx_conv_integer(tni_onnx_call *call) {
    tn_tensor *x = onnx_less_zero(IN(0), onnx_zero_of(IN(2), true), TN_INT32);
    tn_tensor *zero = IN(3) ? onnx_zero_of(IN(3), true) : NULL;
    zero = zero && tn_ndim(zero) > 0 ? tni_onnx_per_channel(zero, tn_ndim(IN(1)), 0) : zero;
    return tni_onnx_out(call, 0, onnx_convolve(call, x, onnx_less_zero(IN(1), zero, TN_INT32), NULL));
}

bool tni_onnx_qlinear_conv(tni_onnx_call *call) {
    tn_tensor *x = onnx_less_zero(IN(0), onnx_zero_of(IN(2), true), TN_INT32), *weight = IN(3), *scale = IN(4), *zero = IN(5);
    zero = tn_numel(zero) > 1 ? tni_onnx_per_channel(zero, tn_ndim(weight), 0) : tn_reshape(zero, TN_DIMS());
    scale = tn_numel(scale) > 1 ? tni_onnx_per_channel(scale, tn_ndim(weight), 1) : tn_reshape(scale, TN_DIMS());
    tn_tensor *sums = onnx_convolve(call, x, onnx_less_zero(weight, zero, TN_INT32), IN(8));
    tn_tensor *made = tn_mul(tn_mul(tn_to(sums, TN_FLOAT32), tn_reshape(IN(1), TN_DIMS())), scale);
    return tni_onnx_out(call, 0,
                        onnx_quantize(made, tn_reshape(IN(6), TN_DIMS()), onnx_zero_of(IN(7), true), tn_dtype_of(IN(7))));
}

/* ---- attention (opset 23) */

/* (b, length, heads * n) as (b, heads, length, n); 4 dimensions stay. */
static tn_tensor *onnx_heads(const tn_tensor *x, int64_t heads) {
    if (tn_ndim(x) == 4)
        return (tn_tensor *)(uintptr_t)x;
    if (tn_ndim(x) != 3 || heads < 1) {
        (void)tni_onnx_refuse("3 dimensions want q_num_heads and kv_num_heads");
        return NULL;
    }
    return tn_transpose(tn_reshape(x, TN_DIMS(tn_size(x, 0), tn_size(x, 1), heads, tn_size(x, 2) / heads)), 1, 2);
}

/* What must not be seen: -inf above the diagonal, which begins after the past. */
static tn_tensor *onnx_causal(int64_t rows, int64_t columns, int64_t past, tn_dtype dtype) {
    return tn_triu(tn_full(TN_DIMS(rows, columns), TN_SCALAR(-(double)INFINITY), dtype), past + 1);
}

bool tni_onnx_attention(tni_onnx_call *call) {
    tn_tensor *q = onnx_heads(IN(0), tni_onnx_int(call, "q_num_heads", 0)), *mask = IN(3);
    tn_tensor *k = onnx_heads(IN(1), tni_onnx_int(call, "kv_num_heads", 0)),
              *v = onnx_heads(IN(2), tni_onnx_int(call, "kv_num_heads", 0));
    double cap = tni_onnx_real(call, "softcap", 0);
    int64_t mode = tni_onnx_int(call, "qk_matmul_output_mode", 0), past = 0;
    static const char known[] = " is_causal kv_num_heads q_num_heads qk_matmul_output_mode scale softcap softmax_precision ";
    if (!q || !k || !v)
        return false;
    for (size_t i = 0; i < call->node->attribute_count; i++) {
        const char *name = call->node->attributes[i].name, *at = strstr(known, name);
        if (!at || at[-1] != ' ' || at[strlen(name)] != ' ')
            return tni_onnx_refuse("attribute \"%.60s\" is not covered", name);
    }
    if (IN(6))
        return tni_onnx_refuse("nonpad_kv_seqlen is not covered");
    if (IN(4) && IN(5)) {
        past = tn_size(IN(4), 2);
        k = tn_cat((const tn_tensor *const[]){IN(4), k}, 2, 2);
        v = tn_cat((const tn_tensor *const[]){IN(5), v}, 2, 2);
    }
    if (!k || !v || !tni_onnx_out(call, 1, k) || !tni_onnx_out(call, 2, v))
        return false;
    int64_t groups = tn_size(k, 1) ? tn_size(q, 1) / tn_size(k, 1) : 1, length = tn_size(k, 2);
    if (groups > 1) {
        k = tn_repeat_interleave(k, groups, 1, TN_NONE);
        v = tn_repeat_interleave(v, groups, 1, TN_NONE);
    }
    double scale = tni_onnx_real(call, "scale", 1 / sqrt((double)tn_size(q, 3)));
    tn_tensor *raw = tn_matmul(tn_mul_scalar(q, TN_SCALAR(sqrt(scale))),
                               tn_mul_scalar(tn_transpose(k, 2, 3), TN_SCALAR(sqrt(scale)))),
              *bias = NULL;
    if (tni_onnx_int(call, "is_causal", 0))
        bias = onnx_causal(tn_size(q, 2), length, past, tn_dtype_of(q));
    if (mask && tn_dtype_of(mask) == TN_BOOL)
        mask = tn_where_scalars(mask, TN_SCALAR(0.0), TN_SCALAR(-(double)INFINITY));
    if (mask && tn_size(mask, -1) < length) /* what it does not name is not seen */
        mask = tn_constant_pad_nd(mask, TN_DIMS(0, length - tn_size(mask, -1)), TN_SCALAR(-(double)INFINITY));
    mask = mask ? tn_to(mask, tn_dtype_of(q)) : NULL;
    bias = mask && bias ? tn_add(mask, bias) : mask ? mask : bias;
    tn_tensor *capped = raw;
    if (cap != 0) /* before the mask, so that what is masked stays so */
        capped = tn_mul_scalar(tn_tanh(tn_div_scalar(raw, TN_SCALAR(cap))), TN_SCALAR(cap));
    tn_tensor *masked = bias ? tn_add(capped, bias) : capped;
    tn_dtype precision = tni_onnx_dtype_in(call, "softmax_precision", tn_dtype_of(q));
    tn_tensor *weights = precision ? tn_to(tn_softmax(masked, -1, precision), tn_dtype_of(q)) : NULL;
    weights = tn_masked_fill(weights, tn_isnan(weights), TN_SCALAR(0)); /* a row that sees nothing */
    tn_tensor *made = tn_matmul(weights, v);
    if (tn_ndim(IN(0)) == 3)
        made = tn_reshape(tn_transpose(made, 1, 2), TN_DIMS(tn_size(q, 0), tn_size(q, 2), -1));
    return tni_onnx_out(call, 0, made) && tni_onnx_out(call, 3,
                                                       mode == 0   ? raw
                                                       : mode == 1 ? capped
                                                       : mode == 2 ? masked
                                                                   : weights);
}

/* Pairs of elements turned by angles that change with the place (opset 23). */
bool tni_onnx_rotary(tni_onnx_call *call) {
    int64_t heads = tni_onnx_int(call, "num_heads", 0), width = tni_onnx_int(call, "rotary_embedding_dim", 0);
    tn_tensor *x = onnx_heads(IN(0), tn_ndim(IN(0)) == 4 ? 1 : heads), *cosine = IN(1), *sine = IN(2);
    bool interleaved = tni_onnx_int(call, "interleaved", 0) != 0;
    if (!x)
        return false;
    width = width ? width : tn_size(x, 3);
    if (IN(3)) {
        tn_dims where = tn_sizes(IN(3));
        tn_tensor *flat = tn_reshape(tn_to(IN(3), TN_INT64), TN_DIMS(-1));
        cosine = tn_reshape(tn_index_select(cosine, 0, flat), TN_DIMS(where.values[0], where.values[1], -1));
        sine = tn_reshape(tn_index_select(sine, 0, flat), TN_DIMS(where.values[0], where.values[1], -1));
    }
    cosine = tn_unsqueeze(cosine, 1); /* (b, 1, length, width / 2) */
    sine = tn_unsqueeze(sine, 1);
    tn_tensor *turned = tn_narrow(x, 3, 0, width), *rest = tn_narrow(x, 3, width, tn_size(x, 3) - width);
    tn_tensor *one = interleaved ? tn_slice(turned, 3, 0, TN_NONE, 2) : tn_narrow(turned, 3, 0, width / 2);
    tn_tensor *two = interleaved ? tn_slice(turned, 3, 1, TN_NONE, 2) : tn_narrow(turned, 3, width / 2, width / 2);
    const tn_tensor *both[] = {tn_sub(tn_mul(one, cosine), tn_mul(two, sine)), tn_add(tn_mul(one, sine), tn_mul(two, cosine))};
    turned = interleaved ? tn_flatten(tn_stack(both, 2, -1), 3, 4) : tn_cat(both, 2, 3);
    turned = tn_cat((const tn_tensor *const[]){turned, rest}, 2, 3);
    return tni_onnx_out(call, 0, tn_ndim(IN(0)) == 4 ? turned : tn_reshape(tn_transpose(turned, 1, 2), tn_sizes(IN(0))));
}
