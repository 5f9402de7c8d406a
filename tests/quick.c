/* quick.c - small tensors made and ended the short way (src/memory/quick.h): nobody who watches memory, keeps a storage or brings an
 * allocator can tell it from the ordinary one.
 *
 * A thread goes the short way when it has blocks to go it with; so every test begins with tensors of the size that it made and
 * released. */
#include "memory_helpers.h"

#include "base/heap.h"
#include "memory/local.h"

enum { QUICK_NUMBERS = 16, QUICK_BYTES = QUICK_NUMBERS * 4, QUICK_MANY = 300 };

static tn_tensor *small(void) { return tn_empty(TN_DIMS(QUICK_NUMBERS), TN_FLOAT32); }

static void warm_up(void) {
    tn_tensor *some[] = {small(), small(), small()};
    for (size_t i = 0; i < 3; i++)
        tn_release(some[i]);
    tn_error_clear();
}

static tn_memory_stats built_in_stats(void) { return stats_of(tn_cpu_allocator_caching()); }

/* ---- what is made */

TEST(a_small_tensor_is_as_any_other) {
    warm_up();
    tn_tensor *made = tn_empty(TN_DIMS(2, 1, 3), TN_FLOAT64);
    CHECK(made);
    CHECK_INT(tn_ndim(made), 3);
    CHECK_INT(tn_numel(made), 6);
    CHECK_INT(tn_size(made, 0), 2);
    CHECK_INT(tn_size(made, 1), 1);
    CHECK_INT(tn_size(made, 2), 3);
    CHECK_INT(tn_stride(made, 0), 3);
    CHECK_INT(tn_stride(made, 1), 3);
    CHECK_INT(tn_stride(made, 2), 1);
    CHECK_INT(tn_storage_offset(made), 0);
    CHECK_INT(tn_dtype_of(made), TN_FLOAT64);
    CHECK(tn_is_contiguous(made) && tn_device_equal(tn_device_of(made), TN_DEVICE_CPU));
    CHECK_INT(tn_use_count(made), 1);
    tn_storage *storage = tn_storage_of(made);
    CHECK_INT(tn_storage_use_count(storage), 1);
    CHECK_INT(tn_storage_nbytes(storage), 48);
    CHECK_INT(tn_storage_capacity(storage), TNI_ASAN ? 48 : 64);
    CHECK_INT(tn_storage_version(storage), 0);
    CHECK_INT(tn_storage_dtype(storage), TN_FLOAT64);
    CHECK(tn_storage_resizable(storage) && !tn_storage_readonly(storage) && !tn_storage_received(storage));
    CHECK(!tn_storage_is_lazy(storage));
    CHECK(tn_storage_allocator(storage) == tn_cpu_allocator_caching());
    const tn_data_ptr *pointer = tn_storage_data_ptr(storage);
    CHECK(pointer->data == tn_storage_data(storage) && !pointer->ctx && !pointer->deleter);
    CHECK(tn_device_equal(pointer->device, TN_DEVICE_CPU));
    CHECK_INT((uintptr_t)pointer->data % 64, 0);
}

TEST(every_number_and_size_of_dimensions_is_right) {
    static const int64_t sizes[][7] = {{0},       {1, 1},    {1, 7},       {1, 2047},          {1, 2048},
                                       {1, 2049}, {2, 3, 4}, {3, 1, 1, 5}, {5, 2, 1, 2, 1, 3}, {6, 2, 1, 1, 1, 2, 1},
                                       {2, 3, 0}, {1, 0}};
    for (size_t i = 0; i < TNI_COUNT_OF(sizes); i++) {
        int64_t ndim = sizes[i][0], numel = 1;
        for (int round = 0; round < 3; round++) {
            tn_tensor *made = tn_empty((tn_dims){sizes[i] + 1, ndim}, TN_INT16);
            CHECK(made);
            numel = 1;
            for (int64_t d = ndim; d-- > 0;) {
                CHECK_INT(tn_size(made, d), sizes[i][1 + d]);
                CHECK_INT(tn_stride(made, d), numel ? numel : 1);
                numel *= sizes[i][1 + d];
            }
            CHECK_INT(tn_numel(made), numel);
            CHECK_INT(tn_storage_nbytes(tn_storage_of(made)), 2 * numel);
            tn_release(made);
        }
    }
}

TEST_SAMPLED(sizes_that_cannot_be_are_refused_as_ever) {
    warm_up();
    CHECK_ERROR(TN_ERROR_SHAPE, "size -1 of dimension 1 is negative", tn_empty(TN_DIMS(4, -1), TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_SHAPE, "do not fit", tn_empty(TN_DIMS(INT64_MAX, 2), TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_MEMORY, "out of memory", tn_empty(TN_DIMS(2048, 2048, 2048, 2048, 2048), TN_COMPLEX128));
    CHECK_ERROR(TN_ERROR_MEMORY, "out of memory", tn_empty(TN_DIMS(2048, 2048, 2048, 2048, 1024), TN_FLOAT32));
}

/* More than any list keeps, so that the ways alternate. */
TEST_SAMPLED(many_at_once_have_bytes_of_their_own) {
    int64_t live = tni_heap_live(), blocks = built_in_stats().blocks.current;
    tn_tensor *made[QUICK_MANY] = {NULL};
    bool good = true;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < QUICK_MANY; i++)
            if ((made[i] = tn_full(TN_DIMS(QUICK_NUMBERS), i, TN_FLOAT32)) == NULL)
                good = false;
        for (int i = 0; i < QUICK_MANY && good; i++)
            for (int k = 0; k < QUICK_NUMBERS; k++)
                good = good && ((const float *)tn_data(made[i]))[k] == (float)i;
        for (int i = 0; i < QUICK_MANY; i++)
            tn_release(made[i]);
    }
    CHECK(good);
    CHECK_INT(built_in_stats().blocks.current, blocks);
    CHECK_INT(tni_heap_live(), live);
}

/* ---- who watches */

TEST(small_tensors_are_in_the_statistics) {
    warm_up();
    tn_memory_stats before = built_in_stats();
    tn_counters counters = tn_counters_now();
    tn_tensor *made[] = {small(), small(), tn_empty(TN_DIMS(), TN_INT8)};
    CHECK(made[0] && made[1] && made[2]);
    tn_memory_stats with = built_in_stats();
    CHECK_INT(with.bytes.current - before.bytes.current, 2 * QUICK_BYTES + 1);
    CHECK_INT(with.bytes.allocated - before.bytes.allocated, 2 * QUICK_BYTES + 1);
    CHECK_INT(with.blocks.current - before.blocks.current, 3);
    CHECK(with.bytes.peak >= with.bytes.current && with.blocks.peak >= with.blocks.current);
    for (size_t i = 0; i < 3; i++)
        tn_release(made[i]);
    tn_memory_stats after = built_in_stats();
    CHECK_INT(after.bytes.current, before.bytes.current);
    CHECK_INT(after.bytes.freed - before.bytes.freed, 2 * QUICK_BYTES + 1);
    CHECK_INT(after.blocks.freed - before.blocks.freed, 3);
    CHECK_INT(tn_counters_since(counters).allocations, 3);
    CHECK_INT(tn_counters_since(counters).allocated_bytes, 2 * QUICK_BYTES + 1);
}

static tn_memory_event quick_events[8];
static char quick_operators[8][16];
static size_t quick_event_count;
static void record_quick_event(void *ctx, const tn_memory_event *event) {
    (void)ctx;
    if (quick_event_count == 8)
        return;
    snprintf(quick_operators[quick_event_count], sizeof quick_operators[0], "%s",
             event->operator_name ? event->operator_name : "-");
    quick_events[quick_event_count++] = *event;
}
static void remove_quick_reporter(void *unused) {
    (void)unused;
    tn_set_memory_reporter(NULL, NULL);
}

TEST(the_reporter_is_told_of_small_tensors) {
    warm_up();
    int64_t bytes = built_in_stats().bytes.current;
    TEST_DEFER(remove_quick_reporter, NULL);
    quick_event_count = 0;
    tn_set_memory_reporter(record_quick_event, NULL);
    tn_tensor *made = small();
    CHECK(made);
    const void *data = tn_data(made);
    tn_release(made);
    tn_set_memory_reporter(NULL, NULL);
    CHECK_INT(quick_event_count, 2);
    CHECK(quick_events[0].data == data && quick_events[1].data == data);
    CHECK_INT(quick_events[0].bytes, QUICK_BYTES);
    CHECK_INT(quick_events[0].total_bytes, bytes + QUICK_BYTES);
    CHECK_TEXT(quick_operators[0], "empty");
    CHECK_TEXT(quick_events[0].allocator, "cpu caching");
    CHECK_INT(quick_events[1].bytes, -QUICK_BYTES);
    CHECK_INT(quick_events[1].total_bytes, bytes);
}

static tn_event quick_observed;
static int quick_observations;
static void observe_quick(void *ctx, const tn_event *event) {
    *(tn_event *)ctx = *event;
    quick_observations++;
}
static void remove_quick_observer(void *unused) {
    (void)unused;
    tn_set_observer(NULL, NULL);
}

TEST(the_observer_is_told_of_small_tensors) {
    warm_up();
    TEST_DEFER(remove_quick_observer, NULL);
    quick_observations = 0;
    tn_set_observer(observe_quick, &quick_observed);
    CHECK(small());
    tn_set_observer(NULL, NULL);
    CHECK_INT(quick_observations, 1);
    CHECK_INT(quick_observed.kind, TN_EVENT_ALLOCATION);
    CHECK_INT(quick_observed.bytes, QUICK_BYTES);
    CHECK_TEXT(quick_observed.operator_name, "empty");
}

static void stop_quick_trace(void *unused) {
    (void)unused;
    (void)tn_allocator_trace(tn_cpu_allocator_caching(), 0);
}

static char quick_snapshot[1 << 20];

TEST(the_trace_and_the_snapshot_have_small_tensors) {
    warm_up();
    TEST_DEFER(stop_quick_trace, NULL);
    CHECK_INT(tn_allocator_trace(tn_cpu_allocator_caching(), 4), TN_OK);
    tn_tensor *made = small();
    CHECK(made);
    char taken[128], given[128];
    snprintf(taken, sizeof taken, "\"action\": \"alloc\", \"address\": \"0x%" PRIxPTR "\", \"size\": %d,",
             (uintptr_t)tn_data(made), QUICK_BYTES);
    snprintf(given, sizeof given, "\"action\": \"free\", \"address\": \"0x%" PRIxPTR "\", \"size\": %d,",
             (uintptr_t)tn_data(made), QUICK_BYTES);
    tn_release(made);
    CHECK(tn_allocator_snapshot(tn_cpu_allocator_caching(), quick_snapshot, sizeof quick_snapshot) > 0);
    const char *first = strstr(quick_snapshot, taken);
    CHECK(first && strstr(first, given));
}

/* The blocks in use of all slabs of the size. */
static int64_t used_in_snapshot(void) {
    if (tn_allocator_snapshot(tn_cpu_allocator_caching(), quick_snapshot, sizeof quick_snapshot) <= 0)
        return -1;
    int64_t used = 0;
    for (const char *at = quick_snapshot; (at = strstr(at, "\"block\": 64,")) != NULL; at++)
        used += strtoll(strstr(at, "\"used\": ") + 8, NULL, 10);
    return used;
}

TEST(a_snapshot_counts_small_tensors_among_the_used_blocks) {
    warm_up();
    int64_t before = used_in_snapshot();
    tn_tensor *one = small(), *two = small();
    CHECK(one && two);
    CHECK_INT(used_in_snapshot(), before + 2);
    tn_release(one);
    CHECK_INT(used_in_snapshot(), before + 1);
    tn_release(two);
    CHECK_INT(used_in_snapshot(), before);
}

static void stop_quick_junk(void *unused) {
    (void)unused;
    tn_set_junk_fill(false);
}

TEST(junk_fill_fills_small_tensors) {
    warm_up();
    TEST_DEFER(stop_quick_junk, NULL);
    for (int round = 0; round < 2; round++) {
        tn_set_junk_fill(true);
        tn_tensor *made = small();
        tn_set_junk_fill(false);
        CHECK(made);
        CHECK(isnan(tn_get_double(made, TN_DIMS(0))) && isnan(tn_get_double(made, TN_DIMS(QUICK_NUMBERS - 1))));
        memset(tn_mutable_data(made), 0, QUICK_BYTES);
        tn_release(made);
    }
}

/* ---- another allocator */

static counting_raw quick_raw;

static void built_in_again(void *unused) {
    (void)unused;
    (void)tn_set_allocator(TN_CPU, NULL, 0);
}

TEST(an_allocator_of_the_users_own_sees_every_request) {
    warm_up();
    tn_allocator *own = counting_allocator(&quick_raw, SIZE_MAX);
    CHECK(own);
    tn_tensor *before = small();
    CHECK(before);
    int64_t built_in = built_in_stats().blocks.current;
    TEST_DEFER(built_in_again, NULL);
    CHECK_INT(tn_set_allocator(TN_CPU, own, 1), TN_OK);
    tn_tensor *one = small(), *two = small();
    CHECK(one && two);
    tn_tensor *sum = tn_add(one, two);
    CHECK(sum);
    CHECK_INT(quick_raw.allocations, 3);
    CHECK_INT(quick_raw.live, 3 * QUICK_BYTES);
    CHECK(tn_storage_allocator(tn_storage_of(sum)) == own);
    tn_release(sum);
    CHECK_INT(quick_raw.frees, 1);
    CHECK_INT(built_in_stats().blocks.current, built_in);
    tn_release(before); /* goes back to where it came from */
    CHECK_INT(built_in_stats().blocks.current, built_in - 1);
    CHECK_INT(tn_set_allocator(TN_CPU, tn_cpu_allocator_caching(), 2), TN_OK);
    tn_tensor *again = small();
    CHECK(again && tn_storage_allocator(tn_storage_of(again)) == tn_cpu_allocator_caching());
    CHECK_INT(quick_raw.allocations, 3);
    tn_release(one); /* though another is in use now */
    tn_release(two);
    CHECK_INT(quick_raw.frees, 3);
    CHECK_INT(built_in_stats().blocks.current, built_in);
}

/* ---- the lives of tensor, storage and elements */

TEST(a_storage_outlives_its_tensor) {
    warm_up();
    int64_t blocks = built_in_stats().blocks.current, live = tni_heap_live();
    tn_tensor *made = tn_full(TN_DIMS(QUICK_NUMBERS), 3, TN_FLOAT32);
    CHECK(made);
    tn_storage *storage = tn_storage_retain(tn_storage_of(made));
    tn_release(made);
    CHECK_INT(tn_storage_use_count(storage), 1);
    CHECK_DOUBLE(((const float *)tn_storage_data(storage))[QUICK_NUMBERS - 1], 3);
    CHECK_INT(built_in_stats().blocks.current, blocks + 1);
    tn_storage_release(storage);
    CHECK_INT(built_in_stats().blocks.current, blocks);
    CHECK_INT(tni_heap_live(), live);
}

TEST(a_tensor_outlives_its_storage) {
    warm_up();
    tn_tensor *made = small(), *other = tn_full(TN_DIMS(4), 2, TN_FLOAT32);
    CHECK(made && other);
    int64_t blocks = built_in_stats().blocks.current;
    CHECK(tn_set_(made, other));
    CHECK_INT(built_in_stats().blocks.current, blocks - 1);
    CHECK_INT(tn_storage_use_count(tn_storage_of(other)), 2);
    tn_release(other);
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(3)), 2);
    CHECK_INT(tn_storage_use_count(tn_storage_of(made)), 1);
    tn_release(made);
    CHECK_INT(built_in_stats().blocks.current, blocks - 2);
}

TEST(views_keep_the_elements) {
    warm_up();
    int64_t blocks = built_in_stats().blocks.current, live = tni_heap_live();
    tn_tensor *made = tn_full(TN_DIMS(4, 4), 5, TN_FLOAT32);
    CHECK(made);
    tn_tensor *row = tn_select(made, 0, 2), *transposed = row ? tn_transpose(made, 0, 1) : NULL;
    CHECK(row && transposed);
    tn_release(made);
    tn_release(transposed);
    CHECK_DOUBLE(tn_get_double(row, TN_DIMS(3)), 5);
    CHECK_INT(built_in_stats().blocks.current, blocks + 1);
    tn_release(row);
    CHECK_INT(built_in_stats().blocks.current, blocks);
    CHECK_INT(tni_heap_live(), live);
}

TEST(resizing_moves_the_elements_and_gives_their_block_back) {
    warm_up();
    int64_t bytes = built_in_stats().bytes.current;
    tn_tensor *made = tn_full(TN_DIMS(QUICK_NUMBERS), 7, TN_FLOAT32);
    CHECK(made);
    const void *data = tn_data(made);
    CHECK(tn_resize_(made, TN_DIMS(4)) && tn_data(made) == data);
    CHECK(tn_resize_(made, TN_DIMS(1000)));
    CHECK(tn_data(made) != data);
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(3)), 7);
    CHECK_INT(built_in_stats().bytes.current, bytes + 4000);
    tn_tensor *next = small(); /* has the block, if it wants */
    CHECK(next);
    tn_release(made);
    tn_release(next);
    CHECK_INT(built_in_stats().bytes.current, bytes);
}

TEST(lazy_clones_share_the_elements_and_the_last_gives_them_back) {
    for (int order = 0; order < 2; order++) {
        warm_up();
        int64_t blocks = built_in_stats().blocks.current;
        tn_tensor *made = tn_full(TN_DIMS(QUICK_NUMBERS), 4, TN_FLOAT32);
        CHECK(made);
        tn_storage *clone = tn_storage_lazy_clone(tn_storage_of(made));
        CHECK(clone && tn_storage_data(clone) == tn_data(made));
        CHECK_INT(built_in_stats().blocks.current, blocks + 1);
        if (order == 0) {
            tn_release(made);
            CHECK_INT(built_in_stats().blocks.current, blocks + 1);
            CHECK_DOUBLE(((const float *)tn_storage_data(clone))[QUICK_NUMBERS - 1], 4);
            tn_storage_release(clone);
        } else {
            CHECK(tn_add_scalar_(made, tn_scalar_float(1)));
            CHECK(tn_storage_data(clone) != tn_data(made));
            CHECK_INT(built_in_stats().blocks.current, blocks + 2);
            CHECK_DOUBLE(((const float *)tn_storage_data(clone))[0], 4);
            tn_storage_release(clone);
            tn_release(made);
        }
        CHECK_INT(built_in_stats().blocks.current, blocks);
    }
}

static void note_freed(void *ctx) { ++*(int *)ctx; }

TEST(replaced_memory_is_freed_by_its_own_deleter) {
    warm_up();
    static float elsewhere[QUICK_NUMBERS];
    static int freed;
    freed = 0;
    int64_t blocks = built_in_stats().blocks.current;
    tn_tensor *made = small();
    CHECK(made);
    tn_data_ptr pointer = tn_data_ptr_make(elsewhere, &freed, note_freed, TN_DEVICE_CPU);
    CHECK_INT(tn_storage_replace(tn_storage_of(made), &pointer, sizeof elsewhere), TN_OK);
    CHECK_INT(built_in_stats().blocks.current, blocks);
    CHECK(tn_data(made) == elsewhere);
    CHECK_INT(freed, 0);
    tn_release(made);
    CHECK_INT(freed, 1);
    CHECK_INT(built_in_stats().blocks.current, blocks);
}

TEST(a_scope_ends_small_tensors) {
    warm_up();
    int64_t blocks = built_in_stats().blocks.current, live = tni_heap_live();
    tn_scope scope = tn_scope_open();
    tn_tensor *made = small();
    tn_tensor *sum = made ? tn_add(made, made) : NULL;
    tn_scope_close(scope);
    CHECK(sum);
    CHECK_INT(built_in_stats().blocks.current, blocks);
    CHECK_INT(tni_heap_live(), live);
}

/* ---- threads */

static void *release_them(void *argument) {
    tn_tensor **made = argument;
    warm_up();
    for (int i = 0; i < QUICK_MANY; i++)
        tn_release(made[i]);
    return NULL;
}

TEST_ONCE(another_thread_may_release_them) { /* threads */
    static tn_tensor *made[QUICK_MANY];
    int64_t blocks = built_in_stats().blocks.current, bytes = built_in_stats().bytes.current;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < QUICK_MANY; i++)
            CHECK((made[i] = tn_keep(tn_full(TN_DIMS(QUICK_NUMBERS), i, TN_FLOAT32))) != NULL);
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, release_them, made) == 0);
        pthread_join(thread, NULL);
        CHECK_INT(built_in_stats().blocks.current, blocks);
        CHECK_INT(built_in_stats().bytes.current, bytes);
    }
}

static _Atomic bool quick_enough;

static void *make_and_end(void *mistakes) {
    for (int round = 0; !atomic_load(&quick_enough); round++) {
        tn_tensor *one = tn_full(TN_DIMS(QUICK_NUMBERS), round, TN_FLOAT32), *two = tn_add(one, one);
        if (!two || ((const float *)tn_data(two))[QUICK_NUMBERS - 1] != 2 * (float)round)
            ++*(int *)mistakes;
        tn_release(one);
        tn_release(two);
    }
    return NULL;
}

/* The magazines are emptied and the allocator is exchanged while threads go the short way. */
TEST_ONCE(threads_go_on_while_caches_are_emptied_and_the_allocator_changes) { /* threads */
    enum { THREADS = 3 };
    int mistakes[THREADS] = {0};
    pthread_t threads[THREADS];
    int64_t blocks = built_in_stats().blocks.current;
    TEST_DEFER(built_in_again, NULL);
    atomic_store(&quick_enough, false);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, make_and_end, &mistakes[i]) == 0);
    for (int round = 0; round < 200; round++) {
        (void)tn_empty_cache(TN_CPU);
        (void)tn_set_allocator(TN_CPU, round % 2 ? tn_cpu_allocator_plain() : NULL, 1);
        tn_set_junk_fill(round % 3 == 0);
    }
    tn_set_junk_fill(false);
    atomic_store(&quick_enough, true);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK_INT(mistakes[i], 0);
    }
    CHECK_INT(built_in_stats().blocks.current, blocks);
}

TEST_ONCE(a_child_makes_and_ends_them_too) { /* forks */
    warm_up();
    tn_tensor *made = tn_full(TN_DIMS(QUICK_NUMBERS), 6, TN_FLOAT32);
    CHECK(made);
    int64_t blocks = built_in_stats().blocks.current;
    pid_t child = fork();
    if (child == 0) {
        tn_tensor *sum = tn_add(made, made);
        bool good = sum && ((const float *)tn_data(sum))[0] == 12;
        tn_release(made);
        tn_release(sum);
        leave_child(good && built_in_stats().blocks.current == blocks - 1 ? 0 : 1);
    }
    CHECK_INT(wait_for_child(child), 0);
    CHECK_INT(built_in_stats().blocks.current, blocks);
}

/* ---- writes are counted */

TEST(a_write_in_place_counts_once) {
    warm_up();
    tn_tensor *made = tn_full(TN_DIMS(QUICK_NUMBERS), 1, TN_FLOAT32), *other = tn_full(TN_DIMS(QUICK_NUMBERS), 2, TN_FLOAT32);
    CHECK(made && other);
    uint32_t version = tn_storage_version(tn_storage_of(made));
    CHECK(tn_add_(made, other) && tn_mul_(made, other));
    CHECK_INT(tn_storage_version(tn_storage_of(made)), version + 2);
    tn_tensor *half = tn_narrow(made, 0, 0, 8), *part = half ? tn_narrow(other, 0, 8, 8) : NULL;
    CHECK(half && part);
    CHECK(tn_add_(half, part) && tn_add_(made, other));
    CHECK_INT(tn_storage_version(tn_storage_of(made)), version + 4);
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(0)), 10);
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(15)), 8);
}

enum { QUICK_WRITES = 20000 };

static void *write_half(void *argument) {
    for (int i = 0; i < QUICK_WRITES; i++)
        if (!tn_neg_(argument))
            return argument;
    return NULL;
}

TEST_ONCE(no_write_in_place_goes_uncounted_when_threads_write_to_halves) { /* threads */
    tn_tensor *made = tn_full(TN_DIMS(2, 8), 1, TN_FLOAT32);
    CHECK(made);
    tn_tensor *halves[] = {tn_keep(tn_select(made, 0, 0)), tn_keep(tn_select(made, 0, 1))};
    CHECK(halves[0] && halves[1]);
    uint32_t version = tn_storage_version(tn_storage_of(made));
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, write_half, halves[i]) == 0);
    void *failed[2];
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &failed[i]);
    CHECK(!failed[0] && !failed[1]);
    CHECK_INT(tn_storage_version(tn_storage_of(made)), version + 2 * QUICK_WRITES);
    tn_release(halves[0]);
    tn_release(halves[1]);
}
