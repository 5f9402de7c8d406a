/* segment.c - segment_reduce against PyTorch's answers and a model; sum_to_size. */
#include "warning_helpers.h"

static tn_tensor *by_lengths(const tn_tensor *data, const char *reduce, const char *lengths, bool unsafe, tn_scalar initial) {
    return tn_segment_reduce(data, reduce, tn_from_text(lengths, TN_INT64), NULL, NULL, 0, unsafe, initial);
}

TEST(segments_of_a_vector_are_what_torch_makes_of_them) {
    tn_tensor *x = tn_arange(6, TN_FLOAT32);
    CHECK(x);
    static const char cuts[] = "[2, 0, 4]";
    CHECK(warnings_are(by_lengths(x, "sum", cuts, false, TN_NO_SCALAR), "[1, 0, 14]", TN_FLOAT32));
    CHECK(warnings_are(by_lengths(x, "max", cuts, false, TN_NO_SCALAR), "[1, -inf, 5]", TN_FLOAT32));
    CHECK(warnings_are(by_lengths(x, "amin", cuts, false, TN_NO_SCALAR), "[0, inf, 2]", TN_FLOAT32));
    CHECK(warnings_are(by_lengths(x, "prod", cuts, false, TN_NO_SCALAR), "[0, 1, 120]", TN_FLOAT32));
    CHECK(isnan(tn_get_double(by_lengths(x, "mean", cuts, false, TN_NO_SCALAR), TN_DIMS(1))));
    CHECK(warnings_are(by_lengths(x, "mean", cuts, false, TN_SCALAR(1)), "[1, 1, 3.75]", TN_FLOAT32));
    CHECK(warnings_are(by_lengths(x, "sum", cuts, false, TN_SCALAR(1)), "[2, 1, 15]", TN_FLOAT32));
    CHECK(warnings_are(by_lengths(x, "max", cuts, false, TN_SCALAR(1)), "[1, 1, 5]", TN_FLOAT32));
    CHECK(warnings_are(by_lengths(x, "sum", "[2, 0, 3]", true, TN_NO_SCALAR), "[1, 0, 9]", TN_FLOAT32));
    CHECK(warnings_are(by_lengths(tn_to(x, TN_FLOAT16), "sum", "[6]", false, TN_NO_SCALAR), "[15]", TN_FLOAT16));
    tn_tensor *offsets = tn_from_text("[1, 2, 5]", TN_INT32);
    CHECK(warnings_are(tn_segment_reduce(x, "sum", NULL, NULL, offsets, 0, false, TN_NO_SCALAR), "[1, 9]", TN_FLOAT32));
    tn_tensor *none = tn_empty(TN_DIMS(0), TN_FLOAT32);
    CHECK(warnings_are(by_lengths(none, "sum", "[0, 0]", false, TN_NO_SCALAR), "[0, 0]", TN_FLOAT32));
}

TEST(segments_with_what_is_no_number_are_none) {
    tn_tensor *x = tn_from_text("[1, nan, 3, inf, -inf, inf]", TN_FLOAT64);
    tn_tensor *largest = by_lengths(x, "max", "[3, 3]", false, TN_NO_SCALAR),
              *sum = by_lengths(x, "sum", "[3, 3]", false, TN_NO_SCALAR);
    tn_tensor *high = by_lengths(x, "sum", "[3, 1, 1, 1]", false, TN_NO_SCALAR);
    CHECK(largest && sum && high);
    CHECK(isnan(tn_get_double(largest, TN_DIMS(0))) && tn_get_double(largest, TN_DIMS(1)) == INFINITY);
    CHECK(isnan(tn_get_double(sum, TN_DIMS(0))) && isnan(tn_get_double(sum, TN_DIMS(1))));
    CHECK(tn_get_double(high, TN_DIMS(1)) == INFINITY && tn_get_double(high, TN_DIMS(2)) == -INFINITY);
}

/* Each row cut in its own way, more columns than are done side by side, any strides. */
TEST_SAMPLED(segments_of_every_row_and_column_are_right) {
    static const int64_t inner[] = {1, 2, 63, 64, 65, 130};
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *whole = tn_empty(TN_DIMS(inner[i], 7, 3), TN_FLOAT32), *x = tn_permute(whole, TN_DIMS(2, 1, 0));
        tn_tensor *lengths = tn_from_text("[[3, 0, 4], [7, 0, 0], [1, 1, 5]]", TN_INT32);
        CHECK(x && lengths);
        float *data = tn_mutable_data_float32(whole);
        for (int64_t k = 0; k < tn_numel(whole); k++)
            data[k] = (float)test_random_between(-8, 8);
        tn_tensor *sum = tn_segment_reduce(x, "sum", lengths, NULL, NULL, 1, false, TN_NO_SCALAR);
        CHECK(sum && tn_ndim(sum) == 3 && tn_size(sum, 1) == 3 && tn_size(sum, 2) == inner[i]);
        for (int64_t row = 0; row < 3; row++)
            for (int64_t segment = 0, first = 0; segment < 3; segment++) {
                int64_t many = tn_get_int64(lengths, TN_DIMS(row, segment));
                tn_tensor *part = tn_narrow(tn_select(x, 0, row), 0, first, many);
                tn_tensor *wanted = tn_sum_dim(part, TN_DIMS(0), false, TN_DTYPE_DEFAULT);
                CHECK(wanted && tn_equal(tn_select(tn_select(sum, 0, row), 0, segment), wanted));
                first += many;
            }
        tn_scope_close(scope);
    }
}

TEST(segments_that_do_not_fit_are_refused) {
    tn_tensor *x = tn_arange(6, TN_FLOAT32), *m = tn_reshape(x, TN_DIMS(3, 2)), *two = tn_from_text("[2]", TN_INT64);
    CHECK(x && m && two);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "add up to 5, data has 6", by_lengths(x, "sum", "[2, 0, 3]", false, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "segment 1 of row 0", by_lengths(x, "sum", "[2, -1, 5]", true, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "segment 1 of row 0", by_lengths(x, "sum", "[2, 9223372036854775807]", true, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "reduce is 'median'", by_lengths(x, "median", "[6]", true, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_DTYPE, "floats", by_lengths(tn_to(x, TN_INT64), "sum", "[6]", true, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_DTYPE, "real number", by_lengths(x, "sum", "[6]", true, tn_scalar_complex(1, 1)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "neither", tn_segment_reduce(x, "sum", NULL, NULL, NULL, 0, false, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "indices", tn_segment_reduce(x, "sum", two, two, NULL, 0, false, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_SHAPE, "up to axis 1", tn_segment_reduce(m, "sum", two, NULL, NULL, 1, false, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_DTYPE, "positions are integers", tn_segment_reduce(x, "sum", x, NULL, NULL, 0, false, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_INDEX, "axis", tn_segment_reduce(x, "sum", two, NULL, NULL, 1, false, TN_NO_SCALAR));
    tn_tensor *offsets = tn_from_text("[0, 4, 2, 6]", TN_INT64);
    CHECK(offsets);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "segment 1", tn_segment_reduce(x, "sum", NULL, NULL, offsets, 0, false, TN_NO_SCALAR));
}

TEST(sum_to_size_undoes_broadcasting) {
    tn_tensor *x = tn_ones(TN_DIMS(2, 3, 4), TN_FLOAT32);
    CHECK(x);
    CHECK(tn_equal(tn_sum_to_size(x, TN_DIMS(3, 1)), tn_full(TN_DIMS(3, 1), 8, TN_FLOAT32)));
    CHECK(tn_equal(tn_sum_to_size(x, TN_DIMS(2, 1, 1)), tn_full(TN_DIMS(2, 1, 1), 12, TN_FLOAT32)));
    CHECK_DOUBLE(tn_item_double(tn_sum_to_size(x, TN_DIMS())), 24);
    CHECK(tn_sum_to_size(x, TN_DIMS(2, 3, 4)) == x);
    CHECK_INT(tn_dtype_of(tn_sum_to_size(tn_to(x, TN_INT32), TN_DIMS(1))), TN_INT64);
    CHECK_ERROR(TN_ERROR_SHAPE, "does not broadcast", tn_sum_to_size(x, TN_DIMS(5, 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "does not broadcast", tn_sum_to_size(x, TN_DIMS(1, 2, 3, 4)));
}

TEST(offsets_of_no_segment_give_an_empty_result) {
    tn_tensor *data = tn_arange(6, TN_FLOAT32), *none = tn_empty(TN_DIMS(0), TN_INT64);
    CHECK(data && none);
    tn_tensor *made = tn_segment_reduce(data, "sum", NULL, NULL, none, 0, false, TN_NO_SCALAR);
    CHECK(made);
    CHECK_INT(tn_numel(made), 0);
}
