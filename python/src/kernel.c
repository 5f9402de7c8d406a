/* kernel.c - Python functions as kernels of operators.
 *
 * The dispatcher calls kernel_run from any thread: with the interpreter's lock or without it, from Python or from a C program.
 * Inside, Python owns what it makes as it always does, so the scope the dispatcher has opened for the kernel is paused; what
 * the function returns goes to that scope afterwards, with a reference of its own.
 *
 * An exception becomes an error of the library, with its class and text in the message. Where a function of Python is
 * waiting for the call, the exception itself waits too, and is raised there as it was (errors.c).
 *
 * When the interpreter ends, what Python defined ends first: from then on such operators do not exist, and a call that was
 * under way gets an error.
 */
#include "core.h"

#include <stdatomic.h>
#include <time.h>

static atomic_bool kernel_closed;
static atomic_int kernel_entering; /* calls that are waiting for the interpreter's lock */

/* ---- values of the library as objects */

static PyObject *kernel_tensor(const tn_tensor *tensor) {
    if (!tensor)
        Py_RETURN_NONE;
    return tnpy_wrap(tn_retain(tensor));
}

static PyObject *kernel_tensors(const tn_tensor *const *tensors, int64_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *item = kernel_tensor(tensors[i]);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *kernel_bound(int64_t bound) { return bound == TN_NONE ? Py_NewRef(Py_None) : PyLong_FromLongLong(bound); }

static PyObject *kernel_index_item(const tn_index_item *item) {
    switch (item->kind) {
    case TN_INDEX_AT: return PyLong_FromLongLong(item->start);
    case TN_INDEX_RANGE: {
        PyObject *start = kernel_bound(item->start), *end = kernel_bound(item->end), *step = PyLong_FromLongLong(item->step);
        PyObject *slice = start && end && step ? PySlice_New(start, end, step) : NULL;
        Py_XDECREF(start);
        Py_XDECREF(end);
        Py_XDECREF(step);
        return slice;
    }
    case TN_INDEX_ELLIPSIS: return Py_NewRef(Py_Ellipsis);
    case TN_INDEX_TENSOR: return kernel_tensor(item->tensor);
    case TN_INDEX_WHEN: return PyBool_FromLong(item->start != 0);
    default: Py_RETURN_NONE;
    }
}

static PyObject *kernel_index(tn_index_list index) {
    PyObject *tuple = PyTuple_New((Py_ssize_t)index.count);
    for (int64_t i = 0; tuple && i < index.count; i++) {
        PyObject *item = kernel_index_item(&index.items[i]);
        if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *kernel_floats(tn_floats floats) {
    PyObject *tuple = PyTuple_New((Py_ssize_t)floats.count);
    for (int64_t i = 0; tuple && i < floats.count; i++) {
        PyObject *item = PyFloat_FromDouble(floats.values[i]);
        if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *kernel_object(const tn_value *value) {
    switch (value->kind) {
    case TN_VALUE_TENSOR: return kernel_tensor(value->as.tensor);
    case TN_VALUE_TENSORS: return kernel_tensors(value->as.tensors.items, value->as.tensors.count);
    case TN_VALUE_STORAGE: return tnpy_storage_object(value->as.storage);
    case TN_VALUE_DIMS: return tnpy_int_tuple(value->as.dims);
    case TN_VALUE_FLOATS: return kernel_floats(value->as.floats);
    case TN_VALUE_INDEX: return kernel_index(value->as.index);
    case TN_VALUE_INT: return kernel_bound(value->as.integer);
    case TN_VALUE_FLOAT: return PyFloat_FromDouble(value->as.real);
    case TN_VALUE_BOOL: return PyBool_FromLong(value->as.boolean);
    case TN_VALUE_TEXT: return PyUnicode_FromString(value->as.text);
    case TN_VALUE_SCALAR: return tnpy_scalar_object(value->as.scalar);
    case TN_VALUE_DTYPE: return value->as.dtype == TN_DTYPE_DEFAULT ? Py_NewRef(Py_None) : tnpy_dtype_object(value->as.dtype);
    case TN_VALUE_DEVICE: return tnpy_device_object(value->as.device, value->as.device.index != 0);
    case TN_VALUE_FORMAT: return tnpy_format_object(value->as.format);
    case TN_VALUE_GENERATOR: return tnpy_generator_object(value->as.generator);
    default: Py_RETURN_NONE;
    }
}

static PyObject *kernel_arguments(tn_values arguments) {
    PyObject *tuple = PyTuple_New((Py_ssize_t)arguments.count);
    for (int64_t i = 0; tuple && i < arguments.count; i++) {
        PyObject *item = kernel_object(&arguments.items[i]);
        if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* ---- what the function returned */

/* A tensor, or several, that were made or found by the function: the references are ours. */
typedef struct kernel_gift {
    tn_tensor **tensors;
    Py_ssize_t count;
} kernel_gift;

static void kernel_drop(kernel_gift *gift) {
    for (Py_ssize_t i = 0; i < gift->count; i++)
        tn_release(gift->tensors[i]);
    free(gift->tensors);
    *gift = (kernel_gift){NULL, 0};
}

static int kernel_take(PyObject *const *objects, Py_ssize_t count, kernel_gift *gift) {
    gift->tensors = calloc((size_t)count + 1, sizeof *gift->tensors);
    if (!gift->tensors) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!tnpy_is_tensor(objects[i])) {
            PyErr_Format(PyExc_TypeError, "result number %zd must be a tensor, not %R", i, (PyObject *)Py_TYPE(objects[i]));
            kernel_drop(gift);
            return -1;
        }
        gift->tensors[gift->count++] = tn_retain(tnpy_tensor_of(objects[i]));
    }
    return 0;
}

static int kernel_take_list(PyObject *object, int64_t wanted, kernel_gift *gift) {
    bool tuple = PyTuple_Check(object);
    Py_ssize_t count = tuple ? PyTuple_Size(object) : PyList_Check(object) ? PyList_Size(object) : -1;
    if (count < 0 || (wanted > 0 && count != wanted)) {
        if (wanted > 0)
            PyErr_Format(PyExc_TypeError, "it must return a tuple of %lld tensors, not %R", (long long)wanted, object);
        else
            PyErr_Format(PyExc_TypeError, "it must return a list of tensors, not %R", (PyObject *)Py_TYPE(object));
        return -1;
    }
    PyObject **items = PyMem_Calloc((size_t)count + 1, sizeof *items);
    if (!items) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        items[i] = tuple ? PyTuple_GetItem(object, i) : PyList_GetItem(object, i);
    int code = kernel_take(items, count, gift);
    PyMem_Free(items);
    return code;
}

/* What the signature promises: a number in *result, tensors in *gift. Anything else is a TypeError. */
static int kernel_read_result(const tn_operator *op, PyObject *object, tn_value *result, kernel_gift *gift) {
    tn_scalar number = tn_scalar_none();
    int64_t whole;
    int fits = 0;
    switch (tn_operator_result(op)) {
    case TN_RESULT_TENSOR:
    case TN_RESULT_VIEW:
    case TN_RESULT_MAYBE_VIEW:
        fits = tnpy_is_tensor(object);
        if (fits && kernel_take(&object, 1, gift) < 0)
            return -1;
        break;
    case TN_RESULT_LIST:
    case TN_RESULT_VIEWS: return kernel_take_list(object, tn_operator_result_count(op), gift);
    case TN_RESULT_NONE: fits = object == Py_None; break;
    case TN_RESULT_BOOL:
        fits = PyBool_Check(object);
        *result = tn_value_bool(object == Py_True);
        break;
    case TN_RESULT_INT:
        if ((fits = tnpy_to_int(object, &whole)) > 0)
            *result = tn_value_int(whole);
        break;
    default:
        fits = tnpy_to_scalar(object, &number);
        if (fits > 0 && tn_operator_result(op) == TN_RESULT_FLOAT) {
            double real = PyFloat_AsDouble(object);
            if (PyErr_Occurred())
                return -1;
            *result = tn_value_float(real);
        } else
            *result = tn_value_scalar(number);
        break;
    }
    if (fits == 0) {
        const char *arrow = strstr(tn_operator_signature(op), "->");
        PyErr_Format(PyExc_TypeError, "it must return %s, as its signature says, not %R",
                     arrow ? arrow + 3 : "what it promised", (PyObject *)Py_TYPE(object));
    }
    return fits > 0 ? 0 : -1;
}

/* In the kernel's own scope. Without memory the result is NULL, which the dispatcher treats as a failure. */
static void kernel_give(const tn_operator *op, tn_value *result, kernel_gift *gift) {
    if (!gift->tensors)
        return;
    if (tn_operator_result(op) == TN_RESULT_LIST || tn_operator_result(op) == TN_RESULT_VIEWS)
        *result = tn_value_list(tn_list_new((const tn_tensor *const *)gift->tensors, gift->count));
    else {
        *result = tn_value_tensor(tn_give(gift->tensors[0]));
        gift->count = 0;
    }
    kernel_drop(gift);
}

/* ---- the call */

static bool kernel_enter(PyGILState_STATE *lock) {
    atomic_fetch_add(&kernel_entering, 1);
    bool open = !atomic_load(&kernel_closed);
    if (open)
        *lock = PyGILState_Ensure();
    atomic_fetch_sub(&kernel_entering, 1);
    return open;
}

/* With the lock, in a pause. */
static tn_error kernel_call(PyObject *function, const tn_operator *op, tn_values arguments, tn_value *result,
                            kernel_gift *gift) {
    bool awaited = PyEval_GetFrame() != NULL;
    PyObject *given = kernel_arguments(arguments), *returned = given ? PyObject_Call(function, given, NULL) : NULL;
    Py_XDECREF(given);
    if (returned && tn_operator_variant(op) == TN_VARIANT_FUNCTIONAL && kernel_read_result(op, returned, result, gift) < 0)
        Py_CLEAR(returned);
    Py_XDECREF(returned);
    return returned ? TN_OK : tnpy_errors_pass_on(tn_operator_name(op), awaited);
}

bool tnpy_callback_begin(tnpy_callback *callback) {
    if (!kernel_enter(&callback->lock))
        return false;
    callback->pause = tn_scope_pause();
    if (callback->pause.id == 0) {
        PyGILState_Release(callback->lock);
        return false;
    }
    PyErr_Fetch(&callback->type, &callback->value, &callback->traceback);
    callback->waits = tn_error_take(&callback->waiting) != TN_OK;
    return true;
}

void tnpy_callback_end(tnpy_callback *callback) {
    if (callback->waits) {
        const tn_error_record *waiting = &callback->waiting;
        (void)tn_error_take(NULL);
        size_t name = strlen(waiting->operator_name);
        (void)tn_error_raise(waiting->code, name ? waiting->operator_name : NULL, "%s",
                             waiting->message + (name ? name + 2 : 0));
    }
    PyErr_Restore(callback->type, callback->value, callback->traceback);
    (void)tn_scope_close(callback->pause);
    PyGILState_Release(callback->lock);
}

tn_error tnpy_callback_refused(const char *what) {
    return tn_error_code() != TN_OK
               ? tn_error_code()
               : tn_error_raise(TN_ERROR_STATE, what, "it is a Python function, and the interpreter has ended");
}

static tn_error kernel_run(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    const tn_operator *op = tn_frame_operator(frame);
    tnpy_callback callback;
    if (!tnpy_callback_begin(&callback))
        return tnpy_callback_refused(tn_operator_name(op));
    kernel_gift gift = {NULL, 0};
    tn_error code = kernel_call(ctx, op, arguments, result, &gift);
    tnpy_callback_end(&callback);
    if (code == TN_OK)
        kernel_give(op, result, &gift);
    return code;
}

void tnpy_callback_drop(void *ctx) {
    PyGILState_STATE lock;
    if (!kernel_enter(&lock))
        return;
    tn_scope pause = tn_scope_pause();
    Py_DECREF((PyObject *)ctx);
    (void)tn_scope_close(pause);
    PyGILState_Release(lock);
}

int tnpy_kernel_register(const char *name, int32_t key, PyObject *function) {
    if (atomic_load(&kernel_closed)) {
        PyErr_SetString(PyExc_RuntimeError, "the interpreter is ending: kernels can no longer be registered");
        return -1;
    }
    tn_kernel kernel = {kernel_run, Py_NewRef(function), tnpy_callback_drop};
    if (tn_kernel_register(name, key, kernel) == TN_OK)
        return 0;
    Py_DECREF(function);
    (void)tnpy_raise();
    return -1;
}

void tnpy_kernels_close(void) {
    atomic_store(&kernel_closed, true);
    for (int rounds = 0; atomic_load(&kernel_entering) > 0 && rounds < 1000; rounds++) { /* they saw it open: let them in */
        PyThreadState *state = PyEval_SaveThread();
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        PyEval_RestoreThread(state);
    }
}
