/* cancel.c - the question whether to stop, how often it is asked, and the mark that an operator was cancelled. */
#include "base/cancel.h"

#include "base/aside.h"

#include <time.h>

enum { CANCEL_NANOSECONDS_BETWEEN = 2000000 };

/* A clock of a few milliseconds' precision is good enough, and several times faster. */
#if defined(CLOCK_MONOTONIC_COARSE)
#define CANCEL_CLOCK CLOCK_MONOTONIC_COARSE
#else
#define CANCEL_CLOCK CLOCK_MONOTONIC
#endif

void tn_set_cancel_check(tn_cancel_check check, void *ctx) {
    tni_thread *thread = tni_thread_get();
    thread->cancel_check = check;
    thread->cancel_ctx = ctx;
    thread->cancel_asked = 0;
}

TNI_NOINLINE bool tni_cancel_ask(tni_thread *thread) {
    struct timespec time;
    clock_gettime(CANCEL_CLOCK, &time);
    int64_t now = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
    if (now - thread->cancel_asked < CANCEL_NANOSECONDS_BETWEEN || thread->cancel_asking)
        return false;
    thread->cancel_asked = now;
    thread->cancel_asking = true;
    tni_aside aside;
    tni_aside_begin(&aside);
    bool stop = thread->cancel_check(thread->cancel_ctx);
    tni_aside_end(&aside);
    thread->cancel_asking = false;
    return stop;
}

TNI_COLD bool tni_cancel_forget(const char *outer) {
    if (!outer)
        tni_thread_current->cancelled = false;
    return true;
}

TNI_COLD tn_error tni_cancel_now(void) {
    tni_thread *thread = tni_thread_get();
    thread->cancelled = thread->operator_name != NULL;
    return tni_raise(TN_ERROR_CANCELLED, "the call was cancelled before it finished (see tn_set_cancel_check)");
}
