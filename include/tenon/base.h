/* tenon/base.h - what every other Tenon header stands on: linkage, version, errors, scopes.
 *
 * Three rules hold for the whole library and are not repeated at each function:
 *
 *   Failure    is a value. A function that returns a pointer returns NULL, one that returns tn_error returns a code other
 *              than TN_OK, one that returns a number returns the value its comment names. The reason is in this thread's
 *              error record. NULL where a tensor is expected gives NULL back and records "argument is NULL" only if no
 *              earlier error is waiting, so a nested chain of calls is checked once, at its end.
 *   Ownership  you own what a function returns, and give it back with the matching _release, unless a scope is open: then
 *              the scope owns it. What is borrowed says so.
 *   Threads    any thread may call any function. One object may be read by many threads at once; a thread that changes an
 *              object (writes elements, resizes, sets metadata) must be the only one using it at that moment. Reference
 *              counts, statistics, allocators and registries are safe without any care from the caller.
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

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version ------------------------------------------------------------------------------------------------------- */

#define TN_VERSION_MAJOR 0
#define TN_VERSION_MINOR 1
#define TN_VERSION_PATCH 0
#define TN_VERSION "0.1.0"

/* The version of the library that is linked, as text ("0.1.0") and as major * 1000000 + minor * 1000 + patch. Compare with
 * TN_VERSION to find a header and a library that do not belong together. The text is static. */
TN_API const char *tn_version(void);
TN_API int64_t tn_version_number(void);

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
    TN_ERROR_INTERNAL     /* a bug in Tenon; please report it with the message                 */
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

/* A short static name for a code: "shape", "memory", ... and "unknown" for a number that is none of them. */
TN_API const char *tn_error_name(tn_error code);

/* Record an error as the library does, for bindings and operators written outside it: `operator_name` may be NULL. Text
 * that does not fit is cut and ends in "...". Returns `code`, which becomes TN_ERROR_INTERNAL when it is not an error's. */
TN_API tn_error tn_error_raise(tn_error code, const char *operator_name, const char *format, ...) TN_PRINTF(3, 4);

/* Be told of every error of every thread at the moment it is raised, also of those that come after the first and are not
 * kept. The observer runs on the failing thread and may call Tenon; errors raised inside it are not observed again.
 * One observer per process; NULL removes it. */
typedef void (*tn_error_observer)(void *ctx, const tn_error_record *record);
TN_API void tn_error_observe(tn_error_observer observer, void *ctx);

/* ---- scopes -------------------------------------------------------------------------------------------------------- */

/* While a scope is open on a thread, everything the library returns to that thread belongs to the innermost open scope and
 * is released when it closes; do not release such an object yourself. Scopes nest. Closing a scope closes those opened
 * after it on the same thread, so an early return that skips inner closes leaks nothing.
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
 * were open. A kernel or a callback opens it around code that counts references itself, such as another language's. Closed
 * like any other, and as tn_scope_open otherwise. */
TN_API tn_scope tn_scope_pause(void);

/* The number of scopes open on this thread. */
TN_API int64_t tn_scope_depth(void);

#ifdef __cplusplus
}
#endif
#endif
