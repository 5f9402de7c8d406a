/* layout.h - a loop over the elements of several operands at once, made as simple as their strides allow.
 *
 * An elementwise operation may visit its elements in any order. So before the loop runs, dimensions of size 1 are dropped,
 * dimensions are turned so that they run forward, sorted so that the innermost moves the least, and merged where all operands
 * step through them as through one. A contiguous tensor of any rank becomes one dimension; a transposed pair of them, two.
 *
 * Invariant: the set of tuples of addresses that the loop visits, one address per operand, is that of the original geometry,
 * each as often as it was. Only the order changes.
 */
#ifndef TNI_LAYOUT_H
#define TNI_LAYOUT_H

#include <tenon/geometry.h>

#include "base/common.h"

enum { TNI_MAX_OPERANDS = 8 };

/* Dimension 0 is the innermost. Only the first ndim entries, and the first `operands` rows, mean anything. */
typedef struct tni_layout {
    int64_t ndim, operands;
    int64_t sizes[TN_MAX_DIMS];
    int64_t strides[TNI_MAX_OPERANDS][TN_MAX_DIMS]; /* in bytes                                                        */
    int64_t
        starts[TNI_MAX_OPERANDS]; /* bytes from an operand's first element to where the loop starts: it may have been turned */
} tni_layout;

/* A loop over `sizes`, in the order of a tensor's dimensions (the last the fastest), with no operands yet. */
void tni_layout_begin(tni_layout *layout, int64_t ndim, const int64_t *sizes);

/* Add an operand of elements of `item` bytes with strides in elements; those that are written come first. Each element must
 * lie in memory, so that no product overflows; a stride of a dimension of size 1 or 0 is not looked at. */
void tni_layout_add(tni_layout *layout, const int64_t *strides, size_t item);

/* Drop, turn, sort, merge. Of equal claims the earlier operand's decides. There must be at least one element. */
void tni_layout_simplify(tni_layout *layout);

/* Move dimension `from` to position `to`, those between closing up. */
void tni_layout_move(tni_layout *layout, int64_t from, int64_t to);

/* Let a dimension run the other way in all operands. */
void tni_layout_turn(tni_layout *layout, int64_t dim);

/* The number of elements. */
int64_t tni_layout_count(const tni_layout *layout);

#endif
