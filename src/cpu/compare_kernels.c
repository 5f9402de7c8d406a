/* compare_kernels.c - the loops of comparison, logic, bits and selection, for every level. The bodies are in bodies/. */
#include <math.h>

#include "cpu/levels.h"
#include "kernels_compare_all.h"
#include "kernels_logic_all.h"
#include "kernels_select_all.h"

#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/compare_all.inc"
#include "cpu/isa/end.inc"

#include "cpu/isa/baseline.inc"
#include "cpu/bodies/compare_rare.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#define TNI_LEVEL_PLAIN
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/compare_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_compare_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        compare_enter_baseline(table);
        compare_enter_rare(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        compare_enter_avx2(table);
#endif
}
