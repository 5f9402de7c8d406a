/* convolution_backward.c - the gradients of a convolution.
 *
 * That of the input is a convolution too: transposed where the other is not, with the same weights. That of the weights is a sum over
 * positions (iterate/windows.h), an operator of its own; that of the bias is a plain sum. So the whole is made of operators that have
 * gradients themselves.
 */
#include "base/error.h"
#include "operators_complex.h"
#include "operators_convolution.h"
#include "operators_create.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "ops/nn/convolution.h"
#include "ops/product/product_call.h"
#include "tensor/show.h"

/* Whether grad_output has the sizes of the result of such a convolution. */
static bool backward_fits(const tni_convolution *convolution, const tn_tensor *grad_output, const tn_tensor *input,
                          tn_dims weight) {
    int64_t sizes[TN_MAX_DIMS];
    if (!tni_convolution_sizes(convolution, input, weight, sizes))
        return false;
    bool same = grad_output->ndim == input->ndim;
    for (int64_t d = 0; d < input->ndim && same; d++)
        same = grad_output->sizes[d] == sizes[d];
    if (!same)
        tni_raise(TN_ERROR_SHAPE, "grad_output %s must have the sizes of the result of the convolution, %s",
                  tni_show_tensor(grad_output), tni_show_dims(sizes, input->ndim));
    return same;
}

/* ---- of the weights */

bool tni_plan_convolution_backward_weight(tni_plan *plan, const tn_tensor *grad_output, const tn_tensor *input,
                                          tn_dims weight_size, tn_dims stride, tn_dims padding, tn_dims dilation,
                                          bool transposed, tn_dims output_padding, int64_t groups) {
    tni_convolution_arguments arguments = {stride, padding, dilation, output_padding, transposed, groups};
    tni_convolution *convolution = (void *)plan->room;
    if (!tni_product_check_dtypes((tni_product_argument){grad_output, "grad_output"}, (tni_product_argument){input, "input"}))
        return false;
    for (int64_t d = 0; d < weight_size.count; d++)
        if (weight_size.values[d] < 0) {
            tni_raise(TN_ERROR_ARGUMENT, "weight_size %s must have no negative size",
                      tni_show_dims(weight_size.values, weight_size.count));
            return false;
        }
    if (!tni_convolution_resolve(convolution, &arguments, weight_size.count - 2) ||
        !backward_fits(convolution, grad_output, input, weight_size))
        return false;
    tni_plan_begin(plan, grad_output);
    tni_convolution_plan_result(plan, weight_size.count, weight_size.values, input->dtype,
                                input->ndim > 3 && tni_convolution_channels_last(convolution, input, grad_output));
    return true;
}

tn_error tni_run_convolution_backward_weight(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,
                                             const tn_tensor *input, tn_dims weight_size, tn_dims stride, tn_dims padding,
                                             tn_dims dilation, bool transposed, tn_dims output_padding, int64_t groups) {
    (void)weight_size, (void)stride, (void)padding, (void)dilation, (void)transposed, (void)output_padding, (void)groups;
    return tni_convolution_run_weight((const void *)plan->room, results[0], grad_output, input);
}

/* ---- of everything */

/* The complex conjugate, where that is another number. */
static const tn_tensor *backward_conjugate(const tn_tensor *tensor) {
    return tn_dtype_is_complex(tensor->dtype) ? tn_conj_physical(tensor) : tensor;
}

/* A convolution of stride above 1 leaves out some of the last elements of its input: so many. */
static void backward_left_out(const tni_convolution *convolution, const tn_tensor *grad_output, const tn_tensor *input,
                              const tn_tensor *weight, int64_t *left_out) {
    int64_t lacking = TNI_CONVOLUTION_DIMS - convolution->dims;
    for (int64_t d = 0; d < convolution->dims; d++)
        left_out[d] = input->sizes[2 + d] - ((grad_output->sizes[2 + d] - 1) * convolution->stride[lacking + d] -
                                             2 * convolution->padding[lacking + d] +
                                             convolution->dilation[lacking + d] * (weight->sizes[2 + d] - 1) + 1);
}

tn_list *tni_composite_convolution_backward(const tn_tensor *grad_output, const tn_tensor *input, const tn_tensor *weight,
                                            tn_dims bias_sizes, tn_dims stride, tn_dims padding, tn_dims dilation,
                                            bool transposed, tn_dims output_padding, int64_t groups, tn_dims output_mask) {
    tni_convolution_arguments arguments = {stride, padding, dilation, output_padding, transposed, groups};
    tni_convolution convolution;
    tn_dims weight_size = {weight->sizes, weight->ndim};
    if (output_mask.count != 3) {
        tni_raise(TN_ERROR_ARGUMENT, "output_mask %s must say of three gradients, 0 or 1 each, whether they are wanted",
                  tni_show_dims(output_mask.values, output_mask.count));
        return NULL;
    }
    if (!tni_product_check_dtypes((tni_product_argument){grad_output, "grad_output"},
                                  (tni_product_argument){weight, "weight"}) ||
        !tni_product_check_dtypes((tni_product_argument){input, "input"}, (tni_product_argument){weight, "weight"}) ||
        !tni_convolution_resolve(&convolution, &arguments, weight->ndim - 2) ||
        !backward_fits(&convolution, grad_output, input, weight_size))
        return NULL;
    if (bias_sizes.count > 1 || (bias_sizes.count == 1 && bias_sizes.values[0] != grad_output->sizes[1])) {
        tni_raise(TN_ERROR_ARGUMENT, "bias_sizes %s must be that of a vector of %" PRId64 " channels",
                  tni_show_dims(bias_sizes.values, bias_sizes.count), grad_output->sizes[1]);
        return NULL;
    }
    static const int64_t none[] = {0};
    int64_t left_out[TNI_CONVOLUTION_DIMS], around[TN_MAX_DIMS] = {0};
    for (int64_t d = 1; d + 1 < input->ndim; d++)
        around[d] = d + 1; /* every dimension but that of channels */
    backward_left_out(&convolution, grad_output, input, weight, left_out);
    const tn_tensor *made[3];
    made[0] = !output_mask.values[0] ? tn_empty_device((tn_dims){none, 1}, input->dtype, tn_device_of(input))
              : transposed ? tn_convolution(grad_output, backward_conjugate(weight), NULL, stride, padding, dilation, false,
                                            (tn_dims){none, 1}, groups)
                           : tn_convolution(grad_output, backward_conjugate(weight), NULL, stride, padding, dilation, true,
                                            (tn_dims){left_out, convolution.dims}, groups);
    for (int64_t d = 2; d < input->ndim && transposed && output_mask.values[0];
         d++) /* output_padding may be a stride or more */
        made[0] = tn_narrow(made[0], d, 0, input->sizes[d]);
    made[1] = !output_mask.values[1]
                  ? tn_empty_device((tn_dims){none, 1}, input->dtype, tn_device_of(input))
                  : tn_convolution_backward_weight(grad_output, backward_conjugate(input), weight_size, stride, padding,
                                                   dilation, transposed, output_padding, groups);
    made[2] = !output_mask.values[2] ? tn_empty_device((tn_dims){none, 1}, input->dtype, tn_device_of(input))
                                     : tn_sum_dim(grad_output, (tn_dims){around, input->ndim - 1}, false, grad_output->dtype);
    return made[0] && made[1] && made[2] ? tn_list_new(made, 3) : NULL;
}
