/* result.h - the tensors that out variants write to: checked, resized when empty, shielded from operands that overlap them.
 *
 *     tni_result result;
 *     if (!tni_result_begin(&result, out, sizes, TN_INT64, TNI_RESULT_EXACT, operands, operand_count))
 *         return tn_error_code();
 *     ... write to result.tensor ...
 *     return tni_result_end(&result, TN_OK);
 *
 * result.tensor is `out` itself, or a temporary where `out` overlaps an operand or has another dtype than the one computed in;
 * tni_result_end copies it over. Nothing of `out` has changed when begin fails, and its sizes are put back when end is given an
 * error. Operators with two results check both before either is touched: tni_result_begin_pair.
 */
#ifndef TNI_RESULT_H
#define TNI_RESULT_H

#include "base/error.h"
#include "tensor/tensor.h"

typedef enum tni_result_rule {
    TNI_RESULT_EXACT, /* `out` must have the dtype                                                    */
    TNI_RESULT_CAST   /* it may have any that the result can be cast to (tni_can_cast), and is converted */
} tni_result_rule;

typedef struct tni_result {
    tn_tensor *tensor; /* what to write to: it has the sizes and the dtype asked for                    */
    tn_tensor *out;
    bool resized; /* then this is what `out` was before */
    uint8_t ndim;
    size_t bytes;
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS];
} tni_result;

/* `out` must have these sizes, or no elements: then it is resized. Operands are the tensors that are read (NULL entries are
 * skipped). Raises and returns false when out cannot be used: sizes, dtype, read-only, elements that share a place. */
bool tni_result_begin(tni_result *result, tn_tensor *out, tn_dims sizes, tn_dtype dtype, tni_result_rule rule,
                      const tn_tensor *const *operands, int64_t operand_count);

/* Copies a temporary over `out` unless `code` is an error, counts the write, releases. Returns the code, or that of the copy. */
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

/* Whether `out` could be used for such a result; raises when not. For operators that have more to lose than time when they find
 * out at the end. */
bool tni_result_fits(tn_tensor *out, tn_dims sizes, tn_dtype dtype, tni_result_rule rule);

/* For operators whose functional form computes the result (of any strides) first: check `out` against it and copy it over.
 * Takes `made` over; NULL (an error raised before) is passed on. */
tn_error tni_result_move(tn_tensor *out, tn_tensor *made, tni_result_rule rule);

/* The same for a list of two; takes it over. */
tn_error tni_result_move_pair(tn_tensor *first, const char *first_name, tn_tensor *second, const char *second_name,
                              tn_list *made, tni_result_rule rule);

#endif
