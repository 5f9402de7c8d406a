/* autograd.c - gradients: the attributes and methods of tensors that have to do with them, the functions that tenon.autograd is made
 * of, and nodes of the graph as objects.
 *
 * The library keeps everything: what a tensor's gradient is, whether it wants one, what made it. An object here is only a way to
 * look; while there is one for a gradient or a node, it is the one that is seen (tnpy_known).
 */
#include "core.h"

/* ---- attributes of tensors */

PyObject *tnpy_is_inference(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_is_inference(tnpy_tensor_of(self)));
}

PyObject *tnpy_get_requires_grad(PyObject *self, void *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_requires_grad(tnpy_tensor_of(self)));
}

int tnpy_set_requires_grad(PyObject *self, PyObject *value, void *ignored) {
    (void)ignored;
    if (!value) {
        PyErr_SetString(PyExc_RuntimeError, "requires_grad cannot be deleted");
        return -1;
    }
    if (!tn_is_leaf(tnpy_tensor_of(self))) {
        PyErr_SetString(PyExc_RuntimeError,
                        "requires_grad can be set only for leaves, and this tensor was computed; use detach()");
        return -1;
    }
    if (!PyBool_Check(value)) {
        PyErr_Format(PyExc_RuntimeError, "requires_grad must be True or False, not %R", value);
        return -1;
    }
    if (tn_requires_grad_(tnpy_tensor_of(self), value == Py_True))
        return 0;
    (void)tnpy_raise();
    return -1;
}

/* From now on this object is the one that is seen for its tensor, unless there is another. */
static PyObject *autograd_known(PyObject *object) {
    tnpy_tensor *tensor = (tnpy_tensor *)object;
    PyObject *found = tensor ? tnpy_known_find(&tnpy_known_tensors, tensor->tensor) : NULL;
    if (tensor && !found)
        tensor->known = tnpy_known_put(&tnpy_known_tensors, tensor->tensor, object);
    Py_XDECREF(found);
    return object;
}

PyObject *tnpy_get_grad(PyObject *self, void *ignored) {
    (void)ignored;
    tn_tensor *grad = tn_tensor_grad(tnpy_tensor_of(self));
    if (!grad)
        Py_RETURN_NONE;
    PyObject *found = tnpy_known_find(&tnpy_known_tensors, grad);
    if (found) {
        tn_release(grad);
        return found;
    }
    return autograd_known(tnpy_wrap(grad));
}

int tnpy_set_grad(PyObject *self, PyObject *value, void *ignored) {
    (void)ignored;
    if (value && value != Py_None && !tnpy_is_tensor(value)) {
        PyErr_Format(PyExc_TypeError, "grad must be a tensor or None, not %R", (PyObject *)Py_TYPE(value));
        return -1;
    }
    if (value == self) {
        PyErr_SetString(PyExc_RuntimeError, "a tensor cannot be its own gradient");
        return -1;
    }
    if (tn_tensor_set_grad(tnpy_tensor_of(self), value && value != Py_None ? tnpy_tensor_of(value) : NULL) == TN_OK) {
        if (value && value != Py_None)
            (void)autograd_known(value);
        return 0;
    }
    (void)tnpy_raise();
    return -1;
}

PyObject *tnpy_get_is_leaf(PyObject *self, void *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_is_leaf(tnpy_tensor_of(self)));
}

PyObject *tnpy_get_retains_grad(PyObject *self, void *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_retains_grad(tnpy_tensor_of(self)));
}

PyObject *tnpy_get_output_nr(PyObject *self, void *ignored) {
    (void)ignored;
    return PyLong_FromLongLong(tn_tensor_node_output(tnpy_tensor_of(self)));
}

/* ---- nodes */

typedef struct tnpy_node {
    PyObject_HEAD tn_node *node;
    bool known;
} tnpy_node;

static tnpy_known autograd_nodes;

static PyTypeObject *autograd_node_type;

static void node_dealloc(PyObject *self);

/* The class of nodes of one name, which is the name that programs read of their type. It lives as long as the process. Borrowed; NULL
 * with an exception. */
static PyTypeObject *autograd_node_class(const char *name) {
    static PyObject *classes; /* name: class */
    static const char place[] = "tenon.autograd.graph.";
    if (!classes && !(classes = PyDict_New()))
        return NULL;
    PyObject *key = PyUnicode_FromString(name), *found = key ? PyDict_GetItemWithError(classes, key) : NULL;
    if (key && !found && !PyErr_Occurred()) {
        PyType_Slot slots[] = {TNPY_SLOT(Py_tp_dealloc, node_dealloc), {0, NULL}};
        size_t room = sizeof place + strlen(name);
        char *full = PyMem_Malloc(room); /* older interpreters keep the pointer */
        PyType_Spec spec = {full, sizeof(tnpy_node), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, slots};
        if (full)
            (void)snprintf(full, room, "%s%s", place, name);
        else
            PyErr_NoMemory();
        PyObject *made = full ? PyType_FromSpecWithBases(&spec, (PyObject *)autograd_node_type) : NULL;
        found = made && PyDict_SetItem(classes, key, made) == 0 ? made : NULL;
        if (!found)
            PyMem_Free(full);
        Py_XDECREF(made); /* the dictionary has it */
    }
    Py_XDECREF(key);
    return (PyTypeObject *)found;
}

PyObject *tnpy_node_object(tn_node *node) {
    if (!node)
        Py_RETURN_NONE;
    PyObject *found = tnpy_known_find(&autograd_nodes, node);
    PyTypeObject *type = found ? NULL : autograd_node_class(tn_node_name(node));
    tnpy_node *made = type ? PyObject_New(tnpy_node, type) : NULL;
    if (!made) {
        tn_node_release(node);
        return found;
    }
    made->node = node;
    made->known = tnpy_known_put(&autograd_nodes, node, (PyObject *)made);
    return (PyObject *)made;
}

tn_node *tnpy_node_of(PyObject *self) { return ((tnpy_node *)self)->node; }

bool tnpy_is_node(PyObject *object) { return PyObject_TypeCheck(object, autograd_node_type); }

static void node_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (((tnpy_node *)self)->known)
        tnpy_known_drop(&autograd_nodes, tnpy_node_of(self), self);
    tn_node_release(tnpy_node_of(self));
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *node_repr(PyObject *self) {
    return PyUnicode_FromFormat("<%s object at %p>", tn_node_name(tnpy_node_of(self)), (void *)self);
}

static PyObject *node_name(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyUnicode_FromString(tn_node_name(tnpy_node_of(self)));
}

/* Where there was no memory to find an object again there may be two for one node: they are equal. */
static PyObject *node_compare(PyObject *a, PyObject *b, int how) {
    if (!tnpy_is_node(b) || (how != Py_EQ && how != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong((tnpy_node_of(a) == tnpy_node_of(b)) == (how == Py_EQ));
}

static Py_hash_t node_hash(PyObject *self) {
    Py_hash_t address = (Py_hash_t)(uintptr_t)tnpy_node_of(self);
    return address == -1 ? -2 : address;
}

static PyObject *node_next_functions(PyObject *self, void *ignored) {
    (void)ignored;
    int64_t count = tn_node_input_count(tnpy_node_of(self));
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (int64_t i = 0; tuple && i < count; i++) {
        int64_t output = 0;
        PyObject *node = tnpy_node_object(tn_node_input(tnpy_node_of(self), i, &output));
        PyObject *pair = node ? Py_BuildValue("(NL)", node, (long long)output) : NULL;
        if (!pair || PyTuple_SetItem(tuple, (Py_ssize_t)i, pair) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* What the ctx of a function in Python has, its node has too. */
static PyObject *node_attribute(PyObject *self, PyObject *name) {
    PyObject *found = PyObject_GenericGetAttr(self, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyObject *function = tnpy_function_of(tnpy_node_of(self));
    if (function) {
        PyErr_Clear();
        found = PyObject_GetAttr(function, name);
        Py_DECREF(function);
    }
    return found;
}

/* ---- what programs note at a node: a dictionary, which hangs there as a hook that does nothing */

static tn_error node_do_nothing(void *ctx, tn_node *node, tn_tensor **grads, int64_t count, const tn_tensor *const *given,
                                int64_t given_count) {
    (void)ctx, (void)node, (void)grads, (void)count, (void)given, (void)given_count;
    return TN_OK;
}

static void node_drop_notes(void *ctx) { tnpy_callback_drop(ctx); }

static void node_find_notes(void *arg, void *ctx, tn_deleter deleter) {
    if (deleter == node_drop_notes)
        *(PyObject **)arg = ctx;
}

static PyObject *node_metadata(PyObject *self, void *ignored) {
    (void)ignored;
    PyObject *notes = NULL;
    tn_node_contexts(tnpy_node_of(self), node_find_notes, &notes);
    if (notes)
        return Py_NewRef(notes);
    if (!(notes = PyDict_New()))
        return NULL;
    tn_hook *hook = tn_hook_before(tnpy_node_of(self), node_do_nothing, notes, node_drop_notes);
    if (!hook) {
        Py_DECREF(notes);
        return tnpy_raise();
    }
    tn_hook_release(hook);
    return Py_NewRef(notes);
}

static PyType_Slot node_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, node_dealloc),
    TNPY_SLOT(Py_tp_repr, node_repr),
    TNPY_SLOT(Py_tp_richcompare, node_compare),
    TNPY_SLOT(Py_tp_hash, node_hash),
    TNPY_SLOT(Py_tp_getattro, node_attribute),
    {Py_tp_doc, (void *)(uintptr_t) "A call that was recorded: what made a tensor, and from what."},
    {Py_tp_methods,
     (PyMethodDef[]){{"name", node_name, METH_NOARGS, "name($self)\n--\n\nThe name of the derivative."},
                     {"register_hook", tnpy_register_after, METH_O,
                      "register_hook($self, fn, /)\n--\n\nfn(grad_inputs, grad_outputs) is called after the node has "
                      "run, and may return other gradients of the inputs."},
                     {"register_prehook", tnpy_register_before, METH_O,
                      "register_prehook($self, fn, /)\n--\n\nfn(grad_outputs) is called before the node runs, and may "
                      "return other gradients."},
                     {NULL, NULL, 0, NULL}}},
    {Py_tp_getset, (PyGetSetDef[]){{"next_functions", node_next_functions, NULL,
                                    "The nodes that made the inputs, each with the number of its result.", NULL},
                                   {"metadata", node_metadata, NULL, "A dictionary for what the program wants to note.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}}},
    {0, NULL},
};

static PyType_Spec node_spec = {
    "tenon.autograd.graph.Node", sizeof(tnpy_node), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, node_slots};

PyObject *tnpy_get_grad_fn(PyObject *self, void *ignored) {
    (void)ignored;
    return tnpy_node_object(tn_tensor_node(tnpy_tensor_of(self)));
}

/* ---- methods of tensors */

PyObject *tnpy_requires_grad_(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"requires_grad", NULL};
    int wanted = 1;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|p:requires_grad_", keywords, &wanted))
        return NULL;
    return tn_requires_grad_(tnpy_tensor_of(self), wanted) ? Py_NewRef(self) : tnpy_raise();
}

PyObject *tnpy_detach_(PyObject *self, PyObject *ignored) {
    (void)ignored;
    if (((tnpy_tensor *)self)->base) {
        PyErr_SetString(PyExc_RuntimeError,
                        "detach_ changes no views, whose history is that of the tensor they look into: use detach");
        return NULL;
    }
    return tn_detach_(tnpy_tensor_of(self)) ? Py_NewRef(self) : tnpy_raise();
}

PyObject *tnpy_retain_grad(PyObject *self, PyObject *ignored) {
    (void)ignored;
    if (tn_retain_grad(tnpy_tensor_of(self)) != TN_OK)
        return tnpy_raise();
    Py_RETURN_NONE;
}

bool tnpy_attach_begin(PyObject *view) {
    PyObject *base = ((tnpy_tensor *)view)->base;
    if (!base || tn_requires_grad(tnpy_tensor_of(view)) || tn_grad_mode_now() != TN_GRAD_ON)
        return false;
    if (tn_view_attach(tnpy_tensor_of(view), tnpy_tensor_of(base)) != TN_OK)
        (void)tn_error_take(NULL); /* then the change is refused, with a reason */
    return true;
}

void tnpy_attach_end(PyObject *view) { tn_node_release(tn_tensor_node(tnpy_tensor_of(view))); /* which it finds now */ }

PyObject *tnpy_when_required(PyObject *made, bool wanted) {
    if (made && wanted && !tn_requires_grad_(tnpy_tensor_of(made), true)) {
        Py_DECREF(made);
        return tnpy_raise();
    }
    return made;
}

int tnpy_refuse_recorded(const tn_tensor *tensor, const char *what) {
    if (TNPY_LIKELY(!tn_requires_grad(tensor)))
        return 0;
    PyErr_Format(PyExc_RuntimeError, "%s would lose the gradient that this tensor requires: use tensor.detach() first", what);
    return -1;
}

/* ---- backward and grad */

/* Tensors of a sequence, where None may stand for some; borrowed from `fast`, which the caller drops. */
typedef struct autograd_list {
    PyObject *held;
    const tn_tensor **items;
    int64_t count;
} autograd_list;

static void list_clear(autograd_list *list) {
    PyMem_Free(list->items);
    Py_XDECREF(list->held);
    *list = (autograd_list){NULL, NULL, 0};
}

/* None: an empty list. */
static int list_read(PyObject *object, const char *name, bool optional, autograd_list *list) {
    *list = (autograd_list){NULL, NULL, 0};
    if (object == Py_None)
        return 0;
    list->held = PySequence_Tuple(object);
    if (!list->held)
        return -1;
    Py_ssize_t count = PyTuple_Size(list->held);
    list->items = PyMem_Calloc((size_t)count + 1, sizeof *list->items);
    if (!list->items) {
        PyErr_NoMemory();
        list_clear(list);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyTuple_GetItem(list->held, i);
        if (tnpy_is_tensor(item))
            list->items[i] = tnpy_tensor_of(item);
        else if (!optional || item != Py_None) {
            PyErr_Format(PyExc_TypeError, "%s must be tensors%s, not %R", name, optional ? " or None" : "",
                         (PyObject *)Py_TYPE(item));
            list_clear(list);
            return -1;
        }
    }
    list->count = (int64_t)count;
    return 0;
}

typedef struct autograd_request {
    autograd_list outputs, gradients, inputs;
    tn_backward_options options;
} autograd_request;

static void request_clear(autograd_request *request) {
    list_clear(&request->outputs);
    list_clear(&request->gradients);
    list_clear(&request->inputs);
}

static int request_read(PyObject *args, const char *format, autograd_request *request) {
    PyObject *outputs, *gradients, *inputs;
    int retain, create, unused = 0;
    *request = (autograd_request){.options = {.struct_size = sizeof(tn_backward_options)}};
    if (!PyArg_ParseTuple(args, format, &outputs, &gradients, &inputs, &retain, &create, &unused))
        return -1;
    request->options.retain_graph = retain;
    request->options.create_graph = create;
    request->options.allow_unused = unused;
    if (list_read(outputs, "outputs", false, &request->outputs) < 0 ||
        list_read(gradients, "gradients", true, &request->gradients) < 0 ||
        list_read(inputs, "inputs", false, &request->inputs) < 0) {
        request_clear(request);
        return -1;
    }
    if (request->gradients.items && request->gradients.count != request->outputs.count) {
        PyErr_Format(PyExc_RuntimeError, "there are %lld gradients for %lld outputs", (long long)request->gradients.count,
                     (long long)request->outputs.count);
        request_clear(request);
        return -1;
    }
    return 0;
}

/* Whether the run that this thread is in reaches all leaves, not only inputs that were asked for. */
static __thread bool autograd_selects;

static PyObject *autograd_is_whole(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return PyBool_FromLong(!autograd_selects);
}

static PyObject *autograd_backward(PyObject *module, PyObject *args) {
    (void)module;
    autograd_request request;
    if (request_read(args, "OOOpp|p:_backward", &request) < 0)
        return NULL;
    tn_error code;
    bool selects = autograd_selects;
    autograd_selects = request.inputs.items != NULL;
    Py_BEGIN_ALLOW_THREADS code = tn_backward_all(request.outputs.items, request.gradients.items, request.outputs.count,
                                                  request.inputs.items, request.inputs.count, &request.options);
    Py_END_ALLOW_THREADS autograd_selects = selects;
    request_clear(&request);
    if (code != TN_OK)
        return tnpy_raise();
    if (tnpy_warnings_after_call() < 0)
        return NULL;
    Py_RETURN_NONE;
}

PyObject *tnpy_backward(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"gradient", "retain_graph", "create_graph", "inputs", NULL};
    PyObject *gradient = Py_None, *retain = Py_None, *inputs = Py_None;
    int create = 0;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|OOpO:backward", keywords, &gradient, &retain, &create, &inputs))
        return NULL;
    int kept = retain == Py_None ? create : PyObject_IsTrue(retain);
    if (kept < 0)
        return NULL;
    if (inputs != Py_None && !tnpy_is_tensor(inputs) && PySequence_Check(inputs) && PySequence_Size(inputs) == 0) {
        PyErr_SetString(PyExc_RuntimeError, "backward: inputs is empty, so no gradient would be kept");
        return NULL;
    }
    PyObject *request =
        Py_BuildValue(tnpy_is_tensor(inputs) ? "((O)(O)(O)ii)" : "((O)(O)Oii)", self, gradient, inputs, kept, create);
    PyObject *done = request ? autograd_backward(NULL, request) : NULL;
    Py_XDECREF(request);
    return done;
}

static PyObject *autograd_grad_of(PyObject *module, PyObject *args) {
    (void)module;
    autograd_request request;
    if (request_read(args, "OOOppp:_grad", &request) < 0)
        return NULL;
    int64_t count = request.inputs.count;
    tn_tensor **results = PyMem_Calloc((size_t)count + 1, sizeof *results);
    if (!results) {
        request_clear(&request);
        return PyErr_NoMemory();
    }
    tn_error code;
    bool selects = autograd_selects;
    autograd_selects = true;
    Py_BEGIN_ALLOW_THREADS code = tn_grad(request.outputs.items, request.gradients.items, request.outputs.count,
                                          request.inputs.items, count, &request.options, results);
    Py_END_ALLOW_THREADS autograd_selects = selects;
    request_clear(&request);
    PyObject *tuple = code == TN_OK ? PyTuple_New((Py_ssize_t)count) : tnpy_raise();
    for (int64_t i = 0; i < count; i++) {
        tn_tensor *result = results[i];
        PyObject *item = !tuple ? NULL : result ? tnpy_wrap(result) : Py_NewRef(Py_None);
        if (!tuple)
            tn_release(result);
        else if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(tuple);
    }
    PyMem_Free(results);
    if (tuple && tnpy_warnings_after_call() < 0)
        Py_CLEAR(tuple);
    return tuple;
}

static PyObject *autograd_mode(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return PyLong_FromLong((long)tn_grad_mode_now());
}

static PyObject *autograd_set_mode(PyObject *module, PyObject *mode) {
    (void)module;
    long wanted = PyLong_AsLong(mode);
    if (wanted == -1 && PyErr_Occurred())
        return NULL;
    if (wanted < TN_GRAD_OFF || wanted > TN_GRAD_INFERENCE) {
        PyErr_Format(PyExc_ValueError, "there is no mode %ld", wanted);
        return NULL;
    }
    tn_grad_mode before = tn_grad_mode_set((tn_grad_mode)wanted);
    return PyLong_FromLong((long)before);
}

static PyObject *autograd_set_anomaly(PyObject *module, PyObject *on) {
    (void)module;
    return PyBool_FromLong(tn_set_anomaly_detection(on == Py_True));
}

/* The elements were changed in a way that nobody has seen. */
static PyObject *autograd_bump(PyObject *module, PyObject *tensor) {
    (void)module;
    if (!tnpy_is_tensor(tensor)) {
        PyErr_Format(PyExc_TypeError, "increment_version takes tensors, not %R", (PyObject *)Py_TYPE(tensor));
        return NULL;
    }
    if (!tn_mutable_data(tnpy_tensor_of(tensor)) && tn_numel(tnpy_tensor_of(tensor)) > 0)
        return tnpy_raise();
    Py_RETURN_NONE;
}

static PyMethodDef autograd_functions[] = {
    {"_increment_version", autograd_bump, METH_O, NULL},
    {"_set_anomaly", autograd_set_anomaly, METH_O, NULL},
    {"_backward_is_whole", autograd_is_whole, METH_NOARGS, NULL},
    {"_backward", autograd_backward, METH_VARARGS, NULL},
    {"_grad", autograd_grad_of, METH_VARARGS, NULL},
    {"_grad_mode", autograd_mode, METH_NOARGS, NULL},
    {"_set_grad_mode", autograd_set_mode, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

int tnpy_autograd_add(PyObject *module) {
    autograd_node_type = (PyTypeObject *)PyType_FromSpec(&node_spec);
    if (!autograd_node_type || tnpy_hooks_add(module) < 0 || tnpy_function_add(module) < 0 ||
        PyModule_AddObjectRef(module, "_Node", (PyObject *)autograd_node_type) < 0)
        return -1;
    return PyModule_AddFunctions(module, tnpy_saved_functions) < 0 ? -1 : PyModule_AddFunctions(module, autograd_functions);
}
