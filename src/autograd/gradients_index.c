/* gradients_index.c - derivatives of indexing: what was read at a place is added there; what was overwritten has no gradient. */
#include <string.h>

#include "autograd/backward.h"
#include "autograd/slot.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_join.h"
#include "operators_logic.h"
#include "operators_move.h"
#include "operators_reduce.h"
#include "operators_search.h"
#include "operators_select.h"
#include "operators_statistics.h"
#include "operators_view.h"

static tn_tensor *index_mutable(const tn_tensor *tensor) { return (tn_tensor *)(uintptr_t)tensor; }

tn_tensor *tni_gradient_index_put_self(const tn_tensor *grad, tn_index_list indices, bool accumulate) {
    if (accumulate)
        return index_mutable(grad);
    return tn_index_put(grad, indices, tni_gradient_zeros((tn_dims){NULL, 0}, grad), false);
}

tn_tensor *tni_gradient_put_self(const tn_tensor *grad, const tn_tensor *index, bool accumulate) {
    return accumulate ? index_mutable(grad) : tn_put(grad, index, tni_gradient_zeros(tni_sizes_of(index), grad), false);
}

/* A source of no dimensions, or of one for a self of none, is one slice. */
tn_tensor *tni_gradient_index_copy_source(const tn_tensor *grad, int64_t dim, const tn_tensor *index, tn_dims sizes) {
    return tn_reshape(tn_index_select(grad, dim, index), sizes);
}

/* self and indices are broadcast to each other beside dim, and indices may count from the end. */
tn_tensor *tni_gradient_take_along_dim(const tn_tensor *grad, tn_dims sizes, const tn_tensor *indices, int64_t dim) {
    int64_t wide[TN_MAX_DIMS], numel = 1, d = dim == TN_NONE ? 0 : dim < 0 ? dim + sizes.count : dim;
    for (int64_t i = 0; i < sizes.count; i++)
        numel *= sizes.values[i];
    for (int64_t i = 0; dim != TN_NONE && i < sizes.count; i++)
        wide[i] = i == d ? sizes.values[i] : grad->sizes[i];
    int64_t size = dim == TN_NONE ? numel : sizes.values[d];
    if (grad->numel == 0)
        return tni_gradient_zeros(sizes, grad);
    tn_tensor *places = tn_remainder_scalar(indices, tn_scalar_int(size));
    if (dim == TN_NONE)
        return tn_reshape(tni_place_sums(grad, places, numel), sizes);
    return tn_scatter_add(tni_gradient_zeros((tn_dims){wide, sizes.count}, grad), d, tn_expand(places, tni_sizes_of(grad)),
                          grad);
}

/* The elements that a mask picked go back to their places; self may be smaller than the mask. */
tn_tensor *tni_gradient_masked_select(const tn_tensor *grad, tn_dims sizes, const tn_tensor *mask) {
    int64_t wide[TN_MAX_DIMS], ndim = sizes.count > mask->ndim ? sizes.count : mask->ndim;
    for (int64_t d = 0; d < ndim; d++) {
        int64_t own = d - (ndim - sizes.count), other = d - (ndim - mask->ndim);
        int64_t one = own < 0 ? 1 : sizes.values[own];
        wide[d] = one == 1 && other >= 0 ? mask->sizes[other] : one;
    }
    return tn_masked_scatter(tni_gradient_zeros((tn_dims){wide, ndim}, grad), mask, grad);
}

/* Only the first elements of the source were used. */
tn_tensor *tni_gradient_masked_scatter_source(const tn_tensor *grad, const tn_tensor *mask, tn_dims sizes) {
    int64_t numel = 1;
    for (int64_t d = 0; d < sizes.count; d++)
        numel *= sizes.values[d];
    return tn_reshape(tni_gradient_pad_to(tn_masked_select(grad, mask), (tn_dims){&numel, 1}), sizes);
}

/* ---- reductions at places */

/* Tensors of no dimensions have one here, and the source only the elements that the index names. */
typedef struct index_places {
    const tn_tensor *grad, *self, *index, *src, *result;
    int64_t dim;
} index_places;

static const tn_tensor *index_line(const tn_tensor *tensor) {
    return tensor && tensor->ndim == 0 ? tn_reshape(tensor, (tn_dims){(int64_t[]){1}, 1}) : tensor;
}

static bool index_begin(index_places *p, const tn_tensor *grad, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                        const tn_tensor *src, const tn_tensor *result) {
    p->grad = index_line(grad), p->self = index_line(self), p->index = index_line(index);
    p->src = index_line(src), p->result = index_line(result);
    p->dim = dim < 0 ? dim + p->self->ndim : dim;
    for (int64_t d = 0; p->src && p->index && d < p->src->ndim; d++)
        if (p->src->sizes[d] != p->index->sizes[d])
            p->src = tn_narrow(p->src, d, 0, p->index->sizes[d]);
    return p->grad && p->self && p->index && p->src && p->result;
}

static tn_tensor *index_gather(const index_places *p, const tn_tensor *from) { return tn_gather(from, p->dim, p->index); }

/* For each place: how many elements of the source meet there, for which the mask is true. */
static tn_tensor *index_tally(const index_places *p, const tn_tensor *mask) {
    return tn_scatter_add(tn_zeros_like(p->grad, TN_INT64, TN_PRESERVE), p->dim, p->index, tn_to(mask, TN_INT64));
}

static tn_tensor *index_reduced(const index_places *p, const tn_tensor *self, const tn_tensor *src, bool include_self) {
    return tn_scatter_reduce(self, p->dim, p->index, src, "prod", include_self);
}

/* Where a place has several zeros, products of all but one are 0, but those of all but two are not: second derivatives would be wrong. */
static bool index_zeros_meet(const tn_tensor *zeros_of_places) {
    tn_tensor *several = tni_recording() ? tn_any(tn_gt_scalar(zeros_of_places, tn_scalar_int(1))) : NULL;
    bool refused = several && tni_tensor_device(several).type == TN_CPU && tn_item(several).value.b;
    if (refused)
        tni_raise(TN_ERROR_UNSUPPORTED, "several zeros meet at one place: a product of them has no second derivative here");
    return refused;
}

/* A factor counts by the product of the others: it is divided out, or, where it is the only 0 among the source, replaced by 1. */
static tn_tensor *index_product(const index_places *p, bool source, bool include_self) {
    const tn_scalar zero = tn_scalar_int(0), one = tn_scalar_int(1);
    if (!source) {
        tn_tensor *factor = tn_masked_fill(p->self, tn_eq_scalar(p->self, zero), one);
        return tn_mul(p->grad, tni_conj_of(tn_div(index_reduced(p, factor, p->src, include_self), factor)));
    }
    tn_tensor *zeros = tn_eq_scalar(p->src, zero), *count = index_gather(p, index_tally(p, zeros));
    if (index_zeros_meet(count))
        return NULL;
    tn_tensor *only = tn_logical_and(zeros, tn_eq_scalar(count, one));
    tn_tensor *without = index_reduced(p, p->self, tn_masked_fill(p->src, only, one), include_self);
    tn_tensor *divided =
        tn_div(index_gather(p, tn_mul(p->grad, tni_conj_of(p->result))), tni_conj_of(tn_masked_fill(p->src, zeros, one)));
    return tn_where(only, index_gather(p, tn_mul(p->grad, tni_conj_of(without))), divided);
}

static tn_tensor *index_mean(const index_places *p, bool source, bool include_self) {
    tn_tensor *count = index_tally(p, tn_ones_like(p->index, TN_BOOL, TN_PRESERVE));
    count = include_self ? tn_add_scalar(count, tn_scalar_int(1)) : tn_clamp_min(count, tn_scalar_int(1));
    tn_tensor *share = tn_div(p->grad, count);
    return source ? index_gather(p, share) : share;
}

/* All that are equal to the result share its gradient. */
static tn_tensor *index_extreme(const index_places *p, bool source) {
    tn_tensor *own = tn_eq(p->self, p->result), *other = tn_eq(p->src, index_gather(p, p->result));
    tn_tensor *share = tn_div(p->grad, tn_add(index_tally(p, other), own));
    return source ? tn_mul(index_gather(p, share), other) : tn_mul(share, own);
}

static tn_tensor *index_reduce_part(const index_places *p, const char *reduce, bool source, bool include_self) {
    if (strcmp(reduce, "sum") == 0 || strcmp(reduce, "add") == 0)
        return source ? index_gather(p, p->grad) : index_mutable(p->grad);
    if (strcmp(reduce, "mean") == 0)
        return index_mean(p, source, include_self);
    return strncmp(reduce, "am", 2) == 0 ? index_extreme(p, source) : index_product(p, source, include_self);
}

tn_tensor *tni_gradient_scatter_reduce_self(const tn_tensor *grad, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                            const tn_tensor *src, const char *reduce, bool include_self,
                                            const tn_tensor *result) {
    index_places p;
    if (index->numel == 0)
        return index_mutable(grad);
    if (!index_begin(&p, grad, self, dim, index, src, result))
        return NULL;
    tn_tensor *made = index_reduce_part(&p, reduce, false, include_self);
    if (!include_self)
        made = tn_scatter_value(made, p.dim, p.index, tn_scalar_int(0));
    return tn_reshape(made, tni_sizes_of(self));
}

tn_tensor *tni_gradient_scatter_reduce_src(const tn_tensor *grad, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                           const tn_tensor *src, const char *reduce, bool include_self,
                                           const tn_tensor *result) {
    index_places p;
    if (index->numel == 0)
        return tni_gradient_zeros(tni_sizes_of(src), grad);
    if (!index_begin(&p, grad, self, dim, index, src, result))
        return NULL;
    const tn_tensor *whole = index_line(src);
    return tn_reshape(tni_gradient_pad_to(index_reduce_part(&p, reduce, true, include_self), tni_sizes_of(whole)),
                      tni_sizes_of(src));
}

/* One position for each slice of the source: the same position for each of its elements. */
static tn_tensor *index_of_slices(int64_t dim, const tn_tensor *index, const tn_tensor *source) {
    int64_t sizes[TN_MAX_DIMS], d = dim < 0 ? dim + source->ndim : dim;
    if (source->ndim == 0)
        return tn_reshape(index, (tn_dims){NULL, 0});
    for (int64_t i = 0; i < source->ndim; i++)
        sizes[i] = i == d ? index->numel : 1;
    return tn_expand(tn_reshape(index, (tn_dims){sizes, source->ndim}), tni_sizes_of(source));
}

tn_tensor *tni_gradient_index_reduce_self(const tn_tensor *grad, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                          const tn_tensor *source, const char *reduce, bool include_self,
                                          const tn_tensor *result) {
    tn_tensor *each = index_of_slices(dim, index, source);
    return each ? tni_gradient_scatter_reduce_self(grad, self, dim, each, source, reduce, include_self, result) : NULL;
}

tn_tensor *tni_gradient_index_reduce_source(const tn_tensor *grad, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                            const tn_tensor *source, const char *reduce, bool include_self,
                                            const tn_tensor *result) {
    tn_tensor *each = index_of_slices(dim, index, source);
    return each ? tni_gradient_scatter_reduce_src(grad, self, dim, each, source, reduce, include_self, result) : NULL;
}

/* How much an element of self still counts after a number was multiplied to it some times. */
tn_tensor *tni_gradient_scatter_value_reduction(const tn_tensor *grad, int64_t dim, const tn_tensor *index, tn_scalar value,
                                                const char *reduce) {
    if (strcmp(reduce, "add") == 0)
        return index_mutable(grad);
    tn_tensor *ones = tn_ones_like(grad, TN_DTYPE_DEFAULT, TN_PRESERVE);
    return tn_mul(grad, tn_scatter_value_reduction(ones, dim, index, tni_number_conj(value), reduce));
}

/* ---- segments: data as (rows, rest), cut into segments one after the other */

typedef struct index_segments {
    tn_tensor *data, *grad, *result; /* (rows, rest), (segments, rest), the same */
    tn_tensor *lengths, *places;     /* (segments); (rows): which segment        */
    int64_t rows;                    /* that belong to one                       */
} index_segments;

static tn_tensor *index_rows(const tn_tensor *tensor, int64_t rows) {
    int64_t rest = rows ? tensor->numel / rows : 1;
    return tn_reshape(tensor, (tn_dims){(int64_t[]){rows, rest}, 2});
}

static bool index_cut(index_segments *s, const tn_tensor *grad, const tn_tensor *data, const tn_tensor *lengths,
                      const tn_tensor *offsets, int64_t axis, const tn_tensor *result) {
    int64_t rows = 1, segments = 1;
    for (int64_t d = 0; d <= axis; d++) {
        rows *= data->sizes[d];
        segments *= result->sizes[d];
    }
    tn_tensor *each = lengths ? index_mutable(lengths) : tn_diff(offsets, 1, -1, NULL, NULL);
    s->lengths = tn_to(tn_reshape(each, (tn_dims){&segments, 1}), TN_INT64);
    s->places = tn_repeat_interleave_counts(s->lengths, TN_NONE);
    s->data = index_rows(data, rows), s->grad = index_rows(grad, segments), s->result = index_rows(result, segments);
    if (!s->places || !s->data || !s->grad || !s->result)
        return false;
    s->rows = s->places->numel;
    if (s->rows != rows && axis > 0) {
        tni_raise(TN_ERROR_UNSUPPORTED, "segments that leave out elements along dimension %" PRId64 " have no derivative",
                  axis);
        return false;
    }
    if (s->rows != rows)
        s->data = tn_narrow(s->data, 0, 0, s->rows);
    return s->data != NULL;
}

static tn_tensor *index_spread(const index_segments *s, const tn_tensor *of_segments) {
    return tn_index_select(of_segments, 0, s->places);
}

/* A product is divided by each factor, but for the only 0 of a segment, which is replaced by 1. */
static tn_tensor *index_segment_product(const index_segments *s, tn_scalar initial) {
    const tn_scalar zero = tn_scalar_int(0), one = tn_scalar_int(1);
    tn_tensor *zeros = tn_eq_scalar(s->data, zero);
    tn_tensor *count = tn_index_add(tni_gradient_zeros(tni_sizes_of(s->grad), s->grad), 0, s->places,
                                    tn_to(zeros, tni_dtype_of(s->grad)), one);
    if (index_zeros_meet(count))
        return NULL;
    tn_tensor *only = tn_logical_and(zeros, tn_eq_scalar(index_spread(s, count), one));
    tn_tensor *without =
        tn_segment_reduce(tn_masked_fill(s->data, only, one), "prod", s->lengths, NULL, NULL, 0, true, initial);
    tn_tensor *divided = tn_div(index_spread(s, s->result), tn_masked_fill(s->data, zeros, one));
    return tn_mul(index_spread(s, s->grad), tn_where(only, index_spread(s, without), divided));
}

static tn_tensor *index_segment_extreme(const index_segments *s) {
    tn_tensor *mask = tn_to(tn_eq(s->data, index_spread(s, s->result)), tni_dtype_of(s->grad));
    tn_tensor *count = tn_index_add(tni_gradient_zeros(tni_sizes_of(s->grad), s->grad), 0, s->places, mask, tn_scalar_int(1));
    return tn_mul(index_spread(s, tn_div(s->grad, tn_clamp_min(count, tn_scalar_int(1)))), mask);
}

tn_tensor *tni_gradient_segment_reduce(const tn_tensor *grad, const tn_tensor *data, const char *reduce,
                                       const tn_tensor *lengths, const tn_tensor *offsets, int64_t axis, tn_scalar initial,
                                       const tn_tensor *result) {
    index_segments s;
    if (data->numel == 0)
        return tni_gradient_zeros(tni_sizes_of(data), grad);
    if (!index_cut(&s, grad, data, lengths, offsets, axis < 0 ? axis + data->ndim : axis, result))
        return NULL;
    tn_tensor *made;
    if (strcmp(reduce, "sum") == 0)
        made = index_spread(&s, s.grad);
    else if (strcmp(reduce, "mean") == 0)
        made = index_spread(&s, tn_div(s.grad, tn_clamp_min(tn_unsqueeze(s.lengths, 1), tn_scalar_int(1))));
    else
        made = strcmp(reduce, "prod") == 0 ? index_segment_product(&s, initial) : index_segment_extreme(&s);
    int64_t rows = 1;
    for (int64_t d = 0; d <= (axis < 0 ? axis + data->ndim : axis); d++)
        rows *= data->sizes[d];
    if (made && made->sizes[0] != rows)
        made = tni_gradient_pad_to(made, (tn_dims){(int64_t[]){rows, made->sizes[1]}, 2});
    return tn_reshape(made, tni_sizes_of(data));
}

/* A source may have dimensions of size 1 in front of those of the part that it was written to. */
tn_tensor *tni_gradient_setitem_source(const tn_tensor *grad, tn_index_list index, tn_dims sizes) {
    const tn_tensor *part = (tn_index)(grad, index);
    while (part && part->ndim < sizes.count)
        part = tn_unsqueeze(part, 0);
    return (tn_tensor *)(uintptr_t)part;
}
