/* autograd_bindings.c - tests of what bindings to other languages need: other memory for a leaf, and what the program's objects hold.
 *
 * Tests: src/autograd/slot.c, src/autograd/function.c, src/autograd/hook.c, src/autograd/rebase.c
 */
#include "autograd_helpers.h"

#define LEAF(...) tn_requires_grad_(TN_VECTOR(double, __VA_ARGS__), true)

TEST(a_leaf_may_get_other_memory_and_stays_what_it_is_in_the_graph) {
    tn_tensor *x = LEAF(1, 2), *other = TN_VECTOR(float, 3, 4, 5);
    CHECK(x && other);
    CHECK(tn_set_data(x, other) == x);
    CHECK(tn_requires_grad(x) && tn_is_leaf(x) && tn_dtype_of(x) == TN_FLOAT32 && tn_size(x, 0) == 3);
    CHECK(tn_storage_of(x) == tn_storage_of(other));
    tn_tensor *y = tn_sum(tn_mul(x, x), TN_DTYPE_DEFAULT);
    CHECK(y);
    CHECK(tn_backward(y, NULL) == TN_OK);
    tn_tensor *grad = tn_tensor_grad(x);
    CHECK(grad && tn_dtype_of(grad) == TN_FLOAT32);
    CHECK(tn_get_double(grad, TN_DIMS(2)) == 10);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "source is NULL", tn_set_data(x, NULL));
}

TEST(a_view_that_was_made_before_there_were_gradients_learns_its_base) {
    tn_tensor *x = LEAF(2, 3), *base = TN_VECTOR(double, 1, 1, 1, 1), *view = base ? tn_slice(base, 0, 1, 3, 1) : NULL;
    CHECK(x && view);
    CHECK_ERROR(TN_ERROR_STATE, "shares its memory", tn_mul_(view, x));
    CHECK(tn_view_attach(view, base) == TN_OK && tn_view_attach(view, base) == TN_OK && tn_view_attach(base, base) == TN_OK);
    CHECK(!tn_requires_grad(view) && !tn_requires_grad(base));
    CHECK(tn_mul_(view, x) == view && tn_requires_grad(base));
    tn_node *node = tn_tensor_node(view);
    TEST_DEFER(tn_node_release, node);
    CHECK(node && tn_requires_grad(view));
    CHECK(tn_backward(tn_sum(tn_mul(base, base), TN_DTYPE_DEFAULT), NULL) == TN_OK);
    tn_tensor *grad = tn_tensor_grad(x);
    CHECK(grad && tn_get_double(grad, TN_DIMS(1)) == 6);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "base is NULL", tn_view_attach(view, NULL));
}

TEST(a_view_does_not_learn_its_base_where_a_third_tensor_would_not_know) {
    tn_tensor *x = LEAF(2, 3), *base = TN_VECTOR(double, 1, 1), *view = base ? tn_alias(base) : NULL;
    tn_tensor *third = view ? tn_alias(base) : NULL;
    CHECK(x && third);
    CHECK(tn_view_attach(view, base) == TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "shares its memory", tn_mul_(view, x));
}

/* ---- contexts */

static tn_error see(void *ctx, const tn_tensor *grad, tn_tensor **replacement) {
    (void)ctx, (void)grad, (void)replacement;
    return TN_OK;
}

static tn_error derive(void *ctx, const tn_node *node, const tn_tensor *const *grads, int64_t grad_count, tn_tensor **results,
                       int64_t input_count) {
    (void)ctx, (void)node, (void)grad_count, (void)input_count;
    results[0] = (tn_tensor *)(uintptr_t)grads[0];
    return TN_OK;
}

static void end(void *ctx) { ++*(int *)ctx; }

static void visit(void *arg, void *ctx, tn_deleter deleter) {
    if (deleter == end && ctx)
        ++*(int *)arg;
}

TEST(contexts_are_those_that_a_tensor_alone_holds) {
    static int hook_ends, function_ends; /* contexts end with the scope, when this function may have left */
    int seen = 0;
    hook_ends = function_ends = 0;
    tn_tensor *x = LEAF(1, 2), *y = x ? tn_clone(tn_detach(x), TN_PRESERVE) : NULL;
    CHECK(y);
    tn_hook *hook = tn_hook_gradient(x, see, &hook_ends, end);
    CHECK(hook);
    TEST_DEFER(tn_hook_release, hook);
    tn_tensor_contexts(x, visit, &seen);
    CHECK_INT(seen, 1);
    tn_function function = {.struct_size = sizeof function, .backward = derive, .ctx = &function_ends, .deleter = end};
    CHECK(tn_record(&function, (const tn_tensor *const[]){x}, 1, (tn_tensor *const[]){y}, 1, NULL, 0) == TN_OK);
    seen = 0;
    tn_tensor_contexts(x, visit, &seen); /* the graph holds it too */
    CHECK_INT(seen, 0);
    tn_tensor_contexts(y, visit, &seen);
    CHECK_INT(seen, 1);
    tn_node *node = tn_tensor_node(y);
    TEST_DEFER(tn_node_release, node);
    seen = 0;
    tn_tensor_contexts(y, visit, &seen); /* and so does a handle the node */
    CHECK_INT(seen, 0);
    tn_node_contexts(node, visit, &seen);
    CHECK_INT(seen, 1);
    tn_node_contexts(NULL, visit, &seen);
    tn_tensor_contexts(NULL, visit, &seen);
    CHECK_INT(seen, 1);
    tn_hook_remove(hook);
    CHECK_INT(hook_ends, 1);
    CHECK(tn_backward(tn_sum(y, TN_DTYPE_DEFAULT), NULL) == TN_OK);
    CHECK_INT(function_ends, 1);
    seen = 0;
    tn_node_contexts(node, visit, &seen); /* it has run for the last time */
    CHECK_INT(seen, 0);
}

static tn_error derive_from_saved(void *ctx, const tn_node *node, const tn_tensor *const *grads, int64_t grad_count,
                                  tn_tensor **results, int64_t input_count) {
    (void)ctx, (void)grads, (void)grad_count, (void)input_count;
    return (results[0] = tn_node_saved(node, 0)) != NULL ? TN_OK : tn_error_code();
}

TEST(a_saved_tensor_that_was_changed_since_is_not_given_out) {
    tn_tensor *x = LEAF(1, 2), *y = x ? tn_clone(tn_detach(x), TN_PRESERVE) : NULL;
    CHECK(y);
    tn_function function = {.struct_size = sizeof function, .backward = derive_from_saved};
    const tn_tensor *saved = y;
    CHECK(tn_record(&function, (const tn_tensor *const[]){x}, 1, (tn_tensor *const[]){y}, 1, &saved, 1) == TN_OK);
    tn_tensor *sum = tn_sum(y, TN_DTYPE_DEFAULT), *plain = tn_detach(y);
    CHECK(sum && plain && tn_zero_(plain));
    CHECK_ERROR(TN_ERROR_STATE, "version", tn_backward(sum, NULL));
    CHECK(!tn_tensor_grad(x));
}
