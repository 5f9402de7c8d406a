/* complex_kernels.c - the loops of complex arithmetic and complex functions. The bodies are in bodies/.
 *
 * One level serves all: sums and products are vectorised at the baseline too, and the rest is as fast as the C library. What
 * complex numbers share with others, equality and selection, is in compare_kernels.c.
 */
#include <complex.h>
#undef complex /* names elsewhere in this library */
#undef I
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/kernels.h"

/* TN_VECTORISE for loops over whole numbers rather than parts: clang warns where it does not find that worth it. */
#if defined(__clang__)
#define COMPLEX_VECTORISE
#else
#define COMPLEX_VECTORISE TN_VECTORISE
#endif

#include "cpu/isa/baseline.inc"
#include "cpu/bodies/complex_functions.inc"

/* In float64 the squares of float32 neither overflow nor vanish. */
static inline double complex_size_of_floats(double real, double imag) {
    bool infinite = fabs(real) == INFINITY || fabs(imag) == INFINITY; /* also beside a NaN */
    return infinite ? INFINITY : sqrt(real * real + imag * imag);
}

#include "cpu/dtype/complex64.inc"
#define COMPLEX_DIVIDE complex_divide_usual
#define COMPLEX_SIZE complex_size_of_floats
#define COMPLEX_WIDE double
#define COMPLEX_WIDE_C(name) name
#include "cpu/bodies/complex_arithmetic.inc"
#include "cpu/bodies/complex_math.inc"
#include "cpu/bodies/complex_pow.inc"
#undef COMPLEX_DIVIDE
#undef COMPLEX_SIZE
#undef COMPLEX_WIDE
#undef COMPLEX_WIDE_C
#include "cpu/dtype/end.inc"

#include "cpu/dtype/complex128.inc"
#define COMPLEX_DIVIDE complex_divide
#define COMPLEX_SIZE hypot
#define COMPLEX_WIDE long double
#define COMPLEX_WIDE_C(name) name##l
#include "cpu/bodies/complex_arithmetic.inc"
#include "cpu/bodies/complex_math.inc"
#include "cpu/bodies/complex_pow.inc"
#undef COMPLEX_DIVIDE
#undef COMPLEX_SIZE
#undef COMPLEX_WIDE
#undef COMPLEX_WIDE_C
#include "cpu/dtype/end.inc"

#include "cpu/dtype/float32.inc"
#include "cpu/bodies/complex_from_real.inc"
#include "cpu/dtype/end.inc"

#include "cpu/dtype/float64.inc"
#include "cpu/bodies/complex_from_real.inc"
#include "cpu/dtype/end.inc"

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
    complex_pow_enter_COMPLEX64_baseline(table);
    complex_pow_enter_COMPLEX128_baseline(table);
    complex_from_real_enter_FLOAT32_baseline(table);
    complex_from_real_enter_FLOAT64_baseline(table);
}
