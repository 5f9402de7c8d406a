/* cpu_allocator.h - the built-in CPU allocators. */
#ifndef TNI_CPU_ALLOCATOR_H
#define TNI_CPU_ALLOCATOR_H

#include <tenon/memory.h>

/* Whether it is one of the two static ones, told by the address alone. */
bool tni_cpu_allocator_is_built_in(const tn_allocator *allocator);

#endif
