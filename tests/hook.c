/* hook.c - tests of functions of the program that backward calls on its way. */
#include "autograd_helpers.h"

#define LEAF(...) tn_requires_grad_(TN_VECTOR(double, __VA_ARGS__), true)

static double grad_at(const tn_tensor *x, int64_t i) {
    tn_tensor *grad = tn_tensor_grad(x);
    return grad ? tn_get_double(grad, TN_DIMS(i)) : NAN;
}

static char hook_log[200];
static int hook_ended;

static void note(const char *what) {
    size_t used = strlen(hook_log);
    snprintf(hook_log + used, sizeof hook_log - used, "%s ", what);
}

static void hook_end(void *ctx) {
    (void)ctx;
    hook_ended++;
}

static tn_error see(void *ctx, const tn_tensor *grad, tn_tensor **replacement) {
    (void)grad;
    (void)replacement;
    note(ctx);
    return TN_OK;
}

static tn_error twice(void *ctx, const tn_tensor *grad, tn_tensor **replacement) {
    note(ctx);
    *replacement = tn_mul_scalar(grad, 2);
    return *replacement ? TN_OK : tn_error_code();
}

static tn_error see_node(void *ctx, tn_node *node, tn_tensor **grads, int64_t count, const tn_tensor *const *given,
                         int64_t given_count) {
    (void)node;
    (void)grads;
    (void)given;
    char text[40];
    snprintf(text, sizeof text, "%s%d/%d", (const char *)ctx, (int)count, (int)given_count);
    note(text);
    return TN_OK;
}

static tn_error see_leaf(void *ctx, tn_tensor *tensor) {
    note(tn_tensor_grad(tensor) ? ctx : "nothing");
    return TN_OK;
}

static void begin(void) {
    hook_log[0] = 0;
    hook_ended = 0;
}

TEST(hooks_run_in_their_order) {
    begin();
    tn_tensor *x = LEAF(1, 2), *y = tn_mul(x, x);
    CHECK(y);
    tn_node *node = tn_tensor_node(y);
    CHECK(node);
    TEST_DEFER(tn_node_release, node);
    CHECK(tn_retain_grad(y) == TN_OK);
    tn_hook *hooks[] = {tn_hook_before(node, see_node, "before", NULL), tn_hook_after(node, see_node, "after", NULL),
                        tn_hook_gradient(y, twice, "y", NULL), tn_hook_gradient(x, see, "x", NULL),
                        tn_hook_accumulated(x, see_leaf, "added", NULL)};
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
        TEST_DEFER(tn_hook_release, hooks[i]);
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
        CHECK(hooks[i]);
    CHECK(tn_backward(y, TN_VECTOR(double, 1, 1)) == TN_OK);
    CHECK_TEXT(hook_log, "y before1/0 after2/1 x added ");
    CHECK_DOUBLE(grad_at(x, 1), 2 * 2 * 2);
    CHECK_DOUBLE(grad_at(y, 1), 2);
}

static tn_error tenfold(void *ctx, tn_node *node, tn_tensor **grads, int64_t count, const tn_tensor *const *given,
                        int64_t given_count) {
    (void)ctx, (void)node, (void)given, (void)given_count;
    for (int64_t i = 0; i < count; i++)
        if (!tn_mul_scalar_(grads[i], 10))
            return tn_error_code();
    return TN_OK;
}

TEST(a_gradient_is_retained_before_the_hooks_of_the_node_and_once) {
    tn_tensor *x = LEAF(1, 2), *y = tn_mul(x, x);
    tn_node *node = tn_tensor_node(y);
    TEST_DEFER(tn_node_release, node);
    tn_hook *hook = tn_hook_before(node, tenfold, NULL, NULL);
    TEST_DEFER(tn_hook_release, hook);
    CHECK(hook && tn_retain_grad(y) == TN_OK);
    tn_backward_options keep = {.struct_size = sizeof keep, .retain_graph = true};
    const tn_tensor *const ends[] = {y}, *const grads[] = {TN_VECTOR(double, 3, 3)};
    CHECK(tn_backward_all(ends, grads, 1, ends, 1, &keep) == TN_OK);
    CHECK_DOUBLE(grad_at(y, 1), 3);
    CHECK(tn_backward_all(ends, grads, 1, NULL, 0, &keep) == TN_OK);
    CHECK_DOUBLE(grad_at(y, 1), 6);
    CHECK_DOUBLE(grad_at(x, 1), 2 * 2 * 30);
}

TEST(hooks_of_a_node_see_no_gradients_of_indices) {
    begin();
    tn_tensor *x = LEAF(2, 1), *values = tn_list_at(tn_sort(x, 0, false), 0);
    CHECK(values);
    tn_node *node = tn_tensor_node(values);
    TEST_DEFER(tn_node_release, node);
    tn_hook *hook = tn_hook_after(node, see_node, "after", NULL);
    TEST_DEFER(tn_hook_release, hook);
    CHECK(hook && tn_backward(values, TN_VECTOR(double, 1, 1)) == TN_OK);
    CHECK_TEXT(hook_log, "after1/1 ");
}

TEST(a_removed_hook_is_not_called_and_gives_back_what_it_held) {
    begin();
    tn_tensor *x = LEAF(1, 2), *y = tn_exp(x);
    CHECK(y);
    tn_hook *hook = tn_hook_gradient(y, see, "y", hook_end);
    CHECK(hook);
    tn_hook_remove(hook);
    CHECK_INT(hook_ended, 1);
    tn_hook_remove(hook);
    tn_hook_release(hook);
    tn_hook_remove(NULL);
    tn_hook_release(NULL);
    CHECK(tn_backward(y, TN_VECTOR(double, 1, 1)) == TN_OK);
    CHECK_TEXT(hook_log, "");
    CHECK_INT(hook_ended, 1);
}

static tn_error remove_itself(void *ctx, const tn_tensor *grad, tn_tensor **replacement) {
    (void)grad;
    (void)replacement;
    note("once");
    tn_hook_remove(*(tn_hook **)ctx);
    return TN_OK;
}

TEST(a_hook_may_remove_itself) {
    begin();
    static tn_hook *own;
    tn_tensor *x = LEAF(1, 2);
    CHECK(x);
    own = tn_hook_gradient(x, remove_itself, &own, hook_end);
    CHECK(own);
    TEST_DEFER(tn_hook_release, own);
    for (int i = 0; i < 2; i++)
        CHECK(tn_backward(tn_sum(tn_exp(x), TN_DTYPE_DEFAULT), NULL) == TN_OK);
    CHECK_TEXT(hook_log, "once ");
    CHECK_INT(hook_ended, 1);
}

static tn_error fail(void *ctx, const tn_tensor *grad, tn_tensor **replacement) {
    (void)ctx;
    (void)grad;
    (void)replacement;
    return tn_error_raise(TN_ERROR_IO, "hook", "the hook says no");
}

static tn_error wrong_size(void *ctx, const tn_tensor *grad, tn_tensor **replacement) {
    (void)ctx;
    *replacement = tn_sum(grad, TN_DTYPE_DEFAULT);
    return *replacement ? TN_OK : tn_error_code();
}

TEST(what_a_hook_says_stops_backward) {
    begin();
    tn_tensor *x = LEAF(1, 2), *y = tn_exp(x), *c = TN_VECTOR(double, 1, 1);
    CHECK(y && c);
    tn_hook *hook = tn_hook_gradient(y, fail, NULL, NULL);
    CHECK(hook);
    TEST_DEFER(tn_hook_release, hook);
    CHECK_ERROR(TN_ERROR_IO, "says no", tn_backward(y, c));
    CHECK(!tn_tensor_grad(x));
    tn_hook_remove(hook);
    tn_hook *other = tn_hook_gradient(y, wrong_size, NULL, NULL);
    CHECK(other);
    TEST_DEFER(tn_hook_release, other);
    CHECK_ERROR(TN_ERROR_SHAPE, "hook", tn_backward(y, c));
    tn_hook_remove(other);
    CHECK(tn_backward(y, c) == TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "requires no gradient", tn_hook_gradient(c, see, "c", NULL));
    CHECK_ERROR(TN_ERROR_STATE, "computed", tn_hook_accumulated(y, see_leaf, "y", NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "NULL", tn_hook_gradient(x, NULL, NULL, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "NULL", tn_hook_before(NULL, see_node, NULL, NULL));
}
