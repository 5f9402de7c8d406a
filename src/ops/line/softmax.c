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

/* ---- gradients */

typedef struct softmax_back_call {
    tni_softmax_back_function function;
    tni_loop exponential;
    int64_t count;
    bool logarithm;
} softmax_back_call;

static void softmax_back_lines(void *const *lines, int64_t many, void *context) {
    const softmax_back_call *call = context;
    call->function(lines[0], lines[1], lines[2], call->count, many, call->logarithm, call->exponential);
}

static void softmax_back_line(void *const *lines, int64_t number, void *scratch, void *context) {
    (void)number, (void)scratch;
    softmax_back_lines(lines, 1, context);
}

static bool softmax_back_plan(tni_plan *plan, const tn_tensor *grad, const tn_tensor *output, int64_t dim, tn_dtype dtype) {
    bool same = grad->ndim == output->ndim && grad->dtype == output->dtype;
    for (int64_t d = 0; same && d < grad->ndim; d++)
        same = grad->sizes[d] == output->sizes[d];
    if (!same) {
        tni_raise(grad->dtype == output->dtype ? TN_ERROR_SHAPE : TN_ERROR_DTYPE,
                  "grad_output %s and output %s must have the same sizes and dtype", tni_show_tensor(grad),
                  tni_show_tensor(output));
        return false;
    }
    return softmax_plan(plan, output, dim, dtype);
}

static tn_error softmax_back_into(const tni_plan *plan, tn_tensor *result, const tn_tensor *grad, const tn_tensor *output,
                                  bool logarithm) {
    int64_t dim = plan->number[0];
    tn_dtype compute = grad->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    const tni_kernel_table *kernels = tni_kernels();
    softmax_back_call call = {.function = kernels->softmax_back[compute == TN_FLOAT64],
                              .exponential = kernels->pointwise[TNI_KERNEL_exp * TN_DTYPE_COUNT + (int)compute],
                              .count = grad->ndim ? grad->sizes[dim] : 1,
                              .logarithm = logarithm};
    if (grad->numel == 0)
        return TN_OK;
    tni_lines_job job = {.ndim = grad->ndim,
                         .dim = dim,
                         .sizes = grad->sizes,
                         .function = softmax_back_line,
                         .together = softmax_back_lines,
                         .context = &call,
                         .work = tni_min_i64(call.count, INT32_MAX) * (logarithm ? 4 : 2),
                         .device = tni_tensor_device(grad),
                         .operands = 3};
    job.operand[0] = tni_line_write(result, dim, compute);
    job.operand[1] = tni_line_read(grad, dim, compute);
    job.operand[2] = tni_line_read(output, dim, compute);
    return tni_lines_run(&job);
}

bool tni_plan__softmax_backward_data(tni_plan *plan, const tn_tensor *grad_output, const tn_tensor *output, int64_t dim,
                                     tn_dtype input_dtype) {
    return softmax_back_plan(plan, grad_output, output, dim, input_dtype);
}

tn_error tni_run__softmax_backward_data(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,
                                        const tn_tensor *output, int64_t dim, tn_dtype input_dtype) {
    (void)dim, (void)input_dtype;
    return softmax_back_into(plan, results[0], grad_output, output, false);
}

bool tni_plan__log_softmax_backward_data(tni_plan *plan, const tn_tensor *grad_output, const tn_tensor *output, int64_t dim,
                                         tn_dtype input_dtype) {
    return softmax_back_plan(plan, grad_output, output, dim, input_dtype);
}

tn_error tni_run__log_softmax_backward_data(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,
                                            const tn_tensor *output, int64_t dim, tn_dtype input_dtype) {
    (void)dim, (void)input_dtype;
    return softmax_back_into(plan, results[0], grad_output, output, true);
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
