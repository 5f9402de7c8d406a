/* special_kernels.c - the loops of the special functions that few programs need. Each element takes its own way through a function,
 * so instruction sets gain nothing, and float32 is computed in double: one level, and one function for both. */
#include "cpu/levels.h"
#include "kernels/scalar/special_functions.h"
#include "kernels_special_all.h"

#include "cpu/isa/baseline.inc"
#define TNI_FAMILY special

#include "cpu/dtype/float32.inc"
#include "cpu/bodies/special.inc"
#include "cpu/dtype/end.inc"

#include "cpu/dtype/float64.inc"
#include "cpu/bodies/special.inc"
#include "cpu/dtype/end.inc"

#undef TNI_FAMILY
#include "cpu/isa/end.inc"

void tni_enter_special_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level != TN_CPU_BASELINE)
        return;
    special_enter_FLOAT32_baseline(table);
    special_enter_FLOAT64_baseline(table);
}
