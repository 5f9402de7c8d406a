/* scatter_view.c - a copy of self in which one view is replaced: select_scatter, slice_scatter, diagonal_scatter; and one_hot,
 * zeros with a one written by position.
 */
#include "base/error.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/index_along.h"

/* The copy lies in memory as self does, without its gaps. */
static tn_tensor *scatter_copy(const tn_tensor *self) {
    return tni_clone_as(self, self->dtype, TN_PRESERVE, tni_tensor_device(self), "a part of the copy of self is replaced");
}

/* Takes `view`, which is one of `made`, and may be NULL with `made` to be given up. */
static tn_tensor *scatter_over_view(tn_tensor *made, tn_tensor *view, const tn_tensor *src) {
    bool fit = view && view->ndim == src->ndim && memcmp(view->sizes, src->sizes, (size_t)src->ndim * sizeof *src->sizes) == 0;
    if (view && !fit)
        tni_raise(TN_ERROR_SHAPE, "src %s must have the sizes %s of the part it replaces", tni_show_tensor(src),
                  tni_show_dims(view->sizes, view->ndim));
    tn_error code = fit ? tni_copy_into(view, src, "src replaces a part of the copy of self") : tn_error_code();
    tni_tensor_release(view);
    return tni_pick_kept(made, code);
}

tn_tensor *tni_op_select_scatter(const tn_tensor *self, const tn_tensor *src, int64_t dim, int64_t index) {
    tn_tensor *made = scatter_copy(self);
    return made ? scatter_over_view(made, tni_op_select(made, dim, index), src) : NULL;
}

tn_tensor *tni_op_slice_scatter(const tn_tensor *self, const tn_tensor *src, int64_t dim, int64_t start, int64_t end,
                                int64_t step) {
    tn_tensor *made = scatter_copy(self);
    return made ? scatter_over_view(made, tni_op_slice(made, dim, start, end, step), src) : NULL;
}

tn_tensor *tni_op_diagonal_scatter(const tn_tensor *self, const tn_tensor *src, int64_t offset, int64_t dim1, int64_t dim2) {
    tn_tensor *made = scatter_copy(self);
    return made ? scatter_over_view(made, tni_op_diagonal(made, offset, dim1, dim2), src) : NULL;
}

/* ---- one_hot */

/* One more than the largest class; -1, raised, when there is none. */
static int64_t one_hot_classes(const tn_tensor *self) {
    if (self->numel == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "num_classes cannot be found: self %s has no elements", tni_show_tensor(self));
        return -1;
    }
    tn_tensor *positions = tni_clone_as(self, TN_INT64, TN_CONTIGUOUS, tni_tensor_device(self), "classes are looked at");
    if (!positions)
        return -1;
    const int64_t *values = (const int64_t *)tni_tensor_read(positions);
    int64_t largest = 0;
    for (int64_t i = 0; i < positions->numel; i++)
        largest = tni_max_i64(largest, values[i]);
    tni_tensor_release(positions);
    return largest == INT64_MAX ? largest : largest + 1;
}

tn_tensor *tni_op_one_hot(const tn_tensor *self, int64_t num_classes) {
    if (!tni_is_index(self, "self"))
        return NULL;
    if (num_classes < -1 || self->ndim == TN_MAX_DIMS)
        return tni_raise_null(TN_ERROR_ARGUMENT, "num_classes = %" PRId64 " cannot be the last size of self %s", num_classes,
                              tni_show_tensor(self));
    if (num_classes == -1 && (num_classes = one_hot_classes(self)) < 0)
        return NULL;
    if (num_classes == 0 && self->numel == 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "num_classes is 0; self is %s", tni_show_tensor(self));
    int64_t sizes[TN_MAX_DIMS];
    memcpy(sizes, self->sizes, (size_t)self->ndim * sizeof *sizes);
    sizes[self->ndim] = num_classes;
    tn_tensor *made = tni_op_zeros((tn_dims){sizes, self->ndim + 1}, TN_INT64);
    tn_tensor *index = made ? tni_op_unsqueeze(self, -1) : NULL;
    if (!index)
        return tni_pick_kept(made, made ? tn_error_code() : TN_OK);
    tni_pick pick;
    int64_t one = 1;
    tni_pick_along(&pick, TNI_PICK_WRITE, made, self->ndim, index, true);
    tni_pick_element(&pick, &one);
    tn_error code = tni_pick_run(&pick);
    tni_tensor_release(index);
    return tni_pick_kept(made, code);
}
