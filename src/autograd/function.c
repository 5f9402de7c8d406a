/* function.c - functions of the program that have derivatives of their own.
 *
 * The program computes the outputs while nothing is recorded, and tn_record gives them a node that calls back. So there is nothing to
 * learn about how a function must be written, and a kernel at TN_KEY_AUTOGRAD is how a registered operator gets a derivative.
 */
#include "autograd/backward.h"
#include "autograd/hook.h"
#include "autograd/record.h"
#include "autograd/saved.h"
#include "base/heap.h"
#include "base/scope.h"

/* Behind the node, in its block. */
typedef struct function {
    tni_node_kind kind; /* its name is the function's */
    tn_function given;
    bool live;   /* ctx is not given back yet */
    char name[]; /* rounded up to whole words */
} function;

static function *function_of(const tni_node *node) { return node->ctx; }

/* ---- backward */

/* Gradients that nobody gave become zeros, unless the function wants to know. */
static const tn_tensor **function_grads(tni_node *node, tn_tensor *const *grads) {
    const tn_tensor **all = tni_heap_calloc(node->output_count * sizeof *all);
    tni_backward b = {.node = node, .grads = grads};
    for (uint32_t i = 0; all && i < node->output_count; i++) {
        bool zeros = !grads[i] && !function_of(node)->given.missing_is_null && node->outputs[i].has_gradient;
        all[i] = zeros ? tni_backward_grad(&b, (int)i) : grads[i];
        if (zeros && !all[i]) {
            tni_heap_free((void *)all, node->output_count * sizeof *all);
            return NULL;
        }
    }
    return all;
}

static tn_error function_call(tni_node *node, const tn_tensor *const *grads, tn_tensor **made) {
    const tn_function *given = &function_of(node)->given;
    tni_failed_forget();
    tn_error code = given->backward(given->ctx, node, grads, node->output_count, made, node->edge_count);
    if (code != TN_OK && tni_failed_silently())
        return tni_raise(code > TN_OK && code <= TN_ERROR_CANCELLED ? code : TN_ERROR_INTERNAL,
                         "the derivative %s failed without giving a reason", tni_node_name(node));
    return code;
}

static tn_error function_run(tni_node *node, tn_tensor *const *grads, tn_tensor **results) {
    if (function_of(node)->given.once && tni_recording())
        return tni_raise(TN_ERROR_STATE, "the derivative %s has none itself: it was declared so", tni_node_name(node));
    const tn_tensor **all = function_grads(node, grads);
    tn_tensor **made = all ? tni_heap_calloc((node->edge_count + 1) * sizeof *made) : NULL;
    tn_error code = made ? function_call(node, all, made) : tni_failed();
    for (uint32_t i = 0; code == TN_OK && i < node->edge_count; i++)
        if (made[i] && !tni_tensor_check(made[i], "a gradient that a function gave"))
            code = tni_failed();
    for (uint32_t i = 0; code == TN_OK && i < node->edge_count; i++)
        if (made[i] && node->edges[i].node)
            results[i] = tni_tensor_retain(made[i]);
    if (made)
        tni_heap_free(made, (node->edge_count + 1) * sizeof *made);
    if (all)
        tni_heap_free((void *)all, node->output_count * sizeof *all);
    return code;
}

static void function_end(tni_node *node) {
    function *f = function_of(node);
    if (f->live && f->given.deleter)
        f->given.deleter(f->given.ctx);
    f->live = false;
}

/* ---- recording */

static bool function_check_all(const tn_tensor *const *tensors, int64_t count, const char *name) {
    if (count < 0 || (count && !tensors)) {
        tni_raise(TN_ERROR_ARGUMENT, count < 0 ? "the number of %s is negative" : "%s is NULL", name);
        return false;
    }
    for (int64_t i = 0; i < count; i++)
        if (!tni_tensor_check(tensors[i], name))
            return false;
    return true;
}

static bool function_is_among(const tn_tensor *tensor, const tn_tensor *const *tensors, int64_t count, uint32_t *at) {
    for (int64_t i = 0; i < count; i++)
        if (tensors[i] == tensor) {
            *at = (uint32_t)i;
            return true;
        }
    return false;
}

/* An output is new, or an input that was changed in place. */
static bool function_takes_output(const tn_tensor *output, int64_t i, const tn_tensor *const *inputs, int64_t count) {
    uint32_t at;
    if (!tni_wants_gradient(output))
        return true;
    const tni_slot *slot = tni_slot_of(output);
    if (!function_is_among(output, inputs, count, &at))
        tni_raise(TN_ERROR_STATE, "output %" PRId64 " %s has a history already: compute it while gradients are off", i,
                  tni_show_tensor(output));
    else if (slot->requires)
        tni_raise(TN_ERROR_STATE, "output %" PRId64 " %s is a leaf that requires a gradient: it cannot be changed in place", i,
                  tni_show_tensor(output));
    else if (slot->base)
        tni_raise(TN_ERROR_UNSUPPORTED,
                  "output %" PRId64 " %s is a view that a function changed in place: that cannot be recorded", i,
                  tni_show_tensor(output));
    else
        return true;
    return false;
}

typedef struct function_arguments {
    const tn_function *given;
    const tn_tensor *const *inputs, *const *outputs, *const *saved;
    int64_t input_count, output_count, saved_count;
} function_arguments;

static size_t function_bytes(const char *name) { return (sizeof(function) + strlen(name) + 8) & ~(size_t)7; }

static bool function_keep_all(tni_node *node, const function_arguments *a) {
    for (int64_t i = 0; i < a->saved_count; i++) {
        uint32_t output;
        if (tni_storage_is_inference(a->saved[i]->storage)) {
            tni_raise(TN_ERROR_STATE, "%s was made in inference mode, and cannot be kept for a derivative; clone it first",
                      tni_show_tensor(a->saved[i]));
            return false;
        }
        if (!(function_is_among(a->saved[i], a->outputs, a->output_count, &output)
                  ? tni_record_keep_output(&node->kept[i], a->saved[i], output)
                  : tni_record_keep(&node->kept[i], a->saved[i])))
            return false;
    }
    return true;
}

static tni_node *function_node(const function_arguments *a) {
    const char *name = a->given->name ? a->given->name : "FunctionBackward";
    size_t tail = function_bytes(name);
    char *room;
    for (int64_t i = 0; i < a->output_count; i++)
        tail += (size_t)a->outputs[i]->ndim * sizeof(int64_t);
    tni_node *node = tni_node_new((uint32_t)a->input_count, (uint32_t)a->output_count, (uint32_t)a->saved_count, tail, &room);
    if (!node)
        return NULL;
    function *f = (function *)room;
    memcpy(f->name, name, strlen(name) + 1);
    f->kind = (tni_node_kind){f->name, function_run, function_end, function_end};
    f->given = *a->given;
    f->live = false;
    node->kind = &f->kind;
    node->ctx = f;
    room += function_bytes(name);
    for (int64_t i = 0; i < a->output_count; i++)
        tni_record_output(&node->outputs[i], a->outputs[i], &room);
    bool done = function_keep_all(node, a) && (!tni_saved_has_hooks() || tni_saved_pack(node, true));
    for (int64_t i = 0; done && i < a->input_count; i++)
        done = tni_slot_edge((tn_tensor *)(uintptr_t)a->inputs[i], &node->edges[i]);
    if (!done) {
        tni_node_drop(node); /* f->live is not set: the ctx stays the caller's */
        return NULL;
    }
    tni_node_give_number(node);
    return node;
}

static tn_error function_record(const function_arguments *a) {
    if (!a->given || a->given->struct_size < offsetof(tn_function, ctx) || !a->given->backward)
        return tni_raise(TN_ERROR_ARGUMENT, "function is NULL, or has no struct_size or no backward");
    if (!function_check_all(a->inputs, a->input_count, "inputs") ||
        !function_check_all(a->outputs, a->output_count, "outputs") || !function_check_all(a->saved, a->saved_count, "saved"))
        return tni_failed();
    bool wanted = false;
    for (int64_t i = 0; i < a->input_count; i++)
        wanted = wanted || tni_wants_gradient(a->inputs[i]);
    if (!wanted || !tni_recording() || !a->output_count) {
        if (a->given->deleter)
            a->given->deleter(a->given->ctx);
        return TN_OK;
    }
    for (int64_t i = 0; i < a->output_count; i++)
        if (!function_takes_output(a->outputs[i], i, a->inputs, a->input_count) ||
            (tni_can_have_gradient(a->outputs[i]->dtype) && !tni_slot_make((tn_tensor *)(uintptr_t)a->outputs[i])))
            return tni_failed();
    tni_node *node = function_node(a);
    if (!node)
        return tni_failed();
    function_of(node)->live = true;
    for (int64_t i = 0; i < a->output_count; i++)
        if (tni_can_have_gradient(a->outputs[i]->dtype))
            tni_slot_set_node((tn_tensor *)(uintptr_t)a->outputs[i], node, (uint32_t)i);
    tni_node_drop(node);
    return TN_OK;
}

tn_error tn_record(const tn_function *given, const tn_tensor *const *inputs, int64_t input_count, tn_tensor *const *outputs,
                   int64_t output_count, const tn_tensor *const *saved, int64_t saved_count) {
    const char *outer = tni_operator_enter("record");
    tn_function known = {0};
    if (given && given->struct_size >= sizeof given->struct_size)
        memcpy(&known, given, given->struct_size < sizeof known ? given->struct_size : sizeof known);
    function_arguments arguments = {given ? &known : NULL, inputs,     (const tn_tensor *const *)outputs, saved, input_count,
                                    output_count,          saved_count};
    tn_error code = function_record(&arguments);
    tni_operator_leave(outer);
    return code;
}

/* ---- what the derivative asks its node */

bool tn_node_wants(const tn_node *node, int64_t i) {
    return node && node->object.class == &tni_node_class && i >= 0 && i < node->edge_count && node->edges[i].node;
}

int64_t tn_node_saved_count(const tn_node *node) {
    return node && node->object.class == &tni_node_class && node->kind && node->kind->run == function_run ? node->kept_count
                                                                                                          : 0;
}

tn_tensor *tn_node_saved(const tn_node *node, int64_t i) {
    const char *outer = tni_operator_enter("node_saved");
    const tn_tensor *tensor = NULL;
    tni_backward b = {.node = (tni_node *)(uintptr_t)node};
    if (!tni_object_check((const tni_object *)node, &tni_node_class, "node"))
        ;
    else if (i < 0 || i >= tn_node_saved_count(node))
        tni_raise(TN_ERROR_INDEX, "there is no saved tensor %" PRId64 " among %" PRId64, i, tn_node_saved_count(node));
    else if (node->released)
        tni_raise(TN_ERROR_STATE, "%s was already run, and what it kept was given back; ask for retain_graph to keep it",
                  tni_node_name(node));
    else if (!tni_kept_tensor(&b, (int)i, &tensor))
        tensor = NULL;
    tni_operator_leave(outer);
    return tensor ? tni_scope_adopt(tni_tensor_retain(tensor)) : NULL;
}

/* ---- what the program's objects hold */

void tn_node_contexts(const tn_node *node, tn_context_visitor visit, void *arg) {
    if (!node || !visit || node->object.class != &tni_node_class)
        return;
    tni_hooks_visit(node->hooks, visit, arg);
    if (node->kind && node->kind->run == function_run && function_of(node)->live)
        visit(arg, function_of(node)->given.ctx, function_of(node)->given.deleter);
}

void tn_tensor_contexts(const tn_tensor *tensor, tn_context_visitor visit, void *arg) {
    if (!tensor || !visit || !tensor->tracked || !tni_object_is_last(&tensor->object))
        return;
    const tni_slot *slot = tni_slot_of(tensor);
    tni_hooks_visit(slot->hooks, visit, arg);
    if (slot->node && tni_object_is_last(&slot->node->object))
        tn_node_contexts(slot->node, visit, arg);
}
