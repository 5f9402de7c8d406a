/* fourier_kept.c - the plans of Fourier transforms that are kept, the one used last first.
 *
 * Invariant: a kept plan is used by this list and by whoever took it; it is freed when neither has it. The lock is held while the list is
 * looked at or changed, never while a plan is made, because that takes long and takes other plans.
 */
#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/heap.h"
#include "iterate/fourier_plan.h"

static pthread_mutex_t fourier_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fourier_fork_once = PTHREAD_ONCE_INIT;
static tni_fourier *fourier_kept;

static void fourier_lock_take(void) { pthread_mutex_lock(&fourier_lock); }
static void fourier_lock_give(void) { pthread_mutex_unlock(&fourier_lock); }
static void fourier_watch_fork(void) { (void)pthread_atfork(fourier_lock_take, fourier_lock_give, fourier_lock_give); }

void *tni_fourier_memory(size_t bytes) {
    size_t whole = (bytes + 63) / 64 * 64;
    void *memory = tni_fault_hits() ? NULL : aligned_alloc(64, whole);
    return memory
               ? memory
               : tni_raise_null(TN_ERROR_MEMORY, "there is no memory for the tables of a Fourier transform: %zu bytes", bytes);
}

void tni_fourier_memory_free(tni_fourier *plan) { free(plan); }

void tni_fourier_give(const tni_fourier *plan) {
    tni_fourier *mine = (tni_fourier *)(uintptr_t)plan;
    if (!mine || atomic_fetch_sub_explicit(&mine->users, 1, memory_order_acq_rel) != 1)
        return;
    tni_fourier_give(mine->inside[0]);
    tni_fourier_give(mine->inside[1]);
    tni_fourier_memory_free(mine);
}

/* Cuts the list behind what may be kept, and returns the rest. Under the lock. */
static tni_fourier *fourier_cut_list(int64_t most, size_t most_bytes) {
    int64_t count = 0;
    size_t bytes = 0;
    for (tni_fourier **link = &fourier_kept; *link; link = &(*link)->next) {
        bytes += (*link)->bytes;
        if (++count <= most && bytes <= most_bytes)
            continue;
        tni_fourier *rest = *link;
        *link = NULL;
        return rest;
    }
    return NULL;
}

static void fourier_drop_list(tni_fourier *list) {
    while (list) {
        tni_fourier *next = list->next;
        list->next = NULL;
        tni_fourier_give(list);
        list = next;
    }
}

static bool fourier_is(const tni_fourier *plan, int64_t length, bool single, bool real) {
    return plan->length == length && plan->single == single && (plan->kind == FOURIER_REAL) == real;
}

/* The one that is kept, moved to the front, with one user more. Under the lock. */
static tni_fourier *fourier_find(int64_t length, bool single, bool real) {
    for (tni_fourier **link = &fourier_kept; *link; link = &(*link)->next)
        if (fourier_is(*link, length, single, real)) {
            tni_fourier *plan = *link;
            *link = plan->next;
            plan->next = fourier_kept;
            fourier_kept = plan;
            atomic_fetch_add_explicit(&plan->users, 1, memory_order_relaxed);
            return plan;
        }
    return NULL;
}

const tni_fourier *tni_fourier_take(int64_t length, bool single, bool real) {
    pthread_once(&fourier_fork_once, fourier_watch_fork);
    fourier_lock_take();
    tni_fourier *plan = fourier_find(length, single, real);
    fourier_lock_give();
    if (plan)
        return plan;
    plan = tni_fourier_make(length, single, real);
    if (!plan)
        return NULL;
    atomic_init(&plan->users, 2);
    fourier_lock_take();
    plan->next = fourier_kept;
    fourier_kept = plan;
    tni_fourier *rest = fourier_cut_list(FOURIER_PLANS, FOURIER_KEPT_BYTES);
    fourier_lock_give();
    fourier_drop_list(rest);
    return plan;
}

void tni_fourier_forget(void) {
    fourier_lock_take();
    tni_fourier *all = fourier_kept;
    fourier_kept = NULL;
    fourier_lock_give();
    fourier_drop_list(all);
}
