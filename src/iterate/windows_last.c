/* windows_last.c - convolutions with many lines, made position by position.
 *
 * A tile of windows_planes.c multiplies a number of each of some lines of weights with vectors of positions. Here the same tile is used the other way
 * round: its "lines" are positions, each with an address of its own, and its vectors go over the lines of the weights, which were packed
 * so that all lines of a tap are next to each other. So positions may end anywhere, also those of a row, and none is computed for nothing.
 *
 * Where channels are next to each other in the image and there is no padding, it is read where it is; else the rows that a task needs are copied, channels
 * last. Where lines are next to each other in the result, sums are made there; else they wait beside it until the task ends.
 *
 * Weights are packed for some pieces of the channels at a time, a round, so that they take little memory.
 *
 * A sum is made in the order of windows_planes.c: for each piece of channels one accumulator, over all taps of a channel before those of the next.
 */
#include "iterate/windows_last.h"

#include "base/parallel.h"
#include "iterate/limits.h"
#include "iterate/thread_memory.h"
#include "kernels/blocks.h"

typedef struct last_round {
    const tni_windows_last *last;
    int64_t group, channel, channels; /* of this round */
    const tni_window_tap *taps;
    char *weights; /* (channels, taps, lines) */
    const char *biases;
    int64_t pixel, row; /* bytes from a pixel and from a row of the image, or of the copy, to the next */
    tni_thread_memory memory;
} last_round;

static int64_t last_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }
static int64_t last_parts(int64_t value, int64_t part) { return (value + part - 1) / part; }

/* Numbers of the copy of a task, and with its sums. */
static int64_t last_copy_numbers(const tni_windows_last *last, int64_t rows, int64_t columns) {
    const int64_t *step = last->windows->x.step;
    return ((rows - 1) * step[1] + last->reach[0]) * ((columns - 1) * step[2] + last->reach[1]) * last->copied;
}

static double last_numbers(const tni_windows_last *last, int64_t rows, int64_t columns) {
    return (double)last_copy_numbers(last, rows, columns) + (double)(last->beside ? rows * columns * last->lines : 0);
}

bool tni_windows_last_begin(tni_windows_last *last, const tni_windows *windows, int64_t depth, int64_t threads) {
    tn_dtype compute = windows->compute;
    if (windows->taps[0] != 1 || windows->positions[1] != 1 || windows->x.origin[0] != 0 || !windows->x.data ||
        windows->x.sizes[0] < 1 || windows->x.dtype != compute || windows->y.dtype != compute || windows->z.dtype != compute)
        return false;
    last->turns = windows->x.channel != 1;
    last->beside = windows->z.line != 1;
    last->windows = windows;
    last->doubles = compute == TN_FLOAT64;
    last->item = last->doubles ? 8 : 4;
    last->taps = windows->taps[1] * windows->taps[2];
    last->depth = depth;
    const tni_window_tiles *tiles = tni_kernels()->window_tiles[last->doubles];
    last->lines = INT64_MAX;
    for (int i = 0; i < TNI_WINDOW_TILES; i++)
        if (tiles->of[i].lines > 1 && last_up(windows->lines, tiles->of[i].columns) <= last->lines) {
            last->lines = last_up(windows->lines, tiles->of[i].columns);
            last->width = tiles->of[i].columns;
            last->places = tiles->of[i].lines;
        }
    if (last->lines > windows->lines + windows->lines / 8)
        return false;
    /* what is turned must be used often enough */
    if ((last->turns || last->beside) && (last->taps < LAST_TAPS || windows->taps[3] < LAST_TAPS))
        return false;
    last->copies = last->turns;
    for (int d = 0; d < 2; d++) {
        int64_t far = windows->x.tap_step[d + 1] * (windows->taps[d + 1] - 1), first = windows->x.origin[d + 1];
        last->least[d] = far < 0 ? far : 0;
        last->reach[d] = (far < 0 ? -far : far) + 1;
        first += last->least[d];
        if (first < 0 ||
            first + (windows->positions[d + 2] - 1) * windows->x.step[d + 1] + last->reach[d] > windows->x.sizes[d + 1])
            last->copies = true;
    }
    int64_t channels = windows->taps[3], pieces = last_parts(channels, depth);
    double piece = (double)depth * (double)last->taps * (double)last->lines * (double)last->item;
    last->depths = tni_max_i64(1, piece * (double)pieces <= LAST_WEIGHTS ? pieces : (int64_t)(LAST_WEIGHTS / piece));
    int64_t together = tni_min_i64(last->depths * depth, channels);
    last->copied = last->turns ? depth : together;
    double most = (double)LAST_BYTES / (double)(threads > 1 ? 2 * last->item : last->item); /* each thread has as much */
    last->columns = tni_min_i64(windows->positions[3], PLANES_COLUMNS);
    while (last->columns > 1 && last_numbers(last, 1, last->columns) > most)
        last->columns = (last->columns + 1) / 2;
    if (last_numbers(last, 1, last->columns) > 2 * most)
        return false;
    last->rows = 1;
    while (last->rows < windows->positions[2] && last_numbers(last, last->rows + 1, last->columns) <= most)
        last->rows++;
    last->column_blocks = last_parts(windows->positions[3], last->columns);
    while (last->rows > 1 && threads > 1 &&
           windows->positions[0] * last->column_blocks * last_parts(windows->positions[2], last->rows) < 2 * threads)
        last->rows = (last->rows + 1) / 2;
    last->row_blocks = last_parts(windows->positions[2], last->rows);
    last->rows = last_parts(windows->positions[2], last->row_blocks);
    last->row_blocks = last_parts(windows->positions[2], last->rows);
    last->tap_bytes = (size_t)last_up(last->taps * depth * (int64_t)sizeof(tni_window_tap), 64);
    last->weight_bytes = (size_t)last_up(together * last->taps * last->lines * last->item, 64);
    last->bias_bytes = windows->bias.data ? (size_t)last_up(windows->groups * windows->lines * last->item, 64) : 0;
    last->copy_bytes = last->copies ? (size_t)last_up(last_copy_numbers(last, last->rows, last->columns) * last->item, 64) : 0;
    last->set_bytes = last->copy_bytes;
    if (last->beside) /* the last tile may have places too many */
        last->set_bytes += (size_t)last_up((last->rows * last->columns + last->places) * last->lines * last->item, 64);
    return true;
}

static int64_t last_sets(int64_t threads) { return tni_max_i64(tni_min_i64(threads, THREAD_SETS), 1); }

size_t tni_windows_last_bytes(const tni_windows_last *last, int64_t threads) {
    return last->tap_bytes + last->weight_bytes + last->bias_bytes + last->set_bytes * (size_t)last_sets(threads);
}

/* ---- weights */

/* Of each tap the channels [begin, end) of the round, all lines of a channel next to each other. */
static void last_pack(void *argument, int64_t begin, int64_t end) {
    const last_round *round = argument;
    const tni_windows_last *last = round->last;
    const tni_windows *windows = last->windows;
    int64_t item = last->item, line = last->lines * item, left = last->lines - windows->lines;
    for (int64_t t = 0; t < last->taps; t++) {
        int64_t h = t / windows->taps[2], w = t % windows->taps[2];
        const char *from =
            (const char *)windows->y.data + (round->group * windows->y.group + h * windows->y.along[1] +
                                             w * windows->y.along[2] + (round->channel + begin) * windows->y.along[3]) *
                                                item;
        char *to = round->weights + (begin * last->taps + t) * line;
        tni_block_gather((size_t)item, to, last->taps * line, from, windows->y.along[3] * item, windows->y.line * item,
                         end - begin, windows->lines);
        for (int64_t c = begin; c < end && left; c++, to += last->taps * line)
            memset(to + windows->lines * item, 0, (size_t)(left * item));
    }
}

/* ---- a task */

/* A part of the result, of the rows and columns that a task makes. */
typedef struct last_block {
    int64_t image, row, column, rows, columns;
    char *z, *sums; /* its first number; sums beside it, (positions, lines) */
} last_block;

/* The rows that a task needs, with what padding there is, of some channels. */
static void last_copy(const last_round *round, const last_block *block, char *to, int64_t channel, int64_t channels) {
    const tni_windows_last *last = round->last;
    const tni_windows *windows = last->windows;
    int64_t top = windows->x.origin[1] + block->row * windows->x.step[1] + last->least[0];
    int64_t left = windows->x.origin[2] + block->column * windows->x.step[2] + last->least[1];
    int64_t height = (block->rows - 1) * windows->x.step[1] + last->reach[0];
    int64_t item = last->item, pixel = round->pixel, width = round->row / pixel;
    int64_t first = tni_min_i64(tni_max_i64(-left, 0), width);
    int64_t end = tni_max_i64(tni_min_i64(windows->x.sizes[2] - left, width), first);
    for (int64_t r = top; r < top + height; r++, to += round->row) {
        if (r < 0 || r >= windows->x.sizes[1] || first == end) {
            memset(to, 0, (size_t)round->row);
            continue;
        }
        const char *from = (const char *)windows->x.data +
                           (block->image * windows->x.image + round->group * windows->x.group + channel * windows->x.channel +
                            r * windows->x.strides[1] + (left + first) * windows->x.strides[2]) *
                               item;
        memset(to, 0, (size_t)(first * pixel));
        if (!last->turns && windows->x.strides[2] * item == pixel && channels == last->copied)
            memcpy(to + first * pixel, from, (size_t)((end - first) * pixel));
        else
            tni_block_gather((size_t)item, to + first * pixel, pixel, from, windows->x.strides[2] * item,
                             windows->x.channel * item, end - first, channels);
        memset(to + end * pixel, 0, (size_t)((width - end) * pixel));
    }
}

/* A tile that is not all of one run of the result. */
static void last_part(const last_round *round, tni_window_tile_function function, const last_block *block,
                      const char *const *places, const char *weights, int64_t taps, bool adds, int64_t first, int64_t count,
                      int64_t line) {
    const tni_windows_last *last = round->last;
    const tni_windows *windows = last->windows;
    int64_t item = last->item, pitch = last->width * item;
    size_t bytes = (size_t)(tni_min_i64(last->width, windows->lines - line) * item);
    _Alignas(64) char local[TNI_WINDOW_TILE_LINES * TNI_WINDOW_TILE_COLUMNS * 8];
    char *to[TNI_WINDOW_TILE_LINES];
    for (int64_t i = 0; i < count; i++) {
        int64_t row = (first + i) / block->columns, column = (first + i) % block->columns;
        to[i] = block->z + (row * windows->z.across[2] + column * windows->z.across[3] + line) * item;
        if (adds)
            memcpy(local + i * pitch, to[i], bytes);
    }
    function(local, last->width, weights, round->taps, taps, places, adds);
    for (int64_t i = 0; i < count; i++)
        memcpy(to[i], local + i * pitch, bytes);
}

/* All tiles of some channels, whose numbers are from `from` on, and whose weights from `weights`. */
static void last_tiles(const last_round *round, tni_window_tile_function function, const last_block *block, const char *from,
                       const char *weights, int64_t channels, bool adds) {
    const tni_windows_last *last = round->last;
    const tni_windows *windows = last->windows;
    int64_t item = last->item, positions = block->rows * block->columns, taps = channels * last->taps;
    int64_t pitch = last->beside ? last->lines : windows->z.across[3];
    int64_t next = windows->x.step[2] * round->pixel, turn = windows->x.step[1] * round->row - block->columns * next;
    bool flat = windows->z.across[2] == block->columns * windows->z.across[3] || block->rows == 1;
    char *out = last->beside ? block->sums : block->z;
    for (int64_t line = 0; line < windows->lines; line += last->width) {
        const char *at = from;
        bool fits = last->beside || (flat && windows->lines - line >= last->width);
        for (int64_t i = 0, column = 0; i < positions; i += last->places) {
            const char *places[TNI_WINDOW_TILE_LINES]; /* those that are not there repeat the last, and do not count */
            for (int64_t k = 0; k < last->places; k++) {
                places[k] = at;
                if (i + k + 1 >= positions)
                    continue;
                at += next;
                if (++column == block->columns) {
                    column = 0;
                    at += turn;
                }
            }
            if (fits && (last->beside || i + last->places <= positions))
                function(out + (i * pitch + line) * item, pitch, weights + line * item, round->taps, taps, places, adds);
            else
                last_part(round, function, block, places, weights + line * item, taps, adds, i,
                          tni_min_i64(last->places, positions - i), line);
        }
    }
}

/* Bias and activation, after the last channel; and sums go from beside the result to it, or (loads) back. */
static void last_exchange(const last_round *round, const last_block *block, bool loads) {
    const tni_windows_last *last = round->last;
    const tni_windows *windows = last->windows;
    int64_t item = last->item, row = block->columns * last->lines * item;
    bool ends = !loads && round->channel + round->channels == windows->taps[3];
    for (int64_t r = 0; r < block->rows; r++) {
        char *z = block->z + r * windows->z.across[2] * item, *sums = last->beside ? block->sums + r * row : NULL;
        int64_t next = windows->z.across[3] * item;
        for (int64_t j = 0; j < block->columns && ends; j++) {
            char *numbers = last->beside ? sums + j * last->lines * item : z + j * next;
            void *data[3] = {numbers, numbers, (void *)(uintptr_t)(round->biases + round->group * windows->lines * item)};
            if (windows->bias.data)
                last->finish->add(data, windows->lines, NULL);
            if (last->finish->activation)
                last->finish->activation(data, windows->lines, NULL);
        }
        if (last->beside && loads)
            tni_block_gather((size_t)item, sums, last->lines * item, z, next, windows->z.line * item, block->columns,
                             windows->lines);
        else if (last->beside)
            tni_block_scatter((size_t)item, z, next, windows->z.line * item, sums, last->lines * item, block->columns,
                              windows->lines);
    }
}

static void last_make(const last_round *round, const last_block *block, char *memory) {
    const tni_windows_last *last = round->last;
    const tni_windows *windows = last->windows;
    const tni_window_tiles *tiles = tni_kernels()->window_tiles[last->doubles];
    tni_window_tile_function function = NULL;
    for (int i = 0; i < TNI_WINDOW_TILES; i++)
        if (tiles->of[i].columns == last->width && tiles->of[i].lines == last->places)
            function = tiles->of[i].function;
    if (last->beside && round->channel > 0)
        last_exchange(round, block, true);
    for (int64_t done = 0, many; done < round->channels; done += many) {
        many = tni_min_i64(last->depth, round->channels - done);
        const char *from = memory;
        if (!last->copies)
            from = (const char *)windows->x.data +
                   (block->image * windows->x.image + round->group * windows->x.group + round->channel + done +
                    (windows->x.origin[1] + block->row * windows->x.step[1] + last->least[0]) * windows->x.strides[1] +
                    (windows->x.origin[2] + block->column * windows->x.step[2] + last->least[1]) * windows->x.strides[2]) *
                       last->item;
        else if (last->turns)
            last_copy(round, block, memory, round->channel + done, many);
        else {
            if (done == 0)
                last_copy(round, block, memory, round->channel, round->channels);
            from += done * last->item;
        }
        last_tiles(round, function, block, from, round->weights + done * last->taps * last->lines * last->item, many,
                   round->channel + done > 0);
    }
    last_exchange(round, block, false);
}

static void last_task(void *argument, int64_t begin, int64_t end) {
    last_round *round = argument;
    const tni_windows_last *last = round->last;
    const tni_windows *windows = last->windows;
    int64_t set = 0;
    char *memory = last->set_bytes ? tni_thread_memory_claim(&round->memory, &set) : NULL;
    for (int64_t task = begin; task < end; task++) {
        int64_t column = task % last->column_blocks * last->columns, rest = task / last->column_blocks;
        int64_t row = rest % last->row_blocks * last->rows, image = rest / last->row_blocks;
        last_block block = {image,
                            row,
                            column,
                            tni_min_i64(last->rows, windows->positions[2] - row),
                            tni_min_i64(last->columns, windows->positions[3] - column),
                            windows->z.data,
                            NULL};
        block.z += (image * windows->z.across[0] + round->group * windows->z.group + row * windows->z.across[2] +
                    column * windows->z.across[3]) *
                   last->item;
        if (last->beside)
            block.sums = memory + last->copy_bytes;
        last_make(round, &block, memory);
    }
    if (last->set_bytes)
        tni_thread_memory_leave(&round->memory, set);
}

/* Where taps are in the packed weights ("image") and beside a position ("weight"). */
static void last_find_taps(const last_round *round, tni_window_tap *taps) {
    const tni_windows_last *last = round->last;
    const tni_windows *windows = last->windows;
    for (int64_t p = 0; p < last->depth * last->taps; p++) {
        int64_t h = p % last->taps / windows->taps[2], w = p % windows->taps[2], c = p / last->taps;
        taps[p].image = p * last->lines * last->item;
        taps[p].weight = (h * windows->x.tap_step[1] - last->least[0]) * round->row +
                         (w * windows->x.tap_step[2] - last->least[1]) * round->pixel + c * last->item;
    }
}

bool tni_windows_last_run(tni_windows_last *last, const tni_finish *finish, char *memory, int64_t threads) {
    const tni_windows *windows = last->windows;
    const int64_t *positions = windows->positions;
    last->finish = finish;
    last_round round = {.last = last, .weights = memory + last->tap_bytes};
    char *biases = round.weights + last->weight_bytes;
    round.biases = biases;
    for (int64_t i = 0; windows->bias.data && i < windows->groups * windows->lines; i++)
        tni_block_convert(windows->compute, biases + i * last->item, windows->bias.dtype,
                          (const char *)windows->bias.data +
                              (i / windows->lines * windows->bias.group + i % windows->lines * windows->bias.line) *
                                  (int64_t)tni_dtype_size(windows->bias.dtype),
                          1);
    tni_thread_memory_use(&round.memory, biases + last->bias_bytes, last->set_bytes, last_sets(threads));
    for (round.group = 0; round.group < windows->groups; round.group++)
        for (round.channel = 0; round.channel < windows->taps[3]; round.channel += round.channels) {
            round.channels = tni_min_i64(last->depths * last->depth, windows->taps[3] - round.channel);
            round.pixel = (last->copies ? last->copied : windows->x.strides[2]) * last->item;
            round.row = last->copies ? ((last->columns - 1) * windows->x.step[2] + last->reach[1]) * round.pixel
                                     : windows->x.strides[1] * last->item;
            last_find_taps(&round, (void *)memory);
            round.taps = (void *)memory;
            double work = (double)last->rows * (double)last->columns * (double)last->taps * (double)round.channels *
                          (double)windows->lines;
            if (!tni_parallel_for(round.channels, tni_max_i64(WINDOWS_PACK / (last->taps * last->lines), 1), last_pack,
                                  &round) ||
                !tni_parallel_for(positions[0] * last->row_blocks * last->column_blocks,
                                  work >= PLANES_TASK ? 1 : (int64_t)(PLANES_TASK / work), last_task, &round))
                return false;
        }
    return true;
}
