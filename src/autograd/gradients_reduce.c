/* gradients_reduce.c - derivatives of reductions: a gradient is given back to every element that took part. */
#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_view.h"

/* Which dimensions were reduced: those named, or all of them where none is. */
static void reduce_mask(tn_dims sizes, tn_dims dim, bool *reduced) {
    for (int64_t d = 0; d < sizes.count; d++)
        reduced[d] = dim.count == 0;
    for (int64_t i = 0; sizes.count && i < dim.count; i++)
        reduced[dim.values[i] < 0 ? dim.values[i] + sizes.count : dim.values[i]] = true;
}

tn_tensor *tni_gradient_expand_reduced(const tn_tensor *grad, tn_dims sizes, tn_dims dim, bool keepdim) {
    bool reduced[TN_MAX_DIMS];
    int64_t kept[TN_MAX_DIMS];
    reduce_mask(sizes, dim, reduced);
    for (int64_t d = 0; d < sizes.count; d++)
        kept[d] = reduced[d] ? 1 : sizes.values[d];
    return tn_expand(keepdim ? (tn_tensor *)(uintptr_t)grad : tn_reshape(grad, (tn_dims){kept, sizes.count}), sizes);
}

tn_tensor *tni_gradient_mean_dim(const tn_tensor *grad, tn_dims sizes, tn_dims dim, bool keepdim) {
    bool reduced[TN_MAX_DIMS];
    int64_t count = 1;
    reduce_mask(sizes, dim, reduced);
    for (int64_t d = 0; d < sizes.count; d++)
        count *= reduced[d] ? sizes.values[d] : 1;
    return tni_gradient_expand_reduced(tn_div_scalar(grad, tn_scalar_int(count)), sizes, dim, keepdim);
}
