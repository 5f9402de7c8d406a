/* methods.c - the methods of Tensor that are not operators: what it is made of, conversions; copies are in copies.c. */
#include "core.h"

/* ---- questions */

/* A number for each dimension, or that of one: x.size(), x.size(1). */
static PyObject *method_dimension(PyObject *const *args, Py_ssize_t count, PyObject *names, const tn_tensor *tensor,
                                  int64_t (*one)(const tn_tensor *, int64_t), PyObject *(*all)(const tn_tensor *)) {
    Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    if (count + named > 1 || (named && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "dim") != 0)) {
        PyErr_SetString(PyExc_TypeError, "takes at most one argument, dim");
        return NULL;
    }
    if (count + named == 0 || args[0] == Py_None)
        return all(tensor);
    int64_t dim;
    int fits = PyBool_Check(args[0]) ? 0 : tnpy_to_int(args[0], &dim);
    if (fits <= 0) {
        if (fits == 0)
            PyErr_Format(PyExc_TypeError, "dim must be an integer, not %R", args[0]);
        return NULL;
    }
    int64_t value = one(tensor, dim);
    return tn_error_code() != TN_OK ? tnpy_raise() : PyLong_FromLongLong(value);
}

static PyObject *method_all_sizes(const tn_tensor *tensor) { return tnpy_size_object(tn_sizes(tensor)); }
static PyObject *method_all_strides(const tn_tensor *tensor) { return tnpy_int_tuple(tn_strides(tensor)); }

static PyObject *method_size(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    return method_dimension(args, count, names, tnpy_tensor_of(self), tn_size, method_all_sizes);
}
static PyObject *method_stride(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    return method_dimension(args, count, names, tnpy_tensor_of(self), tn_stride, method_all_strides);
}

static PyObject *method_dim(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyLong_FromLongLong(tn_ndim(tnpy_tensor_of(self)));
}
static PyObject *method_numel(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyLong_FromLongLong(tn_numel(tnpy_tensor_of(self)));
}
static PyObject *method_storage_offset(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyLong_FromLongLong(tn_storage_offset(tnpy_tensor_of(self)));
}
static PyObject *method_data_ptr(PyObject *self, PyObject *ignored) {
    (void)ignored;
    const tn_tensor *tensor = tnpy_tensor_of(self);
    return PyLong_FromUnsignedLongLong(tn_device_of(tensor).type == TN_META ? 0 : (uintptr_t)tn_data(tensor));
}
static PyObject *method_element_size(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyLong_FromSize_t(tn_element_size(tnpy_tensor_of(self)));
}
static PyObject *method_untyped_storage(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return tnpy_storage_object(tn_storage_of(tnpy_tensor_of(self)));
}
static PyObject *method_is_nonzero(PyObject *self, PyObject *ignored) {
    (void)ignored;
    int truth = PyObject_IsTrue(self);
    return truth < 0 ? NULL : PyBool_FromLong(truth);
}
static PyObject *method_is_same_size(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"other", NULL};
    PyObject *other;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O:is_same_size", keywords, &other))
        return NULL;
    if (!tnpy_is_tensor(other)) {
        PyErr_Format(PyExc_TypeError, "is_same_size compares with a tensor, not %R", (PyObject *)Py_TYPE(other));
        return NULL;
    }
    return PyBool_FromLong(tnpy_same_dims(tn_sizes(tnpy_tensor_of(self)), tn_sizes(tnpy_tensor_of(other))));
}
static PyObject *method_is_view(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyBool_FromLong(((tnpy_tensor *)self)->base != NULL);
}
static PyObject *method_is_floating_point(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_dtype_is_floating(tn_dtype_of(tnpy_tensor_of(self))));
}
static PyObject *method_is_complex(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_dtype_is_complex(tn_dtype_of(tnpy_tensor_of(self))));
}
static PyObject *method_is_signed(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_dtype_is_signed(tn_dtype_of(tnpy_tensor_of(self))));
}
static PyObject *method_get_device(PyObject *self, PyObject *ignored) {
    (void)ignored;
    tn_device device = tn_device_of(tnpy_tensor_of(self));
    return PyLong_FromLong(device.type == TN_CPU || device.type == TN_META ? -1 : device.index);
}
static PyObject *method_false(PyObject *self, PyObject *ignored) {
    (void)self;
    (void)ignored;
    Py_RETURN_FALSE;
}

static PyObject *method_is_contiguous(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"memory_format", NULL};
    PyObject *format = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|O:is_contiguous", keywords, &format))
        return NULL;
    if (format == Py_None)
        return PyBool_FromLong(tn_is_contiguous(tnpy_tensor_of(self)));
    if (Py_TYPE(format) != tnpy_format_type) {
        PyErr_Format(PyExc_TypeError, "memory_format must be a memory_format, not %R", format);
        return NULL;
    }
    return PyBool_FromLong(tn_is_contiguous_in(tnpy_tensor_of(self), ((tnpy_format *)format)->format));
}

static PyObject *method_is_set_to(PyObject *self, PyObject *other) {
    if (!tnpy_is_tensor(other)) {
        PyErr_SetString(PyExc_TypeError, "is_set_to compares with a tensor");
        return NULL;
    }
    const tn_tensor *a = tnpy_tensor_of(self), *b = tnpy_tensor_of(other);
    return PyBool_FromLong(tn_storage_of(a) == tn_storage_of(b) && tn_storage_offset(a) == tn_storage_offset(b) &&
                           tnpy_same_dims(tn_sizes(a), tn_sizes(b)) && tnpy_same_dims(tn_strides(a), tn_strides(b)));
}

static PyObject *method_item(PyObject *self, PyObject *ignored) {
    (void)ignored;
    tn_scalar value = tn_item(tnpy_tensor_of(self));
    return TNPY_UNLIKELY(tn_error_code() != TN_OK) ? tnpy_raise() : tnpy_scalar_object(value);
}

static PyObject *method_complex(PyObject *self, PyObject *ignored) {
    (void)ignored;
    tn_complex128 value = tn_item_complex(tnpy_tensor_of(self));
    return tn_error_code() != TN_OK ? tnpy_raise() : PyComplex_FromDoubles(value.real, value.imag);
}

/* A reversed view, as in torch: not an iterator. */
static PyObject *method_reversed(PyObject *self, PyObject *ignored) {
    (void)ignored;
    static const int64_t first[] = {0};
    if (tn_ndim(tnpy_tensor_of(self)) == 0)
        return Py_NewRef(self);
    return tnpy_wrap_view(tn_flip(tnpy_tensor_of(self), (tn_dims){first, 1}), self);
}

/* ---- conversions */

static PyObject *method_convert(PyObject *self, tn_dtype dtype, bool copy, tn_memory_format format) {
    tn_tensor *tensor = tnpy_tensor_of(self), *made;
    if (!copy && format == TN_PRESERVE && (dtype == TN_DTYPE_DEFAULT || dtype == tn_dtype_of(tensor)))
        return Py_NewRef(self);
    Py_BEGIN_ALLOW_THREADS made = tn_to_options(tensor, dtype, tn_device_of(tensor), copy, format);
    Py_END_ALLOW_THREADS if (made == tensor) {
        tn_release(made);
        return Py_NewRef(self);
    }
    return tnpy_wrap(made);
}

/* x.float(), x.float(memory_format=...) */
static PyObject *method_cast(PyObject *self, tn_dtype dtype, PyObject *args, PyObject *names) {
    static char *keywords[] = {"memory_format", NULL};
    PyObject *format = Py_None;
    if ((names || PyTuple_Size(args) > 0) && !PyArg_ParseTupleAndKeywords(args, names, "|$O", keywords, &format))
        return NULL;
    if (format != Py_None && Py_TYPE(format) != tnpy_format_type) {
        PyErr_Format(PyExc_TypeError, "memory_format must be a memory_format, not %R", format);
        return NULL;
    }
    return method_convert(self, dtype, false, format == Py_None ? TN_PRESERVE : ((tnpy_format *)format)->format);
}

#define METHOD_CAST(name, dtype)                                                                                               \
    static PyObject *method_##name(PyObject *self, PyObject *args, PyObject *names) {                                          \
        return method_cast(self, dtype, args, names);                                                                          \
    }
METHOD_CAST(float, TN_FLOAT32)
METHOD_CAST(double, TN_FLOAT64)
METHOD_CAST(half, TN_FLOAT16)
METHOD_CAST(bfloat16, TN_BFLOAT16)
METHOD_CAST(int, TN_INT32)
METHOD_CAST(long, TN_INT64)
METHOD_CAST(short, TN_INT16)
METHOD_CAST(char, TN_INT8)
METHOD_CAST(byte, TN_UINT8)
METHOD_CAST(bool, TN_BOOL)
METHOD_CAST(cfloat, TN_COMPLEX64)
METHOD_CAST(cdouble, TN_COMPLEX128)

/* What a call of to() asks for. */
typedef struct method_wish {
    tn_dtype dtype;
    tn_device device;
    bool copy;
    tn_memory_format format;
} method_wish;

/* One argument of to(): a dtype, a device, a tensor whose dtype and device are wanted, or a bool (non_blocking, copy). */
static int method_wish_position(method_wish *wish, PyObject *object, int *bools) {
    if (tnpy_is_tensor(object)) {
        wish->dtype = tn_dtype_of(tnpy_tensor_of(object));
        wish->device = tn_device_of(tnpy_tensor_of(object));
        return 1;
    }
    if (PyBool_Check(object)) {
        if ((*bools)++ == 1)
            wish->copy = object == Py_True;
        return *bools <= 2;
    }
    int fits = object == Py_None ? 1 : tnpy_to_dtype(object, &wish->dtype);
    return fits ? fits : tnpy_to_device(object, &wish->device);
}

static int method_wish_keyword(method_wish *wish, const char *name, PyObject *object) {
    if (strcmp(name, "non_blocking") == 0)
        return 1;
    if (strcmp(name, "copy") == 0) {
        int copy = PyObject_IsTrue(object);
        wish->copy = copy > 0;
        return copy < 0 ? -1 : 1;
    }
    if (object == Py_None)
        return strcmp(name, "dtype") == 0 || strcmp(name, "device") == 0 || strcmp(name, "memory_format") == 0;
    if (strcmp(name, "dtype") == 0)
        return tnpy_to_dtype(object, &wish->dtype);
    if (strcmp(name, "device") == 0)
        return tnpy_to_device(object, &wish->device);
    if (strcmp(name, "other") == 0 && tnpy_is_tensor(object)) {
        int bools = 0;
        return method_wish_position(wish, object, &bools);
    }
    if (strcmp(name, "memory_format") == 0 && Py_TYPE(object) == tnpy_format_type) {
        wish->format = ((tnpy_format *)object)->format;
        return 1;
    }
    return 0;
}

static PyObject *method_to(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    method_wish wish = {TN_DTYPE_DEFAULT, tn_device_of(tnpy_tensor_of(self)), false, TN_PRESERVE};
    int bools = 0;
    for (Py_ssize_t i = 0; i < count + (names ? PyTuple_Size(names) : 0); i++) {
        int fits;
        if (i < count)
            fits = method_wish_position(&wish, args[i], &bools);
        else {
            const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, i - count), NULL);
            fits = name ? method_wish_keyword(&wish, name, args[i]) : -1;
        }
        if (fits == 0)
            PyErr_Format(
                PyExc_TypeError,
                "to() takes a dtype, a device or a tensor, and dtype, device, copy, non_blocking, memory_format; not %R",
                args[i]);
        if (fits <= 0)
            return NULL;
    }
    if (!tn_device_equal(wish.device, tn_device_of(tnpy_tensor_of(self)))) {
        tn_tensor *made = tn_to_options(tnpy_tensor_of(self), wish.dtype, wish.device, wish.copy, wish.format);
        return tnpy_wrap(made);
    }
    return method_convert(self, wish.dtype, wish.copy, wish.format);
}

static PyObject *method_cpu(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"memory_format", NULL};
    PyObject *format = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|$O:cpu", keywords, &format))
        return NULL;
    if (format != Py_None && Py_TYPE(format) != tnpy_format_type) {
        PyErr_Format(PyExc_TypeError, "memory_format must be a memory_format, not %R", format);
        return NULL;
    }
    tn_memory_format order = format == Py_None ? TN_PRESERVE : ((tnpy_format *)format)->format;
    if (tn_device_of(tnpy_tensor_of(self)).type == TN_CPU)
        return method_convert(self, TN_DTYPE_DEFAULT, false, order);
    return tnpy_wrap(tn_to_options(tnpy_tensor_of(self), TN_DTYPE_DEFAULT, TN_DEVICE_CPU, false, order));
}

static PyObject *method_to_device(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"device", "stream", NULL};
    PyObject *device, *stream = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O|$O:to_device", keywords, &device, &stream))
        return NULL;
    return method_to(self, &device, 1, NULL);
}

static PyObject *method_type_as(PyObject *self, PyObject *other) { return method_to(self, &other, 1, NULL); }

/* "torch.FloatTensor" and so on: the names type() gives. */
static const char *const method_type_names[TN_DTYPE_COUNT] = {
    [TN_BOOL] = "BoolTensor",
    [TN_UINT8] = "ByteTensor",
    [TN_UINT16] = "UInt16Tensor",
    [TN_UINT32] = "UInt32Tensor",
    [TN_UINT64] = "UInt64Tensor",
    [TN_INT8] = "CharTensor",
    [TN_INT16] = "ShortTensor",
    [TN_INT32] = "IntTensor",
    [TN_INT64] = "LongTensor",
    [TN_FLOAT16] = "HalfTensor",
    [TN_BFLOAT16] = "BFloat16Tensor",
    [TN_FLOAT32] = "FloatTensor",
    [TN_FLOAT64] = "DoubleTensor",
    [TN_COMPLEX64] = "ComplexFloatTensor",
    [TN_COMPLEX128] = "ComplexDoubleTensor",
    [TN_FLOAT8_E4M3FN] = "Float8_e4m3fnTensor",
    [TN_FLOAT8_E5M2] = "Float8_e5m2Tensor",
};

static PyObject *method_type(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"dtype", "non_blocking", NULL};
    PyObject *wanted = Py_None, *ignored;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|OO:type", keywords, &wanted, &ignored))
        return NULL;
    tn_dtype dtype;
    if (wanted == Py_None)
        return PyUnicode_FromFormat("torch.%s%s", tn_device_of(tnpy_tensor_of(self)).type == TN_META ? "meta." : "",
                                    method_type_names[tn_dtype_of(tnpy_tensor_of(self))]);
    if (tnpy_to_dtype(wanted, &dtype) > 0)
        return method_convert(self, dtype, false, TN_PRESERVE);
    if (PyType_Check(wanted) && PyObject_HasAttrString(wanted, "_is_tensor_type")) { /* LongTensor, ... */
        PyObject *kind = PyObject_GetAttrString(wanted, "dtype");
        int fits = kind ? tnpy_to_dtype(kind, &dtype) : -1;
        Py_XDECREF(kind);
        if (fits != 0)
            return fits < 0 ? NULL : method_convert(self, dtype, false, TN_PRESERVE);
    }
    const char *text = PyUnicode_Check(wanted) ? PyUnicode_AsUTF8AndSize(wanted, NULL) : NULL;
    for (int i = 1; text && i < TN_DTYPE_COUNT; i++)
        if (strcmp(strncmp(text, "torch.", 6) == 0 ? text + 6 : text, method_type_names[i]) == 0)
            return method_convert(self, (tn_dtype)i, false, TN_PRESERVE);
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "type() takes a dtype, or the name of a tensor type, not %R", wanted);
    return NULL;
}

/* conj and negation compute at once: there is nothing to resolve. */
static PyObject *method_self(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return Py_NewRef(self);
}

static PyObject *method_reflected_divide(PyObject *self, PyObject *other) { return PyNumber_TrueDivide(other, self); }

/* ---- tensors like this one: the function of the module, with this tensor's dtype and device where none is given */

static PyObject *method_new(PyObject *self, const char *name, PyObject *args, PyObject *names) {
    PyObject *module = PyImport_ImportModule("tenon._core"), *made = NULL;
    PyObject *function = module ? PyObject_GetAttrString(module, name) : NULL;
    PyObject *with = function ? (names ? PyDict_Copy(names) : PyDict_New()) : NULL;
    PyObject *dtype = with ? PyDict_GetItemString(with, "dtype") : NULL;
    if (with && (!dtype || dtype == Py_None)) {
        dtype = tnpy_dtype_object(tn_dtype_of(tnpy_tensor_of(self)));
        if (!dtype || PyDict_SetItemString(with, "dtype", dtype) < 0)
            Py_CLEAR(with);
        Py_XDECREF(dtype);
    }
    PyObject *device = with ? PyDict_GetItemString(with, "device") : NULL;
    if (with && (!device || device == Py_None)) {
        device = tnpy_device_of(tn_device_of(tnpy_tensor_of(self)));
        if (!device || PyDict_SetItemString(with, "device", device) < 0)
            Py_CLEAR(with);
        Py_XDECREF(device);
    }
    if (with)
        made = PyObject_Call(function, args, with);
    Py_XDECREF(with);
    Py_XDECREF(function);
    Py_XDECREF(module);
    return made;
}

#define METHOD_NEW(name, function)                                                                                             \
    static PyObject *method_new_##name(PyObject *self, PyObject *args, PyObject *names) {                                      \
        return method_new(self, function, args, names);                                                                        \
    }
METHOD_NEW(zeros, "zeros")
METHOD_NEW(ones, "ones")
METHOD_NEW(empty, "empty")
METHOD_NEW(empty_strided, "empty_strided")
METHOD_NEW(full, "full")
METHOD_NEW(tensor, "tensor")

/* The same elements as an object of a class below Tensor. */
static PyObject *method_as_subclass(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"cls", NULL};
    PyObject *class;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O:as_subclass", keywords, &class))
        return NULL;
    if (!PyType_Check(class) || !PyType_IsSubtype((PyTypeObject *)class, tnpy_tensor_type)) {
        PyErr_Format(PyExc_TypeError, "as_subclass wants Tensor or a class below it, not %R", class);
        return NULL;
    }
    tn_tensor *made = tn_alias(tnpy_tensor_of(self));
    return made ? tnpy_wrap_as((PyTypeObject *)class, made, self) : tnpy_raise();
}

/* _make_subclass(cls, data, require_grad=False): a leaf of a class, over the memory of data. */
static PyObject *method_make_subclass(PyObject *ignored, PyObject *args, PyObject *names) {
    (void)ignored;
    static char *keywords[] = {"cls", "data", "require_grad", NULL};
    PyObject *class, *data;
    int wanted = 0;
    if (!PyArg_ParseTupleAndKeywords(args, names, "OO|p:_make_subclass", keywords, &class, &data, &wanted))
        return NULL;
    if (!PyType_Check(class) || !PyType_IsSubtype((PyTypeObject *)class, tnpy_tensor_type) || !tnpy_is_tensor(data)) {
        PyErr_Format(PyExc_TypeError, "_make_subclass wants a class below Tensor and a tensor, not %R and %R", class,
                     (PyObject *)Py_TYPE(data));
        return NULL;
    }
    tn_tensor *made = tn_detach(tnpy_tensor_of(data));
    return made ? tnpy_when_required(tnpy_wrap_as((PyTypeObject *)class, made, NULL), wanted) : tnpy_raise();
}

/* ---- methods that few programs need, written in Python (tenon/_methods.py) */

static PyObject *method_in_python(PyObject *self, const char *name, PyObject *args, PyObject *names) {
    PyObject *module = PyImport_ImportModule("tenon._methods"), *result = NULL;
    PyObject *function = module ? PyObject_GetAttrString(module, name) : NULL;
    PyObject *first = function ? PyTuple_Pack(1, self) : NULL, *all = first ? PySequence_Concat(first, args) : NULL;
    if (all)
        result = PyObject_Call(function, all, names);
    Py_XDECREF(all);
    Py_XDECREF(first);
    Py_XDECREF(function);
    Py_XDECREF(module);
    return result;
}

#define METHOD_IN_PYTHON(name)                                                                                                 \
    static PyObject *method_##name(PyObject *self, PyObject *args, PyObject *names) {                                          \
        return method_in_python(self, #name, args, names);                                                                     \
    }
METHOD_IN_PYTHON(apply_)
METHOD_IN_PYTHON(dim_order)
METHOD_IN_PYTHON(lu)
METHOD_IN_PYTHON(map_)
METHOD_IN_PYTHON(map2_)
METHOD_IN_PYTHON(storage)
METHOD_IN_PYTHON(coalesce)
METHOD_IN_PYTHON(cuda)
METHOD_IN_PYTHON(dense_dim)
METHOD_IN_PYTHON(indices)
METHOD_IN_PYTHON(is_coalesced)
METHOD_IN_PYTHON(is_shared)
METHOD_IN_PYTHON(module_load)
METHOD_IN_PYTHON(pin_memory)
METHOD_IN_PYTHON(record_stream)
METHOD_IN_PYTHON(reinforce)
METHOD_IN_PYTHON(resize)
METHOD_IN_PYTHON(resize_as)
METHOD_IN_PYTHON(share_memory_)
METHOD_IN_PYTHON(sparse_dim)
METHOD_IN_PYTHON(sparse_mask)
METHOD_IN_PYTHON(storage_type)
METHOD_IN_PYTHON(to_dense)
METHOD_IN_PYTHON(to_sparse)
METHOD_IN_PYTHON(unsafe_chunk)
METHOD_IN_PYTHON(unsafe_split)
METHOD_IN_PYTHON(unsafe_split_with_sizes)
METHOD_IN_PYTHON(values)
METHOD_IN_PYTHON(xpu)

/* ---- text */

static PyObject *method_format(PyObject *self, PyObject *specification) {
    if (!PyUnicode_Check(specification)) { /* PyObject_Format would end in a SystemError */
        PyErr_Format(PyExc_TypeError, "__format__ takes a text, not %R", (PyObject *)Py_TYPE(specification));
        return NULL;
    }
    if (tn_ndim(tnpy_tensor_of(self)) == 0 && tn_device_of(tnpy_tensor_of(self)).type != TN_META) {
        PyObject *item = method_item(self, NULL), *text = item ? PyObject_Format(item, specification) : NULL;
        Py_XDECREF(item);
        return text;
    }
    if (PyUnicode_GetLength(specification) == 0)
        return PyObject_Str(self);
    PyErr_Format(PyExc_TypeError,
                 "a tensor of %lld dimensions cannot be formatted with %R: only a tensor of no dimensions can, as its element",
                 (long long)tn_ndim(tnpy_tensor_of(self)), specification);
    return NULL;
}

/* ---- other libraries */

/* numpy.asarray over the buffer protocol: no copy. */
static PyObject *method_as_numpy(PyObject *self) {
    tn_dtype dtype = tn_dtype_of(tnpy_tensor_of(self));
    if (!tn_dtype_spelling(dtype, TN_SPELLING_NUMPY)) {
        PyErr_Format(PyExc_TypeError, "NumPy has no dtype for %s: convert it first, with .float()", tn_dtype_name(dtype));
        return NULL;
    }
    if (tnpy_refuse_recorded(tnpy_tensor_of(self), "an array over its memory") < 0)
        return NULL;
    if (tn_device_of(tnpy_tensor_of(self)).type != TN_CPU) {
        PyErr_Format(PyExc_TypeError, "NumPy cannot read the elements of a tensor on %s",
                     tn_device_type_name(tn_device_of(tnpy_tensor_of(self)).type));
        return NULL;
    }
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *view = numpy ? PyMemoryView_FromObject(self) : NULL;
    PyObject *array = view ? PyObject_CallMethod(numpy, "asarray", "O", view) : NULL;
    Py_XDECREF(view);
    Py_XDECREF(numpy);
    return array;
}

static PyObject *method_numpy(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"force", NULL};
    int force = 0;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|$p:numpy", keywords, &force))
        return NULL;
    if (!force || !tn_requires_grad(tnpy_tensor_of(self)))
        return method_as_numpy(self);
    PyObject *plain = tnpy_wrap(tn_detach(tnpy_tensor_of(self))), *array = plain ? method_as_numpy(plain) : NULL;
    Py_XDECREF(plain);
    return array;
}

static PyObject *method_array(PyObject *self, PyObject *args, PyObject *names) {
    static char *keywords[] = {"dtype", "copy", NULL};
    PyObject *dtype = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|OO:__array__", keywords, &dtype, &copy))
        return NULL;
    PyObject *array = method_as_numpy(self);
    if (!array || (dtype == Py_None && copy != Py_True))
        return array;
    PyObject *made;
    if (dtype != Py_None) {
        PyObject *has = PyObject_GetAttrString(array, "dtype");
        int same = has ? PyObject_RichCompareBool(has, dtype, Py_EQ) : -1;
        Py_XDECREF(has);
        if (same == 0 && copy == Py_False) {
            PyErr_SetString(PyExc_ValueError, "__array__: another dtype needs a copy, and copy is False");
            Py_DECREF(array);
            return NULL;
        }
        made = same < 0 ? NULL : same && copy != Py_True ? Py_NewRef(array) : PyObject_CallMethod(array, "astype", "O", dtype);
    } else
        made = PyObject_CallMethod(array, "copy", NULL);
    Py_DECREF(array);
    return made;
}

static PyObject *method_array_namespace(PyObject *self, PyObject *args, PyObject *names) {
    (void)self;
    static char *keywords[] = {"api_version", NULL};
    PyObject *version = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|$O:__array_namespace__", keywords, &version))
        return NULL;
    if (version != Py_None) {
        const char *text = PyUnicode_Check(version) ? PyUnicode_AsUTF8AndSize(version, NULL) : NULL;
        static const char *const known[] = {"2021.12", "2022.12", "2023.12", "2024.12"};
        bool found = false;
        for (size_t i = 0; text && i < sizeof known / sizeof *known; i++)
            found |= strcmp(known[i], text) == 0;
        if (!found) {
            PyErr_Format(PyExc_ValueError, "version %R of the array API is not supported; 2024.12 is", version);
            return NULL;
        }
    }
    return PyImport_ImportModule("tenon.array_api");
}

#define METHOD_NAMED(function) TNPY_FUNCTION(function), METH_VARARGS | METH_KEYWORDS
#define METHOD_FAST(function) TNPY_FUNCTION(function), METH_FASTCALL | METH_KEYWORDS
#define METHOD_CASTS(name, text)                                                                                               \
    { #name, METHOD_NAMED(method_##name), #name "($self, *, memory_format=None)\n--\n\nself as " text "." }

PyMethodDef tnpy_tensor_methods[] = {
    {"size", METHOD_FAST(method_size), "size($self, dim=None)\n--\n\nThe sizes, or that of one dimension."},
    {"stride", METHOD_FAST(method_stride), "stride($self, dim=None)\n--\n\nThe strides in elements, or that of one dimension."},
    {"dim", method_dim, METH_NOARGS, "dim($self)\n--\n\nHow many dimensions there are."},
    {"ndimension", method_dim, METH_NOARGS, "ndimension($self)\n--\n\nHow many dimensions there are."},
    {"numel", method_numel, METH_NOARGS, "numel($self)\n--\n\nHow many elements there are."},
    {"nelement", method_numel, METH_NOARGS, "nelement($self)\n--\n\nHow many elements there are."},
    {"storage_offset", method_storage_offset, METH_NOARGS,
     "storage_offset($self)\n--\n\nWhere in its storage the first element is, in elements."},
    {"data_ptr", method_data_ptr, METH_NOARGS,
     "data_ptr($self)\n--\n\nThe address of the first element; 0 where there is none."},
    {"element_size", method_element_size, METH_NOARGS, "element_size($self)\n--\n\nBytes of one element."},
    {"storage", METHOD_NAMED(method_storage), "storage($self)\n--\n\nThe elements that views share, a TypedStorage."},
    {"untyped_storage", method_untyped_storage, METH_NOARGS, "untyped_storage($self)\n--\n\nThe bytes that views share."},
    {"is_contiguous", METHOD_NAMED(method_is_contiguous),
     "is_contiguous($self, memory_format=None)\n--\n\nWhether the elements are in order, without gaps."},
    {"is_set_to", method_is_set_to, METH_O, "is_set_to($self, tensor)\n--\n\nWhether both are the same view of one storage."},
    {"is_floating_point", method_is_floating_point, METH_NOARGS, "is_floating_point($self)\n--\n\nWhether the dtype is one."},
    {"is_complex", method_is_complex, METH_NOARGS, "is_complex($self)\n--\n\nWhether the dtype is one."},
    {"is_signed", method_is_signed, METH_NOARGS, "is_signed($self)\n--\n\nWhether the dtype holds negative numbers."},
    {"is_conj", method_false, METH_NOARGS, "is_conj($self)\n--\n\nFalse: conj computes at once."},
    {"is_neg", method_false, METH_NOARGS, "is_neg($self)\n--\n\nFalse: negation computes at once."},
    {"is_inference", tnpy_is_inference, METH_NOARGS, "is_inference($self)\n--\n\nWhether it was made in inference_mode."},
    {"is_pinned", method_false, METH_NOARGS, "is_pinned($self)\n--\n\nFalse: memory is the CPU's."},
    {"get_device", method_get_device, METH_NOARGS, "get_device($self)\n--\n\nThe index of the device; -1 for the CPU."},
    {"is_nonzero", method_is_nonzero, METH_NOARGS, "is_nonzero($self)\n--\n\nWhether the only element is not 0."},
    {"is_same_size", METHOD_NAMED(method_is_same_size), "is_same_size($self, other)\n--\n\nWhether both have the same shape."},
    {"_is_view", method_is_view, METH_NOARGS, "_is_view($self)\n--\n\nWhether it was made as a view of another tensor."},
    {"item", method_item, METH_NOARGS, "item($self)\n--\n\nThe only element, as a number of Python."},
    {"tolist", tnpy_tolist, METH_NOARGS, "tolist($self)\n--\n\nThe elements as nested lists of numbers."},
    {"numpy", METHOD_NAMED(method_numpy), "numpy($self, *, force=False)\n--\n\nA NumPy array over the same memory."},
    {"to", METHOD_FAST(method_to),
     "to($self, *args, **kwargs)\n--\n\nself in another dtype, on another device, or both; self itself where nothing "
     "changes.\n\n"
     "    to(dtype, non_blocking=False, copy=False, *, memory_format=preserve_format)\n"
     "    to(device=None, dtype=None, non_blocking=False, copy=False, *, memory_format=preserve_format)\n"
     "    to(other, non_blocking=False, copy=False)\n"},
    {"to_device", METHOD_NAMED(method_to_device), "to_device($self, device, /, *, stream=None)\n--\n\nself on a device."},
    {"type", METHOD_NAMED(method_type), "type($self, dtype=None)\n--\n\nThe name of its type, or self in a dtype."},
    {"type_as", method_type_as, METH_O, "type_as($self, other)\n--\n\nself in the dtype of another tensor."},
    METHOD_CASTS(float, "float32"),
    METHOD_CASTS(double, "float64"),
    METHOD_CASTS(half, "float16"),
    METHOD_CASTS(bfloat16, "bfloat16"),
    METHOD_CASTS(int, "int32"),
    METHOD_CASTS(long, "int64"),
    METHOD_CASTS(short, "int16"),
    METHOD_CASTS(char, "int8"),
    METHOD_CASTS(byte, "uint8"),
    METHOD_CASTS(bool, "bool"),
    METHOD_CASTS(cfloat, "complex64"),
    METHOD_CASTS(cdouble, "complex128"),
    METHOD_CASTS(cpu, "a tensor in the CPU's memory"),
    {"resolve_conj", method_self, METH_NOARGS, "resolve_conj($self)\n--\n\nself: conj computes at once."},
    {"resolve_neg", method_self, METH_NOARGS, "resolve_neg($self)\n--\n\nself: negation computes at once."},
    {"__rdiv__", method_reflected_divide, METH_O, NULL},
    {"requires_grad_", METHOD_NAMED(tnpy_requires_grad_),
     "requires_grad_($self, requires_grad=True)\n--\n\nWhether operators on it are recorded from now on."},
    {"detach_", tnpy_detach_, METH_NOARGS, "detach_($self)\n--\n\nForgets how it was computed, and requires no gradient."},
    {"retain_grad", tnpy_retain_grad, METH_NOARGS,
     "retain_grad($self)\n--\n\nHas backward set its gradient though it is not a leaf."},
    {"register_hook", tnpy_register_hook, METH_O,
     "register_hook($self, hook, /)\n--\n\nhook(grad) is called when the gradient is computed, and may return another one."},
    {"register_post_accumulate_grad_hook", tnpy_register_accumulated, METH_O,
     "register_post_accumulate_grad_hook($self, hook, /)\n--\n\nhook(tensor) is called after backward has added to the gradient of a "
     "leaf."},
    {"backward", METHOD_NAMED(tnpy_backward),
     "backward($self, gradient=None, retain_graph=None, create_graph=False, inputs=None)\n--\n\nAdds the gradients of this tensor to "
     "the leaves that it was computed from."},
    {"new_zeros", METHOD_NAMED(method_new_zeros), "new_zeros($self, *size, **kwargs)\n--\n\nzeros, in the dtype of self."},
    {"new_ones", METHOD_NAMED(method_new_ones), "new_ones($self, *size, **kwargs)\n--\n\nones, in the dtype of self."},
    {"new_empty", METHOD_NAMED(method_new_empty), "new_empty($self, *size, **kwargs)\n--\n\nempty, in the dtype of self."},
    {"new_empty_strided", METHOD_NAMED(method_new_empty_strided),
     "new_empty_strided($self, size, stride, **kwargs)\n--\n\nempty_strided, in the dtype of self."},
    {"new_full", METHOD_NAMED(method_new_full),
     "new_full($self, size, fill_value, **kwargs)\n--\n\nfull, in the dtype of self."},
    {"new_tensor", METHOD_NAMED(method_new_tensor), "new_tensor($self, data, **kwargs)\n--\n\ntensor, in the dtype of self."},
    {"new", METHOD_NAMED(tnpy_method_new),
     "new($self, *args, **kwargs)\n--\n\nLike torch's first constructors: new() is empty, new(2, 3) has these sizes, new([1, "
     "2]) this "
     "data, in the dtype of self."},
    {"as_subclass", METHOD_NAMED(method_as_subclass),
     "as_subclass($self, cls)\n--\n\nThe same elements as an object of a class below Tensor."},
    {"_make_subclass", TNPY_FUNCTION(method_make_subclass), METH_VARARGS | METH_KEYWORDS | METH_STATIC, NULL},
    {"dim_order", METHOD_NAMED(method_dim_order),
     "dim_order($self, *, ambiguity_check=False)\n--\n\nThe dimensions, from the one with the largest stride to the one with "
     "the smallest."},
    {"apply_", METHOD_NAMED(method_apply_), "apply_($self, callable)\n--\n\nEach element becomes callable(element)."},
    {"lu", METHOD_NAMED(method_lu),
     "lu($self, pivot=True, get_infos=False)\n--\n\nThe factors of a matrix in one, and the pivots: torch.lu."},
    {"map_", METHOD_NAMED(method_map_),
     "map_($self, other, callable)\n--\n\nEach element becomes callable(element, element of other)."},
    {"map2_", METHOD_NAMED(method_map2_),
     "map2_($self, x, y, callable)\n--\n\nEach element becomes callable(element, element of x, element of y)."},
    {"coalesce", METHOD_NAMED(method_coalesce), "coalesce($self)\n--\n\nAn error: there are no sparse tensors here."},
    {"cuda", METHOD_NAMED(method_cuda),
     "cuda($self, device=None, non_blocking=False)\n--\n\nAn error: there is no CUDA device here."},
    {"const_data_ptr", method_data_ptr, METH_NOARGS, "const_data_ptr($self)\n--\n\ndata_ptr."},
    {"dense_dim", METHOD_NAMED(method_dense_dim), "dense_dim($self)\n--\n\nThe number of dimensions: no tensor is sparse."},
    {"is_coalesced", METHOD_NAMED(method_is_coalesced),
     "is_coalesced($self)\n--\n\nAn error: there are no sparse tensors here."},
    {"module_load", METHOD_NAMED(method_module_load),
     "module_load($self, other, assign=False)\n--\n\nWhat load_state_dict puts in place of self for other, where tensors are swapped."},
    {"sparse_dim", METHOD_NAMED(method_sparse_dim), "sparse_dim($self)\n--\n\n0: no tensor is sparse."},
    {"indices", METHOD_NAMED(method_indices), "indices($self)\n--\n\nAn error: there are no sparse tensors here."},
    {"is_shared", METHOD_NAMED(method_is_shared), "is_shared($self)\n--\n\nWhether processes share its memory."},
    {"pin_memory", METHOD_NAMED(method_pin_memory),
     "pin_memory($self, device=None)\n--\n\nAn error: memory is pinned for devices, and there are none here."},
    {"record_stream", METHOD_NAMED(method_record_stream),
     "record_stream($self, stream)\n--\n\nAn error: there are no streams here."},
    {"reinforce", METHOD_NAMED(method_reinforce), "reinforce($self)\n--\n\nAn error: there are no stochastic graphs."},
    {"resize", METHOD_NAMED(method_resize), "resize($self, *sizes)\n--\n\nAn old form of reshape, for as many elements."},
    {"resize_as", METHOD_NAMED(method_resize_as),
     "resize_as($self, tensor)\n--\n\nAn old form of reshape, to the sizes of another tensor."},
    {"share_memory_", METHOD_NAMED(method_share_memory_),
     "share_memory_($self)\n--\n\nMoves the elements to memory that processes share."},
    {"sparse_mask", METHOD_NAMED(method_sparse_mask),
     "sparse_mask($self, mask)\n--\n\nAn error: there are no sparse tensors here."},
    {"storage_type", METHOD_NAMED(method_storage_type), "storage_type($self)\n--\n\nThe class of its storage."},
    {"to_dense", METHOD_NAMED(method_to_dense),
     "to_dense($self, dtype=None, *, masked_grad=True)\n--\n\nself, for it is dense; in another dtype, where one is given."},
    {"to_sparse", METHOD_NAMED(method_to_sparse),
     "to_sparse($self, *args, **kwargs)\n--\n\nAn error: there are no sparse tensors here."},
    {"unsafe_chunk", METHOD_NAMED(method_unsafe_chunk), "unsafe_chunk($self, chunks, dim=0)\n--\n\nchunk."},
    {"unsafe_split", METHOD_NAMED(method_unsafe_split), "unsafe_split($self, split_size, dim=0)\n--\n\nsplit."},
    {"unsafe_split_with_sizes", METHOD_NAMED(method_unsafe_split_with_sizes),
     "unsafe_split_with_sizes($self, split_sizes, dim=0)\n--\n\nsplit."},
    {"values", METHOD_NAMED(method_values), "values($self)\n--\n\nAn error: there are no sparse tensors here."},
    {"xpu", METHOD_NAMED(method_xpu),
     "xpu($self, device=None, non_blocking=False)\n--\n\nAn error: there is no XPU device here."},
    {"__complex__", method_complex, METH_NOARGS, NULL},
    {"__reversed__", method_reversed, METH_NOARGS, NULL},
    {"__format__", method_format, METH_O, NULL},
    {"__copy__", tnpy_copy, METH_NOARGS, NULL},
    {"__deepcopy__", tnpy_deepcopy, METH_O, NULL},
    {"__reduce_ex__", tnpy_reduce, METH_O, NULL},
    {"__array__", METHOD_NAMED(method_array), NULL},
    {"__array_namespace__", METHOD_NAMED(method_array_namespace), NULL},
    {"__dlpack__", METHOD_FAST(tnpy_dlpack),
     "__dlpack__($self, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\nA DLPack capsule over the memory."},
    {"__dlpack_device__", tnpy_dlpack_device, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
