/* reduce_sum.c - sum, nansum, mean, nanmean and prod.
 *
 * Elements are converted to the dtype asked for before they are added, as in torch: sums of floats as int64 are sums of whole
 * numbers. Integers are summed in 64 bits, narrow floats in float32, complex numbers as pairs of real ones.
 */
#include <math.h>

#include "iterate/limits.h"
#include "kernels/table.h"
#include "kernels_shared.h"
#include "operators_arithmetic.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/plan.h"
#include "ops/reduce/reduce.h"

/* ---- the dtype */

/* The dtype that is computed in, besides the narrow floats: TN_DTYPE_DEFAULT with the error raised when there is none. */
static tn_dtype sum_dtype(const tn_tensor *self, tn_dtype dtype) {
    if (dtype == TN_DTYPE_DEFAULT)
        dtype = tn_dtype_is_integral(self->dtype) ? TN_INT64 : (tn_dtype)self->dtype;
    if (!tni_reduce_is_float8(dtype) && !tni_reduce_is_float8(self->dtype))
        return dtype;
    tni_raise(TN_ERROR_DTYPE, "not defined for %s; convert self %s with to", tn_dtype_name(dtype), tni_show_tensor(self));
    return TN_DTYPE_DEFAULT;
}

static bool mean_takes(const tn_tensor *self, tn_dtype dtype) {
    tn_dtype of = dtype == TN_DTYPE_DEFAULT ? (tn_dtype)self->dtype : dtype;
    if (!tn_dtype_is_integral(of))
        return true;
    tni_raise(TN_ERROR_DTYPE, "a mean is a floating or complex number: give a floating dtype, not %s; given %s",
              tn_dtype_name(of), tni_show_tensor(self));
    return false;
}

/* ---- sums */

static void sum_finish_float(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                             const void *context) {
    (void)reduced, (void)context;
    for (int64_t j = 0; j < count; j++)
        ((double *)out[0])[j] = tni_reduce_sum_of(states, j);
}

static void sum_finish_mean(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                            const void *context) {
    (void)context;
    for (int64_t j = 0; j < count; j++)
        ((double *)out[0])[j] = tni_reduce_sum_of(states, j) / (double)reduced;
}

static void sum_finish_integer(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                               const void *context) {
    (void)reduced, (void)context;
    memcpy(out[0], tni_reduce_word(states, 0, 8), (size_t)count * 8);
}

static void sum_combine_integer(const tni_reduce_states *into, const tni_reduce_states *from, int64_t count,
                                const void *context) {
    (void)context;
    uint64_t *sum = tni_reduce_word(into, 0, 8);
    const uint64_t *more = tni_reduce_word(from, 0, 8);
    for (int64_t j = 0; j < count; j++)
        sum[j] += more[j];
}

static void sum_map_without_nan(void *out, const void *in, int64_t count, const void *context) {
    tni_parameters parameters = {.real = {0, (double)INFINITY, -(double)INFINITY}}; /* what NaN and the infinities become */
    tni_kernels()->pointwise[TNI_KERNEL_nan_to_num * TN_DTYPE_COUNT + *(const tn_dtype *)context](
        (void *[]){out, (void *)(uintptr_t)in}, count, &parameters);
}

/* After begin: sum in this dtype; or the mean, or without NaN. Drops the call when it fails. */
static bool sum_prepare(tni_reduce_call *call, tn_dtype dtype, bool mean, bool no_nan) {
    static const tn_dtype floats[] = {TN_FLOAT32, TN_FLOAT64};
    if ((call->dtype[0] = sum_dtype(call->self, dtype)) == TN_DTYPE_DEFAULT || !tni_reduce_cast(call, call->dtype[0]))
        return false;
    dtype = call->dtype[0];
    call->kernel = mean ? TNI_JOB_mean : no_nan ? TNI_JOB_nansum : TNI_JOB_sum;
    call->elements = dtype;
    call->what.words = 2;
    call->what.begin = tni_reduce_sum_begin;
    if (tn_dtype_is_integral(dtype)) {
        bool narrow = tni_dtype_size(call->input) < 4 || call->input == TN_INT32;
        call->input = call->input == TN_UINT64 ? TN_INT64 : call->input;
        tni_reduce_use(call, TNI_REDUCE_SUM, narrow && tn_dtype_is_integral(call->input) ? TN_INT32 : TN_INT64);
        call->what.gives[0] = TN_INT64;
        call->what.combine = sum_combine_integer;
        call->what.finish = sum_finish_integer;
        return true;
    }
    call->split = tn_dtype_is_complex(dtype);
    tni_reduce_use(call, TNI_REDUCE_SUM, tni_reduce_float(dtype));
    call->what.gives[0] = TN_FLOAT64;
    call->what.folds = true;
    call->what.combine = tni_reduce_sum_combine;
    call->what.finish = mean ? sum_finish_mean : sum_finish_float;
    if (no_nan) {
        call->what.map = sum_map_without_nan;
        call->what.maps = call->what.compute;
        call->what.map_context = &floats[call->what.compute == TN_FLOAT64];
    }
    return true;
}

/* Whether all elements are summed in their own dtype, and lie without gaps: then there is nothing to prepare. */
static bool sum_is_brief(const tn_tensor *self, tn_dtype dtype) {
    return (self->dtype == TN_FLOAT32 || self->dtype == TN_FLOAT64) && (dtype == TN_DTYPE_DEFAULT || dtype == self->dtype) &&
           self->numel > 0 && self->numel <= REDUCE_PIECE && tni_tensor_is_contiguous(self) &&
           tni_tensor_device(self).type == TN_CPU;
}

static tn_tensor *sum_briefly(const tn_tensor *self, bool mean) {
    static const tni_reduction whole = {
        .words = 2, .results = 1, .gives = {TN_FLOAT64}, .begin = tni_reduce_sum_begin, .combine = tni_reduce_sum_combine};
    tni_reduction what = whole;
    what.compute = self->dtype;
    what.run = tni_kernels()->reduce_run[TNI_REDUCE_SUM * TN_DTYPE_COUNT + (int)self->dtype];
    what.finish = mean ? sum_finish_mean : sum_finish_float;
    tn_tensor *made = tni_tensor_new(0, NULL, self->dtype, tni_tensor_device(self));
    if (made) {
        tni_reduce_result result = {tni_tensor_write(made), NULL, (tn_dtype)self->dtype};
        (void)tni_reduce_whole(&what, self->dtype, tni_tensor_read(self), self->numel, &result); /* it is small */
    }
    return made;
}

static tn_tensor *sum_new(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype, bool mean, bool no_nan) {
    tni_reduce_call call;
    if (dim.count == 0 && !keepdim && !no_nan && sum_is_brief(self, dtype))
        return sum_briefly(self, mean);
    if (!tni_reduce_begin(&call, self, dim, keepdim) || !sum_prepare(&call, dtype, mean, no_nan))
        return NULL;
    return tni_reduce_new(&call);
}

/* Without a dtype, that of out is used. */
static tn_error sum_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype, bool mean,
                        bool no_nan) {
    tni_reduce_call call;
    if (!tni_reduce_begin(&call, self, dim, keepdim) ||
        !sum_prepare(&call, dtype == TN_DTYPE_DEFAULT ? (tn_dtype)out->dtype : dtype, mean, no_nan))
        return tni_failed();
    call.rule = TNI_RESULT_EXACT;
    return tni_reduce_out(&call, out);
}

static const tn_dims sum_over_all = {NULL, 0};

tn_tensor *tni_op_sum(const tn_tensor *self, tn_dtype dtype) { return sum_new(self, sum_over_all, false, dtype, false, false); }

tn_error tni_op_sum_out(tn_tensor *out, const tn_tensor *self, tn_dtype dtype) {
    return sum_out(out, self, sum_over_all, false, dtype, false, false);
}

tn_tensor *tni_op_sum_dim(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype) {
    return sum_new(self, dim, keepdim, dtype, false, false);
}

tn_error tni_op_sum_dim_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype) {
    return sum_out(out, self, dim, keepdim, dtype, false, false);
}

static bool sum_fits(const tn_tensor *self, tn_dims size, int64_t lead) {
    bool fits = lead >= 0;
    for (int64_t d = 0; fits && d < size.count; d++)
        fits = size.values[d] == 1 || size.values[d] == self->sizes[lead + d];
    if (!fits)
        tni_raise(TN_ERROR_SHAPE, "size %s does not broadcast to the sizes of self %s", tni_show_dims(size.values, size.count),
                  tni_show_tensor(self));
    return fits;
}

tn_tensor *tni_composite_sum_to_size(const tn_tensor *self, tn_dims size) {
    int64_t dims[TN_MAX_DIMS], count = 0, lead = self->ndim - size.count;
    if (!sum_fits(self, size, lead))
        return NULL;
    if (size.count == 0)
        return tn_sum(self, TN_DTYPE_DEFAULT);
    for (int64_t d = 0; d < self->ndim; d++)
        if (d < lead || (size.values[d - lead] == 1 && self->sizes[d] != 1))
            dims[count++] = d;
    if (count == 0)
        return (tn_tensor *)(uintptr_t)self;
    bool view = lead > 0 && count > lead; /* some dimensions are dropped, some stay as 1 */
    tn_tensor *sum = tn_sum_dim(self, (tn_dims){dims, count}, lead == 0 || view, TN_DTYPE_DEFAULT);
    return view ? tn_view(sum, size) : sum;
}

tn_tensor *tni_op_mean(const tn_tensor *self, tn_dtype dtype) {
    return mean_takes(self, dtype) ? sum_new(self, sum_over_all, false, dtype, true, false) : NULL;
}

tn_error tni_op_mean_out(tn_tensor *out, const tn_tensor *self, tn_dtype dtype) {
    if (!mean_takes(self, dtype) || !mean_takes(out, TN_DTYPE_DEFAULT))
        return tni_failed();
    return sum_out(out, self, sum_over_all, false, dtype, true, false);
}

tn_tensor *tni_op_mean_dim(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype) {
    return mean_takes(self, dtype) ? sum_new(self, dim, keepdim, dtype, true, false) : NULL;
}

tn_error tni_op_mean_dim_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype) {
    if (!mean_takes(self, dtype) || !mean_takes(out, TN_DTYPE_DEFAULT))
        return tni_failed();
    return sum_out(out, self, dim, keepdim, dtype, true, false);
}

/* ---- without NaN */

/* Whole numbers have no NaN, and may become complex. */
static bool nansum_takes(const tn_tensor *self, tn_dtype dtype) {
    if (!tn_dtype_is_complex(self->dtype) && (!tn_dtype_is_complex(dtype) || tn_dtype_is_integral(self->dtype)))
        return true;
    tni_raise(TN_ERROR_DTYPE, "not defined for complex numbers; given %s", tni_show_tensor(self));
    return false;
}

tn_tensor *tni_op_nansum(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype) {
    return nansum_takes(self, dtype) ? sum_new(self, dim, keepdim, dtype, false, !tn_dtype_is_integral(self->dtype)) : NULL;
}

tn_error tni_op_nansum_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype) {
    bool whole = tn_dtype_is_integral(self->dtype);
    if (!nansum_takes(self, dtype) || (!whole && !nansum_takes(out, TN_DTYPE_DEFAULT)))
        return tni_failed();
    return sum_out(out, self, dim, keepdim, dtype, false, !whole);
}

static void nanmean_map_is_number(void *out, const void *in, int64_t count, const void *context) {
    (void)context;
    for (int64_t i = 0; i < count; i++) {
        double x = ((const double *)in)[i];
        ((uint8_t *)out)[i] = x == x;
    }
}

/* How many numbers there are, in the dtype that the sum is divided in. */
static tn_tensor *nanmean_count(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype) {
    static const uint64_t mask = 1;
    tni_reduce_call call;
    if (!tni_reduce_begin(&call, self, dim, keepdim))
        return NULL;
    tni_reduce_use(&call, TNI_REDUCE_NONZERO, TN_UINT8);
    call.what.words = 2;
    call.what.maps = TN_FLOAT64;
    call.what.map = nanmean_map_is_number;
    call.what.begin = tni_reduce_sum_begin;
    call.what.combine = sum_combine_integer;
    call.what.finish = sum_finish_integer;
    call.what.gives[0] = TN_INT64;
    call.what.context = &mask;
    call.dtype[0] = dtype;
    return tni_reduce_new(&call);
}

bool tni_plan_nanmean(tni_plan *plan, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype) {
    tni_reduce_call call;
    if (!nansum_takes(self, dtype) || !mean_takes(self, TN_DTYPE_DEFAULT) || !mean_takes(self, dtype) ||
        sum_dtype(self, dtype) == TN_DTYPE_DEFAULT || !tni_reduce_begin(&call, self, dim, keepdim))
        return false;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, call.ndim, call.sizes, dtype == TN_DTYPE_DEFAULT ? (tn_dtype)self->dtype : dtype);
    plan->rule = TNI_RESULT_CAST;
    tni_reduce_drop(&call);
    return true;
}

/* A new result first holds the sum; a given one, and a narrow one, in which the sum may not fit where the mean does, gets only
 * the mean. */
tn_error tni_run_nanmean(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims dim, bool keepdim,
                         tn_dtype dtype) {
    dtype = plan->result[0].dtype;
    bool narrow = dtype == TN_FLOAT16 || dtype == TN_BFLOAT16, beside = plan->out || narrow;
    if (narrow)
        dtype = TN_FLOAT32;
    tn_tensor *count = nanmean_count(self, dim, keepdim, dtype), *sum = NULL;
    if (count && beside)
        sum = sum_new(self, dim, keepdim, dtype, false, true);
    else if (count && sum_out(results[0], self, dim, keepdim, dtype, false, true) == TN_OK)
        sum = tni_tensor_retain(results[0]);
    tn_error code = sum ? tni_op_div_(sum, count) : tni_failed();
    if (code == TN_OK && beside)
        code = tni_copy_into(results[0], sum, "the result was computed in a temporary");
    tni_tensor_release(count);
    tni_tensor_release(sum);
    return code;
}

/* ---- products */

static void product_begin(const tni_reduce_states *states, int64_t count, const void *context) {
    tn_dtype dtype = *(const tn_dtype *)context;
    for (int64_t j = 0; j < count; j++)
        if (dtype == TN_FLOAT32) {
            ((float *)tni_reduce_word(states, 0, 4))[j] = 1;
        } else if (dtype == TN_INT64) {
            ((int64_t *)tni_reduce_word(states, 0, 8))[j] = 1;
        } else {
            ((double *)tni_reduce_word(states, 0, 8))[j] = 1;
            ((double *)tni_reduce_word(states, 1, 8))[j] = 0;
        }
}

static void product_combine(const tni_reduce_states *into, const tni_reduce_states *from, int64_t count, const void *context) {
    tn_dtype dtype = *(const tn_dtype *)context;
    size_t size = dtype == TN_FLOAT32 ? 4 : 8;
    void *product = tni_reduce_word(into, 0, size), *imag = tni_reduce_word(into, 1, 8);
    const void *more = tni_reduce_word(from, 0, size), *its_imag = tni_reduce_word(from, 1, 8);
    for (int64_t j = 0; j < count; j++)
        if (dtype == TN_FLOAT32) {
            ((float *)product)[j] *= ((const float *)more)[j];
        } else if (dtype == TN_INT64) {
            ((uint64_t *)product)[j] *= ((const uint64_t *)more)[j];
        } else if (dtype == TN_FLOAT64) {
            ((double *)product)[j] *= ((const double *)more)[j];
        } else {
            double a = ((double *)product)[j], b = ((double *)imag)[j];
            double c = ((const double *)more)[j], d = ((const double *)its_imag)[j];
            ((double *)product)[j] = a * c - b * d;
            ((double *)imag)[j] = a * d + b * c;
        }
}

static void product_finish(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                           const void *context) {
    (void)reduced;
    tn_dtype dtype = *(const tn_dtype *)context;
    size_t size = dtype == TN_FLOAT32 ? 4 : 8;
    const void *product = tni_reduce_word(states, 0, size);
    if (dtype != TN_COMPLEX128) {
        memcpy(out[0], product, (size_t)count * size);
        return;
    }
    for (int64_t j = 0; j < count; j++)
        ((tn_complex128 *)out[0])[j] =
            (tn_complex128){((const double *)product)[j], ((const double *)tni_reduce_word(states, 1, 8))[j]};
}

static bool product_prepare(tni_reduce_call *call, tn_dtype dtype) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_INT64, TN_COMPLEX128};
    if ((call->dtype[0] = sum_dtype(call->self, dtype)) == TN_DTYPE_DEFAULT || !tni_reduce_cast(call, call->dtype[0]))
        return false;
    dtype = call->dtype[0];
    int which = tn_dtype_is_complex(dtype) ? 3 : tn_dtype_is_integral(dtype) ? 2 : tni_reduce_float(dtype) == TN_FLOAT64;
    tni_reduce_use(call, TNI_REDUCE_PRODUCT, dtypes[which]);
    call->kernel = TNI_JOB_prod;
    call->elements = dtype;
    call->what.words = 2;
    call->what.begin = product_begin;
    call->what.combine = product_combine;
    call->what.finish = product_finish;
    call->what.gives[0] = dtypes[which];
    call->what.context = &dtypes[which];
    return true;
}

static tn_tensor *product_new(const tn_tensor *self, int64_t dim, bool keepdim, tn_dtype dtype) {
    tni_reduce_call call;
    if (!tni_reduce_begin_one(&call, self, dim, keepdim) || !product_prepare(&call, dtype))
        return NULL;
    return tni_reduce_new(&call);
}

static tn_error product_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim, tn_dtype dtype) {
    tni_reduce_call call;
    if (!tni_reduce_begin_one(&call, self, dim, keepdim) ||
        !product_prepare(&call, dtype == TN_DTYPE_DEFAULT ? (tn_dtype)out->dtype : dtype))
        return tni_failed();
    call.rule = TNI_RESULT_EXACT;
    return tni_reduce_out(&call, out);
}

tn_tensor *tni_op_prod(const tn_tensor *self, tn_dtype dtype) { return product_new(self, TN_NONE, false, dtype); }

tn_error tni_op_prod_out(tn_tensor *out, const tn_tensor *self, tn_dtype dtype) {
    return product_out(out, self, TN_NONE, false, dtype);
}

tn_tensor *tni_op_prod_dim(const tn_tensor *self, int64_t dim, bool keepdim, tn_dtype dtype) {
    return product_new(self, dim, keepdim, dtype);
}

tn_error tni_op_prod_dim_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim, tn_dtype dtype) {
    return product_out(out, self, dim, keepdim, dtype);
}
