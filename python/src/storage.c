/* storage.c - UntypedStorage: the bytes that tensors look into.
 *
 * There is at most one object for a storage at a time, so that `a.untyped_storage() is b.untyped_storage()` says whether two
 * tensors share memory, and pickle and deepcopy find storages they have seen before.
 */
#include "core.h"

PyTypeObject *tnpy_storage_type;

static PyObject *storage_objects; /* address of a tn_storage: weak reference to its object */

static tn_storage *storage_of(PyObject *self) { return ((tnpy_storage *)self)->storage; }

static PyObject *storage_new_object(tn_storage *storage, PyObject *key) {
    tnpy_storage *made = PyObject_New(tnpy_storage, tnpy_storage_type);
    if (!made)
        return NULL;
    made->storage = tn_storage_retain(storage);
    made->weak = NULL;
    PyObject *weak = PyWeakref_NewRef((PyObject *)made, NULL);
    if (!weak || PyDict_SetItem(storage_objects, key, weak) < 0) {
        Py_XDECREF(weak);
        Py_DECREF(made);
        return NULL;
    }
    Py_DECREF(weak);
    return (PyObject *)made;
}

PyObject *tnpy_storage_object(tn_storage *storage) {
    if (!storage)
        return tnpy_raise();
    PyObject *key = PyLong_FromVoidPtr(storage), *weak = key ? PyDict_GetItemWithError(storage_objects, key) : NULL;
    PyObject *found = weak ? PyWeakref_GetObject(weak) : NULL;
    PyObject *object = NULL;
    if (found && found != Py_None)
        object = Py_NewRef(found);
    else if (key && !PyErr_Occurred())
        object = storage_new_object(storage, key);
    Py_XDECREF(key);
    return object;
}

static void storage_dealloc(PyObject *self) {
    tnpy_storage *storage = (tnpy_storage *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject *kind, *value, *trace;
    PyErr_Fetch(&kind, &value, &trace);
    if (storage->weak)
        PyObject_ClearWeakRefs(self);
    PyObject *key = PyLong_FromVoidPtr(storage->storage);
    PyObject *weak = key ? PyDict_GetItemWithError(storage_objects, key) : NULL;
    if (weak &&
        PyWeakref_GetObject(weak) == Py_None) /* otherwise a callback of a weak reference has already asked for another */
        (void)PyDict_DelItem(storage_objects, key);
    PyErr_Clear();
    Py_XDECREF(key);
    PyErr_Restore(kind, value, trace);
    tn_storage_release(storage->storage);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *storage_data_ptr(PyObject *self, PyObject *ignored) {
    (void)ignored;
    bool hollow = tn_storage_device(storage_of(self)).type == TN_META;
    return PyLong_FromUnsignedLongLong(hollow ? 0 : (uintptr_t)tn_storage_data(storage_of(self)));
}

/* Refuses to look at bytes that the CPU cannot read. */
static int storage_refuse_device(PyObject *self) {
    tn_device device = tn_storage_device(storage_of(self));
    if (device.type == TN_CPU)
        return 0;
    PyErr_Format(tnpy_error_class(TN_ERROR_DEVICE), "the bytes of the storage are not in the CPU's memory: it is on %s",
                 tn_device_type_name(device.type));
    return -1;
}

static PyObject *storage_nbytes(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyLong_FromSize_t(tn_storage_nbytes(storage_of(self)));
}

static Py_ssize_t storage_length(PyObject *self) { return (Py_ssize_t)tn_storage_nbytes(storage_of(self)); }

static int storage_refuse_position(PyObject *self, Py_ssize_t position) {
    if (position >= 0 && position < storage_length(self))
        return 0;
    PyErr_Format(tnpy_error_class(TN_ERROR_INDEX), "byte %zd of a storage of %zd bytes", position, storage_length(self));
    return -1;
}

static PyObject *storage_item(PyObject *self, Py_ssize_t position) {
    if (storage_refuse_position(self, position) < 0 || storage_refuse_device(self) < 0)
        return NULL;
    return PyLong_FromLong(((const uint8_t *)tn_storage_data(storage_of(self)))[position]);
}

/* An integer as a byte: its lowest eight bits, as in torch. */
static int storage_byte(PyObject *value, uint8_t *out) {
    if (!PyLong_Check(value)) {
        PyErr_Format(tnpy_error_class(TN_ERROR_ARGUMENT), "a storage is made of integers, not of %R",
                     (PyObject *)Py_TYPE(value));
        return -1;
    }
    *out = (uint8_t)PyLong_AsUnsignedLongMask(value);
    return 0;
}

/* The bytes for writing; NULL with an exception, and without one for a storage of none. */
static uint8_t *storage_bytes(PyObject *self) {
    if (storage_refuse_device(self) < 0)
        return NULL;
    uint8_t *bytes = tn_storage_mutable_data(storage_of(self));
    if (!bytes && tn_error_code() != TN_OK)
        (void)tnpy_raise();
    return bytes;
}

/* What an index means: the first byte and how many. `wrong` is the class of the exception for anything else. */
static int storage_range(PyObject *self, PyObject *key, PyObject *wrong, Py_ssize_t *first, Py_ssize_t *count) {
    if (PySlice_Check(key)) {
        Py_ssize_t stop, step;
        if (PySlice_Unpack(key, first, &stop, &step) < 0)
            return -1;
        if (step != 1) {
            PyErr_Format(tnpy_error_class(TN_ERROR_ARGUMENT), "a storage is sliced with a step of 1, not of %zd", step);
            return -1;
        }
        *count = PySlice_AdjustIndices(storage_length(self), first, &stop, step);
        return 0;
    }
    if (!PyIndex_Check(key) || PyBool_Check(key) || tnpy_is_tensor(key)) {
        PyErr_Format(wrong, "a storage is indexed by integers and slices, not by %R", key);
        return -1;
    }
    *first = PyNumber_AsSsize_t(key, tnpy_overflow_error);
    if (*first == -1 && PyErr_Occurred())
        return -1;
    *first += *first < 0 ? storage_length(self) : 0;
    *count = 1;
    return storage_refuse_position(self, *first);
}

static void storage_let_go(void *parent) { tn_storage_release(parent); }

/* A part of a storage is a storage over the same bytes, which keeps the whole: from then on its memory cannot move. */
static PyObject *storage_part(PyObject *self, Py_ssize_t first, Py_ssize_t count) {
    uint8_t *bytes = storage_bytes(self);
    if (!bytes && PyErr_Occurred())
        return NULL;
    (void)tn_storage_set_resizable(storage_of(self), false);
    tn_data_ptr pointer = {.data = bytes ? bytes + first : NULL,
                           .ctx = tn_storage_retain(storage_of(self)),
                           .deleter = storage_let_go,
                           .device = tn_storage_device(storage_of(self))};
    tn_storage *part = tn_storage_from_pointer(&pointer, (size_t)count, TN_UINT8);
    if (!part) {
        tn_storage_release(storage_of(self));
        return tnpy_raise();
    }
    PyObject *object = tnpy_storage_object(part);
    tn_storage_release(part);
    return object;
}

static PyObject *storage_subscript(PyObject *self, PyObject *key) {
    Py_ssize_t first, count;
    if (storage_range(self, key, PyExc_TypeError, &first, &count) < 0)
        return NULL;
    return PySlice_Check(key) ? storage_part(self, first, count) : storage_item(self, first);
}

static int storage_assign(PyObject *self, PyObject *key, PyObject *value) {
    Py_ssize_t first, count;
    uint8_t byte;
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "bytes of a storage cannot be deleted");
        return -1;
    }
    if (storage_range(self, key, tnpy_error_class(TN_ERROR_ARGUMENT), &first, &count) < 0 || storage_byte(value, &byte) < 0)
        return -1;
    uint8_t *bytes = storage_bytes(self);
    if (bytes)
        memset(bytes + first, byte, (size_t)count);
    return bytes || !PyErr_Occurred() ? 0 : -1;
}

static PyObject *storage_fill(PyObject *self, PyObject *value) {
    uint8_t byte;
    if (storage_byte(value, &byte) < 0)
        return NULL;
    if (tn_storage_device(storage_of(self)).type == TN_META)
        return Py_NewRef(self);
    uint8_t *bytes = storage_bytes(self);
    if (bytes)
        memset(bytes, byte, (size_t)storage_length(self));
    return bytes || !PyErr_Occurred() ? Py_NewRef(self) : NULL;
}

static PyObject *storage_copy(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"source", "non_blocking", NULL};
    PyObject *source, *ignored;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O!|O:copy_", keywords, tnpy_storage_type, &source, &ignored))
        return NULL;
    if (storage_length(source) != storage_length(self)) {
        PyErr_Format(tnpy_error_class(TN_ERROR_SHAPE), "copy_: %zd bytes cannot be copied to a storage of %zd",
                     storage_length(source), storage_length(self));
        return NULL;
    }
    if (storage_refuse_device(source) < 0)
        return NULL;
    uint8_t *bytes = storage_bytes(self);
    if (bytes)
        memmove(bytes, tn_storage_data(storage_of(source)), (size_t)storage_length(self));
    return bytes || !PyErr_Occurred() ? Py_NewRef(self) : NULL;
}

static PyObject *storage_take(tn_storage *made) {
    PyObject *object = tnpy_storage_object(made);
    tn_storage_release(made);
    return object;
}

static PyObject *storage_clone(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return storage_take(tn_storage_clone(storage_of(self), NULL));
}

static PyObject *storage_self(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return Py_NewRef(self);
}

static PyObject *storage_cpu(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return storage_refuse_device(self) < 0 ? NULL : Py_NewRef(self);
}

static PyObject *storage_empty(PyObject *self, PyObject *ignored) {
    (void)self;
    (void)ignored;
    return storage_take(tn_storage_create(0, TN_UINT8, NULL));
}

static PyObject *storage_element_size(PyObject *self, PyObject *ignored) {
    (void)self;
    (void)ignored;
    return PyLong_FromLong(1);
}

static PyObject *storage_resizable(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_storage_resizable(storage_of(self)));
}

static PyObject *storage_false(PyObject *self, PyObject *ignored) {
    (void)self;
    (void)ignored;
    Py_RETURN_FALSE;
}

/* The bytes of a sequence of integers. */
static PyObject *storage_from_sequence(PyObject *sequence) {
    PyObject *items = PySequence_Tuple(sequence);
    Py_ssize_t count = items ? PyTuple_Size(items) : 0;
    tn_storage *made = items ? tn_storage_create((size_t)count, TN_UINT8, NULL) : NULL;
    if (items && !made)
        (void)tnpy_raise();
    uint8_t *bytes = made ? tn_storage_mutable_data(made) : NULL;
    for (Py_ssize_t i = 0; made && i < count; i++)
        if (storage_byte(PyTuple_GetItem(items, i), &bytes[i]) < 0) {
            tn_storage_release(made);
            made = NULL;
        }
    Py_XDECREF(items);
    return made ? storage_take(made) : NULL;
}

/* A storage on meta. */
static PyObject *storage_hollow(int64_t size) {
    tn_tensor *all = tn_empty_device((tn_dims){&size, 1}, TN_UINT8, TN_DEVICE(TN_META, 0));
    PyObject *object = all ? tnpy_storage_object(tn_storage_of(all)) : tnpy_raise();
    tn_release(all);
    return object;
}

/* A number of bytes; false with an exception. A tensor of one integer is one, a bool is not. */
static bool storage_size(PyObject *what, const char *wants, int64_t *size) {
    int fits = PyBool_Check(what) ? 0 : tnpy_to_int(what, size);
    if (fits == 0)
        PyErr_Format(tnpy_error_class(TN_ERROR_ARGUMENT), "%s, not %R", wants, what);
    if (fits > 0 && *size < 0)
        PyErr_Format(tnpy_error_class(TN_ERROR_ARGUMENT), "a storage cannot have a size of %lld bytes", (long long)*size);
    return !PyErr_Occurred();
}

/* UntypedStorage(), of no bytes; UntypedStorage(n), of n whose values are not set; UntypedStorage(sequence of integers). */
static PyObject *storage_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    (void)type;
    static char *keywords[] = {"", "size", "sequence", "device", NULL};
    PyObject *what = NULL, *count = NULL, *sequence = NULL, *device = Py_None;
    tn_device where = TN_DEVICE_CPU;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|O$OOO:UntypedStorage", keywords, &what, &count, &sequence, &device))
        return NULL;
    if ((what != NULL) + (count != NULL) + (sequence != NULL) > 1) {
        PyErr_SetString(PyExc_TypeError, "UntypedStorage takes a size or a sequence, not both");
        return NULL;
    }
    int fits = device == Py_None ? 1 : tnpy_to_device(device, &where);
    if (fits == 0 || (fits > 0 && where.type != TN_CPU && where.type != TN_META))
        PyErr_Format(tnpy_error_class(TN_ERROR_DEVICE), "device must be the CPU or meta, not %R", device);
    if (PyErr_Occurred())
        return NULL;
    if (what && !PyIndex_Check(what) && PySequence_Check(what))
        sequence = what;
    int64_t size = 0;
    if (sequence) {
        PyObject *made = storage_from_sequence(sequence);
        if (!made || where.type == TN_CPU)
            return made;
        size = storage_length(made);
        Py_DECREF(made);
    } else if ((what || count) &&
               !storage_size(what ? what : count, "UntypedStorage takes a number of bytes or a sequence of integers", &size))
        return NULL;
    return where.type == TN_META ? storage_hollow(size) : storage_take(tn_storage_create((size_t)size, TN_UINT8, NULL));
}

static PyObject *storage_tolist(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PySequence_List(self);
}

static PyObject *storage_resize(PyObject *self, PyObject *bytes) {
    int64_t size;
    if (!storage_size(bytes, "resize_ takes a number of bytes", &size))
        return NULL;
    return tn_storage_resize(storage_of(self), (size_t)size) == TN_OK ? Py_NewRef(self) : tnpy_raise();
}

/* Every byte on a line of its own, as torch prints them. */
static PyObject *storage_repr(PyObject *self) {
    Py_ssize_t count = storage_length(self);
    tn_device device = tn_storage_device(storage_of(self));
    if (device.type != TN_CPU)
        return PyUnicode_FromFormat("...\n[torch.storage.UntypedStorage(device=%s) of size %zd]",
                                    tn_device_type_name(device.type), count);
    const uint8_t *bytes = tn_storage_data(storage_of(self));
    size_t used = 0, room = (size_t)count * 5 + 64;
    char *text = PyMem_Malloc(room);
    if (!text)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, room - used, " %d\n", bytes[i]);
    PyObject *made =
        PyUnicode_FromFormat("%s[torch.storage.UntypedStorage(device=cpu) of size %zd]", count ? text : " \n", count);
    PyMem_Free(text);
    return made;
}

static PyObject *storage_device(PyObject *self, void *ignored) {
    (void)ignored;
    return tnpy_device_of(tn_storage_device(storage_of(self)));
}

static PyObject *storage_is_cuda(PyObject *self, void *ignored) {
    (void)self;
    (void)ignored;
    Py_RETURN_FALSE;
}

static PyObject *storage_reduce(PyObject *self, PyObject *ignored) {
    (void)ignored;
    PyObject *module = PyImport_ImportModule("tenon._core");
    PyObject *rebuild = module ? PyObject_GetAttrString(module, "_rebuild_storage") : NULL;
    Py_XDECREF(module);
    if (!rebuild)
        return NULL;
    if (tn_storage_device(storage_of(self)).type == TN_META) /* the number of bytes is all there is */
        return Py_BuildValue("N(n)", rebuild, storage_length(self));
    if (storage_refuse_device(self) < 0) {
        Py_DECREF(rebuild);
        return NULL;
    }
    return Py_BuildValue("N(N)", rebuild, PyBytes_FromStringAndSize(tn_storage_data(storage_of(self)), storage_length(self)));
}

static PyType_Slot storage_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, storage_dealloc),
    TNPY_SLOT(Py_tp_repr, storage_repr),
    TNPY_SLOT(Py_sq_length, storage_length),
    TNPY_SLOT(Py_tp_new, storage_new),
    TNPY_SLOT(Py_sq_item, storage_item),
    TNPY_SLOT(Py_mp_length, storage_length),
    TNPY_SLOT(Py_mp_subscript, storage_subscript),
    TNPY_SLOT(Py_mp_ass_subscript, storage_assign),
    {Py_tp_doc, (void *)(uintptr_t) "The bytes that a tensor and its views look into."},
    {Py_tp_members,
     (PyMemberDef[]){
         {"__weaklistoffset__", T_PYSSIZET, offsetof(tnpy_storage, weak), READONLY, NULL},
         {NULL, 0, 0, 0, NULL},
     }},
    {Py_tp_getset, (PyGetSetDef[]){{"device", storage_device, NULL, "Where the bytes are.", NULL},
                                   {"is_cuda", storage_is_cuda, NULL, "Whether the bytes are on a CUDA device.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}}},
    {Py_tp_methods,
     (PyMethodDef[]){
         {"data_ptr", storage_data_ptr, METH_NOARGS, "data_ptr($self)\n--\n\nThe address of the first byte."},
         {"nbytes", storage_nbytes, METH_NOARGS, "nbytes($self)\n--\n\nHow many bytes there are."},
         {"size", storage_nbytes, METH_NOARGS, "size($self)\n--\n\nHow many bytes there are."},
         {"tolist", storage_tolist, METH_NOARGS, "tolist($self)\n--\n\nThe bytes as a list of integers."},
         {"resize_", storage_resize, METH_O, "resize_($self, nbytes)\n--\n\nMakes it longer or shorter, keeping what fits."},
         {"fill_", storage_fill, METH_O, "fill_($self, value)\n--\n\nEvery byte becomes value."},
         {"copy_", TNPY_FUNCTION(storage_copy), METH_VARARGS | METH_KEYWORDS,
          "copy_($self, source, non_blocking=None)\n--\n\nThe bytes become those of another storage of the same size."},
         {"clone", storage_clone, METH_NOARGS, "clone($self)\n--\n\nA storage with a copy of the bytes."},
         {"cpu", storage_cpu, METH_NOARGS, "cpu($self)\n--\n\nself: the bytes are in the CPU's memory."},
         {"untyped", storage_self, METH_NOARGS, "untyped($self)\n--\n\nself."},
         {"new", storage_empty, METH_NOARGS, "new($self)\n--\n\nA storage of no bytes."},
         {"element_size", storage_element_size, METH_NOARGS, "element_size($self)\n--\n\n1."},
         {"resizable", storage_resizable, METH_NOARGS, "resizable($self)\n--\n\nWhether resize_ is possible."},
         {"is_shared", tnpy_storage_is_shared, METH_NOARGS, "is_shared($self)\n--\n\nWhether processes share the memory."},
         {"_shared", tnpy_storage_shared, METH_O, NULL},
         {"is_pinned", storage_false, METH_NOARGS, "is_pinned($self)\n--\n\nFalse: memory is the CPU's."},
         {"__reduce__", storage_reduce, METH_NOARGS, NULL},
         {NULL, NULL, 0, NULL},
     }},
    {0, NULL},
};

static PyType_Spec storage_spec = {"tenon.UntypedStorage", sizeof(tnpy_storage), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, storage_slots};

/* ---- pickles */

static PyObject *storage_rebuild(PyObject *module, PyObject *bytes) {
    (void)module;
    if (PyLong_Check(bytes)) {
        int64_t count;
        return tnpy_to_int(bytes, &count) > 0 ? storage_hollow(count) : NULL;
    }
    char *data;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(bytes, &data, &size) < 0)
        return NULL;
    tn_storage *made = tn_storage_create((size_t)size, TN_DTYPE_DEFAULT, NULL);
    if (!made)
        return tnpy_raise();
    if (size > 0)
        memcpy(tn_storage_mutable_data(made), data, (size_t)size);
    PyObject *object = tnpy_storage_object(made);
    tn_storage_release(made);
    return object;
}

static PyObject *storage_rebuild_tensor(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *storage, *sizes, *strides, *dtype;
    long long offset;
    int required = 0; /* which older pickles do not say */
    if (!PyArg_ParseTuple(args, "OLOOO|p:_rebuild_tensor", &storage, &offset, &sizes, &strides, &dtype, &required))
        return NULL;
    tnpy_scratch scratch = {.numbers_used = 0};
    tn_value size, stride;
    tn_dtype kind;
    if (Py_TYPE(storage) != tnpy_storage_type || tnpy_to_dtype(dtype, &kind) <= 0 ||
        tnpy_convert(TN_TYPE_DIMS, sizes, false, &scratch, &size) <= 0 ||
        tnpy_convert(TN_TYPE_DIMS, strides, false, &scratch, &stride) <= 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "_rebuild_tensor: this is not what a tensor was pickled as");
        return NULL;
    }
    return tnpy_when_required(tnpy_wrap(tn_from_storage(storage_of(storage), offset, size.as.dims, stride.as.dims, kind)),
                              required);
}

static PyMethodDef storage_functions[] = {
    {"_rebuild_storage", storage_rebuild, METH_O, "A storage from its bytes, or one on meta from their number, for pickle."},
    {"_rebuild_tensor", storage_rebuild_tensor, METH_VARARGS, "A tensor over a storage, for pickle."},
    {NULL, NULL, 0, NULL},
};

int tnpy_storage_add(PyObject *module) {
    if (!storage_objects && !(storage_objects = PyDict_New()))
        return -1;
    if (!tnpy_storage_type && !(tnpy_storage_type = (PyTypeObject *)PyType_FromSpec(&storage_spec)))
        return -1;
    if (PyModule_AddFunctions(module, storage_functions) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "UntypedStorage", (PyObject *)tnpy_storage_type);
}
