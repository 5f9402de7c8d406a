/* size.c - Size: a tensor's shape, a tuple with numel() and torch's text. */
#include "core.h"

PyTypeObject *tnpy_size_type;

static PyObject *(*size_tuple_concat)(PyObject *, PyObject *);
static PyObject *(*size_tuple_repeat)(PyObject *, Py_ssize_t);
static PyObject *(*size_tuple_subscript)(PyObject *, PyObject *);
static PyObject *(*size_alloc)(PyTypeObject *, Py_ssize_t);

static int size_fill(PyObject *tuple, tn_dims dims) {
    for (int64_t i = 0; i < dims.count; i++) {
        PyObject *number = PyLong_FromLongLong(dims.values[i]);
        if (!number || PyTuple_SetItem(tuple, (Py_ssize_t)i, number) < 0)
            return -1;
    }
    return 0;
}

PyObject *tnpy_size_object(tn_dims dims) {
    PyObject *made = size_alloc(tnpy_size_type, (Py_ssize_t)dims.count);
    if (made && size_fill(made, dims) < 0)
        Py_CLEAR(made);
    return made;
}

PyObject *tnpy_int_tuple(tn_dims dims) {
    PyObject *made = PyTuple_New((Py_ssize_t)dims.count);
    if (made && size_fill(made, dims) < 0)
        Py_CLEAR(made);
    return made;
}

/* A plain tuple, which is taken, as a Size. */
static PyObject *size_from_tuple(PyObject *tuple) {
    if (!tuple || !PyTuple_Check(tuple))
        return tuple;
    Py_ssize_t count = PyTuple_Size(tuple);
    PyObject *made = size_alloc(tnpy_size_type, count);
    for (Py_ssize_t i = 0; made && i < count; i++)
        if (PyTuple_SetItem(made, i, Py_NewRef(PyTuple_GetItem(tuple, i))) < 0)
            Py_CLEAR(made);
    Py_DECREF(tuple);
    return made;
}

static PyObject *size_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    (void)type;
    PyObject *items = NULL;
    static char *keywords[] = {"", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, names, "|O:Size", keywords, &items))
        return NULL;
    PyObject *given = items ? PySequence_Tuple(items) : PyTuple_New(0);
    PyObject *made = given ? size_alloc(tnpy_size_type, PyTuple_Size(given)) : NULL;
    for (Py_ssize_t i = 0; made && i < PyTuple_Size(given); i++) {
        PyObject *item = PyTuple_GetItem(given, i), *index = PyNumber_Index(item);
        PyObject *number = index ? PyNumber_Long(index) : NULL; /* plain: 1 for True, and not a NumPy scalar */
        Py_XDECREF(index);
        if (!number) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError, "Size: item %zd is %R, not an integer", i, item);
        }
        if (!number || PyTuple_SetItem(made, i, number) < 0)
            Py_CLEAR(made);
    }
    Py_XDECREF(given);
    return made;
}

static PyObject *size_repr(PyObject *self) {
    PyObject *list = PySequence_List(self);
    PyObject *text = list ? PyUnicode_FromFormat("torch.Size(%R)", list) : NULL;
    Py_XDECREF(list);
    return text;
}

static PyObject *size_concat(PyObject *a, PyObject *b) { return size_from_tuple(size_tuple_concat(a, b)); }
/* As a number's operator it comes before the tuple's own: (1,) + shape is a Size, too. */
static PyObject *size_add(PyObject *a, PyObject *b) {
    if (!PyTuple_Check(a) || !PyTuple_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    return size_concat(a, b);
}

static PyObject *size_repeat(PyObject *self, Py_ssize_t times) { return size_from_tuple(size_tuple_repeat(self, times)); }
static PyObject *size_subscript(PyObject *self, PyObject *key) {
    PyObject *found = size_tuple_subscript(self, key);
    return PySlice_Check(key) ? size_from_tuple(found) : found;
}

static PyObject *size_numel(PyObject *self, PyObject *ignored) {
    (void)ignored;
    PyObject *product = PyLong_FromLong(1);
    for (Py_ssize_t i = 0; product && i < PyTuple_Size(self); i++) {
        PyObject *next = PyNumber_Multiply(product, PyTuple_GetItem(self, i));
        Py_DECREF(product);
        product = next;
    }
    return product;
}

static PyObject *size_reduce(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return Py_BuildValue("O(N)", (PyObject *)tnpy_size_type, PySequence_List(self));
}

static PyType_Slot size_slots[] = {
    TNPY_SLOT(Py_tp_new, size_new),
    TNPY_SLOT(Py_tp_repr, size_repr),
    TNPY_SLOT(Py_nb_add, size_add),
    TNPY_SLOT(Py_sq_concat, size_concat),
    TNPY_SLOT(Py_sq_repeat, size_repeat),
    TNPY_SLOT(Py_mp_subscript, size_subscript),
    {Py_tp_doc, (void *)(uintptr_t) "Size(iterable=(), /)\n--\n\nThe shape of a tensor: a tuple of integers."},
    {Py_tp_methods,
     (PyMethodDef[]){
         {"numel", size_numel, METH_NOARGS, "numel($self, /)\n--\n\nThe product: how many elements there are."},
         {"__reduce__", size_reduce, METH_NOARGS, NULL},
         {NULL, NULL, 0, NULL},
     }},
    {0, NULL},
};

static PyType_Spec size_spec = {"tenon.Size", 0, 0, Py_TPFLAGS_DEFAULT, size_slots};

int tnpy_size_add(PyObject *module) {
    if (!tnpy_size_type) {
        size_tuple_concat = __extension__(PyObject * (*)(PyObject *, PyObject *)) PyType_GetSlot(&PyTuple_Type, Py_sq_concat);
        size_tuple_repeat = __extension__(PyObject * (*)(PyObject *, Py_ssize_t)) PyType_GetSlot(&PyTuple_Type, Py_sq_repeat);
        size_tuple_subscript =
            __extension__(PyObject * (*)(PyObject *, PyObject *)) PyType_GetSlot(&PyTuple_Type, Py_mp_subscript);
        PyObject *bases = PyTuple_Pack(1, (PyObject *)&PyTuple_Type);
        tnpy_size_type = bases ? (PyTypeObject *)PyType_FromSpecWithBases(&size_spec, bases) : NULL;
        Py_XDECREF(bases);
        if (!tnpy_size_type)
            return -1;
        size_alloc = __extension__(PyObject * (*)(PyTypeObject *, Py_ssize_t)) PyType_GetSlot(tnpy_size_type, Py_tp_alloc);
    }
    return PyModule_AddObjectRef(module, "Size", (PyObject *)tnpy_size_type);
}
