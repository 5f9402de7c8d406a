/* recurrent_gates.c - the gates of LSTM and GRU cells, all at once, and their gradients: _thnn_fused_lstm_cell, _thnn_fused_gru_cell.
 *
 * What the input and the state bring to the gates has been multiplied out; what remains is pointwise, and done row by row, so that a row of
 * gates stays in the cache. The workspace has what gradients need. float16 and bfloat16 are computed in float32 and rounded once.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "kernels_activation.h"
#include "kernels_shared.h"
#include "operators_copy.h"
#include "operators_recurrent.h"
#include "operators_reduce.h"
#include "ops/copy/copy.h"
#include "ops/limits.h"
#include "ops/nn/recurrent.h"
#include "ops/plan.h"

const tni_parameters tni_gates_no_parameters = {0};

bool tni_gates_find(tni_gates_loops *loops, tni_gates_kind kind, bool relu, tn_dtype dtype) {
    int entry = 2 * (int)kind + (dtype == TN_FLOAT64);
    loops->row = tni_kernels()->gates[entry];
    loops->back = tni_kernels()->gates_back[entry];
    loops->sigmoid = tni_loop_of(TNI_KERNEL_sigmoid, dtype);
    loops->activation = loops->sigmoid ? tni_loop_of(relu ? TNI_KERNEL_relu : TNI_KERNEL_tanh, dtype) : NULL;
    return loops->activation != NULL;
}

/* ---- operands: matrices whose rows are contiguous, in the dtype of the computation */

enum { GATES_OPERANDS = 5, GATES_RESULTS = 5 };

typedef struct gates_work {
    tn_dtype dtype;                    /* of the computation                                                   */
    tn_tensor *read[GATES_OPERANDS];   /* retained: the argument, or a copy; NULL: there is none               */
    tn_tensor *written[GATES_RESULTS]; /* retained: the result, or what is converted to it at the end          */
    tn_tensor *const *results;
    int operands, count;
} gates_work;

static tn_dtype gates_compute(tn_dtype dtype) { return dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32; }

static void gates_end(gates_work *work) {
    for (int i = 0; i < work->operands; i++)
        tni_tensor_release(work->read[i]);
    for (int i = 0; i < work->count; i++)
        tni_tensor_release(work->written[i]);
}

static bool gates_begin(gates_work *work, const tn_tensor *const *operands, int operand_count, tn_tensor *const *results,
                        int result_count) {
    work->results = results;
    work->dtype = gates_compute(results[0]->dtype);
    work->operands = work->count = 0;
    bool good = true;
    for (int i = 0; i < operand_count && good; i++) {
        const tn_tensor *given = operands[i];
        bool ready = !given || (given->dtype == work->dtype &&
                                (given->sizes[given->ndim - 1] <= 1 || given->strides[given->ndim - 1] == 1));
        tn_tensor *made =
            !given  ? NULL
            : ready ? tni_tensor_retain(given)
                    : tni_clone_as(given, work->dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, "rows of gates are gone through");
        good = made || !given;
        work->read[work->operands++] = made;
    }
    for (int i = 0; i < result_count && good; i++) {
        tn_tensor *result = results[i];
        tn_tensor *made = result->dtype == work->dtype
                              ? tni_tensor_retain(result)
                              : tni_tensor_new(result->ndim, result->sizes, work->dtype, TN_DEVICE_CPU);
        good = made != NULL;
        work->written[work->count++] = made;
    }
    if (!good)
        gates_end(work);
    return good;
}

/* Converts what was computed in another dtype. */
static tn_error gates_finish(gates_work *work, bool done) {
    tn_error code = done ? TN_OK : tni_failed();
    for (int i = 0; i < work->count && code == TN_OK; i++)
        if (work->written[i] != work->results[i])
            code = tni_copy_into(work->results[i], work->written[i], "gates are computed in float32");
    gates_end(work);
    return code;
}

/* Row `row` of an operand, or of a result. */
static const void *gates_read(const gates_work *work, int i, int64_t row) {
    const tn_tensor *tensor = work->read[i];
    return tensor ? tni_tensor_read(tensor) + (tensor->ndim > 1 ? row * tni_tensor_step(tensor, 0) : 0) : NULL;
}

static void *gates_write(const gates_work *work, int i, int64_t row) {
    tn_tensor *tensor = work->written[i];
    return tni_tensor_write(tensor) + row * tensor->sizes[1] * (int64_t)tni_tensor_item_size(tensor);
}

/* ---- checks */

static bool gates_matrix(const tn_tensor *tensor, const char *name, const tn_tensor *like, const char *like_name, int64_t rows,
                         int64_t columns) {
    if (tensor->dtype != like->dtype) {
        tni_raise(TN_ERROR_DTYPE, "%s %s must have the dtype of %s %s", name, tni_show_tensor(tensor), like_name,
                  tni_show_tensor(like));
        return false;
    }
    if (tensor->ndim == 2 && tensor->sizes[0] == rows && tensor->sizes[1] == columns)
        return true;
    tni_raise(TN_ERROR_SHAPE, "%s %s must have sizes [%" PRId64 ", %" PRId64 "], as %s is %s", name, tni_show_tensor(tensor),
              rows, columns, like_name, tni_show_tensor(like));
    return false;
}

static bool gates_bias(const tn_tensor *bias, const char *name, const tn_tensor *like, int64_t columns) {
    if (bias->dtype == like->dtype && bias->ndim == 1 && bias->sizes[0] == columns)
        return true;
    tni_raise(bias->dtype == like->dtype ? TN_ERROR_SHAPE : TN_ERROR_DTYPE,
              "%s %s must have %" PRId64 " numbers of the dtype of input_gates %s", name, tni_show_tensor(bias), columns,
              tni_show_tensor(like));
    return false;
}

static bool gates_state(const tn_tensor *state, const char *name) {
    if (state->ndim != 2) {
        tni_raise(TN_ERROR_SHAPE, "%s %s must have 2 dimensions, (batch, features)", name, tni_show_tensor(state));
        return false;
    }
    return tni_recurrent_takes_dtype(state, name);
}

static bool gates_plan(tni_plan *plan, tni_gates_kind kind, const tn_tensor *input_gates, const tn_tensor *hidden_gates,
                       const tn_tensor *state, const char *name, const tn_tensor *input_bias, const tn_tensor *hidden_bias) {
    if (!gates_state(state, name))
        return false;
    int64_t rows = state->sizes[0], width = state->sizes[1], gates = tni_gates_of(kind) * width;
    if (!gates_matrix(input_gates, "input_gates", state, name, rows, gates) ||
        !gates_matrix(hidden_gates, "hidden_gates", state, name, rows, gates))
        return false;
    if (!input_bias != !hidden_bias) {
        tni_raise(TN_ERROR_ARGUMENT, "%s is missing: there are two biases or none", input_bias ? "hidden_bias" : "input_bias");
        return false;
    }
    if (input_bias && (!gates_bias(input_bias, "input_bias", input_gates, gates) ||
                       !gates_bias(hidden_bias, "hidden_bias", input_gates, gates)))
        return false;
    tni_plan_begin(plan, state);
    for (int i = 0; i < (kind == TNI_GATES_LSTM ? 2 : 1); i++)
        tni_plan_add(plan, 2, state->sizes, state->dtype);
    tni_plan_add(plan, 2, (int64_t[]){rows, (kind == TNI_GATES_LSTM ? 4 : 5) * width}, state->dtype);
    return true;
}

/* ---- forward */

enum { GATES_INPUT = 0, GATES_HIDDEN, GATES_STATE, GATES_INPUT_BIAS, GATES_HIDDEN_BIAS };

typedef struct gates_call {
    gates_work work;
    tni_gates_loops loops;
    tni_gates_kind kind;
    int64_t width;
} gates_call;

static void gates_rows(void *argument, int64_t begin, int64_t end) {
    const gates_call *call = argument;
    bool lstm = call->kind == TNI_GATES_LSTM;
    for (int64_t row = begin; row < end; row++) {
        tni_gates one = {.width = call->width,
                         .input = gates_read(&call->work, GATES_INPUT, row),
                         .hidden = gates_read(&call->work, GATES_HIDDEN, row),
                         .input_bias = gates_read(&call->work, GATES_INPUT_BIAS, row),
                         .hidden_bias = gates_read(&call->work, GATES_HIDDEN_BIAS, row),
                         .state = gates_read(&call->work, GATES_STATE, row),
                         .out = gates_write(&call->work, 0, row),
                         .cell = lstm ? gates_write(&call->work, 1, row) : NULL,
                         .gates = gates_write(&call->work, lstm ? 2 : 1, row),
                         .sigmoid = call->loops.sigmoid,
                         .activation = call->loops.activation,
                         .parameters = &tni_gates_no_parameters};
        call->loops.row(&one);
    }
}

static int64_t gates_grain(int64_t width) { return tni_max_i64(1, GATES_PIECE / tni_max_i64(1, 4 * width)); }

static tn_error gates_run(tni_gates_kind kind, tn_tensor *const *results, const tn_tensor *input_gates,
                          const tn_tensor *hidden_gates, const tn_tensor *state, const tn_tensor *input_bias,
                          const tn_tensor *hidden_bias) {
    gates_call call = {.kind = kind, .width = state->sizes[1]};
    const tn_tensor *operands[GATES_OPERANDS] = {input_gates, hidden_gates, state, input_bias, hidden_bias};
    if (state->numel == 0)
        return TN_OK;
    if (!tni_gates_find(&call.loops, kind, false, gates_compute(state->dtype)) ||
        !gates_begin(&call.work, operands, GATES_OPERANDS, results, kind == TNI_GATES_LSTM ? 3 : 2))
        return tni_failed();
    return gates_finish(&call.work, tni_parallel_for(state->sizes[0], gates_grain(call.width), gates_rows, &call));
}

bool tni_plan__thnn_fused_lstm_cell(tni_plan *plan, const tn_tensor *input_gates, const tn_tensor *hidden_gates,
                                    const tn_tensor *cx, const tn_tensor *input_bias, const tn_tensor *hidden_bias) {
    return gates_plan(plan, TNI_GATES_LSTM, input_gates, hidden_gates, cx, "cx", input_bias, hidden_bias);
}

tn_error tni_run__thnn_fused_lstm_cell(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input_gates,
                                       const tn_tensor *hidden_gates, const tn_tensor *cx, const tn_tensor *input_bias,
                                       const tn_tensor *hidden_bias) {
    (void)plan;
    return gates_run(TNI_GATES_LSTM, results, input_gates, hidden_gates, cx, input_bias, hidden_bias);
}

bool tni_plan__thnn_fused_gru_cell(tni_plan *plan, const tn_tensor *input_gates, const tn_tensor *hidden_gates,
                                   const tn_tensor *hx, const tn_tensor *input_bias, const tn_tensor *hidden_bias) {
    return gates_plan(plan, TNI_GATES_GRU, input_gates, hidden_gates, hx, "hx", input_bias, hidden_bias);
}

tn_error tni_run__thnn_fused_gru_cell(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input_gates,
                                      const tn_tensor *hidden_gates, const tn_tensor *hx, const tn_tensor *input_bias,
                                      const tn_tensor *hidden_bias) {
    (void)plan;
    return gates_run(TNI_GATES_GRU, results, input_gates, hidden_gates, hx, input_bias, hidden_bias);
}

/* ---- gradients. The last results, of biases, are sums over the rows, or empty */

static tn_error gates_bias_gradient(tn_tensor *result, const tn_tensor *gates, bool has_bias) {
    return has_bias ? tni_op_sum_dim_out(result, gates, TN_DIMS(0), false, TN_DTYPE_DEFAULT) : TN_OK;
}

static void gates_plan_bias(tni_plan *plan, const tn_tensor *like, int64_t gates, bool has_bias) {
    tni_plan_add(plan, 1, &(int64_t){has_bias ? gates : 0}, like->dtype);
}

enum { BACK_OUT = 0, BACK_CELL_GRADIENT, BACK_STATE, BACK_CELL, BACK_GATES };

static void gates_rows_back(void *argument, int64_t begin, int64_t end) {
    const gates_call *call = argument;
    bool lstm = call->kind == TNI_GATES_LSTM;
    for (int64_t row = begin; row < end; row++) {
        tni_gates_back one = {.width = call->width,
                              .grad_out = gates_read(&call->work, BACK_OUT, row),
                              .grad_cell = gates_read(&call->work, BACK_CELL_GRADIENT, row),
                              .state = gates_read(&call->work, BACK_STATE, row),
                              .cell = gates_read(&call->work, BACK_CELL, row),
                              .gates = gates_read(&call->work, BACK_GATES, row),
                              .grad_gates = gates_write(&call->work, 0, row),
                              .grad_hidden = lstm ? NULL : gates_write(&call->work, 1, row),
                              .grad_state = gates_write(&call->work, lstm ? 1 : 2, row),
                              .activation = call->loops.activation,
                              .parameters = &tni_gates_no_parameters};
        call->loops.back(&one);
    }
}

static tn_error gates_run_back(tni_gates_kind kind, tn_tensor *const *results, const tn_tensor *const *operands,
                               int64_t width) {
    gates_call call = {.kind = kind, .width = width};
    if (results[0]->numel == 0)
        return TN_OK;
    if (!tni_gates_find(&call.loops, kind, false, gates_compute(results[0]->dtype)) ||
        !gates_begin(&call.work, operands, GATES_OPERANDS, results, kind == TNI_GATES_LSTM ? 2 : 3))
        return tni_failed();
    return gates_finish(&call.work, tni_parallel_for(results[0]->sizes[0], gates_grain(width), gates_rows_back, &call));
}

bool tni_plan__thnn_fused_lstm_cell_backward_impl(tni_plan *plan, const tn_tensor *grad_hy, const tn_tensor *grad_cy,
                                                  const tn_tensor *cx, const tn_tensor *cy, const tn_tensor *workspace,
                                                  bool has_bias) {
    if (!gates_state(cx, "cx"))
        return false;
    int64_t rows = cx->sizes[0], width = cx->sizes[1];
    if (!gates_matrix(cy, "cy", cx, "cx", rows, width) || !gates_matrix(workspace, "workspace", cx, "cx", rows, 4 * width) ||
        (grad_hy && !gates_matrix(grad_hy, "grad_hy", cx, "cx", rows, width)) ||
        (grad_cy && !gates_matrix(grad_cy, "grad_cy", cx, "cx", rows, width)))
        return false;
    tni_plan_begin(plan, cx);
    tni_plan_add(plan, 2, workspace->sizes, cx->dtype);
    tni_plan_add(plan, 2, cx->sizes, cx->dtype);
    gates_plan_bias(plan, cx, 4 * width, has_bias);
    return true;
}

tn_error tni_run__thnn_fused_lstm_cell_backward_impl(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_hy,
                                                     const tn_tensor *grad_cy, const tn_tensor *cx, const tn_tensor *cy,
                                                     const tn_tensor *workspace, bool has_bias) {
    const tn_tensor *operands[GATES_OPERANDS] = {grad_hy, grad_cy, cx, cy, workspace};
    (void)plan;
    tn_error code = gates_run_back(TNI_GATES_LSTM, results, operands, cx->sizes[1]);
    return code == TN_OK ? gates_bias_gradient(results[2], results[0], has_bias) : code;
}

bool tni_plan__thnn_fused_gru_cell_backward(tni_plan *plan, const tn_tensor *grad_hy, const tn_tensor *workspace,
                                            bool has_bias) {
    if (!gates_state(grad_hy, "grad_hy"))
        return false;
    int64_t rows = grad_hy->sizes[0], width = grad_hy->sizes[1];
    if (!gates_matrix(workspace, "workspace", grad_hy, "grad_hy", rows, 5 * width))
        return false;
    tni_plan_begin(plan, grad_hy);
    tni_plan_add(plan, 2, (int64_t[]){rows, 3 * width}, grad_hy->dtype);
    tni_plan_add(plan, 2, (int64_t[]){rows, 3 * width}, grad_hy->dtype);
    tni_plan_add(plan, 2, grad_hy->sizes, grad_hy->dtype);
    gates_plan_bias(plan, grad_hy, 3 * width, has_bias);
    gates_plan_bias(plan, grad_hy, 3 * width, has_bias);
    return true;
}

tn_error tni_run__thnn_fused_gru_cell_backward(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_hy,
                                               const tn_tensor *workspace, bool has_bias) {
    const tn_tensor *operands[GATES_OPERANDS] = {grad_hy, NULL, NULL, NULL, workspace};
    (void)plan;
    tn_error code = gates_run_back(TNI_GATES_GRU, results, operands, grad_hy->sizes[1]);
    for (int i = 0; i < 2 && code == TN_OK; i++)
        code = gates_bias_gradient(results[3 + i], results[i], has_bias);
    return code;
}
