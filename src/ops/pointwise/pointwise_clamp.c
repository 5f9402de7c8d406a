/* pointwise_clamp.c - clamp and similar operators: with both bounds a separate kernel, with one bound the larger or the smaller
 * of two.
 *
 * A bound is a tensor or a number. A number is settled first: one that the dtype of the result cannot hold has no effect, or is
 * refused where it would have to be the result.
 */
#include "base/error.h"
#include "kernels_arithmetic.h"
#include "kernels_shared.h"
#include "operators_arithmetic.h"
#include "ops/pointwise/pointwise_prepare.h"

typedef struct clamp_bound {
    const tn_tensor *tensor;
    tn_scalar number; /* kind TN_SCALAR_NONE and tensor NULL: no bound */
} clamp_bound;

static bool clamp_has(const clamp_bound *bound) { return bound->tensor || bound->number.kind != TN_SCALAR_NONE; }

static void clamp_add(tni_prepared *call, const clamp_bound *bound) {
    if (bound->tensor)
        tni_prepared_tensor(call, bound->tensor);
    else
        tni_prepared_number(call, bound->number);
}

/* A bound is a value to compare with, so it is not wrapped into an integer dtype: beyond its own end of the range it has no
 * effect, and beyond the other end it would have to be the result, which cannot hold it. */
static void clamp_settle(tni_prepared *call, tn_dtype dtype, tn_scalar *bound, bool low) {
    tn_iinfo range;
    bool whole = bound->kind == TN_SCALAR_INT || bound->kind == TN_SCALAR_UINT;
    if (!whole || dtype == TN_BOOL || !tn_dtype_is_integral(dtype) || tn_iinfo_of(dtype, &range) != TN_OK)
        return;
    bool below = bound->kind == TN_SCALAR_INT && bound->value.i < range.min;
    bool above = !(bound->kind == TN_SCALAR_INT && bound->value.i < 0) && bound->value.u > range.max;
    if (low ? above : below) {
        tni_raise(TN_ERROR_ARGUMENT, "%s = %s does not fit the result's dtype %s", low ? "min" : "max", tni_show_scalar(*bound),
                  tn_dtype_name(dtype));
        call->ready = false;
    } else if (low ? below : above) {
        *bound = low ? tn_scalar_int(range.min) : tn_scalar_uint(range.max);
    }
}

static bool prepare_clamp(tni_prepared *call, const tn_tensor *self, clamp_bound low, clamp_bound high) {
    bool both = clamp_has(&low) && clamp_has(&high);
    tni_prepared_begin(call,
                       both              ? TNI_KERNEL_clamp
                       : clamp_has(&low) ? TNI_KERNEL_maximum
                                         : TNI_KERNEL_minimum,
                       PROMOTE, CHECK_NOTHING,
                       LAYOUT_TENSORS | (both ? TNI_ARITHMETIC_REAL : TNI_ARITHMETIC_REAL | TNI_TAKES_BOOL));
    const clamp_bound *only = both ? NULL : clamp_has(&low) ? &low : &high;
    bool number_first =
        only && only->number.kind != TN_SCALAR_NONE; /* of two equals the second is taken: a zero keeps its sign */
    if (number_first)
        clamp_add(call, only);
    tni_prepared_tensor(call, self);
    if (clamp_has(&low) && !number_first)
        clamp_add(call, &low);
    if (clamp_has(&high) && !number_first)
        clamp_add(call, &high);
    if (call->spec.operands == 1) {
        tni_raise(TN_ERROR_ARGUMENT, "at least one of min and max must be given");
        return false;
    }
    tn_dtype dtype = tni_pointwise_dtype(&call->spec, call->arguments);
    call->ready = dtype != TN_DTYPE_DEFAULT;
    for (int i = 0; i < call->spec.operands && call->ready; i++)
        if (call->arguments[i].number)
            clamp_settle(call, dtype, &call->numbers[i], i <= 1 && clamp_has(&low));
    return call->ready;
}

#define CLAMP_NUMBER(value) ((clamp_bound){NULL, (value)})
#define CLAMP_TENSOR(value) ((clamp_bound){(value), tn_scalar_none()})
#define CLAMP_NONE CLAMP_NUMBER(tn_scalar_none())

bool tni_prepare_clamp(tni_prepared *call, const tn_tensor *self, tn_scalar min, tn_scalar max) {
    return prepare_clamp(call, self, CLAMP_NUMBER(min), CLAMP_NUMBER(max));
}
bool tni_prepare_clamp_tensor(tni_prepared *call, const tn_tensor *self, const tn_tensor *min, const tn_tensor *max) {
    return prepare_clamp(call, self, CLAMP_TENSOR(min), CLAMP_TENSOR(max));
}

bool tni_prepare_clamp_min(tni_prepared *call, const tn_tensor *self, tn_scalar min) {
    return prepare_clamp(call, self, CLAMP_NUMBER(min), CLAMP_NONE);
}
bool tni_prepare_clamp_min_tensor(tni_prepared *call, const tn_tensor *self, const tn_tensor *min) {
    return prepare_clamp(call, self, CLAMP_TENSOR(min), CLAMP_NONE);
}
bool tni_prepare_clamp_max(tni_prepared *call, const tn_tensor *self, tn_scalar max) {
    return prepare_clamp(call, self, CLAMP_NONE, CLAMP_NUMBER(max));
}
bool tni_prepare_clamp_max_tensor(tni_prepared *call, const tn_tensor *self, const tn_tensor *max) {
    return prepare_clamp(call, self, CLAMP_NONE, CLAMP_TENSOR(max));
}
