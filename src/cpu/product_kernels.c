/* product_kernels.c - the tiles of matrix products, for every level. The bodies are in bodies/; they are written with vector types, so
 * that both compilers keep all sums of a tile in registers. A tile has as many rows as registers allow beside two vectors of B and a
 * number of A: 8 of 32 registers (16 sums hide the latency of their additions), 6 of 16, and 4 without fused multiplication.
 */
#include <string.h>

#include "cpu/levels.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__clang__)
#define TNI_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define TNI_UNROLL _Pragma("GCC unroll 8")
#else
#define TNI_UNROLL
#endif

/* Lanes of two vectors by number, constants all; GCC has it from version 12 on. */
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 12)
#define TILE_PICK(...) __builtin_shufflevector(__VA_ARGS__)
#endif

/* What the compiler knew of a pointer, so that it does not compute addresses before a loop and keep them meanwhile. */
#define TILE_FORGET(pointer) __asm__("" : "+r"(pointer))

/* From this k on it is worth while to ask for C before the sums are made. */
#define TILE_LONG 128

#define TILE_BYTES 16
#define TILE_ROWS 4
#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/product_all.inc"
#include "cpu/isa/end.inc"
#undef TILE_BYTES
#undef TILE_ROWS

#if TNI_X86
/* From 8 - n on, n words of ones and then zeros. */
static const int32_t tile_masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

#define TILE_BYTES 32
#define TILE_ROWS 6
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/product_all.inc"
#include "cpu/isa/end.inc"
#undef TILE_BYTES
#undef TILE_ROWS

#define TILE_BYTES 64
#define TILE_ROWS 8
#include "cpu/isa/avx512.inc"
#include "cpu/bodies/product_all.inc"
#include "cpu/isa/end.inc"

/* Two products and two additions in one instruction, without saturation. */
#include "cpu/isa/avx512vnni.inc"
#define TILE_PAIRS(x, y, z) ((__typeof__(z))_mm512_dpwssd_epi32((__m512i)(z), (__m512i)(x), (__m512i)(y)))
#define TILE_WORD INT8
#include "cpu/bodies/product_pairs.inc"
#include "cpu/isa/end.inc"
#undef TILE_BYTES
#undef TILE_ROWS
#endif

void tni_enter_product_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE)
        product_enter_baseline(table);
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        product_enter_avx2(table);
    else if (level == TN_CPU_AVX512) {
        product_enter_avx512(table);
        if (tni_cpu_has_vnni())
            table->tiles[TNI_TILE_INT8] = &tiles_INT8_avx512vnni;
    }
#endif
}
