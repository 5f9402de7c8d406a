/* overlapping.c - writing to tensors several of whose elements share a place: what PyTorch allows, with its result, and with a
 * warning where it warns. */
#include "warning_helpers.h"

static tn_tensor *expanded(int64_t count) { return tn_expand(tn_ones(TN_DIMS(1), TN_FLOAT32), TN_DIMS(count)); }

TEST(a_fill_takes_any_tensor) {
    tn_tensor *x = expanded(3), *base = tn_zeros(TN_DIMS(5), TN_FLOAT32), *windows = tn_unfold(base, 0, 2, 1);
    CHECK(x && windows);
    WARNINGS_BEGIN(heard);
    CHECK(tn_fill_(x, 2) == x && warnings_are(x, "[2, 2, 2]", TN_FLOAT32));
    CHECK(tn_zero_(x) == x && warnings_are(x, "[0, 0, 0]", TN_FLOAT32));
    CHECK(tn_fill_(windows, 3) == windows && warnings_are(base, "[3, 3, 3, 3, 3]", TN_FLOAT32));
    tn_tensor *huge = tn_expand(tn_ones(TN_DIMS(1, 2), TN_INT8), TN_DIMS(INT64_C(1) << 40, 2)); /* two places */
    CHECK(huge && tn_fill_(huge, 7) == huge);
    CHECK_INT(tn_get_int64(huge, TN_DIMS(INT64_C(1) << 39, 1)), 7);
    CHECK_INT(heard.calls, 0);
    CHECK_ERROR(TN_ERROR_OVERLAP, "share a place", tn_setitem_scalar_(x, TN_INDEX(TN_ALL), 1)); /* as in torch */
}

TEST(a_masked_fill_writes_where_any_element_of_a_place_is_meant) {
    tn_tensor *x = expanded(3), *base = tn_zeros(TN_DIMS(4), TN_FLOAT32), *windows = tn_unfold(base, 0, 2, 1);
    CHECK(x && windows);
    WARNINGS_BEGIN(heard);
    CHECK(tn_masked_fill_(x, tn_from_text("[false, false, true]", TN_BOOL), 5) == x);
    CHECK(warnings_are(x, "[5, 5, 5]", TN_FLOAT32));
    CHECK_INT(heard.calls, 1);
    CHECK(strstr(heard.last.message, "masked_fill_: several elements of self [3] float32 with strides [0] share one place"));
    CHECK(tn_masked_fill_(x, tn_from_text("[false, false, false]", TN_BOOL), 6) == x);
    CHECK(warnings_are(x, "[5, 5, 5]", TN_FLOAT32));
    CHECK(tn_masked_fill_(windows, tn_from_text("[[false, true], [false, false], [false, true]]", TN_BOOL), 1) == windows);
    CHECK(warnings_are(base, "[0, 1, 0, 1]", TN_FLOAT32));
    CHECK(tn_masked_fill_(x, tn_from_text("true", TN_BOOL), 8) == x &&
          warnings_are(x, "[8, 8, 8]", TN_FLOAT32)); /* broadcast */
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_masked_fill_(x, tn_from_text("[true, true]", TN_BOOL), 8));
}

TEST(an_index_writes_to_a_place_in_row_major_order) {
    tn_tensor *x = expanded(3), *at = tn_from_text("[1, 2]", TN_INT64), *five = tn_from_text("[5, 6]", TN_FLOAT32);
    CHECK(x && at && five);
    WARNINGS_BEGIN(heard);
    CHECK(tn_index_put_(x, TN_INDEX(TN_PICK(at)), five, false) == x && warnings_are(x, "[6, 6, 6]", TN_FLOAT32));
    CHECK(tn_index_put_(x, TN_INDEX(TN_PICK(at)), five, true) == x && warnings_are(x, "[17, 17, 17]", TN_FLOAT32));
    CHECK(tn_setitem_scalar_(x, TN_INDEX(TN_PICK(at)), 4) == x && warnings_are(x, "[4, 4, 4]", TN_FLOAT32));
    CHECK(tn_setitem_scalar_(x, TN_INDEX(TN_PICK(tn_from_text("[true, false, false]", TN_BOOL))), 3) == x);
    CHECK(warnings_are(x, "[3, 3, 3]", TN_FLOAT32));
    CHECK(tn_index_fill_(x, 0, at, 2) == x && warnings_are(x, "[2, 2, 2]", TN_FLOAT32));
    CHECK_INT(heard.calls, 5);
    tn_tensor *m = tn_flip(tn_expand(tn_from_text("[1, 2, 3]", TN_INT64), TN_DIMS(2, 3)), TN_DIMS(1)); /* 3 2 1, twice */
    CHECK(m && tn_setitem_scalar_(m, TN_INDEX(TN_AT(1), TN_PICK(tn_from_text("[0]", TN_INT64))), 9) == m);
    CHECK(warnings_are(m, "[[9, 2, 1], [9, 2, 1]]", TN_INT64));
    CHECK_ERROR(TN_ERROR_INDEX, "out of range", tn_index_fill_(x, 0, tn_from_text("[3]", TN_INT64), 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "broadcast", tn_index_put_(x, TN_INDEX(TN_PICK(at)), tn_ones(TN_DIMS(3), TN_FLOAT32), false));
    CHECK(warnings_are(x, "[2, 2, 2]", TN_FLOAT32));
    CHECK(tn_set_readonly(x) == TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "", tn_index_fill_(x, 0, at, 2));
}

TEST(an_index_into_a_huge_expanded_tensor_costs_what_it_names) {
    int64_t huge = INT64_C(1) << 40;
    tn_tensor *base = tn_zeros(TN_DIMS(1, 3), TN_FLOAT16), *x = tn_expand(base, TN_DIMS(huge, 3));
    tn_tensor *rows = tn_from_text("[0, 1099511627775, 5, -1]", TN_INT64), *columns = tn_from_text("[2, 0, 2, 2]", TN_INT64);
    tn_tensor *values = tn_from_text("[1, 2, 3, 4]", TN_FLOAT16);
    CHECK(x && rows && columns && values);
    CHECK(tn_index_put_(x, TN_INDEX(TN_PICK(rows), TN_PICK(columns)), values, true) == x);
    CHECK(warnings_are(base, "[[2, 0, 8]]", TN_FLOAT16));
    CHECK(tn_index_put_(x, TN_INDEX(TN_PICK(rows), TN_RANGE(0, 2)), tn_unsqueeze(values, 1), false) == x);
    CHECK(warnings_are(base, "[[4, 4, 8]]", TN_FLOAT16));
}
