/* heap.h - memory for Tenon's own objects (handles, storages, lists, dimension arrays), never for elements.
 *
 * Sized free: the caller says how large the block was, so a block carries no header and a free list per 16-byte class and
 * thread makes both calls a few instructions. A block may be freed by any thread. Blocks are 16-byte aligned.
 */
#ifndef TNI_HEAP_H
#define TNI_HEAP_H

#include "base/thread.h"

/* NULL, with the error recorded, when there is no memory. size 0 gives a valid block. */
void *tni_heap_alloc(size_t size);
void *tni_heap_calloc(size_t size);
void tni_heap_free(void *block, size_t size);

/* Grow a vector to hold at least `needed` items of `item` bytes, doubling. Returns false, changing nothing, on failure. */
bool tni_heap_grow(void **items, size_t *capacity, size_t needed, size_t item);

void tni_heap_drain(tni_thread *thread);

/* Blocks this thread took less those it gave back: back where it was when a single-threaded piece of work leaks nothing. */
static inline int64_t tni_heap_live(void) { return tni_thread_get()->heap_live; }

/* Fault injection, for tests: after tni_fault_arm(k) the k-th allocation from then on (1 is the next) fails, once, on
 * whatever thread makes it, be it of the heap or of an allocator. tni_fault_disarm() returns whether it has happened.
 * Every allocation in the library asks tni_fault_hits() first. */
void tni_fault_arm(int64_t nth);
bool tni_fault_disarm(void);
extern _Atomic int64_t tni_fault_countdown;
bool tni_fault_count(void);
static inline bool tni_fault_hits(void) {
    return TNI_UNLIKELY(atomic_load_explicit(&tni_fault_countdown, memory_order_relaxed) > 0) && tni_fault_count();
}

#endif
