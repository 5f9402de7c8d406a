/* softmax.c - exponentials along a dimension, divided by their sum: softmax, log_softmax, softmin.
 *
 * Lines of float16 and bfloat16 are computed in float32. A line, or several that follow each other, is one call of a kernel,
 * which reads it while it is cached.
 */
#include "base/error.h"
#include "kernels/table.h"
#include "kernels_shared.h"
#include "operators_arithmetic.h"
#include "operators_softmax.h"
#include "ops/join/move.h"
#include "ops/result.h"
#include "ops/line/line_call.h"

typedef struct softmax_call {
    tni_softmax_function function;
    tni_loop exponential;
    int64_t count;
    bool logarithm;
} softmax_call;

static void softmax_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const softmax_call *call = context;
    (void)number, (void)scratch;
    call->function(lines[0], lines[1], call->count, 1, call->logarithm, call->exponential);
}

static void softmax_lines(void *const *lines, int64_t many, void *context) {
    const softmax_call *call = context;
    call->function(lines[0], lines[1], call->count, many, call->logarithm, call->exponential);
}

static bool softmax_plan(tni_plan *plan, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    if (dtype == TN_DTYPE_DEFAULT)
        dtype = self->dtype;
    if (!tni_line_is_float(dtype)) {
        tni_raise(TN_ERROR_DTYPE, "self is %s, and the result would have dtype %s; give a float dtype, such as float32",
                  tni_show_tensor(self), tn_dtype_name(dtype));
        return false;
    }
    if (!tni_loop_of(TNI_KERNEL_exp, dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32))
        return false;
    tni_plan_begin(plan, self);
    tni_plan_add_format(plan, self->ndim, self->sizes, dtype, tni_suggests_channels_last(self));
    return tni_wrap_dim(dim, self->ndim, "dim", &plan->number[0]);
}

static tn_error softmax_into(tn_tensor *result, const tn_tensor *self, int64_t dim, bool logarithm) {
    tn_dtype compute = result->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    tn_tensor *source = tni_line_source(self, result->dtype, compute);
    if (!source)
        return tni_failed();
    const tni_kernel_table *kernels = tni_kernels();
    softmax_call call = {.function = kernels->softmax[compute == TN_FLOAT64],
                         .exponential = kernels->pointwise[TNI_KERNEL_exp * TN_DTYPE_COUNT + (int)compute],
                         .count = source->ndim ? source->sizes[dim] : 1,
                         .logarithm = logarithm};
    tni_line_call scan = {.result = result,
                          .result_compute = compute,
                          .self = source,
                          .self_compute = compute,
                          .dim = dim,
                          .together = softmax_lines,
                          .work = tni_min_i64(call.count, INT32_MAX) * 4,
                          .kernel = logarithm ? TNI_JOB_log_softmax : TNI_JOB_softmax};
    tn_error code = tni_line_call_run(&scan, softmax_line, &call);
    tni_tensor_release(source);
    return code;
}

bool tni_plan_softmax(tni_plan *plan, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    return softmax_plan(plan, self, dim, dtype);
}

tn_error tni_run_softmax(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    (void)dim, (void)dtype;
    return softmax_into(results[0], self, plan->number[0], false);
}

bool tni_plan_log_softmax(tni_plan *plan, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    return softmax_plan(plan, self, dim, dtype);
}

tn_error tni_run_log_softmax(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                             tn_dtype dtype) {
    (void)dim, (void)dtype;
    return softmax_into(results[0], self, plan->number[0], true);
}

tn_tensor *tni_composite_softmin(const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    tni_plan plan;
    return softmax_plan(&plan, self, dim, dtype) /* errors are about self, not about its negative */
               ? tn_softmax(tn_neg(self), dim, dtype)
               : NULL;
}

/* ---- by other names */

static tn_dtype softmax_asked(const tn_tensor *self, bool half_to_float) {
    return half_to_float && self->dtype == TN_FLOAT16 ? TN_FLOAT32 : TN_DTYPE_DEFAULT;
}

tn_tensor *tni_composite__softmax(const tn_tensor *self, int64_t dim, bool half_to_float) {
    return tn_softmax(self, dim, softmax_asked(self, half_to_float));
}

tn_tensor *tni_composite__log_softmax(const tn_tensor *self, int64_t dim, bool half_to_float) {
    return tn_log_softmax(self, dim, softmax_asked(self, half_to_float));
}
