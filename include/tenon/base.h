/* tenon/base.h - what every other Tenon header is built on: linkage, version, errors, scopes.
 *
 * Three rules hold for the whole library and are not repeated at each function:
 *
 *   Failure    is a value. A function that returns a pointer returns NULL, one that returns tn_error returns a code other
 *              than TN_OK, one that returns a number returns the value its comment names. The reason is in this thread's
 *              error record. NULL where a tensor is expected gives NULL back and records "argument is NULL" only if no
 *              earlier error is waiting, so a nested chain of calls is checked once, at its end.
 *   Ownership  you own what a function returns, and give it back with the matching _release, unless a scope is open: then
 *              the scope owns it. Comments say what is borrowed.
 *   Threads    any thread may call any function. One object may be read by many threads at once; a thread that changes an
 *              object (writes elements, resizes, sets metadata) must be the only one using it at that moment. Reference
 *              counts, statistics, allocators and registries are safe without any care from the caller.
 *
 * A callback that may call Tenon (an observer of errors or warnings, a cancel check, the memory pressure callback) is called in
 * the middle of a call, and sees the library as the program saw it before that call: no operator is running, nothing is
 * cancelled, and scopes that the library opened for itself are not in force. What it makes belongs to the innermost scope that
 * the program has open on this thread, or to the callback where there is none. When it returns, scopes that it left open are
 * closed. Errors raised inside it are recorded as usual, so a callback whose calls may fail clears them. It cannot close a
 * scope that was open before (TN_ERROR_STATE), and must not release or change what the call was given.
 */
#ifndef TENON_BASE_H
#define TENON_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(TN_STATIC)
#define TN_API
#elif defined(__GNUC__)
#define TN_API __attribute__((visibility("default")))
#else
#define TN_API
#endif

#if defined(__GNUC__)
#define TN_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define TN_PRINTF(format_at, first_at)
#endif

/* Every function can be called from C99. What takes any C number, value or element type (TN_SCALAR, TN_V, TN_VECTOR, and
 * operators given numbers where they want a tn_scalar) needs C11's _Generic; TN_HAS_GENERIC says whether it is there. Without
 * it, say tn_scalar_int(2). TN_HAS_COMPLEX says whether the compiler has `double _Complex`; the library does not need it. */
#if !defined(__cplusplus) &&                                                                                                   \
    (__STDC_VERSION__ >= 201112L || defined(__TINYC__) || (defined(__GNUC__) && !defined(__STRICT_ANSI__)))
#define TN_HAS_GENERIC 1
#else
#define TN_HAS_GENERIC 0
#endif
#if defined(__cplusplus) || defined(__STDC_NO_COMPLEX__) || defined(__TINYC__)
#define TN_HAS_COMPLEX 0
#else
#define TN_HAS_COMPLEX 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version ------------------------------------------------------------------------------------------------------- */

#define TN_VERSION_MAJOR 0
#define TN_VERSION_MINOR 1
#define TN_VERSION_PATCH 0
#define TN_VERSION "0.1.0"

/* The version of the library that is linked, as text ("0.1.0") and as major * 1000000 + minor * 1000 + patch. Compare it with
 * TN_VERSION to find out whether header and library belong together. The text is static. */
TN_API const char *tn_version(void);
TN_API int64_t tn_version_number(void);

/* The names of the parts that this build of the library was made without (docs/embedding.md), with a space between them; ""
 * when it has all of them. A call to a missing part fails with TN_ERROR_UNSUPPORTED and the part's name. The text is static.
 * Any thread. */
TN_API const char *tn_parts_left_out(void);

/* ---- errors -------------------------------------------------------------------------------------------------------- */

/* What went wrong, for a program to act on. The list only grows, at its end. */
typedef enum tn_error {
    TN_OK = 0,
    TN_ERROR_ARGUMENT,    /* a NULL, an impossible option, a value outside its range           */
    TN_ERROR_SHAPE,       /* sizes that do not fit together, a rank too high, a size too large */
    TN_ERROR_DTYPE,       /* a dtype that does not exist, does not fit, or cannot hold a value */
    TN_ERROR_INDEX,       /* an index or a dimension out of range                              */
    TN_ERROR_MEMORY,      /* no memory, even after the caches were emptied                     */
    TN_ERROR_UNSUPPORTED, /* a correct request that this build or this operator cannot serve   */
    TN_ERROR_IO,          /* a file or a stream failed                                         */
    TN_ERROR_DEVICE,      /* no such device, or tensors on different devices                   */
    TN_ERROR_READONLY,    /* a write to memory marked read-only                                */
    TN_ERROR_OVERLAP,     /* a write to memory where several elements share a place            */
    TN_ERROR_STATE,       /* an object already released, not resizable, owned elsewhere        */
    TN_ERROR_INTERNAL,    /* a bug in Tenon; please report it with the message                 */
    TN_ERROR_CANCELLED,   /* stopped by the answer of tn_set_cancel_check                      */
    TN_ERROR_LINALG       /* a matrix that is singular, not positive definite, or does not converge */
} tn_error;

enum { TN_ERROR_OPERATOR_SIZE = 48, TN_ERROR_MESSAGE_SIZE = 720 };

/* One error, by value: nothing in it needs to be freed. `message` begins with the operator's name. */
typedef struct tn_error_record {
    tn_error code;
    char operator_name[TN_ERROR_OPERATOR_SIZE];
    char message[TN_ERROR_MESSAGE_SIZE];
} tn_error_record;

/* The error waiting on this thread: the first since the last clear or take. TN_OK and "" when there is none.
 * The texts stay valid until the next error, clear or take on this thread. */
TN_API tn_error tn_error_code(void);
TN_API const char *tn_error_message(void);
TN_API const char *tn_error_operator(void);

/* Forget the waiting error. */
TN_API void tn_error_clear(void);

/* Copy the waiting error to *out (may be NULL), forget it, and return its code. */
TN_API tn_error tn_error_take(tn_error_record *out);

/* A short static name for a code: "shape", "memory", ... and "unknown" for any other number. */
TN_API const char *tn_error_name(tn_error code);

/* Record an error as the library does, for bindings and operators written outside it: `operator_name` may be NULL. Text that
 * does not fit is cut and ends in "...". Returns `code`, or TN_ERROR_INTERNAL when `code` is not an error. */
TN_API tn_error tn_error_raise(tn_error code, const char *operator_name, const char *format, ...) TN_PRINTF(3, 4);

/* Be told of every error of every thread at the moment it is raised, including those after the first, which are not kept. The
 * observer runs on the failing thread and may call Tenon, even while a call is being cancelled; errors raised inside it are not
 * observed again. It may clear the error that is waiting: the call still fails, but no error is waiting after it. One observer
 * per process; NULL removes it. */
typedef void (*tn_error_observer)(void *ctx, const tn_error_record *record);
TN_API void tn_error_observe(tn_error_observer observer, void *ctx);

/* ---- warnings ------------------------------------------------------------------------------------------------------ */

/* A warning is a remark about a call that is carried out nevertheless: a result tensor that had to be resized, a mask of an old
 * kind. Nothing is printed or kept; without an observer a warning costs one comparison and is gone. By value; `message` begins
 * with the operator's name. */
typedef struct tn_warning_record {
    char operator_name[TN_ERROR_OPERATOR_SIZE];
    char message[TN_ERROR_MESSAGE_SIZE];
} tn_warning_record;

/* Be told of every warning of every thread while the call that it is about still runs, on the thread that made the call. The
 * observer may call Tenon; warnings raised inside it are not observed again. It cannot stop the call: a program that treats a
 * warning as an error remembers it, and fails after the call. The record lives as long as the observer runs. One observer per
 * process; NULL removes it. A call that warned may fail later; then both are reported. */
typedef void (*tn_warning_observer)(void *ctx, const tn_warning_record *record);
TN_API void tn_warning_observe(tn_warning_observer observer, void *ctx);

/* Warn as the library does, for bindings and operators written outside it: `operator_name` may be NULL. Text that does not fit
 * is cut and ends in "...". Changes neither the error record nor anything else, and cannot fail. */
TN_API void tn_warn(const char *operator_name, const char *format, ...) TN_PRINTF(2, 3);

/* ---- cancelling ---------------------------------------------------------------------------------------------------- */

/* Have this thread's calls ask now and then whether to go on: `check` returning true stops the call that is running, which then
 * fails with TN_ERROR_CANCELLED. It is asked between blocks of work, at least a few milliseconds apart, so a shorter call may
 * never ask; NULL, the default, is never asked and costs nothing. For this thread only: other threads' calls go on.
 *
 *     static bool out_of_time(void *deadline) { return now() > *(double *)deadline; }
 *     tn_set_cancel_check(out_of_time, &deadline);
 *
 * The check runs on the thread that made the call, in the middle of it: it must be quick, must not touch what the call was
 * given, and is not asked by calls made inside it or inside another callback. It may call Tenon, but not fork or
 * tn_set_executor; drawing from a generator that the call is drawing from gives numbers from the middle of that draw.
 *
 * A cancelled call leaves nothing behind: no result of a functional call, no memory, no size or other field of a tensor
 * changed. Only the elements of a tensor that was written to, in place or as an out, may be a mixture of old and new, and its
 * version counts that write; a storage that grew for an out stays large. A generator has moved on. Calls that do not touch
 * elements, and copies to or from other devices, do not ask. */
typedef bool (*tn_cancel_check)(void *ctx);
TN_API void tn_set_cancel_check(tn_cancel_check check, void *ctx);

/* ---- scopes -------------------------------------------------------------------------------------------------------- */

/* While a scope is open on a thread, everything the library returns to that thread belongs to the innermost open scope and
 * is released when it closes. Scopes nest. Closing a scope closes those opened after it on the same thread, so an early
 * return that skips inner closes leaks nothing.
 *
 * You may release such an object yourself, to have a large temporary gone early: where you hold no reference of your own (one
 * you retained or kept), the object leaves the innermost scope of this thread that owns it, and the close does not touch it
 * again. References that lists, views or other objects hold are never yours: a release that finds only those, or only scopes
 * of other threads, is TN_ERROR_STATE and changes nothing.
 *
 * A scope belongs to the thread that opened it: work done by other threads is not touched by it, and closing it from
 * another thread is an error that does nothing. An object handed to another thread must be retained, or kept, first.
 * Closing a scope twice is an error that does nothing.
 *
 *     tn_scope scope = tn_scope_open();
 *     tn_tensor *result = tn_keep(compute(...));     // survives
 *     tn_scope_close(scope);                         // every temporary is gone
 *
 * Opening cannot fail for the first 16 scopes nested in each other. Beyond that it may for lack of memory: the returned
 * scope then has id 0, closing it is harmless, and what is created belongs to the scope around it. */
typedef struct tn_scope {
    uint64_t id;
} tn_scope;

TN_API tn_scope tn_scope_open(void);
TN_API tn_error tn_scope_close(tn_scope scope);

/* A scope that owns nothing: while it is the innermost one, what the library returns belongs to the caller, as if no scope
 * were open. A kernel or a callback opens it around code that counts references itself, such as another language's. It is
 * closed like any other; otherwise as tn_scope_open. */
TN_API tn_scope tn_scope_pause(void);

/* The number of scopes that the program has open on this thread; those that the library opened for itself do not count. */
TN_API int64_t tn_scope_depth(void);

#ifdef __cplusplus
}
#endif
#endif
