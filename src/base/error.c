/* error.c - the thread-local error record: fixed in size, first error kept, nothing allocated.
 *
 * Invariant: code == TN_OK if and only if the message is empty. Because nothing is allocated, running out of memory is
 * reported like any other error.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/aside.h"
#include "base/callback.h"

static tni_callback error_observer;

void tn_error_observe(tn_error_observer observer, void *ctx) {
    tni_callback_set(&error_observer, (tni_callback_function)observer, ctx);
}

static void mark_cut(char *buffer, size_t size) { memcpy(buffer + size - 4, "...", 4); }

void tni_message_write(char name[TN_ERROR_OPERATOR_SIZE], char message[TN_ERROR_MESSAGE_SIZE], const char *operator_name,
                       const char *format, va_list arguments, const char *otherwise) {
    int prefix = 0;
    if (operator_name) {
        snprintf(name, TN_ERROR_OPERATOR_SIZE, "%s", operator_name);
        prefix = snprintf(message, TN_ERROR_MESSAGE_SIZE, "%s: ", name);
    }
    int length = vsnprintf(message + prefix, TN_ERROR_MESSAGE_SIZE - (size_t)prefix, format, arguments);
    if (length < 0)
        snprintf(message, TN_ERROR_MESSAGE_SIZE, "%s", otherwise);
    else if (prefix + length >= TN_ERROR_MESSAGE_SIZE)
        mark_cut(message, TN_ERROR_MESSAGE_SIZE);
    if (!message[0])
        snprintf(message, TN_ERROR_MESSAGE_SIZE, "%s", otherwise);
}

static TN_PRINTF(3, 0) TNI_COLD void record(tn_error code, const char *operator_name, const char *format, va_list arguments) {
    tn_error_record fresh = {.code = code};
    tni_message_write(fresh.operator_name, fresh.message, operator_name, format, arguments, tn_error_name(code));
    tni_thread *thread = tni_thread_get();
    if (thread->error.code == TN_OK)
        thread->error = fresh;
    tni_callback_pair observer = tni_callback_get(&error_observer);
    if (observer.call && !thread->observing_error) {
        thread->observing_error = true;
        tni_aside aside;
        tni_aside_begin(&aside);
        ((tn_error_observer)observer.call)(observer.ctx, &fresh);
        tni_aside_end(&aside);
        thread->observing_error = false;
    }
    thread->raised = code;
}

tn_error tni_failed(void) {
    const tni_thread *thread = tni_thread_get();
    if (thread->cancelled)
        return TN_ERROR_CANCELLED;
    if (thread->raised != TN_OK)
        return thread->raised;
    return thread->error.code != TN_OK ? thread->error.code : TN_ERROR_INTERNAL; /* a NULL that what waits is the cause of */
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
    if (code <= TN_OK || code > TN_ERROR_LINALG)
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
        [TN_ERROR_CANCELLED] = "cancelled",
        [TN_ERROR_LINALG] = "linear algebra",
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
