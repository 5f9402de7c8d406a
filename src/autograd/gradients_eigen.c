/* gradients_eigen.c - derivatives of eigenvalues, singular values and what is made of them.
 *
 * Vectors are known up to a factor of size 1, so what is computed of them must not depend on it: for complex numbers that is looked at,
 * and said where it is not so. Formulas: Giles 2008; Townsend 2016; for complex matrices Boeddeker et al. 2017.
 */
#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_complex.h"
#include "operators_create.h"
#include "operators_linalg.h"
#include "operators_move.h"
#include "operators_product.h"
#include "operators_view.h"

static tn_tensor *eigen_column(const tn_tensor *values) { return tn_unsqueeze(values, -1); }
static tn_tensor *eigen_row(const tn_tensor *values) { return tn_unsqueeze(values, -2); }
static tn_tensor *eigen_diagonal(const tn_tensor *matrix) { return tn_diagonal(matrix, 0, -2, -1); }
static tn_tensor *eigen_embed(const tn_tensor *values) { return tn_diag_embed(values, 0, -2, -1); }

/* X of A X = B. */
static tn_tensor *eigen_solve(const tn_tensor *a, const tn_tensor *b) {
    tn_list *factors = a && b ? tn_linalg_lu_factor(a, true) : NULL;
    return factors ? tn_linalg_lu_solve(tni_item_of(factors, 0), tni_item_of(factors, 1), b, true, false) : NULL;
}

/* made + more, either of which may be missing. */
static tn_tensor *eigen_sum(const tn_tensor *made, const tn_tensor *more) { return made ? tn_add(made, more) : NULL; }

/* Ones in place of the zeros on the diagonal. */
static tn_tensor *eigen_with_ones(const tn_tensor *matrix) {
    tn_tensor *diagonal = matrix ? eigen_diagonal(matrix) : NULL;
    return diagonal ? eigen_sum(matrix, eigen_embed(tn_ones_like(diagonal, TN_DTYPE_DEFAULT, TN_PRESERVE))) : NULL;
}

/* Whether nothing depends on the factors: then the imaginary parts of these numbers are 0. */
static bool eigen_knows_factors(const tn_tensor *diagonal, const char *what) {
    if (!diagonal || !tn_dtype_is_complex(diagonal->dtype))
        return diagonal != NULL;
    tn_tensor *imag = tn_imag(tn_detach(diagonal)), *zeros = imag ? tn_zeros_like(imag, TN_DTYPE_DEFAULT, TN_PRESERVE) : NULL;
    if (!zeros)
        return false;
    if (tn_allclose(imag, zeros, 1e-2, 1e-2, false))
        return true;
    tni_raise(TN_ERROR_STATE,
              "what is differentiated depends on the factors of size 1 of the %s vectors, which are not determined", what);
    return false;
}

/* V (diag(values) + (V^H grad) / E) V^H, E having the differences of the values. */
tn_tensor *tni_gradient_linalg_eigh(const tn_tensor *values_grad, const tn_tensor *vectors_grad, const tn_tensor *values,
                                    const tn_tensor *vectors) {
    tn_tensor *inner = NULL, *turned = tn_mH(vectors);
    if (!values_grad && !vectors_grad)
        return tni_no_gradient();
    if (!vectors_grad)
        return tn_matmul(tn_mul(vectors, eigen_row(values_grad)), turned);
    tn_tensor *product = tn_matmul(turned, vectors_grad), *diagonal = product ? eigen_diagonal(product) : NULL;
    if (!eigen_knows_factors(diagonal, "eigen"))
        return NULL;
    tn_tensor *gaps = eigen_with_ones(tn_sub(eigen_row(values), eigen_column(values)));
    inner = tn_div(product, gaps);
    inner = tn_sub(inner, eigen_embed(eigen_diagonal(inner)));
    if (values_grad)
        inner = eigen_sum(inner, eigen_embed(values_grad));
    return tn_matmul(vectors, tn_matmul(inner, turned));
}

tn_tensor *tni_gradient_linalg_eigvalsh(const tn_tensor *grad, const tn_tensor *self, const char *UPLO) {
    tn_list *both = tn_linalg_eigh(self, UPLO);
    return both ? tni_gradient_linalg_eigh(grad, NULL, tni_item_of(both, 0), tni_item_of(both, 1)) : NULL;
}

/* V^-H (diag(values) + (V^H grad - V^H V diag(real(V^H grad))) / conj(E)) V^H */
tn_tensor *tni_gradient_linalg_eig(const tn_tensor *values_grad, const tn_tensor *vectors_grad, const tn_tensor *values,
                                   const tn_tensor *vectors) {
    tn_tensor *turned = tn_mH(vectors);
    if (!values_grad && !vectors_grad)
        return tni_no_gradient();
    if (!vectors_grad)
        return eigen_solve(turned, tn_mul(eigen_column(values_grad), turned));
    tn_tensor *product = tn_matmul(turned, vectors_grad), *diagonal = product ? eigen_diagonal(product) : NULL;
    if (!eigen_knows_factors(diagonal, "eigen"))
        return NULL;
    tn_tensor *inner = tn_sub(product, tn_mul(tn_matmul(turned, vectors), eigen_row(tn_real(diagonal))));
    tn_tensor *gaps = eigen_with_ones(tn_sub(eigen_row(values), eigen_column(values)));
    inner = tn_div(inner, gaps ? tni_conj_of(gaps) : NULL);
    inner = inner ? tn_sub(inner, eigen_embed(eigen_diagonal(inner))) : NULL;
    if (values_grad)
        inner = eigen_sum(inner, eigen_embed(values_grad));
    return eigen_solve(turned, tn_matmul(inner, turned));
}

tn_tensor *tni_gradient_linalg_eigvals(const tn_tensor *grad, const tn_tensor *self) {
    tn_list *both = tn_linalg_eig(self);
    return both ? tni_gradient_linalg_eig(grad, NULL, tni_item_of(both, 0), tni_item_of(both, 1)) : NULL;
}

/* X - X^H */
static tn_tensor *eigen_skew(const tn_tensor *matrix) { return matrix ? tn_sub(matrix, tn_mH(matrix)) : NULL; }

/* X less its part in the space of the columns of U: X - U U^H X. */
static tn_tensor *eigen_outside(const tn_tensor *x, const tn_tensor *u) {
    return tn_sub(x, tn_matmul(u, tn_matmul(tn_mH(u), x)));
}

tn_tensor *tni_gradient_linalg_svd(const tn_tensor *u_grad, const tn_tensor *s_grad, const tn_tensor *vh_grad,
                                   const tn_tensor *u, const tn_tensor *s, const tn_tensor *vh) {
    if (!u_grad && !s_grad && !vh_grad)
        return tni_no_gradient();
    int64_t k = s->sizes[s->ndim - 1], m = u->sizes[u->ndim - 2], n = vh->sizes[vh->ndim - 1];
    if (u->sizes[u->ndim - 1] > k) { /* vectors beyond the values have no gradient */
        u = tn_narrow(u, -1, 0, k);
        u_grad = u_grad ? tn_narrow(u_grad, -1, 0, k) : NULL;
    }
    if (vh->sizes[vh->ndim - 2] > k) {
        vh = tn_narrow(vh, -2, 0, k);
        vh_grad = vh_grad ? tn_narrow(vh_grad, -2, 0, k) : NULL;
    }
    if (!u || !vh)
        return NULL;
    if (!u_grad && !vh_grad)
        return m >= n ? tn_matmul(u, tn_mul(eigen_column(s_grad), vh)) : tn_matmul(tn_mul(u, eigen_row(s_grad)), vh);
    tn_tensor *left = u_grad ? eigen_skew(tn_matmul(tn_mH(u), u_grad)) : NULL;
    tn_tensor *right = vh_grad ? eigen_skew(tn_matmul(vh, tn_mH(vh_grad))) : NULL;
    if ((u_grad && !left) || (vh_grad && !right))
        return NULL;
    tn_tensor *both = left && right ? tn_add(left, right) : left ? left : right;
    if (!both || !eigen_knows_factors(eigen_diagonal(both), "singular"))
        return NULL;
    tn_tensor *gaps = tn_mul(tn_sub(eigen_row(s), eigen_column(s)), tn_add(eigen_row(s), eigen_column(s)));
    gaps = eigen_with_ones(gaps);
    tn_tensor *inner = left ? tn_mul(tn_div(left, gaps), eigen_row(s)) : NULL;
    if (right) {
        tn_tensor *other = tn_mul(eigen_column(s), tn_div(right, gaps));
        inner = left ? eigen_sum(inner, other) : other;
    }
    if (s_grad)
        inner = eigen_sum(inner, eigen_embed(s_grad));
    if (left && right && tn_dtype_is_complex(u->dtype))
        inner = eigen_sum(inner, eigen_embed(tn_div(eigen_diagonal(left), tn_mul_scalar(s, tn_scalar_int(2)))));
    if (m >= n) {
        inner = tn_matmul(u, inner);
        if (u_grad && m > k)
            inner = eigen_sum(inner, eigen_outside(tn_div(u_grad, eigen_row(s)), u));
        return tn_matmul(inner, vh);
    }
    inner = tn_matmul(inner, vh);
    if (vh_grad) {
        tn_tensor *more = eigen_outside(tn_mH(tn_div(vh_grad, eigen_column(s))), tn_mH(vh));
        inner = eigen_sum(inner, more ? tn_mH(more) : NULL);
    }
    return tn_matmul(u, inner);
}

tn_tensor *tni_gradient_linalg_svdvals(const tn_tensor *grad, const tn_tensor *A) {
    tn_list *parts = tn_linalg_svd(A, false, "none");
    return parts
               ? tni_gradient_linalg_svd(NULL, grad, NULL, tni_item_of(parts, 0), tni_item_of(parts, 1), tni_item_of(parts, 2))
               : NULL;
}

/* With P = pinv(A): -P^H G P^H + (I - A P) G^H P P^H + P^H P G^H (I - P A), the products in the order that makes them small (Golub and
 * Pereyra 1973). */
tn_tensor *tni_gradient_linalg_pinv(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *result) {
    tn_tensor *g = tn_mH(grad), *turned = tn_mH(result);
    if (self->sizes[self->ndim - 2] <= self->sizes[self->ndim - 1]) {
        tn_tensor *k = tn_matmul(g, result), *kp = tn_matmul(k, turned);
        tn_tensor *first = tn_sub(kp, tn_matmul(tn_matmul(self, result), kp));
        tn_tensor *second = tn_matmul(tn_matmul(turned, result), tn_sub(g, tn_matmul(k, self)));
        tn_tensor *third = tn_mH(tn_matmul(result, k));
        return tn_sub(tn_add(first, second), third);
    }
    tn_tensor *k = tn_matmul(result, g), *pk = tn_matmul(turned, k);
    tn_tensor *first = tn_matmul(tn_matmul(tn_sub(g, tn_matmul(self, k)), result), turned);
    tn_tensor *second = tn_sub(pk, tn_matmul(tn_matmul(pk, result), self));
    tn_tensor *third = tn_mH(tn_matmul(k, result));
    return tn_sub(tn_add(first, second), third);
}

/* ---- least squares: X = P B, P = pinv(A); the residuals are |A X - B|^2, and do not change with X, which makes them smallest. */

/* self and b as matrices and the gradient of the solution, all of which are vectors or none. */
typedef struct lstsq_call {
    const tn_tensor *solution_grad, *residuals_grad, *a, *b, *x;
} lstsq_call;

static bool lstsq_begin(lstsq_call *call) {
    if (call->residuals_grad && call->residuals_grad->numel == 0)
        call->residuals_grad = NULL; /* there are none */
    if (call->x->ndim + 1 != call->a->ndim)
        return true;
    call->b = tn_unsqueeze(call->b, -1);
    call->x = tn_unsqueeze(call->x, -1);
    if (call->solution_grad && !(call->solution_grad = tn_unsqueeze(call->solution_grad, -1)))
        return false;
    return call->b && call->x;
}

static tn_tensor *lstsq_inverse(const tn_tensor *a, tn_scalar rcond) {
    double share = -1;
    if (rcond.kind != TN_SCALAR_NONE)
        tn_dtype_store(TN_FLOAT64, &share, rcond);
    return tn_linalg_pinv(a, tn_scalar_none(), share >= 0 ? rcond : tn_scalar_none(), false);
}

/* The gradient of A X - B, of which the residuals are the squares. */
static tn_tensor *lstsq_difference(const lstsq_call *call) {
    tn_tensor *twice = tn_mul_scalar(eigen_row(call->residuals_grad), tn_scalar_int(2));
    return tn_mul(twice, tn_sub(tn_matmul(call->a, call->x), call->b));
}

tn_tensor *tni_gradient_linalg_lstsq_self(const tn_tensor *solution_grad, const tn_tensor *residuals_grad,
                                          const tn_tensor *values_grad, const tn_tensor *self, const tn_tensor *b,
                                          const tn_tensor *solution, tn_scalar rcond) {
    lstsq_call call = {solution_grad, residuals_grad, self, b, solution};
    tn_tensor *made[3], *sum = NULL;
    int count = 0;
    if (!lstsq_begin(&call))
        return NULL;
    if (call.solution_grad) {
        tn_tensor *p = lstsq_inverse(self, rcond);
        made[count++] = p ? tni_gradient_linalg_pinv(tn_matmul(call.solution_grad, tn_mH(call.b)), self, p) : NULL;
    }
    if (call.residuals_grad)
        made[count++] = tn_matmul(lstsq_difference(&call), tn_mH(call.x));
    if (values_grad && values_grad->numel > 0)
        made[count++] = tni_gradient_linalg_svdvals(values_grad, self);
    for (int i = 0; i < count; i++)
        if (!made[i] || !(sum = i ? tn_add(sum, made[i]) : made[i]))
            return NULL;
    return count ? sum : tni_no_gradient();
}

tn_tensor *tni_gradient_linalg_lstsq_b(const tn_tensor *solution_grad, const tn_tensor *residuals_grad, const tn_tensor *self,
                                       const tn_tensor *b, const tn_tensor *solution, tn_scalar rcond) {
    lstsq_call call = {solution_grad, residuals_grad, self, b, solution};
    tn_tensor *sum = NULL;
    if (!lstsq_begin(&call))
        return NULL;
    if (!call.solution_grad && !call.residuals_grad)
        return tni_no_gradient();
    if (call.solution_grad && !(sum = tn_matmul(tn_mH(lstsq_inverse(self, rcond)), call.solution_grad)))
        return NULL;
    if (call.residuals_grad) {
        tn_tensor *less = lstsq_difference(&call);
        sum = sum ? tn_sub(sum, less) : tn_neg(less);
    }
    return solution->ndim + 1 == self->ndim && sum ? tn_squeeze_dim(sum, -1) : sum;
}
