/* operator.c - calls of operators, and the operator table as functions of the module and methods of Tensor.
 *
 * Everything is made when the module is imported: for each name one builtin function and one method (table.c reads the forms).
 * A function finds its operator in its `self`. A method's `self` is the tensor, so each method needs an address of its own: a
 * fixed number of tiny C functions that differ only in a number (trampolines.h).
 */
#include "core.h"

static PyObject *operator_name_out; /* "out", interned */

/* ---- a call */

/* Whether the call is worth giving up the interpreter's lock. With few elements in few tensors it is not; work.c knows the
 * rest. */
static inline bool operator_is_long(const tnpy_form *form, const tn_value *values) {
    int64_t total = form->work == TNPY_WORK_UNKNOWN ? TNPY_LONG_WORK : 1;
    for (unsigned left = form->measured; left && total < TNPY_LONG_WORK; left &= left - 1) {
        const tn_value *value = &values[__builtin_ctz(left)];
        int64_t many = value->kind == TN_VALUE_TENSOR && value->as.tensor ? tn_numel(value->as.tensor) : TNPY_LONG_WORK;
        total = many < TNPY_LONG_WORK ? total * (many | 1) : TNPY_LONG_WORK; /* no element counts as one */
    }
    return TNPY_UNLIKELY(total >= TNPY_LONG_WORK) && tnpy_work_is_long(form, values);
}

static PyObject *operator_named_results(const tnpy_operator *op, const tnpy_form *form, PyObject *tuple) {
    if (!tuple || !op->result_type || tn_operator_result_count(form->op) < 2)
        return tuple;
    PyObject *named = PyStructSequence_New((PyTypeObject *)op->result_type);
    Py_ssize_t count = PyTuple_Size(tuple);
    for (Py_ssize_t i = 0; named && i < count; i++)
        PyStructSequence_SetItem(named, i, Py_NewRef(PyTuple_GetItem(tuple, i)));
    Py_DECREF(tuple);
    return named;
}

/* The one tensor that unique gives when nothing else was asked for, although this form gives a list. */
static PyObject *operator_list(const tnpy_operator *op, const tnpy_form *form, PyObject *tuple) {
    if (tuple && form->result == TN_RESULT_LIST && PyTuple_Size(tuple) == 1 && op->forms[0]->result == TN_RESULT_TENSOR &&
        strcmp(tn_operator_base(form->op), op->name) == 0) {
        PyObject *only = Py_NewRef(PyTuple_GetItem(tuple, 0));
        Py_DECREF(tuple);
        return only;
    }
    return operator_named_results(op, form, tuple);
}

/* The tensor that was written to is returned. */
static PyObject *operator_written(const tnpy_operator *op, const tnpy_form *form, PyObject *const *objects) {
    if (form->outs <= 1)
        return Py_NewRef(objects[form->written]);
    PyObject *tuple = PyTuple_New(form->outs);
    for (int i = 0; tuple && i < form->outs; i++)
        if (PyTuple_SetItem(tuple, i, Py_NewRef(objects[i])) < 0)
            Py_CLEAR(tuple);
    return operator_named_results(op, form, tuple);
}

static bool operator_is_same_view(const tn_tensor *a, const tn_tensor *b) {
    return tn_storage_of(a) == tn_storage_of(b) && tn_storage_offset(a) == tn_storage_offset(b) &&
           tn_dtype_of(a) == tn_dtype_of(b) && tnpy_same_dims(tn_sizes(a), tn_sizes(b)) &&
           tnpy_same_dims(tn_strides(a), tn_strides(b));
}

static PyObject *operator_result(const tnpy_operator *op, const tnpy_form *form, PyObject *const *objects, tn_value *result) {
    if (form->variant != TN_VARIANT_FUNCTIONAL)
        return operator_written(op, form, objects);
    PyObject *source = NULL;
    bool views = form->result == TN_RESULT_VIEW || form->result == TN_RESULT_MAYBE_VIEW || form->result == TN_RESULT_VIEWS;
    for (int i = 0; views && !source && i < form->count; i++)
        if (objects[i] && (form->parameters[i].type == TN_TYPE_TENSOR))
            source = objects[i];
    switch (result->kind) {
    case TN_VALUE_TENSOR:
        if (TNPY_UNLIKELY((form->gives_back || (form->gives_number_back && tn_ndim(result->as.tensor) == 0)) && source &&
                          result->as.tensor && operator_is_same_view(result->as.tensor, tnpy_tensor_of(source)))) {
            tn_release(result->as.tensor);
            return Py_NewRef(source);
        }
        return source && !form->fresh ? tnpy_wrap_view(result->as.tensor, source) : tnpy_wrap(result->as.tensor);
    case TN_VALUE_LIST: return operator_list(op, form, tnpy_wrap_list(result->as.list, source, views));
    case TN_VALUE_INT: return PyLong_FromLongLong(result->as.integer);
    case TN_VALUE_FLOAT: return PyFloat_FromDouble(result->as.real);
    case TN_VALUE_BOOL: return PyBool_FromLong(result->as.boolean);
    case TN_VALUE_SCALAR: return tnpy_scalar_object(result->as.scalar);
    default: Py_RETURN_NONE;
    }
}

/* Whether `out` is an argument like the others, which a registered operator may have. */
static bool operator_reads_out(const tnpy_form *form) {
    for (int i = 0; i < form->count; i++)
        if (form->parameters[i].spelling == operator_name_out)
            return true;
    return false;
}

/* As the library warns where an operator writes to out itself. */
static int operator_warn_of_size(const tnpy_operator *op, const tn_tensor *out, const tn_tensor *result) {
    PyObject *old = tnpy_int_tuple(tn_sizes(out)), *sizes = tnpy_int_tuple(tn_sizes(result));
    int code =
        old && sizes
            ? PyErr_WarnFormat(
                  PyExc_UserWarning, 1,
                  "%s: the result has the sizes %R, so out, of sizes %R, is resized to them; give an out of these sizes, or "
                  "one without elements",
                  op->name, sizes, old)
            : -1;
    Py_XDECREF(old);
    Py_XDECREF(sizes);
    return code;
}

/* Writes a result to a tensor that was given for it, which `resizes` where it must. */
static bool operator_write_out(const tnpy_operator *op, const tn_tensor *from, tn_tensor *to, bool resizes) {
    bool same = tnpy_same_dims(tn_sizes(to), tn_sizes(from));
    if (resizes && !same && tn_numel(to) > 0 && operator_warn_of_size(op, to, from) < 0)
        return false;
    if ((!resizes || same || tn_resize_(to, tn_sizes(from))) && tn_copy_(to, from))
        return true;
    (void)tnpy_raise();
    return false;
}

/* Whether the library would let a result be written there; an exception where not. So no result is written before all of them
 * were checked. */
static bool operator_can_write(const tnpy_operator *op, const tn_tensor *from, const tn_tensor *to, bool resizes) {
    bool same = tnpy_same_dims(tn_sizes(to), tn_sizes(from));
    if (tn_is_readonly(to))
        PyErr_Format(tnpy_error_class(TN_ERROR_READONLY), "%s(): a tensor of out is read-only", op->name);
    else if (resizes && tn_dtype_of(to) != tn_dtype_of(from))
        PyErr_Format(tnpy_error_class(TN_ERROR_DTYPE), "%s(): a tensor of out has elements of %s, but its result has %s",
                     op->name, tn_dtype_name(tn_dtype_of(to)), tn_dtype_name(tn_dtype_of(from)));
    else if ((!resizes || same) && tn_overlaps_itself(to))
        PyErr_Format(tnpy_error_class(TN_ERROR_OVERLAP), "%s(): several elements of a tensor of out share a place", op->name);
    else if (resizes && !same && !tn_storage_resizable(tn_storage_of(to)))
        PyErr_Format(tnpy_error_class(TN_ERROR_STATE),
                     "%s(): a tensor of out has other sizes, and its memory cannot be resized", op->name);
    else if (!resizes && !same) { /* it is copied to, so that it may be broadcast */
        tn_tensor *wide = tn_expand(from, tn_sizes(to));
        if (!wide)
            (void)tnpy_raise();
        tn_release(wide);
    }
    return !PyErr_Occurred();
}

/* Several results, to a list of tensors: None, as in torch. `results` is a tuple. */
static PyObject *operator_copy_outs(const tnpy_operator *op, PyObject *results, PyObject *out) {
    bool resizes = strcmp(op->name, "split_copy") != 0; /* which torch only copies to */
    PyObject *outs = PyList_Check(out) ? PyList_AsTuple(out) : Py_NewRef(out);
    if (!outs)
        return NULL;
    Py_ssize_t count = PyTuple_Size(results);
    bool good = PyTuple_Check(outs);
    for (Py_ssize_t i = 0; good && i < PyTuple_Size(outs); i++)
        good = tnpy_is_tensor(PyTuple_GetItem(outs, i));
    if (!good)
        PyErr_Format(PyExc_TypeError, "%s(): out must be a list of tensors, one for each result", op->name);
    else if (PyTuple_Size(outs) != count) {
        PyErr_Format(tnpy_error_class(TN_ERROR_ARGUMENT), "%s(): there are %zd results, but out has %zd tensors", op->name,
                     count, PyTuple_Size(outs));
        good = false;
    }
    for (Py_ssize_t i = 0; good && i < count; i++)
        good = operator_can_write(op, tnpy_tensor_of(PyTuple_GetItem(results, i)), tnpy_tensor_of(PyTuple_GetItem(outs, i)),
                                  resizes);
    for (Py_ssize_t i = 0; good && i < count; i++)
        good = operator_write_out(op, tnpy_tensor_of(PyTuple_GetItem(results, i)), tnpy_tensor_of(PyTuple_GetItem(outs, i)),
                                  resizes);
    Py_DECREF(outs);
    return good ? Py_NewRef(Py_None) : NULL;
}

static bool operator_copies_parts(const tnpy_operator *op) {
    size_t length = strlen(op->name);
    return length > 5 && strcmp(op->name + length - 5, "_copy") == 0;
}

/* An operator that has no form with out: its result is copied there. */
static PyObject *operator_copy_out(const tnpy_operator *op, PyObject *result, PyObject *out) {
    PyObject *given = NULL;
    if (!result)
        return NULL;
    if (PyTuple_Check(result) && operator_copies_parts(op))
        given = operator_copy_outs(op, result, out);
    else if (!tnpy_is_tensor(result) || !tnpy_is_tensor(out))
        PyErr_SetString(PyExc_TypeError, "out must be a tensor, for an operator that gives one");
    else if (operator_write_out(op, tnpy_tensor_of(result), tnpy_tensor_of(out), true))
        given = Py_NewRef(out);
    Py_DECREF(result);
    return given;
}

/* What empty made, with its dimensions in the order that memory_format names; there are no elements to lose. */
static PyObject *operator_format(PyObject *made, const tnpy_call *call) {
    Py_ssize_t keywords = made && call->names ? PyTuple_Size(call->names) : 0;
    for (Py_ssize_t k = 0; k < keywords; k++) {
        PyObject *value = call->args[call->count + k];
        if (Py_TYPE(value) != tnpy_format_type || ((tnpy_format *)value)->format == TN_PRESERVE)
            continue;
        PyObject *ordered = tnpy_wrap(tn_contiguous(tnpy_tensor_of(made), ((tnpy_format *)value)->format));
        Py_DECREF(made);
        return ordered;
    }
    return made;
}

/* What a factory made, requiring a gradient where requires_grad=True says so. */
static PyObject *operator_require(PyObject *made, const tnpy_call *call) {
    Py_ssize_t keywords = made && call->names ? PyTuple_Size(call->names) : 0;
    for (Py_ssize_t k = 0; k < keywords; k++)
        if (call->args[call->count + k] == Py_True &&
            PyUnicode_CompareWithASCIIString(PyTuple_GetItem(call->names, k), "requires_grad") == 0)
            return tnpy_when_required(made, true);
    return made;
}

/* Where a factory makes its tensor: as device= says, else on the device of the tensor it is like, else on the default device.
 * False with an exception. */
static bool operator_find_device(const tnpy_form *form, const tnpy_call *call, const tn_value *values, tn_device *out) {
    Py_ssize_t keywords = call->names ? PyTuple_Size(call->names) : 0;
    for (Py_ssize_t k = 0; k < keywords; k++)
        if (call->args[call->count + k] != Py_None &&
            PyUnicode_CompareWithASCIIString(PyTuple_GetItem(call->names, k), "device") == 0)
            return tnpy_new_device(call->args[call->count + k], out) == 0;
    *out = form->self >= 0 ? tn_device_of(values[form->self].as.tensor) : tnpy_default_device();
    return true;
}

/* Whether a factory must make its tensor on a device where it does not do so by itself: 1, 0, or -1 with an exception. */
static int operator_is_elsewhere(const tnpy_form *form, const tnpy_call *call, const tn_value *values, tn_device *out) {
    if (!operator_find_device(form, call, values, out))
        return -1;
    return out->type == TN_META || out->type != (form->self >= 0 ? tn_device_of(values[form->self].as.tensor).type : TN_CPU);
}

/* A view that is about to be changed by something with a gradient. */
static bool operator_attach(const tnpy_form *form, PyObject *view, const tn_value *values) {
    if (!tnpy_is_tensor(view) || !((tnpy_tensor *)view)->base)
        return false;
    for (int i = 0; i < form->count; i++)
        if (values[i].kind == TN_VALUE_TENSOR && values[i].as.tensor && tn_requires_grad(values[i].as.tensor))
            return tnpy_attach_begin(view);
    return false;
}

__attribute__((noinline)) PyObject *tnpy_operator_run(const tnpy_operator *op, PyObject *self, PyObject *const *args,
                                                      Py_ssize_t count, PyObject *names) {
    if (op->fast && self && !names) {
        PyObject *made = op->fast(self, args, count);
        if (TNPY_LIKELY(made || PyErr_Occurred()))
            return made;
    }
    tn_value values[TN_MAX_PARAMETERS], result;
    PyObject *objects[TN_MAX_PARAMETERS];
    tnpy_scratch scratch;
    scratch.numbers_used = 0;
    scratch.tensors_used = scratch.held_count = scratch.reals_used = 0;
    scratch.index = NULL;
    scratch.numbers_as_tensors = false;
    tnpy_call call = {self, NULL, args, count, names};
    if (names) {
        Py_ssize_t keywords = PyTuple_Size(names);
        for (Py_ssize_t k = 0; k < keywords; k++)
            if (args[count + k] != Py_None && (PyTuple_GetItem(names, k) == operator_name_out ||
                                               PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, k), "out") == 0))
                call.out = args[count + k];
    }
    const tnpy_form *form = tnpy_bind(op, &call, values, objects, &scratch);
    if (!form)
        return NULL;
    tn_error code;
    tn_values list = {values, form->count};
    tn_device device;
    int elsewhere = TNPY_UNLIKELY(form->creates) ? operator_is_elsewhere(form, &call, values, &device) : 0;
    if (TNPY_UNLIKELY(elsewhere)) {
        PyObject *there = elsewhere > 0 ? tnpy_wrap(tnpy_create_on(form, values, device)) : NULL;
        tnpy_scratch_clear(&scratch);
        return operator_require(op->formatted && names ? operator_format(there, &call) : there, &call);
    }
    tnpy_casts casts;
    bool cast = TNPY_UNLIKELY(tnpy_autocast_dtype != TN_DTYPE_DEFAULT) && form->variant == TN_VARIANT_FUNCTIONAL;
    if (cast && tnpy_autocast_begin(op->name, values, form->count, &casts) < 0) {
        tnpy_scratch_clear(&scratch);
        return NULL;
    }
    bool attached =
        form->variant == TN_VARIANT_IN_PLACE && form->written >= 0 && operator_attach(form, objects[form->written], values);
    if (op->registered || operator_is_long(form, values)) {
        Py_BEGIN_ALLOW_THREADS code = tn_operator_call(form->op, list, &result);
        Py_END_ALLOW_THREADS
    } else
        code = tn_operator_call(form->op, list, &result);
    if (TNPY_UNLIKELY(cast))
        tnpy_autocast_end(&casts);
    if (TNPY_UNLIKELY(attached))
        tnpy_attach_end(objects[form->written]);
    PyObject *made = code ? tnpy_raise() : operator_result(op, form, objects, &result);
    if (TNPY_UNLIKELY(tnpy_warnings_after_call() < 0))
        Py_CLEAR(made);
    tnpy_scratch_clear(&scratch);
    if (TNPY_UNLIKELY(op->formatted && names))
        made = operator_format(made, &call);
    if (TNPY_UNLIKELY(form->creates && names))
        made = operator_require(made, &call);
    return call.out && form->outs == 0 && !operator_reads_out(form) ? operator_copy_out(op, made, call.out) : made;
}

/* The results for several tensors, or for a list or tuple of them. */
static PyObject *operator_each(const tnpy_operator *op, PyObject *const *args, Py_ssize_t count) {
    PyObject *list = count == 1 ? PySequence_Tuple(args[0]) : PyTuple_New(count);
    for (Py_ssize_t i = 0; list && count != 1 && i < count; i++)
        if (PyTuple_SetItem(list, i, Py_NewRef(args[i])) < 0)
            Py_CLEAR(list);
    Py_ssize_t total = list ? PyTuple_Size(list) : 0;
    PyObject *results = list ? PyTuple_New(total) : NULL;
    for (Py_ssize_t i = 0; results && i < total; i++) {
        PyObject *item = PyTuple_GetItem(list, i), *made = NULL;
        if (tnpy_is_tensor(item))
            made = tnpy_operator_run(op, NULL, &item, 1, NULL);
        else
            PyErr_Format(PyExc_TypeError, "%s(): item %zd must be a tensor, not %R", op->name, i, (PyObject *)Py_TYPE(item));
        if (!made || PyTuple_SetItem(results, i, made) < 0)
            Py_CLEAR(results);
    }
    Py_XDECREF(list);
    return results;
}

PyObject *tnpy_operator_function(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    const tnpy_operator *op = (tnpy_operator *)self;
    if (TNPY_UNLIKELY(op->each)) {
        if (names || (count == 1 && !tnpy_is_tensor(args[0]) && !PyList_Check(args[0]) && !PyTuple_Check(args[0]))) {
            PyErr_Format(PyExc_TypeError, "%s() takes a tensor, several, or a list of them, and nothing by name", op->name);
            return NULL;
        }
        if (count != 1 || !tnpy_is_tensor(args[0]))
            return operator_each(op, args, count);
    }
    return tnpy_operator_run((tnpy_operator *)self, NULL, args, count, names);
}

/* ---- methods */

static const tnpy_operator **operator_by_method;
#include "trampolines.h"
/* ---- into the module and the type */

/* Attributes of a tensor in Python, not methods. */
static bool operator_is_attribute(const char *name) {
    static const char *const names[] = {"T", "mT", "H", "mH", "real", "imag"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool operator_has_method(const tnpy_operator *op) {
    if (operator_is_attribute(op->name))
        return false;
    for (int f = 0; f < op->plain; f++)
        if (op->forms[f]->self >= 0)
            return true;
    return false;
}

const PyMethodDef *tnpy_operator_methods(Py_ssize_t *count) {
    static PyMethodDef *methods;
    static Py_ssize_t total;
    if (!methods) {
        methods = PyMem_Calloc((size_t)tnpy_operator_total + 1, sizeof *methods);
        operator_by_method = PyMem_Calloc((size_t)tnpy_operator_total + 1, sizeof *operator_by_method);
        if (!methods || !operator_by_method) {
            PyErr_NoMemory();
            return NULL;
        }
        for (Py_ssize_t i = 0; i < tnpy_operator_total; i++) {
            tnpy_operator *op = tnpy_operators[i];
            if (!operator_has_method(op))
                continue;
            if (total == OPERATOR_METHODS) {
                PyErr_Format(PyExc_ImportError, "there are more than %d operators: trampolines.h needs more rows", total);
                return NULL;
            }
            if (!(op->method_doc = tnpy_document(op, true)))
                return NULL;
            op->method = (PyMethodDef){op->name, TNPY_FUNCTION(operator_trampolines[total]), METH_FASTCALL | METH_KEYWORDS,
                                       op->method_doc};
            operator_by_method[total] = op;
            methods[total++] = op->method;
        }
    }
    *count = total;
    return methods;
}

/* For tools and tests: (name in Python, name in the table, signature, group, parameter of the object or -1) of every form. */
static PyObject *operator_list_all(PyObject *module, PyObject *ignored) {
    (void)module;
    (void)ignored;
    PyObject *all = PyList_New(0);
    for (Py_ssize_t i = 0; all && i < tnpy_operator_total; i++)
        for (int f = 0; all && f < tnpy_operators[i]->count; f++) {
            const tnpy_form *form = tnpy_operators[i]->forms[f];
            PyObject *row = Py_BuildValue("(ssssi)", tnpy_operators[i]->name, tn_operator_name(form->op),
                                          tn_operator_signature(form->op), tn_operator_group(form->op), form->self);
            if (!row || PyList_Append(all, row) < 0)
                Py_CLEAR(all);
            Py_XDECREF(row);
        }
    return all;
}

static PyObject *operator_spelling(PyObject *module, PyObject *name) {
    (void)module;
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    return text ? PyUnicode_FromString(tnpy_spelling(text)) : Py_NewRef(name);
}

static PyMethodDef operator_tools[] = {
    {"_spelling", operator_spelling, METH_O, "What a parameter of the table is called in Python."},
    {"_operators", operator_list_all, METH_NOARGS, "Every form of every operator, for tools."},
    {NULL, NULL, 0, NULL},
};

int tnpy_operators_add(PyObject *module) {
    operator_name_out = PyUnicode_InternFromString("out");
    if (!operator_name_out)
        return -1;
    if (PyModule_AddFunctions(module, operator_tools) < 0 || PyModule_AddFunctions(module, tnpy_table_functions) < 0)
        return -1;
    PyObject *name = PyUnicode_InternFromString("tenon");
    if (!name)
        return -1;
    for (Py_ssize_t i = 0; i < tnpy_operator_total; i++) {
        tnpy_operator *op = tnpy_operators[i];
        if (op->plain == 0 || strcmp(op->name, "sum_to_size") == 0 || strcmp(op->name, "fill_diagonal_") == 0)
            continue; /* torch has some only as methods */
        PyObject *function = PyCFunction_NewEx(&op->function, (PyObject *)op, name);
        if (!function || PyModule_AddObject(module, op->name, function) < 0) {
            Py_XDECREF(function);
            Py_DECREF(name);
            return -1;
        }
    }
    Py_DECREF(name);
    return 0;
}
