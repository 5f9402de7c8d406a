/* convert_kernels.c - the kernels that convert runs of elements, for every level. The bodies are in bodies/.
 *
 * 17 dtypes make 289 pairs, and loops for all of them would be a third of a megabyte of unused code. So a level has the loops
 * from the carriers (convert.h) to every dtype, those from every dtype to its carrier, and a few more pairs that are common;
 * any other pair takes two of them, with a block in the first cache between. The 8-bit floats and the complex dtypes have the
 * baseline loops of tensor/convert.c only. AVX-512 keeps the loops of AVX2: memory is the limit of both.
 */
#include "cpu/levels.h"

#if TNI_X86
#include <immintrin.h>
#endif

/* The dtypes that have loops at every level. */
#define TNI_CONVERT_EACH_VECTOR(X)                                                                                             \
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

/* The dtypes that are not their own carrier, with their carrier. */
#define TNI_CONVERT_EACH_WIDENED(X)                                                                                            \
    X(BOOL, INT32)                                                                                                             \
    X(UINT8, INT32)                                                                                                            \
    X(INT8, INT32)                                                                                                             \
    X(UINT16, INT32)                                                                                                           \
    X(INT16, INT32)                                                                                                            \
    X(FLOAT16, FLOAT32)                                                                                                        \
    X(BFLOAT16, FLOAT32)

/* Pairs, besides those from a carrier, that have a loop of their own. */
#define TNI_CONVERT_EACH_EXTRA(X)                                                                                              \
    TNI_CONVERT_EACH_WIDENED(X)                                                                                                \
    X(BOOL, INT64)                                                                                                             \
    X(BOOL, FLOAT32)                                                                                                           \
    X(UINT8, INT64)                                                                                                            \
    X(UINT8, FLOAT32)                                                                                                          \
    X(INT8, FLOAT32)                                                                                                           \
    X(INT16, FLOAT32)

/* The C type an element is read and written as: a bool may come as any byte. */
#define TNI_CONVERT_ELEMENT(WORD) CONVERT_ELEMENT_(WORD)
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

/* Integers of either sign are cut, widened and compared with 0 alike, so one loop serves both: for a pair of a carrier and a
 * dtype, this is the pair whose loop is used. A pair of equal dtypes has none. */
static inline tn_dtype convert_served_from(tn_dtype from, tn_dtype to) {
    bool narrow = to == TN_BOOL || to == TN_UINT8 || to == TN_UINT16 || to == TN_INT8 || to == TN_INT16;
    if (from == TN_UINT32 && narrow)
        return TN_INT32;
    return from == TN_UINT64 && (narrow || to == TN_UINT32 || to == TN_INT32) ? TN_INT64 : from;
}

static inline tn_dtype convert_served_to(tn_dtype from, tn_dtype to) {
    bool whole = from != TN_FLOAT32 && from != TN_FLOAT64;
    if (to == TN_INT8 || to == TN_INT16)
        return to == TN_INT8 ? TN_UINT8 : TN_UINT16;
    if (to == TN_INT32 && whole && from != TN_UINT32)
        return TN_UINT32;
    return to == TN_INT64 && whole && from != TN_UINT64 ? TN_UINT64 : to;
}

/* Enters the loop of a carrier and a dtype, unless another serves them, which convert_share enters. Always inlined, so that a
 * loop that is not entered is not part of the library. */
TNI_ALWAYS_INLINE void convert_enter_served(tni_kernel_table *table, tn_dtype from, unsigned carrier, tn_dtype to,
                                            tni_convert_function loop) {
    if (from != to && convert_served_from(from, to) == from && convert_served_to(from, to) == to) {
        table->narrow[carrier * TN_DTYPE_COUNT + to] = loop;
        table->convert[from * TN_DTYPE_COUNT + to] = loop;
    }
}

static void convert_share(tni_kernel_table *table) {
    static const struct {
        uint8_t dtype, carrier;
    } carriers[] = {{TN_INT32, TNI_CARRIER_i32},  {TN_UINT32, TNI_CARRIER_u32},  {TN_INT64, TNI_CARRIER_i64},
                    {TN_UINT64, TNI_CARRIER_u64}, {TN_FLOAT32, TNI_CARRIER_f32}, {TN_FLOAT64, TNI_CARRIER_f64}};
    static const uint8_t wholes[] = {TN_BOOL, TN_UINT8, TN_UINT16, TN_UINT32, TN_UINT64, TN_INT8, TN_INT16, TN_INT32, TN_INT64};
    for (size_t c = 0; c < TNI_COUNT_OF(carriers); c++)
        for (size_t w = 0; w < TNI_COUNT_OF(wholes); w++) {
            tn_dtype from = carriers[c].dtype, to = wholes[w];
            tn_dtype served_from = convert_served_from(from, to), served_to = convert_served_to(from, to);
            if (from == to || (served_from == from && served_to == to))
                continue;
            tni_convert_function loop = table->convert[served_from * TN_DTYPE_COUNT + served_to];
            table->convert[from * TN_DTYPE_COUNT + to] = loop;
            table->narrow[carriers[c].carrier * TN_DTYPE_COUNT + to] = loop;
        }
}

#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/convert_all.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#define TNI_LEVEL_PLAIN
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/convert_all.inc"
#include "cpu/isa/end.inc"
#endif

/* The loops of tensor/convert.c cover every pair of steps. */
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
