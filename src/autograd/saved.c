/* saved.c - functions of the program that kept tensors go through: tn_saved_hooks_push.
 *
 * Each thread has a stack of them, and the top one counts. What pack makes of a tensor is kept instead of it, with the edge that the
 * tensor's gradient goes along, so that what unpack makes of it later has the history of the original. The hooks themselves are
 * counted: a node outlives the time in which they were on the stack.
 *
 * Pack sees a tensor without history: a result that knew its own node would keep that alive. There is no version to look at any more.
 */
#include "autograd/saved.h"

#include "autograd/slot.h"
#include "base/heap.h"
#include "base/scope.h"

typedef struct saved_hooks {
    tni_object object;
    tn_saved_hooks given;
    struct saved_hooks *below; /* counted */
} saved_hooks;

struct tni_saved_packed {
    saved_hooks *hooks; /* counted */
    void *packed;
    tni_edge edge; /* of an input that wants a gradient: counted */
    uint32_t output;
    bool result; /* an output of the node itself */
};

/* ---- the stack */

static void saved_destroy(tni_object *object) {
    saved_hooks *hooks = (saved_hooks *)object;
    if (hooks->given.deleter)
        hooks->given.deleter(hooks->given.ctx);
    object->class = &tni_dead_class;
    tni_heap_free(hooks, sizeof *hooks);
}

static const tni_class saved_class = {"pair of hooks", saved_destroy};

static void saved_pop(tni_thread *thread) {
    saved_hooks *top = thread->slots[TNI_SLOT_SAVED];
    thread->slots[TNI_SLOT_SAVED] = top->below;
    tni_object_release(&top->object);
}

static void saved_end(void *value) { /* the thread ends */
    for (saved_hooks *top = value; top;) {
        saved_hooks *below = top->below;
        tni_object_release(&top->object);
        top = below;
    }
}

tn_error tn_saved_hooks_push(const tn_saved_hooks *given) {
    tni_thread *thread = tni_thread_get();
    if (!given || given->struct_size < offsetof(tn_saved_hooks, drop) || !given->pack || !given->unpack)
        return tni_raise_in("saved_hooks_push", TN_ERROR_ARGUMENT, "hooks is NULL, or has no struct_size, pack or unpack");
    saved_hooks *hooks = tni_heap_calloc(sizeof *hooks);
    if (!hooks)
        return TN_ERROR_MEMORY;
    tni_object_init(&hooks->object, &saved_class);
    memcpy(&hooks->given, given, given->struct_size < sizeof *given ? given->struct_size : sizeof *given);
    hooks->below = thread->slots[TNI_SLOT_SAVED];
    thread->slots[TNI_SLOT_SAVED] = hooks;
    tni_thread_at_exit(TNI_SLOT_SAVED, saved_end);
    return TN_OK;
}

tn_error tn_saved_hooks_pop(void) {
    tni_thread *thread = tni_thread_get();
    if (!thread->slots[TNI_SLOT_SAVED])
        return tni_raise_in("saved_hooks_pop", TN_ERROR_STATE, "there are no hooks to take away");
    saved_pop(thread);
    return TN_OK;
}

/* ---- packing */

void tni_saved_drop(tni_saved_packed *packed) {
    if (packed->hooks->given.drop)
        packed->hooks->given.drop(packed->hooks->given.ctx, packed->packed);
    tni_object_release(&packed->hooks->object);
    tni_node_drop(packed->edge.node);
    tni_heap_free(packed, sizeof *packed);
}

static tn_error saved_failed(tn_error code) {
    if (!tni_failed_silently())
        return code;
    return tni_raise(code > TN_OK && code <= TN_ERROR_CANCELLED ? code : TN_ERROR_INTERNAL,
                     "a hook for kept tensors failed without giving a reason");
}

/* The hook's own calls are not recorded, and what it makes and does not keep is released. */
static tn_error saved_call_pack(const saved_hooks *hooks, const tn_tensor *tensor, void **packed) {
    tn_scope scope = tni_scope_open_hidden();
    if (scope.id == 0)
        return tni_failed();
    tn_key_state before = tni_record_set(false);
    tn_tensor *plain = tni_tensor_view(tensor, tensor->ndim, tensor->sizes, tensor->strides, tensor->offset);
    uint32_t version = tni_storage_version(tensor->storage);
    tn_error code = plain && tni_scope_adopt(plain) ? TN_OK : tni_failed();
    if (code == TN_OK) {
        tni_failed_forget();
        code = hooks->given.pack(hooks->given.ctx, plain, packed);
        code = code == TN_OK ? TN_OK : saved_failed(code);
        if (code == TN_OK && tni_storage_version(tensor->storage) != version) {
            if (hooks->given.drop)
                hooks->given.drop(hooks->given.ctx, *packed);
            code = tni_raise(TN_ERROR_STATE, "a hook changed the tensor %s, which it was to pack, in place",
                             tni_show_tensor(tensor));
        }
    }
    tn_keys_set(before);
    (void)tni_scope_close_hidden(scope, NULL);
    return code;
}

static bool saved_pack_one(tni_kept_value *kept, saved_hooks *hooks) {
    tn_tensor *tensor = kept->as.tensor;
    tni_saved_packed *packed = tni_heap_calloc(sizeof *packed);
    bool result = kept->kind == TNI_KEPT_RESULT;
    if (!packed)
        return false;
    if ((!result && !tni_slot_edge(tensor, &packed->edge)) || saved_call_pack(hooks, tensor, &packed->packed) != TN_OK) {
        tni_node_drop(packed->edge.node);
        tni_heap_free(packed, sizeof *packed);
        return false;
    }
    packed->hooks = hooks;
    tni_object_retain(&hooks->object);
    packed->result = result;
    packed->output = kept->output;
    kept->as.packed = packed;
    kept->kind = TNI_KEPT_PACKED;
    tni_object_drop(&tensor->object);
    return true;
}

bool tni_saved_pack(tni_node *node, bool results) {
    saved_hooks *hooks = tni_thread_get()->slots[TNI_SLOT_SAVED];
    bool done = true;
    if (!hooks)
        return true;
    tni_object_retain(&hooks->object); /* whatever it does to the stack */
    for (uint32_t i = 0; done && i < node->kept_count; i++)
        if (node->kept[i].as.tensor &&
            (node->kept[i].kind == TNI_KEPT_TENSOR || (results && node->kept[i].kind == TNI_KEPT_RESULT)))
            done = saved_pack_one(&node->kept[i], hooks);
    tni_object_release(&hooks->object);
    return done;
}

/* ---- unpacking */

/* The tensor with the history of the original, for gradients of gradients. */
static const tn_tensor *saved_with_history(tni_node *node, uint32_t output, const tn_tensor *plain) {
    tn_tensor *made = tni_tensor_view(plain, plain->ndim, plain->sizes, plain->strides, plain->offset);
    if (!made || !tni_slot_make(made)) {
        tni_tensor_release(made);
        return NULL;
    }
    tni_slot_set_node(made, node, output);
    return tni_scope_adopt(made);
}

const tn_tensor *tni_saved_unpack(const tni_backward *b, const tni_kept_value *kept) {
    const tni_saved_packed *packed = kept->as.packed;
    tni_failed_forget();
    const tn_tensor *plain = packed->hooks->given.unpack(packed->hooks->given.ctx, packed->packed);
    if (!plain)
        (void)saved_failed(TN_ERROR_INTERNAL);
    if (!plain || !tni_tensor_check(plain, "what a hook gave for a kept tensor"))
        return NULL;
    tni_node *node = packed->result ? b->node : packed->edge.node;
    uint32_t output = packed->result ? packed->output : packed->edge.output;
    if (!tni_recording() || !node || !node->outputs[output].has_gradient)
        return plain;
    return saved_with_history(node, output, plain);
}
