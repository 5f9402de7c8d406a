/* result.c - the tensors that out variants write to. See result.h.
 *
 * Invariant: between begin and end nothing but the values of `out` is still to change: its sizes are right, it may be written,
 * and every reason to refuse it has been looked at.
 */
#include "ops/result.h"

#include "iterate/promote.h"
#include "operator_impls.h"
#include "ops/copy.h"

static bool result_sizes_fit(const tn_tensor *out, tn_dims sizes) {
    return out->ndim == sizes.count && memcmp(out->sizes, sizes.values, (size_t)sizes.count * sizeof *sizes.values) == 0;
}

static bool result_fits(tn_tensor *out, tn_dims sizes, tn_dtype dtype, tni_result_rule rule) {
    if (out->numel != 0 && !result_sizes_fit(out, sizes)) {
        tni_raise(TN_ERROR_SHAPE, "the result has sizes %s, out is %s; give one of these sizes, or one without elements",
                  tni_show_dims(sizes.values, sizes.count), tni_show_tensor(out));
        return false;
    }
    if (rule == TNI_RESULT_EXACT ? out->dtype != dtype : !tni_can_cast(dtype, out->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "the result has dtype %s, %s out %s", tn_dtype_name(dtype),
                  rule == TNI_RESULT_EXACT ? "and so must" : "which cannot be written into", tni_show_tensor(out));
        return false;
    }
    if (tni_tensor_overlaps_itself(out)) {
        tni_raise(TN_ERROR_OVERLAP, "several elements of out %s with strides %s share one place; clone it first",
                  tni_show_tensor(out), tni_show_dims(out->strides, out->ndim));
        return false;
    }
    return tni_tensor_prepare_write(out);
}

static bool result_overlaps(const tn_tensor *out, const tn_tensor *const *operands, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (operands[i] && tni_tensors_overlap(out, operands[i]))
            return true;
    return false;
}

bool tni_result_begin(tni_result *result, tn_tensor *out, tn_dims sizes, tn_dtype dtype, tni_result_rule rule,
                      const tn_tensor *const *operands, int64_t operand_count) {
    *result = (tni_result){.tensor = out, .out = out};
    if (!result_fits(out, sizes, dtype, rule))
        return false;
    if (out->dtype != dtype || result_overlaps(out, operands, operand_count)) {
        result->tensor = tni_tensor_new(sizes.count, sizes.values, dtype, tni_tensor_device(out));
        if (!result->tensor)
            return false;
    }
    if (result_sizes_fit(out, sizes) || tni_op_resize_(out, sizes) == TN_OK)
        return true;
    if (result->tensor != out)
        tni_tensor_release(result->tensor);
    return false;
}

tn_error tni_result_end(tni_result *result, tn_error code) {
    if (result->tensor == result->out) {
        if (code == TN_OK)
            tni_storage_bump(result->out->storage);
        return code;
    }
    if (code == TN_OK)
        code = tni_copy_into(result->out, result->tensor, "the result was computed beside out");
    tni_tensor_release(result->tensor);
    return code;
}

tn_error tni_result_move(tn_tensor *out, tn_tensor *made, tni_result_rule rule) {
    if (!made)
        return tn_error_code();
    tn_dims sizes = {made->sizes, made->ndim};
    tn_error code = result_fits(out, sizes, made->dtype, rule) ? TN_OK : tn_error_code();
    if (code == TN_OK && !result_sizes_fit(out, sizes))
        code = tni_op_resize_(out, sizes);
    if (code == TN_OK)
        code = tni_copy_into(out, made, "the result was computed beside out");
    tni_tensor_release(made);
    return code;
}
