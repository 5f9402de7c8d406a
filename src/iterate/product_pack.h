/* product_pack.h - a piece of a matrix as a panel: what the tiles of kernels/product_tile.h read.
 *
 * A panel has `width` numbers for each step along k: rows of A, or columns of B. Whatever strides and dtype the matrix has, it is read
 * here once, converted and, where asked, conjugated. What a panel is wider than the matrix is filled with zeros.
 */
#ifndef TNI_PRODUCT_PACK_H
#define TNI_PRODUCT_PACK_H

#include "iterate/product.h"
#include "kernels/product_tile.h"

typedef struct tni_panel_source {
    const char *at;        /* its first number                                           */
    int64_t across, along; /* bytes to the next one of the width, and to the next of k */
    tn_dtype dtype;
    bool conjugate;
} tni_panel_source;

/* The kind of tiles that a product is made with. */
tni_tile_kind tni_product_kind(const tni_product *product);

/* Bytes of one number of a panel: a pair of complex parts, or of 16-bit integers, is one. And steps along k that a panel has for
 * `depth` of the matrix: half of them where two are a pair. */
size_t tni_panel_item(tni_tile_kind kind);
static inline int64_t tni_panel_steps(tni_tile_kind kind, int64_t depth) {
    return kind == TNI_TILE_INT8 ? (depth + 1) / 2 : depth;
}

/* What a tile's steps count: two for a complex number. */
static inline int64_t tni_panel_unit(tni_tile_kind kind) {
    return kind == TNI_TILE_COMPLEX64 || kind == TNI_TILE_COMPLEX128 ? 2 : 1;
}

/* For panels that are put together from several matrices, of every kind but INT8: a rectangle of `count` across and `depth` along, whose
 * first number goes to `panel`; and what is left when all are there: zeros beyond `count` of the width, parts of complex numbers. */
void tni_panel_part(tni_tile_kind kind, void *panel, int64_t width, const tni_panel_source *source, int64_t count,
                    int64_t depth);
void tni_panel_complete(tni_tile_kind kind, bool second, bool conjugate, void *panel, int64_t width, int64_t count,
                        int64_t depth);

/* Writes tni_panel_steps(kind, depth) * width numbers, of which `count` of the width come from the matrix. `second`: the panel is one
 * of B, where parts of complex numbers are apart. */
void tni_panel_pack(tni_tile_kind kind, bool second, void *panel, int64_t width, const tni_panel_source *source, int64_t count,
                    int64_t depth);

/* `count` rows or columns as panels of `width` that follow each other; one that is not full is `last` wide. */
void tni_panels_pack(tni_tile_kind kind, bool second, char *panels, int64_t width, int64_t last, const tni_panel_source *source,
                     int64_t count, int64_t depth);

#endif
