/* tenon/observe.h - what an operation really did: every allocation of element memory and every copy, counted and traceable.
 *
 *     tn_counters before = tn_counters_now();
 *     tn_tensor *y = attention_heads(x);
 *     tn_counters spent = tn_counters_since(before);
 *     assert(spent.copies == 1);
 */
#ifndef TENON_OBSERVE_H
#define TENON_OBSERVE_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Totals of this thread since it started. Always on. A copy is counted once, where it was asked for, however many threads
 * carry it out. Conversions to another dtype are copies too. Views count nothing. */
typedef struct tn_counters {
    int64_t allocations, allocated_bytes; /* blocks of element memory                     */
    int64_t copies, copied_bytes;         /* elements moved to other memory; bytes written */
} tn_counters;

TN_API tn_counters tn_counters_now(void);
TN_API tn_counters tn_counters_since(tn_counters before);

typedef enum tn_event_kind { TN_EVENT_ALLOCATION = 0, TN_EVENT_COPY } tn_event_kind;

typedef struct tn_event {
    tn_event_kind kind;
    int64_t bytes;
    const char *operator_name; /* the public operator that was called, or NULL outside of one */
    const char *reason;        /* one sentence: why it was needed                             */
} tn_event;

/* Be told of this thread's allocations and copies as they happen. The observer may read but not create tensors; the texts
 * are valid during the call only. One for each thread; NULL removes it. */
typedef void (*tn_observer)(void *ctx, const tn_event *event);
TN_API void tn_set_observer(tn_observer observer, void *ctx);

#ifdef __cplusplus
}
#endif
#endif
