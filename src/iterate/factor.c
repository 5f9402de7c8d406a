/* factor.c - see factor.h. Cholesky, LU with partial pivoting (Toledo's recursion), triangular systems. */
#include "iterate/factor.h"

#include <string.h>

#include "iterate/factor_lapack.h"
#include "iterate/limits.h"

void tni_factor_begin(tni_factor *factor, tn_dtype dtype) {
    *factor = (tni_factor){.dtype = dtype,
                           .at = dtype == TN_FLOAT32     ? 0
                                 : dtype == TN_FLOAT64   ? 1
                                 : dtype == TN_COMPLEX64 ? 2
                                                         : 3,
                           .size = tni_dtype_size(dtype),
                           .kernels = tni_kernels()};
}

static tni_product_operand factor_operand(const tni_factor *factor, tni_matrix a, bool conjugate) {
    return (tni_product_operand){
        .data = a.data, .row = a.row, .column = a.column, .dtype = factor->dtype, .conjugate = conjugate};
}

bool tni_factor_product(const tni_factor *factor, int64_t m, int64_t n, int64_t k, double alpha, tni_matrix a, tni_matrix b,
                        double beta, tni_matrix c, int conjugate) {
    tni_product product;
    if (m == 0 || n == 0)
        return true;
    tni_product_begin(&product, m, n, k);
    product.compute = factor->dtype;
    product.a = factor_operand(factor, a, conjugate & TNI_FACTOR_CONJUGATE_A && factor->at >= 2);
    product.b = factor_operand(factor, b, conjugate & TNI_FACTOR_CONJUGATE_B && factor->at >= 2);
    product.c = factor_operand(factor, c, false);
    product.alpha = (tn_job_number){alpha, (int64_t)alpha, {alpha, 0}};
    if (beta != 0) {
        product.d = product.c;
        product.beta = TNI_PRODUCT_ONE;
    }
    return tni_product_run(&product) == TN_OK;
}

size_t tni_factor_work(const tni_factor *factor, int64_t m) {
    return TNI_FACTOR_BASE * (size_t)(m + TNI_FACTOR_PAD) * factor->size;
}

/* Where to cut n: about the middle, a multiple of the base. */
static int64_t factor_half(int64_t n) {
    int64_t half = (n / 2 + TNI_FACTOR_BASE - 1) / TNI_FACTOR_BASE * TNI_FACTOR_BASE;
    return half < n ? half : n - n / 2;
}

/* ---- triangles */

/* t: lower. */
static bool factor_solve_lower(const tni_factor *factor, int64_t n, int64_t count, tni_matrix t, tni_matrix b, bool unit,
                               bool conjugate) {
    if (n <= TNI_FACTOR_BASE) {
        factor->kernels->factor_solve[factor->at](n, count, &t, &b, unit, conjugate);
        return true;
    }
    int64_t half = factor_half(n);
    tni_matrix rest = tni_factor_part(factor, b, half, 0);
    return factor_solve_lower(factor, half, count, t, b, unit, conjugate) &&
           tni_factor_product(factor, n - half, count, half, -1, tni_factor_part(factor, t, half, 0), b, 1, rest,
                              conjugate ? TNI_FACTOR_CONJUGATE_A : 0) &&
           factor_solve_lower(factor, n - half, count, tni_factor_part(factor, t, half, half), rest, unit, conjugate);
}

bool tni_factor_solve(const tni_factor *factor, int64_t n, int64_t count, tni_matrix t, tni_matrix b, int triangle) {
    if (n == 0 || count == 0)
        return true;
    bool upper = (triangle & TNI_TRIANGLE_UPPER) != 0;
    if (triangle & TNI_TRIANGLE_TRANSPOSED) {
        t = tni_factor_transposed(t);
        upper = !upper;
    }
    if (upper) {
        t = tni_factor_reversed(factor, t, n);
        b = tni_factor_part(factor, b, n - 1, 0);
        b.row = -b.row;
    }
    return factor_solve_lower(factor, n, count, t, b, triangle & TNI_TRIANGLE_UNIT, triangle & TNI_TRIANGLE_CONJUGATE);
}

/* ---- Cholesky */

/* The lower triangle of c -= a a^H, and as much of the rest as blocks take with them. c: (n, n), a: (n, k). */
static bool factor_subtract_square(const tni_factor *factor, int64_t n, int64_t k, tni_matrix a, tni_matrix c) {
    if (n <= FACTOR_SQUARE)
        return tni_factor_product(factor, n, n, k, -1, a, tni_factor_transposed(a), 1, c, TNI_FACTOR_CONJUGATE_B);
    int64_t half = factor_half(n);
    tni_matrix low = tni_factor_part(factor, a, half, 0);
    return factor_subtract_square(factor, half, k, a, c) &&
           tni_factor_product(factor, n - half, half, k, -1, low, tni_factor_transposed(a), 1,
                              tni_factor_part(factor, c, half, 0), TNI_FACTOR_CONJUGATE_B) &&
           factor_subtract_square(factor, n - half, k, low, tni_factor_part(factor, c, half, half));
}

static bool factor_cholesky(const tni_factor *factor, int64_t n, tni_matrix a, int64_t *info) {
    if (n <= TNI_FACTOR_BASE) {
        *info = factor->kernels->factor_cholesky[factor->at](n, &a);
        return true;
    }
    int64_t half = factor_half(n);
    if (!factor_cholesky(factor, half, a, info))
        return false;
    if (*info)
        return true;
    /* x L^H = below: conj(L) x^T = below^T */
    tni_matrix below = tni_factor_part(factor, a, half, 0), rest = tni_factor_part(factor, a, half, half);
    if (!factor_solve_lower(factor, half, n - half, a, tni_factor_transposed(below), false, true) ||
        !factor_subtract_square(factor, n - half, half, below, rest) || !factor_cholesky(factor, n - half, rest, info))
        return false;
    *info += *info ? half : 0;
    return true;
}

bool tni_factor_cholesky(const tni_factor *factor, int64_t n, tni_matrix a, int64_t *info) {
    const tn_lapack *lapack = tni_lapack_takes(TN_LAPACK_POTRF, factor->dtype, n);
    if (TNI_UNLIKELY(lapack) && ((a.column == 1 && a.row >= n) || (a.row == 1 && a.column >= n)))
        return tni_lapack_cholesky(lapack, factor, n, a, info);
    return factor_cholesky(factor, n, a, info);
}

/* ---- LU */

void tni_factor_exchange(const tni_factor *factor, int64_t n, tni_matrix b, const int32_t *pivots, int64_t begin, int64_t end,
                         bool back) {
    size_t size = factor->size;
    char *data = b.data;
    for (int64_t step = 0; step < end - begin; step++) {
        int64_t i = back ? end - 1 - step : begin + step, j = pivots[i] - 1;
        if (i == j)
            continue;
        char *x = data + i * b.row * (int64_t)size, *y = data + j * b.row * (int64_t)size;
        char piece[1024];
        if (b.column == 1)
            for (size_t at = 0, bytes = (size_t)n * size; at < bytes; at += sizeof piece) {
                size_t part = bytes - at < sizeof piece ? bytes - at : sizeof piece;
                memcpy(piece, x + at, part);
                memcpy(x + at, y + at, part);
                memcpy(y + at, piece, part);
            }
        else
            for (int64_t c = 0; c < n; c++, x += b.column * (int64_t)size, y += b.column * (int64_t)size) {
                memcpy(piece, x, size);
                memcpy(x, y, size);
                memcpy(y, piece, size);
            }
    }
}

static bool factor_lu(const tni_factor *factor, int64_t m, int64_t n, tni_matrix a, int32_t *pivots, bool exchange, void *work,
                      int64_t *info) {
    if (n <= TNI_FACTOR_BASE) {
        *info = factor->kernels->factor_lu[factor->at](m, n, &a, pivots, work, exchange);
        return true;
    }
    int64_t half = factor_half(n);
    tni_matrix right = tni_factor_part(factor, a, 0, half), below = tni_factor_part(factor, a, half, 0);
    tni_matrix rest = tni_factor_part(factor, a, half, half);
    int64_t later = 0;
    if (!factor_lu(factor, m, half, a, pivots, exchange, work, info))
        return false;
    if (exchange)
        tni_factor_exchange(factor, n - half, right, pivots, 0, half, false);
    if (!factor_solve_lower(factor, half, n - half, a, right, true, false) ||
        !tni_factor_product(factor, m - half, n - half, half, -1, below, right, 1, rest, 0) ||
        !factor_lu(factor, m - half, n - half, rest, pivots + half, exchange, work, &later))
        return false;
    if (exchange)
        tni_factor_exchange(factor, half, below, pivots + half, 0, n - half, false);
    for (int64_t j = half; j < n; j++)
        pivots[j] += (int32_t)half;
    if (!*info && later)
        *info = later + half;
    return true;
}

/* A wide matrix: its first m columns, then U beside them. */
bool tni_factor_lu(const tni_factor *factor, int64_t m, int64_t n, tni_matrix a, int32_t *pivots, bool exchange, void *work,
                   int64_t *info) {
    *info = 0;
    if (m == 0 || n == 0)
        return true;
    const tn_lapack *lapack = tni_lapack_takes(TN_LAPACK_GETRF, factor->dtype, tni_min_i64(m, n));
    if (TNI_UNLIKELY(lapack) && exchange)
        return tni_lapack_lu(lapack, factor, m, n, a, pivots, info);
    if (!factor_lu(factor, m, m < n ? m : n, a, pivots, exchange, work, info))
        return false;
    if (m >= n)
        return true;
    tni_matrix right = tni_factor_part(factor, a, 0, m);
    if (exchange)
        tni_factor_exchange(factor, n - m, right, pivots, 0, m, false);
    return factor_solve_lower(factor, m, n - m, a, right, true, false);
}
