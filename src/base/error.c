/* error.c - the thread-local error record: fixed in size, first error kept, nothing allocated.
 *
 * Invariant: code == TN_OK if and only if the message is empty. Because nothing is allocated, running out of memory is
 * reported like any other error.
 */
#include "base/error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct observer_pair {
    tn_error_observer call;
    void *ctx;
} observer_pair;

/* Two words that must change together: a sequence lock (odd while a writer is inside). */
static _Atomic(tn_error_observer) observer_call;
static _Atomic(void *) observer_ctx;
static _Atomic unsigned observer_sequence;

static observer_pair observer_read(void) {
    for (;;) {
        unsigned before = atomic_load(&observer_sequence);
        observer_pair pair = {atomic_load(&observer_call), atomic_load(&observer_ctx)};
        if (!(before & 1) && before == atomic_load(&observer_sequence))
            return pair;
    }
}

/* A child of fork has only the thread that forked: a writer that was inside then will not come out. It has no observer. */
static void observer_free_in_child(void) {
    unsigned sequence = atomic_load(&observer_sequence);
    if (sequence & 1) {
        atomic_store(&observer_call, (tn_error_observer)NULL);
        atomic_store(&observer_sequence, sequence + 1);
    }
}

static void observer_watch_fork(void) { (void)pthread_atfork(NULL, NULL, observer_free_in_child); }

void tn_error_observe(tn_error_observer observer, void *ctx) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, observer_watch_fork);
    unsigned sequence;
    do
        sequence = atomic_load(&observer_sequence) & ~1u;
    while (!atomic_compare_exchange_weak(&observer_sequence, &sequence, sequence + 1));
    atomic_store(&observer_call, observer);
    atomic_store(&observer_ctx, ctx);
    atomic_store(&observer_sequence, sequence + 2);
}

static void mark_cut(char *buffer, size_t size) { memcpy(buffer + size - 4, "...", 4); }

static TN_PRINTF(3, 0) TNI_COLD void record(tn_error code, const char *operator_name, const char *format, va_list arguments) {
    tn_error_record fresh = {.code = code};
    int prefix = 0;
    if (operator_name) {
        snprintf(fresh.operator_name, sizeof fresh.operator_name, "%s", operator_name);
        prefix = snprintf(fresh.message, sizeof fresh.message, "%s: ", fresh.operator_name);
    }
    int length = vsnprintf(fresh.message + prefix, sizeof fresh.message - (size_t)prefix, format, arguments);
    if (length < 0)
        snprintf(fresh.message, sizeof fresh.message, "%s", tn_error_name(code));
    else if ((size_t)(prefix + length) >= sizeof fresh.message)
        mark_cut(fresh.message, sizeof fresh.message);
    if (!fresh.message[0])
        snprintf(fresh.message, sizeof fresh.message, "%s", tn_error_name(code));
    tni_thread *thread = tni_thread_get();
    if (thread->error.code == TN_OK)
        thread->error = fresh;
    observer_pair observer = observer_read();
    if (observer.call && !thread->observing_error) {
        thread->observing_error = true;
        observer.call(observer.ctx, &fresh);
        thread->observing_error = false;
    }
}

tn_error tni_raise(tn_error code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    record(code, tni_thread_get()->operator_name, format, arguments);
    va_end(arguments);
    return code;
}

tn_error tni_raise_in(const char *function, tn_error code, const char *format, ...) {
    const char *outer = tni_operator_enter(function);
    va_list arguments;
    va_start(arguments, format);
    record(code, tni_thread_current->operator_name, format, arguments);
    va_end(arguments);
    tni_operator_leave(outer);
    return code;
}

tn_error tn_error_raise(tn_error code, const char *operator_name, const char *format, ...) {
    if (code <= TN_OK || code > TN_ERROR_INTERNAL)
        code = TN_ERROR_INTERNAL;
    va_list arguments;
    va_start(arguments, format);
    record(code, operator_name, format ? format : "no message", arguments);
    va_end(arguments);
    return code;
}

tn_error tni_raise_missing(const char *argument) {
    tn_error waiting = tn_error_code();
    if (waiting != TN_OK)
        return waiting;
    return tni_raise(TN_ERROR_ARGUMENT, "%s is NULL", argument);
}

tn_error tn_error_code(void) { return tni_thread_get()->error.code; }
const char *tn_error_message(void) { return tni_thread_get()->error.message; }
const char *tn_error_operator(void) { return tni_thread_get()->error.operator_name; }

void tn_error_clear(void) {
    tn_error_record *record = &tni_thread_get()->error;
    record->code = TN_OK;
    record->operator_name[0] = record->message[0] = 0;
}

tn_error tn_error_take(tn_error_record *out) {
    tn_error code = tn_error_code();
    if (out)
        *out = tni_thread_get()->error;
    tn_error_clear();
    return code;
}

const char *tn_error_name(tn_error code) {
    static const char *const names[] = {
        [TN_OK] = "ok",
        [TN_ERROR_ARGUMENT] = "argument",
        [TN_ERROR_SHAPE] = "shape",
        [TN_ERROR_DTYPE] = "dtype",
        [TN_ERROR_INDEX] = "index",
        [TN_ERROR_MEMORY] = "memory",
        [TN_ERROR_UNSUPPORTED] = "unsupported",
        [TN_ERROR_IO] = "io",
        [TN_ERROR_DEVICE] = "device",
        [TN_ERROR_READONLY] = "readonly",
        [TN_ERROR_OVERLAP] = "overlap",
        [TN_ERROR_STATE] = "state",
        [TN_ERROR_INTERNAL] = "internal",
    };
    return (unsigned)code < TNI_COUNT_OF(names) ? names[code] : "unknown";
}

void tni_text_append(tni_text *text, const char *format, ...) {
    if (text->length >= text->size)
        return;
    va_list arguments;
    va_start(arguments, format);
    int added = vsnprintf(text->at + text->length, text->size - text->length, format, arguments);
    va_end(arguments);
    if (added < 0)
        return;
    text->length += (size_t)added;
    if (text->length >= text->size) {
        text->length = text->size - 1;
        if (text->size > 4)
            mark_cut(text->at, text->size);
    }
}

char *tni_show_buffer(void) {
    tni_thread *thread = tni_thread_get();
    return thread->show_buffers[thread->show_next++ % TNI_SHOW_BUFFERS];
}

const char *tni_show_dims(const int64_t *values, int64_t count) {
    tni_text text = {tni_show_buffer(), TNI_SHOW_SIZE, 0};
    tni_text_append(&text, "[");
    for (int64_t i = 0; i < count; i++)
        tni_text_append(&text, "%s%" PRId64, i ? ", " : "", values[i]);
    tni_text_append(&text, "]");
    return text.at;
}

const char *tni_show_bytes(size_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    char *buffer = tni_show_buffer();
    if (bytes < 1024) {
        snprintf(buffer, TNI_SHOW_SIZE, "%zu bytes", bytes);
        return buffer;
    }
    double amount = (double)bytes / 1024;
    size_t unit = 0;
    while (amount >= 1024 && unit + 1 < TNI_COUNT_OF(units)) {
        amount /= 1024;
        unit++;
    }
    snprintf(buffer, TNI_SHOW_SIZE, "%.4g %s (%zu bytes)", amount, units[unit], bytes);
    return buffer;
}
