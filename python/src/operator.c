/* operator.c - calls of operators, and the operator table as functions of the module and methods of Tensor.
 *
 * Everything is made when the module is imported: for each name one builtin function and one method (table.c reads the forms).
 * A function finds its operator in its `self`. A method's `self` is the tensor, so each method needs an address of its own: a
 * fixed number of tiny C functions that differ only in a number (trampolines.h).
 */
#include "core.h"

static PyObject *operator_name_out; /* "out", interned */

/* ---- a call */

/* Whether the work is worth giving up the interpreter's lock. */
static bool operator_is_long(const tnpy_form *form, const tn_value *values) {
    int64_t total = 0;
    for (int i = 0; i < form->count && total < TNPY_LONG_WORK; i++) {
        if (values[i].kind == TN_VALUE_TENSOR && values[i].as.tensor)
            total += tn_numel(values[i].as.tensor);
        else if (values[i].kind == TN_VALUE_TENSORS)
            for (int64_t k = 0; k < values[i].as.tensors.count && total < TNPY_LONG_WORK; k++)
                total += tn_numel(values[i].as.tensors.items[k]);
        else if (values[i].kind == TN_VALUE_DIMS && form->self < 0) {
            int64_t count = 1;
            for (int64_t k = 0; k < values[i].as.dims.count && count < TNPY_LONG_WORK; k++) {
                int64_t size = values[i].as.dims.values[k];
                count *= size < 0 ? 0 : size < TNPY_LONG_WORK ? size : TNPY_LONG_WORK;
            }
            total += count;
        }
    }
    return total >= TNPY_LONG_WORK;
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

/* The one tensor that unique gives when nothing else was asked for, though this form of it gives a list. */
static PyObject *operator_list(const tnpy_operator *op, const tnpy_form *form, PyObject *tuple) {
    if (tuple && form->result == TN_RESULT_LIST && PyTuple_Size(tuple) == 1 && op->forms[0]->result == TN_RESULT_TENSOR &&
        strcmp(tn_operator_base(form->op), op->name) == 0) {
        PyObject *only = Py_NewRef(PyTuple_GetItem(tuple, 0));
        Py_DECREF(tuple);
        return only;
    }
    return operator_named_results(op, form, tuple);
}

/* What was written to is what is returned. */
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
    tn_dims sizes = tn_sizes(a), others = tn_sizes(b), strides = tn_strides(a), steps = tn_strides(b);
    size_t bytes = (size_t)sizes.count * sizeof(int64_t);
    return tn_storage_of(a) == tn_storage_of(b) && tn_storage_offset(a) == tn_storage_offset(b) &&
           tn_dtype_of(a) == tn_dtype_of(b) && sizes.count == others.count &&
           (bytes == 0 ||
            (memcmp(sizes.values, others.values, bytes) == 0 && memcmp(strides.values, steps.values, bytes) == 0));
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

/* Whether `out` is an argument like the others, as a registered operator may have it. */
static bool operator_reads_out(const tnpy_form *form) {
    for (int i = 0; i < form->count; i++)
        if (form->parameters[i].spelling == operator_name_out)
            return true;
    return false;
}

/* An operator that has no form with out: its result is copied there. */
static PyObject *operator_copy_out(PyObject *result, PyObject *out) {
    if (!result)
        return NULL;
    if (!tnpy_is_tensor(result) || !tnpy_is_tensor(out)) {
        Py_DECREF(result);
        PyErr_SetString(PyExc_TypeError, "out must be a tensor, for an operator that gives one");
        return NULL;
    }
    tn_tensor *to = tnpy_tensor_of(out);
    const tn_tensor *from = tnpy_tensor_of(result);
    tn_dims sizes = tn_sizes(from), old = tn_sizes(to);
    bool same = sizes.count == old.count && memcmp(sizes.values, old.values, (size_t)sizes.count * sizeof(int64_t)) == 0;
    bool done = (same || tn_resize_(to, sizes)) && tn_copy_(to, from);
    Py_DECREF(result);
    return done ? Py_NewRef(out) : tnpy_raise();
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
    if (op->registered || operator_is_long(form, values)) {
        Py_BEGIN_ALLOW_THREADS code = tn_operator_call(form->op, list, &result);
        Py_END_ALLOW_THREADS
    } else
        code = tn_operator_call(form->op, list, &result);
    PyObject *made = code ? tnpy_raise() : operator_result(op, form, objects, &result);
    tnpy_scratch_clear(&scratch);
    if (TNPY_UNLIKELY(op->formatted && names))
        made = operator_format(made, &call);
    return call.out && form->outs == 0 && !operator_reads_out(form) ? operator_copy_out(made, call.out) : made;
}

PyObject *tnpy_operator_function(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
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
        if (op->plain == 0)
            continue;
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
