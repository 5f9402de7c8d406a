/* product_small.c - small products: one piece of k, no memory but the stack.
 *
 * Where columns of B are next to each other, tiles read it where it is, and likewise A where its rows or its columns are. What is
 * left, the last columns of B that fill no vector, or matrices of other strides or dtypes, is packed on the stack first.
 */
#include "iterate/product_small.h"

#include "iterate/product_pack.h"
#include "kernels/blocks.h"

/* Tiles over matrices that are read and written where they are. */
static void small_in_place(const tni_tiles *tiles, int64_t m, int64_t n, int64_t k, const char *a, int64_t a_row, const char *b,
                           int64_t b_row, char *c, int64_t c_row, int64_t item) {
    int64_t step = m <= tiles->rows ? m : tni_tile_rows(tiles, m);
    for (int64_t j = 0; j < n; j += tiles->columns) {
        int64_t columns = tni_min_i64(tiles->columns, n - j);
        bool narrow = columns <= tiles->narrow, all = columns == (narrow ? tiles->narrow : tiles->columns);
        for (int64_t i = 0, rows; i < m; i += rows) {
            rows = tni_min_i64(step, m - i);
            char *target = c + (i * c_row + j) * item;
            if (all)
                tiles->along[narrow][rows - 1](k, a + i * a_row * item, a_row, b + j * item, b_row, target, c_row, false);
            else
                tiles->part[narrow][rows - 1](k, a + i * a_row * item, a_row, b + j * item, b_row, target, c_row, columns);
        }
    }
}

bool tni_small_plainly(tn_dtype dtype, int64_t m, int64_t n, int64_t k, const void *a, int64_t a_row, const void *b,
                       int64_t b_row, void *c, int64_t c_row) {
    /* Sizes from 1 on: 0 is the largest of all numbers without a sign, once 1 has been taken away. */
    if (TNI_UNLIKELY((uint64_t)m - 1 >= PRODUCT_SMALL || (uint64_t)n - 1 >= PRODUCT_SMALL || (uint64_t)k - 1 >= PRODUCT_SMALL))
        return false;
    if (dtype == TN_FLOAT32)
        small_in_place(tni_kernels()->tiles[TNI_TILE_FLOAT32], m, n, k, a, a_row, b, b_row, c, c_row, 4);
    else if (dtype == TN_FLOAT64)
        small_in_place(tni_kernels()->tiles[TNI_TILE_FLOAT64], m, n, k, a, a_row, b, b_row, c, c_row, 8);
    else
        return false;
    return true;
}

bool tni_small_quickly(const tni_product *product) {
    const tni_product_operand *a = &product->a, *b = &product->b, *c = &product->c;
    return !product->batch_ndim && a->column == 1 && b->column == 1 && c->column == 1 && a->dtype == product->compute &&
           b->dtype == a->dtype && tni_finish_is_plain(product) &&
           tni_small_plainly(a->dtype, product->m, product->n, product->k, a->data, a->row, b->data, b->row, c->data, c->row);
}

/* Bytes of the panels of `count` rows or columns. */
static int64_t small_bytes(tni_tile_kind kind, int64_t count, int64_t step, int64_t k) {
    return (count + step - 1) / step * step * tni_panel_steps(kind, k) * (int64_t)tni_panel_item(kind);
}

static bool small_reads_a(const tni_product *product, const tni_tiles *tiles) {
    return tiles->along[0][0] && product->a.dtype == product->compute && (product->a.column == 1 || product->a.row == 1);
}

static bool small_reads_b(const tni_product *product, const tni_tiles *tiles) {
    return tiles->along[0][0] && product->b.dtype == product->compute && product->b.column == 1;
}

bool tni_small_serves(const tni_product *product) {
    if (product->m > PRODUCT_SMALL || product->n > PRODUCT_SMALL || product->k > PRODUCT_SMALL)
        return false;
    tni_tile_kind kind = tni_product_kind(product);
    const tni_tiles *tiles = tni_kernels()->tiles[kind];
    int64_t a = small_reads_a(product, tiles) ? 0 : small_bytes(kind, product->m, tiles->rows, product->k);
    int64_t b = small_bytes(kind, small_reads_b(product, tiles) ? 1 : product->n, tiles->columns, product->k);
    return a <= PRODUCT_SMALL_BYTES && b <= PRODUCT_SMALL_BYTES;
}

void tni_small_run(const tni_product *product, const tni_finish *finish, int64_t batch) {
    tni_tile_kind kind = tni_product_kind(product);
    const tni_tiles *tiles = tni_kernels()->tiles[kind];
    _Alignas(64) char a_memory[PRODUCT_SMALL_BYTES], b_memory[PRODUCT_SMALL_BYTES], whole[TNI_TILE_BYTES];
    int64_t m = product->m, n = product->n, k = product->k, item = (int64_t)tni_dtype_size(product->compute);
    int64_t steps = tni_panel_steps(kind, k), unit = tni_panel_unit(kind), panel = (int64_t)tni_panel_item(kind);
    const tni_product_operand *a = &product->a, *b = &product->b, *c = &product->c;
    int64_t a_item = (int64_t)tni_dtype_size(a->dtype), b_item = (int64_t)tni_dtype_size(b->dtype);
    const char *a_at = tni_product_at(product, a, batch), *b_at = tni_product_at(product, b, batch);
    bool a_there = small_reads_a(product, tiles), b_there = small_reads_b(product, tiles);
    bool along = a_there && a->column == 1, c_there = !finish && c->column == 1;
    char *c_at = c_there ? tni_product_at(product, c, batch) : NULL;
    if (along && b_there && c_there) {
        small_in_place(tiles, m, n, k, a_at, a->row, b_at, b->row, c_at, c->row, item);
        return;
    }
    if (!a_there)
        tni_panels_pack(kind, false, a_memory, tiles->rows, tiles->packed[0][0] ? m % tiles->rows : tiles->rows,
                        &(tni_panel_source){a_at, a->row * a_item, a->column * a_item, a->dtype, a->conjugate}, m, k);
    for (int64_t j = 0; j < n; j += tiles->columns) {
        int64_t columns = tni_min_i64(tiles->columns, n - j);
        int64_t width = columns <= tiles->narrow ? tiles->narrow : tiles->columns;
        const char *b_panel = b_at + j * b_item;
        int64_t b_step = b->row;
        if (!b_there || columns < width) {
            /* Packed panels follow each other, but that of a matrix that is read in place stands alone. */
            char *memory = b_there ? b_memory : b_memory + j * steps * panel;
            tni_panel_pack(
                kind, true, memory, width,
                &(tni_panel_source){b_at + j * b->column * b_item, b->column * b_item, b->row * b_item, b->dtype, b->conjugate},
                columns, k);
            b_panel = memory;
            b_step = width * unit;
        }
        for (int64_t i = 0; i < m; i += tiles->rows) {
            int64_t rows = tni_min_i64(tiles->rows, m - i), height = tiles->packed[0][0] ? rows : tiles->rows;
            const char *a_panel = a_there ? a_at + i * a->row * a_item : a_memory + i * steps * panel;
            int64_t a_step = !a_there ? height * unit : along ? a->row : a->column;
            tni_tile_function tile = !tiles->packed[0][0] ? tiles->whole
                                     : along              ? tiles->along[width < tiles->columns][rows - 1]
                                                          : tiles->packed[width < tiles->columns][rows - 1];
            if (c_there && columns == width && rows == height) {
                tile(steps, a_panel, a_step, b_panel, b_step, c_at + (i * c->row + j) * item, c->row * unit, false);
                continue;
            }
            tile(steps, a_panel, a_step, b_panel, b_step, whole, width * unit, false);
            for (int64_t r = 0; r < rows; r++)
                if (finish)
                    tni_finish_row(finish, batch, i + r, j, whole + r * width * item, columns);
                else
                    tni_block_move((size_t)item, tni_product_at(product, c, batch) + ((i + r) * c->row + j * c->column) * item,
                                   c->column * item, whole + r * width * item, item, columns);
        }
    }
}
