/* gradients_convolution.c - first and second derivatives of convolutions and columns against differences.
 *
 * Tests: src/autograd/gradients_convolution.c */
#include "test.h"

#include "autograd_helpers.h"

TEST_SAMPLED(convolutions_have_their_derivatives) {
    tn_tensor *x = grad_input(1, 2, 5), *w = grad_input(2, 2, 2), *bias = grad_input(2), *grouped = grad_input(2, 1, 2);
    CHECK(x && w && bias && grouped);
    tn_dims one = TN_DIMS(1), zero = TN_DIMS(0), two = TN_DIMS(2);
    CHECK_GRADIENTS("convolution", TN_VALUES(x, w, bias, one, one, one, false, zero, 1));
    CHECK_GRADIENTS("convolution", TN_VALUES(x, w, bias, two, zero, one, false, zero, 1));
    CHECK_GRADIENTS("convolution", TN_VALUES(x, grouped, bias, two, one, two, false, zero, 2));
    CHECK_GRADIENTS("convolution", TN_VALUES(x, w, bias, two, one, one, true, one, 1));
    CHECK_GRADIENTS("convolution", TN_VALUES(x, w, bias, one, zero, two, true, one, 1));
    CHECK_GRADIENTS("convolution",
                    TN_VALUES(grad_complex(1, 1, 3), grad_complex(1, 1, 2), tn_value_none(), one, zero, one, false, zero, 1));
    CHECK_GRADIENTS("conv2d", TN_VALUES(grad_input(1, 3, 3), grad_input(2, 1, 2, 2)));
}

TEST_SAMPLED(columns_have_their_derivatives) {
    tn_dims one = TN_DIMS(1), two = TN_DIMS(2);
    CHECK_GRADIENTS("im2col", TN_VALUES(grad_input(1, 1, 3, 3), two, one, one, two));
    CHECK_GRADIENTS("col2im", TN_VALUES(grad_input(4, 4), TN_DIMS(3), two, one, TN_DIMS(0), one));
}
