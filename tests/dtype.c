/* dtype.c - the dtype table: names, sizes, limits as in torch and NumPy; scalars; what a dtype can hold.
 *
 * Tests: src/tensor/scalar.c */
#include "test.h"

#include "tensor/dtype.h"

static const tn_dtype NO_DTYPE = (tn_dtype)99, NEGATIVE_DTYPE = (tn_dtype)-1;

TEST(every_dtype_has_its_name_size_and_kind) {
    static const struct expected {
        tn_dtype dtype;
        const char *name;
        size_t size;
        tn_dtype_kind kind;
    } expected[] = {
        {TN_BOOL, "bool", 1, TN_KIND_BOOL},
        {TN_UINT8, "uint8", 1, TN_KIND_UNSIGNED},
        {TN_UINT16, "uint16", 2, TN_KIND_UNSIGNED},
        {TN_UINT32, "uint32", 4, TN_KIND_UNSIGNED},
        {TN_UINT64, "uint64", 8, TN_KIND_UNSIGNED},
        {TN_INT8, "int8", 1, TN_KIND_SIGNED},
        {TN_INT16, "int16", 2, TN_KIND_SIGNED},
        {TN_INT32, "int32", 4, TN_KIND_SIGNED},
        {TN_INT64, "int64", 8, TN_KIND_SIGNED},
        {TN_FLOAT16, "float16", 2, TN_KIND_FLOAT},
        {TN_BFLOAT16, "bfloat16", 2, TN_KIND_FLOAT},
        {TN_FLOAT32, "float32", 4, TN_KIND_FLOAT},
        {TN_FLOAT64, "float64", 8, TN_KIND_FLOAT},
        {TN_COMPLEX64, "complex64", 8, TN_KIND_COMPLEX},
        {TN_COMPLEX128, "complex128", 16, TN_KIND_COMPLEX},
        {TN_FLOAT8_E4M3FN, "float8_e4m3fn", 1, TN_KIND_FLOAT},
        {TN_FLOAT8_E5M2, "float8_e5m2", 1, TN_KIND_FLOAT},
    };
    CHECK_INT(sizeof expected / sizeof expected[0], TN_DTYPE_COUNT - 1);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct expected *e = &expected[i];
        CHECK_INT(e->dtype, i + 1);
        CHECK(tn_dtype_exists(e->dtype));
        CHECK_TEXT(tn_dtype_name(e->dtype), e->name);
        CHECK_INT(tn_dtype_size(e->dtype), e->size);
        CHECK_INT(tni_dtype_size(e->dtype), e->size);
        CHECK_INT(tn_dtype_kind_of(e->dtype), e->kind);
        CHECK_INT(tn_dtype_is_floating(e->dtype), e->kind == TN_KIND_FLOAT);
        CHECK_INT(tn_dtype_is_complex(e->dtype), e->kind == TN_KIND_COMPLEX);
        CHECK_INT(tn_dtype_is_integral(e->dtype), e->kind <= TN_KIND_SIGNED);
        CHECK_INT(tn_dtype_is_signed(e->dtype), e->kind >= TN_KIND_SIGNED);
    }
}

TEST(a_dtype_that_does_not_exist_is_answered_with_nothing) {
    const tn_dtype absent[] = {TN_DTYPE_DEFAULT, TN_DTYPE_COUNT, NO_DTYPE, NEGATIVE_DTYPE};
    for (size_t i = 0; i < 4; i++) {
        tn_dtype dtype = absent[i];
        CHECK(!tn_dtype_exists(dtype));
        CHECK_TEXT(tn_dtype_name(dtype), "unknown");
        CHECK_INT(tn_dtype_size(dtype), 0);
        CHECK_INT(tn_dtype_kind_of(dtype), TN_KIND_BOOL);
        CHECK(!tn_dtype_is_floating(dtype) && !tn_dtype_is_complex(dtype));
        CHECK(!tn_dtype_is_integral(dtype) && !tn_dtype_is_signed(dtype));
        CHECK_INT(tn_dtype_accumulate(dtype), TN_DTYPE_DEFAULT);
        CHECK_INT(tn_dtype_to_real(dtype), dtype);
        CHECK_INT(tn_dtype_to_complex(dtype), TN_DTYPE_DEFAULT);
        CHECK(!tn_dtype_spelling(dtype, TN_SPELLING_TORCH));
        CHECK_INT(tn_dtype_dlpack(dtype).lanes, 0);
        CHECK(!tn_dtype_can_hold(dtype, tn_scalar_int(0)));
    }
}

TEST(sums_are_formed_in_the_accumulation_dtype) {
    for (tn_dtype dtype = TN_BOOL; dtype <= TN_INT64; dtype++)
        CHECK_INT(tn_dtype_accumulate(dtype), dtype == TN_UINT64 ? TN_UINT64 : TN_INT64);
    const tn_dtype float32[] = {TN_FLOAT16, TN_BFLOAT16, TN_FLOAT32, TN_FLOAT8_E4M3FN, TN_FLOAT8_E5M2};
    for (size_t i = 0; i < 5; i++)
        CHECK_INT(tn_dtype_accumulate(float32[i]), TN_FLOAT32);
    CHECK_INT(tn_dtype_accumulate(TN_FLOAT64), TN_FLOAT64);
    CHECK_INT(tn_dtype_accumulate(TN_COMPLEX64), TN_COMPLEX64);
    CHECK_INT(tn_dtype_accumulate(TN_COMPLEX128), TN_COMPLEX128);
}

TEST(real_and_complex_dtypes_know_each_other) {
    CHECK_INT(tn_dtype_to_real(TN_COMPLEX64), TN_FLOAT32);
    CHECK_INT(tn_dtype_to_real(TN_COMPLEX128), TN_FLOAT64);
    CHECK_INT(tn_dtype_to_complex(TN_FLOAT16), TN_COMPLEX64);
    CHECK_INT(tn_dtype_to_complex(TN_BFLOAT16), TN_COMPLEX64);
    CHECK_INT(tn_dtype_to_complex(TN_FLOAT32), TN_COMPLEX64);
    CHECK_INT(tn_dtype_to_complex(TN_FLOAT64), TN_COMPLEX128);
    CHECK_INT(tn_dtype_to_complex(TN_COMPLEX64), TN_COMPLEX64);
    CHECK_INT(tn_dtype_to_complex(TN_COMPLEX128), TN_COMPLEX128);
    for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++) {
        if (!tn_dtype_is_complex(dtype))
            CHECK_INT(tn_dtype_to_real(dtype), dtype);
        if (tn_dtype_is_integral(dtype) || dtype >= TN_FLOAT8_E4M3FN)
            CHECK_INT(tn_dtype_to_complex(dtype), TN_DTYPE_DEFAULT);
    }
}

/* ---- spellings --------------------------------------------------------------------------------------------------------- */

TEST(every_spelling_leads_back_to_its_dtype) {
    for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++)
        for (int whose = TN_SPELLING_TENON; whose <= TN_SPELLING_C; whose++) {
            const char *text = tn_dtype_spelling(dtype, (tn_spelling)whose);
            bool has_none = (whose == TN_SPELLING_NUMPY && (dtype == TN_BFLOAT16 || dtype >= TN_FLOAT8_E4M3FN)) ||
                            (whose == TN_SPELLING_SAFETENSORS && dtype == TN_COMPLEX128);
            CHECK_INT(text == NULL, has_none);
            if (text)
                CHECK_INT(tn_dtype_from_name(text), dtype);
        }
    CHECK(!tn_dtype_spelling(TN_FLOAT32, (tn_spelling)5));
    CHECK(!tn_dtype_spelling(TN_FLOAT32, (tn_spelling)-1));
}

TEST(spellings_are_what_the_others_write) {
    CHECK_TEXT(tn_dtype_spelling(TN_FLOAT32, TN_SPELLING_TENON), "float32");
    CHECK_TEXT(tn_dtype_spelling(TN_BOOL, TN_SPELLING_TORCH), "torch.bool");
    CHECK_TEXT(tn_dtype_spelling(TN_FLOAT8_E4M3FN, TN_SPELLING_TORCH), "torch.float8_e4m3fn");
    CHECK_TEXT(tn_dtype_spelling(TN_BOOL, TN_SPELLING_NUMPY), "|b1");
    CHECK_TEXT(tn_dtype_spelling(TN_INT8, TN_SPELLING_NUMPY), "|i1");
    CHECK_TEXT(tn_dtype_spelling(TN_UINT16, TN_SPELLING_NUMPY), "<u2");
    CHECK_TEXT(tn_dtype_spelling(TN_COMPLEX128, TN_SPELLING_NUMPY), "<c16");
    CHECK_TEXT(tn_dtype_spelling(TN_BOOL, TN_SPELLING_SAFETENSORS), "BOOL");
    CHECK_TEXT(tn_dtype_spelling(TN_BFLOAT16, TN_SPELLING_SAFETENSORS), "BF16");
    CHECK_TEXT(tn_dtype_spelling(TN_FLOAT8_E4M3FN, TN_SPELLING_SAFETENSORS), "F8_E4M3");
    CHECK_TEXT(tn_dtype_spelling(TN_COMPLEX64, TN_SPELLING_SAFETENSORS), "C64");
    CHECK_TEXT(tn_dtype_spelling(TN_BOOL, TN_SPELLING_C), "bool");
    CHECK_TEXT(tn_dtype_spelling(TN_UINT8, TN_SPELLING_C), "uint8_t");
    CHECK_TEXT(tn_dtype_spelling(TN_FLOAT64, TN_SPELLING_C), "double");
    CHECK_TEXT(tn_dtype_spelling(TN_FLOAT16, TN_SPELLING_C), "tn_float16");
}

TEST(short_and_numpy_names_are_understood) {
    static const struct named {
        const char *text;
        tn_dtype dtype;
    } named[] = {
        {"half", TN_FLOAT16},     {"float", TN_FLOAT32},
        {"double", TN_FLOAT64},   {"short", TN_INT16},
        {"int", TN_INT32},        {"long", TN_INT64},
        {"bool", TN_BOOL},        {"cfloat", TN_COMPLEX64},
        {"f4", TN_FLOAT32},       {"cdouble", TN_COMPLEX128},
        {"torch.long", TN_INT64}, {"torch.cfloat", TN_COMPLEX64},
        {"<f4", TN_FLOAT32},      {"torch.half", TN_FLOAT16},
        {"=f4", TN_FLOAT32},      {"|f4", TN_FLOAT32},
        {"|u1", TN_UINT8},        {"u1", TN_UINT8},
        {"<u1", TN_UINT8},        {"|b1", TN_BOOL},
        {"b1", TN_BOOL},          {"i8", TN_INT64},
        {"c16", TN_COMPLEX128},   {"=c8", TN_COMPLEX64},
        {"f2", TN_FLOAT16},       {"F8_E5M2", TN_FLOAT8_E5M2},
        {"int64_t", TN_INT64},
    };
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (tn_dtype_from_name(named[i].text) != named[i].dtype)
            test_fail(__FILE__, __LINE__, "%s was read as %s", named[i].text, tn_dtype_name(tn_dtype_from_name(named[i].text)));
}

TEST(a_text_that_names_no_dtype_is_no_error) {
    const char *const nonsense[] = {"",          "float33", "FLOAT32", "torch.", "torch.f4", "torch.torch.float",
                                    ">f4",       "<",       "<<f4",    "f",      "float32 ", " float32",
                                    "complex32", "f16",     "b2",      "none"};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++)
        if (tn_dtype_from_name(nonsense[i]) != TN_DTYPE_DEFAULT)
            test_fail(__FILE__, __LINE__, "\"%s\" was read as a dtype", nonsense[i]);
    CHECK_INT(tn_dtype_from_name(NULL), TN_DTYPE_DEFAULT);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(dlpack_types_go_there_and_back) {
    for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++) {
        tn_dlpack_dtype type = tn_dtype_dlpack(dtype);
        CHECK_INT(type.lanes, 1);
        CHECK_INT(type.bits, 8 * tn_dtype_size(dtype));
        CHECK_INT(tn_dtype_from_dlpack(type), dtype);
        type.lanes = 2;
        CHECK_INT(tn_dtype_from_dlpack(type), TN_DTYPE_DEFAULT);
    }
    const uint8_t codes[] = {6, 1, 1, 1, 1, 0, 0, 0, 0, 2, 4, 2, 2, 5, 5, 10, 12};
    for (size_t i = 0; i < sizeof codes; i++)
        CHECK_INT(tn_dtype_dlpack((tn_dtype)(i + 1)).code, codes[i]);
    CHECK_INT(tn_dtype_from_dlpack((tn_dlpack_dtype){3, 64, 1}), TN_DTYPE_DEFAULT);
    CHECK_INT(tn_dtype_from_dlpack((tn_dlpack_dtype){0, 4, 1}), TN_DTYPE_DEFAULT);
    CHECK_INT(tn_dtype_from_dlpack((tn_dlpack_dtype){0, 0, 0}), TN_DTYPE_DEFAULT);
}

/* ---- limits ------------------------------------------------------------------------------------------------------------ */

TEST(finfo_is_what_torch_says) {
    static const struct expected {
        tn_dtype dtype;
        tn_finfo info;
    } expected[] = {
        {TN_FLOAT16, {16, 0.0009765625, 65504, -65504, 6.103515625e-05, 5.9604644775390625e-08, 1e-3, 11}},
        {TN_BFLOAT16,
         {16, 0.0078125, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, 1e-2,
          8}},
        {TN_FLOAT32,
         {32, 1.1920928955078125e-07, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38,
          1.401298464324817e-45, 1e-6, 24}},
        {TN_FLOAT64,
         {64, 2.220446049250313e-16, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308,
          4.9406564584124654e-324, 1e-15, 53}},
        {TN_FLOAT8_E4M3FN, {8, 0.125, 448, -448, 0.015625, 0.001953125, 1, 4}},
        {TN_FLOAT8_E5M2, {8, 0.25, 57344, -57344, 6.103515625e-05, 1.52587890625e-05, 1, 3}},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        tn_finfo info;
        const tn_finfo *e = &expected[i].info;
        CHECK_INT(tn_finfo_of(expected[i].dtype, &info), TN_OK);
        CHECK_INT(info.bits, e->bits);
        CHECK_DOUBLE(info.eps, e->eps);
        CHECK_DOUBLE(info.max, e->max);
        CHECK_DOUBLE(info.min, e->min);
        CHECK_DOUBLE(info.smallest_normal, e->smallest_normal);
        CHECK_DOUBLE(info.smallest_subnormal, e->smallest_subnormal);
        CHECK_DOUBLE(info.resolution, e->resolution);
        CHECK_INT(info.digits, e->digits);
        CHECK_DOUBLE(info.eps, ldexp(1, 1 - info.digits));
    }
    tn_finfo parts, real;
    CHECK_INT(tn_finfo_of(TN_COMPLEX64, &parts) | tn_finfo_of(TN_FLOAT32, &real), TN_OK);
    CHECK(parts.bits == 32 && parts.max == real.max && parts.eps == real.eps);
    CHECK_INT(tn_finfo_of(TN_COMPLEX128, &parts) | tn_finfo_of(TN_FLOAT64, &real), TN_OK);
    CHECK(parts.bits == 64 && parts.max == real.max && parts.eps == real.eps);
}

TEST(iinfo_is_what_torch_says) {
    static const struct expected {
        tn_dtype dtype;
        tn_iinfo info;
    } expected[] = {
        {TN_UINT8, {8, 0, 255}},
        {TN_UINT16, {16, 0, 65535}},
        {TN_UINT32, {32, 0, 4294967295}},
        {TN_UINT64, {64, 0, UINT64_C(18446744073709551615)}},
        {TN_INT8, {8, -128, 127}},
        {TN_INT16, {16, -32768, 32767}},
        {TN_INT32, {32, -INT64_C(2147483648), 2147483647}},
        {TN_INT64, {64, INT64_MIN, INT64_MAX}},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        tn_iinfo info;
        CHECK_INT(tn_iinfo_of(expected[i].dtype, &info), TN_OK);
        CHECK_INT(info.bits, expected[i].info.bits);
        CHECK_INT(info.min, expected[i].info.min);
        CHECK(info.max == expected[i].info.max);
    }
}

TEST(limits_of_the_wrong_kind_are_refused) {
    tn_finfo floating = {.bits = 7};
    CHECK_ERROR(TN_ERROR_DTYPE, "finfo: dtype is int32", tn_finfo_of(TN_INT32, &floating));
    CHECK(floating.bits == 0 && floating.max == 0);
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_finfo_of(TN_BOOL, &floating));
    CHECK_ERROR(TN_ERROR_DTYPE, "99", tn_finfo_of(NO_DTYPE, &floating));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "out is NULL", tn_finfo_of(TN_FLOAT32, NULL));
    tn_iinfo integer = {.bits = 7};
    CHECK_ERROR(TN_ERROR_DTYPE, "iinfo: dtype is bool", tn_iinfo_of(TN_BOOL, &integer));
    CHECK(integer.bits == 0 && integer.max == 0);
    CHECK_ERROR(TN_ERROR_DTYPE, "float16", tn_iinfo_of(TN_FLOAT16, &integer));
    CHECK_ERROR(TN_ERROR_DTYPE, "TN_DTYPE_DEFAULT", tn_iinfo_of(TN_DTYPE_DEFAULT, &integer));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "out is NULL", tn_iinfo_of(TN_INT8, NULL));
}

static void restore_default_dtype(void *unused) {
    (void)unused;
    tn_set_default_dtype(TN_FLOAT32);
}

TEST(the_default_dtype_is_float32_until_it_is_set) {
    TEST_DEFER(restore_default_dtype, NULL);
    CHECK_INT(tn_default_dtype(), TN_FLOAT32);
    const tn_dtype accepted[] = {TN_FLOAT16, TN_BFLOAT16, TN_FLOAT64, TN_FLOAT32};
    for (size_t i = 0; i < 4; i++) {
        CHECK_INT(tn_set_default_dtype(accepted[i]), TN_OK);
        CHECK_INT(tn_default_dtype(), accepted[i]);
        CHECK_INT(tni_dtype_or_default(TN_DTYPE_DEFAULT), accepted[i]);
        CHECK_INT(tni_dtype_or_default(TN_INT8), TN_INT8);
    }
    const tn_dtype refused[] = {TN_INT64, TN_COMPLEX64, TN_FLOAT8_E5M2, TN_BOOL};
    for (size_t i = 0; i < 4; i++)
        CHECK_ERROR(TN_ERROR_DTYPE, tn_dtype_name(refused[i]), tn_set_default_dtype(refused[i]));
    CHECK_ERROR(TN_ERROR_DTYPE, "TN_DTYPE_DEFAULT", tn_set_default_dtype(TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "set_default_dtype: dtype is 99", tn_set_default_dtype(NO_DTYPE));
    CHECK_INT(tn_default_dtype(), TN_FLOAT32);
}

/* ---- scalars ------------------------------------------------------------------------------------------------------------ */

TEST(a_scalar_remembers_how_it_was_written) {
    CHECK(TN_SCALAR((bool)true).kind == TN_SCALAR_BOOL && TN_SCALAR((bool)true).value.b);
    CHECK(TN_SCALAR(5).kind == TN_SCALAR_INT && TN_SCALAR(5).value.i == 5);
    CHECK(TN_SCALAR((int8_t)-5).kind == TN_SCALAR_INT && TN_SCALAR((int8_t)-5).value.i == -5);
    CHECK(TN_SCALAR(4000000000u).kind == TN_SCALAR_INT && TN_SCALAR(4000000000u).value.i == 4000000000);
    CHECK(TN_SCALAR(UINT64_C(7)).kind == TN_SCALAR_INT && TN_SCALAR(UINT64_C(7)).value.i == 7);
    CHECK(TN_SCALAR((uint64_t)INT64_MAX).kind == TN_SCALAR_INT);
    CHECK(TN_SCALAR((uint64_t)INT64_MAX + 1).kind == TN_SCALAR_UINT);
    CHECK(TN_SCALAR(UINT64_MAX).value.u == UINT64_MAX);
    CHECK(TN_SCALAR(2.5f).kind == TN_SCALAR_FLOAT && TN_SCALAR(2.5f).value.d == 2.5);
    CHECK(TN_SCALAR(2.5).kind == TN_SCALAR_FLOAT && TN_SCALAR(2.5).value.d == 2.5);
    tn_scalar complex = tn_scalar_complex(1, -2);
    CHECK(complex.kind == TN_SCALAR_COMPLEX && complex.value.c.real == 1 && complex.value.c.imag == -2);
    CHECK(TN_SCALAR(complex).kind == TN_SCALAR_COMPLEX && TN_SCALAR(complex).value.c.imag == -2);
    double _Complex native = 3.0;
    CHECK(TN_SCALAR(native).kind == TN_SCALAR_COMPLEX && TN_SCALAR(native).value.c.real == 3);
}

TEST(an_element_is_read_exactly_and_written_back_unchanged) {
    static const struct element {
        tn_dtype dtype;
        uint8_t bytes[16];
        tn_scalar_kind kind;
    } elements[] = {
        {TN_BOOL, {1}, TN_SCALAR_BOOL},
        {TN_UINT8, {0xff}, TN_SCALAR_INT},
        {TN_UINT32, {0xff, 0xff, 0xff, 0xff}, TN_SCALAR_INT},
        {TN_UINT64, {1, 0, 0, 0, 0, 0, 0, 0x80}, TN_SCALAR_UINT},
        {TN_UINT64, {1, 0, 0, 0, 0, 0, 0, 0x70}, TN_SCALAR_INT},
        {TN_INT8, {0x80}, TN_SCALAR_INT},
        {TN_INT64, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, TN_SCALAR_INT},
        {TN_FLOAT16, {0x01, 0x84}, TN_SCALAR_FLOAT},
        {TN_BFLOAT16, {0x01, 0x00}, TN_SCALAR_FLOAT},
        {TN_FLOAT32, {0x01, 0x00, 0x00, 0x80}, TN_SCALAR_FLOAT},
        {TN_FLOAT64, {1, 2, 3, 4, 5, 6, 7, 8}, TN_SCALAR_FLOAT},
        {TN_COMPLEX64, {1, 2, 3, 4, 5, 6, 7, 8}, TN_SCALAR_COMPLEX},
        {TN_COMPLEX128, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, TN_SCALAR_COMPLEX},
        {TN_FLOAT8_E4M3FN, {0xfe}, TN_SCALAR_FLOAT},
        {TN_FLOAT8_E5M2, {0x7c}, TN_SCALAR_FLOAT},
    };
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        tn_dtype dtype = elements[i].dtype;
        uint8_t unaligned[17] = {0}, back[18];
        memcpy(unaligned + 1, elements[i].bytes, 16);
        memset(back, 0xaa, sizeof back);
        tn_scalar value = tn_dtype_load(dtype, unaligned + 1);
        CHECK_INT(value.kind, elements[i].kind);
        tn_dtype_store(dtype, back + 1, value);
        CHECK(memcmp(back + 1, elements[i].bytes, tn_dtype_size(dtype)) == 0);
        CHECK_INT(back[0], 0xaa);
        CHECK_INT(back[tn_dtype_size(dtype) + 1], 0xaa);
    }
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(any_byte_but_zero_is_read_as_true) {
    const uint8_t foreign[] = {0, 1, 2, 0x80, 0xff};
    float out[5];
    for (size_t i = 0; i < 5; i++)
        CHECK_INT(tn_dtype_load(TN_BOOL, &foreign[i]).value.b, i != 0);
    CHECK_INT(tn_dtype_convert(TN_FLOAT32, out, TN_BOOL, foreign, 5), TN_OK);
    for (size_t i = 0; i < 5; i++)
        CHECK_DOUBLE(out[i], i != 0);
}

TEST(loading_and_storing_refuse_what_does_not_exist) {
    double element = 3;
    CHECK_ERROR(TN_ERROR_DTYPE, "dtype_load: dtype is 99", tn_dtype_load(NO_DTYPE, &element));
    CHECK_ERROR(TN_ERROR_DTYPE, "TN_DTYPE_DEFAULT", tn_dtype_store(TN_DTYPE_DEFAULT, &element, tn_scalar_int(1)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "kind 9", tn_dtype_store(TN_FLOAT64, &element, (tn_scalar){.kind = (tn_scalar_kind)9}));
    CHECK_DOUBLE(element, 3);
    CHECK(!tn_dtype_can_hold(TN_FLOAT64, (tn_scalar){.kind = (tn_scalar_kind)9}));
}

TEST(integers_fit_as_torch_full_takes_them) {
    static const struct range {
        tn_dtype dtype;
        int64_t low, high; /* the least and the largest int64 that fit */
    } ranges[] = {
        {TN_BOOL, INT64_MIN, INT64_MAX},
        {TN_UINT8, -255, 255},
        {TN_UINT16, -65535, 65535},
        {TN_UINT32, -INT64_C(4294967295), 4294967295},
        {TN_UINT64, INT64_MIN, INT64_MAX},
        {TN_INT8, -128, 127},
        {TN_INT16, -32768, 32767},
        {TN_INT32, -INT64_C(2147483648), 2147483647},
        {TN_INT64, INT64_MIN, INT64_MAX},
        {TN_FLOAT16, -65504, 65504},
        {TN_BFLOAT16, INT64_MIN, INT64_MAX},
        {TN_FLOAT32, INT64_MIN, INT64_MAX},
        {TN_FLOAT64, INT64_MIN, INT64_MAX},
        {TN_COMPLEX64, INT64_MIN, INT64_MAX},
        {TN_COMPLEX128, INT64_MIN, INT64_MAX},
        {TN_FLOAT8_E4M3FN, -448, 448},
        {TN_FLOAT8_E5M2, -57344, 57344},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const struct range *r = &ranges[i];
        CHECK(tn_dtype_can_hold(r->dtype, tn_scalar_bool(true)));
        CHECK(tn_dtype_can_hold(r->dtype, tn_scalar_int(r->low)));
        CHECK(tn_dtype_can_hold(r->dtype, tn_scalar_int(r->high)));
        if (r->low != INT64_MIN)
            CHECK(!tn_dtype_can_hold(r->dtype, tn_scalar_int(r->low - 1)));
        if (r->high != INT64_MAX)
            CHECK(!tn_dtype_can_hold(r->dtype, tn_scalar_int(r->high + 1)));
        CHECK_INT(tn_dtype_can_hold(r->dtype, tn_scalar_uint(UINT64_MAX)), r->high == INT64_MAX && r->dtype != TN_INT64);
    }
}

TEST(floats_fit_as_torch_full_takes_them) {
    static const struct range {
        tn_dtype dtype;
        double low, high;
        bool nan, infinity;
    } ranges[] = {
        {TN_UINT8, 0, 255, false, false},
        {TN_UINT32, 0, 4294967295, false, false},
        {TN_UINT64, 0, 0x1.fffffffffffffp63, false, false},
        {TN_INT8, -128, 127, false, false},
        {TN_INT32, -2147483648.0, 2147483647, false, false},
        {TN_INT64, -0x1p63, 0x1.fffffffffffffp62, false, false},
        {TN_FLOAT16, -65504, 65504, true, true},
        {TN_BFLOAT16, -0x1.fep127, 0x1.fep127, true, true},
        {TN_FLOAT32, -0x1.fffffep127, 0x1.fffffep127, true, true},
        {TN_COMPLEX64, -0x1.fffffep127, 0x1.fffffep127, true, true},
        {TN_FLOAT8_E4M3FN, -448, 448, true, false},
        {TN_FLOAT8_E5M2, -57344, 57344, true, true},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const struct range *r = &ranges[i];
        CHECK(tn_dtype_can_hold(r->dtype, tn_scalar_float(r->low)));
        CHECK(tn_dtype_can_hold(r->dtype, tn_scalar_float(r->high)));
        CHECK(tn_dtype_can_hold(r->dtype, tn_scalar_float(-0.0)));
        CHECK(!tn_dtype_can_hold(r->dtype, tn_scalar_float(nextafter(r->low, -INFINITY))));
        CHECK(!tn_dtype_can_hold(r->dtype, tn_scalar_float(nextafter(r->high, INFINITY))));
        CHECK_INT(tn_dtype_can_hold(r->dtype, tn_scalar_float(NAN)), r->nan);
        CHECK_INT(tn_dtype_can_hold(r->dtype, tn_scalar_float(INFINITY)), r->infinity);
        CHECK_INT(tn_dtype_can_hold(r->dtype, tn_scalar_float(-INFINITY)), r->infinity);
    }
    const tn_dtype everything[] = {TN_BOOL, TN_FLOAT64, TN_COMPLEX128};
    for (size_t i = 0; i < 3; i++) {
        CHECK(tn_dtype_can_hold(everything[i], tn_scalar_float(1e308)));
        CHECK(tn_dtype_can_hold(everything[i], tn_scalar_float(NAN)));
    }
}

TEST(a_complex_number_fits_a_real_dtype_when_it_is_real) {
    for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++) {
        bool takes_imaginary = dtype == TN_BOOL || tn_dtype_is_complex(dtype);
        CHECK(tn_dtype_can_hold(dtype, tn_scalar_complex(1, 0)));
        CHECK(tn_dtype_can_hold(dtype, tn_scalar_complex(1, -0.0)));
        CHECK_INT(tn_dtype_can_hold(dtype, tn_scalar_complex(1, 2)), takes_imaginary);
        CHECK_INT(tn_dtype_can_hold(dtype, tn_scalar_complex(0, NAN)), takes_imaginary);
    }
    CHECK(!tn_dtype_can_hold(TN_UINT8, tn_scalar_complex(300, 0)));
    CHECK(!tn_dtype_can_hold(TN_UINT8, tn_scalar_complex(-1, 0)));
    CHECK(!tn_dtype_can_hold(TN_COMPLEX64, tn_scalar_complex(0, 1e39)));
    CHECK(!tn_dtype_can_hold(TN_COMPLEX64, tn_scalar_complex(1e39, 0)));
    CHECK(tn_dtype_can_hold(TN_COMPLEX128, tn_scalar_complex(1e39, -1e300)));
}
