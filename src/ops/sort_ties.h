/* sort_ties.h - which of several equal elements PyTorch takes: topk, kthvalue and mode.
 *
 * Of equal elements those operators of PyTorch return the index of whichever one their algorithm leaves in place. That is the
 * outcome of a fixed sequence of comparisons and exchanges, so the same sequence gives the same index: partial heap sort, and
 * the quick selection and quick sort of C++ standard libraries (D. Musser, "Introspective Sorting and Selection Algorithms",
 * 1997), and Numerical Recipes' select. The sequences depend on the elements of the line alone, so the answer is the same for
 * every layout and number of threads.
 */
#ifndef TNI_SORT_TIES_H
#define TNI_SORT_TIES_H

#include "base/common.h"
#include "tensor/dtype.h"

/* An element by its key (kernels.h, sort_keys): the lower key comes first. */
typedef struct tni_tie {
    uint64_t key;
    int64_t index;
} tni_tie;

/* Room for some keys, which have 4 or 8 bytes by the dtype. */
enum { TNI_TIE_BLOCK = 256 };
typedef union tni_tie_keys {
    uint32_t narrow[TNI_TIE_BLOCK];
    uint64_t wide[TNI_TIE_BLOCK];
} tni_tie_keys;

/* All elements of a line, in `scratch`: 16 bytes for each, which tni_order_scratch has room for. */
tni_tie *tni_ties_begin(const void *line, tn_dtype dtype, int64_t count, bool descending, void *scratch);

/* The element of a rank comes to stand there, as in kthvalue. */
void tni_ties_select(tni_tie *items, int64_t count, int64_t rank);

/* The first `kept` (at least 1) come to stand in front, in order or not, as in topk of more than a 64th of the line. */
void tni_ties_first(tni_tie *items, int64_t count, int64_t kept, bool sorted);

/* All of them in order, as in mode. */
void tni_ties_sort(tni_tie *items, int64_t count);

/* The first `kept` of a stream, as in topk of less than that: the first that come are made a heap whose root is the last in
 * order; each later one that comes before the root replaces it; in the end the heap is sorted. */
void tni_ties_heap(tni_tie *items, int64_t kept);
void tni_ties_replace(tni_tie *items, int64_t kept, tni_tie item);
void tni_ties_unheap(tni_tie *items, int64_t kept);

#endif
