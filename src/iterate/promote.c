/* promote.c - promotion by the table of promote_table.h, and the rule for categories of operands. See promote.h. */
#include "iterate/promote.h"

#include "iterate/promote_table.h"
#include "tensor/dtype.h"

tn_dtype tni_promote(tn_dtype a, tn_dtype b) {
    if (a == b)
        return a;
    if (a < TN_BOOL || b < TN_BOOL || a > TN_COMPLEX128 || b > TN_COMPLEX128)
        return TN_DTYPE_DEFAULT;
    return (tn_dtype)promote_table[a - 1][b - 1];
}

static void promote_into(tni_promotion *promotion, uint8_t *category, tn_dtype dtype) {
    if (*category == TN_DTYPE_DEFAULT) {
        *category = (uint8_t)dtype;
        return;
    }
    tn_dtype both = tni_promote(*category, dtype);
    if (both == TN_DTYPE_DEFAULT)
        promotion->failed = true;
    else
        *category = (uint8_t)both;
}

void tni_promotion_add_tensor(tni_promotion *promotion, tn_dtype dtype, int64_t ndim) {
    promote_into(promotion, ndim > 0 ? &promotion->dimensioned : &promotion->scalar_tensors, dtype);
}

void tni_promotion_add_number(tni_promotion *promotion, tn_scalar_kind kind) {
    promote_into(promotion, &promotion->numbers, tni_dtype_of_scalar(kind));
}

/* The higher category decides, unless the lower one is of a higher kind. */
static tn_dtype promote_categories(tn_dtype high, tn_dtype low) {
    if (high == TN_DTYPE_DEFAULT || low == TN_DTYPE_DEFAULT)
        return high == TN_DTYPE_DEFAULT ? low : high;
    if (tn_dtype_is_complex(high))
        return high;
    if (tn_dtype_is_complex(low))
        return tn_dtype_is_floating(high) && tn_dtype_to_complex(high) != TN_DTYPE_DEFAULT ? tn_dtype_to_complex(high) : low;
    if (tn_dtype_is_floating(high))
        return high;
    if (high == TN_BOOL || tn_dtype_is_floating(low))
        return tni_promote(high, low);
    return high;
}

tn_dtype tni_promotion_result(const tni_promotion *promotion) {
    if (promotion->failed)
        return TN_DTYPE_DEFAULT;
    return promote_categories(promotion->dimensioned, promote_categories(promotion->scalar_tensors, promotion->numbers));
}

bool tni_can_cast(tn_dtype from, tn_dtype to) {
    if (tn_dtype_is_complex(from) && !tn_dtype_is_complex(to))
        return false;
    if (tn_dtype_is_floating(from) && tn_dtype_is_integral(to))
        return false;
    return from == TN_BOOL || to != TN_BOOL;
}
