/* limits.h - the limits of this layer; see base/limits.h. */
#ifndef TNI_KERNELS_LIMITS_H
#define TNI_KERNELS_LIMITS_H

#include <stdint.h>

#include "base/limits.h"

enum {
    TNI_CARRIERS = TNI_LIMIT(256, 5),         /* elements that are widened and narrowed at a time        */
    TNI_REDUCE_COLUMNS = TNI_LIMIT(1024, 51), /* the most columns that a loop of a reduction is given */
    TNI_NORM_BACK_COLUMNS = TNI_LIMIT(64, 3), /* columns of gradients of a norm that are summed together */
    TNI_NORM_BACK_ROWS = TNI_LIMIT(64, 2),    /* and rows that are added in their dtype                 */
    TNI_COUNT_NEAR = TNI_LIMIT(1024, 8),      /* numbers below it are counted on the stack: a power of two */
    TNI_MASK_BLOCK = TNI_LIMIT(256, 5)        /* elements that are chosen into a block at a time    */
};

_Static_assert((TNI_COUNT_NEAR & (TNI_COUNT_NEAR - 1)) == 0, "it is a question of bits");

/* Bytes from which results are written around the caches, however large those are. */
#define TNI_KERNEL_STREAM_MOST TNI_LIMIT(INT64_MAX, INT64_C(777))

#endif
