/* windows_planes.c - convolutions of single planes: depthwise ones, whose groups have one channel each.
 *
 * There is nothing to multiply as matrices. A task makes some rows of one plane: the rows of the image that it needs are copied to the
 * stack, converted and with the zeros that padding stands for, and each row of the result is a sum of shifted rows, in registers
 * (kernels/window_loop.h). A line that does not fit is cut, too.
 *
 * Where channels are next to each other in the image and in the result, a task makes some rows of all planes instead, element by element,
 * and reads the image where it is.
 *
 * Every sum goes over the taps in order, from the first to the last, so no cut shows in its bits.
 */
#include "iterate/windows_planes.h"

#include "base/parallel.h"
#include "iterate/limits.h"
#include "kernels/blocks.h"

bool tni_windows_planes_serve(const tni_windows *windows) {
    int64_t taps = windows->taps[0] * windows->taps[1] * windows->taps[2];
    int64_t reach = 1;
    for (int d = 1; d < TNI_WINDOW_DIMS; d++) {
        int64_t step = windows->x.tap_step[d] < 0 ? -windows->x.tap_step[d] : windows->x.tap_step[d];
        int64_t whole = step * (windows->taps[d] - 1) + windows->x.step[d];
        if (whole > PLANES_BYTES / 16)
            return false;
        reach *= whole;
    }
    return !windows->over_positions && windows->taps[3] == 1 && windows->lines <= PLANES_LINES && taps > 0 &&
           taps <= PLANES_TAPS && reach * windows->taps[0] <= PLANES_BYTES / 16 &&
           (windows->compute == TN_FLOAT32 || windows->compute == TN_FLOAT64);
}

typedef struct planes_call {
    const tni_windows *windows;
    const tni_finish *finish;
    bool doubles;
    int64_t item;
    int64_t least[TNI_WINDOW_DIMS], reach[TNI_WINDOW_DIMS];     /* where a window begins, beside its first tap, and its width */
    int64_t row_block, column_block, row_blocks, column_blocks; /* of the result that a task makes */
    const char *weights;                                        /* of channels that are next to each other: by tap */
    const char *biases;
} planes_call;

static void planes_measure(planes_call *call, const tni_windows *windows) {
    call->windows = windows;
    call->doubles = windows->compute == TN_FLOAT64;
    call->item = call->doubles ? 8 : 4;
    for (int d = 0; d < TNI_WINDOW_DIMS; d++) {
        int64_t far = windows->x.tap_step[d] * (windows->taps[d] - 1);
        call->least[d] = far < 0 ? far : 0;
        call->reach[d] = (far < 0 ? -far : far) + 1;
    }
}

static bool planes_have_channels(const tni_windows *windows) {
    return windows->lines == 1 && windows->groups > 1 && windows->x.group == 1 && windows->z.group == 1 &&
           windows->x.dtype == windows->compute && windows->z.dtype == windows->compute;
}

/* The part of an index that lies in [0, size), of `count` from `first` on. */
static void planes_clip(int64_t first, int64_t count, int64_t size, int64_t *begin, int64_t *end) {
    *begin = first < 0 ? tni_min_i64(-first, count) : 0;
    *end = tni_max_i64(*begin, tni_min_i64(count, size - first));
}

/* ---- planes */

/* A row of the image, from column `first` on, `width` of them, with zeros beside it. */
static void planes_read(const planes_call *call, char *to, const char *row, int64_t first, int64_t width) {
    const tni_windows *windows = call->windows;
    int64_t item = call->item, small = (int64_t)tni_dtype_size(windows->x.dtype), stride = windows->x.strides[2] * small;
    int64_t begin = 0, end = 0;
    if (row)
        planes_clip(first, width, windows->x.sizes[2], &begin, &end);
    memset(to, 0, (size_t)(begin * item));
    memset(to + end * item, 0, (size_t)((width - end) * item));
    char raw[PLANES_RAW * 8];
    for (int64_t j = begin, many; j < end; j += many) {
        const char *from = row + (first + j) * stride;
        if (windows->x.dtype == windows->compute) {
            many = end - j;
            tni_block_move((size_t)item, to + j * item, item, from, stride, many);
            continue;
        }
        many = tni_min_i64(end - j, PLANES_RAW);
        tni_block_move((size_t)small, raw, small, from, stride, many);
        tni_block_convert(windows->compute, to + j * item, windows->x.dtype, raw, many);
    }
}

/* A row of sums is finished and goes to the result. */
static void planes_write(const planes_call *call, char *sums, int64_t count, const char *bias, char *z) {
    const tni_windows *windows = call->windows;
    _Alignas(64) char block[PLANES_RAW * 8], converted[PLANES_RAW * 8];
    int64_t item = call->item, element = (int64_t)tni_dtype_size(windows->z.dtype), step = windows->z.across[3] * element;
    for (int64_t i = 0; bias && i < tni_min_i64(count, PLANES_RAW); i++)
        memcpy(block + i * item, bias, (size_t)item);
    for (int64_t j = 0, many; j < count; j += many) {
        many = tni_min_i64(count - j, PLANES_RAW);
        char *part = sums + j * item;
        void *data[3] = {part, part, block};
        if (bias)
            call->finish->add(data, many, NULL);
        if (call->finish->activation)
            call->finish->activation(data, many, NULL);
        if (windows->z.dtype != windows->compute) {
            tni_block_convert(windows->z.dtype, converted, windows->compute, part, many);
            part = converted;
        }
        if (part != z + j * step)
            tni_block_move((size_t)element, z + j * step, step, part, element, many);
    }
}

/* Rows from `row` on and columns from `column` on of one plane, at one depth. */
static void planes_block(const planes_call *call, const char *image, char *z, int64_t depth, int64_t row, int64_t column,
                         int64_t group) {
    const tni_windows *windows = call->windows;
    int64_t rows = tni_min_i64(call->row_block, windows->positions[2] - row);
    int64_t columns = tni_min_i64(call->column_block, windows->positions[3] - column);
    int64_t item = call->item, small = (int64_t)tni_dtype_size(windows->x.dtype);
    int64_t width = (columns - 1) * windows->x.step[2] + call->reach[2],
            height = (rows - 1) * windows->x.step[1] + call->reach[1];
    int64_t top = windows->x.origin[1] + row * windows->x.step[1] + call->least[1];
    int64_t left = windows->x.origin[2] + column * windows->x.step[2] + call->least[2];
    _Alignas(64) char scratch[PLANES_BYTES], sums[PLANES_COLUMNS * 8];
    int64_t slices = 0, slice[PLANES_TAPS]; /* taps along d that lie in the image */
    for (int64_t t = 0; t < windows->taps[0]; t++) {
        int64_t d = windows->x.origin[0] + depth * windows->x.step[0] + t * windows->x.tap_step[0];
        if (d < 0 || d >= windows->x.sizes[0])
            continue;
        for (int64_t h = 0; h < height; h++) {
            bool inside = top + h >= 0 && top + h < windows->x.sizes[1];
            const char *from = inside ? image + (d * windows->x.strides[0] + (top + h) * windows->x.strides[1]) * small : NULL;
            planes_read(call, scratch + (slices * height + h) * width * item, from, left, width);
        }
        slice[slices++] = t;
    }
    _Alignas(64) char weights[PLANES_TAPS * 8];
    int64_t element = (int64_t)tni_dtype_size(windows->z.dtype), weight_size = (int64_t)tni_dtype_size(windows->y.dtype);
    bool direct = windows->z.dtype == windows->compute && windows->z.across[3] == 1;
    tni_window_plane_function plane = tni_kernels()->window_plane[call->doubles];
    for (int64_t line = 0; line < windows->lines; line++) {
        const char *y = (const char *)windows->y.data + (group * windows->y.group + line * windows->y.line) * weight_size;
        const void *row_weights[PLANES_TAPS], *row_data[PLANES_TAPS];
        int64_t taps = windows->taps[2], count = 0, at = 0;
        for (int64_t s = 0; s < slices; s++)
            for (int64_t i = 0; i < windows->taps[1]; i++, count++) {
                row_weights[count] = weights + at * item;
                for (int64_t t = 0; t < taps; t++, at++)
                    tni_block_convert(windows->compute, weights + at * item, windows->y.dtype,
                                      y + (slice[s] * windows->y.along[0] + i * windows->y.along[1] + t * windows->y.along[2]) *
                                              weight_size,
                                      1);
            }
        const char *bias = windows->bias.data ? call->biases + (group * windows->lines + line) * item : NULL;
        for (int64_t r = 0; r < rows; r++) {
            for (int64_t s = 0, i = 0; s < slices; s++)
                for (int64_t t = 0; t < windows->taps[1]; t++, i++)
                    row_data[i] =
                        scratch + ((s * height + r * windows->x.step[1] + t * windows->x.tap_step[1] - call->least[1]) * width -
                                   call->least[2]) *
                                      item;
            char *to =
                z + ((row + r) * windows->z.across[2] + column * windows->z.across[3] + line * windows->z.line) * element;
            char *made = direct ? to : sums;
            plane(made, row_data, row_weights, count, taps, windows->x.tap_step[2], windows->x.step[2], columns);
            if (!direct || bias || call->finish->activation)
                planes_write(call, made, columns, bias, to);
        }
    }
}

static void planes_task(void *argument, int64_t begin, int64_t end) {
    const planes_call *call = argument;
    const tni_windows *windows = call->windows;
    int64_t small = (int64_t)tni_dtype_size(windows->x.dtype), element = (int64_t)tni_dtype_size(windows->z.dtype);
    for (int64_t task = begin; task < end; task++) {
        int64_t rest = task, column = rest % call->column_blocks;
        int64_t row = (rest /= call->column_blocks) % call->row_blocks,
                depth = (rest /= call->row_blocks) % windows->positions[1];
        int64_t group = (rest /= windows->positions[1]) % windows->groups, image = rest / windows->groups;
        planes_block(call, (const char *)windows->x.data + (image * windows->x.image + group * windows->x.group) * small,
                     (char *)windows->z.data +
                         (image * windows->z.across[0] + group * windows->z.group + depth * windows->z.across[1]) * element,
                     depth, row * call->row_block, column * call->column_block, group);
    }
}

/* ---- channels that are next to each other */

static void planes_channels_row(const planes_call *call, int64_t image, int64_t depth, int64_t row) {
    const tni_windows *windows = call->windows;
    int64_t item = call->item;
    tni_window_channels_function channels = tni_kernels()->window_channels[call->doubles];
    const char *x = (const char *)windows->x.data + image * windows->x.image * item;
    char *z = (char *)windows->z.data +
              (image * windows->z.across[0] + depth * windows->z.across[1] + row * windows->z.across[2]) * item;
    bool inside = false; /* all taps of the column before lie in the image along w: those of the next are a step further */
    const void *at[PLANES_TAPS], *weights[PLANES_TAPS];
    int64_t count = 0, moved = windows->x.step[2] * windows->x.strides[2] * item;
    for (int64_t column = 0; column < windows->positions[3]; column++) {
        int64_t index[TNI_WINDOW_DIMS] = {depth, row, column}, first[TNI_WINDOW_DIMS], tap = 0;
        for (int d = 0; d < TNI_WINDOW_DIMS; d++)
            first[d] = windows->x.origin[d] + index[d] * windows->x.step[d];
        bool whole = first[2] + call->least[2] >= 0 && first[2] + call->least[2] + call->reach[2] <= windows->x.sizes[2];
        bool follows = whole && inside;
        inside = whole;
        for (int64_t i = 0; i < count && follows; i++)
            at[i] = (const char *)at[i] + moved;
        count = follows ? count : 0;
        for (int64_t i = 0; i < windows->taps[0] && !follows; i++)
            for (int64_t j = 0; j < windows->taps[1]; j++)
                for (int64_t k = 0; k < windows->taps[2]; k++, tap++) {
                    int64_t d = first[0] + i * windows->x.tap_step[0], h = first[1] + j * windows->x.tap_step[1];
                    int64_t w = first[2] + k * windows->x.tap_step[2];
                    if (d < 0 || d >= windows->x.sizes[0] || h < 0 || h >= windows->x.sizes[1] || w < 0 ||
                        w >= windows->x.sizes[2])
                        continue;
                    at[count] = x + (d * windows->x.strides[0] + h * windows->x.strides[1] + w * windows->x.strides[2]) * item;
                    weights[count++] = call->weights + tap * windows->groups * item;
                }
        char *to = z + column * windows->z.across[3] * item;
        channels(to, at, weights, count, windows->groups);
        void *data[3] = {to, to, (void *)(uintptr_t)call->biases};
        if (windows->bias.data)
            call->finish->add(data, windows->groups, NULL);
        if (call->finish->activation)
            call->finish->activation(data, windows->groups, NULL);
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

static int64_t planes_taps(const tni_windows *windows) { return windows->taps[0] * windows->taps[1] * windows->taps[2]; }

size_t tni_windows_planes_bytes(const tni_windows *windows) {
    size_t numbers = windows->bias.data ? (size_t)(windows->groups * windows->lines) : 0;
    if (planes_have_channels(windows))
        numbers += (size_t)(planes_taps(windows) * windows->groups);
    return numbers * 8 + 64;
}

/* One number for each channel, next to each other. */
static void planes_gather(const planes_call *call, char *to, const void *from, tn_dtype dtype, int64_t group, int64_t line) {
    const tni_windows *windows = call->windows;
    int64_t size = (int64_t)tni_dtype_size(dtype);
    for (int64_t g = 0; g < windows->groups; g++)
        for (int64_t i = 0; i < windows->lines; i++)
            tni_block_convert(windows->compute, to + (g * windows->lines + i) * call->item, dtype,
                              (const char *)from + (g * group + i * line) * size, 1);
}

bool tni_windows_planes_run(const tni_windows *windows, const tni_finish *finish, char *memory) {
    planes_call call = {.finish = finish, .biases = memory};
    planes_measure(&call, windows);
    if (windows->bias.data) {
        planes_gather(&call, memory, windows->bias.data, windows->bias.dtype, windows->bias.group, windows->bias.line);
        memory += windows->groups * windows->lines * call.item;
    }
    const int64_t *positions = windows->positions;
    int64_t taps = planes_taps(windows);
    if (planes_have_channels(windows)) {
        call.weights = memory;
        int64_t size = (int64_t)tni_dtype_size(windows->y.dtype), tap = 0;
        for (int64_t i = 0; i < windows->taps[0]; i++)
            for (int64_t j = 0; j < windows->taps[1]; j++)
                for (int64_t k = 0; k < windows->taps[2]; k++, tap++)
                    planes_gather(&call, memory + tap * windows->groups * call.item,
                                  (const char *)windows->y.data +
                                      (i * windows->y.along[0] + j * windows->y.along[1] + k * windows->y.along[2]) * size,
                                  windows->y.dtype, windows->y.group, windows->y.line);
        int64_t grain = tni_max_i64(PLANES_TASK / tni_max_i64(positions[3] * taps * windows->groups, 1), 1);
        return tni_parallel_for(positions[0] * positions[1] * positions[2], grain, planes_channels_task, &call);
    }
    /* As many columns, and then rows, as there is room for on the stack. */
    int64_t room = PLANES_BYTES / call.item / windows->taps[0];
    int64_t columns = (room / call.reach[1] - call.reach[2]) / windows->x.step[2] + 1;
    call.column_block = tni_max_i64(tni_min_i64(tni_min_i64(columns, PLANES_COLUMNS), positions[3]), 1);
    int64_t width = (call.column_block - 1) * windows->x.step[2] + call.reach[2];
    int64_t rows = (room / width - call.reach[1]) / windows->x.step[1] + 1;
    call.row_block = tni_max_i64(tni_min_i64(rows, positions[2]), 1);
    call.row_blocks = (positions[2] + call.row_block - 1) / call.row_block;
    call.column_blocks = (positions[3] + call.column_block - 1) / call.column_block;
    int64_t work = call.row_block * call.column_block * taps * windows->lines;
    return tni_parallel_for(positions[0] * windows->groups * positions[1] * call.row_blocks * call.column_blocks,
                            tni_max_i64(PLANES_TASK / work, 1), planes_task, &call);
}
