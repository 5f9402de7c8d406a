/* geometry.c - sizes and strides: counts, questions about strides, indices, broadcasting.
 *
 * Invariant: nothing here touches memory. Every product and sum of sizes, strides and offsets is checked, so an answer is
 * either right or TN_GEOMETRY_OVERFLOW. The views themselves are in geometry_views.c, the overlap tests in overlap.c.
 */
#include <tenon/geometry.h>

#include "base/common.h"

/* ---- results ------------------------------------------------------------------------------------------------------- */

static const struct geometry_result_row {
    const char *text;
    tn_error error;
} geometry_results[] = {
    [TN_GEOMETRY_OK] = {"nothing is wrong", TN_OK},
    [TN_GEOMETRY_OVERFLOW] = {"a size, stride or offset does not fit in 64 bits", TN_ERROR_SHAPE},
    [TN_GEOMETRY_RANK] = {"this number of dimensions is not possible here", TN_ERROR_SHAPE},
    [TN_GEOMETRY_SCALAR] = {"at least one dimension is needed", TN_ERROR_INDEX},
    [TN_GEOMETRY_SIZE] = {"a size is negative", TN_ERROR_SHAPE},
    [TN_GEOMETRY_DIM] = {"a dimension is out of range", TN_ERROR_INDEX},
    [TN_GEOMETRY_REPEATED_DIM] = {"a dimension is named twice", TN_ERROR_ARGUMENT},
    [TN_GEOMETRY_LENGTH] = {"a list does not have one number for each dimension", TN_ERROR_SHAPE},
    [TN_GEOMETRY_INDEX] = {"an index is out of range", TN_ERROR_INDEX},
    [TN_GEOMETRY_WINDOW] = {"a length does not fit in its dimension", TN_ERROR_SHAPE},
    [TN_GEOMETRY_STEP] = {"a step has a value that is not allowed", TN_ERROR_ARGUMENT},
    [TN_GEOMETRY_BROADCAST] = {"two sizes differ and neither is 1", TN_ERROR_SHAPE},
    [TN_GEOMETRY_EXPAND_NEW] = {"a new dimension has no size that -1 could keep", TN_ERROR_SHAPE},
    [TN_GEOMETRY_INFER_TWICE] = {"only one size can be inferred", TN_ERROR_SHAPE},
    [TN_GEOMETRY_INFER_ANY] = {"beside a size of 0, -1 could stand for any number", TN_ERROR_SHAPE},
    [TN_GEOMETRY_NUMEL] = {"the shape holds a different number of elements", TN_ERROR_SHAPE},
    [TN_GEOMETRY_NOT_A_VIEW] = {"the strides do not allow this shape without a copy", TN_ERROR_SHAPE},
    [TN_GEOMETRY_STORAGE] = {"an element would be outside the storage", TN_ERROR_SHAPE},
    [TN_GEOMETRY_ITEMSIZE] = {"neither element size is a multiple of the other", TN_ERROR_DTYPE},
    [TN_GEOMETRY_LAST_STRIDE] = {"the last dimension's stride must be 1", TN_ERROR_SHAPE},
    [TN_GEOMETRY_LAST_SIZE] = {"the last dimension does not divide into the new elements", TN_ERROR_SHAPE},
    [TN_GEOMETRY_OFFSET_RATIO] = {"the offset does not fall on a new element", TN_ERROR_SHAPE},
    [TN_GEOMETRY_STRIDE_RATIO] = {"a stride does not fall on a new element", TN_ERROR_SHAPE},
    [TN_GEOMETRY_NOT_AN_ELEMENT] = {"no index leads to this place", TN_ERROR_INDEX},
    [TN_GEOMETRY_TOO_HARD] = {"the question was not settled within the work limit", TN_ERROR_UNSUPPORTED},
};

const char *tn_geometry_result_text(tn_geometry_result result) {
    return (size_t)result < TNI_COUNT_OF(geometry_results) ? geometry_results[result].text : "unknown";
}

tn_error tn_geometry_result_error(tn_geometry_result result) {
    return (size_t)result < TNI_COUNT_OF(geometry_results) ? geometry_results[result].error : TN_ERROR_INTERNAL;
}

/* ---- counts and strides -------------------------------------------------------------------------------------------- */

tn_geometry_result tn_geometry_numel(int64_t ndim, const int64_t *sizes, int64_t *numel) {
    int64_t product = 1;
    bool empty = false, overflow = false;
    for (int64_t d = 0; d < ndim; d++) {
        if (sizes[d] < 0)
            return TN_GEOMETRY_SIZE;
        empty |= sizes[d] == 0;
        overflow |= tni_mul_overflows(product, sizes[d], &product);
    }
    *numel = empty ? 0 : product;
    return overflow && !empty ? TN_GEOMETRY_OVERFLOW : TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_contiguous_strides(int64_t ndim, const int64_t *sizes, int64_t *strides) {
    int64_t stride = 1;
    for (int64_t d = ndim - 1; d >= 0; d--) {
        if (sizes[d] < 0)
            return TN_GEOMETRY_SIZE;
        strides[d] = stride;
        if (d > 0 && tni_mul_overflows(stride, tni_max_i64(sizes[d], 1), &stride))
            return TN_GEOMETRY_OVERFLOW;
    }
    return TN_GEOMETRY_OK;
}

/* The dimensions from the fastest to the slowest: channels, then the spatial ones from the last on, then the batch. */
static const int8_t geometry_channels_last_4d[] = {1, 3, 2, 0}, geometry_channels_last_5d[] = {1, 4, 3, 2, 0};

static const int8_t *geometry_channels_last_order(int64_t ndim) {
    return ndim == 4 ? geometry_channels_last_4d : ndim == 5 ? geometry_channels_last_5d : NULL;
}

/* A size of 0 makes every slower stride 0: torch's rule here, unlike for row-major strides. */
tn_geometry_result tn_geometry_channels_last_strides(int64_t ndim, const int64_t *sizes, int64_t *strides) {
    const int8_t *order = geometry_channels_last_order(ndim);
    if (!order)
        return TN_GEOMETRY_RANK;
    int64_t stride = 1;
    for (int64_t k = 0; k < ndim; k++) {
        int64_t size = sizes[order[k]];
        if (size < 0)
            return TN_GEOMETRY_SIZE;
        strides[order[k]] = stride;
        if (k + 1 < ndim && tni_mul_overflows(stride, size, &stride))
            return TN_GEOMETRY_OVERFLOW;
    }
    return TN_GEOMETRY_OK;
}

static uint64_t geometry_magnitude(int64_t stride) { return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride; }

/* Whether dimension a belongs after dimension b (is slower): 1; before it: -1; or either: 0. A stride of 0 says nothing about
 * its place. Of two dimensions with equal strides the smaller one is the faster. */
static int geometry_compare_speed(const int64_t *sizes, const int64_t *strides, int64_t a, int64_t b) {
    uint64_t stride_a = geometry_magnitude(strides[a]), stride_b = geometry_magnitude(strides[b]);
    if (stride_a == 0 || stride_b == 0)
        return 0;
    if (stride_a != stride_b)
        return stride_a < stride_b ? -1 : 1;
    return sizes[a] > sizes[b] ? 1 : 0;
}

/* Dimensions from the fastest to the slowest. The comparison is not transitive (a stride of 0 is equal to everything), so the
 * result depends on the sorting algorithm, which must be torch's: insertion from the last dimension on, skipping what cannot be
 * compared, stopping at what belongs before. */
static void geometry_order_by_speed(int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t *order) {
    for (int64_t k = 0; k < ndim; k++) {
        order[k] = ndim - 1 - k;
        int64_t at = k;
        for (int64_t before = k - 1; before >= 0; before--) {
            int comparison = geometry_compare_speed(sizes, strides, order[before], order[at]);
            if (comparison < 0)
                break;
            if (comparison > 0) {
                int64_t moved = order[before];
                order[before] = order[at];
                order[at] = moved;
                at = before;
            }
        }
    }
}

tn_geometry_result tn_geometry_dense_strides(int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t *dense) {
    if (tn_geometry_is_dense(ndim, sizes, strides)) {
        for (int64_t d = 0; d < ndim; d++)
            dense[d] = strides[d] == INT64_MIN ? INT64_MAX : strides[d] < 0 ? -strides[d] : strides[d];
        return TN_GEOMETRY_OK;
    }
    int64_t order[TN_MAX_DIMS], stride = 1;
    geometry_order_by_speed(ndim, sizes, strides, order);
    for (int64_t k = 0; k < ndim; k++) {
        int64_t d = order[k];
        dense[d] = stride;
        if (sizes[d] > 1 && tni_mul_overflows(stride, sizes[d], &stride))
            return TN_GEOMETRY_OVERFLOW;
    }
    return TN_GEOMETRY_OK;
}

/* ---- questions about strides --------------------------------------------------------------------------------------- */

bool tn_geometry_is_contiguous(int64_t ndim, const int64_t *sizes, const int64_t *strides) {
    int64_t expected = 1;
    bool contiguous = true;
    for (int64_t d = ndim - 1; d >= 0; d--) {
        if (sizes[d] == 0)
            return true;
        if (sizes[d] != 1)
            contiguous = contiguous && strides[d] == expected && !tni_mul_overflows(expected, sizes[d], &expected);
    }
    return contiguous;
}

bool tn_geometry_is_channels_last_contiguous(int64_t ndim, const int64_t *sizes, const int64_t *strides) {
    const int8_t *order = geometry_channels_last_order(ndim);
    if (!order)
        return false;
    int64_t expected = 1;
    for (int64_t k = 0; k < ndim; k++) {
        int64_t size = sizes[order[k]];
        if (size != 1 && (strides[order[k]] != expected || tni_mul_overflows(expected, size, &expected)))
            return false;
    }
    return true;
}

bool tn_geometry_is_channels_last(int64_t ndim, const int64_t *sizes, const int64_t *strides) {
    const int8_t *order = geometry_channels_last_order(ndim);
    if (!order || strides[1] == 0)
        return false;
    int64_t least = 0; /* what the next stride must reach: the span of the faster dimension */
    for (int64_t k = 0; k < ndim; k++) {
        int64_t d = order[k];
        if (sizes[d] == 0 || strides[d] < least)
            return false;
        /* (N, 1, 1, 1) with one stride throughout could be either format: it counts as row-major. */
        if (d == 0 && least == strides[1])
            return false;
        if (tni_mul_overflows(strides[d], sizes[d], &least))
            return false;
    }
    return true;
}

bool tn_geometry_is_dense(int64_t ndim, const int64_t *sizes, const int64_t *strides) {
    uint64_t waiting = 0; /* the dimensions that move, and have not found their place yet */
    for (int64_t d = 0; d < ndim; d++) {
        if (sizes[d] == 0)
            return true;
        if (sizes[d] > 1)
            waiting |= UINT64_C(1) << d;
    }
    for (int64_t expected = 1; waiting;) {
        int64_t d = ndim - 1;
        while (d >= 0 && !((waiting >> d & 1) && geometry_magnitude(strides[d]) == (uint64_t)expected))
            d--;
        if (d < 0 || tni_mul_overflows(expected, sizes[d], &expected))
            return false;
        waiting &= ~(UINT64_C(1) << d);
    }
    return true;
}

tn_geometry_result tn_geometry_extent(tn_geometry_ref from, int64_t *lowest, int64_t *highest) {
    int64_t low = from.offset, high = from.offset;
    bool overflow = false;
    for (int64_t d = 0; d < from.ndim; d++) {
        int64_t steps = from.sizes[d] - 1, span;
        if (steps < 0) {
            *lowest = from.offset;
            return tni_sub_overflows(from.offset, 1, highest) ? TN_GEOMETRY_OVERFLOW : TN_GEOMETRY_OK;
        }
        int64_t *end = from.strides[d] < 0 ? &low : &high;
        overflow |= tni_mul_overflows(steps, from.strides[d], &span) || tni_add_overflows(*end, span, end);
    }
    *lowest = low;
    *highest = high;
    return overflow ? TN_GEOMETRY_OVERFLOW : TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_check_storage(tn_geometry_ref from, size_t itemsize, size_t nbytes) {
    int64_t lowest, highest;
    if (itemsize == 0)
        return TN_GEOMETRY_ITEMSIZE;
    if (from.offset < 0)
        return TN_GEOMETRY_STORAGE;
    tn_geometry_result result = tn_geometry_extent(from, &lowest, &highest);
    if (result != TN_GEOMETRY_OK || highest < lowest)
        return result;
    return lowest >= 0 && (uint64_t)highest < nbytes / itemsize ? TN_GEOMETRY_OK : TN_GEOMETRY_STORAGE;
}

/* ---- index, offset, position --------------------------------------------------------------------------------------- */

tn_geometry_result tn_geometry_wrap_dim(int64_t dim, int64_t ndim, int64_t *wrapped) {
    int64_t count = ndim > 0 ? ndim : 1;
    if (dim < -count || dim >= count)
        return TN_GEOMETRY_DIM;
    *wrapped = dim < 0 ? dim + count : dim;
    return TN_GEOMETRY_OK;
}

/* An index of a dimension of `size`, negative ones from the end; -1 when out of range. */
static int64_t geometry_wrap_index(int64_t index, int64_t size) {
    return index >= size || index < -size ? -1 : index < 0 ? index + size : index;
}

tn_geometry_result tn_geometry_offset_of(tn_geometry_ref from, tn_dims index, int64_t *offset) {
    if (index.count != from.ndim)
        return TN_GEOMETRY_LENGTH;
    int64_t sum = from.offset;
    for (int64_t d = 0; d < from.ndim; d++) {
        int64_t at = geometry_wrap_index(index.values[d], from.sizes[d]), step;
        if (at < 0)
            return TN_GEOMETRY_INDEX;
        if (tni_mul_overflows(at, from.strides[d], &step) || tni_add_overflows(sum, step, &sum))
            return TN_GEOMETRY_OVERFLOW;
    }
    *offset = sum;
    return TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_position_of(int64_t ndim, const int64_t *sizes, tn_dims index, int64_t *position) {
    if (index.count != ndim)
        return TN_GEOMETRY_LENGTH;
    int64_t sum = 0;
    for (int64_t d = 0; d < ndim; d++) {
        int64_t at = geometry_wrap_index(index.values[d], sizes[d]);
        if (at < 0)
            return TN_GEOMETRY_INDEX;
        if (tni_mul_overflows(sum, sizes[d], &sum) || tni_add_overflows(sum, at, &sum))
            return TN_GEOMETRY_OVERFLOW;
    }
    *position = sum;
    return TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_index_at(int64_t ndim, const int64_t *sizes, int64_t position, int64_t *index) {
    if (position < 0)
        return TN_GEOMETRY_INDEX;
    for (int64_t d = ndim - 1; d >= 0; d--) {
        if (sizes[d] == 0)
            return TN_GEOMETRY_INDEX;
        index[d] = position % sizes[d];
        position /= sizes[d];
    }
    return position == 0 ? TN_GEOMETRY_OK : TN_GEOMETRY_INDEX;
}

/* ---- broadcasting -------------------------------------------------------------------------------------------------- */

tn_geometry_result tn_geometry_broadcast_all(const tn_dims *shapes, int64_t count, int64_t *ndim, int64_t *sizes,
                                             tn_geometry_conflict *conflict) {
    int64_t rank = 0;
    for (int64_t k = 0; k < count; k++)
        rank = tni_max_i64(rank, shapes[k].count);
    if (rank > TN_MAX_DIMS)
        return TN_GEOMETRY_RANK;
    for (int64_t d = 0; d < rank; d++)
        sizes[d] = 1;
    for (int64_t k = 0; k < count; k++) {
        int64_t *aligned = sizes + (rank - shapes[k].count);
        for (int64_t d = shapes[k].count - 1; d >= 0; d--) {
            int64_t size = shapes[k].values[d];
            if (size < 0)
                return TN_GEOMETRY_SIZE;
            if (size == 1 || size == aligned[d])
                continue;
            if (aligned[d] != 1) {
                if (conflict)
                    *conflict = (tn_geometry_conflict){k, d + rank - shapes[k].count, size, aligned[d]};
                return TN_GEOMETRY_BROADCAST;
            }
            aligned[d] = size;
        }
    }
    *ndim = rank;
    return TN_GEOMETRY_OK;
}

tn_geometry_result tn_geometry_broadcast(tn_dims a, tn_dims b, int64_t *ndim, int64_t *sizes, tn_geometry_conflict *conflict) {
    return tn_geometry_broadcast_all((const tn_dims[]){a, b}, 2, ndim, sizes, conflict);
}
