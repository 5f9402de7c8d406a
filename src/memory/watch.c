/* watch.c - reports on memory to the reporter, the trace and the pressure callback; and fills junk.
 *
 * A callback and its ctx change together, so they are read and written under one small lock, which is never held while
 * the callback runs.
 */
#include "memory/watch.h"

#include <stdlib.h>

#include "base/aside.h"
#include "base/thread.h"
#include "memory/local.h"
#include "memory/trace.h"

_Atomic int32_t tni_watch_state;

static pthread_once_t watch_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t watch_lock = PTHREAD_MUTEX_INITIALIZER;
static tn_memory_reporter reporter_call;
static void *reporter_ctx;
static tn_memory_pressure pressure_call;
static void *pressure_ctx;

static void set_watch_bit(int32_t bit, bool on) {
    if (on)
        atomic_fetch_or(&tni_watch_state, bit);
    else
        atomic_fetch_and(&tni_watch_state, ~bit);
}

static void read_environment(void) {
    const char *junk = getenv("TENON_JUNK_FILL");
    if (junk && strcmp(junk, "1") == 0)
        set_watch_bit(TNI_WATCH_JUNK, true);
}

void tni_watch_start(void) { pthread_once(&watch_once, read_environment); }

void tn_set_junk_fill(bool on) {
    tni_watch_start();
    set_watch_bit(TNI_WATCH_JUNK, on);
}

void tni_watch_trace(bool on) { atomic_fetch_add(&tni_watch_state, on ? TNI_WATCH_TRACE : -TNI_WATCH_TRACE); }

void tn_set_memory_reporter(tn_memory_reporter reporter, void *ctx) {
    pthread_mutex_lock(&watch_lock);
    reporter_call = reporter;
    reporter_ctx = ctx;
    set_watch_bit(TNI_WATCH_REPORTER, reporter != NULL);
    pthread_mutex_unlock(&watch_lock);
}

void tn_set_memory_pressure(tn_memory_pressure callback, void *ctx) {
    pthread_mutex_lock(&watch_lock);
    pressure_call = callback;
    pressure_ctx = ctx;
    pthread_mutex_unlock(&watch_lock);
}

bool tni_watch_relieve(tn_device device, size_t bytes) {
    if (tni_thread_get()->relieving)
        return false;
    pthread_mutex_lock(&watch_lock);
    tn_memory_pressure call = pressure_call;
    void *ctx = pressure_ctx;
    pthread_mutex_unlock(&watch_lock);
    if (!call)
        return false;
    tni_thread_get()->relieving = true;
    tni_aside aside;
    tni_aside_begin(&aside);
    bool again = call(ctx, device, bytes);
    tni_aside_end(&aside);
    tni_thread_get()->relieving = false;
    return again;
}

/* 0x7fff in every two bytes is a NaN in each floating format, of 8 bits to 128, and a large number in each integer. */
static void fill_with_junk(unsigned char *data, size_t bytes) {
    for (size_t at = 0; at < bytes; at++)
        data[at] = at % 2 ? 0x7f : 0xff;
}

static void report_memory(tn_allocator *allocator, void *data, int64_t bytes) {
    pthread_mutex_lock(&watch_lock);
    tn_memory_reporter call = reporter_call;
    void *ctx = reporter_ctx;
    pthread_mutex_unlock(&watch_lock);
    if (!call)
        return;
    const tni_local *local = allocator->caching ? tni_local_recent(allocator) : NULL;
    int64_t total = tni_tally_read(&allocator->statistics.bytes.current) + (local ? tni_tally_read(&local->bytes.current) : 0);
    tn_memory_event event = {
        .data = data,
        .bytes = bytes,
        .total_bytes = total,
        .total_reserved = allocator->caching ? tni_tally_read(&allocator->statistics.reserved.current) : total,
        .device = allocator->device,
        .allocator = allocator->name,
        .operator_name = tni_thread_current ? tni_thread_current->operator_name : NULL,
    };
    call(ctx, &event);
}

void tni_watch_took(tn_allocator *allocator, void *data, size_t bytes) {
    int32_t state = atomic_load(&tni_watch_state);
    if ((state & TNI_WATCH_JUNK) && allocator->device.type == TN_CPU)
        fill_with_junk(data, bytes);
    tni_trace_add(allocator, TNI_TRACE_ALLOC, data, bytes);
    if (state & TNI_WATCH_REPORTER)
        report_memory(allocator, data, (int64_t)bytes);
}

void tni_watch_gave(tn_allocator *allocator, void *data, size_t bytes) {
    tni_trace_add(allocator, TNI_TRACE_FREE, data, bytes);
    if (atomic_load(&tni_watch_state) & TNI_WATCH_REPORTER)
        report_memory(allocator, data, -(int64_t)bytes);
}

void tni_watch_lock_for_fork(void) { pthread_mutex_lock(&watch_lock); }
void tni_watch_unlock_after_fork(void) { pthread_mutex_unlock(&watch_lock); }
