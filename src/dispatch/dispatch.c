/* dispatch.c - the way of a call down its keys. See dispatch.h for the order of the steps.
 *
 * Invariant: a call only goes down. Each kernel gets a frame that says where it is, and what it passes on begins below that
 * place; so every call ends, at a kernel of a backend or at the error that there is none. The keys are computed from the
 * arguments each time, because a kernel may pass on tensors other than those it was given.
 */
#include "dispatch/dispatch.h"

#include <stdarg.h>

#include "base/scope.h"
#include "dispatch/backend.h"
#include "dispatch/public_call.h"
#include "tensor/check.h"

enum { STATION_EXACT = 0, STATION_ANY, STATION_FALLBACK, STATION_END };

_Atomic uint64_t tni_keys_everywhere;
_Atomic(tni_recorder) tni_record_result;
static _Atomic(tn_kernel_function) dispatch_provided[TN_KEY_COUNT];

void tni_keys_everywhere_set(int32_t key, bool on) {
    if (on)
        atomic_fetch_or(&tni_keys_everywhere, TN_KEYS(key));
    else
        atomic_fetch_and(&tni_keys_everywhere, ~TN_KEYS(key));
}

void tni_dispatch_provide(int32_t key, tn_kernel_function function) { atomic_store(&dispatch_provided[key], function); }

/* ---- the keys of a call */

tn_keys tni_keys_of_value(const tn_value *value) {
    switch (value->kind) {
    case TN_VALUE_TENSOR: return tni_keys_of_optional(value->as.tensor);
    case TN_VALUE_TENSORS: return tni_keys_of_tensors(value->as.tensors.items, value->as.tensors.count);
    case TN_VALUE_STORAGE: return tni_keys_of_storage(value->as.storage);
    case TN_VALUE_INDEX: return tni_keys_of_index(value->as.index);
    case TN_VALUE_DEVICE: return tni_keys_of_device(value->as.device);
    default: return 0;
    }
}

/* Whether a tensor is on a device where the call does not run: `device` is that of the tensors before it. A CPU tensor of no
 * dimensions is a number to a pointwise operator, wherever the others are. */
static bool dispatch_device_agrees(const tn_operator *op, const tn_tensor *tensor, const char *name, tn_device *device,
                                   const char **first) {
    tn_device own = tni_tensor_device(tensor);
    if ((op->flags & TNI_OPERATOR_POINTWISE) && own.type == TN_CPU && tensor->ndim == 0)
        return true;
    if (!*first) {
        *device = own;
        *first = name;
        return true;
    }
    if (tn_device_equal(*device, own))
        return true;
    tni_raise(TN_ERROR_DEVICE, "%s is on %s:%d and %s on %s:%d; move one of them first", *first,
              tn_device_type_name(device->type), (int)device->index, name, tn_device_type_name(own.type), (int)own.index);
    return false;
}

static bool dispatch_devices_agree(const tn_operator *op, tn_values values) {
    tn_device device = TN_DEVICE_CPU;
    const char *first = NULL;
    for (int64_t i = 0; i < values.count; i++) {
        const tn_value *value = &values.items[i];
        const char *name = tni_operator_text(op, tni_operator_parameter(op, i)->name);
        if (value->kind == TN_VALUE_TENSOR && value->as.tensor) {
            if (!dispatch_device_agrees(op, value->as.tensor, name, &device, &first))
                return false;
        } else if (value->kind == TN_VALUE_TENSORS) {
            for (int64_t k = 0; k < value->as.tensors.count; k++)
                if (!dispatch_device_agrees(op, value->as.tensors.items[k], name, &device, &first))
                    return false;
        } else if (value->kind == TN_VALUE_INDEX) {
            for (int64_t k = 0; k < value->as.index.count; k++)
                if (value->as.index.items[k].kind == TN_INDEX_TENSOR &&
                    !dispatch_device_agrees(op, value->as.index.items[k].tensor, name, &device, &first))
                    return false;
        }
    }
    return true;
}

static int32_t dispatch_highest(tn_keys keys) { return keys ? 63 - __builtin_clzll(keys) : -1; }

/* The keys above the backends, and the one backend. Returns false, raised, when the tensors are on several. */
static bool dispatch_keys(const tn_operator *op, tn_values values, tn_keys *modes, int32_t *backend) {
    tn_keys own = 0;
    for (int64_t i = 0; i < values.count; i++)
        own |= tni_keys_of_value(&values.items[i]);
    if ((own & TNI_KEYS_BACKENDS) != TNI_KEYS_CPU && !(op->flags & TNI_OPERATOR_CROSSES) && !dispatch_devices_agree(op, values))
        return false;
    *modes = tni_keys_add_thread(own) & ~TNI_KEYS_BACKENDS & ~TN_KEYS(TNI_KEY_DETOUR);
    tn_keys backends = own & TNI_KEYS_BACKENDS;
    *backend = dispatch_highest(backends ? backends : tni_thread_current->keys_included & TNI_KEYS_BACKENDS);
    if (*backend < 0)
        *backend = TN_KEY_CPU;
    return true;
}

/* ---- running a kernel */

/* Whether a kernel's result is what the signature promises; raised when not. */
static bool dispatch_result_fits(const tn_operator *op, const tn_value *result) {
    static const tn_value_kind wanted[TN_RESULT_COUNT] = {
        [TN_RESULT_TENSOR] = TN_VALUE_TENSOR, [TN_RESULT_VIEW] = TN_VALUE_TENSOR, [TN_RESULT_MAYBE_VIEW] = TN_VALUE_TENSOR,
        [TN_RESULT_LIST] = TN_VALUE_LIST,     [TN_RESULT_VIEWS] = TN_VALUE_LIST,  [TN_RESULT_NONE] = TN_VALUE_NONE,
        [TN_RESULT_BOOL] = TN_VALUE_BOOL,     [TN_RESULT_INT] = TN_VALUE_INT,     [TN_RESULT_FLOAT] = TN_VALUE_FLOAT,
        [TN_RESULT_SCALAR] = TN_VALUE_SCALAR};
    tn_value_kind kind = wanted[op->result];
    if (result->kind != kind) {
        tni_raise(TN_ERROR_STATE, "the kernel gave %s as its result, not %s", tn_value_kind_name(result->kind),
                  tn_value_kind_name(kind));
        return false;
    }
    if (kind == TN_VALUE_TENSOR)
        return tni_tensor_check(result->as.tensor, "the kernel's result");
    if (kind == TN_VALUE_LIST && !tni_object_check((const tni_object *)result->as.list, &tni_list_class, "the kernel's result"))
        return false;
    if (kind == TN_VALUE_LIST && op->results && result->as.list->count != op->results) {
        tni_raise(TN_ERROR_STATE, "the kernel gave a list of %" PRId64 " tensors, not of %d", result->as.list->count,
                  (int)op->results);
        return false;
    }
    return true;
}

static tn_error dispatch_failed(tn_error code) {
    if (tni_failed_silently())
        return tni_raise(code > TN_OK && code <= TN_ERROR_CANCELLED ? code : TN_ERROR_INTERNAL,
                         "the kernel failed without giving a reason");
    return code;
}

static tn_error dispatch_run_registered(const tn_kernel *kernel, const tn_frame *frame, tn_values values, tn_value *result) {
    tn_scope scope = tni_scope_open_hidden();
    if (scope.id == 0)
        return tni_failed();
    const tn_operator *op = frame->op;
    tni_failed_forget();
    tn_error code = kernel->function(kernel->ctx, frame, values, result);
    if (code == TN_OK && tni_operator_changes(op))
        *result = values.items[0];
    else if (code == TN_OK && !dispatch_result_fits(op, result))
        code = tni_failed();
    else if (code == TN_OK && result->kind == TN_VALUE_TENSOR)
        tni_scope_take(&result->as.tensor->object);
    else if (code == TN_OK && result->kind == TN_VALUE_LIST)
        tni_scope_take(&result->as.list->object);
    else if (code != TN_OK)
        code = dispatch_failed(code);
    (void)tn_scope_close(scope);
    return code;
}

/* A kernel that cannot count its own writes has written elements. */
static void dispatch_count_writes(const tn_operator *op, tn_values values) {
    for (int64_t i = 0; i < values.count; i++)
        if (tni_operator_parameter(op, i)->type == TN_TYPE_WRITTEN)
            tni_tensor_bump(values.items[i].as.tensor);
}

static tn_error dispatch_run_entry(tni_kernel_entry *entry, tn_frame *frame, tn_values values, tn_value *result) {
    tni_thread *thread = tni_thread_get();
    frame->before = (tn_key_state){thread->keys_included, thread->keys_excluded};
    bool mode = frame->key >= TN_DEVICE_TYPES;
    if (mode)
        thread->keys_excluded |= TN_KEYS(frame->key);
    tn_error code = dispatch_run_registered(&entry->kernel, frame, values, result);
    tn_keys_set(frame->before);
    if (code == TN_OK && !mode)
        dispatch_count_writes(frame->op, values);
    tni_object_release(&entry->object);
    return code;
}

static tn_error dispatch_run_provided(tn_kernel_function function, tn_frame *frame, tn_values values, tn_value *result) {
    tni_thread *thread = tni_thread_get();
    frame->before = (tn_key_state){thread->keys_included, thread->keys_excluded};
    thread->keys_excluded |= TN_KEYS(frame->key);
    tn_error code = function(NULL, frame, values, result);
    tn_keys_set(frame->before);
    return code;
}

static tn_error dispatch_missing(const tn_operator *op, int32_t backend) {
    if (tni_registered_is_gone(op))
        return tni_raise(TN_ERROR_STATE, "%s was unregistered", tni_operator_text(op, op->name));
    if (backend == TN_META && (op->flags & TNI_OPERATOR_SIZED_BY_ELEMENTS))
        return tni_raise(TN_ERROR_DEVICE, "the sizes of what %s gives depend on elements, but tensors on device meta have none",
                         tni_operator_text(op, op->name));
    unsigned missing = op->jobs & ~tni_backend_jobs(backend);
    if (missing && tni_backend_jobs(backend))
        return tni_raise(
            TN_ERROR_DEVICE, "the backend of device type \"%s\" does no %s jobs, which %s needs, and there is no fallback",
            tn_key_name(backend), tn_job_kind_name((tn_job_kind)__builtin_ctz(missing)), tni_operator_text(op, op->name));
    return tni_raise(TN_ERROR_DEVICE, "device type \"%s\" has no kernel for %s, and no fallback; there are kernels for: %s",
                     tn_key_name(backend), tni_operator_text(op, op->name), tni_registered_show(op));
}

/* Whether a call has an index with tensors or conditions in it, which reads elements; without them it gives a view. */
static bool dispatch_picks(tn_values values) {
    for (int64_t i = 0; i < values.count; i++)
        for (int64_t k = 0; values.items[i].kind == TN_VALUE_INDEX && k < values.items[i].as.index.count; k++)
            if (values.items[i].as.index.items[k].kind >= TN_INDEX_TENSOR)
                return true;
    return false;
}

/* Whether the built-in kernel can be called for a backend. */
static bool dispatch_is_built_in(const tn_operator *op, int32_t backend, tn_values values) {
    return op->kernel && (backend == TN_KEY_CPU || (op->flags & TNI_OPERATOR_COMPOSITE) ||
                          ((op->flags & TNI_OPERATOR_ANY_DEVICE) && (backend == TN_META || !dispatch_picks(values))) ||
                          (backend == TN_META && (op->flags & TNI_OPERATOR_PLANNED)) ||
                          (op->jobs && (op->jobs & ~tni_backend_jobs(backend)) == 0 &&
                           !(backend == TN_META && (op->flags & TNI_OPERATOR_SIZED_BY_ELEMENTS))));
}

/* From gradients down, keys concern what is computed: a composite operator passes them by, and its parts come to them. One that has a
 * derivative of its own stops at gradients. */
static bool dispatch_passes_by(const tn_operator *op, int32_t key) {
    return (op->flags & TNI_OPERATOR_COMPOSITE) && key <= TN_KEY_AUTOGRAD && !(key == TN_KEY_AUTOGRAD && op->gradient);
}

/* The built-in kernel, or, where nobody watches, the shortcut that a composite operator has. Parameters of a network come here in calls
 * without gradients: their keys are not the CPU's alone, but what the thread leaves of them is. */
static tn_error dispatch_built_in(const tn_operator *op, tn_values values, tn_value *result) {
    if (TNI_LIKELY(!op->spec || !(op->flags & TNI_OPERATOR_COMPOSITE)))
        return tni_callers[op->caller](op, values.items, result);
    tn_keys keys = 0;
    for (int64_t i = 0; i < values.count; i++)
        keys |= tni_keys_of_value(&values.items[i]);
    tn_operator called = *op;
    if (tni_plain(keys))
        called.kernel = tni_shortcuts[op->spec];
    return tni_callers[op->caller](&called, values.items, result);
}

/* One backend, from a step on. */
static tn_error dispatch_backend(const tn_operator *op, int32_t backend, int32_t station, tn_values values, tn_value *result) {
    tn_frame frame = {.op = op, .key = backend};
    for (frame.station = station; frame.station < STATION_END; frame.station++) {
        if (frame.station == STATION_ANY && dispatch_is_built_in(op, backend, values))
            return dispatch_built_in(op, values, result);
        tni_kernel_entry *entry = tni_registered_kernel(frame.station == STATION_FALLBACK ? NULL : op,
                                                        frame.station == STATION_ANY ? TN_KEY_ANY : backend);
        if (entry)
            return dispatch_run_entry(entry, &frame, values, result);
    }
    return dispatch_missing(op, backend);
}

/* From a key and a step on, downwards. */
static tn_error dispatch_from(const tn_operator *op, int32_t key, int32_t station, tn_values values, tn_value *result) {
    tn_keys modes;
    int32_t backend;
    if (!dispatch_keys(op, values, &modes, &backend))
        return tni_failed();
    if (key < TN_DEVICE_TYPES)
        return dispatch_backend(op, backend, backend == key ? station : STATION_EXACT, values, result);
    modes &= key < 63 ? TN_KEYS(key + 1) - 1 : ~(tn_keys)0;
    for (int32_t at; (at = dispatch_highest(modes)) >= 0; modes &= ~TN_KEYS(at)) {
        tn_frame frame = {.op = op, .key = at, .station = at == key ? station : STATION_EXACT};
        tni_kernel_entry *entry = frame.station == STATION_EXACT ? tni_registered_kernel(op, at) : NULL;
        if (!entry && frame.station <= STATION_FALLBACK && !dispatch_passes_by(op, at)) {
            frame.station = STATION_FALLBACK;
            tn_kernel_function provided = atomic_load_explicit(&dispatch_provided[at], memory_order_acquire);
            if (provided)
                return dispatch_run_provided(provided, &frame, values, result);
            entry = tni_registered_kernel(NULL, at);
        }
        if (entry)
            return dispatch_run_entry(entry, &frame, values, result);
    }
    return dispatch_backend(op, backend, STATION_EXACT, values, result);
}

/* The kernel, while gradients are not seen, and then its node. */
static tn_error dispatch_record(const tn_operator *op, const tn_value *values, tn_value *result, tni_recorder record) {
    tni_thread *thread = tni_thread_current;
    uint64_t excluded = thread->keys_excluded;
    thread->keys_excluded = excluded | TN_KEYS(TN_KEY_AUTOGRAD);
    tn_error code = tni_callers[op->caller](op, values, result);
    thread->keys_excluded = excluded;
    return code != TN_OK || record(op, values, result) ? code : tni_failed();
}

/* What concerns only the CPU and gradients goes to what the library has there, without a walk. */
static tn_error dispatch_any(const tn_operator *op, tn_values values, tn_value *result) {
    tn_keys keys = 0;
    for (int64_t i = 0; i < values.count; i++)
        keys |= tni_keys_of_value(&values.items[i]);
    tni_recorder record = tni_recorder_of(op, keys);
    if (record)
        return dispatch_record(op, values.items, result, record);
    return dispatch_from(op, TN_KEY_COUNT - 1, STATION_EXACT, values, result);
}

tn_error tni_dispatch_values(const tn_operator *op, tn_values values, tn_value *result) {
    *result = tn_value_none();
    tn_error code = dispatch_any(op, values, result);
    if (TNI_UNLIKELY(tni_thread_get()->cancelled)) {
        if (code == TN_OK)
            tni_value_drop(op, result);
        code = TN_ERROR_CANCELLED;
    }
    if (code != TN_OK)
        *result = tn_value_none();
    return code;
}

tn_error tni_redispatch(const tn_frame *frame, tn_values values, tn_value *result, bool visible) {
    *result = tn_value_none();
    tn_key_state now = tn_keys_now();
    if (visible)
        tn_keys_set(frame->before);
    tn_error code = dispatch_from(frame->op, frame->key, frame->station + 1, values, result);
    tn_keys_set(now);
    if (code != TN_OK)
        *result = tn_value_none();
    return code;
}

/* ---- what kernels call */

const tn_operator *tn_frame_operator(const tn_frame *frame) { return frame ? frame->op : NULL; }
int32_t tn_frame_key(const tn_frame *frame) { return frame ? frame->key : -1; }

tn_error tn_redispatch(const tn_frame *frame, tn_values arguments, tn_value *result) {
    tn_value ready[TN_MAX_PARAMETERS], made = tn_value_none();
    if (result)
        *result = made;
    if (!frame)
        return tni_raise_in("redispatch", TN_ERROR_ARGUMENT, "frame is NULL");
    if (!tni_values_prepare(frame->op, arguments, ready))
        return tni_failed();
    tn_error code = tni_redispatch(frame, (tn_values){ready, frame->op->count}, &made, false);
    if (code != TN_OK)
        return code;
    if (!result)
        tni_value_drop(frame->op, &made);
    else if ((code = tni_value_adopt(frame->op, &made)) == TN_OK)
        *result = made;
    return code;
}

tn_error tn_fall_through(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    if (!frame || !result)
        return tni_raise_in("fall_through", TN_ERROR_ARGUMENT, "%s is NULL", frame ? "result" : "frame");
    tn_frame last = *frame;
    if (last.key >= TN_DEVICE_TYPES)
        last.station = STATION_FALLBACK;
    tn_error code = tni_redispatch(&last, arguments, result, true);
    return code == TN_OK ? tni_value_adopt(frame->op, result) : code;
}

/* ---- public functions whose call is not a plain one: from C arguments to values */

/* The arguments of a call as values. */
static void dispatch_arguments(const tn_operator *op, va_list *arguments, tn_value *values) {
    const tni_parameter *parameters = tni_operator_parameters + op->first;
    for (int64_t i = 0; i < op->count; i++) {
        tn_value *value = &values[i];
        switch ((tn_type)parameters[i].type) {
        case TN_TYPE_TENSOR:
        case TN_TYPE_WRITTEN:
        case TN_TYPE_OPTIONAL: *value = tn_value_tensor(va_arg(*arguments, tn_tensor *)); break;
        case TN_TYPE_INT: *value = tn_value_int(va_arg(*arguments, int64_t)); break;
        case TN_TYPE_FLOAT: *value = tn_value_float(va_arg(*arguments, double)); break;
        case TN_TYPE_BOOL: *value = tn_value_bool(va_arg(*arguments, int) != 0); break;
        case TN_TYPE_DIMS: *value = tn_value_dims(va_arg(*arguments, tn_dims)); break;
        case TN_TYPE_DTYPE: *value = tn_value_dtype(va_arg(*arguments, tn_dtype)); break;
        case TN_TYPE_SCALAR:
        case TN_TYPE_NUMBER: *value = tn_value_scalar(va_arg(*arguments, tn_scalar)); break;
        case TN_TYPE_FORMAT: *value = tn_value_format(va_arg(*arguments, tn_memory_format)); break;
        case TN_TYPE_TENSORS: {
            const tn_tensor *const *items = va_arg(*arguments, const tn_tensor *const *);
            *value = tn_value_tensors(items, va_arg(*arguments, int64_t));
            break;
        }
        case TN_TYPE_STORAGE: *value = tn_value_storage(va_arg(*arguments, tn_storage *)); break;
        case TN_TYPE_INDEX: *value = tn_value_index(va_arg(*arguments, tn_index_list)); break;
        case TN_TYPE_TEXT: *value = tn_value_text(va_arg(*arguments, const char *)); break;
        case TN_TYPE_DEVICE: *value = tn_value_device(va_arg(*arguments, tn_device)); break;
        case TN_TYPE_GENERATOR: *value = tn_value_generator(va_arg(*arguments, tn_generator *)); break;
        case TN_TYPE_FLOATS: *value = tn_value_floats(va_arg(*arguments, tn_floats)); break;
        case TN_TYPE_COUNT: break;
        }
    }
}

TNI_COLD void *tni_drop_result(void *result) {
    if (result)
        tni_object_release(result);
    return NULL;
}

void *tni_public_end(tni_thread *thread, const char *outer, void *made) {
    if (tni_cancel_ends(thread, outer))
        return tni_drop_result(made);
    return made && tni_scope_push(thread, made) ? made : NULL;
}

TNI_COLD tn_tensor *tni_public_end_cancelled(const char *outer) {
    tni_cancel_forget(outer);
    return NULL;
}

bool tni_recorded_begin(tni_recorded *call, const tn_operator *op, tn_keys keys) {
    tni_thread *thread = tni_thread_current;
    if (!tni_is_recorded(op, keys) || !(op->gradient || op->flags & TNI_OPERATOR_COMPOSITE))
        return false;
    call->op = op;
    call->outer = tni_public_enter(thread, tni_operator_texts + op->shown);
    call->record = op->gradient ? atomic_load_explicit(&tni_record_result, memory_order_acquire) : NULL;
    call->excluded = thread->keys_excluded;
    if (call->record)
        thread->keys_excluded |= TN_KEYS(TN_KEY_AUTOGRAD);
    return true;
}

void *tni_recorded_end(const tni_recorded *call, void *made, const tn_value *values) {
    tni_thread *thread = tni_thread_current;
    thread->keys_excluded = call->excluded;
    if (TNI_LIKELY(made && call->record)) {
        tn_value result;
        bool list = call->op->result == TN_RESULT_LIST || call->op->result == TN_RESULT_VIEWS;
        result.kind = list ? TN_VALUE_LIST : TN_VALUE_TENSOR;
        if (list)
            result.as.list = made;
        else
            result.as.tensor = made;
        if (!call->record(call->op, values, &result))
            made = NULL;
    }
    return tni_public_leave(thread, call->outer, made);
}

static tn_error dispatch_public(const tn_operator *op, va_list *arguments, tn_value *result) {
    tn_value values[TN_MAX_PARAMETERS];
    const char *outer = tni_operator_enter(tni_operator_texts + op->shown);
    dispatch_arguments(op, arguments, values);
    tn_error code =
        tni_values_check(op, values) ? tni_dispatch_values(op, (tn_values){values, op->count}, result) : TN_ERROR_ARGUMENT;
    tni_operator_leave(outer);
    (void)tni_cancel_ends(tni_thread_current, outer);
    if (code == TN_OK)
        code = tni_value_adopt(op, result);
    return code;
}

TNI_COLD tn_tensor *tni_call_tensor(const tn_operator *op, ...) {
    tn_value result;
    va_list arguments;
    va_start(arguments, op);
    tn_error code = dispatch_public(op, &arguments, &result);
    va_end(arguments);
    return code == TN_OK ? result.as.tensor : NULL;
}

TNI_COLD tn_list *tni_call_list(const tn_operator *op, ...) {
    tn_value result;
    va_list arguments;
    va_start(arguments, op);
    tn_error code = dispatch_public(op, &arguments, &result);
    va_end(arguments);
    return code == TN_OK ? result.as.list : NULL;
}

TNI_COLD bool tni_call_bool(const tn_operator *op, ...) {
    tn_value result;
    va_list arguments;
    va_start(arguments, op);
    tn_error code = dispatch_public(op, &arguments, &result);
    va_end(arguments);
    return code == TN_OK && result.as.boolean;
}

tn_error tni_returned_tensor(tn_tensor *made, tn_value *result) {
    *result = tn_value_tensor(made);
    return made ? TN_OK : tni_failed();
}

tn_error tni_returned_list(tn_list *made, tn_value *result) {
    *result = tn_value_list(made);
    return made ? TN_OK : tni_failed();
}

tn_error tni_returned_bool(tn_error code, tn_value *result) {
    result->kind = TN_VALUE_BOOL; /* the kernel has written the rest */
    return code;
}

tn_error tni_returned_changed(tn_error code, tn_tensor *changed, tn_value *result) {
    *result = tn_value_tensor(changed);
    return code;
}
