/* gradients_reduce.c - derivatives of reductions: a gradient is given back to every element that took part. */
#include <math.h>

#include "autograd/backward.h"
#include "autograd/slot.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_logic.h"
#include "operators_math.h"
#include "operators_reduce.h"
#include "operators_scan.h"
#include "operators_select.h"
#include "operators_softmax.h"
#include "operators_view.h"

static const tn_dims reduce_all = {NULL, 0};

static tn_tensor *reduce_mutable(const tn_tensor *tensor) { return (tn_tensor *)(uintptr_t)tensor; }

/* Which dimensions were reduced: those named, or all of them where none is. */
static void reduce_mask(tn_dims sizes, tn_dims dim, bool *reduced) {
    for (int64_t d = 0; d < sizes.count; d++)
        reduced[d] = dim.count == 0;
    for (int64_t i = 0; sizes.count && i < dim.count; i++)
        reduced[dim.values[i] < 0 ? dim.values[i] + sizes.count : dim.values[i]] = true;
}

/* A result as it would be with keepdim: it broadcasts against self. */
static tn_tensor *reduce_restore(const tn_tensor *reduced, tn_dims sizes, tn_dims dim, bool keepdim) {
    bool mask[TN_MAX_DIMS];
    int64_t kept[TN_MAX_DIMS];
    if (keepdim || !reduced)
        return reduce_mutable(reduced);
    reduce_mask(sizes, dim, mask);
    for (int64_t d = 0; d < sizes.count; d++)
        kept[d] = mask[d] ? 1 : sizes.values[d];
    return tn_reshape(reduced, (tn_dims){kept, sizes.count});
}

tn_tensor *tni_gradient_expand_reduced(const tn_tensor *grad, tn_dims sizes, tn_dims dim, bool keepdim) {
    return tn_expand(reduce_restore(grad, sizes, dim, keepdim), sizes);
}

/* How many elements each result is made of; of none, as if there were one, so that the zeros of zeros stay zeros. */
static int64_t reduce_share(tn_dims sizes, tn_dims dim) {
    bool reduced[TN_MAX_DIMS];
    int64_t count = 1;
    reduce_mask(sizes, dim, reduced);
    for (int64_t d = 0; d < sizes.count; d++)
        count *= reduced[d] && sizes.values[d] ? sizes.values[d] : 1;
    return count;
}

tn_tensor *tni_gradient_mean_dim(const tn_tensor *grad, tn_dims sizes, tn_dims dim, bool keepdim) {
    tn_tensor *share = tn_div_scalar(grad, tn_scalar_int(reduce_share(sizes, dim)));
    return tni_gradient_expand_reduced(share, sizes, dim, keepdim);
}

/* A NaN did not take part; a mean is over the rest. */
tn_tensor *tni_gradient_nansum(const tn_tensor *grad, const tn_tensor *self, tn_dims dim, bool keepdim) {
    return tn_where_self_scalar(tn_isnan(self), tn_scalar_int(0),
                                tni_gradient_expand_reduced(grad, tni_sizes_of(self), dim, keepdim));
}

tn_tensor *tni_gradient_nanmean(const tn_tensor *grad, const tn_tensor *self, tn_dims dim, bool keepdim) {
    tn_tensor *count = tn_sum_dim(tn_logical_not(tn_isnan(self)), dim, keepdim, TN_DTYPE_DEFAULT);
    return tni_gradient_nansum(tn_div(grad, count), self, dim, keepdim);
}

/* ---- products */

/* Whether there is a zero; a device is not asked, and then there may be one. */
bool tni_may_be_zero(const tn_tensor *self) {
    if (tni_tensor_device(self).type != TN_CPU)
        return true;
    tn_tensor *any = tn_any(tn_eq_scalar(self, tn_scalar_int(0)));
    return !any || tn_item(any).value.b;
}

/* The product of all elements before each one, along a dimension. */
static tn_tensor *reduce_before(const tn_tensor *self, int64_t dim) {
    const tn_tensor *parts[] = {tn_ones_like(tn_narrow(self, dim, 0, 1), TN_DTYPE_DEFAULT, TN_PRESERVE),
                                tn_narrow(self, dim, 0, self->sizes[dim] - 1)};
    return parts[0] && parts[1] ? tn_cumprod(tn_cat(parts, 2, dim), dim, TN_DTYPE_DEFAULT) : NULL;
}

/* Each element counts by the product of the others: what is left when it is divided out, unless it is 0. */
static tn_tensor *reduce_product(const tn_tensor *grad, const tn_tensor *self, int64_t dim, const tn_tensor *result) {
    tn_dims along = {&dim, 1};
    if (self->ndim == 0 || self->numel == 0)
        return tn_expand(grad, tni_sizes_of(self));
    if (self->dtype != result->dtype && !(self = tn_to(self, (tn_dtype)result->dtype)))
        return NULL;
    if (!tni_may_be_zero(self))
        return tn_mul(grad, tni_conj_of(tn_div(result, self)));
    tn_tensor *after = tn_flip(reduce_before(tn_flip(self, along), dim), along);
    return tn_mul(grad, tni_conj_of(tn_mul(reduce_before(self, dim), after)));
}

tn_tensor *tni_gradient_prod(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *result) {
    if (self->ndim < 2)
        return reduce_product(grad, self, 0, result);
    return tn_reshape(reduce_product(grad, tn_reshape(self, (tn_dims){(int64_t[]){-1}, 1}), 0, result), tni_sizes_of(self));
}

tn_tensor *tni_gradient_prod_dim(const tn_tensor *grad, const tn_tensor *self, int64_t dim, bool keepdim,
                                 const tn_tensor *result) {
    int64_t d = dim < 0 ? dim + self->ndim : dim;
    tn_dims sizes = tni_sizes_of(self), along = {&d, 1};
    return reduce_product(reduce_restore(grad, sizes, along, keepdim), self, d, reduce_restore(result, sizes, along, keepdim));
}

/* ---- moments */

/* d var / dx = 2 (x - mean) / (n - correction); the gradient of the mean, where there is one, comes on top. */
static tn_tensor *reduce_moments(const tn_tensor *grad, const tn_tensor *grad_mean, const tn_tensor *self, tn_dims dim,
                                 double correction, bool keepdim) {
    tn_dims sizes = tni_sizes_of(self);
    tn_tensor *of_mean = grad_mean ? tni_gradient_mean_dim(grad_mean, sizes, dim, keepdim) : NULL;
    if (!grad)
        return of_mean ? of_mean : tni_no_gradient();
    double factor = 2 / ((double)(dim.count ? reduce_share(sizes, dim) : self->numel) - correction);
    tn_tensor *apart = tn_sub(self, tn_mean_dim(self, dim, true, TN_DTYPE_DEFAULT));
    tn_tensor *weight = tn_mul_scalar(reduce_restore(grad, sizes, dim, keepdim), tn_scalar_float(factor));
    tn_tensor *of_var = tn_mul(weight, apart);
    return grad_mean ? tn_add(of_var, of_mean) : of_var;
}

static double reduce_correction(tn_scalar correction) {
    return correction.kind == TN_SCALAR_NONE ? 1 : tni_number_real(correction);
}

/* d std = d var / (2 std), and nothing where there is no spread. */
static const tn_tensor *reduce_of_var(const tn_tensor *grad, const tn_tensor *std) {
    if (!grad)
        return NULL;
    tn_tensor *share = tn_div(grad, tn_mul_scalar(std, tn_scalar_int(2)));
    return tn_masked_fill(share, tn_eq_scalar(std, tn_scalar_int(0)), tn_scalar_int(0));
}

tn_tensor *tni_gradient_var(const tn_tensor *grad, const tn_tensor *grad_mean, const tn_tensor *self, tn_dims dim,
                            bool unbiased, bool keepdim) {
    return reduce_moments(grad, grad_mean, self, dim, unbiased, keepdim);
}

tn_tensor *tni_gradient_var_correction(const tn_tensor *grad, const tn_tensor *grad_mean, const tn_tensor *self, tn_dims dim,
                                       tn_scalar correction, bool keepdim) {
    return reduce_moments(grad, grad_mean, self, dim, reduce_correction(correction), keepdim);
}

tn_tensor *tni_gradient_std(const tn_tensor *grad, const tn_tensor *grad_mean, const tn_tensor *self, const tn_tensor *std,
                            tn_dims dim, bool unbiased, bool keepdim) {
    return reduce_moments(reduce_of_var(grad, std), grad_mean, self, dim, unbiased, keepdim);
}

tn_tensor *tni_gradient_std_correction(const tn_tensor *grad, const tn_tensor *grad_mean, const tn_tensor *self,
                                       const tn_tensor *std, tn_dims dim, tn_scalar correction, bool keepdim) {
    return reduce_moments(reduce_of_var(grad, std), grad_mean, self, dim, reduce_correction(correction), keepdim);
}

/* ---- extremes */

/* Elements that are equal to the result share its gradient. */
tn_tensor *tni_gradient_amax(const tn_tensor *grad, const tn_tensor *self, tn_dims dim, bool keepdim, const tn_tensor *result) {
    tn_dims sizes = tni_sizes_of(self);
    tn_tensor *mask = tn_eq(self, reduce_restore(result, sizes, dim, keepdim));
    tn_tensor *count = tn_sum_dim(mask, dim, true, TN_DTYPE_DEFAULT);
    return tn_div(tn_mul(reduce_restore(grad, sizes, dim, keepdim), mask), count);
}

tn_tensor *tni_gradient_aminmax(const tn_tensor *grad_min, const tn_tensor *grad_max, const tn_tensor *self, int64_t dim,
                                bool keepdim, const tn_tensor *min, const tn_tensor *max) {
    tn_dims over = dim == TN_NONE ? reduce_all : (tn_dims){&dim, 1};
    tn_tensor *low = grad_min ? tni_gradient_amax(grad_min, self, over, keepdim, min) : NULL;
    tn_tensor *high = grad_max ? tni_gradient_amax(grad_max, self, over, keepdim, max) : NULL;
    return grad_min && grad_max ? tn_add(low, high) : grad_min ? low : grad_max ? high : tni_no_gradient();
}

/* The same where a NaN is an extreme, and equal to any other. */
tn_tensor *tni_gradient_max(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *result) {
    tn_tensor *both = tn_logical_and(tn_isnan(self), tn_isnan(result)), *mask = tn_logical_or(tn_eq(self, result), both);
    return tn_where_other_scalar(mask, tn_div(grad, tn_sum(mask, TN_DTYPE_DEFAULT)), tn_scalar_int(0));
}

/* ---- norms */

/* grad and norm as with keepdim. Where the norm is 0 there is no direction, and no gradient. */
tn_tensor *tni_norm_gradient(const tn_tensor *grad, const tn_tensor *self, double p, const tn_tensor *norm, tn_dims dim) {
    const tn_scalar zero = tn_scalar_int(0);
    if (p == 0)
        return tn_zeros_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE);
    if (p == 1)
        return tn_mul(tn_sgn(self), grad);
    tn_tensor *flat = tn_eq_scalar(norm, zero);
    if (p == 2)
        return tn_mul(grad, tn_masked_fill(tn_div(self, norm), flat, zero));
    if (isinf(p)) {
        tn_tensor *both = tn_logical_and(tn_isnan(self), tn_isnan(norm)),
                  *mask = tn_logical_or(tn_eq(tn_abs(self), norm), both);
        tn_tensor *share = tn_div(grad, tn_sum_dim(mask, dim, true, TN_DTYPE_DEFAULT));
        return tn_mul(tn_sgn(self), tn_mul(share, mask));
    }
    if (p < 1) {
        tn_tensor *slope = tn_mul(tn_sgn(self), tn_pow_scalar(tn_abs(self), tn_scalar_float(p - 1)));
        slope = tn_masked_fill(slope, tn_eq_scalar(self, zero), zero);
        return tn_mul(tn_mul(slope, grad), tn_pow_scalar(norm, tn_scalar_float(1 - p)));
    }
    tn_tensor *slope = p < 2 ? tn_mul(tn_sgn(self), tn_pow_scalar(tn_abs(self), tn_scalar_float(p - 1)))
                             : tn_mul(self, tn_pow_scalar(tn_abs(self), tn_scalar_float(p - 2)));
    tn_tensor *scale = tn_div(grad, tn_pow_scalar(norm, tn_scalar_float(p - 1)));
    return tn_mul(slope, tn_masked_fill(scale, flat, zero));
}

tn_tensor *tni_gradient_norm(const tn_tensor *grad, const tn_tensor *self, tn_scalar p, const tn_tensor *result, tn_dims dim,
                             bool keepdim) {
    tn_dims sizes = tni_sizes_of(self);
    return tni_norm_gradient(reduce_restore(grad, sizes, dim, keepdim), self, p.kind == TN_SCALAR_NONE ? 2 : tni_number_real(p),
                             reduce_restore(result, sizes, dim, keepdim), dim);
}

/* x * limit / (norm + eps) where the norm is above the limit: a change of x also changes the norm. */
static tn_tensor *reduce_scaled(const tn_tensor *grad, const tn_tensor *self, double p, const tn_tensor *norm,
                                const tn_tensor *inverse, tn_dims dim) {
    tn_tensor *along = tn_sum_dim(tn_mul(grad, tni_conj_of(self)), dim, true, TN_DTYPE_DEFAULT);
    if (along && tn_dtype_is_complex((tn_dtype)along->dtype))
        along = tn_real(along);
    return tn_mul(inverse, tn_sub(grad, tn_mul(inverse, tni_norm_gradient(along, self, p, norm, dim))));
}

tn_tensor *tni_gradient_renorm(const tn_tensor *grad, const tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm) {
    int64_t over[TN_MAX_DIMS], count = 0, d = dim < 0 ? dim + self->ndim : dim;
    for (int64_t i = 0; i < self->ndim; i++)
        if (i != d)
            over[count++] = i;
    tn_dims dims = {over, count};
    tn_tensor *norm = tn_linalg_vector_norm(self, p, dims, true, TN_DTYPE_DEFAULT);
    tn_tensor *inverse = tn_reciprocal(tn_add_scalar(norm, tn_scalar_float(1e-7)));
    tn_tensor *scaled = tn_mul_scalar(reduce_scaled(grad, self, tni_number_real(p), norm, inverse, dims), maxnorm);
    return tn_where(tn_gt_scalar(norm, maxnorm), scaled, grad);
}

/* x / max(norm, eps) */
tn_tensor *tni_gradient_normalize(const tn_tensor *grad, const tn_tensor *self, double p, int64_t dim, double eps) {
    tn_dims dims = {&dim, 1};
    tn_tensor *norm = tn_linalg_vector_norm(self, tn_scalar_float(p), dims, true, TN_DTYPE_DEFAULT);
    tn_tensor *inverse = tn_reciprocal(tn_clamp_min(norm, tn_scalar_float(eps)));
    tn_tensor *moved = reduce_scaled(grad, self, p, norm, inverse, dims);
    return tn_where(tn_ge_scalar(norm, tn_scalar_float(eps)), moved, tn_mul(grad, inverse));
}

tn_tensor *tni_gradient_logsumexp(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *result, tn_dims dim,
                                  bool keepdim) {
    tn_dims sizes = tni_sizes_of(self);
    tn_tensor *share = tn_exp(tn_sub(self, reduce_restore(result, sizes, dim, keepdim)));
    return tn_mul(reduce_restore(grad, sizes, dim, keepdim), tni_conj_of(share));
}

/* ---- softmax: in one pass on the CPU, elsewhere made of operators that devices have */

/* As the result, where the dtype of the input was another. */
static const tn_tensor *reduce_as(const tn_tensor *grad, const tn_tensor *result) {
    return grad->dtype == result->dtype ? grad : tn_to(grad, (tn_dtype)result->dtype);
}

/* What a complex input gets is real until the engine converts it. */
static tn_dtype reduce_real_dtype(tn_dtype dtype, const tn_tensor *result) {
    return tn_dtype_is_complex(dtype) ? (tn_dtype)result->dtype : dtype;
}

tn_tensor *tni_gradient_softmax(const tn_tensor *grad, const tn_tensor *result, int64_t dim, tn_dtype dtype) {
    if (tni_tensor_device(grad).type == TN_CPU)
        return tn__softmax_backward_data(reduce_as(grad, result), result, dim, reduce_real_dtype(dtype, result));
    tn_tensor *sum = tn_sum_dim(tn_mul(grad, result), (tn_dims){&dim, 1}, true, TN_DTYPE_DEFAULT);
    return tn_mul(result, tn_sub(grad, sum));
}

tn_tensor *tni_gradient_log_softmax(const tn_tensor *grad, const tn_tensor *result, int64_t dim, tn_dtype dtype) {
    if (tni_tensor_device(grad).type == TN_CPU)
        return tn__log_softmax_backward_data(reduce_as(grad, result), result, dim, reduce_real_dtype(dtype, result));
    return tn_sub(grad, tn_mul(tn_exp(result), tn_sum_dim(grad, (tn_dims){&dim, 1}, true, TN_DTYPE_DEFAULT)));
}
