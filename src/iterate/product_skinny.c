/* product_skinny.c - products of a few rows with a large matrix: a matrix and a vector, a dot product, a batch of eight through a layer.
 *
 * B is much larger than the rest, and each of its numbers is used only a few times, so it is read once, where it is, in the order of
 * memory; packing it would cost more than the product. Columns are cut into chunks, each a task, whose sums are on the stack:
 *
 *   - rows of B are contiguous: a few of them at a time are added up into the sums of the chunk, by tiles;
 *   - columns are contiguous: sums are dot products. Where there are few columns, k is cut into pieces, each a task, whose sums are
 *     added in order. The pieces follow from k alone.
 *
 * B may have a narrow dtype, as weights do; then it is converted on the stack, a block at a time.
 */
#include "iterate/product_skinny.h"

#include "base/parallel.h"
#include "iterate/product_pack.h"
#include "kernels/blocks.h"

static bool skinny_is_float(tn_dtype dtype) {
    return dtype == TN_FLOAT32 || dtype == TN_FLOAT64 || dtype == TN_FLOAT16 || dtype == TN_BFLOAT16;
}

bool tni_skinny_serves(const tni_product *product) {
    const tni_product_operand *a = &product->a, *b = &product->b;
    if (product->m > PRODUCT_SKINNY || (product->compute != TN_FLOAT32 && product->compute != TN_FLOAT64) ||
        !skinny_is_float(a->dtype) || !skinny_is_float(b->dtype))
        return false;
    return b->column == 1 || (b->row == 1 && a->column == 1);
}

/* Columns are dot products, not sums of rows. */
static bool skinny_dots(const tni_product *product) {
    return (product->b.column != 1 || product->n == 1) && product->b.row == 1 && product->a.column == 1;
}

/* Sums of a chunk, as many as fit on the stack. */
static int64_t skinny_chunk(const tni_product *product) {
    int64_t columns = SKINNY_SUMS_BYTES / ((int64_t)tni_dtype_size(product->compute) * product->m);
    if (!skinny_dots(product))
        return columns / SKINNY_WIDTH * SKINNY_WIDTH;
    int64_t fair = (SKINNY_TASK + product->k - 1) / product->k; /* columns that are worth a task */
    fair = (fair + TNI_DOTS_WIDE - 1) / TNI_DOTS_WIDE * TNI_DOTS_WIDE;
    return tni_min_i64(columns / TNI_DOTS_WIDE * TNI_DOTS_WIDE, fair);
}

/* Pieces of k; more than one where there is one chunk only, and k is long. */
static int64_t skinny_pieces(const tni_product *product) {
    return skinny_dots(product) && product->n <= skinny_chunk(product) ? (product->k + SKINNY_PIECE - 1) / SKINNY_PIECE : 1;
}

size_t tni_skinny_bytes(const tni_product *product) {
    int64_t pieces = skinny_pieces(product);
    return pieces == 1 ? 0 : (size_t)(pieces * product->m * product->n) * tni_dtype_size(product->compute);
}

typedef struct skinny_job {
    const tni_product *product;
    const tni_finish *finish;
    const tni_tiles *tiles;
    int64_t batch, chunk, item;
    const char *a, *b;
    char *partial; /* sums of the pieces of k */
} skinny_job;

/* ---- dot products */

/* sums (m, columns) over k from `from` on: a few columns at a time, in steps that fit the stack where something is converted. */
static void skinny_dots_part(const skinny_job *job, int64_t column, int64_t columns, int64_t from, int64_t k, char *sums,
                             int64_t pitch) {
    const tni_product *product = job->product;
    const tni_product_operand *a = &product->a, *b = &product->b;
    int64_t a_item = (int64_t)tni_dtype_size(a->dtype), b_item = (int64_t)tni_dtype_size(b->dtype), item = job->item;
    bool direct = a->dtype == product->compute && b->dtype == product->compute;
    int64_t step = direct ? k : SKINNY_STEP;
    _Alignas(64) char a_block[TNI_DOTS_ROWS * SKINNY_STEP * 8], b_block[TNI_DOTS_WIDE * SKINNY_STEP * 8];
    for (int64_t j = 0, many; j < columns; j += many) {
        /* What is read of a single row again and again competes with the columns for the way into the cache. */
        bool wide = product->m == 1 && columns - j >= TNI_DOTS_WIDE;
        many = wide ? TNI_DOTS_WIDE : columns - j >= TNI_DOTS_COLUMNS ? TNI_DOTS_COLUMNS : 1;
        for (int64_t p = 0; p < k; p += step) {
            int64_t depth = tni_min_i64(step, k - p);
            const char *b_at = job->b + ((column + j) * b->column + (from + p)) * b_item;
            int64_t b_row = b->column;
            if (b->dtype != product->compute) {
                for (int64_t i = 0; i < many; i++)
                    tni_block_convert(product->compute, b_block + i * SKINNY_STEP * item, b->dtype,
                                      b_at + i * b->column * b_item, depth);
                b_at = b_block;
                b_row = SKINNY_STEP;
            }
            for (int64_t i = 0, rows; i < product->m; i += rows) {
                rows = tni_min_i64(TNI_DOTS_ROWS, product->m - i);
                const char *a_at = job->a + (i * a->row + from + p) * a_item;
                int64_t a_row = a->row;
                if (a->dtype != product->compute) {
                    for (int64_t r = 0; r < rows; r++)
                        tni_block_convert(product->compute, a_block + r * SKINNY_STEP * item, a->dtype,
                                          a_at + r * a->row * a_item, depth);
                    a_at = a_block;
                    a_row = SKINNY_STEP;
                }
                tni_dots_function dots = wide ? job->tiles->dots_wide : job->tiles->dots[rows - 1][many == 1];
                dots(depth, a_at, a_row, b_at, b_row, sums + (i * pitch + j) * item, pitch, p > 0);
            }
        }
    }
}

/* ---- sums of rows */

static void skinny_rows_part(const skinny_job *job, int64_t column, int64_t columns, char *sums, int64_t pitch) {
    const tni_product *product = job->product;
    const tni_tiles *tiles = job->tiles;
    const tni_product_operand *a = &product->a, *b = &product->b;
    int64_t a_item = (int64_t)tni_dtype_size(a->dtype), b_item = (int64_t)tni_dtype_size(b->dtype), item = job->item;
    _Alignas(64) char a_block[PRODUCT_SKINNY * SKINNY_ROWS * 8], b_block[SKINNY_ROWS * SKINNY_WIDTH * 8];
    for (int64_t p = 0; p < product->k; p += SKINNY_ROWS) {
        int64_t depth = tni_min_i64(SKINNY_ROWS, product->k - p);
        /* A by columns: a panel, which is small. */
        tni_panel_source source = {job->a + p * a->column * a_item, a->row * a_item, a->column * a_item, a->dtype, false};
        tni_panel_pack(product->compute == TN_FLOAT32 ? TNI_TILE_FLOAT32 : TNI_TILE_FLOAT64, false, a_block, product->m,
                       &source, product->m, depth);
        for (int64_t j = 0; j < columns; j += SKINNY_WIDTH) {
            int64_t wide = tni_min_i64(SKINNY_WIDTH, columns - j);
            const char *b_at = job->b + (p * b->row + column + j) * b_item;
            int64_t b_step = b->row;
            if (b->dtype != product->compute || wide % tiles->narrow) { /* filled up, so that tiles are whole */
                for (int64_t r = 0; r < depth; r++) {
                    char *row = b_block + r * SKINNY_WIDTH * item;
                    tni_block_convert(product->compute, row, b->dtype, b_at + r * b->row * b_item, wide);
                    if (wide < SKINNY_WIDTH)
                        memset(row + wide * item, 0, (size_t)((SKINNY_WIDTH - wide) * item));
                }
                b_at = b_block;
                b_step = SKINNY_WIDTH;
            }
            for (int64_t done = 0, width; done < wide; done += width) {
                bool narrow = wide - done < tiles->columns;
                width = narrow ? tiles->narrow : tiles->columns;
                for (int64_t i = 0, rows; i < product->m; i += rows) {
                    rows = tni_min_i64(tiles->rows, product->m - i);
                    tiles->packed[narrow][rows - 1](depth, a_block + i * item, product->m, b_at + done * item, b_step,
                                                    sums + (i * pitch + j + done) * item, pitch, p > 0);
                }
            }
        }
        if (TNI_UNLIKELY(p % TNI_STEP == 0 && p && !tni_goes_on()))
            return;
    }
}

/* ---- tasks */

static void skinny_chunk_task(void *argument, int64_t begin, int64_t end) {
    const skinny_job *job = argument;
    const tni_product *product = job->product;
    _Alignas(64) char sums[SKINNY_SUMS_BYTES];
    for (int64_t chunk = begin; chunk < end; chunk++) {
        int64_t column = chunk * job->chunk, columns = tni_min_i64(job->chunk, product->n - column);
        if (skinny_dots(product))
            skinny_dots_part(job, column, columns, 0, product->k, sums, job->chunk);
        else
            skinny_rows_part(job, column, columns, sums, job->chunk);
        for (int64_t i = 0; i < product->m; i++)
            tni_finish_row(job->finish, job->batch, i, column, sums + i * job->chunk * job->item, columns);
    }
}

static void skinny_piece_task(void *argument, int64_t begin, int64_t end) {
    const skinny_job *job = argument;
    const tni_product *product = job->product;
    for (int64_t piece = begin; piece < end; piece++) {
        int64_t from = piece * SKINNY_PIECE;
        skinny_dots_part(job, 0, product->n, from, tni_min_i64(SKINNY_PIECE, product->k - from),
                         job->partial + piece * product->m * product->n * job->item, product->n);
    }
}

static void skinny_join(const skinny_job *job, int64_t pieces) {
    int64_t count = job->product->m * job->product->n;
    for (int64_t piece = 1; piece < pieces; piece++)
        for (int64_t i = 0; i < count; i++)
            if (job->product->compute == TN_FLOAT32)
                ((float *)(void *)job->partial)[i] += ((float *)(void *)job->partial)[piece * count + i];
            else
                ((double *)(void *)job->partial)[i] += ((double *)(void *)job->partial)[piece * count + i];
    for (int64_t i = 0; i < job->product->m; i++)
        tni_finish_row(job->finish, job->batch, i, 0, job->partial + i * job->product->n * job->item, job->product->n);
}

bool tni_skinny_run(const tni_product *product, const tni_finish *finish, int64_t batch, char *memory) {
    skinny_job job = {.product = product,
                      .finish = finish,
                      .tiles = tni_kernels()->tiles[product->compute == TN_FLOAT32 ? TNI_TILE_FLOAT32 : TNI_TILE_FLOAT64],
                      .batch = batch,
                      .chunk = skinny_chunk(product),
                      .item = (int64_t)tni_dtype_size(product->compute),
                      .a = tni_product_at(product, &product->a, batch),
                      .b = tni_product_at(product, &product->b, batch),
                      .partial = memory};
    int64_t pieces = skinny_pieces(product);
    if (pieces > 1) {
        if (!tni_parallel_for(pieces, 1, skinny_piece_task, &job))
            return false;
        skinny_join(&job, pieces);
        return true;
    }
    int64_t chunks = (product->n + job.chunk - 1) / job.chunk;
    int64_t work = product->k * job.chunk, grain = work >= SKINNY_TASK ? 1 : SKINNY_TASK / work;
    return tni_parallel_for(chunks, grain, skinny_chunk_task, &job);
}
