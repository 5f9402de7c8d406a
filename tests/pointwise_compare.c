/* pointwise_compare.c - comparison, logic, bits and selection: against PyTorch's answers (data/compare_cases.inc), against a naive
 * reference for the dtypes that PyTorch does not support, special values, variants and refusals. Strides are tested in
 * gauntlet.c.
 *
 * Tests: src/ops/pointwise/equal.c */
#include "warning_helpers.h"

#include <tenon/dispatch.h>

/* ---- samples and answers */

static const struct sample_case {
    tn_dtype dtype;
    const char *text;
} sample_cases[] = {
#define SAMPLE(dtype, text) {TN_##dtype, text},
#include "data/compare_cases.inc"
};

static tn_tensor *sample(tn_dtype dtype) {
    size_t i = 0;
    while (sample_cases[i].dtype != dtype)
        i++;
    return tn_from_text(sample_cases[i].text, dtype);
}
static tn_tensor *sample_column(tn_dtype dtype) { return tn_unsqueeze(sample(dtype), 1); }
static tn_tensor *sample_start(tn_dtype dtype) { return tn_narrow(sample(dtype), 0, 0, 4); }

/* Up to 64 bools as a number, the first as the lowest bit. */
static uint64_t answers_of(tn_tensor *answers) {
    CHECK(answers);
    CHECK_INT(tn_dtype_of(answers), TN_BOOL);
    const tn_tensor *flat = tn_reshape(answers, TN_DIMS(-1));
    CHECK(flat);
    tn_view_bool view = tn_read_bool(flat);
    uint64_t bits = 0;
    for (int64_t i = 0; i < view.sizes[0]; i++)
        bits |= (uint64_t)TN_AT1(view, i) << i;
    return bits;
}

/* Exactly the same: dtype, sizes, and bits up to the NaN that is meant. */
static void check_same(const char *what, const tn_tensor *actual, const tn_tensor *expected) {
    CHECK(actual && expected);
    if (tn_dtype_of(actual) != tn_dtype_of(expected))
        test_fail(__FILE__, __LINE__, "%s: dtype %s, not %s", what, tn_dtype_name(tn_dtype_of(actual)),
                  tn_dtype_name(tn_dtype_of(expected)));
    const tn_tensor *a = tn_contiguous(actual, TN_CONTIGUOUS), *b = tn_contiguous(expected, TN_CONTIGUOUS);
    CHECK(a && b);
    CHECK_INT(tn_numel(a), tn_numel(b));
    size_t item = tn_element_size(a);
    tn_view_uint8 bytes_a = tn_read_uint8(tn_view_dtype(tn_reshape(a, TN_DIMS(-1)), TN_UINT8));
    tn_view_uint8 bytes_b = tn_read_uint8(tn_view_dtype(tn_reshape(b, TN_DIMS(-1)), TN_UINT8));
    CHECK(bytes_a.data && bytes_b.data);
    for (int64_t i = 0; i < tn_numel(a); i++) {
        tn_scalar x = tn_dtype_load(tn_dtype_of(a), bytes_a.data + (size_t)i * item);
        tn_scalar y = tn_dtype_load(tn_dtype_of(a), bytes_b.data + (size_t)i * item);
        bool both_nan = x.kind == TN_SCALAR_FLOAT && isnan(x.value.d) && isnan(y.value.d);
        bool complex_nan = x.kind == TN_SCALAR_COMPLEX && isnan(x.value.c.real) && isnan(y.value.c.real);
        if (!both_nan && !complex_nan && memcmp(bytes_a.data + (size_t)i * item, bytes_b.data + (size_t)i * item, item) != 0)
            test_fail(__FILE__, __LINE__, "%s: element %lld of %s differs", what, (long long)i, tn_dtype_name(tn_dtype_of(a)));
    }
}

static void check_bits(const char *operator_name, const char *what, uint64_t actual, uint64_t expected) {
    if (actual != expected)
        test_fail(__FILE__, __LINE__, "%s of %s: 0x%llx, not 0x%llx", operator_name, what, (unsigned long long)actual,
                  (unsigned long long)expected);
}

/* The form of a binary operator that takes a plain number. */
static tn_tensor *call_with_number(const char *name, const tn_tensor *self, tn_scalar number) {
    char full[64];
    snprintf(full, sizeof full, "%s.scalar", name);
    return tn_call_tensor(full, TN_VALUES(self, number));
}

static const char *const compare_names[] = {"logical_and", "logical_or", "logical_xor", "eq", "ne", "lt", "le", "gt", "ge"};

/* ---- what PyTorch says */

typedef struct pair_case {
    tn_dtype a, b;
    int count;
    uint64_t answers[9];
} pair_case;

static const pair_case pair_cases[] = {
#define PAIR(a, b, ...) {TN_##a, TN_##b, 9, {__VA_ARGS__}},
#define ORDERLESS(a, b, ...) {TN_##a, TN_##b, 5, {__VA_ARGS__}},
#include "data/compare_cases.inc"
};

TEST_SAMPLED(comparisons_and_logic_of_every_pair_of_dtypes_answer_as_torch) {
    for (size_t i = 0; i < sizeof pair_cases / sizeof pair_cases[0]; i++) {
        const pair_case *c = &pair_cases[i];
        tn_scope scope = tn_scope_open();
        tn_tensor *column = sample_column(c->a), *row = sample(c->b);
        CHECK(column && row);
        char what[64];
        snprintf(what, sizeof what, "%s, %s", tn_dtype_name(c->a), tn_dtype_name(c->b));
        for (int k = 0; k < c->count; k++)
            check_bits(compare_names[k], what, answers_of(tn_call_tensor(compare_names[k], TN_VALUES(column, row))),
                       c->answers[k]);
        tn_scope_close(scope);
    }
}

typedef struct number_case {
    tn_dtype a, b; /* b: TN_DTYPE_DEFAULT for a plain number */
    tn_scalar number;
    int which;
    uint64_t answers[6];
} number_case;

#define TRUTH(x)                                                                                                               \
    {                                                                                                                          \
        .kind = TN_SCALAR_BOOL, .value = {.b = (x) }                                                                           \
    }
#define WHOLE(x)                                                                                                               \
    {                                                                                                                          \
        .kind = TN_SCALAR_INT, .value = {.i = (x) }                                                                            \
    }
#define REAL(x)                                                                                                                \
    {                                                                                                                          \
        .kind = TN_SCALAR_FLOAT, .value = {.d = (x) }                                                                          \
    }
static const number_case number_cases[] = {
#define NUMBER(a, number, ...) {TN_##a, TN_DTYPE_DEFAULT, number, 0, {__VA_ARGS__}},
#define SINGLE(a, b, which, ...) {TN_##a, TN_##b, WHOLE(0), which, {__VA_ARGS__}},
#include "data/compare_cases.inc"
};

TEST_SAMPLED(comparisons_with_numbers_and_tensors_of_no_dimensions_answer_as_torch) {
    for (size_t i = 0; i < sizeof number_cases / sizeof number_cases[0]; i++) {
        const number_case *c = &number_cases[i];
        tn_scope scope = tn_scope_open();
        tn_tensor *self = sample(c->a);
        CHECK(self);
        for (int k = 0; k < 6; k++) {
            tn_tensor *answers =
                c->b == TN_DTYPE_DEFAULT
                    ? call_with_number(compare_names[k + 3], self, c->number)
                    : tn_call_tensor(compare_names[k + 3], TN_VALUES(self, tn_select(sample(c->b), 0, c->which)));
            check_bits(compare_names[k + 3], tn_dtype_name(c->a), answers_of(answers), c->answers[k]);
        }
        tn_scope_close(scope);
    }
}

typedef struct unary_case {
    const char *name;
    tn_dtype a;
    uint64_t answers;
} unary_case;

#define REFUSED UINT64_MAX
static const unary_case unary_cases[] = {
#define UNARY(name, a, answers) {#name, TN_##a, answers},
#include "data/compare_cases.inc"
};

TEST_SAMPLED(questions_about_single_numbers_answer_as_torch) {
    for (size_t i = 0; i < sizeof unary_cases / sizeof unary_cases[0]; i++) {
        const unary_case *c = &unary_cases[i];
        tn_tensor *self = sample(c->a);
        CHECK(self);
        if (c->answers == REFUSED)
            CHECK_ERROR(TN_ERROR_DTYPE, "complex", tn_call_tensor(c->name, TN_VALUES(self)));
        else
            check_bits(c->name, tn_dtype_name(c->a), answers_of(tn_call_tensor(c->name, TN_VALUES(self))), c->answers);
    }
}

typedef struct close_case {
    tn_dtype a;
    double rtol, atol;
    bool equal_nan;
    uint64_t answers;
} close_case;

static const close_case close_cases[] = {
#define CLOSE(a, rtol, atol, equal_nan, answers) {TN_##a, rtol, atol, equal_nan, answers},
#include "data/compare_cases.inc"
};

TEST_SAMPLED(isclose_answers_as_torch) {
    for (size_t i = 0; i < sizeof close_cases / sizeof close_cases[0]; i++) {
        const close_case *c = &close_cases[i];
        tn_tensor *close = tn_isclose(sample_column(c->a), sample(c->a), c->rtol, c->atol, c->equal_nan);
        char what[64];
        snprintf(what, sizeof what, "%s, %g, %g", tn_dtype_name(c->a), c->rtol, c->atol);
        check_bits("isclose", what, answers_of(close), c->answers);
    }
}

typedef struct value_case {
    const char *name;
    tn_dtype a, b; /* b: TN_DTYPE_DEFAULT for a plain number */
    tn_scalar number;
    tn_dtype result;
    const char *text;
} value_case;

static const value_case value_cases[] = {
#define BITS(name, a, b, result, text) {#name, TN_##a, TN_##b, WHOLE(0), TN_##result, text},
#define BITS_NUMBER(name, a, number, result, text) {#name, TN_##a, TN_DTYPE_DEFAULT, number, TN_##result, text},
#define WHERE(a, b, result, text) {"where", TN_##a, TN_##b, WHOLE(0), TN_##result, text},
#define WHERE_NUMBER(a, number, result, text) {"where", TN_##a, TN_DTYPE_DEFAULT, number, TN_##result, text},
#define FILL(a, number, text) {"masked_fill", TN_##a, TN_DTYPE_DEFAULT, number, TN_##a, text},
#include "data/compare_cases.inc"
};

static tn_tensor *every_second(void) { return tn_from_text("[true, false, true, false]", TN_BOOL); }

static tn_tensor *value_of(const value_case *c) {
    if (strcmp(c->name, "where") == 0)
        return c->b == TN_DTYPE_DEFAULT ? tn_where_other_scalar(every_second(), sample_start(c->a), c->number)
                                        : tn_where(every_second(), sample_start(c->a), sample_start(c->b));
    if (strcmp(c->name, "masked_fill") == 0)
        return tn_masked_fill(sample_start(c->a), every_second(), c->number);
    if (strcmp(c->name, "bitwise_not") == 0)
        return tn_bitwise_not(sample(c->a));
    if (c->b == TN_DTYPE_DEFAULT)
        return call_with_number(c->name, sample_start(c->a), c->number);
    return tn_call_tensor(c->name, TN_VALUES(tn_unsqueeze(sample_start(c->a), 1), sample_start(c->b)));
}

TEST_SAMPLED(bits_selections_and_fills_are_those_of_torch) {
    for (size_t i = 0; i < sizeof value_cases / sizeof value_cases[0]; i++) {
        const value_case *c = &value_cases[i];
        tn_scope scope = tn_scope_open();
        if (!c->text) {
            CHECK_ERROR(TN_ERROR_DTYPE, "does not fit", value_of(c));
        } else {
            tn_tensor *actual = value_of(c);
            char what[100];
            snprintf(what, sizeof what, "%s of %s, %s", c->name, tn_dtype_name(c->a), tn_dtype_name(c->b));
            check_same(what, actual, tn_from_text(c->text, c->result));
        }
        tn_scope_close(scope);
    }
}

/* ---- the naive reference, also for pairs that torch has no promotion for */

/* Every integer and float of the samples, exactly. */
static long double exactly(tn_scalar value) {
    switch (value.kind) {
    case TN_SCALAR_BOOL: return value.value.b;
    case TN_SCALAR_INT: return (long double)value.value.i;
    case TN_SCALAR_UINT: return (long double)value.value.u;
    default: return (long double)value.value.d;
    }
}

static tn_scalar element_of(const tn_tensor *self, int64_t i) {
    const tn_tensor *bytes = tn_view_dtype(tn_unsqueeze(tn_select(self, 0, i), 0), TN_UINT8);
    CHECK(bytes);
    tn_view_uint8 view = tn_read_uint8(bytes);
    CHECK(view.data);
    return tn_dtype_load(tn_dtype_of(self), view.data);
}

static bool naive(int question, long double x, long double y) {
    switch (question) {
    case 0: return x != 0 && y != 0;
    case 1: return x != 0 || y != 0;
    case 2: return (x != 0) != (y != 0);
    case 3: return x == y;
    case 4: return x != y;
    case 5: return x < y;
    case 6: return x <= y;
    case 7: return x > y;
    default: return x >= y;
    }
}

TEST_SAMPLED(comparisons_of_integers_are_those_of_the_numbers_they_stand_for) {
    for (int a = TN_BOOL; a <= TN_INT64; a++)
        for (int b = TN_BOOL; b <= TN_INT64; b++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *self = sample((tn_dtype)a), *other = sample((tn_dtype)b);
            CHECK(self && other);
            char what[64];
            snprintf(what, sizeof what, "%s, %s", tn_dtype_name((tn_dtype)a), tn_dtype_name((tn_dtype)b));
            for (int k = 0; k < 9; k++) {
                uint64_t expected = 0;
                for (int i = 0; i < 64; i++)
                    expected |= (uint64_t)naive(k, exactly(element_of(self, i / 8)), exactly(element_of(other, i % 8))) << i;
                tn_tensor *answers = tn_call_tensor(compare_names[k], TN_VALUES(tn_unsqueeze(self, 1), other));
                check_bits(compare_names[k], what, answers_of(answers), expected);
                for (int i = 0; i < 8; i++) { /* a column of self against one element as a tensor of no dimensions, both ways */
                    uint64_t column = 0, turned = 0;
                    for (int j = 0; j < 8; j++) {
                        column |= (uint64_t)naive(k, exactly(element_of(self, j)), exactly(element_of(other, i))) << j;
                        turned |= (uint64_t)naive(k, exactly(element_of(other, i)), exactly(element_of(self, j))) << j;
                    }
                    tn_tensor *single = tn_select(other, 0, i);
                    check_bits(compare_names[k], what, answers_of(tn_call_tensor(compare_names[k], TN_VALUES(self, single))),
                               column);
                    check_bits(compare_names[k], what, answers_of(tn_call_tensor(compare_names[k], TN_VALUES(single, self))),
                               turned);
                }
            }
            tn_scope_close(scope);
        }
}

TEST_SAMPLED(a_number_that_an_integer_dtype_cannot_hold_is_compared_as_what_it_is) {
    const tn_scalar numbers[] = {tn_scalar_int(300),       tn_scalar_int(-300),        tn_scalar_int(INT64_MIN),
                                 tn_scalar_int(INT64_MAX), tn_scalar_uint(UINT64_MAX), tn_scalar_int(INT32_MAX),
                                 tn_scalar_int(-1)};
    for (int a = TN_BOOL; a <= TN_INT64; a++)
        for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
            tn_tensor *self = sample((tn_dtype)a);
            CHECK(self);
            for (int k = 3; k < 9; k++) {
                uint64_t expected = 0;
                for (int i = 0; i < 8; i++)
                    expected |= (uint64_t)naive(k, exactly(element_of(self, i)), exactly(numbers[n])) << i;
                tn_tensor *answers = call_with_number(compare_names[k], self, numbers[n]);
                check_bits(compare_names[k], tn_dtype_name((tn_dtype)a), answers_of(answers), expected);
            }
        }
}

TEST_SAMPLED(shifts_of_every_integer_dtype_are_those_of_wide_arithmetic) {
    for (int d = TN_UINT8; d <= TN_INT64; d++) {
        tn_dtype dtype = (tn_dtype)d;
        int bits = (int)(8 * tn_dtype_size(dtype));
        bool is_signed = tn_dtype_is_signed(dtype);
        tn_tensor *self = sample(dtype);
        CHECK(self);
        for (int places = is_signed ? -2 : 0; places <= bits + 2; places++) {
            tn_tensor *left = tn_bitwise_left_shift_scalar(self, places), *right = tn_bitwise_right_shift_scalar(self, places);
            CHECK(left && right);
            CHECK_INT(tn_dtype_of(left), dtype);
            for (int i = 0; i < 8; i++) {
                tn_scalar value = element_of(self, i), moved_left = element_of(left, i), moved_right = element_of(right, i);
                bool inside = places >= 0 && places < bits;
                uint64_t expected_left = inside ? value.value.u << places : 0;
                if (bits < 64) { /* back to the width of the dtype, with its sign */
                    expected_left &= (UINT64_C(1) << bits) - 1;
                    if (is_signed && expected_left >> (bits - 1))
                        expected_left |= ~((UINT64_C(1) << bits) - 1);
                }
                bool negative = is_signed && value.value.i < 0;
                uint64_t expected_right = inside ? value.value.u >> places : 0;
                if (negative) /* ones move in */
                    expected_right = inside && places > 0 ? expected_right | ~(UINT64_MAX >> places)
                                     : inside             ? value.value.u
                                                          : UINT64_MAX;
                if (moved_left.value.u != expected_left || moved_right.value.u != expected_right)
                    test_fail(__FILE__, __LINE__, "%s, element %d, %d places", tn_dtype_name(dtype), i, places);
            }
        }
    }
}

TEST_SAMPLED(isclose_of_wide_integers_is_exact) {
    tn_tensor *a = TN_VECTOR(int64_t, INT64_MAX, INT64_MIN, INT64_MIN, INT64_C(1) << 60, 5);
    tn_tensor *b = TN_VECTOR(int64_t, INT64_MIN, INT64_MAX, INT64_MIN + 1, (INT64_C(1) << 60) + 3, 5);
    CHECK(a && b);
    CHECK_INT(answers_of(tn_isclose(a, b, 0, 2, false)), 0x14);
    CHECK_INT(answers_of(tn_isclose(a, b, 0, 3, false)), 0x1c);
    CHECK_INT(answers_of(tn_isclose(a, b, 1.0, 0, false)), 0x1c);
    CHECK_INT(answers_of(tn_isclose(a, b, 2.0, 0, false)), 0x1f);
    tn_tensor *u = TN_VECTOR(uint64_t, UINT64_MAX, 0), *v = TN_VECTOR(uint64_t, UINT64_MAX - 7, 1);
    CHECK(u && v);
    CHECK_INT(answers_of(tn_isclose(u, v, 0, 7, false)), 3);
    CHECK_INT(answers_of(tn_isclose(u, v, 0, 0.5, false)), 0);
}

TEST(any_byte_but_0_is_true_in_bool_tensors) {
    const uint8_t bytes[] = {0, 1, 2, 255};
    tn_tensor *self = tn_view_dtype(tn_from_memory(bytes, TN_DIMS(4), TN_UINT8, TN_COPY), TN_BOOL);
    tn_tensor *one = TN_VECTOR(bool, 1), *zero = TN_VECTOR(bool, 0);
    CHECK(self && one && zero);
    CHECK_INT(answers_of(tn_eq(self, one)), 0xe);
    CHECK_INT(answers_of(tn_ne(self, one)), 0x1);
    CHECK_INT(answers_of(tn_lt(self, one)), 0x1);
    CHECK_INT(answers_of(tn_gt(self, zero)), 0xe);
    CHECK_INT(answers_of(tn_bitwise_xor(self, one)), 0x1);
    CHECK_INT(answers_of(tn_bitwise_not(self)), 0x1);
    CHECK_INT(answers_of(tn_logical_and(self, one)), 0xe);
    CHECK_INT(answers_of(tn_isclose(self, one, 0, 0, false)), 0xe);
    tn_tensor *selected = tn_where_scalars(self, 1, 0);
    check_same("where", selected, tn_from_text("[0, 1, 1, 1]", TN_INT64));
}

TEST(bits_of_a_nan_and_the_sign_of_zero_pass_through_where) {
    const uint32_t patterns[] = {0x7fc01234, 0xffc00001, 0x80000000, 0x7f800001};
    tn_tensor *self = tn_from_memory(patterns, TN_DIMS(4), TN_FLOAT32, TN_COPY), *all = tn_ones(TN_DIMS(4), TN_BOOL);
    tn_tensor *selected = tn_where(all, self, tn_zeros(TN_DIMS(4), TN_FLOAT32));
    tn_view_uint32 view = tn_read_uint32(tn_view_dtype(selected, TN_UINT32));
    CHECK(view.data);
    for (int i = 0; i < 4; i++)
        CHECK_INT(TN_AT1(view, i), patterns[i]);
    CHECK_INT(answers_of(tn_signbit(self)), 0x6);
}

TEST(float8_is_selected_and_filled_though_nothing_is_computed_in_it) {
    tn_tensor *self = tn_from_text("[1, 2, 3, 4]", TN_FLOAT8_E5M2), *other = tn_from_text("[-1, -2, -3, -4]", TN_FLOAT8_E5M2);
    tn_tensor *selected = tn_where(every_second(), self, other);
    check_same("where", selected, tn_from_text("[1, -2, 3, -4]", TN_FLOAT8_E5M2));
    check_same("masked_fill", tn_masked_fill(self, every_second(), 0.5), tn_from_text("[0.5, 2, 0.5, 4]", TN_FLOAT8_E5M2));
}

/* ---- variants */

TEST(comparisons_in_place_write_0_and_1_in_the_dtype_of_self) {
    tn_tensor *self = tn_from_text("[1, 2, 3]", TN_FLOAT32);
    CHECK(self);
    CHECK(tn_ge_scalar_(self, 2) == self);
    check_same("ge_", self, tn_from_text("[0, 1, 1]", TN_FLOAT32));
    tn_tensor *whole = tn_from_text("[5, 300, -5]", TN_INT16);
    CHECK(tn_lt_(whole, tn_from_text("[5, 5, 5]", TN_INT16)));
    check_same("lt_", whole, tn_from_text("[0, 0, 1]", TN_INT16));
    tn_tensor *out = tn_zeros(TN_DIMS(3), TN_COMPLEX64);
    CHECK(tn_logical_not_out(out, tn_from_text("[0, nan, 2j]", TN_COMPLEX64)) == out);
    check_same("logical_not_out", out, tn_from_text("[1, 0, 0]", TN_COMPLEX64));
}

TEST(the_long_names_are_the_short_ones) {
    static const char *const names[][2] = {
        {"ne", "not_equal"}, {"lt", "less"}, {"le", "less_equal"}, {"gt", "greater"}, {"ge", "greater_equal"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        tn_tensor *column = sample_column(TN_FLOAT32), *row = sample(TN_INT8);
        CHECK(column && row);
        CHECK(answers_of(tn_call_tensor(names[i][0], TN_VALUES(column, row))) ==
              answers_of(tn_call_tensor(names[i][1], TN_VALUES(column, row))));
        CHECK(answers_of(call_with_number(names[i][0], row, tn_scalar_int(1000))) ==
              answers_of(call_with_number(names[i][1], row, tn_scalar_int(1000))));
    }
}

TEST(where_takes_a_number_on_either_side_and_broadcasts_all_three) {
    tn_tensor *condition = tn_from_text("[[true], [false]]", TN_BOOL), *row = tn_from_text("[1, 2, 3]", TN_INT8);
    check_same("other", tn_where_other_scalar(condition, row, 2.5), tn_from_text("[[1, 2, 3], [2.5, 2.5, 2.5]]", TN_FLOAT32));
    check_same("self", tn_where_self_scalar(condition, 9, row), tn_from_text("[[9, 9, 9], [1, 2, 3]]", TN_INT8));
    check_same("both", tn_where_scalars(condition, true, 2), tn_from_text("[[1], [2]]", TN_INT64));
    check_same("complex", tn_where_scalars(condition, 1.5, tn_scalar_complex(0, 2)),
               tn_from_text("[[1.5], [2j]]", TN_COMPLEX64));
    tn_tensor *out = tn_empty(TN_DIMS(2, 3), TN_FLOAT64);
    CHECK(tn_where_out(out, condition, row, tn_from_text("[0.25]", TN_FLOAT32)) == out);
    check_same("out", out, tn_from_text("[[1, 2, 3], [0.25, 0.25, 0.25]]", TN_FLOAT64));
    CHECK(tn_where_self_scalar_out(out, condition, 1, row) && tn_where_other_scalar_out(out, condition, row, 1) &&
          tn_where_scalars_out(tn_empty(TN_DIMS(2, 1), TN_FLOAT32), condition, 1, 2));
    check_same("other out", out, tn_from_text("[[1, 2, 3], [1, 1, 1]]", TN_FLOAT64));
}

TEST(masked_fill_keeps_the_dtype_of_self_and_broadcasts_the_mask) {
    tn_tensor *self = tn_from_text("[[1, 2], [3, 4]]", TN_INT32), *mask = tn_from_text("[true, false]", TN_BOOL);
    CHECK(self && mask);
    check_same("masked_fill", tn_masked_fill(self, mask, 7.9), tn_from_text("[[7, 2], [7, 4]]", TN_INT32));
    check_same("tensor", tn_masked_fill_tensor(self, mask, tn_from_text("-1", TN_FLOAT64)),
               tn_from_text("[[-1, 2], [-1, 4]]", TN_INT32));
    CHECK(tn_masked_fill_(self, mask, 9) == self);
    check_same("masked_fill_", self, tn_from_text("[[9, 2], [9, 4]]", TN_INT32));
    CHECK(tn_masked_fill_tensor_(self, tn_from_text("[[false], [true]]", TN_BOOL), tn_from_text("0", TN_UINT8)) == self);
    check_same("masked_fill_tensor_", self, tn_from_text("[[9, 2], [0, 0]]", TN_INT32));
    tn_tensor *row = tn_from_text("[1.5, 2.5]", TN_FLOAT16);
    check_same("wider mask", tn_masked_fill(row, tn_from_text("[[true], [false]]", TN_BOOL), INFINITY),
               tn_from_text("[[inf, inf], [1.5, 2.5]]", TN_FLOAT16));
    check_same("bool", tn_masked_fill(mask, tn_logical_not(mask), 5), tn_from_text("[true, true]", TN_BOOL));
}

/* ---- one answer */

TEST(equal_wants_the_same_sizes_and_no_nan) {
    tn_tensor *a = tn_from_text("[[1, 2], [3, 4]]", TN_FLOAT32), *b = tn_from_text("[[1, 2], [3, 4]]", TN_FLOAT32);
    CHECK(a && b);
    CHECK(tn_equal(a, a) && tn_equal(a, b));
    tn_tensor *turned = tn_transpose(tn_contiguous(tn_transpose(b, 0, 1), TN_CONTIGUOUS), 0, 1);
    tn_tensor *whole = tn_to(b, TN_INT64), *half = tn_to(b, TN_FLOAT16);
    CHECK(turned && whole && half);
    CHECK(tn_equal(a, turned) && !tn_equal(a, tn_transpose(b, 0, 1)) && tn_error_code() == TN_OK);
    CHECK(tn_equal(a, whole) && tn_equal(half, half));
    CHECK(!tn_equal(a, tn_reshape(b, TN_DIMS(4))));
    CHECK(tn_fill_(tn_index(b, TN_AT(1), TN_AT(1)), NAN));
    CHECK(!tn_equal(a, b) && !tn_equal(b, b) && tn_error_code() == TN_OK);
    tn_tensor *none = tn_empty(TN_DIMS(0, 3), TN_INT8), *others = tn_empty(TN_DIMS(3, 0), TN_INT8);
    CHECK(none && others);
    CHECK(tn_equal(none, none) && !tn_equal(none, others) && tn_error_code() == TN_OK);
}

TEST_SAMPLED(equal_finds_one_difference_among_many_elements) {
    tn_tensor *a = tn_arange(10000, TN_INT32), *b = tn_arange(10000, TN_INT32);
    CHECK(tn_equal(a, b));
    CHECK(tn_fill_(tn_select(b, 0, 9999), 0));
    CHECK(!tn_equal(a, b) && !tn_equal(tn_flip(a, TN_DIMS(0)), tn_flip(b, TN_DIMS(0))) && tn_error_code() == TN_OK);
}

TEST(allclose_broadcasts_and_takes_tolerances) {
    tn_tensor *a = tn_from_text("[[1, 2], [1, 2]]", TN_FLOAT64), *b = tn_from_text("[1.000001, 2.000001]", TN_FLOAT64);
    CHECK(a && b);
    CHECK(tn_allclose(a, b, 1e-5, 1e-8, false) && !tn_allclose(a, b, 1e-7, 1e-8, false) && tn_error_code() == TN_OK);
    tn_tensor *nan = tn_from_text("[nan, inf]", TN_FLOAT32), *half = tn_to(nan, TN_BFLOAT16);
    CHECK(nan && half);
    CHECK(tn_allclose(nan, nan, 0, 0, true) && !tn_allclose(nan, nan, 0, 0, false) && tn_allclose(half, half, 0, 0, true));
    CHECK(tn_error_code() == TN_OK);
}

/* ---- refusals */

TEST(what_cannot_be_compared_is_refused_before_anything_is_written) {
    tn_tensor *complex = sample(TN_COMPLEX64), *real = sample(TN_FLOAT32), *whole = sample(TN_INT32);
    tn_tensor *small = tn_from_text("[1, 2, 3]", TN_FLOAT8_E4M3FN), *other = tn_from_text("[1, 2, 3]", TN_FLOAT8_E5M2);
    CHECK(complex && real && whole && small && other);
    CHECK_ERROR(TN_ERROR_DTYPE, "no order", tn_lt(complex, complex));
    CHECK_ERROR(TN_ERROR_DTYPE, "no order", tn_greater_equal_scalar(real, tn_scalar_complex(1, 1)));
    CHECK_ERROR(TN_ERROR_DTYPE, "no dtype", tn_eq(small, other));
    CHECK_ERROR(TN_ERROR_SHAPE, "broadcast", tn_eq(real, tn_zeros(TN_DIMS(3), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32", tn_bitwise_and(real, whole));
    CHECK_ERROR(TN_ERROR_DTYPE, "not defined for bool", tn_bitwise_left_shift(tn_eq(whole, whole), tn_eq(whole, whole)));
    CHECK_ERROR(TN_ERROR_DTYPE, "ldexp", tn_bitwise_right_shift_scalar(whole, 2.5));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "rtol = -1", tn_isclose(real, real, -1, 0, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "atol = nan", tn_isclose(real, real, 0, NAN, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "atol", tn_allclose(real, real, 0, -1, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "broadcast", tn_allclose(real, tn_zeros(TN_DIMS(3), TN_FLOAT32), 0, 0, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "", tn_equal(real, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "", tn_allclose(NULL, real, 0, 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "no dtype", tn_equal(small, other));
}

TEST(selections_refuse_conditions_that_are_no_bools_and_numbers_that_do_not_fit) {
    tn_tensor *whole = sample(TN_INT8), *mask = tn_eq(whole, whole), *bytes = tn_to(mask, TN_INT8);
    CHECK(whole && mask && bytes);
    CHECK_ERROR(TN_ERROR_DTYPE, "condition", tn_where(bytes, whole, whole));
    CHECK_ERROR(TN_ERROR_DTYPE, "condition", tn_where_scalars(bytes, 1, 2));
    CHECK_ERROR(TN_ERROR_DTYPE, "other = 300 does not fit", tn_where_other_scalar(mask, whole, 300));
    CHECK_ERROR(TN_ERROR_DTYPE, "self = 300 does not fit", tn_where_self_scalar_out(whole, mask, 300, whole));
    CHECK_ERROR(TN_ERROR_DTYPE, "no dtype",
                tn_where(mask, tn_zeros(TN_DIMS(8), TN_FLOAT8_E5M2), tn_zeros(TN_DIMS(8), TN_FLOAT8_E4M3FN)));
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written", tn_where_out(whole, mask, sample(TN_FLOAT32), sample(TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_DTYPE, "mask", tn_masked_fill(whole, bytes, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "mask", tn_masked_fill_(whole, bytes, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "value = 300 does not fit", tn_masked_fill_(whole, mask, 300));
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit", tn_masked_fill(whole, mask, tn_scalar_complex(0, 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "no dimensions", tn_masked_fill_tensor(whole, mask, tn_select(tn_unsqueeze(whole, 0), 1, 0)));
    CHECK_ERROR(TN_ERROR_SHAPE, "no dimensions", tn_masked_fill_tensor_(whole, mask, whole));
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_masked_fill_(whole, tn_unsqueeze(tn_narrow(mask, 0, 0, 2), 1), 1));
    check_same("untouched", whole, sample(TN_INT8));
}

TEST(a_condition_of_uint8_is_taken_with_a_warning) {
    tn_tensor *bytes = tn_from_text("[1, 0, 7]", TN_UINT8), *x = tn_from_text("[1, 2, 3]", TN_FLOAT32);
    CHECK(bytes && x);
    WARNINGS_BEGIN(heard);
    CHECK(warnings_are(tn_where(bytes, x, tn_neg(x)), "[1, -2, 3]", TN_FLOAT32));
    CHECK_INT(heard.calls, 1);
    CHECK(strstr(heard.last.message, "where: condition is [3] uint8"));
    CHECK(warnings_are(tn_where_scalars(bytes, 4, 5), "[4, 5, 4]", TN_INT64));
    CHECK_INT(heard.calls, 2);
}
