/* autograd.c - tests of recording and of backward: which tensors want gradients, what is kept, what is refused, and what backward adds.
 *
 * Tests: src/autograd/slot.c, src/autograd/record.c, src/autograd/node.c, src/autograd/engine.c, src/autograd/leaf.c
 * Tests: src/autograd/backward.c, src/autograd/graph.c, src/autograd/gradcheck.c, src/autograd/node_map.c
 */
#include <pthread.h>

#include "autograd_helpers.h"

/* A leaf of float64. */
#define LEAF(...) tn_requires_grad_(TN_VECTOR(double, __VA_ARGS__), true)

static double grad_at(const tn_tensor *x, int64_t i) {
    tn_tensor *grad = tn_tensor_grad(x);
    return grad ? tn_get_double(grad, TN_DIMS(i)) : NAN;
}

/* ---- leaves */

TEST(a_tensor_requires_gradients_when_it_is_asked_to) {
    tn_tensor *x = TN_VECTOR(double, 1, 2), *whole = TN_VECTOR(int64_t, 1, 2);
    CHECK(x && whole);
    CHECK(!tn_requires_grad(x) && tn_is_leaf(x) && !tn_requires_grad(NULL) && tn_is_leaf(NULL));
    CHECK(tn_requires_grad_(x, true) == x);
    CHECK(tn_requires_grad(x) && tn_is_leaf(x) && (tn_keys_of(x) & TN_KEYS(TN_KEY_AUTOGRAD)));
    CHECK(tn_requires_grad_(x, false) == x && !tn_requires_grad(x) && tn_keys_of(x) == TN_KEYS(TN_KEY_CPU));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_requires_grad_(whole, true));
    CHECK(tn_requires_grad_(whole, false) == whole);
}

TEST(results_are_recorded_only_where_an_argument_wants_a_gradient) {
    tn_tensor *x = LEAF(1, 2), *c = TN_VECTOR(double, 3, 4);
    CHECK(x && c);
    tn_tensor *y = tn_mul(x, c), *z = tn_mul(c, c), *same = tn_eq(x, c);
    CHECK(y && z && same);
    CHECK(tn_requires_grad(y) && !tn_is_leaf(y));
    CHECK(!tn_requires_grad(z) && !tn_requires_grad(same));
    tn_node *node = tn_tensor_node(y);
    CHECK(node);
    TEST_DEFER(tn_node_release, node);
    CHECK_TEXT(tn_node_name(node), "MulBackward0");
    CHECK(!tn_tensor_node(z));
    CHECK_ERROR(TN_ERROR_STATE, "detach", tn_requires_grad_(y, false));
    CHECK(tn_requires_grad_(y, true) == y);
}

TEST(a_node_knows_where_its_inputs_come_from) {
    tn_tensor *x = LEAF(1, 2), *y = x ? tn_sum(tn_exp(x), TN_DTYPE_DEFAULT) : NULL;
    CHECK(y);
    tn_node *sum = tn_tensor_node(y);
    TEST_DEFER(tn_node_release, sum);
    CHECK_INT(tn_node_input_count(sum), 1);
    int64_t output = 7;
    tn_node *exponential = tn_node_input(sum, 0, &output);
    TEST_DEFER(tn_node_release, exponential);
    CHECK_TEXT(tn_node_name(exponential), "ExpBackward0");
    CHECK_INT(output, 0);
    tn_node *leaf = tn_node_input(exponential, 0, NULL);
    TEST_DEFER(tn_node_release, leaf);
    CHECK_TEXT(tn_node_name(leaf), "AccumulateGrad");
    CHECK_INT(tn_node_input_count(leaf), 0);
    CHECK_ERROR(TN_ERROR_INDEX, "input 1", tn_node_input(sum, 1, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "NULL", tn_node_name(NULL));
}

/* ---- backward */

TEST(backward_adds_to_the_gradients_of_leaves) {
    tn_tensor *x = LEAF(1, 2, 3), *y = LEAF(4, 5, 6);
    CHECK(x && y);
    for (int64_t round = 1; round <= 2; round++) {
        tn_tensor *loss = tn_sum(tn_mul(x, y), TN_DTYPE_DEFAULT);
        CHECK(loss);
        CHECK(tn_backward(loss, NULL) == TN_OK);
        CHECK_DOUBLE(grad_at(x, 1), 5 * (double)round);
        CHECK_DOUBLE(grad_at(y, 2), 3 * (double)round);
    }
    CHECK(tn_tensor_set_grad(x, NULL) == TN_OK && !tn_tensor_grad(x));
    tn_tensor *other = TN_VECTOR(double, 1, 1, 1);
    CHECK(other);
    CHECK(tn_tensor_set_grad(x, other) == TN_OK && tn_tensor_grad(x) == other);
    CHECK_ERROR(TN_ERROR_SHAPE, "[2]", tn_tensor_set_grad(x, TN_VECTOR(double, 1, 2)));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32", tn_tensor_set_grad(x, TN_VECTOR(float, 1, 2, 3)));
}

TEST(a_result_that_is_used_twice_gets_both_gradients) {
    tn_tensor *x = LEAF(2, 3);
    tn_tensor *y = tn_mul(x, x), *z = tn_add(tn_mul(y, y), y);
    CHECK(z);
    CHECK(tn_backward(z, TN_VECTOR(double, 1, 10)) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 0), 4 * 8 + 2 * 2);
    CHECK_DOUBLE(grad_at(x, 1), 10 * (4 * 27 + 2 * 3));
}

TEST(what_was_broadcast_is_summed_and_cast_back) {
    tn_tensor *row = tn_requires_grad_(TN_VECTOR(float, 1, 2), true), *m = tn_ones(TN_DIMS(3, 2), TN_FLOAT64),
              *one = tn_scalar_tensor(2, TN_FLOAT32);
    CHECK(row && m && tn_requires_grad_(one, true));
    tn_tensor *loss = tn_sum(tn_mul(tn_mul(m, row), one), TN_DTYPE_DEFAULT);
    CHECK(loss && tn_backward(loss, NULL) == TN_OK);
    tn_tensor *grad = tn_tensor_grad(row), *whole = tn_tensor_grad(one);
    CHECK(grad && whole);
    CHECK(tn_dtype_of(grad) == TN_FLOAT32 && tn_ndim(grad) == 1 && tn_dtype_of(whole) == TN_FLOAT32 && tn_ndim(whole) == 0);
    CHECK_DOUBLE(grad_at(row, 0), 6);
    CHECK_DOUBLE(tn_item_double(whole), 9);
}

TEST(a_root_needs_a_gradient_of_its_own_sizes) {
    tn_tensor *x = LEAF(1, 2), *y = x ? tn_exp(x) : NULL, *c = TN_VECTOR(double, 1, 2);
    CHECK(y && c);
    CHECK_ERROR(TN_ERROR_SHAPE, "[2]", tn_backward(y, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "[3]", tn_backward(y, TN_VECTOR(double, 1, 2, 3)));
    CHECK_ERROR(TN_ERROR_STATE, "requires no gradient", tn_backward(c, c));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "NULL", tn_backward(NULL, NULL));
    CHECK(!tn_tensor_grad(x));
    CHECK(tn_backward(y, c) == TN_OK);
}

TEST(a_graph_runs_again_only_if_it_was_retained) {
    tn_tensor *x = LEAF(1, 2), *y = x ? tn_sum(tn_exp(x), TN_DTYPE_DEFAULT) : NULL;
    CHECK(y);
    const tn_tensor *roots[] = {y};
    tn_backward_options options = {.struct_size = sizeof options, .retain_graph = true};
    CHECK(tn_backward_all(roots, NULL, 1, NULL, 0, &options) == TN_OK);
    CHECK(tn_backward(y, NULL) == TN_OK);
    CHECK_MEMORY();
    CHECK_ERROR(TN_ERROR_STATE, "retain_graph", tn_backward(y, NULL));
    CHECK_DOUBLE(grad_at(x, 0), 2 * exp(1.0));
}

TEST(a_leaf_may_be_a_root) {
    tn_tensor *x = LEAF(1, 2);
    CHECK(x && tn_backward(x, TN_VECTOR(double, 3, 4)) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 1), 4);
}

TEST(with_inputs_only_those_get_gradients) {
    tn_tensor *x = LEAF(2), *y = LEAF(3), *middle = tn_mul(x, y), *z = tn_sum(tn_mul(middle, middle), TN_DTYPE_DEFAULT);
    CHECK(z);
    const tn_tensor *roots[] = {z}, *inputs[] = {y, middle};
    CHECK(tn_backward_all(roots, NULL, 1, inputs, 2, NULL) == TN_OK);
    CHECK(!tn_tensor_grad(x));
    CHECK_DOUBLE(grad_at(y, 0), 2 * 6 * 2);
    CHECK_DOUBLE(grad_at(middle, 0), 12);
}

TEST(grad_gives_gradients_and_touches_no_leaf) {
    tn_tensor *x = LEAF(2), *y = LEAF(3), *unused = LEAF(1), *z = tn_sum(tn_mul(tn_mul(x, x), y), TN_DTYPE_DEFAULT);
    CHECK(z && unused);
    const tn_tensor *outputs[] = {z}, *inputs[] = {x, unused, y};
    tn_tensor *found[3];
    tn_backward_options options = {.struct_size = sizeof options, .retain_graph = true};
    tn_error code = tn_grad(outputs, NULL, 1, inputs, 3, &options, found);
    CHECK_MEMORY();
    CHECK(code == TN_ERROR_STATE && !found[0] && !found[2] && strstr(tn_error_message(), "input 1"));
    tn_error_clear();
    options.allow_unused = true;
    CHECK(tn_grad(outputs, NULL, 1, inputs, 3, &options, found) == TN_OK);
    CHECK(!found[1] && !tn_tensor_grad(x));
    CHECK_DOUBLE(tn_item_double(found[0]), 12);
    CHECK_DOUBLE(tn_item_double(found[2]), 4);
    const tn_tensor *plain[] = {found[0]};
    CHECK_ERROR(TN_ERROR_STATE, "input 0", tn_grad(outputs, NULL, 1, plain, 1, &options, found));
}

TEST(gradients_of_gradients_are_recorded_when_asked_for) {
    tn_tensor *x = LEAF(2), *y = tn_sum(tn_mul(tn_mul(x, x), x), TN_DTYPE_DEFAULT);
    CHECK(y);
    const tn_tensor *outputs[] = {y}, *inputs[] = {x};
    tn_tensor *first, *second, *third;
    tn_backward_options options = {.struct_size = sizeof options, .create_graph = true};
    CHECK(tn_grad(outputs, NULL, 1, inputs, 1, &options, &first) == TN_OK);
    CHECK(tn_requires_grad(first));
    CHECK_DOUBLE(tn_item_double(first), 12);
    outputs[0] = first;
    CHECK(tn_grad(outputs, NULL, 1, inputs, 1, &options, &second) == TN_OK);
    CHECK_DOUBLE(tn_item_double(second), 12);
    outputs[0] = second;
    CHECK(tn_grad(outputs, NULL, 1, inputs, 1, NULL, &third) == TN_OK);
    CHECK_DOUBLE(tn_item_double(third), 6);
    CHECK(!tn_requires_grad(third));
}

TEST(a_tensor_on_the_way_keeps_its_gradient_if_it_retains_it) {
    tn_tensor *x = LEAF(2, 3), *y = tn_mul(x, x), *z = tn_sum(tn_mul(y, y), TN_DTYPE_DEFAULT), *c = TN_VECTOR(double, 1, 2);
    CHECK(z && c);
    CHECK(tn_retain_grad(y) == TN_OK && tn_retains_grad(y) && !tn_retains_grad(x));
    CHECK_ERROR(TN_ERROR_STATE, "requires no gradient", tn_retain_grad(c));
    CHECK(tn_backward(z, NULL) == TN_OK);
    CHECK_DOUBLE(grad_at(y, 1), 18);
    CHECK(!tn_tensor_grad(z));
}

/* ---- modes */

TEST(nothing_is_recorded_while_gradients_are_off) {
    tn_tensor *x = LEAF(1, 2);
    CHECK(x && tn_grad_mode_now() == TN_GRAD_ON);
    CHECK(tn_grad_mode_set(TN_GRAD_OFF) == TN_GRAD_ON);
    tn_tensor *y = tn_exp(x), *changed = tn_mul_scalar_(x, 2);
    CHECK(tn_grad_mode_set(TN_GRAD_INFERENCE) == TN_GRAD_OFF && tn_grad_mode_now() == TN_GRAD_INFERENCE);
    CHECK(tn_grad_mode_set(TN_GRAD_ON) == TN_GRAD_INFERENCE);
    CHECK(y && changed == x);
    CHECK(!tn_requires_grad(y) && tn_requires_grad(x) && tn_is_leaf(x));
}

TEST(a_detached_tensor_has_no_history) {
    tn_tensor *x = LEAF(1, 2), *y = tn_exp(x), *apart = tn_detach(y);
    CHECK(apart && !tn_requires_grad(apart) && tn_is_leaf(apart));
    CHECK(tn_detach_(y) == y && !tn_requires_grad(y) && tn_is_leaf(y));
    CHECK(tn_requires_grad_(y, true) == y);
}

/* ---- in place */

TEST(a_change_in_place_is_recorded) {
    tn_tensor *x = LEAF(1, 2), *y = LEAF(3, 4), *made = tn_mul(x, x), *plain = TN_VECTOR(double, 1, 1);
    CHECK(made && plain && y);
    CHECK(tn_mul_(made, y) == made && tn_add_(made, x) == made && tn_copy_(plain, made) == plain);
    CHECK(tn_requires_grad(plain) && !tn_is_leaf(plain));
    CHECK(tn_backward(plain, TN_VECTOR(double, 1, 1)) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 1), 2 * 2 * 4 + 1);
    CHECK_DOUBLE(grad_at(y, 1), 4);
}

TEST(what_cannot_be_recorded_is_refused_before_anything_is_written) {
    tn_tensor *x = LEAF(1, 2), *c = TN_VECTOR(double, 5, 6), *out = TN_VECTOR(double, 7, 8), *view = tn_view(c, TN_DIMS(2, 1));
    CHECK(x && c && out && view);
    CHECK_ERROR(TN_ERROR_STATE, "leaf", tn_add_(x, c));
    CHECK_ERROR(TN_ERROR_STATE, "self requires a gradient", tn_add_out(out, x, c));
    CHECK_ERROR(TN_ERROR_STATE, "shares its memory", tn_add_(c, x));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0)), 1);
    CHECK_DOUBLE(tn_get_double(out, TN_DIMS(0)), 7);
    CHECK_DOUBLE(tn_get_double(c, TN_DIMS(0)), 5);
}

TEST(a_tensor_that_a_derivative_needs_must_not_be_changed) {
    tn_tensor *x = LEAF(1, 2), *y = tn_exp(x), *z = tn_mul(y, y);
    CHECK(z && tn_add_scalar_(y, 1) == y);
    CHECK_ERROR(TN_ERROR_STATE, "version", tn_backward(z, TN_VECTOR(double, 1, 1)));
    tn_tensor *w = tn_exp(x), *sum = tn_add(w, w);
    CHECK(sum && tn_neg_(w) == w); /* of a sum nothing is kept; exp keeps its result */
    CHECK_ERROR(TN_ERROR_STATE, "derivative of exp", tn_backward(sum, TN_VECTOR(double, 1, 1)));
}

TEST(only_what_is_needed_is_kept) {
    tn_tensor *x = LEAF(1, 2), *c = TN_VECTOR(double, 3, 4), *y = tn_mul(x, c);
    CHECK(y);
    int64_t before = tn_use_count(x);
    CHECK_INT(tn_use_count(c), 2);
    tn_tensor *z = tn_mul(c, tn_exp(x));
    CHECK(z);
    CHECK_INT(tn_use_count(c), 3);
    CHECK_INT(tn_use_count(x), before);
    CHECK(tn_backward(y, TN_VECTOR(double, 1, 1)) == TN_OK);
    CHECK_INT(tn_use_count(c), 2);
}

/* ---- memory */

enum { LONG_CHAIN = 1000000 };

TEST_ONCE(a_chain_of_a_million_operators_runs_and_is_freed) { /* seconds long */
    tn_tensor *x = LEAF(1), *y = x;
    CHECK(x);
    for (int i = 0; i < LONG_CHAIN; i++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *next = tn_keep(tn_add_scalar(y, 1));
        tn_scope_close(scope);
        if (i)
            tn_release(y);
        CHECK(next);
        y = next;
    }
    tn_error code = tn_backward(y, TN_VECTOR(double, 2));
    tn_release(y);
    CHECK(code == TN_OK);
    CHECK_DOUBLE(grad_at(x, 0), 2);
}

TEST(a_leaf_lives_as_long_as_a_graph_that_leads_to_it) {
    tn_tensor *x = LEAF(1, 2), *y = x ? tn_sum(tn_mul(x, x), TN_DTYPE_DEFAULT) : NULL;
    CHECK(y);
    tn_release(x);
    CHECK(tn_backward(y, NULL) == TN_OK);
}

/* ---- what else calls operators */

static tn_error pass_on(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    ++*(int *)ctx;
    return tn_redispatch(frame, arguments, result);
}

static void drop_mode(void *unused) {
    (void)unused;
    (void)tn_fallback_unregister(TN_KEY_INNER_0);
    (void)tn_fallback_unregister(TN_KEY_OUTER_0);
    tn_keys_set((tn_key_state){0, 0});
}

TEST(calls_by_name_and_under_modes_are_recorded_too) {
    static int outer, inner;
    outer = inner = 0;
    tn_tensor *x = LEAF(1, 2);
    CHECK(x);
    tn_tensor *y = tn_call_tensor("mul", TN_VALUES(x, x));
    CHECK(y && tn_requires_grad(y));
    CHECK(tn_fallback_register(TN_KEY_INNER_0, TN_KERNEL(pass_on, &inner)) == TN_OK);
    TEST_DEFER(drop_mode, NULL);
    CHECK(tn_fallback_register(TN_KEY_OUTER_0, TN_KERNEL(pass_on, &outer)) == TN_OK);
    tn_keys_include(TN_KEYS(TN_KEY_INNER_0) | TN_KEYS(TN_KEY_OUTER_0));
    tn_tensor *z = tn_mul(y, x);
    tn_keys_set((tn_key_state){0, 0});
    CHECK(z && tn_requires_grad(z) && outer == 1 && inner == 1);
    CHECK(tn_backward(z, TN_VECTOR(double, 1, 1)) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 1), 12);
}

static tn_error cube(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    (void)frame;
    const tn_tensor *x = arguments.items[0].as.tensor;
    *result = TN_V(tn_mul(tn_mul(x, x), x));
    return TN_OK;
}

static void drop_cube(void *unused) {
    (void)unused;
    (void)tn_operator_unregister("test::cube");
}

TEST(an_operator_of_the_program_made_of_operators_has_their_derivatives) {
    CHECK(tn_operator_register("test::cube", "(tensor self) -> tensor", NULL));
    TEST_DEFER(drop_cube, NULL);
    CHECK(tn_kernel_register("test::cube", TN_KEY_ANY, TN_KERNEL(cube, NULL)) == TN_OK);
    CHECK_GRADIENTS("test::cube", TN_VALUES(grad_input(3)));
}

TEST(a_wrong_derivative_is_found) {
    tn_tensor *x = LEAF(1, 2);
    CHECK(x);
    CHECK_ERROR(TN_ERROR_STATE, "no argument", tn_gradcheck_call("exp", TN_VALUES(tn_detach(x))));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no operator", tn_gradcheck_call("nothing", TN_VALUES(x)));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32", tn_gradcheck_call("exp", TN_VALUES(tn_requires_grad_(TN_VECTOR(float, 1), true))));
}

/* ---- threads */

enum { THREADS = 4, ROUNDS = 200 };

static void *add_to_a_shared_leaf(void *leaf) {
    for (int i = 0; i < ROUNDS; i++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *loss = tn_sum(tn_mul(leaf, leaf), TN_DTYPE_DEFAULT);
        bool done = loss && tn_backward(loss, NULL) == TN_OK;
        tn_scope_close(scope);
        if (!done)
            return leaf;
    }
    return NULL;
}

TEST_ONCE(threads_add_to_the_same_leaf) { /* threads */
    tn_tensor *x = LEAF(1, 2);
    CHECK(x);
    pthread_t threads[THREADS];
    void *failed[THREADS];
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, add_to_a_shared_leaf, x) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], &failed[i]) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(!failed[i]);
    CHECK_DOUBLE(grad_at(x, 1), 4.0 * THREADS * ROUNDS);
}
