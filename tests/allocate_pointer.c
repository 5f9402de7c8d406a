/* allocate_pointer.c - allocators whose memory is freed by its own ctx instead of its address: everything made from them, and
 * everything that watches. */
#include "test.h"

#include "storage_helpers.h"

/* A pool whose blocks begin 64 bytes after what malloc returned; a block is known by its handle. */
typedef struct pool {
    int64_t handles, made, deleted; /* now; ever */
    int destroyed, refusals;        /* refusals: how many requests to refuse from now on */
    bool misalign, hollow, borrow;  /* what it returns instead of a good pointer */
} pool;

typedef struct handle {
    pool *owner;
    char *block;
} handle;

static pool state;

static void delete_handle(void *ctx) {
    handle *self = ctx;
    self->owner->handles--;
    self->owner->deleted++;
    free(self->block);
    free(self);
}

static tn_data_ptr pool_allocate(void *ctx, size_t bytes) {
    static _Alignas(64) char lent[4096];
    pool *self = ctx;
    tn_data_ptr none = tn_data_ptr_make(NULL, NULL, NULL, TN_DEVICE(TN_CUDA, 9)); /* the device is ignored */
    if (self->refusals > 0) {
        self->refusals--;
        return none;
    }
    if (self->borrow)
        return tn_data_ptr_make(lent, NULL, delete_handle, TN_DEVICE_CPU);
    handle *made = malloc(sizeof *made);
    void *block = NULL;
    if (!made || posix_memalign(&block, 64, bytes + 128) != 0) {
        free(made);
        return none;
    }
    *made = (handle){self, block};
    self->handles++;
    self->made++;
    return tn_data_ptr_make(self->hollow ? NULL : made->block + 64 + self->misalign, made, delete_handle, none.device);
}

static void pool_destroy(void *ctx) { ((pool *)ctx)->destroyed++; }

static tn_allocator_functions pool_functions(void) {
    state = (pool){0};
    return (tn_allocator_functions){.struct_size = sizeof(tn_allocator_functions),
                                    .name = "pool",
                                    .ctx = &state,
                                    .destroy = pool_destroy,
                                    .allocate_pointer = pool_allocate};
}

static tn_allocator *pool_allocator(void) {
    tn_allocator_functions functions = pool_functions();
    return tn_allocator_create(&functions);
}

static tn_memory_stats stats_of(const tn_allocator *allocator) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    CHECK_INT(tn_allocator_stats(allocator, &stats), TN_OK);
    return stats;
}

TEST(a_storage_keeps_the_whole_pointer_and_frees_through_it) {
    tn_scope outer = tn_scope_open();
    tn_allocator *allocator = pool_allocator();
    CHECK(allocator);
    tn_scope scope = tn_scope_open();
    tn_storage *storage = tn_storage_create(100, TN_FLOAT32, allocator);
    CHECK(storage);
    CHECK(tn_storage_allocator(storage) == allocator && tn_storage_resizable(storage));
    CHECK_INT(tn_storage_capacity(storage), 100);
    const tn_data_ptr *look = tn_storage_data_ptr(storage);
    CHECK(look->data == tn_storage_data(storage) && look->deleter == delete_handle);
    CHECK(!tn_data_ptr_is_simple(look) && ((handle *)look->ctx)->block + 64 == look->data);
    CHECK(tn_device_equal(look->device, TN_DEVICE_CPU));
    memset(tn_storage_mutable_data(storage), 5, 100);
    CHECK_INT(tn_storage_resize(storage, 1000), TN_OK);
    CHECK_INT(state.handles, 1);
    CHECK_INT(state.deleted, 1);
    CHECK(((handle *)tn_storage_data_ptr(storage)->ctx)->block + 64 == tn_storage_data(storage));
    CHECK_INT(tn_storage_resize(storage, 100), TN_OK);
    CHECK(all_bytes_are(storage, 5));
    tn_storage *clone = tn_storage_clone(storage, allocator), *empty = tn_storage_create(0, TN_UINT8, allocator);
    CHECK(clone && empty);
    CHECK(all_bytes_are(clone, 5));
    CHECK_INT(state.handles, 2);
    tn_memory_stats stats = stats_of(allocator);
    CHECK_INT(stats.bytes.current, 1100);
    CHECK_INT(stats.blocks.current, 2);
    CHECK_INT(stats.bytes.allocated, 1200);
    CHECK_INT(stats.reserved.current, 1100);
    tn_scope_close(scope);
    stats = stats_of(allocator);
    CHECK_INT(stats.bytes.current, 0);
    CHECK_INT(stats.bytes.freed, 1200);
    CHECK_INT(state.handles, 0);
    CHECK_INT(state.deleted, state.made);
    CHECK_INT(state.destroyed, 0);
    tn_scope_close(outer);
    CHECK_INT(state.destroyed, 1);
}

TEST(lazy_clones_share_a_whole_pointer_and_the_last_frees_it) {
    tn_allocator *allocator = pool_allocator();
    CHECK(allocator);
    tn_scope scope = tn_scope_open();
    tn_storage *storage = tn_storage_create(100, TN_UINT8, allocator);
    CHECK(storage);
    memset(tn_storage_mutable_data(storage), 5, 100);
    tn_storage *writer = tn_storage_lazy_clone(storage), *heir = tn_storage_lazy_clone(storage);
    CHECK(writer && heir);
    CHECK(tn_storage_is_lazy(heir) && tn_storage_data_ptr(heir)->ctx == tn_storage_data_ptr(storage)->ctx);
    CHECK_INT(state.made, 1);
    CHECK(tn_storage_mutable_data(writer));
    CHECK_INT(state.made, 2);
    CHECK(tn_storage_data_ptr(writer)->ctx != tn_storage_data_ptr(heir)->ctx);
    CHECK_INT(tn_storage_resize(storage, 300), TN_OK); /* leaves the shared block to heir */
    CHECK_INT(state.handles, 3);
    CHECK(tn_storage_mutable_data(heir) && all_bytes_are(heir, 5) && all_bytes_are(writer, 5));
    CHECK_INT(state.made, 3);
    static _Alignas(64) char bytes[8];
    tn_data_ptr pointer = tn_data_ptr_make(bytes, NULL, NULL, TN_DEVICE_CPU);
    CHECK_INT(tn_storage_replace(heir, &pointer, 8), TN_OK);
    CHECK_INT(state.handles, 2);
    tn_scope_close(scope);
    CHECK_INT(state.handles, 0);
    CHECK_INT(state.deleted, 3);
    CHECK_INT(stats_of(allocator).blocks.current, 0);
}

TEST(memory_for_the_user_frees_the_whole_pointer) {
    tn_allocator *allocator = pool_allocator();
    CHECK(allocator);
    tn_data_ptr pointer = tn_allocator_allocate(allocator, 50);
    CHECK(pointer.data);
    CHECK_INT(stats_of(allocator).bytes.current, 50);
    tn_data_ptr_clear(&pointer);
    CHECK_INT(state.handles, 0);
    CHECK_INT(state.deleted, 1);
    CHECK_INT(stats_of(allocator).bytes.current, 0);
    CHECK(!tn_allocator_allocate(allocator, 0).data);
    CHECK_INT(state.made, 1);
}

TEST(a_pointer_without_ctx_is_lent_and_never_freed) {
    tn_allocator *allocator = pool_allocator();
    CHECK(allocator);
    state.borrow = true;
    tn_scope scope = tn_scope_open();
    CHECK(tn_storage_create(100, TN_UINT8, allocator));
    CHECK_INT(stats_of(allocator).bytes.current, 100);
    tn_scope_close(scope);
    CHECK_INT(stats_of(allocator).bytes.current, 0);
    CHECK_INT(state.deleted, 0);
}

static tn_allocator *relieved;
static int reliefs;
static bool relieve(void *ctx, tn_device device, size_t bytes) {
    (void)ctx;
    reliefs += tn_device_equal(device, tn_allocator_device(relieved)) && bytes == 100;
    return true;
}
static void no_relief(void *unused) {
    (void)unused;
    tn_set_memory_pressure(NULL, NULL);
}

TEST(a_pool_that_has_none_is_asked_again_and_then_fails_with_the_numbers) {
    tn_allocator *allocator = relieved = pool_allocator();
    CHECK(allocator);
    state.refusals = 1000;
    CHECK_ERROR(TN_ERROR_MEMORY, "out of memory on cpu:0 (allocator \"pool\"): requested 100 bytes",
                tn_storage_create(100, TN_UINT8, allocator));
    CHECK_INT(stats_of(allocator).failures, 1);
    TEST_DEFER(no_relief, NULL);
    reliefs = 0;
    tn_set_memory_pressure(relieve, NULL);
    state.refusals = 2;
    CHECK(tn_storage_create(100, TN_UINT8, allocator));
    CHECK_INT(reliefs, 1);
    state.hollow = true;
    CHECK_ERROR(TN_ERROR_MEMORY, "out of memory", tn_storage_create(100, TN_UINT8, allocator));
    state.hollow = false;
    state.misalign = true;
    CHECK_ERROR(TN_ERROR_MEMORY, "was not aligned to 64 bytes", tn_storage_create(100, TN_UINT8, allocator));
    CHECK_INT(state.handles, 1); /* what could not be used was freed */
    CHECK_INT(stats_of(allocator).blocks.current, 1);
}

TEST_SAMPLED(an_allocation_that_fails_leaves_no_whole_pointer_behind) {
    tn_allocator *allocator = pool_allocator();
    CHECK(allocator);
    tn_scope scope = tn_scope_open();
    tn_storage *storage = NULL;
    int failures = 0;
    while (FAILING(failures + 1, storage = tn_storage_create(100, TN_UINT8, allocator))) {
        failures++;
        CHECK(!storage);
        CHECK_INT(state.handles, 0);
    }
    CHECK(failures >= 2 && storage);
    memset(tn_storage_mutable_data(storage), 5, 100);
    tn_storage *lazy = tn_storage_lazy_clone(storage);
    CHECK(lazy);
    void *writable = NULL;
    for (failures = 0; FAILING(failures + 1, writable = tn_storage_mutable_data(lazy)); failures++)
        CHECK(!writable && tn_storage_is_lazy(lazy) && all_bytes_are(storage, 5));
    CHECK(failures > 0 && writable);
    tn_data_ptr pointer = tn_data_ptr_make(NULL, NULL, NULL, TN_DEVICE_CPU);
    for (failures = 0; FAILING(failures + 1, pointer = tn_allocator_allocate(allocator, 8)); failures++)
        CHECK_INT(state.handles, 2);
    CHECK(failures > 0 && pointer.data);
    tn_data_ptr_clear(&pointer);
    tn_scope_close(scope);
    CHECK_INT(state.handles, 0);
    CHECK_INT(state.deleted, state.made);
    CHECK_INT(stats_of(allocator).bytes.current, 0);
}

/* ---- what watches ---- */

static int64_t reported;
static int reports;
static void add_report(void *ctx, const tn_memory_event *event) {
    (void)ctx;
    if (strcmp(event->allocator, "pool") == 0) {
        reported += event->bytes;
        reports++;
    }
}
static void watch_nothing(void *unused) {
    (void)unused;
    tn_set_memory_reporter(NULL, NULL);
    tn_set_junk_fill(false);
}

TEST(reporter_trace_and_junk_fill_see_whole_pointers) {
    tn_allocator *allocator = pool_allocator();
    CHECK(allocator);
    TEST_DEFER(watch_nothing, NULL);
    reported = reports = 0;
    tn_set_memory_reporter(add_report, NULL);
    tn_set_junk_fill(true);
    CHECK_INT(tn_allocator_trace(allocator, 8), TN_OK);
    tn_scope scope = tn_scope_open();
    tn_storage *storage = tn_storage_create(64, TN_INT16, allocator);
    CHECK(storage);
    CHECK_INT(((const int16_t *)tn_storage_data(storage))[31], 0x7fff);
    CHECK_INT(reported, 64);
    tn_scope_close(scope);
    CHECK_INT(reported, 0);
    CHECK_INT(reports, 2);
    char text[4096];
    CHECK(tn_allocator_snapshot(allocator, text, sizeof text) > 0);
    CHECK(strstr(text, "alloc") && strstr(text, "free") && strstr(text, "64"));
}

/* ---- in use ---- */

static void built_in_again(void *unused) {
    (void)unused;
    (void)tn_set_allocator(TN_CPU, NULL, 0);
}

TEST(tensors_are_made_from_whole_pointers) {
    tn_allocator *allocator = pool_allocator();
    CHECK(allocator);
    TEST_DEFER(built_in_again, NULL);
    CHECK_INT(tn_set_allocator(TN_CPU, allocator, 1), TN_OK);
    tn_scope scope = tn_scope_open();
    tn_tensor *x = tn_ones(TN_DIMS(3, 5), TN_FLOAT64), *y = x ? tn_add(x, tn_t(tn_ones(TN_DIMS(5, 3), TN_FLOAT64))) : NULL;
    CHECK(y);
    CHECK(tn_storage_data_ptr(tn_storage_of(y))->deleter == delete_handle);
    tn_storage *shared = tn_storage_lazy_clone(tn_storage_of(y));
    tn_tensor *lazy = shared ? tn_from_storage(shared, 0, TN_DIMS(3, 5), TN_DIMS(5, 1), TN_FLOAT64) : NULL;
    CHECK(lazy && tn_mul_(lazy, y) && tn_resize_(lazy, TN_DIMS(40)));
    CHECK_DOUBLE(tn_item_double(tn_sum(tn_narrow(lazy, 0, 0, 15), TN_DTYPE_DEFAULT)), 60);
    tn_scope_close(scope);
    CHECK_INT(state.handles, 0);
    CHECK_INT(stats_of(allocator).blocks.current, 0);
}

static void *plain_allocate(void *ctx, size_t bytes) {
    (void)ctx, (void)bytes;
    return NULL;
}

TEST(allocate_pointer_replaces_allocate_and_free_and_cannot_be_cached) {
    tn_allocator *allocator = pool_allocator();
    CHECK(allocator);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "caching_allocator_create: raw, \"pool\", has allocate_pointer",
                tn_caching_allocator_create(allocator, NULL));
    tn_allocator_functions both = pool_functions();
    both.allocate = plain_allocate;
    tn_allocator *preferring = tn_allocator_create(&both);
    CHECK(preferring);
    CHECK(tn_storage_create(8, TN_UINT8, preferring));
    CHECK_INT(state.handles, 1);
    tn_allocator_functions older = pool_functions(); /* a table that ends before the entry does not have it, whatever follows */
    older.struct_size = offsetof(tn_allocator_functions, allocate_pointer);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "functions.allocate is NULL", tn_allocator_create(&older));
}
