/* float32.h - what float32.inc needs, included before the region of an instruction set is opened. */
#ifndef TNI_MATH_FLOAT32_H
#define TNI_MATH_FLOAT32_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Before a loop whose iterations do not depend on one another: out is in, or they do not overlap (kernels/loop.h). */
#if defined(__clang__)
#define TN_MATH_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define TN_MATH_INDEPENDENT _Pragma("GCC ivdep")
#else
#define TN_MATH_INDEPENDENT
#endif

/* A function that is one piece of code for all its callers, so that it is not specialised for each caller. */
#if defined(__clang__)
#define TN_MATH_APART __attribute__((noinline))
#elif defined(__GNUC__)
#define TN_MATH_APART __attribute__((noinline, noclone))
#else
#define TN_MATH_APART
#endif

/* libm's sqrt may set errno, which would keep every loop around it scalar. Nothing here reads errno, so the result depends only
 * on its argument. */
float sqrtf(float) __attribute__((const));
double sqrt(double) __attribute__((const));

#endif
