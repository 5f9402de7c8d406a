/* pointwise_forms.c - the forms of an operator besides that of two tensors: with a number after or in front, under another name, into
 * a given tensor; and comparisons of integers that have no dtype in common.
 *
 * Tests: src/ops/pointwise/pointwise_call.c */
#include "test.h"

#include <tenon/dispatch.h>

/* ---- numbers */

static const tn_dtype form_dtypes[] = {TN_BOOL,    TN_UINT8,    TN_INT8,    TN_INT64,   TN_UINT64,
                                       TN_FLOAT16, TN_BFLOAT16, TN_FLOAT32, TN_FLOAT64, TN_COMPLEX64};

static bool same_bits(const tn_tensor *a, const tn_tensor *b) {
    if (tn_dtype_of(a) != tn_dtype_of(b) || tn_numel(a) != tn_numel(b))
        return false;
    size_t item = tn_element_size(a);
    for (int64_t i = 0; i < tn_numel(a); i++) {
        const char *x = (const char *)tn_data(a) + (size_t)i * item, *y = (const char *)tn_data(b) + (size_t)i * item;
        tn_scalar one = tn_dtype_load(tn_dtype_of(a), x), two = tn_dtype_load(tn_dtype_of(a), y);
        bool nans = one.kind == TN_SCALAR_FLOAT && isnan(one.value.d) && isnan(two.value.d);
        bool complex_nans = one.kind == TN_SCALAR_COMPLEX && isnan(one.value.c.real) && isnan(two.value.c.real);
        if (memcmp(x, y, item) != 0 && !nans && !complex_nans)
            return false;
    }
    return true;
}

/* op(x, number) against the operator of two tensors, given the number as a tensor of no dimensions. */
static void check_form(const tn_operator *op, const char *of_tensors, const tn_tensor *x, tn_scalar number, bool behind) {
    tn_scope scope = tn_scope_open();
    bool wide = number.kind == TN_SCALAR_FLOAT && !tn_dtype_is_integral(tn_dtype_of(x)); /* than the default, for float64 */
    tn_tensor *single = tn_full(TN_DIMS(), number, wide ? TN_FLOAT64 : TN_DTYPE_DEFAULT);
    CHECK(single);
    tn_tensor *with_number = behind ? tn_call_tensor(tn_operator_name(op), TN_VALUES(x, number))
                                    : tn_call_tensor(tn_operator_name(op), TN_VALUES(number, x));
    tn_error code = with_number ? TN_OK : tn_error_code();
    tn_error_clear();
    tn_tensor *with_tensor =
        behind ? tn_call_tensor(of_tensors, TN_VALUES(x, single)) : tn_call_tensor(of_tensors, TN_VALUES(single, x));
    tn_error expected = with_tensor ? TN_OK : tn_error_code();
    tn_error_clear();
    if (code != expected || (with_number && !same_bits(with_number, with_tensor)))
        test_fail(__FILE__, __LINE__, "%s of %s differs from %s", tn_operator_name(op), tn_dtype_name(tn_dtype_of(x)),
                  of_tensors);
    tn_scope_close(scope);
}

/* Numbers are checked where tensors are not (a negative power, a value that wraps), heaviside's tensors must agree, and
 * float_power uses all digits of a number. */
static bool form_is_stricter(const char *base) {
    static const char *const names[] = {"pow", "heaviside", "float_power", "rsub", "isclose"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(base, names[i]) == 0)
            return true;
    return false;
}

TEST_SAMPLED(a_number_beside_a_tensor_counts_as_a_tensor_of_no_dimensions_does) {
    const tn_scalar numbers[] = {tn_scalar_int(3), tn_scalar_float(0.1), tn_scalar_bool(true)};
    int64_t seen = 0;
    for (int64_t k = 0; k < tn_operator_count(); k++) {
        const tn_operator *op = tn_operator_at(k);
        const char *dot = strchr(tn_operator_name(op), '.');
        bool behind = dot && strcmp(dot, ".scalar") == 0, in_front = dot && strcmp(dot, ".rscalar") == 0;
        const char *group = tn_operator_group(op);
        bool pointwise = strcmp(group, "arithmetic") == 0 || strcmp(group, "math") == 0 || strcmp(group, "compare") == 0 ||
                         strcmp(group, "logic") == 0;
        if (!(behind || in_front) || !pointwise || tn_operator_variant(op) != TN_VARIANT_FUNCTIONAL ||
            form_is_stricter(tn_operator_base(op)))
            continue;
        seen++;
        for (size_t d = 0; d < sizeof form_dtypes / sizeof form_dtypes[0]; d++) {
            tn_tensor *x = tn_from_text("[1, 7, 2, 100, 3]", form_dtypes[d]);
            CHECK(x);
            for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
                check_form(op, tn_operator_base(op), x, numbers[n], behind);
        }
    }
    CHECK(seen > 50);
}

TEST(questions_with_a_number_in_front_are_asked_from_its_side) {
    tn_tensor *x = tn_from_text("[-3, 2, 100]", TN_INT8);
    CHECK(x);
    static const char *const names[] = {"lt", "le", "gt", "ge"};
    for (int k = 0; k < 4; k++)
        for (int64_t number = -300; number <= 300; number += 151) {
            char name[16];
            snprintf(name, sizeof name, "%s.rscalar", names[k]);
            const tn_tensor *answers = tn_call_tensor(name, TN_VALUES(number, x));
            CHECK(answers);
            for (int64_t i = 0; i < 3; i++) {
                int64_t other = tn_get_int64(x, TN_DIMS(i));
                bool wanted = k == 0 ? number < other : k == 1 ? number <= other : k == 2 ? number > other : number >= other;
                CHECK(tn_get_int64(answers, TN_DIMS(i)) == wanted);
            }
        }
    tn_tensor *out = tn_empty(TN_DIMS(3), TN_BOOL);
    CHECK(out && tn_lt_rscalar_out(out, 2, x) == out);
    CHECK_INT(tn_get_int64(out, TN_DIMS(1)), 0);
    CHECK_INT(tn_get_int64(out, TN_DIMS(2)), 1);
}

/* ---- integers without a common dtype */

static uint64_t wide_number(void) {
    uint64_t bits = test_random() ^ test_random() << 32;
    return bits >> (test_random() % 3 * 11); /* above 2^53 most, around the numbers that float64 cannot tell apart */
}

TEST_SAMPLED(uint64_is_compared_with_signed_integers_as_numbers) {
    static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    enum { COUNT = 200 };
    tn_tensor *a = tn_empty(TN_DIMS(COUNT), TN_UINT64), *b = tn_empty(TN_DIMS(COUNT), TN_INT64);
    CHECK(a && b);
    uint64_t *x = tn_mutable_data(a);
    int64_t *y = tn_mutable_data(b);
    for (int i = 0; i < COUNT; i++) {
        x[i] = wide_number();
        y[i] = (int64_t)(x[i] + (uint64_t)test_random_between(-1, 1)); /* a neighbour, or one that wraps to below 0 */
    }
    for (int k = 0; k < 6; k++) {
        const tn_tensor *answers = tn_call_tensor(names[k], TN_VALUES(a, b));
        const tn_tensor *turned = tn_call_tensor(names[k], TN_VALUES(tn_flip(b, TN_DIMS(0)), tn_flip(a, TN_DIMS(0))));
        CHECK(answers && turned);
        for (int i = 0; i < COUNT; i++) {
            int order = y[i] < 0 || x[i] > (uint64_t)y[i] ? 1 : x[i] < (uint64_t)y[i] ? -1 : 0;
            const bool wanted[] = {order == 0, order != 0, order<0, order <= 0, order> 0, order >= 0};
            const bool mirrored[] = {order == 0, order != 0, order > 0, order >= 0, order < 0, order <= 0};
            CHECK_INT(((const uint8_t *)tn_data(answers))[i], wanted[k]);
            CHECK_INT(((const uint8_t *)tn_data(turned))[COUNT - 1 - i], mirrored[k]);
        }
    }
    tn_tensor *minus = tn_from_text("-1", TN_INT32), *largest = tn_from_text("18446744073709551615", TN_UINT64);
    CHECK(minus && largest && !tn_equal(largest, minus) && tn_error_code() == TN_OK);
    CHECK(tn_gt_(largest, minus) == largest);
    CHECK_INT(tn_item_int64(largest), 1);
}

TEST(nearly_equal_integers_of_two_dtypes_are_told_from_those_that_wrap) {
    tn_tensor *small = tn_from_text("[44, 100, -1]", TN_INT8), *wide = tn_from_text("300", TN_INT64);
    CHECK(small && wide);
    CHECK(!tn_allclose(tn_narrow(small, 0, 0, 1), wide, 0, 0, false) && tn_error_code() == TN_OK);
    CHECK(tn_allclose(small, wide, 0, 301, false) && !tn_allclose(small, wide, 0, 300, false));
    tn_tensor *near = tn_isclose_scalar(small, 300, 0, 201, false), *front = tn_isclose_rscalar(300, small, 2, 0, false);
    CHECK(near && front);
    for (int64_t i = 0; i < 3; i++) {
        CHECK_INT(tn_get_int64(near, TN_DIMS(i)), i == 1);
        CHECK_INT(tn_get_int64(front, TN_DIMS(i)), i == 1); /* 200 from 100 is twice 100 */
    }
    tn_tensor *huge = tn_from_text("[18446744073709551615, 9007199254740993]", TN_UINT64);
    tn_tensor *other = tn_from_text("[-1, 9007199254740992]", TN_INT64);
    CHECK(huge && other);
    tn_tensor *none = tn_isclose(huge, other, 0, 0.5, false), *one = tn_isclose(other, huge, 0, 1, false);
    CHECK(none && one);
    CHECK_INT(tn_get_int64(none, TN_DIMS(0)), 0);
    CHECK_INT(tn_get_int64(none, TN_DIMS(1)), 0);
    CHECK_INT(tn_get_int64(one, TN_DIMS(0)), 0);
    CHECK_INT(tn_get_int64(one, TN_DIMS(1)), 1);
    CHECK(tn_allclose(huge, other, 0, 0x1p64, false) && !tn_allclose(huge, other, 0, 0x1p63, false));
    tn_tensor *truth = tn_from_text("[true, false]", TN_BOOL);
    CHECK(truth && tn_allclose(truth, tn_from_text("[1, 0]", TN_UINT64), 0, 0, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "rtol", tn_isclose_scalar(small, 1, -1, 0, false));
}

TEST(equal_and_allclose_are_operators_with_a_yes_or_a_no) {
    tn_tensor *a = tn_from_text("[1, 2]", TN_FLOAT32), *b = tn_from_text("[1, 3]", TN_FLOAT32);
    CHECK(a && b);
    tn_value answer = tn_value_none();
    CHECK(tn_operator_call(tn_operator_find("equal"), TN_VALUES(a, a), &answer) == TN_OK);
    CHECK(answer.kind == TN_VALUE_BOOL && answer.as.boolean);
    CHECK(tn_operator_call(tn_operator_find("equal"), TN_VALUES(a, b), &answer) == TN_OK);
    CHECK(answer.kind == TN_VALUE_BOOL && !answer.as.boolean);
    CHECK(tn_operator_call(tn_operator_find("allclose"), TN_VALUES(a, b, 0.5), &answer) == TN_OK);
    CHECK(answer.kind == TN_VALUE_BOOL && answer.as.boolean);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "rtol",
                tn_operator_call(tn_operator_find("allclose"), TN_VALUES(a, b, -1.0), &answer) == TN_OK);
}

/* ---- refusals */

TEST(no_part_of_a_difference_may_be_a_bool) {
    tn_tensor *truth = tn_from_text("[true, false]", TN_BOOL), *whole = tn_from_text("[1, 2]", TN_INT64);
    tn_tensor *real = tn_from_text("[1, 2]", TN_FLOAT32);
    CHECK(truth && whole && real);
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_sub(truth, whole));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_sub(whole, truth));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_sub_(real, truth));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_sub_scalar(truth, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_sub_scalar(real, tn_scalar_bool(true)));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_sub_scalar_(real, tn_scalar_bool(true)));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_sub_rscalar(tn_scalar_bool(true), whole));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_sub_rscalar(1, truth));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_sub_alpha(whole, truth, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_rsub(truth, whole, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_rsub_scalar(whole, tn_scalar_bool(true), 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_subtract(truth, real));
    CHECK_DOUBLE(tn_get_double(real, TN_DIMS(1)), 2);
}

TEST(a_real_magnitude_cannot_take_the_place_of_a_complex_number) {
    tn_tensor *z = tn_complex(tn_from_text("[3]", TN_FLOAT32), tn_from_text("[4]", TN_FLOAT32));
    CHECK(z);
    CHECK_ERROR(TN_ERROR_DTYPE, "real", tn_abs_(z));
    CHECK_ERROR(TN_ERROR_DTYPE, "real", tn_absolute_(z));
    tn_tensor *out = tn_zeros(TN_DIMS(1), TN_FLOAT32), *wide = tn_zeros(TN_DIMS(1), TN_COMPLEX64);
    CHECK(out && wide && tn_abs_out(out, z) == out && tn_abs_out(wide, z) == wide);
    CHECK_DOUBLE(tn_get_double(out, TN_DIMS(0)), 5);
    CHECK_DOUBLE(tn_get_double(tn_real(wide), TN_DIMS(0)), 5);
    CHECK_DOUBLE(tn_get_double(tn_imag(z), TN_DIMS(0)), 4);
}

TEST(an_out_that_is_the_complex_operand_takes_its_magnitude_or_angle) {
    tn_tensor *z = tn_complex(tn_from_text("[[3, 0], [-6, 8]]", TN_FLOAT64), tn_from_text("[[4, -5], [8, -6]]", TN_FLOAT64));
    tn_tensor *turned = z ? tn_transpose(tn_clone(z, TN_CONTIGUOUS), 0, 1) : NULL,
              *named = z ? tn_clone(z, TN_CONTIGUOUS) : NULL;
    CHECK(z && turned && named);
    tn_tensor *angle = tn_angle(z), *magnitude = tn_abs(z);
    CHECK(tn_angle_out(turned, turned) == turned && tn_equal(tn_real(turned), tn_transpose(angle, 0, 1)));
    CHECK(tn_abs_out(z, z) == z && tn_equal(tn_real(z), magnitude));
    CHECK_DOUBLE(tn_get_double(tn_imag(z), TN_DIMS(1, 1)), 0);
    tn_value values[] = {tn_value_tensor(named), tn_value_tensor(named)}, result;
    CHECK(tn_operator_call(tn_operator_find("abs_out"), (tn_values){values, 2}, &result) == TN_OK);
    CHECK(tn_equal(named, z));
    CHECK(tn_operator_call(tn_operator_find("abs_"), (tn_values){values, 1}, &result) == TN_ERROR_DTYPE);
    tn_error_clear();
}

/* ---- special cases of results */

TEST(of_two_zeros_the_first_is_the_larger_and_the_smaller) {
    for (int d = 0; d < 2; d++) {
        tn_tensor *zeros = tn_from_text("[0.0, -0.0, 0.0, -0.0, 0.0]", d ? TN_FLOAT64 : TN_FLOAT32);
        tn_tensor *turned = tn_neg(zeros);
        CHECK(zeros && turned);
        tn_tensor *results[] = {tn_fmax(zeros, turned), tn_fmin(zeros, turned)};
        for (int k = 0; k < 2; k++)
            CHECK(results[k] && same_bits(results[k], zeros));
    }
}

TEST(a_bool_to_the_power_of_a_bool_is_a_bool) {
    tn_tensor *truth = tn_from_text("[true, false]", TN_BOOL);
    CHECK(truth);
    tn_tensor *same = tn_pow_scalar(truth, tn_scalar_bool(true)), *ones = tn_pow_scalar(truth, tn_scalar_bool(false));
    CHECK(same && ones && same_bits(same, truth));
    CHECK_INT(tn_get_int64(ones, TN_DIMS(1)), 1);
    CHECK(tn_pow_scalar_(truth, tn_scalar_bool(false)) == truth && same_bits(truth, ones));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_pow(truth, ones));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_pow_rscalar(tn_scalar_bool(true), truth));
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written", tn_pow_scalar_(truth, 2));
}

TEST(beside_a_narrow_float_numbers_are_rounded_except_factors_and_divisors) {
    tn_tensor *x = tn_from_text("[3, 3, 3]", TN_BFLOAT16), *many = tn_from_text("[257, 259, 1000001]", TN_INT32);
    CHECK(x && many);
    CHECK_DOUBLE(tn_get_double(tn_mul_scalar(x, 17.0 / 7), TN_DIMS(0)), 7.28125);  /* 3 * 2.42857 */
    CHECK_DOUBLE(tn_get_double(tn_mul_rscalar(17.0 / 7, x), TN_DIMS(0)), 7.25);    /* 3 * 2.421875, as in torch */
    CHECK_DOUBLE(tn_get_double(tn_div_scalar(x, 17.0 / 7), TN_DIMS(0)), 1.234375); /* 3 / 2.42857 */
    CHECK_DOUBLE(tn_get_double(tn_div(x, tn_scalar_tensor(17.0 / 7, TN_FLOAT64)), TN_DIMS(0)), 1.234375);
    CHECK_DOUBLE(tn_get_double(tn_remainder_scalar(x, 0.001), TN_DIMS(0)), 0.00064849853515625); /* by 0.000999451 */
    CHECK(tn_get_double(tn_eq_scalar(tn_from_text("[0.1]", TN_BFLOAT16), 0.1), TN_DIMS(0)) == 1);
    CHECK_DOUBLE(tn_get_double(tn_sub(many, many), TN_DIMS(0)), 0);
    tn_tensor *difference = tn_sub(tn_to(many, TN_BFLOAT16), many);
    CHECK(difference);
    for (int64_t i = 0; i < 3; i++)
        CHECK_DOUBLE(tn_get_double(difference, TN_DIMS(i)), 0);
    tn_tensor *column = tn_unsqueeze(many, 1); /* the same through strides, and as a tensor of no dimensions */
    CHECK(column && tn_equal(tn_to(column, TN_BFLOAT16), column));
    CHECK(tn_get_double(tn_eq(tn_to(tn_narrow(many, 0, 0, 1), TN_BFLOAT16), tn_select(many, 0, 0)), TN_DIMS(0)) == 1);
}

/* ---- new tensors, and given ones */

TEST(fill_and_zero_also_give_a_new_tensor) {
    tn_tensor *x = tn_transpose(tn_ones(TN_DIMS(2, 3), TN_INT16), 0, 1);
    CHECK(x);
    tn_tensor *sevens = tn_fill(x, 7), *zeros = tn_zero(x), *nines = tn_fill_tensor(x, tn_scalar_tensor(9, TN_FLOAT64));
    CHECK(sevens && zeros && nines);
    CHECK_INT(tn_dtype_of(sevens), TN_INT16);
    CHECK_INT(tn_stride(sevens, 0), 1);
    CHECK_INT(tn_get_int64(sevens, TN_DIMS(2, 1)), 7);
    CHECK_INT(tn_get_int64(zeros, TN_DIMS(2, 1)), 0);
    CHECK_INT(tn_get_int64(nines, TN_DIMS(2, 1)), 9);
    CHECK_INT(tn_get_int64(x, TN_DIMS(2, 1)), 1);
    CHECK(tn_fill_tensor_(x, tn_scalar_tensor(5, TN_INT64)) == x);
    CHECK_INT(tn_get_int64(x, TN_DIMS(0, 1)), 5);
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit", tn_fill(x, 40000));
    CHECK_ERROR(TN_ERROR_SHAPE, "no dimensions", tn_fill_tensor(x, x));
    CHECK_ERROR(TN_ERROR_SHAPE, "no dimensions", tn_fill_tensor_(x, x));
}

TEST(masked_fill_and_relu6_write_to_a_tensor_that_is_given) {
    tn_tensor *x = tn_from_text("[-1, 3, 8]", TN_FLOAT32), *mask = tn_from_text("[true, false, false]", TN_BOOL);
    tn_tensor *out = tn_empty(TN_DIMS(3), TN_FLOAT32), *none = tn_empty(TN_DIMS(0), TN_FLOAT32);
    CHECK(x && mask && out && none);
    CHECK(tn_masked_fill_out(out, x, mask, 5) == out && same_bits(out, tn_from_text("[5, 3, 8]", TN_FLOAT32)));
    CHECK(tn_masked_fill_tensor_out(none, x, mask, tn_scalar_tensor(2, TN_INT64)) == none);
    CHECK(same_bits(none, tn_from_text("[2, 3, 8]", TN_FLOAT32)));
    CHECK(tn_relu6_out(out, x) == out && same_bits(out, tn_from_text("[0, 3, 6]", TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_SHAPE, "no dimensions", tn_masked_fill_tensor_out(out, x, mask, x));
}

TEST(frexp_writes_both_parts_to_tensors_that_are_given) {
    tn_tensor *x = tn_from_text("[6, -0.375, 0]", TN_FLOAT32);
    tn_tensor *mantissa = tn_empty(TN_DIMS(0), TN_FLOAT64), *exponent = tn_empty(TN_DIMS(3), TN_INT32);
    CHECK(x && mantissa && exponent);
    CHECK(tn_frexp_out(mantissa, exponent, x) == mantissa);
    CHECK(same_bits(mantissa, tn_from_text("[0.75, -0.75, 0]", TN_FLOAT64)));
    CHECK(same_bits(exponent, tn_from_text("[3, -1, 0]", TN_INT32)));
    CHECK(tn_frexp_out(x, exponent, x) == x); /* over its own argument */
    CHECK(same_bits(x, tn_from_text("[0.75, -0.75, 0]", TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_frexp_out(mantissa, tn_empty(TN_DIMS(3), TN_BOOL), x));
    CHECK_ERROR(TN_ERROR_DTYPE, "int32", tn_frexp_out(mantissa, exponent, exponent));
    tn_tensor *other = tn_empty(TN_DIMS(2), TN_INT32);
    CHECK(other && tn_frexp_out(mantissa, other, x) == mantissa); /* resized */
    CHECK(same_bits(other, tn_from_text("[0, 0, 0]", TN_INT32)));
    CHECK_ERROR(TN_ERROR_OVERLAP, "share memory", tn_frexp_out(x, tn_view_dtype(x, TN_INT32), x));
}

TEST(a_number_that_cannot_be_left_out_or_is_none_at_all_is_refused_before_anything_is_written) {
    tn_tensor *x = tn_full(TN_DIMS(3), 2, TN_FLOAT32);
    CHECK(x);
    tn_scalar odd = {.kind = (tn_scalar_kind)77};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "TN_NO_SCALAR", tn_pow_scalar_(x, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "TN_NO_SCALAR", tn_eq_scalar_(x, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "TN_NO_SCALAR", tn_lerp_scalar(x, x, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "TN_NO_SCALAR", tn_add_alpha(x, x, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "TN_NO_SCALAR", tn_addcmul_(x, x, x, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_DTYPE, "", tn_mul_scalar_(x, odd));
    CHECK_ERROR(TN_ERROR_DTYPE, "", tn_pow_scalar_(x, odd));
    CHECK_ERROR(TN_ERROR_DTYPE, "", tn_fill_(x, odd));
    for (int64_t i = 0; i < 3; i++)
        CHECK_DOUBLE(tn_get_double(x, TN_DIMS(i)), 2);
}
