/* gradients_recurrent.c - derivatives of recurrent cells that are more than an expression.
 *
 * The workspace, the gates after their sigmoid or tanh, is a result: second derivatives go through it to the sums of the gates.
 */
#include "autograd/gradient.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_join.h"
#include "operators_math.h"
#include "operators_recurrent.h"
#include "operators_reduce.h"
#include "operators_view.h"

static tn_tensor *gates_part(const tn_tensor *x, int64_t width, int64_t number) {
    return tn_narrow(x, 1, number * width, width);
}

/* grad times the derivative of a sigmoid, or of tanh, by its value. */
static tn_tensor *gates_through(const tn_tensor *grad, const tn_tensor *y, bool tanh) {
    tn_tensor *slope = tn_rsub_scalar(tanh ? tn_square(y) : y, tn_scalar_int(1), tn_scalar_int(1));
    return tn_mul(grad, tanh ? slope : tn_mul(y, slope));
}

static tn_tensor *gates_join(const tn_tensor *const *parts, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (!parts[i])
            return NULL;
    return tn_cat(parts, count, 1);
}

/* Both sums of the gates have one gradient, and so have both biases. */
tn_list *tni_gradient_lstm_gates(const tn_tensor *grad_hy, const tn_tensor *grad_cy, const tn_tensor *grad_workspace,
                                 const tn_tensor *cx, const tn_tensor *cy, const tn_tensor *workspace) {
    tn_list *made = tn__thnn_fused_lstm_cell_backward_impl(grad_hy, grad_cy, cx, cy, workspace, true);
    if (!made)
        return NULL;
    const tn_tensor *gates = tn_list_at(made, 0), *bias = tn_list_at(made, 2);
    if (grad_workspace) {
        const tn_tensor *parts[4];
        int64_t width = cx->sizes[1];
        for (int64_t i = 0; i < 4; i++)
            parts[i] = gates_through(gates_part(grad_workspace, width, i), gates_part(workspace, width, i), i == 2);
        gates = tn_add(gates, gates_join(parts, 4));
        bias = gates ? tn_sum_dim(gates, TN_DIMS(0), false, TN_DTYPE_DEFAULT) : NULL;
        if (!bias)
            return NULL;
    }
    return tn_list_new((const tn_tensor *[]){gates, gates, tn_list_at(made, 1), bias, bias}, 5);
}

/* The workspace is r, z, n, h, and what the state brings to n. */
tn_list *tni_gradient_gru_gates(const tn_tensor *grad_hy, const tn_tensor *grad_workspace, const tn_tensor *workspace) {
    tn_list *made = tn__thnn_fused_gru_cell_backward(grad_hy, workspace, true);
    if (!made || !grad_workspace)
        return made;
    int64_t width = grad_hy->sizes[1];
    const tn_tensor *of[5], *at[5];
    for (int64_t i = 0; i < 5; i++) {
        of[i] = gates_part(grad_workspace, width, i);
        at[i] = gates_part(workspace, width, i);
    }
    tn_tensor *fresh = gates_through(of[2], at[2], true), *update = gates_through(of[1], at[1], false);
    tn_tensor *reset = gates_through(tn_add(of[0], tn_mul(fresh, at[4])), at[0], false);
    tn_tensor *more[2] = {gates_join((const tn_tensor *[]){reset, update, fresh}, 3),
                          gates_join((const tn_tensor *[]){reset, update, tn_add(of[4], tn_mul(fresh, at[0]))}, 3)};
    const tn_tensor *results[5] = {NULL, NULL, tn_add(tn_list_at(made, 2), of[3])};
    for (int i = 0; i < 2; i++) {
        results[i] = tn_add(tn_list_at(made, i), more[i]);
        results[3 + i] = results[i] ? tn_sum_dim(results[i], TN_DIMS(0), false, TN_DTYPE_DEFAULT) : NULL;
    }
    return results[2] && results[3] && results[4] ? tn_list_new(results, 5) : NULL;
}
