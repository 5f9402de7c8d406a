/* image.c - ONNX's operators that resample images, and those on signals: Fourier transforms and windows.
 *
 * Resize goes over the axes one after another. Along an axis every new element is a sum of a few old ones, its taps, with weights; the
 * rules of ONNX's many modes only say which (onnx_taps_fill). Taps beyond the edge are the edge.
 */
#include <math.h>

#include "interchange/onnx/operators.h"
#include "operators_arithmetic.h"
#include "operators_complex.h"
#include "operators_convolution.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_fft.h"
#include "operators_index.h"
#include "operators_move.h"
#include "operators_reduce.h"
#include "operators_resampling.h"
#include "operators_select.h"
#include "operators_view.h"

#define IN(i) tni_onnx_in(call, i)

/* ---- resizing */

typedef struct onnx_taps {
    const char *coordinates, *nearest, *mode;
    double a, scale, start, end, value; /* a: of the cubic; start, end: of the region, as shares */
    bool exclude, antialias;
    int64_t from, to; /* elements along the axis, before and after */
    double extent;    /* what `to` was before it was rounded       */
} onnx_taps;

static double onnx_place_of(const onnx_taps *taps, int64_t i) {
    double n = (double)taps->from, m = taps->extent, at = (double)i, halves = (at + 0.5) / taps->scale - 0.5;
    const char *how = taps->coordinates;
    if (strcmp(how, "align_corners") == 0)
        return m != 1 ? at * (n - 1) / (m - 1) : 0;
    if (strcmp(how, "asymmetric") == 0)
        return at / taps->scale;
    if (strcmp(how, "pytorch_half_pixel") == 0)
        return taps->to > 1 ? halves : 0;
    if (strcmp(how, "tf_crop_and_resize") == 0)
        return m != 1 ? taps->start * (n - 1) + at * (taps->end - taps->start) * (n - 1) / (m - 1)
                      : 0.5 * (taps->start + taps->end) * (n - 1);
    if (strcmp(how, "half_pixel_symmetric") == 0)
        return n / 2 * (1 - (double)taps->to / (taps->scale * n)) + halves;
    if (strcmp(how, "tf_half_pixel_for_nn") == 0)
        return halves + 0.5;
    return halves;
}

static double onnx_cubic(double x, double a) {
    x = fabs(x);
    return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

static double onnx_nearest(double x, const char *how) {
    double low = floor(x), part = x - low;
    if (strcmp(how, "floor") == 0)
        return low;
    if (strcmp(how, "ceil") == 0)
        return ceil(x);
    return strcmp(how, "round_prefer_ceil") == 0 ? low + (part >= 0.5) : low + (part > 0.5);
}

/* How many taps an element has, and where the first is, from the place rounded down. */
static int64_t onnx_taps_count(const onnx_taps *taps, double *first) {
    bool cubic = strcmp(taps->mode, "cubic") == 0;
    double reach = cubic ? 2 : 1, scale = taps->antialias && taps->scale < 1 ? taps->scale : 1;
    if (strcmp(taps->mode, "nearest") == 0)
        return *first = 0, 1;
    *first = floor(-reach / scale) + 1;
    return (int64_t)(2 - 2 * *first);
}

/* index, weights: (count, to) */
static void onnx_taps_fill(const onnx_taps *taps, int64_t count, double first, int64_t *index, double *weights) {
    bool cubic = strcmp(taps->mode, "cubic") == 0, nearest = strcmp(taps->mode, "nearest") == 0;
    double scale = taps->antialias && taps->scale < 1 ? taps->scale : 1;
    for (int64_t i = 0; i < taps->to; i++) {
        double x = onnx_place_of(taps, i), low = floor(x), sum = 0;
        for (int64_t k = 0; k < count; k++) {
            double at = nearest ? onnx_nearest(x, taps->nearest) : low + first + (double)k, far = (at - x) * scale;
            double weight = nearest ? 1 : cubic ? onnx_cubic(far, taps->a) : fmax(0, 1 - fabs(far));
            bool outside = at < 0 || at > (double)(taps->from - 1);
            weight = outside && taps->exclude ? 0 : weight;
            at = at < 0 ? 0 : outside ? (double)(taps->from - 1) : at;
            index[k * taps->to + i] = (int64_t)at;
            weights[k * taps->to + i] = weight;
            sum += weight;
        }
        for (int64_t k = 0; k < count && sum != 0 && (taps->exclude || taps->antialias); k++)
            weights[k * taps->to + i] /= sum;
    }
}

/* Along one axis; what a region reaches beyond the image gets `value`. */
static tn_tensor *onnx_resample(const tn_tensor *x, int64_t axis, const onnx_taps *taps) {
    double first;
    int64_t count = onnx_taps_count(taps, &first), ndim = tn_ndim(x);
    if (count > 1 << 20 || taps->from < 1)
        return tni_raise_null(TN_ERROR_UNSUPPORTED, "%" PRId64 " elements become %" PRId64, taps->from, taps->to);
    tn_tensor *index = tn_empty(TN_DIMS(count, taps->to), TN_INT64), *weights = tn_empty(TN_DIMS(count, taps->to), TN_FLOAT64);
    if (!index || !weights)
        return NULL;
    onnx_taps_fill(taps, count, first, tn_mutable_data(index), tn_mutable_data(weights));
    tn_tensor *made = NULL;
    for (int64_t k = 0; k < count; k++) {
        tn_tensor *some = tn_index_select(x, axis, tn_select(index, 0, k));
        if (count > 1)
            some = tn_mul(some, tn_to(tni_onnx_per_channel(tn_select(weights, 0, k), ndim, axis), tn_dtype_of(x)));
        made = made ? tn_add(made, some) : some;
        if (!made)
            return NULL;
    }
    if (strcmp(taps->coordinates, "tf_crop_and_resize") != 0)
        return made;
    tn_tensor *outside = tn_zeros(TN_DIMS(taps->to), TN_BOOL);
    bool *marks = outside ? tn_mutable_data(outside) : NULL;
    for (int64_t i = 0; marks && i < taps->to; i++) {
        double at = onnx_place_of(taps, i);
        marks[i] = at < 0 || at > (double)(taps->from - 1);
    }
    return tn_masked_fill(made, tni_onnx_per_channel(outside, ndim, axis), TN_SCALAR(taps->value));
}

/* Up to TN_MAX_DIMS numbers of an input, as doubles; false, raised. */
static bool onnx_reals_in(tni_onnx_call *call, size_t i, int64_t wanted, double values[TN_MAX_DIMS], bool *there) {
    tn_tensor *tensor = IN(i);
    *there = tensor && tn_numel(tensor) > 0;
    if (!*there)
        return true;
    if (tn_ndim(tensor) != 1 || tn_numel(tensor) != wanted || wanted > TN_MAX_DIMS) {
        tni_raise(TN_ERROR_ARGUMENT, "input %zu has %" PRId64 " numbers, not %" PRId64, i, tn_numel(tensor), wanted);
        return false;
    }
    for (int64_t k = 0; k < wanted; k++)
        values[k] = tn_get_double(tensor, TN_DIMS(k));
    return true;
}

/* Scales and sizes of the axes, from scales or sizes. */
static bool onnx_resize_sizes(tni_onnx_call *call, const tn_tensor *x, const tni_onnx_wholes *axes, size_t at, double *scales,
                              int64_t *sizes) {
    double wanted[TN_MAX_DIMS] = {0}, extreme = 0;
    bool by_scales, by_sizes = false;
    const char *policy = tni_onnx_text(call, "keep_aspect_ratio_policy", "stretch");
    bool larger = strcmp(policy, "not_smaller") == 0, keep = larger || strcmp(policy, "not_larger") == 0;
    if (!onnx_reals_in(call, at, axes->count, scales, &by_scales) ||
        (at == 2 && !onnx_reals_in(call, 3, axes->count, wanted, &by_sizes)))
        return false;
    if (by_scales == by_sizes) {
        const tni_onnx_attribute *old = tni_onnx_attribute_of(call, "scales"); /* Upsample of opset 7 */
        if (by_scales || !old || old->kind != TNI_ONNX_FLOATS || (int64_t)old->count != axes->count)
            return tni_onnx_refuse("it wants either scales or sizes");
        for (size_t i = 0; i < old->count; i++)
            scales[i] = (double)old->reals[i];
    }
    for (int64_t i = 0; i < axes->count; i++) {
        double n = (double)tn_size(x, axes->values[i]);
        if (by_sizes)
            scales[i] = wanted[i] / n;
        extreme = i == 0 ? scales[i] : larger ? fmax(extreme, scales[i]) : fmin(extreme, scales[i]);
    }
    for (int64_t i = 0; i < axes->count; i++) {
        double n = (double)tn_size(x, axes->values[i]);
        scales[i] = by_sizes && keep ? extreme : scales[i];
        double size = !by_sizes ? floor(n * scales[i]) : keep ? floor(n * scales[i] + 0.5) : wanted[i];
        if (!(scales[i] > 0) || !(size >= 0 && size < 0x1p40))
            return tni_onnx_refuse("a scale of %g gives a size of %g", scales[i], size);
        sizes[i] = (int64_t)size;
    }
    return true;
}

bool tni_onnx_resize(tni_onnx_call *call) {
    bool old = call->row->detail || call->version < 11;
    tn_tensor *x = IN(0);
    tni_onnx_wholes axes;
    double scales[TN_MAX_DIMS], region[TN_MAX_DIMS];
    int64_t sizes[TN_MAX_DIMS];
    bool has_region = false;
    onnx_taps taps = {.coordinates = tni_onnx_text(call, "coordinate_transformation_mode", old ? "asymmetric" : "half_pixel"),
                      .nearest = tni_onnx_text(call, "nearest_mode", old ? "floor" : "round_prefer_floor"),
                      .mode = tni_onnx_text(call, "mode", "nearest"),
                      .a = tni_onnx_real(call, "cubic_coeff_a", -0.75),
                      .value = tni_onnx_real(call, "extrapolation_value", 0),
                      .exclude = tni_onnx_int(call, "exclude_outside", 0) != 0,
                      .antialias = tni_onnx_int(call, "antialias", 0) != 0};
    if (!tni_onnx_wholes_attribute(call, "axes", &axes))
        return false;
    for (int64_t i = 0; !axes.there && i < tn_ndim(x); i++)
        axes.values[axes.count++] = i;
    if (!tni_onnx_wrap_all(&axes, tn_ndim(x)) || !onnx_resize_sizes(call, x, &axes, old ? 1 : 2, scales, sizes))
        return false;
    bool crop = strcmp(taps.coordinates, "tf_crop_and_resize") == 0;
    if (crop && (!onnx_reals_in(call, 1, 2 * axes.count, region, &has_region) || !has_region))
        return tni_onnx_refuse("tf_crop_and_resize wants a region");
    tn_dtype dtype = tn_dtype_of(x);
    bool whole = tn_dtype_is_integral(dtype) && strcmp(taps.mode, "nearest") != 0;
    x = whole ? tn_to(x, TN_FLOAT32) : x;
    for (int64_t i = 0; i < axes.count && x; i++) {
        taps.from = tn_size(x, axes.values[i]);
        taps.to = sizes[i];
        taps.scale = scales[i];
        taps.extent = scales[i] * (double)taps.from;
        taps.start = crop ? region[i] : 0;
        taps.end = crop ? region[i + axes.count] : 1;
        if (taps.to != taps.from || taps.scale != 1 || crop)
            x = onnx_resample(x, axes.values[i], &taps);
    }
    return tni_onnx_out(call, 0, tn_to(x, dtype));
}

bool tni_onnx_grid_sample(tni_onnx_call *call) {
    const char *mode = tni_onnx_text(call, "mode", "linear"), *edge = tni_onnx_text(call, "padding_mode", "zeros");
    int64_t how = strstr(mode, "cubic") ? 2 : strcmp(mode, "nearest") == 0 ? 1 : 0;
    int64_t pad = strcmp(edge, "border") == 0 ? 1 : strcmp(edge, "reflection") == 0 ? 2 : 0;
    tn_tensor *grid = tn_to(IN(1), tn_dtype_of(IN(0)));
    return tni_onnx_out(call, 0, tn_grid_sampler(IN(0), grid, how, pad, tni_onnx_int(call, "align_corners", 0) != 0));
}

bool tni_onnx_affine_grid(tni_onnx_call *call) {
    tni_onnx_wholes size;
    return tni_onnx_wholes_in(call, 1, &size) &&
           tni_onnx_out(call, 0,
                        tn_affine_grid_generator(IN(0), (tn_dims){size.values, size.count},
                                                 tni_onnx_int(call, "align_corners", 0) != 0));
}

bool tni_onnx_col2im(tni_onnx_call *call) {
    tni_onnx_wholes image, block, dilation, pads, stride;
    if (!tni_onnx_wholes_in(call, 1, &image) || !tni_onnx_wholes_in(call, 2, &block) ||
        !tni_onnx_wholes_attribute(call, "dilations", &dilation) || !tni_onnx_wholes_attribute(call, "pads", &pads) ||
        !tni_onnx_wholes_attribute(call, "strides", &stride))
        return false;
    if (image.count != 2 || block.count != 2)
        return tni_onnx_refuse("images of %" PRId64 " dimensions; only those of 2 are covered", image.count);
    for (int64_t i = 0; i < 2; i++) {
        if (pads.there && pads.count == 4 && pads.values[i] != pads.values[i + 2])
            return tni_onnx_refuse("margins that are not alike");
        dilation.values[i] = dilation.there ? dilation.values[i] : 1;
        stride.values[i] = stride.there ? stride.values[i] : 1;
        pads.values[i] = pads.there ? pads.values[i] : 0;
    }
    return tni_onnx_out(call, 0,
                        tn_col2im(IN(0), ((tn_dims){image.values, 2}), ((tn_dims){block.values, 2}),
                                  ((tn_dims){dilation.values, 2}), ((tn_dims){pads.values, 2}), ((tn_dims){stride.values, 2})));
}

/* ---- signals: complex numbers are a last dimension of 2, real ones of 1 */

static tn_tensor *onnx_signal(const tn_tensor *x, bool *complex) {
    int64_t last = tn_ndim(x) ? tn_size(x, -1) : 0;
    *complex = last == 2;
    if (last != 1 && last != 2)
        return tni_raise_null(TN_ERROR_UNSUPPORTED, "the last dimension is %" PRId64 ", not 1 (real) or 2 (complex)", last);
    return *complex ? tn_view_as_complex(tn_contiguous(x, TN_CONTIGUOUS)) : tn_squeeze_dim(x, -1);
}

bool tni_onnx_dft(tni_onnx_call *call) {
    bool complex, inverse = tni_onnx_int(call, "inverse", 0) != 0, half = tni_onnx_int(call, "onesided", 0) != 0;
    int64_t axis = tni_onnx_int(call, "axis", 1), length, ndim = tn_ndim(IN(0));
    tn_tensor *x = onnx_signal(IN(0), &complex);
    if (!x || !tni_onnx_whole_in(call, 1, TN_NONE, &length) ||
        (call->version >= 20 && !tni_onnx_whole_in(call, 2, -2, &axis)) || !tni_onnx_wrap(&axis, ndim))
        return false;
    if (axis == ndim - 1)
        return tni_onnx_refuse("the last axis has the parts of a number");
    if (half && inverse && complex)
        return tni_onnx_out(call, 0, tn_unsqueeze(tn_fft_irfft(x, length, axis, "backward"), -1));
    if (half && !complex)
        x = tn_fft_rfft(x, length, axis, "backward");
    else {
        x = inverse ? tn_fft_ifft(x, length, axis, "backward") : tn_fft_fft(x, length, axis, "backward");
        x = half ? tn_narrow(x, axis, 0, tn_size(x, axis) / 2 + 1) : x;
    }
    return tni_onnx_out(call, 0, tn_view_as_real(tn_contiguous(x, TN_CONTIGUOUS)));
}

/* (b, length, 1 or 2) to (b, frames, bins, 2) */
bool tni_onnx_stft(tni_onnx_call *call) {
    bool complex, half = tni_onnx_int(call, "onesided", 1) != 0;
    int64_t step, length;
    tn_tensor *x = onnx_signal(IN(0), &complex), *window = IN(2);
    if (!x || !tni_onnx_whole_in(call, 1, 0, &step) || !tni_onnx_whole_in(call, 3, window ? tn_numel(window) : 0, &length))
        return false;
    if (length < 1 || step < 1 || tn_ndim(x) != 2)
        return tni_onnx_refuse("frames of %" PRId64 ", %" PRId64 " apart", length, step);
    x = tn_unfold(x, 1, length, step);
    x = window ? tn_mul(x, window) : x;
    x = half && !complex ? tn_fft_rfft(x, TN_NONE, -1, "backward") : tn_fft_fft(x, TN_NONE, -1, "backward");
    x = half && complex ? tn_narrow(x, 2, 0, length / 2 + 1) : x;
    return tni_onnx_out(call, 0, tn_view_as_real(tn_contiguous(x, TN_CONTIGUOUS)));
}

/* detail 0: Hann, 1: Hamming, 2: Blackman */
bool tni_onnx_window(tni_onnx_call *call) {
    int64_t size;
    bool periodic = tni_onnx_int(call, "periodic", 1) != 0;
    tn_dtype dtype = tni_onnx_dtype_in(call, "output_datatype", TN_FLOAT32);
    if (!dtype || !tni_onnx_whole_in(call, 0, 0, &size))
        return false;
    tn_tensor *made = call->row->detail == 0   ? tn_hann_window(size, periodic, TN_FLOAT64)
                      : call->row->detail == 1 ? tn_hamming_window(size, periodic, 25.0 / 46, 21.0 / 46, TN_FLOAT64)
                                               : tn_blackman_window(size, periodic, TN_FLOAT64);
    return tni_onnx_out(call, 0, tn_to(made, dtype));
}

/* Triangles over the bins of a spectrum, equally far apart in mels. */
bool tni_onnx_mel(tni_onnx_call *call) {
    int64_t bands, length, rate;
    tn_dtype dtype = tni_onnx_dtype_in(call, "output_datatype", TN_FLOAT32);
    if (!dtype || !tni_onnx_whole_in(call, 0, 0, &bands) || !tni_onnx_whole_in(call, 1, 0, &length) ||
        !tni_onnx_whole_in(call, 2, 0, &rate))
        return false;
    double low = 2595 * log10(1 + tn_item_double(IN(3)) / 700), high = 2595 * log10(1 + tn_item_double(IN(4)) / 700);
    if (bands < 1 || bands > INT32_MAX || length < 1 || rate < 1)
        return tni_onnx_refuse("%" PRId64 " bands of %" PRId64 " bins at %" PRId64 " a second", bands, length, rate);
    int64_t bins = length / 2 + 1;
    tn_tensor *made = tn_zeros(TN_DIMS(bins, bands), TN_FLOAT64);
    double *to = made ? tn_mutable_data(made) : NULL;
    for (int64_t b = 0; to && b < bands; b++) {
        int64_t edge[3];
        for (int k = 0; k < 3; k++) {
            double mel = low + (double)(b + k) * (high - low) / (double)(bands + 2), hertz = 700 * (pow(10, mel / 2595) - 1);
            edge[k] = (int64_t)floor((double)(length + 1) * hertz / (double)rate);
            edge[k] = tni_max_i64(0, tni_min_i64(edge[k], bins));
        }
        if (edge[1] == edge[0] && edge[1] < bins)
            to[edge[1] * bands + b] = 1;
        for (int64_t i = edge[0]; edge[1] > edge[0] && i <= edge[1] && i < bins; i++)
            to[i * bands + b] = (double)(i - edge[0]) / (double)(edge[1] - edge[0]);
        for (int64_t i = edge[1]; edge[2] > edge[1] && i < edge[2]; i++)
            to[i * bands + b] = (double)(edge[2] - i) / (double)(edge[2] - edge[1]);
    }
    return tni_onnx_out(call, 0, tn_to(made, dtype));
}
