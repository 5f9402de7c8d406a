/* levels.c - fills the kernel tables, one for each level, and says which kernel is in use.
 *
 * All levels' tables are made at once, by whoever asks first: they are a few kilobytes of addresses, and tn_set_cpu_level may
 * ask for another at any time. A table of a level the CPU does not have is never handed out, because the level in use never
 * exceeds the detected one.
 */
#include "cpu/levels.h"

#include <pthread.h>

static tni_kernel_table kernels_of_level[TNI_CPU_LEVELS];
static pthread_once_t kernels_once = PTHREAD_ONCE_INIT;
_Atomic(const tni_kernel_table *) tni_kernels_of_level[TNI_CPU_LEVELS];

/* The functions that enter kernels are compiled for their level too, so only those of levels that this CPU has are called; and
 * only those of parts that this build has (dispatch/parts.def). */
static void kernels_fill(void) {
    for (int level = 0; level <= (int)tn_cpu_level_detected(); level++)
        for (int better = 0; better <= level; better++) {
            tni_enter_copy_kernels(&kernels_of_level[level], (tn_cpu_level)better);
            tni_enter_convert_kernels(&kernels_of_level[level], (tn_cpu_level)better);
            tni_enter_arithmetic_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#ifndef TN_WITHOUT_COMPARE
            tni_enter_compare_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_MATH
            tni_enter_math_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_MATH64
            tni_enter_math_f64_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_SPECIAL
            tni_enter_special_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_COMPLEX
            tni_enter_complex_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_INDEX
            tni_enter_index_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_FFT
            tni_enter_fourier_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_LINALG
            tni_enter_factor_kernels(&kernels_of_level[level], (tn_cpu_level)better);
            tni_enter_matrix_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_RESAMPLE
            tni_enter_resample_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_POOL
            tni_enter_pool_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_PRODUCT
            tni_enter_product_kernels(&kernels_of_level[level], (tn_cpu_level)better);
            tni_enter_attention_kernels(&kernels_of_level[level], (tn_cpu_level)better);
            tni_enter_windows_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_RANDOM
            tni_enter_random_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_RECURRENT
            tni_enter_recurrent_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_REDUCE
            tni_enter_reduce_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_SORT
            tni_enter_sort_kernels(&kernels_of_level[level], (tn_cpu_level)better);
            tni_enter_search_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_STATISTICS
            tni_enter_statistics_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_LINES
            tni_enter_scan_kernels(&kernels_of_level[level], (tn_cpu_level)better);
            tni_enter_softmax_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_TRAIN
            tni_enter_step_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
#ifndef TN_WITHOUT_LEVELS
            tni_enter_streamed_kernels(&kernels_of_level[level], (tn_cpu_level)better);
#endif
        }
    for (int level = 0; level < TNI_CPU_LEVELS; level++)
        atomic_store_explicit(&tni_kernels_of_level[level], &kernels_of_level[level], memory_order_release);
}

TNI_COLD const tni_kernel_table *tni_kernels_make(void) {
    pthread_once(&kernels_once, kernels_fill);
    return &kernels_of_level[tni_cpu_level()];
}

/* The entry's address in its table, as bytes from the table's start; -1 when there is none. */
static ptrdiff_t kernels_place(const char *family, int64_t index) {
    static const struct {
        const char *name;
        size_t start, size;
        int64_t count;
    } families[] = {
#define KERNELS_FAMILY(name, type, count) {#name, offsetof(tni_kernel_table, name), sizeof(type), count},
        TNI_EACH_KERNEL(KERNELS_FAMILY)
#undef KERNELS_FAMILY
    };
    for (size_t i = 0; i < TNI_COUNT_OF(families); i++)
        if (strcmp(family, families[i].name) == 0 && index >= 0 && index < families[i].count)
            return (ptrdiff_t)(families[i].start + (size_t)index * families[i].size);
    return -1;
}

int tni_kernel_level(const char *family, int64_t index) {
    const char *table = (const char *)tni_kernels();
    ptrdiff_t place = kernels_place(family, index);
    static const char nothing[sizeof(tni_convert_function)] = {0};
    if (place < 0 || memcmp(table + place, nothing, sizeof nothing) == 0)
        return -1;
    int level = 0; /* the first level with the same address in this entry */
    while (memcmp((const char *)&kernels_of_level[level] + place, table + place, sizeof nothing) != 0)
        level++;
    return level;
}
