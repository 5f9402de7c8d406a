/* scope.c - per-thread stacks of the objects that open scopes own.
 *
 * Invariant: marks[i].begin <= marks[i + 1].begin <= scoped_count; the objects of scope i are those from its begin to the
 * next scope's. Ids rise across the process, so a stale or foreign scope is recognised.
 */
#include "base/scope.h"

#include "base/error.h"
#include "base/heap.h"

static _Atomic uint64_t last_id;

static bool grow_marks(tni_thread *thread) {
    if (thread->mark_count < thread->mark_capacity)
        return true;
    bool was_inline = thread->marks == thread->marks_inline;
    void *marks = was_inline ? NULL : thread->marks;
    size_t capacity = was_inline ? 0 : thread->mark_capacity;
    if (!tni_heap_grow(&marks, &capacity, thread->mark_count + 1, sizeof(tni_scope_mark)))
        return false;
    if (was_inline)
        memcpy(marks, thread->marks_inline, sizeof thread->marks_inline);
    thread->marks = marks;
    thread->mark_capacity = capacity;
    return true;
}

static tn_scope open_scope(bool paused) {
    tni_thread *thread = tni_thread_get();
    if (!grow_marks(thread))
        return (tn_scope){0};
    uint64_t id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    thread->marks[thread->mark_count++] = (tni_scope_mark){id, thread->scoped_count, paused};
    return (tn_scope){id};
}

tn_scope tn_scope_open(void) { return open_scope(false); }
tn_scope tn_scope_pause(void) { return open_scope(true); }

static bool still_open(const tni_thread *thread, size_t mark, uint64_t id) {
    return thread->mark_count > mark && thread->marks[mark].id == id;
}

/* A debug build can tell that someone released what was the scope's: the memory of a dead object is still there. */
static void release_scoped(tni_object *self) {
#ifdef TN_DEBUG
    if (self->class == &tni_dead_class) {
        tni_raise_in("scope_close", TN_ERROR_STATE, "an object that belongs to the scope was already released by someone else");
        return;
    }
#endif
    tni_object_release(self);
}

/* Releasing may run user code (a deleter) that creates and keeps objects and opens and closes scopes, this one and those
 * around it included; everything is therefore read anew for every object, and what such code leaves behind in the closing
 * scope is released too. */
static void close_from(tni_thread *thread, size_t mark) {
    uint64_t id = thread->marks[mark].id;
    while (still_open(thread, mark, id) && thread->scoped_count > thread->marks[mark].begin)
        release_scoped(thread->scoped[--thread->scoped_count]);
    if (still_open(thread, mark, id))
        thread->mark_count = mark;
}

tn_error tn_scope_close(tn_scope scope) {
    if (scope.id == 0)
        return TN_OK;
    tni_thread *thread = tni_thread_get();
    for (size_t mark = thread->mark_count; mark-- > 0;)
        if (thread->marks[mark].id == scope.id) {
            close_from(thread, mark);
            return TN_OK;
        }
    return tni_raise_in("scope_close", TN_ERROR_STATE, "scope %" PRIu64 " is already closed or belongs to another thread",
                        scope.id);
}

int64_t tn_scope_depth(void) { return tni_thread_current ? (int64_t)tni_thread_current->mark_count : 0; }

TNI_NOINLINE bool tni_scope_push(tni_thread *thread, tni_object *self) {
    if (thread->marks[thread->mark_count - 1].paused)
        return true;
    void *scoped = thread->scoped;
    if (!tni_heap_grow(&scoped, &thread->scoped_capacity, thread->scoped_count + 1, sizeof(tni_object *))) {
        tni_object_release(self);
        return false;
    }
    thread->scoped = scoped;
    thread->scoped[thread->scoped_count++] = self;
    return true;
}

bool tni_scope_forget(tni_object *self) {
    tni_thread *thread = tni_thread_current;
    if (!thread)
        return false;
    for (size_t i = thread->scoped_count; i-- > 0;)
        if (thread->scoped[i] == self) {
            memmove(&thread->scoped[i], &thread->scoped[i + 1], (thread->scoped_count - i - 1) * sizeof self);
            thread->scoped_count--;
            for (size_t mark = thread->mark_count; mark-- > 0 && thread->marks[mark].begin > i;)
                thread->marks[mark].begin--;
            return true;
        }
    return false;
}

void tni_scope_close_all(tni_thread *thread) {
    if (thread->mark_count)
        close_from(thread, 0);
    if (thread->marks != thread->marks_inline)
        tni_heap_free(thread->marks, thread->mark_capacity * sizeof(tni_scope_mark));
    tni_heap_free(thread->scoped, thread->scoped_capacity * sizeof(tni_object *));
    thread->marks = thread->marks_inline;
    thread->mark_capacity = TNI_SCOPES_INLINE;
    thread->scoped = NULL;
    thread->scoped_capacity = thread->scoped_count = 0;
}
