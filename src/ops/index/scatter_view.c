/* scatter_view.c - a copy of self in which one view is replaced: select_scatter, slice_scatter, diagonal_scatter,
 * as_strided_scatter; and one_hot, zeros with a one written by position.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "operators_copy.h"
#include "operators_index.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/index/index_along.h"
#include "ops/index/overlapping.h"
#include "ops/plan.h"

/* `made`, a copy of self with its strides, with src in place of one of its views; NULL is passed on. */
static tn_tensor *scatter_over_view(tn_tensor *made, tn_tensor *view, const tn_tensor *src) {
    if (!view)
        return NULL;
    if (view->ndim == src->ndim && memcmp(view->sizes, src->sizes, (size_t)src->ndim * sizeof *src->sizes) == 0)
        return tn_copy_(view, src) ? made : NULL;
    return tni_raise_null(TN_ERROR_SHAPE, "src %s must have the sizes %s of the part it replaces", tni_show_tensor(src),
                          tni_show_dims(view->sizes, view->ndim));
}

tn_tensor *tni_composite_select_scatter(const tn_tensor *self, const tn_tensor *src, int64_t dim, int64_t index) {
    tn_tensor *made = tn_clone(self, TN_PRESERVE);
    return scatter_over_view(made, tn_select(made, dim, index), src);
}

tn_tensor *tni_composite_slice_scatter(const tn_tensor *self, const tn_tensor *src, int64_t dim, int64_t start, int64_t end,
                                       int64_t step) {
    tn_tensor *made = tn_clone(self, TN_PRESERVE);
    return scatter_over_view(made, tn_slice(made, dim, start, end, step), src);
}

tn_tensor *tni_composite_diagonal_scatter(const tn_tensor *self, const tn_tensor *src, int64_t offset, int64_t dim1,
                                          int64_t dim2) {
    tn_tensor *made = tn_clone(self, TN_PRESERVE);
    return scatter_over_view(made, tn_diagonal(made, offset, dim1, dim2), src);
}

/* Strides may overlap, though not by repeating one place: then the last in row-major order stays. */
static tn_tensor *scatter_over_strides(tn_tensor *made, tn_tensor *view, const tn_tensor *src) {
    bool apart = !view || !tni_tensor_overlaps_itself(view) || tni_tensor_device(made).type != TN_CPU ||
                 tn_dtype_is_complex(src->dtype) > tn_dtype_is_complex(made->dtype);
    for (int64_t d = 0; view && d < view->ndim; d++)
        apart = apart || (view->strides[d] == 0 && view->sizes[d] > 1) || d >= src->ndim || src->sizes[d] != view->sizes[d];
    if (apart)
        return scatter_over_view(made, view, src);
    tn_tensor *same = tn_to(src, made->dtype);
    int32_t type = tni_tensor_device(made).type;
    if (!same || type == TN_META)
        return same ? made : NULL;
    if (type != TN_CPU)
        return tni_raise_null(TN_ERROR_DEVICE, "elements of the part share places, which only the CPU writes; self is %s",
                              tni_show_tensor(made));
    tn_index_item all = TN_ELLIPSIS;
    return tni_overlapping_write(view, (tn_index_list){&all, 1}, same, TN_NO_SCALAR, false) == TN_OK ? made : NULL;
}

/* Its strides may reach any place of the storage, even between the elements of self, so everything up to the last is copied. */
tn_tensor *tni_composite_as_strided_scatter(const tn_tensor *self, const tn_tensor *src, tn_dims size, tn_dims stride,
                                            int64_t storage_offset) {
    int64_t lowest = 0, highest = -1;
    tn_tensor *made;
    if (tni_tensor_overlaps_itself(self)) { /* each element becomes its own */
        made = tn_clone(self, TN_CONTIGUOUS);
    } else {
        (void)tn_geometry_extent(tni_tensor_geometry(self), &lowest, &highest);
        int64_t count = self->numel ? highest + 1 : 0;
        tn_tensor *copied = tn_clone(tn_as_strided(self, TN_DIMS(count), TN_DIMS(1), 0), TN_CONTIGUOUS);
        made = tn_as_strided(copied, (tn_dims){self->sizes, self->ndim}, (tn_dims){self->strides, self->ndim}, self->offset);
    }
    return scatter_over_strides(made, tn_as_strided(made, size, stride, storage_offset), src);
}

/* ---- one_hot */

/* One more than the largest class; -1, raised, when there is none. */
static int64_t one_hot_classes(const tn_tensor *self) {
    if (self->numel == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "num_classes cannot be found: self %s has no elements", tni_show_tensor(self));
        return -1;
    }
    tn_tensor *positions = tni_clone_as(self, TN_INT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "classes are read");
    if (!positions)
        return -1;
    const int64_t *values = (const int64_t *)tni_tensor_read(positions);
    int64_t largest = 0;
    TNI_IN_STEPS (begin, end, positions->numel)
        for (int64_t i = begin; i < end; i++)
            largest = tni_max_i64(largest, values[i]);
    tni_tensor_release(positions);
    return tni_stopped() ? -1 : largest == INT64_MAX ? largest : largest + 1;
}

bool tni_plan_one_hot(tni_plan *plan, const tn_tensor *self, int64_t num_classes) {
    if (!tni_is_index(self, "self"))
        return false;
    if (num_classes < -1 || self->ndim == TN_MAX_DIMS) {
        tni_raise(TN_ERROR_ARGUMENT, "num_classes = %" PRId64 " cannot be the last size of self %s", num_classes,
                  tni_show_tensor(self));
        return false;
    }
    if (num_classes == -1 && tni_tensor_device(self).type == TN_META) {
        tni_raise(TN_ERROR_DEVICE, "num_classes is not given, and self, on device meta, has no elements to find it from");
        return false;
    }
    if (num_classes == -1 && (num_classes = one_hot_classes(self)) < 0)
        return false;
    if (num_classes == 0 && self->numel == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "num_classes is 0; self is %s", tni_show_tensor(self));
        return false;
    }
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim, self->sizes, TN_INT64);
    plan->result[0].sizes[plan->result[0].ndim++] = num_classes;
    return true;
}

tn_error tni_run_one_hot(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t num_classes) {
    (void)plan, (void)num_classes;
    tn_tensor *index = tni_fill_into(results[0], tn_scalar_int(0)) == TN_OK ? tni_op_unsqueeze(self, -1) : NULL;
    if (!index)
        return tni_failed();
    tni_pick pick;
    int64_t one = 1;
    tni_pick_along(&pick, TNI_PICK_WRITE, results[0], self->ndim, index, true);
    tni_pick_element(&pick, &one);
    tn_error code = tni_pick_run(&pick);
    tni_tensor_release(index);
    return code;
}
