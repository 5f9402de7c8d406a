/* observe.c - per-thread counters of allocations and copies, and the thread's observer. */
#include "base/observe.h"

tn_counters tn_counters_now(void) { return tni_thread_get()->counters; }

tn_counters tn_counters_since(tn_counters before) {
    tn_counters now = tn_counters_now();
    return (tn_counters){now.allocations - before.allocations, now.allocated_bytes - before.allocated_bytes,
                         now.copies - before.copies, now.copied_bytes - before.copied_bytes};
}

void tn_set_observer(tn_observer observer, void *ctx) {
    tni_thread *thread = tni_thread_get();
    thread->observer = observer;
    thread->observer_ctx = ctx;
}

TNI_NOINLINE void tni_observe_tell(tn_event_kind kind, size_t bytes, const char *reason) {
    tni_thread *thread = tni_thread_get();
    tn_event event = {kind, (int64_t)bytes, thread->operator_name, reason};
    thread->observer(thread->observer_ctx, &event);
}
