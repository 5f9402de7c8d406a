/* windows_planes.c - convolutions without panels, for groups of few channels and images that are wide enough.
 *
 * A task makes some rows of the lines of one group. The rows of the image that it needs, of some channels at a time, are copied,
 * converted, with the zeros that padding stands for, and, where windows move by more than 1, apart by the rest of their index: so what a
 * tap needs for all positions of the task, row after row, lies next to each other at one offset. Then every sum goes over the taps, in
 * tiles of lines and positions (kernels/window_loop.h), with weights read where they are. Between two rows there are some positions
 * too many, as many as a window is wider than 1; they are computed and left out.
 *
 * Where each group is one channel, and channels are next to each other in the image and in the result, a task makes a row of all planes
 * instead, element by element, and reads the image where it is. Where channels are next to each other and groups are large, windows_last.c does it.
 *
 * A sum is made of the sums of some channels, in order, and each of those has one accumulator, over all taps of a channel before those of
 * the next. Which channels, and whether a call comes here, follows from sizes alone; so bits depend neither on strides nor on threads.
 */
#include "iterate/windows_planes.h"

#include "base/parallel.h"
#include "iterate/limits.h"
#include "iterate/thread_memory.h"
#include "iterate/windows_last.h"
#include "kernels/blocks.h"

typedef struct planes_call {
    const tni_windows *windows;
    const tni_finish *finish;
    bool doubles;
    int64_t item, taps;      /* bytes of a number; taps of a channel */
    int64_t channels, depth; /* of a group, and of a piece of them   */
    /* in each dimension: where a window begins, beside its first tap, and its width; by how much taps of one rest reach further */
    int64_t least[TNI_WINDOW_DIMS], reach[TNI_WINDOW_DIMS], shift[TNI_WINDOW_DIMS];
    int64_t slots[TNI_WINDOW_DIMS], phase[TNI_WINDOW_DIMS][PLANES_PHASES]; /* the rests that taps have */
    int64_t row_block, column_block, row_blocks, column_blocks;            /* of the result that a task makes */
    int64_t pitch, plane, channel; /* numbers of a row in memory, of a rest, and of a channel */
    int64_t sums, lines;           /* numbers of a line of sums; lines of sums                */
    size_t tap_bytes, weight_bytes, bias_bytes, set_bytes;
    const tni_window_tap *tap_list; /* of a piece */
    struct {                        /* as tiles read them */
        const char *data;
        int64_t group, line, channel; /* bytes */
    } weights;
    char *biases;
    tni_thread_memory memory;
} planes_call;

static int64_t planes_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }
static int64_t planes_parts(int64_t value, int64_t part) { return (value + part - 1) / part; }

/* ---- sizes */

/* The tile for `left` lines of a group. */
static int planes_tile(const tni_window_tiles *tiles, int64_t left) {
    return left >= tiles->of[0].lines || left > tiles->of[1].lines ? 0 : left > 2 ? 1 : 2;
}

static bool planes_find_phases(planes_call *call, int d) {
    const tni_windows *windows = call->windows;
    int64_t step = d == 0 ? 1 : windows->x.step[d], far = windows->x.tap_step[d] * (windows->taps[d] - 1);
    call->least[d] = far < 0 ? far : 0;
    call->reach[d] = (far < 0 ? -far : far) + 1;
    call->shift[d] = (call->reach[d] - 1) / step;
    call->slots[d] = 0;
    if (step > PLANES_PHASES)
        return false;
    for (int64_t t = 0; t < windows->taps[d] && call->slots[d] < step; t++) {
        int64_t phase = (t * windows->x.tap_step[d] - call->least[d]) % step, s = 0;
        while (s < call->slots[d] && call->phase[d][s] != phase)
            s++;
        call->phase[d][s] = phase;
        call->slots[d] += s == call->slots[d];
    }
    return true;
}

static int64_t planes_slot(const planes_call *call, int d, int64_t phase) {
    int64_t s = 0;
    while (call->phase[d][s] != phase)
        s++;
    return s;
}

/* Numbers of the image and of sums that `rows` and `columns` of a task need. */
static double planes_numbers(const planes_call *call, int64_t rows, int64_t columns) {
    double planes = (double)(call->windows->taps[0] * call->slots[1] * call->slots[2]) * (double)call->depth;
    double pitch = (double)(columns + call->shift[2]);
    return planes * pitch * (double)(rows + call->shift[1]) + (double)call->lines * (pitch * (double)rows + 16);
}

/* Numbers of each line that are computed with blocks of `rows`. */
static int64_t planes_cost(const planes_call *call, int64_t rows, int64_t unit) {
    int64_t pitch = call->column_block + call->shift[2], all = call->windows->positions[2], last = all % rows;
    return all / rows * planes_up(rows * pitch - call->shift[2], unit) +
           (last ? planes_up(last * pitch - call->shift[2], unit) : 0);
}

static bool planes_have_channels(const tni_windows *windows) {
    return windows->lines == 1 && windows->taps[3] == 1 && windows->groups > 1 && windows->x.group == 1 &&
           windows->z.group == 1 && windows->x.dtype == windows->compute && windows->z.dtype == windows->compute &&
           windows->taps[0] * windows->taps[1] * windows->taps[2] <= PLANES_TAPS;
}

/* Fills in everything that follows from sizes; false where panels are better, or the only way. */
static bool planes_begin(planes_call *call, const tni_windows *windows, int64_t threads) {
    call->windows = windows;
    call->doubles = windows->compute == TN_FLOAT64;
    call->item = call->doubles ? 8 : 4;
    call->channels = windows->taps[3];
    double taps = (double)windows->taps[0] * (double)windows->taps[1] * (double)windows->taps[2];
    double weights = (double)windows->groups * (double)windows->lines * taps * (double)call->channels;
    if (windows->over_positions || (windows->compute != TN_FLOAT32 && windows->compute != TN_FLOAT64) || weights < 1 ||
        taps > PLANES_TAPS || (windows->y.dtype != windows->compute && weights * (double)call->item > PLANES_WEIGHTS))
        return false;
    for (int d = 0; d < TNI_WINDOW_DIMS; d++)
        if (!planes_find_phases(call, d))
            return false;
    call->taps = (int64_t)taps;
    call->depth = tni_min_i64(tni_max_i64(WINDOWS_DEPTH / call->taps, 1), call->channels);
    call->depth = (call->channels + planes_parts(call->channels, call->depth) - 1) / planes_parts(call->channels, call->depth);
    const tni_window_tiles *tiles = tni_kernels()->window_tiles[call->doubles];
    call->lines = 0;
    while (call->lines < windows->lines)
        call->lines += tiles->of[planes_tile(tiles, windows->lines - call->lines)].lines;

    /* As many columns, and then rows, as there is room for. */
    const int64_t *positions = windows->positions;
    double most = (double)PLANES_MOST_BYTES / (double)call->item, usual = (double)PLANES_BYTES / (double)call->item;
    call->column_block = tni_min_i64(positions[3], PLANES_COLUMNS);
    while (call->column_block > 1 && planes_numbers(call, 1, call->column_block) > most)
        call->column_block = (call->column_block + 1) / 2;
    if (planes_numbers(call, 1, call->column_block) > most)
        return false;
    /* What is computed too much, beside what packing each window would cost. */
    if (call->shift[2] * tni_min_i64(windows->lines, 256) > 16 * call->column_block && call->channels > 8)
        return false;
    int64_t rows = 1, unit = tiles->of[planes_tile(tiles, windows->lines)].columns;
    while (rows < positions[2] && (planes_numbers(call, rows + 1, call->column_block) <= usual ||
                                   (rows < PLANES_ROWS && planes_numbers(call, rows + 1, call->column_block) <= most)))
        rows++;
    call->row_block = rows;
    for (int64_t r = rows - 1; r > rows / 2; r--)
        if (planes_cost(call, r, unit) < planes_cost(call, call->row_block, unit))
            call->row_block = r;
    call->column_blocks = planes_parts(positions[3], call->column_block);
    double tasks = (double)positions[0] * (double)windows->groups * (double)positions[1] * (double)call->column_blocks;
    while (call->row_block > 1 && tasks * (double)planes_parts(positions[2], call->row_block) < 2.0 * (double)threads &&
           threads > 1)
        call->row_block = (call->row_block + 1) / 2;
    call->row_blocks = planes_parts(positions[2], call->row_block);
    call->pitch = call->column_block + call->shift[2];
    call->plane = call->pitch * (call->row_block + call->shift[1]);
    call->channel = call->plane * windows->taps[0] * call->slots[1] * call->slots[2];
    call->sums = planes_up(call->pitch * call->row_block, TNI_WINDOW_TILE_COLUMNS) + TNI_WINDOW_TILE_COLUMNS;

    size_t item = (size_t)call->item;
    bool channels = planes_have_channels(windows);
    call->tap_bytes = (size_t)planes_up(call->taps * call->depth * (int64_t)sizeof(tni_window_tap), 64);
    call->weight_bytes =
        channels || windows->y.dtype != windows->compute ? (size_t)planes_up((int64_t)weights * call->item, 64) : 0;
    call->set_bytes = 0;
    if (!channels) {
        call->set_bytes =
            ((size_t)(call->channel * call->depth) + TNI_WINDOW_TILE_COLUMNS + (size_t)(call->lines * call->sums)) * item;
        if (windows->z.dtype != windows->compute)
            call->set_bytes += TNI_WINDOW_TILE_LINES * (size_t)call->sums * item;
        call->set_bytes = (call->set_bytes + 63) / 64 * 64;
    }
    call->bias_bytes = windows->bias.data ? (size_t)planes_up(windows->groups * windows->lines * call->item, 64) : 0;
    return true;
}

bool tni_windows_planes_serve(const tni_windows *windows) {
    planes_call call;
    return planes_begin(&call, windows, 1);
}

static int64_t planes_sets(int64_t threads) { return tni_max_i64(tni_min_i64(threads, THREAD_SETS), 1); }

size_t tni_windows_planes_bytes(const tni_windows *windows, int64_t threads) {
    planes_call call;
    if (!planes_begin(&call, windows, threads))
        return 0;
    tni_windows_last last;
    return tni_windows_last_begin(&last, windows, call.depth, threads)
               ? tni_windows_last_bytes(&last, threads)
               : call.tap_bytes + call.weight_bytes + call.bias_bytes + call.set_bytes * (size_t)planes_sets(threads);
}

/* ---- weights */

/* The index of a tap along d, h and w. */
static void planes_unravel(const tni_windows *windows, int64_t tap, int64_t index[TNI_WINDOW_DIMS]) {
    for (int d = TNI_WINDOW_DIMS; d-- > 0; tap /= windows->taps[d])
        index[d] = tap % windows->taps[d];
}

/* Weights of another dtype, and those of channels that are next to each other, are copied: by group, line, channel and tap, or by tap. */
static void planes_copy_weights(const planes_call *call, char *to, int64_t begin, int64_t end) {
    const tni_windows *windows = call->windows;
    int64_t size = (int64_t)tni_dtype_size(windows->y.dtype);
    bool by_tap = planes_have_channels(windows);
    for (int64_t group = begin; group < end; group++)
        for (int64_t line = 0; line < windows->lines; line++)
            for (int64_t c = 0; c < call->channels; c++)
                for (int64_t t = 0; t < call->taps; t++) {
                    int64_t index[TNI_WINDOW_DIMS], place = group * windows->y.group + line * windows->y.line;
                    planes_unravel(windows, t, index);
                    for (int d = 0; d < TNI_WINDOW_DIMS; d++)
                        place += index[d] * windows->y.along[d];
                    place += c * windows->y.along[TNI_WINDOW_DIMS];
                    int64_t at = by_tap ? t * windows->groups + group
                                        : ((group * windows->lines + line) * call->channels + c) * call->taps + t;
                    const char *from = (const char *)windows->y.data + place * size;
                    if (windows->y.dtype != windows->compute)
                        tni_block_convert(windows->compute, to + at * call->item, windows->y.dtype, from, 1);
                    else
                        memcpy(to + at * call->item, from, (size_t)call->item);
                }
}

/* Where taps are in the memory of a task and in a line of weights, in bytes; and where those lines are. */
static void planes_find_taps(planes_call *call, tni_window_tap *taps, const char *copy) {
    const tni_windows *windows = call->windows;
    int64_t item = call->item, channel = windows->y.along[TNI_WINDOW_DIMS] * item;
    call->weights.data = windows->y.data;
    call->weights.group = windows->y.group * item;
    call->weights.line = windows->y.line * item;
    if (windows->y.dtype != windows->compute) {
        channel = call->taps * item;
        call->weights.data = copy;
        call->weights.line = call->channels * channel;
        call->weights.group = windows->lines * call->weights.line;
    }
    call->weights.channel = channel;
    for (int64_t p = 0; p < call->taps * call->depth; p++) {
        int64_t tap[TNI_WINDOW_DIMS], slot[TNI_WINDOW_DIMS], shift[TNI_WINDOW_DIMS], c = p / call->taps, place = 0;
        planes_unravel(windows, p % call->taps, tap);
        for (int d = 1; d < TNI_WINDOW_DIMS; d++) {
            int64_t at = tap[d] * windows->x.tap_step[d] - call->least[d];
            slot[d] = planes_slot(call, d, at % windows->x.step[d]);
            shift[d] = at / windows->x.step[d];
        }
        for (int d = 0; d < TNI_WINDOW_DIMS; d++)
            place += tap[d] * windows->y.along[d];
        if (windows->y.dtype != windows->compute)
            place = p % call->taps;
        taps[p].image = (c * call->channel + ((tap[0] * call->slots[1] + slot[1]) * call->slots[2] + slot[2]) * call->plane +
                         shift[1] * call->pitch + shift[2]) *
                        item;
        taps[p].weight = c * channel + place * item;
    }
    call->tap_list = taps;
}

/* ---- the image */

/* Of `count` indices, first, first + step, ..., the part [begin, end) that lies in [0, size). */
static void planes_clip(int64_t first, int64_t step, int64_t count, int64_t size, int64_t *begin, int64_t *end) {
    *begin = first < 0 ? tni_min_i64((-first + step - 1) / step, count) : 0;
    *end = first >= size ? 0 : tni_min_i64(count, (size - 1 - first) / step + 1);
    *end = tni_max_i64(*begin, *end);
}

/* A row of another dtype. */
static void planes_convert(const tni_windows *windows, char *to, const char *from, int64_t step, int64_t count) {
    _Alignas(64) char raw[PLANES_RAW * 8];
    int64_t small = (int64_t)tni_dtype_size(windows->x.dtype), item = (int64_t)tni_dtype_size(windows->compute);
    for (int64_t j = 0, many; j < count; j += many) {
        many = tni_min_i64(count - j, PLANES_RAW);
        tni_block_move((size_t)small, raw, small, from + j * step, step, many);
        tni_block_convert(windows->compute, to + j * item, windows->x.dtype, raw, many);
    }
}

/* The rows of a rest, of some channels: `top` and `left` are the image's indices of the first. */
static void planes_fill(const planes_call *call, char *to, const char *image, int64_t channels, int64_t top, int64_t left,
                        int64_t height, int64_t width) {
    const tni_windows *windows = call->windows;
    int64_t item = call->item, small = (int64_t)tni_dtype_size(windows->x.dtype);
    int64_t row = 0, row_end = 0, column = 0, column_end = 0;
    if (image) {
        planes_clip(top, windows->x.step[1], height, windows->x.sizes[1], &row, &row_end);
        planes_clip(left, windows->x.step[2], width, windows->x.sizes[2], &column, &column_end);
    }
    bool whole = row == 0 && row_end == height && column == 0 && column_end == width;
    for (int64_t c = 0; c < channels && !whole; c++)
        memset(to + c * call->channel * item, 0, (size_t)(call->plane * item));
    if (row == row_end || column == column_end)
        return;
    int64_t down = windows->x.step[1] * windows->x.strides[1] * small, along = windows->x.step[2] * windows->x.strides[2];
    const char *from =
        image + (top * windows->x.strides[1] + left * windows->x.strides[2]) * small + row * down + column * along * small;
    to += (row * call->pitch + column) * item;
    int64_t rows = row_end - row, columns = column_end - column;
    if (windows->x.dtype == windows->compute && windows->x.channel == 1 && channels > 1) {
        for (int64_t r = 0; r < rows; r++)
            tni_block_gather((size_t)item, to + r * call->pitch * item, call->channel * item, from + r * down, item,
                             along * item, channels, columns);
        return;
    }
    for (int64_t c = 0; c < channels; c++, to += call->channel * item, from += windows->x.channel * small) {
        if (windows->x.dtype == windows->compute) {
            tni_kernels()->window_rows[call->doubles](to, call->pitch * item, from, along, down, columns, rows);
            continue;
        }
        for (int64_t r = 0; r < rows; r++)
            planes_convert(windows, to + r * call->pitch * item, from + r * down, along * small, columns);
    }
}

/* ---- a task */

typedef struct planes_block {
    int64_t image, group, depth, row, column, rows, columns;
} planes_block;

static void planes_read(const planes_call *call, const planes_block *block, char *scratch, int64_t channel, int64_t channels) {
    const tni_windows *windows = call->windows;
    int64_t small = (int64_t)tni_dtype_size(windows->x.dtype);
    int64_t place = block->image * windows->x.image + block->group * windows->x.group + channel * windows->x.channel;
    int64_t top = windows->x.origin[1] + block->row * windows->x.step[1] + call->least[1];
    int64_t left = windows->x.origin[2] + block->column * windows->x.step[2] + call->least[2];
    for (int64_t t = 0; t < windows->taps[0]; t++) {
        int64_t d = windows->x.origin[0] + block->depth * windows->x.step[0] + t * windows->x.tap_step[0];
        const char *image = NULL; /* beside the image, which may have no elements at all */
        if (windows->x.data && d >= 0 && d < windows->x.sizes[0])
            image = (const char *)windows->x.data + (place + d * windows->x.strides[0]) * small;
        for (int64_t h = 0; h < call->slots[1]; h++)
            for (int64_t w = 0; w < call->slots[2]; w++, scratch += call->plane * call->item)
                planes_fill(call, scratch, image, channels, top + call->phase[1][h], left + call->phase[2][w],
                            block->rows + call->shift[1], block->columns + call->shift[2]);
    }
}

/* Lines of sums are finished and go to the result. */
static void planes_write(const planes_call *call, const planes_block *block, char *sums, char *converted, int64_t line,
                         int64_t lines) {
    const tni_windows *windows = call->windows;
    int64_t item = call->item, element = (int64_t)tni_dtype_size(windows->z.dtype);
    int64_t count = (block->rows - 1) * call->pitch + block->columns, pitch = call->sums * item;
    for (int64_t l = 0; l < lines; l++) {
        char *row = sums + l * pitch;
        const char *bias = call->biases + (block->group * windows->lines + line + l) * item;
        _Alignas(64) char repeated[PLANES_RAW * 8];
        for (int64_t i = 0; windows->bias.data && i < tni_min_i64(count, PLANES_RAW); i++)
            memcpy(repeated + i * item, bias, (size_t)item);
        for (int64_t j = 0, many; (windows->bias.data || call->finish->activation) && j < count; j += many) {
            many = tni_min_i64(count - j, PLANES_RAW);
            void *data[3] = {row + j * item, row + j * item, repeated};
            if (windows->bias.data)
                call->finish->add(data, many, NULL);
            if (call->finish->activation)
                call->finish->activation(data, many, NULL);
        }
        if (windows->z.dtype != windows->compute)
            tni_block_convert(windows->z.dtype, converted + l * pitch, windows->compute, row, count);
    }
    if (windows->z.dtype != windows->compute)
        sums = converted;
    char *z = (char *)windows->z.data +
              (block->image * windows->z.across[0] + block->depth * windows->z.across[1] + block->row * windows->z.across[2] +
               block->column * windows->z.across[3] + block->group * windows->z.group + line * windows->z.line) *
                  element;
    for (int64_t r = 0; r < block->rows; r++)
        tni_block_scatter((size_t)element, z + r * windows->z.across[2] * element, windows->z.line * element,
                          windows->z.across[3] * element, sums + r * call->pitch * element, pitch, lines, block->columns);
}

static void planes_make(const planes_call *call, const planes_block *block, char *memory) {
    const tni_windows *windows = call->windows;
    const tni_window_tiles *tiles = tni_kernels()->window_tiles[call->doubles];
    int64_t item = call->item, count = (block->rows - 1) * call->pitch + block->columns;
    char *sums = memory + (call->channel * call->depth + TNI_WINDOW_TILE_COLUMNS) * item;
    char *converted = sums + call->lines * call->sums * item;
    for (int64_t channel = 0; channel < call->channels; channel += call->depth) {
        int64_t channels = tni_min_i64(call->depth, call->channels - channel);
        bool last = channel + channels == call->channels;
        planes_read(call, block, memory, channel, channels);
        for (int64_t line = 0, width; line < windows->lines; line += width) {
            int which = planes_tile(tiles, windows->lines - line);
            width = tiles->of[which].lines;
            int64_t lines = tni_min_i64(width, windows->lines - line);
            const char *weights[TNI_WINDOW_TILE_LINES]; /* lines that are not there repeat the last, and do not count */
            for (int64_t i = 0; i < width; i++)
                weights[i] = call->weights.data + block->group * call->weights.group + channel * call->weights.channel +
                             (line + tni_min_i64(i, lines - 1)) * call->weights.line;
            char *to = sums + line * call->sums * item;
            for (int64_t j = 0; j < count; j += tiles->of[which].columns)
                tiles->of[which].function(to + j * item, call->sums, memory + j * item, call->tap_list, channels * call->taps,
                                          weights, channel > 0);
            if (last)
                planes_write(call, block, to, converted, line, lines);
        }
    }
}

static void planes_task(void *argument, int64_t begin, int64_t end) {
    planes_call *call = argument;
    const tni_windows *windows = call->windows;
    int64_t set;
    char *memory = tni_thread_memory_claim(&call->memory, &set);
    /* tiles read beyond the last positions: those numbers do not count, but must be some */
    memset(memory + call->channel * call->depth * call->item, 0, (size_t)(TNI_WINDOW_TILE_COLUMNS * call->item));
    for (int64_t task = begin; task < end; task++) {
        planes_block block;
        int64_t rest = task;
        bool together = windows->x.channel == 1; /* groups share lines of the cache */
        if (together) {
            block.group = rest % windows->groups;
            rest /= windows->groups;
        }
        block.column = rest % call->column_blocks * call->column_block;
        rest /= call->column_blocks;
        block.row = rest % call->row_blocks * call->row_block;
        rest /= call->row_blocks;
        block.depth = rest % windows->positions[1];
        rest /= windows->positions[1];
        if (!together) {
            block.group = rest % windows->groups;
            rest /= windows->groups;
        }
        block.image = rest;
        block.rows = tni_min_i64(call->row_block, windows->positions[2] - block.row);
        block.columns = tni_min_i64(call->column_block, windows->positions[3] - block.column);
        planes_make(call, &block, memory);
    }
    tni_thread_memory_leave(&call->memory, set);
}

/* ---- channels that are next to each other */

static void planes_channels_row(const planes_call *call, int64_t image, int64_t depth, int64_t row) {
    const tni_windows *windows = call->windows;
    int64_t item = call->item, index[TNI_WINDOW_DIMS - 1] = {depth, row}, columns = windows->positions[3];
    const char *x = windows->x.data; /* an image without elements has no address to move on */
    x = x ? x + image * windows->x.image * item : NULL;
    char *z = (char *)windows->z.data +
              (image * windows->z.across[0] + depth * windows->z.across[1] + row * windows->z.across[2]) * item;
    /* columns all of whose taps lie in the image along w are made together */
    int64_t step = windows->x.step[2], left = windows->x.origin[2] + call->least[2], whole, whole_end;
    planes_clip(left, step, columns, windows->x.sizes[2] - call->reach[2] + 1, &whole, &whole_end);
    for (int64_t column = 0, many; column < columns; column += many) {
        many = column == whole && whole_end > whole ? whole_end - whole : 1;
        const void *at[PLANES_TAPS], *weights[PLANES_TAPS];
        int64_t count = 0;
        for (int64_t tap = 0; tap < call->taps; tap++) {
            int64_t w = tap % windows->taps[2], h = tap / windows->taps[2] % windows->taps[1],
                    d = tap / windows->taps[2] / windows->taps[1];
            d = windows->x.origin[0] + index[0] * windows->x.step[0] + d * windows->x.tap_step[0];
            h = windows->x.origin[1] + index[1] * windows->x.step[1] + h * windows->x.tap_step[1];
            w = windows->x.origin[2] + column * step + w * windows->x.tap_step[2];
            if (d < 0 || d >= windows->x.sizes[0] || h < 0 || h >= windows->x.sizes[1] || w < 0 || w >= windows->x.sizes[2])
                continue;
            at[count] = x + (d * windows->x.strides[0] + h * windows->x.strides[1] + w * windows->x.strides[2]) * item;
            weights[count++] = call->weights.data + tap * windows->groups * item;
        }
        char *to = z + column * windows->z.across[3] * item;
        tni_kernels()->window_channels[call->doubles](to, windows->z.across[3] * item, many, at,
                                                      step * windows->x.strides[2] * item, weights, count, windows->groups);
        for (int64_t i = 0; i < many && (windows->bias.data || call->finish->activation); i++) {
            void *data[3] = {to + i * windows->z.across[3] * item, to + i * windows->z.across[3] * item, call->biases};
            if (windows->bias.data)
                call->finish->add(data, windows->groups, NULL);
            if (call->finish->activation)
                call->finish->activation(data, windows->groups, NULL);
        }
    }
}

static void planes_channels_task(void *argument, int64_t begin, int64_t end) {
    const planes_call *call = argument;
    const tni_windows *windows = call->windows;
    for (int64_t task = begin; task < end; task++) {
        int64_t row = task % windows->positions[2], rest = task / windows->positions[2];
        planes_channels_row(call, rest / windows->positions[1], rest % windows->positions[1], row);
    }
}

/* ---- both */

typedef struct planes_copies {
    const planes_call *call;
    char *to;
} planes_copies;

static void planes_copy_task(void *argument, int64_t begin, int64_t end) {
    const planes_copies *copies = argument;
    planes_copy_weights(copies->call, copies->to, begin, end);
}

bool tni_windows_planes_run(const tni_windows *windows, const tni_finish *finish, char *memory, int64_t threads) {
    planes_call call = {.finish = finish};
    planes_begin(&call, windows, threads);
    tni_windows_last last;
    if (tni_windows_last_begin(&last, windows, call.depth, threads))
        return tni_windows_last_run(&last, finish, memory, threads);
    char *copy = memory + call.tap_bytes;
    call.biases = copy + call.weight_bytes;
    const int64_t *positions = windows->positions;
    if (windows->bias.data) {
        int64_t size = (int64_t)tni_dtype_size(windows->bias.dtype);
        for (int64_t g = 0; g < windows->groups; g++)
            for (int64_t i = 0; i < windows->lines; i++)
                tni_block_convert(windows->compute, call.biases + (g * windows->lines + i) * call.item, windows->bias.dtype,
                                  (const char *)windows->bias.data + (g * windows->bias.group + i * windows->bias.line) * size,
                                  1);
    }
    planes_copies copies = {&call, copy};
    if (call.weight_bytes &&
        !tni_parallel_for(windows->groups, tni_max_i64(WINDOWS_PACK / (windows->lines * call.channels * call.taps), 1),
                          planes_copy_task, &copies))
        return false;
    if (planes_have_channels(windows)) {
        call.weights.data = copy;
        int64_t grain = tni_max_i64(PLANES_TASK / tni_max_i64(positions[3] * call.taps * windows->groups, 1), 1);
        return tni_parallel_for(positions[0] * positions[1] * positions[2], grain, planes_channels_task, &call);
    }
    planes_find_taps(&call, (void *)memory, copy);
    tni_thread_memory_use(&call.memory, call.biases + call.bias_bytes, call.set_bytes, planes_sets(threads));
    double work =
        (double)call.row_block * (double)call.column_block * (double)call.taps * (double)call.channels * (double)windows->lines;
    return tni_parallel_for(positions[0] * windows->groups * positions[1] * call.row_blocks * call.column_blocks,
                            work >= PLANES_TASK ? 1 : (int64_t)(PLANES_TASK / work), planes_task, &call);
}
