/* spectral.c - what is made of eigenvalues and singular values: pseudo-inverses, ranks, condition numbers, and torch's older
 * names.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_linalg.h"
#include "operators_math.h"
#include "operators_move.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_select.h"
#include "operators_view.h"
#include "ops/linalg/linalg.h"
#include "ops/result.h"

static double spectral_double(tn_scalar number) {
    double value;
    tn_dtype_store(TN_FLOAT64, &value, number);
    return value;
}

/* A tensor full of one number, on the device of another. */
static tn_tensor *spectral_full(const tn_tensor *like, tn_dims sizes, tn_scalar value, tn_dtype dtype) {
    tn_tensor *made = tn_empty_device(sizes, dtype, tni_tensor_device(like));
    return made ? (tn_fill_)(made, value) : NULL;
}

static bool spectral_missing(tn_scalar number) { return number.kind == TN_SCALAR_NONE; }

/* ---- tolerances */

/* What singular values have to exceed: the larger of atol and rtol times the largest, a number for each matrix. Without either, rtol is the
 * larger side times the epsilon of the dtype; with atol alone it is 0, where that is positive. */
typedef struct spectral_tolerance {
    const tn_tensor *atol, *rtol;
} spectral_tolerance;

static bool spectral_numbers(spectral_tolerance *tolerance, const tn_tensor *self, tn_scalar atol, tn_scalar rtol) {
    tn_dtype real = tn_dtype_to_real(self->dtype);
    *tolerance = (spectral_tolerance){NULL, NULL};
    if (!spectral_missing(atol) && !(tolerance->atol = spectral_full(self, TN_DIMS(), atol, real)))
        return false;
    return spectral_missing(rtol) || (tolerance->rtol = spectral_full(self, TN_DIMS(), rtol, real));
}

static bool spectral_check_tolerance(const tn_tensor *given, const char *name) {
    if (!given || !tn_dtype_is_complex(given->dtype))
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s is %s: a tolerance is real", name, tni_show_tensor(given));
    return false;
}

/* values: (..., k), all at least 0. Gives (..., 1). */
static tn_tensor *spectral_bound(const tn_tensor *self, const tn_tensor *values, const spectral_tolerance *tolerance) {
    const tn_tensor *atol = tolerance->atol, *rtol = tolerance->rtol;
    tn_tensor *most = tn_amax(values, TN_DIMS(-1), true);
    if (!most || !spectral_check_tolerance(atol, "atol") || !spectral_check_tolerance(rtol, "rtol"))
        return NULL;
    double share = (double)tni_max_i64(tni_linalg_rows(self), tni_linalg_columns(self)) *
                   (tni_dtype_size(most->dtype) == 4 ? 0x1p-23 : 0x1p-52);
    tn_tensor *relative;
    if (rtol)
        relative = tn_mul(most, rtol->ndim ? tn_unsqueeze(rtol, -1) : rtol);
    else {
        relative = tn_mul_scalar(most, tn_scalar_float(share));
        if (atol)
            relative = tn_where_other_scalar(tn_le_scalar(atol->ndim ? tn_unsqueeze(atol, -1) : atol, tn_scalar_int(0)),
                                             relative, tn_scalar_float(0));
    }
    if (!atol)
        return relative;
    tn_tensor *absolute = atol->ndim ? tn_unsqueeze(atol, -1) : tn_alias(atol);
    return tn_maximum(relative, absolute);
}

/* ---- ranks */

static tn_tensor *spectral_rank(const tn_tensor *self, const spectral_tolerance *tolerance, bool hermitian) {
    if (!tni_linalg_check_matrix(self, "self", hermitian))
        return NULL;
    if (self->numel == 0 && (tni_linalg_rows(self) == 0 || tni_linalg_columns(self) == 0)) {
        tn_tensor *none = spectral_full(self, (tn_dims){self->sizes, self->ndim - 2}, tn_scalar_int(0), TN_INT64);
        return none;
    }
    tn_tensor *values = hermitian ? tn_abs(tn_linalg_eigvalsh(self, "L")) : tn_linalg_svdvals(self, "none");
    tn_tensor *bound = values ? spectral_bound(self, values, tolerance) : NULL;
    return tn_sum_dim(tn_gt(values, bound), TN_DIMS(-1), false, TN_DTYPE_DEFAULT);
}

tn_tensor *tni_composite_linalg_matrix_rank(const tn_tensor *self, tn_scalar atol, tn_scalar rtol, bool hermitian) {
    spectral_tolerance tolerance;
    if (!tni_linalg_check_matrix(self, "self", hermitian))
        return NULL;
    return spectral_numbers(&tolerance, self, atol, rtol) ? spectral_rank(self, &tolerance, hermitian) : NULL;
}
tn_tensor *tni_composite_linalg_matrix_rank_out(tn_tensor *out, const tn_tensor *self, tn_scalar atol, tn_scalar rtol,
                                                bool hermitian) {
    return tni_result_put(out, tni_composite_linalg_matrix_rank(self, atol, rtol, hermitian), TNI_RESULT_CAST);
}

tn_tensor *tni_composite_linalg_matrix_rank_tensor(const tn_tensor *self, const tn_tensor *atol, const tn_tensor *rtol,
                                                   bool hermitian) {
    return spectral_rank(self, &(spectral_tolerance){atol, rtol}, hermitian);
}
tn_tensor *tni_composite_linalg_matrix_rank_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *atol,
                                                       const tn_tensor *rtol, bool hermitian) {
    return tni_result_put(out, tni_composite_linalg_matrix_rank_tensor(self, atol, rtol, hermitian), TNI_RESULT_CAST);
}

tn_tensor *tni_composite_linalg_matrix_rank_tol(const tn_tensor *self, tn_scalar tol, bool hermitian) {
    return tni_composite_linalg_matrix_rank(self, tol, tn_scalar_float(0), hermitian);
}
tn_tensor *tni_composite_linalg_matrix_rank_tol_out(tn_tensor *out, const tn_tensor *self, tn_scalar tol, bool hermitian) {
    return tni_composite_linalg_matrix_rank_out(out, self, tol, tn_scalar_float(0), hermitian);
}

tn_tensor *tni_composite_linalg_matrix_rank_tol_tensor(const tn_tensor *self, const tn_tensor *tol, bool hermitian) {
    tn_tensor *zero = spectral_full(self, TN_DIMS(), tn_scalar_int(0), tn_dtype_to_real(self->dtype));
    return zero ? tni_composite_linalg_matrix_rank_tensor(self, tol, zero, hermitian) : NULL;
}
tn_tensor *tni_composite_linalg_matrix_rank_tol_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *tol,
                                                           bool hermitian) {
    return tni_result_put(out, tni_composite_linalg_matrix_rank_tol_tensor(self, tol, hermitian), TNI_RESULT_CAST);
}

/* ---- pseudo-inverses */

static tn_tensor *spectral_pinv(const tn_tensor *self, const spectral_tolerance *tolerance, bool hermitian) {
    if (!tni_linalg_check_matrix(self, "self", hermitian))
        return NULL;
    if (self->numel == 0)
        return tn_clone(tn_mT(self), TN_CONTIGUOUS);
    tn_list *parts = hermitian ? tn_linalg_eigh(self, "L") : tn_linalg_svd(self, false, "none");
    if (!parts)
        return NULL;
    tn_tensor *left = tn_list_at(parts, hermitian ? 1 : 0), *values = tn_list_at(parts, hermitian ? 0 : 1);
    tn_tensor *right = hermitian ? left : tn_mH(tn_list_at(parts, 2));
    tn_tensor *sizes = hermitian ? tn_abs(values) : values, *bound = sizes ? spectral_bound(self, sizes, tolerance) : NULL;
    tn_tensor *over = tn_where_other_scalar(tn_gt(sizes, bound), tn_reciprocal(values), tn_scalar_float(0));
    return tn_matmul(tn_mul(right, tn_unsqueeze(over, -2)), tn_mH(left));
}

tn_tensor *tni_composite_linalg_pinv(const tn_tensor *self, tn_scalar atol, tn_scalar rtol, bool hermitian) {
    spectral_tolerance tolerance;
    if (!tni_linalg_check_matrix(self, "self", hermitian))
        return NULL;
    return spectral_numbers(&tolerance, self, atol, rtol) ? spectral_pinv(self, &tolerance, hermitian) : NULL;
}
tn_tensor *tni_composite_linalg_pinv_out(tn_tensor *out, const tn_tensor *self, tn_scalar atol, tn_scalar rtol,
                                         bool hermitian) {
    return tni_result_put(out, tni_composite_linalg_pinv(self, atol, rtol, hermitian), TNI_RESULT_CAST);
}

tn_tensor *tni_composite_linalg_pinv_tensor(const tn_tensor *self, const tn_tensor *atol, const tn_tensor *rtol,
                                            bool hermitian) {
    return spectral_pinv(self, &(spectral_tolerance){atol, rtol}, hermitian);
}
tn_tensor *tni_composite_linalg_pinv_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *atol,
                                                const tn_tensor *rtol, bool hermitian) {
    return tni_result_put(out, tni_composite_linalg_pinv_tensor(self, atol, rtol, hermitian), TNI_RESULT_CAST);
}

tn_tensor *tni_composite_linalg_pinv_rcond(const tn_tensor *self, tn_scalar rcond, bool hermitian) {
    return tn_linalg_pinv(self, tn_scalar_float(0), rcond, hermitian);
}
tn_tensor *tni_composite_linalg_pinv_rcond_out(tn_tensor *out, const tn_tensor *self, tn_scalar rcond, bool hermitian) {
    return tn_linalg_pinv_out(out, self, tn_scalar_float(0), rcond, hermitian);
}

tn_tensor *tni_composite_linalg_pinv_rcond_tensor(const tn_tensor *self, const tn_tensor *rcond, bool hermitian) {
    return tn_linalg_pinv_tensor(self, NULL, rcond, hermitian);
}
tn_tensor *tni_composite_linalg_pinv_rcond_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *rcond,
                                                      bool hermitian) {
    return tn_linalg_pinv_tensor_out(out, self, NULL, rcond, hermitian);
}

tn_tensor *tni_composite_pinverse(const tn_tensor *self, double rcond) {
    return tn_linalg_pinv_rcond(self, tn_scalar_float(rcond), false);
}

/* ---- torch.norm with a text: 'fro' takes the elements of any dimensions as one vector */

tn_tensor *tni_composite_norm_text(const tn_tensor *self, const char *p, tn_dims dim, bool keepdim, tn_dtype dtype) {
    if (strcmp(p, "fro") == 0)
        return (tn_linalg_vector_norm)(self, tn_scalar_int(2), dim, keepdim, dtype);
    if (dim.count == 0 && self->ndim != 2)
        return tni_raise_null(TN_ERROR_ARGUMENT, "self %s is not a matrix and dim is not given: \"%s\" is a norm of matrices",
                              tni_show_tensor(self), p);
    return (tn_linalg_matrix_norm_str_ord)(self, p, dim, keepdim, dtype);
}

/* ---- condition numbers */

/* The norm of a matrix times that of its inverse: infinite where there is none. */
static tn_tensor *spectral_condition(const tn_tensor *self, const char *text, tn_scalar number) {
    if (!tni_linalg_check_matrix(self, "self", text || self->numel))
        return NULL;
    double size = text ? 1 : fabs(spectral_double(number));
    if (size != 1 && !isinf(size))
        return tni_raise_null(TN_ERROR_ARGUMENT, "p is %g; it is 1, 2, inf, their negatives, \"fro\" or \"nuc\"",
                              spectral_double(number));
    if (self->numel == 0)
        return spectral_full(self, (tn_dims){self->sizes, self->ndim - 2}, tn_scalar_int(0), tn_dtype_to_real(self->dtype));
    tn_list *parts = tn_linalg_lu_factor_ex(self, true, false);
    if (!parts)
        return NULL;
    tn_tensor *exists = tn_eq_scalar(tn_list_at(parts, 2), tn_scalar_int(0)),
              *each = tn_unsqueeze(tn_unsqueeze(exists, -1), -1);
    tn_tensor *one = tni_linalg_eye(self, tni_linalg_rows(self), tni_linalg_rows(self));
    tn_tensor *lu =
        tn_where(each, tn_list_at(parts, 0), one); /* of the identity where there is no inverse, so that all is finite */
    const tn_tensor *of[2] = {self, tn_linalg_lu_solve(lu, tn_list_at(parts, 1), one, true, false)};
    tn_tensor *norms[2];
    for (int i = 0; i < 2; i++)
        norms[i] = text ? (tn_linalg_matrix_norm_str_ord)(of[i], text, TN_DIMS(-2, -1), false, TN_DTYPE_DEFAULT)
                        : (tn_linalg_matrix_norm)(of[i], number, TN_DIMS(-2, -1), false, TN_DTYPE_DEFAULT);
    return tn_where_other_scalar(exists, tn_mul(norms[0], norms[1]), tn_scalar_float(INFINITY));
}

tn_tensor *tni_composite_linalg_cond(const tn_tensor *self, tn_scalar p) {
    double order = spectral_missing(p) ? 2 : spectral_double(p);
    if (fabs(order) != 2)
        return spectral_condition(self, NULL, p);
    if (!tni_linalg_check_matrix(self, "self", false))
        return NULL;
    if (self->numel == 0)
        return spectral_full(self, (tn_dims){self->sizes, self->ndim - 2}, tn_scalar_int(0), tn_dtype_to_real(self->dtype));
    tn_tensor *values = tn_linalg_svdvals(self, "none");
    tn_tensor *most = tn_select(values, -1, 0), *least = tn_select(values, -1, -1);
    return order > 0 ? tn_div(most, least) : tn_div(least, most);
}
tn_tensor *tni_composite_linalg_cond_out(tn_tensor *out, const tn_tensor *self, tn_scalar p) {
    return tni_result_put(out, tni_composite_linalg_cond(self, p), TNI_RESULT_CAST);
}
tn_tensor *tni_composite_linalg_cond_text(const tn_tensor *self, const char *p) {
    return spectral_condition(self, p, tn_scalar_none());
}
tn_tensor *tni_composite_linalg_cond_text_out(tn_tensor *out, const tn_tensor *self, const char *p) {
    return tni_result_put(out, tni_composite_linalg_cond_text(self, p), TNI_RESULT_CAST);
}

/* ---- torch.svd */

tn_list *tni_composite_svd(const tn_tensor *self, bool some, bool compute_uv) {
    if (!tni_linalg_check_matrix(self, "self", false))
        return NULL;
    const tn_tensor *made[3];
    if (compute_uv) {
        tn_list *parts = tn_linalg_svd(self, !some, "none");
        if (!parts)
            return NULL;
        made[0] = tn_list_at(parts, 0);
        made[1] = tn_list_at(parts, 1);
        made[2] = tn_mH(tn_list_at(parts, 2));
    } else {
        int64_t sizes[TN_MAX_DIMS], last = self->ndim - 1;
        memcpy(sizes, self->sizes, (size_t)self->ndim * sizeof *sizes);
        sizes[last] = sizes[last - 1];
        made[0] = spectral_full(self, (tn_dims){sizes, self->ndim}, tn_scalar_int(0), self->dtype);
        made[1] = tn_linalg_svdvals(self, "none");
        sizes[last] = sizes[last - 1] = self->sizes[last];
        made[2] = spectral_full(self, (tn_dims){sizes, self->ndim}, tn_scalar_int(0), self->dtype);
    }
    return made[0] && made[1] && made[2] ? tn_list_new(made, 3) : NULL;
}
tn_tensor *tni_composite_svd_out(tn_tensor *U, tn_tensor *S, tn_tensor *V, const tn_tensor *self, bool some, bool compute_uv) {
    return tni_linalg_put((tn_tensor *[]){U, S, V}, (const char *[]){"U", "S", "V"}, 3,
                          tni_composite_svd(self, some, compute_uv));
}
