/* cancel.h - asking whether a call should stop. See tn_set_cancel_check in tenon/base.h.
 *
 * Loops ask between their pieces (parallel.c), on the thread that called the library. From then on until the operator's
 * outermost call ends, no loop of this thread does anything: an operator may go on without checking, computing with what the
 * loops left unwritten, and its result is thrown away where the call ends (tni_cancel_ends). Serial code that uses what a loop
 * wrote as an index or a count must check what the loop returned. Work that must be done in order, in a loop's body or outside
 * loops, goes in steps that ask (TNI_IN_STEPS, tni_goes_on in parallel.h).
 */
#ifndef TNI_CANCEL_H
#define TNI_CANCEL_H

#include "base/error.h"

bool tni_cancel_ask(tni_thread *thread);

/* Whether this thread's call should stop; nothing is raised. To be asked every millisecond or so: more often costs nothing
 * while there is no check, and reads a clock when there is one. */
static inline bool tni_cancel_wanted(void) {
    tni_thread *thread = tni_thread_current;
    return TNI_UNLIKELY(thread && thread->cancel_check) && tni_cancel_ask(thread);
}

/* Cancels the operator being run: raises TN_ERROR_CANCELLED and returns it. */
tn_error tni_cancel_now(void);

/* For long work outside loops, every millisecond or so: TN_ERROR_CANCELLED, raised, when it should stop. */
static inline tn_error tni_cancel_poll(void) {
    if (TNI_UNLIKELY(tni_thread_current && tni_thread_current->cancelled))
        return TN_ERROR_CANCELLED;
    return TNI_UNLIKELY(tni_cancel_wanted()) ? tni_cancel_now() : TN_OK;
}

/* At the end of an operator's call, after tni_operator_leave: whether it was cancelled, so that it fails whatever it made. The
 * outermost one (`outer` NULL) forgets it. */
bool tni_cancel_forget(const char *outer);
TNI_ALWAYS_INLINE bool tni_cancel_ends(const tni_thread *thread, const char *outer) {
    return TNI_UNLIKELY(thread->cancelled) && tni_cancel_forget(outer);
}

#endif
