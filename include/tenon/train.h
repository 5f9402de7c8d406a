/* tenon/train.h - training without a framework: named parameters, optimisers, schedules, clipping of gradients.
 *
 *     tn_parameters *net = tn_parameters_new();
 *     tn_tensor *w = tn_parameters_draw(net, "w", TN_DIMS(3, 10), 0.3, NULL), *b = tn_parameters_draw(net, "b", TN_DIMS(3), 0, NULL);
 *     tn_optimizer *adam = tn_optimizer_new("adam", net);
 *     tn_optimizer_set(adam, "lr", 0.01);
 *
 *     for (int step = 0; step < 100; step++) {
 *         tn_scope scope = tn_scope_open();
 *         tn_tensor *loss = tn_mse_loss(tn_linear(x, w, b), y, 1);
 *         if (tn_optimizer_minimize(adam, loss) != TN_OK)
 *             fprintf(stderr, "%s\n", tn_error_message());
 *         tn_scope_close(scope);
 *     }
 *
 * The formulas are PyTorch's (torch.optim), and so are the numbers, to rounding, step by step. Nothing here records
 * gradients: a step is as if made under TN_GRAD_OFF.
 *
 * Threads: a set of parameters, an optimiser or a schedule is used by one thread at a time.
 */
#ifndef TENON_TRAIN_H
#define TENON_TRAIN_H

#include <tenon/autograd.h>
#include <tenon/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- parameters ---------------------------------------------------------------------------------------------------- */

/* A named, ordered set of tensors: the parameters of a network, the state of an optimiser, what a file of weights holds. */
typedef struct tn_parameters tn_parameters;

/* An empty set. You own it (or the open scope does). NULL for lack of memory. */
TN_API tn_parameters *tn_parameters_new(void);
TN_API tn_parameters *tn_parameters_retain(const tn_parameters *parameters);
TN_API void tn_parameters_release(tn_parameters *parameters);
TN_API tn_parameters *tn_parameters_keep(tn_parameters *parameters); /* takes it out of its scope, as tn_keep does */

/* Adds a tensor at the end and returns it, as a borrowed handle: the set holds a reference of its own for as long as it lives.
 * The name is copied. NULL, with nothing changed, when the name is empty or already there (TN_ERROR_ARGUMENT). */
TN_API tn_tensor *tn_parameters_add(tn_parameters *parameters, const char *name, const tn_tensor *tensor);

/* Adds a new float32 tensor that requires a gradient, its elements drawn evenly between -bound and bound; 0 gives zeros. With a bound
 * of 1 / sqrt(inputs) it is what PyTorch's layers begin with. generator: NULL is the default one. Returns it, borrowed, as add does. */
TN_API tn_tensor *tn_parameters_draw(tn_parameters *parameters, const char *name, tn_dims size, double bound,
                                     tn_generator *generator);

/* How many there are, -1 on failure; the name and the tensor at a position, which is counted from the end where it is negative.
 * Both are borrowed. NULL (TN_ERROR_INDEX) where there is no such position. */
TN_API int64_t tn_parameters_count(const tn_parameters *parameters);
TN_API const char *tn_parameters_name(const tn_parameters *parameters, int64_t position);
TN_API tn_tensor *tn_parameters_at(const tn_parameters *parameters, int64_t position);

/* The tensor of that name, borrowed; NULL without an error where there is none. */
TN_API tn_tensor *tn_parameters_find(const tn_parameters *parameters, const char *name);

/* Copies the elements of each tensor of `from` to the tensor of the same name, converting dtypes. With `strict` the two must
 * have the same names. Names and sizes are checked before the first element is written: TN_ERROR_ARGUMENT names the first
 * that is missing or too many, TN_ERROR_SHAPE both sizes. */
TN_API tn_error tn_parameters_copy(tn_parameters *parameters, const tn_parameters *from, bool strict);

/* Forgets the gradient of every tensor (`free`), or writes 0 to it. */
TN_API tn_error tn_parameters_zero_grad(const tn_parameters *parameters, bool free);

/* The norm of all gradients together, as of one long vector, and its clipping: gradients are multiplied by max_norm / (norm +
 * 1e-6) where that is less than 1. norm_type is any order, infinity too. Tensors without a gradient do not count. The norm
 * before clipping is written to *norm, which may be NULL. With `finite_only` a norm that is not finite is TN_ERROR_ARGUMENT,
 * and nothing is changed. */
TN_API tn_error tn_parameters_clip_grad_norm(const tn_parameters *parameters, double max_norm, double norm_type,
                                             bool finite_only, double *norm);

/* Every element of every gradient is brought into [-limit, limit]. */
TN_API tn_error tn_parameters_clip_grad_value(const tn_parameters *parameters, double limit);

/* ---- optimisers ---------------------------------------------------------------------------------------------------- */

/* An optimiser changes parameters by their gradients. Kinds, with PyTorch's names for their settings and PyTorch's defaults:
 *
 *   sgd        lr 0.001, momentum 0, dampening 0, weight_decay 0, nesterov 0, maximize 0
 *   adam       lr 0.001, beta1 0.9, beta2 0.999, eps 1e-8, weight_decay 0, amsgrad 0, maximize 0, decoupled_weight_decay 0
 *   adamw      the same, weight_decay 0.01, decoupled_weight_decay 1
 *   rmsprop    lr 0.01, alpha 0.99, eps 1e-8, weight_decay 0, momentum 0, centered 0, maximize 0
 *   adagrad    lr 0.01, lr_decay 0, weight_decay 0, initial_accumulator_value 0, eps 1e-10, maximize 0
 *   adadelta   lr 1, rho 0.9, eps 1e-6, weight_decay 0, maximize 0
 *   nadam      lr 0.002, beta1 0.9, beta2 0.999, eps 1e-8, weight_decay 0, momentum_decay 0.004, decoupled_weight_decay 0,
 *              maximize 0
 *   radam      lr 0.001, beta1 0.9, beta2 0.999, eps 1e-8, weight_decay 0, decoupled_weight_decay 0, maximize 0
 *   adamax     lr 0.002, beta1 0.9, beta2 0.999, eps 1e-8, weight_decay 0, maximize 0
 *   asgd       lr 0.01, lambd 0.0001, alpha 0.75, t0 1e6, weight_decay 0, maximize 0
 *   rprop      lr 0.01, etaminus 0.5, etaplus 1.2, step_size_min 1e-6, step_size_max 50, maximize 0
 *   adafactor  lr 0.01, beta2_decay -0.8, eps1 NaN (the dtype's), eps2 0.001, d 1, weight_decay 0, maximize 0
 *   muon       lr 0.001, weight_decay 0.1, momentum 0.95, nesterov 1, ns_a 3.4445, ns_b -4.775, ns_c 2.0315, eps 1e-7,
 *              ns_steps 5, match_rms_adamw 0; for matrices
 *   lbfgs      lr 1, max_iter 20, max_eval -1 (max_iter * 5 / 4), tolerance_grad 1e-7, tolerance_change 1e-9, history_size 100,
 *              strong_wolfe 0; one group, stepped by tn_optimizer_step_closure
 *
 * Settings that answer yes or no are 1 or 0. */
typedef struct tn_optimizer tn_optimizer;

/* An optimiser of the parameters, which are its group 0. It holds the set as it is now: what is added to the set later does not
 * take part. TN_ERROR_ARGUMENT for a kind that does not exist or an empty set; TN_ERROR_DTYPE for tensors that are neither
 * floating-point nor complex; TN_ERROR_OVERLAP for two that share elements. */
TN_API tn_optimizer *tn_optimizer_new(const char *kind, const tn_parameters *parameters);
TN_API tn_optimizer *tn_optimizer_retain(const tn_optimizer *optimizer);
TN_API void tn_optimizer_release(tn_optimizer *optimizer);
TN_API tn_optimizer *tn_optimizer_keep(tn_optimizer *optimizer);
TN_API const char *tn_optimizer_kind(const tn_optimizer *optimizer);

/* The kinds there are, and the settings of a kind, by number from 0; NULL without an error at the end. Static texts. */
TN_API const char *tn_optimizer_kind_name(int64_t number);
TN_API const char *tn_optimizer_setting_name(const char *kind, int64_t number);
TN_API double tn_optimizer_setting_default(const char *kind, const char *setting); /* NaN where there is none */

/* One more group of parameters with settings of its own, which begin as the optimiser's: its number, or -1. A tensor that is
 * in a group already is TN_ERROR_ARGUMENT. */
TN_API int64_t tn_optimizer_add_group(tn_optimizer *optimizer, const tn_parameters *parameters);
TN_API int64_t tn_optimizer_group_count(const tn_optimizer *optimizer);

/* Sets a number for all groups and those to come, or for one. TN_ERROR_ARGUMENT for a setting that the kind does not have or a
 * value outside its range, which the message tells; then nothing is changed. */
TN_API tn_error tn_optimizer_set(tn_optimizer *optimizer, const char *setting, double value);
TN_API tn_error tn_optimizer_set_group(tn_optimizer *optimizer, int64_t group, const char *setting, double value);

/* The number in force for a group; NaN, with an error, where there is none. */
TN_API double tn_optimizer_get(const tn_optimizer *optimizer, int64_t group, const char *setting);

/* One step. Parameters without a gradient are left as they are. All memory is taken before the first parameter is changed: a step that
 * fails has not happened. Only adafactor and muon go from parameter to parameter, and those before one that fails have made the step,
 * as some have where the call was cancelled. */
TN_API tn_error tn_optimizer_step(tn_optimizer *optimizer);

/* One step down a loss: forgets the gradients, runs backward from the loss, and steps. A NULL, from a chain of calls that failed, gives
 * the error of that chain. What is done to gradients in between (clipping, sums over several losses) wants the three calls. */
TN_API tn_error tn_optimizer_minimize(tn_optimizer *optimizer, const tn_tensor *loss);

/* Computes the loss and its gradients: it calls tn_optimizer_zero_grad and tn_backward itself, and writes the loss to *loss.
 * An error that it returns ends the step and is what the step returns. It runs in a scope of its own. */
typedef tn_error (*tn_closure)(void *ctx, double *loss);

/* One step of an optimiser that computes the loss itself, or (lbfgs) several times. *loss, which may be NULL, is the first. */
TN_API tn_error tn_optimizer_step_closure(tn_optimizer *optimizer, tn_closure closure, void *ctx, double *loss);

/* tn_parameters_zero_grad of all groups. */
TN_API tn_error tn_optimizer_zero_grad(const tn_optimizer *optimizer, bool free);

/* The state that steps have left, as copies: a set with one tensor for each parameter that has made a step and each name of
 * PyTorch's, "<parameter>.exp_avg" (of group g > 0: "<g>.<parameter>.exp_avg"), and "<parameter>.step", a float32 tensor
 * without dimensions. You own it. TN_ERROR_ARGUMENT where two of these names are the same. */
TN_API tn_parameters *tn_optimizer_state(const tn_optimizer *optimizer);

/* Puts such a state in the place of what there is; parameters without entries begin anew. Everything is checked before anything
 * is changed: TN_ERROR_ARGUMENT for a name that does not belong here or a parameter with only some of its entries,
 * TN_ERROR_SHAPE for other sizes. */
TN_API tn_error tn_optimizer_set_state(tn_optimizer *optimizer, const tn_parameters *state);

/* ---- schedules ----------------------------------------------------------------------------------------------------- */

/* A schedule changes the setting lr of every group of an optimiser: once when it is made, and with each tn_schedule_step. The first
 * lr of a group, from which it starts, is the one that was set when the optimiser's first schedule was made. Names and formulas
 * are PyTorch's (torch.optim.lr_scheduler). A schedule holds its optimiser; groups that are added later do not follow it.
 *
 * Each of these is NULL, with nothing changed, for numbers that make no sense (TN_ERROR_ARGUMENT), and the caller's. */
typedef struct tn_schedule tn_schedule;

TN_API tn_schedule *tn_schedule_steps(tn_optimizer *optimizer, int64_t step_size, double gamma);
TN_API tn_schedule *tn_schedule_multi_step(tn_optimizer *optimizer, tn_dims milestones, double gamma);
TN_API tn_schedule *tn_schedule_exponential(tn_optimizer *optimizer, double gamma);
TN_API tn_schedule *tn_schedule_constant(tn_optimizer *optimizer, double factor, int64_t total);
TN_API tn_schedule *tn_schedule_linear(tn_optimizer *optimizer, double start_factor, double end_factor, int64_t total);
TN_API tn_schedule *tn_schedule_polynomial(tn_optimizer *optimizer, int64_t total, double power);
TN_API tn_schedule *tn_schedule_cosine(tn_optimizer *optimizer, int64_t t_max, double eta_min);
TN_API tn_schedule *tn_schedule_warm_restarts(tn_optimizer *optimizer, int64_t t_0, int64_t t_mult, double eta_min);

/* One cycle of `total` steps: up to max_lr in pct_start of them, from max_lr / div_factor, and down to max_lr / (div_factor *
 * final_div_factor). `linear`: in straight lines instead of halves of a cosine; `three_phase`: down to where it began first.
 * With `cycle_momentum` momentum (or beta1) goes the other way, between max_momentum and base_momentum. */
typedef struct tn_one_cycle {
    size_t size; /* sizeof(tn_one_cycle) */
    double max_lr;
    int64_t total;
    double pct_start, div_factor, final_div_factor;
    bool linear, three_phase, cycle_momentum;
    double base_momentum, max_momentum;
} tn_one_cycle;
#define TN_ONE_CYCLE(max_lr, total)                                                                                            \
    { sizeof(tn_one_cycle), max_lr, total, 0.3, 25, 10000, false, false, true, 0.85, 0.95 }
TN_API tn_schedule *tn_schedule_one_cycle(tn_optimizer *optimizer, const tn_one_cycle *cycle);

/* lr = the first one * factor(ctx, step). `deleter`, which may be NULL, gets ctx when the schedule is gone. */
typedef double (*tn_factor)(void *ctx, int64_t step);
TN_API tn_schedule *tn_schedule_lambda(tn_optimizer *optimizer, tn_factor factor, void *ctx, void (*deleter)(void *ctx));

/* lr * factor when a number (a loss; `maximize`: an accuracy) has not become better by the threshold for more than `patience`
 * steps. tn_schedule_step_metric is its step. */
typedef struct tn_plateau {
    size_t size; /* sizeof(tn_plateau) */
    bool maximize;
    double factor;
    int64_t patience;
    double threshold;
    bool absolute; /* the threshold is a difference, not a share */
    int64_t cooldown;
    double min_lr, eps;
} tn_plateau;
#define TN_PLATEAU                                                                                                             \
    { sizeof(tn_plateau), false, 0.1, 10, 1e-4, false, 0, 0, 1e-8 }
TN_API tn_schedule *tn_schedule_plateau(tn_optimizer *optimizer, const tn_plateau *plateau);

/* One after the other: schedule i + 1 takes over at step milestones[i]. All are of one optimiser; they are held. */
TN_API tn_schedule *tn_schedule_sequential(tn_schedule *const *schedules, int64_t count, tn_dims milestones);

TN_API tn_schedule *tn_schedule_retain(const tn_schedule *schedule);
TN_API void tn_schedule_release(tn_schedule *schedule);
TN_API tn_schedule *tn_schedule_keep(tn_schedule *schedule);

/* The next step. step_metric is for plateaus, whose step it is alone (TN_ERROR_ARGUMENT for the other function). A one-cycle
 * schedule that is over is TN_ERROR_STATE. */
TN_API tn_error tn_schedule_step(tn_schedule *schedule);
TN_API tn_error tn_schedule_step_metric(tn_schedule *schedule, double metric);

/* How many steps it has made, -1 on failure. */
TN_API int64_t tn_schedule_steps_made(const tn_schedule *schedule);

#ifdef __cplusplus
}
#endif
#endif
