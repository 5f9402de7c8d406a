/* gradients_recurrent.c - derivatives of recurrent cells that are more than an expression. */
#include "autograd/gradient.h"
#include "operator_gradients.h"
#include "operators_recurrent.h"

/* Both sums of the gates have one gradient, and so have both biases. */
tn_list *tni_gradient_lstm_gates(const tn_tensor *grad_hy, const tn_tensor *grad_cy, const tn_tensor *cx, const tn_tensor *cy,
                                 const tn_tensor *workspace) {
    tn_list *made = tn__thnn_fused_lstm_cell_backward_impl(grad_hy, grad_cy, cx, cy, workspace, true);
    if (!made)
        return NULL;
    const tn_tensor *gates = tn_list_at(made, 0), *bias = tn_list_at(made, 2);
    return tn_list_new((const tn_tensor *[]){gates, gates, tn_list_at(made, 1), bias, bias}, 5);
}
