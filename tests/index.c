/* index.c - x[...] in C and as text: what it selects, what it refuses and where, and assignment through it.
 *
 * Tests: src/ops/view/index_text.c */
#include "view_helpers.h"

/* ---- items */

TEST(positions_drop_a_dimension_and_ranges_keep_it) {
    tn_tensor *x = counting(TN_DIMS(2, 3, 4));
    CHECK_VIEW(tn_index(x, TN_AT(1)), TN_DIMS(3, 4), TN_DIMS(4, 1), 12);
    CHECK_VIEW(tn_index(x, TN_AT(-1), TN_AT(-1), TN_AT(-1)), TN_DIMS(), TN_DIMS(), 23);
    CHECK_VIEW(tn_index(x, TN_ALL, TN_RANGE(1, TN_END)), TN_DIMS(2, 2, 4), TN_DIMS(12, 4, 1), 4);
    CHECK_VIEW(tn_index(x, TN_ALL, TN_AT(1), TN_RANGE(1, 3)), TN_DIMS(2, 2), TN_DIMS(12, 1), 5);
    CHECK_VIEW(tn_index(x, TN_RANGE(1, 2), TN_RANGE(TN_NONE, -1)), TN_DIMS(1, 2, 4), TN_DIMS(12, 4, 1), 12);
    CHECK_VIEW((tn_index)(x, TN_INDEX()), TN_DIMS(2, 3, 4), TN_DIMS(12, 4, 1), 0);
    CHECK_VIEW((tn_index)(tn_scalar_tensor(5, TN_INT64), TN_INDEX()), TN_DIMS(), TN_DIMS(), 0);
}

TEST(steps_may_be_negative) {
    tn_tensor *x = tn_arange(6, TN_INT64);
    CHECK_VALUES(tn_index(x, TN_STEP(TN_NONE, TN_NONE, -1)), 5, 4, 3, 2, 1, 0);
    CHECK_VALUES(tn_index(x, TN_STEP(4, 0, -2)), 4, 2);
    CHECK_VALUES(tn_index(x, TN_STEP(1, TN_END, 2)), 1, 3, 5);
    CHECK_VALUES(tn_index(tn_index(x, TN_STEP(TN_NONE, TN_NONE, -2)), TN_STEP(TN_NONE, TN_NONE, -1)), 1, 3, 5);
    CHECK_VIEW(tn_index(x, TN_STEP(TN_NONE, TN_NONE, -2)), TN_DIMS(3), TN_DIMS(-2), 5);
}

TEST(ranges_are_cut_to_the_dimension) {
    tn_tensor *x = tn_arange(4, TN_INT64);
    CHECK_VALUES(tn_index(x, TN_RANGE(-100, 100)), 0, 1, 2, 3);
    CHECK_VIEW(tn_index(x, TN_RANGE(3, 1)), TN_DIMS(0), TN_DIMS(1), 3);
    CHECK_VIEW(tn_index(x, TN_RANGE(100, TN_END)), TN_DIMS(0), TN_DIMS(1), 4);
    CHECK_VIEW(tn_index(x, TN_STEP(0, INT64_MAX, INT64_MAX)), TN_DIMS(1), TN_DIMS(INT64_MAX), 0);
    CHECK_VIEW(tn_index(tn_index(x, TN_STEP(TN_NONE, TN_NONE, 2)), TN_STEP(1, TN_NONE, INT64_MAX)), TN_DIMS(1), TN_DIMS(2), 2);
    CHECK_VALUES(tn_index(x, TN_STEP(-1, -INT64_MAX, -3)), 3, 0);
}

TEST(new_axes_and_one_ellipsis_stand_anywhere) {
    tn_tensor *x = counting(TN_DIMS(2, 3, 4));
    CHECK_VIEW(tn_index(x, TN_ELLIPSIS, TN_AT(1)), TN_DIMS(2, 3), TN_DIMS(12, 4), 1);
    CHECK_VIEW(tn_index(x, TN_AT(1), TN_ELLIPSIS), TN_DIMS(3, 4), TN_DIMS(4, 1), 12);
    CHECK_VIEW(tn_index(x, TN_AT(1), TN_ELLIPSIS, TN_AT(2)), TN_DIMS(3), TN_DIMS(4), 14);
    CHECK_VIEW(tn_index(x, TN_AT(1), TN_AT(1), TN_AT(1), TN_ELLIPSIS), TN_DIMS(), TN_DIMS(), 17);
    CHECK_VIEW(tn_index(x, TN_NEW_AXIS), TN_DIMS(1, 2, 3, 4), TN_DIMS(24, 12, 4, 1), 0);
    CHECK_VIEW(tn_index(x, TN_ELLIPSIS, TN_NEW_AXIS), TN_DIMS(2, 3, 4, 1), TN_DIMS(12, 4, 1, 1), 0);
    CHECK_VIEW(tn_index(x, TN_AT(0), TN_NEW_AXIS, TN_NEW_AXIS, TN_RANGE(1, 3)), TN_DIMS(1, 1, 2, 4), TN_DIMS(12, 12, 4, 1), 4);
    CHECK_VIEW(tn_index(tn_scalar_tensor(1, TN_INT64), TN_NEW_AXIS, TN_ELLIPSIS, TN_NEW_AXIS), TN_DIMS(1, 1), TN_DIMS(1, 1), 0);
}

TEST(a_position_makes_room_for_a_new_axis_at_the_limit_of_dimensions) {
    int64_t ones[64];
    for (int k = 0; k < 64; k++)
        ones[k] = 1;
    tn_tensor *x = tn_view(tn_arange(1, TN_INT64), (tn_dims){ones, 64});
    CHECK(x);
    CHECK_INT(tn_ndim(tn_index(x, TN_AT(0), TN_NEW_AXIS)), 64);
    CHECK_INT(tn_ndim(tn_index(x, TN_NEW_AXIS, TN_AT(0))), 64);
    CHECK_ERROR(TN_ERROR_SHAPE, "index: 1 new axes on self", tn_index(x, TN_NEW_AXIS));
    CHECK_ERROR(TN_ERROR_SHAPE, "make more than 64 dimensions", tn_index(x, TN_NEW_AXIS, TN_NEW_AXIS, TN_AT(0)));
}

TEST(an_index_that_does_not_fit_is_refused_with_its_item) {
    tn_tensor *x = counting(TN_DIMS(2, 3));
    CHECK_ERROR(TN_ERROR_INDEX, "index: item 1: position 3 is out of range for dimension 1 of size 3; self is [2, 3] int64",
                tn_index(x, TN_AT(0), TN_AT(3)));
    CHECK_ERROR(TN_ERROR_INDEX, "item 2: position -4 is out of range for dimension 1",
                tn_index(x, TN_NEW_AXIS, TN_ALL, TN_AT(-4)));
    CHECK_ERROR(TN_ERROR_INDEX, "position -9223372036854775808", tn_index(x, TN_AT(INT64_MIN)));
    CHECK_ERROR(TN_ERROR_INDEX, "the index names 3 dimensions, self [2, 3] int64 has 2", tn_index(x, TN_ALL, TN_ALL, TN_ALL));
    CHECK_ERROR(TN_ERROR_INDEX, "the index names 1 dimensions, self [] int64 has 0",
                tn_index(tn_scalar_tensor(1, TN_INT64), TN_ALL));
    CHECK_ERROR(TN_ERROR_INDEX, "the index has 2 ellipses", tn_index(x, TN_ELLIPSIS, TN_ELLIPSIS));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "item 0 with step 0: a step has a value", tn_index(x, TN_STEP(0, 1, 0)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "item 0 of the index: there is no kind number 9",
                tn_index(x, (tn_index_item){(tn_index_kind)9, 0, 0, 1, NULL}));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "self is NULL", tn_index(NULL, TN_AT(0)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "index is NULL", (tn_index)(x, (tn_index_list){NULL, 1}));
    CHECK_ERROR(TN_ERROR_INDEX, "has -1 items", (tn_index)(x, (tn_index_list){NULL, -1}));
    CHECK_ERROR(TN_ERROR_INDEX, "has 129 items; at most 128", (tn_index)(x, (tn_index_list){&TN_ALL, 129}));
}

/* ---- text */

TEST(an_index_as_text_reads_as_python_writes_it) {
    tn_tensor *x = counting(TN_DIMS(2, 3, 4));
    CHECK_VIEW(tn_index_text(x, "..., 1:, ::-2, None"), TN_DIMS(2, 2, 2, 1), TN_DIMS(12, 4, -2, 1), 7);
    CHECK_VIEW(tn_index_text(x, "1"), TN_DIMS(3, 4), TN_DIMS(4, 1), 12);
    CHECK_VIEW(tn_index_text(x, "-1, +2, -4"), TN_DIMS(), TN_DIMS(), 20);
    CHECK_VIEW(tn_index_text(x, ":"), TN_DIMS(2, 3, 4), TN_DIMS(12, 4, 1), 0);
    CHECK_VIEW(tn_index_text(x, "::"), TN_DIMS(2, 3, 4), TN_DIMS(12, 4, 1), 0);
    CHECK_VIEW(tn_index_text(x, ""), TN_DIMS(2, 3, 4), TN_DIMS(12, 4, 1), 0);
    CHECK_VIEW(tn_index_text(x, " \t\n"), TN_DIMS(2, 3, 4), TN_DIMS(12, 4, 1), 0);
    CHECK_VIEW(tn_index_text(x, "[0, 1:2]"), TN_DIMS(1, 4), TN_DIMS(4, 1), 4);
    CHECK_VIEW(tn_index_text(x, " [ 0 , 1 : 2 , ] "), TN_DIMS(1, 4), TN_DIMS(4, 1), 4);
    CHECK_VIEW(tn_index_text(x, "[]"), TN_DIMS(2, 3, 4), TN_DIMS(12, 4, 1), 0);
    CHECK_VIEW(tn_index_text(x, "0,"), TN_DIMS(3, 4), TN_DIMS(4, 1), 0);
    CHECK_VIEW(tn_index_text(x, "Ellipsis, None:None:None"), TN_DIMS(2, 3, 4), TN_DIMS(12, 4, 1), 0);
    CHECK_VIEW(tn_index_text(x, "newaxis, 1, None , ..."), TN_DIMS(1, 1, 3, 4), TN_DIMS(24, 12, 4, 1), 12);
    CHECK_VIEW(tn_index_text(x, "None:1"), TN_DIMS(1, 3, 4), TN_DIMS(12, 4, 1), 0);
    CHECK_VIEW(tn_index_text(x, "::None"), TN_DIMS(2, 3, 4), TN_DIMS(12, 4, 1), 0);
    CHECK_VIEW(tn_index_text(x, "-9223372036854775807:9223372036854775807"), TN_DIMS(2, 3, 4), TN_DIMS(12, 4, 1), 0);
    CHECK_VIEW(tn_index_text(x, "000000000000000000000000000001"), TN_DIMS(3, 4), TN_DIMS(4, 1), 12);
}

TEST(text_that_cannot_be_read_is_refused_with_its_column) {
    tn_tensor *x = counting(TN_DIMS(2, 3));
    CHECK_ERROR(TN_ERROR_ARGUMENT,
                "index: index \"0, a\", column 4: a number, a range with ':', '...', or None is expected here",
                tn_index_text(x, "0, a"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 3: a number", tn_index_text(x, "1,,2"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1: a number", tn_index_text(x, ","));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 3: a comma is expected", tn_index_text(x, "1 2"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 2: a digit is expected", tn_index_text(x, "-"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 2: a digit is expected", tn_index_text(x, "--1"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 2: a comma is expected", tn_index_text(x, "1.5"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1: a number", tn_index_text(x, ".."));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 4: a comma is expected", tn_index_text(x, "...."));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 4: a comma is expected", tn_index_text(x, "1:2a"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 6: a comma is expected", tn_index_text(x, "1:2:3:4"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 4: a step cannot be 0", tn_index_text(x, ":: 0"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1: a number", tn_index_text(x, "Nonesuch"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1: a number", tn_index_text(x, "None_"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1: a number", tn_index_text(x, "newaxis2"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1: a number", tn_index_text(x, "none"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1: a number", tn_index_text(x, "]"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 3: a comma or ']' is expected", tn_index_text(x, "[1"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 2: a number", tn_index_text(x, "["));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 5: nothing more is expected after ']'", tn_index_text(x, "[1] 2"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 4: nothing more", tn_index_text(x, "[1]]"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 2: this number does not fit in 64 bits", tn_index_text(x, " 99999999999999999999:"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1: this number does not fit", tn_index_text(x, "9223372036854775808"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1: this number does not fit", tn_index_text(x, "-9223372036854775808"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1: a number", tn_index_text(x, "\xff\xa0"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "index is NULL", tn_index_text(x, NULL));
    CHECK_ERROR(TN_ERROR_INDEX, "item 0: position 2 is out of range", tn_index_text(x, "2"));
    CHECK_ERROR(TN_ERROR_INDEX, "2 ellipses", tn_index_text(x, "..., ..."));
}

TEST(text_with_too_many_items_is_refused) {
    char text[600] = "";
    for (int k = 0; k < 129; k++)
        strcat(text, k ? ",0" : "0");
    tn_tensor *x = counting(TN_DIMS(2, 3));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 257: too many items", tn_index_text(x, text));
    text[255] = 0; /* 128 items */
    CHECK_ERROR(TN_ERROR_INDEX, "the index names 128 dimensions", tn_index_text(x, text));
}

/* ---- assignment */

TEST(a_value_is_assigned_to_the_selected_part) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_INT64);
    CHECK(x);
    uint32_t version = tn_tensor_version(x);
    CHECK(tn_setitem_scalar_(x, TN_INDEX(TN_ALL, TN_AT(1)), 7) == x);
    CHECK_VALUES(x, 0, 7, 0, 0, 7, 0);
    CHECK(tn_tensor_version(x) > version);
    CHECK(tn_setitem_text_scalar_(x, "1, ::-2", -1) == x);
    CHECK_VALUES(x, 0, 7, 0, -1, 7, -1);
    CHECK(tn_setitem_text_scalar_(x, "...", 2) == x);
    CHECK_VALUES(x, 2, 2, 2, 2, 2, 2);
    CHECK(tn_setitem_scalar_(x, TN_INDEX(TN_RANGE(2, TN_END)), 9) == x);
    CHECK_VALUES(x, 2, 2, 2, 2, 2, 2);
}

TEST(a_tensor_is_assigned_broadcast_and_converted) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_INT64), *row = tn_arange(3, TN_FLOAT32), *column = counting(TN_DIMS(2, 1));
    tn_tensor *number = tn_scalar_tensor(8, TN_UINT8);
    CHECK(x && row && column && number);
    CHECK(tn_setitem_(x, TN_INDEX(TN_ALL), row) == x);
    CHECK_VALUES(x, 0, 1, 2, 0, 1, 2);
    CHECK(tn_setitem_text_(x, ":, 1:", column) == x);
    CHECK_VALUES(x, 0, 0, 0, 0, 1, 1);
    CHECK(tn_setitem_(x, TN_INDEX(TN_AT(0), TN_STEP(TN_NONE, TN_NONE, -1)), row) == x);
    CHECK_VALUES(x, 2, 1, 0, 0, 1, 1);
    CHECK(tn_setitem_text_(x, "1, 2", number) == x);
    CHECK_VALUES(x, 2, 1, 0, 0, 1, 8);
}

TEST(leading_ones_of_the_source_are_dropped) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_INT64), *source = counting(TN_DIMS(1, 1, 3)), *wrong = counting(TN_DIMS(2, 1, 3));
    CHECK(x && source && wrong);
    CHECK(tn_setitem_(x, TN_INDEX(TN_AT(1)), source) == x);
    CHECK_VALUES(x, 0, 0, 0, 0, 1, 2);
    CHECK(tn_setitem_text_(x, "0, 0", tn_ones(TN_DIMS(1, 1), TN_INT64)) == x);
    CHECK_INT(tn_get_int64(x, TN_DIMS(0, 0)), 1);
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_setitem_(x, TN_INDEX(TN_AT(1)), wrong));
}

TEST(assigning_a_tensor_to_a_shifted_part_of_itself_gives_the_right_answer) {
    tn_tensor *x = tn_arange(6, TN_INT64), *head = tn_index(x, TN_RANGE(0, 5)), *y = tn_arange(6, TN_INT64);
    CHECK(head && y);
    CHECK(tn_setitem_(x, TN_INDEX(TN_RANGE(1, TN_END)), head) == x);
    CHECK_VALUES(x, 0, 0, 1, 2, 3, 4);
    tn_tensor *backwards = tn_flip(y, TN_DIMS(0));
    CHECK(backwards);
    CHECK(tn_setitem_(y, TN_INDEX(TN_ALL), backwards) == y);
    CHECK_VALUES(y, 5, 4, 3, 2, 1, 0);
}

TEST(an_assignment_that_fails_has_written_nothing) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *wrong = tn_arange(2, TN_INT64), *bytes = tn_zeros(TN_DIMS(2), TN_UINT8);
    CHECK(x && wrong && bytes);
    uint32_t version = tn_tensor_version(x);
    CHECK_ERROR(TN_ERROR_SHAPE, "setitem_:", tn_setitem_(x, TN_INDEX(TN_AT(0)), wrong));
    CHECK_ERROR(TN_ERROR_INDEX, "setitem_: item 0: position 2", tn_setitem_(x, TN_INDEX(TN_AT(2)), wrong));
    CHECK_ERROR(TN_ERROR_INDEX, "position 2", tn_setitem_scalar_(x, TN_INDEX(TN_AT(2)), 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1", tn_setitem_text_(x, "?", wrong));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 1", tn_setitem_text_scalar_(x, "?", 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "source is NULL", tn_setitem_(x, TN_INDEX(TN_AT(0)), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "source is NULL", tn_setitem_text_(x, "0", NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "", tn_setitem_scalar_(bytes, TN_INDEX(TN_AT(0)), 300));
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5);
    CHECK_INT(tn_tensor_version(x), version);
    CHECK_VALUES(bytes, 0, 0);
}

TEST(a_part_whose_elements_share_a_place_cannot_be_assigned_to) {
    tn_tensor *x = tn_expand(tn_arange(3, TN_INT64), TN_DIMS(2, 3)), *two = tn_ones(TN_DIMS(2, 3), TN_INT64);
    CHECK(x && two);
    CHECK_ERROR(TN_ERROR_OVERLAP, "", tn_setitem_(x, TN_INDEX(TN_ALL), two));
    CHECK_ERROR(TN_ERROR_OVERLAP, "", tn_setitem_scalar_(x, TN_INDEX(TN_ALL, TN_AT(1)), 4));
    CHECK(tn_setitem_scalar_(x, TN_INDEX(TN_AT(0)), 4) == x); /* one row is written once */
    CHECK_VALUES(x, 4, 4, 4, 4, 4, 4);
}

TEST(a_read_only_tensor_refuses_assignment) {
    tn_tensor *x = counting(TN_DIMS(2, 3));
    CHECK(tn_set_readonly(x) == TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "setitem_:", tn_setitem_scalar_(x, TN_INDEX(TN_AT(0)), 1));
    CHECK_ERROR(TN_ERROR_READONLY, "setitem_:", tn_setitem_text_(x, "0", tn_arange(3, TN_INT64)));
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5);
}

TEST(an_assignment_is_one_copy) {
    tn_tensor *x = tn_zeros(TN_DIMS(4, 4), TN_INT64), *source = tn_arange(4, TN_INT64);
    CHECK(x && source);
    tn_counters before = tn_counters_now();
    CHECK(tn_setitem_(x, TN_INDEX(TN_ALL, TN_AT(2)), source) == x);
    tn_counters spent = tn_counters_since(before);
    CHECK_INT(spent.copies, 1);
    CHECK_INT(spent.copied_bytes, 32);
    CHECK_INT(spent.allocations, 0);
}
