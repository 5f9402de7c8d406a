/* parallel.c - the thread pool: one loop at a time, shared out piece by piece.
 *
 * A loop is a parallel_job on its caller's stack. Whoever works on it takes the next piece from an atomic counter until none
 * is left; the caller does so too. Callers exclude each other by the gate: one that finds it taken works alone. The gate's
 * holder also starts and ends the workers, so nothing about them needs another lock.
 *
 * Invariant: a worker touches the job only between joining and leaving, which it does by changing one atomic word,
 *
 *     generation (32 bits) | the caller sleeps (1) | seats left (15) | workers inside (15)
 *
 * Opening a loop stores a new generation with its seats; a worker joins by turning a seat into a place inside; closing takes
 * away the seats that are left, and the caller then waits only for the workers inside. A worker that wakes up late finds no
 * seat and delays nobody. The number of seats is also what limits how many threads a loop uses.
 *
 * A loop that is cancelled (cancel.h) hands out no further pieces; those begun are finished. The thread that began the loop
 * asks after each of its own pieces.
 *
 * Waiting is spinning for SPIN_NANOSECONDS, if there are no more threads than CPUs, and then sleeping, each worker on a
 * condition of its own, so that as many are woken as there are seats. Both sides publish before they look (a sleeper its
 * `parked`, a caller the word; all sequentially consistent), so no wake-up is lost.
 *
 * Workers use no thread-local variable outside a loop: in a library being unloaded its first use may wait for the lock that the
 * unloading thread holds while it joins them.
 */
#include "base/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/cancel.h"
#include "base/quota.h"
#include "base/error.h"
#include "base/heap.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

enum { SPIN_NANOSECONDS = 30000, POOL_CACHE_LINE = 64 };

typedef struct parallel_job {
    tni_loop_body body;
    void *arg;
    int64_t count, grain, pieces;
    uint64_t float_mode;
    struct parallel_job *outer;                    /* the loop that this one is begun in, if any */
    const tni_thread *owner;                       /* whose call it is                           */
    _Atomic bool stopped;                          /* cancelled: pieces that nobody has taken are left out */
    alignas(POOL_CACHE_LINE) _Atomic int64_t next; /* the first piece nobody has taken */
} parallel_job;

typedef struct pool_worker {
    alignas(POOL_CACHE_LINE) pthread_t thread;
    uint32_t seen; /* the last generation it has dealt with when it starts */
    _Atomic bool stop;
    _Atomic bool parked; /* taken back by whoever wakes it */
    pthread_mutex_t lock;
    pthread_cond_t wake;
} pool_worker;

static struct {
    alignas(POOL_CACHE_LINE) _Atomic uint64_t word;
    parallel_job *job; /* of the open loop */
    alignas(POOL_CACHE_LINE) _Atomic bool gate;
    _Atomic int64_t worker_count; /* changed under the gate */
    _Atomic bool spins;           /* no more threads than CPUs */
    uint64_t grown_for;           /* the value of setting_changes for which the workers were last started */
    int64_t retry_in;             /* loops until creating threads that failed is tried again */
    pthread_mutex_t caller_lock;
    pthread_cond_t caller_wake;
} thread_pool = {.caller_lock = PTHREAD_MUTEX_INITIALIZER, .caller_wake = PTHREAD_COND_INITIALIZER};

static pool_worker pool_workers[TN_THREADS_LIMIT - 1]; /* separate, so that they take no room in the file */

static _Atomic int64_t threads_set; /* what tn_num_threads says; 0: nobody has asked yet */
static _Atomic uint64_t setting_changes = 1;
static TNI_HOT_THREAD_LOCAL int64_t threads_limit_here; /* tn_limit_threads; 0: none */
static TNI_HOT_THREAD_LOCAL bool inside_loop;
static TNI_HOT_THREAD_LOCAL parallel_job *loop_here; /* the innermost loop that this thread works on */

static pthread_rwlock_t executor_lock = PTHREAD_RWLOCK_INITIALIZER; /* held for reading while a loop uses the executor */
static tn_executor executor_used;
static _Atomic bool executor_present;

/* ---- the word ---- */

enum { SEATS_SHIFT = 15, GENERATION_SHIFT = 32 };
static const uint64_t one_inside = 1, one_seat = UINT64_C(1) << SEATS_SHIFT, caller_sleeps = UINT64_C(1) << 31;
static const uint64_t inside_bits = 0x7fff, seat_bits = UINT64_C(0x7fff) << SEATS_SHIFT;
_Static_assert(TN_THREADS_LIMIT <= 0x7fff, "seats fit into 15 bits");

static uint32_t generation_of(uint64_t word) { return (uint32_t)(word >> GENERATION_SHIFT); }
static bool loop_is_new(uint64_t word, uint32_t seen) { return generation_of(word) != seen; }

static bool nobody_inside(uint64_t word, uint32_t seen) {
    (void)seen;
    return (word & inside_bits) == 0;
}

/* ---- working ---- */

/* Rounding and flush-to-zero modes affect the result's bits, so every thread uses the caller's while it works for it. */
static uint64_t float_mode_get(void) {
#if defined(__SSE2__)
    return _mm_getcsr();
#elif defined(__aarch64__)
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
#else
    return 0;
#endif
}

static void float_mode_set(uint64_t mode) {
#if defined(__SSE2__)
    _mm_setcsr((uint32_t)mode);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
#else
    (void)mode;
#endif
}

static void pause_briefly(void) {
#if defined(__SSE2__)
    _mm_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void do_loop_piece(const parallel_job *job, int64_t piece) {
    int64_t begin = piece * job->grain;
    int64_t end = job->count - begin < job->grain ? job->count : begin + job->grain;
    job->body(job->arg, begin, end);
}

static bool loop_stopped(const parallel_job *job) { return atomic_load_explicit(&job->stopped, memory_order_relaxed); }

/* A loop inside another is part of it: both end. */
static void stop_loop(parallel_job *job) {
    for (; job; job = job->outer)
        atomic_store_explicit(&job->stopped, true, memory_order_relaxed);
}

/* Whether to go on after a piece. Only the thread that made the call asks, and it stops the others. */
static bool loop_goes_on(parallel_job *job, bool own) {
    if (loop_stopped(job))
        return false;
    if ((job->outer && loop_stopped(job->outer)) || (own && tni_cancel_wanted()))
        stop_loop(job);
    return !loop_stopped(job);
}

static bool is_own_job(const parallel_job *job) { return job->owner == tni_thread_current; }

bool tni_goes_on(void) {
    parallel_job *job = loop_here;
    if (job)
        return loop_goes_on(job, is_own_job(job));
    const tni_thread *thread = tni_thread_current;
    return !thread || !thread->operator_name || tni_cancel_poll() == TN_OK; /* without an operator nobody would learn of it */
}

void *tni_loop_leave(void) {
    parallel_job *loop = loop_here;
    loop_here = NULL;
    return loop;
}

void tni_loop_return(void *loop) { loop_here = loop; }

bool tni_stopped(void) { return loop_here ? loop_stopped(loop_here) : tni_thread_current && tni_thread_current->cancelled; }

static void work_on_job(parallel_job *job) {
    bool own = is_own_job(job);
    parallel_job *outer = loop_here;
    int64_t piece;
    loop_here = job;
    while (!loop_stopped(job) && (piece = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed)) < job->pieces) {
        do_loop_piece(job, piece);
        if (piece + 1 < job->pieces)
            (void)loop_goes_on(job, own);
    }
    loop_here = outer;
}

static void work_alone(parallel_job *job) {
    bool own = is_own_job(job);
    parallel_job *outer = loop_here;
    loop_here = job;
    for (int64_t piece = 0; piece < job->pieces && (piece == 0 || loop_goes_on(job, own)); piece++)
        do_loop_piece(job, piece);
    loop_here = outer;
}

/* ---- waiting ---- */

static int64_t nanoseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Spins until the word satisfies the condition; false if it did not within the time worth spinning. */
static bool spin_until(bool (*holds)(uint64_t word, uint32_t seen), uint32_t seen) {
    bool in_time = atomic_load_explicit(&thread_pool.spins, memory_order_relaxed);
    for (int64_t started = 0, now = 0; in_time; in_time = now - started < SPIN_NANOSECONDS) {
        for (int i = 0; i < POOL_SPINS; i++) {
            if (holds(atomic_load(&thread_pool.word), seen))
                return true;
            pause_briefly();
        }
        now = nanoseconds_now();
        started = started ? started : now;
    }
    return holds(atomic_load(&thread_pool.word), seen);
}

static void wake_if_parked(pool_worker *worker) {
    if (!atomic_load(&worker->parked) || !atomic_exchange(&worker->parked, false))
        return;
    pthread_mutex_lock(&worker->lock);
    pthread_cond_signal(&worker->wake);
    pthread_mutex_unlock(&worker->lock);
}

static void park_worker(pool_worker *self, uint32_t seen) {
    pthread_mutex_lock(&self->lock);
    atomic_store(&self->parked, true);
    if (loop_is_new(atomic_load(&thread_pool.word), seen) || atomic_load(&self->stop))
        atomic_store(&self->parked, false);
    while (atomic_load(&self->parked))
        pthread_cond_wait(&self->wake, &self->lock);
    pthread_mutex_unlock(&self->lock);
}

/* ---- a worker's life ---- */

/* Each loop is joined at most once: `seen` is its generation afterwards, whether there was a seat or not. */
static bool join_loop(uint32_t *seen) {
    uint64_t word = atomic_load(&thread_pool.word);
    if (!loop_is_new(word, *seen))
        return false;
    *seen = generation_of(word);
    while (generation_of(word) == *seen && (word & seat_bits) != 0)
        if (atomic_compare_exchange_weak(&thread_pool.word, &word, word - one_seat + one_inside))
            return true;
    return false;
}

static void leave_loop(void) {
    uint64_t word = atomic_fetch_sub(&thread_pool.word, one_inside) - one_inside;
    if ((word & inside_bits) != 0 || !(word & caller_sleeps))
        return;
    pthread_mutex_lock(&thread_pool.caller_lock);
    pthread_cond_signal(&thread_pool.caller_wake);
    pthread_mutex_unlock(&thread_pool.caller_lock);
}

static void *worker_main(void *arg) {
    pool_worker *self = arg;
    uint32_t seen = self->seen;
#if defined(__linux__)
    (void)pthread_setname_np(pthread_self(), "tenon");
#endif
    while (!atomic_load(&self->stop)) {
        if (join_loop(&seen)) {
            inside_loop = true;
            float_mode_set(thread_pool.job->float_mode);
            work_on_job(thread_pool.job);
            leave_loop();
        } else if (!spin_until(loop_is_new, seen)) {
            park_worker(self, seen);
        }
    }
    return NULL;
}

/* ---- the gate, and starting and ending workers behind it ---- */

static bool try_gate(void) {
    bool taken = false;
    return !atomic_load(&thread_pool.gate) && atomic_compare_exchange_strong(&thread_pool.gate, &taken, true);
}

static int64_t workers_wanted(void) { return tni_max_i64(1, atomic_load(&threads_set)) - 1; }

static void end_workers_above(int64_t wanted) {
    int64_t count = atomic_load(&thread_pool.worker_count);
    for (int64_t i = wanted; i < count; i++) {
        atomic_store(&pool_workers[i].stop, true);
        wake_if_parked(&pool_workers[i]);
    }
    while (count > wanted) {
        pool_worker *worker = &pool_workers[count - 1];
        pthread_join(worker->thread, NULL);
        pthread_cond_destroy(&worker->wake);
        pthread_mutex_destroy(&worker->lock);
        atomic_store(&thread_pool.worker_count, --count);
    }
}

/* A setting that became smaller while the gate was taken is carried out by whoever opens it. */
static void open_gate(void) {
    do {
        end_workers_above(workers_wanted());
        atomic_store(&thread_pool.gate, false);
    } while (atomic_load(&thread_pool.worker_count) > workers_wanted() && try_gate());
}

/* A child has one thread, which is not the pool's. */
static void forget_pool_in_child(void) {
    thread_pool.caller_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    thread_pool.caller_wake = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    atomic_store(&thread_pool.word, (uint64_t)generation_of(atomic_load(&thread_pool.word)) << GENERATION_SHIFT);
    atomic_store(&thread_pool.worker_count, 0);
    atomic_store(&thread_pool.gate, false);
    thread_pool.grown_for = 0;
    executor_lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    executor_used = (tn_executor){0};
    atomic_store(&executor_present, false);
}

static void watch_pool_forks(void) { (void)pthread_atfork(NULL, NULL, forget_pool_in_child); }

static void be_ready_for_fork(void) {
    static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
    pthread_once(&fork_once, watch_pool_forks);
}

static bool start_worker(int64_t index) {
    pool_worker *worker = &pool_workers[index];
    if (tni_fault_hits())
        return false;
    worker->seen = generation_of(atomic_load(&thread_pool.word));
    atomic_store(&worker->stop, false);
    atomic_store(&worker->parked, false);
    if (pthread_mutex_init(&worker->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&worker->wake, NULL) == 0) {
        if (pthread_create(&worker->thread, NULL, worker_main, worker) == 0)
            return true;
        pthread_cond_destroy(&worker->wake);
    }
    pthread_mutex_destroy(&worker->lock);
    return false;
}

/* Signals meant for the host's handlers go to the host's threads; a fault can only be handled where it happened. */
static TNI_COLD void start_workers(int64_t wanted) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    be_ready_for_fork();
    atomic_store(&thread_pool.spins, wanted < tni_cpu_count());
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < TNI_COUNT_OF(faults); i++)
        sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int64_t count = atomic_load(&thread_pool.worker_count);
    while (count < wanted && start_worker(count))
        atomic_store(&thread_pool.worker_count, ++count);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    thread_pool.retry_in = count < wanted ? POOL_RETRY_LOOPS : 0;
}

/* Brings the pool to the size that is set. Where threads could not be started, it tries again much later, because a failing
 * pthread_create costs more than most loops. */
static void fit_pool(void) {
    uint64_t changes = atomic_load(&setting_changes);
    int64_t wanted = workers_wanted();
    if (thread_pool.grown_for != changes || (thread_pool.retry_in > 0 && --thread_pool.retry_in == 0)) {
        thread_pool.grown_for = changes;
        end_workers_above(wanted);
        start_workers(wanted);
    }
}

void tni_parallel_end(void) {
    if (try_gate())
        end_workers_above(0); /* and the gate stays taken */
}

int64_t tni_parallel_workers(void) { return atomic_load(&thread_pool.worker_count); }

/* ---- a caller's loop ---- */

static void open_loop(parallel_job *job, int64_t seats) {
    uint64_t generation = (uint64_t)(generation_of(atomic_load(&thread_pool.word)) + 1) << GENERATION_SHIFT;
    thread_pool.job = job;
    atomic_store(&thread_pool.word, generation | (uint64_t)seats << SEATS_SHIFT);
    for (int64_t i = 0; i < seats && atomic_load_explicit(&job->next, memory_order_relaxed) < job->pieces; i++)
        wake_if_parked(&pool_workers[i]);
}

static void close_loop(void) {
    atomic_fetch_and(&thread_pool.word, ~seat_bits);
    if (spin_until(nobody_inside, 0))
        return;
    pthread_mutex_lock(&thread_pool.caller_lock);
    uint64_t word = atomic_fetch_or(&thread_pool.word, caller_sleeps);
    while (!nobody_inside(word, 0)) {
        pthread_cond_wait(&thread_pool.caller_wake, &thread_pool.caller_lock);
        word = atomic_load(&thread_pool.word);
    }
    pthread_mutex_unlock(&thread_pool.caller_lock);
}

static bool run_on_pool(parallel_job *job, int64_t threads) {
    if (!try_gate())
        return false;
    fit_pool();
    int64_t seats = tni_min_i64(tni_min_i64(threads, job->pieces) - 1, atomic_load(&thread_pool.worker_count));
    if (seats > 0) {
        inside_loop = true;
        open_loop(job, seats);
        work_on_job(job);
        close_loop();
        inside_loop = false;
    }
    open_gate();
    return seats > 0;
}

/* One task is a thread's whole share, so that the host's executor is not called for every piece. */
static void executor_share(void *arg, int64_t index) {
    (void)index;
    parallel_job *job = arg;
    bool outer = inside_loop;
    uint64_t mode = float_mode_get();
    inside_loop = true;
    float_mode_set(job->float_mode);
    work_on_job(job);
    float_mode_set(mode);
    inside_loop = outer;
}

static bool run_on_executor(parallel_job *job, int64_t threads) {
    if (!atomic_load_explicit(&executor_present, memory_order_relaxed))
        return false;
    pthread_rwlock_rdlock(&executor_lock);
    tn_executor executor = executor_used;
    if (executor.run) {
        inside_loop = true;
        executor.run(executor.ctx, executor_share, job, tni_min_i64(threads, job->pieces));
        work_on_job(job);
        inside_loop = false;
    }
    pthread_rwlock_unlock(&executor_lock);
    return executor.run != NULL;
}

static void run_loop(parallel_job *job) {
    int64_t threads = inside_loop ? 1 : tn_num_threads();
    if (threads > 1) {
        job->float_mode = float_mode_get();
        if (run_on_executor(job, threads) || run_on_pool(job, threads))
            return;
    }
    work_alone(job);
}

static TNI_NOINLINE bool parallel_pieces(int64_t count, int64_t grain, tni_loop_body body, void *arg) {
    parallel_job *outer = loop_here;
    parallel_job job = {.body = body,
                        .arg = arg,
                        .count = count,
                        .grain = grain,
                        .pieces = (count - 1) / grain + 1,
                        .outer = outer,
                        .owner = outer ? outer->owner : tni_thread_current};
    run_loop(&job);
    if (TNI_LIKELY(!loop_stopped(&job)))
        return true;
    if (!outer)
        (void)tni_cancel_now();
    return false;
}

/* One piece needs no loop: most tensors are small. */
bool tni_parallel_for(int64_t count, int64_t grain, tni_loop_body body, void *arg) {
    if (count <= 0)
        return true;
    if (TNI_UNLIKELY(tni_thread_current && tni_thread_current->cancelled))
        return false;
    grain = tni_max_i64(grain, 1);
    if (count > grain)
        return parallel_pieces(count, grain, body, arg);
    body(arg, 0, count);
    return TNI_LIKELY(!tni_stopped());
}

tn_error tn_parallel(int64_t count, int64_t grain, tn_loop task, void *arg) {
    if (!task)
        return tni_raise_in("parallel", TN_ERROR_ARGUMENT, "task is NULL");
    if (count < 0 || grain < 1)
        return tni_raise_in("parallel", TN_ERROR_ARGUMENT,
                            "count is %" PRId64 " and grain %" PRId64 "; they must be at least 0 and 1", count, grain);
    return tni_parallel_for(count, grain, task, arg) ? TN_OK : TN_ERROR_CANCELLED;
}

typedef struct loop_tasks {
    tn_task task;
    void *arg;
} loop_tasks;

static void do_loop_tasks(void *arg, int64_t begin, int64_t end) {
    const loop_tasks *list = arg;
    for (int64_t i = begin; i < end; i++)
        list->task(list->arg, i);
}

bool tni_parallel_tasks(int64_t count, tn_task task, void *arg) {
    loop_tasks list = {task, arg};
    return tni_parallel_for(count, 1, do_loop_tasks, &list);
}

void tni_clear_in_steps(void *memory, size_t bytes) {
    TNI_IN_STEPS_OF (16 * TNI_STEP, begin, end, (int64_t)bytes)
        memset((char *)memory + begin, 0, (size_t)(end - begin));
}

bool tni_parallel_inside(void) { return inside_loop; }

/* ---- what users set ---- */

static int64_t automatic_threads(void) {
    const char *text = getenv("TENON_NUM_THREADS");
    char *end = NULL;
    long long value = text ? strtoll(text, &end, 10) : 0;
    if (value >= 1 && end != text && *end == 0)
        return tni_min_i64(value, TN_THREADS_LIMIT);
    return tni_min_i64(tni_cpu_count(), TN_THREADS_LIMIT);
}

static TNI_COLD int64_t first_threads(void) {
    int64_t unknown = 0, counted = automatic_threads();
    return atomic_compare_exchange_strong(&threads_set, &unknown, counted) ? counted : unknown;
}

int64_t tn_num_threads(void) {
    int64_t threads = atomic_load_explicit(&threads_set, memory_order_relaxed);
    if (TNI_UNLIKELY(threads == 0))
        threads = first_threads();
    int64_t limit = threads_limit_here;
    return limit > 0 && limit < threads ? limit : threads;
}

tn_error tn_set_num_threads(int64_t n) {
    if (n < 0 || n > TN_THREADS_LIMIT)
        return tni_raise_in("set_num_threads", TN_ERROR_ARGUMENT,
                            "n is %" PRId64 "; it must be 1 to %d, or 0 for the automatic number", n, (int)TN_THREADS_LIMIT);
    atomic_store(&threads_set, n > 0 ? n : automatic_threads());
    atomic_fetch_add(&setting_changes, 1);
    if (atomic_load(&thread_pool.worker_count) > workers_wanted() && try_gate())
        open_gate();
    return TN_OK;
}

int64_t tn_limit_threads(int64_t n) {
    int64_t before = threads_limit_here;
    if (n < 0) {
        tni_raise_in("limit_threads", TN_ERROR_ARGUMENT, "n is %" PRId64 "; it must be 1 or more, or 0 for no limit", n);
        return -1;
    }
    threads_limit_here = n;
    return before;
}

/* A struct made for a later Tenon is longer; it is accepted as long as the members that this one does not know are zero. */
static tn_error check_executor(const tn_executor *given) {
    enum { EXECUTOR_LONGEST = 1024 };
    if (given->struct_size < sizeof *given || given->struct_size > EXECUTOR_LONGEST)
        return tni_raise_in("set_executor", TN_ERROR_ARGUMENT,
                            "executor.struct_size is %zu; set it to sizeof(tn_executor), which is %zu", given->struct_size,
                            sizeof *given);
    for (size_t at = sizeof *given; at < given->struct_size; at++)
        if (((const char *)given)[at] != 0)
            return tni_raise_in("set_executor", TN_ERROR_UNSUPPORTED, "executor has members that this version does not know");
    if (!given->run)
        return tni_raise_in("set_executor", TN_ERROR_ARGUMENT, "executor.run is NULL");
    return TN_OK;
}

tn_error tn_set_executor(const tn_executor *executor) {
    if (inside_loop)
        return tni_raise_in("set_executor", TN_ERROR_STATE,
                            "called from inside a task; the executor cannot change while it works");
    tn_error problem = executor ? check_executor(executor) : TN_OK;
    if (problem != TN_OK)
        return problem;
    be_ready_for_fork();
    atomic_store(&executor_present, false); /* so that no new loop can take the lock first */
    pthread_rwlock_wrlock(&executor_lock);
    executor_used = executor ? *executor : (tn_executor){0};
    atomic_store(&executor_present, executor != NULL);
    pthread_rwlock_unlock(&executor_lock);
    return TN_OK;
}
