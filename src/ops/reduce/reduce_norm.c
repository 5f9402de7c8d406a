/* reduce_norm.c - norm, linalg_vector_norm and dist: one formula, (sum |x|^p)^(1/p), with its limits and short cuts.
 *
 *   p = 2          squares, added in double: nothing overflows on the way in float32
 *   p = 1          the sum of the magnitudes
 *   p = 0          how many are not 0
 *   p = +-infinity the largest or smallest magnitude
 *   else           magnitudes to the power of p
 *
 * Complex numbers are replaced by their magnitudes first.
 */
#include <math.h>

#include "kernels/table.h"
#include "iterate/promote.h"
#include "kernels_shared.h"
#include "operators_arithmetic.h"
#include "operators_reduce.h"
#include "ops/reduce/reduce.h"
#include "ops/limits.h"

typedef struct norm_wish {
    double p;
    tn_dtype compute;
    tni_loop magnitude, power;
    _Alignas(16) char exponents[NORM_BLOCK * 8];
} norm_wish;

/* ---- magnitudes, and their powers */

static void norm_map_magnitude(void *out, const void *in, int64_t count, const void *context) {
    const norm_wish *wish = context;
    wish->magnitude((void *[]){out, (void *)(uintptr_t)in}, count, NULL);
}

static void norm_map_power(void *out, const void *in, int64_t count, const void *context) {
    const norm_wish *wish = context;
    size_t size = tni_dtype_size(wish->compute);
    wish->magnitude((void *[]){out, (void *)(uintptr_t)in}, count, NULL);
    for (int64_t done = 0; done < count; done += NORM_BLOCK) {
        char *at = (char *)out + (size_t)done * size;
        wish->power((void *[]){at, at, (void *)(uintptr_t)wish->exponents}, tni_min_i64(NORM_BLOCK, count - done), NULL);
    }
}

/* ---- results */

static void norm_finish_sum(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                            const void *context) {
    (void)reduced;
    const norm_wish *wish = context;
    for (int64_t j = 0; j < count; j++) {
        double sum = tni_reduce_sum_of(states, j);
        ((double *)out[0])[j] = wish->p == 2 ? sqrt(sum) : wish->p == 1 ? sum : pow(sum, 1 / wish->p);
    }
}

/* ---- dtypes */

static bool norm_takes(const tn_tensor *self, tn_dtype dtype) {
    if (tn_dtype_is_integral(self->dtype) || tni_reduce_is_float8(self->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "defined for floating and complex numbers, of 16 bits and more; given %s",
                  tni_show_tensor(self));
        return false;
    }
    if (dtype == TN_DTYPE_DEFAULT || dtype == (tn_dtype)self->dtype)
        return true;
    bool wider = tn_dtype_is_complex(dtype) == tn_dtype_is_complex(self->dtype) && !tn_dtype_is_integral(dtype) &&
                 tni_promote(self->dtype, dtype) == dtype;
    if (!wider)
        tni_raise(TN_ERROR_DTYPE, "dtype %s does not hold the elements of self %s, or is of another kind", tn_dtype_name(dtype),
                  tni_show_tensor(self));
    return wider;
}

/* ---- the call */

static void norm_use_sum(tni_reduce_call *call, norm_wish *wish) {
    bool powers = wish->p != 1 && wish->p != 2;
    tni_reduce_use(call, wish->p == 2 ? TNI_REDUCE_SQUARES : TNI_REDUCE_SUM, wish->compute);
    call->what.words = 2;
    call->what.begin = tni_reduce_sum_begin;
    call->what.combine = tni_reduce_sum_combine;
    call->what.finish = norm_finish_sum;
    call->what.gives[0] = TN_FLOAT64;
    call->what.map = powers ? norm_map_power : wish->p == 1 || tn_dtype_is_complex(call->what.maps) ? norm_map_magnitude : NULL;
    call->what.context = wish;
    for (int i = 0; powers && i < NORM_BLOCK; i++)
        if (wish->compute == TN_FLOAT32)
            ((float *)(void *)wish->exponents)[i] = (float)wish->p;
        else
            ((double *)(void *)wish->exponents)[i] = wish->p;
}

static void norm_name(tni_reduce_call *call, const norm_wish *wish, tn_dtype elements) {
    call->kernel = TNI_JOB_vector_norm;
    call->number = wish->p;
    call->elements = elements;
}

static bool norm_prepare(tni_reduce_call *call, const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim, tn_dtype dtype,
                         norm_wish *wish) {
    tni_parameters parameters = {.real = {2}};
    if (ord.kind == TN_SCALAR_COMPLEX) {
        tni_raise(TN_ERROR_ARGUMENT, "the order %s is complex; the order of a norm must be real", tni_show_scalar(ord));
        return false;
    }
    if (ord.kind != TN_SCALAR_NONE)
        tni_parameters_set(&parameters, 0, ord);
    if (!norm_takes(self, dtype) || !tni_reduce_begin(call, self, dim, keepdim))
        return false;
    dtype = dtype == TN_DTYPE_DEFAULT ? (tn_dtype)self->dtype : dtype;
    wish->p = parameters.real[0];
    wish->compute = tni_reduce_float(dtype);
    call->rule = TNI_RESULT_EXACT;
    if (wish->p == 0) {
        tni_reduce_use_count(call);
        call->dtype[0] = tn_dtype_to_real(dtype);
        norm_name(call, wish, dtype);
        return true;
    }
    if ((wish->p < 0 || isinf(wish->p)) && !tni_reduce_needs_elements(call, TN_ERROR_SHAPE))
        return false;
    call->what.maps = !tn_dtype_is_complex(dtype) ? wish->compute : wish->compute == TN_FLOAT32 ? TN_COMPLEX64 : TN_COMPLEX128;
    bool powers = wish->p != 1 && wish->p != 2 && !isinf(wish->p);
    wish->magnitude = tni_loop_of(TNI_KERNEL_abs, call->what.maps);
    wish->power = powers ? tni_loop_of(TNI_KERNEL_pow, wish->compute) : NULL;
    if (!wish->magnitude || (powers && !wish->power))
        return false;
    if (isinf(wish->p)) {
        tni_reduce_use_extreme(call, wish->p > 0 ? TNI_REDUCE_MAX : TNI_REDUCE_MIN, wish->compute);
        call->what.map = norm_map_magnitude;
    } else {
        norm_use_sum(call, wish);
    }
    call->what.map_context = wish;
    call->dtype[0] = tn_dtype_to_real(dtype);
    norm_name(call, wish, dtype);
    return true;
}

tn_tensor *tni_op_linalg_vector_norm(const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim, tn_dtype dtype) {
    tni_reduce_call call;
    norm_wish wish;
    return norm_prepare(&call, self, ord, dim, keepdim, dtype, &wish) ? tni_reduce_new(&call) : NULL;
}

tn_error tni_op_linalg_vector_norm_out(tn_tensor *out, const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim,
                                       tn_dtype dtype) {
    tni_reduce_call call;
    norm_wish wish;
    return norm_prepare(&call, self, ord, dim, keepdim, dtype, &wish) ? tni_reduce_out(&call, out) : tni_failed();
}

static const tn_dims norm_over_all = {NULL, 0};

tn_tensor *tni_op_norm(const tn_tensor *self, tn_scalar p) {
    return tni_op_linalg_vector_norm(self, p, norm_over_all, false, TN_DTYPE_DEFAULT);
}

tn_error tni_op_norm_out(tn_tensor *out, const tn_tensor *self, tn_scalar p) {
    return tni_op_linalg_vector_norm_out(out, self, p, norm_over_all, false, TN_DTYPE_DEFAULT);
}

tn_tensor *tni_op_norm_dim(const tn_tensor *self, tn_scalar p, tn_dims dim, bool keepdim, tn_dtype dtype) {
    return tni_op_linalg_vector_norm(self, p, dim, keepdim, dtype);
}

tn_error tni_op_norm_dim_out(tn_tensor *out, const tn_tensor *self, tn_scalar p, tn_dims dim, bool keepdim, tn_dtype dtype) {
    return tni_op_linalg_vector_norm_out(out, self, p, dim, keepdim, dtype);
}

tn_tensor *tni_composite_dist(const tn_tensor *self, const tn_tensor *other, tn_scalar p) {
    return tn_norm(tn_sub(self, other), p);
}

tn_tensor *tni_composite_dist_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar p) {
    return tn_norm_out(out, tn_sub(self, other), p);
}
