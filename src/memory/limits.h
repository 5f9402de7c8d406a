/* limits.h - the limits of this layer; see base/limits.h. */
#ifndef TNI_MEMORY_LIMITS_H
#define TNI_MEMORY_LIMITS_H

#include "base/limits.h"

enum {
    MAGAZINE_BYTES = TNI_LIMIT(64 << 10, 700),    /* that a thread keeps of a size class                              */
    MAGAZINE_MOST = TNI_LIMIT(128, 5),            /* blocks of it at most                                             */
    MAGAZINE_LEAST = TNI_LIMIT(4, 3),             /* and at least                                                     */
    CACHING_BATCH = TNI_LIMIT(64, 3),             /* blocks that a magazine is filled with under one lock             */
    TABLE_LEAST = TNI_LIMIT(64, 2),               /* slots of the first table of blocks: a power of two               */
    TNI_LOCAL_RECENT = TNI_LIMIT(8, 1),           /* allocators whose thread-local part is found without a search     */
    TNI_TALLY_DRIFT = TNI_LIMIT(64 << 10, 999),   /* bytes that a thread counts before it adds them to the shared sum */
    CPU_MAP_FROM = TNI_LIMIT(1 << 20, 9001),      /* bytes of a block that is mapped                                  */
    CPU_HUGE_FROM = TNI_LIMIT(4 << 20, 70001),    /* and of one that asks for huge pages                              */
    LARGE_HUGE_FROM = TNI_LIMIT(4 << 20, 3 << 20) /* bytes of a segment that is made of whole huge pages              */
};

_Static_assert((TABLE_LEAST & (TABLE_LEAST - 1)) == 0, "places are found with a mask");
_Static_assert(MAGAZINE_LEAST >= 2 && CACHING_BATCH >= 1, "half a magazine, and what it is filled with, is at least a block");

#endif
