/* recurrent.c - recurrent networks: lstm, gru, rnn_tanh and rnn_relu, over sequences of one length or packed ones.
 *
 * The bodies are made of public operators: a product for all inputs, and for each step a product and a fused cell, so that gradients and
 * devices need nothing of their own. Plain calls go to recurrent_run.c, which computes the same without a tensor for each step.
 * See recurrent.h for the formulas.
 */
#include "base/error.h"
#include "base/heap.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_join.h"
#include "operators_math.h"
#include "operators_product.h"
#include "operators_random.h"
#include "operators_recurrent.h"
#include "operators_view.h"
#include "ops/nn/recurrent.h"

/* ---- one direction */

/* A direction as it goes through its steps. Tensors are owned by the scope of the call. */
typedef struct recurrent_walk {
    const tni_recurrent *call;
    tni_recurrent_weights weights;
    tn_list *brought;               /* what inputs bring to the gates, of each step: one call, so its gradient is one too */
    const tn_tensor *h0, *c0;       /* (batch, features)                                                           */
    tn_tensor *h, *c;               /* of the sequences that a step has: (rows, features)                          */
    tn_tensor **made;               /* h of each step                                                              */
    tn_tensor **ended_h, **ended_c; /* of sequences that have ended, of each step after which some have           */
    int64_t rows;                   /* of h                                                                        */
} recurrent_walk;

/* The new state; c is left in *c, as an object of its own. */
static tn_tensor *recurrent_cell(const recurrent_walk *walk, const tn_tensor *brought, tn_tensor **c) {
    const tni_recurrent *call = walk->call;
    tn_tensor *hidden = tn_linear(walk->h, walk->weights.w_hh, walk->weights.b_hh);
    if (call->kind == TNI_GATES_PLAIN)
        return call->relu ? tn_relu(tn_add(brought, hidden)) : tn_tanh(tn_add(brought, hidden));
    tn_list *made = call->kind == TNI_GATES_GRU ? tn__thnn_fused_gru_cell(brought, hidden, walk->h, NULL, NULL)
                                                : tn__thnn_fused_lstm_cell(brought, hidden, walk->c, NULL, NULL);
    tn_tensor *h = made ? tn_list_at(made, 0) : NULL;
    if (h && call->kind == TNI_GATES_LSTM)
        *c = tn_list_at(made, 1);
    return h && walk->weights.w_hr ? tn_linear(h, walk->weights.w_hr, NULL) : h;
}

/* Sequences that have no more steps leave the state, forwards; those that have their last one join it, backwards. */
static bool recurrent_fit(tn_tensor **state, const tn_tensor *first, tn_tensor **ended, int64_t had, int64_t rows) {
    if (rows < had) {
        *ended = tn_narrow(*state, 0, rows, had - rows);
        *state = tn_narrow(*state, 0, 0, rows);
        return *ended && *state;
    }
    if (rows > had) {
        const tn_tensor *both[2] = {*state, tn_narrow(first, 0, had, rows - had)};
        *state = both[1] ? tn_cat(both, 2, 0) : NULL;
    }
    return *state != NULL;
}

static bool recurrent_fit_rows(recurrent_walk *walk, int64_t step, int64_t rows) {
    int64_t had = walk->rows;
    walk->rows = rows;
    return recurrent_fit(&walk->h, walk->h0, &walk->ended_h[step ? step - 1 : 0], had, rows) &&
           (!walk->c || recurrent_fit(&walk->c, walk->c0, &walk->ended_c[step ? step - 1 : 0], had, rows));
}

static bool recurrent_step(recurrent_walk *walk, int64_t step) {
    const tni_recurrent *call = walk->call;
    if (call->sizes && !recurrent_fit_rows(walk, step, call->sizes[step]))
        return false;
    tn_scope round = tn_scope_open();
    tn_tensor *c = NULL, *h = recurrent_cell(walk, tn_list_at(walk->brought, step), &c), *old = walk->c;
    walk->c = tn_keep(c);
    walk->h = tn_keep(h);
    bool closed = tn_scope_close(round) == TN_OK;
    walk->c = tn_give(walk->c);
    walk->h = walk->made[step] = tn_give(walk->h);
    if (old && old != walk->c0)
        tn_release(old);
    return closed && walk->h && (walk->c || !walk->c0);
}

/* The state after the last step of each sequence: those that ended last come first. */
static tn_tensor *recurrent_final(const recurrent_walk *walk, tn_tensor *last, tn_tensor *const *ended) {
    const tni_recurrent *call = walk->call;
    if (!call->sizes || !ended)
        return last;
    const tn_tensor **parts = tni_heap_alloc((size_t)(call->steps + 1) * sizeof(tn_tensor *));
    if (!parts)
        return NULL;
    int64_t count = 0;
    parts[count++] = last;
    for (int64_t step = call->steps - 1; step >= 0; step--)
        if (ended[step])
            parts[count++] = ended[step];
    tn_tensor *made = count > 1 ? tn_cat(parts, count, 0) : last;
    tni_heap_free(parts, (size_t)(call->steps + 1) * sizeof(tn_tensor *));
    return made;
}

static tn_tensor *recurrent_walk_steps(recurrent_walk *walk, bool reverse, tn_tensor **h, tn_tensor **c) {
    const tni_recurrent *call = walk->call;
    int64_t first = reverse ? call->steps - 1 : 0;
    walk->rows = call->sizes ? call->sizes[first] : call->batch;
    walk->h = walk->rows == call->batch ? (tn_tensor *)(uintptr_t)walk->h0 : tn_narrow(walk->h0, 0, 0, walk->rows);
    if (walk->c0)
        walk->c = walk->rows == call->batch ? (tn_tensor *)(uintptr_t)walk->c0 : tn_narrow(walk->c0, 0, 0, walk->rows);
    bool good = walk->h && (walk->c || !walk->c0);
    for (int64_t i = 0; i < call->steps && good; i++)
        good = recurrent_step(walk, reverse ? call->steps - 1 - i : i);
    if (!good)
        return NULL;
    *h = recurrent_final(walk, walk->h, reverse ? NULL : walk->ended_h);
    *c = walk->c ? recurrent_final(walk, walk->c, reverse ? NULL : walk->ended_c) : NULL;
    const tn_tensor *const *made = (const tn_tensor *const *)walk->made;
    return call->sizes ? tn_cat(made, call->steps, 0) : tn_stack(made, call->steps, 0);
}

/* One direction of a layer: its output, and its final state in *h and *c. */
static tn_tensor *recurrent_direction(const tni_recurrent *call, int64_t layer, int64_t direction, const tn_tensor *input,
                                      tn_tensor **h, tn_tensor **c) {
    recurrent_walk walk = {.call = call, .weights = tni_recurrent_weights_of(call, layer, direction)};
    int64_t state = layer * call->directions + direction;
    size_t bytes = (size_t)call->steps * 3 * sizeof(tn_tensor *);
    walk.h0 = tn_select(call->h, 0, state);
    walk.c0 = call->c ? tn_select(call->c, 0, state) : NULL;
    tn_tensor *brought = tn_linear(input, walk.weights.w_ih, walk.weights.b_ih);
    walk.brought = !brought      ? NULL
                   : call->sizes ? tn_split_with_sizes(brought, (tn_dims){call->sizes, call->steps}, 0)
                                 : tn_unbind(brought, 0);
    if (!walk.brought || !walk.h0 || (call->c && !walk.c0) || !(walk.made = tni_heap_calloc(bytes)))
        return NULL;
    walk.ended_h = walk.made + call->steps;
    walk.ended_c = walk.ended_h + call->steps;
    tn_tensor *output = recurrent_walk_steps(&walk, direction == 1, h, c);
    tni_heap_free(walk.made, bytes);
    return output;
}

/* ---- all layers */

static tn_list *recurrent_layers(const tni_recurrent *call, tn_tensor **h, tn_tensor **c) {
    const tn_tensor *input = call->batch_first ? tn_transpose(call->input, 0, 1) : call->input;
    int64_t states = call->layers * call->directions;
    for (int64_t layer = 0; layer < call->layers && input; layer++) {
        tn_tensor *outputs[2] = {NULL};
        for (int64_t direction = 0; direction < call->directions; direction++) {
            int64_t state = layer * call->directions + direction;
            outputs[direction] = recurrent_direction(call, layer, direction, input, &h[state], &c[state]);
            if (!outputs[direction])
                return NULL;
        }
        input = call->both ? tn_cat((const tn_tensor *const *)outputs, 2, -1) : outputs[0];
        if (layer + 1 < call->layers && call->dropout != 0 && call->train)
            input = tn_dropout(input, call->dropout, true, NULL);
    }
    if (input && call->batch_first)
        input = tn_transpose(input, 0, 1);
    tn_tensor *last_h = tn_stack((const tn_tensor *const *)h, states, 0);
    tn_tensor *last_c = call->c ? tn_stack((const tn_tensor *const *)c, states, 0) : NULL;
    const tn_tensor *results[3] = {input, last_h, last_c};
    return input && last_h && (last_c || !call->c) ? tn_list_new(results, call->c ? 3 : 2) : NULL;
}

static tn_list *recurrent_body_of(tni_recurrent *call, const tn_tensor *sizes) {
    call->sizes = sizes ? tni_recurrent_numbers(sizes) : NULL;
    if (!tni_recurrent_check(call, sizes))
        return NULL;
    size_t bytes = (size_t)(2 * call->layers * call->directions) * sizeof(tn_tensor *);
    tn_tensor **h = tni_heap_calloc(bytes);
    if (!h)
        return NULL;
    tn_list *made = recurrent_layers(call, h, h + call->layers * call->directions);
    tni_heap_free(h, bytes);
    return made;
}

static tn_list *recurrent_body(tni_recurrent *call, const tn_tensor *batch_sizes) {
    tn_tensor *sizes = batch_sizes ? tni_recurrent_sizes(batch_sizes, "batch_sizes") : NULL;
    tn_list *made = sizes || !batch_sizes ? recurrent_body_of(call, sizes) : NULL;
    tni_tensor_release(sizes);
    return made;
}

/* The same without gradients. NULL, and *served false, where the body must do it. */
static tn_list *recurrent_plain(tni_recurrent *call, const tn_tensor *batch_sizes, bool *served) {
    tn_tensor *results[3], *sizes = NULL;
    *served = call->input->dtype == TN_FLOAT32 || call->input->dtype == TN_FLOAT64;
    if (!*served || (batch_sizes && !(sizes = tni_recurrent_sizes(batch_sizes, "batch_sizes"))))
        return NULL;
    call->sizes = sizes ? tni_recurrent_numbers(sizes) : NULL;
    bool done = tni_recurrent_check(call, sizes) && tni_recurrent_run(call, &results[0], &results[1], &results[2]);
    tni_tensor_release(sizes);
    return done ? tni_list_make(results, call->c ? 3 : 2) : NULL;
}

/* ---- lstm */

static bool recurrent_has_pair(int64_t count) {
    if (count == 2)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "hx has %" PRId64 " tensors: the state of an LSTM is two, h and c", count);
    return false;
}

#define RECURRENT_LSTM                                                                                                         \
    {                                                                                                                          \
        .kind = TNI_GATES_LSTM, .h = hx_count == 2 ? hx[0] : NULL, .c = hx_count == 2 ? hx[1] : NULL, .params = params,        \
        .params_count = params_count, .biases = has_biases, .layers = num_layers, .dropout = dropout, .train = train,          \
        .both = bidirectional                                                                                                  \
    }

tn_list *tni_composite_lstm_input(const tn_tensor *input, const tn_tensor *const *hx, int64_t hx_count,
                                  const tn_tensor *const *params, int64_t params_count, bool has_biases, int64_t num_layers,
                                  double dropout, bool train, bool bidirectional, bool batch_first) {
    tni_recurrent call = RECURRENT_LSTM;
    call.input = input;
    call.batch_first = batch_first;
    return recurrent_has_pair(hx_count) ? recurrent_body(&call, NULL) : NULL;
}

tn_list *tni_shortcut_lstm_input(const tn_tensor *input, const tn_tensor *const *hx, int64_t hx_count,
                                 const tn_tensor *const *params, int64_t params_count, bool has_biases, int64_t num_layers,
                                 double dropout, bool train, bool bidirectional, bool batch_first) {
    tni_recurrent call = RECURRENT_LSTM;
    call.input = input;
    call.batch_first = batch_first;
    bool served = true;
    tn_list *made = recurrent_has_pair(hx_count) ? recurrent_plain(&call, NULL, &served) : NULL;
    return served ? made
                  : tni_op_lstm_input(input, hx, hx_count, params, params_count, has_biases, num_layers, dropout, train,
                                      bidirectional, batch_first);
}

tn_list *tni_composite_lstm_data(const tn_tensor *data, const tn_tensor *batch_sizes, const tn_tensor *const *hx,
                                 int64_t hx_count, const tn_tensor *const *params, int64_t params_count, bool has_biases,
                                 int64_t num_layers, double dropout, bool train, bool bidirectional) {
    tni_recurrent call = RECURRENT_LSTM;
    call.input = data;
    return recurrent_has_pair(hx_count) ? recurrent_body(&call, batch_sizes) : NULL;
}

tn_list *tni_shortcut_lstm_data(const tn_tensor *data, const tn_tensor *batch_sizes, const tn_tensor *const *hx,
                                int64_t hx_count, const tn_tensor *const *params, int64_t params_count, bool has_biases,
                                int64_t num_layers, double dropout, bool train, bool bidirectional) {
    tni_recurrent call = RECURRENT_LSTM;
    call.input = data;
    bool served = true;
    tn_list *made = recurrent_has_pair(hx_count) ? recurrent_plain(&call, batch_sizes, &served) : NULL;
    return served ? made
                  : tni_op_lstm_data(data, batch_sizes, hx, hx_count, params, params_count, has_biases, num_layers, dropout,
                                     train, bidirectional);
}

/* ---- gru, rnn_tanh, rnn_relu: alike but for their cell */

#define RECURRENT_SINGLE(cell, is_relu)                                                                                        \
    {                                                                                                                          \
        .kind = cell, .relu = is_relu, .h = hx, .params = params, .params_count = params_count, .biases = has_biases,          \
        .layers = num_layers, .dropout = dropout, .train = train, .both = bidirectional                                        \
    }

#define RECURRENT_PARAMETERS                                                                                                   \
    const tn_tensor *hx, const tn_tensor *const *params, int64_t params_count, bool has_biases, int64_t num_layers,            \
        double dropout, bool train, bool bidirectional
#define RECURRENT_ARGUMENTS hx, params, params_count, has_biases, num_layers, dropout, train, bidirectional

#define RECURRENT_FUNCTIONS(name, cell, is_relu)                                                                               \
    tn_list *tni_composite_##name##_input(const tn_tensor *input, RECURRENT_PARAMETERS, bool batch_first) {                    \
        tni_recurrent call = RECURRENT_SINGLE(cell, is_relu);                                                                  \
        call.input = input;                                                                                                    \
        call.batch_first = batch_first;                                                                                        \
        return recurrent_body(&call, NULL);                                                                                    \
    }                                                                                                                          \
    tn_list *tni_shortcut_##name##_input(const tn_tensor *input, RECURRENT_PARAMETERS, bool batch_first) {                     \
        tni_recurrent call = RECURRENT_SINGLE(cell, is_relu);                                                                  \
        bool served;                                                                                                           \
        call.input = input;                                                                                                    \
        call.batch_first = batch_first;                                                                                        \
        tn_list *made = recurrent_plain(&call, NULL, &served);                                                                 \
        return served ? made : tni_op_##name##_input(input, RECURRENT_ARGUMENTS, batch_first);                                 \
    }                                                                                                                          \
    tn_list *tni_composite_##name##_data(const tn_tensor *data, const tn_tensor *batch_sizes, RECURRENT_PARAMETERS) {          \
        tni_recurrent call = RECURRENT_SINGLE(cell, is_relu);                                                                  \
        call.input = data;                                                                                                     \
        return recurrent_body(&call, batch_sizes);                                                                             \
    }                                                                                                                          \
    tn_list *tni_shortcut_##name##_data(const tn_tensor *data, const tn_tensor *batch_sizes, RECURRENT_PARAMETERS) {           \
        tni_recurrent call = RECURRENT_SINGLE(cell, is_relu);                                                                  \
        bool served;                                                                                                           \
        call.input = data;                                                                                                     \
        tn_list *made = recurrent_plain(&call, batch_sizes, &served);                                                          \
        return served ? made : tni_op_##name##_data(data, batch_sizes, RECURRENT_ARGUMENTS);                                   \
    }

RECURRENT_FUNCTIONS(gru, TNI_GATES_GRU, false)
RECURRENT_FUNCTIONS(rnn_tanh, TNI_GATES_PLAIN, false)
RECURRENT_FUNCTIONS(rnn_relu, TNI_GATES_PLAIN, true)
