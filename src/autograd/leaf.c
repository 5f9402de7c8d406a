/* leaf.c - where gradients end: the node of a leaf, which adds to the gradient of its tensor.
 *
 * While somebody holds the node, the node holds the tensor. The block itself belongs to the tensor's slot, and waits there without
 * references for its next use; so references to it are counted under the slot's lock.
 *
 * Two threads that run backward may reach one leaf: the sum is made under a lock of its own, for which others wait in turns of the
 * scheduler. Threads that meet at a leaf often are few, and each of them has other leaves to go on with.
 */
#include <sched.h>

#include "autograd/hook.h"
#include "autograd/slot.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"

/* ---- the node */

static void leaf_enter(tni_slot *slot) {
    while (atomic_exchange_explicit(&slot->busy, true, memory_order_acquire))
        continue;
}
static void leaf_leave(tni_slot *slot) { atomic_store_explicit(&slot->busy, false, memory_order_release); }

/* How many hold it: under the lock, so that no other operation need be atomic. */
static uint64_t leaf_holders(const tni_node *node) { return atomic_load_explicit(&node->object.counts, memory_order_relaxed); }
static void leaf_set_holders(tni_node *node, uint64_t count) {
    atomic_store_explicit(&node->object.counts, count, memory_order_relaxed);
}

static tn_error leaf_run(tni_node *node, tn_tensor *const *grads, tn_tensor **results) {
    (void)results;
    tn_tensor *tensor = node->ctx;
    if (!tni_slot_of(tensor)->requires) /* not any more */
        return TN_OK;
    tn_error code = tni_slot_accumulate(tensor, tni_tensor_retain(grads[0]));
    return code == TN_OK ? tni_hooks_accumulated(tni_slot_of(tensor)->hooks, tensor) : code;
}

static const tni_node_kind leaf_kind = {"AccumulateGrad", leaf_run, NULL, NULL};

tn_tensor *tni_leaf_tensor(const tni_node *node) { return node->leaf ? node->ctx : NULL; }

/* In use from now on, as new: it holds its tensor, whose sizes may have changed since it was last. */
static void leaf_wake(tni_node *node, tn_tensor *tensor) {
    tni_output *output = &node->outputs[0];
    leaf_set_holders(node, 1);
    node->number = tni_thread_get()->node_number;
    tni_object_hold(&tensor->object);
    for (int d = 0; d < tensor->ndim; d++)
        ((int64_t *)(uintptr_t)output->sizes)[d] = tensor->sizes[d];
    output->dtype = tensor->dtype;
    output->device = tni_tensor_device(tensor);
}

static tni_node *leaf_make(const tn_tensor *tensor) {
    char *room;
    tni_node *node = tni_node_new(0, 1, 0, (size_t)tensor->ndim * sizeof(int64_t), &room);
    if (!node)
        return NULL;
    node->kind = &leaf_kind;
    node->leaf = true;
    node->ctx = (tn_tensor *)(uintptr_t)tensor;
    node->outputs[0] = (tni_output){.sizes = (int64_t *)room, .ndim = tensor->ndim, .has_gradient = true};
    return node;
}

void tni_leaf_free(tni_node *node) { tni_heap_free(node, node->bytes); }

/* One that nobody holds at the moment is used again, if its room is right. */
static bool leaf_ready(tni_slot *slot, const tn_tensor *tensor) {
    if (slot->leaf && slot->leaf->outputs[0].ndim == tensor->ndim)
        return true;
    if (slot->leaf)
        tni_leaf_free(slot->leaf);
    return (slot->leaf = leaf_make(tensor)) != NULL;
}

tni_node *tni_leaf_node(tn_tensor *tensor) {
    tni_slot *slot = tni_slot_of(tensor);
    leaf_enter(slot);
    if (slot->leaf && leaf_holders(slot->leaf) > 0)
        leaf_set_holders(slot->leaf, leaf_holders(slot->leaf) + 1);
    else if (leaf_ready(slot, tensor))
        leaf_wake(slot->leaf, tensor);
    tni_node *node = slot->leaf;
    leaf_leave(slot);
    return node;
}

void tni_leaf_retain(tni_node *node) {
    tni_slot *slot = tni_slot_of(node->ctx);
    leaf_enter(slot);
    leaf_set_holders(node, leaf_holders(node) + 1);
    leaf_leave(slot);
}

void tni_leaf_drop(tni_node *node) {
    tn_tensor *tensor = node->ctx;
    tni_slot *slot = tni_slot_of(tensor);
    tn_hook *hooks = NULL;
    leaf_enter(slot);
    bool last = leaf_holders(node) == 1;
    leaf_set_holders(node, leaf_holders(node) - 1);
    if (last) {
        hooks = node->hooks;
        node->hooks = NULL;
    }
    leaf_leave(slot);
    if (hooks)
        tni_hooks_drop(hooks);
    if (last)
        tni_object_drop(&tensor->object); /* and with it, perhaps, the node */
}

/* ---- the sum */

/* Whether nobody else can see this tensor or its memory. */
static bool leaf_is_own(const tn_tensor *grad) {
    return tni_object_is_last(&grad->object) && tni_object_is_last(&grad->storage->object) && !grad->tracked &&
           !atomic_load_explicit(&grad->storage->group, memory_order_relaxed) && !grad->readonly && !grad->storage->locked;
}

/* Whether a gradient has the strides it should have: those of the tensor where its elements have no gaps, row by row otherwise. */
static bool leaf_is_laid_out(const tn_tensor *grad, const tn_tensor *tensor) {
    if (!tni_tensor_is_dense(tensor))
        return tni_tensor_is_contiguous(grad);
    for (int64_t d = 0; d < grad->ndim; d++)
        if (grad->sizes[d] > 1 && grad->strides[d] != tensor->strides[d])
            return false;
    return true;
}

/* A gradient of a tensor as a tensor of its own, with the strides it should have. */
static tn_tensor *leaf_copy(const tn_tensor *tensor, const tn_tensor *grad) {
    tn_scope scope = tni_scope_open_hidden();
    tn_tensor *copy = NULL;
    if (scope.id == 0)
        return NULL;
    if (leaf_is_laid_out(grad, tensor))
        copy = tn_clone(grad, TN_PRESERVE);
    else if (!tni_tensor_is_dense(tensor))
        copy = tn_clone(grad, TN_CONTIGUOUS);
    else {
        copy = tn_empty_like(tensor, TN_DTYPE_DEFAULT, TN_PRESERVE);
        copy = tn_copy_(copy, grad);
    }
    return tni_scope_close_hidden(scope, copy);
}

/* Takes the reference. */
static tn_error leaf_set(tni_slot *slot, tn_tensor *grad) {
    if (!grad)
        return tni_failed();
    tni_object_hand_over(&grad->object);
    if (slot->grad)
        tni_object_drop(&slot->grad->object);
    slot->grad = grad;
    return TN_OK;
}

/* The first gradient of a tensor: this one, if it may be kept, or a copy. */
static tn_error leaf_begin(tni_slot *slot, const tn_tensor *tensor, tn_tensor *grad) {
    if (!tni_recording() && leaf_is_own(grad) && leaf_is_laid_out(grad, tensor)) {
        tni_object_hand_over(&grad->object);
        slot->grad = grad;
        return TN_OK;
    }
    tn_tensor *copy = leaf_copy(tensor, grad);
    tni_tensor_release(grad);
    return leaf_set(slot, copy);
}

/* In place, where the gradient itself has no history. */
static tn_error leaf_add(tni_slot *slot, tn_tensor *grad) {
    bool done = false;
    if (!tni_recording()) {
        done = tn_add_(slot->grad, grad) != NULL;
        tni_tensor_release(grad);
        return done ? TN_OK : tni_failed();
    }
    tn_scope scope = tni_scope_open_hidden();
    tn_tensor *sum = scope.id ? tni_scope_close_hidden(scope, tn_add(slot->grad, grad)) : NULL;
    tni_tensor_release(grad);
    return leaf_set(slot, sum);
}

tn_error tni_slot_accumulate(tn_tensor *tensor, tn_tensor *grad) {
    tni_slot *slot = tni_slot_of(tensor);
    while (atomic_exchange_explicit(&slot->adding, true, memory_order_acquire))
        (void)sched_yield();
    tn_error code = slot->grad ? leaf_add(slot, grad) : leaf_begin(slot, tensor, grad);
    atomic_store_explicit(&slot->adding, false, memory_order_release);
    return code;
}
