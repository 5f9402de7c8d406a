/* fast.c - a shortcut past the binder for the most common views, called in the simplest way: x.reshape(2, -1).
 *
 * These calls cost less than finding out what they are. A shortcut takes only positional integers and changes nothing about
 * what the operator does; it leaves everything else to the binder.
 */
#include "core.h"

typedef tn_tensor *(*fast_dims_function)(const tn_tensor *, tn_dims);

/* Integers as they stand, or one tuple or list of them. -1 when it is something else. */
static int64_t fast_read(PyObject *const *args, Py_ssize_t count, int64_t *numbers) {
    PyObject *list = count == 1 && !PyLong_CheckExact(args[0]) ? args[0] : NULL;
    bool tuple = list && PyTuple_Check(list);
    if (list) {
        if (!tuple && !PyList_CheckExact(list))
            return -1;
        count = tuple ? PyTuple_Size(list) : PyList_Size(list);
    }
    if (count > TN_MAX_DIMS)
        return -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = !list ? args[i] : tuple ? PyTuple_GetItem(list, i) : PyList_GetItem(list, i);
        int overflow;
        if (!PyLong_CheckExact(item))
            return -1;
        numbers[i] = PyLong_AsLongLongAndOverflow(item, &overflow);
        if (overflow)
            return -1;
    }
    return count;
}

static PyObject *fast_dims(fast_dims_function function, PyObject *self, PyObject *const *args, Py_ssize_t count) {
    int64_t numbers[TN_MAX_DIMS];
    int64_t given = count > 0 ? fast_read(args, count, numbers) : -1;
    return given < 0 ? NULL : tnpy_wrap_view(function(tnpy_tensor_of(self), (tn_dims){numbers, given}), self);
}

#define FAST_DIMS(name)                                                                                                        \
    static PyObject *fast_##name(PyObject *self, PyObject *const *args, Py_ssize_t count) {                                    \
        return fast_dims(tn_##name, self, args, count);                                                                        \
    }
FAST_DIMS(view)
FAST_DIMS(permute)
FAST_DIMS(expand)

/* A reshape may copy, and a long copy is made without the interpreter's lock. */
static PyObject *fast_reshape(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    const tn_tensor *tensor = tnpy_tensor_of(self);
    return tn_numel(tensor) >= TNPY_LONG_WORK && !tn_is_contiguous(tensor) ? NULL : fast_dims(tn_reshape, self, args, count);
}

#define FAST_INTS(name, how_many, ...)                                                                                         \
    static PyObject *fast_##name(PyObject *self, PyObject *const *args, Py_ssize_t count) {                                    \
        int64_t n[TN_MAX_DIMS];                                                                                                \
        if (count != how_many || !PyLong_CheckExact(args[0]) || fast_read(args, count, n) != how_many)                         \
            return NULL;                                                                                                       \
        return tnpy_wrap_view(tn_##name(tnpy_tensor_of(self), __VA_ARGS__), self);                                             \
    }
FAST_INTS(transpose, 2, n[0], n[1])
FAST_INTS(unsqueeze, 1, n[0])
FAST_INTS(select, 2, n[0], n[1])

tnpy_fast tnpy_fast_way(const char *name) {
    static const struct fast_way {
        const char *name;
        tnpy_fast function;
    } ways[] = {
        {"view", fast_view},           {"permute", fast_permute},     {"expand", fast_expand}, {"reshape", fast_reshape},
        {"transpose", fast_transpose}, {"unsqueeze", fast_unsqueeze}, {"select", fast_select},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, name) == 0)
            return ways[i].function;
    return NULL;
}
