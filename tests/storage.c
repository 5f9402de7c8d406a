/* storage.c - what tenon/storage.h promises, but for what changes them (storage_change.c), lazy clones
 * (lazy_clone.c) and mapped files (mapped_file.c). */
#include "test.h"

#include "memory/storage.h"
#include "storage_helpers.h"

TEST(a_new_storage_is_what_was_asked_for) {
    tn_storage *storage = tn_storage_create(48, TN_FLOAT32, NULL);
    CHECK(storage);
    CHECK_INT(tn_storage_nbytes(storage), 48);
    CHECK_INT(tn_storage_itemsize(storage), 4);
    CHECK_INT(tn_storage_numel(storage), 12);
    CHECK_INT(tn_storage_dtype(storage), TN_FLOAT32);
    CHECK(tn_storage_capacity(storage) >= 48);
    CHECK(tn_device_equal(tn_storage_device(storage), TN_DEVICE_CPU));
    CHECK(tn_storage_allocator(storage) == tn_get_allocator(TN_CPU));
    CHECK(tn_storage_resizable(storage));
    CHECK(!tn_storage_readonly(storage));
    CHECK(!tn_storage_received(storage));
    CHECK(!tn_storage_is_lazy(storage));
    CHECK_INT(tn_storage_version(storage), 0);
    CHECK_INT(tn_storage_use_count(storage), 1);
    CHECK(tn_storage_unique(storage));
    CHECK(tn_storage_data(storage));
    CHECK_INT((uintptr_t)tn_storage_data(storage) % 64, 0);
    CHECK(tn_storage_mutable_data(storage) == tn_storage_data(storage));
    memset(tn_storage_mutable_data(storage), 7, 48);
    CHECK(all_bytes_are(storage, 7));
}

TEST(a_storage_of_zero_bytes_is_an_ordinary_storage_without_data) {
    tn_storage *storage = tn_storage_create(0, TN_INT64, NULL);
    CHECK(storage);
    CHECK_INT(tn_storage_nbytes(storage), 0);
    CHECK_INT(tn_storage_numel(storage), 0);
    CHECK(!tn_storage_data(storage));
    CHECK(!tn_storage_mutable_data(storage));
    CHECK(!tn_storage_data_as(storage, TN_INT64));
    CHECK(!tn_storage_mutable_data_as(storage, TN_INT64));
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(plain_bytes_are_the_default_and_a_remainder_is_not_an_element) {
    tn_storage *bytes = tn_storage_create(7, TN_DTYPE_DEFAULT, NULL), *numbers = tn_storage_create(7, TN_INT32, NULL);
    CHECK(bytes && numbers);
    CHECK_INT(tn_storage_dtype(bytes), TN_UINT8);
    CHECK_INT(tn_storage_numel(bytes), 7);
    CHECK_INT(tn_storage_numel(numbers), 1);
    CHECK_INT(tn_storage_nbytes(numbers), 7);
}

TEST(a_storage_that_cannot_be_is_refused) {
    CHECK_ERROR(TN_ERROR_DTYPE, "storage_create: dtype is 99", tn_storage_create(8, (tn_dtype)99, NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "dtype is -1", tn_storage_create(8, (tn_dtype)-1, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "bytes is 18446744073709551615", tn_storage_create(SIZE_MAX, TN_UINT8, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "bytes is 9223372036854775808", tn_storage_create((size_t)1 << 63, TN_UINT8, NULL));
    CHECK_ERROR(TN_ERROR_MEMORY, "memory", tn_storage_create(PTRDIFF_MAX, TN_UINT8, NULL));
    CHECK_TEXT(tn_error_message(), "");
    tn_storage *storage = tn_storage_create(8, TN_UINT8, NULL);
    CHECK(storage);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "allocator is not", tn_storage_create(8, TN_UINT8, (tn_allocator *)(void *)storage));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "allocator is not", tn_storage_clone(storage, (tn_allocator *)(void *)storage));
}

TEST(a_storage_holds_its_allocator_and_gives_back_what_it_took) {
    static counting_allocator counts;
    counts = (counting_allocator){0};
    tn_scope scope = tn_scope_open();
    tn_allocator *allocator = counting_allocator_make(&counts, TN_DEVICE_CPU);
    tn_storage *storage = allocator ? tn_storage_create(100, TN_UINT8, allocator) : NULL;
    bool right = storage && tn_storage_allocator(storage) == allocator && counts.taken_bytes == 100 && counts.blocks == 1;
    tn_allocator_release(allocator);
    bool alive = counts.destroyed == 0;
    if (storage && tn_storage_resize(storage, 1000) != TN_OK)
        right = false;
    right = right && counts.taken_bytes == 1000 && counts.blocks == 1;
    tn_scope_close(scope);
    CHECK_INT(counts.blocks, 0);
    CHECK_INT(counts.taken_bytes, 0);
    CHECK(allocator);
    CHECK_INT(counts.destroyed, 1);
    CHECK(right);
    CHECK(alive);
}

TEST(a_storage_is_on_the_device_of_its_allocator) {
    static counting_allocator counts;
    counts = (counting_allocator){0};
    tn_scope scope = tn_scope_open();
    tn_allocator *allocator = counting_allocator_make(&counts, TN_DEVICE(TN_CUDA, 3));
    tn_storage *storage = allocator ? tn_storage_create(100, TN_UINT8, allocator) : NULL;
    tn_allocator_release(allocator);
    bool there = storage && tn_device_equal(tn_storage_device(storage), TN_DEVICE(TN_CUDA, 3));
    tn_scope_close(scope);
    CHECK(there);
}

TEST(references_are_counted) {
    CHECK_INT(tn_storage_use_count(NULL), 0);
    CHECK(!tn_storage_unique(NULL));
    CHECK(!tn_storage_retain(NULL));
    tn_storage_release(NULL);
    CHECK_INT(tn_error_code(), TN_OK);
    tn_storage *storage = tn_storage_create(8, TN_UINT8, NULL);
    CHECK(storage);
    CHECK(tn_storage_retain(storage) == storage);
    CHECK_INT(tn_storage_use_count(storage), 2);
    CHECK(!tn_storage_unique(storage));
    tn_storage_release(storage);
    CHECK_INT(tn_storage_use_count(storage), 1);
    CHECK(tn_storage_unique(storage));
}

TEST(a_kept_storage_outlives_its_scope_and_the_others_do_not) {
    static int deleted[2];
    deleted[0] = deleted[1] = 0;
    tn_scope scope = tn_scope_open();
    tn_data_ptr first = tn_data_ptr_make(deleted, &deleted[0], count_deletion, TN_DEVICE_CPU);
    tn_data_ptr second = tn_data_ptr_make(deleted, &deleted[1], count_deletion, TN_DEVICE_CPU);
    tn_storage *kept = tn_storage_keep(tn_storage_from_pointer(&first, 4, TN_UINT8));
    tn_storage *gone = tn_storage_from_pointer(&second, 4, TN_UINT8);
    tn_scope_close(scope);
    CHECK_INT(deleted[0], 0);
    CHECK_INT(deleted[1], gone ? 1 : 0);
    bool owned = kept && tn_storage_unique(kept);
    bool again = tn_storage_keep(kept) == kept;
    tn_storage_release(kept);
    CHECK(kept && gone);
    CHECK(owned && again);
    CHECK_INT(deleted[0], 1);
    CHECK_INT(deleted[1], 1);
}

TEST(a_foreign_pointer_is_moved_in_and_deleted_once_with_its_ctx) {
    static int deleted;
    deleted = 0;
    static char bytes[16];
    memset(bytes, 3, sizeof bytes);
    tn_data_ptr pointer = tn_data_ptr_make(bytes, &deleted, count_deletion, TN_DEVICE_CPU);
    tn_scope scope = tn_scope_open();
    tn_storage *storage = tn_storage_from_pointer(&pointer, sizeof bytes, TN_INT32);
    CHECK(storage);
    CHECK(!pointer.data && !pointer.ctx);
    CHECK(tn_storage_data(storage) == bytes);
    CHECK(tn_storage_mutable_data(storage) == bytes);
    CHECK_INT(tn_storage_numel(storage), 4);
    CHECK_INT(tn_storage_capacity(storage), 16);
    CHECK(!tn_storage_allocator(storage));
    CHECK(!tn_storage_resizable(storage));
    CHECK(tn_storage_retain(storage));
    tn_storage_release(storage);
    CHECK_INT(deleted, 0);
    tn_scope_close(scope);
    CHECK_INT(deleted, 1);
}

TEST_SAMPLED(a_pointer_stays_with_the_caller_when_there_is_no_memory_for_the_storage_or_its_place_in_the_scope) {
    static int deleted;
    deleted = 0;
    static char bytes[8];
    tn_storage *filler = tn_storage_create(8, TN_UINT8, NULL);
    CHECK(filler);
    tni_thread *thread = tni_thread_get();
    while (thread->scoped_count < thread->scoped_capacity)
        CHECK(tni_scope_push(thread, &tn_storage_retain(filler)->object));
    tn_data_ptr pointer = tn_data_ptr_make(bytes, &deleted, count_deletion, TN_DEVICE_CPU);
    tn_storage *storage = NULL;
    int failures = 0;
    while (FAILING(failures + 1, storage = tn_storage_from_pointer(&pointer, 8, TN_UINT8))) {
        failures++;
        CHECK(!storage);
        CHECK_INT(deleted, 0);
        CHECK(pointer.data == bytes && pointer.ctx == &deleted && pointer.deleter == count_deletion);
    }
    CHECK_INT(failures, 2);
    CHECK(storage);
    CHECK(!pointer.data && !pointer.ctx);
}

TEST(a_pointer_without_data_still_has_its_ctx_deleted) {
    static int deleted;
    deleted = 0;
    tn_data_ptr pointer = tn_data_ptr_make(NULL, &deleted, count_deletion, TN_DEVICE_CPU);
    tn_scope scope = tn_scope_open();
    tn_storage *storage = tn_storage_from_pointer(&pointer, 0, TN_FLOAT64);
    CHECK(storage);
    CHECK_INT(tn_storage_nbytes(storage), 0);
    CHECK(!tn_storage_data(storage));
    tn_scope_close(scope);
    CHECK_INT(deleted, 1);
}

TEST(borrowed_memory_is_written_through_and_never_freed) {
    static char bytes[8];
    memset(bytes, 0, sizeof bytes);
    tn_data_ptr pointer = tn_data_ptr_make(bytes, NULL, count_deletion, TN_DEVICE_CPU);
    tn_storage *storage = tn_storage_from_pointer(&pointer, sizeof bytes, TN_UINT8);
    CHECK(storage);
    CHECK(tn_storage_mutable_data(storage));
    memset(tn_storage_mutable_data(storage), 9, 8);
    CHECK_INT(bytes[0], 9);
    CHECK_INT(bytes[7], 9);
    CHECK_ERROR(TN_ERROR_STATE, "not resizable, as its memory came from a pointer", tn_storage_resize(storage, 4));
    CHECK_ERROR(TN_ERROR_STATE, "storage_set_resizable: the memory came from a pointer",
                tn_storage_set_resizable(storage, true));
    CHECK_INT(tn_storage_set_resizable(storage, false), TN_OK);
    CHECK_INT(tn_storage_nbytes(storage), 8);
}

TEST(a_pointer_that_cannot_be_taken_is_left_alone) {
    static int deleted;
    deleted = 0;
    static char bytes[8];
    tn_data_ptr pointer = tn_data_ptr_make(bytes, &deleted, count_deletion, TN_DEVICE_CPU);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "storage_from_pointer: pointer is NULL", tn_storage_from_pointer(NULL, 8, TN_UINT8));
    CHECK_ERROR(TN_ERROR_DTYPE, "no such dtype", tn_storage_from_pointer(&pointer, 8, (tn_dtype)77));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "more than any block", tn_storage_from_pointer(&pointer, SIZE_MAX, TN_UINT8));
    tn_data_ptr hollow = tn_data_ptr_make(NULL, &deleted, count_deletion, TN_DEVICE_CPU);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "data NULL, but is said to hold 8 bytes", tn_storage_from_pointer(&hollow, 8, TN_UINT8));
    tn_data_ptr nowhere = tn_data_ptr_make(bytes, &deleted, count_deletion, TN_DEVICE(-1, 0));
    CHECK_ERROR(TN_ERROR_DEVICE, "no such device", tn_storage_from_pointer(&nowhere, 8, TN_UINT8));
    nowhere.device = TN_DEVICE(TN_DEVICE_TYPES, 0);
    CHECK_ERROR(TN_ERROR_DEVICE, "no such device", tn_storage_from_pointer(&nowhere, 8, TN_UINT8));
    nowhere.device = TN_DEVICE(TN_CPU, -2);
    CHECK_ERROR(TN_ERROR_DEVICE, "{0, -2}", tn_storage_from_pointer(&nowhere, 8, TN_UINT8));
    CHECK_INT(deleted, 0);
    CHECK(pointer.data == bytes && pointer.ctx == &deleted && pointer.deleter == count_deletion);
    CHECK(hollow.ctx == &deleted && nowhere.ctx == &deleted);
}

TEST(a_read_only_storage_refuses_every_way_to_write) {
    tn_storage *storage = tn_storage_create(8, TN_INT64, NULL), *empty = tn_storage_create(0, TN_INT64, NULL);
    CHECK(storage && empty);
    memset(tn_storage_mutable_data(storage), 1, 8);
    CHECK_INT(tn_storage_set_readonly(storage), TN_OK);
    CHECK_INT(tn_storage_set_readonly(empty), TN_OK);
    CHECK(tn_storage_readonly(storage));
    CHECK_ERROR(TN_ERROR_READONLY, "storage_mutable_data: the storage of 8 bytes is read-only",
                tn_storage_mutable_data(storage));
    CHECK_ERROR(TN_ERROR_READONLY, "storage_mutable_data_as", tn_storage_mutable_data_as(storage, TN_INT64));
    CHECK_ERROR(TN_ERROR_READONLY, "storage of 0 bytes is read-only", tn_storage_mutable_data(empty));
    CHECK(!tni_storage_write(storage));
    CHECK_INT(tn_error_take(NULL), TN_ERROR_READONLY);
    CHECK_ERROR(TN_ERROR_READONLY, "storage_resize", tn_storage_resize(storage, 4));
    CHECK_ERROR(TN_ERROR_READONLY, "storage_resize", tn_storage_resize(storage, 4000));
    static char bytes[8];
    tn_data_ptr pointer = tn_data_ptr_make(bytes, NULL, NULL, TN_DEVICE_CPU);
    CHECK_ERROR(TN_ERROR_READONLY, "storage_replace", tn_storage_replace(storage, &pointer, 8));
    CHECK(pointer.data == bytes);
    CHECK_INT(tn_storage_nbytes(storage), 8);
    CHECK(tn_storage_data(storage) && tn_storage_data_as(storage, TN_INT64));
    CHECK(all_bytes_are(storage, 1));
}

TEST(the_received_mark_is_kept) {
    tn_storage *storage = tn_storage_create(8, TN_INT64, NULL);
    CHECK(storage);
    CHECK_INT(tn_storage_set_received(storage, true), TN_OK);
    CHECK(tn_storage_received(storage));
    CHECK_INT(tn_storage_set_received(storage, false), TN_OK);
    CHECK(!tn_storage_received(storage));
}

TEST(typed_pointers_check_the_dtype) {
    tn_storage *storage = tn_storage_create(8, TN_FLOAT32, NULL);
    CHECK(storage);
    CHECK(tn_storage_data_as(storage, TN_FLOAT32) == tn_storage_data(storage));
    CHECK(tn_storage_mutable_data_as(storage, TN_FLOAT32) == tn_storage_mutable_data(storage));
    CHECK_ERROR(TN_ERROR_DTYPE, "storage_data_as: the storage was made for float32, not for int64",
                tn_storage_data_as(storage, TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "storage_mutable_data_as", tn_storage_mutable_data_as(storage, TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "not for unknown", tn_storage_data_as(storage, (tn_dtype)55));
    CHECK_ERROR(TN_ERROR_DTYPE, "not for", tn_storage_data_as(storage, TN_DTYPE_DEFAULT));
}

TEST(typed_pointers_check_the_alignment_of_foreign_memory) {
    _Alignas(16) static char bytes[64];
    const struct {
        tn_dtype dtype;
        size_t offset;
        bool fits;
    } cases[] = {{TN_UINT8, 1, true},      {TN_FLOAT32, 2, false},   {TN_FLOAT32, 4, true}, {TN_COMPLEX64, 4, true},
                 {TN_COMPLEX64, 6, false}, {TN_COMPLEX128, 8, true}, {TN_FLOAT64, 4, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_data_ptr pointer = tn_data_ptr_make(bytes + cases[i].offset, NULL, NULL, TN_DEVICE_CPU);
        tn_storage *storage = tn_storage_from_pointer(&pointer, 32, cases[i].dtype);
        CHECK(storage);
        CHECK(tn_storage_data(storage) == bytes + cases[i].offset);
        if (cases[i].fits)
            CHECK(tn_storage_data_as(storage, cases[i].dtype) == bytes + cases[i].offset);
        else
            CHECK_ERROR(TN_ERROR_DTYPE, "not a multiple of", tn_storage_data_as(storage, cases[i].dtype));
    }
}

TEST(the_version_counts_writes_and_wraps) {
    tn_storage *storage = tn_storage_create(8, TN_UINT8, NULL);
    CHECK(storage);
    CHECK(tn_storage_mutable_data(storage));
    CHECK_INT(tn_storage_version(storage), 0);
    tni_storage_bump(storage);
    tni_storage_bump(storage);
    CHECK_INT(tn_storage_version(storage), 2);
    atomic_store(&storage->version, UINT32_MAX);
    tni_storage_bump(storage);
    CHECK_INT(tn_storage_version(storage), 0);
}

/* Calls every function that takes a storage, and checks the value it returns for a handle that is not one. */
static void every_function_refuses(tn_storage *storage, tn_error code, const char *why) {
    static char bytes[8];
    tn_data_ptr pointer = tn_data_ptr_make(bytes, NULL, NULL, TN_DEVICE_CPU);
    tn_error error = TN_OK;
#define REFUSES(call, value)                                                                                                   \
    CHECK_ERROR(code, why, error = (call) == (value) ? code : TN_ERROR_INTERNAL);                                              \
    CHECK_INT(error, code)
    REFUSES(tn_storage_keep(storage), NULL);
    REFUSES(tn_storage_nbytes(storage), 0);
    REFUSES(tn_storage_capacity(storage), 0);
    REFUSES(tn_storage_itemsize(storage), 0);
    REFUSES(tn_storage_numel(storage), 0);
    REFUSES(tn_storage_dtype(storage), TN_DTYPE_DEFAULT);
    REFUSES(tn_storage_device(storage).type, TN_CPU);
    REFUSES(tn_storage_allocator(storage), NULL);
    REFUSES(tn_storage_resizable(storage), false);
    REFUSES(tn_storage_set_resizable(storage, true), code);
    REFUSES(tn_storage_readonly(storage), false);
    REFUSES(tn_storage_set_readonly(storage), code);
    REFUSES(tn_storage_received(storage), false);
    REFUSES(tn_storage_set_received(storage, true), code);
    REFUSES(tn_storage_version(storage), 0);
    REFUSES(tn_storage_data(storage), NULL);
    REFUSES(tn_storage_mutable_data(storage), NULL);
    REFUSES(tn_storage_data_as(storage, TN_UINT8), NULL);
    REFUSES(tn_storage_mutable_data_as(storage, TN_UINT8), NULL);
    REFUSES(tn_storage_resize(storage, 1), code);
    REFUSES(tn_storage_replace(storage, &pointer, 8), code);
    REFUSES(tn_storage_lazy_clone(storage), NULL);
    REFUSES(tn_storage_is_lazy(storage), false);
    REFUSES(tn_storage_clone(storage, NULL), NULL);
    if (storage) {
        REFUSES(tn_storage_retain(storage), NULL);
        REFUSES(tn_storage_use_count(storage), 0);
        REFUSES(tn_storage_unique(storage), false);
        REFUSES((tn_storage_release(storage), 0), 0);
    }
#undef REFUSES
    CHECK(pointer.data == bytes);
}

TEST(null_is_an_error_in_every_function_that_is_not_null_safe) {
    every_function_refuses(NULL, TN_ERROR_ARGUMENT, "storage is NULL");
}

TEST(a_handle_of_another_kind_is_refused) {
    tn_allocator *allocator = tn_get_allocator(TN_CPU);
    every_function_refuses((tn_storage *)(void *)allocator, TN_ERROR_ARGUMENT, "storage is not a storage");
}

#if !TNI_ASAN /* which would rightly stop at the first use of the released handle */
TEST(a_released_handle_is_refused) {
    tn_storage *storage = tn_storage_keep(tn_storage_create(8, TN_UINT8, NULL));
    CHECK(storage);
    tn_storage_release(storage);
    every_function_refuses(storage, TN_ERROR_STATE, "already released");
}
#endif

static tn_storage *made_by_deleter;
static void make_a_storage(void *ctx) {
    (void)ctx;
    made_by_deleter = tn_storage_create(8, TN_UINT8, NULL);
}

TEST(a_deleter_may_call_tenon) {
    static char bytes[8];
    made_by_deleter = NULL;
    tn_data_ptr pointer = tn_data_ptr_make(bytes, bytes, make_a_storage, TN_DEVICE_CPU);
    tn_storage *storage = tn_storage_from_pointer(&pointer, 8, TN_UINT8);
    CHECK(storage);
    tn_data_ptr other = tn_data_ptr_make(bytes, NULL, NULL, TN_DEVICE_CPU);
    CHECK_INT(tn_storage_replace(storage, &other, 8), TN_OK);
    CHECK(made_by_deleter);
    CHECK_INT(tn_storage_nbytes(made_by_deleter), 8);
}
