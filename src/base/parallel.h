/* parallel.h - loops over several threads. What users set is in tenon/threads.h; how it works is in parallel.c.
 *
 * A body does not fail: it raises no errors, because they would be left on a thread that nobody asks. What can fail is checked
 * before the loop. A body must not fork or set an executor either.
 *
 * A loop can be cancelled between its pieces (cancel.h), so some of its output may be missing: code that uses it as an index or
 * a count checks what the loop returned.
 */
#ifndef TNI_PARALLEL_H
#define TNI_PARALLEL_H

#include <tenon/threads.h>

#include "base/common.h"
#include "base/limits.h"

typedef void (*tni_loop_body)(void *arg, int64_t begin, int64_t end);

/* Calls body(arg, begin, end) over [0, count) in pieces of `grain` (the last may be shorter): pieces are cut by the data
 * alone, never by the number of threads, so that a result has the same bits whatever that is. Each piece is done once, in no
 * fixed order; all are done, and seen by the caller, when this returns. Runs inline, with the same pieces in ascending
 * order, when there is only one, when only one thread is allowed, when called from inside a parallel loop, or when another
 * thread has the pool. A count below 1 does nothing; a grain below 1 is 1.
 *
 * False, with TN_ERROR_CANCELLED raised, when the call was cancelled and pieces were left out (all of them, where an earlier
 * loop of the same operator was). A loop inside a body also returns false where the outer one was cancelled, and leaves the
 * raising to it. */
bool tni_parallel_for(int64_t count, int64_t grain, tni_loop_body body, void *arg);

/* Calls task(arg, i) once for each i in 0..count-1: the same with a grain of 1. */
bool tni_parallel_tasks(int64_t count, tn_task task, void *arg);

/* For long work without pieces, in a body or in an operator outside loops: whether to go on. False when the call is cancelled,
 * which is asked here, and raised where no loop is open. Work that stops leaves the rest unwritten; the loop around it returns
 * false. To be asked every few ten thousand elements; costs a few nanoseconds. */
bool tni_goes_on(void);

/* Whether the work of this thread, in its innermost loop or outside loops, has already been cancelled; does not ask. */
bool tni_stopped(void);

/* Work that must be done in order, [0, count) in steps, asking before each but the first; a cancelled one ends early
 * (tni_stopped).
 *
 *     TNI_IN_STEPS(begin, end, count)
 *         for (int64_t i = begin; i < end; i++)
 *             sum += x[i];
 */
#define TNI_IN_STEPS_OF(step, begin, end, count)                                                                               \
    for (int64_t begin = 0, end = tni_min_i64(step, count); begin < (count) && (begin == 0 || tni_goes_on());                  \
         begin = end, end = (count)-end < (step) ? (count) : end + (step))
#define TNI_IN_STEPS(begin, end, count) TNI_IN_STEPS_OF (TNI_STEP, begin, end, count)

/* memset(memory, 0, bytes) of any number of bytes, asking on the way. */
void tni_clear_in_steps(void *memory, size_t bytes);

/* The loop that this thread works on is left for a while, and returned to: see aside.h. */
void *tni_loop_leave(void);
void tni_loop_return(void *loop);

/* Whether this thread is working inside a parallel loop, so that a loop begun now would run inline. */
bool tni_parallel_inside(void);

/* The pool's threads that exist now, without the callers: for tests and for `doctor`. */
int64_t tni_parallel_workers(void);

/* Ends the pool's threads for good: when the library is unloaded or the program ends. Loops still work, inline. */
void tni_parallel_end(void);

#endif
