/* object.h - the first bytes of everything that is reference counted.
 *
 * Invariant: `class` says what the object is while it lives and is &tni_dead_class afterwards, so one comparison checks a
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
    _Atomic uint64_t counts; /* all references; the held ones among them; whether a scope owns any */
    uint32_t scopes; /* the references that belong to scopes: under the lock in scope.c, not 0 while TNI_SCOPED is set */
    uint32_t reserved;
};

/* The word `counts`: the references in its lower half, and in the upper one how many of them are held by other objects of the
 * library (a list its tensors, a tensor its storage). A reference that is neither held nor a scope's is a caller's. */
#define TNI_HELD (UINT64_C(1) << 32)
#define TNI_SCOPED (UINT64_C(1) << 63)

TNI_EXTERN const tni_class tni_dead_class;

static inline void tni_object_init_counted(tni_object *self, const tni_class *class, uint64_t counts) {
    self->class = class;
    atomic_store_explicit(&self->counts, counts, memory_order_relaxed);
    self->scopes = 0;
}
static inline void tni_object_init(tni_object *self, const tni_class *class) { tni_object_init_counted(self, class, 1); }

/* Raises "... is NULL", "... was already released" or "... is a storage, not a tensor"; always returns false. */
bool tni_object_complain(const tni_object *self, const tni_class *wanted, const char *argument);

/* Whether `self` is a live object of this class; raises when it is not. */
static inline bool tni_object_check(const tni_object *self, const tni_class *wanted, const char *argument) {
    return TNI_LIKELY(self != NULL && self->class == wanted) || tni_object_complain(self, wanted, argument);
}

static inline void tni_object_retain(tni_object *self) { atomic_fetch_add_explicit(&self->counts, 1, memory_order_relaxed); }

/* The release that brings the count to 0 sees everything the other releasing threads did before. The holder of the only
 * reference need not count it down: nobody else can reach the object any more. What callers release goes through
 * tni_scope_release. */
static inline void tni_object_release(tni_object *self) {
    if ((uint32_t)atomic_load_explicit(&self->counts, memory_order_acquire) == 1 ||
        (uint32_t)atomic_fetch_sub_explicit(&self->counts, 1, memory_order_acq_rel) == 1)
        self->class->destroy(self);
}

/* The same for references that other objects hold for as long as they live. */
static inline void tni_object_hold(tni_object *self) {
    atomic_fetch_add_explicit(&self->counts, TNI_HELD + 1, memory_order_relaxed);
}

/* Whether there is one reference only; if it is the caller's, nobody else can reach the object any more. */
static inline bool tni_object_is_last(const tni_object *self) {
    return (uint32_t)atomic_load_explicit(&self->counts, memory_order_acquire) == 1;
}

/* Whether it was the last: then the object is the caller's to destroy. */
static inline bool tni_object_drops(tni_object *self) {
    return tni_object_is_last(self) ||
           (uint32_t)atomic_fetch_sub_explicit(&self->counts, TNI_HELD + 1, memory_order_acq_rel) == 1;
}

static inline void tni_object_drop(tni_object *self) {
    if (tni_object_drops(self))
        self->class->destroy(self);
}

/* The caller's own reference becomes a held one. */
static inline void tni_object_hand_over(tni_object *self) {
    uint64_t counts = atomic_load_explicit(&self->counts, memory_order_relaxed);
    if (TNI_LIKELY(counts == 1)) /* a new object: nobody else knows it */
        atomic_store_explicit(&self->counts, TNI_HELD + 1, memory_order_relaxed);
    else
        atomic_fetch_add_explicit(&self->counts, TNI_HELD, memory_order_relaxed);
}

static inline uint32_t tni_object_use_count(const tni_object *self) {
    return (uint32_t)atomic_load_explicit(&self->counts, memory_order_acquire);
}

#endif
