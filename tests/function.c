/* function.c - tests of functions of the program that have derivatives of their own. */
#include "autograd_helpers.h"

#define LEAF(...) tn_requires_grad_(TN_VECTOR(double, __VA_ARGS__), true)

static double grad_at(const tn_tensor *x, int64_t i) {
    tn_tensor *grad = tn_tensor_grad(x);
    return grad ? tn_get_double(grad, TN_DIMS(i)) : NAN;
}

static int ended;
static void count_end(void *ctx) {
    (void)ctx;
    ended++;
}

/* x -> (x^3, x^2), with x and the second result saved. */
static tn_error powers_backward(void *ctx, const tn_node *node, const tn_tensor *const *grads, int64_t grad_count,
                                tn_tensor **results, int64_t input_count) {
    (void)ctx;
    if (grad_count != 2 || input_count != 1 || !tn_node_wants(node, 0) || tn_node_wants(node, 1))
        return tn_error_raise(TN_ERROR_INTERNAL, "powers", "the derivative got other numbers of tensors");
    tn_tensor *x = tn_node_saved(node, 0), *square = tn_node_saved(node, 1);
    tn_tensor *cubes = tn_mul(grads[0], tn_mul_scalar(square, 3)), *squares = tn_mul(grads[1], tn_mul_scalar(x, 2));
    results[0] = tn_add(cubes, squares);
    return results[0] ? TN_OK : tn_error_code();
}

static tn_list *powers(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    (void)count;
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *square = tn_mul(inputs[0], inputs[0]), *cube = tn_mul(square, inputs[0]);
    (void)tn_grad_mode_set(before);
    tn_function function = {.struct_size = sizeof function,
                            .name = "PowersBackward",
                            .backward = powers_backward,
                            .ctx = ctx,
                            .deleter = count_end};
    tn_tensor *outputs[] = {cube, square};
    const tn_tensor *saved[] = {inputs[0], square};
    if (!cube || tn_record(&function, inputs, 1, outputs, 2, saved, 2) != TN_OK)
        return NULL;
    return tn_list_new((const tn_tensor *const *)outputs, 2);
}

TEST(a_function_of_the_program_has_the_derivative_it_says) {
    ended = 0;
    tn_tensor *x = LEAF(2, 3);
    CHECK(x);
    const tn_tensor *input = x;
    tn_list *made = powers(NULL, &input, 1);
    CHECK(made);
    tn_tensor *cube = tn_list_at(made, 0), *square = tn_list_at(made, 1);
    CHECK(tn_requires_grad(cube) && tn_tensor_node_output(square) == 1);
    tn_node *node = tn_tensor_node(cube);
    TEST_DEFER(tn_node_release, node);
    CHECK_TEXT(tn_node_name(node), "PowersBackward");
    CHECK_INT(tn_node_saved_count(node), 2);
    CHECK(tn_backward(cube, TN_VECTOR(double, 1, 1)) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 1), 27);
    CHECK_INT(ended, 1);
    CHECK_ERROR(TN_ERROR_STATE, "already run", tn_node_saved(node, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "2", tn_node_saved(node, 2));
    CHECK_ERROR(TN_ERROR_STATE, "already run", tn_backward(square, TN_VECTOR(double, 1, 1)));
}

TEST_SAMPLED(its_derivative_has_derivatives_if_it_is_made_of_operators) {
    tn_tensor *x = grad_input(3);
    CHECK(x);
    const tn_tensor *input = x;
    CHECK(tn_gradcheck(powers, NULL, &input, 1, NULL) == TN_OK);
    CHECK(tn_gradgradcheck(powers, NULL, &input, 1, NULL) == TN_OK);
}

TEST(nothing_is_recorded_where_no_gradient_is_wanted) {
    ended = 0;
    tn_tensor *x = TN_VECTOR(double, 1, 2), *leaf = LEAF(1);
    CHECK(x && leaf);
    const tn_tensor *input = x;
    tn_list *made = powers(NULL, &input, 1);
    CHECK(made && !tn_requires_grad(tn_list_at(made, 0)));
    CHECK_INT(ended, 1);
}

TEST(what_a_function_saved_must_not_be_changed) {
    ended = 0;
    tn_tensor *x = LEAF(2, 3);
    CHECK(x);
    const tn_tensor *input = x;
    tn_list *made = powers(NULL, &input, 1);
    CHECK(made);
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *changed = tn_add_scalar_(x, 1);
    (void)tn_grad_mode_set(before);
    CHECK(changed);
    CHECK_ERROR(TN_ERROR_STATE, "PowersBackward", tn_backward(tn_list_at(made, 0), TN_VECTOR(double, 1, 1)));
}

static tn_error double_backward(void *ctx, const tn_node *node, const tn_tensor *const *grads, int64_t grad_count,
                                tn_tensor **results, int64_t input_count) {
    (void)ctx;
    (void)node;
    (void)grad_count;
    (void)input_count;
    results[0] = tn_mul_scalar(grads[0], 2);
    return results[0] ? TN_OK : tn_error_code();
}

TEST(a_function_may_change_an_input_in_place) {
    tn_tensor *x = LEAF(1, 2), *y = tn_mul_scalar(x, 3);
    CHECK(y);
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *changed = tn_mul_scalar_(y, 2);
    (void)tn_grad_mode_set(before);
    CHECK(changed);
    tn_function function = {.struct_size = sizeof function, .backward = double_backward, .once = true};
    const tn_tensor *inputs[] = {y}, *leaves[] = {x};
    tn_tensor *outputs[] = {y}, *leaf[] = {x}, *other[] = {tn_exp(x)};
    CHECK(other[0]);
    CHECK(tn_record(&function, inputs, 1, outputs, 1, NULL, 0) == TN_OK);
    CHECK(tn_backward(y, TN_VECTOR(double, 1, 1)) == TN_OK);
    CHECK_DOUBLE(grad_at(x, 0), 6);
    CHECK_ERROR(TN_ERROR_STATE, "leaf", tn_record(&function, leaves, 1, leaf, 1, NULL, 0));
    CHECK_ERROR(TN_ERROR_STATE, "history", tn_record(&function, leaves, 1, other, 1, NULL, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "function", tn_record(NULL, leaves, 1, other, 1, NULL, 0));
}

/* ---- a registered operator */

static tn_error tripled(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    (void)frame;
    *result = TN_V(tn_mul_scalar(tn_detach(arguments.items[0].as.tensor), 3));
    return TN_OK;
}

static tn_error tripled_backward(void *ctx, const tn_node *node, const tn_tensor *const *grads, int64_t grad_count,
                                 tn_tensor **results, int64_t input_count) {
    (void)ctx;
    (void)node;
    (void)grad_count;
    (void)input_count;
    results[0] = tn_mul_scalar(grads[0], 3);
    return results[0] ? TN_OK : tn_error_code();
}

static tn_error tripled_recorded(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    tn_error code = tn_redispatch(frame, arguments, result);
    if (code != TN_OK)
        return code;
    const tn_tensor *input = arguments.items[0].as.tensor;
    tn_function function = {.struct_size = sizeof function, .name = "TripledBackward", .backward = tripled_backward};
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_ON);
    code = tn_record(&function, &input, 1, &result->as.tensor, 1, NULL, 0);
    (void)tn_grad_mode_set(before);
    return code;
}

static void drop_tripled(void *unused) {
    (void)unused;
    (void)tn_operator_unregister("test::tripled");
}

TEST(a_registered_operator_gets_a_derivative_at_the_key_of_gradients) {
    CHECK(tn_operator_register("test::tripled", "(tensor self) -> tensor", NULL));
    TEST_DEFER(drop_tripled, NULL);
    CHECK(tn_kernel_register("test::tripled", TN_KEY_CPU, TN_KERNEL(tripled, NULL)) == TN_OK);
    CHECK(tn_kernel_register("test::tripled", TN_KEY_AUTOGRAD, TN_KERNEL(tripled_recorded, NULL)) == TN_OK);
    CHECK_GRADIENTS("test::tripled", TN_VALUES(grad_input(3)));
}
