/* convert.c - one Python object as one value of the library.
 *
 * A conversion answers 1 (it fits), 0 (it does not, and no exception is set: another form of the operator may take it) or -1
 * (an exception). What a value points at lives in the scratch, which the caller clears after the call.
 */
#include "core.h"

void tnpy_scratch_clear(tnpy_scratch *scratch) {
    for (int i = 0; i < scratch->held_count; i++)
        Py_DECREF(scratch->held[i]);
    for (int i = 0; i < scratch->tensors_used; i++)
        PyMem_Free((void *)scratch->tensors[i]);
    if (scratch->index) {
        tnpy_index_clear(scratch->index);
        PyMem_Free(scratch->index);
        scratch->index = NULL;
    }
    scratch->held_count = scratch->tensors_used = scratch->reals_used = 0;
    scratch->numbers_used = 0;
    scratch->numbers_as_tensors = false;
}

/* ---- numbers */

static int convert_long(PyObject *object, tn_scalar *out) {
    int overflow;
    long long whole = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (!overflow) {
        if (whole == -1 && PyErr_Occurred())
            return -1;
        *out = tn_scalar_int(whole);
        return 1;
    }
    if (overflow > 0) {
        unsigned long long large = PyLong_AsUnsignedLongLong(object);
        if (large != (unsigned long long)-1 || !PyErr_Occurred()) {
            *out = tn_scalar_uint(large);
            return 1;
        }
        PyErr_Clear();
    }
    PyErr_Format(tnpy_overflow_error, "the integer %R does not fit in 64 bits", object);
    return -1;
}

/* A scalar of NumPy or of another library: it has a dtype and no dimensions, and item() gives a number of Python. */
static int convert_foreign(PyObject *object, tn_scalar *out) {
    if (PyList_Check(object) || PyTuple_Check(object) || PyUnicode_Check(object) || tnpy_is_tensor(object) ||
        Py_TYPE(object) == tnpy_dtype_type || Py_TYPE(object) == tnpy_device_type)
        return 0;
    if (!PyObject_HasAttrString(object, "dtype") || !PyObject_HasAttrString(object, "item"))
        return 0;
    PyObject *ndim = PyObject_GetAttrString(object, "ndim");
    if (!ndim) {
        PyErr_Clear();
        return 0;
    }
    bool dimensions = !PyLong_Check(ndim) || PyObject_IsTrue(ndim) != 0;
    Py_DECREF(ndim);
    if (dimensions || PyObject_HasAttrString(object, "__setitem__"))
        return 0; /* an array, though it may have no dimensions */
    PyObject *item = PyObject_CallMethod(object, "item", NULL);
    if (!item)
        return -1;
    int fits = PyFloat_Check(item) || PyLong_Check(item) || PyComplex_Check(item) ? tnpy_to_scalar(item, out) : 0;
    Py_DECREF(item);
    return fits;
}

int tnpy_to_scalar(PyObject *object, tn_scalar *out) {
    if (PyFloat_Check(object)) {
        *out = tn_scalar_float(PyFloat_AsDouble(object));
        return 1;
    }
    if (object == Py_True || object == Py_False) {
        *out = tn_scalar_bool(object == Py_True);
        return 1;
    }
    if (PyLong_Check(object))
        return convert_long(object, out);
    if (PyComplex_Check(object)) {
        *out = tn_scalar_complex(PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object));
        return 1;
    }
    return object == Py_None ? 0 : convert_foreign(object, out);
}

int tnpy_to_int(PyObject *object, int64_t *out) {
    if (!PyLong_Check(object)) {
        if (PyFloat_Check(object) || !PyIndex_Check(object))
            return 0;
        PyObject *number = PyNumber_Index(object);
        if (!number) { /* a tensor that is not an integer */
            if (!PyErr_ExceptionMatches(PyExc_TypeError))
                return -1;
            PyErr_Clear();
            return 0;
        }
        int fits = tnpy_to_int(number, out);
        Py_DECREF(number);
        return fits;
    }
    int overflow;
    long long whole = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow) {
        PyErr_Format(tnpy_overflow_error, "the integer %R does not fit in 64 bits", object);
        return -1;
    }
    *out = whole;
    return 1;
}

/* ---- texts, dtypes and devices */

const char *tnpy_text(PyObject *object) {
    Py_ssize_t size = 0;
    const char *text = PyUnicode_AsUTF8AndSize(object, &size);
    if (text && strlen(text) != (size_t)size) {
        PyErr_Format(PyExc_ValueError, "%R has a null character in it", object);
        return NULL;
    }
    return text;
}

int tnpy_to_dtype(PyObject *object, tn_dtype *out) {
    if (Py_TYPE(object) == tnpy_dtype_type)
        *out = ((tnpy_dtype *)object)->dtype;
    else if (object == (PyObject *)&PyFloat_Type)
        *out = TN_FLOAT64;
    else if (object == (PyObject *)&PyBool_Type)
        *out = TN_BOOL;
    else if (object == (PyObject *)&PyLong_Type)
        *out = TN_INT64;
    else if (object == (PyObject *)&PyComplex_Type)
        *out = TN_COMPLEX128;
    else
        return 0;
    return 1;
}

int tnpy_to_device(PyObject *object, tn_device *out) {
    if (Py_TYPE(object) == tnpy_device_type) {
        *out = ((tnpy_device *)object)->device;
        return 1;
    }
    if (!PyUnicode_Check(object))
        return 0;
    const char *text = tnpy_text(object);
    if (!text)
        return -1;
    if (tn_device_parse(text, out) == TN_OK)
        return 1;
    (void)tnpy_raise();
    return -1;
}

tn_dtype tnpy_result_dtype(tn_dtype tensor, tn_scalar number) {
    tn_dtype_kind kind = tn_dtype_kind_of(tensor);
    switch (number.kind) {
    case TN_SCALAR_BOOL: return tensor;
    case TN_SCALAR_INT: return kind == TN_KIND_BOOL ? TN_INT64 : tensor;
    case TN_SCALAR_UINT: return kind == TN_KIND_BOOL ? TN_UINT64 : tensor;
    case TN_SCALAR_FLOAT: return kind == TN_KIND_FLOAT || kind == TN_KIND_COMPLEX ? tensor : tn_default_dtype();
    default:
        if (kind == TN_KIND_COMPLEX)
            return tensor;
        return tn_dtype_to_complex(kind == TN_KIND_FLOAT ? tensor : tn_default_dtype());
    }
}

tn_tensor *tnpy_number_tensor(tn_scalar number, const tn_tensor *other) {
    return (tn_full)((tn_dims){NULL, 0}, number, other ? tnpy_result_dtype(tn_dtype_of(other), number) : TN_DTYPE_DEFAULT);
}

/* ---- lists */

/* An integer as an argument; True and False do not count as integers. */
static int convert_int(PyObject *object, int64_t *out) { return PyBool_Check(object) ? 0 : tnpy_to_int(object, out); }

static int convert_dims(PyObject *object, bool lenient, tnpy_scratch *scratch, tn_value *value) {
    int64_t *numbers = scratch->numbers + scratch->numbers_used, room = TNPY_NUMBERS - scratch->numbers_used;
    bool tuple = PyTuple_Check(object);
    if (!tuple && !PyList_Check(object)) {
        if (tnpy_is_tensor(object) && (!lenient || tn_numel(tnpy_tensor_of(object)) != 1))
            return 0;
        int fits = room > 0 ? convert_int(object, numbers) : 0;
        if (fits > 0) {
            *value = tn_value_dims((tn_dims){numbers, 1});
            scratch->numbers_used++;
        }
        return fits;
    }
    Py_ssize_t count = tuple ? PyTuple_Size(object) : PyList_Size(object);
    if (count > TN_MAX_DIMS || count > room) {
        PyErr_Format(PyExc_ValueError, "a list of %zd sizes or dimensions is too long: %d is the most", count, TN_MAX_DIMS);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = tuple ? PyTuple_GetItem(object, i) : PyList_GetItem(object, i);
        int fits = item ? convert_int(item, &numbers[i]) : -1;
        if (fits <= 0)
            return fits;
    }
    *value = tn_value_dims((tn_dims){numbers, count});
    scratch->numbers_used += count;
    return 1;
}

PyObject *tnpy_hold_list(PyObject *object, tnpy_scratch *scratch) {
    if (!PyList_Check(object))
        return object;
    PyObject *tuple = scratch->held_count < TNPY_HELD ? PyList_AsTuple(object) : NULL;
    if (tuple)
        scratch->held[scratch->held_count++] = tuple;
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "there are too many lists among the arguments");
    return tuple;
}

/* Real numbers of Python, in a tuple or a list. */
static int convert_floats(PyObject *object, tnpy_scratch *scratch, tn_value *value) {
    if (!PyTuple_Check(object) && !PyList_Check(object))
        return 0;
    object = tnpy_hold_list(object, scratch);
    if (!object)
        return -1;
    Py_ssize_t count = PyTuple_Size(object);
    double *reals = scratch->reals + scratch->reals_used;
    if (count > TN_MAX_DIMS - scratch->reals_used) {
        PyErr_Format(PyExc_ValueError, "a list of %zd numbers is too long: %d is the most", count, TN_MAX_DIMS);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyTuple_GetItem(object, i);
        if (!item || (!PyFloat_Check(item) && !PyLong_Check(item)))
            return item ? 0 : -1;
        reals[i] = PyFloat_AsDouble(item);
        if (reals[i] == -1 && PyErr_Occurred())
            return -1;
    }
    *value = tn_value_floats((tn_floats){reals, count});
    scratch->reals_used += (int)count;
    return 1;
}

static int convert_tensors(PyObject *object, tnpy_scratch *scratch, tn_value *value) {
    if ((!PyTuple_Check(object) && !PyList_Check(object)) || scratch->tensors_used == 2)
        return 0;
    if (!(object = tnpy_hold_list(object, scratch)))
        return -1;
    Py_ssize_t count = PyTuple_Size(object);
    const tn_tensor **tensors = PyMem_Malloc((size_t)(count + 1) * sizeof *tensors);
    if (!tensors) {
        PyErr_NoMemory();
        return -1;
    }
    scratch->tensors[scratch->tensors_used++] = tensors;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyTuple_GetItem(object, i);
        if (!tnpy_is_tensor(item))
            return 0;
        tensors[i] = tnpy_tensor_of(item);
    }
    *value = tn_value_tensors(tensors, count);
    return 1;
}

static int convert_index(PyObject *object, tnpy_scratch *scratch, tn_value *value) {
    if (scratch->index)
        return 0;
    tnpy_index *index = PyMem_Malloc(sizeof *index);
    if (!index) {
        PyErr_NoMemory();
        return -1;
    }
    if (tnpy_index_read(object, index) < 0) {
        PyMem_Free(index);
        return -1;
    }
    scratch->index = index;
    *value = tn_value_index((tn_index_list){index->items, index->count});
    return 1;
}

/* ---- any type */

/* A tensor without dimensions where a number is wanted. */
static int convert_item(PyObject *object, tn_scalar *out) {
    if (!tnpy_is_tensor(object) || tn_numel(tnpy_tensor_of(object)) != 1 || tn_ndim(tnpy_tensor_of(object)) != 0)
        return 0;
    *out = tn_item(tnpy_tensor_of(object));
    if (tn_error_code() == TN_OK)
        return 1;
    (void)tnpy_raise();
    return -1;
}

static int convert_number(PyObject *object, bool lenient, tn_scalar *out) {
    int fits = tnpy_to_scalar(object, out);
    return fits == 0 && lenient ? convert_item(object, out) : fits;
}

/* The same where a real number is wanted: an integer of more than 64 bits is one, rounded. */
static int convert_real(PyObject *object, bool lenient, tn_scalar *out) {
    int overflow = 0;
    if (!PyLong_Check(object) || (PyLong_AsLongLongAndOverflow(object, &overflow) == -1 && PyErr_Occurred()) || !overflow)
        return convert_number(object, lenient, out);
    *out = tn_scalar_float(PyLong_AsDouble(object));
    return PyErr_Occurred() ? -1 : 1;
}

static int convert_tensor(PyObject *object, bool lenient, tnpy_scratch *scratch, tn_value *value) {
    if (TNPY_LIKELY(tnpy_is_tensor(object))) {
        *value = (tn_value){.kind = TN_VALUE_TENSOR, .as.tensor = tnpy_tensor_of(object)};
        return 1;
    }
    tn_scalar number;
    int fits = lenient ? tnpy_to_scalar(object, &number) : 0;
    if (fits > 0) {
        *value = tn_value_scalar(number);
        scratch->numbers_as_tensors = true;
    }
    return fits;
}

int tnpy_convert(tn_type type, PyObject *object, bool lenient, tnpy_scratch *scratch, tn_value *value) {
    int fits;
    tn_scalar number;
    switch (type) {
    case TN_TYPE_OPTIONAL:
        if (object == Py_None) {
            *value = tn_value_none();
            return 1;
        }
        return convert_tensor(object, lenient, scratch, value);
    case TN_TYPE_TENSOR: return convert_tensor(object, lenient, scratch, value);
    case TN_TYPE_WRITTEN: return convert_tensor(object, false, scratch, value);
    case TN_TYPE_TENSORS: return convert_tensors(object, scratch, value);
    case TN_TYPE_STORAGE:
        if (Py_TYPE(object) != tnpy_storage_type)
            return 0;
        *value = tn_value_storage(((tnpy_storage *)object)->storage);
        return 1;
    case TN_TYPE_DIMS: return convert_dims(object, lenient, scratch, value);
    case TN_TYPE_INDEX: return convert_index(object, scratch, value);
    case TN_TYPE_INT:
        *value = tn_value_int(0);
        return tnpy_is_tensor(object) && !lenient ? 0 : convert_int(object, &value->as.integer);
    case TN_TYPE_FLOAT:
        fits = convert_real(object, lenient, &number);
        if (fits <= 0 || number.kind == TN_SCALAR_COMPLEX)
            return fits < 0 ? -1 : 0;
        *value = tn_value_scalar(number);
        return 1;
    case TN_TYPE_BOOL:
        if (!PyBool_Check(object)) {
            fits = PyLong_Check(object) || PyFloat_Check(object) ? 0 : convert_foreign(object, &number);
            if (fits <= 0 || number.kind != TN_SCALAR_BOOL)
                return fits < 0 ? -1 : 0;
            *value = tn_value_bool(number.value.b);
            return 1;
        }
        *value = tn_value_bool(object == Py_True);
        return 1;
    case TN_TYPE_TEXT:
        if (!PyUnicode_Check(object))
            return 0;
        *value = tn_value_text(tnpy_text(object));
        return value->as.text ? 1 : -1;
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER:
        fits = convert_number(object, lenient, &number);
        if (fits > 0)
            *value = tn_value_scalar(number);
        return fits;
    case TN_TYPE_DTYPE: *value = tn_value_dtype(TN_DTYPE_DEFAULT); return tnpy_to_dtype(object, &value->as.dtype);
    case TN_TYPE_DEVICE: *value = tn_value_device(TN_DEVICE_CPU); return tnpy_to_device(object, &value->as.device);
    case TN_TYPE_GENERATOR:
        if (Py_TYPE(object) != tnpy_generator_type)
            return 0;
        *value = tn_value_generator(((tnpy_generator *)object)->generator);
        return 1;
    case TN_TYPE_FLOATS: return convert_floats(object, scratch, value);
    case TN_TYPE_FORMAT:
        if (Py_TYPE(object) != tnpy_format_type)
            return 0;
        *value = tn_value_format(((tnpy_format *)object)->format);
        return 1;
    default: return 0;
    }
}
