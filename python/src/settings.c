/* settings.c - functions that do not concern a particular tensor: printing, defaults, dtypes, threads, memory. */
#include "core.h"

static PyObject *settings_get_default_dtype(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return tnpy_dtype_object(tn_default_dtype());
}

static PyObject *settings_set_default_dtype(PyObject *module, PyObject *wanted) {
    (void)module;
    tn_dtype dtype;
    if (tnpy_to_dtype(wanted, &dtype) <= 0) {
        PyErr_Format(PyExc_TypeError, "set_default_dtype wants a dtype, not %R", wanted);
        return NULL;
    }
    if (tn_set_default_dtype(dtype) != TN_OK)
        return tnpy_raise();
    Py_RETURN_NONE;
}

/* ---- printing */

/* One of torch's numbers as the library's option: there 0 means the usual value, and a negative number torch's 0. */
static int settings_number(PyObject *object, int64_t *out) {
    if (object == Py_None)
        return 0;
    tn_scalar value;
    int fits = tnpy_to_scalar(object, &value);
    if (fits > 0 && value.kind == TN_SCALAR_FLOAT && value.value.d > 9e18) {
        *out = INT64_MAX; /* inf: never summarise */
        return 1;
    }
    if (fits <= 0 || value.kind != TN_SCALAR_INT) {
        if (fits >= 0)
            PyErr_Format(PyExc_TypeError, "set_printoptions wants an integer, not %R", object);
        return -1;
    }
    *out = value.value.i == 0 ? -1 : value.value.i;
    return 1;
}

static PyObject *settings_set_printoptions(PyObject *module, PyObject *args, PyObject *names) {
    (void)module;
    static char *keywords[] = {"precision", "threshold", "edgeitems", "linewidth", "profile", "sci_mode", NULL};
    PyObject *precision = Py_None, *threshold = Py_None, *edges = Py_None, *width = Py_None, *profile = Py_None,
             *science = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|OOOOOO:set_printoptions", keywords, &precision, &threshold, &edges, &width,
                                     &profile, &science))
        return NULL;
    tn_print_options options = {.struct_size = sizeof options};
    (void)tn_get_print_options(&options);
    if (profile != Py_None) {
        const char *name = PyUnicode_Check(profile) ? PyUnicode_AsUTF8AndSize(profile, NULL) : NULL;
        bool full = name && strcmp(name, "full") == 0, brief = name && strcmp(name, "short") == 0;
        if (!name || (!full && !brief && strcmp(name, "default") != 0)) {
            PyErr_Format(PyExc_ValueError, "profile must be 'default', 'short' or 'full', not %R", profile);
            return NULL;
        }
        options.precision = brief ? 2 : 4;
        options.edge_items = brief ? 2 : 3;
        options.threshold = full ? INT64_MAX : 1000;
        options.line_width = 80;
    }
    int64_t number;
    int given;
    if ((given = settings_number(precision, &number)) > 0)
        options.precision = number > INT_MAX ? INT_MAX : (int)number;
    if (given >= 0 && (given = settings_number(threshold, &number)) > 0)
        options.threshold = number;
    if (given >= 0 && (given = settings_number(edges, &number)) > 0)
        options.edge_items = number > INT_MAX ? INT_MAX : (int)number;
    if (given >= 0 && (given = settings_number(width, &number)) > 0)
        options.line_width = number > INT_MAX ? INT_MAX : (int)number;
    if (given < 0)
        return NULL;
    options.notation = !science || science == Py_None ? TN_NOTATION_AUTO
                       : science == Py_True           ? TN_NOTATION_SCIENTIFIC
                                                      : TN_NOTATION_FIXED;
    if (tn_set_print_options(&options) != TN_OK)
        return tnpy_raise();
    Py_RETURN_NONE;
}

static PyObject *settings_get_printoptions(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    tn_print_options options = {.struct_size = sizeof options};
    if (tn_get_print_options(&options) != TN_OK)
        return tnpy_raise();
    PyObject *science = options.notation == TN_NOTATION_AUTO         ? Py_None
                        : options.notation == TN_NOTATION_SCIENTIFIC ? Py_True
                                                                     : Py_False;
    return Py_BuildValue("{sisLsisisO}", "precision", options.precision < 0 ? 0 : options.precision, "threshold",
                         (long long)(options.threshold < 0 ? 0 : options.threshold), "edgeitems",
                         options.edge_items < 0 ? 0 : options.edge_items, "linewidth", options.line_width, "sci_mode", science);
}

/* ---- dtypes */

/* What represents an operand in the promotion: the tensor, an empty one of its dtype, or a number. */
static tn_tensor *settings_operand(PyObject *object, tn_scalar *number) {
    tn_dtype dtype;
    int64_t none = 0;
    if (tnpy_is_tensor(object)) {
        const tn_tensor *tensor = tnpy_tensor_of(object);
        return tn_ndim(tensor) == 0 ? tn_retain(tensor) : tn_empty((tn_dims){&none, 1}, tn_dtype_of(tensor));
    }
    if (tnpy_to_dtype(object, &dtype) > 0)
        return tn_empty((tn_dims){&none, 1}, dtype);
    int fits = tnpy_to_scalar(object, number);
    if (fits == 0)
        PyErr_Format(PyExc_TypeError, "result_type takes tensors, dtypes and numbers, not %R", object);
    return NULL;
}

static PyObject *settings_promote(PyObject *a, PyObject *b) {
    tn_scalar x, y;
    tn_tensor *one = settings_operand(a, &x), *two = PyErr_Occurred() ? NULL : settings_operand(b, &y), *sum = NULL;
    tn_dtype result = TN_DTYPE_DEFAULT;
    if (PyErr_Occurred())
        ;
    else if (one && two)
        sum = tn_add(one, two);
    else if (one || two)
        result = tnpy_result_dtype(tn_dtype_of(one ? one : two), one ? y : x);
    else {
        sum = (tn_full)((tn_dims){NULL, 0}, x, TN_DTYPE_DEFAULT);
        result = sum ? tnpy_result_dtype(tn_dtype_of(sum), y) : TN_DTYPE_DEFAULT;
    }
    if (sum && result == TN_DTYPE_DEFAULT)
        result = tn_dtype_of(sum);
    tn_release(one);
    tn_release(two);
    tn_release(sum);
    if (PyErr_Occurred())
        return NULL;
    return result == TN_DTYPE_DEFAULT ? tnpy_raise() : tnpy_dtype_object(result);
}

static PyObject *settings_result_type(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (count < 1) {
        PyErr_SetString(PyExc_TypeError, "result_type wants at least one argument");
        return NULL;
    }
    PyObject *result = settings_promote(args[0], args[count > 1]);
    for (Py_ssize_t i = 2; result && i < count; i++) {
        PyObject *next = settings_promote(result, args[i]);
        Py_DECREF(result);
        result = next;
    }
    return result;
}

static PyObject *settings_promote_types(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    tn_dtype ignored;
    if (count != 2 || tnpy_to_dtype(args[0], &ignored) <= 0 || tnpy_to_dtype(args[1], &ignored) <= 0) {
        PyErr_SetString(PyExc_TypeError, "promote_types wants two dtypes");
        return NULL;
    }
    return settings_promote(args[0], args[1]);
}

/* torch's rule: no step down in the order bool, integer, float, complex. */
static PyObject *settings_can_cast(PyObject *module, PyObject *args, PyObject *names) {
    (void)module;
    static char *keywords[] = {"from_", "to", NULL};
    PyObject *from, *to;
    tn_dtype a, b;
    if (!PyArg_ParseTupleAndKeywords(args, names, "OO:can_cast", keywords, &from, &to))
        return NULL;
    if (tnpy_to_dtype(from, &a) <= 0 || tnpy_to_dtype(to, &b) <= 0) {
        PyErr_SetString(PyExc_TypeError, "can_cast wants two dtypes");
        return NULL;
    }
    static const int order[] = {
        [TN_KIND_BOOL] = 0, [TN_KIND_UNSIGNED] = 1, [TN_KIND_SIGNED] = 1, [TN_KIND_FLOAT] = 2, [TN_KIND_COMPLEX] = 3};
    return PyBool_FromLong(order[tn_dtype_kind_of(a)] <= order[tn_dtype_kind_of(b)]);
}

static PyObject *settings_finfo(PyObject *module, PyObject *dtype) {
    (void)module;
    tn_dtype wanted;
    tn_finfo info;
    if (tnpy_to_dtype(dtype, &wanted) <= 0) {
        PyErr_Format(PyExc_TypeError, "finfo wants a floating dtype, not %R", dtype);
        return NULL;
    }
    if (tn_finfo_of(wanted, &info) != TN_OK)
        return tnpy_raise();
    return Py_BuildValue("{sisdsdsdsdsdsd}", "bits", info.bits, "eps", info.eps, "max", info.max, "min", info.min,
                         "smallest_normal", info.smallest_normal, "smallest_subnormal", info.smallest_subnormal, "resolution",
                         info.resolution);
}

static PyObject *settings_iinfo(PyObject *module, PyObject *dtype) {
    (void)module;
    tn_dtype wanted;
    tn_iinfo info;
    if (tnpy_to_dtype(dtype, &wanted) <= 0) {
        PyErr_Format(PyExc_TypeError, "iinfo wants an integer dtype, not %R", dtype);
        return NULL;
    }
    if (tn_iinfo_of(wanted, &info) != TN_OK)
        return tnpy_raise();
    return Py_BuildValue("{sisLsK}", "bits", info.bits, "min", (long long)info.min, "max", (unsigned long long)info.max);
}

/* ---- tensors in general */

static PyObject *settings_is_tensor(PyObject *module, PyObject *object) {
    (void)module;
    return PyBool_FromLong(tnpy_is_tensor(object));
}

static int settings_want_tensor(PyObject *object, const char *function) {
    if (tnpy_is_tensor(object))
        return 0;
    PyErr_Format(PyExc_TypeError, "%s wants a tensor, not %R", function, (PyObject *)Py_TYPE(object));
    return -1;
}

static PyObject *settings_numel(PyObject *module, PyObject *object) {
    (void)module;
    return settings_want_tensor(object, "numel") < 0 ? NULL : PyLong_FromLongLong(tn_numel(tnpy_tensor_of(object)));
}
static PyObject *settings_is_floating_point(PyObject *module, PyObject *object) {
    (void)module;
    return settings_want_tensor(object, "is_floating_point") < 0
               ? NULL
               : PyBool_FromLong(tn_dtype_is_floating(tn_dtype_of(tnpy_tensor_of(object))));
}
static PyObject *settings_is_complex(PyObject *module, PyObject *object) {
    (void)module;
    return settings_want_tensor(object, "is_complex") < 0
               ? NULL
               : PyBool_FromLong(tn_dtype_is_complex(tn_dtype_of(tnpy_tensor_of(object))));
}
static PyObject *settings_is_nonzero(PyObject *module, PyObject *object) {
    (void)module;
    int truth = settings_want_tensor(object, "is_nonzero") < 0 ? -1 : PyObject_IsTrue(object);
    return truth < 0 ? NULL : PyBool_FromLong(truth);
}

static PyObject *settings_is_same_size(PyObject *module, PyObject *args, PyObject *names) {
    (void)module;
    static char *keywords[] = {"input", "other", NULL};
    PyObject *a, *b;
    if (!PyArg_ParseTupleAndKeywords(args, names, "OO:is_same_size", keywords, &a, &b) ||
        settings_want_tensor(a, "is_same_size") < 0 || settings_want_tensor(b, "is_same_size") < 0)
        return NULL;
    return PyBool_FromLong(tnpy_same_dims(tn_sizes(tnpy_tensor_of(a)), tn_sizes(tnpy_tensor_of(b))));
}

/* The shape that shapes are broadcast to. */
static PyObject *settings_broadcast_shapes(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    int64_t sizes[TN_MAX_DIMS], ndim = 0;
    for (Py_ssize_t k = 0; k < count; k++) {
        tnpy_scratch scratch = {.numbers_used = 0};
        tn_value shape;
        int fits = tnpy_convert(TN_TYPE_DIMS, args[k], false, &scratch, &shape);
        if (fits == 0)
            PyErr_Format(PyExc_TypeError, "broadcast_shapes takes shapes, not %R", args[k]);
        if (fits <= 0)
            return NULL;
        tn_dims dims = shape.as.dims;
        for (; ndim < dims.count; ndim++) { /* new dimensions in front */
            memmove(sizes + 1, sizes, (size_t)ndim * sizeof *sizes);
            sizes[0] = 1;
        }
        for (int64_t d = 1; d <= dims.count; d++) {
            int64_t size = dims.values[dims.count - d], *have = &sizes[ndim - d];
            if (size < 0 || (size != *have && size != 1 && *have != 1)) {
                PyErr_Format(PyExc_RuntimeError,
                             "broadcast_shapes: size %lld of %R does not fit size %lld of the shapes before it",
                             (long long)size, args[k], (long long)*have);
                return NULL;
            }
            *have = size == 1 ? *have : size;
        }
    }
    return tnpy_size_object((tn_dims){sizes, ndim});
}

/* ---- threads and memory */

static PyObject *settings_get_num_threads(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return PyLong_FromLongLong(tn_num_threads());
}

static PyObject *settings_set_num_threads(PyObject *module, PyObject *wanted) {
    (void)module;
    int64_t count;
    int fits = tnpy_to_int(wanted, &count);
    if (fits == 0)
        PyErr_Format(PyExc_TypeError, "set_num_threads wants an integer, not %R", wanted);
    if (fits <= 0)
        return NULL;
    if (tn_set_num_threads(count) != TN_OK)
        return tnpy_raise();
    Py_RETURN_NONE;
}

static PyObject *settings_counter(tn_memory_counter counter) {
    return Py_BuildValue("{sLsLsLsL}", "current", (long long)counter.current, "peak", (long long)counter.peak, "allocated",
                         (long long)counter.allocated, "freed", (long long)counter.freed);
}

static PyObject *settings_memory_stats(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    tn_memory_stats stats = {.struct_size = sizeof stats};
    if (tn_memory_stats_of(TN_CPU, &stats) != TN_OK)
        return tnpy_raise();
    return Py_BuildValue("{sNsNsNsNsL}", "bytes", settings_counter(stats.bytes), "blocks", settings_counter(stats.blocks),
                         "reserved", settings_counter(stats.reserved), "segments", settings_counter(stats.segments), "cached",
                         (long long)stats.cached);
}

static PyObject *settings_empty_cache(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return PyLong_FromSize_t(tn_empty_cache(TN_CPU));
}

static PyObject *settings_counters(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    tn_counters now = tn_counters_now();
    return Py_BuildValue("{sLsL}", "copies", (long long)now.copies, "copied_bytes", (long long)now.copied_bytes);
}

static PyObject *settings_explain_view(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *tensor, *shape;
    if (!PyArg_ParseTuple(args, "OO:explain_view", &tensor, &shape) || settings_want_tensor(tensor, "explain_view") < 0)
        return NULL;
    tnpy_scratch scratch = {.numbers_used = 0};
    tn_value dims;
    int fits = tnpy_convert(TN_TYPE_DIMS, shape, false, &scratch, &dims);
    if (fits == 0)
        PyErr_Format(PyExc_TypeError, "explain_view wants a shape, not %R", shape);
    if (fits <= 0)
        return NULL;
    char why[400];
    bool can = tn_explain_view(tnpy_tensor_of(tensor), dims.as.dims, why, sizeof why);
    return Py_BuildValue("(Os)", can ? Py_True : Py_False, why);
}

/* What tn_einsum_explain says of an equation and a list of tensors. */
static PyObject *settings_einsum_explain(PyObject *module, PyObject *args) {
    (void)module;
    const char *equation;
    PyObject *tensors, *answer = NULL;
    if (!PyArg_ParseTuple(args, "sO:einsum_path", &equation, &tensors))
        return NULL;
    tnpy_scratch scratch = {.numbers_used = 0};
    tn_value list;
    int fits = tnpy_convert(TN_TYPE_TENSORS, tensors, false, &scratch, &list);
    if (fits == 0)
        PyErr_Format(PyExc_TypeError, "einsum_path wants tensors, not %R", tensors);
    if (fits > 0) {
        size_t length = tn_einsum_explain(equation, list.as.tensors.items, list.as.tensors.count, NULL, 0);
        char *text = length ? PyMem_Malloc(length + 1) : NULL;
        if (text) {
            tn_einsum_explain(equation, list.as.tensors.items, list.as.tensors.count, text, length + 1);
            answer = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
        } else
            answer = length ? PyErr_NoMemory() : tnpy_raise();
        PyMem_Free(text);
    }
    tnpy_scratch_clear(&scratch);
    return answer;
}

#define SETTINGS_NAMED(function) TNPY_FUNCTION(function), METH_VARARGS | METH_KEYWORDS
PyMethodDef tnpy_settings_functions[] = {
    {"get_default_dtype", settings_get_default_dtype, METH_NOARGS,
     "get_default_dtype()\n--\n\nThe dtype of new floating tensors."},
    {"set_default_dtype", settings_set_default_dtype, METH_O,
     "set_default_dtype(d, /)\n--\n\nSets the dtype of new floating tensors."},
    {"set_printoptions", SETTINGS_NAMED(settings_set_printoptions),
     "set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None)\n--\n\nHow "
     "tensors are printed."},
    {"get_printoptions", settings_get_printoptions, METH_NOARGS, "get_printoptions()\n--\n\nHow tensors are printed, a dict."},
    {"result_type", TNPY_FUNCTION(settings_result_type), METH_FASTCALL,
     "result_type(*tensors_and_dtypes)\n--\n\nThe dtype that an operation on these gives."},
    {"promote_types", TNPY_FUNCTION(settings_promote_types), METH_FASTCALL,
     "promote_types(type1, type2, /)\n--\n\nThe smallest dtype that both can become."},
    {"can_cast", SETTINGS_NAMED(settings_can_cast),
     "can_cast(from_, to)\n--\n\nWhether promotion may convert one dtype to the other."},
    {"broadcast_shapes", TNPY_FUNCTION(settings_broadcast_shapes), METH_FASTCALL,
     "broadcast_shapes(*shapes)\n--\n\nThe shape that tensors of these shapes are broadcast to."},
    {"_einsum_explain", settings_einsum_explain, METH_VARARGS, NULL},
    {"_finfo", settings_finfo, METH_O, NULL},
    {"_iinfo", settings_iinfo, METH_O, NULL},
    {"is_tensor", settings_is_tensor, METH_O, "is_tensor(obj, /)\n--\n\nWhether it is a tensor."},
    {"numel", settings_numel, METH_O, "numel(input, /)\n--\n\nHow many elements there are."},
    {"is_floating_point", settings_is_floating_point, METH_O, "is_floating_point(input, /)\n--\n\nWhether the dtype is one."},
    {"is_complex", settings_is_complex, METH_O, "is_complex(input, /)\n--\n\nWhether the dtype is one."},
    {"is_nonzero", settings_is_nonzero, METH_O, "is_nonzero(input, /)\n--\n\nWhether the only element is not 0."},
    {"is_same_size", SETTINGS_NAMED(settings_is_same_size),
     "is_same_size(input, other)\n--\n\nWhether both have the same shape."},
    {"get_num_threads", settings_get_num_threads, METH_NOARGS, "get_num_threads()\n--\n\nHow many threads one operator uses."},
    {"set_num_threads", settings_set_num_threads, METH_O, "set_num_threads(n, /)\n--\n\nHow many threads one operator uses."},
    {"memory_stats", settings_memory_stats, METH_NOARGS,
     "memory_stats()\n--\n\nHow much memory is in use, the most that was, and the total."},
    {"empty_cache", settings_empty_cache, METH_NOARGS,
     "empty_cache()\n--\n\nGives unused memory back; returns how many bytes."},
    {"copy_counters", settings_counters, METH_NOARGS,
     "copy_counters()\n--\n\nHow often this thread has copied elements, and how many bytes."},
    {"explain_view", settings_explain_view, METH_VARARGS,
     "explain_view(input, shape, /)\n--\n\nWhether input can be viewed under a shape without a copy, and why: (bool, str)."},
    {NULL, NULL, 0, NULL},
};
