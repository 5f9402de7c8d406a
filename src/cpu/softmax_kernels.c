/* softmax_kernels.c - softmax and the norms of one line, for every level. The bodies are in bodies/. The exponential itself is
 * that of the pointwise operator, whose loop softmax is given. */
#include <math.h>

#include "cpu/kernels.h"

#define LANES_SIGNED(bits) LANES_SIGNED_(bits)
#define LANES_SIGNED_(bits) int##bits##_t

#define LANES_BYTES 16
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/softmax_all.inc"
#include "cpu/isa/end.inc"
#undef LANES_BYTES

#if TNI_X86
#define LANES_BYTES 32
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/softmax_all.inc"
#include "cpu/isa/end.inc"
#undef LANES_BYTES
#endif

void tni_enter_softmax_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        softmax_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        softmax_enter_avx2(table);
#endif
}
