/* convert.h - one conversion expression for every pair of dtypes, for use in loops of any dtype and instruction set.
 *
 *     out[i] = TNI_CONVERT(FLOAT16, INT32, in[i]);      FROM and TO are the words of TN_EACH_DTYPE, or macros naming them
 *
 * Seventeen dtypes make 289 pairs. They are not written out: a value is first widened, exactly and for free, to its dtype's
 * carrier (int32_t for the narrow integers, float for the narrow floats, ...), and one function per carrier and destination
 * narrows it. That leaves eight carriers, and the hard part of a conversion is written once:
 *
 *     carrier   C type          carries
 *     i32       int32_t         bool, uint8, uint16, int8, int16, int32
 *     u32       uint32_t        uint32
 *     i64       int64_t         int64
 *     u64       uint64_t        uint64
 *     f32       float           float8_e4m3fn, float8_e5m2, float16, bfloat16, float32
 *     f64       double          float64
 *     c64       tn_complex64    complex64
 *     c128      tn_complex128   complex128
 *
 * Invariant: no input is undefined behaviour, every rounding happens once, and the result depends only on the value, not on
 * vector width or build. docs/dtypes.md states the rules; tests/convert.c checks every pair against a naive model.
 *
 * The functions are named tni_<carrier>_to_<WORD> (tni_f32_to_UINT8). The word is in capitals because `bool` is itself a macro
 * and could not be pasted.
 */
#ifndef TNI_CONVERT_H
#define TNI_CONVERT_H

#include "tensor/small_floats.h"

/* Every carrier, once: X(carrier, C type). */
#define TNI_EACH_CARRIER(X)                                                                                                    \
    X(i32, int32_t)                                                                                                            \
    X(u32, uint32_t)                                                                                                           \
    X(i64, int64_t)                                                                                                            \
    X(u64, uint64_t)                                                                                                           \
    X(f32, float)                                                                                                              \
    X(f64, double)                                                                                                             \
    X(c64, tn_complex64)                                                                                                       \
    X(c128, tn_complex128)

enum {
#define TNI_CARRIER_ENUM_(carrier, ctype) TNI_CARRIER_##carrier,
    TNI_EACH_CARRIER(TNI_CARRIER_ENUM_)
#undef TNI_CARRIER_ENUM_
        TNI_CARRIER_COUNT
};

/* The carrier of each dtype, and its element widened to it. bool may come as any byte: all but 0 are true. */
#define TNI_CARRIER_OF_BOOL i32
#define TNI_CARRIER_OF_UINT8 i32
#define TNI_CARRIER_OF_UINT16 i32
#define TNI_CARRIER_OF_UINT32 u32
#define TNI_CARRIER_OF_UINT64 u64
#define TNI_CARRIER_OF_INT8 i32
#define TNI_CARRIER_OF_INT16 i32
#define TNI_CARRIER_OF_INT32 i32
#define TNI_CARRIER_OF_INT64 i64
#define TNI_CARRIER_OF_FLOAT16 f32
#define TNI_CARRIER_OF_BFLOAT16 f32
#define TNI_CARRIER_OF_FLOAT32 f32
#define TNI_CARRIER_OF_FLOAT64 f64
#define TNI_CARRIER_OF_COMPLEX64 c64
#define TNI_CARRIER_OF_COMPLEX128 c128
#define TNI_CARRIER_OF_FLOAT8_E4M3FN f32
#define TNI_CARRIER_OF_FLOAT8_E5M2 f32

#define TNI_CARRY_BOOL(value) ((int32_t)((value) != 0))
#define TNI_CARRY_UINT8(value) ((int32_t)(value))
#define TNI_CARRY_UINT16(value) ((int32_t)(value))
#define TNI_CARRY_UINT32(value) (value)
#define TNI_CARRY_UINT64(value) (value)
#define TNI_CARRY_INT8(value) ((int32_t)(value))
#define TNI_CARRY_INT16(value) ((int32_t)(value))
#define TNI_CARRY_INT32(value) (value)
#define TNI_CARRY_INT64(value) (value)
#define TNI_CARRY_FLOAT16(value) tni_float16_to_float(value)
#define TNI_CARRY_BFLOAT16(value) tni_bfloat16_to_float(value)
#define TNI_CARRY_FLOAT32(value) (value)
#define TNI_CARRY_FLOAT64(value) (value)
#define TNI_CARRY_COMPLEX64(value) (value)
#define TNI_CARRY_COMPLEX128(value) (value)
#define TNI_CARRY_FLOAT8_E4M3FN(value) tni_float8_e4m3fn_to_float(value)
#define TNI_CARRY_FLOAT8_E5M2(value) tni_float8_e5m2_to_float(value)

#define TNI_CONVERT(FROM, TO, value) TNI_CONVERT_NAMED_(FROM, TO, value)
#define TNI_CONVERT_NAMED_(FROM, TO, value) TNI_CONVERT_CARRIED(TNI_CARRIER_OF_##FROM, TO, TNI_CARRY_##FROM(value))
#define TNI_CONVERT_CARRIED(carrier, TO, value) TNI_CONVERT_CARRIED_(carrier, TO, value)
#define TNI_CONVERT_CARRIED_(carrier, TO, value) tni_##carrier##_to_##TO(value)

/* ---- float to integer: C leaves what does not fit undefined; here it is what x86-64 does ----------------------------- */

/* The choice comes before the conversion, not after it, so that only a number that fits is ever converted and the loop around
 * it can still become one compare, one blend and one convert. A NaN fails the comparison. */
TNI_INLINE int32_t tni_f32_to_i32(float value) { return (int32_t)(fabsf(value) < 0x1p31f ? value : -0x1p31f); }
TNI_INLINE int32_t tni_f64_to_i32(double value) { return (int32_t)(fabs(value) < 0x1p31 ? value : -0x1p31); }
TNI_INLINE int64_t tni_f32_to_i64(float value) { return (int64_t)(fabsf(value) < 0x1p63f ? value : -0x1p63f); }
TNI_INLINE int64_t tni_f64_to_i64(double value) { return (int64_t)(fabs(value) < 0x1p63 ? value : -0x1p63); }

/* From 2^63 up, the upper half of uint64 is reached by subtracting 2^63 first, so that int64 can hold it. */
TNI_INLINE uint64_t tni_f32_to_u64(float value) {
    bool high = value >= 0x1p63f;
    return (uint64_t)tni_f32_to_i64(high ? value - 0x1p63f : value) ^ (uint64_t)high << 63;
}
TNI_INLINE uint64_t tni_f64_to_u64(double value) {
    bool high = value >= 0x1p63;
    return (uint64_t)tni_f64_to_i64(high ? value - 0x1p63 : value) ^ (uint64_t)high << 63;
}

/* ---- integer to bfloat16: the one small float whose range goes beyond the integers a float holds exactly --------------- */

/* Large integers lose their low bits to one sticky bit, far below where bfloat16 rounds, and then fit a double exactly. */
TNI_INLINE tn_bfloat16 tni_bfloat16_from_i64(int64_t value) {
    bool large = value >= (INT64_C(1) << 53) || value <= -(INT64_C(1) << 53);
    int64_t sticky = (value & ~INT64_C(0x7ff)) | (value & 0x7ff ? 0x400 : 0);
    return tni_bfloat16_from_double((double)(large ? sticky : value));
}
TNI_INLINE tn_bfloat16 tni_bfloat16_from_u64(uint64_t value) {
    uint64_t sticky = (value & ~UINT64_C(0xfff)) | (value & 0xfff ? 0x800 : 0);
    return tni_bfloat16_from_double((double)(value >> 53 ? sticky : value));
}

/* ---- destinations ----------------------------------------------------------------------------------------------------- */

/* An integer wraps to a narrower one. A float becomes an int32 for the destinations that an int32 can be cut to, else an
 * int64 (a uint64 for uint64); `through` names which. */
#define TNI_TO_INTEGER_(TO, ctype, through)                                                                                    \
    TNI_INLINE ctype tni_i32_to_##TO(int32_t value) { return (ctype)value; }                                                   \
    TNI_INLINE ctype tni_u32_to_##TO(uint32_t value) { return (ctype)value; }                                                  \
    TNI_INLINE ctype tni_i64_to_##TO(int64_t value) { return (ctype)value; }                                                   \
    TNI_INLINE ctype tni_u64_to_##TO(uint64_t value) { return (ctype)value; }                                                  \
    TNI_INLINE ctype tni_f32_to_##TO(float value) { return (ctype)tni_f32_to_##through(value); }                               \
    TNI_INLINE ctype tni_f64_to_##TO(double value) { return (ctype)tni_f64_to_##through(value); }                              \
    TNI_INLINE ctype tni_c64_to_##TO(tn_complex64 value) { return (ctype)tni_f32_to_##through(value.real); }                   \
    TNI_INLINE ctype tni_c128_to_##TO(tn_complex128 value) { return (ctype)tni_f64_to_##through(value.real); }

TNI_TO_INTEGER_(UINT8, uint8_t, i32)
TNI_TO_INTEGER_(UINT16, uint16_t, i32)
TNI_TO_INTEGER_(UINT32, uint32_t, i64)
TNI_TO_INTEGER_(UINT64, uint64_t, u64)
TNI_TO_INTEGER_(INT8, int8_t, i32)
TNI_TO_INTEGER_(INT16, int16_t, i32)
TNI_TO_INTEGER_(INT32, int32_t, i32)
TNI_TO_INTEGER_(INT64, int64_t, i64)

TNI_INLINE bool tni_i32_to_BOOL(int32_t value) { return value != 0; }
TNI_INLINE bool tni_u32_to_BOOL(uint32_t value) { return value != 0; }
TNI_INLINE bool tni_i64_to_BOOL(int64_t value) { return value != 0; }
TNI_INLINE bool tni_u64_to_BOOL(uint64_t value) { return value != 0; }
TNI_INLINE bool tni_f32_to_BOOL(float value) { return value != 0; }
TNI_INLINE bool tni_f64_to_BOOL(double value) { return value != 0; }
TNI_INLINE bool tni_c64_to_BOOL(tn_complex64 value) { return (value.real != 0) | (value.imag != 0); }
TNI_INLINE bool tni_c128_to_BOOL(tn_complex128 value) { return (value.real != 0) | (value.imag != 0); }

/* C's own conversions round to nearest even, once. */
#define TNI_TO_C_FLOAT_(TO, ctype)                                                                                             \
    TNI_INLINE ctype tni_i32_to_##TO(int32_t value) { return (ctype)value; }                                                   \
    TNI_INLINE ctype tni_u32_to_##TO(uint32_t value) { return (ctype)value; }                                                  \
    TNI_INLINE ctype tni_i64_to_##TO(int64_t value) { return (ctype)value; }                                                   \
    TNI_INLINE ctype tni_u64_to_##TO(uint64_t value) { return (ctype)value; }                                                  \
    TNI_INLINE ctype tni_f32_to_##TO(float value) { return (ctype)value; }                                                     \
    TNI_INLINE ctype tni_f64_to_##TO(double value) { return (ctype)value; }                                                    \
    TNI_INLINE ctype tni_c64_to_##TO(tn_complex64 value) { return (ctype)value.real; }                                         \
    TNI_INLINE ctype tni_c128_to_##TO(tn_complex128 value) { return (ctype)value.real; }

TNI_TO_C_FLOAT_(FLOAT32, float)
TNI_TO_C_FLOAT_(FLOAT64, double)

/* Integers may go through float here: it holds them exactly within the range of these formats. */
#define TNI_TO_SMALL_FLOAT_(TO, name)                                                                                          \
    TNI_INLINE tn_##name tni_i32_to_##TO(int32_t value) { return tni_##name##_from_float((float)value); }                      \
    TNI_INLINE tn_##name tni_u32_to_##TO(uint32_t value) { return tni_##name##_from_float((float)value); }                     \
    TNI_INLINE tn_##name tni_i64_to_##TO(int64_t value) { return tni_##name##_from_float((float)value); }                      \
    TNI_INLINE tn_##name tni_u64_to_##TO(uint64_t value) { return tni_##name##_from_float((float)value); }                     \
    TNI_INLINE tn_##name tni_f32_to_##TO(float value) { return tni_##name##_from_float(value); }                               \
    TNI_INLINE tn_##name tni_f64_to_##TO(double value) { return tni_##name##_from_double(value); }                             \
    TNI_INLINE tn_##name tni_c64_to_##TO(tn_complex64 value) { return tni_##name##_from_float(value.real); }                   \
    TNI_INLINE tn_##name tni_c128_to_##TO(tn_complex128 value) { return tni_##name##_from_double(value.real); }

TNI_TO_SMALL_FLOAT_(FLOAT16, float16)
TNI_TO_SMALL_FLOAT_(FLOAT8_E4M3FN, float8_e4m3fn)
TNI_TO_SMALL_FLOAT_(FLOAT8_E5M2, float8_e5m2)

TNI_INLINE tn_bfloat16 tni_i32_to_BFLOAT16(int32_t value) { return tni_bfloat16_from_double((double)value); }
TNI_INLINE tn_bfloat16 tni_u32_to_BFLOAT16(uint32_t value) { return tni_bfloat16_from_double((double)value); }
TNI_INLINE tn_bfloat16 tni_i64_to_BFLOAT16(int64_t value) { return tni_bfloat16_from_i64(value); }
TNI_INLINE tn_bfloat16 tni_u64_to_BFLOAT16(uint64_t value) { return tni_bfloat16_from_u64(value); }
TNI_INLINE tn_bfloat16 tni_f32_to_BFLOAT16(float value) { return tni_bfloat16_from_float(value); }
TNI_INLINE tn_bfloat16 tni_f64_to_BFLOAT16(double value) { return tni_bfloat16_from_double(value); }
TNI_INLINE tn_bfloat16 tni_c64_to_BFLOAT16(tn_complex64 value) { return tni_bfloat16_from_float(value.real); }
TNI_INLINE tn_bfloat16 tni_c128_to_BFLOAT16(tn_complex128 value) { return tni_bfloat16_from_double(value.real); }

#define TNI_TO_COMPLEX_(TO, name, part)                                                                                        \
    TNI_INLINE tn_##name tni_i32_to_##TO(int32_t value) { return (tn_##name){(part)value, 0}; }                                \
    TNI_INLINE tn_##name tni_u32_to_##TO(uint32_t value) { return (tn_##name){(part)value, 0}; }                               \
    TNI_INLINE tn_##name tni_i64_to_##TO(int64_t value) { return (tn_##name){(part)value, 0}; }                                \
    TNI_INLINE tn_##name tni_u64_to_##TO(uint64_t value) { return (tn_##name){(part)value, 0}; }                               \
    TNI_INLINE tn_##name tni_f32_to_##TO(float value) { return (tn_##name){(part)value, 0}; }                                  \
    TNI_INLINE tn_##name tni_f64_to_##TO(double value) { return (tn_##name){(part)value, 0}; }                                 \
    TNI_INLINE tn_##name tni_c64_to_##TO(tn_complex64 value) { return (tn_##name){(part)value.real, (part)value.imag}; }       \
    TNI_INLINE tn_##name tni_c128_to_##TO(tn_complex128 value) { return (tn_##name){(part)value.real, (part)value.imag}; }

TNI_TO_COMPLEX_(COMPLEX64, complex64, float)
TNI_TO_COMPLEX_(COMPLEX128, complex128, double)

#undef TNI_TO_INTEGER_
#undef TNI_TO_C_FLOAT_
#undef TNI_TO_SMALL_FLOAT_
#undef TNI_TO_COMPLEX_

/* ---- the same as functions, for code that has only a dtype at hand ------------------------------------------------------ */

/* Turn `count` values of a carrier into elements. Neither side needs to be aligned. */
typedef void (*tni_narrow_function)(void *elements, const void *carried, size_t count);
TNI_EXTERN const tni_narrow_function tni_narrow[TNI_CARRIER_COUNT][TN_DTYPE_COUNT];

/* Turn `count` elements into values of their dtype's carrier. */
typedef void (*tni_widen_function)(void *carried, const void *elements, size_t count);
TNI_EXTERN const struct tni_widening {
    tni_widen_function widen;
    int carrier;
} tni_widen[TN_DTYPE_COUNT];

#endif
