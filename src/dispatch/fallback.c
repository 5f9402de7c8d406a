/* fallback.c - tn_fallback_to_cpu: the CPU does what a backend cannot do.
 *
 * Elements are moved only through the operator copy_, called by name: only the backend's own kernel for it knows how to reach
 * its memory. Each tensor is moved once, however often it is an argument. Invariant: the CPU computes on fresh contiguous
 * tensors, so the arguments themselves change only after everything has been computed.
 */
#include "base/heap.h"
#include "base/scope.h"
#include "dispatch/dispatch.h"

typedef struct fallback_pair {
    const tn_tensor *there;
    tn_tensor *here; /* the scope's */
} fallback_pair;

typedef struct fallback_work {
    fallback_pair *pairs;
    const tn_tensor **items; /* what the lists among the arguments become  */
    tn_index_item *index;    /* and the indices                             */
    int64_t pair_count, item_count, index_count;
    tn_device device; /* of the results */
} fallback_work;

/* The largest possible number of tensors, and of index items. */
static void fallback_count(tn_values arguments, int64_t *tensors, int64_t *items) {
    *tensors = *items = 0;
    for (int64_t i = 0; i < arguments.count; i++) {
        const tn_value *value = &arguments.items[i];
        *tensors += value->kind == TN_VALUE_TENSORS ? value->as.tensors.count : value->kind == TN_VALUE_TENSOR;
        *items += value->kind == TN_VALUE_INDEX ? value->as.index.count : 0;
    }
    *tensors += *items;
}

static bool fallback_is_here(const tn_tensor *tensor) { return tni_tensor_device(tensor).type == TN_CPU; }
static tn_dims fallback_sizes(const tn_tensor *tensor) { return (tn_dims){tensor->sizes, tensor->ndim}; }

static tn_tensor *fallback_copy(tn_tensor *target, const tn_tensor *source) {
    return tn_call_tensor("copy_", TN_VALUES(target, source));
}

/* A copy of a tensor on a device; the scope's. NULL, raised, on failure. */
static tn_tensor *fallback_copy_to(const tn_tensor *tensor, tn_device device) {
    tn_value dtype = tn_value_dtype((tn_dtype)tensor->dtype);
    tn_tensor *copy = tn_call_tensor("empty.device", TN_VALUES(fallback_sizes(tensor), dtype, device));
    return copy ? fallback_copy(copy, tensor) : NULL;
}

static tn_tensor *fallback_resize(tn_tensor *tensor, tn_dims sizes) {
    return tn_call_tensor("resize_", TN_VALUES(tensor, sizes));
}

static const tn_tensor *fallback_move(fallback_work *work, const tn_tensor *tensor) {
    if (!tensor || fallback_is_here(tensor))
        return tensor;
    for (int64_t i = 0; i < work->pair_count; i++)
        if (work->pairs[i].there == tensor)
            return work->pairs[i].here;
    tn_tensor *here = fallback_copy_to(tensor, TN_DEVICE_CPU);
    if (here)
        work->pairs[work->pair_count++] = (fallback_pair){tensor, here};
    return here;
}

static bool fallback_move_list(fallback_work *work, const tn_value *value, tn_value *ready) {
    const tn_tensor **items = work->items + work->item_count;
    for (int64_t k = 0; k < value->as.tensors.count; k++) {
        items[k] = fallback_move(work, value->as.tensors.items[k]);
        if (!items[k])
            return false;
    }
    *ready = tn_value_tensors(items, value->as.tensors.count);
    work->item_count += value->as.tensors.count;
    return true;
}

static bool fallback_move_index(fallback_work *work, const tn_value *value, tn_value *ready) {
    tn_index_item *items = work->index + work->index_count;
    for (int64_t k = 0; k < value->as.index.count; k++) {
        items[k] = value->as.index.items[k];
        if (items[k].kind == TN_INDEX_TENSOR && !(items[k].tensor = fallback_move(work, items[k].tensor)))
            return false;
    }
    *ready = tn_value_index((tn_index_list){items, value->as.index.count});
    work->index_count += value->as.index.count;
    return true;
}

/* The arguments for the CPU. False, raised, on failure. */
static bool fallback_move_arguments(fallback_work *work, tn_values arguments, tn_value *ready) {
    bool chosen = false;
    for (int64_t i = 0; i < arguments.count; i++) {
        const tn_value *value = &arguments.items[i];
        ready[i] = *value;
        if (value->kind == TN_VALUE_TENSOR && value->as.tensor) {
            ready[i] = tn_value_tensor(fallback_move(work, value->as.tensor));
            if (!ready[i].as.tensor)
                return false;
        } else if (value->kind == TN_VALUE_TENSORS) {
            if (!fallback_move_list(work, value, &ready[i]))
                return false;
        } else if (value->kind == TN_VALUE_INDEX) {
            if (!fallback_move_index(work, value, &ready[i]))
                return false;
        } else if (value->kind == TN_VALUE_DEVICE) {
            work->device = value->as.device;
            chosen = true;
            ready[i] = tn_value_device(TN_DEVICE_CPU);
        }
    }
    if (!chosen && work->pair_count)
        work->device = tni_tensor_device(work->pairs[0].there);
    return true;
}

/* Write what the CPU changed back to where it came from. */
static tn_error fallback_write_back(const tn_operator *op, tn_values arguments, const tn_value *ready) {
    for (int64_t i = 0; i < arguments.count; i++) {
        tn_tensor *there = arguments.items[i].as.tensor, *here = ready[i].as.tensor;
        if (tni_operator_parameter(op, i)->type != TN_TYPE_WRITTEN || there == here)
            continue;
        bool same = there->ndim == here->ndim;
        for (int64_t d = 0; same && d < here->ndim; d++)
            same = there->sizes[d] == here->sizes[d];
        if ((!same && !fallback_resize(there, fallback_sizes(here))) || !fallback_copy(there, here))
            return tni_failed();
    }
    return TN_OK;
}

static tn_error fallback_return_list(fallback_work *work, tn_value *result) {
    const tn_list *list = result->as.list;
    size_t bytes = (size_t)list->count * sizeof(tn_tensor *);
    tn_tensor **items = tni_heap_alloc(bytes);
    if (!items)
        return TN_ERROR_MEMORY;
    int64_t count = 0;
    for (; count < list->count; count++) {
        tn_tensor *there = fallback_copy_to(list->items[count], work->device);
        if (!there)
            break;
        items[count] = tni_tensor_retain(there);
    }
    tn_list *made = NULL;
    if (count == list->count)
        made = tni_list_make(items, count);
    else
        for (int64_t i = 0; i < count; i++)
            tni_tensor_release(items[i]);
    tni_heap_free(items, bytes);
    *result = tn_value_list(tni_scope_adopt(made));
    return result->as.list ? TN_OK : tni_failed();
}

static tn_error fallback_run(fallback_work *work, const tn_operator *op, tn_values arguments, tn_value *result) {
    tn_value ready[TN_MAX_PARAMETERS];
    if (!fallback_move_arguments(work, arguments, ready))
        return tni_failed();
    tn_key_state before = tn_keys_now();
    tn_keys_set((tn_key_state){before.included & ~TNI_KEYS_BACKENDS, before.excluded}); /* a factory must not come back here */
    tn_error code = tn_operator_call(op, (tn_values){ready, arguments.count}, result);
    tn_keys_set(before);
    if (code == TN_OK)
        code = fallback_write_back(op, arguments, ready);
    if (code != TN_OK || tni_operator_changes(op) || work->device.type == TN_CPU)
        return code;
    if (result->kind == TN_VALUE_LIST)
        return fallback_return_list(work, result);
    if (result->kind == TN_VALUE_TENSOR)
        *result = tn_value_tensor(fallback_copy_to(result->as.tensor, work->device));
    return TN_OK;
}

tn_error tn_fallback_to_cpu(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    if (!frame || !result)
        return tni_raise_in("fallback_to_cpu", TN_ERROR_ARGUMENT, "%s is NULL", frame ? "result" : "frame");
    const tn_operator *op = frame->op;
    const char *name = tni_operator_text(op, op->name);
    if (strcmp(name, "copy_") == 0 || frame->key == TN_KEY_CPU)
        return tni_raise(TN_ERROR_UNSUPPORTED,
                         "the CPU cannot do this for device type \"%s\": the backend must register its own kernel for %s",
                         tn_key_name(frame->key), name);
    int64_t tensors, items;
    fallback_count(arguments, &tensors, &items);
    size_t bytes = (size_t)tensors * (sizeof(fallback_pair) + sizeof(tn_tensor *)) + (size_t)items * sizeof(tn_index_item);
    fallback_work work = {.pairs = tni_heap_alloc(bytes), .device = TN_DEVICE(frame->key, 0)};
    if (!work.pairs)
        return TN_ERROR_MEMORY;
    work.items = (const tn_tensor **)(work.pairs + tensors);
    work.index = (tn_index_item *)(work.items + tensors);
    tn_error code = fallback_run(&work, op, arguments, result);
    tni_heap_free(work.pairs, bytes);
    return code;
}
