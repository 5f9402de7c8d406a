/* product_packed.c - see product_packed.h. Panels lie as product_blocks.c packs them: for each piece of k, all columns, each panel as
 * wide as the widest tile; of the last one less may be used. */
#include "iterate/product_packed.h"

#include "base/parallel.h"
#include "base/thread.h"
#include "iterate/limits.h"
#include "iterate/product_pack.h"
#include "kernels/table.h"

void tni_packed_begin(tni_packed *packed, int64_t k, int64_t n, int64_t row, int64_t column, tn_dtype dtype) {
    tni_product product = {.compute = tni_product_compute(dtype)};
    product.a.dtype = product.b.dtype = dtype;
    *packed = (tni_packed){.k = k, .n = n, .row = row, .column = column, .dtype = dtype, .kind = tni_product_kind(&product)};
    packed->tiles = tni_kernels()->tiles[packed->kind];
}

static int64_t packed_panels(const tni_packed *packed) {
    return (packed->n + packed->tiles->columns - 1) / packed->tiles->columns;
}

/* Bytes of one panel of a piece of this depth. */
static int64_t packed_panel(const tni_packed *packed, int64_t depth) {
    return packed->tiles->columns * tni_panel_steps(packed->kind, depth) * (int64_t)tni_panel_item(packed->kind);
}

size_t tni_packed_bytes(const tni_packed *packed) {
    int64_t whole = packed->k / PRODUCT_DEPTH, rest = packed->k % PRODUCT_DEPTH;
    return (size_t)(packed_panels(packed) * (whole * packed_panel(packed, PRODUCT_DEPTH) + packed_panel(packed, rest)));
}

char *tni_packed_at(const tni_packed *packed, int64_t from, int64_t column) {
    int64_t depth = tni_min_i64(PRODUCT_DEPTH, packed->k - from);
    return packed->panels + packed_panels(packed) * (from / PRODUCT_DEPTH) * packed_panel(packed, PRODUCT_DEPTH) +
           column / packed->tiles->columns * packed_panel(packed, depth);
}

/* Panels are numbered piece by piece. */
static void packed_fill(void *argument, int64_t begin, int64_t end) {
    const tni_packed *packed = argument;
    const tni_tiles *tiles = packed->tiles;
    int64_t item = (int64_t)tni_dtype_size(packed->dtype), panels = packed_panels(packed);
    for (int64_t i = begin; i < end; i++) {
        int64_t from = i / panels * PRODUCT_DEPTH, column = i % panels * tiles->columns;
        int64_t left = tni_min_i64(tiles->columns, packed->n - column);
        const char *at = (const char *)packed->data + (from * packed->row + column * packed->column) * item;
        tni_panel_source source = {at, packed->column * item, packed->row * item, packed->dtype, false};
        tni_panel_pack(packed->kind, true, tni_packed_at(packed, from, column),
                       left <= tiles->narrow ? tiles->narrow : tiles->columns, &source, left,
                       tni_min_i64(PRODUCT_DEPTH, packed->k - from));
    }
}

bool tni_packed_fill(const tni_packed *packed) {
    int64_t pieces = (packed->k + PRODUCT_DEPTH - 1) / PRODUCT_DEPTH;
    int64_t size = packed->tiles->columns * tni_min_i64(PRODUCT_DEPTH, tni_max_i64(packed->k, 1));
    return tni_parallel_for(pieces * packed_panels(packed), size < PRODUCT_PACK ? PRODUCT_PACK / size : 1, packed_fill,
                            (void *)(uintptr_t)packed);
}

const tni_packed *tni_packed_offer(const tni_packed *packed) {
    void **slot = &tni_thread_get()->slots[TNI_SLOT_PACKED];
    const tni_packed *before = *slot;
    *slot = (void *)(uintptr_t)packed;
    return before;
}

const tni_packed *tni_packed_find(const tni_product *product, tni_tile_kind kind) {
    const tni_packed *packed = tni_thread_get()->slots[TNI_SLOT_PACKED];
    const tni_product_operand *b = &product->b;
    if (TNI_LIKELY(!packed) || packed->data != b->data || packed->k != product->k || packed->n != product->n ||
        packed->dtype != b->dtype || b->conjugate || packed->kind != kind || packed->tiles != tni_kernels()->tiles[kind] ||
        (product->k > 1 && packed->row != b->row) || (product->n > 1 && packed->column != b->column))
        return NULL;
    for (int64_t d = 0; d < product->batch_ndim; d++)
        if (b->batch && b->batch[d] != 0)
            return NULL;
    return packed;
}
