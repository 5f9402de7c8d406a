/* train_steps.c - whole steps of training: they leave no memory behind, failures leave a state to go on from, threads change no bit,
 * and memory that is shared in ways it should not be.
 *
 * Tests: src/train/optimizer_step.c, src/train/optimizer.c
 */
#include "storage_helpers.h"

/* ---- a network with a convolution, attention, a norm and a linear layer; its loss for one batch */

typedef struct small_net {
    tn_parameters *all;
    tn_tensor *conv, *bias, *scale, *qkv, *out;
    tn_tensor *images, *labels;
} small_net;

enum { NET_BATCH = 6, NET_SIZE = 8, NET_CHANNELS = 16 };

static bool net_make(small_net *net) {
    tn_generator *generator = tn_generator_new(TN_PHILOX, 7);
    if (!generator || !(net->all = tn_parameters_new()))
        return false;
    net->conv = tn_parameters_draw(net->all, "conv", TN_DIMS(NET_CHANNELS, 1, 3, 3), 0.3, generator);
    net->bias = tn_parameters_draw(net->all, "bias", TN_DIMS(NET_CHANNELS), 0.1, generator);
    net->scale = tn_parameters_draw(net->all, "scale", TN_DIMS(NET_CHANNELS), 1, generator);
    net->qkv = tn_parameters_draw(net->all, "qkv", TN_DIMS(3 * NET_CHANNELS, NET_CHANNELS), 0.2, generator);
    net->out = tn_parameters_draw(net->all, "out", TN_DIMS(10, NET_CHANNELS), 0.2, generator);
    net->images = tn_rand(TN_DIMS(NET_BATCH, 1, NET_SIZE, NET_SIZE), TN_FLOAT32, generator);
    net->labels = tn_randint(10, TN_DIMS(NET_BATCH), TN_INT64, generator);
    return net->out && net->images && net->labels;
}

static tn_tensor *net_loss(const small_net *net) {
    tn_tensor *x = tn_relu(tn_conv2d(net->images, net->conv, net->bias, TN_DIMS(1), TN_DIMS(1), TN_DIMS(1), 1));
    x = tn_transpose(tn_flatten(x, 2, -1), 1, 2); /* (batch, places, channels) */
    x = tn_layer_norm(x, TN_DIMS(NET_CHANNELS), net->scale, NULL, 1e-5);
    tn_tensor *qkv = tn_unflatten(tn_linear(x, net->qkv, NULL), 2, TN_DIMS(3, NET_CHANNELS));
    x = tn_scaled_dot_product_attention(tn_select(qkv, 2, 0), tn_select(qkv, 2, 1), tn_select(qkv, 2, 2), NULL, 0, false,
                                        TN_NO_SCALAR, false, NULL);
    tn_tensor *scores = tn_linear(tn_mean_dim(x, TN_DIMS(1), false, TN_DTYPE_DEFAULT), net->out, NULL);
    return tn_cross_entropy_loss(scores, net->labels, NULL, 1, -100, 0);
}

static bool net_step(const small_net *net, tn_optimizer *optimizer, double *loss) {
    tn_scope scope = tn_scope_open();
    tn_tensor *value = net_loss(net);
    bool fine = tn_optimizer_minimize(optimizer, value) == TN_OK;
    if (fine && loss)
        *loss = tn_item_double(value);
    tn_scope_close(scope);
    return fine;
}

TEST_SAMPLED(a_network_learns_its_batch) {
    small_net net;
    double first, last;
    CHECK(net_make(&net));
    tn_optimizer *adam = tn_optimizer_new("adam", net.all);
    CHECK(adam && tn_optimizer_set(adam, "lr", 0.02) == TN_OK && net_step(&net, adam, &first));
    for (int t = 0; t < 20; t++)
        CHECK(net_step(&net, adam, &last));
    CHECK(last < 0.7 * first);
}

static void usual_threads(void *nothing) {
    (void)nothing;
    (void)tn_set_num_threads(0);
}

TEST_ONCE(training_has_the_same_bits_on_any_number_of_threads) { /* threads */
    static const int64_t threads[] = {1, 2, 3, 5, 8};
    static const char *const kinds[] = {"sgd", "adamw", "rmsprop", "muon"};
    TEST_DEFER(usual_threads, NULL);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        small_net first = {0};
        for (int i = 0; i < 5; i++) {
            small_net net;
            CHECK(tn_set_num_threads(threads[i]) == TN_OK && net_make(&net));
            tn_parameters *stepped = net.all;
            if (strcmp(kinds[k], "muon") == 0) { /* takes matrices */
                stepped = tn_parameters_new();
                CHECK(stepped && tn_parameters_add(stepped, "qkv", net.qkv) && tn_parameters_add(stepped, "out", net.out));
            }
            tn_optimizer *optimizer = tn_optimizer_new(kinds[k], stepped);
            CHECK(optimizer);
            for (int t = 0; t < 3; t++)
                CHECK(net_step(&net, optimizer, NULL));
            for (int64_t p = 0; i && p < tn_parameters_count(net.all); p++) {
                const tn_tensor *a = tn_parameters_at(first.all, p), *b = tn_parameters_at(net.all, p);
                if (memcmp(tn_data(a), tn_data(b), tn_nbytes(a)) != 0)
                    test_fail(__FILE__, __LINE__, "%s: %s has other bits on %d threads", kinds[k],
                              tn_parameters_name(net.all, p), (int)threads[i]);
            }
            if (i == 0)
                first = net;
        }
    }
}

/* ---- memory */

static tn_memory_stats memory_now(void) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    CHECK_INT(tn_memory_stats_of(TN_CPU, &stats), TN_OK);
    return stats;
}

TEST_ONCE(steps_leave_no_memory_behind) { /* statistics of a failed run are its own */
    for (int64_t k = 0; tn_optimizer_kind_name(k); k++) {
        const char *kind = tn_optimizer_kind_name(k);
        if (strcmp(kind, "lbfgs") == 0)
            continue;
        small_net net;
        CHECK(net_make(&net));
        tn_parameters *stepped = net.all;
        if (strcmp(kind, "muon") == 0) {
            stepped = tn_parameters_new();
            CHECK(stepped && tn_parameters_add(stepped, "qkv", net.qkv) && tn_parameters_add(stepped, "out", net.out));
        }
        tn_optimizer *optimizer = tn_optimizer_new(kind, stepped);
        CHECK(optimizer && net_step(&net, optimizer, NULL) && net_step(&net, optimizer, NULL));
        tn_memory_stats before = memory_now();
        for (int t = 0; t < 10; t++)
            CHECK(net_step(&net, optimizer, NULL));
        tn_memory_stats after = memory_now();
        if (after.bytes.current != before.bytes.current || after.blocks.current != before.blocks.current ||
            after.bytes.peak != before.bytes.peak)
            test_fail(__FILE__, __LINE__, "%s: %lld bytes in %lld blocks, then %lld in %lld", kind,
                      (long long)before.bytes.current, (long long)before.blocks.current, (long long)after.bytes.current,
                      (long long)after.blocks.current);
    }
}

/* ---- failures */

static tn_tensor *laid(tn_dtype dtype, bool sliced) {
    tn_tensor *x = tn_to(tn_cos(tn_reshape(tn_arange(12, TN_FLOAT32), TN_DIMS(3, 4))), dtype);
    return sliced ? tn_select(tn_stack((const tn_tensor *[]){x, x}, 2, -1), -1, 0) : x;
}

typedef struct pair {
    tn_parameters *all;
    tn_tensor *a, *b;
    tn_optimizer *optimizer;
} pair;

static bool pair_make(pair *p, const char *kind, tn_dtype dtype, bool sliced) {
    p->all = tn_parameters_new();
    p->a = laid(dtype, sliced);
    p->b = laid(dtype, !sliced);
    return p->all && p->a && p->b && tn_parameters_add(p->all, "a", p->a) && tn_parameters_add(p->all, "b", p->b) &&
           (p->optimizer = tn_optimizer_new(kind, p->all)) != NULL;
}

static bool pair_gradients(const pair *p, int t) {
    tn_tensor *first = tn_cos(tn_add_scalar(p->a, t)), *second = tn_sin(tn_add_scalar(p->b, t));
    return first && second && tn_tensor_set_grad(p->a, first) == TN_OK && tn_tensor_set_grad(p->b, second) == TN_OK;
}

/* Each allocation of a step fails in turn, in the first step and in the third; then the step is made again. For optimisers that go
 * from parameter to parameter the first may have made it. */
TEST_ONCE(a_step_that_fails_has_not_happened) { /* failures that the test makes itself */
    for (int64_t k = 0; tn_optimizer_kind_name(k); k++)
        for (int form = 0; form < 4; form++) {
            const char *kind = tn_optimizer_kind_name(k);
            bool each = strcmp(kind, "adafactor") == 0 || strcmp(kind, "muon") == 0;
            tn_dtype dtype = form & 1 ? TN_BFLOAT16 : TN_FLOAT32;
            if (strcmp(kind, "lbfgs") == 0)
                continue;
            tn_scope scope = tn_scope_open();
            pair wanted, p;
            CHECK(pair_make(&wanted, kind, dtype, form & 2) && pair_make(&p, kind, dtype, form & 2));
            for (int t = 0; t < 3; t++) {
                CHECK(pair_gradients(&wanted, t) && pair_gradients(&p, t) && tn_optimizer_step(wanted.optimizer) == TN_OK);
                tn_tensor *a = tn_clone(p.a, TN_PRESERVE), *b = tn_clone(p.b, TN_PRESERVE);
                int64_t failures = 0;
                while (t != 1 && FAILING(failures + 1, tn_optimizer_step(p.optimizer))) {
                    failures++;
                    bool unchanged = tn_equal(a, p.a) && tn_equal(b, p.b);
                    if (!unchanged && !(each && tn_equal(wanted.a, p.a) && tn_equal(b, p.b)))
                        test_fail(__FILE__, __LINE__, "%s, form %d: changed by a step that failed", kind, form);
                    if (!unchanged) /* it will not step a second time */
                        CHECK(tn_tensor_set_grad(p.a, NULL) == TN_OK);
                }
                if (t == 1)
                    CHECK(tn_optimizer_step(p.optimizer) == TN_OK);
                CHECK(t == 1 || failures > 0);
                if (!tn_equal(wanted.a, p.a) || !tn_equal(wanted.b, p.b))
                    test_fail(__FILE__, __LINE__, "%s, form %d: another result at step %d, after %d failures", kind, form, t,
                              (int)failures);
            }
            tn_scope_close(scope);
        }
}

/* ---- memory that is shared */

TEST(parameters_that_share_elements_are_refused) {
    tn_tensor *whole = tn_zeros(TN_DIMS(4, 4), TN_FLOAT32);
    tn_tensor *left = tn_slice(whole, 1, 0, 2, 1), *right = tn_slice(whole, 1, 2, 4, 1), *middle = tn_slice(whole, 1, 1, 3, 1);
    tn_parameters *apart = tn_parameters_new(), *meeting = tn_parameters_new(), *more = tn_parameters_new();
    CHECK(left && right && middle && apart && meeting && more);
    CHECK(tn_parameters_add(apart, "l", left) && tn_parameters_add(apart, "r", right) && tn_parameters_add(more, "m", middle));
    CHECK(tn_parameters_add(meeting, "l", left) && tn_parameters_add(meeting, "m", middle));
    tn_optimizer *sgd = tn_optimizer_new("sgd", apart);
    CHECK(sgd);
    CHECK_ERROR(TN_ERROR_OVERLAP, "\"l\" and \"m\"", tn_optimizer_new("sgd", meeting));
    CHECK_ERROR(TN_ERROR_OVERLAP, "same place", tn_optimizer_add_group(sgd, more) == 1);
}

TEST(a_gradient_in_the_memory_of_a_parameter_is_read_before_the_step) {
    tn_tensor *both = tn_ones(TN_DIMS(2, 3), TN_FLOAT32), *a = tn_select(both, 0, 0), *b = tn_select(both, 0, 1);
    tn_parameters *all = tn_parameters_new();
    CHECK(a && b && all && tn_parameters_add(all, "a", a) && tn_parameters_add(all, "b", b));
    tn_optimizer *sgd = tn_optimizer_new("sgd", all);
    CHECK(sgd && tn_optimizer_set(sgd, "lr", 0.5) == TN_OK);
    tn_tensor *alias = tn_slice(a, 0, 0, 3, 1);
    CHECK(alias && tn_tensor_set_grad(a, alias) == TN_OK && tn_tensor_set_grad(b, alias) == TN_OK);
    CHECK(tn_optimizer_step(sgd) == TN_OK);
    CHECK_DOUBLE(tn_get_double(a, TN_DIMS(2)), 0.5);
    CHECK_DOUBLE(tn_get_double(b, TN_DIMS(2)), 0.5);
}

TEST(a_graph_that_kept_a_parameter_notices_the_step) {
    tn_parameters *all = tn_parameters_new();
    tn_tensor *w = all ? tn_parameters_draw(all, "w", TN_DIMS(3), 1, NULL) : NULL;
    tn_optimizer *sgd = w ? tn_optimizer_new("sgd", all) : NULL;
    CHECK(sgd);
    tn_tensor *loss = tn_sum(tn_mul(w, w), TN_DTYPE_DEFAULT);
    const tn_backward_options again = {.struct_size = sizeof again, .retain_graph = true};
    CHECK(loss && tn_backward_all((const tn_tensor *[]){loss}, NULL, 1, NULL, 0, &again) == TN_OK);
    CHECK(tn_optimizer_step(sgd) == TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "mul", tn_backward(loss, NULL));
}

/* ---- states that are not whole */

TEST(a_state_without_what_the_settings_want_is_refused) {
    pair p;
    tn_parameters *state = tn_parameters_new(), *rows = tn_parameters_new();
    CHECK(state && rows && pair_make(&p, "adam", TN_FLOAT32, false));
    CHECK(tn_parameters_add(state, "a.step", tn_ones(TN_DIMS(1), TN_FLOAT32)));
    CHECK(tn_parameters_add(state, "a.exp_avg", tn_ones(TN_DIMS(3, 4), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "only a part", tn_optimizer_set_state(p.optimizer, state));
    CHECK(tn_parameters_add(state, "a.exp_avg_sq", tn_ones(TN_DIMS(3, 4), TN_FLOAT32)));
    CHECK(tn_optimizer_set_state(p.optimizer, state) == TN_OK && pair_gradients(&p, 0) &&
          tn_optimizer_step(p.optimizer) == TN_OK);
    CHECK(pair_make(&p, "adafactor", TN_FLOAT32, false));
    CHECK(tn_parameters_add(rows, "a.step", tn_ones(TN_DIMS(1), TN_FLOAT32)));
    CHECK(tn_parameters_add(rows, "a.row_var", tn_ones(TN_DIMS(3, 1), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "only a part", tn_optimizer_set_state(p.optimizer, rows));
    CHECK(tn_parameters_add(rows, "a.col_var", tn_ones(TN_DIMS(3, 4), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_SHAPE, "[3, 4], not [1, 4]", tn_optimizer_set_state(p.optimizer, rows));
}

TEST(states_of_two_parameters_have_different_names) {
    tn_parameters *first = tn_parameters_new(), *second = tn_parameters_new();
    tn_tensor *a = tn_ones(TN_DIMS(2), TN_FLOAT32), *b = tn_ones(TN_DIMS(2), TN_FLOAT32),
              *grad = tn_ones(TN_DIMS(2), TN_FLOAT32);
    CHECK(first && second && a && b && grad && tn_parameters_add(first, "1.w", a) && tn_parameters_add(second, "w", b));
    tn_optimizer *adam = tn_optimizer_new("adam", first);
    CHECK(adam && tn_optimizer_add_group(adam, second) == 1);
    CHECK(tn_tensor_set_grad(a, grad) == TN_OK && tn_tensor_set_grad(b, grad) == TN_OK && tn_optimizer_step(adam) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "\"1.w.step\"", tn_optimizer_state(adam));
}

TEST(entries_that_lbfgs_does_not_know_are_refused) {
    pair p;
    tn_parameters *state = tn_parameters_new();
    CHECK(state && pair_make(&p, "lbfgs", TN_FLOAT32, false));
    CHECK(tn_parameters_add(state, "lbfgs.numbers", tn_zeros(TN_DIMS(5), TN_FLOAT64)));
    CHECK(tn_optimizer_set_state(p.optimizer, state) == TN_OK);
    CHECK(tn_parameters_add(state, "a.exp_avg", tn_zeros(TN_DIMS(3, 4), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "1 of 2 entries", tn_optimizer_set_state(p.optimizer, state));
}
