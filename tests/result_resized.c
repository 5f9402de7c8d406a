/* result_resized.c - results of other sizes than the tensor given for them: it is resized, as in PyTorch, and a warning says so
 * unless it had no elements; and the factories, which write to a given tensor in its own dtype. */
#include "warning_helpers.h"

TEST(a_result_of_other_sizes_is_resized_with_a_warning) {
    tn_tensor *x = tn_from_text("[[1, 2, 3], [4, 5, 6]]", TN_FLOAT32), *out = tn_zeros(TN_DIMS(5), TN_FLOAT32);
    tn_tensor *empty = tn_empty(TN_DIMS(0), TN_FLOAT32), *indices = tn_zeros(TN_DIMS(1), TN_INT64);
    CHECK(x && out && empty && indices);
    WARNINGS_BEGIN(heard);
    CHECK(tn_add_out(out, x, x) == out); /* pointwise */
    CHECK(warnings_are(out, "[[2, 4, 6], [8, 10, 12]]", TN_FLOAT32));
    CHECK_INT(heard.calls, 1);
    CHECK(strstr(heard.last.message, "add: the result has sizes [2, 3], so out [5] float32 is resized"));
    CHECK(tn_sum_dim_out(out, x, TN_DIMS(1), false, TN_DTYPE_DEFAULT) == out); /* one result */
    CHECK(warnings_are(out, "[6, 15]", TN_FLOAT32));
    CHECK_INT(heard.calls, 2);
    CHECK(tn_max_dim_out(out, indices, x, 0, false) == out); /* two, both resized */
    CHECK(warnings_are(out, "[4, 5, 6]", TN_FLOAT32) && warnings_are(indices, "[1, 1, 1]", TN_INT64));
    CHECK_INT(heard.calls, 4);
    CHECK(tn_masked_select_out(out, x, tn_gt_scalar(x, 5)) == out); /* computed first */
    CHECK(warnings_are(out, "[6]", TN_FLOAT32));
    CHECK_INT(heard.calls, 5);
    CHECK(tn_add_out(empty, x, x) == empty && tn_add_out(out, tn_select(out, 0, 0), empty) == out);
    CHECK_INT(heard.calls, 6); /* the one without elements needs no warning */
}

TEST(a_result_that_is_resized_may_lie_in_what_is_read) {
    tn_tensor *x = tn_from_text("[1, 2, 3, 4, 5, 6]", TN_FLOAT32);
    tn_tensor *out = tn_narrow(x, 0, 0, 2), *turned = tn_t(tn_reshape(x, TN_DIMS(2, 3)));
    CHECK(out && turned);
    CHECK(tn_neg_out(out, turned) == out); /* six elements, from the place of the first on: all of x */
    CHECK(warnings_are(out, "[[-1, -4], [-2, -5], [-3, -6]]", TN_FLOAT32));
    x = tn_from_text("[1, 2, 3, 4, 5, 6]", TN_FLOAT32);
    out = tn_narrow(x, 0, 4, 1);
    CHECK(out);
    CHECK(tn_cumsum_out(out, x, 0, TN_DTYPE_DEFAULT) == out); /* the storage grows */
    CHECK(warnings_are(out, "[1, 3, 6, 10, 15, 21]", TN_FLOAT32));
    tn_tensor *wide = tn_expand(tn_zeros(TN_DIMS(1), TN_FLOAT32), TN_DIMS(4)); /* no two share a place afterwards */
    CHECK(wide && tn_neg_out(wide, tn_from_text("[1, 2]", TN_FLOAT32)) == wide);
    CHECK(warnings_are(wide, "[-1, -2]", TN_FLOAT32));
}

TEST(an_operand_cannot_be_resized_by_a_pointwise_operator) {
    tn_tensor *x = tn_ones(TN_DIMS(3), TN_FLOAT32), *y = tn_ones(TN_DIMS(2, 3), TN_FLOAT32);
    CHECK(x && y);
    CHECK_ERROR(TN_ERROR_SHAPE, "cannot be broadcast in place", tn_add_(x, y));
    CHECK_ERROR(TN_ERROR_SHAPE, "cannot be broadcast in place", tn_add_out(x, x, y));
    CHECK_INT(tn_ndim(x), 1);
}

/* ---- factories */

TEST(sequences_are_written_where_the_elements_of_a_view_are) {
    for (int kind = 0; kind < 4; kind++) {
        tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32), *part = tn_narrow(x, 1, 1, 2);
        CHECK(part);
        tn_tensor *made = kind == 0   ? tn_arange_start_out(part, 0, 4, 1, TN_DTYPE_DEFAULT)
                          : kind == 1 ? tn_linspace_out(part, 0, 3, 4, TN_DTYPE_DEFAULT)
                          : kind == 2 ? tn_range_out(part, 0, 3, 1, TN_FLOAT32)
                                      : tn_logspace_out(part, 0, 3, 4, 10, TN_DTYPE_DEFAULT);
        CHECK(made == part);
        CHECK(warnings_are(x, kind == 3 ? "[[0, 1, 10], [0, 100, 1000]]" : "[[0, 0, 1], [0, 2, 3]]", TN_FLOAT32));
    }
}

TEST(sequences_are_made_in_the_dtype_of_out) {
    tn_tensor *whole = tn_empty(TN_DIMS(0), TN_INT32), *wide = tn_empty(TN_DIMS(0), TN_FLOAT64);
    CHECK(whole && wide);
    CHECK(tn_arange_start_out(whole, 0, 2.5, 1, TN_DTYPE_DEFAULT) == whole);
    CHECK(warnings_are(whole, "[0, 1, 2]", TN_INT32));
    CHECK(tn_linspace_out(wide, 0, 1, 4, TN_DTYPE_DEFAULT) == wide);
    CHECK_DOUBLE(tn_get_double(wide, TN_DIMS(1)), 1.0 / 3); /* not 1/3 in float32 */
    CHECK_ERROR(TN_ERROR_DTYPE, "out is [3] int32", tn_arange_out(whole, 4, TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "cannot be made in bool", tn_arange_out(tn_empty(TN_DIMS(0), TN_BOOL), 4, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "step is 0", tn_arange_start_out(whole, 0, 4, 0, TN_DTYPE_DEFAULT));
    CHECK(warnings_are(whole, "[0, 1, 2]", TN_INT32));
    tn_tensor *one = tn_expand(tn_zeros(TN_DIMS(1), TN_FLOAT32), TN_DIMS(4)), *shut = tn_zeros(TN_DIMS(4), TN_FLOAT32);
    CHECK(one && shut && tn_set_readonly(shut) == TN_OK);
    CHECK_ERROR(TN_ERROR_OVERLAP, "share one place", tn_arange_out(one, 4, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_READONLY, "", tn_arange_out(shut, 4, TN_DTYPE_DEFAULT));
}

TEST(of_sequences_only_arange_warns_of_a_vector_that_is_resized) {
    tn_tensor *out = tn_zeros(TN_DIMS(3), TN_FLOAT32);
    CHECK(out);
    WARNINGS_BEGIN(heard);
    CHECK(tn_linspace_out(out, 0, 1, 2, TN_DTYPE_DEFAULT) == out);
    CHECK(warnings_are(out, "[0, 1]", TN_FLOAT32));
    CHECK_INT(heard.calls, 0);
    CHECK(tn_arange_out(out, 3, TN_DTYPE_DEFAULT) == out);
    CHECK(warnings_are(out, "[0, 1, 2]", TN_FLOAT32));
    CHECK_INT(heard.calls, 1);
    CHECK(tn_range(0, 2, 1, TN_INT64)); /* always */
    CHECK_INT(heard.calls, 2);
}

TEST(range_has_its_end) {
    CHECK(warnings_are(tn_range(0, 2.5, 1, TN_DTYPE_DEFAULT), "[0, 1, 2]", TN_FLOAT32));
    CHECK(warnings_are(tn_range(0, 4, 2, TN_DTYPE_DEFAULT), "[0, 2, 4]", TN_FLOAT32));
    CHECK(warnings_are(tn_range(4, 0, -1.5, TN_INT32), "[4, 3, 2, 1, 0]", TN_INT32)); /* the step is cut first */
    CHECK(warnings_are(tn_range(0.5, 4, 1, TN_INT32), "[0, 1, 2, 3, 4]", TN_INT32));
    CHECK(
        warnings_are(tn_range(INT64_MAX - 1, INT64_MAX, 1, TN_INT64), "[9223372036854775806, 9223372036854775807]", TN_INT64));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "leads away", tn_range(0, 4, -1, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "step is 0", tn_range(0, 4, 0.5, TN_INT64));
    CHECK_ERROR(TN_ERROR_SHAPE, "more than 2^63", tn_range(INT64_MIN, INT64_MAX, 1, TN_INT64));
}

TEST(factories_resize_and_fill_what_they_are_given) {
    tn_tensor *x = tn_ones(TN_DIMS(2, 2), TN_INT32), *turned = tn_t(tn_ones(TN_DIMS(3, 2), TN_FLOAT32));
    CHECK(x && turned);
    WARNINGS_BEGIN(heard);
    CHECK(tn_zeros_out(x, TN_DIMS(3), TN_DTYPE_DEFAULT) == x && warnings_are(x, "[0, 0, 0]", TN_INT32));
    CHECK(tn_ones_out(x, TN_DIMS(1, 2), TN_INT32) == x && warnings_are(x, "[[1, 1]]", TN_INT32));
    CHECK(tn_full_out(x, TN_DIMS(2), 5.5, TN_DTYPE_DEFAULT) == x && warnings_are(x, "[5, 5]", TN_INT32));
    CHECK(tn_eye_out(turned, 2, 3, TN_DTYPE_DEFAULT) == turned && warnings_are(turned, "[[1, 0, 0], [0, 1, 0]]", TN_FLOAT32));
    CHECK_INT(tn_stride(turned, 0), 1); /* it had these sizes */
    CHECK(tn_empty_out(x, TN_DIMS(4, 4), TN_DTYPE_DEFAULT) == x && tn_numel(x) == 16);
    CHECK_INT(heard.calls, 0);
    tn_tensor *wide = tn_expand(tn_ones(TN_DIMS(1), TN_FLOAT32), TN_DIMS(3));
    CHECK(wide && tn_zeros_out(wide, TN_DIMS(3), TN_DTYPE_DEFAULT) == wide && warnings_are(wide, "[0, 0, 0]", TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_DTYPE, "dtype is float32", tn_zeros_out(x, TN_DIMS(2), TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit", tn_full_out(x, TN_DIMS(2), tn_scalar_complex(1, 1), TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_SHAPE, "negative", tn_eye_out(x, 2, -1, TN_DTYPE_DEFAULT));
    CHECK_INT(tn_numel(x), 16);
}
