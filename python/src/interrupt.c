/* interrupt.c - Ctrl-C while the library computes.
 *
 * Python runs the handlers of signals on the main thread, between its own instructions. While that thread is inside the library
 * nothing would be handled before the call is done, so the library asks here now and then whether to go on
 * (tn_set_cancel_check): a handler that raises cancels the call, and the exception is what the call raises. Calls on other
 * threads are not asked about: no handler ever runs there. The package may be imported on one of them, and each thread has its
 * own check, so the main thread sets itself up: it does what waits for it (Py_AddPendingCall) before it runs anything else.
 */
#include "core.h"

#include <time.h>

/* Asking means taking the interpreter's lock, which another thread may keep for its whole turn (5 ms): not too often. */
enum { INTERRUPT_NANOSECONDS_BETWEEN = 50000000 };

static bool interrupt_check(void *ctx) {
    static long long asked; /* of the one thread that is watched */
    (void)ctx;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    long long now = (long long)time.tv_sec * 1000000000 + time.tv_nsec;
    if (now - asked < INTERRUPT_NANOSECONDS_BETWEEN)
        return false;
    asked = now;
    PyGILState_STATE state = PyGILState_Ensure();
    bool raised = PyErr_CheckSignals() < 0; /* stays set, and comes before the library's own error in tnpy_raise */
    PyGILState_Release(state);
    return raised;
}

static int interrupt_watch_here(void *ignored) {
    tn_set_cancel_check(interrupt_check, ignored);
    return 0;
}

void tnpy_interrupt_watch(void) {
    if (Py_AddPendingCall(interrupt_watch_here, NULL) < 0) /* no room: this thread is usually the main one */
        (void)interrupt_watch_here(NULL);
}
