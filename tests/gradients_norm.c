/* gradients_norm.c - first and second derivatives of norms against differences, those of their statistics included.
 *
 * Tests: src/autograd/gradients_norm.c, src/ops/nn/norm_backward_run.c */
#include <math.h>

#include "test.h"

#include "autograd_helpers.h"

TEST_SAMPLED(norms_of_lines_and_groups_have_their_derivatives) {
    tn_tensor *x = grad_input(2, 4, 2), *weight = grad_input(4), *bias = grad_input(4), *plane = grad_input(4, 2);
    CHECK(x && weight && bias && plane);
    tn_value none = tn_value_none();
    CHECK_GRADIENTS("native_layer_norm", TN_VALUES(x, TN_DIMS(4, 2), plane, plane, 0.1));
    CHECK_GRADIENTS("native_layer_norm", TN_VALUES(grad_strided(x, 0), TN_DIMS(2), none, none, 0.1));
    CHECK_GRADIENTS("native_group_norm", TN_VALUES(x, weight, bias, 2, 4, 2, 2, 0.1));
    CHECK_GRADIENTS("native_group_norm", TN_VALUES(grad_strided(x, 1), none, none, 2, 4, 2, 1, 0.1));
    CHECK_GRADIENTS("group_norm", TN_VALUES(x, 4, weight, bias, 0.1));
    CHECK_GRADIENTS("layer_norm", TN_VALUES(x, TN_DIMS(4, 2), plane, plane, 0.1));
    CHECK_GRADIENTS("rms_norm", TN_VALUES(grad_strided(x, 2), TN_DIMS(4, 2), plane, 0.1));
}

/* By the mean of the squares themselves, as in PyTorch. */
TEST_SAMPLED(complex_lines_have_a_root_mean_square_too) {
    tn_tensor *x = grad_complex(2, 3), *w = grad_complex(3), *real = grad_input(3);
    CHECK(x && w && real);
    CHECK_GRADIENTS("rms_norm", TN_VALUES(x, TN_DIMS(3), w, 0.1));
    CHECK_GRADIENTS("rms_norm", TN_VALUES(grad_strided(x, 0), TN_DIMS(2, 3), tn_value_none(), 0.5));
    CHECK_GRADIENTS("rms_norm", TN_VALUES(x, TN_DIMS(3), real, 0.25));
    tn_tensor *one = tn_from_text("[[3+4j]]", TN_COMPLEX128),
              *made = one ? tn_rms_norm(one, TN_DIMS(1), NULL, TN_SCALAR(0.0)) : NULL;
    CHECK(made);
    CHECK_DOUBLE(tn_get_double(tn_view_as_real(made), TN_DIMS(0, 0, 0)), 1);
}

TEST_SAMPLED(norms_of_batches_have_their_derivatives) {
    tn_tensor *x = grad_input(3, 2, 2), *weight = grad_input(2), *bias = grad_input(2);
    tn_tensor *mean = tn_detach(grad_input(2)), *var = tn_detach(grad_positive(2));
    CHECK(x && weight && bias && mean && var);
    tn_value none = tn_value_none();
    CHECK_GRADIENTS("_native_batch_norm_legit.no_stats", TN_VALUES(x, weight, bias, true, 0.1, 0.1));
    CHECK_GRADIENTS("batch_norm", TN_VALUES(grad_strided(x, 0), none, none, none, none, true, 0.1, 0.1));
    CHECK_GRADIENTS("batch_norm", TN_VALUES(grad_strided(x, 2), weight, bias, mean, var, false, 0.1, 0.1));
    CHECK_GRADIENTS("instance_norm", TN_VALUES(x, weight, bias, none, none, true, 0.1, 0.1));
}

TEST(training_twice_before_backward_changes_no_gradient) {
    tn_tensor *x = grad_input(3, 2, 2), *mean = tn_zeros(TN_DIMS(2), TN_FLOAT64), *var = tn_ones(TN_DIMS(2), TN_FLOAT64);
    tn_tensor *up = tn_detach(grad_input(12)), *grads[2] = {NULL, NULL};
    CHECK(x && mean && var && up);
    for (int times = 1; times <= 2; times++) {
        tn_tensor *y = tn_batch_norm(x, NULL, NULL, mean, var, true, 0.1, 1e-5, true);
        tn_tensor *again = times == 2 ? tn_batch_norm(x, NULL, NULL, mean, var, true, 0.1, 1e-5, true) : y;
        tn_tensor *sum = y && again ? tn_sum(tn_mul(tn_reshape(y, TN_DIMS(12)), up), TN_DTYPE_DEFAULT) : NULL;
        CHECK(sum &&
              tn_grad((const tn_tensor *[]){sum}, NULL, 1, (const tn_tensor *[]){x}, 1, NULL, &grads[times - 1]) == TN_OK);
    }
    CHECK(grads[0] && grads[1] && tn_equal(grads[0], grads[1]));
    CHECK(!tn_requires_grad(mean) && !tn_requires_grad(var));
}

/* ---- the loops of plain calls against the operators that recorded ones are made of */

static double back_apart(const tn_tensor *a, const tn_tensor *b) {
    tn_tensor *x = tn_to(tn_detach(a), TN_FLOAT64), *y = tn_to(tn_detach(b), TN_FLOAT64);
    if (!x || !y || tn_numel(x) != tn_numel(y) || tn_ndim(x) != tn_ndim(y) || tn_dtype_of(a) != tn_dtype_of(b))
        return INFINITY;
    return tn_numel(x) ? tn_item_double(tn_max(tn_abs(tn_sub(x, y)))) : 0;
}

typedef tn_list *(*back_function)(const tn_tensor *grad, const tn_tensor *x, const tn_tensor *weight, tn_dims mask);

static tn_list *back_layer(const tn_tensor *grad, const tn_tensor *x, const tn_tensor *weight, tn_dims mask) {
    return tn__layer_norm_backward(grad, x, tn_sizes(weight), weight, 0.1, true, mask);
}
static tn_list *back_rms(const tn_tensor *grad, const tn_tensor *x, const tn_tensor *weight, tn_dims mask) {
    return tn__layer_norm_backward(grad, x, tn_sizes(weight), weight, 0.1, false, mask);
}
static tn_list *back_native(const tn_tensor *grad, const tn_tensor *x, const tn_tensor *weight, tn_dims mask) {
    tn_list *made = tn_native_layer_norm(tn_detach(x), tn_sizes(weight), NULL, NULL, 0.1);
    return made ? tn_native_layer_norm_backward(grad, x, tn_sizes(weight), tn_list_at(made, 1), tn_list_at(made, 2), weight,
                                                NULL, mask)
                : NULL;
}
static tn_list *back_group(const tn_tensor *grad, const tn_tensor *x, const tn_tensor *weight, tn_dims mask) {
    int64_t batch = tn_size(x, 0), channels = tn_size(x, 1), plane = tn_numel(x) / (batch * channels);
    tn_list *made = tn_native_group_norm(tn_detach(x), NULL, NULL, batch, channels, plane, 2, 0.1);
    return made ? tn_native_group_norm_backward(grad, x, tn_list_at(made, 1), tn_list_at(made, 2), weight, batch, channels,
                                                plane, 2, mask)
                : NULL;
}
static tn_list *back_batch(const tn_tensor *grad, const tn_tensor *x, const tn_tensor *weight, tn_dims mask) {
    tn_list *made = tn__native_batch_norm_legit_no_stats(tn_detach(x), NULL, NULL, true, 0.1, 0.1);
    return made ? tn_native_batch_norm_backward(grad, x, weight, NULL, NULL, tn_list_at(made, 1), tn_list_at(made, 2), true,
                                                0.1, mask)
                : NULL;
}
static tn_list *back_given(const tn_tensor *grad, const tn_tensor *x, const tn_tensor *weight, tn_dims mask) {
    tn_tensor *mean = tn_detach(weight), *var = tn_abs(mean);
    return tn_native_batch_norm_backward(grad, x, weight, mean, var, NULL, NULL, false, 0.1, mask);
}

TEST_SAMPLED(plain_gradients_of_norms_are_those_of_their_parts) {
    static const back_function functions[] = {back_layer, back_rms, back_native, back_group, back_batch, back_given};
    static const tn_dtype dtypes[] = {TN_FLOAT64, TN_FLOAT32, TN_BFLOAT16};
    static const int64_t masks[][3] = {{1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    CHECK(tn_manual_seed(4) == TN_OK);
    for (int which = 0; which < 6; which++)
        for (int d = 0; d < 3; d++) {
            bool lines = which < 3;
            tn_tensor *x = tn_randn(TN_DIMS(5, 4, 70), dtypes[d], NULL), *up = tn_randn(TN_DIMS(5, 70, 4), dtypes[d], NULL);
            tn_tensor *grad = tn_transpose(up, 1, 2), *weight = tn_randn(lines ? TN_DIMS(70) : TN_DIMS(4), dtypes[d], NULL);
            CHECK(x && grad && weight);
            double near = dtypes[d] == TN_FLOAT64 ? 1e-10 : dtypes[d] == TN_FLOAT32 ? 1e-4 : 0.5;
            for (int m = 0; m < 4; m++) {
                tn_dims mask = {masks[m], 3};
                tn_list *plain = functions[which](grad, x, weight, mask);
                tn_tensor *leaf = tn_requires_grad_(tn_detach(x), true);
                tn_list *parts = leaf ? functions[which](grad, leaf, weight, mask) : NULL;
                CHECK(plain && parts);
                for (int i = 0; plain && parts && i < 3; i++)
                    CHECK(back_apart(tn_list_at(plain, i), tn_list_at(parts, i)) <= near);
            }
        }
}

TEST_SAMPLED(gradients_of_norms_keep_channels_last_and_are_the_same_there) {
    static const back_function functions[] = {back_group, back_batch, back_given};
    static const tn_dtype dtypes[] = {TN_FLOAT64, TN_FLOAT32, TN_BFLOAT16};
    static const int64_t sizes[] = {3, 70, 2, 9, 5};
    CHECK(tn_manual_seed(5) == TN_OK);
    for (int which = 0; which < 3; which++)
        for (int d = 0; d < 3; d++) {
            int64_t ndim = 4 + d % 2;
            tn_memory_format format = ndim == 4 ? TN_CHANNELS_LAST : TN_CHANNELS_LAST_3D;
            tn_tensor *x = tn_randn((tn_dims){sizes, ndim}, dtypes[d], NULL),
                      *grad = tn_randn((tn_dims){sizes, ndim}, dtypes[d], NULL);
            tn_tensor *weight = tn_randn(TN_DIMS(70), dtypes[d], NULL), *last = tn_contiguous(x, format);
            CHECK(grad && weight && last);
            double near = dtypes[d] == TN_FLOAT64 ? 1e-10 : dtypes[d] == TN_FLOAT32 ? 1e-4 : 0.5;
            tn_list *plain = functions[which](grad, x, weight, TN_DIMS(1, 1, 1));
            tn_list *turned = functions[which](which ? grad : tn_contiguous(grad, format), last, weight, TN_DIMS(1, 1, 1));
            CHECK(plain && turned);
            for (int i = 0; i < 3; i++)
                CHECK(back_apart(tn_list_at(plain, i), tn_list_at(turned, i)) <= near);
            CHECK(tn_is_contiguous_in(tn_list_at(turned, 0), format));
        }
}
