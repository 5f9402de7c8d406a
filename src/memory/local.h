/* local.h - what one thread keeps for one caching allocator: a magazine of free blocks per size class, and a tally.
 *
 * Invariant: a magazine is touched by its owner between enter and leave, or by whoever holds the allocator's lock after
 * silencing the owner (for its own magazines the lock is enough). Entering is a plain store and a plain load: no atomic
 * read-modify-write, no fence. The rare other side pays instead: it sets `silenced`, has the kernel run a memory barrier on
 * every core that runs this process (membarrier), and then waits until `busy` is 0. After the barrier either it sees the
 * owner's busy, or the owner sees its silenced. This is the asymmetric form of Dekker's mutual exclusion.
 *
 * An owner that finds itself silenced goes through the allocator's lock like everyone else. Where the kernel has no
 * membarrier the other side only asks, and the owner empties its magazines itself at its next allocation or release.
 */
#ifndef TNI_LOCAL_H
#define TNI_LOCAL_H

#include "base/thread.h"
#include "memory/allocator.h"
#include "memory/limits.h"
#include "memory/statistics.h"

enum { TNI_SMALL_CLASSES = 44 };
enum { TNI_LOCAL_FREE_TO_RUN = 0, TNI_LOCAL_SILENCED, TNI_LOCAL_ASKED_TO_DRAIN };

typedef struct tni_magazine {
    _Atomic uint32_t count;
    uint32_t capacity;
    _Atomic(void *) *items;
} tni_magazine;

typedef struct tni_memory_thread tni_memory_thread;

typedef struct tni_local {
    _Atomic uint32_t busy;     /* written by the owner */
    _Atomic uint32_t silenced; /* written under the allocator's lock */
    tni_tally bytes, blocks;
    tni_magazine magazines[TNI_SMALL_CLASSES];
    tn_allocator *allocator;
    tni_memory_thread *thread;
    struct tni_local *allocator_next, *allocator_previous; /* under the allocator's lock */
    struct tni_local *thread_next, *thread_previous;       /* under the registry's lock */
    _Atomic(void *) items[];
} tni_local;

struct tni_memory_thread {
    struct {
        uint64_t serial;
        tni_local *local;
    } recent[TNI_LOCAL_RECENT]; /* touched only by the owner; an entry of an allocator that is gone is never matched */
    tni_local *locals;          /* under the registry's lock */
};

/* This thread's part, if it was used recently; NULL does not mean that there is none. */
static inline tni_local *tni_local_recent(const tn_allocator *allocator) {
    const tni_thread *thread = tni_thread_current;
    if (TNI_UNLIKELY(!thread || !thread->slots[TNI_SLOT_CACHE]))
        return NULL;
    const tni_memory_thread *memory = thread->slots[TNI_SLOT_CACHE];
    uint64_t serial = allocator->serial;
    return TNI_LIKELY(memory->recent[serial % TNI_LOCAL_RECENT].serial == serial)
               ? memory->recent[serial % TNI_LOCAL_RECENT].local
               : NULL;
}

static inline bool tni_local_is_own(const tni_local *local) {
    return tni_thread_current && local->thread == tni_thread_current->slots[TNI_SLOT_CACHE];
}

/* This thread's part, made when it is missing; NULL without an error when there is no memory for it. */
tni_local *tni_local_get(tn_allocator *allocator);

static inline bool tni_local_enter(tni_local *local) {
    atomic_store_explicit(&local->busy, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (TNI_LIKELY(atomic_load_explicit(&local->silenced, memory_order_acquire) == TNI_LOCAL_FREE_TO_RUN))
        return true;
    atomic_store_explicit(&local->busy, 0, memory_order_release);
    return false;
}

static inline void tni_local_leave(tni_local *local) { atomic_store_explicit(&local->busy, 0, memory_order_release); }

/* The two ends of a magazine. A fork in the middle of either leaves it valid: the count is written last. */
static inline void *tni_magazine_pop(tni_magazine *magazine) {
    uint32_t count = atomic_load_explicit(&magazine->count, memory_order_relaxed);
    if (TNI_UNLIKELY(count == 0))
        return NULL;
    void *data = atomic_load_explicit(&magazine->items[count - 1], memory_order_relaxed);
    atomic_store_explicit(&magazine->count, count - 1, memory_order_release);
    return data;
}

static inline bool tni_magazine_has_room(const tni_magazine *magazine) {
    return atomic_load_explicit(&magazine->count, memory_order_relaxed) < magazine->capacity;
}

/* There is. */
static inline void tni_magazine_put(tni_magazine *magazine, void *data) {
    uint32_t count = atomic_load_explicit(&magazine->count, memory_order_relaxed);
    atomic_store_explicit(&magazine->items[count], data, memory_order_relaxed);
    atomic_store_explicit(&magazine->count, count + 1, memory_order_release);
}

static inline bool tni_magazine_push(tni_magazine *magazine, void *data) {
    bool room = tni_magazine_has_room(magazine);
    if (TNI_LIKELY(room))
        tni_magazine_put(magazine, data);
    return room;
}

/* Add this thread's tally to the shared one and begin again at 0. Not with the allocator's lock held. */
void tni_local_report(tni_local *local);

/* Count a block on this thread's tally; whether so much has come together that it is to be reported. */
static inline bool tni_local_counts_taken(tni_local *local, size_t bytes) {
    tni_tally_own_take(&local->blocks, 1);
    return tni_tally_own_take(&local->bytes, (int64_t)bytes) >= TNI_TALLY_DRIFT;
}

static inline bool tni_local_counts_given(tni_local *local, size_t bytes) {
    tni_tally_own_give(&local->blocks, 1);
    return tni_tally_own_give(&local->bytes, (int64_t)bytes) <= -TNI_TALLY_DRIFT;
}

/* And report it then. Not with the allocator's lock held. */
static inline void tni_local_took(tni_local *local, size_t bytes) {
    if (TNI_UNLIKELY(tni_local_counts_taken(local, bytes)))
        tni_local_report(local);
}

static inline void tni_local_gave(tni_local *local, size_t bytes) {
    if (TNI_UNLIKELY(tni_local_counts_given(local, bytes)))
        tni_local_report(local);
}

/* Under the allocator's lock: no owner except the caller touches its magazines until they are released again. Owners that
 * cannot be silenced (no membarrier) are asked to drain, and stay untouched: true means that everyone is silent. */
bool tni_locals_silence(tni_caching *caching);
void tni_locals_let_go(tni_caching *caching);

/* Give up the parts that all threads have in a dying allocator, which nobody can use any more. */
void tni_locals_discard(tn_allocator *allocator);

/* In the child of a fork, with all locks held: the parts of threads that do not exist here go back to the allocators. */
void tni_locals_reclaim_after_fork(tn_allocator *allocator);

#endif
