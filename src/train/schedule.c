/* schedule.c - learning rates that change from step to step. See tenon/train.h.
 *
 * A kind of schedule is one function: the learning rate of a group at step `step`, from the one it has now (`lr`) and its first one
 * (`base`). Most of them multiply the present rate, so that schedules can be combined and a rate set by hand is respected, as in
 * torch.optim.lr_scheduler. Step 0 is made when the schedule is.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "tensor/check.h"
#include "train/optimizer.h"

#define SCHEDULE_PI 3.14159265358979323846

struct tn_schedule {
    tni_object object;
    tn_optimizer *optimizer; /* held */
    double (*rate)(const tn_schedule *schedule, double lr, double base);
    int64_t groups; /* of the optimiser, when it was made */
    int64_t step;
    double a, b, c;           /* of the kind's own */
    int64_t total, cut, many; /*                   */
    int64_t *milestones;
    int64_t milestone_count;
    tn_one_cycle cycle;
    int64_t momentum; /* the place of the setting that goes the other way; -1 */
    tn_plateau plateau;
    double best;
    int64_t bad, cooling;
    tn_factor factor;
    void *ctx;
    void (*deleter)(void *ctx);
    tn_schedule **parts; /* of a sequence; held */
    int64_t part_count;
};

/* ---- the object */

static void schedule_destroy(tni_object *object) {
    tn_schedule *schedule = (tn_schedule *)object;
    for (int64_t i = 0; i < schedule->part_count; i++)
        tni_object_drop(&schedule->parts[i]->object);
    if (schedule->parts)
        tni_heap_free(schedule->parts, (size_t)schedule->part_count * sizeof *schedule->parts);
    if (schedule->milestones)
        tni_heap_free(schedule->milestones, (size_t)schedule->milestone_count * sizeof *schedule->milestones);
    if (schedule->deleter)
        schedule->deleter(schedule->ctx);
    if (schedule->optimizer)
        tni_object_drop(&schedule->optimizer->object);
    object->class = &tni_dead_class;
    tni_heap_free(schedule, sizeof *schedule);
}

static const tni_class schedule_class = {"schedule", schedule_destroy};

static bool schedule_live(const tn_schedule *schedule, const char *function) {
    const char *outer = tni_operator_enter(function);
    bool live = tni_object_check((const tni_object *)schedule, &schedule_class, "schedule");
    tni_operator_leave(outer);
    return live;
}

tn_schedule *tn_schedule_retain(const tn_schedule *schedule) {
    if (!schedule || !schedule_live(schedule, "schedule_retain"))
        return NULL;
    tn_schedule *counted = (tn_schedule *)(uintptr_t)schedule;
    tni_object_retain(&counted->object);
    return counted;
}

void tn_schedule_release(tn_schedule *schedule) {
    if (schedule && schedule_live(schedule, "schedule_release"))
        tni_scope_release(&schedule->object, "schedule_release");
}

tn_schedule *tn_schedule_keep(tn_schedule *schedule) {
    if (!schedule || !schedule_live(schedule, "schedule_keep"))
        return NULL;
    if (!tni_scope_forget(&schedule->object))
        tni_object_retain(&schedule->object);
    return schedule;
}

int64_t tn_schedule_steps_made(const tn_schedule *schedule) {
    return schedule_live(schedule, "schedule_steps_made") ? schedule->step : -1;
}

/* ---- making one */

/* A schedule without a kind; NULL, raised, for lack of memory or an optimiser that is none. */
static tn_schedule *schedule_make(tn_optimizer *optimizer) {
    if (!tni_check_optimizer(optimizer, "optimizer"))
        return NULL;
    tn_schedule *schedule = tni_heap_calloc(sizeof *schedule);
    if (!schedule)
        return NULL;
    tni_object_init(&schedule->object, &schedule_class);
    tni_object_hold(&optimizer->object);
    schedule->optimizer = optimizer;
    schedule->groups = optimizer->group_count;
    schedule->momentum = -1;
    return schedule;
}

static void schedule_apply(tn_schedule *schedule) {
    int64_t place = tni_setting_place(schedule->optimizer->kind, "lr");
    for (int64_t g = 0; g < schedule->groups && schedule->rate; g++) {
        tni_group *group = &schedule->optimizer->groups[g];
        group->settings[place] = schedule->rate(schedule, group->settings[place], group->first_lr);
    }
}

/* The first step, with nothing left that can fail. */
static tn_schedule *schedule_start(tn_schedule *schedule) {
    int64_t place = tni_setting_place(schedule->optimizer->kind, "lr");
    for (int64_t g = 0; g < schedule->groups; g++) {
        tni_group *group = &schedule->optimizer->groups[g];
        if (!group->scheduled)
            group->first_lr = group->settings[place];
        group->scheduled = true;
    }
    schedule_apply(schedule);
    return schedule;
}

/* What the functions below have in common: numbers that are checked already (`wrong` is the complaint, or NULL). */
typedef struct schedule_numbers {
    double (*rate)(const tn_schedule *schedule, double lr, double base);
    double a, b, c;
    int64_t total, cut, many;
} schedule_numbers;

static tn_schedule *schedule_new(const char *function, tn_optimizer *optimizer, const char *wrong, schedule_numbers numbers) {
    const char *outer = tni_operator_enter(function);
    tn_schedule *schedule = NULL;
    if (wrong)
        (void)tni_raise(TN_ERROR_ARGUMENT, "%s", wrong);
    else if ((schedule = schedule_make(optimizer))) {
        schedule->rate = numbers.rate;
        schedule->a = numbers.a;
        schedule->b = numbers.b;
        schedule->c = numbers.c;
        schedule->total = numbers.total;
        schedule->cut = numbers.cut;
        schedule->many = numbers.many;
        schedule = schedule_start(schedule);
    }
    tni_operator_leave(outer);
    return tni_scope_adopt(schedule);
}

/* ---- the kinds that are a formula */

static double rate_steps(const tn_schedule *s, double lr, double base) {
    (void)base;
    return s->step == 0 || s->step % s->total != 0 ? lr : lr * s->a;
}

tn_schedule *tn_schedule_steps(tn_optimizer *optimizer, int64_t step_size, double gamma) {
    return schedule_new("schedule_steps", optimizer, step_size < 1 ? "step_size is less than 1" : NULL,
                        (schedule_numbers){.rate = rate_steps, .a = gamma, .total = step_size});
}

static double rate_exponential(const tn_schedule *s, double lr, double base) {
    (void)base;
    return s->step == 0 ? lr : lr * s->a;
}

tn_schedule *tn_schedule_exponential(tn_optimizer *optimizer, double gamma) {
    return schedule_new("schedule_exponential", optimizer, NULL, (schedule_numbers){.rate = rate_exponential, .a = gamma});
}

static double rate_constant(const tn_schedule *s, double lr, double base) {
    (void)base;
    return s->step == 0 ? lr * s->a : s->step == s->total ? lr * (1 / s->a) : lr;
}

tn_schedule *tn_schedule_constant(tn_optimizer *optimizer, double factor, int64_t total) {
    return schedule_new("schedule_constant", optimizer, !(factor >= 0 && factor <= 1) ? "factor is not from 0 to 1" : NULL,
                        (schedule_numbers){.rate = rate_constant, .a = factor, .total = total});
}

static double rate_linear(const tn_schedule *s, double lr, double base) {
    (void)base;
    if (s->step == 0)
        return lr * s->a;
    if (s->step > s->total)
        return lr;
    return lr * (1 + (s->b - s->a) / ((double)s->total * s->a + (double)(s->step - 1) * (s->b - s->a)));
}

tn_schedule *tn_schedule_linear(tn_optimizer *optimizer, double start_factor, double end_factor, int64_t total) {
    const char *wrong = !(start_factor > 0 && start_factor <= 1) ? "start_factor is not more than 0 and at most 1"
                        : !(end_factor >= 0 && end_factor <= 1)  ? "end_factor is not from 0 to 1"
                                                                 : NULL;
    return schedule_new("schedule_linear", optimizer, wrong,
                        (schedule_numbers){.rate = rate_linear, .a = start_factor, .b = end_factor, .total = total});
}

static double rate_polynomial(const tn_schedule *s, double lr, double base) {
    (void)base;
    if (s->step == 0 || s->step > s->total)
        return lr;
    double total = (double)s->total, now = 1 - (double)s->step / total, before = 1 - (double)(s->step - 1) / total;
    return lr * pow(now / before, s->a);
}

tn_schedule *tn_schedule_polynomial(tn_optimizer *optimizer, int64_t total, double power) {
    return schedule_new("schedule_polynomial", optimizer, total < 1 ? "total is less than 1" : NULL,
                        (schedule_numbers){.rate = rate_polynomial, .a = power, .total = total});
}

static double rate_cosine(const tn_schedule *s, double lr, double base) {
    double half = (double)s->total, turn = SCHEDULE_PI / half;
    if (s->step == 0)
        return lr;
    if ((s->step - 1 - s->total) % (2 * s->total) == 0) /* the cosine was -1: from the lowest point up again */
        return lr + (base - s->a) * (1 - cos(turn)) / 2;
    return (1 + cos(turn * (double)s->step)) / (1 + cos(turn * (double)(s->step - 1))) * (lr - s->a) + s->a;
}

tn_schedule *tn_schedule_cosine(tn_optimizer *optimizer, int64_t t_max, double eta_min) {
    return schedule_new("schedule_cosine", optimizer, t_max < 1 ? "t_max is less than 1" : NULL,
                        (schedule_numbers){.rate = rate_cosine, .a = eta_min, .total = t_max});
}

static double rate_warm_restarts(const tn_schedule *s, double lr, double base) {
    (void)lr;
    return s->a + (base - s->a) * (1 + cos(SCHEDULE_PI * (double)s->cut / (double)s->total)) / 2;
}

tn_schedule *tn_schedule_warm_restarts(tn_optimizer *optimizer, int64_t t_0, int64_t t_mult, double eta_min) {
    const char *wrong = t_0 < 1 ? "t_0 is less than 1" : t_mult < 1 ? "t_mult is less than 1" : NULL;
    return schedule_new("schedule_warm_restarts", optimizer, wrong,
                        (schedule_numbers){.rate = rate_warm_restarts, .a = eta_min, .total = t_0, .many = t_mult});
}

/* ---- the kinds that hold more */

static tn_schedule *schedule_give_up(tn_schedule *schedule) {
    if (schedule)
        tni_object_release(&schedule->object);
    return NULL;
}

static bool schedule_take_milestones(tn_schedule *schedule, tn_dims milestones) {
    if (milestones.count == 0)
        return true;
    schedule->milestones = tni_heap_alloc((size_t)milestones.count * sizeof *schedule->milestones);
    if (!schedule->milestones)
        return false;
    schedule->milestone_count = milestones.count;
    memcpy(schedule->milestones, milestones.values, (size_t)milestones.count * sizeof *schedule->milestones);
    return true;
}

static double rate_multi_step(const tn_schedule *s, double lr, double base) {
    (void)base;
    for (int64_t i = 0; i < s->milestone_count && s->step > 0; i++)
        lr *= s->milestones[i] == s->step ? s->a : 1;
    return lr;
}

tn_schedule *tn_schedule_multi_step(tn_optimizer *optimizer, tn_dims milestones, double gamma) {
    const char *outer = tni_operator_enter("schedule_multi_step");
    tn_schedule *schedule = tni_check_dims(milestones, "milestones") ? schedule_make(optimizer) : NULL;
    if (schedule && schedule_take_milestones(schedule, milestones)) {
        schedule->rate = rate_multi_step;
        schedule->a = gamma;
        schedule = schedule_start(schedule);
    } else
        schedule = schedule_give_up(schedule);
    tni_operator_leave(outer);
    return tni_scope_adopt(schedule);
}

static double rate_lambda(const tn_schedule *s, double lr, double base) {
    (void)lr;
    return base * s->factor(s->ctx, s->step);
}

tn_schedule *tn_schedule_lambda(tn_optimizer *optimizer, tn_factor factor, void *ctx, void (*deleter)(void *ctx)) {
    const char *outer = tni_operator_enter("schedule_lambda");
    tn_schedule *schedule = NULL;
    if (!factor)
        (void)tni_raise(TN_ERROR_ARGUMENT, "factor is NULL");
    else if ((schedule = schedule_make(optimizer))) {
        schedule->rate = rate_lambda;
        schedule->factor = factor;
        schedule->ctx = ctx;
        schedule->deleter = deleter;
        schedule = schedule_start(schedule);
    }
    tni_operator_leave(outer);
    return tni_scope_adopt(schedule);
}

/* ---- one cycle */

static double cycle_between(const tn_schedule *s, double from, double to, double share) {
    return s->cycle.linear ? (to - from) * share + from : to + (from - to) / 2 * (1 + cos(SCHEDULE_PI * share));
}

/* The value at this step of something that goes from `low` to `high`, back to `low`, and to `end`. */
static double cycle_value(const tn_schedule *s, double low, double high, double end) {
    double total = (double)s->cycle.total, up = s->cycle.pct_start * total - 1, step = (double)s->step;
    double ends[3] = {up, s->cycle.three_phase ? 2 * s->cycle.pct_start * total - 2 : total - 1, total - 1};
    double values[4] = {low, high, s->cycle.three_phase ? low : end, end}, begin = 0;
    int last = s->cycle.three_phase ? 2 : 1;
    for (int i = 0;; i++) {
        if (step <= ends[i] || i == last)
            return cycle_between(s, values[i], values[i + 1], (step - begin) / (ends[i] - begin));
        begin = ends[i];
    }
}

static double rate_one_cycle(const tn_schedule *s, double lr, double base) {
    (void)lr;
    (void)base;
    double low = s->cycle.max_lr / s->cycle.div_factor;
    return cycle_value(s, low, s->cycle.max_lr, low / s->cycle.final_div_factor);
}

static void cycle_momentum(tn_schedule *schedule) {
    for (int64_t g = 0; g < schedule->groups && schedule->momentum >= 0; g++)
        schedule->optimizer->groups[g].settings[schedule->momentum] =
            cycle_value(schedule, schedule->cycle.max_momentum, schedule->cycle.base_momentum, schedule->cycle.max_momentum);
}

static const char *cycle_wrong(const tn_one_cycle *cycle) {
    return !cycle                                              ? "cycle is NULL"
           : cycle->size < sizeof(tn_one_cycle)                ? "cycle.size is too small: begin with TN_ONE_CYCLE"
           : cycle->total < 1                                  ? "total is less than 1"
           : !(cycle->pct_start >= 0 && cycle->pct_start <= 1) ? "pct_start is not from 0 to 1"
                                                               : NULL;
}

tn_schedule *tn_schedule_one_cycle(tn_optimizer *optimizer, const tn_one_cycle *cycle) {
    const char *outer = tni_operator_enter("schedule_one_cycle"), *wrong = cycle_wrong(cycle);
    tn_schedule *schedule = NULL;
    if (wrong)
        (void)tni_raise(TN_ERROR_ARGUMENT, "%s", wrong);
    else if ((schedule = schedule_make(optimizer))) {
        schedule->cycle = *cycle;
        schedule->rate = rate_one_cycle;
        schedule->momentum = tni_setting_place(optimizer->kind, "momentum");
        if (schedule->momentum < 0)
            schedule->momentum = tni_setting_place(optimizer->kind, "beta1");
        if (cycle->cycle_momentum && schedule->momentum < 0) {
            (void)tni_raise(TN_ERROR_ARGUMENT, "%s has neither momentum nor beta1: set cycle_momentum to false",
                            optimizer->kind->name);
            schedule = schedule_give_up(schedule);
        } else {
            if (!cycle->cycle_momentum)
                schedule->momentum = -1;
            schedule = schedule_start(schedule);
            cycle_momentum(schedule);
        }
    }
    tni_operator_leave(outer);
    return tni_scope_adopt(schedule);
}

/* ---- plateaus */

tn_schedule *tn_schedule_plateau(tn_optimizer *optimizer, const tn_plateau *plateau) {
    const char *outer = tni_operator_enter("schedule_plateau");
    tn_schedule *schedule = NULL;
    const char *wrong = !plateau                             ? "plateau is NULL"
                        : plateau->size < sizeof(tn_plateau) ? "plateau.size is too small: begin with TN_PLATEAU"
                        : !(plateau->factor < 1)             ? "factor is not less than 1"
                                                             : NULL;
    if (wrong)
        (void)tni_raise(TN_ERROR_ARGUMENT, "%s", wrong);
    else if ((schedule = schedule_make(optimizer))) {
        schedule->plateau = *plateau;
        schedule->best = plateau->maximize ? -INFINITY : INFINITY;
        schedule = schedule_start(schedule);
    }
    tni_operator_leave(outer);
    return tni_scope_adopt(schedule);
}

static bool plateau_better(const tn_schedule *s, double metric) {
    double sign = s->plateau.maximize ? 1 : -1;
    double bar = s->plateau.absolute ? s->best + sign * s->plateau.threshold : s->best * (1 + sign * s->plateau.threshold);
    return s->plateau.maximize ? metric > bar : metric < bar;
}

static void plateau_step(tn_schedule *s, double metric) {
    s->step++;
    if (plateau_better(s, metric)) {
        s->best = metric;
        s->bad = 0;
    } else
        s->bad++;
    if (s->cooling > 0) {
        s->cooling--;
        s->bad = 0;
    }
    if (s->bad <= s->plateau.patience)
        return;
    int64_t place = tni_setting_place(s->optimizer->kind, "lr");
    for (int64_t g = 0; g < s->groups; g++) {
        double *lr = &s->optimizer->groups[g].settings[place], next = fmax(*lr * s->plateau.factor, s->plateau.min_lr);
        if (*lr - next > s->plateau.eps)
            *lr = next;
    }
    s->cooling = s->plateau.cooldown;
    s->bad = 0;
}

tn_error tn_schedule_step_metric(tn_schedule *schedule, double metric) {
    if (!schedule_live(schedule, "schedule_step_metric"))
        return TN_ERROR_ARGUMENT;
    if (schedule->plateau.size == 0)
        return tni_raise_in("schedule_step_metric", TN_ERROR_ARGUMENT,
                            "only a plateau looks at a number: use tn_schedule_step");
    plateau_step(schedule, metric);
    return TN_OK;
}

/* ---- one after the other */

static const char *sequence_wrong(tn_schedule *const *schedules, int64_t count, tn_dims milestones) {
    if (count < 1 || !schedules)
        return "there are no schedules";
    if (milestones.count != count - 1)
        return "there is not one milestone between each two schedules";
    for (int64_t i = 0; i < count; i++) {
        if (!tni_object_check((const tni_object *)schedules[i], &schedule_class, "schedules"))
            return "one of the schedules is none";
        if (schedules[i]->optimizer != schedules[0]->optimizer)
            return "the schedules are of different optimisers";
        if (!schedules[i]->rate || schedules[i]->part_count)
            return "a plateau or a sequence cannot be part of a sequence";
        if (i > 1 && milestones.values[i - 1] <= milestones.values[i - 2])
            return "the milestones do not ascend";
    }
    return NULL;
}

/* A part begins where it stands in the sequence: with the first rates. */
static void sequence_begin(tn_schedule *part) {
    int64_t place = tni_setting_place(part->optimizer->kind, "lr");
    for (int64_t g = 0; g < part->groups; g++)
        part->optimizer->groups[g].settings[place] = part->optimizer->groups[g].first_lr;
    part->step = 0;
    if (part->rate == rate_warm_restarts)
        part->cut = 0;
    schedule_apply(part);
    cycle_momentum(part);
}

tn_schedule *tn_schedule_sequential(tn_schedule *const *schedules, int64_t count, tn_dims milestones) {
    const char *outer = tni_operator_enter("schedule_sequential");
    const char *wrong = tni_check_dims(milestones, "milestones") ? sequence_wrong(schedules, count, milestones) : "milestones";
    tn_schedule *schedule = NULL;
    if (wrong)
        (void)tni_raise(TN_ERROR_ARGUMENT, "%s", wrong);
    else if ((schedule = schedule_make(schedules[0]->optimizer))) {
        schedule->parts = tni_heap_alloc((size_t)count * sizeof *schedule->parts);
        if (schedule->parts && schedule_take_milestones(schedule, milestones)) {
            for (; schedule->part_count < count; schedule->part_count++)
                tni_object_hold(&(schedule->parts[schedule->part_count] = schedules[schedule->part_count])->object);
            schedule->groups = schedules[0]->groups;
            sequence_begin(schedule->parts[0]);
        } else {
            if (schedule->parts)
                tni_heap_free(schedule->parts, (size_t)count * sizeof *schedule->parts);
            schedule->parts = NULL;
            schedule = schedule_give_up(schedule);
        }
    }
    tni_operator_leave(outer);
    return tni_scope_adopt(schedule);
}

static tn_error schedule_step(tn_schedule *schedule);

static tn_error sequence_step(tn_schedule *schedule) {
    int64_t part = 0, next = schedule->step + 1;
    while (part < schedule->milestone_count && schedule->milestones[part] <= next)
        part++;
    tn_error code = TN_OK;
    if (part > 0 && schedule->milestones[part - 1] == next)
        sequence_begin(schedule->parts[part]);
    else
        code = schedule_step(schedule->parts[part]);
    if (code == TN_OK)
        schedule->step = next;
    return code;
}

/* ---- the step */

static tn_error schedule_step(tn_schedule *schedule) {
    if (schedule->part_count)
        return sequence_step(schedule);
    if (schedule->plateau.size)
        return tni_raise(TN_ERROR_ARGUMENT, "a plateau looks at a number: use tn_schedule_step_metric");
    if (schedule->cycle.size && schedule->step + 1 > schedule->cycle.total)
        return tni_raise(TN_ERROR_STATE, "the cycle of %" PRId64 " steps is over", schedule->cycle.total);
    schedule->step++;
    if (schedule->rate == rate_warm_restarts && ++schedule->cut >= schedule->total) {
        schedule->cut -= schedule->total;
        schedule->total *= schedule->many;
    }
    schedule_apply(schedule);
    cycle_momentum(schedule);
    return TN_OK;
}

tn_error tn_schedule_step(tn_schedule *schedule) {
    if (!schedule_live(schedule, "schedule_step"))
        return TN_ERROR_ARGUMENT;
    const char *outer = tni_operator_enter("schedule_step");
    tn_error code = schedule_step(schedule);
    tni_operator_leave(outer);
    return code;
}
