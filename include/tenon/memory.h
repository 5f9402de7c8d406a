/* tenon/memory.h - devices, data pointers, allocators, and everything that can be known about memory in use. */
#ifndef TENON_MEMORY_H
#define TENON_MEMORY_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices ------------------------------------------------------------------------------------------------------- */

typedef enum tn_device_type {
    TN_CPU = 0,
    TN_CUDA,
    TN_OPENCL,
    TN_DEVICE_USER, /* the first of the types handed out by tn_device_type_register */
    TN_META = 15,   /* "meta": sizes, strides and dtypes without elements. Operators work out what their result would be */
    TN_DEVICE_TYPES = 16
} tn_device_type;

typedef struct tn_device {
    int32_t type;  /* a tn_device_type, or one that was registered */
    int32_t index; /* which of several, from 0                     */
} tn_device;

#ifdef __cplusplus
#define TN_DEVICE(type, index) (tn_device{(type), (index)})
#else
#define TN_DEVICE(type, index) ((tn_device){(type), (index)})
#endif
#define TN_DEVICE_CPU TN_DEVICE(TN_CPU, 0)

/* Give a new device type a name ("npu") and get its number; the same name gives the same number again. -1 when the name is
 * NULL, empty, longer than 15 characters, has a colon in it, is that of a built-in type, or the registry (TN_META -
 * TN_DEVICE_USER names) is full. */
TN_API int32_t tn_device_type_register(const char *name);

/* "cpu", "cuda", or a registered name; "unknown" for any other number. */
TN_API const char *tn_device_type_name(int32_t type);

/* "cpu" or "cuda:1" read into a device. TN_ERROR_DEVICE, with *out untouched, when the text does not name a device. */
TN_API tn_error tn_device_parse(const char *text, tn_device *out);
TN_API bool tn_device_equal(tn_device a, tn_device b);

/* ---- data pointers ------------------------------------------------------------------------------------------------- */

/* Memory together with how to give it back. The deleter gets `ctx`, not `data`, because what must be freed is often not
 * what is read: an mmap'ed region, a DLPack struct, a Python object, a block of a pool. The deleter runs whenever ctx is
 * not NULL, even when data is; a pointer with ctx NULL is borrowed. A data pointer has one owner: it is moved, not copied. */
typedef void (*tn_deleter)(void *ctx);

typedef struct tn_data_ptr {
    void *data;
    void *ctx;
    tn_deleter deleter;
    tn_device device;
} tn_data_ptr;

TN_API tn_data_ptr tn_data_ptr_make(void *data, void *ctx, tn_deleter deleter, tn_device device);

/* Free what it owns and leave it empty (its device stays). Clearing twice, or NULL, is harmless. */
TN_API void tn_data_ptr_clear(tn_data_ptr *pointer);

/* Hand its contents to the caller and leave it empty (its device stays). */
TN_API tn_data_ptr tn_data_ptr_move(tn_data_ptr *pointer);

/* Give up ownership without freeing: returns the ctx, which the caller must now free; data stays readable. */
TN_API void *tn_data_ptr_release_ctx(tn_data_ptr *pointer);

/* Replace the deleter if it is `expected`: true when it was. The address of a deleter is also a type tag for its ctx. */
TN_API bool tn_data_ptr_exchange_deleter(tn_data_ptr *pointer, tn_deleter expected, tn_deleter replacement);

/* Whether what is read is what is freed: data == ctx. */
TN_API bool tn_data_ptr_is_simple(const tn_data_ptr *pointer);

/* ---- allocators ---------------------------------------------------------------------------------------------------- */

/* What a program provides to allocate memory in its own way. Zero the struct, set struct_size = sizeof, fill the rest. The
 * functions may be called from any thread at once and must not call Tenon. */
typedef struct tn_allocator_functions {
    size_t struct_size;
    const char *name; /* copied; shown in statistics and errors */
    tn_device device;
    void *ctx; /* passed to every function */

    /* `bytes` is never 0. Returns memory aligned to at least 64 bytes (CPU), or NULL when there is none. Required, and so is
     * free, unless there is allocate_pointer. */
    void *(*allocate)(void *ctx, size_t bytes);

    /* Give back what allocate returned, with the same size. */
    void (*free)(void *ctx, void *data, size_t bytes);

    /* Copy inside this allocator's device memory. NULL means memcpy, which is right for any memory the CPU can address. */
    tn_error (*copy)(void *ctx, void *target, const void *source, size_t bytes);

    /* Called once, when the last reference to the allocator goes. May be NULL. */
    void (*destroy)(void *ctx);

    /* Used instead of allocate and free where it is not NULL: for memory that is freed by something other than its address and
     * size (ctx != data: a pool's handle, a buffer object). `bytes` is never 0. The data pointer returned belongs to Tenon,
     * which runs its deleter exactly once, on any thread, before destroy; the deleter too must not call Tenon. With ctx NULL
     * nothing is freed. Its data is as for allocate; data NULL: there is no memory, and its ctx, if it has one, is freed. Its
     * device is ignored: `device` above counts. Statistics, reporter, trace and junk fill treat it like any other memory;
     * tn_storage_data_ptr shows it. */
    tn_data_ptr (*allocate_pointer)(void *ctx, size_t bytes);
} tn_allocator_functions;

/* A reference-counted allocator with its statistics. A storage holds a reference to the allocator it came from. */
typedef struct tn_allocator tn_allocator;

TN_API tn_allocator *tn_allocator_create(const tn_allocator_functions *functions);
TN_API tn_allocator *tn_allocator_retain(tn_allocator *allocator); /* NULL-safe; returns its argument */
TN_API void tn_allocator_release(tn_allocator *allocator);         /* NULL-safe */

/* Take an allocator out of the scope that owns it: the caller owns it now. Returns its argument. */
TN_API tn_allocator *tn_allocator_keep(tn_allocator *allocator);

/* "" and the CPU when `allocator` is NULL. The name is valid as long as the allocator. */
TN_API const char *tn_allocator_name(const tn_allocator *allocator);
TN_API tn_device tn_allocator_device(const tn_allocator *allocator);

/* Allocate `bytes` (0 is valid: data is then NULL, and nothing needs freeing) as a data pointer that frees itself.
 * Fails with data and ctx NULL and TN_ERROR_MEMORY recorded. */
TN_API tn_data_ptr tn_allocator_allocate(tn_allocator *allocator, size_t bytes);

/* Copy inside the allocator's memory (functions.copy). */
TN_API tn_error tn_allocator_copy(tn_allocator *allocator, void *target, const void *source, size_t bytes);

/* Make `allocator` the one that new tensors on its device type use, if `priority` is at least that of the present one
 * (built-in: 0); returns TN_OK and does nothing when it is lower. NULL restores the built-in one. The registry holds a
 * reference. Existing storages keep theirs. */
TN_API tn_error tn_set_allocator(int32_t device_type, tn_allocator *allocator, int priority);

/* The allocator in use for a device type, borrowed: retain it to keep it beyond the next tn_set_allocator. NULL with
 * TN_ERROR_DEVICE when the type has none. */
TN_API tn_allocator *tn_get_allocator(int32_t device_type);

/* The built-in CPU allocators, borrowed, never NULL. The plain one asks the system each time: 64-byte alignment, and
 * transparent huge pages for blocks of 4 MiB and more. The caching one, over it, is the default. */
TN_API tn_allocator *tn_cpu_allocator_plain(void);
TN_API tn_allocator *tn_cpu_allocator_caching(void);

/* Fill fresh CPU memory with a pattern that is a NaN as any float and a large number as any integer of 16 bits and more
 * (0x7fff in every two bytes), to make reads of uninitialised memory visible. Process-wide, off unless the environment has
 * TENON_JUNK_FILL=1 when the first allocator is used. */
TN_API void tn_set_junk_fill(bool on);

/* ---- the caching allocator ----------------------------------------------------------------------------------------- */

/* Keeps freed blocks for the next request, over any raw allocator: per-thread caches of size classes for small blocks, best
 * fit with split and merge for large ones. Small and large meet at small_limit. */
typedef struct tn_caching_options {
    size_t struct_size;
    size_t small_limit;  /* largest small block, at most 256 KiB; 0: 32 KiB                                             */
    size_t segment_size; /* the least asked of the raw allocator for large blocks; 0: 2 MiB                             */
    size_t retain_limit; /* the most unused bytes kept, not counting per-thread caches; beyond it whole free
                            segments go back at once. 0: a quarter of the memory that the machine has and cgroups allow,
                            SIZE_MAX: no limit                                                                          */
} tn_caching_options;

/* `raw` is retained, and must not be a caching allocator itself, nor have allocate_pointer: blocks are cut from what it
 * returns, and such memory cannot be cut (TN_ERROR_ARGUMENT, both). options may be NULL, and 0 in any of them means the
 * default. Its name is raw's with " caching" after it. Memory is counted once, by the allocator that hands it out: what is
 * cached here appears in this allocator's statistics and not in raw's. */
TN_API tn_allocator *tn_caching_allocator_create(tn_allocator *raw, const tn_caching_options *options);

/* Give every cached byte that can be returned back to the raw allocator; returns how many bytes that was. 0 for an allocator
 * that does not cache. tn_empty_cache does so for the allocator in use on a device type. Other threads' small caches are
 * emptied too, whatever those threads are doing. (Where the system has no membarrier call, which Linux has since 4.14, each
 * thread empties its own at its next allocation or release.) */
TN_API size_t tn_allocator_trim(tn_allocator *allocator);
TN_API size_t tn_empty_cache(int32_t device_type);

/* Asked when an allocation finds no memory even after the caches were emptied, before it fails: free what you can (run a
 * garbage collector) and return true to have it tried once more. Runs on the allocating thread with no lock held, may call
 * Tenon (see tenon/base.h on callbacks); it is not entered again from inside itself. One per process; NULL removes it. */
typedef bool (*tn_memory_pressure)(void *ctx, tn_device device, size_t bytes);
TN_API void tn_set_memory_pressure(tn_memory_pressure callback, void *ctx);

/* ---- what is known about memory ------------------------------------------------------------------------------------ */

typedef struct tn_memory_counter {
    int64_t current, peak;    /* now, and the most since the start or the last reset */
    int64_t allocated, freed; /* totals since the start                             */
} tn_memory_counter;

/* Always on. Exact while other threads are quiet. `peak` may count each other thread's own peak since it last reported,
 * which it does every 64 KiB; so it is never too low. Set struct_size before the call. */
typedef struct tn_memory_stats {
    size_t struct_size;
    tn_memory_counter bytes;    /* in storages: as requested                                      */
    tn_memory_counter blocks;   /* the number of them                                             */
    tn_memory_counter reserved; /* bytes held from the raw allocator (equal to bytes when it does not cache) */
    tn_memory_counter segments; /* the number of pieces held from the raw allocator               */
    int64_t cached;             /* reserved, but not in use                                       */
    int64_t fragmented;         /* of those, in segments that are partly used: cannot be given back */
    int64_t retries;            /* times the caches were emptied because an allocation had failed */
    int64_t failures;           /* allocations that failed in the end                             */
} tn_memory_stats;

TN_API tn_error tn_allocator_stats(const tn_allocator *allocator, tn_memory_stats *out);

/* The sum over all live allocators of a device type. */
TN_API tn_error tn_memory_stats_of(int32_t device_type, tn_memory_stats *out);

/* Peaks become the current values. */
TN_API void tn_allocator_reset_peaks(tn_allocator *allocator);
TN_API void tn_memory_reset_peaks(int32_t device_type);

/* Be told of every allocation (+bytes) and release (-bytes) of element memory as it happens, on the thread that does it,
 * with the allocator's totals after it (exact for this thread, up to 64 KiB behind for each other). Do not call Tenon's
 * allocating functions from it. One per process; NULL removes it. */
typedef struct tn_memory_event {
    void *data;
    int64_t bytes; /* negative: released */
    int64_t total_bytes, total_reserved;
    tn_device device;
    const char *allocator;
    const char *operator_name; /* what was running, or NULL */
} tn_memory_event;
typedef void (*tn_memory_reporter)(void *ctx, const tn_memory_event *event);
TN_API void tn_set_memory_reporter(tn_memory_reporter reporter, void *ctx);

/* Keep the last `entries` allocations, releases, segment changes and failures of an allocator in a ring (0 turns it off and
 * frees it). They are part of the snapshot. */
TN_API tn_error tn_allocator_trace(tn_allocator *allocator, size_t entries);

/* Everything the allocator knows, as one JSON object: statistics, segments with their blocks, the trace. Writes at most
 * `size` bytes with the final NUL, and returns the full length without it, so a first call with size 0 says how much is needed
 * (memory changes meanwhile: check again). -1 on failure. */
TN_API int64_t tn_allocator_snapshot(const tn_allocator *allocator, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
