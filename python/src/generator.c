/* generator.c - Generator: where random numbers come from. */
#include "core.h"

PyTypeObject *tnpy_generator_type;

static tn_generator *generator_of(PyObject *self) { return ((tnpy_generator *)self)->generator; }

/* Takes the reference. */
static PyObject *generator_wrap(tn_generator *generator) {
    if (!generator)
        return tnpy_raise();
    tnpy_generator *made = PyObject_New(tnpy_generator, tnpy_generator_type);
    if (!made) {
        tn_generator_release(generator);
        return NULL;
    }
    made->generator = generator;
    return (PyObject *)made;
}

PyObject *tnpy_generator_object(tn_generator *generator) {
    return generator ? generator_wrap(tn_generator_retain(generator)) : Py_NewRef(Py_None);
}

static void generator_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    tn_generator_release(generator_of(self));
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *generator_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    (void)type;
    static char *keywords[] = {"device", "engine", NULL};
    PyObject *device = Py_None;
    const char *engine = "mt19937";
    tn_device where = TN_DEVICE_CPU;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|O$s:Generator", keywords, &device, &engine))
        return NULL;
    int fits = device == Py_None ? 1 : tnpy_to_device(device, &where);
    if (fits < 0)
        return NULL;
    bool philox = strcmp(engine, "philox") == 0;
    if (fits == 0 || where.type != TN_CPU || (!philox && strcmp(engine, "mt19937") != 0)) {
        PyErr_Format(PyExc_RuntimeError, "there are the generators 'mt19937' and 'philox', on the CPU; not '%s' on %R", engine,
                     device);
        return NULL;
    }
    return generator_wrap(tn_generator_new(philox ? TN_PHILOX : TN_MT19937, TN_DEFAULT_SEED));
}

/* Any integer of Python: negative ones wrap, as in torch. False with an exception. */
static bool generator_read_seed(PyObject *object, uint64_t *seed) {
    PyObject *number = PyNumber_Index(object);
    if (!number)
        return false;
    int overflow;
    long long whole = PyLong_AsLongLongAndOverflow(number, &overflow);
    *seed = overflow ? PyLong_AsUnsignedLongLong(number) : (uint64_t)whole;
    Py_DECREF(number);
    return !PyErr_Occurred();
}

static PyObject *generator_manual_seed(PyObject *self, PyObject *object) {
    uint64_t seed;
    if (!generator_read_seed(object, &seed))
        return NULL;
    return tn_generator_seed(generator_of(self), seed) == TN_OK ? Py_NewRef(self) : tnpy_raise();
}

static PyObject *generator_seed(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyLong_FromUnsignedLongLong(tn_generator_seed_randomly(generator_of(self)));
}

static PyObject *generator_initial_seed(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyLong_FromUnsignedLongLong(tn_generator_initial_seed(generator_of(self)));
}

static PyObject *generator_get_state(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return tnpy_wrap(tn_generator_state(generator_of(self)));
}

static PyObject *generator_put_state(tn_generator *generator, PyObject *state, PyObject *result) {
    if (!tnpy_is_tensor(state)) {
        PyErr_Format(PyExc_TypeError, "the state of a generator is a tensor of bytes, not %R", (PyObject *)Py_TYPE(state));
        return NULL;
    }
    return tn_generator_set_state(generator, tnpy_tensor_of(state)) == TN_OK ? Py_NewRef(result) : tnpy_raise();
}

static PyObject *generator_set_state(PyObject *self, PyObject *state) {
    return generator_put_state(generator_of(self), state, self);
}

static PyObject *generator_clone_state(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return generator_wrap(tn_generator_clone(generator_of(self)));
}

static PyObject *generator_split(PyObject *self, PyObject *object) {
    uint64_t number;
    return generator_read_seed(object, &number) ? generator_wrap(tn_generator_split(generator_of(self), number)) : NULL;
}

static PyObject *generator_device(PyObject *self, void *ignored) {
    (void)self;
    (void)ignored;
    return tnpy_device_object(TN_DEVICE_CPU, false);
}

static PyObject *generator_engine(PyObject *self, void *ignored) {
    (void)ignored;
    return PyUnicode_FromString(tn_generator_engine(generator_of(self)) == TN_PHILOX ? "philox" : "mt19937");
}

/* For pickle and copies: the engine and the state. */
static PyObject *generator_reduce(PyObject *self, PyObject *ignored) {
    PyObject *module = PyImport_ImportModule("tenon._core");
    PyObject *rebuild = module ? PyObject_GetAttrString(module, "_rebuild_generator") : NULL;
    Py_XDECREF(module);
    if (!rebuild)
        return NULL;
    return Py_BuildValue("N(NN)", rebuild, generator_engine(self, NULL), generator_get_state(self, ignored));
}

static PyObject *generator_rebuild(PyObject *module, PyObject *args) {
    (void)module;
    const char *engine;
    PyObject *state;
    if (!PyArg_ParseTuple(args, "sO:_rebuild_generator", &engine, &state))
        return NULL;
    PyObject *made = generator_wrap(tn_generator_new(strcmp(engine, "philox") == 0 ? TN_PHILOX : TN_MT19937, TN_DEFAULT_SEED));
    PyObject *done = made ? generator_put_state(generator_of(made), state, made) : NULL;
    Py_XDECREF(made);
    return done;
}

static PyType_Slot generator_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, generator_dealloc),
    TNPY_SLOT(Py_tp_new, generator_new),
    {Py_tp_doc,
     (void *)(uintptr_t) "Generator(device='cpu', *, engine='mt19937')\n--\n\nA stream of random numbers: 'mt19937' gives "
                         "PyTorch's, 'philox' the same for any number of threads."},
    {Py_tp_getset,
     (PyGetSetDef[]){
         {"device", generator_device, NULL, "The CPU.", NULL},
         {"engine", generator_engine, NULL, "'mt19937' or 'philox'.", NULL},
         {NULL, NULL, NULL, NULL, NULL},
     }},
    {Py_tp_methods,
     (PyMethodDef[]){
         {"manual_seed", generator_manual_seed, METH_O, "manual_seed($self, seed, /)\n--\n\nStarts the stream of a seed."},
         {"seed", generator_seed, METH_NOARGS, "seed($self)\n--\n\nStarts an unpredictable stream; returns its seed."},
         {"initial_seed", generator_initial_seed, METH_NOARGS, "initial_seed($self)\n--\n\nThe seed it was started with."},
         {"get_state", generator_get_state, METH_NOARGS, "get_state($self)\n--\n\nThe state, a tensor of bytes."},
         {"set_state", generator_set_state, METH_O, "set_state($self, new_state, /)\n--\n\nGoes on from a state."},
         {"clone_state", generator_clone_state, METH_NOARGS,
          "clone_state($self)\n--\n\nA generator that goes on as this one will."},
         {"split", generator_split, METH_O,
          "split($self, number, /)\n--\n\nAn independent stream of the same seed, by its number."},
         {"__reduce__", generator_reduce, METH_NOARGS, NULL},
         {NULL, NULL, 0, NULL},
     }},
    {0, NULL},
};

static PyType_Spec generator_spec = {"tenon.Generator", sizeof(tnpy_generator), 0,
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, generator_slots};

/* ---- the default one */

static PyObject *generator_default(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return generator_wrap(tn_default_generator());
}

static PyObject *generator_set_default(PyObject *module, PyObject *object) {
    (void)module;
    if (object != Py_None && Py_TYPE(object) != tnpy_generator_type) {
        PyErr_SetString(PyExc_TypeError, "set_default_generator wants a Generator, or None");
        return NULL;
    }
    if (tn_set_default_generator(object == Py_None ? NULL : generator_of(object)) != TN_OK)
        return tnpy_raise();
    Py_RETURN_NONE;
}

static PyObject *generator_manual_seed_default(PyObject *module, PyObject *args, PyObject *names) {
    static char *keywords[] = {"seed", NULL};
    PyObject *object;
    uint64_t seed;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O:manual_seed", keywords, &object) || !generator_read_seed(object, &seed))
        return NULL;
    return tn_manual_seed(seed) == TN_OK ? generator_default(module, NULL) : tnpy_raise();
}

static PyObject *generator_seed_default(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return PyLong_FromUnsignedLongLong(tn_seed());
}

static PyObject *generator_initial_seed_default(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return PyLong_FromUnsignedLongLong(tn_initial_seed());
}

static PyObject *generator_get_rng_state(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return tnpy_wrap(tn_generator_state(NULL));
}

static PyObject *generator_set_rng_state(PyObject *module, PyObject *state) {
    (void)module;
    return generator_put_state(NULL, state, Py_None);
}

static PyMethodDef generator_functions[] = {
    {"_rebuild_generator", generator_rebuild, METH_VARARGS, NULL},
    {"manual_seed", TNPY_FUNCTION(generator_manual_seed_default), METH_VARARGS | METH_KEYWORDS,
     "manual_seed(seed)\n--\n\nStarts the default generator's stream of a seed; returns the generator."},
    {"seed", generator_seed_default, METH_NOARGS, "seed()\n--\n\nStarts an unpredictable stream; returns its seed."},
    {"initial_seed", generator_initial_seed_default, METH_NOARGS, "initial_seed()\n--\n\nThe default generator's seed."},
    {"get_rng_state", generator_get_rng_state, METH_NOARGS, "get_rng_state()\n--\n\nThe default generator's state."},
    {"set_rng_state", generator_set_rng_state, METH_O,
     "set_rng_state(new_state, /)\n--\n\nThe default generator goes on from a state."},
    {"get_default_generator", generator_default, METH_NOARGS, "get_default_generator()\n--\n\nThe default generator."},
    {"set_default_generator", generator_set_default, METH_O,
     "set_default_generator(generator, /)\n--\n\nMakes a generator the default one; None: the first one again."},
    {NULL, NULL, 0, NULL},
};

int tnpy_generator_add(PyObject *module) {
    if (!tnpy_generator_type && !(tnpy_generator_type = (PyTypeObject *)PyType_FromSpec(&generator_spec)))
        return -1;
    if (PyModule_AddFunctions(module, generator_functions) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "Generator", (PyObject *)tnpy_generator_type);
}
