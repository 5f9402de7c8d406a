/* pointwise_math.c - the mathematical operators and activations that look at their numbers before the common part takes over.
 *
 * Most activations are one kernel with other numbers: math_new and math_into make the call. Numbers are checked first, so that
 * a complex slope is refused and not cut.
 */
#include <math.h>

#include "base/error.h"
#include "dispatch/kernels.h"
#include "iterate/pointwise.h"
#include "operator_impls.h"
#include "ops/pointwise.h"
#include "ops/result.h"

enum { MATH_FLOAT = TNI_TAKES_FLOAT, MATH_REAL = TNI_TAKES_FLOAT | TNI_TAKES_INTEGER };

/* One tensor, a kernel, and up to three numbers for it. */
typedef struct math_call {
    tni_pointwise_spec spec;
    tni_parameters parameters;
    bool ready;
} math_call;

static void math_begin(math_call *call, int kernel, int rule, uint8_t kinds) {
    call->spec = (tni_pointwise_spec){(uint16_t)kernel, (uint8_t)rule, CHECK_NOTHING, 1, kinds, NULL};
    call->ready = true;
    for (int i = 0; i < TNI_PARAMETERS; i++)
        tni_parameters_set(&call->parameters, i, tn_scalar_int(0));
}

static tn_tensor *math_new(const math_call *call, const tn_tensor *self) {
    const tni_pointwise_argument argument = {self, NULL};
    return call->ready ? tni_pointwise_new(&call->spec, &argument, &call->parameters) : NULL;
}

static tn_error math_into(const math_call *call, tn_tensor *out, const tn_tensor *self) {
    const tni_pointwise_argument argument = {self, NULL};
    return call->ready ? tni_pointwise_into(&call->spec, out, &argument, &call->parameters) : tn_error_code();
}

static void math_refuse(math_call *call) { call->ready = false; }

/* A parameter as a double; of a complex one, or none at all, there is an error and 0. */
static double math_real(math_call *call, tn_scalar value, const char *name) {
    double real = 0;
    if (value.kind != TN_SCALAR_COMPLEX && value.kind != TN_SCALAR_NONE) {
        tn_dtype_store(TN_FLOAT64, &real, value);
    } else if (call->ready) {
        tni_raise(TN_ERROR_ARGUMENT, "%s = %s must be a real number", name, tni_show_scalar(value));
        math_refuse(call);
    }
    return real;
}

static void math_number(math_call *call, int position, double value) {
    tni_parameters_set(&call->parameters, position, tn_scalar_float(value));
}

/* ---- logit with a margin */

static void prepare_logit(math_call *call, double eps) {
    math_begin(call, eps < 0 ? TNI_KERNEL_logit : TNI_KERNEL_logit_eps, FLOATING, MATH_FLOAT);
    math_number(call, 0, eps);
}

tn_tensor *tni_op_logit_eps(const tn_tensor *self, double eps) {
    math_call call;
    prepare_logit(&call, eps);
    return math_new(&call, self);
}
tn_error tni_op_logit_eps_(tn_tensor *self, double eps) { return tni_op_logit_eps_out(self, self, eps); }
tn_error tni_op_logit_eps_out(tn_tensor *out, const tn_tensor *self, double eps) {
    math_call call;
    prepare_logit(&call, eps);
    return math_into(&call, out, self);
}

/* ---- two results */

static void math_run_frexp(tn_tensor *mantissa, tn_tensor *exponent, const tn_tensor *self, tni_loop loop, tn_dtype compute) {
    tni_pointwise_job job = {.ndim = self->ndim, .sizes = self->sizes, .results = 2, .operands = 3, .loop = loop};
    char *data = (char *)(uintptr_t)tni_tensor_read(self);
    job.operand[0] = (tni_pointwise_operand){tni_tensor_write(mantissa), mantissa->strides, mantissa->dtype, compute};
    job.operand[1] = (tni_pointwise_operand){tni_tensor_write(exponent), exponent->strides, TN_INT32, TN_INT32};
    job.operand[2] = (tni_pointwise_operand){data, self->strides, self->dtype, compute};
    tni_pointwise_run(&job);
}

static tni_loop math_frexp_loop(const tn_tensor *self, tn_dtype *compute) {
    bool narrow = self->dtype == TN_FLOAT16 || self->dtype == TN_BFLOAT16;
    *compute = narrow ? TN_FLOAT32 : (tn_dtype)self->dtype;
    tni_loop loop = tni_kernels()->pointwise[TNI_KERNEL_frexp * TN_DTYPE_COUNT + *compute];
    if (!loop)
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
    if (!results[1]) {
        tni_tensor_release(results[0]);
        return NULL;
    }
    math_run_frexp(results[0], results[1], self, loop, compute);
    return tni_list_make(results, 2);
}

tn_error tni_op_frexp_out(tn_tensor *mantissa, tn_tensor *exponent, const tn_tensor *self) {
    tn_dtype compute;
    tni_loop loop = math_frexp_loop(self, &compute);
    if (!loop)
        return tn_error_code();
    tni_result results[2];
    tn_dims sizes = {self->sizes, self->ndim};
    tni_result_wish wishes[2] = {{mantissa, "mantissa", sizes, self->dtype}, {exponent, "exponent", sizes, TN_INT32}};
    if (!tni_result_begin_pair(results, wishes, TNI_RESULT_CAST, &self, 1))
        return tn_error_code();
    math_run_frexp(results[0].tensor, results[1].tensor, self, loop, compute);
    return tni_result_end_pair(results, TN_OK);
}

/* ---- activations with a slope, an alpha, a beta */

static void prepare_leaky_relu(math_call *call, tn_scalar slope) {
    math_begin(call, TNI_KERNEL_leaky_relu, PROMOTE, MATH_FLOAT);
    math_number(call, 0, math_real(call, slope, "negative_slope"));
}

tn_tensor *tni_op_leaky_relu_slope(const tn_tensor *self, tn_scalar negative_slope) {
    math_call call;
    prepare_leaky_relu(&call, negative_slope);
    return math_new(&call, self);
}
tn_error tni_op_leaky_relu_slope_(tn_tensor *self, tn_scalar negative_slope) {
    return tni_op_leaky_relu_slope_out(self, self, negative_slope);
}
tn_error tni_op_leaky_relu_slope_out(tn_tensor *out, const tn_tensor *self, tn_scalar negative_slope) {
    math_call call;
    prepare_leaky_relu(&call, negative_slope);
    return math_into(&call, out, self);
}

#define MATH_USUAL_SLOPE tn_scalar_float(0.01)

tn_tensor *tni_op_leaky_relu(const tn_tensor *self) { return tni_op_leaky_relu_slope(self, MATH_USUAL_SLOPE); }
tn_error tni_op_leaky_relu_(tn_tensor *self) { return tni_op_leaky_relu_slope_(self, MATH_USUAL_SLOPE); }
tn_error tni_op_leaky_relu_out(tn_tensor *out, const tn_tensor *self) {
    return tni_op_leaky_relu_slope_out(out, self, MATH_USUAL_SLOPE);
}

/* The kernel's numbers are the factor left of 0, the factor right of it, and that of the exponent. */
static void prepare_elu(math_call *call, tn_scalar alpha, tn_scalar scale, tn_scalar input_scale) {
    math_begin(call, TNI_KERNEL_elu, PROMOTE, MATH_FLOAT);
    double outer = math_real(call, scale, "scale");
    math_number(call, 0, math_real(call, alpha, "alpha") * outer);
    math_number(call, 1, outer);
    math_number(call, 2, math_real(call, input_scale, "input_scale"));
}

tn_tensor *tni_op_elu_alpha(const tn_tensor *self, tn_scalar alpha, tn_scalar scale, tn_scalar input_scale) {
    math_call call;
    prepare_elu(&call, alpha, scale, input_scale);
    return math_new(&call, self);
}
tn_error tni_op_elu_alpha_(tn_tensor *self, tn_scalar alpha, tn_scalar scale, tn_scalar input_scale) {
    return tni_op_elu_alpha_out(self, self, alpha, scale, input_scale);
}
tn_error tni_op_elu_alpha_out(tn_tensor *out, const tn_tensor *self, tn_scalar alpha, tn_scalar scale, tn_scalar input_scale) {
    math_call call;
    prepare_elu(&call, alpha, scale, input_scale);
    return math_into(&call, out, self);
}

#define MATH_ONE tn_scalar_int(1)

tn_tensor *tni_op_elu(const tn_tensor *self) { return tni_op_elu_alpha(self, MATH_ONE, MATH_ONE, MATH_ONE); }
tn_error tni_op_elu_(tn_tensor *self) { return tni_op_elu_out(self, self); }
tn_error tni_op_elu_out(tn_tensor *out, const tn_tensor *self) {
    return tni_op_elu_alpha_out(out, self, MATH_ONE, MATH_ONE, MATH_ONE);
}

/* Klambauer et al., Self-Normalizing Neural Networks (2017): the fixed point of mean 0 and variance 1. */
#define MATH_SELU_ALPHA tn_scalar_float(1.6732632423543772848170429916717)
#define MATH_SELU_SCALE tn_scalar_float(1.0507009873554804934193349852946)

tn_tensor *tni_op_selu(const tn_tensor *self) { return tni_op_elu_alpha(self, MATH_SELU_ALPHA, MATH_SELU_SCALE, MATH_ONE); }
tn_error tni_op_selu_(tn_tensor *self) { return tni_op_selu_out(self, self); }
tn_error tni_op_selu_out(tn_tensor *out, const tn_tensor *self) {
    return tni_op_elu_alpha_out(out, self, MATH_SELU_ALPHA, MATH_SELU_SCALE, MATH_ONE);
}

static void prepare_celu(math_call *call, tn_scalar alpha) {
    math_begin(call, TNI_KERNEL_elu, PROMOTE, MATH_FLOAT);
    double bend = math_real(call, alpha, "alpha");
    math_number(call, 0, bend);
    math_number(call, 1, 1);
    math_number(call, 2, 1 / bend);
    if (call->ready && bend == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "alpha must not be 0: celu divides by it");
        math_refuse(call);
    }
}

tn_tensor *tni_op_celu_alpha(const tn_tensor *self, tn_scalar alpha) {
    math_call call;
    prepare_celu(&call, alpha);
    return math_new(&call, self);
}
tn_error tni_op_celu_alpha_(tn_tensor *self, tn_scalar alpha) { return tni_op_celu_alpha_out(self, self, alpha); }
tn_error tni_op_celu_alpha_out(tn_tensor *out, const tn_tensor *self, tn_scalar alpha) {
    math_call call;
    prepare_celu(&call, alpha);
    return math_into(&call, out, self);
}
tn_tensor *tni_op_celu(const tn_tensor *self) { return tni_op_celu_alpha(self, MATH_ONE); }
tn_error tni_op_celu_(tn_tensor *self) { return tni_op_celu_alpha_out(self, self, MATH_ONE); }
tn_error tni_op_celu_out(tn_tensor *out, const tn_tensor *self) { return tni_op_celu_alpha_out(out, self, MATH_ONE); }

static void prepare_softplus(math_call *call, tn_scalar beta, tn_scalar threshold) {
    math_begin(call, TNI_KERNEL_softplus, PROMOTE, MATH_FLOAT);
    math_number(call, 0, math_real(call, beta, "beta"));
    math_number(call, 1, math_real(call, threshold, "threshold"));
}

tn_tensor *tni_op_softplus_beta(const tn_tensor *self, tn_scalar beta, tn_scalar threshold) {
    math_call call;
    prepare_softplus(&call, beta, threshold);
    return math_new(&call, self);
}
tn_error tni_op_softplus_beta_out(tn_tensor *out, const tn_tensor *self, tn_scalar beta, tn_scalar threshold) {
    math_call call;
    prepare_softplus(&call, beta, threshold);
    return math_into(&call, out, self);
}

#define MATH_USUAL_THRESHOLD tn_scalar_int(20)

tn_tensor *tni_op_softplus(const tn_tensor *self) { return tni_op_softplus_beta(self, MATH_ONE, MATH_USUAL_THRESHOLD); }
tn_error tni_op_softplus_out(tn_tensor *out, const tn_tensor *self) {
    return tni_op_softplus_beta_out(out, self, MATH_ONE, MATH_USUAL_THRESHOLD);
}

/* ---- gelu, one way or the other */

static void prepare_gelu(math_call *call, const char *approximate) {
    bool tanh = strcmp(approximate, "tanh") == 0;
    math_begin(call, tanh ? TNI_KERNEL_gelu_tanh : TNI_KERNEL_gelu, PROMOTE, MATH_FLOAT);
    if (!tanh && strcmp(approximate, "none") != 0) {
        tni_raise(TN_ERROR_ARGUMENT, "approximate '%.20s' must be 'none' or 'tanh'", approximate);
        math_refuse(call);
    }
}

tn_tensor *tni_op_gelu_approximate(const tn_tensor *self, const char *approximate) {
    math_call call;
    prepare_gelu(&call, approximate);
    return math_new(&call, self);
}
tn_error tni_op_gelu_approximate_(tn_tensor *self, const char *approximate) {
    return tni_op_gelu_approximate_out(self, self, approximate);
}
tn_error tni_op_gelu_approximate_out(tn_tensor *out, const tn_tensor *self, const char *approximate) {
    math_call call;
    prepare_gelu(&call, approximate);
    return math_into(&call, out, self);
}

/* ---- activations that integers have too: their numbers must fit */

/* The number in the dtype of self. Of integers the integer part is used. */
static void math_fitting_number(math_call *call, int position, const tn_tensor *self, tn_scalar value, const char *name) {
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

static void prepare_hardtanh(math_call *call, const tn_tensor *self, tn_scalar low, tn_scalar high) {
    math_begin(call, TNI_KERNEL_hardtanh, PROMOTE, MATH_REAL | LAYOUT_LIKE_SELF);
    if (self->dtype == TN_BOOL)
        return; /* the common part says why not */
    math_fitting_number(call, 0, self, low, "min_val");
    math_fitting_number(call, 1, self, high, "max_val");
    if (call->ready && call->parameters.real[0] > call->parameters.real[1]) {
        tni_raise(TN_ERROR_ARGUMENT, "min_val = %s is above max_val = %s", tni_show_scalar(low), tni_show_scalar(high));
        math_refuse(call);
    }
}

tn_tensor *tni_op_hardtanh_range(const tn_tensor *self, tn_scalar min_val, tn_scalar max_val) {
    math_call call;
    prepare_hardtanh(&call, self, min_val, max_val);
    return math_new(&call, self);
}
tn_error tni_op_hardtanh_range_(tn_tensor *self, tn_scalar min_val, tn_scalar max_val) {
    return tni_op_hardtanh_range_out(self, self, min_val, max_val);
}
tn_error tni_op_hardtanh_range_out(tn_tensor *out, const tn_tensor *self, tn_scalar min_val, tn_scalar max_val) {
    math_call call;
    prepare_hardtanh(&call, self, min_val, max_val);
    return math_into(&call, out, self);
}

#define MATH_RANGE tn_scalar_int(-1), tn_scalar_int(1)
#define MATH_SIX tn_scalar_int(0), tn_scalar_int(6)

tn_tensor *tni_op_hardtanh(const tn_tensor *self) { return tni_op_hardtanh_range(self, MATH_RANGE); }
tn_error tni_op_hardtanh_(tn_tensor *self) { return tni_op_hardtanh_range_out(self, self, MATH_RANGE); }
tn_error tni_op_hardtanh_out(tn_tensor *out, const tn_tensor *self) { return tni_op_hardtanh_range_out(out, self, MATH_RANGE); }

tn_tensor *tni_op_relu6(const tn_tensor *self) { return tni_op_hardtanh_range(self, MATH_SIX); }
tn_error tni_op_relu6_(tn_tensor *self) { return tni_op_hardtanh_range_out(self, self, MATH_SIX); }
tn_error tni_op_relu6_out(tn_tensor *out, const tn_tensor *self) { return tni_op_hardtanh_range_out(out, self, MATH_SIX); }

static void prepare_threshold(math_call *call, const tn_tensor *self, tn_scalar threshold, tn_scalar value) {
    math_begin(call, TNI_KERNEL_threshold, PROMOTE, MATH_REAL);
    if (self->dtype == TN_BOOL)
        return; /* the common part says why not */
    math_fitting_number(call, 0, self, threshold, "threshold");
    math_fitting_number(call, 1, self, value, "value");
}

tn_tensor *tni_op_threshold(const tn_tensor *self, tn_scalar threshold, tn_scalar value) {
    math_call call;
    prepare_threshold(&call, self, threshold, value);
    return math_new(&call, self);
}
tn_error tni_op_threshold_(tn_tensor *self, tn_scalar threshold, tn_scalar value) {
    return tni_op_threshold_out(self, self, threshold, value);
}
tn_error tni_op_threshold_out(tn_tensor *out, const tn_tensor *self, tn_scalar threshold, tn_scalar value) {
    math_call call;
    prepare_threshold(&call, self, threshold, value);
    return math_into(&call, out, self);
}
