/* special.c - special functions that look at their numbers first, or are made of others. */
#include "base/error.h"
#include "kernels/table.h"
#include "kernels_math.h"
#include "kernels_special.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_math.h"
#include "operators_reduce.h"
#include "operators_special.h"
#include "operators_view.h"
#include "ops/pointwise/pointwise_prepare.h"
#include "ops/result.h"

bool tni_prepare_polygamma(tni_prepared *call, const tn_tensor *self, int64_t n) {
    if (n < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "n = %lld must not be below 0: it is the order of a derivative", (long long)n);
        return false;
    }
    tni_prepared_begin(call, n == 0 ? TNI_KERNEL_digamma : TNI_KERNEL_polygamma, FLOATING, CHECK_NOTHING, TNI_TAKES_FLOAT);
    tni_prepared_tensor(call, self);
    for (int i = 0; i < TNI_PARAMETERS; i++)
        tni_parameters_set(&call->parameters, i, tn_scalar_int(0));
    tni_parameters_set(&call->parameters, 0, tn_scalar_float((double)n));
    return true;
}

/* lgamma of self, self - 1/2, ..., a new dimension at the end. */
static tn_tensor *special_mvlgamma(const tn_tensor *self, int64_t p) {
    if (p < 1) {
        tni_raise(TN_ERROR_ARGUMENT, "p = %lld must be at least 1: it is a number of dimensions", (long long)p);
        return NULL;
    }
    tn_dtype dtype = tn_dtype_is_floating(self->dtype) ? self->dtype : tn_default_dtype();
    tn_tensor *halves = tn_mul_scalar(tn_arange(tn_scalar_int(p), dtype), tn_scalar_float(-0.5));
    tn_tensor *steps = tn_to_device(halves, tn_device_of(self));
    tn_tensor *sum = tn_sum_dim(tn_lgamma(tn_add(tn_unsqueeze(self, -1), steps)), TN_DIMS(-1), false, TN_DTYPE_DEFAULT);
    return tn_add_scalar(sum, tn_scalar_float((double)p * (double)(p - 1) / 4 * 1.14472988584940017414));
}

tn_tensor *tni_composite_mvlgamma(const tn_tensor *self, int64_t p) { return special_mvlgamma(self, p); }

tn_tensor *tni_composite_mvlgamma_(tn_tensor *self, int64_t p) {
    if (!tn_dtype_is_floating(self->dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "a result of dtype %s cannot be written into %s",
                              tn_dtype_name(tn_default_dtype()), tni_show_tensor(self));
    return tn_copy_(self, special_mvlgamma(self, p));
}

tn_tensor *tni_composite_mvlgamma_out(tn_tensor *out, const tn_tensor *self, int64_t p) {
    return tni_result_put(out, special_mvlgamma(self, p), TNI_RESULT_CAST);
}
