/* sort_quantile.c - quantile and nanquantile.
 *
 * The rank of a quantile, q times the last position, is computed in the dtype of self as PyTorch does, so that both round to
 * the same neighbours. For few quantiles the elements are selected; for many the line is sorted once.
 */
#include <math.h>

#include "base/error.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/result.h"
#include "ops/sort.h"

enum { QUANTILE_FEW = 4 };

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
    int64_t nans = tni_order_nans(&order), last = call->line.length - nans - 1;
    bool known = last >= 0 && (nans == 0 || call->ignores_nan);
    if (known && call->count > QUANTILE_FEW)
        tni_order_sort(&order);
    for (int64_t i = 0; i < call->count; i++) {
        double value = known ? quantile_value(call, &order, lines[0], quantile_rank(call, i, last)) : NAN;
        if (call->line.dtype == TN_FLOAT32)
            ((float *)lines[1])[i] = (float)value;
        else
            ((double *)lines[1])[i] = value;
    }
}

/* ---- the call */

typedef struct quantile_shape {
    int64_t sizes[TN_MAX_DIMS + 1], ndim;
    bool leads;      /* the quantiles have a dimension of their own, the first */
    bool keeps;      /* the reduced dimensions are there, with size 1         */
    tn_tensor *flat; /* self as one line, where there is no dim               */
    tn_tensor *q;    /* without gaps                                          */
} quantile_shape;

static bool quantile_is_between(const quantile_call *call, int64_t which) {
    double q = call->line.dtype == TN_FLOAT32 ? (double)((const float *)call->q)[which] : ((const double *)call->q)[which];
    if (q >= 0 && q <= 1)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "q = %g at position %" PRId64 " is not between 0 and 1", q, which);
    return false;
}

static bool quantile_check(quantile_call *call, const tn_tensor *self, const tn_tensor *q, int64_t dim, const char *between) {
    if (self->dtype != TN_FLOAT32 && self->dtype != TN_FLOAT64) {
        tni_raise(TN_ERROR_DTYPE, "self is %s; quantiles are defined for float32 and float64: convert with to",
                  tni_show_tensor(self));
        return false;
    }
    if (q->dtype != self->dtype || q->ndim > 1) {
        tni_raise(q->ndim > 1 ? TN_ERROR_SHAPE : TN_ERROR_DTYPE,
                  "q is %s; it must have the dtype of self %s and at most one dimension", tni_show_tensor(q),
                  tni_show_tensor(self));
        return false;
    }
    if (self->numel == 0) {
        tni_raise(TN_ERROR_SHAPE, "self %s has no elements", tni_show_tensor(self));
        return false;
    }
    int found = 0;
    while (found < (int)TNI_COUNT_OF(quantile_names) && strcmp(between, quantile_names[found]) != 0)
        found++;
    if (found == (int)TNI_COUNT_OF(quantile_names)) {
        tni_raise(TN_ERROR_ARGUMENT, "interpolation = '%s' is not linear, lower, higher, midpoint or nearest", between);
        return false;
    }
    call->between = (quantile_between)found;
    return dim == TN_NONE || tni_wrap_dim(dim, self->ndim, "dim", &call->dim);
}

/* The sizes of the result: (quantiles, the dimensions of self that are left). */
static bool quantile_make_shape(quantile_shape *shape, const tn_tensor *self, const tn_tensor *q, int64_t dim, bool all,
                                bool keepdim) {
    shape->leads = q->ndim == 1;
    shape->keeps = keepdim;
    shape->ndim = 0;
    if (shape->leads)
        shape->sizes[shape->ndim++] = q->numel;
    for (int64_t d = 0; d < self->ndim; d++)
        if (keepdim || (!all && d != dim))
            shape->sizes[shape->ndim++] = all || d == dim ? 1 : self->sizes[d];
    if (shape->ndim > TN_MAX_DIMS)
        tni_raise(TN_ERROR_SHAPE, "the result would have %" PRId64 " dimensions, more than %d", shape->ndim, TN_MAX_DIMS);
    return shape->ndim <= TN_MAX_DIMS;
}

static void quantile_release(quantile_shape *shape) {
    tni_tensor_release(shape->flat);
    tni_tensor_release(shape->q);
}

static bool quantile_prepare(quantile_call *call, quantile_shape *shape, const tn_tensor *self, const tn_tensor *q, int64_t dim,
                             bool keepdim, const char *between, bool ignores_nan) {
    *call = (quantile_call){.self = self, .count = q->numel, .ignores_nan = ignores_nan, .line = {.dtype = self->dtype}};
    shape->flat = shape->q = NULL;
    if (!quantile_check(call, self, q, dim, between) ||
        !quantile_make_shape(shape, self, q, call->dim, dim == TN_NONE, keepdim))
        return false;
    shape->q = tni_clone_contiguous(q, "the quantiles are read in order");
    if (!shape->q)
        return false;
    call->q = tni_tensor_read(shape->q);
    for (int64_t i = 0; i < call->count; i++)
        if (!quantile_is_between(call, i)) {
            quantile_release(shape);
            return false;
        }
    if (dim == TN_NONE) {
        shape->flat = tni_op_ravel(self);
        call->self = shape->flat;
    }
    call->line.length = call->self ? (call->self->ndim ? call->self->sizes[call->dim] : 1) : 0;
    if (call->self && tni_order_allows(self->dtype, call->line.length))
        return true;
    quantile_release(shape);
    return false;
}

/* Releases what the shape holds. */
static tn_error quantile_run(quantile_call *call, quantile_shape *shape, tn_tensor *out) {
    tn_error code = TN_OK;
    if (out->numel != 0) {
        int64_t room[TN_MAX_DIMS], at = shape->leads;
        for (int64_t d = 0; d < call->self->ndim; d++)
            room[d] = d == call->dim ? (shape->leads ? out->strides[0] : 1) : 0;
        for (int64_t d = 0; !shape->flat && d < call->self->ndim; d++) {
            if (d != call->dim)
                room[d] = out->strides[at];
            at += shape->keeps || d != call->dim;
        }
        tni_lines_job job = {.operands = 2, .function = quantile_one_line};
        job.operand[1] = (tni_line_operand){.data = tni_tensor_write(out),
                                            .strides = room,
                                            .length = call->count,
                                            .dtype = out->dtype,
                                            .compute = out->dtype,
                                            .writes = true};
        code = tni_sort_run(&job, call->self, call->dim, tni_order_scratch(call->line.dtype, call->line.length), &call->line);
    }
    quantile_release(shape);
    return code;
}

/* With the dimension of the quantiles in front but, in memory, last, as torch has it: they are computed together. */
static tn_tensor *quantile_empty(const quantile_shape *shape, tn_dtype dtype) {
    if (!shape->leads)
        return tni_tensor_new(shape->ndim, shape->sizes, dtype, TN_DEVICE_CPU);
    int64_t sizes[TN_MAX_DIMS], last = shape->ndim - 1, first = 0;
    memcpy(sizes, shape->sizes + 1, (size_t)last * sizeof *sizes);
    sizes[last] = shape->sizes[0];
    tn_tensor *memory = tni_tensor_new(shape->ndim, sizes, dtype, TN_DEVICE_CPU);
    tn_tensor *out = memory ? tni_op_movedim(memory, (tn_dims){&last, 1}, (tn_dims){&first, 1}) : NULL;
    tni_tensor_release(memory);
    return out;
}

static tn_tensor *quantile_new(const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim, const char *between,
                               bool ignores_nan) {
    quantile_call call;
    quantile_shape shape;
    if (!quantile_prepare(&call, &shape, self, q, dim, keepdim, between, ignores_nan))
        return NULL;
    tn_tensor *out = quantile_empty(&shape, self->dtype);
    if (!out)
        quantile_release(&shape);
    else if (quantile_run(&call, &shape, out) != TN_OK) {
        tni_tensor_release(out);
        return NULL;
    }
    return out;
}

static tn_error quantile_into(tn_tensor *out, const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim,
                              const char *between, bool ignores_nan) {
    quantile_call call;
    quantile_shape shape;
    tni_result result;
    if (!quantile_prepare(&call, &shape, self, q, dim, keepdim, between, ignores_nan))
        return tn_error_code();
    if (!tni_result_begin(&result, out, (tn_dims){shape.sizes, shape.ndim}, self->dtype, TNI_RESULT_EXACT, &self, 1)) {
        quantile_release(&shape);
        return tn_error_code();
    }
    return tni_result_end(&result, quantile_run(&call, &shape, result.tensor));
}

/* A number as a tensor without dimensions, of the dtype of self. */
static tn_tensor *quantile_number(const tn_tensor *self, double q) {
    tn_tensor *tensor = tni_tensor_new(0, NULL, self->dtype, TN_DEVICE_CPU);
    if (tensor)
        (void)tn_dtype_convert(self->dtype, tni_tensor_write(tensor), TN_FLOAT64, &q, 1);
    return tensor;
}

static tn_tensor *quantile_new_number(const tn_tensor *self, double q, int64_t dim, bool keepdim, const char *between,
                                      bool ignores_nan) {
    tn_tensor *tensor = quantile_number(self, q);
    tn_tensor *out = tensor ? quantile_new(self, tensor, dim, keepdim, between, ignores_nan) : NULL;
    tni_tensor_release(tensor);
    return out;
}

static tn_error quantile_into_number(tn_tensor *out, const tn_tensor *self, double q, int64_t dim, bool keepdim,
                                     const char *between, bool ignores_nan) {
    tn_tensor *tensor = quantile_number(self, q);
    tn_error code = tensor ? quantile_into(out, self, tensor, dim, keepdim, between, ignores_nan) : tn_error_code();
    tni_tensor_release(tensor);
    return code;
}

tn_tensor *tni_op_quantile(const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim, const char *interpolation) {
    return quantile_new(self, q, dim, keepdim, interpolation, false);
}
tn_error tni_op_quantile_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim,
                             const char *interpolation) {
    return quantile_into(out, self, q, dim, keepdim, interpolation, false);
}
tn_tensor *tni_op_quantile_scalar(const tn_tensor *self, double q, int64_t dim, bool keepdim, const char *interpolation) {
    return quantile_new_number(self, q, dim, keepdim, interpolation, false);
}
tn_error tni_op_quantile_scalar_out(tn_tensor *out, const tn_tensor *self, double q, int64_t dim, bool keepdim,
                                    const char *interpolation) {
    return quantile_into_number(out, self, q, dim, keepdim, interpolation, false);
}
tn_tensor *tni_op_nanquantile(const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim, const char *interpolation) {
    return quantile_new(self, q, dim, keepdim, interpolation, true);
}
tn_error tni_op_nanquantile_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim,
                                const char *interpolation) {
    return quantile_into(out, self, q, dim, keepdim, interpolation, true);
}
tn_tensor *tni_op_nanquantile_scalar(const tn_tensor *self, double q, int64_t dim, bool keepdim, const char *interpolation) {
    return quantile_new_number(self, q, dim, keepdim, interpolation, true);
}
tn_error tni_op_nanquantile_scalar_out(tn_tensor *out, const tn_tensor *self, double q, int64_t dim, bool keepdim,
                                       const char *interpolation) {
    return quantile_into_number(out, self, q, dim, keepdim, interpolation, true);
}
