/* float64.c - measures src/cpu/math/float64.inc against MPFR: `make accuracy`, or by hand
 *
 *     gcc -std=c11 -D_GNU_SOURCE -O2 -Iinclude -Isrc -Itests -Itools tools/accuracy/float64.c -lmpfr -lgmp -lm -o accuracy64
 *     ./accuracy64 [samples [function]]
 *     ./accuracy64 --cases > tests/data/math_float64.inc
 *
 * Every function is called through a loop over an array, as the library calls it, at every level the machine has. The samples
 * are a list of special values in all combinations, their neighbours, and random numbers of several kinds for every interval
 * of the function's row below. Printed: the largest error in units in the last place (ULP) and where it is.
 *
 * One unit is the distance between doubles at the exact value, at least 2^-1074. NaN must be NaN, an infinity the same
 * infinity, a zero result must have the right sign; anything else counts as an error of 999. Where a function subtracts two
 * numbers that it can only know to a fixed number of digits (lgamma and digamma left of 0, logaddexp with a negative argument),
 * the unit is not taken smaller than 2^-60, for logaddexp 2^-57: there the error is absolute.
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpfr.h>

#include "cpu/math/float64.h"

#include "cpu/isa/baseline.inc"
#define TN_FMA 0
#define TN_MATH64(name) accuracy_##name##_baseline
#include "cpu/math/float64.inc"
#include "math_float64_loops.inc"
#undef TN_FMA
#undef TN_MATH64
#include "cpu/isa/end.inc"

#if defined(__x86_64__)
#include "cpu/isa/avx2.inc"
#define TN_FMA 1
#define TN_MATH64(name) accuracy_##name##_avx2
#include "cpu/math/float64.inc"
#include "math_float64_loops.inc"
#undef TN_FMA
#undef TN_MATH64
#include "cpu/isa/end.inc"

#include "cpu/isa/avx512.inc"
#define TN_FMA 1
#define TN_MATH64(name) accuracy_##name##_avx512
#include "cpu/math/float64.inc"
#include "math_float64_loops.inc"
#undef TN_FMA
#undef TN_MATH64
#include "cpu/isa/end.inc"
#endif

#include "accuracy/float64_exact.inc"

typedef void (*accuracy_call)(double *out, const double *a, const double *b, int64_t count);

typedef struct accuracy_row {
    const char *name;
    bool (*exact)(mpfr_t out, double a, double b); /* false: the answer is NaN */
    bool two;
    long smallest;       /* the smallest unit for negative arguments, as a power of two */
    double ranges[4][2]; /* where random numbers are drawn; the end of the list is {0, 0} */
    accuracy_call calls[3];
} accuracy_row;

#if defined(__x86_64__)
#define ACCURACY_CALLS(name)                                                                                                   \
    { accuracy_##name##_call_baseline, accuracy_##name##_call_avx2, accuracy_##name##_call_avx512 }
#else
#define ACCURACY_CALLS(name)                                                                                                   \
    { accuracy_##name##_call_baseline }
#endif
#define ACCURACY_ROW(name, two, ...)                                                                                           \
    { #name, exact_##name, two, -1074, {__VA_ARGS__ }, ACCURACY_CALLS(name) }
#define ACCURACY_ROW_ABSOLUTE(name, two, unit, ...)                                                                            \
    { #name, exact_##name, two, unit, {__VA_ARGS__ }, ACCURACY_CALLS(name) }

static const accuracy_row accuracy_rows[] = {
    ACCURACY_ROW(exp, false, {-746, 710}, {-1, 1}, {-745.2, -707}),
    ACCURACY_ROW(exp2, false, {-1076, 1025}, {-1, 1}),
    ACCURACY_ROW(expm1, false, {-40, 710}, {-1, 1}, {-0.4, 0.4}),
    ACCURACY_ROW(log, false, {0, 10}, {0.5, 2}, {0.99, 1.01}),
    ACCURACY_ROW(log2, false, {0, 10}, {0.5, 2}, {0.99, 1.01}),
    ACCURACY_ROW(log10, false, {0, 10}, {0.5, 2}, {0.99, 1.01}),
    ACCURACY_ROW(log1p, false, {-1, 10}, {-0.5, 1}, {-0.01, 0.01}),
    ACCURACY_ROW(sin, false, {-10, 10}, {-0.8, 0.8}, {-1048576, 1048576}, {-1e18, 1e18}),
    ACCURACY_ROW(cos, false, {-10, 10}, {-0.8, 0.8}, {-1048576, 1048576}, {-1e18, 1e18}),
    ACCURACY_ROW(tan, false, {-10, 10}, {-0.8, 0.8}, {-1048576, 1048576}, {-1e18, 1e18}),
    ACCURACY_ROW(asin, false, {-1, 1}, {0.4, 0.8}, {0.99, 1}),
    ACCURACY_ROW(acos, false, {-1, 1}, {0.4, 0.8}, {0.99, 1}),
    ACCURACY_ROW(atan, false, {-10, 10}, {0.3, 0.5}, {2, 3}),
    ACCURACY_ROW(sinh, false, {-711, 711}, {-1, 1}, {-40, 40}),
    ACCURACY_ROW(cosh, false, {-711, 711}, {-1, 1}, {-40, 40}),
    ACCURACY_ROW(tanh, false, {-20, 20}, {-1, 1}, {-0.3, 0.3}),
    ACCURACY_ROW(asinh, false, {-100, 100}, {-1, 1}, {-1e10, 1e10}),
    ACCURACY_ROW(acosh, false, {1, 100}, {1, 1.5}, {1, 1e10}),
    ACCURACY_ROW(atanh, false, {-1, 1}, {-0.3, 0.3}, {0.99, 1}),
    ACCURACY_ROW(erf, false, {-6, 6}, {-1, 1}, {0.4, 0.6}),
    ACCURACY_ROW(erfc, false, {-6, 28}, {-1, 1}, {26, 27.3}),
    ACCURACY_ROW(erfinv, false, {-1, 1}, {0.4, 0.6}, {0.99, 1}),
    ACCURACY_ROW_ABSOLUTE(lgamma, false, -60, {0, 20}, {0.7, 2.6}, {0, 1e10}, {-20, 0}),
    ACCURACY_ROW_ABSOLUTE(digamma, false, -60, {0, 20}, {1.3, 1.6}, {0, 1e10}, {-20, 0}),
    ACCURACY_ROW(i0, false, {-20, 20}, {15, 720}),
    ACCURACY_ROW(sigmoid, false, {-750, 40}, {-1, 1}, {-10, 10}),
    ACCURACY_ROW(logit, false, {0, 1}, {0.4, 0.6}, {0, 0.01}),
    ACCURACY_ROW(log1pexp, false, {-750, 40}, {-1, 1}, {-10, 10}),
    ACCURACY_ROW(gelu, false, {-39, 10}, {-1, 1}, {-10, 10}),
    ACCURACY_ROW(gelu_tanh, false, {-22, 10}, {-1, 1}, {-10, 10}),
    ACCURACY_ROW(silu, false, {-750, 40}, {-1, 1}, {-10, 10}),
    ACCURACY_ROW(mish, false, {-750, 40}, {-1, 1}, {-10, 10}),
    ACCURACY_ROW(sinc, false, {-10, 10}, {-1, 1}, {-1e6, 1e6}),
    ACCURACY_ROW(sqrt, false, {0, 10}),
    ACCURACY_ROW(rsqrt, false, {0, 10}, {1, 4}),
    ACCURACY_ROW(cbrt, false, {-10, 10}, {1, 8}),
    ACCURACY_ROW(atan2, true, {-10, 10}, {-1e-3, 1e-3}),
    ACCURACY_ROW(pow, true, {0, 100}, {0.9, 1.1}, {-300, 300}),
    ACCURACY_ROW(hypot, true, {-10, 10}, {1, 2}),
    ACCURACY_ROW_ABSOLUTE(logaddexp, true, -57, {-10, 10}, {1, 2}, {-800, 800}),
    ACCURACY_ROW_ABSOLUTE(logaddexp2, true, -57, {-10, 10}, {1, 2}, {-1100, 1100}),
    ACCURACY_ROW(xlogy, true, {0, 10}, {0.9, 1.1}),
    ACCURACY_ROW(fmod, true, {-1000, 1000}, {-1, 1}),
    ACCURACY_ROW(remainder, true, {-1000, 1000}, {-1, 1}),
    ACCURACY_ROW(nextafter, true, {-10, 10}),
    ACCURACY_ROW(ldexp, true, {-1100, 1100}, {-10, 10}),
};

static uint64_t accuracy_state = 0x9e3779b97f4a7c15u;

static uint64_t accuracy_random(void) {
    accuracy_state ^= accuracy_state << 13;
    accuracy_state ^= accuracy_state >> 7;
    accuracy_state ^= accuracy_state << 17;
    return accuracy_state * 0x2545f4914f6cdd1du;
}

static double accuracy_from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static const double accuracy_special[] = {0.0,
                                          0x1p-1074,
                                          0x1p-1023,
                                          0x1p-1022,
                                          0x1p-900,
                                          0x1p-540,
                                          0x1p-100,
                                          0x1p-60,
                                          0x1p-54,
                                          0x1p-30,
                                          0x1p-28,
                                          0x1p-27,
                                          0.25,
                                          0.5,
                                          0.693147180559945309,
                                          0.75,
                                          1.0,
                                          1.4616321449683623,
                                          1.5,
                                          1.5707963267948966,
                                          2.0,
                                          2.5,
                                          3.0,
                                          3.141592653589793,
                                          4.0,
                                          7.0,
                                          10.0,
                                          16.0,
                                          22.0,
                                          26.5,
                                          36.7,
                                          53.0,
                                          64.0,
                                          101.0,
                                          170.5,
                                          708.0,
                                          709.5,
                                          709.782712893384,
                                          710.0,
                                          710.4758600739439,
                                          745.0,
                                          745.13,
                                          1022.5,
                                          1023.5,
                                          1024.0,
                                          1074.0,
                                          1075.0,
                                          2098.0,
                                          1048576.0,
                                          6381956970095103.0 * 0x1p797,
                                          0x1p30,
                                          0x1p31,
                                          0x1p52,
                                          0x1p53,
                                          0x1p60,
                                          0x1p62,
                                          1e22,
                                          0x1p100,
                                          0x1p511,
                                          0x1p900,
                                          2.5e305,
                                          2.6e305,
                                          0x1p1023,
                                          DBL_MAX,
                                          INFINITY,
                                          NAN};
#define ACCURACY_SPECIALS (sizeof accuracy_special / sizeof *accuracy_special)

/* The i-th structured number: a special value or one of its neighbours, of either sign. */
static double accuracy_structured(uint64_t i) {
    uint64_t bits;
    memcpy(&bits, &accuracy_special[i / 6 % ACCURACY_SPECIALS], sizeof bits);
    double value = accuracy_from_bits(bits + (i % 3 == 2 && bits != 0 ? UINT64_MAX : i % 3));
    return i / 3 % 2 ? -value : value;
}

/* Uniform in a range; of any magnitude within it; or any bits at all. */
static double accuracy_sample(const accuracy_row *row, int64_t number) {
    int count = 0;
    while (count < 4 && (row->ranges[count][0] != 0.0 || row->ranges[count][1] != 0.0))
        count++;
    const double *range = row->ranges[accuracy_random() % (uint64_t)count];
    double share = (double)(accuracy_random() >> 11) * 0x1p-53;
    if (number % 8 == 7)
        return accuracy_from_bits(accuracy_random());
    if (number % 8 == 6)
        return exp2((share - 0.5) * 120.0) * (accuracy_random() & 1 && range[0] < 0.0 ? -1.0 : 1.0);
    double value = range[0] + (range[1] - range[0]) * share;
    return number % 8 == 5 ? nearbyint(value * 4.0) / 4.0 : value;
}

/* The error in units in the last place, 999 for a wrong special value. */
static double accuracy_error(double got, bool defined, mpfr_t exact, long smallest) {
    if (!defined || mpfr_nan_p(exact))
        return got == got ? 999.0 : 0.0;
    double nearest = mpfr_get_d(exact, MPFR_RNDN);
    if (got == nearest)
        return got == 0.0 && signbit(got) != signbit(nearest) && mpfr_zero_p(exact) ? 999.0
               : got == 0.0 || isinf(got)                                           ? 0.0
                                                                                    : 0.5;
    if (got != got || isinf(nearest) || mpfr_inf_p(exact))
        return isinf(nearest) && fabs(got) == DBL_MAX ? 1.0 : 999.0;
    if (isinf(got))
        return 999.0;
    static mpfr_t gap;
    static bool ready;
    if (!ready)
        mpfr_init2(gap, 300), ready = true;
    mpfr_sub_d(gap, exact, got, MPFR_RNDN);
    long exponent = mpfr_zero_p(exact) ? -1073 : (long)mpfr_get_exp(exact);
    mpfr_mul_2si(gap, gap, exponent - 53 < smallest ? -smallest : 53 - exponent, MPFR_RNDN);
    return fabs(mpfr_get_d(gap, MPFR_RNDN));
}

static void accuracy_print_number(double x) {
    if (x == 0.0)
        printf(signbit(x) ? "-0." : "0");
    else if (x != x)
        printf("NAN");
    else if (isinf(x))
        printf(x < 0.0 ? "-INFINITY" : "INFINITY");
    else
        printf("%a", x);
}

/* The cases of tests/math_float64.c: arguments, the nearest double, how far the exact value is from it in units, the unit. */
static void accuracy_print_case(const accuracy_row *row, double a, double b, mpfr_t exact) {
    bool defined = row->exact(exact, a, b) && !mpfr_nan_p(exact);
    double nearest = defined ? mpfr_get_d(exact, MPFR_RNDN) : NAN;
    long exponent = !defined || mpfr_zero_p(exact) || isinf(nearest) ? -1021 : (long)mpfr_get_exp(exact);
    long smallest = a < 0.0 || (row->two && b < 0.0) ? row->smallest : -1074;
    long unit = exponent - 53 < smallest ? smallest : exponent - 53;
    double rest = 0.0;
    if (defined && !isinf(nearest)) {
        mpfr_sub_d(exact, exact, nearest, MPFR_RNDN);
        mpfr_mul_2si(exact, exact, -unit, MPFR_RNDN);
        rest = mpfr_get_d(exact, MPFR_RNDN);
    }
    printf("    {");
    accuracy_print_number(a);
    printf(", ");
    accuracy_print_number(row->two ? b : 0.0);
    printf(", ");
    accuracy_print_number(nearest);
    printf(", %.4g, %ld},\n", rest, unit);
}

/* Special values, random ones, and the worst of many: the arguments where the baseline is farthest off. */
static int accuracy_print_cases(void) {
    enum { WORST = 24, TRIED = 20000 };
    mpfr_t exact;
    mpfr_init2(exact, 120);
    printf(
        "/* Made by tools/accuracy/float64.c --cases with MPFR; do not edit. {a, b, nearest, rest, unit}: the exact value is\n"
        " * nearest + rest * 2^unit. */\n");
    for (size_t r = 0; r < sizeof accuracy_rows / sizeof *accuracy_rows; r++) {
        const accuracy_row *row = &accuracy_rows[r];
        printf("static const math64_case math64_%s_cases[] = {\n", row->name);
        for (uint64_t i = 0; i < (row->two ? 100 : ACCURACY_SPECIALS * 2); i++) {
            double a = accuracy_structured(row->two ? accuracy_random() >> 20 : i * 3);
            accuracy_print_case(row, a, accuracy_structured(accuracy_random() >> 20), exact);
        }
        double worst[WORST] = {0}, worst_a[WORST] = {0}, worst_b[WORST] = {0};
        for (int i = 0; i < TRIED; i++) {
            double a = accuracy_sample(row, i), b = accuracy_sample(row, (int64_t)(accuracy_random() >> 20)), got;
            if (i < 40)
                accuracy_print_case(row, a, b, exact);
            row->calls[0](&got, &a, &b, 1);
            bool defined = row->exact(exact, a, b);
            double error = accuracy_error(got, defined, exact, a < 0.0 || (row->two && b < 0.0) ? row->smallest : -1074);
            int least = 0;
            for (int j = 1; j < WORST; j++)
                least = worst[j] < worst[least] ? j : least;
            if (error > worst[least])
                worst[least] = error, worst_a[least] = a, worst_b[least] = b;
        }
        for (int j = 0; j < WORST; j++)
            accuracy_print_case(row, worst_a[j], worst_b[j], exact);
        printf("};\n");
    }
    mpfr_clear(exact);
    return 0;
}

int main(int count, char **words) {
    mpfr_set_emin(-200000);
    mpfr_set_emax(200000);
    if (count > 1 && strcmp(words[1], "--cases") == 0)
        return accuracy_print_cases();
    int64_t samples = count > 1 ? atoll(words[1]) : 200000;
    const char *only = count > 2 ? words[2] : NULL;
    enum { LENGTH = 1003 };
    static double a[LENGTH], b[LENGTH], out[LENGTH];
    int levels = 1;
#if defined(__x86_64__)
    levels = !__builtin_cpu_supports("avx2") ? 1 : !__builtin_cpu_supports("avx512dq") ? 2 : 3;
#endif
    printf("%-12s", "function");
    for (int level = 0; level < levels; level++)
        printf("%10s", (const char *const[]){"baseline", "AVX2", "AVX-512"}[level]);
    printf("   worst at\n");
    for (size_t r = 0; r < sizeof accuracy_rows / sizeof *accuracy_rows; r++) {
        const accuracy_row *row = &accuracy_rows[r];
        if (only && strcmp(only, row->name) != 0)
            continue;
        double worst[3] = {0}, worst_a = 0, worst_b = 0, worst_got = 0, worst_all = -1;
        int64_t structured = (int64_t)ACCURACY_SPECIALS * 6;
        structured = row->two ? structured * structured / 4 : structured;
        for (int64_t done = 0; done < structured + samples; done += LENGTH) {
            for (int64_t i = 0; i < LENGTH; i++) {
                int64_t number = done + i;
                if (number < structured) {
                    a[i] = accuracy_structured(row->two ? accuracy_random() >> 20 : (uint64_t)number);
                    b[i] = accuracy_structured(accuracy_random() >> 20);
                } else {
                    a[i] = accuracy_sample(row, number);
                    b[i] = accuracy_sample(row, (int64_t)(accuracy_random() >> 20));
                }
            }
            for (int level = 0; level < levels; level++) {
                row->calls[level](out, a, b, LENGTH);
                for (int64_t i = 0; i < LENGTH; i++) {
                    static bool defined[LENGTH];
                    static mpfr_t values[LENGTH];
                    static bool ready;
                    if (!ready) {
                        for (int64_t j = 0; j < LENGTH; j++)
                            mpfr_init2(values[j], 120);
                        ready = true;
                    }
                    if (level == 0)
                        defined[i] = row->exact(values[i], a[i], b[i]);
                    long smallest = a[i] < 0.0 || (row->two && b[i] < 0.0) ? row->smallest : -1074;
                    double error = accuracy_error(out[i], defined[i], values[i], smallest);
                    if (error > worst[level])
                        worst[level] = error;
                    if (error > worst_all)
                        worst_all = error, worst_a = a[i], worst_b = b[i], worst_got = out[i];
                }
            }
        }
        printf("%-12s", row->name);
        for (int level = 0; level < levels; level++)
            printf("%10.4f", worst[level]);
        if (row->two)
            printf("   (%a, %a) -> %a\n", worst_a, worst_b, worst_got);
        else
            printf("   %a -> %a\n", worst_a, worst_got);
        fflush(stdout);
    }
    return 0;
}
