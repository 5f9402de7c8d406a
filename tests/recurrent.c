/* recurrent.c - recurrent networks, their cells, gates and packed sequences, against a model that does one element at a time.
 *
 * Tests: src/cpu/recurrent_kernels.c, src/iterate/product_weights.c, src/ops/nn/packed_sequence.c, src/ops/nn/recurrent_cell.c
 * Tests: src/ops/nn/recurrent_check.c, src/ops/nn/recurrent_gates.c, src/ops/nn/recurrent_run.c */
#include <math.h>

#include "test.h"

#include <tenon/tenon.h>

enum { PLAIN_TANH, PLAIN_RELU, LSTM, GRU, KINDS };
enum { MOST_PARAMS = 20, MOST_SIZE = 4000 };

#define CHECK_NEAR(actual, expected, within) CHECK(fabs((actual) - (expected)) <= (within))

/* ---- a network of random numbers */

typedef struct network {
    int kind;
    int64_t steps, batch, features, width, outputs, layers, directions;
    bool biases, projects;
    const tn_tensor *params[MOST_PARAMS];
    int64_t count;
    tn_tensor *input, *h, *c; /* input: (steps, batch, features) */
} network;

static int64_t gates_of(int kind) { return kind == LSTM ? 4 : kind == GRU ? 3 : 1; }

static tn_tensor *numbers(tn_dims sizes, tn_dtype dtype) {
    return tn_mul_scalar(tn_to(tn_randn(sizes, TN_FLOAT64, NULL), dtype), 0.5);
}

static network network_of(int kind, int64_t batch, int64_t layers, bool both, bool biases, bool projects, tn_dtype dtype) {
    network net = {.kind = kind, .steps = 4, .batch = batch, .features = 3, .width = 5, .layers = layers, .biases = biases};
    net.directions = both ? 2 : 1;
    net.projects = projects && kind == LSTM;
    net.outputs = net.projects ? 2 : net.width;
    int64_t gates = gates_of(kind) * net.width;
    for (int64_t i = 0; i < layers * net.directions; i++) {
        int64_t from = i < net.directions ? net.features : net.directions * net.outputs;
        net.params[net.count++] = numbers(TN_DIMS(gates, from), dtype);
        net.params[net.count++] = numbers(TN_DIMS(gates, net.outputs), dtype);
        if (biases) {
            net.params[net.count++] = numbers(TN_DIMS(gates), dtype);
            net.params[net.count++] = numbers(TN_DIMS(gates), dtype);
        }
        if (net.projects)
            net.params[net.count++] = numbers(TN_DIMS(net.outputs, net.width), dtype);
    }
    net.input = numbers(TN_DIMS(net.steps, batch, net.features), dtype);
    net.h = numbers(TN_DIMS(layers * net.directions, batch, net.outputs), dtype);
    net.c = numbers(TN_DIMS(layers * net.directions, batch, net.width), dtype);
    return net;
}

static tn_list *run(const network *net, const tn_tensor *input, bool batch_first) {
    const tn_tensor *pair[2] = {net->h, net->c};
    bool both = net->directions == 2;
    switch (net->kind) {
    case LSTM:
        return tn_lstm_input(input, pair, 2, net->params, net->count, net->biases, net->layers, 0, false, both, batch_first);
    case GRU:
        return tn_gru_input(input, net->h, net->params, net->count, net->biases, net->layers, 0, false, both, batch_first);
    case PLAIN_TANH:
        return tn_rnn_tanh_input(input, net->h, net->params, net->count, net->biases, net->layers, 0, false, both, batch_first);
    default:
        return tn_rnn_relu_input(input, net->h, net->params, net->count, net->biases, net->layers, 0, false, both, batch_first);
    }
}

static tn_list *run_packed(const network *net, const tn_tensor *data, const tn_tensor *sizes) {
    const tn_tensor *pair[2] = {net->h, net->c};
    bool both = net->directions == 2;
    switch (net->kind) {
    case LSTM: return tn_lstm_data(data, sizes, pair, 2, net->params, net->count, net->biases, net->layers, 0, false, both);
    case GRU: return tn_gru_data(data, sizes, net->h, net->params, net->count, net->biases, net->layers, 0, false, both);
    case PLAIN_TANH:
        return tn_rnn_tanh_data(data, sizes, net->h, net->params, net->count, net->biases, net->layers, 0, false, both);
    default: return tn_rnn_relu_data(data, sizes, net->h, net->params, net->count, net->biases, net->layers, 0, false, both);
    }
}

/* ---- the model: in double, one sequence after the other */

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

static double at2(const tn_tensor *x, int64_t i, int64_t j) { return tn_get_double(x, TN_DIMS(i, j)); }

/* One step of one sequence: x (features) and the state, which is changed. */
static void model_step(const network *net, const tn_tensor *const *w, const double *x, int64_t features, double *h, double *c) {
    int64_t width = net->width, gates = gates_of(net->kind) * width;
    double brought[4 * 5], hidden[4 * 5], raw[5];
    for (int64_t g = 0; g < gates; g++) {
        brought[g] = net->biases ? tn_get_double(w[2], TN_DIMS(g)) : 0;
        hidden[g] = net->biases ? tn_get_double(w[3], TN_DIMS(g)) : 0;
        for (int64_t j = 0; j < features; j++)
            brought[g] += at2(w[0], g, j) * x[j];
        for (int64_t j = 0; j < net->outputs; j++)
            hidden[g] += at2(w[1], g, j) * h[j];
    }
    for (int64_t j = 0; j < width; j++) {
        const double *b = brought + j, *d = hidden + j;
        if (net->kind == LSTM) {
            c[j] = sigmoid(b[width] + d[width]) * c[j] + sigmoid(b[0] + d[0]) * tanh(b[2 * width] + d[2 * width]);
            raw[j] = sigmoid(b[3 * width] + d[3 * width]) * tanh(c[j]);
        } else if (net->kind == GRU) {
            double reset = sigmoid(b[0] + d[0]), update = sigmoid(b[width] + d[width]);
            double fresh = tanh(b[2 * width] + reset * d[2 * width]);
            raw[j] = (1 - update) * fresh + update * h[j];
        } else
            raw[j] = net->kind == PLAIN_TANH ? tanh(b[0] + d[0]) : fmax(0, b[0] + d[0]);
    }
    for (int64_t o = 0; o < net->outputs; o++) {
        h[o] = net->projects ? 0 : raw[o];
        for (int64_t j = 0; net->projects && j < width; j++)
            h[o] += at2(w[net->count / (net->layers * net->directions) - 1], o, j) * raw[j];
    }
}

typedef struct model {
    double out[MOST_SIZE], h[MOST_SIZE], c[MOST_SIZE]; /* out: (batch, steps, directions * outputs) */
} model;

static void model_run(const network *net, const int64_t *lengths, model *made) {
    int64_t each = net->count / (net->layers * net->directions), wide = net->directions * net->outputs;
    static double in[MOST_SIZE];
    for (int64_t b = 0; b < net->batch; b++) {
        int64_t length = lengths ? lengths[b] : net->steps, features = net->features;
        for (int64_t t = 0; t < length; t++)
            for (int64_t j = 0; j < features; j++)
                in[t * features + j] = tn_get_double(net->input, TN_DIMS(t, b, j));
        for (int64_t layer = 0; layer < net->layers; layer++) {
            double *out = made->out + b * net->steps * wide;
            for (int64_t direction = 0; direction < net->directions; direction++) {
                int64_t state = layer * net->directions + direction;
                double *h = made->h + (state * net->batch + b) * net->outputs,
                       *c = made->c + (state * net->batch + b) * net->width;
                for (int64_t j = 0; j < net->outputs; j++)
                    h[j] = tn_get_double(net->h, TN_DIMS(state, b, j));
                for (int64_t j = 0; j < net->width; j++)
                    c[j] = tn_get_double(net->c, TN_DIMS(state, b, j));
                for (int64_t i = 0; i < length; i++) {
                    int64_t t = direction ? length - 1 - i : i;
                    model_step(net, net->params + state * each, in + t * features, features, h, c);
                    memcpy(out + t * wide + direction * net->outputs, h, (size_t)net->outputs * sizeof *h);
                }
            }
            features = wide;
            memcpy(in, out, (size_t)(length * wide) * sizeof *in);
        }
    }
}

static void check_state(const tn_tensor *got, const double *want, double within) {
    CHECK(got);
    tn_tensor *flat = tn_reshape(got, TN_DIMS(-1));
    for (int64_t i = 0; i < tn_numel(flat); i++)
        CHECK_NEAR(tn_get_double(flat, TN_DIMS(i)), want[i], within);
}

static double within_of(tn_dtype dtype) { return dtype == TN_FLOAT64 ? 1e-12 : dtype == TN_FLOAT32 ? 4e-6 : 0.06; }

static void check_network(const network *net, bool batch_first, bool odd_strides) {
    static model want;
    model_run(net, NULL, &want);
    tn_tensor *input = batch_first ? tn_transpose(net->input, 0, 1) : net->input;
    if (odd_strides)
        input = tn_flip(tn_contiguous(tn_flip(input, TN_DIMS(0, 2)), TN_CONTIGUOUS), TN_DIMS(0, 2));
    tn_list *made = run(net, input, batch_first);
    CHECK(made);
    CHECK_INT(tn_list_count(made), net->kind == LSTM ? 3 : 2);
    double within = within_of(tn_dtype_of(net->input));
    tn_tensor *output = tn_list_at(made, 0), *rows = batch_first ? output : tn_transpose(output, 0, 1);
    CHECK_INT(tn_size(rows, 0), net->batch);
    check_state(tn_contiguous(rows, TN_CONTIGUOUS), want.out, within);
    check_state(tn_list_at(made, 1), want.h, within);
    if (net->kind == LSTM)
        check_state(tn_list_at(made, 2), want.c, within);
}

/* Few sequences: products read weights in place; many: they are packed. */
TEST_SAMPLED(networks_of_every_kind_give_what_a_model_gives) {
    CHECK(tn_manual_seed(1) == TN_OK);
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_BFLOAT16, TN_FLOAT16};
    for (int kind = 0; kind < KINDS; kind++)
        for (int mask = 0; mask < 32; mask++) {
            tn_scope scope = tn_scope_open();
            network net = network_of(kind, mask & 1 ? 11 : 2, mask & 2 ? 2 : 1, mask & 4, mask & 8, mask & 16,
                                     dtypes[(kind + mask / 2) % 4]);
            CHECK(net.input && net.h && net.c);
            check_network(&net, mask & 1, mask & 4);
            CHECK(tn_scope_close(scope) == TN_OK);
        }
}

TEST_SAMPLED(packed_sequences_end_where_they_end) {
    CHECK(tn_manual_seed(2) == TN_OK);
    static const int64_t short_ones[] = {4, 2}, long_ones[] = {4, 4, 4, 3, 3, 3, 3, 2, 1, 1, 1};
    static model want;
    for (int kind = 0; kind < KINDS; kind++)
        for (int mask = 0; mask < 16; mask++) {
            tn_scope scope = tn_scope_open();
            const int64_t *lengths = mask & 1 ? long_ones : short_ones;
            network net = network_of(kind, mask & 1 ? 11 : 2, mask & 2 ? 2 : 1, mask & 4, mask & 8, mask & 8,
                                     mask & 2 ? TN_FLOAT64 : TN_FLOAT32);
            tn_tensor *numbers_of = tn_from_memory(lengths, TN_DIMS(net.batch), TN_INT64, TN_BORROW);
            tn_list *packed = tn__pack_padded_sequence(net.input, numbers_of, false);
            CHECK(packed);
            model_run(&net, lengths, &want);
            tn_list *made = run_packed(&net, tn_list_at(packed, 0), tn_list_at(packed, 1));
            CHECK(made);
            double within = within_of(tn_dtype_of(net.input));
            check_state(tn_list_at(made, 1), want.h, within);
            if (kind == LSTM)
                check_state(tn_list_at(made, 2), want.c, within);
            tn_list *padded = tn__pad_packed_sequence(tn_list_at(made, 0), tn_list_at(packed, 1), true, 7, 5);
            CHECK(padded);
            tn_tensor *output = tn_list_at(padded, 0);
            CHECK_INT(tn_size(output, 1), 5);
            int64_t wide = net.directions * net.outputs;
            for (int64_t b = 0; b < net.batch; b++) {
                CHECK_INT(tn_get_int64(tn_list_at(padded, 1), TN_DIMS(b)), lengths[b]);
                for (int64_t t = 0; t < 5; t++)
                    for (int64_t j = 0; j < wide; j++)
                        CHECK_NEAR(tn_get_double(output, TN_DIMS(b, t, j)),
                                   t < lengths[b] ? want.out[(b * net.steps + t) * wide + j] : 7, within);
            }
            CHECK(tn_scope_close(scope) == TN_OK);
        }
}

/* ---- the body and the shortcut, threads */

static tn_error pass_on(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    return tn_redispatch(frame, arguments, result);
}

static void drop_watch(void *unused) {
    (void)unused;
    tn_keys_set((tn_key_state){0, 0});
    (void)tn_fallback_unregister(TN_KEY_INNER_0);
}

static bool same(const tn_tensor *a, const tn_tensor *b, double within) {
    if (!a || !b || tn_numel(a) != tn_numel(b))
        return false;
    return within == 0 ? tn_item_bool(tn_all(tn_eq(a, b)))
                       : tn_item_double(tn_max(tn_abs(tn_sub(tn_to(a, TN_FLOAT64), tn_to(b, TN_FLOAT64))))) <= within;
}

TEST_SAMPLED(a_network_that_is_watched_computes_what_a_plain_call_does) {
    CHECK(tn_manual_seed(3) == TN_OK);
    TEST_DEFER(drop_watch, NULL);
    CHECK(tn_fallback_register(TN_KEY_INNER_0, TN_KERNEL(pass_on, NULL)) == TN_OK);
    for (int kind = 0; kind < KINDS; kind++)
        for (int mask = 0; mask < 8; mask++) {
            tn_scope scope = tn_scope_open();
            network net = network_of(kind, mask & 1 ? 11 : 2, 2, mask & 2, true, mask & 4, TN_FLOAT32);
            static const int64_t lengths[] = {4, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1};
            tn_list *packed =
                tn__pack_padded_sequence(net.input, tn_from_memory(lengths, TN_DIMS(net.batch), TN_INT64, TN_BORROW), false);
            CHECK(packed);
            tn_tensor *data = tn_list_at(packed, 0), *sizes = tn_list_at(packed, 1);
            tn_list *plain = run(&net, net.input, false), *plain_packed = run_packed(&net, data, sizes);
            tn_key_state before = tn_keys_include(TN_KEYS(TN_KEY_INNER_0));
            tn_list *watched = run(&net, net.input, false), *watched_packed = run_packed(&net, data, sizes);
            tn_keys_set(before);
            CHECK(plain && watched && plain_packed && watched_packed);
            for (int64_t i = 0; i < tn_list_count(plain); i++) {
                CHECK(same(tn_list_at(plain, i), tn_list_at(watched, i), 1e-6));
                CHECK(same(tn_list_at(plain_packed, i), tn_list_at(watched_packed, i), 1e-6));
            }
            CHECK(tn_scope_close(scope) == TN_OK);
        }
}

TEST(threads_change_no_bit_of_a_network) {
    CHECK(tn_manual_seed(4) == TN_OK);
    int64_t before = tn_num_threads();
    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t batch = 3; batch <= 23; batch += 10) {
            network net = network_of(kind, batch, 1, true, true, kind == LSTM, TN_FLOAT32);
            CHECK(tn_set_num_threads(1) == TN_OK);
            tn_list *alone = run(&net, net.input, false);
            CHECK(tn_set_num_threads(4) == TN_OK);
            tn_list *together = run(&net, net.input, false);
            CHECK(tn_set_num_threads(before) == TN_OK);
            CHECK(alone && together);
            for (int64_t i = 0; i < tn_list_count(alone); i++)
                CHECK(same(tn_list_at(alone, i), tn_list_at(together, i), 0));
        }
}

static void restore_grad_mode(void *unused) {
    (void)unused;
    (void)tn_grad_mode_set(TN_GRAD_ON);
}

/* Without gradients no tensor is made for a step, whether parameters want them or not. (Both inputs are long: the product of a short one
 * needs no room to pack.) */
TEST(parameters_that_want_gradients_cost_nothing_where_there_are_none) {
    TEST_DEFER(restore_grad_mode, NULL);
    network net = network_of(LSTM, 2, 1, false, true, false, TN_FLOAT32);
    for (int64_t i = 0; i < net.count; i++)
        CHECK(tn_requires_grad_((tn_tensor *)(uintptr_t)net.params[i], true));
    tn_tensor *inputs[2];
    for (int i = 0; i < 2; i++)
        inputs[i] = numbers(TN_DIMS((i ? 81 : 27) * net.steps, 2, net.features), TN_FLOAT32);
    CHECK(inputs[0] && inputs[1] && net.h && net.c);
    (void)tn_grad_mode_set(TN_GRAD_OFF);
    int64_t spent[2];
    for (int i = 0; i < 2; i++) {
        tn_counters before = tn_counters_now();
        CHECK(run(&net, inputs[i], false));
        spent[i] = tn_counters_since(before).allocations;
    }
    CHECK_INT(spent[0], spent[1]);
}

TEST(dropout_between_layers_draws_only_where_it_is_asked_for) {
    CHECK(tn_manual_seed(5) == TN_OK);
    network net = network_of(GRU, 2, 2, false, true, false, TN_FLOAT32);
    tn_list *none = run(&net, net.input, false), *made[3];
    for (int i = 0; i < 3; i++) {
        CHECK(tn_manual_seed(i == 2 ? 10 : 9) == TN_OK);
        made[i] = tn_gru_input(net.input, net.h, net.params, net.count, true, 2, 0.5, true, false, false);
        CHECK(made[i]);
    }
    tn_list *at_rest = tn_gru_input(net.input, net.h, net.params, net.count, true, 2, 0.5, false, false, false);
    CHECK(none && at_rest);
    CHECK(same(tn_list_at(none, 0), tn_list_at(at_rest, 0), 0));
    CHECK(same(tn_list_at(made[0], 0), tn_list_at(made[1], 0), 0));
    CHECK(!same(tn_list_at(made[0], 0), tn_list_at(made[2], 0), 0));
    CHECK(!same(tn_list_at(made[0], 0), tn_list_at(none, 0), 0));
}

TEST(an_empty_batch_gives_empty_results) {
    network net = network_of(LSTM, 0, 2, true, true, true, TN_FLOAT32);
    tn_list *made = run(&net, net.input, false);
    CHECK(made);
    CHECK_INT(tn_size(tn_list_at(made, 0), 0), 4);
    CHECK_INT(tn_size(tn_list_at(made, 0), 1), 0);
    CHECK_INT(tn_size(tn_list_at(made, 0), 2), 4);
    CHECK_INT(tn_numel(tn_list_at(made, 2)), 0);
}

/* ---- cells */

TEST_SAMPLED(a_cell_is_one_step_of_a_network) {
    CHECK(tn_manual_seed(6) == TN_OK);
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_BFLOAT16, TN_FLOAT16};
    for (int kind = 0; kind < KINDS; kind++)
        for (int mask = 0; mask < 8; mask++) {
            tn_scope scope = tn_scope_open();
            network net = network_of(kind, mask & 1 ? 1 : 3, 1, false, mask & 2, false, dtypes[(mask + kind) % 4]);
            tn_tensor *x = tn_select(net.input, 0, 0), *h = tn_select(net.h, 0, 0), *c = tn_select(net.c, 0, 0);
            if (mask & 4)
                x = tn_t(tn_contiguous(tn_t(x), TN_CONTIGUOUS));
            const tn_tensor *pair[2] = {h, c}, *b_ih = mask & 2 ? net.params[2] : NULL, *b_hh = mask & 2 ? net.params[3] : NULL;
            tn_list *two = kind == LSTM ? tn_lstm_cell(x, pair, 2, net.params[0], net.params[1], b_ih, b_hh) : NULL;
            tn_tensor *made = kind == LSTM         ? tn_list_at(two, 0)
                              : kind == GRU        ? tn_gru_cell(x, h, net.params[0], net.params[1], b_ih, b_hh)
                              : kind == PLAIN_TANH ? tn_rnn_tanh_cell(x, h, net.params[0], net.params[1], b_ih, b_hh)
                                                   : tn_rnn_relu_cell(x, h, net.params[0], net.params[1], b_ih, b_hh);
            tn_list *whole = run(&net, tn_narrow(net.input, 0, 0, 1), false);
            CHECK(made && whole);
            double within = within_of(tn_dtype_of(x)) / 2;
            CHECK(same(made, tn_select(tn_list_at(whole, 1), 0, 0), within));
            if (kind == LSTM)
                CHECK(same(tn_list_at(two, 1), tn_select(tn_list_at(whole, 2), 0, 0), within));
            CHECK(tn_scope_close(scope) == TN_OK);
        }
}

/* ---- gradients of gates, by differences */

typedef struct gates_case {
    tn_tensor *input, *hidden, *state, *bias[2];
} gates_case;

static double gates_value(int kind, const gates_case *g, const tn_tensor *up, const tn_tensor *up_cell) {
    tn_list *made = kind == LSTM ? tn__thnn_fused_lstm_cell(g->input, g->hidden, g->state, g->bias[0], g->bias[1])
                                 : tn__thnn_fused_gru_cell(g->input, g->hidden, g->state, g->bias[0], g->bias[1]);
    double value = made ? tn_item_double(tn_sum(tn_mul(tn_list_at(made, 0), up), TN_DTYPE_DEFAULT)) : NAN;
    if (made && kind == LSTM)
        value += tn_item_double(tn_sum(tn_mul(tn_list_at(made, 1), up_cell), TN_DTYPE_DEFAULT));
    return value;
}

static void check_gradient(int kind, const gates_case *g, tn_tensor *changed, const tn_tensor *gradient, const tn_tensor *up,
                           const tn_tensor *up_cell) {
    CHECK(gradient && tn_numel(gradient) == tn_numel(changed));
    tn_tensor *at = tn_view(changed, TN_DIMS(-1)), *want = tn_reshape(gradient, TN_DIMS(-1));
    for (int64_t i = 0; i < tn_numel(at); i++) {
        tn_scope scope = tn_scope_open();
        double x = tn_get_double(at, TN_DIMS(i)), step = 1e-6, value[2];
        for (int k = 0; k < 2; k++) {
            CHECK(tn_fill_(tn_select(at, 0, i), x + (k ? step : -step)));
            value[k] = gates_value(kind, g, up, up_cell);
        }
        CHECK(tn_fill_(tn_select(at, 0, i), x));
        CHECK_NEAR(tn_get_double(want, TN_DIMS(i)), (value[1] - value[0]) / (2 * step), 1e-7);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST_SAMPLED(gradients_of_gates_are_what_differences_are) {
    CHECK(tn_manual_seed(7) == TN_OK);
    for (int kind = LSTM; kind <= GRU; kind++)
        for (int bias = 0; bias < 2; bias++) {
            int64_t many = gates_of(kind) * 3;
            gates_case g = {
                numbers(TN_DIMS(2, many), TN_FLOAT64),
                numbers(TN_DIMS(2, many), TN_FLOAT64),
                numbers(TN_DIMS(2, 3), TN_FLOAT64),
                {bias ? numbers(TN_DIMS(many), TN_FLOAT64) : NULL, bias ? numbers(TN_DIMS(many), TN_FLOAT64) : NULL}};
            tn_tensor *up = numbers(TN_DIMS(2, 3), TN_FLOAT64), *up_cell = numbers(TN_DIMS(2, 3), TN_FLOAT64);
            CHECK(g.state && up && up_cell);
            if (kind == LSTM) {
                tn_list *made = tn__thnn_fused_lstm_cell(g.input, g.hidden, g.state, g.bias[0], g.bias[1]);
                CHECK(made);
                tn_list *back = tn__thnn_fused_lstm_cell_backward_impl(up, up_cell, g.state, tn_list_at(made, 1),
                                                                       tn_list_at(made, 2), bias);
                CHECK(back);
                check_gradient(kind, &g, g.input, tn_list_at(back, 0), up, up_cell);
                check_gradient(kind, &g, g.state, tn_list_at(back, 1), up, up_cell);
                CHECK_INT(tn_numel(tn_list_at(back, 2)), bias ? many : 0);
                if (bias)
                    check_gradient(kind, &g, g.bias[1], tn_list_at(back, 2), up, up_cell);
                tn_list *part = tn__thnn_fused_lstm_cell_backward_impl(NULL, up_cell, g.state, tn_list_at(made, 1),
                                                                       tn_list_at(made, 2), false);
                tn_list *other =
                    tn__thnn_fused_lstm_cell_backward_impl(up, NULL, g.state, tn_list_at(made, 1), tn_list_at(made, 2), false);
                CHECK(part && other);
                CHECK(same(tn_add(tn_list_at(part, 0), tn_list_at(other, 0)), tn_list_at(back, 0), 1e-12));
            } else {
                tn_list *made = tn__thnn_fused_gru_cell(g.input, g.hidden, g.state, g.bias[0], g.bias[1]);
                CHECK(made);
                tn_list *back = tn__thnn_fused_gru_cell_backward(up, tn_list_at(made, 1), bias);
                CHECK(back);
                check_gradient(kind, &g, g.input, tn_list_at(back, 0), up, up_cell);
                check_gradient(kind, &g, g.hidden, tn_list_at(back, 1), up, up_cell);
                check_gradient(kind, &g, g.state, tn_list_at(back, 2), up, up_cell);
                for (int i = 0; bias && i < 2; i++)
                    check_gradient(kind, &g, g.bias[i], tn_list_at(back, 3 + i), up, up_cell);
            }
        }
}

/* ---- what is refused */

TEST(a_network_that_does_not_fit_says_which_sizes_it_wants) {
    network net = network_of(LSTM, 2, 1, false, true, false, TN_FLOAT32);
    const tn_tensor *pair[2] = {net.h, net.c};
    CHECK(net.input && net.h && net.c);
    for (int64_t i = 0; i < net.count; i++)
        CHECK(net.params[i]);
#define LSTM_OF(input, count, params, layers, drop)                                                                            \
    tn_lstm_input(input, pair, count, params, 4, true, layers, drop, true, false, false)
    CHECK_ERROR(TN_ERROR_ARGUMENT, "hx has 1 tensors", LSTM_OF(net.input, 1, net.params, 1, 0));
    const tn_tensor *deep[2] = {tn_repeat(net.h, TN_DIMS(2, 1, 1)), tn_repeat(net.c, TN_DIMS(2, 1, 1))};
    CHECK(deep[0] && deep[1]);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "params has 4 tensors, and must have 4 for each of 2 layers",
                tn_lstm_input(net.input, deep, 2, net.params, 4, true, 2, 0, true, false, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "num_layers is 0", LSTM_OF(net.input, 2, net.params, 0, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dropout is 1.5", LSTM_OF(net.input, 2, net.params, 1, 1.5));
    CHECK_ERROR(TN_ERROR_SHAPE, "must have 1 states (1 layers of 1 directions) for a batch of 1",
                LSTM_OF(tn_narrow(net.input, 1, 0, 1), 2, net.params, 1, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "(steps, batch, features)", LSTM_OF(tn_select(net.input, 0, 0), 2, net.params, 1, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "has no steps", LSTM_OF(tn_narrow(net.input, 0, 0, 0), 2, net.params, 1, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "w_ih [20, 3] float32 of layer 0 must have sizes [20, 2]",
                LSTM_OF(tn_narrow(net.input, 2, 0, 2), 2, net.params, 1, 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "hx [1, 2, 5] float32 must have the dtype of input",
                LSTM_OF(tn_to(net.input, TN_FLOAT64), 2, net.params, 1, 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "input", LSTM_OF(tn_to(net.input, TN_INT64), 2, net.params, 1, 0));
#undef LSTM_OF
}

TEST(packed_lengths_that_do_not_fit_are_refused_with_their_numbers) {
    tn_tensor *padded = tn_zeros(TN_DIMS(3, 2, 4), TN_FLOAT32), *data = tn_zeros(TN_DIMS(5, 4), TN_FLOAT32);
    CHECK(padded && data);
#define PACK(...) tn__pack_padded_sequence(padded, TN_VECTOR(int64_t, __VA_ARGS__), false)
    CHECK_ERROR(TN_ERROR_ARGUMENT, "lengths[1] is 3 after 2", PACK(2, 3));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "lengths[1] is 0, and input [3, 2, 4] float32 has 3 steps", PACK(2, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "lengths[0] is 4", PACK(4, 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "one number for each of the 2 sequences", PACK(3, 2, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "must be int64", tn__pack_padded_sequence(padded, TN_VECTOR(int32_t, 3, 2), false));
    CHECK_ERROR(TN_ERROR_SHAPE, "no elements to pack",
                tn__pack_padded_sequence(tn_narrow(padded, 1, 0, 0), TN_VECTOR(int64_t, 1), false));
#define PAD(total, ...) tn__pad_packed_sequence(data, TN_VECTOR(int64_t, __VA_ARGS__), false, 0, total)
    CHECK_ERROR(TN_ERROR_ARGUMENT, "total_length is 2, and the longest sequence has 3 steps", PAD(2, 2, 2, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "add up to 4 rows, and data [5, 4] float32 has 5", PAD(0, 2, 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "batch_sizes[1] is 3 where 3 of the 5 rows", PAD(0, 2, 3));
    tn_tensor *h = tn_zeros(TN_DIMS(1, 2, 2), TN_FLOAT32);
    const tn_tensor *params[] = {tn_zeros(TN_DIMS(2, 4), TN_FLOAT32), tn_zeros(TN_DIMS(2, 2), TN_FLOAT32)};
    CHECK(h && params[0] && params[1]);
#define RNN(...) tn_rnn_tanh_data(data, TN_VECTOR(int64_t, __VA_ARGS__), h, params, 2, false, 1, 0, false, false)
    CHECK(RNN(2, 2, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "batch_sizes[1] is 0 after 2", RNN(2, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "batch_sizes up to step 2 ask for 6 rows, and data [5, 4] float32 has 5", RNN(2, 2, 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "add up to 4 rows", RNN(2, 2));
#undef RNN
#undef PAD
#undef PACK
}

TEST(gates_and_cells_that_do_not_fit_are_refused) {
    tn_tensor *gates = tn_zeros(TN_DIMS(2, 12), TN_FLOAT32), *c = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32);
    tn_tensor *bias = tn_zeros(TN_DIMS(12), TN_FLOAT32);
    CHECK(gates && c && bias);
    CHECK_ERROR(TN_ERROR_SHAPE, "input_gates [2, 3] float32 must have sizes [2, 12]",
                tn__thnn_fused_lstm_cell(c, gates, c, NULL, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "hidden_bias is missing", tn__thnn_fused_lstm_cell(gates, gates, c, bias, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "input_bias [2, 3]", tn__thnn_fused_lstm_cell(gates, gates, c, c, bias));
    CHECK_ERROR(TN_ERROR_SHAPE, "must have sizes [2, 15]", tn__thnn_fused_gru_cell_backward(c, gates, true));
    CHECK_ERROR(TN_ERROR_DTYPE, "hx", tn__thnn_fused_gru_cell(gates, gates, tn_to(c, TN_INT32), NULL, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "hx [3, 3] float32 must have sizes [2, 3]",
                tn_gru_cell(c, tn_zeros(TN_DIMS(3, 3), TN_FLOAT32), gates, gates, NULL, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "w_ih [2, 12] float32 must have sizes [9, 3]", tn_gru_cell(c, c, gates, gates, NULL, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "input [3] float32 must have 2 dimensions",
                tn_gru_cell(tn_select(c, 0, 0), c, gates, gates, NULL, NULL));
}
