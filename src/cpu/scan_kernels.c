/* scan_kernels.c - the loops of the scans: running sums, products, extremes and logarithms. The bodies are in bodies/; but sums and
 * products in float64 and in integers are plain loops in order, which no register makes faster, and are here, compiled once. */
#include <math.h>

#include "base/parallel.h"
#include "cpu/levels.h"

#if TNI_X86
#include <immintrin.h>
#endif

#define TNI_SCAN_WORD(bits) SCAN_WORD_(bits)
#define SCAN_WORD_(bits) int##bits##_t

#include "cpu/isa/baseline.inc"
#include "cpu/bodies/scan_all.inc"

#include "cpu/dtype/float64.inc"
#include "cpu/bodies/scan_extremes.inc"
#include "cpu/dtype/end.inc"

#include "cpu/dtype/int64.inc"
#include "cpu/bodies/scan_extremes.inc"
#include "cpu/dtype/end.inc"

#include "cpu/dtype/uint64.inc"
#include "cpu/bodies/scan_extremes.inc"
#include "cpu/dtype/end.inc"
#include "cpu/isa/end.inc"

#if TNI_X86
#include "cpu/isa/avx2.inc"
#include "cpu/bodies/scan_all.inc"
#include "cpu/isa/end.inc"
#endif

/* ---- sums and products in order */

#define SCAN_IN_ORDER(name, type, wide, start, step)                                                                           \
    static void name(void *out, const void *in, int64_t count) {                                                               \
        const type *x = in;                                                                                                    \
        type *y = out;                                                                                                         \
        wide so_far = start;                                                                                                   \
        TNI_IN_STEPS (begin, end, count)                                                                                       \
            for (int64_t i = begin; i < end; i++) {                                                                            \
                so_far = step;                                                                                                 \
                y[i] = (type)so_far;                                                                                           \
            }                                                                                                                  \
    }

SCAN_IN_ORDER(scan_sum_int64, int64_t, uint64_t, 0, so_far + (uint64_t)x[i])
SCAN_IN_ORDER(scan_product_int64, int64_t, uint64_t, 1, so_far *(uint64_t)x[i])
SCAN_IN_ORDER(scan_sum_float64, double, double, 0, so_far + x[i])
SCAN_IN_ORDER(scan_product_float64, double, double, 1, so_far *x[i])
#undef SCAN_IN_ORDER

static void scan_sum_complex128(void *out, const void *in, int64_t count) {
    const tn_complex128 *x = in;
    tn_complex128 *y = out, so_far = {0, 0};
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin; i < end; i++)
            y[i] = so_far = (tn_complex128){so_far.real + x[i].real, so_far.imag + x[i].imag};
}

static void scan_product_complex128(void *out, const void *in, int64_t count) {
    const tn_complex128 *x = in;
    tn_complex128 *y = out, so_far = {1, 0};
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin; i < end; i++)
            y[i] = so_far = (tn_complex128){so_far.real * x[i].real - so_far.imag * x[i].imag,
                                            so_far.real * x[i].imag + so_far.imag * x[i].real};
}

/* ---- the logarithm of a sum of exponentials */

static double scan_log_add(double a, double b) {
    double low = a < b ? a : b, high = a < b ? b : a;
    if (isnan(a) || isnan(b))
        return a + b;
    return low == high && isinf(low) ? low : high + log1p(exp(low - high));
}

/* Elements of a line of float32 or float64, to and from a block of doubles. */
static void scan_logarithm_read(double *block, const void *line, bool single, int64_t start, int64_t length) {
    for (int64_t i = 0; i < length; i++)
        block[i] = single ? (double)((const float *)line)[start + i] : ((const double *)line)[start + i];
}

static void scan_logarithm_write(void *line, const double *block, bool single, int64_t start, int64_t length) {
    for (int64_t i = 0; i < length; i++)
        if (single)
            ((float *)line)[start + i] = (float)block[i];
        else
            ((double *)line)[start + i] = block[i];
}

/* A block is computed relative to the largest element up to its end: exponentials and logarithms are then those of whole
 * blocks, and what stands between them a plain sum. That is precise only while the largest element hardly grows inside the
 * block. Where it does, and where there are infinities or NaN, the block is computed element by element. */
static void scan_logarithm(void *out, const void *in, bool single, int64_t count, tni_loop exponentials, tni_loop logarithms) {
    bool blocks = exponentials && logarithms; /* false in a build without mathematics */
    double top = -INFINITY, sum = 0;          /* so far: top + log(sum) */
    TNI_IN_STEPS (begin, end, count)
        for (int64_t start = begin; start < end; start += SCAN_LOGARITHM_BLOCK) {
            int64_t length = tni_min_i64(end - start, SCAN_LOGARITHM_BLOCK);
            double x[SCAN_LOGARITHM_BLOCK];
            scan_logarithm_read(x, in, single, start, length);
            double first = x[0] > top ? x[0] : top, most = top;
            bool numbers = true;
            for (int64_t i = 0; i < length; i++) {
                numbers &= x[i] < INFINITY;
                most = x[i] > most ? x[i] : most;
            }
            if (blocks && numbers && most - first <= 2) { /* false where both are infinite, or top is NaN */
                sum *= exp(top - most);
                top = most;
                for (int64_t i = 0; i < length; i++)
                    x[i] -= most;
                exponentials((void *[]){x, x}, length, NULL);
                for (int64_t i = 0; i < length; i++)
                    x[i] = sum += x[i];
                logarithms((void *[]){x, x}, length, NULL);
                for (int64_t i = 0; i < length; i++)
                    x[i] += most;
            } else {
                top = sum == 0 ? top : top + log(sum);
                for (int64_t i = 0; i < length; i++)
                    x[i] = top = scan_log_add(x[i], top);
                sum = 1;
            }
            scan_logarithm_write(out, x, single, start, length);
        }
}

/* e to a number whose real part is infinite: a direction, and no length. */
static tn_complex128 scan_exp_infinite(double angle) {
    if (angle == 0)
        return (tn_complex128){INFINITY, angle};
    return isinf(angle) ? (tn_complex128){INFINITY, NAN} : (tn_complex128){INFINITY * cos(angle), INFINITY * sin(angle)};
}

/* log(e^so_far + e^x) = larger + log(1 + e^(smaller - larger)), larger by the real part; the imaginary part is not brought back to
 * -pi..pi, so that it follows the sum without jumps. What is infinitely smaller adds nothing, whatever its angle; of two that are
 * infinitely large the directions are added. */
static tn_complex128 scan_log_add_complex(tn_complex128 x, tn_complex128 so_far) {
    if (isnan(x.real) || isnan(x.imag) || isnan(so_far.real) || isnan(so_far.imag))
        return (tn_complex128){NAN, NAN};
    if (x.real == so_far.real && isinf(x.real)) {
        if (x.real < 0)
            return so_far;
        tn_complex128 one = scan_exp_infinite(x.imag), other = scan_exp_infinite(so_far.imag);
        tn_complex128 sum = {one.real + other.real, one.imag + other.imag};
        return (tn_complex128){log(hypot(sum.real, sum.imag)), atan2(sum.imag, sum.real)};
    }
    tn_complex128 low = x.real < so_far.real ? x : so_far, high = x.real < so_far.real ? so_far : x;
    if (low.real == -INFINITY || high.real == INFINITY)
        return high;
    double size = exp(low.real - high.real), angle = low.imag - high.imag;
    double real = size * cos(angle), imag = size * sin(angle);
    return (tn_complex128){high.real + 0.5 * log1p(2 * real + size * size), high.imag + atan2(imag, 1 + real)};
}

static void scan_logarithm_float32(void *out, const void *in, int64_t count, tni_loop exponentials, tni_loop logarithms) {
    scan_logarithm(out, in, true, count, exponentials, logarithms);
}

static void scan_logarithm_float64(void *out, const void *in, int64_t count, tni_loop exponentials, tni_loop logarithms) {
    scan_logarithm(out, in, false, count, exponentials, logarithms);
}

static void scan_logarithm_complex128(void *to, const void *from, int64_t count, tni_loop exponentials, tni_loop logarithms) {
    tn_complex128 *out = to;
    const tn_complex128 *in = from;
    (void)exponentials, (void)logarithms;
    tn_complex128 so_far = {-INFINITY, 0};
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin; i < end; i++)
            out[i] = so_far = scan_log_add_complex(in[i], so_far);
}

static void scan_enter_in_order(tni_kernel_table *table) {
    table->scan_line[2 * TN_INT64] = scan_sum_int64;
    table->scan_line[2 * TN_INT64 + 1] = scan_product_int64;
    table->scan_line[2 * TN_FLOAT64] = scan_sum_float64;
    table->scan_line[2 * TN_FLOAT64 + 1] = scan_product_float64;
    table->scan_line[2 * TN_COMPLEX128] = scan_sum_complex128;
    table->scan_line[2 * TN_COMPLEX128 + 1] = scan_product_complex128;
    table->scan_logarithm[TN_FLOAT32] = scan_logarithm_float32;
    table->scan_logarithm[TN_FLOAT64] = scan_logarithm_float64;
    table->scan_logarithm[TN_COMPLEX128] = scan_logarithm_complex128;
}

void tni_enter_scan_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level == TN_CPU_BASELINE) {
        scan_enter_baseline(table);
        scan_enter_FLOAT64_baseline(table);
        scan_enter_INT64_baseline(table);
        scan_enter_UINT64_baseline(table);
        scan_enter_in_order(table);
    }
#if TNI_X86
    else if (level == TN_CPU_AVX2)
        scan_enter_avx2(table);
#endif
}
