/* gradients_norm.c - first and second derivatives of norms against differences, those of their statistics included.
 *
 * Tests: src/autograd/gradients_norm.c */
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
