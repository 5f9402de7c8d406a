/* gradients_sort.c - derivatives of what selects elements by their order: each selected one gets its gradient. */
#include <string.h>

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_logic.h"
#include "operators_reduce.h"
#include "operators_select.h"
#include "operators_sort.h"
#include "operators_view.h"

/* The gradient of values that stood at these indices along a dimension, one for each line. */
tn_tensor *tni_gradient_picked(const tn_tensor *grad, tn_dims sizes, int64_t dim, bool keepdim, const tn_tensor *indices) {
    tn_tensor *zeros = tni_gradient_zeros(sizes, grad);
    if (sizes.count == 0)
        return tn_add(zeros, grad);
    const tn_tensor *places = keepdim ? indices : tn_unsqueeze(indices, dim);
    return tn_scatter_add(zeros, dim, places, keepdim ? grad : tn_unsqueeze(grad, dim));
}

/* ---- quantiles: between two elements of the sorted line */

typedef struct sort_quantile {
    tn_tensor *grad, *sorted, *order;   /* (..., q, ...) and (..., n, ...) along dim */
    tn_tensor *last;                    /* the largest rank: (..., 1, ...)           */
    tn_tensor *below, *above, *between; /* ranks, and how far it is from one to the other: as grad */
    int64_t dim;
} sort_quantile;

/* The ranks that a line's quantiles lie between. A line with a NaN has a NaN for a result: that of its last element. */
static bool sort_ranks(sort_quantile *s, const tn_tensor *self, const tn_tensor *q, const char *interpolation,
                       bool ignore_nan) {
    tn_dims along = {&s->dim, 1};
    tn_tensor *nans = tn_isnan(self);
    tn_tensor *count = tn_sum_dim(tn_logical_not(nans), along, true, TN_DTYPE_DEFAULT);
    int64_t shape[TN_MAX_DIMS];
    for (int64_t d = 0; d < self->ndim; d++)
        shape[d] = d == s->dim ? q->numel : 1;
    tn_tensor *lined = tn_reshape(q, (tn_dims){shape, self->ndim});
    s->last = tn_clamp_min(tn_sub_scalar(tn_to(count, (tn_dtype)self->dtype), tn_scalar_int(1)), tn_scalar_int(0));
    tn_tensor *rank = tn_mul(lined, s->last);
    if (!ignore_nan)
        rank = tn_where_self_scalar(tn_any_dim(nans, s->dim, true), tn_scalar_int(self->sizes[s->dim] - 1), rank);
    rank = strcmp(interpolation, "lower") == 0     ? tn_floor(rank)
           : strcmp(interpolation, "higher") == 0  ? tn_ceil(rank)
           : strcmp(interpolation, "nearest") == 0 ? tn_round(rank)
                                                   : rank;
    tn_tensor *floor = tn_floor(rank);
    s->between = tn_sub(rank, floor);
    if (strcmp(interpolation, "midpoint") == 0)
        s->between = tn_full_like(s->between, tn_scalar_float(0.5), TN_DTYPE_DEFAULT, TN_PRESERVE);
    if (!s->grad || !s->between)
        return false;
    tn_dims sizes = tni_sizes_of(s->grad);
    s->between = tn_expand(s->between, sizes);
    s->below = tn_expand(tn_to(floor, TN_INT64), sizes);
    s->above = tn_expand(tn_to(tn_ceil(rank), TN_INT64), sizes);
    return s->between && s->below && s->above;
}

/* The result has the dimension of the quantiles in front, if they have one, and without keepdim not the one that was reduced. */
static bool sort_begin(sort_quantile *s, const tn_tensor *grad, const tn_tensor *self, const tn_tensor *q, int64_t dim,
                       bool keepdim, const char *interpolation, bool ignore_nan) {
    bool whole = dim == TN_NONE || self->ndim == 0, leads = q->ndim > 0;
    int64_t d = dim < 0 ? dim + self->ndim : dim;
    tn_dims flat = {(int64_t[]){-1}, 1};
    const tn_tensor *lines = whole ? tn_reshape(self, flat) : self, *values;
    s->dim = whole ? 0 : d;
    if (whole)
        values = tn_reshape(grad, flat);
    else if (leads)
        values = tn_movedim(keepdim ? tn_squeeze_dim(grad, d + 1) : (tn_tensor *)(uintptr_t)grad, (tn_dims){(int64_t[]){0}, 1},
                            (tn_dims){&d, 1});
    else
        values = keepdim ? grad : tn_unsqueeze(grad, d);
    tn_list *sorted = tn_sort(lines, s->dim, false);
    s->grad = (tn_tensor *)(uintptr_t)values;
    s->sorted = tni_item_of(sorted, 0);
    s->order = tni_item_of(sorted, 1);
    return lines && sorted && values && sort_ranks(s, lines, q, interpolation, ignore_nan);
}

tn_tensor *tni_gradient_quantile_self(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *q, int64_t dim,
                                      bool keepdim, const char *interpolation, bool ignore_nan) {
    sort_quantile s;
    if (grad->numel == 0 || self->numel == 0)
        return tni_gradient_zeros(tni_sizes_of(self), grad);
    if (!sort_begin(&s, grad, self, q, dim, keepdim, interpolation, ignore_nan))
        return NULL;
    tn_tensor *high = tn_mul(s.grad, s.between), *low = tn_sub(s.grad, high);
    tn_tensor *made =
        tn_scatter_add(tni_gradient_zeros(tni_sizes_of(s.sorted), grad), s.dim, tn_gather(s.order, s.dim, s.below), low);
    return tn_reshape(tn_scatter_add(made, s.dim, tn_gather(s.order, s.dim, s.above), high), tni_sizes_of(self));
}

/* A quantile moves along the line between its neighbours, as many of them as there are. */
tn_tensor *tni_gradient_quantile_q(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim,
                                   const char *interpolation, bool ignore_nan) {
    sort_quantile s;
    int64_t over[TN_MAX_DIMS], count = 0;
    if (strcmp(interpolation, "linear") != 0 || grad->numel == 0)
        return tni_gradient_zeros(tni_sizes_of(q), grad);
    if (!sort_begin(&s, grad, self, q, dim, keepdim, interpolation, ignore_nan))
        return NULL;
    tn_tensor *step = tn_sub(tn_gather(s.sorted, s.dim, s.above), tn_gather(s.sorted, s.dim, s.below));
    tn_tensor *each = tn_mul(tn_mul(s.grad, step), s.last);
    for (int64_t d = 0; each && d < each->ndim; d++)
        if (d != s.dim)
            over[count++] = d;
    return tn_reshape(count ? tn_sum_dim(each, (tn_dims){over, count}, false, TN_DTYPE_DEFAULT) : each, tni_sizes_of(q));
}

tn_tensor *tni_gradient_quantile_number(const tn_tensor *grad, const tn_tensor *self, double q, int64_t dim, bool keepdim,
                                        const char *interpolation, bool ignore_nan) {
    tn_tensor *tensor =
        tn_full_like(tni_gradient_zeros((tn_dims){NULL, 0}, grad), tn_scalar_float(q), TN_DTYPE_DEFAULT, TN_PRESERVE);
    return tensor ? tni_gradient_quantile_self(grad, self, tensor, dim, keepdim, interpolation, ignore_nan) : NULL;
}
