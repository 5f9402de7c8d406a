/* function.c - functions with a derivative written in Python: what tenon.autograd.Function (autograd/function.py) stands on.
 *
 * An object of a class below _FunctionBase is the context of one call, and the ctx that the library keeps with the node of its results.
 * While it is there, the object knows the node, without a reference: the node holds the object, not the other way round. After
 * the node has run for the last time, or ended, it knows none.
 */
#include "core.h"

typedef struct function_context {
    PyObject_HEAD const tn_node *node; /* that holds this object; NULL before there is one, and after it */
} function_context;

static PyTypeObject *function_type;

static int function_traverse(PyObject *self, visitproc visit, void *arg) {
    (void)arg;
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static void function_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

void tnpy_function_drop(void *ctx) {
    ((function_context *)ctx)->node = NULL;
    tnpy_callback_drop(ctx);
}

static void function_find(void *arg, void *ctx, tn_deleter deleter) {
    if (deleter == tnpy_function_drop)
        *(PyObject **)arg = ctx;
}

PyObject *tnpy_function_of(const tn_node *node) {
    PyObject *found = NULL;
    tn_node_contexts(node, function_find, &found);
    return Py_XNewRef(found);
}

/* ---- backward */

static PyObject *function_gradients(const tn_tensor *const *grads, int64_t count) {
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (int64_t i = 0; tuple && i < count; i++) {
        PyObject *item = grads[i] ? tnpy_wrap(tn_retain(grads[i])) : Py_NewRef(Py_None);
        if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* What _run gave: a tuple with a tensor or None for each input. -1 with an exception. */
static int function_take(PyObject *result, tn_tensor **results, int64_t count) {
    if (!PyTuple_Check(result) || PyTuple_Size(result) != count) {
        PyErr_Format(PyExc_RuntimeError, "a derivative must give %lld gradients, not %R", (long long)count, result);
        return -1;
    }
    for (int64_t i = 0; i < count; i++) {
        PyObject *item = PyTuple_GetItem(result, (Py_ssize_t)i);
        if (tnpy_is_tensor(item))
            results[i] = tn_retain(tnpy_tensor_of(item));
        else if (item != Py_None) {
            PyErr_Format(PyExc_TypeError, "a gradient must be a tensor or None, not %R", (PyObject *)Py_TYPE(item));
            return -1;
        }
    }
    return 0;
}

static tn_error function_backward(void *ctx, const tn_node *node, const tn_tensor *const *grads, int64_t grad_count,
                                  tn_tensor **results, int64_t input_count) {
    tnpy_callback callback;
    if (!tnpy_callback_begin(&callback))
        return tnpy_callback_refused(tn_node_name(node));
    bool awaited = PyEval_GetFrame() != NULL;
    PyObject *self = Py_NewRef((PyObject *)ctx);
    PyObject *given = function_gradients(grads, grad_count), *method = given ? PyObject_GetAttrString(self, "_run") : NULL;
    PyObject *result = method ? PyObject_CallFunctionObjArgs(method, given, NULL) : NULL;
    if (result && function_take(result, results, input_count) < 0)
        Py_CLEAR(result);
    tn_error code = result ? TN_OK : tnpy_errors_pass_on(tn_node_name(node), awaited);
    Py_XDECREF(result);
    Py_XDECREF(method);
    Py_XDECREF(given);
    Py_DECREF(self);
    tnpy_callback_end(&callback);
    for (int64_t i = 0; i < input_count; i++)
        if (results[i] && code != TN_OK) {
            tn_release(results[i]);
            results[i] = NULL;
        } else if (results[i] && !(results[i] = tn_give(results[i])))
            code = tn_error_code();
    return code;
}

/* ---- recording */

static const tn_tensor **function_list(PyObject *tuple, const char *name) {
    if (!PyTuple_Check(tuple)) {
        PyErr_Format(PyExc_TypeError, "%s must be a tuple of tensors", name);
        return NULL;
    }
    Py_ssize_t count = PyTuple_Size(tuple);
    const tn_tensor **list = PyMem_Calloc((size_t)count + 1, sizeof *list);
    if (!list) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyTuple_GetItem(tuple, i);
        if (!tnpy_is_tensor(item)) {
            PyErr_Format(PyExc_TypeError, "%s must be tensors, not %R", name, (PyObject *)Py_TYPE(item));
            PyMem_Free(list);
            return NULL;
        }
        list[i] = tnpy_tensor_of(item);
    }
    return list;
}

/* The node that the outputs have from now on, where they have one; the garbage collector looks at them. */
static void function_settle(PyObject *self, PyObject *outputs) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(outputs); i++) {
        PyObject *output = PyTuple_GetItem(outputs, i);
        tn_node *node = tn_tensor_node(tnpy_tensor_of(output));
        PyObject *found = node ? tnpy_function_of(node) : NULL;
        if (found == self) {
            ((function_context *)self)->node = node;
            tnpy_track(output);
        }
        Py_XDECREF(found);
        tn_node_release(node);
    }
}

/* _record(name, inputs, outputs, saved, missing_is_none): the outputs are results of this call from now on. */
static PyObject *function_record(PyObject *self, PyObject *args) {
    const char *name;
    PyObject *inputs, *outputs, *saved;
    int missing_is_none;
    if (!PyArg_ParseTuple(args, "sOOOp:_record", &name, &inputs, &outputs, &saved, &missing_is_none))
        return NULL;
    const tn_tensor **in = function_list(inputs, "inputs"), **out = in ? function_list(outputs, "outputs") : NULL,
                    **kept = out ? function_list(saved, "saved") : NULL;
    PyObject *done = NULL;
    if (kept) {
        tn_function function = {sizeof function, name, function_backward, Py_NewRef(self), tnpy_function_drop,
                                missing_is_none, false};
        if (tn_record(&function, in, PyTuple_Size(inputs), (tn_tensor *const *)(uintptr_t)out, PyTuple_Size(outputs), kept,
                      PyTuple_Size(saved)) == TN_OK) {
            function_settle(self, outputs);
            done = Py_NewRef(Py_None);
        } else {
            Py_DECREF(self);
            (void)tnpy_raise();
        }
    }
    PyMem_Free(in);
    PyMem_Free(out);
    PyMem_Free(kept);
    return done;
}

/* ---- what the derivative asks */

static const tn_node *function_node(PyObject *self) {
    const tn_node *node = ((function_context *)self)->node;
    if (!node)
        PyErr_SetString(PyExc_RuntimeError,
                        "what this function saved was given back: it was run without retain_graph, or its result is gone");
    return node;
}

static PyObject *function_saved(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const tn_node *node = function_node(self);
    int64_t count = node ? tn_node_saved_count(node) : 0;
    PyObject *tuple = node ? PyTuple_New((Py_ssize_t)count) : NULL;
    for (int64_t i = 0; tuple && i < count; i++) {
        PyObject *item = tnpy_wrap(tn_node_saved(node, i));
        if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *function_get_node(PyObject *self, void *ignored) {
    (void)ignored;
    return tnpy_node_object(tn_node_retain(((function_context *)self)->node));
}

static PyType_Slot function_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, function_dealloc),
    TNPY_SLOT(Py_tp_traverse, function_traverse),
    {Py_tp_methods, (PyMethodDef[]){{"_record", function_record, METH_VARARGS, NULL},
                                    {"_saved", function_saved, METH_NOARGS, NULL},
                                    {NULL, NULL, 0, NULL}}},
    {Py_tp_getset, (PyGetSetDef[]){{"_node", function_get_node, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}}},
    {0, NULL},
};

static PyType_Spec function_spec = {"tenon._core._FunctionBase", sizeof(function_context), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, function_slots};

int tnpy_function_add(PyObject *module) {
    function_type = (PyTypeObject *)PyType_FromSpec(&function_spec);
    return function_type ? PyModule_AddObjectRef(module, "_FunctionBase", (PyObject *)function_type) : -1;
}
