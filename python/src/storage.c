/* storage.c - UntypedStorage: the bytes that tensors look into.
 *
 * There is at most one object for a storage at a time, so that `a.untyped_storage() is b.untyped_storage()` tells whether two
 * tensors share memory, and pickle and deepcopy find storages they have seen before.
 */
#include "core.h"

PyTypeObject *tnpy_storage_type;

static PyObject *storage_objects; /* address of a tn_storage: weak reference to its object */

static tn_storage *storage_of(PyObject *self) { return ((tnpy_storage *)self)->storage; }

static PyObject *storage_new_object(tn_storage *storage, PyObject *key) {
    tnpy_storage *made = PyObject_New(tnpy_storage, tnpy_storage_type);
    if (!made)
        return NULL;
    made->storage = tn_storage_retain(storage);
    made->weak = NULL;
    PyObject *weak = PyWeakref_NewRef((PyObject *)made, NULL);
    if (!weak || PyDict_SetItem(storage_objects, key, weak) < 0) {
        Py_XDECREF(weak);
        Py_DECREF(made);
        return NULL;
    }
    Py_DECREF(weak);
    return (PyObject *)made;
}

PyObject *tnpy_storage_object(tn_storage *storage) {
    if (!storage)
        return tnpy_raise();
    PyObject *key = PyLong_FromVoidPtr(storage), *weak = key ? PyDict_GetItemWithError(storage_objects, key) : NULL;
    PyObject *found = weak ? PyWeakref_GetObject(weak) : NULL;
    PyObject *object = NULL;
    if (found && found != Py_None)
        object = Py_NewRef(found);
    else if (key && !PyErr_Occurred())
        object = storage_new_object(storage, key);
    Py_XDECREF(key);
    return object;
}

static void storage_dealloc(PyObject *self) {
    tnpy_storage *storage = (tnpy_storage *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject *kind, *value, *trace;
    PyErr_Fetch(&kind, &value, &trace);
    if (storage->weak)
        PyObject_ClearWeakRefs(self);
    PyObject *key = PyLong_FromVoidPtr(storage->storage);
    PyObject *weak = key ? PyDict_GetItemWithError(storage_objects, key) : NULL;
    if (weak && PyWeakref_GetObject(weak) == Py_None) /* else a callback of a weak reference has asked for another already */
        (void)PyDict_DelItem(storage_objects, key);
    PyErr_Clear();
    Py_XDECREF(key);
    PyErr_Restore(kind, value, trace);
    tn_storage_release(storage->storage);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *storage_data_ptr(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyLong_FromUnsignedLongLong((uintptr_t)tn_storage_data(storage_of(self)));
}

static PyObject *storage_nbytes(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyLong_FromSize_t(tn_storage_nbytes(storage_of(self)));
}

static Py_ssize_t storage_length(PyObject *self) { return (Py_ssize_t)tn_storage_nbytes(storage_of(self)); }

static PyObject *storage_item(PyObject *self, Py_ssize_t position) {
    if (position < 0 || position >= storage_length(self)) {
        PyErr_Format(PyExc_IndexError, "byte %zd of a storage of %zd bytes", position, storage_length(self));
        return NULL;
    }
    return PyLong_FromLong(((const uint8_t *)tn_storage_data(storage_of(self)))[position]);
}

static PyObject *storage_tolist(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PySequence_List(self);
}

static PyObject *storage_resize(PyObject *self, PyObject *bytes) {
    int64_t size;
    int fits = tnpy_to_int(bytes, &size);
    if (fits <= 0 || size < 0) {
        if (fits >= 0)
            PyErr_Format(PyExc_ValueError, "a storage cannot have a size of %R bytes", bytes);
        return NULL;
    }
    return tn_storage_resize(storage_of(self), (size_t)size) == TN_OK ? Py_NewRef(self) : tnpy_raise();
}

static PyObject *storage_repr(PyObject *self) {
    return PyUnicode_FromFormat("<tenon.UntypedStorage of %zd bytes at %p>", storage_length(self),
                                tn_storage_data(storage_of(self)));
}

static PyObject *storage_device(PyObject *self, void *ignored) {
    (void)ignored;
    return tnpy_device_object(tn_storage_device(storage_of(self)), false);
}

static PyObject *storage_reduce(PyObject *self, PyObject *ignored) {
    (void)ignored;
    PyObject *module = PyImport_ImportModule("tenon._core");
    PyObject *rebuild = module ? PyObject_GetAttrString(module, "_rebuild_storage") : NULL;
    Py_XDECREF(module);
    if (!rebuild)
        return NULL;
    return Py_BuildValue("N(N)", rebuild, PyBytes_FromStringAndSize(tn_storage_data(storage_of(self)), storage_length(self)));
}

static PyType_Slot storage_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, storage_dealloc),
    TNPY_SLOT(Py_tp_repr, storage_repr),
    TNPY_SLOT(Py_sq_length, storage_length),
    TNPY_SLOT(Py_sq_item, storage_item),
    {Py_tp_doc, (void *)(uintptr_t) "The bytes that a tensor and its views look into."},
    {Py_tp_members,
     (PyMemberDef[]){
         {"__weaklistoffset__", T_PYSSIZET, offsetof(tnpy_storage, weak), READONLY, NULL},
         {NULL, 0, 0, 0, NULL},
     }},
    {Py_tp_getset,
     (PyGetSetDef[]){{"device", storage_device, NULL, "Where the bytes are.", NULL}, {NULL, NULL, NULL, NULL, NULL}}},
    {Py_tp_methods,
     (PyMethodDef[]){
         {"data_ptr", storage_data_ptr, METH_NOARGS, "data_ptr($self)\n--\n\nThe address of the first byte."},
         {"nbytes", storage_nbytes, METH_NOARGS, "nbytes($self)\n--\n\nHow many bytes there are."},
         {"size", storage_nbytes, METH_NOARGS, "size($self)\n--\n\nHow many bytes there are."},
         {"tolist", storage_tolist, METH_NOARGS, "tolist($self)\n--\n\nThe bytes as a list of integers."},
         {"resize_", storage_resize, METH_O, "resize_($self, nbytes)\n--\n\nMakes it longer or shorter, keeping what fits."},
         {"__reduce__", storage_reduce, METH_NOARGS, NULL},
         {NULL, NULL, 0, NULL},
     }},
    {0, NULL},
};

static PyType_Spec storage_spec = {"tenon.UntypedStorage", sizeof(tnpy_storage), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                                   storage_slots};

/* ---- pickles */

static PyObject *storage_rebuild(PyObject *module, PyObject *bytes) {
    (void)module;
    char *data;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(bytes, &data, &size) < 0)
        return NULL;
    tn_storage *made = tn_storage_create((size_t)size, TN_DTYPE_DEFAULT, NULL);
    if (!made)
        return tnpy_raise();
    if (size > 0)
        memcpy(tn_storage_mutable_data(made), data, (size_t)size);
    PyObject *object = tnpy_storage_object(made);
    tn_storage_release(made);
    return object;
}

static PyObject *storage_rebuild_tensor(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *storage, *sizes, *strides, *dtype;
    long long offset;
    if (!PyArg_ParseTuple(args, "OLOOO:_rebuild_tensor", &storage, &offset, &sizes, &strides, &dtype))
        return NULL;
    tnpy_scratch scratch = {.numbers_used = 0};
    tn_value size, stride;
    tn_dtype kind;
    if (Py_TYPE(storage) != tnpy_storage_type || tnpy_to_dtype(dtype, &kind) <= 0 ||
        tnpy_convert(TN_TYPE_DIMS, sizes, false, &scratch, &size) <= 0 ||
        tnpy_convert(TN_TYPE_DIMS, strides, false, &scratch, &stride) <= 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "_rebuild_tensor: this is not what a tensor was pickled as");
        return NULL;
    }
    return tnpy_wrap(tn_from_storage(storage_of(storage), offset, size.as.dims, stride.as.dims, kind));
}

static PyMethodDef storage_functions[] = {
    {"_rebuild_storage", storage_rebuild, METH_O, "A storage from its bytes, for pickle."},
    {"_rebuild_tensor", storage_rebuild_tensor, METH_VARARGS, "A tensor over a storage, for pickle."},
    {NULL, NULL, 0, NULL},
};

int tnpy_storage_add(PyObject *module) {
    if (!storage_objects && !(storage_objects = PyDict_New()))
        return -1;
    if (!tnpy_storage_type && !(tnpy_storage_type = (PyTypeObject *)PyType_FromSpec(&storage_spec)))
        return -1;
    if (PyModule_AddFunctions(module, storage_functions) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "UntypedStorage", (PyObject *)tnpy_storage_type);
}
