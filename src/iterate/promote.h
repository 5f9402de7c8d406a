/* promote.h - which dtype the result of mixed operands has. PyTorch's rules, completed for the wider unsigned integers.
 *
 * Operands count in three categories: tensors with dimensions, tensors without, and plain numbers. A lower category decides
 * only the kind (float over integer, complex over float) when it is of a higher kind, never the width: int8[3] + 1000 stays
 * int8, int8[3] + 2.5 becomes the default float.
 */
#ifndef TNI_PROMOTE_H
#define TNI_PROMOTE_H

#include <tenon/dtype.h>

#include "base/common.h"

/* The smallest dtype that holds both, or TN_DTYPE_DEFAULT when there is none: the float8 dtypes promote only with themselves.
 * uint64 with a signed integer gives float64, as in NumPy, because no integer dtype holds both. */
tn_dtype tni_promote(tn_dtype a, tn_dtype b);

/* Collects operands; zero-initialised is empty. */
typedef struct tni_promotion {
    uint8_t dimensioned, scalar_tensors, numbers; /* tn_dtype of each category; TN_DTYPE_DEFAULT: none */
    bool failed;
} tni_promotion;

void tni_promotion_add_tensor(tni_promotion *promotion, tn_dtype dtype, int64_t ndim);
void tni_promotion_add_number(tni_promotion *promotion, tn_scalar_kind kind);

/* The result, or TN_DTYPE_DEFAULT when two of the dtypes cannot be combined (or nothing was added). */
tn_dtype tni_promotion_result(const tni_promotion *promotion);

/* Whether a result of dtype `from` may be written into a tensor of dtype `to`: not complex to real, not float to integer, not
 * anything but bool to bool. Narrowing within a kind is allowed. */
bool tni_can_cast(tn_dtype from, tn_dtype to);

#endif
