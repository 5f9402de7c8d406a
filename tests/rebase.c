/* rebase.c - tests of changes in place through views, as gradients see them. */
#include "autograd_helpers.h"

#define LEAF(...) tn_requires_grad_(TN_VECTOR(double, __VA_ARGS__), true)

static double grad_at(const tn_tensor *x, int64_t i) {
    tn_tensor *grad = tn_tensor_grad(x);
    return grad ? tn_get_double(grad, TN_DIMS(i)) : NAN;
}

TEST(a_change_of_a_view_is_a_change_of_its_base) {
    tn_tensor *x = LEAF(1, 2, 3, 4), *y = tn_mul_scalar(x, 10), *part = tn_slice(y, 0, 1, 3, 1), *k = LEAF(5, 6);
    CHECK(part && k);
    CHECK(tn_mul_(part, k) == part);
    CHECK(tn_requires_grad(part) && tn_requires_grad(y));
    tn_node *node = tn_tensor_node(y), *own = tn_tensor_node(part);
    TEST_DEFER(tn_node_release, node);
    TEST_DEFER(tn_node_release, own);
    CHECK(node && own);
    CHECK_TEXT(tn_node_name(node), "CopySlices");
    CHECK_TEXT(tn_node_name(own), "AsStridedBackward0");
    CHECK(tn_backward(y, TN_VECTOR(double, 1, 1, 1, 1)) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 0), 10);
    CHECK_DOUBLE(grad_at(x, 1), 50);
    CHECK_DOUBLE(grad_at(x, 2), 60);
    CHECK_DOUBLE(grad_at(k, 0), 20);
    CHECK_DOUBLE(grad_at(k, 1), 30);
}

TEST(other_views_of_the_base_see_the_change) {
    tn_tensor *x = LEAF(1, 2, 3, 4), *y = tn_mul_scalar(x, 10);
    tn_tensor *row = tn_view(y, TN_DIMS(2, 2)), *first = tn_select(y, 0, 0), *k = LEAF(7);
    CHECK(row && first && k);
    CHECK(tn_copy_(first, tn_select(k, 0, 0)) == first);
    CHECK(tn_backward(tn_sum(tn_mul(row, row), TN_DTYPE_DEFAULT), NULL) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 0), 0);
    CHECK_DOUBLE(grad_at(x, 1), 2 * 20 * 10);
    CHECK_DOUBLE(grad_at(k, 0), 14);
}

TEST(a_change_of_the_base_reaches_a_view_made_before) {
    tn_tensor *x = LEAF(1, 2), *y = tn_mul_scalar(x, 3), *view = tn_flip(y, TN_DIMS(0));
    CHECK(view && tn_mul_(y, x) == y);
    CHECK(tn_backward(view, TN_VECTOR(double, 1, 10)) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 0), 10 * 2 * 3 * 1);
    CHECK_DOUBLE(grad_at(x, 1), 1 * 2 * 3 * 2);
}

TEST(views_of_views_and_several_changes_add_up) {
    tn_tensor *x = LEAF(1, 2, 3, 4, 5, 6), *y = tn_mul(x, x), *m = tn_view(y, TN_DIMS(2, 3)), *column = tn_select(m, 1, 1);
    CHECK(column && tn_add_scalar_(column, 1) == column && tn_mul_scalar_(m, 2) == m && tn_mul_scalar_(column, 5) == column);
    CHECK(tn_backward(tn_sum(y, TN_DTYPE_DEFAULT), NULL) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 0), 2 * 2 * 1);
    CHECK_DOUBLE(grad_at(x, 1), 10 * 2 * 2);
    CHECK_DOUBLE(grad_at(x, 4), 10 * 2 * 5);
}

TEST(parts_of_complex_numbers_are_changed_as_other_views_are) {
    tn_tensor *x = LEAF(1, 2, 3, 4), *y = tn_view_as_complex(tn_view(tn_mul_scalar(x, 10), TN_DIMS(2, 2))), *z = tn_mul(y, y);
    tn_tensor *real = tn_real(z), *pairs = tn_view_as_real(z), *k = LEAF(5, 6);
    CHECK(real && pairs && k);
    CHECK(tn_mul_(real, k) == real);
    /* z = (10 + 20i)^2 and (30 + 40i)^2: the real parts -300 k0 and -700 k1, the imaginary 400 and 2400 */
    CHECK_DOUBLE(tn_get_double(tn_select(pairs, 0, 1), TN_DIMS(0)), -700 * 6);
    CHECK(tn_backward(tn_sum(pairs, TN_DTYPE_DEFAULT), NULL) == TN_OK);
    CHECK_DOUBLE(grad_at(k, 0), -300);
    CHECK_DOUBLE(grad_at(k, 1), -700);
    CHECK_DOUBLE(grad_at(x, 0), 10 * (5 * 2 * 10 + 2 * 20));
    CHECK_DOUBLE(grad_at(x, 1), 10 * (5 * -2 * 20 + 2 * 10));
    CHECK_DOUBLE(grad_at(x, 2), 10 * (6 * 2 * 30 + 2 * 40));
    CHECK_DOUBLE(grad_at(x, 3), 10 * (6 * -2 * 40 + 2 * 30));
}

TEST(complex_views_of_real_numbers_are_changed_as_other_views_are) {
    tn_tensor *x = LEAF(1, 2, 3, 4, 5), *y = tn_mul_scalar(x, 10);
    tn_tensor *pairs = tn_view_as_complex(tn_view(tn_slice(y, 0, 0, 4, 1), TN_DIMS(2, 2))), *whole = tn_slice(y, 0, 1, 5, 1);
    CHECK(pairs && whole);
    CHECK(tn_mul_(tn_select(pairs, 0, 1), tn_select(pairs, 0, 0)));
    /* (30 + 40i) (10 + 20i): -500 and 1000 */
    CHECK_DOUBLE(tn_get_double(whole, TN_DIMS(1)), -500);
    CHECK(tn_backward(tn_sum(whole, TN_DTYPE_DEFAULT), NULL) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 0), 10 * (30 + 40));
    CHECK_DOUBLE(grad_at(x, 1), 10 * (30 - 40 + 1));
    CHECK_DOUBLE(grad_at(x, 2), 10 * (10 + 20));
    CHECK_DOUBLE(grad_at(x, 3), 10 * (10 - 20));
    CHECK_DOUBLE(grad_at(x, 4), 10);
}

/* A kept view that held its base would be a circle; the runner counts what is left. */
TEST(a_change_that_keeps_another_view_of_the_same_tensor_is_freed_without_backward) {
    tn_tensor *x = LEAF(1, 2, 3, 4), *y = tn_mul_scalar(x, 10), *w = LEAF(1);
    CHECK(tn_mul_(tn_slice(y, 0, 1, 4, 1), tn_slice(y, 0, 0, 1, 1)));
    CHECK(tn_add_(tn_slice(y, 0, 1, 4, 1), tn_mul(tn_slice(y, 0, 0, 1, 1), w)));
}

TEST(what_cannot_be_changed_through_a_view_is_refused) {
    tn_tensor *x = LEAF(1, 2, 3, 4), *view = tn_slice(x, 0, 0, 2, 1), *y = tn_exp(x);
    tn_list *parts = y ? tn_split(y, 2, 0) : NULL;
    CHECK(view && parts);
    CHECK_ERROR(TN_ERROR_STATE, "leaf", tn_mul_scalar_(view, 2));
    CHECK_ERROR(TN_ERROR_STATE, "several views", tn_mul_scalar_(tn_list_at(parts, 0), 2));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0)), 1);
}

TEST(a_geometry_that_changes_in_place_is_recorded) {
    tn_tensor *x = tn_requires_grad_(tn_ones(TN_DIMS(2, 3), TN_FLOAT64), true), *y = tn_mul_scalar(x, 2);
    CHECK(y && tn_t_(y) == y && tn_unsqueeze_(y, 0) == y);
    tn_tensor *weight = tn_view(tn_arange(6, TN_FLOAT64), TN_DIMS(1, 3, 2));
    CHECK(weight && tn_backward(tn_sum(tn_mul(y, weight), TN_DTYPE_DEFAULT), NULL) == TN_OK);
    tn_tensor *grad = tn_tensor_grad(x);
    CHECK(grad);
    CHECK_DOUBLE(tn_get_double(grad, TN_DIMS(1, 2)), 2 * 5);
    CHECK_DOUBLE(tn_get_double(grad, TN_DIMS(0, 1)), 2 * 2);
    CHECK_ERROR(TN_ERROR_STATE, "leaf", tn_t_(x));
}

TEST(a_kept_tensor_whose_geometry_changed_is_found) {
    tn_tensor *x = tn_requires_grad_(tn_ones(TN_DIMS(2, 3), TN_FLOAT64), true), *c = tn_ones(TN_DIMS(2, 3), TN_FLOAT64),
              *y = tn_mul(x, c);
    CHECK(y && tn_t_(c) == c);
    CHECK_ERROR(TN_ERROR_STATE, "version", tn_backward(y, y));
}

static tn_list *change_a_part(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    (void)ctx;
    (void)count;
    tn_tensor *base = tn_mul(inputs[0], inputs[0]);
    tn_tensor *part = tn_transpose(tn_slice(base, 1, 0, TN_NONE, 2), 0, 1);
    const tn_tensor *made = tn_mul_(part, inputs[1]) && tn_exp_(tn_select(part, 0, 0)) ? base : NULL;
    return tn_list_new(&made, 1);
}

TEST_SAMPLED(changes_of_parts_agree_with_differences_twice) {
    tn_tensor *x = grad_input(2, 4), *k = grad_input(2, 2);
    CHECK(x && k);
    const tn_tensor *inputs[] = {x, k};
    CHECK(tn_gradcheck(change_a_part, NULL, inputs, 2, NULL) == TN_OK);
    CHECK(tn_gradgradcheck(change_a_part, NULL, inputs, 2, NULL) == TN_OK);
}

/* b changes in place, is detached, and its old view v is used. (PyTorch makes v's history again from what b is then.) */
TEST(a_view_whose_base_was_changed_and_then_detached_has_no_history) {
    tn_tensor *x = tn_requires_grad_(tn_ones(TN_DIMS(4), TN_FLOAT64), true), *b = x ? tn_mul_scalar(x, tn_scalar_int(3)) : NULL;
    tn_tensor *v = b ? tn_narrow(b, 0, 0, 2) : NULL;
    CHECK(v && tn_mul_scalar_(b, tn_scalar_int(2)) && tn_detach_(b));
    CHECK(tn_requires_grad(v) && !tn_requires_grad(b));
    CHECK(tn_backward(v, tn_ones(TN_DIMS(2), TN_FLOAT64)) == TN_OK);
    CHECK(!tn_tensor_grad(x));
}

TEST(a_view_whose_base_was_only_detached_keeps_its_history_until_something_is_written) {
    tn_tensor *x = tn_requires_grad_(tn_ones(TN_DIMS(4), TN_FLOAT64), true), *b = x ? tn_mul_scalar(x, tn_scalar_int(3)) : NULL;
    tn_tensor *v = b ? tn_narrow(b, 0, 0, 2) : NULL, *ones = tn_ones(TN_DIMS(2), TN_FLOAT64);
    CHECK(v && ones && tn_detach_(b));
    CHECK(tn_backward(v, ones) == TN_OK);
    CHECK(grad_at(x, 1) == 3);
    CHECK(tn_mul_scalar_(b, tn_scalar_int(5)));
    CHECK(tn_tensor_set_grad(x, NULL) == TN_OK);
    CHECK(tn_backward(v, ones) == TN_OK);
    CHECK(!tn_tensor_grad(x));
}

TEST(a_view_that_was_changed_itself_keeps_what_it_was_changed_with_when_its_base_is_detached) {
    tn_tensor *w = tn_requires_grad_(tn_ones(TN_DIMS(2), TN_FLOAT64), true);
    tn_tensor *x = tn_requires_grad_(tn_ones(TN_DIMS(4), TN_FLOAT64), true), *b = x ? tn_mul_scalar(x, tn_scalar_int(3)) : NULL;
    tn_tensor *v = b ? tn_narrow(b, 0, 0, 2) : NULL;
    CHECK(w && v && tn_mul_(v, w) && tn_detach_(b));
    CHECK(tn_backward(v, tn_ones(TN_DIMS(2), TN_FLOAT64)) == TN_OK);
    CHECK(grad_at(w, 0) == 3);
    CHECK(grad_at(x, 0) == 3);
}
