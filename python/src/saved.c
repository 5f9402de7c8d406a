/* saved.c - functions of Python that kept tensors go through: what tenon.autograd.graph.saved_tensors_hooks stands on.
 *
 * The library holds the pair of functions as a tuple, and what pack returned as an object, until backward has no more use for it.
 */
#include "core.h"

/* pack(tensor), or unpack(packed), as an object of Python: a new reference, or NULL with an exception. */
static PyObject *saved_call(void *ctx, Py_ssize_t which, PyObject *argument) {
    return argument ? PyObject_CallFunctionObjArgs(PyTuple_GetItem(ctx, which), argument, NULL) : NULL;
}

static tn_error saved_pack(void *ctx, const tn_tensor *tensor, void **packed) {
    tnpy_callback callback;
    if (!tnpy_callback_begin(&callback))
        return tnpy_callback_refused("pack");
    bool awaited = PyEval_GetFrame() != NULL;
    PyObject *given = tnpy_wrap(tn_retain(tensor));
    *packed = saved_call(ctx, 0, given);
    tn_error code = *packed ? TN_OK : tnpy_errors_pass_on("pack", awaited);
    Py_XDECREF(given);
    tnpy_callback_end(&callback);
    return code;
}

static tn_tensor *saved_unpack(void *ctx, void *packed) {
    tnpy_callback callback;
    if (!tnpy_callback_begin(&callback)) {
        (void)tnpy_callback_refused("unpack");
        return NULL;
    }
    bool awaited = PyEval_GetFrame() != NULL;
    PyObject *made = saved_call(ctx, 1, packed);
    tn_tensor *tensor = NULL;
    if (made && !tnpy_is_tensor(made)) {
        PyErr_Format(PyExc_TypeError, "unpack must return a tensor, not %R", (PyObject *)Py_TYPE(made));
        Py_CLEAR(made);
    }
    if (made)
        tensor = tn_retain(tnpy_tensor_of(made));
    else
        (void)tnpy_errors_pass_on("unpack", awaited);
    Py_XDECREF(made);
    tnpy_callback_end(&callback);
    return tensor ? tn_give(tensor) : NULL;
}

static void saved_drop(void *ctx, void *packed) {
    (void)ctx;
    tnpy_callback_drop(packed);
}

static PyObject *saved_push(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *pack, *unpack;
    if (!PyArg_ParseTuple(args, "OO:_push_saved_hooks", &pack, &unpack))
        return NULL;
    if (!PyCallable_Check(pack) || !PyCallable_Check(unpack)) {
        PyErr_SetString(PyExc_TypeError, "saved_tensors_hooks takes two functions");
        return NULL;
    }
    PyObject *pair = PyTuple_Pack(2, pack, unpack);
    if (!pair)
        return NULL;
    tn_saved_hooks hooks = {sizeof hooks, saved_pack, saved_unpack, saved_drop, pair, tnpy_callback_drop};
    if (tn_saved_hooks_push(&hooks) == TN_OK)
        Py_RETURN_NONE;
    Py_DECREF(pair);
    return tnpy_raise();
}

static PyObject *saved_pop(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    if (tn_saved_hooks_pop() != TN_OK)
        return tnpy_raise();
    Py_RETURN_NONE;
}

PyMethodDef tnpy_saved_functions[] = {
    {"_push_saved_hooks", saved_push, METH_VARARGS, NULL},
    {"_pop_saved_hooks", saved_pop, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
