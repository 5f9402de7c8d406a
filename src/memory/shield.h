/* shield.h - tells AddressSanitizer which cached memory must not be touched. Nothing in other builds, or for device memory.
 *
 * A block that waits in a cache is poisoned, so that element memory used after it was given back is reported like any
 * other use after free; so are the bytes of a block beyond those that were asked for.
 */
#ifndef TNI_SHIELD_H
#define TNI_SHIELD_H

#include "memory/allocator.h"

#if TNI_ASAN
#include <sanitizer/asan_interface.h>
static inline void tni_shield_close(const tn_allocator *allocator, const void *data, size_t bytes) {
    if (allocator->device.type == TN_CPU)
        ASAN_POISON_MEMORY_REGION(data, bytes);
}
static inline void tni_shield_open(const tn_allocator *allocator, const void *data, size_t bytes) {
    if (allocator->device.type == TN_CPU)
        ASAN_UNPOISON_MEMORY_REGION(data, bytes);
}
#else
static inline void tni_shield_close(const tn_allocator *allocator, const void *data, size_t bytes) {
    (void)allocator, (void)data, (void)bytes;
}
static inline void tni_shield_open(const tn_allocator *allocator, const void *data, size_t bytes) {
    (void)allocator, (void)data, (void)bytes;
}
#endif

#endif
