/* scalar_bodies.c - the scalar bodies of kernels/scalar are the kernels, whatever loop a CPU puts around them.
 *
 * Each body is compiled here by itself, with the plainest loop, even where a CPU's kernel has a loop written by hand or shares
 * another's. Everything in the kernel table must have a body and give the same bits.
 *
 * Tests: src/kernels/loop.c */
#include "test.h"
#include "kernels_activation_all.h"
#include "kernels_arithmetic_all.h"
#include "kernels_compare_all.h"
#include "kernels_complex_all.h"
#include "kernels_logic_all.h"
#include "kernels_math_all.h"
#include "kernels_select_all.h"
#include "kernels_shared_all.h"
#include "kernels_special_all.h"

#include <complex.h>
#undef complex
#undef I
#include <math.h>

#include "cpu/levels.h"
#include "cpu/math/float32.h"
#include "cpu/math/float64.h"
#include "kernels/scalar/special_functions.h"

static tni_kernel_table bodies;                                    /* only `pointwise` is used */
static bool is_mathematics[TNI_KERNEL_PLACES + 1][TN_DTYPE_COUNT]; /* levels may differ by their errors */

/* Every body of a list has a loop of its own here, and enters it. */
#define SCALAR_MAKE(name, arity)                                                                                               \
    TN_LOOP(name) { TNI_EACH(arity)(data, count, parameters, TNI_SCALAR(name)); }

#define TN_FMA 0
#include "cpu/isa/baseline.inc"

#define TNI_FAMILY tested
#include "cpu/dtype/bool.inc"
#include "scalar_bodies_real.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/uint8.inc"
#include "scalar_bodies_real.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/uint16.inc"
#include "scalar_bodies_real.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/uint32.inc"
#include "scalar_bodies_real.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/uint64.inc"
#include "scalar_bodies_real.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/int8.inc"
#include "scalar_bodies_real.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/int16.inc"
#include "scalar_bodies_real.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/int32.inc"
#include "scalar_bodies_real.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/int64.inc"
#include "scalar_bodies_real.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/float32.inc"
#define TN_COMPLEX tn_complex64
#include "scalar_bodies_real.inc"
#undef TN_COMPLEX
#include "cpu/dtype/end.inc"
#include "cpu/dtype/float64.inc"
#define TN_COMPLEX tn_complex128
#include "scalar_bodies_real.inc"
#undef TN_COMPLEX
#include "cpu/dtype/end.inc"

#define TN_T uint16_t
#define TN_WORD FLOAT16
#define TN_INFINITY 0x7c00
#include "scalar_bodies_small.inc"
#undef TN_INFINITY
#undef TN_WORD
#define TN_WORD BFLOAT16
#define TN_INFINITY 0x7f80
#include "scalar_bodies_small.inc"
#undef TN_INFINITY
#undef TN_WORD
#undef TN_T

#define TN_T uint8_t
#define TN_WORD FLOAT8_E4M3FN
#include "scalar_bodies_bytes.inc"
#undef TN_WORD
#define TN_WORD FLOAT8_E5M2
#include "scalar_bodies_bytes.inc"
#undef TN_WORD
#undef TN_T

#include "kernels/scalar/complex_functions.inc"
#include "cpu/dtype/complex64.inc"
#define TNI_COMPLEX_DIVIDE complex_divide_usual
#define TNI_COMPLEX_SIZE complex_size_of_floats
#define TNI_COMPLEX_WIDE double
#define TNI_COMPLEX_WIDE_C(name) name
#include "scalar_bodies_complex.inc"
#undef TNI_COMPLEX_DIVIDE
#undef TNI_COMPLEX_SIZE
#undef TNI_COMPLEX_WIDE
#undef TNI_COMPLEX_WIDE_C
#include "cpu/dtype/end.inc"
#include "cpu/dtype/complex128.inc"
#define TNI_COMPLEX_DIVIDE complex_divide
#define TNI_COMPLEX_SIZE hypot
#define TNI_COMPLEX_WIDE long double
#define TNI_COMPLEX_WIDE_C(name) name##l
#include "scalar_bodies_complex.inc"
#undef TNI_COMPLEX_DIVIDE
#undef TNI_COMPLEX_SIZE
#undef TNI_COMPLEX_WIDE
#undef TNI_COMPLEX_WIDE_C
#include "cpu/dtype/end.inc"
#undef TNI_FAMILY

#define TNI_FAMILY tested_math
#include "cpu/dtype/float32.inc"
#define TN_MATH(name) TNI_SCALAR(name)
#include "cpu/math/float32.inc"
#undef TN_MATH
#include "scalar_bodies_math.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/float64.inc"
#define TN_MATH64(name) TNI_SCALAR(name)
#include "cpu/math/float64.inc"
#undef TN_MATH64
#include "scalar_bodies_math.inc"
#include "cpu/dtype/end.inc"
#undef TNI_FAMILY

#define TNI_FAMILY tested_special
#include "cpu/dtype/float32.inc"
#include "scalar_bodies_special.inc"
#include "cpu/dtype/end.inc"
#include "cpu/dtype/float64.inc"
#include "scalar_bodies_special.inc"
#include "cpu/dtype/end.inc"
#undef TNI_FAMILY

/* A condition of bytes, and elements of which only the size matters. */
#define TNI_FAMILY tested_select
#define TN_T uint8_t
#define TN_WORD 1
#include "scalar_bodies_select.inc"
#undef TN_T
#undef TN_WORD
#define TN_T uint16_t
#define TN_WORD 2
#include "scalar_bodies_select.inc"
#undef TN_T
#undef TN_WORD
#define TN_T uint32_t
#define TN_WORD 4
#include "scalar_bodies_select.inc"
#undef TN_T
#undef TN_WORD
#define TN_T uint64_t
#define TN_WORD 8
#include "scalar_bodies_select.inc"
#undef TN_T
#undef TN_WORD
#undef TNI_FAMILY
#include "cpu/isa/end.inc"

/* Elements of 16 bytes are two of 8. */
static void where_16(void *const *data, int64_t count, const tni_parameters *parameters) {
    (void)parameters;
    for (int64_t i = 0; i < 2 * count; i++)
        ((uint64_t *)data[0])[i] = tested_select_where_8_baseline(
            ((const uint8_t *)data[1])[i / 2], ((const uint64_t *)data[2])[i], ((const uint64_t *)data[3])[i]);
}

static void enter_bodies(void) {
    tested_enter_BOOL_baseline(&bodies);
    tested_enter_UINT8_baseline(&bodies);
    tested_enter_UINT16_baseline(&bodies);
    tested_enter_UINT32_baseline(&bodies);
    tested_enter_UINT64_baseline(&bodies);
    tested_enter_INT8_baseline(&bodies);
    tested_enter_INT16_baseline(&bodies);
    tested_enter_INT32_baseline(&bodies);
    tested_enter_INT64_baseline(&bodies);
    tested_enter_FLOAT8_E4M3FN_baseline(&bodies);
    tested_enter_FLOAT8_E5M2_baseline(&bodies);
    tested_enter_FLOAT16_baseline(&bodies);
    tested_enter_BFLOAT16_baseline(&bodies);
    tested_enter_FLOAT32_baseline(&bodies);
    tested_enter_FLOAT64_baseline(&bodies);
    tested_enter_COMPLEX64_baseline(&bodies);
    tested_enter_COMPLEX128_baseline(&bodies);
    tested_math_enter_FLOAT32_baseline(&bodies);
    tested_math_enter_FLOAT64_baseline(&bodies);
    tested_special_enter_FLOAT32_baseline(&bodies);
    tested_special_enter_FLOAT64_baseline(&bodies);
    static const tni_loop where_of_size[TNI_ELEMENT_SIZES] = {where_1_baseline, where_2_baseline, where_4_baseline,
                                                              where_8_baseline, where_16};
    for (int dtype = TN_DTYPE_DEFAULT + 1; dtype < TN_DTYPE_COUNT; dtype++)
        bodies.pointwise[TNI_KERNEL_where * TN_DTYPE_COUNT + dtype] =
            where_of_size[tni_element_index(tni_dtype_size((tn_dtype)dtype))];
}

/* ---- the comparison */

enum { SCALAR_COUNT = 331, SCALAR_BYTES = SCALAR_COUNT * 16 };

typedef struct scalar_arrays {
    _Alignas(64) unsigned char bytes[4][SCALAR_BYTES];
} scalar_arrays;

static uint64_t scalar_drawn(uint64_t *state) {
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return *state >> 11;
}

/* An element of a dtype: any pattern, or an ordinary number. There is only one NaN, so it does not matter which of two is
 * given. */
static void scalar_element(void *to, tn_dtype dtype, uint64_t *state, bool ordinary) {
    size_t size = tni_dtype_size(dtype);
    double number = ((double)(scalar_drawn(state) % 4001) - 2000) / 256;
    uint64_t pattern = scalar_drawn(state) ^ scalar_drawn(state) << 32;
    if (tn_dtype_is_complex(dtype)) {
        tn_dtype part = dtype == TN_COMPLEX64 ? TN_FLOAT32 : TN_FLOAT64;
        scalar_element(to, part, state, ordinary);
        scalar_element((char *)to + size / 2, part, state, ordinary);
    } else if (dtype == TN_BOOL)
        *(uint8_t *)to = (uint8_t)(pattern & 1 ? pattern >> 8 : 0); /* any byte but 0 is true */
    else if (ordinary || pattern % 13 == 0) {
        static const double special[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 3};
        bool whole = tn_dtype_is_integral(dtype);
        double value = pattern % 13 == 0 && !whole ? special[pattern / 13 % 8] : number;
        tn_dtype_store(dtype, to,
                       whole ? tn_scalar_int((int64_t)(tn_dtype_is_signed(dtype) ? value : fabs(value)))
                             : tn_scalar_float(value));
    } else
        memcpy(to, &pattern, size);
    if (dtype == TN_FLOAT32 && isnan(*(float *)to))
        *(float *)to = NAN;
    if (dtype == TN_FLOAT64 && isnan(*(double *)to))
        *(double *)to = (double)NAN;
}

static void scalar_fill(scalar_arrays *arrays, tn_dtype dtype, int kernel, bool ordinary) {
    uint64_t state = 88172645463325252u + (uint64_t)kernel * 16 + (uint64_t)dtype;
    size_t size = tni_dtype_size(dtype);
    memset(arrays, 0, sizeof *arrays);
    for (int a = 0; a < 4; a++)
        for (int64_t i = 0; i < SCALAR_COUNT; i++) {
            unsigned char *element = arrays->bytes[a] + (size_t)i * size;
            scalar_element(element, dtype, &state, ordinary);
            if (a == 2 && tn_dtype_is_integral(dtype)) /* divisors */
                element[0] |= 1;
        }
}

static void scalar_run(tni_loop loop, scalar_arrays *arrays, const tni_parameters *parameters) {
    loop((void *[]){arrays->bytes[0], arrays->bytes[1], arrays->bytes[2], arrays->bytes[3]}, SCALAR_COUNT, parameters);
}

/* Whether two elements agree, of which `byte` is one byte. Inside a mathematical function NaNs of different signs meet, and
 * which of the two an addition gives is the compiler's choice: there one NaN is as good as another. */
static bool scalar_same(const unsigned char *a, const unsigned char *b, int64_t byte, int kernel, tn_dtype dtype) {
    if (a[byte] == b[byte])
        return true;
    size_t element = (size_t)byte - (size_t)byte % tni_dtype_size(dtype);
    return is_mathematics[kernel][dtype] && isnan(tn_dtype_load(dtype, a + element).value.d) &&
           isnan(tn_dtype_load(dtype, b + element).value.d);
}

static void scalar_compare(int kernel, tn_dtype dtype, int level, tni_loop loop, tni_loop body) {
    static scalar_arrays drawn, by_loop, by_body;
    static const double numbers[][TNI_PARAMETERS] = {{2, 1, 1, 3}, {0.25, 3, 0, 1}, {1, 0.5, 1, 2}, {6, 0, 7, 0}};
    for (int round = 0; round < 8; round++) {
        tni_parameters parameters = {0};
        for (int i = 0; i < TNI_PARAMETERS; i++)
            tni_parameters_set(&parameters, i, tn_scalar_float(numbers[round / 2][i]));
        if (round == 7 && tn_dtype_is_complex(dtype))
            tni_parameters_set(&parameters, 0, tn_scalar_complex(2, -0.5));
        scalar_fill(&drawn, dtype, kernel, round % 2);
        by_loop = by_body = drawn;
        scalar_run(loop, &by_loop, &parameters);
        scalar_run(body, &by_body, &parameters);
        for (int a = 0; a < 4; a++)
            for (int64_t i = 0; i < SCALAR_BYTES; i++)
                if (!scalar_same(by_loop.bytes[a], by_body.bytes[a], i, kernel, dtype)) {
                    test_fail(__FILE__, __LINE__,
                              "kernel %d of %s at level %d, round %d: byte %lld of array %d is %d, of the body %d", kernel,
                              tn_dtype_name(dtype), level, round, (long long)i, a, by_loop.bytes[a][i], by_body.bytes[a][i]);
                    return;
                }
    }
}

static void scalar_level_again(void *level) { tn_set_cpu_level(*(tn_cpu_level *)level); }

TEST_SAMPLED(every_kernel_has_a_scalar_body_that_gives_its_bits) {
    static tn_cpu_level before;
    before = tn_cpu_level_in_use();
    TEST_DEFER(scalar_level_again, &before);
    enter_bodies();
    int compared = 0;
    for (int level = 0; level <= (int)tn_cpu_level_detected(); level++) {
        tn_set_cpu_level((tn_cpu_level)level);
        for (int kernel = 0; kernel <= TNI_KERNEL_PLACES; kernel++)
            for (int dtype = 0; dtype < TN_DTYPE_COUNT; dtype++) {
                tni_loop loop = tni_kernels()->pointwise[kernel * TN_DTYPE_COUNT + dtype];
                tni_loop body = bodies.pointwise[kernel * TN_DTYPE_COUNT + dtype];
                if (!loop != !body)
                    test_fail(__FILE__, __LINE__, "kernel %d of %s has %s", kernel, tn_dtype_name((tn_dtype)dtype),
                              loop ? "no body" : "a body and no loop");
                else if (loop && (level == 0 || !is_mathematics[kernel][dtype])) {
                    scalar_compare(kernel, (tn_dtype)dtype, level, loop, body);
                    compared++;
                }
            }
    }
    CHECK(compared > 1000);
}
