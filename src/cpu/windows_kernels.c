/* windows_kernels.c - the inner loops of convolutions beside the tiles of products, for every level: rows of images into panels, and
 * sums over planes. The bodies are in bodies/windows.inc.
 */
#include <string.h>

#include "cpu/levels.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__clang__)
#define WINDOW_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define WINDOW_UNROLL _Pragma("GCC unroll 8")
#else
#define WINDOW_UNROLL
#endif

#define WINDOW_BYTES 16
#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/windows_all.inc"
#include "cpu/isa/end.inc"
#undef WINDOW_BYTES

#if TNI_X86
#define WINDOW_BYTES 32
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/windows_all.inc"
#include "cpu/isa/end.inc"
#undef WINDOW_BYTES

#define WINDOW_BYTES 64
#include "cpu/isa/avx512.inc"
#include "cpu/bodies/windows_all.inc"
#include "cpu/isa/end.inc"
#undef WINDOW_BYTES
#endif

void tni_enter_windows_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        windows_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        windows_enter_avx2(table);
    else if (level == TN_CPU_AVX512)
        windows_enter_avx512(table);
#endif
}
