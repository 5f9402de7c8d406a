/* index.c - self[...] with positions, ranges, new axes and an ellipsis: a view, read or assigned to. Tensors among the items
 * lead to index_advanced.c.
 *
 * The items are walked once from left to right. Invariant: the first `to->ndim` dimensions of the result are final, and
 * dimensions `next` and above of self have not been processed. The numbers are those that select, slice and unsqueeze, one
 * after the other, would give.
 */
#include "base/error.h"
#include "ops/copy/copy.h"
#include "ops/index/index_advanced.h"
#include "ops/index/index_engine.h"
#include "ops/view/view.h"
#include "tensor/slice_range.h"
#include "operators_copy.h"
#include "operators_index.h"

/* What the items use up and add. */
typedef struct index_plan {
    int64_t used, positions, axes, ellipses, picks;
} index_plan;

static inline bool index_count(const tn_tensor *self, tn_index_list index, index_plan *plan) {
    int64_t used = 0, positions = 0, axes = 0, ellipses = 0, picks = 0;
    for (int64_t i = 0; i < index.count; i++) {
        switch (index.items[i].kind) {
        case TN_INDEX_AT: positions++; break;
        case TN_INDEX_RANGE: used++; break;
        case TN_INDEX_NEW_AXIS: axes++; break;
        case TN_INDEX_ELLIPSIS: ellipses++; break;
        case TN_INDEX_TENSOR:
        case TN_INDEX_WHEN: picks++; break;
        default:
            tni_raise(TN_ERROR_ARGUMENT, "item %" PRId64 " of the index: there is no kind number %d", i,
                      (int)index.items[i].kind);
            return false;
        }
    }
    *plan = (index_plan){used + positions, positions, axes, ellipses, picks};
    if (TNI_UNLIKELY(picks)) /* for index_advanced.c, which comes back without them */
        return true;
    if (TNI_LIKELY(plan->ellipses <= 1 && plan->used <= self->ndim && self->ndim - plan->positions + plan->axes <= TN_MAX_DIMS))
        return true;
    if (plan->ellipses > 1)
        tni_raise(TN_ERROR_INDEX, "the index has %" PRId64 " ellipses; at most one is possible", plan->ellipses);
    else if (plan->used > self->ndim)
        tni_raise(TN_ERROR_INDEX, "the index names %" PRId64 " dimensions, self %s has %d", plan->used, tni_show_tensor(self),
                  self->ndim);
    else
        tni_raise(TN_ERROR_SHAPE, "%" PRId64 " new axes on self %s make more than %d dimensions", plan->axes,
                  tni_show_tensor(self), TN_MAX_DIMS);
    return false;
}

/* The geometry of the result as far as it is known, written where it will stay. */
typedef struct index_target {
    int64_t ndim, *sizes, *strides,
        offset; /* the two numbers separately: compilers would write them as one, which is slow to read back */
} index_target;

static inline void index_add(index_target *to, int64_t size, int64_t stride) {
    to->sizes[to->ndim] = size;
    to->strides[to->ndim++] = stride;
}

/* An offset or a stride does not fit: as for the other views, that does not matter where there are no elements. */
static TNI_COLD bool index_overflow(const tn_tensor *self, int64_t item_number, const index_target *to) {
    if (self->numel == 0)
        return true;
    for (int64_t d = 0; d < to->ndim; d++)
        if (to->sizes[d] == 0)
            return true;
    tni_view_refuse(self, TN_GEOMETRY_OVERFLOW, "item %" PRId64, item_number);
    return false;
}

static inline bool index_move_overflows(int64_t steps, int64_t stride, index_target *to) {
    int64_t distance, offset;
    if (TNI_UNLIKELY(tni_mul_overflows(steps, stride, &distance) || tni_add_overflows(to->offset, distance, &offset)))
        return true;
    to->offset = offset;
    return false;
}

static bool index_position(const tn_tensor *self, int64_t at, int64_t item_number, int64_t dim, index_target *to) {
    int64_t size = self->sizes[dim];
    if (TNI_LIKELY(at >= 0 && at < size && self->numel)) { /* of a tensor with elements, so that nothing overflows */
        to->offset += at * self->strides[dim];
        return true;
    }
    if (TNI_LIKELY(at >= -size && at < size))
        return !index_move_overflows(at < 0 ? at + size : at, self->strides[dim], to) || index_overflow(self, item_number, to);
    tni_raise(TN_ERROR_INDEX,
              "item %" PRId64 ": position %" PRId64 " is out of range for dimension %" PRId64 " of size %" PRId64
              "; self is %s",
              item_number, at, dim, size, tni_show_tensor(self));
    return false;
}

static bool index_range(const tn_tensor *self, const tn_index_item *item, int64_t item_number, int64_t dim, index_target *to) {
    int64_t size = self->sizes[dim], stride = self->strides[dim], first, length, step_stride;
    if (item->start == TN_NONE && item->end == TN_NONE && item->step == 1) {
        index_add(to, size, stride);
        return true;
    }
    if (TNI_LIKELY(item->step == 1 && item->start >= 0 && item->start < item->end && item->end <= size && self->numel)) {
        to->offset += item->start * stride;
        index_add(to, item->end - item->start, stride);
        return true;
    }
    if (TNI_UNLIKELY(!tni_slice_range(size, item->start, item->end, item->step, &first, &length))) {
        tni_view_refuse(self, TN_GEOMETRY_STEP, "item %" PRId64 " with step %" PRId64, item_number, item->step);
        return false;
    }
    if (TNI_UNLIKELY(tni_mul_overflows(stride, item->step, &step_stride))) {
        step_stride = stride; /* a huge step leaves one element at most, and never moves */
        if (length > 1 && !index_overflow(self, item_number, to))
            return false;
    }
    if (index_move_overflows(first, stride, to) && length > 0 && !index_overflow(self, item_number, to))
        return false;
    index_add(to, length, step_stride);
    return true;
}

/* The stride that unsqueeze gives: what the next dimension spans. */
static bool index_new_axis(const tn_tensor *self, int64_t item_number, int64_t next, index_target *to) {
    int64_t stride = 1;
    bool overflow = next < self->ndim && tni_mul_overflows(self->sizes[next], self->strides[next], &stride);
    if (overflow)
        stride = self->strides[next];
    index_add(to, 1, stride);
    return !overflow || index_overflow(self, item_number, to);
}

static bool index_walk(const tn_tensor *self, tn_index_list index, const index_plan *plan, index_target *to) {
    int64_t next = 0;
    for (int64_t i = 0; i < index.count; i++) {
        const tn_index_item *item = &index.items[i];
        bool good = true;
        if (item->kind == TN_INDEX_RANGE)
            good = index_range(self, item, i, next++, to);
        else if (item->kind == TN_INDEX_AT)
            good = index_position(self, item->start, i, next++, to);
        else if (item->kind == TN_INDEX_NEW_AXIS)
            good = index_new_axis(self, i, next, to);
        else
            for (int64_t many = self->ndim - plan->used; many > 0; many--, next++)
                index_add(to, self->sizes[next], self->strides[next]);
        if (TNI_UNLIKELY(!good))
            return false;
    }
    for (; next < self->ndim; next++)
        index_add(to, self->sizes[next], self->strides[next]);
    return true;
}

static inline tn_tensor *index_planned(const tn_tensor *self, tn_index_list index, const index_plan *plan) {
    tn_tensor *view = tni_tensor_view_begin(self, self->ndim - plan->positions + plan->axes);
    if (TNI_UNLIKELY(!view))
        return NULL;
    index_target to = {0, view->sizes, view->strides, self->offset};
    if (TNI_UNLIKELY(!index_walk(self, index, plan, &to))) {
        tni_tensor_release(view);
        return NULL;
    }
    view->offset = to.offset;
    tni_tensor_settle(view);
    return view;
}

tn_tensor *tni_op_index(const tn_tensor *self, tn_index_list index) {
    index_plan plan;
    if (!index_count(self, index, &plan))
        return NULL;
    return TNI_UNLIKELY(plan.picks) ? tni_index_advanced(self, index) : index_planned(self, index, &plan);
}

tn_tensor *tni_composite_index_text(const tn_tensor *self, const char *index) {
    tn_index_item items[2 * TN_MAX_DIMS];
    tn_index_list list = {items, 0};
    return tni_index_parse(index, items, &list.count) ? (tn_index)(self, list) : NULL;
}

/* ---- assignment: the selected view is written, and self is what changed */

/* A source may have more dimensions than the part, as long as those in front are of size 1. */
static tn_error index_copy_into(tn_tensor *part, const tn_tensor *source) {
    const char *reason = "assigned to a part of a tensor";
    int64_t extra = source->ndim - part->ndim;
    for (int64_t d = 0; d < extra; d++)
        if (source->sizes[d] != 1)
            extra = 0;
    if (extra <= 0)
        return tni_copy_into(part, source, reason);
    tn_tensor *tail = tni_tensor_view(source, part->ndim, source->sizes + extra, source->strides + extra, source->offset);
    tn_error code = tail ? tni_copy_into(part, tail, reason) : tni_failed();
    tni_tensor_release(tail);
    return code;
}

tn_error tni_op_setitem_(tn_tensor *self, tn_index_list index, const tn_tensor *source) {
    if (tni_index_is_advanced(index))
        return tni_index_assign(self, index, source, tn_scalar_none());
    tn_tensor *part = tni_op_index(self, index);
    if (!part)
        return tni_failed();
    tn_error code = index_copy_into(part, source);
    tni_tensor_release(part);
    return code;
}

tn_error tni_op_setitem_scalar_(tn_tensor *self, tn_index_list index, tn_scalar value) {
    if (tni_index_is_advanced(index))
        return tni_index_assign(self, index, NULL, value);
    tn_tensor *part = tni_op_index(self, index);
    if (!part)
        return tni_failed();
    tn_error code = tni_fill_into(part, value);
    tni_tensor_release(part);
    return code;
}

tn_tensor *tni_composite_setitem_text_(tn_tensor *self, const char *index, const tn_tensor *source) {
    tn_index_item items[2 * TN_MAX_DIMS];
    tn_index_list list = {items, 0};
    return tni_index_parse(index, items, &list.count) ? tn_setitem_(self, list, source) : NULL;
}

tn_tensor *tni_composite_setitem_text_scalar_(tn_tensor *self, const char *index, tn_scalar value) {
    tn_index_item items[2 * TN_MAX_DIMS];
    tn_index_list list = {items, 0};
    return tni_index_parse(index, items, &list.count) ? tn_setitem_scalar_(self, list, value) : NULL;
}
