/* sort_order.h - the order of the elements of one line, for sorting, selecting, counting equal ones.
 *
 *     tni_order order = tni_order_begin(line, dtype, count, descending, scratch, alone);
 *     tni_order_sort(&order);                     or   tni_order_select(&order, rank), as often as needed
 *     tni_order_index(&order, 0) ...              which element comes first
 *
 * Every real dtype is turned into whole numbers that have its order (kernels/table.h, sort_keys), and only those are compared,
 * never the values. Equal elements keep the order they have in the line, so there is only one right answer, whatever the
 * algorithm, its pieces and its threads.
 */
#ifndef TNI_SORT_ORDER_H
#define TNI_SORT_ORDER_H

#include "base/common.h"
#include "tensor/dtype.h"
#include "ops/limits.h"

/* An item is a key in its upper and the element's index in its lower half: items compare as the elements do, and no two are
 * equal. Of a key of 64 bits the upper half of an item holds the 32 highest of those that differ in the line. */
typedef struct tni_order {
    uint64_t *items, *spare;
    const uint64_t *keys; /* of 64 bits, by index; NULL where they fit into the items         */
    uint32_t *places;     /* where the next item of a bucket goes                             */
    uint64_t differ;      /* the bits in which keys differ                                    */
    int shift;            /* of the key's bits in an item; more than 0 where some are left out */
    int64_t count;
    uint64_t nan; /* the key of every NaN, or 0 where the dtype has none             */
    bool alone;   /* other threads may help                                          */
} tni_order;

/* Whether lines of this dtype and length can be put in order; raises when not. */
bool tni_order_allows(tn_dtype dtype, int64_t count);

/* The bytes that begin needs as scratch, aligned to 64. */
size_t tni_order_scratch(tn_dtype dtype, int64_t count);

/* These ask whether to go on. Where the call is cancelled (tni_stopped), items must not be used: they may be anything. */
tni_order tni_order_begin(const void *line, tn_dtype dtype, int64_t count, bool descending, void *scratch, bool alone);

/* Put the items in order. */
void tni_order_sort(tni_order *order);

/* The index of the element that sorting would put at `rank`. Leaves the items as begin made them. */
int64_t tni_order_select(const tni_order *order, int64_t rank);

/* Leave only the elements that sorting would put first, in the order of the line. False, with nothing changed, where an element
 * that is left out would equal one that stays. */
bool tni_order_keep(tni_order *order, int64_t kept);

/* How many elements are NaN. In ascending order they are the last. */
int64_t tni_order_nans(const tni_order *order);

/* After sorting, which element is at a place, and its key. */
static inline int64_t tni_order_index(const tni_order *order, int64_t place) { return (uint32_t)order->items[place]; }
static inline uint64_t tni_order_key(const tni_order *order, int64_t place) {
    return order->keys ? order->keys[(uint32_t)order->items[place]] : order->items[place] >> 32;
}

/* Whether the elements at two places are equal; a NaN equals nothing. */
static inline bool tni_order_equal(const tni_order *order, int64_t a, int64_t b) {
    uint64_t key = tni_order_key(order, a);
    return key == tni_order_key(order, b) && (order->nan == 0 || key != order->nan);
}

#endif
