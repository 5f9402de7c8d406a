/* pool_kernels.c - the loops of pooling for every level. The bodies are in bodies/pool.inc. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "cpu/levels.h"

#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/pool_all.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#define TNI_LEVEL_PLAIN
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/pool_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_pool_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        pool_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        pool_enter_avx2(table);
#endif
}
