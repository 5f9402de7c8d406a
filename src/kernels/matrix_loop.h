/* matrix_loop.h - the inner loops of eigenvalues and singular values.
 *
 * Matrices are by columns, `ld` elements from one to the next, of float32, float64, complex64 or complex128. `H` is the conjugate
 * transpose. Sums are formed in one order, so bits depend on the numbers alone; none of these fails.
 */
#ifndef TNI_MATRIX_LOOP_H
#define TNI_MATRIX_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/* A sweep of plane rotations: of columns first and first + by, then first + by and first + 2 by, `count` of them. Each pair of columns
 * x, y becomes c x + s y, c y - s x. */
typedef struct tni_sweep {
    int64_t first, by, count;
    const double *turns; /* c and s of each */
} tni_sweep;

enum { TNI_ROTATE_ROOM = 128 };

/* Of small matrices one is in each lane, TNI_MATRIX_LANES_BYTES of numbers side by side; of complex ones the imaginary parts follow. A rotation
 * is (c, re, im) of all lanes: with w = re + i im, x and y become c x - conj(w) y, w x + c y. */
enum { TNI_MATRIX_LANES_BYTES = 64 };

/* Factorisations of small real matrices, one in each lane: element (i, j) of (m, n) is at (i * n + j) times the lanes. What a lane computes does
 * not depend on the others. pivots: an element for each row, counted from 1, of the dtype of the matrices; info: one for each lane. */
enum { TNI_LANES_MOST = TNI_MATRIX_LANES_BYTES / 4 };
typedef struct tni_lanes_loops {
    /* The lower triangle, where element (i, j) is i * row + j * column elements on, becomes L; above it there are zeros then. info: 0, or
     * which leading minor is not positive; such a lane is of no use. */
    void (*cholesky)(int64_t n, void *a, int64_t row, int64_t column, int32_t *info);
    /* As factor_lu of factor_loop.h. */
    void (*lu)(int64_t m, int64_t n, void *a, void *pivots, bool exchange, int32_t *info);
    /* Row j of m, which are `row` elements apart, is exchanged with the row of each lane's pivot, which is not above: `count` elements. */
    void (*exchange)(int64_t m, void *a, int64_t row, int64_t count, int64_t j, const void *pivots);
    /* x: (n, count), rows x_row apart -> the solution of t x = b; t: the lower triangle, of any steps. */
    void (*solve)(int64_t n, int64_t count, const void *t, int64_t row, int64_t column, void *x, int64_t x_row, bool unit);
    /* As factor_reflect of factor_loop.h; `sums` has room for n elements. */
    void (*qr)(int64_t m, int64_t n, void *a, void *tau, void *sums);
    /* c: (m, n) -> Q c, or Q^T c, of k reflections in the columns of v, whose rows are v_row apart; `identity`: c is one. */
    void (*apply)(int64_t m, int64_t n, int64_t k, const void *v, int64_t v_row, const void *tau, void *c, bool adjoint,
                  bool identity, void *sums);
} tni_lanes_loops;

typedef struct tni_matrix_loops {
    /* y (m) += sign A x: A (m, n), x n elements, `step` apart, conjugated where asked. */
    void (*add)(void *y, const void *a, int64_t ld, const void *x, int64_t step, int64_t m, int64_t n, double sign,
                bool conjugate);
    /* y (n) += sign A^H x: A (m, n), x m elements. */
    void (*dots)(void *y, const void *a, int64_t ld, const void *x, int64_t m, int64_t n, double sign);
    /* The rotations of all sweeps, in order, of the first `columns` columns of a matrix of `rows` rows; room: TNI_ROTATE_ROOM bytes for each. */
    void (*rotate)(void *a, int64_t ld, int64_t rows, int64_t columns, void *room, const tni_sweep *sweeps, int64_t count);
    /* Of matrices in lanes: rotates `count` pairs of elements, which are steps apart. A side that is stored conjugated has sign -1. */
    void (*turn)(void *x, int64_t x_step, void *y, int64_t y_step, int64_t count, const void *rotation, double x_sign,
                 double y_sign);
    /* The rotation that makes pq 0, in lanes where its size is above `least` and above `part` times the root of |pp qq|: pp, qq and pq
     * become what they are then. In other lanes it is c = 1, w = 0, which changes no bit. Whether any lane is turned. */
    bool (*find)(void *pp, void *qq, void *pq, void *rotation, double part, double least);
    /* x^H x, y^H y and x^H y (two parts): m elements each. */
    void (*gram)(const void *x, const void *y, int64_t m, void *sums);
    const tni_lanes_loops *lanes; /* NULL for complex numbers */
} tni_matrix_loops;

typedef const tni_matrix_loops *tni_matrix_loops_of;

#endif
