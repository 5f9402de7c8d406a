/* gradients_nn.c - first and second derivatives of pooling, resampling, embeddings and products with activations, against differences.
 *
 * Tests: src/autograd/gradients_nn.c */
#include "test.h"

#include "autograd_helpers.h"

#define NO TN_DIMS()

TEST_SAMPLED(pooling_has_its_derivatives) {
    tn_tensor *x = grad_input(2, 4, 5), *volume = grad_input(1, 1, 3, 3, 3);
    CHECK(x && volume);
    tn_dims one = TN_DIMS(1), two = TN_DIMS(2), three = TN_DIMS(3);
    CHECK_GRADIENTS("max_pool2d", TN_VALUES(x, two, one, one, one, true));
    CHECK_GRADIENTS("max_pool2d_with_indices", TN_VALUES(grad_strided(x, 0), three, two, one, one, false));
    CHECK_GRADIENTS("max_pool1d", TN_VALUES(grad_input(1, 6), two, one, NO, two, false));
    CHECK_GRADIENTS("max_pool3d", TN_VALUES(volume, two, one, NO, one, false));
    CHECK_GRADIENTS("avg_pool2d", TN_VALUES(x, two, NO, one, true, false, tn_value_none()));
    CHECK_GRADIENTS("avg_pool2d", TN_VALUES(grad_strided(x, 1), TN_DIMS(2, 3), one, NO, false, true, 5));
    CHECK_GRADIENTS("avg_pool1d", TN_VALUES(grad_input(1, 6), three, two, one, true, false));
    CHECK_GRADIENTS("avg_pool3d", TN_VALUES(volume, two, one, one, false, false, tn_value_none()));
    CHECK_GRADIENTS("lp_pool2d", TN_VALUES(grad_positive(1, 3, 3), 3.0, two, one, false));
    CHECK_GRADIENTS("adaptive_avg_pool2d", TN_VALUES(x, TN_DIMS(3, 2)));
    CHECK_GRADIENTS("adaptive_avg_pool2d", TN_VALUES(x, TN_DIMS(1, 1)));
    CHECK_GRADIENTS("adaptive_avg_pool3d", TN_VALUES(volume, TN_DIMS(2, 1, 2)));
    CHECK_GRADIENTS("adaptive_max_pool2d", TN_VALUES(x, TN_DIMS(3, 2)));
    CHECK_GRADIENTS("adaptive_max_pool3d", TN_VALUES(volume, TN_DIMS(2, 1, 2)));
}

TEST_SAMPLED(pooling_by_samples_and_unpooling_have_their_derivatives) {
    tn_tensor *x = grad_input(1, 2, 4, 5), *volume = grad_input(1, 1, 3, 3, 3);
    tn_tensor *samples = tn_full(TN_DIMS(1, 2, 2), 0.4, TN_FLOAT64), *deep = tn_full(TN_DIMS(1, 1, 3), 0.4, TN_FLOAT64);
    CHECK(x && volume && samples && deep);
    CHECK_GRADIENTS("fractional_max_pool2d", TN_VALUES(x, TN_DIMS(2, 2), TN_DIMS(2, 3), samples));
    CHECK_GRADIENTS("fractional_max_pool3d", TN_VALUES(volume, TN_DIMS(2, 2, 1), TN_DIMS(1, 1, 2), deep));
    tn_list *pair = tn_max_pool2d_with_indices(tn_detach(x), TN_DIMS(2), NO, NO, NO, false);
    CHECK(pair);
    if (pair)
        CHECK_GRADIENTS("max_unpool2d", TN_VALUES(grad_input(1, 2, 2, 2), tn_list_at(pair, 1), TN_DIMS(4, 5)));
    pair = tn_max_pool3d_with_indices(tn_detach(volume), TN_DIMS(1), TN_DIMS(2), NO, NO, false);
    CHECK(pair);
    if (pair)
        CHECK_GRADIENTS("max_unpool3d", TN_VALUES(grad_input(1, 1, 2, 2, 2), tn_list_at(pair, 1), TN_DIMS(3, 3, 3),
                                                  TN_DIMS(1, 1, 1), TN_DIMS(0, 0, 0)));
}

TEST(the_gradient_of_a_largest_element_goes_to_the_first_of_equal_ones) {
    tn_tensor *x = tn_requires_grad_(tn_ones(TN_DIMS(1, 1, 2, 2), TN_FLOAT32), true);
    tn_tensor *y = tn_max_pool2d(x, TN_DIMS(2), NO, NO, NO, false);
    CHECK(y && tn_backward(y, NULL) == TN_OK);
    tn_tensor *grad = tn_tensor_grad(x), *first = tn_from_text("[[[[1, 0], [0, 0]]]]", TN_FLOAT32);
    CHECK(grad && first && tn_equal(grad, first));
}

static const char *const lines[] = {"upsample_nearest1d", "_upsample_nearest_exact1d", "upsample_linear1d"};
static const char *const images[] = {"upsample_nearest2d", "_upsample_nearest_exact2d", "upsample_bilinear2d",
                                     "upsample_bicubic2d", "_upsample_bilinear2d_aa",   "_upsample_bicubic2d_aa"};
static const char *const volumes[] = {"upsample_nearest3d", "_upsample_nearest_exact3d", "upsample_trilinear3d"};

TEST_SAMPLED(resampling_has_its_derivatives) {
    tn_tensor *line = grad_input(1, 2, 4), *image = grad_input(1, 1, 3, 4), *volume = grad_input(1, 1, 2, 3, 2);
    CHECK(line && image && volume);
    for (int i = 0; i < 3; i++)
        if (i < 2)
            CHECK_GRADIENTS(lines[i], TN_VALUES(line, TN_DIMS(6), 1.6));
        else
            CHECK_GRADIENTS(lines[i], TN_VALUES(grad_strided(line, 2), TN_DIMS(3), true, tn_value_none()));
    for (int i = 0; i < 6; i++)
        if (i < 2)
            CHECK_GRADIENTS(images[i], TN_VALUES(image, TN_DIMS(4, 3), tn_value_none(), tn_value_none()));
        else
            CHECK_GRADIENTS(images[i], TN_VALUES(grad_strided(image, 0), TN_DIMS(4, 2), i % 2 == 0, tn_value_none(), 0.6));
    for (int i = 0; i < 3; i++)
        if (i < 2)
            CHECK_GRADIENTS(volumes[i], TN_VALUES(volume, TN_DIMS(3, 2, 3)));
        else
            CHECK_GRADIENTS(volumes[i], TN_VALUES(volume, TN_DIMS(3, 2, 3), false));
}

TEST_SAMPLED(sampling_by_a_grid_has_the_derivatives_of_images_and_places) {
    tn_tensor *image = grad_input(1, 2, 3, 4), *volume = grad_input(1, 1, 2, 3, 2);
    tn_tensor *grid =
        tn_requires_grad_(tn_mul_scalar(grad_fill(TN_DIMS(1, 2, 3, 2), TN_FLOAT64, false), tn_scalar_float(0.61)), true);
    tn_tensor *deep =
        tn_requires_grad_(tn_mul_scalar(grad_fill(TN_DIMS(1, 2, 1, 2, 3), TN_FLOAT64, false), tn_scalar_float(0.57)), true);
    CHECK(image && volume && grid && deep);
    for (int mode = 0; mode < 3; mode++)
        for (int padding = 0; padding < 3; padding++) {
            CHECK_GRADIENTS("grid_sampler_2d", TN_VALUES(image, grid, mode, padding, padding == 1));
            if (mode < 2)
                CHECK_GRADIENTS("grid_sampler_3d", TN_VALUES(volume, deep, mode, padding, padding != 1));
        }
    CHECK_GRADIENTS("affine_grid_generator", TN_VALUES(grad_input(1, 2, 3), TN_DIMS(1, 1, 2, 3), false));
    CHECK_GRADIENTS("pixel_shuffle", TN_VALUES(grad_input(4, 1, 2), 2));
    CHECK_GRADIENTS("channel_shuffle", TN_VALUES(grad_input(1, 4, 2), 2));
}

TEST_SAMPLED(embeddings_have_their_derivatives) {
    tn_tensor *weight = grad_input(4, 3), *indices = tn_from_text("[[1, 3, 1], [0, 2, 1]]", TN_INT64);
    tn_tensor *row = tn_from_text("[1, 3, 1, 0, 2, 1]", TN_INT64), *offsets = tn_from_text("[0, 2, 2]", TN_INT64);
    CHECK(weight && indices && row && offsets);
    CHECK_GRADIENTS("embedding", TN_VALUES(weight, indices));
    for (int mode = 0; mode < 2; mode++)
        CHECK_GRADIENTS("embedding_bag", TN_VALUES(weight, row, offsets, false, mode, false));
    CHECK_GRADIENTS("embedding_bag", TN_VALUES(weight, row, offsets, false, 0, false, grad_input(6), false));
    CHECK_GRADIENTS("embedding_bag.padding_idx", TN_VALUES(weight, row, offsets, false, 1, false, tn_value_none(), false, 1));
}

/* What the gradient of an embedding of ones is. */
static tn_tensor *embedding_gradient(int64_t padding_idx, bool scale_grad_by_freq) {
    tn_tensor *weight = tn_requires_grad_(tn_ones(TN_DIMS(4, 1), TN_FLOAT32), true);
    tn_tensor *indices = tn_from_text("[1, 3, 1, 0]", TN_INT64);
    tn_tensor *y = tn_sum(tn_embedding(weight, indices, padding_idx, scale_grad_by_freq, false), TN_DTYPE_DEFAULT);
    return y && tn_backward(y, NULL) == TN_OK ? tn_tensor_grad(weight) : NULL;
}

TEST(rows_of_padding_have_no_gradient_and_frequent_rows_can_have_less) {
    tn_tensor *plain = embedding_gradient(-1, false), *padded = embedding_gradient(1, false),
              *scaled = embedding_gradient(-1, true);
    CHECK(plain && padded && scaled);
    CHECK(plain && tn_equal(plain, tn_from_text("[[1], [2], [0], [1]]", TN_FLOAT32)));
    CHECK(padded && tn_equal(padded, tn_from_text("[[1], [0], [0], [1]]", TN_FLOAT32)));
    CHECK(scaled && tn_equal(scaled, tn_from_text("[[1], [1], [0], [1]]", TN_FLOAT32)));
}

TEST(the_gradient_of_the_largest_of_a_bag_goes_to_the_row_it_came_from) {
    tn_tensor *weight = tn_requires_grad_(tn_from_text("[[1, 5], [4, 5], [4, 0]]", TN_FLOAT32), true);
    tn_tensor *made[] = {tn_from_text("[0, 2, 1]", TN_INT64), tn_from_text("[0]", TN_INT64)};
    CHECK(weight && made[0] && made[1]);
    tn_list *bags = tn_embedding_bag(weight, made[0], made[1], false, 2, false, NULL, false);
    CHECK(bags);
    tn_tensor *sum = bags ? tn_sum(tn_list_at(bags, 0), TN_DTYPE_DEFAULT) : NULL;
    CHECK(sum && tn_backward(sum, NULL) == TN_OK);
    tn_tensor *grad = sum ? tn_tensor_grad(weight) : NULL;
    CHECK(grad && tn_equal(grad, tn_from_text("[[0, 1], [0, 0], [1, 0]]", TN_FLOAT32)));
}

TEST_SAMPLED(products_through_activations_have_their_derivatives) {
    static const char *const activations[] = {"none", "relu", "gelu", "gelu_tanh", "silu", "tanh", "sigmoid"};
    tn_tensor *x = grad_input(2, 3), *w = grad_input(2, 3), *bias = grad_input(2), *residual = grad_input(2, 2);
    tn_tensor *signal = grad_input(1, 2, 4), *kernel = grad_input(2, 2, 2);
    CHECK(x && w && bias && residual && signal && kernel);
    tn_dims one = TN_DIMS(1), zero = TN_DIMS(0);
    for (int i = 0; i < 7; i++)
        CHECK_GRADIENTS("linear.fused", TN_VALUES(x, w, bias, activations[i], residual, 1.5));
    CHECK_GRADIENTS("convolution.fused", TN_VALUES(signal, kernel, bias, one, one, one, false, zero, 1, "silu"));
    CHECK_GRADIENTS("convolution.fused", TN_VALUES(signal, kernel, tn_value_none(), one, zero, one, true, zero, 1, "tanh"));
    CHECK_GRADIENTS("_addmm_activation", TN_VALUES(residual, x, grad_strided(grad_input(3, 2), 0), 0.5, 2.0, true));
}
