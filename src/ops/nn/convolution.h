/* convolution.h - what the operators of convolution have in common: the numbers of a call, resolved and checked.
 *
 * Images have one, two or three dimensions beside batch and channels. Inside everything has three, d, h and w: those that an image
 * lacks come first, with size 1.
 */
#ifndef TNI_CONVOLUTION_H
#define TNI_CONVOLUTION_H

#include "iterate/windows.h"
#include "ops/plan.h"

enum { TNI_CONVOLUTION_DIMS = TNI_WINDOW_DIMS };

typedef struct tni_convolution {
    int64_t dims; /* of an image */
    int64_t stride[TNI_CONVOLUTION_DIMS], padding[TNI_CONVOLUTION_DIMS], dilation[TNI_CONVOLUTION_DIMS];
    int64_t output_padding[TNI_CONVOLUTION_DIMS];
    bool transposed;
    int64_t groups;
} tni_convolution;

/* The arguments of a call as they are written. */
typedef struct tni_convolution_arguments {
    tn_dims stride, padding, dilation, output_padding;
    bool transposed;
    int64_t groups;
} tni_convolution_arguments;

/* A list of numbers for the dimensions of an image: one for each, or one for all; at least `least`. Raises what is wrong with it. */
bool tni_convolution_read(tn_dims list, const char *name, int64_t dims, int64_t least, int64_t *numbers);

/* All of them, and that stride, padding and dilation make sense. `dims` is that of weight, less 2. */
bool tni_convolution_resolve(tni_convolution *convolution, const tni_convolution_arguments *arguments, int64_t dims);

/* Checks that input and weight fit, and finds the sizes of the result: batch, channels, and those of its images. */
bool tni_convolution_sizes(const tni_convolution *convolution, const tn_tensor *input, tn_dims weight, int64_t *sizes);

/* Whether the result of a convolution of these two has its channels last. */
bool tni_convolution_channels_last(const tni_convolution *convolution, const tn_tensor *input, const tn_tensor *weight);

/* A plan's one result, with channels last or not. */
void tni_convolution_plan_result(tni_plan *plan, int64_t ndim, const int64_t *sizes, tn_dtype dtype, bool channels_last);

/* Sizes or strides of the dimensions of images of a tensor, three of them: `missing` for those that it lacks. */
static inline void tni_convolution_spread(const tn_tensor *tensor, const int64_t *from, int64_t missing,
                                          int64_t to[TNI_CONVOLUTION_DIMS]) {
    int64_t dims = tensor->ndim - 2, lacking = TNI_CONVOLUTION_DIMS - dims;
    for (int64_t d = 0; d < TNI_CONVOLUTION_DIMS; d++)
        to[d] = d < lacking ? missing : from[2 + d - lacking];
}

/* A convolution, which has been checked: result, input and weight are its tensors, bias may be NULL. */
tn_error tni_convolution_run(const tni_convolution *convolution, tn_tensor *result, const tn_tensor *input,
                             const tn_tensor *weight, const tn_tensor *bias, tni_product_activation activation);

/* The gradient of its weights, a new or given tensor, from that of its result. */
tn_error tni_convolution_run_weight(const tni_convolution *convolution, tn_tensor *result, const tn_tensor *grad_output,
                                    const tn_tensor *input);

#endif
