/* from_text.c - tensors read from text, compared with what torch.tensor makes of the same literal. */
#include "test.h"

#include <locale.h>

typedef struct text_case {
    const char *text;
    tn_dtype dtype;
    bool raises;
    tn_dtype result;
    tn_dims sizes;
    const double *values;
} text_case;

#define SEQUENCE(...)
#define FULL(...)
#define VALUES(...) ((const double[]){__VA_ARGS__})
#define NO_VALUES NULL
#define SIZES(...)                                                                                                             \
    { (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t) }
#define NO_SIZES                                                                                                               \
    { NULL, 0 }
#define TEXT(text, DTYPE, raises, RESULT, sizes, values) {text, TN_##DTYPE, raises, TN_##RESULT, sizes, values},
static const text_case text_cases[] = {
#include "data/create_cases.inc"
};

TEST_SAMPLED(texts_are_read_as_pytorch_reads_the_literal) {
    for (size_t i = 0; i < sizeof text_cases / sizeof text_cases[0]; i++) {
        const text_case *one = &text_cases[i];
        tn_tensor *x = tn_from_text(one->text, one->dtype);
        if (one->raises != (x == NULL))
            test_fail(__FILE__, __LINE__, "\"%s\" as %s: torch %s, we %s", one->text, tn_dtype_name(one->dtype),
                      one->raises ? "raises" : "reads it", x ? "read it" : tn_error_message());
        tn_error_clear();
        if (!x)
            continue;
        CHECK_INT(tn_dtype_of(x), one->result);
        CHECK_INT(tn_ndim(x), one->sizes.count);
        for (int64_t d = 0; d < one->sizes.count; d++)
            CHECK_INT(tn_size(x, d), one->sizes.values[d]);
        CHECK(tn_is_contiguous(x));
        tn_tensor *flat = tn_view(x, TN_DIMS(tn_numel(x)));
        CHECK(flat);
        for (int64_t k = 0; k < tn_numel(x); k++) {
            tn_scalar value = tn_get_element(flat, TN_DIMS(k));
            bool complex = value.kind == TN_SCALAR_COMPLEX;
            double ours = complex ? value.value.c.real : tn_get_double(flat, TN_DIMS(k));
            double theirs = one->values[complex ? 2 * k : k];
            if (!(ours == theirs || (isnan(ours) && isnan(theirs))) ||
                (complex && value.value.c.imag != one->values[2 * k + 1]))
                test_fail(__FILE__, __LINE__, "\"%s\" as %s: element %lld is %.17g, torch's %.17g", one->text,
                          tn_dtype_name(one->dtype), (long long)k, ours, theirs);
        }
    }
}

TEST(zeros_keep_their_sign_and_special_numbers_their_parts) {
    tn_tensor *x = tn_from_text("[-0.0, 0.0, -nan, +inf]", TN_FLOAT64);
    tn_tensor *z = tn_from_text("[nan+infj, -infj, 1-nanj, nanj, inf-2j]", TN_COMPLEX128);
    CHECK(x && z);
    CHECK(signbit(tn_get_double(x, TN_DIMS(0))) && !signbit(tn_get_double(x, TN_DIMS(1))));
    CHECK(isnan(tn_get_double(x, TN_DIMS(2))));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(3)), INFINITY);
    tn_complex128 expected[] = {{NAN, INFINITY}, {0, -INFINITY}, {1, NAN}, {0, NAN}, {INFINITY, -2}};
    for (int64_t i = 0; i < 5; i++) {
        tn_complex128 got = tn_get_element(z, TN_DIMS(i)).value.c;
        CHECK_DOUBLE(got.real, expected[i].real);
        CHECK_DOUBLE(got.imag, expected[i].imag);
    }
}

TEST(integers_are_exact_to_64_bits) {
    tn_tensor *x = tn_from_text("[9223372036854775807, -9223372036854775808, 9007199254740993]", TN_DTYPE_DEFAULT);
    tn_tensor *big = tn_from_text("[18446744073709551615, 1]", TN_DTYPE_DEFAULT);
    tn_tensor *zeros = tn_from_text("0000000000000000000000000000000000017", TN_DTYPE_DEFAULT);
    CHECK(x && big && zeros);
    CHECK_INT(tn_get_int64(x, TN_DIMS(0)), INT64_MAX);
    CHECK_INT(tn_get_int64(x, TN_DIMS(1)), INT64_MIN);
    CHECK_INT(tn_get_int64(x, TN_DIMS(2)), INT64_C(9007199254740993));
    CHECK_INT(tn_dtype_of(big), TN_UINT64);
    CHECK(tn_get_element(big, TN_DIMS(0)).value.u == UINT64_MAX);
    CHECK_INT(tn_item_int64(zeros), 17);
    CHECK_ERROR(TN_ERROR_DTYPE, "column 2: the integer 18446744073709551616 does not fit in 64 bits",
                tn_from_text("[18446744073709551616]", TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "the integer -9223372036854775809", tn_from_text("-9223372036854775809", TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "no integer dtype holds both", tn_from_text("[-1, 18446744073709551615]", TN_DTYPE_DEFAULT));
    tn_tensor *mixed = tn_from_text("[-1, 18446744073709551615, 0.5]", TN_DTYPE_DEFAULT);
    CHECK(mixed);
    CHECK_DOUBLE(tn_get_double(mixed, TN_DIMS(1)), 0x1p64);
}

TEST(what_cannot_be_read_is_an_error_with_its_column) {
    struct {
        const char *text;
        tn_error code;
        const char *part;
    } cases[] = {
        {"", TN_ERROR_ARGUMENT, "from_text: column 1: "},
        {"   ", TN_ERROR_ARGUMENT, "column 4: "},
        {"[", TN_ERROR_ARGUMENT, "column 2: "},
        {"]", TN_ERROR_ARGUMENT, "column 1: "},
        {"[1", TN_ERROR_ARGUMENT, "column 3: a comma"},
        {"[1 2]", TN_ERROR_ARGUMENT, "column 4: a comma"},
        {"[1,,2]", TN_ERROR_ARGUMENT, "column 4: "},
        {"[,]", TN_ERROR_ARGUMENT, "column 2: "},
        {"1 2", TN_ERROR_ARGUMENT, "column 3: nothing more"},
        {"[1]]", TN_ERROR_ARGUMENT, "column 4: nothing more"},
        {"x", TN_ERROR_ARGUMENT, "not 'x'"},
        {"--1", TN_ERROR_ARGUMENT, "column 1: "},
        {"1..2", TN_ERROR_ARGUMENT, "'1..2' is not a number"},
        {"1e", TN_ERROR_ARGUMENT, "is not a number"},
        {"1e+", TN_ERROR_ARGUMENT, "is not a number"},
        {".", TN_ERROR_ARGUMENT, "column 1: "},
        {"e5", TN_ERROR_ARGUMENT, "is not a number"},
        {"1+2", TN_ERROR_ARGUMENT, "column 4: the second part"},
        {"1+", TN_ERROR_ARGUMENT, "column 2: "},
        {"0x10", TN_ERROR_ARGUMENT, "column 2: nothing more"},
        {"infinity", TN_ERROR_ARGUMENT, "column 1: "},
        {"nano", TN_ERROR_ARGUMENT, "column 1: "},
        {"truely", TN_ERROR_ARGUMENT, "column 1: "},
        {"truej", TN_ERROR_ARGUMENT, "column 1: "},
        {"nanjj", TN_ERROR_ARGUMENT, "column 1: "},
        {"1j2", TN_ERROR_ARGUMENT, "column 3: "},
        {"1_000", TN_ERROR_ARGUMENT, "column 2: "},
        {"\xff\xfe", TN_ERROR_ARGUMENT, "column 1: "},
        {"[[1, 2], [3]]", TN_ERROR_SHAPE, "column 12: this bracket closes a row of 1 where others in dimension 1 have 2"},
        {"[1, [2]]", TN_ERROR_SHAPE, "column 6: this element is 2 brackets deep, others are 1"},
        {"[[1], 2]", TN_ERROR_SHAPE, "brackets deep"},
        {"[[], [1]]", TN_ERROR_SHAPE, "closes a row of 1"},
        {"[[[]], []]", TN_ERROR_SHAPE, "brackets deep"},
        {"[[1], []]", TN_ERROR_SHAPE, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_ERROR(cases[i].code, cases[i].part, tn_from_text(cases[i].text, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "column 5: 300 does not fit in uint8", tn_from_text("[1, 300]", TN_UINT8));
    CHECK_ERROR(TN_ERROR_DTYPE, "1+2j does not fit in float32", tn_from_text("1+2j", TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_DTYPE, "dtype number 18", tn_from_text("1", TN_DTYPE_COUNT));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "text is NULL", tn_from_text(NULL, TN_DTYPE_DEFAULT));
}

TEST(brackets_nest_to_64_and_no_deeper) {
    char text[2 * 20000 + 2];
    int depths[] = {64, 65, 20000};
    for (int i = 0; i < 3; i++) {
        size_t depth = (size_t)depths[i];
        memset(text, '[', depth);
        text[depth] = '7';
        memset(text + depth + 1, ']', depth);
        text[2 * depth + 1] = 0;
        if (depth > 64) {
            CHECK_ERROR(TN_ERROR_SHAPE, "column 65: more than 64 brackets deep", tn_from_text(text, TN_DTYPE_DEFAULT));
            continue;
        }
        tn_tensor *x = tn_from_text(text, TN_DTYPE_DEFAULT);
        CHECK(x);
        CHECK_INT(tn_ndim(x), 64);
        CHECK_INT(tn_item_int64(x), 7);
    }
}

TEST(long_numbers_are_read_or_refused_but_never_cut) {
    char text[2000];
    memset(text, '0', sizeof text);
    text[1] = '.';
    text[400] = '5';
    text[401] = 0;
    tn_tensor *tiny = tn_from_text(text, TN_FLOAT64);
    CHECK(tiny);
    CHECK_DOUBLE(tn_item_double(tiny), 0);
    text[401] = '0';
    text[1999] = 0;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1: a number of more than 511 characters", tn_from_text(text, TN_FLOAT64));
    memset(text, '9', 600);
    text[600] = 0;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "more than 511", tn_from_text(text, TN_DTYPE_DEFAULT));
}

TEST(a_large_text_gives_every_element_its_place) {
    char text[60000], *at = text;
    *at++ = '[';
    for (int i = 0; i < 50; i++) {
        at += sprintf(at, "%s\n [", i ? "," : "");
        for (int j = 0; j < 100; j++)
            at += sprintf(at, "%s%d", j ? ",\t" : "", i * 100 + j);
        at += sprintf(at, "]");
    }
    strcpy(at, "]\n");
    for (tn_dtype dtype = TN_INT16; dtype <= TN_FLOAT64; dtype++) {
        if (dtype >= TN_FLOAT16 && dtype <= TN_BFLOAT16)
            continue;
        tn_tensor *x = tn_from_text(text, dtype);
        CHECK(x);
        CHECK_INT(tn_size(x, 0) * 1000 + tn_size(x, 1), 50100);
        for (int64_t i = 0; i < 5000; i += 7)
            CHECK_INT(tn_get_int64(x, TN_DIMS(i / 100, i % 100)), i);
    }
}

static void restore_locale(void *unused) {
    (void)unused;
    setlocale(LC_NUMERIC, "C");
}

TEST(the_decimal_point_is_a_point_in_every_locale) {
    TEST_DEFER(restore_locale, NULL);
    const char *names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8", "C.UTF-8"}; /* those this machine has */
    for (int i = 0; i < 4; i++) {
        if (!setlocale(LC_NUMERIC, names[i]))
            continue;
        tn_tensor *x = tn_from_text("[1.5, -2.25e1]", TN_FLOAT64);
        CHECK(x);
        CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0)), 1.5);
        CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1)), -22.5);
        CHECK_ERROR(TN_ERROR_ARGUMENT, "column 3: a comma", tn_from_text("[1;5]", TN_FLOAT64));
    }
}
