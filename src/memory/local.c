/* local.c - makes, silences and ends the per-thread parts of caching allocators. See local.h for the protocol.
 *
 * A part belongs to a thread and to an allocator, and ends with whichever ends first. Both ends hold the registry's lock,
 * so a part is taken apart once. When the thread ends, its blocks go back to the slabs and its tally to the shared one.
 */
#include "memory/local.h"

#include <sched.h>

#include "memory/caching.h"
#include "memory/cpu_allocator.h"
#include "memory/metadata.h"
#include "memory/registry.h"

/* ---- a barrier on all cores ---- */

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(SYS_membarrier)
enum { BARRIER_EXPEDITED = 1 << 3, BARRIER_REGISTER = 1 << 4 }; /* linux/membarrier.h, Linux 4.14 */

/* Registering is idempotent, and a child of a fork may have to do it again: so it is done each time it turns out to be missing.
 * */
static bool barrier_on_all_cores(void) {
    if (syscall(SYS_membarrier, BARRIER_EXPEDITED, 0, 0) == 0)
        return true;
    return syscall(SYS_membarrier, BARRIER_REGISTER, 0, 0) == 0 && syscall(SYS_membarrier, BARRIER_EXPEDITED, 0, 0) == 0;
}
#else
static bool barrier_on_all_cores(void) { return false; }
#endif

static void set_locals_silenced(tni_caching *caching, uint32_t from, uint32_t to) {
    for (tni_local *local = caching->locals; local; local = local->allocator_next)
        if (!tni_local_is_own(local) && atomic_load(&local->silenced) == from)
            atomic_store(&local->silenced, to);
}

bool tni_locals_silence(tni_caching *caching) {
    bool others = false;
    for (tni_local *local = caching->locals; local && !others; local = local->allocator_next)
        others = !tni_local_is_own(local);
    if (!others)
        return true;
    set_locals_silenced(caching, TNI_LOCAL_FREE_TO_RUN, TNI_LOCAL_SILENCED);
    if (!barrier_on_all_cores()) {
        set_locals_silenced(caching, TNI_LOCAL_SILENCED, TNI_LOCAL_ASKED_TO_DRAIN);
        return false;
    }
    for (tni_local *local = caching->locals; local; local = local->allocator_next)
        while (!tni_local_is_own(local) && atomic_load_explicit(&local->busy, memory_order_acquire))
            sched_yield();
    return true;
}

void tni_locals_let_go(tni_caching *caching) { set_locals_silenced(caching, TNI_LOCAL_SILENCED, TNI_LOCAL_FREE_TO_RUN); }

/* ---- tallies ---- */

static int64_t local_peak(const tni_tally *tally) {
    return tni_max_i64(tni_tally_read(&tally->peak), tni_tally_read(&tally->current));
}

static void move_tally(tni_tally *shared, tni_tally *own, int64_t peaks_of_others) {
    tni_tally_raise_peak(shared, tni_tally_read(&shared->current) + local_peak(own) + peaks_of_others);
    atomic_fetch_add(&shared->current, tni_tally_read(&own->current));
    atomic_fetch_add(&shared->taken, tni_tally_read(&own->taken));
    tni_tally_write(&own->current, 0);
    tni_tally_write(&own->taken, 0);
    tni_tally_write(&own->peak, 0);
}

/* The peaks that the other threads have not reported yet may have been on top of what the shared tally says now. */
static void report_locked(tni_local *local) {
    tn_allocator *allocator = local->allocator;
    int64_t bytes = 0, blocks = 0;
    for (tni_local *other = allocator->caching->locals; other; other = other->allocator_next)
        if (other != local) {
            bytes += local_peak(&other->bytes);
            blocks += local_peak(&other->blocks);
        }
    move_tally(&allocator->statistics.bytes, &local->bytes, bytes);
    move_tally(&allocator->statistics.blocks, &local->blocks, blocks);
}

TNI_NOINLINE void tni_local_report(tni_local *local) {
    pthread_mutex_lock(&local->allocator->caching->lock);
    report_locked(local);
    pthread_mutex_unlock(&local->allocator->caching->lock);
}

/* ---- beginning and end ---- */

static uint32_t magazine_capacity(uint32_t class) {
    size_t blocks = MAGAZINE_BYTES / tni_small_class_bytes(class);
    return blocks > MAGAZINE_MOST ? MAGAZINE_MOST : blocks < MAGAZINE_LEAST ? MAGAZINE_LEAST : (uint32_t)blocks;
}

static tni_local *make_local(tn_allocator *allocator, tni_memory_thread *memory) {
    tni_caching *caching = allocator->caching;
    size_t items = 0;
    for (uint32_t class = 0; class < caching->classes; class ++)
        items += magazine_capacity(class);
    tni_local *local = tni_metadata_take(sizeof *local + items * sizeof local->items[0]);
    if (!local)
        return NULL;
    local->allocator = allocator;
    local->thread = memory;
    _Atomic(void *) *next = local->items;
    for (uint32_t class = 0; class < caching->classes; class ++) {
        local->magazines[class].items = next;
        local->magazines[class].capacity = magazine_capacity(class);
        next += local->magazines[class].capacity;
    }
    local->thread_next = memory->locals;
    if (local->thread_next)
        local->thread_next->thread_previous = local;
    memory->locals = local;
    pthread_mutex_lock(&caching->lock);
    local->allocator_next = caching->locals;
    if (local->allocator_next)
        local->allocator_next->allocator_previous = local;
    caching->locals = local;
    pthread_mutex_unlock(&caching->lock);
    return local;
}

static void leave_thread(tni_local *local) {
    *(local->thread_previous ? &local->thread_previous->thread_next : &local->thread->locals) = local->thread_next;
    if (local->thread_next)
        local->thread_next->thread_previous = local->thread_previous;
}

static void leave_allocator(tni_local *local) {
    *(local->allocator_previous ? &local->allocator_previous->allocator_next : &local->allocator->caching->locals) =
        local->allocator_next;
    if (local->allocator_next)
        local->allocator_next->allocator_previous = local->allocator_previous;
}

/* Under the allocator's lock, when the owner no longer touches it. */
static void end_local(tni_local *local) {
    tni_small_drain(local->allocator->caching, local);
    report_locked(local);
    leave_allocator(local);
    leave_thread(local);
    tni_metadata_give(local);
}

static void end_memory_thread(void *value) {
    tni_memory_thread *memory = value;
    tni_registry_lock();
    while (memory->locals) {
        tni_caching *caching = memory->locals->allocator->caching;
        pthread_mutex_lock(&caching->lock);
        end_local(memory->locals);
        pthread_mutex_unlock(&caching->lock);
        tni_caching_settle(caching);
    }
    tni_registry_unlock();
    tni_metadata_give(memory);
}

static tni_memory_thread *get_memory_thread(void) {
    tni_thread *thread = tni_thread_get();
    if (!thread->slots[TNI_SLOT_CACHE]) {
        tni_thread_at_exit(TNI_SLOT_CACHE, end_memory_thread);
        thread->slots[TNI_SLOT_CACHE] = tni_metadata_take(sizeof(tni_memory_thread));
    }
    return thread->slots[TNI_SLOT_CACHE];
}

tni_local *tni_local_get(tn_allocator *allocator) {
    tni_local *local = tni_local_recent(allocator);
    if (TNI_LIKELY(local != NULL))
        return local;
    tni_memory_thread *memory = get_memory_thread();
    if (!memory)
        return NULL;
    tni_registry_lock();
    local = memory->locals;
    while (local && local->allocator != allocator)
        local = local->thread_next;
    if (!local)
        local = make_local(allocator, memory);
    tni_registry_unlock();
    if (local) {
        memory->recent[allocator->serial % TNI_LOCAL_RECENT].serial = allocator->serial;
        memory->recent[allocator->serial % TNI_LOCAL_RECENT].local = local;
        if (allocator == &tni_cpu_caching)
            tni_thread_get()->slots[TNI_SLOT_CPU] = local; /* emptied, when the thread ends, before what it belongs to */
    }
    return local;
}

void tni_locals_discard(tn_allocator *allocator) {
    while (allocator->caching->locals) {
        tni_local *local = allocator->caching->locals;
        leave_allocator(local);
        leave_thread(local);
        tni_metadata_give(local);
    }
}

void tni_locals_reclaim_after_fork(tn_allocator *allocator) {
    tni_local *local = allocator->caching->locals;
    while (local) {
        tni_local *next = local->allocator_next;
        if (tni_local_is_own(local)) {
            atomic_store(&local->silenced, TNI_LOCAL_FREE_TO_RUN);
        } else {
            tni_memory_thread *memory = local->thread;
            end_local(local);
            if (!memory->locals)
                tni_metadata_give(memory);
        }
        local = next;
    }
}
