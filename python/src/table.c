/* table.c - the rows of the operator table for Python: for each name, its forms in the table.
 *
 * The built-in operators are read once, when the module is imported, and stay. What a program registers at run time (library.c)
 * is read in the same way when it is asked for, holds its rows, and is freed when nobody uses it any more.
 */
#include "core.h"

tnpy_operator **tnpy_operators; /* in the order of the table */
Py_ssize_t tnpy_operator_total;

static PyTypeObject *table_type;
static int64_t table_built_in; /* rows; those that were registered follow */

/* ---- one row */

/* A default that is the same for every call, read once. What is not read here is left to the library. */
static tn_value table_standard(tn_type type, const char *text) {
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

static bool table_only_options_follow(const tnpy_form *form, int after) {
    for (int i = after + 1; i < form->count; i++) {
        tn_type type = form->parameters[i].type;
        if (type != TN_TYPE_DTYPE && type != TN_TYPE_DEVICE && type != TN_TYPE_FORMAT && type != TN_TYPE_TEXT &&
            type != TN_TYPE_GENERATOR)
            return false;
    }
    return true;
}

/* Defaults that Python has but C, where every argument is written out, does not: numbers of a dims, and an int that equals the
 * one before it when it is left out (TN_NONE, which bind.c replaces). */
static void table_add_standard(const tn_operator *op, tnpy_parameter *parameter) {
    static const int64_t plane[] = {0, 1};
    if (strcmp(tn_operator_base(op), "rot90") == 0 && parameter->type == TN_TYPE_DIMS)
        parameter->standard = tn_value_dims((tn_dims){plane, 2});
    else if (strcmp(tn_operator_base(op), "eye") == 0 && strcmp(parameter->name, "columns") == 0)
        parameter->same_as_before = true;
    else
        return;
    parameter->has_standard = true;
}

static void table_free_form(tnpy_form *form) {
    for (int i = 0; i < form->count; i++)
        Py_XDECREF(form->parameters[i].spelling);
    PyMem_Free(form);
}

/* How much of an operator's name is its Python name: all before the overload, and before _out of an out variant. */
static size_t table_name_length(const tn_operator *op) {
    size_t length = strcspn(tn_operator_name(op), ".");
    return tn_operator_variant(op) == TN_VARIANT_OUT && length > 4 ? length - 4 : length;
}

/* Whether a parameter is the object that a method is called on. torch.linalg names its matrix A and has no methods; a row of it
 * under its older name, such as det, has one. */
static bool table_is_self(const tn_operator *op, const tn_parameter *parameter, bool first) {
    if (parameter->type != TN_TYPE_TENSOR && parameter->type != TN_TYPE_WRITTEN)
        return false;
    if (strcmp(parameter->name, "self") == 0)
        return true;
    static const char *const older[] = {"det", "inverse", "orgqr", "slogdet"};
    size_t length = table_name_length(op);
    for (size_t i = 0; first && i < sizeof older / sizeof *older; i++)
        if (strncmp(older[i], tn_operator_name(op), length) == 0 && !older[i][length])
            return true;
    return false;
}

/* `plainly`: an out variant under its own name, whose tensors to write to are arguments like the others. */
static tnpy_form *table_read_form(const tn_operator *op, bool plainly) {
    bool registered = strchr(tn_operator_name(op), ':') != NULL;
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
    const char *hints = tn_operator_hints(op);
    form->fresh = tnpy_has_word(hints, "fresh");
    form->gives_back = tnpy_has_word(hints, "returns-self");
    form->gives_number_back = tnpy_has_word(hints, "returns-number");
    if (form->variant == TN_VARIANT_OUT && !plainly)
        form->outs = tn_operator_result_count(op) > 0 ? (int)tn_operator_result_count(op) : 1;
    for (int i = 0; i < count; i++) {
        tn_parameter from = tn_operator_parameter(op, i);
        tnpy_parameter *to = &form->parameters[i];
        bool is_self = table_is_self(op, &from, i == form->outs);
        if (is_self)
            from.name = "self";
        to->name = from.name;
        to->label = registered ? from.name : tnpy_spelling(from.name);
        to->type = from.type;
        to->spelling = PyUnicode_InternFromString(to->label);
        if (!to->spelling) {
            table_free_form(form);
            return NULL;
        }
        to->has_standard = from.standard || from.type == TN_TYPE_OPTIONAL;
        to->standard = from.standard ? table_standard(from.type, from.standard) : tn_value_none();
        table_add_standard(op, to);
        to->quirk = registered ? TNPY_NO_QUIRK : tnpy_find_quirk(op, from.name, from.type);
        to->takes_none = registered ? to->has_standard : tnpy_takes_none(op, from.name, from.type, from.standard);
        if (form->self < 0 && is_self)
            form->self = i;
        if (form->written < 0 && from.written)
            form->written = i;
    }
    int next = form->outs + (form->self == form->outs);
    if (next < count && table_only_options_follow(form, next) &&
        (form->parameters[next].type == TN_TYPE_DIMS ||
         (form->parameters[next].type == TN_TYPE_TENSORS && (registered || tnpy_has_word(hints, "spread")))))
        form->variadic = next;
    form->creates = tnpy_form_creates(form);
    tnpy_work_read(form);
    return form;
}

/* Whether an operator of the table is a form of this Python name: the same name, or that of its out variant. */
static bool table_is_form(const char *python, const tn_operator *op) {
    size_t length = table_name_length(op);
    return strncmp(python, tn_operator_name(op), length) == 0 && !python[length];
}

static int table_add_form(tnpy_operator *op, tnpy_form *form) {
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

/* The operator of a Python name; if it exists, it was added recently, because the table is in the order of names. */
static tnpy_operator *table_lately(const tn_operator *form) {
    const char *full = tn_operator_name(form);
    size_t length = table_name_length(form);
    for (Py_ssize_t i = tnpy_operator_total - 1; i >= 0 && i > tnpy_operator_total - 64; i--) {
        const char *name = tnpy_operators[i]->name;
        if (name[0] == full[0] && strncmp(name, full, length) == 0 && !name[length])
            return tnpy_operators[i];
    }
    return NULL;
}

/* The name in Python: the operator's without its overload and without _out. NULL with an exception. */
static char *table_python_name(const tn_operator *form) {
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

/* Old forms that torch still takes, with a number before the tensors: "early=alpha" in the row's hints. */
static void table_read_early(tnpy_operator *op, const tnpy_form *form) {
    bool any = strstr(tn_operator_hints(form->op), "early=") != NULL;
    for (int i = form->outs; any && i < form->count; i++) {
        char word[64];
        snprintf(word, sizeof word, "early=%s", form->parameters[i].name);
        if (!tnpy_has_word(tn_operator_hints(form->op), word))
            continue;
        op->factor = form->parameters[i].name;
        op->with_factor = i - form->outs + 1; /* the tensors before it, and it */
    }
}

/* Takes the name, which may be NULL: then there is an exception. */
static tnpy_operator *table_new(char *name) {
    tnpy_operator *made = name ? PyObject_New(tnpy_operator, table_type) : NULL;
    if (!made) {
        PyMem_Free(name);
        return NULL;
    }
    made->name = name;
    made->forms = NULL;
    made->count = made->plain = 0;
    made->result_type = NULL;
    made->registered = strchr(name, ':') != NULL;
    made->each = false;
    made->formatted = strcmp(name, "empty") == 0;
    made->fast = tnpy_fast_way(name);
    made->function_doc = made->method_doc = NULL;
    made->factor = NULL;
    made->with_factor = 0;
    return made;
}

static int table_read_all(void) {
    int64_t count = tn_operator_count();
    tnpy_operators = PyMem_Calloc((size_t)count + 1, sizeof *tnpy_operators);
    if (!tnpy_operators) {
        PyErr_NoMemory();
        return -1;
    }
    for (int64_t i = 0; i < count; i++) {
        const tn_operator *row = tn_operator_at(i);
        if (strchr(tn_operator_name(row), ':'))
            break; /* registered by the program: tenon.ops */
        table_built_in = i + 1;
        tnpy_operator *op = table_lately(row);
        if (!op && (op = table_new(table_python_name(row))) != NULL)
            tnpy_operators[tnpy_operator_total++] = op;
        tnpy_form *form = op ? table_read_form(row, false) : NULL;
        if (!form || table_add_form(op, form) < 0)
            return -1; /* importing fails; what was made stays */
        op->each = op->each || tnpy_has_word(tn_operator_hints(row), "each");
        table_read_early(op, form);
    }
    return 0;
}

static tnpy_operator *table_find(const char *name) {
    for (Py_ssize_t i = 0; i < tnpy_operator_total; i++)
        if (strcmp(tnpy_operators[i]->name, name) == 0)
            return tnpy_operators[i];
    return NULL;
}

/* random_(7) means up to 7: its form with one bound comes before the one with two. */
static void table_order_random(void) {
    tnpy_operator *op = table_find("random_");
    for (int f = 1; op && f < op->plain; f++)
        if (strcmp(tn_operator_overload(op->forms[f]->op), "to") == 0) {
            tnpy_form *form = op->forms[f];
            op->forms[f] = op->forms[f - 1];
            op->forms[f - 1] = form;
        }
}

/* Forms that belong to another name, too: "also=split" in the row's hints. What another name was lent is not lent on. */
static int table_lend_forms(const tnpy_operator *from, tnpy_operator *into) {
    char word[64];
    snprintf(word, sizeof word, "also=%s", into->name);
    for (int i = 0, count = from->count; i < count; i++)
        if (table_is_form(from->name, from->forms[i]->op) && tnpy_has_word(tn_operator_hints(from->forms[i]->op), word) &&
            table_add_form(into, from->forms[i]) < 0)
            return -1;
    return 0;
}

static int table_join_all(void) {
    table_order_random();
    for (Py_ssize_t i = 0; i < tnpy_operator_total; i++) {
        const tnpy_operator *from = tnpy_operators[i];
        bool lends = strstr(tn_operator_hints(from->forms[0]->op), "also=") != NULL;
        for (Py_ssize_t k = 0; lends && k < tnpy_operator_total; k++)
            if (k != i && table_lend_forms(from, tnpy_operators[k]) < 0)
                return -1;
    }
    return 0;
}

/* ---- several named results: torch.return_types.max(values=..., indices=...) */

static PyObject *table_results_repr(PyObject *self, PyObject *ignored) {
    (void)ignored;
    PyObject *fields = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "__match_args__");
    PyObject *name = fields ? PyType_GetName(Py_TYPE(self)) : NULL;
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

/* For pickle: the type has PyTorch's name, and is found by its names instead. */
static PyObject *table_results_reduce(PyObject *self, PyObject *ignored) {
    (void)ignored;
    PyObject *module = PyImport_ImportModule("tenon._core");
    PyObject *rebuild = module ? PyObject_GetAttrString(module, "_rebuild_results") : NULL;
    PyObject *fields = rebuild ? PyObject_GetAttrString((PyObject *)Py_TYPE(self), "__match_args__") : NULL;
    PyObject *name = fields ? PyType_GetName(Py_TYPE(self)) : NULL;
    PyObject *first = name ? PyTuple_Pack(1, name) : NULL, *names = first ? PySequence_Concat(first, fields) : NULL;
    PyObject *values = names ? PySequence_List(self) : NULL;
    PyObject *reduced = values ? Py_BuildValue("O(OO)", rebuild, names, values) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(rebuild);
    Py_XDECREF(fields);
    Py_XDECREF(name);
    Py_XDECREF(first);
    Py_XDECREF(names);
    Py_XDECREF(values);
    return reduced;
}

static PyMethodDef table_results_methods[] = {
    {"__repr__", table_results_repr, METH_NOARGS, NULL},
    {"__reduce__", table_results_reduce, METH_NOARGS, NULL},
};

static int table_results_add_methods(PyObject *type) {
    for (size_t i = 0; i < sizeof table_results_methods / sizeof *table_results_methods; i++) {
        PyObject *method = PyDescr_NewMethod((PyTypeObject *)type, &table_results_methods[i]);
        int code = method ? PyObject_SetAttrString(type, table_results_methods[i].ml_name, method) : -1;
        Py_XDECREF(method);
        if (code < 0)
            return -1;
    }
    return 0;
}

/* A type for the results of operators of this name: (name, first result, second result, ...). It is made once and kept with its
 * texts, because results may outlive the operator. A new reference. */
static PyObject *table_result_type(PyObject *names) {
    static PyObject *types;
    if (!types && !(types = PyDict_New()))
        return NULL;
    PyObject *type = PyDict_GetItemWithError(types, names);
    if (type || PyErr_Occurred())
        return Py_XNewRef(type);
    PyStructSequence_Field fields[TN_MAX_RESULTS + 1] = {{NULL, NULL}};
    Py_ssize_t count = PyTuple_Size(names) - 1;
    PyObject *title = PyUnicode_FromFormat("torch.return_types.%U", PyTuple_GetItem(names, 0)); /* kept, for its text */
    const char *text = title ? PyUnicode_AsUTF8AndSize(title, NULL) : NULL;
    for (Py_ssize_t i = 0; text && i < count; i++)
        if (!(fields[i].name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, i + 1), NULL)))
            text = NULL;
    if (text) {
        PyStructSequence_Desc description = {text, "The results of an operator, by name and by position.", fields, (int)count};
        type = (PyObject *)PyStructSequence_NewType(&description);
    }
    if (!type || table_results_add_methods(type) < 0 || PyDict_SetItem(types, names, type) < 0) {
        Py_CLEAR(type);
        Py_XDECREF(title);
    }
    return type;
}

static PyObject *table_results_rebuild(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *names, *values;
    if (!PyArg_ParseTuple(args, "O!O!:_rebuild_results", &PyTuple_Type, &names, &PyList_Type, &values))
        return NULL;
    Py_ssize_t count = PyTuple_Size(names) - 1;
    bool known = count > 1 && count <= TN_MAX_RESULTS && PyList_Size(values) == count;
    for (Py_ssize_t i = 0; known && i <= count; i++)
        known = PyUnicode_CheckExact(PyTuple_GetItem(names, i));
    if (!known) {
        PyErr_SetString(PyExc_TypeError, "_rebuild_results: this is not what results were pickled as");
        return NULL;
    }
    PyObject *type = table_result_type(names), *made = type ? PyStructSequence_New((PyTypeObject *)type) : NULL;
    for (Py_ssize_t i = 0; made && i < count; i++)
        PyStructSequence_SetItem(made, i, Py_NewRef(PyList_GetItem(values, i)));
    Py_XDECREF(type);
    return made;
}

/* The name without its namespace. */
static const char *table_short_name(const char *name) {
    const char *colons = strstr(name, "::");
    return colons ? colons + 2 : name;
}

static int table_make_result_type(tnpy_operator *op) {
    const tn_operator *form = NULL;
    for (int i = 0; i < op->plain && !form; i++)
        if (tn_operator_result_count(op->forms[i]->op) > 1)
            form = op->forms[i]->op;
    if (!form || tnpy_has_word(tn_operator_hints(form), "tuple"))
        return 0;
    int64_t count = tn_operator_result_count(form);
    PyObject *names = PyTuple_New((Py_ssize_t)count + 1);
    for (int64_t i = 0; names && i <= count; i++) {
        PyObject *name = PyUnicode_FromString(i ? tn_operator_result_name(form, i - 1) : table_short_name(op->name));
        if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name) < 0)
            Py_CLEAR(names);
    }
    op->result_type = names ? table_result_type(names) : NULL;
    Py_XDECREF(names);
    return op->result_type ? 0 : -1;
}

static int table_define(tnpy_operator *op) {
    if (table_make_result_type(op) < 0)
        return -1;
    op->function_doc = tnpy_document(op, false);
    if (!op->function_doc)
        return -1;
    op->function = (PyMethodDef){table_short_name(op->name), TNPY_FUNCTION(tnpy_operator_function),
                                 METH_FASTCALL | METH_KEYWORDS, op->function_doc};
    return 0;
}

/* ---- pickles of the functions: tenon.add is getattr(operator, "add") to pickle */

static PyObject *table_getattr(PyObject *self, PyObject *attribute) {
    const tnpy_operator *op = (tnpy_operator *)self;
    if (op->registered || !PyUnicode_Check(attribute) || PyUnicode_CompareWithASCIIString(attribute, op->name) != 0)
        return PyObject_GenericGetAttr(self, attribute);
    PyObject *module = PyImport_ImportModule("tenon._core");
    PyObject *function = module ? PyObject_GetAttr(module, attribute) : NULL;
    Py_XDECREF(module);
    return function;
}

static PyObject *table_reduce(PyObject *self, PyObject *ignored) {
    (void)ignored;
    PyObject *module = PyImport_ImportModule("tenon._core");
    PyObject *rebuild = module ? PyObject_GetAttrString(module, "_rebuild_operator") : NULL;
    Py_XDECREF(module);
    return rebuild ? Py_BuildValue("N(s)", rebuild, ((tnpy_operator *)self)->name) : NULL;
}

static PyObject *table_rebuild(PyObject *module, PyObject *args) {
    (void)module;
    const char *name;
    if (!PyArg_ParseTuple(args, "s:_rebuild_operator", &name))
        return NULL;
    tnpy_operator *op = table_find(name);
    if (!op)
        PyErr_Format(PyExc_AttributeError, "there is no operator named '%s'", name);
    return (PyObject *)Py_XNewRef((PyObject *)op);
}

PyMethodDef tnpy_table_functions[] = {
    {"_rebuild_results", table_results_rebuild, METH_VARARGS, NULL},
    {"_rebuild_operator", table_rebuild, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyObject *table_repr(PyObject *self) { return PyUnicode_FromFormat("<operator %s>", ((tnpy_operator *)self)->name); }

/* Built-in ones never come here: the functions of the module and the methods of the type point at them. */
static void table_dealloc(PyObject *self) {
    tnpy_operator *op = (tnpy_operator *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (int f = 0; f < op->count; f++) {
        tn_operator_drop(op->forms[f]->op);
        table_free_form(op->forms[f]);
    }
    PyMem_Free(op->forms);
    PyMem_Free((void *)(uintptr_t)op->name);
    PyMem_Free(op->function_doc);
    PyMem_Free(op->method_doc);
    Py_XDECREF(op->result_type);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot table_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, table_dealloc),
    TNPY_SLOT(Py_tp_repr, table_repr),
    TNPY_SLOT(Py_tp_getattro, table_getattr),
    {Py_tp_methods, (PyMethodDef[]){{"__reduce__", table_reduce, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}}},
    {Py_tp_doc, (void *)(uintptr_t) "An operator of the table, with all its forms."},
    {0, NULL},
};

static PyType_Spec table_spec = {"tenon.Operator", sizeof(tnpy_operator), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                                 table_slots};

int tnpy_operators_read(void) {
    if (table_type)
        return 0;
    table_type = (PyTypeObject *)PyType_FromSpec(&table_spec);
    if (!table_type || table_read_all() < 0 || table_join_all() < 0)
        return -1;
    for (Py_ssize_t i = 0; i < tnpy_operator_total; i++)
        if (table_define(tnpy_operators[i]) < 0)
            return -1;
    return 0;
}

/* ---- what was registered at run time */

/* Whether a row is a form of a name: of "mine::scale" all its overloads, and those of mine::scale_out with out; of
 * "mine::scale.tensor", with `exactly`, only that row. */
static bool table_is_wanted(const char *name, bool exactly, const tn_operator *row) {
    const char *full = tn_operator_name(row);
    return exactly ? strcmp(full, name) == 0
                   : (strlen(name) == strcspn(full, ".") && memcmp(full, name, strlen(name)) == 0) || table_is_form(name, row);
}

static char *table_copy_text(const char *text) {
    char *copy = PyMem_Malloc(strlen(text) + 1);
    if (!copy)
        return (char *)PyErr_NoMemory();
    return strcpy(copy, text);
}

PyObject *tnpy_operators_registered(void) {
    PyObject *names = PyList_New(0);
    const tn_operator *row;
    for (int64_t i = table_built_in; names && (row = tn_operator_hold_at(i)) != NULL; i++) {
        PyObject *name = PyUnicode_FromString(tn_operator_name(row));
        if (!name || PyList_Append(names, name) < 0)
            Py_CLEAR(names);
        Py_XDECREF(name);
        tn_operator_drop(row);
    }
    return names;
}

tnpy_operator *tnpy_operator_registered(const char *name, bool exactly) {
    tnpy_operator *op = table_new(table_copy_text(name));
    const tn_operator *row;
    for (int64_t i = table_built_in; op && (row = tn_operator_hold_at(i)) != NULL; i++) {
        bool wanted = table_is_wanted(name, exactly, row);
        tnpy_form *form = wanted ? table_read_form(row, exactly || !table_is_form(name, row)) : NULL;
        if (wanted && form && table_add_form(op, form) == 0)
            continue; /* the form has the reference */
        tn_operator_drop(row);
        if (wanted) {
            if (form)
                table_free_form(form);
            Py_CLEAR(op);
        }
    }
    if (op && op->count > 0 && table_define(op) < 0)
        Py_CLEAR(op);
    return op;
}
