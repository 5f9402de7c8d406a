/* gradients_math.c - derivatives of functions and activations that are more than an expression. */
#include <string.h>

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_math.h"
#include "operators_select.h"
#include "operators_view.h"

static tn_scalar number(double x) { return tn_scalar_float(x); }

/* The derivative of digamma, sum over k of 1 / (x + k)^2: eight terms, and from there on the asymptotic series; below 1/2 by
 * reflection, pi^2 / sin^2(pi x) - trigamma(1 - x). */
static tn_tensor *math_trigamma_above(const tn_tensor *x) {
    static const double series[] = {1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6};
    tn_tensor *sum = NULL;
    for (int k = 0; k < 8; k++) {
        tn_tensor *term = tn_reciprocal(tn_square(tn_add_scalar(x, number(k))));
        sum = k ? tn_add(sum, term) : term;
    }
    tn_tensor *far = tn_reciprocal(tn_add_scalar(x, number(8))), *square = tn_square(far);
    tn_tensor *tail = tn_full_like(far, number(0), TN_DTYPE_DEFAULT, TN_PRESERVE);
    for (int k = 6; k >= 0; k--)
        tail = tn_mul(tn_add_scalar(tail, number(series[k])), square);
    /* 1/y + 1/(2 y^2) + (1/y) (B2/y^2 + B4/y^4 + ...) */
    tn_tensor *rest = tn_add(tn_add(far, tn_mul_scalar(square, number(0.5))), tn_mul(far, tail));
    return tn_add(sum, rest);
}

tn_tensor *tni_gradient_trigamma(const tn_tensor *self) {
    const double pi = 3.14159265358979323846;
    tn_tensor *low = tn_lt_scalar(self, number(0.5));
    tn_tensor *above = math_trigamma_above(tn_where(low, tn_rsub_scalar(self, number(1), number(1)), self));
    tn_tensor *mirror = tn_mul_scalar(tn_reciprocal(tn_square(tn_sin(tn_mul_scalar(self, number(pi))))), number(pi * pi));
    return tn_where(low, tn_sub(mirror, above), above);
}

/* The modified Bessel function of order 1, the derivative of i0: below 20 x/2 times the sum of (x^2/4)^k / (k! (k+1)!), whose terms
 * are all positive; above, exp(x) / sqrt(2 pi x) times its asymptotic series. */
tn_tensor *tni_gradient_bessel_i1(const tn_tensor *self) {
    enum { NEAR = 20, TERMS = 44, FAR_TERMS = 26 };
    bool wide = self->dtype == TN_FLOAT64 || self->dtype == TN_FLOAT32;
    const tn_tensor *x = wide ? self : tn_to(self, TN_FLOAT32);
    tn_tensor *near = tn_clamp(x, number(-NEAR), number(NEAR)), *square = tn_mul_scalar(tn_square(near), number(0.25));
    tn_tensor *series = tn_ones_like(near, TN_DTYPE_DEFAULT, TN_PRESERVE);
    for (int k = TERMS; k > 0; k--) /* 1 + q / (1 * 2) (1 + q / (2 * 3) (1 + ... */
        series = tn_add_scalar(tn_mul(series, tn_mul_scalar(square, number(1.0 / (k * (k + 1.0))))), number(1));
    tn_tensor *below = tn_mul(tn_mul_scalar(near, number(0.5)), series);
    tn_tensor *size = tn_clamp_min(tn_abs(x), number(NEAR)), *inverse = tn_reciprocal(size);
    tn_tensor *tail = tn_ones_like(size, TN_DTYPE_DEFAULT, TN_PRESERVE);
    for (int k = FAR_TERMS; k > 0; k--)
        tail = tn_add_scalar(tn_mul(tail, tn_mul_scalar(inverse, number(-(4 - (2 * k - 1.0) * (2 * k - 1.0)) / (8.0 * k)))),
                             number(1));
    tn_tensor *scale = tn_sqrt(tn_mul_scalar(inverse, number(0.15915494309189535))); /* 1 / (2 pi x) */
    tn_tensor *above = tn_mul(tn_mul(tn_exp(size), scale), tn_mul(tail, tn_sign(x)));
    return tn_where(tn_gt_scalar(tn_abs(x), number(NEAR)), above, below);
}

tn_tensor *tni_gradient_silu(const tn_tensor *grad, const tn_tensor *self) {
    tn_tensor *s = tn_sigmoid(self);
    tn_tensor *slope = tn_mul(s, tn_add_scalar(tn_mul(self, tn_rsub_scalar(s, number(1), number(1))), number(1)));
    return tn_mul(grad, tni_conj_of(slope));
}

/* mish is x tanh(softplus x) */
tn_tensor *tni_gradient_mish(const tn_tensor *grad, const tn_tensor *self) {
    tn_tensor *t = tn_tanh(tn_softplus(self));
    tn_tensor *bend = tn_mul(tn_mul(self, tn_sigmoid(self)), tn_rsub_scalar(tn_square(t), number(1), number(1)));
    return tn_mul(grad, tn_add(t, bend));
}

tn_tensor *tni_gradient_gelu_approximate(const tn_tensor *grad, const tn_tensor *self, const char *approximate) {
    tn_tensor *square = tn_square(self);
    if (!approximate || strcmp(approximate, "tanh") != 0) {
        tn_tensor *share =
            tn_mul_scalar(tn_add_scalar(tn_erf(tn_mul_scalar(self, number(0.70710678118654752))), number(1)), number(0.5));
        tn_tensor *bell = tn_mul_scalar(tn_exp(tn_mul_scalar(square, number(-0.5))), number(0.39894228040143268));
        return tn_mul(grad, tn_add(share, tn_mul(self, bell)));
    }
    /* x (1 + tanh u) / 2 with u = a (x + b x^3) */
    const double a = 0.79788456080286536, b = 0.044715;
    tn_tensor *t = tn_tanh(tn_mul_scalar(tn_mul(self, tn_add_scalar(tn_mul_scalar(square, number(b)), number(1))), number(a)));
    tn_tensor *inner = tn_mul_scalar(tn_add_scalar(tn_mul_scalar(square, number(3 * b)), number(1)), number(0.5 * a));
    tn_tensor *bend = tn_mul(tn_mul(self, tn_rsub_scalar(tn_square(t), number(1), number(1))), inner);
    return tn_mul(grad, tn_add(tn_mul_scalar(tn_add_scalar(t, number(1)), number(0.5)), bend));
}

/* The angle of z grows along i z / |z|^2. That of a real number does not change. */
tn_tensor *tni_gradient_angle(const tn_tensor *grad, const tn_tensor *self) {
    if (!tn_dtype_is_complex((tn_dtype)self->dtype))
        return tn_zeros_like(grad, TN_DTYPE_DEFAULT, TN_PRESERVE);
    tn_tensor *square = tn_real(tn_mul(self, tn_conj(self)));
    tn_tensor *along = tn_mul(tn_mul_scalar(self, tn_scalar_complex(0, 1)), tn_div(grad, square));
    return tn_where_self_scalar(tn_eq_scalar(square, tn_scalar_int(0)), tn_scalar_int(0), along);
}

tn_tensor *tni_gradient_polar_angle(const tn_tensor *grad, const tn_tensor *result) {
    return tn_real(tn_mul(tn_conj(grad), tn_mul_scalar(result, tn_scalar_complex(0, 1))));
}
