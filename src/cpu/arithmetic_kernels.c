/* arithmetic_kernels.c - the loops of arithmetic on real numbers, for every level. The bodies are in bodies/. */
#include <math.h>

#include "cpu/kernels.h"
#include "cpu/math/float32.h" /* a sqrt that loops may be made of */

#include "cpu/isa/baseline.inc"
#include "cpu/bodies/arithmetic_all.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/arithmetic_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_arithmetic_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        arithmetic_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        arithmetic_enter_avx2(table);
#endif
}
