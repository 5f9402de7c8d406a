/* fill.h - one value written to many places. */
#ifndef TNI_FILL_H
#define TNI_FILL_H

#include "base/common.h"

/* `count` copies of the `size` bytes at `element`, one after the other. The two do not overlap. */
void tni_fill_contiguous(void *target, const void *element, size_t size, int64_t count);

#endif
