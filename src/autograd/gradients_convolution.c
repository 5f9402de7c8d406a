/* gradients_convolution.c - derivatives of convolutions: that of the input is a convolution the other way, with the same weights. */
#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_convolution.h"
#include "operators_reduce.h"
#include "operators_view.h"

/* grad is that of the result. A plain convolution with a stride leaves out some of the last elements of its input: so many has the
 * transposed one more; and a transposed one that was padded by more than a stride has results of no input. */
tn_tensor *tni_gradient_convolution_input(const tn_tensor *grad, tn_dims sizes, const tn_tensor *weight, tn_dims stride,
                                          tn_dims padding, tn_dims dilation, bool transposed, tn_dims output_padding,
                                          int64_t groups) {
    int64_t left_out[TN_MAX_DIMS] = {0}, dims = sizes.count - 2;
    (void)output_padding;
    if (sizes.values[1] == 0) /* an input without channels: no convolution makes one */
        return tni_gradient_zeros(sizes, grad);
    if (transposed) {
        tn_tensor *made = tn_convolution(grad, weight, NULL, stride, padding, dilation, false, TN_DIMS(0), groups);
        for (int64_t d = 2; d < sizes.count && made; d++)
            if (made->sizes[d] != sizes.values[d])
                made = tn_narrow(made, d, 0, sizes.values[d]);
        return made;
    }
    for (int64_t d = 0; d < dims; d++)
        left_out[d] = sizes.values[2 + d] - ((grad->sizes[2 + d] - 1) * stride.values[stride.count == 1 ? 0 : d] -
                                             2 * padding.values[padding.count == 1 ? 0 : d] +
                                             dilation.values[dilation.count == 1 ? 0 : d] * (weight->sizes[2 + d] - 1) + 1);
    return tn_convolution(grad, weight, NULL, stride, padding, dilation, true, (tn_dims){left_out, dims}, groups);
}

tn_tensor *tni_gradient_convolution_output(const tn_tensor *input, const tn_tensor *weight, tn_dims stride, tn_dims padding,
                                           tn_dims dilation, bool transposed, tn_dims output_padding, int64_t groups) {
    return tn_convolution(input, weight, NULL, stride, padding, dilation, transposed, output_padding, groups);
}

/* The sum over everything but channels. */
tn_tensor *tni_gradient_convolution_bias(const tn_tensor *grad) {
    int64_t dims[TN_MAX_DIMS] = {0};
    for (int64_t d = 1; d + 1 < grad->ndim; d++)
        dims[d] = d + 1;
    return tn_sum_dim(grad, (tn_dims){dims, grad->ndim - 1}, false, grad->dtype);
}

tn_tensor *tni_gradient_columns_image(const tn_tensor *grad, tn_dims sizes, tn_dims kernel_size, tn_dims dilation,
                                      tn_dims padding, tn_dims stride) {
    return tn_col2im(grad, (tn_dims){sizes.values + sizes.count - 2, 2}, kernel_size, dilation, padding, stride);
}
