/* special_functions.h - the special functions that few programs need, in double: what scalar/special.inc calls for float32 and
 * float64 alike. To be included once by whatever compiles those bodies.
 *
 * Each is within a few units of the last place of float64 (docs/accuracy.md), so that of float32 is nearly always the nearest
 * number. Nothing here loops for longer than a few hundred rounds, whatever the argument: orders of polynomials are limited.
 */
#ifndef TNI_SPECIAL_FUNCTIONS_H
#define TNI_SPECIAL_FUNCTIONS_H

#include <math.h>
#include <stdint.h>

#include "kernels/scalar/special_coefficients.inc"

#define TNI_SPECIAL_PI 3.14159265358979323846
#define TNI_SPECIAL_ROOT_HALF 0.70710678118654752440

/* Clenshaw's recurrence: t runs from -2 to 2. */
static double tni_special_series(const double *series, int count, double t) {
    double b0 = 0, b1 = 0, b2 = 0;
    for (int i = 0; i < count; i++) {
        b2 = b1;
        b1 = b0;
        b0 = t * b1 - b2 + series[i];
    }
    return 0.5 * (b0 - b2);
}
#define TNI_SPECIAL_SERIES(name, t)                                                                                            \
    tni_special_series(tni_special_##name, (int)(sizeof tni_special_##name / sizeof *tni_special_##name), (t))

/* ---- the normal distribution ---- */

/* -x log x, 0 at 0, and minus infinity below. */
static double tni_special_entr(double x) { return x > 0 ? -x * log(x) : x == 0 ? 0 : x < 0 ? -HUGE_VAL : x; }

/* e^(x^2) erfc(x). The square is kept in two parts: its rounding error would be multiplied by x^2. */
static double tni_special_erfcx(double x) {
    if (x > 25) { /* the asymptotic series */
        double s = 0.5 / (x * x), sum = 1;
        for (int k = 7; k > 0; k--)
            sum = 1 - (2 * k - 1) * s * sum;
        return sum / x * 0.56418958354775628695; /* x times a number would overflow at the end of the range */
    }
    if (x < -26.7)
        return HUGE_VAL;
    double square = x * x, rest = fma(x, x, -square);
    return exp(square) * (1 + rest) * erfc(x);
}

/* erfc(-x / sqrt(2)) / 2, with what rounding took from the argument put back: far below 0 it matters. */
static double tni_special_ndtr(double x) {
    double t = -x * TNI_SPECIAL_ROOT_HALF;
    if (!(fabs(t) < 27))
        return 0.5 * erfc(t);
    double rest = fma(-x, TNI_SPECIAL_ROOT_HALF, -t) + x * 0x1.bdd3413b26456p-55;
    return 0.5 * (erfc(t) - 1.12837916709551257390 * exp(-t * t) * rest);
}

static double tni_special_log_ndtr(double x) {
    return x < -1 ? log(tni_special_erfcx(-x * TNI_SPECIAL_ROOT_HALF) / 2) - 0.5 * x * x : log1p(-tni_special_ndtr(-x));
}

static double tni_special_ndtri(double p) {
    if (!(p > 0 && p < 1))
        return p == 0 ? -HUGE_VAL : p == 1 ? HUGE_VAL : NAN;
    double q = p - 0.5;
    if (q * q <= 0.18)
        return q * TNI_SPECIAL_SERIES(quantile_middle, q * q / 0.045 - 2);
    double r = sqrt(-log(q < 0 ? p : 1 - p));
    double tail =
        r < 5 ? TNI_SPECIAL_SERIES(quantile_tail, (r - 3.25) / 0.875) : TNI_SPECIAL_SERIES(quantile_far, (r - 16.5) / 5.75);
    return q < 0 ? tail : -tail;
}

static double tni_special_xlog1py(double x, double y) { return y != y ? y : x == 0 ? 0 : x * log1p(y); }

/* ---- Bessel functions ---- */

static double tni_special_i0e(double x) {
    double a = fabs(x);
    return a <= 8 ? TNI_SPECIAL_SERIES(i0_near, a / 2 - 2) : TNI_SPECIAL_SERIES(i0_far, 32 / a - 2) / sqrt(a);
}

static double tni_special_i1e(double x) {
    double a = fabs(x),
           y = a <= 8 ? TNI_SPECIAL_SERIES(i1_near, a / 2 - 2) * a : TNI_SPECIAL_SERIES(i1_far, 32 / a - 2) / sqrt(a);
    return copysign(y, x);
}

/* e^|x| in two steps, so that I(x) is finite as long as it fits. */
static double tni_special_grown(double scaled, double x) {
    double half = exp(fabs(x) / 2);
    return half == HUGE_VAL ? copysign(HUGE_VAL, scaled) : scaled * half * half;
}

static double tni_special_bessel_i0(double x) { return x != x ? x : tni_special_grown(tni_special_i0e(x), x); }
static double tni_special_i1(double x) { return x != x ? x : tni_special_grown(tni_special_i1e(x), x); }

static double tni_special_scaled_k0(double x) {
    if (!(x > 0))
        return x == 0 ? HUGE_VAL : NAN;
    return x <= 2 ? (TNI_SPECIAL_SERIES(k0_near, x * x - 2) - log(x / 2) * tni_special_bessel_i0(x)) * exp(x)
                  : TNI_SPECIAL_SERIES(k0_far, 8 / x - 2) / sqrt(x);
}

static double tni_special_scaled_k1(double x) {
    if (!(x > 0))
        return x == 0 ? HUGE_VAL : NAN;
    return x <= 2 ? (TNI_SPECIAL_SERIES(k1_near, x * x - 2) / x + log(x / 2) * tni_special_i1(x)) * exp(x)
                  : TNI_SPECIAL_SERIES(k1_far, 8 / x - 2) / sqrt(x);
}

static double tni_special_k0(double x) { return tni_special_scaled_k0(x) * exp(-x); }
static double tni_special_k1(double x) { return tni_special_scaled_k1(x) * exp(-x); }

/* Those of a negative number, and y of an infinite one, without an error of the C library. */
static double tni_special_y0(double x) { return x > 0 && x < HUGE_VAL ? y0(x) : x == 0 ? -HUGE_VAL : x == HUGE_VAL ? 0 : NAN; }
static double tni_special_y1(double x) { return x > 0 && x < HUGE_VAL ? y1(x) : x == 0 ? -HUGE_VAL : x == HUGE_VAL ? 0 : NAN; }

static double tni_special_spherical_j0(double x) {
    double a = fabs(x), s = x * x;
    if (a < 0.5)
        return 1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110 * (1 - s / 156)))));
    return a == HUGE_VAL ? 0 : sin(x) / x;
}

static double tni_special_airy_ai(double x) {
    if (x >= 0) {
        if (x <= 2)
            return TNI_SPECIAL_SERIES(airy_0, 2 * x - 2) * exp(-x);
        if (x <= 5)
            return TNI_SPECIAL_SERIES(airy_2, (x - 3.5) / 0.75) * exp(-1.75 * x);
        double root = sqrt(x), zeta = x * root / 1.5;
        if (zeta > 760)
            return 0;
        return TNI_SPECIAL_SERIES(airy_far, 4 * (7.45355992499929898803 / zeta) - 2) * exp(-zeta) / sqrt(root);
    }
    if (x >= -5)
        return TNI_SPECIAL_SERIES(airy_below, (x + 2.5) / 1.25);
    if (x == -HUGE_VAL || x != x)
        return x != x ? x : 0;
    double a = -x, root = sqrt(a), zeta = a * root / 1.5, t = 7.45355992499929898803 / zeta;
    double angle = zeta + TNI_SPECIAL_PI / 4, place = 4 * t * t - 2;
    return (sin(angle) * TNI_SPECIAL_SERIES(airy_sine, place) - cos(angle) * TNI_SPECIAL_SERIES(airy_cosine, place) / zeta) /
           (1.77245385090551602730 * sqrt(root));
}

/* ---- gamma functions ---- */

/* Hurwitz' zeta function, the sum of (q + k)^-x: some terms, and Euler and Maclaurin's formula for the rest. */
static double tni_special_zeta_positive(double x, double q) {
    double sum = 0, w = q;
    for (int k = 0; k < 10 || w < 10; k++, w += 1) {
        double term = pow(w, -x);
        sum += term;
        if (!(fabs(term) > 0x1p-54 * fabs(sum)))
            return sum;
    }
    double power = pow(w, -x), factor = x * power / w;
    sum += power * w / (x - 1) + power / 2;
    for (int j = 0; j < 12; j++) {
        double part = tni_special_zeta_terms[j] * factor;
        sum += part;
        if (!(fabs(part) > 0x1p-54 * fabs(sum)))
            break;
        factor *= (x + 2 * j + 1) / w * ((x + 2 * j + 2) / w);
    }
    return sum;
}

/* For q below 0, where only whole x have a real value, the sum over all whole numbers less those that are not in it. */
static double tni_special_zeta(double x, double q) {
    if (x != x || q != q)
        return NAN;
    if (x == 1)
        return HUGE_VAL;
    if (x < 1)
        return NAN;
    if (q == HUGE_VAL)
        return 0;
    if (q <= 0) {
        if (q == floor(q))
            return HUGE_VAL;
        if (x != floor(x) || q == -HUGE_VAL)
            return NAN;
        double f = q - floor(q), sign = fmod(x, 2) == 0 ? 1 : -1;
        return tni_special_zeta_positive(x, f) +
               sign * (tni_special_zeta_positive(x, 1 - f) - tni_special_zeta_positive(x, 1 - q));
    }
    return tni_special_zeta_positive(x, q);
}

/* n from 1: the derivative of order n of digamma. */
static double tni_special_polygamma(double n, double x) {
    if (x == -HUGE_VAL)
        return NAN;
    return (fmod(n, 2) == 0 ? -1 : 1) * tgamma(n + 1) * tni_special_zeta(n + 1, x);
}

/* x^a e^-x / gamma(a + 1). */
static double tni_special_gamma_term(double a, double x) {
    if (a < 20)
        return x < 500 ? pow(x, a) * exp(-x) / tgamma(a + 1) : exp(a * log(x) - x) / tgamma(a + 1);
    double u = (x - a) / a, b = 1 / (a * a), less;
    if (fabs(u) < 0.3) { /* u - log(1 + u), which cancel */
        double r = u / (2 + u), s = r * r, sum = 0;
        for (int k = 25; k > 1; k -= 2)
            sum = s * (1.0 / k + sum);
        less = r * (u - 2 * sum);
    } else
        less = u - log1p(u);
    double stirling = exp((1.0 / 12 - b * (1.0 / 360 - b * (1.0 / 1260 - b / 1680))) / a);
    return exp(-a * less) / (sqrt(2 * TNI_SPECIAL_PI * a) * stirling);
}

/* Gautschi's choice of formulas, with Temme's uniform expansion where a is large and x near it. Gives the lower of the two integrals
 * over gamma(a), P, or the upper, Q. */
static double tni_special_gamma_uniform(double a, double x, int upper) {
    double u = (x - a) / a, r = u / (2 + u), s = r * r, sum = 0;
    for (int k = 25; k > 1; k -= 2)
        sum = s * (1.0 / k + sum);
    double half = r * (u - 2 * sum), eta = copysign(sqrt(2 * half), u), total = 0; /* half: eta^2 / 2 */
    for (int k = 7; k >= 0; k--) {
        double row = 0;
        for (int n = 19; n >= 0; n--)
            row = row * eta + tni_special_gamma_uniform_rows[k * 20 + n];
        total = total / a + row;
    }
    double rest = exp(-a * half) / sqrt(2 * TNI_SPECIAL_PI * a) * total, sign = upper ? 1 : -1;
    return 0.5 * erfc(sign * eta * sqrt(a / 2)) + sign * rest;
}

static double tni_special_gamma_lower_series(double a, double x) {
    double term = 1, sum = 1;
    for (int n = 1; n < 2000 && term > 0x1p-54 * sum; n++) {
        term *= x / (a + n);
        sum += term;
    }
    return sum * tni_special_gamma_term(a, x);
}

static double tni_special_gamma_upper_fraction(double a, double x) { /* Lentz */
    const double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / (b == 0 ? tiny : b), h = d;
    for (int i = 1; i < 2000; i++) {
        double an = -i * (i - a);
        b += 2;
        d = an * d + b;
        c = b + an / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        double step = d * c;
        h *= step;
        if (fabs(step - 1) < 0x1p-53)
            break;
    }
    return h * a * tni_special_gamma_term(a, x);
}

static double tni_special_gamma_upper_series(double a, double x) { /* a and x small: 1 - P would cancel */
    double power = a * log(x) - a * TNI_SPECIAL_SERIES(gamma_log, a * 3.2 - 2), term = 1, sum = 0;
    for (int n = 1; n < 200; n++) {
        term *= -x / n;
        sum += term / (a + n);
        if (fabs(term) < 0x1p-56)
            break;
    }
    return -expm1(power) - a * exp(power) * sum;
}

static double tni_special_gamma_part(double a, double x, int upper) {
    if (!(a >= 0 && x >= 0) || (a == 0 && x == 0) || (a == HUGE_VAL && x == HUGE_VAL))
        return NAN;
    if (x == 0 || a == HUGE_VAL)
        return upper;
    if (a == 0 || x == HUGE_VAL)
        return !upper;
    if (a >= 200 && fabs(x - a) < 0.3 * a)
        return tni_special_gamma_uniform(a, x, upper);
    if (x > 1.1) {
        if (x > a) {
            double q = tni_special_gamma_upper_fraction(a, x);
            return upper ? q : 1 - q;
        }
    } else if (upper && (x <= 0.5 ? a <= -0.4 / log(x) : a <= 1.1 * x))
        return tni_special_gamma_upper_series(a, x);
    double p = tni_special_gamma_lower_series(a, x);
    return upper ? 1 - p : p;
}

static double tni_special_igamma(double a, double x) { return tni_special_gamma_part(a, x, 0); }
static double tni_special_igammac(double a, double x) { return tni_special_gamma_part(a, x, 1); }

/* ---- orthogonal polynomials ----
 *
 * Of whole orders: fractions are cut off, below 0 the value is 0. Chebyshev's are cosines of many angles between -1 and 1, and found
 * by doubling outside; the others follow their recurrences, up to an order that no computation with this many roundings exceeds
 * with profit. */
#define TNI_SPECIAL_ORDERS 1000000

/* kind: 0 to 3 for T, U, V, W. T(n) = 2 x T(n - 1) - T(n - 2), and only the second one differs: x, 2 x, 2 x - 1, 2 x + 1. */
static double tni_special_chebyshev(double x, double order, int kind) {
    double n = trunc(order);
    if (!(n >= 0))
        return n < 0 ? 0 : NAN;
    double first = kind == 0 ? x : kind == 1 ? 2 * x : kind == 2 ? 2 * x - 1 : 2 * x + 1;
    if (n == 0)
        return 1;
    if (n <= 16) {
        double p = 1, q = first;
        for (int k = 1; k < (int)n; k++) {
            double next = 2 * x * q - p;
            p = q;
            q = next;
        }
        return q;
    }
    double even = fmod(n, 2) == 0 ? 1 : -1;
    if (fabs(x) == 1) {                                                     /* limits of the quotients below */
        static const double slope[4][2] = {{0, 1}, {1, 1}, {0, 1}, {2, 1}}; /* at 1: slope n + 1 */
        int mirrored = kind == 2 ? 3 : kind == 3 ? 2 : kind;
        return x > 0 ? slope[kind][0] * n + slope[kind][1] : even * (slope[mirrored][0] * n + slope[mirrored][1]);
    }
    if (fabs(x) < 1) {
        double angle = acos(x);
        return kind == 0   ? cos(n * angle)
               : kind == 1 ? sin((n + 1) * angle) / sin(angle)
               : kind == 2 ? cos((n + 0.5) * angle) / cos(angle / 2)
                           : sin((n + 0.5) * angle) / sin(angle / 2);
    }
    if (x != x)
        return x;
    double a = fabs(x), arc = acosh(a); /* x below -1: V and W change places */
    if (x < 0 && kind > 1)
        kind = 5 - kind;
    double y = kind == 0   ? cosh(n * arc)
               : kind == 1 ? sinh((n + 1) * arc) / sinh(arc)
               : kind == 2 ? cosh((n + 0.5) * arc) / cosh(arc / 2)
                           : sinh((n + 0.5) * arc) / sinh(arc / 2);
    return x < 0 ? even * y : y;
}

/* p(k + 1) = (of k and x) p(k) - (of k) p(k - 1). kind: 0 Hermite's H, 1 He, 2 Laguerre, 3 Legendre. */
static double tni_special_recurrence(double x, double order, int kind) {
    if (!(order > -1))
        return order <= -1 ? 0 : NAN;
    if (order < 1)
        return 1;
    if (order >= TNI_SPECIAL_ORDERS)
        return NAN;
    int n = (int)order;
    double p = 1, q = kind == 0 ? 2 * x : kind == 2 ? 1 - x : x;
    for (int k = 1; k < n && q == q; k++) {
        double next = kind == 0   ? 2 * x * q - 2 * k * p
                      : kind == 1 ? x * q - k * p
                      : kind == 2 ? ((2 * k + 1 - x) * q - k * p) / (k + 1)
                                  : ((2 * k + 1) * x * q - k * p) / (k + 1);
        p = q;
        q = next;
    }
    return q;
}

#endif
