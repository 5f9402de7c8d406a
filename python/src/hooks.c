/* hooks.c - functions of Python that backward calls: hooks of tensors and of nodes.
 *
 * The library holds a context for each hook: an object with the function, and the tensor it was registered for (weakly, so that the
 * hook sees the program's own object while there is one). The garbage collector reaches the context through the tensor (tensor.c) and
 * breaks a cycle there; a hook that was broken so does nothing.
 *
 * A hook runs on the thread that called backward, with the interpreter's lock. Its exception stops backward and is raised there
 * as it was.
 */
#include "core.h"

typedef struct hooks_context {
    PyObject_HEAD PyObject *function, *about; /* about: a weak reference, or NULL */
} hooks_context;

typedef struct hooks_handle {
    PyObject_HEAD tn_hook *hook;
    long long number;
} hooks_handle;

static PyTypeObject *hooks_context_type, *hooks_handle_type;

/* ---- contexts */

static int context_traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((hooks_context *)self)->function);
    return 0;
}

static int context_clear(PyObject *self) {
    Py_CLEAR(((hooks_context *)self)->function);
    Py_CLEAR(((hooks_context *)self)->about);
    return 0;
}

static void context_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    (void)context_clear(self);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyType_Slot context_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, context_dealloc),
    TNPY_SLOT(Py_tp_traverse, context_traverse),
    TNPY_SLOT(Py_tp_clear, context_clear),
    {0, NULL},
};

static PyType_Spec context_spec = {"tenon._core._HookContext", sizeof(hooks_context), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, context_slots};

static void context_drop(void *ctx) { tnpy_callback_drop(ctx); }

bool tnpy_is_context(tn_deleter deleter) { return deleter == context_drop || deleter == tnpy_function_drop; }

static PyObject *context_new(PyObject *function, PyObject *about) {
    if (!PyCallable_Check(function)) {
        PyErr_Format(PyExc_TypeError, "a hook is a function, not %R", (PyObject *)Py_TYPE(function));
        return NULL;
    }
    hooks_context *made = PyObject_GC_New(hooks_context, hooks_context_type);
    if (!made)
        return NULL;
    made->function = Py_NewRef(function);
    made->about = about ? PyWeakref_NewRef(about, NULL) : NULL;
    PyObject_GC_Track((PyObject *)made);
    if (about && !made->about)
        Py_CLEAR(made);
    return (PyObject *)made;
}

/* The program's own object for a tensor, or another. */
static PyObject *context_tensor(const hooks_context *context, tn_tensor *tensor) {
    PyObject *own = context->about ? PyWeakref_GetObject(context->about) : NULL;
    return own && own != Py_None && tnpy_tensor_of(own) == tensor ? Py_NewRef(own) : tnpy_wrap(tn_retain(tensor));
}

/* ---- handles */

static void handle_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    tn_hook_release(((hooks_handle *)self)->hook);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *handle_remove(PyObject *self, PyObject *ignored) {
    (void)ignored;
    tn_hook_remove(((hooks_handle *)self)->hook);
    Py_RETURN_NONE;
}

static PyObject *handle_enter(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return Py_NewRef(self);
}

static PyMethodDef handle_methods[] = {
    {"remove", handle_remove, METH_NOARGS, "remove($self)\n--\n\nThe hook is not called again."},
    {"__enter__", handle_enter, METH_NOARGS, NULL},
    {"__exit__", handle_remove, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef handle_members[] = {
    {"id", T_LONGLONG, offsetof(hooks_handle, number), READONLY, "Its number."},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot handle_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, handle_dealloc),
    {Py_tp_doc, (void *)(uintptr_t) "What removes a hook again; a context that removes it at its end."},
    {Py_tp_methods, handle_methods},
    {Py_tp_members, handle_members},
    {0, NULL},
};

static PyType_Spec handle_spec = {"tenon.utils.hooks.HookHandle", sizeof(hooks_handle), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, handle_slots};

/* The handle of a hook, which is taken, as is the context where the library has not got it. */
static PyObject *handle_new(tn_hook *hook, PyObject *context) {
    static long long numbers;
    if (!hook) {
        Py_DECREF(context);
        return tnpy_raise();
    }
    hooks_handle *made = PyObject_New(hooks_handle, hooks_handle_type);
    if (made) {
        made->hook = hook;
        made->number = numbers++;
    } else {
        tn_hook_remove(hook);
        tn_hook_release(hook);
    }
    return (PyObject *)made;
}

/* ---- hooks of tensors */

/* A function of one tensor, called with it. NULL with an exception; None where the function is gone. */
static PyObject *hooks_call(const hooks_context *context, PyObject *argument) {
    PyObject *function = context->function, *result = NULL;
    if (argument && function) {
        Py_INCREF(function); /* it may remove itself */
        result = PyObject_CallFunctionObjArgs(function, argument, NULL);
        Py_DECREF(function);
    } else if (argument)
        result = Py_NewRef(Py_None);
    return result;
}

static tn_error hooks_see_gradient(void *ctx, const tn_tensor *grad, tn_tensor **replacement) {
    tnpy_callback callback;
    if (!tnpy_callback_begin(&callback))
        return tnpy_callback_refused("hook");
    bool awaited = PyEval_GetFrame() != NULL;
    PyObject *given = tnpy_wrap(tn_retain(grad)), *result = hooks_call(ctx, given);
    tn_tensor *made = NULL;
    tn_error code = TN_OK;
    if (result && result != Py_None && !tnpy_is_tensor(result)) {
        PyErr_Format(PyExc_TypeError, "a hook must return a tensor or None, not %R", (PyObject *)Py_TYPE(result));
        Py_CLEAR(result);
    }
    if (!result)
        code = tnpy_errors_pass_on("hook", awaited);
    else if (result != Py_None)
        made = tn_retain(tnpy_tensor_of(result));
    Py_XDECREF(result);
    Py_XDECREF(given);
    tnpy_callback_end(&callback);
    if (made && !(*replacement = tn_give(made)))
        code = tn_error_code();
    return code;
}

static tn_error hooks_see_accumulated(void *ctx, tn_tensor *tensor) {
    tnpy_callback callback;
    if (!tnpy_callback_begin(&callback))
        return tnpy_callback_refused("hook");
    bool awaited = PyEval_GetFrame() != NULL;
    PyObject *given = context_tensor(ctx, tensor), *result = hooks_call(ctx, given);
    if (result && result != Py_None) {
        PyErr_Format(PyExc_RuntimeError, "a hook after a gradient was added to must return None, not %R",
                     (PyObject *)Py_TYPE(result));
        Py_CLEAR(result);
    }
    tn_error code = result ? TN_OK : tnpy_errors_pass_on("hook", awaited);
    Py_XDECREF(result);
    Py_XDECREF(given);
    tnpy_callback_end(&callback);
    return code;
}

PyObject *tnpy_register_hook(PyObject *self, PyObject *function) {
    PyObject *context = context_new(function, NULL);
    if (!context)
        return NULL;
    tnpy_track(self);
    return handle_new(tn_hook_gradient(tnpy_tensor_of(self), hooks_see_gradient, context, context_drop), context);
}

PyObject *tnpy_register_accumulated(PyObject *self, PyObject *function) {
    PyObject *context = context_new(function, self);
    if (!context)
        return NULL;
    tnpy_track(self);
    return handle_new(tn_hook_accumulated(tnpy_tensor_of(self), hooks_see_accumulated, context, context_drop), context);
}

/* ---- hooks of nodes */

static PyObject *hooks_tuple(const tn_tensor *const *tensors, int64_t count) {
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (int64_t i = 0; tuple && i < count; i++) {
        PyObject *item = tensors[i] ? tnpy_wrap(tn_retain(tensors[i])) : Py_NewRef(Py_None);
        if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* What a hook returned in the place of `count` gradients: None, a tuple, or the only one. -1 with an exception. */
static int hooks_replace(PyObject *result, tn_tensor **made, int64_t count) {
    if (result == Py_None)
        return 0;
    bool tuple = PyTuple_Check(result) || PyList_Check(result);
    if (!(tuple ? PySequence_Size(result) == count : count == 1)) {
        PyErr_Format(PyExc_RuntimeError, "a hook must return None or a tuple of %lld gradients, not %R", (long long)count,
                     result);
        return -1;
    }
    for (int64_t i = 0; i < count; i++) {
        PyObject *item = tuple ? PySequence_GetItem(result, (Py_ssize_t)i) : Py_NewRef(result);
        if (item && tnpy_is_tensor(item))
            made[i] = tn_retain(tnpy_tensor_of(item));
        else if (item && item != Py_None)
            PyErr_Format(PyExc_TypeError, "a hook must return tensors or None, not %R", (PyObject *)Py_TYPE(item));
        Py_XDECREF(item);
        if (PyErr_Occurred())
            return -1;
    }
    return 0;
}

static tn_error hooks_see_node(const hooks_context *context, tn_tensor **grads, int64_t count, const tn_tensor *const *given,
                               int64_t given_count, bool after) {
    tnpy_callback callback;
    tn_tensor **made = calloc((size_t)count + 1, sizeof *made);
    if (!made)
        return tn_error_raise(TN_ERROR_MEMORY, "hook", "there is no memory for its result");
    if (!tnpy_callback_begin(&callback)) {
        free(made);
        return tnpy_callback_refused("hook");
    }
    bool awaited = PyEval_GetFrame() != NULL;
    PyObject *first = hooks_tuple((const tn_tensor *const *)grads, count),
             *second = after ? hooks_tuple(given, given_count) : NULL;
    PyObject *function = Py_XNewRef(context->function), *result = NULL;
    if (first && (second || !after))
        result = function ? PyObject_CallFunctionObjArgs(function, first, second, NULL) : Py_NewRef(Py_None);
    if (result && hooks_replace(result, made, count) < 0)
        Py_CLEAR(result);
    tn_error code = result ? TN_OK : tnpy_errors_pass_on("hook", awaited);
    Py_XDECREF(function);
    Py_XDECREF(result);
    Py_XDECREF(first);
    Py_XDECREF(second);
    tnpy_callback_end(&callback);
    for (int64_t i = 0; i < count; i++)
        if (made[i] && code == TN_OK) {
            if (!(grads[i] = tn_give(made[i])))
                code = tn_error_code();
        } else
            tn_release(made[i]);
    free(made);
    return code;
}

static tn_error hooks_see_before(void *ctx, tn_node *node, tn_tensor **grads, int64_t count, const tn_tensor *const *given,
                                 int64_t given_count) {
    (void)node;
    return hooks_see_node(ctx, grads, count, given, given_count, false);
}

static tn_error hooks_see_after(void *ctx, tn_node *node, tn_tensor **grads, int64_t count, const tn_tensor *const *given,
                                int64_t given_count) {
    (void)node;
    return hooks_see_node(ctx, grads, count, given, given_count, true);
}

PyObject *tnpy_register_before(PyObject *node, PyObject *function) {
    PyObject *context = context_new(function, NULL);
    return context ? handle_new(tn_hook_before(tnpy_node_of(node), hooks_see_before, context, context_drop), context) : NULL;
}

PyObject *tnpy_register_after(PyObject *node, PyObject *function) {
    PyObject *context = context_new(function, NULL);
    return context ? handle_new(tn_hook_after(tnpy_node_of(node), hooks_see_after, context, context_drop), context) : NULL;
}

int tnpy_hooks_add(PyObject *module) {
    hooks_context_type = (PyTypeObject *)PyType_FromSpec(&context_spec);
    hooks_handle_type = (PyTypeObject *)PyType_FromSpec(&handle_spec);
    if (!hooks_context_type || !hooks_handle_type)
        return -1;
    return PyModule_AddObjectRef(module, "_HookHandle", (PyObject *)hooks_handle_type);
}
