/* recurrent_cell.c - one step of a recurrent network: lstm_cell, gru_cell, rnn_tanh_cell, rnn_relu_cell. See recurrent.h.
 *
 * Two products, one with the input and one with the state, and the gates (recurrent_gates.c). Cells are called for small sizes, often, so
 * each has a shortcut.
 */
#include "base/error.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_math.h"
#include "operators_product.h"
#include "operators_recurrent.h"
#include "ops/nn/recurrent.h"

typedef struct cell_call {
    const tn_tensor *input, *h, *c, *w_ih, *w_hh, *b_ih, *b_hh;
    int64_t gates;
} cell_call;

static bool cell_shape(const cell_call *call, const tn_tensor *tensor, const char *name, int64_t rows, int64_t columns) {
    bool matrix = columns >= 0;
    if (tensor->dtype != call->input->dtype) {
        tni_raise(TN_ERROR_DTYPE, "%s %s must have the dtype of input %s", name, tni_show_tensor(tensor),
                  tni_show_tensor(call->input));
        return false;
    }
    if (tensor->ndim == (matrix ? 2 : 1) && tensor->sizes[0] == rows && (!matrix || tensor->sizes[1] == columns))
        return true;
    if (matrix)
        tni_raise(TN_ERROR_SHAPE, "%s %s must have sizes [%" PRId64 ", %" PRId64 "], for input %s and hx %s", name,
                  tni_show_tensor(tensor), rows, columns, tni_show_tensor(call->input), tni_show_tensor(call->h));
    else
        tni_raise(TN_ERROR_SHAPE, "%s %s must have sizes [%" PRId64 "], for hx %s", name, tni_show_tensor(tensor), rows,
                  tni_show_tensor(call->h));
    return false;
}

static bool cell_check(const cell_call *call) {
    const tn_tensor *input = call->input, *h = call->h;
    if (input->ndim != 2 || h->ndim != 2) {
        tni_raise(TN_ERROR_SHAPE, "%s %s must have 2 dimensions, (batch, features)", input->ndim != 2 ? "input" : "hx",
                  tni_show_tensor(input->ndim != 2 ? input : h));
        return false;
    }
    int64_t batch = input->sizes[0], width = h->sizes[1], gates = call->gates * width;
    return tni_recurrent_takes_dtype(input, "input") && cell_shape(call, h, "hx", batch, width) &&
           (!call->c || cell_shape(call, call->c, "the second of hx", batch, width)) &&
           cell_shape(call, call->w_ih, "w_ih", gates, input->sizes[1]) && cell_shape(call, call->w_hh, "w_hh", gates, width) &&
           (!call->b_ih || cell_shape(call, call->b_ih, "b_ih", gates, -1)) &&
           (!call->b_hh || cell_shape(call, call->b_hh, "b_hh", gates, -1));
}

/* ---- lstm_cell */

static bool cell_has_pair(int64_t count) {
    if (count == 2)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "hx has %" PRId64 " tensors: the state of an LSTM is two, h and c", count);
    return false;
}

tn_list *tni_composite_lstm_cell(const tn_tensor *input, const tn_tensor *const *hx, int64_t hx_count, const tn_tensor *w_ih,
                                 const tn_tensor *w_hh, const tn_tensor *b_ih, const tn_tensor *b_hh) {
    if (!cell_has_pair(hx_count) || !cell_check(&(cell_call){input, hx[0], hx[1], w_ih, w_hh, b_ih, b_hh, 4}))
        return NULL;
    tn_list *made = tn__thnn_fused_lstm_cell(tn_linear(input, w_ih, b_ih), tn_linear(hx[0], w_hh, b_hh), hx[1], NULL, NULL);
    return made ? tn_list_new((const tn_tensor *[]){tn_list_at(made, 0), tn_list_at(made, 1)}, 2) : NULL;
}

tn_list *tni_shortcut_lstm_cell(const tn_tensor *input, const tn_tensor *const *hx, int64_t hx_count, const tn_tensor *w_ih,
                                const tn_tensor *w_hh, const tn_tensor *b_ih, const tn_tensor *b_hh) {
    if (!cell_has_pair(hx_count) || !cell_check(&(cell_call){input, hx[0], hx[1], w_ih, w_hh, b_ih, b_hh, 4}))
        return NULL;
    tn_tensor *brought = tni_op_linear(input, w_ih, b_ih), *hidden = brought ? tni_op_linear(hx[0], w_hh, b_hh) : NULL;
    tn_list *made = hidden ? tni_op__thnn_fused_lstm_cell(brought, hidden, hx[1], NULL, NULL) : NULL;
    tn_tensor *results[2] = {NULL};
    if (made)
        for (int i = 0; i < 2; i++)
            results[i] = tni_tensor_retain(made->items[i]);
    if (made)
        tni_object_release(&made->object);
    tni_tensor_release(brought);
    tni_tensor_release(hidden);
    return made ? tni_list_make(results, 2) : NULL;
}

/* ---- gru_cell */

tn_tensor *tni_composite_gru_cell(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *w_ih, const tn_tensor *w_hh,
                                  const tn_tensor *b_ih, const tn_tensor *b_hh) {
    if (!cell_check(&(cell_call){input, hx, NULL, w_ih, w_hh, b_ih, b_hh, 3}))
        return NULL;
    tn_list *made = tn__thnn_fused_gru_cell(tn_linear(input, w_ih, b_ih), tn_linear(hx, w_hh, b_hh), hx, NULL, NULL);
    return made ? tn_give(tn_retain(tn_list_at(made, 0))) : NULL;
}

tn_tensor *tni_shortcut_gru_cell(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *w_ih, const tn_tensor *w_hh,
                                 const tn_tensor *b_ih, const tn_tensor *b_hh) {
    if (!cell_check(&(cell_call){input, hx, NULL, w_ih, w_hh, b_ih, b_hh, 3}))
        return NULL;
    tn_tensor *brought = tni_op_linear(input, w_ih, b_ih), *hidden = brought ? tni_op_linear(hx, w_hh, b_hh) : NULL;
    tn_list *made = hidden ? tni_op__thnn_fused_gru_cell(brought, hidden, hx, NULL, NULL) : NULL;
    tn_tensor *result = made ? tni_tensor_retain(made->items[0]) : NULL;
    if (made)
        tni_object_release(&made->object);
    tni_tensor_release(brought);
    tni_tensor_release(hidden);
    return result;
}

/* ---- rnn_tanh_cell, rnn_relu_cell */

/* The sum that is bent. */
static tn_tensor *cell_sum(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *w_ih, const tn_tensor *w_hh,
                           const tn_tensor *b_ih, const tn_tensor *b_hh) {
    tn_tensor *brought = tni_op_linear(input, w_ih, b_ih), *hidden = brought ? tni_op_linear(hx, w_hh, b_hh) : NULL;
    bool done = hidden && tni_op_add_(brought, hidden) == TN_OK;
    tni_tensor_release(hidden);
    if (done)
        return brought;
    tni_tensor_release(brought);
    return NULL;
}

static tn_tensor *cell_bent(tn_tensor *sum, bool relu) {
    if (sum && (relu ? tni_op_relu_(sum) : tni_op_tanh_(sum)) == TN_OK)
        return sum;
    tni_tensor_release(sum);
    return NULL;
}

tn_tensor *tni_composite_rnn_tanh_cell(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *w_ih,
                                       const tn_tensor *w_hh, const tn_tensor *b_ih, const tn_tensor *b_hh) {
    if (!cell_check(&(cell_call){input, hx, NULL, w_ih, w_hh, b_ih, b_hh, 1}))
        return NULL;
    return tn_tanh(tn_add(tn_linear(input, w_ih, b_ih), tn_linear(hx, w_hh, b_hh)));
}

tn_tensor *tni_shortcut_rnn_tanh_cell(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *w_ih, const tn_tensor *w_hh,
                                      const tn_tensor *b_ih, const tn_tensor *b_hh) {
    if (!cell_check(&(cell_call){input, hx, NULL, w_ih, w_hh, b_ih, b_hh, 1}))
        return NULL;
    return cell_bent(cell_sum(input, hx, w_ih, w_hh, b_ih, b_hh), false);
}

tn_tensor *tni_composite_rnn_relu_cell(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *w_ih,
                                       const tn_tensor *w_hh, const tn_tensor *b_ih, const tn_tensor *b_hh) {
    if (!cell_check(&(cell_call){input, hx, NULL, w_ih, w_hh, b_ih, b_hh, 1}))
        return NULL;
    return tn_relu(tn_add(tn_linear(input, w_ih, b_ih), tn_linear(hx, w_hh, b_hh)));
}

tn_tensor *tni_shortcut_rnn_relu_cell(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *w_ih, const tn_tensor *w_hh,
                                      const tn_tensor *b_ih, const tn_tensor *b_hh) {
    if (!cell_check(&(cell_call){input, hx, NULL, w_ih, w_hh, b_ih, b_hh, 1}))
        return NULL;
    return cell_bent(cell_sum(input, hx, w_ih, w_hh, b_ih, b_hh), true);
}
