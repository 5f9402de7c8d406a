/* sort_ties.h - which of several equal elements PyTorch chooses: topk, kthvalue and mode.
 *
 * Among equal elements these operators of PyTorch return the index of whichever one their algorithm leaves in place. That is
 * the result of a fixed sequence of comparisons and exchanges, so the same sequence gives the same index: partial heap sort,
 * and the quick selection and quick sort of C++ standard libraries (D. Musser, "Introspective Sorting and Selection
 * Algorithms", 1997), and Numerical Recipes' select. The sequences depend only on the elements of the line, so the answer is
 * the same for all strides and numbers of threads.
 */
#ifndef TNI_SORT_TIES_H
#define TNI_SORT_TIES_H

#include "base/common.h"
#include "tensor/dtype.h"
#include "ops/limits.h"

/* An element by its key (kernels/table.h, sort_keys): the lower key comes first. */
typedef struct tni_tie {
    uint64_t key;
    int64_t index;
} tni_tie;

/* Room for some keys, which have 4 or 8 bytes by the dtype. */
typedef union tni_tie_keys {
    uint32_t narrow[TNI_TIE_BLOCK];
    uint64_t wide[TNI_TIE_BLOCK];
} tni_tie_keys;

/* All elements of a line, in `scratch`: 16 bytes for each, which tni_order_scratch has room for. */
tni_tie *tni_ties_begin(const void *line, tn_dtype dtype, int64_t count, bool descending, void *scratch);

/* Moves the element of a rank to its place, as in kthvalue. */
void tni_ties_select(tni_tie *items, int64_t count, int64_t rank);

/* Moves the first `kept` (at least 1) to the front, in order or not, as in topk of more than a 64th of the line. */
void tni_ties_first(tni_tie *items, int64_t count, int64_t kept, bool sorted);

/* All of them in order, as in mode. */
void tni_ties_sort(tni_tie *items, int64_t count);

/* The first `kept` of a stream, as in topk of less than that: the first that come are made a heap whose root is the last in
 * order; each later one that comes before the root replaces it; in the end the heap is sorted. */
void tni_ties_heap(tni_tie *items, int64_t kept);
void tni_ties_replace(tni_tie *items, int64_t kept, tni_tie item);
void tni_ties_unheap(tni_tie *items, int64_t kept);

#endif
