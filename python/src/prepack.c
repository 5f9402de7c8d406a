/* prepack.c - Prepacked: a weight that is packed once, for many products with it (tenon/prepack.h). */
#include "core.h"

static PyTypeObject *prepacked_type;

typedef struct tnpy_prepacked {
    PyObject_HEAD tn_prepacked *packed;
    PyObject *weight; /* the tensor it was made of */
} tnpy_prepacked;

static tn_prepacked *prepacked_of(PyObject *self) { return ((tnpy_prepacked *)self)->packed; }

static void prepacked_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    tn_prepacked_release(prepacked_of(self));
    Py_DECREF(((tnpy_prepacked *)self)->weight);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* A tensor, or NULL for None where that is allowed; false with an exception. */
static bool prepacked_tensor(PyObject *object, const char *name, bool optional, const tn_tensor **tensor) {
    *tensor = NULL;
    if (optional && object == Py_None)
        return true;
    if (tnpy_is_tensor(object)) {
        *tensor = tnpy_tensor_of(object);
        return true;
    }
    PyErr_Format(PyExc_TypeError, "%s must be a Tensor%s, not %R", name, optional ? " or None" : "",
                 (PyObject *)Py_TYPE(object));
    return false;
}

static PyObject *prepacked_result(tn_tensor *made) {
    PyObject *object = tnpy_wrap(made);
    if (TNPY_UNLIKELY(tnpy_warnings_after_call() < 0))
        Py_CLEAR(object);
    return object;
}

static PyObject *prepacked_linear(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"input", "bias", "activation", "residual", "scale", NULL};
    PyObject *objects[4] = {NULL, Py_None, Py_None, NULL};
    const char *activation = "none";
    const tn_tensor *input, *bias, *residual;
    tn_scalar scale = tn_scalar_int(1);
    if (!PyArg_ParseTupleAndKeywords(args, names, "O|O$sOO:linear", keywords, &objects[0], &objects[1], &activation,
                                     &objects[2], &objects[3]) ||
        !prepacked_tensor(objects[0], "input", false, &input) || !prepacked_tensor(objects[1], "bias", true, &bias) ||
        !prepacked_tensor(objects[2], "residual", true, &residual))
        return NULL;
    int fits = objects[3] ? tnpy_to_scalar(objects[3], &scale) : 1;
    if (fits <= 0) {
        if (fits == 0)
            PyErr_Format(PyExc_TypeError, "scale must be a number, not %R", (PyObject *)Py_TYPE(objects[3]));
        return NULL;
    }
    tn_tensor *made;
    Py_BEGIN_ALLOW_THREADS made = tn_linear_prepacked(input, prepacked_of(self), bias, activation, residual, scale);
    Py_END_ALLOW_THREADS return prepacked_result(made);
}

static PyObject *prepacked_matmul(PyObject *self, PyObject *object) {
    const tn_tensor *input;
    if (!prepacked_tensor(object, "input", false, &input))
        return NULL;
    tn_tensor *made;
    Py_BEGIN_ALLOW_THREADS made = tn_matmul_prepacked(input, prepacked_of(self));
    Py_END_ALLOW_THREADS return prepacked_result(made);
}

static PyObject *prepacked_weight(PyObject *self, void *ignored) {
    (void)ignored;
    return Py_NewRef(((tnpy_prepacked *)self)->weight);
}

static PyObject *prepacked_nbytes(PyObject *self, void *ignored) {
    (void)ignored;
    return PyLong_FromSize_t(tn_prepacked_nbytes(prepacked_of(self)));
}

static PyObject *prepacked_is_current(PyObject *self, void *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_prepacked_is_current(prepacked_of(self)));
}

static PyType_Slot prepacked_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, prepacked_dealloc),
    {Py_tp_doc, (void *)(uintptr_t) "A weight that was packed once, for many products with it: made by prepack."},
    {Py_tp_getset,
     (PyGetSetDef[]){
         {"weight", prepacked_weight, NULL, "The tensor that was packed.", NULL},
         {"nbytes", prepacked_nbytes, NULL, "Bytes of what was packed.", NULL},
         {"is_current", prepacked_is_current, NULL, "Whether nobody has written the weight since.", NULL},
         {NULL, NULL, NULL, NULL, NULL},
     }},
    {Py_tp_methods,
     (PyMethodDef[]){
         {"linear", TNPY_FUNCTION(prepacked_linear), METH_VARARGS | METH_KEYWORDS,
          "linear($self, input, bias=None, *, activation='none', residual=None, scale=1)\n--\n\nscale * activation(input times the "
          "transpose of the weight + bias) + residual, with the bits of nn.functional.linear."},
         {"matmul", prepacked_matmul, METH_O,
          "matmul($self, input, /)\n--\n\ninput times the weight, which was packed with use='matmul'."},
         {NULL, NULL, 0, NULL},
     }},
    {0, NULL},
};

static PyType_Spec prepacked_spec = {"tenon.Prepacked", sizeof(tnpy_prepacked), 0,
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                     prepacked_slots};

static PyObject *prepack(PyObject *module, PyObject *args, PyObject *names) {
    (void)module;
    static char *keywords[] = {"weight", "use", NULL};
    PyObject *object;
    const char *use = "linear";
    const tn_tensor *weight;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O|s:prepack", keywords, &object, &use) ||
        !prepacked_tensor(object, "weight", false, &weight))
        return NULL;
    bool matmul = strcmp(use, "matmul") == 0;
    if (!matmul && strcmp(use, "linear") != 0) {
        PyErr_Format(PyExc_ValueError, "use must be 'linear' or 'matmul', not '%s'", use);
        return NULL;
    }
    tn_prepacked *packed;
    Py_BEGIN_ALLOW_THREADS packed = tn_prepack(weight, matmul ? TN_PREPACK_MATMUL : TN_PREPACK_LINEAR);
    Py_END_ALLOW_THREADS if (!packed) return tnpy_raise();
    tnpy_prepacked *made = PyObject_New(tnpy_prepacked, prepacked_type);
    if (!made) {
        tn_prepacked_release(packed);
        return NULL;
    }
    made->packed = packed;
    made->weight = Py_NewRef(object);
    return (PyObject *)made;
}

static PyMethodDef prepack_functions[] = {
    {"prepack", TNPY_FUNCTION(prepack), METH_VARARGS | METH_KEYWORDS,
     "prepack(weight, use='linear')\n--\n\nPacks a matrix once, for many products with it: packed.linear(input, bias), or with "
     "use='matmul' packed.matmul(input). Used after the weight was written it raises."},
    {NULL, NULL, 0, NULL},
};

int tnpy_prepack_add(PyObject *module) {
    prepacked_type = (PyTypeObject *)PyType_FromSpec(&prepacked_spec);
    return prepacked_type && PyModule_AddObjectRef(module, "Prepacked", (PyObject *)prepacked_type) == 0
               ? PyModule_AddFunctions(module, prepack_functions)
               : -1;
}
