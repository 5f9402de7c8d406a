/* math_kernels_f64.c - the loops of the elementary functions, the special functions and the activations for float64, at every
 * level. See math_kernels.c. */
#include "cpu/levels.h"
#include "cpu/math/float64.h"
#include "kernels_activation_all.h"
#include "kernels_arithmetic_all.h"
#include "kernels_math_all.h"
#include "kernels_shared_all.h"

#define TN_FMA 0
#define TN_MATH64_INLINE TNI_MATH64_SPARE
#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/math_float64.inc"
#include "cpu/isa/end.inc"
#undef TN_FMA
#undef TN_MATH64_INLINE

#if TNI_X86
#define TN_FMA 1
#define TNI_LEVEL_PLAIN
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/math_float64.inc"
#include "cpu/isa/end.inc"

#define TNI_LEVEL_PLAIN
#include "cpu/isa/avx512.inc"
#include "cpu/bodies/math_float64.inc"
#include "cpu/isa/end.inc"
#undef TN_FMA
#endif

void tni_enter_math_f64_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        math_float64_enter_baseline(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2) {
        math_float64_enter_avx2(table);
    } else if (level == TN_CPU_AVX512) {
        math_float64_enter_avx512(table);
    }
#endif
}
