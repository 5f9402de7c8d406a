/* product_weights.h - a matrix that many products share, packed once: the weights of a recurrent layer, which every step needs.
 *
 *     tni_weights weights;
 *     if (tni_weights_begin(&weights, k, n, most_rows, dtype))
 *         tni_weights_fill(&weights, memory, b, row, column);
 *     tni_weights_run(&weights, m, a, a_row, c);
 *
 * A is (m, k) and C is (m, n), both of the dtype of the sums, columns next to each other; C has `pitch` numbers from a row to the
 * next. Each sum is made as product_blocks.c makes it, so a row has the same bits whatever rows are computed beside it. Where only a few
 * rows are multiplied at a time packing does not pay: then `bytes` is 0, B is read where it is, and product.c chooses.
 */
#ifndef TNI_PRODUCT_WEIGHTS_H
#define TNI_PRODUCT_WEIGHTS_H

#include "iterate/product_packed.h"

typedef struct tni_weights {
    tni_packed packed; /* B, and its panels if there are any                      */
    int64_t pitch;     /* of C: n, or more, so that the last tile is a whole one  */
    size_t bytes;      /* of panels; 0: there are none, and B is read             */
} tni_weights;

/* Decides how products of up to `most_rows` rows with a (k, n) matrix of float32 or float64 are computed. False, raised, in a build
 * without products. */
bool tni_weights_begin(tni_weights *weights, int64_t k, int64_t n, int64_t most_rows, tn_dtype dtype);

/* Packs B, whose strides are in elements, into `memory`: weights->bytes of it, aligned to 64. False when the call was cancelled. */
bool tni_weights_fill(tni_weights *weights, char *memory, const void *b, int64_t row, int64_t column);

/* C = A B. With panels it works on the calling thread and cannot fail; without them, see tni_product_run. */
tn_error tni_weights_run(const tni_weights *weights, int64_t m, const void *a, int64_t a_row, void *c);

#endif
