/* pointwise_arithmetic.c - the arithmetic operators that look at their arguments before the common part takes over.
 *
 * Each has one function that prepares a call, which the functional, in-place and out forms then share.
 */
#include <math.h>

#include "base/error.h"
#include "operator_impls.h"
#include "ops/pointwise.h"

/* A call ready to be made; the numbers that its arguments point at live here. Not to be copied. */
typedef struct arithmetic_call {
    tni_pointwise_spec spec;
    tni_pointwise_argument arguments[3];
    tni_parameters parameters;
    tn_scalar numbers[3];
    bool ready;
} arithmetic_call;

static tn_tensor *arithmetic_new(const arithmetic_call *call) {
    return call->ready ? tni_pointwise_new(&call->spec, call->arguments, &call->parameters) : NULL;
}

static tn_error arithmetic_into(const arithmetic_call *call, tn_tensor *out) {
    return call->ready ? tni_pointwise_into(&call->spec, out, call->arguments, &call->parameters) : tn_error_code();
}

static void arithmetic_begin(arithmetic_call *call, int kernel, int rule, int check, uint8_t kinds) {
    call->spec = (tni_pointwise_spec){(uint16_t)kernel, (uint8_t)rule, (uint8_t)check, 0, kinds, NULL};
    call->ready = true;
}

static void arithmetic_tensor(arithmetic_call *call, const tn_tensor *tensor) {
    call->arguments[call->spec.operands++] = (tni_pointwise_argument){tensor, NULL};
}

static void arithmetic_number(arithmetic_call *call, tn_scalar number) {
    int i = call->spec.operands++;
    call->numbers[i] = number;
    call->arguments[i] = (tni_pointwise_argument){NULL, &call->numbers[i]};
}

enum {
    ARITHMETIC_REAL = TNI_TAKES_INTEGER | TNI_TAKES_FLOAT,
    ARITHMETIC_SIGNED = TNI_TAKES_INTEGER | TNI_TAKES_FLOAT | TNI_TAKES_COMPLEX
};

#define ARITHMETIC_NO_BOOL "use logical_xor of two bools, or logical_not to invert one"

/* ---- alpha: a factor that may not be of a higher kind than the result */

/* self + or - alpha * other. A number may stand in the place of self, which is NULL then. */
static void prepare_alpha(arithmetic_call *call, int kernel, uint8_t kinds, const tn_tensor *self, const tn_scalar *number,
                          const tn_tensor *other, tn_scalar alpha) {
    arithmetic_begin(call, kernel, PROMOTE, CHECK_NOTHING, kinds);
    if (!(kinds & TNI_TAKES_BOOL))
        call->spec.advice = ARITHMETIC_NO_BOOL;
    if (self)
        arithmetic_tensor(call, self);
    else
        arithmetic_number(call, *number);
    arithmetic_tensor(call, other);
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

tn_tensor *tni_op_add_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    arithmetic_call call;
    prepare_alpha(&call, TNI_KERNEL_add_alpha, TNI_TAKES_ALL, self, NULL, other, alpha);
    return arithmetic_new(&call);
}
tn_error tni_op_add_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    return tni_op_add_alpha_out(self, self, other, alpha);
}
tn_error tni_op_add_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    arithmetic_call call;
    prepare_alpha(&call, TNI_KERNEL_add_alpha, TNI_TAKES_ALL, self, NULL, other, alpha);
    return arithmetic_into(&call, out);
}

tn_tensor *tni_op_sub_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    arithmetic_call call;
    prepare_alpha(&call, TNI_KERNEL_sub_alpha, ARITHMETIC_SIGNED, self, NULL, other, alpha);
    return arithmetic_new(&call);
}
tn_error tni_op_sub_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    return tni_op_sub_alpha_out(self, self, other, alpha);
}
tn_error tni_op_sub_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    arithmetic_call call;
    prepare_alpha(&call, TNI_KERNEL_sub_alpha, ARITHMETIC_SIGNED, self, NULL, other, alpha);
    return arithmetic_into(&call, out);
}

tn_tensor *tni_op_subtract_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    return tni_op_sub_alpha(self, other, alpha);
}
tn_error tni_op_subtract_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    return tni_op_sub_alpha_out(self, self, other, alpha);
}
tn_error tni_op_subtract_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    return tni_op_sub_alpha_out(out, self, other, alpha);
}

tn_tensor *tni_op_rsub(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    arithmetic_call call;
    prepare_alpha(&call, TNI_KERNEL_sub_alpha, ARITHMETIC_SIGNED, other, NULL, self, alpha);
    return arithmetic_new(&call);
}
tn_error tni_op_rsub_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha) {
    arithmetic_call call;
    prepare_alpha(&call, TNI_KERNEL_sub_alpha, ARITHMETIC_SIGNED, other, NULL, self, alpha);
    return arithmetic_into(&call, out);
}
tn_tensor *tni_op_rsub_scalar(const tn_tensor *self, tn_scalar other, tn_scalar alpha) {
    arithmetic_call call;
    prepare_alpha(&call, TNI_KERNEL_sub_alpha, ARITHMETIC_SIGNED, NULL, &other, self, alpha);
    return arithmetic_new(&call);
}
tn_error tni_op_rsub_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other, tn_scalar alpha) {
    arithmetic_call call;
    prepare_alpha(&call, TNI_KERNEL_sub_alpha, ARITHMETIC_SIGNED, NULL, &other, self, alpha);
    return arithmetic_into(&call, out);
}

/* ---- division with a rounding mode */

/* One of the two may be a number: then the other is NULL. */
static void prepare_division(arithmetic_call *call, const tn_tensor *self, const tn_tensor *other, const tn_scalar *number,
                             const char *mode) {
    if (strcmp(mode, "none") == 0)
        arithmetic_begin(call, TNI_KERNEL_div, FLOATING, CHECK_NOTHING, TNI_TAKES_FLOAT | TNI_TAKES_COMPLEX);
    else
        arithmetic_begin(call, strcmp(mode, "floor") == 0 ? TNI_KERNEL_div_floor : TNI_KERNEL_div_trunc, PROMOTE, CHECK_DIVISOR,
                         ARITHMETIC_REAL);
    if (self)
        arithmetic_tensor(call, self);
    else
        arithmetic_number(call, *number);
    if (other)
        arithmetic_tensor(call, other);
    else
        arithmetic_number(call, *number);
    if (strcmp(mode, "none") != 0 && strcmp(mode, "floor") != 0 && strcmp(mode, "trunc") != 0) {
        tni_raise(TN_ERROR_ARGUMENT, "rounding_mode '%.20s' must be 'floor', 'trunc' or 'none'", mode);
        call->ready = false;
    }
}

tn_tensor *tni_op_div_mode(const tn_tensor *self, const tn_tensor *other, const char *rounding_mode) {
    arithmetic_call call;
    prepare_division(&call, self, other, NULL, rounding_mode);
    return arithmetic_new(&call);
}
tn_error tni_op_div_mode_(tn_tensor *self, const tn_tensor *other, const char *rounding_mode) {
    return tni_op_div_mode_out(self, self, other, rounding_mode);
}
tn_error tni_op_div_mode_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, const char *rounding_mode) {
    arithmetic_call call;
    prepare_division(&call, self, other, NULL, rounding_mode);
    return arithmetic_into(&call, out);
}

tn_tensor *tni_op_div_scalar_mode(const tn_tensor *self, tn_scalar other, const char *rounding_mode) {
    arithmetic_call call;
    prepare_division(&call, self, NULL, &other, rounding_mode);
    return arithmetic_new(&call);
}
tn_error tni_op_div_scalar_mode_(tn_tensor *self, tn_scalar other, const char *rounding_mode) {
    return tni_op_div_scalar_mode_out(self, self, other, rounding_mode);
}
tn_error tni_op_div_scalar_mode_out(tn_tensor *out, const tn_tensor *self, tn_scalar other, const char *rounding_mode) {
    arithmetic_call call;
    prepare_division(&call, self, NULL, &other, rounding_mode);
    return arithmetic_into(&call, out);
}

tn_tensor *tni_op_div_rscalar_mode(tn_scalar self, const tn_tensor *other, const char *rounding_mode) {
    arithmetic_call call;
    prepare_division(&call, NULL, other, &self, rounding_mode);
    return arithmetic_new(&call);
}
tn_error tni_op_div_rscalar_mode_out(tn_tensor *out, tn_scalar self, const tn_tensor *other, const char *rounding_mode) {
    arithmetic_call call;
    prepare_division(&call, NULL, other, &self, rounding_mode);
    return arithmetic_into(&call, out);
}

tn_tensor *tni_op_divide_mode(const tn_tensor *self, const tn_tensor *other, const char *rounding_mode) {
    return tni_op_div_mode(self, other, rounding_mode);
}
tn_error tni_op_divide_mode_(tn_tensor *self, const tn_tensor *other, const char *rounding_mode) {
    return tni_op_div_mode_out(self, self, other, rounding_mode);
}
tn_error tni_op_divide_mode_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, const char *rounding_mode) {
    return tni_op_div_mode_out(out, self, other, rounding_mode);
}
tn_tensor *tni_op_divide_scalar_mode(const tn_tensor *self, tn_scalar other, const char *rounding_mode) {
    return tni_op_div_scalar_mode(self, other, rounding_mode);
}
tn_error tni_op_divide_scalar_mode_(tn_tensor *self, tn_scalar other, const char *rounding_mode) {
    return tni_op_div_scalar_mode_out(self, self, other, rounding_mode);
}
tn_error tni_op_divide_scalar_mode_out(tn_tensor *out, const tn_tensor *self, tn_scalar other, const char *rounding_mode) {
    return tni_op_div_scalar_mode_out(out, self, other, rounding_mode);
}

/* ---- square: bools count as integers */

static void prepare_square(arithmetic_call *call, const tn_tensor *self) {
    arithmetic_begin(call, self->dtype == TN_BOOL ? TNI_KERNEL_pow : TNI_KERNEL_square, PROMOTE, CHECK_NOTHING,
                     ARITHMETIC_SIGNED);
    arithmetic_tensor(call, self);
    if (self->dtype == TN_BOOL)
        arithmetic_number(call, tn_scalar_int(2));
}

tn_tensor *tni_op_square(const tn_tensor *self) {
    arithmetic_call call;
    prepare_square(&call, self);
    return arithmetic_new(&call);
}
tn_error tni_op_square_(tn_tensor *self) { return tni_op_square_out(self, self); }
tn_error tni_op_square_out(tn_tensor *out, const tn_tensor *self) {
    arithmetic_call call;
    prepare_square(&call, self);
    return arithmetic_into(&call, out);
}

tn_tensor *tni_op_positive(const tn_tensor *self) {
    if (self->dtype == TN_BOOL)
        return tni_raise_null(TN_ERROR_DTYPE, "not defined for bool; self is %s", tni_show_tensor(self));
    return tni_op_alias(self);
}

/* ---- rounding to decimals */

static void prepare_decimals(arithmetic_call *call, const tn_tensor *self, int64_t decimals) {
    arithmetic_begin(call, decimals == 0 ? TNI_KERNEL_round : TNI_KERNEL_round_decimals, PROMOTE, CHECK_NOTHING,
                     TNI_TAKES_FLOAT);
    arithmetic_tensor(call, self);
    tni_parameters_set(&call->parameters, 0, tn_scalar_float(pow(10, fabs((double)decimals))));
    tni_parameters_set(&call->parameters, 1, tn_scalar_bool(decimals < 0));
}

tn_tensor *tni_op_round_decimals(const tn_tensor *self, int64_t decimals) {
    arithmetic_call call;
    prepare_decimals(&call, self, decimals);
    return arithmetic_new(&call);
}
tn_error tni_op_round_decimals_(tn_tensor *self, int64_t decimals) { return tni_op_round_decimals_out(self, self, decimals); }
tn_error tni_op_round_decimals_out(tn_tensor *out, const tn_tensor *self, int64_t decimals) {
    arithmetic_call call;
    prepare_decimals(&call, self, decimals);
    return arithmetic_into(&call, out);
}

/* ---- clamp: with both bounds a kernel of its own, with one the larger or the smaller of two */

typedef struct clamp_bound {
    const tn_tensor *tensor;
    tn_scalar number; /* kind TN_SCALAR_NONE and tensor NULL: no bound */
} clamp_bound;

static bool clamp_has(const clamp_bound *bound) { return bound->tensor || bound->number.kind != TN_SCALAR_NONE; }

static void clamp_add(arithmetic_call *call, const clamp_bound *bound) {
    if (bound->tensor)
        arithmetic_tensor(call, bound->tensor);
    else
        arithmetic_number(call, bound->number);
}

/* A bound is a value to compare with, so it is not wrapped around into an integer dtype: beyond its own end of the range it has
 * no effect, and beyond the other end it would have to be the result, which cannot hold it. */
static void clamp_settle(arithmetic_call *call, tn_dtype dtype, tn_scalar *bound, bool low) {
    tn_iinfo range;
    bool whole = bound->kind == TN_SCALAR_INT || bound->kind == TN_SCALAR_UINT;
    if (!whole || dtype == TN_BOOL || !tn_dtype_is_integral(dtype) || tn_iinfo_of(dtype, &range) != TN_OK)
        return;
    bool below = bound->kind == TN_SCALAR_INT && bound->value.i < range.min;
    bool above = !(bound->kind == TN_SCALAR_INT && bound->value.i < 0) && bound->value.u > range.max;
    if (low ? above : below) {
        tni_raise(TN_ERROR_ARGUMENT, "%s = %s does not fit the result's dtype %s", low ? "min" : "max", tni_show_scalar(*bound),
                  tn_dtype_name(dtype));
        call->ready = false;
    } else if (low ? below : above) {
        *bound = low ? tn_scalar_int(range.min) : tn_scalar_uint(range.max);
    }
}

static void prepare_clamp(arithmetic_call *call, const tn_tensor *self, clamp_bound low, clamp_bound high) {
    bool both = clamp_has(&low) && clamp_has(&high);
    arithmetic_begin(call,
                     both              ? TNI_KERNEL_clamp
                     : clamp_has(&low) ? TNI_KERNEL_maximum
                                       : TNI_KERNEL_minimum,
                     PROMOTE, CHECK_NOTHING, LAYOUT_TENSORS | (both ? ARITHMETIC_REAL : ARITHMETIC_REAL | TNI_TAKES_BOOL));
    const clamp_bound *only = both ? NULL : clamp_has(&low) ? &low : &high;
    bool number_first =
        only && only->number.kind != TN_SCALAR_NONE; /* of two equals the second is taken: a zero keeps its sign */
    if (number_first)
        clamp_add(call, only);
    arithmetic_tensor(call, self);
    if (clamp_has(&low) && !number_first)
        clamp_add(call, &low);
    if (clamp_has(&high) && !number_first)
        clamp_add(call, &high);
    if (call->spec.operands == 1) {
        tni_raise(TN_ERROR_ARGUMENT, "at least one of min and max must be given");
        call->ready = false;
        return;
    }
    tn_dtype dtype = tni_pointwise_dtype(&call->spec, call->arguments);
    call->ready = dtype != TN_DTYPE_DEFAULT;
    for (int i = 0; i < call->spec.operands && call->ready; i++)
        if (call->arguments[i].number)
            clamp_settle(call, dtype, &call->numbers[i], i <= 1 && clamp_has(&low));
}

static tn_tensor *clamp_new(const tn_tensor *self, clamp_bound low, clamp_bound high) {
    arithmetic_call call;
    prepare_clamp(&call, self, low, high);
    return arithmetic_new(&call);
}

static tn_error clamp_into(tn_tensor *out, const tn_tensor *self, clamp_bound low, clamp_bound high) {
    arithmetic_call call;
    prepare_clamp(&call, self, low, high);
    return arithmetic_into(&call, out);
}

#define CLAMP_NUMBER(value) ((clamp_bound){NULL, (value)})
#define CLAMP_TENSOR(value) ((clamp_bound){(value), tn_scalar_none()})
#define CLAMP_NONE CLAMP_NUMBER(tn_scalar_none())

tn_tensor *tni_op_clamp(const tn_tensor *self, tn_scalar min, tn_scalar max) {
    return clamp_new(self, CLAMP_NUMBER(min), CLAMP_NUMBER(max));
}
tn_error tni_op_clamp_(tn_tensor *self, tn_scalar min, tn_scalar max) {
    return clamp_into(self, self, CLAMP_NUMBER(min), CLAMP_NUMBER(max));
}
tn_error tni_op_clamp_out(tn_tensor *out, const tn_tensor *self, tn_scalar min, tn_scalar max) {
    return clamp_into(out, self, CLAMP_NUMBER(min), CLAMP_NUMBER(max));
}
tn_tensor *tni_op_clamp_tensor(const tn_tensor *self, const tn_tensor *min, const tn_tensor *max) {
    return clamp_new(self, CLAMP_TENSOR(min), CLAMP_TENSOR(max));
}
tn_error tni_op_clamp_tensor_(tn_tensor *self, const tn_tensor *min, const tn_tensor *max) {
    return clamp_into(self, self, CLAMP_TENSOR(min), CLAMP_TENSOR(max));
}
tn_error tni_op_clamp_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *min, const tn_tensor *max) {
    return clamp_into(out, self, CLAMP_TENSOR(min), CLAMP_TENSOR(max));
}

tn_tensor *tni_op_clip(const tn_tensor *self, tn_scalar min, tn_scalar max) { return tni_op_clamp(self, min, max); }
tn_error tni_op_clip_(tn_tensor *self, tn_scalar min, tn_scalar max) { return tni_op_clamp_(self, min, max); }
tn_error tni_op_clip_out(tn_tensor *out, const tn_tensor *self, tn_scalar min, tn_scalar max) {
    return tni_op_clamp_out(out, self, min, max);
}
tn_tensor *tni_op_clip_tensor(const tn_tensor *self, const tn_tensor *min, const tn_tensor *max) {
    return tni_op_clamp_tensor(self, min, max);
}
tn_error tni_op_clip_tensor_(tn_tensor *self, const tn_tensor *min, const tn_tensor *max) {
    return tni_op_clamp_tensor_(self, min, max);
}
tn_error tni_op_clip_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *min, const tn_tensor *max) {
    return tni_op_clamp_tensor_out(out, self, min, max);
}

tn_tensor *tni_op_clamp_min(const tn_tensor *self, tn_scalar min) { return clamp_new(self, CLAMP_NUMBER(min), CLAMP_NONE); }
tn_error tni_op_clamp_min_(tn_tensor *self, tn_scalar min) { return clamp_into(self, self, CLAMP_NUMBER(min), CLAMP_NONE); }
tn_error tni_op_clamp_min_out(tn_tensor *out, const tn_tensor *self, tn_scalar min) {
    return clamp_into(out, self, CLAMP_NUMBER(min), CLAMP_NONE);
}
tn_tensor *tni_op_clamp_min_tensor(const tn_tensor *self, const tn_tensor *min) {
    return clamp_new(self, CLAMP_TENSOR(min), CLAMP_NONE);
}
tn_error tni_op_clamp_min_tensor_(tn_tensor *self, const tn_tensor *min) {
    return clamp_into(self, self, CLAMP_TENSOR(min), CLAMP_NONE);
}
tn_error tni_op_clamp_min_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *min) {
    return clamp_into(out, self, CLAMP_TENSOR(min), CLAMP_NONE);
}
tn_tensor *tni_op_clamp_max(const tn_tensor *self, tn_scalar max) { return clamp_new(self, CLAMP_NONE, CLAMP_NUMBER(max)); }
tn_error tni_op_clamp_max_(tn_tensor *self, tn_scalar max) { return clamp_into(self, self, CLAMP_NONE, CLAMP_NUMBER(max)); }
tn_error tni_op_clamp_max_out(tn_tensor *out, const tn_tensor *self, tn_scalar max) {
    return clamp_into(out, self, CLAMP_NONE, CLAMP_NUMBER(max));
}
tn_tensor *tni_op_clamp_max_tensor(const tn_tensor *self, const tn_tensor *max) {
    return clamp_new(self, CLAMP_NONE, CLAMP_TENSOR(max));
}
tn_error tni_op_clamp_max_tensor_(tn_tensor *self, const tn_tensor *max) {
    return clamp_into(self, self, CLAMP_NONE, CLAMP_TENSOR(max));
}
tn_error tni_op_clamp_max_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *max) {
    return clamp_into(out, self, CLAMP_NONE, CLAMP_TENSOR(max));
}

/* ---- operators that do not promote: their tensors must agree */

static bool arithmetic_same_dtype(arithmetic_call *call) {
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

static void prepare_lerp(arithmetic_call *call, const tn_tensor *self, const tn_tensor *end, const tn_tensor *weight,
                         const tn_scalar *number) {
    arithmetic_begin(call, TNI_KERNEL_lerp, PROMOTE, CHECK_NOTHING, TNI_TAKES_FLOAT | TNI_TAKES_COMPLEX | LAYOUT_TENSORS);
    arithmetic_tensor(call, self);
    arithmetic_tensor(call, end);
    if (weight)
        arithmetic_tensor(call, weight);
    else
        arithmetic_number(call, *number);
    if (!arithmetic_same_dtype(call) || weight)
        return;
    bool complex = tn_dtype_is_complex(self->dtype); /* a weight must not make the result of a higher kind than self */
    if (tn_dtype_is_integral(self->dtype) || (number->kind == TN_SCALAR_COMPLEX && !complex)) {
        tni_raise(TN_ERROR_DTYPE, "not defined for self %s and weight = %s: convert with to", tni_show_tensor(self),
                  tni_show_scalar(*number));
        call->ready = false;
    }
}

tn_tensor *tni_op_lerp(const tn_tensor *self, const tn_tensor *end, const tn_tensor *weight) {
    arithmetic_call call;
    prepare_lerp(&call, self, end, weight, NULL);
    return arithmetic_new(&call);
}
tn_error tni_op_lerp_(tn_tensor *self, const tn_tensor *end, const tn_tensor *weight) {
    return tni_op_lerp_out(self, self, end, weight);
}
tn_error tni_op_lerp_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *end, const tn_tensor *weight) {
    arithmetic_call call;
    prepare_lerp(&call, self, end, weight, NULL);
    return arithmetic_into(&call, out);
}
tn_tensor *tni_op_lerp_scalar(const tn_tensor *self, const tn_tensor *end, tn_scalar weight) {
    arithmetic_call call;
    prepare_lerp(&call, self, end, NULL, &weight);
    return arithmetic_new(&call);
}
tn_error tni_op_lerp_scalar_(tn_tensor *self, const tn_tensor *end, tn_scalar weight) {
    return tni_op_lerp_scalar_out(self, self, end, weight);
}
tn_error tni_op_lerp_scalar_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *end, tn_scalar weight) {
    arithmetic_call call;
    prepare_lerp(&call, self, end, NULL, &weight);
    return arithmetic_into(&call, out);
}

static void prepare_heaviside(arithmetic_call *call, const tn_tensor *self, const tn_tensor *values) {
    arithmetic_begin(call, TNI_KERNEL_heaviside, PROMOTE, CHECK_NOTHING, ARITHMETIC_REAL | TNI_TAKES_BOOL);
    arithmetic_tensor(call, self);
    arithmetic_tensor(call, values);
    arithmetic_same_dtype(call);
}

tn_tensor *tni_op_heaviside(const tn_tensor *self, const tn_tensor *values) {
    arithmetic_call call;
    prepare_heaviside(&call, self, values);
    return arithmetic_new(&call);
}
tn_error tni_op_heaviside_(tn_tensor *self, const tn_tensor *values) { return tni_op_heaviside_out(self, self, values); }
tn_error tni_op_heaviside_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *values) {
    arithmetic_call call;
    prepare_heaviside(&call, self, values);
    return arithmetic_into(&call, out);
}

/* ---- nan_to_num */

static tn_scalar nan_or(tn_scalar given, double usual) { return given.kind == TN_SCALAR_NONE ? tn_scalar_float(usual) : given; }

static void prepare_nan_to_num(arithmetic_call *call, const tn_tensor *self, tn_scalar nan, tn_scalar above, tn_scalar below) {
    tn_finfo limits = {0};
    const tn_scalar given[] = {nan, above, below};
    if (tn_dtype_is_integral(self->dtype)) { /* has neither: a copy */
        arithmetic_begin(call, self->dtype == TN_BOOL ? TNI_KERNEL_sign : TNI_KERNEL_round, PROMOTE, CHECK_NOTHING,
                         TNI_TAKES_ALL | LAYOUT_LIKE_SELF);
    } else {
        (void)tn_finfo_of(self->dtype, &limits);
        arithmetic_begin(call, TNI_KERNEL_nan_to_num, PROMOTE, CHECK_NOTHING,
                         TNI_TAKES_FLOAT | TNI_TAKES_COMPLEX | LAYOUT_LIKE_SELF);
    }
    arithmetic_tensor(call, self);
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

tn_tensor *tni_op_nan_to_num(const tn_tensor *self, tn_scalar nan, tn_scalar posinf, tn_scalar neginf) {
    arithmetic_call call;
    prepare_nan_to_num(&call, self, nan, posinf, neginf);
    return arithmetic_new(&call);
}
tn_error tni_op_nan_to_num_(tn_tensor *self, tn_scalar nan, tn_scalar posinf, tn_scalar neginf) {
    return tni_op_nan_to_num_out(self, self, nan, posinf, neginf);
}
tn_error tni_op_nan_to_num_out(tn_tensor *out, const tn_tensor *self, tn_scalar nan, tn_scalar posinf, tn_scalar neginf) {
    arithmetic_call call;
    prepare_nan_to_num(&call, self, nan, posinf, neginf);
    return arithmetic_into(&call, out);
}

/* ---- powers */

static void prepare_pow(arithmetic_call *call, const tn_tensor *self, const tn_scalar *base, const tn_tensor *exponent,
                        const tn_scalar *power) {
    int layout = !self ? LAYOUT_ROWS : LAYOUT_TENSORS;
    arithmetic_begin(call, TNI_KERNEL_pow, PROMOTE, CHECK_NOTHING, (uint8_t)(ARITHMETIC_SIGNED | layout));
    if (self && self->dtype == TN_BOOL && power && power->kind == TN_SCALAR_BOOL) { /* itself, or, to the power false, true */
        arithmetic_begin(call, TNI_KERNEL_logical_or, LOGIC, CHECK_NOTHING, TNI_TAKES_BOOL | LAYOUT_TENSORS);
        arithmetic_tensor(call, self);
        arithmetic_number(call, tn_scalar_bool(!power->value.b));
        return;
    }
    if (self)
        arithmetic_tensor(call, self);
    else
        arithmetic_number(call, *base);
    if (exponent)
        arithmetic_tensor(call, exponent);
    else
        arithmetic_number(call, *power);
    if (self && power && tn_dtype_is_integral(self->dtype) && power->kind == TN_SCALAR_INT && power->value.i < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "self %s holds integers, and exponent %s is negative: convert self to a float dtype first",
                  tni_show_tensor(self), tni_show_scalar(*power));
        call->ready = false;
    } else if (self && power && tn_dtype_is_integral(self->dtype) &&
               (power->kind == TN_SCALAR_INT || power->kind == TN_SCALAR_UINT) &&
               !tn_dtype_can_hold(self->dtype == TN_BOOL ? TN_INT64 : self->dtype, *power)) { /* it would wrap around */
        tni_raise(TN_ERROR_ARGUMENT, "exponent %s does not fit the dtype of self %s: convert self to a wider one first",
                  tni_show_scalar(*power), tni_show_tensor(self));
        call->ready = false;
    }
}

tn_tensor *tni_op_pow(const tn_tensor *self, const tn_tensor *exponent) {
    arithmetic_call call;
    prepare_pow(&call, self, NULL, exponent, NULL);
    return arithmetic_new(&call);
}
tn_error tni_op_pow_(tn_tensor *self, const tn_tensor *exponent) { return tni_op_pow_out(self, self, exponent); }
tn_error tni_op_pow_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *exponent) {
    arithmetic_call call;
    prepare_pow(&call, self, NULL, exponent, NULL);
    return arithmetic_into(&call, out);
}
tn_tensor *tni_op_pow_scalar(const tn_tensor *self, tn_scalar exponent) {
    arithmetic_call call;
    prepare_pow(&call, self, NULL, NULL, &exponent);
    return arithmetic_new(&call);
}
tn_error tni_op_pow_scalar_(tn_tensor *self, tn_scalar exponent) { return tni_op_pow_scalar_out(self, self, exponent); }
tn_error tni_op_pow_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar exponent) {
    arithmetic_call call;
    prepare_pow(&call, self, NULL, NULL, &exponent);
    return arithmetic_into(&call, out);
}
tn_tensor *tni_op_pow_rscalar(tn_scalar self, const tn_tensor *exponent) {
    arithmetic_call call;
    prepare_pow(&call, NULL, &self, exponent, NULL);
    return arithmetic_new(&call);
}
tn_error tni_op_pow_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *exponent) {
    arithmetic_call call;
    prepare_pow(&call, NULL, &self, exponent, NULL);
    return arithmetic_into(&call, out);
}
