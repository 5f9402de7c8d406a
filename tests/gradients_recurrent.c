/* gradients_recurrent.c - first and second derivatives of recurrent cells and networks, and of attention, against differences.
 *
 * Tests: src/autograd/gradients_recurrent.c, src/autograd/gradients_again.c */
#include "autograd_helpers.h"

TEST_SAMPLED(cells_have_the_derivatives_of_their_parts) {
    tn_tensor *x = grad_input(2, 3), *h = grad_input(2, 2), *c = grad_input(2, 2);
    tn_tensor *w_ih = grad_input(6, 3), *w_hh = grad_input(6, 2), *bias = grad_input(6);
    tn_tensor *wide_ih = grad_input(8, 3), *wide_hh = grad_input(8, 2), *wide = grad_input(8);
    CHECK(x && h && c && w_ih && w_hh && bias && wide_ih && wide_hh && wide);
    const tn_tensor *pair[] = {h, c};
    CHECK_GRADIENTS("gru_cell", TN_VALUES(x, h, w_ih, w_hh, bias, bias));
    CHECK_GRADIENTS("lstm_cell", TN_VALUES(x, tn_value_tensors(pair, 2), wide_ih, wide_hh, wide, wide));
    CHECK_GRADIENTS("rnn_tanh_cell", TN_VALUES(x, h, grad_input(2, 3), grad_input(2, 2)));
}

TEST_SAMPLED(networks_have_the_derivatives_of_their_steps) {
    tn_tensor *x = grad_input(3, 2, 3), *h = grad_input(2, 2, 2), *c = grad_input(2, 2, 2);
    const tn_tensor *params[] = {grad_input(8, 3), grad_input(8, 2), grad_input(8, 3), grad_input(8, 2)}, *pair[] = {h, c};
    CHECK(x && h && c && params[0] && params[1] && params[2] && params[3]);
    CHECK_GRADIENTS("lstm.input",
                    TN_VALUES(x, tn_value_tensors(pair, 2), tn_value_tensors(params, 4), false, 1, 0.0, false, true, false));
}

TEST_SAMPLED(gates_have_derivatives_through_all_of_their_results) {
    tn_tensor *lstm = grad_input(2, 8), *gru = grad_input(2, 6), *state = grad_input(2, 2);
    CHECK(lstm && gru && state);
    CHECK_GRADIENTS("_thnn_fused_lstm_cell", TN_VALUES(lstm, grad_strided(lstm, 0), state, grad_input(8), grad_input(8)));
    CHECK_GRADIENTS("_thnn_fused_gru_cell", TN_VALUES(gru, grad_strided(gru, 1), state, grad_input(6), grad_input(6)));
}

/* The same weights are dropped each time. */
static tn_list *drop_and_attend(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    (void)ctx;
    tn_generator *generator = tn_generator_new(TN_PHILOX, 11);
    const tn_tensor *mask = count > 3 ? inputs[3] : NULL;
    const tn_tensor *made = generator ? tn_scaled_dot_product_attention(inputs[0], inputs[1], inputs[2], mask, 0.4, !mask,
                                                                        TN_NO_SCALAR, true, generator)
                                      : NULL;
    tn_generator_release(generator);
    return made ? tn_list_new(&made, 1) : NULL;
}

TEST_SAMPLED(attention_with_dropout_has_first_and_second_derivatives) {
    tn_tensor *query = grad_input(2, 2, 3, 2), *key = grad_input(1, 3, 2), *value = grad_input(2, 1, 3, 2),
              *mask = grad_input(3, 3);
    CHECK(query && key && value && mask);
    const tn_tensor *inputs[] = {query, key, value, mask};
    for (int64_t count = 3; count <= 4; count++) {
        CHECK(tn_gradcheck(drop_and_attend, NULL, inputs, count, NULL) == TN_OK);
        CHECK(tn_gradgradcheck(drop_and_attend, NULL, inputs, count, NULL) == TN_OK);
    }
}

TEST_SAMPLED(attention_has_its_derivatives) {
    tn_tensor *query = grad_input(4, 2, 3), *key = grad_input(2, 3, 3), *value = grad_input(2, 3, 2);
    tn_tensor *lines = grad_input(2, 3), *keys = grad_input(3, 3), *values = grad_input(3, 2), *mask = grad_input(1, 3);
    CHECK(query && key && value && lines && keys && values && mask);
    tn_value none = tn_value_none();
    CHECK_GRADIENTS("scaled_dot_product_attention", TN_VALUES(lines, keys, values, mask, 0.0, false));
    CHECK_GRADIENTS("scaled_dot_product_attention", TN_VALUES(lines, keys, values, none, 0.0, true, 0.7));
    CHECK_GRADIENTS("scaled_dot_product_attention", TN_VALUES(query, key, value, none, 0.0, false, none, true));
    tn_tensor *reached = tn_from_text("[[1, 0, 1], [0, 0, 0]]", TN_BOOL);
    CHECK(reached);
    CHECK_GRADIENTS("scaled_dot_product_attention", TN_VALUES(lines, keys, values, reached));
}
