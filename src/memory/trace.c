/* trace.c - writes the ring of trace.h. An entry copies the operator's name, which may be gone before the entry is. */
#include "memory/trace.h"

#include <stdio.h>
#include <time.h>

#include "base/error.h"
#include "base/heap.h"
#include "memory/watch.h"

static size_t trace_bytes(size_t entries) { return sizeof(tni_trace) + entries * sizeof(tni_trace_entry); }

const char *tni_trace_action_name(tni_trace_action action) {
    static const char *const names[] = {
        [TNI_TRACE_ALLOC] = "alloc",
        [TNI_TRACE_FREE] = "free",
        [TNI_TRACE_SEGMENT_ALLOC] = "segment_alloc",
        [TNI_TRACE_SEGMENT_FREE] = "segment_free",
        [TNI_TRACE_TRIM] = "trim",
        [TNI_TRACE_FAILURE] = "failure",
    };
    return names[action];
}

static void exchange_trace(tn_allocator *allocator, tni_trace *fresh) {
    pthread_mutex_lock(&allocator->trace_lock);
    tni_trace *old = allocator->trace;
    allocator->trace = fresh;
    atomic_store(&allocator->traced, fresh != NULL);
    pthread_mutex_unlock(&allocator->trace_lock);
    if ((old != NULL) != (fresh != NULL))
        tni_watch_trace(fresh != NULL);
    if (old)
        tni_heap_free(old, trace_bytes(old->capacity));
}

tn_error tn_allocator_trace(tn_allocator *allocator, size_t entries) {
    if (!tni_object_check((const tni_object *)allocator, &tni_allocator_class, "allocator"))
        return tni_failed();
    tni_trace *fresh = NULL;
    if (entries > 0) {
        if (entries > (PTRDIFF_MAX - sizeof(tni_trace)) / sizeof(tni_trace_entry))
            return tni_raise(TN_ERROR_ARGUMENT, "allocator_trace: %zu entries do not fit in memory", entries);
        fresh = tni_heap_calloc(trace_bytes(entries));
        if (!fresh)
            return TN_ERROR_MEMORY;
        fresh->capacity = entries;
    }
    exchange_trace(allocator, fresh);
    return TN_OK;
}

void tni_trace_discard(tn_allocator *allocator) { exchange_trace(allocator, NULL); }

TNI_COLD void tni_trace_record(tn_allocator *allocator, tni_trace_action action, const void *data, size_t bytes) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const char *operator_name = tni_thread_current ? tni_thread_current->operator_name : NULL;
    pthread_mutex_lock(&allocator->trace_lock);
    tni_trace *trace = allocator->trace;
    if (trace) {
        tni_trace_entry *entry = &trace->entries[trace->written++ % trace->capacity];
        entry->action = action;
        entry->data = data;
        entry->bytes = bytes;
        entry->nanoseconds = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
        snprintf(entry->operator_name, sizeof entry->operator_name, "%s", operator_name ? operator_name : "");
    }
    pthread_mutex_unlock(&allocator->trace_lock);
}
