/* access.c - elements seen from C: single values by index, typed pointers, accessors for loops written by hand. */
#include <math.h>

#include "base/error.h"
#include "tensor/tensor.h"

static bool access_on_cpu(const tn_tensor *tensor, const char *what) {
    int32_t type = tensor->storage->pointer.device.type;
    if (TNI_LIKELY(type == TN_CPU))
        return true;
    tni_raise(TN_ERROR_DEVICE, "%s: the tensor is on device %s; copy it to the cpu to look at its elements", what,
              tn_device_type_name(type));
    return false;
}

static bool access_single(const tn_tensor *tensor, const char *what) {
    if (!tni_tensor_check(tensor, "item: tensor"))
        return false;
    if (TNI_UNLIKELY(tensor->numel != 1)) {
        tni_raise(TN_ERROR_SHAPE, "%s: the tensor %s has %" PRId64 " elements, not exactly one", what, tni_show_tensor(tensor),
                  tensor->numel);
        return false;
    }
    return access_on_cpu(tensor, what);
}

static tn_scalar access_load(const tn_tensor *tensor) { return tn_dtype_load(tensor->dtype, tni_tensor_read(tensor)); }

/* ---- a scalar as one C type, range-checked: false, raised, when it does not fit */

static bool scalar_as_double(tn_scalar value, const char *what, double *out) {
    switch (value.kind) {
    case TN_SCALAR_BOOL: *out = value.value.b; return true;
    case TN_SCALAR_INT: *out = (double)value.value.i; return true;
    case TN_SCALAR_UINT: *out = (double)value.value.u; return true;
    case TN_SCALAR_FLOAT: *out = value.value.d; return true;
    case TN_SCALAR_COMPLEX:
        *out = value.value.c.real;
        if (value.value.c.imag == 0)
            return true;
        tni_raise(TN_ERROR_DTYPE, "%s: the value %g%+gj has an imaginary part and is not a real number", what,
                  value.value.c.real, value.value.c.imag);
        return false;
    }
    tni_raise(TN_ERROR_INTERNAL, "%s: a scalar of kind %d", what, (int)value.kind);
    return false;
}

static bool scalar_as_int64(tn_scalar value, const char *what, int64_t *out) {
    if (value.kind == TN_SCALAR_BOOL || value.kind == TN_SCALAR_INT) {
        *out = value.kind == TN_SCALAR_BOOL ? value.value.b : value.value.i;
        return true;
    }
    if (value.kind == TN_SCALAR_UINT && value.value.u <= INT64_MAX) {
        *out = (int64_t)value.value.u;
        return true;
    }
    double number = 0;
    if (value.kind != TN_SCALAR_UINT && !scalar_as_double(value, what, &number))
        return false;
    if (value.kind != TN_SCALAR_UINT && number >= -0x1p63 && number < 0x1p63) {
        *out = (int64_t)number;
        return true;
    }
    if (value.kind == TN_SCALAR_UINT)
        tni_raise(TN_ERROR_DTYPE, "%s: the value %" PRIu64 " does not fit in an int64", what, value.value.u);
    else
        tni_raise(TN_ERROR_DTYPE, "%s: the value %g does not fit in an int64", what, number);
    return false;
}

static bool scalar_is_true(tn_scalar value) {
    switch (value.kind) {
    case TN_SCALAR_BOOL: return value.value.b;
    case TN_SCALAR_INT: return value.value.i != 0;
    case TN_SCALAR_UINT: return value.value.u != 0;
    case TN_SCALAR_FLOAT: return value.value.d != 0;
    case TN_SCALAR_COMPLEX: return value.value.c.real != 0 || value.value.c.imag != 0;
    }
    return false;
}

/* ---- item */

tn_scalar tn_item(const tn_tensor *tensor) {
    return access_single(tensor, "item") ? access_load(tensor) : tn_scalar_int(0);
}

double tn_item_double(const tn_tensor *tensor) {
    double value = NAN;
    if (!access_single(tensor, "item") || !scalar_as_double(access_load(tensor), "item", &value))
        return NAN;
    return value;
}

int64_t tn_item_int64(const tn_tensor *tensor) {
    int64_t value = 0;
    if (!access_single(tensor, "item") || !scalar_as_int64(access_load(tensor), "item", &value))
        return 0;
    return value;
}

tn_complex128 tn_item_complex(const tn_tensor *tensor) {
    if (!access_single(tensor, "item"))
        return (tn_complex128){NAN, NAN};
    tn_scalar value = access_load(tensor);
    if (value.kind == TN_SCALAR_COMPLEX)
        return value.value.c;
    double real = NAN;
    scalar_as_double(value, "item", &real);
    return (tn_complex128){real, 0};
}

bool tn_item_bool(const tn_tensor *tensor) { return access_single(tensor, "item") && scalar_is_true(access_load(tensor)); }

/* ---- one element by index */

static bool access_locate(const tn_tensor *tensor, tn_dims index, const char *what, int64_t *element) {
    if (!tni_tensor_check(tensor, "element: tensor") || !access_on_cpu(tensor, what))
        return false;
    if (index.count != tensor->ndim || (index.count && !index.values)) {
        tni_raise(TN_ERROR_INDEX, "%s: %" PRId64 " indices for the tensor %s of %d dimensions; give one for each", what,
                  index.count, tni_show_tensor(tensor), tensor->ndim);
        return false;
    }
    int64_t at = tensor->offset;
    for (int64_t d = 0; d < tensor->ndim; d++) {
        int64_t size = tensor->sizes[d], i = index.values[d];
        if (i < -size || i >= size) {
            tni_raise(TN_ERROR_INDEX, "%s: index %" PRId64 " is out of range for dimension %" PRId64 " of size %" PRId64, what,
                      i, d, size);
            return false;
        }
        at += (i < 0 ? i + size : i) * tensor->strides[d];
    }
    *element = at;
    return true;
}

static tn_scalar access_load_at(const tn_tensor *tensor, int64_t element) {
    const char *base = tni_storage_read(tensor->storage);
    return tn_dtype_load(tensor->dtype, base + element * (int64_t)tni_tensor_item_size(tensor));
}

tn_scalar tn_get_element(const tn_tensor *tensor, tn_dims index) {
    int64_t element;
    return access_locate(tensor, index, "get_element", &element) ? access_load_at(tensor, element) : tn_scalar_int(0);
}

double tn_get_double(const tn_tensor *tensor, tn_dims index) {
    int64_t element;
    double value = NAN;
    if (!access_locate(tensor, index, "get_double", &element) ||
        !scalar_as_double(access_load_at(tensor, element), "get_double", &value))
        return NAN;
    return value;
}

int64_t tn_get_int64(const tn_tensor *tensor, tn_dims index) {
    int64_t element, value = 0;
    if (!access_locate(tensor, index, "get_int64", &element) ||
        !scalar_as_int64(access_load_at(tensor, element), "get_int64", &value))
        return 0;
    return value;
}

tn_error tn_set_element(tn_tensor *tensor, tn_dims index, tn_scalar value) {
    int64_t element;
    if (!access_locate(tensor, index, "set_element", &element))
        return tn_error_code();
    if (!tn_dtype_can_hold(tensor->dtype, value))
        return tni_raise(TN_ERROR_DTYPE, "set_element: the value %s does not fit in %s", tni_show_scalar(value),
                         tn_dtype_name(tensor->dtype));
    if (!tni_tensor_prepare_write(tensor))
        return tn_error_code();
    char *base = (char *)(uintptr_t)tni_storage_read(tensor->storage);
    tn_dtype_store(tensor->dtype, base + element * (int64_t)tni_tensor_item_size(tensor), value);
    tni_storage_bump(tensor->storage);
    return TN_OK;
}

/* ---- pointers and accessors */

const void *tn_data(const tn_tensor *tensor) {
    return tni_tensor_check(tensor, "data: tensor") && tensor->numel ? tni_tensor_read(tensor) : NULL;
}

void *tn_mutable_data(tn_tensor *tensor) {
    if (!tni_tensor_check(tensor, "mutable_data: tensor") || !tni_tensor_prepare_write(tensor))
        return NULL;
    tni_storage_bump(tensor->storage);
    return tensor->numel ? tni_tensor_write(tensor) : NULL;
}

static bool access_typed(const tn_tensor *tensor, tn_dtype dtype, const char *what) {
    if (!tni_tensor_check(tensor, "access: tensor"))
        return false;
    if (tensor->dtype == dtype)
        return access_on_cpu(tensor, what);
    tni_raise(TN_ERROR_DTYPE, "%s: the tensor %s does not hold %s elements", what, tni_show_tensor(tensor), tn_dtype_name(dtype));
    return false;
}

#define ACCESS_DEFINE(ENUM, name, ctype)                                                                                       \
    tn_view_##name tn_read_##name(const tn_tensor *tensor) {                                                                   \
        if (!access_typed(tensor, TN_##ENUM, "read_" #name))                                                                   \
            return (tn_view_##name){NULL, NULL, NULL, -1};                                                                     \
        return (tn_view_##name){tn_data(tensor), tensor->sizes, tensor->strides, tensor->ndim};                                \
    }                                                                                                                          \
    tn_edit_##name tn_write_##name(tn_tensor *tensor) {                                                                        \
        if (!access_typed(tensor, TN_##ENUM, "write_" #name) || !tni_tensor_prepare_write(tensor))                             \
            return (tn_edit_##name){NULL, NULL, NULL, -1};                                                                     \
        return (tn_edit_##name){tn_mutable_data(tensor), tensor->sizes, tensor->strides, tensor->ndim};                        \
    }                                                                                                                          \
    const ctype *tn_data_##name(const tn_tensor *tensor) {                                                                     \
        return access_typed(tensor, TN_##ENUM, "data_" #name) ? tn_data(tensor) : NULL;                                        \
    }                                                                                                                          \
    ctype *tn_mutable_data_##name(tn_tensor *tensor) {                                                                         \
        return access_typed(tensor, TN_##ENUM, "mutable_data_" #name) ? tn_mutable_data(tensor) : NULL;                        \
    }
TN_EACH_DTYPE(ACCESS_DEFINE)
#undef ACCESS_DEFINE
