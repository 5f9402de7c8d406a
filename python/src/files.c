/* files.c - files of tensors for Python: a thin face of tenon/files.h. What users see is in tenon/files.py, tenon/safetensors.py and
 * tenon/serialization.py; here are one type, an open file, and one function that writes.
 */
#include "core.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct tnpy_file {
    PyObject_HEAD tn_file *file;
} tnpy_file;

static PyTypeObject *files_type;

static tn_file *file_of(PyObject *self) { return ((tnpy_file *)self)->file; }

static void files_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    tn_file_release(file_of(self));
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---- opening */

static void files_give_back(void *context) {
    if (!Py_IsInitialized())
        return;
    PyGILState_STATE state = PyGILState_Ensure();
    tn_scope pause = tn_scope_pause(); /* what Python makes when an object ends belongs to Python */
    PyBuffer_Release(context);
    PyMem_Free(context);
    (void)tn_scope_close(pause);
    PyGILState_Release(state);
}

static tn_file *files_open_buffer(PyObject *source, const tn_file_options *options) {
    Py_buffer *view = PyMem_Malloc(sizeof *view);
    if (!view || PyObject_GetBuffer(source, view, PyBUF_SIMPLE) < 0) {
        PyMem_Free(view);
        if (!PyErr_Occurred())
            PyErr_NoMemory();
        return NULL;
    }
    tn_file *file = tn_file_open_memory(view->buf, (size_t)view->len, TN_FREE_WITH(files_give_back, view), options);
    if (!file) {
        PyBuffer_Release(view);
        PyMem_Free(view);
    }
    return file;
}

/* Why the system does not open `text`, to be read or, where `writing`, made anew in its folder: 0 where it does. */
static int files_reason(const char *text, bool writing) {
    struct stat about;
    const char *slash = strrchr(text, '/');
    char folder[4096];
    if (stat(text, &about) == 0)
        return S_ISDIR(about.st_mode) ? EISDIR : !writing && access(text, R_OK) != 0 ? errno : 0;
    if (!writing)
        return errno;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - text) + 1 : 1, slash ? text : ".");
    return stat(folder, &about) != 0 || access(folder, W_OK) != 0 ? errno : 0;
}

/* The waiting error as an exception: FileNotFoundError, PermissionError, ... where the path is the reason. */
static PyObject *files_raise(PyObject *path, bool writing) {
    int reason = path && tn_error_code() == TN_ERROR_IO ? files_reason(PyBytes_AsString(path), writing) : 0;
    if (!reason)
        return tnpy_raise();
    tn_error_clear();
    errno = reason;
    PyObject *name = PyUnicode_DecodeFSDefaultAndSize(PyBytes_AsString(path), PyBytes_Size(path));
    if (name)
        PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, name);
    Py_XDECREF(name);
    return NULL;
}

/* The names as an array of C texts, to be freed; the texts belong to the objects. */
static const char **files_names(PyObject *names, Py_ssize_t *count) {
    *count = PyTuple_Size(names);
    const char **texts = *count < 0 ? NULL : PyMem_Calloc((size_t)*count + 1, sizeof *texts);
    for (Py_ssize_t i = 0; texts && i < *count; i++)
        if (!(texts[i] = tnpy_text(PyTuple_GetItem(names, i)))) {
            PyMem_Free(texts);
            return NULL;
        }
    return texts;
}

static PyObject *files_open(PyObject *module, PyObject *args, PyObject *keywords) {
    (void)module;
    static char *names[] = {"",       "mode",      "writable", "format",  "dtype",      "sizes",
                            "offset", "separator", "comment",  "allowed", "any_object", NULL};
    tn_file_options options = TN_FILE_OPTIONS;
    PyObject *source, *dtype = Py_None, *sizes = Py_None, *allowed = NULL;
    int mode = 0, writable = 0, separator = 0, comment = 0, any = 0;
    unsigned long long offset = 0;
    int64_t numbers[TN_MAX_DIMS];
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|ipzOOKiiO!p:_file_open", names, &source, &mode, &writable,
                                     &options.format, &dtype, &sizes, &offset, &separator, &comment, &PyTuple_Type, &allowed,
                                     &any))
        return NULL;
    options.mode = (tn_file_mode)mode;
    options.writable = writable;
    options.offset = offset;
    options.separator = (char)separator;
    options.comment = (char)comment;
    options.any_object = any;
    if (dtype != Py_None && tnpy_to_dtype(dtype, &options.dtype) <= 0) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "%R is not a dtype", dtype);
        return NULL;
    }
    if (sizes != Py_None) {
        Py_ssize_t count = PySequence_Size(sizes);
        if (count < 0 || count > TN_MAX_DIMS) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "the shape has too many dimensions");
            return NULL;
        }
        for (Py_ssize_t i = 0; i < count; i++) {
            PyObject *item = PySequence_GetItem(sizes, i);
            numbers[i] = item ? PyLong_AsLongLong(item) : -1;
            Py_XDECREF(item);
            if (PyErr_Occurred())
                return NULL;
        }
        options.sizes = (tn_dims){numbers, count};
    }
    Py_ssize_t count = 0;
    const char **texts = allowed ? files_names(allowed, &count) : NULL;
    if (allowed && !texts)
        return NULL;
    options.allowed = texts;
    options.allowed_count = count;
    tn_file *file = NULL;
    PyObject *path = NULL;
    if (PyUnicode_Check(source) || PyObject_HasAttrString(source, "__fspath__")) {
        if (PyUnicode_FSConverter(source, &path)) {
            const char *text = PyBytes_AsString(path);
            Py_BEGIN_ALLOW_THREADS file = tn_file_open(text, &options);
            Py_END_ALLOW_THREADS
        }
    } else
        file = files_open_buffer(source, &options);
    PyMem_Free(texts);
    if (!file && !PyErr_Occurred())
        (void)files_raise(path, false);
    Py_XDECREF(path);
    if (!file)
        return NULL;
    tnpy_file *self = PyObject_New(tnpy_file, files_type);
    if (self)
        self->file = file;
    else
        tn_file_release(file);
    return (PyObject *)self;
}

/* ---- asking */

static PyObject *files_format(PyObject *self, void *ignored) {
    (void)ignored;
    return PyUnicode_FromString(tn_file_format(file_of(self)));
}

static Py_ssize_t files_length(PyObject *self) { return (Py_ssize_t)tn_file_count(file_of(self)); }

static PyObject *files_text(const char *text) { return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace"); }

static PyObject *files_keys(PyObject *self, PyObject *ignored) {
    (void)ignored;
    Py_ssize_t count = files_length(self);
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        tn_file_tensor about = TN_FILE_TENSOR;
        PyObject *name = tn_file_describe(file_of(self), i, &about) == TN_OK ? files_text(about.name) : tnpy_raise();
        if (!name || PyList_SetItem(list, i, name) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *files_describe(PyObject *self, PyObject *position) {
    tn_file_tensor about = TN_FILE_TENSOR;
    long long place = PyLong_AsLongLong(position);
    if (place == -1 && PyErr_Occurred())
        return NULL;
    if (tn_file_describe(file_of(self), place, &about) != TN_OK)
        return tnpy_raise();
    return Py_BuildValue("NNNKKsOO", files_text(about.name), tnpy_dtype_object(about.dtype), tnpy_size_object(about.sizes),
                         (unsigned long long)about.offset, (unsigned long long)about.bytes, about.encoding,
                         about.requires_grad ? Py_True : Py_False, about.is_parameter ? Py_True : Py_False);
}

static PyObject *files_find(PyObject *self, PyObject *name) {
    const char *text = tnpy_text(name);
    return text ? PyLong_FromLongLong(tn_file_find(file_of(self), text)) : NULL;
}

static PyObject *files_metadata(PyObject *self, PyObject *ignored) {
    (void)ignored;
    PyObject *made = PyDict_New();
    int64_t count = tn_file_metadata_count(file_of(self));
    for (int64_t i = 0; made && i < count; i++) {
        const char *name = tn_file_metadata_name(file_of(self), i);
        PyObject *key = files_text(name), *text = key ? files_text(tn_file_metadata(file_of(self), name)) : NULL;
        if (!text || PyDict_SetItem(made, key, text) < 0)
            Py_CLEAR(made);
        Py_XDECREF(key);
        Py_XDECREF(text);
    }
    return made;
}

/* ---- taking */

static PyObject *files_take(PyObject *self, PyObject *args) {
    long long position, begin = 0, end = 0;
    int rows = PyTuple_Size(args) > 1;
    if (!PyArg_ParseTuple(args, "L|LL:take", &position, &begin, &end))
        return NULL;
    tn_tensor *made;
    Py_BEGIN_ALLOW_THREADS made =
        rows ? tn_file_take_rows(file_of(self), position, begin, end) : tn_file_take_at(file_of(self), position);
    Py_END_ALLOW_THREADS return tnpy_wrap(made);
}

static PyObject *files_record(PyObject *self, PyObject *name) {
    const char *text = tnpy_text(name);
    tn_tensor *record = text ? tn_file_record(file_of(self), text) : NULL;
    if (!record)
        return text ? tnpy_raise() : NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(tn_data(record), (Py_ssize_t)tn_nbytes(record));
    tn_release(record);
    return bytes;
}

static PyObject *files_storage(PyObject *self, PyObject *key) {
    const char *text = tnpy_text(key);
    tn_storage *storage = text ? tn_file_storage(file_of(self), text) : NULL;
    if (!storage)
        return text ? tnpy_raise() : NULL;
    PyObject *made = tnpy_storage_object(storage);
    tn_storage_release(storage);
    return made;
}

/* ---- the tree as objects of Python */

enum { FILES_KEY = 1000 }; /* values in a key, or in an item of a set */

typedef struct files_building {
    PyObject *file, *resolve, *memo; /* memo: address of a value, its object */
    bool every;                      /* every tensor goes through resolve.tensor */
} files_building;

static PyObject *files_build(files_building *building, const tn_tree *tree);

static int files_remember(files_building *building, const tn_tree *tree, PyObject *made) {
    PyObject *key = made ? PyLong_FromVoidPtr((void *)(uintptr_t)tree) : NULL;
    int code = key ? PyDict_SetItem(building->memo, key, made) : -1;
    Py_XDECREF(key);
    return code;
}

static PyObject *files_build_tuple(files_building *building, const tn_tree *tree) {
    int64_t count = tn_tree_count(tree);
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (int64_t i = 0; tuple && i < count; i++) {
        PyObject *item = files_build(building, tn_tree_at(tree, i));
        if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* Whether a key, or an item of a set, is made of few enough values to be hashed: tuples of tuples that each hold the next one twice would
 * take longer than anyone waits. */
static bool files_few(const tn_tree *tree, int *left) {
    tn_tree_kind kind = tn_tree_kind_of(tree);
    int64_t count = kind == TN_TREE_TUPLE ? tn_tree_count(tree) : 0; /* a frozen set remembers the hashes of its items */
    for (int64_t i = 0; i < count; i++)
        if (--*left < 0 || !files_few(tn_tree_at(tree, i), left))
            return false;
    return true;
}

static int files_check_hashed(const tn_tree *tree) {
    if (files_few(tree, &(int){FILES_KEY}))
        return 0;
    PyErr_Format(PyExc_ValueError, "a key, or an item of a set, is made of more than %d values", FILES_KEY);
    return -1;
}

/* The items of a dictionary, of a list, or of an object that is like one of them. */
static int files_fill(files_building *building, PyObject *made, const tn_tree *tree) {
    int64_t count = tn_tree_count(tree);
    int code = 0;
    for (int64_t i = 0; code == 0 && i < count; i++) {
        const tn_tree *key_tree = tn_tree_key(tree, i);
        if ((key_tree || PyAnySet_Check(made)) && files_check_hashed(key_tree ? key_tree : tn_tree_at(tree, i)) < 0)
            return -1;
        PyObject *key = key_tree ? files_build(building, key_tree) : NULL;
        PyObject *value = key_tree && !key ? NULL : files_build(building, tn_tree_at(tree, i));
        if (!value)
            code = -1;
        else if (key)
            code = PyObject_SetItem(made, key, value);
        else if (PyList_CheckExact(made))
            code = PyList_Append(made, value);
        else {
            PyObject *done = PyObject_CallMethod(made, PyAnySet_Check(made) ? "add" : "append", "(O)", value);
            code = done ? 0 : -1;
            Py_XDECREF(done);
        }
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return code;
}

static int files_set_state(files_building *building, PyObject *made, const tn_tree *tree) {
    const tn_tree *state_tree = tn_tree_state(tree);
    if (!state_tree)
        return 0;
    PyObject *state = files_build(building, state_tree), *done = NULL;
    if (state)
        done = PyObject_CallMethod(building->resolve, "set_state", "(OO)", made, state);
    Py_XDECREF(state);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

static PyObject *files_build_tensor(files_building *building, const tn_tree *tree) {
    const tn_file *file = file_of(building->file);
    tn_file_tensor about = TN_FILE_TENSOR;
    int64_t place = tn_tree_tensor(tree);
    if (tn_file_describe(file, place, &about) != TN_OK)
        return tnpy_raise();
    tn_tensor *made;
    Py_BEGIN_ALLOW_THREADS made = tn_file_take_at(file, place);
    Py_END_ALLOW_THREADS PyObject *object = tnpy_wrap(made);
    if (object && (about.requires_grad || about.is_parameter || building->every)) {
        PyObject *plain = object;
        object = PyObject_CallMethod(building->resolve, "tensor", "(OOO)", plain, about.requires_grad ? Py_True : Py_False,
                                     about.is_parameter ? Py_True : Py_False);
        Py_DECREF(plain);
    }
    if (object && (files_remember(building, tree, object) < 0 || files_set_state(building, object, tree) < 0))
        Py_CLEAR(object);
    return object;
}

static PyObject *files_resolve(files_building *building, const char *method, const char *text) {
    return PyObject_CallMethod(building->resolve, method, "(s)", text);
}

static PyObject *files_build_object(files_building *building, const tn_tree *tree) {
    PyObject *function = files_build(building, tn_tree_function(tree)), *made = NULL;
    PyObject *arguments = function ? files_build(building, tn_tree_arguments(tree)) : NULL;
    if (arguments && tn_tree_made_new(tree))
        made = PyObject_CallMethod(building->resolve, "new", "(OO)", function, arguments);
    else if (arguments)
        made = PyObject_CallObject(function, arguments);
    Py_XDECREF(function);
    Py_XDECREF(arguments);
    if (made && (files_remember(building, tree, made) < 0 || files_fill(building, made, tree) < 0 ||
                 files_set_state(building, made, tree) < 0))
        Py_CLEAR(made);
    return made;
}

static PyObject *files_build_container(files_building *building, const tn_tree *tree, PyObject *made) {
    if (made && (files_remember(building, tree, made) < 0 || files_fill(building, made, tree) < 0 ||
                 files_set_state(building, made, tree) < 0))
        Py_CLEAR(made);
    return made;
}

static PyObject *files_build_new(files_building *building, const tn_tree *tree) {
    size_t length;
    const char *text = tn_tree_text(tree, &length);
    tn_scalar number = tn_tree_number(tree);
    PyObject *bytes, *made = NULL;
    switch (tn_tree_kind_of(tree)) {
    case TN_TREE_NONE: return Py_NewRef(Py_None);
    case TN_TREE_BOOL: return PyBool_FromLong(number.value.b);
    case TN_TREE_INT: return PyLong_FromLongLong(number.value.i);
    case TN_TREE_FLOAT: return PyFloat_FromDouble(number.value.d);
    case TN_TREE_TEXT: return PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "strict");
    case TN_TREE_BYTES: return PyBytes_FromStringAndSize(text, (Py_ssize_t)length);
    case TN_TREE_BIG_INT:
        bytes = PyBytes_FromStringAndSize(text, (Py_ssize_t)length);
        made = bytes ? PyObject_CallMethod(building->resolve, "big", "(O)", bytes) : NULL;
        Py_XDECREF(bytes);
        return made;
    case TN_TREE_TUPLE: return files_build_tuple(building, tree);
    case TN_TREE_LIST: return files_build_container(building, tree, PyList_New(0));
    case TN_TREE_SET: return files_build_container(building, tree, PySet_New(NULL));
    case TN_TREE_FROZEN_SET:
        for (int64_t i = 0; i < tn_tree_count(tree); i++)
            if (files_check_hashed(tn_tree_at(tree, i)) < 0)
                return NULL;
        bytes = files_build_tuple(building, tree);
        made = bytes ? PyFrozenSet_New(bytes) : NULL;
        Py_XDECREF(bytes);
        return made;
    case TN_TREE_DICT:
        return files_build_container(building, tree,
                                     tn_tree_function(tree) ? files_resolve(building, "ordered", "") : PyDict_New());
    case TN_TREE_TENSOR: return files_build_tensor(building, tree);
    case TN_TREE_STORAGE:
        return PyObject_CallMethod(building->resolve, "storage", "(sOs)", text, building->file,
                                   tn_tree_text(tn_tree_function(tree), NULL));
    case TN_TREE_NAME: return files_resolve(building, "name", text);
    case TN_TREE_OBJECT: return files_build_object(building, tree);
    }
    PyErr_SetString(PyExc_RuntimeError, "a value of an unknown kind");
    return NULL;
}

static PyObject *files_build(files_building *building, const tn_tree *tree) {
    PyObject *key = PyLong_FromVoidPtr((void *)(uintptr_t)tree),
             *made = key ? PyDict_GetItemWithError(building->memo, key) : NULL;
    if (made || PyErr_Occurred()) {
        Py_XDECREF(key);
        return Py_XNewRef(made);
    }
    if (Py_EnterRecursiveCall(" while a checkpoint is loaded") == 0) {
        made = files_build_new(building, tree);
        Py_LeaveRecursiveCall();
    }
    if (made && tn_tree_kind_of(tree) >= TN_TREE_TEXT && PyDict_SetItem(building->memo, key, made) < 0)
        Py_CLEAR(made);
    Py_DECREF(key);
    return made;
}

/* tree(resolve, every): what the file holds, as torch.load returns it. */
static PyObject *files_tree(PyObject *self, PyObject *args) {
    const tn_tree *tree = tn_file_tree(file_of(self));
    PyObject *resolve;
    int every = 0;
    if (!PyArg_ParseTuple(args, "O|p:tree", &resolve, &every))
        return NULL;
    files_building building = {self, resolve, PyDict_New(), every};
    PyObject *made = NULL;
    if (!tree)
        PyErr_SetString(PyExc_ValueError, "the file has tensors, but no tree of values");
    else if (building.memo)
        made = files_build(&building, tree);
    Py_XDECREF(building.memo);
    return made;
}

/* ---- writing */

static bool files_send(void *context, const void *bytes, size_t size) {
    PyObject *made = PyObject_CallFunction(context, "y#", bytes, (Py_ssize_t)size);
    Py_XDECREF(made);
    return made != NULL;
}

static int files_add(tn_writer *writer, PyObject *names, PyObject *tensors, PyObject *metadata, PyObject *records) {
    Py_ssize_t count = PyList_Size(names);
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *name = tnpy_text(PyList_GetItem(names, i));
        PyObject *tensor = PyList_GetItem(tensors, i);
        if (!name || !tensor)
            return -1;
        if (!tnpy_is_tensor(tensor)) {
            PyErr_Format(PyExc_TypeError, "'%s' is not a tensor, but a %R", name, (PyObject *)Py_TYPE(tensor));
            return -1;
        }
        if (tn_writer_add(writer, name, tnpy_tensor_of(tensor)) != TN_OK)
            return tnpy_raise() ? 0 : -1;
    }
    PyObject *key, *value;
    for (Py_ssize_t at = 0; metadata != Py_None && PyDict_Next(metadata, &at, &key, &value);) {
        if (!PyUnicode_Check(key) || !PyUnicode_Check(value)) {
            PyErr_Format(PyExc_TypeError, "metadata are texts by names, not %R: %R", key, value);
            return -1;
        }
        const char *name = tnpy_text(key), *text = name ? tnpy_text(value) : NULL;
        if (!text || tn_writer_add_metadata(writer, name, text) != TN_OK)
            return text && tnpy_raise() ? 0 : -1;
    }
    for (Py_ssize_t at = 0; records != Py_None && PyDict_Next(records, &at, &key, &value);) {
        const char *name = tnpy_text(key);
        char *bytes;
        Py_ssize_t size;
        if (!name || PyBytes_AsStringAndSize(value, &bytes, &size) < 0)
            return -1;
        if (tn_writer_add_record(writer, name, bytes, (size_t)size) != TN_OK)
            return tnpy_raise() ? 0 : -1;
    }
    return 0;
}

/* _file_write(target, format, names, tensors, metadata, records, level, durable): target is a path, or a function that takes bytes. */
static PyObject *files_write(PyObject *module, PyObject *args) {
    (void)module;
    PyObject *target, *names, *tensors, *metadata, *records, *path = NULL;
    const char *format;
    int level = 0, durable = 0;
    if (!PyArg_ParseTuple(args, "OsO!O!OO|ip:_file_write", &target, &format, &PyList_Type, &names, &PyList_Type, &tensors,
                          &metadata, &records, &level, &durable))
        return NULL;
    bool stream = PyCallable_Check(target);
    if (!stream && !PyUnicode_FSConverter(target, &path))
        return NULL;
    tn_writer *writer =
        stream ? tn_writer_open_stream(files_send, target, format) : tn_writer_open(PyBytes_AsString(path), format);
    if (!writer) {
        Py_XDECREF(path);
        return tnpy_raise();
    }
    tn_writer_options options = TN_WRITER_OPTIONS;
    options.level = level;
    options.durable = durable;
    tn_error code = tn_writer_configure(writer, &options);
    bool added = code == TN_OK && files_add(writer, names, tensors, metadata, records) == 0;
    if (added && stream)
        code = tn_writer_finish(writer);
    else if (added) {
        Py_BEGIN_ALLOW_THREADS code = tn_writer_finish(writer);
        Py_END_ALLOW_THREADS
    }
    tn_writer_release(writer);
    if (PyErr_Occurred())
        tn_error_clear();
    else if (code != TN_OK)
        (void)files_raise(path, true);
    Py_XDECREF(path);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* ---- the type */

static PyMethodDef files_methods[] = {
    {"keys", files_keys, METH_NOARGS, "The names of the tensors, in the order of the file."},
    {"describe", files_describe, METH_O, "Name, dtype, shape, byte, bytes, encoding, requires_grad, whether a parameter."},
    {"find", files_find, METH_O, "The place of a name, or -1."},
    {"take", files_take, METH_VARARGS, "The tensor at a place, or rows of it: take(place, begin, end)."},
    {"metadata", files_metadata, METH_NOARGS, "Names and texts beside the tensors."},
    {"record", files_record, METH_O, "The bytes of a record of a zip file."},
    {"storage", files_storage, METH_O, "The storage of a checkpoint by its key."},
    {"tree", files_tree, METH_VARARGS, "What a checkpoint holds."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef files_attributes[] = {
    {"format", files_format, NULL, "npy, npz, safetensors, pt, gguf, onnx, csv or raw.", NULL}, {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot files_slots[] = {
    TNPY_SLOT(Py_tp_dealloc, files_dealloc), TNPY_SLOT(Py_sq_length, files_length),   {Py_tp_methods, files_methods},
    {Py_tp_getset, files_attributes},        {Py_tp_doc, "An open file of tensors."}, {0, NULL},
};

static PyType_Spec files_spec = {"tenon._core._File", sizeof(tnpy_file), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, files_slots};

static PyMethodDef files_functions[] = {
    {"_file_open", TNPY_FUNCTION(files_open), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_file_write", files_write, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

int tnpy_files_add(PyObject *module) {
    files_type = (PyTypeObject *)PyType_FromSpec(&files_spec);
    return files_type && PyModule_AddObjectRef(module, "_File", (PyObject *)files_type) == 0
               ? PyModule_AddFunctions(module, files_functions)
               : -1;
}
