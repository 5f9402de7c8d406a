/* product_weights.c - see product_weights.h. Panels and sums are those of product_packed.c and product_blocks.c; only the way over the
 * tiles is shorter, since everything of one step is in the caches. */
#include "iterate/product_weights.h"

#include "iterate/limits.h"

bool tni_weights_begin(tni_weights *weights, int64_t k, int64_t n, int64_t most_rows, tn_dtype dtype) {
    *weights = (tni_weights){.pitch = n};
    tni_packed_begin(&weights->packed, k, n, 0, 0, dtype);
    const tni_tiles *tiles = weights->packed.tiles;
    if (most_rows <= PRODUCT_SKINNY || k == 0 || n == 0 || !tiles->along[0][0])
        return true;
    weights->pitch = (n + tiles->columns - 1) / tiles->columns * tiles->columns;
    weights->bytes = tni_packed_bytes(&weights->packed);
    return true;
}

bool tni_weights_fill(tni_weights *weights, char *memory, const void *b, int64_t row, int64_t column) {
    tni_packed *packed = &weights->packed;
    packed->data = b;
    packed->row = row;
    packed->column = column;
    packed->panels = memory;
    return !weights->bytes || tni_packed_fill(packed);
}

static tn_error weights_run_plain(const tni_weights *weights, int64_t m, const void *a, int64_t a_row, void *c) {
    const tni_packed *b = &weights->packed;
    tni_product product;
    tni_product_begin(&product, m, b->n, b->k);
    product.compute = b->dtype;
    product.a = (tni_product_operand){.data = (void *)(uintptr_t)a, .row = a_row, .column = 1, .dtype = b->dtype};
    product.b =
        (tni_product_operand){.data = (void *)(uintptr_t)b->data, .row = b->row, .column = b->column, .dtype = b->dtype};
    product.c = (tni_product_operand){.data = c, .row = weights->pitch, .column = 1, .dtype = b->dtype};
    return tni_product_run(&product);
}

tn_error tni_weights_run(const tni_weights *weights, int64_t m, const void *a, int64_t a_row, void *c) {
    if (!weights->bytes)
        return weights_run_plain(weights, m, a, a_row, c);
    const tni_packed *packed = &weights->packed;
    const tni_tiles *tiles = packed->tiles;
    int64_t item = (int64_t)tni_dtype_size(packed->dtype), pitch = weights->pitch;
    for (int64_t from = 0; from < packed->k; from += PRODUCT_DEPTH) {
        int64_t depth = tni_min_i64(PRODUCT_DEPTH, packed->k - from);
        for (int64_t j = 0; j < packed->n; j += tiles->columns) {
            bool narrow = packed->n - j <= tiles->narrow;
            const char *panel = tni_packed_at(packed, from, j);
            for (int64_t i = 0; i < m; i += tiles->rows)
                tiles->along[narrow][tni_min_i64(tiles->rows, m - i) - 1](depth, (const char *)a + (i * a_row + from) * item,
                                                                          a_row, panel, narrow ? tiles->narrow : tiles->columns,
                                                                          (char *)c + (i * pitch + j) * item, pitch, from > 0);
        }
    }
    return TN_OK;
}
