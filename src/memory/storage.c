/* storage.c - making, asking, resizing and freeing storages. See storage.h for the struct and its invariant; copy-on-write is
 * in lazy_clone.c, files in mapped_file.c.
 *
 * Every function that can fail checks everything first, allocates next, and only then changes the storage, so a failure
 * leaves it as it was. Memory that a storage lets go is freed last, because a deleter is foreign code.
 */
#include "memory/storage.h"

#include "base/error.h"
#include "base/heap.h"
#include "base/observe.h"
#include "base/scope.h"
#include "memory/allocator.h"

/* ---- freeing ------------------------------------------------------------------------------------------------------- */

/* Let go of the present memory; the caller overwrites the fields. */
static void storage_free_memory(tn_storage *storage) {
    if (TNI_UNLIKELY(storage->foreign))
        tn_data_ptr_clear(&storage->pointer);
    else if (tni_lazy_leave(storage) && storage->pointer.data)
        tni_allocator_give_pointer(storage->allocator, &storage->pointer, storage->taken);
    if (TNI_LIKELY(storage->allocator != NULL))
        tni_allocator_drop(storage->allocator);
}

void tni_storage_destroy(tni_object *self) {
    tn_storage *storage = (tn_storage *)self;
    storage_free_memory(storage);
    self->class = &tni_dead_class;
    tni_heap_free(storage, sizeof *storage);
}

void (*_Atomic tni_storage_written)(tn_storage *storage, const struct tn_tensor *through, uint32_t version);

TNI_COLD void tni_storage_tell(tn_storage *storage, const struct tn_tensor *through, uint32_t before) {
    void (*written)(tn_storage *, const struct tn_tensor *, uint32_t) =
        atomic_load_explicit(&tni_storage_written, memory_order_acquire);
    if (written)
        written(storage, through, (before + TNI_VERSION_ONE) >> TNI_VERSION_SHIFT);
}

const tni_class tni_storage_class = {"storage", tni_storage_destroy};

/* ---- making -------------------------------------------------------------------------------------------------------- */

/* Offsets and element counts are int64, and C's own pointer differences ptrdiff_t: a larger size is always a mistake. */
static bool storage_size_fits(size_t bytes) {
    if (TNI_LIKELY(bytes <= (size_t)PTRDIFF_MAX))
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "bytes is %zu, which is more than any block can have (a negative number, or an overflow?)",
              bytes);
    return false;
}

tn_dtype tni_storage_dtype_or_bytes(tn_dtype dtype) {
    if (dtype == TN_DTYPE_DEFAULT)
        return TN_UINT8;
    if (tn_dtype_exists(dtype))
        return dtype;
    tni_raise(TN_ERROR_DTYPE, "dtype is %d, but there is no such dtype", (int)dtype);
    return TN_DTYPE_DEFAULT;
}

/* The allocator to use, held: the given one or, for NULL, the one in use for the device type. */
static tn_allocator *storage_hold_allocator(tn_allocator *allocator, int32_t device_type) {
    if (!allocator)
        return tni_allocator_default_held(device_type);
    tni_allocator_hold(allocator);
    return allocator;
}

tn_storage *tni_storage_new(size_t bytes, tn_dtype dtype, tn_allocator *allocator) {
    if (!storage_size_fits(bytes) || !(allocator = storage_hold_allocator(allocator, TN_CPU)))
        return NULL;
    tn_data_ptr pointer = {NULL, NULL, NULL, allocator->device};
    tn_storage *storage = tni_heap_alloc(sizeof *storage);
    if (TNI_UNLIKELY(!storage || (bytes && !tni_allocator_take_pointer(allocator, bytes, &pointer)))) {
        tni_heap_free(storage, sizeof *storage);
        tni_allocator_drop(allocator);
        return NULL;
    }
    tni_storage_init(storage, 1, pointer, bytes, dtype, allocator);
    return storage;
}

tn_error tni_storage_check_pointer(const tn_data_ptr *pointer, size_t bytes) {
    if (!pointer)
        return tni_raise_missing("pointer");
    if (!storage_size_fits(bytes))
        return TN_ERROR_ARGUMENT;
    if (!pointer->data && bytes)
        return tni_raise(TN_ERROR_ARGUMENT, "pointer has data NULL, but is said to hold %s", tni_show_bytes(bytes));
    if (pointer->device.type < 0 || pointer->device.type >= TN_DEVICE_TYPES || pointer->device.index < 0)
        return tni_raise(TN_ERROR_DEVICE, "pointer is on device {%d, %d}, but there is no such device",
                         (int)pointer->device.type, (int)pointer->device.index);
    return TN_OK;
}

void tni_storage_install(tn_storage *storage, tn_data_ptr *pointer, size_t bytes) {
    tn_storage old = {
        .pointer = storage->pointer, .taken = storage->taken, .allocator = storage->allocator, .foreign = storage->foreign};
    atomic_init(&old.group, atomic_load_explicit(&storage->group, memory_order_relaxed));
    storage->pointer = tn_data_ptr_move(pointer);
    storage->nbytes = bytes;
    storage->taken = bytes;
    storage->allocator = NULL;
    atomic_store_explicit(&storage->group, NULL, memory_order_relaxed);
    storage->resizable = false;
    storage->received = false;
    storage->foreign = true;
    storage_free_memory(&old);
}

tn_storage *tni_storage_without_memory(tn_dtype dtype) {
    tn_storage *storage = tni_heap_alloc(sizeof *storage);
    if (storage)
        tni_storage_init(storage, 1, (tn_data_ptr){NULL, NULL, NULL, TN_DEVICE_CPU}, 0, dtype, NULL);
    return storage;
}

tn_storage *tni_storage_wrap(tn_data_ptr *pointer, size_t bytes, tn_dtype dtype) {
    if (tni_storage_check_pointer(pointer, bytes) != TN_OK)
        return NULL;
    tn_storage *storage = tni_storage_without_memory(dtype);
    if (storage)
        tni_storage_install(storage, pointer, bytes);
    return storage;
}

tn_error tni_storage_duplicate(const tn_storage *storage, tn_allocator *allocator, size_t bytes, const char *reason,
                               tn_data_ptr *out) {
    tn_data_ptr copy;
    if (!tni_allocator_take_pointer(allocator, bytes, &copy))
        return TN_ERROR_MEMORY;
    size_t kept = bytes < storage->nbytes ? bytes : storage->nbytes;
    if (kept) {
        tn_error error = tn_allocator_copy(allocator, copy.data, storage->pointer.data, kept);
        if (error != TN_OK) {
            tni_allocator_give_pointer(allocator, &copy, bytes);
            return error;
        }
        tni_observe_copy(kept, reason);
    }
    *out = copy;
    return TN_OK;
}

static tn_storage *storage_clone_from(const tn_storage *storage, tn_allocator *allocator) {
    tn_device from = storage->pointer.device, to = allocator->device;
    if (!tn_device_equal(from, to))
        return tni_raise_null(TN_ERROR_DEVICE, "storage is on %s:%d, but allocator \"%s\" is for %s:%d",
                              tn_device_type_name(from.type), (int)from.index, allocator->name, tn_device_type_name(to.type),
                              (int)to.index);
    tn_storage *clone = tni_storage_new(0, (tn_dtype)storage->dtype, allocator);
    if (!clone || storage->nbytes == 0)
        return clone;
    const char *reason = "a clone has bytes of its own";
    if (tni_storage_duplicate(storage, allocator, storage->nbytes, reason, &clone->pointer) != TN_OK) {
        tni_storage_release(clone);
        return NULL;
    }
    clone->nbytes = clone->taken = storage->nbytes;
    return clone;
}

tn_storage *tni_storage_clone(const tn_storage *storage, tn_allocator *allocator) {
    if (!(allocator = storage_hold_allocator(allocator, storage->pointer.device.type)))
        return NULL;
    tn_storage *clone = storage_clone_from(storage, allocator);
    tni_allocator_drop(allocator);
    return clone;
}

/* NULL stands for the default; anything else must be a live allocator. */
static bool storage_allocator_usable(const tn_allocator *allocator) {
    return !allocator || tni_object_check((const tni_object *)allocator, &tni_allocator_class, "allocator");
}

tn_storage *tn_storage_create(size_t bytes, tn_dtype dtype, tn_allocator *allocator) {
    const char *outer = tni_operator_enter("storage_create");
    tn_storage *storage = NULL;
    if ((dtype = tni_storage_dtype_or_bytes(dtype)) && storage_allocator_usable(allocator))
        storage = tni_scope_adopt(tni_storage_new(bytes, dtype, allocator));
    tni_operator_leave(outer);
    return storage;
}

/* Whether the allocator, which may be NULL, can take over from the pointer. */
static bool storage_allocator_fits(const tn_allocator *allocator, const tn_data_ptr *pointer, bool resizable) {
    if (!allocator) {
        if (resizable)
            tni_raise(TN_ERROR_ARGUMENT, "allocator is NULL, and without one the storage cannot be resizable");
        return !resizable;
    }
    tn_device given = pointer->device, own = allocator->device;
    bool same = tn_device_equal(given, own);
    if (!same)
        tni_raise(TN_ERROR_DEVICE, "pointer is on %s:%d, but allocator \"%s\" is for %s:%d", tn_device_type_name(given.type),
                  (int)given.index, allocator->name, tn_device_type_name(own.type), (int)own.index);
    return same;
}

/* The pointer is taken last: a scope without room for the storage must not cost the caller the memory. */
static tn_storage *storage_from_pointer(tn_data_ptr *pointer, size_t bytes, tn_dtype dtype, tn_allocator *allocator,
                                        bool resizable) {
    if (tni_storage_check_pointer(pointer, bytes) != TN_OK || !(dtype = tni_storage_dtype_or_bytes(dtype)) ||
        !storage_allocator_usable(allocator) || !storage_allocator_fits(allocator, pointer, resizable))
        return NULL;
    tn_storage *storage = tni_scope_adopt(tni_storage_without_memory(dtype));
    if (!storage)
        return NULL;
    tni_storage_install(storage, pointer, bytes);
    if (allocator)
        tni_allocator_hold(allocator);
    storage->allocator = allocator;
    storage->resizable = resizable;
    return storage;
}

tn_storage *tn_storage_from_pointer(tn_data_ptr *pointer, size_t bytes, tn_dtype dtype) {
    const char *outer = tni_operator_enter("storage_from_pointer");
    tn_storage *storage = storage_from_pointer(pointer, bytes, dtype, NULL, false);
    tni_operator_leave(outer);
    return storage;
}

tn_storage *tn_storage_from_pointer_with(tn_data_ptr *pointer, size_t bytes, tn_dtype dtype, tn_allocator *allocator,
                                         bool resizable) {
    const char *outer = tni_operator_enter("storage_from_pointer_with");
    tn_storage *storage = storage_from_pointer(pointer, bytes, dtype, allocator, resizable);
    tni_operator_leave(outer);
    return storage;
}

tn_storage *tn_storage_clone(const tn_storage *storage, tn_allocator *allocator) {
    const char *outer = tni_operator_enter("storage_clone");
    tn_storage *clone = NULL;
    if (tni_storage_check(storage) && storage_allocator_usable(allocator))
        clone = tni_scope_adopt(tni_storage_clone(storage, allocator));
    tni_operator_leave(outer);
    return clone;
}

/* ---- owning -------------------------------------------------------------------------------------------------------- */

static TNI_COLD bool storage_complain(const tn_storage *storage, const char *operator_name) {
    const char *outer = tni_operator_enter(operator_name);
    (void)tni_storage_check(storage);
    tni_operator_leave(outer);
    return false;
}

/* tni_storage_check for the short functions, which need the operator's name only when something is wrong. */
static inline bool storage_live(const tn_storage *storage, const char *operator_name) {
    return TNI_LIKELY(storage && storage->object.class == &tni_storage_class) || storage_complain(storage, operator_name);
}

/* The same as a code. A NULL is answered with the error that was waiting before, if one was: it is the cause. */
static tn_error storage_handle_error(const tn_storage *storage, const char *operator_name) {
    if (storage_live(storage, operator_name))
        return TN_OK;
    if (!storage)
        return tn_error_code();
    return storage->object.class == &tni_dead_class ? TN_ERROR_STATE : TN_ERROR_ARGUMENT;
}

_Static_assert(offsetof(tn_storage, object.counts) == offsetof(tn_storage_head, counts) && sizeof(_Atomic uint64_t) == 8,
               "a storage begins as tenon/storage.h says");

tn_storage *tn_storage_retain(tn_storage *storage) {
    if (!storage || !storage_live(storage, "storage_retain"))
        return NULL;
    tni_object_retain(&storage->object);
    return storage;
}

void tn_storage_release(tn_storage *storage) {
    if (storage && storage_live(storage, "storage_release"))
        tni_scope_release(&storage->object, "storage_release");
}

tn_storage *tn_storage_keep(tn_storage *storage) {
    if (!storage_live(storage, "storage_keep"))
        return NULL;
    (void)tni_scope_forget(&storage->object);
    return storage;
}

int64_t tn_storage_use_count(const tn_storage *storage) {
    return storage && storage_live(storage, "storage_use_count") ? tni_object_use_count(&storage->object) : 0;
}

bool tn_storage_unique(const tn_storage *storage) {
    return storage && storage_live(storage, "storage_unique") && tni_object_use_count(&storage->object) == 1;
}

/* ---- asking -------------------------------------------------------------------------------------------------------- */

size_t tni_storage_capacity(const tn_storage *storage) {
    if (storage->foreign)
        return storage->taken;
    if (!storage->pointer.data)
        return storage->nbytes;
    return tni_allocator_usable(storage->allocator, storage->taken);
}

size_t tn_storage_nbytes(const tn_storage *storage) { return storage_live(storage, "storage_nbytes") ? storage->nbytes : 0; }

size_t tn_storage_capacity(const tn_storage *storage) {
    return storage_live(storage, "storage_capacity") ? tni_storage_capacity(storage) : 0;
}

size_t tn_storage_itemsize(const tn_storage *storage) {
    return storage_live(storage, "storage_itemsize") ? tn_dtype_size((tn_dtype)storage->dtype) : 0;
}

int64_t tn_storage_numel(const tn_storage *storage) {
    return storage_live(storage, "storage_numel") ? (int64_t)(storage->nbytes / tn_dtype_size((tn_dtype)storage->dtype)) : 0;
}

tn_dtype tn_storage_dtype(const tn_storage *storage) {
    return storage_live(storage, "storage_dtype") ? (tn_dtype)storage->dtype : TN_DTYPE_DEFAULT;
}

tn_device tn_storage_device(const tn_storage *storage) {
    return storage_live(storage, "storage_device") ? storage->pointer.device : TN_DEVICE_CPU;
}

tn_allocator *tn_storage_allocator(const tn_storage *storage) {
    return storage_live(storage, "storage_allocator") ? storage->allocator : NULL;
}

bool tn_storage_resizable(const tn_storage *storage) {
    return storage_live(storage, "storage_resizable") && storage->resizable;
}

bool tn_storage_readonly(const tn_storage *storage) {
    return storage_live(storage, "storage_readonly") && storage->locked & TNI_LOCKED_READONLY;
}

bool tn_storage_received(const tn_storage *storage) { return storage_live(storage, "storage_received") && storage->received; }

uint32_t tn_storage_version(const tn_storage *storage) {
    return storage_live(storage, "storage_version") ? tni_storage_version(storage) : 0;
}

/* ---- the flags ----------------------------------------------------------------------------------------------------- */

tn_error tn_storage_set_resizable(tn_storage *storage, bool resizable) {
    tn_error error = storage_handle_error(storage, "storage_set_resizable");
    if (error != TN_OK)
        return error;
    if (resizable && !storage->allocator) {
        const char *outer = tni_operator_enter("storage_set_resizable");
        error = tni_raise(TN_ERROR_STATE, "the memory came from a pointer or a file, and no allocator can resize it");
        tni_operator_leave(outer);
        return error;
    }
    storage->resizable = resizable;
    return TN_OK;
}

tn_error tn_storage_set_readonly(tn_storage *storage) {
    tn_error error = storage_handle_error(storage, "storage_set_readonly");
    if (error != TN_OK)
        return error;
    storage->locked |= TNI_LOCKED_READONLY;
    return TN_OK;
}

tn_error tn_storage_set_received(tn_storage *storage, bool received) {
    tn_error error = storage_handle_error(storage, "storage_set_received");
    if (error != TN_OK)
        return error;
    storage->received = received;
    return TN_OK;
}

/* ---- the bytes ----------------------------------------------------------------------------------------------------- */

const void *tn_storage_data(const tn_storage *storage) {
    return storage_live(storage, "storage_data") && storage->nbytes ? tni_storage_read(storage) : NULL;
}

const tn_data_ptr *tn_storage_data_ptr(const tn_storage *storage) {
    return storage_live(storage, "storage_data_ptr") ? &storage->pointer : NULL;
}

static void *storage_writable(tn_storage *storage, const char *operator_name) {
    const char *outer = tni_operator_enter(operator_name);
    void *data = tni_storage_write(storage);
    tni_operator_leave(outer);
    return storage->nbytes ? data : NULL;
}

void *tn_storage_mutable_data(tn_storage *storage) {
    return storage_live(storage, "storage_mutable_data") ? storage_writable(storage, "storage_mutable_data") : NULL;
}

/* Whether the bytes may be read through a C pointer of this dtype: a mapped file or a foreign pointer can begin anywhere. */
static bool storage_fits_dtype(const tn_storage *storage, tn_dtype dtype, const char *operator_name) {
    const char *outer = tni_operator_enter(operator_name);
    bool same = (tn_dtype)storage->dtype == dtype, aligned = true;
    if (!same) {
        tni_raise(TN_ERROR_DTYPE, "the storage was made for %s, not for %s", tn_dtype_name((tn_dtype)storage->dtype),
                  tn_dtype_name(dtype));
    } else {
        size_t alignment = tn_dtype_size(tn_dtype_to_real(dtype));
        aligned = (uintptr_t)storage->pointer.data % alignment == 0;
        if (!aligned)
            tni_raise(TN_ERROR_DTYPE, "the bytes begin at %p, which is not a multiple of %zu, as %s needs",
                      storage->pointer.data, alignment, tn_dtype_name(dtype));
    }
    tni_operator_leave(outer);
    return same && aligned;
}

const void *tn_storage_data_as(const tn_storage *storage, tn_dtype dtype) {
    if (!storage_live(storage, "storage_data_as") || !storage_fits_dtype(storage, dtype, "storage_data_as"))
        return NULL;
    return storage->nbytes ? tni_storage_read(storage) : NULL;
}

void *tn_storage_mutable_data_as(tn_storage *storage, tn_dtype dtype) {
    if (!storage_live(storage, "storage_mutable_data_as") || !storage_fits_dtype(storage, dtype, "storage_mutable_data_as"))
        return NULL;
    return storage_writable(storage, "storage_mutable_data_as");
}

/* ---- changing the memory ------------------------------------------------------------------------------------------- */

bool tni_storage_refuses_write(const tn_storage *storage) {
    if (storage->locked & TNI_LOCKED_READONLY)
        tni_raise(TN_ERROR_READONLY, "the storage of %s is read-only", tni_show_bytes(storage->nbytes));
    else if (storage->locked && !tni_thread_get()->storage_lock)
        tni_raise(TN_ERROR_STATE,
                  "the storage of %s was made in inference mode, outside of which it cannot be changed; clone it first",
                  tni_show_bytes(storage->nbytes));
    else
        return false;
    return true;
}

/* To one of the allocator's own blocks. The old one is left to the other members of its group, if there are any. */
static tn_error storage_move(tn_storage *storage, size_t bytes) {
    tn_data_ptr old = storage->pointer;
    size_t taken = storage->taken;
    bool foreign = storage->foreign;
    const char *reason = "a storage grew beyond its capacity";
    tn_error error = tni_storage_duplicate(storage, storage->allocator, bytes, reason, &storage->pointer);
    if (error != TN_OK)
        return error;
    storage->nbytes = storage->taken = bytes;
    storage->foreign = false;
    if (foreign) {
        storage->received = false;
        tn_data_ptr_clear(&old);
    } else if (tni_lazy_leave(storage) && old.data) {
        tni_allocator_give_pointer(storage->allocator, &old, taken);
    }
    return TN_OK;
}

/* Growing inside the block is not a write, so a lazy storage stays lazy. */
tn_error tni_storage_grow(tn_storage *storage, size_t bytes) {
    if (tni_storage_refuses_write(storage))
        return tni_failed();
    if (!storage->resizable)
        return tni_raise(TN_ERROR_STATE, "the storage of %s cannot be made %s: it is not resizable%s",
                         tni_show_bytes(storage->nbytes), tni_show_bytes(bytes),
                         storage->allocator ? "" : ", as its memory came from a pointer or a file");
    if (!storage_size_fits(bytes))
        return TN_ERROR_ARGUMENT;
    if (bytes > tni_storage_capacity(storage))
        return storage_move(storage, bytes);
    storage->nbytes = bytes;
    return TN_OK;
}

tn_error tn_storage_resize(tn_storage *storage, size_t bytes) {
    tn_error error = storage_handle_error(storage, "storage_resize");
    if (error != TN_OK)
        return error;
    const char *outer = tni_operator_enter("storage_resize");
    error = tni_storage_grow(storage, bytes);
    tni_operator_leave(outer);
    return error;
}

static tn_error storage_replace(tn_storage *storage, tn_data_ptr *pointer, size_t bytes, tn_dtype dtype) {
    tn_error error = tni_storage_check_pointer(pointer, bytes);
    if (error != TN_OK)
        return error;
    if (tni_storage_refuses_write(storage))
        return tni_failed();
    uint32_t references = tni_object_use_count(&storage->object);
    if (references != 1)
        return tni_raise(TN_ERROR_STATE,
                         "the storage has %" PRIu32 " references, but its memory can be replaced only when "
                         "there is one",
                         references);
    tn_device present = storage->pointer.device, given = pointer->device;
    if (!tn_device_equal(present, given))
        return tni_raise(TN_ERROR_DEVICE, "the storage is on %s:%d, but pointer is on %s:%d", tn_device_type_name(present.type),
                         (int)present.index, tn_device_type_name(given.type), (int)given.index);
    tni_storage_bump(storage);
    storage->dtype = (uint8_t)dtype;
    tni_storage_install(storage, pointer, bytes);
    return TN_OK;
}

tn_error tn_storage_replace(tn_storage *storage, tn_data_ptr *pointer, size_t bytes) {
    tn_error error = storage_handle_error(storage, "storage_replace");
    if (error != TN_OK)
        return error;
    const char *outer = tni_operator_enter("storage_replace");
    error = storage_replace(storage, pointer, bytes, (tn_dtype)storage->dtype);
    tni_operator_leave(outer);
    return error;
}

tn_error tn_storage_replace_as(tn_storage *storage, tn_data_ptr *pointer, size_t bytes, tn_dtype dtype) {
    tn_error error = storage_handle_error(storage, "storage_replace_as");
    if (error != TN_OK)
        return error;
    const char *outer = tni_operator_enter("storage_replace_as");
    dtype = tni_storage_dtype_or_bytes(dtype);
    error = dtype == TN_DTYPE_DEFAULT ? TN_ERROR_DTYPE : storage_replace(storage, pointer, bytes, dtype);
    tni_operator_leave(outer);
    return error;
}
