/* result.h - the tensors that out variants write to: checked, resized, kept apart from operands that overlap them.
 *
 *     tni_result result;
 *     if (!tni_result_begin(&result, out, sizes, TN_INT64, TNI_RESULT_EXACT, operands, operand_count))
 *         return tni_failed();
 *     ... write to result.tensor ...
 *     return tni_result_end(&result, TN_OK);
 *
 * result.tensor is `out` itself, or a temporary where `out` overlaps an operand or does not have the dtype of the computation;
 * tni_result_end resizes `out` and copies it over. Nothing of `out` has changed when begin fails, and its sizes are put back
 * when end is given an error, or finds that the call was cancelled. Operators with two results check both before either is
 * touched: tni_result_begin_pair.
 */
#ifndef TNI_RESULT_H
#define TNI_RESULT_H

#include "base/error.h"
#include "tensor/tensor.h"

typedef enum tni_result_rule {
    TNI_RESULT_EXACT, /* `out` must have the dtype                                                    */
    TNI_RESULT_MADE,  /* the same, and resizing it is expected and needs no warning */
    TNI_RESULT_CAST   /* it may have any that the result can be cast to (tni_can_cast), and is converted */
} tni_result_rule;

typedef struct tni_result {
    tn_tensor *tensor; /* what to write to: it has the sizes and the dtype asked for                    */
    tn_tensor *out;
    uint32_t version; /* of `out` when it began: what writes through fill_ or copy_ has counted that itself */
    bool resized;     /* then this is what `out` was before */
    uint8_t ndim;
    size_t bytes;
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS];
} tni_result;

/* Whether a dtype that is asked for beside `out` is its dtype, or none (TN_DTYPE_DEFAULT); raises TN_ERROR_DTYPE when not. */
bool tni_result_takes_dtype(const tn_tensor *out, tn_dtype asked);

/* An `out` of other sizes is resized; one that has elements, with a warning. Operands are the tensors that are read (NULL
 * entries are skipped). Raises and returns false when out cannot be used: dtype, read-only, elements that share a place. */
bool tni_result_begin(tni_result *result, tn_tensor *out, tn_dims sizes, tn_dtype dtype, tni_result_rule rule,
                      const tn_tensor *const *operands, int64_t operand_count);

/* Copies a temporary over `out` unless `code` is an error or the call was cancelled, counts the write, once, releases. Returns the
 * code, or that of the copy, or TN_ERROR_CANCELLED. */
tn_error tni_result_end(tni_result *result, tn_error code);

/* The same for two results, which must not share memory: `name` is what messages call each. */
typedef struct tni_result_wish {
    tn_tensor *out;
    const char *name;
    tn_dims sizes;
    tn_dtype dtype;
} tni_result_wish;
bool tni_result_begin_pair(tni_result *results, const tni_result_wish *wishes, tni_result_rule rule,
                           const tn_tensor *const *operands, int64_t operand_count);
tn_error tni_result_end_pair(tni_result *results, tn_error code);

/* Only the resizing, for operators that check `out` in their own way: `of` begins with nothing changed, `resize` changes `out`
 * unless it has these sizes, and `stay` puts that back when `code` is an error or the call was cancelled. Returns as `end`. */
static inline void tni_result_of(tni_result *result, tn_tensor *out) {
    result->tensor = result->out = out;
    result->version = tni_storage_version(out->storage);
    result->resized = false;
}
tn_error tni_result_resize(tni_result *result, tn_dims sizes);
tn_error tni_result_stay(tni_result *result, tn_error code);

/* Only the warning: that `out`, which has elements, will be resized to these sizes, if it will. */
void tni_result_warn(const tn_tensor *out, const char *name, tn_dims sizes);

/* Whether `out` could be used for such a result; raises when not. For operators that would lose more than time if they found
 * out at the end. */
bool tni_result_fits(tn_tensor *out, tn_dims sizes, tn_dtype dtype, tni_result_rule rule);

/* For operators that write row by row: `result` itself where its elements are in that order, else a new tensor. The second
 * function copies that one over unless `code` is an error, and releases either. The first is NULL, with the error raised, where
 * there is no memory; the second takes that, with the code. */
tn_tensor *tni_result_rows(tn_tensor *result);
tn_error tni_result_rows_end(tn_tensor *result, tn_tensor *rows, tn_error code);

/* For operators whose functional form computes the result (of any strides) first: check `out` against it and copy it over.
 * Takes over `made`; NULL (an error raised before) is passed on. */
tn_error tni_result_move(tn_tensor *out, tn_tensor *made, tni_result_rule rule);

/* The same for the bodies of composite operators: `made`, which may be NULL, stays in their scope. Returns `out`, or NULL. */
tn_tensor *tni_result_put(tn_tensor *out, const tn_tensor *made, tni_result_rule rule);

/* The same for a list of two; takes it over. */
tn_error tni_result_move_pair(tn_tensor *first, const char *first_name, tn_tensor *second, const char *second_name,
                              tn_list *made, tni_result_rule rule);

#endif
