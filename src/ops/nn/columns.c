/* columns.c - the blocks that a window covers as it moves over images, each as a column (im2col, unfold), and images put together from
 * such columns (col2im, fold).
 *
 * Both go over the elements of the window, one after the other: all columns of one of them are a part of the images, every so many rows
 * and columns, which is copied, or added, as a whole. Elements beyond the edges are 0, or go nowhere.
 */
#include "base/error.h"
#include "iterate/elements.h"
#include "kernels_arithmetic.h"
#include "operators_convolution.h"
#include "ops/copy/copy_engine.h"
#include "ops/nn/convolution.h"
#include "tensor/show.h"

enum { COLUMNS_DIMS = 2 };

/* What a plan finds out. */
typedef struct columns_windows {
    int64_t kernel[COLUMNS_DIMS], dilation[COLUMNS_DIMS], padding[COLUMNS_DIMS], stride[COLUMNS_DIMS];
    int64_t size[COLUMNS_DIMS], places[COLUMNS_DIMS]; /* of an image, and of windows on it */
} columns_windows;

_Static_assert(sizeof(columns_windows) <= TNI_PLAN_ROOM, "a plan has room for it");

static bool columns_read(columns_windows *windows, tn_dims kernel_size, tn_dims dilation, tn_dims padding, tn_dims stride) {
    return tni_convolution_read(kernel_size, "kernel_size", COLUMNS_DIMS, 1, windows->kernel) &&
           tni_convolution_read(dilation, "dilation", COLUMNS_DIMS, 1, windows->dilation) &&
           tni_convolution_read(padding, "padding", COLUMNS_DIMS, 0, windows->padding) &&
           tni_convolution_read(stride, "stride", COLUMNS_DIMS, 1, windows->stride);
}

/* How many windows there are on an image, whose size is known. */
static bool columns_count(columns_windows *windows) {
    for (int d = 0; d < COLUMNS_DIMS; d++) {
        int64_t reach, padded = windows->size[d] + 2 * windows->padding[d];
        bool fits = !tni_mul_overflows(windows->dilation[d], windows->kernel[d] - 1, &reach) && reach < padded;
        if (!fits) {
            tni_raise(
                TN_ERROR_SHAPE,
                "kernel_size does not fit into the padded image in dimension %d: it reaches over dilation * (kernel_size - 1) + 1 = "
                "%" PRId64 " * (%" PRId64 " - 1) + 1, and size + 2 * padding = %" PRId64 " + 2 * %" PRId64 " are there",
                d, windows->dilation[d], windows->kernel[d], windows->size[d], windows->padding[d]);
            return false;
        }
        windows->places[d] = (padded - reach - 1) / windows->stride[d] + 1;
    }
    return true;
}

/* Images and columns without a batch are a batch of one. */
typedef struct columns_sides {
    const columns_windows *windows;
    int64_t batch, channels;
    char *images, *columns;
    int64_t image[2], image_step[COLUMNS_DIMS]; /* strides: batch, channels; rows, columns */
    int64_t column[2], place;                   /* batch, elements of columns; columns     */
    tn_dtype dtype;
} columns_sides;

static columns_sides columns_take(const columns_windows *windows, const tn_tensor *images, const tn_tensor *columns) {
    bool batched = images->ndim == 4;
    const int64_t *strides = images->strides + batched, *across = columns->strides + batched;
    return (columns_sides){.windows = windows,
                           .batch = batched ? images->sizes[0] : 1,
                           .channels = images->sizes[batched],
                           .images = (char *)(uintptr_t)tni_tensor_read(images),
                           .columns = (char *)(uintptr_t)tni_tensor_read(columns),
                           .image = {batched ? images->strides[0] : 0, strides[0]},
                           .image_step = {strides[1], strides[2]},
                           .column = {batched ? columns->strides[0] : 0, across[0]},
                           .place = across[1],
                           .dtype = images->dtype};
}

/* The part of both sides that belongs to one element of the window. */
typedef struct columns_part {
    char *images, *columns;
    int64_t sizes[4], image_strides[4], column_strides[4]; /* batch, channels, rows, columns of windows */
} columns_part;

static bool columns_part_of(const columns_sides *sides, int64_t row, int64_t column, columns_part *part) {
    const columns_windows *windows = sides->windows;
    int64_t item = (int64_t)tni_dtype_size(sides->dtype), tap[COLUMNS_DIMS] = {row, column}, image = 0, place = 0;
    part->sizes[0] = sides->batch;
    part->sizes[1] = sides->channels;
    for (int d = 0; d < COLUMNS_DIMS; d++) {
        int64_t first = tap[d] * windows->dilation[d] - windows->padding[d], stride = windows->stride[d];
        int64_t begin = first < 0 ? (-first + stride - 1) / stride : 0;
        int64_t end =
            first < windows->size[d] ? tni_min_i64(windows->places[d], (windows->size[d] - 1 - first) / stride + 1) : 0;
        if (end <= begin)
            return false;
        part->sizes[2 + d] = end - begin;
        part->image_strides[2 + d] = stride * sides->image_step[d];
        part->column_strides[2 + d] = sides->place * (d == 0 ? windows->places[1] : 1);
        image += (first + begin * stride) * sides->image_step[d];
        place += begin * part->column_strides[2 + d];
    }
    int64_t window = windows->kernel[0] * windows->kernel[1];
    part->image_strides[0] = sides->image[0];
    part->image_strides[1] = sides->image[1];
    part->column_strides[0] = sides->column[0];
    part->column_strides[1] = sides->column[1] * window;
    part->images = sides->images + image * item;
    part->columns = sides->columns + (place + (row * windows->kernel[1] + column) * sides->column[1]) * item;
    return true;
}

static void columns_clear(tn_tensor *tensor) {
    static const char zero[16] = {0};
    static const int64_t still[TN_MAX_DIMS] = {0};
    tni_copy_elements(&(tni_copy){tensor->ndim, tensor->sizes, tni_tensor_write(tensor), tensor->strides, tensor->dtype, zero,
                                  still, tensor->dtype});
}

/* ---- columns of images */

bool tni_plan_im2col(tni_plan *plan, const tn_tensor *self, tn_dims kernel_size, tn_dims dilation, tn_dims padding,
                     tn_dims stride) {
    columns_windows *windows = (void *)plan->room;
    bool batched = self->ndim == 4;
    if (!batched && self->ndim != 3) {
        tni_raise(TN_ERROR_SHAPE, "self %s must have 4 dimensions: batch, channels, rows, columns; or 3, without a batch",
                  tni_show_tensor(self));
        return false;
    }
    for (int64_t d = batched; d < self->ndim; d++)
        if (self->sizes[d] == 0) {
            tni_raise(TN_ERROR_SHAPE, "self %s must have no size of 0 but that of the batch", tni_show_tensor(self));
            return false;
        }
    if (!columns_read(windows, kernel_size, dilation, padding, stride))
        return false;
    windows->size[0] = self->sizes[batched + 1];
    windows->size[1] = self->sizes[batched + 2];
    if (!columns_count(windows))
        return false;
    int64_t sizes[3] = {self->sizes[0]};
    if (tni_mul_overflows(self->sizes[batched], windows->kernel[0] * windows->kernel[1], &sizes[batched]) ||
        tni_mul_overflows(windows->places[0], windows->places[1], &sizes[batched + 1])) {
        tni_raise(TN_ERROR_SHAPE, "the columns of self %s would have too many elements", tni_show_tensor(self));
        return false;
    }
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim - 1, sizes, self->dtype);
    return true;
}

tn_error tni_run_im2col(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims kernel_size,
                        tn_dims dilation, tn_dims padding, tn_dims stride) {
    (void)kernel_size, (void)dilation, (void)padding, (void)stride;
    const columns_windows *windows = (const void *)plan->room;
    if (results[0]->numel == 0)
        return TN_OK;
    if (windows->padding[0] || windows->padding[1])
        columns_clear(results[0]);
    columns_sides sides = columns_take(windows, self, results[0]);
    columns_part part;
    for (int64_t row = 0; row < windows->kernel[0]; row++)
        for (int64_t column = 0; column < windows->kernel[1]; column++)
            if (columns_part_of(&sides, row, column, &part))
                tni_copy_elements(&(tni_copy){4, part.sizes, part.columns, part.column_strides, sides.dtype, part.images,
                                              part.image_strides, sides.dtype});
    return TN_OK;
}

/* ---- images of columns */

bool tni_plan_col2im(tni_plan *plan, const tn_tensor *self, tn_dims output_size, tn_dims kernel_size, tn_dims dilation,
                     tn_dims padding, tn_dims stride) {
    columns_windows *windows = (void *)plan->room;
    bool batched = self->ndim == 3;
    if (!batched && self->ndim != 2) {
        tni_raise(TN_ERROR_SHAPE, "self %s must have 3 dimensions: batch, elements of columns, columns; or 2, without a batch",
                  tni_show_tensor(self));
        return false;
    }
    if (!tni_convolution_read(output_size, "output_size", COLUMNS_DIMS, 1, windows->size) ||
        !columns_read(windows, kernel_size, dilation, padding, stride) || !columns_count(windows))
        return false;
    int64_t window, places = windows->places[0] * windows->places[1], elements = self->sizes[batched];
    if (tni_mul_overflows(windows->kernel[0], windows->kernel[1], &window) || elements == 0 || elements % window != 0) {
        tni_raise(TN_ERROR_SHAPE,
                  "the columns of self %s must have one element for each channel and element of the window: %" PRId64
                  " is not a multiple of %" PRId64 " * %" PRId64,
                  tni_show_tensor(self), elements, windows->kernel[0], windows->kernel[1]);
        return false;
    }
    if (self->sizes[batched + 1] != places) {
        tni_raise(
            TN_ERROR_SHAPE,
            "self %s must have as many columns as windows fit on an image of output_size, (size + 2 * padding - dilation * "
            "(kernel_size - 1) - 1) / stride + 1 in each dimension: %" PRId64 " * %" PRId64 ", not %" PRId64,
            tni_show_tensor(self), windows->places[0], windows->places[1], self->sizes[batched + 1]);
        return false;
    }
    int64_t sizes[4] = {self->sizes[0]};
    sizes[batched] = elements / window;
    sizes[batched + 1] = windows->size[0];
    sizes[batched + 2] = windows->size[1];
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim + 1, sizes, self->dtype);
    return true;
}

tn_error tni_run_col2im(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims output_size,
                        tn_dims kernel_size, tn_dims dilation, tn_dims padding, tn_dims stride) {
    (void)output_size, (void)kernel_size, (void)dilation, (void)padding, (void)stride;
    const columns_windows *windows = (const void *)plan->room;
    tn_dtype dtype = self->dtype, compute = dtype;
    if (tn_dtype_is_floating(dtype) && dtype != TN_FLOAT64)
        compute = TN_FLOAT32;
    tni_loop add = tni_loop_of(TNI_KERNEL_add, compute);
    if (!add)
        return tni_failed();
    if (results[0]->numel == 0)
        return TN_OK;
    columns_clear(results[0]);
    columns_sides sides = columns_take(windows, results[0], self);
    columns_part part;
    for (int64_t row = 0; row < windows->kernel[0]; row++)
        for (int64_t column = 0; column < windows->kernel[1]; column++)
            if (columns_part_of(&sides, row, column, &part))
                tni_pointwise_run(&(tni_pointwise_job){.ndim = 4,
                                                       .sizes = part.sizes,
                                                       .results = 1,
                                                       .operands = 3,
                                                       .operand = {{part.images, part.image_strides, dtype, compute},
                                                                   {part.images, part.image_strides, dtype, compute},
                                                                   {part.columns, part.column_strides, dtype, compute}},
                                                       .loop = add});
    return TN_OK;
}
