/* factor_kernels.c - the inner loops of factorisations, for the baseline and AVX2: what is long in them is memory, so wider registers
 * gain little. The bodies are in bodies/factor.inc. */
#include <string.h>

#include "cpu/levels.h"
#include "cpu/limits.h"

#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/factor_all.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#define TNI_LEVEL_PLAIN
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/factor_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_factor_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        factor_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        factor_enter_avx2(table);
#endif
}
