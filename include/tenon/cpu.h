/* tenon/cpu.h - which of the CPU's instructions Tenon uses, and what it finds out about the machine.
 *
 * Every kernel is in the library once for each level below; which one runs is decided at run time. A level is used only if the
 * CPU has all of its instructions and the operating system saves the registers they need.
 *
 * The environment's TENON_CPU, read once at the first use, caps the level: "baseline", "avx2" or "avx512". Any other text is
 * ignored, and for a level that this machine does not have its best one is used.
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

/* Use `level` from now on, for operations that begin afterwards, in the whole process: for tests and comparisons, even above
 * what TENON_CPU says. TN_ERROR_ARGUMENT for a number that is not a level and TN_ERROR_UNSUPPORTED for one above the detected
 * level; nothing changes then. */
TN_API tn_error tn_set_cpu_level(tn_cpu_level level);

/* "baseline", "avx2", "avx512", and "unknown" for a number that is not a level. The text is static. */
TN_API const char *tn_cpu_level_name(tn_cpu_level level);

/* What this process may use of the machine, as Tenon counts it. Set struct_size = sizeof before you ask. */
typedef struct tn_machine {
    size_t struct_size;
    int64_t cpus_online;  /* CPUs that are switched on                                                       */
    int64_t cpus_allowed; /* those of them that the calling thread may run on: its affinity mask             */
    int64_t cpu_quota;    /* what a cgroup grants, in whole CPUs, rounded up; 0 when none limits             */
    int64_t memory_bytes; /* of the machine; 0 when it is not known                                          */
    int64_t memory_limit; /* what a cgroup allows, in bytes; 0 when none limits                              */
    int64_t l1_bytes;     /* one core's first data cache; like those below, a typical size where the system */
    int64_t l2_bytes;     /* does not say; its second one                                                    */
    int64_t last_bytes;   /* the largest cache that it reaches, which it may share                           */
} tn_machine;

/* Fill in `out`. Counted again at every call, except for the caches. TN_ERROR_ARGUMENT, changing nothing, when `out` is NULL or
 * its struct_size is too small. Any thread. */
TN_API tn_error tn_machine_find(tn_machine *out);

#ifdef __cplusplus
}
#endif
#endif
