/* tenon/dispatch.h - operators by name, and your own operators, kernels and devices.
 *
 * Every call of an operator carries a set of keys: one for the device of its tensors, and one for each thing that wants to
 * happen first (gradients, profiling, a mode of your own). The call goes to the kernel of the highest key; that kernel may do
 * something and pass the call on to the keys below it (tn_redispatch), down to the device that computes. A call on plain CPU
 * tensors, with nothing else in the set, goes straight to the built-in kernel.
 *
 *     tn_operator_register("mine::scale", "(tensor self, scalar factor=2) -> tensor", "self times factor.");
 *     tn_kernel_register("mine::scale", TN_KEY_CPU, TN_KERNEL(scale, NULL));
 *     tn_tensor *y = tn_call_tensor("mine::scale", TN_VALUES(x, 3.5));
 *
 * docs/howto/add-an-operator.md and docs/howto/add-a-backend.md walk through both.
 */
#ifndef TENON_DISPATCH_H
#define TENON_DISPATCH_H

#include <tenon/index.h>
#include <tenon/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values -------------------------------------------------------------------------------------------------------- */

/* The list only grows, at its end. */
typedef enum tn_value_kind {
    TN_VALUE_NONE = 0, /* an optional argument left out: its default; the result of an operator without one */
    TN_VALUE_TENSOR,
    TN_VALUE_TENSORS, /* an array of tensors, which stays the caller's */
    TN_VALUE_LIST,    /* a tn_list                                     */
    TN_VALUE_STORAGE,
    TN_VALUE_DIMS,
    TN_VALUE_INDEX,
    TN_VALUE_INT,
    TN_VALUE_FLOAT,
    TN_VALUE_BOOL,
    TN_VALUE_TEXT,
    TN_VALUE_SCALAR,
    TN_VALUE_DTYPE,
    TN_VALUE_DEVICE,
    TN_VALUE_FORMAT,
    TN_VALUE_GENERATOR,
    TN_VALUE_FLOATS
} tn_value_kind;

/* One argument or result of any type. It owns nothing: what it points at must live until the call has returned. */
typedef struct tn_value {
    tn_value_kind kind;
    union tn_value_as {
        tn_tensor *tensor; /* to be changed by an operator only where the parameter says so (tn_parameter.written) */
        struct tn_value_tensors {
            const tn_tensor *const *items;
            int64_t count;
        } tensors;
        tn_list *list;
        tn_storage *storage;
        tn_dims dims;
        tn_index_list index;
        int64_t integer;
        double real;
        bool boolean;
        const char *text;
        tn_scalar scalar;
        tn_dtype dtype;
        tn_device device;
        tn_memory_format format;
        tn_generator *generator; /* NULL: the default one */
        tn_floats floats;
    } as;
} tn_value;

typedef struct tn_values {
    const tn_value *items;
    int64_t count;
} tn_values;

/* A value of each kind. A NULL tensor, list, storage or text is a value too; the call that gets it accepts or refuses it. */
TN_API tn_value tn_value_none(void);
TN_API tn_value tn_value_tensor(const tn_tensor *tensor);
TN_API tn_value tn_value_tensors(const tn_tensor *const *tensors, int64_t count);
TN_API tn_value tn_value_list(const tn_list *list);
TN_API tn_value tn_value_storage(tn_storage *storage);
TN_API tn_value tn_value_dims(tn_dims dims);
TN_API tn_value tn_value_index(tn_index_list index);
TN_API tn_value tn_value_int(int64_t value);
TN_API tn_value tn_value_uint(uint64_t value); /* an int; above INT64_MAX, a scalar */
TN_API tn_value tn_value_float(double value);
TN_API tn_value tn_value_bool(bool value);
TN_API tn_value tn_value_text(const char *text);
TN_API tn_value tn_value_scalar(tn_scalar value);
TN_API tn_value tn_value_dtype(tn_dtype dtype);
TN_API tn_value tn_value_device(tn_device device);
TN_API tn_value tn_value_format(tn_memory_format format);
TN_API tn_value tn_value_generator(tn_generator *generator);
TN_API tn_value tn_value_floats(tn_floats floats);
TN_API tn_value tn_value_same(tn_value value);

/* "tensor", "int", ...; "unknown" for a number that is not a kind. Static text. */
TN_API const char *tn_value_kind_name(tn_value_kind kind);

#ifdef __cplusplus
}
#endif

/* TN_V(x): the value of a C expression, by its type; without TN_HAS_GENERIC, x must be a tn_value. In C an enumerator is an
 * int, so an int is taken wherever a dtype or a memory format is wanted. TN_VALUES(x, 2.5, TN_DIMS(3, 4)): one to twelve of
 * them, for the calls below; TN_NO_VALUES is the empty list. In C they live to the end of the block, in C++ to the end of the
 * full expression. */
/* clang-format off */
#ifndef __cplusplus
#if TN_HAS_COMPLEX
static inline tn_value tn_value_ccomplex_(double _Complex value) { return tn_value_scalar(tn_scalar_ccomplex_(value)); }
#endif
#if TN_HAS_GENERIC
#define TN_V(x)                                                                                                                \
    _Generic((x), tn_tensor *: tn_value_tensor, const tn_tensor *: tn_value_tensor, tn_list *: tn_value_list,                  \
             const tn_list *: tn_value_list, tn_storage *: tn_value_storage, tn_generator *: tn_value_generator, tn_dims: tn_value_dims, \
             tn_index_list: tn_value_index, tn_floats: tn_value_floats, bool: tn_value_bool, float: tn_value_float, double: tn_value_float,                \
             long double: tn_value_float, TN_COMPLEX_CASES_(tn_value_ccomplex_)                                                \
             unsigned long: tn_value_uint, unsigned long long: tn_value_uint, char *: tn_value_text,                           \
             const char *: tn_value_text, tn_scalar: tn_value_scalar, tn_device: tn_value_device, tn_value: tn_value_same,     \
             default: tn_value_int)(x)
#else
#define TN_V(x) (x)
#endif
#define TN_VALUES(...)                                                                                                         \
    ((tn_values){(const tn_value[]){TN_EACH_V_(__VA_ARGS__)},                                                                  \
                 (int64_t)(sizeof((const tn_value[]){TN_EACH_V_(__VA_ARGS__)}) / sizeof(tn_value))})
#define TN_NO_VALUES ((tn_values){NULL, 0})
#define TN_PICK_V_(a, b, c, d, e, f, g, h, i, j, k, l, picked, ...) picked
#define TN_EACH_V_(...) TN_PICK_V_(__VA_ARGS__, TN_V12_, TN_V11_, TN_V10_, TN_V9_, TN_V8_, TN_V7_, TN_V6_, TN_V5_, TN_V4_,     \
                                   TN_V3_, TN_V2_, TN_V1_, 0)(__VA_ARGS__)
#define TN_V1_(a) TN_V(a)
#define TN_V2_(a, b) TN_V(a), TN_V(b)
#define TN_V3_(a, b, c) TN_V2_(a, b), TN_V(c)
#define TN_V4_(a, b, c, d) TN_V2_(a, b), TN_V2_(c, d)
#define TN_V5_(a, b, c, d, e) TN_V4_(a, b, c, d), TN_V(e)
#define TN_V6_(a, b, c, d, e, f) TN_V4_(a, b, c, d), TN_V2_(e, f)
#define TN_V7_(a, b, c, d, e, f, g) TN_V4_(a, b, c, d), TN_V3_(e, f, g)
#define TN_V8_(a, b, c, d, e, f, g, h) TN_V4_(a, b, c, d), TN_V4_(e, f, g, h)
#define TN_V9_(a, b, c, d, e, f, g, h, i) TN_V8_(a, b, c, d, e, f, g, h), TN_V(i)
#define TN_V10_(a, b, c, d, e, f, g, h, i, j) TN_V8_(a, b, c, d, e, f, g, h), TN_V2_(i, j)
#define TN_V11_(a, b, c, d, e, f, g, h, i, j, k) TN_V8_(a, b, c, d, e, f, g, h), TN_V3_(i, j, k)
#define TN_V12_(a, b, c, d, e, f, g, h, i, j, k, l) TN_V8_(a, b, c, d, e, f, g, h), TN_V4_(i, j, k, l)
#else
inline tn_value tn_v_(const tn_tensor *x) { return tn_value_tensor(x); }
inline tn_value tn_v_(const tn_list *x) { return tn_value_list(x); }
inline tn_value tn_v_(tn_storage *x) { return tn_value_storage(x); }
inline tn_value tn_v_(tn_generator *x) { return tn_value_generator(x); }
inline tn_value tn_v_(tn_dims x) { return tn_value_dims(x); }
inline tn_value tn_v_(tn_index_list x) { return tn_value_index(x); }
inline tn_value tn_v_(tn_floats x) { return tn_value_floats(x); }
inline tn_value tn_v_(bool x) { return tn_value_bool(x); }
inline tn_value tn_v_(int x) { return tn_value_int(x); }
inline tn_value tn_v_(long x) { return tn_value_int(x); }
inline tn_value tn_v_(long long x) { return tn_value_int(x); }
inline tn_value tn_v_(unsigned x) { return tn_value_int(x); }
inline tn_value tn_v_(unsigned long x) { return tn_value_uint(x); }
inline tn_value tn_v_(unsigned long long x) { return tn_value_uint(x); }
inline tn_value tn_v_(double x) { return tn_value_float(x); }
inline tn_value tn_v_(const char *x) { return tn_value_text(x); }
inline tn_value tn_v_(tn_scalar x) { return tn_value_scalar(x); }
inline tn_value tn_v_(tn_dtype x) { return tn_value_dtype(x); }
inline tn_value tn_v_(tn_device x) { return tn_value_device(x); }
inline tn_value tn_v_(tn_memory_format x) { return tn_value_format(x); }
inline tn_value tn_v_(tn_value x) { return x; }
template <size_t count_> struct tn_values_made_ {
    tn_value items[count_ + 1];
    operator tn_values() const { return tn_values{items, static_cast<int64_t>(count_)}; }
};
template <typename... value_> tn_values_made_<sizeof...(value_)> tn_values_make_(const value_ &...values) {
    return tn_values_made_<sizeof...(value_)>{{tn_v_(values)..., tn_value_none()}};
}
#define TN_V(x) tn_v_(x)
#define TN_VALUES(...) tn_values_make_(__VA_ARGS__)
#define TN_NO_VALUES (tn_values{nullptr, 0})
#endif
/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- operators ----------------------------------------------------------------------------------------------------- */

/* One operator, in one of its forms. Its name is  base[_ or _out][.overload] :
 *
 *     "squeeze"   "squeeze.dim"   "squeeze_"   "squeeze_.dim"   "add_out"   "add_out.scalar"   "mine::scale"
 *
 * The C spelling, "squeeze_dim_", is understood too. Handles are borrowed: those of built-in operators are good forever,
 * those of registered ones until they are unregistered. */
typedef struct tn_operator tn_operator;

typedef enum tn_variant {
    TN_VARIANT_FUNCTIONAL = 0, /* makes its result                                                  */
    TN_VARIANT_IN_PLACE,       /* changes its first argument and returns it, with no new reference */
    TN_VARIANT_OUT             /* writes to its first argument and returns it, the same way        */
} tn_variant;

/* The types of parameters; a signature spells them as the comments do. The list only grows, at its end. */
typedef enum tn_type {
    TN_TYPE_TENSOR = 0, /* tensor                                            */
    TN_TYPE_OPTIONAL,   /* tensor?  may be NULL                              */
    TN_TYPE_WRITTEN,    /* tensor!  is changed                               */
    TN_TYPE_TENSORS,    /* tensors                                           */
    TN_TYPE_STORAGE,    /* storage                                           */
    TN_TYPE_DIMS,       /* dims                                              */
    TN_TYPE_INDEX,      /* index                                             */
    TN_TYPE_INT,        /* int                                               */
    TN_TYPE_FLOAT,      /* float                                             */
    TN_TYPE_BOOL,       /* bool                                              */
    TN_TYPE_TEXT,       /* text                                              */
    TN_TYPE_SCALAR,     /* scalar   a number that takes part in promotion    */
    TN_TYPE_NUMBER,     /* number   one that takes no part in it             */
    TN_TYPE_DTYPE,      /* dtype                                             */
    TN_TYPE_DEVICE,     /* device                                            */
    TN_TYPE_FORMAT,     /* format                                            */
    TN_TYPE_GENERATOR,  /* generator  may be NULL: the default one           */
    TN_TYPE_FLOATS,     /* floats                                            */
    TN_TYPE_COUNT
} tn_type;

/* What operators give back, again as a signature spells it. */
typedef enum tn_result {
    TN_RESULT_TENSOR = 0, /* tensor      over new memory                      */
    TN_RESULT_VIEW,       /* view        over the memory of its argument      */
    TN_RESULT_MAYBE_VIEW, /* maybe-view  either                               */
    TN_RESULT_LIST,       /* list        of new tensors; list(a, b): one of each name */
    TN_RESULT_VIEWS,      /* lists       of views                             */
    TN_RESULT_NONE,       /* none                                             */
    TN_RESULT_BOOL,       /* bool                                             */
    TN_RESULT_INT,        /* int                                              */
    TN_RESULT_FLOAT,      /* float                                            */
    TN_RESULT_SCALAR,     /* scalar                                           */
    TN_RESULT_COUNT
} tn_result;

enum { TN_MAX_PARAMETERS = 16, TN_MAX_RESULTS = 8 };

typedef struct tn_parameter {
    const char *name;     /* NULL when there is no such parameter            */
    const char *standard; /* its default, as text; NULL when it has none     */
    tn_type type;
    bool written; /* the operator changes this tensor: type is TN_TYPE_WRITTEN */
} tn_parameter;

/* All operators, the built-in ones in order of their names, then the registered ones. at: NULL with TN_ERROR_INDEX when out
 * of range. find: NULL, with no error recorded, when there is none of that name (or it is NULL). */
TN_API int64_t tn_operator_count(void);
TN_API const tn_operator *tn_operator_at(int64_t i);
TN_API const tn_operator *tn_operator_find(const char *name);

/* The same for what others may unregister meanwhile: the handle stays good, registered or not, until it is dropped. hold_at
 * gives NULL without an error when out of range, so that the list may shrink while it is walked. Calling an operator that was
 * unregistered is TN_ERROR_STATE. Dropping NULL, or a built-in operator, does nothing. */
TN_API const tn_operator *tn_operator_hold(const char *name);
TN_API const tn_operator *tn_operator_hold_at(int64_t i);
TN_API void tn_operator_drop(const tn_operator *op);

/* How often an operator was registered or unregistered: while the number stays the same, what was read from the list is
 * current. */
TN_API uint64_t tn_operator_generation(void);

/* For bindings to languages where a name has several forms: the first operator, in the order above, whose name without the
 * overload is `name` ("add", "add_", "add_out") and whose parameters take these values. NULL, with no error recorded, when
 * none does. */
TN_API const tn_operator *tn_operator_resolve(const char *name, tn_values arguments);

/* What is known of an operator. Texts live as long as the operator; for NULL they are "", numbers 0. */
TN_API const char *tn_operator_name(const tn_operator *op);     /* "squeeze_.dim"                             */
TN_API const char *tn_operator_base(const tn_operator *op);     /* "squeeze"                                  */
TN_API const char *tn_operator_overload(const tn_operator *op); /* "dim", or ""                               */
TN_API tn_variant tn_operator_variant(const tn_operator *op);
TN_API const char *tn_operator_signature(const tn_operator *op); /* "(tensor! self, int dim) -> view"         */
TN_API const char *tn_operator_group(const tn_operator *op);     /* "view"; "user" for a registered operator  */
TN_API const char *tn_operator_doc(const tn_operator *op);

/* What a binding to a language with optional and named arguments should know, and C does not need: words, with a space between
 * them, or "". "named=dim": dim and the parameters after it are given by name; "none=dim": dim may be left empty, though its
 * type is not optional; "returns-self": returns the argument itself, not a view of it, where there is nothing to do,
 * "returns-number" only where it has no dimensions; "fresh": its result shares memory but is not a view; "spread": tensors may
 * be given one after the other; "each": several tensors give as many results; "early=alpha": PyTorch's old forms have alpha right after
 * the first tensor, add(x, 2, y); "tuple": its results have no names in PyTorch; "also=split": its forms are forms of split, too. More words
 * may come: look for those you know. */
TN_API const char *tn_operator_hints(const tn_operator *op);
TN_API tn_result tn_operator_result(const tn_operator *op);
TN_API bool
tn_operator_is_pointwise(const tn_operator *op); /* each element comes from those at the same place of its tensors */
TN_API int64_t tn_operator_parameter_count(const tn_operator *op);
TN_API tn_parameter tn_operator_parameter(const tn_operator *op, int64_t i);

/* An operator that gives a list of a fixed number of tensors names them: "(...) -> list(values, indices)". How many there are,
 * 0 for all other operators, and their names, NULL beyond the last. In the out variant they are the first arguments, under
 * the same names, and the first of them is returned. */
TN_API int64_t tn_operator_result_count(const tn_operator *op);
TN_API const char *tn_operator_result_name(const tn_operator *op, int64_t i);

/* "tensor?", "int", ... as a signature spells a type; "unknown" for a number that is not a type. Static text. */
TN_API const char *tn_type_name(tn_type type);

/* ---- calls by name ------------------------------------------------------------------------------------------------- */

/* Call an operator with values. It does exactly what the C function does, with the same checks and the same ownership of the
 * result: TN_VALUE_TENSOR, TN_VALUE_LIST, or what else the signature promises. Arguments left out at the end, and a
 * TN_VALUE_NONE in the place of one that has a default, take their defaults. Values are converted where nothing is lost: an
 * int where a float, a scalar or a dims of one is wanted, 0 or 1 for a bool, the name of a dtype or a device.
 *
 * TN_ERROR_ARGUMENT, naming the parameter, for what does not fit. `result` may be NULL: then the result is released. After a
 * failure *result is TN_VALUE_NONE. */
TN_API tn_error tn_call(const char *name, tn_values arguments, tn_value *result);
TN_API tn_error tn_operator_call(const tn_operator *op, tn_values arguments, tn_value *result);

/* The same for operators whose result is a tensor: NULL on failure, TN_ERROR_ARGUMENT when it is something else. */
TN_API tn_tensor *tn_call_tensor(const char *name, tn_values arguments);

/* ---- keys ---------------------------------------------------------------------------------------------------------- */

/* A key is a small number; higher ones come first. The first TN_DEVICE_TYPES are the backends, by the number of the device
 * type. Numbers between those named here are kept for later. */
typedef enum tn_key {
    TN_KEY_CPU = 0,
    TN_KEY_INNER_0 = 16, /* your own modes that come after gradients: see what is really computed         */
    TN_KEY_INNER_1,
    TN_KEY_INNER_2,
    TN_KEY_INNER_3,
    TN_KEY_AUTOGRAD = 24, /* set by tensors that want a gradient                                          */
    TN_KEY_OUTER_0 = 32,  /* your own modes that come before gradients: see what the program wrote         */
    TN_KEY_OUTER_1,
    TN_KEY_OUTER_2,
    TN_KEY_OUTER_3,
    TN_KEY_PROFILE = 48, /* tenon/profile.h                                                               */
    TN_KEY_COUNT = 64,
    TN_KEY_ANY = 64 /* in tn_kernel_register: every backend that has no kernel of its own                 */
} tn_key;

typedef uint64_t tn_keys;
#define TN_KEYS(key) ((tn_keys)1 << (key))

/* "cpu", the name of a device type, "autograd", ...; "unknown" for a number that is not a key. Static text. */
TN_API const char *tn_key_name(int32_t key);

/* The keys a tensor brings to a call: that of its device, TN_KEY_AUTOGRAD when it wants a gradient. 0 for NULL. */
TN_API tn_keys tn_keys_of(const tn_tensor *tensor);

/* Keys that are added to every call of this thread, and keys that are taken from it (exclusion wins; backends cannot be
 * excluded). A backend that is included is where operators without tensors, the factories, go. Both are empty when a thread
 * starts. tn_keys_include and tn_keys_exclude add to the present state and return the one before, to be put back:
 *
 *     tn_key_state before = tn_keys_include(TN_KEYS(TN_KEY_OUTER_0));
 *     ...
 *     tn_keys_set(before);
 */
typedef struct tn_key_state {
    tn_keys included, excluded;
} tn_key_state;
TN_API tn_key_state tn_keys_now(void);
TN_API void tn_keys_set(tn_key_state state);
TN_API tn_key_state tn_keys_include(tn_keys keys);
TN_API tn_key_state tn_keys_exclude(tn_keys keys);

/* ---- kernels ------------------------------------------------------------------------------------------------------- */

/* One call on its way through the keys; good while the kernel that got it runs. */
typedef struct tn_frame tn_frame;

/* What computes an operator, or runs before what does. `arguments` are complete and of the kinds the signature names, the
 * tensors alive. Returns TN_OK with *result set, or an error, which it has recorded (tn_error_raise, or a Tenon call that
 * failed); *result starts as TN_VALUE_NONE. A scope is open while it runs: what it makes is released when it returns, except
 * the result, which goes to the caller. A NULL tensor as the result is a failure, so a chain of calls may be returned as it is.
 * What an in-place or out operator returns is its first argument, whatever *result says. That holds wherever the operator was
 * called from, a program or an operator made of others: a kernel keeps (tn_keep) what it wants to have longer, for example in a
 * cache.
 *
 * While the kernel of a key that is not a backend runs, that key is excluded on the thread: operators it calls do not come
 * back to it. */
typedef tn_error (*tn_kernel_function)(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result);

/* A function with its context. The deleter, if there is one, gets ctx after the kernel is unregistered and the last call
 * that uses it has ended. */
typedef struct tn_kernel {
    tn_kernel_function function;
    void *ctx;
    tn_deleter deleter;
} tn_kernel;

#ifdef __cplusplus
#define TN_KERNEL(function, ctx) (tn_kernel{(function), (ctx), nullptr})
#else
#define TN_KERNEL(function, ctx) ((tn_kernel){(function), (ctx), NULL})
#endif

/* Which operator is called, and at which key this kernel runs. */
TN_API const tn_operator *tn_frame_operator(const tn_frame *frame);
TN_API int32_t tn_frame_key(const tn_frame *frame);

/* Pass the call on, with the same arguments or others, to what comes after this kernel: the next key, or, from a kernel that
 * replaces a built-in one, the built-in one. The result belongs to the scope of the kernel. As tn_operator_call otherwise. */
TN_API tn_error tn_redispatch(const tn_frame *frame, tn_values arguments, tn_value *result);

/* Kernels to register. tn_fall_through: the key does not concern this operator (or, as a fallback, operators without a
 * kernel at it); the call goes on as if it were not set. tn_fallback_to_cpu: copies the tensors to the CPU with the
 * backend's own copy_, computes there, and copies back what was made or changed. */
TN_API tn_error tn_fall_through(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result);
TN_API tn_error tn_fallback_to_cpu(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result);

/* ---- registration -------------------------------------------------------------------------------------------------- */

/* Everything below may be called by any thread at any time. What is unregistered is not called again; calls under way end as
 * they began.
 *
 * A new operator. The name has a namespace, "mine::scale", and may have an overload, "mine::scale.tensor"; one that ends in _
 * or _out, before the overload, is an in-place or out operator, and its first parameter is a tensor!. The texts are copied;
 * doc may be NULL. NULL, with TN_ERROR_ARGUMENT, for a malformed name or signature (with the column) or a name that is taken.
 * Unregistering it unregisters its kernels; TN_ERROR_ARGUMENT when it was not registered. */
TN_API const tn_operator *tn_operator_register(const char *name, const char *signature, const char *doc);
TN_API tn_error tn_operator_unregister(const char *name);

/* The kernel of an operator, built-in or registered, at a key. For a backend (TN_KEY_CPU, or the number that
 * tn_device_type_register gave) it computes; for TN_KEY_ANY it computes on every backend that has none of its own, because it
 * only calls other operators. A call looks for: the kernel of the backend; a kernel for any backend (views are built in as
 * such); the fallback of the backend. A kernel for the CPU of a built-in operator replaces the built-in one; all operators are
 * some tens of nanoseconds slower while there is one.
 *
 * TN_ERROR_ARGUMENT for an operator or a key that does not exist, a NULL function, or, when unregistering, where there is none;
 * TN_ERROR_STATE where there already is one. The deleter is not run then. */
TN_API tn_error tn_kernel_register(const char *operator_name, int32_t key, tn_kernel kernel);
TN_API tn_error tn_kernel_unregister(const char *operator_name, int32_t key);

/* What runs at a key for every operator that has no kernel there; without one, a key that is not a backend is passed over,
 * and a backend gives TN_ERROR_DEVICE. Errors as above; TN_KEY_AUTOGRAD, TN_KEY_PROFILE and TN_KEY_ANY cannot have one. */
TN_API tn_error tn_fallback_register(int32_t key, tn_kernel kernel);
TN_API tn_error tn_fallback_unregister(int32_t key);

#ifdef __cplusplus
}
#endif
#endif
