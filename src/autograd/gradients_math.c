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
    if (!approximate || strcmp(approximate, "tanh") != 0)
        return tn_gelu_backward(grad, self);
    tn_tensor *square = tn_square(self);
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
