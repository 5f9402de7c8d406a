/* copy_engine.c - decides how a copy is done, and does it in tiles.
 *
 * The two geometries are simplified together (iterate/nest.h). Of the dimensions that are left, two make a plane: dimension
 * 0, in which the target moves least, and dimension 1, in which the source does (or the next one, if that is dimension 0 too).
 * The plane is cut into tiles, and one of these ways of copying a tile is chosen for all:
 *
 *     rows         both sides contiguous in dimension 0: memcpy, or stores around the caches
 *     transpose    the target contiguous in dimension 0, the source in dimension 1: blocks in registers
 *     strided      anything else: one element after the other; a source with stride 0 is a fill
 *     convert      between dtypes, rows in place, or through blocks that one of the above gathers and scatters
 *
 * Results that are too large for the caches are written around them. A transposed tile is then first made in a buffer, so that
 * what is written is long pieces of rows: memory is fastest when they are 256 bytes or more.
 *
 * Invariant: how the work is cut depends only on the geometry, and every tile writes its own elements, so the result is the
 * same for any number of threads.
 */
#include "ops/copy/copy_engine.h"

#include "base/parallel.h"
#include "kernels/blocks.h"
#include "iterate/nest.h"
#include "ops/create/fill.h"
#include "ops/limits.h"

enum {
    COPY_TARGET = 0, /* the operands of the nest */
    COPY_SOURCE = 1,
    COPY_PAD = 32 /* bytes between the rows of a buffered tile, to spread them over cache sets */
};

_Atomic int64_t tni_copy_cache_bytes;

typedef struct copy_plan copy_plan;

/* A rectangle of the plane: sizes[0] by sizes[1] elements. `next` is where the tile after it begins, or NULL. */
typedef struct copy_tile {
    char *target;
    const char *source, *next;
    int64_t sizes[2];
} copy_tile;

struct copy_plan {
    const tni_kernel_table *kernels;
    void (*run)(const copy_plan *plan, const copy_tile *tile);
    tni_nest nest;
    char *target;
    const char *source;
    int64_t target_item, source_item; /* bytes of an element */
    tn_dtype target_dtype, source_dtype;
    bool around_caches;
    bool transposed;  /* the source is contiguous in dimension 1                              */
    int64_t tile[2];  /* elements of a tile in dimensions 0 and 1                             */
    int64_t tiles[2]; /* tiles of a plane                                                     */
    int fast;         /* the dimension, 0 or 1, of the next tile                              */
};

static int64_t copy_stride(const copy_plan *plan, int operand, int dim) { return plan->nest.strides[operand][dim]; }

/* ---- the ways to copy a tile ------------------------------------------------------------------------------------- */

static void copy_tile_rows(const copy_plan *plan, const copy_tile *tile) {
    int64_t bytes = tile->sizes[0] * plan->target_item;
    int64_t target_pitch = copy_stride(plan, COPY_TARGET, 1), source_pitch = copy_stride(plan, COPY_SOURCE, 1);
    if (plan->around_caches) {
        tni_stream stream = {.target = tile->target,
                             .source = tile->source,
                             .target_pitch = target_pitch,
                             .source_pitch = source_pitch,
                             .bytes = bytes,
                             .rows = tile->sizes[1],
                             .unordered = true};
        plan->kernels->stream[0](&stream);
        return;
    }
    for (int64_t row = 0; row < tile->sizes[1]; row++)
        memcpy(tile->target + row * target_pitch, tile->source + row * source_pitch, (size_t)bytes);
}

static void copy_tile_strided(const copy_plan *plan, const copy_tile *tile) {
    int64_t target_stride = copy_stride(plan, COPY_TARGET, 0), source_stride = copy_stride(plan, COPY_SOURCE, 0);
    int64_t target_pitch = copy_stride(plan, COPY_TARGET, 1), source_pitch = copy_stride(plan, COPY_SOURCE, 1);
    tni_strided_function strided = plan->kernels->strided[tni_element_index((size_t)plan->target_item)];
    for (int64_t row = 0; row < tile->sizes[1]; row++)
        strided(tile->target + row * target_pitch, target_stride, tile->source + row * source_pitch, source_stride,
                tile->sizes[0]);
}

/* A row filled around the caches, from a block of the element repeated that stays in the first of them. The part before the
 * first whole line is written normally; where the elements never begin with a line, each block ends in the middle of one. */
static void copy_fill_around(const copy_plan *plan, char *target, const char *element, int64_t count) {
    _Alignas(64) char block[COPY_FILL];
    int64_t item = plan->target_item, head = (int64_t)(-(uintptr_t)target % 64);
    head = head % item == 0 ? head : 0;
    int64_t blocks = (count * item - head) / COPY_FILL, done = head + blocks * COPY_FILL;
    tni_fill_contiguous(block, element, (size_t)item, COPY_FILL / item);
    memcpy(target, block, (size_t)head);
    tni_stream stream = {.target = target + head,
                         .source = block,
                         .target_pitch = COPY_FILL,
                         .bytes = COPY_FILL,
                         .rows = blocks,
                         .unordered = true};
    plan->kernels->stream[0](&stream);
    memcpy(target + done, block, (size_t)(count * item - done));
}

static void copy_tile_fill(const copy_plan *plan, const copy_tile *tile) {
    bool around = plan->around_caches && tile->sizes[0] * plan->target_item >= 2 * COPY_FILL;
    for (int64_t row = 0; row < tile->sizes[1]; row++) {
        char *target = tile->target + row * copy_stride(plan, COPY_TARGET, 1);
        const char *element = tile->source + row * copy_stride(plan, COPY_SOURCE, 1);
        if (around)
            copy_fill_around(plan, target, element, tile->sizes[0]);
        else
            tni_fill_contiguous(target, element, (size_t)plan->target_item, tile->sizes[0]);
    }
}

static void copy_tile_transpose(const copy_plan *plan, const copy_tile *tile) {
    plan->kernels->transpose[tni_element_index((size_t)plan->target_item)](tile->target, copy_stride(plan, COPY_TARGET, 1),
                                                                           tile->source, copy_stride(plan, COPY_SOURCE, 0),
                                                                           tile->sizes[0], tile->sizes[1]);
}

/* `source`, which has the tile's elements, perhaps at another pitch, is transposed into `buffer`, and whole rows are written
 * from there: around the caches, while the next tile's source is fetched, or normally. */
static void copy_transpose_through(const copy_plan *plan, const copy_tile *tile, const char *source, int64_t pitch,
                                   char *buffer) {
    int64_t item = plan->target_item, run = tile->sizes[0] * item, target_pitch = copy_stride(plan, COPY_TARGET, 1);
    bool one_run = run == target_pitch; /* the rows follow each other in the target: they are one */
    int64_t buffer_pitch = one_run ? run : run + COPY_PAD;
    plan->kernels->transpose[tni_element_index((size_t)item)](buffer, buffer_pitch, source, pitch, tile->sizes[0],
                                                              tile->sizes[1]);
    tni_stream rows = {.target = tile->target,
                       .source = buffer,
                       .target_pitch = target_pitch,
                       .source_pitch = buffer_pitch,
                       .bytes = one_run ? run * tile->sizes[1] : run,
                       .rows = one_run ? 1 : tile->sizes[1],
                       .next = tile->next,
                       .next_pitch = copy_stride(plan, COPY_SOURCE, 0),
                       .next_bytes = tile->sizes[1] * item,
                       .next_rows = tile->next ? tile->sizes[0] : 0,
                       .unordered = true};
    if (plan->around_caches)
        plan->kernels->stream[0](&rows);
    else
        for (int64_t row = 0; row < rows.rows; row++)
            memcpy(rows.target + row * target_pitch, buffer + row * buffer_pitch, (size_t)rows.bytes);
}

static void copy_tile_transpose_buffered(const copy_plan *plan, const copy_tile *tile) {
    _Alignas(64) char buffer[COPY_TILE + COPY_RUN * COPY_PAD];
    copy_transpose_through(plan, tile, tile->source, copy_stride(plan, COPY_SOURCE, 0), buffer);
}

/* Rows of the source whose addresses differ by a multiple of the caches' period evict each other before a line has been used
 * up. A block of small elements touches so many of them that it pays to gather them first. */
static void copy_tile_transpose_gathered(const copy_plan *plan, const copy_tile *tile) {
    _Alignas(64) char gathered[COPY_TILE / 2 + COPY_ROWS * COPY_PAD], buffer[COPY_TILE / 2 + COPY_RUN * COPY_PAD];
    int64_t width = tile->sizes[1] * plan->target_item, pitch = width + COPY_PAD;
    int64_t source_pitch = copy_stride(plan, COPY_SOURCE, 0);
    for (int64_t row = 0; row < tile->sizes[0]; row++)
        memcpy(gathered + row * pitch, tile->source + row * source_pitch, (size_t)width);
    copy_transpose_through(plan, tile, gathered, pitch, buffer);
}

/* ---- conversion -------------------------------------------------------------------------------------------------- */

static void copy_convert_run(const copy_plan *plan, char *target, const char *source, int64_t count) {
    tni_block_convert(plan->target_dtype, target, plan->source_dtype, source, count);
}

/* The same, written around the caches: by a kernel that does so, except for the lines at both ends, or through a block. */
static void copy_convert_run_around(const copy_plan *plan, char *target, const char *source, int64_t count) {
    _Alignas(64) char block[COPY_CONVERT_BYTES / 2];
    tni_convert_function around = plan->kernels->around[(int)plan->source_dtype * TN_DTYPE_COUNT + (int)plan->target_dtype];
    int64_t item = plan->target_item, line = 64 / item;
    int64_t head = (int64_t)(-(uintptr_t)target % 64);
    if (around && head % item == 0 && count > head / item + line) {
        copy_convert_run(plan, target, source, head / item);
        int64_t lines = (count - head / item) / line * line, rest = head / item + lines;
        around(target + head, source + head / item * plan->source_item, (size_t)lines);
        copy_convert_run(plan, target + rest * item, source + rest * plan->source_item, count - rest);
        return;
    }
    int64_t step = (int64_t)sizeof block / item;
    for (int64_t done = 0; done < count; done += step) {
        int64_t many = tni_min_i64(step, count - done);
        copy_convert_run(plan, block, source + done * plan->source_item, many);
        tni_stream stream = {
            .target = target + done * item, .source = block, .bytes = many * item, .rows = 1, .unordered = true};
        plan->kernels->stream[0](&stream);
    }
}

/* Both sides contiguous in dimension 0. */
static void copy_tile_convert_rows(const copy_plan *plan, const copy_tile *tile) {
    for (int64_t row = 0; row < tile->sizes[1]; row++) {
        char *target = tile->target + row * copy_stride(plan, COPY_TARGET, 1);
        const char *source = tile->source + row * copy_stride(plan, COPY_SOURCE, 1);
        (plan->around_caches ? copy_convert_run_around : copy_convert_run)(plan, target, source, tile->sizes[0]);
    }
}

/* Gather the source to a block, convert the block, scatter it. */
static void copy_tile_convert(const copy_plan *plan, const copy_tile *tile) {
    _Alignas(64) char gathered[COPY_CONVERT_BYTES], converted[COPY_CONVERT_BYTES];
    int64_t columns = tile->sizes[0], rows = tile->sizes[1], pitch = columns * plan->source_item;
    int64_t source_stride = copy_stride(plan, COPY_SOURCE, 0), source_pitch = copy_stride(plan, COPY_SOURCE, 1);
    int source_index = tni_element_index((size_t)plan->source_item);
    if (plan->transposed)
        plan->kernels->transpose[source_index](gathered, pitch, tile->source, source_stride, columns, rows);
    else {
        int64_t row = 0; /* a tile is never empty */
        do
            plan->kernels->strided[source_index](gathered + row * pitch, plan->source_item, tile->source + row * source_pitch,
                                                 source_stride, columns);
        while (++row < rows);
    }
    copy_convert_run(plan, converted, gathered, columns * rows);
    int64_t target_stride = copy_stride(plan, COPY_TARGET, 0), target_pitch = copy_stride(plan, COPY_TARGET, 1);
    pitch = columns * plan->target_item;
    for (int64_t row = 0; row < rows; row++) {
        char *target = tile->target + row * target_pitch;
        if (target_stride == plan->target_item)
            memcpy(target, converted + row * pitch, (size_t)pitch);
        else
            plan->kernels->strided[tni_element_index((size_t)plan->target_item)](target, target_stride, converted + row * pitch,
                                                                                 plan->target_item, columns);
    }
}

/* ---- the loop over tiles ----------------------------------------------------------------------------------------- */

/* Where a worker is: a tile of a plane, and the plane's place in the outer dimensions. */
typedef struct copy_cursor {
    int64_t at[2];              /* the tile, in dimensions 0 and 1 */
    int64_t index[TN_MAX_DIMS]; /* from dimension 2 on             */
    int64_t target, source;     /* bytes to the plane              */
} copy_cursor;

static void copy_cursor_set(const copy_plan *plan, copy_cursor *cursor, int64_t tile) {
    const tni_nest *nest = &plan->nest;
    int fast = plan->fast, slow = 1 - plan->fast;
    cursor->at[fast] = tile % plan->tiles[fast];
    tile /= plan->tiles[fast];
    cursor->at[slow] = tile % plan->tiles[slow];
    tile /= plan->tiles[slow];
    cursor->target = cursor->source = 0;
    for (int64_t d = 2; d < nest->ndim; d++) {
        cursor->index[d] = tile % nest->sizes[d];
        tile /= nest->sizes[d];
        cursor->target += cursor->index[d] * nest->strides[COPY_TARGET][d];
        cursor->source += cursor->index[d] * nest->strides[COPY_SOURCE][d];
    }
}

static void copy_cursor_advance(const copy_plan *plan, copy_cursor *cursor) {
    const tni_nest *nest = &plan->nest;
    int fast = plan->fast, slow = 1 - plan->fast;
    if (++cursor->at[fast] < plan->tiles[fast])
        return;
    cursor->at[fast] = 0;
    if (++cursor->at[slow] < plan->tiles[slow])
        return;
    cursor->at[slow] = 0;
    for (int64_t d = 2; d < nest->ndim; d++) {
        cursor->target += nest->strides[COPY_TARGET][d];
        cursor->source += nest->strides[COPY_SOURCE][d];
        if (++cursor->index[d] < nest->sizes[d])
            return;
        cursor->index[d] = 0;
        cursor->target -= nest->sizes[d] * nest->strides[COPY_TARGET][d];
        cursor->source -= nest->sizes[d] * nest->strides[COPY_SOURCE][d];
    }
}

static const char *copy_cursor_source(const copy_plan *plan, const copy_cursor *cursor) {
    return plan->source + cursor->source + cursor->at[0] * plan->tile[0] * copy_stride(plan, COPY_SOURCE, 0) +
           cursor->at[1] * plan->tile[1] * copy_stride(plan, COPY_SOURCE, 1);
}

static void copy_run_tiles(void *arg, int64_t begin, int64_t end) {
    const copy_plan *plan = arg;
    copy_cursor cursor;
    copy_cursor_set(plan, &cursor, begin);
    for (int64_t i = begin; i < end; i++) {
        copy_tile tile;
        tile.target = plan->target + cursor.target;
        tile.source = copy_cursor_source(plan, &cursor);
        tile.next = NULL;
        for (int d = 0; d < 2; d++) {
            int64_t first = cursor.at[d] * plan->tile[d];
            tile.target += first * copy_stride(plan, COPY_TARGET, d);
            tile.sizes[d] = tni_min_i64(plan->tile[d], plan->nest.sizes[d] - first);
        }
        copy_cursor_advance(plan, &cursor);
        if (i + 1 < end)
            tile.next = copy_cursor_source(plan, &cursor);
        plan->run(plan, &tile);
    }
    if (plan->around_caches) /* once for all tiles: waiting for the writes of each would cost as much as the writes */
        plan->kernels->stream[0](&(tni_stream){.rows = 0});
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

/* Rows of 2, 4, 8 or 16 bytes that both sides keep together are elements of that size. */
static void copy_enlarge_elements(copy_plan *plan) {
    tni_nest *nest = &plan->nest;
    while (nest->ndim > 1 && copy_stride(plan, COPY_TARGET, 0) == plan->target_item &&
           copy_stride(plan, COPY_SOURCE, 0) == plan->target_item) {
        int64_t bytes = nest->sizes[0] * plan->target_item;
        if (bytes > 16 || (bytes & (bytes - 1)) != 0)
            return;
        plan->target_item = plan->source_item = bytes;
        tni_nest_move(nest, 0, nest->ndim - 1);
        nest->ndim--;
    }
}

/* Bring the dimension in which the source moves least to position 1, running forward; false when that is dimension 0. */
static bool copy_find_transpose(copy_plan *plan) {
    tni_nest *nest = &plan->nest;
    int64_t best = 0, least = INT64_MAX;
    for (int64_t d = 0; d < nest->ndim; d++) {
        int64_t stride = nest->strides[COPY_SOURCE][d];
        stride = stride < 0 ? -stride : stride;
        if (stride != 0 && stride < least) {
            best = d;
            least = stride;
        }
    }
    if (best == 0)
        return false;
    if (nest->strides[COPY_SOURCE][best] < 0)
        tni_nest_turn(nest, best);
    tni_nest_move(nest, best, 1);
    return true;
}

static void copy_tile_sizes(copy_plan *plan, int64_t columns, int64_t rows) {
    plan->tile[0] = tni_max_i64(1, tni_min_i64(columns, plan->nest.sizes[0]));
    plan->tile[1] = tni_max_i64(1, tni_min_i64(rows, plan->nest.sizes[1]));
}

/* Whole rows, as many as make a piece; a longer row is cut. */
static void copy_choose_rows(copy_plan *plan, void (*run)(const copy_plan *, const copy_tile *)) {
    int64_t columns = COPY_PIECE / plan->target_item;
    copy_tile_sizes(plan, columns, columns / plan->nest.sizes[0]);
    plan->run = run;
}

static void copy_choose_transpose(copy_plan *plan) {
    int64_t item = plan->target_item, size = plan->nest.sizes[0];
    int64_t target_pitch = copy_stride(plan, COPY_TARGET, 1), source_pitch = copy_stride(plan, COPY_SOURCE, 0);
    bool gathers = source_pitch % COPY_PERIOD == 0 && item <= 2;
    bool collides = source_pitch % COPY_PERIOD == 0 || target_pitch % COPY_PERIOD == 0;
    /* Where rows do not begin with a line, longer runs leave fewer lines written in part; and rows that follow each other
     * without a gap are best taken whole, because then the tile is one run. */
    bool lines = ((uintptr_t)plan->target | (uintptr_t)target_pitch) % 64 == 0;
    int64_t run = (plan->around_caches && !lines ? (item == 1 ? 2 : 4) * COPY_RUN : COPY_RUN) / item;
    if (!lines && size * item == target_pitch && size * item <= 4 * COPY_RUN && size <= COPY_ROWS)
        run = size;
    int64_t most = (gathers || item == 1 ? COPY_TILE / 2 : COPY_TILE) / (run * item);
    copy_tile_sizes(plan, run, tni_min_i64(COPY_RUN / item, most));
    plan->fast = 1;
    plan->run = gathers                           ? copy_tile_transpose_gathered
                : plan->around_caches || collides ? copy_tile_transpose_buffered
                                                  : copy_tile_transpose;
}

static void copy_choose_strided(copy_plan *plan, bool source_prefers_1) {
    tni_nest *nest = &plan->nest;
    bool target_rows = copy_stride(plan, COPY_TARGET, 0) == plan->target_item;
    if (copy_stride(plan, COPY_SOURCE, 0) == 0 && target_rows)
        copy_choose_rows(plan, copy_tile_fill);
    else if (source_prefers_1) {
        copy_tile_sizes(plan, nest->sizes[1] <= COPY_FEW_ROWS ? COPY_LONG : COPY_WIDE, COPY_HIGH);
        plan->run = copy_tile_strided;
    } else
        copy_choose_rows(plan, copy_tile_strided);
}

static void copy_choose_same(copy_plan *plan) {
    tni_nest *nest = &plan->nest;
    bool target_rows = copy_stride(plan, COPY_TARGET, 0) == plan->target_item;
    bool source_rows = copy_stride(plan, COPY_SOURCE, 0) == plan->target_item;
    bool short_rows = nest->sizes[0] * plan->target_item < COPY_SHORT_ROW && nest->sizes[0] < nest->sizes[1];
    if (target_rows && source_rows && !short_rows) {
        plan->around_caches = plan->around_caches && nest->sizes[0] * plan->target_item >= 2 * COPY_RUN;
        copy_choose_rows(plan, copy_tile_rows);
        return;
    }
    bool prefers_1 = copy_find_transpose(plan);
    if (prefers_1 && target_rows && copy_stride(plan, COPY_SOURCE, 1) == plan->target_item && nest->sizes[0] >= COPY_LEAST &&
        nest->sizes[1] >= COPY_LEAST) {
        copy_choose_transpose(plan);
        return;
    }
    short_rows = nest->sizes[0] * plan->target_item < COPY_SHORT_ROW && nest->sizes[0] < nest->sizes[1];
    if (short_rows) { /* a long loop over few elements at a time, in tiles that stay in the cache */
        tni_nest_move(nest, 0, 1);
        copy_tile_sizes(plan, COPY_LONG, COPY_HIGH);
        plan->run = copy_tile_strided;
        return;
    }
    copy_choose_strided(plan, prefers_1);
}

static void copy_choose_convert(copy_plan *plan) {
    tni_nest *nest = &plan->nest;
    bool target_rows = copy_stride(plan, COPY_TARGET, 0) == plan->target_item;
    bool source_rows = copy_stride(plan, COPY_SOURCE, 0) == plan->source_item;
    if (target_rows && source_rows && (nest->sizes[0] >= COPY_CONVERT_COLUMNS || nest->sizes[0] >= nest->sizes[1])) {
        plan->around_caches = plan->around_caches && nest->sizes[0] * plan->target_item >= 2 * COPY_RUN;
        copy_choose_rows(plan, copy_tile_convert_rows);
        return;
    }
    bool prefers_1 = copy_find_transpose(plan);
    plan->transposed = prefers_1 && copy_stride(plan, COPY_SOURCE, 1) == plan->source_item;
    plan->fast = plan->transposed;
    int64_t columns = prefers_1 ? COPY_CONVERT_COLUMNS : COPY_CONVERT;
    columns = tni_min_i64(columns, nest->sizes[0]);
    copy_tile_sizes(plan, columns, COPY_CONVERT / columns);
    plan->run = copy_tile_convert;
}

bool tni_copy_is_beyond_caches(int64_t count, int64_t target_item, int64_t source_item) {
    int64_t cache = atomic_load_explicit(&tni_copy_cache_bytes, memory_order_relaxed);
    if (cache == 0)
        cache = tni_cpu_last_level_bytes();
    int64_t from = tni_kernel_stream_from(cache);
    return count > from / (target_item + source_item) && count * target_item >= from / 4;
}

/* A few row-major elements of one dtype, for which planning would take longer than copying: done, or false. */
static bool copy_small_run(const tni_copy *copy) {
    if (copy->target_dtype != copy->source_dtype)
        return false;
    int64_t count = 1, most = COPY_SMALL / (int64_t)tni_dtype_size(copy->target_dtype);
    for (int64_t d = copy->ndim - 1; d >= 0; d--) {
        int64_t size = copy->sizes[d];
        if (size == 1)
            continue;
        if (copy->target_strides[d] != count || copy->source_strides[d] != count || size > most / count)
            return false;
        count *= size;
        if (count == 0)
            return true;
    }
    memcpy(copy->target, copy->source, (size_t)count * tni_dtype_size(copy->target_dtype));
    return true;
}

void tni_copy_elements(const tni_copy *copy) {
    if (copy_small_run(copy))
        return;
    copy_plan plan; /* kilobytes, only a few words of which are used: not cleared as a whole */
    plan.kernels = tni_kernels();
    plan.target_dtype = copy->target_dtype;
    plan.source_dtype = copy->source_dtype;
    plan.target_item = (int64_t)tni_dtype_size(copy->target_dtype);
    plan.source_item = (int64_t)tni_dtype_size(copy->source_dtype);
    plan.transposed = false;
    plan.fast = 0;
    tni_nest *nest = &plan.nest;
    tni_nest_begin(nest, copy->ndim, copy->sizes);
    for (int64_t d = 0; d < copy->ndim; d++)
        if (copy->sizes[d] == 0)
            return;
    tni_nest_add(nest, copy->target_strides, (size_t)plan.target_item);
    tni_nest_add(nest, copy->source_strides, (size_t)plan.source_item);
    tni_nest_simplify(nest);
    plan.target = copy->target + nest->starts[COPY_TARGET];
    plan.source = copy->source + nest->starts[COPY_SOURCE];
    nest->starts[COPY_TARGET] = nest->starts[COPY_SOURCE] = 0;

    /* One element for all: converted once, and then a fill. */
    bool stands_still = true;
    for (int64_t d = 0; d < nest->ndim; d++)
        stands_still = stands_still && nest->strides[COPY_SOURCE][d] == 0;
    _Alignas(16) char element[16];
    if (stands_still && plan.source_dtype != plan.target_dtype) {
        copy_convert_run(&plan, element, plan.source, 1);
        plan.source = element;
        plan.source_dtype = plan.target_dtype;
        plan.source_item = plan.target_item;
    }

    int64_t count = tni_nest_count(nest);
    plan.around_caches = tni_copy_is_beyond_caches(count, plan.target_item, plan.source_item);
    bool same = plan.source_dtype == plan.target_dtype;
    if (same)
        copy_enlarge_elements(&plan);
    while (nest->ndim < 2) {
        nest->sizes[nest->ndim] = 1;
        nest->strides[COPY_TARGET][nest->ndim] = nest->strides[COPY_SOURCE][nest->ndim] = 0;
        nest->ndim++;
    }
    (same ? copy_choose_same : copy_choose_convert)(&plan);

    /* Choosing may have reversed a dimension. */
    plan.target += nest->starts[COPY_TARGET];
    plan.source += nest->starts[COPY_SOURCE];
    int64_t tiles = 1;
    for (int d = 0; d < 2; d++) {
        plan.tiles[d] = (nest->sizes[d] + plan.tile[d] - 1) / plan.tile[d];
        tiles *= plan.tiles[d];
    }
    for (int64_t d = 2; d < nest->ndim; d++)
        tiles *= nest->sizes[d];
    int64_t tile_bytes = plan.tile[0] * plan.tile[1] * tni_max_i64(plan.target_item, plan.source_item);
    tni_parallel_for(tiles, tni_max_i64(1, COPY_PIECE / tile_bytes), copy_run_tiles, &plan);
}
