/* threads_helpers.h - what the tests of threads share: loops that remember how they were cut, tasks that meet. */
#ifndef TENON_TEST_THREADS_HELPERS_H
#define TENON_TEST_THREADS_HELPERS_H

#include "test.h"

#include <pthread.h>
#include <sched.h>

#include "base/parallel.h"

static inline void automatic_again(void *unused) {
    (void)unused;
    tn_limit_threads(0);
    tn_set_executor(NULL);
    tn_set_num_threads(0);
}

static inline void use_threads(int64_t n) {
    TEST_DEFER(automatic_again, NULL);
    CHECK_INT(tn_set_num_threads(n), TN_OK);
}

/* ---- a loop that remembers what it was given ---- */

enum { CUTS_MOST = 4096 };

typedef struct cuts {
    _Atomic int64_t pieces, outside; /* outside: pieces that do not fit the grain */
    int64_t count, grain;
    _Atomic int visits[CUTS_MOST]; /* by piece */
    _Atomic int64_t sum;
} cuts;

static inline void note_cut(void *arg, int64_t begin, int64_t end) {
    cuts *seen = arg;
    int64_t length = seen->count - begin < seen->grain ? seen->count - begin : seen->grain;
    atomic_fetch_add(&seen->pieces, 1);
    if (begin < 0 || begin % seen->grain != 0 || end - begin != length || length <= 0 || begin / seen->grain >= CUTS_MOST) {
        atomic_fetch_add(&seen->outside, 1);
        return;
    }
    atomic_fetch_add(&seen->visits[begin / seen->grain], 1);
    for (int64_t i = begin; i < end; i++)
        atomic_fetch_add_explicit(&seen->sum, i, memory_order_relaxed);
}

/* Whether a loop does each of its pieces exactly once. Says nothing itself, so that it may run on any thread. */
static inline bool loop_is_complete(int64_t count, int64_t grain) {
    cuts *seen = calloc(1, sizeof *seen);
    if (!seen)
        return false;
    seen->count = count;
    seen->grain = grain;
    tni_parallel_for(count, grain, note_cut, seen);
    int64_t expected = (count + grain - 1) / grain;
    bool complete = seen->pieces == expected && seen->outside == 0 && seen->sum == count * (count - 1) / 2;
    for (int64_t i = 0; i < expected && i < CUTS_MOST; i++)
        complete = complete && seen->visits[i] == 1;
    free(seen);
    return complete;
}

static inline void count_call(void *arg, int64_t begin, int64_t end) {
    (void)begin, (void)end;
    atomic_fetch_add((_Atomic int64_t *)arg, 1);
}

/* ---- tasks ---- */

typedef struct meeting {
    _Atomic int64_t arrived, expected;
    pthread_t threads[64];
} meeting;

/* A task that returns when as many have begun as are expected: which can happen only if they run at the same time. */
static inline void meet(void *arg, int64_t index) {
    meeting *all = arg;
    all->threads[index] = pthread_self();
    atomic_fetch_add(&all->arrived, 1);
    while (atomic_load(&all->arrived) < atomic_load(&all->expected))
        sched_yield();
}

typedef struct nesting {
    _Atomic int64_t inner_calls, strayed;
} nesting;

typedef struct inner_loop {
    nesting *all;
    pthread_t thread;
} inner_loop;

static inline void inner_task(void *arg, int64_t index) {
    inner_loop *inner = arg;
    (void)index;
    atomic_fetch_add(&inner->all->inner_calls, 1);
    if (!pthread_equal(inner->thread, pthread_self()) || !tni_parallel_inside())
        atomic_fetch_add(&inner->all->strayed, 1);
}

static inline void outer_task(void *arg, int64_t index) {
    (void)index;
    inner_loop inner = {arg, pthread_self()};
    tni_parallel_tasks(20, inner_task, &inner);
}

#endif
