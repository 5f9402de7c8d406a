/* limits.h - sizes that the engine chooses, with their small twins (docs/internals.md). */
#ifndef TNI_AUTOGRAD_LIMITS_H
#define TNI_AUTOGRAD_LIMITS_H

#include "base/limits.h"

enum {
    NODE_MAP_INLINE = TNI_LIMIT(32, 2), /* nodes that wait before a map needs memory of its own; a power of two */
    WRITES_STORAGES = TNI_LIMIT(16, 2), /* storages whose writes are remembered */
    WRITES_NOTES = TNI_LIMIT(64, 3),    /* writes of each                       */
    WRITES_DIMS = TNI_LIMIT(5, 2),      /* dimensions that a remembered one has */
    ENGINE_RESULTS = TNI_LIMIT(8, 1),   /* gradients of one node that are on the stack */
    ENGINE_WAITING = TNI_LIMIT(32, 2),  /* nodes that wait before the heap needs memory of its own */
    /* differences of rows that the derivative of distances writes out, rather than losing digits in products */
    GRADIENT_DIFFERENCES = TNI_LIMIT(1 << 22, 64),
    ENGINE_SCANNED = TNI_LIMIT(12, 2) /* nodes that wait before they are found by a map; they need no memory of their own */
};

_Static_assert(ENGINE_SCANNED <= ENGINE_WAITING, "those that are scanned are in the heap as it begins");
_Static_assert((NODE_MAP_INLINE & (NODE_MAP_INLINE - 1)) == 0, "a power of two");

#endif
