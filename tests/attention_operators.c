/* attention_operators.c - attention and its gradients against plain loops in double: sizes around every block, layouts, dtypes, masks,
 * shared heads, broadcasting, dropped weights; what is refused; memory; the same bits whatever the number of threads.
 *
 * Tests: src/iterate/attention.c, src/iterate/attention_parts.c, src/iterate/attention_back.c, src/iterate/thread_memory.c
 * Tests: src/cpu/attention_kernels.c, src/ops/product/attention.c, src/ops/product/attention_call.c */
#include "autograd_helpers.h"

#include <math.h>

/* A case: batches and heads, of query and of the others; rows, keys, depth, width. */
typedef struct attention_case {
    int64_t b, h, kb, kh, vb, vh, l, s, e, ev;
    tn_dtype dtype;
    int mask; /* 0 none; bool: 1 (l, s), 2 (b, 1, 1, s), 3 (s); added: 4 (h, l, s), 5 (b, 1, l, 1), 6 (b, h, l, s) */
    bool causal;
    double scale, p; /* a scale of 0 stands for none */
} attention_case;

enum { MASKS = 7 };

typedef struct attention_call {
    tn_tensor *query, *key, *value, *mask, *kept;
    tn_tensor *output, *logs, *grad, *grads[4]; /* of query, key, value, mask */
} attention_call;

/* Numbers from -1 to 1 in some layout: row-major, dimensions in another order, with gaps, backwards. */
static tn_tensor *attention_drawn(tn_dims sizes, tn_dtype dtype) {
    int64_t order[8], swapped[8], how = test_random_between(0, 3), gap = how == 2 ? 2 : 1;
    for (int64_t d = 0; d < sizes.count; d++)
        order[d] = d;
    if (how && sizes.count > 1) {
        int64_t a = test_random_between(0, sizes.count - 1), b = test_random_between(0, sizes.count - 1), c = order[a];
        order[a] = order[b];
        order[b] = c;
    }
    for (int64_t d = 0; d < sizes.count; d++)
        swapped[d] = sizes.values[order[d]] * (d == sizes.count - 1 ? gap : 1);
    tn_tensor *room = tn_empty((tn_dims){swapped, sizes.count}, TN_FLOAT64);
    CHECK(room);
    double *data = tn_numel(room) ? tn_mutable_data(room) : NULL;
    for (int64_t i = 0; i < tn_numel(room); i++)
        data[i] = (double)test_random_between(-64, 64) / 64; /* exact in every dtype */
    tn_tensor *x = tn_to(room, dtype);
    if (gap == 2)
        x = tn_slice(x, sizes.count - 1, 0, swapped[sizes.count - 1], 2);
    if (how == 3)
        x = tn_flip(x, TN_DIMS(sizes.count - 1));
    x = tn_permute(x, (tn_dims){order, sizes.count}); /* an exchange is its own inverse */
    CHECK(x);
    return x;
}

static tn_tensor *attention_mask(const attention_case *test) {
    tn_tensor *x;
    switch (test->mask) {
    case 0: return NULL;
    case 1: x = attention_drawn(TN_DIMS(test->l, test->s), test->dtype); break;
    case 2: x = attention_drawn(TN_DIMS(test->b, 1, 1, test->s), test->dtype); break;
    case 3: x = attention_drawn(TN_DIMS(test->s), test->dtype); break;
    case 4: x = attention_drawn(TN_DIMS(test->h, test->l, test->s), test->dtype); break;
    case 5: x = attention_drawn(TN_DIMS(test->b, 1, test->l, 1), test->dtype); break;
    default: x = attention_drawn(TN_DIMS(test->b, test->h, test->l, test->s), TN_FLOAT32); break;
    }
    if (test->mask == 6 && test->dtype == TN_FLOAT64)
        x = tn_to(x, TN_FLOAT64);
    if (test->mask < 4)
        return tn_gt_scalar(x, -0.3);
    if (test->mask == 4) /* some are minus infinity */
        return tn_where(tn_gt_scalar(x, 0.7), tn_full_like(x, -INFINITY, TN_DTYPE_DEFAULT, TN_PRESERVE), x);
    return x;
}

static bool attention_is_shared(const attention_case *test) { return test->kh != test->h || test->vh != test->h; }

static tn_scalar attention_scale(const attention_case *test) {
    return test->scale == 0 ? TN_NO_SCALAR : tn_scalar_float(test->scale);
}

static void attention_compute(attention_call *call, const attention_case *test) {
    bool shared = attention_is_shared(test);
    tn_list *made = tn__scaled_dot_product_attention_forward(call->query, call->key, call->value, call->mask, call->kept,
                                                             test->p, test->causal, attention_scale(test), shared);
    CHECK(made);
    call->output = tn_list_at(made, 0);
    call->logs = tn_list_at(made, 1);
    tn_list *back =
        tn__scaled_dot_product_attention_backward(call->grad, call->query, call->key, call->value, call->output, call->logs,
                                                  call->mask, call->kept, test->p, test->causal, attention_scale(test), shared);
    CHECK(back);
    for (int i = 0; i < 3; i++)
        call->grads[i] = tn_list_at(back, i);
    if (test->mask > 3) {
        call->grads[3] = tn__scaled_dot_product_attention_mask_backward(call->grad, call->query, call->key, call->value,
                                                                        call->output, call->logs, call->mask, call->kept,
                                                                        test->p, test->causal, attention_scale(test), shared);
        CHECK(call->grads[3]);
    }
}

static void attention_make(attention_call *call, const attention_case *test) {
    *call = (attention_call){.query = attention_drawn(TN_DIMS(test->b, test->h, test->l, test->e), test->dtype),
                             .key = attention_drawn(TN_DIMS(test->kb, test->kh, test->s, test->e), test->dtype),
                             .value = attention_drawn(TN_DIMS(test->vb, test->vh, test->s, test->ev), test->dtype),
                             .grad = attention_drawn(TN_DIMS(test->b, test->h, test->l, test->ev), test->dtype),
                             .mask = attention_mask(test)};
    if (test->p > 0) {
        call->kept = tn__dropout_bits(call->query, TN_DIMS(test->b, test->h, test->l, test->s), test->p, NULL);
        CHECK(call->kept);
    }
    attention_compute(call, test);
}

/* All elements as double, row by row. */
static const double *attention_values(const tn_tensor *x) {
    static const double none[1] = {0};
    tn_tensor *wide = tn_clone(tn_to(x, TN_FLOAT64), TN_CONTIGUOUS);
    CHECK(wide);
    return tn_numel(wide) ? tn_data(wide) : none;
}

static double *attention_room(int64_t count) {
    tn_tensor *room = tn_zeros(TN_DIMS(count + 1), TN_FLOAT64);
    CHECK(room);
    return tn_mutable_data(room);
}

/* ---- the model: one batch and head with all its weights */

typedef struct attention_model {
    const attention_case *test;
    const double *query, *key, *value, *added, *grad; /* of the batch and head; added (l, s) or NULL */
    const uint8_t *kept;
    int64_t first; /* bit */
    double *output, *logs, *grad_query, *grad_key, *grad_value, *slopes;
} attention_model;

static void model_row(const attention_model *m, int64_t i) {
    const attention_case *test = m->test;
    double scale = test->scale != 0 ? test->scale
                   : test->e        ? 1 / sqrt((double)test->e)
                                    : 1,
           most = -INFINITY, total = 0, mean = 0;
    double *weights = malloc((size_t)(test->s + 1) * 2 * sizeof(double)), *factors = weights + test->s;
    for (int64_t j = 0; j < test->s; j++) {
        double score = 0;
        for (int64_t c = 0; c < test->e; c++)
            score += scale * m->query[i * test->e + c] * m->key[j * test->e + c];
        weights[j] = (test->causal && j > i ? -INFINITY : score) + (m->added ? m->added[i * test->s + j] : 0);
        most = weights[j] > most ? weights[j] : most;
        int64_t bit = m->first + i * test->s + j;
        factors[j] = !m->kept ? 1 : m->kept[bit / 8] >> bit % 8 & 1 ? 1 / (1 - test->p) : 0;
    }
    for (int64_t j = 0; j < test->s; j++)
        total += weights[j] = most == -INFINITY ? 0 : exp(weights[j] - most);
    m->logs[i] = total == 0 ? 0 : most + log(total);
    for (int64_t j = 0; j < test->s; j++) {
        weights[j] = total == 0 ? 0 : weights[j] / total;
        for (int64_t c = 0; c < test->ev; c++)
            m->output[i * test->ev + c] += weights[j] * factors[j] * m->value[j * test->ev + c];
    }
    for (int64_t c = 0; c < test->ev; c++)
        mean += m->grad[i * test->ev + c] * m->output[i * test->ev + c];
    for (int64_t j = 0; j < test->s; j++) {
        double change = 0;
        for (int64_t c = 0; c < test->ev; c++) {
            change += m->grad[i * test->ev + c] * m->value[j * test->ev + c];
            m->grad_value[j * test->ev + c] += weights[j] * factors[j] * m->grad[i * test->ev + c];
        }
        double slope = weights[j] * (change * factors[j] - mean);
        m->slopes[i * test->s + j] += slope;
        for (int64_t c = 0; c < test->e; c++) {
            m->grad_query[i * test->e + c] += scale * slope * m->key[j * test->e + c];
            m->grad_key[j * test->e + c] += scale * slope * m->query[i * test->e + c];
        }
    }
    free(weights);
}

/* ---- comparison */

/* `width` is how much larger than 1 numbers may be: many terms are summed. */
static void attention_same(const char *what, const attention_case *test, const tn_tensor *got, const double *expected,
                           int64_t count, double width) {
    const double *actual = attention_values(got);
    double off = test->dtype == TN_FLOAT64 ? 1e-13 : test->dtype == TN_FLOAT32 ? 2e-6 : test->dtype == TN_FLOAT16 ? 2e-3 : 2e-2;
    CHECK_INT(tn_numel(got), count);
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(actual[i] - expected[i]) <= off * (width + fabs(expected[i]))))
            test_fail(__FILE__, __LINE__,
                      "%s[%lld] is %.9g instead of %.9g: %s, l %lld s %lld e %lld ev %lld h %lld %lld %lld mask %d %s p %g",
                      what, (long long)i, actual[i], expected[i], tn_dtype_name(test->dtype), (long long)test->l,
                      (long long)test->s, (long long)test->e, (long long)test->ev, (long long)test->h, (long long)test->kh,
                      (long long)test->vh, test->mask, test->causal ? "causal" : "", test->p);
}

/* Where the mask of a batch and head begins in grads of the mask, which has its own batch sizes. */
static int64_t attention_mask_place(const attention_case *test, int64_t b, int64_t h) {
    int64_t place = test->mask == 4 ? h : test->mask == 5 ? b : b * test->h + h;
    return place * test->l * test->s;
}

static void attention_agrees(const attention_case *test) {
    attention_call call;
    attention_make(&call, test);
    int64_t l = test->l, s = test->s, e = test->e, ev = test->ev, all = test->b * test->h;
    int64_t places = test->mask == 4 ? test->h : test->mask == 5 ? test->b : test->mask == 6 ? all : 1;
    const double *query = attention_values(call.query), *key = attention_values(call.key),
                 *value = attention_values(call.value);
    const double *grad = attention_values(call.grad), *added = NULL;
    if (call.mask) {
        tn_tensor *sums = call.mask;
        if (test->mask < 4)
            sums = tn_where(call.mask, tn_zeros(TN_DIMS(1), TN_FLOAT64), tn_full(TN_DIMS(1), -INFINITY, TN_FLOAT64));
        added = attention_values(tn_expand(sums, TN_DIMS(test->b, test->h, l, s)));
    }
    double *output = attention_room(all * l * ev), *logs = attention_room(all * l), *slopes = attention_room(places * l * s);
    double *grads[3] = {attention_room(all * l * e), attention_room(test->kb * test->kh * s * e),
                        attention_room(test->vb * test->vh * s * ev)};
    for (int64_t b = 0; b < test->b; b++)
        for (int64_t h = 0; h < test->h; h++) {
            int64_t n = b * test->h + h, k = b % test->kb * test->kh + h / (test->h / test->kh),
                    v = b % test->vb * test->vh + h / (test->h / test->vh);
            attention_model model = {.test = test,
                                     .query = query + n * l * e,
                                     .key = key + k * s * e,
                                     .value = value + v * s * ev,
                                     .added = added ? added + n * l * s : NULL,
                                     .grad = grad + n * l * ev,
                                     .kept = call.kept ? tn_data(call.kept) : NULL,
                                     .first = n * l * s,
                                     .output = output + n * l * ev,
                                     .logs = logs + n * l,
                                     .grad_query = grads[0] + n * l * e,
                                     .grad_key = grads[1] + k * s * e,
                                     .grad_value = grads[2] + v * s * ev,
                                     .slopes = slopes + (test->mask > 3 ? attention_mask_place(test, b, h) : 0)};
            for (int64_t i = 0; i < l; i++)
                model_row(&model, i);
        }
    double width = 4 + 1 / (1 - test->p);
    attention_same("output", test, call.output, output, all * l * ev, width);
    attention_same("logsumexp", test, call.logs, logs, all * l, width);
    attention_same("grad_query", test, call.grads[0], grads[0], all * l * e, 10 * width);
    attention_same("grad_key", test, call.grads[1], grads[1], test->kb * test->kh * s * e, 40 * width);
    attention_same("grad_value", test, call.grads[2], grads[2], test->vb * test->vh * s * ev, 40 * width);
    if (test->mask > 3)
        attention_same("grad of attn_mask", test, call.grads[3], slopes, places * l * s, 10 * width);
}

static const tn_dtype attention_dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16};

static int64_t attention_size(void) {
    static const int64_t sizes[] = {1, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 47, 48, 49, 65};
    return sizes[test_random_between(0, 16)];
}

static attention_case attention_some(void) {
    static const int64_t heads[] = {1, 2, 3, 6};
    attention_case test = {.b = test_random_between(1, 2),
                           .h = 6,
                           .kh = 6,
                           .vh = 6,
                           .l = attention_size(),
                           .s = attention_size(),
                           .e = attention_size(),
                           .dtype = attention_dtypes[test_random_between(0, 3)],
                           .mask = (int)test_random_between(0, MASKS - 1),
                           .causal = test_random_between(0, 2) == 0,
                           .scale = test_random_between(0, 2) ? 0 : (double)test_random_between(-4, 4) / 4,
                           .p = test_random_between(0, 2) ? 0 : 0.25};
    test.ev = test_random_between(0, 1) ? test.e : attention_size();
    test.kb = test_random_between(0, 1) ? test.b : 1;
    test.vb = test_random_between(0, 1) ? test.b : 1;
    if (test_random_between(0, 1)) {
        test.kh = heads[test_random_between(0, 3)];
        test.vh = test_random_between(0, 1) ? test.kh : heads[test_random_between(0, 3)];
    } else
        test.h = test.kh = test.vh = test_random_between(1, 3);
    return test;
}

static void attention_at_levels(void (*test)(void)) {
    for (int level = 0; level <= (int)tn_cpu_level_detected(); level++) {
        CHECK_INT(tn_set_cpu_level((tn_cpu_level)level), TN_OK);
        test();
    }
    CHECK_INT(tn_set_cpu_level(tn_cpu_level_detected()), TN_OK);
}

static void attention_cases(void) {
    for (int round = 0; round < 60; round++) {
        tn_scope scope = tn_scope_open();
        attention_case test = attention_some();
        attention_agrees(&test);
        tn_scope_close(scope);
    }
}
TEST_ONCE(attention_and_its_gradients_agree_with_plain_loops) { attention_at_levels(attention_cases); }

/* More keys than a block has, and more rows than a task. */
static void attention_long_cases(void) {
    for (int round = 0; round < 6; round++) {
        tn_scope scope = tn_scope_open();
        attention_case test = {.b = 1,
                               .h = 2,
                               .kb = 1,
                               .kh = 1 + round % 2,
                               .vb = 1,
                               .vh = 1 + round % 2,
                               .e = 3,
                               .ev = 5,
                               .dtype = attention_dtypes[round % 2],
                               .mask = round,
                               .causal = round > 3};
        test.l = 200 + round;
        test.s = round % 2 ? 517 : 1030;
        attention_agrees(&test);
        tn_scope_close(scope);
    }
}
TEST_ONCE(blocks_of_keys_and_of_rows_are_put_together) { attention_at_levels(attention_long_cases); }

TEST_ONCE(attention_of_nothing_is_zeros_or_nothing) {
    static const int64_t sizes[][4] = {{0, 3, 4, 4}, {3, 0, 4, 4}, {3, 4, 0, 5}, {3, 4, 5, 0}, {0, 0, 0, 0}};
    for (int i = 0; i < 5; i++) {
        attention_case test = {.b = 2,
                               .h = 2,
                               .kb = 1,
                               .kh = 2,
                               .vb = 2,
                               .vh = 2,
                               .l = sizes[i][0],
                               .s = sizes[i][1],
                               .e = sizes[i][2],
                               .ev = sizes[i][3],
                               .dtype = TN_FLOAT32};
        attention_agrees(&test);
    }
    tn_tensor *none = tn_zeros(TN_DIMS(0, 2, 3, 4), TN_FLOAT32), *one = tn_ones(TN_DIMS(1, 2, 3, 4), TN_FLOAT32);
    tn_list *made = tn__scaled_dot_product_attention_forward(none, one, one, NULL, NULL, 0, false, TN_NO_SCALAR, false);
    CHECK(made);
    tn_list *back = tn__scaled_dot_product_attention_backward(tn_list_at(made, 0), none, one, one, tn_list_at(made, 0),
                                                              tn_list_at(made, 1), NULL, NULL, 0, false, TN_NO_SCALAR, false);
    CHECK(back && tn_equal(tn_list_at(back, 1), tn_zeros(TN_DIMS(1, 2, 3, 4), TN_FLOAT32)));
}

TEST(a_row_of_which_all_is_masked_gives_zeros) {
    tn_tensor *x = tn_ones(TN_DIMS(2, 3), TN_FLOAT32), *mask = tn_to(tn_eye(2, 2, TN_FLOAT32), TN_BOOL);
    CHECK(x && mask && tn_fill_(tn_select(mask, 0, 1), 0));
    tn_tensor *y = tn_scaled_dot_product_attention(x, x, x, mask, 0, false, TN_NO_SCALAR, false, NULL);
    CHECK(y);
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(0, 1)), 1);
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(1, 1)), 0);
}

TEST(numbers_that_are_not_finite_stay_in_their_row) {
    tn_tensor *x = tn_ones(TN_DIMS(3, 2), TN_FLOAT64), *value = tn_ones(TN_DIMS(3, 2), TN_FLOAT64);
    CHECK(x && value && tn_fill_(tn_select(x, 0, 1), NAN));
    tn_tensor *y = tn_scaled_dot_product_attention(x, value, value, NULL, 0, false, TN_NO_SCALAR, false, NULL);
    CHECK(y);
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(0, 0)), 1);
    CHECK(isnan(tn_get_double(y, TN_DIMS(1, 0))));
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(2, 1)), 1);
}

TEST(any_rank_of_two_or_more_is_taken) {
    tn_tensor *x = tn_rand(TN_DIMS(2, 3, 2, 4, 5), TN_FLOAT32, NULL), *y = tn_select(tn_select(x, 0, 1), 0, 2);
    CHECK(x && y);
    tn_tensor *all = tn_scaled_dot_product_attention(x, x, x, NULL, 0, true, 0.5, false, NULL);
    tn_tensor *some = tn_scaled_dot_product_attention(y, y, y, NULL, 0, true, 0.5, false, NULL);
    tn_tensor *one = tn_scaled_dot_product_attention(tn_select(y, 0, 1), tn_select(y, 0, 1), tn_select(y, 0, 1), NULL, 0, true,
                                                     0.5, false, NULL);
    CHECK(all && some && one);
    CHECK(tn_equal(tn_select(tn_select(all, 0, 1), 0, 2), some) && tn_equal(tn_select(some, 0, 1), one));
}

TEST(heads_that_are_views_are_not_copied) {
    tn_tensor *x = tn_rand(TN_DIMS(2, 7, 12), TN_FLOAT32, NULL);
    tn_tensor *heads = tn_transpose(tn_view(x, TN_DIMS(2, 7, 3, 4)), 1, 2);
    CHECK(heads);
    tn_counters before = tn_counters_now();
    tn_tensor *y = tn_scaled_dot_product_attention(heads, heads, heads, NULL, 0, true, TN_NO_SCALAR, false, NULL);
    CHECK(y);
    CHECK_INT(tn_counters_since(before).copies, 0);
    CHECK_INT(tn_stride(y, 1), 4); /* heads of a token are side by side, so this is a view too */
    CHECK(tn_view(tn_transpose(y, 1, 2), TN_DIMS(2, 7, 12)));
}

TEST(dropped_weights_are_those_that_dropout_would_drop) {
    for (int philox = 0; philox < 2; philox++) {
        tn_generator *generator = tn_generator_new(philox ? TN_PHILOX : TN_MT19937, 5);
        tn_tensor *x = tn_rand(TN_DIMS(2, 3, 5, 4), TN_FLOAT64, generator);
        CHECK(x && tn_generator_seed(generator, 11) == TN_OK);
        tn_tensor *y = tn_scaled_dot_product_attention(x, x, x, NULL, 0.4, false, 1, false, generator);
        CHECK(y && tn_generator_seed(generator, 11) == TN_OK);
        tn_tensor *weights = tn_dropout(tn_softmax(tn_matmul(x, tn_mT(x)), -1, TN_DTYPE_DEFAULT), 0.4, true, generator);
        tn_tensor *expected = tn_matmul(weights, x);
        CHECK(expected && tn_allclose(y, expected, 1e-12, 1e-12, false));
    }
    tn_tensor *x = tn_ones(TN_DIMS(3, 2), TN_FLOAT32);
    tn_tensor *y = tn_scaled_dot_product_attention(x, x, x, NULL, 1, false, 1, false, NULL);
    CHECK(y && tn_equal(y, tn_zeros(TN_DIMS(3, 2), TN_FLOAT32)));
}

TEST_ONCE(attention_has_the_same_bits_on_any_number_of_threads) {
    static const int64_t counts[] = {2, 3, 5, 8};
    int64_t before = tn_num_threads();
    for (int d = 0; d < 4; d++) {
        attention_case test = {.b = 2,
                               .h = 4,
                               .kb = 2,
                               .kh = 2,
                               .vb = 1,
                               .vh = 2,
                               .l = 130,
                               .s = 99,
                               .e = 20,
                               .ev = 24,
                               .dtype = attention_dtypes[d],
                               .mask = 3 + d,
                               .causal = d % 2,
                               .p = d % 2 ? 0.25 : 0};
        attention_call one, many;
        CHECK(tn_set_num_threads(1) == TN_OK);
        attention_make(&one, &test);
        for (int i = 0; i < 4; i++) {
            CHECK(tn_set_num_threads(counts[i]) == TN_OK);
            many = one;
            attention_compute(&many, &test);
            CHECK(tn_equal(one.output, many.output) && tn_equal(one.logs, many.logs));
            for (int k = 0; k < (test.mask > 3 ? 4 : 3); k++)
                CHECK(tn_equal(one.grads[k], many.grads[k]));
        }
    }
    CHECK(tn_set_num_threads(before) == TN_OK);
}

TEST_ONCE(attention_has_the_same_bits_in_any_layout) {
    tn_tensor *q = tn_rand(TN_DIMS(2, 3, 37, 20), TN_FLOAT32, NULL), *k = tn_rand(TN_DIMS(2, 3, 61, 20), TN_FLOAT32, NULL);
    tn_tensor *expected = tn_scaled_dot_product_attention(q, k, k, NULL, 0, false, TN_NO_SCALAR, false, NULL);
    tn_tensor *turned = tn_mT(tn_clone(tn_mT(k), TN_CONTIGUOUS));
    tn_tensor *y = tn_scaled_dot_product_attention(tn_flip(tn_clone(tn_flip(q, TN_DIMS(3)), TN_CONTIGUOUS), TN_DIMS(3)), turned,
                                                   turned, NULL, 0, false, TN_NO_SCALAR, false, NULL);
    CHECK(expected && y && tn_equal(expected, y));
}

TEST_ONCE(memory_does_not_grow_with_the_square_of_the_length) {
    tn_tensor *x = tn_zeros(TN_DIMS(1, 1, 20000, 8), TN_FLOAT32);
    tn_memory_stats stats = {.struct_size = sizeof stats};
    tn_memory_reset_peaks(TN_CPU);
    CHECK(x && tn_memory_stats_of(TN_CPU, &stats) == TN_OK);
    int64_t before = stats.bytes.current;
    tn_tensor *y = tn_scaled_dot_product_attention(tn_narrow(x, 2, 0, 64), x, x, NULL, 0, false, TN_NO_SCALAR, false, NULL);
    CHECK(y && tn_memory_stats_of(TN_CPU, &stats) == TN_OK);
    CHECK(stats.bytes.peak - before < 4 << 20); /* the weights alone are 5 MB */
}

TEST(attention_refuses_what_does_not_fit) {
    tn_tensor *q = tn_ones(TN_DIMS(2, 3, 5, 4), TN_FLOAT32), *k = tn_ones(TN_DIMS(2, 3, 6, 4), TN_FLOAT32);
    tn_tensor *v = tn_ones(TN_DIMS(2, 3, 6, 7), TN_FLOAT32), *row = tn_ones(TN_DIMS(4), TN_FLOAT32);
    CHECK(q && k && v && row);
#define ATTEND(q, k, v, mask, p, gqa) tn_scaled_dot_product_attention(q, k, v, mask, p, false, TN_NO_SCALAR, gqa, NULL)
    CHECK_ERROR(TN_ERROR_SHAPE, "key [4] float32 has 1 dimension, but", ATTEND(q, row, v, NULL, 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "convert key with to(float64)", ATTEND(tn_to(q, TN_FLOAT64), k, v, NULL, 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "must be float16",
                ATTEND(tn_to(q, TN_INT64), tn_to(k, TN_INT64), tn_to(v, TN_INT64), NULL, 0, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 3 of query has size 4 and dimension 3 of key has size 7",
                ATTEND(q, v, v, NULL, 0, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 2 of key has size 6 and dimension 2 of value has size 5",
                ATTEND(q, k, q, NULL, 0, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "sizes 3 and 2 in dimension 1",
                ATTEND(q, tn_narrow(k, 1, 0, 2), tn_narrow(v, 1, 0, 2), NULL, 0, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "the 2 heads of key", ATTEND(q, tn_narrow(k, 1, 0, 2), v, NULL, 0, true));
    CHECK_ERROR(TN_ERROR_INDEX, "dimension of heads", ATTEND(tn_select(tn_select(q, 0, 0), 0, 0), k, v, NULL, 0, true));
    CHECK_ERROR(TN_ERROR_SHAPE, "attn_mask [5, 7] float32 cannot be broadcast to the sizes of the weights, [2, 3, 5, 6]",
                ATTEND(q, k, v, tn_ones(TN_DIMS(5, 7), TN_FLOAT32), 0, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "attn_mask", ATTEND(q, k, v, tn_ones(TN_DIMS(1, 1, 1, 5, 6), TN_FLOAT32), 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "attn_mask", ATTEND(q, k, v, tn_ones(TN_DIMS(5, 6), TN_INT64), 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "attn_mask", ATTEND(q, k, v, tn_ones(TN_DIMS(5, 6), TN_FLOAT64), 0, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dropout_p is 1.5", ATTEND(q, k, v, NULL, 1.5, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dropout_p is nan", ATTEND(q, k, v, NULL, NAN, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "scale",
                tn_scaled_dot_product_attention(q, k, v, NULL, 0, false, tn_scalar_complex(1, 1), false, NULL));
#undef ATTEND
    tn_scalar none = TN_NO_SCALAR;
    tn_list *made = tn__scaled_dot_product_attention_forward(q, k, v, NULL, NULL, 0, false, none, false);
    CHECK(made);
    tn_tensor *out = tn_list_at(made, 0), *logs = tn_list_at(made, 1);
    CHECK_ERROR(
        TN_ERROR_SHAPE, "kept",
        tn__scaled_dot_product_attention_forward(q, k, v, NULL, tn_ones(TN_DIMS(22), TN_UINT8), 0.5, false, none, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "grad_output [2, 3, 5, 4] float32 must have the sizes [2, 3, 5, 7]",
                tn__scaled_dot_product_attention_backward(q, q, k, v, out, logs, NULL, NULL, 0, false, none, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "logsumexp",
                tn__scaled_dot_product_attention_backward(out, q, k, v, out, out, NULL, NULL, 0, false, none, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "grad",
                tn__scaled_dot_product_attention_backward(tn_to(out, TN_FLOAT64), q, k, v, out, logs, NULL, NULL, 0, false,
                                                          none, false));
    tn_tensor *mask = tn_ones(TN_DIMS(5, 6), TN_BOOL);
    CHECK(mask);
    CHECK_ERROR(TN_ERROR_DTYPE, "has no gradient",
                tn__scaled_dot_product_attention_mask_backward(out, q, k, v, out, logs, mask, NULL, 0, false, none, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "must have 4 dimensions",
                tn__scaled_dot_product_flash_attention_for_cpu(tn_select(q, 0, 0), k, k, 0, false, NULL, none));
    CHECK_ERROR(TN_ERROR_SHAPE, "last size", tn__scaled_dot_product_flash_attention_for_cpu(q, k, v, 0, false, NULL, none));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dropout_p",
                tn__scaled_dot_product_flash_attention_for_cpu(q, k, k, 0.5, false, NULL, none));
    CHECK_ERROR(TN_ERROR_DTYPE, "attn_mask", tn__scaled_dot_product_flash_attention_for_cpu(q, k, k, 0, false, mask, none));
    CHECK_ERROR(TN_ERROR_SHAPE, "size", tn__dropout_bits(q, TN_DIMS(-1), 0.5, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "p is 2", tn__dropout_bits(q, TN_DIMS(1), 2, NULL));
}

TEST(on_meta_attention_has_sizes_and_no_elements) {
    tn_device meta = {TN_META, 0};
    tn_tensor *x = tn_empty_device(TN_DIMS(2, 3, 5, 4), TN_FLOAT32, meta);
    CHECK(x);
    tn_tensor *y = tn_scaled_dot_product_attention(x, x, x, NULL, 0.5, false, TN_NO_SCALAR, false, NULL);
    CHECK(y);
    CHECK_INT(tn_device_of(y).type, TN_META);
    CHECK_INT(tn_size(y, 3), 4);
}

TEST_ONCE(attention_has_its_derivatives) {
    tn_tensor *q = grad_input(2, 3), *k = grad_input(4, 3), *v = grad_input(4, 2), *added = grad_input(4);
    CHECK(q && k && v && added);
    CHECK_FIRST_GRADIENTS("scaled_dot_product_attention", TN_VALUES(q, k, v));
    CHECK_FIRST_GRADIENTS("scaled_dot_product_attention", TN_VALUES(grad_strided(q, 1), k, v, added, 0.0, true, 0.7));
}
