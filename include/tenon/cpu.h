/* tenon/cpu.h - which of the CPU's instructions Tenon uses.
 *
 * Every kernel is in the library once for each level below; which one runs is decided when the program does. A level is
 * used only if the CPU has all of its instructions and the operating system saves the registers they need.
 *
 * The environment's TENON_CPU, read once at the first use, caps the level: "baseline", "avx2" or "avx512". Another text is
 * ignored, and a level this machine does not have is the best that it has.
 */
#ifndef TENON_CPU_H
#define TENON_CPU_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each level includes those before it. The list only grows. */
typedef enum tn_cpu_level {
    TN_CPU_BASELINE = 0, /* what the compiler may assume of every CPU of this kind: SSE2 on x86-64 */
    TN_CPU_AVX2,         /* AVX2, FMA, F16C, BMI1, BMI2, LZCNT, POPCNT: x86-64-v3 without MOVBE     */
    TN_CPU_AVX512        /* AVX-512 F, BW, DQ and VL                                               */
} tn_cpu_level;

/* The best level that this CPU and operating system support. Cannot fail. */
TN_API tn_cpu_level tn_cpu_level_detected(void);

/* The level in use: the one detected, or less because of TENON_CPU or tn_set_cpu_level. Cannot fail. */
TN_API tn_cpu_level tn_cpu_level_in_use(void);

/* Use `level` from now on, for operations that begin afterwards, in the whole process: for tests and comparisons, also
 * above what TENON_CPU says. TN_ERROR_ARGUMENT for a number that is no level and TN_ERROR_UNSUPPORTED for one above the
 * detected; nothing changes then. */
TN_API tn_error tn_set_cpu_level(tn_cpu_level level);

/* "baseline", "avx2", "avx512", and "unknown" for a number that is no level. The text is static. */
TN_API const char *tn_cpu_level_name(tn_cpu_level level);

#ifdef __cplusplus
}
#endif
#endif
