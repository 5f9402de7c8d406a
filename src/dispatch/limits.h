/* limits.h - the limits of this layer; see base/limits.h. */
#ifndef TNI_DISPATCH_LIMITS_H
#define TNI_DISPATCH_LIMITS_H

#include "base/limits.h"

enum {
    PROFILE_SPARE_ROWS = TNI_LIMIT(64, 3) /* operators for which the profiler has spare room */
};

#endif
