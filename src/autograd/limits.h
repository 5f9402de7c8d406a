/* limits.h - sizes that the engine chooses, with their small twins (docs/internals.md). */
#ifndef TNI_AUTOGRAD_LIMITS_H
#define TNI_AUTOGRAD_LIMITS_H

#include "base/limits.h"

enum {
    NODE_MAP_INLINE = TNI_LIMIT(32, 2), /* nodes that wait before a map needs memory of its own; a power of two */
    ENGINE_RESULTS = TNI_LIMIT(8, 1),   /* gradients of one node that are on the stack */
    ENGINE_WAITING = TNI_LIMIT(32, 2),  /* nodes that wait before the heap needs memory of its own */
    /* differences of rows that the derivative of distances writes out, rather than losing digits in products */
    GRADIENT_DIFFERENCES = TNI_LIMIT(1 << 22, 64)
};

_Static_assert((NODE_MAP_INLINE & (NODE_MAP_INLINE - 1)) == 0, "a power of two");

#endif
