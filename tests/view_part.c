/* view_part.c - views of a part of the elements, and lists of such views: the numbers they give and what they refuse.
 *
 * Tests: src/tensor/list.c */
#include "view_helpers.h"

/* ---- parts */

TEST(narrow_is_strict_where_slice_cuts) {
    tn_tensor *x = counting(TN_DIMS(4, 5));
    CHECK_VIEW(tn_narrow(x, 0, 1, 2), TN_DIMS(2, 5), TN_DIMS(5, 1), 5);
    CHECK_VIEW(tn_narrow(x, -1, -2, 2), TN_DIMS(4, 2), TN_DIMS(5, 1), 3);
    CHECK_VIEW(tn_narrow(x, 1, 5, 0), TN_DIMS(4, 0), TN_DIMS(5, 1), 5);
    CHECK_ERROR(TN_ERROR_SHAPE, "narrow: dim = 0, start = 3, length = 2: a length does not fit", tn_narrow(x, 0, 3, 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "length = -1", tn_narrow(x, 0, 0, -1));
    CHECK_ERROR(TN_ERROR_INDEX, "start = 5", tn_narrow(x, 0, 5, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "start = -5", tn_narrow(x, 0, -5, 1));
    CHECK_ERROR(TN_ERROR_INDEX, "dim = 2", tn_narrow(x, 2, 0, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "does not fit", tn_narrow(x, 0, 1, INT64_MAX));
    CHECK_ERROR(TN_ERROR_INDEX, "at least one dimension", tn_narrow(tn_scalar_tensor(1, TN_INT64), 0, 0, 1));
}

TEST(select_drops_the_dimension_it_looks_into) {
    tn_tensor *x = counting(TN_DIMS(3, 4));
    CHECK_VIEW(tn_select(x, 0, 2), TN_DIMS(4), TN_DIMS(1), 8);
    CHECK_VIEW(tn_select(x, 1, -1), TN_DIMS(3), TN_DIMS(4), 3);
    CHECK_VIEW(tn_select(tn_select(x, 0, 1), 0, 1), TN_DIMS(), TN_DIMS(), 5);
    CHECK_ERROR(TN_ERROR_INDEX, "select: dim = 0, index = 3: an index is out of range; self is [3, 4] int64",
                tn_select(x, 0, 3));
    CHECK_ERROR(TN_ERROR_INDEX, "index = -5", tn_select(x, 1, -5));
    CHECK_ERROR(TN_ERROR_INDEX, "out of range", tn_select(x, 1, INT64_MIN));
    CHECK_ERROR(TN_ERROR_INDEX, "dim = -3", tn_select(x, -3, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "at least one dimension", tn_select(tn_scalar_tensor(1, TN_INT64), 0, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "out of range", tn_select(tn_empty(TN_DIMS(0), TN_INT64), 0, 0));
}

TEST(a_slice_has_any_step_but_zero_and_never_fails_on_its_range) {
    tn_tensor *x = tn_arange(6, TN_INT64), *m = counting(TN_DIMS(3, 4));
    CHECK(x && m);
    CHECK_VALUES(tn_slice(x, 0, 1, 5, 2), 1, 3);
    CHECK_VALUES(tn_slice(x, 0, TN_NONE, TN_NONE, -1), 5, 4, 3, 2, 1, 0);
    CHECK_VALUES(tn_slice(x, 0, -2, 0, -2), 4, 2);
    CHECK_VALUES(tn_slice(x, 0, 4, TN_NONE, -3), 4, 1);
    CHECK_VALUES(tn_slice(x, 0, -100, 100, 1), 0, 1, 2, 3, 4, 5);
    CHECK_VALUES(tn_slice(x, 0, 100, -100, -5), 5, 0);
    CHECK_VIEW(tn_slice(x, 0, 4, 2, 1), TN_DIMS(0), TN_DIMS(1), 4);
    CHECK_VIEW(tn_slice(m, 1, 1, TN_NONE, 1), TN_DIMS(3, 3), TN_DIMS(4, 1), 1);
    CHECK_VIEW(tn_slice(m, -1, TN_NONE, TN_NONE, -2), TN_DIMS(3, 2), TN_DIMS(4, -2), 3);
    CHECK_VIEW(tn_slice(m, 0, TN_NONE, TN_NONE, INT64_MAX), TN_DIMS(1, 4), TN_DIMS(4, 1), 0);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "step = 0: a step has a value", tn_slice(x, 0, 0, 1, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "dim = 1", tn_slice(x, 1, 0, 1, 1));
    CHECK_ERROR(TN_ERROR_INDEX, "at least one dimension", tn_slice(tn_scalar_tensor(1, TN_INT64), 0, 0, 1, 1));
}

TEST(an_empty_view_never_begins_before_its_storage) {
    tn_tensor *backwards = tn_flip(tn_arange(4, TN_INT64), TN_DIMS(0));
    CHECK_VIEW(tn_slice(backwards, 0, 4, TN_NONE, 1), TN_DIMS(0), TN_DIMS(-1), 0);
    CHECK_VIEW(tn_narrow(backwards, 0, 4, 0), TN_DIMS(0), TN_DIMS(-1), 0);
    CHECK_VIEW(tn_index_text(backwards, "4:"), TN_DIMS(0), TN_DIMS(-1), 0);
    tn_tensor *nowhere = tn_as_strided(backwards, TN_DIMS(0, 5), TN_DIMS(1, -7), 0);
    CHECK_VIEW(tn_select(nowhere, 1, 4), TN_DIMS(0), TN_DIMS(1), 0);
    CHECK(tn_data(nowhere) == NULL);
}

TEST(numbers_that_lead_nowhere_may_be_any) {
    tn_tensor *x = tn_slice(tn_arange(5, TN_INT64), 0, TN_NONE, TN_NONE, INT64_MAX);
    CHECK_VIEW(x, TN_DIMS(1), TN_DIMS(INT64_MAX), 0);
    CHECK_INT(tn_numel(tn_slice(x, 0, 1, TN_NONE, 1)), 0);
    CHECK_INT(tn_numel(tn_narrow(x, 0, 1, 0)), 0);
    CHECK_INT(tn_numel(tn_slice(x, 0, TN_NONE, TN_NONE, 3)), 1);
    CHECK_INT(tn_numel(tn_diagonal(tn_view(x, TN_DIMS(1, 1)), 0, 0, 1)), 1);
    CHECK_INT(tn_numel(tn_diagonal(tn_as_strided(x, TN_DIMS(1, 1), TN_DIMS(INT64_MAX, 1), 0), 0, 0, 1)), 1);
    tn_tensor *windows = tn_unfold(x, 0, 0, 1); /* two windows of nothing */
    CHECK_VIEW(windows, TN_DIMS(2, 0), TN_DIMS(INT64_MAX, INT64_MAX), 0);
    CHECK_INT(tn_numel(tn_select(windows, 0, 1)), 0);
    CHECK_INT(tn_numel(tn_flip(windows, TN_DIMS(0))), 0);
    CHECK_INT(tn_numel(tn_unsqueeze(windows, 0)), 0);
    CHECK_INT(tn_numel(tn_slice(windows, 0, 1, TN_NONE, 2)), 0);
    CHECK_INT(tn_numel(tn_index_text(windows, "1, None, ::2")), 0);
    CHECK_INT(tn_numel(tn_expand(windows, TN_DIMS(3, 2, 0))), 0);
}

TEST(flip_and_rot90_are_views_with_negative_strides) {
    tn_tensor *x = counting(TN_DIMS(2, 3));
    CHECK_VIEW(tn_flip(x, TN_DIMS(0)), TN_DIMS(2, 3), TN_DIMS(-3, 1), 3);
    CHECK_VIEW(tn_flip(x, TN_DIMS(0, -1)), TN_DIMS(2, 3), TN_DIMS(-3, -1), 5);
    CHECK_VIEW(tn_flip(x, TN_DIMS()), TN_DIMS(2, 3), TN_DIMS(3, 1), 0);
    CHECK_VIEW(tn_fliplr(x), TN_DIMS(2, 3), TN_DIMS(3, -1), 2);
    CHECK_VIEW(tn_flipud(x), TN_DIMS(2, 3), TN_DIMS(-3, 1), 3);
    CHECK_VALUES(tn_rot90(x, 1, TN_DIMS(0, 1)), 2, 5, 1, 4, 0, 3);
    CHECK_VALUES(tn_rot90(x, 2, TN_DIMS(0, 1)), 5, 4, 3, 2, 1, 0);
    CHECK_VALUES(tn_rot90(x, 3, TN_DIMS(0, 1)), 3, 0, 4, 1, 5, 2);
    CHECK_VALUES(tn_rot90(x, -1, TN_DIMS(0, -1)), 3, 0, 4, 1, 5, 2);
    CHECK_VALUES(tn_rot90(x, 1, TN_DIMS(1, 0)), 3, 0, 4, 1, 5, 2);
    CHECK_VALUES(tn_rot90(x, INT64_MIN, TN_DIMS(0, 1)), 0, 1, 2, 3, 4, 5);
    CHECK_VIEW(tn_flip(tn_empty(TN_DIMS(0, 2), TN_INT64), TN_DIMS(0)), TN_DIMS(0, 2), TN_DIMS(2, 1), 0);
    CHECK_VIEW(tn_flip(tn_scalar_tensor(1, TN_INT64), TN_DIMS(-1)), TN_DIMS(), TN_DIMS(), 0);
}

TEST(flip_and_rot90_refuse_dimensions_that_are_not_there) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *vector = tn_arange(3, TN_INT64);
    CHECK(x && vector);
    CHECK_ERROR(TN_ERROR_INDEX, "flip: dims [2]", tn_flip(x, TN_DIMS(2)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "named twice", tn_flip(x, TN_DIMS(0, -2)));
    CHECK_ERROR(TN_ERROR_SHAPE, "fliplr: self must have at least 2", tn_fliplr(vector));
    CHECK_ERROR(TN_ERROR_SHAPE, "flipud: self must have at least 1", tn_flipud(tn_scalar_tensor(1, TN_INT64)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dims [0] must name the two dimensions", tn_rot90(x, 1, TN_DIMS(0)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dims [0, -2] name the same dimension", tn_rot90(x, 1, TN_DIMS(0, -2)));
    CHECK_ERROR(TN_ERROR_INDEX, "dims[1] = 2", tn_rot90(x, 1, TN_DIMS(0, 2)));
    CHECK_ERROR(TN_ERROR_SHAPE, "at least 2 dimensions", tn_rot90(vector, 1, TN_DIMS(0, 1)));
}

TEST(unfold_and_sliding_windows_overlap_themselves) {
    tn_tensor *x = tn_arange(7, TN_INT64), *m = counting(TN_DIMS(3, 4));
    CHECK(x && m);
    tn_tensor *windows = tn_unfold(x, 0, 3, 2);
    CHECK_VIEW(windows, TN_DIMS(3, 3), TN_DIMS(2, 1), 0);
    CHECK_VALUES(windows, 0, 1, 2, 2, 3, 4, 4, 5, 6);
    CHECK(tn_overlaps_itself(windows));
    CHECK(!tn_overlaps_itself(tn_unfold(x, 0, 2, 2)) || tn_error_code() == TN_ERROR_MEMORY);
    CHECK_VIEW(tn_unfold(m, -1, 2, 1), TN_DIMS(3, 3, 2), TN_DIMS(4, 1, 1), 0);
    CHECK_VIEW(tn_unfold(x, 0, 0, 3), TN_DIMS(3, 0), TN_DIMS(3, 1), 0);
    CHECK_VIEW(tn_unfold(tn_scalar_tensor(1, TN_INT64), 0, 1, 1), TN_DIMS(1), TN_DIMS(1), 0);
    CHECK_VIEW(tn_sliding_window_view(m, TN_DIMS(2, 3), TN_DIMS(0, 1)), TN_DIMS(2, 2, 2, 3), TN_DIMS(4, 1, 4, 1), 0);
    CHECK_VIEW(tn_sliding_window_view(m, TN_DIMS(3), TN_DIMS(-1)), TN_DIMS(3, 2, 3), TN_DIMS(4, 1, 1), 0);
    CHECK_VIEW(tn_sliding_window_view(x, TN_DIMS(3, 2), TN_DIMS(0, 0)), TN_DIMS(4, 3, 2), TN_DIMS(1, 1, 1), 0);
    CHECK_VIEW(tn_sliding_window_view(m, TN_DIMS(), TN_DIMS()), TN_DIMS(3, 4), TN_DIMS(4, 1), 0);
    CHECK_ERROR(TN_ERROR_SHAPE, "unfold: dimension = 0, size = 8, step = 1: a length does not fit", tn_unfold(x, 0, 8, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "size = -1", tn_unfold(x, 0, -1, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "step = 0", tn_unfold(x, 0, 2, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "step = -1", tn_unfold(x, 0, 2, -1));
    CHECK_ERROR(TN_ERROR_INDEX, "dimension = 1", tn_unfold(x, 1, 2, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "equally long", tn_sliding_window_view(m, TN_DIMS(2), TN_DIMS(0, 1)));
    CHECK_ERROR(TN_ERROR_INDEX, "dims = 2 is out of range", tn_sliding_window_view(m, TN_DIMS(2), TN_DIMS(2)));
    CHECK_ERROR(TN_ERROR_SHAPE, "size = 5", tn_sliding_window_view(m, TN_DIMS(2, 5), TN_DIMS(0, 1)));
}

TEST(diagonal_puts_the_diagonal_last) {
    tn_tensor *x = counting(TN_DIMS(2, 3, 4));
    CHECK_VIEW(tn_diagonal(x, 0, 0, 1), TN_DIMS(4, 2), TN_DIMS(1, 16), 0);
    CHECK_VIEW(tn_diagonal(x, 1, 1, 2), TN_DIMS(2, 3), TN_DIMS(12, 5), 1);
    CHECK_VIEW(tn_diagonal(x, -1, 1, 2), TN_DIMS(2, 2), TN_DIMS(12, 5), 4);
    CHECK_VIEW(tn_diagonal(x, -1, 2, 1), TN_DIMS(2, 3), TN_DIMS(12, 5), 1);
    CHECK_VIEW(tn_diagonal(x, 9, -2, -1), TN_DIMS(2, 0), TN_DIMS(12, 5), 0);
    CHECK_VIEW(tn_diagonal(x, INT64_MIN, 0, 1), TN_DIMS(4, 0), TN_DIMS(1, 16), 0);
    CHECK_VIEW(tn_diagonal(x, INT64_MAX, 0, 1), TN_DIMS(4, 0), TN_DIMS(1, 16), 0);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "diagonal: offset = 0, dim1 = 1, dim2 = -2: a dimension is named twice",
                tn_diagonal(x, 0, 1, -2));
    CHECK_ERROR(TN_ERROR_INDEX, "dim2 = 1", tn_diagonal(tn_arange(3, TN_INT64), 0, 0, 1));
}

TEST(as_strided_reaches_every_element_of_the_storage_and_none_beyond) {
    tn_tensor *x = tn_arange(12, TN_INT64), *part = tn_slice(x, 0, 4, 6, 1);
    CHECK(x && part);
    CHECK_VIEW(tn_as_strided(part, TN_DIMS(2, 3), TN_DIMS(1, 3), TN_NONE), TN_DIMS(2, 3), TN_DIMS(1, 3), 4);
    CHECK_VALUES(tn_as_strided(part, TN_DIMS(3), TN_DIMS(-2), 11), 11, 9, 7);
    CHECK_VALUES(tn_as_strided(part, TN_DIMS(12), TN_DIMS(1), 0), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    CHECK_VIEW(tn_as_strided(part, TN_DIMS(0, 3), TN_DIMS(100, 100), 500), TN_DIMS(0, 3), TN_DIMS(100, 100), 500);
    CHECK_VIEW(tn_as_strided(part, TN_DIMS(), TN_DIMS(), 3), TN_DIMS(), TN_DIMS(), 3);
    CHECK_VALUES(tn_as_strided(tn_view_dtype(x, TN_INT32), TN_DIMS(2), TN_DIMS(2), 20), 10, 11);
    CHECK_ERROR(TN_ERROR_SHAPE, "as_strided: 2 sizes [2, 3] but 1 strides [1]", tn_as_strided(x, TN_DIMS(2, 3), TN_DIMS(1), 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "reach elements 0 to 12 of a storage that holds 12 int64",
                tn_as_strided(x, TN_DIMS(13), TN_DIMS(1), 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "reach elements -1 to 3", tn_as_strided(x, TN_DIMS(5), TN_DIMS(-1), 3));
    CHECK_ERROR(TN_ERROR_SHAPE, "offset -1", tn_as_strided(x, TN_DIMS(1), TN_DIMS(1), -1));
    CHECK_ERROR(TN_ERROR_SHAPE, "offset -1", tn_as_strided(x, TN_DIMS(0), TN_DIMS(1), -1));
    CHECK_ERROR(TN_ERROR_SHAPE, "negative", tn_as_strided(x, TN_DIMS(-1), TN_DIMS(1), 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "does not fit in 64 bits", tn_as_strided(x, TN_DIMS(3), TN_DIMS(INT64_MAX), 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "does not fit in 64 bits", tn_as_strided(x, TN_DIMS(2), TN_DIMS(1), INT64_MAX));
}

/* ---- pieces */

static void check_pieces(int line, const tn_list *list, int64_t dim, tn_dims sizes) {
    if (!list)
        test_fail(__FILE__, line, "no list: %s", tn_error_message());
    if (tn_list_count(list) != sizes.count)
        test_fail(__FILE__, line, "%lld pieces, not %lld", (long long)tn_list_count(list), (long long)sizes.count);
    for (int64_t k = 0; k < sizes.count; k++)
        if (tn_size(tn_list_at(list, k), dim) != sizes.values[k])
            test_fail(__FILE__, line, "piece %lld has size %lld", (long long)k, (long long)tn_size(tn_list_at(list, k), dim));
}

#define CHECK_PIECES(list, dim, ...) check_pieces(__LINE__, (list), (dim), TN_DIMS(__VA_ARGS__))

TEST(split_chunk_and_tensor_split_cut_each_in_its_way) {
    tn_tensor *x = tn_arange(7, TN_INT64), *empty = tn_empty(TN_DIMS(0), TN_INT64);
    CHECK(x && empty);
    CHECK_PIECES(tn_split(x, 3, 0), 0, 3, 3, 1);
    CHECK_PIECES(tn_split(x, 100, -1), 0, 7);
    CHECK_PIECES(tn_split(x, INT64_MAX, 0), 0, 7);
    CHECK_PIECES(tn_split(empty, 0, 0), 0, 0);
    CHECK_PIECES(tn_split(empty, 5, 0), 0, 0);
    CHECK_PIECES(tn_split_with_sizes(x, TN_DIMS(2, 0, 5), 0), 0, 2, 0, 5);
    CHECK_INT(tn_list_count(tn_split_with_sizes(empty, TN_DIMS(), 0)), 0);
    CHECK_PIECES(tn_chunk(x, 3, 0), 0, 3, 3, 1);
    CHECK_PIECES(tn_chunk(x, 5, 0), 0, 2, 2, 2, 1);
    CHECK_PIECES(tn_chunk(x, INT64_MAX, 0), 0, 1, 1, 1, 1, 1, 1, 1);
    CHECK_PIECES(tn_chunk(empty, 3, 0), 0, 0, 0, 0);
    CHECK_PIECES(tn_tensor_split(x, 3, 0), 0, 3, 2, 2);
    CHECK_PIECES(tn_tensor_split(x, 9, 0), 0, 1, 1, 1, 1, 1, 1, 1, 0, 0);
    CHECK_PIECES(tn_tensor_split_indices(x, TN_DIMS(2, -2), 0), 0, 2, 3, 2);
    CHECK_PIECES(tn_tensor_split_indices(x, TN_DIMS(5, 2, 100), 0), 0, 5, 0, 5, 0);
    CHECK_PIECES(tn_tensor_split_indices(x, TN_DIMS(INT64_MIN, INT64_MAX), 0), 0, 0, 7, 0);
    CHECK_PIECES(tn_tensor_split_indices(x, TN_DIMS(), 0), 0, 7);
    CHECK_VIEW(tn_list_at(tn_tensor_split(x, 3, 0), 1), TN_DIMS(2), TN_DIMS(1), 3);
}

TEST(hsplit_vsplit_and_dsplit_cut_along_their_dimension) {
    tn_tensor *x = counting(TN_DIMS(2, 4, 6)), *vector = tn_arange(6, TN_INT64), *number = tn_scalar_tensor(1, TN_INT64);
    CHECK(x && vector && number);
    CHECK_PIECES(tn_hsplit(x, 2), 1, 2, 2);
    CHECK_PIECES(tn_hsplit(vector, 3), 0, 2, 2, 2);
    CHECK_PIECES(tn_hsplit_indices(x, TN_DIMS(1)), 1, 1, 3);
    CHECK_PIECES(tn_hsplit_indices(vector, TN_DIMS(1, 2)), 0, 1, 1, 4);
    CHECK_PIECES(tn_vsplit(x, 2), 0, 1, 1);
    CHECK_PIECES(tn_vsplit_indices(x, TN_DIMS(1)), 0, 1, 1);
    CHECK_PIECES(tn_dsplit(x, 3), 2, 2, 2, 2);
    CHECK_PIECES(tn_dsplit_indices(x, TN_DIMS(-1)), 2, 5, 1);
    CHECK_ERROR(TN_ERROR_SHAPE, "sections = 3 do not divide dimension 1 of self [2, 4, 6] int64 evenly", tn_hsplit(x, 3));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "sections = 0", tn_vsplit(x, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "at least 1 dimensions", tn_hsplit(number, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "at least 1 dimensions", tn_hsplit_indices(number, TN_DIMS(1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "vsplit: self must have at least 2", tn_vsplit(vector, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "at least 2", tn_vsplit_indices(vector, TN_DIMS(1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "at least 3", tn_dsplit(vector, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "at least 3", tn_dsplit_indices(vector, TN_DIMS(1)));
}

TEST(unbind_gives_one_tensor_for_every_position) {
    tn_tensor *x = counting(TN_DIMS(2, 3));
    tn_list *columns = tn_unbind(x, 1);
    CHECK_INT(tn_list_count(columns), 3);
    CHECK_VIEW(tn_list_at(columns, 2), TN_DIMS(2), TN_DIMS(3), 2);
    CHECK_INT(tn_list_count(tn_unbind(tn_empty(TN_DIMS(0, 3), TN_INT64), 0)), 0);
    CHECK_ERROR(TN_ERROR_INDEX, "dim = 2 is out of range", tn_unbind(x, 2));
}

TEST(pieces_refuse_what_cannot_be_cut) {
    tn_tensor *x = tn_arange(7, TN_INT64), *number = tn_scalar_tensor(1, TN_INT64);
    CHECK(x && number);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "split_size = 0 cannot cut dimension 0 of self [7] int64", tn_split(x, 0, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "split_size = -1", tn_split(x, -1, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "split_sizes [2, 2] add up to 4, but dimension 0 of self [7] int64 has size 7",
                tn_split_with_sizes(x, TN_DIMS(2, 2), 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must not be negative", tn_split_with_sizes(x, TN_DIMS(8, -1), 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "nor overflow", tn_split_with_sizes(x, TN_DIMS(INT64_MAX, INT64_MAX), 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "chunks = 0", tn_chunk(x, 0, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "sections = -3", tn_tensor_split(x, -3, 0));
    CHECK_ERROR(TN_ERROR_MEMORY, "pieces", tn_tensor_split(x, INT64_MAX, 0));
    CHECK_ERROR(TN_ERROR_MEMORY, "pieces", tn_chunk(tn_empty(TN_DIMS(0), TN_INT64), INT64_MAX, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "dim = 1", tn_tensor_split_indices(x, TN_DIMS(1), 1));
    CHECK_ERROR(TN_ERROR_INDEX, "split: self has no dimensions to cut", tn_split(number, 1, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "no dimensions to cut", tn_split_with_sizes(number, TN_DIMS(1), 0));
    CHECK_ERROR(TN_ERROR_INDEX, "no dimensions to cut", tn_chunk(number, 1, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "no dimensions to cut", tn_tensor_split(number, 1, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "no dimensions to cut", tn_tensor_split_indices(number, TN_DIMS(1), 0));
    CHECK_ERROR(TN_ERROR_INDEX, "no dimensions to cut", tn_unbind(number, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "takes only 0 and -1", tn_unbind(number, 1));
}

TEST(a_tensor_says_where_to_split) {
    tn_tensor *x = tn_arange(6, TN_INT64), *cuts = tn_from_text("[5, 9, 3]", TN_INT64);
    CHECK(x && cuts);
    tn_list *at = tn_tensor_split_tensor(x, tn_from_text("[2, 3]", TN_INT64), 0);
    CHECK(at && tn_list_count(at) == 3);
    CHECK_VALUES(tn_list_at(at, 1), 2);
    tn_list *apart = tn_tensor_split_tensor(x, tn_slice(cuts, 0, TN_NONE, TN_NONE, -2), -1); /* 3, 5 */
    CHECK(apart && tn_list_count(apart) == 3);
    CHECK_VALUES(tn_list_at(apart, 1), 3, 4);
    tn_list *none = tn_tensor_split_tensor(x, tn_empty(TN_DIMS(0), TN_INT64), 0);
    CHECK(none && tn_list_count(none) == 1);
    tn_list *three = tn_tensor_split_tensor(x, tn_scalar_tensor(3, TN_INT64), 0);
    CHECK(three && tn_list_count(three) == 3);
    CHECK_ERROR(TN_ERROR_SHAPE, "no dimensions", tn_tensor_split_tensor(x, tn_ones(TN_DIMS(1, 1), TN_INT64), 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_tensor_split_tensor(x, tn_ones(TN_DIMS(1), TN_INT32), 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "sections = 0", tn_tensor_split_tensor(x, tn_scalar_tensor(0, TN_INT64), 0));
}

TEST(windows_more_than_can_be_counted_are_refused) {
    tn_tensor *x = tn_expand(tn_ones(TN_DIMS(1), TN_UINT8), TN_DIMS(INT64_MAX));
    CHECK(x);
    CHECK_ERROR(TN_ERROR_SHAPE, "unfold", tn_unfold(x, 0, 0, 1));
    CHECK(tn_unfold(x, 0, 0, 2));
}
