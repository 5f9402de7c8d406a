/* nest.h - a loop nest over the elements of several operands at once, made as simple as their strides allow.
 *
 * An elementwise operation may visit its elements in any order. So before the loop runs, dimensions of size 1 are dropped,
 * dimensions are reversed so that they run forward, sorted so that the innermost moves the least, and merged where all operands
 * step through them as through one. A contiguous tensor of any rank becomes one dimension; a transposed pair of them, two.
 *
 * Invariant: the set of tuples of addresses that the loop visits, one address per operand, is that of the original geometry,
 * each as often as before. Only the order changes.
 */
#ifndef TNI_NEST_H
#define TNI_NEST_H

#include <tenon/geometry.h>

#include "base/common.h"

enum { TNI_MAX_OPERANDS = 8 };

/* Dimension 0 is the innermost. Only the first ndim entries, and the first `operands` rows, mean anything. */
typedef struct tni_nest {
    int64_t ndim, operands;
    int64_t sizes[TN_MAX_DIMS];
    int64_t strides[TNI_MAX_OPERANDS][TN_MAX_DIMS]; /* in bytes                                                        */
    int64_t starts
        [TNI_MAX_OPERANDS]; /* bytes from an operand's first element to where the loop starts: it may have been reversed */
} tni_nest;

/* A loop over `sizes`, in the order of a tensor's dimensions (the last the fastest), with no operands yet. */
void tni_nest_begin(tni_nest *nest, int64_t ndim, const int64_t *sizes);

/* Add an operand of elements of `item` bytes with strides in elements; those that are written come first. Each element must be
 * in memory, so that no product overflows; the stride of a dimension of size 1 or 0 is ignored. */
void tni_nest_add(tni_nest *nest, const int64_t *strides, size_t item);

/* Drop, reverse, sort, merge. Where operands disagree the earlier one decides. There must be at least one element. */
void tni_nest_simplify(tni_nest *nest);

/* Move dimension `from` to position `to`, those between closing up. */
void tni_nest_move(tni_nest *nest, int64_t from, int64_t to);

/* Reverse a dimension in all operands. */
void tni_nest_turn(tni_nest *nest, int64_t dim);

/* The number of elements. */
int64_t tni_nest_count(const tni_nest *nest);

#endif
