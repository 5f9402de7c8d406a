/* solve.c - systems of equations by LU: _linalg_solve_ex, linalg_inv_ex, the determinants, and the names that are made of them. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "iterate/factor_lapack.h"
#include "operators_arithmetic.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_linalg.h"
#include "operators_math.h"
#include "operators_move.h"
#include "operators_product.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/linalg/linalg.h"
#include "ops/result.h"

/* ---- A X = B */

bool tni_plan__linalg_solve_ex(tni_plan *plan, const tn_tensor *A, const tn_tensor *B, bool check_errors) {
    tni_batch batch;
    (void)check_errors;
    if (!tni_linalg_check_matrix(A, "A", true) || !tni_linalg_check_matrix(B, "B", false) ||
        !tni_linalg_check_dtypes(A, "A", B, "B") || !tni_linalg_check_batch(&batch, A, 2, B, 2))
        return false;
    int64_t n = tni_linalg_rows(A);
    if (n != tni_linalg_rows(B)) {
        tni_raise(TN_ERROR_SHAPE, "B %s does not fit A %s: its matrices have to have %" PRId64 " rows", tni_show_tensor(B),
                  tni_show_tensor(A), n);
        return false;
    }
    tni_plan_begin(plan, A);
    tni_linalg_add_batch(plan, &batch, n, tni_linalg_columns(B), B->dtype);
    tni_linalg_add(plan, A, n, n, A->dtype);
    tni_linalg_add(plan, A, n, TN_NONE, TN_INT32);
    tni_linalg_add(plan, A, TN_NONE, TN_NONE, TN_INT32);
    return true;
}

typedef struct solve_call {
    tni_factor factor;
    const tni_lanes_loops *lanes;
    tni_stack a, b, lu, x;
    int64_t n, count;
    int32_t *pivots, *info;
    bool keep; /* the factors are wanted */
} solve_call;

static bool solve_factored(const solve_call *call, tni_matrix lu, tni_matrix x, const int32_t *pivots) {
    const tn_lapack *lapack = tni_lapack_takes(TN_LAPACK_GETRS, call->factor.dtype, call->n);
    if (lapack)
        return tni_lapack_solve(lapack, &call->factor, call->n, call->count, lu, pivots, x, 'N');
    tni_factor_exchange(&call->factor, call->count, x, pivots, 0, call->n, false);
    return tni_factor_solve(&call->factor, call->n, call->count, lu, x, TNI_TRIANGLE_UNIT) &&
           tni_factor_solve(&call->factor, call->n, call->count, lu, x, TNI_TRIANGLE_UPPER);
}

/* Each matrix and its right-hand sides. */
static bool solve_one(void *context, int64_t i, void *work) {
    const solve_call *call = context;
    int64_t info = 0;
    int32_t *pivots = call->n ? call->pivots + i * call->n : call->pivots;
    tni_matrix lu = tni_stack_at(&call->lu, i), x = tni_stack_at(&call->x, i);
    if (!tni_factor_lu(&call->factor, call->n, call->n, lu, pivots, true, work, &info))
        return false;
    call->info[i] = (int32_t)info;
    return info || solve_factored(call, lu, x, pivots);
}

/* The same of matrices side by side, some right-hand sides at a time. Those of a singular matrix stay as they are. */
static bool solve_group(void *context, int64_t g, void *work) {
    const solve_call *call = context;
    const tni_factor *factor = &call->factor;
    tni_matrix a[TNI_LANES_MOST], b[TNI_LANES_MOST], lu[TNI_LANES_MOST], x[TNI_LANES_MOST];
    int32_t info[TNI_LANES_MOST];
    _Alignas(64) char pivots[TNI_LANES_SIDE * TNI_MATRIX_LANES_BYTES];
    int64_t n = call->n, count = tni_stack_group(&call->a, factor, g, a);
    (void)tni_stack_group(&call->b, factor, g, b);
    (void)tni_stack_group(&call->lu, factor, g, lu);
    (void)tni_stack_group(&call->x, factor, g, x);
    char *right = (char *)work + tni_lanes_bytes(n, n);
    tni_lanes_pack(factor, n, n, a, count, work);
    call->lanes->lu(n, n, work, pivots, true, info);
    if (call->keep)
        tni_lanes_unpack(factor, n, n, work, lu, count);
    tni_linalg_put_pivots(factor, n, g, count, pivots, info, call->pivots, call->info);
    for (int64_t c = 0; c < call->count; c += TNI_LANES_COLUMNS) {
        int64_t width = tni_min_i64(TNI_LANES_COLUMNS, call->count - c);
        tni_matrix from[TNI_LANES_MOST], to[TNI_LANES_MOST];
        for (int64_t l = 0; l < count; l++) {
            from[l] = tni_factor_part(factor, b[l], 0, c);
            to[l] = tni_factor_part(factor, x[l], 0, c);
        }
        tni_lanes_pack(factor, n, width, from, count, right);
        for (int64_t j = 0; j < n; j++)
            call->lanes->exchange(n, right, width, width, j, pivots + j * TNI_MATRIX_LANES_BYTES);
        tni_lanes_solve(factor, call->lanes, n, width, work, right, TNI_TRIANGLE_UNIT);
        tni_lanes_solve(factor, call->lanes, n, width, work, right, TNI_TRIANGLE_UPPER);
        tni_lanes_unpack(factor, n, width, right, to, count);
    }
    for (int64_t l = 0; l < count; l++)
        if (info[l])
            tni_linalg_copy(factor, n, call->count, b[l], x[l]);
    return true;
}

/* Both are copied, and solved together, where each matrix has its own right-hand sides; else the factors come first. */
static tn_error solve_all(tn_tensor *x, tn_tensor *lu, tn_tensor *pivots, tn_tensor *info, const tn_tensor *A,
                          const tn_tensor *B, bool keep) {
    tni_batch batch = {.ndim = x->ndim - 2};
    memcpy(batch.sizes, x->sizes, (size_t)batch.ndim * sizeof *batch.sizes);
    solve_call call = {.lu = tni_stack_of(lu, &batch),
                       .x = tni_stack_of(x, NULL),
                       .n = tni_linalg_rows(A),
                       .count = tni_linalg_columns(x),
                       .pivots = (int32_t *)tni_tensor_write(pivots),
                       .info = (int32_t *)tni_tensor_write(info),
                       .keep = keep};
    tni_factor_begin(&call.factor, A->dtype);
    double n = (double)call.n, operations = n * n * (n / 3 + (double)call.count) + 40 * n;
    bool together = tni_stack_of(lu, NULL).count == call.x.count;
    if (together && (call.lanes = tni_lanes_of(&call.factor, call.n, call.n))) {
        call.a = tni_stack_of(A, &batch);
        call.b = tni_stack_of(B, &batch);
        return tni_linalg_each_group(&call.factor, call.x.count, operations,
                                     tni_lanes_bytes(call.n, call.n) + tni_lanes_bytes(call.n, TNI_LANES_COLUMNS), solve_group,
                                     &call);
    }
    tn_error code = tni_copy_into(x, B, "it is solved there");
    if (code == TN_OK && !together) {
        code = tni_linalg_factor_lu(lu, pivots, info, A, true);
        tn_tensor *made = NULL;
        const int32_t *infos = (const int32_t *)tni_tensor_read(info);
        bool whole = true;
        for (int64_t i = 0; i < info->numel; i++)
            whole = whole && infos[i] == 0;
        if (code == TN_OK && whole && !(made = tni_op_linalg_lu_solve(lu, pivots, x, true, false)))
            code = tni_failed();
        if (made) {
            code = tni_copy_into(x, made, "it is the solution");
            tni_tensor_release(made);
        }
        return code;
    }
    if (code == TN_OK)
        code = tni_copy_into(lu, A, "it is factored there");
    return code == TN_OK ? tni_linalg_each(call.x.count, operations, tni_factor_work(&call.factor, call.n), solve_one, &call)
                         : code;
}

tn_error tni_run__linalg_solve_ex(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *A, const tn_tensor *B,
                                  bool check_errors) {
    (void)plan;
    tn_error code = solve_all(results[0], results[1], results[2], results[3], A, B, true);
    return code == TN_OK && check_errors ? tni_linalg_judge(results[3], TNI_LINALG_SINGULAR) : code;
}

bool tni_linalg_of_vectors(const tn_tensor *A, const tn_tensor *B) {
    bool vectors = B->ndim == 1;
    if (!vectors && A->ndim >= 2 && B->ndim == A->ndim - 1) {
        vectors = true;
        for (int64_t d = 0; d < B->ndim; d++)
            vectors = vectors && B->sizes[d] == A->sizes[d];
    }
    return vectors;
}

static tn_list *solve_parts(const tn_tensor *A, const tn_tensor *B, bool left, bool check_errors) {
    if (!tni_linalg_check_matrix(A, "A", true) || !tni_linalg_check_dtypes(A, "A", B, "B"))
        return NULL;
    bool vectors = tni_linalg_of_vectors(A, B);
    if (vectors && !left) {
        tni_raise(TN_ERROR_ARGUMENT, "left is false, and B %s is a vector for each matrix: those are solved from the left",
                  tni_show_tensor(B));
        return NULL;
    }
    const tn_tensor *right = vectors ? tn_unsqueeze(B, -1) : left ? B : B->ndim < 2 ? B : tn_mT(B);
    if (!right || !tni_linalg_check_matrix(right, "B", false))
        return NULL;
    tn_list *all = tn__linalg_solve_ex(left ? A : tn_mT(A), right, check_errors);
    if (!all)
        return NULL;
    tn_tensor *x = tn_list_at(all, 0);
    return tn_list_new((const tn_tensor *[]){vectors ? tn_squeeze_dim(x, -1) : left ? x : tn_mT(x), tn_list_at(all, 3)}, 2);
}

tn_list *tni_composite_linalg_solve_ex(const tn_tensor *A, const tn_tensor *B, bool left, bool check_errors) {
    return solve_parts(A, B, left, check_errors);
}

tn_tensor *tni_composite_linalg_solve_ex_out(tn_tensor *result, tn_tensor *info, const tn_tensor *A, const tn_tensor *B,
                                             bool left, bool check_errors) {
    return tni_linalg_put((tn_tensor *[]){result, info}, (const char *[]){"result", "info"}, 2,
                          solve_parts(A, B, left, check_errors));
}

tn_tensor *tni_composite_linalg_solve(const tn_tensor *A, const tn_tensor *B, bool left) {
    return tn_list_at(solve_parts(A, B, left, true), 0);
}

tn_tensor *tni_composite_linalg_solve_out(tn_tensor *out, const tn_tensor *A, const tn_tensor *B, bool left) {
    return tni_result_put(out, tni_composite_linalg_solve(A, B, left), TNI_RESULT_EXACT);
}

/* ---- inverses */

bool tni_plan_linalg_inv_ex(tni_plan *plan, const tn_tensor *A, bool check_errors) {
    (void)check_errors;
    if (!tni_linalg_check_matrix(A, "A", true))
        return false;
    tni_plan_begin(plan, A);
    tni_linalg_add(plan, A, tni_linalg_rows(A), tni_linalg_rows(A), A->dtype);
    tni_linalg_add(plan, A, TN_NONE, TN_NONE, TN_INT32);
    return true;
}

tn_error tni_run_linalg_inv_ex(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *A, bool check_errors) {
    (void)plan;
    int64_t pivots_sizes[TN_MAX_DIMS], n = tni_linalg_rows(A);
    for (int64_t d = 0; d < A->ndim - 1; d++)
        pivots_sizes[d] = A->sizes[d];
    tn_tensor *lu = tni_tensor_new(A->ndim, A->sizes, A->dtype, TN_DEVICE_CPU);
    tn_tensor *pivots = tni_tensor_new(A->ndim - 1, pivots_sizes, TN_INT32, TN_DEVICE_CPU);
    tn_tensor *one = tni_op_eye(n, n, A->dtype);
    tn_error code = lu && pivots && one ? solve_all(results[0], lu, pivots, results[1], A, one, false) : tni_failed();
    tni_tensor_release(one);
    tni_tensor_release(pivots);
    tni_tensor_release(lu);
    return code == TN_OK && check_errors ? tni_linalg_judge(results[1], TNI_LINALG_SINGULAR) : code;
}

tn_tensor *tni_composite_linalg_inv(const tn_tensor *A) { return tn_list_at(tn_linalg_inv_ex(A, true), 0); }

tn_tensor *tni_composite_linalg_inv_out(tn_tensor *out, const tn_tensor *A) {
    return tni_result_put(out, tni_composite_linalg_inv(A), TNI_RESULT_EXACT);
}

static int64_t solve_numel(const int64_t *sizes, int64_t count) {
    int64_t numel = 1;
    for (int64_t d = 0; d < count; d++)
        numel *= sizes[d];
    return numel;
}

tn_tensor *tni_composite_linalg_tensorinv(const tn_tensor *self, int64_t ind) {
    if (ind < 1 || ind > self->ndim) {
        tni_raise(TN_ERROR_ARGUMENT,
                  "ind is %" PRId64 ", and self has %d dimensions: it says after how many of them the others begin", ind,
                  self->ndim);
        return NULL;
    }
    int64_t rows = solve_numel(self->sizes, ind), columns = solve_numel(self->sizes + ind, self->ndim - ind),
            sizes[TN_MAX_DIMS];
    if (rows != columns) {
        tni_raise(TN_ERROR_SHAPE,
                  "the first %" PRId64 " dimensions of self %s have %" PRId64 " elements, the others %" PRId64
                  ": they must be equal",
                  ind, tni_show_tensor(self), rows, columns);
        return NULL;
    }
    for (int64_t d = 0; d < self->ndim; d++)
        sizes[d] = self->sizes[(d + ind) % self->ndim];
    return tn_reshape(tn_linalg_inv(tn_reshape(self, (tn_dims){(int64_t[]){rows, rows}, 2})), (tn_dims){sizes, self->ndim});
}

tn_tensor *tni_composite_linalg_tensorinv_out(tn_tensor *out, const tn_tensor *self, int64_t ind) {
    return tni_result_put(out, tni_composite_linalg_tensorinv(self, ind), TNI_RESULT_EXACT);
}

tn_tensor *tni_composite_linalg_tensorsolve(const tn_tensor *self, const tn_tensor *other, tn_dims dims) {
    const tn_tensor *a = self;
    int64_t last[TN_MAX_DIMS];
    if (dims.count > 0) { /* these go to the end */
        if (dims.count > self->ndim) {
            tni_raise(TN_ERROR_ARGUMENT, "dims has %" PRId64 " dimensions, self only %d", dims.count, self->ndim);
            return NULL;
        }
        for (int64_t i = 0; i < dims.count; i++)
            last[i] = self->ndim - dims.count + i;
        a = tn_movedim(self, dims, (tn_dims){last, dims.count});
    }
    if (!a)
        return NULL;
    int64_t rest = a->ndim - other->ndim;
    int64_t rows = other->numel, columns = rest >= 0 ? solve_numel(a->sizes + other->ndim, rest) : -1;
    if (rest < 0 || rows != columns || a->numel != rows * columns) {
        tni_raise(TN_ERROR_SHAPE,
                  "self %s does not fit other %s: the dimensions after the first %d must have %" PRId64 " elements",
                  tni_show_tensor(a), tni_show_tensor(other), other->ndim, rows);
        return NULL;
    }
    tn_tensor *x = tn_linalg_solve(tn_reshape(a, (tn_dims){(int64_t[]){rows, rows}, 2}),
                                   tn_reshape(other, (tn_dims){(int64_t[]){rows}, 1}), true);
    return tn_reshape(x, (tn_dims){a->sizes + other->ndim, rest});
}

tn_tensor *tni_composite_linalg_tensorsolve_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_dims dims) {
    return tni_result_put(out, tni_composite_linalg_tensorsolve(self, other, dims), TNI_RESULT_EXACT);
}

/* ---- determinants: the product of U's diagonal, and a sign for each exchange */

static bool det_plan(tni_plan *plan, const tn_tensor *A, bool logarithm) {
    if (!tni_linalg_check_matrix(A, "A", true))
        return false;
    tni_plan_begin(plan, A);
    tni_linalg_add(plan, A, TN_NONE, TN_NONE, A->dtype);
    if (logarithm)
        tni_linalg_add(plan, A, TN_NONE, TN_NONE, tn_dtype_to_real(A->dtype));
    tni_linalg_add(plan, A, tni_linalg_rows(A), tni_linalg_rows(A), A->dtype);
    tni_linalg_add(plan, A, tni_linalg_rows(A), TN_NONE, TN_INT32);
    return true;
}

bool tni_plan__linalg_det(tni_plan *plan, const tn_tensor *A) { return det_plan(plan, A, false); }
bool tni_plan__linalg_slogdet(tni_plan *plan, const tn_tensor *A) { return det_plan(plan, A, true); }

/* An element as two doubles, and back. */
static tn_complex128 det_read(const char *at, tn_dtype dtype) {
    switch (dtype) {
    case TN_FLOAT32: return (tn_complex128){(double)*(const float *)at, 0};
    case TN_FLOAT64: return (tn_complex128){*(const double *)at, 0};
    case TN_COMPLEX64: return (tn_complex128){(double)((const float *)at)[0], (double)((const float *)at)[1]};
    default: return *(const tn_complex128 *)at;
    }
}

static void det_write(char *at, tn_dtype dtype, tn_complex128 value) {
    switch (dtype) {
    case TN_FLOAT32: *(float *)at = (float)value.real; break;
    case TN_FLOAT64: *(double *)at = value.real; break;
    case TN_COMPLEX64: *(tn_complex64 *)at = (tn_complex64){(float)value.real, (float)value.imag}; break;
    default: *(tn_complex128 *)at = value; break;
    }
}

/* Of real numbers. Logarithms are of products that are neither too large nor too small. */
static void det_real(const char *lu, tn_dtype dtype, int64_t n, const int32_t *rows, char *value, char *logarithm) {
    const double least = 1e-100, most = 1e100;
    double product = 1, sum = 0, other = 1; /* what a sign is where a number is 0, or none */
    unsigned negative = 0;
    for (int64_t j = 0; j < n; j++) {
        double d = dtype == TN_FLOAT32 ? (double)((const float *)(const void *)lu)[j * (n + 1)]
                                       : ((const double *)(const void *)lu)[j * (n + 1)];
        negative ^= (unsigned)(rows[j] != j + 1);
        if (!logarithm) {
            product *= d;
            continue;
        }
        double size = fabs(d);
        negative ^= (unsigned)(d < 0);
        if (!(size > least && size < most)) {
            sum += log(size);
            other = size > 0 ? other : other * d;
            continue;
        }
        product *= size;
        if (!(product > least && product < most)) {
            sum += log(product);
            product = 1;
        }
    }
    double sign = negative ? -other : other;
    det_write(value, dtype, (tn_complex128){logarithm ? sign : sign * product, 0});
    if (logarithm)
        det_write(logarithm, dtype, (tn_complex128){sum + log(product), 0});
}

static tn_error det_run(tn_tensor *value, tn_tensor *logarithm, tn_tensor *lu, tn_tensor *pivots, const tn_tensor *A) {
    tn_tensor *info = tni_tensor_new(A->ndim - 2, A->sizes, TN_INT32, TN_DEVICE_CPU);
    tn_error code = info ? tni_linalg_factor_lu(lu, pivots, info, A, true) : tni_failed();
    tni_tensor_release(info);
    tni_stack stack = tni_stack_of(lu, NULL);
    tn_dtype dtype = A->dtype, real = tn_dtype_to_real(dtype);
    int64_t n = tni_linalg_rows(A), size = (int64_t)tni_dtype_size(dtype), real_size = (int64_t)tni_dtype_size(real);
    if (code == TN_OK && !tn_dtype_is_complex(dtype)) {
        char *to = tni_tensor_write(value), *logarithms = logarithm ? tni_tensor_write(logarithm) : NULL;
        const int32_t *rows = n ? (const int32_t *)tni_tensor_read(pivots) : NULL;
        for (int64_t i = 0; i < stack.count; i++)
            det_real(stack.data + i * n * n * size, dtype, n, rows ? rows + i * n : NULL, to + i * size,
                     logarithms ? logarithms + i * size : NULL);
        return code;
    }
    for (int64_t i = 0; i < stack.count && code == TN_OK; i++) {
        tn_complex128 product = {1, 0};
        double sum = 0;
        const int32_t *rows = n ? (const int32_t *)tni_tensor_read(pivots) + i * n : NULL;
        for (int64_t j = 0; j < n; j++) {
            tn_complex128 d = det_read(stack.data + (i * n + j) * n * size + j * size, dtype);
            if (logarithm) {
                double length = hypot(d.real, d.imag);
                sum += log(length);
                d = length > 0 ? (tn_complex128){d.real / length, d.imag / length} : (tn_complex128){0, 0};
                if (isnan(length))
                    d = (tn_complex128){NAN, NAN};
            }
            if (rows[j] != j + 1)
                d = (tn_complex128){-d.real, 0 - d.imag}; /* 0 stays 0: the logarithm of -2 - 0i is on the other side */
            product = tn_dtype_is_complex(dtype) ? (tn_complex128){product.real * d.real - product.imag * d.imag,
                                                                   product.real * d.imag + product.imag * d.real}
                                                 : (tn_complex128){product.real * d.real, 0};
        }
        det_write(tni_tensor_write(value) + i * size, dtype, product);
        if (logarithm)
            det_write(tni_tensor_write(logarithm) + i * real_size, real, (tn_complex128){sum, 0});
    }
    return code;
}

tn_error tni_run__linalg_det(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *A) {
    (void)plan;
    return det_run(results[0], NULL, results[1], results[2], A);
}

tn_error tni_run__linalg_slogdet(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *A) {
    (void)plan;
    return det_run(results[0], results[1], results[2], results[3], A);
}

tn_tensor *tni_composite_linalg_det(const tn_tensor *A) { return tn_list_at(tn__linalg_det(A), 0); }

tn_tensor *tni_composite_linalg_det_out(tn_tensor *out, const tn_tensor *A) {
    return tni_result_put(out, tni_composite_linalg_det(A), TNI_RESULT_EXACT);
}

tn_list *tni_composite_linalg_slogdet(const tn_tensor *A) {
    tn_list *all = tn__linalg_slogdet(A);
    return all ? tn_list_new((const tn_tensor *[]){tn_list_at(all, 0), tn_list_at(all, 1)}, 2) : NULL;
}

tn_tensor *tni_composite_linalg_slogdet_out(tn_tensor *sign, tn_tensor *logabsdet, const tn_tensor *A) {
    return tni_linalg_put((tn_tensor *[]){sign, logabsdet}, (const char *[]){"sign", "logabsdet"}, 2,
                          tni_composite_linalg_slogdet(A));
}

/* The logarithm of a negative determinant is not a number, that of a complex one is complex. */
tn_tensor *tni_composite_logdet(const tn_tensor *self) {
    tn_list *all = tn__linalg_slogdet(self);
    return all ? tn_add(tn_log(tn_list_at(all, 0)), tn_list_at(all, 1)) : NULL;
}
