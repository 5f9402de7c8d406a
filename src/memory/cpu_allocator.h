/* cpu_allocator.h - the built-in CPU allocators. */
#ifndef TNI_CPU_ALLOCATOR_H
#define TNI_CPU_ALLOCATOR_H

#include <tenon/memory.h>

#include "base/common.h"

/* The caching one, which storages have unless told otherwise. Not ready before tn_cpu_allocator_caching() was called once. */
TNI_EXTERN tn_allocator tni_cpu_caching;

/* Whether it is one of the two static ones, decided by the address alone. */
bool tni_cpu_allocator_is_built_in(const tn_allocator *allocator);

#endif
