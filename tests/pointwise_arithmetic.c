/* pointwise_arithmetic.c - arithmetic: against PyTorch's answers (data/arithmetic_cases.inc), against a naive reference for the
 * dtypes that PyTorch does not support, the ends of the integers, special values, variants and refusals. Strides are tested in
 * gauntlet.c.
 *
 * Tests: src/iterate/promote.c, src/ops/pointwise/find_zero.c, src/ops/pointwise/pointwise_clamp.c */
#define POINTWISE_CASES "data/arithmetic_cases.inc"
#include "pointwise_cases.h"

TEST_SAMPLED(arithmetic_of_every_dtype_answers_as_torch) {
    for (size_t i = 0; i < sizeof pointwise_cases / sizeof pointwise_cases[0]; i++)
        pointwise_replay(&pointwise_cases[i]);
}

/* Every operator of the group is in the table, or in this list. */
TEST_SAMPLED(every_arithmetic_operator_has_been_compared_with_torch) {
    static const char *const elsewhere[] = {"pow", "cbrt",
                                            "clip"}; /* pointwise_math.c, cbrt without torch; clip.tensor: clamp.tensor */
    for (int64_t k = 0; k < tn_operator_count(); k++) {
        const tn_operator *op = tn_operator_at(k);
        bool wanted = strcmp(tn_operator_group(op), "arithmetic") == 0 && tn_operator_variant(op) == TN_VARIANT_FUNCTIONAL;
        bool found = !wanted;
        for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
            found = found || strcmp(tn_operator_base(op), elsewhere[i]) == 0;
        for (size_t i = 0; !found && i < sizeof pointwise_cases / sizeof pointwise_cases[0]; i++)
            found = strcmp(pointwise_cases[i].name, tn_operator_name(op)) == 0;
        if (!found)
            test_fail(__FILE__, __LINE__, "%s is not in the table", tn_operator_name(op));
    }
}

/* ---- the unsigned dtypes that torch does not compute in */

typedef struct unsigned_case {
    tn_dtype dtype;
    uint64_t mask;
} unsigned_case;

static const unsigned_case unsigned_cases[] = {
    {TN_UINT8, UINT8_MAX}, {TN_UINT16, UINT16_MAX}, {TN_UINT32, UINT32_MAX}, {TN_UINT64, UINT64_MAX}};

static uint64_t unsigned_power(uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

static uint64_t unsigned_gcd(uint64_t a, uint64_t b) { return b ? unsigned_gcd(b, a % b) : a; }

static uint64_t unsigned_reference(const char *name, uint64_t a, uint64_t b, uint64_t mask) {
    if (strcmp(name, "add") == 0)
        return (a + b) & mask;
    if (strcmp(name, "sub") == 0)
        return (a - b) & mask;
    if (strcmp(name, "mul") == 0)
        return (a * b) & mask;
    if (strcmp(name, "floor_divide") == 0)
        return a / b;
    if (strcmp(name, "remainder") == 0 || strcmp(name, "fmod") == 0)
        return a % b;
    if (strcmp(name, "pow") == 0)
        return unsigned_power(a, b) & mask;
    if (strcmp(name, "gcd") == 0)
        return unsigned_gcd(a, b);
    return strcmp(name, "maximum") == 0 ? (a > b ? a : b) : a < b ? a : b;
}

TEST_SAMPLED(unsigned_arithmetic_wraps_and_never_goes_through_a_float) {
    static const char *const names[] = {"add",  "sub", "mul", "floor_divide", "remainder",
                                        "fmod", "pow", "gcd", "maximum",      "minimum"};
    for (size_t d = 0; d < 4; d++) {
        tn_dtype dtype = unsigned_cases[d].dtype;
        uint64_t mask = unsigned_cases[d].mask, first[] = {mask, mask - 1, mask / 3, 7, 0, 200}, second[] = {1, 2, 3, 5, 9, 77};
        tn_tensor *a = tn_empty(TN_DIMS(6), dtype), *b = tn_empty(TN_DIMS(6), dtype);
        CHECK(a && b);
        size_t item = tn_element_size(a);
        for (size_t i = 0; i < 6; i++) {
            tn_dtype_store(dtype, (char *)tn_mutable_data(a) + i * item, tn_scalar_uint(first[i]));
            tn_dtype_store(dtype, (char *)tn_mutable_data(b) + i * item, tn_scalar_uint(second[i]));
        }
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            tn_tensor *result = tn_call_tensor(names[k], TN_VALUES(a, b));
            CHECK(result);
            CHECK_INT(tn_dtype_of(result), dtype);
            for (size_t i = 0; i < 6; i++) {
                uint64_t actual = 0;
                memcpy(&actual, (const char *)tn_data(result) + i * item, item);
                uint64_t expected = unsigned_reference(names[k], first[i], second[i], mask);
                if (actual != expected)
                    test_fail(__FILE__, __LINE__, "%s of %s: %llu and %llu give %llu, not %llu", names[k], tn_dtype_name(dtype),
                              (unsigned long long)first[i], (unsigned long long)second[i], (unsigned long long)actual,
                              (unsigned long long)expected);
            }
        }
    }
}

/* ---- the ends of the integers */

TEST(the_smallest_integer_divided_by_minus_one_wraps_around) {
    tn_tensor *ends = tn_from_text("[-9223372036854775808, 9223372036854775807]", TN_INT64);
    tn_tensor *minus = tn_from_text("[-1, -1]", TN_INT64);
    const int64_t quotients[] = {INT64_MIN, -INT64_MAX};
    tn_tensor *results[] = {tn_floor_divide(ends, minus), tn_div_mode(ends, minus, "trunc"), tn_floor_divide_scalar(ends, -1),
                            tn_neg(ends)};
    for (int k = 0; k < 4; k++) {
        CHECK(results[k]);
        CHECK(memcmp(tn_data(results[k]), quotients, sizeof quotients) == 0);
    }
    tn_tensor *rests[] = {tn_remainder(ends, minus), tn_fmod(ends, minus)};
    for (int k = 0; k < 2; k++) {
        CHECK(rests[k]);
        CHECK_INT(((const int64_t *)tn_data(rests[k]))[0], 0);
        CHECK_INT(((const int64_t *)tn_data(rests[k]))[1], 0);
    }
    tn_tensor *size = tn_abs(ends);
    CHECK(size);
    CHECK(((const int64_t *)tn_data(size))[0] == INT64_MIN);
}

TEST(an_integer_division_by_zero_is_refused_before_anything_is_written) {
    static const char *const names[] = {"floor_divide", "remainder", "fmod"};
    tn_tensor *a = tn_from_text("[1, 2, 3]", TN_INT32), *b = tn_from_text("[1, 0, 2]", TN_INT32);
    tn_tensor *out = tn_from_text("[7, 7, 7]", TN_INT32);
    CHECK(a && b && out);
    for (int k = 0; k < 3; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s_out", names[k]);
        CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_call_tensor(names[k], TN_VALUES(a, b)));
        CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_call_tensor(name, TN_VALUES(out, a, b)));
        snprintf(name, sizeof name, "%s_.scalar", names[k]);
        CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_call_tensor(name, TN_VALUES(a, 0)));
    }
    CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_div_mode(a, b, "trunc"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_remainder_rscalar(5, b));
    for (int i = 0; i < 3; i++) {
        CHECK_INT(((const int32_t *)tn_data(a))[i], i + 1);
        CHECK_INT(((const int32_t *)tn_data(out))[i], 7);
    }
    tn_tensor *floats = tn_from_text("[1, 0, -1]", TN_FLOAT32), *zero = tn_zeros(TN_DIMS(3), TN_FLOAT32);
    tn_tensor *quotient = tn_floor_divide(floats, zero);
    CHECK(quotient);
    CHECK(((const float *)tn_data(quotient))[0] == INFINITY && isnan(((const float *)tn_data(quotient))[1]));
    CHECK(((const float *)tn_data(quotient))[2] == -INFINITY);
}

/* ---- floats: the quotient and the remainder as in Python */

TEST_SAMPLED(floor_division_and_remainder_belong_together_for_floats_of_any_size) {
    enum { COUNT = 4096 };
    tn_tensor *a = tn_empty(TN_DIMS(COUNT), TN_FLOAT64), *b = tn_empty(TN_DIMS(COUNT), TN_FLOAT64);
    CHECK(a && b);
    double *x = tn_mutable_data(a), *y = tn_mutable_data(b);
    for (int i = 0; i < COUNT; i++) {
        int spread = (int)test_random_between(1, i % 2 ? 40 : 900); /* quotients that fit into a double, and huge ones */
        x[i] = ldexp((double)test_random_between(-1000000, 1000000), (int)test_random_between(0, spread));
        y[i] = ldexp((double)test_random_between(1, 1000) * (test_random() & 1 ? 1 : -1), -(int)test_random_between(0, spread));
    }
    tn_tensor *rest = tn_remainder(a, b), *towards_zero = tn_fmod(a, b), *quotient = tn_floor_divide(a, b);
    CHECK(rest && towards_zero && quotient);
    for (int i = 0; i < COUNT; i++) {
        double f = fmod(x[i], y[i]), r = f != 0 && (f < 0) != (y[i] < 0) ? f + y[i] : f;
        CHECK_DOUBLE(((const double *)tn_data(towards_zero))[i], f);
        CHECK_DOUBLE(((const double *)tn_data(rest))[i], r);
        double q = ((const double *)tn_data(quotient))[i];
        CHECK(q == floor(q));
        if (fabs(q) < 0x1p50)
            CHECK_DOUBLE(q, (double)rintl(((long double)x[i] - (long double)r) / (long double)y[i]));
    }
}

TEST(signs_of_zeros_and_nans_are_kept_where_they_should_be) {
    tn_tensor *zeros = tn_from_text("[0.0, -0.0, nan, -3.5]", TN_FLOAT32);
    tn_tensor *negative = tn_neg(zeros), *size = tn_abs(zeros), *whole = tn_trunc(zeros), *sign = tn_sign(zeros);
    CHECK(negative && size && whole && sign);
    const float *n = tn_data(negative), *s = tn_data(size), *w = tn_data(whole), *g = tn_data(sign);
    CHECK(signbit(n[0]) && !signbit(n[1]) && isnan(n[2]) && n[3] == 3.5f);
    CHECK(!signbit(s[1]) && s[3] == 3.5f);
    CHECK(signbit(w[1]) && w[3] == -3.0f);
    CHECK(g[0] == 0 && g[2] == 0 && g[3] == -1);
    tn_tensor *larger = tn_maximum(zeros, tn_from_text("[nan, 1, 1, 1]", TN_FLOAT32));
    tn_tensor *known = tn_fmax(zeros, tn_from_text("[nan, 1, 1, 1]", TN_FLOAT32));
    CHECK(larger && known);
    const float *l = tn_data(larger), *k = tn_data(known);
    CHECK(isnan(l[0]) && isnan(l[2]) && l[3] == 1);
    CHECK(k[0] == 0 && k[2] == 1);
}

/* ---- variants and refusals */

TEST(results_in_place_obey_the_cast_rule) {
    tn_tensor *whole = tn_from_text("[1, 2, 3]", TN_INT32), *real = tn_from_text("[0.5, 0.5, 0.5]", TN_FLOAT64);
    tn_tensor *narrow = tn_from_text("[1.5, 2.5, 3.5]", TN_FLOAT32);
    CHECK(whole && real && narrow);
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written", tn_add_(whole, real));
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be written", tn_div_scalar_(whole, 2));
    CHECK(tn_add_(narrow, real) == narrow);
    CHECK_INT(tn_dtype_of(narrow), TN_FLOAT32);
    CHECK_DOUBLE(((const float *)tn_data(narrow))[2], 4.0);
    CHECK_ERROR(TN_ERROR_SHAPE, "sizes [3]", tn_add_(tn_zeros(TN_DIMS(1), TN_FLOAT32), narrow));
    CHECK_INT(((const int32_t *)tn_data(whole))[2], 3);
}

TEST(arguments_that_make_no_sense_are_refused_with_advice) {
    tn_tensor *truth = tn_from_text("[true, false]", TN_BOOL), *whole = tn_from_text("[1, 2]", TN_INT64);
    tn_tensor *real = tn_from_text("[1, 2]", TN_FLOAT32), *wide = tn_from_text("[1, 2]", TN_FLOAT64);
    CHECK(truth && whole && real && wide);
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_xor", tn_sub(truth, truth));
    CHECK_ERROR(TN_ERROR_DTYPE, "logical_not", tn_neg(truth));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_positive(truth));
    CHECK_ERROR(TN_ERROR_DTYPE, "alpha", tn_add_alpha(whole, whole, 0.5));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "rounding_mode 'up'", tn_div_mode(real, real, "up"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "min and max", tn_clamp(real, TN_NO_SCALAR, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_DTYPE, "equal", tn_lerp(real, wide, real));
    CHECK_ERROR(TN_ERROR_DTYPE, "weight", tn_lerp_scalar(whole, whole, 0.5));
    CHECK_ERROR(TN_ERROR_DTYPE, "equal", tn_heaviside(real, wide));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "negative", tn_pow_scalar(whole, -1));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_round_decimals(whole, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32", tn_gcd(real, real));
}

TEST(numbers_that_wrap_on_their_way_into_an_integer_dtype_do_no_harm) {
    tn_tensor *small = tn_from_text("[100, 3, -5, 7]", TN_INT8), *wide = tn_from_text("256", TN_INT64);
    CHECK(small && wide);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_remainder_scalar(small, 256));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_floor_divide_scalar(small, 256));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_fmod(small, wide));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "exponent 1000 does not fit", tn_pow_scalar(small, 1000));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "min = 300 does not fit", tn_clamp_min(small, 300));
    tn_tensor *same = tn_clamp_max(small, 300);
    CHECK(same);
    CHECK_INT(tn_get_int64(same, TN_DIMS(0)), 100);
    tn_tensor *nothing = tn_floor_divide(tn_zeros(TN_DIMS(0), TN_INT64), tn_zeros(TN_DIMS(1), TN_INT64));
    CHECK(nothing);
    CHECK_INT(tn_numel(nothing), 0);
}

TEST(an_element_that_equals_its_bound_keeps_its_sign) {
    tn_tensor *x = TN_VECTOR(float, 0.0F, -0.0F, 2), *low = TN_VECTOR(float, -0.0F, 0.0F, 3),
              *high = tn_full(TN_DIMS(3), 9, TN_FLOAT32);
    CHECK(x && low && high);
    tn_tensor *made[] = {tn_clamp(x, 0.0, 1.0),        tn_clamp(x, -1.0, -0.0),        tn_clamp_min(x, -0.0),
                         tn_clamp_max(x, 0.0),         tn_clamp(x, 0.0, TN_NO_SCALAR), tn_clamp(x, TN_NO_SCALAR, -0.0),
                         tn_clamp_tensor(x, low, high)};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        CHECK(made[i]);
        CHECK(!signbit(tn_get_double(made[i], TN_DIMS(0))) && signbit(tn_get_double(made[i], TN_DIMS(1))));
    }
    tn_tensor *number = tn_clamp(tn_full(TN_DIMS(1), NAN, TN_FLOAT32), -1.0, 1.0), *none = tn_clamp(x, NAN, 1.0),
              *over = tn_clamp(x, 0.0, NAN);
    CHECK(number && none && over);
    CHECK(isnan(tn_item_double(number)) && isnan(tn_get_double(none, TN_DIMS(2))) && isnan(tn_get_double(over, TN_DIMS(2))));
}

/* Small operands that repeat are written out for one loop, larger ones are given to it row by row; the border is in between. */
TEST_SAMPLED(a_row_that_repeats_is_added_to_every_row) {
    static const tn_dtype dtypes[] = {TN_UINT8, TN_INT16, TN_FLOAT32, TN_COMPLEX128};
    static const int64_t shapes[][2] = {{1, 1},   {64, 4}, {63, 4}, {16, 16}, {2, 128}, {1, 256},
                                        {17, 16}, {65, 4}, {3, 86}, {4, 0},   {0, 4}};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            tn_scope scope = tn_scope_open();
            int64_t rows = shapes[i][0], columns = shapes[i][1];
            tn_tensor *row = tn_to(tn_arange(columns, TN_INT64), dtypes[d]);
            tn_tensor *all = tn_to(tn_view(tn_arange(rows * columns, TN_INT64), TN_DIMS(rows, columns)), dtypes[d]);
            tn_tensor *rows_of_it = tn_clone(tn_expand(row, TN_DIMS(rows, columns)), TN_CONTIGUOUS);
            tn_tensor *expected = tn_sub(all, rows_of_it), *in_place = tn_clone(all, TN_CONTIGUOUS);
            CHECK(expected && tn_equal(tn_sub(all, row), expected));
            CHECK(tn_equal(tn_sub(row, all), tn_neg(expected)));
            CHECK(tn_sub_(in_place, row) == in_place && tn_equal(in_place, expected));
            if (rows > 0) { /* one of the rows that are written */
                tn_tensor *own = tn_clone(all, TN_CONTIGUOUS), *last = tn_select(own, 0, rows - 1);
                tn_tensor *kept = tn_clone(last, TN_CONTIGUOUS);
                CHECK(tn_sub_(own, last) == own && tn_equal(own, tn_sub(all, kept)));
            }
            tn_scope_close(scope);
        }
}

/* ---- invalid numbers, and zeros in expanded tensors */

TEST(a_number_that_cannot_be_left_out_is_asked_for) {
    tn_tensor *x = tn_ones(TN_DIMS(3), TN_FLOAT32), *changed = x;
    CHECK(x);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "mul_: other is TN_NO_SCALAR", changed = tn_mul_scalar_(x, TN_NO_SCALAR));
    CHECK(!changed);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "other is TN_NO_SCALAR", changed = tn_mul_scalar(x, TN_NO_SCALAR));
    CHECK(!changed);
    tn_value result;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "TN_NO_SCALAR",
                tn_call("mul_.scalar", TN_VALUES(x, tn_value_scalar(tn_scalar_none())), &result));
    CHECK_DOUBLE(tn_item_double(tn_sum(x, TN_DTYPE_DEFAULT)), 3);
    CHECK(tn_clamp(x, TN_NO_SCALAR, 1));
}

TEST(a_zero_among_expanded_elements_is_found_by_looking_at_each_once) {
    tn_tensor *few = tn_from_memory((const int64_t[]){3, 2, 5}, TN_DIMS(3, 1), TN_INT64, TN_COPY);
    tn_tensor *zero = tn_from_memory((const int64_t[]){3, 0, 5}, TN_DIMS(3, 1), TN_INT64, TN_COPY);
    CHECK(few && zero);
    tn_tensor *many = tn_expand(few, TN_DIMS(3, INT64_C(1) << 40)), *many_zeros = tn_expand(zero, TN_DIMS(3, INT64_C(1) << 40));
    CHECK(many && many_zeros);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "zero", tn_floor_divide(many, many_zeros));
    CHECK_ERROR(TN_ERROR_MEMORY, "", tn_floor_divide(many, many));
    CHECK_ERROR(TN_ERROR_MEMORY, "", tn_remainder(many_zeros, many));
}
