/* aside.c - see aside.h. */
#include "base/aside.h"

#include "base/parallel.h"
#include "base/scope.h"

TNI_COLD void tni_aside_begin(tni_aside *aside) {
    tni_thread *thread = tni_thread_get();
    aside->operator_name = thread->operator_name;
    aside->cancelled = thread->cancelled;
    aside->asking = thread->cancel_asking;
    aside->loop = tni_loop_leave();
    aside->floor = thread->scope_floor;
    thread->operator_name = NULL;
    thread->cancelled = false;
    thread->cancel_asking = true;
    aside->mark = tni_scope_aside(thread);
    thread->scope_floor = thread->mark_count;
}

TNI_COLD void tni_aside_end(const tni_aside *aside) {
    tni_thread *thread = tni_thread_current;
    tni_scope_aside_end(thread, aside->mark);
    thread->scope_floor = aside->floor;
    tni_loop_return(aside->loop);
    thread->operator_name = aside->operator_name;
    thread->cancelled = aside->cancelled;
    thread->cancel_asking = aside->asking;
}
