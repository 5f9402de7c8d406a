/* promote.c - the promotion table, and the rule for categories of operands. See promote.h.
 *
 * Invariant: the table is symmetric, has the operand on the diagonal, and agrees with torch.promote_types wherever that gives
 * an answer. Entries that torch refuses (uint16, uint32, uint64 with integers) are the smallest integer dtype that holds
 * both, and uint64 with a signed one, which no integer dtype holds, is float64, as in NumPy.
 */
#include "iterate/promote.h"

#include "tensor/dtype.h"

#define B1 TN_BOOL
#define U1 TN_UINT8
#define U2 TN_UINT16
#define U4 TN_UINT32
#define U8 TN_UINT64
#define I1 TN_INT8
#define I2 TN_INT16
#define I4 TN_INT32
#define I8 TN_INT64
#define F2 TN_FLOAT16
#define BF TN_BFLOAT16
#define F4 TN_FLOAT32
#define F8 TN_FLOAT64
#define C4 TN_COMPLEX64
#define C8 TN_COMPLEX128

/* Rows and columns in the order of the tn_dtype enum, float8 left out. */
static const uint8_t promote_table[TN_COMPLEX128][TN_COMPLEX128] = {
    /*        b1  u1  u2  u4  u8  i1  i2  i4  i8  f2  bf  f4  f8  c4  c8 */
    [B1 - 1] = {B1, U1, U2, U4, U8, I1, I2, I4, I8, F2, BF, F4, F8, C4, C8},
    [U1 - 1] = {U1, U1, U2, U4, U8, I2, I2, I4, I8, F2, BF, F4, F8, C4, C8},
    [U2 - 1] = {U2, U2, U2, U4, U8, I4, I4, I4, I8, F2, BF, F4, F8, C4, C8},
    [U4 - 1] = {U4, U4, U4, U4, U8, I8, I8, I8, I8, F2, BF, F4, F8, C4, C8},
    [U8 - 1] = {U8, U8, U8, U8, U8, F8, F8, F8, F8, F2, BF, F4, F8, C4, C8},
    [I1 - 1] = {I1, I2, I4, I8, F8, I1, I2, I4, I8, F2, BF, F4, F8, C4, C8},
    [I2 - 1] = {I2, I2, I4, I8, F8, I2, I2, I4, I8, F2, BF, F4, F8, C4, C8},
    [I4 - 1] = {I4, I4, I4, I8, F8, I4, I4, I4, I8, F2, BF, F4, F8, C4, C8},
    [I8 - 1] = {I8, I8, I8, I8, F8, I8, I8, I8, I8, F2, BF, F4, F8, C4, C8},
    [F2 - 1] = {F2, F2, F2, F2, F2, F2, F2, F2, F2, F2, F4, F4, F8, C4, C8},
    [BF - 1] = {BF, BF, BF, BF, BF, BF, BF, BF, BF, F4, BF, F4, F8, C4, C8},
    [F4 - 1] = {F4, F4, F4, F4, F4, F4, F4, F4, F4, F4, F4, F4, F8, C4, C8},
    [F8 - 1] = {F8, F8, F8, F8, F8, F8, F8, F8, F8, F8, F8, F8, F8, C8, C8},
    [C4 - 1] = {C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C4, C8, C4, C8},
    [C8 - 1] = {C8, C8, C8, C8, C8, C8, C8, C8, C8, C8, C8, C8, C8, C8, C8},
};

#undef B1
#undef U1
#undef U2
#undef U4
#undef U8
#undef I1
#undef I2
#undef I4
#undef I8
#undef F2
#undef BF
#undef F4
#undef F8
#undef C4
#undef C8

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
