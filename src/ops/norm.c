/* norm.c - lines brought to one size: layer_norm, rms_norm, normalize.
 *
 * The dimensions that are normalised together become one, merged where their strides allow it and copied where not; then each
 * line is one call of a kernel, which reads it while it is cached. float16 and bfloat16 are computed in float32.
 */
#include <math.h>

#include "base/error.h"
#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/result.h"
#include "ops/pointwise.h"
#include "ops/scan.h"

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
    if (tni_scan_is_float(self->dtype))
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
    tni_raise(TN_ERROR_DTYPE, "weight %s and bias %s do not go with self %s: %s", weight ? tni_show_tensor(weight) : "none",
              bias ? tni_show_tensor(bias) : "none", tni_show_tensor(self),
              half ? "give both its dtype, or both float32" : "give both its dtype");
    return false;
}

/* As contiguous elements of `dtype`; *made is what is to be released. Gives NULL for NULL. */
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
    tni_lines_job job = {
        .ndim = outer + 1, .dim = outer, .sizes = sizes, .operands = 2, .function = norm_line, .context = call};
    job.operand[0] = tni_line_write(result, self->ndim - 1, compute);
    job.operand[1] = tni_line_read(self, self->ndim - 1, compute);
    job.operand[0].strides = to;
    job.operand[1].strides = from;
    job.operand[0].length = job.operand[1].length = call->count;
    return tni_lines_run(&job);
}

static tn_tensor *norm_new(const tn_tensor *self, int64_t merged, const tn_tensor *weight, const tn_tensor *bias,
                           tn_dtype compute, tni_norm norm) {
    tn_tensor *result = tni_tensor_new(self->ndim, self->sizes, self->dtype, tni_tensor_device(self));
    if (!result || result->numel == 0)
        return result;
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
    if (!ready || norm_run(result, source, merged, stride, compute, &call) != TN_OK) {
        tni_tensor_release(result);
        result = NULL;
    }
    tni_tensor_release(source);
    tni_tensor_release(made_weight);
    tni_tensor_release(made_bias);
    return result;
}

tn_tensor *tni_op_layer_norm(const tn_tensor *self, tn_dims normalized_shape, const tn_tensor *weight, const tn_tensor *bias,
                             double eps) {
    if (!norm_check_shape(self, normalized_shape) || !norm_check_dtype(self) ||
        !norm_check_parameter(weight, normalized_shape, "weight") || !norm_check_parameter(bias, normalized_shape, "bias") ||
        !norm_check_mixture(self, weight, bias))
        return NULL;
    tn_dtype compute = self->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    return norm_new(self, normalized_shape.count, weight, bias, compute, (tni_norm){.kind = TNI_NORM_LAYER, .eps = eps});
}

/* Without an eps it is the distance from 1 to the next number of the dtype that is computed in. */
tn_tensor *tni_op_rms_norm(const tn_tensor *self, tn_dims normalized_shape, const tn_tensor *weight, tn_scalar eps) {
    if (!norm_check_shape(self, normalized_shape) || !norm_check_dtype(self) ||
        !norm_check_parameter(weight, normalized_shape, "weight"))
        return NULL;
    bool wide = self->dtype == TN_FLOAT64 || (weight && weight->dtype == TN_FLOAT64);
    tni_norm norm = {.kind = TNI_NORM_RMS, .eps = self->dtype == TN_FLOAT64 ? 0x1p-52 : 0x1p-23};
    if (eps.kind == TN_SCALAR_COMPLEX)
        return tni_raise_null(TN_ERROR_DTYPE, "eps = %s must be a real number", tni_show_scalar(eps));
    if (eps.kind != TN_SCALAR_NONE)
        tn_dtype_store(TN_FLOAT64, &norm.eps, eps);
    return norm_new(self, normalized_shape.count, weight, NULL, wide ? TN_FLOAT64 : TN_FLOAT32, norm);
}

/* ---- normalize */

typedef struct norm_unit_call {
    norm_call euclidean;
    tn_dtype compute;
    double p;
} norm_unit_call;

static double norm_magnitude(const void *line, tn_dtype dtype, int64_t i) {
    switch (dtype) {
    case TN_FLOAT32: return fabs((double)((const float *)line)[i]);
    case TN_FLOAT64: return fabs(((const double *)line)[i]);
    case TN_COMPLEX64: return hypot((double)((const tn_complex64 *)line)[i].real, (double)((const tn_complex64 *)line)[i].imag);
    default: return hypot(((const tn_complex128 *)line)[i].real, ((const tn_complex128 *)line)[i].imag);
    }
}

/* The p-norm of a line. NaN counts more than any number. */
static double norm_size(const void *line, tn_dtype dtype, int64_t count, double p) {
    double size = p == -INFINITY ? INFINITY : 0;
    for (int64_t i = 0; i < count; i++) {
        double x = norm_magnitude(line, dtype, i);
        if (isinf(p))
            size = isnan(x) || (p > 0 ? x > size : x < size) ? x : size;
        else
            size += p == 0 ? x != 0 : p == 1 ? x : pow(x, p);
    }
    return isinf(p) || p == 0 || p == 1 ? size : pow(size, 1 / p);
}

/* Complex numbers are two real ones each, for Euclid and for division. */
static void norm_unit_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const norm_unit_call *call = context;
    const tni_norm *norm = &call->euclidean.norm;
    (void)number, (void)scratch;
    bool is_complex = tn_dtype_is_complex(call->compute),
         is_float = call->compute == TN_FLOAT32 || call->compute == TN_COMPLEX64;
    int64_t count = call->euclidean.count, parts = is_complex ? 2 * count : count;
    if (call->p == 2) {
        call->euclidean.function(lines[0], lines[1], parts, norm);
        return;
    }
    double size = norm_size(lines[1], call->compute, count, call->p);
    size = size < norm->eps ? norm->eps : size;
    for (int64_t i = 0; i < parts; i++)
        if (is_float)
            ((float *)lines[0])[i] = ((const float *)lines[1])[i] / (float)size;
        else
            ((double *)lines[0])[i] = ((const double *)lines[1])[i] / size;
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
    call.euclidean = (norm_call){
        .function = tni_kernels()->norm[call.compute == TN_FLOAT64 || call.compute == TN_COMPLEX128],
        .norm = {.kind = TNI_NORM_UNIT, .eps = eps},
        .count = self->ndim ? self->sizes[dim] : 1,
    };
    tni_scan scan = {.result = result, .result_compute = call.compute, .self = self, .self_compute = call.compute, .dim = dim};
    return tni_scan_run(&scan, norm_unit_line, &call);
}

tn_tensor *tni_op_normalize(const tn_tensor *self, double p, int64_t dim, double eps) {
    if (!norm_unit_check(self, p, &dim))
        return NULL;
    int64_t strides[TN_MAX_DIMS]; /* it is a quotient, and lies in memory as one of self and a broadcast tensor does */
    tni_pointwise_layout from = {self->ndim, self->sizes, false, false, 1, {self->strides}};
    tn_tensor *result = NULL;
    if (tni_pointwise_strides(&from, strides) == TN_GEOMETRY_OK)
        result = tni_tensor_new_strided(self->ndim, self->sizes, strides, 0, self->numel, self->dtype, tni_tensor_device(self));
    else
        tni_raise(TN_ERROR_SHAPE, "self %s is larger than any memory", tni_show_tensor(self));
    if (result && norm_unit_into(result, self, p, dim, eps) != TN_OK) {
        tni_tensor_release(result);
        return NULL;
    }
    return result;
}

tn_error tni_op_normalize_out(tn_tensor *out, const tn_tensor *self, double p, int64_t dim, double eps) {
    tni_result result;
    if (!norm_unit_check(self, p, &dim) ||
        !tni_result_begin(&result, out, (tn_dims){self->sizes, self->ndim}, self->dtype, TNI_RESULT_CAST, &self, 1))
        return tn_error_code();
    return tni_result_end(&result, norm_unit_into(result.tensor, self, p, dim, eps));
}
