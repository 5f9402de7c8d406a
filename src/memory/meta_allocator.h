/* meta_allocator.h - the allocator of the meta device. */
#ifndef TNI_META_ALLOCATOR_H
#define TNI_META_ALLOCATOR_H

#include <tenon/memory.h>

/* Static and immortal; never NULL. */
tn_allocator *tni_meta_allocator(void);
bool tni_meta_allocator_is(const tn_allocator *allocator);

#endif
