/* bind.c - the arguments of a Python call, against the signatures of the operator table.
 *
 * A name has several forms (add of two tensors, of a tensor and a number, ...). They are tried in the order of the table, first
 * strictly, then once more taking numbers for tensors and tensors of one element for numbers. The first form that takes all
 * arguments is called. Where none does, the attempts are made again with notes, for the message.
 */
#include "core.h"

/* ---- names */

/* Each parameter's name in the table, its name in Python, and the other names it accepts there: NumPy's and the array API's
 * names, and torch's own where the table has several forms for one. */
static const struct bind_name {
    const char *table, *python, *others;
} bind_names[] = {
    {"self", "input", "self x a x1 tensor"},
    {"other", "other", "x2 the_template"},
    {"exponent", "exponent", "x2 other"},
    {"dim", "dim", "axis dims axes"},
    {"dims", "dims", "dim axis axes"},
    {"dim0", "dim0", "axis0"},
    {"dim1", "dim1", "axis1"},
    {"keepdim", "keepdim", "keepdims"},
    {"format", "memory_format", "format"},
    {"size", "size", "shape"},
    {"shape", "shape", "size"},
    {"value", "value", "fill_value s"},
    {"fill_value", "fill_value", "value"},
    {"source", "src", "source other"},
    {"split_size", "split_size", "split_size_or_sections"},
    {"split_sizes", "split_sizes", "split_size_or_sections"},
    {"sections", "sections", "indices_or_sections"},
    {"indices", "indices", "indices_or_sections"},
    {"tensors", "tensors", "arrays"},
    {"from", "from_", "from"},
    {"sorted_sequence", "sorted_sequence", "x1"},
    {"input", "input", "x2 v values self"},
    {"elements", "elements", "x1"},
    {"test_elements", "test_elements", "x2"},
    {"index", "index", "indices"},
    {"rows", "n", "rows n_rows"},
    {"columns", "m", "columns n_cols"},
    {"diagonal", "diagonal", "k"},
    {"steps", "steps", "num"},
    {"end", "end", "stop"},
    {"min", "min", "a_min"},
    {"max", "max", "a_max"},
    {"tau", "tau", "input2"},
};

static const struct bind_name *bind_find_name(const char *name) {
    for (size_t i = 0; i < sizeof bind_names / sizeof *bind_names; i++)
        if (strcmp(bind_names[i].table, name) == 0)
            return &bind_names[i];
    return NULL;
}

const char *tnpy_spelling(const char *name) {
    const struct bind_name *found = bind_find_name(name);
    return found ? found->python : name;
}

const char *tnpy_other_names(const char *name) {
    const struct bind_name *found = bind_find_name(name);
    return found ? found->others : "";
}

bool tnpy_has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length)
        if ((at == text || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return true;
    return false;
}

/* The parameter a keyword means, or -1. Exact names come before the others, so a form with dim and axis keeps both. */
static int bind_find_parameter(const tnpy_form *form, PyObject *name) {
    for (int i = form->outs; i < form->count; i++)
        if (form->parameters[i].spelling == name)
            return i;
    const char *text = tnpy_text(name);
    if (!text) {
        PyErr_Clear();
        return -1;
    }
    for (int i = form->outs; i < form->count; i++)
        if (strcmp(form->parameters[i].label, text) == 0)
            return i;
    for (int i = form->outs; i < form->count; i++)
        if (tnpy_has_word(tnpy_other_names(form->parameters[i].name), text))
            return i;
    return -1;
}

/* Whether any form has a parameter of this name. */
static bool bind_has_parameter(const tnpy_operator *op, PyObject *name) {
    for (int i = 0; i < op->count; i++)
        if (bind_find_parameter(op->forms[i], name) >= 0)
            return true;
    return false;
}

/* Whether any form has one that may be None: then None means the same as leaving it out. */
static bool bind_none_is_nothing(const tnpy_operator *op, PyObject *name) {
    for (int i = 0; i < op->count; i++) {
        int at = bind_find_parameter(op->forms[i], name);
        if (at >= 0 && op->forms[i]->parameters[at].takes_none)
            return true;
    }
    return false;
}

/* Whether a device is the CPU, or meta for a factory. Where no form takes one, any other is an exception: "no argument
 * 'device'" would not help. */
static bool bind_is_here(const tnpy_operator *op, const tnpy_form *form, PyObject *name, PyObject *value) {
    tn_device device;
    int fits = value == Py_None ? 1 : tnpy_to_device(value, &device);
    if (value == Py_None ||
        (fits > 0 && (device.type == TN_CPU || (device.type == TN_META && form->creates && !bind_has_parameter(op, name)))))
        return true;
    if (bind_has_parameter(op, name))
        PyErr_Clear();
    else if (!PyErr_Occurred())
        PyErr_Format(tnpy_error_class(TN_ERROR_DEVICE), "%s(): device must be the CPU%s, not %R", op->name,
                     form->creates ? " or meta" : "", value);
    return false;
}

/* Arguments of torch that mean nothing here, whichever bool they are, or that only say what holds anyway. One that is last may be
 * given by position. */
static const struct bind_unused {
    const char *operator, * name;
    bool last, only_false;
} bind_unused[] = {
    {"copy_", "non_blocking", true, false},   {"expand", "implicit", false, false},
    {"gather", "sparse_grad", false, true},   {"layer_norm", "cudnn_enable", true, false},
    {"stft", "align_to_window", false, true},
};

/* `name` is NULL for an argument by position. */
static bool bind_is_unused(const tnpy_operator *op, const char *name, PyObject *value) {
    for (size_t i = 0; i < sizeof bind_unused / sizeof *bind_unused; i++) {
        const struct bind_unused *one = &bind_unused[i];
        if (strcmp(one->operator, op->name) == 0 && (name ? strcmp(one->name, name) == 0 : one->last))
            return value == Py_False || (value == Py_None && one->only_false) || (value == Py_True && !one->only_false);
    }
    return false;
}

/* Keywords of torch that an operator may be given though its form does not have them: they must say what holds anyway. False,
 * perhaps with an exception, where they do not. */
static bool bind_says_nothing(const tnpy_operator *op, const tnpy_form *form, PyObject *name, PyObject *value) {
    if (value == Py_None && bind_none_is_nothing(op, name))
        return true;
    const char *text = tnpy_text(name);
    if (!text) {
        PyErr_Clear();
        return false;
    }
    if (strcmp(text, "out") == 0)
        return value == Py_None;
    if (bind_is_unused(op, text, value))
        return true;
    if (strcmp(text, "requires_grad") == 0 && value == Py_True) /* of a factory: operator.c */
        return form->creates;
    if (strcmp(text, "requires_grad") == 0 || strcmp(text, "pin_memory") == 0 || strcmp(text, "non_blocking") == 0)
        return value == Py_False || value == Py_None;
    if (strcmp(text, "layout") == 0)
        return value == Py_None || Py_TYPE(value) == tnpy_layout_type;
    if (strcmp(text, "memory_format") == 0) /* of empty: what it makes is given that order (operator.c) */
        return value == Py_None || (op->formatted && Py_TYPE(value) == tnpy_format_type);
    if (strcmp(text, "as_tuple") == 0) /* of nonzero, which the table has under two names */
        return (value == Py_True) == (strcmp(tn_operator_base(form->op), "nonzero_numpy") == 0);
    return strcmp(text, "device") == 0 && bind_is_here(op, form, name, value);
}

/* ---- one form */

typedef struct bind_attempt {
    const tnpy_operator *op;
    const tnpy_form *form;
    const tnpy_call *call;
    bool lenient;
    tn_value *values;
    PyObject **objects;
    tnpy_scratch *scratch;
    char *why; /* for the message, or NULL: 256 bytes */
    int taken; /* arguments that fit */
} bind_attempt;

#define BIND_WHY(attempt, ...)                                                                                                 \
    do {                                                                                                                       \
        if ((attempt)->why)                                                                                                    \
            snprintf((attempt)->why, 256, __VA_ARGS__);                                                                        \
    } while (0)

static const char *bind_type_name(PyObject *object, char *room, size_t size) {
    PyObject *name = PyType_GetName(Py_TYPE(object));
    const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    snprintf(room, size, "%s", text ? text : "object");
    Py_XDECREF(name);
    PyErr_Clear();
    return room;
}

static tn_value bind_standard(const bind_attempt *attempt, int i) {
    const tnpy_parameter *parameter = &attempt->form->parameters[i];
    return parameter->same_as_before ? attempt->values[i - 1] : parameter->standard;
}

/* The first item of a list or tuple that is not a tensor, borrowed, or NULL. */
static PyObject *bind_find_other(PyObject *object, Py_ssize_t *at) {
    bool tuple = PyTuple_Check(object);
    Py_ssize_t count = tuple ? PyTuple_Size(object) : PyList_Check(object) ? PyList_Size(object) : 0;
    for (*at = 0; *at < count; ++*at) {
        PyObject *item = tuple ? PyTuple_GetItem(object, *at) : PyList_GetItem(object, *at);
        if (!tnpy_is_tensor(item))
            return item;
    }
    return NULL;
}

/* norm(p='fro') is norm(p=2), because the elements are taken as one vector; 'nuc' is of another form, norm.text. */
static int bind_norm_order(PyObject *object, tn_value *value) {
    if (!PyUnicode_Check(object))
        return 0;
    if (PyUnicode_CompareWithASCIIString(object, "fro") == 0) {
        *value = tn_value_scalar(tn_scalar_int(2));
        return 1;
    }
    if (PyUnicode_CompareWithASCIIString(object, "nuc") == 0)
        return 0;
    PyErr_Format(tnpy_error_class(TN_ERROR_ARGUMENT), "norm(): there is no norm %R: p is a number, 'fro' or 'nuc'", object);
    return -1;
}

/* narrow(0, tensor(1), 2): the tensor is a position, so it has no dimensions. */
static int bind_position(const bind_attempt *attempt, PyObject *object) {
    const tn_tensor *tensor = tnpy_is_tensor(object) ? tnpy_tensor_of(object) : NULL;
    if (!tensor || (tn_ndim(tensor) == 0 && tn_dtype_is_integral(tn_dtype_of(tensor)) && tn_dtype_of(tensor) != TN_BOOL))
        return 0;
    PyErr_Format(
        tnpy_error_class(TN_ERROR_ARGUMENT),
        "%s(): start must be an integer, or an integer tensor without dimensions, not a tensor of %s with %lld dimensions",
        attempt->op->name, tn_dtype_name(tn_dtype_of(tensor)), (long long)tn_ndim(tensor));
    return -1;
}

/* Parameters that torch reads in a special way: 1, 0 (as any other) or -1, as a conversion. */
static int bind_quirk(bind_attempt *attempt, int i, PyObject *object) {
    switch (attempt->form->parameters[i].quirk) {
    case TNPY_NORM_ORDER: return bind_norm_order(object, &attempt->values[i]);
    case TNPY_POSITION: return bind_position(attempt, object);
    default: return 0;
    }
}

static int bind_one(bind_attempt *attempt, int i, PyObject *object) {
    const tnpy_parameter *parameter = &attempt->form->parameters[i];
    int special = TNPY_UNLIKELY(parameter->quirk) ? bind_quirk(attempt, i, object) : 0;
    if (special) {
        attempt->objects[i] = object;
        attempt->taken++;
        return special;
    }
    if (object == Py_None && parameter->type != TN_TYPE_OPTIONAL) {
        if (parameter->takes_none && (parameter->has_standard || parameter->type == TN_TYPE_DIMS)) {
            attempt->values[i] = parameter->has_standard ? bind_standard(attempt, i) : tn_value_dims((tn_dims){NULL, 0});
            attempt->objects[i] = object;
            attempt->taken++;
            return 1;
        }
    } else {
        int fits = tnpy_convert(parameter->type, object, attempt->lenient, attempt->scratch, &attempt->values[i]);
        if (fits != 0) {
            attempt->objects[i] = object;
            attempt->taken++;
            return fits;
        }
    }
    char room[64];
    Py_ssize_t at;
    PyObject *item = attempt->why && parameter->type == TN_TYPE_TENSORS ? bind_find_other(object, &at) : NULL;
    if (item)
        BIND_WHY(attempt, "item %zd of argument '%s' must be a tensor, not %s", at, parameter->label,
                 bind_type_name(item, room, sizeof room));
    else
        BIND_WHY(attempt, "argument '%s' must be %s, not %s", parameter->label, tn_type_name(parameter->type),
                 bind_type_name(object, room, sizeof room));
    return 0;
}

/* The same for integers: no tuple is needed. */
static int bind_rest_of_dims(bind_attempt *attempt, int i, Py_ssize_t first) {
    tnpy_scratch *scratch = attempt->scratch;
    int64_t count = attempt->call->count - first, *numbers = scratch->numbers + scratch->numbers_used;
    if (count > TNPY_NUMBERS - scratch->numbers_used) {
        BIND_WHY(attempt, "%d sizes or dimensions are too many", (int)count);
        return 0;
    }
    for (int64_t k = 0; k < count; k++) {
        PyObject *item = attempt->call->args[first + k];
        int fits = PyBool_Check(item) ? 0 : tnpy_to_int(item, &numbers[k]);
        if (fits == 0)
            BIND_WHY(attempt, "argument '%s' is made of integers", attempt->form->parameters[i].label);
        if (fits <= 0)
            return fits;
    }
    scratch->numbers_used += count;
    attempt->values[i] = (tn_value){.kind = TN_VALUE_DIMS, .as.dims = {numbers, count}};
    attempt->objects[i] = attempt->call->args[first];
    attempt->taken++;
    return 1;
}

/* All positions from `first` on, as one argument. */
static int bind_rest(bind_attempt *attempt, int i, Py_ssize_t first) {
    if (attempt->form->parameters[i].type == TN_TYPE_DIMS)
        return bind_rest_of_dims(attempt, i, first);
    PyObject *rest = PyTuple_New(attempt->call->count - first);
    if (!rest)
        return -1;
    for (Py_ssize_t k = first; k < attempt->call->count; k++)
        if (PyTuple_SetItem(rest, k - first, Py_NewRef(attempt->call->args[k])) < 0) {
            Py_DECREF(rest);
            return -1;
        }
    int fits = bind_one(attempt, i, rest);
    if (attempt->scratch->held_count < TNPY_HELD)
        attempt->scratch->held[attempt->scratch->held_count++] = rest;
    else
        Py_DECREF(rest);
    return fits;
}

/* Whether this position begins the items themselves, view(2, 3), not a list of them, view((2, 3)). */
static bool bind_begins_items(const bind_attempt *attempt, int i, Py_ssize_t position) {
    PyObject *first = attempt->call->args[position];
    if (attempt->form->parameters[i].type == TN_TYPE_TENSORS)
        return tnpy_is_tensor(first);
    if (attempt->call->count - position < 2 || (!attempt->call->self && attempt->form->self >= 0))
        return false;
    return PyLong_Check(first) || (PyIndex_Check(first) && !PyTuple_Check(first) && !PyList_Check(first));
}

/* Whether an argument after those of a form is a None that another form has there, which means leaving it out: logit(x, None).
 * */
static bool bind_none_may_stand(const tnpy_operator *op, const tnpy_call *call, Py_ssize_t position) {
    for (int f = 0; call->args[position] == Py_None && f < op->plain; f++) {
        const tnpy_form *form = op->forms[f];
        Py_ssize_t at = position + (call->self != NULL);
        const tnpy_parameter *parameter = at < form->count ? &form->parameters[at] : NULL;
        if (parameter && parameter->takes_none && !parameter->has_standard && parameter->quirk != TNPY_BY_NAME)
            return true;
    }
    return false;
}

static int bind_positions(bind_attempt *attempt) {
    const tnpy_form *form = attempt->form;
    const tnpy_call *call = attempt->call;
    Py_ssize_t position = 0;
    if (call->self) {
        if (form->self < 0) {
            BIND_WHY(attempt, "it is not a method");
            return 0;
        }
        int fits = bind_one(attempt, form->self, call->self);
        if (fits <= 0)
            return fits;
    }
    for (int i = form->outs; i < form->count && position < call->count; i++) {
        if (call->self && i == form->self)
            continue;
        if (form->parameters[i].quirk == TNPY_BY_NAME)
            break; /* a keyword only, as in torch */
        if (i == form->variadic && bind_begins_items(attempt, i, position)) {
            int fits = bind_rest(attempt, i, position);
            position = call->count;
            if (fits <= 0)
                return fits;
            break;
        }
        int fits = bind_one(attempt, i, call->args[position++]);
        if (fits <= 0)
            return fits;
    }
    while (position < call->count && bind_none_may_stand(attempt->op, call, position))
        position++;
    if (position + 1 == call->count && bind_is_unused(attempt->op, NULL, call->args[position]) &&
        position + (call->self != NULL) == form->count - form->outs)
        position++;
    if (position < call->count) {
        BIND_WHY(attempt, "it takes at most %d arguments, but %d were given", form->count - form->outs,
                 (int)(call->count + (call->self != NULL)));
        return 0;
    }
    return 1;
}

static int bind_keywords(bind_attempt *attempt) {
    const tnpy_call *call = attempt->call;
    Py_ssize_t count = PyTuple_Size(call->names);
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *name = PyTuple_GetItem(call->names, k), *value = call->args[call->count + k];
        int i = bind_find_parameter(attempt->form, name);
        if (i < 0) {
            if (value == call->out || bind_says_nothing(attempt->op, attempt->form, name, value))
                continue;
            if (PyErr_Occurred())
                return -1;
            const char *text = tnpy_text(name);
            if (!text)
                PyErr_Clear();
            BIND_WHY(attempt, "it has no argument '%s'", text ? text : "?");
            return 0;
        }
        if (attempt->objects[i]) {
            BIND_WHY(attempt, "argument '%s' was given twice", attempt->form->parameters[i].label);
            return 0;
        }
        int fits = bind_one(attempt, i, value);
        if (fits <= 0)
            return fits;
    }
    return 1;
}

static int bind_outs(bind_attempt *attempt) {
    const tnpy_form *form = attempt->form;
    PyObject *out = attempt->call->out;
    if (form->outs == 1)
        return bind_one(attempt, 0, out);
    if (!(out = tnpy_hold_list(out, attempt->scratch)))
        return -1;
    if (!PyTuple_Check(out) || PyTuple_Size(out) != form->outs) {
        BIND_WHY(attempt, "out must be a tuple with a tensor for each result");
        return 0;
    }
    for (int i = 0; i < form->outs; i++) {
        int fits = bind_one(attempt, i, PyTuple_GetItem(out, i));
        if (fits <= 0)
            return fits;
    }
    return 1;
}

static int bind_form(bind_attempt *attempt) {
    const tnpy_form *form = attempt->form;
    attempt->taken = 0;
    for (int i = 0; i < form->count; i++)
        attempt->objects[i] = NULL;
    int fits = bind_positions(attempt);
    if (fits > 0 && attempt->call->names)
        fits = bind_keywords(attempt);
    if (fits > 0 && form->outs > 0)
        fits = bind_outs(attempt);
    for (int i = 0; fits > 0 && i < form->count; i++) {
        if (attempt->objects[i])
            continue;
        const tnpy_parameter *parameter = &form->parameters[i];
        if (i == form->variadic && parameter->type == TN_TYPE_TENSORS && attempt->call->count == 0) { /* block_diag() */
            attempt->values[i] = tn_value_tensors(NULL, 0);
            continue;
        }
        attempt->values[i] = bind_standard(attempt, i);
        if (!parameter->has_standard) {
            BIND_WHY(attempt, "argument '%s' is missing", parameter->label);
            return 0;
        }
    }
    return fits;
}

/* ---- all forms */

/* Numbers where tensors are wanted become tensors, of the dtype that torch would give them beside the first tensor. */
static int bind_number_tensors(bind_attempt *attempt) {
    const tnpy_form *form = attempt->form;
    const tn_tensor *beside = NULL;
    for (int i = form->outs; i < form->count && !beside; i++) {
        const char *name = form->parameters[i].name;
        if (attempt->values[i].kind == TN_VALUE_TENSOR && strcmp(name, "condition") != 0 && strcmp(name, "mask") != 0)
            beside = attempt->values[i].as.tensor;
    }
    for (int i = form->outs; i < form->count; i++) {
        tn_type type = form->parameters[i].type;
        if (attempt->values[i].kind != TN_VALUE_SCALAR || (type != TN_TYPE_TENSOR && type != TN_TYPE_OPTIONAL))
            continue;
        PyObject *made = tnpy_wrap(tnpy_number_tensor(attempt->values[i].as.scalar, beside));
        if (!made)
            return -1;
        attempt->scratch->held[attempt->scratch->held_count++] = made;
        attempt->values[i] = tn_value_tensor(tnpy_tensor_of(made));
        attempt->objects[i] = made;
    }
    return 1;
}

static void bind_complain(bind_attempt *attempt, int first, int last) {
    char why[256] = "", best[256] = "";
    int most = -1;
    attempt->why = why;
    attempt->lenient = true;
    for (int f = first; f < last; f++) {
        attempt->form = attempt->op->forms[f];
        int fits = bind_form(attempt);
        tnpy_scratch_clear(attempt->scratch);
        if (fits < 0)
            return;
        if (attempt->taken > most) {
            most = attempt->taken;
            memcpy(best, why, sizeof best);
        }
    }
    const char *name = attempt->op->name;
    if (last - first == 1) {
        PyErr_Format(PyExc_TypeError, "%s(): %s: %s%s", name, best, name, tn_operator_signature(attempt->op->forms[first]->op));
        return;
    }
    PyObject *text = PyUnicode_FromFormat("%s(): no form of it takes these arguments; of the nearest, %s\n", name, best);
    for (int f = first; text && f < last; f++) {
        PyObject *line = PyUnicode_FromFormat("  %s%s\n", name, tn_operator_signature(attempt->op->forms[f]->op));
        PyObject *longer = line ? PyUnicode_Concat(text, line) : NULL;
        Py_XDECREF(line);
        Py_DECREF(text);
        text = longer;
    }
    if (text)
        PyErr_SetObject(PyExc_TypeError, text);
    Py_XDECREF(text);
}

/* add(x, 2, y), an old way to write add(x, y, alpha=2): the number moves to the end, under its name. Returns the new names, and
 * `room` has the arguments; or NULL, with an exception, or because the call is not of this kind. */
static PyObject *bind_move_factor(const tnpy_operator *op, const tnpy_call *call, PyObject **room) {
    Py_ssize_t self = call->self == NULL, names = call->names ? PyTuple_Size(call->names) : 0;
    PyObject *factor = call->args[self];
    if (!PyLong_Check(factor) && !PyFloat_Check(factor) && !PyComplex_Check(factor))
        return NULL;
    for (Py_ssize_t i = 0; i < call->count; i++)
        if (i != self && !tnpy_is_tensor(call->args[i]))
            return NULL;
    char text[200];
    snprintf(text, sizeof text, "%s() with %s before the tensors is an old form: say %s=...", op->name, op->factor, op->factor);
    PyObject *moved = PyErr_WarnEx(PyExc_UserWarning, text, 1) < 0 ? NULL : PyTuple_New(names + 1);
    PyObject *name = moved ? PyUnicode_InternFromString(op->factor) : NULL;
    if (!name || PyTuple_SetItem(moved, names, name) < 0) {
        Py_XDECREF(moved);
        return NULL;
    }
    Py_ssize_t count = 0;
    for (Py_ssize_t i = 0; i < call->count + names; i++)
        if (i != self)
            room[count++] = call->args[i];
    room[count] = factor;
    for (Py_ssize_t i = 0; i < names; i++)
        if (PyTuple_SetItem(moved, i, Py_NewRef(PyTuple_GetItem(call->names, i))) < 0) {
            Py_DECREF(moved);
            return NULL;
        }
    return moved;
}

static const tnpy_form *bind_old_call(const tnpy_operator *op, const tnpy_call *call, tn_value *values, PyObject **objects,
                                      tnpy_scratch *scratch) {
    PyObject *room[TN_MAX_PARAMETERS + 2];
    if (call->names && PyTuple_Size(call->names) > 1)
        return NULL;
    PyObject *names = bind_move_factor(op, call, room);
    if (!names)
        return NULL;
    tnpy_call again = {call->self, call->out, room, call->count - 1, names};
    const tnpy_form *form = tnpy_bind(op, &again, values, objects, scratch);
    Py_DECREF(names);
    return form;
}

const tnpy_form *tnpy_bind(const tnpy_operator *op, const tnpy_call *call, tn_value *values, PyObject **objects,
                           tnpy_scratch *scratch) {
    if (TNPY_UNLIKELY(op->factor && call->count + (call->self != NULL) == op->with_factor)) {
        const tnpy_form *form = bind_old_call(op, call, values, objects, scratch);
        if (form || PyErr_Occurred())
            return form;
    }
    bind_attempt attempt = {.op = op, .call = call, .values = values, .objects = objects, .scratch = scratch};
    bool out = call->out && op->count > op->plain;
    int first = out ? op->plain : 0, last = out ? op->count : op->plain;
    for (int pass = 0; pass < 2; pass++) {
        attempt.lenient = pass > 0;
        for (int f = first; f < last; f++) {
            attempt.form = op->forms[f];
            int fits = bind_form(&attempt);
            if (fits > 0 && scratch->numbers_as_tensors)
                fits = bind_number_tensors(&attempt);
            if (TNPY_LIKELY(fits > 0))
                return attempt.form;
            tnpy_scratch_clear(scratch);
            if (fits < 0)
                return NULL;
        }
    }
    bind_complain(&attempt, first, last);
    return NULL;
}
