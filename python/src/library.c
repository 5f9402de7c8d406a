/* library.c - operators that are registered at run time, by a C program or by Python: tenon.ops and tenon.library.
 *
 * tenon.ops.mine.scale is an Operator: it reads the forms that are registered under its name, and reads them again when
 * anything was registered or unregistered since. So it is always current, and never calls what is gone.
 */
#include "core.h"

typedef struct library_operator {
    PyObject_HEAD PyObject *name; /* "mine::scale", or with `exactly` "mine::scale.tensor" */
    bool exactly;
    uint64_t generation; /* of what was read */
    tnpy_operator *read;
} library_operator;

static PyTypeObject *library_type;

static PyObject *library_make(PyObject *name, bool exactly) {
    library_operator *made = PyObject_New(library_operator, library_type);
    if (!made)
        return NULL;
    made->name = Py_NewRef(name);
    made->exactly = exactly;
    made->generation = 0;
    made->read = NULL;
    return (PyObject *)made;
}

static void library_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((library_operator *)self)->name);
    Py_XDECREF((PyObject *)((library_operator *)self)->read);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* What is registered under the name now: a new reference, so that a call keeps what it uses. NULL with an exception. */
static tnpy_operator *library_current(PyObject *self) {
    library_operator *packet = (library_operator *)self;
    uint64_t generation = tn_operator_generation();
    if (!packet->read || packet->generation != generation) {
        const char *name = PyUnicode_AsUTF8AndSize(packet->name, NULL);
        tnpy_operator *read = name ? tnpy_operator_registered(name, packet->exactly) : NULL;
        if (!read)
            return NULL;
        PyObject *old = (PyObject *)packet->read;
        packet->read = read;
        packet->generation = generation;
        Py_XDECREF(old);
    }
    if (packet->read->count == 0) {
        PyErr_Format(PyExc_RuntimeError, "the operator %R is no longer registered", packet->name);
        return NULL;
    }
    return (tnpy_operator *)Py_NewRef((PyObject *)packet->read);
}

static PyObject *library_call(PyObject *self, PyObject *args, PyObject *names) {
    tnpy_operator *op = library_current(self);
    if (!op)
        return NULL;
    Py_ssize_t count = PyTuple_Size(args), named = names ? PyDict_Size(names) : 0, at = 0, position = 0;
    PyObject *room[2 * TN_MAX_PARAMETERS], *key, *value, *result = NULL;
    PyObject **given = count + named <= 2 * TN_MAX_PARAMETERS ? room : PyMem_Calloc((size_t)(count + named), sizeof *given);
    PyObject *keywords = named ? PyTuple_New(named) : NULL;
    if (!given)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; given && i < count; i++)
        given[i] = PyTuple_GetItem(args, i);
    while (given && keywords && PyDict_Next(names, &position, &key, &value)) {
        given[count + at] = value;
        (void)PyTuple_SetItem(keywords, at++, Py_NewRef(key));
    }
    if (given && (keywords || !named))
        result = tnpy_operator_run(op, NULL, given, count, keywords);
    if (given != room)
        PyMem_Free(given);
    Py_XDECREF(keywords);
    Py_DECREF((PyObject *)op);
    return result;
}

static PyObject *library_repr(PyObject *self) {
    return PyUnicode_FromFormat("<operator %U>", ((library_operator *)self)->name);
}

/* ---- overloads: tenon.ops.mine.scale.tensor, and default for the one without a name */

static PyObject *library_overloads(PyObject *self, PyObject *ignored) {
    (void)ignored;
    tnpy_operator *op = library_current(self);
    PyObject *list = op ? PyList_New(0) : NULL;
    for (int f = 0; list && f < op->count; f++) {
        const char *overload = tn_operator_overload(op->forms[f]->op);
        PyObject *name = op->forms[f]->outs > 0 ? PyUnicode_FromFormat("out%s%s", *overload ? "_" : "", overload)
                                                : PyUnicode_FromString(*overload ? overload : "default");
        if (!name || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    Py_XDECREF((PyObject *)op);
    return list;
}

static PyObject *library_getattr(PyObject *self, PyObject *attribute) {
    library_operator *packet = (library_operator *)self;
    PyObject *found = PyObject_GenericGetAttr(self, attribute);
    if (found || packet->exactly || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    const char *wanted = PyUnicode_Check(attribute) ? tnpy_text(attribute) : NULL;
    PyErr_Clear();
    tnpy_operator *op = wanted && *wanted != '_' ? library_current(self) : NULL;
    for (int f = 0; op && !found && f < op->plain; f++) {
        const char *overload = tn_operator_overload(op->forms[f]->op);
        if (strcmp(*overload ? overload : "default", wanted) == 0) {
            PyObject *full = PyUnicode_FromString(tn_operator_name(op->forms[f]->op));
            found = full ? library_make(full, true) : NULL;
            Py_XDECREF(full);
        }
    }
    Py_XDECREF((PyObject *)op);
    if (!found && !PyErr_Occurred())
        PyErr_Restore(type, value, traceback);
    else {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    return found;
}

/* ---- what help() and inspect read */

static PyObject *library_get_name(PyObject *self, void *ignored) {
    (void)ignored;
    const char *name = PyUnicode_AsUTF8AndSize(((library_operator *)self)->name, NULL);
    const char *colons = name ? strstr(name, "::") : NULL;
    return name ? PyUnicode_FromString(colons ? colons + 2 : name) : NULL;
}

static PyObject *library_get_qualified(PyObject *self, void *ignored) {
    (void)ignored;
    return Py_NewRef(((library_operator *)self)->name);
}

/* The builtin function that it would be if it were built in, with the signature and the text. */
static PyObject *library_function_attribute(PyObject *self, const char *attribute) {
    tnpy_operator *op = library_current(self);
    PyObject *function = op ? PyCFunction_NewEx(&op->function, (PyObject *)op, NULL) : NULL, *value = NULL;
    if (function && attribute)
        value = PyObject_GetAttrString(function, attribute);
    else if (function) {
        PyObject *inspect = PyImport_ImportModule("inspect");
        value = inspect ? PyObject_CallMethod(inspect, "signature", "O", function) : NULL;
        Py_XDECREF(inspect);
    }
    Py_XDECREF(function);
    Py_XDECREF((PyObject *)op);
    return value;
}

static PyObject *library_get_doc(PyObject *self, void *ignored) {
    (void)ignored;
    return library_function_attribute(self, "__doc__");
}

static PyObject *library_get_text_signature(PyObject *self, void *ignored) {
    (void)ignored;
    return library_function_attribute(self, "__text_signature__");
}

static PyObject *library_get_signature(PyObject *self, void *ignored) {
    (void)ignored;
    return library_function_attribute(self, NULL);
}

static PyObject *library_get_schemas(PyObject *self, void *ignored) {
    (void)ignored;
    tnpy_operator *op = library_current(self);
    PyObject *list = op ? PyList_New(0) : NULL;
    for (int f = 0; list && f < op->count; f++) {
        const tn_operator *row = op->forms[f]->op;
        PyObject *text = PyUnicode_FromFormat("%s%s", tn_operator_name(row), tn_operator_signature(row));
        if (!text || PyList_Append(list, text) < 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    Py_XDECREF((PyObject *)op);
    return list;
}

static PyObject *library_reduce(PyObject *self, PyObject *ignored) {
    (void)ignored;
    library_operator *packet = (library_operator *)self;
    PyObject *module = PyImport_ImportModule("tenon._core");
    PyObject *function = module ? PyObject_GetAttrString(module, "_library_operator") : NULL;
    Py_XDECREF(module);
    return function ? Py_BuildValue("N(OO)", function, packet->name, packet->exactly ? Py_True : Py_False) : NULL;
}

static PyType_Slot library_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, library_dealloc),
    TNPY_SLOT(Py_tp_call, library_call),
    TNPY_SLOT(Py_tp_repr, library_repr),
    TNPY_SLOT(Py_tp_getattro, library_getattr),
    {Py_tp_methods,
     (PyMethodDef[]){
         {"overloads", library_overloads, METH_NOARGS, "overloads($self)\n--\n\nThe names of its forms."},
         {"__reduce__", library_reduce, METH_NOARGS, NULL},
         {NULL, NULL, 0, NULL},
     }},
    {Py_tp_getset,
     (PyGetSetDef[]){
         {"__name__", library_get_name, NULL, NULL, NULL},
         {"__qualname__", library_get_name, NULL, NULL, NULL},
         {"name", library_get_qualified, NULL, "The name with its namespace: 'mine::scale'.", NULL},
         {"schemas", library_get_schemas, NULL, "The signatures of its forms, as the library spells them.", NULL},
         {"__doc__", library_get_doc, NULL, NULL, NULL},
         {"__text_signature__", library_get_text_signature, NULL, NULL, NULL},
         {"__signature__", library_get_signature, NULL, NULL, NULL},
         {NULL, NULL, NULL, NULL, NULL},
     }},
    {0, NULL},
};

static PyType_Spec library_spec = {"tenon.ops.Operator", sizeof(library_operator), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, library_slots};

/* ---- functions of the module, for tenon/ops.py and tenon/library.py */

static PyObject *library_names(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return tnpy_operators_registered();
}

static PyObject *library_operator_named(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *name;
    int exactly = 0;
    if (!PyArg_ParseTuple(args, "U|p:_library_operator", &name, &exactly))
        return NULL;
    PyObject *made = library_make(name, exactly);
    tnpy_operator *op = made ? library_current(made) : NULL;
    if (!op)
        Py_CLEAR(made);
    Py_XDECREF((PyObject *)op);
    return made;
}

/* The kernels that Python has registered and not yet unregistered: (name, key). NULL until there is one. */
static PyObject *library_defined;

/* Forgets one kernel of an operator, or with key -1 all of them. */
static void library_forget(const char *name, int key) {
    for (Py_ssize_t i = library_defined ? PyList_Size(library_defined) : 0; i-- > 0;) {
        const char *other;
        int own;
        if (PyArg_ParseTuple(PyList_GetItem(library_defined, i), "si", &other, &own) && strcmp(name, other) == 0 &&
            (key == own || key == -1))
            (void)PyList_SetSlice(library_defined, i, i + 1, NULL);
    }
    PyErr_Clear();
}

static PyObject *library_define(PyObject *module, PyObject *args) {
    (void)module;
    const char *name, *signature, *doc = NULL;
    if (!PyArg_ParseTuple(args, "ss|z:_library_define", &name, &signature, &doc))
        return NULL;
    if (!tn_operator_register(name, signature, doc))
        return tnpy_raise();
    Py_RETURN_NONE;
}

static PyObject *library_undefine(PyObject *module, PyObject *args) {
    (void)module;
    const char *name;
    tn_error code;
    if (!PyArg_ParseTuple(args, "s:_library_undefine", &name))
        return NULL;
    Py_BEGIN_ALLOW_THREADS code = tn_operator_unregister(name);
    Py_END_ALLOW_THREADS if (code != TN_OK) return tnpy_raise();
    library_forget(name, -1);
    Py_RETURN_NONE;
}

/* When the interpreter ends, the kernels that are functions of Python go; what C registered stays. */
static PyObject *library_close(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    PyObject *rows = library_defined ? PyList_AsTuple(library_defined) : NULL; /* other threads may still change the list */
    Py_ssize_t count = rows ? PyTuple_Size(rows) : 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *name;
        int key;
        if (PyArg_ParseTuple(PyTuple_GetItem(rows, i), "si", &name, &key)) {
            Py_BEGIN_ALLOW_THREADS if (tn_kernel_unregister(name, key) != TN_OK) tn_error_clear();
            Py_END_ALLOW_THREADS
        }
    }
    PyErr_Clear();
    Py_XDECREF(rows);
    Py_CLEAR(library_defined);
    tnpy_kernels_close();
    tnpy_warnings_listen(false);
    Py_RETURN_NONE;
}

static PyMethodDef library_close_definition = {"_library_close", library_close, METH_NOARGS, NULL};

static int library_close_at_exit(void) {
    if (library_defined)
        return 0;
    PyObject *atexit = PyImport_ImportModule("atexit"), *function = PyCFunction_NewEx(&library_close_definition, NULL, NULL);
    PyObject *done = atexit && function ? PyObject_CallMethod(atexit, "register", "O", function) : NULL;
    Py_XDECREF(atexit);
    Py_XDECREF(function);
    Py_XDECREF(done);
    return done && (library_defined = PyList_New(0)) ? 0 : -1;
}

static PyObject *library_register_kernel(PyObject *module, PyObject *args) {
    (void)module;
    const char *name;
    int key;
    PyObject *function;
    if (!PyArg_ParseTuple(args, "siO:_library_kernel", &name, &key, &function))
        return NULL;
    if (!PyCallable_Check(function)) {
        PyErr_Format(PyExc_TypeError, "a kernel is a function, not %R", function);
        return NULL;
    }
    PyObject *row = library_close_at_exit() == 0 ? Py_BuildValue("(si)", name, key) : NULL;
    int known = row ? PySequence_Contains(library_defined, row) : -1;
    if (known < 0 || tnpy_kernel_register(name, key, function) < 0 || (!known && PyList_Append(library_defined, row) < 0)) {
        Py_XDECREF(row);
        return NULL;
    }
    Py_DECREF(row);
    Py_RETURN_NONE;
}

static PyObject *library_unregister_kernel(PyObject *module, PyObject *args) {
    (void)module;
    const char *name;
    int key;
    tn_error code;
    if (!PyArg_ParseTuple(args, "si:_library_unkernel", &name, &key))
        return NULL;
    Py_BEGIN_ALLOW_THREADS code = tn_kernel_unregister(name, key);
    Py_END_ALLOW_THREADS if (code != TN_OK) return tnpy_raise();
    library_forget(name, key);
    Py_RETURN_NONE;
}

/* After a library was loaded whose constructors register operators: the error that one of them met. */
static PyObject *library_check(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    if (tn_error_code() != TN_OK)
        return tnpy_raise();
    Py_RETURN_NONE;
}

static PyObject *library_generation(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return PyLong_FromUnsignedLongLong(tn_operator_generation());
}

static PyMethodDef library_functions[] = {
    {"_library_generation", library_generation, METH_NOARGS, NULL},
    {"_library_names", library_names, METH_NOARGS, NULL},
    {"_library_operator", library_operator_named, METH_VARARGS, NULL},
    {"_library_define", library_define, METH_VARARGS, NULL},
    {"_library_undefine", library_undefine, METH_VARARGS, NULL},
    {"_library_kernel", library_register_kernel, METH_VARARGS, NULL},
    {"_library_unkernel", library_unregister_kernel, METH_VARARGS, NULL},
    {"_library_check", library_check, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

int tnpy_library_add(PyObject *module) {
    if (!library_type && !(library_type = (PyTypeObject *)PyType_FromSpec(&library_spec)))
        return -1;
    return PyModule_AddFunctions(module, library_functions) < 0 || PyModule_AddIntConstant(module, "_key_any", TN_KEY_ANY) < 0
               ? -1
               : PyModule_AddObjectRef(module, "_Operator", (PyObject *)library_type);
}
