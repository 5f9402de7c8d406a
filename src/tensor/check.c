/* check.c - the messages for arguments that operators cannot use. */
#include "tensor/check.h"

#include <stdio.h>

bool tni_check_tensors(const tn_tensor *const *tensors, int64_t count, const char *argument) {
    if (count < 0 || (count > 0 && !tensors)) {
        tni_raise(TN_ERROR_ARGUMENT, "%s is NULL or its count %" PRId64 " is negative", argument, count);
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        if (TNI_LIKELY(tensors[i] && tensors[i]->object.class == &tni_tensor_class))
            continue;
        char *name = tni_show_buffer();
        snprintf(name, TNI_SHOW_SIZE, "%s[%" PRId64 "]", argument, i);
        if (!tni_tensor_check(tensors[i], name))
            return false;
    }
    return true;
}

TNI_COLD bool tni_check_dims_complain(tn_dims dims, const char *argument) {
    if (dims.count > TN_MAX_DIMS)
        tni_raise(TN_ERROR_SHAPE, "%s has %" PRId64 " dimensions; at most %d are possible", argument, dims.count, TN_MAX_DIMS);
    else if (dims.count < 0)
        tni_raise(TN_ERROR_ARGUMENT, "%s has a count of %" PRId64, argument, dims.count);
    else
        tni_raise_missing(argument);
    return false;
}

bool tni_check_floats(tn_floats floats, const char *argument) {
    if (floats.count < 0)
        tni_raise(TN_ERROR_ARGUMENT, "%s has a count of %" PRId64, argument, floats.count);
    else if (floats.count > 0 && !floats.values)
        tni_raise_missing(argument);
    return floats.count == 0 || (floats.count > 0 && floats.values);
}

TNI_COLD bool tni_check_index_closely(tn_index_list index, const char *argument) {
    if (index.count < 0 || index.count > 2 * TN_MAX_DIMS) {
        tni_raise(TN_ERROR_INDEX, "%s has %" PRId64 " items; at most %d are possible", argument, index.count, 2 * TN_MAX_DIMS);
        return false;
    }
    if (index.count && !index.items) {
        tni_raise_missing(argument);
        return false;
    }
    for (int64_t i = 0; i < index.count; i++)
        if (index.items[i].kind == TN_INDEX_TENSOR) {
            char *name = tni_show_buffer();
            snprintf(name, TNI_SHOW_SIZE, "item %" PRId64 " of the %s", i, argument);
            if (!tni_tensor_check(index.items[i].tensor, name))
                return false;
        }
    return true;
}

bool tni_check_text(const char *text, const char *argument) {
    if (!text)
        tni_raise_missing(argument);
    return text != NULL;
}

TNI_COLD bool tni_check_dtype_complain(tn_dtype dtype, const char *argument) {
    tni_raise(TN_ERROR_DTYPE, "%s: there is no dtype number %d%s", argument, (int)dtype,
              dtype == TN_DTYPE_DEFAULT ? " to choose here: name one" : "");
    return false;
}

bool tni_check_format(tn_memory_format format, const char *argument) {
    if ((unsigned)format <= TN_CHANNELS_LAST_3D)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "%s: there is no memory format number %d", argument, (int)format);
    return false;
}
