/* least_squares.c - linalg_lstsq: by QR where the matrices are taken to have full rank, else by singular values. */
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

/* LAPACK's names, which differ in how they find out the rank and in what they report. */
typedef enum lstsq_driver { LSTSQ_GELS, LSTSQ_GELSY, LSTSQ_GELSD, LSTSQ_GELSS, LSTSQ_NO_DRIVER } lstsq_driver;

static lstsq_driver lstsq_driver_of(const char *name) {
    static const char *const names[] = {"gels", "gelsy", "gelsd", "gelss"};
    if (strcmp(name, "none") == 0)
        return LSTSQ_GELSY;
    for (int i = 0; i < LSTSQ_NO_DRIVER; i++)
        if (strcmp(name, names[i]) == 0)
            return (lstsq_driver)i;
    tni_raise(TN_ERROR_ARGUMENT, "driver is \"%s\": it is \"gels\", \"gelsy\", \"gelsd\" or \"gelss\"", name);
    return LSTSQ_NO_DRIVER;
}

static bool lstsq_check(const tn_tensor *self, const tn_tensor *b, const tn_tensor *right) {
    tni_batch batch;
    if (b->ndim > self->ndim || self->ndim - b->ndim > 1) {
        tni_raise(TN_ERROR_SHAPE, "b %s does not fit self %s: it has as many dimensions, or one less", tni_show_tensor(b),
                  tni_show_tensor(self));
        return false;
    }
    if (!tni_linalg_check_matrix(right, "b", false) || !tni_linalg_check_batch(&batch, self, 2, right, 2))
        return false;
    if (tni_linalg_rows(self) == tni_linalg_rows(right))
        return true;
    tni_raise(TN_ERROR_SHAPE, "b %s does not fit self %s: its matrices have to have %" PRId64 " rows", tni_show_tensor(b),
              tni_show_tensor(self), tni_linalg_rows(self));
    return false;
}

/* ---- full rank: A = Q R, X = R^-1 Q^H B; or A^H = Q R, X = Q R^-H B, the shortest of all solutions */

/* Whether no element of the diagonals is 0, which would be divided by. */
static bool lstsq_check_rank(const tn_tensor *r) {
    if (tni_tensor_device(r).type == TN_META)
        return true;
    tn_tensor *zero = tn_eq_scalar(tn_diagonal(tn_detach(r), 0, -2, -1), tn_scalar_int(0));
    if (!zero || zero->sizes[zero->ndim - 1] == 0)
        return zero != NULL;
    tn_tensor *first = tn_add_scalar(tn_argmax(tn_to(zero, TN_INT32), -1, false), tn_scalar_int(1));
    tn_tensor *info = tn_to(tn_mul(tn_any_dim(zero, -1, false), first), TN_INT32);
    return info && tni_linalg_judge(tn_contiguous(info, TN_CONTIGUOUS), TNI_LINALG_SINGULAR) == TN_OK;
}

static tn_tensor *lstsq_full(const tn_tensor *self, const tn_tensor *right) {
    bool tall = tni_linalg_rows(self) >= tni_linalg_columns(self);
    tn_list *parts = tn_linalg_qr(tall ? self : tn_mH(self), "reduced");
    if (!parts)
        return NULL;
    tn_tensor *q = tn_list_at(parts, 0), *r = tn_list_at(parts, 1);
    if (!lstsq_check_rank(r))
        return NULL;
    if (tall)
        return tn_linalg_solve_triangular(r, tn_matmul(tn_mH(q), right), true, true, false);
    return tn_matmul(q, tn_linalg_solve_triangular(tn_mH(r), right, false, true, false));
}

/* ---- any rank: X = V S^-1 U^H B, without what is too small */

/* What the largest singular value is multiplied with: others have to exceed that. What LAPACK makes of numbers outside 0 to 1 is
 * its drivers' own: gelsy keeps the largest value, gelsd takes its epsilon instead, gelss takes it for what is negative. */
static double lstsq_share(const tn_tensor *self, tn_scalar rcond, lstsq_driver driver) {
    double epsilon = tni_dtype_size(tn_dtype_to_real(self->dtype)) == 4 ? 0x1p-23 : 0x1p-52, share = 0;
    if (rcond.kind == TN_SCALAR_NONE)
        return epsilon * (double)tni_max_i64(tni_linalg_rows(self), tni_linalg_columns(self));
    tn_dtype_store(TN_FLOAT64, &share, rcond);
    if (driver == LSTSQ_GELSY)
        return share < 0 ? 0 : share >= 1 ? 1 - 0x1p-20 : share;
    return share < 0 || (driver == LSTSQ_GELSD && (share == 0 || share >= 1)) ? epsilon : share;
}

static tn_tensor *lstsq_any(const tn_tensor *self, const tn_tensor *right, double share, tn_tensor **rank, tn_tensor **values) {
    tn_list *parts = tn_linalg_svd(self, false, "none");
    if (!parts)
        return NULL;
    tn_tensor *u = tn_list_at(parts, 0), *vh = tn_list_at(parts, 2);
    *values = tn_list_at(parts, 1);
    int64_t count = (*values)->sizes[(*values)->ndim - 1];
    tn_tensor *bound = tn_mul_scalar(tn_narrow(*values, -1, 0, count > 0), tn_scalar_float(share));
    tn_tensor *large = tn_gt(*values, bound);
    *rank = tn_sum_dim(large, TN_DIMS(-1), false, TN_DTYPE_DEFAULT);
    /* divided by, not multiplied with 1 over it, which the smallest numbers do not have */
    tn_tensor *over = tn_unsqueeze(tn_where_other_scalar(large, *values, tn_scalar_float(INFINITY)), -1);
    return tn_matmul(tn_mH(vh), tn_div(tn_matmul(tn_mH(u), right), over));
}

/* ---- the row */

static tn_tensor *lstsq_nothing(const tn_tensor *like, tn_dtype dtype) {
    return tn_empty_device(TN_DIMS(0), dtype, tni_tensor_device(like));
}

tn_list *tni_composite_linalg_lstsq(const tn_tensor *self, const tn_tensor *b, tn_scalar rcond, const char *driver) {
    lstsq_driver by = lstsq_driver_of(driver);
    if (by == LSTSQ_NO_DRIVER || !tni_linalg_check_matrix(self, "self", false) ||
        !tni_linalg_check_dtypes(self, "self", b, "b"))
        return NULL;
    bool vectors = tni_linalg_of_vectors(self, b);
    const tn_tensor *right = vectors ? tn_unsqueeze(b, -1) : b;
    if (!right || !lstsq_check(self, b, right))
        return NULL;
    tn_tensor *rank = NULL, *values = NULL, *residuals = NULL, *x;
    if (by == LSTSQ_GELS) {
        x = lstsq_full(self, right);
        rank = x ? lstsq_nothing(self, TN_INT64) : NULL;
    } else
        x = lstsq_any(self, right, lstsq_share(self, rcond, by), &rank, &values);
    tn_tensor *nothing = x && rank ? lstsq_nothing(self, tn_dtype_to_real(self->dtype)) : NULL;
    if (!nothing)
        return NULL;
    int64_t n = tni_linalg_columns(self);
    bool whole = by != LSTSQ_GELSY && tni_linalg_rows(self) > n;
    if (whole && by != LSTSQ_GELS) {
        tn_tensor *all = tn_all(tn_eq_scalar(rank, tn_scalar_int(n)));
        if (!all)
            return NULL;
        if (tni_tensor_device(all).type == TN_META) {
            tni_raise(TN_ERROR_DEVICE, "the sizes of residuals depend on elements, which tensors on meta do not have");
            return NULL;
        }
        whole = tn_item_bool(all);
        if (!whole && tn_error_code() != TN_OK) /* another device could not say */
            return NULL;
    }
    if (whole) {
        tn_tensor *size = tn_abs(tn_sub(tn_matmul(self, x), right));
        residuals = tn_sum_dim(tn_mul(size, size), TN_DIMS(-2), false, TN_DTYPE_DEFAULT);
    } else
        residuals = nothing;
    if (by == LSTSQ_GELS || by == LSTSQ_GELSY)
        values = nothing;
    tn_tensor *solution = vectors ? tn_squeeze_dim(x, -1) : x;
    return solution && residuals ? tn_list_new((const tn_tensor *[]){solution, residuals, rank, values}, 4) : NULL;
}

tn_tensor *tni_composite_linalg_lstsq_out(tn_tensor *solution, tn_tensor *residuals, tn_tensor *rank,
                                          tn_tensor *singular_values, const tn_tensor *self, const tn_tensor *b,
                                          tn_scalar rcond, const char *driver) {
    return tni_linalg_put((tn_tensor *[]){solution, residuals, rank, singular_values},
                          (const char *[]){"solution", "residuals", "rank", "singular_values"}, 4,
                          tni_composite_linalg_lstsq(self, b, rcond, driver));
}
