/* loss_classes.c - losses of classes: nll_loss and cross_entropy_loss, with weights, a class that is ignored, smoothed labels and probabilities;
 * multi_margin_loss and multilabel_margin_loss.
 *
 * Classes are dimension 1, or the only one. The mean of weighted losses is their sum over the sum of the weights that took part.
 */
#include "base/error.h"
#include "dispatch/dispatch.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_logic.h"
#include "operators_loss.h"
#include "operators_math.h"
#include "operators_reduce.h"
#include "operators_scan.h"
#include "operators_select.h"
#include "operators_softmax.h"
#include "operators_view.h"
#include "ops/line/line_call.h"
#include "ops/nn/loss.h"

#define NUMBER(value) tn_scalar_float(value)

static int64_t classes_dim(const tn_tensor *self) { return self->ndim > 1 ? 1 : 0; }

bool tni_loss_weight_fits(const tn_tensor *weight, const tn_tensor *self, int64_t classes) {
    if (weight->ndim == 1 && weight->numel == classes && weight->dtype == self->dtype)
        return true;
    tni_raise(weight->dtype == self->dtype ? TN_ERROR_SHAPE : TN_ERROR_DTYPE,
              "weight %s must have one number of the dtype of self %s for each of the %" PRId64 " classes",
              tni_show_tensor(weight), tni_show_tensor(self), classes);
    return false;
}

/* Targets are self without its classes. */
bool tni_loss_targets_fit(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight) {
    if (self->ndim == 0) {
        tni_raise(TN_ERROR_SHAPE, "self %s must have at least one dimension, its classes", tni_show_tensor(self));
        return false;
    }
    if (target->dtype != TN_INT64 && target->dtype != TN_UINT8) {
        tni_raise(TN_ERROR_DTYPE, "target %s must be int64, the number of a class", tni_show_tensor(target));
        return false;
    }
    int64_t dim = classes_dim(self);
    bool fit = target->ndim == self->ndim - 1;
    for (int64_t d = 0; fit && d < target->ndim; d++)
        fit = target->sizes[d] == self->sizes[d < dim ? d : d + 1];
    if (!fit) {
        tni_raise(TN_ERROR_SHAPE, "target %s must have the sizes of self %s without its classes, dimension %" PRId64,
                  tni_show_tensor(target), tni_show_tensor(self), dim);
        return false;
    }
    return !weight || tni_loss_weight_fits(weight, self, self->sizes[dim]);
}

typedef struct classes_target {
    tn_tensor *ignored, *at;  /* where the target is ignore_index, and the target with 0 there */
    const tn_tensor *weights; /* of each target, 0 where ignored                               */
} classes_target;

static bool classes_look(classes_target *found, const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight,
                         int64_t ignore_index) {
    found->ignored = tn_eq_scalar(target, tn_scalar_int(ignore_index));
    found->at = found->ignored ? tn_masked_fill(tn_to(target, TN_INT64), found->ignored, tn_scalar_int(0)) : NULL;
    if (!found->at)
        return false;
    tn_tensor *weights = weight ? tn_reshape(tn_index_select(weight, 0, tn_reshape(found->at, TN_DIMS(-1))),
                                             (tn_dims){target->sizes, target->ndim})
                                : tn_ones_like(target, self->dtype, TN_PRESERVE);
    found->weights = tn_masked_fill(weights, found->ignored, tn_scalar_int(0));
    return found->weights != NULL;
}

static tn_tensor *classes_nll(const tn_tensor *self, const classes_target *found, int64_t reduction) {
    int64_t dim = classes_dim(self);
    tn_tensor *picked = tn_squeeze_dim(tn_gather(self, dim, tn_unsqueeze(found->at, dim)), dim);
    tn_tensor *loss = picked ? tn_masked_fill(tn_neg(tn_mul(picked, found->weights)), found->ignored, tn_scalar_int(0)) : NULL;
    if (reduction != TNI_LOSS_MEAN)
        return tni_loss_reduce(loss, reduction);
    return loss ? tn_div(tn_sum(loss, TN_DTYPE_DEFAULT), tn_sum(found->weights, TN_DTYPE_DEFAULT)) : NULL;
}

tn_tensor *tni_composite_nll_loss_nd(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight, int64_t reduction,
                                     int64_t ignore_index) {
    classes_target found;
    if (!tni_loss_reduction(reduction) || !tni_loss_targets_fit(self, target, weight) ||
        !classes_look(&found, self, target, weight, ignore_index))
        return NULL;
    return classes_nll(self, &found, reduction);
}

/* ---- cross_entropy_loss */

/* Made of public operators: where scores are on a device, the target or the weights want a gradient, or there is nothing to pass over. */

/* A weight for each class, along the classes of self. */
static const tn_tensor *classes_along(const tn_tensor *self, const tn_tensor *weight) {
    int64_t sizes[TN_MAX_DIMS], dim = classes_dim(self);
    for (int64_t d = 0; d < self->ndim; d++)
        sizes[d] = d == dim ? weight->numel : 1;
    return tn_reshape(weight, (tn_dims){sizes, self->ndim});
}

static tn_tensor *classes_of_chances(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight, int64_t reduction,
                                     double smoothing) {
    int64_t dim = classes_dim(self), classes = self->sizes[dim];
    const tn_tensor *chances =
        smoothing > 0 ? tn_add_scalar(tn_mul_scalar(target, NUMBER(1 - smoothing)), NUMBER(smoothing / (double)classes))
                      : target;
    tn_tensor *loss = chances ? tn_neg(tn_mul(tn_log_softmax(self, dim, TN_DTYPE_DEFAULT), chances)) : NULL;
    if (weight && loss)
        loss = tn_mul(loss, classes_along(self, weight));
    loss = loss ? tn_sum_dim(loss, (tn_dims){&dim, 1}, false, TN_DTYPE_DEFAULT) : NULL;
    return tni_loss_reduce(loss, reduction);
}

static tn_tensor *classes_of_parts(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight, int64_t reduction,
                                   int64_t ignore_index, double label_smoothing) {
    if (tn_dtype_is_floating(target->dtype))
        return classes_of_chances(self, target, weight, reduction, label_smoothing);
    classes_target found;
    if (!classes_look(&found, self, target, weight, ignore_index))
        return NULL;
    int64_t dim = classes_dim(self);
    tn_tensor *logs = tn_log_softmax(self, dim, TN_DTYPE_DEFAULT);
    tn_tensor *sharp = logs ? classes_nll(logs, &found, reduction) : NULL;
    if (!sharp || label_smoothing == 0)
        return sharp;
    tn_tensor *all =
        tn_sum_dim(weight ? tn_mul(logs, classes_along(self, weight)) : logs, (tn_dims){&dim, 1}, false, TN_DTYPE_DEFAULT);
    tn_tensor *smooth = all ? tn_masked_fill(tn_neg(all), found.ignored, tn_scalar_int(0)) : NULL;
    if (smooth && reduction == TNI_LOSS_MEAN)
        smooth = tn_div(tn_sum(smooth, TN_DTYPE_DEFAULT), tn_sum(found.weights, TN_DTYPE_DEFAULT));
    else
        smooth = tni_loss_reduce(smooth, reduction);
    return smooth ? tn_add(tn_mul_scalar(sharp, NUMBER(1 - label_smoothing)),
                           tn_mul_scalar(smooth, NUMBER(label_smoothing / (double)self->sizes[dim])))
                  : NULL;
}

static bool classes_records(const tn_tensor *tensor) {
    return tensor && tni_keys_add_thread(tni_keys_of_tensor(tensor)) & TN_KEYS(TN_KEY_AUTOGRAD);
}

tn_tensor *tni_composite_cross_entropy_loss(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight,
                                            int64_t reduction, int64_t ignore_index, double label_smoothing) {
    if (!tni_entropy_fits(self, target, weight, reduction, label_smoothing))
        return NULL;
    int32_t where = tni_tensor_device(self).type;
    bool chances = tn_dtype_is_floating(target->dtype);
    bool fused = (where == TN_CPU || where == TN_META) && self->numel > 0 && tni_line_is_float(self->dtype) &&
                 (!chances || target->dtype == self->dtype) && !classes_records(target) && !classes_records(weight);
    if (!fused)
        return classes_of_parts(self, target, weight, reduction, ignore_index, label_smoothing);
    tn_list *made = tn__cross_entropy(self, target, weight, reduction, ignore_index, label_smoothing);
    return made ? tn_list_at(made, 0) : NULL;
}

/* ---- margins between classes */

static bool classes_rows(const tn_tensor *self) {
    if (self->ndim <= 2)
        return true;
    tni_raise(TN_ERROR_SHAPE, "self %s must have at most 2 dimensions, (batch and) classes", tni_show_tensor(self));
    return false;
}

tn_tensor *tni_composite_multi_margin_loss(const tn_tensor *self, const tn_tensor *target, tn_scalar p, tn_scalar margin,
                                           const tn_tensor *weight, int64_t reduction) {
    if (!tni_loss_reduction(reduction) || !classes_rows(self))
        return NULL;
    const tn_tensor *rows = self->ndim < 2 ? tn_reshape(self, TN_DIMS(1, -1)) : self, *at = tn_reshape(target, TN_DIMS(-1));
    if (!rows || !at)
        return NULL;
    if (!tni_loss_targets_fit(rows, at, weight))
        return NULL;
    tn_tensor *column = tn_unsqueeze(at, 1), *wanted = column ? tn_gather(rows, 1, column) : NULL;
    tn_tensor *over = wanted ? tn_clamp_min(tn_add_scalar(tn_sub(rows, wanted), margin), tn_scalar_int(0)) : NULL;
    over = over ? tn_pow_scalar(over, p) : NULL;
    if (over && weight)
        over = tn_mul(over, tn_unsqueeze(tn_index_select(weight, 0, at), 1));
    over = over ? tn_scatter_value(over, 1, column, tn_scalar_int(0)) : NULL;
    tn_tensor *loss =
        over ? tn_div_scalar(tn_sum_dim(over, TN_DIMS(1), false, TN_DTYPE_DEFAULT), tn_scalar_int(rows->sizes[1])) : NULL;
    if (loss && reduction == TNI_LOSS_NONE)
        return target->ndim == 0 || self->ndim < 2 ? tn_reshape(loss, (tn_dims){target->sizes, target->ndim}) : loss;
    return tni_loss_reduce(loss, reduction);
}

/* Targets of a row are the classes up to the first -1. */
tn_tensor *tni_composite_multilabel_margin_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction) {
    if (!tni_loss_reduction(reduction) || !classes_rows(self))
        return NULL;
    bool same = self->ndim == target->ndim && target->dtype == TN_INT64;
    for (int64_t d = 0; same && d < self->ndim; d++)
        same = self->sizes[d] == target->sizes[d];
    if (!same)
        return tni_raise_null(TN_ERROR_SHAPE, "target %s must be int64 and have the sizes of self %s", tni_show_tensor(target),
                              tni_show_tensor(self));
    tn_tensor *rows = self->ndim < 2 ? tn_reshape(self, TN_DIMS(1, -1)) : tn_alias(self);
    tn_tensor *at = self->ndim < 2 ? tn_reshape(target, TN_DIMS(1, -1)) : tn_alias(target);
    tn_tensor *counts =
        rows && at ? tn_cumprod(tn_to(tn_ge_scalar(at, tn_scalar_int(0)), TN_INT64), 1, TN_DTYPE_DEFAULT) : NULL;
    tn_tensor *places = counts ? tn_mul(at, counts) : NULL;
    tn_tensor *taken =
        places ? tn_scatter_reduce(tn_zeros_like(places, TN_DTYPE_DEFAULT, TN_PRESERVE), 1, places, counts, "amax", true)
               : NULL;
    tn_tensor *wanted = taken ? tn_gather(rows, 1, places) : NULL;
    /* (batch, targets, classes) */
    tn_tensor *over =
        wanted ? tn_clamp_min(tn_add_scalar(tn_sub(tn_unsqueeze(rows, 1), tn_unsqueeze(wanted, 2)), tn_scalar_int(1)),
                              tn_scalar_int(0))
               : NULL;
    tn_tensor *outside = over ? tn_logical_or(tn_unsqueeze(tn_eq_scalar(counts, tn_scalar_int(0)), 2),
                                              tn_unsqueeze(tn_gt_scalar(taken, tn_scalar_int(0)), 1))
                              : NULL;
    tn_tensor *sums =
        outside ? tn_sum_dim(tn_masked_fill(over, outside, tn_scalar_int(0)), TN_DIMS(1, 2), false, TN_DTYPE_DEFAULT) : NULL;
    tn_tensor *loss = sums ? tn_div_scalar(sums, tn_scalar_int(rows->sizes[1])) : NULL;
    if (loss && reduction == TNI_LOSS_NONE)
        return self->ndim < 2 ? tn_squeeze_dim(loss, 0) : loss;
    return tni_loss_reduce(loss, reduction);
}
