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

static bool result_fits(const tni_result_wish *wish, tni_result_rule rule) {
    tn_tensor *out = wish->out;
    if (out->numel != 0 && !result_sizes_fit(out, wish->sizes)) {
        tni_raise(TN_ERROR_SHAPE, "the result has sizes %s, %s is %s; give one of these sizes, or one without elements",
                  tni_show_dims(wish->sizes.values, wish->sizes.count), wish->name, tni_show_tensor(out));
        return false;
    }
    if (rule == TNI_RESULT_EXACT ? out->dtype != wish->dtype : !tni_can_cast(wish->dtype, out->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "the result has dtype %s, %s %s %s", tn_dtype_name(wish->dtype),
                  rule == TNI_RESULT_EXACT ? "and so must" : "which cannot be written into", wish->name, tni_show_tensor(out));
        return false;
    }
    if (tni_tensor_overlaps_itself(out)) {
        tni_raise(TN_ERROR_OVERLAP, "several elements of %s %s with strides %s share one place; clone it first", wish->name,
                  tni_show_tensor(out), tni_show_dims(out->strides, out->ndim));
        return false;
    }
    return tni_tensor_prepare_write(out);
}

/* One without elements overlaps nothing yet; what it will be resized to may. */
static bool result_shares(const tn_tensor *out, const tn_tensor *other) {
    return out->numel == 0 || other->numel == 0 ? out->storage == other->storage : tni_tensors_overlap(out, other);
}

static bool result_overlaps(const tn_tensor *out, const tn_tensor *const *operands, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (operands[i] && result_shares(out, operands[i]))
            return true;
    return false;
}

static tn_error result_resize(tni_result *result, tn_dims sizes) {
    tn_tensor *out = result->out;
    if (result_sizes_fit(out, sizes))
        return TN_OK;
    size_t bytes = (size_t)out->ndim * sizeof *out->sizes;
    memcpy(result->sizes, out->sizes, bytes);
    memcpy(result->strides, out->strides, bytes);
    result->ndim = out->ndim;
    result->bytes = out->storage->nbytes;
    tn_error code = tni_op_resize_(out, sizes);
    result->resized = code == TN_OK;
    return code;
}

/* Let go of what was begun, `out` being as it was before. */
static void result_undo(tni_result *result) {
    tn_tensor *out = result->out;
    if (result->tensor != out)
        tni_tensor_release(result->tensor);
    if (!result->resized)
        return;
    (void)tni_tensor_set_geometry(out, result->ndim, result->sizes, result->strides, out->offset);
    if (out->storage->nbytes != result->bytes)
        (void)tni_storage_grow(out->storage, result->bytes); /* only shortens: cannot fail */
}

/* Check all, then make room for all. */
static bool result_begin(tni_result *results, const tni_result_wish *wishes, int count, tni_result_rule rule,
                         const tn_tensor *const *operands, int64_t operand_count) {
    if (count == 2 && result_shares(wishes[0].out, wishes[1].out)) {
        tni_raise(TN_ERROR_OVERLAP, "%s %s and %s %s share memory", wishes[0].name, tni_show_tensor(wishes[0].out),
                  wishes[1].name, tni_show_tensor(wishes[1].out));
        return false;
    }
    for (int i = 0; i < count; i++)
        if (!result_fits(&wishes[i], rule))
            return false;
    for (int i = 0; i < count; i++) {
        const tni_result_wish *wish = &wishes[i];
        tni_result *result = &results[i];
        result->tensor = result->out = wish->out;
        result->resized = false;
        if (wish->out->dtype != wish->dtype || result_overlaps(wish->out, operands, operand_count))
            result->tensor = tni_tensor_new(wish->sizes.count, wish->sizes.values, wish->dtype, tni_tensor_device(wish->out));
        if (!result->tensor || result_resize(result, wish->sizes) != TN_OK) {
            for (; i >= 0; i--)
                result_undo(&results[i]);
            return false;
        }
    }
    return true;
}

bool tni_result_begin(tni_result *result, tn_tensor *out, tn_dims sizes, tn_dtype dtype, tni_result_rule rule,
                      const tn_tensor *const *operands, int64_t operand_count) {
    return result_begin(result, &(tni_result_wish){out, "out", sizes, dtype}, 1, rule, operands, operand_count);
}

bool tni_result_begin_pair(tni_result *results, const tni_result_wish *wishes, tni_result_rule rule,
                           const tn_tensor *const *operands, int64_t operand_count) {
    return result_begin(results, wishes, 2, rule, operands, operand_count);
}

tn_error tni_result_end(tni_result *result, tn_error code) {
    if (code == TN_OK && result->tensor == result->out)
        tni_storage_bump(result->out->storage);
    else if (code == TN_OK)
        code = tni_copy_into(result->out, result->tensor, "the result was computed beside out");
    if (code != TN_OK)
        result_undo(result);
    else if (result->tensor != result->out)
        tni_tensor_release(result->tensor);
    return code;
}

tn_error tni_result_end_pair(tni_result *results, tn_error code) {
    code = tni_result_end(&results[0], code);
    return tni_result_end(&results[1], code);
}

bool tni_result_fits(tn_tensor *out, tn_dims sizes, tn_dtype dtype, tni_result_rule rule) {
    return result_fits(&(tni_result_wish){out, "out", sizes, dtype}, rule);
}

tn_error tni_result_move(tn_tensor *out, tn_tensor *made, tni_result_rule rule) {
    tni_result result;
    if (!made)
        return tn_error_code();
    tn_dims sizes = {made->sizes, made->ndim};
    tn_error code = TN_OK;
    result.out = result.tensor = out;
    result.resized = false;
    if (!result_fits(&(tni_result_wish){out, "out", sizes, made->dtype}, rule))
        code = tn_error_code();
    if (code == TN_OK)
        code = result_resize(&result, sizes);
    if (code == TN_OK)
        code = tni_copy_into(out, made, "the result was computed beside out");
    if (code != TN_OK)
        result_undo(&result);
    tni_tensor_release(made);
    return code;
}

tn_error tni_result_move_pair(tn_tensor *first, const char *first_name, tn_tensor *second, const char *second_name,
                              tn_list *made, tni_result_rule rule) {
    if (!made)
        return tn_error_code();
    tni_result results[2];
    const tn_tensor *items[2] = {made->items[0], made->items[1]};
    tni_result_wish wishes[2] = {{first, first_name, {items[0]->sizes, items[0]->ndim}, items[0]->dtype},
                                 {second, second_name, {items[1]->sizes, items[1]->ndim}, items[1]->dtype}};
    /* The tensors made count as operands: copying from one that shares memory with an out would need memory again. */
    tn_error code = tni_result_begin_pair(results, wishes, rule, items, 2) ? TN_OK : tn_error_code();
    if (code == TN_OK) {
        for (int i = 0; i < 2 && code == TN_OK; i++)
            code = tni_copy_into(results[i].tensor, items[i], "the result was computed beside out");
        code = tni_result_end_pair(results, code);
    }
    tni_object_release(&made->object);
    return code;
}
