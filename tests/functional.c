/* functional.c - tests of derivatives of functions, of computing again instead of keeping, and of the graph as text.
 *
 * Tests: src/autograd/functional.c, src/autograd/checkpoint.c, src/autograd/graph_show.c
 */
#include "autograd_helpers.h"

#define LEAF(...) tn_requires_grad_(TN_VECTOR(double, __VA_ARGS__), true)

static double grad_at(const tn_tensor *x, int64_t i) {
    tn_tensor *grad = tn_tensor_grad(x);
    return grad ? tn_get_double(grad, TN_DIMS(i)) : NAN;
}

/* ---- products with the Jacobian */

/* (a, b) -> (a * b, a^2) */
static tn_list *two_results(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    (void)ctx;
    (void)count;
    const tn_tensor *made[] = {tn_mul(inputs[0], inputs[1]), tn_mul(inputs[0], inputs[0])};
    return made[0] && made[1] ? tn_list_new(made, 2) : NULL;
}

/* (a, b) -> sum(a^2 b) */
static tn_list *one_number(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    (void)ctx;
    (void)count;
    const tn_tensor *made = tn_sum(tn_mul(tn_mul(inputs[0], inputs[0]), inputs[1]), TN_DTYPE_DEFAULT);
    return made ? tn_list_new(&made, 1) : NULL;
}

static double item(const tn_list *list, int64_t i, int64_t at) {
    return list ? tn_get_double(tn_list_at(list, i), TN_DIMS(at)) : NAN;
}

TEST(products_with_the_jacobian_go_both_ways) {
    tn_tensor *a = TN_VECTOR(double, 2, 3), *b = TN_VECTOR(double, 5, 7), *u = TN_VECTOR(double, 1, 10),
              *v = TN_VECTOR(double, 100, 1);
    CHECK(a && b && u && v);
    const tn_tensor *inputs[] = {a, b}, *vectors[] = {u, v};
    tn_list *back = tn_vjp(two_results, NULL, inputs, 2, vectors, false),
            *on = back ? tn_jvp(two_results, NULL, inputs, 2, vectors, false) : NULL;
    CHECK(back && on);
    CHECK_INT(tn_list_count(back), 2);
    CHECK_DOUBLE(item(back, 0, 0), 1 * 5 + 100 * 2 * 2);
    CHECK_DOUBLE(item(back, 1, 1), 10 * 3);
    CHECK_DOUBLE(item(on, 0, 1), 10 * 7 + 1 * 3);
    CHECK_DOUBLE(item(on, 1, 0), 1 * 2 * 2);
    CHECK(!tn_requires_grad(tn_list_at(back, 0)) && !tn_requires_grad(a));
}

TEST(the_hessian_and_products_with_it_agree) {
    tn_tensor *a = TN_VECTOR(double, 2, 3), *b = TN_VECTOR(double, 5, 7), *u = TN_VECTOR(double, 1, 10),
              *v = TN_VECTOR(double, 100, 1);
    CHECK(a && b && u && v);
    const tn_tensor *inputs[] = {a, b}, *vectors[] = {u, v};
    tn_list *whole = tn_hessian(one_number, NULL, inputs, 2, false),
            *product = whole ? tn_hvp(one_number, NULL, inputs, 2, vectors, false) : NULL;
    CHECK(whole && product);
    CHECK_INT(tn_list_count(whole), 4);
    CHECK_DOUBLE(tn_get_double(tn_list_at(whole, 0), TN_DIMS(1, 1)), 2 * 7);
    CHECK_DOUBLE(tn_get_double(tn_list_at(whole, 1), TN_DIMS(1, 1)), 2 * 3);
    CHECK_DOUBLE(tn_get_double(tn_list_at(whole, 2), TN_DIMS(0, 1)), 0);
    CHECK_DOUBLE(tn_get_double(tn_list_at(whole, 3), TN_DIMS(0, 0)), 0);
    CHECK_DOUBLE(item(product, 0, 1), 2 * 7 * 10 + 2 * 3 * 1);
    CHECK_DOUBLE(item(product, 1, 0), 2 * 2 * 1);
    CHECK_ERROR(TN_ERROR_SHAPE, "one number", tn_hessian(two_results, NULL, inputs, 2, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "vectors", tn_hvp(one_number, NULL, inputs, 2, NULL, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "function", tn_vjp(NULL, NULL, inputs, 2, NULL, false));
}

TEST(a_jacobian_has_the_sizes_of_both) {
    tn_tensor *a = TN_VECTOR(double, 2, 3), *b = TN_VECTOR(double, 5, 7);
    CHECK(a && b);
    const tn_tensor *inputs[] = {a, b};
    tn_list *whole = tn_jacobian(two_results, NULL, inputs, 2, false);
    CHECK(whole);
    CHECK_INT(tn_list_count(whole), 4);
    CHECK_INT(tn_ndim(tn_list_at(whole, 0)), 2);
    CHECK_DOUBLE(tn_get_double(tn_list_at(whole, 0), TN_DIMS(1, 1)), 7);
    CHECK_DOUBLE(tn_get_double(tn_list_at(whole, 0), TN_DIMS(0, 1)), 0);
    CHECK_DOUBLE(tn_get_double(tn_list_at(whole, 2), TN_DIMS(0, 0)), 4);
    CHECK_DOUBLE(tn_get_double(tn_list_at(whole, 3), TN_DIMS(0, 0)), 0);
}

/* ---- computing again */

static int calls;

/* A layer with a weight of its own and noise. */
static tn_list *layer(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    (void)count;
    calls++;
    tn_tensor *noise = tn_rand(TN_DIMS(2), TN_FLOAT64, NULL);
    const tn_tensor *made = tn_mul(tn_exp(tn_mul(inputs[0], ctx)), noise);
    return made ? tn_list_new(&made, 1) : NULL;
}

TEST(a_checkpoint_gives_the_same_gradients_and_calls_the_function_twice) {
    tn_tensor *x = LEAF(0.5, 0.25), *w = LEAF(1, 2);
    CHECK(x && w);
    calls = 0;
    const tn_tensor *input = x;
    CHECK(tn_manual_seed(7) == TN_OK);
    tn_list *plain = layer(w, &input, 1);
    CHECK(plain && tn_backward(tn_sum(tn_list_at(plain, 0), TN_DTYPE_DEFAULT), NULL) == TN_OK);
    double dx = grad_at(x, 0), dw = grad_at(w, 1);
    CHECK(tn_tensor_set_grad(x, NULL) == TN_OK && tn_tensor_set_grad(w, NULL) == TN_OK && tn_manual_seed(7) == TN_OK);
    tn_list *again = tn_checkpoint(layer, w, NULL, &input, 1);
    CHECK(again);
    CHECK_INT(calls, 2);
    CHECK(tn_rand(TN_DIMS(5), TN_FLOAT64, NULL));
    CHECK_DOUBLE(tn_get_double(tn_list_at(again, 0), TN_DIMS(0)), tn_get_double(tn_list_at(plain, 0), TN_DIMS(0)));
    CHECK(tn_backward(tn_sum(tn_list_at(again, 0), TN_DTYPE_DEFAULT), NULL) == TN_OK);
    CHECK_INT(calls, 3);
    CHECK_DOUBLE(grad_at(x, 0), dx);
    CHECK_DOUBLE(grad_at(w, 1), dw);
}

/* ---- the graph as text */

TEST(the_graph_can_be_drawn) {
    tn_tensor *x = LEAF(1, 2), *c = TN_VECTOR(double, 3, 4), *e = x ? tn_exp(x) : NULL;
    tn_tensor *y = tn_sum(tn_add(tn_mul(e, c), x), TN_DTYPE_DEFAULT);
    CHECK(y && c);
    char text[6000];
    int64_t length = tn_graph_show(y, TN_GRAPH_SVG, text, sizeof text);
    CHECK(length > 0 && length < (int64_t)sizeof text);
    CHECK_INT(tn_graph_show(y, TN_GRAPH_SVG, NULL, 0), length);
    CHECK(strncmp(text, "<svg ", 5) == 0 && strcmp(text + length - 7, "</svg>\n") == 0);
    int boxes = 0, lines = 0; /* sum, add, mul, exp and the leaf; add leads to the leaf and to mul */
    for (const char *at = text; (at = strstr(at, "<rect x=")) != NULL; at++)
        boxes++;
    for (const char *at = text; (at = strstr(at, "stroke=\"#8a8a8a\"")) != NULL; at++)
        lines++;
    CHECK_INT(boxes, 5);
    CHECK_INT(lines, 5);
    CHECK(strstr(text, ">AccumulateGrad</text>") && strstr(text, ">float64 [2]</text>"));
    CHECK_INT(tn_graph_show(c, TN_GRAPH_SVG, text, sizeof text), 0);
}

TEST(the_graph_can_be_shown) {
    tn_tensor *x = LEAF(1, 2), *c = TN_VECTOR(double, 3, 4), *y = tn_sum(tn_mul(tn_exp(x), c), TN_DTYPE_DEFAULT);
    CHECK(y && c);
    char text[2000];
    int64_t length = tn_graph_show(y, TN_GRAPH_TEXT, text, sizeof text);
    CHECK(length > 0);
    CHECK_TEXT(text, "1 SumBackward0 float64 [] from 2\n2 MulBackward0 float64 [2] from 3, nothing\n"
                     "3 ExpBackward0 float64 [2] from 4\n4 AccumulateGrad float64 [2]\n");
    CHECK_INT(tn_graph_show(y, TN_GRAPH_TEXT, NULL, 0), length);
    CHECK(tn_graph_show(y, TN_GRAPH_DOT, text, sizeof text) > 0);
    CHECK(strstr(text, "n2 -> n1;") && strstr(text, "digraph"));
    CHECK_INT(tn_graph_show(c, TN_GRAPH_TEXT, text, sizeof text), 0);
    CHECK_TEXT(text, "");
    CHECK_ERROR(TN_ERROR_ARGUMENT, "format", tn_graph_show(y, (tn_graph_format)9, NULL, 0));
}

static void anomalies_off(void *unused) {
    (void)unused;
    (void)tn_set_anomaly_detection(false);
}

TEST(the_derivative_that_gives_nan_is_named_when_asked_for) {
    tn_tensor *x = LEAF(0, 4), *y = tn_sum(tn_mul_scalar(tn_sqrt(tn_mul_scalar(x, 0)), 0), TN_DTYPE_DEFAULT);
    CHECK(y);
    CHECK(!tn_set_anomaly_detection(true) && tn_anomaly_detection());
    TEST_DEFER(anomalies_off, NULL);
    CHECK_ERROR(TN_ERROR_STATE, "a call of sqrt that gave float64 of sizes [2]", tn_backward(y, NULL));
}
