/* gradients_recurrent.c - derivatives of recurrent cells and networks against differences. Those of the gates' workspace are not defined,
 * so the gates are differentiated as parts of cells.
 *
 * Tests: src/autograd/gradients_recurrent.c */
#include "autograd_helpers.h"

TEST_SAMPLED(cells_have_the_derivatives_of_their_parts) {
    tn_tensor *x = grad_input(2, 3), *h = grad_input(2, 2), *c = grad_input(2, 2);
    tn_tensor *w_ih = grad_input(6, 3), *w_hh = grad_input(6, 2), *bias = grad_input(6);
    tn_tensor *wide_ih = grad_input(8, 3), *wide_hh = grad_input(8, 2), *wide = grad_input(8);
    CHECK(x && h && c && w_ih && w_hh && bias && wide_ih && wide_hh && wide);
    const tn_tensor *pair[] = {h, c};
    CHECK_FIRST_GRADIENTS("gru_cell", TN_VALUES(x, h, w_ih, w_hh, bias, bias));
    CHECK_FIRST_GRADIENTS("lstm_cell", TN_VALUES(x, tn_value_tensors(pair, 2), wide_ih, wide_hh, wide, wide));
    CHECK_FIRST_GRADIENTS("rnn_tanh_cell", TN_VALUES(x, h, grad_input(2, 3), grad_input(2, 2)));
}

TEST_SAMPLED(networks_have_the_derivatives_of_their_steps) {
    tn_tensor *x = grad_input(3, 2, 3), *h = grad_input(2, 2, 2), *c = grad_input(2, 2, 2);
    const tn_tensor *params[] = {grad_input(8, 3), grad_input(8, 2), grad_input(8, 3), grad_input(8, 2)}, *pair[] = {h, c};
    CHECK(x && h && c && params[0] && params[1] && params[2] && params[3]);
    CHECK_FIRST_GRADIENTS(
        "lstm.input", TN_VALUES(x, tn_value_tensors(pair, 2), tn_value_tensors(params, 4), false, 1, 0.0, false, true, false));
}
