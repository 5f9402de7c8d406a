/* convolution_sizes.c - the numbers of a convolution: read from lists, checked against each other, and the sizes that follow.
 *
 *     size of the result = (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1
 *     transposed:          (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + output_padding + 1
 */
#include "base/error.h"
#include "ops/nn/convolution.h"
#include "tensor/show.h"

/* Numbers beyond this one would not fit when they are multiplied; no image is as large. */
#define CONVOLUTION_MOST ((int64_t)1 << 40)

bool tni_convolution_read(tn_dims list, const char *name, int64_t dims, int64_t least, int64_t *numbers) {
    if (list.count != 1 && list.count != dims) {
        tni_raise(TN_ERROR_ARGUMENT, "%s %s must be one number, or one for each of the %" PRId64 " dimensions of an image",
                  name, tni_show_dims(list.values, list.count), dims);
        return false;
    }
    for (int64_t d = 0; d < dims; d++) {
        numbers[d] = list.values[list.count == 1 ? 0 : d];
        if (numbers[d] < least || numbers[d] > CONVOLUTION_MOST) {
            tni_raise(TN_ERROR_ARGUMENT, "%s %s must not be %s: %" PRId64 " is", name, tni_show_dims(list.values, list.count),
                      numbers[d] > 0 ? "so large"
                      : least > 0    ? "below 1"
                                     : "negative",
                      numbers[d]);
            return false;
        }
    }
    return true;
}

static bool convolution_spread(tn_dims list, const char *name, int64_t dims, int64_t least, int64_t *numbers) {
    int64_t lacking = TNI_CONVOLUTION_DIMS - dims;
    for (int64_t d = 0; d < lacking; d++)
        numbers[d] = least;
    return tni_convolution_read(list, name, dims, least, numbers + lacking);
}

bool tni_convolution_resolve(tni_convolution *convolution, const tni_convolution_arguments *arguments, int64_t dims) {
    if (dims < 1 || dims > TNI_CONVOLUTION_DIMS) {
        tni_raise(TN_ERROR_SHAPE, "weight has %" PRId64 " dimensions: it must have 3, 4 or 5, for images of 1, 2 or 3",
                  dims + 2);
        return false;
    }
    convolution->dims = dims;
    convolution->transposed = arguments->transposed;
    convolution->groups = arguments->groups;
    if (arguments->groups < 1) {
        tni_raise(TN_ERROR_ARGUMENT, "groups must be 1 or more, not %" PRId64, arguments->groups);
        return false;
    }
    return convolution_spread(arguments->stride, "stride", dims, 1, convolution->stride) &&
           convolution_spread(arguments->padding, "padding", dims, 0, convolution->padding) &&
           convolution_spread(arguments->dilation, "dilation", dims, 1, convolution->dilation) &&
           convolution_spread(arguments->output_padding, "output_padding", dims, 0, convolution->output_padding);
}

static bool convolution_check_channels(const tni_convolution *convolution, const tn_tensor *input, tn_dims weight) {
    int64_t groups = convolution->groups, channels = input->sizes[1];
    const char *shown = tni_show_dims(weight.values, weight.count);
    if (weight.values[0] < 1 || (convolution->transposed && weight.values[1] < 1)) {
        tni_raise(TN_ERROR_SHAPE, "weight %s makes no channels: the first of its sizes must be 1 or more%s", shown,
                  convolution->transposed ? ", and the second" : "");
        return false;
    }
    if (weight.values[0] % groups != 0) {
        tni_raise(TN_ERROR_SHAPE,
                  "the first size of weight %s must divide by groups: %" PRId64 " is not a multiple of %" PRId64, shown,
                  weight.values[0], groups);
        return false;
    }
    if (!convolution->transposed && channels % groups != 0) {
        tni_raise(TN_ERROR_SHAPE, "the channels of input %s must divide by groups: %" PRId64 " is not a multiple of %" PRId64,
                  tni_show_tensor(input), channels, groups);
        return false;
    }
    int64_t expected = convolution->transposed ? weight.values[0] : weight.values[1] * groups;
    if (channels == expected)
        return true;
    tni_raise(TN_ERROR_SHAPE,
              convolution->transposed ? "input %s has %" PRId64 " channels, and weight %s is for %" PRId64 ", its first size"
                                      : "input %s has %" PRId64 " channels, and weight %s is for %" PRId64
                                        ", its second size times groups",
              tni_show_tensor(input), channels, shown, expected);
    return false;
}

/* One size of the images of the result. */
static bool convolution_size(const tni_convolution *convolution, int64_t d, int64_t size, int64_t kernel, int64_t *result) {
    int64_t stride = convolution->stride[d], padding = convolution->padding[d], dilation = convolution->dilation[d];
    int64_t extra = convolution->output_padding[d], reach, padded;
    int shown = (int)(d - (TNI_CONVOLUTION_DIMS - convolution->dims));
    if (kernel < 1) {
        tni_raise(TN_ERROR_SHAPE, "weight has a kernel of size %" PRId64 " in dimension %d of images: it must be 1 or more",
                  kernel, shown);
        return false;
    }
    bool fits = !tni_mul_overflows(dilation, kernel - 1, &reach);
    if (!convolution->transposed) {
        padded = size + 2 * padding;
        if (fits && reach < padded) {
            *result = (padded - reach - 1) / stride + 1;
            return true;
        }
        tni_raise(
            TN_ERROR_SHAPE,
            "the kernel does not fit into the padded input in dimension %d of images: it reaches over dilation * (kernel - 1) + 1 "
            "= %" PRId64 " * (%" PRId64 " - 1) + 1, and size + 2 * padding = %" PRId64 " + 2 * %" PRId64 " = %" PRId64
            " are there",
            shown, dilation, kernel, size, padding, padded);
        return false;
    }
    if (extra >= stride && extra >= dilation) {
        tni_raise(TN_ERROR_ARGUMENT,
                  "output_padding %" PRId64 " must be below stride %" PRId64 " or below dilation %" PRId64
                  " in dimension %d of images",
                  extra, stride, dilation, shown);
        return false;
    }
    int64_t spread;
    fits = fits && !tni_mul_overflows(size - 1, stride, &spread) && !tni_add_overflows(spread, reach, &spread);
    *result = fits ? spread - 2 * padding + extra + 1 : 0;
    if (*result >= 1)
        return true;
    tni_raise(
        TN_ERROR_SHAPE,
        "the result would have no elements in dimension %d of images: its size is (size - 1) * stride - 2 * padding + dilation * "
        "(kernel - 1) + output_padding + 1 = (%" PRId64 " - 1) * %" PRId64 " - 2 * %" PRId64 " + %" PRId64 " * (%" PRId64
        " - 1) + %" PRId64 " + 1",
        shown, size, stride, padding, dilation, kernel, extra);
    return false;
}

bool tni_convolution_sizes(const tni_convolution *convolution, const tn_tensor *input, tn_dims weight, int64_t *sizes) {
    if (input->ndim != weight.count) {
        tni_raise(TN_ERROR_SHAPE,
                  "input %s must have as many dimensions as weight %s: batch, channels, and %" PRId64 " of images",
                  tni_show_tensor(input), tni_show_dims(weight.values, weight.count), convolution->dims);
        return false;
    }
    if (!convolution_check_channels(convolution, input, weight))
        return false;
    sizes[0] = input->sizes[0];
    sizes[1] = convolution->transposed ? weight.values[1] * convolution->groups : weight.values[0];
    int64_t lacking = TNI_CONVOLUTION_DIMS - convolution->dims;
    for (int64_t d = 0; d < convolution->dims; d++) {
        if (input->sizes[2 + d] < 1 || input->sizes[2 + d] > CONVOLUTION_MOST) {
            tni_raise(TN_ERROR_SHAPE, "input %s has images of size %" PRId64 " in dimension %" PRId64 ": it must be 1 or more",
                      tni_show_tensor(input), input->sizes[2 + d], 2 + d);
            return false;
        }
        if (!convolution_size(convolution, lacking + d, input->sizes[2 + d], weight.values[2 + d], &sizes[2 + d]))
            return false;
    }
    return true;
}

/* As in PyTorch: of images of one dimension the weights decide, as though each were (1, w); images of three have their channels last where
 * oneDNN serves, which PyTorch asks for some dtypes only. */
bool tni_convolution_channels_last(const tni_convolution *convolution, const tn_tensor *input, const tn_tensor *weight) {
    if (convolution->dims == 1) {
        const int64_t sizes[] = {weight->sizes[0], weight->sizes[1], 1, weight->sizes[2]};
        const int64_t strides[] = {weight->strides[0], weight->strides[1], weight->sizes[2] * weight->strides[2],
                                   weight->strides[2]};
        return tn_geometry_is_channels_last(4, sizes, strides);
    }
    if (convolution->dims == 3) {
        if (input->dtype != TN_FLOAT32 && input->dtype != TN_BFLOAT16 && input->dtype != TN_COMPLEX64)
            return false;
        for (int d = 0; d < TNI_CONVOLUTION_DIMS && convolution->transposed; d++)
            if (convolution->output_padding[d] >= convolution->stride[d])
                return false;
    }
    return tn_geometry_is_channels_last(input->ndim, input->sizes, input->strides) ||
           tn_geometry_is_channels_last(weight->ndim, weight->sizes, weight->strides);
}

void tni_convolution_plan_result(tni_plan *plan, int64_t ndim, const int64_t *sizes, tn_dtype dtype, bool channels_last) {
    tni_plan_result *result = &plan->result[plan->count];
    int64_t numel;
    channels_last = channels_last && tn_geometry_numel(ndim, sizes, &numel) == TN_GEOMETRY_OK && numel > 0;
    tni_plan_add_format(plan, ndim, sizes, dtype, channels_last && ndim > 3);
    if (channels_last && ndim == 3) {
        result->strided = true;
        result->strides[0] = sizes[1] * sizes[2];
        result->strides[1] = 1;
        result->strides[2] = sizes[1];
    }
}
