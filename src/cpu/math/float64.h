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

/* A function that is not inlined keeps the loop that calls it scalar; the larger ones would not be inlined without this. */
#if defined(__GNUC__)
#define TN_MATH64_INLINE static inline __attribute__((always_inline))
#else
#define TN_MATH64_INLINE static inline
#endif

#endif
