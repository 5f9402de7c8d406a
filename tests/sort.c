/* sort.c - sort, topk, kthvalue, median, mode, quantile against models that look at the elements one by one.
 *
 * Tests: src/cpu/sort_kernels.c, src/ops/sort/sort_lines.c, src/ops/sort/sort_order.c, src/ops/sort/sort_quantile.c
 * Tests: src/ops/sort/sort_select.c */
#include "sort_helpers.h"

static int64_t index_at(const tn_tensor *lines, int64_t row, int64_t i) {
    return ((const int64_t *)(const void *)row_of(lines, row))[i];
}

/* values and indices, as lines, are what order_line says of x: all of them, or only so many of a line, of which equal ones may
 * then be others than a stable order has. */
enum { ALL_STABLY = -1 };
static void check_order(const tn_tensor *x, int64_t dim, bool descending, const tn_list *list, int64_t kept) {
    CHECK(list);
    tn_tensor *lines = lines_of(x, dim), *values = lines_of(tn_list_at(list, 0), dim),
              *indices = lines_of(tn_list_at(list, 1), dim);
    CHECK(lines && values && indices);
    int64_t length = tn_size(lines, 1), order[512];
    size_t item = tn_element_size(x);
    CHECK(length <= 512);
    for (int64_t row = 0; row < tn_size(lines, 0); row++) {
        order_line(tn_dtype_of(x), row_of(lines, row), length, descending, order);
        bool seen[512] = {false};
        for (int64_t i = 0; i < (kept == ALL_STABLY ? length : kept); i++) {
            int64_t index = index_at(indices, row, i);
            CHECK(index >= 0 && index < length && !seen[index]);
            seen[index] = true;
            const char *element = row_of(lines, row) + (size_t)index * item;
            CHECK(kept != ALL_STABLY || index == order[i]);
            CHECK_INT(compare_elements(tn_dtype_of(x), element, row_of(lines, row) + (size_t)order[i] * item), 0);
            CHECK(memcmp(row_of(values, row) + (size_t)i * item, element, item) == 0);
        }
    }
}

TEST_SAMPLED(lines_of_every_dtype_and_layout_are_sorted_stably) {
    for (int i = 0; i < 40 * ORDERED_DTYPES; i++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *x = random_layout(ordered_dtypes[i % ORDERED_DTYPES], i % 3 != 0);
        CHECK(x);
        int64_t dim = tn_ndim(x) ? test_random_between(0, tn_ndim(x) - 1) : 0;
        bool descending = test_random() % 2;
        tn_list *list = tn_sort(x, dim - tn_ndim(x) * (tn_ndim(x) && test_random() % 2), descending);
        check_order(x, dim, descending, list, ALL_STABLY);
        tn_tensor *indices = tn_argsort_stable(x, true, dim, descending);
        CHECK(indices && tn_equal(indices, tn_list_at(list, 1)));
        if (tn_ndim(x)) {
            int64_t k = test_random_between(0, tn_size(x, dim));
            check_order(x, dim, descending, tn_topk(x, k, dim, descending, true), k);
        }
        tn_scope_close(scope);
    }
}

TEST_SAMPLED(lengths_around_the_changes_of_algorithm_are_sorted) {
    for (int64_t length = 1; length <= 512; length += length < 40 ? 1 : 37)
        for (int i = 0; i < ORDERED_DTYPES; i++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *x = random_dense(TN_DIMS(2, length), ordered_dtypes[i], length % 2);
            CHECK(x);
            check_order(x, 1, i % 2, tn_sort(x, 1, i % 2), ALL_STABLY);
            int64_t k = test_random_between(1, length);
            check_order(x, 1, true, tn_topk(x, k, 1, true, true), k);
            check_order(x, 1, false, tn_topk(x, (k + 9) / 10, 1, false, true), (k + 9) / 10);
            tn_scope_close(scope);
        }
}

TEST_SAMPLED(thousands_of_short_lines_beside_one_another_are_sorted) {
    for (int i = 0; i < 2 * ORDERED_DTYPES; i++) {
        tn_scope scope = tn_scope_open();
        int64_t inner = test_random_between(1, 64), outer = test_random_between(2048, 4096) / inner;
        int64_t length = test_random_between(1, 12), dim = 1 + i / ORDERED_DTYPES; /* across the lines, and along them */
        tn_dims sizes = dim == 1 ? TN_DIMS(outer, length, inner) : TN_DIMS(outer, inner, length);
        tn_tensor *x = random_dense(sizes, ordered_dtypes[i % ORDERED_DTYPES], i % 3 != 0);
        CHECK(x);
        bool descending = test_random() % 2;
        check_order(x, dim, descending, tn_sort(x, dim, descending), ALL_STABLY);
        int64_t k = test_random_between(1, length);
        check_order(x, dim, descending, tn_topk(x, k, dim, descending, true), k);
        tn_scope_close(scope);
    }
}

/* ---- long lines */

/* Whether a list is the stable order of a long dense line: ascending neighbours, ties by index, every index once. */
static void check_long_order(const tn_tensor *x, bool descending, const tn_list *list) {
    CHECK(list);
    const char *line = tn_data(x), *values = tn_data(tn_list_at(list, 0));
    const int64_t *indices = tn_data(tn_list_at(list, 1));
    tn_tensor *seen = tn_zeros(TN_DIMS(tn_numel(x)), TN_UINT8);
    CHECK(seen);
    uint8_t *mark = tn_mutable_data(seen);
    size_t item = tn_element_size(x);
    for (int64_t i = 0; i < tn_numel(x); i++) {
        CHECK(indices[i] >= 0 && indices[i] < tn_numel(x) && !mark[indices[i]]++);
        CHECK(memcmp(values + (size_t)i * item, line + (size_t)indices[i] * item, item) == 0);
        if (i > 0) {
            int compared = compare_elements(tn_dtype_of(x), values + (size_t)(i - 1) * item, values + (size_t)i * item);
            compared = descending ? -compared : compared;
            CHECK(compared < 0 || (compared == 0 && indices[i - 1] < indices[i]));
        }
    }
}

/* Keys of 64 bits that agree in their upper half but for a few, so that runs have to be sorted by the lower. */
static tn_tensor *crowded(int64_t count) {
    tn_tensor *x = tn_zeros(TN_DIMS(count), TN_INT64);
    int64_t *at = x ? tn_mutable_data(x) : NULL;
    for (int64_t i = 0; at && i < count; i++)
        at[i] = i % 1000 == 7 ? INT64_MIN + i : (int64_t)(test_random() % 5) << 34 | (int64_t)(test_random() % 100000);
    return x;
}

static tn_tensor *long_line(int which, int64_t count) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_INT64, TN_UINT8, TN_INT32, TN_FLOAT16};
    return which < 6 ? random_dense(TN_DIMS(count), dtypes[which], which == 4) : crowded(count);
}

TEST_SAMPLED(a_long_line_is_sorted_the_same_by_any_number_of_threads) {
    int64_t before = tn_num_threads();
    for (int which = 0; which < 7; which++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *x = long_line(which, which % 2 ? 70001 : 150000);
        CHECK(x);
        tn_set_num_threads(1);
        tn_list *one = tn_sort(x, 0, which % 3 == 1);
        check_long_order(x, which % 3 == 1, one);
        tn_tensor *median = tn_median(x), *few = tn_list_at(tn_topk(x, 50, 0, true, true), 1),
                  *many = tn_list_at(tn_topk(x, 5000, 0, false, true), 1);
        tn_set_num_threads(4);
        tn_list *four = tn_sort(x, 0, which % 3 == 1);
        CHECK(four && median && few && many);
        CHECK(tn_equal(tn_list_at(one, 1), tn_list_at(four, 1)));
        CHECK_INT(memcmp(tn_data(tn_list_at(one, 0)), tn_data(tn_list_at(four, 0)), tn_nbytes(x)), 0);
        tn_tensor *again = tn_median(x);
        CHECK(again);
        CHECK_INT(memcmp(tn_data(median), tn_data(again), tn_element_size(x)), 0);
        CHECK(tn_equal(tn_list_at(tn_topk(x, 50, 0, true, true), 1), few));
        CHECK(tn_equal(tn_list_at(tn_topk(x, 5000, 0, false, true), 1), many));
        tn_set_num_threads(before);
        tn_scope_close(scope);
    }
}

/* Which of equal elements is taken is compared with PyTorch in sort_torch.c. */
TEST_SAMPLED(every_rank_of_a_line_is_selected_as_sorting_would_put_it) {
    for (int which = 0; which < 7; which++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *x = long_line(which, 3000);
        tn_list *sorted = tn_sort(x, 0, false);
        CHECK(x && sorted);
        const int64_t *order = tn_data(tn_list_at(sorted, 1));
        const char *line = tn_data(x);
        size_t item = tn_element_size(x);
        for (int64_t k = 1; k <= 3000; k += 1 + k / 7) {
            tn_list *found = tn_kthvalue(x, k, 0, false);
            CHECK(found);
            int64_t index = *(const int64_t *)tn_data(tn_list_at(found, 1));
            CHECK_INT(compare_elements(tn_dtype_of(x), line + (size_t)index * item, line + (size_t)order[k - 1] * item), 0);
            CHECK_INT(memcmp(tn_data(tn_list_at(found, 0)), line + (size_t)index * item, item), 0);
        }
        for (int64_t k = 1; k <= 3000; k += 1 + 3 * k) {
            tn_list *most = tn_topk(x, k, 0, false, true);
            CHECK(most);
            const int64_t *indices = tn_data(tn_list_at(most, 1));
            for (int64_t i = 0; i < k; i++)
                CHECK_INT(compare_elements(tn_dtype_of(x), line + (size_t)indices[i] * item, line + (size_t)order[i] * item),
                          0);
        }
        tn_scope_close(scope);
    }
}

/* Inputs that split badly, again and again, make the quick algorithms give way to heaps. */
TEST(lines_made_against_quick_selection_are_still_put_in_order) {
    enum { COUNT = 2048 };
    tn_tensor *x = tn_zeros(TN_DIMS(COUNT), TN_INT32);
    CHECK(x);
    int32_t *line = tn_mutable_data(x);
    for (int32_t i = 0; i < COUNT / 2; i++) { /* D. Musser's killer of the middle one of three */
        line[i] = i % 2 ? COUNT / 2 + i - (i > 0) : i;
        line[COUNT / 2 + i] = 2 * (i + 1) - 1;
    }
    line[COUNT - 1] = line[COUNT - 2]; /* a tie: else sorting by keys is enough */
    tn_tensor *sorted = tn_msort(x), *most = tn_list_at(tn_topk(x, COUNT - 100, 0, false, true), 0);
    CHECK(sorted && most && tn_equal(most, tn_slice(sorted, 0, 0, COUNT - 100, 1)));
    for (int64_t k = 1; k <= COUNT; k += 100) {
        tn_list *found = tn_kthvalue(x, k, 0, false);
        CHECK(found);
        CHECK_INT(*(const int32_t *)tn_data(tn_list_at(found, 0)), ((const int32_t *)tn_data(sorted))[k - 1]);
    }
    tn_list *mode = tn_mode(x, 0, false);
    CHECK(mode);
    CHECK(*(const int64_t *)tn_data(tn_list_at(mode, 1)) >= 0);
}

/* ---- one element of a line */

TEST_SAMPLED(medians_and_modes_are_those_of_a_model) {
    for (int i = 0; i < 20 * ORDERED_DTYPES; i++) {
        tn_scope scope = tn_scope_open();
        tn_dtype dtype = ordered_dtypes[i % ORDERED_DTYPES];
        int64_t length = test_random_between(1, 16), order[16]; /* of so few the mode is the last of its run */
        tn_tensor *x = tn_transpose(random_dense(TN_DIMS(length, 3), dtype, true), 0, 1), *lines = lines_of(x, 1);
        tn_list *median = tn_median_dim(x, 1, true), *other = tn_nanmedian_dim(x, -1, false), *mode = tn_mode(x, 1, false);
        CHECK(lines && median && other && mode);
        CHECK_INT(tn_ndim(tn_list_at(median, 0)), 2);
        CHECK_INT(tn_ndim(tn_list_at(other, 0)), 1);
        for (int64_t row = 0; row < 3; row++) {
            const char *line = row_of(lines, row);
            size_t item = tn_element_size(x);
            order_line(dtype, line, length, false, order);
            int64_t nans = 0, longest = 0, wanted = 0;
            for (int64_t k = 0; k < length; k++)
                nans += compare_elements(TN_FLOAT64, &(double){NAN},
                                         &(double){tn_dtype_is_floating(dtype)
                                                       ? tn_dtype_load(dtype, line + (size_t)k * item).value.d
                                                       : 0}) == 0;
            for (int64_t k = 0, run = 0; k < length; k++) {
                bool same = run && k < length - nans &&
                            compare_elements(dtype, line + (size_t)order[k - 1] * item, line + (size_t)order[k] * item) == 0;
                run = same ? run + 1 : 1;
                if (run > longest) { /* grows to the last of its run */
                    longest = run;
                    wanted = order[k];
                }
            }
            CHECK_INT(((const int64_t *)tn_data(tn_list_at(median, 1)))[row], order[nans ? length - nans : (length - 1) / 2]);
            CHECK_INT(((const int64_t *)tn_data(tn_list_at(other, 1)))[row],
                      order[nans == length ? 0 : (length - nans - 1) / 2]);
            CHECK_INT(((const int64_t *)tn_data(tn_list_at(mode, 1)))[row], wanted);
            CHECK(memcmp((const char *)tn_data(tn_list_at(mode, 0)) + (size_t)row * item, line + (size_t)wanted * item, item) ==
                  0);
        }
        tn_scope_close(scope);
    }
}

TEST(quantiles_of_a_tensor_without_dimensions_are_its_element) {
    tn_tensor *q = tn_linspace(0, 1, 5, TN_FLOAT64);
    tn_tensor *large = tn_ones(TN_DIMS(2, 3, 40), TN_FLOAT64), *x = tn_scalar_tensor(2.5, TN_FLOAT64);
    CHECK(q && large && x);
    for (int keepdim = 0; keepdim < 2; keepdim++) {
        CHECK(tn_quantile(large, q, 1, keepdim, "linear")); /* other strides were where those of the next one go */
        tn_tensor *all = tn_quantile(x, q, 0, keepdim, "midpoint"), *one = tn_quantile_scalar(x, 0.5, -1, keepdim, "linear");
        CHECK(all && one);
        CHECK_INT(tn_ndim(all), 1);
        CHECK_INT(tn_ndim(one), 0);
        CHECK(tn_equal(all, tn_full(TN_DIMS(5), 2.5, TN_FLOAT64)));
        CHECK_DOUBLE(tn_item_double(one), 2.5);
    }
}

TEST(quantiles_of_few_and_of_many_agree) {
    tn_tensor *y = tn_transpose(tn_reshape(tn_arange(200, TN_FLOAT64), TN_DIMS(40, 5)), 0, 1);
    tn_tensor *q = tn_linspace(0, 1, 9, TN_FLOAT64);
    tn_tensor *many = tn_quantile(y, q, 1, false, "linear"); /* (9, 5) */
    CHECK(many);
    CHECK_INT(tn_size(many, 0), 9);
    for (int64_t i = 0; i < 9; i++) {
        tn_tensor *one = tn_quantile_scalar(y, (double)i / 8, 1, false, "linear");
        CHECK(one && tn_equal(one, tn_select(many, 0, i)));
    }
    tn_tensor *out = tn_empty(TN_DIMS(0), TN_FLOAT64);
    CHECK(tn_nanquantile_out(out, y, q, 1, false, "linear"));
    CHECK(tn_equal(out, many));
    tn_tensor *whole = tn_quantile_scalar(y, 0.5, TN_NONE, true, "midpoint");
    CHECK(whole);
    CHECK_INT(tn_ndim(whole), 2);
    CHECK_DOUBLE(*(const double *)tn_data(whole), 99.5);
}

/* ---- out variants and errors */

TEST(sort_writes_to_tensors_that_are_given) {
    tn_tensor *x = tn_from_text("[[3, 1, 2], [9, 7, 8]]", TN_FLOAT32), *values = tn_empty(TN_DIMS(0), TN_FLOAT32);
    tn_tensor *indices = tn_transpose(tn_zeros(TN_DIMS(3, 2), TN_INT64), 0, 1);
    CHECK(tn_sort_out(values, indices, x, 1, false));
    tn_list *list = tn_sort(x, 1, false);
    CHECK(list && tn_equal(values, tn_list_at(list, 0)) && tn_equal(indices, tn_list_at(list, 1)));
    CHECK(tn_sort_stable_out(x, indices, x, true, 0, true)); /* over its own operand */
    CHECK(tn_equal(x, tn_from_text("[[9, 7, 8], [3, 1, 2]]", TN_FLOAT32)));
    tn_tensor *place = tn_empty(TN_DIMS(0), TN_INT64);
    CHECK(tn_argsort_stable_out(place, x, true, 1, false));
    CHECK(tn_equal(place, tn_from_text("[[1, 2, 0], [1, 2, 0]]", TN_INT64)));
    CHECK(tn_msort_out(x, x));
    CHECK(tn_equal(x, tn_from_text("[[3, 1, 2], [9, 7, 8]]", TN_FLOAT32)));
    tn_tensor *few = tn_empty(TN_DIMS(2, 1), TN_FLOAT32), *where = tn_empty(TN_DIMS(2, 1), TN_INT64);
    CHECK(tn_topk_out(few, where, x, 1, 1, true, true));
    CHECK(tn_equal(few, tn_from_text("[[3], [9]]", TN_FLOAT32)));
    CHECK(tn_kthvalue_out(few, where, x, 2, 1, true));
    CHECK(tn_equal(where, tn_from_text("[[2], [2]]", TN_INT64)));
    CHECK(tn_mode_out(few, where, x, 1, true) && tn_median_dim_out(few, where, x, 1, true));
    CHECK(tn_nanmedian_dim_out(few, where, x, 1, true));
    CHECK(tn_equal(few, tn_from_text("[[2], [8]]", TN_FLOAT32)));
}

TEST(what_cannot_be_sorted_is_refused_before_anything_is_written) {
    tn_tensor *x = tn_from_text("[3, 1, 2]", TN_FLOAT32), *c = tn_from_text("[1+2j]", TN_COMPLEX64);
    tn_tensor *values = tn_full(TN_DIMS(3), 7, TN_FLOAT32), *indices = tn_zeros(TN_DIMS(3), TN_INT64);
    tn_tensor *wide = tn_zeros(TN_DIMS(3), TN_FLOAT64), *small = tn_zeros(TN_DIMS(2), TN_INT32);
    CHECK(x && c && values && indices && wide && small);
    CHECK_ERROR(TN_ERROR_DTYPE, "no order", tn_sort(c, 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "no order", tn_median(c));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_sort(x, 1, false));
    CHECK_ERROR(TN_ERROR_INDEX, "k = 4", tn_topk(x, 4, 0, true, true));
    CHECK_ERROR(TN_ERROR_INDEX, "k = -1", tn_topk(x, -1, 0, true, true));
    CHECK_ERROR(TN_ERROR_INDEX, "k = 0", tn_kthvalue(x, 0, 0, false));
    CHECK_ERROR(TN_ERROR_INDEX, "no elements", tn_median_dim(tn_empty(TN_DIMS(0), TN_FLOAT32), 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "float64", tn_sort_out(wide, indices, x, 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "[2]", tn_sort_out(values, small, x, 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_argsort_stable_out(wide, x, true, 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32", tn_msort_out(wide, x));
    CHECK(tn_set_readonly(indices) == TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "", tn_sort_out(values, indices, x, 0, false));
    CHECK_DOUBLE(*(const float *)tn_data(values), 7);
    CHECK_ERROR(TN_ERROR_DTYPE, "q is", tn_quantile(x, tn_zeros(TN_DIMS(1), TN_FLOAT64), 0, false, "linear"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not between 0 and 1", tn_quantile_scalar(x, 1.5, 0, false, "linear"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "'mean'", tn_quantile_scalar(x, 0.5, 0, false, "mean"));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32 and float64", tn_quantile_scalar(indices, 0.5, 0, false, "linear"));
    CHECK_ERROR(TN_ERROR_SHAPE, "no elements", tn_quantile_scalar(tn_empty(TN_DIMS(0), TN_FLOAT32), 0.5, 0, false, "linear"));
}
