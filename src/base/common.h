/* common.h - the few macros every source file uses, and overflow-checked arithmetic.
 *
 * Private names begin with tni_ / TNI_, so that tn_ / TN_ always means "in a public header".
 */
#ifndef TNI_COMMON_H
#define TNI_COMMON_H

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tenon/base.h>

/* No product and sum become one operation unless the code says so: bits depend neither on the compiler nor on the level. The files of
 * cpu/isa say the same to gcc. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#if defined(__GNUC__)
#define TNI_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define TNI_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define TNI_COLD __attribute__((cold, noinline))
#define TNI_NOINLINE __attribute__((noinline))
#define TNI_ALWAYS_INLINE static inline __attribute__((always_inline))
#define TNI_HOT_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
/* Before a variable that other files define. They are all in this library, so its address need not be looked up (-fvisibility
 * says so only of what a file defines). */
#define TNI_EXTERN extern __attribute__((visibility("hidden")))
#else
#define TNI_LIKELY(condition) (condition)
#define TNI_UNLIKELY(condition) (condition)
#define TNI_COLD
#define TNI_NOINLINE
#define TNI_ALWAYS_INLINE static inline
#define TNI_HOT_THREAD_LOCAL _Thread_local
#define TNI_EXTERN extern
#endif

#if defined(__SANITIZE_ADDRESS__)
#define TNI_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TNI_ASAN 1
#endif
#endif
#ifndef TNI_ASAN
#define TNI_ASAN 0
#endif

/* Before a function whose only arrays are read by others, or written at constant places: a guard of its frame would cost more than the
 * rest of it. */
#if defined(__has_attribute)
#if __has_attribute(no_stack_protector)
#define TNI_UNGUARDED __attribute__((no_stack_protector))
#endif
#endif
#ifndef TNI_UNGUARDED
#define TNI_UNGUARDED
#endif

typedef struct tni_object tni_object; /* object.h */

#define TNI_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Arithmetic that reports overflow instead of wrapping: each returns true when the result does not fit. */
static inline bool tni_add_overflows(int64_t a, int64_t b, int64_t *out) { return __builtin_add_overflow(a, b, out); }
static inline bool tni_sub_overflows(int64_t a, int64_t b, int64_t *out) { return __builtin_sub_overflow(a, b, out); }
static inline bool tni_mul_overflows(int64_t a, int64_t b, int64_t *out) { return __builtin_mul_overflow(a, b, out); }

static inline int64_t tni_min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t tni_max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

#endif
