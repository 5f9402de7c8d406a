/* observe.h - where the library reports allocations and copies. See tenon/observe.h. */
#ifndef TNI_OBSERVE_H
#define TNI_OBSERVE_H

#include <tenon/observe.h>

#include "base/thread.h"

void tni_observe_tell(tn_event_kind kind, size_t bytes, const char *reason);

/* A block of element memory was taken: to be counted, and told to the observer, if there is one. */
static inline void tni_observe_count(tni_thread *thread, size_t bytes) {
    thread->counters.allocations++;
    thread->counters.allocated_bytes += (int64_t)bytes;
}
static inline void tni_observe_taken(const tni_thread *thread, size_t bytes) {
    if (TNI_UNLIKELY(thread->observer != NULL))
        tni_observe_tell(TN_EVENT_ALLOCATION, bytes, "memory for a result");
}

/* Elements are copied: `bytes` written. The reason is one sentence, made only when there is an observer: see tni_observed. */
static inline void tni_observe_copy(size_t bytes, const char *reason) {
    tni_thread *thread = tni_thread_get();
    thread->counters.copies++;
    thread->counters.copied_bytes = (int64_t)((uint64_t)thread->counters.copied_bytes + bytes);
    if (TNI_UNLIKELY(thread->observer != NULL))
        tni_observe_tell(TN_EVENT_COPY, bytes, reason);
}

/* Whether this thread has an observer, so that a reason with numbers is worth writing. */
static inline bool tni_observed(void) { return tni_thread_get()->observer != NULL; }

#endif
