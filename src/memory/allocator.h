/* allocator.h - the allocator object, and how the rest of the library gets element memory from it.
 *
 * Invariant: every byte of element memory comes from tni_allocator_take and goes back through tni_allocator_give with the
 * same size. Statistics, reporter, trace, junk fill, memory pressure and fault injection all live in these two calls, so
 * nothing can go around them.
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
    tni_caching *caching; /* NULL for one that asks its functions each time                             */
    tn_device device;
    char *name;
    bool immortal; /* built in: never counted, never destroyed                                          */
    tn_allocator_functions functions;
    _Atomic bool misaligned; /* what the functions, its own or the raw allocator's, returned last could not be used */
    tni_statistics statistics;
    pthread_mutex_t trace_lock;    /* a leaf: nothing else is locked while it is held                      */
    tni_trace *trace;              /* under trace_lock                                                     */
    _Atomic bool traced;           /* whether trace is there, to be asked without the lock                 */
    tn_allocator *next, *previous; /* all live allocators; under the registry's lock                    */
};

extern const tni_class tni_allocator_class;

/* Element memory with statistics, reporter, trace, pressure callback and fault injection. bytes > 0. NULL with
 * TN_ERROR_MEMORY recorded on failure. */
void *tni_allocator_take(tn_allocator *allocator, size_t bytes);

/* The same bytes as were taken, also when the block was used up to its usable size. Any thread may; it cannot fail. */
void tni_allocator_give(tn_allocator *allocator, void *data, size_t bytes);

/* What `functions`, its own or the raw allocator's, have; NULL, with no error raised, also for memory that is not aligned. */
void *tni_allocator_ask(tn_allocator *allocator, const tn_allocator_functions *functions, size_t bytes);

/* The bytes that a block taken for `bytes` can really hold, >= bytes: for capacity. */
size_t tni_allocator_usable(tn_allocator *allocator, size_t bytes);

/* The allocator in use for a device type, borrowed; raises and returns NULL if there is none. Another thread that replaces
 * it at this moment may end it: to keep it, use tni_allocator_default_held. */
tn_allocator *tni_allocator_default(int32_t device_type);

/* The same, held (see below): right against a concurrent tn_set_allocator, and as fast for the built-in ones. */
tn_allocator *tni_allocator_default_held(int32_t device_type);

/* Retain and release that cost nothing for the built-in allocators: what a storage uses for its reference. */
static inline void tni_allocator_hold(tn_allocator *allocator) {
    if (TNI_UNLIKELY(!allocator->immortal))
        tni_object_retain(&allocator->object);
}
static inline void tni_allocator_drop(tn_allocator *allocator) {
    if (TNI_UNLIKELY(!allocator->immortal))
        tni_object_release(&allocator->object);
}

/* Prepare everything but the functions; the caller sets those and calls tni_registry_add last. */
void tni_allocator_prepare(tn_allocator *allocator, char *name, tn_device device);

#endif
