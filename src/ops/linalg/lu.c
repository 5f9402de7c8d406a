/* lu.c - P L U with partial pivoting: linalg_lu_factor_ex, and what reads its result: lu_unpack, linalg_lu_solve.
 *
 * L and U are kept in one matrix; pivots are int32, counted from 1: row j was exchanged with row pivots[j], for j = 0, 1, ...
 */
#include <string.h>

#include "base/error.h"
#include "iterate/factor_lapack.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_linalg.h"
#include "operators_move.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/linalg/linalg.h"
#include "ops/result.h"

/* ---- factors */

bool tni_plan_linalg_lu_factor_ex(tni_plan *plan, const tn_tensor *A, bool pivot, bool check_errors) {
    (void)pivot, (void)check_errors;
    if (!tni_linalg_check_matrix(A, "A", false))
        return false;
    int64_t m = tni_linalg_rows(A), n = tni_linalg_columns(A);
    tni_plan_begin(plan, A);
    tni_linalg_add(plan, A, m, n, A->dtype);
    tni_linalg_add(plan, A, tni_min_i64(m, n), TN_NONE, TN_INT32);
    tni_linalg_add(plan, A, TN_NONE, TN_NONE, TN_INT32);
    return true;
}

typedef struct lu_call {
    tni_factor factor;
    const tni_lanes_loops *lanes;
    tni_stack from, lu;
    int64_t m, n;
    int32_t *pivots, *info;
    bool pivot;
} lu_call;

static bool lu_one(void *context, int64_t i, void *work) {
    const lu_call *call = context;
    int64_t info = 0, rank = tni_min_i64(call->m, call->n);
    int32_t *pivots = rank ? call->pivots + i * rank : call->pivots;
    if (!tni_factor_lu(&call->factor, call->m, call->n, tni_stack_at(&call->lu, i), pivots, call->pivot, work, &info))
        return false;
    call->info[i] = (int32_t)info;
    return true;
}

static bool lu_group(void *context, int64_t g, void *work) {
    const lu_call *call = context;
    tni_matrix from[TNI_LANES_MOST], to[TNI_LANES_MOST];
    int32_t info[TNI_LANES_MOST];
    _Alignas(64) char pivots[TNI_LANES_SIDE * TNI_MATRIX_LANES_BYTES];
    int64_t m = call->m, n = call->n, count = tni_stack_group(&call->from, &call->factor, g, from);
    (void)tni_stack_group(&call->lu, &call->factor, g, to);
    tni_lanes_pack(&call->factor, m, n, from, count, work);
    call->lanes->lu(m, n, work, pivots, call->pivot, info);
    tni_lanes_unpack(&call->factor, m, n, work, to, count);
    tni_linalg_put_pivots(&call->factor, tni_min_i64(m, n), g, count, pivots, info, call->pivots, call->info);
    return true;
}

void tni_linalg_put_pivots(const tni_factor *factor, int64_t rank, int64_t g, int64_t count, const void *pivots,
                           const int32_t *info, int32_t *to, int32_t *to_info) {
    int64_t lanes = tni_lanes_count(factor);
    for (int64_t l = 0; l < count; l++) {
        to_info[g * lanes + l] = info[l];
        for (int64_t j = 0; j < rank; j++)
            to[(g * lanes + l) * rank + j] = factor->size == 4 ? (int32_t)((const float *)pivots)[j * lanes + l]
                                                               : (int32_t)((const double *)pivots)[j * lanes + l];
    }
}

tn_error tni_linalg_factor_lu(tn_tensor *lu, tn_tensor *pivots, tn_tensor *info, const tn_tensor *a, bool pivot) {
    lu_call call = {.lu = tni_stack_of(lu, NULL),
                    .m = tni_linalg_rows(a),
                    .n = tni_linalg_columns(a),
                    .pivots = (int32_t *)tni_tensor_write(pivots),
                    .info = (int32_t *)tni_tensor_write(info),
                    .pivot = pivot};
    tni_factor_begin(&call.factor, a->dtype);
    double m = (double)call.m, n = (double)call.n, rank = m < n ? m : n;
    if ((call.lanes = tni_lanes_of(&call.factor, call.m, call.n))) {
        call.from = tni_stack_of(a, NULL);
        return tni_linalg_each_group(&call.factor, call.lu.count, m * n * rank / 3 + 20 * n, tni_lanes_bytes(call.m, call.n),
                                     lu_group, &call);
    }
    tn_error code = tni_copy_into(lu, a, "it is factored there");
    return code == TN_OK
               ? tni_linalg_each(call.lu.count, m * n * rank / 3 + 20 * n, tni_factor_work(&call.factor, call.m), lu_one, &call)
               : code;
}

tn_error tni_run_linalg_lu_factor_ex(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *A, bool pivot,
                                     bool check_errors) {
    (void)plan;
    tn_error code = tni_linalg_factor_lu(results[0], results[1], results[2], A, pivot);
    return code == TN_OK && check_errors ? tni_linalg_judge(results[2], TNI_LINALG_SINGULAR) : code;
}

tn_list *tni_composite_linalg_lu_factor(const tn_tensor *A, bool pivot) {
    tn_list *all = tn_linalg_lu_factor_ex(A, pivot, true);
    const tn_tensor *parts[2] = {tn_list_at(all, 0), tn_list_at(all, 1)};
    return all ? tn_list_new(parts, 2) : NULL;
}

tn_tensor *tni_composite_linalg_lu_factor_out(tn_tensor *LU, tn_tensor *pivots, const tn_tensor *A, bool pivot) {
    return tni_linalg_put((tn_tensor *[]){LU, pivots}, (const char *[]){"LU", "pivots"}, 2,
                          tni_composite_linalg_lu_factor(A, pivot));
}

/* ---- the permutation of pivots, as a matrix: P[perm[i], i] = 1 */

bool tni_plan__linalg_pivots_to_matrix(tni_plan *plan, const tn_tensor *pivots, int64_t n, tn_dtype dtype) {
    if (pivots->ndim < 1 || pivots->dtype != TN_INT32) {
        tni_raise(TN_ERROR_DTYPE, "pivots is %s; they are vectors of int32, counted from 1", tni_show_tensor(pivots));
        return false;
    }
    if (dtype != TN_FLOAT32 && dtype != TN_FLOAT64 && !tn_dtype_is_complex(dtype)) {
        tni_raise(TN_ERROR_DTYPE, "dtype is %s, not float32, float64, complex64 or complex128", tn_dtype_name(dtype));
        return false;
    }
    if (n < pivots->sizes[pivots->ndim - 1]) {
        tni_raise(TN_ERROR_SHAPE, "n is %" PRId64 ", and pivots %s are of more rows", n, tni_show_tensor(pivots));
        return false;
    }
    int64_t sizes[TN_MAX_DIMS + 1], ndim = pivots->ndim - 1;
    if (ndim + 2 > TN_MAX_DIMS) {
        tni_raise(TN_ERROR_SHAPE, "pivots %s has too many dimensions", tni_show_tensor(pivots));
        return false;
    }
    for (int64_t d = 0; d < ndim; d++)
        sizes[d] = pivots->sizes[d];
    sizes[ndim] = sizes[ndim + 1] = n;
    tni_plan_begin(plan, pivots);
    plan->beside = true;
    tni_plan_add(plan, ndim + 2, sizes, dtype);
    return true;
}

static void lu_set_one(void *at, tn_dtype dtype) {
    if (dtype == TN_FLOAT32 || dtype == TN_COMPLEX64)
        *(float *)at = 1;
    else
        *(double *)at = 1;
}

/* Whether every pivot is a row. */
static bool lu_pivots_fit(const tn_tensor *pivots, const int32_t *values, int64_t n) {
    for (int64_t i = 0; i < pivots->numel; i++)
        if (values[i] < 1 || values[i] > n) {
            tni_raise(TN_ERROR_INDEX, "pivots has %" PRId32 ", and the matrices have rows 1 to %" PRId64, values[i], n);
            return false;
        }
    return true;
}

tn_error tni_run__linalg_pivots_to_matrix(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *pivots, int64_t n,
                                          tn_dtype dtype) {
    tn_tensor *rows = tni_clone_contiguous(pivots, "pivots are read in order");
    (void)plan;
    if (!rows)
        return tni_failed();
    const int32_t *values = (const int32_t *)tni_tensor_read(rows);
    int64_t k = pivots->sizes[pivots->ndim - 1], count = k ? pivots->numel / k : 0, size = (int64_t)tni_dtype_size(dtype);
    tn_tensor *order = NULL;
    tn_error code = lu_pivots_fit(rows, values, n) ? tni_fill_into(results[0], tn_scalar_int(0)) : tni_failed();
    if (code == TN_OK && !(order = tni_tensor_new(1, &n, TN_INT64, TN_DEVICE_CPU)))
        code = tni_failed();
    if (k == 0 && n > 0) /* nothing was exchanged */
        count = results[0]->numel / (n * n);
    for (int64_t b = 0; b < count && code == TN_OK; b++) {
        int64_t *permuted = (int64_t *)tni_tensor_write(order);
        char *to = tni_tensor_write(results[0]) + b * n * n * size;
        for (int64_t i = 0; i < n; i++)
            permuted[i] = i;
        for (int64_t i = 0; i < k; i++) {
            int64_t j = values[b * k + i] - 1, kept = permuted[i];
            permuted[i] = permuted[j];
            permuted[j] = kept;
        }
        for (int64_t i = 0; i < n; i++)
            lu_set_one(to + (permuted[i] * n + i) * size, dtype);
    }
    if (order)
        tni_tensor_release(order);
    tni_tensor_release(rows);
    return code;
}

/* ---- taking apart */

static bool lu_check_pair(const tn_tensor *lu, const char *name, const tn_tensor *pivots, const char *pivots_name) {
    if (!tni_linalg_check_matrix(lu, name, false))
        return false;
    int64_t k = tni_min_i64(tni_linalg_rows(lu), tni_linalg_columns(lu));
    bool fits = pivots->ndim == lu->ndim - 1 && pivots->sizes[pivots->ndim - 1] == k;
    for (int64_t d = 0; fits && d < pivots->ndim - 1; d++)
        fits = pivots->sizes[d] == lu->sizes[d];
    if (pivots->dtype != TN_INT32)
        tni_raise(TN_ERROR_DTYPE, "%s is %s: pivots are int32", pivots_name, tni_show_tensor(pivots));
    else if (!fits)
        tni_raise(TN_ERROR_SHAPE, "%s %s does not fit %s %s: there have to be %" PRId64 " pivots for each matrix", pivots_name,
                  tni_show_tensor(pivots), name, tni_show_tensor(lu), k);
    return fits && pivots->dtype == TN_INT32;
}

static tn_tensor *lu_nothing(const tn_tensor *like) {
    return tn_empty_device((tn_dims){(int64_t[]){0}, 1}, like->dtype, tni_tensor_device(like));
}

tn_list *tni_composite_lu_unpack(const tn_tensor *LU_data, const tn_tensor *LU_pivots, bool unpack_data, bool unpack_pivots) {
    if (unpack_pivots ? !lu_check_pair(LU_data, "LU_data", LU_pivots, "LU_pivots")
                      : !tni_linalg_check_matrix(LU_data, "LU_data", false))
        return NULL;
    int64_t m = tni_linalg_rows(LU_data), n = tni_linalg_columns(LU_data), k = tni_min_i64(m, n);
    const tn_tensor *parts[3];
    parts[0] = unpack_pivots ? tn__linalg_pivots_to_matrix(LU_pivots, m, LU_data->dtype) : lu_nothing(LU_data);
    if (unpack_data) {
        tn_tensor *left = tn_tril(k < n ? tn_narrow(LU_data, -1, 0, k) : LU_data, -1);
        parts[1] = tn_add(left, tni_linalg_eye(LU_data, m, k));
        parts[2] = tn_triu(k < m ? tn_narrow(LU_data, -2, 0, k) : LU_data, 0);
    } else {
        parts[1] = lu_nothing(LU_data);
        parts[2] = lu_nothing(LU_data);
    }
    return parts[0] && parts[1] && parts[2] ? tn_list_new(parts, 3) : NULL;
}

tn_list *tni_composite_linalg_lu(const tn_tensor *A, bool pivot) {
    tn_list *all = tn_linalg_lu_factor_ex(A, pivot, false);
    return all ? tn_lu_unpack(tn_list_at(all, 0), tn_list_at(all, 1), true, pivot) : NULL;
}

tn_tensor *tni_composite_lu_unpack_out(tn_tensor *P, tn_tensor *L, tn_tensor *U, const tn_tensor *LU_data,
                                       const tn_tensor *LU_pivots, bool unpack_data, bool unpack_pivots) {
    return tni_linalg_put((tn_tensor *[]){P, L, U}, (const char *[]){"P", "L", "U"}, 3,
                          tni_composite_lu_unpack(LU_data, LU_pivots, unpack_data, unpack_pivots));
}

tn_tensor *tni_composite_linalg_lu_out(tn_tensor *P, tn_tensor *L, tn_tensor *U, const tn_tensor *A, bool pivot) {
    return tni_linalg_put((tn_tensor *[]){P, L, U}, (const char *[]){"P", "L", "U"}, 3, tni_composite_linalg_lu(A, pivot));
}

/* ---- solving with the factors */

bool tni_plan_linalg_lu_solve(tni_plan *plan, const tn_tensor *LU, const tn_tensor *pivots, const tn_tensor *B, bool left,
                              bool adjoint) {
    tni_batch batch;
    (void)adjoint;
    if (!tni_linalg_check_matrix(LU, "LU", true) || !tni_linalg_check_matrix(B, "B", false) ||
        !tni_linalg_check_dtypes(LU, "LU", B, "B") || !lu_check_pair(LU, "LU", pivots, "pivots") ||
        !tni_linalg_check_batch(&batch, LU, 2, B, 2))
        return false;
    int64_t n = tni_linalg_rows(LU), rows = tni_linalg_rows(B), columns = tni_linalg_columns(B);
    if (n != (left ? rows : columns)) {
        tni_raise(TN_ERROR_SHAPE, "B %s does not fit LU %s: its matrices have to have %" PRId64 " %s", tni_show_tensor(B),
                  tni_show_tensor(LU), n, left ? "rows" : "columns");
        return false;
    }
    tni_plan_begin(plan, LU);
    tni_linalg_add_batch(plan, &batch, rows, columns, B->dtype);
    return true;
}

typedef struct lu_solve_call {
    tni_factor factor;
    tni_stack lu, pivots, x;
    int64_t n, count; /* count: right-hand sides */
    bool left, adjoint;
} lu_solve_call;

static bool lu_solve_one(void *context, int64_t i, void *work) {
    const lu_solve_call *call = context;
    tni_matrix lu = tni_stack_at(&call->lu, i), x = tni_stack_at(&call->x, i), pivots = tni_stack_at(&call->pivots, i);
    const tni_factor *factor = &call->factor;
    int32_t *rows = work;
    int64_t n = call->n;
    for (int64_t j = 0; j < n; j++)
        rows[j] = ((const int32_t *)pivots.data)[j * pivots.row];
    /* from the right: A^T x^T = b^T, and A^H is the conjugate of that */
    bool turned = !call->left != call->adjoint, conjugate = call->adjoint;
    if (!call->left)
        x = tni_factor_transposed(x);
    const tn_lapack *lapack = turned || !conjugate ? tni_lapack_takes(TN_LAPACK_GETRS, factor->dtype, n) : NULL;
    if (lapack)
        return tni_lapack_solve(lapack, factor, n, call->count, lu, rows, x, !turned ? 'N' : conjugate ? 'C' : 'T');
    int how = (turned ? TNI_TRIANGLE_TRANSPOSED : 0) | (conjugate ? TNI_TRIANGLE_CONJUGATE : 0);
    if (!turned)
        tni_factor_exchange(factor, call->count, x, rows, 0, n, false);
    bool done = turned ? tni_factor_solve(factor, n, call->count, lu, x, how | TNI_TRIANGLE_UPPER) &&
                             tni_factor_solve(factor, n, call->count, lu, x, how | TNI_TRIANGLE_UNIT)
                       : tni_factor_solve(factor, n, call->count, lu, x, how | TNI_TRIANGLE_UNIT) &&
                             tni_factor_solve(factor, n, call->count, lu, x, how | TNI_TRIANGLE_UPPER);
    if (turned && done)
        tni_factor_exchange(factor, call->count, x, rows, 0, n, true);
    return done;
}

tn_error tni_run_linalg_lu_solve(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *LU, const tn_tensor *pivots,
                                 const tn_tensor *B, bool left, bool adjoint) {
    tni_batch batch = {.ndim = results[0]->ndim - 2};
    (void)plan;
    memcpy(batch.sizes, results[0]->sizes, (size_t)batch.ndim * sizeof *batch.sizes);
    lu_solve_call call = {.lu = tni_stack_of(LU, &batch),
                          .pivots = tni_stack_of_vectors(pivots, &batch),
                          .x = tni_stack_of(results[0], NULL),
                          .n = tni_linalg_rows(LU),
                          .count = left ? tni_linalg_columns(B) : tni_linalg_rows(B),
                          .left = left,
                          .adjoint = adjoint};
    tni_factor_begin(&call.factor, LU->dtype);
    tn_tensor *rows = tni_clone_contiguous(pivots, "pivots are checked");
    if (!rows)
        return tni_failed();
    tn_error code = lu_pivots_fit(rows, (const int32_t *)tni_tensor_read(rows), call.n)
                        ? tni_copy_into(results[0], B, "it is solved there")
                        : tni_failed();
    tni_tensor_release(rows);
    double n = (double)call.n;
    return code == TN_OK ? tni_linalg_each(call.x.count, n * n * (double)call.count + 20 * n, (size_t)call.n * sizeof(int32_t),
                                           lu_solve_one, &call)
                         : code;
}

tn_tensor *tni_composite_lu_solve(const tn_tensor *self, const tn_tensor *LU_data, const tn_tensor *LU_pivots) {
    return tn_linalg_lu_solve(LU_data, LU_pivots, self, true, false);
}

tn_tensor *tni_composite_lu_solve_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *LU_data,
                                      const tn_tensor *LU_pivots) {
    return tn_linalg_lu_solve_out(out, LU_data, LU_pivots, self, true, false);
}
