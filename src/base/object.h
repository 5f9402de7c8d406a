/* object.h - the first sixteen bytes of everything that is reference counted.
 *
 * Invariant: `class` tells what the object is while it lives and is &tni_dead_class afterwards, so one comparison checks a
 * handle's type and that it was not released (for certain in debug builds, where memory is not reused at once).
 */
#ifndef TNI_OBJECT_H
#define TNI_OBJECT_H

#include "base/common.h"

typedef struct tni_class {
    const char *name;                  /* "tensor", "storage": as errors call it                     */
    void (*destroy)(tni_object *self); /* runs once, when the last reference goes; frees the memory */
} tni_class;

struct tni_object {
    const tni_class *class;
    _Atomic uint32_t references;
    uint32_t reserved;
};

extern const tni_class tni_dead_class;

static inline void tni_object_init(tni_object *self, const tni_class *class) {
    self->class = class;
    atomic_store_explicit(&self->references, 1, memory_order_relaxed);
    self->reserved = 0;
}

/* Raises "... is NULL", "... was already released" or "... is a storage, not a tensor"; always returns false. */
bool tni_object_complain(const tni_object *self, const tni_class *wanted, const char *argument);

/* Whether `self` is a live object of this class; raises when it is not. */
static inline bool tni_object_check(const tni_object *self, const tni_class *wanted, const char *argument) {
    return TNI_LIKELY(self != NULL && self->class == wanted) || tni_object_complain(self, wanted, argument);
}

static inline void tni_object_retain(tni_object *self) {
    atomic_fetch_add_explicit(&self->references, 1, memory_order_relaxed);
}

/* The release that brings the count to 0 sees everything the other releasing threads did before. Who holds the only reference
 * need not count it down: nobody else can reach the object any more. */
static inline void tni_object_release(tni_object *self) {
    if (atomic_load_explicit(&self->references, memory_order_acquire) == 1 ||
        atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) == 1)
        self->class->destroy(self);
}

static inline uint32_t tni_object_use_count(const tni_object *self) {
    return atomic_load_explicit(&self->references, memory_order_acquire);
}

#endif
