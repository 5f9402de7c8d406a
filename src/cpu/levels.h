/* levels.h - how the kernels of src/cpu enter the table of kernels/table.h.
 *
 * Each family has a function that enters what it has for one level. They are called for the baseline first and upwards, so
 * that a better kernel overwrites a lesser one, and an entry nobody improves stays.
 */
#ifndef TNI_CPU_LEVELS_H
#define TNI_CPU_LEVELS_H

#include "cpu/limits.h"
#include "kernels/table.h"

/* Where instructions beyond the baseline are compiled in. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(TN_WITHOUT_LEVELS)
#define TNI_X86 1
#else
#define TNI_X86 0
#endif

/* The name of a function of a body for the level being compiled: TNI_KERNEL(strided_4) is strided_4_avx2. A size or a dtype
 * that is itself a macro is expanded first. */
#define TNI_KERNEL(name) TNI_KERNEL_2_(name, TN_ISA)
#define TNI_KERNEL_2_(name, isa) TNI_KERNEL_3_(name, isa)
#define TNI_KERNEL_3_(name, isa) name##_##isa
#define TNI_KERNEL_OF(name, what) TNI_KERNEL_OF_2_(name, what, TN_ISA)
#define TNI_KERNEL_OF_2_(name, what, isa) TNI_KERNEL_OF_3_(name, what, isa)
#define TNI_KERNEL_OF_3_(name, what, isa) name##_##what##_##isa
#define TNI_KERNEL_PAIR(name, from, to) TNI_KERNEL_PAIR_2_(name, from, to, TN_ISA)
#define TNI_KERNEL_PAIR_2_(name, from, to, isa) TNI_KERNEL_PAIR_3_(name, from, to, isa)
#define TNI_KERNEL_PAIR_3_(name, from, to, isa) name##_##from##_##to##_##isa

/* Before a loop whose iterations do not depend on each other, even where a result is the same array as an operand. */
#if defined(__clang__)
#define TN_VECTORISE _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define TN_VECTORISE _Pragma("GCC ivdep")
#else
#define TN_VECTORISE
#endif

/* Pointwise kernels (kernels/loop.h) are compiled once per level and once per dtype, between files of cpu/isa and cpu/dtype.
 * What a kernel does with one element of each operand is its scalar body, TNI_SCALAR(add), from a file of kernels/scalar. The
 * loop around it, TNI_EACH(binary), is written once for each number of operands, in cpu/loops. TNI_FAMILY distinguishes the
 * names of different .c files. The two together are TN_LOOP(add), the kernel; TN_ENTER(add) puts it into the table, and
 * TN_ENTER_AS(ceil, floor) the loop of one kernel also under the name of another. */
#define TNI_SCALAR(name) TNI_KERNEL_PAIR(TNI_FAMILY, name, TN_WORD)
#define TNI_EACH(arity) TNI_KERNEL_PAIR(TNI_FAMILY, each_##arity, TN_WORD)
#define TN_LOOP(name)                                                                                                          \
    static void TNI_KERNEL_OF(name, TN_WORD)(void *const *data, int64_t count, const tni_parameters *parameters)
#define TN_ENTER(name)                                                                                                         \
    table->pointwise[TNI_KERNEL_##name * TN_DTYPE_COUNT + TNI_DTYPE_NUMBER(TN_WORD)] = TNI_KERNEL_OF(name, TN_WORD)
#define TN_ENTER_LOOP(name, loop) table->pointwise[TNI_KERNEL_##name * TN_DTYPE_COUNT + TNI_DTYPE_NUMBER(TN_WORD)] = loop
#define TN_ENTER_AS(name, loop)                                                                                                \
    table->pointwise[TNI_KERNEL_##name * TN_DTYPE_COUNT + TNI_DTYPE_NUMBER(TN_WORD)] = TNI_KERNEL_OF(loop, TN_WORD)
#define TNI_DTYPE_NUMBER(word) TNI_DTYPE_NUMBER_(word)
#define TNI_DTYPE_NUMBER_(word) TN_##word

void tni_enter_copy_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_convert_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_arithmetic_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_compare_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_math_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_math_f64_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_special_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_complex_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_index_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_resample_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_pool_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_product_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_attention_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_fourier_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_matrix_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_factor_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_windows_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_random_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_recurrent_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_reduce_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_sort_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_search_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_statistics_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_scan_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_softmax_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_step_kernels(tni_kernel_table *table, tn_cpu_level level);
void tni_enter_streamed_kernels(tni_kernel_table *table, tn_cpu_level level); /* after all others: it looks up their loops */

#endif
