/* fft_names.c - Fourier transforms by the names that programs use, made of _fft_c2c, _fft_r2c and _fft_c2r.
 *
 * Integers and bool become the default float, the 16-bit floats float32. A line that is longer than wanted is cut, a shorter one
 * continued with zeros. norm says which way is divided by n: "backward", "forward", or both by its root: "ortho".
 */
#include <string.h>

#include "base/error.h"
#include "iterate/promote.h"
#include "operators_arithmetic.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_fft.h"
#include "operators_move.h"
#include "operators_view.h"
#include "ops/fft/fft.h"
#include "ops/result.h"

/* ---- arguments */

/* The sizes and dimensions of a transform of several dimensions: sizes are TN_NONE where the tensor's own holds. */
typedef struct fft_shape {
    int64_t count, dims[TN_MAX_DIMS], sizes[TN_MAX_DIMS];
} fft_shape;

static int64_t fft_mode(const char *norm, bool forward) {
    if (strcmp(norm, "ortho") == 0)
        return 1;
    if (strcmp(norm, "backward") == 0)
        return forward ? 0 : 2;
    if (strcmp(norm, "forward") == 0)
        return forward ? 2 : 0;
    tni_raise(TN_ERROR_ARGUMENT, "norm is \"%s\", not \"backward\", \"forward\" or \"ortho\"", norm);
    return -1;
}

static bool fft_size_fits(int64_t size) {
    if (size < 1)
        tni_raise(TN_ERROR_ARGUMENT, "a line would have %" PRId64 " elements: a transform needs at least 1", size);
    return size >= 1;
}

static bool fft_one(fft_shape *shape, const tn_tensor *self, int64_t n, int64_t dim) {
    shape->count = 1;
    shape->sizes[0] = n;
    return tni_fft_dims(self, (tn_dims){&dim, 1}, shape->dims) && (n == TN_NONE || fft_size_fits(n));
}

/* Without dim the last `most`, or, where that is negative, as many as s has, or all. */
static bool fft_several(fft_shape *shape, const tn_tensor *self, tn_dims s, tn_dims dim, int64_t most) {
    bool has_s = s.count > 0, has_dim = dim.count > 0;
    shape->count = has_dim ? dim.count : most >= 0 ? most : has_s ? s.count : self->ndim;
    if (has_s && s.count != shape->count) {
        tni_raise(TN_ERROR_ARGUMENT, "s has %" PRId64 " sizes for %" PRId64 " dimensions", s.count, shape->count);
        return false;
    }
    if (shape->count > self->ndim) {
        tni_raise(TN_ERROR_SHAPE, "self is %s: it does not have %" PRId64 " dimensions to transform", tni_show_tensor(self),
                  shape->count);
        return false;
    }
    int64_t last[TN_MAX_DIMS];
    for (int64_t i = 0; i < shape->count; i++) {
        last[i] = self->ndim - shape->count + i;
        shape->sizes[i] = has_s && s.values[i] != -1 ? s.values[i] : TN_NONE;
        if (shape->sizes[i] != TN_NONE && !fft_size_fits(shape->sizes[i]))
            return false;
    }
    return tni_fft_dims(self, has_dim ? dim : (tn_dims){last, shape->count}, shape->dims);
}

/* self in a dtype that can be transformed. */
static const tn_tensor *fft_floating(const tn_tensor *self) {
    tn_dtype dtype = self->dtype;
    if (tn_dtype_is_complex(dtype) || dtype == TN_FLOAT32 || dtype == TN_FLOAT64)
        return self;
    return tn_to(self, tni_dtypes[dtype].kind == TN_KIND_FLOAT ? TN_FLOAT32 : tn_default_dtype());
}

static const tn_tensor *fft_complex_of(const tn_tensor *self) {
    self = fft_floating(self);
    return self && !tn_dtype_is_complex(self->dtype) ? tn_to(self, tni_dtypes[self->dtype].to_complex) : self;
}

static bool fft_is_real(const tn_tensor *self) {
    if (tn_dtype_is_complex(self->dtype))
        tni_raise(TN_ERROR_DTYPE, "self is %s: this transform is of real numbers; fft takes complex ones",
                  tni_show_tensor(self));
    return !tn_dtype_is_complex(self->dtype);
}

/* Cut, or continued with zeros, to the sizes that are wanted. */
static const tn_tensor *fft_sized(const tn_tensor *self, const fft_shape *shape) {
    if (!self)
        return NULL;
    int64_t pad[2 * TN_MAX_DIMS] = {0}, ndim = self->ndim, first = ndim;
    bool pads = false;
    for (int64_t i = 0; i < shape->count; i++) {
        int64_t dim = shape->dims[i], size = shape->sizes[i];
        if (size == TN_NONE || size == self->sizes[dim])
            continue;
        if (size < self->sizes[dim]) {
            self = tn_narrow(self, dim, 0, size);
            if (!self)
                return NULL;
            continue;
        }
        pads = true;
        pad[2 * (ndim - 1 - dim) + 1] = size - self->sizes[dim];
        first = dim < first ? dim : first;
    }
    return pads ? (tn_constant_pad_nd)(self, (tn_dims){pad, 2 * (ndim - first)}, tn_scalar_int(0)) : self;
}

static tn_dims fft_dims_of(const fft_shape *shape) { return (tn_dims){shape->dims, shape->count}; }

/* ---- transforms of all kinds; `out` may be NULL */

static tn_tensor *fft_to_complex(tn_tensor *out, const tn_tensor *self, const fft_shape *shape, const char *norm,
                                 bool forward) {
    int64_t mode = fft_mode(norm, forward);
    const tn_tensor *x = mode < 0 ? NULL : fft_sized(fft_floating(self), shape);
    if (!x)
        return NULL;
    if (shape->count == 0 || tn_dtype_is_complex(x->dtype)) {
        x = fft_complex_of(x);
        return out ? tn__fft_c2c_out(out, x, fft_dims_of(shape), mode, forward)
                   : tn__fft_c2c(x, fft_dims_of(shape), mode, forward);
    }
    if (forward)
        return out ? tn__fft_r2c_out(out, x, fft_dims_of(shape), mode, false) : tn__fft_r2c(x, fft_dims_of(shape), mode, false);
    tn_tensor *made = tn__fft_r2c(x, fft_dims_of(shape), mode, false);
    return out ? tn_conj_physical_out(out, made) : tn_conj_physical(made);
}

static tn_tensor *fft_from_real(tn_tensor *out, const tn_tensor *self, const fft_shape *shape, const char *norm) {
    int64_t mode = fft_mode(norm, true);
    const tn_tensor *x = mode < 0 || !fft_is_real(self) ? NULL : fft_sized(fft_floating(self), shape);
    return out ? tn__fft_r2c_out(out, x, fft_dims_of(shape), mode, true) : tn__fft_r2c(x, fft_dims_of(shape), mode, true);
}

/* Half a line that stands for a whole one: sizes of the last dimension become those of what is read, and n that of the result. */
static bool fft_halve(fft_shape *shape, const tn_tensor *self, int64_t *n) {
    if (shape->count < 1) {
        tni_raise(TN_ERROR_ARGUMENT, "there is no dimension to transform");
        return false;
    }
    int64_t *size = &shape->sizes[shape->count - 1], own = self->sizes[shape->dims[shape->count - 1]];
    *n = *size == TN_NONE ? 2 * (own - 1) : *size;
    *size = *n / 2 + 1;
    return fft_size_fits(*n);
}

static tn_tensor *fft_to_real(tn_tensor *out, const tn_tensor *self, fft_shape *shape, const char *norm) {
    int64_t n, mode = fft_mode(norm, false);
    if (mode < 0 || !fft_halve(shape, self, &n))
        return NULL;
    const tn_tensor *x = fft_sized(fft_complex_of(self), shape);
    return out ? tn__fft_c2r_out(out, x, fft_dims_of(shape), mode, n) : tn__fft_c2r(x, fft_dims_of(shape), mode, n);
}

/* The transform of a line whose transform is real: that of the conjugate, backwards. Other dimensions go forward first. */
static tn_tensor *fft_hermitian(tn_tensor *out, const tn_tensor *self, fft_shape *shape, const char *norm) {
    int64_t n, mode = fft_mode(norm, true);
    if (mode < 0 || !fft_halve(shape, self, &n))
        return NULL;
    const tn_tensor *x = fft_sized(fft_complex_of(self), shape);
    if (shape->count > 1)
        x = tn__fft_c2c(x, (tn_dims){shape->dims, shape->count - 1}, mode, true);
    tn_dims last = {&shape->dims[shape->count - 1], 1};
    x = tn_conj_physical(x);
    return out ? tn__fft_c2r_out(out, x, last, mode, n) : tn__fft_c2r(x, last, mode, n);
}

static tn_tensor *fft_to_hermitian(tn_tensor *out, const tn_tensor *self, const fft_shape *shape, const char *norm) {
    int64_t mode = fft_mode(norm, false);
    const tn_tensor *x = mode < 0 || !fft_is_real(self) ? NULL : fft_sized(fft_floating(self), shape);
    if (x && shape->count < 1)
        return tni_raise_null(TN_ERROR_ARGUMENT, "there is no dimension to transform");
    x = x ? tn__fft_r2c(x, (tn_dims){&shape->dims[shape->count - 1], 1}, mode, true) : NULL;
    if (x && shape->count > 1) {
        tn_dims rest = {shape->dims, shape->count - 1};
        x = tn_conj_physical(x);
        return out ? tn__fft_c2c_out(out, x, rest, mode, false) : tn__fft_c2c(x, rest, mode, false);
    }
    return out ? tn_conj_physical_out(out, x) : tn_conj_physical(x);
}

/* ---- the rows: of one dimension, of two and of any number, each with its out form */

typedef tn_tensor *fft_transform(tn_tensor *out, const tn_tensor *self, fft_shape *shape, const char *norm);
static tn_tensor *fft_forward(tn_tensor *out, const tn_tensor *self, fft_shape *shape, const char *norm) {
    return fft_to_complex(out, self, shape, norm, true);
}
static tn_tensor *fft_backward(tn_tensor *out, const tn_tensor *self, fft_shape *shape, const char *norm) {
    return fft_to_complex(out, self, shape, norm, false);
}
static tn_tensor *fft_real_forward(tn_tensor *out, const tn_tensor *self, fft_shape *shape, const char *norm) {
    return fft_from_real(out, self, shape, norm);
}
static tn_tensor *fft_real_to_hermitian(tn_tensor *out, const tn_tensor *self, fft_shape *shape, const char *norm) {
    return fft_to_hermitian(out, self, shape, norm);
}

static tn_tensor *fft_do_one(fft_transform *transform, tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim,
                             const char *norm) {
    fft_shape shape;
    return fft_one(&shape, self, n, dim) ? transform(out, self, &shape, norm) : NULL;
}

static tn_tensor *fft_do_several(fft_transform *transform, tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim,
                                 int64_t most, const char *norm) {
    fft_shape shape;
    return fft_several(&shape, self, s, dim, most) ? transform(out, self, &shape, norm) : NULL;
}

tn_tensor *tni_composite_fft_fft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_forward, NULL, self, n, dim, norm);
}
tn_tensor *tni_composite_fft_fft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_forward, out, self, n, dim, norm);
}

tn_tensor *tni_composite_fft_ifft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_backward, NULL, self, n, dim, norm);
}
tn_tensor *tni_composite_fft_ifft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_backward, out, self, n, dim, norm);
}

tn_tensor *tni_composite_fft_rfft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_real_forward, NULL, self, n, dim, norm);
}
tn_tensor *tni_composite_fft_rfft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_real_forward, out, self, n, dim, norm);
}

tn_tensor *tni_composite_fft_irfft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_to_real, NULL, self, n, dim, norm);
}
tn_tensor *tni_composite_fft_irfft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_to_real, out, self, n, dim, norm);
}

tn_tensor *tni_composite_fft_hfft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_hermitian, NULL, self, n, dim, norm);
}
tn_tensor *tni_composite_fft_hfft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_hermitian, out, self, n, dim, norm);
}

tn_tensor *tni_composite_fft_ihfft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_real_to_hermitian, NULL, self, n, dim, norm);
}
tn_tensor *tni_composite_fft_ihfft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm) {
    return fft_do_one(fft_real_to_hermitian, out, self, n, dim, norm);
}

tn_tensor *tni_composite_fft_fft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_forward, NULL, self, s, dim, 2, norm);
}
tn_tensor *tni_composite_fft_fft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_forward, out, self, s, dim, 2, norm);
}

tn_tensor *tni_composite_fft_ifft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_backward, NULL, self, s, dim, 2, norm);
}
tn_tensor *tni_composite_fft_ifft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_backward, out, self, s, dim, 2, norm);
}

tn_tensor *tni_composite_fft_rfft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_real_forward, NULL, self, s, dim, 2, norm);
}
tn_tensor *tni_composite_fft_rfft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_real_forward, out, self, s, dim, 2, norm);
}

tn_tensor *tni_composite_fft_irfft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_to_real, NULL, self, s, dim, 2, norm);
}
tn_tensor *tni_composite_fft_irfft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_to_real, out, self, s, dim, 2, norm);
}

tn_tensor *tni_composite_fft_hfft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_hermitian, NULL, self, s, dim, 2, norm);
}
tn_tensor *tni_composite_fft_hfft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_hermitian, out, self, s, dim, 2, norm);
}

tn_tensor *tni_composite_fft_ihfft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_real_to_hermitian, NULL, self, s, dim, 2, norm);
}
tn_tensor *tni_composite_fft_ihfft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_real_to_hermitian, out, self, s, dim, 2, norm);
}

tn_tensor *tni_composite_fft_fftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_forward, NULL, self, s, dim, -1, norm);
}
tn_tensor *tni_composite_fft_fftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_forward, out, self, s, dim, -1, norm);
}

tn_tensor *tni_composite_fft_ifftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_backward, NULL, self, s, dim, -1, norm);
}
tn_tensor *tni_composite_fft_ifftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_backward, out, self, s, dim, -1, norm);
}

tn_tensor *tni_composite_fft_rfftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_real_forward, NULL, self, s, dim, -1, norm);
}
tn_tensor *tni_composite_fft_rfftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_real_forward, out, self, s, dim, -1, norm);
}

tn_tensor *tni_composite_fft_irfftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_to_real, NULL, self, s, dim, -1, norm);
}
tn_tensor *tni_composite_fft_irfftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_to_real, out, self, s, dim, -1, norm);
}

tn_tensor *tni_composite_fft_hfftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_hermitian, NULL, self, s, dim, -1, norm);
}
tn_tensor *tni_composite_fft_hfftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_hermitian, out, self, s, dim, -1, norm);
}

tn_tensor *tni_composite_fft_ihfftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_real_to_hermitian, NULL, self, s, dim, -1, norm);
}
tn_tensor *tni_composite_fft_ihfftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm) {
    return fft_do_several(fft_real_to_hermitian, out, self, s, dim, -1, norm);
}

/* ---- frequencies */

static tn_tensor *fft_frequencies(int64_t n, double d, tn_dtype dtype, int64_t from, int64_t to) {
    if (n < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "n is %" PRId64 ": a line does not have fewer than 0 elements", n);
    dtype = dtype == TN_DTYPE_DEFAULT ? tn_default_dtype() : dtype;
    if (!tn_dtype_is_floating(dtype) && !tn_dtype_is_complex(dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "dtype is %s: frequencies are floating-point numbers", tn_dtype_name(dtype));
    tn_tensor *steps = tn_arange_start(tn_scalar_int(from), tn_scalar_int(to), tn_scalar_int(1), dtype);
    return tn_mul_scalar(steps, tn_scalar_float(1 / ((double)n * d)));
}

/* 0 ... (n - 1) / 2, then -n / 2 ... -1; none for n = 0 */
tn_tensor *tni_composite_fft_fftfreq(int64_t n, double d, tn_dtype dtype) {
    tn_tensor *ascending = fft_frequencies(n, d, dtype, -(n / 2), (n + 1) / 2);
    int64_t shift = -(n / 2), dim = 0;
    return tn_roll(ascending, (tn_dims){&shift, 1}, (tn_dims){&dim, 1});
}
tn_tensor *tni_composite_fft_rfftfreq(int64_t n, double d, tn_dtype dtype) {
    return fft_frequencies(n, d, dtype, 0, n / 2 + 1);
}

/* Each dimension rolled by half of its size, rounded down, or (back) up. */
static tn_tensor *fft_shift(const tn_tensor *self, tn_dims dim, bool back) {
    int64_t dims[TN_MAX_DIMS], shifts[TN_MAX_DIMS], count = dim.count ? dim.count : self->ndim;
    for (int64_t i = 0; i < count; i++) {
        if (dim.count == 0)
            dims[i] = i;
        else if (!tni_wrap_dim(dim.values[i], self->ndim, "dim", &dims[i]))
            return NULL;
        int64_t size = self->ndim ? self->sizes[dims[i]] : 1;
        shifts[i] = (size + back) / 2;
    }
    return count == 0 ? tn_clone(self, TN_PRESERVE) : tn_roll(self, (tn_dims){shifts, count}, (tn_dims){dims, count});
}

tn_tensor *tni_composite_fft_fftshift(const tn_tensor *self, tn_dims dim) { return fft_shift(self, dim, false); }
tn_tensor *tni_composite_fft_ifftshift(const tn_tensor *self, tn_dims dim) { return fft_shift(self, dim, true); }
