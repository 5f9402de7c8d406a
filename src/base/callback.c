/* callback.c - the sequence lock of callback.h, and what happens to it in a child.
 *
 * Invariant: a cell that was ever set is in the list, which only grows; so a child of fork finds those whose writer was inside
 * at that moment.
 */
#include "base/callback.h"

#include <pthread.h>

static _Atomic(tni_callback *) callback_list;

/* A child of fork has only the thread that forked: a writer that was inside then will never come out. No function is called. */
static void callback_free_in_child(void) {
    for (tni_callback *cell = atomic_load(&callback_list); cell; cell = cell->next) {
        unsigned sequence = atomic_load(&cell->sequence);
        if (sequence & 1) {
            atomic_store(&cell->call, (tni_callback_function)NULL);
            atomic_store(&cell->sequence, sequence + 1);
        }
    }
}

static void callback_watch_fork(void) { (void)pthread_atfork(NULL, NULL, callback_free_in_child); }

static void callback_list_add(tni_callback *self) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, callback_watch_fork);
    if (atomic_exchange(&self->listed, true))
        return;
    self->next = atomic_load(&callback_list);
    while (!atomic_compare_exchange_weak(&callback_list, &self->next, self))
        continue;
}

void tni_callback_set(tni_callback *self, tni_callback_function call, void *ctx) {
    callback_list_add(self);
    unsigned sequence;
    do
        sequence = atomic_load(&self->sequence) & ~1u;
    while (!atomic_compare_exchange_weak(&self->sequence, &sequence, sequence + 1));
    atomic_store(&self->call, call);
    atomic_store(&self->ctx, ctx);
    atomic_store(&self->sequence, sequence + 2);
}

tni_callback_pair tni_callback_get(const tni_callback *self) {
    for (;;) {
        unsigned before = atomic_load(&self->sequence);
        tni_callback_pair pair = {atomic_load(&self->call), atomic_load(&self->ctx)};
        if (!(before & 1) && before == atomic_load(&self->sequence))
            return pair;
    }
}
