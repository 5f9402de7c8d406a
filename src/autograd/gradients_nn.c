/* gradients_nn.c - derivatives of pooling, embeddings and products with activations that are more than an expression. */
#include <string.h>

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_convolution.h"
#include "operators_embedding.h"
#include "operators_index.h"
#include "operators_math.h"
#include "operators_pooling.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_select.h"
#include "operators_view.h"

/* What is at indices, which count the elements of a plane of grad: `spatial` dimensions. */
tn_tensor *tni_gradient_pool_picked(const tn_tensor *grad, const tn_tensor *indices, int64_t spatial) {
    if (indices->numel == 0)
        return tni_gradient_zeros(tni_sizes_of(indices), grad);
    tn_tensor *planes = tn_flatten(grad, -spatial, -1), *places = tn_flatten(indices, -spatial, -1);
    return tn_reshape(tn_gather(planes, -1, places), tni_sizes_of(indices));
}

/* The way back of the way back: the means themselves, as many as there were. */
tn_tensor *tni_gradient_pool_adaptive(const tn_tensor *grad, tn_dims sizes, int64_t spatial) {
    tn_dims windows = {sizes.values + sizes.count - spatial, spatial};
    return spatial == 2 ? tn__adaptive_avg_pool2d(grad, windows) : tn__adaptive_avg_pool3d(grad, windows);
}

tn_tensor *tni_gradient_embedding(const tn_tensor *grad, tn_dims sizes, const tn_tensor *indices, int64_t padding_idx,
                                  bool scale_grad_by_freq) {
    return tn_embedding_dense_backward(grad, indices, sizes.values[0], padding_idx, scale_grad_by_freq);
}

/* ---- products with an activation: what went into the activation is computed again */

static tn_tensor *nn_activation(const tn_tensor *grad, const tn_tensor *before, const char *activation) {
    if (!before || !activation || strcmp(activation, "none") == 0)
        return before ? (tn_tensor *)(uintptr_t)grad : NULL;
    if (strcmp(activation, "relu") == 0)
        return tn_where_self_scalar(tn_le_scalar(before, tn_scalar_int(0)), tn_scalar_int(0), grad);
    if (strcmp(activation, "silu") == 0)
        return tni_gradient_silu(grad, before);
    if (strncmp(activation, "gelu", 4) == 0)
        return tni_gradient_gelu_approximate(grad, before, activation[4] ? "tanh" : "none");
    bool tanh = strcmp(activation, "tanh") == 0;
    tn_tensor *y = tanh ? tn_tanh(before) : tn_sigmoid(before);
    tn_tensor *slope = tn_rsub_scalar(tanh ? tn_square(y) : y, tn_scalar_int(1), tn_scalar_int(1));
    return tn_mul(grad, tanh ? slope : tn_mul(y, slope));
}

/* In the place of what nobody wants is something that nobody looks at. */
tn_list *tni_gradient_linear_fused(const tn_tensor *grad, const tn_tensor *input, const tn_tensor *weight,
                                   const tn_tensor *bias, const char *activation, tn_scalar scale, bool wants_input,
                                   bool wants_weight) {
    tn_tensor *inner = nn_activation(tn_mul_scalar(grad, scale), tn_linear(input, weight, bias), activation);
    if (!inner)
        return NULL;
    const tn_tensor *made[3] = {wants_input ? tni_gradient_linear_input(inner, weight) : inner,
                                wants_weight ? tni_gradient_linear_weight(inner, input, weight->ndim) : inner, inner};
    return made[0] && made[1] ? tn_list_new(made, 3) : NULL;
}

tn_list *tni_gradient_convolution_fused(const tn_tensor *grad, const tn_tensor *input, const tn_tensor *weight,
                                        const tn_tensor *bias, tn_dims stride, tn_dims padding, tn_dims dilation,
                                        bool transposed, tn_dims output_padding, int64_t groups, const char *activation,
                                        bool wants_input, bool wants_weight) {
    tn_tensor *before = tn_convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
    tn_tensor *inner = nn_activation(grad, before, activation);
    if (!inner)
        return NULL;
    const tn_tensor *made[3] = {
        wants_input ? tni_gradient_convolution_input(inner, tni_sizes_of(input), tni_conj_of(weight), stride, padding, dilation,
                                                     transposed, output_padding, groups)
                    : inner,
        wants_weight ? tn_convolution_backward_weight(inner, tni_conj_of(input), tni_sizes_of(weight), stride, padding,
                                                      dilation, transposed, output_padding, groups)
                     : inner,
        bias ? tni_gradient_convolution_bias(inner) : inner};
    return made[0] && made[1] && made[2] ? tn_list_new(made, 3) : NULL;
}

tn_list *tni_gradient_addmm_activation(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *mat1,
                                       const tn_tensor *mat2, tn_scalar beta, tn_scalar alpha, bool use_gelu) {
    tn_tensor *inner = nn_activation(grad, tn_addmm(self, mat1, mat2, beta, alpha), use_gelu ? "gelu" : "relu");
    tn_tensor *scaled = inner ? tn_mul_scalar(inner, alpha) : NULL;
    const tn_tensor *made[3] = {inner ? tn_mul_scalar(inner, beta) : NULL, scaled ? tn_mm(scaled, tn_t(mat2)) : NULL,
                                scaled ? tn_mm(tn_t(mat1), scaled) : NULL};
    return made[0] && made[1] && made[2] ? tn_list_new(made, 3) : NULL;
}
