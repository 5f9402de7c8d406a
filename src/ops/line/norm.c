/* norm.c - lines scaled to one size: layer_norm, rms_norm, normalize.
 *
 * The dimensions that are normalised together become one, merged where their strides allow it and copied where not; then each
 * line is one call of a kernel, which reads it while it is cached. float16 and bfloat16 are computed in float32.
 */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "operators_arithmetic.h"
#include "operators_math.h"
#include "operators_reduce.h"
#include "operators_softmax.h"
#include "ops/copy/copy.h"
#include "ops/result.h"
#include "ops/pointwise/pointwise.h"
#include "ops/line/line_call.h"
#include "ops/line/line_job.h"

typedef struct norm_call {
    tni_norm_function function;
    tni_norm norm;
    int64_t count;
} norm_call;

static void norm_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const norm_call *call = context;
    (void)number, (void)scratch;
    call->function(lines[0], lines[1], call->count, &call->norm);
}

/* ---- layer_norm, rms_norm */

static bool norm_check_shape(const tn_tensor *self, tn_dims shape) {
    if (shape.count < 1) {
        tni_raise(TN_ERROR_SHAPE, "normalized_shape is empty; give the sizes of the last dimensions, which are normalised");
        return false;
    }
    if (shape.count <= self->ndim &&
        memcmp(self->sizes + self->ndim - shape.count, shape.values, (size_t)shape.count * sizeof *shape.values) == 0)
        return true;
    tni_raise(TN_ERROR_SHAPE, "normalized_shape %s is not the end of the sizes of self %s",
              tni_show_dims(shape.values, shape.count), tni_show_tensor(self));
    return false;
}

static bool norm_check_dtype(const tn_tensor *self) {
    if (tni_line_is_float(self->dtype))
        return true;
    tni_raise(TN_ERROR_DTYPE, "self is %s; only floats of 16 bits and more are normalised, convert it first",
              tni_show_tensor(self));
    return false;
}

static bool norm_check_parameter(const tn_tensor *tensor, tn_dims shape, const char *name) {
    if (!tensor ||
        (tensor->ndim == shape.count && memcmp(tensor->sizes, shape.values, (size_t)shape.count * sizeof *shape.values) == 0))
        return true;
    tni_raise(TN_ERROR_SHAPE, "%s %s does not have the sizes of normalized_shape %s", name, tni_show_tensor(tensor),
              tni_show_dims(shape.values, shape.count));
    return false;
}

/* weight and bias have the dtype of self; beside float16 or bfloat16 both may be float32. */
static bool norm_check_mixture(const tn_tensor *self, const tn_tensor *weight, const tn_tensor *bias) {
    const tn_tensor *one = weight ? weight : bias;
    bool half = self->dtype == TN_FLOAT16 || self->dtype == TN_BFLOAT16;
    if (!one || ((one->dtype == self->dtype || (half && one->dtype == TN_FLOAT32)) && (!bias || bias->dtype == one->dtype)))
        return true;
    tni_raise(TN_ERROR_DTYPE, "weight %s and bias %s do not fit self %s: %s", weight ? tni_show_tensor(weight) : "none",
              bias ? tni_show_tensor(bias) : "none", tni_show_tensor(self),
              half ? "give both its dtype, or both float32" : "give both its dtype");
    return false;
}

/* As contiguous elements of `dtype`; *made must be released. NULL for NULL. */
static bool norm_parameter(const tn_tensor *tensor, tn_dtype dtype, tn_tensor **made, const void **elements) {
    *made = NULL;
    *elements = NULL;
    if (!tensor)
        return true;
    *made = tensor->dtype == (uint8_t)dtype && tni_tensor_is_contiguous(tensor)
                ? tni_tensor_retain(tensor)
                : tni_clone_as(tensor, dtype, TN_CONTIGUOUS, tni_tensor_device(tensor), "a norm reads its parameters in a row");
    *elements = *made ? tni_tensor_read(*made) : NULL;
    return *made != NULL;
}

/* The stride of the last `count` dimensions seen as one; false where there is none. */
static bool norm_merged_stride(const tn_tensor *self, int64_t count, int64_t *stride) {
    int64_t reach = 0;
    *stride = 1;
    for (int64_t d = self->ndim - 1; d >= self->ndim - count; d--) {
        if (self->sizes[d] == 1)
            continue;
        if (reach == 0)
            *stride = reach = self->strides[d];
        if (self->strides[d] != reach || tni_mul_overflows(reach, self->sizes[d], &reach) || reach == 0)
            return false;
    }
    return true;
}

/* On a device weight and bias are operands too, the same for every line. */
static tn_error norm_run_elsewhere(tni_lines_job *job, const tni_norm *norm, tn_dtype compute) {
    int64_t strides[TN_MAX_DIMS] = {0};
    const void *parameters[] = {norm->weight, norm->bias};
    strides[job->dim] = 1;
    for (int k = 0; k < 2; k++)
        if (parameters[k])
            job->operand[job->operands++] = (tni_line_operand){.data = (char *)(uintptr_t)parameters[k],
                                                               .strides = strides,
                                                               .length = job->sizes[job->dim],
                                                               .dtype = compute,
                                                               .compute = compute,
                                                               .reads = true};
    job->kernel = norm->kind == TNI_NORM_RMS ? TNI_JOB_rms_norm : TNI_JOB_layer_norm;
    job->numbers = 3;
    job->number = (const double[]){norm->eps, norm->weight != NULL, norm->bias != NULL};
    return tni_lines_elsewhere(job);
}

/* result: row-major, of the sizes of self, whose last `merged` dimensions are `stride` apart. */
static tn_error norm_run(tn_tensor *result, const tn_tensor *self, int64_t merged, int64_t stride, tn_dtype compute,
                         norm_call *call) {
    int64_t sizes[TN_MAX_DIMS], from[TN_MAX_DIMS], to[TN_MAX_DIMS], outer = self->ndim - merged;
    memcpy(sizes, self->sizes, (size_t)outer * sizeof *sizes);
    memcpy(from, self->strides, (size_t)outer * sizeof *from);
    memcpy(to, result->strides, (size_t)outer * sizeof *to);
    sizes[outer] = call->count;
    from[outer] = stride;
    to[outer] = 1;
    tni_lines_job job = {.ndim = outer + 1,
                         .dim = outer,
                         .sizes = sizes,
                         .operands = 2,
                         .function = norm_line,
                         .context = call,
                         .device = tni_tensor_device(self)};
    job.operand[0] = tni_line_write(result, self->ndim - 1, compute);
    job.operand[1] = tni_line_read(self, self->ndim - 1, compute);
    job.operand[0].strides = to;
    job.operand[1].strides = from;
    job.operand[0].length = job.operand[1].length = call->count;
    return TNI_LIKELY(job.device.type == TN_CPU) ? tni_lines_run(&job) : norm_run_elsewhere(&job, &call->norm, compute);
}

static tn_error norm_into(tn_tensor *result, const tn_tensor *self, int64_t merged, const tn_tensor *weight,
                          const tn_tensor *bias, tn_dtype compute, tni_norm norm) {
    if (result->numel == 0)
        return TN_OK;
    norm_call call = {.function = tni_kernels()->norm[compute == TN_FLOAT64], .norm = norm, .count = 1};
    for (int64_t d = self->ndim - merged; d < self->ndim; d++)
        call.count *= self->sizes[d];
    int64_t stride;
    tn_tensor *made_weight = NULL, *made_bias = NULL;
    tn_tensor *source = norm_merged_stride(self, merged, &stride)
                            ? tni_tensor_retain(self)
                            : tni_clone_contiguous(self, "the dimensions that are normalised cannot be merged");
    bool ready = source && norm_parameter(weight, compute, &made_weight, &call.norm.weight) &&
                 norm_parameter(bias, compute, &made_bias, &call.norm.bias);
    if (ready)
        (void)norm_merged_stride(source, merged, &stride);
    tn_error code = ready ? norm_run(result, source, merged, stride, compute, &call) : tni_failed();
    tni_tensor_release(source);
    tni_tensor_release(made_weight);
    tni_tensor_release(made_bias);
    return code;
}

/* What both take, and return: row by row, as large as self. */
static bool norm_plan(tni_plan *plan, const tn_tensor *self, tn_dims shape, const tn_tensor *weight, const tn_tensor *bias) {
    if (!norm_check_shape(self, shape) || !norm_check_dtype(self) || !norm_check_parameter(weight, shape, "weight") ||
        !norm_check_parameter(bias, shape, "bias"))
        return false;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim, self->sizes, self->dtype);
    return true;
}

bool tni_plan_layer_norm(tni_plan *plan, const tn_tensor *self, tn_dims normalized_shape, const tn_tensor *weight,
                         const tn_tensor *bias, double eps) {
    (void)eps;
    return norm_plan(plan, self, normalized_shape, weight, bias) && norm_check_mixture(self, weight, bias);
}

tn_error tni_run_layer_norm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims normalized_shape,
                            const tn_tensor *weight, const tn_tensor *bias, double eps) {
    (void)plan;
    tn_dtype compute = self->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    return norm_into(results[0], self, normalized_shape.count, weight, bias, compute,
                     (tni_norm){.kind = TNI_NORM_LAYER, .eps = eps});
}

bool tni_plan_rms_norm(tni_plan *plan, const tn_tensor *self, tn_dims normalized_shape, const tn_tensor *weight,
                       tn_scalar eps) {
    bool pairs = self->dtype == TN_COMPLEX64 || self->dtype == TN_COMPLEX128;
    int32_t where = tni_tensor_device(self).type;
    if (pairs && (where == TN_CPU || where == TN_META)) {
        if (!norm_check_shape(self, normalized_shape) || !norm_check_parameter(weight, normalized_shape, "weight"))
            return false;
        tni_plan_begin(plan, self);
        tni_plan_add(plan, self->ndim, self->sizes, self->dtype);
    } else if (!norm_plan(plan, self, normalized_shape, weight, NULL))
        return false;
    if (eps.kind == TN_SCALAR_COMPLEX)
        tni_raise(TN_ERROR_DTYPE, "eps = %s must be a real number", tni_show_scalar(eps));
    return eps.kind != TN_SCALAR_COMPLEX;
}

/* Of complex numbers the squares themselves are averaged, not those of their sizes, as in PyTorch. */
static tn_error norm_complex(tn_tensor *result, const tn_tensor *self, int64_t merged, const tn_tensor *weight, double eps) {
    int64_t dims[TN_MAX_DIMS];
    for (int64_t i = 0; i < merged; i++)
        dims[i] = self->ndim - merged + i;
    tn_tensor *square = tni_op_mul(self, self);
    tn_tensor *mean = square ? tni_op_mean_dim(square, (tn_dims){dims, merged}, true, TN_DTYPE_DEFAULT) : NULL;
    tn_tensor *more = mean ? tni_op_add_scalar(mean, tn_scalar_float(eps)) : NULL, *root = more ? tni_op_rsqrt(more) : NULL;
    tn_tensor *scaled = root ? tni_op_mul(self, root) : NULL, *weighed = scaled && weight ? tni_op_mul(scaled, weight) : NULL;
    const tn_tensor *made = weight ? weighed : scaled;
    tn_error code = made ? tni_copy_into(result, made, "a norm made of its parts") : tni_failed();
    tn_tensor *all[] = {square, mean, more, root, scaled, weighed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tni_tensor_release(all[i]);
    return code;
}

/* Without an eps it is the distance from 1 to the next number of the dtype that is computed in. */
tn_error tni_run_rms_norm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims normalized_shape,
                          const tn_tensor *weight, tn_scalar eps) {
    (void)plan;
    bool wide = self->dtype == TN_FLOAT64 || (weight && weight->dtype == TN_FLOAT64);
    tni_norm norm = {.kind = TNI_NORM_RMS,
                     .eps = self->dtype == TN_FLOAT64 || self->dtype == TN_COMPLEX128 ? 0x1p-52 : 0x1p-23};
    if (eps.kind != TN_SCALAR_NONE)
        tn_dtype_store(TN_FLOAT64, &norm.eps, eps);
    if (tn_dtype_is_complex(self->dtype))
        return norm_complex(results[0], self, normalized_shape.count, weight, norm.eps);
    return norm_into(results[0], self, normalized_shape.count, weight, NULL, wide ? TN_FLOAT64 : TN_FLOAT32, norm);
}

/* ---- normalize */

typedef struct norm_unit_call {
    norm_call euclidean;
    tni_norm_order_function function; /* of another order */
    tn_dtype compute;
    double p;
} norm_unit_call;

/* Complex numbers are two real ones each to Euclid. */
static void norm_unit_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const norm_unit_call *call = context;
    const tni_norm *norm = &call->euclidean.norm;
    int64_t count = call->euclidean.count;
    (void)number, (void)scratch;
    if (call->p == 2)
        call->euclidean.function(lines[0], lines[1], tn_dtype_is_complex(call->compute) ? 2 * count : count, norm);
    else
        call->function(lines[0], lines[1], count, call->p, norm->eps);
}

static bool norm_unit_check(const tn_tensor *self, double p, int64_t *dim) {
    if (!tn_dtype_is_complex(self->dtype) && !norm_check_dtype(self))
        return false;
    if (!tni_wrap_dim(*dim, self->ndim, "dim", dim))
        return false;
    if (self->ndim == 0 || self->sizes[*dim] > 0 || (p >= 0 && !isinf(p)))
        return true;
    tni_raise(TN_ERROR_SHAPE,
              "self %s has no elements along dimension %" PRId64 ", and a norm of order %g of nothing is not "
              "defined",
              tni_show_tensor(self), *dim, p);
    return false;
}

static tn_error norm_unit_into(tn_tensor *result, const tn_tensor *self, double p, int64_t dim, double eps) {
    norm_unit_call call = {.p = p, .compute = self->dtype};
    if (self->dtype == TN_FLOAT16 || self->dtype == TN_BFLOAT16)
        call.compute = TN_FLOAT32;
    call.function = tni_kernels()->norm_order[call.compute];
    call.euclidean = (norm_call){
        .function = tni_kernels()->norm[call.compute == TN_FLOAT64 || call.compute == TN_COMPLEX128],
        .norm = {.kind = TNI_NORM_UNIT, .eps = eps},
        .count = self->ndim ? self->sizes[dim] : 1,
    };
    tni_line_call scan = {.result = result,
                          .result_compute = call.compute,
                          .self = self,
                          .self_compute = call.compute,
                          .dim = dim,
                          .kernel = TNI_JOB_normalize,
                          .numbers = 2,
                          .number = (const double[]){p, eps}};
    return tni_line_call_run(&scan, norm_unit_line, &call);
}

bool tni_plan_normalize(tni_plan *plan, const tn_tensor *self, double p, int64_t dim, double eps) {
    (void)eps;
    if (!norm_unit_check(self, p, &dim))
        return false;
    tni_plan_begin(plan, self);
    plan->rule = TNI_RESULT_CAST;
    plan->number[0] = dim;
    tni_plan_result *result = &plan->result[0];
    tni_plan_add(plan, self->ndim, self->sizes, self->dtype);
    result->strided = true; /* it is a quotient, with the strides of self divided by a broadcast tensor */
    tni_pointwise_layout from = {self->ndim, self->sizes, false, false, 1, {self->strides}};
    if (tni_pointwise_strides(&from, result->strides) == TN_GEOMETRY_OK)
        return true;
    tni_raise(TN_ERROR_SHAPE, "self %s is larger than any memory", tni_show_tensor(self));
    return false;
}

tn_error tni_run_normalize(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double p, int64_t dim,
                           double eps) {
    (void)dim;
    return norm_unit_into(results[0], self, p, plan->number[0], eps);
}
