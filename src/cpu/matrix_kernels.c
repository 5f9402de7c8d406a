/* matrix_kernels.c - the loops of eigenvalues and singular values, for every level but AVX-512, whose registers gain next to nothing
 * over those of AVX2 here. The bodies are in bodies/matrix.inc. */
#include <math.h>
#include <string.h>

#include "cpu/levels.h"
#include "cpu/limits.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define MATRIX_BYTES 16
#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/matrix_all.inc"
#include "cpu/isa/end.inc"
#undef MATRIX_BYTES

#if TNI_X86
#define MATRIX_BYTES 32
#define TNI_LEVEL_PLAIN
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/matrix_all.inc"
#include "cpu/isa/end.inc"
#undef MATRIX_BYTES
#endif

void tni_enter_matrix_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        matrix_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        matrix_enter_avx2(table);
#endif
}
