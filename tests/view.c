/* view.c - views that give the same elements another shape, order or meaning: the numbers they give and what they refuse.
 * Parts and pieces are in view_part.c, what views share and the in-place forms in view_in_place.c, the index in index.c.
 * Agreement with PyTorch over thousands of cases is in view_torch.c, chains of views in view_properties.c. */
#include "view_helpers.h"

#define BIG (INT64_C(1) << 40)

/* ---- view and reshape */

TEST(one_storage_is_seen_under_several_shapes) {
    tn_tensor *x = tn_arange(12, TN_INT64);
    CHECK_VIEW(tn_view(x, TN_DIMS(3, 4)), TN_DIMS(3, 4), TN_DIMS(4, 1), 0);
    CHECK_VIEW(tn_view(x, TN_DIMS(2, 3, 2)), TN_DIMS(2, 3, 2), TN_DIMS(6, 2, 1), 0);
    CHECK_VIEW(tn_view(x, TN_DIMS(2, 2, 3)), TN_DIMS(2, 2, 3), TN_DIMS(6, 3, 1), 0);
    CHECK_VIEW(tn_view(x, TN_DIMS(2, -1)), TN_DIMS(2, 6), TN_DIMS(6, 1), 0);
    CHECK_VIEW(tn_view(tn_view(x, TN_DIMS(1, 12, 1)), TN_DIMS(12)), TN_DIMS(12), TN_DIMS(1), 0);
    CHECK_VIEW(tn_view_as(x, counting(TN_DIMS(4, 3))), TN_DIMS(4, 3), TN_DIMS(3, 1), 0);
}

TEST(a_view_of_a_tensor_without_dimensions_has_strides_of_one) {
    tn_tensor *x = tn_scalar_tensor(7, TN_INT64);
    CHECK_VIEW(tn_view(x, TN_DIMS(1, 1)), TN_DIMS(1, 1), TN_DIMS(1, 1), 0);
    CHECK_VIEW(tn_view(x, TN_DIMS()), TN_DIMS(), TN_DIMS(), 0);
    CHECK_VIEW(tn_view(x, TN_DIMS(-1)), TN_DIMS(1), TN_DIMS(1), 0);
}

TEST(views_of_empty_tensors_keep_their_strides_only_for_the_same_shape) {
    tn_tensor *x = tn_transpose(tn_empty(TN_DIMS(0, 3), TN_INT64), 0, 1);
    CHECK_VIEW(tn_view(x, TN_DIMS(3, 0)), TN_DIMS(3, 0), TN_DIMS(1, 3), 0);
    CHECK_VIEW(tn_view(x, TN_DIMS(5, 0, 7)), TN_DIMS(5, 0, 7), TN_DIMS(7, 7, 1), 0);
    CHECK_VIEW(tn_view(x, TN_DIMS(-1)), TN_DIMS(0), TN_DIMS(1), 0);
    CHECK_ERROR(TN_ERROR_SHAPE, "beside a size of 0, -1 could stand for any number", tn_view(x, TN_DIMS(-1, 0)));
}

TEST(a_shape_that_cannot_be_is_refused_with_the_numbers) {
    tn_tensor *x = counting(TN_DIMS(3, 4));
    CHECK_ERROR(TN_ERROR_SHAPE, "view: shape [-1, -1] for self [3, 4] int64 of 12 elements: only one size",
                tn_view(x, TN_DIMS(-1, -1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "shape [12, -2]", tn_view(x, TN_DIMS(12, -2)));
    CHECK_ERROR(TN_ERROR_SHAPE, "a different number of elements", tn_view(x, TN_DIMS(5, 3)));
    CHECK_ERROR(TN_ERROR_SHAPE, "a different number of elements", tn_view(x, TN_DIMS(5, -1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "a different number of elements", tn_view(x, TN_DIMS(BIG, BIG, BIG)));
    CHECK_ERROR(TN_ERROR_SHAPE, "a different number of elements", tn_reshape(x, TN_DIMS(0)));
    CHECK_ERROR(TN_ERROR_SHAPE, "65 dimensions; at most 64", tn_view(x, (tn_dims){tn_sizes(x).values, 65}));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "shape is NULL", tn_view(x, (tn_dims){NULL, 2}));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "count of -1", tn_view(x, (tn_dims){NULL, -1}));
}

TEST(view_refuses_what_needs_a_copy_and_says_which_dimensions_do_not_merge) {
    tn_tensor *t = tn_transpose(counting(TN_DIMS(3, 4)), 0, 1);
    CHECK(t);
    CHECK_ERROR(TN_ERROR_SHAPE,
                "view: dimensions 0 and 1 must merge to make dimension 0 of [12], but stride[0] = 1 is not size[1] * stride[1] "
                "= 3 * 4 = 12 (self is [4, 3] int64, strides [1, 4]); reshape would copy",
                tn_view(t, TN_DIMS(-1)));
    CHECK_VIEW(tn_view(t, TN_DIMS(2, 2, 3)), TN_DIMS(2, 2, 3), TN_DIMS(2, 1, 4), 0);
    CHECK_VIEW(tn_view(t, TN_DIMS(4, 1, 3)), TN_DIMS(4, 1, 3), TN_DIMS(1, 12, 4), 0);
}

TEST(the_reason_is_told_in_full_for_long_shapes_too) {
    int64_t wanted[40];
    tn_tensor *t = tn_transpose(counting(TN_DIMS(3, 4)), 0, 1);
    for (int k = 0; k < 40; k++)
        wanted[k] = k == 39 ? 12 : 1;
    CHECK(t);
    CHECK_ERROR(TN_ERROR_SHAPE, "= 3 * 4 = 12 (self is", tn_view(t, (tn_dims){wanted, 40}));
}

TEST(a_flipped_tensor_is_reshaped_without_a_copy_where_its_strides_allow) {
    tn_tensor *x = tn_flip(tn_arange(12, TN_INT64), TN_DIMS(0));
    CHECK_VIEW(tn_view(x, TN_DIMS(3, 4)), TN_DIMS(3, 4), TN_DIMS(-4, -1), 11);
    CHECK_VALUES(tn_view(x, TN_DIMS(3, 4)), 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    CHECK_VIEW(tn_reshape(tn_select(counting(TN_DIMS(2, 6)), 0, 1), TN_DIMS(3, 2)), TN_DIMS(3, 2), TN_DIMS(2, 1), 6);
}

TEST(reshape_is_a_view_where_it_can_be_and_one_copy_where_it_cannot) {
    tn_tensor *x = counting(TN_DIMS(3, 4)), *t = tn_transpose(x, 0, 1);
    CHECK(t);
    tn_counters before = tn_counters_now();
    tn_tensor *view = tn_reshape(x, TN_DIMS(2, 6));
    CHECK_VIEW(view, TN_DIMS(2, 6), TN_DIMS(6, 1), 0);
    CHECK(tn_is_alias_of(view, x));
    CHECK_INT(tn_counters_since(before).copies, 0);
    tn_tensor *copy = tn_reshape(t, TN_DIMS(2, -1));
    CHECK_VIEW(copy, TN_DIMS(2, 6), TN_DIMS(6, 1), 0);
    CHECK(!tn_is_alias_of(copy, x));
    CHECK_VALUES(copy, 0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11);
    tn_counters spent = tn_counters_since(before);
    CHECK_INT(spent.copies, 1);
    CHECK_INT(spent.copied_bytes, 96);
    CHECK_INT(spent.allocations, 1);
    tn_tensor *like = tn_reshape_as(t, view);
    CHECK_VIEW(like, TN_DIMS(2, 6), TN_DIMS(6, 1), 0);
    CHECK_INT(tn_counters_since(before).copies, 2);
}

static void remember_reason(void *ctx, const tn_event *event) {
    if (event->kind == TN_EVENT_COPY)
        snprintf(ctx, 400, "%s: %s", event->operator_name, event->reason);
}

static void stop_listening(void *nothing) {
    (void)nothing;
    tn_set_observer(NULL, NULL);
}

TEST(the_observer_is_told_why_a_reshape_copied) {
    char reason[400] = "";
    tn_tensor *t = tn_transpose(counting(TN_DIMS(3, 4)), 0, 1);
    CHECK(t);
    tn_set_observer(remember_reason, reason);
    TEST_DEFER(stop_listening, NULL);
    CHECK(tn_flatten(t, 0, -1));
    CHECK_TEXT(reason, "flatten: dimensions 0 and 1 must merge to make dimension 0 of [12], but stride[0] = 1 is not size[1] * "
                       "stride[1] = 3 * 4 = 12");
}

TEST(a_copy_made_by_reshape_of_a_read_only_tensor_may_be_written) {
    tn_tensor *x = counting(TN_DIMS(3, 4));
    CHECK(tn_set_readonly(x) == TN_OK);
    tn_tensor *t = tn_transpose(x, 0, 1);
    CHECK(t);
    tn_tensor *copy = tn_reshape(t, TN_DIMS(12));
    CHECK(copy);
    CHECK(!tn_is_readonly(copy));
    CHECK(tn_is_readonly(tn_reshape(x, TN_DIMS(12))) || tn_error_code() == TN_ERROR_MEMORY);
}

TEST(flatten_merges_a_range_of_dimensions) {
    tn_tensor *x = counting(TN_DIMS(2, 3, 2, 2));
    CHECK_VIEW(tn_flatten(x, 0, -1), TN_DIMS(24), TN_DIMS(1), 0);
    CHECK_VIEW(tn_flatten(x, 1, 2), TN_DIMS(2, 6, 2), TN_DIMS(12, 2, 1), 0);
    CHECK_VIEW(tn_flatten(x, -3, 2), TN_DIMS(2, 6, 2), TN_DIMS(12, 2, 1), 0);
    CHECK_VIEW(tn_flatten(x, 3, 3), TN_DIMS(2, 3, 2, 2), TN_DIMS(12, 4, 2, 1), 0);
    CHECK_VIEW(tn_flatten(tn_scalar_tensor(1, TN_INT64), 0, -1), TN_DIMS(1), TN_DIMS(1), 0);
    CHECK_VIEW(tn_ravel(x), TN_DIMS(24), TN_DIMS(1), 0);
    CHECK_VIEW(tn_ravel(tn_slice(tn_arange(9, TN_INT64), 0, TN_NONE, TN_NONE, 2)), TN_DIMS(5), TN_DIMS(2), 0);
    CHECK_ERROR(TN_ERROR_SHAPE, "start_dim = 2 comes after end_dim = 1", tn_flatten(x, 2, 1));
    CHECK_ERROR(TN_ERROR_INDEX, "start_dim = 4 is out of range", tn_flatten(x, 4, -1));
    CHECK_ERROR(TN_ERROR_INDEX, "end_dim = -5 is out of range", tn_flatten(x, 0, -5));
}

TEST(flatten_of_an_empty_tensor_with_huge_sizes_does_not_overflow) {
    tn_tensor *x = tn_expand(tn_empty(TN_DIMS(1, 1, 0), TN_INT64), TN_DIMS(BIG, BIG, 0));
    CHECK_INT(tn_numel(x), 0);
    CHECK(tn_is_contiguous(x));
    CHECK_VIEW(tn_flatten(x, 0, 2), TN_DIMS(0), TN_DIMS(1), 0);
    CHECK_VIEW(tn_transpose(x, 0, 2), TN_DIMS(0, BIG, BIG), TN_DIMS(1, 0, 0), 0);
    CHECK_ERROR(TN_ERROR_SHAPE, "does not fit in 64 bits", tn_flatten(x, 0, 1));
}

TEST(unflatten_splits_one_dimension) {
    tn_tensor *x = tn_transpose(counting(TN_DIMS(4, 6)), 0, 1);
    CHECK_VIEW(tn_unflatten(x, 0, TN_DIMS(2, 3)), TN_DIMS(2, 3, 4), TN_DIMS(3, 1, 6), 0);
    CHECK_VIEW(tn_unflatten(x, -1, TN_DIMS(2, -1)), TN_DIMS(6, 2, 2), TN_DIMS(1, 12, 6), 0);
    CHECK_ERROR(TN_ERROR_SHAPE, "sizes [5, -1]", tn_unflatten(x, 0, TN_DIMS(5, -1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "cannot replace dimension 0", tn_unflatten(x, 0, TN_DIMS()));
    CHECK_ERROR(TN_ERROR_INDEX, "dim = 2 is out of range", tn_unflatten(x, 2, TN_DIMS(1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "cannot replace", tn_unflatten(tn_scalar_tensor(1, TN_INT64), 0, TN_DIMS(1)));
    int64_t many[64];
    for (int k = 0; k < 64; k++)
        many[k] = k == 63 ? 6 : 1;
    CHECK_ERROR(TN_ERROR_SHAPE, "this number of dimensions is not possible", tn_unflatten(x, 0, (tn_dims){many, 64}));
}

/* ---- the order of dimensions */

TEST(permute_and_its_relatives_only_reorder) {
    tn_tensor *x = counting(TN_DIMS(2, 3, 4)), *matrix = counting(TN_DIMS(2, 3));
    CHECK(x && matrix);
    CHECK_VIEW(tn_permute(x, TN_DIMS(2, 0, 1)), TN_DIMS(4, 2, 3), TN_DIMS(1, 12, 4), 0);
    CHECK_VIEW(tn_permute(x, TN_DIMS(-1, 0, -2)), TN_DIMS(4, 2, 3), TN_DIMS(1, 12, 4), 0);
    CHECK_VIEW(tn_transpose(x, 0, -1), TN_DIMS(4, 3, 2), TN_DIMS(1, 4, 12), 0);
    CHECK_VIEW(tn_swapaxes(x, 0, 1), TN_DIMS(3, 2, 4), TN_DIMS(4, 12, 1), 0);
    CHECK_VIEW(tn_swapdims(x, 1, 1), TN_DIMS(2, 3, 4), TN_DIMS(12, 4, 1), 0);
    CHECK_VIEW(tn_t(matrix), TN_DIMS(3, 2), TN_DIMS(1, 3), 0);
    CHECK_VIEW(tn_t(tn_arange(3, TN_INT64)), TN_DIMS(3), TN_DIMS(1), 0);
    CHECK_VIEW(tn_t(tn_scalar_tensor(1, TN_INT64)), TN_DIMS(), TN_DIMS(), 0);
    CHECK_VIEW(tn_T(x), TN_DIMS(4, 3, 2), TN_DIMS(1, 4, 12), 0);
    CHECK_VIEW(tn_mT(x), TN_DIMS(2, 4, 3), TN_DIMS(12, 1, 4), 0);
    CHECK_VIEW(tn_movedim(x, TN_DIMS(0), TN_DIMS(2)), TN_DIMS(3, 4, 2), TN_DIMS(4, 1, 12), 0);
    CHECK_VIEW(tn_moveaxis(x, TN_DIMS(2, 0), TN_DIMS(0, 1)), TN_DIMS(4, 2, 3), TN_DIMS(1, 12, 4), 0);
    CHECK_VIEW(tn_movedim(tn_scalar_tensor(1, TN_INT64), TN_DIMS(0), TN_DIMS(-1)), TN_DIMS(), TN_DIMS(), 0);
    CHECK_VALUES(tn_t(matrix), 0, 3, 1, 4, 2, 5);
}

TEST(a_wrong_order_of_dimensions_is_refused) {
    tn_tensor *x = counting(TN_DIMS(2, 3, 4)), *vector = tn_arange(3, TN_INT64);
    CHECK(x && vector);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "permute: dims [0, 0, 1]: a dimension is named twice", tn_permute(x, TN_DIMS(0, 0, 1)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "named twice", tn_permute(x, TN_DIMS(0, -3, 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "one number for each dimension", tn_permute(x, TN_DIMS(0, 1)));
    CHECK_ERROR(TN_ERROR_INDEX, "out of range; self is [2, 3, 4] int64", tn_permute(x, TN_DIMS(0, 1, 3)));
    CHECK_ERROR(TN_ERROR_INDEX, "dim0 = 3 is out of range: a tensor of 3 dimensions takes -3 to 2", tn_transpose(x, 3, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "swapaxes: dim1 = -4", tn_swapaxes(x, 0, -4));
    CHECK_ERROR(TN_ERROR_INDEX, "takes only 0 and -1", tn_swapdims(tn_scalar_tensor(1, TN_INT64), 0, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "t: self must have at most 2 dimensions", tn_t(x));
    CHECK_ERROR(TN_ERROR_SHAPE, "mT: self must have at least 2", tn_mT(vector));
    CHECK_ERROR(TN_ERROR_SHAPE, "mH: self must have at least 2", tn_mH(vector));
    CHECK_ERROR(TN_ERROR_SHAPE, "adjoint: self must have at least 2", tn_adjoint(vector));
    CHECK_ERROR(TN_ERROR_SHAPE, "H: self must be a matrix", tn_H(x));
    CHECK_ERROR(TN_ERROR_SHAPE, "source [0], destination [0, 1]", tn_movedim(x, TN_DIMS(0), TN_DIMS(0, 1)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "named twice", tn_movedim(x, TN_DIMS(0, 0), TN_DIMS(0, 1)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "named twice", tn_movedim(x, TN_DIMS(0, 1), TN_DIMS(2, -1)));
    CHECK_ERROR(TN_ERROR_INDEX, "moveaxis: source [5]", tn_moveaxis(x, TN_DIMS(5), TN_DIMS(0)));
}

TEST(a_conjugate_transpose_is_a_view_of_reals_and_a_copy_of_complex_numbers) {
    tn_tensor *real = counting(TN_DIMS(2, 3));
    tn_tensor *z = tn_from_text("[[1+2j, 3-4j, 5+6j]]", TN_COMPLEX128), *narrow = tn_from_text("[[1+2j, 3-4j]]", TN_COMPLEX64);
    CHECK(real && z && narrow);
    CHECK_VIEW(tn_H(real), TN_DIMS(3, 2), TN_DIMS(1, 3), 0);
    CHECK_VIEW(tn_mH(real), TN_DIMS(3, 2), TN_DIMS(1, 3), 0);
    CHECK_VIEW(tn_adjoint(real), TN_DIMS(3, 2), TN_DIMS(1, 3), 0);
    tn_counters before = tn_counters_now();
    tn_tensor *h = tn_H(z), *m = tn_mH(narrow);
    CHECK_VIEW(h, TN_DIMS(3, 1), TN_DIMS(1, 1), 0);
    CHECK_VIEW(m, TN_DIMS(2, 1), TN_DIMS(1, 1), 0);
    CHECK_INT(tn_counters_since(before).copies, 2);
    CHECK(!tn_is_alias_of(h, z));
    CHECK_DOUBLE(tn_item_complex(tn_select(h, 0, 1)).imag, 4);
    CHECK_DOUBLE(tn_item_complex(tn_select(h, 0, 1)).real, 3);
    CHECK_DOUBLE(tn_item_complex(tn_select(m, 0, 0)).imag, -2);
    tn_tensor *number = tn_H(tn_scalar_tensor(tn_scalar_complex(1, 2), TN_COMPLEX64));
    CHECK(number);
    CHECK_DOUBLE(tn_item_complex(number).imag, -2);
}

/* ---- dimensions of size 1 */

TEST(squeeze_drops_sizes_of_one_and_unsqueeze_adds_one) {
    tn_tensor *x = counting(TN_DIMS(1, 3, 1, 2));
    CHECK_VIEW(tn_squeeze(x), TN_DIMS(3, 2), TN_DIMS(2, 1), 0);
    CHECK_VIEW(tn_squeeze_dim(x, 0), TN_DIMS(3, 1, 2), TN_DIMS(2, 2, 1), 0);
    CHECK_VIEW(tn_squeeze_dim(x, 1), TN_DIMS(1, 3, 1, 2), TN_DIMS(6, 2, 2, 1), 0);
    CHECK_VIEW(tn_squeeze_dims(x, TN_DIMS(-2, 1)), TN_DIMS(1, 3, 2), TN_DIMS(6, 2, 1), 0);
    CHECK_VIEW(tn_squeeze_dims(x, TN_DIMS()), TN_DIMS(1, 3, 1, 2), TN_DIMS(6, 2, 2, 1), 0);
    CHECK_VIEW(tn_squeeze_dim(tn_scalar_tensor(1, TN_INT64), -1), TN_DIMS(), TN_DIMS(), 0);
    CHECK_VIEW(tn_unsqueeze(x, 1), TN_DIMS(1, 1, 3, 1, 2), TN_DIMS(6, 6, 2, 2, 1), 0);
    CHECK_VIEW(tn_unsqueeze(x, -1), TN_DIMS(1, 3, 1, 2, 1), TN_DIMS(6, 2, 2, 1, 1), 0);
    CHECK_VIEW(tn_unsqueeze(x, -5), TN_DIMS(1, 1, 3, 1, 2), TN_DIMS(6, 6, 2, 2, 1), 0);
    CHECK_ERROR(TN_ERROR_INDEX, "dim = 4 is out of range", tn_squeeze_dim(x, 4));
    CHECK_ERROR(TN_ERROR_INDEX, "dims [0, 4]", tn_squeeze_dims(x, TN_DIMS(0, 4)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "named twice", tn_squeeze_dims(x, TN_DIMS(0, -4)));
    CHECK_ERROR(TN_ERROR_INDEX, "unsqueeze: dim = 5", tn_unsqueeze(x, 5));
    CHECK_ERROR(TN_ERROR_INDEX, "unsqueeze: dim = -6", tn_unsqueeze(x, -6));
}

TEST(a_tensor_has_at_most_64_dimensions) {
    int64_t ones[64];
    for (int k = 0; k < 64; k++)
        ones[k] = 1;
    tn_tensor *x = tn_view(tn_arange(1, TN_INT64), (tn_dims){ones, 64});
    CHECK_INT(tn_ndim(x), 64);
    CHECK_ERROR(TN_ERROR_SHAPE, "this number of dimensions is not possible", tn_unsqueeze(x, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "this number of dimensions is not possible", tn_unfold(x, 0, 1, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "this number of dimensions is not possible",
                tn_view_as_real(tn_expand(tn_zeros(TN_DIMS(1), TN_COMPLEX64), (tn_dims){ones, 64})));
    CHECK_INT(tn_ndim(tn_squeeze(x)), 0);
    CHECK_INT(tn_ndim(tn_select(x, 63, 0)), 63);
    CHECK_INT(tn_ndim(tn_flip(x, TN_DIMS(63))), 64);
    CHECK_INT(tn_ndim(tn_T(x)), 64);
}

TEST(atleast_adds_dimensions_where_torch_adds_them) {
    tn_tensor *number = tn_scalar_tensor(1, TN_INT64), *vector = tn_arange(3, TN_INT64), *matrix = counting(TN_DIMS(2, 3));
    CHECK(number && vector && matrix);
    CHECK_VIEW(tn_atleast_1d(number), TN_DIMS(1), TN_DIMS(1), 0);
    CHECK_VIEW(tn_atleast_2d(number), TN_DIMS(1, 1), TN_DIMS(1, 1), 0);
    CHECK_VIEW(tn_atleast_3d(number), TN_DIMS(1, 1, 1), TN_DIMS(1, 1, 1), 0);
    CHECK_VIEW(tn_atleast_1d(vector), TN_DIMS(3), TN_DIMS(1), 0);
    CHECK_VIEW(tn_atleast_2d(vector), TN_DIMS(1, 3), TN_DIMS(3, 1), 0);
    CHECK_VIEW(tn_atleast_3d(vector), TN_DIMS(1, 3, 1), TN_DIMS(3, 1, 1), 0);
    CHECK_VIEW(tn_atleast_3d(matrix), TN_DIMS(2, 3, 1), TN_DIMS(3, 1, 1), 0);
    CHECK_VIEW(tn_atleast_2d(matrix), TN_DIMS(2, 3), TN_DIMS(3, 1), 0);
}

/* ---- expanding */

TEST(expand_repeats_with_a_stride_of_zero) {
    tn_tensor *x = tn_view(tn_arange(3, TN_INT64), TN_DIMS(3, 1));
    CHECK_VIEW(tn_expand(x, TN_DIMS(3, 4)), TN_DIMS(3, 4), TN_DIMS(1, 0), 0);
    CHECK_VIEW(tn_expand(x, TN_DIMS(2, -1, 4)), TN_DIMS(2, 3, 4), TN_DIMS(0, 1, 0), 0);
    CHECK_VIEW(tn_expand(x, TN_DIMS(1, 3, 1)), TN_DIMS(1, 3, 1), TN_DIMS(3, 1, 1), 0);
    CHECK_VIEW(tn_broadcast_to(x, TN_DIMS(3, 0)), TN_DIMS(3, 0), TN_DIMS(1, 0), 0);
    CHECK_VIEW(tn_expand(tn_scalar_tensor(1, TN_INT64), TN_DIMS(2, 3)), TN_DIMS(2, 3), TN_DIMS(0, 0), 0);
    CHECK_VIEW(tn_expand_as(x, counting(TN_DIMS(2, 3, 2))), TN_DIMS(2, 3, 2), TN_DIMS(0, 1, 0), 0);
    CHECK_VALUES(tn_expand(x, TN_DIMS(3, 2)), 0, 0, 1, 1, 2, 2);
}

TEST(expand_refuses_what_does_not_fit) {
    tn_tensor *x = counting(TN_DIMS(3, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "expand: size [3]: a list does not have", tn_expand(x, TN_DIMS(3)));
    CHECK_ERROR(TN_ERROR_SHAPE, "neither is 1; self is [3, 1] int64", tn_expand(x, TN_DIMS(4, 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "no size that -1 could keep", tn_expand(x, TN_DIMS(-1, 3, 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "a size is negative", tn_expand(x, TN_DIMS(3, -2)));
    CHECK_ERROR(TN_ERROR_SHAPE, "neither is 1", tn_expand_as(x, counting(TN_DIMS(2, 2))));
    CHECK_ERROR(TN_ERROR_SHAPE, "neither is 1", tn_broadcast_to(x, TN_DIMS(2, 1)));
}

TEST(a_view_with_more_elements_than_can_be_counted_is_refused) {
    tn_tensor *x = tn_zeros(TN_DIMS(1), TN_FLOAT32), *z = tn_zeros(TN_DIMS(1), TN_COMPLEX64);
    CHECK(x && z);
    CHECK_INT(tn_numel(tn_expand(x, TN_DIMS(BIG))), BIG);
    CHECK_ERROR(TN_ERROR_SHAPE, "expand: a view of sizes [1099511627776, 1099511627776] would have more elements",
                tn_expand(x, TN_DIMS(BIG, BIG)));
    CHECK_ERROR(TN_ERROR_SHAPE, "does not fit in 64 bits", tn_as_strided(x, TN_DIMS(BIG, BIG), TN_DIMS(0, 0), 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "more elements", tn_unfold(tn_expand(x, TN_DIMS(INT64_MAX)), 0, 3, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "more elements", tn_view_as_real(tn_expand(z, TN_DIMS(INT64_MAX))));
    CHECK_ERROR(TN_ERROR_SHAPE, "more elements",
                tn_view_dtype(tn_expand(tn_view(x, TN_DIMS(1, 1)), TN_DIMS(INT64_MAX, 1)), TN_UINT8));
    tn_tensor *many = tn_expand(x, TN_DIMS(BIG));
    CHECK(many);
    CHECK_ERROR(TN_ERROR_SHAPE, "does not fit in 64 bits", tn_meshgrid((const tn_tensor *[]){many, many}, 2, "ij"));
}

TEST(broadcast_tensors_gives_all_the_common_shape) {
    tn_tensor *a = counting(TN_DIMS(3, 1)), *b = tn_arange(2, TN_INT64), *c = tn_scalar_tensor(5, TN_INT64);
    CHECK(a && b && c);
    tn_list *list = tn_broadcast_tensors((const tn_tensor *[]){a, b, c}, 3);
    CHECK_INT(tn_list_count(list), 3);
    CHECK_VIEW(tn_list_at(list, 0), TN_DIMS(3, 2), TN_DIMS(1, 0), 0);
    CHECK_VIEW(tn_list_at(list, 1), TN_DIMS(3, 2), TN_DIMS(0, 1), 0);
    CHECK_VIEW(tn_list_at(list, -1), TN_DIMS(3, 2), TN_DIMS(0, 0), 0);
    CHECK_INT(tn_list_count(tn_broadcast_tensors(NULL, 0)), 0);
    tn_tensor *wrong = counting(TN_DIMS(4, 2));
    CHECK_ERROR(
        TN_ERROR_SHAPE,
        "tensors[1] is [4, 2] int64, which does not fit the common shape [3, 1] of those before it: two sizes differ and "
        "neither is 1 at dimension 0",
        tn_broadcast_tensors((const tn_tensor *[]){a, wrong}, 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "tensors[1] is NULL", tn_broadcast_tensors((const tn_tensor *[]){a, NULL}, 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "tensors is NULL", tn_broadcast_tensors(NULL, 2));
}

TEST(meshgrid_lays_vectors_along_the_dimensions_of_a_grid) {
    tn_tensor *a = tn_arange(2, TN_INT64), *b = tn_arange(3, TN_INT64), *number = tn_scalar_tensor(9, TN_INT64);
    tn_tensor *matrix = counting(TN_DIMS(2, 2)), *other = tn_arange(2, TN_FLOAT32);
    CHECK(a && b && number && matrix && other);
    tn_list *ij = tn_meshgrid((const tn_tensor *[]){a, b}, 2, "ij"), *xy = tn_meshgrid((const tn_tensor *[]){a, b}, 2, "xy");
    CHECK_VALUES(tn_list_at(ij, 0), 0, 0, 0, 1, 1, 1);
    CHECK_VALUES(tn_list_at(ij, 1), 0, 1, 2, 0, 1, 2);
    CHECK_VIEW(tn_list_at(ij, 0), TN_DIMS(2, 3), TN_DIMS(1, 0), 0);
    CHECK_VALUES(tn_list_at(xy, 0), 0, 1, 0, 1, 0, 1);
    CHECK_VALUES(tn_list_at(xy, 1), 0, 0, 1, 1, 2, 2);
    CHECK_VIEW(tn_list_at(xy, 0), TN_DIMS(3, 2), TN_DIMS(0, 1), 0);
    tn_list *deep = tn_meshgrid((const tn_tensor *[]){a, number, b}, 3, "xy");
    CHECK_VIEW(tn_list_at(deep, 2), TN_DIMS(1, 2, 3), TN_DIMS(3, 0, 1), 0);
    CHECK_VIEW(tn_list_at(tn_meshgrid((const tn_tensor *[]){b}, 1, "xy"), 0), TN_DIMS(3), TN_DIMS(1), 0);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "indexing 'yx' must be 'ij' or 'xy'", tn_meshgrid((const tn_tensor *[]){a}, 1, "yx"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "indexing is NULL", tn_meshgrid((const tn_tensor *[]){a}, 1, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "0 tensors", tn_meshgrid(NULL, 0, "ij"));
    CHECK_ERROR(TN_ERROR_SHAPE, "tensors[1] must have at most one dimension",
                tn_meshgrid((const tn_tensor *[]){a, matrix}, 2, "ij"));
    CHECK_ERROR(TN_ERROR_DTYPE, "tensors[1] is [2] float32, tensors[0] is [2] int64",
                tn_meshgrid((const tn_tensor *[]){a, other}, 2, "ij"));
    const tn_tensor *many[65];
    for (int k = 0; k < 65; k++)
        many[k] = number;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "65 tensors: from 1 to 64", tn_meshgrid(many, 65, "ij"));
}

/* ---- other readings of the same bytes */

TEST(the_same_bytes_are_read_as_another_dtype) {
    tn_tensor *x = tn_view(tn_arange(8, TN_INT32), TN_DIMS(2, 4)), *tail = tn_slice(x, 1, 2, TN_NONE, 1);
    CHECK(x && tail);
    CHECK_VIEW(tn_view_dtype(x, TN_FLOAT32), TN_DIMS(2, 4), TN_DIMS(4, 1), 0);
    CHECK_INT(tn_dtype_of(tn_view_dtype(x, TN_FLOAT32)), TN_FLOAT32);
    CHECK_VIEW(tn_view_dtype(tail, TN_INT16), TN_DIMS(2, 4), TN_DIMS(8, 1), 4);
    CHECK_VIEW(tn_view_dtype(tail, TN_INT64), TN_DIMS(2, 1), TN_DIMS(2, 1), 1);
    CHECK_VIEW(tn_view_dtype(tn_scalar_tensor(1, TN_INT32), TN_FLOAT32), TN_DIMS(), TN_DIMS(), 0);
    CHECK_INT(tn_item_int64(tn_view_dtype(tn_full(TN_DIMS(1), 1.0, TN_FLOAT32), TN_INT32)), 0x3f800000);
    CHECK_ERROR(TN_ERROR_SHAPE, "view: as int64: the last dimension does not divide",
                tn_view_dtype(tn_slice(x, 1, 0, 3, 1), TN_INT64));
    CHECK_ERROR(TN_ERROR_SHAPE, "the offset does not fall", tn_view_dtype(tn_slice(x, 1, 1, 3, 1), TN_INT64));
    CHECK_ERROR(TN_ERROR_SHAPE, "the last dimension's stride must be 1", tn_view_dtype(tn_transpose(x, 0, 1), TN_INT16));
    CHECK_ERROR(TN_ERROR_SHAPE, "a stride does not fall",
                tn_view_dtype(tn_as_strided(x, TN_DIMS(2, 2), TN_DIMS(3, 1), 0), TN_INT64));
    CHECK_ERROR(TN_ERROR_INDEX, "at least one dimension", tn_view_dtype(tn_scalar_tensor(1, TN_INT32), TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "there is no dtype number 0", tn_view_dtype(x, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "there is no dtype number 99", tn_view_dtype(x, (tn_dtype)99));
}

TEST(complex_numbers_are_pairs_and_pairs_are_complex_numbers) {
    tn_tensor *z = tn_from_text("[1+2j, 3+4j, 5+6j]", TN_COMPLEX64);
    tn_tensor *pairs = tn_view_as_real(z);
    CHECK_VIEW(pairs, TN_DIMS(3, 2), TN_DIMS(2, 1), 0);
    CHECK_INT(tn_dtype_of(pairs), TN_FLOAT32);
    CHECK_VALUES(pairs, 1, 2, 3, 4, 5, 6);
    tn_tensor *again = tn_view_as_complex(pairs);
    CHECK_VIEW(again, TN_DIMS(3), TN_DIMS(1), 0);
    CHECK_INT(tn_dtype_of(again), TN_COMPLEX64);
    tn_tensor *tail = tn_slice(z, 0, 1, TN_NONE, 1);
    CHECK_VIEW(tn_real(tail), TN_DIMS(2), TN_DIMS(2), 2);
    CHECK_VIEW(tn_imag(tail), TN_DIMS(2), TN_DIMS(2), 3);
    CHECK_VALUES(tn_imag(tail), 4, 6);
    CHECK_VIEW(tn_real(pairs), TN_DIMS(3, 2), TN_DIMS(2, 1), 0);
    CHECK_VIEW(tn_view_as_real(tn_flip(z, TN_DIMS(0))), TN_DIMS(3, 2), TN_DIMS(-2, 1), 4);
    CHECK_INT(tn_dtype_of(tn_view_as_complex(tn_zeros(TN_DIMS(2), TN_FLOAT64))), TN_COMPLEX128);
}

TEST(what_is_not_complex_or_not_in_pairs_is_refused) {
    tn_tensor *x = tn_zeros(TN_DIMS(3, 2), TN_FLOAT32), *whole = tn_arange(2, TN_INT64);
    CHECK(x && whole);
    CHECK_ERROR(TN_ERROR_DTYPE, "self must be complex, it is [3, 2] float32", tn_view_as_real(x));
    CHECK_ERROR(TN_ERROR_DTYPE, "imag: self [3, 2] float32 is real", tn_imag(x));
    CHECK_ERROR(TN_ERROR_DTYPE, "self must be float32 or float64", tn_view_as_complex(whole));
    CHECK_ERROR(TN_ERROR_SHAPE, "does not divide", tn_view_as_complex(tn_zeros(TN_DIMS(2, 3), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_SHAPE, "stride must be 1", tn_view_as_complex(tn_flip(x, TN_DIMS(1))));
    CHECK_ERROR(TN_ERROR_SHAPE, "the offset does not fall", tn_view_as_complex(tn_as_strided(x, TN_DIMS(2), TN_DIMS(1), 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "a stride does not fall",
                tn_view_as_complex(tn_as_strided(x, TN_DIMS(2, 2), TN_DIMS(3, 1), 0)));
    CHECK_ERROR(TN_ERROR_INDEX, "at least one dimension", tn_view_as_complex(tn_zeros(TN_DIMS(), TN_FLOAT32)));
}
