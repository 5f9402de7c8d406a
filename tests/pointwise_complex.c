/* pointwise_complex.c - complex numbers: against PyTorch's answers and mpmath's (data/complex_cases.inc), against the special cases
 * the array API standard lists, symmetries, arithmetic against a naive reference, variants and refusals. Strides are tested in
 * gauntlet.c. */
#include "test.h"

#include <float.h>
#include <tenon/dispatch.h>

#define PI 3.14159265358979323846

static tn_tensor *numbers(const char *text, tn_dtype dtype) {
    tn_tensor *made = tn_from_text(text, dtype);
    CHECK(made);
    return made;
}

static tn_complex128 element(const tn_tensor *tensor, int64_t i) {
    const tn_tensor *flat = tn_to(tn_reshape(tensor, TN_DIMS(-1)), TN_COMPLEX128);
    CHECK(flat);
    tn_view_complex128 view = tn_read_complex128(flat);
    CHECK(view.data);
    return TN_AT1(view, i);
}

static tn_complex128 apply(const char *name, tn_dtype dtype, double real, double imag) {
    tn_tensor *self = tn_full(TN_DIMS(1), tn_scalar_complex(real, imag), dtype);
    CHECK(self);
    tn_tensor *result = tn_call_tensor(name, TN_VALUES(self));
    CHECK(result);
    return element(result, 0);
}

/* ---- what counts as the same */

enum { ANY_SIGN_REAL = 1, ANY_SIGN_IMAG = 2, ANY_SIGN_OF_ZERO = 4 };

static bool same_part(double actual, double expected, double allowed, int any_sign) {
    if (isnan(actual) || isnan(expected))
        return isnan(actual) && isnan(expected);
    if (any_sign && (any_sign != ANY_SIGN_OF_ZERO || actual == 0))
        actual = copysign(actual, expected);
    if (isinf(actual) || isinf(expected))
        return actual == expected;
    return fabs(actual - expected) <= allowed && (expected != 0 || allowed > 0 || signbit(actual) == signbit(expected));
}

static void check_number(const char *what, int64_t i, tn_complex128 actual, tn_complex128 expected, double allowed, int signs) {
    if (!same_part(actual.real, expected.real, allowed, signs & ~ANY_SIGN_IMAG) ||
        !same_part(actual.imag, expected.imag, allowed, signs & ~ANY_SIGN_REAL))
        test_fail(__FILE__, __LINE__, "%s, element %lld: %.17g %+.17gi, not %.17g %+.17gi", what, (long long)i, actual.real,
                  actual.imag, expected.real, expected.imag);
}

static double finite_size(tn_complex128 z) {
    return fmax(isfinite(z.real) ? fabs(z.real) : 0, isfinite(z.imag) ? fabs(z.imag) : 0);
}

/* This much of the larger part, and the exact 0, with its sign, where one is expected. */
static void check_near(const char *what, int64_t i, tn_complex128 actual, tn_complex128 expected, double relative, int signs) {
    double allowed = relative * finite_size(expected);
    check_number(what, i, (tn_complex128){actual.real, 0}, (tn_complex128){expected.real, 0}, expected.real == 0 ? 0 : allowed,
                 signs);
    check_number(what, i, (tn_complex128){0, actual.imag}, (tn_complex128){0, expected.imag}, expected.imag == 0 ? 0 : allowed,
                 signs);
}

/* ---- PyTorch and mpmath */

static const char *special_points, *pair_points, *finite_points;
__attribute__((constructor)) static void find_points(void) {
#define SPECIAL_POINTS(text) special_points = text;
#define PAIR_POINTS(text) pair_points = text;
#define FINITE_POINTS(text) finite_points = text;
#include "data/complex_cases.inc"
}

static void check_special(const char *name, const char *points, const char *results) {
    static const tn_dtype dtypes[] = {TN_COMPLEX64, TN_COMPLEX128};
    for (int d = 0; d < 2; d++) {
        tn_tensor *self = numbers(points ? points : special_points, dtypes[d]), *expected = numbers(results, dtypes[d]);
        tn_tensor *actual = tn_call_tensor(name, TN_VALUES(self));
        CHECK(actual);
        CHECK_INT(tn_dtype_of(actual), dtypes[d]);
        CHECK_INT(tn_numel(actual), tn_numel(expected));
        for (int64_t i = 0; i < tn_numel(actual); i++)
            check_near(name, i, element(actual, i), element(expected, i), d ? 8 * DBL_EPSILON : FLT_EPSILON, 0);
    }
}

TEST_SAMPLED(special_values_and_branch_cuts_are_those_of_torch) {
#define SPECIAL(name, points, results) check_special(#name, points, results);
#include "data/complex_cases.inc"
}

static void check_special_pair(const char *name, const char *results) {
    static const tn_dtype dtypes[] = {TN_COMPLEX64, TN_COMPLEX128};
    for (int d = 0; d < 2; d++) {
        tn_tensor *row = numbers(pair_points, dtypes[d]), *expected = numbers(results, dtypes[d]),
                  *column = tn_unsqueeze(row, 1);
        CHECK(column);
        tn_tensor *actual = tn_call_tensor(name, TN_VALUES(column, row));
        CHECK(actual);
        for (int64_t i = 0; i < tn_numel(expected); i++)
            check_near(name, i, element(actual, i), element(expected, i), d ? 4 * DBL_EPSILON : FLT_EPSILON, 0);
    }
}

TEST_SAMPLED(products_quotients_and_logaddexp_of_special_values_are_those_of_torch) {
#define SPECIAL_PAIR(name, results) check_special_pair(#name, results);
#include "data/complex_cases.inc"
}

/* In complex64 every part is right to a unit, since it was computed in float64; in complex128 the number as a whole is. */
static void check_accuracy(const char *name, const char *results) {
    tn_tensor *wide = numbers(finite_points, TN_COMPLEX128), *narrow = numbers(finite_points, TN_COMPLEX64);
    tn_tensor *truth = numbers(results, TN_COMPLEX128), *rounded = numbers(results, TN_COMPLEX64);
    tn_tensor *in_wide = tn_call_tensor(name, TN_VALUES(wide)), *in_narrow = tn_call_tensor(name, TN_VALUES(narrow));
    CHECK(in_wide && in_narrow);
    double units = strcmp(name, "tanhshrink") == 0 ? 40 : 3;
    bool is_square = strcmp(name, "square") == 0; /* computed in its own dtype, as the product it is */
    for (int64_t i = 0; i < tn_numel(truth); i++) {
        tn_complex128 exact = element(truth, i), near = element(rounded, i), got = element(in_narrow, i);
        double size = fmax(fabs(exact.real), fabs(exact.imag));
        check_number(name, i, element(in_wide, i), exact, units * DBL_EPSILON * size, 0);
        if (is_square || isinf(near.real) || isinf(near.imag))
            continue;
        check_number(name, i, (tn_complex128){got.real, 0}, (tn_complex128){near.real, 0},
                     FLT_EPSILON * fabs(near.real) + 1e-45, 0);
        check_number(name, i, (tn_complex128){got.imag, 0}, (tn_complex128){near.imag, 0},
                     FLT_EPSILON * fabs(near.imag) + 1e-45, 0);
    }
}

TEST_SAMPLED(functions_are_accurate) {
#define FINITE(name, results) check_accuracy(#name, results);
#include "data/complex_cases.inc"
}

static void check_power(const char *x, const char *y, const char *result) {
    tn_complex128 truth = element(numbers(result, TN_COMPLEX128), 0);
    double size = fmax(fabs(truth.real), fabs(truth.imag));
    tn_tensor *wide = tn_pow(numbers(x, TN_COMPLEX128), numbers(y, TN_COMPLEX128));
    tn_tensor *narrow = tn_pow(numbers(x, TN_COMPLEX64), numbers(y, TN_COMPLEX64));
    CHECK(wide && narrow);
    check_number(x, 0, element(wide, 0), truth, 2 * DBL_EPSILON * size, 0);
    check_number(x, 0, element(narrow, 0), truth, FLT_EPSILON * size, 0);
    tn_tensor *number = tn_pow_scalar(numbers(x, TN_COMPLEX128), tn_item(numbers(y, TN_COMPLEX128)));
    tn_tensor *base = tn_pow_rscalar(tn_item(numbers(x, TN_COMPLEX128)), numbers(y, TN_COMPLEX128));
    tn_tensor *always_wide = tn_float_power(numbers(x, TN_COMPLEX64), numbers(y, TN_COMPLEX64));
    CHECK(number && base && always_wide);
    CHECK_INT(tn_dtype_of(always_wide), TN_COMPLEX128);
    check_number("number", 0, element(number, 0), truth, 2 * DBL_EPSILON * size, 0);
    check_number("base", 0, element(base, 0), truth, 2 * DBL_EPSILON * size, 0);
    check_number("float_power", 0, element(always_wide, 0), truth, 2 * DBL_EPSILON * size, 0);
}

TEST_SAMPLED(powers_are_accurate) {
#define POWER(x, y, result) check_power(x, y, result);
#include "data/complex_cases.inc"
}

/* ---- the special cases of the array API standard; its asin, atan, sin, cos, tan follow from symmetries, further down */

static const struct {
    const char *name;
    double a, b, real, imag;
    int signs; /* that the standard leaves open */
} standard[] = {
#define N NAN
#define F INFINITY
    {"acos", 0, 0, PI / 2, -0.0, 0},
    {"acos", -0.0, 0, PI / 2, -0.0, 0},
    {"acos", 0, N, PI / 2, N, 0},
    {"acos", -0.0, N, PI / 2, N, 0},
    {"acos", 2, F, PI / 2, -F, 0},
    {"acos", -2, N, N, N, 0},
    {"acos", -F, 3, PI, -F, 0},
    {"acos", F, 3, 0, -F, 0},
    {"acos", -F, F, 3 * PI / 4, -F, 0},
    {"acos", F, F, PI / 4, -F, 0},
    {"acos", F, N, N, F, ANY_SIGN_IMAG},
    {"acos", -F, N, N, F, ANY_SIGN_IMAG},
    {"acos", N, 2, N, N, 0},
    {"acos", N, F, N, -F, 0},
    {"acos", N, N, N, N, 0},
    {"acosh", 0, 0, 0, PI / 2, 0},
    {"acosh", -0.0, 0, 0, PI / 2, 0},
    {"acosh", -2, F, F, PI / 2, 0},
    {"acosh", 2, N, N, N, 0},
    {"acosh", 0, N, N, PI / 2, ANY_SIGN_IMAG},
    {"acosh", -F, 3, F, PI, 0},
    {"acosh", F, 3, F, 0, 0},
    {"acosh", -F, F, F, 3 * PI / 4, 0},
    {"acosh", F, F, F, PI / 4, 0},
    {"acosh", F, N, F, N, 0},
    {"acosh", -F, N, F, N, 0},
    {"acosh", N, 2, N, N, 0},
    {"acosh", N, F, F, N, 0},
    {"acosh", N, N, N, N, 0},
    {"asinh", 0, 0, 0, 0, 0},
    {"asinh", 2, F, F, PI / 2, 0},
    {"asinh", 2, N, N, N, 0},
    {"asinh", F, 3, F, 0, 0},
    {"asinh", F, F, F, PI / 4, 0},
    {"asinh", F, N, F, N, 0},
    {"asinh", N, 0, N, 0, 0},
    {"asinh", N, 3, N, N, 0},
    {"asinh", N, F, F, N, ANY_SIGN_REAL},
    {"asinh", N, N, N, N, 0},
    {"atanh", 0, 0, 0, 0, 0},
    {"atanh", 0, N, 0, N, 0},
    {"atanh", 1, 0, F, 0, 0},
    {"atanh", 2, F, 0, PI / 2, 0},
    {"atanh", 2, N, N, N, 0},
    {"atanh", F, 3, 0, PI / 2, 0},
    {"atanh", F, F, 0, PI / 2, 0},
    {"atanh", F, N, 0, N, 0},
    {"atanh", N, 3, N, N, 0},
    {"atanh", N, F, 0, PI / 2, ANY_SIGN_REAL},
    {"atanh", N, N, N, N, 0},
    {"cosh", 0, 0, 1, 0, 0},
    {"cosh", 0, F, N, 0, ANY_SIGN_IMAG},
    {"cosh", 0, N, N, 0, ANY_SIGN_IMAG},
    {"cosh", 2, F, N, N, 0},
    {"cosh", 2, N, N, N, 0},
    {"cosh", F, 0, F, 0, 0},
    {"cosh", F, 2, -F, F, 0},
    {"cosh", F, F, F, N, ANY_SIGN_REAL},
    {"cosh", F, N, F, N, 0},
    {"cosh", N, 0, N, 0, ANY_SIGN_IMAG},
    {"cosh", N, 2, N, N, 0},
    {"cosh", N, F, N, N, 0},
    {"cosh", N, N, N, N, 0},
    {"sinh", 0, 0, 0, 0, 0},
    {"sinh", 0, F, 0, N, ANY_SIGN_REAL},
    {"sinh", 0, N, 0, N, ANY_SIGN_REAL},
    {"sinh", 2, F, N, N, 0},
    {"sinh", 2, N, N, N, 0},
    {"sinh", F, 0, F, 0, 0},
    {"sinh", F, 2, -F, F, 0},
    {"sinh", F, F, F, N, ANY_SIGN_REAL},
    {"sinh", F, N, F, N, ANY_SIGN_REAL},
    {"sinh", N, 0, N, 0, 0},
    {"sinh", N, 2, N, N, 0},
    {"sinh", N, F, N, N, 0},
    {"sinh", N, N, N, N, 0},
    {"tanh", 0, 0, 0, 0, 0},
    {"tanh", 2, F, N, N, 0},
    {"tanh", 0, F, 0, N, 0},
    {"tanh", 2, N, N, N, 0},
    {"tanh", 0, N, 0, N, 0},
    {"tanh", F, 1, 1, 0, 0},
    {"tanh", F, F, 1, 0, ANY_SIGN_IMAG},
    {"tanh", F, N, 1, 0, ANY_SIGN_IMAG},
    {"tanh", N, 0, N, 0, 0},
    {"tanh", N, 2, N, N, 0},
    {"tanh", N, N, N, N, 0},
    {"exp", 0, 0, 1, 0, 0},
    {"exp", -0.0, 0, 1, 0, 0},
    {"exp", 2, F, N, N, 0},
    {"exp", 2, N, N, N, 0},
    {"exp", F, 0, F, 0, 0},
    {"exp", -F, 2, -0.0, 0, 0},
    {"exp", F, 2, -F, F, 0},
    {"exp", -F, F, 0, 0, 3},
    {"exp", F, F, F, N, ANY_SIGN_REAL},
    {"exp", -F, N, 0, 0, 3},
    {"exp", F, N, F, N, ANY_SIGN_REAL},
    {"exp", N, 0, N, 0, 0},
    {"exp", N, 2, N, N, 0},
    {"exp", N, N, N, N, 0},
    {"expm1", 0, 0, 0, 0, 0},
    {"expm1", 2, F, N, N, 0},
    {"expm1", 2, N, N, N, 0},
    {"expm1", F, 0, F, 0, 0},
    {"expm1", -F, 2, -1, 0, 0},
    {"expm1", F, 2, -F, F, 0},
    {"expm1", -F, F, -1, 0, ANY_SIGN_IMAG},
    {"expm1", F, F, F, N, ANY_SIGN_REAL},
    {"expm1", -F, N, -1, 0, ANY_SIGN_IMAG},
    {"expm1", F, N, F, N, ANY_SIGN_REAL},
    {"expm1", N, 0, N, 0, 0},
    {"expm1", N, 2, N, N, 0},
    {"expm1", N, N, N, N, 0},
    {"log", -0.0, 0, -F, PI, 0},
    {"log", 0, 0, -F, 0, 0},
    {"log", 2, F, F, PI / 2, 0},
    {"log", 2, N, N, N, 0},
    {"log", -F, 2, F, PI, 0},
    {"log", F, 2, F, 0, 0},
    {"log", -F, F, F, 3 * PI / 4, 0},
    {"log", F, F, F, PI / 4, 0},
    {"log", F, N, F, N, 0},
    {"log", -F, N, F, N, 0},
    {"log", N, 2, N, N, 0},
    {"log", N, F, F, N, 0},
    {"log", N, N, N, N, 0},
    {"log1p", -1, 0, -F, 0, 0},
    {"log1p", 2, F, F, PI / 2, 0},
    {"log1p", 2, N, N, N, 0},
    {"log1p", -F, 2, F, PI, 0},
    {"log1p", F, 2, F, 0, 0},
    {"log1p", -F, F, F, 3 * PI / 4, 0},
    {"log1p", F, F, F, PI / 4, 0},
    {"log1p", F, N, F, N, 0},
    {"log1p", -F, N, F, N, 0},
    {"log1p", N, 2, N, N, 0},
    {"log1p", N, F, F, N, 0},
    {"log1p", N, N, N, N, 0},
    {"sqrt", 0, 0, 0, 0, 0},
    {"sqrt", -0.0, 0, 0, 0, 0},
    {"sqrt", -2, F, F, F, 0},
    {"sqrt", N, F, F, F, 0},
    {"sqrt", -F, F, F, F, 0},
    {"sqrt", 2, N, N, N, 0},
    {"sqrt", -F, 2, 0, F, 0},
    {"sqrt", F, 2, F, 0, 0},
    {"sqrt", -F, N, N, F, ANY_SIGN_IMAG},
    {"sqrt", F, N, F, N, 0},
    {"sqrt", N, 2, N, N, 0},
    {"sqrt", N, N, N, N, 0},
    {"sgn", 0, 0, 0, 0, 0},
    {"sgn", N, 2, N, N, 0},
    {"sgn", 2, N, N, N, 0},
    {"abs", F, N, F, 0, 0},
    {"abs", N, -F, F, 0, 0},
    {"abs", -0.0, 0, 0, 0, 0},
    {"abs", N, 2, N, 0, 0},
    {"abs", 2, N, N, 0, 0},
#undef N
#undef F
};

TEST_SAMPLED(the_special_cases_of_the_array_api_standard_hold) {
    for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++)
        for (int wide = 0; wide < 2; wide++) {
            tn_complex128 got = apply(standard[i].name, wide ? TN_COMPLEX128 : TN_COMPLEX64, standard[i].a, standard[i].b);
            tn_complex128 expected = {standard[i].real, standard[i].imag};
            check_near(standard[i].name, (int64_t)i, got, expected, wide ? DBL_EPSILON : FLT_EPSILON, standard[i].signs);
        }
}

static const double parts[] = {0, -0.0, 1, -2.5, 0.5, INFINITY, -INFINITY, NAN};
enum { PARTS = sizeof parts / sizeof parts[0] };

TEST_SAMPLED(the_conjugate_of_a_result_is_the_result_of_the_conjugate) {
    static const char *const names[] = {"exp", "exp2", "expm1", "log",  "log2", "log10", "log1p", "sqrt",  "sin",   "cos",
                                        "tan", "asin", "acos",  "atan", "sinh", "cosh",  "tanh",  "asinh", "acosh", "atanh"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        for (int i = 0; i < PARTS * PARTS; i++) {
            tn_complex128 one = apply(names[n], TN_COMPLEX128, parts[i / PARTS], parts[i % PARTS]);
            tn_complex128 two = apply(names[n], TN_COMPLEX128, parts[i / PARTS], -parts[i % PARTS]);
            two.imag = -two.imag;
            bool open = !isfinite(parts[i / PARTS]) || !isfinite(parts[i % PARTS]); /* where signs of 0 may be left open */
            check_number(names[n], i, two, one, 4 * DBL_EPSILON * finite_size(one), open ? ANY_SIGN_REAL | ANY_SIGN_IMAG : 0);
        }
}

/* f(z) = -i g(i z) for sin, tan, asin, atan, and cos(z) = cosh(i z), as the standard defines them. */
TEST_SAMPLED(circular_functions_are_the_hyperbolic_ones_turned) {
    static const char *const names[][2] = {
        {"sin", "sinh"}, {"tan", "tanh"}, {"asin", "asinh"}, {"atan", "atanh"}, {"cos", "cosh"}};
    for (int n = 0; n < 5; n++)
        for (int i = 0; i < PARTS * PARTS; i++) {
            double a = parts[i / PARTS], b = parts[i % PARTS];
            tn_complex128 circular = apply(names[n][0], TN_COMPLEX128, a, b), other = apply(names[n][1], TN_COMPLEX128, -b, a);
            tn_complex128 expected = n == 4 ? other : (tn_complex128){other.imag, -other.real};
            bool open = !isfinite(a) || !isfinite(b);
            check_number(names[n][0], i, circular, expected, 4 * DBL_EPSILON * finite_size(expected),
                         open ? ANY_SIGN_REAL | ANY_SIGN_IMAG : 0);
        }
}

/* ---- arithmetic */

/* The numbers of the text; signs of 0 count where it has some. */
static void check_text(const char *what, const tn_tensor *actual, const char *expected, tn_dtype dtype) {
    CHECK(actual);
    CHECK_INT(tn_dtype_of(actual), dtype);
    const tn_tensor *wanted = numbers(expected, dtype);
    CHECK_INT(tn_numel(actual), tn_numel(wanted));
    for (int64_t i = 0; i < tn_numel(wanted); i++)
        check_number(what, i, element(actual, i), element(wanted, i), 0, strstr(expected, "0.0") ? 0 : ANY_SIGN_OF_ZERO);
}

TEST(sums_and_products_follow_the_formulas) {
    for (int wide = 0; wide < 2; wide++) {
        tn_dtype dtype = wide ? TN_COMPLEX128 : TN_COMPLEX64;
        tn_tensor *a = numbers("[1+2j, -3+0.5j, 4j]", dtype), *b = numbers("[2-1j, 0.5+0.25j, -8]", dtype);
        check_text("add", tn_add(a, b), "[3+1j, -2.5+0.75j, -8+4j]", dtype);
        check_text("sub", tn_sub(a, b), "[-1+3j, -3.5+0.25j, 8+4j]", dtype);
        check_text("mul", tn_mul(a, b), "[4+3j, -1.625-0.5j, -32j]", dtype);
        check_text("square", tn_square(a), "[-3+4j, 8.75-3j, -16+0j]", dtype);
        check_text("neg", tn_neg(b), "[-2+1j, -0.5-0.25j, 8-0j]", dtype);
        check_text("div", tn_div(a, numbers("[1-1j, 0.5, 2j]", dtype)), "[-0.5+1.5j, -6+1j, 2+0j]", dtype);
        check_text("add alpha", tn_add_alpha(a, b, 2), "[5+0j, -2+1j, -16+4j]", dtype);
        check_text("add complex alpha", tn_add_alpha(a, b, tn_scalar_complex(0, 1)), "[2+4j, -3.25+1j, 0-4j]", dtype);
        check_text("sub alpha", tn_sub_alpha(a, b, 2), "[-3+4j, -4+0j, 16+4j]", dtype);
        check_text("rsub", tn_rsub(a, b, 1), "[1-3j, 3.5-0.25j, -8-4j]", dtype);
        check_text("rsub complex", tn_rsub(a, b, tn_scalar_complex(0, 2)), "[6-3j, 1.5+6.25j, 0+0j]", dtype);
        check_text("addcmul", tn_addcmul(a, b, b, 2), "[7-6j, -2.625+1j, 128+4j]", dtype);
        check_text("addcmul complex", tn_addcmul(a, b, b, tn_scalar_complex(0, 1)), "[5+5j, -3.25+0.6875j, 0+68j]", dtype);
        check_text("addcdiv", tn_addcdiv(a, b, numbers("[1-1j, 0.5, 2j]", dtype), 2), "[4+3j, -1+1.5j, 0+12j]", dtype);
        check_text("lerp", tn_lerp_scalar(a, b, 0.25), "[1.25+1.25j, -2.125+0.4375j, -2+3j]", dtype);
        check_text("lerp to the end", tn_lerp(a, b, numbers("[1, 1, 0.5+0.5j]", dtype)), "[2-1j, 0.5+0.25j, -2-2j]", dtype);
        check_text("number", tn_mul_scalar(a, tn_scalar_complex(0, 1)), "[-2+1j, -0.5-3j, -4+0j]", dtype);
        check_text("reciprocal", tn_reciprocal(numbers("[2j, 0.5, 1-1j]", dtype)), "[0-0.5j, 2+0j, 0.5+0.5j]", dtype);
        check_text("ldexp", tn_ldexp(a, numbers("[1, -1, 3]", TN_INT32)), "[2+4j, -1.5+0.25j, 32j]", dtype);
        check_text("ldexp by parts", tn_ldexp(numbers("[1]", dtype), numbers("[0.5j]", dtype)),
                   wide ? "[0.9405421046832438+0.3396771251026685j]" : "[0.9405421+0.33967713j]", dtype);
    }
}

TEST(sums_take_the_parts_by_themselves) { /* torch multiplies by an alpha of 1, and makes NaN of parts beside an infinity */
    tn_tensor *a = numbers("[1+1j]", TN_COMPLEX64), *b = numbers("[inf+nanj]", TN_COMPLEX64);
    check_text("add", tn_add(a, b), "[inf+nanj]", TN_COMPLEX64);
    check_text("alpha", tn_add_alpha(a, b, -2.0), "[-inf+nanj]", TN_COMPLEX64);
    check_text("sub", tn_sub(numbers("[-0.0-0.0j]", TN_COMPLEX128), numbers("[0]", TN_COMPLEX128)), "[-0.0-0.0j]",
               TN_COMPLEX128);
}

TEST(magnitudes_and_quotients_do_not_overflow_on_the_way) {
    tn_tensor *large = numbers("[3e38+2e38j, 2.5e-45+0j, 3e-39-4e-39j]", TN_COMPLEX64);
    tn_tensor *size = tn_abs(large);
    CHECK(size);
    CHECK_INT(tn_dtype_of(size), TN_FLOAT32);
    CHECK_DOUBLE(element(size, 1).real, (double)2.5e-45f);
    CHECK(isinf(element(size, 0).real) && fabs(element(size, 2).real - 5e-39) < 1e-44);
    tn_tensor *huge = numbers("[1e308+1e308j, 3e-320+4e-320j]", TN_COMPLEX128);
    tn_tensor *wide = tn_abs(huge);
    CHECK(wide);
    CHECK_INT(tn_dtype_of(wide), TN_FLOAT64);
    CHECK(fabs(element(wide, 0).real / 1e308 - 1.4142135623730951) < 1e-15 && fabs(element(wide, 1).real - 5e-320) < 1e-323);
    check_text("huge", tn_div(huge, huge), "[1+0j, 1+0j]", TN_COMPLEX128);
    check_text("huge over tiny",
               tn_div(numbers("[1e308+1e308j, 0]", TN_COMPLEX128), numbers("[1e300, 1e-320j]", TN_COMPLEX128)),
               "[1e8+1e8j, 0+0j]", TN_COMPLEX128);
    check_text("single", tn_div(large, large), "[1+0j, 1+0j, 1+0j]", TN_COMPLEX64);
    tn_tensor *direction = tn_sgn(huge);
    CHECK(direction);
    check_number("sgn", 0, element(direction, 0), (tn_complex128){0.70710678118654752, 0.70710678118654752}, 3e-16, 0);
    check_number("sgn", 1, element(direction, 1), (tn_complex128){0.6, 0.8}, 1e-3, 0);
    check_text("sgn", tn_sgn(numbers("[3-4j, 0, -2]", TN_COMPLEX64)), "[0.6-0.8j, 0, -1+0j]", TN_COMPLEX64);
}

TEST(whole_powers_of_whole_numbers_are_whole_and_the_power_0_is_1) {
    for (int wide = 0; wide < 2; wide++) {
        tn_dtype dtype = wide ? TN_COMPLEX128 : TN_COMPLEX64;
        tn_tensor *base = numbers("[1j, 1+1j, 2-1j]", dtype);
        check_text("3", tn_pow(base, numbers("[3]", dtype)), "[0-1j, -2+2j, 2-11j]", dtype);
        check_text("8", tn_pow_scalar(base, 8), "[1+0j, 16+0j, -527+336j]", dtype);
        check_text("-2", tn_pow_scalar(base, -2), "[-1-0j, 0-0.5j, 0.12+0.16j]", dtype);
        check_text("0", tn_pow(numbers("[0, nan+nanj, inf]", dtype), numbers("[0]", dtype)), "[1, 1, 1]", dtype);
        check_text("of 0", tn_pow(numbers("[0]", dtype), numbers("[1+1j, 2, -1, -2.5, 1j]", dtype)),
                   "[0, 0, inf+nanj, inf+nanj, nan+nanj]", dtype);
        check_text("half", tn_pow_scalar(numbers("[-4+0j, -4-0.0j]", dtype), 0.5), "[0+2j, 0-2j]", dtype);
        check_text("of infinity", tn_pow_scalar(numbers("[inf]", dtype), 1.5), "[inf]", dtype);
    }
    tn_complex128 small = element(tn_pow_scalar(numbers("[1e200+1e200j]", TN_COMPLEX128), -40), 0);
    CHECK(small.real == 0 && small.imag == 0);
    tn_complex128 large = element(tn_pow_scalar(numbers("[3e30+1e30j]", TN_COMPLEX64), 64), 0);
    CHECK(isinf(large.real) && isinf(large.imag));
    check_text("integers", tn_pow_scalar(numbers("[2, 3]", TN_INT32), tn_scalar_complex(2, 0)), "[4, 9]", TN_COMPLEX64);
}

TEST(nan_to_num_looks_at_each_part) {
    tn_tensor *self = numbers("[nan+1j, inf-infj, 2+nanj]", TN_COMPLEX64);
    check_text("usual", tn_nan_to_num(self, TN_NO_SCALAR, TN_NO_SCALAR, TN_NO_SCALAR), "[1j, 3.4028235e38-3.4028235e38j, 2]",
               TN_COMPLEX64);
    check_text("given", tn_nan_to_num(self, 7, 8, 9), "[7+1j, 8+9j, 2+7j]", TN_COMPLEX64);
}

TEST(real_tensors_and_complex_numbers_meet_in_a_complex_dtype) {
    tn_tensor *real = numbers("[1, 2]", TN_FLOAT64), *whole = numbers("[1, 2]", TN_INT8),
              *single = numbers("[1j, 1]", TN_COMPLEX64);
    check_text("number", tn_add_scalar(real, tn_scalar_complex(0, 1)), "[1+1j, 2+1j]", TN_COMPLEX128);
    check_text("integers", tn_mul_scalar(whole, tn_scalar_complex(0, 1)), "[1j, 2j]", TN_COMPLEX64);
    check_text("tensors", tn_mul(real, single), "[1j, 2]", TN_COMPLEX128);
    check_text("integers and complex", tn_div(single, whole), "[1j, 0.5]", TN_COMPLEX64);
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written", tn_add_(real, single));
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written", tn_sqrt_out(real, single));
    check_text("untouched", real, "[1, 2]", TN_FLOAT64);
}

/* ---- conjugates, angles, parts */

TEST(a_conjugate_is_a_copy_for_complex_and_a_view_for_real_dtypes) {
    tn_tensor *complex = numbers("[1+2j, inf-0.0j, nan+nanj]", TN_COMPLEX64), *real = numbers("[1.5, -2]", TN_FLOAT32);
    tn_tensor *other = tn_conj(complex), *same = tn_conj(real), *copied = tn_conj_physical(real);
    CHECK(other && same && copied);
    check_text("conj", other, "[1-2j, inf+0.0j, nan+nanj]", TN_COMPLEX64);
    CHECK(tn_data(same) == tn_data(real) && tn_data(other) != tn_data(complex) && tn_data(copied) != tn_data(real));
    check_text("copied", copied, "[1.5, -2]", TN_FLOAT32);
    CHECK(tn_conj_physical_(complex) == complex);
    check_text("in place", complex, "[1-2j, inf+0.0j, nan+nanj]", TN_COMPLEX64);
    CHECK(tn_conj_physical_(real) == real);
    tn_tensor *out = tn_zeros(TN_DIMS(2), TN_COMPLEX128);
    CHECK(tn_conj_physical_out(out, real) == out);
    check_text("out", out, "[1.5, -2]", TN_COMPLEX128);
    static const tn_dtype dtypes[] = {TN_BOOL, TN_UINT8, TN_INT16, TN_INT64, TN_FLOAT16, TN_BFLOAT16, TN_FLOAT64};
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
        check_text("real dtypes", tn_conj_physical(numbers("[1, 0, 1]", dtypes[i])), "[1, 0, 1]", dtypes[i]);
}

TEST(angles_are_real_and_those_of_real_numbers_0_or_pi) {
    check_text("complex64", tn_angle(numbers("[1, 1j, -1+0.0j, -1-0.0j, 0, nan+1j, 1+1j]", TN_COMPLEX64)),
               "[0, 1.5707964, 3.1415927, -3.1415927, 0, nan, 0.7853982]", TN_FLOAT32);
    check_text("complex128", tn_angle(numbers("[-2j, -inf+infj]", TN_COMPLEX128)), "[-1.5707963267948966, 2.356194490192345]",
               TN_FLOAT64);
    check_text("float32", tn_angle(numbers("[2, -2, 0.0, -0.0, nan, -inf]", TN_FLOAT32)),
               "[0, 3.1415927, 0, 0, nan, 3.1415927]", TN_FLOAT32);
    check_text("float64", tn_angle(numbers("[-2, 3]", TN_FLOAT64)), "[3.141592653589793, 0]", TN_FLOAT64);
    check_text("float16", tn_angle(numbers("[-2, 3]", TN_FLOAT16)), "[3.140625, 0]", TN_FLOAT16);
    check_text("int64", tn_angle(numbers("[-2, 3]", TN_INT64)), "[3.1415927, 0]", TN_FLOAT32);
    check_text("bool", tn_angle(numbers("[true, false]", TN_BOOL)), "[0, 0]", TN_FLOAT32);
    tn_tensor *out = tn_zeros(TN_DIMS(2), TN_COMPLEX64);
    CHECK(tn_angle_out(out, numbers("[1j, -1]", TN_COMPLEX64)) == out);
    check_text("out", out, "[1.5707964, 3.1415927]", TN_COMPLEX64);
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written",
                tn_angle_out(tn_zeros(TN_DIMS(1), TN_INT32), numbers("[1j]", TN_COMPLEX64)));
}

TEST(complex_numbers_are_made_of_parts_and_of_magnitude_and_angle) {
    tn_tensor *real = numbers("[[1], [2]]", TN_FLOAT32), *imag = numbers("[3, -0.0, nan]", TN_FLOAT32);
    check_text("parts", tn_complex(real, imag), "[[1+3j, 1-0.0j, 1+nanj], [2+3j, 2-0.0j, 2+nanj]]", TN_COMPLEX64);
    check_text("wide", tn_complex(tn_to(real, TN_FLOAT64), numbers("[0.1]", TN_FLOAT64)), "[[1+0.1j], [2+0.1j]]",
               TN_COMPLEX128);
    check_text("narrow", tn_complex(numbers("[1.5]", TN_FLOAT16), numbers("[2]", TN_FLOAT16)), "[1.5+2j]", TN_COMPLEX64);
    tn_tensor *angle = numbers("[0, 1.5707963267948966, 3.141592653589793]", TN_FLOAT64), *size = numbers("[2]", TN_FLOAT64);
    check_text("polar", tn_polar(size, angle), "[2, 1.2246467991473532e-16+2j, -2+2.4492935982947064e-16j]", TN_COMPLEX128);
    check_text("polar, narrow", tn_polar(numbers("[-1, inf]", TN_BFLOAT16), numbers("[0, 1]", TN_BFLOAT16)),
               "[-1-0.0j, inf+infj]", TN_COMPLEX64);
    tn_tensor *out = tn_empty(TN_DIMS(0), TN_COMPLEX128);
    CHECK(tn_complex_out(out, real, real) == out);
    check_text("out", out, "[[1+1j], [2+2j]]", TN_COMPLEX128);
    tn_tensor *self = numbers("[1+2j, 3+4j]", TN_COMPLEX64), *again = tn_complex(tn_imag(self), tn_real(self));
    check_text("parts of another", again, "[2+1j, 4+3j]", TN_COMPLEX64);
    CHECK(tn_complex_out(self, tn_imag(self), tn_real(self)) == self);
    check_text("over its own parts", self, "[2+1j, 4+3j]", TN_COMPLEX64);
    CHECK_ERROR(TN_ERROR_DTYPE, "parts are floats", tn_complex(numbers("[1]", TN_INT64), numbers("[1]", TN_INT64)));
    CHECK_ERROR(TN_ERROR_DTYPE, "not defined for complex64", tn_polar(self, self));
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written", tn_polar_out(real, real, real));
    CHECK_ERROR(TN_ERROR_SHAPE, "broadcast", tn_complex(imag, numbers("[1, 2]", TN_FLOAT32)));
}

TEST(operators_that_need_an_order_refuse_complex_numbers) {
    tn_tensor *self = numbers("[1+2j]", TN_COMPLEX64);
    CHECK_ERROR(TN_ERROR_DTYPE, "sgn", tn_sign(self));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex64", tn_maximum(self, self));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex64", tn_clamp(self, 0, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex64", tn_floor(self));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex64", tn_relu(self));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex64", tn_atan2(self, self));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex64", tn_erf(self));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex64", tn_logaddexp2(self, self));
}

TEST(complex_operators_work_in_place_and_into_an_output) {
    tn_tensor *self = numbers("[3+4j, -1]", TN_COMPLEX128);
    CHECK(tn_sqrt_(self) == self);
    check_text("sqrt_", self, "[2+1j, 1j]", TN_COMPLEX128);
    CHECK(tn_mul_(self, self) == self);
    check_text("mul_", self, "[3+4j, -1]", TN_COMPLEX128);
    tn_tensor *half = tn_slice(self, 0, 0, 1, 1), *out = tn_zeros(TN_DIMS(2), TN_FLOAT64);
    CHECK(half && out);
    CHECK(tn_sgn_(half) == half);
    check_text("sgn_", self, "[0.6+0.8j, -1]", TN_COMPLEX128);
    CHECK(tn_abs_out(out, self) == out);
    check_text("abs_out", out, "[1, 1]", TN_FLOAT64);
}

TEST(the_parts_of_complex_numbers_have_one_dtype) {
    tn_tensor *a = tn_ones(TN_DIMS(2), TN_FLOAT32), *b = tn_ones(TN_DIMS(2), TN_FLOAT64);
    CHECK(a && b && tn_complex(a, a) && tn_polar(b, b));
    CHECK_ERROR(TN_ERROR_DTYPE, "the dtypes differ", tn_complex(a, b));
    CHECK_ERROR(TN_ERROR_DTYPE, "the dtypes differ", tn_polar(b, a));
    CHECK_ERROR(TN_ERROR_DTYPE, "the dtypes differ", tn_complex(a, tn_scalar_tensor(1, TN_FLOAT64)));
}
