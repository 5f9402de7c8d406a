/* dispatch.h - the way from a call to a kernel.
 *
 * The generated public functions ask tni_plain() first: a few loads and one comparison show that only the CPU is concerned, and
 * the implementation is called directly (public_call.h). Everything else goes to tni_call_tensor and similar functions, which
 * gather the arguments as values, check them and walk down the keys (dispatch.c). What has been registered at run time is in
 * registry.c, the conversion of values in values.c, the calls by name in call.c.
 *
 * A call goes through these steps, from the highest key down; at each, the first kernel that exists runs:
 *
 *   a key that is not a backend: EXACT the kernel of (operator, key)                      FALLBACK that of the key
 *   the backend:               EXACT as above   ANY the built-in kernel, or TN_KEY_ANY's   FALLBACK as above
 */
#ifndef TNI_DISPATCH_H
#define TNI_DISPATCH_H

#include <tenon/dispatch.h>

#include "base/cancel.h"
#include "base/object.h"
#include "tensor/tensor.h"

/* ---- the operators, as the generator writes them; texts are offsets, so the table needs no relocation */

enum {
    TNI_OPERATOR_ANY_DEVICE = 1,        /* its built-in kernel touches no elements: works for every backend */
    TNI_OPERATOR_CROSSES = 2,           /* takes tensors of different devices                              */
    TNI_OPERATOR_POINTWISE = 4,         /* takes CPU tensors of no dimensions beside those of a device     */
    TNI_OPERATOR_REGISTERED = 8,        /* a tni_registered_operator                                       */
    TNI_OPERATOR_COMPOSITE = 16,        /* calls operators: runs wherever they do (composite.h)            */
    TNI_OPERATOR_PLANNED = 32,          /* its plan is all that runs for the meta device (ops/plan.h)      */
    TNI_OPERATOR_SIZED_BY_ELEMENTS = 64 /* its result cannot be known on the meta device            */
};

typedef struct tni_parameter {
    uint16_t name;
    uint16_t standard; /* 0, the empty text, where there is no default */
    uint8_t type;
} tni_parameter;

typedef void (*tni_any_function)(void);

struct tn_operator {
    tni_any_function kernel; /* of the CPU; NULL for a registered operator              */
    uint32_t doc;            /* where its text begins, as for those that follow                 */
    uint16_t name, base, overload, signature, group, hints;
    uint16_t shown;  /* the name in messages: that of the row, with _ when in place     */
    uint16_t first;  /* of its parameters, which the names of its results follow        */
    uint16_t caller; /* of tni_callers: which function calls the kernel with values      */
    uint16_t spec;   /* of a pointwise operator: which row of tni_pointwise_specs; of a composite one: which of tni_shortcuts,
                        or 0 */
    uint8_t count;   /* of parameters                                                   */
    uint8_t result;  /* tn_result                                                       */
    uint8_t variant; /* tn_variant                                                      */
    uint8_t flags;
    uint8_t results;   /* how many have names                                             */
    uint8_t jobs;      /* what a backend must do for the built-in kernel to work there: bits, 1 << tn_job_kind; 0: not known */
    uint16_t gradient; /* its derivative: which of tni_gradients (autograd/gradient.h); 0: it has none yet */
};

/* Calls op->kernel, which is of one C type, with the values of its arguments. The result is the caller's. */
typedef tn_error (*tni_caller)(const tn_operator *op, const tn_value *values, tn_value *result);

TNI_EXTERN const int64_t tni_operator_count;
TNI_EXTERN const tn_operator *const tni_operators;        /* in order of their names */
TNI_EXTERN const uint16_t *const tni_operators_by_c_name; /* the same, in order of the names of the C functions */
TNI_EXTERN const uint16_t *const tni_operator_c_names;    /* those names, one for each operator */
TNI_EXTERN const tni_parameter *const tni_operator_parameters;
TNI_EXTERN const char *const tni_operator_texts;
TNI_EXTERN const char *const tni_operator_docs;      /* packed: texts.c */
TNI_EXTERN const unsigned char *const tni_doc_pairs; /* the two that a byte stands for there; 0 for itself */
TNI_EXTERN const tni_caller *const tni_callers;
TNI_EXTERN const tni_any_function *const tni_shortcuts; /* what calls that nobody watches go to instead (composite.h) */

/* What texts.c has written for each operator, and the room for it. */
TNI_EXTERN _Atomic(const char *) *const tni_signature_texts;
TNI_EXTERN _Atomic(const char *) *const tni_doc_texts;
TNI_EXTERN char *const tni_text_room;
TNI_EXTERN const size_t tni_text_room_bytes;
const char *tni_operator_signature(const tn_operator *op);
const char *tni_operator_doc(const tn_operator *op);

/* For the callers: what a kernel returned becomes a value and a code. */
tn_error tni_returned_tensor(tn_tensor *made, tn_value *result);
tn_error tni_returned_list(tn_list *made, tn_value *result);
tn_error tni_returned_bool(tn_error code, tn_value *result);
tn_error tni_returned_changed(tn_error code, tn_tensor *changed, tn_value *result);

/* ---- registered operators and kernels */

typedef struct tni_kernel_entry {
    tni_object object;
    tn_kernel kernel;
} tni_kernel_entry;

/* The flat table of one operator: a kernel for each key, and one for any backend. It exists while there is a kernel in it. */
typedef struct tni_kernel_slots {
    tni_kernel_entry *kernels[TN_KEY_COUNT + 1];
    int used;
} tni_kernel_slots;

typedef struct tni_registered_operator {
    tn_operator op;
    tni_object object;
    struct tni_registered_operator *next;
    tni_kernel_slots *slots;
    const char *texts;
    size_t bytes; /* of this block */
    tni_parameter parameters[];
} tni_registered_operator;

static inline bool tni_operator_is_registered(const tn_operator *op) { return op->flags & TNI_OPERATOR_REGISTERED; }

static inline const char *tni_operator_text(const tn_operator *op, uint32_t at) {
    return (tni_operator_is_registered(op) ? ((const tni_registered_operator *)op)->texts : tni_operator_texts) + at;
}

static inline const tni_parameter *tni_operator_parameter(const tn_operator *op, int64_t i) {
    return (tni_operator_is_registered(op) ? ((const tni_registered_operator *)op)->parameters
                                           : tni_operator_parameters + op->first) +
           i;
}

/* Whether the operator gives its first argument back. */
static inline bool tni_operator_changes(const tn_operator *op) { return op->variant != TN_VARIANT_FUNCTIONAL; }

/* An operator by name; a registered one gains a reference (tni_operator_drop). NULL when there is none. */
const tn_operator *tni_operator_hold(const char *name);
const tn_operator *tni_registered_hold(const char *name); /* the same, only among the registered ones */
void tni_operator_drop(const tn_operator *op);

const tn_operator *tni_registered_hold_at(int64_t i);
bool tni_registered_is_gone(const tn_operator *op); /* registered once, and unregistered since */

/* The i-th registered operator, or NULL, and how many there are. */
const tn_operator *tni_registered_at(int64_t i, int64_t *count);

/* The kernel registered for an operator at a key (TN_KEY_ANY too), or with op NULL the fallback of the key; it gains a
 * reference. NULL when there is none. */
tni_kernel_entry *tni_registered_kernel(const tn_operator *op, int32_t key);

/* The keys for which there is any. */
TNI_EXTERN _Atomic uint64_t tni_registered_keys;

/* Whether there is one. */
bool tni_registered_exists(const tn_operator *op, int32_t key);

/* "cpu, toy": where an operator has kernels, for messages. One of the rotating buffers of base/error.h. */
const char *tni_registered_show(const tn_operator *op);

/* The lock of everything that is registered, and, under it: take an operator's kernels away, for the caller to release. */
void tni_dispatch_lock(void);
void tni_dispatch_unlock(void);
void tni_registered_remove_all(const tn_operator *op, tni_kernel_slots *removed);

/* ---- keys */

enum { TNI_KEY_DETOUR = 63 }; /* in every call while a built-in CPU kernel is replaced: makes the call look it up */

#define TNI_KEYS_CPU TN_KEYS(TN_KEY_CPU)
#define TNI_KEYS_BACKENDS (TN_KEYS(TN_DEVICE_TYPES) - 1)

/* Keys that are in every call of the process. */
TNI_EXTERN _Atomic uint64_t tni_keys_everywhere;
void tni_keys_everywhere_set(int32_t key, bool on);

/* The keys of a call, from those its arguments bring. The thread has its state: the operator was entered. */
TNI_ALWAYS_INLINE tn_keys tni_keys_add_thread(tn_keys keys) {
    const tni_thread *thread = tni_thread_current;
    keys |= thread->keys_included | atomic_load_explicit(&tni_keys_everywhere, memory_order_relaxed);
    return keys & ~thread->keys_excluded;
}

/* Whether a call whose arguments bring these keys concerns only the CPU. */
TNI_ALWAYS_INLINE bool tni_plain(tn_keys keys) { return TNI_LIKELY(tni_keys_add_thread(keys) == TNI_KEYS_CPU); }

/* A call that concerns only the CPU and gradients goes to its kernel at once, and to the recorder with what that gave: the new tensor
 * or list in `result`. False, raised, where there is no memory: then the result has been released. NULL until gradients are first
 * asked for. */
#define TNI_KEYS_RECORDED (TNI_KEYS_CPU | TN_KEYS(TN_KEY_AUTOGRAD))
typedef bool (*tni_recorder)(const tn_operator *op, const tn_value *values, tn_value *result);
TNI_EXTERN _Atomic(tni_recorder) tni_record_result;

/* Whether a call that makes something new concerns only the CPU and gradients, and no kernel of the program is registered for it
 * there. */
TNI_ALWAYS_INLINE bool tni_is_recorded(const tn_operator *op, tn_keys keys) {
    return keys == TNI_KEYS_RECORDED && tni_keys_add_thread(keys) == TNI_KEYS_RECORDED &&
           op->variant == TN_VARIANT_FUNCTIONAL &&
           !(TNI_UNLIKELY(atomic_load_explicit(&tni_registered_keys, memory_order_acquire) & TN_KEYS(TN_KEY_AUTOGRAD)) &&
             tni_registered_exists(op, TN_KEY_AUTOGRAD));
}

/* The recorder for a call whose arguments bring these keys; NULL where the call is another one, or has no formula. */
TNI_ALWAYS_INLINE tni_recorder tni_recorder_of(const tn_operator *op, tn_keys keys) {
    return op->gradient && tni_is_recorded(op, keys) ? atomic_load_explicit(&tni_record_result, memory_order_acquire) : NULL;
}

/* The keys an argument brings. A device that does not exist counts as the CPU, whose kernel will say so. */
TNI_ALWAYS_INLINE tn_keys tni_keys_of_device(tn_device device) {
    return (uint32_t)device.type < TN_DEVICE_TYPES ? TN_KEYS(device.type) : TNI_KEYS_CPU;
}
TNI_ALWAYS_INLINE tn_keys tni_keys_of_storage(const tn_storage *storage) { return tni_keys_of_device(storage->pointer.device); }
TNI_ALWAYS_INLINE tn_keys tni_keys_of_tensor(const tn_tensor *tensor) { return tensor->keys; }
TNI_ALWAYS_INLINE tn_keys tni_keys_of_optional(const tn_tensor *tensor) { return tensor ? tensor->keys : 0; }
TNI_ALWAYS_INLINE tn_keys tni_keys_of_tensors(const tn_tensor *const *tensors, int64_t count) {
    tn_keys keys = 0;
    for (int64_t i = 0; i < count; i++)
        keys |= tensors[i]->keys;
    return keys;
}
/* Before its tensors have been checked: an invalid one brings nothing. */
TNI_ALWAYS_INLINE tn_keys tni_keys_of_index(tn_index_list index) {
    tn_keys keys = 0;
    for (int64_t i = 0; i < index.count; i++)
        if (TNI_UNLIKELY(index.items[i].kind == TN_INDEX_TENSOR) && index.items[i].tensor &&
            index.items[i].tensor->object.class == &tni_tensor_class)
            keys |= index.items[i].tensor->keys;
    return keys;
}

/* The keys that a value brings. */
tn_keys tni_keys_of_value(const tn_value *value);

/* ---- the walk */

struct tn_frame {
    const tn_operator *op;
    int32_t key, station;
    tn_key_state before; /* the thread's keys before the dispatcher excluded this one */
};

/* What becomes of the result of a cancelled call (base/cancel.h), a tensor or a list or NULL: released. Returns NULL. */
void *tni_drop_result(void *result);

/* The whole of a public function, for calls that are not plain ones (public_call.h): name the operator, check the arguments,
 * which follow as the C function takes them, dispatch, hand the result to the scope. For in-place and out variants the result
 * is the first argument. NULL or false with the error raised. */
tn_tensor *tni_call_tensor(const tn_operator *op, ...);
tn_list *tni_call_list(const tn_operator *op, ...);
bool tni_call_bool(const tn_operator *op, ...);

/* A call with values that are complete and checked. The result is the caller's, not a scope's. */
tn_error tni_dispatch_values(const tn_operator *op, tn_values values, tn_value *result);

/* Passes a call on below a frame; `visible` lets operators called below come back to the frame's key. Otherwise as above. */
tn_error tni_redispatch(const tn_frame *frame, tn_values values, tn_value *result, bool visible);

/* The fallback that the library itself has at a key (autograd, profile). It runs without a scope of its own and hands its
 * result to the dispatcher. */
void tni_dispatch_provide(int32_t key, tn_kernel_function function);

/* ---- values (values.c) */

/* Complete and convert arguments for an operator: `ready` has room for TN_MAX_PARAMETERS. Raises what does not fit. */
bool tni_values_prepare(const tn_operator *op, tn_values arguments, tn_value *ready);

/* Whether values of the right kinds are good arguments: handles alive, lists sane. Raises what is not. */
bool tni_values_check(const tn_operator *op, const tn_value *values);

/* The same question without an error; and whether a default can be read as its type. */
bool tni_values_fit(const tn_operator *op, tn_values arguments);
bool tni_standard_fits(tn_type type, const char *text);

/* "the int 5": a value in a message. One of the rotating buffers of base/error.h. */
const char *tni_show_value(const tn_value *value);

/* A result goes to the innermost open scope, or is released. */
tn_error tni_value_adopt(const tn_operator *op, tn_value *result);
void tni_value_drop(const tn_operator *op, tn_value *result);

#endif
