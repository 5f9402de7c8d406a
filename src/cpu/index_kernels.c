/* index_kernels.c - the loops of elements picked by position, and by a mask. Moves exist by the size of an element; sums, products and
 * extremes for the dtypes that they are formed in. One level is enough: they wait for memory. */
#include <math.h>

#include "cpu/levels.h"
#include "kernels/limits.h"

typedef struct pick_bytes16 {
    uint64_t half[2];
} pick_bytes16;

#define TNI_PICK_LOOP(name)                                                                                                    \
    static void TNI_KERNEL_OF(name, TN_WORD)(char *picked, int64_t picked_stride, char *other, int64_t other_stride,           \
                                             const int64_t *offsets, int64_t scale, int64_t count)

#include "cpu/isa/baseline.inc"

#define TN_SIZE 1
#define TN_T uint8_t
#include "cpu/bodies/pick_move.inc"
#undef TN_SIZE
#undef TN_T
#define TN_SIZE 2
#define TN_T uint16_t
#include "cpu/bodies/pick_move.inc"
#undef TN_SIZE
#undef TN_T
#define TN_SIZE 4
#define TN_T uint32_t
#include "cpu/bodies/pick_move.inc"
#undef TN_SIZE
#undef TN_T
#define TN_SIZE 8
#define TN_T uint64_t
#include "cpu/bodies/pick_move.inc"
#undef TN_SIZE
#undef TN_T
#define TN_SIZE 16
#define TN_T pick_bytes16
#include "cpu/bodies/pick_move.inc"
#undef TN_SIZE
#undef TN_T

#define TNI_FAMILY picked
#include "cpu/dtype/float32.inc"
#include "kernels/scalar/arithmetic.inc"
#include "cpu/bodies/pick_accumulate.inc"
#include "cpu/dtype/end.inc"

#include "cpu/dtype/float64.inc"
#include "kernels/scalar/arithmetic.inc"
#include "cpu/bodies/pick_accumulate.inc"
#include "cpu/dtype/end.inc"

#include "cpu/dtype/uint64.inc"
#include "kernels/scalar/arithmetic.inc"
#include "cpu/bodies/pick_accumulate.inc"
#include "cpu/dtype/end.inc"

#include "cpu/dtype/int64.inc"
#include "kernels/scalar/arithmetic.inc"
#include "cpu/bodies/pick_accumulate.inc"
#include "cpu/dtype/end.inc"

#include "cpu/dtype/complex64.inc"
#include "kernels/scalar/arithmetic_complex.inc"
#include "cpu/bodies/pick_accumulate.inc"
#include "cpu/dtype/end.inc"

#include "cpu/dtype/complex128.inc"
#include "kernels/scalar/arithmetic_complex.inc"
#include "cpu/bodies/pick_accumulate.inc"
#include "cpu/dtype/end.inc"

#undef TNI_FAMILY

#include "cpu/bodies/positions_all.inc"

#include "cpu/isa/end.inc"

/* ---- masks */

static int64_t mask_count(const uint8_t *bytes, int64_t count) {
    int64_t total = 0;
    for (int64_t i = 0; i < count;) {
        int64_t stop = tni_min_i64(count, i + 255); /* sums of bytes do not overflow one */
        uint8_t sum = 0;
        for (; i < stop; i++)
            sum = (uint8_t)(sum + (bytes[i] != 0));
        total += sum;
    }
    return total;
}

/* Without a branch on the mask: every element is stored, and the next one over it unless it counts. The block beside takes
 * what is stored past the end. */
#define MASK_SELECT(name, type)                                                                                                \
    static int64_t mask_select_##name(char *target, const char *source, const uint8_t *bytes, int64_t count) {                 \
        type block[TNI_MASK_BLOCK + 1];                                                                                        \
        int64_t kept = 0;                                                                                                      \
        for (int64_t i = 0; i < count; i++) {                                                                                  \
            memcpy(&block[kept], source + i * (int64_t)sizeof(type), sizeof(type));                                            \
            kept += bytes[i] != 0;                                                                                             \
        }                                                                                                                      \
        memcpy(target, block, (size_t)kept * sizeof(type));                                                                    \
        return kept;                                                                                                           \
    }
MASK_SELECT(1, uint8_t)
MASK_SELECT(2, uint16_t)
MASK_SELECT(4, uint32_t)
MASK_SELECT(8, uint64_t)
MASK_SELECT(16, pick_bytes16)
#undef MASK_SELECT

static void mask_enter(tni_kernel_table *table) {
    table->mask_count[0] = mask_count;
    table->mask_select[0] = mask_select_1;
    table->mask_select[1] = mask_select_2;
    table->mask_select[2] = mask_select_4;
    table->mask_select[3] = mask_select_8;
    table->mask_select[4] = mask_select_16;
}

void tni_enter_index_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level != TN_CPU_BASELINE)
        return;
    pick_move_enter_1_baseline(table);
    pick_move_enter_2_baseline(table);
    pick_move_enter_4_baseline(table);
    pick_move_enter_8_baseline(table);
    pick_move_enter_16_baseline(table);
    pick_enter_FLOAT32_baseline(table);
    pick_enter_FLOAT64_baseline(table);
    pick_enter_UINT64_baseline(table);
    pick_enter_INT64_baseline(table);
    pick_enter_COMPLEX64_baseline(table);
    pick_enter_COMPLEX128_baseline(table);
    positions_enter_baseline(table);
    mask_enter(table);
}
