/* result.c - the tensors that out variants write to. See result.h.
 *
 * Invariant: between begin and end every reason to refuse `out` has been checked, and what is read has not changed: where `out`
 * shares memory with it, or is it, its sizes too stay as they are until the values are copied over.
 */
#include "ops/result.h"

#include "ops/result_many.h"

#include "base/error.h"
#include "base/thread.h"
#include "base/warn.h"
#include "iterate/promote.h"
#include "operators_view.h"
#include "ops/copy/copy.h"

bool tni_result_takes_dtype(const tn_tensor *out, tn_dtype asked) {
    if (asked == TN_DTYPE_DEFAULT || asked == (tn_dtype)out->dtype)
        return true;
    tni_raise(TN_ERROR_DTYPE, "dtype is %s, out is %s: leave dtype out, or give both the same", tn_dtype_name(asked),
              tni_show_tensor(out));
    return false;
}

static bool result_sizes_fit(const tn_tensor *out, tn_dims sizes) {
    bool fit = out->ndim == sizes.count;
    for (int64_t d = 0; fit && d < sizes.count; d++)
        fit = out->sizes[d] == sizes.values[d];
    return fit;
}

static bool result_fits(const tni_result_wish *wish, tni_result_rule rule) {
    tn_tensor *out = wish->out;
    if (rule == TNI_RESULT_CAST ? !tni_can_cast(wish->dtype, out->dtype) : out->dtype != wish->dtype) {
        tni_raise(TN_ERROR_DTYPE, "the result has dtype %s, %s %s %s", tn_dtype_name(wish->dtype),
                  rule == TNI_RESULT_CAST ? "which cannot be written into" : "and so must", wish->name, tni_show_tensor(out));
        return false;
    }
    if (result_sizes_fit(out, wish->sizes) && tni_tensor_overlaps_itself(out)) {
        tni_raise(TN_ERROR_OVERLAP, "several elements of %s %s with strides %s share one place; clone it first", wish->name,
                  tni_show_tensor(out), tni_show_dims(out->strides, out->ndim));
        return false;
    }
    return tni_tensor_prepare_write(out);
}

void tni_result_warn(const tn_tensor *out, const char *name, tn_dims sizes) {
    if (out->numel != 0 && !result_sizes_fit(out, sizes))
        tni_warn("the result has sizes %s, so %s %s is resized to them; give a tensor of these sizes, or one without elements",
                 tni_show_dims(sizes.values, sizes.count), name, tni_show_tensor(out));
}

/* A tensor that will be resized overlaps nothing yet; afterwards it may, because its storage continues. */
static bool result_shares(const tni_result_wish *wish, const tn_tensor *other) {
    bool changes = wish->out->numel == 0 || other->numel == 0 || !result_sizes_fit(wish->out, wish->sizes);
    return changes ? wish->out->storage == other->storage : tni_tensors_overlap(wish->out, other);
}

static bool result_overlaps(const tni_result_wish *wish, const tn_tensor *const *operands, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (operands[i] && result_shares(wish, operands[i]))
            return true;
    return false;
}

tn_error tni_result_resize(tni_result *result, tn_dims sizes) {
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

/* Abandon what was begun, with `out` as it was before. */
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

/* A cancelled operator may not have noticed it (base/cancel.h): the values that `out` was resized for will not be written. */
static tn_error result_cancelled(tn_error code) {
    return code == TN_OK && TNI_UNLIKELY(tni_thread_get()->cancelled) ? TN_ERROR_CANCELLED : code;
}

tn_error tni_result_stay(tni_result *result, tn_error code) {
    code = result_cancelled(code);
    if (code != TN_OK)
        result_undo(result);
    return code;
}

/* Check all, then make room for all. */
static bool result_begin(tni_result *results, const tni_result_wish *wishes, int count, tni_result_rule rule,
                         const tn_tensor *const *operands, int64_t operand_count) {
    for (int i = 1; i < count; i++)
        for (int j = 0; j < i; j++)
            if (result_shares(&wishes[j], wishes[i].out) || result_shares(&wishes[i], wishes[j].out)) {
                tni_raise(TN_ERROR_OVERLAP, "%s %s and %s %s share memory", wishes[j].name, tni_show_tensor(wishes[j].out),
                          wishes[i].name, tni_show_tensor(wishes[i].out));
                return false;
            }
    bool later =
        false; /* what is read would be resized: all results are computed in temporaries; then each `out` is resized and copied to */
    for (int i = 0; i < count; i++) {
        if (!result_fits(&wishes[i], rule))
            return false;
        later = later ||
                (!result_sizes_fit(wishes[i].out, wishes[i].sizes) && result_overlaps(&wishes[i], operands, operand_count));
    }
    for (int i = 0; i < count && rule != TNI_RESULT_MADE; i++)
        tni_result_warn(wishes[i].out, wishes[i].name, wishes[i].sizes);
    for (int i = 0; i < count; i++) {
        const tni_result_wish *wish = &wishes[i];
        tni_result *result = &results[i];
        tni_result_of(result, wish->out);
        if (later || wish->out->dtype != wish->dtype || result_overlaps(wish, operands, operand_count))
            result->tensor = tni_tensor_new(wish->sizes.count, wish->sizes.values, wish->dtype, tni_tensor_device(wish->out));
        if (!result->tensor || (!later && tni_result_resize(result, wish->sizes) != TN_OK)) {
            for (; i >= 0; i--)
                result_undo(&results[i]);
            return false;
        }
    }
    return true;
}

bool tni_result_begin(tni_result *result, tn_tensor *out, tn_dims sizes, tn_dtype dtype, tni_result_rule rule,
                      const tn_tensor *const *operands, int64_t operand_count) {
    tni_result_wish wish = {out, "out", sizes, dtype};
    if (TNI_LIKELY(out->dtype == dtype && tni_tensor_is_contiguous(out) && tni_tensor_is_writable(out) &&
                   result_sizes_fit(out, sizes) && !result_overlaps(&wish, operands, operand_count))) {
        tni_result_of(result, out); /* it is right as it is */
        return true;
    }
    return result_begin(result, &wish, 1, rule, operands, operand_count);
}

bool tni_result_begin_pair(tni_result *results, const tni_result_wish *wishes, tni_result_rule rule,
                           const tn_tensor *const *operands, int64_t operand_count) {
    return result_begin(results, wishes, 2, rule, operands, operand_count);
}

/* The write, unless what was written through has counted it. */
static void result_count(const tni_result *result) {
    if (TNI_LIKELY(tni_storage_version(result->out->storage) == result->version))
        tni_tensor_bump(result->out);
}

/* Everything that can still fail comes before the first value is copied, so either both results are written or neither. */
static tn_error result_end(tni_result *results, int count, tn_error code) {
    code = result_cancelled(code);
    for (int i = 0; i < count && code == TN_ERROR_CANCELLED; i++)
        if (results[i].tensor == results[i].out)
            result_count(&results[i]); /* some elements may have been written */
    for (int i = 0; i < count && code == TN_OK; i++)
        if (results[i].tensor != results[i].out)
            code = tni_result_resize(&results[i], (tn_dims){results[i].tensor->sizes, results[i].tensor->ndim});
    for (int i = 0; i < count && code == TN_OK; i++)
        if (results[i].tensor == results[i].out)
            result_count(&results[i]);
        else
            code = tni_copy_into(results[i].out, results[i].tensor, "the result was computed in a temporary");
    code = result_cancelled(code);
    for (int i = 0; i < count; i++)
        if (code != TN_OK)
            result_undo(&results[i]);
        else if (results[i].tensor != results[i].out)
            tni_tensor_release(results[i].tensor);
    return code;
}

tn_error tni_result_end(tni_result *result, tn_error code) {
    if (TNI_LIKELY(result->tensor == result->out && result_cancelled(code) == TN_OK)) {
        result_count(result);
        return TN_OK;
    }
    return result_end(result, 1, code);
}

tn_error tni_result_end_pair(tni_result *results, tn_error code) { return result_end(results, 2, code); }

bool tni_result_begin_many(tni_result *results, const tni_result_wish *wishes, int count, tni_result_rule rule,
                           const tn_tensor *const *operands, int64_t operand_count) {
    return result_begin(results, wishes, count, rule, operands, operand_count);
}

tn_error tni_result_end_many(tni_result *results, int count, tn_error code) { return result_end(results, count, code); }

bool tni_result_fits(tn_tensor *out, tn_dims sizes, tn_dtype dtype, tni_result_rule rule) {
    return result_fits(&(tni_result_wish){out, "out", sizes, dtype}, rule);
}

tn_tensor *tni_result_rows(tn_tensor *result) {
    return TNI_LIKELY(tni_tensor_is_contiguous(result))
               ? tni_tensor_retain(result)
               : tni_tensor_new(result->ndim, result->sizes, result->dtype, tni_tensor_device(result));
}

tn_error tni_result_rows_end(tn_tensor *result, tn_tensor *rows, tn_error code) {
    if (code == TN_OK && rows != result)
        code = tni_copy_into(result, rows, "the result was computed row by row");
    tni_tensor_release(rows);
    return code;
}

static tn_error result_put(tn_tensor *out, const tn_tensor *made, tni_result_rule rule) {
    tni_result result;
    tn_dims sizes = {made->sizes, made->ndim};
    tn_error code = result_cancelled(TN_OK);
    tni_result_of(&result, out);
    if (code == TN_OK && !result_fits(&(tni_result_wish){out, "out", sizes, made->dtype}, rule))
        code = tni_failed();
    if (code == TN_OK && rule != TNI_RESULT_MADE)
        tni_result_warn(out, "out", sizes);
    if (code == TN_OK)
        code = tni_result_resize(&result, sizes);
    if (code == TN_OK)
        code = tni_copy_into(out, made, "the result was computed in a temporary");
    return tni_result_stay(&result, code);
}

tn_error tni_result_move(tn_tensor *out, tn_tensor *made, tni_result_rule rule) {
    if (!made)
        return tni_failed();
    tn_error code = result_put(out, made, rule);
    tni_tensor_release(made);
    return code;
}

/* A composite operator's: its parts were recorded, and the copy would not be. */
bool tni_result_is_recorded(const tn_tensor *made) {
    bool recorded = (made->keys & ~tni_thread_get()->keys_excluded) >> TN_KEY_AUTOGRAD & 1;
    if (recorded)
        tni_raise(TN_ERROR_STATE,
                  "an argument requires a gradient, and a result in a given tensor cannot be recorded; leave out away");
    return recorded;
}

tn_tensor *tni_result_put(tn_tensor *out, const tn_tensor *made, tni_result_rule rule) {
    return made && !tni_result_is_recorded(made) && result_put(out, made, rule) == TN_OK ? out : NULL;
}

tn_error tni_result_move_pair(tn_tensor *first, const char *first_name, tn_tensor *second, const char *second_name,
                              tn_list *made, tni_result_rule rule) {
    if (!made)
        return tni_failed();
    tni_result results[2];
    const tn_tensor *items[2] = {made->items[0], made->items[1]};
    tni_result_wish wishes[2] = {{first, first_name, {items[0]->sizes, items[0]->ndim}, items[0]->dtype},
                                 {second, second_name, {items[1]->sizes, items[1]->ndim}, items[1]->dtype}};
    /* The tensors made count as operands: copying from one that shares memory with an out would need memory again. */
    tn_error code = tni_result_begin_pair(results, wishes, rule, items, 2) ? TN_OK : tni_failed();
    if (code == TN_OK) {
        for (int i = 0; i < 2 && code == TN_OK; i++)
            code = tni_copy_into(results[i].tensor, items[i], "the result was computed in a temporary");
        code = tni_result_end_pair(results, code);
    }
    tni_object_release(&made->object);
    return code;
}
