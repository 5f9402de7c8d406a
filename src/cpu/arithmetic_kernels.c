/* arithmetic_kernels.c - the loops of arithmetic on real numbers, for every level. The bodies are in bodies/. */
#include <math.h>

#include "cpu/levels.h"
#include "cpu/math/float32.h" /* a sqrt that loops may use */
#include "kernels_arithmetic_all.h"
#include "kernels_shared_all.h"

#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/arithmetic_all.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#define TNI_LEVEL_PLAIN
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/arithmetic_all.inc"
#include "cpu/isa/end.inc"
#endif

/* Of divisors, which are integers. */
#define ARITHMETIC_HAS_ZERO(type)                                                                                              \
    static bool arithmetic_has_zero_##type(const char *at, int64_t stride, int64_t count) {                                    \
        uint64_t any = 0;                                                                                                      \
        for (int64_t i = 0; i < count; i++, at += stride) {                                                                    \
            type value;                                                                                                        \
            memcpy(&value, at, sizeof value);                                                                                  \
            any |= value == 0;                                                                                                 \
        }                                                                                                                      \
        return any != 0;                                                                                                       \
    }
ARITHMETIC_HAS_ZERO(uint8_t)
ARITHMETIC_HAS_ZERO(uint16_t)
ARITHMETIC_HAS_ZERO(uint32_t)
ARITHMETIC_HAS_ZERO(uint64_t)
#undef ARITHMETIC_HAS_ZERO

static void arithmetic_enter_has_zero(tni_kernel_table *table) {
    table->has_zero[0] = arithmetic_has_zero_uint8_t;
    table->has_zero[1] = arithmetic_has_zero_uint16_t;
    table->has_zero[2] = arithmetic_has_zero_uint32_t;
    table->has_zero[3] = arithmetic_has_zero_uint64_t;
}

void tni_enter_arithmetic_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        arithmetic_enter_baseline(table);
        arithmetic_enter_has_zero(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        arithmetic_enter_avx2(table);
#endif
}
