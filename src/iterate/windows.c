/* windows.c - see windows.h. Products with windows, in blocks that fit the caches.
 *
 * k, the axis that sums run over, is cut into pieces. For each, lines are packed into panels that all threads share, in the
 * second-level cache; then tasks pack a strip of windows each, on the stack, and make tiles of Z with every panel of lines while the
 * strip is in the first-level cache. So no more of the windows exists at a time than a strip for each thread.
 *
 * Rows of a tile are lines and its columns windows, or (turned) the other way round, where lines are next to each other in Z: channels
 * last. Sums wait in Z for the next piece of k, where Z has the dtype of the sums; else beside the panels. A tile that is not all of
 * one run of Z passes through the stack. After the last piece bias and activation follow, tile by tile.
 *
 * Each sum is made of the pieces of k in order, so no cut of Z shows in its bits.
 */
#include "iterate/windows.h"

#include "base/parallel.h"
#include "iterate/limits.h"
#include "iterate/product_finish.h"
#include "iterate/windows_pack.h"
#include "iterate/windows_planes.h"
#include "kernels/blocks.h"

/* Windows from `from` on, `count` of them, whose results are `step` apart from `place` on. */
typedef struct windows_span {
    int64_t from, count, place;
} windows_span;

/* How a call is cut. */
typedef struct windows_cut {
    const tni_windows *windows;
    const tni_tiles *tiles;
    tni_tile_kind kind;
    tni_finish finish; /* its loops */
    bool turned, finishes;
    bool beside;              /* sums wait beside Z */
    int64_t item;             /* bytes of a sum */
    int64_t across, k, depth; /* windows, what is added up, and its pieces */
    int64_t z_run, z_step;    /* windows in a row of Z, and elements from one to the next */
    int64_t group_block, line_block, across_block;
    int64_t line_unit, strip;                   /* lines of a panel; windows of a strip */
    size_t lines_bytes, sums_bytes, bias_bytes; /* of memory: panels of a group, sums of a group, bias */
} windows_cut;

static int64_t windows_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

static const int64_t *windows_across(const tni_windows *windows) {
    return windows->over_positions ? windows->taps : windows->positions;
}

static tni_tile_kind windows_kind(tn_dtype compute) {
    switch (compute) {
    case TN_FLOAT32: return TNI_TILE_FLOAT32;
    case TN_FLOAT64: return TNI_TILE_FLOAT64;
    case TN_COMPLEX64: return TNI_TILE_COMPLEX64;
    case TN_COMPLEX128: return TNI_TILE_COMPLEX128;
    case TN_INT64: return TNI_TILE_INT64;
    default: return TNI_TILE_INT32;
    }
}

static void windows_find_runs(windows_cut *cut) {
    const int64_t *sizes = windows_across(cut->windows), *strides = cut->windows->z.across;
    cut->z_run = cut->z_step = 1;
    for (int d = TNI_WINDOW_AXIS; d-- > 0;) {
        if (sizes[d] == 1)
            continue;
        if (cut->z_run == 1)
            cut->z_step = strides[d];
        else if (strides[d] != cut->z_step * cut->z_run)
            break;
        cut->z_run *= sizes[d];
    }
}

static void windows_begin(windows_cut *cut, const tni_windows *windows) {
    cut->windows = windows;
    cut->kind = windows_kind(windows->compute);
    const tni_tiles *tiles = cut->tiles = tni_kernels()->tiles[cut->kind];
    cut->item = (int64_t)tni_dtype_size(windows->compute);
    cut->across = cut->k = 1;
    const int64_t *across = windows_across(windows), *along = windows->over_positions ? windows->positions : windows->taps;
    for (int d = 0; d < TNI_WINDOW_AXIS; d++) {
        cut->across *= across[d];
        cut->k *= along[d];
    }
    int64_t pieces = tni_max_i64((cut->k + WINDOWS_DEPTH - 1) / WINDOWS_DEPTH, 1);
    cut->depth = (cut->k + pieces - 1) / pieces;
    windows_find_runs(cut);
    cut->turned = windows->z.line == 1 && windows->lines > 1 && (cut->z_step != 1 || cut->z_run == 1) &&
                  (windows->lines >= tiles->narrow / 2 || cut->across < tiles->narrow);
    cut->finishes = windows->bias.data || windows->activation != TNI_ACTIVATION_NONE;
    cut->beside = windows->z.dtype != windows->compute && pieces > 1;

    int64_t unit = cut->line_unit = cut->turned ? tiles->columns : tiles->rows;
    int64_t line_bytes = tni_max_i64(cut->depth * cut->item, 1);
    cut->line_block = tni_min_i64(windows->lines, tni_max_i64(WINDOWS_LINES_BYTES / line_bytes / unit * unit, unit));
    cut->lines_bytes = (size_t)windows_up(windows_up(cut->line_block, unit) * line_bytes, 64);
    cut->group_block = tni_min_i64(windows->groups, tni_max_i64(WINDOWS_LINES_BYTES / (int64_t)cut->lines_bytes, 1));
    int64_t panel = (cut->turned ? tiles->rows : tiles->columns);
    cut->strip = panel;
    if (cut->turned)
        cut->strip *= tni_max_i64(tni_min_i64(WINDOWS_STRIP_BYTES / (panel * line_bytes), PANEL_WIDTH / TNI_TILE_ROWS), 1);
    cut->across_block = cut->across;
    if (cut->beside) {
        cut->group_block = 1;
        int64_t most = WINDOWS_SUMS_BYTES / (cut->line_block * cut->item) / cut->strip * cut->strip;
        cut->across_block = tni_min_i64(cut->across, tni_max_i64(most, cut->strip));
    }
    cut->sums_bytes = cut->beside ? (size_t)windows_up(cut->line_block * cut->across_block * cut->item, 64) : 0;
    cut->bias_bytes = windows->bias.data ? (size_t)windows_up(windows->groups * windows->lines * cut->item, 64) : 0;
}

size_t tni_windows_bytes(const tni_windows *windows, int64_t threads) {
    if (tni_windows_planes_serve(windows))
        return tni_windows_planes_bytes(windows, threads);
    windows_cut cut;
    windows_begin(&cut, windows);
    return cut.lines_bytes * (size_t)cut.group_block + cut.sums_bytes + cut.bias_bytes;
}

/* One block of Z and piece of k. */
typedef struct windows_round {
    const windows_cut *cut;
    char *lines_panels, *sums, *biases;
    int64_t group, groups, line, lines, across, windows, from, depth;
    int64_t panels, pack_grain;      /* panels of lines of a group; packed by one task      */
    int64_t strips, cuts, cut_lines; /* tasks for a group: strips beside cuts of the lines */
    int64_t threads;
    bool first, last;
} windows_round;

/* ---- lines */

static void windows_pack_task(void *argument, int64_t begin, int64_t end) {
    const windows_round *round = argument;
    const windows_cut *cut = round->cut;
    const tni_tiles *tiles = cut->tiles;
    int64_t panel_bytes = cut->line_unit * round->depth * cut->item;
    for (int64_t i = begin; i < end; i++) {
        int64_t group = i / round->panels, panel = i % round->panels;
        int64_t left = tni_min_i64(cut->line_unit, round->lines - panel * cut->line_unit), width = cut->line_unit;
        if (cut->turned)
            width = left <= tiles->narrow ? tiles->narrow : tiles->columns;
        else if (tiles->packed[0][0])
            width = left;
        tni_windows_pack_lines(cut->windows, cut->kind, cut->turned, round->group + group,
                               round->lines_panels + group * (int64_t)cut->lines_bytes + panel * panel_bytes, width,
                               round->line + panel * cut->line_unit, left, round->from, round->depth);
    }
}

/* ---- tiles */

/* The runs of Z that some windows make. */
static int windows_find_spans(const windows_cut *cut, int64_t first, int64_t count, windows_span *spans) {
    const int64_t *sizes = windows_across(cut->windows), *strides = cut->windows->z.across;
    int found = 0;
    for (int64_t done = 0; done < count; found++) {
        int64_t at = first + done, place = 0, rest = at;
        for (int d = TNI_WINDOW_AXIS; d-- > 0; rest /= sizes[d])
            place += rest % sizes[d] * strides[d];
        spans[found] = (windows_span){done, tni_min_i64(cut->z_run - at % cut->z_run, count - done), place};
        done += spans[found].count;
    }
    return found;
}

/* A tile: rows and columns of Z, its panels, and where it goes. */
typedef struct windows_tile {
    tni_tile_function function;
    const char *a, *b;
    int64_t a_step, b_step, steps;
    int64_t rows, columns, height, width; /* that count, and that the panels have */
    int64_t line;                         /* the first, of the group              */
    char *z;                              /* of the first line                    */
    const windows_span *spans;
    int span_count;
} windows_tile;

/* Sums in rows of `pitch` numbers go to Z, or (loads) come from it. */
static void windows_exchange(const windows_cut *cut, const windows_tile *tile, char *sums, int64_t pitch, bool loads) {
    const tni_windows *windows = cut->windows;
    int64_t element = (int64_t)tni_dtype_size(windows->z.dtype), item = cut->item;
    _Alignas(64) char converted[PANEL_WIDTH * 16];
    for (int64_t i = 0; i < tile->rows; i++) {
        char *row = sums + i * pitch * item;
        if (!loads && windows->z.dtype != windows->compute) {
            tni_block_convert(windows->z.dtype, converted, windows->compute, row, tile->columns);
            row = converted;
        }
        for (int s = 0; s < tile->span_count; s++) {
            const windows_span *span = &tile->spans[s];
            if (cut->turned && (i < span->from || i >= span->from + span->count))
                continue;
            char *z = tile->z + (span->place + (cut->turned ? (i - span->from) * cut->z_step : i * windows->z.line)) * element;
            char *part = cut->turned ? row : row + span->from * element;
            int64_t count = cut->turned ? tile->columns : span->count;
            int64_t step = (cut->turned ? windows->z.line : cut->z_step) * element;
            if (loads)
                tni_block_move((size_t)element, part, element, z, step, count);
            else
                tni_block_move((size_t)element, z, step, part, element, count);
        }
    }
}

static void windows_repeat(char *block, const char *number, int64_t item, int64_t count) {
    for (int64_t j = 0; j < count; j++)
        memcpy(block + j * item, number, (size_t)item);
}

static void windows_finish(const windows_cut *cut, const windows_tile *tile, const char *biases, char *sums, int64_t pitch) {
    _Alignas(64) char block[PANEL_WIDTH * 16];
    const char *bias = biases + tile->line * cut->item;
    for (int64_t i = 0; i < tile->rows; i++) {
        char *row = sums + i * pitch * cut->item;
        void *data[3] = {row, row, (void *)(uintptr_t)bias};
        if (cut->windows->bias.data) {
            if (!cut->turned) {
                windows_repeat(block, bias + i * cut->item, cut->item, tile->columns);
                data[2] = block;
            }
            cut->finish.add(data, tile->columns, NULL);
        }
        if (cut->finish.activation)
            cut->finish.activation(data, tile->columns, NULL);
    }
}

static void windows_make_tile(const windows_round *round, const windows_tile *tile, int64_t group, char *sums, int64_t pitch) {
    const windows_cut *cut = round->cut;
    const tni_windows *windows = cut->windows;
    int64_t unit = tni_panel_unit(cut->kind);
    bool whole = tile->rows == tile->height && tile->columns == tile->width;
    _Alignas(64) char local[TNI_TILE_BYTES];
    const char *biases = round->biases + group * windows->lines * cut->item;
    bool in_z = !cut->beside && whole && windows->z.dtype == windows->compute && tile->span_count == 1 &&
                (cut->turned ? windows->z.line : cut->z_step) == 1;
    if (in_z) {
        sums = tile->z + tile->spans[0].place * cut->item;
        pitch = cut->turned ? cut->z_step : windows->z.line;
    }
    if (in_z || (cut->beside && whole)) {
        tile->function(tile->steps, tile->a, tile->a_step, tile->b, tile->b_step, sums, pitch * unit, !round->first);
        if (round->last && cut->finishes)
            windows_finish(cut, tile, biases, sums, pitch);
        if (round->last && cut->beside)
            windows_exchange(cut, tile, sums, pitch, false);
        return;
    }
    int64_t width = tile->width;
    if (!round->first && !cut->beside)
        windows_exchange(cut, tile, local, width, true);
    if (!round->first && cut->beside)
        for (int64_t i = 0; i < tile->rows; i++)
            memcpy(local + i * width * cut->item, sums + i * pitch * cut->item, (size_t)(tile->columns * cut->item));
    tile->function(tile->steps, tile->a, tile->a_step, tile->b, tile->b_step, local, width * unit, !round->first);
    if (round->last && cut->finishes)
        windows_finish(cut, tile, biases, local, width);
    if (round->last || !cut->beside)
        windows_exchange(cut, tile, local, width, false);
    else
        for (int64_t i = 0; i < tile->rows; i++)
            memcpy(sums + i * pitch * cut->item, local + i * width * cut->item, (size_t)(tile->columns * cut->item));
}

/* A strip of windows beside some lines of a group. */
static void windows_strip(const windows_round *round, int64_t group, int64_t first, int64_t line_begin, int64_t line_end) {
    const windows_cut *cut = round->cut;
    const tni_windows *windows = cut->windows;
    const tni_tiles *tiles = cut->tiles;
    bool turned = cut->turned, ragged = tiles->packed[0][0] != NULL;
    int64_t count = tni_min_i64(cut->strip, round->windows - first), unit = tni_panel_unit(cut->kind);
    int64_t panel = turned ? tiles->rows : tiles->columns, panel_bytes = panel * round->depth * cut->item;
    _Alignas(64) char strip[WINDOWS_STRIP_BYTES];
    windows_span spans[PANEL_WIDTH];
    int span_begin[PANEL_WIDTH / TNI_TILE_ROWS + 1] = {0};
    for (int64_t i = 0, p = 0; i < count; i += panel, p++) {
        int64_t left = tni_min_i64(panel, count - i);
        int64_t width = turned ? (ragged ? left : panel) : left <= tiles->narrow ? tiles->narrow : panel;
        tni_windows_pack(windows, cut->kind, !turned, round->group + group, strip + p * panel_bytes, width,
                         round->across + first + i, left, round->from, round->depth);
        span_begin[p + 1] = span_begin[p] + windows_find_spans(cut, round->across + first + i, left, spans + span_begin[p]);
    }
    const char *shared = round->lines_panels + group * (int64_t)cut->lines_bytes;
    char *z = (char *)windows->z.data + ((round->group + group) * windows->z.group + round->line * windows->z.line) *
                                            (int64_t)tni_dtype_size(windows->z.dtype);
    int64_t element = (int64_t)tni_dtype_size(windows->z.dtype), pitch = turned ? round->lines : round->windows;
    windows_tile tile = {.steps = round->depth};
    for (int64_t line = line_begin; line < line_end; line += cut->line_unit) {
        int64_t lines = tni_min_i64(cut->line_unit, round->lines - line);
        const char *lines_panel = shared + line * round->depth * cut->item;
        tile.line = round->line + line;
        tile.z = z + line * windows->z.line * element;
        for (int64_t i = 0, p = 0; i < count; i += panel, p++) {
            int64_t left = tni_min_i64(panel, count - i);
            tile.rows = turned ? left : lines;
            tile.columns = turned ? lines : left;
            tile.height = ragged ? tile.rows : tiles->rows;
            tile.width = tile.columns <= tiles->narrow ? tiles->narrow : tiles->columns;
            tile.a = turned ? strip + p * panel_bytes : lines_panel;
            tile.b = turned ? lines_panel : strip + p * panel_bytes;
            tile.a_step = tile.height * unit;
            tile.b_step = tile.width * unit;
            tile.function = ragged ? tiles->packed[tile.width < tiles->columns][tile.rows - 1] : tiles->whole;
            tile.spans = spans + span_begin[p];
            tile.span_count = span_begin[p + 1] - span_begin[p];
            int64_t row = turned ? first + i : line, column = turned ? line : first + i;
            char *sums = round->sums + (row * pitch + column) * cut->item;
            windows_make_tile(round, &tile, round->group + group, sums, pitch);
        }
    }
}

static void windows_task(void *argument, int64_t begin, int64_t end) {
    const windows_round *round = argument;
    for (int64_t task = begin; task < end; task++) {
        int64_t group = task / (round->strips * round->cuts), rest = task % (round->strips * round->cuts);
        int64_t line = rest % round->cuts * round->cut_lines;
        windows_strip(round, group, rest / round->cuts * round->cut->strip, line,
                      tni_min_i64(line + round->cut_lines, round->lines));
    }
}

/* ---- rounds */

static bool windows_piece(windows_round *round) {
    const windows_cut *cut = round->cut;
    round->panels = (round->lines + cut->line_unit - 1) / cut->line_unit;
    int64_t panel = tni_max_i64(cut->line_unit * round->depth, 1);
    if (!tni_parallel_for(round->groups * round->panels, tni_max_i64(WINDOWS_PACK / panel, 1), windows_pack_task, round))
        return false;
    round->strips = (round->windows + cut->strip - 1) / cut->strip;
    round->cut_lines = windows_up(round->lines, cut->line_unit);
    /* No cut of Z shows in its bits, so it may follow the threads. */
    int64_t wanted = round->threads > 1 ? round->threads * WINDOWS_TASKS : 1;
    double work = (double)cut->strip * (double)round->depth;
    while (round->groups * round->strips * ((round->lines + round->cut_lines - 1) / round->cut_lines) < wanted &&
           round->cut_lines > cut->line_unit && work * (double)round->cut_lines > 2.0 * WINDOWS_TASK)
        round->cut_lines = windows_up(round->cut_lines / 2, cut->line_unit);
    round->cuts = (round->lines + round->cut_lines - 1) / round->cut_lines;
    work *= (double)tni_max_i64(tni_min_i64(round->cut_lines, round->lines), 1);
    int64_t grain = work >= WINDOWS_TASK || work < 1 ? 1 : (int64_t)(WINDOWS_TASK / work);
    return tni_parallel_for(round->groups * round->strips * round->cuts, grain, windows_task, round);
}

static bool windows_block(windows_round *round) {
    const windows_cut *cut = round->cut;
    for (int64_t from = 0; from == 0 || from < cut->k; from += cut->depth) {
        round->from = from;
        round->depth = tni_min_i64(cut->depth, cut->k - from);
        round->first = from == 0;
        round->last = from + round->depth >= cut->k;
        if (!windows_piece(round))
            return false;
        if (round->last)
            break;
    }
    return true;
}

static void windows_read_bias(const windows_cut *cut, char *biases) {
    const tni_windows *windows = cut->windows;
    int64_t element = (int64_t)tni_dtype_size(windows->bias.dtype);
    for (int64_t group = 0; group < windows->groups; group++)
        for (int64_t line = 0; line < windows->lines; line++)
            tni_block_convert(
                windows->compute, biases + (group * windows->lines + line) * cut->item, windows->bias.dtype,
                (const char *)windows->bias.data + (group * windows->bias.group + line * windows->bias.line) * element, 1);
}

tn_error tni_windows_run(const tni_windows *windows, char *memory, int64_t threads) {
    windows_cut cut;
    windows_begin(&cut, windows);
    tni_product loops = {.compute = windows->compute,
                         .alpha = TNI_PRODUCT_ONE,
                         .scale = TNI_PRODUCT_ONE,
                         .bias = {.data = (void *)(uintptr_t)windows->bias.data},
                         .activation = windows->activation};
    if (!tni_finish_begin(&cut.finish, &loops))
        return tni_failed();
    if (tni_windows_planes_serve(windows))
        return tni_windows_planes_run(windows, &cut.finish, memory, threads) ? TN_OK : TN_ERROR_CANCELLED;
    windows_round round = {.cut = &cut, .threads = threads, .biases = memory, .sums = memory + cut.bias_bytes};
    round.lines_panels = round.sums + cut.sums_bytes;
    if (windows->bias.data)
        windows_read_bias(&cut, round.biases);
    for (round.group = 0; round.group < windows->groups; round.group += cut.group_block) {
        round.groups = tni_min_i64(cut.group_block, windows->groups - round.group);
        for (round.line = 0; round.line < windows->lines; round.line += cut.line_block) {
            round.lines = tni_min_i64(cut.line_block, windows->lines - round.line);
            for (round.across = 0; round.across < cut.across; round.across += cut.across_block) {
                round.windows = tni_min_i64(cut.across_block, cut.across - round.across);
                if (!windows_block(&round))
                    return TN_ERROR_CANCELLED;
            }
        }
    }
    return TN_OK;
}
