/* math_kernels.c - the loops of the elementary functions, the special functions and the activations for float32, at every
 * level, and of the activations that integers have. The bodies are in bodies/, the mathematics in math/. float64 has its own
 * file because it takes long to compile. */
#include "cpu/levels.h"
#include "cpu/math/float32.h"
#include "kernels_activation_all.h"
#include "kernels_arithmetic_all.h"
#include "kernels_math_all.h"
#include "kernels_shared_all.h"

#define TN_FMA 0
#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/math_float32.inc"
#include "cpu/bodies/math_integers_all.inc"
#include "cpu/isa/end.inc"
#undef TN_FMA

#if TNI_X86
#define TN_FMA 1
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/math_float32.inc"
#include "cpu/bodies/math_integers_all.inc"
#include "cpu/isa/end.inc"

#include "cpu/isa/avx512.inc"
#include "cpu/bodies/math_float32.inc"
#include "cpu/isa/end.inc"
#undef TN_FMA
#endif

void tni_enter_math_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        math_float32_enter_baseline(table);
        math_integers_enter_baseline(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2) {
        math_float32_enter_avx2(table);
        math_integers_enter_avx2(table);
    } else if (level == TN_CPU_AVX512) {
        math_float32_enter_avx512(table);
    }
#endif
}
