/* memory.c - devices, data pointers, the built-in allocators, user-defined allocators, and which one is in use.
 *
 * Tests: src/memory/allocator.c, src/memory/cpu_allocator.c, src/memory/data_pointer.c, src/memory/device.c
 * Tests: src/memory/registry.c */
#include "memory_helpers.h"

#include "base/common.h"
#include "memory/allocator.h"

/* ---- devices ---- */

TEST(device_types_have_names) {
    CHECK_TEXT(tn_device_type_name(TN_CPU), "cpu");
    CHECK_TEXT(tn_device_type_name(TN_CUDA), "cuda");
    CHECK_TEXT(tn_device_type_name(TN_OPENCL), "opencl");
    CHECK_TEXT(tn_device_type_name(-1), "unknown");
    CHECK_TEXT(tn_device_type_name(TN_DEVICE_TYPES), "unknown");
    CHECK_TEXT(tn_device_type_name(INT32_MAX), "unknown");
}

TEST(a_device_type_can_be_registered_under_a_new_name) {
    int32_t type = tn_device_type_register("test-npu");
    CHECK(type >= TN_DEVICE_USER);
    CHECK_INT(tn_device_type_register("test-npu"), type);
    CHECK_TEXT(tn_device_type_name(type), "test-npu");
    tn_device device;
    CHECK_INT(tn_device_parse("test-npu:12", &device), TN_OK);
    CHECK_INT(device.type, type);
    CHECK_INT(device.index, 12);
}

TEST(a_bad_device_name_is_refused) {
    int32_t type = 0;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "name is NULL", type = tn_device_type_register(NULL));
    CHECK_INT(type, -1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "1 to 15", type = tn_device_type_register(""));
    CHECK_INT(type, -1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "1 to 15", type = tn_device_type_register("sixteen-letters!"));
    CHECK_INT(type, -1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "colon", type = tn_device_type_register("a:b"));
    CHECK_INT(type, -1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "built-in", type = tn_device_type_register("cpu"));
    CHECK_INT(type, -1);
}

/* In a child, because a registered type is never given up. */
TEST_ONCE(the_device_registry_has_an_end) { /* forks */
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        int32_t last = -1;
        char name[32];
        for (int i = 0; i < TN_DEVICE_TYPES; i++) {
            snprintf(name, sizeof name, "filler%d", i);
            int32_t type = tn_device_type_register(name);
            if (type < 0)
                break;
            last = type;
        }
        bool full = last == TN_META - 1 && tn_error_code() == TN_ERROR_DEVICE && strstr(tn_error_message(), "16");
        leave_child(full ? 0 : 1);
    }
    CHECK_INT(wait_for_child(child), 0);
}

TEST(a_device_is_read_from_text) {
    tn_device device = {-5, -5};
    CHECK_INT(tn_device_parse("cpu", &device), TN_OK);
    CHECK(tn_device_equal(device, TN_DEVICE_CPU));
    CHECK_INT(tn_device_parse("cuda:1", &device), TN_OK);
    CHECK(tn_device_equal(device, TN_DEVICE(TN_CUDA, 1)));
    CHECK(!tn_device_equal(device, TN_DEVICE(TN_CUDA, 0)));
    CHECK(!tn_device_equal(device, TN_DEVICE(TN_OPENCL, 1)));
    CHECK_INT(tn_device_parse("cuda:2147483647", &device), TN_OK);
    CHECK_INT(device.index, INT32_MAX);
}

TEST(text_that_names_no_device_is_an_error_and_changes_nothing) {
    static const char *const wrong[] = {"",
                                        "gpu",
                                        "cpu:",
                                        "cpu:-1",
                                        "cpu:01",
                                        "cpu: 1",
                                        "cpu:1x",
                                        "CPU",
                                        " cpu",
                                        "cpu:1:2",
                                        ":0",
                                        "cpuX",
                                        "cp",
                                        "cuda:2147483648",
                                        "cuda:+1",
                                        "cpu:0x1",
                                        "cuda:99999999999999999999"};
    tn_device device = {7, 7};
    for (size_t i = 0; i < TNI_COUNT_OF(wrong); i++) {
        CHECK_ERROR(TN_ERROR_DEVICE, "device_parse", tn_device_parse(wrong[i], &device));
        CHECK_INT(device.type, 7);
        CHECK_INT(device.index, 7);
    }
    CHECK_ERROR(TN_ERROR_ARGUMENT, "text is NULL", tn_device_parse(NULL, &device));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "out is NULL", tn_device_parse("cpu", NULL));
}

/* ---- data pointers ---- */

static int deletions;
static void *deleted_ctx;
static void count_deletion(void *ctx) {
    deletions++;
    deleted_ctx = ctx;
}
static void count_deletion_twice(void *ctx) {
    deletions += 2;
    deleted_ctx = ctx;
}

TEST(a_data_pointer_frees_its_ctx_once) {
    int value = 0, ctx = 0;
    deletions = 0;
    tn_data_ptr pointer = tn_data_ptr_make(&value, &ctx, count_deletion, TN_DEVICE(TN_CUDA, 3));
    CHECK(pointer.data == &value && pointer.ctx == &ctx && pointer.deleter == count_deletion);
    tn_data_ptr_clear(&pointer);
    CHECK_INT(deletions, 1);
    CHECK(deleted_ctx == &ctx);
    CHECK(!pointer.data && !pointer.ctx && !pointer.deleter);
    CHECK(tn_device_equal(pointer.device, TN_DEVICE(TN_CUDA, 3)));
    tn_data_ptr_clear(&pointer);
    tn_data_ptr_clear(NULL);
    CHECK_INT(deletions, 1);
}

TEST(the_deleter_runs_for_a_ctx_without_data_and_not_for_borrowed_data) {
    int value = 0;
    deletions = 0;
    tn_data_ptr empty = tn_data_ptr_make(NULL, &value, count_deletion, TN_DEVICE_CPU);
    tn_data_ptr_clear(&empty);
    CHECK_INT(deletions, 1);
    tn_data_ptr borrowed = tn_data_ptr_make(&value, NULL, count_deletion, TN_DEVICE_CPU);
    tn_data_ptr_clear(&borrowed);
    CHECK_INT(deletions, 1);
    tn_data_ptr without = tn_data_ptr_make(&value, &value, NULL, TN_DEVICE_CPU);
    tn_data_ptr_clear(&without);
    CHECK(!without.data);
}

TEST(moving_a_data_pointer_leaves_it_empty) {
    int value = 0;
    deletions = 0;
    tn_data_ptr first = tn_data_ptr_make(&value, &value, count_deletion, TN_DEVICE(TN_OPENCL, 2));
    CHECK(tn_data_ptr_is_simple(&first));
    tn_data_ptr second = tn_data_ptr_move(&first);
    CHECK(!first.data && !first.ctx && !first.deleter && tn_device_equal(first.device, second.device));
    CHECK(second.data == &value && second.ctx == &value);
    tn_data_ptr_clear(&first);
    CHECK_INT(deletions, 0);
    tn_data_ptr_clear(&second);
    CHECK_INT(deletions, 1);
    tn_data_ptr nothing = tn_data_ptr_move(NULL);
    CHECK(!nothing.data && !nothing.ctx);
}

TEST(ownership_can_be_taken_out_of_a_data_pointer) {
    int value = 0, ctx = 0;
    deletions = 0;
    tn_data_ptr pointer = tn_data_ptr_make(&value, &ctx, count_deletion, TN_DEVICE_CPU);
    CHECK(!tn_data_ptr_is_simple(&pointer));
    CHECK(tn_data_ptr_release_ctx(&pointer) == &ctx);
    CHECK(pointer.data == &value);
    tn_data_ptr_clear(&pointer);
    CHECK_INT(deletions, 0);
    CHECK(tn_data_ptr_release_ctx(NULL) == NULL);
    CHECK(!tn_data_ptr_is_simple(NULL));
}

TEST(a_deleter_is_exchanged_only_for_the_expected_one) {
    int value = 0;
    deletions = 0;
    tn_data_ptr pointer = tn_data_ptr_make(&value, &value, count_deletion, TN_DEVICE_CPU);
    CHECK(!tn_data_ptr_exchange_deleter(&pointer, count_deletion_twice, count_deletion));
    CHECK(tn_data_ptr_exchange_deleter(&pointer, count_deletion, count_deletion_twice));
    CHECK(!tn_data_ptr_exchange_deleter(NULL, count_deletion, count_deletion_twice));
    tn_data_ptr_clear(&pointer);
    CHECK_INT(deletions, 2);
}

/* ---- the built-in allocators ---- */

static void check_built_in(tn_allocator *allocator, const char *name) {
    CHECK_TEXT(tn_allocator_name(allocator), name);
    CHECK(tn_device_equal(tn_allocator_device(allocator), TN_DEVICE_CPU));
    static const size_t sizes[] = {1,       2,       63,      64,     65, 4095, 4096, 32768, 32769, 100000, (1 << 20) - 1,
                                   1 << 20, 3000001, 4 << 20, 5000000};
    for (size_t i = 0; i < TNI_COUNT_OF(sizes); i++) {
        tn_data_ptr *block = hold_there(allocator, sizes[i]);
        CHECK_INT((uintptr_t)block->data % 64, 0);
        CHECK(tn_device_equal(block->device, TN_DEVICE_CPU));
        memset(block->data, 0xa5, sizes[i]);
    }
}

TEST(built_in_memory_is_aligned_and_writable) {
    check_built_in(tn_cpu_allocator_plain(), "cpu");
    check_built_in(tn_cpu_allocator_caching(), "cpu caching");
    CHECK(tn_get_allocator(TN_CPU) == tn_cpu_allocator_caching());
    CHECK(tni_allocator_default(TN_CPU) == tn_cpu_allocator_caching());
}

TEST(a_plain_block_of_4_MiB_begins_at_a_huge_page) {
    tn_data_ptr *block = hold_there(tn_cpu_allocator_plain(), 4 << 20);
    if (!TNI_ASAN)
        CHECK_INT((uintptr_t)block->data % (2 << 20), 0);
    memset(block->data, 1, 4 << 20);
}

TEST(the_built_in_allocators_survive_any_number_of_releases) {
    tn_allocator *allocator = tn_cpu_allocator_caching();
    for (int i = 0; i < 5; i++)
        tn_allocator_release(allocator);
    CHECK(tn_allocator_retain(allocator) == allocator);
    CHECK(hold_there(allocator, 100)->data);
}

TEST(no_bytes_are_a_valid_allocation) {
    tn_data_ptr block = tn_allocator_allocate(tn_cpu_allocator_caching(), 0);
    CHECK(!block.data && !block.ctx);
    CHECK_INT(tn_error_code(), TN_OK);
    tn_data_ptr_clear(&block);
}

TEST(impossible_sizes_fail_with_an_error_that_says_so) {
    tn_allocator *allocators[] = {tn_cpu_allocator_plain(), tn_cpu_allocator_caching()};
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX / 2 + 1, PTRDIFF_MAX, PTRDIFF_MAX - 4096, (size_t)1 << 60};
    for (size_t a = 0; a < 2; a++)
        for (size_t i = 0; i < TNI_COUNT_OF(sizes); i++) {
            tn_data_ptr block = {0};
            CHECK_ERROR(TN_ERROR_MEMORY, "out of memory", block = tn_allocator_allocate(allocators[a], sizes[i]));
            CHECK(!block.data && !block.ctx);
        }
}

TEST_SAMPLED(a_failed_allocation_is_counted_and_shows_what_was_requested) {
    tn_allocator *allocator = tn_cpu_allocator_caching();
    int64_t failures = stats_of(allocator).failures;
    CHECK_ERROR(TN_ERROR_MEMORY, "requested 16 EiB (18446744073709551615 bytes)", tn_allocator_allocate(allocator, SIZE_MAX));
    CHECK_INT(stats_of(allocator).failures, failures + 1);
}

TEST(null_allocators_are_reported) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "allocator is NULL", tn_allocator_allocate(NULL, 8));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "allocator is NULL", tn_allocator_stats(NULL, &stats));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "allocator is NULL", tn_allocator_trace(NULL, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "allocator is NULL", tn_allocator_snapshot(NULL, NULL, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "allocator is NULL", tn_allocator_trim(NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "allocator is NULL", tn_allocator_reset_peaks(NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "allocator is NULL", tn_allocator_copy(NULL, &stats, &stats, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "allocator is NULL", tn_allocator_name(NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "raw is NULL", tn_caching_allocator_create(NULL, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "functions is NULL", tn_allocator_create(NULL));
    tn_allocator_release(NULL);
    CHECK(tn_allocator_retain(NULL) == NULL && tn_allocator_keep(NULL) == NULL);
}

/* ---- user-defined allocators ---- */

static counting_raw raw_state;

TEST(ones_own_allocator_is_asked_and_given_back_with_the_same_size) {
    tn_allocator *allocator = counting_allocator(&raw_state, SIZE_MAX);
    CHECK(allocator);
    CHECK_TEXT(tn_allocator_name(allocator), "counting");
    tn_data_ptr *block = hold_there(allocator, 1000);
    CHECK_INT(raw_state.allocations, 1);
    CHECK_INT(raw_state.live, 1000);
    CHECK_INT(tni_allocator_usable(allocator, 1000), 1000);
    tn_data_ptr_clear(block);
    CHECK_INT(raw_state.frees, 1);
    CHECK_INT(raw_state.live, 0);
    CHECK_INT(tn_allocator_trim(allocator), 0);
}

TEST(an_allocator_lives_as_long_as_its_blocks_and_is_destroyed_once) {
    tn_allocator *allocator = counting_allocator(&raw_state, SIZE_MAX);
    CHECK(allocator);
    tn_data_ptr *block = hold_there(allocator, 10);
    tn_allocator_release(tn_allocator_keep(allocator));
    CHECK_INT(raw_state.destroyed, 0);
    tn_data_ptr_clear(block);
    CHECK_INT(raw_state.destroyed, 1);
}

TEST(an_allocator_belongs_to_the_open_scope) {
    tn_scope scope = tn_scope_open();
    tn_allocator *allocator = counting_allocator(&raw_state, SIZE_MAX);
    CHECK(allocator);
    CHECK_INT(tn_scope_close(scope), TN_OK);
    CHECK_INT(raw_state.destroyed, 1);
}

TEST(an_incomplete_table_of_functions_is_refused) {
    tn_allocator_functions good = counting_functions(&raw_state, SIZE_MAX), bad = good;
    bad.struct_size = 0;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size is 0", tn_allocator_create(&bad));
    bad.struct_size = offsetof(tn_allocator_functions, free);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size", tn_allocator_create(&bad));
    bad.struct_size = SIZE_MAX;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size", tn_allocator_create(&bad));
    bad = good;
    bad.allocate = NULL;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "functions.allocate is NULL", tn_allocator_create(&bad));
    bad = good;
    bad.free = NULL;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "functions.free is NULL", tn_allocator_create(&bad));
    bad = good;
    bad.device = TN_DEVICE(TN_DEVICE_TYPES, 0);
    CHECK_ERROR(TN_ERROR_DEVICE, "not a device", tn_allocator_create(&bad));
    bad.device = TN_DEVICE(TN_CPU, -1);
    CHECK_ERROR(TN_ERROR_DEVICE, "not a device", tn_allocator_create(&bad));
    CHECK_INT(raw_state.destroyed, 0);
}

TEST(a_table_of_an_older_or_a_newer_version_is_understood) {
    struct newer {
        tn_allocator_functions known;
        void *later;
    } table = {.known = counting_functions(&raw_state, SIZE_MAX)};
    table.known.struct_size = offsetof(tn_allocator_functions, copy);
    tn_allocator *older = tn_allocator_create(&table.known);
    CHECK(older);
    tn_data_ptr_clear(hold_there(older, 3));
    table.known.struct_size = sizeof table;
    CHECK(tn_allocator_create(&table.known));
    table.later = &table;
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "does not know", tn_allocator_create(&table.known));
}

TEST(an_allocator_without_a_name_has_one) {
    tn_allocator_functions functions = counting_functions(&raw_state, SIZE_MAX);
    functions.name = NULL;
    tn_allocator *allocator = tn_allocator_create(&functions);
    CHECK(allocator);
    CHECK_TEXT(tn_allocator_name(allocator), "unnamed");
}

TEST(memory_that_is_not_aligned_is_refused_and_given_back) {
    tn_allocator *allocator = counting_allocator(&raw_state, SIZE_MAX);
    CHECK(allocator);
    raw_state.misalign = 16;
    tn_data_ptr block = {0};
    CHECK_ERROR(TN_ERROR_MEMORY, "", block = tn_allocator_allocate(allocator, 100));
    CHECK(!block.data);
    CHECK_INT(raw_state.live, 0);
}

TEST_SAMPLED(an_error_says_that_memory_was_not_aligned_also_under_a_cache_and_not_afterwards) {
    tn_allocator *raw = counting_allocator(&raw_state, SIZE_MAX),
                 *caching = raw ? tn_caching_allocator_create(raw, NULL) : NULL;
    CHECK(caching);
    raw_state.misalign = 16;
    CHECK_ERROR(TN_ERROR_MEMORY, "was not aligned to 64 bytes", tn_allocator_allocate(raw, 100));
    CHECK_ERROR(TN_ERROR_MEMORY, "was not aligned to 64 bytes", tn_allocator_allocate(caching, 100));
    CHECK_ERROR(TN_ERROR_MEMORY, "was not aligned to 64 bytes", tn_allocator_allocate(caching, 1 << 20));
    CHECK_INT(raw_state.live, 0);
    raw_state.misalign = 0;
    CHECK(hold_there(raw, 100)->data && hold_there(caching, 100)->data);
    CHECK_ERROR(TN_ERROR_MEMORY, "out of memory", tn_allocator_allocate(raw, SIZE_MAX));
}

static size_t erratic_offset;
static void *erratic_allocate(void *ctx, size_t bytes) {
    char *data = counting_functions(ctx, SIZE_MAX).allocate(ctx, bytes + 64);
    erratic_offset = erratic_offset ? 0 : 16;
    return data ? data + erratic_offset : NULL;
}
static void erratic_free(void *ctx, void *data, size_t bytes) {
    counting_functions(ctx, SIZE_MAX).free(ctx, (char *)data - (uintptr_t)data % 64, bytes + 64);
}

TEST_SAMPLED(an_allocation_that_succeeds_at_the_second_attempt_leaves_no_error) {
    tn_allocator_functions functions = counting_functions(&raw_state, SIZE_MAX);
    functions.allocate = erratic_allocate;
    functions.free = erratic_free;
    erratic_offset = 0;
    tn_allocator *allocator = tn_allocator_create(&functions);
    CHECK(allocator);
    CHECK(hold_there(allocator, 100)->data);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(a_budget_that_is_used_up_is_an_error_with_the_numbers) {
    tn_allocator *allocator = counting_allocator(&raw_state, 5000);
    CHECK(allocator);
    hold_there(allocator, 3000);
    CHECK_ERROR(TN_ERROR_MEMORY, "out of memory on cpu:0 (allocator \"counting\"): requested ",
                tn_allocator_allocate(allocator, 2001));
    CHECK(hold_there(allocator, 2000)->data);
}

/* ---- copying ---- */

static tn_error counting_copy(void *ctx, void *target, const void *source, size_t bytes) {
    ((counting_raw *)ctx)->copies++;
    memcpy(target, source, bytes);
    return TN_OK;
}
static tn_error failing_copy(void *ctx, void *target, const void *source, size_t bytes) {
    (void)ctx, (void)target, (void)source, (void)bytes;
    return TN_ERROR_DEVICE;
}

TEST(an_allocator_copies_with_its_own_function_or_memcpy) {
    char from[] = "abcdef", to[7] = "";
    CHECK_INT(tn_allocator_copy(tn_cpu_allocator_caching(), to, from, 7), TN_OK);
    CHECK_TEXT(to, "abcdef");
    tn_allocator_functions functions = counting_functions(&raw_state, SIZE_MAX);
    functions.copy = counting_copy;
    tn_allocator *raw = tn_allocator_create(&functions);
    tn_allocator *caching = raw ? tn_caching_allocator_create(raw, NULL) : NULL;
    CHECK(caching);
    CHECK_INT(tn_allocator_copy(raw, to, "ghijkl", 7), TN_OK);
    CHECK_TEXT(to, "ghijkl");
    CHECK_INT(tn_allocator_copy(caching, to, from, 7), TN_OK);
    CHECK_INT(raw_state.copies, 2);
    CHECK_INT(tn_allocator_copy(raw, NULL, NULL, 0), TN_OK);
    CHECK_INT(raw_state.copies, 2);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "target is NULL", tn_allocator_copy(raw, NULL, from, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "source is NULL", tn_allocator_copy(raw, to, NULL, 1));
}

TEST(a_copy_that_fails_names_the_allocator) {
    tn_allocator_functions functions = counting_functions(&raw_state, SIZE_MAX);
    functions.copy = failing_copy;
    tn_allocator *allocator = tn_allocator_create(&functions);
    CHECK(allocator);
    char byte = 0;
    CHECK_ERROR(TN_ERROR_DEVICE, "\"counting\" could not copy 1 bytes", tn_allocator_copy(allocator, &byte, &byte, 1));
}

static tn_error nonsense_copy(void *ctx, void *target, const void *source, size_t bytes) {
    (void)ctx, (void)target, (void)source, (void)bytes;
    return (tn_error)-7;
}

TEST(a_copy_that_fails_with_a_code_that_does_not_exist_is_a_device_error) {
    tn_allocator_functions functions = counting_functions(&raw_state, SIZE_MAX);
    functions.copy = nonsense_copy;
    tn_allocator *allocator = tn_allocator_create(&functions);
    CHECK(allocator);
    char byte = 0;
    CHECK_ERROR(TN_ERROR_DEVICE, "could not copy", tn_allocator_copy(allocator, &byte, &byte, 1));
}

/* ---- the registry ---- */

static void restore_cpu_allocator(void *unused) {
    (void)unused;
    tn_set_allocator(TN_CPU, NULL, 0);
}

TEST(the_allocator_in_use_is_the_one_with_the_highest_priority) {
    static counting_raw second_state;
    tn_allocator *low = counting_allocator(&raw_state, SIZE_MAX), *high = counting_allocator(&second_state, SIZE_MAX);
    CHECK(low && high);
    TEST_DEFER(restore_cpu_allocator, NULL);
    CHECK_INT(tn_set_allocator(TN_CPU, low, -1), TN_OK);
    CHECK(tn_get_allocator(TN_CPU) == tn_cpu_allocator_caching());
    CHECK_INT(tn_set_allocator(TN_CPU, low, 0), TN_OK);
    CHECK(tn_get_allocator(TN_CPU) == low);
    CHECK_INT(tn_set_allocator(TN_CPU, high, 7), TN_OK);
    CHECK(tn_get_allocator(TN_CPU) == high);
    CHECK_INT(tn_set_allocator(TN_CPU, low, 6), TN_OK);
    CHECK(tn_get_allocator(TN_CPU) == high);
    CHECK_INT(tn_set_allocator(TN_CPU, low, 7), TN_OK);
    CHECK(tn_get_allocator(TN_CPU) == low);
    CHECK(tni_allocator_default_held(TN_CPU) == low);
    tni_allocator_drop(low);
    CHECK_INT(tn_set_allocator(TN_CPU, NULL, 0), TN_OK);
    CHECK(tn_get_allocator(TN_CPU) == tn_cpu_allocator_caching());
    CHECK(tni_allocator_default_held(TN_CPU) == tn_cpu_allocator_caching());
}

TEST(the_registry_holds_its_allocator) {
    tn_allocator *allocator = counting_allocator(&raw_state, SIZE_MAX);
    CHECK(allocator);
    TEST_DEFER(restore_cpu_allocator, NULL);
    CHECK_INT(tn_set_allocator(TN_CPU, allocator, 1), TN_OK);
    tn_allocator_release(tn_allocator_keep(allocator));
    CHECK_INT(raw_state.destroyed, 0);
    hold_there(tn_get_allocator(TN_CPU), 77);
    CHECK_INT(raw_state.live, 77);
    CHECK_INT(tn_set_allocator(TN_CPU, NULL, 0), TN_OK);
    CHECK_INT(raw_state.destroyed, 0);
    release_held(NULL);
    CHECK_INT(raw_state.destroyed, 1);
}

static void forget_cuda_allocator(void *unused) {
    (void)unused;
    tn_set_allocator(TN_CUDA, NULL, 0);
}

TEST(a_device_type_has_no_allocator_until_it_is_given_one) {
    CHECK_ERROR(TN_ERROR_DEVICE, "no allocator for device type \"cuda\"", tn_get_allocator(TN_CUDA));
    CHECK_ERROR(TN_ERROR_DEVICE, "no allocator", tni_allocator_default_held(TN_CUDA));
    CHECK_ERROR(TN_ERROR_DEVICE, "no allocator", tn_get_allocator(-1));
    CHECK_ERROR(TN_ERROR_DEVICE, "no allocator", tn_get_allocator(1000));
    CHECK_ERROR(TN_ERROR_DEVICE, "no allocator", tn_empty_cache(TN_CUDA));
    tn_allocator_functions functions = counting_functions(&raw_state, SIZE_MAX);
    functions.device = TN_DEVICE(TN_CUDA, 2);
    tn_allocator *allocator = tn_allocator_create(&functions);
    CHECK(allocator);
    CHECK_ERROR(TN_ERROR_DEVICE, "is for device type \"cuda\", not \"cpu\"", tn_set_allocator(TN_CPU, allocator, 1));
    CHECK_ERROR(TN_ERROR_DEVICE, "no device type 16", tn_set_allocator(TN_DEVICE_TYPES, allocator, 1));
    TEST_DEFER(forget_cuda_allocator, NULL);
    CHECK_INT(tn_set_allocator(TN_CUDA, allocator, -3), TN_OK);
    CHECK(tn_get_allocator(TN_CUDA) == allocator);
    CHECK_INT(tn_empty_cache(TN_CUDA), 0);
    tn_data_ptr *block = hold_there(allocator, 5);
    CHECK(tn_device_equal(block->device, TN_DEVICE(TN_CUDA, 2)));
}
