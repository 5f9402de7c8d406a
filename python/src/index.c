/* index.c - x[...] and x[...] = value.
 *
 * The key becomes the library's list of index items. Invariant: an index that was read without an exception has at most
 * TNPY_INDEX_ITEMS items, and the tensors its items borrow are either the key's own or held until tnpy_index_clear.
 */
#include "core.h"

void tnpy_index_clear(tnpy_index *index) {
    for (int64_t i = 0; i < index->held_count; i++)
        Py_DECREF(index->held[i]);
    index->held_count = 0;
}

static int index_add_range(PyObject *slice, tnpy_index *out) {
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0)
        return -1;
    /* What PySlice_Unpack writes for an omitted bound is beyond every dimension, which is what an omitted bound means. */
    out->items[out->count++] = TN_STEP(start, stop, step);
    return 0;
}

/* A tensor of integers without dimensions is a position, as in torch; every other tensor picks or masks. */
static int index_add_tensor(PyObject *object, tnpy_index *out) {
    const tn_tensor *tensor = tnpy_tensor_of(object);
    if (tn_ndim(tensor) == 0 && tn_dtype_is_integral(tn_dtype_of(tensor)) && tn_dtype_of(tensor) != TN_BOOL &&
        tn_dtype_of(tensor) != TN_UINT8) {
        int64_t position = tn_item_int64(tensor);
        if (tn_error_code() != TN_OK) {
            (void)tnpy_raise();
            return -1;
        }
        out->items[out->count++] = TN_AT(position);
    } else
        out->items[out->count++] = TN_PICK(tensor);
    return 0;
}

/* The tensor is taken. */
static int index_add_made(PyObject *made, tnpy_index *out) {
    if (!made)
        return -1;
    if (out->held_count == TN_MAX_DIMS) {
        Py_DECREF(made);
        PyErr_SetString(PyExc_IndexError, "the index has too many lists and arrays");
        return -1;
    }
    out->held[out->held_count++] = made;
    return index_add_tensor(made, out);
}

static int index_add_list(PyObject *list, tnpy_index *out) {
    PyObject *made = tnpy_make(list, TN_DTYPE_DEFAULT);
    if (made && tn_numel(tnpy_tensor_of(made)) == 0) { /* [] picks nothing, and has no dtype of its own */
        tn_tensor *whole = tn_to(tnpy_tensor_of(made), TN_INT64);
        Py_DECREF(made);
        made = tnpy_wrap(whole);
    }
    return index_add_made(made, out);
}

static int index_add(PyObject *key, tnpy_index *out) {
    if (out->count == TNPY_INDEX_ITEMS) {
        PyErr_Format(PyExc_IndexError, "the index has more than %d items", TNPY_INDEX_ITEMS);
        return -1;
    }
    if (PySlice_Check(key))
        return index_add_range(key, out);
    if (key == Py_True || key == Py_False) {
        out->items[out->count++] = TN_WHEN(key == Py_True);
        return 0;
    }
    if (PyLong_Check(key)) {
        int overflow;
        long long position = PyLong_AsLongLongAndOverflow(key, &overflow);
        if (overflow) {
            PyErr_Format(tnpy_error_class(TN_ERROR_INDEX), "the position %R does not fit in 64 bits", key);
            return -1;
        }
        out->items[out->count++] = TN_AT(position);
        return 0;
    }
    if (key == Py_None) {
        out->items[out->count++] = TN_NEW_AXIS;
        return 0;
    }
    if (key == Py_Ellipsis) {
        out->items[out->count++] = TN_ELLIPSIS;
        return 0;
    }
    if (tnpy_is_tensor(key))
        return index_add_tensor(key, out);
    if (PyList_Check(key) || PyTuple_Check(key) || PyObject_TypeCheck(key, &PyRange_Type))
        return index_add_list(key, out);
    bool quiet = false;
    PyObject *made = PyBytes_Check(key) || PyUnicode_Check(key) ? NULL : tnpy_from_buffer(key, &quiet);
    if (made || PyErr_Occurred())
        return index_add_made(made, out);
    int64_t position;
    int fits = PyFloat_Check(key) ? 0 : tnpy_to_int(key, &position);
    if (fits > 0) {
        out->items[out->count++] = TN_AT(position);
        return 0;
    }
    if (fits == 0)
        PyErr_Format(
            PyBytes_Check(key) || PyUnicode_Check(key) ? PyExc_TypeError : PyExc_IndexError,
            "a tensor is indexed by integers, slices, None, ..., bools, tensors and lists of integers or bools, not by %R",
            key);
    return -1;
}

/* torch reads a list as a tuple when something in it is not an integer: x[[0, slice(2)]] is x[0, :2], x[[range(2), range(2)]]
 * is x[range(2), range(2)]. */
static bool index_is_tuple(PyObject *list) {
    Py_ssize_t count = PyList_Size(list);
    for (Py_ssize_t i = 0; i < count && count < 32; i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (item == Py_None || item == Py_Ellipsis || PySlice_Check(item) || PySequence_Check(item))
            return true;
    }
    return false;
}

static int index_warn_of_list(void) {
    return PyErr_WarnEx(PyExc_UserWarning,
                        "a list that holds more than integers is read as a tuple, x[[a, b]] as x[a, b]: say x[tuple(list)], or "
                        "x[tensor(list)] where the list is one index",
                        1);
}

int tnpy_index_read(PyObject *key, tnpy_index *out) {
    out->count = out->held_count = 0;
    if (PyList_Check(key) && index_is_tuple(key)) {
        PyObject *tuple = index_warn_of_list() < 0 ? NULL : PyList_AsTuple(key);
        if (!tuple || tnpy_index_read(tuple, out) < 0 || out->held_count == TN_MAX_DIMS) {
            if (tuple && !PyErr_Occurred()) {
                tnpy_index_clear(out);
                PyErr_SetString(PyExc_IndexError, "the index has too many lists and arrays");
            }
            Py_XDECREF(tuple);
            return -1;
        }
        out->held[out->held_count++] = tuple; /* the list may be changed while its tensors are read */
        return 0;
    }
    if (!PyTuple_Check(key)) {
        if (index_add(key, out) == 0)
            return 0;
        tnpy_index_clear(out);
        return -1;
    }
    Py_ssize_t count = PyTuple_Size(key);
    for (Py_ssize_t i = 0; i < count; i++)
        if (index_add(PyTuple_GetItem(key, i), out) < 0) {
            tnpy_index_clear(out);
            return -1;
        }
    return 0;
}

/* Whether the call copies instead of looking into the same memory. */
static bool index_copies(const tnpy_index *index) {
    for (int64_t i = 0; i < index->count; i++)
        if (index->items[i].kind == TN_INDEX_TENSOR || index->items[i].kind == TN_INDEX_WHEN)
            return true;
    return false;
}

/* A tensor that cannot be an index, because it does not hold integers, is a wrong index to Python; to the library it is a wrong
 * dtype. */
static PyObject *index_raise(void) {
    if (tn_error_code() != TN_ERROR_DTYPE)
        return tnpy_raise();
    tn_error_record record;
    (void)tn_error_take(&record);
    tnpy_raise_text(tnpy_error_class(TN_ERROR_INDEX), record.message);
    return NULL;
}

static bool index_is_whole(const tn_index_item *item) {
    return item->kind == TN_INDEX_RANGE && item->start == 0 && item->end == PY_SSIZE_T_MAX && item->step == 1;
}

/* A subscript that changes one dimension, for a tensor whose history is recorded: the view that it is has a shorter derivative, and
 * its node the name it has in torch. NULL, with no error, for other subscripts. */
static tn_tensor *index_one(const tn_tensor *self, const tnpy_index *index) {
    int64_t at = -1;
    for (int64_t i = 0; i < index->count; i++)
        if (!index_is_whole(&index->items[i])) {
            if (at >= 0)
                return NULL;
            at = i;
        }
    if (at < 0 || index->count > tn_ndim(self) + 1)
        return NULL;
    const tn_index_item *item = &index->items[at];
    if (item->kind == TN_INDEX_NEW_AXIS)
        return tn_unsqueeze(self, at);
    if (at >= tn_ndim(self) || index->count > tn_ndim(self))
        return NULL;
    int64_t size = tn_size(self, at);
    if (item->kind == TN_INDEX_AT && item->start >= -size && item->start < size)
        return tn_select(self, at, item->start);
    return item->kind == TN_INDEX_RANGE && item->step > 0 ? tn_slice(self, at, item->start, item->end, item->step) : NULL;
}

PyObject *tnpy_subscript(PyObject *self, PyObject *key) {
    tnpy_index index;
    if (tnpy_index_read(key, &index) < 0)
        return NULL;
    tn_tensor *made = NULL;
    tn_index_list list = {index.items, index.count};
    if (TNPY_UNLIKELY(tn_requires_grad(tnpy_tensor_of(self))) &&
        ((made = index_one(tnpy_tensor_of(self), &index)) != NULL || tn_error_code() != TN_OK))
        ;
    else if (index_copies(&index) && tnpy_work_is_long_index(tnpy_tensor_of(self), list)) {
        Py_BEGIN_ALLOW_THREADS made = (tn_index)(tnpy_tensor_of(self), list);
        Py_END_ALLOW_THREADS
    } else
        made = (tn_index)(tnpy_tensor_of(self), list);
    tnpy_index_clear(&index);
    PyObject *object = made ? tnpy_wrap_view(made, self) : index_raise();
    if (TNPY_UNLIKELY(tnpy_warnings_after_call() < 0))
        Py_CLEAR(object);
    return object;
}

PyObject *tnpy_sequence_item(PyObject *self, Py_ssize_t position) {
    return tnpy_wrap_view(tn_select(tnpy_tensor_of(self), 0, position), self);
}

int tnpy_assign_subscript(PyObject *self, PyObject *key, PyObject *value) {
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "elements of a tensor cannot be deleted");
        return -1;
    }
    tn_scalar number;
    int fits = tnpy_is_tensor(value) ? 0 : tnpy_to_scalar(value, &number);
    if (fits < 0)
        return -1;
    PyObject *source = NULL;
    if (!fits) {
        source = tnpy_is_tensor(value) ? Py_NewRef(value) : tnpy_make(value, TN_DTYPE_DEFAULT);
        if (!source)
            return -1;
    }
    tnpy_index index;
    if (tnpy_index_read(key, &index) < 0) {
        Py_XDECREF(source);
        return -1;
    }
    tn_tensor *done, *target = tnpy_tensor_of(self);
    tn_index_list list = {index.items, index.count};
    bool attached = TNPY_UNLIKELY(((tnpy_tensor *)self)->base != NULL) && source && tn_requires_grad(tnpy_tensor_of(source)) &&
                    tnpy_attach_begin(self);
    if (tnpy_work_is_long_index(target, list)) {
        Py_BEGIN_ALLOW_THREADS done =
            source ? tn_setitem_(target, list, tnpy_tensor_of(source)) : (tn_setitem_scalar_)(target, list, number);
        Py_END_ALLOW_THREADS
    } else
        done = source ? tn_setitem_(target, list, tnpy_tensor_of(source)) : (tn_setitem_scalar_)(target, list, number);
    if (TNPY_UNLIKELY(attached))
        tnpy_attach_end(self);
    tnpy_index_clear(&index);
    Py_XDECREF(source);
    if (!done)
        (void)tnpy_raise();
    return tnpy_warnings_after_call() < 0 || !done ? -1 : 0;
}
