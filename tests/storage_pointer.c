/* storage_pointer.c - storages over memory that exists, with an allocator for growing; a storage's data pointer; memory
 * replaced together with the dtype. */
#include "test.h"

#include "memory/storage.h"
#include "storage_helpers.h"

static counting_allocator counts;
static int deleted;
static _Alignas(64) char foreign[64];

/* In the test's scope, as is the storage over `foreign` below: 64 bytes of 7. */
static tn_allocator *fresh_allocator(void) {
    counts = (counting_allocator){0};
    deleted = 0;
    memset(foreign, 7, sizeof foreign);
    tn_allocator *allocator = counting_allocator_make(&counts, TN_DEVICE_CPU);
    if (allocator)
        TEST_DEFER(tn_allocator_release, allocator);
    return allocator;
}

static tn_storage *storage_over_foreign(tn_allocator *allocator, bool resizable) {
    tn_data_ptr pointer = tn_data_ptr_make(foreign, &deleted, count_deletion, TN_DEVICE_CPU);
    return tn_storage_from_pointer_with(&pointer, sizeof foreign, TN_INT32, allocator, resizable);
}

static bool begins_with_sevens(const tn_storage *storage, size_t count) {
    const char *bytes = tn_storage_data(storage);
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != 7)
            return false;
    return true;
}

TEST(a_pointer_with_an_allocator_stays_where_it_is_until_it_is_outgrown) {
    tn_allocator *allocator = fresh_allocator();
    CHECK(allocator);
    tn_scope scope = tn_scope_open();
    tn_storage *storage = storage_over_foreign(allocator, true);
    CHECK(storage);
    CHECK(tn_storage_allocator(storage) == allocator);
    CHECK(tn_storage_resizable(storage));
    CHECK_INT(tn_storage_capacity(storage), 64);
    CHECK_INT(tn_storage_set_received(storage, true), TN_OK);
    CHECK_INT(tn_storage_resize(storage, 0), TN_OK);
    CHECK(!tn_storage_data(storage));
    CHECK_INT(tn_storage_capacity(storage), 64);
    CHECK_INT(tn_storage_resize(storage, 10), TN_OK);
    CHECK_INT(tn_storage_resize(storage, 64), TN_OK);
    CHECK(tn_storage_data(storage) == foreign && tn_storage_mutable_data(storage) == foreign);
    CHECK(tn_storage_received(storage));
    CHECK_INT(deleted, 0);
    CHECK_INT(counts.blocks, 0);
    tn_memory_stats stats = {.struct_size = sizeof stats};
    CHECK_INT(tn_allocator_stats(allocator, &stats), TN_OK);
    CHECK_INT(stats.bytes.current, 0);

    CHECK_INT(tn_storage_resize(storage, 65), TN_OK);
    CHECK_INT(deleted, 1);
    CHECK_INT(counts.taken_bytes, 65);
    CHECK_INT(counts.copies, 1);
    CHECK_INT(tn_allocator_stats(allocator, &stats), TN_OK);
    CHECK_INT(stats.bytes.current, 65);
    CHECK(tn_storage_data(storage) != foreign && begins_with_sevens(storage, 64));
    CHECK(!tn_storage_received(storage) && tn_storage_resizable(storage));
    CHECK(tn_storage_data_ptr(storage)->ctx == NULL);
    CHECK_INT(tn_storage_resize(storage, 5), TN_OK);
    CHECK_INT(tn_storage_resize(storage, 500), TN_OK);
    CHECK_INT(counts.blocks, 1);
    CHECK_INT(counts.taken_bytes, 500);
    CHECK(begins_with_sevens(storage, 5));
    tn_scope_close(scope);
    CHECK_INT(counts.blocks, 0);
    CHECK_INT(deleted, 1);
}

TEST(a_pointer_that_was_not_outgrown_is_deleted_once_and_lets_its_allocator_go) {
    counts = (counting_allocator){0};
    deleted = 0;
    tn_allocator *allocator = counting_allocator_make(&counts, TN_DEVICE_CPU);
    CHECK(allocator);
    tn_scope scope = tn_scope_open();
    tn_storage *storage = storage_over_foreign(allocator, true);
    tn_allocator_release(allocator);
    CHECK(storage);
    CHECK_INT(counts.destroyed, 0);
    tn_scope_close(scope);
    CHECK_INT(deleted, 1);
    CHECK_INT(counts.destroyed, 1);
}

TEST(a_pointer_can_be_made_resizable_later_if_it_has_an_allocator) {
    tn_allocator *allocator = fresh_allocator();
    CHECK(allocator);
    tn_storage *storage = storage_over_foreign(allocator, false);
    CHECK(storage);
    CHECK(!tn_storage_resizable(storage));
    CHECK_ERROR(TN_ERROR_STATE, "storage of 64 bytes cannot be made 65 bytes: it is not resizable",
                tn_storage_resize(storage, 65));
    CHECK_INT(tn_storage_set_resizable(storage, true), TN_OK);
    CHECK_INT(tn_storage_set_readonly(storage), TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_storage_resize(storage, 65));
    CHECK_INT(deleted, 0);
    tn_storage *without = storage_over_foreign(NULL, false);
    CHECK(without);
    CHECK(!tn_storage_allocator(without));
    CHECK_ERROR(TN_ERROR_STATE, "no allocator can resize it", tn_storage_set_resizable(without, true));
}

TEST(a_pointer_that_its_allocator_cannot_take_over_is_left_alone) {
    tn_allocator *allocator = fresh_allocator();
    CHECK(allocator);
    tn_data_ptr pointer = tn_data_ptr_make(foreign, &deleted, count_deletion, TN_DEVICE_CPU);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "storage_from_pointer_with: allocator is NULL, and without one",
                tn_storage_from_pointer_with(&pointer, 8, TN_UINT8, NULL, true));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "pointer is NULL", tn_storage_from_pointer_with(NULL, 8, TN_UINT8, allocator, true));
    CHECK_ERROR(TN_ERROR_DTYPE, "no such dtype", tn_storage_from_pointer_with(&pointer, 8, (tn_dtype)77, allocator, true));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "more than any block",
                tn_storage_from_pointer_with(&pointer, SIZE_MAX, TN_UINT8, allocator, true));
    pointer.device = TN_DEVICE(TN_CUDA, 1);
    CHECK_ERROR(TN_ERROR_DEVICE, "pointer is on cuda:1, but allocator \"counting\" is for cpu:0",
                tn_storage_from_pointer_with(&pointer, 8, TN_UINT8, allocator, false));
    CHECK(pointer.data == foreign && pointer.ctx == &deleted && pointer.deleter == count_deletion);
    CHECK_INT(deleted, 0);
}

TEST_SAMPLED(without_memory_neither_the_pointer_nor_the_storage_changes) {
    tn_allocator *allocator = fresh_allocator();
    CHECK(allocator);
    tn_data_ptr pointer = tn_data_ptr_make(foreign, &deleted, count_deletion, TN_DEVICE_CPU);
    tn_storage *storage = NULL;
    int failures = 0;
    while (FAILING(failures + 1, storage = tn_storage_from_pointer_with(&pointer, 64, TN_UINT8, allocator, true))) {
        failures++;
        CHECK(!storage);
        CHECK(pointer.data == foreign && pointer.ctx == &deleted);
    }
    CHECK(failures > 0 && storage);
    tn_error error = TN_OK;
    failures = 0;
    while (FAILING(failures + 1, error = tn_storage_resize(storage, 100))) {
        failures++;
        CHECK_INT(error, TN_ERROR_MEMORY);
        CHECK(tn_storage_data(storage) == foreign);
        CHECK_INT(tn_storage_nbytes(storage), 64);
        CHECK_INT(deleted, 0);
    }
    CHECK(failures > 0);
    CHECK_INT(error, TN_OK);
    CHECK_INT(deleted, 1);
    counts.refuse_copies = true;
    deleted = 0;
    tn_storage *other = storage_over_foreign(allocator, true);
    CHECK(other);
    CHECK_ERROR(TN_ERROR_IO, "could not copy", tn_storage_resize(other, 100));
    CHECK(tn_storage_data(other) == foreign);
    CHECK_INT(deleted, 0);
    CHECK_INT(counts.blocks, 1);
}

TEST(clones_of_a_foreign_pointer_are_the_allocators_and_made_at_once) {
    tn_allocator *allocator = fresh_allocator();
    CHECK(allocator);
    tn_scope scope = tn_scope_open();
    tn_storage *storage = storage_over_foreign(allocator, true);
    CHECK(storage);
    tn_storage *lazy = tn_storage_lazy_clone(storage);
    CHECK(lazy);
    CHECK(!tn_storage_is_lazy(lazy) && !tn_storage_is_lazy(storage));
    CHECK(tn_storage_allocator(lazy) == allocator && tn_storage_resizable(lazy));
    CHECK_INT(counts.taken_bytes, 64);
    CHECK_INT(tn_storage_dtype(lazy), TN_INT32);
    CHECK(tn_storage_mutable_data(storage) == foreign);
    foreign[0] = 1;
    CHECK(all_bytes_are(lazy, 7));
    CHECK_INT(tn_storage_resize(storage, 100), TN_OK); /* the allocator's own memory can be shared */
    tn_storage *sharing = tn_storage_lazy_clone(storage);
    CHECK(sharing);
    CHECK(tn_storage_is_lazy(sharing) && tn_storage_data(sharing) == tn_storage_data(storage));
    CHECK_INT(counts.blocks, 2);
    tn_scope_close(scope);
    CHECK_INT(counts.blocks, 0);
    CHECK_INT(deleted, 1);
}

TEST(a_tensor_over_a_foreign_pointer_can_outgrow_it) {
    tn_allocator *allocator = fresh_allocator();
    CHECK(allocator);
    tn_storage *storage = storage_over_foreign(allocator, true);
    CHECK(storage);
    tn_tensor *tensor = tn_from_storage(storage, 0, TN_DIMS(16), TN_DIMS(1), TN_INT32);
    CHECK(tensor && tn_fill_(tensor, 3));
    CHECK_INT(foreign[0], 3);
    CHECK(tn_resize_(tensor, TN_DIMS(4, 8)));
    CHECK_INT(deleted, 1);
    CHECK_INT(tn_storage_nbytes(storage), 128);
    CHECK_INT(counts.taken_bytes, 128);
    CHECK_INT(tn_item_int64(tn_sum(tn_narrow(tensor, 0, 0, 2), TN_DTYPE_DEFAULT)), 48);
}

/* ---- the look ---- */

TEST(the_data_pointer_of_a_storage_can_be_looked_at) {
    tn_allocator *allocator = fresh_allocator();
    CHECK(allocator);
    tn_storage *storage = storage_over_foreign(allocator, true), *own = tn_storage_create(8, TN_UINT8, NULL);
    CHECK(storage && own);
    const tn_data_ptr *look = tn_storage_data_ptr(storage);
    CHECK(look);
    CHECK(look->data == foreign && look->ctx == &deleted && look->deleter == count_deletion);
    CHECK(tn_device_equal(look->device, TN_DEVICE_CPU));
    CHECK_INT(tn_storage_resize(storage, 0), TN_OK);
    CHECK(look->data == foreign);
    look = tn_storage_data_ptr(own);
    CHECK(look);
    CHECK(look->data == tn_storage_data(own) && !look->ctx && !look->deleter);
    tn_data_ptr elsewhere = tn_data_ptr_make(foreign, NULL, NULL, TN_DEVICE(TN_CUDA, 2));
    tn_storage *far = tn_storage_from_pointer(&elsewhere, 8, TN_UINT8);
    CHECK(far);
    CHECK(tn_device_equal(tn_storage_data_ptr(far)->device, TN_DEVICE(TN_CUDA, 2)));
    CHECK_INT(deleted, 0);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "storage_data_ptr: storage is NULL", look = tn_storage_data_ptr(NULL));
    CHECK(!look);
}

/* ---- replacing the dtype too ---- */

TEST(memory_is_replaced_together_with_the_dtype) {
    tn_allocator *allocator = fresh_allocator();
    CHECK(allocator);
    tn_scope scope = tn_scope_open();
    tn_storage *storage = tn_storage_create(100, TN_UINT8, allocator);
    CHECK(storage);
    tn_data_ptr pointer = tn_data_ptr_make(foreign, &deleted, count_deletion, TN_DEVICE_CPU);
    CHECK_INT(tn_storage_replace_as(storage, &pointer, 48, TN_FLOAT64), TN_OK);
    CHECK(!pointer.data && !pointer.ctx);
    CHECK_INT(counts.blocks, 0);
    CHECK_INT(tn_storage_dtype(storage), TN_FLOAT64);
    CHECK_INT(tn_storage_numel(storage), 6);
    CHECK_INT(tn_storage_capacity(storage), 48);
    CHECK_INT(tn_storage_version(storage), 1);
    CHECK(tn_storage_data_as(storage, TN_FLOAT64) == (const void *)foreign);
    CHECK(!tn_storage_allocator(storage) && !tn_storage_resizable(storage));
    static int deleted_next;
    deleted_next = 0;
    tn_data_ptr next = tn_data_ptr_make(foreign, &deleted_next, count_deletion, TN_DEVICE_CPU);
    CHECK_INT(tn_storage_replace_as(storage, &next, 8, TN_DTYPE_DEFAULT), TN_OK);
    CHECK_INT(tn_storage_dtype(storage), TN_UINT8);
    CHECK_INT(deleted, 1);
    tn_scope_close(scope);
    CHECK_INT(deleted, 1);
    CHECK_INT(deleted_next, 1);
}

TEST(a_replacement_with_a_dtype_that_fails_changes_neither) {
    tn_storage *storage = tn_storage_create(8, TN_INT16, NULL);
    CHECK(storage);
    deleted = 0;
    tn_data_ptr pointer = tn_data_ptr_make(foreign, &deleted, count_deletion, TN_DEVICE_CPU);
    const void *before = tn_storage_data(storage);
    CHECK_ERROR(TN_ERROR_DTYPE, "storage_replace_as: dtype is 77", tn_storage_replace_as(storage, &pointer, 8, (tn_dtype)77));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "pointer is NULL", tn_storage_replace_as(storage, NULL, 8, TN_INT8));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "storage is NULL", tn_storage_replace_as(NULL, &pointer, 8, TN_INT8));
    CHECK(tn_storage_retain(storage));
    CHECK_ERROR(TN_ERROR_STATE, "2 references", tn_storage_replace_as(storage, &pointer, 8, TN_INT8));
    tn_storage_release(storage);
    pointer.device = TN_DEVICE(TN_CUDA, 0);
    CHECK_ERROR(TN_ERROR_DEVICE, "on cpu:0, but pointer is on cuda:0", tn_storage_replace_as(storage, &pointer, 8, TN_INT8));
    pointer.device = TN_DEVICE_CPU;
    CHECK_INT(tn_storage_set_readonly(storage), TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_storage_replace_as(storage, &pointer, 8, TN_INT8));
    CHECK_INT(tn_storage_dtype(storage), TN_INT16);
    CHECK(tn_storage_data(storage) == before && pointer.data == foreign);
    CHECK_INT(tn_storage_version(storage), 0);
    CHECK_INT(deleted, 0);
}
