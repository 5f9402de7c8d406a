/* allocator.c - the allocator object, and the one way to element memory.
 *
 * Taking: this thread's magazine, else the caches under their lock, else the raw allocator; when that has none, every cache
 * of the device is emptied and all is tried again; then the user's pressure callback is asked, and all is tried again; then
 * the allocation fails with the numbers that explain it.
 *
 * A release is counted and reported before another thread can get the block, so an observer never sees a block allocated twice.
 */
#include "memory/allocator.h"

#include "base/error.h"
#include "base/heap.h"
#include "base/observe.h"
#include "base/scope.h"
#include "memory/caching.h"
#include "memory/local.h"
#include "memory/quick.h"
#include "memory/registry.h"
#include "memory/shield.h"
#include "memory/trace.h"
#include "memory/watch.h"

/* ---- taking and giving ---- */

static TNI_COLD void *fail_to_take(tn_allocator *allocator, size_t bytes) {
    atomic_fetch_add(&allocator->statistics.failures, 1);
    tni_trace_add(allocator, TNI_TRACE_FAILURE, NULL, bytes);
    tn_memory_stats stats;
    tni_statistics_collect(allocator, &stats);
    return tni_raise_null(
        TN_ERROR_MEMORY,
        "out of memory on %s:%d (allocator \"%s\"): requested %s, in use %s, cached %s, of which fragmented %s%s",
        tn_device_type_name(allocator->device.type), (int)allocator->device.index, allocator->name, tni_show_bytes(bytes),
        tni_show_bytes((size_t)tni_max_i64(stats.bytes.current, 0)), tni_show_bytes((size_t)stats.cached),
        tni_show_bytes((size_t)stats.fragmented),
        atomic_load(&allocator->misaligned) ? "; what its functions returned was not aligned to 64 bytes" : "");
}

static bool is_misaligned(tn_allocator *allocator, const void *data) {
    bool misaligned = data && allocator->device.type == TN_CPU && (uintptr_t)data % TNI_BLOCK_ALIGNMENT != 0;
    if (TNI_UNLIKELY(misaligned != atomic_load_explicit(&allocator->misaligned, memory_order_relaxed)))
        atomic_store(&allocator->misaligned, misaligned);
    return misaligned;
}

/* Misaligned memory is given back without an error yet: the next attempt may succeed. */
void *tni_allocator_ask(tn_allocator *allocator, const tn_allocator_functions *functions, size_t bytes) {
    void *data = functions->allocate(functions->ctx, bytes);
    if (is_misaligned(allocator, data)) {
        functions->free(functions->ctx, data, bytes);
        return NULL;
    }
    return data;
}

/* The same for a whole data pointer; one without data may still have a ctx. */
static void *ask_whole(tn_allocator *allocator, size_t bytes, tn_data_ptr *out) {
    tn_data_ptr whole = allocator->functions.allocate_pointer(allocator->functions.ctx, bytes);
    if (is_misaligned(allocator, whole.data) || !whole.data) {
        tn_data_ptr_clear(&whole);
        return NULL;
    }
    *out = tn_data_ptr_make(whole.data, whole.ctx, whole.deleter, allocator->device);
    return out->data;
}

/* Other allocators of the device too: what they cache is missing here. */
static void empty_device_caches(tn_allocator *allocator) {
    atomic_fetch_add(&allocator->statistics.retries, 1);
    uint64_t serial = 0;
    tn_allocator *one;
    while ((one = tni_registry_next_held(serial, allocator->device.type)) != NULL) {
        serial = one->serial;
        if (one->caching)
            tni_caching_trim(one->caching);
        tni_allocator_drop(one);
    }
}

/* `whole`: where the data pointer goes, for an allocator that makes them, and NULL for any other. */
static void *try_to_take(tn_allocator *allocator, tni_local *local, size_t bytes, tn_data_ptr *whole) {
    if (whole)
        return ask_whole(allocator, bytes, whole);
    return allocator->caching ? tni_caching_take(allocator->caching, local, bytes)
                              : tni_allocator_ask(allocator, &allocator->functions, bytes);
}

static void *try_hard_to_take(tn_allocator *allocator, tni_local *local, size_t bytes, tn_data_ptr *whole) {
    void *data = try_to_take(allocator, local, bytes, whole);
    if (TNI_UNLIKELY(!data)) {
        empty_device_caches(allocator);
        data = try_to_take(allocator, local, bytes, whole);
    }
    return data;
}

/* The meta device has no bytes: its requests would soon be more than can be counted. */
static int64_t counted_bytes(const tn_allocator *allocator, size_t bytes) {
    return allocator->device.type == TN_META ? 0 : (int64_t)bytes;
}

static inline void tell_taken(tn_allocator *allocator, void *data, size_t bytes) {
    tni_thread *thread = tni_thread_get();
    if (tni_watch_on())
        tni_watch_took(allocator, data, bytes);
    bytes = (size_t)counted_bytes(allocator, bytes);
    tni_observe_count(thread, bytes);
    tni_observe_taken(thread, bytes);
}

static TNI_NOINLINE void *take_slowly(tn_allocator *allocator, size_t bytes, tn_data_ptr *whole) {
    if (bytes > PTRDIFF_MAX)
        return fail_to_take(allocator, bytes);
    tni_local *local = allocator->caching ? tni_local_get(allocator) : NULL;
    void *data = try_hard_to_take(allocator, local, bytes, whole);
    if (TNI_UNLIKELY(!data) && tni_watch_relieve(allocator->device, bytes))
        data = try_hard_to_take(allocator, local, bytes, whole);
    if (TNI_UNLIKELY(!data))
        return fail_to_take(allocator, bytes);
    if (local) {
        tni_local_took(local, bytes);
    } else {
        tni_tally_take(&allocator->statistics.blocks, 1);
        tni_tally_take(&allocator->statistics.bytes, counted_bytes(allocator, bytes));
    }
    if (allocator->caching)
        tni_shield_open(allocator, data, bytes);
    tell_taken(allocator, data, bytes);
    return data;
}

void *tni_allocator_take(tn_allocator *allocator, size_t bytes) {
    if (TNI_UNLIKELY(tni_fault_hits()))
        return fail_to_take(allocator, bytes);
    tni_local *local = TNI_LIKELY(bytes <= allocator->small_limit) ? tni_local_recent(allocator) : NULL;
    void *data = TNI_LIKELY(local != NULL) ? tni_quick_pop(allocator, local, bytes) : NULL;
    if (TNI_UNLIKELY(!data))
        return take_slowly(allocator, bytes, NULL);
    tni_local_took(local, bytes);
    tell_taken(allocator, data, bytes);
    return data;
}

/* For the short way: all that counting leaves to be done, of which something is. */
TNI_NOINLINE void *tni_quick_tell(tni_thread *thread, const tn_storage *storage, void *result) {
    tni_local *local = thread->slots[TNI_SLOT_CPU];
    if (tni_tally_read(&local->bytes.current) >= TNI_TALLY_DRIFT)
        tni_local_report(local);
    if (tni_watch_on())
        tni_watch_took(storage->allocator, storage->pointer.data, storage->taken);
    tni_observe_taken(thread, storage->taken);
    return result;
}

bool tni_allocator_take_whole(tn_allocator *allocator, size_t bytes, tn_data_ptr *out) {
    if (TNI_UNLIKELY(tni_fault_hits()))
        return fail_to_take(allocator, bytes) != NULL;
    return take_slowly(allocator, bytes, out) != NULL;
}

/* Everything to do before the block itself goes; returns the local part in which it was counted, if any. */
static tni_local *count_given(tn_allocator *allocator, void *data, size_t bytes) {
    tni_local *local = allocator->caching ? tni_local_get(allocator) : NULL;
    if (local) {
        tni_local_gave(local, bytes);
    } else {
        tni_tally_give(&allocator->statistics.blocks, 1);
        tni_tally_give(&allocator->statistics.bytes, counted_bytes(allocator, bytes));
    }
    if (tni_watch_on())
        tni_watch_gave(allocator, data, bytes);
    return local;
}

void tni_allocator_give_whole(tn_allocator *allocator, tn_data_ptr *pointer, size_t bytes) {
    (void)count_given(allocator, pointer->data, bytes);
    tn_data_ptr_clear(pointer);
}

static TNI_NOINLINE void give_slowly(tn_allocator *allocator, void *data, size_t bytes) {
    tni_local *local = count_given(allocator, data, bytes);
    if (allocator->caching) {
        tni_shield_close(allocator, data, bytes);
        tni_caching_give(allocator->caching, local, data, bytes);
    } else {
        allocator->functions.free(allocator->functions.ctx, data, bytes);
    }
}

void tni_allocator_give(tn_allocator *allocator, void *data, size_t bytes) {
    bool small = bytes <= allocator->small_limit && !tni_watch_on();
    tni_local *local = TNI_LIKELY(small) ? tni_local_recent(allocator) : NULL;
    if (TNI_UNLIKELY(!local || !tni_quick_push(allocator, local, data, bytes)))
        give_slowly(allocator, data, bytes);
}

size_t tni_allocator_usable(tn_allocator *allocator, size_t bytes) {
    if (TNI_ASAN || !allocator->caching || bytes == 0 || bytes > PTRDIFF_MAX)
        return bytes;
    return bytes <= allocator->small_limit ? tni_small_class_bytes(tni_small_class(bytes)) : tni_large_round(bytes);
}

/* ---- the object ---- */

/* Under the registry's lock: whether nobody holds the allocator. The thread that gives up the only reference (object.h) need
 * not have counted it down, and the registry may have handed out another since: then that one is the last. */
static bool nobody_holds(tn_allocator *allocator) {
    return tni_object_use_count(&allocator->object) == 0 || (uint32_t)atomic_fetch_sub(&allocator->object.counts, 1) == 1;
}

static void destroy_allocator(tni_object *self) {
    tn_allocator *allocator = (tn_allocator *)self;
    tni_registry_lock();
    if (!nobody_holds(allocator)) {
        tni_registry_unlock();
        return;
    }
    tni_registry_remove(allocator);
    if (allocator->caching)
        tni_locals_discard(allocator);
    tni_registry_unlock();
    if (allocator->caching)
        tni_caching_destroy(allocator->caching);
    tni_trace_discard(allocator);
    pthread_mutex_destroy(&allocator->trace_lock);
    if (allocator->functions.destroy)
        allocator->functions.destroy(allocator->functions.ctx);
    tni_heap_free(allocator->name, strlen(allocator->name) + 1);
    allocator->object.class = &tni_dead_class;
    tni_heap_free(allocator, sizeof *allocator);
}

const tni_class tni_allocator_class = {"allocator", destroy_allocator};

void tni_allocator_drop_counted(tn_allocator *allocator) {
    if ((uint32_t)atomic_fetch_sub_explicit(&allocator->object.counts, TNI_HELD + 1, memory_order_acq_rel) == 1)
        destroy_allocator(&allocator->object);
}

void tni_allocator_prepare(tn_allocator *allocator, char *name, tn_device device) {
    memset(allocator, 0, sizeof *allocator);
    tni_object_init(&allocator->object, &tni_allocator_class);
    allocator->name = name;
    allocator->device = device;
    pthread_mutex_init(&allocator->trace_lock, NULL);
}

static bool is_live_allocator(const tn_allocator *allocator) {
    return tni_object_check((const tni_object *)allocator, &tni_allocator_class, "allocator");
}

static tn_allocator *make_allocator(const char *name, const char *addition, tn_device device) {
    size_t length = strlen(name), more = strlen(addition);
    char *copy = tni_heap_alloc(length + more + 1);
    tn_allocator *allocator = copy ? tni_heap_alloc(sizeof *allocator) : NULL;
    if (!allocator) {
        tni_heap_free(copy, length + more + 1);
        return NULL;
    }
    memcpy(copy, name, length);
    memcpy(copy + length, addition, more + 1);
    tni_allocator_prepare(allocator, copy, device);
    return allocator;
}

/* A table made for a later Tenon is longer; it is accepted as long as the members that this one does not know are zero. */
static tn_error read_functions(const tn_allocator_functions *given, tn_allocator_functions *out) {
    enum { FUNCTIONS_LONGEST = 1024 };
    size_t least = offsetof(tn_allocator_functions, free) + sizeof given->free;
    if (given->struct_size < least || given->struct_size > FUNCTIONS_LONGEST)
        return tni_raise(TN_ERROR_ARGUMENT, "allocator_create: functions.struct_size is %zu; set it to sizeof, at least %zu",
                         given->struct_size, least);
    for (size_t at = sizeof *given; at < given->struct_size; at++)
        if (((const char *)given)[at] != 0)
            return tni_raise(TN_ERROR_UNSUPPORTED, "allocator_create: functions has members that this version does not know");
    memset(out, 0, sizeof *out);
    memcpy(out, given, given->struct_size < sizeof *out ? given->struct_size : sizeof *out);
    if (!out->allocate_pointer && (!out->allocate || !out->free))
        return tni_raise(TN_ERROR_ARGUMENT, "allocator_create: functions.%s is NULL", out->allocate ? "free" : "allocate");
    if (strcmp(tn_device_type_name(out->device.type), "unknown") == 0 || out->device.index < 0)
        return tni_raise(TN_ERROR_DEVICE, "allocator_create: functions.device {%d, %d} is not a device", (int)out->device.type,
                         (int)out->device.index);
    return TN_OK;
}

tn_allocator *tn_allocator_create(const tn_allocator_functions *functions) {
    if (!functions) {
        tni_raise_missing("functions");
        return NULL;
    }
    tn_allocator_functions table;
    if (read_functions(functions, &table) != TN_OK)
        return NULL;
    tn_allocator *allocator = make_allocator(table.name ? table.name : "unnamed", "", table.device);
    if (!allocator)
        return NULL;
    allocator->functions = table;
    allocator->functions.name = allocator->name;
    allocator->whole = table.allocate_pointer != NULL;
    tni_registry_add(allocator);
    return tni_scope_adopt(allocator);
}

tn_allocator *tn_caching_allocator_create(tn_allocator *raw, const tn_caching_options *options) {
    if (!tni_object_check((const tni_object *)raw, &tni_allocator_class, "raw"))
        return NULL;
    if (raw->caching)
        return tni_raise_null(TN_ERROR_ARGUMENT, "caching_allocator_create: raw, \"%s\", is itself a caching allocator",
                              raw->name);
    if (raw->whole)
        return tni_raise_null(TN_ERROR_ARGUMENT,
                              "caching_allocator_create: raw, \"%s\", has allocate_pointer, whose memory cannot be cut",
                              raw->name);
    tn_caching_options chosen = {.struct_size = sizeof chosen};
    if (options) {
        if (options->struct_size < sizeof options->struct_size)
            return tni_raise_null(TN_ERROR_ARGUMENT, "caching_allocator_create: options.struct_size is %zu; set it to sizeof",
                                  options->struct_size);
        memcpy(&chosen, options, options->struct_size < sizeof chosen ? options->struct_size : sizeof chosen);
    }
    if (chosen.small_limit > TNI_SMALL_LIMIT_MOST)
        return tni_raise_null(TN_ERROR_ARGUMENT, "caching_allocator_create: options.small_limit is %zu, more than %d",
                              chosen.small_limit, TNI_SMALL_LIMIT_MOST);
    if (chosen.segment_size > PTRDIFF_MAX / 2)
        return tni_raise_null(TN_ERROR_ARGUMENT, "caching_allocator_create: options.segment_size is %zu, more than %zu",
                              chosen.segment_size, (size_t)PTRDIFF_MAX / 2);
    tni_caching *caching = tni_heap_calloc(sizeof *caching);
    tn_allocator *allocator = caching ? make_allocator(raw->name, " caching", raw->device) : NULL;
    if (!allocator) {
        tni_heap_free(caching, sizeof *caching);
        return NULL;
    }
    tni_allocator_hold(raw);
    tni_caching_prepare(caching, allocator, raw, &chosen);
    tni_registry_add(allocator);
    return tni_scope_adopt(allocator);
}

tn_allocator *tn_allocator_retain(tn_allocator *allocator) {
    if (allocator && is_live_allocator(allocator) && !allocator->immortal)
        tni_object_retain(&allocator->object);
    return allocator;
}

void tn_allocator_release(tn_allocator *allocator) {
    if (allocator && is_live_allocator(allocator) && !allocator->immortal)
        tni_scope_release(&allocator->object, "allocator_release");
}

tn_allocator *tn_allocator_keep(tn_allocator *allocator) {
    if (allocator && is_live_allocator(allocator))
        tni_scope_forget(&allocator->object);
    return allocator;
}

const char *tn_allocator_name(const tn_allocator *allocator) { return is_live_allocator(allocator) ? allocator->name : ""; }

tn_device tn_allocator_device(const tn_allocator *allocator) {
    return is_live_allocator(allocator) ? allocator->device : TN_DEVICE_CPU;
}

/* ---- memory for the user ---- */

typedef struct allocated_pointer {
    tn_allocator *allocator;
    tn_data_ptr pointer;
    size_t bytes;
} allocated_pointer;

static void free_allocated_pointer(void *ctx) {
    allocated_pointer *self = ctx;
    tni_allocator_give_pointer(self->allocator, &self->pointer, self->bytes);
    tni_allocator_drop(self->allocator);
    tni_heap_free(self, sizeof *self);
}

tn_data_ptr tn_allocator_allocate(tn_allocator *allocator, size_t bytes) {
    tn_data_ptr none = {NULL, NULL, NULL, tn_allocator_device(allocator)};
    if (!allocator || !is_live_allocator(allocator) || bytes == 0)
        return none;
    allocated_pointer *self = tni_heap_alloc(sizeof *self);
    if (!self || !tni_allocator_take_pointer(allocator, bytes, &self->pointer)) {
        tni_heap_free(self, sizeof *self);
        return none;
    }
    tni_allocator_hold(allocator);
    self->allocator = allocator;
    self->bytes = bytes;
    return tn_data_ptr_make(self->pointer.data, self, free_allocated_pointer, allocator->device);
}

tn_error tn_allocator_copy(tn_allocator *allocator, void *target, const void *source, size_t bytes) {
    if (!is_live_allocator(allocator))
        return tni_failed();
    if (bytes == 0)
        return TN_OK;
    if (!target || !source)
        return tni_raise_missing(target ? "source" : "target");
    const tn_allocator *raw = allocator->caching ? allocator->caching->raw : allocator;
    if (!raw->functions.copy) {
        memmove(target, source, bytes);
        return TN_OK;
    }
    tn_error code = raw->functions.copy(raw->functions.ctx, target, source, bytes);
    if (code == TN_OK)
        return TN_OK;
    bool known = code > TN_OK && code <= TN_ERROR_LINALG;
    return tni_raise(known ? code : TN_ERROR_DEVICE, "allocator \"%s\" could not copy %s", allocator->name,
                     tni_show_bytes(bytes));
}

size_t tn_allocator_trim(tn_allocator *allocator) {
    return is_live_allocator(allocator) && allocator->caching ? tni_caching_trim(allocator->caching) : 0;
}

size_t tn_empty_cache(int32_t device_type) {
    tn_allocator *allocator = tni_allocator_default_held(device_type);
    if (!allocator)
        return 0;
    size_t bytes = tn_allocator_trim(allocator);
    tni_allocator_drop(allocator);
    return bytes;
}
