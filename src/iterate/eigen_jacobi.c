/* eigen_jacobi.c - eigenvalues and singular values of small matrices, one in each lane of the registers.
 *
 * eigh: cyclic Jacobi on the upper triangle (Golub and Van Loan, section 8.5). svd: one-sided Jacobi on the columns (Hestenes 1958), which
 * finds small singular values to high relative accuracy. A lane that needs no rotation is turned by none, which changes no bit of it: so a
 * result does not depend on the matrices beside it.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "iterate/eigen.h"
#include "iterate/limits.h"
#include "kernels/matrix_loop.h"
#include "kernels/table.h"

enum { JACOBI_SWEEPS = 40, JACOBI_NOT_FINITE = 1 << 20 }; /* ten are enough for any matrix that was tried */

#define JACOBI(name) jacobi_##name##_float32
#define JACOBI_R float
#define JACOBI_PARTS 1
#define JACOBI_EPS ((double)FLT_EPSILON)
#define JACOBI_FLOOR (FLT_MIN / FLT_EPSILON)
#define JACOBI_LEAST (-125)
#include "iterate/eigen_jacobi.inc"
#define JACOBI(name) jacobi_##name##_float64
#define JACOBI_R double
#define JACOBI_PARTS 1
#define JACOBI_EPS DBL_EPSILON
#define JACOBI_FLOOR (DBL_MIN / DBL_EPSILON)
#define JACOBI_LEAST (-1021)
#include "iterate/eigen_jacobi.inc"
#define JACOBI(name) jacobi_##name##_complex64
#define JACOBI_R float
#define JACOBI_PARTS 2
#define JACOBI_EPS ((double)FLT_EPSILON)
#define JACOBI_FLOOR (FLT_MIN / FLT_EPSILON)
#define JACOBI_LEAST (-125)
#include "iterate/eigen_jacobi.inc"
#define JACOBI(name) jacobi_##name##_complex128
#define JACOBI_R double
#define JACOBI_PARTS 2
#define JACOBI_EPS DBL_EPSILON
#define JACOBI_FLOOR (DBL_MIN / DBL_EPSILON)
#define JACOBI_LEAST (-1021)
#include "iterate/eigen_jacobi.inc"

typedef bool (*jacobi_function)(const tni_matrix_loops *loops, const tni_eigen_small *call, int64_t begin, int64_t end,
                                char *room, int64_t *failed);

static int jacobi_kind(tn_dtype dtype) {
    return dtype == TN_FLOAT32 ? 0 : dtype == TN_FLOAT64 ? 1 : dtype == TN_COMPLEX64 ? 2 : 3;
}

int64_t tni_jacobi_lanes(tn_dtype dtype) { return TNI_MATRIX_LANES_BYTES / (jacobi_kind(dtype) % 2 ? 8 : 4); }

/* The matrix, V and the values, of numbers of two parts at most. */
size_t tni_jacobi_room(int64_t m, int64_t n) { return (size_t)(2 * (m * n + n * n) + n) * TNI_MATRIX_LANES_BYTES; }

bool tni_jacobi_eigh(const tni_eigen_small *call, int64_t begin, int64_t end, char *room, int64_t *failed) {
    static const jacobi_function functions[4] = {jacobi_eigh_float32, jacobi_eigh_float64, jacobi_eigh_complex64,
                                                 jacobi_eigh_complex128};
    int kind = jacobi_kind(call->dtype);
    return functions[kind](tni_kernels()->matrix[kind], call, begin, end, room, failed);
}

bool tni_jacobi_svd(const tni_eigen_small *call, int64_t begin, int64_t end, char *room, int64_t *failed) {
    static const jacobi_function functions[4] = {jacobi_svd_float32, jacobi_svd_float64, jacobi_svd_complex64,
                                                 jacobi_svd_complex128};
    int kind = jacobi_kind(call->dtype);
    return functions[kind](tni_kernels()->matrix[kind], call, begin, end, room, failed);
}
