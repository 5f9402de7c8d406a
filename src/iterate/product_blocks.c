/* product_blocks.c - one product of two matrices, in blocks that fit the caches.
 *
 * Three loops cut C into blocks and k into pieces. For each piece, rows of A and columns of B are packed into panels, shared by all
 * threads; then tasks of a few panels each make tiles of C. In a task, one panel of B stays in the first-level cache while all of its
 * panels of A, which stay in the second, pass by it.
 *
 * Sums wait in C for the next piece of k, where C has the dtype of the sums, its columns are next to each other, and nobody reads it;
 * else in memory beside the panels. After the last piece they are finished, task by task, while they are in the cache.
 *
 * Each sum is made of the pieces of k in order, so no cut of C shows in its bits.
 */
#include "iterate/product_blocks.h"

#include "base/cpu_features.h"
#include "base/parallel.h"
#include "kernels/blocks.h"

static int64_t blocks_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

/* Whether an operand that is read when sums are finished lies where they would wait. */
static bool blocks_reads_c(const tni_product *product, const tni_product_operand *operand) {
    return operand->data && operand->data == product->c.data;
}

/* Whether tiles read A where it is: its rows are lines along k, and a tile's stay in the first-level cache while columns pass by; or its
 * columns are lines, and so short that all are in the second. Rows that have one
 * place in the first-level cache push each other out, which vectors of a whole cache line give time to mend, but shorter ones do not. */
static bool blocks_reads_a(const tni_product *product, const tni_tiles *tiles) {
    const tni_product_operand *a = &product->a;
    int64_t most = tni_cpu_l2_bytes() / 4 / (int64_t)tni_dtype_size(product->compute);
    if (!tiles->along[0][0] || a->dtype != product->compute)
        return false;
    int64_t item = (int64_t)tni_dtype_size(a->dtype);
    bool crowded = tiles->narrow * item < 64 && a->row * item % PRODUCT_CROWDED == 0 && product->n > PRODUCT_SMALL;
    return (a->column == 1 && !crowded) ||
           (a->row == 1 && a->column >= 0 && product->k <= PRODUCT_DEPTH && a->column <= most / product->k);
}

void tni_blocks_begin(tni_blocks *blocks, const tni_product *product, const tni_finish *finish) {
    blocks->product = product;
    blocks->finish = finish;
    blocks->kind = tni_product_kind(product);
    const tni_tiles *tiles = blocks->tiles = tni_kernels()->tiles[blocks->kind];
    int64_t item = (int64_t)tni_panel_item(blocks->kind);
    blocks->in_c = product->c.dtype == product->compute && product->c.column == 1 && !blocks_reads_c(product, &product->d) &&
                   !blocks_reads_c(product, &product->residual);
    blocks->depth = tni_min_i64(PRODUCT_DEPTH, product->k);
    blocks->a_there = blocks_reads_a(product, tiles);
    blocks->packed = tni_packed_find(product, blocks->kind);
    /* Packed rows of A go into half of the second-level cache, a task's share of them into a quarter. */
    int64_t line = PRODUCT_DEPTH * item, l2 = tni_cpu_l2_bytes();
    int64_t rows = tni_min_i64(PRODUCT_ROWS, blocks_up(l2 / line, tiles->rows));
    blocks->rows = tni_min_i64(rows, product->m);
    blocks->columns = tni_min_i64(blocks_up(PRODUCT_COLUMNS, tiles->columns), product->n);
    blocks->task_rows = tni_min_i64(blocks_up(tni_min_i64(PRODUCT_TASK_ROWS, l2 / 4 / line), tiles->rows), blocks->rows);
    blocks->task_columns = tni_min_i64(blocks_up(PRODUCT_TASK_COLUMNS, tiles->columns), blocks->columns);
    blocks->chunk = tni_max_i64(l2 / 2 / line / tiles->columns, 1) * tiles->columns;
    int64_t threads = tn_num_threads(), wanted = threads > 1 ? threads * PRODUCT_TASKS : 1;
    for (;;) { /* tasks for all threads, but none too small; no cut of C shows in its bits, so it may follow the threads */
        int64_t tasks = blocks_up(blocks->rows, blocks->task_rows) / blocks->task_rows *
                        (blocks_up(blocks->columns, blocks->task_columns) / blocks->task_columns);
        double work = (double)blocks->task_rows * (double)blocks->task_columns * (double)blocks->depth;
        if (tasks >= wanted || work < 2.0 * PRODUCT_TASK)
            break;
        if (blocks->task_columns > 2 * tiles->columns && blocks->task_columns >= blocks->task_rows)
            blocks->task_columns = blocks_up((blocks->task_columns + 1) / 2, tiles->columns);
        else if (blocks->task_rows > 2 * tiles->rows)
            blocks->task_rows = blocks_up((blocks->task_rows + 1) / 2, tiles->rows);
        else
            break;
    }
    int64_t steps = tni_panel_steps(blocks->kind, blocks->depth);
    blocks->a_bytes = blocks->a_there ? 0 : (size_t)blocks_up(blocks_up(blocks->rows, tiles->rows) * steps * item, 64);
    blocks->b_bytes = blocks->packed ? 0 : (size_t)blocks_up(blocks_up(blocks->columns, tiles->columns) * steps * item, 64);
    size_t sums = blocks->in_c ? 0 : (size_t)(blocks->rows * blocks->columns) * tni_dtype_size(product->compute);
    blocks->bytes = blocks->a_bytes + blocks->b_bytes + sums;
}

/* One block of C and piece of k. */
typedef struct blocks_round {
    const tni_blocks *blocks;
    int64_t batch;
    char *a, *b;   /* panels                                   */
    char *sums;    /* of the first row and column of the block */
    int64_t pitch; /* numbers from a row of sums to the next   */
    int64_t row, rows, column, columns, from, depth;
    int64_t row_panels, column_panels;
    int64_t a_grain, b_grain, a_tasks; /* panels that a task packs, tasks for A */
    int64_t task_columns;              /* tasks side by side                    */
    bool first, last;
} blocks_round;

static tni_panel_source blocks_source(const tni_product *product, const tni_product_operand *operand, int64_t batch,
                                      int64_t across, int64_t along) {
    int64_t item = (int64_t)tni_dtype_size(operand->dtype);
    return (tni_panel_source){tni_product_at(product, operand, batch), across * item, along * item, operand->dtype,
                              operand->conjugate};
}

/* How wide a panel of B is of which `left` columns remain. */
static int64_t blocks_width(const tni_tiles *tiles, int64_t left) {
    return left <= tiles->narrow ? tiles->narrow : tiles->columns;
}

/* Rows of a panel of A of which `left` remain: as many as there are, or all, the rest zeros. */
static int64_t blocks_height(const tni_tiles *tiles, int64_t left) {
    return left < tiles->rows && tiles->packed[0][0] ? left : tiles->rows;
}

/* Bytes of a row of A, or a column of B, in a panel. */
static int64_t blocks_line(const blocks_round *round) {
    return tni_panel_steps(round->blocks->kind, round->depth) * (int64_t)tni_panel_item(round->blocks->kind);
}

/* Panels of A, or of B, from one to another. */
static void blocks_pack_a(const blocks_round *round, int64_t begin, int64_t end) {
    const tni_blocks *blocks = round->blocks;
    const tni_product *product = blocks->product;
    int64_t step = blocks->tiles->rows, first = begin * step, count = tni_min_i64(end * step, round->rows) - first;
    tni_panel_source source = blocks_source(product, &product->a, round->batch, product->a.row, product->a.column);
    source.at += (round->row + first) * source.across + round->from * source.along;
    tni_panels_pack(blocks->kind, false, round->a + first * blocks_line(round), step,
                    blocks_height(blocks->tiles, count % step), &source, count, round->depth);
}

static void blocks_pack_b(const blocks_round *round, int64_t begin, int64_t end) {
    const tni_blocks *blocks = round->blocks;
    const tni_product *product = blocks->product;
    int64_t step = blocks->tiles->columns, first = begin * step, count = tni_min_i64(end * step, round->columns) - first;
    tni_panel_source source = blocks_source(product, &product->b, round->batch, product->b.column, product->b.row);
    source.at += (round->column + first) * source.across + round->from * source.along;
    tni_panels_pack(blocks->kind, true, round->b + first * blocks_line(round), step, blocks_width(blocks->tiles, count % step),
                    &source, count, round->depth);
}

static void blocks_pack(void *argument, int64_t begin, int64_t end) {
    const blocks_round *round = argument;
    for (int64_t task = begin; task < end; task++)
        if (task < round->a_tasks)
            blocks_pack_a(round, task * round->a_grain, tni_min_i64((task + 1) * round->a_grain, round->row_panels));
        else
            blocks_pack_b(round, (task - round->a_tasks) * round->b_grain,
                          tni_min_i64((task - round->a_tasks + 1) * round->b_grain, round->column_panels));
}

/* A tile that is not all of a panel's rows or columns, by way of one that is. */
static void blocks_edge(const blocks_round *round, tni_tile_function tile, const char *a, int64_t a_step, const char *b,
                        int64_t b_step, int64_t width, char *c, int64_t rows, int64_t columns, int64_t steps) {
    const tni_blocks *blocks = round->blocks;
    int64_t item = (int64_t)tni_dtype_size(blocks->product->compute), unit = tni_panel_unit(blocks->kind);
    _Alignas(64) char whole[TNI_TILE_BYTES];
    if (!round->first)
        for (int64_t i = 0; i < rows; i++)
            memcpy(whole + i * width * item, c + i * round->pitch * item, (size_t)(columns * item));
    tile(steps, a, a_step, b, b_step, whole, width * unit, !round->first);
    for (int64_t i = 0; i < rows; i++)
        memcpy(c + i * round->pitch * item, whole + i * width * item, (size_t)(columns * item));
}

/* The tiles of rows and columns, in panels. */
static void blocks_tiles(const blocks_round *round, int64_t row_begin, int64_t row_end, int64_t column_begin,
                         int64_t column_end) {
    const tni_blocks *blocks = round->blocks;
    const tni_tiles *tiles = blocks->tiles;
    int64_t item = (int64_t)tni_dtype_size(blocks->product->compute), panel = (int64_t)tni_panel_item(blocks->kind);
    int64_t steps = tni_panel_steps(blocks->kind, round->depth), unit = tni_panel_unit(blocks->kind);
    bool along = blocks->a_there && blocks->product->a.column == 1;
    int64_t step = blocks->a_there ? tni_tile_rows(tiles, row_end - row_begin) : tiles->rows;
    for (int64_t i = row_begin; i < row_end; i += step) {
        int64_t rows = tni_min_i64(step, row_end - i), height = blocks_height(tiles, rows);
        const char *a = round->a + i * (blocks->a_there ? blocks->product->a.row * item : steps * panel);
        int64_t a_step = !blocks->a_there ? height * unit : along ? blocks->product->a.row : blocks->product->a.column;
        for (int64_t j = column_begin; j < column_end; j += tiles->columns) {
            int64_t columns = tni_min_i64(tiles->columns, column_end - j), width = blocks_width(tiles, columns);
            const char *b = round->b + j * steps * panel;
            char *c = round->sums + (i * round->pitch + j) * item;
            tni_tile_function tile = !tiles->packed[0][0] ? tiles->whole
                                     : along              ? tiles->along[width < tiles->columns][rows - 1]
                                                          : tiles->packed[width < tiles->columns][rows - 1];
            if (columns == width && rows == height)
                tile(steps, a, a_step, b, width * unit, c, round->pitch * unit, !round->first);
            else
                blocks_edge(round, tile, a, a_step, b, width * unit, width, c, rows, columns, steps);
        }
    }
}

static void blocks_task(void *argument, int64_t begin, int64_t end) {
    const blocks_round *round = argument;
    const tni_blocks *blocks = round->blocks;
    int64_t item = (int64_t)tni_dtype_size(blocks->product->compute);
    for (int64_t task = begin; task < end; task++) {
        int64_t row = task / round->task_columns * blocks->task_rows,
                column = task % round->task_columns * blocks->task_columns;
        int64_t row_end = tni_min_i64(row + blocks->task_rows, round->rows);
        int64_t column_end = tni_min_i64(column + blocks->task_columns, round->columns);
        for (int64_t chunk = column; chunk < column_end; chunk += blocks->chunk)
            blocks_tiles(round, row, row_end, chunk, tni_min_i64(chunk + blocks->chunk, column_end));
        if (round->last && blocks->finish)
            for (int64_t i = row; i < row_end; i++)
                tni_finish_row(blocks->finish, round->batch, round->row + i, round->column + column,
                               round->sums + (i * round->pitch + column) * item, column_end - column);
    }
}

static bool blocks_piece(blocks_round *round) {
    const tni_blocks *blocks = round->blocks;
    const tni_tiles *tiles = blocks->tiles;
    round->row_panels = (round->rows + tiles->rows - 1) / tiles->rows;
    round->column_panels = (round->columns + tiles->columns - 1) / tiles->columns;
    int64_t a_panel = tiles->rows * round->depth, b_panel = tiles->columns * round->depth;
    round->a_grain = a_panel < PRODUCT_PACK ? PRODUCT_PACK / a_panel : 1;
    round->b_grain = b_panel < PRODUCT_PACK ? PRODUCT_PACK / b_panel : 1;
    round->a_tasks = blocks->a_there ? 0 : (round->row_panels + round->a_grain - 1) / round->a_grain;
    int64_t b_tasks = blocks->packed ? 0 : (round->column_panels + round->b_grain - 1) / round->b_grain;
    if (!tni_parallel_for(round->a_tasks + b_tasks, 1, blocks_pack, round))
        return false;
    round->task_columns = (round->columns + blocks->task_columns - 1) / blocks->task_columns;
    int64_t task_rows = (round->rows + blocks->task_rows - 1) / blocks->task_rows;
    return tni_parallel_for(round->task_columns * task_rows, 1, blocks_task, round);
}

bool tni_blocks_run(const tni_blocks *blocks, int64_t batch, char *memory) {
    const tni_product *product = blocks->product;
    int64_t item = (int64_t)tni_dtype_size(product->compute);
    blocks_round round = {.blocks = blocks, .batch = batch, .a = memory, .b = memory + blocks->a_bytes};
    for (int64_t column = 0; column < product->n; column += blocks->columns)
        for (int64_t row = 0; row < product->m; row += blocks->rows) {
            round.row = row;
            round.rows = tni_min_i64(blocks->rows, product->m - row);
            round.column = column;
            round.columns = tni_min_i64(blocks->columns, product->n - column);
            round.pitch = blocks->in_c ? product->c.row : round.columns;
            round.sums = blocks->in_c ? tni_product_at(product, &product->c, batch) + (row * product->c.row + column) * item
                                      : memory + blocks->a_bytes + blocks->b_bytes;
            for (int64_t from = 0; from < product->k; from += blocks->depth) {
                round.from = from;
                if (blocks->a_there)
                    round.a =
                        tni_product_at(product, &product->a, batch) + (row * product->a.row + from * product->a.column) * item;
                round.depth = tni_min_i64(blocks->depth, product->k - from);
                if (blocks->packed)
                    round.b = tni_packed_at(blocks->packed, from, column);
                round.first = from == 0;
                round.last = from + round.depth == product->k;
                if (!blocks_piece(&round))
                    return false;
            }
        }
    return true;
}
