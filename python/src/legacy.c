/* legacy.c - torch's first constructors, Tensor(...), LongTensor(...) and x.new(...), whose meaning depends on what they are
 * given: nothing is an empty vector, integers are sizes, a tensor or a storage is looked at without a copy, and any other
 * sequence is data, which is converted.
 */
#include "core.h"

/* The only argument: one of its names, or the only position. Borrowed; NULL where there is none. */
static PyObject *legacy_named(PyObject *names, bool *size) {
    static const char *const known[] = {"size", "other", "data", "storage"};
    for (size_t i = 0; names && i < sizeof known / sizeof *known; i++) {
        PyObject *value = PyDict_GetItemString(names, known[i]);
        *size = i == 0;
        if (value)
            return value;
    }
    *size = false;
    return NULL;
}

/* device=, which must be the CPU, and how many other keywords there are; -1 with an exception. */
static Py_ssize_t legacy_keywords(PyObject *names) {
    Py_ssize_t count = names ? PyDict_Size(names) : 0;
    PyObject *device = count > 0 ? PyDict_GetItemString(names, "device") : NULL;
    if (!device)
        return count;
    tn_device where;
    int fits = device == Py_None ? 1 : tnpy_to_device(device, &where);
    if (fits > 0 && (device == Py_None || where.type == TN_CPU))
        return count - 1;
    if (fits >= 0)
        PyErr_Format(tnpy_error_class(TN_ERROR_DEVICE), "device must be the CPU, not %R", device);
    return -1;
}

/* All elements of a storage, as a vector. */
static tn_tensor *legacy_of_storage(tn_storage *storage, tn_dtype dtype) {
    int64_t count = (int64_t)(tn_storage_nbytes(storage) / tn_dtype_size(dtype)), step = 1;
    return tn_from_storage(storage, 0, (tn_dims){&count, 1}, (tn_dims){&step, 1}, dtype);
}

static int legacy_refuse_dtype(tn_dtype wanted, tn_dtype given) {
    if (wanted == given)
        return 0;
    PyErr_Format(tnpy_error_class(TN_ERROR_DTYPE),
                 "the argument has elements of %s, but elements of %s are wanted: convert it first, with to()",
                 tn_dtype_name(given), tn_dtype_name(wanted));
    return -1;
}

/* A TypedStorage: its bytes, a new reference, and its dtype. NULL without an exception when it is not one. */
static PyObject *legacy_untyped(PyObject *object, tn_dtype *dtype) {
    if (!PyObject_HasAttrString(object, "_untyped_storage"))
        return NULL;
    PyObject *bytes = PyObject_GetAttrString(object, "_untyped_storage"), *kind = PyObject_GetAttrString(object, "dtype");
    if (!bytes || !kind || Py_TYPE(bytes) != tnpy_storage_type || tnpy_to_dtype(kind, dtype) <= 0)
        Py_CLEAR(bytes);
    Py_XDECREF(kind);
    PyErr_Clear();
    return bytes;
}

static tn_tensor *legacy_raise(void) {
    (void)tnpy_raise();
    return NULL;
}

static tn_tensor *legacy_empty(PyObject *size, tn_dtype dtype, tn_device device) {
    tnpy_scratch scratch = {.numbers_used = 0};
    tn_value dims;
    int fits = tnpy_convert(TN_TYPE_DIMS, size, false, &scratch, &dims);
    if (fits == 0)
        PyErr_Format(PyExc_TypeError, "sizes are integers; %R is not a list of them", size);
    if (fits <= 0)
        return NULL;
    tn_tensor *made = tn_empty_device(dims.as.dims, dtype, device);
    return made ? made : legacy_raise();
}

static tn_tensor *legacy_data(PyObject *data, tn_dtype dtype, tn_device device) {
    if (!PySequence_Check(data) || PyBytes_Check(data)) {
        PyErr_Format(PyExc_TypeError, "data must be a sequence, not %R; tensor() takes a number", (PyObject *)Py_TYPE(data));
        return NULL;
    }
    PyObject *object = tnpy_make(data, dtype);
    tn_tensor *made = object ? tn_to_device(tnpy_tensor_of(object), device) : NULL;
    bool failed = object && !made;
    Py_XDECREF(object);
    return failed ? legacy_raise() : made;
}

static tn_tensor *legacy_one(PyObject *given, tn_dtype dtype, tn_device device, bool any) {
    tn_tensor *made;
    tn_dtype other;
    if (tnpy_is_tensor(given)) {
        tn_tensor *from = tnpy_tensor_of(given);
        if (!any && legacy_refuse_dtype(dtype, tn_dtype_of(from)) < 0)
            return NULL;
        made = tn_alias(from);
        return made ? made : legacy_raise();
    }
    if (Py_TYPE(given) == tnpy_storage_type) {
        made = legacy_of_storage(((tnpy_storage *)given)->storage, dtype);
        return made ? made : legacy_raise();
    }
    if (Py_TYPE(given) == tnpy_size_type || (PyIndex_Check(given) && !PySequence_Check(given) && !PyBool_Check(given)))
        return legacy_empty(given, dtype, device);
    PyObject *bytes = legacy_untyped(given, &other);
    if (!bytes)
        return legacy_data(given, dtype, device);
    made = legacy_refuse_dtype(dtype, other) < 0 ? NULL : legacy_of_storage(((tnpy_storage *)bytes)->storage, dtype);
    Py_DECREF(bytes);
    if (!made && !PyErr_Occurred())
        return legacy_raise();
    return made;
}

tn_tensor *tnpy_legacy_new(PyObject *args, PyObject *names, tn_dtype dtype, tn_device device, bool any, PyObject **source) {
    Py_ssize_t count = PyTuple_Size(args), keywords = legacy_keywords(names);
    bool size = false;
    *source = NULL;
    if (keywords < 0)
        return NULL;
    PyObject *only = count == 1 ? PyTuple_GetItem(args, 0) : legacy_named(names, &size);
    if (keywords > 1 || (keywords == 1 && (count > 0 || !only))) {
        PyErr_SetString(PyExc_TypeError,
                        "the arguments are sizes, or one of other, data, storage and size, and device: see tenon.tensor");
        return NULL;
    }
    if (count > 1 || size)
        return legacy_empty(size ? only : args, dtype, device);
    if (!only) {
        static const int64_t none = 0;
        tn_tensor *made = tn_empty_device((tn_dims){&none, 1}, dtype, device);
        return made ? made : legacy_raise();
    }
    if (tnpy_is_tensor(only))
        *source = only;
    return legacy_one(only, dtype, device, any);
}

/* _new_as(dtype, ...): what LongTensor(...) gives. */
static PyObject *legacy_new_as(PyObject *module, PyObject *args, PyObject *names) {
    (void)module;
    tn_dtype dtype;
    Py_ssize_t count = PyTuple_Size(args);
    if (count < 1 || tnpy_to_dtype(PyTuple_GetItem(args, 0), &dtype) <= 0) {
        PyErr_SetString(PyExc_TypeError, "_new_as wants a dtype");
        return NULL;
    }
    PyObject *rest = PyTuple_GetSlice(args, 1, count), *source = NULL;
    tn_tensor *made = rest ? tnpy_legacy_new(rest, names, dtype, TN_DEVICE_CPU, false, &source) : NULL;
    PyObject *object = !made ? NULL : source ? tnpy_wrap_view(made, source) : tnpy_wrap(made);
    Py_XDECREF(rest);
    return object;
}

PyObject *tnpy_method_new(PyObject *self, PyObject *args, PyObject *names) {
    PyObject *source;
    const tn_tensor *like = tnpy_tensor_of(self);
    tn_tensor *made = tnpy_legacy_new(args, names, tn_dtype_of(like), tn_device_of(like), false, &source);
    return !made ? NULL : source ? tnpy_wrap_view(made, source) : tnpy_wrap(made);
}

PyMethodDef tnpy_legacy_functions[] = {
    {"_new_as", TNPY_FUNCTION(legacy_new_as), METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};
