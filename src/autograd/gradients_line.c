/* gradients_line.c - derivatives of operators that work along dimensions: norms of layers, running sums.
 *
 * The mean and the spread that a norm divides by are computed again: they are small beside what would be kept, and so made of operators
 * that have derivatives themselves.
 */
#include <float.h>

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_reduce.h"
#include "operators_scan.h"
#include "operators_view.h"

/* The last dimensions, as many as the shape has. */
static tn_dims line_last(const tn_tensor *self, tn_dims shape, int64_t *dims) {
    for (int64_t i = 0; i < shape.count; i++)
        dims[i] = self->ndim - shape.count + i;
    return (tn_dims){dims, shape.count};
}

static tn_tensor *line_mean(const tn_tensor *x, tn_dims over) { return tn_mean_dim(x, over, true, TN_DTYPE_DEFAULT); }

/* 1 / sqrt(mean(x^2) + eps) */
static tn_tensor *line_scale(const tn_tensor *x, tn_dims over, double eps) {
    return tn_rsqrt(tn_add_scalar(line_mean(tn_mul(x, x), over), tn_scalar_float(eps)));
}

/* What the weight is multiplied by, in a norm: x, centred or not, of spread 1; and the factor that made it so. */
static tn_tensor *line_hat(const tn_tensor *self, tn_dims over, double eps, bool centre, tn_tensor **scale) {
    const tn_tensor *x = centre ? tn_sub(self, line_mean(self, over)) : self;
    *scale = line_scale(x, over, eps);
    return tn_mul(x, *scale);
}

/* A change of x also moves the mean and the spread: both are taken out of the gradient. */
static tn_tensor *line_norm(const tn_tensor *grad, const tn_tensor *self, tn_dims shape, const tn_tensor *weight, double eps,
                            bool centre) {
    int64_t dims[TN_MAX_DIMS];
    tn_dims over = line_last(self, shape, dims);
    tn_tensor *scale, *hat = line_hat(self, over, eps, centre, &scale);
    const tn_tensor *inner = weight ? tn_mul(grad, weight) : grad;
    tn_tensor *along = tn_mul(hat, line_mean(tn_mul(inner, hat), over));
    tn_tensor *rest = tn_sub(centre ? tn_sub(inner, line_mean(inner, over)) : inner, along);
    return tn_mul(scale, rest);
}

tn_tensor *tni_gradient_layer_norm(const tn_tensor *grad, const tn_tensor *self, tn_dims shape, const tn_tensor *weight,
                                   double eps) {
    return line_norm(grad, self, shape, weight, eps, true);
}

tn_tensor *tni_gradient_layer_norm_hat(const tn_tensor *self, tn_dims shape, double eps) {
    int64_t dims[TN_MAX_DIMS];
    tn_tensor *scale;
    return line_hat(self, line_last(self, shape, dims), eps, true, &scale);
}

/* The default is the smallest number that makes a difference to 1, in the dtype that is computed in. */
static double line_eps(const tn_tensor *self, tn_scalar eps) {
    if (eps.kind != TN_SCALAR_NONE)
        return tni_number_real(eps);
    return self->dtype == TN_FLOAT64 || self->dtype == TN_COMPLEX128 ? DBL_EPSILON : FLT_EPSILON;
}

tn_tensor *tni_gradient_rms_norm(const tn_tensor *grad, const tn_tensor *self, tn_dims shape, const tn_tensor *weight,
                                 tn_scalar eps) {
    return line_norm(grad, self, shape, weight, line_eps(self, eps), false);
}

tn_tensor *tni_gradient_rms_norm_hat(const tn_tensor *self, tn_dims shape, tn_scalar eps) {
    int64_t dims[TN_MAX_DIMS];
    tn_tensor *scale;
    return line_hat(self, line_last(self, shape, dims), line_eps(self, eps), false, &scale);
}

/* An element is in the sums at its own place and behind: the sum of their gradients, from the end. */
tn_tensor *tni_gradient_cumsum(const tn_tensor *grad, int64_t dim) {
    if (grad->ndim == 0)
        return (tn_tensor *)(uintptr_t)grad;
    tn_dims along = {&dim, 1};
    return tn_flip(tn_cumsum(tn_flip(grad, along), dim, TN_DTYPE_DEFAULT), along);
}
