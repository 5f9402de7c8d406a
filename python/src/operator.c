/* operator.c - the operator table as functions of the module and methods of Tensor.
 *
 * Everything is made when the module is imported: for each name, the forms the table has of it, one builtin function, one
 * method, and their docstrings. A function finds its operator in its `self`. A method's `self` is the tensor, so each method
 * needs an address of its own: a fixed number of tiny C functions that differ only in a number (trampolines.h).
 */
#include "core.h"

static PyTypeObject *operator_type;

static tnpy_operator **operators; /* in the order of the table */
static Py_ssize_t operator_total;

static PyObject *operator_name_out; /* "out", interned */

/* ---- a call */

/* Whether the work is worth giving up the interpreter's lock. */
static bool operator_is_long(const tnpy_form *form, const tn_value *values) {
    int64_t total = 0;
    for (int i = 0; i < form->count; i++) {
        if (values[i].kind == TN_VALUE_TENSOR && values[i].as.tensor)
            total += tn_numel(values[i].as.tensor);
        else if (values[i].kind == TN_VALUE_TENSORS)
            for (int64_t k = 0; k < values[i].as.tensors.count; k++)
                total += tn_numel(values[i].as.tensors.items[k]);
        else if (values[i].kind == TN_VALUE_DIMS && form->self < 0) {
            int64_t count = 1;
            for (int64_t k = 0; k < values[i].as.dims.count && count < TNPY_LONG_WORK; k++)
                count *= values[i].as.dims.values[k];
            total += count > 0 ? count : 0;
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

/* Operators that give back the very object where there is nothing to do; others make a view of it even then, as torch does. */
static bool operator_gives_back(const char *name) {
    static const char *const names[] = {"atleast_1d", "atleast_2d", "atleast_3d", "conj",  "conj_physical",
                                        "dropout",    "flatten",    "positive",   "ravel", "real"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
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
        if (TNPY_UNLIKELY(form->gives_back && source && result->as.tensor &&
                          operator_is_same_view(result->as.tensor, tnpy_tensor_of(source)))) {
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

__attribute__((noinline)) static PyObject *operator_run(const tnpy_operator *op, PyObject *self, PyObject *const *args,
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
    scratch.tensors_used = scratch.held_count = 0;
    scratch.index = NULL;
    scratch.numbers_as_tensors = false;
    tnpy_call call = {self, NULL, args, count, names};
    if (names) {
        Py_ssize_t keywords = PyTuple_Size(names);
        for (Py_ssize_t k = 0; k < keywords; k++)
            if (PyTuple_GetItem(names, k) == operator_name_out && args[count + k] != Py_None)
                call.out = args[count + k];
    }
    const tnpy_form *form = tnpy_bind(op, &call, values, objects, &scratch);
    if (!form)
        return NULL;
    tn_error code;
    tn_values list = {values, form->count};
    if (operator_is_long(form, values)) {
        Py_BEGIN_ALLOW_THREADS code = tn_operator_call(form->op, list, &result);
        Py_END_ALLOW_THREADS
    } else
        code = tn_operator_call(form->op, list, &result);
    PyObject *made = code ? tnpy_raise() : operator_result(op, form, objects, &result);
    tnpy_scratch_clear(&scratch);
    return call.out && form->outs == 0 ? operator_copy_out(made, call.out) : made;
}

static PyObject *operator_function(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    return operator_run((tnpy_operator *)self, NULL, args, count, names);
}

/* ---- methods */

static const tnpy_operator **operator_by_method;
#include "trampolines.h"

/* ---- reading the table */

/* A default that is the same for every call, read once. What is not read here is left to the library. */
static tn_value operator_standard(tn_type type, const char *text) {
    char *end;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return tn_value_bool(*text == 't');
    if (type == TN_TYPE_INT) {
        long long whole = strtoll(text, &end, 10);
        return *text && !*end ? tn_value_int(whole) : tn_value_none();
    }
    if (type == TN_TYPE_SCALAR || type == TN_TYPE_NUMBER) {
        if (strcmp(text, "none") == 0)
            return tn_value_scalar(tn_scalar_none());
        long long whole = strtoll(text, &end, 10);
        return *text && !*end ? tn_value_scalar(tn_scalar_int(whole)) : tn_value_none();
    }
    if (type == TN_TYPE_DTYPE && strcmp(text, "default") == 0)
        return tn_value_dtype(TN_DTYPE_DEFAULT);
    if (type == TN_TYPE_FORMAT && strcmp(text, "preserve") == 0)
        return tn_value_format(TN_PRESERVE);
    if (type == TN_TYPE_FORMAT && strcmp(text, "contiguous") == 0)
        return tn_value_format(TN_CONTIGUOUS);
    return tn_value_none();
}

static bool operator_only_options_follow(const tnpy_form *form, int after) {
    for (int i = after + 1; i < form->count; i++) {
        tn_type type = form->parameters[i].type;
        if (type != TN_TYPE_DTYPE && type != TN_TYPE_DEVICE && type != TN_TYPE_FORMAT && type != TN_TYPE_TEXT &&
            type != TN_TYPE_GENERATOR)
            return false;
    }
    return true;
}

/* Defaults that Python has and C, where every argument is written out, does not: numbers of a dims, and an int that is the one
 * before it when it is left out (TN_NONE, which bind.c replaces). */
static void operator_add_standard(const tn_operator *op, tnpy_parameter *parameter) {
    static const int64_t plane[] = {0, 1};
    if (strcmp(tn_operator_base(op), "rot90") == 0 && parameter->type == TN_TYPE_DIMS)
        parameter->standard = tn_value_dims((tn_dims){plane, 2});
    else if (strcmp(tn_operator_base(op), "eye") == 0 && strcmp(parameter->name, "columns") == 0)
        parameter->same_as_before = true;
    else
        return;
    parameter->has_standard = true;
}

static tnpy_form *operator_read_form(const tn_operator *op) {
    int count = (int)tn_operator_parameter_count(op);
    tnpy_form *form = PyMem_Calloc(1, sizeof *form + (size_t)count * sizeof *form->parameters);
    if (!form) {
        PyErr_NoMemory();
        return NULL;
    }
    form->op = op;
    form->result = tn_operator_result(op);
    form->variant = tn_operator_variant(op);
    form->count = count;
    form->self = form->written = form->variadic = -1;
    form->fresh = strcmp(tn_operator_base(op), "detach") == 0;
    form->gives_back = operator_gives_back(tn_operator_base(op));
    if (form->variant == TN_VARIANT_OUT)
        form->outs = tn_operator_result_count(op) > 0 ? (int)tn_operator_result_count(op) : 1;
    for (int i = 0; i < count; i++) {
        tn_parameter from = tn_operator_parameter(op, i);
        tnpy_parameter *to = &form->parameters[i];
        to->name = from.name;
        to->type = from.type;
        to->spelling = PyUnicode_InternFromString(tnpy_spelling(from.name));
        if (!to->spelling)
            return NULL; /* importing fails; what was made stays */
        to->has_standard = from.standard || from.type == TN_TYPE_OPTIONAL;
        to->standard = from.standard ? operator_standard(from.type, from.standard) : tn_value_none();
        operator_add_standard(op, to);
        if (form->self < 0 && strcmp(from.name, "self") == 0 && (from.type == TN_TYPE_TENSOR || from.type == TN_TYPE_WRITTEN))
            form->self = i;
        if (form->written < 0 && from.written)
            form->written = i;
    }
    int first = form->outs + (form->self == form->outs);
    if (first < count && (form->parameters[first].type == TN_TYPE_DIMS || form->parameters[first].type == TN_TYPE_TENSORS) &&
        operator_only_options_follow(form, first))
        form->variadic = first;
    return form;
}

/* Names whose forms are a part of another name's too. */
static const struct operator_joined {
    const char *into, *from;
} operator_joins[] = {{"split", "split_with_sizes"}, {"where", "nonzero_numpy"}, {"nonzero", "nonzero_numpy"}};

/* Whether an operator of the table is a form of this Python name: the same name, or that of its out variant. */
static bool operator_is_form(const char *python, const tn_operator *op) {
    const char *full = tn_operator_name(op);
    size_t length = strcspn(full, ".");
    if (tn_operator_variant(op) == TN_VARIANT_OUT && length > 4)
        length -= 4; /* _out */
    return strlen(python) == length && memcmp(python, full, length) == 0;
}

static int operator_add_form(tnpy_operator *op, tnpy_form *form) {
    tnpy_form **longer = PyMem_Realloc(op->forms, (size_t)(op->count + 1) * sizeof *longer);
    if (!longer) {
        PyErr_NoMemory();
        return -1;
    }
    op->forms = longer;
    int at = op->count++;
    if (form->outs == 0) { /* before those with out */
        for (; at > op->plain; at--)
            op->forms[at] = op->forms[at - 1];
        op->plain++;
    }
    op->forms[at] = form;
    return 0;
}

/* The operator of a Python name, which was added lately if it was: the table is in the order of names. */
static tnpy_operator *operator_lately(const tn_operator *form) {
    for (Py_ssize_t i = operator_total - 1; i >= 0 && i > operator_total - 64; i--)
        if (operator_is_form(operators[i]->name, form))
            return operators[i];
    return NULL;
}

/* The name in Python: the operator's without its overload and without _out. NULL with an exception. */
static char *operator_python_name(const tn_operator *form) {
    const char *full = tn_operator_name(form);
    size_t length = strcspn(full, ".") - (tn_operator_variant(form) == TN_VARIANT_OUT ? 4 : 0);
    char *name = PyMem_Malloc(length + 1);
    if (!name) {
        PyErr_NoMemory();
        return NULL;
    }
    memcpy(name, full, length);
    name[length] = 0;
    return name;
}

static tnpy_operator *operator_new(const tn_operator *form) {
    char *name = operator_python_name(form);
    tnpy_operator *made = name ? PyObject_New(tnpy_operator, operator_type) : NULL;
    if (!made) {
        PyMem_Free(name);
        return NULL;
    }
    made->name = name;
    made->forms = NULL;
    made->count = made->plain = 0;
    made->result_type = NULL;
    made->fast = tnpy_fast_way(name);
    made->function_doc = made->method_doc = NULL;
    operators[operator_total++] = made;
    return made;
}

static int operator_read_all(void) {
    int64_t count = tn_operator_count();
    operators = PyMem_Calloc((size_t)count + 1, sizeof *operators);
    if (!operators) {
        PyErr_NoMemory();
        return -1;
    }
    for (int64_t i = 0; i < count; i++) {
        const tn_operator *row = tn_operator_at(i);
        if (strchr(tn_operator_name(row), ':'))
            continue; /* registered by the program: tenon.ops */
        tnpy_operator *op = operator_lately(row);
        tnpy_form *form = op || (op = operator_new(row)) ? operator_read_form(row) : NULL;
        if (!form || operator_add_form(op, form) < 0)
            return -1;
    }
    return 0;
}

static tnpy_operator *operator_find(const char *name) {
    for (Py_ssize_t i = 0; i < operator_total; i++)
        if (strcmp(operators[i]->name, name) == 0)
            return operators[i];
    return NULL;
}

/* random_(7) means up to 7: its form with one bound goes before that with two. */
static void operator_order_random(void) {
    tnpy_operator *op = operator_find("random_");
    for (int f = 1; op && f < op->plain; f++)
        if (strcmp(tn_operator_overload(op->forms[f]->op), "to") == 0) {
            tnpy_form *form = op->forms[f];
            op->forms[f] = op->forms[f - 1];
            op->forms[f - 1] = form;
        }
}

static int operator_join_all(void) {
    operator_order_random();
    for (size_t i = 0; i < sizeof operator_joins / sizeof *operator_joins; i++) {
        tnpy_operator *into = operator_find(operator_joins[i].into), *from = operator_find(operator_joins[i].from);
        for (int f = 0; into && from && f < from->count; f++)
            if (operator_add_form(into, from->forms[f]) < 0)
                return -1;
    }
    return 0;
}

/* ---- several named results: torch.return_types.max(values=..., indices=...) */

static PyObject *operator_results_repr(PyObject *self, PyObject *ignored) {
    (void)ignored;
    PyObject *fields = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "__match_args__");
    PyObject *name = PyType_GetName(Py_TYPE(self));
    PyObject *text = name ? PyUnicode_FromFormat("torch.return_types.%U(", name) : NULL;
    Py_ssize_t count = fields ? PyTuple_Size(fields) : 0;
    for (Py_ssize_t i = 0; text && i < count; i++) {
        PyObject *longer = PyUnicode_FromFormat("%U\n%U=%R%s", text, PyTuple_GetItem(fields, i), PyTuple_GetItem(self, i),
                                                i + 1 < count ? "," : ")");
        Py_DECREF(text);
        text = longer;
    }
    Py_XDECREF(fields);
    Py_XDECREF(name);
    return text;
}

static PyMethodDef operator_results_repr_definition = {"__repr__", operator_results_repr, METH_NOARGS, NULL};

static int operator_make_result_type(tnpy_operator *op) {
    const tn_operator *form = NULL;
    for (int i = 0; i < op->plain && !form; i++)
        if (tn_operator_result_count(op->forms[i]->op) > 1)
            form = op->forms[i]->op;
    if (!form)
        return 0;
    int64_t count = tn_operator_result_count(form);
    PyStructSequence_Field fields[TN_MAX_RESULTS + 1] = {{NULL, NULL}};
    for (int64_t i = 0; i < count; i++)
        fields[i].name = tn_operator_result_name(form, i);
    size_t size = strlen(op->name) + sizeof "torch.return_types.";
    char *name = PyMem_Malloc(size); /* the type keeps it */
    if (!name) {
        PyErr_NoMemory();
        return -1;
    }
    snprintf(name, size, "torch.return_types.%s", op->name);
    PyStructSequence_Desc description = {name, "The results of an operator, by name and by position.", fields, (int)count};
    op->result_type = (PyObject *)PyStructSequence_NewType(&description);
    PyObject *repr =
        op->result_type ? PyDescr_NewMethod((PyTypeObject *)op->result_type, &operator_results_repr_definition) : NULL;
    int code = repr ? PyObject_SetAttrString(op->result_type, "__repr__", repr) : -1;
    Py_XDECREF(repr);
    return code;
}

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

static int operator_define(tnpy_operator *op) {
    if (operator_make_result_type(op) < 0)
        return -1;
    op->function_doc = tnpy_document(op, false);
    if (!op->function_doc)
        return -1;
    op->function = (PyMethodDef){op->name, TNPY_FUNCTION(operator_function), METH_FASTCALL | METH_KEYWORDS, op->function_doc};
    return 0;
}

static PyObject *operator_repr(PyObject *self) { return PyUnicode_FromFormat("<operator %s>", ((tnpy_operator *)self)->name); }

/* Never freed: functions of the module and methods of the type point at them. */
static PyType_Slot operator_slots[] = {
    TNPY_SLOT(Py_tp_repr, operator_repr),
    {Py_tp_doc, (void *)(uintptr_t) "An operator of the table, with all its forms."},
    {0, NULL},
};

static PyType_Spec operator_spec = {"tenon.Operator", sizeof(tnpy_operator), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                                    operator_slots};

int tnpy_operators_read(void) {
    if (operator_type)
        return 0;
    operator_name_out = PyUnicode_InternFromString("out");
    operator_type = (PyTypeObject *)PyType_FromSpec(&operator_spec);
    if (!operator_name_out || !operator_type || operator_read_all() < 0 || operator_join_all() < 0)
        return -1;
    for (Py_ssize_t i = 0; i < operator_total; i++)
        if (operator_define(operators[i]) < 0)
            return -1;
    return 0;
}

const PyMethodDef *tnpy_operator_methods(Py_ssize_t *count) {
    static PyMethodDef *methods;
    static Py_ssize_t total;
    if (!methods) {
        methods = PyMem_Calloc((size_t)operator_total + 1, sizeof *methods);
        operator_by_method = PyMem_Calloc((size_t)operator_total + 1, sizeof *operator_by_method);
        if (!methods || !operator_by_method) {
            PyErr_NoMemory();
            return NULL;
        }
        for (Py_ssize_t i = 0; i < operator_total; i++) {
            tnpy_operator *op = operators[i];
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
    for (Py_ssize_t i = 0; all && i < operator_total; i++)
        for (int f = 0; all && f < operators[i]->count; f++) {
            const tnpy_form *form = operators[i]->forms[f];
            PyObject *row = Py_BuildValue("(ssssi)", operators[i]->name, tn_operator_name(form->op),
                                          tn_operator_signature(form->op), tn_operator_group(form->op), form->self);
            if (!row || PyList_Append(all, row) < 0)
                Py_CLEAR(all);
            Py_XDECREF(row);
        }
    return all;
}

static PyMethodDef operator_tools[] = {
    {"_operators", operator_list_all, METH_NOARGS, "Every form of every operator, for tools."},
    {NULL, NULL, 0, NULL},
};

int tnpy_operators_add(PyObject *module) {
    if (PyModule_AddFunctions(module, operator_tools) < 0)
        return -1;
    PyObject *name = PyUnicode_InternFromString("tenon");
    if (!name)
        return -1;
    for (Py_ssize_t i = 0; i < operator_total; i++) {
        tnpy_operator *op = operators[i];
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
