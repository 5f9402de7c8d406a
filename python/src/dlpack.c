/* dlpack.c - DLPack: tensors handed to and taken from other libraries without a copy.
 *
 * A thin face of the library's (tenon/files.h): here are the capsules, both the versioned one of DLPack 1 and the old one, and what the
 * protocol says about keywords.
 */
#include "core.h"

static const char dlpack_name_old[] = "dltensor", dlpack_name_versioned[] = "dltensor_versioned";
static const char dlpack_used_old[] = "used_dltensor", dlpack_used_versioned[] = "used_dltensor_versioned";

/* ---- out */

/* A capsule nobody took gives its tensor back. */
static void dlpack_capsule_end(PyObject *capsule) {
    if (PyCapsule_IsValid(capsule, dlpack_name_old)) {
        tn_dlpack_unversioned *old = PyCapsule_GetPointer(capsule, dlpack_name_old);
        if (old->deleter)
            old->deleter(old);
    } else if (PyCapsule_IsValid(capsule, dlpack_name_versioned)) {
        tn_dlpack_versioned *versioned = PyCapsule_GetPointer(capsule, dlpack_name_versioned);
        if (versioned->deleter)
            versioned->deleter(versioned);
    }
}

static PyObject *dlpack_export(tn_tensor *tensor, bool versioned, bool copied) {
    if (!versioned && tn_is_readonly(tensor)) {
        PyErr_SetString(PyExc_BufferError,
                        "the tensor is read-only, which an old capsule cannot say: ask with max_version=(1, 0)");
        return NULL;
    }
    tn_dlpack_versioned *lent = versioned ? tn_to_dlpack(tensor, copied ? TN_DLPACK_COPIED : 0) : NULL;
    tn_dlpack_unversioned *old = versioned ? NULL : tn_to_dlpack_unversioned(tensor);
    if (!lent && !old)
        return tnpy_raise();
    PyObject *capsule = lent ? PyCapsule_New(lent, dlpack_name_versioned, dlpack_capsule_end)
                             : PyCapsule_New(old, dlpack_name_old, dlpack_capsule_end);
    if (!capsule)
        lent ? lent->deleter(lent) : old->deleter(old);
    return capsule;
}

/* Keywords of __dlpack__. */
typedef struct dlpack_wish {
    PyObject *stream, *max_version, *dl_device, *copy;
} dlpack_wish;

static int dlpack_read_wish(dlpack_wish *wish, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    if (count > 1) {
        PyErr_SetString(PyExc_TypeError, "__dlpack__ takes keywords: stream, max_version, dl_device, copy");
        return -1;
    }
    if (count == 1)
        wish->stream = args[0];
    for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); i++) {
        const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, i), NULL);
        PyObject **to = !name                              ? NULL
                        : strcmp(name, "stream") == 0      ? &wish->stream
                        : strcmp(name, "max_version") == 0 ? &wish->max_version
                        : strcmp(name, "dl_device") == 0   ? &wish->dl_device
                        : strcmp(name, "copy") == 0        ? &wish->copy
                                                           : NULL;
        if (!to) {
            if (name)
                PyErr_Format(PyExc_TypeError, "__dlpack__ has no keyword '%s'", name);
            return -1;
        }
        *to = args[count + i];
    }
    return 0;
}

static bool dlpack_goes_backwards(const tn_tensor *tensor) {
    tn_dims sizes = tn_sizes(tensor), strides = tn_strides(tensor);
    for (int64_t i = 0; i < strides.count; i++)
        if (strides.values[i] < 0 && sizes.values[i] > 1)
            return true;
    return false;
}

/* Whether PyTorch's from_dlpack is asking. It does not support negative strides and ends the process when it meets one; it has
 * no read-only tensors, and would write. */
static bool dlpack_asked_by_torch(void) {
    PyObject *globals = PyEval_GetGlobals(), *name = globals ? PyDict_GetItemString(globals, "__name__") : NULL;
    const char *text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    return text && strncmp(text, "torch", 5) == 0 && (text[5] == 0 || text[5] == '.');
}

PyObject *tnpy_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    dlpack_wish wish = {Py_None, Py_None, Py_None, Py_None};
    if (dlpack_read_wish(&wish, args, count, names) < 0)
        return NULL;
    if (wish.stream != Py_None && !PyLong_Check(wish.stream)) {
        PyErr_Format(PyExc_TypeError, "stream must be an integer or None, not %R", (PyObject *)Py_TYPE(wish.stream));
        return NULL;
    }
    if (wish.stream != Py_None && (PyLong_AsLong(wish.stream) != -1 || PyErr_Occurred())) { /* -1: do not wait for any */
        PyErr_SetString(PyExc_BufferError,
                        "the elements are in the CPU's memory, where there are no streams: stream must be None or -1");
        return NULL;
    }
    if (tn_requires_grad(tnpy_tensor_of(self))) {
        PyErr_SetString(PyExc_BufferError, "a tensor that requires a gradient cannot be exported: use tensor.detach()");
        return NULL;
    }
    int device_type = TN_DLPACK_CPU, device_id = 0, major = 0, minor = 0;
    if (wish.dl_device != Py_None &&
        (!PyTuple_Check(wish.dl_device) || !PyArg_ParseTuple(wish.dl_device, "ii:dl_device", &device_type, &device_id))) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "dl_device must be a tuple of a device type and an index");
        return NULL;
    }
    if (device_type != TN_DLPACK_CPU) {
        PyErr_Format(PyExc_BufferError, "the tensor is on the CPU and cannot be handed out on device (%d, %d)", device_type,
                     device_id);
        return NULL;
    }
    if (wish.max_version != Py_None &&
        (!PyTuple_Check(wish.max_version) || !PyArg_ParseTuple(wish.max_version, "ii:max_version", &major, &minor))) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "max_version must be a tuple of two integers");
        return NULL;
    }
    tn_tensor *tensor = tnpy_tensor_of(self);
    if (tn_device_of(tensor).type != TN_CPU) {
        PyErr_SetString(PyExc_BufferError, "only tensors in the CPU's memory can be handed out");
        return NULL;
    }
    bool backwards = dlpack_goes_backwards(tensor);
    int copied = wish.copy == Py_None ? 0 : PyObject_IsTrue(wish.copy);
    if (copied < 0)
        return NULL;
    if (!copied) {
        if (TNPY_UNLIKELY(backwards || tn_is_readonly(tensor)) && dlpack_asked_by_torch()) {
            PyErr_SetString(PyExc_BufferError,
                            backwards
                                ? "the tensor has a negative stride, which PyTorch does not support: give it x.contiguous()"
                                : "the tensor is read-only, which PyTorch would ignore: give it x.clone()");
            return NULL;
        }
        return dlpack_export(tensor, major >= 1, false);
    }
    tn_tensor *copy = tn_clone(tensor, backwards ? TN_CONTIGUOUS : TN_PRESERVE);
    if (!copy)
        return tnpy_raise();
    PyObject *capsule = dlpack_export(copy, major >= 1, true);
    tn_release(copy);
    return capsule;
}

PyObject *tnpy_dlpack_device(PyObject *self, PyObject *ignored) {
    (void)ignored;
    tn_device device = tn_device_of(tnpy_tensor_of(self));
    if (device.type != TN_CPU) {
        PyErr_Format(PyExc_ValueError, "DLPack has no number for the device %s", tn_device_type_name(device.type));
        return NULL;
    }
    return Py_BuildValue("(ii)", TN_DLPACK_CPU, 0);
}

/* ---- in */

/* What cannot be taken is a BufferError; the capsule still has it. */
static PyObject *dlpack_refused(void) {
    tn_error_record record;
    tn_error code = tn_error_take(&record);
    bool own = code == TN_ERROR_DTYPE || code == TN_ERROR_DEVICE || code == TN_ERROR_UNSUPPORTED || code == TN_ERROR_ARGUMENT ||
               (code == TN_ERROR_SHAPE && strstr(record.message, "from_dlpack"));
    tnpy_raise_text(own ? PyExc_BufferError : tnpy_error_class(code), record.message);
    return NULL;
}

static PyObject *dlpack_consume(PyObject *capsule) {
    bool versioned = PyCapsule_IsValid(capsule, dlpack_name_versioned);
    if (!versioned && !PyCapsule_IsValid(capsule, dlpack_name_old)) {
        PyErr_SetString(PyExc_BufferError, "this is not a DLPack capsule, or it was already used");
        return NULL;
    }
    tn_tensor *made = versioned ? tn_from_dlpack(PyCapsule_GetPointer(capsule, dlpack_name_versioned))
                                : tn_from_dlpack_unversioned(PyCapsule_GetPointer(capsule, dlpack_name_old));
    if (!made)
        return dlpack_refused();
    (void)PyCapsule_SetName(capsule, versioned ? dlpack_used_versioned : dlpack_used_old);
    return tnpy_wrap(made);
}

/* Asks for a versioned capsule first; a producer that does not know the keywords gives an old one. */
static PyObject *dlpack_ask(PyObject *object, PyObject *copy) {
    PyObject *function = PyObject_GetAttrString(object, "__dlpack__");
    if (!function)
        return NULL;
    PyObject *none = PyTuple_New(0), *names = Py_BuildValue("{s(ii)}", "max_version", 1, 0), *capsule = NULL;
    if (none && names && (copy == Py_None || PyDict_SetItemString(names, "copy", copy) == 0)) {
        capsule = PyObject_Call(function, none, names);
        if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            capsule = PyObject_Call(function, none, NULL);
        }
    }
    Py_DECREF(function);
    Py_XDECREF(none);
    Py_XDECREF(names);
    return capsule;
}

static PyObject *dlpack_from(PyObject *module, PyObject *args, PyObject *names) {
    (void)module;
    static char *keywords[] = {"ext_tensor", "device", "copy", NULL};
    PyObject *object, *device = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O|$OO:from_dlpack", keywords, &object, &device, &copy))
        return NULL;
    if (device != Py_None) {
        tn_device wanted;
        int fits = tnpy_to_device(device, &wanted);
        if (fits == 0 || (fits > 0 && wanted.type != TN_CPU))
            PyErr_Format(PyExc_ValueError, "from_dlpack: %R is not a device that elements can be taken to", device);
        if (PyErr_Occurred())
            return NULL;
    }
    int copied = copy == Py_None ? 0 : PyObject_IsTrue(copy);
    PyObject *capsule = copied < 0 ? NULL : PyCapsule_CheckExact(object) ? Py_NewRef(object) : dlpack_ask(object, copy);
    if (!capsule)
        return NULL;
    PyObject *made = dlpack_consume(capsule);
    Py_DECREF(capsule);
    if (made && copied) {
        PyObject *own = tnpy_wrap(tn_clone(tnpy_tensor_of(made), TN_PRESERVE));
        Py_DECREF(made);
        made = own;
    }
    return made;
}

static PyObject *dlpack_to(PyObject *module, PyObject *tensor) {
    (void)module;
    if (tnpy_is_tensor(tensor))
        return tnpy_dlpack(tensor, NULL, 0, NULL);
    PyErr_Format(PyExc_TypeError, "to_dlpack wants a tensor, not %R", (PyObject *)Py_TYPE(tensor));
    return NULL;
}

PyMethodDef tnpy_dlpack_functions[] = {
    {"to_dlpack", dlpack_to, METH_O,
     "to_dlpack(input, /)\n--\n\nA DLPack capsule over the memory of a tensor, of the old kind."},
    {"from_dlpack", TNPY_FUNCTION(dlpack_from), METH_VARARGS | METH_KEYWORDS,
     "from_dlpack(x, /, *, device=None, copy=None)\n--\n\nA tensor over the memory of an array of another library, or of a "
     "DLPack "
     "capsule."},
    {NULL, NULL, 0, NULL},
};
