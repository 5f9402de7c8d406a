/* factor.h - factorisations of one matrix, in place, of float32, float64, complex64 or complex128: L L^H, P L U, Q R, and triangular
 * systems, of which everything else is made.
 *
 * Each is recursive: a half, a matrix product (product.h), the other half; what is left at the end, TNI_FACTOR_BASE columns, is a loop of
 * the kernel table (kernels/factor_loop.h). A matrix has any strides: its transpose is the same data with the strides exchanged, and
 * an upper triangle from its last element on, with negative strides, is a lower one. So there is one function where LAPACK has eight.
 *
 * All return false where a product failed: there was no memory for it, or the call was cancelled; that has been raised, on this thread.
 * `work` is tni_factor_work bytes. The bits depend on the sizes alone.
 *
 * What calls this for batches of tensors is ops/linalg/linalg.h.
 */
#ifndef TNI_FACTOR_H
#define TNI_FACTOR_H

#include "iterate/product.h"
#include "kernels/factor_loop.h"
#include "kernels/table.h"

typedef struct tni_factor {
    tn_dtype dtype;
    int at; /* in the kernel table */
    size_t size;
    const tni_kernel_table *kernels;
} tni_factor;

/* For a dtype that is one of the four. */
void tni_factor_begin(tni_factor *factor, tn_dtype dtype);

/* The part of a matrix that begins at a row and a column; and its transpose. */
static inline tni_matrix tni_factor_part(const tni_factor *factor, tni_matrix a, int64_t row, int64_t column) {
    a.data = (char *)a.data + (row * a.row + column * a.column) * (int64_t)factor->size;
    return a;
}
static inline tni_matrix tni_factor_transposed(tni_matrix a) { return (tni_matrix){a.data, a.column, a.row}; }

/* The (n, n) matrix read backwards in both directions: an upper triangle becomes a lower one. */
static inline tni_matrix tni_factor_reversed(const tni_factor *factor, tni_matrix a, int64_t n) {
    a = tni_factor_part(factor, a, n - 1, n - 1);
    return (tni_matrix){a.data, -a.row, -a.column};
}

/* c = beta c + alpha a b, of (m, k) and (k, n), which may be conjugated; beta 0 or 1. */
enum { TNI_FACTOR_CONJUGATE_A = 1, TNI_FACTOR_CONJUGATE_B = 2 };
bool tni_factor_product(const tni_factor *factor, int64_t m, int64_t n, int64_t k, double alpha, tni_matrix a, tni_matrix b,
                        double beta, tni_matrix c, int conjugate);

/* Bytes for a matrix of m rows (of a wide one: its rows). */
size_t tni_factor_work(const tni_factor *factor, int64_t m);

/* a: (n, n) -> L, in its lower triangle, a = L L^H; what is above is not read, and is written over. info: 0, or which leading minor,
 * counted from 1, is not positive; then the triangle is not finished. */
bool tni_factor_cholesky(const tni_factor *factor, int64_t n, tni_matrix a, int64_t *info);

/* a: (m, n) -> L below the diagonal, where L has ones, and U above, a = P L U; row j was exchanged with row pivots[j], counted from 1,
 * for j = 0, 1, ..., min(m, n) - 1. Without `exchange` they stay, and a pivot may be 0 or small. info: 0, or the first column whose
 * pivot is 0. */
bool tni_factor_lu(const tni_factor *factor, int64_t m, int64_t n, tni_matrix a, int32_t *pivots, bool exchange, void *work,
                   int64_t *info);

/* Rows of b, (any, n), are exchanged as pivots[begin ... end - 1] say, or back again. */
void tni_factor_exchange(const tni_factor *factor, int64_t n, tni_matrix b, const int32_t *pivots, int64_t begin, int64_t end,
                         bool back);

/* b: (n, count) -> x of op(t) x = b, where t: (n, n) is the upper or lower triangle, and op nothing, the transpose or the conjugate
 * transpose. `unit`: the diagonal is not read, and 1. */
enum { TNI_TRIANGLE_UPPER = 1, TNI_TRIANGLE_UNIT = 2, TNI_TRIANGLE_TRANSPOSED = 4, TNI_TRIANGLE_CONJUGATE = 8 };
bool tni_factor_solve(const tni_factor *factor, int64_t n, int64_t count, tni_matrix t, tni_matrix b, int triangle);

/* ---- reflections (factor_reflect.c)
 *
 * a: (m, n) -> R in the upper triangle; below it the vectors of k = min(m, n) reflections, whose first elements are 1 and not stored;
 * tau: k. Q = H1 H2 ... Hk, H = I - tau v v^H. */
bool tni_factor_qr(const tni_factor *factor, int64_t m, int64_t n, tni_matrix a, void *tau, void *work);

/* Bytes of work for the functions of this part, for vectors of m rows and matrices of n columns beside them. */
size_t tni_factor_reflect_work(const tni_factor *factor, int64_t m, int64_t n);

/* c: (m, n) -> Q c, or Q^H c; v: (m, k), tau: k. What is not below the diagonal of v is not read. */
bool tni_factor_apply(const tni_factor *factor, int64_t m, int64_t n, int64_t k, tni_matrix v, const void *tau, tni_matrix c,
                      bool adjoint, void *work);

#endif
