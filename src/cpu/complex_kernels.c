/* complex_kernels.c - the loops of complex arithmetic and complex functions. The bodies are in bodies/.
 *
 * One level is enough: sums and products are vectorised at the baseline too, and the rest is as fast as the C library. What
 * complex numbers share with others, equality and selection, is in compare_kernels.c.
 */
#include <complex.h>
#undef complex /* names used elsewhere in this library */
#undef I
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/levels.h"
#include "kernels_activation_all.h"
#include "kernels_arithmetic_all.h"
#include "kernels_complex_all.h"
#include "kernels_math_all.h"
#include "kernels_shared_all.h"

#include "cpu/isa/baseline.inc"
#include "kernels/scalar/complex_functions.inc"

#define TNI_FAMILY complex

#include "cpu/dtype/complex64.inc"
#define TNI_COMPLEX_DIVIDE complex_divide_usual
#define TNI_COMPLEX_SIZE complex_size_of_floats
#define TNI_COMPLEX_WIDE double
#define TNI_COMPLEX_WIDE_C(name) name
#include "cpu/bodies/complex_arithmetic.inc"
#include "cpu/bodies/complex_math.inc"
#undef TNI_COMPLEX_DIVIDE
#undef TNI_COMPLEX_SIZE
#undef TNI_COMPLEX_WIDE
#undef TNI_COMPLEX_WIDE_C
#include "cpu/dtype/end.inc"

#include "cpu/dtype/complex128.inc"
#define TNI_COMPLEX_DIVIDE complex_divide
#define TNI_COMPLEX_SIZE hypot
#define TNI_COMPLEX_WIDE long double
#define TNI_COMPLEX_WIDE_C(name) name##l
#include "cpu/bodies/complex_arithmetic.inc"
#include "cpu/bodies/complex_math.inc"
#undef TNI_COMPLEX_DIVIDE
#undef TNI_COMPLEX_SIZE
#undef TNI_COMPLEX_WIDE
#undef TNI_COMPLEX_WIDE_C
#include "cpu/dtype/end.inc"

#include "cpu/dtype/float32.inc"
#define TN_COMPLEX tn_complex64
#include "cpu/bodies/complex_from_real.inc"
#undef TN_COMPLEX
#include "cpu/dtype/end.inc"

#include "cpu/dtype/float64.inc"
#define TN_COMPLEX tn_complex128
#include "cpu/bodies/complex_from_real.inc"
#undef TN_COMPLEX
#include "cpu/dtype/end.inc"

#undef TNI_FAMILY

/* The conjugate of a real number is the number. */
#define COMPLEX_COPY(size)                                                                                                     \
    static void complex_copy_##size(void *const *data, int64_t count, const tni_parameters *parameters) {                      \
        (void)parameters;                                                                                                      \
        memmove(data[0], data[1], (size_t)count *size);                                                                        \
    }
COMPLEX_COPY(1)
COMPLEX_COPY(2)
COMPLEX_COPY(4)
COMPLEX_COPY(8)

#include "cpu/isa/end.inc"

static void complex_enter_copies(tni_kernel_table *table) {
    for (int dtype = TN_DTYPE_DEFAULT + 1; dtype < TN_DTYPE_COUNT; dtype++) {
        size_t size = tni_dtype_size((tn_dtype)dtype);
        if (!tn_dtype_is_complex((tn_dtype)dtype))
            table->pointwise[TNI_KERNEL_conj_physical * TN_DTYPE_COUNT + dtype] = size == 1   ? complex_copy_1
                                                                                  : size == 2 ? complex_copy_2
                                                                                  : size == 4 ? complex_copy_4
                                                                                              : complex_copy_8;
    }
}

void tni_enter_complex_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level != TN_CPU_BASELINE)
        return;
    complex_enter_copies(table);
    complex_arithmetic_enter_COMPLEX64_baseline(table);
    complex_arithmetic_enter_COMPLEX128_baseline(table);
    complex_math_enter_COMPLEX64_baseline(table);
    complex_math_enter_COMPLEX128_baseline(table);
    complex_from_real_enter_FLOAT32_baseline(table);
    complex_from_real_enter_FLOAT64_baseline(table);
}
