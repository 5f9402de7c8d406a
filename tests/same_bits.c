/* same_bits.c - operators that look at many elements give the same bits for any number of threads and any strides. */
#include "test.h"

static void one_thread_again(void *nothing) {
    (void)nothing;
    (void)tn_set_num_threads(0);
}

/* The result, or the first two of a list, row by row. */
static int results_of(tn_value made, tn_tensor **results) {
    int count = made.kind == TN_VALUE_LIST ? (int)tn_list_count(made.as.list) : 1;
    for (int i = 0; i < count && i < 2; i++)
        results[i] = tn_contiguous(made.kind == TN_VALUE_LIST ? tn_list_at(made.as.list, i) : made.as.tensor, TN_CONTIGUOUS);
    return count < 2 ? count : 2;
}

static void check_bits(const char *name, tn_values arguments) {
    static const int64_t threads[] = {1, 2, 3, 5, 8};
    tn_tensor *first[2], *again[2];
    for (int i = 0; i < 5; i++) {
        tn_value made;
        CHECK_INT(tn_set_num_threads(threads[i]), TN_OK);
        if (tn_call(name, arguments, &made) != TN_OK)
            test_fail(__FILE__, __LINE__, "%s: %s", name, tn_error_message());
        int count = results_of(made, i ? again : first);
        for (int k = 0; i && k < count; k++)
            if (!again[k] || tn_numel(again[k]) != tn_numel(first[k]) ||
                memcmp(tn_data(again[k]), tn_data(first[k]), (size_t)tn_numel(first[k]) * tn_element_size(first[k])) != 0)
                test_fail(__FILE__, __LINE__, "%s: other bits on %d threads", name, (int)threads[i]);
    }
}

static void check_layout(const tn_tensor *x, tn_generator *generator) {
    static const char *const whole[] = {"sum",    "mean", "prod", "var",    "std",   "max",    "min",
                                        "median", "norm", "cov",  "unique", "histc", "nonzero"};
    static const char *const dims[] = {"sum.dim", "mean.dim",           "nansum",   "nanmean", "amax", "amin", "var.dim",
                                       "std.dim", "count_nonzero.dims", "logsumexp"};
    static const char *const lines[] = {"max.dim", "min.dim",      "cumsum",  "cumprod",    "cummax",
                                        "cummin",  "logcumsumexp", "softmax", "sort",       "log_softmax",
                                        "argmax",  "argmin",       "mode",    "median.dim", "prod.dim"};
    int64_t rows = tn_size(x, 0), columns = tn_size(x, 1);
    tn_tensor *positions = tn_randint(rows, TN_DIMS(rows, columns), TN_INT64, generator);
    tn_tensor *picked = tn_randint(rows, TN_DIMS(3000), TN_INT64, generator);
    tn_tensor *source = tn_rand(TN_DIMS(3000, columns), TN_FLOAT32, generator);
    CHECK(positions && picked && source);
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        check_bits(whole[i], TN_VALUES(x));
    for (int64_t dim = 0; dim < 2; dim++) {
        for (size_t i = 0; i < sizeof dims / sizeof dims[0]; i++)
            check_bits(dims[i], TN_VALUES(x, TN_DIMS(dim)));
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
            check_bits(lines[i], TN_VALUES(x, dim));
        check_bits("topk", TN_VALUES(x, 17, dim));
        check_bits("kthvalue", TN_VALUES(x, 17, dim));
    }
    check_bits("scatter_add", TN_VALUES(x, 0, positions, x));
    check_bits("scatter_reduce", TN_VALUES(x, 0, positions, x, "mean"));
    check_bits("index_add", TN_VALUES(x, 0, picked, source));
    check_bits("gather", TN_VALUES(x, 0, positions));
    check_bits("masked_select", TN_VALUES(x, tn_gt_scalar(x, 0.5)));
}

TEST_SAMPLED(the_number_of_threads_changes_no_bit) {
    tn_generator *generator = tn_generator_new(TN_PHILOX, 5);
    tn_tensor *x = generator ? tn_rand(TN_DIMS(150, 500), TN_FLOAT32, generator) : NULL;
    CHECK(x);
    TEST_DEFER(one_thread_again, NULL);
    check_layout(x, generator);
    check_layout(tn_transpose(x, 0, 1), generator);
    check_layout(tn_slice(tn_slice(x, 0, TN_NONE, TN_NONE, -1), 1, TN_NONE, TN_NONE, 2), generator);
}

TEST(a_pair_of_out_tensors_is_refused_as_a_whole_and_may_be_an_operand) {
    tn_tensor *values = tn_zeros(TN_DIMS(3), TN_FLOAT32), *locked = tn_zeros(TN_DIMS(3), TN_INT64);
    tn_tensor *x = tn_from_text("[3, 1, 2]", TN_FLOAT32), *indices = tn_zeros(TN_DIMS(3), TN_INT64);
    CHECK(values && locked && x && indices && tn_set_readonly(locked) == TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_sort_out(values, locked, x, 0, false));
    CHECK_DOUBLE(tn_get_double(values, TN_DIMS(0)), 0);
    CHECK(tn_sort_out(x, indices, x, 0, false) == x);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0)), 1);
    CHECK_INT(tn_get_int64(indices, TN_DIMS(0)), 1);
}
