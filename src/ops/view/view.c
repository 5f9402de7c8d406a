/* view.c - views that give the same elements another shape or another order of dimensions.
 *
 * Every function here is geometry (tensor/geometry.c) followed by a new tensor object over the same storage; only reshape and
 * its relatives may copy, when no strides can express the result, and conjugate transposes of complex tensors must.
 */
#include "ops/view/view.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/observe.h"
#include "ops/copy/copy.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_view.h"

void *tni_view_refuse(const tn_tensor *self, tn_geometry_result result, const char *format, ...) {
    char arguments[320];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    return tni_raise_null(tn_geometry_result_error(result), "%s: %s; self is %s", arguments, tn_geometry_result_text(result),
                          tni_show_tensor(self));
}

tn_error tni_view_assign(tn_tensor *self, tn_tensor *view) {
    if (!view)
        return tni_failed();
    tn_error code = tni_tensor_set_geometry(self, view->ndim, view->sizes, view->strides, view->offset);
    if (code == TN_OK)
        tni_storage_bump(self->storage); /* a derivative that kept this tensor kept another shape */
    tni_tensor_release(view);
    return code;
}

/* ---- view and reshape */

enum { VIEW_REASON_SIZE = 480 };

/* The sentence that explains why the shape needs a copy. */
static const char *view_why_not(const tn_tensor *self, tn_dims shape, char *reason) {
    tn_geometry_explain(tni_tensor_geometry(self), shape, NULL, reason, VIEW_REASON_SIZE);
    return reason;
}

static TNI_COLD int view_refuse_shape(const tn_tensor *self, tn_dims shape, tn_geometry_result result) {
    tni_raise(tn_geometry_result_error(result), "shape %s for self %s of %" PRId64 " elements: %s",
              tni_show_dims(shape.values, shape.count), tni_show_tensor(self), self->numel, tn_geometry_result_text(result));
    return -1;
}

/* The sizes with -1 worked out, and their strides: 1 a view is possible, 0 it needs a copy, -1 raised. */
static inline int view_try(const tn_tensor *self, tn_dims shape, int64_t *sizes, int64_t *strides) {
    tn_geometry_result result = tn_geometry_infer_shape(self->numel, shape, sizes);
    if (TNI_UNLIKELY(result != TN_GEOMETRY_OK))
        return view_refuse_shape(self, shape, result);
    bool evenly = tni_tensor_is_contiguous(self) && self->numel > 0 && (self->ndim == 0 || self->strides[self->ndim - 1] == 1);
    if (TNI_LIKELY(evenly)) { /* all elements at distance 1: the general rule gives row-major strides */
        int64_t stride = 1;
        for (int64_t d = shape.count - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= sizes[d];
        }
        return 1;
    }
    result = tn_geometry_view_strides(self->ndim, self->sizes, self->strides, shape.count, sizes, strides);
    if (result == TN_GEOMETRY_OK)
        return 1;
    return result == TN_GEOMETRY_NOT_A_VIEW ? 0 : view_refuse_shape(self, shape, result);
}

tn_tensor *tni_op_view(const tn_tensor *self, tn_dims shape) {
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS];
    char reason[VIEW_REASON_SIZE];
    int possible = view_try(self, shape, sizes, strides);
    if (TNI_LIKELY(possible > 0))
        return tni_tensor_view(self, shape.count, sizes, strides, self->offset);
    if (possible == 0)
        tni_raise(TN_ERROR_SHAPE, "%s (self is %s, strides %s); reshape would copy", view_why_not(self, shape, reason),
                  tni_show_tensor(self), tni_show_dims(self->strides, self->ndim));
    return NULL;
}

tn_tensor *tni_op_view_as(const tn_tensor *self, const tn_tensor *other) {
    return tni_op_view(self, (tn_dims){other->sizes, other->ndim});
}

static tn_tensor *view_of_copy(const tn_tensor *self, tn_dims shape, tn_dims sizes) {
    char reason[VIEW_REASON_SIZE];
    int64_t strides[TN_MAX_DIMS];
    tn_tensor *copy = tni_clone_contiguous(self, tni_observed() ? view_why_not(self, shape, reason) : "");
    if (!copy)
        return NULL;
    (void)tn_geometry_contiguous_strides(sizes.count, sizes.values, strides); /* the product is known to fit */
    tn_tensor *result = tni_tensor_view(copy, sizes.count, sizes.values, strides, copy->offset);
    tni_tensor_release(copy);
    return result;
}

tn_tensor *tni_op_reshape(const tn_tensor *self, tn_dims shape) {
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS];
    int possible = view_try(self, shape, sizes, strides);
    if (TNI_LIKELY(possible > 0))
        return tni_tensor_view(self, shape.count, sizes, strides, self->offset);
    return possible < 0 ? NULL : view_of_copy(self, shape, (tn_dims){sizes, shape.count});
}

tn_tensor *tni_op_reshape_as(const tn_tensor *self, const tn_tensor *other) {
    return tni_op_reshape(self, (tn_dims){other->sizes, other->ndim});
}

tn_tensor *tni_op_ravel(const tn_tensor *self) { return tni_op_reshape(self, (tn_dims){&self->numel, 1}); }

tn_tensor *tni_op_flatten(const tn_tensor *self, int64_t start_dim, int64_t end_dim) {
    int64_t first, last;
    if (!tni_wrap_dim(start_dim, self->ndim, "start_dim", &first) || !tni_wrap_dim(end_dim, self->ndim, "end_dim", &last))
        return NULL;
    if (first > last)
        return tni_raise_null(TN_ERROR_SHAPE, "start_dim = %" PRId64 " comes after end_dim = %" PRId64 "; self is %s",
                              start_dim, end_dim, tni_show_tensor(self));
    if (self->ndim == 0)
        return tni_op_ravel(self);
    if (first == last)
        return tni_op_alias(self);
    int64_t shape[TN_MAX_DIMS], count = 0;
    tn_geometry_result result = tn_geometry_numel(last - first + 1, self->sizes + first, &shape[first]);
    if (result != TN_GEOMETRY_OK) /* self is empty, but not in these dimensions */
        return tni_view_refuse(self, result, "dimensions %" PRId64 " to %" PRId64, start_dim, end_dim);
    for (; count < first; count++)
        shape[count] = self->sizes[count];
    count++;
    for (int64_t d = last + 1; d < self->ndim; d++)
        shape[count++] = self->sizes[d];
    return tni_op_reshape(self, (tn_dims){shape, count});
}

tn_tensor *tni_op_unflatten(const tn_tensor *self, int64_t dim, tn_dims sizes) {
    int64_t d, parts[TN_MAX_DIMS], shape[2 * TN_MAX_DIMS], count = 0;
    if (!tni_wrap_dim(dim, self->ndim, "dim", &d))
        return NULL;
    if (self->ndim == 0 || sizes.count == 0)
        return tni_raise_null(TN_ERROR_SHAPE, "sizes %s cannot replace dimension %" PRId64 " of self %s",
                              tni_show_dims(sizes.values, sizes.count), dim, tni_show_tensor(self));
    tn_geometry_result result = tn_geometry_infer_shape(self->sizes[d], sizes, parts);
    if (result == TN_GEOMETRY_OK && self->ndim - 1 + sizes.count > TN_MAX_DIMS)
        result = TN_GEOMETRY_RANK;
    if (result != TN_GEOMETRY_OK)
        return tni_raise_null(tn_geometry_result_error(result), "dim = %" PRId64 ", sizes %s: %s; self is %s", dim,
                              tni_show_dims(sizes.values, sizes.count), tn_geometry_result_text(result), tni_show_tensor(self));
    for (int64_t i = 0; i < self->ndim; i++)
        if (i == d)
            for (int64_t k = 0; k < sizes.count; k++)
                shape[count++] = parts[k];
        else
            shape[count++] = self->sizes[i];
    return tni_op_view(self, (tn_dims){shape, count});
}

tn_tensor *tni_op_view_dtype(const tn_tensor *self, tn_dtype dtype) {
    tn_geometry to;
    tn_geometry_result result =
        tn_geometry_view_itemsize(tni_tensor_geometry(self), tni_tensor_item_size(self), tn_dtype_size(dtype), &to);
    tn_tensor *view =
        result == TN_GEOMETRY_OK ? tni_view_of(self, &to) : tni_view_refuse(self, result, "as %s", tn_dtype_name(dtype));
    if (view)
        view->dtype = (uint8_t)dtype;
    return view;
}

/* ---- order of dimensions */

tn_tensor *tni_op_permute(const tn_tensor *self, tn_dims dims) {
    tn_geometry to;
    tn_geometry_result result = tn_geometry_permute(tni_tensor_geometry(self), dims, &to);
    return result == TN_GEOMETRY_OK ? tni_view_of(self, &to)
                                    : tni_view_refuse(self, result, "dims %s", tni_show_dims(dims.values, dims.count));
}

tn_tensor *tni_op_transpose(const tn_tensor *self, int64_t dim0, int64_t dim1) {
    int64_t a, b;
    if (!tni_wrap_dim(dim0, self->ndim, "dim0", &a) || !tni_wrap_dim(dim1, self->ndim, "dim1", &b))
        return NULL;
    tn_tensor *view = tni_tensor_view_begin(self, self->ndim);
    if (!view)
        return NULL;
    for (int64_t d = 0; d < self->ndim; d++) {
        int64_t from = d == a ? b : d == b ? a : d;
        view->sizes[d] = self->sizes[from];
        view->strides[d] = self->strides[from];
    }
    tni_tensor_settle(view);
    return view;
}

tn_tensor *tni_op_t(const tn_tensor *self) {
    if (self->ndim > 2)
        return tni_raise_null(TN_ERROR_SHAPE, "self must have at most 2 dimensions, it is %s; mT transposes batches",
                              tni_show_tensor(self));
    return tni_op_transpose(self, 0, self->ndim < 2 ? 0 : 1);
}

tn_tensor *tni_op_T(const tn_tensor *self) {
    int64_t order[TN_MAX_DIMS];
    for (int64_t d = 0; d < self->ndim; d++)
        order[d] = self->ndim - 1 - d;
    return tni_op_permute(self, (tn_dims){order, self->ndim});
}

/* A tensor of no dimensions stays as it is, as still in torch. */
tn_tensor *tni_op_mT(const tn_tensor *self) {
    if (self->ndim == 1)
        return tni_raise_null(TN_ERROR_SHAPE, "self must have at least 2 dimensions, it is %s", tni_show_tensor(self));
    return self->ndim == 0 ? tni_op_alias(self) : tni_op_transpose(self, -2, -1);
}

/* Conjugated where that changes anything, row by row in new memory: it needs other values, not only other strides. */
static tn_tensor *view_conjugated(tn_tensor *transposed) {
    return transposed && tn_dtype_is_complex(transposed->dtype) ? tn_conj_physical_(tn_clone(transposed, TN_CONTIGUOUS))
                                                                : transposed;
}

static bool view_is_matrix(const tn_tensor *self) {
    if (self->ndim == 2 || self->ndim == 0)
        return true;
    tni_raise(TN_ERROR_SHAPE, "self must be a matrix, it is %s; mH conjugates and transposes batches", tni_show_tensor(self));
    return false;
}

tn_tensor *tni_composite_H(const tn_tensor *self) { return view_is_matrix(self) ? view_conjugated(tn_t(self)) : NULL; }
tn_tensor *tni_composite_mH(const tn_tensor *self) { return view_conjugated(tn_mT(self)); }

/* The same without a scope: takes `transposed` over. */
static tn_tensor *view_conjugated_here(tn_tensor *transposed) {
    if (!transposed || !tn_dtype_is_complex(transposed->dtype))
        return transposed;
    tn_tensor *copy = tni_op_clone(transposed, TN_CONTIGUOUS);
    tni_tensor_release(transposed);
    if (!copy || tni_op_conj_physical_(copy) == TN_OK)
        return copy;
    tni_tensor_release(copy);
    return NULL;
}

tn_tensor *tni_shortcut_H(const tn_tensor *self) { return view_is_matrix(self) ? view_conjugated_here(tni_op_t(self)) : NULL; }
tn_tensor *tni_shortcut_mH(const tn_tensor *self) { return view_conjugated_here(tni_op_mT(self)); }

tn_tensor *tni_op_movedim(const tn_tensor *self, tn_dims source, tn_dims destination) {
    int64_t order[TN_MAX_DIMS];
    tn_geometry to;
    tn_geometry_result result = tn_geometry_movedim_order(self->ndim, source, destination, order);
    if (result == TN_GEOMETRY_OK)
        result = tn_geometry_permute(tni_tensor_geometry(self), (tn_dims){order, self->ndim}, &to);
    return result == TN_GEOMETRY_OK
               ? tni_view_of(self, &to)
               : tni_view_refuse(self, result, "source %s, destination %s", tni_show_dims(source.values, source.count),
                                 tni_show_dims(destination.values, destination.count));
}

/* ---- dimensions of size 1 */

tn_tensor *tni_op_squeeze(const tn_tensor *self) {
    tn_geometry to;
    tn_geometry_result result = tn_geometry_squeeze(tni_tensor_geometry(self), &to);
    return result == TN_GEOMETRY_OK ? tni_view_of(self, &to) : tni_view_refuse(self, result, "all dimensions");
}

tn_tensor *tni_op_squeeze_dims(const tn_tensor *self, tn_dims dims) {
    tn_geometry to;
    tn_geometry_result result = tn_geometry_squeeze_dims(tni_tensor_geometry(self), dims, &to);
    return result == TN_GEOMETRY_OK ? tni_view_of(self, &to)
                                    : tni_view_refuse(self, result, "dims %s", tni_show_dims(dims.values, dims.count));
}

tn_tensor *tni_op_squeeze_dim(const tn_tensor *self, int64_t dim) {
    int64_t d;
    return tni_wrap_dim(dim, self->ndim, "dim", &d) ? tni_op_squeeze_dims(self, (tn_dims){&d, 1}) : NULL;
}

tn_tensor *tni_op_unsqueeze(const tn_tensor *self, int64_t dim) {
    tn_geometry to;
    tn_geometry_result result = tn_geometry_unsqueeze(tni_tensor_geometry(self), dim, &to);
    return result == TN_GEOMETRY_OK ? tni_view_of(self, &to) : tni_view_refuse(self, result, "dim = %" PRId64, dim);
}

/* Up to 3. A vector is along the second dimension, a matrix in the first two. */
static tn_tensor *view_at_least(const tn_tensor *self, int64_t ndim) {
    static const int64_t ones[] = {1, 1, 1};
    if (self->ndim >= ndim)
        return tni_op_alias(self);
    if (self->ndim == 0)
        return tni_tensor_view(self, ndim, ones, ones, self->offset);
    tn_geometry row, column;
    tn_geometry_ref from = tni_tensor_geometry(self);
    tn_geometry_result result = TN_GEOMETRY_OK;
    if (self->ndim == 1) {
        result = tn_geometry_unsqueeze(from, 0, &row);
        from = tn_geometry_ref_of(&row);
    }
    if (result == TN_GEOMETRY_OK && ndim == 3) {
        result = tn_geometry_unsqueeze(from, 2, &column);
        from = tn_geometry_ref_of(&column);
    }
    return result == TN_GEOMETRY_OK ? tni_tensor_view(self, ndim, from.sizes, from.strides, from.offset)
                                    : tni_view_refuse(self, result, "%" PRId64 " dimensions", ndim);
}

tn_tensor *tni_op_atleast_1d(const tn_tensor *self) { return view_at_least(self, 1); }
tn_tensor *tni_op_atleast_2d(const tn_tensor *self) { return view_at_least(self, 2); }
tn_tensor *tni_op_atleast_3d(const tn_tensor *self) { return view_at_least(self, 3); }

/* ---- expanding */

tn_tensor *tni_op_expand(const tn_tensor *self, tn_dims size) {
    tn_geometry to;
    tn_geometry_result result = tn_geometry_expand(tni_tensor_geometry(self), size, &to);
    return result == TN_GEOMETRY_OK ? tni_view_of(self, &to)
                                    : tni_view_refuse(self, result, "size %s", tni_show_dims(size.values, size.count));
}

tn_tensor *tni_op_expand_as(const tn_tensor *self, const tn_tensor *other) {
    return tni_op_expand(self, (tn_dims){other->sizes, other->ndim});
}

/* ---- other readings of the same bytes */

tn_tensor *tni_op_alias(const tn_tensor *self) {
    return tni_tensor_view(self, self->ndim, self->sizes, self->strides, self->offset);
}

tn_tensor *tni_op_detach(const tn_tensor *self) { return tni_op_alias(self); }

tn_tensor *tni_op_view_as_real(const tn_tensor *self) {
    if (!tn_dtype_is_complex(self->dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "self must be complex, it is %s", tni_show_tensor(self));
    tn_geometry to;
    tn_geometry_result result = tn_geometry_view_as_real(tni_tensor_geometry(self), &to);
    tn_tensor *view = result == TN_GEOMETRY_OK ? tni_view_of(self, &to) : tni_view_refuse(self, result, "as pairs");
    if (view)
        view->dtype = (uint8_t)tn_dtype_to_real(self->dtype);
    return view;
}

tn_tensor *tni_op_view_as_complex(const tn_tensor *self) {
    if (self->dtype != TN_FLOAT32 && self->dtype != TN_FLOAT64)
        return tni_raise_null(TN_ERROR_DTYPE, "self must be float32 or float64, it is %s", tni_show_tensor(self));
    tn_geometry to;
    tn_geometry_result result = tn_geometry_view_as_complex(tni_tensor_geometry(self), &to);
    tn_tensor *view = result == TN_GEOMETRY_OK ? tni_view_of(self, &to)
                                               : tni_view_refuse(self, result, "pairs in the last dimension, strides %s",
                                                                 tni_show_dims(self->strides, self->ndim));
    if (view)
        view->dtype = (uint8_t)tn_dtype_to_complex(self->dtype);
    return view;
}

static tn_tensor *view_part(const tn_tensor *self, int64_t part) {
    tn_tensor *pairs = tni_op_view_as_real(self);
    tn_tensor *view = pairs ? tni_op_select(pairs, -1, part) : NULL;
    tni_tensor_release(pairs);
    return view;
}

tn_tensor *tni_op_real(const tn_tensor *self) {
    return tn_dtype_is_complex(self->dtype) ? view_part(self, 0) : tni_op_alias(self);
}

tn_tensor *tni_op_imag(const tn_tensor *self) {
    if (!tn_dtype_is_complex(self->dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "self %s is real: it has no imaginary parts", tni_show_tensor(self));
    return view_part(self, 1);
}
