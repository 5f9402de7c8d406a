/* result.c - tests of the tensors that out variants write to: refused before anything changes, kept apart from what is read. */
#include "test.h"

#include "base/heap.h"

TEST(a_result_refused_leaves_the_other_as_it_was) {
    tn_tensor *x = TN_MATRIX(float, 3, {3, 1, 2}, {6, 5, 4});
    tn_tensor *values = tn_empty(TN_DIMS(0), TN_FLOAT32), *indices = tn_empty(TN_DIMS(7), TN_INT32);
    tn_tensor *floats = tn_empty(TN_DIMS(0), TN_FLOAT32);
    CHECK(x && values && indices && floats);
    CHECK_ERROR(TN_ERROR_DTYPE, "indices [7] int32", tn_sort_out(values, indices, x, -1, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "indices [7] int32", tn_max_dim_out(values, indices, x, 1, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "indices [7] int32", tn_cummax_out(values, indices, x, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "indices [0] float32", tn_topk_out(values, floats, x, 2, -1, true, true));
    CHECK_ERROR(TN_ERROR_OVERLAP, "min [0] float32 and max [0] float32 share memory",
                tn_aminmax_out(values, values, x, 0, false));
    CHECK_INT(tn_ndim(values), 1);
    CHECK_INT(tn_numel(values), 0);
}

TEST(two_results_without_elements_may_not_be_over_one_storage) {
    tn_tensor *x = TN_MATRIX(float, 3, {3, 1, 2}, {6, 5, 4});
    tn_tensor *room = tn_empty(TN_DIMS(20), TN_FLOAT32);
    tn_tensor *least = tn_narrow(room, 0, 0, 0), *most = tn_narrow(room, 0, 1, 0);
    CHECK(x && least && most);
    CHECK_ERROR(TN_ERROR_OVERLAP, "share memory", tn_aminmax_out(least, most, x, 0, false));
    CHECK(tn_numel(least) == 0 && tn_numel(most) == 0);
}

TEST(a_result_without_elements_may_be_over_the_storage_of_what_is_read) {
    tn_tensor *x = TN_MATRIX(float, 3, {1, 2, 3}, {4, 5, 6}, {7, 8, 9});
    CHECK(x);
    tn_tensor *out = tn_narrow(tn_reshape(x, TN_DIMS(9)), 0, 0, 0);
    CHECK(out && tn_add_scalar_out(out, tn_t(x), 10) == out);
    CHECK_DOUBLE(tn_get_double(out, TN_DIMS(0, 1)), 14);
    CHECK_DOUBLE(tn_get_double(out, TN_DIMS(1, 0)), 12);
    CHECK_DOUBLE(tn_get_double(out, TN_DIMS(2, 0)), 13);
    tn_tensor *y = TN_MATRIX(float, 3, {1, 2, 3}, {4, 5, 6}, {7, 8, 9});
    CHECK(y);
    out = tn_narrow(tn_reshape(y, TN_DIMS(9)), 0, 0, 0);
    CHECK(out && tn_cumsum_out(out, tn_t(y), 1, TN_DTYPE_DEFAULT) == out);
    CHECK_DOUBLE(tn_get_double(out, TN_DIMS(0, 2)), 12);
    CHECK_DOUBLE(tn_get_double(out, TN_DIMS(2, 0)), 3);
    CHECK_DOUBLE(tn_get_double(out, TN_DIMS(2, 2)), 18);
}

TEST(a_result_without_elements_may_be_what_is_read) {
    tn_tensor *a = tn_from_text("[1, 2, 3]", TN_FLOAT32), *o = tn_empty(TN_DIMS(0), TN_FLOAT32);
    CHECK(a && o);
    const tn_tensor *parts[] = {a, o, a};
    CHECK(tn_cat_out(o, parts, 3, 0) == o);
    CHECK(tn_equal(o, tn_from_text("[1, 2, 3, 1, 2, 3]", TN_FLOAT32)));
    o = tn_empty(TN_DIMS(0), TN_FLOAT32);
    const tn_tensor *rows[] = {o, o};
    CHECK(o && tn_stack_out(o, rows, 2, 0) == o);
    CHECK_INT(tn_size(o, 0), 2);
    CHECK_INT(tn_size(o, 1), 0);
    o = tn_empty(TN_DIMS(0), TN_FLOAT32);
    CHECK(o && tn_prod_out(o, o, TN_DTYPE_DEFAULT) == o);
    CHECK(tn_equal(o, tn_from_text("1", TN_FLOAT32)));
    o = tn_empty(TN_DIMS(0), TN_FLOAT32);
    CHECK(o && tn_mean_out(o, o, TN_DTYPE_DEFAULT) == o);
    CHECK(isnan(tn_item_double(o)));
    o = tn_empty(TN_DIMS(0, 3), TN_FLOAT32);
    CHECK(o && tn_logsumexp_out(o, o, TN_DIMS(0), false) == o);
    CHECK(tn_equal(o, tn_from_text("[-inf, -inf, -inf]", TN_FLOAT32)));
    o = tn_empty(TN_DIMS(2, 0), TN_FLOAT32);
    CHECK(o && tn_sum_dim_out(o, o, TN_DIMS(1), false, TN_DTYPE_DEFAULT) == o);
    CHECK(tn_equal(o, tn_from_text("[0, 0]", TN_FLOAT32)));
}

TEST(of_two_results_one_without_elements_may_be_what_is_read) {
    tn_tensor *x = tn_empty(TN_DIMS(2, 0, 3), TN_FLOAT32), *mean = tn_empty(TN_DIMS(2, 3), TN_FLOAT32);
    CHECK(x && mean);
    CHECK(tn_var_mean_correction_out(x, mean, x, TN_DIMS(1), 1, false));
    CHECK_INT(tn_ndim(x), 2);
    CHECK_INT(tn_size(x, 1), 3);
    CHECK(isnan(tn_get_double(x, TN_DIMS(1, 2))) && isnan(tn_get_double(mean, TN_DIMS(1, 2))));
}

TEST(random_numbers_refuse_a_result_before_they_resize_it) {
    tn_tensor *whole = tn_empty(TN_DIMS(0), TN_INT32), *five = tn_zeros(TN_DIMS(5), TN_FLOAT32);
    CHECK(whole && five);
    CHECK_ERROR(TN_ERROR_DTYPE, "rand", tn_rand_out(whole, TN_DIMS(2, 3), TN_DTYPE_DEFAULT, NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "randn", tn_randn_out(whole, TN_DIMS(2, 3), TN_DTYPE_DEFAULT, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not below", tn_randint_low_out(whole, 4, 4, TN_DIMS(2, 3), TN_INT32, NULL));
    CHECK_INT(tn_ndim(whole), 1);
    CHECK(tn_rand_out(five, TN_DIMS(2, 3), TN_DTYPE_DEFAULT, NULL) == five);
    CHECK_INT(tn_numel(five), 6);
}

TEST(counting_over_a_range_that_is_wider_than_floats_stays_inside_the_bins) {
    tn_tensor *x = TN_VECTOR(float, -3e38f, 0, 3e38f), *y = TN_VECTOR(double, -1.5e308, 0, 1.5e308);
    CHECK(x && y);
    tn_tensor *counts = tn_histc(x, 4, 0, 0), *wide = tn_histc(y, 100, 0, 0);
    CHECK(counts && wide);
    CHECK_DOUBLE(tn_get_double(counts, TN_DIMS(0)), 1);
    CHECK_DOUBLE(tn_get_double(counts, TN_DIMS(2)), 1);
    CHECK_DOUBLE(tn_get_double(counts, TN_DIMS(3)), 1);
    CHECK_DOUBLE(tn_get_double(wide, TN_DIMS(50)), 1);
    CHECK_DOUBLE(tn_get_double(wide, TN_DIMS(99)), 1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "fewer than 2^63 - 1", tn_histogram(x, INT64_MAX, NULL, false));
}

/* Out tensors that the results are converted into, or that overlap what is read: results are computed in temporaries and copied
 * over. */
TEST_ONCE(two_results_are_written_both_or_neither) { /* it makes the failures itself */
    for (int kind = 0; kind < 5; kind++) {
        bool hit = true;
        for (int64_t k = 1; hit; k++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *x = TN_MATRIX(float, 3, {3, 1, 2}, {6, 5, 4}, {9, 8, 7}), *room = tn_full(TN_DIMS(2, 3), -1, TN_FLOAT64);
            tn_tensor *bins = TN_VECTOR(float, 0, 4, 8, 9), *counts = tn_full(TN_DIMS(3), -1, TN_FLOAT32);
            tn_tensor *first = tn_select(room, 0, 0), *second = tn_select(room, 0, 1), *row = tn_select(x, 0, 0);
            tn_tensor *column = tn_select(x, 1, 2), *third = tn_select(x, 0, 1), *places = tn_full(TN_DIMS(3), -1, TN_INT64);
            CHECK(first && second && row && column && third && places && bins && counts);
            tni_fault_arm(k);
            tn_error_clear();
            tn_tensor *done = kind == 0   ? tn_var_mean_correction_out(first, second, x, TN_DIMS(0), 1, false)
                              : kind == 1 ? tn_aminmax_out(row, third, x, 0, false)
                              : kind == 2 ? tn_max_dim_out(column, places, x, 1, false)
                              : kind == 3 ? tn_histogram_bins_out(counts, tn_flip(bins, TN_DIMS(0)), x, bins, NULL, false)
                                          : tn_frexp_out(first, tn_to(second, TN_INT32), row);
            hit = tni_fault_disarm();
            CHECK(done || (hit && tn_error_code() == TN_ERROR_MEMORY));
            bool changed = tn_get_double(first, TN_DIMS(0)) != -1 || tn_get_double(second, TN_DIMS(0)) != -1 ||
                           tn_get_double(row, TN_DIMS(0)) != 3 || tn_get_double(third, TN_DIMS(0)) != 6 ||
                           tn_get_double(column, TN_DIMS(0)) != 2 || tn_get_double(places, TN_DIMS(0)) != -1 ||
                           tn_get_double(counts, TN_DIMS(0)) != -1 || tn_get_double(bins, TN_DIMS(0)) != 0;
            CHECK(changed == (done != NULL));
            tn_error_clear();
            CHECK(tn_scope_close(scope) == TN_OK);
        }
    }
}
