/* dropout.c - dropout of channels and of selu, random slopes, gates, and how alike vectors are.
 *
 * Tests: src/ops/line/statistics_similarity.c, src/ops/nn/activation.c, src/ops/random/random_dropout.c */
#include <math.h>

#include "test.h"

#include <tenon/tenon.h>

TEST(channels_are_dropped_whole) {
    CHECK(tn_manual_seed(3) == TN_OK);
    tn_tensor *x = tn_ones(TN_DIMS(4, 5, 3), TN_FLOAT32), *made = tn_feature_dropout(x, 0.5, true, NULL);
    CHECK(x && made);
    int dropped = 0;
    for (int64_t i = 0; i < 20; i++)
        for (int64_t k = 0; k < 3; k++) {
            double first = tn_get_double(made, TN_DIMS(i / 5, i % 5, 0));
            CHECK(first == 0 || first == 2);
            dropped += first == 0;
            CHECK_DOUBLE(tn_get_double(made, TN_DIMS(i / 5, i % 5, k)), first);
        }
    CHECK(dropped > 0 && dropped < 60);
    CHECK_ERROR(TN_ERROR_SHAPE, "batch and channels", tn_feature_dropout(tn_ones(TN_DIMS(4), TN_FLOAT32), 0.5, true, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "p is 2", tn_alpha_dropout(x, 2, true, NULL));
}

TEST(alpha_dropout_has_two_values_for_one) {
    CHECK(tn_manual_seed(4) == TN_OK);
    tn_tensor *x = tn_ones(TN_DIMS(100), TN_FLOAT64), *made = tn_alpha_dropout(x, 0.25, true, NULL),
              *same = tn_alpha_dropout(x, 0.25, false, NULL);
    CHECK(x && made && same);
    double alpha = 1.7580993408473766, a = 1 / sqrt((alpha * alpha * 0.25 + 1) * 0.75), shift = alpha * a * 0.25;
    for (int64_t i = 0; i < 100; i++) {
        double value = tn_get_double(made, TN_DIMS(i));
        CHECK(fabs(value - (a + shift)) < 1e-12 || fabs(value - (shift - alpha * a)) < 1e-12);
        CHECK_DOUBLE(tn_get_double(same, TN_DIMS(i)), 1);
    }
    CHECK(tn_feature_alpha_dropout_(x, 0, true, NULL) == x);
    CHECK(tn_alpha_dropout_(x, 1, true, NULL) == x);
    CHECK_DOUBLE(tn_item_double(tn_sum(x, TN_DTYPE_DEFAULT)), 0);
}

TEST(random_slopes_are_drawn_left_of_zero_alone) {
    CHECK(tn_manual_seed(5) == TN_OK);
    tn_tensor *x = tn_from_text("[-1, 2, -1, 0, 3, -1]", TN_FLOAT64), *made = tn_rrelu(x, 0.25, 0.5, true, NULL),
              *mean = tn_rrelu(x, 0.25, 0.5, false, NULL);
    CHECK(x && made && mean);
    CHECK(tn_manual_seed(5) == TN_OK);
    tn_tensor *drawn = tn_uniform_(tn_empty(TN_DIMS(4), TN_FLOAT64), 0.25, 0.5, NULL);
    CHECK(drawn);
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(0)), -tn_get_double(drawn, TN_DIMS(0)));
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(1)), 2);
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(2)), -tn_get_double(drawn, TN_DIMS(1)));
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(5)), -tn_get_double(drawn, TN_DIMS(3)));
    CHECK_DOUBLE(tn_get_double(mean, TN_DIMS(0)), -0.375);
    CHECK(tn_manual_seed(5) == TN_OK);
    CHECK(tn_rrelu_(x, 0.25, 0.5, true, NULL) == x);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0)), -tn_get_double(drawn, TN_DIMS(0)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "lower = 1 is above upper = 0.5", tn_rrelu(x, 1, 0.5, true, NULL));
}

TEST(gates_and_slopes_of_channels) {
    tn_tensor *x = tn_from_text("[[-1, 2, 0, 1], [4, -8, 0, 0]]", TN_FLOAT64),
              *slopes = tn_from_text("[0.5, 0.25, 1, 1]", TN_FLOAT64);
    CHECK(x && slopes);
    tn_tensor *gated = tn_glu(x, -1), *bent = tn_prelu(x, slopes), *one = tn_prelu(x, tn_full(TN_DIMS(1), 0.5, TN_FLOAT64));
    CHECK(gated && bent && one);
    CHECK_DOUBLE(tn_get_double(gated, TN_DIMS(0, 0)), -0.5);
    CHECK_DOUBLE(tn_get_double(gated, TN_DIMS(1, 1)), -4);
    CHECK_DOUBLE(tn_get_double(bent, TN_DIMS(0, 0)), -0.5);
    CHECK_DOUBLE(tn_get_double(bent, TN_DIMS(1, 1)), -2);
    CHECK_DOUBLE(tn_get_double(one, TN_DIMS(1, 1)), -4);
    CHECK_ERROR(TN_ERROR_SHAPE, "halves need an even number", tn_glu(tn_narrow(x, 1, 0, 3), 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "each of the 4 channels", tn_prelu(x, tn_ones(TN_DIMS(3), TN_FLOAT64)));
    tn_tensor *hard = tn_hardshrink(x, 1), *soft = tn_softshrink(x, 1);
    CHECK(hard && soft);
    CHECK_DOUBLE(tn_get_double(hard, TN_DIMS(0, 0)), 0);
    CHECK_DOUBLE(tn_get_double(hard, TN_DIMS(1, 1)), -8);
    CHECK_DOUBLE(tn_get_double(soft, TN_DIMS(1, 1)), -7);
    CHECK_DOUBLE(tn_get_double(soft, TN_DIMS(0, 1)), 1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "lambd = -1", tn_softshrink(x, -1));
}

TEST(vectors_are_compared_pair_by_pair) {
    tn_tensor *x = tn_from_text("[[3, 4], [0, 0]]", TN_FLOAT64), *y = tn_from_text("[4, 3]", TN_FLOAT64);
    CHECK(x && y);
    tn_tensor *cosine = tn_cosine_similarity(x, y, 1, 1e-8), *apart = tn_pairwise_distance(x, y, 2, 0, true);
    CHECK(cosine && apart);
    CHECK(fabs(tn_get_double(cosine, TN_DIMS(0)) - 0.96) < 1e-12);
    CHECK_DOUBLE(tn_get_double(cosine, TN_DIMS(1)), 0);
    CHECK(fabs(tn_get_double(apart, TN_DIMS(0, 0)) - sqrt(2)) < 1e-12);
    CHECK_DOUBLE(tn_get_double(apart, TN_DIMS(1, 0)), 5);
    CHECK_ERROR(TN_ERROR_DTYPE, "must be of floats", tn_cosine_similarity(tn_to(x, TN_INT64), tn_to(y, TN_INT64), 1, 1e-8));
}

TEST(what_was_drawn_is_given_beside_the_result) {
    tn_tensor *x = tn_from_text("[-1, 2, -1, 0, 3, -1]", TN_FLOAT64), *noise = tn_zeros(TN_DIMS(6), TN_FLOAT64);
    CHECK(x && noise && tn_manual_seed(3) == TN_OK);
    tn_tensor *bent = tn_rrelu_with_noise(x, noise, 0.25, 0.5, true, NULL);
    CHECK(bent && tn_equal(bent, tn_mul(x, noise)) && tn_item_double(tn_select(noise, 0, 1)) == 1);
    CHECK_ERROR(TN_ERROR_SHAPE, "noise [5] float64 must have the sizes",
                tn_rrelu_with_noise(x, tn_narrow(noise, 0, 0, 5), 0.25, 0.5, true, NULL));
    tn_tensor *many = tn_ones(TN_DIMS(1000), TN_FLOAT32);
    tn_list *pair = tn_native_dropout(many, 0.25, true, NULL);
    CHECK(many && pair);
    if (pair) {
        tn_tensor *mask = tn_list_at(pair, 1), *left = tn_to(mask, TN_FLOAT32);
        CHECK(tn_dtype_of(mask) == TN_BOOL && tn_equal(tn_list_at(pair, 0), tn_mul_scalar(left, 1 / 0.75)));
        int64_t kept = tn_item_int64(tn_count_nonzero(mask, TN_NONE));
        CHECK(kept > 650 && kept < 850);
    }
    pair = tn_native_dropout(many, 0.25, false, NULL);
    CHECK(pair && tn_equal(tn_list_at(pair, 0), many) && tn_item_bool(tn_all(tn_list_at(pair, 1))));
}

TEST(other_names_of_core_operators_give_the_same) {
    tn_tensor *x = tn_reshape(tn_arange(24, TN_FLOAT32), TN_DIMS(1, 2, 3, 4));
    CHECK(x && tn_equal(tn_reflection_pad2d(x, TN_DIMS(1, 2, 1, 0)), tn_pad(x, TN_DIMS(1, 2, 1, 0), "reflect", TN_NO_SCALAR)));
    CHECK(x && tn_equal(tn_replication_pad2d(x, TN_DIMS(1, 2)), tn_pad(x, TN_DIMS(1, 2), "replicate", TN_NO_SCALAR)));
    CHECK(x && tn_equal(tn__softmax(x, 2, false), tn_softmax(x, 2, TN_DTYPE_DEFAULT)));
    CHECK(x && tn_dtype_of(tn__log_softmax(tn_to(x, TN_FLOAT16), 2, true)) == TN_FLOAT32);
    tn_tensor *copy = tn__to_copy(x, TN_DTYPE_DEFAULT), *weight = tn_ones(TN_DIMS(2, 2, 2, 2), TN_FLOAT32);
    CHECK(copy && copy != x && tn_equal(copy, x) && tn_data(copy) != tn_data(x));
    tn_dims one = TN_DIMS(1), zero = TN_DIMS(0);
    CHECK(weight && tn_equal(tn__convolution(x, weight, NULL, one, zero, one, false, zero, 1, false, false, true),
                             tn_convolution(x, weight, NULL, one, zero, one, false, zero, 1)));
}
