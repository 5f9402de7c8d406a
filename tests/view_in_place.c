/* view_in_place.c - what all views have in common (sharing, versions, the read-only mark), and the operators that change a
 * tensor's own geometry or storage. */
#include "view_helpers.h"

#define BIG (INT64_C(1) << 40)

/* ---- what every view has in common */

enum { SOURCE_ROWS = 2, SOURCE_COLUMNS = 2, VIEW_COUNT = 38 };

/* Every operator that gives one view, of a (2, 2) float32 tensor. */
static tn_tensor *make_view(int which, const tn_tensor *x) {
    switch (which) {
    case 0: return tn_view(x, TN_DIMS(4));
    case 1: return tn_view_as(x, x);
    case 2: return tn_view_dtype(x, TN_INT32);
    case 3: return tn_reshape(x, TN_DIMS(1, 4));
    case 4: return tn_reshape_as(x, x);
    case 5: return tn_flatten(x, 0, 1);
    case 6: return tn_ravel(x);
    case 7: return tn_unflatten(x, 0, TN_DIMS(2, 1));
    case 8: return tn_permute(x, TN_DIMS(1, 0));
    case 9: return tn_transpose(x, 0, 1);
    case 10: return tn_swapaxes(x, 0, 1);
    case 11: return tn_swapdims(x, 0, 1);
    case 12: return tn_t(x);
    case 13: return tn_T(x);
    case 14: return tn_mT(x);
    case 15: return tn_H(x);
    case 16: return tn_mH(x);
    case 17: return tn_adjoint(x);
    case 18: return tn_movedim(x, TN_DIMS(0), TN_DIMS(1));
    case 19: return tn_moveaxis(x, TN_DIMS(0), TN_DIMS(1));
    case 20: return tn_squeeze(x);
    case 21: return tn_squeeze_dim(x, 0);
    case 22: return tn_unsqueeze(x, 0);
    case 23: return tn_expand(x, TN_DIMS(3, 2, 2));
    case 24: return tn_broadcast_to(x, TN_DIMS(1, 2, 2));
    case 25: return tn_narrow(x, 0, 0, 1);
    case 26: return tn_select(x, 0, 0);
    case 27: return tn_slice(x, 1, TN_NONE, TN_NONE, -1);
    case 28: return tn_flip(x, TN_DIMS(0, 1));
    case 29: return tn_rot90(x, 1, TN_DIMS(0, 1));
    case 30: return tn_unfold(x, 0, 2, 1);
    case 31: return tn_diagonal(x, 0, 0, 1);
    case 32: return tn_as_strided(x, TN_DIMS(4), TN_DIMS(1), 0);
    case 33: return tn_view_as_complex(x);
    case 34: return tn_real(x);
    case 35: return tn_detach(x);
    case 36: return tn_alias(x);
    case 37: return tn_atleast_3d(x);
    default: return NULL;
    }
}

TEST(every_view_shares_the_storage_and_its_version_and_is_a_tensor_of_its_own) {
    tn_tensor *x = tn_ones(TN_DIMS(SOURCE_ROWS, SOURCE_COLUMNS), TN_FLOAT32);
    CHECK(x);
    tn_counters before = tn_counters_now();
    for (int k = 0; k < VIEW_COUNT; k++) {
        tn_tensor *view = make_view(k, x);
        CHECK(view && view != x);
        CHECK(tn_is_alias_of(view, x));
        CHECK(!tn_is_readonly(view));
        CHECK_INT(tn_use_count(view), 1);
        CHECK(tn_shares_memory(view, x));
        uint32_t version = tn_tensor_version(view);
        CHECK(tn_set_element(x, TN_DIMS(0, 0), TN_SCALAR(k)) == TN_OK);
        CHECK_INT(tn_tensor_version(view), version + 1);
        CHECK_INT(tn_tensor_version(x), version + 1);
    }
    CHECK_INT(tn_counters_since(before).copies, 0);
    CHECK_INT(tn_counters_since(before).allocations, 0);
}

TEST(a_view_of_a_read_only_tensor_is_read_only_and_refuses_every_write) {
    tn_tensor *x = tn_ones(TN_DIMS(SOURCE_ROWS, SOURCE_COLUMNS), TN_FLOAT32);
    CHECK(tn_set_readonly(x) == TN_OK);
    for (int k = 0; k < VIEW_COUNT; k++) {
        tn_tensor *view = make_view(k, x);
        CHECK(view);
        CHECK(tn_is_readonly(view));
        CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_mutable_data(view));
    }
    tn_tensor *rows = tn_list_at(tn_unbind(x, 0), 0), *part = tn_index(x, TN_AT(0), TN_ALL);
    CHECK(rows && part);
    CHECK(tn_is_readonly(rows) && tn_is_readonly(part));
    tn_list *grid = tn_meshgrid((const tn_tensor *[]){rows}, 1, "ij"), *all = tn_broadcast_tensors((const tn_tensor *[]){x}, 1);
    CHECK(grid && all);
    CHECK(tn_is_readonly(tn_list_at(grid, 0)) && tn_is_readonly(tn_list_at(all, 0)));
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_setitem_scalar_(x, TN_INDEX(TN_AT(0)), 5));
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_set_element(part, TN_DIMS(0), TN_SCALAR(5)));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0, 0)), 1);
}

TEST(views_made_before_a_tensor_became_read_only_still_write) {
    tn_tensor *x = tn_zeros(TN_DIMS(4), TN_FLOAT32), *view = tn_view(x, TN_DIMS(2, 2));
    CHECK(view);
    CHECK(tn_set_readonly(x) == TN_OK);
    CHECK(!tn_is_readonly(view));
    CHECK(tn_set_element(view, TN_DIMS(1, 1), TN_SCALAR(3)) == TN_OK);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(3)), 3);
}

TEST(a_write_through_one_view_is_seen_by_all) {
    tn_tensor *x = counting(TN_DIMS(3, 4)), *t = tn_t(x), *backwards = tn_flip(x, TN_DIMS(0, 1)), *row = tn_select(x, 0, 1);
    CHECK(t && backwards && row);
    CHECK(tn_set_element(t, TN_DIMS(2, 1), TN_SCALAR(100)) == TN_OK);
    CHECK_INT(tn_get_int64(x, TN_DIMS(1, 2)), 100);
    CHECK_INT(tn_get_int64(backwards, TN_DIMS(1, 1)), 100);
    CHECK_INT(tn_get_int64(row, TN_DIMS(2)), 100);
}

TEST(a_view_outlives_the_tensor_it_was_made_from) {
    tn_scope scope = tn_scope_open();
    tn_tensor *view = tn_keep(tn_transpose(counting(TN_DIMS(2, 3)), 0, 1));
    tn_scope_close(scope);
    CHECK(view);
    TEST_DEFER(tn_release, view);
    CHECK_VALUES(view, 0, 3, 1, 4, 2, 5);
}

TEST(null_gives_null_and_the_first_error_stays) {
    CHECK_ERROR(TN_ERROR_ARGUMENT, "transpose: self is NULL", tn_transpose(NULL, 0, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "view_as: other is NULL", tn_view_as(tn_arange(3, TN_INT64), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "squeeze_: self is NULL", tn_squeeze_(NULL));
    tn_tensor *x = tn_arange(3, TN_INT64);
    CHECK(x);
    CHECK_ERROR(TN_ERROR_SHAPE, "view: shape [5]", tn_flip(tn_t(tn_unsqueeze(tn_view(x, TN_DIMS(5)), 0)), TN_DIMS(0)));
}

/* ---- in place */

TEST(in_place_forms_change_the_tensor_itself_and_no_other) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *view = tn_alias(x);
    CHECK(view);
    CHECK(tn_transpose_(x, 0, 1) == x);
    CHECK_VIEW(x, TN_DIMS(3, 2), TN_DIMS(1, 3), 0);
    CHECK(!tn_is_contiguous(x));
    CHECK(tn_t_(x) == x);
    CHECK_VIEW(x, TN_DIMS(2, 3), TN_DIMS(3, 1), 0);
    CHECK(tn_is_contiguous(x));
    CHECK(tn_unsqueeze_(x, 1) == x);
    CHECK_VIEW(x, TN_DIMS(2, 1, 3), TN_DIMS(3, 3, 1), 0);
    CHECK(tn_swapaxes_(x, 0, 1) == x);
    CHECK_VIEW(x, TN_DIMS(1, 2, 3), TN_DIMS(3, 3, 1), 0);
    CHECK(tn_swapdims_(x, 0, -1) == x);
    CHECK_VIEW(x, TN_DIMS(3, 2, 1), TN_DIMS(1, 3, 3), 0);
    CHECK(tn_squeeze_dim_(x, 0) == x);
    CHECK(tn_squeeze_dims_(x, TN_DIMS(2)) == x);
    CHECK_VIEW(x, TN_DIMS(3, 2), TN_DIMS(1, 3), 0);
    CHECK(tn_as_strided_(x, TN_DIMS(1, 2), TN_DIMS(5, -1), 5) == x);
    CHECK(tn_squeeze_(x) == x);
    CHECK_VALUES(x, 5, 4);
    CHECK_VIEW(view, TN_DIMS(2, 3), TN_DIMS(3, 1), 0);
    CHECK_INT(tn_tensor_version(x), 9); /* each counts as a write, as in torch: a derivative may have kept the tensor */
}

TEST(in_place_forms_work_across_the_limit_of_inline_dimensions) {
    tn_tensor *x = counting(TN_DIMS(2, 1, 3, 1, 2));
    for (int k = 0; k < 4; k++)
        CHECK(tn_unsqueeze_(x, -1) == x);
    CHECK_INT(tn_ndim(x), 9);
    CHECK(tn_transpose_(x, 0, 8) == x);
    CHECK_INT(tn_size(x, 8), 2);
    CHECK(tn_squeeze_(x) == x);
    CHECK_VIEW(x, TN_DIMS(3, 2, 2), TN_DIMS(2, 1, 6), 0);
}

TEST(an_in_place_form_that_fails_leaves_the_tensor_as_it_was) {
    tn_tensor *x = counting(TN_DIMS(2, 3, 1));
    CHECK_ERROR(TN_ERROR_INDEX, "transpose_: dim1 = 3", tn_transpose_(x, 0, 3));
    CHECK_ERROR(TN_ERROR_SHAPE, "t_: self must have at most 2", tn_t_(x));
    CHECK_ERROR(TN_ERROR_INDEX, "squeeze_: dim = 5", tn_squeeze_dim_(x, 5));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "named twice", tn_squeeze_dims_(x, TN_DIMS(2, 2)));
    CHECK_ERROR(TN_ERROR_INDEX, "unsqueeze_: dim = 9", tn_unsqueeze_(x, 9));
    CHECK_ERROR(TN_ERROR_SHAPE, "as_strided_: sizes [7]", tn_as_strided_(x, TN_DIMS(7), TN_DIMS(1), 0));
    CHECK_ERROR(TN_ERROR_INDEX, "swapaxes_: dim0 = -4", tn_swapaxes_(x, -4, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "swapdims_: dim0 = -4", tn_swapdims_(x, -4, 0));
    CHECK_VIEW(x, TN_DIMS(2, 3, 1), TN_DIMS(3, 1, 1), 0);
}

TEST(resize_grows_the_storage_where_it_must_and_never_shrinks_it) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *view = tn_slice(tn_view(x, TN_DIMS(6)), 0, 2, 4, 1);
    CHECK(view);
    CHECK(tn_resize_(x, TN_DIMS(2, 2)) == x);
    CHECK_VIEW(x, TN_DIMS(2, 2), TN_DIMS(2, 1), 0);
    CHECK_INT(tn_storage_nbytes(tn_storage_of(x)), 48);
    CHECK(tn_resize_(view, TN_DIMS(5)) == view); /* from offset 2 on: 7 elements are needed */
    CHECK_VIEW(view, TN_DIMS(5), TN_DIMS(1), 2);
    CHECK(tn_storage_nbytes(tn_storage_of(x)) >= 56);
    CHECK_VALUES(x, 0, 1, 2, 3);
    CHECK_INT(tn_get_int64(view, TN_DIMS(3)), 5);
    CHECK(tn_is_alias_of(x, view));
    tn_tensor *wide = tn_empty(TN_DIMS(1, 1, 1, 1, 1, 1, 7), TN_INT64);
    CHECK(tn_resize_as_(x, wide) == x);
    CHECK_VIEW(x, TN_DIMS(1, 1, 1, 1, 1, 1, 7), TN_DIMS(7, 7, 7, 7, 7, 7, 1), 0);
    CHECK(tn_resize_(x, TN_DIMS(0, 9)) == x);
    CHECK_VIEW(x, TN_DIMS(0, 9), TN_DIMS(9, 1), 0);
    CHECK(tn_resize_(x, TN_DIMS()) == x);
    CHECK_INT(tn_item_int64(x), 0);
}

TEST(resize_to_the_sizes_a_tensor_has_changes_nothing) {
    tn_tensor *x = tn_t(counting(TN_DIMS(2, 3)));
    CHECK(tn_resize_(x, TN_DIMS(3, 2)) == x);
    CHECK_VIEW(x, TN_DIMS(3, 2), TN_DIMS(1, 3), 0);
}

TEST(a_storage_that_cannot_grow_refuses_resize_and_everything_stays) {
    static int64_t memory[4] = {1, 2, 3, 4};
    tn_tensor *borrowed = tn_from_memory(memory, TN_DIMS(4), TN_INT64, TN_BORROW), *fixed = tn_arange(3, TN_INT64);
    CHECK(borrowed && fixed);
    CHECK(tn_resize_(borrowed, TN_DIMS(2, 2)) == borrowed);
    CHECK_ERROR(TN_ERROR_STATE, "resize_:", tn_resize_(borrowed, TN_DIMS(5)));
    CHECK_VIEW(borrowed, TN_DIMS(2, 2), TN_DIMS(2, 1), 0);
    CHECK(tn_set_readonly(fixed) == TN_OK);
    CHECK(tn_resize_(fixed, TN_DIMS(1, 3)) == fixed);
    CHECK_ERROR(TN_ERROR_READONLY, "its storage cannot grow", tn_resize_(fixed, TN_DIMS(4)));
    CHECK_ERROR(TN_ERROR_SHAPE, "a size is negative", tn_resize_(fixed, TN_DIMS(-1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "does not fit in 64 bits", tn_resize_(fixed, TN_DIMS(BIG, BIG)));
    CHECK_ERROR(TN_ERROR_SHAPE, "does not fit in 64 bits", tn_resize_(fixed, TN_DIMS(INT64_MAX)));
    CHECK_VIEW(fixed, TN_DIMS(1, 3), TN_DIMS(3, 1), 0);
}

TEST(set_makes_a_tensor_look_elsewhere) {
    tn_tensor *x = tn_arange(3, TN_INT64), *other = tn_t(counting(TN_DIMS(2, 3))), *f = tn_arange(3, TN_FLOAT32);
    CHECK(x && other && f);
    CHECK(tn_set_(x, other) == x);
    CHECK_VIEW(x, TN_DIMS(3, 2), TN_DIMS(1, 3), 0);
    CHECK(tn_is_alias_of(x, other));
    CHECK(tn_set_(x, x) == x);
    CHECK_VALUES(x, 0, 3, 1, 4, 2, 5);
    CHECK(tn_set_storage_(x, tn_storage_of(other), 5, TN_DIMS(2, 2), TN_DIMS(-3, -1)) == x);
    CHECK_VALUES(x, 5, 4, 2, 1);
    CHECK_ERROR(TN_ERROR_DTYPE, "self is [2, 2] int64, source is [3] float32: the dtypes must be equal", tn_set_(x, f));
    CHECK_ERROR(TN_ERROR_SHAPE, "2 sizes [2, 2] but 1 strides [1]",
                tn_set_storage_(x, tn_storage_of(other), 0, TN_DIMS(2, 2), TN_DIMS(1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "reach elements 0 to 6", tn_set_storage_(x, tn_storage_of(other), 0, TN_DIMS(7), TN_DIMS(1)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "source is NULL", tn_set_storage_(x, NULL, 0, TN_DIMS(1), TN_DIMS(1)));
    CHECK_VALUES(x, 5, 4, 2, 1);
    CHECK(tn_set_storage_(f, tn_storage_of(other), 2, TN_DIMS(1), TN_DIMS(1)) == f); /* with its own dtype */
    CHECK_INT(tn_dtype_of(f), TN_FLOAT32);
}

TEST(set_cannot_make_a_read_only_tensor_writable_again) {
    tn_tensor *x = tn_arange(3, TN_INT64), *other = tn_arange(4, TN_INT64), *writable = tn_arange(2, TN_INT64);
    CHECK(x && other && writable);
    CHECK(tn_set_readonly(x) == TN_OK);
    CHECK(tn_set_storage_(x, tn_storage_of(x), 0, TN_DIMS(2), TN_DIMS(1)) == x);
    CHECK(tn_is_readonly(x));
    CHECK(tn_set_(x, other) == x);
    CHECK(tn_is_readonly(x));
    CHECK(tn_set_(writable, x) == writable);
    CHECK(tn_is_readonly(writable));
    CHECK(!tn_is_readonly(other));
}

TEST(a_tensor_is_resized_in_a_memory_format) {
    tn_tensor *x = tn_zeros(TN_DIMS(2), TN_FLOAT32),
              *images = tn_clone(tn_zeros(TN_DIMS(1, 2, 3, 4), TN_FLOAT32), TN_CHANNELS_LAST);
    CHECK(x && images);
    CHECK(tn_resize_format_(x, TN_DIMS(1, 2, 3, 4), TN_CHANNELS_LAST) == x);
    CHECK_VIEW(x, TN_DIMS(1, 2, 3, 4), TN_DIMS(24, 1, 8, 2), 0);
    CHECK(tn_resize_format_(x, TN_DIMS(1, 2, 3, 4), TN_CONTIGUOUS) == x); /* the same sizes: the strides stay */
    CHECK_VIEW(x, TN_DIMS(1, 2, 3, 4), TN_DIMS(24, 1, 8, 2), 0);
    CHECK(tn_resize_format_(x, TN_DIMS(1, 2, 1, 2, 2), TN_CHANNELS_LAST_3D) == x);
    CHECK_VIEW(x, TN_DIMS(1, 2, 1, 2, 2), TN_DIMS(8, 1, 8, 4, 2), 0);
    CHECK(tn_resize_as_format_(x, images, TN_PRESERVE) == x);
    CHECK_VIEW(x, TN_DIMS(1, 2, 3, 4), TN_DIMS(24, 1, 8, 2), 0);
    CHECK(tn_resize_as_format_(tn_resize_(x, TN_DIMS(3)), tn_permute(images, TN_DIMS(3, 2, 1, 0)), TN_PRESERVE) == x);
    CHECK_VIEW(x, TN_DIMS(4, 3, 2, 1), TN_DIMS(6, 2, 1, 1), 0);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "preserve", tn_resize_format_(x, TN_DIMS(2), TN_PRESERVE));
    CHECK_ERROR(TN_ERROR_SHAPE, "needs 4 dimensions", tn_resize_format_(x, TN_DIMS(2, 3, 4), TN_CHANNELS_LAST));
    CHECK_VIEW(x, TN_DIMS(4, 3, 2, 1), TN_DIMS(6, 2, 1, 1), 0);
}
