/* copy_kernels.c - the kernels that move elements, for every level. The bodies are in bodies/.
 *
 * Nothing here computes, so AVX-512 has no better instruction: its table keeps the kernels of AVX2.
 */
#include "cpu/levels.h"

#if TNI_X86
#include <immintrin.h>
#endif

#include "cpu/isa/baseline.inc"
#include "cpu/bodies/copy_all.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#define TNI_LEVEL_PLAIN
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/copy_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_copy_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        copy_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        copy_enter_avx2(table);
#endif
}
