/* recurrent_kernels.c - the gates of recurrent cells, row by row, for every level. The bodies are in bodies/recurrent.inc. */
#include "cpu/levels.h"

#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/recurrent_all.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/recurrent_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_recurrent_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        recurrent_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        recurrent_enter_avx2(table);
#endif
}
