/* softmax.c - exponentials along a dimension, divided by their sum: softmax, log_softmax, softmin.
 *
 * Lines of float16 and bfloat16 are computed in float32. Each line is one call of a kernel, which reads it while it is cached.
 */
#include "base/error.h"
#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "ops/move.h"
#include "ops/result.h"
#include "ops/scan.h"

typedef struct softmax_call {
    tni_softmax_function function;
    tni_loop exponential;
    int64_t count;
    bool logarithm;
} softmax_call;

static void softmax_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const softmax_call *call = context;
    (void)number, (void)scratch;
    call->function(lines[0], lines[1], call->count, call->logarithm, call->exponential);
}

static bool softmax_check(const tn_tensor *self, int64_t *dim, tn_dtype *dtype) {
    if (*dtype == TN_DTYPE_DEFAULT)
        *dtype = self->dtype;
    if (!tni_scan_is_float(*dtype)) {
        tni_raise(TN_ERROR_DTYPE, "self is %s, and the result would have dtype %s; give a float dtype, such as float32",
                  tni_show_tensor(self), tn_dtype_name(*dtype));
        return false;
    }
    return tni_wrap_dim(*dim, self->ndim, "dim", dim);
}

static tn_error softmax_into(tn_tensor *result, const tn_tensor *self, int64_t dim, bool logarithm) {
    tn_dtype compute = result->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    tn_tensor *source = tni_scan_source(self, result->dtype, compute);
    if (!source)
        return tn_error_code();
    const tni_kernel_table *kernels = tni_kernels();
    softmax_call call = {.function = kernels->softmax[compute == TN_FLOAT64],
                         .exponential = kernels->pointwise[TNI_KERNEL_exp * TN_DTYPE_COUNT + (int)compute],
                         .count = source->ndim ? source->sizes[dim] : 1,
                         .logarithm = logarithm};
    tni_scan scan = {.result = result,
                     .result_compute = compute,
                     .self = source,
                     .self_compute = compute,
                     .dim = dim,
                     .work = tni_min_i64(call.count, INT32_MAX) * 4};
    tn_error code = tni_scan_run(&scan, softmax_line, &call);
    tni_tensor_release(source);
    return code;
}

static tn_tensor *softmax_new(const tn_tensor *self, int64_t dim, tn_dtype dtype, bool logarithm) {
    if (!softmax_check(self, &dim, &dtype))
        return NULL;
    tn_tensor *result = tni_move_new(self->ndim, self->sizes, dtype, tni_suggests_channels_last(self));
    if (result && softmax_into(result, self, dim, logarithm) != TN_OK) {
        tni_tensor_release(result);
        return NULL;
    }
    return result;
}

static tn_error softmax_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype, bool logarithm) {
    tni_result result;
    if (!softmax_check(self, &dim, &dtype) ||
        !tni_result_begin(&result, out, (tn_dims){self->sizes, self->ndim}, dtype, TNI_RESULT_EXACT, &self, 1))
        return tn_error_code();
    return tni_result_end(&result, softmax_into(result.tensor, self, dim, logarithm));
}

tn_tensor *tni_op_softmax(const tn_tensor *self, int64_t dim, tn_dtype dtype) { return softmax_new(self, dim, dtype, false); }

tn_error tni_op_softmax_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    return softmax_out(out, self, dim, dtype, false);
}

tn_tensor *tni_op_log_softmax(const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    return softmax_new(self, dim, dtype, true);
}

tn_error tni_op_log_softmax_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    return softmax_out(out, self, dim, dtype, true);
}

tn_tensor *tni_op_softmin(const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    if (!softmax_check(self, &dim, &dtype))
        return NULL;
    tn_tensor *opposite = tni_op_neg(self);
    tn_tensor *result = opposite ? softmax_new(opposite, dim, dtype, false) : NULL;
    tni_tensor_release(opposite);
    return result;
}
