/* pointwise_math.c - mathematical functions and activations: against PyTorch's answers (data/math_cases.inc), against naive formulas
 * in long double, at every length, special values, variants and refusals. math_float32.c and math_float64.c test how precise
 * the functions are over all numbers; these tests check that every operator is the right function. */
#define POINTWISE_CASES "data/math_cases.inc"
#include "pointwise_cases.h"

TEST_SAMPLED(mathematical_functions_of_every_dtype_answer_as_torch) {
    for (size_t i = 0; i < sizeof pointwise_cases / sizeof pointwise_cases[0]; i++)
        pointwise_replay(&pointwise_cases[i]);
}

TEST_SAMPLED(every_mathematical_operator_has_been_compared_with_torch) {
    for (int64_t k = 0; k < tn_operator_count(); k++) {
        const tn_operator *op = tn_operator_at(k);
        bool ours = strcmp(tn_operator_group(op), "math") == 0 || strcmp(tn_operator_group(op), "activation") == 0;
        static const char *const elsewhere[] = {"glu",        "prelu",      "rrelu",        "rrelu_with_noise",
                                                "hardshrink", "softshrink", "gelu_backward"}; /* tests/dropout.c */
        bool found = !ours || tn_operator_variant(op) != TN_VARIANT_FUNCTIONAL;
        for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
            found = found || strcmp(tn_operator_name(op), elsewhere[i]) == 0;
        for (size_t i = 0; !found && i < sizeof pointwise_cases / sizeof pointwise_cases[0]; i++) {
            const char *name = pointwise_cases[i].name; /* gelu is one of gelu.approximate's two */
            size_t length = strcspn(name, " ");
            bool gelu = strcmp(tn_operator_name(op), "gelu") == 0 && strcmp(name, "gelu.approximate") == 0;
            found = gelu || (strlen(tn_operator_name(op)) == length && strncmp(name, tn_operator_name(op), length) == 0);
        }
        if (!found)
            test_fail(__FILE__, __LINE__, "%s is not in the table", tn_operator_name(op));
    }
}

/* ---- naive references */

typedef long double real;

static const real math_pi = 3.14159265358979323846264338327950288L;

static real naive_sinc(real x) { return x == 0 ? 1 : sinl(math_pi * x) / (math_pi * x); }
static real naive_sigmoid(real x) { return 1 / (1 + expl(-x)); }
static real naive_logit(real x) { return logl(x) - log1pl(-x); }
static real naive_softplus(real x) { return x > 20 ? x : log1pl(expl(x)); }
static real naive_logsigmoid(real x) { return -log1pl(expl(-x)); }
static real naive_silu(real x) { return x / (1 + expl(-x)); }
static real naive_mish(real x) { return x * tanhl(log1pl(expl(x))); }
static real naive_gelu(real x) { return x * erfcl(-x / sqrtl(2)) / 2; }
static real naive_elu(real x) { return x < 0 ? expm1l(x) : x; }
static real naive_selu(real x) {
    return 1.0507009873554804934193349852946L * (x < 0 ? 1.6732632423543772848170429916717L * expm1l(x) : x);
}
static real naive_relu(real x) { return x > 0 ? x : 0; }
static real naive_relu6(real x) { return x < 0 ? 0 : x > 6 ? 6 : x; }
static real naive_leaky_relu(real x) { return x > 0 ? x : x * 0.01L; }
static real naive_hardtanh(real x) { return x < -1 ? -1 : x > 1 ? 1 : x; }
static real naive_hardsigmoid(real x) { return naive_relu6(x + 3) / 6; }
static real naive_hardswish(real x) { return x * naive_relu6(x + 3) / 6; }
static real naive_softsign(real x) { return x / (1 + fabsl(x)); }
static real naive_i0(real x) {
    real term = 1, sum = 1;
    for (int k = 1; k < 200; k++) {
        term *= x * x / 4 / ((real)k * (real)k);
        sum += term;
    }
    return sum;
}
static real naive_digamma(real x) { /* upwards until the asymptotic series holds */
    real sum = 0;
    for (; x < 30; x += 1)
        sum -= 1 / x;
    real inverse = 1 / (x * x);
    return sum + logl(x) - 1 / (2 * x) -
           inverse * (1.0L / 12 - inverse * (1.0L / 120 - inverse * (1.0L / 252 - inverse * (1.0L / 240 - inverse / 132))));
}
static real naive_erfinv(real y) {
    real low = -7, high = 7;
    for (int i = 0; i < 90; i++) {
        real middle = (low + high) / 2;
        if (erfl(middle) < y)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Each function on numbers from low to high, within so many units of the last place. Where the argument is rounded before the
 * function amplifies it (softplus, hard*), the range stays where it does not. */
typedef struct math_function {
    const char *name;
    real (*naive)(real);
    double low, high, ulp;
} math_function;

static const math_function math_functions[] = {
    {"exp", expl, -80, 80, 1},
    {"exp2", exp2l, -100, 100, 1},
    {"expm1", expm1l, -20, 60, 1},
    {"log", logl, 1e-30, 1e4, 1},
    {"log2", log2l, 1e-3, 1e4, 1},
    {"log10", log10l, 1e-3, 1e4, 1},
    {"log1p", log1pl, -0.9, 50, 1},
    {"sin", sinl, -30, 30, 1},
    {"cos", cosl, -30, 30, 1},
    {"tan", tanl, -30, 30, 1},
    {"asin", asinl, -1, 1, 1},
    {"acos", acosl, -1, 1, 1},
    {"atan", atanl, -50, 50, 1},
    {"sinh", sinhl, -50, 50, 1},
    {"cosh", coshl, -50, 50, 1},
    {"tanh", tanhl, -6, 6, 1},
    {"asinh", asinhl, -1e6, 1e6, 1},
    {"acosh", acoshl, 1, 1e6, 1},
    {"atanh", atanhl, -1, 1, 1},
    {"sinc", naive_sinc, -7, 7, 1},
    {"erf", erfl, -5, 5, 1},
    {"erfc", erfcl, -5, 9, 1},
    {"erfinv", naive_erfinv, -0.999, 0.999, 1},
    {"lgamma", lgammal, 2.5, 100, 1},
    {"digamma", naive_digamma, 2, 100, 1},
    {"i0", naive_i0, -20, 20, 1},
    {"sigmoid", naive_sigmoid, -30, 30, 1},
    {"logit", naive_logit, 0.01, 0.99, 1},
    {"relu", naive_relu, -8, 8, 0},
    {"relu6", naive_relu6, -8, 8, 0},
    {"leaky_relu", naive_leaky_relu, -8, 8, 1},
    {"elu", naive_elu, -20, 8, 1},
    {"celu", naive_elu, -20, 8, 1},
    {"selu", naive_selu, -20, 8, 2},
    {"gelu", naive_gelu, -9, 9, 2},
    {"silu", naive_silu, -60, 30, 2},
    {"mish", naive_mish, -60, 30, 2},
    {"softplus", naive_softplus, -60, 30, 2},
    {"logsigmoid", naive_logsigmoid, -60, 60, 2},
    {"hardtanh", naive_hardtanh, -8, 8, 0},
    {"hardsigmoid", naive_hardsigmoid, -2, 8, 2},
    {"hardswish", naive_hardswish, -2, 8, 2},
    {"softsign", naive_softsign, -100, 100, 2},
    {"cbrt", cbrtl, -1e4, 1e4, 1},
};

/* Units of the last place of the dtype between a number and the truth. */
static double units(tn_dtype dtype, double actual, real truth) {
    int exponent, digits = dtype == TN_FLOAT64 ? 53 : 24;
    (void)frexpl(truth, &exponent);
    int least = dtype == TN_FLOAT64 ? -1074 : -149, last = exponent - digits;
    return (double)(fabsl((real)actual - truth) / ldexpl(1, last < least ? least : last));
}

static void check_function(const math_function *f, tn_dtype dtype) {
    enum { COUNT = 1000 };
    tn_tensor *in = tn_empty(TN_DIMS(COUNT), dtype);
    CHECK(in);
    for (int64_t i = 0; i < COUNT; i++) {
        double x = f->low + (f->high - f->low) * (double)test_random_between(0, 1 << 30) * 0x1p-30;
        tn_dtype_store(dtype, (char *)tn_mutable_data(in) + (size_t)i * tn_element_size(in), tn_scalar_float(x));
    }
    tn_tensor *out = tn_call_tensor(f->name, TN_VALUES(in));
    CHECK(out);
    CHECK_INT(tn_dtype_of(out), dtype);
    for (int64_t i = 0; i < COUNT; i++) {
        size_t at = (size_t)i * tn_element_size(in);
        double x = tn_dtype_load(dtype, (const char *)tn_data(in) + at).value.d;
        double y = tn_dtype_load(dtype, (const char *)tn_data(out) + at).value.d;
        double away = units(dtype, y, f->naive((real)x));
        if (!(away <= f->ulp))
            test_fail(__FILE__, __LINE__, "%s(%.17g) is %.17g in %s, %g units from %.17g", f->name, x, y, tn_dtype_name(dtype),
                      away, (double)f->naive((real)x));
    }
}

TEST_SAMPLED(functions_of_one_number_are_what_their_formulas_say) {
    for (size_t i = 0; i < sizeof math_functions / sizeof math_functions[0]; i++) {
        check_function(&math_functions[i], TN_FLOAT32);
        check_function(&math_functions[i], TN_FLOAT64);
    }
}

/* The loops go by blocks: no length may be special, and nothing beyond the end may be touched. */
TEST_SAMPLED(a_result_does_not_depend_on_the_length_or_on_the_place) {
    static const char *const names[] = {"exp", "sin", "softplus", "lgamma", "relu", "atan2", "fmod", "pow"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        for (int wide = 0; wide < 2; wide++) {
            tn_dtype dtype = wide ? TN_FLOAT64 : TN_FLOAT32;
            bool binary = k >= 5;
            tn_tensor *in = tn_linspace(0.5, 9.5, 40, dtype), *other = tn_linspace(3.5, 0.25, 40, dtype);
            tn_tensor *whole = tn_call_tensor(names[k], binary ? TN_VALUES(in, other) : TN_VALUES(in));
            CHECK(in && other && whole);
            size_t item = tn_element_size(in);
            for (int64_t length = 0; length <= 40; length++) {
                tn_scope scope = tn_scope_open();
                int64_t start = (40 - length) / 2;
                tn_tensor *part = tn_narrow(in, 0, start, length), *beside = tn_narrow(other, 0, start, length);
                tn_tensor *room = tn_full(TN_DIMS(40), 77, dtype), *target = tn_narrow(room, 0, start, length);
                char name[32];
                snprintf(name, sizeof name, "%s_out", names[k]);
                CHECK(tn_call_tensor(name, binary ? TN_VALUES(target, part, beside) : TN_VALUES(target, part)) == target);
                const char *actual = tn_data(room);
                double untouched = 77;
                for (int64_t i = 0; i < 40; i++) {
                    const char *expected = (const char *)tn_data(whole) + (size_t)i * item;
                    bool inside = i >= start && i < start + length;
                    bool same = inside ? memcmp(actual + (size_t)i * item, expected, item) == 0
                                       : tn_dtype_load(dtype, actual + (size_t)i * item).value.d == untouched;
                    if (!same)
                        test_fail(__FILE__, __LINE__, "%s of %lld elements: element %lld differs", names[k], (long long)length,
                                  (long long)i);
                }
                tn_scope_close(scope);
            }
        }
}

/* ---- special values: the array API standard's, and C's */

typedef struct special_value {
    const char *name;
    double x, y; /* y NAN where the result is one */
} special_value;

static const special_value special_values[] = {
    {"exp", -INFINITY, 0.0},
    {"exp", INFINITY, INFINITY},
    {"exp", -0.0, 1.0},
    {"expm1", -0.0, -0.0},
    {"expm1", -INFINITY, -1.0},
    {"log", 0.0, -INFINITY},
    {"log", -0.0, -INFINITY},
    {"log", -1.0, NAN},
    {"log", 1.0, 0.0},
    {"log1p", -1.0, -INFINITY},
    {"log1p", -0.0, -0.0},
    {"log1p", -2.0, NAN},
    {"log2", 8.0, 3.0},
    {"log10", 1000.0, 3.0},
    {"exp2", 10.0, 1024.0},
    {"sin", -0.0, -0.0},
    {"sin", INFINITY, NAN},
    {"cos", 0.0, 1.0},
    {"cos", -INFINITY, NAN},
    {"tan", -0.0, -0.0},
    {"tan", INFINITY, NAN},
    {"asin", 1.5, NAN},
    {"asin", -0.0, -0.0},
    {"acos", 1.0, 0.0},
    {"acos", -1.5, NAN},
    {"atan", -0.0, -0.0},
    {"sinh", -0.0, -0.0},
    {"sinh", -INFINITY, -INFINITY},
    {"cosh", -INFINITY, INFINITY},
    {"tanh", INFINITY, 1.0},
    {"tanh", -0.0, -0.0},
    {"asinh", -0.0, -0.0},
    {"asinh", -INFINITY, -INFINITY},
    {"acosh", 1.0, 0.0},
    {"acosh", 0.5, NAN},
    {"atanh", 1.0, INFINITY},
    {"atanh", -1.0, -INFINITY},
    {"atanh", 2.0, NAN},
    {"sinc", 0.0, 1.0},
    {"sinc", 3.0, 0.0},
    {"sinc", INFINITY, NAN},
    {"erf", INFINITY, 1.0},
    {"erf", -0.0, -0.0},
    {"erfc", INFINITY, 0.0},
    {"erfc", -INFINITY, 2.0},
    {"erfinv", 1.0, INFINITY},
    {"erfinv", -1.0, -INFINITY},
    {"erfinv", 1.5, NAN},
    {"lgamma", 0.0, INFINITY},
    {"lgamma", -3.0, INFINITY},
    {"lgamma", 1.0, 0.0},
    {"lgamma", -INFINITY, INFINITY},
    {"digamma", 0.0, -INFINITY},
    {"digamma", -0.0, INFINITY},
    {"digamma", -2.0, NAN},
    {"i0", 0.0, 1.0},
    {"i0", INFINITY, NAN},
    {"sigmoid", -INFINITY, 0.0},
    {"sigmoid", INFINITY, 1.0},
    {"sigmoid", 0.0, 0.5},
    {"logit", 0.0, -INFINITY},
    {"logit", 1.0, INFINITY},
    {"logit", 1.5, NAN},
    {"relu", -INFINITY, 0.0},
    {"relu", INFINITY, INFINITY},
    {"gelu", -INFINITY, NAN},
    {"gelu", INFINITY, INFINITY},
    {"silu", -INFINITY, NAN},
    {"mish", INFINITY, INFINITY},
    {"softplus", -INFINITY, 0.0},
    {"softplus", INFINITY, INFINITY},
    {"elu", -INFINITY, -1.0},
    {"logsigmoid", -INFINITY, -INFINITY},
    {"softsign", INFINITY, NAN},
    {"hardswish", -INFINITY, NAN},
    {"hardsigmoid", -INFINITY, 0.0},
    {"tanhshrink", INFINITY, INFINITY},
    {"rsqrt", 0.0, INFINITY},
    {"rsqrt", -0.0, -INFINITY},
    {"rsqrt", INFINITY, 0.0},
    {"rsqrt", -1.0, NAN},
    {"cbrt", 27.0, 3.0},
    {"cbrt", -8.0, -2.0},
    {"cbrt", 0.0, 0.0},
    {"cbrt", -0.0, -0.0},
    {"cbrt", INFINITY, INFINITY},
    {"cbrt", -INFINITY, -INFINITY},
    {"cbrt", NAN, NAN},
};

TEST_SAMPLED(special_values_are_exact_and_a_nan_stays_one) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16};
    for (size_t i = 0; i < sizeof special_values / sizeof special_values[0]; i++)
        for (int d = 0; d < 4; d++) {
            const special_value *s = &special_values[i];
            tn_tensor *in = tn_full(TN_DIMS(3), s->x, dtypes[d]), *nan = tn_full(TN_DIMS(3), NAN, dtypes[d]);
            tn_tensor *out = tn_call_tensor(s->name, TN_VALUES(in)), *still = tn_call_tensor(s->name, TN_VALUES(nan));
            CHECK(out && still);
            double y = tn_dtype_load(dtypes[d], tn_data(out)).value.d;
            bool same = isnan(s->y) ? isnan(y) : y == s->y && (y != 0 || signbit(y) == signbit(s->y) || s->x == 3.0);
            if (!same)
                test_fail(__FILE__, __LINE__, "%s(%g) in %s is %g, not %g", s->name, s->x, tn_dtype_name(dtypes[d]), y, s->y);
            if (!isnan(tn_dtype_load(dtypes[d], tn_data(still)).value.d))
                test_fail(__FILE__, __LINE__, "%s of a NaN in %s is a number", s->name, tn_dtype_name(dtypes[d]));
        }
}

TEST_SAMPLED(powers_and_angles_follow_c_at_every_pair_of_special_values) {
    static const double values[] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, INFINITY, -INFINITY, NAN};
    enum { COUNT = sizeof values / sizeof values[0] };
    for (int wide = 0; wide < 2; wide++)
        for (int i = 0; i < COUNT; i++)
            for (int k = 0; k < COUNT; k++) {
                tn_scope scope = tn_scope_open();
                tn_dtype dtype = wide ? TN_FLOAT64 : TN_FLOAT32;
                tn_tensor *a = tn_full(TN_DIMS(2), values[i], dtype), *b = tn_full(TN_DIMS(2), values[k], dtype);
                tn_tensor *results[] = {tn_pow(a, b), tn_atan2(a, b), tn_hypot(a, b)};
                double expected[] = {pow(values[i], values[k]), atan2(values[i], values[k]), hypot(values[i], values[k])};
                for (int r = 0; r < 3; r++) {
                    CHECK(results[r]);
                    double y = tn_dtype_load(dtype, tn_data(results[r])).value.d;
                    if (!(isnan(expected[r]) ? isnan(y) : fabs(y - expected[r]) <= 1e-7 * fabs(y) || y == expected[r]) ||
                        (!isnan(y) && signbit(y) != signbit(expected[r])))
                        test_fail(__FILE__, __LINE__, "%s of %g and %g is %g, not %g",
                                  r == 0   ? "pow"
                                  : r == 1 ? "atan2"
                                           : "hypot",
                                  values[i], values[k], y, expected[r]);
                }
                tn_scope_close(scope);
            }
}

TEST(a_product_with_a_power_of_two_is_rounded_once) {
    tn_tensor *tiny = tn_full(TN_DIMS(2), 0x1p-149, TN_FLOAT32), *power = tn_full(TN_DIMS(2), 200, TN_INT64);
    tn_tensor *large = tn_ldexp(tiny, power);
    CHECK(large);
    CHECK_DOUBLE(((const float *)tn_data(large))[1], 0x1p51);
    CHECK_INT(tn_dtype_of(large), TN_FLOAT32);
}

/* ---- frexp, float_power */

TEST(frexp_gives_a_mantissa_and_an_exponent_that_make_the_number) {
    tn_tensor *in = tn_from_text("[[1, -8, 0.1], [0, 1e-300, -inf]]", TN_FLOAT64);
    tn_list *both = tn_frexp(tn_transpose(in, 0, 1));
    CHECK(in && both);
    CHECK_INT(tn_list_count(both), 2);
    const tn_tensor *mantissa = tn_list_at(both, 0), *exponent = tn_list_at(both, 1);
    CHECK_INT(tn_dtype_of(mantissa), TN_FLOAT64);
    CHECK_INT(tn_dtype_of(exponent), TN_INT32);
    CHECK_INT(tn_stride(mantissa, 0), 1);
    for (int64_t i = 0; i < 6; i++) {
        int power;
        double expected = frexp(((const double *)tn_data(in))[i], &power);
        CHECK_DOUBLE(((const double *)tn_data(mantissa))[i], expected);
        CHECK_INT(((const int32_t *)tn_data(exponent))[i], i == 5 ? 0 : power);
    }
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_frexp(tn_ones(TN_DIMS(2), TN_INT64)));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex64", tn_frexp(tn_ones(TN_DIMS(2), TN_COMPLEX64)));
}

TEST(float_power_computes_in_float64_whatever_it_is_given) {
    tn_tensor *whole = tn_from_text("[2, 3]", TN_INT32), *narrow = tn_from_text("[3, 7]", TN_FLOAT16);
    tn_tensor *inverse = tn_float_power_scalar(whole, -1),
              *third = tn_float_power(narrow, tn_full(TN_DIMS(2), 0.5, TN_FLOAT32));
    tn_tensor *in_front = tn_float_power_rscalar(10, whole);
    CHECK(inverse && third && in_front);
    CHECK_INT(tn_dtype_of(inverse), TN_FLOAT64);
    CHECK_DOUBLE(((const double *)tn_data(inverse))[1], 1.0 / 3);
    CHECK_DOUBLE(((const double *)tn_data(third))[0], sqrt(3));
    CHECK_DOUBLE(((const double *)tn_data(in_front))[1], 1000);
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written", tn_float_power_scalar_(whole, 2));
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written", tn_float_power_scalar_(narrow, 2));
    CHECK(tn_float_power_scalar_(inverse, 2));
}

/* ---- variants and refusals */

TEST(mathematics_in_place_writes_over_its_argument) {
    tn_tensor *x = tn_from_text("[0, 1, 4]", TN_FLOAT32);
    CHECK(x);
    CHECK(tn_exp_(x) == x);
    CHECK(tn_log_(x) == x);
    CHECK(fabsf(((const float *)tn_data(x))[2] - 4) < 1e-6f);
    CHECK(tn_hardtanh_range_(x, 0.5, 3) == x);
    CHECK(tn_threshold_(x, 0.75, -2) == x);
    CHECK(tn_leaky_relu_slope_(x, 0.5) == x);
    CHECK(tn_relu6_(x) == x);
    CHECK_DOUBLE(((const float *)tn_data(x))[0], 0);
    CHECK(fabsf(((const float *)tn_data(x))[1] - 1) < 1e-6f);
    CHECK_DOUBLE(((const float *)tn_data(x))[2], 3);
    CHECK(tn_elu_(tn_selu_(tn_celu_(tn_celu_alpha_(tn_elu_alpha_(x, 1, 1, 1), 2)))) == x);
    CHECK(tn_gelu_approximate_(tn_leaky_relu_(tn_hardtanh_(x)), "tanh") == x);
    CHECK(tn_logit_eps_(x, 0.25) == x);
    tn_tensor *out = tn_zeros(TN_DIMS(3), TN_FLOAT64);
    CHECK(out);
    CHECK(tn_softplus_out(out, x) == out && tn_softplus_beta_out(out, x, 2, 20) == out && tn_elu_out(out, x) == out);
    CHECK(tn_selu_out(out, x) == out && tn_celu_out(out, x) == out && tn_leaky_relu_out(out, x) == out);
    CHECK(tn_hardtanh_out(out, x) == out && tn_threshold_out(out, x, 1, 2) == out);
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written", tn_exp_(tn_ones(TN_DIMS(2), TN_INT32)));
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written", tn_logit_eps_(tn_ones(TN_DIMS(2), TN_INT32), 0.1));
}

TEST(integers_give_the_default_float_also_when_that_is_float64) {
    tn_tensor *whole = tn_from_text("[1, 2]", TN_INT64);
    CHECK(whole);
    CHECK(tn_set_default_dtype(TN_FLOAT64) == TN_OK);
    tn_tensor *wide = tn_exp(whole);
    tn_set_default_dtype(TN_FLOAT32);
    tn_tensor *narrow = tn_exp(whole);
    CHECK(wide && narrow);
    CHECK_INT(tn_dtype_of(wide), TN_FLOAT64);
    CHECK_INT(tn_dtype_of(narrow), TN_FLOAT32);
}

TEST(numbers_that_an_activation_cannot_use_are_refused) {
    tn_tensor *x = tn_from_text("[1, 2]", TN_FLOAT32), *bytes = tn_from_text("[1, 2]", TN_UINT8);
    tn_tensor *truth = tn_from_text("[true, false]", TN_BOOL), *small = tn_from_text("[1, 2]", TN_INT8);
    tn_scalar imaginary = tn_scalar_complex(1, 2);
    CHECK(x && bytes && truth && small);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "negative_slope", tn_leaky_relu_slope(x, imaginary));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "alpha", tn_elu_alpha(x, imaginary, 1, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "input_scale", tn_elu_alpha(x, 1, 1, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "alpha", tn_celu_alpha(x, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "beta", tn_softplus_beta(x, imaginary, 20));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "approximate 'often'", tn_gelu_approximate(x, "often"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "above", tn_hardtanh_range(x, 2, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "min_val = -1", tn_hardtanh(bytes));
    CHECK_ERROR(TN_ERROR_DTYPE, "value = 300", tn_threshold(small, 0, 300));
    CHECK_ERROR(TN_ERROR_DTYPE, "threshold = nan", tn_threshold(small, (double)NAN, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_hardtanh(truth));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_threshold(truth, 0, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_relu(truth));
    CHECK_ERROR(TN_ERROR_DTYPE, "int8", tn_gelu(small));
    CHECK_ERROR(TN_ERROR_DTYPE, "int8", tn_hypot(small, small));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex64", tn_erf(tn_ones(TN_DIMS(2), TN_COMPLEX64)));
}

/* In float32 these are rounded once, or nearly so: compared with float64, whose results are as good as exact here. */
TEST_SAMPLED(activations_of_float32_are_right_to_the_last_place) {
    typedef tn_tensor *(*activation)(const tn_tensor *);
    static const activation activations[] = {tn_softsign,    tn_selu,      tn_elu,       tn_celu,
                                             tn_hardsigmoid, tn_hardswish, tn_tanhshrink};
    enum { COUNT = 1 << 16 };
    float *numbers = malloc(COUNT * sizeof *numbers);
    CHECK(numbers);
    TEST_DEFER(free, numbers);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t bits = i * 65521;
        memcpy(&numbers[i], &bits, sizeof bits);
    }
    tn_tensor *x = tn_from_memory(numbers, TN_DIMS(COUNT), TN_FLOAT32, TN_BORROW);
    for (size_t k = 0; k < sizeof activations / sizeof *activations; k++) {
        tn_tensor *narrow = activations[k](x), *wide = activations[k](tn_to(x, TN_FLOAT64));
        CHECK(narrow && wide);
        const float *got = tn_data(narrow);
        const double *right = tn_data(wide);
        for (int64_t i = 0; i < COUNT; i++) {
            float next = nextafterf(fabsf((float)right[i]), INFINITY);
            if (isfinite(right[i]) && isfinite(next) &&
                !(fabs((double)got[i] - right[i]) <= (double)next - (double)fabsf((float)right[i])))
                test_fail(__FILE__, __LINE__, "function %zu of %.9g is %.9g, not %.17g", k, (double)numbers[i], (double)got[i],
                          right[i]);
        }
    }
    tn_tensor *small = tn_tanhshrink(TN_VECTOR(double, 1e-5, -1e-3, 0.5, -0.0, 3)),
              *large = tn_hardswish(tn_full(TN_DIMS(1), 3e38, TN_FLOAT32));
    CHECK(small && large);
    CHECK(fabs(tn_get_double(small, TN_DIMS(0)) / 3.333333333200001e-16 - 1) < 4e-16);
    CHECK(fabs(tn_get_double(small, TN_DIMS(1)) / -3.33333200000054e-10 - 1) < 4e-16);
    CHECK(fabs(tn_get_double(small, TN_DIMS(2)) / 0.03788284273999024 - 1) < 1e-15);
    CHECK(tn_get_double(small, TN_DIMS(3)) == 0 && fabs(tn_get_double(small, TN_DIMS(4)) - 2.0049452463132695) < 1e-15);
    CHECK_DOUBLE(tn_item_double(large), (double)3e38F);
}
