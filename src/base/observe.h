/* observe.h - where the library reports allocations and copies. See tenon/observe.h. */
#ifndef TNI_OBSERVE_H
#define TNI_OBSERVE_H

#include <tenon/observe.h>

#include "base/thread.h"

void tni_observe_tell(tn_event_kind kind, size_t bytes, const char *reason);

/* A block of element memory was taken. */
static inline void tni_observe_allocation(size_t bytes) {
    tni_thread *thread = tni_thread_get();
    thread->counters.allocations++;
    thread->counters.allocated_bytes += (int64_t)bytes;
    if (TNI_UNLIKELY(thread->observer != NULL))
        tni_observe_tell(TN_EVENT_ALLOCATION, bytes, "memory for a result");
}

/* Elements are copied: `bytes` written. The reason is one sentence, made only when someone listens: see tni_observed. */
static inline void tni_observe_copy(size_t bytes, const char *reason) {
    tni_thread *thread = tni_thread_get();
    thread->counters.copies++;
    thread->counters.copied_bytes += (int64_t)bytes;
    if (TNI_UNLIKELY(thread->observer != NULL))
        tni_observe_tell(TN_EVENT_COPY, bytes, reason);
}

/* Whether anyone listens on this thread, so that a reason with numbers in it is worth writing. */
static inline bool tni_observed(void) { return tni_thread_get()->observer != NULL; }

#endif
