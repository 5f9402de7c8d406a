/* warn.c - warnings: reported to an observer, never printed, never kept.
 *
 * Invariant: nothing here changes what a call does. Without an observer nothing is written at all.
 */
#include "base/warn.h"

#include <stdarg.h>

#include "base/aside.h"
#include "base/callback.h"

static tni_callback warning_observer;

void tn_warning_observe(tn_warning_observer observer, void *ctx) {
    tni_callback_set(&warning_observer, (tni_callback_function)observer, ctx);
}

bool tni_warned(void) { return tni_callback_get(&warning_observer).call && !tni_thread_get()->observing_warning; }

static TN_PRINTF(2, 0) TNI_COLD void tell_warning(const char *operator_name, const char *format, va_list arguments) {
    tni_callback_pair observer = tni_callback_get(&warning_observer);
    tni_thread *thread = tni_thread_get();
    if (!observer.call || thread->observing_warning)
        return;
    tn_warning_record fresh = {.message = ""};
    tni_message_write(fresh.operator_name, fresh.message, operator_name, format, arguments, "a warning without text");
    thread->observing_warning = true;
    tni_aside aside;
    tni_aside_begin(&aside);
    ((tn_warning_observer)observer.call)(observer.ctx, &fresh);
    tni_aside_end(&aside);
    thread->observing_warning = false;
}

void tni_warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell_warning(tni_thread_get()->operator_name, format, arguments);
    va_end(arguments);
}

void tn_warn(const char *operator_name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell_warning(operator_name, format ? format : "a warning without text", arguments);
    va_end(arguments);
}
