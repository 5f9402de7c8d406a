/* reduce_kernels.c - the loops of reductions, for every level. The bodies are in bodies/, what they compute in
 * kernels/reduce_loop.h.
 *
 * Reductions read memory once and write next to nothing, so AVX2 is already as fast as memory and AVX-512 keeps its kernels.
 */
#include <math.h>

#include "cpu/levels.h"

#if TNI_X86
#include <immintrin.h>
#endif

/* Bytes from what is read to what is asked for: the CPU by itself stops at the end of a page. */
enum { REDUCE_AHEAD = 2048 };

/* Loops over registers, which exist only if the loop is unrolled. */
#if defined(__clang__)
#define TNI_REDUCE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TNI_REDUCE_UNROLL _Pragma("GCC unroll 8")
#endif

/* The bytes that will be read a little later; at most two lines of the cache. Memory that does not exist is not requested. */
#define TNI_REDUCE_ASK(at, bytes)                                                                                              \
    do {                                                                                                                       \
        __builtin_prefetch((const char *)(at) + REDUCE_AHEAD);                                                                 \
        if ((bytes) > 64)                                                                                                      \
            __builtin_prefetch((const char *)(at) + REDUCE_AHEAD + 64);                                                        \
    } while (0)

#define TNI_REDUCE(name) REDUCE_2_(name, TN_WORD)
#define REDUCE_2_(name, word) TNI_KERNEL_OF(reduce_##name, word)
#define TNI_REDUCE_SIGNED(bits) REDUCE_SIGNED_(bits)
#define REDUCE_SIGNED_(bits) int##bits##_t
#define TNI_REDUCE_UNSIGNED(bits) REDUCE_UNSIGNED_(bits)
#define REDUCE_UNSIGNED_(bits) uint##bits##_t

#define TNI_REDUCE_ENTER(KIND, name)                                                                                           \
    table->reduce_run[TNI_REDUCE_##KIND * TN_DTYPE_COUNT + TNI_DTYPE_NUMBER(TN_WORD)] = TNI_REDUCE(name##_run);                \
    table->reduce_columns[TNI_REDUCE_##KIND * TN_DTYPE_COUNT + TNI_DTYPE_NUMBER(TN_WORD)] = TNI_REDUCE(name##_columns)

/* The baseline is small rather than fast: it is for the few machines that have nothing better. */
#include "cpu/isa/baseline.inc"
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif
#include "cpu/bodies/reduce_all.inc"
#include "cpu/bodies/reduce_rare.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#include "cpu/isa/avx2.inc"
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O2", "tree-loop-vectorize", "vect-cost-model=dynamic")
#endif
#include "cpu/bodies/reduce_all.inc"
#include "cpu/isa/end.inc"
#endif

void tni_enter_reduce_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        reduce_enter_baseline(table);
        reduce_enter_rare(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        reduce_enter_avx2(table);
#endif
}
