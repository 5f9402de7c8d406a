/* convolution_names.c - the convolutions that programs call, one for each number of dimensions of an image: all are tn_convolution, with
 * numbers or a word for padding, and a batch of one made of an input that has none.
 */
#include "base/error.h"
#include "operators_convolution.h"
#include "operators_copy.h"
#include "operators_join.h"
#include "operators_move.h"
#include "operators_view.h"
#include "ops/nn/convolution.h"
#include "tensor/show.h"

static const int64_t names_zero[] = {0};

static bool names_check(const tn_tensor *input, const tn_tensor *weight, int64_t dims) {
    if (weight->ndim != dims + 2) {
        tni_raise(TN_ERROR_SHAPE, "weight %s must have %" PRId64 " dimensions: two of channels, and those of the kernel",
                  tni_show_tensor(weight), dims + 2);
        return false;
    }
    if (input->ndim != dims + 1 && input->ndim != dims + 2) {
        tni_raise(TN_ERROR_SHAPE, "input %s must have %" PRId64 " dimensions, or %" PRId64 " without a batch",
                  tni_show_tensor(input), dims + 2, dims + 1);
        return false;
    }
    return true;
}

static tn_tensor *names_call(int64_t dims, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                             const tni_convolution_arguments *of) {
    if (!names_check(input, weight, dims))
        return NULL;
    bool alone = input->ndim == dims + 1;
    const tn_tensor *batch = alone ? tn_unsqueeze(input, 0) : input;
    tn_tensor *made = tn_convolution(batch, weight, bias, of->stride, of->padding, of->dilation, of->transposed,
                                     of->output_padding, of->groups);
    return alone ? tn_squeeze_dim(made, 0) : made;
}

static tn_tensor *names_plain(int64_t dims, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                              tn_dims stride, tn_dims padding, tn_dims dilation, int64_t groups) {
    tni_convolution_arguments arguments = {stride, padding, dilation, {names_zero, 1}, false, groups};
    return names_call(dims, input, weight, bias, &arguments);
}

/* ---- padding as a word */

/* "same": as much padding as keeps the sizes of images. Where that is an odd number, the last side has more, and the image is copied. */
static tn_tensor *names_same(int64_t dims, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                             tn_dims stride, tn_dims dilation, int64_t groups) {
    int64_t step[TNI_CONVOLUTION_DIMS], apart[TNI_CONVOLUTION_DIMS], around[TNI_CONVOLUTION_DIMS];
    int64_t behind[2 * TNI_CONVOLUTION_DIMS] = {0}; /* from the last dimension on: before, behind */
    bool odd = false;
    if (!names_check(input, weight, dims) || !tni_convolution_read(stride, "stride", dims, 1, step) ||
        !tni_convolution_read(dilation, "dilation", dims, 1, apart))
        return NULL;
    for (int64_t d = 0; d < dims; d++) {
        int64_t whole;
        if (step[d] != 1) {
            tni_raise(TN_ERROR_ARGUMENT, "padding 'same' is for a stride of 1, and stride is %s: give padding as numbers",
                      tni_show_dims(stride.values, stride.count));
            return NULL;
        }
        if (weight->sizes[2 + d] < 1 || tni_mul_overflows(apart[d], weight->sizes[2 + d] - 1, &whole)) {
            tni_raise(TN_ERROR_SHAPE, "weight %s has no kernel that could be padded for", tni_show_tensor(weight));
            return NULL;
        }
        around[d] = whole / 2;
        behind[2 * (dims - 1 - d) + 1] = whole % 2;
        odd |= whole % 2 != 0;
    }
    const tn_tensor *padded = odd ? tn_constant_pad_nd(input, ((tn_dims){behind, 2 * dims}), tn_scalar_int(0)) : input;
    return padded ? names_plain(dims, padded, weight, bias, stride, (tn_dims){around, dims}, dilation, groups) : NULL;
}

static tn_tensor *names_word(int64_t dims, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                             tn_dims stride, const char *padding, tn_dims dilation, int64_t groups) {
    if (strcmp(padding, "valid") == 0)
        return names_plain(dims, input, weight, bias, stride, (tn_dims){names_zero, 1}, dilation, groups);
    if (strcmp(padding, "same") == 0)
        return names_same(dims, input, weight, bias, stride, dilation, groups);
    tni_raise(TN_ERROR_ARGUMENT, "padding '%.20s' must be 'same', 'valid' or numbers", padding);
    return NULL;
}

/* ---- for each number of dimensions */

#define NAMES_OF(dims)                                                                                                         \
    tn_tensor *tni_composite_conv##dims##d(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,             \
                                           tn_dims stride, tn_dims padding, tn_dims dilation, int64_t groups) {                \
        return names_plain(dims, input, weight, bias, stride, padding, dilation, groups);                                      \
    }                                                                                                                          \
    tn_tensor *tni_composite_conv##dims##d_padding(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,     \
                                                   tn_dims stride, const char *padding, tn_dims dilation, int64_t groups) {    \
        return names_word(dims, input, weight, bias, stride, padding, dilation, groups);                                       \
    }                                                                                                                          \
    tn_tensor *tni_composite_conv_transpose##dims##d(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,   \
                                                     tn_dims stride, tn_dims padding, tn_dims output_padding, int64_t groups,  \
                                                     tn_dims dilation) {                                                       \
        tni_convolution_arguments arguments = {stride, padding, dilation, output_padding, true, groups};                       \
        return names_call(dims, input, weight, bias, &arguments);                                                              \
    }
NAMES_OF(1)
NAMES_OF(2)
NAMES_OF(3)
#undef NAMES_OF

tn_tensor *tni_composite_conv_tbc(const tn_tensor *self, const tn_tensor *weight, const tn_tensor *bias, int64_t pad) {
    static const int64_t one[] = {1};
    if (self->ndim != 3 || weight->ndim != 3) {
        const tn_tensor *wrong = self->ndim != 3 ? self : weight;
        tni_raise(TN_ERROR_SHAPE, "%s %s must have 3 dimensions: %s", wrong == self ? "self" : "weight", tni_show_tensor(wrong),
                  wrong == self ? "time, batch, channels" : "kernel, channels of self, channels of the result");
        return NULL;
    }
    tn_tensor *made =
        tn_convolution(tn_permute(self, TN_DIMS(1, 2, 0)), tn_permute(weight, TN_DIMS(2, 1, 0)), bias, (tn_dims){one, 1},
                       (tn_dims){&pad, 1}, (tn_dims){one, 1}, false, (tn_dims){names_zero, 1}, 1);
    return tn_contiguous(tn_permute(made, TN_DIMS(2, 0, 1)), TN_CONTIGUOUS);
}

tn_tensor *tni_composite__convolution(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                                      tn_dims padding, tn_dims dilation, bool transposed, tn_dims output_padding,
                                      int64_t groups, bool benchmark, bool deterministic, bool cudnn_enabled) {
    (void)benchmark, (void)deterministic, (void)cudnn_enabled;
    return tn_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}
