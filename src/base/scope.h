/* scope.h - the inside of scopes: handing results to them. See tenon/base.h for what they promise. */
#ifndef TNI_SCOPE_H
#define TNI_SCOPE_H

#include "base/object.h"
#include "base/thread.h"

bool tni_scope_push(tni_thread *thread, tni_object *self);

/* Every public function that returns a new object returns it through here: it belongs to the innermost open scope from now
 * on, or to the caller when none is open or that one is a pause. Returns NULL, releasing the object, when the scope has no room and no memory. */
static inline void *tni_scope_adopt(void *object) {
    tni_thread *thread = tni_thread_current;
    if (TNI_LIKELY(!thread || thread->mark_count == 0) || !object)
        return object;
    return tni_scope_push(thread, object) ? object : NULL;
}

/* Take an object out of whatever scope of this thread owns it; false when none does. */
bool tni_scope_forget(tni_object *self);

void tni_scope_close_all(tni_thread *thread);

#endif
