/* tenon/storage.h - a one-dimensional block of bytes that tensors look into. Two tensors alias if and only if they share one.
 *
 * A handle that is NULL or was released is an error (the latter TN_ERROR_STATE, where it can still be detected); functions that
 * return a number then return 0, a bool: false, a dtype: TN_DTYPE_DEFAULT, a device: the CPU. Functions marked NULL-safe take a
 * NULL without an error.
 */
#ifndef TENON_STORAGE_H
#define TENON_STORAGE_H

#include <tenon/dtype.h>
#include <tenon/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_storage tn_storage;

/* A new storage of `bytes` uninitialised bytes, resizable. `allocator` NULL: the one in use for the CPU. `dtype` is the one it
 * is made for; only the typed pointers check it. TN_DTYPE_DEFAULT: plain bytes (uint8). `bytes` need not be a multiple of its
 * size. TN_ERROR_ARGUMENT for more than PTRDIFF_MAX bytes, here and wherever a size is given. */
TN_API tn_storage *tn_storage_create(size_t bytes, tn_dtype dtype, tn_allocator *allocator);

/* A storage over memory that exists: takes *pointer (which is left empty) and is not resizable. On failure *pointer is
 * untouched, its deleter not run. A pointer with ctx NULL is borrowed: the memory must outlive the storage. */
TN_API tn_storage *tn_storage_from_pointer(tn_data_ptr *pointer, size_t bytes, tn_dtype dtype);

/* The same with an allocator, which is retained, for the time when the memory is outgrown: a resizable one that must grow
 * beyond `bytes` moves into memory of the allocator, and frees the pointer then; one that shrinks stays where it is, and can
 * grow back. Until then the allocator's statistics do not count the memory, and clones, lazy ones too, are copies made at once
 * by the allocator. `allocator` NULL: none, as above; then `resizable` must be false (TN_ERROR_ARGUMENT). It can be changed
 * later (tn_storage_set_resizable). TN_ERROR_DEVICE when the allocator is for another device than the pointer's. On failure
 * *pointer is untouched, its deleter not run. */
TN_API tn_storage *tn_storage_from_pointer_with(tn_data_ptr *pointer, size_t bytes, tn_dtype dtype, tn_allocator *allocator,
                                                bool resizable);

/* A storage over a file mapped into memory, from `offset` (any number) for `bytes` (0: to the end). Not resizable.
 * TN_MAP_PRIVATE: writes stay in this process. TN_MAP_SHARED: writes reach the file; the file is grown to hold offset +
 * bytes, and made if it is missing and `bytes` is not 0; disk space for it is not reserved.
 * TN_MAP_READONLY: writes are refused. The file may be unlinked afterwards. TN_ERROR_IO when it cannot be opened, grown or
 * mapped, is not a regular file, is too short for a private or read-only map, or for `offset` with `bytes` 0; it is unchanged
 * then. Cutting a file short while it is mapped makes the system end (SIGBUS) whoever reads beyond its new end. */
typedef enum tn_map_mode { TN_MAP_READONLY = 0, TN_MAP_PRIVATE, TN_MAP_SHARED } tn_map_mode;
TN_API tn_storage *tn_storage_from_file(const char *path, tn_map_mode mode, size_t offset, size_t bytes, tn_dtype dtype);

TN_API tn_storage *tn_storage_retain(tn_storage *storage); /* NULL-safe; returns its argument */
TN_API void tn_storage_release(tn_storage *storage);       /* NULL-safe; of what a scope owns: see tenon/base.h */

/* Take a storage out of the scope that owns it: the caller owns it now. A storage that no scope owns stays as it is. Returns
 * its argument. */
TN_API tn_storage *tn_storage_keep(tn_storage *storage);

/* How every storage begins, for headers in other languages that count references without a call. Instead of a retain `counts`
 * may be raised by 1, with an atomic operation unless the process has one thread; in a process of one thread it may also be
 * lowered by 1 instead of a release, while it is from 2 to UINT32_MAX. Its lower half is 1 where there is one reference. */
typedef struct tn_storage_head {
    const void *kind;
    uint64_t counts;
} tn_storage_head;

/* How many references there are; unique: exactly one. NULL-safe: 0 and false. */
TN_API int64_t tn_storage_use_count(const tn_storage *storage);
TN_API bool tn_storage_unique(const tn_storage *storage);

TN_API size_t tn_storage_nbytes(const tn_storage *storage);
TN_API size_t tn_storage_capacity(const tn_storage *storage); /* bytes it can grow to without moving; >= nbytes */
TN_API size_t tn_storage_itemsize(const tn_storage *storage);
TN_API int64_t tn_storage_numel(const tn_storage *storage); /* nbytes / itemsize */
TN_API tn_dtype tn_storage_dtype(const tn_storage *storage);
TN_API tn_device tn_storage_device(const tn_storage *storage);
TN_API tn_allocator *
tn_storage_allocator(const tn_storage *storage); /* borrowed; NULL: from a file, or a pointer without one */
TN_API bool tn_storage_resizable(const tn_storage *storage);
TN_API tn_error tn_storage_set_resizable(tn_storage *storage, bool resizable); /* true only with an allocator */
TN_API bool tn_storage_readonly(const tn_storage *storage);

/* Refuse writes from now on, for every tensor over this storage. There is no way back: someone may rely on it. */
TN_API tn_error tn_storage_set_readonly(tn_storage *storage);

/* A mark for memory that another process owns (shared memory, IPC): Tenon only keeps it, until the memory is replaced, or a
 * storage over a foreign pointer grows out of it. */
TN_API bool tn_storage_received(const tn_storage *storage);
TN_API tn_error tn_storage_set_received(tn_storage *storage, bool received);

/* Counts the writes: every in-place operation on any tensor over this storage adds one, and so does a replacement. Writes
 * through the pointers below are not seen, so they are not counted. It starts at 0, for a clone too, and wraps. */
TN_API uint32_t tn_storage_version(const tn_storage *storage);

/* The bytes. data: for reading. mutable_data: for writing; first makes a copy-on-write storage its own (which needs memory),
 * and returns NULL with an error for a read-only one of any size. Both return NULL without an error for a storage of 0 bytes.
 * Pointers are valid until the storage is resized, replaced, written to for the first time after a lazy clone, or freed. */
TN_API const void *tn_storage_data(const tn_storage *storage);
TN_API void *tn_storage_mutable_data(tn_storage *storage);

/* The same, checked: TN_ERROR_DTYPE when `dtype` is not the one the storage was made for, or when the bytes (of a file, of a
 * foreign pointer) begin at an address where C may not read that type. */
TN_API const void *tn_storage_data_as(const tn_storage *storage, tn_dtype dtype);
TN_API void *tn_storage_mutable_data_as(tn_storage *storage, tn_dtype dtype);

/* The memory and how it is freed; both still belong to the storage: read it, free nothing. ctx and deleter are those the
 * pointer came with, or allocate_pointer of the allocator returned; NULL where the allocator frees by address. Comparing the
 * deleter with your own shows whether ctx is of your own kind. data is there even when the storage was made 0 bytes long; as
 * with tn_storage_data, it is for reading. What is returned is valid as long as the storage, and its contents as long as the
 * pointers above. NULL, with an error, when `storage` is not a live one. Any thread may call it while no thread changes the
 * storage. */
TN_API const tn_data_ptr *tn_storage_data_ptr(const tn_storage *storage);

/* Make it `bytes` long, keeping the contents that fit; new bytes are uninitialised. Memory moves only when capacity is too
 * small, and never shrinks. TN_ERROR_STATE when not resizable, TN_ERROR_READONLY when read-only; nothing has changed then. A
 * lazy storage stays lazy unless its memory moves. */
TN_API tn_error tn_storage_resize(tn_storage *storage, size_t bytes);

/* Take over *pointer (left empty) in place of the present memory, which is freed. The storage must be unique
 * (TN_ERROR_STATE), not read-only, and the pointer on the same device. It is not resizable afterwards, not lazy, and has no
 * allocator. A tensor over it that looks beyond the new bytes must not be used again. On failure neither the storage nor
 * *pointer has changed. */
TN_API tn_error tn_storage_replace(tn_storage *storage, tn_data_ptr *pointer, size_t bytes);

/* The same, and the storage is made for `dtype` from now on (TN_DTYPE_DEFAULT: uint8; one that does not exist: TN_ERROR_DTYPE).
 * A tensor over it keeps its own dtype. */
TN_API tn_error tn_storage_replace_as(tn_storage *storage, tn_data_ptr *pointer, size_t bytes, tn_dtype dtype);

/* A second storage with the same contents that copies nothing now: the first mutable access to either makes the copy, and the
 * last storage that uses the bytes keeps them without a copy. Where the memory cannot be shared in this way (a borrowed or
 * foreign pointer, a file), the copy is made at once. The clone has the same allocator, is resizable, and not read-only even
 * when `storage` is. Safe against other threads that read or lazily clone `storage`, and against any use, writes too, of the
 * other storages that share its bytes. */
TN_API tn_storage *tn_storage_lazy_clone(tn_storage *storage);
TN_API bool tn_storage_is_lazy(const tn_storage *storage); /* still sharing its bytes with a lazy clone */

/* A second storage with a copy of the contents, made now, from `allocator` (NULL: the one in use for its device; one for
 * another device: TN_ERROR_DEVICE). It is resizable, and not read-only. */
TN_API tn_storage *tn_storage_clone(const tn_storage *storage, tn_allocator *allocator);

#ifdef __cplusplus
}
#endif
#endif
