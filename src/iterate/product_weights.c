/* product_weights.c - see product_weights.h. Panels are in the order in which they are read: all columns of the first piece of k, then all of
 * the second. The pieces are those of product_blocks.c (PRODUCT_DEPTH), and so are the sums.
 */
#include "iterate/product_weights.h"

#include "base/parallel.h"
#include "iterate/limits.h"
#include "kernels/table.h"

bool tni_weights_begin(tni_weights *packed, int64_t k, int64_t n, int64_t most_rows, tn_dtype dtype) {
    *packed = (tni_weights){.k = k, .n = n, .pitch = n, .dtype = dtype};
    packed->kind = dtype == TN_FLOAT64 ? TNI_TILE_FLOAT64 : TNI_TILE_FLOAT32;
    packed->tiles = tni_kernels()->tiles[packed->kind];
    if (most_rows <= PRODUCT_SKINNY || k == 0 || n == 0 || !packed->tiles->along[0][0])
        return true;
    packed->pitch = (n + packed->tiles->columns - 1) / packed->tiles->columns * packed->tiles->columns;
    packed->bytes = (size_t)(packed->pitch * k) * tni_dtype_size(dtype);
    return true;
}

typedef struct weights_filling {
    const tni_weights *packed;
    char *memory;
    tni_panel_source source;
} weights_filling;

/* Panels of all columns of a piece of k, one task each. */
static void weights_fill_panels(void *argument, int64_t begin, int64_t end) {
    const weights_filling *filling = argument;
    const tni_weights *packed = filling->packed;
    int64_t width = packed->tiles->columns, item = (int64_t)tni_dtype_size(packed->dtype);
    for (int64_t panel = begin; panel < end; panel++)
        for (int64_t from = 0; from < packed->k; from += PRODUCT_DEPTH) {
            int64_t depth = tni_min_i64(PRODUCT_DEPTH, packed->k - from);
            tni_panel_source source = filling->source;
            source.at += panel * width * source.across + from * source.along;
            tni_panel_pack(packed->kind, true, filling->memory + (from * packed->pitch + panel * width * depth) * item, width,
                           &source, tni_min_i64(width, packed->n - panel * width), depth);
        }
}

bool tni_weights_fill(tni_weights *packed, char *memory, const void *b, int64_t row, int64_t column) {
    int64_t item = (int64_t)tni_dtype_size(packed->dtype);
    packed->b = (tni_product_operand){.data = (void *)(uintptr_t)b, .row = row, .column = column, .dtype = packed->dtype};
    packed->panels = memory;
    if (!packed->bytes)
        return true;
    weights_filling filling = {packed, memory, {b, column * item, row * item, packed->dtype, false}};
    int64_t grain = tni_max_i64(1, PRODUCT_PACK / (packed->tiles->columns * packed->k));
    return tni_parallel_for(packed->pitch / packed->tiles->columns, grain, weights_fill_panels, &filling);
}

static tn_error weights_run_plain(const tni_weights *packed, int64_t m, const void *a, int64_t a_row, void *c) {
    tni_product product;
    tni_product_begin(&product, m, packed->n, packed->k);
    product.compute = packed->dtype;
    product.a = (tni_product_operand){.data = (void *)(uintptr_t)a, .row = a_row, .column = 1, .dtype = packed->dtype};
    product.b = packed->b;
    product.c = (tni_product_operand){.data = c, .row = packed->pitch, .column = 1, .dtype = packed->dtype};
    return tni_product_run(&product);
}

tn_error tni_weights_run(const tni_weights *packed, int64_t m, const void *a, int64_t a_row, void *c) {
    if (!packed->bytes)
        return weights_run_plain(packed, m, a, a_row, c);
    const tni_tiles *tiles = packed->tiles;
    int64_t item = (int64_t)tni_dtype_size(packed->dtype), width = tiles->columns;
    for (int64_t from = 0; from < packed->k; from += PRODUCT_DEPTH) {
        int64_t depth = tni_min_i64(PRODUCT_DEPTH, packed->k - from);
        const char *panel = packed->panels + from * packed->pitch * item;
        for (int64_t j = 0; j < packed->pitch; j += width, panel += width * depth * item)
            for (int64_t i = 0; i < m; i += tiles->rows)
                tiles->along[0][tni_min_i64(tiles->rows, m - i) - 1](depth, (const char *)a + (i * a_row + from) * item, a_row,
                                                                     panel, width, (char *)c + (i * packed->pitch + j) * item,
                                                                     packed->pitch, from > 0);
    }
    return TN_OK;
}
