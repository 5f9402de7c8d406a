/* streamed_kernels.c - twins of the loops that programs run over large memory most, which themselves write around the caches.
 *
 * The iterator can stream any result through a block (iterate/elements.c), but then it reads for a while and writes for a
 * while, and memory does only one of the two at a time: that loses a sixth of the speed. Only a loop that does both can reach
 * the limit. A twin gives the bits of its loop. It exists for AVX2 alone: AVX-512 has nothing to add where memory is the limit.
 */
#include "cpu/levels.h"
#include "kernels_activation_all.h"
#include "kernels_arithmetic_all.h"
#include "kernels_select_all.h"
#include "kernels_shared_all.h"

#if TNI_X86
#include <immintrin.h>

#include "cpu/isa/avx2.inc"
#include "cpu/bodies/streamed_all.inc"
#include "cpu/isa/end.inc"

/* The loop for (kernel, dtype) gets its twin; the same loop may be used for other dtypes too. */
static void streamed_add(tni_kernel_table *table, int kernel, tn_dtype dtype, tni_loop twin) {
    tni_loop *pair = table->streamed, loop = table->pointwise[kernel * TN_DTYPE_COUNT + (int)dtype];
    if (!loop) /* belongs to a part that this build was made without */
        return;
    while (pair[0])
        pair += 2;
    pair[0] = loop;
    pair[1] = twin;
}
#endif

void tni_enter_streamed_kernels(tni_kernel_table *table, tn_cpu_level level) {
#if TNI_X86
    if (level != TN_CPU_AVX2)
        return;
#define STREAMED_ENTER(kernel, WORD) streamed_add(table, TNI_KERNEL_##kernel, TN_##WORD, streamed_##kernel##_##WORD##_avx2);
#define STREAMED_COUNT(kernel, WORD) +1
    _Static_assert(TNI_STREAMED_EACH(STREAMED_COUNT) < TNI_STREAMED, "there is room for all, and for the NULL that ends them");
    TNI_STREAMED_EACH(STREAMED_ENTER)
#undef STREAMED_COUNT
#undef STREAMED_ENTER
#else
    (void)table, (void)level;
#endif
}
