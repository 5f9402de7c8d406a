/* search.c - searchsorted, isin, nonzero, unique, histograms against models that look at the elements one by one.
 *
 * Tests: src/ops/sort/histogram.c, src/ops/sort/histogram_bincount.c, src/ops/sort/search_isin.c
 * Tests: src/ops/sort/search_nonzero.c, src/ops/sort/unique.c, src/cpu/search_kernels.c */
#include "sort_helpers.h"

/* ---- searchsorted */

TEST_SAMPLED(values_are_found_where_a_linear_search_finds_them) {
    for (int i = 0; i < 10 * ORDERED_DTYPES; i++) {
        tn_scope scope = tn_scope_open();
        tn_dtype dtype = ordered_dtypes[i % ORDERED_DTYPES];
        int64_t length = test_random_between(0, 40);
        bool right = test_random() % 2;
        tn_tensor *raw = random_dense(TN_DIMS(3, length), dtype, i % 2), *values = random_dense(TN_DIMS(3, 5), dtype, i % 2);
        if (raw && tn_dtype_is_floating(dtype)) { /* where there are NaNs, order does not define the place */
            raw = tn_where_self_scalar(tn_isnan(tn_to(raw, TN_FLOAT64)), 1, tn_to(raw, TN_FLOAT64));
            values = tn_where_self_scalar(tn_isnan(tn_to(values, TN_FLOAT64)), 1, tn_to(values, TN_FLOAT64));
            raw = tn_to(raw, dtype);
            values = tn_to(values, dtype);
        }
        tn_tensor *sequence = tn_list_at(tn_sort(raw, -1, false), 0), *sorter = tn_argsort(raw, -1, false);
        tn_tensor *turned = tn_clone(tn_transpose(values, 0, 1), TN_CONTIGUOUS);
        tn_tensor *places = tn_searchsorted(sequence, tn_transpose(turned, 0, 1), false, right, "none", NULL);
        tn_tensor *small = tn_searchsorted(raw, values, true, false, right ? "right" : "left", sorter);
        CHECK(places && small && tn_dtype_of(small) == TN_INT32);
        CHECK(tn_equal(places, small));
        for (int64_t row = 0; row < 3; row++)
            for (int64_t k = 0; k < 5; k++) {
                const char *value = row_of(values, row) + (size_t)k * tn_element_size(values);
                int64_t place = 0;
                while (place < length) {
                    int compared =
                        compare_elements(dtype, row_of(sequence, row) + (size_t)place * tn_element_size(values), value);
                    if (right ? compared > 0 : compared >= 0)
                        break;
                    place++;
                }
                CHECK_INT(((const int64_t *)tn_data(places))[row * 5 + k], place);
            }
        tn_scope_close(scope);
    }
}

TEST(places_can_be_written_to_a_tensor_and_numbers_be_searched) {
    tn_tensor *s = tn_from_text("[1, 3, 5]", TN_INT32), *v = tn_from_text("[0, 3, 9]", TN_FLOAT32);
    tn_tensor *out = tn_empty(TN_DIMS(0), TN_INT64), *small = tn_empty(TN_DIMS(0), TN_INT32),
              *none = tn_empty(TN_DIMS(0), TN_INT64);
    CHECK(tn_searchsorted_out(out, s, v, false, true, "none", NULL));
    CHECK(tn_equal(out, tn_from_text("[0, 2, 3]", TN_INT64)));
    CHECK(tn_bucketize_out(small, v, s, true, false));
    CHECK(tn_equal(small, tn_from_text("[0, 1, 3]", TN_INT32)));
    tn_tensor *one = tn_bucketize_scalar(4, s, false, false);
    CHECK(one && tn_searchsorted_scalar_out(none, s, 4, false, false, "none", NULL));
    CHECK_INT(tn_ndim(none), 0);
    CHECK_INT(*(const int64_t *)tn_data(none), 2);
    CHECK_INT(*(const int64_t *)tn_data(one), 2);
}

TEST(searches_that_make_no_sense_are_refused) {
    tn_tensor *s = tn_from_text("[1, 3, 5]", TN_INT64), *v = tn_from_text("[[0, 3], [1, 2]]", TN_INT64);
    tn_tensor *c = tn_from_text("[1j]", TN_COMPLEX64), *e = tn_zeros(TN_DIMS(1), TN_FLOAT8_E5M2);
    CHECK(s && v && c && e);
    CHECK_ERROR(TN_ERROR_SHAPE, "sorted_sequence", tn_searchsorted(v, s, false, false, "none", NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "sorted_sequence", tn_searchsorted_scalar(v, 1, false, false, "none", NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "'middle'", tn_searchsorted(s, v, false, false, "middle", NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "contradicts", tn_searchsorted(s, v, false, true, "left", NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "sorter", tn_searchsorted(s, v, false, false, "none", v));
    CHECK_ERROR(TN_ERROR_DTYPE, "sorter", tn_searchsorted(s, v, false, false, "none", tn_zeros(TN_DIMS(3), TN_INT32)));
    CHECK_ERROR(TN_ERROR_INDEX, "index 3", tn_searchsorted(s, v, false, false, "none", s));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex", tn_searchsorted(s, c, false, false, "none", NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "in common", tn_searchsorted(s, e, false, false, "none", NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex", tn_isin(c, c, false, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "one dimension", tn_bucketize(s, v, false, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_searchsorted_out(tn_empty(TN_DIMS(0), TN_INT32), s, v, false, false, "none", NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_isin_out(tn_empty(TN_DIMS(0), TN_INT32), s, v, false, false));
}

/* ---- isin */

TEST_SAMPLED(isin_finds_what_a_linear_search_finds) {
    for (int i = 0; i < 20 * ORDERED_DTYPES; i++) {
        tn_scope scope = tn_scope_open();
        tn_dtype dtype = ordered_dtypes[i % ORDERED_DTYPES];
        bool invert = test_random() % 2;
        tn_tensor *x = random_layout(dtype, i % 4 != 0), *test = random_dense(TN_DIMS(test_random_between(0, 30)), dtype, true);
        tn_tensor *answer = tn_isin(x, test, i % 2, invert), *dense = tn_contiguous(x, TN_CONTIGUOUS);
        CHECK(answer && dense && tn_is_contiguous(answer));
        size_t item = tn_element_size(x);
        for (int64_t k = 0; k < tn_numel(x); k++) {
            const char *element = (const char *)tn_data(dense) + (size_t)k * item;
            bool nan = tn_dtype_is_floating(dtype) && isnan(tn_dtype_load(dtype, element).value.d), there = false;
            for (int64_t t = 0; t < tn_numel(test); t++)
                there |= !nan && compare_elements(dtype, element, (const char *)tn_data(test) + (size_t)t * item) == 0;
            CHECK_INT(((const uint8_t *)tn_data(answer))[k], there != invert);
        }
        tn_scope_close(scope);
    }
}

TEST(isin_takes_numbers_on_either_side_and_a_tensor_to_write_to) {
    tn_tensor *x = tn_from_text("[1, 2, 3]", TN_INT32), *out = tn_empty(TN_DIMS(0), TN_BOOL),
              *one = tn_zeros(TN_DIMS(), TN_BOOL);
    CHECK(tn_isin_scalar_out(out, x, 2, false, true));
    CHECK(tn_equal(out, tn_from_text("[true, false, true]", TN_BOOL)));
    CHECK(tn_isin_rscalar_out(one, 3, x, false, false));
    CHECK(*(const uint8_t *)tn_data(one) == 1);
    CHECK(tn_isin_out(out, x, x, false, false));
    CHECK(tn_equal(out, tn_from_text("[true, true, true]", TN_BOOL)));
}

/* ---- nonzero */

static bool is_zero(tn_dtype dtype, const void *element) {
    tn_scalar x = tn_dtype_load(dtype, element);
    return x.kind == TN_SCALAR_COMPLEX ? x.value.c.real == 0 && x.value.c.imag == 0
           : x.kind == TN_SCALAR_FLOAT ? x.value.d == 0
           : x.kind == TN_SCALAR_BOOL  ? !x.value.b
                                       : x.value.u == 0;
}

TEST_SAMPLED(nonzero_lists_the_indices_of_every_layout_in_order) {
    for (int i = 0; i < 20 * (ORDERED_DTYPES + 2); i++) {
        tn_scope scope = tn_scope_open();
        int which = i % (ORDERED_DTYPES + 2);
        tn_tensor *x = which < ORDERED_DTYPES
                           ? random_layout(ordered_dtypes[which], true)
                           : tn_to(random_layout(TN_FLOAT32, true), which == ORDERED_DTYPES ? TN_COMPLEX64 : TN_COMPLEX128);
        tn_tensor *dense = tn_contiguous(x, TN_CONTIGUOUS), *found = tn_nonzero(x);
        CHECK(dense && found);
        CHECK_INT(tn_size(found, 1), tn_ndim(x));
        CHECK(tn_is_contiguous(tn_t(found)));
        const int64_t *at = tn_data(found); /* (ndim, found) */
        int64_t many = 0;
        for (int64_t k = 0; k < tn_numel(x); k++) {
            if (is_zero(tn_dtype_of(x), (const char *)tn_data(dense) + (size_t)k * tn_element_size(x)))
                continue;
            CHECK(many < tn_size(found, 0));
            int64_t position = 0;
            for (int64_t d = 0; d < tn_ndim(x); d++)
                position = position * tn_size(x, d) + at[d * tn_size(found, 0) + many];
            CHECK_INT(position, k);
            many++;
        }
        CHECK_INT(tn_size(found, 0), many);
        tn_scope_close(scope);
    }
}

TEST_SAMPLED(many_elements_are_searched_the_same_by_any_number_of_threads) {
    int64_t before = tn_num_threads();
    tn_tensor *x = tn_gt_scalar(random_dense(TN_DIMS(3, 70000), TN_INT16, false), 0),
              *w = random_dense(TN_DIMS(210000), TN_INT16, false);
    tn_tensor *values = tn_div_scalar(tn_to(w, TN_FLOAT32), 7);
    tn_set_num_threads(1);
    tn_tensor *found = tn_nonzero(x);
    tn_list *hist = tn_histogram(values, 37, tn_abs(values), false), *same = tn_unique_options(w, true, true, true, TN_NONE);
    tn_set_num_threads(4);
    tn_tensor *again = tn_nonzero(x);
    tn_list *other = tn_histogram(values, 37, tn_abs(values), false), *too = tn_unique_options(w, true, true, true, TN_NONE);
    tn_set_num_threads(before);
    CHECK(found && again && hist && other && same && too);
    CHECK(tn_equal(found, again));
    CHECK_INT(memcmp(tn_data(tn_list_at(hist, 0)), tn_data(tn_list_at(other, 0)), 37 * sizeof(float)), 0);
    for (int64_t i = 0; i < 3; i++)
        CHECK(tn_equal(tn_list_at(same, i), tn_list_at(too, i)));
}

TEST(nonzero_has_three_forms) {
    tn_tensor *x = tn_from_text("[[0, 1], [2, 0]]", TN_INT8), *out = tn_empty(TN_DIMS(0), TN_INT64);
    tn_list *parts = tn_nonzero_numpy(x), *one = tn_nonzero_numpy(tn_full(TN_DIMS(), 3, TN_INT8));
    CHECK(parts && one);
    CHECK_INT(tn_list_count(parts), 2);
    CHECK_INT(tn_list_count(one), 1);
    CHECK(tn_equal(tn_list_at(parts, 1), tn_from_text("[1, 0]", TN_INT64)));
    CHECK(tn_nonzero_out(out, x));
    CHECK(tn_equal(out, tn_argwhere(x)));
    CHECK(tn_equal(out, tn_from_text("[[0, 1], [1, 0]]", TN_INT64)));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_nonzero_out(tn_empty(TN_DIMS(0), TN_INT32), x));
}

/* ---- unique */

TEST_SAMPLED(unique_elements_put_back_by_the_inverse_are_the_tensor) {
    for (int i = 0; i < 20 * ORDERED_DTYPES; i++) {
        tn_scope scope = tn_scope_open();
        tn_dtype dtype = ordered_dtypes[i % ORDERED_DTYPES];
        bool consecutive = i % 3 == 0;
        tn_tensor *x = random_layout(dtype, true), *dense = tn_contiguous(x, TN_CONTIGUOUS);
        tn_list *list = consecutive ? tn_unique_consecutive_options(x, true, true, TN_NONE)
                                    : tn_unique_options(x, true, true, true, TN_NONE);
        CHECK(dense && list);
        CHECK_INT(tn_list_count(list), 3);
        tn_tensor *values = tn_list_at(list, 0), *inverse = tn_list_at(list, 1), *counts = tn_list_at(list, 2);
        CHECK_INT(tn_ndim(inverse), tn_ndim(x));
        size_t item = tn_element_size(x);
        int64_t groups = tn_numel(values), total = 0;
        for (int64_t k = 0; k < tn_numel(x); k++) {
            int64_t group = ((const int64_t *)tn_data(inverse))[k];
            CHECK(group >= 0 && group < groups);
            CHECK_INT(compare_elements(dtype, (const char *)tn_data(values) + (size_t)group * item,
                                       (const char *)tn_data(dense) + (size_t)k * item),
                      0);
        }
        for (int64_t g = 0; g < groups; g++) {
            total += ((const int64_t *)tn_data(counts))[g];
            CHECK(((const int64_t *)tn_data(counts))[g] > 0);
            const char *value = (const char *)tn_data(values) + (size_t)g * item;
            bool nan = tn_dtype_is_floating(dtype) && isnan(tn_dtype_load(dtype, value).value.d);
            if (g > 0 && !consecutive)
                CHECK(nan || compare_elements(dtype, value - item, value) < 0);
            if (g > 0 && consecutive)
                CHECK(nan || compare_elements(dtype, value - item, value) != 0);
        }
        CHECK_INT(total, tn_numel(x));
        tn_scope_close(scope);
    }
}

TEST(unique_rows_are_found_along_any_dimension) {
    tn_tensor *x = tn_from_text("[[3, 1, 3], [2, 1, 2]]", TN_FLOAT64);
    tn_list *columns = tn_unique_options(x, true, true, true, 1), *rows = tn_unique_consecutive_options(x, false, true, 0);
    CHECK(columns && rows);
    CHECK(tn_equal(tn_list_at(columns, 0), tn_from_text("[[1, 3], [1, 2]]", TN_FLOAT64)));
    CHECK(tn_equal(tn_list_at(columns, 1), tn_from_text("[1, 0, 1]", TN_INT64)));
    CHECK(tn_equal(tn_list_at(columns, 2), tn_from_text("[1, 2]", TN_INT64)));
    CHECK_INT(tn_list_count(rows), 2);
    CHECK(tn_equal(tn_list_at(rows, 0), x));
    CHECK(tn_equal(tn_unique(x), tn_from_text("[1, 2, 3]", TN_FLOAT64)));
    CHECK_INT(tn_numel(tn_unique_consecutive(x)), 6);
    CHECK_ERROR(TN_ERROR_INDEX, "no dimensions", tn_unique_options(tn_zeros(TN_DIMS(), TN_INT8), true, false, false, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "no elements", tn_unique_options(tn_zeros(TN_DIMS(2, 0), TN_INT8), true, false, false, 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "order", tn_unique(tn_zeros(TN_DIMS(2), TN_COMPLEX64)));
}

/* ---- histograms */

TEST_SAMPLED(a_histogram_counts_what_lies_between_its_edges) {
    for (int i = 0; i < 40; i++) {
        tn_scope scope = tn_scope_open();
        int64_t bins = test_random_between(1, 12), count = test_random_between(1, 300);
        tn_tensor *x =
            tn_div_scalar(tn_to(random_dense(TN_DIMS(count, 2), TN_INT8, false), i % 2 ? TN_FLOAT32 : TN_FLOAT64), 16);
        tn_list *list = tn_histogram(tn_select(x, 1, 1), bins, NULL, false);
        CHECK(x && list);
        tn_tensor *hist = tn_to(tn_list_at(list, 0), TN_FLOAT64), *edges = tn_to(tn_list_at(list, 1), TN_FLOAT64);
        tn_tensor *column = tn_clone(tn_to(tn_select(x, 1, 1), TN_FLOAT64), TN_CONTIGUOUS);
        CHECK(hist && edges && column);
        const double *edge = tn_data(edges), *at = tn_data(column);
        for (int64_t b = 0; b < bins; b++) {
            int64_t inside = 0;
            for (int64_t k = 0; k < count; k++)
                inside += at[k] >= edge[b] && (at[k] < edge[b + 1] || (b == bins - 1 && at[k] == edge[bins]));
            CHECK_DOUBLE(((const double *)tn_data(hist))[b], inside);
        }
        tn_scope_close(scope);
    }
}

TEST(histograms_are_written_to_tensors_that_are_given) {
    tn_tensor *x = tn_from_text("[1, 2, 1, 4]", TN_FLOAT32), *hist = tn_empty(TN_DIMS(0), TN_FLOAT32),
              *edges = tn_zeros(TN_DIMS(3), TN_FLOAT32);
    CHECK(tn_histogram_range_out(hist, edges, x, 2, TN_FLOATS(0, 4), NULL, false));
    CHECK(tn_equal(hist, tn_from_text("[2, 2]", TN_FLOAT32)) && tn_equal(edges, tn_from_text("[0, 2, 4]", TN_FLOAT32)));
    CHECK(tn_histogram_bins_out(hist, edges, x, edges, x, false)); /* the edges are an operand too */
    CHECK(tn_equal(hist, tn_from_text("[2, 6]", TN_FLOAT32)) && tn_equal(edges, tn_from_text("[0, 2, 4]", TN_FLOAT32)));
    CHECK(tn_histogram_out(hist, edges, x, 2, NULL, true));
    CHECK(tn_histc_out(hist, x, 2, 0, 4));
    CHECK(tn_equal(hist, tn_from_text("[2, 2]", TN_FLOAT32)));
    tn_tensor *wide = tn_zeros(TN_DIMS(3), TN_FLOAT64), *long_one = tn_zeros(TN_DIMS(9), TN_FLOAT32);
    CHECK(wide && long_one);
    CHECK_ERROR(TN_ERROR_DTYPE, "float64", tn_histogram_out(hist, wide, x, 2, NULL, false));
    CHECK(tn_histogram_out(long_one, edges, x, 2, NULL, false) == long_one); /* resized */
    CHECK_INT(tn_numel(long_one), 2);
    CHECK(tn_equal(edges, tn_from_text("[1, 2.5, 4]", TN_FLOAT32)));
}

TEST(edges_and_bins_of_histc_are_numbers_of_the_dtype) {
    tn_tensor *x = tn_from_text("[0.1, 0.05, 0.3]", TN_FLOAT32), *half = tn_to(x, TN_FLOAT16);
    CHECK(tn_equal(tn_histc(x, 2, 0, 0.1), tn_from_text("[0, 2]", TN_FLOAT32))); /* 0.1 of float32 is above that of float64 */
    CHECK(tn_equal(tn_histc(x, 2, 0.1, 0.1000000001), tn_from_text("[1, 0]", TN_FLOAT32)));
    CHECK(tn_equal(tn_histc(half, 3, 0.1, 0.3), tn_from_text("[1, 0, 1]", TN_FLOAT16)));
    /* (5.09375 - 0) * 100 is 509.375, of bfloat16 510: one bin further than the unrounded quotient */
    tn_tensor *found = tn_histc(tn_from_text("[5.09375]", TN_BFLOAT16), 100, 0, 10);
    CHECK(found);
    CHECK_DOUBLE(tn_get_double(found, TN_DIMS(51)), 1);
    /* 300 * 300 is beyond float16, and the bin is still found */
    found = tn_histc(tn_from_text("[0, 299.5, 300]", TN_FLOAT16), 300, 0, 0);
    CHECK(found);
    CHECK_DOUBLE(tn_get_double(found, TN_DIMS(299)), 2);
}

TEST(counts_that_make_no_sense_are_refused) {
    tn_tensor *x = tn_from_text("[1, 2, 1, 4]", TN_FLOAT32), *n = tn_from_text("[1, 2, 1, -4]", TN_INT64);
    CHECK(x && n);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "bins = 0", tn_histc(x, 0, 0, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "ends before", tn_histc(x, 3, 2, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not finite", tn_histogram_range(x, 3, TN_FLOATS(0, INFINITY), NULL, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "ends before", tn_histogram_range(x, 3, TN_FLOATS(2, 1), NULL, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "range has 1 numbers", tn_histogram_range(x, 3, TN_FLOATS(2), NULL, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "range has a count of -1", tn_histogram_range(x, 3, ((tn_floats){NULL, -1}), NULL, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "range is NULL", tn_histogram_range(x, 3, ((tn_floats){NULL, 2}), NULL, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "min", tn_histc(x, 3, tn_scalar_complex(1, 2), 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "not a float", tn_histc(n, 3, 0, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "weight", tn_histogram(x, 3, n, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "weight", tn_histogram(x, 3, tn_zeros(TN_DIMS(3), TN_FLOAT32), false));
    CHECK_ERROR(TN_ERROR_SHAPE, "one dimension", tn_histogram_bins(x, tn_zeros(TN_DIMS(2, 2), TN_FLOAT32), NULL, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "dtype of self", tn_histogram_bins(x, n, NULL, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "-4", tn_bincount(n, NULL, 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "integers", tn_bincount(x, NULL, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "minlength", tn_bincount(n, NULL, -1));
    CHECK_ERROR(TN_ERROR_SHAPE, "weights", tn_bincount(n, tn_zeros(TN_DIMS(3), TN_FLOAT32), 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "not real", tn_bincount(n, tn_zeros(TN_DIMS(4), TN_COMPLEX64), 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "larger than any length", tn_bincount(tn_full(TN_DIMS(1), INT64_MAX, TN_INT64), NULL, 0));
}

TEST(bincount_counts_every_integer_dtype) {
    for (int i = 1; i < 9; i++) {
        tn_tensor *n = tn_to(tn_from_text("[1, 3, 1]", TN_INT64), ordered_dtypes[i]);
        tn_tensor *counts = tn_bincount(tn_flip(n, TN_DIMS(0)), NULL, 5);
        CHECK(counts && tn_equal(counts, tn_from_text("[0, 2, 0, 1, 0]", TN_INT64)));
    }
}

TEST(bincount_of_many_small_numbers_counts_each_once) {
    enum { MANY = 5001, KINDS = 700 };
    tn_tensor *numbers = tn_empty(TN_DIMS(MANY), TN_INT64);
    CHECK(numbers);
    int64_t *at = tn_mutable_data(numbers), expected[KINDS] = {0};
    for (int i = 0; i < MANY; i++) {
        at[i] = i == 0 ? KINDS - 1 : i * 37 % KINDS;
        expected[at[i]]++;
    }
    tn_tensor *counts = tn_bincount(numbers, NULL, 0), *longer = tn_bincount(numbers, NULL, 1500);
    CHECK(counts && longer);
    CHECK_INT(tn_numel(counts), KINDS);
    CHECK_INT(tn_numel(longer), 1500);
    CHECK(memcmp(tn_data(counts), expected, sizeof expected) == 0);
    CHECK(memcmp(tn_data(longer), expected, sizeof expected) == 0);
    CHECK_INT(((const int64_t *)tn_data(longer))[1499], 0);
    at[17] = -4;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "negative", tn_bincount(numbers, NULL, 0));
}

TEST(an_out_of_any_strides_gets_places_answers_and_counts) {
    tn_tensor *x = tn_reshape(tn_arange(12, TN_FLOAT32), TN_DIMS(3, 4)), *line = TN_VECTOR(float, 2, 5, 7, 9);
    tn_tensor *places = tn_t(tn_empty(TN_DIMS(4, 3), TN_INT64)), *answers = tn_t(tn_empty(TN_DIMS(4, 3), TN_BOOL));
    tn_tensor *counts = tn_slice(tn_zeros(TN_DIMS(10), TN_FLOAT32), 0, 0, 10, 2);
    tn_tensor *edges = tn_flip(tn_slice(tn_zeros(TN_DIMS(12), TN_FLOAT32), 0, 0, 12, 2), TN_DIMS(0));
    CHECK(x && line && places && answers && counts && edges);
    CHECK(tn_searchsorted_out(places, line, x, false, false, "none", NULL) == places && !tn_is_contiguous(places));
    CHECK(tn_equal(places, tn_searchsorted(line, x, false, false, "none", NULL)));
    CHECK(tn_isin_out(answers, x, line, false, true) == answers && tn_equal(answers, tn_isin(x, line, false, true)));
    CHECK(tn_histc_out(counts, x, 5, 0, 0) == counts && tn_equal(counts, tn_histc(x, 5, 0, 0)));
    tn_list *expected = tn_histogram(x, 5, NULL, true);
    CHECK(expected && tn_histogram_out(counts, edges, x, 5, NULL, true) == counts);
    CHECK(tn_equal(counts, tn_list_at(expected, 0)) && tn_equal(edges, tn_list_at(expected, 1)));
}
