/* index.c - self[...] with positions, ranges, new axes and an ellipsis: a view, read or assigned to.
 *
 * The items are walked once from left to right. Invariant: the first `to.ndim` dimensions of the result are final, and
 * dimensions `next` and above of self have not been looked at.
 */
#include "base/error.h"
#include "ops/copy.h"
#include "ops/view.h"

/* How many dimensions of self the items use up, and that they are well formed. */
static bool index_count(const tn_tensor *self, tn_index_list index, int64_t *used, int64_t *added) {
    int64_t ellipses = 0;
    *used = *added = 0;
    for (int64_t i = 0; i < index.count; i++) {
        switch (index.items[i].kind) {
        case TN_INDEX_AT: ++*used; break;
        case TN_INDEX_RANGE: ++*used; break;
        case TN_INDEX_NEW_AXIS: ++*added; break;
        case TN_INDEX_ELLIPSIS: ellipses++; break;
        default:
            tni_raise(TN_ERROR_ARGUMENT, "item %" PRId64 " of the index: there is no kind number %d", i, (int)index.items[i].kind);
            return false;
        }
    }
    if (ellipses > 1) {
        tni_raise(TN_ERROR_INDEX, "the index has %" PRId64 " ellipses; one is the most that can be told apart", ellipses);
        return false;
    }
    if (*used > self->ndim) {
        tni_raise(TN_ERROR_INDEX, "the index names %" PRId64 " dimensions, self %s has %d", *used, tni_show_tensor(self), self->ndim);
        return false;
    }
    return true;
}

static void index_add(tn_geometry *to, int64_t size, int64_t stride) {
    to->sizes[to->ndim] = size;
    to->strides[to->ndim++] = stride;
}

static bool index_apply(const tn_tensor *self, const tn_index_item *item, int64_t item_number, int64_t dim, tn_geometry *to) {
    int64_t size = self->sizes[dim], stride = self->strides[dim];
    if (item->kind == TN_INDEX_AT) {
        if (item->start < -size || item->start >= size) {
            tni_raise(TN_ERROR_INDEX,
                      "item %" PRId64 ": position %" PRId64 " is out of range for dimension %" PRId64 " of size %" PRId64
                      "; self is %s",
                      item_number, item->start, dim, size, tni_show_tensor(self));
            return false;
        }
        to->offset += (item->start < 0 ? item->start + size : item->start) * stride;
        return true;
    }
    int64_t first, length, step_stride = stride;
    tn_geometry_result result = tn_geometry_slice_range(size, item->start, item->end, item->step, &first, &length);
    if (result == TN_GEOMETRY_OK && length > 1 && tni_mul_overflows(stride, item->step, &step_stride))
        result = TN_GEOMETRY_OVERFLOW;
    if (result != TN_GEOMETRY_OK) {
        tni_raise(tn_geometry_result_error(result), "item %" PRId64 ", with step %" PRId64 ": %s", item_number, item->step,
                  tn_geometry_result_text(result));
        return false;
    }
    if (length <= 1 && tni_mul_overflows(stride, item->step, &step_stride))
        step_stride = stride; /* never used to move */
    if (length > 0)
        to->offset += first * stride;
    index_add(to, length, step_stride);
    return true;
}

tn_tensor *tni_index_view(const tn_tensor *self, tn_index_list index) {
    int64_t used, added, next = 0;
    if (!index_count(self, index, &used, &added))
        return NULL;
    if (self->ndim + added > TN_MAX_DIMS)
        return tni_raise_null(TN_ERROR_SHAPE, "%" PRId64 " new axes on self %s make more than %d dimensions", added,
                              tni_show_tensor(self), TN_MAX_DIMS);
    tn_geometry to;
    to.ndim = 0;
    to.offset = self->offset;
    for (int64_t i = 0; i < index.count; i++) {
        const tn_index_item *item = &index.items[i];
        if (item->kind == TN_INDEX_NEW_AXIS) {
            /* the stride unsqueeze gives: what the next dimension spans */
            index_add(&to, 1, next < self->ndim ? self->sizes[next] * self->strides[next] : 1);
        } else if (item->kind == TN_INDEX_ELLIPSIS) {
            for (int64_t many = self->ndim - used; many > 0; many--, next++)
                index_add(&to, self->sizes[next], self->strides[next]);
        } else if (!index_apply(self, item, i, next++, &to)) {
            return NULL;
        }
    }
    for (; next < self->ndim; next++)
        index_add(&to, self->sizes[next], self->strides[next]);
    return tni_tensor_view(self, to.ndim, to.sizes, to.strides, to.offset);
}

tn_tensor *tni_op_index(const tn_tensor *self, tn_index_list index) { return tni_index_view(self, index); }

tn_tensor *tni_op_index_text(const tn_tensor *self, const char *index) {
    tn_index_item items[2 * TN_MAX_DIMS];
    tn_index_list list = {items, 0};
    return tni_index_parse(index, items, &list.count) ? tni_index_view(self, list) : NULL;
}

/* ---- assignment: the selected view is written, and self is what changed */

tn_error tni_op_setitem_(tn_tensor *self, tn_index_list index, const tn_tensor *source) {
    tn_tensor *part = tni_index_view(self, index);
    if (!part)
        return tn_error_code();
    tn_error code = tni_copy_into(part, source, "assigned to a part of a tensor");
    tni_tensor_release(part);
    return code;
}

tn_error tni_op_setitem_scalar_(tn_tensor *self, tn_index_list index, tn_scalar value) {
    tn_tensor *part = tni_index_view(self, index);
    if (!part)
        return tn_error_code();
    tn_error code = tni_fill_into(part, value);
    tni_tensor_release(part);
    return code;
}

tn_error tni_op_setitem_text_(tn_tensor *self, const char *index, const tn_tensor *source) {
    tn_index_item items[2 * TN_MAX_DIMS];
    tn_index_list list = {items, 0};
    return tni_index_parse(index, items, &list.count) ? tni_op_setitem_(self, list, source) : tn_error_code();
}

tn_error tni_op_setitem_text_scalar_(tn_tensor *self, const char *index, tn_scalar value) {
    tn_index_item items[2 * TN_MAX_DIMS];
    tn_index_list list = {items, 0};
    return tni_index_parse(index, items, &list.count) ? tni_op_setitem_scalar_(self, list, value) : tn_error_code();
}
