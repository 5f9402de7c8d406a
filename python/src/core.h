/* core.h - what the files of the Python extension share.
 *
 * The extension is one module, tenon._core, written against the limited API of Python 3.11, so that one build serves every
 * later version. Nothing here knows an operator by name, except the number slots: the functions and methods are made from the
 * operator table when the module is imported (operator.c), and each call goes through these stations:
 *
 *     bind.c      arguments of Python, against the signatures of the table
 *     convert.c   one object of Python as one value of Tenon
 *     operator.c  the call, without the interpreter's lock where it is long, and the result as an object
 *
 * Names that cross files begin with tnpy_. Functions that return an object return a new reference, NULL with an exception
 * set, unless the comment says otherwise.
 */
#ifndef TNPY_CORE_H
#define TNPY_CORE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>

#include <tenon/tenon.h>

/* A slot of a type; standard C has no conversion from a function's address to void *, everyone's compiler does. */
#define TNPY_SLOT(id, function)                                                                                                \
    { id, __extension__(void *) function }
#define TNPY_FUNCTION(function) ((PyCFunction)(void (*)(void))(function))

#define TNPY_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define TNPY_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* ---- errors (errors.c) */

/* The waiting error of the library as an exception. Always returns NULL. */
PyObject *tnpy_raise(void);

/* An exception with a message of the library, which may have been cut off within a character. */
void tnpy_raise_text(PyObject *class, const char *message);

/* The class of a code, borrowed; and that of integers that do not fit: an OverflowError, and what NumPy and torch raise. */
PyObject *tnpy_error_class(tn_error code);
extern PyObject *tnpy_overflow_error;

/* The exception that a function of Python has raised, as an error of the library; it is kept for the function of Python that
 * waits for the call, where one does: tnpy_raise raises it again. Returns the code. */
tn_error tnpy_errors_pass_on(const char *operator_name, bool awaited);

int tnpy_errors_add(PyObject *module);

/* ---- dtype, device, memory format, layout (objects.c), Size (size.c) */

typedef struct tnpy_dtype {
    PyObject_HEAD tn_dtype dtype;
} tnpy_dtype;

typedef struct tnpy_device {
    PyObject_HEAD tn_device device;
    bool indexed; /* "cpu:0", not "cpu" */
} tnpy_device;

typedef struct tnpy_format {
    PyObject_HEAD tn_memory_format format;
} tnpy_format;

extern PyTypeObject *tnpy_dtype_type, *tnpy_device_type, *tnpy_format_type, *tnpy_layout_type, *tnpy_size_type;

int tnpy_objects_add(PyObject *module);
int tnpy_size_add(PyObject *module);

PyObject *tnpy_dtype_object(tn_dtype dtype);
PyObject *tnpy_device_object(tn_device device, bool indexed);
PyObject *tnpy_format_object(tn_memory_format format);
PyObject *tnpy_size_object(tn_dims dims);
PyObject *tnpy_int_tuple(tn_dims dims);

/* ---- tensors (tensor.c) */

typedef struct tnpy_tensor {
    PyObject_HEAD tn_tensor *tensor;
    PyObject *base; /* of a view: the tensor it is a view of, never itself a view */
    PyObject *weak;
} tnpy_tensor;

extern PyTypeObject *tnpy_tensor_type;

int tnpy_tensor_add(PyObject *module);

static inline bool tnpy_is_tensor(PyObject *object) {
    return Py_TYPE(object) == tnpy_tensor_type || PyType_IsSubtype(Py_TYPE(object), tnpy_tensor_type);
}
static inline tn_tensor *tnpy_tensor_of(PyObject *object) { return ((tnpy_tensor *)object)->tensor; }

/* A tensor that was just made becomes an object, which takes the reference. NULL: the library's error is raised. */
PyObject *tnpy_wrap(tn_tensor *tensor);

/* The same for what may be a view of `source`, or `source` itself. */
PyObject *tnpy_wrap_view(tn_tensor *tensor, PyObject *source);

/* The tuple of the tensors of a list, which is released. */
PyObject *tnpy_wrap_list(tn_list *list, PyObject *source, bool views);

/* A number as an object. */
PyObject *tnpy_scalar_object(tn_scalar scalar);

/* Work on this many elements and more is done without the interpreter's lock. */
enum { TNPY_LONG_WORK = 16384 };

/* ---- numbers, comparisons and their slots (number.c); methods by hand (methods.c); attributes (attributes.c) */

extern PyType_Slot tnpy_number_slots[];
extern PyMethodDef tnpy_tensor_methods[];
extern PyGetSetDef tnpy_tensor_attributes[];

/* ---- copies and pickles (copies.c) */

PyObject *tnpy_copy(PyObject *self, PyObject *ignored);
PyObject *tnpy_deepcopy(PyObject *self, PyObject *memo);
PyObject *tnpy_reduce(PyObject *self, PyObject *protocol);
extern PyMethodDef tnpy_copies_functions[];

/* ---- indexing (index.c) */

PyObject *tnpy_subscript(PyObject *self, PyObject *key);
int tnpy_assign_subscript(PyObject *self, PyObject *key, PyObject *value);
PyObject *tnpy_sequence_item(PyObject *self, Py_ssize_t position);

/* Room for the items of an index, and what they borrow. */
enum { TNPY_INDEX_ITEMS = 2 * TN_MAX_DIMS };
typedef struct tnpy_index {
    tn_index_item items[TNPY_INDEX_ITEMS];
    int64_t count;
    PyObject *held[TN_MAX_DIMS]; /* tensors made from lists and masks */
    int64_t held_count;
} tnpy_index;

/* 0, or -1 with an exception. tnpy_index_clear after a success. */
int tnpy_index_read(PyObject *key, tnpy_index *out);
void tnpy_index_clear(tnpy_index *index);

/* ---- tensors from data (make.c), out into Python (list.c) */

/* The functions tensor, as_tensor, ... */
extern PyMethodDef tnpy_make_functions[];

/* A new tensor from numbers, nested sequences, buffers and tensors. dtype TN_DTYPE_DEFAULT: what the data suggest. */
PyObject *tnpy_make(PyObject *data, tn_dtype dtype);

PyObject *tnpy_tolist(PyObject *self, PyObject *ignored);

/* ---- with others (buffer.c, dlpack.c) */

int tnpy_get_buffer(PyObject *self, Py_buffer *view, int flags);
void tnpy_release_buffer(PyObject *self, Py_buffer *view);

/* A tensor over the memory of an object with the buffer protocol, which it keeps alive. Format and shape are the buffer's.
 * NULL with an exception; when `quiet` is given and the object has no usable buffer, *quiet is set and no exception is. */
PyObject *tnpy_from_buffer(PyObject *object, bool *quiet);

/* The dtype a buffer's format names; TN_DTYPE_DEFAULT where there is none. */
tn_dtype tnpy_dtype_from_format(const char *format, Py_ssize_t size);

PyObject *tnpy_dlpack(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names);
PyObject *tnpy_dlpack_device(PyObject *self, PyObject *ignored);
extern PyMethodDef tnpy_dlpack_functions[];

/* ---- storages (storage.c) */

typedef struct tnpy_storage {
    PyObject_HEAD tn_storage *storage;
    PyObject *weak;
} tnpy_storage;

extern PyTypeObject *tnpy_storage_type;

int tnpy_storage_add(PyObject *module);
PyObject *tnpy_storage_object(tn_storage *storage); /* retains */

/* ---- random numbers (generator.c) */

typedef struct tnpy_generator {
    PyObject_HEAD tn_generator *generator;
} tnpy_generator;

extern PyTypeObject *tnpy_generator_type;

int tnpy_generator_add(PyObject *module);
PyObject *tnpy_generator_object(tn_generator *generator); /* retains; None for NULL, the default one */

/* ---- settings (settings.c): printing, the default dtype, memory */

extern PyMethodDef tnpy_settings_functions[];

/* ---- values of Python as values of Tenon (convert.c) */

enum { TNPY_NUMBERS = 4 * TN_MAX_DIMS, TNPY_HELD = 2 * TN_MAX_PARAMETERS };

/* What the values of one call borrow, released after it. */
typedef struct tnpy_scratch {
    int64_t numbers[TNPY_NUMBERS]; /* of dims */
    int64_t numbers_used;
    double reals[TN_MAX_DIMS]; /* of floats */
    int reals_used;
    const tn_tensor **tensors[2]; /* of lists of tensors */
    int tensors_used;
    PyObject *held[TNPY_HELD];
    int held_count;
    tnpy_index *index;
    bool numbers_as_tensors; /* a number was taken where a tensor is wanted: the value is still a scalar */
} tnpy_scratch;

void tnpy_scratch_clear(tnpy_scratch *scratch);

/* A tuple of what is in a list now, held by the scratch: the list may be changed by other threads, and by code that converting
 * the other arguments runs. Anything but a list is returned as it is. Borrowed; NULL with an exception. */
PyObject *tnpy_hold_list(PyObject *object, tnpy_scratch *scratch);

/* Whether the object fits a parameter of a type: 1 yes, with *value set, 0 no, -1 an exception. `lenient` takes numbers for
 * tensors and tensors of one element for numbers. None is the caller's business, except for an optional tensor. */
int tnpy_convert(tn_type type, PyObject *object, bool lenient, tnpy_scratch *scratch, tn_value *value);

/* Each returns 1, 0 or -1 as above. scalar takes Python's numbers and NumPy's. */
int tnpy_to_scalar(PyObject *object, tn_scalar *out);
int tnpy_to_int(PyObject *object, int64_t *out);
int tnpy_to_dtype(PyObject *object, tn_dtype *out);
int tnpy_to_device(PyObject *object, tn_device *out);

/* A text of Python as C has it, borrowed. NULL with an exception: a lone surrogate, or a null character, which would end it. */
const char *tnpy_text(PyObject *object);

/* The dtype torch gives to a number beside a tensor of this dtype. */
tn_dtype tnpy_result_dtype(tn_dtype tensor, tn_scalar number);

/* A tensor of no dimensions for a number beside `other`, which may be NULL. */
tn_tensor *tnpy_number_tensor(tn_scalar number, const tn_tensor *other);

/* ---- operators (operator.c, table.c, bind.c, document.c) */

typedef struct tnpy_parameter {
    const char *name;   /* as in the table */
    const char *label;  /* torch's name; of a registered operator, its own */
    PyObject *spelling; /* the same, interned */
    tn_type type;
    bool has_standard, same_as_before;
    tn_value standard; /* TN_VALUE_NONE: the library reads it from the table */
} tnpy_parameter;

/* One operator of the table: a form of a Python function. */
typedef struct tnpy_form {
    const tn_operator *op;
    tn_result result;
    tn_variant variant;
    int outs;        /* the first parameters that are results to write to */
    int count;       /* of parameters                                     */
    int self;        /* the parameter that is a method's object, or -1    */
    int written;     /* the first parameter that is changed, or -1 */
    int variadic;    /* the parameter that takes all remaining positions, or -1; dims only right after a method's object */
    bool gives_back; /* the object itself where there is nothing to do */
    bool gives_number_back; /* the same, only where it has no dimensions */
    bool fresh;             /* though it may look into the memory of its argument, it is no view of it (detach) */
    tnpy_parameter parameters[];
} tnpy_form;

/* A shorter way for the plainest calls of a method (fast.c): NULL without an exception when this call is not one of them. */
typedef PyObject *(*tnpy_fast)(PyObject *self, PyObject *const *args, Py_ssize_t count);
tnpy_fast tnpy_fast_way(const char *name); /* or NULL */

/* All forms of one name. */
typedef struct tnpy_operator {
    PyObject_HEAD const char *name;
    tnpy_form **forms;     /* functional or in-place ones, then those with out */
    int count, plain;      /* all, and those without out                       */
    bool registered;       /* by the program, at run time: it may run anything, so the interpreter's lock is always given up */
    bool formatted;        /* takes a memory_format that the table does not know of: empty */
    PyObject *result_type; /* of several named results */
    tnpy_fast fast;
    char *function_doc, *method_doc;
    PyMethodDef function, method;
} tnpy_operator;

/* All built-in ones, in the order of the table (table.c). */
extern tnpy_operator **tnpy_operators;
extern Py_ssize_t tnpy_operator_total;

/* Reads the table; then the functions, after the Tensor type was made with the methods. */
int tnpy_operators_read(void);
int tnpy_operators_add(PyObject *module);
extern PyMethodDef tnpy_table_functions[]; /* for pickles */

/* What is registered under a name at this moment, "mine::scale" with all overloads or `exactly` one, "mine::scale.tensor"; an
 * operator without forms where there is nothing. A new reference. */
tnpy_operator *tnpy_operator_registered(const char *name, bool exactly);
PyObject *tnpy_operators_registered(void); /* the list of all their names, with overloads */

/* One call; `self` is a method's object or NULL. The other has a tnpy_operator as its `self`. */
PyObject *tnpy_operator_run(const tnpy_operator *op, PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names);
PyObject *tnpy_operator_function(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names);

/* ---- operators of the program's own (library.c, kernel.c) */

int tnpy_library_add(PyObject *module);

/* A function of Python as a kernel; the registry holds it. 0, or -1 with an exception. */
int tnpy_kernel_register(const char *name, int32_t key, PyObject *function);

/* The interpreter ends: no kernel of Python is run from now on. */
void tnpy_kernels_close(void);

/* ---- the arguments of a call */

/* The arguments of one call: self is NULL for a function, out for a call without it (it is not among the names then). */
typedef struct tnpy_call {
    PyObject *self, *out;
    PyObject *const *args;
    Py_ssize_t count;
    PyObject *names;
} tnpy_call;

/* Makes the values of a call. Returns the form that fits, or NULL with an exception; `objects` has the arguments, borrowed, by
 * parameter, NULL where one was left out. When the operator has no form with out, call->out is not looked at. */
const tnpy_form *tnpy_bind(const tnpy_operator *op, const tnpy_call *call, tn_value *values, PyObject **objects,
                           tnpy_scratch *scratch);

/* The methods of the operators, to be ended by an empty one; `count` of them. NULL with an exception. */
const PyMethodDef *tnpy_operator_methods(Py_ssize_t *count);

/* Docstrings with a signature that inspect understands; to be freed with PyMem_Free. NULL without memory. */
char *tnpy_document(const tnpy_operator *op, bool method);

/* "input" for "self": the name a parameter has in Python. */
const char *tnpy_spelling(const char *name);

/* The other names a parameter goes by, separated by spaces: "axis" for dim. */
const char *tnpy_other_names(const char *name);

#endif
