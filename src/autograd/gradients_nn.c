/* gradients_nn.c - derivatives of pooling, embeddings and products with activations that are more than an expression. */
#include <string.h>

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_convolution.h"
#include "operators_copy.h"
#include "operators_embedding.h"
#include "operators_index.h"
#include "operators_math.h"
#include "operators_pooling.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_select.h"
#include "operators_softmax.h"
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

/* ---- smooth_l1_loss and huber_loss: the difference, at most `bound` either way, and (divides) over it */

tn_list *tni_gradient_smooth_l1(const tn_tensor *grad, const tn_tensor *self, const tn_tensor *target, int64_t reduction,
                                double bound, bool divides, bool wants_target) {
    tn_tensor *apart = tn_sub(self, target), *slope = NULL;
    if (!apart)
        return NULL;
    enum { NONE, MEAN };
    double share = reduction == MEAN ? (double)apart->numel : 1;
    if (bound == 0)
        slope = tn_sgn(apart);
    else if (tn_dtype_is_complex(apart->dtype))
        slope = tn_mul(tn_sgn(apart), tn_clamp_max(tn_abs(apart), tn_scalar_float(bound)));
    else
        slope = tn_clamp(apart, tn_scalar_float(-bound), tn_scalar_float(bound));
    tn_tensor *made = tn_mul(slope, tn_div_scalar(grad, tn_scalar_float(divides && bound != 0 ? share * bound : share)));
    const tn_tensor *both[2] = {made, made && wants_target ? tn_neg(made) : made};
    return both[0] && both[1] ? tn_list_new(both, 2) : NULL;
}

/* ---- cross entropy: the gradient is rate * (all * chances - shares), where shares are what each class counts in a line, and all is
 * their sum. */

static tn_tensor *entropy_shares(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight, int64_t dim,
                                 int64_t ignore_index, double smoothing) {
    int64_t classes = self->sizes[dim], along[TN_MAX_DIMS];
    for (int64_t d = 0; d < self->ndim; d++)
        along[d] = d == dim ? classes : 1;
    tn_scalar spread = tn_scalar_float(smoothing / (double)classes);
    tn_tensor *sharp = NULL, *ignored = NULL;
    if (tn_dtype_is_floating(target->dtype))
        sharp = tn_mul_scalar(target, tn_scalar_float(1 - smoothing));
    else {
        tn_tensor *column = tn_unsqueeze(tn_to(target, TN_INT64), dim);
        ignored = tn_eq_scalar(column, tn_scalar_int(ignore_index));
        sharp = tn_scatter_value(tni_gradient_zeros(tni_sizes_of(self), self), dim,
                                 tn_masked_fill(column, ignored, tn_scalar_int(0)), tn_scalar_float(1 - smoothing));
    }
    tn_tensor *shares = sharp ? tn_add_scalar(sharp, spread) : NULL;
    if (shares && weight)
        shares = tn_mul(shares, tn_reshape(weight, (tn_dims){along, self->ndim}));
    return shares && ignored ? tn_masked_fill(shares, ignored, tn_scalar_int(0)) : shares;
}

tn_list *tni_gradient_cross_entropy_back(const tn_tensor *grad, const tn_tensor *grad_output, const tn_tensor *self,
                                         const tn_tensor *target, const tn_tensor *weight, const tn_tensor *total,
                                         int64_t reduction, int64_t ignore_index, double label_smoothing) {
    enum { NONE, MEAN };
    int64_t dim = self->ndim > 1 ? 1 : 0;
    tn_tensor *shares = entropy_shares(self, target, weight, dim, ignore_index, label_smoothing);
    tn_tensor *all = shares ? tn_sum_dim(shares, (tn_dims){&dim, 1}, true, TN_DTYPE_DEFAULT) : NULL;
    tn_tensor *chances = all ? tn_softmax(self, dim, TN_DTYPE_DEFAULT) : NULL;
    tn_tensor *weighed = chances ? tn_mul(grad, chances) : NULL; /* and its sum over the classes */
    tn_tensor *sum = weighed ? tn_sum_dim(weighed, (tn_dims){&dim, 1}, true, TN_DTYPE_DEFAULT) : NULL;
    tn_tensor *met = shares ? tn_sum_dim(tn_mul(grad, shares), (tn_dims){&dim, 1}, true, TN_DTYPE_DEFAULT) : NULL;
    tn_tensor *lines = sum && met ? tn_squeeze_dim(tn_sub(tn_mul(all, sum), met), dim) : NULL;
    tn_tensor *scale = reduction == MEAN ? tn_to(total, grad_output->dtype) : NULL;
    tn_tensor *rate = reduction == NONE   ? tn_unsqueeze(grad_output, dim)
                      : reduction == MEAN ? tn_div(grad_output, scale)
                                          : tn_alias(grad_output);
    tn_tensor *of_output = lines && reduction != NONE ? tn_sum(lines, TN_DTYPE_DEFAULT) : lines;
    if (of_output && reduction == MEAN)
        of_output = tn_div(of_output, scale);
    tn_tensor *of_self = of_output && rate ? tn_mul(tn_mul(rate, all), tn_sub(weighed, tn_mul(chances, sum))) : NULL;
    return of_self ? tn_list_new((const tn_tensor *const[]){of_output, of_self}, 2) : NULL;
}
