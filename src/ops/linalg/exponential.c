/* exponential.c - linalg_matrix_exp, by scaling and squaring: (exp(A / 2^s))^(2^s), the inner one a quotient of polynomials of degree 13 (Higham,
 * "The scaling and squaring method for the matrix exponential revisited", 2005). Each matrix of a batch has its own s.
 */
#include <math.h>

#include "base/error.h"
#include "dispatch/composite.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_linalg.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_select.h"
#include "operators_compare.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/linalg/linalg.h"

enum { EXPONENTIAL_SQUARINGS = 1100 }; /* at most: the exponents of float64 */

/* Those of 16 bits are computed in float32. */
static bool exponential_is_narrow(const tn_tensor *self) { return self->dtype == TN_FLOAT16 || self->dtype == TN_BFLOAT16; }

bool tni_plan_linalg_matrix_exp(tni_plan *plan, const tn_tensor *self) {
    if (!tni_linalg_check_sizes(self, "self", true) || (!exponential_is_narrow(self) && !tni_linalg_check_dtype(self, "self")))
        return false;
    tni_plan_begin(plan, self);
    tni_linalg_add(plan, self, tni_linalg_rows(self), tni_linalg_rows(self), self->dtype);
    return true;
}

/* c6 A6 + c4 A4 + c2 A2 */
static tn_tensor *exponential_sum(const tn_tensor *const powers[3], double c6, double c4, double c2) {
    tn_tensor *sum = tn_mul_scalar(powers[2], tn_scalar_float(c6));
    sum = tn_add(sum, tn_mul_scalar(powers[1], tn_scalar_float(c4)));
    return tn_add(sum, tn_mul_scalar(powers[0], tn_scalar_float(c2)));
}

static tn_tensor *exponential_quotient(const tn_tensor *a) {
    static const double b[] = {64764752532480000,
                               32382376266240000,
                               7771770303897600,
                               1187353796428800,
                               129060195264000,
                               10559470521600,
                               670442572800,
                               33522128640,
                               1323241920,
                               40840800,
                               960960,
                               16380,
                               182,
                               1};
    if (!a)
        return NULL;
    const tn_tensor *a2 = tn_matmul(a, a), *a4 = tn_matmul(a2, a2), *powers[3] = {a2, a4, tn_matmul(a2, a4)};
    const tn_tensor *one = tni_linalg_eye(a, tni_linalg_rows(a), tni_linalg_rows(a));
    tn_tensor *u =
        tn_add(tn_matmul(powers[2], exponential_sum(powers, b[13], b[11], b[9])), exponential_sum(powers, b[7], b[5], b[3]));
    u = tn_matmul(a, tn_add(u, tn_mul_scalar(one, tn_scalar_float(b[1]))));
    tn_tensor *v =
        tn_add(tn_matmul(powers[2], exponential_sum(powers, b[12], b[10], b[8])), exponential_sum(powers, b[6], b[4], b[2]));
    v = tn_add(v, tn_mul_scalar(one, tn_scalar_float(b[0])));
    return tn_list_at(tn__linalg_solve_ex(tn_sub(v, u), tn_add(v, u), false), 0);
}

static tn_tensor *exponential_of(const tn_tensor *a) {
    const double theta = 5.371920351148152;
    /* the largest sum of a column of each matrix, as (..., 1, 1) */
    tn_tensor *sums = tn_sum_dim(tn_abs(a), (tn_dims){(int64_t[]){-2}, 1}, true, TN_DTYPE_DEFAULT);
    tn_tensor *norms = tn_contiguous(tn_to(tn_amax(sums, (tn_dims){(int64_t[]){-1}, 1}, true), TN_FLOAT64), TN_CONTIGUOUS);
    tn_tensor *steps = tn_zeros_like(norms, TN_DTYPE_DEFAULT, TN_CONTIGUOUS),
              *scales = tn_ones_like(norms, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
    if (!norms || !steps || !scales)
        return NULL;
    int most = 0;
    for (int64_t i = 0; i < norms->numel; i++) {
        double norm = ((const double *)tni_tensor_read(norms))[i];
        int s = isfinite(norm) && norm > theta ? (int)ceil(log2(norm / theta)) : 0;
        ((double *)tni_tensor_write(steps))[i] = s;
        ((double *)tni_tensor_write(scales))[i] = ldexp(1, -s);
        most = s > most ? s : most;
    }
    tn_tensor *x = exponential_quotient(most ? tn_mul(a, tn_to(scales, tn_dtype_to_real(a->dtype))) : a);
    for (int step = 0; step < most && step < EXPONENTIAL_SQUARINGS && x; step++) {
        tn_tensor *next = tn_where(tn_gt_scalar(steps, tn_scalar_int(step)), tn_matmul(x, x), x);
        if (step > 0) /* the first belongs to its list */
            tn_release(x);
        x = next;
    }
    return x;
}

/* Made of public operators, which see a tensor without a gradient: the row has its own derivative. */
tn_error tni_run_linalg_matrix_exp(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self) {
    (void)plan;
    if (self->numel == 0)
        return TN_OK;
    tn_scope scope = tni_composite_begin();
    if (!scope.id)
        return tni_failed();
    tn_tensor *plain = tn_detach(self);
    tn_tensor *made = exponential_of(exponential_is_narrow(self) ? tn_to(plain, TN_FLOAT32) : plain);
    bool done = made && tni_copy_into(results[0], made, "the exponential") == TN_OK;
    return tni_composite_end_changed(scope, done ? results[0] : NULL);
}
