/* gradients_line.c - tests of derivatives, by differences: norms of layers, softmax, running sums, products and moves beyond the first. */
#include "autograd_helpers.h"

TEST_SAMPLED(softmax_and_norms_of_layers_have_their_derivatives) {
    tn_tensor *x = grad_input(2, 3), *w = grad_input(3), *b = grad_input(3);
    CHECK(x && w && b);
    CHECK_GRADIENTS("softmax", TN_VALUES(x, 1));
    CHECK_GRADIENTS("softmax", TN_VALUES(x, 0));
    CHECK_GRADIENTS("log_softmax", TN_VALUES(x, -1));
    CHECK_GRADIENTS("layer_norm", TN_VALUES(x, TN_DIMS(3), w, b));
    CHECK_GRADIENTS("layer_norm", TN_VALUES(x, TN_DIMS(2, 3)));
    CHECK_GRADIENTS("rms_norm", TN_VALUES(x, TN_DIMS(3), w));
    CHECK_GRADIENTS("rms_norm", TN_VALUES(x, TN_DIMS(3), tn_value_none(), 0.5));
}

TEST_SAMPLED(running_sums_and_extremes_have_their_derivatives) {
    tn_tensor *x = grad_input(2, 4);
    CHECK(x);
    CHECK_GRADIENTS("cumsum", TN_VALUES(x, 1));
    CHECK_GRADIENTS("cumsum", TN_VALUES(grad_complex(3), -1));
    CHECK_GRADIENTS("cumsum", TN_VALUES(grad_scalar(), 0));
    CHECK_GRADIENTS("cummax", TN_VALUES(x, 1));
    CHECK_GRADIENTS("cummin", TN_VALUES(x, 0));
}

TEST_SAMPLED(other_products_have_their_derivatives) {
    tn_tensor *a = grad_input(2, 3), *b = grad_input(4, 3), *v = grad_input(3), *z = grad_complex(2, 2);
    CHECK(a && b && v && z);
    CHECK_GRADIENTS("inner", TN_VALUES(a, b));
    CHECK_GRADIENTS("inner", TN_VALUES(v, b));
    CHECK_GRADIENTS("inner", TN_VALUES(a, grad_scalar()));
    CHECK_GRADIENTS("inner", TN_VALUES(z, grad_complex(3, 2)));
    CHECK_GRADIENTS("linalg_vecdot", TN_VALUES(a, v));
    CHECK_GRADIENTS("linalg_vecdot", TN_VALUES(z, grad_complex(2, 2), 0));
    CHECK_GRADIENTS("addbmm", TN_VALUES(grad_input(2, 2), grad_input(3, 2, 2), grad_input(3, 2, 2), 0.5, 2));
    CHECK_GRADIENTS("sumproduct", TN_VALUES(a, grad_input(2, 3), TN_DIMS(1)));
    CHECK_GRADIENTS("sumproduct", TN_VALUES(a, v, TN_DIMS(0), true));
}

TEST_SAMPLED(moves_have_their_derivatives) {
    tn_tensor *m = grad_input(2, 3);
    CHECK(m);
    CHECK_GRADIENTS("repeat", TN_VALUES(m, TN_DIMS(2, 1, 3)));
    CHECK_GRADIENTS("roll", TN_VALUES(m, TN_DIMS(1, 2), TN_DIMS(0, 1)));
    CHECK_GRADIENTS("roll", TN_VALUES(m, TN_DIMS(2)));
    CHECK_GRADIENTS("tril", TN_VALUES(m, 1));
    CHECK_GRADIENTS("triu", TN_VALUES(m, -1));
    CHECK_GRADIENTS("diag_embed", TN_VALUES(m, 1));
    CHECK_GRADIENTS("linalg_cross", TN_VALUES(m, grad_input(1, 3)));
    CHECK_GRADIENTS("linalg_cross", TN_VALUES(grad_complex(2, 3), grad_complex(2, 3)));
    CHECK_GRADIENTS("fill_diagonal_", TN_VALUES(m, 3));
    CHECK_GRADIENTS("constant_pad_nd", TN_VALUES(m, TN_DIMS(1, 2, -1, 1), 3));
}
