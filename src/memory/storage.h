/* storage.h - the inside of a storage, for the layers that look into one. Promises to the outside: tenon/storage.h.
 *
 * Memory comes from one of two places, and `foreign` says which:
 *
 *   not foreign      pointer was taken from the allocator, `taken` bytes, and goes back with tni_allocator_give_pointer;
 *                    pointer.ctx and pointer.deleter are unused, so the ordinary case needs no box on the heap to remember how
 *                    to free, unless the allocator itself makes whole data pointers.
 *   foreign          someone else's memory of `taken` bytes: whatever pointer.deleter says about pointer.ctx. An allocator, if
 *                    there is one, is for the time when it must grow; the memory is not foreign afterwards.
 *
 * Invariant: nbytes <= capacity, and pointer.data holds that many bytes. `group` is not NULL exactly while the block of
 * pointer.data belongs to a copy-on-write group (lazy_clone.c); until it is NULL again nobody writes through pointer.data.
 * `group` and `version` are the only fields that change while other threads may be reading the storage.
 */
#ifndef TNI_STORAGE_H
#define TNI_STORAGE_H

#include <tenon/storage.h>

#include "base/object.h"
#include "base/thread.h"

typedef struct tni_lazy_group tni_lazy_group;

/* INFERENCE: made by a thread in inference mode (tenon/autograd.h); only such threads write it. */
typedef enum tni_storage_lock { TNI_LOCKED_READONLY = 1, TNI_LOCKED_INFERENCE = 2 } tni_storage_lock;

struct tn_storage {
    tni_object object;
    tn_data_ptr pointer;
    size_t nbytes;
    size_t taken; /* the size to give back to the allocator, which may have made the block larger: see tni_storage_capacity */
    tn_allocator *allocator; /* held; NULL only if foreign */
    _Atomic(tni_lazy_group *) group;
    _Atomic uint32_t version;
    uint8_t dtype; /* a tn_dtype that exists */
    bool resizable;
    uint8_t locked;                 /* why it cannot be written as it is: bits of tni_storage_lock */
    bool received : 1, foreign : 1; /* one byte, for the size below */
    uint8_t unused : 6;             /* of it; 0, so that a fresh one is written with a single store */
};

_Static_assert(sizeof(tn_storage) <= 96, "every tensor that owns memory pays for one of these");

TNI_EXTERN const tni_class tni_storage_class;
void tni_storage_destroy(tni_object *storage); /* of that class */

/* Whether a handle from outside is a live storage; raises when not. Safe for NULL. */
static inline bool tni_storage_check(const tn_storage *storage) {
    return tni_object_check((const tni_object *)storage, &tni_storage_class, "storage");
}

/* The constructors of the layers below operators: what they return is in no scope. Errors are raised; NULL then.
 *
 * new: uninitialised, resizable; `allocator` NULL is the CPU's. `dtype` must exist. */
tn_storage *tni_storage_new(size_t bytes, tn_dtype dtype, tn_allocator *allocator);

/* The fields of a fresh one, with `counts` references, over memory that was taken; `allocator`, which it holds, is NULL where the
 * memory is someone else's. */
static inline void tni_storage_init(tn_storage *storage, uint64_t counts, tn_data_ptr pointer, size_t bytes, tn_dtype dtype,
                                    tn_allocator *allocator) {
    tni_object_init_counted(&storage->object, &tni_storage_class, counts);
    storage->pointer = pointer;
    storage->nbytes = bytes;
    storage->taken = bytes;
    storage->allocator = allocator;
    atomic_init(&storage->group, NULL);
    atomic_init(&storage->version, 0);
    storage->dtype = (uint8_t)dtype;
    storage->resizable = allocator != NULL;
    storage->locked = tni_thread_get()->storage_lock;
    storage->received = false;
    storage->foreign = allocator == NULL;
    storage->unused = 0;
}

/* wrap: takes *pointer, leaving it empty, and on failure leaves it as it was. */
tn_storage *tni_storage_wrap(tn_data_ptr *pointer, size_t bytes, tn_dtype dtype);

/* wrap in two steps, for a caller that still has something to allocate (a tensor, a place in a scope) and must not take the
 * pointer before that has succeeded: check_pointer raises; without_memory makes a storage of 0 bytes that is not resizable;
 * install cannot fail, leaves *pointer empty, and frees what the storage had, its allocator too. */
tn_error tni_storage_check_pointer(const tn_data_ptr *pointer, size_t bytes);
tn_storage *tni_storage_without_memory(tn_dtype dtype);
void tni_storage_install(tn_storage *storage, tn_data_ptr *pointer, size_t bytes);

/* TN_DTYPE_DEFAULT becomes uint8; a dtype that does not exist raises and gives TN_DTYPE_DEFAULT. */
tn_dtype tni_storage_dtype_or_bytes(tn_dtype dtype);

/* Maps a file (tn_storage_from_file) as the memory of a storage made by without_memory. Nothing is changed on failure. */
tn_error tni_storage_map_file(tn_storage *storage, const char *path, tn_map_mode mode, size_t offset, size_t bytes);

/* The same for all of a file that is already open; `path` is for messages. */
tn_error tni_storage_map_open(tn_storage *storage, const char *path, int file, tn_map_mode mode);

tn_storage *tni_storage_clone(const tn_storage *storage, tn_allocator *allocator);
tn_storage *tni_storage_lazy_clone(tn_storage *storage);

/* Bytes it can hold where it is. */
size_t tni_storage_capacity(const tn_storage *storage);

/* tn_storage_resize without the check of the handle. */
tn_error tni_storage_grow(tn_storage *storage, size_t bytes);

/* A new block of `bytes` (not 0) from `allocator` with as many of the storage's bytes as fit in it: every copy of a whole
 * storage (clone, move to a larger block, materialisation) is made here, and reported with its reason (base/observe.h).
 * *out is untouched on failure. */
tn_error tni_storage_duplicate(const tn_storage *storage, tn_allocator *allocator, size_t bytes, const char *reason,
                               tn_data_ptr *out);

/* Whether it is locked for the calling thread, which is raised. */
bool tni_storage_refuses_write(const tn_storage *storage);

static inline void tni_storage_set_readonly(tn_storage *storage, bool readonly) {
    storage->locked = (uint8_t)((storage->locked & TNI_LOCKED_INFERENCE) | (readonly ? TNI_LOCKED_READONLY : 0));
}

/* Whether it was made in inference mode. */
static inline bool tni_storage_is_inference(const tn_storage *storage) { return storage->locked & TNI_LOCKED_INFERENCE; }

/* Leave the copy-on-write group, if any; true when the block now belongs only to the storage, which must give it back. */
bool tni_lazy_leave(tn_storage *storage);

/* As tni_storage_prepare_write for memory that is handed out as an address, through which writes are not seen: inference is no matter. */
bool tni_storage_prepare_raw(tn_storage *storage);

/* What tni_storage_prepare_write does when there is something to do. */
bool tni_storage_prepare_write_slow(tn_storage *storage);

/* A tensor's reference to its storage. */
static inline void tni_storage_hold(tn_storage *storage) { tni_object_hold(&storage->object); }
static inline void tni_storage_drop(tn_storage *storage) {
    if (tni_object_drops(&storage->object))
        tni_storage_destroy(&storage->object);
}

/* The reference that the constructors above return. */
static inline void tni_storage_release(tn_storage *storage) {
    if (storage)
        tni_object_release(&storage->object);
}

/* The bytes for reading; not NULL unless there never were any. */
static inline const void *tni_storage_read(const tn_storage *storage) { return storage->pointer.data; }

/* To be called before a write, and before the work is cut among threads: refuses a read-only storage (false, raised) and
 * makes a lazy one own its bytes (false, raised, and still lazy, when there is no memory). pointer.data may change. */
static inline bool tni_storage_prepare_write(tn_storage *storage) {
    bool ready = !storage->locked && !atomic_load_explicit(&storage->group, memory_order_relaxed);
    return TNI_LIKELY(ready) || tni_storage_prepare_write_slow(storage);
}

/* The bytes for writing: NULL when refused (raised) and for a storage that never had any (not raised). */
static inline void *tni_storage_write(tn_storage *storage) {
    return tni_storage_prepare_write(storage) ? storage->pointer.data : NULL;
}

/* `version` counts writes in steps of TNI_VERSION_ONE. Below that are two bits for gradients (autograd/writes.h): whether each write
 * is to be told of, and whether one was. */
enum { TNI_VERSION_WATCHED = 1, TNI_VERSION_LOGGED = 2, TNI_VERSION_SHIFT = 2, TNI_VERSION_ONE = 4 };
#define TNI_VERSION_MASK (UINT32_MAX >> TNI_VERSION_SHIFT)

/* Who is told: of a write through a tensor, or (NULL) of one that may be anywhere, and the version it made. */
struct tn_tensor;
TNI_EXTERN void (*_Atomic tni_storage_written)(tn_storage *storage, const struct tn_tensor *through, uint32_t version);
void tni_storage_tell(tn_storage *storage, const struct tn_tensor *through, uint32_t before);

/* Count a write. An atomic addition, because two threads may well write to different parts of one storage. Writes through a tensor:
 * tni_tensor_bump. */
static inline void tni_storage_bump_through(tn_storage *storage, const struct tn_tensor *through) {
    uint32_t before = atomic_fetch_add_explicit(&storage->version, TNI_VERSION_ONE, memory_order_relaxed);
    if (TNI_UNLIKELY(before & TNI_VERSION_WATCHED))
        tni_storage_tell(storage, through, before);
}
static inline void tni_storage_bump(tn_storage *storage) { tni_storage_bump_through(storage, NULL); }

/* The same for a write through a tensor of `bytes` bytes side by side. If those are all there are, and the tensor has the only
 * reference, nobody else can be writing at the same time: then the addition need not be atomic, which would wait for every
 * store before it. */
static inline void tni_storage_bump_bytes(tn_storage *storage, const struct tn_tensor *through, size_t bytes) {
    uint32_t before = atomic_load_explicit(&storage->version, memory_order_relaxed);
    if (TNI_LIKELY(bytes == storage->nbytes && tni_object_use_count(&storage->object) == 1 && !(before & TNI_VERSION_WATCHED)))
        atomic_store_explicit(&storage->version, before + TNI_VERSION_ONE, memory_order_relaxed);
    else
        tni_storage_bump_through(storage, through);
}

static inline uint32_t tni_storage_version(const tn_storage *storage) {
    return atomic_load_explicit(&storage->version, memory_order_relaxed) >> TNI_VERSION_SHIFT;
}

#endif
