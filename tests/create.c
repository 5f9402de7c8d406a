/* create.c - the factories: shapes, strides, fills (compared with PyTorch's), devices. Sequences are in sequence.c.
 *
 * Tests: src/ops/create/fill.c */
#include "test.h"

#include <complex.h>

#include "storage_helpers.h"

static void check_strides(const tn_tensor *tensor, tn_dims expected) {
    tn_dims strides = tn_strides(tensor);
    CHECK_INT(strides.count, expected.count);
    for (int64_t d = 0; d < expected.count; d++)
        CHECK_INT(strides.values[d], expected.values[d]);
}

static void check_sizes(const tn_tensor *tensor, tn_dims expected) {
    tn_dims sizes = tn_sizes(tensor);
    CHECK_INT(sizes.count, expected.count);
    for (int64_t d = 0; d < expected.count; d++)
        CHECK_INT(sizes.values[d], expected.values[d]);
}

/* ---- empty, zeros, ones */

TEST(an_empty_tensor_is_contiguous_on_the_cpu_and_of_the_default_dtype) {
    tn_tensor *x = tn_empty(TN_DIMS(2, 3, 4), TN_DTYPE_DEFAULT);
    CHECK(x);
    CHECK_INT(tn_dtype_of(x), TN_FLOAT32);
    CHECK_INT(tn_device_of(x).type, TN_CPU);
    CHECK_INT(tn_device_of(x).index, 0);
    check_sizes(x, TN_DIMS(2, 3, 4));
    check_strides(x, TN_DIMS(12, 4, 1));
    CHECK_INT(tn_storage_offset(x), 0);
    CHECK_INT(tn_numel(x), 24);
    CHECK_INT(tn_nbytes(x), 96);
    CHECK_INT(tn_storage_nbytes(tn_storage_of(x)), 96);
    CHECK(tn_is_contiguous(x));
    CHECK(!tn_is_readonly(x));
    CHECK_INT(tn_tensor_version(x), 0);
    CHECK_INT(tn_use_count(x), 1);
    CHECK_INT(tn_storage_use_count(tn_storage_of(x)), 1);
}

TEST(every_rank_from_0_to_64_is_possible_and_65_is_not) {
    int64_t ones[65];
    for (int i = 0; i < 65; i++)
        ones[i] = i % 20 == 7 ? 2 : 1;
    for (int64_t rank = 0; rank <= 64; rank++) {
        tn_tensor *x = tn_zeros((tn_dims){ones, rank}, TN_INT16);
        CHECK(x);
        CHECK_INT(tn_ndim(x), rank);
        check_sizes(x, (tn_dims){ones, rank});
        CHECK_INT(tn_numel(x), INT64_C(1) << (rank + 12) / 20);
        CHECK(tn_is_contiguous(x));
    }
    CHECK_ERROR(TN_ERROR_SHAPE, "size has 65 dimensions; at most 64", tn_zeros((tn_dims){ones, 65}, TN_INT16));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "size has a count of -1", tn_zeros((tn_dims){ones, -1}, TN_INT16));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimensions", tn_zeros((tn_dims){ones, INT64_MAX}, TN_INT16));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "count", tn_zeros((tn_dims){ones, INT64_MIN}, TN_INT16));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "size is NULL", tn_zeros((tn_dims){NULL, 1}, TN_INT16));
}

TEST(sizes_that_are_negative_or_overflow_are_errors_that_change_nothing) {
    int64_t before = tn_counters_now().allocations;
    CHECK_ERROR(TN_ERROR_SHAPE, "zeros: size -1 of dimension 1 is negative in [2, -1]", tn_zeros(TN_DIMS(2, -1), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "negative", tn_zeros(TN_DIMS(0, INT64_MIN), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "63 bits", tn_empty(TN_DIMS(INT64_MAX, 2), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "63 bits", tn_empty(TN_DIMS(INT64_C(1) << 60), TN_FLOAT64));
    CHECK_ERROR(TN_ERROR_SHAPE, "63 bits", tn_empty(TN_DIMS(INT64_C(1) << 32, INT64_C(1) << 32), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "63 bits", tn_empty(TN_DIMS(0, INT64_C(1) << 62, 4), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "63 bits", tn_ones(TN_DIMS(INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX), TN_COMPLEX128));
    CHECK_ERROR(TN_ERROR_MEMORY, "memory", tn_empty(TN_DIMS(INT64_C(1) << 58), TN_UINT8));
    CHECK_ERROR(TN_ERROR_MEMORY, "memory", tn_empty(TN_DIMS(INT64_MAX), TN_UINT8));
    CHECK_INT(tn_counters_now().allocations, before);
}

TEST(a_size_of_0_makes_a_tensor_without_elements_whose_other_sizes_may_be_large) {
    tn_tensor *x = tn_zeros(TN_DIMS(INT64_C(1) << 61, 0, 3), TN_UINT8);
    CHECK(x);
    CHECK_INT(tn_numel(x), 0);
    CHECK_INT(tn_nbytes(x), 0);
    check_strides(x, TN_DIMS(3, 3, 1));
    CHECK(tn_is_contiguous(x));
    CHECK(!tn_data(x));
    CHECK(!tn_mutable_data(x));
    CHECK_INT(tn_error_code(), TN_OK);
    tn_tensor *y = tn_zeros(TN_DIMS(2, 0), TN_DTYPE_DEFAULT);
    CHECK(y);
    check_strides(y, TN_DIMS(1, 1));
}

TEST(a_dtype_that_does_not_exist_is_an_error_in_every_factory) {
    tn_tensor *x = tn_zeros(TN_DIMS(2), TN_UINT8);
    CHECK(x);
    tn_dtype bad[] = {(tn_dtype)-1, TN_DTYPE_COUNT, (tn_dtype)255, (tn_dtype)256, (tn_dtype)INT32_MAX, (tn_dtype)INT32_MIN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_ERROR(TN_ERROR_DTYPE, "empty: dtype: there is no dtype number", tn_empty(TN_DIMS(2), bad[i]));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_empty_device(TN_DIMS(2), bad[i], TN_DEVICE_CPU));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_empty_strided(TN_DIMS(2), TN_DIMS(1), bad[i]));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_zeros(TN_DIMS(2), bad[i]));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_ones(TN_DIMS(2), bad[i]));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_full(TN_DIMS(2), 1, bad[i]));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_empty_like(x, bad[i], TN_PRESERVE));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_full_like(x, 1, bad[i], TN_PRESERVE));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_arange(3, bad[i]));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_arange_start(0, 3, 1, bad[i]));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_linspace(0, 3, 1, bad[i]));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_logspace(0, 3, 1, 10, bad[i]));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_eye(2, 2, bad[i]));
        CHECK_ERROR(TN_ERROR_DTYPE, "dtype number", tn_scalar_tensor(1, bad[i]));
    }
}

TEST(zeros_and_ones_hold_0_and_1_in_every_dtype) {
    for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++) {
        tn_tensor *zeros = tn_zeros(TN_DIMS(3, 2), dtype), *ones = tn_ones(TN_DIMS(3, 2), dtype);
        CHECK(zeros && ones);
        for (int64_t i = 0; i < 3; i++)
            for (int64_t j = 0; j < 2; j++) {
                CHECK_DOUBLE(tn_get_double(zeros, TN_DIMS(i, j)), 0);
                CHECK_DOUBLE(tn_get_double(ones, TN_DIMS(i, j)), 1);
            }
    }
}

TEST(a_fill_reaches_every_element_at_every_length) {
    for (int64_t count = 1; count < 600; count += 1 + count / 7)
        for (int shift = 0; shift < 2; shift++) {
            int64_t n = shift ? 4096 / 16 + count : count;
            tn_tensor *x = tn_full(TN_DIMS(n), tn_scalar_complex(1.25, -2.5), TN_COMPLEX128);
            CHECK(x);
            tn_view_complex128 view = tn_read_complex128(x);
            for (int64_t i = 0; i < n; i++)
                CHECK(view.data[i].real == 1.25 && view.data[i].imag == -2.5);
        }
}

TEST(the_default_dtype_is_what_the_factories_use) {
    CHECK_INT(tn_set_default_dtype(TN_FLOAT64), TN_OK);
    tn_tensor *made[] = {tn_zeros(TN_DIMS(1), TN_DTYPE_DEFAULT),
                         tn_full(TN_DIMS(1), 1.5, TN_DTYPE_DEFAULT),
                         tn_arange(2.5, TN_DTYPE_DEFAULT),
                         tn_linspace(0, 1, 3, TN_DTYPE_DEFAULT),
                         tn_eye(2, 2, TN_DTYPE_DEFAULT),
                         tn_from_text("1.5", TN_DTYPE_DEFAULT),
                         tn_full(TN_DIMS(1), tn_scalar_complex(0, 1), TN_DTYPE_DEFAULT),
                         tn_arange(2, TN_DTYPE_DEFAULT)};
    CHECK_INT(tn_set_default_dtype(TN_BFLOAT16), TN_OK);
    tn_tensor *half = tn_zeros(TN_DIMS(1), TN_DTYPE_DEFAULT);
    tn_tensor *whole = tn_full(TN_DIMS(1), tn_scalar_complex(0, 1), TN_DTYPE_DEFAULT);
    CHECK_INT(tn_set_default_dtype(TN_FLOAT32), TN_OK);
    for (int i = 0; i < 6; i++) {
        CHECK(made[i]);
        CHECK_INT(tn_dtype_of(made[i]), TN_FLOAT64);
    }
    CHECK(made[6] && made[7] && half && whole);
    CHECK_INT(tn_dtype_of(made[6]), TN_COMPLEX128);
    CHECK_INT(tn_dtype_of(made[7]), TN_INT64);
    CHECK_INT(tn_dtype_of(half), TN_BFLOAT16);
    CHECK_INT(tn_dtype_of(whole), TN_COMPLEX64);
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_set_default_dtype(TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "", tn_set_default_dtype(TN_DTYPE_DEFAULT));
    CHECK_INT(tn_default_dtype(), TN_FLOAT32);
}

/* ---- empty_strided */

TEST(empty_strided_takes_a_storage_just_large_enough) {
    struct {
        tn_dims size, stride;
        int64_t elements, offset;
    } cases[] = {
        {TN_DIMS(2, 3), TN_DIMS(3, 1), 6, 0},
        {TN_DIMS(2, 3), TN_DIMS(1, 2), 6, 0},
        {TN_DIMS(2, 3), TN_DIMS(10, 2), 15, 0},
        {TN_DIMS(4), TN_DIMS(0), 1, 0},
        {TN_DIMS(4), TN_DIMS(-1), 4, 3},
        {TN_DIMS(2, 3), TN_DIMS(-3, 1), 6, 3},
        {TN_DIMS(2, 3), TN_DIMS(-7, -2), 12, 11},
        {TN_DIMS(), TN_DIMS(), 1, 0},
        {TN_DIMS(0, 3), TN_DIMS(9, 9), 0, 0},
        {TN_DIMS(3, 0), TN_DIMS(-9, INT64_MIN), 0, 0},
        {TN_DIMS(1, 1), TN_DIMS(INT64_MAX, INT64_MIN), 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_tensor *x = tn_empty_strided(cases[i].size, cases[i].stride, TN_FLOAT64);
        CHECK(x);
        check_sizes(x, cases[i].size);
        check_strides(x, cases[i].stride);
        CHECK_INT(tn_storage_offset(x), cases[i].offset);
        CHECK_INT(tn_storage_nbytes(tn_storage_of(x)), cases[i].elements * 8);
    }
}

TEST(empty_strided_refuses_what_does_not_fit) {
    CHECK_ERROR(TN_ERROR_SHAPE, "2 sizes [2, 3] but 1 strides [1]", tn_empty_strided(TN_DIMS(2, 3), TN_DIMS(1), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "negative", tn_empty_strided(TN_DIMS(-2), TN_DIMS(1), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "fit in 64 bits", tn_empty_strided(TN_DIMS(3), TN_DIMS(INT64_MAX), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "fit in 64 bits", tn_empty_strided(TN_DIMS(2, 2), TN_DIMS(INT64_MAX, 1), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "fit in 64 bits", tn_empty_strided(TN_DIMS(2, 2), TN_DIMS(INT64_MAX, INT64_MIN), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "fit in 64 bits", tn_empty_strided(TN_DIMS(2), TN_DIMS(INT64_MIN), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "63 bits", tn_empty_strided(TN_DIMS(2), TN_DIMS(INT64_C(1) << 61), TN_FLOAT64));
    CHECK_ERROR(TN_ERROR_SHAPE, "63 bits", tn_empty_strided(TN_DIMS(INT64_C(1) << 61), TN_DIMS(0), TN_FLOAT64));
    CHECK_ERROR(TN_ERROR_MEMORY, "memory", tn_empty_strided(TN_DIMS(2), TN_DIMS(INT64_C(1) << 55), TN_FLOAT64));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "stride is NULL", tn_empty_strided(TN_DIMS(2), (tn_dims){NULL, 1}, TN_FLOAT64));
}

/* ---- full */

typedef struct full_case {
    tn_dtype dtype;
    tn_scalar value;
    bool raises;
    double stored;
} full_case;

#define WHOLE(number)                                                                                                          \
    {                                                                                                                          \
        .kind = TN_SCALAR_INT, .value = {.i = (number) }                                                                       \
    }
#define REAL(number)                                                                                                           \
    {                                                                                                                          \
        .kind = TN_SCALAR_FLOAT, .value = {.d = (number) }                                                                     \
    }
#define SEQUENCE(...)
#define TEXT(...)
#define FULL(DTYPE, value, raises, stored) {TN_##DTYPE, value, raises, stored},
static const full_case full_cases[] = {
#include "data/create_cases.inc"
};

/* Where Tenon differs on purpose (docs/dtypes.md): conversions round once, to nearest, and float8_e4m3fn has no infinity to
 * overflow to. A double between two numbers of the dtype may then be one unit from torch's. */
static bool same_or_rounded_once(tn_dtype dtype, tn_scalar value, double ours, double theirs) {
    if (ours == theirs || (isnan(ours) && isnan(theirs)))
        return true;
    tn_finfo limits;
    if (!tn_dtype_is_floating(dtype) || tn_finfo_of(dtype, &limits) != TN_OK || value.kind != TN_SCALAR_FLOAT)
        return false;
    return fabs(ours - theirs) <= limits.eps * fabs(theirs) && fabs(ours - value.value.d) <= fabs(theirs - value.value.d);
}

TEST_SAMPLED(full_accepts_refuses_and_stores_what_pytorch_does) {
    for (size_t i = 0; i < sizeof full_cases / sizeof full_cases[0]; i++) {
        const full_case *one = &full_cases[i];
        tn_tensor *x = tn_full(TN_DIMS(1), one->value, one->dtype);
        if (one->raises != (x == NULL))
            test_fail(__FILE__, __LINE__, "full of %s, case %zu (%lld, %g): torch %s, we %s", tn_dtype_name(one->dtype), i,
                      (long long)one->value.value.i, one->value.value.d, one->raises ? "raises" : "takes it",
                      x ? "take it" : tn_error_message());
        if (!x) {
            CHECK_INT(tn_error_take(NULL), TN_ERROR_DTYPE);
            continue;
        }
        tn_complex128 got = tn_item_complex(x);
        if (!same_or_rounded_once(one->dtype, one->value, got.real, one->stored) || got.imag != 0)
            test_fail(__FILE__, __LINE__, "full of %s, case %zu: %.17g where torch has %.17g", tn_dtype_name(one->dtype), i,
                      got.real, one->stored);
    }
}

static void check_full(tn_tensor *x, tn_dtype dtype, double real, double imag) {
    CHECK(x);
    CHECK_INT(tn_dtype_of(x), dtype);
    CHECK_INT(tn_numel(x), 2);
    for (int64_t i = 0; i < 2; i++) {
        tn_tensor *one = tn_select(x, 0, i);
        CHECK(one);
        CHECK_DOUBLE(tn_item_complex(one).real, real);
        CHECK_DOUBLE(tn_item_complex(one).imag, imag);
    }
}

TEST(full_takes_any_c_number_and_finds_its_dtype) {
    check_full(tn_full(TN_DIMS(2), (bool)true, TN_DTYPE_DEFAULT), TN_BOOL, 1, 0);
    check_full(tn_full(TN_DIMS(2), 'a', TN_DTYPE_DEFAULT), TN_INT64, 97, 0);
    check_full(tn_full(TN_DIMS(2), (signed char)-3, TN_DTYPE_DEFAULT), TN_INT64, -3, 0);
    check_full(tn_full(TN_DIMS(2), (unsigned char)200, TN_DTYPE_DEFAULT), TN_INT64, 200, 0);
    check_full(tn_full(TN_DIMS(2), (short)-4, TN_DTYPE_DEFAULT), TN_INT64, -4, 0);
    check_full(tn_full(TN_DIMS(2), (unsigned short)60000, TN_DTYPE_DEFAULT), TN_INT64, 60000, 0);
    check_full(tn_full(TN_DIMS(2), -5, TN_DTYPE_DEFAULT), TN_INT64, -5, 0);
    check_full(tn_full(TN_DIMS(2), 4000000000u, TN_DTYPE_DEFAULT), TN_INT64, 4e9, 0);
    check_full(tn_full(TN_DIMS(2), -5L, TN_DTYPE_DEFAULT), TN_INT64, -5, 0);
    check_full(tn_full(TN_DIMS(2), 5UL, TN_DTYPE_DEFAULT), TN_INT64, 5, 0);
    check_full(tn_full(TN_DIMS(2), -5LL, TN_DTYPE_DEFAULT), TN_INT64, -5, 0);
    check_full(tn_full(TN_DIMS(2), UINT64_MAX, TN_DTYPE_DEFAULT), TN_UINT64, 0x1p64, 0);
    check_full(tn_full(TN_DIMS(2), 0xffffffffffffffffULL, TN_DTYPE_DEFAULT), TN_UINT64, 0x1p64, 0);
    check_full(tn_full(TN_DIMS(2), 1.5f, TN_DTYPE_DEFAULT), TN_FLOAT32, 1.5, 0);
    check_full(tn_full(TN_DIMS(2), -2.5, TN_DTYPE_DEFAULT), TN_FLOAT32, -2.5, 0);
    check_full(tn_full(TN_DIMS(2), 2.5L, TN_DTYPE_DEFAULT), TN_FLOAT32, 2.5, 0);
    check_full(tn_full(TN_DIMS(2), 1.0f + 2.0f * _Complex_I, TN_DTYPE_DEFAULT), TN_COMPLEX64, 1, 2);
    check_full(tn_full(TN_DIMS(2), (double _Complex)(3.0 - 4.0 * _Complex_I), TN_DTYPE_DEFAULT), TN_COMPLEX64, 3, -4);
    check_full(tn_full(TN_DIMS(2), (long double _Complex)(3.0L - 4.0L * _Complex_I), TN_DTYPE_DEFAULT), TN_COMPLEX64, 3, -4);
    check_full(tn_full(TN_DIMS(2), tn_scalar_bool(false), TN_DTYPE_DEFAULT), TN_BOOL, 0, 0);
    check_full(tn_full(TN_DIMS(2), tn_scalar_complex(NAN, -INFINITY), TN_DTYPE_DEFAULT), TN_COMPLEX64, NAN, -INFINITY);
    CHECK_ERROR(TN_ERROR_DTYPE, "full: value 300 does not fit in uint8", tn_full(TN_DIMS(2), 300, TN_UINT8));
    CHECK_ERROR(TN_ERROR_DTYPE, "value 1+2j does not fit", tn_full(TN_DIMS(2), tn_scalar_complex(1, 2), TN_FLOAT32));
    tn_scalar strange = {.kind = (tn_scalar_kind)77};
    CHECK_ERROR(TN_ERROR_DTYPE, "kind 77", tn_full(TN_DIMS(2), strange, TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_DTYPE, "kind 77", tn_full(TN_DIMS(2), strange, TN_DTYPE_DEFAULT));
}

TEST(a_scalar_tensor_has_no_dimensions) {
    tn_tensor *x = tn_scalar_tensor(2.5, TN_FLOAT64), *y = tn_scalar_tensor((bool)1, TN_BOOL);
    CHECK(x && y);
    CHECK_INT(tn_ndim(x), 0);
    CHECK_INT(tn_numel(x), 1);
    CHECK_DOUBLE(tn_item_double(x), 2.5);
    CHECK_INT(tn_dtype_of(y), TN_BOOL);
}

TEST(a_scalar_tensor_has_the_default_dtype_whatever_its_value_is) {
    CHECK_INT(tn_dtype_of(tn_scalar_tensor((bool)1, TN_DTYPE_DEFAULT)), TN_FLOAT32);
    CHECK_INT(tn_dtype_of(tn_scalar_tensor(7, TN_DTYPE_DEFAULT)), TN_FLOAT32);
    CHECK_INT(tn_dtype_of(tn_scalar_tensor(tn_scalar_complex(2, 0), TN_DTYPE_DEFAULT)), TN_FLOAT32);
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit in float32", tn_scalar_tensor(tn_scalar_complex(2, 1), TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit in float32", tn_scalar_tensor(1e300, TN_DTYPE_DEFAULT));
}

/* ---- like */

TEST(like_copies_sizes_dtype_and_the_order_of_dimensions) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3, 4), TN_INT16);
    tn_tensor *turned = tn_permute(x, TN_DIMS(2, 0, 1)),
              *thinned = tn_permute(tn_slice(x, 1, TN_NONE, TN_NONE, 2), TN_DIMS(2, 0, 1));
    tn_tensor *wide = tn_expand(tn_zeros(TN_DIMS(2, 1, 4), TN_INT16), TN_DIMS(2, 3, 4)), *flipped = tn_flip(x, TN_DIMS(0, 2));
    CHECK(turned && thinned && wide && flipped);
    struct {
        tn_tensor *from;
        tn_memory_format format;
        tn_dims strides; /* torch's, for the first five */
    } cases[] = {{turned, TN_PRESERVE, TN_DIMS(1, 12, 4)}, {thinned, TN_PRESERVE, TN_DIMS(1, 8, 4)},
                 {wide, TN_PRESERVE, TN_DIMS(12, 4, 1)},   {turned, TN_CONTIGUOUS, TN_DIMS(6, 3, 1)},
                 {x, TN_PRESERVE, TN_DIMS(12, 4, 1)},      {flipped, TN_PRESERVE, TN_DIMS(12, 4, 1)}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_tensor *empty = tn_empty_like(cases[i].from, TN_DTYPE_DEFAULT, cases[i].format);
        tn_tensor *ones = tn_ones_like(cases[i].from, TN_FLOAT64, cases[i].format);
        CHECK(empty && ones);
        CHECK_INT(tn_dtype_of(empty), TN_INT16);
        CHECK_INT(tn_dtype_of(ones), TN_FLOAT64);
        check_strides(empty, cases[i].strides);
        check_strides(ones, cases[i].strides);
        CHECK_INT(tn_storage_nbytes(tn_storage_of(empty)), 2 * tn_numel(cases[i].from));
        tn_dims sizes = tn_sizes(cases[i].from);
        check_sizes(ones, sizes);
        for (int64_t a = 0; a < sizes.values[0]; a++)
            for (int64_t b = 0; b < sizes.values[1]; b++)
                for (int64_t c = 0; c < sizes.values[2]; c++)
                    CHECK_DOUBLE(tn_get_double(ones, TN_DIMS(a, b, c)), 1);
    }
}

TEST(like_makes_channels_last_on_request) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3, 4, 5), TN_FLOAT32), *y = tn_zeros(TN_DIMS(2, 3, 4, 5, 6), TN_FLOAT32);
    CHECK(x && y);
    tn_tensor *last = tn_full_like(x, 7, TN_DTYPE_DEFAULT, TN_CHANNELS_LAST);
    tn_tensor *last3d = tn_zeros_like(y, TN_DTYPE_DEFAULT, TN_CHANNELS_LAST_3D);
    CHECK(last && last3d);
    check_strides(last, TN_DIMS(60, 1, 15, 3));
    check_strides(last3d, TN_DIMS(360, 1, 90, 18, 3));
    CHECK(tn_is_contiguous_in(last, TN_CHANNELS_LAST));
    CHECK(tn_is_contiguous_in(last3d, TN_CHANNELS_LAST_3D));
    CHECK(!tn_is_contiguous(last));
    CHECK_DOUBLE(tn_get_double(last, TN_DIMS(1, 2, 3, 4)), 7);
    CHECK_ERROR(TN_ERROR_SHAPE, "empty_like: format channels_last needs 4 dimensions, self has 5",
                tn_empty_like(y, TN_DTYPE_DEFAULT, TN_CHANNELS_LAST));
    CHECK_ERROR(TN_ERROR_SHAPE, "needs 5", tn_zeros_like(x, TN_DTYPE_DEFAULT, TN_CHANNELS_LAST_3D));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "format number 9", tn_empty_like(x, TN_DTYPE_DEFAULT, (tn_memory_format)9));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "format number -1", tn_ones_like(x, TN_DTYPE_DEFAULT, (tn_memory_format)-1));
    CHECK_ERROR(TN_ERROR_DTYPE, "full_like: value 300", tn_full_like(x, 300, TN_INT8, TN_PRESERVE));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "empty_like: self is NULL", tn_empty_like(NULL, TN_DTYPE_DEFAULT, TN_PRESERVE));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "self is NULL", tn_full_like(NULL, 1, TN_DTYPE_DEFAULT, TN_PRESERVE));
}

/* ---- eye */

TEST(eye_has_ones_on_its_diagonal_in_every_shape_and_dtype) {
    for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++)
        for (int64_t rows = 0; rows < 4; rows++)
            for (int64_t columns = 0; columns < 4; columns++) {
                tn_tensor *x = tn_eye(rows, columns, dtype);
                CHECK(x);
                check_sizes(x, TN_DIMS(rows, columns));
                for (int64_t i = 0; i < rows; i++)
                    for (int64_t j = 0; j < columns; j++)
                        CHECK_DOUBLE(tn_get_double(x, TN_DIMS(i, j)), i == j);
            }
    CHECK_ERROR(TN_ERROR_SHAPE, "eye: rows = -1 and columns = 3", tn_eye(-1, 3, TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_SHAPE, "negative", tn_eye(3, INT64_MIN, TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_SHAPE, "63 bits", tn_eye(INT64_MAX, INT64_MAX, TN_FLOAT32));
}

/* ---- devices */

static void forget_allocator(void *type) { (void)tn_set_allocator((int32_t)(intptr_t)type, NULL, 0); }

TEST(a_tensor_lives_on_a_registered_device_and_hides_its_elements_from_c) {
    static counting_allocator counts;
    counts = (counting_allocator){0};
    int32_t npu = tn_device_type_register("npu");
    CHECK(npu >= TN_DEVICE_USER);
    CHECK_ERROR(TN_ERROR_DEVICE, "npu", tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(npu, 0)));
    tn_allocator *allocator = counting_allocator_make(&counts, TN_DEVICE(npu, 0));
    CHECK(allocator);
    TEST_DEFER(tn_allocator_release, allocator);
    CHECK_INT(tn_set_allocator(npu, allocator, 0), TN_OK);
    TEST_DEFER(forget_allocator, (void *)(intptr_t)npu);
    {
        tn_scope scope = tn_scope_open();
        tn_tensor *x = tn_empty_device(TN_DIMS(1, 2), TN_FLOAT32, TN_DEVICE(npu, 0));
        CHECK(x);
        CHECK_INT(tn_device_of(x).type, npu);
        CHECK_INT(tn_device_of(x).index, 0);
        CHECK_INT(counts.blocks, 1);
        CHECK_INT(counts.taken_bytes, 8);
        CHECK(tn_storage_allocator(tn_storage_of(x)) == allocator);
        tn_tensor *one = tn_select(x, 1, 0), *like = tn_empty_like(x, TN_DTYPE_DEFAULT, TN_PRESERVE);
        CHECK(one && like);
        CHECK_INT(tn_device_of(one).type, npu);
        CHECK_INT(tn_device_of(like).type, npu);
        CHECK_INT(counts.blocks, 2);
        CHECK(tn_data(x));
        CHECK_ERROR(TN_ERROR_DEVICE, "item_double: the tensor is on device npu", tn_item_double(one));
        CHECK_ERROR(TN_ERROR_DEVICE, "npu", tn_item(one));
        CHECK_ERROR(TN_ERROR_DEVICE, "npu", tn_item_int64(one));
        CHECK_ERROR(TN_ERROR_DEVICE, "npu", tn_item_complex(one));
        CHECK_ERROR(TN_ERROR_DEVICE, "npu", tn_item_bool(one));
        CHECK_ERROR(TN_ERROR_DEVICE, "get_double: the tensor", tn_get_double(x, TN_DIMS(0, 0)));
        CHECK_ERROR(TN_ERROR_DEVICE, "npu", tn_get_int64(x, TN_DIMS(0, 0)));
        CHECK_ERROR(TN_ERROR_DEVICE, "npu", tn_get_element(x, TN_DIMS(0, 0)));
        int64_t result;
        CHECK_ERROR(TN_ERROR_DEVICE, "npu", result = tn_set_element(x, TN_DIMS(0, 0), TN_SCALAR(1)));
        CHECK_INT(result, TN_ERROR_DEVICE);
        CHECK_ERROR(TN_ERROR_DEVICE, "read_float32: ", result = tn_read_float32(x).ndim);
        CHECK_INT(result, -1);
        CHECK_ERROR(TN_ERROR_DEVICE, "write_float32: ", result = tn_write_float32(x).ndim);
        CHECK_INT(result, -1);
        CHECK_ERROR(TN_ERROR_DEVICE, "npu", tn_data_float32(x));
        CHECK_ERROR(TN_ERROR_DEVICE, "npu", tn_mutable_data_float32(x));
        CHECK(!tn_zeros_like(x, TN_DTYPE_DEFAULT, TN_PRESERVE)); /* no kernel there */
        CHECK(strstr(tn_error_message(), "zeros_like: ") && strstr(tn_error_message(), "npu"));
        tn_error_clear();
        CHECK_INT(tn_tensor_version(x), 0);
        CHECK_ERROR(TN_ERROR_DEVICE, "npu:3", tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(npu, 3)));
        CHECK_ERROR(TN_ERROR_DEVICE, "npu:-1", tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(npu, -1)));
        counts.refuse_blocks = true;
        CHECK_ERROR(TN_ERROR_MEMORY, "", tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(npu, 0)));
        counts.refuse_blocks = false;
        tn_scope_close(scope);
    }
    CHECK_INT(counts.blocks, 0);
}

TEST(a_device_that_does_not_exist_is_an_error) {
    CHECK_ERROR(TN_ERROR_DEVICE, "empty: ", tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(TN_CUDA, 0)));
    CHECK_ERROR(TN_ERROR_DEVICE, "", tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(-1, 0)));
    CHECK_ERROR(TN_ERROR_DEVICE, "", tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(TN_DEVICE_TYPES, 0)));
    CHECK_ERROR(TN_ERROR_DEVICE, "", tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(INT32_MAX, 0)));
    CHECK_ERROR(TN_ERROR_DEVICE, "", tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(INT32_MIN, 0)));
    CHECK_ERROR(TN_ERROR_DEVICE, "cpu:1", tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(TN_CPU, 1)));
    CHECK_ERROR(TN_ERROR_DEVICE, "cpu:-1", tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(TN_CPU, -1)));
    tn_tensor *x = tn_empty_device(TN_DIMS(2), TN_DTYPE_DEFAULT, TN_DEVICE_CPU);
    CHECK(x);
    CHECK_INT(tn_dtype_of(x), TN_FLOAT32);
}

TEST_SAMPLED(the_object_is_small) { CHECK(tn_tensor_object_size() <= 208); }
