/* compare_kernels.c - the loops of comparison, logic, bits and selection, for every level. The bodies are in bodies/.
 *
 * What integers have in common is here once: none is a NaN, all are finite, and so on.
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

#include "cpu/dtype/bool.inc"
#include "cpu/bodies/compare_integer.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/uint8.inc"
#include "cpu/bodies/compare_integer.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/uint16.inc"
#include "cpu/bodies/compare_integer.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/uint32.inc"
#include "cpu/bodies/compare_integer.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/uint64.inc"
#include "cpu/bodies/compare_integer.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/int8.inc"
#include "cpu/bodies/compare_integer.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/int16.inc"
#include "cpu/bodies/compare_integer.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/int32.inc"
#include "cpu/bodies/compare_integer.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/int64.inc"
#include "cpu/bodies/compare_integer.inc"
#include "cpu/dtype/end.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/compare_all.inc"
#include "cpu/isa/end.inc"
#endif

static void compare_never(void *const *data, int64_t count, const tni_parameters *parameters) {
    (void)parameters;
    memset(data[0], 0, (size_t)count);
}

static void compare_always(void *const *data, int64_t count, const tni_parameters *parameters) {
    (void)parameters;
    memset(data[0], 1, (size_t)count);
}

static void compare_enter_integers(tni_kernel_table *table) {
    for (int dtype = TN_BOOL; dtype <= TN_INT64; dtype++) {
        table->pointwise[TNI_KERNEL_isnan * TN_DTYPE_COUNT + dtype] = compare_never;
        table->pointwise[TNI_KERNEL_isinf * TN_DTYPE_COUNT + dtype] = compare_never;
        table->pointwise[TNI_KERNEL_isposinf * TN_DTYPE_COUNT + dtype] = compare_never;
        table->pointwise[TNI_KERNEL_isneginf * TN_DTYPE_COUNT + dtype] = compare_never;
        table->pointwise[TNI_KERNEL_isfinite * TN_DTYPE_COUNT + dtype] = compare_always;
        if (!tni_dtypes[dtype].is_signed)
            table->pointwise[TNI_KERNEL_signbit * TN_DTYPE_COUNT + dtype] = compare_never;
    }
    for (int dtype = TN_BOOL; dtype <= TN_FLOAT64; dtype++)
        table->pointwise[TNI_KERNEL_isreal * TN_DTYPE_COUNT + dtype] = compare_always;
    compare_integer_enter_BOOL_baseline(table);
    compare_integer_enter_UINT8_baseline(table);
    compare_integer_enter_UINT16_baseline(table);
    compare_integer_enter_UINT32_baseline(table);
    compare_integer_enter_UINT64_baseline(table);
    compare_integer_enter_INT8_baseline(table);
    compare_integer_enter_INT16_baseline(table);
    compare_integer_enter_INT32_baseline(table);
    compare_integer_enter_INT64_baseline(table);
}

void tni_enter_compare_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        compare_enter_integers(table);
        compare_enter_baseline(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        compare_enter_avx2(table);
#endif
}
