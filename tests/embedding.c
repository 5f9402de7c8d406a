/* embedding.c - bags of rows, rows kept short, and the gradient of embedding, against loops over elements. */
#include <math.h>

#include "test.h"

#include <tenon/tenon.h>

enum { ROWS = 6, FEATURES = 5, COUNT = 9, BAGS = 4 };
static const int64_t indices_of[COUNT] = {1, 2, 2, 5, 0, 3, 3, 4, 2}, offsets_of[BAGS + 1] = {0, 3, 3, 7, 9};

static tn_tensor *numbers(tn_dims sizes, tn_dtype dtype) { return tn_to(tn_randn(sizes, TN_FLOAT64, NULL), dtype); }

static double row_at(const tn_tensor *weight, int64_t row, int64_t j) { return tn_get_double(weight, TN_DIMS(row, j)); }

static void check_bags(const tn_tensor *weight, const tn_tensor *scale, int mode, int64_t padding, bool last, double within) {
    tn_tensor *indices = tn_from_memory(indices_of, TN_DIMS(COUNT), TN_INT64, TN_BORROW);
    tn_tensor *offsets = tn_from_memory(offsets_of, TN_DIMS(BAGS + last), TN_INT64, TN_BORROW);
    tn_list *made = tn__embedding_bag(weight, indices, offsets, false, mode, false, scale, last, padding);
    CHECK(made);
    CHECK_INT(tn_list_count(made), 4);
    for (int64_t bag = 0; bag < BAGS; bag++) {
        int64_t size = 0;
        for (int64_t i = offsets_of[bag]; i < offsets_of[bag + 1]; i++) {
            size += indices_of[i] != padding;
            CHECK_INT(tn_get_int64(tn_list_at(made, 1), TN_DIMS(i)), bag);
        }
        CHECK_INT(tn_get_int64(tn_list_at(made, 2), TN_DIMS(bag)), mode ? size : 0);
        for (int64_t j = 0; j < FEATURES; j++) {
            double sum = 0, most = -INFINITY;
            int64_t best = 0;
            for (int64_t i = offsets_of[bag]; i < offsets_of[bag + 1]; i++)
                if (indices_of[i] != padding) {
                    double x = row_at(weight, indices_of[i], j);
                    sum += x * (scale ? tn_get_double(scale, TN_DIMS(i)) : 1);
                    best = x > most ? indices_of[i] : best;
                    most = x > most ? x : most;
                }
            double want = mode == 0 ? sum : mode == 1 ? sum / (double)(size ? size : 1) : size ? most : 0;
            CHECK(fabs(tn_get_double(tn_list_at(made, 0), TN_DIMS(bag, j)) - want) <= within);
            if (mode == 2)
                CHECK_INT(tn_get_int64(tn_list_at(made, 3), TN_DIMS(bag, j)), best);
        }
    }
}

TEST_SAMPLED(a_bag_is_the_sum_the_mean_or_the_largest_of_its_rows) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_BFLOAT16, TN_FLOAT16};
    CHECK(tn_manual_seed(1) == TN_OK);
    for (int mode = 0; mode < 3; mode++)
        for (int mask = 0; mask < 16; mask++) {
            tn_scope scope = tn_scope_open();
            tn_dtype dtype = dtypes[mask % 4];
            tn_tensor *weight = numbers(TN_DIMS(ROWS, FEATURES), dtype),
                      *scale = mask & 8 && mode == 0 ? numbers(TN_DIMS(COUNT), dtype) : NULL;
            if (mask & 1)
                weight = tn_t(tn_contiguous(tn_t(weight), TN_CONTIGUOUS));
            CHECK(weight);
            check_bags(weight, scale, mode, mask & 4 ? 2 : -1, mask & 2,
                       dtype == TN_FLOAT64   ? 1e-12
                       : dtype == TN_FLOAT32 ? 1e-5
                                             : 0.1);
            CHECK(tn_scope_close(scope) == TN_OK);
        }
}

TEST(empty_bags_are_zeros) {
    tn_tensor *weight = tn_ones(TN_DIMS(3, 2), TN_FLOAT32), *none = tn_empty(TN_DIMS(0), TN_INT64);
    CHECK(weight && none);
    for (int mode = 0; mode < 3; mode++) {
        tn_list *made = tn_embedding_bag(weight, none, tn_zeros(TN_DIMS(2), TN_INT64), false, mode, false, NULL, false);
        CHECK(made);
        CHECK_INT(tn_size(tn_list_at(made, 0), 0), 2);
        CHECK_DOUBLE(tn_item_double(tn_sum(tn_list_at(made, 0), TN_DTYPE_DEFAULT)), 0);
        CHECK_INT(tn_numel(tn_list_at(made, 1)), 0);
    }
}

TEST(a_bag_that_does_not_fit_is_refused) {
    tn_tensor *weight = tn_ones(TN_DIMS(3, 2), TN_FLOAT32), *two = TN_VECTOR(int64_t, 1, 2), *zero = TN_VECTOR(int64_t, 0);
    CHECK(weight && two && zero);
#define BAG(indices, offsets, mode, scale) tn_embedding_bag(weight, indices, offsets, false, mode, false, scale, false)
    CHECK_ERROR(TN_ERROR_ARGUMENT, "offsets begin with 1", BAG(two, TN_VECTOR(int64_t, 1), 0, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "end with 5", BAG(two, TN_VECTOR(int64_t, 0, 5), 0, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "fall between", BAG(two, TN_VECTOR(int64_t, 0, 2, 1), 0, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "mode is 3", BAG(two, zero, 3, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "per_sample_weights are for mode 0", BAG(two, zero, 1, tn_ones(TN_DIMS(2), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_SHAPE, "for each of the 2 indices", BAG(two, zero, 0, tn_ones(TN_DIMS(3), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_INDEX, "", BAG(TN_VECTOR(int64_t, 1, 3), zero, 0, NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "must be int64 or int32", BAG(tn_ones(TN_DIMS(2), TN_FLOAT32), zero, 0, NULL));
#undef BAG
}

TEST(rows_that_are_too_long_are_scaled_down_in_place) {
    tn_tensor *weight = tn_from_text("[[3, 4], [0.3, 0.4], [6, 8]]", TN_FLOAT64), *indices = TN_VECTOR(int64_t, 0, 1, 0);
    CHECK(weight && indices);
    CHECK(tn_embedding_renorm_(weight, indices, 1, 2) == weight);
    CHECK(fabs(row_at(weight, 0, 1) - 0.8) < 1e-6);
    CHECK_DOUBLE(row_at(weight, 1, 0), 0.3);
    CHECK_DOUBLE(row_at(weight, 2, 0), 6);
}

TEST(the_gradient_of_embedding_adds_up_what_each_row_got) {
    tn_tensor *indices = TN_VECTOR(int64_t, 1, 0, 1, 2), *grad = tn_reshape(tn_arange(8, TN_FLOAT32), TN_DIMS(4, 2));
    CHECK(indices && grad);
    tn_tensor *plain = tn_embedding_dense_backward(grad, indices, 3, -1, false);
    tn_tensor *scaled = tn_embedding_dense_backward(grad, indices, 3, 2, true);
    CHECK(plain && scaled);
    CHECK_DOUBLE(row_at(plain, 1, 1), 6);
    CHECK_DOUBLE(row_at(plain, 2, 0), 6);
    CHECK_DOUBLE(row_at(scaled, 1, 1), 3);
    CHECK_DOUBLE(row_at(scaled, 2, 0), 0);
    CHECK_ERROR(TN_ERROR_SHAPE, "grad_output", tn_embedding_dense_backward(tn_select(grad, 0, 0), indices, 3, -1, false));
}
