/* train.c - what tenon.nn and tenon.optim need from C: new parameters, and the optimisers of tenon/train.h as objects.
 *
 * An _Optimizer knows its parameters by position, group by group; names, settings and the texts of errors are Python's matter
 * (tenon/optim). State crosses as a dictionary of copies with the names of tenon/train.h: "3.exp_avg", or "1.0.step" in group 1.
 */
#include "core.h"

typedef struct tnpy_optimizer {
    PyObject_HEAD tn_optimizer *optimizer;
} tnpy_optimizer;

static PyTypeObject *train_optimizer_type;

static tn_optimizer *train_of(PyObject *self) { return ((tnpy_optimizer *)self)->optimizer; }

/* A sequence of tensors as a set whose names are positions. NULL with an exception. */
static tn_parameters *train_read(PyObject *sequence) {
    PyObject *tuple = PySequence_Tuple(sequence);
    if (!tuple)
        return NULL;
    tn_parameters *made = tn_parameters_new();
    if (!made)
        (void)tnpy_raise();
    for (Py_ssize_t i = 0; made && i < PyTuple_Size(tuple); i++) {
        PyObject *item = PyTuple_GetItem(tuple, i);
        char name[32];
        (void)snprintf(name, sizeof name, "%lld", (long long)i);
        bool good = tnpy_is_tensor(item);
        if (!good)
            PyErr_Format(PyExc_TypeError, "parameters must be tensors, not %R", (PyObject *)Py_TYPE(item));
        else if (!tn_parameters_add(made, name, tnpy_tensor_of(item))) {
            (void)tnpy_raise();
            good = false;
        }
        if (!good) {
            tn_parameters_release(made);
            made = NULL;
        }
    }
    Py_DECREF(tuple);
    return made;
}

static PyObject *optimizer_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    (void)type;
    static char *keywords[] = {"kind", "parameters", NULL};
    const char *kind;
    PyObject *sequence;
    if (!PyArg_ParseTupleAndKeywords(args, names, "sO:_Optimizer", keywords, &kind, &sequence))
        return NULL;
    tn_parameters *parameters = train_read(sequence);
    if (!parameters)
        return NULL;
    tn_optimizer *made = tn_optimizer_new(kind, parameters);
    tn_parameters_release(parameters);
    if (!made)
        return tnpy_raise();
    tnpy_optimizer *self = PyObject_New(tnpy_optimizer, train_optimizer_type);
    if (self)
        self->optimizer = made;
    else
        tn_optimizer_release(made);
    return (PyObject *)self;
}

static void optimizer_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    tn_optimizer_release(train_of(self));
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *optimizer_add_group(PyObject *self, PyObject *sequence) {
    tn_parameters *parameters = train_read(sequence);
    if (!parameters)
        return NULL;
    int64_t group = tn_optimizer_add_group(train_of(self), parameters);
    tn_parameters_release(parameters);
    return group < 0 ? tnpy_raise() : PyLong_FromLongLong(group);
}

static PyObject *train_done(tn_error code) {
    if (code != TN_OK)
        return tnpy_raise();
    if (tnpy_warnings_after_call() < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *optimizer_set(PyObject *self, PyObject *args) {
    long long group;
    const char *setting;
    double value;
    if (!PyArg_ParseTuple(args, "Lsd:set", &group, &setting, &value))
        return NULL;
    return train_done(tn_optimizer_set_group(train_of(self), group, setting, value));
}

static PyObject *optimizer_step(PyObject *self, PyObject *ignored) {
    (void)ignored;
    tn_error code;
    Py_BEGIN_ALLOW_THREADS code = tn_optimizer_step(train_of(self));
    Py_END_ALLOW_THREADS return train_done(code);
}

/* The closure of Python gives the loss as a number. */
static tn_error train_closure(void *closure, double *loss) {
    PyGILState_STATE state = PyGILState_Ensure();
    tn_scope pause = tn_scope_pause(); /* what Python makes is Python's */
    PyObject *value = PyObject_CallNoArgs(closure);
    *loss = value ? PyFloat_AsDouble(value) : -1;
    Py_XDECREF(value);
    (void)tn_scope_close(pause);
    tn_error code = PyErr_Occurred() ? tnpy_errors_pass_on("optimizer_step", true) : TN_OK;
    PyGILState_Release(state);
    return code;
}

static PyObject *optimizer_step_closure(PyObject *self, PyObject *closure) {
    tn_error code;
    double loss;
    Py_BEGIN_ALLOW_THREADS code = tn_optimizer_step_closure(train_of(self), train_closure, closure, &loss);
    Py_END_ALLOW_THREADS return train_done(code);
}

static PyObject *optimizer_state(PyObject *self, PyObject *ignored) {
    (void)ignored;
    tn_parameters *state = tn_optimizer_state(train_of(self));
    if (!state)
        return tnpy_raise();
    PyObject *made = PyDict_New();
    for (int64_t i = 0; made && i < tn_parameters_count(state); i++) {
        PyObject *tensor = tnpy_wrap(tn_retain(tn_parameters_at(state, i)));
        if (!tensor || PyDict_SetItemString(made, tn_parameters_name(state, i), tensor) < 0)
            Py_CLEAR(made);
        Py_XDECREF(tensor);
    }
    tn_parameters_release(state);
    return made;
}

static PyObject *optimizer_set_state(PyObject *self, PyObject *given) {
    if (!PyDict_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "a state is a dictionary of tensors");
        return NULL;
    }
    tn_parameters *state = tn_parameters_new();
    if (!state)
        return tnpy_raise();
    PyObject *key, *value;
    Py_ssize_t place = 0;
    bool good = true;
    while (good && PyDict_Next(given, &place, &key, &value)) {
        const char *name = PyUnicode_Check(key) ? tnpy_text(key) : NULL;
        good = name && tnpy_is_tensor(value);
        if (!good && !PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a state is a dictionary of tensors");
        if (good && !tn_parameters_add(state, name, tnpy_tensor_of(value))) {
            (void)tnpy_raise();
            good = false;
        }
    }
    PyObject *done = good ? train_done(tn_optimizer_set_state(train_of(self), state)) : NULL;
    tn_parameters_release(state);
    return done;
}

static PyType_Slot optimizer_slots[] = {
    TNPY_SLOT(Py_tp_new, optimizer_new),
    TNPY_SLOT(Py_tp_dealloc, optimizer_dealloc),
    {Py_tp_methods,
     (PyMethodDef[]){
         {"add_group", optimizer_add_group, METH_O, NULL},
         {"set", optimizer_set, METH_VARARGS, NULL},
         {"step", optimizer_step, METH_NOARGS, NULL},
         {"step_closure", optimizer_step_closure, METH_O, NULL},
         {"state", optimizer_state, METH_NOARGS, NULL},
         {"set_state", optimizer_set_state, METH_O, NULL},
         {NULL, NULL, 0, NULL},
     }},
    {0, NULL},
};

static PyType_Spec optimizer_spec = {"tenon._Optimizer", sizeof(tnpy_optimizer), 0,
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, optimizer_slots};

/* The elements of a tensor as a new leaf of a class below Tensor. */
static PyObject *train_new_leaf(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *class, *data;
    int required;
    if (!PyArg_ParseTuple(args, "O!O!p:_new_leaf", &PyType_Type, &class, tnpy_tensor_type, &data, &required))
        return NULL;
    if (!PyType_IsSubtype((PyTypeObject *)class, tnpy_tensor_type)) {
        PyErr_SetString(PyExc_TypeError, "a leaf is a Tensor or of a class below it");
        return NULL;
    }
    tn_tensor *made = tn_detach(tnpy_tensor_of(data));
    return made ? tnpy_when_required(tnpy_wrap_as((PyTypeObject *)class, made, NULL), required) : tnpy_raise();
}

static PyMethodDef train_functions[] = {
    {"_new_leaf", train_new_leaf, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

int tnpy_train_add(PyObject *module) {
    train_optimizer_type = (PyTypeObject *)PyType_FromSpec(&optimizer_spec);
    if (!train_optimizer_type || PyModule_AddObjectRef(module, "_Optimizer", (PyObject *)train_optimizer_type) < 0)
        return -1;
    return PyModule_AddFunctions(module, train_functions);
}
