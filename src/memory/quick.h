/* quick.h - the short way of a small tensor: its storage and its elements, made and ended.
 *
 * A new tensor is three blocks: the object, its storage, its elements. Each comes from a list of the thread's own and goes back
 * there in a few instructions; what made a tensor dear was the way to these lists, through functions that each looked up the
 * thread, the allocator in use and the thread's part of it again. Here this is straight code without a call, compiled into what makes
 * and ends tensors (tensor/tensor.c), for the built-in caching allocator while it is the one in use.
 *
 * Invariant: all or nothing. A function here either does what the ordinary way does, and counts it the same, or it leaves everything
 * as it was, raises nothing and says so; the caller then begins again the ordinary way. It says so whenever there is more to do than
 * to move a block between a list and its user:
 *
 *   taking      the thread has no block of the size, has not used the allocator before, or is silenced by another that empties the
 *               magazines (local.h); a fault is armed (heap.h); a user's allocator is in use. Who watches memory, by a reporter, a
 *               trace, junk fill or an observer, is told last of all, when the tensor is whole.
 *   giving      the thread has no room, or is silenced; the bytes are someone else's, another allocator's or a lazy clone's; anybody
 *               watches memory. A block is counted before another thread can have it.
 *
 * So a storage made here is like any other: it may outlive its tensor, move to other memory, be shared or be released by another
 * thread, whose lists its blocks then go to. Debug and AddressSanitizer builds keep no objects in lists (heap.c), and hence never
 * come here for more than a block.
 *
 * The three blocks remain three. One block for all would have to be asked, at each of these turns, who else lives in it, and gains
 * nothing: the lists are so short a way that a list less is not to be measured (docs/performance.md).
 */
#ifndef TNI_QUICK_H
#define TNI_QUICK_H

#include "base/heap.h"
#include "base/observe.h"
#include "memory/caching.h"
#include "memory/cpu_allocator.h"
#include "memory/registry.h"
#include "memory/shield.h"
#include "memory/storage.h"
#include "memory/watch.h"

/* ---- one block */

/* From the thread's magazine, not counted; NULL where there is none. */
TNI_ALWAYS_INLINE void *tni_quick_pop(const tn_allocator *allocator, tni_local *local, size_t bytes) {
    if (TNI_UNLIKELY(!tni_local_enter(local)))
        return NULL;
    void *data = tni_magazine_pop(&local->magazines[tni_small_class(bytes)]);
    tni_local_leave(local);
    if (TNI_LIKELY(data != NULL))
        tni_shield_open(allocator, data, bytes);
    return data;
}

/* Back to it, and counted before another thread can have it; false where there is no room. */
TNI_ALWAYS_INLINE bool tni_quick_push(const tn_allocator *allocator, tni_local *local, void *data, size_t bytes) {
    if (TNI_UNLIKELY(!tni_local_enter(local)))
        return false;
    tni_magazine *magazine = &local->magazines[tni_small_class(bytes)];
    bool room = tni_magazine_has_room(magazine), report = false;
    if (TNI_LIKELY(room)) {
        report = tni_local_counts_given(local, bytes);
        tni_shield_close(allocator, data, bytes);
        tni_magazine_put(magazine, data);
    }
    tni_local_leave(local);
    if (TNI_UNLIKELY(report))
        tni_local_report(local);
    return room;
}

/* ---- a tensor's storage, with its elements */

/* This thread's part of the built-in allocator, if it has one and blocks of so many bytes; 0 bytes are not a block. */
TNI_ALWAYS_INLINE tni_local *tni_quick_local(const tni_thread *thread, size_t bytes) {
    return TNI_LIKELY(bytes - 1 < tni_cpu_caching.small_limit) ? thread->slots[TNI_SLOT_CPU] : NULL;
}

/* A storage in the memory of the CPU that the tensor to be made holds, or NULL. It is announced afterwards. */
TNI_ALWAYS_INLINE tn_storage *tni_quick_storage(tni_thread *thread, size_t bytes, tn_dtype dtype) {
    tni_local *local = tni_quick_local(thread, bytes);
    if (TNI_UNLIKELY(!local || tni_cpu_is_replaced() || !tni_heap_has(thread, sizeof(tn_storage))))
        return NULL;
    void *data = tni_quick_pop(&tni_cpu_caching, local, bytes);
    if (TNI_UNLIKELY(!data))
        return NULL;
    tn_storage *storage = tni_heap_pop(thread, sizeof *storage);
    tni_storage_init(storage, TNI_HELD + 1, (tn_data_ptr){data, NULL, NULL, TN_DEVICE_CPU}, bytes, dtype, &tni_cpu_caching);
    return storage;
}

/* Returns `result`. */
void *tni_quick_tell(tni_thread *thread, const tn_storage *storage, void *result);

/* Counts its elements, and tells them to those who watch; returns `result`, so that this can be the last call of all. */
TNI_ALWAYS_INLINE void *tni_quick_announce(tni_thread *thread, const tn_storage *storage, size_t bytes, void *result) {
    tni_observe_count(thread, bytes);
    bool report = tni_local_counts_taken(thread->slots[TNI_SLOT_CPU], bytes);
    if (TNI_UNLIKELY(report || tni_watch_on() || thread->observer))
        return tni_quick_tell(thread, storage, result);
    return result;
}

/* Ends a storage of which the caller had the last reference. */
TNI_ALWAYS_INLINE bool tni_quick_end(tni_thread *thread, tn_storage *storage) {
    tni_local *local = tni_quick_local(thread, storage->taken);
    if (TNI_UNLIKELY(!local || storage->allocator != &tni_cpu_caching || storage->foreign || !storage->pointer.data ||
                     atomic_load_explicit(&storage->group, memory_order_relaxed) || tni_watch_on() ||
                     !tni_heap_has_room(thread, sizeof *storage)))
        return false;
    if (TNI_UNLIKELY(!tni_quick_push(&tni_cpu_caching, local, storage->pointer.data, storage->taken)))
        return false;
    storage->object.class = &tni_dead_class;
    tni_heap_push(thread, storage, sizeof *storage);
    return true;
}

#endif
