/* allocator.h - the allocator object, and how the rest of the library gets element memory from it.
 *
 * Invariant: every byte of element memory comes from tni_allocator_take and goes back through tni_allocator_give with the
 * same size. Statistics, reporter, trace, junk fill, memory pressure and fault injection all live in these two calls, so
 * nothing can bypass them. Small tensors have a short way (quick.h), which ends where any of these has something to do.
 *
 * Nearly all allocators free by address and size, so the two know nothing else. Where functions.allocate_pointer is set, a
 * block is freed by its ctx and deleter: tni_allocator_take_pointer and give_pointer, which storages use, handle both kinds.
 */
#ifndef TNI_ALLOCATOR_H
#define TNI_ALLOCATOR_H

#include <pthread.h>

#include <tenon/memory.h>

#include "base/object.h"
#include "memory/statistics.h"

typedef struct tni_caching tni_caching; /* caching.h */
typedef struct tni_trace tni_trace;     /* trace.h */

struct tn_allocator {
    tni_object object;
    uint64_t serial;      /* never used twice: the key of the per-thread caches (local.h)                 */
    size_t small_limit;   /* blocks up to this size come from per-thread caches; 0 when there are none    */
    tni_caching *caching; /* NULL for one that calls its functions each time                            */
    tn_device device;
    char *name;
    bool immortal; /* built in: never counted, never destroyed                                          */
    bool whole;    /* has functions.allocate_pointer, and so no caching                                 */
    tn_allocator_functions functions;
    _Atomic bool misaligned; /* what the functions, its own or the raw allocator's, returned last could not be used */
    tni_statistics statistics;
    pthread_mutex_t trace_lock;    /* a leaf: nothing else is locked while it is held                      */
    tni_trace *trace;              /* under trace_lock                                                     */
    _Atomic bool traced;           /* whether there is a trace, to be read without the lock                */
    tn_allocator *next, *previous; /* all live allocators; under the registry's lock                    */
};

TNI_EXTERN const tni_class tni_allocator_class;

/* For an allocator that is not `whole`: element memory with statistics, reporter, trace, pressure callback and fault injection.
 * bytes > 0. NULL with TN_ERROR_MEMORY recorded on failure. */
void *tni_allocator_take(tn_allocator *allocator, size_t bytes);

/* The same number of bytes as were taken, even when the block was used up to its usable size. Any thread may call it; it cannot
 * fail. */
void tni_allocator_give(tn_allocator *allocator, void *data, size_t bytes);

/* The same for one that is. *out is untouched on failure; what is given back is left empty. */
bool tni_allocator_take_whole(tn_allocator *allocator, size_t bytes, tn_data_ptr *out);
void tni_allocator_give_whole(tn_allocator *allocator, tn_data_ptr *pointer, size_t bytes);

/* The same for both kinds: ctx and deleter are NULL where address and size suffice. */
static inline bool tni_allocator_take_pointer(tn_allocator *allocator, size_t bytes, tn_data_ptr *out) {
    if (TNI_UNLIKELY(allocator->whole))
        return tni_allocator_take_whole(allocator, bytes, out);
    void *data = tni_allocator_take(allocator, bytes);
    if (TNI_LIKELY(data != NULL))
        *out = (tn_data_ptr){data, NULL, NULL, allocator->device};
    return data != NULL;
}
static inline void tni_allocator_give_pointer(tn_allocator *allocator, tn_data_ptr *pointer, size_t bytes) {
    if (TNI_UNLIKELY(allocator->whole))
        tni_allocator_give_whole(allocator, pointer, bytes);
    else
        tni_allocator_give(allocator, pointer->data, bytes);
}

/* What `functions`, its own or the raw allocator's, have; NULL, with no error raised, even for memory that is not aligned. */
void *tni_allocator_ask(tn_allocator *allocator, const tn_allocator_functions *functions, size_t bytes);

/* The bytes that a block taken for `bytes` can really hold, >= bytes: for capacity. */
size_t tni_allocator_usable(tn_allocator *allocator, size_t bytes);

/* The allocator in use for a device type, borrowed; raises and returns NULL if there is none. Another thread that replaces
 * it at this moment may end it: to keep it, use tni_allocator_default_held. */
tn_allocator *tni_allocator_default(int32_t device_type);

/* The same, held (see below): right against a concurrent tn_set_allocator, and as fast for the built-in ones. */
tn_allocator *tni_allocator_default_held(int32_t device_type);

/* Drop for an allocator that is not built in. Always counted, unlike tni_object_drop: the registry may hold the allocator again
 * until its lock is taken. */
void tni_allocator_drop_counted(tn_allocator *allocator);

/* Retain and release that cost nothing for the built-in allocators: what a storage uses for its reference. */
static inline void tni_allocator_hold(tn_allocator *allocator) {
    if (TNI_UNLIKELY(!allocator->immortal))
        tni_object_hold(&allocator->object);
}
static inline void tni_allocator_drop(tn_allocator *allocator) {
    if (TNI_UNLIKELY(!allocator->immortal))
        tni_allocator_drop_counted(allocator);
}

/* Prepare everything except the functions; the caller sets those and calls tni_registry_add last. */
void tni_allocator_prepare(tn_allocator *allocator, char *name, tn_device device);

#endif
