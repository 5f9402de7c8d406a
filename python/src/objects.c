/* objects.c - dtype, device, memory_format and layout: small constant objects with torch's names and texts.
 *
 * There is one object for each dtype, memory format and layout, so they are compared by identity. Devices are made as needed
 * and compared by value.
 */
#include "core.h"

PyTypeObject *tnpy_dtype_type, *tnpy_device_type, *tnpy_format_type, *tnpy_layout_type;

static PyObject *objects_dtypes[TN_DTYPE_COUNT];

/* Frees an object of a type made at run time, whose objects keep it alive. */
static void objects_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---- dtype */

PyObject *tnpy_dtype_object(tn_dtype dtype) {
    PyObject *object = (unsigned)dtype < TN_DTYPE_COUNT ? objects_dtypes[dtype] : NULL;
    if (!object) {
        PyErr_Format(PyExc_SystemError, "there is no dtype number %d", (int)dtype);
        return NULL;
    }
    return Py_NewRef(object);
}

static tn_dtype objects_dtype(PyObject *self) { return ((tnpy_dtype *)self)->dtype; }

static PyObject *dtype_repr(PyObject *self) { return PyUnicode_FromFormat("torch.%s", tn_dtype_name(objects_dtype(self))); }

static PyObject *dtype_reduce(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyUnicode_FromString(tn_dtype_name(objects_dtype(self)));
}

static PyObject *dtype_same(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return Py_NewRef(self);
}

static PyObject *dtype_to_real(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return tnpy_dtype_object(tn_dtype_to_real(objects_dtype(self)));
}

static PyObject *dtype_to_complex(PyObject *self, PyObject *ignored) {
    (void)ignored;
    tn_dtype made = tn_dtype_to_complex(objects_dtype(self));
    if (made == TN_DTYPE_DEFAULT) {
        PyErr_Format(PyExc_RuntimeError, "there is no complex dtype with parts of %s", tn_dtype_name(objects_dtype(self)));
        return NULL;
    }
    return tnpy_dtype_object(made);
}

static PyObject *dtype_is_floating_point(PyObject *self, void *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_dtype_is_floating(objects_dtype(self)));
}
static PyObject *dtype_is_complex(PyObject *self, void *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_dtype_is_complex(objects_dtype(self)));
}
static PyObject *dtype_is_signed(PyObject *self, void *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_dtype_is_signed(objects_dtype(self)));
}
static PyObject *dtype_itemsize(PyObject *self, void *ignored) {
    (void)ignored;
    return PyLong_FromSize_t(tn_dtype_size(objects_dtype(self)));
}

static PyType_Slot dtype_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, objects_dealloc),
    TNPY_SLOT(Py_tp_repr, dtype_repr),
    {Py_tp_doc, (void *)(uintptr_t) "The type of a tensor's elements: tenon.float32, tenon.int64, ..."},
    {Py_tp_methods,
     (PyMethodDef[]){
         {"__reduce__", dtype_reduce, METH_NOARGS, NULL},
         {"__copy__", dtype_same, METH_NOARGS, NULL},
         {"__deepcopy__", dtype_same, METH_O, NULL},
         {"to_real", dtype_to_real, METH_NOARGS, "The dtype of the parts of a complex dtype; itself otherwise."},
         {"to_complex", dtype_to_complex, METH_NOARGS, "The complex dtype whose parts hold this one."},
         {NULL, NULL, 0, NULL},
     }},
    {Py_tp_getset,
     (PyGetSetDef[]){
         {"is_floating_point", dtype_is_floating_point, NULL, "Whether it is a real floating dtype.", NULL},
         {"is_complex", dtype_is_complex, NULL, "Whether it is a complex dtype.", NULL},
         {"is_signed", dtype_is_signed, NULL, "Whether it holds negative numbers.", NULL},
         {"itemsize", dtype_itemsize, NULL, "Bytes of one element.", NULL},
         {NULL, NULL, NULL, NULL, NULL},
     }},
    {0, NULL},
};

static PyType_Spec dtype_spec = {"tenon.dtype", sizeof(tnpy_dtype), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                                 dtype_slots};

/* ---- device */

PyObject *tnpy_device_object(tn_device device, bool indexed) {
    tnpy_device *object = PyObject_New(tnpy_device, tnpy_device_type);
    if (object) {
        object->device = device;
        object->indexed = indexed;
    }
    return (PyObject *)object;
}

static PyObject *device_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    (void)type;
    static char *keywords[] = {"type", "index", NULL}, *other[] = {"device", NULL};
    PyObject *what, *index = Py_None;
    bool named = names && PyDict_GetItemString(names, "device") != NULL;
    if (!(named ? PyArg_ParseTupleAndKeywords(args, names, "O:device", other, &what)
                : PyArg_ParseTupleAndKeywords(args, names, "O|O:device", keywords, &what, &index)))
        return NULL;
    if (Py_TYPE(what) == tnpy_device_type)
        return Py_NewRef(what);
    if (PyLong_Check(what)) {
        PyErr_Format(PyExc_RuntimeError, "device: the number %R does not name a device; there is only the CPU here", what);
        return NULL;
    }
    const char *text = PyUnicode_Check(what) ? tnpy_text(what) : NULL;
    if (!text) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "device: expects a text such as 'cpu' or 'cuda:1', not %R", what);
        return NULL;
    }
    tn_device device;
    if (tn_device_parse(text, &device) != TN_OK)
        return tnpy_raise();
    bool indexed = strchr(text, ':') != NULL;
    if (index != Py_None) {
        long number = PyLong_AsLong(index);
        if (number == -1 && PyErr_Occurred())
            return NULL;
        if (indexed || number < 0 || number > INT32_MAX) {
            PyErr_Format(PyExc_RuntimeError, "device: %s with index %ld is not a device", text, number);
            return NULL;
        }
        device.index = (int32_t)number;
        indexed = true;
    }
    return tnpy_device_object(device, indexed);
}

static PyObject *device_str(PyObject *self) {
    tnpy_device *device = (tnpy_device *)self;
    const char *name = tn_device_type_name(device->device.type);
    return device->indexed ? PyUnicode_FromFormat("%s:%d", name, (int)device->device.index) : PyUnicode_FromString(name);
}

static PyObject *device_repr(PyObject *self) {
    tnpy_device *device = (tnpy_device *)self;
    const char *name = tn_device_type_name(device->device.type);
    return device->indexed ? PyUnicode_FromFormat("device(type='%s', index=%d)", name, (int)device->device.index)
                           : PyUnicode_FromFormat("device(type='%s')", name);
}

static PyObject *device_compare(PyObject *a, PyObject *b, int how) {
    if ((how != Py_EQ && how != Py_NE) || Py_TYPE(a) != tnpy_device_type || Py_TYPE(b) != tnpy_device_type)
        Py_RETURN_NOTIMPLEMENTED;
    tnpy_device *x = (tnpy_device *)a, *y = (tnpy_device *)b;
    return PyBool_FromLong((tn_device_equal(x->device, y->device) && x->indexed == y->indexed) == (how == Py_EQ));
}

static Py_hash_t device_hash(PyObject *self) {
    tnpy_device *device = (tnpy_device *)self;
    return device->device.type * 1009 + device->device.index * 2 + device->indexed + 7;
}

static PyObject *device_type(PyObject *self, void *ignored) {
    (void)ignored;
    return PyUnicode_FromString(tn_device_type_name(((tnpy_device *)self)->device.type));
}

static PyObject *device_index(PyObject *self, void *ignored) {
    (void)ignored;
    tnpy_device *device = (tnpy_device *)self;
    if (!device->indexed)
        Py_RETURN_NONE;
    return PyLong_FromLong(device->device.index);
}

static PyObject *device_reduce(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return Py_BuildValue("O(N)", (PyObject *)tnpy_device_type, device_str(self));
}

static PyType_Slot device_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, objects_dealloc),
    TNPY_SLOT(Py_tp_new, device_new),
    TNPY_SLOT(Py_tp_repr, device_repr),
    TNPY_SLOT(Py_tp_str, device_str),
    TNPY_SLOT(Py_tp_richcompare, device_compare),
    TNPY_SLOT(Py_tp_hash, device_hash),
    {Py_tp_doc, (void *)(uintptr_t) "device(type, index=None)\n--\n\nWhere the elements of a tensor are: device('cpu')."},
    {Py_tp_methods,
     (PyMethodDef[]){
         {"__reduce__", device_reduce, METH_NOARGS, NULL},
         {"__enter__", tnpy_device_enter, METH_NOARGS,
          "New tensors of this thread are on this device, until the end of the with."},
         {"__exit__", tnpy_device_exit, METH_VARARGS, NULL},
         {NULL, NULL, 0, NULL},
     }},
    {Py_tp_getset,
     (PyGetSetDef[]){
         {"type", device_type, NULL, "'cpu'", NULL},
         {"index", device_index, NULL, "Which of several, or None where it was not given.", NULL},
         {NULL, NULL, NULL, NULL, NULL},
     }},
    {0, NULL},
};

static PyType_Spec device_spec = {"tenon.device", sizeof(tnpy_device), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                                  device_slots};

/* ---- memory_format and layout */

static const char *const format_names[] = {
    [TN_CONTIGUOUS] = "contiguous_format",
    [TN_PRESERVE] = "preserve_format",
    [TN_CHANNELS_LAST] = "channels_last",
    [TN_CHANNELS_LAST_3D] = "channels_last_3d",
};

static PyObject *format_objects[sizeof format_names / sizeof *format_names];

PyObject *tnpy_format_object(tn_memory_format format) { return Py_NewRef(format_objects[format]); }

static PyObject *format_repr(PyObject *self) {
    return PyUnicode_FromFormat("torch.%s", format_names[((tnpy_format *)self)->format]);
}

static PyObject *format_reduce(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyUnicode_FromString(format_names[((tnpy_format *)self)->format]);
}

static PyType_Slot format_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, objects_dealloc),
    TNPY_SLOT(Py_tp_repr, format_repr),
    {Py_tp_doc, (void *)(uintptr_t) "The order of a tensor's dimensions in memory."},
    {Py_tp_methods, (PyMethodDef[]){{"__reduce__", format_reduce, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}}},
    {0, NULL},
};

static PyType_Spec format_spec = {"tenon.memory_format", sizeof(tnpy_format), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                                  format_slots};

static PyObject *layout_repr(PyObject *self) {
    (void)self;
    return PyUnicode_FromString("torch.strided");
}

static PyObject *layout_reduce(PyObject *self, PyObject *ignored) {
    (void)self;
    (void)ignored;
    return PyUnicode_FromString("strided");
}

static PyType_Slot layout_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, objects_dealloc),
    TNPY_SLOT(Py_tp_repr, layout_repr),
    {Py_tp_doc, (void *)(uintptr_t) "How a tensor is stored: always strided."},
    {Py_tp_methods, (PyMethodDef[]){{"__reduce__", layout_reduce, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}}},
    {0, NULL},
};

static PyType_Spec layout_spec = {"tenon.layout", sizeof(PyObject), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                                  layout_slots};

/* ---- into the module */

static int objects_add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **type) {
    if (!*type)
        *type = (PyTypeObject *)PyType_FromSpec(spec);
    return *type ? PyModule_AddObjectRef(module, name, (PyObject *)*type) : -1;
}

/* Torch's other names for dtypes. */
static const struct objects_alias {
    const char *name;
    tn_dtype dtype;
} objects_aliases[] = {
    {"float", TN_FLOAT32}, {"double", TN_FLOAT64}, {"half", TN_FLOAT16},     {"short", TN_INT16},
    {"int", TN_INT32},     {"long", TN_INT64},     {"cfloat", TN_COMPLEX64}, {"cdouble", TN_COMPLEX128},
};

static int objects_add_dtypes(PyObject *module) {
    for (int i = TN_DTYPE_DEFAULT + 1; i < TN_DTYPE_COUNT; i++) {
        if (!objects_dtypes[i]) {
            tnpy_dtype *made = PyObject_New(tnpy_dtype, tnpy_dtype_type);
            if (!made)
                return -1;
            made->dtype = (tn_dtype)i;
            objects_dtypes[i] = (PyObject *)made;
        }
        if (PyModule_AddObjectRef(module, tn_dtype_name((tn_dtype)i), objects_dtypes[i]) < 0)
            return -1;
    }
    for (size_t i = 0; i < sizeof objects_aliases / sizeof *objects_aliases; i++)
        if (PyModule_AddObjectRef(module, objects_aliases[i].name, objects_dtypes[objects_aliases[i].dtype]) < 0)
            return -1;
    return 0;
}

int tnpy_objects_add(PyObject *module) {
    if (objects_add_type(module, "dtype", &dtype_spec, &tnpy_dtype_type) < 0 ||
        objects_add_type(module, "device", &device_spec, &tnpy_device_type) < 0 ||
        objects_add_type(module, "memory_format", &format_spec, &tnpy_format_type) < 0 ||
        objects_add_type(module, "layout", &layout_spec, &tnpy_layout_type) < 0 || objects_add_dtypes(module) < 0)
        return -1;
    for (size_t i = 0; i < sizeof format_names / sizeof *format_names; i++) {
        tnpy_format *made = PyObject_New(tnpy_format, tnpy_format_type);
        if (!made)
            return -1;
        made->format = (tn_memory_format)i;
        format_objects[i] = (PyObject *)made;
        if (PyModule_AddObjectRef(module, format_names[i], (PyObject *)made) < 0)
            return -1;
    }
    PyObject *strided = (PyObject *)PyObject_New(PyObject, tnpy_layout_type);
    if (!strided || PyModule_AddObject(module, "strided", strided) < 0) {
        Py_XDECREF(strided);
        return -1;
    }
    return 0;
}
