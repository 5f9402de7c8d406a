/* thread.h - what Tenon remembers for one thread: the open scopes, the operator being run, small-object free lists.
 *
 * Invariant: the library's thread-local variables are this pointer and three words in parallel.c, all initial-exec: fast to
 * reach, and few enough that the library can be dlopen'ed anywhere (the loader has little room for such variables). What the
 * pointer points at comes from malloc on the thread's first call and goes when the thread ends. tni_thread_get() never fails,
 * so neither does opening a scope nor recording an error: where malloc does, a few states held in reserve are used, and beyond
 * those it waits.
 */
#ifndef TNI_THREAD_H
#define TNI_THREAD_H

#include <tenon/observe.h>

#include "base/common.h"
#include "base/limits.h"

/* TNI_SCOPES_ASIDE: callbacks that may be called inside each other: of errors, of warnings, the cancel check, memory pressure.
 * There is always room for their marks. */
enum { TNI_HEAP_STEP = 16, TNI_THREAD_SLOTS = 8, TNI_SCOPES_ASIDE = 4 };

typedef struct tni_free_list {
    void *first;
    uint32_t count;
} tni_free_list;

typedef struct tni_scope_mark {
    uint64_t id;
    size_t begin;
    bool paused; /* owns nothing: what is made belongs to the caller         */
    bool hidden; /* the library's own: not in force while a callback runs    */
    bool aside;  /* stands for the program's scope while a callback runs     */
} tni_scope_mark;

enum { TNI_SHOW_BUFFERS = 8, TNI_SHOW_SIZE = 192 };

typedef struct tni_thread {
    tni_free_list heap[TNI_HEAP_CLASSES]; /* see heap.c */
    int64_t heap_live;                    /* blocks this thread took from the heap minus those it gave back */

    tni_object **scoped; /* objects owned by the open scopes, oldest first */
    size_t scoped_count, scoped_capacity;
    tni_scope_mark *marks; /* one per open scope, see scope.c; starts as marks_inline */
    size_t mark_count, mark_capacity;
    size_t scope_floor; /* marks below it were open before the callback that runs, and are not closed by it */
    tni_scope_mark marks_inline[TNI_SCOPES_INLINE + TNI_SCOPES_ASIDE];
    uint64_t scope_id, scope_id_end; /* scope ids that this thread may use, from the first up to the second */

    tn_counters counters; /* allocations and copies, see observe.h */
    tn_observer observer;
    void *observer_ctx;

    tn_error_record error;                              /* the error waiting, see error.c */
    tn_error raised;                                    /* the code of the last one raised, which need not be that */
    bool observing_error;                               /* its observer is running         */
    bool observing_warning;                             /* that of warnings is, see warn.c */
    bool relieving;                                     /* the memory pressure callback is running, see memory/watch.c */
    char show_buffers[TNI_SHOW_BUFFERS][TNI_SHOW_SIZE]; /* texts inside messages, see tni_show_buffer */
    unsigned show_next;

    tn_cancel_check cancel_check; /* see cancel.h */
    void *cancel_ctx;
    int64_t cancel_asked; /* when, in nanoseconds */
    bool cancel_asking;   /* it is running, and not entered again */
    bool cancelled;       /* the operator being run is: set until its outermost call ends */

    const char *operator_name;             /* the operator a public call is running, or NULL; names errors and trace entries */
    uint64_t keys_included, keys_excluded; /* what every call adds to and takes from its keys, see dispatch/dispatch.h */
    uint8_t storage_lock;                  /* of new storages: in inference mode that, else 0 */
    uint64_t node_number;                  /* the last that it gave to a node of the tape: autograd/node.h */
    uint64_t number;                       /* of the thread among all that ever called Tenon, from 1 */
    void *slots[TNI_THREAD_SLOTS];         /* per-thread state of higher layers, freed by the hooks registered for each slot */
} tni_thread;

TNI_EXTERN TNI_HOT_THREAD_LOCAL tni_thread *tni_thread_current;

tni_thread *tni_thread_make(void);

/* This thread's state, made on first use; never NULL. */
static inline tni_thread *tni_thread_get(void) {
    tni_thread *thread = tni_thread_current;
    return TNI_LIKELY(thread != NULL) ? thread : tni_thread_make();
}

/* Reserve a slot of tni_thread.slots for a layer, with a function called when a thread that filled it ends. The layer
 * names a fixed slot number (TNI_SLOT_*), so that this is a plain store and may be repeated. */
enum { TNI_SLOT_CACHE = 0, TNI_SLOT_CPU, TNI_SLOT_PROFILE, TNI_SLOT_PACKED, TNI_SLOT_NODES, TNI_SLOT_SAVED };
void tni_thread_at_exit(int slot, void (*hook)(void *value));

/* Names the operator for errors and traces while a public call runs; nested calls keep the outermost name.
 *     const char *outer = tni_operator_enter("reshape");  ...  tni_operator_leave(outer); */
static inline const char *tni_operator_enter(const char *name) {
    tni_thread *thread = tni_thread_get();
    const char *outer = thread->operator_name;
    if (!outer)
        thread->operator_name = name;
    return outer;
}

static inline void tni_operator_leave(const char *outer) { tni_thread_current->operator_name = outer; }

#endif
