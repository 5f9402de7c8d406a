/* autograd_helpers.h - what the tests of gradients share: inputs for tn_gradcheck_call, and the check itself.
 *
 *     CHECK_GRADIENTS("mul", TN_VALUES(grad_input(2, 3), grad_input(3)));
 *
 * compares first and second derivatives with differences (CHECK_FIRST_GRADIENTS: only the first). Inputs are float64 with values between -2 and
 * 2 that are neither alike nor whole, so that nothing is near a kink at 0 or a whole number; grad_positive and grad_complex as named.
 */
#ifndef TENON_AUTOGRAD_HELPERS_H
#define TENON_AUTOGRAD_HELPERS_H

#include "test.h"

/* A value for the k-th number: |value| in [0.15, 1.9], no two alike among the first hundred, none near a multiple of 0.5. */
static inline double grad_value(int64_t k) {
    double step = (double)((k * 37 + 11) % 101); /* 0 to 100, each once */
    double base = 0.5 * (double)((int)step % 4); /* 0, 0.5, 1, 1.5       */
    double value = base + 0.15 + 0.2 * (step / 100.0);
    return ((int)step / 4) % 2 ? -value : value;
}

static inline tn_tensor *grad_fill(tn_dims sizes, tn_dtype dtype, bool positive) {
    tn_tensor *x = tn_empty(sizes, dtype);
    double *numbers = x ? tn_mutable_data(x) : NULL;
    int64_t count = x ? tn_numel(x) * (dtype == TN_COMPLEX128 ? 2 : 1) : 0;
    for (int64_t k = 0; numbers && k < count; k++)
        numbers[k] = positive ? fabs(grad_value(k)) : grad_value(k);
    return x;
}

#define GRAD_DIMS(...) TN_DIMS(__VA_ARGS__)
#define grad_input(...) tn_requires_grad_(grad_fill(TN_DIMS(__VA_ARGS__), TN_FLOAT64, false), true)
#define grad_positive(...) tn_requires_grad_(grad_fill(TN_DIMS(__VA_ARGS__), TN_FLOAT64, true), true)
#define grad_complex(...) tn_requires_grad_(grad_fill(TN_DIMS(__VA_ARGS__), TN_COMPLEX128, false), true)
#define grad_scalar() tn_requires_grad_(grad_fill((tn_dims){NULL, 0}, TN_FLOAT64, false), true)

/* The same elements as a leaf with other strides: transposed, every second one of a larger tensor, backwards. */
static inline tn_tensor *grad_strided(const tn_tensor *x, int way) {
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *made = NULL, *plain = tn_detach(x);
    int64_t last = plain ? tn_ndim(plain) - 1 : -1;
    if (plain && last < 0)
        made = tn_clone(plain, TN_PRESERVE);
    else if (plain && way == 0)
        made = tn_transpose(tn_clone(tn_transpose(plain, 0, last), TN_CONTIGUOUS), 0, last);
    else if (plain && way == 1)
        made = tn_slice(tn_repeat_interleave(plain, 2, last, TN_NONE), last, 0, TN_NONE, 2);
    else if (plain)
        made = tn_flip(tn_clone(tn_flip(plain, TN_DIMS(last)), TN_CONTIGUOUS), TN_DIMS(last));
    (void)tn_grad_mode_set(before);
    return tn_requires_grad_(made, true);
}

/* A message with the reason; the values are alive until the end of the block. */
#define CHECK_FIRST_GRADIENTS(name, ...)                                                                                       \
    do {                                                                                                                       \
        if (tn_gradcheck_call((name), __VA_ARGS__) != TN_OK)                                                                   \
            test_fail(__FILE__, __LINE__, "%s: %s", (name), tn_error_message());                                               \
    } while (0)
#define CHECK_GRADIENTS(name, ...)                                                                                             \
    do {                                                                                                                       \
        CHECK_FIRST_GRADIENTS(name, __VA_ARGS__);                                                                              \
        if (tn_gradgradcheck_call((name), __VA_ARGS__) != TN_OK)                                                               \
            test_fail(__FILE__, __LINE__, "%s, second derivative: %s", (name), tn_error_message());                            \
    } while (0)

#endif
