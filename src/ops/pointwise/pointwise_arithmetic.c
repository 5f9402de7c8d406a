/* pointwise_arithmetic.c - the arithmetic operators that look at their arguments before the common part takes over.
 *
 * Each has one function that prepares a call (pointwise_prepare.h), from which its variants are generated.
 */
#include <math.h>

#include "base/error.h"
#include "kernels_arithmetic.h"
#include "kernels_logic.h"
#include "kernels_shared.h"
#include "operators_arithmetic.h"
#include "operators_view.h"
#include "ops/pointwise/pointwise_prepare.h"

#define ARITHMETIC_NO_BOOL "use logical_xor of two bools, or logical_not to invert one"

/* ---- alpha: a factor that must not be of a higher kind than the result */

/* self + or - alpha * other. A number may replace self, which is then NULL. */
static void prepare_alpha(tni_prepared *call, int kernel, uint8_t kinds, const tn_tensor *self, const tn_scalar *number,
                          const tn_tensor *other, tn_scalar alpha) {
    tni_prepared_begin(call, kernel, PROMOTE, kinds & TNI_TAKES_BOOL ? CHECK_NOTHING : CHECK_NO_BOOL, kinds);
    if (!(kinds & TNI_TAKES_BOOL))
        call->spec.advice = ARITHMETIC_NO_BOOL;
    if (self)
        tni_prepared_tensor(call, self);
    else
        tni_prepared_number(call, *number);
    tni_prepared_tensor(call, other);
    tn_dtype dtype = tni_pointwise_dtype(&call->spec, call->arguments);
    call->ready = dtype != TN_DTYPE_DEFAULT;
    if (!call->ready)
        return;
    bool fits = alpha.kind == TN_SCALAR_BOOL      ? dtype == TN_BOOL
                : alpha.kind == TN_SCALAR_FLOAT   ? !tn_dtype_is_integral(dtype)
                : alpha.kind == TN_SCALAR_COMPLEX ? tn_dtype_is_complex(dtype)
                                                  : true;
    if (!fits) {
        tni_raise(TN_ERROR_DTYPE, "alpha = %s cannot multiply a result of dtype %s", tni_show_scalar(alpha),
                  tn_dtype_name(dtype));
        call->ready = false;
        return;
    }
    tni_parameters_set(&call->parameters, 0, alpha);
}

bool tni_prepare_add_alpha(tni_prepared *call, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    prepare_alpha(call, TNI_KERNEL_add_alpha, TNI_TAKES_ALL, self, NULL, other, alpha);
    return call->ready;
}

bool tni_prepare_sub_alpha(tni_prepared *call, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    prepare_alpha(call, TNI_KERNEL_sub_alpha, TNI_ARITHMETIC_SIGNED, self, NULL, other, alpha);
    return call->ready;
}

bool tni_prepare_rsub(tni_prepared *call, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    prepare_alpha(call, TNI_KERNEL_sub_alpha, TNI_ARITHMETIC_SIGNED, other, NULL, self, alpha);
    return call->ready;
}
bool tni_prepare_rsub_scalar(tni_prepared *call, const tn_tensor *self, tn_scalar other, tn_scalar alpha) {
    prepare_alpha(call, TNI_KERNEL_sub_alpha, TNI_ARITHMETIC_SIGNED, NULL, &other, self, alpha);
    return call->ready;
}

/* ---- division with a rounding mode */

/* One of the two may be a number: then the other is NULL. */
static void prepare_division(tni_prepared *call, const tn_tensor *self, const tn_tensor *other, const tn_scalar *number,
                             const char *mode) {
    if (strcmp(mode, "none") == 0)
        tni_prepared_begin(call, TNI_KERNEL_div, FLOATING, CHECK_NOTHING, TNI_TAKES_FLOAT | TNI_TAKES_COMPLEX);
    else
        tni_prepared_begin(call, strcmp(mode, "floor") == 0 ? TNI_KERNEL_div_floor : TNI_KERNEL_div_trunc, PROMOTE,
                           CHECK_DIVISOR, TNI_ARITHMETIC_REAL);
    if (self)
        tni_prepared_tensor(call, self);
    else
        tni_prepared_number(call, *number);
    if (other)
        tni_prepared_tensor(call, other);
    else
        tni_prepared_number(call, *number);
    if (strcmp(mode, "none") != 0 && strcmp(mode, "floor") != 0 && strcmp(mode, "trunc") != 0) {
        tni_raise(TN_ERROR_ARGUMENT, "rounding_mode '%.20s' must be 'floor', 'trunc' or 'none'", mode);
        call->ready = false;
    }
}

bool tni_prepare_div_mode(tni_prepared *call, const tn_tensor *self, const tn_tensor *other, const char *rounding_mode) {
    prepare_division(call, self, other, NULL, rounding_mode);
    return call->ready;
}

bool tni_prepare_div_scalar_mode(tni_prepared *call, const tn_tensor *self, tn_scalar other, const char *rounding_mode) {
    prepare_division(call, self, NULL, &other, rounding_mode);
    return call->ready;
}

bool tni_prepare_div_rscalar_mode(tni_prepared *call, tn_scalar self, const tn_tensor *other, const char *rounding_mode) {
    prepare_division(call, NULL, other, &self, rounding_mode);
    return call->ready;
}

/* ---- square: bools count as integers */

static void prepare_square(tni_prepared *call, const tn_tensor *self) {
    tni_prepared_begin(call, self->dtype == TN_BOOL ? TNI_KERNEL_pow : TNI_KERNEL_square, PROMOTE, CHECK_NOTHING,
                       TNI_ARITHMETIC_SIGNED);
    tni_prepared_tensor(call, self);
    if (self->dtype == TN_BOOL)
        tni_prepared_number(call, tn_scalar_int(2));
}

bool tni_prepare_square(tni_prepared *call, const tn_tensor *self) {
    prepare_square(call, self);
    return call->ready;
}

tn_tensor *tni_op_positive(const tn_tensor *self) {
    if (self->dtype == TN_BOOL)
        return tni_raise_null(TN_ERROR_DTYPE, "not defined for bool; self is %s", tni_show_tensor(self));
    return tni_op_alias(self);
}

/* ---- rounding to decimals */

static void prepare_decimals(tni_prepared *call, const tn_tensor *self, int64_t decimals) {
    tni_prepared_begin(call, decimals == 0 ? TNI_KERNEL_round : TNI_KERNEL_round_decimals, PROMOTE, CHECK_NOTHING,
                       TNI_TAKES_FLOAT);
    tni_prepared_tensor(call, self);
    tni_parameters_set(&call->parameters, 0, tn_scalar_float(pow(10, fabs((double)decimals))));
    tni_parameters_set(&call->parameters, 1, tn_scalar_bool(decimals < 0));
}

bool tni_prepare_round_decimals(tni_prepared *call, const tn_tensor *self, int64_t decimals) {
    prepare_decimals(call, self, decimals);
    return call->ready;
}

/* ---- operators that do not promote: their tensors must agree */

static bool arithmetic_same_dtype(tni_prepared *call) {
    const tn_tensor *first = call->arguments[0].tensor;
    for (int i = 1; i < call->spec.operands; i++) {
        const tn_tensor *other = call->arguments[i].tensor;
        if (other && other->dtype != first->dtype) {
            tni_raise(TN_ERROR_DTYPE, "the dtypes must be equal: self is %s, argument %d is %s; convert one with to",
                      tni_show_tensor(first), i, tni_show_tensor(other));
            call->ready = false;
        }
    }
    return call->ready;
}

static void prepare_lerp(tni_prepared *call, const tn_tensor *self, const tn_tensor *end, const tn_tensor *weight,
                         const tn_scalar *number) {
    tni_prepared_begin(call, TNI_KERNEL_lerp, PROMOTE, CHECK_NOTHING, TNI_TAKES_FLOAT | TNI_TAKES_COMPLEX | LAYOUT_TENSORS);
    tni_prepared_tensor(call, self);
    tni_prepared_tensor(call, end);
    if (weight)
        tni_prepared_tensor(call, weight);
    else
        tni_prepared_number(call, *number);
    if (!arithmetic_same_dtype(call) || weight)
        return;
    bool complex = tn_dtype_is_complex(self->dtype); /* a weight must not make the result of a higher kind than self */
    if (tn_dtype_is_integral(self->dtype) || (number->kind == TN_SCALAR_COMPLEX && !complex)) {
        tni_raise(TN_ERROR_DTYPE, "not defined for self %s and weight = %s: convert with to", tni_show_tensor(self),
                  tni_show_scalar(*number));
        call->ready = false;
    }
}

bool tni_prepare_lerp(tni_prepared *call, const tn_tensor *self, const tn_tensor *end, const tn_tensor *weight) {
    prepare_lerp(call, self, end, weight, NULL);
    return call->ready;
}
bool tni_prepare_lerp_scalar(tni_prepared *call, const tn_tensor *self, const tn_tensor *end, tn_scalar weight) {
    prepare_lerp(call, self, end, NULL, &weight);
    return call->ready;
}

static void prepare_heaviside(tni_prepared *call, const tn_tensor *self, const tn_tensor *values) {
    tni_prepared_begin(call, TNI_KERNEL_heaviside, PROMOTE, CHECK_NOTHING, TNI_ARITHMETIC_REAL | TNI_TAKES_BOOL);
    tni_prepared_tensor(call, self);
    tni_prepared_tensor(call, values);
    arithmetic_same_dtype(call);
}

bool tni_prepare_heaviside(tni_prepared *call, const tn_tensor *self, const tn_tensor *values) {
    prepare_heaviside(call, self, values);
    return call->ready;
}

/* ---- nan_to_num */

static tn_scalar nan_or(tn_scalar given, double usual) { return given.kind == TN_SCALAR_NONE ? tn_scalar_float(usual) : given; }

static void prepare_nan_to_num(tni_prepared *call, const tn_tensor *self, tn_scalar nan, tn_scalar above, tn_scalar below) {
    tn_finfo limits = {0};
    const tn_scalar given[] = {nan, above, below};
    if (tn_dtype_is_integral(self->dtype)) { /* has neither: a copy */
        tni_prepared_begin(call, self->dtype == TN_BOOL ? TNI_KERNEL_sign : TNI_KERNEL_round, PROMOTE, CHECK_NOTHING,
                           TNI_TAKES_ALL | LAYOUT_LIKE_SELF);
    } else {
        (void)tn_finfo_of(self->dtype, &limits);
        tni_prepared_begin(call, TNI_KERNEL_nan_to_num, PROMOTE, CHECK_NOTHING,
                           TNI_TAKES_FLOAT | TNI_TAKES_COMPLEX | LAYOUT_LIKE_SELF);
    }
    tni_prepared_tensor(call, self);
    tni_parameters_set(&call->parameters, 0, nan_or(nan, 0));
    tni_parameters_set(&call->parameters, 1, nan_or(above, limits.max));
    tni_parameters_set(&call->parameters, 2, nan_or(below, limits.min));
    for (int i = 0; i < 3; i++)
        if (given[i].kind == TN_SCALAR_COMPLEX && call->ready) {
            tni_raise(TN_ERROR_DTYPE, "%s = %s must be a real number",
                      i == 0   ? "nan"
                      : i == 1 ? "posinf"
                               : "neginf",
                      tni_show_scalar(given[i]));
            call->ready = false;
        }
}

bool tni_prepare_nan_to_num(tni_prepared *call, const tn_tensor *self, tn_scalar nan, tn_scalar posinf, tn_scalar neginf) {
    prepare_nan_to_num(call, self, nan, posinf, neginf);
    return call->ready;
}

/* ---- powers */

static void prepare_pow(tni_prepared *call, const tn_tensor *self, const tn_scalar *base, const tn_tensor *exponent,
                        const tn_scalar *power) {
    int layout = !self ? LAYOUT_ROWS : LAYOUT_TENSORS;
    tni_prepared_begin(call, TNI_KERNEL_pow, PROMOTE, CHECK_NOTHING, (uint8_t)(TNI_ARITHMETIC_SIGNED | layout));
    if (self && self->dtype == TN_BOOL && power && power->kind == TN_SCALAR_BOOL) { /* itself or, to the power of false, true */
        tni_prepared_begin(call, TNI_KERNEL_logical_or, LOGIC, CHECK_NOTHING, TNI_TAKES_BOOL | LAYOUT_TENSORS);
        tni_prepared_tensor(call, self);
        tni_prepared_number(call, tn_scalar_bool(!power->value.b));
        return;
    }
    if (self)
        tni_prepared_tensor(call, self);
    else
        tni_prepared_number(call, *base);
    if (exponent)
        tni_prepared_tensor(call, exponent);
    else
        tni_prepared_number(call, *power);
    if (self && power && tn_dtype_is_integral(self->dtype) && power->kind == TN_SCALAR_INT && power->value.i < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "self %s holds integers, but exponent %s is negative: convert self to a float dtype first",
                  tni_show_tensor(self), tni_show_scalar(*power));
        call->ready = false;
    } else if (self && power && tn_dtype_is_integral(self->dtype) &&
               (power->kind == TN_SCALAR_INT || power->kind == TN_SCALAR_UINT) &&
               !tn_dtype_can_hold(self->dtype == TN_BOOL ? TN_INT64 : self->dtype, *power)) { /* it would wrap */
        tni_raise(TN_ERROR_ARGUMENT, "exponent %s does not fit the dtype of self %s: convert self to a wider one first",
                  tni_show_scalar(*power), tni_show_tensor(self));
        call->ready = false;
    }
}

bool tni_prepare_pow(tni_prepared *call, const tn_tensor *self, const tn_tensor *exponent) {
    prepare_pow(call, self, NULL, exponent, NULL);
    return call->ready;
}
bool tni_prepare_pow_scalar(tni_prepared *call, const tn_tensor *self, tn_scalar exponent) {
    prepare_pow(call, self, NULL, NULL, &exponent);
    return call->ready;
}
bool tni_prepare_pow_rscalar(tni_prepared *call, tn_scalar self, const tn_tensor *exponent) {
    prepare_pow(call, NULL, &self, exponent, NULL);
    return call->ready;
}
