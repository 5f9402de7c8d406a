/* loss.h - what the losses have in common: their reduction. */
#ifndef TNI_OPS_LOSS_H
#define TNI_OPS_LOSS_H

#include "tensor/tensor.h"

enum { TNI_LOSS_NONE = 0, TNI_LOSS_MEAN, TNI_LOSS_SUM };

/* Whether there is such a reduction; raised where not. */
bool tni_loss_reduction(int64_t reduction);

/* The losses themselves, their mean or their sum; NULL for NULL. To be called in the body of a composite operator. */
tn_tensor *tni_loss_reduce(tn_tensor *loss, int64_t reduction);

#endif
