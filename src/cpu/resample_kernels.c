/* resample_kernels.c - the loops of resampling and of grid_sample for every level. The bodies are in bodies/resample.inc and bodies/grid.inc. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "cpu/levels.h"

#if TNI_X86
#include <immintrin.h>
#endif

#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/resample_all.inc"
#include "cpu/isa/end.inc"

#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/grid_all.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/resample_all.inc"
#include "cpu/isa/end.inc"

#define TNI_LEVEL_PLAIN
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/grid_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_resample_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        resample_enter_baseline(table);
        grid_enter_baseline(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2) {
        resample_enter_avx2(table);
        grid_enter_avx2(table);
    }
#endif
}
