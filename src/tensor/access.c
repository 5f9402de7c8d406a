/* access.c - elements seen from C: single values by index, typed pointers, accessors for loops written by hand.
 *
 * `function`, throughout, is the public function that was called: errors are raised under its name.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "tensor/tensor.h"

static bool access_on_cpu(const tn_tensor *tensor, const char *function) {
    int32_t type = tensor->storage->pointer.device.type;
    if (TNI_LIKELY(type == TN_CPU))
        return true;
    tni_raise_in(function, TN_ERROR_DEVICE, "the tensor is on device %s; copy it to the cpu to look at its elements",
                 tn_device_type_name(type));
    return false;
}

static bool access_single(const tn_tensor *tensor, const char *function) {
    if (!tni_tensor_live(tensor, function))
        return false;
    if (TNI_UNLIKELY(tensor->numel != 1)) {
        tni_raise_in(function, TN_ERROR_SHAPE, "the tensor %s has %" PRId64 " elements, not exactly one",
                     tni_show_tensor(tensor), tensor->numel);
        return false;
    }
    return access_on_cpu(tensor, function);
}

static tn_scalar access_load(const tn_tensor *tensor) { return tn_dtype_load(tensor->dtype, tni_tensor_read(tensor)); }

/* tni_tensor_prepare_write under the function's name. */
static bool access_prepare_write(tn_tensor *tensor, const char *function) {
    const char *outer = tni_operator_enter(function);
    bool ready = tni_tensor_prepare_write(tensor);
    tni_operator_leave(outer);
    return ready;
}

/* ---- a scalar as one C type, range-checked: false, raised, when it does not fit */

static bool access_as_double(tn_scalar value, const char *function, double *out) {
    switch (value.kind) {
    case TN_SCALAR_BOOL: *out = value.value.b; return true;
    case TN_SCALAR_INT: *out = (double)value.value.i; return true;
    case TN_SCALAR_UINT: *out = (double)value.value.u; return true;
    case TN_SCALAR_FLOAT: *out = value.value.d; return true;
    case TN_SCALAR_COMPLEX: *out = value.value.c.real; break;
    }
    if (value.kind == TN_SCALAR_COMPLEX && value.value.c.imag == 0)
        return true;
    tni_raise_in(function, TN_ERROR_DTYPE, "the value %s has an imaginary part and is not a real number",
                 tni_show_scalar(value));
    return false;
}

static bool access_as_int64(tn_scalar value, const char *function, int64_t *out) {
    if (value.kind == TN_SCALAR_BOOL || value.kind == TN_SCALAR_INT) {
        *out = value.kind == TN_SCALAR_BOOL ? value.value.b : value.value.i;
        return true;
    }
    double number = 0;
    if (!access_as_double(value, function, &number))
        return false;
    if (value.kind != TN_SCALAR_UINT && number >= -0x1p63 && number < 0x1p63) { /* a scalar of kind UINT is above INT64_MAX */
        *out = (int64_t)number;
        return true;
    }
    tni_raise_in(function, TN_ERROR_DTYPE, "the value %s does not fit in an int64", tni_show_scalar(value));
    return false;
}

static bool access_is_true(tn_scalar value) {
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

/* The most common dtypes take a short way. */
tn_scalar tn_item(const tn_tensor *tensor) {
    if (!access_single(tensor, "item"))
        return tn_scalar_int(0);
    if (tensor->dtype == TN_FLOAT32) {
        float single;
        memcpy(&single, tni_tensor_read(tensor), sizeof single);
        return (tn_scalar){.kind = TN_SCALAR_FLOAT, .value = {.d = (double)single}};
    }
    return access_load(tensor);
}

/* Without a tn_scalar, which would take three times as long. */
double tn_item_double(const tn_tensor *tensor) {
    double value = NAN;
    if (!access_single(tensor, "item_double"))
        return NAN;
    if (tensor->dtype == TN_FLOAT32) {
        float single;
        memcpy(&single, tni_tensor_read(tensor), sizeof single);
        return (double)single;
    }
    if (tensor->dtype == TN_FLOAT64) {
        memcpy(&value, tni_tensor_read(tensor), sizeof value);
        return value;
    }
    return access_as_double(access_load(tensor), "item_double", &value) ? value : NAN;
}

int64_t tn_item_int64(const tn_tensor *tensor) {
    int64_t value = 0;
    if (!access_single(tensor, "item_int64"))
        return 0;
    if (tensor->dtype == TN_INT64) {
        memcpy(&value, tni_tensor_read(tensor), sizeof value);
        return value;
    }
    return access_as_int64(access_load(tensor), "item_int64", &value) ? value : 0;
}

tn_complex128 tn_item_complex(const tn_tensor *tensor) {
    if (!access_single(tensor, "item_complex"))
        return (tn_complex128){NAN, NAN};
    tn_scalar value = access_load(tensor);
    if (value.kind == TN_SCALAR_COMPLEX)
        return value.value.c;
    double real = NAN;
    (void)access_as_double(value, "item_complex", &real);
    return (tn_complex128){real, 0};
}

bool tn_item_bool(const tn_tensor *tensor) { return access_single(tensor, "item_bool") && access_is_true(access_load(tensor)); }

/* ---- one element by index */

/* The element's place in the storage. Raises, and returns what it raised, when there is none. */
static tn_error access_locate(const tn_tensor *tensor, tn_dims index, const char *function, int64_t *element) {
    if (!tni_tensor_live(tensor, function))
        return tni_tensor_handle_error(tensor);
    if (!access_on_cpu(tensor, function))
        return TN_ERROR_DEVICE;
    if (index.count != tensor->ndim)
        return tni_raise_in(function, TN_ERROR_INDEX,
                            "%" PRId64 " indices for the tensor %s of %d dimensions; give one for each", index.count,
                            tni_show_tensor(tensor), tensor->ndim);
    if (index.count && !index.values)
        return tni_raise_in(function, TN_ERROR_ARGUMENT, "index is NULL");
    int64_t at = tensor->offset;
    for (int64_t d = 0; d < tensor->ndim; d++) {
        int64_t size = tensor->sizes[d], i = index.values[d];
        if (i < -size || i >= size)
            return tni_raise_in(function, TN_ERROR_INDEX,
                                "index %" PRId64 " is out of range for dimension %" PRId64 " of the tensor %s", i, d,
                                tni_show_tensor(tensor));
        at += (i < 0 ? i + size : i) * tensor->strides[d];
    }
    *element = at;
    return TN_OK;
}

static tn_scalar access_load_at(const tn_tensor *tensor, int64_t element) {
    const char *base = tni_storage_read(tensor->storage);
    return tn_dtype_load(tensor->dtype, base + element * (int64_t)tni_tensor_item_size(tensor));
}

tn_scalar tn_get_element(const tn_tensor *tensor, tn_dims index) {
    int64_t element;
    return access_locate(tensor, index, "get_element", &element) == TN_OK ? access_load_at(tensor, element) : tn_scalar_int(0);
}

double tn_get_double(const tn_tensor *tensor, tn_dims index) {
    int64_t element;
    double value = NAN;
    if (access_locate(tensor, index, "get_double", &element) != TN_OK ||
        !access_as_double(access_load_at(tensor, element), "get_double", &value))
        return NAN;
    return value;
}

int64_t tn_get_int64(const tn_tensor *tensor, tn_dims index) {
    int64_t element, value = 0;
    if (access_locate(tensor, index, "get_int64", &element) != TN_OK ||
        !access_as_int64(access_load_at(tensor, element), "get_int64", &value))
        return 0;
    return value;
}

tn_error tn_set_element(tn_tensor *tensor, tn_dims index, tn_scalar value) {
    int64_t element;
    tn_error error = access_locate(tensor, index, "set_element", &element);
    if (error != TN_OK)
        return error;
    if (!tn_dtype_can_hold(tensor->dtype, value))
        return tni_raise_in("set_element", TN_ERROR_DTYPE, "the value %s does not fit in %s", tni_show_scalar(value),
                            tn_dtype_name(tensor->dtype));
    if (!access_prepare_write(tensor, "set_element"))
        return tni_failed();
    char *base = (char *)(uintptr_t)tni_storage_read(tensor->storage);
    tn_dtype_store(tensor->dtype, base + element * (int64_t)tni_tensor_item_size(tensor), value);
    tni_tensor_bump(tensor);
    return TN_OK;
}

/* ---- pointers and accessors */

static const void *access_data(const tn_tensor *tensor) { return tensor->numel ? tni_tensor_read(tensor) : NULL; }

const void *tn_data(const tn_tensor *tensor) { return tni_tensor_live(tensor, "data") ? access_data(tensor) : NULL; }

/* False, raised, when it may not be written to; *out is NULL where there are no elements. */
static bool access_mutable_data(tn_tensor *tensor, const char *function, void **out) {
    const char *outer =
        tni_operator_enter(function); /* what is written through an address is not seen, in inference mode or not */
    bool ready = tensor->readonly ? tni_tensor_prepare_write(tensor) : tni_storage_prepare_raw(tensor->storage);
    tni_operator_leave(outer);
    if (!ready)
        return false;
    tni_tensor_bump(tensor);
    *out = tensor->numel ? (void *)(uintptr_t)tni_tensor_read(tensor) : NULL;
    return true;
}

void *tn_mutable_data(tn_tensor *tensor) {
    void *data = NULL;
    if (tni_tensor_live(tensor, "mutable_data"))
        (void)access_mutable_data(tensor, "mutable_data", &data);
    return data;
}

/* Whether the elements can be reached through a C pointer to their type: foreign memory can begin at any address. */
static bool access_typed(const tn_tensor *tensor, tn_dtype dtype, size_t alignment, const char *function) {
    if (!tni_tensor_live(tensor, function))
        return false;
    if (TNI_UNLIKELY(tensor->dtype != dtype)) {
        tni_raise_in(function, TN_ERROR_DTYPE, "the tensor %s does not hold %s elements", tni_show_tensor(tensor),
                     tn_dtype_name(dtype));
        return false;
    }
    if (!access_on_cpu(tensor, function))
        return false;
    const void *data = access_data(tensor);
    if (TNI_LIKELY((uintptr_t)data % alignment == 0))
        return true;
    tni_raise_in(function, TN_ERROR_DTYPE, "the elements begin at %p, which is not a multiple of %zu, as C needs for %s", data,
                 alignment, tn_dtype_name(dtype));
    return false;
}

#define ACCESS_DEFINE(ENUM, name, ctype)                                                                                       \
    tn_view_##name tn_read_##name(const tn_tensor *tensor) {                                                                   \
        if (!access_typed(tensor, TN_##ENUM, _Alignof(ctype), "read_" #name))                                                  \
            return (tn_view_##name){NULL, NULL, NULL, -1};                                                                     \
        return (tn_view_##name){access_data(tensor), tensor->sizes, tensor->strides, tensor->ndim};                            \
    }                                                                                                                          \
    tn_edit_##name tn_write_##name(tn_tensor *tensor) {                                                                        \
        void *data;                                                                                                            \
        if (!access_typed(tensor, TN_##ENUM, _Alignof(ctype), "write_" #name) ||                                               \
            !access_mutable_data(tensor, "write_" #name, &data))                                                               \
            return (tn_edit_##name){NULL, NULL, NULL, -1};                                                                     \
        return (tn_edit_##name){data, tensor->sizes, tensor->strides, tensor->ndim};                                           \
    }                                                                                                                          \
    const ctype *tn_data_##name(const tn_tensor *tensor) {                                                                     \
        return access_typed(tensor, TN_##ENUM, _Alignof(ctype), "data_" #name) ? access_data(tensor) : NULL;                   \
    }                                                                                                                          \
    ctype *tn_mutable_data_##name(tn_tensor *tensor) {                                                                         \
        void *data = NULL;                                                                                                     \
        if (access_typed(tensor, TN_##ENUM, _Alignof(ctype), "mutable_data_" #name))                                           \
            (void)access_mutable_data(tensor, "mutable_data_" #name, &data);                                                   \
        return data;                                                                                                           \
    }
TN_EACH_DTYPE(ACCESS_DEFINE)
#undef ACCESS_DEFINE
