/* attributes.c - what can be read from a tensor without a call: shape, dtype, T, _base, ... */
#include "core.h"

static PyObject *attribute_shape(PyObject *self, void *ignored) {
    (void)ignored;
    return tnpy_size_object(tn_sizes(tnpy_tensor_of(self)));
}

static PyObject *attribute_dtype(PyObject *self, void *ignored) {
    (void)ignored;
    return tnpy_dtype_object(tn_dtype_of(tnpy_tensor_of(self)));
}

static PyObject *attribute_device(PyObject *self, void *ignored) {
    (void)ignored;
    tn_device device = tn_device_of(tnpy_tensor_of(self));
    return tnpy_device_of(device);
}

static PyObject *attribute_is_cpu(PyObject *self, void *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_device_of(tnpy_tensor_of(self)).type == TN_CPU);
}

static PyObject *attribute_is_meta(PyObject *self, void *ignored) {
    (void)ignored;
    return PyBool_FromLong(tn_device_of(tnpy_tensor_of(self)).type == TN_META);
}

static PyObject *attribute_ndim(PyObject *self, void *ignored) {
    (void)ignored;
    return PyLong_FromLongLong(tn_ndim(tnpy_tensor_of(self)));
}

static PyObject *attribute_itemsize(PyObject *self, void *ignored) {
    (void)ignored;
    return PyLong_FromSize_t(tn_element_size(tnpy_tensor_of(self)));
}

static PyObject *attribute_nbytes(PyObject *self, void *ignored) {
    (void)ignored;
    return PyLong_FromSize_t(tn_nbytes(tnpy_tensor_of(self)));
}

static PyObject *attribute_version(PyObject *self, void *ignored) {
    (void)ignored;
    return PyLong_FromUnsignedLong(tn_tensor_version(tnpy_tensor_of(self)));
}

static PyObject *attribute_base(PyObject *self, void *ignored) {
    (void)ignored;
    PyObject *base = ((tnpy_tensor *)self)->base;
    return Py_NewRef(base ? base : Py_None);
}

static char attribute_name_H[] = "H", attribute_name_mH[] = "mH", attribute_name_real[] = "real",
            attribute_name_imag[] = "imag";

/* T, mT, H, mH, real, imag: the closure is the operator's name. */
static PyObject *attribute_operator(PyObject *self, void *name) {
    if (name == attribute_name_real && !tn_dtype_is_complex(tn_dtype_of(tnpy_tensor_of(self))))
        return Py_NewRef(self);
    tn_value value = tn_value_tensor(tnpy_tensor_of(self)), result;
    if (tn_call(name, (tn_values){&value, 1}, &result) != TN_OK)
        return tnpy_raise();
    return tnpy_wrap_view(result.as.tensor, self);
}

static PyObject *attribute_T(PyObject *self, void *ignored) {
    (void)ignored;
    return tnpy_wrap_view(tn_T(tnpy_tensor_of(self)), self);
}

static PyObject *attribute_mT(PyObject *self, void *ignored) {
    (void)ignored;
    return tnpy_wrap_view(tn_mT(tnpy_tensor_of(self)), self);
}

/* x.real = value writes into the view. */
static int attribute_set_part(PyObject *self, PyObject *value, void *name) {
    PyObject *part = value ? attribute_operator(self, name) : NULL;
    if (!part) {
        if (!value)
            PyErr_SetString(PyExc_AttributeError, "it cannot be deleted");
        return -1;
    }
    int code = tnpy_assign_subscript(part, Py_Ellipsis, value);
    Py_DECREF(part);
    return code;
}

/* The same elements in a tensor that is not a view of this one, like detach. */
static PyObject *attribute_data(PyObject *self, void *ignored) {
    (void)ignored;
    return tnpy_wrap(tn_detach(tnpy_tensor_of(self)));
}

/* The tensor looks into other memory from now on; what it is in the graph stays. */
static int attribute_set_data(PyObject *self, PyObject *value, void *ignored) {
    (void)ignored;
    if (!value || !tnpy_is_tensor(value)) {
        PyErr_SetString(value ? PyExc_TypeError : PyExc_RuntimeError, "data must be a tensor");
        return -1;
    }
    if (tn_set_data(tnpy_tensor_of(self), tnpy_tensor_of(value)))
        return 0;
    (void)tnpy_raise();
    return -1;
}

static PyObject *attribute_false(PyObject *self, void *ignored) {
    (void)self;
    (void)ignored;
    Py_RETURN_FALSE;
}

static PyObject *attribute_layout(PyObject *self, void *ignored) {
    (void)self;
    (void)ignored;
    PyObject *module = PyImport_ImportModule("tenon._core");
    PyObject *layout = module ? PyObject_GetAttrString(module, "strided") : NULL;
    Py_XDECREF(module);
    return layout;
}

static PyObject *attribute_priority(PyObject *self, void *ignored) {
    (void)self;
    (void)ignored;
    return PyLong_FromLong(1000);
}

PyGetSetDef tnpy_tensor_attributes[] = {
    {"shape", attribute_shape, NULL, "The sizes of the dimensions, a Size.", NULL},
    {"dtype", attribute_dtype, NULL, "The type of the elements.", NULL},
    {"device", attribute_device, NULL, "Where the elements are.", NULL},
    {"ndim", attribute_ndim, NULL, "How many dimensions there are.", NULL},
    {"itemsize", attribute_itemsize, NULL, "Bytes of one element.", NULL},
    {"nbytes", attribute_nbytes, NULL, "Bytes of all elements.", NULL},
    {"T", attribute_T, NULL, "All dimensions in reverse order, a view.", NULL},
    {"mT", attribute_mT, NULL, "The last two dimensions exchanged, a view.", NULL},
    {"H", attribute_operator, NULL, "The conjugate transpose of a matrix.", attribute_name_H},
    {"mH", attribute_operator, NULL, "The conjugate transpose of every matrix of a batch.", attribute_name_mH},
    {"real", attribute_operator, attribute_set_part, "The real parts, a view; the tensor itself where it is real.",
     attribute_name_real},
    {"imag", attribute_operator, attribute_set_part, "The imaginary parts of a complex tensor, a view.", attribute_name_imag},
    {"data", attribute_data, attribute_set_data, "The same elements, without being a view of this tensor.", NULL},
    {"_base", attribute_base, NULL, "The tensor that this one is a view of, or None.", NULL},
    {"_version", attribute_version, NULL, "How often the elements were written in place, through any view.", NULL},
    {"requires_grad", tnpy_get_requires_grad, tnpy_set_requires_grad, "Whether operators on it are recorded.", NULL},
    {"grad", tnpy_get_grad, tnpy_set_grad, "The gradient that backward has summed, or None.", NULL},
    {"grad_fn", tnpy_get_grad_fn, NULL, "What made it: a node of the graph, or None for a leaf.", NULL},
    {"_grad", tnpy_get_grad, tnpy_set_grad, "grad.", NULL},
    {"_grad_fn", tnpy_get_grad_fn, NULL, "grad_fn.", NULL},
    {"is_leaf", tnpy_get_is_leaf, NULL, "Whether it was not made by a recorded call.", NULL},
    {"retains_grad", tnpy_get_retains_grad, NULL, "Whether backward sets its gradient though it is not a leaf.", NULL},
    {"output_nr", tnpy_get_output_nr, NULL, "Which result of its grad_fn it is.", NULL},
    {"is_cuda", attribute_false, NULL, "Whether the elements are on a CUDA device.", NULL},
    {"is_cpu", attribute_is_cpu, NULL, "Whether the elements are in the CPU's memory.", NULL},
    {"is_sparse", attribute_false, NULL, "False: every tensor is strided.", NULL},
    {"is_quantized", attribute_false, NULL, "False: there are no quantized dtypes.", NULL},
    {"is_meta", attribute_is_meta, NULL, "Whether there are no elements, only sizes, strides and a dtype.", NULL},
    {"is_mps", attribute_false, NULL, "Whether the elements are on an MPS device.", NULL},
    {"is_xpu", attribute_false, NULL, "Whether the elements are on an XPU device.", NULL},
    {"is_xla", attribute_false, NULL, "Whether the elements are on an XLA device.", NULL},
    {"is_mkldnn", attribute_false, NULL, "False: every tensor is strided.", NULL},
    {"is_sparse_csr", attribute_false, NULL, "False: every tensor is strided.", NULL},
    {"is_nested", attribute_false, NULL, "False: every tensor is strided.", NULL},
    {"layout", attribute_layout, NULL, "strided", NULL},
    {"__array_priority__", attribute_priority, NULL, "Asks NumPy to leave operators to this type.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
