/* limits.c - what this machine can do at best, in the same rounds as everything else.
 *
 * For memory there are three ways: the C library's memcpy, plain vector stores, and streaming stores, which do not read the
 * line they are about to overwrite. Which is fastest depends on the size and the CPU, so all are contestants and the fastest
 * is the limit. A workload that reads r bytes and writes w is compared with a loop that does just that, r and w in the same
 * proportion line by line, with nothing to compute. On several threads each has its part of the arrays and none waits for
 * another until the end: no library can do better.
 */
#include "bench.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define LIMITS_VECTOR __attribute__((target("avx2")))
#else
#define LIMITS_VECTOR
#endif

enum { STREAMS_MAX = 4, LIMIT_THREADS_MAX = 64 };

/* What is read or written at once. */
typedef struct cache_line {
    uint64_t words[8];
} cache_line;

typedef struct stream_part {
    const cache_line *in[STREAMS_MAX];
    cache_line *out;
    size_t blocks; /* a block reads read_lines from each input and writes write_lines */
} stream_part;

typedef enum stream_way { WAY_MEMCPY, WAY_PLAIN, WAY_STREAMING } stream_way;

typedef struct stream_state {
    stream_way way;
    int inputs;
    size_t read_lines, write_lines;
    int64_t threads;
    stream_part parts[LIMIT_THREADS_MAX];
    void *buffers[STREAMS_MAX + 1];
    size_t sizes[STREAMS_MAX + 1];
} stream_state;

/* ---- the loops ----------------------------------------------------------------------------------------------------- */

/* A line is two vectors, which every compiler keeps in registers. */
typedef uint64_t half_line __attribute__((vector_size(32), may_alias));

/* What `part` holds is copied to variables first, because as far as the compiler knows a store might change it. Called with
 * constants for the numbers of lines where it matters, so that the inner loops disappear. What is written is never all zeros:
 * some CPUs write lines of zeros twice as fast as others, which is not a limit for the others. */
#define STREAM_LOOP(store)                                                                                                     \
    half_line *out = (half_line *)part->out;                                                                                   \
    const cache_line *arrays[STREAMS_MAX] = {part->in[0], part->in[1], part->in[2], part->in[3]};                              \
    for (size_t block = 0, blocks = part->blocks; block < blocks; block++) {                                                   \
        half_line low = {1, 2, 3, 4}, high = {5, 6, 7, 8};                                                                     \
        for (int k = 0; k < inputs; k++) {                                                                                     \
            const half_line *in = (const half_line *)(arrays[k] + block * reads);                                              \
            for (size_t i = 0; i < reads; i++) {                                                                               \
                low ^= in[2 * i];                                                                                              \
                high ^= in[2 * i + 1];                                                                                         \
            }                                                                                                                  \
        }                                                                                                                      \
        for (size_t i = 0; i < writes; i++) {                                                                                  \
            store(out, low);                                                                                                   \
            store(out + 1, high);                                                                                              \
            out += 2;                                                                                                          \
        }                                                                                                                      \
    }                                                                                                                          \
    (void)out

#define STORE_PLAIN(where, value) (*(where) = (value))
#define LIMITS_INLINE LIMITS_VECTOR static inline __attribute__((always_inline))

/* clang-format off */
LIMITS_INLINE void plain_loop(const stream_part *part, int inputs, size_t reads, size_t writes) {
    STREAM_LOOP(STORE_PLAIN);
}
/* clang-format on */

#if defined(__x86_64__)
#define STORE_STREAMING(where, value) _mm256_stream_si256((__m256i *)(void *)(where), (__m256i)(value))

/* clang-format off */
LIMITS_INLINE void streaming_loop(const stream_part *part, int inputs, size_t reads, size_t writes) {
    STREAM_LOOP(STORE_STREAMING);
    _mm_sfence();
}
/* clang-format on */
#define HAS_STREAMING __builtin_cpu_supports("avx2")
#define HAS_VECTOR __builtin_cpu_supports("avx2")
#else
#define streaming_loop plain_loop
#define HAS_STREAMING 0
#define HAS_VECTOR 1
#endif

/* Reading alone has no store for its result: the variable is volatile, so that the loop is not removed. */
static volatile uint64_t what_was_read;

LIMITS_VECTOR static void read_loop(const stream_part *part, size_t reads, int input) {
    half_line sums[8] = {{0}};
    for (size_t line = 0; line + 4 <= part->blocks * reads; line += 4) {
        const half_line *in = (const half_line *)(part->in[input] + line);
        for (int i = 0; i < 8; i++)
            sums[i] ^= in[i];
    }
    for (int i = 1; i < 8; i++)
        sums[0] ^= sums[i];
    what_was_read = sums[0][0];
}

/* The proportions that occur have loops of their own. */
#define EACH_PROPORTION(X)                                                                                                     \
    X(1, 1, 1) X(1, 2, 1) X(1, 1, 2) X(1, 4, 1) X(1, 1, 4) X(1, 8, 1) X(1, 1, 8) X(2, 1, 1) X(3, 1, 1) X(0, 0, 8)

LIMITS_VECTOR static void run_part(const stream_state *state, const stream_part *part) {
#define RUN_LOOP(inputs_, reads_, writes_)                                                                                     \
    do {                                                                                                                       \
        if (state->way == WAY_STREAMING)                                                                                       \
            streaming_loop(part, inputs_, reads_, writes_);                                                                    \
        else                                                                                                                   \
            plain_loop(part, inputs_, reads_, writes_);                                                                        \
        return;                                                                                                                \
    } while (0)
#define TRY_PROPORTION(inputs_, reads_, writes_)                                                                               \
    if (state->inputs == inputs_ && state->read_lines == reads_ && state->write_lines == writes_)                              \
        RUN_LOOP(inputs_, reads_, writes_);

    if (state->way == WAY_MEMCPY) {
        memcpy(part->out, part->in[0], part->blocks * sizeof(cache_line));
        return;
    }
    if (state->write_lines == 0) {
        for (int i = 0; i < state->inputs; i++)
            read_loop(part, state->read_lines, i);
        return;
    }
    EACH_PROPORTION(TRY_PROPORTION)
    RUN_LOOP(state->inputs, state->read_lines, state->write_lines);
}

/* ---- on several threads -------------------------------------------------------------------------------------------- */

typedef struct stream_crew {
    const stream_state *state;
    int64_t times;
    atomic_int ready, done;
    atomic_bool go;
} stream_crew;

typedef struct stream_worker {
    stream_crew *crew;
    int64_t index;
} stream_worker;

static void work_part(const stream_state *state, int64_t index, int64_t times) {
    for (; times > 0; times--)
        run_part(state, &state->parts[index]);
}

static void *stream_thread(void *argument) {
    stream_worker *worker = argument;
    stream_crew *crew = worker->crew;
    atomic_fetch_add(&crew->ready, 1);
    while (!atomic_load(&crew->go))
        sched_yield();
    work_part(crew->state, worker->index, crew->times);
    atomic_fetch_add(&crew->done, 1);
    return NULL;
}

static double timed_crew(const stream_state *state, int64_t times) {
    stream_crew crew = {.state = state, .times = times};
    stream_worker workers[LIMIT_THREADS_MAX];
    pthread_t threads[LIMIT_THREADS_MAX];
    int started = 0;
    for (int64_t i = 1; i < state->threads; i++, started++) {
        workers[i] = (stream_worker){&crew, i};
        if (pthread_create(&threads[i], NULL, stream_thread, &workers[i]) != 0)
            break;
    }
    while (atomic_load(&crew.ready) < started)
        sched_yield();
    double begin = bench_now_ns();
    atomic_store(&crew.go, true);
    work_part(state, 0, times);
    while (atomic_load(&crew.done) < started)
        sched_yield();
    double end = bench_now_ns();
    for (int i = 1; i <= started; i++)
        pthread_join(threads[i], NULL);
    return started == state->threads - 1 ? end - begin : -1;
}

/* ---- the contestants for memory ------------------------------------------------------------------------------------ */

static void stream_finish(bench_contestant *self) {
    stream_state *state = self->state;
    for (int i = 0; i <= STREAMS_MAX; i++) {
        if (state->buffers[i])
            munmap(state->buffers[i], state->sizes[i]);
        state->buffers[i] = NULL;
    }
}

/* Written once, and in huge pages where the system gives them. Arrays begin at different places in their pages, because the CPU
 * confuses loads and stores that are 4096 bytes apart. */
static cache_line *stream_buffer(stream_state *state, int which, size_t bytes) {
    const size_t huge = (size_t)2 << 20, skew = 4096 * 3 + 64 * 9;
    size_t size = bytes + skew * (STREAMS_MAX + 1) + huge;
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    if (bytes >= huge)
        madvise(block, size, MADV_HUGEPAGE);
    memset(block, 1 + which, size);
    state->buffers[which] = block;
    state->sizes[which] = size;
    size_t to_huge = (huge - (uintptr_t)block % huge) % huge;
    return (cache_line *)(void *)(block + to_huge + skew * (size_t)which);
}

static size_t greatest_common_divisor(size_t a, size_t b) {
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool stream_prepare(bench_contestant *self, const bench_workload *workload, int64_t threads, char reason[256]) {
    stream_state *state = self->state;
    if (workload->limit != BENCH_LIMIT_STREAM || threads > LIMIT_THREADS_MAX)
        return false;
    state->inputs = workload->reads == 0 ? 0 : workload->inputs ? (int)workload->inputs : 1;
    state->threads = threads;
    if (state->inputs > STREAMS_MAX)
        return false;
    size_t reads = state->inputs ? (size_t)(workload->reads / state->inputs) : 0, writes = (size_t)workload->writes;
    size_t common = reads && writes ? greatest_common_divisor(reads, writes) : (reads + writes) / 8;
    state->read_lines = common ? reads / common : 0;
    state->write_lines = common ? writes / common : 0;
    size_t blocks = common / sizeof(cache_line);
    if (blocks == 0 || state->read_lines > 64 || state->write_lines > 64)
        return false;
    if (state->way == WAY_MEMCPY && !(state->inputs == 1 && state->read_lines == 1 && state->write_lines == 1))
        return false;
    if (state->way == WAY_STREAMING && (!HAS_STREAMING || writes == 0))
        return false;
    if (state->way != WAY_MEMCPY && !HAS_VECTOR)
        return false;

    cache_line *arrays[STREAMS_MAX + 1] = {NULL};
    bool complete = true;
    for (int i = 0; i < state->inputs; i++)
        complete = complete && (arrays[i + 1] = stream_buffer(state, i + 1, reads)) != NULL;
    if (writes)
        complete = complete && (arrays[0] = stream_buffer(state, 0, writes)) != NULL;
    if (!complete) {
        snprintf(reason, 256, "no memory for the arrays");
        stream_finish(self);
        return false;
    }
    for (int64_t t = 0; t < threads; t++) {
        size_t first = blocks * (size_t)t / (size_t)threads, last = blocks * (size_t)(t + 1) / (size_t)threads;
        stream_part *part = &state->parts[t];
        *part = (stream_part){.blocks = last - first, .out = writes ? arrays[0] + first * state->write_lines : NULL};
        for (int i = 0; i < state->inputs; i++)
            part->in[i] = arrays[i + 1] + first * state->read_lines;
    }
    return true;
}

static bool stream_sample(bench_contestant *self, int64_t times, bench_sample *out) {
    stream_state *state = self->state;
    (void)timed_crew(state, bench_untimed(times));
    double ns = timed_crew(state, times);
    *out = (bench_sample){ns / (double)times, 0};
    return ns >= 0;
}

/* ---- the contestants for small things ------------------------------------------------------------------------------ */

static void nothing_to_finish(bench_contestant *self) { (void)self; }

static int64_t pairs_of(const bench_workload *workload) { return workload->pairs ? workload->pairs : 1; }

static bool malloc_prepare(bench_contestant *self, const bench_workload *workload, int64_t threads, char reason[256]) {
    (void)threads, (void)reason;
    *(int64_t *)self->state = pairs_of(workload);
    return workload->limit == BENCH_LIMIT_MALLOC && pairs_of(workload) <= 2;
}

/* The compiler knows malloc and free, and must believe that the block is used. */
#define KEEP_ALIVE(pointer) __asm__ volatile("" : "+r"(pointer) : : "memory")

/* A tensor's object, and its element memory; all are alive at once, as a tensor's are. */
static void malloc_pairs(int64_t pairs, int64_t times) {
    if (pairs == 1) {
        for (int64_t i = 0; i < times; i++) {
            void *block = malloc(192);
            KEEP_ALIVE(block);
            free(block);
        }
    } else {
        for (int64_t i = 0; i < times; i++) {
            void *block = malloc(192), *elements = malloc(64);
            KEEP_ALIVE(block);
            KEEP_ALIVE(elements);
            free(elements);
            free(block);
        }
    }
}

static bool malloc_sample(bench_contestant *self, int64_t times, bench_sample *out) {
    int64_t pairs = *(int64_t *)self->state;
    malloc_pairs(pairs, bench_untimed(times));
    double begin = bench_now_ns();
    malloc_pairs(pairs, times);
    *out = (bench_sample){(bench_now_ns() - begin) / (double)times, 0};
    return true;
}

static bool atomic_prepare(bench_contestant *self, const bench_workload *workload, int64_t threads, char reason[256]) {
    (void)threads, (void)reason;
    *(int64_t *)self->state = pairs_of(workload);
    return workload->limit == BENCH_LIMIT_ATOMIC;
}

static void atomic_pairs(int64_t times) {
    static atomic_int counter = 1;
    for (int64_t i = 0; i < times; i++) {
        atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
        if (atomic_fetch_sub_explicit(&counter, 1, memory_order_acq_rel) == 1)
            return; /* because one must check whether it was the last */
    }
}

static bool atomic_sample(bench_contestant *self, int64_t times, bench_sample *out) {
    int64_t pairs = *(int64_t *)self->state;
    atomic_pairs(pairs * bench_untimed(times));
    double begin = bench_now_ns();
    atomic_pairs(pairs * times);
    *out = (bench_sample){(bench_now_ns() - begin) / (double)times, 0};
    return true;
}

int bench_limits(bench_contestant *out, int space) {
    static stream_state states[3] = {{.way = WAY_MEMCPY}, {.way = WAY_PLAIN}, {.way = WAY_STREAMING}};
    static int64_t pairs_of_malloc, pairs_of_atomic;
    const bench_contestant all[] = {
        {"limit: memcpy", true, &states[0], stream_prepare, stream_sample, stream_finish},
        {"limit: plain stores", true, &states[1], stream_prepare, stream_sample, stream_finish},
        {"limit: streaming stores", true, &states[2], stream_prepare, stream_sample, stream_finish},
        {"limit: malloc and free", true, &pairs_of_malloc, malloc_prepare, malloc_sample, nothing_to_finish},
        {"limit: atomic pair", true, &pairs_of_atomic, atomic_prepare, atomic_sample, nothing_to_finish},
        bench_limit_fma(),
    };
    int count = (int)(sizeof all / sizeof all[0]) < space ? (int)(sizeof all / sizeof all[0]) : space;
    memcpy(out, all, (size_t)count * sizeof all[0]);
    return count;
}
