/* cpu_features.h - the instruction-set level for the kernel tables, and the sizes of the caches. See tenon/cpu.h. */
#ifndef TNI_CPU_FEATURES_H
#define TNI_CPU_FEATURES_H

#include <tenon/cpu.h>

#include "base/common.h"

enum { TNI_CPU_LEVELS = TN_CPU_AVX512 + 1 };

/* Undecided (-1) until the first question. */
TNI_EXTERN _Atomic int tni_cpu_level_chosen;
tn_cpu_level tni_cpu_level_decide(void);

/* tn_cpu_level_in_use in a load and a branch: what indexes the kernel tables. */
static inline tn_cpu_level tni_cpu_level(void) {
    int level = atomic_load_explicit(&tni_cpu_level_chosen, memory_order_relaxed);
    return TNI_LIKELY(level >= 0) ? (tn_cpu_level)level : tni_cpu_level_decide();
}

/* The level that is used where the machine has `detected` and TENON_CPU is `cap`, which may be NULL. */
tn_cpu_level tni_cpu_level_capped(tn_cpu_level detected, const char *cap);

/* Whether a CPU of level TN_CPU_AVX512 also has AVX-512 VNNI. */
bool tni_cpu_has_vnni(void);

/* Sizes in bytes of one core's first and second data cache, and of the largest cache that it reaches, which it may share.
 * Found once; never 0, each at least as large as the one before. Where the system does not say, they are typical sizes. */
int64_t tni_cpu_l1_bytes(void);
int64_t tni_cpu_l2_bytes(void);
int64_t tni_cpu_last_level_bytes(void);

typedef struct tni_cpu_caches {
    int64_t l1, l2, last;
} tni_cpu_caches;

/* What these sizes are found from: `folder` holds index0, index1, ... as in /sys/devices/system/cpu/cpu0/cache. */
tni_cpu_caches tni_cpu_caches_found(const char *folder);

#endif
