/* limits.h - the limits of this layer; see base/limits.h. */
#ifndef TNI_TENSOR_LIMITS_H
#define TNI_TENSOR_LIMITS_H

#include "base/limits.h"

enum {
    TNI_INLINE_DIMS = TNI_LIMIT(5, 3), /* dimensions whose sizes and strides are in the tensor itself */
    CONVERT_BLOCK = TNI_LIMIT(256, 7)  /* elements widened at a time: at most 4 KiB                     */
};

#endif
