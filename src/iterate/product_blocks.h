/* product_blocks.h - one product of two matrices, in blocks that fit the caches; see product_blocks.c. */
#ifndef TNI_PRODUCT_BLOCKS_H
#define TNI_PRODUCT_BLOCKS_H

#include "iterate/product_finish.h"
#include "iterate/product_pack.h"
#include "iterate/product_packed.h"

typedef struct tni_blocks {
    const tni_product *product;
    const tni_finish *finish; /* NULL: sums are left as they are                                */
    const tni_tiles *tiles;
    tni_tile_kind kind;
    bool a_there;             /* tiles read A where it is */
    const tni_packed *packed; /* B, packed beforehand, or NULL */
    bool in_c;                /* C holds the sums until they are finished                       */
    int64_t rows, columns;    /* of A and of B that are packed at a time                        */
    int64_t depth;            /* of k                                                           */
    int64_t task_rows, task_columns;
    int64_t chunk;                  /* columns of B that stay in the second-level cache */
    size_t a_bytes, b_bytes, bytes; /* of packed A, packed B, and with sums beside them all   */
} tni_blocks;

/* Decide how a product is cut; from its sizes and the sizes of the caches alone. */
void tni_blocks_begin(tni_blocks *blocks, const tni_product *product, const tni_finish *finish);

/* Compute one batch with `memory`, blocks->bytes of it aligned to 64. On several threads, or inside of a loop of tasks on one. False
 * when the call was cancelled. */
bool tni_blocks_run(const tni_blocks *blocks, int64_t batch, char *memory);

#endif
