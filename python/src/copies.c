/* copies.c - copy, deepcopy and pickle.
 *
 * A tensor of a subclass stays one, with its attributes; its __new__ is not called again, because its arguments are not known.
 */
#include "core.h"

/* A plain tensor, which is taken, as an object of a subclass without attributes. */
static PyObject *copies_as(PyTypeObject *type, PyObject *plain) {
    if (!plain)
        return NULL;
    PyObject *made = (__extension__(allocfunc) PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (made)
        ((tnpy_tensor *)made)->tensor = tn_retain(tnpy_tensor_of(plain));
    Py_DECREF(plain);
    return made;
}

/* What __getstate__ returns for an object of a subclass: its attributes, a dictionary, or that and one of its slots. A new
 * reference; NULL, perhaps without an exception, where there are none. */
static PyObject *copies_state(PyObject *self) {
    if (Py_TYPE(self) == tnpy_tensor_type)
        return NULL;
    PyObject *state = PyObject_CallMethod(self, "__getstate__", NULL);
    if (state == Py_None)
        Py_CLEAR(state);
    return state;
}

static int copies_set_slots(PyObject *made, PyObject *slots) {
    PyObject *name, *value;
    Py_ssize_t position = 0;
    while (PyDict_Check(slots) && PyDict_Next(slots, &position, &name, &value))
        if (PyObject_SetAttr(made, name, value) < 0)
            return -1;
    return 0;
}

static int copies_set_state(PyObject *made, PyObject *state) {
    if (PyObject_HasAttrString(made, "__setstate__")) {
        PyObject *done = PyObject_CallMethod(made, "__setstate__", "(O)", state);
        Py_XDECREF(done);
        return done ? 0 : -1;
    }
    bool both = PyTuple_Check(state) && PyTuple_Size(state) == 2;
    PyObject *attributes = both ? PyTuple_GetItem(state, 0) : state;
    PyObject *own = attributes != Py_None ? PyObject_GetAttrString(made, "__dict__") : NULL;
    int code = attributes != Py_None && (!own || PyDict_Update(own, attributes) < 0) ? -1 : 0;
    Py_XDECREF(own);
    return code == 0 && both ? copies_set_slots(made, PyTuple_GetItem(state, 1)) : code;
}

/* Gives `made` the state, which is taken and may be NULL. Takes `made`, too. */
static PyObject *copies_give_state(PyObject *made, PyObject *state) {
    if (made && (PyErr_Occurred() || (state && copies_set_state(made, state) < 0)))
        Py_CLEAR(made);
    Py_XDECREF(state);
    return made;
}

/* A second tensor over the same memory, as torch's copy.copy. */
PyObject *tnpy_copy(PyObject *self, PyObject *ignored) {
    (void)ignored;
    PyObject *plain = tnpy_wrap(tn_alias(tnpy_tensor_of(self)));
    if (Py_TYPE(self) == tnpy_tensor_type || !plain)
        return plain;
    PyObject *made = copies_as(Py_TYPE(self), plain);
    return made ? copies_give_state(made, copies_state(self)) : NULL;
}

/* The copy has a copy of the gradient. */
static bool copies_gradient(PyObject *self, PyObject *made, PyObject *memo) {
    PyObject *grad = tnpy_get_grad(self, NULL), *copy = grad && grad != Py_None ? tnpy_deepcopy(grad, memo) : Py_XNewRef(grad);
    bool done = copy && (copy == Py_None || tnpy_set_grad(made, copy, NULL) == 0);
    Py_XDECREF(grad);
    Py_XDECREF(copy);
    return done;
}

/* Tensors that share a storage share its copy: the memo has the storage's. */
static PyObject *copies_plain_deepcopy(PyObject *self, PyObject *memo) {
    const tn_tensor *tensor = tnpy_tensor_of(self);
    PyObject *own = PyLong_FromVoidPtr(self);
    if (!own)
        return NULL;
    PyObject *made = NULL, *key = Py_BuildValue("(sN)", "tenon storage", PyLong_FromVoidPtr(tn_storage_of(tensor)));
    PyObject *storage = key ? PyDict_GetItemWithError(memo, key) : NULL;
    if (storage && Py_TYPE(storage) == tnpy_storage_type)
        Py_INCREF(storage);
    else if (key && !PyErr_Occurred()) {
        tn_storage *copy = tn_storage_clone(tn_storage_of(tensor), NULL);
        storage = copy ? tnpy_storage_object(copy) : tnpy_raise();
        tn_storage_release(copy);
        if (storage && PyDict_SetItem(memo, key, storage) < 0)
            Py_CLEAR(storage);
    }
    if (storage)
        made = tnpy_wrap(tn_from_storage(((tnpy_storage *)storage)->storage, tn_storage_offset(tensor), tn_sizes(tensor),
                                         tn_strides(tensor), tn_dtype_of(tensor)));
    if (made && Py_TYPE(self) != tnpy_tensor_type)
        made = copies_as(Py_TYPE(self), made);
    made = tnpy_when_required(made, tn_requires_grad(tensor));
    if (made && !copies_gradient(self, made, memo))
        Py_CLEAR(made);
    if (made && PyDict_SetItem(memo, own, made) < 0)
        Py_CLEAR(made);
    Py_XDECREF(storage);
    Py_XDECREF(key);
    Py_DECREF(own);
    return made;
}

static PyObject *copies_plain_reduce(PyObject *self) {
    const tn_tensor *tensor = tnpy_tensor_of(self);
    PyObject *module = PyImport_ImportModule("tenon._core");
    PyObject *rebuild = module ? PyObject_GetAttrString(module, "_rebuild_tensor") : NULL;
    Py_XDECREF(module);
    if (!rebuild)
        return NULL;
    return Py_BuildValue("N(NLNNNO)", rebuild, tnpy_storage_object(tn_storage_of(tensor)), (long long)tn_storage_offset(tensor),
                         tnpy_int_tuple(tn_sizes(tensor)), tnpy_int_tuple(tn_strides(tensor)),
                         tnpy_dtype_object(tn_dtype_of(tensor)), tn_requires_grad(tensor) ? Py_True : Py_False);
}

PyObject *tnpy_deepcopy(PyObject *self, PyObject *memo) {
    if (!PyDict_Check(memo)) {
        PyErr_SetString(PyExc_TypeError, "__deepcopy__ takes a dictionary");
        return NULL;
    }
    if (!tn_is_leaf(tnpy_tensor_of(self))) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a deep copy of a tensor that was computed from others would lose how: use tensor.detach(), "
                        "or copy a leaf");
        return NULL;
    }
    PyObject *own = PyLong_FromVoidPtr(self), *found = own ? PyDict_GetItemWithError(memo, own) : NULL;
    Py_XDECREF(own);
    if (found || PyErr_Occurred())
        return Py_XNewRef(found);
    PyObject *made = copies_plain_deepcopy(self, memo), *state = made ? copies_state(self) : NULL;
    if (!state) {
        if (PyErr_Occurred())
            Py_CLEAR(made);
        return made;
    }
    PyObject *module = PyImport_ImportModule("copy");
    PyObject *copied = module ? PyObject_CallMethod(module, "deepcopy", "OO", state, memo) : NULL;
    Py_XDECREF(module);
    Py_DECREF(state);
    if (!copied)
        Py_CLEAR(made);
    return copies_give_state(made, copied);
}

/* _rebuild_as(type, tensor): what a tensor of a subclass was pickled as; pickle sets its attributes. */
static PyObject *copies_rebuild_as(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *type, *plain;
    if (!PyArg_ParseTuple(args, "OO:_rebuild_as", &type, &plain))
        return NULL;
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, tnpy_tensor_type) ||
        (PyTypeObject *)type == tnpy_tensor_type || !tnpy_is_tensor(plain)) {
        PyErr_SetString(PyExc_TypeError, "_rebuild_as: this is not what a tensor was pickled as");
        return NULL;
    }
    return copies_as((PyTypeObject *)type, Py_NewRef(plain));
}

PyObject *tnpy_reduce(PyObject *self, PyObject *protocol) {
    (void)protocol;
    if (Py_TYPE(self) == tnpy_tensor_type)
        return copies_plain_reduce(self);
    PyObject *plain = tnpy_wrap(tn_retain(tnpy_tensor_of(self))), *state = plain ? copies_state(self) : NULL;
    PyObject *module = plain && !PyErr_Occurred() ? PyImport_ImportModule("tenon._core") : NULL;
    PyObject *rebuild = module ? PyObject_GetAttrString(module, "_rebuild_as") : NULL, *reduced = NULL;
    if (rebuild)
        reduced = Py_BuildValue("O(OO)O", rebuild, (PyObject *)Py_TYPE(self), plain, state ? state : Py_None);
    Py_XDECREF(rebuild);
    Py_XDECREF(module);
    Py_XDECREF(state);
    Py_XDECREF(plain);
    return reduced;
}

PyMethodDef tnpy_copies_functions[] = {
    {"_rebuild_as", copies_rebuild_as, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
