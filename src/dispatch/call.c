/* call.c - operators by name: finding them, asking about them, calling them; and the keys of a thread.
 *
 * The built-in operators are a sorted table that the generator writes (operator_calls.c), so they are found by bisection, under
 * their own name and under that of the C function.
 */
#include "dispatch/dispatch.h"
#include "dispatch/parts.h"
#include "dispatch/signature.h"

/* ---- finding */

static const tn_operator *call_find_built_in(const char *name, bool c_name) {
    int64_t low = 0, high = tni_operator_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        const tn_operator *op = &tni_operators[c_name ? tni_operators_by_c_name[middle] : middle];
        uint16_t text = c_name ? tni_operator_c_names[op - tni_operators] : op->name;
        int order = strcmp(name, tni_operator_texts + text);
        if (order == 0)
            return op;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const tn_operator *tni_operator_hold(const char *name) {
    if (strchr(name, ':'))
        return tni_registered_hold(name);
    const tn_operator *op = call_find_built_in(name, false);
    return op ? op : call_find_built_in(name, true);
}

const tn_operator *tn_operator_find(const char *name) {
    const tn_operator *op = name ? tni_operator_hold(name) : NULL;
    if (op)
        tni_operator_drop(op);
    return op;
}

const tn_operator *tn_operator_hold(const char *name) { return name ? tni_operator_hold(name) : NULL; }

const tn_operator *tn_operator_hold_at(int64_t i) {
    return i >= 0 && i < tni_operator_count ? &tni_operators[i] : tni_registered_hold_at(i - tni_operator_count);
}

void tn_operator_drop(const tn_operator *op) {
    if (op)
        tni_operator_drop(op);
}

int64_t tn_operator_count(void) {
    int64_t count;
    (void)tni_registered_at(-1, &count);
    return tni_operator_count + count;
}

const tn_operator *tn_operator_at(int64_t i) {
    if (i >= 0 && i < tni_operator_count)
        return &tni_operators[i];
    int64_t count;
    const tn_operator *op = tni_registered_at(i - tni_operator_count, &count);
    if (!op)
        tni_raise_in("operator_at", TN_ERROR_INDEX, "there is no operator number %" PRId64 " among %" PRId64, i,
                     tni_operator_count + count);
    return op;
}

/* Whether `name` is the operator's, without the overload. */
static bool call_is_named(const tn_operator *op, const char *name) {
    const char *full = tni_operator_text(op, op->name);
    size_t length = strcspn(full, ".");
    return strlen(name) == length && memcmp(full, name, length) == 0;
}

const tn_operator *tn_operator_resolve(const char *name, tn_values arguments) {
    if (!name)
        return NULL;
    if (strchr(name, ':')) {
        const tn_operator *op;
        int64_t count;
        for (int64_t i = 0; (op = tni_registered_at(i, &count)) != NULL; i++)
            if (call_is_named(op, name) && tni_values_fit(op, arguments))
                return op;
        return NULL;
    }
    int64_t low = 0, high = tni_operator_count; /* the forms of a name are together: '.' comes before letters */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (strcmp(tni_operator_texts + tni_operators[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < tni_operator_count && call_is_named(&tni_operators[low], name); low++)
        if (tni_values_fit(&tni_operators[low], arguments))
            return &tni_operators[low];
    return NULL;
}

/* ---- asking */

const char *tn_operator_name(const tn_operator *op) { return op ? tni_operator_text(op, op->name) : ""; }
const char *tn_operator_base(const tn_operator *op) { return op ? tni_operator_text(op, op->base) : ""; }
const char *tn_operator_overload(const tn_operator *op) { return op ? tni_operator_text(op, op->overload) : ""; }
const char *tn_operator_signature(const tn_operator *op) { return op ? tni_operator_signature(op) : ""; }
const char *tn_operator_hints(const tn_operator *op) { return op ? tni_operator_text(op, op->hints) : ""; }
const char *tn_operator_group(const tn_operator *op) { return op ? tni_operator_text(op, op->group) : ""; }
const char *tn_operator_doc(const tn_operator *op) { return op ? tni_operator_doc(op) : ""; }
tn_variant tn_operator_variant(const tn_operator *op) { return op ? (tn_variant)op->variant : TN_VARIANT_FUNCTIONAL; }
tn_result tn_operator_result(const tn_operator *op) { return op ? (tn_result)op->result : TN_RESULT_TENSOR; }
bool tn_operator_is_pointwise(const tn_operator *op) { return op && (op->flags & TNI_OPERATOR_POINTWISE); }
int64_t tn_operator_parameter_count(const tn_operator *op) { return op ? op->count : 0; }

tn_parameter tn_operator_parameter(const tn_operator *op, int64_t i) {
    if (!op || i < 0 || i >= op->count)
        return (tn_parameter){.name = NULL};
    const tni_parameter *parameter = tni_operator_parameter(op, i);
    return (tn_parameter){.name = tni_operator_text(op, parameter->name),
                          .standard = parameter->standard ? tni_operator_text(op, parameter->standard) : NULL,
                          .type = (tn_type)parameter->type,
                          .written = parameter->type == TN_TYPE_WRITTEN};
}

int64_t tn_operator_result_count(const tn_operator *op) { return op ? op->results : 0; }

const char *tn_operator_result_name(const tn_operator *op, int64_t i) {
    if (!op || i < 0 || i >= op->results)
        return NULL;
    return tni_operator_text(op, tni_operator_parameter(op, op->count + i)->name);
}

const char *tn_type_name(tn_type type) {
    const char *name = tni_type_spelling(type);
    return name ? name : "unknown";
}

/* ---- calling */

static tn_error call_run(const tn_operator *op, tn_values arguments, tn_value *result) {
    tn_value ready[TN_MAX_PARAMETERS], made;
    if (!tni_values_prepare(op, arguments, ready))
        return tni_failed();
    tn_error code = tni_dispatch_values(op, (tn_values){ready, op->count}, &made);
    if (code != TN_OK)
        return code;
    if (!result)
        tni_value_drop(op, &made);
    else if ((code = tni_value_adopt(op, &made)) == TN_OK)
        *result = made;
    return code;
}

tn_error tn_operator_call(const tn_operator *op, tn_values arguments, tn_value *result) {
    if (result)
        *result = tn_value_none();
    if (!op)
        return tni_raise_in("operator_call", TN_ERROR_ARGUMENT, "op is NULL");
    tn_error waiting = tn_error_code();
    const char *outer = tni_operator_enter(tni_operator_text(op, op->name));
    tn_error code = call_run(op, arguments, result);
    tni_operator_leave(outer);
    (void)tni_cancel_ends(tni_thread_current, outer);
    /* Of several failures inside a composite the first is the cause, and the one that the record tells of. */
    tn_error first = code != TN_OK && waiting == TN_OK ? tn_error_code() : TN_OK;
    return first != TN_OK ? first : code;
}

tn_error tn_call(const char *name, tn_values arguments, tn_value *result) {
    if (result)
        *result = tn_value_none();
    if (!name)
        return tni_raise_in("call", TN_ERROR_ARGUMENT, "name is NULL");
    const tn_operator *op = tni_operator_hold(name);
    if (!op)
        return tni_raise_no_operator("call", name);
    tn_error code = tn_operator_call(op, arguments, result);
    tni_operator_drop(op);
    return code;
}

tn_tensor *tn_call_tensor(const char *name, tn_values arguments) {
    tn_value result;
    const tn_operator *op = name ? tni_operator_hold(name) : NULL;
    bool fits = !op || op->result <= TN_RESULT_MAYBE_VIEW || tni_operator_changes(op);
    if (op)
        tni_operator_drop(op);
    if (!fits) {
        tni_raise_in("call_tensor", TN_ERROR_ARGUMENT, "%.60s does not give a tensor", name);
        return NULL;
    }
    return tn_call(name, arguments, &result) == TN_OK ? result.as.tensor : NULL;
}

/* ---- keys */

const char *tn_key_name(int32_t key) {
    static const char *const names[] = {
        [TN_KEY_INNER_0] = "inner_0", [TN_KEY_INNER_1] = "inner_1",   [TN_KEY_INNER_2] = "inner_2",
        [TN_KEY_INNER_3] = "inner_3", [TN_KEY_AUTOGRAD] = "autograd", [TN_KEY_OUTER_0] = "outer_0",
        [TN_KEY_OUTER_1] = "outer_1", [TN_KEY_OUTER_2] = "outer_2",   [TN_KEY_OUTER_3] = "outer_3",
        [TN_KEY_PROFILE] = "profile", [TN_KEY_ANY] = "any",
    };
    if (key >= 0 && key < TN_DEVICE_TYPES)
        return tn_device_type_name(key);
    return key > 0 && key <= TN_KEY_ANY && names[key] ? names[key] : "unknown";
}

tn_keys tn_keys_of(const tn_tensor *tensor) {
    return tensor && tni_tensor_live(tensor, "keys_of") ? tni_keys_of_tensor(tensor) : 0;
}

tn_key_state tn_keys_now(void) {
    const tni_thread *thread = tni_thread_get();
    return (tn_key_state){thread->keys_included, thread->keys_excluded};
}

void tn_keys_set(tn_key_state state) {
    tni_thread *thread = tni_thread_get();
    thread->keys_included = state.included;
    thread->keys_excluded = state.excluded;
}

tn_key_state tn_keys_include(tn_keys keys) {
    tn_key_state before = tn_keys_now();
    tn_keys_set((tn_key_state){before.included | keys, before.excluded});
    return before;
}

tn_key_state tn_keys_exclude(tn_keys keys) {
    tn_key_state before = tn_keys_now();
    tn_keys_set((tn_key_state){before.included, before.excluded | keys});
    return before;
}
