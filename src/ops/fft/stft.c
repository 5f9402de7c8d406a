/* stft.c - spectra of overlapping pieces of a signal, the signal from them, and the windows that pieces are multiplied with: all made
 * of public operators.
 *
 * Pieces of n_fft elements begin every hop_length elements: an unfold, which copies nothing. A window shorter than n_fft is put in its
 * middle.
 */
#include <math.h>

#include "base/error.h"
#include "base/warn.h"
#include "operators_arithmetic.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_fft.h"
#include "operators_index.h"
#include "operators_math.h"
#include "operators_move.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "tensor/tensor.h"

/* An answer that may be left out. */
static bool stft_answer(tn_scalar given, bool standard) {
    return given.kind == TN_SCALAR_NONE ? standard : given.kind == TN_SCALAR_BOOL ? given.value.b : given.value.i != 0;
}

static bool stft_check_numbers(int64_t n_fft, int64_t hop_length, int64_t win_length, const tn_tensor *window) {
    if (n_fft < 1 || hop_length < 1) {
        tni_raise(TN_ERROR_ARGUMENT, "n_fft is %" PRId64 " and hop_length %" PRId64 ": both are at least 1", n_fft, hop_length);
        return false;
    }
    if (win_length < 1 || win_length > n_fft) {
        tni_raise(TN_ERROR_ARGUMENT, "win_length is %" PRId64 ", not from 1 to n_fft, which is %" PRId64, win_length, n_fft);
        return false;
    }
    if (window && (window->ndim != 1 || window->sizes[0] != win_length)) {
        tni_raise(TN_ERROR_SHAPE, "window is %s, not a vector of win_length, which is %" PRId64, tni_show_tensor(window),
                  win_length);
        return false;
    }
    return true;
}

/* A window of n_fft elements: the given one, or ones where the signal is, with zeros on both sides. */
static const tn_tensor *stft_window(const tn_tensor *window, int64_t n_fft, int64_t win_length, tn_dtype dtype,
                                    tn_device device) {
    if (!window)
        window = tn_to_device(tn_ones((tn_dims){&win_length, 1}, dtype), device);
    if (!window)
        return NULL;
    int64_t left = (n_fft - win_length) / 2, pad[2] = {left, n_fft - win_length - left};
    return n_fft == win_length ? window : (tn_constant_pad_nd)(window, (tn_dims){pad, 2}, tn_scalar_int(0));
}

tn_tensor *tni_composite_stft(const tn_tensor *self, int64_t n_fft, int64_t hop_length, int64_t win_length,
                              const tn_tensor *window, bool center, const char *pad_mode, bool normalized, tn_scalar onesided,
                              tn_scalar return_complex) {
    hop_length = hop_length == TN_NONE ? n_fft / 4 : hop_length;
    win_length = win_length == TN_NONE ? n_fft : win_length;
    bool complex = tn_dtype_is_complex(self->dtype) || (window && tn_dtype_is_complex(window->dtype));
    bool half = stft_answer(onesided, !complex);
    if (self->ndim < 1 || self->ndim > 2 || tni_dtypes[self->dtype].kind < TN_KIND_FLOAT)
        return tni_raise_null(TN_ERROR_SHAPE,
                              "self is %s: a signal is a vector, or a row of a matrix, of floating or complex numbers",
                              tni_show_tensor(self));
    if (!stft_check_numbers(n_fft, hop_length, win_length, window))
        return NULL;
    if (half && complex)
        return tni_raise_null(TN_ERROR_ARGUMENT,
                              "onesided is for real signals and windows: half the spectrum of a complex one is not all");
    if (!complex && return_complex.kind == TN_SCALAR_NONE)
        return tni_raise_null(TN_ERROR_ARGUMENT,
                              "return_complex must be given for real signals: true, or false for pairs of real numbers");
    int64_t length = self->sizes[self->ndim - 1], side = center ? n_fft / 2 : 0, rows = self->ndim == 2 ? self->sizes[0] : 1;
    if (length + 2 * side < n_fft)
        return tni_raise_null(TN_ERROR_SHAPE,
                              "self is %s: its signals of %" PRId64 " elements have no piece of n_fft, which is %" PRId64,
                              tni_show_tensor(self), length + 2 * side, n_fft);
    const tn_tensor *x = self;
    if (center) {
        int64_t planes[3] = {1, rows, length}, whole[2] = {rows, length + 2 * side}, pad[2] = {side, side};
        x = (tn_pad)(tn_reshape(x, (tn_dims){planes, 3}), (tn_dims){pad, 2}, pad_mode, tn_scalar_int(0));
        x = tn_reshape(x, self->ndim == 2 ? (tn_dims){whole, 2} : (tn_dims){whole + 1, 1});
    }
    x = tn_unfold(x, -1, n_fft, hop_length); /* (..., pieces, n_fft) */
    if (window || win_length < n_fft)
        x = tn_mul(x, stft_window(window, n_fft, win_length, self->dtype, tni_tensor_device(self)));
    if (!x)
        return NULL;
    int64_t last = -1, mode = normalized;
    tn_tensor *spectra = tn_dtype_is_complex(x->dtype) ? tn__fft_c2c(x, (tn_dims){&last, 1}, mode, true)
                                                       : tn__fft_r2c(x, (tn_dims){&last, 1}, mode, half);
    spectra = tn_transpose(spectra, -2, -1); /* (..., frequencies, pieces) */
    return stft_answer(return_complex, true) ? spectra : tn_view_as_real(spectra);
}

/* Pieces (rows, pieces, n_fft) added up where they overlap: (rows, length). */
static tn_tensor *stft_overlap(const tn_tensor *pieces, int64_t hop_length, int64_t length) {
    if (!pieces)
        return NULL;
    int64_t n_fft = pieces->sizes[2], rows = pieces->sizes[0], flat[2] = {rows, -1}, whole[2] = {rows, length}, all = -1;
    tn_device device = tni_tensor_device(pieces);
    tn_tensor *places = tn_unfold(tn_to_device(tn_arange(tn_scalar_int(length), TN_INT64), device), 0, n_fft, hop_length);
    return tn_index_add(tn_to_device(tn_zeros((tn_dims){whole, 2}, pieces->dtype), device), 1,
                        tn_reshape(places, (tn_dims){&all, 1}), tn_reshape(pieces, (tn_dims){flat, 2}), tn_scalar_int(1));
}

/* A window that is 0 somewhere in the signal says nothing of what was there. */
static bool stft_covers(const tn_tensor *envelope) {
    tn_tensor *least = tn_to_device(tn_min(tn_abs(envelope)), TN_DEVICE_CPU);
    if (!least)
        return false;
    if (tn_item_double(least) > 1e-11)
        return true;
    if (tn_error_code() == TN_OK)
        tni_raise(TN_ERROR_ARGUMENT,
                  "the windows of the pieces add up to 0 at an element of the signal, which cannot be found again");
    return false;
}

tn_tensor *tni_composite_istft(const tn_tensor *self, int64_t n_fft, int64_t hop_length, int64_t win_length,
                               const tn_tensor *window, bool center, bool normalized, tn_scalar onesided, int64_t length,
                               bool return_complex) {
    hop_length = hop_length == TN_NONE ? n_fft / 4 : hop_length;
    win_length = win_length == TN_NONE ? n_fft : win_length;
    if (!tn_dtype_is_complex(self->dtype) || self->ndim < 2 || self->ndim > 3 || self->numel == 0)
        return tni_raise_null(TN_ERROR_SHAPE,
                              "self is %s, not spectra as stft gives them: complex, (frequencies, pieces) or a batch of that",
                              tni_show_tensor(self));
    if (!stft_check_numbers(n_fft, hop_length, win_length, window))
        return NULL;
    int64_t frequencies = self->sizes[self->ndim - 2], pieces = self->sizes[self->ndim - 1];
    bool half = stft_answer(onesided, frequencies != n_fft);
    if (frequencies != (half ? n_fft / 2 + 1 : n_fft))
        return tni_raise_null(TN_ERROR_SHAPE, "self is %s: with n_fft %" PRId64 " there are %" PRId64 " frequencies",
                              tni_show_tensor(self), n_fft, half ? n_fft / 2 + 1 : n_fft);
    if (win_length < hop_length)
        return tni_raise_null(TN_ERROR_ARGUMENT,
                              "win_length is %" PRId64 ", less than hop_length, which is %" PRId64
                              ": elements between pieces cannot be found again",
                              win_length, hop_length);
    if (half && return_complex)
        return tni_raise_null(TN_ERROR_ARGUMENT, "return_complex wants whole spectra, and these are onesided");
    int64_t whole = n_fft + hop_length * (pieces - 1), last = -1, mode = normalized ? 1 : 2;
    const tn_tensor *weights = stft_window(
        window, n_fft, win_length, return_complex ? self->dtype : tn_dtype_to_real(self->dtype), tni_tensor_device(self));
    const tn_tensor *x = tn_transpose(self->ndim == 2 ? tn_unsqueeze(self, 0) : self, 1, 2); /* (rows, pieces, frequencies) */
    if (return_complex)
        x = tn__fft_c2c(x, (tn_dims){&last, 1}, mode, false);
    else
        x = tn__fft_c2r(half ? x : tn_narrow(x, 2, 0, n_fft / 2 + 1), (tn_dims){&last, 1}, mode, n_fft);
    int64_t spread[3] = {1, pieces, n_fft};
    tn_tensor *signal = stft_overlap(tn_mul(x, weights), hop_length, whole);
    tn_tensor *envelope = stft_overlap(tn_expand(tn_mul(weights, weights), (tn_dims){spread, 3}), hop_length, whole);
    int64_t start = center ? n_fft / 2 : 0, end = length != TN_NONE ? start + length : center ? whole - n_fft / 2 : whole;
    int64_t there = end < whole ? end : whole;
    if (length != TN_NONE && length < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "length is %" PRId64, length);
    if (there < start)
        there = start;
    signal = tn_narrow(signal, 1, start, there - start);
    envelope = tn_narrow(envelope, 1, start, there - start);
    if (!signal || !envelope || (envelope->numel && !stft_covers(envelope)))
        return NULL;
    signal = tn_div(signal, envelope);
    if (end > there) {
        int64_t pad[2] = {0, end - there};
        tni_warn("istft: the pieces end at element %" PRId64 " of the signal, and length is %" PRId64 ": the rest is zeros",
                 there - start, length);
        signal = (tn_constant_pad_nd)(signal, (tn_dims){pad, 2}, tn_scalar_int(0));
    }
    return self->ndim == 2 ? tn_squeeze_dim(signal, 0) : signal;
}

/* ---- windows */

/* 0 ... count - 1 of a window of `length`; periodic ones are windows of one more without the last element. */
static tn_tensor *stft_steps(int64_t length, tn_dtype *dtype) {
    if (*dtype == TN_DTYPE_DEFAULT)
        *dtype = tn_default_dtype();
    if (tni_dtypes[*dtype].kind != TN_KIND_FLOAT)
        return tni_raise_null(TN_ERROR_DTYPE, "a window is of floats, not of %s", tn_dtype_name(*dtype));
    if (length < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "window_length is %" PRId64, length);
    return tn_arange(tn_scalar_int(length), TN_FLOAT64);
}

/* a - b cos(2 pi k / n) + c cos(4 pi k / n), in double, rounded once. */
static tn_tensor *stft_cosines(int64_t length, bool periodic, double a, double b, double c, tn_dtype dtype) {
    tn_tensor *steps = stft_steps(length, &dtype);
    if (!steps || length == 1)
        return steps ? tn_ones((tn_dims){&length, 1}, dtype) : NULL;
    tn_tensor *angle =
        tn_mul_scalar(steps, tn_scalar_float(2 * 3.14159265358979323846 / (double)(periodic ? length : length - 1)));
    tn_tensor *window = tn_add_scalar(tn_mul_scalar(tn_cos(angle), tn_scalar_float(-b)), tn_scalar_float(a));
    if (c != 0)
        window = tn_add(window, tn_mul_scalar(tn_cos(tn_mul_scalar(angle, tn_scalar_int(2))), tn_scalar_float(c)));
    return tn_to(window, dtype);
}

tn_tensor *tni_composite_hann_window(int64_t window_length, bool periodic, tn_dtype dtype) {
    return stft_cosines(window_length, periodic, 0.5, 0.5, 0, dtype);
}
tn_tensor *tni_composite_hamming_window(int64_t window_length, bool periodic, double alpha, double beta, tn_dtype dtype) {
    return stft_cosines(window_length, periodic, alpha, beta, 0, dtype);
}
tn_tensor *tni_composite_blackman_window(int64_t window_length, bool periodic, tn_dtype dtype) {
    return stft_cosines(window_length, periodic, 0.42, 0.5, 0.08, dtype);
}

tn_tensor *tni_composite_bartlett_window(int64_t window_length, bool periodic, tn_dtype dtype) {
    tn_tensor *steps = stft_steps(window_length, &dtype);
    if (!steps || window_length == 1)
        return steps ? tn_ones((tn_dims){&window_length, 1}, dtype) : NULL;
    double half = (double)(periodic ? window_length : window_length - 1) / 2;
    tn_tensor *away = tn_abs(tn_sub_scalar(tn_mul_scalar(steps, tn_scalar_float(1 / half)), tn_scalar_int(1)));
    return tn_to(tn_rsub_scalar(away, tn_scalar_int(1), tn_scalar_int(1)), dtype);
}

/* i0(beta sqrt(1 - x^2)) / i0(beta), x from -1 to 1 */
tn_tensor *tni_composite_kaiser_window(int64_t window_length, bool periodic, double beta, tn_dtype dtype) {
    tn_tensor *steps = stft_steps(window_length, &dtype);
    if (!steps || window_length == 1)
        return steps ? tn_ones((tn_dims){&window_length, 1}, dtype) : NULL;
    double half = (double)(periodic ? window_length : window_length - 1) / 2;
    tn_tensor *x = tn_sub_scalar(tn_mul_scalar(steps, tn_scalar_float(1 / half)), tn_scalar_int(1));
    tn_tensor *inside = tn_clamp_min(tn_rsub_scalar(tn_mul(x, x), tn_scalar_int(1), tn_scalar_int(1)), tn_scalar_int(0));
    tn_tensor *top = tn_i0(tn_full(((tn_dims){NULL, 0}), tn_scalar_float(beta), TN_FLOAT64));
    return tn_to(tn_div(tn_i0(tn_mul_scalar(tn_sqrt(inside), tn_scalar_float(beta))), top), dtype);
}
