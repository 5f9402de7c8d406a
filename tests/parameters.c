/* parameters.c - sets of named tensors, and what is done to all their gradients: zeroing and clipping. */
#include "test.h"

#include <stdio.h>

/* Gives a tensor a gradient; a NULL is one that could not be made, not none. */
static bool given(tn_tensor *tensor, const tn_tensor *gradient) {
    return gradient && tn_tensor_set_grad(tensor, gradient) == TN_OK;
}

static tn_parameters *two(void) {
    tn_parameters *parameters = tn_parameters_new();
    return parameters && tn_parameters_add(parameters, "a", TN_VECTOR(float, 1, 2)) &&
                   tn_parameters_add(parameters, "b", TN_MATRIX(float, 2, {3, 4}, {5, 6}))
               ? parameters
               : NULL;
}

TEST(parameters_have_names_and_an_order) {
    tn_parameters *parameters = two();
    CHECK(parameters);
    CHECK_INT(tn_parameters_count(parameters), 2);
    CHECK(strcmp(tn_parameters_name(parameters, -1), "b") == 0 && strcmp(tn_parameters_name(parameters, 0), "a") == 0);
    CHECK(tn_parameters_at(parameters, 1) == tn_parameters_find(parameters, "b"));
    CHECK(!tn_parameters_find(parameters, "c") && tn_error_code() == TN_OK);
    CHECK_ERROR(TN_ERROR_INDEX, "position 2", tn_parameters_at(parameters, 2));
    CHECK_ERROR(TN_ERROR_INDEX, "position -3", tn_parameters_name(parameters, -3));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "\"a\" already", tn_parameters_add(parameters, "a", tn_parameters_at(parameters, 0)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "needs a name", tn_parameters_add(parameters, "", tn_parameters_at(parameters, 0)));
    CHECK_INT(tn_parameters_count(parameters), 2);
}

TEST_SAMPLED(each_of_many_names_is_found) {
    tn_parameters *parameters = tn_parameters_new();
    tn_tensor *x = TN_VECTOR(float, 1);
    CHECK(parameters && x);
    char name[40];
    for (int i = 0; i < 2000; i++) {
        snprintf(name, sizeof name, "layers.%d.weight", i);
        CHECK(tn_parameters_add(parameters, name, x));
    }
    for (int i = 0; i < 2000; i++) {
        snprintf(name, sizeof name, "layers.%d.weight", i);
        CHECK(tn_parameters_find(parameters, name) == x);
        CHECK(strcmp(tn_parameters_name(parameters, i), name) == 0);
    }
    CHECK(!tn_parameters_find(parameters, "layers.2000.weight") && tn_error_code() == TN_OK);
}

TEST(a_set_outlives_the_scope_of_its_tensors) {
    tn_parameters *parameters = tn_parameters_new();
    CHECK(parameters);
    tn_scope scope = tn_scope_open();
    CHECK(tn_parameters_add(parameters, "a", TN_VECTOR(float, 7)));
    tn_scope_close(scope);
    CHECK_DOUBLE(tn_item_double(tn_parameters_find(parameters, "a")), 7);
    CHECK(tn_parameters_retain(parameters) == parameters);
    tn_parameters_release(parameters);
    CHECK(tn_parameters_keep(parameters) == parameters);
    tn_parameters_release(parameters);
}

TEST(copying_checks_names_and_sizes_first) {
    tn_parameters *to = two(), *from = tn_parameters_new();
    CHECK(to && from && tn_parameters_add(from, "a", TN_VECTOR(double, 8, 9)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "nothing for parameter \"b\"", tn_parameters_copy(to, from, true));
    CHECK_DOUBLE(tn_get_double(tn_parameters_at(to, 0), TN_DIMS(0)), 1);
    CHECK(tn_parameters_copy(to, from, false) == TN_OK);
    CHECK_DOUBLE(tn_get_double(tn_parameters_at(to, 0), TN_DIMS(0)), 8);
    CHECK(tn_parameters_add(from, "b", TN_VECTOR(double, 1)) && tn_parameters_add(from, "c", TN_VECTOR(double, 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "[2, 2]", tn_parameters_copy(to, from, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "[2, 2]", tn_parameters_copy(to, from, true));
}

TEST(gradients_are_freed_or_zeroed) {
    tn_parameters *parameters = two();
    CHECK(parameters);
    tn_tensor *a = tn_parameters_at(parameters, 0);
    CHECK(given(a, TN_VECTOR(float, 3, 4)));
    CHECK(tn_parameters_zero_grad(parameters, false) == TN_OK);
    tn_tensor *zero = tn_tensor_grad(a);
    CHECK(zero && tn_get_double(zero, TN_DIMS(1)) == 0);
    CHECK(tn_parameters_zero_grad(parameters, true) == TN_OK && !tn_tensor_grad(a));
}

TEST(clipping_by_norm_scales_all_gradients_together) {
    tn_parameters *parameters = two();
    CHECK(parameters);
    tn_tensor *a = tn_parameters_at(parameters, 0), *b = tn_parameters_at(parameters, 1);
    CHECK(given(a, TN_VECTOR(float, 3, 0)));
    CHECK(given(b, TN_MATRIX(float, 2, {0, 0}, {0, -4})));
    double norm = 0;
    CHECK(tn_parameters_clip_grad_norm(parameters, 10, 2, false, &norm) == TN_OK);
    CHECK_DOUBLE(norm, 5);
    CHECK_DOUBLE(tn_get_double(tn_tensor_grad(a), TN_DIMS(0)), 3);
    CHECK(tn_parameters_clip_grad_norm(parameters, 100, 1, false, &norm) == TN_OK);
    CHECK_DOUBLE(norm, 7);
    CHECK(tn_parameters_clip_grad_norm(parameters, 100, (double)INFINITY, false, &norm) == TN_OK);
    CHECK_DOUBLE(norm, 4);
    CHECK(tn_parameters_clip_grad_norm(parameters, 1, 2, true, NULL) == TN_OK);
    CHECK(fabs(tn_get_double(tn_tensor_grad(a), TN_DIMS(0)) - 0.6) < 1e-6);
    CHECK(fabs(tn_get_double(tn_tensor_grad(b), TN_DIMS(1, 1)) + 0.8) < 1e-6);
    CHECK(given(a, TN_VECTOR(float, INFINITY, 0)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "inf", tn_parameters_clip_grad_norm(parameters, 1, 2, true, NULL));
    CHECK(fabs(tn_get_double(tn_tensor_grad(b), TN_DIMS(1, 1)) + 0.8) < 1e-6);
}

TEST(clipping_by_value_bounds_every_element) {
    tn_parameters *parameters = two();
    CHECK(parameters && given(tn_parameters_at(parameters, 0), TN_VECTOR(float, -3, 0.25f)));
    CHECK(tn_parameters_clip_grad_value(parameters, 0.5) == TN_OK);
    tn_tensor *gradient = tn_tensor_grad(tn_parameters_at(parameters, 0));
    CHECK(gradient && tn_get_double(gradient, TN_DIMS(0)) == -0.5 && tn_get_double(gradient, TN_DIMS(1)) == 0.25);
}

TEST(no_gradients_have_the_norm_0) {
    tn_parameters *parameters = two();
    double norm = 1;
    CHECK(parameters && tn_parameters_clip_grad_norm(parameters, 1, 2, true, &norm) == TN_OK);
    CHECK_DOUBLE(norm, 0);
}

TEST(a_drawn_parameter_is_between_its_bounds_and_wants_a_gradient) {
    tn_parameters *net = tn_parameters_new();
    tn_generator *generator = tn_generator_new(TN_PHILOX, 3);
    CHECK(net && generator);
    tn_tensor *w = tn_parameters_draw(net, "w", TN_DIMS(4, 50), 0.25, generator),
              *b = tn_parameters_draw(net, "b", TN_DIMS(3), 0, NULL);
    CHECK(w && b && tn_parameters_find(net, "w") == w && tn_requires_grad(w) && tn_is_leaf(b) && tn_requires_grad(b));
    CHECK(tn_dtype_of(w) == TN_FLOAT32);
    tn_tensor *size = tn_max(tn_abs(tn_detach(w))), *mean = tn_mean(tn_detach(w), TN_DTYPE_DEFAULT);
    CHECK(size && mean && tn_item_double(size) <= 0.25 && tn_item_double(size) > 0.2 && fabs(tn_item_double(mean)) < 0.05);
    CHECK_DOUBLE(tn_get_double(b, TN_DIMS(2)), 0);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "already", tn_parameters_draw(net, "w", TN_DIMS(2), 1, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "needs a name", tn_parameters_draw(net, NULL, TN_DIMS(2), 1, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "bound", tn_parameters_draw(net, "v", TN_DIMS(2), -1, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "bound", tn_parameters_draw(net, "v", TN_DIMS(2), (double)NAN, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_parameters_draw(net, "v", TN_DIMS(-2), 1, NULL));
    CHECK_INT(tn_parameters_count(net), 2);
}
