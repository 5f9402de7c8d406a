/* loss.h - what the losses have in common: their reduction. */
#ifndef TNI_OPS_LOSS_H
#define TNI_OPS_LOSS_H

#include "tensor/tensor.h"

enum { TNI_LOSS_NONE = 0, TNI_LOSS_MEAN, TNI_LOSS_SUM };

/* Whether there is such a reduction; raised where not. */
bool tni_loss_reduction(int64_t reduction);

/* The losses themselves, their mean or their sum; NULL for NULL. To be called in the body of a composite operator. */
tn_tensor *tni_loss_reduce(tn_tensor *loss, int64_t reduction);

/* Of losses of classes, which are dimension 1 or the only one: whether there is a weight of self's dtype for each; whether targets are classes
 * and have the sizes of self without them; whether the arguments of a cross entropy fit. Raise where not. */
bool tni_loss_weight_fits(const tn_tensor *weight, const tn_tensor *self, int64_t classes);
bool tni_loss_targets_fit(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight);
bool tni_entropy_fits(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight, int64_t reduction,
                      double label_smoothing);

#endif
