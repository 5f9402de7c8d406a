/* copy.h - copies of elements, for operators that need one: reshape, index assignment, conversions.
 *
 * Every copy goes through here, so that each is counted and can say why it was made (tenon/observe.h).
 */
#ifndef TNI_COPY_H
#define TNI_COPY_H

#include "ops/copy/copy_engine.h"
#include "tensor/tensor.h"

/* An uninitialised tensor with the sizes of `self` in another dtype, format or place: format as in clone. (create.c) */
tn_tensor *tni_empty_like_on(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_device device);

/* The strides of such a tensor: row by row, or (*strided) these strides. Raises and returns false where there are none. */
bool tni_like_strides(const tn_tensor *self, tn_memory_format format, bool *strided, int64_t *strides);

/* A fresh row-major copy of the same dtype on the same device. NULL with the error raised. The reason is one sentence. */
tn_tensor *tni_clone_contiguous(const tn_tensor *self, const char *reason);

/* The same in another dtype, format or place: format as in empty_like. */
tn_tensor *tni_clone_as(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_device device, const char *reason);

/* `self` itself, retained, where it is on that device, else a row-major copy that is. */
tn_tensor *tni_moved(const tn_tensor *self, tn_device device, const char *reason);

/* Write `source`, broadcast to the shape of `target` and converted to its dtype, over `target`. Checked first: shapes, devices,
 * that `target` may be written and no two of its elements share a place. Source and target may overlap. The write is counted
 * in the version of the storage. */
tn_error tni_copy_into(tn_tensor *target, const tn_tensor *source, const char *reason);

/* Every element of `target` becomes `value`; TN_ERROR_DTYPE when its dtype cannot hold it. Checked as tni_copy_into. (fill_
 * also takes a target whose elements share places.) */
tn_error tni_fill_into(tn_tensor *target, tn_scalar value);

/* A copy whose target or source is on a device that is not the CPU, as a job of its backend; and one element, in the CPU's
 * memory, for every place of the target, whose dtype it has: the source of `target` is ignored. Nothing is counted or reported.
 * */
tn_error tni_copy_as_job(tn_device target, tn_device source, const tni_copy *copy);
tn_error tni_fill_as_job(tn_device device, const tni_copy *target, const void *element);

#endif
