/* factor_lanes.h - factorisations of many small matrices at once: one in each lane of the registers (kernels/matrix_loop.h).
 *
 * Matrices of float32 and float64 with at most TNI_LANES_SIDE rows and columns are done like this whether there is one or a batch, so that
 * the bits of a result do not depend on its neighbours. A group is packed, factored and unpacked by whoever has the memory; lanes without
 * a matrix compute with zeros, and are not looked at.
 */
#ifndef TNI_FACTOR_LANES_H
#define TNI_FACTOR_LANES_H

#include "iterate/factor.h"
#include "iterate/limits.h"

/* The loops for matrices of these sizes, or NULL where they are not done side by side. */
const tni_lanes_loops *tni_lanes_of(const tni_factor *factor, int64_t m, int64_t n);

/* How many matrices a group has. */
static inline int64_t tni_lanes_count(const tni_factor *factor) { return TNI_MATRIX_LANES_BYTES / (int64_t)factor->size; }

/* Bytes of a packed group of (m, n). */
static inline size_t tni_lanes_bytes(int64_t m, int64_t n) { return (size_t)(m * n) * TNI_MATRIX_LANES_BYTES; }

/* `count` matrices (m, n) of equal strides into lanes, and back. */
void tni_lanes_pack(const tni_factor *factor, int64_t m, int64_t n, const tni_matrix *a, int64_t count, void *packed);
void tni_lanes_unpack(const tni_factor *factor, int64_t m, int64_t n, const void *packed, const tni_matrix *a, int64_t count);

/* op(t) x = b of factor.h, for packed t: (n, n) and x: (n, count). */
void tni_lanes_solve(const tni_factor *factor, const tni_lanes_loops *loops, int64_t n, int64_t count, const void *t, void *x,
                     int triangle);

#endif
