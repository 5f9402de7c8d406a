/* product_packed.h - a matrix that was packed before the product that it is a factor of: all panels of all pieces of k.
 *
 * Whoever has one says so for its thread while it calls an operator (tni_packed_offer), and product_blocks.c, which would pack B, asks
 * whether this is B (tni_packed_find): the same address, strides, sizes and dtype, for the same tiles. So operators, checks and
 * the way down stay as they are, and a product that goes another way (a few rows, small sizes, C by columns) reads the
 * matrix itself. The panels are those that would be packed, and so are the bits.
 */
#ifndef TNI_PRODUCT_PACKED_H
#define TNI_PRODUCT_PACKED_H

#include "iterate/product.h"
#include "kernels/product_tile.h"

typedef struct tni_packed {
    const void *data; /* B: (k, n) */
    int64_t k, n, row, column;
    tn_dtype dtype;
    tni_tile_kind kind;
    const tni_tiles *tiles;
    char *panels; /* aligned to 64 */
} tni_packed;

/* Of a matrix that is multiplied with others of its dtype: the kind of tiles, and how many bytes its panels need. data and panels are
 * set by the caller. */
void tni_packed_begin(tni_packed *packed, int64_t k, int64_t n, int64_t row, int64_t column, tn_dtype dtype);
size_t tni_packed_bytes(const tni_packed *packed);

/* Writes the panels. False when the call was cancelled. */
bool tni_packed_fill(const tni_packed *packed);

/* Say that this is packed, or NULL, on the calling thread; gives what was said before, which is to be said again afterwards. */
const tni_packed *tni_packed_offer(const tni_packed *packed);

/* The panels of B of a product that is made with these tiles, or NULL; and those of one column (the first of a panel) and piece of k. */
const tni_packed *tni_packed_find(const tni_product *product, tni_tile_kind kind);
char *tni_packed_at(const tni_packed *packed, int64_t from, int64_t column);

#endif
