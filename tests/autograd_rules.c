/* autograd_rules.c - tests of PyTorch's rules about gradients, one rule a test: in which order nodes run, whose memory a gradient is,
 * what may be changed and when, and what nested runs and empty or strided inputs do. */
#include "autograd_helpers.h"

#define LEAF(...) tn_requires_grad_(TN_VECTOR(double, __VA_ARGS__), true)
#define SUM(x) tn_sum((x), TN_DTYPE_DEFAULT)

static double grad_at(const tn_tensor *x, int64_t i) {
    tn_tensor *grad = tn_tensor_grad(x);
    return grad ? tn_get_double(grad, TN_DIMS(i)) : NAN;
}

static char rules_log[64];

static tn_error log_gradient(void *ctx, const tn_tensor *grad, tn_tensor **replacement) {
    (void)grad;
    (void)replacement;
    size_t used = strlen(rules_log);
    (void)snprintf(rules_log + used, sizeof rules_log - used, "%s", (const char *)ctx);
    return TN_OK;
}

static bool logs(tn_tensor *x, const char *name) {
    tn_hook *hook = x ? tn_hook_gradient(x, log_gradient, (void *)(uintptr_t)name, NULL) : NULL;
    tn_hook_release(hook);
    return hook != NULL;
}

/* ---- order */

TEST(what_was_computed_later_runs_first) {
    rules_log[0] = 0;
    tn_tensor *x = LEAF(1, 2), *a = tn_exp(x), *b = tn_sin(x), *c = tn_cos(x);
    CHECK(logs(a, "a") && logs(b, "b") && logs(c, "c"));
    CHECK(tn_backward(SUM(tn_add(tn_add(c, a), b)), NULL) == TN_OK);
    CHECK_TEXT(rules_log, "cba");
}

TEST(a_leaf_gets_its_gradient_as_soon_as_all_of_it_is_there) {
    rules_log[0] = 0;
    tn_tensor *first = LEAF(1, 2), *last = LEAF(3, 4);
    CHECK(logs(first, "f") && logs(last, "l"));
    for (int round = 0; round < 2; round++) { /* in the second, the nodes of both have been used before */
        rules_log[0] = 0;
        tn_scope scope = tn_scope_open();
        tn_tensor *a = tn_exp(first), *b = tn_mul(a, last);
        bool done = logs(a, "a") && tn_backward(SUM(b), NULL) == TN_OK;
        tn_scope_close(scope);
        CHECK(done);
        CHECK_TEXT(rules_log, "laf");
    }
}

TEST(a_hook_stays_with_the_node_that_the_tensor_had) {
    rules_log[0] = 0;
    tn_tensor *x = LEAF(1, 2), *y = tn_mul_scalar(x, 3);
    CHECK(logs(y, "before"));
    CHECK(tn_mul_scalar_(y, 2) && logs(y, "after"));
    CHECK(tn_backward(SUM(y), NULL) == TN_OK);
    CHECK_TEXT(rules_log, "afterbefore");
    CHECK_DOUBLE(grad_at(x, 0), 6);
}

/* ---- whose memory */

TEST(no_two_tensors_share_a_gradient) {
    tn_tensor *a = LEAF(1, 2), *b = LEAF(3, 4), *seed = TN_VECTOR(double, 1, 1);
    CHECK(a && b && seed);
    CHECK(tn_backward(tn_add(a, b), seed) == TN_OK);
    tn_tensor *ga = tn_tensor_grad(a), *gb = tn_tensor_grad(b);
    CHECK(ga && gb && !tn_shares_memory(ga, gb) && !tn_shares_memory(ga, seed) && !tn_shares_memory(gb, seed));
    CHECK(tn_fill_(ga, 7) && tn_get_double(gb, TN_DIMS(0)) == 1 && tn_get_double(seed, TN_DIMS(0)) == 1);
}

TEST(a_gradient_that_is_retained_on_the_way_is_not_the_leafs) {
    tn_tensor *x = LEAF(1, 2), *y = tn_view(x, TN_DIMS(2, 1)), *z = y ? tn_neg(y) : NULL;
    CHECK(z && tn_retain_grad(y) == TN_OK && tn_retain_grad(z) == TN_OK);
    CHECK(tn_backward(SUM(z), NULL) == TN_OK);
    CHECK(!tn_shares_memory(tn_tensor_grad(y), tn_tensor_grad(x)));
    CHECK(!tn_shares_memory(tn_tensor_grad(y), tn_tensor_grad(z)));
    CHECK_DOUBLE(grad_at(x, 1), -1);
}

TEST(a_gradient_has_the_strides_of_its_leaf_where_that_has_no_gaps) {
    tn_tensor *rows = grad_input(2, 3), *columns = rows ? grad_strided(rows, 0) : NULL,
              *gaps = columns ? grad_strided(rows, 1) : NULL;
    CHECK(gaps);
    tn_tensor *loss = SUM(tn_mul(tn_mul(rows, columns), gaps));
    CHECK(loss && tn_backward(loss, NULL) == TN_OK);
    CHECK_INT(tn_strides(tn_tensor_grad(rows)).values[0], 3);
    CHECK_INT(tn_strides(tn_tensor_grad(columns)).values[0], 1);
    CHECK_INT(tn_strides(tn_tensor_grad(gaps)).values[0], 3);
    tn_tensor *ones = SUM(columns); /* its gradient is one number that is repeated */
    CHECK(tn_tensor_set_grad(columns, NULL) == TN_OK && tn_backward(ones, NULL) == TN_OK);
    CHECK_INT(tn_strides(tn_tensor_grad(columns)).values[0], 1);
    CHECK_INT(tn_strides(tn_tensor_grad(columns)).values[1], 2);
}

TEST(a_gradient_that_somebody_holds_is_added_to_in_place) {
    tn_tensor *x = LEAF(1, 2);
    CHECK(x && tn_backward(SUM(x), NULL) == TN_OK);
    tn_tensor *held = tn_tensor_grad(x);
    CHECK(held && tn_backward(SUM(x), NULL) == TN_OK);
    CHECK(tn_tensor_grad(x) == held && tn_get_double(held, TN_DIMS(0)) == 2);
    tn_backward_options create = {sizeof create, .create_graph = true};
    tn_tensor *loss = SUM(tn_mul(x, x));
    CHECK(loss && tn_backward_all((const tn_tensor *[]){loss}, NULL, 1, NULL, 0, &create) == TN_OK);
    CHECK(tn_tensor_grad(x) != held && tn_get_double(held, TN_DIMS(0)) == 2 && grad_at(x, 0) == 4);
    CHECK(tn_tensor_set_grad(x, NULL) == TN_OK); /* the gradient leads to x, which holds it */
}

/* ---- modes */

TEST(modes_nest_and_belong_to_their_thread) {
    tn_tensor *x = LEAF(1, 2);
    CHECK(x);
    tn_grad_mode outer = tn_grad_mode_set(TN_GRAD_OFF), inner = tn_grad_mode_set(TN_GRAD_ON);
    CHECK(outer == TN_GRAD_ON && inner == TN_GRAD_OFF);
    tn_tensor *y = tn_exp(x);
    (void)tn_grad_mode_set(TN_GRAD_INFERENCE);
    tn_tensor *z = y ? tn_exp(x) : NULL;
    tn_grad_mode last = tn_grad_mode_now();
    (void)tn_grad_mode_set(TN_GRAD_ON);
    CHECK(y && z && last == TN_GRAD_INFERENCE);
    CHECK(tn_requires_grad(y) && !tn_requires_grad(z));
}

TEST(leaves_are_changed_in_place_while_gradients_are_off) {
    tn_tensor *x = LEAF(1, 2);
    CHECK(x);
    CHECK_ERROR(TN_ERROR_STATE, "leaf", tn_mul_scalar_(x, 2));
    CHECK_ERROR(TN_ERROR_STATE, "view of a leaf", tn_mul_scalar_(tn_select(x, 0, 0), 2));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0)), 1);
    (void)tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *changed = tn_mul_scalar_(x, 2);
    (void)tn_grad_mode_set(TN_GRAD_ON);
    CHECK(changed && tn_requires_grad(x) && tn_is_leaf(x) && tn_get_double(x, TN_DIMS(0)) == 2);
}

TEST(what_one_call_split_is_not_changed_in_place) {
    tn_tensor *x = LEAF(1, 2, 3), *y = tn_mul_scalar(x, 2);
    tn_list *parts = y ? tn_unbind(y, 0) : NULL;
    CHECK(parts);
    CHECK_ERROR(TN_ERROR_STATE, "several views", tn_zero_(tn_list_at(parts, 1)));
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(1)), 4);
}

/* ---- runs inside runs */

typedef struct nested {
    tn_tensor *x;
    tn_error code;
} nested;

static tn_error run_another(void *ctx, const tn_tensor *grad, tn_tensor **replacement) {
    (void)grad;
    (void)replacement;
    nested *n = ctx;
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_ON);
    tn_tensor *loss = SUM(tn_mul(n->x, n->x));
    (void)tn_grad_mode_set(before);
    return loss ? tn_backward(loss, NULL) : tn_error_code();
}

TEST(a_hook_may_run_backward_over_the_same_leaf) {
    static nested n;
    n.x = LEAF(1, 2);
    tn_tensor *y = tn_mul_scalar(n.x, 10);
    tn_hook *hook = y ? tn_hook_gradient(y, run_another, &n, NULL) : NULL;
    CHECK(hook);
    TEST_DEFER(tn_hook_release, hook);
    CHECK(tn_backward(SUM(y), NULL) == TN_OK);
    CHECK_DOUBLE(grad_at(n.x, 0), 10 + 2);
    CHECK_DOUBLE(grad_at(n.x, 1), 10 + 4);
}

TEST(more_nodes_than_are_looked_through_may_wait) {
    enum { WIDE = 40 };
    tn_tensor *x = LEAF(1, 2), *parts[WIDE], *total = NULL;
    CHECK(x);
    for (int i = 0; i < WIDE; i++) {
        parts[i] = tn_mul_scalar(x, i);
        CHECK(parts[i]);
    }
    total = tn_sum(tn_stack((const tn_tensor *const *)parts, WIDE, 0), TN_DTYPE_DEFAULT); /* all of them wait at once */
    CHECK(total && tn_backward(total, NULL) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 0), WIDE * (WIDE - 1) / 2);
    tn_tensor *found = NULL;
    total = tn_sum(tn_stack((const tn_tensor *const *)parts, WIDE, 0), TN_DTYPE_DEFAULT);
    CHECK(total && tn_grad((const tn_tensor *[]){total}, NULL, 1, (const tn_tensor *[]){parts[7]}, 1, NULL, &found) == TN_OK);
    CHECK_DOUBLE(tn_get_double(found, TN_DIMS(0)), 1);
}

/* ---- steps */

static int64_t bytes_in_use(void) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    return tn_memory_stats_of(TN_CPU, &stats) == TN_OK ? (int64_t)stats.bytes.current : -1;
}

TEST(memory_does_not_grow_from_step_to_step) {
    tn_tensor *w = grad_input(4, 4), *x = grad_fill(TN_DIMS(2, 4), TN_FLOAT64, false);
    int64_t after[2] = {0};
    CHECK(w && x);
    for (int step = 0; step < 6; step++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *loss = SUM(tn_tanh(tn_mm(x, w)));
        tn_error code = tn_backward(loss, NULL);
        tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
        tn_tensor *changed = code == TN_OK ? tn_sub_(w, tn_mul_scalar(tn_tensor_grad(w), 0.1)) : NULL;
        (void)tn_grad_mode_set(before);
        code = changed ? tn_tensor_set_grad(w, NULL) : code;
        tn_scope_close(scope);
        CHECK(changed && code == TN_OK);
        after[step % 2] = bytes_in_use();
    }
    CHECK_INT(after[0], after[1]);
}

/* ---- functions of tensors */

static tn_list *square(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    (void)ctx;
    (void)count;
    const tn_tensor *made = tn_mul(inputs[0], inputs[0]);
    return made ? tn_list_new(&made, 1) : NULL;
}

TEST(derivatives_of_nothing_are_empty) {
    tn_tensor *none = tn_zeros(TN_DIMS(0, 3), TN_FLOAT64);
    CHECK(none);
    const tn_tensor *inputs[] = {none};
    tn_list *back = tn_vjp(square, NULL, inputs, 1, inputs, false);
    tn_list *on = back ? tn_jvp(square, NULL, inputs, 1, inputs, false) : NULL;
    tn_list *whole = on ? tn_jacobian(square, NULL, inputs, 1, false) : NULL;
    CHECK(whole);
    CHECK_INT(tn_numel(tn_list_at(back, 0)), 0);
    CHECK_INT(tn_sizes(tn_list_at(on, 0)).values[1], 3);
    CHECK_INT(tn_ndim(tn_list_at(whole, 0)), 4);
    CHECK(tn_requires_grad_(none, true));
    CHECK(tn_gradcheck(square, NULL, inputs, 1, NULL) == TN_OK);
    CHECK(tn_gradgradcheck(square, NULL, inputs, 1, NULL) == TN_OK);
}

TEST(derivatives_of_complex_and_strided_inputs_agree_with_differences) {
    tn_tensor *z = grad_complex(2, 2), *rows = z ? grad_input(2, 3) : NULL;
    CHECK(rows);
    CHECK(tn_gradcheck(square, NULL, (const tn_tensor *[]){z}, 1, NULL) == TN_OK);
    CHECK(tn_gradgradcheck(square, NULL, (const tn_tensor *[]){z}, 1, NULL) == TN_OK);
    for (int way = 0; way < 3; way++) {
        tn_tensor *strided = grad_strided(rows, way);
        CHECK(strided);
        CHECK(tn_gradcheck(square, NULL, (const tn_tensor *[]){strided}, 1, NULL) == TN_OK);
        tn_list *on = tn_jvp(square, NULL, (const tn_tensor *[]){strided}, 1, (const tn_tensor *[]){strided}, false);
        CHECK(on);
        double at = tn_get_double(rows, TN_DIMS(1, 2));
        CHECK(fabs(tn_get_double(tn_list_at(on, 0), TN_DIMS(1, 2)) - 2 * at * at) < 1e-12);
    }
}

/* ---- inference */

TEST(what_was_made_in_inference_mode_is_neither_changed_nor_kept_outside_of_it) {
    tn_tensor *x = LEAF(1, 2);
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_INFERENCE);
    tn_tensor *made = tn_ones(TN_DIMS(2), TN_FLOAT64), *view = tn_view(made, TN_DIMS(2, 1)), *computed = tn_mul(x, x),
              *old = tn_view(x, TN_DIMS(2));
    bool changed = tn_add_scalar_(made, 1) != NULL;
    (void)tn_grad_mode_set(before);
    CHECK(x && made && view && computed && old && changed);
    CHECK(tn_is_inference(made) && tn_is_inference(view) && tn_is_inference(computed));
    CHECK(!tn_is_inference(old) && !tn_is_inference(x) && !tn_is_inference(NULL));
    CHECK_ERROR(TN_ERROR_STATE, "inference mode", tn_add_scalar_(made, 1));
    CHECK_ERROR(TN_ERROR_STATE, "inference mode", tn_zero_(view));
    CHECK_ERROR(TN_ERROR_STATE, "inference mode", tn_add_out(computed, made, made));
    CHECK_ERROR(TN_ERROR_STATE, "inference mode", tn_set_element(made, TN_DIMS(0), tn_scalar_float(3)));
    CHECK_ERROR(TN_ERROR_STATE, "inference mode", tn_requires_grad_(made, true));
    CHECK_ERROR(TN_ERROR_STATE, "inference mode", tn_mul(x, made));
    CHECK_ERROR(TN_ERROR_STATE, "inference mode", tn_matmul(x, made));
    CHECK_ERROR(TN_ERROR_STATE, "inference mode", tn_mul_(tn_exp(x), made));
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(0)), 2);
    tn_tensor *sum = tn_add(x, made), *own = tn_clone(made, TN_PRESERVE);
    CHECK(sum && own && tn_requires_grad(sum) && !tn_is_inference(own)); /* which need not keep it */
    CHECK(tn_add_scalar_(own, 1) && tn_mul(x, own));
    CHECK(tn_mutable_data(made)); /* an address is an address */
}
