/* factor_loop.h - the inner loops of factorisations: what is left when everything else has become matrix products (iterate/factor.h).
 *
 * A matrix is anywhere in memory, with any strides. A loop packs what it works on, so that its vectors are neighbours, and writes it back.
 */
#ifndef TNI_FACTOR_LOOP_H
#define TNI_FACTOR_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

/* Strides are in elements. */
typedef struct tni_matrix {
    void *data;
    int64_t row, column;
} tni_matrix;

enum {
    TNI_FACTOR_BASE =
        TNI_LIMIT(16, 4), /* rows and columns of a triangle, and columns of a panel, that the loops take at most      */
    TNI_FACTOR_WIDTH =
        TNI_LIMIT(32, 4), /* right-hand sides that are solved side by side                                             */
    TNI_FACTOR_PAD = 8    /* elements between the columns of a packed panel, so that they do not share a place in the cache */
};

/* The loops are for float32, float64, complex64 and complex128, in this order. */
enum { TNI_FACTOR_DTYPES = 4 };

/* a: (n, n) -> L in its lower triangle, a = L L^H; what is above is neither read nor written. 0, or which leading minor, counted from 1,
 * is not positive: then nothing is written. */
typedef int64_t (*tni_factor_cholesky_function)(int64_t n, const tni_matrix *a);

/* a: (m, n) -> L and U, rows exchanged; pivots[j], counted from 1, is the row that j was exchanged with. Without `exchange` rows stay.
 * work: n * (m + TNI_FACTOR_PAD) elements. 0, or the first column, counted from 1, whose pivot is 0. */
typedef int64_t (*tni_factor_lu_function)(int64_t m, int64_t n, const tni_matrix *a, int32_t *pivots, void *work,
                                          bool exchange);

/* b: (n, count) -> the solution x of t x = b; t: (n, n), of which the lower triangle is read, conjugated where asked for; its diagonal is
 * 1 where `unit`. */
typedef void (*tni_factor_solve_function)(int64_t n, int64_t count, const tni_matrix *t, const tni_matrix *b, bool unit,
                                          bool conjugate);

/* a: (m, n) -> R in its upper triangle, below it the vectors of n reflections (the first element of each is 1 and not stored), and tau.
 * Q = (I - tau[0] v0 v0^H) (I - tau[1] v1 v1^H) ...; work: as for lu. */
typedef void (*tni_factor_reflect_function)(int64_t m, int64_t n, const tni_matrix *a, void *tau, void *work);

/* The triangle t: (n, n), all of it written, with which n reflections are one: Q = I - V t V^H. gram: V^H V, (n, n), of which what is
 * above the diagonal is read. */
typedef void (*tni_factor_join_function)(int64_t n, const void *gram, const void *tau, void *t);

#endif
