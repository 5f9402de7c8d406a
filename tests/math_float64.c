/* math_float64.c - the float64 mathematics against exact values, for every instruction set that this machine has.
 *
 * data/math_float64.inc holds, for each function, special values, random arguments, and the arguments out of many thousands
 * where the result is farthest off, with exact values from MPFR. `make accuracy` measures millions; docs/accuracy.md has the
 * results.
 *
 * Tests: src/cpu/math_kernels_f64.c */
#include "test.h"

#include "base/cpu_features.h"
#include "cpu/math/float64.h"

#include "cpu/isa/baseline.inc"
#define TN_FMA 0
#define TN_MATH64(name) math64_##name##_baseline
#include "cpu/math/float64.inc"
#include "math_float64_loops.inc"
#undef TN_FMA
#undef TN_MATH64
#include "cpu/isa/end.inc"

#if defined(__x86_64__) && defined(__GNUC__)
#include "cpu/isa/avx2.inc"
#define TN_FMA 1
#define TN_MATH64(name) math64_##name##_avx2
#include "cpu/math/float64.inc"
#include "math_float64_loops.inc"
#undef TN_FMA
#undef TN_MATH64
#include "cpu/isa/end.inc"

#include "cpu/isa/avx512.inc"
#define TN_FMA 1
#define TN_MATH64(name) math64_##name##_avx512
#include "cpu/math/float64.inc"
#include "math_float64_loops.inc"
#undef TN_FMA
#undef TN_MATH64
#include "cpu/isa/end.inc"
#define MATH64_CALLS(name)                                                                                                     \
    { math64_##name##_call_baseline, math64_##name##_call_avx2, math64_##name##_call_avx512 }
#else
#define MATH64_CALLS(name)                                                                                                     \
    { math64_##name##_call_baseline }
#endif

/* The exact value is nearest + rest * 2^unit, and an error is counted in that unit. */
typedef struct math64_case {
    double a, b, nearest, rest;
    int unit;
} math64_case;

#include "data/math_float64.inc"

typedef struct math64_row {
    const char *name;
    const math64_case *cases;
    size_t count;
    void (*calls[TNI_CPU_LEVELS])(double *out, const double *a, const double *b, int64_t count);
} math64_row;

#define MATH64_ROW(name)                                                                                                       \
    {#name, math64_##name##_cases, sizeof math64_##name##_cases / sizeof *math64_##name##_cases, MATH64_CALLS(name)},

static const math64_row math64_rows[] = {
#define TN_MATH_1(name) MATH64_ROW(name)
#define TN_MATH_1_LOOP(name) MATH64_ROW(name)
#define TN_MATH_2(name) MATH64_ROW(name)
#define TN_MATH_2_LOOP(name) MATH64_ROW(name)
#include "cpu/math/float64_list.inc"
};

enum { MATH64_ROWS = sizeof math64_rows / sizeof *math64_rows, MATH64_MOST = 1024 };

static double math64_a[MATH64_MOST], math64_b[MATH64_MOST], math64_out[MATH64_MOST], math64_again[MATH64_MOST];

static size_t math64_load(const math64_row *row) {
    CHECK(row->count > 100 && row->count <= MATH64_MOST);
    for (size_t i = 0; i < row->count; i++) {
        math64_a[i] = row->cases[i].a;
        math64_b[i] = row->cases[i].b;
    }
    return row->count;
}

TEST_SAMPLED(float64_functions_are_within_one_unit_in_the_last_place) {
    for (int level = 0; level <= (int)tn_cpu_level_detected(); level++)
        for (const math64_row *row = math64_rows; row < math64_rows + MATH64_ROWS; row++) {
            size_t count = math64_load(row);
            row->calls[level](math64_out, math64_a, math64_b, (int64_t)count);
            for (size_t i = 0; i < count; i++) {
                const math64_case *c = &row->cases[i];
                double got = math64_out[i];
                if (c->nearest != c->nearest ? got != got : got == c->nearest)
                    continue;
                double error = fabs(ldexp(got - c->nearest, -c->unit) - c->rest);
                bool overflows = isinf(c->nearest) && fabs(got) == 0x1.fffffffffffffp1023 && (got > 0) == (c->nearest > 0);
                if (!overflows && !(error <= 1.0))
                    test_fail(__FILE__, __LINE__, "%s(%a, %a) at the level %s is %a, not %a: %g units", row->name, c->a, c->b,
                              tn_cpu_level_name((tn_cpu_level)level), got, c->nearest, error);
            }
        }
}

/* The signs of zeros that C's Annex F, or the definition by a product, prescribes. */
TEST_SAMPLED(float64_functions_keep_the_sign_of_zero) {
    static const char *const odd[] = {"expm1", "log1p", "sin",  "tan",  "asin",   "atan", "sinh", "tanh",      "asinh",
                                      "atanh", "erf",   "silu", "mish", "erfinv", "cbrt", "gelu", "gelu_tanh", "sqrt"};
    for (int level = 0; level <= (int)tn_cpu_level_detected(); level++)
        for (const math64_row *row = math64_rows; row < math64_rows + MATH64_ROWS; row++)
            for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
                if (strcmp(row->name, odd[i]) != 0)
                    continue;
                double zeros[2] = {0.0, -0.0}, out[2] = {1.0, 1.0};
                row->calls[level](out, zeros, zeros, 2);
                CHECK(out[0] == 0.0 && !signbit(out[0]) && out[1] == 0.0 && signbit(out[1]));
            }
}

/* Vector code and the scalar rest of a loop: the same bits, also when the result goes where the argument was. */
TEST_SAMPLED(a_float64_result_does_not_depend_on_the_place_of_its_element) {
    for (int level = 0; level <= (int)tn_cpu_level_detected(); level++)
        for (const math64_row *row = math64_rows; row < math64_rows + MATH64_ROWS; row++) {
            size_t count = math64_load(row);
            row->calls[level](math64_out, math64_a, math64_b, (int64_t)count);
            for (size_t i = 0; i < count; i++)
                row->calls[level](&math64_again[i], &math64_a[i], &math64_b[i], 1);
            for (size_t i = 0; i < count; i++)
                if (math64_out[i] == math64_out[i] || math64_again[i] == math64_again[i])
                    CHECK(memcmp(&math64_out[i], &math64_again[i], sizeof(double)) == 0);
            row->calls[level](math64_a, math64_a, math64_b, (int64_t)count);
            for (size_t i = 0; i < count; i++)
                if (math64_out[i] == math64_out[i])
                    CHECK(memcmp(&math64_out[i], &math64_a[i], sizeof(double)) == 0);
        }
}

/* AVX-512 changes the width, not the operations. */
TEST_SAMPLED(avx512_gives_the_float64_bits_of_avx2) {
    if (tn_cpu_level_detected() < TN_CPU_AVX512)
        return;
    for (const math64_row *row = math64_rows; row < math64_rows + MATH64_ROWS; row++) {
        size_t count = math64_load(row);
        row->calls[TN_CPU_AVX2](math64_out, math64_a, math64_b, (int64_t)count);
        row->calls[TN_CPU_AVX512](math64_again, math64_a, math64_b, (int64_t)count);
        for (size_t i = 0; i < count; i++)
            if (math64_out[i] == math64_out[i])
                CHECK(memcmp(&math64_out[i], &math64_again[i], sizeof(double)) == 0);
    }
}
