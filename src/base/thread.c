/* thread.c - makes and ends the per-thread state of thread.h.
 *
 * A pthread key carries the destructor. After it has run, a later destructor of the same thread may call Tenon again: the state
 * is then simply made again, and pthreads calls the destructor once more.
 */
#include "base/thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/parallel.h"
#include "base/scope.h"

TNI_HOT_THREAD_LOCAL tni_thread *tni_thread_current;

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool key_made;

/* States for threads whose first call comes while malloc fails. */
static tni_thread thread_reserve[THREAD_RESERVES];
static _Atomic bool thread_reserved[THREAD_RESERVES];

static _Atomic uint64_t thread_count;

static _Atomic(void (*)(void *)) exit_hooks[TNI_THREAD_SLOTS];

static tni_thread *take_state(void) {
    for (;;) {
        tni_thread *thread = calloc(1, sizeof *thread);
        if (TNI_LIKELY(thread != NULL))
            return thread;
        for (int i = 0; i < THREAD_RESERVES; i++)
            if (!atomic_exchange(&thread_reserved[i], true)) {
                memset(&thread_reserve[i], 0, sizeof thread_reserve[i]);
                return &thread_reserve[i];
            }
        sched_yield();
    }
}

static void give_state(tni_thread *thread) {
    for (int i = 0; i < THREAD_RESERVES; i++)
        if (thread == &thread_reserve[i]) {
            atomic_store(&thread_reserved[i], false);
            return;
        }
    free(thread);
}

static void end_thread(void *state) {
    tni_thread *thread = state;
    tni_thread_current = thread; /* so that what the scopes release finds its free lists */
    tni_scope_close_all(thread);
    for (int slot = TNI_THREAD_SLOTS; slot-- > 0;) { /* higher layers first: what they free goes through the lower ones */
        void (*hook)(void *) = atomic_load(&exit_hooks[slot]);
        void *value = thread->slots[slot];
        thread->slots[slot] = NULL;
        if (hook && value)
            hook(value);
    }
    tni_heap_drain(thread);
    tni_thread_current = NULL;
    give_state(thread);
}

static void make_key(void) { key_made = pthread_key_create(&key, end_thread) == 0; }

/* A library that is unloaded must not leave a destructor behind, and a program that ends must not look as if it leaked. */
__attribute__((destructor)) static void end_library(void) {
    tni_parallel_end();
    if (!key_made)
        return;
    tni_thread *thread = tni_thread_current;
    if (thread)
        end_thread(thread);
    pthread_key_delete(key);
    key_made = false;
}

TNI_COLD tni_thread *tni_thread_make(void) {
    pthread_once(&key_once, make_key);
    tni_thread *thread = take_state();
    thread->marks = thread->marks_inline;
    thread->mark_capacity = TNI_SCOPES_INLINE + TNI_SCOPES_ASIDE;
    thread->number = atomic_fetch_add(&thread_count, 1) + 1;
    if (key_made)
        (void)pthread_setspecific(key, thread); /* where this fails, the thread's free lists are not returned at its end */
    tni_thread_current = thread;
    return thread;
}

void tni_thread_at_exit(int slot, void (*hook)(void *value)) { atomic_store(&exit_hooks[slot], hook); }
