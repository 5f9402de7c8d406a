/* random_kernels.c - the kernels of random numbers, for every level. The bodies are in bodies/random.inc.
 *
 * Bits and uniform numbers are integers and exact products: the same at every level. Normal numbers agree to the last places.
 */
#include <tenon/random.h>

#include "cpu/levels.h"
#include "cpu/math/float32.h"

#if TNI_X86
#include <immintrin.h>
#endif

#include "cpu/isa/baseline.inc"
#include "cpu/bodies/random.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/random.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_random_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        random_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        random_enter_avx2(table);
#endif
}
