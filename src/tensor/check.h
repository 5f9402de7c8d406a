/* check.h - the checks of an operator's arguments before its implementation is called. Each raises and returns false when the
 * argument cannot be used; the message names the argument. */
#ifndef TNI_CHECK_H
#define TNI_CHECK_H

#include <tenon/index.h>

#include "base/error.h"
#include "tensor/tensor.h"

static inline bool tni_check_tensor(const tn_tensor *tensor, const char *argument) {
    return tni_tensor_check(tensor, argument);
}

static inline bool tni_check_optional(const tn_tensor *tensor, const char *argument) {
    return !tensor || tni_tensor_check(tensor, argument);
}

static inline bool tni_check_generator(const tn_generator *generator, const char *argument) {
    return !generator || tni_object_check((const tni_object *)generator, &tni_generator_class, argument);
}

static inline bool tni_check_storage(const tn_storage *storage, const char *argument) {
    return tni_object_check((const tni_object *)storage, &tni_storage_class, argument);
}

bool tni_check_tensors(const tn_tensor *const *tensors, int64_t count, const char *argument);
bool tni_check_dims_complain(tn_dims dims, const char *argument);
bool tni_check_index_closely(tn_index_list index, const char *argument);
bool tni_check_floats(tn_floats floats, const char *argument);
bool tni_check_text(const char *text, const char *argument);
bool tni_check_dtype_complain(tn_dtype dtype, const char *argument);
bool tni_check_format(tn_memory_format format, const char *argument);

static inline bool tni_check_dims(tn_dims dims, const char *argument) {
    return TNI_LIKELY((uint64_t)dims.count <= TN_MAX_DIMS && (dims.values || dims.count == 0)) ||
           tni_check_dims_complain(dims, argument);
}

static inline bool tni_check_dtype(tn_dtype dtype, bool may_default, const char *argument) {
    return TNI_LIKELY((unsigned)dtype < TN_DTYPE_COUNT && (may_default || dtype != TN_DTYPE_DEFAULT)) ||
           tni_check_dtype_complain(dtype, argument);
}

/* Whether every element of the geometry is inside the storage: TN_ERROR_SHAPE, with the numbers, when not. */
bool tni_check_inside(const tn_storage *storage, tn_geometry_ref geometry, tn_dtype dtype);

#endif
