/* loss.c - how far a result is from what was wanted, element by element: mse_loss, l1_loss and their relatives, and those of pairs and triples.
 *
 * Each is made of public operators and ends with a reduction: 0 leaves the losses as they are, 1 gives their mean, 2 their sum.
 */
#include "ops/nn/loss.h"

#include "base/error.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_logic.h"
#include "operators_loss.h"
#include "operators_math.h"
#include "operators_reduce.h"
#include "operators_select.h"
#include "operators_statistics.h"
#include "operators_view.h"

#define NUMBER(value) tn_scalar_float(value)

bool tni_loss_reduction(int64_t reduction) {
    if (reduction >= TNI_LOSS_NONE && reduction <= TNI_LOSS_SUM)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "reduction is %" PRId64 ": 0 is none, 1 the mean and 2 the sum", reduction);
    return false;
}

tn_tensor *tni_loss_reduce(tn_tensor *loss, int64_t reduction) {
    if (!loss || reduction == TNI_LOSS_NONE)
        return loss;
    return reduction == TNI_LOSS_MEAN ? tn_mean(loss, TN_DTYPE_DEFAULT) : tn_sum(loss, TN_DTYPE_DEFAULT);
}

/* ---- of differences */

tn_tensor *tni_composite_mse_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction) {
    return tni_loss_reduction(reduction) ? tni_loss_reduce(tn_square(tn_sub(self, target)), reduction) : NULL;
}

tn_tensor *tni_composite_l1_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction) {
    return tni_loss_reduction(reduction) ? tni_loss_reduce(tn_abs(tn_sub(self, target)), reduction) : NULL;
}

/* c (d - c / 2), where c is the difference d, at most `bound` either way; (divides) over bound. Nothing is recorded here. */
static tn_tensor *loss_smooth(tn_tensor *apart, double bound, bool divides, int64_t reduction) {
    tn_tensor *near = apart ? tn_clamp(apart, NUMBER(-bound), NUMBER(bound)) : NULL;
    bool narrow = near && tni_dtype_size(near->dtype) < 4; /* whose products could be too large before they are divided */
    if (!near || !tn_sub_alpha_(apart, near, NUMBER(0.5)) || (divides && narrow && !tn_div_scalar_(near, NUMBER(bound))))
        return NULL;
    tn_tensor *made = tn_mul_(apart, near) ? tni_loss_reduce(apart, reduction) : NULL;
    return made && divides && !narrow ? tn_div_scalar_(made, NUMBER(bound)) : made;
}

tn_tensor *tni_composite_smooth_l1_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction, double beta) {
    if (!tni_loss_reduction(reduction))
        return NULL;
    if (!(beta >= 0))
        return tni_raise_null(TN_ERROR_ARGUMENT, "beta is %g, and cannot be negative", beta);
    tn_tensor *apart = tn_sub(self, target);
    if (apart && tn_dtype_is_floating(apart->dtype) && beta > 0)
        return loss_smooth(apart, beta, true, reduction);
    if (!(apart = tn_abs(apart)) || beta == 0)
        return tni_loss_reduce(apart, reduction);
    tn_tensor *near = tn_div_scalar(tn_mul_scalar(tn_square(apart), NUMBER(0.5)), NUMBER(beta));
    return tni_loss_reduce(tn_where(tn_lt_scalar(apart, NUMBER(beta)), near, tn_sub_scalar(apart, NUMBER(0.5 * beta))),
                           reduction);
}

tn_tensor *tni_composite_huber_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction, double delta) {
    if (!tni_loss_reduction(reduction))
        return NULL;
    if (!(delta > 0))
        return tni_raise_null(TN_ERROR_ARGUMENT, "delta is %g, and must be above 0", delta);
    tn_tensor *apart = tn_sub(self, target);
    if (apart && tn_dtype_is_floating(apart->dtype))
        return loss_smooth(apart, delta, false, reduction);
    apart = tn_abs(apart);
    tn_tensor *near = apart ? tn_mul_scalar(tn_square(apart), NUMBER(0.5)) : NULL;
    tn_tensor *far = near ? tn_mul_scalar(tn_sub_scalar(apart, NUMBER(0.5 * delta)), NUMBER(delta)) : NULL;
    return far ? tni_loss_reduce(tn_where(tn_le_scalar(apart, NUMBER(delta)), near, far), reduction) : NULL;
}

/* ---- of probabilities and rates */

static bool loss_are_chances(const tn_tensor *self) {
    if (tni_tensor_device(self).type == TN_META)
        return true;
    tn_tensor *good = tn_all(tn_logical_and(tn_ge_scalar(self, NUMBER(0)), tn_le_scalar(self, NUMBER(1))));
    if (!good || !(good = tn_to_device(good, TN_DEVICE_CPU)))
        return false;
    tni_failed_forget();
    if (tn_item_bool(good))
        return true;
    if (tni_failed_silently())
        tni_raise(TN_ERROR_ARGUMENT, "self %s has elements that are not between 0 and 1", tni_show_tensor(self));
    return false;
}

static bool loss_same_sizes(const tn_tensor *self, const tn_tensor *target) {
    bool same = self->ndim == target->ndim;
    for (int64_t d = 0; same && d < self->ndim; d++)
        same = self->sizes[d] == target->sizes[d];
    if (!same)
        tni_raise(TN_ERROR_SHAPE, "target %s must have the sizes of self %s", tni_show_tensor(target), tni_show_tensor(self));
    return same;
}

tn_tensor *tni_composite_binary_cross_entropy(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight,
                                              int64_t reduction) {
    if (!tni_loss_reduction(reduction) || !loss_same_sizes(self, target) || !loss_are_chances(self))
        return NULL;
    tn_tensor *yes = tn_clamp_min(tn_log(self), NUMBER(-100)), *no = tn_clamp_min(tn_log1p(tn_neg(self)), NUMBER(-100));
    tn_tensor *loss = yes && no ? tn_sub(tn_mul(tn_sub_scalar(target, NUMBER(1)), no), tn_mul(target, yes)) : NULL;
    return tni_loss_reduce(loss && weight ? tn_mul(loss, weight) : loss, reduction);
}

tn_tensor *tni_composite_binary_cross_entropy_with_logits(const tn_tensor *self, const tn_tensor *target,
                                                          const tn_tensor *weight, const tn_tensor *pos_weight,
                                                          int64_t reduction) {
    if (!tni_loss_reduction(reduction))
        return NULL;
    tn_tensor *logs = tn_logsigmoid(self);
    if (logs && pos_weight)
        logs = tn_mul(tn_add_scalar(tn_mul(tn_sub_scalar(pos_weight, NUMBER(1)), target), NUMBER(1)), logs);
    tn_tensor *loss = logs ? tn_sub(tn_mul(tn_add_scalar(tn_neg(target), NUMBER(1)), self), logs) : NULL;
    return tni_loss_reduce(loss && weight ? tn_mul(loss, weight) : loss, reduction);
}

tn_tensor *tni_composite_kl_div(const tn_tensor *self, const tn_tensor *target, int64_t reduction, bool log_target) {
    if (!tni_loss_reduction(reduction))
        return NULL;
    tn_tensor *loss =
        log_target ? tn_mul(tn_exp(target), tn_sub(target, self)) : tn_sub(tn_xlogy(target, target), tn_mul(target, self));
    return tni_loss_reduce(loss, reduction);
}

tn_tensor *tni_composite_poisson_nll_loss(const tn_tensor *input, const tn_tensor *target, bool log_input, bool full,
                                          double eps, int64_t reduction) {
    static const double two_pi = 6.283185307179586;
    if (!tni_loss_reduction(reduction))
        return NULL;
    tn_tensor *loss = log_input ? tn_sub(tn_exp(input), tn_mul(target, input))
                                : tn_sub(input, tn_mul(target, tn_log(tn_add_scalar(input, NUMBER(eps)))));
    if (full && loss) { /* Stirling's formula, from 1 on */
        tn_tensor *more = tn_add(tn_sub(tn_mul(target, tn_log(target)), target),
                                 tn_mul_scalar(tn_log(tn_mul_scalar(target, NUMBER(two_pi))), NUMBER(0.5)));
        loss = more ? tn_add(loss, tn_masked_fill(more, tn_le_scalar(target, NUMBER(1)), NUMBER(0))) : NULL;
    }
    return tni_loss_reduce(loss, reduction);
}

/* ---- of margins */

tn_tensor *tni_composite_soft_margin_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction) {
    if (!tni_loss_reduction(reduction))
        return NULL;
    return tni_loss_reduce(tn_log1p(tn_exp(tn_mul(tn_neg(target), self))), reduction);
}

tn_tensor *tni_composite_hinge_embedding_loss(const tn_tensor *self, const tn_tensor *target, double margin,
                                              int64_t reduction) {
    if (!tni_loss_reduction(reduction))
        return NULL;
    tn_tensor *below = tn_clamp_min(tn_add_scalar(tn_neg(self), NUMBER(margin)), NUMBER(0));
    tn_tensor *apart = below ? tn_masked_fill(tn_add(below, tn_zeros_like(target, below->dtype, TN_PRESERVE)),
                                              tn_eq_scalar(target, NUMBER(1)), NUMBER(0))
                             : NULL;
    tn_tensor *alike = apart ? tn_masked_fill(tn_add(self, tn_zeros_like(target, self->dtype, TN_PRESERVE)),
                                              tn_eq_scalar(target, NUMBER(-1)), NUMBER(0))
                             : NULL;
    return alike ? tni_loss_reduce(tn_add(apart, alike), reduction) : NULL;
}

tn_tensor *tni_composite_margin_ranking_loss(const tn_tensor *input1, const tn_tensor *input2, const tn_tensor *target,
                                             double margin, int64_t reduction) {
    if (!tni_loss_reduction(reduction))
        return NULL;
    return tni_loss_reduce(
        tn_clamp_min(tn_add_scalar(tn_mul(tn_neg(target), tn_sub(input1, input2)), NUMBER(margin)), NUMBER(0)), reduction);
}

tn_tensor *tni_composite_cosine_embedding_loss(const tn_tensor *input1, const tn_tensor *input2, const tn_tensor *target,
                                               double margin, int64_t reduction) {
    static const double tiny = 1e-12;
    if (!tni_loss_reduction(reduction))
        return NULL;
    if (target->ndim > 1 || input1->ndim != target->ndim + 1 || input2->ndim != input1->ndim)
        return tni_raise_null(TN_ERROR_SHAPE,
                              "input1 %s, input2 %s and target %s must have 2, 2 and 1 dimensions, or 1, 1 and 0",
                              tni_show_tensor(input1), tni_show_tensor(input2), tni_show_tensor(target));
    tn_tensor *squares[2], *both = tn_sum_dim(tn_mul(input1, input2), TN_DIMS(-1), false, TN_DTYPE_DEFAULT);
    for (int i = 0; i < 2; i++)
        squares[i] =
            tn_add_scalar(tn_sum_dim(tn_square(i ? input2 : input1), TN_DIMS(-1), false, TN_DTYPE_DEFAULT), NUMBER(tiny));
    tn_tensor *cosine = tn_div(both, tn_sqrt(tn_mul(squares[0], squares[1])));
    tn_tensor *alike =
        cosine ? tn_masked_fill(tn_add_scalar(tn_neg(cosine), NUMBER(1)), tn_ne_scalar(target, NUMBER(1)), NUMBER(0)) : NULL;
    tn_tensor *apart = alike ? tn_masked_fill(tn_clamp_min(tn_sub_scalar(cosine, NUMBER(margin)), NUMBER(0)),
                                              tn_ne_scalar(target, NUMBER(-1)), NUMBER(0))
                             : NULL;
    return apart ? tni_loss_reduce(tn_add(alike, apart), reduction) : NULL;
}

tn_tensor *tni_composite_triplet_margin_loss(const tn_tensor *anchor, const tn_tensor *positive, const tn_tensor *negative,
                                             double margin, double p, double eps, bool swap, int64_t reduction) {
    if (!tni_loss_reduction(reduction))
        return NULL;
    tn_tensor *near = tn_pairwise_distance(anchor, positive, p, eps, false),
              *far = near ? tn_pairwise_distance(anchor, negative, p, eps, false) : NULL;
    if (swap && far)
        far = tn_minimum(far, tn_pairwise_distance(positive, negative, p, eps, false));
    return far ? tni_loss_reduce(tn_clamp_min(tn_add_scalar(tn_sub(near, far), NUMBER(margin)), NUMBER(0)), reduction) : NULL;
}
