/* caching.c - the caching allocator: its classes, slabs, large blocks and limits, over a raw allocator that counts.
 *
 * Tests: src/memory/block_table.c, src/memory/caching_large.c, src/memory/caching_small.c, src/memory/fit_tree.c */
#include "memory_helpers.h"

#include <sys/resource.h>

#include "base/common.h"
#include "memory/caching.h"

static counting_raw raw_state;

static const size_t MEGABYTE = (size_t)1 << 20;

/* ---- size classes ---- */

TEST(size_classes_fit_closely_and_rise) {
    size_t before = 0;
    for (uint32_t class = 0; class < TNI_SMALL_CLASSES; class ++) {
        size_t bytes = tni_small_class_bytes(class);
        CHECK(bytes > before && bytes % 64 == 0);
        CHECK_INT(tni_small_class(bytes), class);
        CHECK_INT(tni_small_class(before + 1), class);
        CHECK(before < 512 || (double)(bytes - before) / (double)bytes <= 0.2);
        before = bytes;
    }
    CHECK_INT(before, TNI_SMALL_LIMIT_MOST);
}

TEST(a_block_of_any_size_can_be_used_up_to_what_is_usable) {
    tn_allocator *allocator = counting_caching(&raw_state, SIZE_MAX, 0, 0);
    CHECK(allocator);
    for (size_t bytes = 1; bytes < 3 * MEGABYTE; bytes += 1 + bytes / 7) {
        size_t usable = tni_allocator_usable(allocator, bytes);
        CHECK(usable >= bytes && usable <= bytes + bytes / 4 + 4096);
        char *data = tni_allocator_take(allocator, bytes);
        CHECK(data);
        memset(data, 0x5a, usable);
        bool aligned = (uintptr_t)data % 64 == 0;
        tni_allocator_give(allocator, data, bytes);
        CHECK(aligned);
    }
    CHECK_INT(tni_allocator_usable(allocator, SIZE_MAX), SIZE_MAX);
}

/* ---- the tree and the table under it ---- */

TEST_SAMPLED(the_fit_tree_finds_the_smallest_block_that_fits) {
    enum { BLOCKS = 400 };
    static tni_block blocks[BLOCKS];
    static bool inside[BLOCKS];
    memset(inside, 0, sizeof inside);
    tni_block *root = NULL;
    for (int step = 0; step < 20000; step++) {
        size_t i = (size_t)test_random_between(0, BLOCKS - 1);
        if (inside[i]) {
            tni_fit_remove(&root, &blocks[i]);
        } else {
            blocks[i] = (tni_block){.data = (char *)(uintptr_t)((i + 1) * 4096), .bytes = (size_t)test_random_between(1, 50)};
            tni_fit_insert(&root, &blocks[i]);
        }
        inside[i] = !inside[i];
        size_t wanted = (size_t)test_random_between(1, 55);
        tni_block *best = NULL;
        for (size_t k = 0; k < BLOCKS; k++)
            if (inside[k] && blocks[k].bytes >= wanted && (!best || blocks[k].bytes < best->bytes))
                best = &blocks[k];
        CHECK(tni_fit_least(root, wanted) == best);
    }
}

TEST_ONCE(the_block_table_finds_what_is_in_it) { /* the table raises no errors itself, and is not in the scope */
    enum { BLOCKS = 300 };
    static tni_block blocks[BLOCKS];
    static bool inside[BLOCKS];
    memset(inside, 0, sizeof inside);
    tni_block_table table = {0};
    CHECK(tni_table_remove(&table, &table) == NULL);
    for (int step = 0; step < 20000; step++) {
        size_t i = (size_t)test_random_between(0, BLOCKS - 1);
        blocks[i].data = (char *)(uintptr_t)((i + 1) * 4096);
        bool was_inside = tni_table_remove(&table, blocks[i].data) == &blocks[i];
        CHECK(was_inside == inside[i]);
        if (!was_inside) {
            CHECK(tni_table_reserve(&table));
            tni_table_insert(&table, &blocks[i]);
        }
        inside[i] = !was_inside;
    }
    tni_table_destroy(&table);
}

/* ---- reuse, split, merge ---- */

TEST(a_freed_block_is_given_out_again) {
    tn_allocator *allocator = counting_caching(&raw_state, SIZE_MAX, 0, 0);
    CHECK(allocator);
    static const size_t sizes[] = {8, 5000, 32768, 32769, 40 << 20};
    for (size_t i = 0; i < TNI_COUNT_OF(sizes); i++) {
        tn_data_ptr *first = hold_there(allocator, sizes[i]);
        void *data = first->data;
        tn_data_ptr_clear(first);
        int64_t asked = raw_state.allocations;
        CHECK(hold_there(allocator, sizes[i])->data == data);
        CHECK_INT(raw_state.allocations, asked);
    }
}

TEST_SAMPLED(a_large_result_causes_no_page_faults_the_second_time) {
    enum { BYTES = 40 * 1000 * 1000 };
    tn_allocator *allocator = tn_cpu_allocator_caching();
    char *data = tni_allocator_take(allocator, BYTES);
    CHECK(data);
    memset(data, 1, BYTES);
    tni_allocator_give(allocator, data, BYTES);
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    char *again = tni_allocator_take(allocator, BYTES);
    CHECK(again);
    memset(again, 2, BYTES);
    getrusage(RUSAGE_SELF, &after);
    tni_allocator_give(allocator, again, BYTES);
    CHECK(again == data);
    CHECK(TNI_ASAN || after.ru_minflt - before.ru_minflt < 50);
}

TEST_ONCE(large_blocks_are_split_from_one_segment_and_merge_when_they_come_back) { /* a failure is tried again, and counted */
    tn_allocator *allocator = counting_caching(&raw_state, SIZE_MAX, 2 * MEGABYTE, 0);
    CHECK(allocator);
    tn_data_ptr *parts[16];
    for (size_t i = 0; i < 16; i++)
        parts[i] = hold_there(allocator, MEGABYTE / 8);
    CHECK_INT(raw_state.allocations, 1);
    CHECK_INT(stats_of(allocator).cached, 0);
    for (size_t i = 1; i < 16; i++)
        CHECK((char *)parts[i]->data == (char *)parts[i - 1]->data + MEGABYTE / 8);
    for (size_t i = 0; i < 16; i += 2)
        tn_data_ptr_clear(parts[i]);
    tn_memory_stats stats = stats_of(allocator);
    CHECK_INT(stats.cached, MEGABYTE);
    CHECK_INT(stats.fragmented, MEGABYTE);
    CHECK_INT(stats.reserved.current, 2 * MEGABYTE);
    CHECK_INT(tn_allocator_trim(allocator), 0);
    for (size_t i = 1; i < 16; i += 2)
        tn_data_ptr_clear(parts[i]);
    CHECK_INT(stats_of(allocator).fragmented, 0);
    hold_there(allocator, 2 * MEGABYTE);
    CHECK_INT(raw_state.allocations, 1);
}

TEST_SAMPLED(the_best_fitting_hole_is_used) {
    tn_allocator *allocator = counting_caching(&raw_state, SIZE_MAX, 2 * MEGABYTE, 0);
    CHECK(allocator);
    tn_data_ptr *large = hold_there(allocator, 400 * 1024);
    hold_there(allocator, 40 * 1024);
    tn_data_ptr *fitting = hold_there(allocator, 100 * 1024);
    hold_there(allocator, 40 * 1024);
    tn_data_ptr *middle = hold_there(allocator, 200 * 1024);
    hold_there(allocator, 40 * 1024);
    void *wanted = fitting->data;
    tn_data_ptr_clear(large);
    tn_data_ptr_clear(middle);
    tn_data_ptr_clear(fitting);
    CHECK(hold_there(allocator, 90 * 1024)->data == wanted);
}

TEST_ONCE(
    a_huge_free_block_is_not_cut_for_a_little_one_unless_there_is_nothing_else) { /* a failure is tried again, and counted */
    tn_allocator *allocator = counting_caching(&raw_state, 43 * MEGABYTE, 2 * MEGABYTE, 0);
    CHECK(allocator);
    tn_data_ptr *huge = hold_there(allocator, 40 * MEGABYTE);
    char *data = huge->data;
    tn_data_ptr_clear(huge);
    char *little = hold_there(allocator, 100000)->data;
    CHECK(little < data || little >= data + 40 * MEGABYTE);
    CHECK_INT(raw_state.allocations, 2);
    char *second = hold_there(allocator, 1900 * 1024)->data;
    CHECK(second < data || second >= data + 40 * MEGABYTE);
    huge = hold_there(allocator, 40 * MEGABYTE);
    CHECK(huge->data == data);
    tn_data_ptr_clear(huge);
    char *third = hold_there(allocator, 1900 * 1024)->data;
    CHECK(third >= data && third < data + 40 * MEGABYTE);
    CHECK_INT(stats_of(allocator).retries, 0);
}

/* ---- bounds ---- */

TEST_SAMPLED(no_more_is_retained_than_the_limit) {
    tn_allocator *allocator = counting_caching(&raw_state, SIZE_MAX, MEGABYTE, 5 * MEGABYTE);
    CHECK(allocator);
    tn_data_ptr *blocks[10];
    for (size_t i = 0; i < 10; i++)
        blocks[i] = hold_there(allocator, MEGABYTE);
    CHECK_INT(raw_state.live, 10 * MEGABYTE);
    for (size_t i = 0; i < 10; i++) {
        tn_data_ptr_clear(blocks[i]);
        CHECK(stats_of(allocator).cached <= (int64_t)(5 * MEGABYTE));
    }
    CHECK_INT(raw_state.live, 5 * MEGABYTE);
    CHECK_INT(stats_of(allocator).segments.current, 5);
    CHECK_INT(stats_of(allocator).segments.peak, 10);
    CHECK_INT(stats_of(allocator).reserved.freed, 5 * MEGABYTE);
}

TEST_SAMPLED(small_segments_are_bounded_too) {
    tn_allocator *allocator = counting_caching(&raw_state, SIZE_MAX, 0, 1);
    CHECK(allocator);
    enum { COUNT = 5000 };
    static void *blocks[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        CHECK(blocks[i] = tni_allocator_take(allocator, 2000));
    CHECK(raw_state.live > COUNT * 2000);
    for (size_t i = 0; i < COUNT; i++)
        tni_allocator_give(allocator, blocks[i], 2000);
    CHECK(raw_state.live <= 2 * (2 * MEGABYTE)); /* what the thread's own cache holds */
    tn_allocator_trim(allocator);
    CHECK_INT(raw_state.live, 0);
}

TEST(a_trim_gives_back_everything_that_is_not_in_use) {
    tn_allocator *allocator = counting_caching(&raw_state, SIZE_MAX, 0, 0);
    CHECK(allocator);
    for (size_t bytes = 1; bytes < 10 * MEGABYTE; bytes = bytes * 3 + 1)
        hold_there(allocator, bytes);
    release_held(NULL);
    tn_memory_stats stats = stats_of(allocator);
    CHECK_INT(stats.bytes.current, 0);
    CHECK_INT(stats.cached, stats.reserved.current);
    CHECK_INT(stats.fragmented, 0);
    CHECK_INT(stats.reserved.current, raw_state.live);
    CHECK_INT(tn_allocator_trim(allocator), stats.reserved.current);
    CHECK_INT(raw_state.live, 0);
    stats = stats_of(allocator);
    CHECK_INT(stats.reserved.current, 0);
    CHECK_INT(stats.segments.current, 0);
    CHECK_INT(stats.cached, 0);
    CHECK_INT(tn_allocator_trim(allocator), 0);
    CHECK(hold_there(allocator, 10)->data);
}

TEST_SAMPLED(what_is_fragmented_is_what_a_trim_leaves) {
    tn_allocator *allocator = counting_caching(&raw_state, SIZE_MAX, 0, 0);
    CHECK(allocator);
    tn_data_ptr *some[200];
    for (size_t i = 0; i < 200; i++)
        some[i] = hold_there(allocator, (size_t)test_random_between(1, 200000));
    for (size_t i = 0; i < 200; i++)
        if (i % 3)
            tn_data_ptr_clear(some[i]);
    tn_memory_stats before = stats_of(allocator);
    size_t given = tn_allocator_trim(allocator);
    tn_memory_stats after = stats_of(allocator);
    CHECK_INT(before.cached - before.fragmented, given);
    CHECK_INT(after.cached, before.fragmented);
    CHECK_INT(after.fragmented, before.fragmented);
    CHECK_INT(after.reserved.current, raw_state.live);
    CHECK_INT(after.bytes.current, before.bytes.current);
    release_held(NULL);
    CHECK_INT(stats_of(allocator).fragmented, 0);
}

TEST(tn_empty_cache_trims_the_allocator_in_use) {
    tn_data_ptr *block = hold_there(tn_cpu_allocator_caching(), 3 * MEGABYTE);
    tn_data_ptr_clear(block);
    CHECK(tn_empty_cache(TN_CPU) >= 3 * MEGABYTE);
    CHECK_INT(tn_empty_cache(TN_CPU), 0);
}

/* ---- statistics ---- */

enum { MODEL_SLOTS = 300 };
static struct {
    void *data;
    size_t bytes;
} model_slots[MODEL_SLOTS];

static void give_model_slots(void *allocator) {
    for (size_t i = 0; i < MODEL_SLOTS; i++)
        if (model_slots[i].data)
            tni_allocator_give(allocator, model_slots[i].data, model_slots[i].bytes);
}

TEST_SAMPLED(statistics_agree_with_a_model_at_every_step) {
    tn_allocator *allocator = counting_caching(&raw_state, SIZE_MAX, 0, 0);
    CHECK(allocator);
    memset(model_slots, 0, sizeof model_slots);
    test_defer(give_model_slots, allocator);
    int64_t current = 0, peak = 0, allocated = 0, blocks = 0, blocks_peak = 0, blocks_allocated = 0;
    for (int step = 0; step < 20000; step++) {
        size_t i = (size_t)test_random_between(0, MODEL_SLOTS - 1);
        if (model_slots[i].data) {
            tni_allocator_give(allocator, model_slots[i].data, model_slots[i].bytes);
            model_slots[i].data = NULL;
            current -= (int64_t)model_slots[i].bytes;
            blocks--;
        } else {
            model_slots[i].bytes = (size_t)(step % 50 ? test_random_between(1, 3000) : test_random_between(1, 300000));
            model_slots[i].data = tni_allocator_take(allocator, model_slots[i].bytes);
            CHECK(model_slots[i].data);
            current += (int64_t)model_slots[i].bytes;
            allocated += (int64_t)model_slots[i].bytes;
            blocks++;
            blocks_allocated++;
        }
        peak = tni_max_i64(peak, current);
        blocks_peak = tni_max_i64(blocks_peak, blocks);
        if (step % 1000 == 999) {
            tn_allocator_reset_peaks(allocator);
            peak = current;
            blocks_peak = blocks;
        }
        if (step % 7 == 0) {
            tn_memory_stats stats = stats_of(allocator);
            CHECK_INT(stats.bytes.current, current);
            CHECK_INT(stats.bytes.peak, peak);
            CHECK_INT(stats.bytes.allocated, allocated);
            CHECK_INT(stats.bytes.freed, allocated - current);
            CHECK_INT(stats.blocks.current, blocks);
            CHECK_INT(stats.blocks.peak, blocks_peak);
            CHECK_INT(stats.blocks.allocated, blocks_allocated);
            CHECK_INT(stats.reserved.current, raw_state.live);
            CHECK(stats.cached >= stats.fragmented && stats.cached <= stats.reserved.current - stats.bytes.current);
        }
    }
}

TEST(what_is_cached_is_not_counted_by_the_raw_allocator) {
    tn_allocator *raw = counting_allocator(&raw_state, SIZE_MAX);
    tn_allocator *allocator = raw ? tn_caching_allocator_create(raw, NULL) : NULL;
    CHECK(allocator);
    CHECK_TEXT(tn_allocator_name(allocator), "counting caching");
    hold_there(allocator, 1000);
    CHECK_INT(stats_of(raw).bytes.current, 0);
    CHECK_INT(stats_of(allocator).bytes.current, 1000);
    CHECK(stats_of(allocator).reserved.current >= 1000);
}

/* ---- running out ---- */

TEST_ONCE(a_failure_carries_the_numbers_that_explain_it) { /* a failure is tried again, and counted */
    tn_allocator *allocator = counting_caching(&raw_state, 8 * MEGABYTE, MEGABYTE, 0);
    CHECK(allocator);
    hold_there(allocator, 4 * MEGABYTE);
    tn_data_ptr *half = hold_there(allocator, MEGABYTE / 2);
    hold_there(allocator, MEGABYTE / 2);
    tn_data_ptr_clear(half);
    CHECK_ERROR(
        TN_ERROR_MEMORY,
        "out of memory on cpu:0 (allocator \"counting caching\"): requested 5 MiB (5242880 bytes), in use 4.5 MiB (4718592 "
        "bytes), cached 512 KiB (524288 bytes), of which fragmented 512 KiB (524288 bytes)",
        tn_allocator_allocate(allocator, 5 * MEGABYTE));
    tn_memory_stats stats = stats_of(allocator);
    CHECK_INT(stats.retries, 1);
    CHECK_INT(stats.failures, 1);
    hold_there(allocator, 3 * MEGABYTE);
    CHECK_INT(stats_of(allocator).retries, 1);
}

TEST_SAMPLED(an_allocation_that_fits_once_the_caches_are_empty_succeeds) {
    tn_allocator *allocator = counting_caching(&raw_state, 8 * MEGABYTE, MEGABYTE, 0);
    CHECK(allocator);
    for (size_t i = 0; i < 6; i++)
        hold_there(allocator, MEGABYTE);
    for (size_t i = 0; i < 100; i++)
        hold_there(allocator, 1000);
    release_held(NULL);
    CHECK(hold_there(allocator, 7 * MEGABYTE)->data);
    CHECK_INT(stats_of(allocator).retries, 1);
    CHECK_INT(stats_of(allocator).failures, 0);
}

TEST_SAMPLED(little_memory_is_enough_for_little_blocks) {
    tn_allocator *allocator = counting_caching(&raw_state, 128 * 1024, 0, 0);
    CHECK(allocator);
    hold_there(allocator, 100);
    CHECK_INT(raw_state.live, 128 * 1024);
    release_held(NULL);
    hold_there(allocator, 100 * 1024);
    CHECK_INT(raw_state.live, 100 * 1024);
}

TEST_SAMPLED(the_caches_of_other_allocators_of_the_device_are_emptied_too) {
    tn_allocator *raw = counting_allocator(&raw_state, 8 * MEGABYTE);
    tn_allocator *one = tn_caching_allocator_create(raw, NULL), *two = tn_caching_allocator_create(raw, NULL);
    CHECK(one && two);
    tn_data_ptr_clear(hold_there(one, 6 * MEGABYTE));
    CHECK_INT(stats_of(one).cached, 6 * MEGABYTE);
    hold_there(two, 5 * MEGABYTE);
    CHECK_INT(stats_of(one).reserved.current, 0);
    CHECK_INT(stats_of(two).retries, 1);
}

static int pressure_calls, pressure_depth, pressure_depth_most;
static tn_allocator *pressure_allocator;
static bool relieve_by_releasing(void *ctx, tn_device device, size_t bytes) {
    (void)device, (void)bytes;
    pressure_calls++;
    pressure_depth++;
    pressure_depth_most = pressure_depth > pressure_depth_most ? pressure_depth : pressure_depth_most;
    tn_data_ptr none = tn_allocator_allocate(pressure_allocator, 100 * MEGABYTE); /* fails, and must not come back here */
    tn_error_clear();
    bool freed = !none.data && held_count > 0 && ctx != NULL;
    if (freed)
        release_held(NULL);
    tn_allocator_snapshot(pressure_allocator, NULL, 0); /* no lock is held */
    pressure_depth--;
    return freed;
}
static void remove_pressure_callback(void *unused) {
    (void)unused;
    tn_set_memory_pressure(NULL, NULL);
}

TEST_SAMPLED(the_pressure_callback_is_asked_last_and_never_inside_itself) {
    pressure_allocator = counting_caching(&raw_state, 8 * MEGABYTE, MEGABYTE, 0);
    CHECK(pressure_allocator);
    TEST_DEFER(remove_pressure_callback, NULL);
    pressure_calls = pressure_depth_most = 0;
    tn_set_memory_pressure(relieve_by_releasing, &raw_state);
    for (size_t i = 0; i < 8; i++)
        hold_there(pressure_allocator, MEGABYTE);
    CHECK_INT(pressure_calls, 0);
    void *data = tni_allocator_take(pressure_allocator, 6 * MEGABYTE); /* not in one piece in the cache: searched, then raw */
    CHECK(data);
    tni_allocator_give(pressure_allocator, data, 6 * MEGABYTE);
    CHECK_INT(pressure_calls, 1);
    CHECK_INT(pressure_depth_most, 1);
    CHECK_INT(tn_error_code(), TN_OK);
    for (size_t i = 0; i < 4; i++)
        hold_there(pressure_allocator, 2 * MEGABYTE);
    data = tni_allocator_take(pressure_allocator, 2 * MEGABYTE); /* found in the cache, filled by the callback */
    CHECK(data);
    tni_allocator_give(pressure_allocator, data, 2 * MEGABYTE);
    CHECK_INT(pressure_calls, 2);
    CHECK_ERROR(TN_ERROR_MEMORY, "requested 9 MiB", tn_allocator_allocate(pressure_allocator, 9 * MEGABYTE));
    CHECK_INT(pressure_calls, 3);
}

/* ---- options ---- */

TEST(options_are_checked) {
    tn_allocator *raw = counting_allocator(&raw_state, SIZE_MAX);
    CHECK(raw);
    tn_caching_options options = {0};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size is 0", tn_caching_allocator_create(raw, &options));
    options = (tn_caching_options){.struct_size = sizeof options, .small_limit = 256 * 1024 + 1};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "small_limit", tn_caching_allocator_create(raw, &options));
    options = (tn_caching_options){.struct_size = sizeof options, .segment_size = SIZE_MAX};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "segment_size", tn_caching_allocator_create(raw, &options));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "itself a caching", tn_caching_allocator_create(tn_cpu_allocator_caching(), NULL));
    options = (tn_caching_options){
        .struct_size = offsetof(tn_caching_options, segment_size), .small_limit = 100, .segment_size = SIZE_MAX};
    tn_allocator *older = tn_caching_allocator_create(raw, &options);
    CHECK(older);
    CHECK(hold_there(older, 128)->data && hold_there(older, 129)->data);
    options = (tn_caching_options){.struct_size = sizeof options, .small_limit = 256 * 1024, .segment_size = 1};
    tn_allocator *widest = tn_caching_allocator_create(raw, &options);
    CHECK(widest);
    for (size_t bytes = 1; bytes <= 300 * 1024; bytes = bytes * 2 + 1)
        memset(hold_there(widest, bytes)->data, 1, bytes);
}

TEST(one_thread_can_use_many_allocators_and_all_memory_goes_back) {
    enum { MANY = 20 };
    tn_allocator *raw = counting_allocator(&raw_state, SIZE_MAX), *many[MANY];
    CHECK(raw);
    for (size_t i = 0; i < MANY; i++) {
        many[i] = tn_caching_allocator_create(raw, NULL);
        CHECK(many[i]);
        hold_there(many[i], 10);
    }
    for (size_t i = 0; i < MANY; i++)
        hold_there(many[i], 20);
    for (size_t i = 0; i < MANY; i++)
        CHECK_INT(stats_of(many[i]).bytes.current, 30);
    release_held(NULL);
    for (size_t i = 0; i < MANY; i++) {
        CHECK_INT(stats_of(many[i]).bytes.current, 0);
        tn_allocator_release(tn_allocator_keep(many[i]));
    }
    CHECK_INT(raw_state.live, 0);
    CHECK_INT(raw_state.destroyed, 0);
}

TEST(memory_of_a_device_is_never_touched) {
    tn_allocator_functions functions = counting_functions(&raw_state, SIZE_MAX);
    functions.device = TN_DEVICE(TN_OPENCL, 0);
    tn_allocator *raw = tn_allocator_create(&functions);
    tn_allocator *allocator = raw ? tn_caching_allocator_create(raw, NULL) : NULL;
    CHECK(allocator);
    static const size_t sizes[] = {100, 100000};
    for (size_t i = 0; i < 2; i++) {
        tn_data_ptr *block = hold_there(allocator, sizes[i]);
        memset(block->data, 0x77, sizes[i]);
        const unsigned char *data = block->data;
        tn_data_ptr_clear(block);
        CHECK(hold_there(allocator, sizes[i])->data == data);
        for (size_t at = 0; at < sizes[i]; at++)
            CHECK_INT(data[at], 0x77);
    }
}

#if TNI_ASAN
#include <sanitizer/asan_interface.h>
TEST(address_sanitizer_knows_which_cached_memory_is_out_of_bounds) {
    tn_allocator *allocator = counting_caching(&raw_state, SIZE_MAX, 0, 0);
    CHECK(allocator);
    static const size_t sizes[] = {1, 100, 1000, 100000};
    for (size_t i = 0; i < TNI_COUNT_OF(sizes); i++) {
        tn_data_ptr *block = hold_there(allocator, sizes[i]);
        char *data = block->data;
        CHECK(!__asan_region_is_poisoned(data, sizes[i]));
        CHECK(__asan_address_is_poisoned(data + sizes[i]));
        tn_data_ptr_clear(block);
        CHECK(__asan_address_is_poisoned(data) && __asan_address_is_poisoned(data + sizes[i] - 1));
    }
}
#endif

/* ---- a model ---- */

TEST_SAMPLED(blocks_in_use_never_overlap_and_keep_their_contents) {
    tn_allocator *allocator = counting_caching(&raw_state, 40 * MEGABYTE, MEGABYTE, 10 * MEGABYTE);
    CHECK(allocator);
    enum { SLOTS = 500 };
    static struct {
        unsigned char *data;
        size_t bytes;
        unsigned char pattern;
    } slots[SLOTS];
    memset(slots, 0, sizeof slots);
    bool kept = true;
    for (int step = 0; step < 30000 && kept; step++) {
        size_t i = (size_t)test_random_between(0, SLOTS - 1);
        if (slots[i].data) {
            for (size_t at = 0; at < slots[i].bytes; at++)
                kept = kept && slots[i].data[at] == slots[i].pattern;
            tni_allocator_give(allocator, slots[i].data, slots[i].bytes);
            slots[i].data = NULL;
        } else {
            int64_t kind = test_random_between(0, 9);
            slots[i].bytes = (size_t)(kind < 7   ? test_random_between(1, 1000)
                                      : kind < 9 ? test_random_between(1, 50000)
                                                 : test_random_between(1, 400000));
            slots[i].pattern = (unsigned char)test_random();
            slots[i].data = tni_allocator_take(allocator, slots[i].bytes);
            tn_error_clear(); /* the budget may be used up */
            if (slots[i].data)
                memset(slots[i].data, slots[i].pattern, slots[i].bytes);
        }
        if (step % 5000 == 4999)
            tn_allocator_trim(allocator);
    }
    for (size_t i = 0; i < SLOTS; i++)
        if (slots[i].data)
            tni_allocator_give(allocator, slots[i].data, slots[i].bytes);
    CHECK(kept);
    CHECK_INT(stats_of(allocator).bytes.current, 0);
    tn_allocator_trim(allocator);
    CHECK_INT(raw_state.live, 0);
}
