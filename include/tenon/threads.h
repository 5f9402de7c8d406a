/* tenon/threads.h - how many threads work, and who provides them.
 *
 * Large operations are cut into pieces by their data alone and the pieces are shared out among threads, so a result has the
 * same bits whatever is set here. Tenon keeps a small pool of its own: its threads start with the first operation that is
 * large enough to be shared, spin for some microseconds after their work and then sleep. Where no thread can be created,
 * everything still works, on the calling thread alone. When several threads of a program call Tenon at once, one of them uses
 * the pool and the others work alone. After fork the child has a pool of its own, made when it needs one.
 *
 * The pool's threads have all signals blocked except those that a faulting instruction raises (SIGSEGV, SIGBUS, SIGFPE, SIGILL,
 * SIGTRAP, SIGSYS), and they work with the rounding and flush-to-zero modes of the thread that called.
 */
#ifndef TENON_THREADS_H
#define TENON_THREADS_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TN_THREADS_LIMIT = 1024 };

/* Let operations use `n` threads, the calling one included: 1 is serial, TN_THREADS_LIMIT the most. 0 goes back to the
 * automatic number, which is counted again: the environment's TENON_NUM_THREADS if it is a number from 1 up (at most
 * TN_THREADS_LIMIT; other texts are ignored), else the CPUs this thread may run on, or fewer if a cgroup's CPU quota allows
 * fewer (1.5 CPUs are 2 threads).
 *
 * Process-wide, for operations that begin afterwards. Threads that are no longer needed end before this returns, or with the
 * operation that is using them. TN_ERROR_ARGUMENT, changing nothing, for a negative or larger number. */
TN_API tn_error tn_set_num_threads(int64_t n);

/* How many threads an operation started by this thread may use, at least 1. Cannot fail. The first call counts what
 * is automatic, see above, so TENON_NUM_THREADS must be set before it. */
TN_API int64_t tn_num_threads(void);

/* Let operations started by this thread use at most `n` threads, whatever others do: for a server whose request threads
 * share one machine, or for one call. 0 takes the limit away. Returns the limit that was in force, 0 for none, so that it
 * can be put back; -1 with TN_ERROR_ARGUMENT, changing nothing, for a negative number.
 *
 *     int64_t before = tn_limit_threads(1);
 *     tn_tensor *y = tn_exp(x);
 *     tn_limit_threads(before);
 */
TN_API int64_t tn_limit_threads(int64_t n);

/* A piece of a loop: the positions from begin to end, the last one not included. It does not fail, and runs on any thread. */
typedef void (*tn_loop)(void *arg, int64_t begin, int64_t end);

/* Call task(arg, begin, end) over 0..count-1 in pieces of `grain` positions (the last may be shorter), on the threads that
 * operations use, and return when all are done. Pieces are cut by count and grain alone, never by the number of threads: work
 * whose pieces write to places of their own has the same bits for any number. They come in no fixed order, except that one
 * thread alone does them from the first to the last: where the limits above say so, where there is only one piece, and in a
 * call from inside a piece, which is serial.
 *
 *     static void square(void *arg, int64_t begin, int64_t end) {
 *         for (float *x = arg; begin < end; begin++)
 *             x[begin] *= x[begin];
 *     }
 *     tn_parallel(n, 16384, square, x);
 *
 * A piece may call Tenon: scopes and the error record are its thread's own, and what it leaves in them is lost. It must not fork
 * or set an executor. A count of 0 does nothing. TN_ERROR_ARGUMENT, calling nothing, for a task that is NULL, a negative count
 * or a grain below 1. TN_ERROR_CANCELLED when tn_set_cancel_check ended it between two pieces: some were not done. */
TN_API tn_error tn_parallel(int64_t count, int64_t grain, tn_loop task, void *arg);

/* One piece of work an executor is handed; it does not fail, and may be called on any thread. */
typedef void (*tn_task)(void *arg, int64_t index);

/* A host's own threads, to be used in place of Tenon's. Zero the struct, set struct_size = sizeof, fill the rest. */
typedef struct tn_executor {
    size_t struct_size;
    void *ctx; /* passed to run */

    /* Call task(arg, i) for every i in 0..count-1, in any order, on any threads, the calling one included, and return when
     * all these calls have returned. `count` is between 2 and tn_num_threads(). Several threads may call run at once. A
     * host that is shutting down may leave tasks out: the calling thread then does their work. No task may run after run
     * has returned. A call can be cancelled (tn_set_cancel_check) after each of its tasks that run on the calling thread.
     * Required. */
    void (*run)(void *ctx, tn_task task, void *arg, int64_t count);
} tn_executor;

/* Have operations run on the host's executor from now on, or, with NULL, on Tenon's pool again. The struct is copied.
 * Process-wide. Waits for the operations that are using the executor set before, so that its ctx may be freed afterwards. A
 * child after fork begins without an executor, for the host's threads are not in it.
 *
 * Fails, changing nothing, with TN_ERROR_ARGUMENT for a struct_size that is too small or a run that is NULL, with
 * TN_ERROR_UNSUPPORTED for members this version does not know that are not zero, and with TN_ERROR_STATE when called from
 * inside a task. */
TN_API tn_error tn_set_executor(const tn_executor *executor);

#ifdef __cplusplus
}
#endif
#endif
