/* ldl.c - linalg_ldl_factor_ex and linalg_ldl_solve: L D L^T, or L D L^H, of matrices that are symmetric or Hermitian but need not be definite,
 * with Bunch and Kaufman's pivots: D has blocks of one and two rows. L and D are kept in the lower triangle, and pivots are LAPACK's: positive
 * for a block of one row, which was exchanged with that row, counted from 1; negative, twice, for one of two, whose second row was.
 *
 * One text for all dtypes: it computes in complex128, whatever is stored, because these matrices are seldom large.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "operators_linalg.h"
#include "ops/copy/copy.h"
#include "ops/linalg/linalg.h"
#include "ops/result.h"

typedef tn_complex128 ldl_number;

static ldl_number ldl_sub(ldl_number a, ldl_number b) { return (ldl_number){a.real - b.real, a.imag - b.imag}; }
static ldl_number ldl_mul(ldl_number a, ldl_number b) {
    return (ldl_number){a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
static ldl_number ldl_div(ldl_number a, ldl_number b) {
    if (b.imag == 0)
        return (ldl_number){a.real / b.real, a.imag / b.real};
    bool wide = fabs(b.real) >= fabs(b.imag);
    double p = wide ? b.real : b.imag, q = wide ? b.imag : b.real, r = q / p, d = p + q * r;
    return wide ? (ldl_number){(a.real + a.imag * r) / d, (a.imag - a.real * r) / d}
                : (ldl_number){(a.real * r + a.imag) / d, (a.imag * r - a.real) / d};
}
static ldl_number ldl_turn(ldl_number a, bool hermitian) { return hermitian ? (ldl_number){a.real, -a.imag} : a; }
static double ldl_size(ldl_number a) { return fabs(a.real) + fabs(a.imag); }

static ldl_number ldl_read(const char *at, tn_dtype dtype) {
    switch (dtype) {
    case TN_FLOAT32: return (ldl_number){(double)*(const float *)at, 0};
    case TN_FLOAT64: return (ldl_number){*(const double *)at, 0};
    case TN_COMPLEX64: return (ldl_number){(double)((const float *)at)[0], (double)((const float *)at)[1]};
    default: return *(const ldl_number *)at;
    }
}

static void ldl_write(char *at, tn_dtype dtype, ldl_number value) {
    switch (dtype) {
    case TN_FLOAT32: *(float *)at = (float)value.real; break;
    case TN_FLOAT64: *(double *)at = value.real; break;
    case TN_COMPLEX64: *(tn_complex64 *)at = (tn_complex64){(float)value.real, (float)value.imag}; break;
    default: *(ldl_number *)at = value; break;
    }
}

static void ldl_load(ldl_number *to, int64_t rows, int64_t columns, const tni_factor *factor, tni_matrix from) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            to[i * columns + j] = ldl_read(tni_factor_part(factor, from, i, j).data, factor->dtype);
}

static void ldl_store(tni_matrix to, int64_t rows, int64_t columns, const tni_factor *factor, const ldl_number *from) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            ldl_write(tni_factor_part(factor, to, i, j).data, factor->dtype, from[i * columns + j]);
}

/* ---- factors */

bool tni_plan_linalg_ldl_factor_ex(tni_plan *plan, const tn_tensor *self, bool hermitian, bool check_errors) {
    (void)hermitian, (void)check_errors;
    if (!tni_linalg_check_matrix(self, "self", true))
        return false;
    int64_t n = tni_linalg_rows(self);
    tni_plan_begin(plan, self);
    tni_linalg_add(plan, self, n, n, self->dtype);
    tni_linalg_add(plan, self, n, TN_NONE, TN_INT32);
    tni_linalg_add(plan, self, TN_NONE, TN_NONE, TN_INT32);
    return true;
}

typedef struct ldl_call {
    tni_factor factor;
    tni_stack a, pivots, x;
    int64_t n, count;
    int32_t *rows, *info;
    bool hermitian;
} ldl_call;

/* Rows and columns p and q, p < q, of what is left, from column k on, exchanged in the lower triangle. */
static void ldl_exchange(ldl_number *a, int64_t n, int64_t p, int64_t q, int64_t k, bool two, bool hermitian) {
    ldl_number t;
    for (int64_t i = q + 1; i < n; i++)
        t = a[i * n + p], a[i * n + p] = a[i * n + q], a[i * n + q] = t;
    for (int64_t i = p + 1; i < q; i++) {
        t = ldl_turn(a[i * n + p], hermitian);
        a[i * n + p] = ldl_turn(a[q * n + i], hermitian);
        a[q * n + i] = t;
    }
    a[q * n + p] = ldl_turn(a[q * n + p], hermitian);
    t = a[p * n + p], a[p * n + p] = a[q * n + q], a[q * n + q] = t;
    if (two)
        t = a[p * n + k], a[p * n + k] = a[q * n + k], a[q * n + k] = t;
}

static int64_t ldl_factor(ldl_number *a, int64_t n, int32_t *pivots, bool hermitian) {
    const double alpha = (1 + sqrt(17)) / 8;
    int64_t info = 0;
    for (int64_t k = 0, step; k < n; k += step) {
        int64_t at = k, most = k;
        double here = hermitian ? fabs(a[k * n + k].real) : ldl_size(a[k * n + k]), column = 0;
        step = 1;
        for (int64_t i = k + 1; i < n; i++)
            if (ldl_size(a[i * n + k]) > column)
                column = ldl_size(a[i * n + k]), most = i;
        if (!(here > 0) && !(column > 0)) {
            info = info ? info : k + 1;
            pivots[k] = (int32_t)k + 1;
            continue;
        }
        if (here < alpha * column) {
            double row = 0;
            for (int64_t j = k; j < n; j++) {
                double size = j < most ? ldl_size(a[most * n + j]) : j > most ? ldl_size(a[j * n + most]) : 0;
                row = size > row ? size : row;
            }
            if (here >= alpha * column * (column / row))
                at = k;
            else if ((hermitian ? fabs(a[most * n + most].real) : ldl_size(a[most * n + most])) >= alpha * row)
                at = most;
            else
                at = most, step = 2;
        }
        int64_t with = k + step - 1;
        if (at != with)
            ldl_exchange(a, n, with, at, k, step == 2, hermitian);
        if (hermitian)
            for (int64_t i = k; i < k + step; i++)
                a[i * n + i].imag = 0;
        if (step == 1) {
            ldl_number d = a[k * n + k];
            pivots[k] = (int32_t)at + 1;
            for (int64_t j = k + 1; j < n; j++) {
                ldl_number w = ldl_turn(ldl_div(a[j * n + k], d), hermitian);
                for (int64_t i = j; i < n; i++)
                    a[i * n + j] = ldl_sub(a[i * n + j], ldl_mul(a[i * n + k], w));
                if (hermitian)
                    a[j * n + j].imag = 0;
            }
            for (int64_t i = k + 1; i < n; i++)
                a[i * n + k] = ldl_div(a[i * n + k], d);
            continue;
        }
        pivots[k] = pivots[k + 1] = -((int32_t)at + 1);
        /* D = [[p, turn(q)], [q, r]]; [x y] D^-1 for each row */
        ldl_number p = a[k * n + k], q = a[(k + 1) * n + k], r = a[(k + 1) * n + k + 1];
        ldl_number over = ldl_div(p, q), under = ldl_div(r, ldl_turn(q, hermitian));
        ldl_number scale = ldl_sub(ldl_mul(over, under), (ldl_number){1, 0});
        for (int64_t j = k + 2; j < n; j++) {
            ldl_number x = ldl_div(a[j * n + k], q), y = ldl_div(a[j * n + k + 1], ldl_turn(q, hermitian));
            ldl_number u = ldl_div(ldl_sub(ldl_mul(under, x), y), scale), v = ldl_div(ldl_sub(ldl_mul(over, y), x), scale);
            ldl_number tu = ldl_turn(u, hermitian), tv = ldl_turn(v, hermitian);
            for (int64_t i = j; i < n; i++)
                a[i * n + j] = ldl_sub(ldl_sub(a[i * n + j], ldl_mul(a[i * n + k], tu)), ldl_mul(a[i * n + k + 1], tv));
            a[j * n + k] = u;
            a[j * n + k + 1] = v;
            if (hermitian)
                a[j * n + j].imag = 0;
        }
    }
    return info;
}

static bool ldl_one(void *context, int64_t i, void *work) {
    const ldl_call *call = context;
    tni_matrix a = tni_stack_at(&call->a, i);
    ldl_load(work, call->n, call->n, &call->factor, a);
    call->info[i] = (int32_t)ldl_factor(work, call->n, call->n ? call->rows + i * call->n : call->rows, call->hermitian);
    for (int64_t row = 0; row < call->n; row++) /* as in PyTorch, nothing stands above the diagonal */
        for (int64_t column = row + 1; column < call->n; column++)
            ((ldl_number *)work)[row * call->n + column] = (ldl_number){0, 0};
    ldl_store(a, call->n, call->n, &call->factor, work);
    return true;
}

tn_error tni_run_linalg_ldl_factor_ex(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, bool hermitian,
                                      bool check_errors) {
    ldl_call call = {.a = tni_stack_of(results[0], NULL),
                     .n = tni_linalg_rows(self),
                     .rows = (int32_t *)tni_tensor_write(results[1]),
                     .info = (int32_t *)tni_tensor_write(results[2]),
                     .hermitian = hermitian && tn_dtype_is_complex(self->dtype)};
    (void)plan;
    tni_factor_begin(&call.factor, self->dtype);
    double n = (double)call.n;
    tn_error code = tni_copy_into(results[0], self, "it is factored there");
    if (code == TN_OK)
        code =
            tni_linalg_each(call.a.count, n * n * n + 20 * n, (size_t)(call.n * call.n) * sizeof(ldl_number), ldl_one, &call);
    return code == TN_OK && check_errors ? tni_linalg_judge(results[2], TNI_LINALG_SINGULAR) : code;
}

tn_list *tni_composite_linalg_ldl_factor(const tn_tensor *self, bool hermitian) {
    tn_list *all = tn_linalg_ldl_factor_ex(self, hermitian, true);
    return all ? tn_list_new((const tn_tensor *[]){tn_list_at(all, 0), tn_list_at(all, 1)}, 2) : NULL;
}

tn_tensor *tni_composite_linalg_ldl_factor_out(tn_tensor *LD, tn_tensor *pivots, const tn_tensor *self, bool hermitian) {
    return tni_linalg_put((tn_tensor *[]){LD, pivots}, (const char *[]){"LD", "pivots"}, 2,
                          tni_composite_linalg_ldl_factor(self, hermitian));
}

/* ---- solving */

bool tni_plan_linalg_ldl_solve(tni_plan *plan, const tn_tensor *LD, const tn_tensor *pivots, const tn_tensor *B,
                               bool hermitian) {
    tni_batch batch;
    (void)hermitian;
    if (!tni_linalg_check_matrix(LD, "LD", true) || !tni_linalg_check_matrix(B, "B", false) ||
        !tni_linalg_check_dtypes(LD, "LD", B, "B") || !tni_linalg_check_batch(&batch, LD, 2, B, 2))
        return false;
    bool fits = pivots->ndim == LD->ndim - 1;
    for (int64_t d = 0; fits && d < pivots->ndim; d++)
        fits = pivots->sizes[d] == LD->sizes[d];
    if (!fits || pivots->dtype != TN_INT32 || tni_linalg_rows(B) != tni_linalg_rows(LD)) {
        tni_raise(TN_ERROR_SHAPE, "pivots %s and B %s do not fit LD %s: int32 for each row, and as many rows",
                  tni_show_tensor(pivots), tni_show_tensor(B), tni_show_tensor(LD));
        return false;
    }
    tni_plan_begin(plan, LD);
    tni_linalg_add_batch(plan, &batch, tni_linalg_rows(B), tni_linalg_columns(B), B->dtype);
    return true;
}

static void ldl_swap_rows(ldl_number *x, int64_t count, int64_t i, int64_t j) {
    for (int64_t c = 0; c < count && i != j; c++) {
        ldl_number t = x[i * count + c];
        x[i * count + c] = x[j * count + c];
        x[j * count + c] = t;
    }
}

/* x[i] -= l x[from], for all right-hand sides. */
static void ldl_subtract(ldl_number *x, int64_t count, int64_t i, ldl_number l, int64_t from) {
    for (int64_t c = 0; c < count; c++)
        x[i * count + c] = ldl_sub(x[i * count + c], ldl_mul(l, x[from * count + c]));
}

static void ldl_solve(const ldl_number *a, int64_t n, const int32_t *pivots, ldl_number *x, int64_t count, bool hermitian) {
    for (int64_t k = 0, step; k < n; k += step) {
        step = pivots[k] < 0 ? 2 : 1;
        ldl_swap_rows(x, count, k + step - 1, (pivots[k] < 0 ? -pivots[k] : pivots[k]) - 1);
        for (int64_t i = k + step; i < n; i++)
            for (int64_t j = k; j < k + step; j++)
                ldl_subtract(x, count, i, a[i * n + j], j);
        ldl_number p = a[k * n + k];
        for (int64_t c = 0; c < count; c++) {
            ldl_number *u = &x[k * count + c];
            if (step == 1) {
                *u = ldl_div(*u, p);
                continue;
            }
            ldl_number q = a[(k + 1) * n + k], t = ldl_turn(q, hermitian), r = a[(k + 1) * n + k + 1], *v = u + count;
            ldl_number over = ldl_div(p, t), under = ldl_div(r, q), scale = ldl_sub(ldl_mul(over, under), (ldl_number){1, 0});
            ldl_number b0 = ldl_div(*u, t), b1 = ldl_div(*v, q);
            *u = ldl_div(ldl_sub(ldl_mul(under, b0), b1), scale);
            *v = ldl_div(ldl_sub(ldl_mul(over, b1), b0), scale);
        }
    }
    for (int64_t k = n - 1; k >= 0;) {
        int64_t step = pivots[k] < 0 ? 2 : 1, first = k - step + 1;
        for (int64_t j = first; j <= k; j++)
            for (int64_t i = k + 1; i < n; i++)
                ldl_subtract(x, count, j, ldl_turn(a[i * n + j], hermitian), i);
        ldl_swap_rows(x, count, k, (pivots[k] < 0 ? -pivots[k] : pivots[k]) - 1);
        k -= step;
    }
}

static bool ldl_solve_one(void *context, int64_t i, void *work) {
    const ldl_call *call = context;
    int64_t n = call->n;
    ldl_number *a = work, *x = a + n * n;
    int32_t *rows = (int32_t *)(x + n * call->count);
    tni_matrix to = tni_stack_at(&call->x, i), pivots = tni_stack_at(&call->pivots, i);
    for (int64_t j = 0; j < n; j++)
        rows[j] = ((const int32_t *)pivots.data)[j * pivots.row];
    ldl_load(a, n, n, &call->factor, tni_stack_at(&call->a, i));
    ldl_load(x, n, call->count, &call->factor, to);
    ldl_solve(a, n, rows, x, call->count, call->hermitian);
    ldl_store(to, n, call->count, &call->factor, x);
    return true;
}

/* Whether pivots can have come from linalg_ldl_factor: rows, and negative ones in pairs. */
static bool ldl_pivots_fit(const tn_tensor *pivots, const int32_t *values, int64_t n) {
    for (int64_t i = 0; i < pivots->numel; i++) {
        int64_t size = values[i] < 0 ? -(int64_t)values[i] : values[i];
        bool pair = values[i] >= 0 || (i % n + 1 < n && values[i + 1] == values[i]);
        if (size < 1 || size > n || !pair) {
            tni_raise(TN_ERROR_INDEX, "pivots has %" PRId32 " at row %" PRId64 " of %" PRId64 ": negative ones come in pairs",
                      values[i], i % n, n);
            return false;
        }
        i += values[i] < 0;
    }
    return true;
}

tn_error tni_run_linalg_ldl_solve(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *LD, const tn_tensor *pivots,
                                  const tn_tensor *B, bool hermitian) {
    tni_batch batch = {.ndim = results[0]->ndim - 2};
    (void)plan;
    memcpy(batch.sizes, results[0]->sizes, (size_t)batch.ndim * sizeof *batch.sizes);
    ldl_call call = {.a = tni_stack_of(LD, &batch),
                     .pivots = tni_stack_of_vectors(pivots, &batch),
                     .x = tni_stack_of(results[0], NULL),
                     .n = tni_linalg_rows(LD),
                     .count = tni_linalg_columns(B),
                     .hermitian = hermitian && tn_dtype_is_complex(LD->dtype)};
    tni_factor_begin(&call.factor, LD->dtype);
    tn_tensor *rows = tni_clone_contiguous(pivots, "pivots are checked");
    if (!rows)
        return tni_failed();
    tn_error code = ldl_pivots_fit(rows, (const int32_t *)tni_tensor_read(rows), call.n)
                        ? tni_copy_into(results[0], B, "it is solved there")
                        : tni_failed();
    tni_tensor_release(rows);
    double n = (double)call.n;
    size_t work = (size_t)(call.n * (call.n + call.count)) * sizeof(ldl_number) + (size_t)call.n * sizeof(int32_t);
    return code == TN_OK ? tni_linalg_each(call.x.count, n * n * (double)call.count + 20 * n, work, ldl_solve_one, &call)
                         : code;
}
