/* lazy_clone.c - copy-on-write: who shares, who copies, who steals, and threads that do so at once. */
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <tenon/observe.h>

#include "memory/storage.h"
#include "storage_helpers.h"

static counting_allocator lazy_counts;

/* A storage of `bytes` bytes of `value` from lazy_counts; the allocator lives as long as its storages. */
static tn_storage *counted_storage(size_t bytes, int value) {
    lazy_counts = (counting_allocator){0};
    tn_allocator *allocator = counting_allocator_make(&lazy_counts, TN_DEVICE_CPU);
    CHECK(allocator);
    tn_storage *storage = tn_storage_create(bytes, TN_INT32, allocator);
    tn_allocator_release(allocator);
    CHECK(storage);
    memset(tn_storage_mutable_data(storage), value, bytes);
    return storage;
}

TEST(a_lazy_clone_shares_the_bytes_and_copies_nothing) {
    tn_storage *source = counted_storage(64, 1);
    tni_storage_bump(source);
    tn_storage *clone = tn_storage_lazy_clone(source);
    CHECK(clone);
    CHECK(clone != source);
    CHECK(tn_storage_data(clone) == tn_storage_data(source));
    CHECK(tn_storage_is_lazy(source) && tn_storage_is_lazy(clone));
    CHECK_INT(tn_storage_nbytes(clone), 64);
    CHECK_INT(tn_storage_capacity(clone), (long long)tn_storage_capacity(source));
    CHECK_INT(tn_storage_dtype(clone), TN_INT32);
    CHECK(tn_storage_allocator(clone) == tn_storage_allocator(source));
    CHECK(tn_storage_resizable(clone));
    CHECK_INT(tn_storage_version(clone), 0);
    CHECK(tn_storage_unique(source) && tn_storage_unique(clone));
    CHECK_INT(lazy_counts.blocks, 1);
    CHECK_INT(lazy_counts.copies, 0);
    tn_memory_stats stats = {.struct_size = sizeof stats};
    CHECK_INT(tn_allocator_stats(tn_storage_allocator(source), &stats), TN_OK);
    CHECK_INT(stats.bytes.current, 64);
}

TEST(the_first_write_copies_once_and_the_other_keeps_the_bytes) {
    for (int write_source = 0; write_source < 2; write_source++) {
        tn_storage *source = counted_storage(64, 1), *clone = tn_storage_lazy_clone(source);
        CHECK(clone);
        tn_storage *writer = write_source ? source : clone, *other = write_source ? clone : source;
        const void *shared = tn_storage_data(source);
        tn_counters before = tn_counters_now();
        void *own = tn_storage_mutable_data(writer);
        CHECK(own);
        CHECK_INT(tn_counters_since(before).copied_bytes, 64);
        CHECK(own != shared);
        CHECK_INT(lazy_counts.copies, 1);
        CHECK_INT(lazy_counts.blocks, 2);
        CHECK(all_bytes_are(writer, 1));
        memset(own, 2, 64);
        CHECK(all_bytes_are(other, 1));
        CHECK(!tn_storage_is_lazy(source) && !tn_storage_is_lazy(clone));
        CHECK(tn_storage_mutable_data(writer) == own);
        CHECK(tn_storage_mutable_data(other) == shared);
        CHECK_INT(tn_counters_since(before).copies, 1);
        CHECK_INT(lazy_counts.copies, 1);
        CHECK_INT(lazy_counts.blocks, 2);
    }
}

TEST(whoever_is_left_alone_keeps_the_bytes_without_a_copy) {
    for (int release_source = 0; release_source < 2; release_source++) {
        tn_scope scope = tn_scope_open();
        tn_storage *source = counted_storage(64, 1), *clone = tn_storage_lazy_clone(source);
        CHECK(clone);
        const void *shared = tn_storage_data(source);
        tn_storage *left = release_source ? clone : source;
        tn_storage_release(tn_storage_keep(release_source ? source : clone));
        CHECK_INT(lazy_counts.blocks, 1);
        CHECK(!tn_storage_is_lazy(left));
        CHECK(tn_storage_mutable_data(left) == shared);
        CHECK(all_bytes_are(left, 1));
        CHECK_INT(lazy_counts.copies, 0);
        tn_scope_close(scope);
        CHECK_INT(lazy_counts.blocks, 0);
        CHECK_INT(lazy_counts.destroyed, 1);
    }
}

TEST(clones_of_clones_join_the_same_bytes_and_leave_in_any_order) {
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int order = 0; order < 6; order++)
        for (int writes = 0; writes < 8; writes++) {
            tn_scope scope = tn_scope_open();
            tn_storage *all[3] = {counted_storage(32, 5), NULL, NULL};
            all[1] = tn_storage_lazy_clone(all[0]);
            CHECK(all[1]);
            all[2] = tn_storage_lazy_clone(all[1]);
            CHECK(all[2]);
            CHECK(tn_storage_data(all[2]) == tn_storage_data(all[0]));
            for (int i = 0; i < 3; i++) {
                tn_storage *leaving = all[orders[order][i]];
                if (writes >> i & 1) {
                    void *own = tn_storage_mutable_data(leaving);
                    CHECK(own);
                    memset(own, 6, 32);
                }
                for (int rest = i + 1; rest < 3; rest++)
                    CHECK(all_bytes_are(all[orders[order][rest]], 5));
                tn_storage_release(tn_storage_keep(leaving));
            }
            CHECK_INT(lazy_counts.blocks, 0);
            CHECK_INT(lazy_counts.taken_bytes, 0);
            tn_scope_close(scope);
            CHECK_INT(lazy_counts.destroyed, 1);
        }
}

TEST(a_lazy_storage_without_memory_for_its_copy_stays_as_it_is) {
    tn_storage *source = counted_storage(64, 1), *clone = tn_storage_lazy_clone(source);
    CHECK(clone);
    const void *shared = tn_storage_data(source);
    lazy_counts.refuse_blocks = true;
    CHECK_ERROR(TN_ERROR_MEMORY, "", tn_storage_mutable_data(clone));
    CHECK_ERROR(TN_ERROR_MEMORY, "", tn_storage_mutable_data_as(source, TN_INT32));
    CHECK_ERROR(TN_ERROR_MEMORY, "", tn_storage_resize(clone, 1 << 20));
    lazy_counts.refuse_blocks = false;
    lazy_counts.refuse_copies = true;
    CHECK_ERROR(TN_ERROR_IO, "", tn_storage_mutable_data(clone));
    lazy_counts.refuse_copies = false;
    CHECK(tn_storage_is_lazy(source) && tn_storage_is_lazy(clone));
    CHECK(tn_storage_data(source) == shared && tn_storage_data(clone) == shared);
    CHECK_INT(tn_storage_nbytes(clone), 64);
    CHECK_INT(lazy_counts.blocks, 1);
    CHECK(tn_storage_mutable_data(clone));
    CHECK(all_bytes_are(clone, 1));
}

TEST(reading_a_lazy_storage_leaves_it_lazy) {
    tn_storage *source = counted_storage(64, 1), *clone = tn_storage_lazy_clone(source);
    CHECK(clone);
    CHECK(tn_storage_data(clone) && tn_storage_data_as(clone, TN_INT32));
    tn_storage *copy = tn_storage_clone(clone, NULL);
    CHECK(copy);
    CHECK(!tn_storage_is_lazy(copy));
    CHECK(tn_storage_data(copy) != tn_storage_data(clone));
    CHECK(all_bytes_are(copy, 1));
    CHECK(tn_storage_is_lazy(source) && tn_storage_is_lazy(clone));
}

TEST(a_lazy_clone_of_a_read_only_storage_can_be_written_to) {
    tn_storage *source = counted_storage(64, 1);
    CHECK_INT(tn_storage_set_readonly(source), TN_OK);
    tn_storage *clone = tn_storage_lazy_clone(source);
    CHECK(clone);
    CHECK(tn_storage_is_lazy(source));
    CHECK(!tn_storage_readonly(clone));
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_storage_mutable_data(source));
    CHECK(tn_storage_mutable_data(clone));
    memset(tn_storage_mutable_data(clone), 2, 64);
    CHECK(all_bytes_are(source, 1));
}

TEST(a_lazy_storage_made_read_only_stays_lazy_and_its_clone_writable) {
    tn_storage *source = counted_storage(64, 1), *clone = tn_storage_lazy_clone(source);
    CHECK(clone);
    CHECK_INT(tn_storage_set_readonly(clone), TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_storage_mutable_data(clone));
    CHECK(tn_storage_is_lazy(clone));
    CHECK_INT(lazy_counts.copies, 0);
    CHECK(!tn_storage_readonly(source));
    CHECK(tn_storage_mutable_data(source));
    memset(tn_storage_mutable_data(source), 2, 64);
    CHECK(all_bytes_are(clone, 1));
}

TEST(resizing_a_lazy_storage_separates_it_only_when_it_moves) {
    tn_storage *source = counted_storage(64, 1), *clone = tn_storage_lazy_clone(source);
    CHECK(clone);
    const void *shared = tn_storage_data(source);
    CHECK_INT(tn_storage_resize(clone, 16), TN_OK);
    CHECK(tn_storage_is_lazy(clone) && tn_storage_data(clone) == shared);
    CHECK_INT(tn_storage_nbytes(source), 64);
    CHECK_INT(tn_storage_resize(clone, 64), TN_OK);
    CHECK(tn_storage_is_lazy(clone) && all_bytes_are(clone, 1));
    CHECK_INT(tn_storage_resize(clone, 100000), TN_OK);
    CHECK(!tn_storage_is_lazy(clone) && !tn_storage_is_lazy(source));
    CHECK(tn_storage_data(clone) != shared);
    CHECK_INT(((const char *)tn_storage_data(clone))[63], 1);
    CHECK_INT(lazy_counts.blocks, 2);
    CHECK_INT(tn_storage_resize(source, 100000), TN_OK);
    CHECK_INT(((const char *)tn_storage_data(source))[63], 1);
    CHECK_INT(lazy_counts.taken_bytes, 200000);
}

TEST(a_shrunk_lazy_storage_copies_only_what_it_has) {
    tn_storage *source = counted_storage(4096, 1), *clone = tn_storage_lazy_clone(source);
    CHECK(clone);
    CHECK_INT(tn_storage_resize(clone, 0), TN_OK);
    CHECK(!tn_storage_mutable_data(clone));
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK(tni_storage_prepare_write(clone));
    CHECK(tn_storage_is_lazy(clone));
    CHECK_INT(tn_storage_resize(clone, 10), TN_OK);
    tn_counters before = tn_counters_now();
    CHECK(tn_storage_mutable_data(clone));
    CHECK_INT(tn_counters_since(before).copied_bytes, 10);
    CHECK(all_bytes_are(clone, 1) && all_bytes_are(source, 1));
}

TEST(a_tensor_from_before_its_lazy_storage_shrank_stays_inside_the_memory) {
    tn_storage *source = counted_storage(4096, 1), *clone = tn_storage_lazy_clone(source);
    CHECK(clone);
    tn_tensor *x = tn_from_storage(clone, 0, TN_DIMS(4096), TN_DIMS(1), TN_UINT8);
    CHECK(x);
    CHECK_INT(tn_storage_resize(clone, 8), TN_OK);
    CHECK_INT(tn_set_element(x, TN_DIMS(4095), TN_SCALAR(7)), TN_OK);
    CHECK(!tn_storage_is_lazy(clone) && tn_storage_capacity(clone) >= 4096);
    CHECK_INT(tn_get_int64(x, TN_DIMS(4095)), 7);
    CHECK(all_bytes_are(source, 1));
}

TEST(replacing_the_memory_of_a_lazy_storage_leaves_the_other_alone) {
    static char bytes[8];
    tn_storage *source = counted_storage(64, 1), *clone = tn_storage_lazy_clone(source);
    CHECK(clone);
    const void *shared = tn_storage_data(source);
    tn_data_ptr pointer = tn_data_ptr_make(bytes, NULL, NULL, TN_DEVICE_CPU);
    CHECK_INT(tn_storage_replace(source, &pointer, 8), TN_OK);
    CHECK(!tn_storage_is_lazy(source) && !tn_storage_is_lazy(clone));
    CHECK(tn_storage_data(source) == bytes);
    CHECK(tn_storage_mutable_data(source) == bytes);
    CHECK_INT(lazy_counts.blocks, 1);
    CHECK(tn_storage_mutable_data(clone) == shared);
    CHECK(all_bytes_are(clone, 1));
}

TEST(memory_that_cannot_be_shared_is_copied_at_once) {
    static char bytes[16];
    memset(bytes, 4, sizeof bytes);
    tn_data_ptr pointer = tn_data_ptr_make(bytes, NULL, NULL, TN_DEVICE_CPU);
    tn_storage *source = tn_storage_from_pointer(&pointer, 16, TN_INT64);
    CHECK(source);
    tn_storage *clone = tn_storage_lazy_clone(source);
    CHECK(clone);
    CHECK(!tn_storage_is_lazy(source) && !tn_storage_is_lazy(clone));
    CHECK(tn_storage_data(clone) != bytes);
    CHECK(all_bytes_are(clone, 4));
    CHECK_INT(tn_storage_dtype(clone), TN_INT64);
    CHECK(tn_storage_allocator(clone) && tn_storage_resizable(clone));
    CHECK(tn_storage_mutable_data(source) == bytes);
}

TEST(a_lazy_clone_of_nothing_is_empty_and_not_lazy) {
    tn_storage *source = tn_storage_create(0, TN_INT64, NULL), *clone = source ? tn_storage_lazy_clone(source) : NULL;
    CHECK(clone);
    CHECK_INT(tn_storage_nbytes(clone), 0);
    CHECK(!tn_storage_is_lazy(source) && !tn_storage_is_lazy(clone));
}

/* ---- threads ------------------------------------------------------------------------------------------------------- */

enum { LAZY_THREADS = 4, LAZY_ROUNDS = 1000, LAZY_BYTES = 512 };

typedef struct lazy_worker {
    pthread_t thread;
    pthread_barrier_t *barrier;
    tn_storage **storage; /* read anew every round */
    int number, mistakes;
} lazy_worker;

static _Atomic int lazy_arrived;

/* A barrier wakes one thread after the other; those that run now leave this together. */
static void start_together(const lazy_worker *worker, int round) {
    pthread_barrier_wait(worker->barrier);
    atomic_fetch_add(&lazy_arrived, 1);
    for (int spins = 1; atomic_load(&lazy_arrived) < (round + 1) * LAZY_THREADS; spins++)
        if (spins % 1000 == 0)
            sched_yield();
}

static void run_lazy_workers(void *(*work)(void *), lazy_worker *workers, pthread_barrier_t *barrier) {
    atomic_store(&lazy_arrived, 0);
    for (int i = 0; i < LAZY_THREADS; i++) {
        workers[i].barrier = barrier;
        workers[i].number = i;
        workers[i].mistakes = 0;
        CHECK_INT(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
}

static bool storage_is(const tn_storage *storage, int value) {
    return tn_storage_nbytes(storage) == LAZY_BYTES && all_bytes_are(storage, value);
}

/* Every thread clones the one source while the others do, writes to its clone or not, clones the clone, and lets go. */
static void *clone_one_source(void *argument) {
    lazy_worker *worker = argument;
    for (int round = 0; round < LAZY_ROUNDS; round++) {
        start_together(worker, round);
        tn_storage *source = *worker->storage;
        tn_storage *clone = tn_storage_lazy_clone(source);
        worker->mistakes += !storage_is(source, 1);
        tn_storage *second = tn_storage_lazy_clone(clone);
        worker->mistakes += !clone || !second || !storage_is(clone, 1);
        if ((round + worker->number) % 3) {
            void *own = tn_storage_mutable_data(clone);
            memset(own, 2 + worker->number, LAZY_BYTES);
            worker->mistakes += !storage_is(clone, 2 + worker->number);
        }
        worker->mistakes += !storage_is(second, 1) || !storage_is(source, 1);
        (void)tn_storage_is_lazy(source);
        tn_storage_release(clone);
        if (round % 2)
            memset(tn_storage_mutable_data(second), 9, LAZY_BYTES);
        tn_storage_release(second);
        pthread_barrier_wait(worker->barrier);
    }
    return NULL;
}

TEST_ONCE(threads_clone_read_and_write_clones_of_one_source) { /* threads */
    lazy_worker workers[LAZY_THREADS];
    pthread_barrier_t barrier;
    CHECK_INT(pthread_barrier_init(&barrier, NULL, LAZY_THREADS + 1), 0);
    tn_storage *source = NULL;
    for (int i = 0; i < LAZY_THREADS; i++)
        workers[i].storage = &source;
    run_lazy_workers(clone_one_source, workers, &barrier);
    int mistakes = 0;
    for (int round = 0; round < LAZY_ROUNDS; round++) {
        source = tn_storage_keep(tn_storage_create(LAZY_BYTES, TN_UINT8, NULL));
        memset(tn_storage_mutable_data(source), 1, LAZY_BYTES);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        const void *before = tn_storage_data(source);
        mistakes += tn_storage_is_lazy(source) || tn_storage_mutable_data(source) != before || !storage_is(source, 1);
        tn_storage_release(source);
    }
    for (int i = 0; i < LAZY_THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        mistakes += workers[i].mistakes;
    }
    pthread_barrier_destroy(&barrier);
    CHECK_INT(mistakes, 0);
}

/* Every thread has its own member of the group, and all write, or let go, at the same moment. */
static void *write_own_member(void *argument) {
    lazy_worker *worker = argument;
    for (int round = 0; round < LAZY_ROUNDS; round++) {
        start_together(worker, round);
        tn_storage *member = worker->storage[worker->number];
        if ((round + worker->number) % 4) {
            memset(tn_storage_mutable_data(member), 2 + worker->number, LAZY_BYTES);
            worker->mistakes += !storage_is(member, 2 + worker->number);
        } else {
            worker->mistakes += !storage_is(member, 1);
        }
        tn_storage_release(member);
        pthread_barrier_wait(worker->barrier);
    }
    return NULL;
}

TEST_ONCE(all_members_of_a_group_materialise_at_the_same_moment) { /* threads */
    lazy_worker workers[LAZY_THREADS];
    pthread_barrier_t barrier;
    CHECK_INT(pthread_barrier_init(&barrier, NULL, LAZY_THREADS + 1), 0);
    tn_storage *members[LAZY_THREADS];
    for (int i = 0; i < LAZY_THREADS; i++)
        workers[i].storage = members;
    run_lazy_workers(write_own_member, workers, &barrier);
    for (int round = 0; round < LAZY_ROUNDS; round++) {
        members[0] = tn_storage_keep(tn_storage_create(LAZY_BYTES, TN_UINT8, NULL));
        memset(tn_storage_mutable_data(members[0]), 1, LAZY_BYTES);
        for (int i = 1; i < LAZY_THREADS; i++)
            members[i] = tn_storage_keep(tn_storage_lazy_clone(members[i - 1]));
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    int mistakes = 0;
    for (int i = 0; i < LAZY_THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        mistakes += workers[i].mistakes;
    }
    pthread_barrier_destroy(&barrier);
    CHECK_INT(mistakes, 0);
}

static void *bump_versions(void *argument) {
    lazy_worker *worker = argument;
    for (int round = 0; round < LAZY_ROUNDS; round++)
        tni_storage_bump(*worker->storage);
    return NULL;
}

TEST_ONCE(no_write_goes_uncounted_when_threads_write_to_parts_of_one_storage) { /* threads */
    lazy_worker workers[LAZY_THREADS];
    tn_storage *storage = tn_storage_create(8, TN_UINT8, NULL);
    CHECK(storage);
    for (int i = 0; i < LAZY_THREADS; i++)
        workers[i].storage = &storage;
    run_lazy_workers(bump_versions, workers, NULL);
    for (int i = 0; i < LAZY_THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    CHECK_INT(tn_storage_version(storage), LAZY_THREADS * LAZY_ROUNDS);
}
