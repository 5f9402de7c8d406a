/* limits.h - the limits of this layer; see base/limits.h. */
#ifndef TNI_TRAIN_LIMITS_H
#define TNI_TRAIN_LIMITS_H

#include "base/limits.h"

enum {
    STEP_PIECE = TNI_LIMIT(16384, 7) /* elements of a parameter that one task steps */
};

#endif
