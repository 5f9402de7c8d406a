/* copy_engine.h - elements from one geometry and dtype to another, as fast as memory allows. */
#ifndef TNI_COPY_ENGINE_H
#define TNI_COPY_ENGINE_H

#include "tensor/tensor.h"

/* Both sides have `sizes`. The pointers are the elements at index 0, 0, ...; strides are in elements, 0 where a source is
 * repeated. */
typedef struct tni_copy {
    int64_t ndim;
    const int64_t *sizes;
    char *target;
    const int64_t *target_strides;
    tn_dtype target_dtype;
    const char *source;
    const int64_t *source_strides;
    tn_dtype source_dtype;
} tni_copy;

/* Carry it out, on several threads where it is large. The memory is the CPU's, no two elements of the target share a place,
 * and target and source do not overlap. Nothing is counted or reported here; it cannot fail. */
void tni_copy_elements(const tni_copy *copy);

/* Whether a copy does not fit in the last cache: it is then written around it. Otherwise its lines would be fetched before they
 * are overwritten, and would evict what is still needed. */
bool tni_copy_is_beyond_caches(int64_t count, int64_t target_item, int64_t source_item);

/* The size of the last cache that copies assume; 0: the real one. For tests, which cannot all be larger than that. */
TNI_EXTERN _Atomic int64_t tni_copy_cache_bytes;

#endif
