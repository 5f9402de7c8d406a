/* attention_kernels.c - the loops over lines of attention weights, for every level. The bodies are in bodies/. The exponential itself is
 * that of the pointwise operator, whose loop they are given. */
#include <math.h>
#include <string.h>

#include "cpu/levels.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define ATTENTION_BYTES 16
#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/attention_all.inc"
#include "cpu/isa/end.inc"
#undef ATTENTION_BYTES

#if TNI_X86
#define ATTENTION_BYTES 32
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/attention_all.inc"
#include "cpu/isa/end.inc"
#undef ATTENTION_BYTES

#define ATTENTION_BYTES 64
#include "cpu/isa/avx512.inc"
#include "cpu/bodies/attention_all.inc"
#include "cpu/isa/end.inc"
#undef ATTENTION_BYTES
#endif

void tni_enter_attention_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        attention_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        attention_enter_avx2(table);
    else if (level == TN_CPU_AVX512)
        attention_enter_avx512(table);
#endif
}
