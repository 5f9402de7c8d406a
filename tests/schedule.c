/* schedule.c - learning rates against those of PyTorch's schedules, and what cannot be a schedule. */
#include "train_cases.h"
#include "data/train_cases.inc"

static tn_optimizer *sgd(void) {
    tn_parameters *parameters = tn_parameters_new();
    if (!parameters || !tn_parameters_add(parameters, "w", tn_zeros(TN_DIMS(1), TN_FLOAT32)))
        return NULL;
    tn_optimizer *optimizer = tn_optimizer_new("sgd", parameters);
    return optimizer && tn_optimizer_set(optimizer, "lr", 0.8) == TN_OK && tn_optimizer_set(optimizer, "momentum", 0.9) == TN_OK
               ? optimizer
               : NULL;
}

static double inverse(void *ctx, int64_t step) {
    (void)ctx;
    return 1 / (double)(1 + step);
}

static tn_schedule *make(const char *name, tn_optimizer *o) {
    tn_one_cycle cycle = TN_ONE_CYCLE(0.5, SCHEDULE_STEPS);
    if (strcmp(name, "steps") == 0)
        return tn_schedule_steps(o, 4, 0.5);
    if (strcmp(name, "multi_step") == 0)
        return tn_schedule_multi_step(o, TN_DIMS(3, 3, 7), 0.3);
    if (strcmp(name, "exponential") == 0)
        return tn_schedule_exponential(o, 0.9);
    if (strcmp(name, "constant") == 0)
        return tn_schedule_constant(o, 0.25, 6);
    if (strcmp(name, "linear") == 0)
        return tn_schedule_linear(o, 0.2, 0.8, 7);
    if (strcmp(name, "polynomial") == 0)
        return tn_schedule_polynomial(o, 9, 2);
    if (strcmp(name, "cosine") == 0)
        return tn_schedule_cosine(o, 5, 0.01);
    if (strcmp(name, "warm_restarts") == 0)
        return tn_schedule_warm_restarts(o, 3, 2, 0.02);
    if (strcmp(name, "lambda") == 0)
        return tn_schedule_lambda(o, inverse, NULL, NULL);
    if (strcmp(name, "one_cycle_linear") == 0) {
        cycle.linear = cycle.three_phase = true;
        cycle.pct_start = 0.4;
    }
    if (strncmp(name, "one_cycle", 9) == 0)
        return tn_schedule_one_cycle(o, &cycle);
    tn_schedule *parts[] = {tn_schedule_constant(o, 0.25, 3), tn_schedule_exponential(o, 0.9), tn_schedule_cosine(o, 5, 0.01)};
    return parts[0] && parts[1] && parts[2] ? tn_schedule_sequential(parts, 3, TN_DIMS(4, 9)) : NULL;
}

TEST(rates_are_those_of_pytorch) {
    for (size_t i = 0; i < sizeof schedule_cases / sizeof schedule_cases[0]; i++) {
        tn_scope scope = tn_scope_open();
        tn_optimizer *optimizer = sgd();
        tn_schedule *schedule = optimizer ? make(schedule_cases[i].name, optimizer) : NULL;
        CHECK(schedule);
        for (int t = 0; t < SCHEDULE_STEPS; t++) {
            double lr = tn_optimizer_get(optimizer, 0, "lr"), momentum = tn_optimizer_get(optimizer, 0, "momentum");
            if (!(fabs(lr - schedule_cases[i].lr[t]) <= 1e-12) || !(fabs(momentum - schedule_cases[i].momentum[t]) <= 1e-12))
                test_fail(__FILE__, __LINE__, "%s, step %d: lr %.17g, not %.17g; momentum %.17g, not %.17g",
                          schedule_cases[i].name, t, lr, schedule_cases[i].lr[t], momentum, schedule_cases[i].momentum[t]);
            CHECK_INT(tn_schedule_steps_made(schedule), t);
            CHECK(t == SCHEDULE_STEPS - 1 || tn_schedule_step(schedule) == TN_OK);
        }
        tn_scope_close(scope);
    }
}

TEST(plateaus_are_those_of_pytorch) {
    for (size_t i = 0; i < sizeof plateau_cases / sizeof plateau_cases[0]; i++) {
        tn_optimizer *optimizer = sgd();
        tn_plateau plateau = TN_PLATEAU;
        plateau.maximize = plateau_cases[i].maximize;
        plateau.absolute = plateau_cases[i].absolute;
        plateau.factor = 0.5;
        plateau.patience = 2;
        plateau.threshold = 0.05;
        plateau.cooldown = 1;
        plateau.min_lr = 0.06;
        tn_schedule *schedule = optimizer ? tn_schedule_plateau(optimizer, &plateau) : NULL;
        CHECK(schedule);
        for (int t = 0; t < SCHEDULE_STEPS; t++) {
            CHECK(tn_schedule_step_metric(schedule, 1 + cos(0.4 * t) / (1 + 0.2 * t)) == TN_OK);
            CHECK(fabs(tn_optimizer_get(optimizer, 0, "lr") - plateau_cases[i].lr[t]) < 1e-15);
        }
        CHECK_ERROR(TN_ERROR_ARGUMENT, "step_metric", tn_schedule_step(schedule));
    }
}

static void count_call(void *ctx) { ++*(int *)ctx; }

TEST(the_context_of_a_factor_is_given_back_once) {
    int calls = 0;
    tn_optimizer *optimizer = sgd();
    tn_schedule *schedule = optimizer ? tn_schedule_lambda(optimizer, inverse, &calls, count_call) : NULL;
    CHECK(schedule);
    CHECK(tn_schedule_retain(schedule) == schedule);
    tn_schedule_release(schedule);
    CHECK_INT(calls, 0);
    tn_schedule_release(schedule);
    CHECK_INT(calls, 1);
}

TEST(what_is_no_schedule_is_refused) {
    tn_optimizer *optimizer = sgd(), *other = sgd();
    CHECK(optimizer && other);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "step_size", tn_schedule_steps(optimizer, 0, 0.5));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "start_factor", tn_schedule_linear(optimizer, 0, 1, 5));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "end_factor", tn_schedule_linear(optimizer, 1, 2, 5));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "factor", tn_schedule_constant(optimizer, 2, 5));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "t_max", tn_schedule_cosine(optimizer, 0, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "t_mult", tn_schedule_warm_restarts(optimizer, 1, 0, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "total", tn_schedule_polynomial(optimizer, 0, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "factor is NULL", tn_schedule_lambda(optimizer, NULL, NULL, NULL));
    tn_one_cycle cycle = TN_ONE_CYCLE(0.5, 2);
    tn_parameters *parameters = tn_parameters_new();
    CHECK(parameters && tn_parameters_add(parameters, "w", tn_zeros(TN_DIMS(1), TN_FLOAT32)));
    tn_optimizer *adagrad = tn_optimizer_new("adagrad", parameters);
    CHECK(adagrad);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "cycle_momentum", tn_schedule_one_cycle(adagrad, &cycle));
    tn_schedule *short_one = tn_schedule_one_cycle(optimizer, &cycle);
    CHECK(short_one && tn_schedule_step(short_one) == TN_OK && tn_schedule_step(short_one) == TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "is over", tn_schedule_step(short_one));
    cycle.size = 1;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "cycle.size", tn_schedule_one_cycle(optimizer, &cycle));
    tn_plateau plateau = TN_PLATEAU;
    plateau.factor = 1;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "factor", tn_schedule_plateau(optimizer, &plateau));
    tn_schedule *parts[] = {tn_schedule_exponential(optimizer, 0.5), tn_schedule_exponential(other, 0.5)};
    CHECK(parts[0] && parts[1]);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "different optimisers", tn_schedule_sequential(parts, 2, TN_DIMS(3)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "one milestone", tn_schedule_sequential(parts, 1, TN_DIMS(3)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "only a plateau", tn_schedule_step_metric(parts[0], 1));
    CHECK_DOUBLE(tn_optimizer_get(other, 0, "lr"), 0.8);
}
