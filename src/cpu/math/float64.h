/* float64.h - what float64.inc needs, included before the region of an instruction set is opened. */
#ifndef TNI_MATH_FLOAT64_H
#define TNI_MATH_FLOAT64_H

#include <stdbool.h>
#include <stddef.h>

#include "cpu/math/float32.h"

/* The exact sum of two doubles, the tail much smaller than the head. */
typedef struct tni_pair64 {
    double head, tail;
} tni_pair64;

/* A function that is not inlined keeps the loop that calls it scalar; the larger ones would not be inlined without this. Where a
 * region is compiled to be small (TNI_LEVEL_SPARE), its loops are scalar anyway, and each function stands there once. */
#if defined(__GNUC__)
#define TNI_MATH64_VECTOR static inline __attribute__((always_inline))
#else
#define TNI_MATH64_VECTOR static inline
#endif
#if defined(__GNUC__) && !defined(__clang__) && TNI_X86
#define TNI_MATH64_SPARE static inline
#else
#define TNI_MATH64_SPARE TNI_MATH64_VECTOR
#endif

#endif
