/* geometry_views.c - every zero-copy view, as arithmetic: a geometry in, a geometry out.
 *
 * Invariant: each element of the result is an element of the source, so that a result of a source that fits in its storage
 * fits too. All strides, even those of dimensions of size 0 and 1, which no element depends on, are exactly torch's.
 */
#include <tenon/geometry.h>

#include "base/common.h"
#include "tensor/slice_range.h"

/* tn_geometry_wrap_dim, inline: creating a view is a matter of nanoseconds. */
static inline bool views_wrap_dim(int64_t *dim, int64_t ndim) {
    int64_t count = ndim > 0 ? ndim : 1;
    if (*dim < 0)
        *dim += count;
    return *dim >= 0 && *dim < count;
}

/* Dimensions [first, end) of the source become dimensions [at, ...) of the result. */
static inline void views_copy_dims(tn_geometry_ref from, int64_t first, int64_t end, tn_geometry *to, int64_t at) {
    for (int64_t d = first; d < end; d++, at++) {
        to->sizes[at] = from.sizes[d];
        to->strides[at] = from.strides[d];
    }
}

static inline void views_copy(tn_geometry_ref from, tn_geometry *to) {
    to->ndim = from.ndim;
    to->offset = from.offset;
    views_copy_dims(from, 0, from.ndim, to, 0);
}

/* Where there are no elements, offset and strides are not used: one that does not fit is not a reason to refuse a view.
 * (Windows of size 0 over x[::INT64_MAX] have such strides.) */
static TNI_COLD bool views_is_empty(tn_geometry_ref from) {
    for (int64_t d = 0; d < from.ndim; d++)
        if (from.sizes[d] == 0)
            return true;
    return false;
}

/* The same for the stride of a dimension of size 0 or 1. stride = old * factor, or unchanged where that does not fit. */
static inline bool views_scale_overflows(tn_geometry_ref from, int64_t old, int64_t factor, int64_t size, int64_t *stride) {
    if (TNI_LIKELY(!tni_mul_overflows(old, factor, stride)))
        return false;
    *stride = old;
    return size > 1 && !views_is_empty(from);
}

/* to->offset = from.offset + steps * stride, or unchanged where that does not fit and `length` elements do not need it. */
static inline bool views_shift_overflows(tn_geometry_ref from, int64_t steps, int64_t stride, int64_t length, tn_geometry *to) {
    int64_t distance;
    if (TNI_LIKELY(!tni_mul_overflows(steps, stride, &distance) && !tni_add_overflows(from.offset, distance, &to->offset)))
        return false;
    to->offset = from.offset;
    return length > 0 && !views_is_empty(from);
}

static inline tn_geometry_result views_part(tn_geometry_ref from, int64_t dim, int64_t first, int64_t length, tn_geometry *to) {
    views_copy(from, to);
    to->sizes[dim] = length;
    return views_shift_overflows(from, first, from.strides[dim], length, to) ? TN_GEOMETRY_OVERFLOW : TN_GEOMETRY_OK;
}

/* A list of different dimensions as a set. A source of no dimensions counts as one of size 1, as everywhere. */
static tn_geometry_result views_dim_set(tn_dims dims, int64_t ndim, uint64_t *set) {
    *set = 0;
    for (int64_t k = 0; k < dims.count; k++) {
        int64_t dim = dims.values[k];
        if (!views_wrap_dim(&dim, ndim))
            return TN_GEOMETRY_DIM;
        if (*set >> dim & 1)
            return TN_GEOMETRY_REPEATED_DIM;
        *set |= UINT64_C(1) << dim;
    }
    return TN_GEOMETRY_OK;
}

/* ---- expand -------------------------------------------------------------------------------------------------------- */

tn_geometry_result tn_geometry_expand(tn_geometry_ref from, tn_dims sizes, tn_geometry *to) {
    if (sizes.count < from.ndim)
        return TN_GEOMETRY_LENGTH;
    if (sizes.count > TN_MAX_DIMS)
        return TN_GEOMETRY_RANK;
    to->ndim = sizes.count;
    to->offset = from.offset;
    for (int64_t d = sizes.count - 1, source = from.ndim - 1; d >= 0; d--, source--) {
        int64_t size = 1, stride = 0, wanted = sizes.values[d];
        if (source >= 0) {
            size = from.sizes[source];
            stride = from.strides[source];
        } else if (from.ndim > 0 && views_scale_overflows(from, to->strides[d + 1], to->sizes[d + 1], 2, &stride)) {
            return TN_GEOMETRY_OVERFLOW;
        }
        if (wanted < 0) {
            if (wanted != -1)
                return TN_GEOMETRY_SIZE;
            if (source < 0)
                return TN_GEOMETRY_EXPAND_NEW;
            wanted = size;
        }
        if (wanted != size) {
            if (size != 1)
                return TN_GEOMETRY_BROADCAST;
            stride = 0;
        }
        to->sizes[d] = wanted;
        to->strides[d] = stride;
    }
    return TN_GEOMETRY_OK;
}

/* ---- the order of dimensions --------------------------------------------------------------------------------------- */

tn_geometry_result tn_geometry_permute(tn_geometry_ref from, tn_dims order, tn_geometry *to) {
    if (order.count != from.ndim)
        return TN_GEOMETRY_LENGTH;
    to->ndim = from.ndim;
    to->offset = from.offset;
    uint64_t seen = 0;
    for (int64_t d = 0; d < from.ndim; d++) {
        int64_t source = order.values[d];
        if (!views_wrap_dim(&source, from.ndim))
            return TN_GEOMETRY_DIM;
        if (seen >> source & 1)
            return TN_GEOMETRY_REPEATED_DIM;
        seen |= UINT64_C(1) << source;
        to->sizes[d] = from.sizes[source];
        to->strides[d] = from.strides[source];
    }
    return TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_transpose(tn_geometry_ref from, int64_t dim0, int64_t dim1, tn_geometry *to) {
    if (!views_wrap_dim(&dim0, from.ndim) || !views_wrap_dim(&dim1, from.ndim))
        return TN_GEOMETRY_DIM;
    views_copy(from, to);
    if (from.ndim > 0) {
        to->sizes[dim0] = from.sizes[dim1];
        to->strides[dim0] = from.strides[dim1];
        to->sizes[dim1] = from.sizes[dim0];
        to->strides[dim1] = from.strides[dim0];
    }
    return TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_movedim_order(int64_t ndim, tn_dims source, tn_dims destination, int64_t *order) {
    uint64_t moved, filled;
    if (source.count != destination.count)
        return TN_GEOMETRY_LENGTH;
    tn_geometry_result result = views_dim_set(source, ndim, &moved);
    if (result == TN_GEOMETRY_OK)
        result = views_dim_set(destination, ndim, &filled);
    if (result != TN_GEOMETRY_OK || ndim == 0)
        return result;
    for (int64_t k = 0; k < source.count; k++) {
        int64_t at = destination.values[k], dim = source.values[k];
        order[at < 0 ? at + ndim : at] = dim < 0 ? dim + ndim : dim;
    }
    int64_t next = 0;
    for (int64_t d = 0; d < ndim; d++) {
        if (filled >> d & 1)
            continue;
        while (moved >> next & 1)
            next++;
        order[d] = next++;
    }
    return TN_GEOMETRY_OK;
}

/* ---- dimensions of size 1 ------------------------------------------------------------------------------------------ */

static tn_geometry_result views_drop_ones(tn_geometry_ref from, uint64_t candidates, tn_geometry *to) {
    int64_t kept = 0;
    for (int64_t d = 0; d < from.ndim; d++) {
        if (from.sizes[d] == 1 && (candidates >> d & 1))
            continue;
        to->sizes[kept] = from.sizes[d];
        to->strides[kept++] = from.strides[d];
    }
    to->ndim = kept;
    to->offset = from.offset;
    return TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_squeeze(tn_geometry_ref from, tn_geometry *to) { return views_drop_ones(from, UINT64_MAX, to); }

tn_geometry_result tn_geometry_squeeze_dims(tn_geometry_ref from, tn_dims dims, tn_geometry *to) {
    uint64_t candidates;
    tn_geometry_result result = views_dim_set(dims, from.ndim, &candidates);
    return result != TN_GEOMETRY_OK ? result : views_drop_ones(from, candidates, to);
}

tn_geometry_result tn_geometry_unsqueeze(tn_geometry_ref from, int64_t dim, tn_geometry *to) {
    if (!views_wrap_dim(&dim, from.ndim + 1))
        return TN_GEOMETRY_DIM;
    if (from.ndim == TN_MAX_DIMS)
        return TN_GEOMETRY_RANK;
    to->ndim = from.ndim + 1;
    to->offset = from.offset;
    views_copy_dims(from, 0, dim, to, 0);
    views_copy_dims(from, dim, from.ndim, to, dim + 1);
    to->sizes[dim] = to->strides[dim] = 1;
    if (dim < from.ndim && views_scale_overflows(from, from.strides[dim], from.sizes[dim], 2, &to->strides[dim]))
        return TN_GEOMETRY_OVERFLOW;
    return TN_GEOMETRY_OK;
}

/* ---- parts of a dimension ------------------------------------------------------------------------------------------ */

tn_geometry_result tn_geometry_select(tn_geometry_ref from, int64_t dim, int64_t index, tn_geometry *to) {
    if (from.ndim == 0)
        return TN_GEOMETRY_SCALAR;
    if (!views_wrap_dim(&dim, from.ndim))
        return TN_GEOMETRY_DIM;
    int64_t size = from.sizes[dim];
    if (index >= size || index < -size)
        return TN_GEOMETRY_INDEX;
    to->ndim = from.ndim - 1;
    views_copy_dims(from, 0, dim, to, 0);
    views_copy_dims(from, dim + 1, from.ndim, to, dim);
    return views_shift_overflows(from, index < 0 ? index + size : index, from.strides[dim], 1, to) ? TN_GEOMETRY_OVERFLOW
                                                                                                   : TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_slice_range(int64_t size, int64_t start, int64_t end, int64_t step, int64_t *first,
                                           int64_t *length) {
    return tni_slice_range(size, start, end, step, first, length) ? TN_GEOMETRY_OK : TN_GEOMETRY_STEP;
}

tn_geometry_result tn_geometry_slice(tn_geometry_ref from, int64_t dim, int64_t start, int64_t end, int64_t step,
                                     tn_geometry *to) {
    int64_t first, length;
    if (from.ndim == 0)
        return TN_GEOMETRY_SCALAR;
    if (!views_wrap_dim(&dim, from.ndim))
        return TN_GEOMETRY_DIM;
    if (!tni_slice_range(from.sizes[dim], start, end, step, &first, &length))
        return TN_GEOMETRY_STEP;
    tn_geometry_result result = views_part(from, dim, first, length, to);
    if (result == TN_GEOMETRY_OK && views_scale_overflows(from, from.strides[dim], step, length, &to->strides[dim]))
        result = TN_GEOMETRY_OVERFLOW;
    return result;
}

tn_geometry_result tn_geometry_narrow(tn_geometry_ref from, int64_t dim, int64_t start, int64_t length, tn_geometry *to) {
    if (from.ndim == 0)
        return TN_GEOMETRY_SCALAR;
    if (!views_wrap_dim(&dim, from.ndim))
        return TN_GEOMETRY_DIM;
    int64_t size = from.sizes[dim];
    if (length < 0)
        return TN_GEOMETRY_WINDOW;
    if (start < -size || start > size)
        return TN_GEOMETRY_INDEX;
    if (start < 0)
        start += size;
    if (length > size - start)
        return TN_GEOMETRY_WINDOW;
    return views_part(from, dim, start, length, to);
}

tn_geometry_result tn_geometry_diagonal(tn_geometry_ref from, int64_t shift, int64_t dim1, int64_t dim2, tn_geometry *to) {
    if (!views_wrap_dim(&dim1, from.ndim) || !views_wrap_dim(&dim2, from.ndim))
        return TN_GEOMETRY_DIM;
    if (dim1 == dim2)
        return TN_GEOMETRY_REPEATED_DIM;
    int64_t size1 = from.sizes[dim1], size2 = from.sizes[dim2], stride1 = from.strides[dim1], stride2 = from.strides[dim2];
    int64_t length = shift >= 0 ? tni_min_i64(size1, size2 - shift) : tni_min_i64(size1 + shift, size2);
    int64_t low = tni_min_i64(dim1, dim2), high = tni_max_i64(dim1, dim2), last = from.ndim - 2;
    to->ndim = from.ndim - 1;
    to->offset = from.offset;
    views_copy_dims(from, 0, low, to, 0);
    views_copy_dims(from, low + 1, high, to, low);
    views_copy_dims(from, high + 1, from.ndim, to, high - 1);
    to->sizes[last] = length > 0 ? length : 0;
    if (tni_add_overflows(stride1, stride2, &to->strides[last])) {
        to->strides[last] = stride1;
        if (length > 1 && !views_is_empty(from))
            return TN_GEOMETRY_OVERFLOW;
    }
    if (length > 0 && views_shift_overflows(from, shift >= 0 ? shift : -shift, shift >= 0 ? stride2 : stride1, length, to))
        return TN_GEOMETRY_OVERFLOW;
    return TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_unfold(tn_geometry_ref from, int64_t dim, int64_t size, int64_t step, tn_geometry *to) {
    if (!views_wrap_dim(&dim, from.ndim))
        return TN_GEOMETRY_DIM;
    int64_t available = from.ndim > 0 ? from.sizes[dim] : 1;
    if (size < 0 || size > available)
        return TN_GEOMETRY_WINDOW;
    if (step <= 0)
        return TN_GEOMETRY_STEP;
    if (from.ndim == TN_MAX_DIMS)
        return TN_GEOMETRY_RANK;
    views_copy(from, to);
    to->ndim = from.ndim + 1;
    to->sizes[from.ndim] = size;
    to->strides[from.ndim] = 1;
    if (from.ndim == 0)
        return TN_GEOMETRY_OK;
    to->strides[from.ndim] = from.strides[dim];
    to->sizes[dim] = (available - size) / step;
    if (tni_add_overflows(to->sizes[dim], 1, &to->sizes[dim]))
        return TN_GEOMETRY_OVERFLOW;
    return views_scale_overflows(from, from.strides[dim], step, to->sizes[dim], &to->strides[dim]) ? TN_GEOMETRY_OVERFLOW
                                                                                                   : TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_flip(tn_geometry_ref from, tn_dims dims, tn_geometry *to) {
    uint64_t flipped;
    tn_geometry_result result = views_dim_set(dims, from.ndim, &flipped);
    if (result != TN_GEOMETRY_OK)
        return result;
    views_copy(from, to);
    for (int64_t d = 0; d < from.ndim; d++) {
        int64_t distance;
        if (!(flipped >> d & 1) || from.sizes[d] < 2)
            continue;
        if (tni_mul_overflows(from.sizes[d] - 1, from.strides[d], &distance) ||
            tni_add_overflows(to->offset, distance, &distance) || tni_sub_overflows(0, from.strides[d], &to->strides[d])) {
            to->strides[d] = from.strides[d];
            if (!views_is_empty(from))
                return TN_GEOMETRY_OVERFLOW;
            continue;
        }
        to->offset = distance;
    }
    return TN_GEOMETRY_OK;
}

/* ---- other shapes -------------------------------------------------------------------------------------------------- */

tn_geometry_result tn_geometry_infer_shape(int64_t numel, tn_dims shape, int64_t *sizes) {
    if (shape.count > TN_MAX_DIMS)
        return TN_GEOMETRY_RANK;
    int64_t product = 1, open = -1;
    bool empty = false, overflow = false;
    for (int64_t d = 0; d < shape.count; d++) {
        int64_t size = sizes[d] = shape.values[d];
        if (size == -1) {
            if (open >= 0)
                return TN_GEOMETRY_INFER_TWICE;
            open = d;
            continue;
        }
        if (size < 0)
            return TN_GEOMETRY_SIZE;
        empty |= size == 0;
        overflow |= tni_mul_overflows(product, size, &product);
    }
    if (empty) {
        if (numel != 0)
            return TN_GEOMETRY_NUMEL;
        return open < 0 ? TN_GEOMETRY_OK : TN_GEOMETRY_INFER_ANY;
    }
    if (open < 0)
        return !overflow && product == numel ? TN_GEOMETRY_OK : TN_GEOMETRY_NUMEL;
    if (numel == 0)
        sizes[open] = 0;
    else if (!overflow && numel % product == 0)
        sizes[open] = numel / product;
    else
        return TN_GEOMETRY_NUMEL;
    return TN_GEOMETRY_OK;
}

/* The strides of a shape without elements are free; torch keeps them where the shape stays the same, and otherwise takes the
 * row-major ones. */
static tn_geometry_result views_empty_strides(int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t new_ndim,
                                              const int64_t *new_sizes, int64_t *new_strides) {
    bool same = ndim == new_ndim;
    for (int64_t d = 0; same && d < ndim; d++)
        same = sizes[d] == new_sizes[d];
    if (!same)
        return tn_geometry_contiguous_strides(new_ndim, new_sizes, new_strides);
    for (int64_t d = 0; d < ndim; d++)
        new_strides[d] = strides[d];
    return TN_GEOMETRY_OK;
}

/* From the last dimension on, the source falls into runs: neighbours that merge, because stride[d] is the span of all after
 * it in the run. The elements of a run have one even distance, `base`. Each run must be filled exactly by new dimensions; a
 * dimension that reaches into the next run would need two distances at once.
 *
 * Why this is also necessary: let a new dimension, with `inner` elements below it, reach across the end of a run of `count`
 * elements, inner < count. The new geometry puts element `count` at (count / inner) of its steps plus the element count %
 * inner, both inside the run, hence at count * base: but the source puts it at stride[d], which is another place. */
static inline tn_geometry_result views_fill_runs(int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t new_ndim,
                                                 const int64_t *new_sizes, int64_t *new_strides) {
    int64_t n = new_ndim - 1;
    if (ndim == 0) {
        for (; n >= 0; n--)
            new_strides[n] = 1;
        return TN_GEOMETRY_OK;
    }
    int64_t base = strides[ndim - 1], count = 1, span;
    for (int64_t d = ndim - 1; d >= 0; d--) {
        count *= sizes[d];
        if (d > 0 && (sizes[d - 1] == 1 || (!tni_mul_overflows(count, base, &span) && strides[d - 1] == span)))
            continue;
        int64_t filled = 1;
        for (; n >= 0 && (filled < count || new_sizes[n] == 1); n--) {
            if (tni_mul_overflows(filled, base, &new_strides[n]))
                return TN_GEOMETRY_OVERFLOW;
            filled *= new_sizes[n];
        }
        if (filled != count)
            return TN_GEOMETRY_NOT_A_VIEW;
        if (d > 0)
            base = strides[d - 1];
        count = 1;
    }
    return TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_view_strides(int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t new_ndim,
                                            const int64_t *new_sizes, int64_t *new_strides) {
    int64_t numel, new_numel;
    tn_geometry_result result = tn_geometry_numel(ndim, sizes, &numel);
    if (result != TN_GEOMETRY_OK)
        return result;
    result = tn_geometry_numel(new_ndim, new_sizes, &new_numel);
    if (result == TN_GEOMETRY_SIZE)
        return result;
    if (result == TN_GEOMETRY_OVERFLOW || numel != new_numel)
        return TN_GEOMETRY_NUMEL;
    if (numel == 0)
        return views_empty_strides(ndim, sizes, strides, new_ndim, new_sizes, new_strides);
    return views_fill_runs(ndim, sizes, strides, new_ndim, new_sizes, new_strides);
}

tn_geometry_result tn_geometry_view(tn_geometry_ref from, tn_dims shape, tn_geometry *to) {
    int64_t numel;
    tn_geometry_result result = tn_geometry_numel(from.ndim, from.sizes, &numel);
    if (result == TN_GEOMETRY_OK)
        result = tn_geometry_infer_shape(numel, shape, to->sizes);
    if (result != TN_GEOMETRY_OK)
        return result;
    to->ndim = shape.count;
    to->offset = from.offset;
    if (numel == 0)
        return views_empty_strides(from.ndim, from.sizes, from.strides, to->ndim, to->sizes, to->strides);
    return views_fill_runs(from.ndim, from.sizes, from.strides, to->ndim, to->sizes, to->strides);
}

/* ---- other element sizes ------------------------------------------------------------------------------------------- */

static tn_geometry_result views_smaller_elements(tn_geometry_ref from, int64_t ratio, tn_geometry *to) {
    int64_t last = from.ndim - 1;
    if (from.strides[last] != 1)
        return TN_GEOMETRY_LAST_STRIDE;
    bool overflow = tni_mul_overflows(from.offset, ratio, &to->offset);
    for (int64_t d = 0; d < last; d++)
        overflow |= views_scale_overflows(from, from.strides[d], ratio, from.sizes[d], &to->strides[d]);
    overflow |= tni_mul_overflows(from.sizes[last], ratio, &to->sizes[last]);
    return overflow ? TN_GEOMETRY_OVERFLOW : TN_GEOMETRY_OK;
}

static tn_geometry_result views_larger_elements(tn_geometry_ref from, int64_t ratio, tn_geometry *to) {
    int64_t last = from.ndim - 1;
    if (from.sizes[last] % ratio != 0)
        return TN_GEOMETRY_LAST_SIZE;
    if (from.offset % ratio != 0)
        return TN_GEOMETRY_OFFSET_RATIO;
    if (from.strides[last] != 1)
        return TN_GEOMETRY_LAST_STRIDE;
    to->offset = from.offset / ratio;
    to->sizes[last] = from.sizes[last] / ratio;
    for (int64_t d = 0; d < last; d++) {
        if (from.strides[d] % ratio != 0)
            return TN_GEOMETRY_STRIDE_RATIO;
        to->strides[d] = from.strides[d] / ratio;
    }
    return TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_view_itemsize(tn_geometry_ref from, size_t old_itemsize, size_t new_itemsize, tn_geometry *to) {
    if (old_itemsize == 0 || new_itemsize == 0 || (old_itemsize % new_itemsize != 0 && new_itemsize % old_itemsize != 0))
        return TN_GEOMETRY_ITEMSIZE;
    views_copy(from, to);
    if (old_itemsize == new_itemsize)
        return TN_GEOMETRY_OK;
    if (from.ndim == 0)
        return TN_GEOMETRY_SCALAR;
    if (old_itemsize > new_itemsize)
        return views_smaller_elements(from, (int64_t)(old_itemsize / new_itemsize), to);
    return views_larger_elements(from, (int64_t)(new_itemsize / old_itemsize), to);
}

tn_geometry_result tn_geometry_view_as_real(tn_geometry_ref from, tn_geometry *to) {
    if (from.ndim == TN_MAX_DIMS)
        return TN_GEOMETRY_RANK;
    bool overflow = tni_mul_overflows(from.offset, 2, &to->offset);
    to->ndim = from.ndim + 1;
    for (int64_t d = 0; d < from.ndim; d++) {
        to->sizes[d] = from.sizes[d];
        overflow |= views_scale_overflows(from, from.strides[d], 2, from.sizes[d], &to->strides[d]);
    }
    to->sizes[from.ndim] = 2;
    to->strides[from.ndim] = 1;
    return overflow ? TN_GEOMETRY_OVERFLOW : TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_view_as_complex(tn_geometry_ref from, tn_geometry *to) {
    int64_t last = from.ndim - 1;
    if (last < 0)
        return TN_GEOMETRY_SCALAR;
    if (from.sizes[last] != 2)
        return TN_GEOMETRY_LAST_SIZE;
    if (from.strides[last] != 1)
        return TN_GEOMETRY_LAST_STRIDE;
    if (from.offset % 2 != 0)
        return TN_GEOMETRY_OFFSET_RATIO;
    to->ndim = last;
    to->offset = from.offset / 2;
    for (int64_t d = 0; d < last; d++) {
        if (from.strides[d] % 2 != 0 && from.sizes[d] != 1)
            return TN_GEOMETRY_STRIDE_RATIO;
        to->sizes[d] = from.sizes[d];
        to->strides[d] = from.strides[d] / 2;
    }
    return TN_GEOMETRY_OK;
}
