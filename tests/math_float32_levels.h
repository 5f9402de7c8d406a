/* math_float32_levels.h - the float32 mathematics of src/cpu/math as loops over arrays, a table for every instruction set.
 *
 * For tests/math_float32.c and tools/accuracy/float32.c. The loops are as plain as those of the kernels, so the tests run the
 * vector code that users get.
 */
#ifndef MATH_FLOAT32_LEVELS_H
#define MATH_FLOAT32_LEVELS_H

#include "cpu/math/float32.h"

typedef struct math_float32_function {
    const char *name;
    void (*loop_1)(float *out, const float *in, int64_t count); /* this or the next */
    void (*loop_2)(float *out, const float *x, const float *y, int64_t count);
} math_float32_function;

#define MATH_FLOAT32_NAME(name) MATH_FLOAT32_NAME_2(name, TN_ISA)
#define MATH_FLOAT32_NAME_2(name, isa) MATH_FLOAT32_NAME_3(name, isa)
#define MATH_FLOAT32_NAME_3(name, isa) tested_f32_##name##_##isa
#define TN_MATH(name) MATH_FLOAT32_NAME(name)
#define MATH_FLOAT32_LOOPS "math_float32_loops.inc"

#include "cpu/isa/baseline.inc"
#define TN_FMA 0
#include MATH_FLOAT32_LOOPS
#undef TN_FMA
#include "cpu/isa/end.inc"

#if defined(__x86_64__) && defined(__GNUC__)
#include "cpu/isa/avx2.inc"
#define TN_FMA 1
#include MATH_FLOAT32_LOOPS
#undef TN_FMA
#include "cpu/isa/end.inc"

#include "cpu/isa/avx512.inc"
#define TN_FMA 1
#include MATH_FLOAT32_LOOPS
#undef TN_FMA
#include "cpu/isa/end.inc"
#endif
#undef TN_MATH
#undef MATH_FLOAT32_LOOPS

/* By tn_cpu_level; a list ends with a NULL name. */
static const math_float32_function *const math_float32_of_level[] = {
    tested_f32_functions_baseline,
#if defined(__x86_64__) && defined(__GNUC__)
    tested_f32_functions_avx2,
    tested_f32_functions_avx512,
#endif
};

enum { MATH_FLOAT32_LEVELS = sizeof math_float32_of_level / sizeof *math_float32_of_level };

#endif
