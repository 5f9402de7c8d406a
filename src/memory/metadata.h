/* metadata.h - memory for what the allocators remember about memory: segments, blocks, per-thread caches.
 *
 * It stays as long as the caches stay, so it is not counted among the live objects of heap.h. It records no error: every caller
 * has an alternative, or fails with a message about the memory that was really asked for.
 */
#ifndef TNI_METADATA_H
#define TNI_METADATA_H

#include <stdlib.h>

#include "base/heap.h"

/* Zeroed; NULL when there is none. */
static inline void *tni_metadata_take(size_t bytes) { return tni_fault_hits() ? NULL : calloc(1, bytes); }
static inline void tni_metadata_give(void *data) { free(data); }

#endif
