/* caching_threads.c - the caching allocator among threads and across fork.
 *
 * Tests: src/memory/local.c */
#include "memory_helpers.h"

#include "base/common.h"
#include "memory/caching.h"
#include "memory/registry.h"

static counting_raw raw_state, other_state;

static const size_t MEGABYTE = (size_t)1 << 20;

enum { THREADS = 4, EXCHANGE = 256, STEPS = 20000 };
static _Atomic(void *) exchange[EXCHANGE];
static tn_allocator *thread_allocator;
static _Atomic bool thread_trouble;

/* The size and a pattern are in the block itself, so that whoever finds it can check it and give it back. */
static void *exchange_blocks(void *seed_pointer) {
    uint64_t seed = (uint64_t)(uintptr_t)seed_pointer * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (int step = 0; step < STEPS; step++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        size_t bytes = 16 + (size_t)(step % 64 ? seed % 2000 : seed % 100000);
        unsigned char *fresh = tni_allocator_take(thread_allocator, bytes);
        if (!fresh) {
            thread_trouble = true;
            return NULL;
        }
        memcpy(fresh, &bytes, sizeof bytes);
        fresh[bytes - 1] = (unsigned char)bytes;
        unsigned char *old = atomic_exchange(&exchange[seed >> 32 & (EXCHANGE - 1)], fresh);
        if (old) {
            size_t known;
            memcpy(&known, old, sizeof known);
            if (known < 16 || known > 100016 || old[known - 1] != (unsigned char)known)
                thread_trouble = true;
            tni_allocator_give(thread_allocator, old, known);
        }
        if (step % 5000 == 0)
            tn_allocator_trim(thread_allocator);
    }
    return NULL;
}

static void empty_exchange(void) {
    for (size_t i = 0; i < EXCHANGE; i++) {
        void *old = atomic_exchange(&exchange[i], NULL);
        size_t known;
        if (old) {
            memcpy(&known, old, sizeof known);
            tni_allocator_give(thread_allocator, old, known);
        }
    }
}

TEST_ONCE(threads_free_each_others_blocks) { /* threads */
    thread_allocator = counting_caching(&raw_state, SIZE_MAX, MEGABYTE, 4 * MEGABYTE);
    CHECK(thread_allocator);
    thread_trouble = false;
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, exchange_blocks, (void *)(uintptr_t)(i + 1)) == 0);
    for (int i = 0; i < 50; i++) {
        tn_memory_stats stats = stats_of(thread_allocator);
        CHECK(stats.reserved.current >= 0 && stats.cached >= 0);
        tn_allocator_snapshot(thread_allocator, NULL, 0);
        tn_allocator_reset_peaks(thread_allocator);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    empty_exchange();
    CHECK(!thread_trouble);
    tn_memory_stats stats = stats_of(thread_allocator);
    CHECK_INT(stats.bytes.current, 0);
    CHECK_INT(stats.blocks.current, 0);
    CHECK_INT(stats.blocks.allocated, THREADS * STEPS);
    CHECK_INT(stats.bytes.freed, stats.bytes.allocated);
    CHECK(stats.bytes.peak > 0);
    tn_allocator_trim(thread_allocator);
    CHECK_INT(raw_state.live, 0);
}

static void *take_and_give_some(void *unused) {
    (void)unused;
    void *blocks[100];
    for (size_t i = 0; i < 100; i++)
        blocks[i] = tni_allocator_take(thread_allocator, 1000);
    for (size_t i = 0; i < 100; i++)
        if (blocks[i])
            tni_allocator_give(thread_allocator, blocks[i], 1000);
    return NULL;
}

TEST_ONCE(a_thread_that_ends_returns_its_blocks_and_its_counts) { /* threads */
    thread_allocator = counting_caching(&raw_state, SIZE_MAX, 0, 1);
    CHECK(thread_allocator);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, take_and_give_some, NULL) == 0);
    pthread_join(thread, NULL);
    tn_memory_stats stats = stats_of(thread_allocator);
    CHECK_INT(stats.blocks.allocated, 100);
    CHECK_INT(stats.blocks.current, 0);
    CHECK_INT(stats.blocks.peak, 100);
    CHECK_INT(stats.bytes.peak, 100000);
    CHECK_INT(stats.reserved.current, 0); /* the limit is 1 byte, and no thread's cache holds anything any more */
    CHECK_INT(raw_state.live, 0);
}

static pthread_barrier_t idle_barrier;

static void *fill_cache_and_wait(void *unused) {
    take_and_give_some(unused);
    pthread_barrier_wait(&idle_barrier);
    pthread_barrier_wait(&idle_barrier);
    take_and_give_some(unused);
    return NULL;
}

/* Where the kernel has no membarrier, caches of idle threads wait until those threads wake up; see local.h. */
static bool others_can_be_silenced(void) { return syscall(SYS_membarrier, 0, 0, 0) > 0; }

TEST_ONCE(a_trim_empties_the_caches_of_threads_that_are_doing_something_else) { /* threads */
    thread_allocator = counting_caching(&raw_state, SIZE_MAX, 0, 0);
    CHECK(thread_allocator);
    CHECK(pthread_barrier_init(&idle_barrier, NULL, 2) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, fill_cache_and_wait, NULL) == 0);
    pthread_barrier_wait(&idle_barrier);
    tn_memory_stats before = stats_of(thread_allocator);
    size_t given = tn_allocator_trim(thread_allocator);
    size_t left = raw_state.live;
    pthread_barrier_wait(&idle_barrier);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&idle_barrier);
    CHECK(before.cached > 0);
    CHECK_INT(before.fragmented, 0);
    CHECK_INT(given, others_can_be_silenced() ? before.cached : 0);
    CHECK_INT(left, before.cached - (int64_t)given);
    CHECK_INT(stats_of(thread_allocator).blocks.allocated, 200);
}

static _Atomic bool keep_running;

static void *take_and_give_until_told(void *unused) {
    while (atomic_load(&keep_running)) {
        unsigned char *data = tni_allocator_take(thread_allocator, 200);
        if (!data) {
            thread_trouble = true;
            break;
        }
        memset(data, 0x33, 200);
        for (size_t i = 0; i < 200; i++)
            if (data[i] != 0x33)
                thread_trouble = true;
        tni_allocator_give(thread_allocator, data, 200);
    }
    return unused;
}

TEST_ONCE(a_trim_does_not_disturb_a_running_thread) { /* threads */
    thread_allocator = counting_caching(&raw_state, SIZE_MAX, 0, 0);
    CHECK(thread_allocator);
    thread_trouble = false;
    keep_running = true;
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, take_and_give_until_told, NULL) == 0);
    for (int i = 0; i < 2000; i++) {
        tn_allocator_trim(thread_allocator);
        void *data = tni_allocator_take(thread_allocator, 200);
        if (data)
            tni_allocator_give(thread_allocator, data, 200);
    }
    keep_running = false;
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    CHECK(!thread_trouble);
    CHECK_INT(stats_of(thread_allocator).blocks.current, 0);
    tn_allocator_trim(thread_allocator);
    CHECK_INT(raw_state.live, 0);
}

static void *replace_default(void *unused) {
    for (int i = 0; i < 2000; i++) {
        tn_allocator_functions functions = {
            .struct_size = sizeof functions, .allocate = counting_allocate, .free = counting_free, .ctx = &other_state};
        tn_allocator *fresh = tn_allocator_create(&functions);
        tn_set_allocator(TN_CPU, fresh, 0);
        tn_allocator_release(fresh);
        tn_set_allocator(TN_CPU, NULL, 0);
    }
    return unused;
}

TEST_ONCE(the_default_can_be_replaced_while_others_allocate) { /* threads */
    counting_functions(&other_state, SIZE_MAX);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, replace_default, NULL) == 0);
    bool good = true;
    for (int i = 0; i < 2000; i++) {
        tn_allocator *allocator = tni_allocator_default_held(TN_CPU);
        void *data = allocator ? tni_allocator_take(allocator, 300) : NULL;
        good = good && data;
        if (data)
            tni_allocator_give(allocator, data, 300);
        if (allocator)
            tni_allocator_drop(allocator);
    }
    pthread_join(thread, NULL);
    CHECK(good);
    CHECK(tn_get_allocator(TN_CPU) == tn_cpu_allocator_caching());
}

/* ---- fork ---- */

static int use_allocator_in_child(void) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    tn_allocator_stats(thread_allocator, &stats);
    if (stats.blocks.current != 0)
        return 2;
    for (size_t i = 0; i < 500; i++) {
        void *data = tni_allocator_take(thread_allocator, 1 + i * 100);
        if (!data)
            return 3;
        memset(data, 1, 1 + i * 100);
        tni_allocator_give(thread_allocator, data, 1 + i * 100);
    }
    tn_allocator_trim(thread_allocator);
    tn_allocator_stats(thread_allocator, &stats);
    return stats.reserved.current == 0 && raw_state.live == 0 ? 0 : 4;
}

TEST_ONCE(a_child_goes_on_and_takes_back_what_missing_threads_had_cached) { /* forks */
    thread_allocator = counting_caching(&raw_state, SIZE_MAX, 0, 0);
    CHECK(thread_allocator);
    CHECK(pthread_barrier_init(&idle_barrier, NULL, 2) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, fill_cache_and_wait, NULL) == 0);
    pthread_barrier_wait(&idle_barrier);
    pid_t child = fork();
    if (child == 0)
        leave_child(use_allocator_in_child());
    int code = wait_for_child(child);
    pthread_barrier_wait(&idle_barrier);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&idle_barrier);
    CHECK_INT(code, 0);
}

TEST_ONCE(a_fork_while_threads_allocate_leaves_the_child_with_whole_structures) { /* forks */
    thread_allocator = tn_cpu_allocator_caching();
    thread_trouble = false;
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, exchange_blocks, (void *)(uintptr_t)(i + 7)) == 0);
    int bad = 0;
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (size_t k = 0; k < 2000; k++) {
                void *data = tni_allocator_take(thread_allocator, 1 + k * 30);
                if (!data)
                    leave_child(1);
                memset(data, 1, 1 + k * 30);
                tni_allocator_give(thread_allocator, data, 1 + k * 30);
            }
            tn_allocator_trim(thread_allocator);
            leave_child(0);
        }
        bad += wait_for_child(child) != 0;
    }
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    empty_exchange();
    CHECK_INT(bad, 0);
    CHECK(!thread_trouble);
}

/* ---- the last reference goes while someone looks for caches to empty ---- */

static uint64_t dying_serial;

static void *find_dying(void *unused) {
    (void)unused;
    tn_allocator *found = tni_registry_next_held(dying_serial - 1, TN_CPU);
    if (found) {
        thread_trouble = found->serial == dying_serial && strcmp(tn_allocator_name(found), "counting") != 0;
        tni_allocator_drop(found);
    }
    return NULL;
}

static void *release_dying(void *allocator) {
    tn_allocator_release(allocator);
    return NULL;
}

/* Both wait for the registry's lock, the finder first: it finds an allocator that is on its way out. */
TEST_ONCE(an_allocator_that_is_found_while_it_is_released_lives_until_the_finder_lets_go) { /* threads */
    tn_allocator *allocator = tn_allocator_keep(counting_allocator(&raw_state, SIZE_MAX));
    CHECK(allocator);
    dying_serial = allocator->serial;
    thread_trouble = false;
    pthread_t finder, releaser;
    tni_registry_lock();
    int made = pthread_create(&finder, NULL, find_dying, NULL);
    usleep(20000);
    made |= pthread_create(&releaser, NULL, release_dying, allocator);
    usleep(20000);
    tni_registry_unlock();
    CHECK_INT(made, 0);
    pthread_join(finder, NULL);
    pthread_join(releaser, NULL);
    CHECK(!thread_trouble);
    CHECK_INT(raw_state.destroyed, 1);
}
