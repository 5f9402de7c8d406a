/* optimizer.h - the inside of optimisers.
 *
 * A kind of optimiser is a row of a table (optimizer_kinds.c): its settings, the names of its state, and how it steps. Most of them
 * treat every element alike: such a row works out a dozen numbers for each parameter, and one loop over all parameters does the
 * rest (optimizer_step.c, kernels/step_loop.h). The others are made of public operators (optimizer_matrix.c, lbfgs.c).
 *
 * Invariant: a slot's state is there, whole, once `started` is set; before that it may be missing or half made, and is not read.
 */
#ifndef TNI_TRAIN_OPTIMIZER_H
#define TNI_TRAIN_OPTIMIZER_H

#include "kernels/step_loop.h"
#include "train/parameters.h"

enum { TNI_SETTINGS = 12, TNI_SLOT_STATES = 4, TNI_SLOT_NUMBERS = 2 };

/* What a setting may be. */
typedef enum tni_setting_range {
    TNI_SETTING_ANY,
    TNI_SETTING_NOT_NEGATIVE,
    TNI_SETTING_SHARE,        /* from 0 to below 1 */
    TNI_SETTING_SHARE_CLOSED, /* from 0 to 1       */
    TNI_SETTING_BETWEEN,      /* between 0 and 1, neither of them */
    TNI_SETTING_FROM_ONE,     /* 1 or more */
    TNI_SETTING_ABOVE_ONE,
    TNI_SETTING_NOT_POSITIVE,
    TNI_SETTING_SWITCH, /* 0 or 1 */
    TNI_SETTING_COUNT   /* a whole number, 0 or more; or -1 */
} tni_setting_range;

typedef struct tni_setting {
    const char *name;
    double initial;
    tni_setting_range range;
} tni_setting;

/* One parameter of an optimiser. */
typedef struct tni_optimizer_slot {
    const tni_named *parameter;
    int64_t group;
    bool started;
    double step;                        /* how many it has made */
    double numbers[TNI_SLOT_NUMBERS];   /* of its own: tni_optimizer_kind.numbers */
    tn_tensor *states[TNI_SLOT_STATES]; /* held */
} tni_optimizer_slot;

typedef struct tni_optimizer_kind {
    const char *name;
    const tni_setting *settings;
    const char *states[TNI_SLOT_STATES];   /* by PyTorch's names; NULL after the last */
    const char *numbers[TNI_SLOT_NUMBERS]; /* numbers that are part of the state; NULL after the last */
    bool counts;                           /* its state has a step */
    bool real, matrices;                   /* takes no complex parameters; takes matrices alone */

    /* Optimisers of elements: the loop; which states the settings call for, as bits, and what they begin with; and the numbers of
     * the loop for the next step, which `slot` has counted already. A setting that does not go with another is an error. */
    tni_step_kind loop;
    bool (*check)(const double *settings);
    unsigned (*wants)(const double *settings);
    double (*initial)(const double *settings, int state);
    void (*begin)(const double *settings, tni_optimizer_slot *slot);
    void (*prepare)(const double *settings, tni_optimizer_slot *slot, double *numbers);

    /* Others: make the state that is missing, then make the step, with public operators. */
    tn_error (*make)(const double *settings, tni_optimizer_slot *slot, const tn_tensor *gradient);
    tn_error (*move)(const double *settings, tni_optimizer_slot *slot, const tn_tensor *gradient);
} tni_optimizer_kind;

typedef struct tni_group {
    tn_parameters *parameters; /* held; a copy of the set */
    double settings[TNI_SETTINGS];
    bool scheduled;  /* a schedule was made */
    double first_lr; /* what lr was then    */
} tni_group;

struct tn_optimizer {
    tni_object object;
    const tni_optimizer_kind *kind;
    double settings[TNI_SETTINGS]; /* of groups to come */
    tni_group *groups;
    size_t group_capacity;
    int64_t group_count;
    tni_optimizer_slot *slots; /* of all groups, in order */
    size_t slot_capacity;
    int64_t slot_count;
    struct tni_lbfgs *lbfgs; /* of that kind alone, from its first step on */
};

TNI_EXTERN const tni_class tni_optimizer_class;
TNI_EXTERN const tni_optimizer_kind *const tni_optimizer_kinds;
TNI_EXTERN const int64_t tni_optimizer_kind_count;

static inline bool tni_check_optimizer(const tn_optimizer *optimizer, const char *argument) {
    return tni_object_check((const tni_object *)optimizer, &tni_optimizer_class, argument);
}

/* The place of a setting in a kind's list, or -1. */
int64_t tni_setting_place(const tni_optimizer_kind *kind, const char *name);
#define TNI_SETTING_OF(kind, settings, name) ((settings)[tni_setting_place(kind, name)])

/* What a slot holds in place `state` becomes `made`, whose reference is taken over; a NULL leaves nothing there. */
void tni_optimizer_slot_put(tni_optimizer_slot *slot, int state, tn_tensor *made);
void tni_optimizer_slot_clear(tni_optimizer_slot *slot);

/* One step of all slots with a gradient, none of them recorded: optimizer_step.c. */
tn_error tni_optimizer_step_all(tn_optimizer *optimizer);

/* The steps that are made of operators. */
tn_error tni_adafactor_make(const double *settings, tni_optimizer_slot *slot, const tn_tensor *gradient);
tn_error tni_adafactor_move(const double *settings, tni_optimizer_slot *slot, const tn_tensor *gradient);
tn_error tni_muon_make(const double *settings, tni_optimizer_slot *slot, const tn_tensor *gradient);
tn_error tni_muon_move(const double *settings, tni_optimizer_slot *slot, const tn_tensor *gradient);

tn_error tni_lbfgs_step(tn_optimizer *optimizer, tn_closure closure, void *ctx, double *loss);
void tni_lbfgs_free(struct tni_lbfgs *lbfgs);
tn_error tni_lbfgs_state(const tn_optimizer *optimizer, tn_parameters *state);
tn_error tni_lbfgs_set_state(tn_optimizer *optimizer, const tn_parameters *state);

/* Runs a program's closure in a scope of its own, with gradients on. */
tn_error tni_closure_run(tn_closure closure, void *ctx, double *loss);

#endif
