/* eigen.h - eigenvalues and singular values of batches of matrices, with their vectors.
 *
 * Matrices are by columns and next to each other, of float32, float64, complex64 or complex128, all finite. `failed` is the first
 * matrix whose iteration did not end, or -1; what was written for it is not to be used. All of these fail, before anything is written
 * but A, for lack of memory, and when the call is cancelled.
 *
 * eigh: reflections to a real tridiagonal matrix, implicit QR with Wilkinson's shift (Parlett 1980). svd: to a bidiagonal one, implicit QR
 * without a shift where that is more accurate (Demmel and Kahan 1990). The rotations of several sweeps are kept and applied
 * to the vectors together, strip by strip (Van Zee, Van de Geijn, Quintana-Orti 2014). Small matrices of both are done by Jacobi's method, one in
 * each lane of the registers. eig: balanced, to Hessenberg form, implicit double-shift QR (Francis 1961; with complex numbers
 * a single one), the vectors by substitution.
 */
#ifndef TNI_EIGEN_H
#define TNI_EIGEN_H

#include "base/common.h"
#include "base/error.h"
#include "tensor/dtype.h"

/* a: (batch, n, n), of which the lower or the upper triangle is read; becomes the vectors, where they are wanted, else is
 * destroyed. values: (batch, n) of the real dtype, ascending. */
tn_error tni_eigh(tn_dtype dtype, int64_t n, int64_t batch, void *a, void *values, bool vectors, bool upper, int64_t *failed);

/* a: (batch, m, n) with m of at least n, destroyed. values: (batch, n), descending. left: (batch, m, left_columns), left_columns being n or
 * m; right: (batch, n, n): A = left diag(values) right^H. Both or none are given. */
tn_error tni_svd(tn_dtype dtype, int64_t m, int64_t n, int64_t batch, void *a, void *values, void *left, int64_t left_columns,
                 void *right, int64_t *failed);

/* a: (batch, n, n) of float64 or complex128, destroyed. values: (batch, n) of complex128. vectors: (batch, n, n) of complex128 or
 * NULL, each of length 1, its largest number real; of a real matrix, those of conjugate values are conjugate. */
tn_error tni_eig(tn_dtype dtype, int64_t n, int64_t batch, void *a, void *values, void *vectors, int64_t *failed);

/* ---- between the files eigen*.c */

/* Matrices begin to end of a batch of small ones; those of eigen_jacobi.c fit into the lanes of one register. */
typedef struct tni_eigen_small {
    tn_dtype dtype;
    int64_t m, n, left_columns;
    char *a, *values, *left, *right;
    bool upper;
} tni_eigen_small;
int64_t tni_jacobi_lanes(tn_dtype dtype);
size_t tni_jacobi_room(int64_t m, int64_t n);
/* Whether all of them converged. right is NULL where eigh should not give vectors, else a. */
bool tni_jacobi_eigh(const tni_eigen_small *call, int64_t begin, int64_t end, char *room, int64_t *failed);
bool tni_jacobi_svd(const tni_eigen_small *call, int64_t begin, int64_t end, char *room, int64_t *failed);

#endif
