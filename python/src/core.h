/* core.h - what the files of the Python extension share.
 *
 * The extension is one module, tenon._core, written against the limited API of Python 3.11, so that one build serves every
 * later version. Nothing here knows an operator by name, except the number slots: the functions and methods are made from the
 * operator table when the module is imported (operator.c), and each call goes through these steps:
 *
 *     bind.c      arguments of Python, against the signatures of the table
 *     convert.c   one object of Python as one value of Tenon
 *     operator.c  the call, without the interpreter's lock where it is long, and the result as an object
 *
 * Names that cross files begin with tnpy_. Functions that return an object return a new reference, or NULL with an exception
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

/* A slot of a type; standard C has no conversion from a function's address to void *, but every compiler does. */
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

/* ---- warnings (warnings.c) */

/* Whether the library has ever warned; then a call that is over issues the warnings, and fails, with -1 and an exception, where
 * Python is asked to turn warnings into errors or an exception is already set. */
extern bool tnpy_warnings_some;
int tnpy_warnings_tell(void);
static inline int tnpy_warnings_after_call(void) {
    return TNPY_UNLIKELY(__atomic_load_n(&tnpy_warnings_some, __ATOMIC_RELAXED)) ? tnpy_warnings_tell() : 0;
}
void tnpy_warnings_listen(bool listening);

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

/* ---- where new tensors are (device.c) */

tn_device tnpy_default_device(void); /* of this thread */

/* Where to put a new tensor: as device= says, None or NULL for the default. 0, or -1 with an exception. */
int tnpy_new_device(PyObject *object, tn_device *out);
PyObject *tnpy_device_enter(PyObject *self, PyObject *ignored);
PyObject *tnpy_device_exit(PyObject *self, PyObject *ignored);
extern PyMethodDef tnpy_device_functions[];

/* The device of a tensor or a storage: there is only one CPU and one meta, without an index. */
static inline PyObject *tnpy_device_of(tn_device device) {
    return tnpy_device_object(device, device.type != TN_CPU && device.type != TN_META);
}

/* ---- tensors (tensor.c) */

typedef struct tnpy_tensor {
    PyObject_HEAD tn_tensor *tensor;
    PyObject *base; /* of a view: the tensor it is a view of, never itself a view */
    PyObject *weak;
    bool known; /* the objects of its address are this one: see tnpy_known */
} tnpy_tensor;

extern PyTypeObject *tnpy_tensor_type;

int tnpy_tensor_add(PyObject *module);

/* Objects that are found again, by the address of what they hold: gradients, and nodes. It does not keep them alive. put may fail, which
 * costs no more than that the object is not found; drop: the object ends. */
typedef struct tnpy_known {
    PyObject *table; /* from addresses to addresses */
} tnpy_known;
PyObject *tnpy_known_find(tnpy_known *known, const void *held);
bool tnpy_known_put(tnpy_known *known, const void *held, PyObject *object);
void tnpy_known_drop(tnpy_known *known, const void *held, PyObject *object);
extern tnpy_known tnpy_known_tensors;

static inline bool tnpy_is_tensor(PyObject *object) {
    return Py_TYPE(object) == tnpy_tensor_type || PyType_IsSubtype(Py_TYPE(object), tnpy_tensor_type);
}
static inline tn_tensor *tnpy_tensor_of(PyObject *object) { return ((tnpy_tensor *)object)->tensor; }

/* A new tensor becomes an object, which takes the reference. NULL: the library's error is raised. */
PyObject *tnpy_wrap(tn_tensor *tensor);

/* The same as an object of Tensor or of a class below it, which is a view of `source` where that is given. */
PyObject *tnpy_wrap_as(PyTypeObject *type, tn_tensor *tensor, PyObject *source);

/* The same for what may be a view of `source`, or `source` itself. */
PyObject *tnpy_wrap_view(tn_tensor *tensor, PyObject *source);

/* The tuple of the tensors of a list, which is released. */
PyObject *tnpy_wrap_list(tn_list *list, PyObject *source, bool views);

/* The garbage collector looks at this object from now on: something was hung on its tensor that may lead back to it. */
void tnpy_track(PyObject *tensor);

static inline bool tnpy_same_dims(tn_dims a, tn_dims b) {
    return a.count == b.count && (a.count == 0 || memcmp(a.values, b.values, (size_t)a.count * sizeof *a.values) == 0);
}

/* A number as an object. */
PyObject *tnpy_scalar_object(tn_scalar scalar);

/* Work on this many elements and more is done without the interpreter's lock. */
enum { TNPY_LONG_WORK = 16384 };

/* ---- numbers, comparisons and their slots (number.c); methods by hand (methods.c); attributes (attributes.c) */

extern PyType_Slot tnpy_number_slots[];
extern PyMethodDef tnpy_tensor_methods[];
extern PyGetSetDef tnpy_tensor_attributes[];

/* ---- gradients (autograd.c) */

PyObject *tnpy_is_inference(PyObject *self, PyObject *ignored);
PyObject *tnpy_get_requires_grad(PyObject *self, void *ignored);
int tnpy_set_requires_grad(PyObject *self, PyObject *value, void *ignored);
PyObject *tnpy_get_grad(PyObject *self, void *ignored);
int tnpy_set_grad(PyObject *self, PyObject *value, void *ignored);
PyObject *tnpy_get_grad_fn(PyObject *self, void *ignored);
PyObject *tnpy_get_is_leaf(PyObject *self, void *ignored);
PyObject *tnpy_get_retains_grad(PyObject *self, void *ignored);
PyObject *tnpy_get_output_nr(PyObject *self, void *ignored);
PyObject *tnpy_requires_grad_(PyObject *self, PyObject *args, PyObject *names);
PyObject *tnpy_detach_(PyObject *self, PyObject *ignored);
PyObject *tnpy_retain_grad(PyObject *self, PyObject *ignored);
PyObject *tnpy_backward(PyObject *self, PyObject *args, PyObject *names);

/* `made`, which is taken and may be NULL, requiring a gradient where that is wanted. */
PyObject *tnpy_when_required(PyObject *made, bool wanted);

/* 0 where a tensor requires no gradient; else -1 with an exception: whoever gets its memory would change it unseen. */
int tnpy_refuse_recorded(const tn_tensor *tensor, const char *what);

/* Around a change in place of a view, by values one of which requires a gradient: where the view was made while nothing did, its base
 * takes part from now on. begin returns whether there is something to end. */
bool tnpy_attach_begin(PyObject *view);
void tnpy_attach_end(PyObject *view);

int tnpy_autograd_add(PyObject *module);

/* A node as an object, which takes the reference; None for NULL. */
PyObject *tnpy_node_object(tn_node *node);
tn_node *tnpy_node_of(PyObject *object);
bool tnpy_is_node(PyObject *object);

/* ---- hooks (hooks.c) */

PyObject *tnpy_register_hook(PyObject *self, PyObject *function);
PyObject *tnpy_register_accumulated(PyObject *self, PyObject *function);
PyObject *tnpy_register_before(PyObject *node, PyObject *function);
PyObject *tnpy_register_after(PyObject *node, PyObject *function);

/* Whether a ctx with this deleter is an object of Python that a tensor can be in a cycle with. */
bool tnpy_is_context(tn_deleter deleter);

int tnpy_hooks_add(PyObject *module);

/* ---- what kept tensors go through (saved.c) */

extern PyMethodDef tnpy_saved_functions[];

/* ---- functions with a derivative in Python (function.c) */

/* The ctx of the function that made a node, a new reference; NULL, without an exception, for other nodes. */
PyObject *tnpy_function_of(const tn_node *node);

int tnpy_function_add(PyObject *module);
void tnpy_function_drop(void *ctx);

/* ---- torch's first constructors (legacy.c) */

/* What Tensor(...) makes of its arguments, in a dtype; `any`: a tensor may have another. *source is the tensor it looks at,
 * borrowed, or NULL. NULL with an exception. */
tn_tensor *tnpy_legacy_new(PyObject *args, PyObject *names, tn_dtype dtype, tn_device device, bool any, PyObject **source);
PyObject *tnpy_method_new(PyObject *self, PyObject *args, PyObject *names);
extern PyMethodDef tnpy_legacy_functions[];

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

/* 0 where the CPU can read the elements, else -1 with an exception. */
int tnpy_refuse_device(const tn_tensor *tensor);

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

/* ---- files of tensors (files.c) */

int tnpy_files_add(PyObject *module);

/* ---- packed weights (prepack.c) */

int tnpy_prepack_add(PyObject *module);

/* ---- parameters and optimisers (train.c) */

int tnpy_train_add(PyObject *module);

/* ---- other dtypes for the tensors of some operators (autocast.c) */

extern _Thread_local tn_dtype tnpy_autocast_dtype; /* TN_DTYPE_DEFAULT: off */
extern PyMethodDef tnpy_autocast_functions[];
extern PyMethodDef tnpy_share_functions[];
PyObject *tnpy_storage_is_shared(PyObject *self, PyObject *ignored);
PyObject *tnpy_storage_shared(PyObject *self, PyObject *users);

/* The casts that one call works with. */
enum { TNPY_CASTS_FEW = 8 };
typedef struct tnpy_casts {
    tn_tensor **held, *few[TNPY_CASTS_FEW];
    int count, room;
} tnpy_casts;

/* Puts casts in the place of tensors, those of lists too; tnpy_autocast_end releases them. 0, or -1 with an exception and nothing held. */
int tnpy_autocast_begin(const char *name, tn_value *values, int count, tnpy_casts *casts);
void tnpy_autocast_end(tnpy_casts *casts);

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

/* A tuple of what is in a list now, held by the scratch: the list may be changed by other threads, and by code that runs while
 * the other arguments are converted. Anything but a list is returned as it is. Borrowed; NULL with an exception. */
PyObject *tnpy_hold_list(PyObject *object, tnpy_scratch *scratch);

/* Whether the object fits a parameter of a type: 1 yes, with *value set, 0 no, -1 an exception. `lenient` takes numbers for
 * tensors and tensors of one element for numbers. The caller handles None, except for an optional tensor. */
int tnpy_convert(tn_type type, PyObject *object, bool lenient, tnpy_scratch *scratch, tn_value *value);

/* Each returns 1, 0 or -1 as above. scalar takes Python's numbers and NumPy's. */
int tnpy_to_scalar(PyObject *object, tn_scalar *out);
int tnpy_to_int(PyObject *object, int64_t *out);
int tnpy_to_dtype(PyObject *object, tn_dtype *out);
int tnpy_to_device(PyObject *object, tn_device *out);

/* A Python text as a C string, borrowed. NULL with an exception: a lone surrogate, or a null character, which would end it. */
const char *tnpy_text(PyObject *object);

/* The dtype torch gives to a number beside a tensor of this dtype. */
tn_dtype tnpy_result_dtype(tn_dtype tensor, tn_scalar number);

/* A tensor of no dimensions for a number beside `other`, which may be NULL. */
tn_tensor *tnpy_number_tensor(tn_scalar number, const tn_tensor *other);

/* ---- operators (operator.c, table.c, bind.c, document.c) */

/* Parameters that torch reads in a special way: p of norm, start of narrow (bind.c), and those that are given only by name,
 * such as stable of sort. */
typedef enum tnpy_quirk { TNPY_NO_QUIRK, TNPY_NORM_ORDER, TNPY_POSITION, TNPY_BY_NAME } tnpy_quirk;

/* What torch asks of a parameter of a built-in operator (quirks.c); `standard` is the default in the table, or NULL. */
tnpy_quirk tnpy_find_quirk(const tn_operator *op, const char *name, tn_type type);
bool tnpy_takes_none(const tn_operator *op, const char *name, tn_type type, const char *standard);

/* Whether `word` is one of the words of a text, separated by spaces (bind.c). */
bool tnpy_has_word(const char *text, const char *word);

typedef struct tnpy_parameter {
    const char *name;   /* as in the table */
    const char *label;  /* torch's name; of a registered operator, its own */
    PyObject *spelling; /* the same, interned */
    tn_type type;
    bool has_standard, same_as_before;
    bool takes_none; /* None is its default, or all dimensions */
    tnpy_quirk quirk;
    tn_value standard; /* TN_VALUE_NONE: the library reads it from the table */
} tnpy_parameter;

/* One operator of the table: a form of a Python function. */
/* How the number of elements in a call is estimated (work.c). */
typedef enum tnpy_work {
    TNPY_WORK_NONE = 0, /* a view                                                */
    TNPY_WORK_TOGETHER, /* the sizes that its tensors have together              */
    TNPY_WORK_PRODUCT,  /* its tensors, sizes and numbers, with each other       */
    TNPY_WORK_UNKNOWN   /* cannot be seen from outside: always without the lock  */
} tnpy_work;

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
    bool creates;           /* a new tensor that may be on another device, though the table does not say so (device.c) */
    bool fresh;             /* though it may look into the memory of its argument, it is not a view of it (detach) */
    tnpy_work work;         /* how long a call takes (work.c), */
    unsigned measured;      /* and, one bit each, the parameters that decide it */
    tnpy_parameter parameters[];
} tnpy_form;

/* Whether a form makes new tensors from numbers, or like another; and what it makes on a device other than the CPU, or like a
 * tensor of another device. NULL with the library's error. */
bool tnpy_form_creates(const tnpy_form *form);
tn_tensor *tnpy_create_on(const tnpy_form *form, tn_value *values, tn_device device);

/* Whether calls are long, so that the interpreter's lock is given up for them: `read` prepares a form whose parameters are
 * known. */
void tnpy_work_read(tnpy_form *form);
bool tnpy_work_is_long(const tnpy_form *form, const tn_value *values);
bool tnpy_work_is_long_index(const tn_tensor *self, tn_index_list list);
bool tnpy_work_together(const tn_tensor *a, const tn_tensor *b); /* of an operator that works element by element */

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
    bool each;             /* of several tensors, or a list of them, a tuple of the results: atleast_1d */
    const char *factor;    /* the name of a number that may follow the first tensor, add(x, 2, y): alpha; or NULL */
    int with_factor;       /* how many positions a call then has, its object among them */
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

/* Let Ctrl-C stop long calls of the main thread (interrupt.c). */
void tnpy_interrupt_watch(void);

/* ---- operators of the program's own (library.c, kernel.c) */

int tnpy_library_add(PyObject *module);

/* A function of Python as a kernel; the registry holds it. 0, or -1 with an exception. */
int tnpy_kernel_register(const char *name, int32_t key, PyObject *function);

/* Around a function of Python that the library calls, from any thread: the interpreter's lock is taken, the scope of the caller is
 * paused, and the exception and the error that wait are put aside; the library keeps the first error of a thread, even across calls
 * that succeed. begin returns false where the interpreter has ended or there is no memory, and `refused` makes the error of
 * that. What the function returns goes to the caller's scope after the end. */
typedef struct tnpy_callback {
    PyGILState_STATE lock;
    tn_scope pause;
    PyObject *type, *value, *traceback;
    tn_error_record waiting;
    bool waits;
} tnpy_callback;

bool tnpy_callback_begin(tnpy_callback *callback);
void tnpy_callback_end(tnpy_callback *callback);
tn_error tnpy_callback_refused(const char *what);

/* A deleter for an object: its last reference is dropped under the lock, or never, after the interpreter has ended. */
void tnpy_callback_drop(void *ctx);

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
 * parameter, NULL where one was left out. When the operator has no form with out, call->out is ignored. */
const tnpy_form *tnpy_bind(const tnpy_operator *op, const tnpy_call *call, tn_value *values, PyObject **objects,
                           tnpy_scratch *scratch);

/* The methods of the operators, to be ended by an empty one; `count` of them. NULL with an exception. */
const PyMethodDef *tnpy_operator_methods(Py_ssize_t *count);

/* Docstrings with a signature that inspect understands; to be freed with PyMem_Free. NULL without memory. */
char *tnpy_document(const tnpy_operator *op, bool method);

/* "input" for "self": the name a parameter has in Python. */
const char *tnpy_spelling(const char *name);

/* The other names of a parameter, separated by spaces: "axis" for dim. */
const char *tnpy_other_names(const char *name);

#endif
