/* sort_kernels.c - the loops of sorting that gain from vectors: keys, and the search for what belongs to the first few. */
#include "cpu/kernels.h"

#include "cpu/isa/baseline.inc"
#include "cpu/bodies/sort_common.inc"
#include "cpu/isa/end.inc"

/* Once, and small: as the rest of the library is compiled. */
#define TN_ISA plain
#include "cpu/bodies/sort_rare.inc"
#undef TN_ISA

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/sort_common.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_sort_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        sort_enter_baseline(table);
        sort_enter_rare(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        sort_enter_avx2(table);
#endif
}
