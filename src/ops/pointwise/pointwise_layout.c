/* pointwise_layout.c - the strides of a new pointwise result: torch's, stride by stride.
 *
 * Where all operands have the sizes of the result and the same strides, the result has these strides too. Otherwise (one is
 * broadcast, one is a number, their strides differ) dimensions are sorted by the strides of the first operand that
 * distinguishes two of them, and the result is dense in that order. An operand of another dtype than the common one counts as
 * the dense copy that torch makes of it. Some operators have a rule of their own: LAYOUT_... in operator_row.h.
 *
 * Invariant: the result is dense. What its strides say about dimensions of size 1, and where there is no element, has no
 * meaning here but is the same as in torch, which copies it from one tensor to the next.
 */
#include "ops/pointwise/pointwise.h"

/* How far a dimension steps, in either direction. Only a tensor without elements can have the least of all strides. */
static int64_t pointwise_layout_step(int64_t stride) {
    return stride >= 0 ? stride : stride == INT64_MIN ? INT64_MAX : -stride;
}

/* -1: dimension a is the faster one, 1: b is, 0: no operand decides. A stride of 0 decides nothing; of equal strides the
 * smaller size is the faster. */
static int pointwise_layout_compare(const tni_pointwise_layout *from, int64_t a, int64_t b) {
    for (int k = 0; k < from->count; k++) {
        int64_t first = pointwise_layout_step(from->strides[k][a]), second = pointwise_layout_step(from->strides[k][b]);
        if (first == 0 || second == 0)
            continue;
        if (first != second)
            return first < second ? -1 : 1;
        if (from->sizes[a] > from->sizes[b])
            return 1;
    }
    return 0;
}

/* Dimensions from the fastest to the slowest. The comparison is not transitive, so the sorting algorithm is part of the rule:
 * insertion that skips what cannot be compared, and stops at what belongs before. Whether the order is the plain one. */
static bool pointwise_layout_sort(const tni_pointwise_layout *from, int64_t *order) {
    int64_t ndim = from->ndim;
    for (int64_t d = 0; d < ndim; d++)
        order[d] = ndim - 1 - d;
    for (int64_t i = 1; i < ndim; i++)
        for (int64_t low = i - 1, high = i; low >= 0; low--) {
            int decision = pointwise_layout_compare(from, order[low], order[high]);
            if (decision < 0)
                break;
            if (decision > 0) {
                int64_t swapped = order[low];
                order[low] = order[high];
                order[high] = swapped;
                high = low;
            }
        }
    for (int64_t d = 0; d < ndim; d++)
        if (order[d] != ndim - 1 - d)
            return false;
    return true;
}

/* The product of the sizes so far: 0 from a size of 0 on. */
static tn_geometry_result pointwise_layout_sorted(const tni_pointwise_layout *from, int64_t *strides) {
    int64_t order[TN_MAX_DIMS], stride = 1;
    if (pointwise_layout_sort(from, order))
        return tn_geometry_contiguous_strides(from->ndim, from->sizes, strides);
    for (int64_t k = 0; k < from->ndim; k++) {
        strides[order[k]] = stride;
        if (tni_mul_overflows(stride, from->sizes[order[k]], &stride))
            return TN_GEOMETRY_OVERFLOW;
    }
    return TN_GEOMETRY_OK;
}

tn_geometry_result tni_pointwise_copied_strides(const tni_pointwise_layout *from, const tn_tensor *operand, int64_t *strides) {
    int64_t dense[TN_MAX_DIMS], shift = from->ndim - operand->ndim;
    tn_geometry_result result = tn_geometry_dense_strides(operand->ndim, operand->sizes, operand->strides, dense);
    for (int64_t d = 0; d < from->ndim && result == TN_GEOMETRY_OK; d++) {
        bool repeats = d < shift || (operand->sizes[d - shift] == 1 && from->sizes[d] != 1);
        strides[d] = repeats ? 0 : dense[d - shift];
    }
    return result;
}

typedef bool (*pointwise_layout_question)(int64_t ndim, const int64_t *sizes, const int64_t *strides);

static bool pointwise_layout_all(const tni_pointwise_layout *from, pointwise_layout_question ask) {
    for (int k = 0; k < from->count; k++)
        if (!ask(from->ndim, from->sizes, from->strides[k]))
            return false;
    return true;
}

static bool pointwise_layout_is_shared(const tni_pointwise_layout *from) {
    for (int k = 1; k < from->count; k++)
        if (memcmp(from->strides[0], from->strides[k], (size_t)from->ndim * sizeof *from->strides[0]) != 0)
            return false;
    return tn_geometry_is_dense(from->ndim, from->sizes, from->strides[0]);
}

tn_geometry_result tni_pointwise_strides(const tni_pointwise_layout *from, int64_t *strides) {
    if (from->rows || (from->same && pointwise_layout_all(from, tn_geometry_is_contiguous)))
        return tn_geometry_contiguous_strides(from->ndim, from->sizes, strides);
    if (from->same && from->ndim == 4 && pointwise_layout_all(from, tn_geometry_is_channels_last_contiguous))
        return tn_geometry_channels_last_strides(from->ndim, from->sizes, strides);
    if (!from->same || !pointwise_layout_is_shared(from))
        return pointwise_layout_sorted(from, strides);
    for (int64_t d = 0; d < from->ndim; d++) /* negative strides are dense, too; a new tensor has positive ones */
        strides[d] = pointwise_layout_step(from->strides[0][d]);
    return TN_GEOMETRY_OK;
}
