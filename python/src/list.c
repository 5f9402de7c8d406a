/* list.c - tolist: elements as Python numbers, row by row, whatever the strides. */
#include "core.h"

/* One row: `count` elements, `stride` bytes apart. The most common dtypes have loops of their own. */
#define LIST_ROW(ctype, expression)                                                                                            \
    for (int64_t i = 0; i < count; i++, at += stride) {                                                                        \
        ctype value;                                                                                                           \
        memcpy(&value, at, sizeof value);                                                                                      \
        PyObject *item = expression;                                                                                           \
        if (!item || PyList_SetItem(row, (Py_ssize_t)i, item) < 0)                                                             \
            return -1;                                                                                                         \
    }                                                                                                                          \
    return 0;

static int list_fill(PyObject *row, tn_dtype dtype, const char *at, int64_t stride, int64_t count) {
    switch (dtype) {
    case TN_FLOAT32: LIST_ROW(float, PyFloat_FromDouble((double)value))
    case TN_FLOAT64: LIST_ROW(double, PyFloat_FromDouble(value))
    case TN_INT64: LIST_ROW(int64_t, PyLong_FromLongLong(value))
    case TN_INT32: LIST_ROW(int32_t, PyLong_FromLong(value))
    case TN_UINT8: LIST_ROW(uint8_t, PyLong_FromLong(value))
    case TN_BOOL: LIST_ROW(uint8_t, PyBool_FromLong(value))
    default: break;
    }
    for (int64_t i = 0; i < count; i++, at += stride) {
        PyObject *item = tnpy_scalar_object(tn_dtype_load(dtype, at));
        if (!item || PyList_SetItem(row, (Py_ssize_t)i, item) < 0)
            return -1;
    }
    return 0;
}

static PyObject *list_make(tn_dtype dtype, const char *at, const int64_t *sizes, const int64_t *strides, int64_t ndim) {
    PyObject *list = PyList_New((Py_ssize_t)sizes[0]);
    if (!list)
        return NULL;
    int64_t step = at && sizes[0] > 1 ? strides[0] * (int64_t)tn_dtype_size(dtype) : 0; /* else the stride is any number */
    if (ndim == 1) {
        if (list_fill(list, dtype, at, step, sizes[0]) < 0)
            Py_CLEAR(list);
        return list;
    }
    for (int64_t i = 0; i < sizes[0]; i++) {
        PyObject *row = list_make(dtype, at ? at + i * step : NULL, sizes + 1, strides + 1, ndim - 1);
        if (!row || PyList_SetItem(list, (Py_ssize_t)i, row) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

int tnpy_refuse_device(const tn_tensor *tensor) {
    tn_device device = tn_device_of(tensor);
    if (device.type == TN_CPU)
        return 0;
    PyErr_Format(tnpy_error_class(TN_ERROR_DEVICE),
                 device.type == TN_META ? "a tensor on %s has no elements to look at"
                                        : "the elements are on %s; copy them to the CPU first",
                 tn_device_type_name(device.type));
    return -1;
}

PyObject *tnpy_tolist(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const tn_tensor *tensor = tnpy_tensor_of(self);
    if (tnpy_refuse_device(tensor) < 0)
        return NULL;
    const void *data = tn_data(tensor);
    if (!data && tn_error_code() != TN_OK)
        return tnpy_raise();
    tn_dims sizes = tn_sizes(tensor), strides = tn_strides(tensor);
    if (sizes.count == 0)
        return tnpy_scalar_object(tn_dtype_load(tn_dtype_of(tensor), data));
    return list_make(tn_dtype_of(tensor), data, sizes.values, strides.values, sizes.count);
}
