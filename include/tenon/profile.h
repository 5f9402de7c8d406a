/* tenon/profile.h - what a program's operators cost: a table, a trace for the browser, or your own hook.
 *
 *     tn_profile_start(NULL);
 *     run_model();
 *     tn_profile_stop();
 *     tn_profile_print(stdout);                 // one line for each operator, the most expensive first
 *     tn_profile_write_trace(file);             // for chrome://tracing and ui.perfetto.dev
 *     tn_profile_clear();
 *
 * Every call of an operator on any thread is seen, by its C function and by name. While nothing here is in use, calls cost no
 * more than without it.
 */
#ifndef TENON_PROFILE_H
#define TENON_PROFILE_H

#include <stdio.h>

#include <tenon/dispatch.h>
#include <tenon/observe.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- table and trace ----------------------------------------------------------------------------------------------- */

/* Zero the struct and set struct_size = sizeof. */
typedef struct tn_profile_options {
    size_t struct_size;
    int64_t events; /* calls kept for the trace, the newest; 0: 16384. Negative: none, only the table. At most 2^24 */
} tn_profile_options;

/* Forget what was recorded and begin. options may be NULL. TN_ERROR_STATE when it is already running, TN_ERROR_ARGUMENT for
 * impossible options, TN_ERROR_MEMORY when there is no room for the events; nothing has changed then. */
TN_API tn_error tn_profile_start(const tn_profile_options *options);

/* Stop; what was recorded stays until the next start or clear. Calls under way on other threads are not recorded any more.
 * TN_ERROR_STATE when it is not running. */
TN_API tn_error tn_profile_stop(void);
TN_API bool tn_profile_is_running(void);

/* Stop, if it is running, and free what was recorded. */
TN_API void tn_profile_clear(void);

typedef struct tn_profile_row {
    char name[TN_ERROR_OPERATOR_SIZE]; /* "add_.scalar" */
    int64_t calls, failures;           /* failures are counted among the calls                               */
    int64_t total_ns, self_ns;         /* self: without the operators that it called in turn                 */
    int64_t allocated_bytes;           /* element memory, as tn_counters has it, including those it called   */
    int64_t copied_bytes;
} tn_profile_row;

/* Copies at most `room` rows, those with the largest self_ns first, and returns how many there are. rows may be NULL when
 * room is 0. -1 on failure. */
TN_API int64_t tn_profile_rows(tn_profile_row *rows, int64_t room);

/* The rows as a table; the calls kept as Chrome trace events in JSON: name, thread, begin, duration, and as args the dtypes
 * and shapes of the tensors, the bytes allocated and copied. TN_ERROR_IO when the stream refuses them. */
TN_API tn_error tn_profile_print(FILE *stream);
TN_API tn_error tn_profile_write_trace(FILE *stream);

/* ---- a hook -------------------------------------------------------------------------------------------------------- */

typedef struct tn_operator_event {
    const tn_operator *op;
    tn_values arguments;    /* in the state they have at that moment                            */
    const tn_value *result; /* NULL before the call, and after one that failed                  */
    tn_error error;         /* TN_OK, or why it failed                                          */
    int64_t depth;          /* 0 for a call from outside, 1 for one made by an operator, ...    */
    int64_t nanoseconds;    /* from before to after; 0 before                                   */
    tn_counters spent;      /* allocations and copies in that time; 0 before                    */
} tn_operator_event;

/* Be called around every operator of every thread, on that thread. The functions may call Tenon, whose operators are then not
 * reported; what they make belongs to whoever called the operator, so release it, or use a scope. Either may be NULL. Zero the
 * struct and set struct_size = sizeof; it is copied. One for the process; NULL removes it, and operators that are running on
 * other threads at that moment still report their end to it. */
typedef struct tn_operator_hook {
    size_t struct_size;
    void *ctx;
    void (*before)(void *ctx, const tn_operator_event *event);
    void (*after)(void *ctx, const tn_operator_event *event);
} tn_operator_hook;

/* TN_ERROR_ARGUMENT for a struct_size that is too small, TN_ERROR_UNSUPPORTED for members this version does not know that are
 * not zero; nothing has changed then. */
TN_API tn_error tn_set_operator_hook(const tn_operator_hook *hook);

#ifdef __cplusplus
}
#endif
#endif
