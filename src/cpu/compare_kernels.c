/* compare_kernels.c - the loops of comparison, logic, bits and selection, for every level. The bodies are in bodies/.
 *
 * Most are derived from few: all orders of integers from lt, what is not equal from eq. The answers are bytes, so turning one
 * into its opposite costs little beside reading what was compared.
 */
#include <math.h>

#include "cpu/kernels.h"

/* Enter a loop for the dtype and for its twin. */
#define COMPARE_ENTER_TWIN(name)                                                                                               \
    TN_ENTER(name);                                                                                                            \
    table->pointwise[TNI_KERNEL_##name * TN_DTYPE_COUNT + TNI_DTYPE_NUMBER(TN_TWIN)] = TNI_KERNEL_OF(name, TN_WORD)
#define COMPARE_UNSIGNED(bits) COMPARE_UNSIGNED_(bits)
#define COMPARE_UNSIGNED_(bits) uint##bits##_t

#include "cpu/isa/baseline.inc"
#include "cpu/bodies/compare_all.inc"
#include "cpu/bodies/compare_rare.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/compare_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_compare_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        compare_enter_baseline(table);
        compare_enter_rare(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        compare_enter_avx2(table);
#endif
}
