/* storage_change.c - storages that get other memory, or give their contents to another: resize, replace, clone. */
#include "test.h"

#include "memory/storage.h"
#include "storage_helpers.h"

TEST(resize_keeps_the_contents_that_fit) {
    tn_storage *storage = tn_storage_create(16, TN_UINT8, NULL);
    CHECK(storage);
    memset(tn_storage_mutable_data(storage), 5, 16);
    CHECK_INT(tn_storage_resize(storage, 100000), TN_OK);
    CHECK_INT(tn_storage_nbytes(storage), 100000);
    CHECK(tn_storage_capacity(storage) >= 100000);
    const char *moved = tn_storage_data(storage);
    for (int i = 0; i < 16; i++)
        CHECK_INT(moved[i], 5);
    memset(tn_storage_mutable_data(storage), 6, 100000);
    CHECK_INT(tn_storage_resize(storage, 3), TN_OK);
    CHECK(tn_storage_data(storage) == moved);
    CHECK(tn_storage_capacity(storage) >= 100000);
    CHECK(all_bytes_are(storage, 6));
    CHECK_INT(tn_storage_resize(storage, 99999), TN_OK);
    CHECK(tn_storage_data(storage) == moved);
    CHECK_INT(tn_storage_version(storage), 0);
}

TEST_SAMPLED(resize_without_memory_changes_nothing) {
    tn_storage *storage = tn_storage_create(16, TN_UINT8, NULL);
    CHECK(storage);
    memset(tn_storage_mutable_data(storage), 5, 16);
    const void *before = tn_storage_data(storage);
    size_t capacity = tn_storage_capacity(storage);
    tn_error error = TN_OK;
    int failures = 0;
    while (FAILING(failures + 1, error = tn_storage_resize(storage, 100000))) {
        failures++;
        CHECK_INT(error, TN_ERROR_MEMORY);
        CHECK_INT(tn_storage_nbytes(storage), 16);
        CHECK_INT(tn_storage_capacity(storage), (long long)capacity);
        CHECK(tn_storage_data(storage) == before && all_bytes_are(storage, 5));
    }
    CHECK(failures > 0);
    CHECK_INT(error, TN_OK);
}

TEST(resize_to_the_capacity_does_not_move_and_one_byte_more_does_not_lose_anything) {
    tn_storage *storage = tn_storage_create(33, TN_UINT8, NULL);
    CHECK(storage);
    size_t capacity = tn_storage_capacity(storage);
    const void *before = tn_storage_data(storage);
    CHECK_INT(tn_storage_resize(storage, capacity), TN_OK);
    CHECK(tn_storage_data(storage) == before);
    CHECK_INT(tn_storage_nbytes(storage), (long long)capacity);
    memset(tn_storage_mutable_data(storage), 8, capacity);
    CHECK_INT(tn_storage_resize(storage, capacity + 1), TN_OK);
    CHECK_INT(tn_storage_resize(storage, capacity), TN_OK);
    CHECK(all_bytes_are(storage, 8));
}

TEST(resize_from_and_to_nothing) {
    tn_storage *storage = tn_storage_create(0, TN_UINT8, NULL);
    CHECK(storage);
    CHECK_INT(tn_storage_resize(storage, 0), TN_OK);
    CHECK(!tn_storage_data(storage));
    CHECK_INT(tn_storage_resize(storage, 40), TN_OK);
    CHECK(tn_storage_data(storage));
    memset(tn_storage_mutable_data(storage), 4, 40);
    CHECK_INT(tn_storage_resize(storage, 0), TN_OK);
    CHECK(!tn_storage_data(storage) && !tn_storage_mutable_data(storage));
    CHECK(tn_storage_capacity(storage) >= 40);
    CHECK_INT(tn_storage_resize(storage, 40), TN_OK);
    CHECK(all_bytes_are(storage, 4));
}

TEST(resize_refuses_what_is_not_resizable_and_what_cannot_be) {
    tn_storage *storage = tn_storage_create(8, TN_UINT8, NULL);
    CHECK(storage);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "storage_resize: bytes is 18446744073709551615", tn_storage_resize(storage, SIZE_MAX));
    CHECK_ERROR(TN_ERROR_MEMORY, "memory", tn_storage_resize(storage, PTRDIFF_MAX));
    CHECK_INT(tn_storage_set_resizable(storage, false), TN_OK);
    CHECK(!tn_storage_resizable(storage));
    CHECK_ERROR(TN_ERROR_STATE, "storage of 8 bytes cannot be made 9 bytes: it is not resizable",
                tn_storage_resize(storage, 9));
    CHECK_ERROR(TN_ERROR_STATE, "not resizable", tn_storage_resize(storage, 0));
    CHECK_INT(tn_storage_nbytes(storage), 8);
    CHECK_INT(tn_storage_set_resizable(storage, true), TN_OK);
    CHECK_INT(tn_storage_resize(storage, 9), TN_OK);
}

TEST(the_code_returned_is_that_of_this_call_also_when_another_error_waits) {
    tn_storage *storage = tn_storage_create(8, TN_UINT8, NULL);
    CHECK(storage);
    tn_error_raise(TN_ERROR_SHAPE, NULL, "an earlier error");
    tn_error refused = tn_storage_resize(storage, SIZE_MAX), no_memory = tn_storage_resize(storage, PTRDIFF_MAX);
    tn_error missing = tn_storage_resize(NULL, 1); /* may be the result of the earlier failure, so that stays the cause */
    tn_error waiting = tn_error_take(NULL);
    CHECK_INT(refused, TN_ERROR_ARGUMENT);
    CHECK_INT(no_memory, TN_ERROR_MEMORY);
    CHECK_INT(missing, TN_ERROR_SHAPE);
    CHECK_INT(waiting, TN_ERROR_SHAPE);
}

TEST(replace_takes_the_new_memory_and_frees_the_old) {
    static counting_allocator counts;
    counts = (counting_allocator){0};
    static int deleted[2];
    deleted[0] = deleted[1] = 0;
    static char bytes[24];
    tn_scope scope = tn_scope_open();
    tn_allocator *allocator = counting_allocator_make(&counts, TN_DEVICE_CPU);
    CHECK(allocator);
    tn_storage *storage = tn_storage_create(100, TN_UINT8, allocator);
    tn_allocator_release(allocator);
    CHECK(storage);
    CHECK_INT(tn_storage_set_received(storage, true), TN_OK);
    tn_data_ptr first = tn_data_ptr_make(bytes, &deleted[0], count_deletion, TN_DEVICE_CPU);
    CHECK_INT(tn_storage_replace(storage, &first, 24), TN_OK);
    CHECK(!first.data && !first.ctx);
    CHECK_INT(counts.blocks, 0);
    CHECK_INT(counts.destroyed, 1);
    CHECK(tn_storage_data(storage) == bytes);
    CHECK_INT(tn_storage_nbytes(storage), 24);
    CHECK_INT(tn_storage_capacity(storage), 24);
    CHECK(!tn_storage_allocator(storage));
    CHECK(!tn_storage_resizable(storage));
    CHECK(!tn_storage_received(storage));
    CHECK_INT(tn_storage_version(storage), 1);
    tn_data_ptr second = tn_data_ptr_make(bytes, &deleted[1], count_deletion, TN_DEVICE_CPU);
    CHECK_INT(tn_storage_replace(storage, &second, 8), TN_OK);
    CHECK_INT(deleted[0], 1);
    CHECK_INT(deleted[1], 0);
    tn_scope_close(scope);
    CHECK_INT(deleted[0], 1);
    CHECK_INT(deleted[1], 1);
}

TEST(replace_refuses_a_shared_storage_and_foreign_devices_and_leaves_the_pointer) {
    static int deleted;
    deleted = 0;
    static char bytes[8];
    tn_storage *storage = tn_storage_create(8, TN_UINT8, NULL);
    CHECK(storage);
    const void *before = tn_storage_data(storage);
    tn_data_ptr pointer = tn_data_ptr_make(bytes, &deleted, count_deletion, TN_DEVICE_CPU);
    CHECK(tn_storage_retain(storage));
    CHECK_ERROR(TN_ERROR_STATE, "2 references", tn_storage_replace(storage, &pointer, 8));
    tn_storage_release(storage);
    pointer.device = TN_DEVICE(TN_CUDA, 1);
    CHECK_ERROR(TN_ERROR_DEVICE, "on cpu:0, but pointer is on cuda:1", tn_storage_replace(storage, &pointer, 8));
    pointer.device = TN_DEVICE_CPU;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "pointer is NULL", tn_storage_replace(storage, NULL, 8));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "more than any block", tn_storage_replace(storage, &pointer, SIZE_MAX));
    CHECK_INT(deleted, 0);
    CHECK(pointer.data == bytes && pointer.ctx == &deleted);
    CHECK(tn_storage_data(storage) == before);
    CHECK_INT(tn_storage_version(storage), 0);
}

TEST(a_clone_has_the_same_bytes_elsewhere) {
    tn_storage *storage = tn_storage_create(24, TN_FLOAT64, NULL);
    CHECK(storage);
    memset(tn_storage_mutable_data(storage), 2, 24);
    tni_storage_bump(storage);
    CHECK_INT(tn_storage_set_readonly(storage), TN_OK);
    tn_storage *clone = tn_storage_clone(storage, NULL);
    CHECK(clone);
    CHECK(tn_storage_data(clone) != tn_storage_data(storage));
    CHECK_INT(tn_storage_nbytes(clone), 24);
    CHECK_INT(tn_storage_dtype(clone), TN_FLOAT64);
    CHECK(tn_storage_resizable(clone) && !tn_storage_readonly(clone) && !tn_storage_is_lazy(clone));
    CHECK_INT(tn_storage_version(clone), 0);
    CHECK(all_bytes_are(clone, 2));
    CHECK(tn_storage_mutable_data(clone));
    memset(tn_storage_mutable_data(clone), 3, 24);
    CHECK(all_bytes_are(storage, 2));
}

TEST(a_clone_of_nothing_is_empty) {
    tn_storage *storage = tn_storage_create(0, TN_INT16, NULL), *clone = storage ? tn_storage_clone(storage, NULL) : NULL;
    CHECK(clone);
    CHECK(clone != storage);
    CHECK_INT(tn_storage_nbytes(clone), 0);
    CHECK_INT(tn_storage_dtype(clone), TN_INT16);
}

TEST(a_clone_comes_from_the_allocator_given_and_stays_on_its_device) {
    static counting_allocator near, far;
    near = far = (counting_allocator){0};
    tn_storage *storage = tn_storage_create(8, TN_UINT8, NULL);
    CHECK(storage);
    memset(tn_storage_mutable_data(storage), 2, 8);
    tn_allocator *allocator = counting_allocator_make(&near, TN_DEVICE_CPU);
    CHECK(allocator);
    tn_scope scope = tn_scope_open();
    tn_storage *clone = tn_storage_clone(storage, allocator);
    tn_allocator_release(allocator);
    CHECK(clone);
    CHECK(tn_storage_allocator(clone) == allocator);
    CHECK_INT(near.taken_bytes, 8);
    CHECK_INT(near.copies, 1);
    CHECK(all_bytes_are(clone, 2));
    tn_scope_close(scope);
    CHECK_INT(near.blocks, 0);
    allocator = counting_allocator_make(&far, TN_DEVICE(TN_CUDA, 0));
    CHECK(allocator);
    TEST_DEFER(tn_allocator_release, allocator);
    CHECK_ERROR(TN_ERROR_DEVICE, "storage_clone: storage is on cpu:0, but allocator \"counting\" is for cuda:0",
                tn_storage_clone(storage, allocator));
    CHECK_INT(far.blocks, 0);
    static char bytes[8];
    tn_data_ptr pointer = tn_data_ptr_make(bytes, NULL, NULL, TN_DEVICE(TN_CUDA, 0));
    tn_storage *elsewhere = tn_storage_from_pointer(&pointer, 8, TN_UINT8);
    CHECK(elsewhere);
    CHECK_ERROR(TN_ERROR_DEVICE, "", tn_storage_clone(elsewhere, NULL));
}

TEST(a_copy_that_fails_leaves_everything_as_it_was) {
    static counting_allocator counts;
    counts = (counting_allocator){0};
    tn_scope scope = tn_scope_open();
    tn_allocator *allocator = counting_allocator_make(&counts, TN_DEVICE_CPU);
    CHECK(allocator);
    tn_storage *storage = tn_storage_create(8, TN_UINT8, allocator);
    tn_allocator_release(allocator);
    CHECK(storage);
    memset(tn_storage_mutable_data(storage), 2, 8);
    counts.refuse_copies = true;
    CHECK_ERROR(TN_ERROR_IO, "", tn_storage_clone(storage, allocator));
    CHECK_INT(counts.blocks, 1);
    tn_error error = TN_OK;
    CHECK_ERROR(TN_ERROR_IO, "", error = tn_storage_resize(storage, 4096));
    CHECK_INT(error, TN_ERROR_IO);
    CHECK_INT(counts.blocks, 1);
    CHECK_INT(tn_storage_nbytes(storage), 8);
    CHECK(all_bytes_are(storage, 2));
    tn_scope_close(scope);
    CHECK_INT(counts.blocks, 0);
}
