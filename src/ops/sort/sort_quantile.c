/* sort_quantile.c - quantile and nanquantile.
 *
 * The rank of a quantile, q times the last position, is computed in the dtype of self as PyTorch does, so that both round to
 * the same neighbours. For few quantiles the elements are selected; for many the line is sorted once.
 */
#include <math.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "operators_sort.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/sort/sort.h"
#include "ops/limits.h"

typedef enum quantile_between {
    QUANTILE_LINEAR,
    QUANTILE_LOWER,
    QUANTILE_HIGHER,
    QUANTILE_MIDPOINT,
    QUANTILE_NEAREST
} quantile_between;

static const char *const quantile_names[] = {"linear", "lower", "higher", "midpoint", "nearest"};

typedef struct quantile_call {
    tni_sort_line line;
    const tn_tensor *self; /* seen as one line where there is no dim */
    int64_t dim, count;
    const void *q; /* (count), of the dtype of self */
    quantile_between between;
    bool ignores_nan;
    bool leads; /* the quantiles have a dimension of their own, the first */
    bool keeps; /* the reduced dimensions are there, with size 1         */
} quantile_call;

/* ---- a line */

/* The element of a rank, from the sorted line or by selection. */
static double quantile_element(const quantile_call *call, const tni_order *order, const void *line, int64_t rank) {
    int64_t index = call->count > QUANTILE_FEW ? tni_order_index(order, rank) : tni_order_select(order, rank);
    return call->line.dtype == TN_FLOAT32 ? (double)((const float *)line)[index] : ((const double *)line)[index];
}

static double quantile_rank(const quantile_call *call, int64_t which, int64_t last) {
    double rank = call->line.dtype == TN_FLOAT64 ? ((const double *)call->q)[which] * (double)last
                  : last < 1 << 24               ? (double)(((const float *)call->q)[which] * (float)last)
                                                 : (double)((const float *)call->q)[which] * (double)last;
    switch (call->between) {
    case QUANTILE_LOWER: return floor(rank);
    case QUANTILE_HIGHER: return ceil(rank);
    case QUANTILE_NEAREST: return nearbyint(rank);
    default: return rank;
    }
}

static double quantile_value(const quantile_call *call, const tni_order *order, const void *line, double rank) {
    int64_t below = (int64_t)rank;
    double low = quantile_element(call, order, line, below);
    if (call->between != QUANTILE_LINEAR && call->between != QUANTILE_MIDPOINT)
        return low;
    double part = call->between == QUANTILE_MIDPOINT ? 0.5 : rank - (double)below;
    double high = (double)below == rank ? low : quantile_element(call, order, line, below + 1);
    return part < 0.5 ? low + part * (high - low) : high - (high - low) * (1 - part);
}

static void quantile_one_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const quantile_call *call = context;
    (void)number;
    tni_order order = tni_order_begin(lines[0], call->line.dtype, call->line.length, false,
                                      tni_sort_scratch(&call->line, scratch), call->line.alone);
    if (tni_stopped())
        return;
    int64_t nans = tni_order_nans(&order), last = call->line.length - nans - 1;
    bool known = last >= 0 && (nans == 0 || call->ignores_nan);
    if (known && call->count > QUANTILE_FEW)
        tni_order_sort(&order);
    TNI_IN_STEPS (begin, end, tni_stopped() ? 0 : call->count)
        for (int64_t i = begin; i < end; i++) {
            double value = known ? quantile_value(call, &order, lines[0], quantile_rank(call, i, last)) : NAN;
            if (call->line.dtype == TN_FLOAT32)
                ((float *)lines[1])[i] = (float)value;
            else
                ((double *)lines[1])[i] = value;
        }
}

/* ---- the call */

static bool quantile_is_between(double q, int64_t which) {
    if (q >= 0 && q <= 1)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "q = %g at position %" PRId64 " is not between 0 and 1", q, which);
    return false;
}

static bool quantile_are_between(const quantile_call *call) {
    for (int64_t i = 0; i < call->count; i++)
        if (!quantile_is_between(
                call->line.dtype == TN_FLOAT32 ? (double)((const float *)call->q)[i] : ((const double *)call->q)[i], i))
            return false;
    return true;
}

static bool quantile_finds_between(const char *name, quantile_between *between) {
    for (int i = 0; i < (int)TNI_COUNT_OF(quantile_names); i++)
        if (strcmp(name, quantile_names[i]) == 0) {
            *between = (quantile_between)i;
            return true;
        }
    tni_raise(TN_ERROR_ARGUMENT, "interpolation = '%s' is not linear, lower, higher, midpoint or nearest", name);
    return false;
}

static bool quantile_takes(const tn_tensor *self) {
    if (self->dtype == TN_FLOAT32 || self->dtype == TN_FLOAT64)
        return true;
    tni_raise(TN_ERROR_DTYPE, "self is %s; quantiles are defined for float32 and float64: convert with to",
              tni_show_tensor(self));
    return false;
}

/* With the dimension of the quantiles in front but, in memory, last, as in torch: they are computed together. */
static void quantile_plan_result(tni_plan *plan, int64_t ndim, const int64_t *sizes, tn_dtype dtype, bool leads) {
    tni_plan_result *result = &plan->result[plan->count];
    int64_t numel, step = 1;
    tni_plan_add(plan, ndim, sizes, dtype);
    result->strided = leads && tn_geometry_numel(ndim, sizes, &numel) == TN_GEOMETRY_OK;
    if (!result->strided)
        return;
    result->strides[0] = step;
    step *= tni_max_i64(sizes[0], 1);
    for (int64_t d = ndim; d-- > 1; step *= tni_max_i64(sizes[d], 1))
        result->strides[d] = step;
}

/* The sizes of the result are those of the quantiles, if they have a dimension, and the dimensions of self that are left. */
static bool quantile_plan(tni_plan *plan, const tn_tensor *self, tn_dims quantiles, int64_t dim, bool keepdim,
                          const char *interpolation) {
    quantile_between between;
    int64_t sizes[TN_MAX_DIMS + 1], ndim = 0, along = 0;
    if (self->numel == 0) {
        tni_raise(TN_ERROR_SHAPE, "self %s has no elements", tni_show_tensor(self));
        return false;
    }
    if (!quantile_finds_between(interpolation, &between) || (dim != TN_NONE && !tni_wrap_dim(dim, self->ndim, "dim", &along)))
        return false;
    if (quantiles.count)
        sizes[ndim++] = quantiles.values[0];
    for (int64_t d = 0; d < self->ndim; d++)
        if (keepdim || (dim != TN_NONE && d != along))
            sizes[ndim++] = dim == TN_NONE || d == along ? 1 : self->sizes[d];
    if (ndim > TN_MAX_DIMS) {
        tni_raise(TN_ERROR_SHAPE, "the result would have %" PRId64 " dimensions, more than %d", ndim, TN_MAX_DIMS);
        return false;
    }
    tni_plan_begin(plan, self);
    quantile_plan_result(plan, ndim, sizes, self->dtype, quantiles.count != 0);
    plan->number[0] = along;
    plan->number[1] = between;
    return tni_order_allows(self->dtype, dim == TN_NONE ? self->numel : self->ndim ? self->sizes[along] : 1);
}

static bool quantile_plan_tensor(tni_plan *plan, const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim,
                                 const char *interpolation) {
    if (!quantile_takes(self))
        return false;
    if (q->dtype != self->dtype || q->ndim > 1) {
        tni_raise(q->ndim > 1 ? TN_ERROR_SHAPE : TN_ERROR_DTYPE,
                  "q is %s; it must have the dtype of self %s and at most one dimension", tni_show_tensor(q),
                  tni_show_tensor(self));
        return false;
    }
    return quantile_plan(plan, self, (tn_dims){q->sizes, q->ndim}, dim, keepdim, interpolation);
}

static bool quantile_plan_number(tni_plan *plan, const tn_tensor *self, double q, int64_t dim, bool keepdim,
                                 const char *interpolation) {
    return quantile_takes(self) && quantile_plan(plan, self, (tn_dims){NULL, 0}, dim, keepdim, interpolation) &&
           quantile_is_between(q, 0);
}

/* Where the result has the elements of a line. */
static void quantile_strides(const quantile_call *call, const tn_tensor *out, bool all, int64_t *room) {
    int64_t at = call->leads;
    for (int64_t d = 0; d < call->self->ndim; d++)
        room[d] = 0;
    room[call->dim] = call->leads ? out->strides[0] : 1; /* also where self has no dimension: it counts as a line of one */
    for (int64_t d = 0; !all && d < call->self->ndim; d++) {
        if (d != call->dim)
            room[d] = out->strides[at];
        at += call->keeps || d != call->dim;
    }
}

/* A device is told the quantiles as numbers. */
static tn_error quantile_run_elsewhere(quantile_call *call, tni_lines_job *job, size_t scratch) {
    size_t bytes = (size_t)(call->count + 1) * sizeof(double);
    double *number = tni_heap_alloc(bytes);
    if (!number)
        return tni_failed();
    number[0] = call->between;
    (void)tn_dtype_convert(TN_FLOAT64, number + 1, call->line.dtype, call->q, (size_t)call->count);
    job->kernel = call->ignores_nan ? TNI_JOB_nanquantile : TNI_JOB_quantile;
    job->numbers = call->count + 1;
    job->number = number;
    tn_error code = tni_sort_run(job, call->self, call->dim, scratch, &call->line);
    tni_heap_free(number, bytes);
    return code;
}

static tn_error quantile_run(quantile_call *call, tn_tensor *out, int64_t dim) {
    int64_t room[TN_MAX_DIMS];
    if (out->numel == 0)
        return TN_OK;
    tn_tensor *flat = dim == TN_NONE ? tni_op_ravel(call->self) : NULL;
    if (dim == TN_NONE && !flat)
        return tni_failed();
    call->self = flat ? flat : call->self;
    call->line.length = call->self->ndim ? call->self->sizes[call->dim] : 1;
    quantile_strides(call, out, flat != NULL, room);
    tni_lines_job job = {.operands = 2, .function = quantile_one_line};
    job.operand[1] = (tni_line_operand){.data = tni_tensor_write(out),
                                        .strides = room,
                                        .length = call->count,
                                        .dtype = out->dtype,
                                        .compute = out->dtype,
                                        .writes = true};
    size_t scratch = tni_order_scratch(call->line.dtype, call->line.length);
    tn_error code = TNI_LIKELY(tni_tensor_device(out).type == TN_CPU)
                        ? tni_sort_run(&job, call->self, call->dim, scratch, &call->line)
                        : quantile_run_elsewhere(call, &job, scratch);
    tni_tensor_release(flat);
    return code;
}

static quantile_call quantile_begin(const tni_plan *plan, const tn_tensor *self, bool keepdim, bool ignores_nan) {
    return (quantile_call){.self = self,
                           .dim = plan->number[0],
                           .count = 1,
                           .between = (quantile_between)plan->number[1],
                           .ignores_nan = ignores_nan,
                           .keeps = keepdim,
                           .line = {.dtype = self->dtype}};
}

static tn_error quantile_run_tensor(const tni_plan *plan, tn_tensor *out, const tn_tensor *self, const tn_tensor *q,
                                    int64_t dim, bool keepdim, bool ignores_nan) {
    quantile_call call = quantile_begin(plan, self, keepdim, ignores_nan);
    tn_tensor *in_order = tni_clone_as(q, q->dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, "the quantiles are read in order");
    if (!in_order)
        return tni_failed();
    call.count = q->numel;
    call.leads = q->ndim == 1;
    call.q = tni_tensor_read(in_order);
    tn_error code = quantile_are_between(&call) ? quantile_run(&call, out, dim) : tni_failed();
    tni_tensor_release(in_order);
    return code;
}

static tn_error quantile_run_number(const tni_plan *plan, tn_tensor *out, const tn_tensor *self, double q, int64_t dim,
                                    bool keepdim, bool ignores_nan) {
    quantile_call call = quantile_begin(plan, self, keepdim, ignores_nan);
    _Alignas(8) char number[8]; /* in the dtype of self */
    (void)tn_dtype_convert(self->dtype, number, TN_FLOAT64, &q, 1);
    call.q = number;
    return quantile_run(&call, out, dim);
}

bool tni_plan_quantile(tni_plan *plan, const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim,
                       const char *interpolation) {
    return quantile_plan_tensor(plan, self, q, dim, keepdim, interpolation);
}
tn_error tni_run_quantile(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *q,
                          int64_t dim, bool keepdim, const char *interpolation) {
    (void)interpolation;
    return quantile_run_tensor(plan, results[0], self, q, dim, keepdim, false);
}

bool tni_plan_quantile_scalar(tni_plan *plan, const tn_tensor *self, double q, int64_t dim, bool keepdim,
                              const char *interpolation) {
    return quantile_plan_number(plan, self, q, dim, keepdim, interpolation);
}
tn_error tni_run_quantile_scalar(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double q, int64_t dim,
                                 bool keepdim, const char *interpolation) {
    (void)interpolation;
    return quantile_run_number(plan, results[0], self, q, dim, keepdim, false);
}

bool tni_plan_nanquantile(tni_plan *plan, const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim,
                          const char *interpolation) {
    return quantile_plan_tensor(plan, self, q, dim, keepdim, interpolation);
}
tn_error tni_run_nanquantile(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *q,
                             int64_t dim, bool keepdim, const char *interpolation) {
    (void)interpolation;
    return quantile_run_tensor(plan, results[0], self, q, dim, keepdim, true);
}

bool tni_plan_nanquantile_scalar(tni_plan *plan, const tn_tensor *self, double q, int64_t dim, bool keepdim,
                                 const char *interpolation) {
    return quantile_plan_number(plan, self, q, dim, keepdim, interpolation);
}
tn_error tni_run_nanquantile_scalar(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double q,
                                    int64_t dim, bool keepdim, const char *interpolation) {
    (void)interpolation;
    return quantile_run_number(plan, results[0], self, q, dim, keepdim, true);
}
