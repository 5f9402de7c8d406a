/* scope.h - the inside of scopes: handing results to them. See tenon/base.h for what they promise. */
#ifndef TNI_SCOPE_H
#define TNI_SCOPE_H

#include "base/object.h"
#include "base/thread.h"

bool tni_scope_push(tni_thread *thread, tni_object *self);

/* Every public function that returns a new object returns it through here: it belongs to the innermost open scope from now
 * on, or to the caller when none is open or that one is a pause. Returns NULL, releasing the object, when the scope has no room
 * and no memory. */
static inline void *tni_scope_adopt(void *object) {
    tni_thread *thread = tni_thread_current;
    if (TNI_LIKELY(!thread || thread->mark_count == 0) || !object)
        return object;
    return tni_scope_push(thread, object) ? object : NULL;
}

void tni_scope_release_shared(tni_object *self, const char *function);

/* What a caller's release does, for any class: it gives back a reference of the caller's, or, where the caller has none, that
 * of the newest scope of this thread that owns the object, which then leaves that scope. Raises TN_ERROR_STATE under
 * `function`, and changes nothing, where all references belong to other objects or to scopes of other threads. */
static inline void tni_scope_release(tni_object *self, const char *function) {
    uint64_t counts = atomic_load_explicit(&self->counts, memory_order_acquire);
    if (counts == 1)
        self->class->destroy(self);
    else if (TNI_UNLIKELY(counts > UINT32_MAX))
        tni_scope_release_shared(self, function);
    else if ((uint32_t)atomic_fetch_sub_explicit(&self->counts, 1, memory_order_acq_rel) == 1)
        self->class->destroy(self);
}

/* Take an object out of whatever scope of this thread owns it: its reference belongs to the caller now. False when none does.
 * */
bool tni_scope_forget(tni_object *self);

/* For an object returned from inside the innermost open scope: takes it out, or adds a reference where it is not in it. */
void tni_scope_take(tni_object *self);

/* A scope that the library opens for itself; as tn_scope_open otherwise. Callbacks of the program do not see it. The other closes it,
 * and gives `made`, which may be NULL, back from inside of it. */
tn_scope tni_scope_open_hidden(void);
void *tni_scope_close_hidden(tn_scope scope, void *made);

/* Around a callback (aside.h): what is made belongs to the innermost scope that is not hidden, or to nobody. */
size_t tni_scope_aside(tni_thread *thread);
void tni_scope_aside_end(tni_thread *thread, size_t mark);

void tni_scope_close_all(tni_thread *thread);

#endif
