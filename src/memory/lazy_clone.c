/* lazy_clone.c - copy on write: several storages over one block of bytes, until one of them is written to.
 *
 * The storages that share a block form a group, which is nothing but a count of them. Each member has the same data
 * pointer, allocator and taken size in its own fields, so reading does not touch the group, and leaving needs no data from it.
 *
 * Invariant: the block is alive and unchanged while `references` > 0, and every member holds exactly one reference. From
 * this all else follows without a lock:
 *
 *   joining        is only done through a member, whose own reference keeps the group alive meanwhile. The first sharing
 *                  installs the group with a compare-and-exchange, since two threads may clone the same storage at once.
 *   materialising  copies while its own reference is still held, and leaves only then. So the block cannot go away during
 *                  the copy, whoever leaves meanwhile. (Counting down first and copying under a lock afterwards, which is tempting, leaves a moment in which the other member frees the block.)
 *   stealing       a member that finds itself the only one keeps the block: nobody else can join, because nobody else is a
 *                  member, and the acquire load of the count orders the last reads of those who left before its writes.
 *   freeing        whoever brings the count to 0 gives the block back.
 *
 * Two members that materialise at the same instant both copy, and the second to leave frees the block: one unnecessary copy, in
 * exchange for never waiting for another thread's copy.
 */
#include "base/heap.h"
#include "base/scope.h"
#include "memory/allocator.h"
#include "memory/storage.h"

struct tni_lazy_group {
    _Atomic int64_t references;
};

/* The storage's group with one more reference in it, for a new member; made now if there is none. NULL without memory. */
static tni_lazy_group *lazy_join(tn_storage *storage) {
    tni_lazy_group *group = atomic_load_explicit(&storage->group, memory_order_acquire);
    if (!group) {
        tni_lazy_group *fresh = tni_heap_alloc(sizeof *fresh);
        if (!fresh)
            return NULL;
        atomic_init(&fresh->references, 1);
        if (atomic_compare_exchange_strong_explicit(&storage->group, &group, fresh, memory_order_acq_rel, memory_order_acquire))
            group = fresh;
        else
            tni_heap_free(fresh, sizeof *fresh);
    }
    atomic_fetch_add_explicit(&group->references, 1, memory_order_relaxed);
    return group;
}

static bool lazy_alone(const tni_lazy_group *group) {
    return atomic_load_explicit(&group->references, memory_order_acquire) == 1;
}

bool tni_lazy_leave(tn_storage *storage) {
    tni_lazy_group *group = atomic_load_explicit(&storage->group, memory_order_relaxed);
    if (TNI_LIKELY(!group))
        return true;
    atomic_store_explicit(&storage->group, NULL, memory_order_relaxed);
    if (atomic_fetch_sub_explicit(&group->references, 1, memory_order_acq_rel) != 1)
        return false;
    tni_heap_free(group, sizeof *group);
    return true;
}

/* The one place where a lazy storage becomes its own. On failure it is as lazy as before. The new block is no smaller than
 * the shared one: a tensor from before the storage was made shorter still looks there. */
static bool lazy_materialise(tn_storage *storage) {
    if (lazy_alone(atomic_load_explicit(&storage->group, memory_order_relaxed)))
        return tni_lazy_leave(storage);
    const char *reason = "a lazily cloned storage was written to for the first time";
    size_t bytes = storage->taken > storage->nbytes ? storage->taken : storage->nbytes;
    tn_data_ptr own;
    if (tni_storage_duplicate(storage, storage->allocator, bytes, reason, &own) != TN_OK)
        return false;
    tn_data_ptr shared = storage->pointer;
    size_t shared_taken = storage->taken;
    storage->pointer = own;
    storage->taken = bytes;
    if (tni_lazy_leave(storage))
        tni_allocator_give_pointer(storage->allocator, &shared, shared_taken);
    return true;
}

/* Where nothing can be written, sharing can go on. */
static bool lazy_own(tn_storage *storage) {
    return !atomic_load_explicit(&storage->group, memory_order_relaxed) || storage->nbytes == 0 || lazy_materialise(storage);
}

TNI_NOINLINE bool tni_storage_prepare_write_slow(tn_storage *storage) {
    return !tni_storage_refuses_write(storage) && lazy_own(storage);
}

bool tni_storage_prepare_raw(tn_storage *storage) {
    bool readonly = storage->locked & TNI_LOCKED_READONLY;
    return !(readonly && tni_storage_refuses_write(storage)) && lazy_own(storage);
}

tn_storage *tni_storage_lazy_clone(tn_storage *storage) {
    if (storage->foreign || storage->nbytes == 0)
        return tni_storage_clone(storage, storage->allocator);
    tn_storage *clone = tni_storage_new(0, (tn_dtype)storage->dtype, storage->allocator);
    if (!clone)
        return NULL;
    tni_lazy_group *group = lazy_join(storage);
    if (!group) {
        tni_storage_release(clone);
        return NULL;
    }
    clone->pointer = storage->pointer;
    clone->nbytes = storage->nbytes;
    clone->taken = storage->taken;
    atomic_store_explicit(&clone->group, group, memory_order_relaxed);
    return clone;
}

tn_storage *tn_storage_lazy_clone(tn_storage *storage) {
    const char *outer = tni_operator_enter("storage_lazy_clone");
    tn_storage *clone = NULL;
    if (tni_storage_check(storage))
        clone = tni_scope_adopt(tni_storage_lazy_clone(storage));
    tni_operator_leave(outer);
    return clone;
}

bool tn_storage_is_lazy(const tn_storage *storage) {
    const char *outer = tni_operator_enter("storage_is_lazy");
    bool lazy = false;
    if (tni_storage_check(storage)) {
        const tni_lazy_group *group = atomic_load_explicit(&storage->group, memory_order_acquire);
        lazy = group && !lazy_alone(group);
    }
    tni_operator_leave(outer);
    return lazy;
}
