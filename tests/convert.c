/* convert.c - every conversion against a naive model that knows nothing of bit tricks: numbers are long doubles, formats
 * are four numbers, and rounding is ldexp and rint. (long double holds every int64, uint64 and double exactly.)
 *
 * Tests: src/tensor/small_floats.c */
#include "test.h"

typedef struct naive_format {
    int digits, least_exponent, fields; /* significand bits, exponent of the least normal, bits of the exponent field */
    double largest;
    bool saturates;
} naive_format;

static const naive_format formats[TN_DTYPE_COUNT] = {
    [TN_FLOAT16] = {11, -14, 5, 65504, false},           [TN_BFLOAT16] = {8, -126, 8, 0x1.fep127, false},
    [TN_FLOAT8_E4M3FN] = {4, -6, 4, 448, true},          [TN_FLOAT8_E5M2] = {3, -14, 5, 57344, false},
    [TN_FLOAT32] = {24, -126, 8, 0x1.fffffep127, false}, [TN_FLOAT64] = {53, -1022, 11, 0x1.fffffffffffffp1023, false},
};
static const tn_dtype small_floats[] = {TN_FLOAT16, TN_BFLOAT16, TN_FLOAT8_E4M3FN, TN_FLOAT8_E5M2};

typedef struct naive_value {
    long double real, imag;
} naive_value;

/* The meaning of a small float's bits, straight from the format's definition. */
static double naive_decode(tn_dtype dtype, uint32_t bits) {
    naive_format format = formats[dtype];
    int fraction_bits = format.digits - 1;
    uint32_t fraction = bits & ((1u << fraction_bits) - 1);
    int field = (int)(bits >> fraction_bits) & ((1 << format.fields) - 1);
    double sign = bits >> (fraction_bits + format.fields) & 1 ? -1.0 : 1.0;
    if (field == (1 << format.fields) - 1) {
        if (dtype == TN_FLOAT8_E4M3FN ? fraction == 7 : fraction != 0)
            return copysign(NAN, sign);
        if (dtype != TN_FLOAT8_E4M3FN)
            return sign * INFINITY;
    }
    if (field == 0)
        return sign * ldexp(fraction, format.least_exponent - fraction_bits);
    return sign * ldexp((double)(fraction | 1u << fraction_bits), format.least_exponent + field - 1 - fraction_bits);
}

static long double naive_round(naive_format format, long double value) {
    if (isnan(value) || value == 0)
        return value;
    if (isinf(value))
        return format.saturates ? copysignl(format.largest, value) : value;
    int exponent = ilogbl(value);
    if (exponent < format.least_exponent)
        exponent = format.least_exponent;
    int steps = format.digits - 1 - exponent;
    long double rounded = ldexpl(rintl(ldexpl(value, steps)), -steps);
    if (fabsl(rounded) > (long double)format.largest)
        return format.saturates ? copysignl(format.largest, value) : copysignl(INFINITY, value);
    return rounded;
}

static bool same_number(long double a, long double b) {
    return (isnan(a) && isnan(b)) || (a == b && (a != 0 || !signbit(a) == !signbit(b)));
}

static uint32_t small_bits(const void *element, size_t size) {
    uint16_t wide = 0;
    memcpy(&wide, element, size);
    return wide;
}

static naive_value naive_load(tn_dtype dtype, const void *element) {
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        float f[2];
        double d[2];
    } raw;
    memcpy(&raw, element, tn_dtype_size(dtype));
    switch (dtype) {
    case TN_BOOL:
    case TN_UINT8: return (naive_value){raw.u8, 0};
    case TN_UINT16: return (naive_value){raw.u16, 0};
    case TN_UINT32: return (naive_value){raw.u32, 0};
    case TN_UINT64: return (naive_value){raw.u64, 0};
    case TN_INT8: return (naive_value){raw.i8, 0};
    case TN_INT16: return (naive_value){raw.i16, 0};
    case TN_INT32: return (naive_value){raw.i32, 0};
    case TN_INT64: return (naive_value){raw.i64, 0};
    case TN_FLOAT32: return (naive_value){raw.f[0], 0};
    case TN_FLOAT64: return (naive_value){raw.d[0], 0};
    case TN_COMPLEX64: return (naive_value){raw.f[0], raw.f[1]};
    case TN_COMPLEX128: return (naive_value){raw.d[0], raw.d[1]};
    default: return (naive_value){naive_decode(dtype, small_bits(element, tn_dtype_size(dtype))), 0};
    }
}

/* docs/dtypes.md in code: truncate, the least int32 or int64 for what does not fit (uint64 has its own rule), then wrap. */
static long double naive_integer(tn_dtype to, tn_dtype from, long double value) {
    uint64_t wrapped;
    bool narrow = to != TN_UINT32 && to != TN_UINT64 && to != TN_INT64;
    long double limit = narrow && !tn_dtype_is_integral(from) ? 0x1p31L : 0x1p63L;
    long double whole = truncl(value);
    if (to == TN_UINT64 && whole >= 0x1p64L)
        wrapped = 0;
    else if ((to == TN_UINT64 || from == TN_UINT64) && whole >= 0x1p63L)
        wrapped = (uint64_t)whole;
    else if (whole >= -limit && whole < limit)
        wrapped = (uint64_t)(int64_t)whole;
    else
        wrapped = narrow ? (uint64_t)INT32_MIN : (uint64_t)INT64_MIN;
    switch (to) {
    case TN_UINT8: return (uint8_t)wrapped;
    case TN_UINT16: return (uint16_t)wrapped;
    case TN_UINT32: return (uint32_t)wrapped;
    case TN_UINT64: return wrapped;
    case TN_INT8: return (int8_t)(uint8_t)wrapped;
    case TN_INT16: return (int16_t)(uint16_t)wrapped;
    case TN_INT32: return (int32_t)(uint32_t)wrapped;
    default: return (int64_t)wrapped;
    }
}

static naive_value naive_convert(tn_dtype to, tn_dtype from, naive_value value) {
    if (to == TN_BOOL)
        return (naive_value){value.real != 0 || value.imag != 0, 0};
    if (tn_dtype_is_integral(to))
        return (naive_value){naive_integer(to, from, value.real), 0};
    naive_format format = formats[tn_dtype_to_real(to)];
    return (naive_value){naive_round(format, value.real), tn_dtype_is_complex(to) ? naive_round(format, value.imag) : 0};
}

/* Converts `count` elements to every dtype, from and to unaligned memory, and checks each against the model. */
static void check_conversions(tn_dtype from, const void *elements, size_t count) {
    uint8_t *source = malloc(count * 16 + 1), *target = malloc(count * 16 + 2);
    TEST_DEFER(free, source);
    TEST_DEFER(free, target);
    CHECK(source && target);
    size_t from_size = tn_dtype_size(from);
    memcpy(source + 1, elements, count * from_size);
    for (tn_dtype to = TN_BOOL; to < TN_DTYPE_COUNT; to++) {
        size_t size = tn_dtype_size(to);
        target[0] = target[1 + count * size] = 0x5a;
        CHECK_INT(tn_dtype_convert(to, target + 1, from, source + 1, count), TN_OK);
        CHECK(target[0] == 0x5a && target[1 + count * size] == 0x5a);
        for (size_t i = 0; i < count; i++) {
            naive_value value = naive_load(from, source + 1 + i * from_size);
            naive_value expected = naive_convert(to, from, value), actual = naive_load(to, target + 1 + i * size);
            if (!same_number(actual.real, expected.real) || !same_number(actual.imag, expected.imag))
                test_fail(__FILE__, __LINE__, "%s %.21Lg + %.21Lgi to %s is %.21Lg + %.21Lgi, not %.21Lg + %.21Lgi",
                          tn_dtype_name(from), value.real, value.imag, tn_dtype_name(to), actual.real, actual.imag,
                          expected.real, expected.imag);
            tn_dtype_store(to, target + 1 + i * size, tn_dtype_load(from, source + 1 + i * from_size));
            naive_value stored = naive_load(to, target + 1 + i * size);
            if (!same_number(stored.real, actual.real) || !same_number(stored.imag, actual.imag))
                test_fail(__FILE__, __LINE__, "storing %s %.21Lg as %s gives %.21Lg, converting it %.21Lg", tn_dtype_name(from),
                          value.real, tn_dtype_name(to), stored.real, actual.real);
        }
    }
}

TEST_SAMPLED(every_8_bit_element_converts_to_every_dtype) {
    uint8_t all[256];
    for (unsigned i = 0; i < 256; i++)
        all[i] = (uint8_t)i;
    const uint8_t booleans[] = {0, 1};
    check_conversions(TN_BOOL, booleans, 2);
    const tn_dtype dtypes[] = {TN_UINT8, TN_INT8, TN_FLOAT8_E4M3FN, TN_FLOAT8_E5M2};
    for (size_t i = 0; i < 4; i++)
        check_conversions(dtypes[i], all, 256);
}

static uint16_t all_16_bits[65536];

TEST_SAMPLED(every_16_bit_element_converts_to_every_dtype) {
    for (unsigned i = 0; i < 65536; i++)
        all_16_bits[i] = (uint16_t)i;
    const tn_dtype dtypes[] = {TN_UINT16, TN_INT16, TN_FLOAT16, TN_BFLOAT16};
    for (size_t i = 0; i < 4; i++)
        check_conversions(dtypes[i], all_16_bits, 65536);
}

/* Numbers where something changes: around every power of two, small-float midpoints, limits, and random patterns. */
enum { EDGES = 6000 };
static struct edges {
    uint32_t u32[EDGES];
    uint64_t u64[EDGES];
    float f32[EDGES];
    double f64[EDGES];
    tn_complex64 c64[EDGES];
    tn_complex128 c128[EDGES];
} edges;

static void make_edges(void) {
    const double special[] = {0.0, -0.0, NAN, -NAN, INFINITY, -INFINITY, 0.5, -0.5, -0.99, 255.5, -1.5, 0x1.fffffffffffffp63};
    const double nudges[] = {0, 0x1p-52, -0x1p-53, 0x1p-9, 0x1p-9 + 0x1p-52, 0x1p-9 - 0x1p-52, 0x1p-8, 0x1.8p-8, 0x1p-25};
    for (int i = 0; i < EDGES; i++) {
        uint64_t random = test_random();
        unsigned power = (unsigned)i % 64;
        edges.u64[i] = i % 3 ? random >> power : (UINT64_C(1) << power) + (uint64_t)(i / 192) - 10;
        if (i % 3 == 1 && power >= 10) /* bfloat16 has 8 digits: one away from the middle between two of them */
            edges.u64[i] = (((random & 0xfe) | 0x101) << (power - 9)) + random % 3 - 1;
        if (i % 5 == 0)
            edges.u64[i] = 0 - edges.u64[i];
        edges.u32[i] = i % 2 ? (uint32_t)edges.u64[i] : (uint32_t)(random >> 32);
        double number = ldexp(1 + nudges[i % 9], i % 160 - 60) * (i % 7 ? 1 : -1);
        if (i % 11 == 0)
            memcpy(&number, &random, sizeof number);
        if (i < 12)
            number = special[i];
        edges.f64[i] = number;
        edges.f32[i] = (float)number;
        edges.c64[i] = (tn_complex64){edges.f32[i], i % 4 ? edges.f32[(i * 7 + 5) % (i + 1)] : 0};
        edges.c128[i] = (tn_complex128){number, i % 4 ? edges.f64[(i * 7 + 5) % (i + 1)] : 0};
    }
}

TEST_SAMPLED(every_pair_of_dtypes_agrees_with_the_naive_model_on_edge_values) {
    make_edges();
    check_conversions(TN_UINT32, edges.u32, EDGES);
    check_conversions(TN_INT32, edges.u32, EDGES);
    check_conversions(TN_UINT64, edges.u64, EDGES);
    check_conversions(TN_INT64, edges.u64, EDGES);
    check_conversions(TN_FLOAT32, edges.f32, EDGES);
    check_conversions(TN_FLOAT64, edges.f64, EDGES);
    check_conversions(TN_COMPLEX64, edges.c64, EDGES);
    check_conversions(TN_COMPLEX128, edges.c128, EDGES);
}

TEST(what_does_not_fit_an_integer_is_what_the_documentation_says) {
    const double source[] = {NAN, INFINITY, -INFINITY, 3e9, -3e9, 1e19, 300.7, -1.5};
    static const struct expected {
        tn_dtype dtype;
        int64_t values[8];
    } expected[] = {
        {TN_UINT8, {0, 0, 0, 0, 0, 0, 44, 255}},
        {TN_INT8, {0, 0, 0, 0, 0, 0, 44, -1}},
        {TN_UINT16, {0, 0, 0, 0, 0, 0, 300, 65535}},
        {TN_INT32, {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, 300, -1}},
        {TN_UINT32, {0, 0, 0, 3000000000, 1294967296, 0, 300, 4294967295}},
        {TN_INT64, {INT64_MIN, INT64_MIN, INT64_MIN, 3000000000, -3000000000, INT64_MIN, 300, -1}},
        {TN_UINT64, {INT64_MIN, 0, INT64_MIN, 3000000000, -3000000000, (int64_t)UINT64_C(10000000000000000000), 300, -1}},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        uint64_t out[8];
        CHECK_INT(tn_dtype_convert(expected[i].dtype, out, TN_FLOAT64, source, 8), TN_OK);
        for (size_t k = 0; k < 8; k++) {
            tn_scalar got = tn_dtype_load(expected[i].dtype, (char *)out + k * tn_dtype_size(expected[i].dtype));
            CHECK_INT(got.value.i, expected[i].values[k]);
        }
    }
}

/* ---- the small floats, one by one ------------------------------------------------------------------------------------- */

static float small_to_float(tn_dtype dtype, uint32_t bits) {
    switch (dtype) {
    case TN_FLOAT16: return tn_float16_to_float((tn_float16){(uint16_t)bits});
    case TN_BFLOAT16: return tn_bfloat16_to_float((tn_bfloat16){(uint16_t)bits});
    case TN_FLOAT8_E4M3FN: return tn_float8_e4m3fn_to_float((tn_float8_e4m3fn){(uint8_t)bits});
    default: return tn_float8_e5m2_to_float((tn_float8_e5m2){(uint8_t)bits});
    }
}

static uint32_t small_from_float(tn_dtype dtype, float value) {
    switch (dtype) {
    case TN_FLOAT16: return tn_float16_from_float(value).bits;
    case TN_BFLOAT16: return tn_bfloat16_from_float(value).bits;
    case TN_FLOAT8_E4M3FN: return tn_float8_e4m3fn_from_float(value).bits;
    default: return tn_float8_e5m2_from_float(value).bits;
    }
}

static uint32_t small_from_double(tn_dtype dtype, double value) {
    switch (dtype) {
    case TN_FLOAT16: return tn_float16_from_double(value).bits;
    case TN_BFLOAT16: return tn_bfloat16_from_double(value).bits;
    case TN_FLOAT8_E4M3FN: return tn_float8_e4m3fn_from_double(value).bits;
    default: return tn_float8_e5m2_from_double(value).bits;
    }
}

static uint32_t patterns_of(tn_dtype dtype) { return 1u << (8 * tn_dtype_size(dtype)); }

TEST_SAMPLED(every_small_float_widens_to_its_meaning_and_comes_back) {
    for (size_t f = 0; f < 4; f++) {
        tn_dtype dtype = small_floats[f];
        uint32_t quiet = 1u << (formats[dtype].digits - 2);
        for (uint32_t bits = 0; bits < patterns_of(dtype); bits++) {
            float value = small_to_float(dtype, bits);
            double meaning = naive_decode(dtype, bits);
            CHECK(same_number(value, meaning));
            CHECK(!signbit(value) == !signbit(meaning));
            uint32_t same = isnan(value) ? bits | quiet : bits;
            CHECK_INT(small_from_float(dtype, value), same);
            CHECK_INT(small_from_double(dtype, (double)value), same);
        }
    }
}

TEST_SAMPLED(halfway_between_two_small_floats_the_even_one_is_taken) {
    for (size_t f = 0; f < 4; f++) {
        tn_dtype dtype = small_floats[f];
        uint32_t sign = patterns_of(dtype) / 2;
        for (uint32_t low = 0; naive_decode(dtype, low) < formats[dtype].largest; low++) {
            double middle = (naive_decode(dtype, low) + naive_decode(dtype, low + 1)) / 2;
            uint32_t even = low % 2 ? low + 1 : low;
            CHECK(middle == (double)(float)middle);
            CHECK_INT(small_from_double(dtype, middle), even);
            CHECK_INT(small_from_double(dtype, -middle), even | sign);
            CHECK_INT(small_from_double(dtype, nextafter(middle, 0)), low);
            CHECK_INT(small_from_double(dtype, nextafter(middle, INFINITY)), low + 1);
            CHECK_INT(small_from_float(dtype, (float)middle), even);
            CHECK_INT(small_from_float(dtype, (float)-middle), even | sign);
            CHECK_INT(small_from_float(dtype, nextafterf((float)middle, 0)), low);
            CHECK_INT(small_from_float(dtype, nextafterf((float)middle, INFINITY)), low + 1);
        }
    }
}

TEST(beyond_the_largest_number_comes_infinity_or_the_largest_again) {
    CHECK_INT(small_from_float(TN_FLOAT16, 65519.996f), 0x7bff);
    CHECK_INT(small_from_float(TN_FLOAT16, 65520), 0x7c00);
    CHECK_INT(small_from_double(TN_FLOAT16, -1e300), 0xfc00);
    CHECK_INT(small_from_double(TN_BFLOAT16, nextafter(0x1.ffp127, 0)), 0x7f7f);
    CHECK_INT(small_from_double(TN_BFLOAT16, 0x1.ffp127), 0x7f80);
    CHECK_INT(small_from_float(TN_BFLOAT16, -INFINITY), 0xff80);
    CHECK_INT(small_from_float(TN_FLOAT8_E5M2, 61439), 0x7b);
    CHECK_INT(small_from_float(TN_FLOAT8_E5M2, 61440), 0x7c);
    const double large[] = {448, 464, 465, 480, 1e9, 1e300, INFINITY};
    for (size_t i = 0; i < 7; i++) {
        CHECK_INT(small_from_double(TN_FLOAT8_E4M3FN, large[i]), 0x7e);
        CHECK_INT(small_from_double(TN_FLOAT8_E4M3FN, -large[i]), 0xfe);
        CHECK_INT(small_from_float(TN_FLOAT8_E4M3FN, (float)large[i]), 0x7e);
    }
}

TEST(a_nan_keeps_its_sign_and_leading_payload_and_becomes_quiet) {
    static const struct expected {
        uint32_t bits;
        uint32_t small[4]; /* float16, bfloat16, float8_e4m3fn, float8_e5m2 */
    } expected[] = {
        {0x7fc00000, {0x7e00, 0x7fc0, 0x7f, 0x7e}}, {0x7f800001, {0x7e00, 0x7fc0, 0x7f, 0x7e}},
        {0xff802000, {0xfe01, 0xffc0, 0xff, 0xfe}}, {0x7fa00000, {0x7f00, 0x7fe0, 0x7f, 0x7f}},
        {0xffffffff, {0xffff, 0xffff, 0xff, 0xff}},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        for (size_t f = 0; f < 4; f++) {
            float value;
            memcpy(&value, &expected[i].bits, sizeof value);
            CHECK_INT(small_from_float(small_floats[f], value), expected[i].small[f]);
        }
    CHECK_INT(small_from_double(TN_FLOAT16, -NAN), 0xfe00);
    CHECK_INT(small_from_double(TN_BFLOAT16, NAN), 0x7fc0);
}

TEST_SAMPLED(random_floats_and_doubles_round_once_to_nearest_even) {
    for (int i = 0; i < 400000; i++) {
        uint64_t random = test_random();
        uint32_t low = (uint32_t)random;
        float single;
        double wide;
        memcpy(&single, &low, sizeof single);
        /* exponents from 2^-140 to 2^131, and half of the significands very close to a short one */
        uint64_t exponent = 1023 - 140 + (random >> 40) % 272;
        uint64_t fraction = i % 2 ? random >> 12 : (random >> 44 << 32) + (random % 3) - 1;
        uint64_t bits = (random & UINT64_C(1) << 63) | exponent << 52 | (fraction & 0xfffffffffffff);
        memcpy(&wide, &bits, sizeof wide);
        for (size_t f = 0; f < 4; f++) {
            tn_dtype dtype = small_floats[f];
            long double from_single = naive_decode(dtype, small_from_float(dtype, single));
            if (!same_number(from_single, naive_round(formats[dtype], single)))
                test_fail(__FILE__, __LINE__, "%s of float %a is %La", tn_dtype_name(dtype), (double)single, from_single);
            long double from_wide = naive_decode(dtype, small_from_double(dtype, wide));
            if (!same_number(from_wide, naive_round(formats[dtype], wide)))
                test_fail(__FILE__, __LINE__, "%s of double %a is %La", tn_dtype_name(dtype), wide, from_wide);
        }
    }
}

/* ---- tn_dtype_convert's arguments -------------------------------------------------------------------------------------- */

TEST(converting_to_the_same_dtype_copies_bits_and_may_overlap) {
    uint32_t values[5] = {0x7f800001, 1, 2, 3, 4}; /* a signalling NaN that must stay one */
    CHECK_INT(tn_dtype_convert(TN_FLOAT32, values + 1, TN_FLOAT32, values, 4), TN_OK);
    CHECK(values[1] == 0x7f800001 && values[2] == 1 && values[4] == 3);
    CHECK_INT(tn_dtype_convert(TN_FLOAT32, values, TN_FLOAT32, values, 5), TN_OK);
    CHECK(values[0] == 0x7f800001);
}

TEST(converting_refuses_bad_arguments_and_writes_nothing) {
    double wide[4] = {1, 2, 3, 4};
    float out[4] = {9, 9, 9, 9};
    CHECK_ERROR(TN_ERROR_DTYPE, "dtype_convert: to is 99", tn_dtype_convert((tn_dtype)99, out, TN_FLOAT64, wide, 4));
    CHECK_ERROR(TN_ERROR_DTYPE, "from must be a dtype", tn_dtype_convert(TN_FLOAT32, out, TN_DTYPE_DEFAULT, wide, 4));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "target is NULL", tn_dtype_convert(TN_FLOAT32, NULL, TN_FLOAT64, wide, 4));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "source is NULL", tn_dtype_convert(TN_FLOAT32, out, TN_FLOAT64, NULL, 4));
    CHECK_ERROR(TN_ERROR_SHAPE, "more than memory", tn_dtype_convert(TN_FLOAT32, out, TN_FLOAT64, wide, SIZE_MAX / 4));
    CHECK_ERROR(TN_ERROR_OVERLAP, "share memory", tn_dtype_convert(TN_FLOAT32, wide, TN_FLOAT64, wide, 4));
    CHECK_ERROR(TN_ERROR_OVERLAP, "float32", tn_dtype_convert(TN_FLOAT32, (char *)wide + 4, TN_FLOAT64, wide, 4));
    CHECK_ERROR(TN_ERROR_OVERLAP, "float64", tn_dtype_convert(TN_FLOAT64, wide, TN_FLOAT32, wide + 3, 4));
    CHECK(wide[0] == 1 && wide[3] == 4 && out[0] == 9);
    CHECK_INT(tn_dtype_convert(TN_FLOAT32, wide + 2, TN_FLOAT64, wide, 2), TN_OK); /* they touch, but share nothing */
    CHECK_INT(tn_dtype_convert(TN_FLOAT32, NULL, TN_FLOAT64, NULL, 0), TN_OK);
}
