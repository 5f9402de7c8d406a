/* optimizer.c - optimisers: against the numbers of PyTorch's, for every layout and dtype of parameters, their settings, groups and
 * state, and what they refuse.
 *
 * Tests: src/train/optimizer.c, src/train/optimizer_kinds.c, src/train/optimizer_step.c, src/train/optimizer_matrix.c
 * Tests: src/train/lbfgs.c, src/cpu/step_kernels.c
 */
#include "train_cases.h"
#include "data/train_cases.inc"

/* ---- the numbers */

/* Gives a tensor a gradient; a NULL is one that could not be made, not none. */
static bool given(tn_tensor *tensor, const tn_tensor *gradient) {
    return gradient && tn_tensor_set_grad(tensor, gradient) == TN_OK;
}

typedef enum layout { PLAIN, TURNED, SLICED, LAYOUTS } layout;

/* The parameter in a memory of other strides. */
static tn_tensor *laid(tn_tensor *parameter, layout how) {
    if (!parameter || how == PLAIN || tn_ndim(parameter) == 0)
        return parameter;
    if (how == TURNED)
        return tn_ndim(parameter) == 2 ? tn_t(tn_clone(tn_t(parameter), TN_CONTIGUOUS))
                                       : tn_flip(tn_clone(tn_flip(parameter, TN_DIMS(0)), TN_CONTIGUOUS), TN_DIMS(0));
    return tn_select(tn_stack((const tn_tensor *[]){parameter, parameter}, 2, -1), -1, 0);
}

static tn_parameters *make_parameters(layout how, tn_dtype dtype) {
    static const char *const names[] = {"a", "b", "c"};
    tn_parameters *parameters = tn_parameters_new();
    for (int k = 0; k < TRAIN_PARAMETERS && parameters; k++) {
        tn_tensor *parameter = tn_requires_grad_(laid(train_start(k, dtype), how), true);
        if (!tn_parameters_add(parameters, names[k], parameter))
            return NULL;
    }
    return parameters;
}

static bool step(tn_optimizer *optimizer, tn_parameters *parameters, int t) {
    for (int k = 0; k < TRAIN_PARAMETERS; k++) {
        tn_tensor *parameter = tn_parameters_at(parameters, k);
        tn_tensor *gradient = t == 2 && k == 1 ? NULL : train_gradient(k, t, parameter);
        if ((!gradient && !(t == 2 && k == 1)) || tn_tensor_set_grad(parameter, gradient) != TN_OK)
            return false;
    }
    return tn_optimizer_step(optimizer) == TN_OK;
}

static void compare(const tn_parameters *parameters, const double *expected, double tolerance, const char *what) {
    int at = 0;
    for (int k = 0; k < TRAIN_PARAMETERS; k++) {
        tn_tensor *all = tn_reshape(tn_to(tn_detach(tn_parameters_at(parameters, k)), TN_FLOAT64), TN_DIMS(-1));
        CHECK(all);
        for (int64_t i = 0; i < tn_numel(all); i++, at++) {
            double value = tn_get_double(all, TN_DIMS(i));
            if (!(fabs(value - expected[at]) <= tolerance * fmax(1, fabs(expected[at]))))
                test_fail(__FILE__, __LINE__, "%s: element %d is %.17g, not %.17g", what, at, value, expected[at]);
        }
    }
}

static void replay(const train_case *c, layout how, tn_dtype dtype, double tolerance) {
    tn_scope scope = tn_scope_open();
    tn_parameters *parameters = make_parameters(how, dtype);
    CHECK(parameters);
    tn_optimizer *optimizer = tn_optimizer_new(c->kind, parameters);
    CHECK(optimizer && train_set(optimizer, c->settings));
    for (int t = 0; t < TRAIN_STEPS; t++)
        CHECK(step(optimizer, parameters, t));
    char what[200];
    snprintf(what, sizeof what, "%s %s, layout %d, %s", c->kind, c->settings, (int)how, tn_dtype_name(dtype));
    compare(parameters, c->expected, tolerance, what);
    tn_scope_close(scope);
}

TEST_SAMPLED(steps_give_the_numbers_of_pytorch) {
    for (size_t i = 0; i < sizeof train_cases / sizeof train_cases[0]; i++)
        replay(&train_cases[i], PLAIN, TN_FLOAT64, 2e-8); /* what PyTorch keeps in float32 is its eighth digit */
}

TEST_SAMPLED(steps_do_not_depend_on_strides) {
    for (size_t i = 0; i < sizeof train_cases / sizeof train_cases[0]; i++)
        for (layout how = TURNED; how < LAYOUTS; how++)
            replay(&train_cases[i], how, TN_FLOAT64, 2e-8);
}

TEST_SAMPLED(steps_in_other_dtypes_are_rounded_alone) {
    for (size_t i = 0; i < sizeof train_cases / sizeof train_cases[0]; i++) {
        if (strcmp(train_cases[i].kind, "rprop") == 0)
            continue; /* signs of gradients near 0 */
        replay(&train_cases[i], PLAIN, TN_FLOAT32, 2e-5);
        replay(&train_cases[i], SLICED, TN_FLOAT32, 2e-5);
        if (strcmp(train_cases[i].kind, "adadelta") != 0 && strcmp(train_cases[i].kind, "adafactor") != 0)
            replay(&train_cases[i], PLAIN, TN_BFLOAT16, 0.2);
    }
}

/* A complex parameter steps as its two parts do. */
TEST_SAMPLED(complex_parameters_step_as_their_parts) {
    for (size_t i = 0; i < sizeof train_cases / sizeof train_cases[0]; i++) {
        const train_case *c = &train_cases[i];
        if (strcmp(c->kind, "adafactor") == 0)
            continue;
        tn_scope scope = tn_scope_open();
        tn_tensor *parts = tn_reshape(train_start(0, TN_FLOAT64), TN_DIMS(6, 2));
        CHECK(parts);
        tn_tensor *whole = tn_clone(tn_view_as_complex(parts), TN_CONTIGUOUS), *twin = tn_clone(parts, TN_CONTIGUOUS);
        tn_parameters *one = tn_parameters_new(), *two = tn_parameters_new();
        CHECK(whole && twin && one && two && tn_parameters_add(one, "w", whole) && tn_parameters_add(two, "w", twin));
        tn_optimizer *of_one = tn_optimizer_new(c->kind, one), *of_two = tn_optimizer_new(c->kind, two);
        CHECK(of_one && of_two && train_set(of_one, c->settings) && train_set(of_two, c->settings));
        for (int t = 0; t < 3; t++) {
            tn_tensor *gradient = train_gradient(0, t, twin);
            CHECK(gradient && tn_tensor_set_grad(twin, gradient) == TN_OK);
            CHECK(tn_tensor_set_grad(whole, tn_view_as_complex(gradient)) == TN_OK);
            CHECK(tn_optimizer_step(of_one) == TN_OK && tn_optimizer_step(of_two) == TN_OK);
        }
        if (!tn_equal(tn_view_as_real(whole), twin))
            test_fail(__FILE__, __LINE__, "%s %s", c->kind, c->settings);
        tn_scope_close(scope);
    }
}

TEST_ONCE(steps_have_the_same_bits_on_any_number_of_threads) { /* threads */
    int64_t before = tn_num_threads();
    tn_tensor *first = NULL;
    for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 2) {
        CHECK(tn_set_num_threads(threads) == TN_OK);
        tn_tensor *w = tn_reshape(tn_linspace(TN_SCALAR(-1), TN_SCALAR(1), 100000, TN_FLOAT32), TN_DIMS(100, 1000));
        tn_parameters *parameters = tn_parameters_new();
        CHECK(w && parameters && tn_parameters_add(parameters, "w", w));
        tn_optimizer *optimizer = tn_optimizer_new("adam", parameters);
        CHECK(optimizer);
        for (int t = 0; t < 3; t++)
            CHECK(given(w, tn_cos(tn_mul_scalar(w, TN_SCALAR(t + 1)))) && tn_optimizer_step(optimizer) == TN_OK);
        CHECK(!first || tn_equal(first, w));
        first = w;
    }
    CHECK(tn_set_num_threads(before) == TN_OK);
}

/* ---- LBFGS */

typedef struct valley {
    tn_optimizer *optimizer;
    tn_tensor *a, *b;
    int calls, fails_at;
} valley;

static tn_error valley_loss(void *ctx, double *loss) {
    valley *v = ctx;
    if (++v->calls == v->fails_at)
        return tn_error_raise(TN_ERROR_ARGUMENT, "closure", "no more");
    double x0 = tn_get_double(v->a, TN_DIMS(0)), x1 = tn_get_double(v->a, TN_DIMS(1));
    double x2 = tn_get_double(v->b, TN_DIMS(0)), x3 = tn_get_double(v->b, TN_DIMS(1));
    *loss = 100 * pow(x1 - x0 * x0, 2) + pow(1 - x0, 2) + 90 * pow(x3 - x2 * x2, 2) + pow(1 - x2, 2) +
            10.1 * (pow(x1 - 1, 2) + pow(x3 - 1, 2)) + 19.8 * (x1 - 1) * (x3 - 1);
    double a[] = {-400 * x0 * (x1 - x0 * x0) - 2 * (1 - x0), 200 * (x1 - x0 * x0) + 20.2 * (x1 - 1) + 19.8 * (x3 - 1)};
    double b[] = {-360 * x2 * (x3 - x2 * x2) - 2 * (1 - x2), 180 * (x3 - x2 * x2) + 20.2 * (x3 - 1) + 19.8 * (x1 - 1)};
    tn_tensor *grad_a = tn_clone(tn_from_memory(a, TN_DIMS(2), TN_FLOAT64, TN_BORROW), TN_CONTIGUOUS);
    tn_tensor *grad_b = tn_clone(tn_from_memory(b, TN_DIMS(2), TN_FLOAT64, TN_BORROW), TN_CONTIGUOUS);
    if (!grad_a || !grad_b || tn_tensor_set_grad(v->a, grad_a) != TN_OK || tn_tensor_set_grad(v->b, grad_b) != TN_OK)
        return tn_error_code();
    return TN_OK;
}

static bool valley_begin(valley *v, const char *settings) {
    *v = (valley){.a = TN_VECTOR(double, -3, -1), .b = TN_VECTOR(double, -3, -1)};
    tn_parameters *parameters = tn_parameters_new();
    return v->a && v->b && parameters && tn_parameters_add(parameters, "a", v->a) && tn_parameters_add(parameters, "b", v->b) &&
           (v->optimizer = tn_optimizer_new("lbfgs", parameters)) != NULL && train_set(v->optimizer, settings);
}

static bool valley_is(const valley *v, const double *expected) {
    for (int i = 0; i < 4; i++)
        if (!(fabs(tn_get_double(i < 2 ? v->a : v->b, TN_DIMS(i % 2)) - expected[i]) <= 1e-9 * fmax(1, fabs(expected[i]))))
            return false;
    return true;
}

TEST_SAMPLED(lbfgs_walks_as_pytorch_does) {
    for (size_t i = 0; i < sizeof lbfgs_cases / sizeof lbfgs_cases[0]; i++) {
        valley v;
        CHECK(valley_begin(&v, lbfgs_cases[i].settings));
        for (int t = 0; t < 4; t++) {
            double loss;
            CHECK(tn_optimizer_step_closure(v.optimizer, valley_loss, &v, &loss) == TN_OK);
            CHECK(fabs(loss - lbfgs_cases[i].losses[t]) <= 1e-9 * fabs(lbfgs_cases[i].losses[t]));
        }
        CHECK(valley_is(&v, lbfgs_cases[i].x));
    }
}

TEST_SAMPLED(lbfgs_goes_on_from_its_state) {
    valley v, again;
    double loss;
    CHECK(valley_begin(&v, lbfgs_cases[1].settings) && valley_begin(&again, lbfgs_cases[1].settings));
    CHECK(tn_optimizer_step_closure(v.optimizer, valley_loss, &v, &loss) == TN_OK);
    CHECK(tn_optimizer_step_closure(v.optimizer, valley_loss, &v, &loss) == TN_OK);
    tn_parameters *state = tn_optimizer_state(v.optimizer);
    CHECK(state && tn_parameters_find(state, "lbfgs.old_dirs"));
    CHECK(tn_copy_(again.a, v.a) && tn_copy_(again.b, v.b) && tn_optimizer_set_state(again.optimizer, state) == TN_OK);
    for (int t = 0; t < 2; t++)
        CHECK(tn_optimizer_step_closure(again.optimizer, valley_loss, &again, &loss) == TN_OK);
    CHECK(valley_is(&again, lbfgs_cases[1].x));
}

TEST(an_error_of_the_closure_ends_the_step) {
    for (int at = 1; at < 6; at++) {
        valley v;
        double loss;
        CHECK(valley_begin(&v, lbfgs_cases[1].settings));
        v.fails_at = at;
        CHECK_ERROR(TN_ERROR_ARGUMENT, "no more", tn_optimizer_step_closure(v.optimizer, valley_loss, &v, &loss));
        CHECK_INT(v.calls, at);
    }
}

TEST(other_optimizers_take_a_closure_too) {
    valley v;
    CHECK(valley_begin(&v, ""));
    tn_parameters *parameters = tn_parameters_new();
    CHECK(parameters && tn_parameters_add(parameters, "a", v.a));
    tn_optimizer *sgd = tn_optimizer_new("sgd", parameters);
    double loss, before = tn_get_double(v.a, TN_DIMS(0));
    CHECK(sgd && tn_optimizer_step_closure(sgd, valley_loss, &v, &loss) == TN_OK);
    CHECK(loss > 1000 && tn_get_double(v.a, TN_DIMS(0)) != before);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "closure is NULL", tn_optimizer_step_closure(sgd, NULL, NULL, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "tn_optimizer_step_closure", tn_optimizer_step(v.optimizer));
}

/* ---- Muon: the update is nearly orthogonal */

TEST(muon_steps_along_an_orthogonal_matrix) {
    for (int tall = 0; tall < 2; tall++) {
        tn_tensor *w = tn_zeros(tall ? TN_DIMS(8, 3) : TN_DIMS(3, 8), TN_FLOAT32);
        tn_parameters *parameters = tn_parameters_new();
        CHECK(w && parameters && tn_parameters_add(parameters, "w", w));
        tn_optimizer *muon = tn_optimizer_new("muon", parameters);
        CHECK(muon && tn_optimizer_set(muon, "lr", 1) == TN_OK && tn_optimizer_set(muon, "match_rms_adamw", 1) == TN_OK);
        tn_tensor *gradient = tn_cos(tn_reshape(tn_arange(24, TN_FLOAT32), tn_sizes(w)));
        CHECK(gradient && tn_tensor_set_grad(w, gradient) == TN_OK && tn_optimizer_step(muon) == TN_OK);
        tn_tensor *scaled = tn_div_scalar(w, tn_scalar_float(0.2 * sqrt(8)));
        tn_tensor *gram = tall ? tn_matmul(tn_t(scaled), scaled) : tn_matmul(scaled, tn_t(scaled));
        CHECK(gram);
        for (int i = 0; i < 3; i++)
            CHECK(fabs(tn_get_double(gram, TN_DIMS(i, i)) - 1) < 0.6); /* singular values between 0.6 and 1.3 or so */
        tn_tensor *along = tn_sum(tn_mul(w, gradient), TN_DTYPE_DEFAULT);
        CHECK(along && tn_item_double(along) < 0);
    }
}

/* ---- groups, settings, state */

TEST(groups_have_settings_of_their_own) {
    tn_tensor *a = tn_ones(TN_DIMS(2), TN_FLOAT32), *b = tn_ones(TN_DIMS(2), TN_FLOAT32);
    tn_parameters *first = tn_parameters_new(), *second = tn_parameters_new();
    CHECK(a && b && first && second && tn_parameters_add(first, "w", a) && tn_parameters_add(second, "w", b));
    tn_optimizer *sgd = tn_optimizer_new("sgd", first);
    CHECK(sgd && tn_optimizer_set(sgd, "lr", 0.5) == TN_OK);
    CHECK_INT(tn_optimizer_add_group(sgd, second), 1);
    CHECK(tn_optimizer_set_group(sgd, 1, "lr", 0.25) == TN_OK);
    CHECK_DOUBLE(tn_optimizer_get(sgd, 0, "lr"), 0.5);
    CHECK_DOUBLE(tn_optimizer_get(sgd, 1, "lr"), 0.25);
    CHECK_INT(tn_optimizer_group_count(sgd), 2);
    CHECK(given(a, tn_ones(TN_DIMS(2), TN_FLOAT32)));
    CHECK(given(b, tn_ones(TN_DIMS(2), TN_FLOAT32)));
    CHECK(tn_optimizer_step(sgd) == TN_OK);
    CHECK_DOUBLE(tn_get_double(a, TN_DIMS(0)), 0.5);
    CHECK_DOUBLE(tn_get_double(b, TN_DIMS(0)), 0.75);
    CHECK(tn_optimizer_zero_grad(sgd, true) == TN_OK && !tn_tensor_grad(a) && !tn_tensor_grad(b));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "in group 0", tn_optimizer_add_group(sgd, first) == 2);
}

TEST_SAMPLED(a_state_put_back_goes_on_where_it_was_taken) {
    for (size_t i = 0; i < sizeof train_cases / sizeof train_cases[0]; i += 3) {
        const train_case *c = &train_cases[i];
        tn_scope scope = tn_scope_open();
        tn_parameters *whole = make_parameters(PLAIN, TN_FLOAT64), *later = make_parameters(TURNED, TN_FLOAT64);
        tn_optimizer *one = whole ? tn_optimizer_new(c->kind, whole) : NULL,
                     *two = later ? tn_optimizer_new(c->kind, later) : NULL;
        CHECK(one && two && train_set(one, c->settings) && train_set(two, c->settings));
        for (int t = 0; t < 4; t++)
            CHECK(step(one, whole, t));
        tn_parameters *state = tn_optimizer_state(one);
        CHECK(state && tn_optimizer_set_state(two, state) == TN_OK && tn_parameters_copy(later, whole, true) == TN_OK);
        for (int t = 4; t < TRAIN_STEPS; t++)
            CHECK(step(two, later, t));
        compare(later, c->expected, 2e-8, c->kind);
        tn_scope_close(scope);
    }
}

TEST(a_state_that_does_not_fit_changes_nothing) {
    tn_parameters *parameters = make_parameters(PLAIN, TN_FLOAT32), *state = tn_parameters_new(), *half = tn_parameters_new();
    tn_optimizer *adam = parameters ? tn_optimizer_new("adam", parameters) : NULL;
    CHECK(adam && state && half && step(adam, parameters, 0));
    CHECK(tn_parameters_add(half, "a.step", tn_ones(TN_DIMS(1), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "only a part", tn_optimizer_set_state(adam, half));
    CHECK(tn_parameters_add(state, "z.exp_avg", tn_ones(TN_DIMS(1), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "1 of 1 entries", tn_optimizer_set_state(adam, state));
    CHECK(tn_parameters_add(half, "a.exp_avg", tn_ones(TN_DIMS(4, 3), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_SHAPE, "[4, 3]", tn_optimizer_set_state(adam, half));
    tn_parameters *now = tn_optimizer_state(adam);
    CHECK(now);
    CHECK_INT(tn_parameters_count(now), 9);
    CHECK_DOUBLE(tn_item_double(tn_parameters_find(now, "a.step")), 1);
}

TEST(settings_outside_their_range_are_refused) {
    tn_parameters *parameters = make_parameters(PLAIN, TN_FLOAT32);
    tn_optimizer *adam = parameters ? tn_optimizer_new("adam", parameters) : NULL;
    CHECK(adam);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not negative", tn_optimizer_set(adam, "lr", -1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "below 1", tn_optimizer_set(adam, "beta1", 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "0 or 1", tn_optimizer_set(adam, "amsgrad", 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no setting \"momentum\"", tn_optimizer_set(adam, "momentum", 0.5));
    CHECK_ERROR(TN_ERROR_INDEX, "no group 3", tn_optimizer_set_group(adam, 3, "lr", 0.5));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no setting", isnan(tn_optimizer_get(adam, 0, "x")) ? NULL : adam);
    CHECK_DOUBLE(tn_optimizer_get(adam, 0, "lr"), 1e-3);
    tn_optimizer *sgd = tn_optimizer_new("sgd", parameters);
    CHECK(sgd && tn_optimizer_set(sgd, "nesterov", 1) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "nesterov needs", tn_optimizer_step(sgd));
}

TEST(what_cannot_be_stepped_is_refused) {
    tn_parameters *empty = tn_parameters_new(), *whole = tn_parameters_new(), *twice = tn_parameters_new();
    tn_tensor *x = tn_ones(TN_DIMS(2), TN_FLOAT32);
    CHECK(empty && whole && twice && x && tn_parameters_add(whole, "n", tn_ones(TN_DIMS(2), TN_INT64)));
    CHECK(tn_parameters_add(twice, "x", x) && tn_parameters_add(twice, "y", x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no optimiser \"sdg\"", tn_optimizer_new("sdg", whole));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no parameters", tn_optimizer_new("sgd", empty));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_optimizer_new("sgd", whole));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "same tensor", tn_optimizer_new("sgd", twice));
    tn_parameters *vector = tn_parameters_new(), *spread = tn_parameters_new(), *fixed = tn_parameters_new();
    CHECK(vector && spread && fixed && tn_parameters_add(vector, "x", x));
    CHECK_ERROR(TN_ERROR_SHAPE, "takes matrices", tn_optimizer_new("muon", vector));
    tn_tensor *expanded = tn_expand(tn_ones(TN_DIMS(1), TN_FLOAT32), TN_DIMS(3)), *still = tn_ones(TN_DIMS(2), TN_FLOAT32);
    CHECK(expanded && still && tn_set_readonly(still) == TN_OK);
    CHECK(tn_parameters_add(spread, "e", expanded) && tn_parameters_add(fixed, "f", still));
    tn_optimizer *one = tn_optimizer_new("sgd", spread), *two = tn_optimizer_new("sgd", fixed);
    CHECK(one && two && given(expanded, tn_ones(TN_DIMS(3), TN_FLOAT32)));
    CHECK(given(still, tn_ones(TN_DIMS(2), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_OVERLAP, "\"e\"", tn_optimizer_step(one));
    CHECK_ERROR(TN_ERROR_READONLY, "\"f\"", tn_optimizer_step(two));
}

TEST(the_kinds_and_their_settings_can_be_listed) {
    int64_t kinds = 0;
    for (const char *kind; (kind = tn_optimizer_kind_name(kinds)); kinds++)
        for (int64_t i = 0; tn_optimizer_setting_name(kind, i); i++)
            CHECK(strcmp(kind, "adafactor") == 0 ||
                  !isnan(tn_optimizer_setting_default(kind, tn_optimizer_setting_name(kind, i))));
    CHECK_INT(kinds, 14);
    CHECK(!tn_optimizer_kind_name(-1) && !tn_optimizer_setting_name("no", 0) &&
          isnan(tn_optimizer_setting_default("sgd", "no")));
}

TEST(an_optimizer_is_counted) {
    tn_parameters *parameters = make_parameters(PLAIN, TN_FLOAT32);
    tn_optimizer *adam = parameters ? tn_optimizer_new("adam", parameters) : NULL;
    CHECK(adam && tn_optimizer_retain(adam) == adam);
    tn_optimizer_release(adam);
    CHECK(strcmp(tn_optimizer_kind(adam), "adam") == 0);
    CHECK(tn_optimizer_keep(adam) == adam);
    tn_optimizer_release(adam);
    CHECK(!tn_optimizer_retain(NULL) && !tn_optimizer_keep(NULL));
    tn_optimizer_release(NULL);
}

TEST(minimize_is_zero_grad_backward_and_step) {
    tn_parameters *net = tn_parameters_new();
    CHECK(net);
    tn_tensor *w = tn_parameters_draw(net, "w", TN_DIMS(2), 0, NULL);
    tn_optimizer *sgd = w ? tn_optimizer_new("sgd", net) : NULL;
    CHECK(sgd && tn_optimizer_set(sgd, "lr", 0.25) == TN_OK);
    for (int t = 0; t < 2; t++) {
        tn_tensor *loss = tn_sum(tn_square(tn_sub_scalar(w, TN_SCALAR(1))), TN_DTYPE_DEFAULT);
        CHECK(loss && tn_optimizer_minimize(sgd, loss) == TN_OK);
    }
    CHECK_DOUBLE(tn_get_double(w, TN_DIMS(1)), 0.75); /* half of the way to 1, twice: gradients did not add up */
    CHECK_ERROR(TN_ERROR_ARGUMENT, "loss", tn_optimizer_minimize(sgd, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "matmul",
                tn_optimizer_minimize(sgd, tn_sum(tn_matmul(w, tn_ones(TN_DIMS(3, 3), TN_FLOAT32)), TN_DTYPE_DEFAULT)));
    CHECK_ERROR(TN_ERROR_STATE, "", tn_optimizer_minimize(sgd, tn_ones(TN_DIMS(1), TN_FLOAT32)));
    tn_optimizer *lbfgs = tn_optimizer_new("lbfgs", net);
    CHECK(lbfgs);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "step_closure", tn_optimizer_minimize(lbfgs, tn_sum(w, TN_DTYPE_DEFAULT)));
    CHECK_DOUBLE(tn_get_double(w, TN_DIMS(1)), 0.75);
}
