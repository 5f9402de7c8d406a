/* gradients_line.c - derivatives of operators that work along dimensions: norms of layers, running sums. */
#include <float.h>

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_math.h"
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

/* y = x root weight, root being the mean of squares to the power -1/2: all of it is analytic, so derivatives are conjugated. */
static tn_list *line_rms_complex(const tn_tensor *grad, const tn_tensor *self, tn_dims shape, const tn_tensor *weight,
                                 double eps) {
    int64_t dims[TN_MAX_DIMS], others[TN_MAX_DIMS], count = 1;
    for (int64_t i = 0; i < shape.count; i++) {
        dims[i] = self->ndim - shape.count + i;
        count *= shape.values[i];
    }
    for (int64_t i = 0; i < self->ndim - shape.count; i++)
        others[i] = i;
    tn_dims last = {dims, shape.count}, first = {others, self->ndim - shape.count};
    tn_tensor *root = tn_rsqrt(tn_add_scalar(tn_mean_dim(tn_square(self), last, true, TN_DTYPE_DEFAULT), tn_scalar_float(eps)));
    tn_tensor *inner = weight ? tn_mul(grad, tn_conj_physical(weight)) : tn_alias(grad);
    tn_tensor *along = tn_sum_dim(tn_mul(inner, tn_conj_physical(self)), last, true, TN_DTYPE_DEFAULT);
    tn_tensor *cube = root ? tn_div_scalar(tn_mul(root, tn_square(root)), tn_scalar_int(count)) : NULL;
    tn_tensor *of_self =
        cube && along ? tn_sub(tn_mul(inner, tn_conj_physical(root)), tn_mul(tn_conj_physical(tn_mul(self, cube)), along))
                      : NULL;
    tn_tensor *of_weight = of_self ? tn_mul(grad, tn_conj_physical(tn_mul(self, root))) : NULL;
    if (of_weight && first.count > 0)
        of_weight = tn_sum_dim(of_weight, first, false, TN_DTYPE_DEFAULT);
    return of_weight ? tn_list_new((const tn_tensor *[]){of_self, of_weight}, 2) : NULL;
}

tn_list *tni_gradient_rms_norm(const tn_tensor *grad, const tn_tensor *self, tn_dims shape, const tn_tensor *weight,
                               tn_scalar eps, bool wants_self, bool wants_weight) {
    if (tn_dtype_is_complex(self->dtype))
        return line_rms_complex(grad, self, shape, weight, line_eps(self, eps));
    /* A weight of another dtype is converted, and its gradient back; float32 beside 16 bits stays as it is. */
    bool narrow = tni_dtype_size(self->dtype) == 2 && weight && weight->dtype == TN_FLOAT32;
    bool converts = weight && weight->dtype != self->dtype && !narrow;
    const tn_tensor *used = converts ? tn_to(weight, self->dtype) : weight;
    if (converts && !used)
        return NULL;
    tn_list *made =
        tn__layer_norm_backward(grad, self, shape, used, line_eps(self, eps), false, TN_DIMS(wants_self, wants_weight, false));
    tn_tensor *of_weight = made ? tn_list_at(made, 1) : NULL;
    if (converts && wants_weight && of_weight)
        of_weight = tn_to(of_weight, weight->dtype);
    return of_weight ? tn_list_new((const tn_tensor *[]){tn_list_at(made, 0), of_weight}, 2) : NULL;
}

/* An element is in the sums at its own place and behind: the sum of their gradients, from the end. */
tn_tensor *tni_gradient_cumsum(const tn_tensor *grad, int64_t dim) {
    if (!grad || grad->ndim == 0)
        return (tn_tensor *)(uintptr_t)grad;
    tn_dims along = {&dim, 1};
    return tn_flip(tn_cumsum(tn_flip(grad, along), dim, TN_DTYPE_DEFAULT), along);
}
