/* step_kernels.c - the steps of optimisers (kernels/step_loop.h) for float32 and float64, at every level. */
#include <math.h>

#include "cpu/levels.h"
#include "cpu/math/float32.h" /* a sqrt that loops may use */

#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/step_all.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#define TNI_LEVEL_PLAIN
#include "cpu/isa/avx2.inc"
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize(                                                                                                          \
    "no-unswitch-loops") /* settings are looked at in the loop: a copy of it for each would be larger, not faster */
#endif
#include "cpu/bodies/step_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_step_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        step_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        step_enter_avx2(table);
#endif
}
