/* gradients_arithmetic.c - derivatives of arithmetic that are more than an expression. */
#include <math.h>

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_logic.h"
#include "operators_math.h"
#include "operators_select.h"
#include "operators_view.h"

/* d(x^n)/dx = n x^(n-1): 0 for n = 0, even where x is 0. */
tn_tensor *tni_gradient_pow_self(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *exponent) {
    if (exponent->dtype == TN_BOOL && !(exponent = tn_to(exponent, TN_INT64)))
        return NULL;
    tn_tensor *slope = tn_mul(exponent, tn_pow(self, tn_sub_scalar(exponent, tn_scalar_int(1))));
    tn_tensor *full = tn_mul(grad, tni_conj_of(slope));
    return tn_where_self_scalar(tn_eq_scalar(exponent, tn_scalar_int(0)), tn_scalar_int(0), full);
}

tn_tensor *tni_gradient_pow_self_scalar(const tn_tensor *grad, const tn_tensor *self, tn_scalar exponent) {
    if (exponent.kind != TN_SCALAR_COMPLEX && tni_number_real(exponent) == 0)
        return tn_zeros_like(self, (tn_dtype)grad->dtype, TN_PRESERVE);
    tn_tensor *slope = tn_mul_scalar(tn_pow_scalar(self, tni_number_sub(exponent, tn_scalar_int(1))), exponent);
    return tn_mul(grad, tni_conj_of(slope));
}

/* d(x^n)/dn = x^n log x, and 0 where x is 0 and n is not negative. */
static tn_tensor *arithmetic_pow_slope(const tn_tensor *grad, const tn_tensor *result, const tn_tensor *self,
                                       const tn_tensor *flat) {
    tn_tensor *log = tn_log(tn_masked_fill(tn_to(self, (tn_dtype)result->dtype), flat, tn_scalar_int(1)));
    return tn_mul(grad, tni_conj_of(tn_mul(result, log)));
}

tn_tensor *tni_gradient_pow_exponent(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *exponent,
                                     const tn_tensor *result) {
    tn_tensor *zero = tn_eq_scalar(self, tn_scalar_int(0));
    bool complex = tn_dtype_is_complex((tn_dtype)exponent->dtype);
    tn_tensor *flat = complex ? zero : tn_logical_and(zero, tn_ge_scalar(exponent, tn_scalar_int(0)));
    return arithmetic_pow_slope(grad, result, self, flat);
}

tn_tensor *tni_gradient_pow_exponent_rscalar(const tn_tensor *grad, tn_scalar self, const tn_tensor *exponent,
                                             const tn_tensor *result) {
    tn_tensor *base = tn_full_like(result, self, TN_DTYPE_DEFAULT, TN_PRESERVE);
    return tni_gradient_pow_exponent(grad, base, exponent, result);
}

/* The sign of a real number does not change. Of a complex one, x / |x|, what changes is at a right angle to it. */
tn_tensor *tni_gradient_sgn(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *result) {
    if (!tn_dtype_is_complex((tn_dtype)self->dtype))
        return tn_zeros_like(grad, TN_DTYPE_DEFAULT, TN_PRESERVE);
    tn_tensor *size = tn_abs(self), *along = tn_mul(tn_real(tn_mul(grad, tn_conj(result))), result);
    tn_tensor *across = tn_div(tn_sub(grad, along), size);
    return tn_where_self_scalar(tn_eq_scalar(size, tn_scalar_int(0)), tn_scalar_int(0), across);
}

/* Which of the two fmax or fmin took: self, unless it is NaN or beyond the other. */
tn_tensor *tni_gradient_fmax_is_self(const tn_tensor *self, const tn_tensor *other, const tn_tensor *result) {
    (void)result;
    return tn_logical_or(tn_ge(self, other), tn_isnan(other));
}

tn_tensor *tni_gradient_fmax_is_self_scalar(const tn_tensor *self, tn_scalar other, const tn_tensor *result) {
    (void)result;
    return isnan(tni_number_real(other)) ? tn_ones_like(self, TN_BOOL, TN_PRESERVE) : tn_ge_scalar(self, other);
}

tn_tensor *tni_gradient_fmin_is_self(const tn_tensor *self, const tn_tensor *other, const tn_tensor *result) {
    (void)result;
    return tn_logical_or(tn_le(self, other), tn_isnan(other));
}

tn_tensor *tni_gradient_fmin_is_self_scalar(const tn_tensor *self, tn_scalar other, const tn_tensor *result) {
    (void)result;
    return isnan(tni_number_real(other)) ? tn_ones_like(self, TN_BOOL, TN_PRESERVE) : tn_le_scalar(self, other);
}

/* What is inside both bounds, the bounds included, goes through. */
tn_tensor *tni_gradient_clamp(const tn_tensor *grad, const tn_tensor *self, tn_scalar min, tn_scalar max) {
    tn_tensor *inside = min.kind == TN_SCALAR_NONE ? NULL : tn_ge_scalar(self, min);
    if (max.kind != TN_SCALAR_NONE) {
        tn_tensor *below = tn_le_scalar(self, max);
        inside = min.kind == TN_SCALAR_NONE ? below : tn_logical_and(inside, below);
    }
    return tn_where_other_scalar(inside, grad, tn_scalar_int(0));
}

tn_tensor *tni_gradient_clamp_tensor(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *min, const tn_tensor *max) {
    tn_tensor *inside = min ? tn_ge(self, min) : NULL, *below = max ? tn_le(self, max) : NULL;
    return tn_where_other_scalar(inside && below ? tn_logical_and(inside, below)
                                 : inside        ? inside
                                                 : below,
                                 grad, tn_scalar_int(0));
}

/* A bound gets what it replaced; where the lower is above the upper, the upper one counts. */
tn_tensor *tni_gradient_clamp_tensor_min(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *min,
                                         const tn_tensor *max) {
    tn_tensor *bound = tn_lt(self, min);
    return tn_where_other_scalar(max ? tn_logical_and(bound, tn_lt(min, max)) : bound, grad, tn_scalar_int(0));
}

tn_tensor *tni_gradient_clamp_tensor_max(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *min,
                                         const tn_tensor *max) {
    tn_tensor *bound = tn_gt(self, max);
    return tn_where_other_scalar(min ? tn_logical_or(bound, tn_lt(max, min)) : bound, grad, tn_scalar_int(0));
}
