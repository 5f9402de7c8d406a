/* sequence.c - arange, linspace and logspace, compared with PyTorch's and at the ends of the integers. */
#include "test.h"

typedef enum sequence_operator { SEQUENCE_arange, SEQUENCE_linspace, SEQUENCE_logspace } sequence_operator;

typedef struct sequence_case {
    sequence_operator op;
    tn_dtype dtype;
    tn_scalar start, end, step;
    double base;
    int64_t count;
    const double *values;
} sequence_case;

#define WHOLE(number)                                                                                                          \
    {                                                                                                                          \
        .kind = TN_SCALAR_INT, .value = {.i = (number) }                                                                       \
    }
#define REAL(number)                                                                                                           \
    {                                                                                                                          \
        .kind = TN_SCALAR_FLOAT, .value = {.d = (number) }                                                                     \
    }
#define FULL(...)
#define TEXT(...)
#define VALUES(...) ((const double[]){__VA_ARGS__})
#define NO_VALUES NULL
#define SEQUENCE(op, DTYPE, start, end, step, base, count, values)                                                             \
    {SEQUENCE_##op, TN_##DTYPE, start, end, step, base, count, values},
static const sequence_case sequence_cases[] = {
#include "data/create_cases.inc"
};

static tn_tensor *run_sequence(const sequence_case *one) {
    switch (one->op) {
    case SEQUENCE_arange: return tn_arange_start(one->start, one->end, one->step, one->dtype);
    case SEQUENCE_linspace: return tn_linspace(one->start, one->end, one->step.value.i, one->dtype);
    case SEQUENCE_logspace: return tn_logspace(one->start, one->end, one->step.value.i, one->base, one->dtype);
    }
    return NULL;
}

/* Tenon computes each number from its position in double and rounds once, where torch computes in the dtype itself (float32
 * for the 16-bit ones), so a float may differ by one unit at the scale of the numbers it is a sum of. Integers are equal. */
static double allowed_difference(const sequence_case *one, tn_dtype dtype) {
    tn_finfo limits;
    if (!tn_dtype_is_floating(dtype) || tn_finfo_of(dtype, &limits) != TN_OK)
        return 0;
    double scale = 0;
    for (int64_t i = 0; i < one->count; i++)
        scale = isfinite(one->values[i]) ? fmax(scale, fabs(one->values[i])) : scale;
    return limits.eps * scale;
}

TEST_SAMPLED(sequences_are_those_of_pytorch) {
    for (size_t i = 0; i < sizeof sequence_cases / sizeof sequence_cases[0]; i++) {
        const sequence_case *one = &sequence_cases[i];
        tn_scope scope = tn_scope_open();
        tn_tensor *x = run_sequence(one);
        if ((one->count < 0) != (x == NULL))
            test_fail(__FILE__, __LINE__, "sequence case %zu: torch %s, we %s", i, one->count < 0 ? "raises" : "does not",
                      x ? "do not" : tn_error_message());
        if (!x) {
            tn_error_clear();
            tn_scope_close(scope);
            continue;
        }
        if (tn_numel(x) != one->count)
            test_fail(__FILE__, __LINE__, "sequence case %zu has %lld numbers, torch's %lld", i, (long long)tn_numel(x),
                      (long long)one->count);
        double allowed = allowed_difference(one, tn_dtype_of(x));
        for (int64_t k = 0; k < one->count; k++) {
            double ours = tn_get_double(x, TN_DIMS(k)), theirs = one->values[k];
            bool same = ours == theirs || (isnan(ours) && isnan(theirs)) || fabs(ours - theirs) <= allowed;
            if (!same)
                test_fail(__FILE__, __LINE__, "sequence case %zu (%s), number %lld is %.17g where torch has %.17g", i,
                          tn_dtype_name(tn_dtype_of(x)), (long long)k, ours, theirs);
        }
        tn_scope_close(scope);
    }
}

TEST(arange_chooses_its_dtype_by_its_arguments) {
    tn_tensor *whole = tn_arange(5, TN_DTYPE_DEFAULT), *real = tn_arange(2.5, TN_DTYPE_DEFAULT);
    tn_tensor *mixed = tn_arange_start(0, 3, 1.0, TN_DTYPE_DEFAULT), *truth = tn_arange((bool)1, TN_DTYPE_DEFAULT);
    CHECK(whole && real && mixed && truth);
    CHECK_INT(tn_dtype_of(whole), TN_INT64);
    CHECK_INT(tn_numel(whole), 5);
    CHECK_INT(tn_get_int64(whole, TN_DIMS(-1)), 4);
    CHECK_INT(tn_dtype_of(real), TN_FLOAT32);
    CHECK_INT(tn_numel(real), 3);
    CHECK_INT(tn_dtype_of(mixed), TN_FLOAT32);
    CHECK_INT(tn_dtype_of(truth), TN_INT64);
}

TEST(arange_is_exact_at_the_ends_of_the_integers) {
    tn_tensor *top = tn_arange_start(INT64_MAX - 3, INT64_MAX, 2, TN_INT64);
    tn_tensor *bottom = tn_arange_start(INT64_MIN + 3, INT64_MIN, -1, TN_INT64);
    tn_tensor *all = tn_arange_start(INT64_MIN, INT64_MAX, INT64_MAX, TN_INT64);
    tn_tensor *high = tn_arange_start(UINT64_MAX - 2, UINT64_MAX, 1, TN_UINT64);
    tn_tensor *leap = tn_arange_start(0, UINT64_MAX, UINT64_C(1) << 63, TN_UINT64);
    tn_tensor *down = tn_arange_start(UINT64_MAX, UINT64_MAX - 5, -2, TN_UINT64);
    CHECK(top && bottom && all && high && leap && down);
    CHECK_INT(tn_numel(top), 2);
    CHECK_INT(tn_get_int64(top, TN_DIMS(1)), INT64_MAX - 1);
    CHECK_INT(tn_numel(bottom), 3);
    CHECK_INT(tn_get_int64(bottom, TN_DIMS(2)), INT64_MIN + 1);
    CHECK_INT(tn_numel(all), 3);
    CHECK_INT(tn_get_int64(all, TN_DIMS(2)), INT64_MAX - 1);
    CHECK_INT(tn_numel(high), 2);
    CHECK(tn_get_element(high, TN_DIMS(1)).value.u == UINT64_MAX - 1);
    CHECK_INT(tn_numel(leap), 2);
    CHECK(tn_get_element(leap, TN_DIMS(1)).value.u == UINT64_C(1) << 63);
    CHECK_INT(tn_numel(down), 3);
    CHECK(tn_get_element(down, TN_DIMS(2)).value.u == UINT64_MAX - 4);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "leads away", tn_arange_start(INT64_MAX, INT64_MAX - 1, INT64_C(1) << 62, TN_INT64));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "leads away", tn_arange_start(INT64_MAX - 1, INT64_MAX, -1, TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "end = 18446744073709551615 does not fit in int64", tn_arange(UINT64_MAX, TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit in uint64", tn_arange(1e300, TN_UINT64));
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_arange_start(INT64_MIN, INT64_MAX, 1, TN_INT64));
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_arange(1e300, TN_FLOAT64));
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_arange_start(-1.7e308, 1.7e308, 1, TN_FLOAT64));
    CHECK_ERROR(TN_ERROR_MEMORY, "memory", tn_arange(INT64_C(1) << 58, TN_INT8));
}

TEST(arange_refuses_steps_that_lead_nowhere) {
    CHECK_ERROR(TN_ERROR_ARGUMENT, "arange: step is 0", tn_arange_start(0, 1, 0, TN_INT64));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "step is 0", tn_arange_start(0, 1, 0.0, TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "step is 0", tn_arange_start(0, 1, 0.5, TN_INT64));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "step -1 leads away from end 1, starting at 0", tn_arange_start(0, 1, -1, TN_INT64));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "finite", tn_arange(INFINITY, TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "finite", tn_arange_start(0, 1, NAN, TN_INT32));
    CHECK_ERROR(TN_ERROR_DTYPE, "end = 1+2j must be a real number", tn_arange(tn_scalar_complex(1, 2), TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_DTYPE, "in bool", tn_arange(2, TN_BOOL));
    CHECK_ERROR(TN_ERROR_DTYPE, "in complex64", tn_arange(2, TN_COMPLEX64));
}

TEST(a_long_sequence_does_not_drift) {
    tn_tensor *x = tn_arange_start(0, 1000, 0.1, TN_FLOAT64);
    CHECK(x);
    CHECK_INT(tn_numel(x), 10000);
    tn_view_float64 view = tn_read_float64(x);
    for (int64_t i = 0; i < 10000; i++)
        CHECK_DOUBLE(view.data[i], 0.1 * (double)i);
}

TEST(linspace_ends_exactly_at_its_end) {
    for (tn_dtype dtype = TN_UINT8; dtype < TN_DTYPE_COUNT; dtype++)
        for (int64_t steps = 2; steps < 40; steps += 3) {
            tn_tensor *x = tn_linspace(3, 100, steps, dtype);
            CHECK(x);
            tn_tensor *end = tn_full(TN_DIMS(), 100, dtype); /* as the dtype rounds it */
            CHECK(end);
            CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0)), 3);
            CHECK_DOUBLE(tn_get_double(x, TN_DIMS(-1)), tn_item_double(end));
        }
    tn_tensor *wide = tn_linspace(INT64_MIN, INT64_MAX, 4, TN_INT64), *high = tn_linspace(0, UINT64_MAX, 6, TN_UINT64);
    tn_tensor *near = tn_linspace(INT64_MAX - 9, INT64_MAX, 10, TN_INT64), *one = tn_linspace(INT64_MAX, 0, 1, TN_INT64);
    CHECK(wide && high && near && one);
    CHECK_INT(tn_get_int64(wide, TN_DIMS(0)), INT64_MIN);
    CHECK_INT(tn_get_int64(wide, TN_DIMS(1)), INT64_C(-3074457345618258603));
    CHECK_INT(tn_get_int64(wide, TN_DIMS(3)), INT64_MAX);
    CHECK_INT(tn_get_int64(high, TN_DIMS(1)), INT64_C(3689348814741910323));
    CHECK(tn_get_element(high, TN_DIMS(5)).value.u == UINT64_MAX);
    for (int64_t i = 0; i < 10; i++)
        CHECK_INT(tn_get_int64(near, TN_DIMS(i)), INT64_MAX - 9 + i);
    CHECK_INT(tn_get_int64(one, TN_DIMS(0)), INT64_MAX);
}

TEST(linspace_and_logspace_know_complex_numbers) {
    tn_tensor *line = tn_linspace(tn_scalar_complex(1, 1), 3, 3, TN_DTYPE_DEFAULT);
    tn_tensor *real = tn_linspace(0, 3, 3, TN_COMPLEX128);
    tn_tensor *turn = tn_logspace(0, tn_scalar_complex(0, 2), 3, 2, TN_COMPLEX128);
    tn_tensor *root = tn_logspace(0, 2, 5, -2, TN_COMPLEX128),
              *spiral = tn_logspace(0, tn_scalar_complex(0, 2), 3, -2, TN_COMPLEX128);
    tn_tensor *zero = tn_logspace(1, 2, 2, 0, TN_COMPLEX64);
    CHECK(line && real && turn && root && spiral && zero);
    CHECK_INT(tn_dtype_of(line), TN_COMPLEX64);
    tn_complex128 z = tn_get_element(line, TN_DIMS(1)).value.c;
    CHECK(z.real == 2 && z.imag == 0.5);
    z = tn_get_element(real, TN_DIMS(1)).value.c;
    CHECK(z.real == 1.5 && z.imag == 0);
    z = tn_get_element(turn, TN_DIMS(1)).value.c; /* the numbers of torch.logspace(0, 2j, 3, base=2) */
    CHECK(fabs(z.real - 0.76923890136397211) < 1e-14 && fabs(z.imag - 0.63896127631363475) < 1e-14);
    z = tn_get_element(root, TN_DIMS(1)).value.c;
    CHECK(fabs(z.real) < 1e-15 && fabs(z.imag - 1.4142135623730951) < 1e-15);
    z = tn_get_element(root, TN_DIMS(2)).value.c;
    CHECK(fabs(z.real + 2) < 1e-14 && fabs(z.imag) < 1e-14);
    z = tn_get_element(spiral, TN_DIMS(1)).value.c;
    CHECK(fabs(z.real - 0.033242) < 1e-6 && fabs(z.imag - 0.027612) < 1e-6);
    z = tn_get_element(zero, TN_DIMS(1)).value.c;
    CHECK(z.real == 0 && z.imag == 0);
    CHECK_ERROR(TN_ERROR_DTYPE, "are complex, float32 is not", tn_linspace(tn_scalar_complex(1, 1), 3, 3, TN_FLOAT32));
}

TEST(sequences_refuse_what_they_cannot_make) {
    CHECK_ERROR(TN_ERROR_ARGUMENT, "linspace: steps = -1 is negative", tn_linspace(0, 1, -1, TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "logspace: steps = -9223372036854775808", tn_logspace(0, 1, INT64_MIN, 10, TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_linspace(0, 1, 3, TN_BOOL));
    CHECK_ERROR(TN_ERROR_DTYPE, "value 300 does not fit in uint8", tn_linspace(0, 300, 3, TN_UINT8));
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit in float16", tn_linspace(70000, 0, 3, TN_FLOAT16));
    CHECK_ERROR(TN_ERROR_SHAPE, "63 bits", tn_linspace(0, 1, INT64_MAX, TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_MEMORY, "memory", tn_linspace(0, 1, INT64_C(1) << 55, TN_FLOAT32));
}

TEST(one_power_in_an_integer_dtype_keeps_the_fraction_of_its_exponent) {
    tn_tensor *one = tn_logspace(1.5, 2.5, 1, 10, TN_INT32), *two = tn_logspace(1.5, 2.5, 2, 10, TN_INT32);
    CHECK(one && two);
    CHECK_INT(tn_item_int64(one), 31); /* as in torch: the ends lose their fractions only where there is a step between them */
    CHECK_INT(tn_get_int64(two, TN_DIMS(0)), 10);
    CHECK_INT(tn_get_int64(two, TN_DIMS(1)), 100);
    CHECK_ERROR(TN_ERROR_DTYPE, "logspace: value 1000 does not fit in uint8", tn_logspace(3, 0, 1, 10, TN_UINT8));
}
