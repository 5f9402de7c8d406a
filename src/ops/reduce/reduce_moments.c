/* reduce_moments.c - var, std, var_mean and std_mean.
 *
 * One pass over memory: blocks give their mean and the sum of squared distances from it, in double, and are joined in double.
 * The variance of complex numbers is that of their real parts plus that of their imaginary parts.
 */
#include <math.h>

#include "base/warn.h"
#include "kernels/loop.h"
#include "operators_arithmetic.h"
#include "operators_view.h"
#include "ops/reduce/reduce.h"
#include "operators_reduce.h"

typedef struct moments_wish {
    double correction;
    bool root;      /* std rather than var                              */
    bool imaginary; /* the correction is not a real number: to be refused */
} moments_wish;

static void moments_begin(const tni_reduce_states *states, int64_t count, const void *context) {
    (void)context;
    for (int word = 0; word < 3; word++)
        memset(tni_reduce_word(states, word, 8), 0, (size_t)count * 8);
}

static void moments_combine(const tni_reduce_states *into, const tni_reduce_states *from, int64_t count, const void *context) {
    (void)context;
    double *many = tni_reduce_word(into, 0, 8), *mean = tni_reduce_word(into, 1, 8), *spread = tni_reduce_word(into, 2, 8);
    const double *n = tni_reduce_word(from, 0, 8), *its_mean = tni_reduce_word(from, 1, 8),
                 *its_spread = tni_reduce_word(from, 2, 8);
    for (int64_t j = 0; j < count; j++)
        tni_reduce_join_moments(&many[j], &mean[j], &spread[j], n[j], its_mean[j], its_spread[j]);
}

/* Rounding may leave a spread slightly below 0. Without elements there is none, whatever the correction. */
static double moments_variance(const tni_reduce_states *states, int64_t j, int64_t reduced, const moments_wish *wish) {
    if (reduced == 0)
        return (double)NAN;
    double spread = ((const double *)tni_reduce_word(states, 2, 8))[j], freedom = (double)reduced - wish->correction;
    double variance = (spread < 0 ? 0 : spread) / (freedom > 0 ? freedom : 0);
    return wish->root ? sqrt(variance) : variance;
}

static void moments_finish(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                           const void *context) {
    for (int64_t j = 0; j < count; j++)
        ((double *)out[0])[j] = moments_variance(states, j, reduced, context);
}

static void moments_finish_both(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                                const void *context) {
    const double *mean = tni_reduce_word(states, 1, 8);
    moments_finish(out, states, count, reduced, context);
    for (int64_t j = 0; j < count; j++)
        ((double *)out[1])[j] = reduced ? mean[j] : (double)NAN;
}

static bool moments_prepare(tni_reduce_call *call, const tn_tensor *self, tn_dims dim, bool keepdim, const moments_wish *wish) {
    if (tn_dtype_is_integral(self->dtype) || tni_reduce_is_float8(self->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "defined for floating and complex numbers, of 16 bits and more; given %s",
                  tni_show_tensor(self));
        return false;
    }
    if (wish->imaginary) {
        tni_raise(TN_ERROR_ARGUMENT, "correction is a complex number; elements are counted in real ones");
        return false;
    }
    if (!tni_reduce_begin(call, self, dim, keepdim))
        return false;
    tni_reduce_use(call, TNI_REDUCE_MOMENTS, tni_reduce_float(self->dtype));
    call->kernel = wish->root ? TNI_JOB_std : TNI_JOB_var;
    call->number = wish->correction;
    call->what.words = 3;
    call->what.begin = moments_begin;
    call->what.combine = moments_combine;
    call->what.finish = moments_finish;
    call->what.gives[0] = call->what.gives[1] = TN_FLOAT64;
    call->what.context = wish;
    call->dtype[0] = call->dtype[1] = self->dtype;
    call->split = tn_dtype_is_complex(self->dtype);
    double many = 1;
    for (int64_t d = 0; d < self->ndim; d++)
        many *= call->reduced[d] ? (double)self->sizes[d] : 1;
    if (many - wish->correction <= 0)
        tni_warn("%.15g elements minus a correction of %.15g leave no degrees of freedom, so their spread is not defined", many,
                 wish->correction);
    return true;
}

static void moments_want_both(tni_reduce_call *call) {
    call->kernel = call->kernel == TNI_JOB_std ? TNI_JOB_std_mean : TNI_JOB_var_mean;
    call->what.results = 2;
    call->what.finish = moments_finish_both;
}

/* Complex numbers are reduced as pairs: the results are the variances of the parts. Takes over `pairs`. */
static tn_tensor *moments_of_parts(tn_tensor *pairs, bool root) {
    tn_tensor *real = pairs ? tni_op_real(pairs) : NULL, *imag = real ? tni_op_imag(pairs) : NULL;
    tn_tensor *sum = imag ? tni_op_add(real, imag) : NULL;
    tni_tensor_release(pairs);
    tni_tensor_release(real);
    tni_tensor_release(imag);
    if (sum && root && tni_op_sqrt_(sum) != TN_OK) {
        tni_tensor_release(sum);
        return NULL;
    }
    return sum;
}

static tn_tensor *moments_new(const tn_tensor *self, tn_dims dim, bool keepdim, moments_wish wish) {
    tni_reduce_call call;
    bool root = wish.root;
    wish.root = root && !tn_dtype_is_complex(self->dtype);
    if (!moments_prepare(&call, self, dim, keepdim, &wish))
        return NULL;
    tn_tensor *made = tni_reduce_new(&call);
    return call.split ? moments_of_parts(made, root) : made;
}

static tn_error moments_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, moments_wish wish) {
    tni_reduce_call call;
    if (tn_dtype_is_complex(self->dtype))
        return tni_result_move(out, moments_new(self, dim, keepdim, wish), TNI_RESULT_CAST);
    return moments_prepare(&call, self, dim, keepdim, &wish) ? tni_reduce_out(&call, out) : tni_failed();
}

static tn_list *moments_pair(const tn_tensor *self, tn_dims dim, bool keepdim, moments_wish wish) {
    tni_reduce_call call;
    bool root = wish.root;
    wish.root = root && !tn_dtype_is_complex(self->dtype);
    if (!moments_prepare(&call, self, dim, keepdim, &wish))
        return NULL;
    moments_want_both(&call);
    tn_list *list = tni_reduce_new_pair(&call);
    if (!list || !call.split)
        return list;
    tn_tensor *sum = moments_of_parts(tni_tensor_retain(list->items[0]), root);
    if (!sum) {
        tni_object_release(&list->object);
        return NULL;
    }
    tni_object_drop(&list->items[0]->object);
    tni_object_hand_over(&(list->items[0] = sum)->object);
    return list;
}

static tn_error moments_pair_out(tn_tensor *first, tn_tensor *second, const tn_tensor *self, tn_dims dim, bool keepdim,
                                 moments_wish wish) {
    tni_reduce_call call;
    const char *name = wish.root ? "std" : "var";
    if (!tn_dtype_is_complex(self->dtype)) {
        if (!moments_prepare(&call, self, dim, keepdim, &wish))
            return tni_failed();
        moments_want_both(&call);
        return tni_reduce_out_pair(&call, first, name, second, "mean");
    }
    return tni_result_move_pair(first, name, second, "mean", moments_pair(self, dim, keepdim, wish), TNI_RESULT_CAST);
}

static moments_wish moments_wish_of(tn_scalar correction, bool root) {
    if (correction.kind == TN_SCALAR_NONE)
        return (moments_wish){1, root, false};
    tni_parameters parameters;
    tni_parameters_set(&parameters, 0, correction);
    return (moments_wish){parameters.real[0], root, correction.kind == TN_SCALAR_COMPLEX && correction.value.c.imag != 0};
}

static const tn_dims moments_over_all = {NULL, 0};

/* Each in torch's three forms: over all, the older one with `unbiased`, and the one with a correction. */
#define MOMENTS_OPERATOR(name, root)                                                                                           \
    tn_tensor *tni_op_##name(const tn_tensor *self, bool unbiased) {                                                           \
        return moments_new(self, moments_over_all, false, (moments_wish){unbiased, root, false});                              \
    }                                                                                                                          \
    tn_tensor *tni_op_##name##_dim(const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim) {                          \
        return moments_new(self, dim, keepdim, (moments_wish){unbiased, root, false});                                         \
    }                                                                                                                          \
    tn_error tni_op_##name##_dim_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim) {        \
        return moments_out(out, self, dim, keepdim, (moments_wish){unbiased, root, false});                                    \
    }                                                                                                                          \
    tn_tensor *tni_op_##name##_correction(const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim) {            \
        return moments_new(self, dim, keepdim, moments_wish_of(correction, root));                                             \
    }                                                                                                                          \
    tn_error tni_op_##name##_correction_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, tn_scalar correction,          \
                                            bool keepdim) {                                                                    \
        return moments_out(out, self, dim, keepdim, moments_wish_of(correction, root));                                        \
    }                                                                                                                          \
    tn_list *tni_op_##name##_mean(const tn_tensor *self, bool unbiased) {                                                      \
        return moments_pair(self, moments_over_all, false, (moments_wish){unbiased, root, false});                             \
    }                                                                                                                          \
    tn_list *tni_op_##name##_mean_dim(const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim) {                       \
        return moments_pair(self, dim, keepdim, (moments_wish){unbiased, root, false});                                        \
    }                                                                                                                          \
    tn_list *tni_op_##name##_mean_correction(const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim) {         \
        return moments_pair(self, dim, keepdim, moments_wish_of(correction, root));                                            \
    }                                                                                                                          \
    tn_error tni_op_##name##_mean_correction_out(tn_tensor *first, tn_tensor *second, const tn_tensor *self, tn_dims dim,      \
                                                 tn_scalar correction, bool keepdim) {                                         \
        return moments_pair_out(first, second, self, dim, keepdim, moments_wish_of(correction, root));                         \
    }

MOMENTS_OPERATOR(var, false)
MOMENTS_OPERATOR(std, true)
