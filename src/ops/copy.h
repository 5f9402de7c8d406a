/* copy.h - copies of elements, for operators that need one: reshape, index assignment, conversions.
 *
 * Every copy goes through here, so that each is counted and can say why it was made (tenon/observe.h).
 */
#ifndef TNI_COPY_H
#define TNI_COPY_H

#include "tensor/tensor.h"

/* An uninitialised tensor of the sizes of `self` in another dtype, layout or place: format as clone takes it. (create.c) */
tn_tensor *tni_empty_like_on(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_device device);

/* A fresh row-major copy of the same dtype on the same device. NULL with the error raised. The reason is one sentence. */
tn_tensor *tni_clone_contiguous(const tn_tensor *self, const char *reason);

/* The same in another dtype, layout or place: format as empty_like takes it. */
tn_tensor *tni_clone_as(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_device device, const char *reason);

/* Write `source`, broadcast to the shape of `target` and converted to its dtype, over `target`. Checked first: shapes, devices,
 * that `target` may be written and no two of its elements share a place. Source and target may overlap. The write is counted
 * in the version of the storage. */
tn_error tni_copy_into(tn_tensor *target, const tn_tensor *source, const char *reason);

/* Every element of `target` becomes `value`; TN_ERROR_DTYPE when its dtype cannot hold it. Checked as tni_copy_into. */
tn_error tni_fill_into(tn_tensor *target, tn_scalar value);

#endif
