/* scan_extreme.c - running extremes with their indices, and the running logarithm of a sum of exponentials: cummax, cummin,
 * logcumsumexp.
 *
 * Extremes are found in float32, float64, int64 or uint64. logcumsumexp computes in double, even for float32, and complex
 * numbers in complex128.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "kernels_shared.h"
#include "operators_scan.h"
#include "ops/result.h"
#include "ops/line/line_call.h"
#include "ops/limits.h"

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

static bool scan_extreme_plan(tni_plan *plan, const tn_tensor *self, int64_t dim) {
    if (!tni_line_is_whole(self->dtype) && !tni_line_is_float(self->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "self is %s, whose elements have no order", tni_show_tensor(self));
        return false;
    }
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim, self->sizes, self->dtype);
    tni_plan_add(plan, self->ndim, self->sizes, TN_INT64);
    return tni_wrap_dim(dim, self->ndim, "dim", &plan->number[0]);
}

static tn_error scan_extreme_into(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool minimum) {
    tn_dtype compute = self->dtype == TN_UINT64 || self->dtype == TN_FLOAT64 ? (tn_dtype)self->dtype
                       : tni_line_is_whole(self->dtype)                      ? TN_INT64
                                                                             : TN_FLOAT32;
    scan_extreme_call call = {tni_kernels()->scan_extreme[2 * (int)compute + minimum], self->ndim ? self->sizes[dim] : 1};
    tni_line_call scan = {.result = values,
                          .result_compute = compute,
                          .second = indices,
                          .self = self,
                          .self_compute = compute,
                          .dim = dim,
                          .kernel = minimum ? TNI_JOB_cummin : TNI_JOB_cummax};
    return tni_line_call_run(&scan, scan_extreme_line, &call);
}

bool tni_plan_cummax(tni_plan *plan, const tn_tensor *self, int64_t dim) { return scan_extreme_plan(plan, self, dim); }
tn_error tni_run_cummax(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim) {
    (void)dim;
    return scan_extreme_into(results[0], results[1], self, plan->number[0], false);
}

bool tni_plan_cummin(tni_plan *plan, const tn_tensor *self, int64_t dim) { return scan_extreme_plan(plan, self, dim); }
tn_error tni_run_cummin(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim) {
    (void)dim;
    return scan_extreme_into(results[0], results[1], self, plan->number[0], true);
}

/* ---- the logarithm of a sum of exponentials */

typedef struct scan_logarithm_call {
    tni_scan_logarithm_function function;
    tni_loop exponentials, logarithms; /* NULL in a build without mathematics */
    int64_t count;
} scan_logarithm_call;

static void scan_logarithm_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const scan_logarithm_call *call = context;
    (void)number, (void)scratch;
    call->function(lines[0], lines[1], call->count, call->exponentials, call->logarithms);
}

bool tni_plan_logcumsumexp(tni_plan *plan, const tn_tensor *self, int64_t dim) {
    if (!tni_line_is_float(self->dtype) && !tn_dtype_is_complex(self->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "self is %s; logarithms are for floats, convert it first", tni_show_tensor(self));
        return false;
    }
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim, self->sizes, self->dtype);
    return tni_wrap_dim(dim, self->ndim, "dim", &plan->number[0]);
}

tn_error tni_run_logcumsumexp(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim) {
    tn_dtype compute = tn_dtype_is_complex(self->dtype) ? TN_COMPLEX128 : self->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    const tni_kernel_table *kernels = tni_kernels();
    scan_logarithm_call call = {.function = kernels->scan_logarithm[compute],
                                .exponentials = kernels->pointwise[TNI_KERNEL_exp * TN_DTYPE_COUNT + TN_FLOAT64],
                                .logarithms = kernels->pointwise[TNI_KERNEL_log * TN_DTYPE_COUNT + TN_FLOAT64],
                                .count = self->ndim ? self->sizes[plan->number[0]] : 1};
    tni_line_call scan = {.result = results[0],
                          .result_compute = compute,
                          .self = self,
                          .self_compute = compute,
                          .dim = plan->number[0],
                          .work = tni_min_i64(call.count, INT32_MAX) * 16,
                          .kernel = TNI_JOB_logcumsumexp};
    (void)dim;
    return tni_line_call_run(&scan, scan_logarithm_line, &call);
}
