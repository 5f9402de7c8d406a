/* optimizer_kinds.c - the table of optimisers: settings with PyTorch's defaults, names of state, and the numbers of each step.
 *
 * Formulas are those of torch.optim, factors that all elements share being multiplied beforehand; what PyTorch keeps as a tensor of the default dtype without
 * dimensions (mu_product, eta, mu) is rounded to that dtype here, too.
 */
#include <math.h>

#include "base/error.h"
#include "tensor/dtype.h"
#include "train/optimizer.h"

static double kinds_round(double x) { return tn_default_dtype() == TN_FLOAT64 ? x : (double)(float)x; }

static void kinds_common(double *numbers, double maximize, double weight, double shrink) {
    numbers[0] = maximize != 0 ? -1 : 1;
    numbers[1] = weight;
    numbers[2] = shrink;
}

/* ---- sgd */

enum { SGD_LR, SGD_MOMENTUM, SGD_DAMPENING, SGD_WEIGHT_DECAY, SGD_NESTEROV, SGD_MAXIMIZE };
static const tni_setting sgd_settings[] = {{"lr", 1e-3, TNI_SETTING_NOT_NEGATIVE},
                                           {"momentum", 0, TNI_SETTING_NOT_NEGATIVE},
                                           {"dampening", 0, TNI_SETTING_ANY},
                                           {"weight_decay", 0, TNI_SETTING_NOT_NEGATIVE},
                                           {"nesterov", 0, TNI_SETTING_SWITCH},
                                           {"maximize", 0, TNI_SETTING_SWITCH},
                                           {NULL, 0, TNI_SETTING_ANY}};

static bool sgd_check(const double *s) {
    if (s[SGD_NESTEROV] != 0 && (s[SGD_MOMENTUM] == 0 || s[SGD_DAMPENING] != 0))
        return tni_raise(TN_ERROR_ARGUMENT, "nesterov needs a momentum and no dampening; they are %g and %g", s[SGD_MOMENTUM],
                         s[SGD_DAMPENING]) == TN_OK;
    return true;
}

static unsigned sgd_wants(const double *s) { return s[SGD_MOMENTUM] != 0; }

static void sgd_prepare(const double *s, tni_optimizer_slot *slot, double *numbers) {
    bool first = slot->step == 1;
    kinds_common(numbers, s[SGD_MAXIMIZE], s[SGD_WEIGHT_DECAY], 1);
    numbers[3] = -s[SGD_LR];
    numbers[4] = first ? 0 : s[SGD_MOMENTUM];
    numbers[5] = first ? 1 : 1 - s[SGD_DAMPENING];
    numbers[6] = s[SGD_NESTEROV];
    numbers[7] = s[SGD_MOMENTUM];
}

/* ---- adam, adamw */

enum { ADAM_LR, ADAM_BETA1, ADAM_BETA2, ADAM_EPS, ADAM_WEIGHT_DECAY, ADAM_AMSGRAD, ADAM_MAXIMIZE, ADAM_DECOUPLED };
#define ADAM_SETTINGS(weight_decay, decoupled)                                                                                 \
    {                                                                                                                          \
        {"lr", 1e-3, TNI_SETTING_NOT_NEGATIVE}, {"beta1", 0.9, TNI_SETTING_SHARE}, {"beta2", 0.999, TNI_SETTING_SHARE},        \
            {"eps", 1e-8, TNI_SETTING_NOT_NEGATIVE}, {"weight_decay", weight_decay, TNI_SETTING_NOT_NEGATIVE},                 \
            {"amsgrad", 0, TNI_SETTING_SWITCH}, {"maximize", 0, TNI_SETTING_SWITCH},                                           \
            {"decoupled_weight_decay", decoupled, TNI_SETTING_SWITCH}, {                                                       \
            NULL, 0, TNI_SETTING_ANY                                                                                           \
        }                                                                                                                      \
    }
static const tni_setting adam_settings[] = ADAM_SETTINGS(0, 0), adamw_settings[] = ADAM_SETTINGS(1e-2, 1);

static unsigned adam_wants(const double *s) { return s[ADAM_AMSGRAD] != 0 ? 7 : 3; }

/* The averages of gradients and of their squares, for the optimisers that have both. */
static void adam_averages(double beta1, double beta2, double eps, double *numbers) {
    numbers[3] = 1 - beta1;
    numbers[4] = beta2;
    numbers[5] = 1 - beta2;
    numbers[7] = eps;
}

static void adam_decay(double lr, double decay, double decoupled, double maximize, double *numbers) {
    kinds_common(numbers, maximize, decoupled != 0 ? 0 : decay, decoupled != 0 ? 1 - lr * decay : 1);
}

static void adam_prepare(const double *s, tni_optimizer_slot *slot, double *numbers) {
    adam_decay(s[ADAM_LR], s[ADAM_WEIGHT_DECAY], s[ADAM_DECOUPLED], s[ADAM_MAXIMIZE], numbers);
    adam_averages(s[ADAM_BETA1], s[ADAM_BETA2], s[ADAM_EPS], numbers);
    numbers[6] = 1 / sqrt(1 - pow(s[ADAM_BETA2], slot->step));
    numbers[8] = -(s[ADAM_LR] / (1 - pow(s[ADAM_BETA1], slot->step)));
}

/* ---- rmsprop */

enum { RMSPROP_LR, RMSPROP_ALPHA, RMSPROP_EPS, RMSPROP_WEIGHT_DECAY, RMSPROP_MOMENTUM, RMSPROP_CENTERED, RMSPROP_MAXIMIZE };
static const tni_setting rmsprop_settings[] = {
    {"lr", 1e-2, TNI_SETTING_NOT_NEGATIVE},    {"alpha", 0.99, TNI_SETTING_NOT_NEGATIVE},
    {"eps", 1e-8, TNI_SETTING_NOT_NEGATIVE},   {"weight_decay", 0, TNI_SETTING_NOT_NEGATIVE},
    {"momentum", 0, TNI_SETTING_NOT_NEGATIVE}, {"centered", 0, TNI_SETTING_SWITCH},
    {"maximize", 0, TNI_SETTING_SWITCH},       {NULL, 0, TNI_SETTING_ANY}};

static unsigned rmsprop_wants(const double *s) {
    return 1U | (s[RMSPROP_CENTERED] != 0 ? 2U : 0) | (s[RMSPROP_MOMENTUM] > 0 ? 4U : 0);
}

static void rmsprop_prepare(const double *s, tni_optimizer_slot *slot, double *numbers) {
    (void)slot;
    kinds_common(numbers, s[RMSPROP_MAXIMIZE], s[RMSPROP_WEIGHT_DECAY], 1);
    numbers[3] = -s[RMSPROP_LR];
    numbers[4] = s[RMSPROP_ALPHA];
    numbers[5] = 1 - s[RMSPROP_ALPHA];
    numbers[6] = s[RMSPROP_MOMENTUM];
    numbers[7] = s[RMSPROP_EPS];
}

/* ---- adagrad */

enum { ADAGRAD_LR, ADAGRAD_LR_DECAY, ADAGRAD_WEIGHT_DECAY, ADAGRAD_INITIAL, ADAGRAD_EPS, ADAGRAD_MAXIMIZE };
static const tni_setting adagrad_settings[] = {{"lr", 1e-2, TNI_SETTING_NOT_NEGATIVE},
                                               {"lr_decay", 0, TNI_SETTING_NOT_NEGATIVE},
                                               {"weight_decay", 0, TNI_SETTING_NOT_NEGATIVE},
                                               {"initial_accumulator_value", 0, TNI_SETTING_NOT_NEGATIVE},
                                               {"eps", 1e-10, TNI_SETTING_NOT_NEGATIVE},
                                               {"maximize", 0, TNI_SETTING_SWITCH},
                                               {NULL, 0, TNI_SETTING_ANY}};

static unsigned one_state(const double *s) {
    (void)s;
    return 1;
}

static unsigned two_states(const double *s) {
    (void)s;
    return 3;
}

static double adagrad_initial(const double *s, int state) {
    (void)state;
    return s[ADAGRAD_INITIAL];
}

static void adagrad_prepare(const double *s, tni_optimizer_slot *slot, double *numbers) {
    kinds_common(numbers, s[ADAGRAD_MAXIMIZE], s[ADAGRAD_WEIGHT_DECAY], 1);
    numbers[3] = -(s[ADAGRAD_LR] / (1 + (slot->step - 1) * s[ADAGRAD_LR_DECAY]));
    numbers[7] = s[ADAGRAD_EPS];
}

/* ---- adadelta */

enum { ADADELTA_LR, ADADELTA_RHO, ADADELTA_EPS, ADADELTA_WEIGHT_DECAY, ADADELTA_MAXIMIZE };
static const tni_setting adadelta_settings[] = {
    {"lr", 1, TNI_SETTING_NOT_NEGATIVE},     {"rho", 0.9, TNI_SETTING_SHARE_CLOSED},
    {"eps", 1e-6, TNI_SETTING_NOT_NEGATIVE}, {"weight_decay", 0, TNI_SETTING_NOT_NEGATIVE},
    {"maximize", 0, TNI_SETTING_SWITCH},     {NULL, 0, TNI_SETTING_ANY}};

static void adadelta_prepare(const double *s, tni_optimizer_slot *slot, double *numbers) {
    (void)slot;
    kinds_common(numbers, s[ADADELTA_MAXIMIZE], s[ADADELTA_WEIGHT_DECAY], 1);
    numbers[3] = -s[ADADELTA_LR];
    numbers[4] = s[ADADELTA_RHO];
    numbers[5] = 1 - s[ADADELTA_RHO];
    numbers[7] = s[ADADELTA_EPS];
}

/* ---- nadam */

enum {
    NADAM_LR,
    NADAM_BETA1,
    NADAM_BETA2,
    NADAM_EPS,
    NADAM_WEIGHT_DECAY,
    NADAM_MOMENTUM_DECAY,
    NADAM_DECOUPLED,
    NADAM_MAXIMIZE
};
static const tni_setting nadam_settings[] = {{"lr", 2e-3, TNI_SETTING_NOT_NEGATIVE},
                                             {"beta1", 0.9, TNI_SETTING_SHARE},
                                             {"beta2", 0.999, TNI_SETTING_SHARE},
                                             {"eps", 1e-8, TNI_SETTING_NOT_NEGATIVE},
                                             {"weight_decay", 0, TNI_SETTING_NOT_NEGATIVE},
                                             {"momentum_decay", 4e-3, TNI_SETTING_NOT_NEGATIVE},
                                             {"decoupled_weight_decay", 0, TNI_SETTING_SWITCH},
                                             {"maximize", 0, TNI_SETTING_SWITCH},
                                             {NULL, 0, TNI_SETTING_ANY}};

static void nadam_begin(const double *s, tni_optimizer_slot *slot) {
    (void)s;
    slot->numbers[0] = 1;
}

static void nadam_prepare(const double *s, tni_optimizer_slot *slot, double *numbers) {
    double step = slot->step, lr = s[NADAM_LR], decay = s[NADAM_MOMENTUM_DECAY];
    double mu = s[NADAM_BETA1] * (1 - 0.5 * pow(0.96, step * decay));
    double next = s[NADAM_BETA1] * (1 - 0.5 * pow(0.96, (step + 1) * decay));
    slot->numbers[0] = kinds_round(slot->numbers[0] * kinds_round(mu));
    adam_decay(lr, s[NADAM_WEIGHT_DECAY], s[NADAM_DECOUPLED], s[NADAM_MAXIMIZE], numbers);
    adam_averages(s[NADAM_BETA1], s[NADAM_BETA2], s[NADAM_EPS], numbers);
    numbers[6] = 1 / (1 - pow(s[NADAM_BETA2], step));
    numbers[8] = -lr * (1 - mu) / (1 - slot->numbers[0]);
    numbers[9] = -lr * next / (1 - slot->numbers[0] * next);
}

/* ---- radam */

enum { RADAM_LR, RADAM_BETA1, RADAM_BETA2, RADAM_EPS, RADAM_WEIGHT_DECAY, RADAM_DECOUPLED, RADAM_MAXIMIZE };
static const tni_setting radam_settings[] = {
    {"lr", 1e-3, TNI_SETTING_NOT_NEGATIVE},        {"beta1", 0.9, TNI_SETTING_SHARE},
    {"beta2", 0.999, TNI_SETTING_SHARE},           {"eps", 1e-8, TNI_SETTING_NOT_NEGATIVE},
    {"weight_decay", 0, TNI_SETTING_NOT_NEGATIVE}, {"decoupled_weight_decay", 0, TNI_SETTING_SWITCH},
    {"maximize", 0, TNI_SETTING_SWITCH},           {NULL, 0, TNI_SETTING_ANY}};

static void radam_prepare(const double *s, tni_optimizer_slot *slot, double *numbers) {
    double beta2 = s[RADAM_BETA2], power = pow(beta2, slot->step), correction = 1 - power;
    double most = 2 / (1 - beta2) - 1, rho = most - 2 * slot->step * power / correction;
    adam_decay(s[RADAM_LR], s[RADAM_WEIGHT_DECAY], s[RADAM_DECOUPLED], s[RADAM_MAXIMIZE], numbers);
    adam_averages(s[RADAM_BETA1], beta2, s[RADAM_EPS], numbers);
    numbers[8] = -s[RADAM_LR] / (1 - pow(s[RADAM_BETA1], slot->step));
    numbers[9] = rho > 5 ? sqrt(correction) * sqrt((rho - 4) * (rho - 2) * most / ((most - 4) * (most - 2) * rho)) : 0;
}

/* ---- adamax */

enum { ADAMAX_LR, ADAMAX_BETA1, ADAMAX_BETA2, ADAMAX_EPS, ADAMAX_WEIGHT_DECAY, ADAMAX_MAXIMIZE };
static const tni_setting adamax_settings[] = {{"lr", 2e-3, TNI_SETTING_NOT_NEGATIVE},
                                              {"beta1", 0.9, TNI_SETTING_SHARE},
                                              {"beta2", 0.999, TNI_SETTING_SHARE},
                                              {"eps", 1e-8, TNI_SETTING_NOT_NEGATIVE},
                                              {"weight_decay", 0, TNI_SETTING_NOT_NEGATIVE},
                                              {"maximize", 0, TNI_SETTING_SWITCH},
                                              {NULL, 0, TNI_SETTING_ANY}};

static void adamax_prepare(const double *s, tni_optimizer_slot *slot, double *numbers) {
    kinds_common(numbers, s[ADAMAX_MAXIMIZE], s[ADAMAX_WEIGHT_DECAY], 1);
    adam_averages(s[ADAMAX_BETA1], s[ADAMAX_BETA2], s[ADAMAX_EPS], numbers);
    numbers[8] = -(s[ADAMAX_LR] / (1 - pow(s[ADAMAX_BETA1], slot->step)));
}

/* ---- asgd */

enum { ASGD_LR, ASGD_LAMBD, ASGD_ALPHA, ASGD_T0, ASGD_WEIGHT_DECAY, ASGD_MAXIMIZE };
static const tni_setting asgd_settings[] = {{"lr", 1e-2, TNI_SETTING_NOT_NEGATIVE},
                                            {"lambd", 1e-4, TNI_SETTING_ANY},
                                            {"alpha", 0.75, TNI_SETTING_ANY},
                                            {"t0", 1e6, TNI_SETTING_ANY},
                                            {"weight_decay", 0, TNI_SETTING_NOT_NEGATIVE},
                                            {"maximize", 0, TNI_SETTING_SWITCH},
                                            {NULL, 0, TNI_SETTING_ANY}};

/* Its numbers are eta and mu, for the step to come. */
static void asgd_begin(const double *s, tni_optimizer_slot *slot) {
    slot->numbers[0] = kinds_round(s[ASGD_LR]);
    slot->numbers[1] = 1;
}

static void asgd_prepare(const double *s, tni_optimizer_slot *slot, double *numbers) {
    kinds_common(numbers, s[ASGD_MAXIMIZE], s[ASGD_WEIGHT_DECAY], 1 - s[ASGD_LAMBD] * slot->numbers[0]);
    numbers[3] = -slot->numbers[0];
    numbers[4] = slot->numbers[1];
    slot->numbers[0] = kinds_round(s[ASGD_LR] / pow(1 + s[ASGD_LAMBD] * s[ASGD_LR] * slot->step, s[ASGD_ALPHA]));
    slot->numbers[1] = kinds_round(1 / fmax(1, slot->step - s[ASGD_T0]));
}

/* ---- rprop */

enum { RPROP_LR, RPROP_ETAMINUS, RPROP_ETAPLUS, RPROP_LEAST, RPROP_GREATEST, RPROP_MAXIMIZE };
static const tni_setting rprop_settings[] = {{"lr", 1e-2, TNI_SETTING_NOT_NEGATIVE},
                                             {"etaminus", 0.5, TNI_SETTING_BETWEEN},
                                             {"etaplus", 1.2, TNI_SETTING_ABOVE_ONE},
                                             {"step_size_min", 1e-6, TNI_SETTING_ANY},
                                             {"step_size_max", 50, TNI_SETTING_ANY},
                                             {"maximize", 0, TNI_SETTING_SWITCH},
                                             {NULL, 0, TNI_SETTING_ANY}};

static double rprop_initial(const double *s, int state) { return state == 1 ? s[RPROP_LR] : 0; }

static void rprop_prepare(const double *s, tni_optimizer_slot *slot, double *numbers) {
    (void)slot;
    kinds_common(numbers, s[RPROP_MAXIMIZE], 0, 1);
    numbers[3] = s[RPROP_ETAMINUS];
    numbers[4] = s[RPROP_ETAPLUS];
    numbers[5] = s[RPROP_LEAST];
    numbers[6] = s[RPROP_GREATEST];
}

/* ---- those made of operators; the places of their settings are in optimizer_matrix.c and lbfgs.c */

static const tni_setting adafactor_settings[] = {
    {"lr", 1e-2, TNI_SETTING_NOT_NEGATIVE}, {"beta2_decay", -0.8, TNI_SETTING_NOT_POSITIVE},
    {"eps1", NAN, TNI_SETTING_ANY},         {"eps2", 1e-3, TNI_SETTING_NOT_NEGATIVE},
    {"d", 1, TNI_SETTING_FROM_ONE},         {"weight_decay", 0, TNI_SETTING_NOT_NEGATIVE},
    {"maximize", 0, TNI_SETTING_SWITCH},    {NULL, 0, TNI_SETTING_ANY}};

static const tni_setting muon_settings[] = {{"lr", 1e-3, TNI_SETTING_NOT_NEGATIVE},
                                            {"weight_decay", 0.1, TNI_SETTING_NOT_NEGATIVE},
                                            {"momentum", 0.95, TNI_SETTING_NOT_NEGATIVE},
                                            {"nesterov", 1, TNI_SETTING_SWITCH},
                                            {"ns_a", 3.4445, TNI_SETTING_ANY},
                                            {"ns_b", -4.775, TNI_SETTING_ANY},
                                            {"ns_c", 2.0315, TNI_SETTING_ANY},
                                            {"eps", 1e-7, TNI_SETTING_NOT_NEGATIVE},
                                            {"ns_steps", 5, TNI_SETTING_COUNT},
                                            {"match_rms_adamw", 0, TNI_SETTING_SWITCH},
                                            {NULL, 0, TNI_SETTING_ANY}};

static const tni_setting lbfgs_settings[] = {
    {"lr", 1, TNI_SETTING_NOT_NEGATIVE},         {"max_iter", 20, TNI_SETTING_COUNT},
    {"max_eval", -1, TNI_SETTING_COUNT},         {"tolerance_grad", 1e-7, TNI_SETTING_ANY},
    {"tolerance_change", 1e-9, TNI_SETTING_ANY}, {"history_size", 100, TNI_SETTING_COUNT},
    {"strong_wolfe", 0, TNI_SETTING_SWITCH},     {NULL, 0, TNI_SETTING_ANY}};

static const tni_optimizer_kind optimizer_rows[] = {
    {.name = "sgd",
     .settings = sgd_settings,
     .states = {"momentum_buffer"},
     .loop = TNI_STEP_SGD,
     .check = sgd_check,
     .wants = sgd_wants,
     .prepare = sgd_prepare},
    {.name = "adam",
     .settings = adam_settings,
     .states = {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"},
     .counts = true,
     .loop = TNI_STEP_ADAM,
     .wants = adam_wants,
     .prepare = adam_prepare},
    {.name = "adamw",
     .settings = adamw_settings,
     .states = {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"},
     .counts = true,
     .loop = TNI_STEP_ADAM,
     .wants = adam_wants,
     .prepare = adam_prepare},
    {.name = "rmsprop",
     .settings = rmsprop_settings,
     .states = {"square_avg", "grad_avg", "momentum_buffer"},
     .counts = true,
     .loop = TNI_STEP_RMSPROP,
     .wants = rmsprop_wants,
     .prepare = rmsprop_prepare},
    {.name = "adagrad",
     .settings = adagrad_settings,
     .states = {"sum"},
     .counts = true,
     .loop = TNI_STEP_ADAGRAD,
     .wants = one_state,
     .initial = adagrad_initial,
     .prepare = adagrad_prepare},
    {.name = "adadelta",
     .settings = adadelta_settings,
     .states = {"square_avg", "acc_delta"},
     .counts = true,
     .loop = TNI_STEP_ADADELTA,
     .wants = two_states,
     .prepare = adadelta_prepare},
    {.name = "nadam",
     .settings = nadam_settings,
     .states = {"exp_avg", "exp_avg_sq"},
     .numbers = {"mu_product"},
     .counts = true,
     .loop = TNI_STEP_NADAM,
     .wants = two_states,
     .begin = nadam_begin,
     .prepare = nadam_prepare},
    {.name = "radam",
     .settings = radam_settings,
     .states = {"exp_avg", "exp_avg_sq"},
     .counts = true,
     .loop = TNI_STEP_RADAM,
     .wants = two_states,
     .prepare = radam_prepare},
    {.name = "adamax",
     .settings = adamax_settings,
     .states = {"exp_avg", "exp_inf"},
     .counts = true,
     .loop = TNI_STEP_ADAMAX,
     .wants = two_states,
     .prepare = adamax_prepare},
    {.name = "asgd",
     .settings = asgd_settings,
     .states = {"ax"},
     .numbers = {"eta", "mu"},
     .counts = true,
     .loop = TNI_STEP_ASGD,
     .wants = one_state,
     .begin = asgd_begin,
     .prepare = asgd_prepare},
    {.name = "rprop",
     .settings = rprop_settings,
     .states = {"prev", "step_size"},
     .counts = true,
     .loop = TNI_STEP_RPROP,
     .wants = two_states,
     .initial = rprop_initial,
     .prepare = rprop_prepare},
    {.name = "adafactor",
     .settings = adafactor_settings,
     .states = {"row_var", "col_var", "variance"},
     .counts = true,
     .real = true,
     .make = tni_adafactor_make,
     .move = tni_adafactor_move},
    {.name = "muon",
     .settings = muon_settings,
     .states = {"momentum_buffer"},
     .real = true,
     .matrices = true,
     .make = tni_muon_make,
     .move = tni_muon_move},
    {.name = "lbfgs", .settings = lbfgs_settings, .real = true},
};
const tni_optimizer_kind *const tni_optimizer_kinds = optimizer_rows;
const int64_t tni_optimizer_kind_count = sizeof optimizer_rows / sizeof optimizer_rows[0];
