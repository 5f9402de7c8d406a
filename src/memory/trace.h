/* trace.h - the last things that happened in one allocator, in a ring. */
#ifndef TNI_TRACE_H
#define TNI_TRACE_H

#include "memory/allocator.h"

typedef enum tni_trace_action {
    TNI_TRACE_ALLOC,
    TNI_TRACE_FREE,
    TNI_TRACE_SEGMENT_ALLOC,
    TNI_TRACE_SEGMENT_FREE,
    TNI_TRACE_TRIM,
    TNI_TRACE_FAILURE
} tni_trace_action;

enum { TNI_TRACE_OPERATOR = 32 };

typedef struct tni_trace_entry {
    tni_trace_action action;
    const void *data;
    size_t bytes;
    int64_t nanoseconds; /* of the monotonic clock */
    char operator_name[TNI_TRACE_OPERATOR];
} tni_trace_entry;

struct tni_trace {
    size_t capacity;
    uint64_t written;
    tni_trace_entry entries[];
};

void tni_trace_record(tn_allocator *allocator, tni_trace_action action, const void *data, size_t bytes);

static inline void tni_trace_add(tn_allocator *allocator, tni_trace_action action, const void *data, size_t bytes) {
    if (TNI_UNLIKELY(atomic_load_explicit(&allocator->traced, memory_order_relaxed)))
        tni_trace_record(allocator, action, data, bytes);
}

const char *tni_trace_action_name(tni_trace_action action);
void tni_trace_discard(tn_allocator *allocator);

#endif
