/* softmax_kernels.c - softmax and the norms of one line, for every level. The bodies are in bodies/. The exponential itself is
 * that of the pointwise operator, whose loop softmax is given. */
#include <math.h>

#include "base/parallel.h"
#include "cpu/levels.h"

#define TNI_LANES_SIGNED(bits) LANES_SIGNED_(bits)
#define LANES_SIGNED_(bits) int##bits##_t

#define TNI_LANES_BYTES 16
#define TNI_LEVEL_SPARE
#include "cpu/isa/baseline.inc"
#include "cpu/bodies/softmax_all.inc"
#include "cpu/isa/end.inc"
#undef TNI_LANES_BYTES

#if TNI_X86
#define TNI_LANES_BYTES 32
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/softmax_all.inc"
#include "cpu/isa/end.inc"
#undef TNI_LANES_BYTES
#endif

/* ---- lines divided by a norm of any order */

static double norm_magnitude(const void *line, tn_dtype dtype, int64_t i) {
    switch (dtype) {
    case TN_FLOAT32: return fabs((double)((const float *)line)[i]);
    case TN_FLOAT64: return fabs(((const double *)line)[i]);
    case TN_COMPLEX64: return hypot((double)((const tn_complex64 *)line)[i].real, (double)((const tn_complex64 *)line)[i].imag);
    default: return hypot(((const tn_complex128 *)line)[i].real, ((const tn_complex128 *)line)[i].imag);
    }
}

/* The p-norm of a line. NaN counts more than any number. */
static double norm_size(const void *line, tn_dtype dtype, int64_t count, double p) {
    double size = p == -INFINITY ? INFINITY : 0;
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin; i < end; i++) {
            double x = norm_magnitude(line, dtype, i);
            if (isinf(p))
                size = isnan(x) || (p > 0 ? x > size : x < size) ? x : size;
            else
                size += p == 0 ? x != 0 : p == 1 ? x : pow(x, p);
        }
    return isinf(p) || p == 0 || p == 1 ? size : pow(size, 1 / p);
}

/* Complex numbers are two real ones each, for division. */
static void norm_divide(void *out, const void *in, tn_dtype dtype, int64_t count, double p, double eps) {
    bool is_float = dtype == TN_FLOAT32 || dtype == TN_COMPLEX64;
    int64_t parts = tn_dtype_is_complex(dtype) ? 2 * count : count;
    double size = norm_size(in, dtype, count, p);
    size = size < eps ? eps : size;
    TNI_IN_STEPS (begin, end, parts)
        for (int64_t i = begin; i < end; i++)
            if (is_float)
                ((float *)out)[i] = ((const float *)in)[i] / (float)size;
            else
                ((double *)out)[i] = ((const double *)in)[i] / size;
}

#define NORM_ORDER(dtype)                                                                                                      \
    static void norm_order_##dtype(void *out, const void *in, int64_t count, double p, double eps) {                           \
        norm_divide(out, in, TN_##dtype, count, p, eps);                                                                       \
    }
NORM_ORDER(FLOAT32)
NORM_ORDER(FLOAT64)
NORM_ORDER(COMPLEX64)
NORM_ORDER(COMPLEX128)
#undef NORM_ORDER

static void norm_enter_order(tni_kernel_table *table) {
    table->norm_order[TN_FLOAT32] = norm_order_FLOAT32;
    table->norm_order[TN_FLOAT64] = norm_order_FLOAT64;
    table->norm_order[TN_COMPLEX64] = norm_order_COMPLEX64;
    table->norm_order[TN_COMPLEX128] = norm_order_COMPLEX128;
}

void tni_enter_softmax_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        softmax_enter_baseline(table);
        norm_enter_order(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        softmax_enter_avx2(table);
#endif
}
