/* share.c - memory that processes share: Tensor.share_memory_ and what is sent through tenon.multiprocessing.
 *
 * A shared storage is a mapping of an anonymous file, whose descriptor it keeps: another process maps the same file when it gets a
 * copy of the descriptor, and a child has the mapping from its birth. The last process that lets go frees the memory. A shared
 * storage is recognised by its deleter.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* memfd_create */
#endif
#include "core.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct share_mapping {
    void *memory;
    size_t bytes;
    int descriptor;
} share_mapping;

static void share_delete(void *ctx) {
    share_mapping *mapping = ctx;
    (void)munmap(mapping->memory, mapping->bytes);
    (void)close(mapping->descriptor);
    free(mapping);
}

/* An anonymous file; -1 with errno. */
static int share_open(void) {
#if defined(__linux__)
    return memfd_create("tenon", MFD_CLOEXEC);
#else
    static atomic_uint count;
    char name[64];
    (void)snprintf(name, sizeof name, "/tenon-%ld-%u", (long)getpid(), atomic_fetch_add(&count, 1U));
    int descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (descriptor >= 0)
        (void)shm_unlink(name);
    return descriptor;
#endif
}

/* A storage over a file of at least so many bytes. Takes the descriptor, also when it fails. */
static tn_storage *share_map(int descriptor, size_t bytes) {
    size_t length = bytes ? bytes : 1; /* a mapping has a byte at least */
    share_mapping *mapping = malloc(sizeof *mapping);
    void *memory = mapping ? mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) : MAP_FAILED;
    if (memory == MAP_FAILED) {
        if (mapping)
            PyErr_SetFromErrno(PyExc_OSError);
        else
            PyErr_NoMemory();
        free(mapping);
        (void)close(descriptor);
        return NULL;
    }
    *mapping = (share_mapping){memory, length, descriptor};
    tn_data_ptr pointer = tn_data_ptr_make(memory, mapping, share_delete, (tn_device){TN_CPU, 0});
    tn_storage *made = tn_storage_from_pointer(&pointer, bytes, TN_DTYPE_DEFAULT);
    if (!made) {
        tn_data_ptr_clear(&pointer);
        (void)tnpy_raise();
    }
    return made;
}

static const share_mapping *share_of(const tn_storage *storage) {
    const tn_data_ptr *pointer = tn_storage_data_ptr(storage);
    return pointer && pointer->deleter == share_delete ? pointer->ctx : NULL;
}

PyObject *tnpy_storage_is_shared(PyObject *self, PyObject *ignored) {
    (void)ignored;
    return PyBool_FromLong(share_of(((tnpy_storage *)self)->storage) != NULL);
}

/* A shared storage with a copy of the bytes. `users` says how many references the one tensor that moves accounts for. */
PyObject *tnpy_storage_shared(PyObject *self, PyObject *users) {
    const tn_storage *storage = ((tnpy_storage *)self)->storage;
    int64_t allowed;
    if (tnpy_to_int(users, &allowed) <= 0)
        return NULL;
    if (tn_storage_device(storage).type != TN_CPU) {
        PyErr_SetString(tnpy_error_class(TN_ERROR_DEVICE), "share_memory_: only memory of the CPU can be shared");
        return NULL;
    }
    if (tn_storage_use_count(storage) > allowed) {
        PyErr_Format(tnpy_error_class(TN_ERROR_STATE),
                     "share_memory_: %lld other tensors look into the same storage and would stay behind in the old memory",
                     (long long)(tn_storage_use_count(storage) - allowed));
        return NULL;
    }
    size_t bytes = tn_storage_nbytes(storage);
    int descriptor = share_open();
    if (descriptor < 0 || ftruncate(descriptor, (off_t)(bytes ? bytes : 1)) < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        if (descriptor >= 0)
            (void)close(descriptor);
        return NULL;
    }
    tn_storage *made = share_map(descriptor, bytes);
    if (!made)
        return NULL;
    if (bytes)
        memcpy(tn_storage_mutable_data(made), tn_storage_data(storage), bytes);
    PyObject *object = tnpy_storage_object(made);
    tn_storage_release(made);
    return object;
}

/* (descriptor, bytes) of a shared storage; the descriptor stays its own. */
static PyObject *share_handle(PyObject *module, PyObject *object) {
    (void)module;
    const share_mapping *mapping = Py_TYPE(object) == tnpy_storage_type ? share_of(((tnpy_storage *)object)->storage) : NULL;
    if (!mapping) {
        PyErr_SetString(PyExc_TypeError, "_shared_handle wants a storage in shared memory");
        return NULL;
    }
    return Py_BuildValue("in", mapping->descriptor, (Py_ssize_t)tn_storage_nbytes(((tnpy_storage *)object)->storage));
}

/* A storage over the file of a descriptor, which it takes. */
static PyObject *share_attach(PyObject *module, PyObject *args) {
    (void)module;
    int descriptor;
    Py_ssize_t bytes;
    if (!PyArg_ParseTuple(args, "in:_attach_shared", &descriptor, &bytes))
        return NULL;
    struct stat about;
    if (bytes < 0 || fstat(descriptor, &about) < 0 || about.st_size < (off_t)bytes) {
        PyErr_Format(PyExc_ValueError, "_attach_shared: descriptor %d is not a file of %zd bytes", descriptor, bytes);
        return NULL;
    }
    tn_storage *made = share_map(descriptor, (size_t)bytes);
    PyObject *object = made ? tnpy_storage_object(made) : NULL;
    if (made)
        tn_storage_release(made);
    return object;
}

/* A tensor looks into another storage from now on, at the same places. */
static PyObject *share_take(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *object, *storage;
    if (!PyArg_ParseTuple(args, "OO:_take_storage", &object, &storage))
        return NULL;
    if (!tnpy_is_tensor(object) || Py_TYPE(storage) != tnpy_storage_type) {
        PyErr_SetString(PyExc_TypeError, "_take_storage wants a tensor and a storage");
        return NULL;
    }
    tn_tensor *tensor = tnpy_tensor_of(object);
    tn_tensor *made = tn_from_storage(((tnpy_storage *)storage)->storage, tn_storage_offset(tensor), tn_sizes(tensor),
                                      tn_strides(tensor), tn_dtype_of(tensor));
    bool done = made && tn_set_data(tensor, made);
    tn_release(made);
    if (!done)
        return tnpy_raise();
    Py_RETURN_NONE;
}

PyMethodDef tnpy_share_functions[] = {
    {"_shared_handle", share_handle, METH_O, NULL},
    {"_attach_shared", share_attach, METH_VARARGS, NULL},
    {"_take_storage", share_take, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
