/* view_copy.c - narrow_copy and the others: the elements of the view, row by row, in memory that nothing else uses; and the few
 * operators that write over a view of a copy. */
#include "warning_helpers.h"

static void is_copy_of(const tn_tensor *copy, const tn_tensor *view, const tn_tensor *base) {
    CHECK(copy && view);
    CHECK(tn_equal(copy, view) && tn_is_contiguous(copy));
    CHECK(tn_storage_of(copy) != tn_storage_of(base));
}

TEST(a_view_copy_is_what_the_view_shows) {
    tn_tensor *x = tn_reshape(tn_arange(24, TN_FLOAT32), TN_DIMS(2, 3, 4)),
              *m = tn_reshape(tn_arange(6, TN_FLOAT32), TN_DIMS(2, 3));
    tn_tensor *one = tn_reshape(x, TN_DIMS(1, 24, 1)), *z = tn_to(m, TN_COMPLEX64), *pairs = tn_reshape(x, TN_DIMS(12, 2));
    CHECK(x && m && one && z && pairs);
    is_copy_of(tn_alias_copy(x), x, x);
    is_copy_of(tn_detach_copy(x), x, x);
    is_copy_of(tn_as_strided_copy(x, TN_DIMS(3, 2), TN_DIMS(1, 5), 2), tn_as_strided(x, TN_DIMS(3, 2), TN_DIMS(1, 5), 2), x);
    is_copy_of(tn_diagonal_copy(m, 1, 0, 1), tn_diagonal(m, 1, 0, 1), m);
    is_copy_of(tn_expand_copy(m, TN_DIMS(4, 2, 3)), tn_expand(m, TN_DIMS(4, 2, 3)), m);
    is_copy_of(tn_narrow_copy(x, 1, 1, 2), tn_narrow(x, 1, 1, 2), x);
    is_copy_of(tn_permute_copy(x, TN_DIMS(2, 0, 1)), tn_permute(x, TN_DIMS(2, 0, 1)), x);
    is_copy_of(tn_select_copy(x, 2, -1), tn_select(x, 2, -1), x);
    is_copy_of(tn_slice_copy(x, 2, TN_NONE, TN_NONE, -2), tn_slice(x, 2, TN_NONE, TN_NONE, -2), x);
    is_copy_of(tn_squeeze_copy(one), tn_squeeze(one), one);
    is_copy_of(tn_squeeze_copy_dim(one, 0), tn_squeeze_dim(one, 0), one);
    is_copy_of(tn_squeeze_copy_dims(one, TN_DIMS(2)), tn_squeeze_dims(one, TN_DIMS(2)), one);
    is_copy_of(tn_t_copy(m), tn_t(m), m);
    is_copy_of(tn_transpose_copy(x, 0, 2), tn_transpose(x, 0, 2), x);
    is_copy_of(tn_unfold_copy(x, 2, 2, 1), tn_unfold(x, 2, 2, 1), x);
    is_copy_of(tn_unsqueeze_copy(m, 1), tn_unsqueeze(m, 1), m);
    is_copy_of(tn_view_copy(x, TN_DIMS(6, -1)), tn_view(x, TN_DIMS(6, -1)), x);
    is_copy_of(tn_view_copy_dtype(x, TN_INT32), tn_view_dtype(x, TN_INT32), x);
    is_copy_of(tn_view_as_real_copy(z), tn_view_as_real(z), z);
    is_copy_of(tn_view_as_complex_copy(pairs), tn_view_as_complex(pairs), pairs);
    CHECK_ERROR(TN_ERROR_SHAPE, "narrow_copy", tn_narrow_copy(x, 1, 1, 5));
}

TEST(a_view_copy_goes_into_a_given_tensor) {
    tn_tensor *x = tn_reshape(tn_arange(6, TN_FLOAT32), TN_DIMS(2, 3)), *wide = tn_empty(TN_DIMS(0), TN_FLOAT64);
    CHECK(x && wide);
    CHECK(tn_t_copy_out(wide, x) == wide && warnings_are(wide, "[[0, 3], [1, 4], [2, 5]]", TN_FLOAT64));
    CHECK(tn_t_copy_out(x, x) == x && warnings_are(x, "[[0, 3], [1, 4], [2, 5]]", TN_FLOAT32)); /* over what is shown */
    CHECK_ERROR(TN_ERROR_DTYPE, "int32", tn_select_copy_out(tn_empty(TN_DIMS(0), TN_INT32), x, 0, 0));
}

TEST(view_copy_takes_every_shape_that_reshape_takes) {
    tn_tensor *x = tn_transpose(tn_reshape(tn_arange(24, TN_FLOAT32), TN_DIMS(2, 3, 4)), 1, 2);
    tn_tensor *out = tn_empty(TN_DIMS(0), TN_FLOAT64), *self = tn_t(tn_reshape(tn_arange(6, TN_FLOAT32), TN_DIMS(2, 3)));
    CHECK(x && out && self);
    is_copy_of(tn_view_copy(x, TN_DIMS(2, -1)), tn_reshape(x, TN_DIMS(2, 12)), x);
    is_copy_of(tn_view_copy(tn_expand(tn_ones(TN_DIMS(1), TN_INT8), TN_DIMS(6)), TN_DIMS(3, 2)),
               tn_ones(TN_DIMS(3, 2), TN_INT8), x);
    CHECK(tn_view_copy_out(out, x, TN_DIMS(24)) == out && tn_equal(tn_to(out, TN_FLOAT32), tn_reshape(x, TN_DIMS(24))));
    CHECK(tn_view_copy_out(self, self, TN_DIMS(6)) == self && warnings_are(self, "[0, 3, 1, 4, 2, 5]", TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_SHAPE, "view_copy", tn_view_copy(x, TN_DIMS(5, -1)));
}

TEST(pieces_are_copies_each) {
    tn_tensor *x = tn_reshape(tn_arange(6, TN_FLOAT32), TN_DIMS(2, 3));
    tn_list *split = tn_split_copy(x, 2, 1), *sized = tn_split_with_sizes_copy(x, TN_DIMS(1, 2), 1),
            *rows = tn_unbind_copy(x, 0);
    CHECK(split && sized && rows);
    is_copy_of(tn_list_at(split, 0), tn_narrow(x, 1, 0, 2), x);
    is_copy_of(tn_list_at(sized, 1), tn_narrow(x, 1, 1, 2), x);
    is_copy_of(tn_list_at(rows, 1), tn_select(x, 0, 1), x);
    CHECK(tn_storage_of(tn_list_at(rows, 0)) != tn_storage_of(tn_list_at(rows, 1)));
}

TEST(as_strided_scatter_copies_all_that_strides_can_reach) {
    tn_tensor *x = tn_arange(6, TN_FLOAT32), *two = tn_from_text("[9, 8]", TN_FLOAT32);
    CHECK(x && two);
    CHECK(warnings_are(tn_as_strided_scatter(x, two, TN_DIMS(2), TN_DIMS(2), 1), "[0, 9, 2, 8, 4, 5]", TN_FLOAT32));
    tn_tensor *turned = tn_as_strided_scatter(tn_t(tn_reshape(x, TN_DIMS(2, 3))), two, TN_DIMS(2), TN_DIMS(2), 1);
    CHECK(warnings_are(turned, "[[0, 8], [9, 4], [2, 5]]", TN_FLOAT32));
    CHECK_INT(tn_stride(turned, 0), 1);
    tn_tensor *even = tn_slice(x, 0, TN_NONE, TN_NONE, 2), *later = tn_narrow(x, 0, 1, 5);
    CHECK(even && later);
    CHECK(warnings_are(tn_as_strided_scatter(even, two, TN_DIMS(2), TN_DIMS(2), 1), "[0, 2, 4]", TN_FLOAT32)); /* between */
    CHECK(warnings_are(tn_as_strided_scatter(later, two, TN_DIMS(2), TN_DIMS(2), TN_NONE), "[9, 2, 8, 4, 5]", TN_FLOAT32));
    CHECK(warnings_are(tn_as_strided_scatter(x, tn_to(two, TN_INT8), TN_DIMS(2), TN_DIMS(1), 0), "[9, 8, 2, 3, 4, 5]",
                       TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_SHAPE, "src [2] float32", tn_as_strided_scatter(x, two, TN_DIMS(3), TN_DIMS(1), 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "storage", tn_as_strided_scatter(x, two, TN_DIMS(2), TN_DIMS(6), 0));
    CHECK_ERROR(TN_ERROR_OVERLAP, "", tn_as_strided_scatter(x, two, TN_DIMS(2), TN_DIMS(0), 0));
    tn_tensor *four = tn_from_text("[[6, 7], [8, 9]]", TN_INT16); /* of those that meet, the last in row-major order */
    CHECK(warnings_are(tn_as_strided_scatter(x, four, TN_DIMS(2, 2), TN_DIMS(1, 1), 2), "[0, 1, 6, 8, 9, 5]", TN_FLOAT32));
    CHECK(warnings_are(x, "[0, 1, 2, 3, 4, 5]", TN_FLOAT32));
}

TEST(a_diagonal_is_filled_and_begins_anew_in_a_tall_matrix) {
    tn_tensor *x = tn_zeros(TN_DIMS(5, 2), TN_INT32), *wide = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32);
    tn_tensor *cube = tn_zeros(TN_DIMS(2, 2, 2), TN_FLOAT32), *turned = tn_t(tn_zeros(TN_DIMS(2, 5), TN_INT32));
    CHECK(x && wide && cube && turned);
    CHECK(tn_fill_diagonal_(x, 2.5, false) && warnings_are(x, "[[2, 0], [0, 2], [0, 0], [0, 0], [0, 0]]", TN_INT32));
    CHECK(tn_fill_diagonal_(x, 3, true) && warnings_are(x, "[[3, 0], [0, 3], [0, 0], [3, 0], [0, 3]]", TN_INT32));
    CHECK(tn_fill_diagonal_(turned, 3, true) && tn_equal(turned, x));
    CHECK(tn_fill_diagonal_(wide, 1, true) && warnings_are(wide, "[[1, 0, 0], [0, 1, 0]]", TN_FLOAT32));
    CHECK(tn_fill_diagonal_(cube, 1, true) && warnings_are(cube, "[[[1, 0], [0, 0]], [[0, 0], [0, 1]]]", TN_FLOAT32));
    CHECK(tn_fill_diagonal_(tn_zeros(TN_DIMS(0, 3), TN_FLOAT32), 1, true));
    CHECK_ERROR(TN_ERROR_SHAPE, "at least 2 dimensions to have a diagonal",
                tn_fill_diagonal_(tn_zeros(TN_DIMS(3), TN_FLOAT32), 1, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "must then be equal", tn_fill_diagonal_(tn_zeros(TN_DIMS(2, 3, 2), TN_FLOAT32), 1, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit", tn_fill_diagonal_(x, tn_scalar_complex(0, 1), false));
    CHECK(tn_set_readonly(x) == TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "", tn_fill_diagonal_(x, 1, false));
}

TEST(a_copy_outlives_the_list_that_held_it_and_is_released_by_its_keeper) {
    tn_list *parts = tn_split_copy(tn_ones(TN_DIMS(4, 2), TN_FLOAT32), 3, 0);
    CHECK(parts);
    tn_tensor *first = tn_retain(tn_list_at(parts, 0)), *again = tn_retain(first);
    CHECK(first && again);
    tn_list_release(parts);
    tn_release(again);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_INT(tn_numel(first), 6);
    tn_release(first);
    CHECK_INT(tn_error_code(), TN_OK);
}
