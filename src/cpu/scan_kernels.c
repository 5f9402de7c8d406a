/* scan_kernels.c - the loops of the scans: running sums, products and extremes. The bodies are in bodies/. Sums and products
 * in float64 and in integers are plain loops in order, which no register makes faster: they are in ops/scan.c. */
#include "cpu/kernels.h"

#if TNI_X86
#include <immintrin.h>
#endif

#define SCAN_WORD(bits) SCAN_WORD_(bits)
#define SCAN_WORD_(bits) int##bits##_t

#include "cpu/isa/baseline.inc"
#include "cpu/bodies/scan_all.inc"

#include "cpu/dtype/float64.inc"
#include "cpu/bodies/scan_extremes.inc"
#include "cpu/dtype/end.inc"

#include "cpu/dtype/int64.inc"
#include "cpu/bodies/scan_extremes.inc"
#include "cpu/dtype/end.inc"

#include "cpu/dtype/uint64.inc"
#include "cpu/bodies/scan_extremes.inc"
#include "cpu/dtype/end.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/scan_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_scan_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        scan_enter_baseline(table);
        scan_enter_FLOAT64_baseline(table);
        scan_enter_INT64_baseline(table);
        scan_enter_UINT64_baseline(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        scan_enter_avx2(table);
#endif
}
