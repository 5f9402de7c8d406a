/* gradients_fft.c - derivatives of Fourier transforms between real and complex lines. */
#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_complex.h"
#include "operators_create.h"
#include "operators_fft.h"
#include "operators_join.h"
#include "operators_move.h"
#include "operators_view.h"

/* The half that was not given has no gradient: zeros in its place, and then all the way back. */
tn_tensor *tni_gradient_fft_r2c(const tn_tensor *grad, tn_dims dim, int64_t normalization, bool onesided, tn_dims sizes) {
    int64_t last = dim.values[dim.count - 1], pad[2 * TN_MAX_DIMS] = {0};
    last += last < 0 ? grad->ndim : 0;
    int64_t missing = sizes.values[last] - grad->sizes[last];
    if (onesided && missing > 0) {
        pad[2 * (grad->ndim - 1 - last) + 1] = missing;
        grad = (tn_constant_pad_nd)(grad, (tn_dims){pad, 2 * (grad->ndim - last)}, tn_scalar_int(0));
    }
    return tn_real(tn__fft_c2c(grad, dim, normalization, false));
}

/* What stands for two numbers of the whole line has twice the gradient. */
tn_tensor *tni_gradient_fft_c2r(const tn_tensor *grad, tn_dims dim, int64_t normalization) {
    int64_t last = dim.values[dim.count - 1];
    tn_tensor *half = tn__fft_r2c(grad, dim, normalization, true);
    if (!half)
        return NULL;
    last += last < 0 ? half->ndim : 0;
    int64_t doubled = grad->sizes[last] - half->sizes[last], rest = half->sizes[last] - 1 - doubled;
    if (doubled < 1)
        return half;
    const tn_tensor *parts[3] = {tn_narrow(half, last, 0, 1),
                                 tn_mul_scalar(tn_narrow(half, last, 1, doubled), tn_scalar_int(2)),
                                 rest > 0 ? tn_narrow(half, last, 1 + doubled, rest) : NULL};
    return parts[0] && parts[1] ? tn_cat(parts, rest > 0 ? 3 : 2, last) : NULL;
}
