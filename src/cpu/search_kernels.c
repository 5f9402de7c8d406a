/* search_kernels.c - the loops of searching and counting: what is not 0, and how often whole numbers occur. One level serves all. */
#include "base/parallel.h"
#include "cpu/levels.h"

/* ---- what is not 0 */

#define SEARCH_NONZERO(type)                                                                                                   \
    static int64_t search_nonzero_##type(const void *elements, uint64_t mask, int64_t count, int64_t first, int64_t *at) {     \
        int64_t found = 0;                                                                                                     \
        for (int64_t i = 0; i < count; i++) {                                                                                  \
            at[found] = first + i;                                                                                             \
            found += (((const type *)elements)[i] & (type)mask) != 0;                                                          \
        }                                                                                                                      \
        return found;                                                                                                          \
    }
SEARCH_NONZERO(uint8_t)
SEARCH_NONZERO(uint16_t)
SEARCH_NONZERO(uint32_t)
SEARCH_NONZERO(uint64_t)
#undef SEARCH_NONZERO

static int64_t search_nonzero_pair(const void *elements, uint64_t mask, int64_t count, int64_t first, int64_t *at) {
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++) {
        const uint64_t *parts = (const uint64_t *)elements + 2 * i;
        at[found] = first + i;
        found += ((parts[0] | parts[1]) & mask) != 0;
    }
    return found;
}

static void search_enter_nonzero(tni_kernel_table *table) {
    table->nonzero[0] = search_nonzero_uint8_t;
    table->nonzero[1] = search_nonzero_uint16_t;
    table->nonzero[2] = search_nonzero_uint32_t;
    table->nonzero[3] = search_nonzero_uint64_t;
    table->nonzero[4] = search_nonzero_pair;
}

/* ---- counting */

static uint64_t search_greatest(const int64_t *numbers, int64_t count) {
    uint64_t greatest[4] = {0};      /* side by side */
    TNI_IN_STEPS (begin, end, count) /* whole fours */
        for (int64_t i = begin; i + 4 <= end; i += 4)
            for (int64_t k = 0; k < 4; k++)
                greatest[k] = (uint64_t)numbers[i + k] > greatest[k] ? (uint64_t)numbers[i + k] : greatest[k];
    for (int64_t i = count & ~INT64_C(3); i < count; i++)
        greatest[0] = (uint64_t)numbers[i] > greatest[0] ? (uint64_t)numbers[i] : greatest[0];
    for (int64_t k = 1; k < 4; k++)
        greatest[0] = greatest[k] > greatest[0] ? greatest[k] : greatest[0];
    return greatest[0];
}

/* Whether no number is negative, or has a bit that those below TNI_COUNT_NEAR do not have. */
static bool search_is_near(const int64_t *numbers, int64_t count) {
    typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));
    const pair *at = (const pair *)(const void *)numbers;
    pair some = {0}, others = {0};
    for (int64_t i = 0; i + 4 <= count; i += 4, at += 2) {
        some |= at[0];
        others |= at[1];
    }
    some |= others;
    for (int64_t i = count & ~INT64_C(3); i < count; i++)
        some[0] |= (uint64_t)numbers[i];
    return (some[0] | some[1]) < TNI_COUNT_NEAR;
}

/* In two tables, so that equal numbers in a row do not wait. */
static bool search_count_near(int64_t *even, int64_t *odd, const int64_t *numbers, int64_t count) {
    TNI_IN_STEPS (from, to, count)
        for (int64_t block = from, end; block < to; block = end) {
            end = tni_min_i64(to, block + COUNT_BLOCK);
            if (!search_is_near(numbers + block, end - block))
                return false;
            for (int64_t i = block; i + 2 <= end; i += 2) {
                even[numbers[i]]++;
                odd[numbers[i + 1]]++;
            }
        }
    if (count % 2 != 0 && !tni_stopped())
        even[numbers[count - 1]]++;
    return true;
}

static void search_count(void *to, const int64_t *numbers, const double *weights, int64_t count) {
    int64_t *counts = to;
    (void)weights;
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin; i < end; i++)
            counts[numbers[i]]++;
}

static void search_sum(void *to, const int64_t *numbers, const double *weights, int64_t count) {
    double *sums = to;
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin; i < end; i++)
            sums[numbers[i]] += weights[i];
}

void tni_enter_search_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level != TN_CPU_BASELINE)
        return;
    search_enter_nonzero(table);
    table->count_greatest[0] = search_greatest;
    table->count_near[0] = search_count_near;
    table->count[0] = search_count;
    table->count[1] = search_sum;
}
