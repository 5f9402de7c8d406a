/* fill.h - one value written to many places. */
#ifndef TNI_FILL_H
#define TNI_FILL_H

#include "tensor/tensor.h"

/* `count` copies of the `size` bytes at `element`, one after the other. The two do not overlap. */
void tni_fill_contiguous(void *target, const void *element, size_t size, int64_t count);

/* The number in a tensor of no dimensions; false with the error raised for one that has dimensions. */
bool tni_fill_value(const tn_tensor *value, tn_scalar *number);

/* Whether a value may be read: a number on a device may not. */
static inline bool tni_fill_value_is_here(const tn_tensor *value) {
    return value->ndim != 0 || tni_tensor_device(value).type == TN_CPU;
}

#endif
