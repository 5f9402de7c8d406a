/* fourier_kernels.c - the passes of Fourier transforms, for every level but AVX-512, whose
 * registers gain nothing over those of AVX2 here. The bodies are in bodies/fourier.inc. */
#include "cpu/levels.h"
#include "cpu/limits.h"

#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/fourier_all.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/fourier_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_fourier_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        fourier_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        fourier_enter_avx2(table);
#endif
}
