/* int_mm.c - products of narrow numbers: of 8-bit integers, exact in int32; of 8-bit integers and floats that stand for larger ones,
 * with the scales that make up for it.
 */
#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_product.h"
#include "ops/copy/copy.h"
#include "ops/product/product_call.h"

/* Two matrices of 8-bit integers, the second of them with a sign. */
static bool int_mm_are_bytes(const tn_tensor *self, const tn_tensor *mat2) {
    return (self->dtype == TN_INT8 || self->dtype == TN_UINT8) && mat2->dtype == TN_INT8;
}

bool tni_plan__int_mm(tni_plan *plan, const tn_tensor *self, const tn_tensor *mat2) {
    tni_product_argument first = {self, "self"}, second = {mat2, "mat2"};
    if (!tni_product_check_rank(first, 2) || !tni_product_check_rank(second, 2))
        return false;
    if (!int_mm_are_bytes(self, mat2)) {
        tni_raise(TN_ERROR_DTYPE,
                  "self %s must be int8 or uint8 and mat2 %s int8: convert them with to, or use mm for other integers",
                  tni_show_tensor(self), tni_show_tensor(mat2));
        return false;
    }
    return tni_product_plan_sizes(plan, first, second, TN_INT32);
}

tn_error tni_run__int_mm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *mat2) {
    tni_product_call call;
    tni_product_begin_planned(&call, plan, results[0], self, mat2);
    return tni_product_call_run(&call);
}

/* ---- weights in int8 */

bool tni_plan__weight_int8pack_mm(tni_plan *plan, const tn_tensor *self, const tn_tensor *mat2, const tn_tensor *scales) {
    tni_product_argument first = {self, "self"}, second = {mat2, "mat2"}, third = {scales, "scales"};
    if (!tni_product_check_rank(first, 2) || !tni_product_check_rank(second, 2) || !tni_product_check_rank(third, 1))
        return false;
    if (!tn_dtype_is_floating(self->dtype) || mat2->dtype != TN_INT8) {
        tni_raise(TN_ERROR_DTYPE, "self %s must be of a float dtype and mat2 %s int8: convert them with to",
                  tni_show_tensor(self), tni_show_tensor(mat2));
        return false;
    }
    if (!tni_product_check_dtypes(first, third) || !tni_product_check_sizes(first, 1, second, 1) ||
        !tni_product_check_sizes(third, 0, second, 0))
        return false;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, 2, (int64_t[]){self->sizes[0], mat2->sizes[0]}, self->dtype);
    plan->beside = true;
    return true;
}

/* What sums are scaled in: the result, or a tensor beside it, from which it is rounded in the end. */
static tn_tensor *int_mm_sums(tn_tensor *result, tn_dtype dtype) {
    return (tn_dtype)result->dtype == dtype ? tni_tensor_retain(result)
                                            : tni_tensor_new(2, result->sizes, dtype, tni_tensor_device(result));
}

tn_error tni_run__weight_int8pack_mm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self,
                                     const tn_tensor *mat2, const tn_tensor *scales) {
    tni_product_call call;
    tn_tensor *sums = int_mm_sums(results[0], tni_product_compute(self->dtype));
    (void)plan;
    if (!sums)
        return tni_failed();
    tni_product_call_begin(&call, self->sizes[0], mat2->sizes[0], self->sizes[1], (tn_dims){NULL, 0}, self->dtype);
    tni_product_call_take(&call, TNI_PRODUCT_A, self, true, true);
    tni_product_call_place(&call, TNI_PRODUCT_B, mat2, 1, 0, NULL);
    tni_product_call_take(&call, TNI_PRODUCT_C, sums, true, true);
    tn_error code = tni_product_call_run(&call);
    if (code == TN_OK)
        code = tni_op_mul_out(results[0], sums, scales);
    tni_tensor_release(sums);
    return code;
}

/* ---- scaled factors */

/* A scale for all, or for each row or column: [rows, 1] or [1, columns]. */
static bool scaled_check(tni_product_argument scale, int64_t rows, int64_t columns) {
    const tn_tensor *tensor = scale.tensor;
    if (tensor->dtype != TN_FLOAT32) {
        tni_raise(TN_ERROR_DTYPE, "%s %s must be float32: convert it with to", scale.name, tni_show_tensor(tensor));
        return false;
    }
    if ((tensor->numel == 1 && tensor->ndim <= 2) ||
        (tensor->ndim == 2 && tensor->sizes[0] == rows && tensor->sizes[1] == columns))
        return true;
    tni_raise(TN_ERROR_SHAPE, "%s %s must be one number, or have sizes [%" PRId64 ", %" PRId64 "]", scale.name,
              tni_show_tensor(tensor), rows, columns);
    return false;
}

static bool scaled_is_float8(const tn_tensor *tensor) {
    return tn_dtype_is_floating(tensor->dtype) && tni_tensor_item_size(tensor) == 1;
}

bool tni_plan__scaled_mm(tni_plan *plan, const tn_tensor *self, const tn_tensor *mat2, const tn_tensor *scale_a,
                         const tn_tensor *scale_b, const tn_tensor *bias, const tn_tensor *scale_result, tn_dtype out_dtype,
                         bool use_fast_accum) {
    tni_product_argument first = {self, "self"}, second = {mat2, "mat2"}, added = {bias, "bias"};
    bool bytes = int_mm_are_bytes(self, mat2);
    (void)use_fast_accum;
    if (!tni_product_check_rank(first, 2) || !tni_product_check_rank(second, 2))
        return false;
    if (!bytes && !(scaled_is_float8(self) && scaled_is_float8(mat2))) {
        tni_raise(TN_ERROR_DTYPE, "self %s and mat2 %s must be float8, or int8 (self also uint8): convert them with to",
                  tni_show_tensor(self), tni_show_tensor(mat2));
        return false;
    }
    tn_dtype dtype = out_dtype == TN_DTYPE_DEFAULT ? bytes ? TN_FLOAT32 : (tn_dtype)self->dtype : out_dtype;
    if (!tn_dtype_is_floating(dtype)) {
        tni_raise(TN_ERROR_DTYPE, "out_dtype = %s must be a float dtype", tn_dtype_name(dtype));
        return false;
    }
    if (bias && !tn_dtype_is_floating(bias->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "bias %s must be of a float dtype: convert it with to", tni_show_tensor(bias));
        return false;
    }
    if (!tni_product_plan_sizes(plan, first, second, dtype) ||
        !scaled_check((tni_product_argument){scale_a, "scale_a"}, self->sizes[0], 1) ||
        !scaled_check((tni_product_argument){scale_b, "scale_b"}, 1, mat2->sizes[1]) ||
        (scale_result && !scaled_check((tni_product_argument){scale_result, "scale_result"}, 1, 1)) ||
        (bias && !(tni_product_check_rank(added, 1) && tni_product_check_sizes(added, 0, second, 1))))
        return false;
    plan->beside = true;
    return true;
}

/* In float32: sums of integers are rounded to it once, others are accumulated in it. */
tn_error tni_run__scaled_mm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *mat2,
                            const tn_tensor *scale_a, const tn_tensor *scale_b, const tn_tensor *bias,
                            const tn_tensor *scale_result, tn_dtype out_dtype, bool use_fast_accum) {
    tni_product_call call;
    tn_tensor *sums = int_mm_sums(results[0], TN_FLOAT32);
    (void)out_dtype, (void)use_fast_accum;
    if (!sums)
        return tni_failed();
    tni_product_begin_planned(&call, plan, sums, self, mat2);
    tn_error code = tni_product_call_run(&call);
    if (code == TN_OK)
        code = tni_op_mul_(sums, scale_a);
    if (code == TN_OK)
        code = tni_op_mul_(sums, scale_b);
    if (code == TN_OK && bias)
        code = tni_op_add_(sums, bias);
    if (code == TN_OK && scale_result)
        code = tni_op_mul_(sums, scale_result);
    if (code == TN_OK && sums != results[0])
        code = tni_copy_into(results[0], sums, "scaled sums are rounded to the dtype of the result");
    tni_tensor_release(sums);
    return code;
}
