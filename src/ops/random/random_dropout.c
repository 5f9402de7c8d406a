/* random_dropout.c - dropout of other kinds: whole channels at once, and with a mean and a variance that stay as they are (alpha).
 *
 * Klambauer et al., Self-Normalizing Neural Networks (2017): dropped elements become the value that selu gives far left of 0, and the
 * result is scaled and shifted. Draws are those of bernoulli_ over the elements, or over (batch, channels).
 */
#include <math.h>

#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_random.h"
#include "operators_view.h"
#include "ops/random/random.h"

static bool dropout_check(const tn_tensor *self, double p, bool feature) {
    if (!(p >= 0 && p <= 1)) {
        tni_raise(TN_ERROR_ARGUMENT, "p is %g; a probability is between 0 and 1", p);
        return false;
    }
    if (!tn_dtype_is_floating(self->dtype) && !tn_dtype_is_complex(self->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "kept elements are scaled, which self %s cannot hold", tni_show_tensor(self));
        return false;
    }
    if (!feature || self->ndim >= 2)
        return true;
    tni_raise(TN_ERROR_SHAPE, "self %s must have at least 2 dimensions, batch and channels", tni_show_tensor(self));
    return false;
}

static tn_tensor *dropout_noise(const tn_tensor *self, double p, bool feature, tn_generator *generator) {
    int64_t sizes[TN_MAX_DIMS];
    for (int64_t d = 0; feature && d < self->ndim; d++)
        sizes[d] = d < 2 ? self->sizes[d] : 1;
    tn_dtype dtype = tn_dtype_to_real(self->dtype);
    tn_tensor *noise = feature ? tn_empty_device((tn_dims){sizes, self->ndim}, dtype, tni_tensor_device(self))
                               : tn_empty_like(self, dtype, TN_PRESERVE);
    return tn_bernoulli_(noise, 1 - p, generator);
}

static tn_tensor *dropout_new(const tn_tensor *self, double p, bool feature, bool alpha, tn_generator *generator) {
    if (p == 1)
        return tn_mul_scalar(self, tn_scalar_bool(false));
    tn_tensor *noise = dropout_noise(self, p, feature, generator);
    if (!alpha)
        return tn_mul(self, tn_div_scalar_(noise, tn_scalar_float(1 - p)));
    static const double far_left = 1.7580993408473766; /* -scale * alpha of selu, without its sign */
    double scale = 1 / sqrt((far_left * far_left * p + 1) * (1 - p)), shift = far_left * scale;
    tn_tensor *added = tn_add_scalar_(tn_mul_scalar_(tn_sub_scalar(noise, tn_scalar_int(1)), tn_scalar_float(shift)),
                                      tn_scalar_float(shift * p));
    return added ? tn_add(tn_mul(self, tn_mul_scalar_(noise, tn_scalar_float(scale))), added) : NULL;
}

static bool dropout_does_nothing(const tn_tensor *self, double p, bool train) { return !train || p == 0 || self->numel == 0; }

static tn_tensor *dropout_made(const tn_tensor *self, double p, bool train, bool feature, bool alpha, tn_generator *generator) {
    if (!dropout_check(self, p, feature && !dropout_does_nothing(self, p, train)))
        return NULL;
    return dropout_does_nothing(self, p, train) ? tn_alias(self) : dropout_new(self, p, feature, alpha, generator);
}

static tn_tensor *dropout_changed(tn_tensor *self, double p, bool train, bool feature, bool alpha, tn_generator *generator) {
    if (!dropout_check(self, p, feature && !dropout_does_nothing(self, p, train)) || !tni_random_is_writable(self))
        return NULL;
    if (dropout_does_nothing(self, p, train))
        return self;
    tn_tensor *made = dropout_new(self, p, feature, alpha, generator);
    return made ? tn_copy_(self, made) : NULL;
}

tn_tensor *tni_composite_alpha_dropout(const tn_tensor *self, double p, bool train, tn_generator *generator) {
    return dropout_made(self, p, train, false, true, generator);
}
tn_tensor *tni_composite_alpha_dropout_(tn_tensor *self, double p, bool train, tn_generator *generator) {
    return dropout_changed(self, p, train, false, true, generator);
}
tn_tensor *tni_composite_feature_dropout(const tn_tensor *self, double p, bool train, tn_generator *generator) {
    return dropout_made(self, p, train, true, false, generator);
}
tn_tensor *tni_composite_feature_dropout_(tn_tensor *self, double p, bool train, tn_generator *generator) {
    return dropout_changed(self, p, train, true, false, generator);
}
tn_tensor *tni_composite_feature_alpha_dropout(const tn_tensor *self, double p, bool train, tn_generator *generator) {
    return dropout_made(self, p, train, true, true, generator);
}
tn_tensor *tni_composite_feature_alpha_dropout_(tn_tensor *self, double p, bool train, tn_generator *generator) {
    return dropout_changed(self, p, train, true, true, generator);
}
