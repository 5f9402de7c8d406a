/* activation.c - activations that are made of other operators: glu, prelu, rrelu. */
#include "base/error.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_math.h"
#include "operators_random.h"
#include "operators_reduce.h"
#include "operators_select.h"
#include "operators_view.h"
#include "tensor/tensor.h"

static bool activation_is_float(const tn_tensor *tensor, const char *name) {
    if (tn_dtype_is_floating(tensor->dtype))
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s %s must be of floats: convert it with to", name, tni_show_tensor(tensor));
    return false;
}

/* ---- glu: one half of self, as far as the other half opens the gate */

tn_tensor *tni_composite_glu(const tn_tensor *self, int64_t dim) {
    int64_t at;
    if (self->ndim == 0)
        return tni_raise_null(TN_ERROR_SHAPE, "self %s has no dimension to halve", tni_show_tensor(self));
    if (!activation_is_float(self, "self") || !tni_wrap_dim(dim, self->ndim, "dim", &at))
        return NULL;
    int64_t size = self->sizes[at];
    if (size % 2)
        return tni_raise_null(TN_ERROR_SHAPE,
                              "dimension %" PRId64 " of self %s has %" PRId64 " elements: halves need an even number", at,
                              tni_show_tensor(self), size);
    return tn_mul(tn_narrow(self, at, 0, size / 2), tn_sigmoid(tn_narrow(self, at, size / 2, size / 2)));
}

/* ---- prelu: a slope left of 0, one for all or one for each channel */

tn_tensor *tni_composite_prelu(const tn_tensor *self, const tn_tensor *weight) {
    int64_t channels = self->ndim > 1 ? self->sizes[1] : 1, sizes[TN_MAX_DIMS];
    if (!activation_is_float(self, "self"))
        return NULL;
    if (weight->dtype != self->dtype)
        return tni_raise_null(TN_ERROR_DTYPE, "weight %s must have the dtype of self %s", tni_show_tensor(weight),
                              tni_show_tensor(self));
    if (weight->ndim > 1 || (weight->numel != 1 && weight->numel != channels) || (weight->numel != 1 && self->ndim == 0))
        return tni_raise_null(TN_ERROR_SHAPE,
                              "weight %s must have one number, or one for each of the %" PRId64 " channels of self %s",
                              tni_show_tensor(weight), channels, tni_show_tensor(self));
    for (int64_t d = 0; d < self->ndim; d++)
        sizes[d] = d == 1 ? weight->numel : 1;
    const tn_tensor *slope =
        weight->numel == 1 ? tn_reshape(weight, (tn_dims){sizes, 0}) : tn_view(weight, (tn_dims){sizes, self->ndim});
    return slope ? tn_where(tn_gt_scalar(self, tn_scalar_int(0)), self, tn_mul(self, slope)) : NULL;
}

/* ---- rrelu: a slope left of 0 that is drawn for every element there, or their mean */

/* The slopes: 1 for what is positive. */
static tn_tensor *activation_drawn(const tn_tensor *self, double lower, double upper, tn_generator *generator) {
    tn_tensor *left = tn_le_scalar(self, tn_scalar_int(0));
    tn_tensor *many = left ? tn_to_device(tn_count_nonzero(left, TN_NONE), TN_DEVICE_CPU) : NULL;
    if (!many)
        return NULL;
    tn_tensor *drawn = tn_uniform_(tn_empty_device(TN_DIMS(tn_item_int64(many)), TN_FLOAT64, tni_tensor_device(self)), lower,
                                   upper, generator);
    return drawn ? tn_masked_scatter(tn_ones_like(self, TN_DTYPE_DEFAULT, TN_CONTIGUOUS), left, tn_to(drawn, self->dtype))
                 : NULL;
}

static bool activation_bounds(tn_scalar lower, tn_scalar upper, double *low, double *high) {
    if (lower.kind == TN_SCALAR_COMPLEX || upper.kind == TN_SCALAR_COMPLEX || lower.kind == TN_SCALAR_NONE ||
        upper.kind == TN_SCALAR_NONE) {
        tni_raise(TN_ERROR_ARGUMENT, "lower = %s and upper = %s must be real numbers", tni_show_scalar(lower),
                  tni_show_scalar(upper));
        return false;
    }
    tn_dtype_store(TN_FLOAT64, low, lower);
    tn_dtype_store(TN_FLOAT64, high, upper);
    if (*low <= *high)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "lower = %g is above upper = %g", *low, *high);
    return false;
}

tn_tensor *tni_composite_rrelu(const tn_tensor *self, tn_scalar lower, tn_scalar upper, bool training,
                               tn_generator *generator) {
    double low, high;
    if (!activation_is_float(self, "self") || !activation_bounds(lower, upper, &low, &high))
        return NULL;
    if (!training)
        return tn_leaky_relu_slope(self, tn_scalar_float((low + high) / 2));
    if (tni_tensor_device(self).type == TN_META)
        return tn_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE);
    tn_tensor *slopes = activation_drawn(self, low, high, generator);
    return slopes ? tn_mul(self, slopes) : NULL;
}

tn_tensor *tni_composite_rrelu_(tn_tensor *self, tn_scalar lower, tn_scalar upper, bool training, tn_generator *generator) {
    tn_tensor *made = tni_composite_rrelu(self, lower, upper, training, generator);
    return made ? tn_copy_(self, made) : NULL;
}

tn_tensor *tni_composite_rrelu_with_noise(const tn_tensor *self, const tn_tensor *noise, tn_scalar lower, tn_scalar upper,
                                          bool training, tn_generator *generator) {
    double low, high;
    if (!activation_is_float(self, "self") || !activation_bounds(lower, upper, &low, &high))
        return NULL;
    bool same = noise->ndim == self->ndim && noise->dtype == self->dtype;
    for (int64_t d = 0; same && d < self->ndim; d++)
        same = noise->sizes[d] == self->sizes[d];
    if (!same)
        return tni_raise_null(noise->dtype != self->dtype ? TN_ERROR_DTYPE : TN_ERROR_SHAPE,
                              "noise %s must have the sizes and the dtype of self %s", tni_show_tensor(noise),
                              tni_show_tensor(self));
    if (!training)
        return tn_leaky_relu_slope(self, tn_scalar_float((low + high) / 2));
    if (tni_tensor_device(self).type == TN_META)
        return tn_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE);
    tn_tensor *slopes = activation_drawn(self, low, high, generator), *made = slopes ? tn_mul(self, slopes) : NULL;
    return made && tn_copy_((tn_tensor *)(uintptr_t)noise, slopes) ? made : NULL;
}
