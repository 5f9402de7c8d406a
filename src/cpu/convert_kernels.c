/* convert_kernels.c - the kernels that convert runs of elements, for every level. The bodies are in bodies/.
 *
 * 17 dtypes make 289 pairs, and loops for all of them would be a third of a megabyte that nobody runs. So a level has the
 * loops from the carriers (convert.h) to every dtype, those from every dtype to its carrier, and a few more pairs that are
 * common; any other pair takes two of them, with a block in the first cache between. The 8-bit floats and the complex
 * dtypes have the baseline loops of tensor/convert.c only. AVX-512 keeps the loops of AVX2: memory is the limit of both.
 */
#include "cpu/kernels.h"

#if TNI_X86
#include <immintrin.h>
#endif

/* The dtypes that have loops at every level. */
#define CONVERT_EACH_VECTOR(X)                                                                                                 \
    X(BOOL)                                                                                                                    \
    X(UINT8)                                                                                                                   \
    X(UINT16)                                                                                                                  \
    X(UINT32)                                                                                                                  \
    X(UINT64)                                                                                                                  \
    X(INT8)                                                                                                                    \
    X(INT16)                                                                                                                   \
    X(INT32)                                                                                                                   \
    X(INT64)                                                                                                                   \
    X(FLOAT16)                                                                                                                 \
    X(BFLOAT16)                                                                                                                \
    X(FLOAT32)                                                                                                                 \
    X(FLOAT64)

/* Those that are not their own carrier, with it. */
#define CONVERT_EACH_WIDENED(X)                                                                                                \
    X(BOOL, INT32)                                                                                                             \
    X(UINT8, INT32)                                                                                                            \
    X(INT8, INT32)                                                                                                             \
    X(UINT16, INT32)                                                                                                           \
    X(INT16, INT32)                                                                                                            \
    X(FLOAT16, FLOAT32)                                                                                                        \
    X(BFLOAT16, FLOAT32)

/* Pairs, besides those from a carrier, that have a loop of their own. */
#define CONVERT_EACH_EXTRA(X)                                                                                                  \
    CONVERT_EACH_WIDENED(X)                                                                                                    \
    X(BOOL, INT64)                                                                                                             \
    X(BOOL, FLOAT32)                                                                                                           \
    X(UINT8, INT64)                                                                                                            \
    X(UINT8, FLOAT32)                                                                                                          \
    X(INT8, FLOAT32)                                                                                                           \
    X(INT16, FLOAT32)

/* The C type an element is read and written as: a bool may come as any byte. */
#define CONVERT_ELEMENT(WORD) CONVERT_ELEMENT_(WORD)
#define CONVERT_ELEMENT_(WORD) convert_element_##WORD
typedef uint8_t convert_element_BOOL;
typedef uint8_t convert_element_UINT8;
typedef uint16_t convert_element_UINT16;
typedef uint32_t convert_element_UINT32;
typedef uint64_t convert_element_UINT64;
typedef int8_t convert_element_INT8;
typedef int16_t convert_element_INT16;
typedef int32_t convert_element_INT32;
typedef int64_t convert_element_INT64;
typedef tn_float16 convert_element_FLOAT16;
typedef tn_bfloat16 convert_element_BFLOAT16;
typedef float convert_element_FLOAT32;
typedef double convert_element_FLOAT64;

#include "cpu/isa/baseline.inc"
#include "cpu/bodies/convert_all.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/convert_all.inc"
#include "cpu/isa/end.inc"
#endif

/* What tensor/convert.c has is there for every pair of steps. */
static void convert_enter_plain(tni_kernel_table *table) {
    for (int dtype = TN_DTYPE_DEFAULT + 1; dtype < TN_DTYPE_COUNT; dtype++) {
        table->widen[dtype] = tni_widen[dtype].widen;
        for (int carrier = 0; carrier < TNI_CARRIER_COUNT; carrier++)
            table->narrow[carrier * TN_DTYPE_COUNT + dtype] = tni_narrow[carrier][dtype];
    }
}

void tni_enter_convert_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        convert_enter_plain(table);
        convert_enter_baseline(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        convert_enter_avx2(table);
#endif
}
