/* buffer.c - the buffer protocol, both ways: how NumPy, memoryview, array and bytes share memory with tensors.
 *
 * A buffer that was handed out keeps the storage alive by itself, so the memory stays even if the tensor goes. A tensor over a
 * foreign buffer holds the buffer until the last view of it is gone, which may happen on a thread without the interpreter's
 * lock.
 */
#include "core.h"

/* C's name for 64 bits, as NumPy calls its int64: array([1]) and not array([1], dtype=int64). */
#if LONG_MAX > INT_MAX
#define BUFFER_INT64 "l"
#define BUFFER_UINT64 "L"
#else
#define BUFFER_INT64 "q"
#define BUFFER_UINT64 "Q"
#endif

/* The codes of the struct module, and NumPy's for complex numbers. */
static const char *const buffer_formats[TN_DTYPE_COUNT] = {
    [TN_BOOL] = "?",    [TN_UINT8] = "B",   [TN_UINT16] = "H",     [TN_UINT32] = "I",         [TN_UINT64] = BUFFER_UINT64,
    [TN_INT8] = "b",    [TN_INT16] = "h",   [TN_INT32] = "i",      [TN_INT64] = BUFFER_INT64, [TN_FLOAT16] = "e",
    [TN_FLOAT32] = "f", [TN_FLOAT64] = "d", [TN_COMPLEX64] = "Zf", [TN_COMPLEX128] = "Zd",
};

/* ---- out */

typedef struct buffer_lent {
    tn_dlpack_versioned *held; /* keeps the storage; its address is for writing, and handing it out counts as none */
    Py_ssize_t numbers[];      /* sizes, then strides in bytes */
} buffer_lent;

static bool buffer_is_f_contiguous(const tn_tensor *tensor) {
    tn_dims sizes = tn_sizes(tensor), strides = tn_strides(tensor);
    int64_t expected = 1;
    if (tn_numel(tensor) == 0)
        return true;
    for (int64_t d = 0; d < sizes.count; d++) {
        if (sizes.values[d] != 1 && strides.values[d] != expected)
            return false;
        expected *= sizes.values[d];
    }
    return true;
}

/* The part of a request that cannot be met, or NULL. */
static const char *buffer_refuse(const tn_tensor *tensor, int flags) {
    bool c = tn_is_contiguous(tensor), f = buffer_is_f_contiguous(tensor);
    if (tn_device_of(tensor).type != TN_CPU)
        return "the elements are not in memory that the CPU reads";
    if (!buffer_formats[tn_dtype_of(tensor)])
        return "the buffer protocol has no code for its dtype";
    if ((flags & PyBUF_WRITABLE) && tn_is_readonly(tensor))
        return "it is read-only, and a writable buffer was asked for";
    if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !c)
        return "it is not contiguous";
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !f)
        return "it is not contiguous in Fortran's order";
    if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !c && !f)
        return "it is not contiguous in any order";
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !c)
        return "it is not contiguous, and a buffer without strides was asked for";
    return NULL;
}

int tnpy_get_buffer(PyObject *self, Py_buffer *view, int flags) {
    static char none[16]; /* an address even where there are no elements */
    tn_tensor *tensor = tnpy_tensor_of(self);
    const char *why = buffer_refuse(tensor, flags);
    view->obj = NULL;
    if (!why && tn_requires_grad(tensor))
        why = "it requires a gradient, and what is written through a buffer is not recorded: use tensor.detach()";
    if (why) {
        PyErr_Format(PyExc_BufferError, "no buffer of a tensor of %s: %s", tn_dtype_name(tn_dtype_of(tensor)), why);
        return -1;
    }
    tn_dims sizes = tn_sizes(tensor), strides = tn_strides(tensor);
    buffer_lent *lent = PyMem_Malloc(sizeof *lent + (size_t)(2 * sizes.count) * sizeof *lent->numbers);
    if (!lent) {
        PyErr_NoMemory();
        return -1;
    }
    bool readonly = tn_is_readonly(tensor);
    if (!(lent->held = tn_to_dlpack(tensor, 0))) {
        PyMem_Free(lent);
        (void)tnpy_raise();
        return -1;
    }
    Py_ssize_t itemsize = (Py_ssize_t)tn_element_size(tensor);
    for (int64_t d = 0; d < sizes.count; d++) {
        lent->numbers[d] = (Py_ssize_t)sizes.values[d];
        lent->numbers[sizes.count + d] = (Py_ssize_t)strides.values[d] * itemsize;
    }
    void *data = lent->held->tensor.data;
    bool shaped = (flags & PyBUF_ND) == PyBUF_ND;
    view->buf = data ? data : none;
    view->obj = Py_NewRef(self);
    view->len = (Py_ssize_t)tn_nbytes(tensor);
    view->itemsize = itemsize;
    view->readonly = readonly;
    view->ndim = shaped ? (int)sizes.count : 1;
    view->format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)buffer_formats[tn_dtype_of(tensor)] : NULL;
    view->shape = shaped ? lent->numbers : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? lent->numbers + sizes.count : NULL;
    view->suboffsets = NULL;
    view->internal = lent;
    return 0;
}

void tnpy_release_buffer(PyObject *self, Py_buffer *view) {
    (void)self;
    buffer_lent *lent = view->internal;
    lent->held->deleter(lent->held);
    PyMem_Free(lent);
}

/* ---- in */

tn_dtype tnpy_dtype_from_format(const char *format, Py_ssize_t size) {
    if (!format)
        return size == 1 ? TN_UINT8 : TN_DTYPE_DEFAULT;
    if (*format == '@' || *format == '=' || *format == '<' || *format == '|')
        format++;
    for (int i = 1; i < TN_DTYPE_COUNT; i++)
        if (buffer_formats[i] && strcmp(buffer_formats[i], format) == 0 && tn_dtype_size((tn_dtype)i) == (size_t)size)
            return (tn_dtype)i;
    /* The same numbers under C's own names. */
    if (strchr("lLnNqQ", *format) && *format && !format[1])
        return size == 8   ? (strchr("LNQ", *format) ? TN_UINT64 : TN_INT64)
               : size == 4 ? (*format == 'L' ? TN_UINT32 : TN_INT32)
                           : TN_DTYPE_DEFAULT;
    if (*format == 'c' && !format[1])
        return TN_UINT8;
    return TN_DTYPE_DEFAULT;
}

static void buffer_give_back(void *context) {
    if (!Py_IsInitialized())
        return;
    PyGILState_STATE state = PyGILState_Ensure();
    tn_scope pause =
        tn_scope_pause(); /* what Python makes when an object ends belongs to Python, even while a scope is closing */
    PyBuffer_Release(context);
    PyMem_Free(context);
    (void)tn_scope_close(pause);
    PyGILState_Release(state);
}

/* Sizes and strides of a buffer in elements, or false with an exception. */
static bool buffer_geometry(const Py_buffer *view, int64_t *sizes, int64_t *strides) {
    if (view->ndim > TN_MAX_DIMS || view->suboffsets) {
        PyErr_Format(PyExc_ValueError, "a buffer of %d dimensions%s cannot be a tensor", view->ndim,
                     view->suboffsets ? " with suboffsets" : "");
        return false;
    }
    int64_t contiguous = 1;
    for (int d = view->ndim - 1; d >= 0; d--) {
        sizes[d] = view->shape ? view->shape[d] : view->len / view->itemsize;
        strides[d] = contiguous;
        contiguous *= sizes[d] > 0 ? sizes[d] : 1;
        if (!view->strides)
            continue;
        if (view->strides[d] % view->itemsize != 0 && sizes[d] > 1) {
            PyErr_Format(PyExc_ValueError,
                         "stride %zd of dimension %d is not a multiple of the element size %zd: copy the array first",
                         view->strides[d], d, view->itemsize);
            return false;
        }
        strides[d] = view->strides[d] / view->itemsize;
    }
    return true;
}

PyObject *tnpy_from_buffer(PyObject *object, bool *quiet) {
    if (!PyObject_CheckBuffer(object)) {
        if (quiet)
            *quiet = true;
        else
            PyErr_Format(PyExc_TypeError, "%R has no buffer to share", object);
        return NULL;
    }
    Py_buffer *view = PyMem_Malloc(sizeof *view);
    if (!view)
        return PyErr_NoMemory();
    if (PyObject_GetBuffer(object, view, PyBUF_FULL_RO) < 0) {
        PyMem_Free(view);
        if (quiet && PyErr_ExceptionMatches(PyExc_Exception) && !PyErr_ExceptionMatches(PyExc_MemoryError)) {
            PyErr_Clear();
            *quiet = true;
        }
        return NULL;
    }
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS];
    tn_dtype dtype = tnpy_dtype_from_format(view->format, view->itemsize);
    PyObject *made = NULL;
    if (dtype == TN_DTYPE_DEFAULT && view->format && strchr(">!", *view->format))
        PyErr_Format(PyExc_ValueError, "a buffer of format '%s' has its bytes in the other order: copy the array first",
                     view->format);
    else if (dtype == TN_DTYPE_DEFAULT)
        PyErr_Format(PyExc_TypeError, "a buffer of format '%s', %zd bytes each, has no dtype here",
                     view->format ? view->format : "", view->itemsize);
    else if (buffer_geometry(view, sizes, strides)) {
        bool readonly = view->readonly;
        tn_tensor *tensor = tn_from_memory_strided(view->buf, (tn_dims){sizes, view->ndim}, (tn_dims){strides, view->ndim},
                                                   dtype, TN_FREE_WITH(buffer_give_back, view));
        if (tensor) {
            if (readonly)
                (void)tn_storage_set_readonly(tn_storage_of(tensor)); /* not only the handle: others can be made over it */
            return tnpy_wrap(tensor);
        }
        made = tnpy_raise();
    }
    PyBuffer_Release(view);
    PyMem_Free(view);
    return made;
}
