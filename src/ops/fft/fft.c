/* fft.c - Fourier transforms along dimensions: _fft_c2c, _fft_r2c, _fft_c2r, of which all others are made.
 *
 * A dimension after the other, each line by a plan for its length (iterate/fourier.h). The first dimension is read from self, the others
 * are changed in the result. float32 and float64 are computed in themselves.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "iterate/fourier.h"
#include "iterate/lines.h"
#include "kernels/table.h"
#include "operators_fft.h"
#include "ops/copy/copy.h"
#include "ops/fft/fft.h"
#include "ops/plan.h"

bool tni_fft_dims(const tn_tensor *self, tn_dims dim, int64_t *dims) {
    uint64_t seen = 0;
    for (int64_t i = 0; i < dim.count; i++) {
        if (!tni_wrap_dim(dim.values[i], self->ndim, "dim", &dims[i]))
            return false;
        if (self->ndim == 0) {
            tni_raise(TN_ERROR_SHAPE, "self has no dimensions, so there is no line to transform");
            return false;
        }
        if (seen >> dims[i] & 1) {
            tni_raise(TN_ERROR_ARGUMENT, "dim has dimension %" PRId64 " twice", dims[i]);
            return false;
        }
        seen |= UINT64_C(1) << dims[i];
    }
    return true;
}

/* ---- plans */

/* What the three have in common: the dtype of self, the dimensions, how results are scaled. */
static bool fft_check(const tn_tensor *self, tn_dims dim, int64_t normalization, bool complex) {
    int64_t dims[TN_MAX_DIMS];
    tn_dtype dtype = self->dtype;
    if (complex ? !tn_dtype_is_complex(dtype) : dtype != TN_FLOAT32 && dtype != TN_FLOAT64) {
        tni_raise(TN_ERROR_DTYPE, "self is %s; this transform is of %s", tni_show_tensor(self),
                  complex ? "complex64 and complex128" : "float32 and float64");
        return false;
    }
    if (normalization < 0 || normalization > 2) {
        tni_raise(TN_ERROR_ARGUMENT, "normalization is %" PRId64 ", not 0 (none), 1 (by the root of n) or 2 (by n)",
                  normalization);
        return false;
    }
    if (!tni_fft_dims(self, dim, dims))
        return false;
    for (int64_t i = 0; i < dim.count; i++)
        if (self->sizes[dims[i]] < 1) {
            tni_raise(TN_ERROR_SHAPE, "self is %s: dimension %" PRId64 ", which is transformed, has no elements",
                      tni_show_tensor(self), dims[i]);
            return false;
        }
    return true;
}

/* One more result of self's sizes, but for its size along a dimension (TN_NONE: all of them). */
static void fft_add(tni_plan *plan, const tn_tensor *self, int64_t dim, int64_t size, tn_dtype dtype) {
    tni_plan_begin(plan, self);
    plan->beside = true;
    tni_plan_add(plan, self->ndim, self->sizes, dtype);
    if (dim != TN_NONE)
        plan->result[0].sizes[dim] = size;
}

static bool fft_last(const tn_tensor *self, tn_dims dim, int64_t *last) {
    if (dim.count < 1) {
        tni_raise(TN_ERROR_ARGUMENT, "dim is empty: a transform between real and complex numbers needs a dimension");
        return false;
    }
    return tni_wrap_dim(dim.values[dim.count - 1], self->ndim, "dim", last);
}

bool tni_plan__fft_c2c(tni_plan *plan, const tn_tensor *self, tn_dims dim, int64_t normalization, bool forward) {
    (void)forward;
    if (!fft_check(self, dim, normalization, true))
        return false;
    fft_add(plan, self, TN_NONE, 0, self->dtype);
    return true;
}

bool tni_plan__fft_r2c(tni_plan *plan, const tn_tensor *self, tn_dims dim, int64_t normalization, bool onesided) {
    int64_t last;
    if (!fft_check(self, dim, normalization, false) || !fft_last(self, dim, &last))
        return false;
    fft_add(plan, self, last, onesided ? self->sizes[last] / 2 + 1 : self->sizes[last], tni_dtypes[self->dtype].to_complex);
    return true;
}

bool tni_plan__fft_c2r(tni_plan *plan, const tn_tensor *self, tn_dims dim, int64_t normalization, int64_t last_dim_size) {
    int64_t last;
    if (!fft_check(self, dim, normalization, true) || !fft_last(self, dim, &last))
        return false;
    if (last_dim_size < 1 || last_dim_size / 2 + 1 != self->sizes[last]) {
        tni_raise(TN_ERROR_SHAPE,
                  "last_dim_size is %" PRId64 ", and self is %s: dimension %" PRId64 " has to have half of that and one more",
                  last_dim_size, tni_show_tensor(self), last);
        return false;
    }
    fft_add(plan, self, last, last_dim_size, tn_dtype_to_real(self->dtype));
    return true;
}

/* ---- lines */

typedef struct fft_call {
    const tni_fourier *plan;
    tni_thread_memory *blocks;
    const tni_kernel_table *kernels;
    int64_t length; /* of the real line, or of both */
    size_t pitch;   /* bytes of an array in the scratch */
    double scale;
    bool single, backward, onesided;
} fft_call;

/* The two pairs of arrays. Backward is forward with real and imaginary parts exchanged, in what is read and in what is written. */
static void fft_set_up(const fft_call *call, void *scratch, void *x[2], void *y[2]) {
    char *at = scratch;
    for (int part = 0; part < 2; part++) {
        x[part] = at + (size_t)part * call->pitch;
        y[part] = at + (size_t)(2 + part) * call->pitch;
    }
}

static void fft_line_complex(void *const *lines, int64_t number, void *scratch, void *context) {
    const fft_call *call = context;
    void *x[2], *y[2];
    (void)number;
    fft_set_up(call, scratch, x, y);
    int back = call->backward;
    call->kernels->fourier_split[!call->single]((void *[]){x[back], x[!back]}, lines[1], call->length);
    tni_fourier_run(call->plan, call->blocks, x, y);
    call->kernels->fourier_join[!call->single](lines[0], (void *[]){x[back], x[!back]}, call->length, call->scale);
}

static void fft_line_complex_in_place(void *const *lines, int64_t number, void *scratch, void *context) {
    fft_line_complex((void *[]){lines[0], lines[0]}, number, scratch, context);
}

static double fft_get(bool single, const void *line, int64_t at) {
    return single ? (double)((const float *)line)[at] : ((const double *)line)[at];
}

static void fft_put(bool single, void *line, int64_t at, double value) {
    if (single)
        ((float *)line)[at] = (float)value;
    else
        ((double *)line)[at] = value;
}

/* The second half of the transform of a real line: the conjugates of the first, backwards. */
static void fft_mirror(const fft_call *call, void *line) {
    for (int64_t k = 1, n = call->length; 2 * k < n; k++) {
        fft_put(call->single, line, 2 * (n - k), fft_get(call->single, line, 2 * k));
        fft_put(call->single, line, 2 * (n - k) + 1, -fft_get(call->single, line, 2 * k + 1));
    }
}

static void fft_line_from_real(void *const *lines, int64_t number, void *scratch, void *context) {
    const fft_call *call = context;
    size_t element = call->single ? sizeof(float) : sizeof(double);
    void *x[2], *y[2];
    (void)number;
    fft_set_up(call, scratch, x, y);
    if (call->length % 2) {
        memcpy(x[0], lines[1], (size_t)call->length * element);
        memset(x[1], 0, (size_t)call->length * element);
        tni_fourier_run(call->plan, call->blocks, x, y);
        call->kernels->fourier_join[!call->single](lines[0], x, call->length / 2 + 1, call->scale);
    } else {
        int64_t half = call->length / 2;
        call->kernels->fourier_split[!call->single](x, lines[1], half);
        tni_fourier_run(tni_fourier_half(call->plan), call->blocks, x, y);
        call->kernels->fourier_real[!call->single](lines[0], x, tni_fourier_turns(call->plan), half, call->scale);
    }
    if (!call->onesided)
        fft_mirror(call, lines[0]);
}

static void fft_line_to_real(void *const *lines, int64_t number, void *scratch, void *context) {
    const fft_call *call = context;
    int64_t n = call->length;
    void *x[2], *y[2];
    (void)number;
    fft_set_up(call, scratch, x, y);
    if (n % 2) {
        for (int64_t k = 0; 2 * k < n; k++) {
            double re = fft_get(call->single, lines[1], 2 * k), im = k ? fft_get(call->single, lines[1], 2 * k + 1) : 0;
            fft_put(call->single, x[1], k, re);
            fft_put(call->single, x[0], k, im);
            if (k) {
                fft_put(call->single, x[1], n - k, re);
                fft_put(call->single, x[0], n - k, -im);
            }
        }
        tni_fourier_run(call->plan, call->blocks, x, y);
        for (int64_t k = 0; k < n; k++)
            fft_put(call->single, lines[0], k, fft_get(call->single, x[1], k) * call->scale);
        return;
    }
    call->kernels->fourier_pairs[!call->single]((void *[]){x[1], x[0]}, lines[1], tni_fourier_turns(call->plan), n / 2);
    tni_fourier_run(tni_fourier_half(call->plan), call->blocks, x, y);
    call->kernels->fourier_join[!call->single](lines[0], (void *[]){x[1], x[0]}, n / 2, call->scale);
}

/* All lines along a dimension, from source (NULL: in place) to result. */
static tn_error fft_along(fft_call *call, tn_tensor *result, const tn_tensor *source, int64_t dim, bool real,
                          tni_line_function function) {
    call->plan = tni_fourier_take(call->length, call->single, real && call->length % 2 == 0);
    if (!call->plan)
        return tni_failed();
    tn_error code = TN_ERROR_MEMORY;
    size_t block = tni_fourier_block(call->plan), element = call->single ? sizeof(float) : sizeof(double);
    tni_thread_memory blocks;
    if (block && !tni_thread_memory_take(&blocks, block, tn_num_threads()))
        goto end;
    call->blocks = block ? &blocks : NULL;
    call->kernels = tni_kernels();
    call->pitch = ((size_t)tni_fourier_room(call->plan) * element + 63) / 64 * 64;
    tni_lines_job job = {.ndim = result->ndim,
                         .dim = dim,
                         .sizes = result->sizes,
                         .function = function,
                         .context = call,
                         .scratch = 4 * call->pitch,
                         .work = call->length > INT64_MAX / 32 ? call->length : 32 * call->length,
                         .device = tni_tensor_device(result)};
    job.operand[job.operands++] = tni_line_write(result, dim, result->dtype);
    if (source)
        job.operand[job.operands++] = tni_line_read(source, dim, source->dtype);
    else
        job.operand[0].reads = true;
    code = tni_lines_run(&job);
    if (block)
        tni_thread_memory_give(&blocks);
end:
    tni_fourier_give(call->plan);
    return code;
}

/* The factor for all dimensions together. */
static double fft_scale(const tn_tensor *whole, const int64_t *dims, int64_t count, int64_t normalization) {
    double elements = 1;
    for (int64_t i = 0; i < count; i++)
        elements *= (double)whole->sizes[dims[i]];
    return normalization == 0 ? 1 : normalization == 1 ? 1 / sqrt(elements) : 1 / elements;
}

/* Complex transforms along dims[0 ... count - 1]: the first from source, unless there is none, the rest in place. */
static tn_error fft_complex(tn_tensor *result, const tn_tensor *source, const int64_t *dims, int64_t count, double scale,
                            bool forward) {
    tn_error code = TN_OK;
    for (int64_t i = 0; i < count && code == TN_OK; i++, source = NULL) {
        fft_call call = {.length = result->sizes[dims[i]],
                         .scale = i == count - 1 ? scale : 1,
                         .single = result->dtype == TN_COMPLEX64,
                         .backward = !forward};
        code = fft_along(&call, result, source, dims[i], false, source ? fft_line_complex : fft_line_complex_in_place);
    }
    return code;
}

tn_error tni_run__fft_c2c(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims dim,
                          int64_t normalization, bool forward) {
    int64_t dims[TN_MAX_DIMS];
    (void)plan;
    if (!tni_fft_dims(self, dim, dims))
        return tni_failed();
    if (self->numel == 0)
        return TN_OK;
    if (dim.count == 0)
        return tni_copy_into(results[0], self, "no dimension is transformed");
    return fft_complex(results[0], self, dims, dim.count, fft_scale(self, dims, dim.count, normalization), forward);
}

tn_error tni_run__fft_r2c(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims dim,
                          int64_t normalization, bool onesided) {
    int64_t dims[TN_MAX_DIMS], count = dim.count - 1;
    (void)plan;
    if (!tni_fft_dims(self, dim, dims))
        return tni_failed();
    if (self->numel == 0)
        return TN_OK;
    double scale = fft_scale(self, dims, dim.count, normalization);
    fft_call call = {.length = self->sizes[dims[count]],
                     .scale = count ? 1 : scale,
                     .single = self->dtype == TN_FLOAT32,
                     .onesided = onesided};
    tn_error code = fft_along(&call, results[0], self, dims[count], true, fft_line_from_real);
    return code == TN_OK ? fft_complex(results[0], NULL, dims, count, scale, true) : code;
}

tn_error tni_run__fft_c2r(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims dim,
                          int64_t normalization, int64_t last_dim_size) {
    int64_t dims[TN_MAX_DIMS], count = dim.count - 1;
    (void)plan;
    if (!tni_fft_dims(self, dim, dims))
        return tni_failed();
    if (self->numel == 0)
        return TN_OK;
    double scale = fft_scale(results[0], dims, dim.count, normalization);
    tn_tensor *first = NULL;
    tn_error code = TN_OK;
    if (count) {
        first = tni_tensor_new(self->ndim, self->sizes, self->dtype, tni_tensor_device(self));
        if (!first)
            return tni_failed();
        code = fft_complex(first, self, dims, count, 1, false);
    }
    if (code == TN_OK) {
        fft_call call = {.length = last_dim_size, .scale = scale, .single = self->dtype == TN_COMPLEX64, .backward = true};
        code = fft_along(&call, results[0], first ? first : self, dims[count], true, fft_line_to_real);
    }
    if (first)
        tni_tensor_release(first);
    return code;
}
