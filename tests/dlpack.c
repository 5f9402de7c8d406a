/* dlpack.c - tensors handed out and taken in by DLPack's two structs. */
#include "test.h"

#include <pthread.h>

TEST(a_tensor_goes_out_and_comes_back_over_the_same_memory) {
    tn_tensor *x = tn_transpose(tn_view(tn_arange(6, TN_INT32), TN_DIMS(2, 3)), 0, 1);
    CHECK(x);
    for (int versioned = 0; versioned < 2; versioned++) {
        tn_dlpack_versioned *out = versioned ? tn_to_dlpack(x, TN_DLPACK_COPIED) : NULL;
        tn_dlpack_unversioned *old = versioned ? NULL : tn_to_dlpack_unversioned(x);
        CHECK(out || old);
        const tn_dlpack_tensor *lent = out ? &out->tensor : &old->tensor;
        bool right =
            lent->ndim == 2 && lent->shape[0] == 3 && lent->strides[0] == 1 && lent->byte_offset == 0 && lent->dtype.bits == 32;
        right &= !out || (out->flags == TN_DLPACK_COPIED && out->major == 1);
        tn_tensor *y = out ? tn_from_dlpack(out) : tn_from_dlpack_unversioned(old);
        if (!y)
            out ? out->deleter(out) : old->deleter(old);
        CHECK(y && right);
        CHECK(tn_data(y) == tn_data(x));
        CHECK(tn_equal(x, y));
        CHECK_INT(tn_stride(y, 1), 3);
    }
}

TEST(lending_is_no_write_and_parts_what_was_cloned_lazily) {
    tn_tensor *x = tn_arange(3, TN_FLOAT32);
    CHECK(x);
    tn_storage *clone = tn_storage_lazy_clone(tn_storage_of(x));
    CHECK(clone);
    tn_tensor *y = tn_from_storage(clone, 0, TN_DIMS(3), TN_DIMS(1), TN_FLOAT32);
    CHECK(y);
    uint32_t before = tn_tensor_version(y);
    tn_dlpack_versioned *out = tn_to_dlpack(y, 0);
    CHECK(out);
    ((float *)out->tensor.data)[0] = 5;
    out->deleter(out);
    CHECK_INT(tn_tensor_version(y), before);
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(0)), 5);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0)), 0);
}

TEST(read_only_memory_says_so) {
    tn_tensor *x = tn_arange(3, TN_FLOAT32);
    CHECK(x);
    CHECK_INT(tn_set_readonly(x), TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_to_dlpack_unversioned(x));
    tn_dlpack_versioned *out = tn_to_dlpack(x, 0);
    CHECK(out);
    bool told = out->flags == TN_DLPACK_READONLY;
    tn_tensor *y = tn_from_dlpack(out);
    if (!y)
        out->deleter(out);
    CHECK(y && told);
    CHECK(tn_is_readonly(y));
}

static int deleted;
static void count_deleted(tn_dlpack_versioned *self) { deleted += self != NULL; }

TEST(what_cannot_be_taken_stays_the_callers) {
    float values[] = {1, 2, 3, 4};
    int64_t shape[] = {2}, backwards[] = {-1};
    tn_dlpack_versioned good = {1, 3, NULL, count_deleted, 0, {values, TN_DLPACK_CPU, 0, 1, {2, 32, 1}, shape, NULL, 8}};
    deleted = 0;
    tn_dlpack_versioned bad = good;
    bad.major = 2;
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "2.3", tn_from_dlpack(&bad));
    bad = good;
    bad.tensor.dtype.lanes = 4;
    CHECK_ERROR(TN_ERROR_DTYPE, "4 lanes", tn_from_dlpack(&bad));
    bad = good;
    bad.tensor.device_type = 2;
    CHECK_ERROR(TN_ERROR_DEVICE, "(2, 0)", tn_from_dlpack(&bad));
    bad = good;
    bad.tensor.ndim = 1000;
    CHECK_ERROR(TN_ERROR_SHAPE, "1000", tn_from_dlpack(&bad));
    bad = good;
    bad.tensor.byte_offset = UINT64_MAX;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "byte_offset", tn_from_dlpack(&bad));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "managed", tn_from_dlpack(NULL));
    CHECK_INT(deleted, 0);
    tn_scope scope = tn_scope_open();
    tn_tensor *x = tn_from_dlpack(&good);
    bool right = x && tn_item_double(tn_select(x, 0, 1)) == 4;
    tn_scope_close(scope);
    CHECK(right);
    CHECK_INT(deleted, 1);
    good.tensor.strides = backwards; /* index 0 is the address that is given */
    scope = tn_scope_open();
    x = tn_from_dlpack(&good);
    right = x && tn_item_double(tn_select(x, 0, 1)) == 2;
    tn_scope_close(scope);
    CHECK(right);
    CHECK_INT(deleted, 2);
}

static void *delete_elsewhere(void *managed) {
    tn_dlpack_versioned *self = managed;
    self->deleter(self);
    return NULL;
}

TEST_ONCE(a_deleter_may_run_on_any_thread) { /* threads */
    tn_tensor *x = tn_keep(tn_arange(1000, TN_FLOAT32));
    tn_dlpack_versioned *out = tn_to_dlpack(x, 0);
    tn_storage *storage = tn_storage_retain(tn_storage_of(x));
    tn_release(x);
    CHECK_INT(tn_storage_use_count(storage), 2);
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, delete_elsewhere, out), 0);
    pthread_join(thread, NULL);
    CHECK_INT(tn_storage_use_count(storage), 1);
    tn_storage_release(storage);
}
