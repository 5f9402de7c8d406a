/* slot.c - what a tensor knows about gradients, and the public questions about it. See slot.h. */
#include "autograd/slot.h"

#include "autograd/hook.h"
#include "autograd/rebase.h"
#include "autograd/record.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "tensor/tensor.h"
#include "operators_view.h"

/* ---- slots */

/* The output of a node sets the gradient of one tensor on the way (tn_retain_grad). */
static void slot_link_retained(tni_slot *slot, tn_tensor *tensor) {
    if (slot->retains && slot->node)
        slot->node->outputs[slot->output].retains = tensor;
}

static void slot_end(void *autograd) {
    tni_slot *slot = autograd;
    slot_link_retained(slot, NULL);
    tni_node_drop(slot->node);
    if (slot->hooks)
        tni_hooks_drop(slot->hooks);
    if (slot->leaf)
        tni_leaf_free(slot->leaf);
    if (slot->grad)
        tni_object_drop(&slot->grad->object);
    if (slot->base)
        tni_object_drop(&slot->base->object);
    tni_thread *thread = tni_thread_get();
    if (tni_heap_has_room(thread, sizeof *slot))
        tni_heap_push(thread, slot, sizeof *slot);
    else
        tni_heap_free(slot, sizeof *slot);
}

tni_slot *tni_slot_new(tn_tensor *tensor) {
    tni_thread *thread = tni_thread_get();
    tni_slot *slot = tni_heap_has(thread, sizeof *slot) ? tni_heap_pop(thread, sizeof *slot) : tni_heap_alloc(sizeof *slot);
    if (!slot)
        return NULL;
    *slot = (tni_slot){.node = NULL};
    if (!atomic_load_explicit(&tni_tensor_end_history, memory_order_relaxed))
        tni_tensor_end_history = slot_end;
    tensor->autograd = slot;
    tensor->tracked = true;
    return slot;
}

static void slot_set_keys(tn_tensor *tensor) {
    const tni_slot *slot = tensor->autograd;
    uint32_t key = UINT32_C(1) << TN_KEY_AUTOGRAD;
    tensor->keys = slot->node || slot->requires ? tensor->keys | key : tensor->keys & ~key;
}

void tni_slot_set_node(tn_tensor *tensor, tni_node *node, uint32_t output) {
    if (node)
        tni_node_retain(node);
    tni_slot_give_node(tensor, node, output);
}

void tni_slot_give_node(tn_tensor *tensor, tni_node *node, uint32_t output) {
    tni_slot *slot = tensor->autograd;
    tni_node *before = slot->node;
    slot_link_retained(slot, NULL);
    slot->node = node;
    slot->output = output;
    slot_link_retained(slot, tensor);
    slot->requires = false;
    slot_set_keys(tensor);
    tni_node_drop(before);
}

bool tni_slot_edge(tn_tensor *tensor, tni_edge *edge) {
    tni_slot *slot = tensor->autograd;
    *edge = (tni_edge){NULL, 0};
    if (!slot || !tni_wants_gradient(tensor))
        return true;
    if (slot->base && !tni_rebase_refresh(tensor))
        return false;
    if (!slot->node)
        return (edge->node = tni_leaf_node(tensor)) != NULL;
    tni_node_retain(slot->node);
    *edge = (tni_edge){slot->node, slot->output};
    return true;
}

/* ---- modes */

_Atomic bool tni_inference_known;

tn_key_state tni_record_set(bool on) {
    tn_key_state before = tn_keys_now();
    tn_keys key = TN_KEYS(TN_KEY_AUTOGRAD);
    tn_keys_set((tn_key_state){before.included, on ? before.excluded & ~key : before.excluded | key});
    return before;
}

tn_grad_mode tn_grad_mode_now(void) {
    const tni_thread *thread = tni_thread_get();
    return thread->storage_lock ? TN_GRAD_INFERENCE : tni_recording() ? TN_GRAD_ON : TN_GRAD_OFF;
}

tn_grad_mode tn_grad_mode_set(tn_grad_mode mode) {
    tn_grad_mode before = tn_grad_mode_now();
    tni_thread_get()->storage_lock = mode == TN_GRAD_INFERENCE ? TNI_LOCKED_INFERENCE : 0;
    if (mode == TN_GRAD_INFERENCE)
        atomic_store_explicit(&tni_inference_known, true, memory_order_relaxed);
    (void)tni_record_set(mode == TN_GRAD_ON);
    return before;
}

/* ---- public questions and settings */

bool tn_requires_grad(const tn_tensor *tensor) {
    return tensor && tni_tensor_live(tensor, "requires_grad") && tni_wants_gradient(tensor);
}

bool tn_is_leaf(const tn_tensor *tensor) {
    if (!tensor || !tni_tensor_live(tensor, "is_leaf"))
        return true;
    const tni_slot *slot = tni_slot_of(tensor);
    return !slot || !slot->node;
}

bool tn_is_inference(const tn_tensor *tensor) {
    return tensor && tni_tensor_live(tensor, "is_inference") && tni_storage_is_inference(tensor->storage);
}

static tn_tensor *slot_require(tn_tensor *tensor, bool requires_grad) {
    if (requires_grad && tni_storage_is_inference(tensor->storage) && !tni_thread_get()->storage_lock)
        return tni_raise_null(
            TN_ERROR_STATE,
            "the tensor %s was made in inference mode, and cannot require a gradient outside of it; clone it first",
            tni_show_tensor(tensor));
    if (tensor->tracked && tni_slot_of(tensor)->node) {
        if (requires_grad)
            return tensor;
        return tni_raise_null(TN_ERROR_STATE,
                              "the tensor %s was computed (%s): only leaves can stop requiring gradients; detach it",
                              tni_show_tensor(tensor), tni_node_name(tni_slot_of(tensor)->node));
    }
    if (!requires_grad && !tensor->tracked)
        return tensor;
    if (requires_grad && !tni_can_have_gradient(tensor->dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "the tensor is %s, and only floating-point and complex tensors have gradients",
                              tni_show_tensor(tensor));
    tni_slot *slot = tni_slot_make(tensor);
    if (!slot)
        return NULL;
    tni_record_begin();
    slot->requires = requires_grad;
    slot_set_keys(tensor);
    return tensor;
}

tn_tensor *tn_requires_grad_(tn_tensor *tensor, bool requires_grad) {
    const char *outer = tni_operator_enter("requires_grad_");
    tn_tensor *result = tni_tensor_check(tensor, "tensor") ? slot_require(tensor, requires_grad) : NULL;
    tni_operator_leave(outer);
    return result;
}

tn_tensor *tn_tensor_grad(const tn_tensor *tensor) {
    if (!tensor || !tni_tensor_live(tensor, "tensor_grad") || !tensor->tracked || !tni_slot_of(tensor)->grad)
        return NULL;
    return tni_scope_adopt(tni_tensor_retain(tni_slot_of(tensor)->grad));
}

static tn_error slot_check_grad(const tn_tensor *tensor, const tn_tensor *grad) {
    if (grad == tensor)
        return tni_raise(TN_ERROR_ARGUMENT, "a tensor cannot be its own gradient");
    bool same = grad->ndim == tensor->ndim;
    for (int64_t d = 0; same && d < grad->ndim; d++)
        same = grad->sizes[d] == tensor->sizes[d];
    if (!same)
        return tni_raise(TN_ERROR_SHAPE, "a gradient of sizes %s does not fit a tensor of sizes %s",
                         tni_show_dims(grad->sizes, grad->ndim), tni_show_dims(tensor->sizes, tensor->ndim));
    if (grad->dtype != tensor->dtype)
        return tni_raise(TN_ERROR_DTYPE, "a gradient of dtype %s does not fit a tensor of dtype %s",
                         tn_dtype_name((tn_dtype)grad->dtype), tn_dtype_name((tn_dtype)tensor->dtype));
    if (!tn_device_equal(tni_tensor_device(grad), tni_tensor_device(tensor)))
        return tni_raise(TN_ERROR_DEVICE, "the gradient and the tensor are on different devices");
    return TN_OK;
}

static tn_error slot_set_grad(tn_tensor *tensor, const tn_tensor *grad) {
    tn_error code = grad ? slot_check_grad(tensor, grad) : TN_OK;
    if (code != TN_OK || (!grad && !tensor->tracked))
        return code;
    tni_slot *slot = tni_slot_make(tensor);
    if (!slot)
        return tni_failed();
    tn_tensor *before = slot->grad;
    slot->grad = (tn_tensor *)(uintptr_t)grad;
    if (grad)
        tni_object_hold(&slot->grad->object);
    if (before)
        tni_object_drop(&before->object);
    return TN_OK;
}

tn_error tn_tensor_set_grad(tn_tensor *tensor, const tn_tensor *grad) {
    const char *outer = tni_operator_enter("tensor_set_grad");
    tn_error code = tni_tensor_check(tensor, "tensor") && (!grad || tni_tensor_check(grad, "grad"))
                        ? slot_set_grad(tensor, grad)
                        : tni_failed();
    tni_operator_leave(outer);
    return code;
}

tn_error tn_retain_grad(tn_tensor *tensor) {
    if (!tensor || !tni_tensor_live(tensor, "retain_grad"))
        return tensor ? tni_failed() : tni_raise_in("retain_grad", TN_ERROR_ARGUMENT, "tensor is NULL");
    if (!tni_wants_gradient(tensor))
        return tni_raise_in("retain_grad", TN_ERROR_STATE, "the tensor %s requires no gradient, so there is none to retain",
                            tni_show_tensor(tensor));
    tni_slot *slot = tni_slot_of(tensor);
    if (!slot->node)
        return TN_OK;
    if (!tni_rebase_refresh(tensor))
        return tni_failed();
    slot->retains = true;
    slot_link_retained(slot, tensor);
    return TN_OK;
}

bool tn_retains_grad(const tn_tensor *tensor) {
    return tensor && tni_tensor_live(tensor, "retains_grad") && tensor->tracked && tni_slot_of(tensor)->retains;
}

tn_tensor *tn_detach_(tn_tensor *tensor) {
    const char *outer = tni_operator_enter("detach_");
    tn_tensor *result = tni_tensor_check(tensor, "tensor") ? tensor : NULL;
    if (result && tensor->tracked && tni_slot_of(tensor)->base)
        result = tni_raise_null(TN_ERROR_STATE,
                                "the tensor %s is a view, and its history is that of the tensor it looks into; use detach",
                                tni_show_tensor(tensor));
    else if (result && tensor->tracked)
        tni_slot_set_node(tensor, NULL, 0);
    tni_operator_leave(outer);
    return result;
}

tn_tensor *tn_set_data(tn_tensor *tensor, const tn_tensor *source) {
    const char *outer = tni_operator_enter("set_data");
    tn_tensor *result = tni_tensor_check(tensor, "tensor") && tni_tensor_check(source, "source") ? tensor : NULL;
    if (result && tni_wants_gradient(tensor) && !tni_can_have_gradient(source->dtype))
        result =
            tni_raise_null(TN_ERROR_DTYPE, "the tensor requires a gradient, and %s can have none", tni_show_tensor(source));
    if (result) {
        uint8_t dtype = tensor->dtype;
        tensor->dtype = source->dtype;
        if (tni_op_set_(tensor, source) != TN_OK) {
            tensor->dtype = dtype;
            result = NULL;
        }
    }
    tni_operator_leave(outer);
    return result;
}
