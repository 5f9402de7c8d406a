/* reflect.c - Q R by reflections: geqrf, linalg_householder_product, ormqr, and linalg_qr, which is made of the first two. */
#include <string.h>

#include "base/error.h"
#include "iterate/factor_lapack.h"
#include "operators_complex.h"
#include "operators_create.h"
#include "operators_linalg.h"
#include "operators_move.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/linalg/linalg.h"
#include "ops/result.h"

/* ---- geqrf: R, and below it the vectors */

bool tni_plan_geqrf(tni_plan *plan, const tn_tensor *self) {
    if (!tni_linalg_check_matrix(self, "self", false))
        return false;
    int64_t m = tni_linalg_rows(self), n = tni_linalg_columns(self);
    tni_plan_begin(plan, self);
    tni_linalg_add(plan, self, m, n, self->dtype);
    tni_linalg_add(plan, self, tni_min_i64(m, n), TN_NONE, self->dtype);
    return true;
}

typedef struct reflect_call {
    tni_factor factor;
    const tni_lanes_loops *lanes;
    tni_stack from, v, tau, c;
    int64_t m, n, k, rows;
    bool adjoint, left, identity;
} reflect_call;

static bool geqrf_one(void *context, int64_t i, void *work) {
    const reflect_call *call = context;
    return tni_factor_qr(&call->factor, call->m, call->n, tni_stack_at(&call->v, i), tni_stack_at(&call->tau, i).data, work);
}

/* Bytes that small matrices side by side need: A and Q, tau, a row of sums. */
static size_t reflect_lanes_bytes(int64_t m, int64_t n) { return tni_lanes_bytes(m, n + m) + tni_lanes_bytes(2, m + n); }

static bool geqrf_group(void *context, int64_t g, void *work) {
    const reflect_call *call = context;
    const tni_factor *factor = &call->factor;
    tni_matrix from[TNI_LANES_MOST], to[TNI_LANES_MOST], taus[TNI_LANES_MOST];
    int64_t m = call->m, n = call->n, count = tni_stack_group(&call->from, factor, g, from);
    (void)tni_stack_group(&call->v, factor, g, to);
    (void)tni_stack_group(&call->tau, factor, g, taus);
    char *tau = (char *)work + tni_lanes_bytes(m, n + m);
    tni_lanes_pack(factor, m, n, from, count, work);
    call->lanes->qr(m, n, work, tau, tau + tni_lanes_bytes(1, m + n));
    tni_lanes_unpack(factor, m, n, work, to, count);
    tni_lanes_unpack(factor, tni_min_i64(m, n), 1, tau, taus, count);
    return true;
}

tn_error tni_run_geqrf(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self) {
    reflect_call call = {.v = tni_stack_of(results[0], NULL),
                         .tau = tni_stack_of_vectors(results[1], NULL),
                         .m = tni_linalg_rows(self),
                         .n = tni_linalg_columns(self)};
    (void)plan;
    tni_factor_begin(&call.factor, self->dtype);
    double m = (double)call.m, n = (double)call.n;
    if ((call.lanes = tni_lanes_of(&call.factor, call.m, call.n))) {
        call.from = tni_stack_of(self, NULL);
        return tni_linalg_each_group(&call.factor, call.v.count, m * n * (m < n ? m : n) + 40 * n,
                                     reflect_lanes_bytes(call.m, call.n), geqrf_group, &call);
    }
    tn_error code = tni_copy_into(results[0], self, "it is factored there");
    return code == TN_OK && call.m && call.n
               ? tni_linalg_each(call.v.count, m * n * (m < n ? m : n) + 40 * n,
                                 tni_factor_reflect_work(&call.factor, call.m, call.n), geqrf_one, &call)
               : code;
}

/* ---- Q times a matrix */

static bool reflect_check(const tn_tensor *v, const char *name, const tn_tensor *tau) {
    if (!tni_linalg_check_matrix(v, name, false) || !tni_linalg_check_dtypes(v, name, tau, "tau"))
        return false;
    bool fits = tau->ndim == v->ndim - 1;
    for (int64_t d = 0; fits && d < tau->ndim - 1; d++)
        fits = tau->sizes[d] == v->sizes[d];
    int64_t k = fits ? tau->sizes[tau->ndim - 1] : 0;
    if (!fits || k > tni_linalg_columns(v))
        tni_raise(TN_ERROR_SHAPE, "tau %s does not fit %s %s: it has at most one number for each column", tni_show_tensor(tau),
                  name, tni_show_tensor(v));
    return fits && k <= tni_linalg_columns(v);
}

bool tni_plan_linalg_householder_product(tni_plan *plan, const tn_tensor *input, const tn_tensor *tau) {
    if (!reflect_check(input, "input", tau))
        return false;
    int64_t m = tni_linalg_rows(input), n = tni_linalg_columns(input);
    if (m < n) {
        tni_raise(TN_ERROR_SHAPE, "the matrices of input %s have more columns, %" PRId64 ", than rows, %" PRId64,
                  tni_show_tensor(input), n, m);
        return false;
    }
    tni_plan_begin(plan, input);
    tni_linalg_add(plan, input, m, n, input->dtype);
    return true;
}

bool tni_plan_ormqr(tni_plan *plan, const tn_tensor *self, const tn_tensor *tau, const tn_tensor *input3, bool left,
                    bool transpose) {
    (void)transpose;
    if (!reflect_check(self, "self", tau) || !tni_linalg_check_matrix(input3, "input3", false) ||
        !tni_linalg_check_dtypes(self, "self", input3, "input3"))
        return false;
    bool fits = input3->ndim == self->ndim;
    for (int64_t d = 0; fits && d < self->ndim - 2; d++)
        fits = input3->sizes[d] == self->sizes[d];
    int64_t m = left ? tni_linalg_rows(input3) : tni_linalg_columns(input3);
    if (!fits || m != tni_linalg_rows(self) || tau->sizes[tau->ndim - 1] > m) {
        tni_raise(TN_ERROR_SHAPE, "input3 %s does not fit self %s: it has to have the same batch and %" PRId64 " %s",
                  tni_show_tensor(input3), tni_show_tensor(self), tni_linalg_rows(self), left ? "rows" : "columns");
        return false;
    }
    tni_plan_begin(plan, self);
    tni_linalg_add(plan, input3, tni_linalg_rows(input3), tni_linalg_columns(input3), self->dtype);
    return true;
}

/* From the right: C Q = (Q^H C^H)^H; the conjugate is taken by the caller, here only strides are exchanged. */
static bool apply_one(void *context, int64_t i, void *work) {
    const reflect_call *call = context;
    tni_matrix v = tni_stack_at(&call->v, i), tau = tni_stack_at(&call->tau, i), c = tni_stack_at(&call->c, i);
    char *numbers = work; /* tau, side by side */
    for (int64_t j = 0; j < call->k; j++)
        memcpy(numbers + (size_t)j * call->factor.size, (char *)tau.data + j * tau.row * (int64_t)call->factor.size,
               call->factor.size);
    const tn_lapack *lapack =
        call->identity ? tni_lapack_takes(TN_LAPACK_ORGQR, call->factor.dtype, tni_min_i64(call->m, call->n)) : NULL;
    if (lapack && call->m >= call->n && call->n >= call->k)
        return tni_lapack_q(lapack, &call->factor, call->m, call->n, call->k, v, numbers, c);
    work = numbers + ((size_t)call->k * call->factor.size + 63) / 64 * 64;
    return tni_factor_apply(&call->factor, call->m, call->n, call->k, v, numbers, call->left ? c : tni_factor_transposed(c),
                            call->adjoint, work);
}

/* Small matrices: v, then c, tau and a row of sums. */
static bool apply_group(void *context, int64_t g, void *work) {
    const reflect_call *call = context;
    const tni_factor *factor = &call->factor;
    tni_matrix v[TNI_LANES_MOST], taus[TNI_LANES_MOST], c[TNI_LANES_MOST];
    int64_t m = call->m, n = call->n, k = call->k, count = tni_stack_group(&call->v, factor, g, v);
    (void)tni_stack_group(&call->tau, factor, g, taus);
    (void)tni_stack_group(&call->c, factor, g, c);
    for (int64_t l = 0; l < count && !call->left; l++)
        c[l] = tni_factor_transposed(c[l]);
    char *to = (char *)work + tni_lanes_bytes(m, k), *tau = to + tni_lanes_bytes(m, n), *sums = tau + tni_lanes_bytes(k, 1);
    tni_lanes_pack(factor, m, k, v, count, work);
    tni_lanes_pack(factor, m, n, c, count, to);
    tni_lanes_pack(factor, k, 1, taus, count, tau);
    call->lanes->apply(m, n, k, work, k, tau, to, call->adjoint, call->identity, sums);
    tni_lanes_unpack(factor, m, n, to, c, count);
    return true;
}

static tn_error apply_run(tn_tensor *result, const tn_tensor *v, const tn_tensor *tau, bool left, bool adjoint, bool identity) {
    reflect_call call = {.v = tni_stack_of(v, NULL),
                         .tau = tni_stack_of_vectors(tau, NULL),
                         .c = tni_stack_of(result, NULL),
                         .m = tni_linalg_rows(v),
                         .n = left ? tni_linalg_columns(result) : tni_linalg_rows(result),
                         .k = tau->sizes[tau->ndim - 1],
                         .left = left,
                         .adjoint = adjoint,
                         .identity = identity};
    if (result->numel == 0 || call.k == 0)
        return TN_OK;
    tni_factor_begin(&call.factor, v->dtype);
    double m = (double)call.m, n = (double)call.n, k = (double)call.k;
    if (call.k <= TNI_LANES_SIDE && (call.lanes = tni_lanes_of(&call.factor, call.m, call.n)))
        return tni_linalg_each_group(&call.factor, call.v.count, 2 * m * n * k + 40 * n,
                                     tni_lanes_bytes(call.m + 1, call.k + call.n), apply_group, &call);
    size_t work = tni_factor_reflect_work(&call.factor, call.m, call.n) + (size_t)call.k * call.factor.size + 64;
    return tni_linalg_each(call.v.count, 2 * m * n * k + 40 * n, work, apply_one, &call);
}

tn_error tni_run_linalg_householder_product(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input,
                                            const tn_tensor *tau) {
    int64_t m = tni_linalg_rows(input), n = tni_linalg_columns(input);
    (void)plan;
    tn_tensor *one = tni_op_eye(m, n, input->dtype);
    tn_error code = one ? tni_copy_into(results[0], one, "reflections are applied to it") : tni_failed();
    tni_tensor_release(one);
    return code == TN_OK ? apply_run(results[0], input, tau, true, false, true) : code;
}

/* C Q is the transpose of Q^T C^T, and Q^T that of the conjugates, adjoint. */
tn_error tni_run_ormqr(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *tau,
                       const tn_tensor *input3, bool left, bool transpose) {
    (void)plan;
    tn_error code = tni_copy_into(results[0], input3, "reflections are applied to it");
    if (code != TN_OK || left || !tn_dtype_is_complex(self->dtype))
        return code == TN_OK ? apply_run(results[0], self, tau, left, left ? transpose : !transpose, false) : code;
    tn_tensor *v = tni_op_conj(self), *t = tni_op_conj(tau);
    tn_tensor *plain = v ? tni_clone_contiguous(v, "conjugated") : NULL,
              *plain_tau = t ? tni_clone_contiguous(t, "conjugated") : NULL;
    code = plain && plain_tau ? apply_run(results[0], plain, plain_tau, false, !transpose, false) : tni_failed();
    tni_tensor_release(plain_tau);
    tni_tensor_release(plain);
    tni_tensor_release(t);
    tni_tensor_release(v);
    return code;
}

/* ---- Q R */

enum { QR_REDUCED, QR_COMPLETE, QR_R };

static int qr_mode(const char *mode) {
    static const char *const names[] = {"reduced", "complete", "r"};
    for (int i = 0; i < 3; i++)
        if (strcmp(mode, names[i]) == 0)
            return i;
    tni_raise(TN_ERROR_ARGUMENT, "mode is \"%s\", not \"reduced\", \"complete\" or \"r\"", mode);
    return -1;
}

bool tni_plan_linalg_qr(tni_plan *plan, const tn_tensor *A, const char *mode) {
    int how = qr_mode(mode);
    if (how < 0 || !tni_linalg_check_matrix(A, "A", false))
        return false;
    int64_t m = tni_linalg_rows(A), n = tni_linalg_columns(A), k = tni_min_i64(m, n);
    plan->number[0] = how;
    tni_plan_begin(plan, A);
    if (how == QR_R) {
        plan->beside = true;
        tni_plan_add(plan, 1, (int64_t[]){0}, A->dtype);
    } else
        tni_linalg_add(plan, A, m, how == QR_COMPLETE ? m : k, A->dtype);
    tni_linalg_add(plan, A, how == QR_COMPLETE ? m : k, n, A->dtype);
    return true;
}

/* Small matrices: c is Q, v R. Rows of R below the last reflection, and what is below its diagonal, are 0. */
static bool qr_group(void *context, int64_t g, void *work) {
    const reflect_call *call = context;
    const tni_factor *factor = &call->factor;
    tni_matrix from[TNI_LANES_MOST], to[TNI_LANES_MOST];
    int64_t m = call->m, n = call->n, k = tni_min_i64(m, n), columns = call->k, lane = TNI_MATRIX_LANES_BYTES;
    int64_t count = tni_stack_group(&call->from, factor, g, from);
    char *packed = work, *q = packed + tni_lanes_bytes(m, n), *tau = packed + tni_lanes_bytes(m, n + m);
    char *sums = tau + tni_lanes_bytes(1, m + n);
    const float one_32 = 1;
    const double one_64 = 1;
    const void *one = factor->size == sizeof one_32 ? (const void *)&one_32 : (const void *)&one_64;
    tni_lanes_pack(factor, m, n, from, count, packed);
    call->lanes->qr(m, n, packed, tau, sums);
    if (call->c.data) {
        memset(q, 0, tni_lanes_bytes(m, columns));
        for (int64_t i = 0; i < columns; i++)
            for (int64_t l = 0; l < lane; l += (int64_t)factor->size)
                memcpy(q + i * (columns + 1) * lane + l, one, factor->size);
        call->lanes->apply(m, columns, k, packed, n, tau, q, false, true, sums);
        (void)tni_stack_group(&call->c, factor, g, to);
        tni_lanes_unpack(factor, m, columns, q, to, count);
    }
    for (int64_t i = 1; i < call->rows; i++)
        memset(packed + i * n * lane, 0, tni_lanes_bytes(1, tni_min_i64(i, n)));
    (void)tni_stack_group(&call->v, factor, g, to);
    tni_lanes_unpack(factor, call->rows, n, packed, to, count);
    return true;
}

/* The factored matrix is kept beside: R is its upper triangle, Q the reflections below it. */
tn_error tni_run_linalg_qr(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *A, const char *mode) {
    int64_t m = tni_linalg_rows(A), n = tni_linalg_columns(A), k = tni_min_i64(m, n);
    (void)mode;
    reflect_call call = {.v = tni_stack_of(results[1], NULL), .m = m, .n = n, .rows = tni_linalg_rows(results[1])};
    tni_factor_begin(&call.factor, A->dtype);
    if ((call.lanes = tni_lanes_of(&call.factor, m, n))) {
        call.from = tni_stack_of(A, NULL);
        if (plan->number[0] != QR_R) {
            call.c = tni_stack_of(results[0], NULL);
            call.k = tni_linalg_columns(results[0]);
        }
        return tni_linalg_each_group(&call.factor, call.v.count, 2 * (double)(m * n * k) + 40 * (double)n,
                                     reflect_lanes_bytes(m, n), qr_group, &call);
    }
    tn_list *factors = tni_op_geqrf(A);
    if (!factors)
        return tni_failed();
    const tn_tensor *a = tn_list_at(factors, 0), *tau = tn_list_at(factors, 1);
    tn_tensor *top = tni_op_narrow(a, -2, 0, k), *r = top ? tni_op_triu(top, 0) : NULL;
    tn_tensor *v = tni_op_narrow(a, -1, 0, k), *one = NULL, *into = NULL;
    tn_error code = r && v ? TN_OK : tni_failed();
    if (code == TN_OK && plan->number[0] == QR_COMPLETE && m > k) { /* zeros below */
        code = tni_fill_into(results[1], tn_scalar_int(0));
        if (code == TN_OK && !(into = tni_op_narrow(results[1], -2, 0, k)))
            code = tni_failed();
    }
    if (code == TN_OK)
        code = tni_copy_into(into ? into : results[1], r, "R");
    if (code == TN_OK && plan->number[0] != QR_R) {
        one = tni_op_eye(m, results[0]->sizes[results[0]->ndim - 1], A->dtype);
        code = one ? tni_copy_into(results[0], one, "reflections are applied to it") : tni_failed();
        if (code == TN_OK)
            code = apply_run(results[0], v, tau, true, false, true);
    }
    tni_tensor_release(one);
    tni_tensor_release(into);
    tni_tensor_release(v);
    tni_tensor_release(r);
    tni_tensor_release(top);
    tn_list_release(factors);
    return code;
}

tn_list *tni_composite_qr(const tn_tensor *self, bool some) { return tn_linalg_qr(self, some ? "reduced" : "complete"); }

tn_tensor *tni_composite_qr_out(tn_tensor *Q, tn_tensor *R, const tn_tensor *self, bool some) {
    return tn_linalg_qr_out(Q, R, self, some ? "reduced" : "complete");
}
