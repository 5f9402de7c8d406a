/* registry.h - all live allocators, and which one each device type uses. The outermost of the memory locks:
 * registry, then one allocator's, then its trace's.
 */
#ifndef TNI_REGISTRY_H
#define TNI_REGISTRY_H

#include "memory/allocator.h"

void tni_registry_lock(void);
void tni_registry_unlock(void);

/* Takes the lock itself. Gives the allocator its serial. */
void tni_registry_add(tn_allocator *allocator);

/* Under the lock. */
void tni_registry_remove(tn_allocator *allocator);
tn_allocator *tni_registry_first(void);

/* Whether the CPU uses another allocator than the built-in caching one. */
TNI_EXTERN _Atomic bool tni_cpu_replaced;
static inline bool tni_cpu_is_replaced(void) { return atomic_load_explicit(&tni_cpu_replaced, memory_order_relaxed); }

/* Takes the lock itself: the next live allocator of a device type after a serial (0: the first), retained; NULL at the end. */
tn_allocator *tni_registry_next_held(uint64_t after, int32_t device_type);

#endif
