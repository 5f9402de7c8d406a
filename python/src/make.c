/* make.c - tensors from data: numbers, nested sequences, buffers, arrays of other libraries.
 *
 * Nested sequences are walked twice: once for the shape and the dtype the numbers suggest, once to store them. Invariant of
 * both walks: at depth d the sequence has the length that the first sequence at depth d had; a ragged one is an error. A tensor
 * inside a sequence is one number, whatever its dimensions, as in torch.
 */
#include "core.h"

/* What the numbers seen so far ask for. */
typedef struct make_plan {
    int64_t sizes[TN_MAX_DIMS];
    int ndim;
    bool seen_bool, seen_int, seen_float, seen_complex;
    tn_dtype seen_dtype; /* of tensors and NumPy's scalars among the elements */
    tn_dtype dtype;      /* what to store */
} make_plan;

static tn_dtype make_promote(tn_dtype a, tn_dtype b) {
    if (a == b || b == TN_DTYPE_DEFAULT)
        return a;
    if (a == TN_DTYPE_DEFAULT)
        return b;
    int64_t none = 0;
    tn_dims size = {&none, 1};
    tn_tensor *x = tn_empty(size, a), *y = tn_empty(size, b), *z = tn_add(x, y);
    tn_dtype promoted = z ? tn_dtype_of(z) : TN_DTYPE_DEFAULT;
    tn_release(x);
    tn_release(y);
    tn_release(z);
    return promoted;
}

static bool make_is_number(PyObject *object) {
    return PyFloat_Check(object) || PyLong_Check(object) || PyComplex_Check(object);
}

/* Whether an object is a sequence of further elements: 1, 0, or -1 with an exception. */
static int make_is_sequence(PyObject *object) {
    if (PyList_Check(object) || PyTuple_Check(object))
        return 1;
    if (make_is_number(object) || PyUnicode_Check(object) || PyBytes_Check(object) || tnpy_is_tensor(object))
        return 0;
    if (!PySequence_Check(object) || PyDict_Check(object))
        return 0;
    if (PySequence_Size(object) < 0) { /* an array without dimensions */
        PyErr_Clear();
        return 0;
    }
    return 1;
}

/* A sequence as a list or tuple, whose items can be borrowed. */
static PyObject *make_items(PyObject *sequence) {
    return PyList_Check(sequence) || PyTuple_Check(sequence) ? Py_NewRef(sequence) : PySequence_List(sequence);
}

static Py_ssize_t make_count(PyObject *items) { return PyList_Check(items) ? PyList_Size(items) : PyTuple_Size(items); }
static PyObject *make_item(PyObject *items, Py_ssize_t i) {
    return PyList_Check(items) ? PyList_GetItem(items, i) : PyTuple_GetItem(items, i);
}

/* The shape, from the first element of each sequence. */
static int make_shape(PyObject *data, make_plan *plan) {
    PyObject *at = Py_NewRef(data);
    plan->ndim = 0;
    for (;;) {
        int sequence = make_is_sequence(at);
        if (sequence <= 0) {
            Py_DECREF(at);
            return sequence;
        }
        PyObject *items = make_items(at);
        Py_DECREF(at);
        if (!items)
            return -1;
        if (plan->ndim == TN_MAX_DIMS) {
            Py_DECREF(items);
            PyErr_Format(PyExc_ValueError, "the sequences are nested more than %d deep", TN_MAX_DIMS);
            return -1;
        }
        Py_ssize_t count = make_count(items);
        plan->sizes[plan->ndim++] = count;
        at = count > 0 ? Py_XNewRef(make_item(items, 0)) : NULL;
        Py_DECREF(items);
        if (!at)
            return count > 0 ? -1 : 0;
    }
}

static int make_ragged(int depth, int64_t expected, Py_ssize_t found) {
    PyErr_Format(PyExc_ValueError, "the sequences at depth %d differ in length: the first has %lld items, another %zd", depth,
                 (long long)expected, found);
    return -1;
}

/* ---- the dtype */

static int make_refuse_tensor(const tn_tensor *tensor) {
    PyErr_Format(tn_dtype_is_integral(tn_dtype_of(tensor)) ? PyExc_TypeError : PyExc_ValueError,
                 "a tensor in a sequence is one number, but this one has %lld elements: stack() makes one tensor of several",
                 (long long)tn_numel(tensor));
    return -1;
}

/* An element that is not a Python number: a tensor of one element, a scalar of NumPy. */
static int make_foreign_element(PyObject *object, tn_scalar *value, tn_dtype *dtype) {
    if (tnpy_is_tensor(object)) {
        if (tn_numel(tnpy_tensor_of(object)) != 1)
            return make_refuse_tensor(tnpy_tensor_of(object));
        *value = tn_item(tnpy_tensor_of(object));
        *dtype = tn_dtype_of(tnpy_tensor_of(object));
        if (tn_error_code() == TN_OK)
            return 0;
        (void)tnpy_raise();
        return -1;
    }
    int fits = tnpy_to_scalar(object, value);
    if (fits > 0) {
        bool quiet = false;
        PyObject *tensor = tnpy_from_buffer(object, &quiet);
        *dtype = tensor ? tn_dtype_of(tnpy_tensor_of(tensor)) : TN_DTYPE_DEFAULT;
        Py_XDECREF(tensor);
        PyErr_Clear();
        return 0;
    }
    if (fits == 0) {
        bool quiet = false;
        PyObject *tensor = PyUnicode_Check(object) || PyBytes_Check(object) ? NULL : tnpy_from_buffer(object, &quiet);
        if (tensor && tn_numel(tnpy_tensor_of(tensor)) == 1) { /* an array without dimensions */
            *value = tn_item(tnpy_tensor_of(tensor));
            *dtype = tn_dtype_of(tnpy_tensor_of(tensor));
            Py_DECREF(tensor);
            return 0;
        }
        Py_XDECREF(tensor);
        if (!PyErr_Occurred())
            PyErr_Format(tnpy_error_class(TN_ERROR_DTYPE), "a tensor is made of numbers; %R is not a number", object);
    }
    return -1;
}

static void make_see(make_plan *plan, tn_scalar value) {
    plan->seen_bool |= value.kind == TN_SCALAR_BOOL;
    plan->seen_int |= value.kind == TN_SCALAR_INT || value.kind == TN_SCALAR_UINT;
    plan->seen_float |= value.kind == TN_SCALAR_FLOAT;
    plan->seen_complex |= value.kind == TN_SCALAR_COMPLEX;
}

/* The items of a list are held while they are read and stored: converting them runs their own code, which may change the list.
 * */
static int make_look_at(PyObject *object, make_plan *plan) {
    if (PyFloat_CheckExact(object))
        plan->seen_float = true;
    else if (PyBool_Check(object))
        plan->seen_bool = true;
    else if (PyLong_CheckExact(object))
        plan->seen_int = true;
    else {
        tn_scalar value;
        tn_dtype dtype = TN_DTYPE_DEFAULT;
        Py_INCREF(object);
        int code = make_foreign_element(object, &value, &dtype);
        Py_DECREF(object);
        if (code < 0)
            return -1;
        if (dtype == TN_DTYPE_DEFAULT)
            make_see(plan, value);
        else
            plan->seen_dtype = make_promote(plan->seen_dtype, dtype);
    }
    return 0;
}

/* The items of what must be a sequence: a new reference. */
static PyObject *make_open(PyObject *data, int depth) {
    Py_INCREF(data);
    int sequence = make_is_sequence(data);
    PyObject *items = sequence > 0 ? make_items(data) : NULL;
    if (sequence == 0)
        PyErr_Format(PyExc_TypeError, "at depth %d there is a sequence in one place and %R in another", depth, data);
    Py_DECREF(data);
    return items;
}

static int make_look(PyObject *data, int depth, make_plan *plan) {
    if (depth == plan->ndim)
        return make_look_at(data, plan);
    PyObject *items = make_open(data, depth);
    if (!items)
        return -1;
    int code = 0;
    Py_ssize_t count = make_count(items);
    if (count != plan->sizes[depth])
        code = make_ragged(depth, plan->sizes[depth], count);
    for (Py_ssize_t i = 0; code == 0 && i < count; i++) {
        PyObject *item = make_item(items, i);
        code = !item ? -1 : depth + 1 == plan->ndim ? make_look_at(item, plan) : make_look(item, depth + 1, plan);
    }
    Py_DECREF(items);
    return code;
}

static tn_dtype make_choose(const make_plan *plan) {
    tn_dtype numbers = plan->seen_complex ? tn_dtype_to_complex(tn_default_dtype())
                       : plan->seen_float ? tn_default_dtype()
                       : plan->seen_int   ? TN_INT64
                       : plan->seen_bool  ? TN_BOOL
                                          : TN_DTYPE_DEFAULT;
    tn_dtype chosen = make_promote(plan->seen_dtype, numbers);
    return chosen == TN_DTYPE_DEFAULT ? tn_default_dtype() : chosen;
}

/* ---- the elements */

/* An integer of more than 64 bits, where the elements do not need all of them: 1, 0 or -1 as a conversion. */
static int make_large_number(PyObject *object, tn_dtype dtype, tn_scalar *value) {
    int overflow = 0;
    if (!PyLong_Check(object) || (tn_dtype_is_integral(dtype) && dtype != TN_BOOL))
        return 0;
    (void)PyLong_AsLongLongAndOverflow(object, &overflow);
    if (!overflow)
        return 0;
    *value = dtype == TN_BOOL ? tn_scalar_bool(true) : tn_scalar_float(PyLong_AsDouble(object));
    return PyErr_Occurred() ? -1 : 1;
}

static int make_store_held(PyObject *object, char *to, tn_dtype dtype) {
    tn_scalar value;
    tn_dtype ignored;
    int large = make_large_number(object, dtype, &value);
    if (large < 0 || (large == 0 && make_foreign_element(object, &value, &ignored) < 0))
        return -1;
    if (!tn_dtype_is_complex(dtype) && value.kind == TN_SCALAR_COMPLEX && dtype != TN_BOOL) {
        PyErr_Format(PyExc_TypeError, "the complex number %R cannot be an element of %s", object, tn_dtype_name(dtype));
        return -1;
    }
    if (tn_dtype_is_integral(dtype) && dtype != TN_BOOL && !tn_dtype_can_hold(dtype, value)) {
        PyErr_Format(tnpy_overflow_error, "%R does not fit in an element of %s", object, tn_dtype_name(dtype));
        return -1;
    }
    tn_dtype_store(dtype, to, value);
    return 0;
}

static int make_store_any(PyObject *object, char *to, tn_dtype dtype) {
    Py_INCREF(object);
    int code = make_store_held(object, to, dtype);
    Py_DECREF(object);
    return code;
}

static int make_store_at(PyObject *object, char *to, tn_dtype dtype) {
    if (PyFloat_CheckExact(object)) {
        double value = PyFloat_AsDouble(object);
        if (dtype == TN_FLOAT32) {
            float narrow = (float)value;
            memcpy(to, &narrow, sizeof narrow);
            return 0;
        }
        if (dtype == TN_FLOAT64) {
            memcpy(to, &value, sizeof value);
            return 0;
        }
    }
    if (dtype == TN_INT64 && PyLong_CheckExact(object)) {
        int overflow;
        long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (!overflow) {
            memcpy(to, &value, sizeof value);
            return 0;
        }
    }
    return make_store_any(object, to, dtype);
}

static int make_store(PyObject *data, int depth, const make_plan *plan, char **to) {
    if (depth == plan->ndim) {
        if (make_store_at(data, *to, plan->dtype) < 0)
            return -1;
        *to += tn_dtype_size(plan->dtype);
        return 0;
    }
    PyObject *items = make_open(data, depth);
    if (!items)
        return -1;
    int code = 0;
    Py_ssize_t count = make_count(items);
    if (count != plan->sizes[depth])
        code = make_ragged(depth, plan->sizes[depth], count);
    for (Py_ssize_t i = 0; code == 0 && i < count; i++) {
        PyObject *item = make_item(items, i);
        code = item ? make_store(item, depth + 1, plan, to) : -1;
    }
    Py_DECREF(items);
    return code;
}

static PyObject *make_from_sequences(PyObject *data, tn_dtype dtype) {
    make_plan plan = {.ndim = 0, .dtype = dtype, .seen_dtype = TN_DTYPE_DEFAULT};
    if (make_shape(data, &plan) < 0)
        return NULL;
    if (dtype == TN_DTYPE_DEFAULT) {
        if (make_look(data, 0, &plan) < 0)
            return NULL;
        plan.dtype = make_choose(&plan);
    }
    tn_tensor *made = tn_empty((tn_dims){plan.sizes, plan.ndim}, plan.dtype);
    if (!made)
        return tnpy_raise();
    char *to = tn_mutable_data(made);
    if (make_store(data, 0, &plan, &to) < 0) {
        tn_release(made);
        return NULL;
    }
    return tnpy_wrap(made);
}

/* ---- all kinds of data */

/* Whether the buffer shows the bytes of one thing that is not a number, such as a NumPy date. */
static bool make_is_opaque(PyObject *data, PyObject *shared) {
    if (tn_ndim(tnpy_tensor_of(shared)) == 0 || !PyObject_HasAttrString(data, "ndim"))
        return false;
    PyObject *ndim = PyObject_GetAttrString(data, "ndim");
    bool opaque = ndim && PyLong_Check(ndim) && PyObject_Not(ndim) == 1;
    Py_XDECREF(ndim);
    PyErr_Clear();
    return opaque;
}

static PyObject *make_from_dlpack(PyObject *data) {
    PyObject *module = PyImport_ImportModule("tenon._core");
    PyObject *made = module ? PyObject_CallMethod(module, "from_dlpack", "O", data) : NULL;
    Py_XDECREF(module);
    return made;
}

/* A tensor over the memory of an array of another library, without a copy. NULL without an exception when it is not one. */
static PyObject *make_share(PyObject *data) {
    if (PyList_Check(data) || PyTuple_Check(data) || make_is_number(data) || PyUnicode_Check(data))
        return NULL;
    bool quiet = false;
    PyObject *made = tnpy_from_buffer(data, &quiet);
    if (made && make_is_opaque(data, made)) {
        Py_DECREF(made);
        PyErr_Format(tnpy_error_class(TN_ERROR_DTYPE), "%R is not a number: a tensor is made of numbers", data);
        return NULL;
    }
    return made || !quiet || !PyObject_HasAttrString(data, "__dlpack__") ? made : make_from_dlpack(data);
}

/* `tensor` in a dtype, TN_DTYPE_DEFAULT: its own; a copy where that is asked for or cannot be avoided. Takes `tensor`. */
static PyObject *make_copy(PyObject *tensor, tn_dtype dtype, bool copy) {
    if (!tensor)
        return NULL;
    tn_tensor *from = tnpy_tensor_of(tensor), *made;
    if (!copy && (dtype == TN_DTYPE_DEFAULT || dtype == tn_dtype_of(from)))
        return tensor;
    Py_BEGIN_ALLOW_THREADS made = tn_to_options(from, dtype, tn_device_of(from), copy, copy ? TN_CONTIGUOUS : TN_PRESERVE);
    Py_END_ALLOW_THREADS Py_DECREF(tensor);
    return tnpy_wrap(made);
}

/* What converts itself to a NumPy array, such as a column of a table, knows its dtype; all else is a number or a sequence. */
static PyObject *make_from_others(PyObject *data, tn_dtype dtype) {
    if (PyList_Check(data) || PyTuple_Check(data) || make_is_number(data) || PyType_Check(data) ||
        !PyObject_HasAttrString(data, "__array__"))
        return make_from_sequences(data, dtype);
    bool quiet = false;
    PyObject *array = PyObject_CallMethod(data, "__array__", NULL), *shared = array ? tnpy_from_buffer(array, &quiet) : NULL;
    bool failed = !array;
    Py_XDECREF(array); /* the tensor holds it */
    if (shared)
        return make_copy(shared, dtype, true);
    if (failed || (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)))
        return NULL;
    PyErr_Clear(); /* an array of objects, perhaps of numbers */
    return make_from_sequences(data, dtype);
}

PyObject *tnpy_make(PyObject *data, tn_dtype dtype) {
    if (tnpy_is_tensor(data)) {
        tn_tensor *from = tnpy_tensor_of(data);
        tn_grad_mode before = tn_requires_grad(from) ? tn_grad_mode_set(TN_GRAD_OFF) : TN_GRAD_OFF; /* a leaf is made */
        tn_tensor *made = tn_to_options(from, dtype, tn_device_of(from), true, TN_PRESERVE);
        if (before != TN_GRAD_OFF)
            (void)tn_grad_mode_set(before);
        return tnpy_wrap(made);
    }
    PyObject *shared = make_share(data);
    if (shared || PyErr_Occurred())
        return make_copy(shared, dtype, true);
    return make_from_others(data, dtype);
}

/* ---- the functions */

/* Bytes are text, not a list of numbers. */
static int make_refuse_bytes(PyObject *data, const char *function) {
    if (!PyBytes_Check(data))
        return 0;
    PyErr_Format(PyExc_TypeError, "%s(): bytes are not numbers: frombuffer(data, dtype=uint8) reads them as such", function);
    return -1;
}

/* dtype=, device= and requires_grad= of the functions below. */
static int make_options(PyObject *dtype, PyObject *device, PyObject *requires_grad, tn_dtype *out, tn_device *where,
                        bool *grad) {
    *out = TN_DTYPE_DEFAULT;
    if (dtype != Py_None && tnpy_to_dtype(dtype, out) <= 0) {
        PyErr_Format(PyExc_TypeError, "dtype must be a dtype, not %R", dtype);
        return -1;
    }
    if (tnpy_new_device(device, where) < 0)
        return -1;
    int wanted = PyObject_IsTrue(requires_grad);
    *grad = wanted > 0;
    return wanted < 0 ? -1 : 0;
}

/* `made`, which is taken and may be NULL, on the device that a call wants; it stays where it is when the call names none and
 * the default is the CPU. */
static PyObject *make_place(PyObject *made, PyObject *device, tn_device where) {
    if (!made || (device == Py_None && where.type == TN_CPU) || tn_device_of(tnpy_tensor_of(made)).type == where.type)
        return made;
    PyObject *there = tnpy_wrap(tn_to_device(tnpy_tensor_of(made), where));
    Py_DECREF(made);
    return there;
}

static PyObject *make_tensor(PyObject *module, PyObject *args, PyObject *names) {
    (void)module;
    static char *keywords[] = {"data", "dtype", "device", "requires_grad", "pin_memory", NULL};
    PyObject *data, *dtype = Py_None, *device = Py_None, *grad = Py_False, *pin = Py_False;
    tn_dtype wanted;
    tn_device where;
    bool required;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O|$OOOO:tensor", keywords, &data, &dtype, &device, &grad, &pin) ||
        make_options(dtype, device, grad, &wanted, &where, &required) < 0 || make_refuse_bytes(data, "tensor") < 0)
        return NULL;
    return tnpy_when_required(make_place(tnpy_make(data, wanted), device, where), required);
}

/* torch warns too, because it would write to such memory. Takes `made`, which may be NULL. */
static PyObject *make_remark(PyObject *made) {
    if (made && tn_is_readonly(tnpy_tensor_of(made)) &&
        PyErr_WarnEx(PyExc_UserWarning,
                     "the memory is read-only, and so is the tensor over it: to write, use tensor(data), which copies", 1) < 0)
        Py_CLEAR(made);
    return made;
}

static PyObject *make_as_tensor(PyObject *module, PyObject *args, PyObject *names) {
    (void)module;
    static char *keywords[] = {"data", "dtype", "device", NULL};
    PyObject *data, *dtype = Py_None, *device = Py_None;
    tn_dtype wanted;
    tn_device where;
    bool required;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O|OO:as_tensor", keywords, &data, &dtype, &device) ||
        make_options(dtype, device, Py_False, &wanted, &where, &required) < 0 || make_refuse_bytes(data, "as_tensor") < 0)
        return NULL;
    PyObject *shared = tnpy_is_tensor(data) ? Py_NewRef(data) : make_share(data);
    if (shared || PyErr_Occurred())
        return make_place(tnpy_is_tensor(data) ? make_copy(shared, wanted, false)
                                               : make_remark(make_copy(shared, wanted, false)),
                          device, where);
    return make_place(make_from_others(data, wanted), device, where);
}

static PyObject *make_asarray(PyObject *module, PyObject *args, PyObject *names) {
    (void)module;
    static char *keywords[] = {"obj", "dtype", "device", "copy", "requires_grad", NULL};
    PyObject *data, *dtype = Py_None, *device = Py_None, *copy = Py_None, *grad = Py_False;
    tn_dtype wanted;
    tn_device where;
    bool required;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O|$OOOO:asarray", keywords, &data, &dtype, &device, &copy, &grad) ||
        make_options(dtype, device, grad, &wanted, &where, &required) < 0)
        return NULL;
    int copied = copy == Py_None ? 0 : PyObject_IsTrue(copy);
    if (copied < 0)
        return NULL;
    PyObject *shared = tnpy_is_tensor(data)         ? Py_NewRef(data)
                       : PyCapsule_CheckExact(data) ? make_from_dlpack(data)
                                                    : make_share(data);
    if (!shared && PyErr_Occurred())
        return NULL;
    bool must_copy = !shared || (wanted != TN_DTYPE_DEFAULT && wanted != tn_dtype_of(tnpy_tensor_of(shared)));
    if (copy != Py_None && !copied && must_copy) {
        Py_XDECREF(shared);
        PyErr_SetString(PyExc_ValueError, "asarray: this cannot be done without a copy, and copy is False");
        return NULL;
    }
    if (!shared)
        return tnpy_when_required(make_place(make_from_others(data, wanted), device, where), required);
    PyObject *made = make_copy(shared, wanted, copied);
    return tnpy_when_required(make_place(tnpy_is_tensor(data) ? made : make_remark(made), device, where), required);
}

static PyObject *make_from_numpy(PyObject *module, PyObject *array) {
    (void)module;
    if (!PyObject_HasAttrString(array, "__array_interface__") || tnpy_is_tensor(array)) {
        PyErr_Format(PyExc_TypeError, "from_numpy wants a NumPy array, not %R", (PyObject *)Py_TYPE(array));
        return NULL;
    }
    return make_remark(tnpy_from_buffer(array, NULL));
}

static PyObject *make_frombuffer(PyObject *module, PyObject *args, PyObject *names) {
    (void)module;
    static char *keywords[] = {"buffer", "dtype", "count", "offset", "requires_grad", NULL};
    PyObject *buffer, *dtype, *grad = Py_False;
    Py_ssize_t count = -1, offset = 0;
    tn_dtype wanted;
    tn_device where;
    bool required;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O|$OnnO:frombuffer", keywords, &buffer, &dtype, &count, &offset, &grad))
        return NULL;
    if (PyTuple_Size(args) != 1 || !names || !PyDict_GetItemString(names, "dtype")) {
        PyErr_SetString(PyExc_TypeError, "frombuffer wants a buffer, and its dtype as a keyword");
        return NULL;
    }
    if (make_options(dtype, Py_None, grad, &wanted, &where, &required) < 0)
        return NULL;
    if (!PyObject_CheckBuffer(buffer)) {
        PyErr_Format(PyExc_ValueError, "frombuffer: %R has no buffer to look at", (PyObject *)Py_TYPE(buffer));
        return NULL;
    }
    PyObject *view = PyMemoryView_FromObject(buffer);
    PyObject *bytes = view ? PyObject_CallMethod(view, "cast", "s", "B") : NULL;
    Py_ssize_t size = (Py_ssize_t)tn_dtype_size(wanted), have = bytes ? PyObject_Size(bytes) : 0;
    Py_ssize_t left = offset < 0 || offset > have ? 0 : have - offset;
    if (bytes && (left == 0 || (count < 0 ? left % size != 0 : count == 0 || count > left / size))) {
        PyErr_Format(PyExc_ValueError, "frombuffer: %zd bytes from offset %zd do not hold %zd elements of %zd bytes", have,
                     offset, count, size);
        Py_CLEAR(bytes);
    }
    Py_ssize_t end = offset + (count < 0 ? left : count * size);
    PyObject *part = bytes ? PySequence_GetSlice(bytes, offset, end) : NULL; /* may begin at any address */
    PyObject *elements = part ? tnpy_from_buffer(part, NULL) : NULL;
    tn_tensor *made = elements ? tn_view_dtype(tnpy_tensor_of(elements), wanted) : NULL;
    PyObject *tensor = elements ? make_remark(tnpy_wrap(made)) : NULL;
    Py_XDECREF(view);
    Py_XDECREF(bytes);
    Py_XDECREF(part);
    Py_XDECREF(elements);
    return tnpy_when_required(tensor, required);
}

#define MAKE_NAMED(function) TNPY_FUNCTION(function), METH_VARARGS | METH_KEYWORDS
PyMethodDef tnpy_make_functions[] = {
    {"tensor", MAKE_NAMED(make_tensor),
     "tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False)\n--\n\nA new tensor with a copy of the "
     "data: "
     "numbers, nested sequences, buffers, NumPy arrays, tensors."},
    {"as_tensor", MAKE_NAMED(make_as_tensor),
     "as_tensor(data, dtype=None, device=None)\n--\n\nThe data as a tensor, without a copy where that is possible."},
    {"asarray", MAKE_NAMED(make_asarray),
     "asarray(obj, /, *, dtype=None, device=None, copy=None, requires_grad=False)\n--\n\nThe data as a tensor. copy True: "
     "always a copy; False: never; None: only where it must be."},
    {"from_numpy", make_from_numpy, METH_O,
     "from_numpy(ndarray)\n--\n\nA tensor over the memory of a NumPy array. It is read-only if the array is."},
    {"frombuffer", MAKE_NAMED(make_frombuffer),
     "frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False)\n--\n\nA vector over the bytes of a buffer. It is "
     "read-only if the buffer is."},
    {NULL, NULL, 0, NULL},
};
