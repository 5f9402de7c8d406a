/* tensor.c - the Tensor type: an object that owns one reference to a tn_tensor.
 *
 * A view remembers the tensor it is a view of (_base), which keeps that object alive; memory is shared below, by the storages.
 * Objects of the type itself have no dictionary. Few can be in a cycle: those that a hook hangs on, and the results of a function
 * with a derivative written in Python. The garbage collector learns of an object when it becomes one of them (tnpy_track), and of
 * all others never.
 */
#include "core.h"

PyTypeObject *tnpy_tensor_type;
tnpy_known tnpy_known_tensors;

/* ---- objects that are found again */

static PyObject *known_at(const tnpy_known *known, PyObject *key) {
    PyObject *found = known->table && key ? PyDict_GetItem(known->table, key) : NULL;
    return found ? PyLong_AsVoidPtr(found) : NULL;
}

PyObject *tnpy_known_find(tnpy_known *known, const void *held) {
    PyObject *key = known->table ? PyLong_FromVoidPtr((void *)(uintptr_t)held) : NULL, *found = known_at(known, key);
    if (!key)
        PyErr_Clear();
    Py_XDECREF(key);
    return found && Py_REFCNT(found) > 0 ? Py_NewRef(found) : NULL; /* it may be about to end */
}

bool tnpy_known_put(tnpy_known *known, const void *held, PyObject *object) {
    if (!known->table)
        known->table = PyDict_New();
    PyObject *key = known->table ? PyLong_FromVoidPtr((void *)(uintptr_t)held) : NULL;
    PyObject *value = key ? PyLong_FromVoidPtr(object) : NULL;
    bool done = value && PyDict_SetItem(known->table, key, value) == 0;
    if (!done)
        PyErr_Clear();
    Py_XDECREF(key);
    Py_XDECREF(value);
    return done;
}

/* Objects end at any time, also while an exception is on its way. Where there is no memory for a key the table goes: it would lead to what is
 * gone. */
void tnpy_known_drop(tnpy_known *known, const void *held, PyObject *object) {
    PyObject *type, *value, *trace;
    if (!known->table)
        return;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *key = PyLong_FromVoidPtr((void *)(uintptr_t)held);
    if (!key || (known_at(known, key) == object && PyDict_DelItem(known->table, key) < 0))
        Py_CLEAR(known->table);
    Py_XDECREF(key);
    PyErr_Restore(type, value, trace);
}

/* ---- making */

PyObject *tnpy_wrap(tn_tensor *tensor) {
    if (TNPY_UNLIKELY(!tensor))
        return tnpy_raise();
    tnpy_tensor *made = PyObject_GC_New(tnpy_tensor, tnpy_tensor_type);
    if (TNPY_UNLIKELY(!made)) {
        tn_release(tensor);
        return NULL;
    }
    made->tensor = tensor;
    made->base = NULL;
    made->weak = NULL;
    made->known = false;
    return (PyObject *)made;
}

static void tensor_set_base(PyObject *made, PyObject *source) {
    PyObject *base = ((tnpy_tensor *)source)->base;
    ((tnpy_tensor *)made)->base = Py_NewRef(base ? base : source);
}

PyObject *tnpy_wrap_view(tn_tensor *tensor, PyObject *source) {
    if (TNPY_UNLIKELY(!tensor))
        return tnpy_raise();
    if (tensor == tnpy_tensor_of(source)) {
        tn_release(tensor);
        return Py_NewRef(source);
    }
    PyObject *made = tnpy_wrap(tensor);
    if (made && tn_storage_of(tensor) == tn_storage_of(tnpy_tensor_of(source)))
        tensor_set_base(made, source);
    return made;
}

PyObject *tnpy_wrap_as(PyTypeObject *type, tn_tensor *tensor, PyObject *source) {
    PyObject *made;
    if (type == tnpy_tensor_type)
        made = tnpy_wrap(tensor);
    else if ((made = (__extension__(allocfunc) PyType_GetSlot(type, Py_tp_alloc))(type, 0)) != NULL)
        ((tnpy_tensor *)made)->tensor = tensor;
    else
        tn_release(tensor);
    if (made && source)
        tensor_set_base(made, source);
    return made;
}

PyObject *tnpy_wrap_list(tn_list *list, PyObject *source, bool views) {
    if (!list)
        return tnpy_raise();
    int64_t count = tn_list_count(list);
    PyObject *made = PyTuple_New((Py_ssize_t)count);
    for (int64_t i = 0; made && i < count; i++) {
        tn_tensor *item = tn_retain(tn_list_at(list, i));
        PyObject *object = views && source ? tnpy_wrap_view(item, source) : tnpy_wrap(item);
        if (!object || PyTuple_SetItem(made, (Py_ssize_t)i, object) < 0)
            Py_CLEAR(made);
    }
    tn_list_release(list);
    return made;
}

PyObject *tnpy_scalar_object(tn_scalar scalar) {
    switch (scalar.kind) {
    case TN_SCALAR_BOOL: return PyBool_FromLong(scalar.value.b);
    case TN_SCALAR_INT: return PyLong_FromLongLong(scalar.value.i);
    case TN_SCALAR_UINT: return PyLong_FromUnsignedLongLong(scalar.value.u);
    case TN_SCALAR_FLOAT: return PyFloat_FromDouble(scalar.value.d);
    case TN_SCALAR_COMPLEX: return PyComplex_FromDoubles(scalar.value.c.real, scalar.value.c.imag);
    default: Py_RETURN_NONE;
    }
}

/* ---- the slots */

static void tensor_dealloc(PyObject *self) {
    tnpy_tensor *tensor = (tnpy_tensor *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (TNPY_UNLIKELY(tensor->known)) /* before anything runs that could ask for it */
        tnpy_known_drop(&tnpy_known_tensors, tensor->tensor, self);
    if (tensor->weak)
        PyObject_ClearWeakRefs(self);
    Py_XDECREF(tensor->base);
    tn_release(tensor->tensor);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

typedef struct tensor_visit {
    visitproc visit;
    void *arg;
    int code;
} tensor_visit;

static void tensor_visit_context(void *arg, void *ctx, tn_deleter deleter) {
    tensor_visit *visit = arg;
    if (visit->code == 0 && tnpy_is_context(deleter))
        visit->code = visit->visit(ctx, visit->arg);
}

/* What hangs on the tensor below is this object's where no other holds that tensor. */
static int tensor_traverse(PyObject *self, visitproc visit, void *arg) {
    tensor_visit contexts = {visit, arg, 0};
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((tnpy_tensor *)self)->base);
    tn_tensor_contexts(tnpy_tensor_of(self), tensor_visit_context, &contexts);
    return contexts.code;
}

/* A cycle is broken where its contexts are (hooks.c). */
static int tensor_clear(PyObject *self) {
    (void)self;
    return 0;
}

void tnpy_track(PyObject *tensor) {
    if (!PyObject_GC_IsTracked(tensor))
        PyObject_GC_Track(tensor);
}

static PyObject *tensor_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    PyObject *source;
    tn_tensor *made = tnpy_legacy_new(args, names, tn_default_dtype(), TN_DEVICE_CPU, true, &source);
    return made ? tnpy_wrap_as(type, made, source) : NULL;
}

static PyObject *tensor_repr(PyObject *self) {
    char small[512];
    tn_print_options options = {.struct_size = sizeof options};
    (void)tn_get_print_options(&options);
    options.dtypes = TN_SPELLING_TORCH;
    int64_t length = tn_format(tnpy_tensor_of(self), small, sizeof small, &options);
    if (length < 0)
        return tnpy_raise();
    if (length < (int64_t)sizeof small)
        return PyUnicode_FromStringAndSize(small, (Py_ssize_t)length);
    char *large = PyMem_Malloc((size_t)length + 1);
    if (!large)
        return PyErr_NoMemory();
    (void)tn_format(tnpy_tensor_of(self), large, (size_t)length + 1, &options);
    PyObject *text = PyUnicode_FromStringAndSize(large, (Py_ssize_t)strlen(large));
    PyMem_Free(large);
    return text;
}

static Py_hash_t tensor_hash(PyObject *self) {
    Py_hash_t address = (Py_hash_t)(uintptr_t)self;
    return address == -1 ? -2 : address;
}

static Py_ssize_t tensor_length(PyObject *self) {
    if (tn_ndim(tnpy_tensor_of(self)) == 0) {
        PyErr_SetString(PyExc_TypeError, "len() of a tensor of no dimensions");
        return -1;
    }
    return (Py_ssize_t)tn_size(tnpy_tensor_of(self), 0);
}

static PyObject *tensor_iterate(PyObject *self) {
    if (tn_ndim(tnpy_tensor_of(self)) == 0) {
        PyErr_SetString(PyExc_TypeError, "iteration over a tensor of no dimensions");
        return NULL;
    }
    return PySeqIter_New(self);
}

/* Whether an element is equal to a number or a tensor. */
static int tensor_contains(PyObject *self, PyObject *what) {
    if (tnpy_refuse_device(tnpy_tensor_of(self)) < 0)
        return -1;
    tn_scalar number;
    tn_tensor *equal;
    if (tnpy_is_tensor(what))
        equal = tn_eq(tnpy_tensor_of(self), tnpy_tensor_of(what));
    else {
        int fits = tnpy_to_scalar(what, &number);
        if (fits == 0)
            PyErr_Format(PyExc_RuntimeError, "a tensor contains numbers; %R is neither a number nor a tensor", what);
        if (fits <= 0)
            return -1;
        equal = tn_eq_scalar(tnpy_tensor_of(self), number);
    }
    if (!equal) {
        (void)tnpy_raise();
        return -1;
    }
    tn_tensor *flat = tn_contiguous(equal, TN_CONTIGUOUS);
    int found = -1;
    if (flat) {
        int64_t count = tn_numel(flat);
        found = count > 0 && memchr(tn_data(flat), 1, (size_t)count) != NULL;
    } else
        (void)tnpy_raise();
    tn_release(flat);
    tn_release(equal);
    return found;
}

static PyMemberDef tensor_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(tnpy_tensor, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static const PyType_Slot tensor_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, tensor_dealloc),
    TNPY_SLOT(Py_tp_traverse, tensor_traverse),
    TNPY_SLOT(Py_tp_clear, tensor_clear),
    TNPY_SLOT(Py_tp_new, tensor_new),
    TNPY_SLOT(Py_tp_repr, tensor_repr),
    TNPY_SLOT(Py_tp_hash, tensor_hash),
    TNPY_SLOT(Py_tp_iter, tensor_iterate),
    TNPY_SLOT(Py_mp_length, tensor_length),
    TNPY_SLOT(Py_mp_subscript, tnpy_subscript),
    TNPY_SLOT(Py_mp_ass_subscript, tnpy_assign_subscript),
    TNPY_SLOT(Py_sq_length, tensor_length),
    TNPY_SLOT(Py_sq_item, tnpy_sequence_item),
    TNPY_SLOT(Py_sq_contains, tensor_contains),
    TNPY_SLOT(Py_bf_getbuffer, tnpy_get_buffer),
    TNPY_SLOT(Py_bf_releasebuffer, tnpy_release_buffer),
    {Py_tp_members, tensor_members},
    {Py_tp_getset, tnpy_tensor_attributes},
    {Py_tp_doc,
     (void *)(uintptr_t) "An array of numbers of one dtype: sizes, strides and an offset into a storage that views share.\n\n"
                         "Made by tenon.tensor, tenon.zeros, tenon.arange, ... and by every operator."},
};

/* The methods written by hand, and then those of the operator table whose names are not taken yet. */
static PyMethodDef *tensor_all_methods(void) {
    Py_ssize_t operators, by_hand = 0, count = 0;
    const PyMethodDef *of_operators = tnpy_operator_methods(&operators);
    while (tnpy_tensor_methods[by_hand].ml_name)
        by_hand++;
    PyMethodDef *all = of_operators ? PyMem_Calloc((size_t)(by_hand + operators + 1), sizeof *all) : NULL;
    if (!all)
        return of_operators ? (PyMethodDef *)PyErr_NoMemory() : NULL;
    for (; count < by_hand; count++)
        all[count] = tnpy_tensor_methods[count];
    for (Py_ssize_t i = 0; i < operators; i++) {
        bool taken = false;
        for (Py_ssize_t k = 0; k < by_hand && !taken; k++)
            taken = strcmp(of_operators[i].ml_name, tnpy_tensor_methods[k].ml_name) == 0;
        if (!taken)
            all[count++] = of_operators[i];
    }
    return all; /* the type keeps it */
}

int tnpy_tensor_add(PyObject *module) {
    if (!tnpy_tensor_type) {
        PyMethodDef *methods = tensor_all_methods();
        if (!methods)
            return -1;
        PyType_Slot slots[100];
        size_t count = 0;
        for (size_t i = 0; i < sizeof tensor_slots / sizeof *tensor_slots; i++)
            slots[count++] = tensor_slots[i];
        for (size_t i = 0; tnpy_number_slots[i].slot; i++)
            slots[count++] = tnpy_number_slots[i];
        slots[count++] = (PyType_Slot){Py_tp_methods, methods};
        slots[count] = (PyType_Slot){0, NULL};
        PyType_Spec spec = {"tenon.Tensor", sizeof(tnpy_tensor), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
        tnpy_tensor_type = (PyTypeObject *)PyType_FromSpec(&spec);
        if (!tnpy_tensor_type)
            return -1;
    }
    return PyModule_AddObjectRef(module, "Tensor", (PyObject *)tnpy_tensor_type);
}
