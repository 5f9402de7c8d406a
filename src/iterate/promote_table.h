/* promote_table.h - the promotion table: which dtype holds two others. Read by promote.c, and by tools/generate, which writes the
 * same for C++ (include/tenon/cpp/promotion.hpp).
 *
 * Invariant: the table is symmetric, has the operand on the diagonal, and agrees with torch.promote_types wherever that gives
 * an answer. Entries that torch refuses (uint16, uint32, uint64 with integers) are the smallest integer dtype that holds
 * both, and uint64 with a signed one, which no integer dtype holds, is float64, as in NumPy.
 */
#ifndef TNI_PROMOTE_TABLE_H
#define TNI_PROMOTE_TABLE_H

#include <tenon/dtype.h>

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

#endif
