/* heap.h - memory for Tenon's own objects (handles, storages, lists, dimension arrays), never for elements.
 *
 * Sized free: the caller gives the size of the block, so a block carries no header and a free list per 16-byte class and thread
 * makes both calls a few instructions. A block may be freed by any thread. Blocks are 16-byte aligned.
 */
#ifndef TNI_HEAP_H
#define TNI_HEAP_H

#include "base/thread.h"

#if defined(TN_DEBUG) || TNI_ASAN
enum { TNI_HEAP_KEEPS = 0 };
#else
enum { TNI_HEAP_KEEPS = 1 }; /* whether threads keep blocks: see heap.c */
#endif
enum { TNI_HEAP_LARGEST = TNI_HEAP_CLASSES * TNI_HEAP_STEP };

/* NULL, with the error recorded, when there is no memory. size 0 gives a valid block. */
void *tni_heap_alloc(size_t size);
void *tni_heap_calloc(size_t size);
void tni_heap_free(void *block, size_t size);

typedef struct tni_free_block {
    void *untouched; /* see heap.c */
    struct tni_free_block *next;
} tni_free_block;

/* Grow a vector to hold at least `needed` items of `item` bytes, doubling. Returns false, changing nothing, on failure. */
bool tni_heap_grow(void **items, size_t *capacity, size_t needed, size_t item);

void tni_heap_drain(tni_thread *thread);

/* Blocks this thread took minus those it gave back: unchanged after single-threaded work that leaks nothing. */
static inline int64_t tni_heap_live(void) { return tni_thread_get()->heap_live; }

/* Fault injection, for tests: after tni_fault_arm(k) the k-th allocation from then on (1 is the next) fails, once, on whatever
 * thread makes it, from the heap or from an allocator; after tni_fault_arm_from(k) that one and all that follow.
 * tni_fault_disarm() returns whether it has happened. Every allocation in the library asks tni_fault_hits() first. */
void tni_fault_arm(int64_t nth);
void tni_fault_arm_from(int64_t nth);
bool tni_fault_disarm(void);
TNI_EXTERN _Atomic int64_t tni_fault_countdown;
bool tni_fault_count(void);
static inline bool tni_fault_armed(void) { return atomic_load_explicit(&tni_fault_countdown, memory_order_relaxed) > 0; }
static inline bool tni_fault_hits(void) { return TNI_UNLIKELY(tni_fault_armed()) && tni_fault_count(); }

/* ---- the short way: alloc and free in a few instructions, for a size that the compiler knows, from and to the list of the
 * thread, which is the caller's own. pop is for who knows that the list has a block, push for who knows that it has room. */

#define TNI_HEAP_LIST(thread, size) (&(thread)->heap[((size)-1) / TNI_HEAP_STEP])

/* No also where a fault is to come, which is the ordinary way's to count. */
TNI_ALWAYS_INLINE bool tni_heap_has(const tni_thread *thread, size_t size) {
    return size <= TNI_HEAP_LARGEST && TNI_HEAP_LIST(thread, size)->first && !tni_fault_armed();
}

TNI_ALWAYS_INLINE void *tni_heap_pop(tni_thread *thread, size_t size) {
    tni_free_list *list = TNI_HEAP_LIST(thread, size);
    tni_free_block *block = list->first;
    list->first = block->next;
    list->count--;
    thread->heap_live++;
    return block;
}

TNI_ALWAYS_INLINE bool tni_heap_has_room(const tni_thread *thread, size_t size) {
    return TNI_HEAP_KEEPS && size <= TNI_HEAP_LARGEST && TNI_HEAP_LIST(thread, size)->count < HEAP_KEPT;
}

TNI_ALWAYS_INLINE void tni_heap_push(tni_thread *thread, void *block, size_t size) {
    tni_free_list *list = TNI_HEAP_LIST(thread, size);
    tni_free_block *head = block;
    head->next = list->first;
    list->first = head;
    list->count++;
    thread->heap_live--;
}

#endif
