/* gradients_linalg.c - derivatives of factorisations and of what is solved with them, written with their results.
 *
 * The formulas are those of Giles, "An extended collection of matrix derivative results" (2008), and of Walter and Lehmann,
 * "Algorithmic differentiation of linear algebra functions with application in optimum experimental design" (2010), for complex matrices.
 */
#include <math.h>
#include <string.h>

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_linalg.h"
#include "operators_move.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_select.h"
#include "operators_view.h"

static tn_tensor *linalg_adjoint(const tn_tensor *a) { return tni_conj_of(tn_mT(a)); }
static tn_tensor *linalg_sum(const tn_tensor *a, const tn_tensor *b) { return tn_add(a, b); }
static tn_tensor *linalg_less(const tn_tensor *a, const tn_tensor *b) { return tn_sub(a, b); }
static tn_tensor *linalg_times(const tn_tensor *a, double b) { return tn_mul_scalar(a, tn_scalar_float(b)); }

static tn_tensor *linalg_eye(const tn_tensor *like, int64_t n) {
    return tn_eye_out(tn_empty_device((tn_dims){(int64_t[]){n, n}, 2}, like->dtype, tni_tensor_device(like)), n, n,
                      like->dtype);
}

/* Ones on the diagonal of something with the last two sizes of `like`. */
static tn_tensor *linalg_unit(const tn_tensor *like) {
    int64_t m = like->sizes[like->ndim - 2], n = like->sizes[like->ndim - 1];
    return tn_eye_out(tn_empty_device((tn_dims){(int64_t[]){m, n}, 2}, like->dtype, tni_tensor_device(like)), m, n,
                      like->dtype);
}

/* L^-H S L^-1, S being half of the lower triangle of L^H g and of the adjoint of what is below its diagonal. */
tn_tensor *tni_gradient_linalg_cholesky(const tn_tensor *grad, const tn_tensor *L, bool upper) {
    const tn_tensor *l = upper ? linalg_adjoint(L) : L, *g = upper ? linalg_adjoint(grad) : grad;
    tn_tensor *adjoint = linalg_adjoint(l);
    tn_tensor *low = tn_tril(tn_matmul(adjoint, g), 0);
    tn_tensor *whole = linalg_times(linalg_sum(low, linalg_adjoint(tn_tril(low, -1))), 0.5);
    return tn_linalg_solve_triangular(adjoint, tn_linalg_solve_triangular(l, whole, false, false, false), true, true, false);
}

/* What a factor gets, both triangles of it, where only its product with its adjoint counts: -(C + C^H) L. */
static tn_tensor *linalg_of_factor(const tn_tensor *common, const tn_tensor *factor, bool upper) {
    tn_tensor *both = linalg_sum(common, linalg_adjoint(common));
    return tn_neg(upper ? tn_matmul(factor, both) : tn_matmul(both, factor));
}

tn_tensor *tni_gradient_cholesky_solve(const tn_tensor *grad, const tn_tensor *input2, const tn_tensor *X, bool upper) {
    return linalg_of_factor(tn_matmul(tn_cholesky_solve(grad, input2, upper), linalg_adjoint(X)), input2, upper);
}

tn_tensor *tni_gradient_cholesky_inverse(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *inverse, bool upper) {
    return linalg_of_factor(tn_matmul(inverse, tn_matmul(grad, inverse)), self, upper);
}

/* A = P L U, the gradients of L and U being those of their places in `grad`. */
tn_tensor *tni_gradient_linalg_lu(const tn_tensor *grad, const tn_tensor *LU, const tn_tensor *pivots, bool pivot) {
    int64_t m = LU->sizes[LU->ndim - 2], n = LU->sizes[LU->ndim - 1], k = m < n ? m : n;
    if (m == 0 || n == 0)
        return tn_zeros_like(LU, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
    tn_tensor *block = k < n ? tn_narrow(LU, -1, 0, k) : k < m ? tn_narrow(LU, -2, 0, k) : (tn_tensor *)(uintptr_t)LU;
    tn_tensor *l = linalg_sum(tn_tril(block, -1), linalg_eye(LU, k)), *u = tn_triu(block, 0);
    tn_tensor *lh = linalg_adjoint(l), *uh = linalg_adjoint(u);
    const tn_tensor *square = k < n ? tn_narrow(grad, -1, 0, k) : k < m ? tn_narrow(grad, -2, 0, k) : grad;
    tn_tensor *of_l = tn_matmul(lh, tn_tril(square, -1)), *of_u = tn_matmul(tn_triu(square, 0), uh);
    tn_tensor *beside = NULL;
    if (k < n) {
        beside = tn_narrow(grad, -1, k, n - k);
        of_l = linalg_less(of_l, tn_matmul(beside, linalg_adjoint(tn_narrow(LU, -1, k, n - k))));
    } else if (k < m) {
        beside = tn_narrow(grad, -2, k, m - k);
        of_u = linalg_less(of_u, tn_matmul(linalg_adjoint(tn_narrow(LU, -2, k, m - k)), beside));
    }
    tn_tensor *middle = linalg_sum(tn_tril(of_l, -1), tn_triu(of_u, 0));
    tn_tensor *made =
        tn_linalg_solve_triangular(lh, tn_linalg_solve_triangular(uh, middle, false, false, false), true, true, true);
    if (k < n) {
        const tn_tensor *parts[2] = {made, tn_linalg_solve_triangular(lh, beside, true, true, true)};
        made = parts[0] && parts[1] ? tn_cat(parts, 2, -1) : NULL;
    } else if (k < m) {
        const tn_tensor *parts[2] = {made, tn_linalg_solve_triangular(uh, beside, false, false, false)};
        made = parts[0] && parts[1] ? tn_cat(parts, 2, -2) : NULL;
    }
    return pivot ? tn_matmul(tn__linalg_pivots_to_matrix(pivots, m, LU->dtype), made) : made;
}

/* X = U^-1 L^-1 P^T B and its three other forms: what L and U, in one matrix, get. */
tn_tensor *tni_gradient_linalg_lu_solve_factors(const tn_tensor *grad, const tn_tensor *LU, const tn_tensor *pivots,
                                                const tn_tensor *X, bool left, bool adjoint) {
    int64_t n = LU->sizes[LU->ndim - 1];
    tn_tensor *l = linalg_sum(tn_tril(LU, -1), linalg_eye(LU, n)), *u = tn_triu(LU, 0);
    tn_tensor *p = tn__linalg_pivots_to_matrix(pivots, n, LU->dtype), *pt = tn_mT(p);
    tn_tensor *lh = linalg_adjoint(l), *uh = linalg_adjoint(u), *of_u, *of_l;
    /* gR is minus the gradient of A = P L U, or of A^H; then as for a product */
    tn_tensor *gb = tn_linalg_lu_solve(LU, pivots, grad, left, !adjoint);
    tn_tensor *ga = left ? tn_matmul(gb, linalg_adjoint(X)) : tn_matmul(linalg_adjoint(X), gb);
    if (adjoint)
        ga = linalg_adjoint(ga);
    tn_tensor *turned = tn_matmul(pt, ga);
    of_l = tn_matmul(turned, uh);
    of_u = tn_matmul(lh, turned);
    return tn_neg(linalg_sum(tn_tril(of_l, -1), tn_triu(of_u, 0)));
}

tn_list *tni_gradient_linalg_solve_triangular(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *X, bool upper,
                                              bool left, bool unitriangular, bool needs_self) {
    tn_tensor *adjoint = linalg_adjoint(self);
    tn_tensor *gb = tn_linalg_solve_triangular(adjoint, grad, !upper, left, unitriangular), *ga = gb;
    if (needs_self) {
        ga = tn_neg(left ? tn_matmul(gb, linalg_adjoint(X)) : tn_matmul(linalg_adjoint(X), gb));
        ga = upper ? tn_triu(ga, unitriangular ? 1 : 0) : tn_tril(ga, unitriangular ? -1 : 0);
    }
    return ga && gb ? tn_list_new((const tn_tensor *[]){ga, gb}, 2) : NULL;
}

/* ---- systems, inverses, determinants */

/* A X = B, and X is not a number where A is singular: backward goes on, as PyTorch's does. */
static tn_tensor *linalg_solve_any(const tn_tensor *A, const tn_tensor *B) {
    tn_list *both = tn_linalg_solve_ex(A, B, true, false);
    tn_tensor *made = both ? tn_list_at(both, 0) : NULL, *info = both ? tn_list_at(both, 1) : NULL;
    tn_tensor *any = made && info ? tn_any(info) : NULL;
    if (!any || !tn_item_bool(any))
        return any ? made : NULL;
    for (int64_t i = info->ndim; info && i < made->ndim; i++)
        info = tn_unsqueeze(info, -1);
    return tn_where_other_scalar(tn_eq_scalar(info, tn_scalar_int(0)), made, tn_scalar_float(NAN));
}

tn_list *tni_gradient_linalg_solve(const tn_tensor *grad, const tn_tensor *A, const tn_tensor *X, bool needs_A) {
    tn_tensor *gb = linalg_solve_any(linalg_adjoint(A), grad);
    tn_tensor *ga = needs_A ? tn_neg(tn_matmul(gb, linalg_adjoint(X))) : gb;
    return ga && gb ? tn_list_new((const tn_tensor *[]){ga, gb}, 2) : NULL;
}

tn_tensor *tni_gradient_linalg_inv(const tn_tensor *grad, const tn_tensor *inverse) {
    tn_tensor *adjoint = linalg_adjoint(inverse);
    return tn_neg(tn_matmul(adjoint, tn_matmul(grad, adjoint)));
}

static tn_tensor *linalg_diagonal(const tn_tensor *like, const tn_tensor *values) {
    int64_t n = like->sizes[like->ndim - 1];
    return tn_mul(linalg_eye(like, n), tn_unsqueeze(tn_unsqueeze(values, -1), -1));
}

/* g conj(det) A^-H. Where A is singular the pivot that is 0 is moved away from it by an epsilon, which leaves its cofactors. */
tn_tensor *tni_gradient_linalg_det(const tn_tensor *grad, const tn_tensor *det, const tn_tensor *A, const tn_tensor *LU,
                                   const tn_tensor *pivots) {
    if (A->numel == 0)
        return tn_zeros_like(A, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
    tn_tensor *zero = tn_eq_scalar(det, tn_scalar_int(0)), *any = tn_any(zero);
    if (!any)
        return NULL;
    if (!tn_item_bool(any))
        return tn_linalg_solve(linalg_adjoint(A), linalg_diagonal(A, tn_mul(grad, tni_conj_of(det))), true);
    int64_t n = A->sizes[A->ndim - 1];
    double epsilon = A->dtype == TN_FLOAT64 || A->dtype == TN_COMPLEX128 ? 0x1p-52 : 0x1p-23;
    tn_tensor *diagonal = tn_diagonal(LU, 0, -2, -1), *size = tn_abs(diagonal);
    tn_tensor *largest = tn_clamp_min(tn_amax(size, (tn_dims){(int64_t[]){-1}, 1}, true), tn_scalar_float(epsilon));
    tn_tensor *moved =
        tn_where(tn_eq_scalar(diagonal, tn_scalar_int(0)),
                 tn_expand_as(tn_to(tn_mul_scalar(largest, tn_scalar_float(epsilon)), A->dtype), diagonal), diagonal);
    tn_tensor *factors = tn_add(LU, tn_diag_embed(tn_sub(moved, diagonal), 0, -2, -1));
    tn_tensor *order = tn_linalg_det(tn__linalg_pivots_to_matrix(pivots, n, A->dtype));
    tn_tensor *near = tn_mul(order, tn_prod_dim(moved, -1, false, TN_DTYPE_DEFAULT));
    return tn_linalg_lu_solve(factors, pivots, linalg_diagonal(A, tn_mul(grad, tni_conj_of(near))), true, true);
}

/* (g_log - i Im(conj(g_sign) sign)) A^-H */
tn_tensor *tni_gradient_linalg_slogdet(const tn_tensor *g_sign, const tn_tensor *g_log, const tn_tensor *A,
                                       const tn_tensor *sign) {
    const tn_tensor *g = g_log;
    if (A->numel == 0)
        return tn_zeros_like(A, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
    if (tn_dtype_is_complex(A->dtype)) {
        tn_tensor *turn = g_sign ? tn_neg(tn_imag(tn_mul(tni_conj_of(g_sign), sign))) : NULL;
        tn_tensor *real = g_log ? (tn_tensor *)(uintptr_t)g_log : tn_zeros_like(turn, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
        g = tn_complex(real, turn ? turn : tn_zeros_like(real, TN_DTYPE_DEFAULT, TN_CONTIGUOUS));
    }
    if (!g)
        return tni_no_gradient();
    return linalg_solve_any(linalg_adjoint(A), linalg_diagonal(A, g));
}

/* ---- reflections */

/* X + X^H, whose diagonal is the real part of X's. */
static tn_tensor *linalg_hermitian(const tn_tensor *x) {
    tn_tensor *both = linalg_sum(x, linalg_adjoint(x));
    return linalg_less(both, tn_diag_embed(linalg_times(tn_diagonal(both, 0, -2, -1), 0.5), 0, -2, -1));
}

/* A = Q R, of (m, n) with m >= n: (gQ + Q S) R^-H, S Hermitian from the upper triangle of gR R^H - Q^H gQ. */
static tn_tensor *linalg_qr_tall(const tn_tensor *g_q, const tn_tensor *g_r, const tn_tensor *q, const tn_tensor *r) {
    tn_tensor *middle = NULL;
    if (g_r)
        middle = tn_matmul(g_r, linalg_adjoint(r));
    if (g_q) {
        tn_tensor *turned = tn_matmul(linalg_adjoint(q), g_q);
        middle = g_r ? linalg_less(middle, turned) : tn_neg(turned);
    }
    tn_tensor *made = tn_matmul(q, linalg_hermitian(tn_triu(middle, 0)));
    if (g_q)
        made = linalg_sum(made, g_q);
    return tn_linalg_solve_triangular(linalg_adjoint(r), made, false, false, false);
}

tn_tensor *tni_gradient_linalg_qr(const tn_tensor *g_q, const tn_tensor *g_r, const tn_tensor *Q, const tn_tensor *R,
                                  const char *mode) {
    if (strcmp(mode, "r") == 0)
        return tni_raise_null(TN_ERROR_UNSUPPORTED,
                              "the derivative of linalg_qr needs Q, which the mode \"r\" does not compute");
    int64_t m = Q->sizes[Q->ndim - 2], n = R->sizes[R->ndim - 1];
    if (!g_q && !g_r)
        return tni_no_gradient();
    if (strcmp(mode, "complete") == 0 && m > n)
        return tni_raise_null(
            TN_ERROR_UNSUPPORTED,
            "linalg_qr has no derivative in the mode \"complete\" for more rows, %" PRId64 ", than columns, %" PRId64, m, n);
    if (m >= n)
        return linalg_qr_tall(g_q, g_r, Q, R);
    /* [X Y] = Q [U V]: V = Q^H Y */
    tn_tensor *u = tn_narrow(R, -1, 0, m), *v = tn_narrow(R, -1, m, n - m);
    tn_tensor *g_u = g_r ? tn_narrow(g_r, -1, 0, m) : NULL, *g_v = g_r ? tn_narrow(g_r, -1, m, n - m) : NULL;
    const tn_tensor *g = g_q;
    if (g_v) {
        tn_tensor *more = tn_matmul(tn_matmul(Q, v), linalg_adjoint(g_v));
        g = g_q ? linalg_sum(g_q, more) : more;
    }
    const tn_tensor *parts[2] = {linalg_qr_tall(g, g_u, Q, u),
                                 g_v ? tn_matmul(Q, g_v) : tn_zeros_like(v, TN_DTYPE_DEFAULT, TN_CONTIGUOUS)};
    return parts[0] && parts[1] ? tn_cat(parts, 2, -1) : NULL;
}

/* Reflections applied to x, from step s on, and back: y = x - t v v^H x. Adds what v and tau get to the first two of `sums`; returns what x gets. */
typedef struct linalg_turns {
    const tn_tensor *grad, *v, *tau, *places; /* v with its ones and zeros, rows of places: one for each column */
    int64_t k;
    bool adjoint;
    tn_tensor *of_v, *of_tau;
} linalg_turns;

static tn_tensor *linalg_turn_back(linalg_turns *turns, int64_t s, const tn_tensor *x) {
    if (s == turns->k || !x)
        return (tn_tensor *)(uintptr_t)(x ? turns->grad : NULL);
    int64_t i = turns->adjoint ? s : turns->k - 1 - s;
    tn_tensor *v = tn_narrow(turns->v, -1, i, 1), *vh = linalg_adjoint(v),
              *tau = tn_unsqueeze(tn_narrow(turns->tau, -1, i, 1), -1);
    tn_tensor *t = turns->adjoint ? tni_conj_of(tau) : tau, *bar = turns->adjoint ? tau : tni_conj_of(tau);
    tn_tensor *w = tn_matmul(vh, x), *y = linalg_less(x, tn_mul(t, tn_matmul(v, w)));
    tn_tensor *g = linalg_turn_back(turns, s + 1, y), *p = tn_matmul(vh, g);
    tn_tensor *of_v =
        tn_neg(linalg_sum(tn_mul(bar, tn_matmul(g, linalg_adjoint(w))), tn_mul(t, tn_matmul(x, linalg_adjoint(p)))));
    tn_tensor *of_t = tn_neg(tn_matmul(p, linalg_adjoint(w))), *row = tn_narrow(turns->places, 0, i, 1);
    turns->of_v = linalg_sum(turns->of_v, tn_mul(of_v, row));
    of_t = tn_squeeze_dim(turns->adjoint ? tni_conj_of(of_t) : of_t, -1);
    turns->of_tau = linalg_sum(turns->of_tau, tn_mul(of_t, tn_select(tn_narrow(row, 1, 0, turns->k), 0, 0)));
    return linalg_less(g, tn_mul(bar, tn_matmul(v, p)));
}

static tn_list *linalg_turn(const tn_tensor *grad, const tn_tensor *v, const tn_tensor *tau, const tn_tensor *c, bool adjoint) {
    int64_t columns = v->sizes[v->ndim - 1];
    tn_tensor *places = linalg_eye(v, columns);
    tn_tensor *ones = linalg_unit(v);
    linalg_turns turns = {.grad = grad,
                          .v = linalg_sum(tn_tril(v, -1), ones),
                          .tau = tau,
                          .places = places,
                          .k = tau->sizes[tau->ndim - 1],
                          .adjoint = adjoint,
                          .of_v = tn_zeros_like(v, TN_DTYPE_DEFAULT, TN_CONTIGUOUS),
                          .of_tau = tn_zeros_like(tau, TN_DTYPE_DEFAULT, TN_CONTIGUOUS)};
    if (!turns.v || !places)
        return NULL;
    tn_tensor *of_c = linalg_turn_back(&turns, 0, c), *of_v = tn_tril(turns.of_v, -1);
    return of_c && of_v && turns.of_tau ? tn_list_new((const tn_tensor *[]){of_v, turns.of_tau, of_c}, 3) : NULL;
}

tn_list *tni_gradient_linalg_householder_product(const tn_tensor *grad, const tn_tensor *input, const tn_tensor *tau) {
    tn_list *all = linalg_turn(grad, input, tau, linalg_unit(input), false);
    return all ? tn_list_new((const tn_tensor *[]){tn_list_at(all, 0), tn_list_at(all, 1)}, 2) : NULL;
}

/* From the right, C Q = (Q^H C^H)^H. */
tn_list *tni_gradient_ormqr(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *tau, const tn_tensor *input3,
                            bool left, bool transpose) {
    if (left)
        return linalg_turn(grad, self, tau, input3, transpose);
    tn_list *all = linalg_turn(linalg_adjoint(grad), self, tau, linalg_adjoint(input3), !transpose);
    return all ? tn_list_new((const tn_tensor *[]){tn_list_at(all, 0), tn_list_at(all, 1), linalg_adjoint(tn_list_at(all, 2))},
                             3)
               : NULL;
}

/* The upper right block of exp([[A^H, g], [0, A^H]]). */
tn_tensor *tni_gradient_linalg_matrix_exp(const tn_tensor *grad, const tn_tensor *self) {
    int64_t n = self->sizes[self->ndim - 1];
    tn_tensor *a = linalg_adjoint(self);
    const tn_tensor *top[2] = {a, grad}, *low[2] = {tn_zeros_like(a, TN_DTYPE_DEFAULT, TN_CONTIGUOUS), a};
    if (!a || !low[0] || self->numel == 0)
        return a && low[0] ? (tn_tensor *)(uintptr_t)low[0] : NULL;
    const tn_tensor *rows[2] = {tn_cat(top, 2, -1), tn_cat(low, 2, -1)};
    if (!rows[0] || !rows[1])
        return NULL;
    return tn_narrow(tn_narrow(tn_linalg_matrix_exp(tn_cat(rows, 2, -2)), -2, 0, n), -1, n, n);
}

/* A is Hermitian or symmetric: conj(A^-1) g, the conjugates around for the latter. */
tn_tensor *tni_gradient_linalg_ldl_solve(const tn_tensor *grad, const tn_tensor *LD, const tn_tensor *pivots, bool hermitian) {
    if (hermitian || !tn_dtype_is_complex(LD->dtype))
        return tn_linalg_ldl_solve(LD, pivots, grad, hermitian);
    return tni_conj_of(tn_linalg_ldl_solve(LD, pivots, tni_conj_of(grad), false));
}
