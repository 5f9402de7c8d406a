/* gradients_norm.c - derivatives of norms that give the statistics they used.
 *
 * The gradient of the result goes through a backward row, which takes the statistics as they were. They are results as well: a gradient of
 * theirs, which second derivatives have, goes to the input by d mean / dx = 1 / n and d rstd / dx = -rstd^3 (x - mean) / n.
 */
#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_norms.h"
#include "operators_view.h"

typedef struct norm_statistics {
    const tn_tensor *grad_mean, *grad_rstd, *mean, *rstd; /* gradients may be NULL */
    tn_dims input, own;                                   /* sizes in which input and statistics fit each other */
    int64_t count;                                        /* elements that share a mean */
} norm_statistics;

static tn_tensor *norm_wide(const tn_tensor *x, tn_dims sizes) {
    return tn_reshape(x && tn_dtype_size(x->dtype) < 4 ? tn_to(x, TN_FLOAT32) : x, sizes);
}

/* made, the gradients of input, weight and bias, with what the statistics add to the first. */
static tn_list *norm_add_statistics(tn_list *made, const tn_tensor *input, const norm_statistics *s) {
    if (!made || (!s->grad_mean && !s->grad_rstd) || s->count == 0)
        return made;
    tn_tensor *more = NULL;
    if (s->grad_rstd) {
        tn_tensor *rstd = norm_wide(s->rstd, s->own), *away = tn_sub(norm_wide(input, s->input), norm_wide(s->mean, s->own));
        tn_tensor *slope = tn_mul(norm_wide(s->grad_rstd, s->own), tn_mul(rstd, tn_mul(rstd, rstd)));
        more = tn_mul(away, tn_mul_scalar(slope, tn_scalar_float(-1.0 / (double)s->count)));
        if (!more)
            return NULL;
    }
    if (s->grad_mean) {
        tn_tensor *part = tn_mul_scalar(norm_wide(s->grad_mean, s->own), tn_scalar_float(1.0 / (double)s->count));
        more = more ? tn_add(more, part) : tn_expand(part, s->input);
    }
    tn_tensor *sum = tn_add(tn_list_at(made, 0), tn_reshape(tn_to(more, input->dtype), tni_sizes_of(input)));
    return sum ? tn_list_new((const tn_tensor *[]){sum, tn_list_at(made, 1), tn_list_at(made, 2)}, 3) : NULL;
}

tn_list *tni_gradient_native_layer_norm(const tn_tensor *grad, const tn_tensor *grad_mean, const tn_tensor *grad_rstd,
                                        const tn_tensor *input, tn_dims shape, const tn_tensor *mean, const tn_tensor *rstd,
                                        const tn_tensor *weight, const tn_tensor *bias, tn_dims mask) {
    norm_statistics statistics = {grad_mean,
                                  grad_rstd,
                                  mean,
                                  rstd,
                                  tni_sizes_of(input),
                                  tni_sizes_of(mean),
                                  mean->numel ? input->numel / mean->numel : 0};
    tn_list *made = tn_native_layer_norm_backward(grad, input, shape, mean, rstd, weight, bias, mask);
    return mask.values[0] ? norm_add_statistics(made, input, &statistics) : made;
}

tn_list *tni_gradient_native_group_norm(const tn_tensor *grad, const tn_tensor *grad_mean, const tn_tensor *grad_rstd,
                                        const tn_tensor *input, const tn_tensor *mean, const tn_tensor *rstd,
                                        const tn_tensor *weight, int64_t N, int64_t C, int64_t HxW, int64_t group,
                                        tn_dims mask) {
    norm_statistics statistics = {
        grad_mean,      grad_rstd, mean, rstd, {(int64_t[]){N, group, C / group * HxW}, 3}, {(int64_t[]){N, group, 1}, 3},
        C / group * HxW};
    tn_list *made = tn_native_group_norm_backward(grad, input, mean, rstd, weight, N, C, HxW, group, mask);
    return mask.values[0] ? norm_add_statistics(made, input, &statistics) : made;
}

tn_list *tni_gradient_batch_norm_training(const tn_tensor *grad, const tn_tensor *grad_mean, const tn_tensor *grad_invstd,
                                          const tn_tensor *input, const tn_tensor *weight, const tn_tensor *mean,
                                          const tn_tensor *invstd, double eps, tn_dims mask) {
    int64_t batch = input->sizes[0], channels = input->sizes[1], count = channels ? input->numel / channels : 0;
    norm_statistics statistics = {grad_mean,
                                  grad_invstd,
                                  mean,
                                  invstd,
                                  {(int64_t[]){batch, channels, batch ? count / batch : 0}, 3},
                                  {(int64_t[]){1, channels, 1}, 3},
                                  count};
    tn_list *made = tn_native_batch_norm_backward(grad, input, weight, NULL, NULL, mean, invstd, true, eps, mask);
    return mask.values[0] ? norm_add_statistics(made, input, &statistics) : made;
}
