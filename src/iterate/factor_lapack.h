/* factor_lapack.h - matrices that a LAPACK factors (tenon/lapack.h), for those who chose one.
 *
 * A call asks tni_lapack_takes, and has the matrix done by what it returns, or does it itself. Matrices that LAPACK cannot read where
 * they are, because they are by rows, are copied by columns and back. All of these return false, raised, where there is no memory.
 */
#ifndef TNI_FACTOR_LAPACK_H
#define TNI_FACTOR_LAPACK_H

#include <tenon/lapack.h>

#include "iterate/factor.h"

/* The provider in use, if it has this for matrices of the dtype whose smaller side is n, else NULL. */
const tn_lapack *tni_lapack_takes(tn_lapack_routine routine, tn_dtype dtype, int64_t n);

/* As tni_factor_cholesky, for a matrix with one stride of 1; and as tni_factor_lu with exchanges. */
bool tni_lapack_cholesky(const tn_lapack *lapack, const tni_factor *factor, int64_t n, tni_matrix a, int64_t *info);
bool tni_lapack_lu(const tn_lapack *lapack, const tni_factor *factor, int64_t m, int64_t n, tni_matrix a, int32_t *pivots,
                   int64_t *info);

/* x: (n, count) -> the solution of op(A) x = b, A = P L U: 'N', 'T' or 'C'. */
bool tni_lapack_solve(const tn_lapack *lapack, const tni_factor *factor, int64_t n, int64_t count, tni_matrix lu,
                      const int32_t *pivots, tni_matrix x, char op);

/* As tni_factor_qr; and c: (m, n) -> the first n columns of Q, of k reflections. */
bool tni_lapack_qr(const tn_lapack *lapack, const tni_factor *factor, int64_t m, int64_t n, tni_matrix a, void *tau);
bool tni_lapack_q(const tn_lapack *lapack, const tni_factor *factor, int64_t m, int64_t n, int64_t k, tni_matrix v,
                  const void *tau, tni_matrix c);

/* As those of eigen.h, of one matrix by columns; `converged` is false where a number is not finite, too. */
bool tni_lapack_eigh(const tn_lapack *lapack, tn_dtype dtype, int64_t n, void *a, void *values, bool vectors, bool upper,
                     bool *converged);
bool tni_lapack_svd(const tn_lapack *lapack, tn_dtype dtype, int64_t m, int64_t n, void *a, void *values, void *left,
                    int64_t left_columns, void *right, bool *converged);
bool tni_lapack_eig(const tn_lapack *lapack, tn_dtype dtype, int64_t n, void *a, void *values, void *vectors, bool *converged);

/* factor_lapack_load.c: finds a library, and tells which of its functions is wrong, if any. */
tn_error tni_lapack_find(const char *name, tn_lapack *lapack, char *why, size_t size);
tn_error tni_lapack_try(const tn_lapack *lapack, char *wrong, size_t size);

#endif
