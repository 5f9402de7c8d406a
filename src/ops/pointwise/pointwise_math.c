/* pointwise_math.c - the mathematical operators and activations that look at their numbers before the common part takes over.
 *
 * Most activations are one kernel with other numbers. Numbers are checked first, so a complex slope is refused, not cut.
 */
#include <math.h>

#include "base/error.h"
#include "dispatch/parts.h"
#include "kernels/table.h"
#include "iterate/elements.h"
#include "kernels_activation.h"
#include "kernels_math.h"
#include "kernels_shared.h"
#include "operators_activation.h"
#include "operators_create.h"
#include "operators_math.h"
#include "ops/pointwise/pointwise_job.h"
#include "ops/pointwise/pointwise_prepare.h"
#include "ops/result.h"

enum { MATH_FLOAT = TNI_TAKES_FLOAT, MATH_REAL = TNI_TAKES_FLOAT | TNI_TAKES_INTEGER };

/* One tensor, a kernel, and up to three numbers for it. */
static void math_begin(tni_prepared *call, const tn_tensor *self, int kernel, int rule, uint8_t kinds) {
    tni_prepared_begin(call, kernel, rule, CHECK_NOTHING, kinds);
    tni_prepared_tensor(call, self);
    for (int i = 0; i < TNI_PARAMETERS; i++)
        tni_parameters_set(&call->parameters, i, tn_scalar_int(0));
}

static void math_refuse(tni_prepared *call) { call->ready = false; }

/* A parameter as a double; for a complex or missing one an error and 0. */
static double math_real(tni_prepared *call, tn_scalar value, const char *name) {
    double real = 0;
    if (value.kind != TN_SCALAR_COMPLEX && value.kind != TN_SCALAR_NONE) {
        tn_dtype_store(TN_FLOAT64, &real, value);
    } else if (call->ready) {
        tni_raise(TN_ERROR_ARGUMENT, "%s = %s must be a real number", name, tni_show_scalar(value));
        math_refuse(call);
    }
    return real;
}

static void math_number(tni_prepared *call, int position, double value) {
    tni_parameters_set(&call->parameters, position, tn_scalar_float(value));
}

/* ---- logit with a margin */

bool tni_prepare_logit_eps(tni_prepared *call, const tn_tensor *self, double eps) {
    math_begin(call, self, eps < 0 ? TNI_KERNEL_logit : TNI_KERNEL_logit_eps, FLOATING, MATH_FLOAT);
    math_number(call, 0, eps);
    return true;
}

/* ---- two results */

static tn_error math_run_frexp(tn_tensor *mantissa, tn_tensor *exponent, const tn_tensor *self, tni_loop loop,
                               tn_dtype compute) {
    tni_pointwise_job job = {.ndim = self->ndim, .sizes = self->sizes, .results = 2, .operands = 3, .loop = loop};
    char *data = (char *)(uintptr_t)tni_tensor_read(self);
    job.operand[0] = (tni_pointwise_operand){tni_tensor_write(mantissa), mantissa->strides, mantissa->dtype, compute};
    job.operand[1] = (tni_pointwise_operand){tni_tensor_write(exponent), exponent->strides, TN_INT32, TN_INT32};
    job.operand[2] = (tni_pointwise_operand){data, self->strides, self->dtype, compute};
    if (TNI_UNLIKELY(tni_tensor_device(self).type != TN_CPU))
        return tni_pointwise_elsewhere(tni_tensor_device(self), &job, TNI_KERNEL_frexp, compute);
    tni_pointwise_run(&job);
    return TN_OK;
}

static tni_loop math_frexp_loop(const tn_tensor *self, tn_dtype *compute) {
    bool narrow = self->dtype == TN_FLOAT16 || self->dtype == TN_BFLOAT16;
    *compute = narrow ? TN_FLOAT32 : (tn_dtype)self->dtype;
    tni_loop loop = tni_kernels()->pointwise[TNI_KERNEL_frexp * TN_DTYPE_COUNT + *compute];
    if (!loop && !tni_loop_left_out(TNI_KERNEL_frexp, *compute))
        tni_raise(TN_ERROR_DTYPE, "not defined for %s: convert with to", tn_dtype_name(self->dtype));
    return loop;
}

tn_list *tni_op_frexp(const tn_tensor *self) {
    tn_dtype compute;
    tni_loop loop = math_frexp_loop(self, &compute);
    if (!loop)
        return NULL;
    tn_tensor *results[2] = {tni_op_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE), NULL};
    results[1] = results[0] ? tni_op_empty_like(results[0], TN_INT32, TN_PRESERVE) : NULL;
    if (!results[1] || math_run_frexp(results[0], results[1], self, loop, compute) != TN_OK) {
        tni_tensor_release(results[0]);
        tni_tensor_release(results[1]);
        return NULL;
    }
    return tni_list_make(results, 2);
}

tn_error tni_op_frexp_out(tn_tensor *mantissa, tn_tensor *exponent, const tn_tensor *self) {
    tn_dtype compute;
    tni_loop loop = math_frexp_loop(self, &compute);
    if (!loop)
        return tni_failed();
    tni_result results[2];
    tn_dims sizes = {self->sizes, self->ndim};
    tni_result_wish wishes[2] = {{mantissa, "mantissa", sizes, self->dtype}, {exponent, "exponent", sizes, TN_INT32}};
    if (!tni_result_begin_pair(results, wishes, TNI_RESULT_CAST, &self, 1))
        return tni_failed();
    return tni_result_end_pair(results, math_run_frexp(results[0].tensor, results[1].tensor, self, loop, compute));
}

/* ---- activations with a slope, an alpha, a beta */

bool tni_prepare_leaky_relu_slope(tni_prepared *call, const tn_tensor *self, tn_scalar negative_slope) {
    math_begin(call, self, TNI_KERNEL_leaky_relu, PROMOTE, MATH_FLOAT);
    math_number(call, 0, math_real(call, negative_slope, "negative_slope"));
    return call->ready;
}

bool tni_prepare_leaky_relu(tni_prepared *call, const tn_tensor *self) {
    return tni_prepare_leaky_relu_slope(call, self, tn_scalar_float(0.01));
}

/* The kernel's numbers are the factor left of 0, the factor right of it, and that of the exponent. */
bool tni_prepare_elu_alpha(tni_prepared *call, const tn_tensor *self, tn_scalar alpha, tn_scalar scale, tn_scalar input_scale) {
    math_begin(call, self, TNI_KERNEL_elu, PROMOTE, MATH_FLOAT);
    double outer = math_real(call, scale, "scale");
    math_number(call, 0, math_real(call, alpha, "alpha") * outer);
    math_number(call, 1, outer);
    math_number(call, 2, math_real(call, input_scale, "input_scale"));
    return call->ready;
}

#define MATH_ONE tn_scalar_int(1)

bool tni_prepare_elu(tni_prepared *call, const tn_tensor *self) {
    return tni_prepare_elu_alpha(call, self, MATH_ONE, MATH_ONE, MATH_ONE);
}

/* Klambauer et al., Self-Normalizing Neural Networks (2017): the fixed point of mean 0 and variance 1. */
bool tni_prepare_selu(tni_prepared *call, const tn_tensor *self) {
    return tni_prepare_elu_alpha(call, self, tn_scalar_float(1.6732632423543772848170429916717),
                                 tn_scalar_float(1.0507009873554804934193349852946), MATH_ONE);
}

bool tni_prepare_celu_alpha(tni_prepared *call, const tn_tensor *self, tn_scalar alpha) {
    math_begin(call, self, TNI_KERNEL_elu, PROMOTE, MATH_FLOAT);
    double bend = math_real(call, alpha, "alpha");
    math_number(call, 0, bend);
    math_number(call, 1, 1);
    math_number(call, 2, 1 / bend);
    if (call->ready && bend == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "alpha must not be 0: celu divides by it");
        math_refuse(call);
    }
    return call->ready;
}

bool tni_prepare_celu(tni_prepared *call, const tn_tensor *self) { return tni_prepare_celu_alpha(call, self, MATH_ONE); }

bool tni_prepare_softplus_beta(tni_prepared *call, const tn_tensor *self, tn_scalar beta, tn_scalar threshold) {
    math_begin(call, self, TNI_KERNEL_softplus, PROMOTE, MATH_FLOAT);
    math_number(call, 0, math_real(call, beta, "beta"));
    math_number(call, 1, math_real(call, threshold, "threshold"));
    return call->ready;
}

bool tni_prepare_softplus(tni_prepared *call, const tn_tensor *self) {
    return tni_prepare_softplus_beta(call, self, MATH_ONE, tn_scalar_int(20));
}

bool tni_prepare_hardshrink(tni_prepared *call, const tn_tensor *self, tn_scalar lambd) {
    math_begin(call, self, TNI_KERNEL_hardshrink, PROMOTE, MATH_FLOAT);
    math_number(call, 0, math_real(call, lambd, "lambd"));
    return call->ready;
}

bool tni_prepare_softshrink(tni_prepared *call, const tn_tensor *self, tn_scalar lambd) {
    math_begin(call, self, TNI_KERNEL_softshrink, PROMOTE, MATH_FLOAT);
    double edge = math_real(call, lambd, "lambd");
    math_number(call, 0, edge);
    if (call->ready && edge < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "lambd = %g must not be negative", edge);
        math_refuse(call);
    }
    return call->ready;
}

/* ---- gelu, one way or the other */

bool tni_prepare_gelu_approximate(tni_prepared *call, const tn_tensor *self, const char *approximate) {
    bool tanh = strcmp(approximate, "tanh") == 0;
    math_begin(call, self, tanh ? TNI_KERNEL_gelu_tanh : TNI_KERNEL_gelu, PROMOTE, MATH_FLOAT);
    if (!tanh && strcmp(approximate, "none") != 0) {
        tni_raise(TN_ERROR_ARGUMENT, "approximate '%.20s' must be 'none' or 'tanh'", approximate);
        math_refuse(call);
    }
    return call->ready;
}

/* ---- activations that integers have too: their numbers must fit */

/* The number in the dtype of self. For integers the integer part is used. */
static void math_fitting_number(tni_prepared *call, int position, const tn_tensor *self, tn_scalar value, const char *name) {
    double real = math_real(call, value, name);
    if (!call->ready)
        return;
    tni_parameters_set(&call->parameters, position, value);
    if (!tn_dtype_is_integral(self->dtype))
        return;
    bool has_sign = tni_dtype_row(self->dtype)->kind == TN_KIND_SIGNED;
    tn_scalar part = value.kind == TN_SCALAR_FLOAT ? tn_scalar_float(trunc(real)) : value;
    if ((real <= -1 && !has_sign) || !tn_dtype_can_hold(self->dtype, part)) {
        tni_raise(TN_ERROR_DTYPE, "%s = %s does not fit into self, which is %s", name, tni_show_scalar(value),
                  tni_show_tensor(self));
        math_refuse(call);
    }
}

bool tni_prepare_hardtanh_range(tni_prepared *call, const tn_tensor *self, tn_scalar min_val, tn_scalar max_val) {
    math_begin(call, self, TNI_KERNEL_hardtanh, PROMOTE, MATH_REAL | LAYOUT_LIKE_SELF);
    if (self->dtype == TN_BOOL)
        return true; /* the common part says why not */
    math_fitting_number(call, 0, self, min_val, "min_val");
    math_fitting_number(call, 1, self, max_val, "max_val");
    if (call->ready && call->parameters.real[0] > call->parameters.real[1]) {
        tni_raise(TN_ERROR_ARGUMENT, "min_val = %s is above max_val = %s", tni_show_scalar(min_val), tni_show_scalar(max_val));
        math_refuse(call);
    }
    return call->ready;
}

bool tni_prepare_hardtanh(tni_prepared *call, const tn_tensor *self) {
    return tni_prepare_hardtanh_range(call, self, tn_scalar_int(-1), tn_scalar_int(1));
}

bool tni_prepare_relu6(tni_prepared *call, const tn_tensor *self) {
    return tni_prepare_hardtanh_range(call, self, tn_scalar_int(0), tn_scalar_int(6));
}

bool tni_prepare_threshold(tni_prepared *call, const tn_tensor *self, tn_scalar threshold, tn_scalar value) {
    math_begin(call, self, TNI_KERNEL_threshold, PROMOTE, MATH_REAL);
    if (self->dtype == TN_BOOL)
        return true; /* the common part says why not */
    math_fitting_number(call, 0, self, threshold, "threshold");
    math_fitting_number(call, 1, self, value, "value");
    return call->ready;
}
