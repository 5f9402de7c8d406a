/* sort_kernels.c - the loops of sorting: keys, the search for the first few, and elements in their order. */
#include "base/parallel.h"
#include "cpu/levels.h"

#include "cpu/isa/baseline.inc"
#include "cpu/bodies/sort_common.inc"
#include "cpu/isa/end.inc"

/* Once, and small: as the rest of the library is compiled. */
#define TN_ISA plain
#include "cpu/bodies/sort_rare.inc"
#undef TN_ISA

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/sort_common.inc"
#include "cpu/isa/end.inc"
#endif

/* ---- elements in an order */

#define SORT_TAKE(size, type)                                                                                                  \
    static void sort_take_##size(void *values, const void *line, const uint64_t *items, int64_t count, tn_dtype dtype,         \
                                 bool descending) {                                                                            \
        (void)dtype, (void)descending;                                                                                         \
        TNI_IN_STEPS (begin, end, count)                                                                                       \
            for (int64_t i = begin; i < end; i++)                                                                              \
                ((type *)values)[i] = ((const type *)line)[(uint32_t)items[i]];                                                \
    }
SORT_TAKE(1, uint8_t)
SORT_TAKE(2, uint16_t)
SORT_TAKE(8, uint64_t)
#undef SORT_TAKE

/* Elements of 4 bytes are made from their keys, which are at hand; only zeros and NaN, whose keys do not tell them apart, are
 * read again. */
static void sort_take_4(void *to, const void *from, const uint64_t *items, int64_t count, tn_dtype dtype, bool descending) {
    uint32_t *values = to;
    const uint32_t *line = from;
    const uint32_t sign = UINT32_C(1) << 31, turn = descending ? UINT32_MAX : 0;
    const uint32_t flip = turn ^ (tn_dtype_is_signed(dtype) ? sign : 0);
    if (!tn_dtype_is_floating(dtype)) {
        TNI_IN_STEPS (begin, end, count)
            for (int64_t i = begin; i < end; i++)
                values[i] = (uint32_t)(items[i] >> 32) ^ flip;
        return;
    }
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin; i < end; i++) {
            uint32_t key = (uint32_t)(items[i] >> 32) ^ turn;
            if (TNI_UNLIKELY(key == sign || key == UINT32_MAX))
                values[i] = line[(uint32_t)items[i]];
            else
                values[i] = key & sign ? key ^ sign : ~key;
        }
}

static void sort_enter_take(tni_kernel_table *table) {
    table->sort_take[0] = sort_take_1;
    table->sort_take[1] = sort_take_2;
    table->sort_take[2] = sort_take_4;
    table->sort_take[3] = sort_take_8;
}

void tni_enter_sort_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        sort_enter_baseline(table);
        sort_enter_rare(table);
        sort_enter_take(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        sort_enter_avx2(table);
#endif
}
