/* masked.h - where a mask is true. */
#ifndef TNI_MASKED_H
#define TNI_MASKED_H

#include "tensor/tensor.h"

/* A mask is on the CPU and contiguous, of bool or uint8: every byte that is not 0 is true. Its elements are counted in chunks. */
typedef struct tni_mask {
    tn_tensor *tensor; /* contiguous */
    tn_tensor *begins; /* int64: how many are true before each chunk, and in all */
    int64_t chunks, count;
} tni_mask;

/* Counts; false, raised, when there is no memory. A mask that is on a device is copied from there. end releases. */
bool tni_mask_begin(tni_mask *mask, const tn_tensor *tensor);
void tni_mask_end(tni_mask *mask);

/* For each true element, in row-major order: its index times these strides, in one dimension of int64, on a device. */
tn_tensor *tni_mask_offsets(const tni_mask *mask, const int64_t *strides, tn_device device);

/* The elements of `self`, on the CPU, contiguous and of the same sizes, where the mask is true; to `count` elements at `target`. */
void tni_mask_select(const tni_mask *mask, const tn_tensor *self, char *target);

#endif
