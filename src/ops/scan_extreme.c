/* scan_extreme.c - running extremes with their indices, and the running logarithm of a sum of exponentials: cummax, cummin,
 * logcumsumexp.
 *
 * Extremes are looked for in float32, float64, int64 or uint64. logcumsumexp computes in double, also what it reads as float32,
 * and complex numbers in complex128.
 */
#include <math.h>

#include "base/error.h"
#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "ops/result.h"
#include "ops/scan.h"

/* ---- extremes */

typedef struct scan_extreme_call {
    tni_scan_extreme_function function;
    int64_t count;
} scan_extreme_call;

static void scan_extreme_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const scan_extreme_call *call = context;
    (void)number, (void)scratch;
    call->function(lines[0], lines[1], lines[2], call->count);
}

static bool scan_extreme_check(const tn_tensor *self, int64_t *dim) {
    if (!tni_scan_is_whole(self->dtype) && !tni_scan_is_float(self->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "self is %s, whose elements have no order", tni_show_tensor(self));
        return false;
    }
    return tni_wrap_dim(*dim, self->ndim, "dim", dim);
}

static tn_error scan_extreme_into(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool minimum) {
    tn_dtype compute = self->dtype == TN_UINT64 || self->dtype == TN_FLOAT64 ? (tn_dtype)self->dtype
                       : tni_scan_is_whole(self->dtype)                      ? TN_INT64
                                                                             : TN_FLOAT32;
    scan_extreme_call call = {tni_kernels()->scan_extreme[2 * (int)compute + minimum], self->ndim ? self->sizes[dim] : 1};
    tni_scan scan = {
        .result = values, .result_compute = compute, .second = indices, .self = self, .self_compute = compute, .dim = dim};
    return tni_scan_run(&scan, scan_extreme_line, &call);
}

static tn_list *scan_extreme_new(const tn_tensor *self, int64_t dim, bool minimum) {
    if (!scan_extreme_check(self, &dim))
        return NULL;
    tn_tensor *results[2] = {tni_tensor_new(self->ndim, self->sizes, self->dtype, tni_tensor_device(self)), NULL};
    if (results[0])
        results[1] = tni_tensor_new(self->ndim, self->sizes, TN_INT64, tni_tensor_device(self));
    if (results[1] && scan_extreme_into(results[0], results[1], self, dim, minimum) == TN_OK)
        return tni_list_make(results, 2);
    tni_tensor_release(results[0]);
    tni_tensor_release(results[1]);
    return NULL;
}

static tn_error scan_extreme_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool minimum) {
    tni_result results[2];
    tn_dims sizes = {self->sizes, self->ndim};
    tni_result_wish wishes[2] = {{values, "values", sizes, self->dtype}, {indices, "indices", sizes, TN_INT64}};
    if (!scan_extreme_check(self, &dim) || !tni_result_begin_pair(results, wishes, TNI_RESULT_EXACT, &self, 1))
        return tn_error_code();
    return tni_result_end_pair(results, scan_extreme_into(results[0].tensor, results[1].tensor, self, dim, minimum));
}

tn_list *tni_op_cummax(const tn_tensor *self, int64_t dim) { return scan_extreme_new(self, dim, false); }

tn_error tni_op_cummax_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim) {
    return scan_extreme_out(values, indices, self, dim, false);
}

tn_list *tni_op_cummin(const tn_tensor *self, int64_t dim) { return scan_extreme_new(self, dim, true); }

tn_error tni_op_cummin_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim) {
    return scan_extreme_out(values, indices, self, dim, true);
}

/* ---- the logarithm of a sum of exponentials */

enum { SCAN_LOGARITHM_BLOCK = 64 };

static double scan_log_add(double a, double b) {
    double low = a < b ? a : b, high = a < b ? b : a;
    if (isnan(a) || isnan(b))
        return a + b;
    return low == high && isinf(low) ? low : high + log1p(exp(low - high));
}

/* Elements of a line of float32 or float64, to and from a block of doubles. */
static void scan_logarithm_read(double *block, const void *line, bool single, int64_t start, int64_t length) {
    for (int64_t i = 0; i < length; i++)
        block[i] = single ? (double)((const float *)line)[start + i] : ((const double *)line)[start + i];
}

static void scan_logarithm_write(void *line, const double *block, bool single, int64_t start, int64_t length) {
    for (int64_t i = 0; i < length; i++)
        if (single)
            ((float *)line)[start + i] = (float)block[i];
        else
            ((double *)line)[start + i] = block[i];
}

/* A block is computed relative to the largest element up to its end: exponentials and logarithms are then those of whole
 * blocks, and what stands between them a plain sum. That is precise only while the largest element hardly grows inside the
 * block. Where it does, and where there are infinities or NaN, the block is computed element by element. */
static void scan_logarithm(void *out, const void *in, bool single, int64_t count) {
    const tni_loop *loops = tni_kernels()->pointwise;
    double top = -INFINITY, sum = 0; /* so far: top + log(sum) */
    for (int64_t start = 0; start < count; start += SCAN_LOGARITHM_BLOCK) {
        int64_t length = tni_min_i64(count - start, SCAN_LOGARITHM_BLOCK);
        double x[SCAN_LOGARITHM_BLOCK];
        scan_logarithm_read(x, in, single, start, length);
        double first = x[0] > top ? x[0] : top, most = top;
        bool numbers = true;
        for (int64_t i = 0; i < length; i++) {
            numbers &= x[i] < INFINITY;
            most = x[i] > most ? x[i] : most;
        }
        if (numbers && most - first <= 2) { /* false where both are infinite, or top is NaN */
            sum *= exp(top - most);
            top = most;
            for (int64_t i = 0; i < length; i++)
                x[i] -= most;
            loops[TNI_KERNEL_exp * TN_DTYPE_COUNT + TN_FLOAT64]((void *[]){x, x}, length, NULL);
            for (int64_t i = 0; i < length; i++)
                x[i] = sum += x[i];
            loops[TNI_KERNEL_log * TN_DTYPE_COUNT + TN_FLOAT64]((void *[]){x, x}, length, NULL);
            for (int64_t i = 0; i < length; i++)
                x[i] += most;
        } else {
            top = sum == 0 ? top : top + log(sum);
            for (int64_t i = 0; i < length; i++)
                x[i] = top = scan_log_add(x[i], top);
            sum = 1;
        }
        scan_logarithm_write(out, x, single, start, length);
    }
}

/* log(e^a + e^b) = larger + log(1 + e^(smaller - larger)), larger by the real part; the imaginary part is not brought back to
 * -pi..pi, so that it follows the sum without jumps. */
static tn_complex128 scan_log_add_complex(tn_complex128 a, tn_complex128 b) {
    if (isnan(a.real) || isnan(a.imag) || isnan(b.real) || isnan(b.imag))
        return (tn_complex128){NAN, NAN};
    tn_complex128 low = a.real < b.real ? a : b, high = a.real < b.real ? b : a;
    if (low.real == -INFINITY)
        return high;
    double size = exp(low.real - high.real), angle = low.imag - high.imag;
    double x = size * cos(angle), y = size * sin(angle);
    return (tn_complex128){high.real + 0.5 * log1p(2 * x + size * size), high.imag + atan2(y, 1 + x)};
}

static void scan_logarithm_complex(tn_complex128 *out, const tn_complex128 *in, int64_t count) {
    tn_complex128 so_far = {-INFINITY, 0};
    for (int64_t i = 0; i < count; i++)
        out[i] = so_far = scan_log_add_complex(in[i], so_far);
}

typedef struct scan_logarithm_call {
    tn_dtype compute;
    int64_t count;
} scan_logarithm_call;

static void scan_logarithm_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const scan_logarithm_call *call = context;
    (void)number, (void)scratch;
    if (call->compute == TN_COMPLEX128)
        scan_logarithm_complex(lines[0], lines[1], call->count);
    else
        scan_logarithm(lines[0], lines[1], call->compute == TN_FLOAT32, call->count);
}

static bool scan_logarithm_check(const tn_tensor *self, int64_t *dim) {
    if (!tni_scan_is_float(self->dtype) && !tn_dtype_is_complex(self->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "self is %s; logarithms are for floats, convert it first", tni_show_tensor(self));
        return false;
    }
    return tni_wrap_dim(*dim, self->ndim, "dim", dim);
}

static tn_error scan_logarithm_into(tn_tensor *result, const tn_tensor *self, int64_t dim) {
    tn_dtype compute = tn_dtype_is_complex(self->dtype) ? TN_COMPLEX128 : self->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    scan_logarithm_call call = {compute, self->ndim ? self->sizes[dim] : 1};
    tni_scan scan = {.result = result,
                     .result_compute = compute,
                     .self = self,
                     .self_compute = compute,
                     .dim = dim,
                     .work = tni_min_i64(call.count, INT32_MAX) * 16};
    return tni_scan_run(&scan, scan_logarithm_line, &call);
}

tn_tensor *tni_op_logcumsumexp(const tn_tensor *self, int64_t dim) {
    if (!scan_logarithm_check(self, &dim))
        return NULL;
    tn_tensor *result = tni_tensor_new(self->ndim, self->sizes, self->dtype, tni_tensor_device(self));
    if (result && scan_logarithm_into(result, self, dim) != TN_OK) {
        tni_tensor_release(result);
        return NULL;
    }
    return result;
}

tn_error tni_op_logcumsumexp_out(tn_tensor *out, const tn_tensor *self, int64_t dim) {
    tni_result result;
    if (!scan_logarithm_check(self, &dim) ||
        !tni_result_begin(&result, out, (tn_dims){self->sizes, self->ndim}, self->dtype, TNI_RESULT_EXACT, &self, 1))
        return tn_error_code();
    return tni_result_end(&result, scan_logarithm_into(result.tensor, self, dim));
}
