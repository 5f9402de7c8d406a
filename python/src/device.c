/* device.c - where new tensors are: the device that a call names, or else the thread's default device.
 *
 * The table's factories make tensors in the CPU's memory. On meta, which has sizes and dtypes without elements, a factory is
 * asked for no elements: it makes an empty tensor, and so checks its arguments and chooses its dtype; sizes and strides are
 * then taken from the arguments. So zeros(2**50, device='meta') costs nothing. A factory that gives its size in another way,
 * such as arange, makes its tensor, which is then dropped.
 */
#include "core.h"

/* ---- the default device */

static _Thread_local int32_t device_default_type = TN_CPU;

tn_device tnpy_default_device(void) { return TN_DEVICE(device_default_type, 0); }

/* Whether new tensors can be there; -1 with an exception where not. */
static int device_check(PyObject *object, tn_device *out) {
    *out = TN_DEVICE_CPU;
    int fits = object == Py_None ? 1 : tnpy_to_device(object, out);
    if (fits > 0 && (out->type == TN_CPU || out->type == TN_META))
        return 0;
    if (!PyErr_Occurred())
        PyErr_Format(fits == 0 && !PyLong_Check(object) ? PyExc_TypeError : tnpy_error_class(TN_ERROR_DEVICE),
                     "device must be the CPU or meta, not %R", object);
    return -1;
}

int tnpy_new_device(PyObject *object, tn_device *out) {
    if (object && object != Py_None)
        return device_check(object, out);
    *out = tnpy_default_device();
    return 0;
}

static PyObject *device_get_default(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    return tnpy_device_object(tnpy_default_device(), false);
}

static PyObject *device_set_default(PyObject *module, PyObject *object) {
    (void)module;
    tn_device device;
    if (device_check(object, &device) < 0)
        return NULL;
    device_default_type = device.type;
    Py_RETURN_NONE;
}

PyMethodDef tnpy_device_functions[] = {
    {"get_default_device", device_get_default, METH_NOARGS,
     "get_default_device()\n--\n\nWhere new tensors of this thread are when a call does not say."},
    {"set_default_device", device_set_default, METH_O,
     "set_default_device(device, /)\n--\n\nNew tensors of this thread are there when a call does not say: 'cpu', 'meta', or "
     "None, "
     "which is the CPU."},
    {NULL, NULL, 0, NULL},
};

/* with device('meta'): the defaults to go back to, a list for each thread. */

static PyObject *device_outer(void) {
    static const char key[] = "tenon: the default devices outside of with";
    PyObject *thread = PyThreadState_GetDict(), *list = thread ? PyDict_GetItemString(thread, key) : NULL;
    if (!thread)
        PyErr_SetString(PyExc_RuntimeError, "this thread has no dictionary for its default device");
    if (list || !thread)
        return list;
    list = PyList_New(0);
    int code = list ? PyDict_SetItemString(thread, key, list) : -1;
    Py_XDECREF(list); /* the dictionary holds it */
    return code < 0 ? NULL : list;
}

PyObject *tnpy_device_enter(PyObject *self, PyObject *ignored) {
    (void)ignored;
    tn_device device;
    PyObject *outer = device_check(self, &device) < 0 ? NULL : device_outer();
    PyObject *present = outer ? PyLong_FromLong(device_default_type) : NULL;
    int code = present ? PyList_Append(outer, present) : -1;
    Py_XDECREF(present);
    if (code < 0)
        return NULL;
    device_default_type = device.type;
    return Py_NewRef(self);
}

PyObject *tnpy_device_exit(PyObject *self, PyObject *ignored) {
    (void)self;
    (void)ignored;
    PyObject *outer = device_outer();
    Py_ssize_t count = outer ? PyList_Size(outer) : 0;
    if (outer && count == 0)
        PyErr_SetString(PyExc_RuntimeError, "the device was not entered on this thread");
    if (count == 0)
        return NULL;
    device_default_type = (int32_t)PyLong_AsLong(PyList_GetItem(outer, count - 1));
    if (PyList_SetSlice(outer, count - 1, count, NULL) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- factories elsewhere */

bool tnpy_form_creates(const tnpy_form *form) {
    const char *group = tn_operator_group(form->op), *name = tn_operator_base(form->op);
    if (form->variant != TN_VARIANT_FUNCTIONAL || form->result != TN_RESULT_TENSOR ||
        (strcmp(group, "create") != 0 && strcmp(group, "random") != 0))
        return false;
    size_t length = strlen(name);
    bool like = length > 5 && strcmp(name + length - 5, "_like") == 0;
    for (int i = 0; i < form->count; i++) {
        tn_type type = form->parameters[i].type;
        if (type == TN_TYPE_DEVICE || type == TN_TYPE_TENSORS || (type == TN_TYPE_TENSOR && !(like && i == form->self)))
            return false;
    }
    return true;
}

/* The tensor that a factory makes of these values; NULL with the library's error. */
static tn_tensor *device_call(const tnpy_form *form, const tn_value *values) {
    tn_value result;
    return tn_operator_call(form->op, (tn_values){values, form->count}, &result) == TN_OK ? result.as.tensor : NULL;
}

/* A whole number that is a size of the result. */
static bool device_is_size_name(const char *name) {
    static const char *const names[] = {"steps", "n", "rows", "columns"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* What the factory would make of no elements. */
static tn_tensor *device_prototype(const tnpy_form *form, const tn_value *values, const tn_tensor *self) {
    static const int64_t none[] = {0}, step[] = {1};
    tn_value changed[TN_MAX_PARAMETERS];
    for (int i = 0; i < form->count; i++) {
        const char *name = form->parameters[i].name;
        changed[i] = values[i];
        if (self && i == form->self)
            changed[i] = tn_value_tensor(self);
        else if (values[i].kind == TN_VALUE_FORMAT)
            changed[i] = tn_value_format(TN_PRESERVE);
        else if (values[i].kind == TN_VALUE_DIMS)
            changed[i] = tn_value_dims((tn_dims){strcmp(name, "stride") == 0 ? step : none, 1});
        else if (values[i].kind == TN_VALUE_INT && device_is_size_name(name))
            changed[i] = tn_value_int(0);
    }
    return device_call(form, changed);
}

/* zeros_like and the others: the geometry is that of self, which has perhaps no elements, or has them elsewhere. */
static tn_tensor *device_like(const tnpy_form *form, tn_value *values, tn_device device) {
    const tn_tensor *self = values[form->self].as.tensor;
    tn_memory_format format = TN_PRESERVE;
    for (int i = 0; i < form->count; i++)
        if (values[i].kind == TN_VALUE_FORMAT)
            format = values[i].as.format;
    if (device.type == TN_CPU) {
        tn_tensor *here = tn_empty_strided(tn_sizes(self), tn_strides(self), tn_dtype_of(self));
        values[form->self] = tn_value_tensor(here);
        tn_tensor *made = here ? device_call(form, values) : NULL;
        tn_release(here);
        values[form->self] = tn_value_tensor(self);
        return made;
    }
    tn_tensor *none = tn_empty(TN_DIMS(0), tn_dtype_of(self)), *prototype = none ? device_prototype(form, values, none) : NULL;
    tn_tensor *there = prototype ? tn_to_options(self, TN_DTYPE_DEFAULT, device, false, TN_PRESERVE) : NULL;
    tn_tensor *made = there ? tn_empty_like(there, tn_dtype_of(prototype), format) : NULL;
    tn_release(there);
    tn_release(prototype);
    tn_release(none);
    return made;
}

/* A tensor with these strides, over a storage just large enough. */
static tn_tensor *device_strided(tn_dims sizes, tn_dims strides, tn_dtype dtype, tn_device device) {
    int64_t low = 0, high = 0;
    bool empty = false, fits = sizes.count == strides.count;
    for (int64_t d = 0; fits && d < sizes.count; d++) {
        int64_t reach;
        empty = empty || sizes.values[d] == 0;
        fits = sizes.values[d] >= 0 && !__builtin_mul_overflow(sizes.values[d] - 1, strides.values[d], &reach) &&
               !__builtin_add_overflow(strides.values[d] < 0 ? low : high, reach, strides.values[d] < 0 ? &low : &high);
    }
    int64_t span = 0;
    if (!fits || (!empty && (__builtin_sub_overflow(high, low, &span) || __builtin_add_overflow(span, 1, &span)))) {
        (void)tn_error_raise(TN_ERROR_SHAPE, "empty_strided", "size and stride do not describe a tensor");
        return NULL;
    }
    tn_tensor *all = tn_empty_device((tn_dims){&span, 1}, dtype, device);
    tn_tensor *made = all ? tn_from_storage(tn_storage_of(all), empty ? 0 : -low, sizes, strides, dtype) : NULL;
    tn_release(all);
    return made;
}

tn_tensor *tnpy_create_on(const tnpy_form *form, tn_value *values, tn_device device) {
    if (form->self >= 0)
        return device_like(form, values, device);
    int64_t numbers[TN_MAX_PARAMETERS], known = 0;
    tn_dims sizes = {numbers, 0}, strides = {NULL, -1};
    for (int i = 0; i < form->count; i++) {
        const char *name = form->parameters[i].name;
        if (values[i].kind == TN_VALUE_DIMS && strcmp(name, "stride") == 0)
            strides = values[i].as.dims;
        else if (values[i].kind == TN_VALUE_DIMS && strcmp(name, "size") == 0) {
            sizes = values[i].as.dims;
            known = 1;
        } else if (values[i].kind == TN_VALUE_INT && device_is_size_name(name)) {
            numbers[sizes.count++] = values[i].as.integer;
            known = 1;
        }
    }
    if (!known) {
        tn_tensor *here = device_call(form, values);
        tn_tensor *made = here ? tn_to_device(here, device) : NULL;
        tn_release(here);
        return made;
    }
    tn_tensor *prototype = device_prototype(form, values, NULL), *made = NULL;
    if (prototype && strides.count >= 0)
        made = device_strided(sizes, strides, tn_dtype_of(prototype), device);
    else if (prototype)
        made = tn_empty_device(sizes, tn_dtype_of(prototype), device);
    tn_release(prototype);
    return made;
}
