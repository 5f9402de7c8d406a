/* scope.c - per-thread stacks of the objects that open scopes own.
 *
 * Invariant: marks[i].begin <= marks[i + 1].begin <= scoped_count; the objects of scope i are those from its begin to the
 * next scope's. An id is used once in the process, so a stale or foreign scope is recognised; a thread takes many at a time,
 * because composite operators open a scope in every call.
 *
 * An object knows how many of its references belong to scopes (object.h). One object may be in several scopes, even of several
 * threads, because tn_contiguous may return its argument; so that word is changed under a lock, except while an object has a
 * single reference and nobody else can reach it, which is how most enter and leave. So a caller's release can be classified: it
 * gives back a reference of the caller's own as long as there are more references than those of scopes and other objects, and a
 * scope's after that.
 */
#include "base/scope.h"

#include <pthread.h>

#include "base/error.h"
#include "base/heap.h"

enum { SCOPE_IDS = 1024 };
static _Atomic uint64_t last_id;

static uint64_t next_id(tni_thread *thread) {
    if (TNI_UNLIKELY(thread->scope_id == thread->scope_id_end)) {
        thread->scope_id = atomic_fetch_add_explicit(&last_id, SCOPE_IDS, memory_order_relaxed) + 1;
        thread->scope_id_end = thread->scope_id + SCOPE_IDS;
    }
    return thread->scope_id++;
}

/* ---- which references belong to scopes */

static pthread_mutex_t scope_counts_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t scope_fork_once = PTHREAD_ONCE_INIT;

static void scope_counts_take(void) { pthread_mutex_lock(&scope_counts_lock); }
static void scope_counts_give(void) { pthread_mutex_unlock(&scope_counts_lock); }
static void scope_watch_fork(void) { (void)pthread_atfork(scope_counts_take, scope_counts_give, scope_counts_give); }

/* The child of a fork must not find the lock taken. */
static void scope_counts_enter(void) {
    pthread_once(&scope_fork_once, scope_watch_fork);
    scope_counts_take();
}

static TNI_NOINLINE void scope_mark_shared(tni_object *self) {
    scope_counts_enter();
    if (self->scopes++ == 0)
        atomic_fetch_or_explicit(&self->counts, TNI_SCOPED, memory_order_relaxed);
    scope_counts_give();
}

/* From now on one of the references belongs to a scope. */
static inline void scope_mark_owned(tni_object *self) {
    if (TNI_LIKELY(atomic_load_explicit(&self->counts, memory_order_acquire) == 1)) {
        self->scopes = 1;
        atomic_store_explicit(&self->counts, TNI_SCOPED + 1, memory_order_relaxed);
        return;
    }
    scope_mark_shared(self);
}

static TNI_NOINLINE uint64_t scope_unmark_shared(tni_object *self, uint64_t references) {
    scope_counts_enter();
    uint64_t mark = --self->scopes == 0 ? TNI_SCOPED : 0;
    uint64_t before = atomic_fetch_sub_explicit(&self->counts, mark + references, memory_order_acq_rel);
    scope_counts_give();
    return before;
}

/* A scope gives up its reference: the caller keeps it (`references` 0) or it is dropped (1). */
static inline void scope_unmark_owned(tni_object *self, uint64_t references) {
    uint64_t before = TNI_SCOPED + 1;
    if (TNI_LIKELY(atomic_load_explicit(&self->counts, memory_order_acquire) == before)) {
        self->scopes = 0;
        atomic_store_explicit(&self->counts, 1, memory_order_relaxed);
    } else
        before = scope_unmark_shared(self, references);
    if (references && (uint32_t)before == 1)
        self->class->destroy(self);
}

/* Gives back one of the caller's references; false where it has none. Other threads add and remove only references that exist,
 * so the answer stays right meanwhile. */
static bool scope_release_own(tni_object *self) {
    scope_counts_enter();
    uint64_t counts = atomic_load_explicit(&self->counts, memory_order_relaxed);
    uint64_t own;
    do
        own = (uint32_t)counts - (counts & ~TNI_SCOPED) / TNI_HELD - self->scopes;
    while ((int64_t)own > 0 && !atomic_compare_exchange_weak_explicit(&self->counts, &counts, counts - 1, memory_order_acq_rel,
                                                                      memory_order_relaxed));
    scope_counts_give();
    return (int64_t)own > 0;
}

/* ---- scopes */

/* Room for one more, and for the callbacks that may be called under it. */
static TNI_NOINLINE bool grow_marks(tni_thread *thread) {
    bool was_inline = thread->marks == thread->marks_inline;
    void *marks = was_inline ? NULL : thread->marks;
    size_t capacity = was_inline ? 0 : thread->mark_capacity;
    if (!tni_heap_grow(&marks, &capacity, thread->mark_count + 1 + TNI_SCOPES_ASIDE, sizeof(tni_scope_mark)))
        return false;
    if (was_inline)
        memcpy(marks, thread->marks_inline, sizeof thread->marks_inline);
    thread->marks = marks;
    thread->mark_capacity = capacity;
    return true;
}

TNI_ALWAYS_INLINE tn_scope open_scope(bool paused, bool hidden) {
    tni_thread *thread = tni_thread_get();
    if (TNI_UNLIKELY(thread->mark_count + TNI_SCOPES_ASIDE >= thread->mark_capacity) && !grow_marks(thread))
        return (tn_scope){0};
    uint64_t id = next_id(thread);
    thread->marks[thread->mark_count++] = (tni_scope_mark){id, thread->scoped_count, paused, hidden, false};
    return (tn_scope){id};
}

tn_scope tn_scope_open(void) { return open_scope(false, false); }
tn_scope tn_scope_pause(void) { return open_scope(true, false); }
tn_scope tni_scope_open_hidden(void) { return open_scope(false, true); }

static bool still_open(const tni_thread *thread, size_t mark, uint64_t id) {
    return thread->mark_count > mark && thread->marks[mark].id == id;
}

/* Releasing may run user code (a deleter) that creates and keeps objects and opens and closes scopes, including this one and
 * those around it; so everything is read again for every object, and what such code leaves behind in the closing scope is
 * released too. */
static void close_from(tni_thread *thread, size_t mark) {
    uint64_t id = thread->marks[mark].id;
    while (still_open(thread, mark, id) && thread->scoped_count > thread->marks[mark].begin)
        scope_unmark_owned(thread->scoped[--thread->scoped_count], 1);
    if (still_open(thread, mark, id))
        thread->mark_count = mark;
}

tn_error tn_scope_close(tn_scope scope) {
    if (scope.id == 0)
        return TN_OK;
    tni_thread *thread = tni_thread_get();
    size_t innermost = thread->mark_count - 1;
    if (TNI_LIKELY(thread->mark_count > thread->scope_floor && thread->marks[innermost].id == scope.id &&
                   thread->marks[innermost].begin == thread->scoped_count)) {
        thread->mark_count = innermost; /* there is nothing in it */
        return TN_OK;
    }
    for (size_t mark = thread->mark_count; mark-- > 0;)
        if (thread->marks[mark].id == scope.id) {
            if (mark < thread->scope_floor)
                return tni_raise_in("scope_close", TN_ERROR_STATE,
                                    "scope %" PRIu64 " was open before this callback was called, in the middle of a call: it "
                                    "cannot be closed here",
                                    scope.id);
            close_from(thread, mark);
            return TN_OK;
        }
    return tni_raise_in("scope_close", TN_ERROR_STATE, "scope %" PRIu64 " is already closed or belongs to another thread",
                        scope.id);
}

int64_t tn_scope_depth(void) {
    const tni_thread *thread = tni_thread_current;
    int64_t depth = 0;
    for (size_t mark = 0; thread && mark < thread->mark_count; mark++)
        depth += !thread->marks[mark].hidden && !thread->marks[mark].aside;
    return depth;
}

/* ---- callbacks */

/* The innermost scope below `mark` that is not hidden; `mark` itself where there is none. */
static size_t scope_in_force(const tni_thread *thread, size_t mark) {
    for (size_t at = mark; at-- > 0;)
        if (!thread->marks[at].hidden)
            return at;
    return mark;
}

/* Cannot fail while callbacks are not nested more deeply than there is room for; beyond that no mark is made. */
size_t tni_scope_aside(tni_thread *thread) {
    size_t mark = thread->mark_count, force = scope_in_force(thread, mark);
    if (mark == thread->mark_capacity)
        return mark;
    bool owns = force < mark && !thread->marks[force].paused;
    thread->marks[thread->mark_count++] = (tni_scope_mark){next_id(thread), thread->scoped_count, !owns, false, true};
    return mark;
}

static void scope_reverse(tni_object **objects, size_t begin, size_t end) {
    for (; begin + 1 < end; begin++, end--) {
        tni_object *object = objects[begin];
        objects[begin] = objects[end - 1];
        objects[end - 1] = object;
    }
}

/* What the callback left in its own mark goes to the scope in force: before the objects of the hidden ones above that. */
void tni_scope_aside_end(tni_thread *thread, size_t mark) {
    if (thread->mark_count > mark + 1)
        close_from(thread, mark + 1);
    if (thread->mark_count <= mark)
        return;
    size_t force = scope_in_force(thread, mark), begin = thread->marks[mark].begin, end = thread->scoped_count;
    thread->mark_count = mark;
    if (begin == end || force + 1 >= mark)
        return;
    size_t place = thread->marks[force + 1].begin;
    scope_reverse(thread->scoped, place, begin);
    scope_reverse(thread->scoped, begin, end);
    scope_reverse(thread->scoped, place, end);
    for (size_t at = force + 1; at < mark; at++)
        thread->marks[at].begin += end - begin;
}

static TNI_NOINLINE bool grow_scoped(tni_thread *thread) {
    void *scoped = thread->scoped;
    bool grown = tni_heap_grow(&scoped, &thread->scoped_capacity, thread->scoped_count + 1, sizeof(tni_object *));
    thread->scoped = scoped;
    return grown;
}

TNI_NOINLINE bool tni_scope_push(tni_thread *thread, tni_object *self) {
    if (thread->marks[thread->mark_count - 1].paused)
        return true;
    if (TNI_UNLIKELY(thread->scoped_count == thread->scoped_capacity) && !grow_scoped(thread)) {
        tni_object_release(self);
        return false;
    }
    thread->scoped[thread->scoped_count++] = self;
    scope_mark_owned(self);
    return true;
}

/* Removes the newest entry of an object from this thread's scopes; false when it is in none. */
static bool scope_strike_out(const tni_object *self) {
    tni_thread *thread = tni_thread_current;
    if (!thread)
        return false;
    for (size_t i = thread->scoped_count; i-- > 0;)
        if (thread->scoped[i] == self) {
            memmove(&thread->scoped[i], &thread->scoped[i + 1], (thread->scoped_count - i - 1) * sizeof thread->scoped[i]);
            thread->scoped_count--;
            for (size_t mark = thread->mark_count; mark-- > 0 && thread->marks[mark].begin > i;)
                thread->marks[mark].begin--;
            return true;
        }
    return false;
}

bool tni_scope_forget(tni_object *self) {
    if (!scope_strike_out(self))
        return false;
    scope_unmark_owned(self, 0);
    return true;
}

static TNI_NOINLINE void scope_take(tni_object *self) {
    const tni_thread *thread = tni_thread_current;
    size_t begin = thread->marks[thread->mark_count - 1].begin;
    for (size_t i = thread->scoped_count; i-- > begin;)
        if (thread->scoped[i] == self) {
            (void)tni_scope_forget(self);
            return;
        }
    tni_object_retain(self);
}

void tni_scope_take(tni_object *self) {
    tni_thread *thread = tni_thread_current;
    size_t last = thread->scoped_count;
    if (TNI_LIKELY(last > thread->marks[thread->mark_count - 1].begin && thread->scoped[last - 1] == self)) {
        thread->scoped_count = last - 1;
        scope_unmark_owned(self, 0);
    } else
        scope_take(self);
}

/* As close_from, but that `made` stays: its newest place in the scope is taken away, and where it has none, it gains a reference before
 * anything is released that may keep it alive. */
static TNI_NOINLINE void *scope_close_but(tni_thread *thread, size_t mark, tni_object *made) {
    uint64_t id = thread->marks[mark].id;
    size_t at = thread->scoped_count, begin = thread->marks[mark].begin;
    while (at > begin && thread->scoped[at - 1] != made)
        at--;
    bool inside = at > begin;
    if (!inside)
        tni_object_retain(made);
    while (still_open(thread, mark, id) && thread->scoped_count > thread->marks[mark].begin) {
        tni_object *object = thread->scoped[--thread->scoped_count];
        bool stays = inside && object == made;
        inside = inside && !stays;
        scope_unmark_owned(object, stays ? 0 : 1);
    }
    if (still_open(thread, mark, id))
        thread->mark_count = mark;
    return made;
}

/* Often there is nothing in it, or what was made and nothing else. */
void *tni_scope_close_hidden(tn_scope scope, void *made) {
    tni_thread *thread = tni_thread_current;
    tni_object *self = made;
    size_t mark = thread->mark_count - 1, count = thread->scoped_count;
    if (TNI_UNLIKELY(thread->mark_count == 0 || thread->marks[mark].id != scope.id)) { /* the innermost is another */
        if (made)
            tni_object_retain(made);
        (void)tn_scope_close(scope);
        return made;
    }
    size_t inside = count - thread->marks[mark].begin;
    if (inside == 1 && thread->scoped[count - 1] == self)
        scope_unmark_owned(self, 0);
    else if (made)
        return scope_close_but(thread, mark, made);
    else if (inside != 0) {
        close_from(thread, mark);
        return NULL;
    }
    thread->scoped_count = count - inside;
    thread->mark_count = mark;
    return made;
}

TNI_NOINLINE void tni_scope_release_shared(tni_object *self, const char *function) {
    bool alone = atomic_load_explicit(&self->counts, memory_order_acquire) == TNI_SCOPED + 1; /* all there is is a scope's */
    if (!alone && scope_release_own(self))
        return;
    if (scope_strike_out(self))
        scope_unmark_owned(self, 1);
    else
        tni_raise_in(function, TN_ERROR_STATE,
                     "the caller has no reference to this %s: the existing ones belong to other objects or to scopes of "
                     "other threads",
                     self->class->name);
}

void tni_scope_close_all(tni_thread *thread) {
    if (thread->mark_count)
        close_from(thread, 0);
    if (thread->marks != thread->marks_inline)
        tni_heap_free(thread->marks, thread->mark_capacity * sizeof(tni_scope_mark));
    tni_heap_free(thread->scoped, thread->scoped_capacity * sizeof(tni_object *));
    thread->marks = thread->marks_inline;
    thread->mark_capacity = TNI_SCOPES_INLINE + TNI_SCOPES_ASIDE;
    thread->scoped = NULL;
    thread->scoped_capacity = thread->scoped_count = 0;
}
