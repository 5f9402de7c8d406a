/* gradients_index.c - derivatives of indexing. */
#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_view.h"

/* What was overwritten has no gradient. */
tn_tensor *tni_gradient_index_put_self(const tn_tensor *grad, tn_index_list indices, bool accumulate) {
    if (accumulate)
        return (tn_tensor *)(uintptr_t)grad;
    return tn_index_put(grad, indices, tni_zeros_on((tn_dims){NULL, 0}, (tn_dtype)grad->dtype, tni_tensor_device(grad)), false);
}

/* A source may have dimensions of size 1 in front of those of the part that it was written to. */
tn_tensor *tni_gradient_setitem_source(const tn_tensor *grad, tn_index_list index, tn_dims sizes) {
    const tn_tensor *part = (tn_index)(grad, index);
    while (part && part->ndim < sizes.count)
        part = tn_unsqueeze(part, 0);
    return (tn_tensor *)(uintptr_t)part;
}
