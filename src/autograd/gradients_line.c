/* gradients_line.c - derivatives of operators that work along dimensions: norms of layers, running sums. */
#include <float.h>

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_norms.h"
#include "operators_reduce.h"
#include "operators_scan.h"
#include "operators_view.h"

/* The default is the smallest number that makes a difference to 1, in the dtype that is computed in. */
static double line_eps(const tn_tensor *self, tn_scalar eps) {
    if (eps.kind != TN_SCALAR_NONE)
        return tni_number_real(eps);
    return self->dtype == TN_FLOAT64 || self->dtype == TN_COMPLEX128 ? DBL_EPSILON : FLT_EPSILON;
}

tn_list *tni_gradient_rms_norm(const tn_tensor *grad, const tn_tensor *self, tn_dims shape, const tn_tensor *weight,
                               tn_scalar eps, bool wants_self, bool wants_weight) {
    tn_list *made = tn__layer_norm_backward(grad, self, shape, weight, line_eps(self, eps), false,
                                            TN_DIMS(wants_self, wants_weight, false));
    return made ? tn_list_new((const tn_tensor *[]){tn_list_at(made, 0), tn_list_at(made, 1)}, 2) : NULL;
}

/* An element is in the sums at its own place and behind: the sum of their gradients, from the end. */
tn_tensor *tni_gradient_cumsum(const tn_tensor *grad, int64_t dim) {
    if (grad->ndim == 0)
        return (tn_tensor *)(uintptr_t)grad;
    tn_dims along = {&dim, 1};
    return tn_flip(tn_cumsum(tn_flip(grad, along), dim, TN_DTYPE_DEFAULT), along);
}
