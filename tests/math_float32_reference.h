/* math_float32_reference.h - the truth about the functions of float32_list.inc, as doubles good to 40 bits and more.
 *
 * Straight from the definitions, in long double where a double would lose too much, with nothing shared with what is tested.
 * Slow, scalar, and as plain as possible. Special values are those of C, of the array API standard, and of PyTorch where the
 * function is PyTorch's own.
 */
#ifndef MATH_FLOAT32_REFERENCE_H
#define MATH_FLOAT32_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct math_float32_reference {
    const char *name;
    double (*of_1)(double x); /* this or the next */
    double (*of_2)(double x, double y);
} math_float32_reference;

#define REFERENCE_PI 3.14159265358979323846264338327950288L

static double reference_erfinv(double x) {
    if (!(fabs(x) < 1.0))
        return fabs(x) == 1.0 ? copysign(INFINITY, x) : NAN;
    if (x == 0.0)
        return x;
    long double target = fabsl((long double)x), tail = 1.0L - target;
    /* Newton on erf or, where that is flat, on log erfc; from Winitzki's estimate. */
    long double w = log1pl(-target * target), part = 2.0L / (REFERENCE_PI * 0.147L) + w / 2.0L;
    long double y = sqrtl(sqrtl(part * part - w / 0.147L) - part);
    for (int step = 0; step < 5; step++) {
        long double slope = 2.0L / sqrtl(REFERENCE_PI) * expl(-y * y);
        if (target < 0.5L)
            y -= (erfl(y) - target) / slope;
        else
            y += logl(erfcl(y) / tail) * erfcl(y) / slope;
    }
    if (target < 1e-5L) { /* where erfl - target has lost its digits */
        long double half = sqrtl(REFERENCE_PI) / 2.0L * target;
        y = half + half * half * half / 3.0L;
    }
    return (double)copysignl(y, (long double)x);
}

static double reference_i0(double x) {
    if (isnan(x) || isinf(x))
        return NAN;
    long double a = fabsl((long double)x), sum = 1.0L, term = 1.0L;
    if (a > 700.0L)
        return INFINITY;
    if (a < 40.0L) {
        for (int k = 1; term > sum * 1e-21L; k++)
            sum += term *= a * a / (4.0L * k * k);
        return (double)sum;
    }
    for (int k = 1; k < 30; k++)
        sum += term *= (2.0L * k - 1.0L) * (2.0L * k - 1.0L) / (8.0L * k * a);
    return (double)(expl(a) / sqrtl(2.0L * REFERENCE_PI * a) * sum);
}

static long double reference_digamma_right(long double x) {
    long double sum = 0.0L;
    for (; x < 30.0L; x += 1.0L)
        sum -= 1.0L / x;
    long double z = 1.0L / (x * x);
    long double series =
        z * (1.0L / 12 - z * (1.0L / 120 -
                              z * (1.0L / 252 - z * (1.0L / 240 - z * (1.0L / 132 - z * (691.0L / 32760 - z * (1.0L / 12)))))));
    return sum + logl(x) - 0.5L / x - series;
}

static double reference_digamma(double x) {
    if (x == 0.0)
        return copysign(INFINITY, -x);
    if (x > 0.0 || isnan(x))
        return isinf(x) || isnan(x) ? x : (double)reference_digamma_right((long double)x);
    if (isinf(x) || x == floor(x))
        return NAN;
    long double r = (long double)x - rintl((long double)x);
    long double cotangent = fabsl(r) > 0.25L ? tanl(REFERENCE_PI * (copysignl(0.5L, r) - r)) : 1.0L / tanl(REFERENCE_PI * r);
    return (double)(reference_digamma_right(1.0L - (long double)x) - REFERENCE_PI * cotangent);
}

static double reference_lgamma(double x) { return (double)lgammal((long double)x); }

static double reference_sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

static double reference_logit(double x) {
    if (x > 0.25 && x < 0.75)
        return (double)log1pl((2.0L * (long double)x - 1.0L) / (1.0L - (long double)x));
    return x < 0.0 || x > 1.0 ? NAN : log(x / (1.0 - x));
}

static double reference_log1pexp(double x) { return x > 0.0 ? x + log1p(exp(-x)) : log1p(exp(x)); }

static double reference_gelu(double x) {
    if (x > 0.0)
        return isinf(x) ? x : (double)((long double)x * 0.5L * erfcl(-(long double)x / sqrtl(2.0L)));
    return x == 0.0 ? x : (double)((long double)x * (0.5L * erfcl(-(long double)x / sqrtl(2.0L))));
}

static double reference_gelu_tanh(double x) {
    long double w = (long double)x, u = sqrtl(2.0L / REFERENCE_PI) * (w + 0.044715L * w * w * w);
    return (double)(w * (1.0L / (1.0L + expl(-2.0L * u))));
}

static double reference_silu(double x) { return (double)((long double)x * (1.0L / (1.0L + expl(-(long double)x)))); }

static double reference_mish(double x) { return x * tanh(reference_log1pexp(x)); }

static double reference_sinc(double x) {
    if (x == 0.0)
        return 1.0;
    long double a = fabsl((long double)x), whole = rintl(a);
    long double sine = sinl(REFERENCE_PI * (a - whole));
    return isinf(x) ? NAN : (double)((fmodl(whole, 2.0L) != 0.0L ? -sine : sine) / (REFERENCE_PI * a));
}

static double reference_rsqrt(double x) { return 1.0 / sqrt(x); }

static double reference_pow(double x, double y) { return pow(x, y); }

static double reference_logaddexp(double x, double y) {
    long double larger = (long double)(x > y ? x : y), difference = x == y ? 0.0L : fabsl((long double)x - (long double)y);
    return (double)(larger + log1pl(expl(-difference)));
}

static double reference_logaddexp2(double x, double y) {
    long double larger = (long double)(x > y ? x : y), difference = x == y ? 0.0L : fabsl((long double)x - (long double)y);
    return (double)(larger + log1pl(exp2l(-difference)) / logl(2.0L));
}

static double reference_remainder(double x, double y) {
    float rest = fmodf((float)x, (float)y);
    return (double)(rest != 0.0f && (rest < 0.0f) != (y < 0.0) ? rest + (float)y : rest);
}

static double reference_nextafter(double x, double y) { return (double)nextafterf((float)x, (float)y); }

static double reference_ldexp(double x, double e) {
    double power = e > 500.0 && !isinf(e) ? 0x1p500 : e < -500.0 && !isinf(e) ? 0x1p-500 : exp2(e);
    return x * power;
}

static double reference_xlogy(double x, double y) { return isnan(y) ? y : x == 0.0 ? 0.0 : x * log(y); }

static const math_float32_reference math_float32_references[] = {
    {"exp", exp, NULL},
    {"exp2", exp2, NULL},
    {"expm1", expm1, NULL},
    {"log", log, NULL},
    {"log2", log2, NULL},
    {"log10", log10, NULL},
    {"log1p", log1p, NULL},
    {"sin", sin, NULL},
    {"cos", cos, NULL},
    {"tan", tan, NULL},
    {"asin", asin, NULL},
    {"acos", acos, NULL},
    {"atan", atan, NULL},
    {"sinh", sinh, NULL},
    {"cosh", cosh, NULL},
    {"tanh", tanh, NULL},
    {"asinh", asinh, NULL},
    {"acosh", acosh, NULL},
    {"atanh", atanh, NULL},
    {"erf", erf, NULL},
    {"erfc", erfc, NULL},
    {"erfinv", reference_erfinv, NULL},
    {"lgamma", reference_lgamma, NULL},
    {"digamma", reference_digamma, NULL},
    {"i0", reference_i0, NULL},
    {"sigmoid", reference_sigmoid, NULL},
    {"logit", reference_logit, NULL},
    {"log1pexp", reference_log1pexp, NULL},
    {"gelu", reference_gelu, NULL},
    {"gelu_tanh", reference_gelu_tanh, NULL},
    {"silu", reference_silu, NULL},
    {"mish", reference_mish, NULL},
    {"sinc", reference_sinc, NULL},
    {"rsqrt", reference_rsqrt, NULL},
    {"sqrt", sqrt, NULL},
    {"cbrt", cbrt, NULL},
    {"atan2", NULL, atan2},
    {"pow", NULL, reference_pow},
    {"hypot", NULL, hypot},
    {"logaddexp", NULL, reference_logaddexp},
    {"logaddexp2", NULL, reference_logaddexp2},
    {"fmod", NULL, fmod},
    {"remainder", NULL, reference_remainder},
    {"nextafter", NULL, reference_nextafter},
    {"ldexp", NULL, reference_ldexp},
    {"xlogy", NULL, reference_xlogy},
};

enum { MATH_FLOAT32_REFERENCES = sizeof math_float32_references / sizeof *math_float32_references };

static inline const math_float32_reference *math_float32_reference_of(const char *name) {
    for (int i = 0; i < MATH_FLOAT32_REFERENCES; i++)
        if (strcmp(math_float32_references[i].name, name) == 0)
            return &math_float32_references[i];
    return NULL;
}

/* How far `got` is from the truth, in units of the last place that a float has at the truth. An infinity counts as 2^128, what
 * comes after the largest float. 1e9 when one is NaN and the other not, or when a zero has the wrong sign. */
static inline double math_float32_error(float got, double truth) {
    if (isnan(truth) || isnan(got))
        return isnan(truth) && isnan(got) ? 0.0 : 1e9;
    if ((float)truth == got && got == 0.0f && !signbit(got) != !signbit(truth))
        return 1e9;
    double value = isinf(got) ? copysign(0x1p128, (double)got) : (double)got;
    double limited = fabs(truth) > 0x1p128 ? copysign(0x1p128, truth) : truth;
    uint64_t bits;
    memcpy(&bits, &limited, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    exponent = exponent < -126 ? -126 : exponent > 127 ? 127 : exponent;
    uint64_t ulp_bits = (uint64_t)(exponent - 23 + 1023) << 52;
    double ulp;
    memcpy(&ulp, &ulp_bits, sizeof ulp);
    return fabs(value - limited) / ulp;
}

#endif
