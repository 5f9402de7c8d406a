/* step_loop.h - the inner loops of optimisers: one step for `count` elements that are next to each other.
 *
 * data[0] is the parameter, which is changed; data[1] its gradient, which is only read; from data[2] on the state, changed too, in the
 * order of tni_step_kind below, NULL where the settings do without. No two arrays overlap. The numbers are worked out once for each
 * parameter (train/optimizer_kinds.c): number 0 is -1 where the gradient is to be followed upwards, otherwise 1; number 1 is the
 * weight of the parameter in its gradient; number 2 the factor by which it shrinks by itself.
 */
#ifndef TNI_STEP_LOOP_H
#define TNI_STEP_LOOP_H

#include <stdint.h>

enum { TNI_STEP_STATES = 3, TNI_STEP_NUMBERS = 12 };

typedef enum tni_step_kind {
    TNI_STEP_SGD,      /* momentum_buffer; 3 -lr, 4 momentum, 5 share of the new gradient, 6 nesterov                        */
    TNI_STEP_ADAM,     /* exp_avg, exp_avg_sq, max_exp_avg_sq; 3 1 - beta1, 4 beta2, 5 1 - beta2, 6 1 / root of the correction,
                          7 eps, 8 -step size                                                                              */
    TNI_STEP_RMSPROP,  /* square_avg, grad_avg, momentum_buffer; 3 -lr, 4 alpha, 5 1 - alpha, 6 momentum, 7 eps             */
    TNI_STEP_ADAGRAD,  /* sum; 3 -lr, 7 eps                                                                                 */
    TNI_STEP_ADADELTA, /* square_avg, acc_delta; 3 -lr, 4 rho, 5 1 - rho, 7 eps                                             */
    TNI_STEP_NADAM,    /* exp_avg, exp_avg_sq; 3 1 - beta1, 4 beta2, 5 1 - beta2, 6 1 / correction, 7 eps, 8 of the gradient,
                          9 of the average                                                                                 */
    TNI_STEP_RADAM,    /* exp_avg, exp_avg_sq; 3 1 - beta1, 4 beta2, 5 1 - beta2, 7 eps, 8 -step size, 9 root of the
                          correction times rectification, or 0: not adaptive yet                                             */
    TNI_STEP_ADAMAX,   /* exp_avg, exp_inf; 3 1 - beta1, 4 beta2, 7 eps, 8 -step size                                        */
    TNI_STEP_ASGD,     /* ax; 3 -eta, 4 mu                                                                                  */
    TNI_STEP_RPROP,    /* prev, step_size; 3 etaminus, 4 etaplus, 5 least step, 6 greatest step                             */
    TNI_STEP_KINDS
} tni_step_kind;

typedef void (*tni_step_function)(void *const *data, int64_t count, const double *numbers);

#endif
