/* parallel.h - loops over several threads. What users set is in tenon/threads.h; how it works is in parallel.c.
 *
 * A body does not fail: it raises no errors, because they would be left on a thread nobody asks. What can fail is checked
 * before the loop. Nor may it fork, or set an executor.
 */
#ifndef TNI_PARALLEL_H
#define TNI_PARALLEL_H

#include <tenon/threads.h>

#include "base/common.h"

typedef void (*tni_loop_body)(void *arg, int64_t begin, int64_t end);

/* Calls body(arg, begin, end) over [0, count) in pieces of `grain` (the last may be shorter): pieces are cut by the data
 * alone, never by the number of threads, so that a result has the same bits whatever that is. Each piece is done once, in no
 * fixed order; all are done, and seen by the caller, when this returns. Runs inline, with the same pieces in ascending
 * order, when there is only one, when only one thread is allowed, when called from inside a parallel loop, or when another
 * thread has the pool. A count below 1 does nothing; a grain below 1 is 1. */
void tni_parallel_for(int64_t count, int64_t grain, tni_loop_body body, void *arg);

/* Calls task(arg, i) once for each i in 0..count-1: the same with a grain of 1. */
void tni_parallel_tasks(int64_t count, tn_task task, void *arg);

/* Whether this thread is working inside a parallel loop, so that a loop begun now would run inline. */
bool tni_parallel_inside(void);

/* The pool's threads that exist now, without the callers: for tests and for `doctor`. */
int64_t tni_parallel_workers(void);

/* Ends the pool's threads for good: when the library is unloaded or the program ends. Loops still work, inline. */
void tni_parallel_end(void);

#endif
