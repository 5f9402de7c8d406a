/* hook.c - functions of the program that backward calls on its way.
 *
 * A hook hangs in a list: that of a node, or, for leaves, that of the tensor's slot, since a leaf's node comes and goes. The list counts
 * it, and so does the handle that the program got. A removed hook stays in its list without effect until that is looked through
 * for the next one; what it held is given back at once, or when it returns, if it removed itself.
 *
 * A hook runs as a kernel does: a scope is open, so what it makes needs no release, and the thread records only if gradients of gradients
 * are wanted.
 */
#include "autograd/hook.h"

#include "autograd/rebase.h"
#include "base/error.h"
#include "base/heap.h"
#include "tensor/tensor.h"

/* ---- the object */

static void hook_give_back(tn_hook *hook) {
    void *ctx = hook->ctx;
    tn_deleter deleter = hook->deleter;
    hook->ctx = NULL;
    hook->deleter = NULL;
    if (deleter)
        deleter(ctx);
}

static void hook_destroy(tni_object *object) {
    tn_hook *hook = (tn_hook *)object;
    hook_give_back(hook);
    object->class = &tni_dead_class;
    tni_heap_free(hook, sizeof *hook);
}

static const tni_class hook_class = {"hook", hook_destroy};

static void hook_end(tn_hook *hook) {
    if (--hook->running == 0 && hook->removed)
        hook_give_back(hook);
}

void tn_hook_remove(tn_hook *hook) {
    if (!hook || !tni_object_check(&hook->object, &hook_class, "hook") || hook->removed)
        return;
    hook->removed = true;
    if (!hook->running)
        hook_give_back(hook);
}

void tn_hook_release(tn_hook *hook) {
    if (hook && tni_object_check(&hook->object, &hook_class, "hook"))
        tni_object_release(&hook->object);
}

void tni_hooks_drop(tn_hook *first) {
    while (first) {
        tn_hook *next = first->next;
        tni_object_release(&first->object);
        first = next;
    }
}

void tni_hooks_visit(tn_hook *first, tn_context_visitor visit, void *arg) {
    for (; first; first = first->next)
        if (!first->removed)
            visit(arg, first->ctx, first->deleter);
}

/* ---- hanging one up */

/* At the end of the list; removed ones are taken out on the way. */
static void hook_append(tn_hook **place, tn_hook *hook) {
    while (*place) {
        tn_hook *here = *place;
        if (here->removed && !here->running) {
            *place = here->next;
            tni_object_release(&here->object);
        } else
            place = &here->next;
    }
    *place = hook;
    tni_object_retain(&hook->object);
}

static tn_hook *hook_new(tni_hook_kind kind, uint32_t output, void *ctx, tn_deleter deleter) {
    tn_hook *hook = tni_heap_calloc(sizeof *hook);
    if (!hook)
        return NULL;
    tni_object_init(&hook->object, &hook_class);
    hook->kind = kind;
    hook->output = output;
    hook->ctx = ctx;
    hook->deleter = deleter;
    return hook;
}

static tn_hook *hook_on_tensor(tn_tensor *tensor, tni_hook_kind kind, bool function, void *ctx, tn_deleter deleter) {
    if (!tni_tensor_check(tensor, "tensor"))
        return NULL;
    if (!function)
        return tni_raise_null(TN_ERROR_ARGUMENT, "hook is NULL");
    if (!tni_wants_gradient(tensor))
        return tni_raise_null(TN_ERROR_STATE, "the tensor %s requires no gradient, so there is none to see",
                              tni_show_tensor(tensor));
    if (!tni_rebase_refresh(tensor))
        return NULL;
    tni_slot *slot = tni_slot_of(tensor);
    if (kind == TNI_HOOK_ACCUMULATED && slot->node)
        return tni_raise_null(TN_ERROR_STATE, "the tensor %s was computed, and only the gradients of leaves are added up",
                              tni_show_tensor(tensor));
    tn_hook *hook = hook_new(kind, slot->node ? slot->output : 0, ctx, deleter);
    if (hook)
        hook_append(slot->node ? &slot->node->hooks : &slot->hooks, hook);
    return hook;
}

tn_hook *tn_hook_gradient(tn_tensor *tensor, tn_gradient_hook function, void *ctx, tn_deleter deleter) {
    const char *outer = tni_operator_enter("hook_gradient");
    tn_hook *hook = hook_on_tensor(tensor, TNI_HOOK_GRADIENT, function != NULL, ctx, deleter);
    if (hook)
        hook->function.gradient = function;
    tni_operator_leave(outer);
    return hook;
}

tn_hook *tn_hook_accumulated(tn_tensor *tensor, tn_accumulated_hook function, void *ctx, tn_deleter deleter) {
    const char *outer = tni_operator_enter("hook_accumulated");
    tn_hook *hook = hook_on_tensor(tensor, TNI_HOOK_ACCUMULATED, function != NULL, ctx, deleter);
    if (hook)
        hook->function.accumulated = function;
    tni_operator_leave(outer);
    return hook;
}

static tn_hook *hook_on_node(tn_node *node, tni_hook_kind kind, tn_node_hook function, void *ctx, tn_deleter deleter) {
    const char *outer = tni_operator_enter(kind == TNI_HOOK_BEFORE ? "hook_before" : "hook_after");
    tn_hook *hook = NULL;
    if (tni_object_check((tni_object *)node, &tni_node_class, "node")) {
        if (!function)
            tni_raise(TN_ERROR_ARGUMENT, "hook is NULL");
        else if ((hook = hook_new(kind, 0, ctx, deleter)) != NULL) {
            hook->function.node = function;
            hook_append(&node->hooks, hook);
        }
    }
    tni_operator_leave(outer);
    return hook;
}

tn_hook *tn_hook_before(tn_node *node, tn_node_hook function, void *ctx, tn_deleter deleter) {
    return hook_on_node(node, TNI_HOOK_BEFORE, function, ctx, deleter);
}
tn_hook *tn_hook_after(tn_node *node, tn_node_hook function, void *ctx, tn_deleter deleter) {
    return hook_on_node(node, TNI_HOOK_AFTER, function, ctx, deleter);
}

/* ---- running them */

static tn_error hook_failed(tn_error code) {
    if (!tni_failed_silently())
        return code;
    return tni_raise(code > TN_OK && code <= TN_ERROR_CANCELLED ? code : TN_ERROR_INTERNAL,
                     "a hook failed without giving a reason");
}

/* Another gradient in the place of one: it must look the same. */
static tn_error hook_replace(tn_tensor **grad, tn_tensor *other) {
    if (!tni_tensor_check(other, "the gradient that a hook gave"))
        return tni_failed();
    const tn_tensor *before = *grad;
    bool same = !before || (before->ndim == other->ndim && before->dtype == other->dtype);
    for (int64_t d = 0; before && same && d < other->ndim; d++)
        same = before->sizes[d] == other->sizes[d];
    if (!same)
        return tni_raise(TN_ERROR_SHAPE, "a hook gave a gradient %s in the place of %s", tni_show_tensor(other),
                         tni_show_tensor(before));
    tni_object_retain(&other->object);
    tni_tensor_release(*grad);
    *grad = other;
    return TN_OK;
}

tn_error tni_hooks_gradient(tn_hook *first, uint32_t output, tn_tensor **grad) {
    tn_error code = TN_OK;
    for (tn_hook *hook = first; hook && code == TN_OK; hook = hook->next) {
        if (hook->removed || hook->kind != TNI_HOOK_GRADIENT || hook->output != output)
            continue;
        tn_tensor *other = NULL;
        hook->running++;
        tni_failed_forget();
        code = hook->function.gradient(hook->ctx, *grad, &other);
        hook_end(hook);
        if (code != TN_OK)
            code = hook_failed(code);
        else if (other && other != *grad)
            code = hook_replace(grad, other);
    }
    return code;
}

tn_error tni_hooks_accumulated(tn_hook *first, tn_tensor *tensor) {
    tn_error code = TN_OK;
    for (tn_hook *hook = first; hook && code == TN_OK; hook = hook->next) {
        if (hook->removed || hook->kind != TNI_HOOK_ACCUMULATED)
            continue;
        hook->running++;
        tni_failed_forget();
        code = hook->function.accumulated(hook->ctx, tensor);
        hook_end(hook);
        if (code != TN_OK)
            code = hook_failed(code);
    }
    return code;
}

/* One hook of a node: it may put other gradients into `grads`, of which it owns none. */
static tn_error hook_run_node(tn_hook *hook, tn_node *node, tn_tensor **grads, int64_t count, tn_tensor *const *others,
                              int64_t other_count) {
    size_t bytes = (size_t)(count ? count : 1) * sizeof(tn_tensor *);
    tn_tensor **given = tni_heap_alloc(bytes);
    if (!given)
        return tni_failed();
    for (int64_t i = 0; i < count; i++)
        given[i] = grads[i];
    hook->running++;
    tni_failed_forget();
    tn_error code = hook->function.node(hook->ctx, node, given, count, (const tn_tensor *const *)others, other_count);
    hook_end(hook);
    if (code != TN_OK)
        code = hook_failed(code);
    for (int64_t i = 0; code == TN_OK && i < count; i++)
        if (given[i] && given[i] != grads[i])
            code = hook_replace(&grads[i], given[i]);
    tni_heap_free(given, bytes);
    return code;
}

tn_error tni_hooks_before(tn_hook *first, tn_node *node, tn_tensor **grads, int64_t count) {
    tn_error code = TN_OK;
    for (tn_hook *hook = first; hook && code == TN_OK; hook = hook->next)
        if (!hook->removed && hook->kind == TNI_HOOK_BEFORE)
            code = hook_run_node(hook, node, grads, count, NULL, 0);
    return code;
}

tn_error tni_hooks_after(tn_hook *first, tn_node *node, tn_tensor **results, int64_t result_count, tn_tensor **grads,
                         int64_t count) {
    tn_error code = TN_OK;
    for (tn_hook *hook = first; hook && code == TN_OK; hook = hook->next)
        if (!hook->removed && hook->kind == TNI_HOOK_AFTER)
            code = hook_run_node(hook, node, results, result_count, grads, count);
    return code;
}
