/* norm_backward_run.c - gradients of norms in two passes over memory, for plain calls: what norm_backward.c says with operators.
 *
 * With y = (x - mean) * rstd and h = grad * weight, the gradient of x is rstd * (h - mean(h) - y * mean(h * y)). Lines (layer_norm, rms_norm) have a
 * weight for each element: a line is summed, written while it is in the cache, and the gradients of weight and bias are sums down
 * the columns of all lines. Planes (group_norm, batch_norm) have one weight each: all are summed first, the sums put together, and the
 * gradients written. Where channels are next to each other, pixels are rows of them: sums go down their columns. Sums are cut by sizes alone, so the bits do not depend on threads.
 */
#include "ops/nn/norm_backward_run.h"

#include <math.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "ops/copy/copy.h"
#include "ops/limits.h"
#include "ops/nn/planes.h"

typedef struct run_call {
    const tni_norm_backward *of;
    tn_tensor *read[3]; /* grad, input and weight in a row, of the dtype that is computed in */
    tn_tensor *made;    /* the gradient of input, of that dtype */
    size_t item;
    bool wide;
    int64_t lines, count;             /* lines or planes, and elements of one */
    double *statistics, *sums, *back; /* mean and rstd of each line; two sums of each plane; two of each column or channel */
    int64_t chunks;                   /* of lines whose columns are summed by themselves, while they are in the cache; or 0 */
    double *parts;                    /* what those sums are, for each chunk */
    bool last;                        /* of planes: channels are next to each other        */
    int64_t pixels, pieces;           /* of an image, and parts that those are cut into    */
    char *numbers;                    /* of each image: center, scale, along and rest of each channel */
} run_call;

static const char *norm_run_at(const run_call *run, int which, int64_t line) {
    return run->read[which] ? tni_tensor_read(run->read[which]) + (size_t)(line * run->count) * run->item : NULL;
}

static bool run_has_channels_last(const tn_tensor *tensor) {
    return !tni_tensor_is_contiguous(tensor) &&
           tn_geometry_is_channels_last_contiguous(tensor->ndim, tensor->sizes, tensor->strides);
}

/* A tensor with this dtype and its elements in order, channels last or not. */
static tn_tensor *run_row(const tn_tensor *tensor, tn_dtype dtype, bool last) {
    if (tensor->dtype == (uint8_t)dtype && (last ? run_has_channels_last(tensor) : tni_tensor_is_contiguous(tensor)))
        return tni_tensor_retain(tensor);
    return tni_clone_as(tensor, dtype,
                        !last               ? TN_CONTIGUOUS
                        : tensor->ndim == 4 ? TN_CHANNELS_LAST
                                            : TN_CHANNELS_LAST_3D,
                        TN_DEVICE_CPU, "the gradient of a norm is computed in a row");
}

static void norm_run_place(const run_call *run, int64_t line, const void *weight, double mean, double scale, double along,
                           double rest) {
    double numbers[4] = {mean, scale, along, rest};
    char *out = tni_tensor_write(run->made) + (size_t)(line * run->count) * run->item;
    tni_kernels()->norm_back_place[run->wide](out, norm_run_at(run, 0, line), norm_run_at(run, 1, line), weight, run->count,
                                              numbers);
}

/* ---- lines */

static void run_lines(void *argument, int64_t begin, int64_t end) {
    const run_call *run = argument;
    const tni_norm_backward *of = run->of;
    const void *weight = run->read[2] ? tni_tensor_read(run->read[2]) : NULL;
    for (int64_t line = begin; line < end; line++) {
        double *mean = run->statistics + 2 * line, *rstd = mean + 1, sums[2], n = (double)run->count;
        if (of->finds) {
            tni_norm_moments found;
            tni_kernels()->norm_moments[run->wide](norm_run_at(run, 1, line), run->count, &found);
            double middle = found.center + found.left;
            *mean = of->centred ? middle : 0;
            *rstd = 1 / sqrt(found.variance + (of->centred ? 0 : middle * middle) + of->eps);
        }
        if (!run->made)
            continue;
        tni_kernels()->norm_back_sums[run->wide](norm_run_at(run, 0, line), norm_run_at(run, 1, line), weight, run->count,
                                                 *mean, sums);
        double along = -*rstd * *rstd * *rstd * sums[1] / n, rest = of->centred ? -*rstd * sums[0] / n : 0;
        norm_run_place(run, line, weight, *mean, *rstd, along, rest);
    }
}

/* Sums down some columns of some lines: those of weight, then those of bias. */
static void run_column_block(const run_call *run, int64_t block, int64_t line, int64_t lines, double *back) {
    int64_t first = block * TNI_NORM_BACK_COLUMNS, columns = tni_min_i64(TNI_NORM_BACK_COLUMNS, run->count - first);
    double sums[2 * TNI_NORM_BACK_COLUMNS] = {0};
    size_t at = (size_t)first * run->item;
    tni_kernels()->norm_back_columns[run->wide](sums, norm_run_at(run, 0, line) + at, norm_run_at(run, 1, line) + at, lines,
                                                run->count, columns, run->statistics + 2 * line, NULL);
    for (int64_t c = 0; c < columns; c++) {
        back[first + c] = sums[c];
        back[run->count + first + c] = sums[columns + c];
    }
}

static int64_t run_blocks(const run_call *run) { return (run->count + TNI_NORM_BACK_COLUMNS - 1) / TNI_NORM_BACK_COLUMNS; }

static void run_columns(void *argument, int64_t begin, int64_t end) {
    const run_call *run = argument;
    for (int64_t block = begin; block < end; block++)
        run_column_block(run, block, 0, run->lines, run->back);
}

/* Lines, and then their columns. A chunk is as many lines as are added in one dtype, so the sums are those of all lines at once. */
static void run_chunks(void *argument, int64_t begin, int64_t end) {
    const run_call *run = argument;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        int64_t line = chunk * TNI_NORM_BACK_ROWS, lines = tni_min_i64(TNI_NORM_BACK_ROWS, run->lines - line);
        run_lines(argument, line, line + lines);
        for (int64_t block = 0; block < run_blocks(run); block++)
            run_column_block(run, block, line, lines, run->parts + chunk * 2 * run->count);
    }
}

static bool run_in_chunks(run_call *run) {
    int64_t each = TNI_NORM_BACK_ROWS * run->count;
    if (!tni_parallel_for(run->chunks, tni_max_i64(1, NORM_BACK_PIECE / each), run_chunks, run))
        return false;
    for (int64_t chunk = 0; chunk < run->chunks; chunk++)
        for (int64_t c = 0; c < 2 * run->count; c++)
            run->back[c] += run->parts[chunk * 2 * run->count + c];
    return true;
}

/* ---- planes */

static void run_plane_statistics(const run_call *run, int64_t plane, double *mean, double *rstd) {
    const tni_norm_backward *of = run->of;
    int64_t channel = plane % of->channels;
    int64_t at = of->groups ? plane / of->channels * of->groups + channel / (of->channels / of->groups) : channel;
    *mean = run->statistics[2 * at];
    *rstd = run->statistics[2 * at + 1];
}

static void run_plane_sums(void *argument, int64_t begin, int64_t end) {
    const run_call *run = argument;
    for (int64_t plane = begin; plane < end; plane++) {
        double mean, rstd, *sums = run->sums + 2 * plane;
        run_plane_statistics(run, plane, &mean, &rstd);
        tni_kernels()->norm_back_sums[run->wide](norm_run_at(run, 0, plane), norm_run_at(run, 1, plane), NULL, run->count, mean,
                                                 sums);
        sums[1] *= rstd;
    }
}

static double run_weight(const run_call *run, int64_t channel) {
    if (!run->read[2])
        return 1;
    const void *data = tni_tensor_read(run->read[2]);
    return run->wide ? ((const double *)data)[channel] : (double)((const float *)data)[channel];
}

/* The mean of h, and of h * y, over what shares a mean with a plane. */
static void run_plane_means(const run_call *run, int64_t plane, double *h, double *hy) {
    const tni_norm_backward *of = run->of;
    int64_t channel = plane % of->channels, each = of->groups ? of->channels / of->groups : 0;
    *h = *hy = 0;
    if (!of->shares)
        return;
    if (!of->groups) {
        int64_t share = run->lines / of->channels * run->count;
        double n = (double)share, weight = run_weight(run, channel);
        *h = run->back[of->channels + channel] * weight / n;
        *hy = run->back[channel] * weight / n;
        return;
    }
    int64_t first = channel / each * each;
    for (int64_t c = first; c < first + each; c++) {
        const double *sums = run->sums + 2 * (plane - channel + c);
        *h += sums[0] * run_weight(run, c);
        *hy += sums[1] * run_weight(run, c);
    }
    *h /= (double)(each * run->count);
    *hy /= (double)(each * run->count);
}

static void run_planes(void *argument, int64_t begin, int64_t end) {
    const run_call *run = argument;
    for (int64_t plane = begin; plane < end; plane++) {
        double mean, rstd, h, hy;
        run_plane_statistics(run, plane, &mean, &rstd);
        run_plane_means(run, plane, &h, &hy);
        norm_run_place(run, plane, NULL, mean, run_weight(run, plane % run->of->channels) * rstd, -rstd * rstd * hy, -rstd * h);
    }
}

/* ---- planes of pixels */

static char *run_numbers_of(const run_call *run, int64_t image, int which) {
    return run->numbers + (size_t)((image * 4 + which) * run->of->channels) * run->item;
}

static void run_set(const run_call *run, int64_t plane, int which, double value) {
    char *to = run_numbers_of(run, plane / run->of->channels, which);
    if (run->wide)
        ((double *)(void *)to)[plane % run->of->channels] = value;
    else
        ((float *)(void *)to)[plane % run->of->channels] = (float)value;
}

/* Part `piece` of an image: its first pixel, as a place in all of them, and how many there are. */
static int64_t run_piece(const run_call *run, int64_t piece, int64_t *image, int64_t *count) {
    int64_t first = piece % run->pieces * run->pixels;
    *image = piece / run->pieces;
    *count = tni_min_i64(run->pixels, run->count - first);
    return (*image * run->count + first) * run->of->channels * (int64_t)run->item;
}

static void run_pixel_sums(void *argument, int64_t begin, int64_t end) {
    const run_call *run = argument;
    int64_t channels = run->of->channels, image, count, item = (int64_t)run->item;
    for (int64_t piece = begin; piece < end; piece++) {
        int64_t at = run_piece(run, piece, &image, &count);
        const char *grad = tni_tensor_read(run->read[0]) + at, *x = tni_tensor_read(run->read[1]) + at;
        for (int64_t c = 0, columns; c < channels; c += columns) {
            columns = tni_min_i64(TNI_NORM_BACK_COLUMNS, channels - c);
            double sums[2 * TNI_NORM_BACK_COLUMNS] = {0}, *to = run->parts + 2 * (piece * channels + c);
            tni_kernels()->norm_back_columns[run->wide](sums, grad + c * item, x + c * item, count, channels, columns, NULL,
                                                        run_numbers_of(run, image, 0) + c * item);
            for (int64_t k = 0; k < columns; k++) {
                to[2 * k] = sums[columns + k];
                to[2 * k + 1] = sums[k];
            }
        }
    }
}

static void run_pixels(void *argument, int64_t begin, int64_t end) {
    const run_call *run = argument;
    int64_t image, count;
    for (int64_t piece = begin; piece < end; piece++) {
        int64_t at = run_piece(run, piece, &image, &count);
        tni_kernels()->norm_back_pixels[run->wide](tni_tensor_write(run->made) + at, tni_tensor_read(run->read[0]) + at,
                                                   tni_tensor_read(run->read[1]) + at, count, run->of->channels,
                                                   run_numbers_of(run, image, 0));
    }
}

/* The sums of all planes, from those of parts in order. */
static bool run_last_sums(run_call *run) {
    int64_t channels = run->of->channels, parts = run->lines / channels * run->pieces;
    double mean, rstd;
    for (int64_t plane = 0; plane < run->lines; plane++) {
        run_plane_statistics(run, plane, &mean, &rstd);
        run_set(run, plane, 0, mean);
    }
    if (!tni_parallel_for(parts, 1, run_pixel_sums, run))
        return false;
    for (int64_t plane = 0; plane < run->lines; plane++) {
        double *sums = run->sums + 2 * plane;
        run_plane_statistics(run, plane, &mean, &rstd);
        for (int64_t piece = 0; piece < run->pieces; piece++) {
            const double *part = run->parts + 2 * ((plane / channels * run->pieces + piece) * channels + plane % channels);
            sums[0] += part[0];
            sums[1] += part[1] * rstd;
        }
    }
    return true;
}

static bool run_last_planes(run_call *run) {
    for (int64_t plane = 0; plane < run->lines; plane++) {
        double mean, rstd, h, hy;
        run_plane_statistics(run, plane, &mean, &rstd);
        run_plane_means(run, plane, &h, &hy);
        run_set(run, plane, 1, run_weight(run, plane % run->of->channels) * rstd);
        run_set(run, plane, 2, -rstd * rstd * hy);
        run_set(run, plane, 3, -rstd * h);
    }
    return tni_parallel_for(run->lines / run->of->channels * run->pieces, 1, run_pixels, run);
}

/* ---- */

static int64_t run_grain(const run_call *run) { return tni_max_i64(1, NORM_BACK_PIECE / tni_max_i64(1, run->count)); }

static bool norm_run_all(run_call *run) {
    const tni_norm_backward *of = run->of;
    if (run->chunks)
        return run_in_chunks(run);
    if (!of->channels)
        return tni_parallel_for(run->lines, run_grain(run), run_lines, run) &&
               (!run->back || tni_parallel_for(run_blocks(run), 1, run_columns, run));
    if (!(run->last ? run_last_sums(run) : tni_parallel_for(run->lines, run_grain(run), run_plane_sums, run)))
        return false;
    for (int64_t plane = 0; plane < run->lines; plane++) { /* in order: weights, then biases */
        run->back[plane % of->channels] += run->sums[2 * plane + 1];
        run->back[of->channels + plane % of->channels] += run->sums[2 * plane];
    }
    if (!run->made)
        return true;
    return run->last ? run_last_planes(run) : tni_parallel_for(run->lines, run_grain(run), run_planes, run);
}

/* A result of some sizes from numbers, or without elements. */
static tn_tensor *run_numbers(const double *from, tn_dims sizes, tn_dtype dtype, bool wanted) {
    static const int64_t none[1] = {0};
    if (!wanted)
        return tni_tensor_new(1, none, dtype, TN_DEVICE_CPU);
    tn_tensor *made = tni_tensor_new(sizes.count, sizes.values, TN_FLOAT64, TN_DEVICE_CPU);
    if (!made)
        return NULL;
    memcpy(tni_tensor_write(made), from, (size_t)made->numel * sizeof *from);
    tn_tensor *result = run_row(made, dtype, false);
    tni_tensor_release(made);
    return result;
}

static bool run_read_statistics(run_call *run, int64_t count) {
    const tni_norm_backward *of = run->of;
    const tn_tensor *from[2] = {of->mean, of->rstd};
    for (int i = 0; i < 2 && !of->finds; i++) {
        tn_tensor *row = run_row(from[i], TN_FLOAT64, false);
        if (!row)
            return false;
        const double *values = (const double *)(const void *)tni_tensor_read(row);
        for (int64_t k = 0; k < count; k++)
            run->statistics[2 * k + i] = i && of->variances ? 1 / sqrt(values[k] + of->eps) : values[k];
        tni_tensor_release(row);
    }
    return true;
}

tn_list *tni_norm_backward_run(const tni_norm_backward *of, tn_dtype dtype, tn_dims sizes, tn_dims mask) {
    tn_dtype compute = tni_plane_compute(of->input->dtype);
    int64_t statistics = of->channels ? (of->groups ? of->lines / of->channels * of->groups : of->channels) : of->lines;
    run_call run = {.of = of,
                    .item = tni_dtype_size(compute),
                    .wide = compute == TN_FLOAT64,
                    .lines = of->lines,
                    .count = of->input->numel / of->lines};
    bool parameters = mask.values[1] || mask.values[2];
    int64_t columns = of->channels ? of->channels : run.count, sums = of->channels ? 2 * of->lines : 0;
    if (!of->channels && parameters && run.count <= NORM_BACK_CHUNK && run.lines >= NORM_BACK_CHUNKS * TNI_NORM_BACK_ROWS)
        run.chunks = (run.lines + TNI_NORM_BACK_ROWS - 1) / TNI_NORM_BACK_ROWS;
    run.last = of->channels && of->input->ndim >= 4 && run_has_channels_last(of->input);
    if (run.last) {
        run.pixels = tni_max_i64(1, NORM_BACK_PIECE / (of->channels * TNI_NORM_BACK_ROWS)) * TNI_NORM_BACK_ROWS;
        run.pieces = (run.count + run.pixels - 1) / run.pixels;
    }
    int64_t numbers = run.last ? of->lines * (4 + 2 * run.pieces) : 0;
    size_t room = (size_t)(2 * statistics + sums + 2 * columns * (1 + run.chunks) + numbers) * sizeof(double);
    const tn_tensor *read[3] = {of->grad, of->input, of->weight};
    tn_tensor *results[3] = {NULL, NULL, NULL};
    run.statistics = tni_heap_calloc(room);
    bool ready = run.statistics != NULL;
    for (int i = 0; i < 3 && ready; i++)
        ready = !read[i] || (run.read[i] = run_row(read[i], compute, run.last && i < 2)) != NULL;
    if (ready && mask.values[0])
        ready = (run.made = run.last ? tni_tensor_new_strided(of->input->ndim, of->input->sizes, run.read[1]->strides, 0,
                                                              of->input->numel, compute, TN_DEVICE_CPU)
                                     : tni_tensor_new(of->input->ndim, of->input->sizes, compute, TN_DEVICE_CPU)) != NULL;
    if (ready) {
        run.sums = run.statistics + 2 * statistics;
        run.back = of->channels || parameters ? run.sums + sums : NULL;
        run.parts = run.sums + sums + 2 * columns;
        run.numbers = (char *)(run.parts + (run.last ? 2 * of->lines * run.pieces : 0));
        ready = run_read_statistics(&run, statistics) && norm_run_all(&run);
    }
    if (ready) {
        results[0] =
            mask.values[0] ? run_row(run.made, of->input->dtype, run.last) : run_numbers(NULL, sizes, of->input->dtype, false);
        results[1] = run_numbers(run.back, sizes, dtype, mask.values[1] != 0);
        results[2] = run_numbers(run.back ? run.back + columns : NULL, sizes, dtype, mask.values[2] != 0);
    }
    for (int i = 0; i < 3; i++)
        tni_tensor_release(run.read[i]);
    tni_tensor_release(run.made);
    tni_heap_free(run.statistics, room);
    if (results[0] && results[1] && results[2])
        return tni_list_make(results, 3);
    for (int i = 0; i < 3; i++)
        tni_tensor_release(results[i]);
    return NULL;
}
