/* gradients_statistics.c - derivatives of covariances and of distances between rows. */
#include <math.h>

#include "autograd/backward.h"
#include "autograd/limits.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_join.h"
#include "operators_math.h"
#include "operators_move.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_select.h"
#include "operators_statistics.h"
#include "operators_view.h"

/* ---- covariances: C = X W X^H / norm, with the centred rows X and the weights of observations */

typedef struct covariance {
    tn_tensor *centred; /* (variables, observations)         */
    tn_tensor *weights; /* (observations), or NULL           */
    tn_tensor *sum;     /* of the weights, or NULL           */
    tn_tensor *norm;    /* what the sums of products are divided by */
    tn_tensor *table;   /* the gradient: (variables, variables) */
} covariance;

static tn_tensor *covariance_real(tn_tensor *tensor) {
    return tensor && tn_dtype_is_complex((tn_dtype)tensor->dtype) ? tn_real(tensor) : tensor;
}

static tn_tensor *covariance_sum(const tn_tensor *tensor) { return tn_sum(tensor, TN_DTYPE_DEFAULT); }

/* n - correction; with weights sum(w) - correction * sum(w a) / sum(w), where a is 1 without aweights. */
static tn_tensor *covariance_norm(const covariance *c, int64_t correction, const tn_tensor *aweights) {
    if (!c->weights)
        return tn_full_like(covariance_sum(c->table), tn_scalar_int(c->centred->sizes[1] - correction), TN_DTYPE_DEFAULT,
                            TN_PRESERVE);
    if (!aweights || !correction)
        return tn_sub_scalar(c->sum, tn_scalar_int(correction));
    tn_tensor *squares = tn_div(covariance_sum(tn_mul(c->weights, aweights)), c->sum);
    return tn_sub(c->sum, tn_mul_scalar(squares, tn_scalar_int(correction)));
}

static bool covariance_prepare(covariance *c, const tn_tensor *grad, const tn_tensor *self, int64_t correction,
                               const tn_tensor *fweights, const tn_tensor *aweights) {
    tn_dims last = {(int64_t[]){-1}, 1}, one = {(int64_t[]){1, self->numel}, 2};
    if (!grad)
        return false;
    const tn_tensor *rows = self->ndim == 2 ? self : tn_reshape(self, one);
    c->weights = fweights && aweights ? tn_mul(fweights, aweights) : (tn_tensor *)(uintptr_t)(fweights ? fweights : aweights);
    c->sum = c->weights ? covariance_sum(c->weights) : NULL;
    tn_tensor *mean = c->weights ? tn_div(tn_sum_dim(tn_mul(rows, c->weights), last, true, TN_DTYPE_DEFAULT), c->sum)
                                 : tn_mean_dim(rows, last, true, TN_DTYPE_DEFAULT);
    c->centred = tn_sub(rows, mean);
    c->table = grad->ndim == 2 ? (tn_tensor *)(uintptr_t)grad : tn_reshape(grad, (tn_dims){(int64_t[]){1, 1}, 2});
    if (!c->centred || !c->table)
        return false;
    c->norm = tn_clamp_min(covariance_real(covariance_norm(c, correction, aweights)), tn_scalar_int(0));
    return c->norm != NULL;
}

/* (G + G^H) X W / norm; the mean, which X is less, has no part in it: X W adds up to 0. */
tn_tensor *tni_gradient_cov_self(const tn_tensor *grad, const tn_tensor *self, int64_t correction, const tn_tensor *fweights,
                                 const tn_tensor *aweights) {
    covariance c;
    if (!covariance_prepare(&c, grad, self, correction, fweights, aweights))
        return NULL;
    tn_tensor *both = tn_div(tn_add(c.table, tni_conj_of(tn_mT(c.table))), c.norm);
    tn_tensor *made = tn_mm(tn_to(both, (tn_dtype)c.centred->dtype), c.centred);
    return tn_reshape(c.weights ? tn_mul(made, c.weights) : made, tni_sizes_of(self));
}

/* A weight counts by the products of its observation, and through the norm. */
tn_tensor *tni_gradient_cov_aweights(const tn_tensor *grad, const tn_tensor *self, int64_t correction,
                                     const tn_tensor *fweights, const tn_tensor *aweights) {
    covariance c;
    int64_t first = 0;
    if (!covariance_prepare(&c, grad, self, correction, fweights, aweights))
        return NULL;
    tn_tensor *table = tn_to(c.table, (tn_dtype)c.centred->dtype);
    tn_tensor *products = covariance_real(tn_mul(tni_conj_of(c.centred), tn_mm(tni_conj_of(tn_mT(table)), c.centred)));
    tn_tensor *own = tn_sum_dim(products, (tn_dims){&first, 1}, false, TN_DTYPE_DEFAULT); /* of each observation */
    tn_tensor *whole = tn_div(covariance_sum(tn_mul(own, c.weights)), c.norm);            /* <G, C>              */
    tn_tensor *slope = tn_ones_like(own, TN_DTYPE_DEFAULT, TN_PRESERVE), *direct = NULL;  /* of the norm         */
    if (correction) {
        tn_tensor *mean = tn_div(covariance_sum(tn_mul(c.weights, aweights)), c.sum);
        tn_tensor *excess = tn_div(tn_sub(aweights, mean), c.sum);
        slope = tn_sub(slope, tn_mul_scalar(excess, tn_scalar_int(correction)));
        direct = tn_mul(whole, tn_mul_scalar(tn_div(c.weights, c.sum), tn_scalar_int(correction)));
    }
    tn_tensor *made = tn_sub(own, tn_mul(whole, slope));
    made = fweights ? tn_mul(made, fweights) : made;
    return tn_reshape(tn_div(direct ? tn_add(made, direct) : made, c.norm), tni_sizes_of(aweights));
}

/* R_ij = C_ij / (s_i s_j) with s_i = sqrt(C_ii) */
tn_tensor *tni_gradient_corrcoef(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *result) {
    if (grad->ndim != 2)
        return tn_expand(tn_sub(result, result), tni_sizes_of(self)); /* 0, or NaN as the result is */
    int64_t second = 1;
    tn_tensor *variances = covariance_real(tn_diagonal(tn_cov(self, 1, NULL, NULL), 0, 0, 1));
    tn_tensor *deviation = tn_sqrt(variances), *scale = tn_mul(tn_unsqueeze(deviation, 1), deviation);
    tn_tensor *shares = covariance_real(tn_mul(tni_conj_of(grad), result));
    tn_tensor *lost = tn_sum_dim(tn_add(shares, tn_mT(shares)), (tn_dims){&second, 1}, false, TN_DTYPE_DEFAULT);
    tn_tensor *diagonal = tn_diag(tn_div(lost, tn_mul_scalar(variances, tn_scalar_int(-2))), 0);
    return tni_gradient_cov_self(tn_add(tn_div(grad, scale), diagonal), self, 1, NULL, NULL);
}

/* ---- distances */

/* The gradient of the differences. Of a largest one all that are as large have the whole gradient, as in PyTorch. */
static tn_tensor *distance_differences(const tn_tensor *grad, const tn_tensor *differences, double p, const tn_tensor *result) {
    tn_tensor *wide = tn_unsqueeze(grad, -1), *distance = tn_unsqueeze(result, -1);
    if (isinf(p))
        return tn_mul(wide, tn_mul(tn_sgn(differences), tn_eq(tn_abs(differences), distance)));
    return tni_norm_gradient(wide, differences, p, distance, (tn_dims){(int64_t[]){-1}, 1});
}

/* x: (..., p, m), y: (..., r, m), grad and result: (..., p, r). For the usual distance the differences need not be written out:
 * with w = grad / result the gradient of x_i is the sum of w_ij (x_i - y_j). */
tn_tensor *tni_gradient_cdist(const tn_tensor *grad, const tn_tensor *x, const tn_tensor *y, double p, const tn_tensor *result,
                              bool first) {
    int64_t last = x->sizes[x->ndim - 1], over = first ? -2 : -3;
    if (!grad->numel || !last)
        return tni_gradient_zeros(tni_sizes_of(first ? x : y), grad);
    if (p == 2 && grad->numel > GRADIENT_DIFFERENCES / last) {
        tn_tensor *weight = tn_masked_fill(tn_div(grad, result), tn_eq_scalar(result, tn_scalar_int(0)), tn_scalar_int(0));
        weight = first ? weight : tn_mT(weight);
        tn_tensor *all = tn_sum_dim(weight, (tn_dims){(int64_t[]){-1}, 1}, true, TN_DTYPE_DEFAULT);
        return tn_sub(tn_mul(first ? x : y, all), tn_matmul(weight, first ? y : x));
    }
    tn_tensor *differences = tn_sub(tn_unsqueeze(x, -2), tn_unsqueeze(y, -3));
    tn_tensor *made =
        tn_sum_dim(distance_differences(grad, differences, p, result), (tn_dims){&over, 1}, false, TN_DTYPE_DEFAULT);
    return first ? made : tn_neg(made);
}

tn_tensor *tni_gradient_pdist(const tn_tensor *grad, const tn_tensor *self, double p, const tn_tensor *result) {
    tn_tensor *zeros = tni_gradient_zeros(tni_sizes_of(self), grad);
    if (!grad->numel || !self->numel)
        return zeros;
    tn_tensor *pairs = tn_combinations(tni_places(self->sizes[0], self), 2, false);
    tn_tensor *one = tn_select(pairs, 1, 0), *other = tn_select(pairs, 1, 1);
    tn_tensor *differences = tn_sub(tn_index_select(self, 0, one), tn_index_select(self, 0, other));
    tn_tensor *made = distance_differences(grad, differences, p, result);
    tn_tensor *half = tn_index_add(zeros, 0, one, made, tn_scalar_int(1));
    return tn_index_add(half, 0, other, made, tn_scalar_int(-1));
}
