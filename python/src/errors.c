/* errors.c - errors of the library as exceptions.
 *
 * Each code has a class of its own, derived from the class that programs written for PyTorch expect and from the one that
 * programs written for NumPy expect, so either catches it. The message is the library's.
 */
#include "core.h"

static PyObject *errors_classes[TN_ERROR_LINALG + 1];
PyObject *tnpy_overflow_error;

/* Every class: the code, its name, and the exceptions of Python it stands for. */
static const struct errors_row {
    tn_error code;
    const char *name, *doc;
} errors_rows[] = {
    {TN_ERROR_ARGUMENT, "tenon.ArgumentError",
     "An argument is impossible: an option that does not exist, a value out of range."},
    {TN_ERROR_SHAPE, "tenon.ShapeError", "Sizes that do not fit together."},
    {TN_ERROR_DTYPE, "tenon.DTypeError", "A dtype that does not fit, or cannot hold a value."},
    {TN_ERROR_INDEX, "tenon.OutOfRangeError", "An index, a position or a dimension that is not there."},
    {TN_ERROR_MEMORY, "tenon.OutOfMemoryError", "There is no memory, even after the caches were emptied."},
    {TN_ERROR_DEVICE, "tenon.DeviceError", "There is no such device, or tensors are on different ones."},
    {TN_ERROR_READONLY, "tenon.ReadOnlyError", "A write to memory that is marked read-only."},
    {TN_ERROR_OVERLAP, "tenon.OverlapError", "A write to memory where several elements share a place."},
    {TN_ERROR_LINALG, "tenon.LinAlgError", "A matrix that is singular, not positive definite, or does not converge."},
};

static PyObject *errors_bases(tn_error code) {
    switch (code) {
    case TN_ERROR_ARGUMENT:
    case TN_ERROR_SHAPE:
    case TN_ERROR_READONLY: return PyTuple_Pack(2, PyExc_RuntimeError, PyExc_ValueError);
    case TN_ERROR_DTYPE: return PyTuple_Pack(2, PyExc_NotImplementedError, PyExc_TypeError);
    case TN_ERROR_DEVICE: return PyTuple_Pack(1, PyExc_NotImplementedError); /* which is a RuntimeError */
    case TN_ERROR_INDEX: return PyTuple_Pack(2, PyExc_IndexError, PyExc_RuntimeError);
    case TN_ERROR_MEMORY: return PyTuple_Pack(2, PyExc_MemoryError, PyExc_RuntimeError);
    default: return PyTuple_Pack(1, PyExc_RuntimeError);
    }
}

int tnpy_errors_add(PyObject *module) {
    errors_classes[TN_ERROR_UNSUPPORTED] = PyExc_NotImplementedError;
    errors_classes[TN_ERROR_IO] = PyExc_OSError;
    errors_classes[TN_ERROR_STATE] = PyExc_RuntimeError;
    errors_classes[TN_ERROR_INTERNAL] = PyExc_SystemError;
    errors_classes[TN_ERROR_CANCELLED] = PyExc_KeyboardInterrupt;
    for (size_t i = 0; i < sizeof errors_rows / sizeof *errors_rows; i++) {
        const struct errors_row *row = &errors_rows[i];
        if (!errors_classes[row->code]) {
            PyObject *bases = errors_bases(row->code);
            errors_classes[row->code] = bases ? PyErr_NewExceptionWithDoc(row->name, row->doc, bases, NULL) : NULL;
            Py_XDECREF(bases);
        }
        if (!errors_classes[row->code] || PyModule_AddObjectRef(module, row->name + 6, errors_classes[row->code]) < 0)
            return -1;
    }
    if (!tnpy_overflow_error) {
        PyObject *bases = PyTuple_Pack(3, PyExc_OverflowError, PyExc_ValueError, PyExc_RuntimeError);
        tnpy_overflow_error =
            bases ? PyErr_NewExceptionWithDoc("tenon.IntegerOverflowError", "An integer that does not fit.", bases, NULL)
                  : NULL;
        Py_XDECREF(bases);
    }
    return tnpy_overflow_error ? PyModule_AddObjectRef(module, "IntegerOverflowError", tnpy_overflow_error) : -1;
}

PyObject *tnpy_error_class(tn_error code) { return errors_classes[code]; }

/* ---- exceptions on their way through the library */

static const char errors_kept[] = "tenon: the exception behind the waiting error"; /* its key in the dictionary of the thread */

static tn_error errors_code(PyObject *exception) {
    if (PyErr_GivenExceptionMatches(exception, errors_classes[TN_ERROR_DEVICE])) /* a NotImplementedError, as UNSUPPORTED is */
        return TN_ERROR_DEVICE;
    for (int code = TN_OK + 1; code < TN_ERROR_INTERNAL; code++)
        if (code != TN_ERROR_STATE && PyErr_GivenExceptionMatches(exception, errors_classes[code]))
            return (tn_error)code;
    if (PyErr_GivenExceptionMatches(exception, errors_classes[TN_ERROR_LINALG]))
        return TN_ERROR_LINALG;
    if (PyErr_GivenExceptionMatches(exception, PyExc_IndexError))
        return TN_ERROR_INDEX;
    if (PyErr_GivenExceptionMatches(exception, PyExc_MemoryError))
        return TN_ERROR_MEMORY;
    return PyErr_GivenExceptionMatches(exception, PyExc_TypeError) ||
                   PyErr_GivenExceptionMatches(exception, PyExc_ValueError) ||
                   PyErr_GivenExceptionMatches(exception, PyExc_ArithmeticError)
               ? TN_ERROR_ARGUMENT
               : TN_ERROR_STATE;
}

/* (message of the error, exception), for this thread. The message is bytes: if it was too long, a character may be cut. */
static void errors_keep(PyObject *exception) {
    PyObject *thread = PyThreadState_GetDict();
    PyObject *pair = thread ? Py_BuildValue("(yO)", tn_error_message(), exception) : NULL;
    if (pair)
        (void)PyDict_SetItemString(thread, errors_kept, pair);
    Py_XDECREF(pair);
    PyErr_Clear();
}

/* The exception that was kept, if the error is the one it became; forgotten in either case. A new reference or NULL. */
static PyObject *errors_find(const char *message) {
    PyObject *thread = PyThreadState_GetDict(), *pair = thread ? PyDict_GetItemString(thread, errors_kept) : NULL;
    if (!pair)
        return NULL;
    const char *text = PyBytes_AsString(PyTuple_GetItem(pair, 0));
    PyObject *found = text && strcmp(text, message) == 0 ? Py_NewRef(PyTuple_GetItem(pair, 1)) : NULL;
    (void)PyDict_DelItemString(thread, errors_kept);
    PyErr_Clear();
    return found;
}

tn_error tnpy_errors_pass_on(const char *operator_name, bool awaited) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback)
        (void)PyException_SetTraceback(value, traceback);
    PyObject *text = PyObject_Str(value), *name = PyType_GetName(Py_TYPE(value));
    const char *said = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL,
               *class = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    PyErr_Clear();
    tn_error code = tn_error_raise(errors_code(value), operator_name, "%s%s%s", class ? class : "an exception",
                                   said && *said ? ": " : "", said ? said : "");
    if (awaited)
        errors_keep(value);
    Py_XDECREF(text);
    Py_XDECREF(name);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return code;
}

void tnpy_raise_text(PyObject *class, const char *message) {
    PyObject *text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
    if (text)
        PyErr_SetObject(class, text);
    Py_XDECREF(text);
}

PyObject *tnpy_raise(void) {
    tn_error_record record;
    tn_error code = tn_error_take(&record);
    if (PyErr_Occurred()) /* an exception inside a callback comes first */
        return NULL;
    PyObject *kept = errors_find(code ? record.message : "");
    if (kept) {
        PyErr_Restore(Py_NewRef((PyObject *)Py_TYPE(kept)), kept, PyException_GetTraceback(kept));
        return NULL;
    }
    PyObject *class = (unsigned)code <= TN_ERROR_LINALG ? errors_classes[code] : NULL;
    tnpy_raise_text(class ? class : PyExc_SystemError, code ? record.message : "a call failed without giving a reason");
    return NULL;
}
