/* view_copy.c - alias_copy, narrow_copy and the others: what a view shows, in new memory, row by row.
 *
 * Each is its view and then a copy, into a new tensor or a given one; the view is gone afterwards. All checks are the view's,
 * so nothing is copied where the view is not possible. Only view_copy can do more than its view: every shape that reshape can
 * make.
 */
#include "base/error.h"
#include "operators_view_copies.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/result.h"

static const char view_copy_reason[] = "what a view shows is wanted in new memory";

/* Takes over the view, which may be NULL: the error is passed on. */
static tn_tensor *view_copy_new(tn_tensor *view) {
    tn_tensor *made = view ? tni_clone_contiguous(view, view_copy_reason) : NULL;
    tni_tensor_release(view);
    return made;
}

static tn_error view_copy_into(tn_tensor *out, tn_tensor *view) {
    tni_result result;
    const tn_tensor *shown = view;
    if (!view)
        return tni_failed();
    tn_error code = TN_OK;
    if (!tni_result_begin(&result, out, (tn_dims){view->sizes, view->ndim}, view->dtype, TNI_RESULT_CAST, &shown, 1))
        code = tni_failed();
    else
        code = tni_result_end(&result, tni_copy_into(result.tensor, view, view_copy_reason));
    tni_tensor_release(view);
    return code;
}

/* The views of a list become copies, one by one. */
static tn_list *view_copy_list(tn_list *views) {
    for (int64_t i = 0; views && i < views->count; i++) {
        tn_tensor *made = tni_clone_contiguous(views->items[i], view_copy_reason);
        if (!made) {
            tni_object_release(&views->object);
            return NULL;
        }
        tni_object_drop(&views->items[i]->object);
        tni_object_hand_over(&(views->items[i] = made)->object);
    }
    return views;
}

/* VIEW_COPY(view, copy, parameters, arguments): the operator `copy` and its out variant. */
#define VIEW_COPY(view, copy, parameters, arguments)                                                                           \
    tn_tensor *tni_op_##copy parameters { return view_copy_new(tni_op_##view arguments); }                                     \
    tn_error tni_op_##copy##_out(tn_tensor *out, VIEW_COPY_LIST parameters) {                                                  \
        return view_copy_into(out, tni_op_##view arguments);                                                                   \
    }
#define VIEW_COPY_LIST(...) __VA_ARGS__

VIEW_COPY(alias, alias_copy, (const tn_tensor *self), (self))
VIEW_COPY(as_strided, as_strided_copy, (const tn_tensor *self, tn_dims size, tn_dims stride, int64_t storage_offset),
          (self, size, stride, storage_offset))
VIEW_COPY(detach, detach_copy, (const tn_tensor *self), (self))
VIEW_COPY(diagonal, diagonal_copy, (const tn_tensor *self, int64_t offset, int64_t dim1, int64_t dim2),
          (self, offset, dim1, dim2))
VIEW_COPY(expand, expand_copy, (const tn_tensor *self, tn_dims size), (self, size))
VIEW_COPY(narrow, narrow_copy, (const tn_tensor *self, int64_t dim, int64_t start, int64_t length), (self, dim, start, length))
VIEW_COPY(permute, permute_copy, (const tn_tensor *self, tn_dims dims), (self, dims))
VIEW_COPY(select, select_copy, (const tn_tensor *self, int64_t dim, int64_t index), (self, dim, index))
VIEW_COPY(slice, slice_copy, (const tn_tensor *self, int64_t dim, int64_t start, int64_t end, int64_t step),
          (self, dim, start, end, step))
VIEW_COPY(squeeze, squeeze_copy, (const tn_tensor *self), (self))
VIEW_COPY(squeeze_dim, squeeze_copy_dim, (const tn_tensor *self, int64_t dim), (self, dim))
VIEW_COPY(squeeze_dims, squeeze_copy_dims, (const tn_tensor *self, tn_dims dims), (self, dims))
VIEW_COPY(t, t_copy, (const tn_tensor *self), (self))
VIEW_COPY(transpose, transpose_copy, (const tn_tensor *self, int64_t dim0, int64_t dim1), (self, dim0, dim1))
VIEW_COPY(unfold, unfold_copy, (const tn_tensor *self, int64_t dimension, int64_t size, int64_t step),
          (self, dimension, size, step))
VIEW_COPY(unsqueeze, unsqueeze_copy, (const tn_tensor *self, int64_t dim), (self, dim))
VIEW_COPY(view_dtype, view_copy_dtype, (const tn_tensor *self, tn_dtype dtype), (self, dtype))
VIEW_COPY(view_as_complex, view_as_complex_copy, (const tn_tensor *self), (self))
VIEW_COPY(view_as_real, view_as_real_copy, (const tn_tensor *self), (self))

#undef VIEW_COPY
#undef VIEW_COPY_LIST

/* Of any shape: where there is no view, reshape has already made the copy. */
tn_tensor *tni_op_view_copy(const tn_tensor *self, tn_dims shape) {
    tn_tensor *made = tni_op_reshape(self, shape);
    return made && made->storage == self->storage ? view_copy_new(made) : made;
}

tn_error tni_op_view_copy_out(tn_tensor *out, const tn_tensor *self, tn_dims shape) {
    return view_copy_into(out, tni_op_reshape(self, shape));
}

tn_list *tni_op_split_copy(const tn_tensor *self, int64_t split_size, int64_t dim) {
    return view_copy_list(tni_op_split(self, split_size, dim));
}
tn_list *tni_op_split_with_sizes_copy(const tn_tensor *self, tn_dims split_sizes, int64_t dim) {
    return view_copy_list(tni_op_split_with_sizes(self, split_sizes, dim));
}
tn_list *tni_op_unbind_copy(const tn_tensor *self, int64_t dim) { return view_copy_list(tni_op_unbind(self, dim)); }
