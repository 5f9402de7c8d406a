/* small_floats.h - float16, bfloat16 and the two float8 formats, to and from float and double, as inline bit arithmetic.
 *
 * Kernels include these functions in their loops, so they hold no branch, no table and no call: every case is computed and
 * selected, which compilers turn into vector code for any instruction set. Three of the formats differ only in a few numbers
 * (tni_small_format), so one algorithm serves them; bfloat16 is the upper half of a float and needs less.
 *
 * Invariant: widening is exact; narrowing rounds once, to nearest, ties to even, from double too. A NaN stays a NaN with its
 * sign and leading payload bits, and becomes quiet. Too large values become infinity, or 448 in float8_e4m3fn, which has no
 * infinity. The floating-point environment is the default one (round to nearest).
 *
 * Every float operation here is done whatever the input, and only its operands are selected: a compiler that keeps the
 * floating-point exceptions in order may not turn `condition ? a + b : c` back into vector code.
 */
#ifndef TNI_SMALL_FLOATS_H
#define TNI_SMALL_FLOATS_H

#include <math.h>

#include <tenon/dtype.h>

#include "base/common.h"

/* always_inline: a call from a kernel compiled for another instruction set or optimisation level must not stay a call. */
#if defined(__GNUC__)
#define TNI_INLINE static inline __attribute__((always_inline))
#else
#define TNI_INLINE static inline
#endif

TNI_INLINE uint32_t tni_float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

TNI_INLINE float tni_float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A double cut to a float toward zero whose last bit is set when anything was cut off ("round to odd"). Rounding that float to
 * a format at least two bits narrower gives what rounding the double itself would. */
TNI_INLINE float tni_float_to_odd(double value) {
    float nearest = (float)value;
    uint32_t bits = tni_float_bits(nearest);
    bits -= fabs((double)nearest) > fabs(value);
    bits |= (double)nearest != value;
    return tni_float_of_bits(bits);
}

typedef struct tni_small_format {
    uint32_t fraction; /* stored significand bits                               */
    uint32_t bias;     /* of the exponent                                       */
    uint32_t width;    /* bits in all                                           */
    uint32_t overflow; /* the magnitude that stands for everything larger       */
    uint32_t special;  /* the least magnitude that is not a finite number       */
    uint32_t quiet;    /* the bits that make `overflow` a NaN                   */
} tni_small_format;

#define TNI_FORMAT_FLOAT16 ((tni_small_format){10, 15, 16, 0x7c00, 0x7c00, 0x0200})
#define TNI_FORMAT_FLOAT8_E5M2 ((tni_small_format){2, 15, 8, 0x7c, 0x7c, 0x02})
#define TNI_FORMAT_FLOAT8_E4M3FN ((tni_small_format){3, 7, 8, 0x7e, 0x7f, 0x01})

/* The fields move to their places in a float. A subnormal has no hidden one: it is given one, and the subtraction, of zero for
 * all others, takes it away again. */
TNI_INLINE float tni_small_to_float(uint32_t small, tni_small_format format) {
    const uint32_t least_normal = (128 - format.bias) << 23;
    uint32_t magnitude = small & ((1u << (format.width - 1)) - 1);
    uint32_t if_subnormal = 0u - (magnitude < (1u << format.fraction)); /* all ones, or 0 */
    uint32_t if_special = 0u - (magnitude >= format.special);
    uint32_t shifted = magnitude << (23 - format.fraction);
    uint32_t if_nan = if_special & (0u - ((shifted & 0x007fffff) != 0));
    uint32_t with_one = shifted + ((127 - format.bias) << 23) + (if_subnormal & 1u << 23);
    uint32_t bits = tni_float_bits(tni_float_of_bits(with_one) - tni_float_of_bits(if_subnormal & least_normal));
    bits |= (if_special & 0x7f800000) | (if_nan & 0x00400000);
    return tni_float_of_bits(bits | (small >> (format.width - 1)) << 31);
}

/* Adding the power of two whose last place is what one step of the format is worth at this number makes the adder round there;
 * the excess over that power then counts steps. Numbers from 2^25 up, and NaN, are all the same overflow to the adder. */
TNI_INLINE uint32_t tni_small_from_float(float value, tni_small_format format) {
    const uint32_t shift = 23 - format.fraction;
    const uint32_t least_normal = (128 - format.bias) << 23;
    const uint32_t enough = (127 + 25) << 23;
    uint32_t bits = tni_float_bits(value);
    uint32_t magnitude = bits & 0x7fffffff;
    uint32_t bounded = magnitude < enough ? magnitude : enough;
    uint32_t exponent = bounded & 0x7f800000;
    exponent = exponent > least_normal ? exponent : least_normal;
    uint32_t rounder = exponent + (shift << 23);
    uint32_t steps = tni_float_bits(tni_float_of_bits(bounded) + tni_float_of_bits(rounder)) - rounder;
    uint32_t small = steps + ((exponent - least_normal) >> shift);
    small = small < format.overflow ? small : format.overflow;
    uint32_t nan = format.quiet | ((magnitude >> shift) & ((1u << format.fraction) - 1));
    small |= magnitude > 0x7f800000 ? nan : 0;
    return small | (bits >> 31) << (format.width - 1);
}

TNI_INLINE float tni_float16_to_float(tn_float16 value) { return tni_small_to_float(value.bits, TNI_FORMAT_FLOAT16); }
TNI_INLINE tn_float16 tni_float16_from_float(float value) {
    return (tn_float16){(uint16_t)tni_small_from_float(value, TNI_FORMAT_FLOAT16)};
}
TNI_INLINE tn_float16 tni_float16_from_double(double value) { return tni_float16_from_float(tni_float_to_odd(value)); }

TNI_INLINE float tni_float8_e5m2_to_float(tn_float8_e5m2 value) {
    return tni_small_to_float(value.bits, TNI_FORMAT_FLOAT8_E5M2);
}
TNI_INLINE tn_float8_e5m2 tni_float8_e5m2_from_float(float value) {
    return (tn_float8_e5m2){(uint8_t)tni_small_from_float(value, TNI_FORMAT_FLOAT8_E5M2)};
}
TNI_INLINE tn_float8_e5m2 tni_float8_e5m2_from_double(double value) {
    return tni_float8_e5m2_from_float(tni_float_to_odd(value));
}

TNI_INLINE float tni_float8_e4m3fn_to_float(tn_float8_e4m3fn value) {
    return tni_small_to_float(value.bits, TNI_FORMAT_FLOAT8_E4M3FN);
}
TNI_INLINE tn_float8_e4m3fn tni_float8_e4m3fn_from_float(float value) {
    return (tn_float8_e4m3fn){(uint8_t)tni_small_from_float(value, TNI_FORMAT_FLOAT8_E4M3FN)};
}
TNI_INLINE tn_float8_e4m3fn tni_float8_e4m3fn_from_double(double value) {
    return tni_float8_e4m3fn_from_float(tni_float_to_odd(value));
}

TNI_INLINE float tni_bfloat16_to_float(tn_bfloat16 value) { return tni_float_of_bits((uint32_t)value.bits << 16); }
TNI_INLINE tn_bfloat16 tni_bfloat16_from_float(float value) {
    uint32_t bits = tni_float_bits(value);
    uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    uint32_t nan = (bits >> 16) | 0x0040;
    return (tn_bfloat16){(uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? nan : rounded)};
}
TNI_INLINE tn_bfloat16 tni_bfloat16_from_double(double value) { return tni_bfloat16_from_float(tni_float_to_odd(value)); }

#endif
