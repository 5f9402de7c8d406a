/* engine.c - backward: gradients from the roots of a graph down to its leaves.
 *
 * Nodes that have a gradient wait in a heap, the newest first. An edge always goes to an older node (node.h), so when a node is the
 * newest of those that wait, everything that could add to its gradient has run: no dependencies are counted, nothing recurses,
 * and a chain of a million calls needs no more memory than a short one. A leaf's node is as old as the leaf's first use, so it runs
 * as soon as that has given its part.
 *
 * The engine, not the formula, makes a gradient fit: sums over what was broadcast, casts, and leaves out what nobody wants. Two
 * gradients of one output are added in place where nobody else can see the first.
 *
 * With inputs, only the nodes between the roots and them run: those are found first (engine_mark).
 */
#include <stdlib.h>

#include "autograd/backward.h"
#include "autograd/hook.h"
#include "autograd/node_map.h"
#include "autograd/slot.h"
#include "base/cancel.h"
#include "base/heap.h"
#include "base/scope.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_reduce.h"
#include "operators_view.h"

/* A node that waits, with what it has got so far. */
typedef struct engine_entry {
    tni_node *node;    /* counted */
    tn_tensor **grads; /* of its outputs: counted, or NULL */
    tn_tensor *one;    /* where they are if there is one output */
} engine_entry;

/* What tn_grad is asked for: the gradient of an output of a node. */
typedef struct engine_capture {
    tni_edge edge;   /* its node counted */
    tn_tensor *grad; /* counted, or NULL */
} engine_capture;

typedef struct engine {
    bool retain, create;
    engine_entry **heap;
    size_t waiting, heap_room;
    engine_entry *heap_inline[ENGINE_WAITING];
    engine_entry few[ENGINE_SCANNED]; /* the first entries; a bit of `free` is set for each that is not used */
    uint32_t free;
    bool mapped;        /* there were more: `entries` knows all of them */
    bool selects;       /* only what leads to the inputs runs */
    bool captures_only; /* tn_grad: leaves are not added to    */
    engine_capture *captures;
    int64_t capture_count;
    tni_node_map entries; /* node -> engine_entry */
    tni_node_map marks;   /* where it selects: ENGINE_LEADS, or ENGINE_SEEN */
} engine;

static char engine_seen, engine_leads;
#define ENGINE_SEEN ((void *)&engine_seen)
#define ENGINE_LEADS ((void *)&engine_leads)

/* ---- the heap */

/* A leaf before the node whose number it has: nothing of that number leads to it. */
static bool engine_before(const engine_entry *a, const engine_entry *b) {
    return a->node->number > b->node->number || (a->node->number == b->node->number && a->node->leaf && !b->node->leaf);
}

static bool engine_reserve(engine *e) {
    if (e->waiting < e->heap_room)
        return true;
    engine_entry **larger = tni_heap_alloc(2 * e->heap_room * sizeof *larger);
    if (!larger)
        return false;
    memcpy(larger, e->heap, e->waiting * sizeof *larger);
    if (e->heap != e->heap_inline)
        tni_heap_free(e->heap, e->heap_room * sizeof *larger);
    e->heap = larger;
    e->heap_room *= 2;
    return true;
}

static void engine_push(engine *e, engine_entry *entry) {
    size_t at = e->waiting++;
    for (size_t up; at > 0 && engine_before(entry, e->heap[up = (at - 1) / 2]); at = up)
        e->heap[at] = e->heap[up];
    e->heap[at] = entry;
}

static engine_entry *engine_pop(engine *e) {
    engine_entry *first = e->heap[0], *last = e->heap[--e->waiting];
    size_t at = 0;
    for (size_t down; (down = 2 * at + 1) < e->waiting; at = down) {
        if (down + 1 < e->waiting && engine_before(e->heap[down + 1], e->heap[down]))
            down++;
        if (!engine_before(e->heap[down], last))
            break;
        e->heap[at] = e->heap[down];
    }
    e->heap[at] = last;
    if (e->mapped)
        tni_node_map_remove(&e->entries, first->node);
    return first;
}

/* ---- entries */

static engine_entry *engine_entry_new(engine *e, tni_node *node) {
    engine_entry *entry = e->free ? &e->few[__builtin_ctz(e->free)] : tni_heap_alloc(sizeof *entry);
    if (!entry)
        return NULL;
    entry->node = node;
    entry->one = NULL;
    entry->grads = &entry->one;
    if (node->output_count > 1 && !(entry->grads = tni_heap_calloc(node->output_count * sizeof *entry->grads))) {
        if (!e->free)
            tni_heap_free(entry, sizeof *entry);
        return NULL;
    }
    e->free &= e->free - 1;
    return entry;
}

static void engine_entry_free(engine *e, engine_entry *entry, uint32_t outputs) {
    if (entry->grads != &entry->one)
        tni_heap_free(entry->grads, outputs * sizeof *entry->grads);
    if (entry >= e->few && entry < e->few + ENGINE_SCANNED)
        e->free |= UINT32_C(1) << (entry - e->few);
    else
        tni_heap_free(entry, sizeof *entry);
}

static bool engine_map_all(engine *e) {
    tni_node_map_begin(&e->entries);
    e->mapped = true;
    for (size_t i = 0; i < e->waiting; i++)
        if (!tni_node_map_set(&e->entries, e->heap[i]->node, e->heap[i]))
            return false;
    return true;
}

/* Few are looked through. */
static engine_entry *engine_find(const engine *e, const tni_node *node) {
    if (e->mapped)
        return tni_node_map_get(&e->entries, node);
    for (size_t i = 0; i < e->waiting; i++)
        if (e->heap[i]->node == node)
            return e->heap[i];
    return NULL;
}

static void engine_drop_grads(engine_entry *entry) {
    for (uint32_t i = 0; i < entry->node->output_count; i++)
        if (entry->grads[i]) {
            tni_tensor_release(entry->grads[i]);
            entry->grads[i] = NULL;
        }
}

static void engine_free(engine *e, engine_entry *entry) {
    tni_node *node = entry->node;
    engine_drop_grads(entry);
    engine_entry_free(e, entry, node->output_count);
    tni_node_drop(node);
}

static engine_entry *engine_entry_of(engine *e, tni_node *node) {
    engine_entry *entry = engine_find(e, node);
    if (entry)
        return entry;
    if (!e->mapped && e->waiting == ENGINE_SCANNED && !engine_map_all(e))
        return NULL;
    if (!engine_reserve(e) || !(entry = engine_entry_new(e, node)))
        return NULL;
    if (e->mapped && !tni_node_map_set(&e->entries, node, entry)) {
        engine_entry_free(e, entry, node->output_count);
        return NULL;
    }
    tni_node_retain(node);
    engine_push(e, entry);
    return entry;
}

/* ---- gradients that fit */

static bool engine_same_sizes(const tn_tensor *grad, const tni_output *like) {
    return grad->ndim == like->ndim &&
           (like->ndim == 0 || memcmp(grad->sizes, like->sizes, (size_t)like->ndim * sizeof(int64_t)) == 0);
}

/* Whether sums over dimensions make the sizes of `grad` those of `like`. */
static bool engine_reduces(const tn_tensor *grad, const tni_output *like) {
    int64_t lead = (int64_t)grad->ndim - like->ndim;
    for (int64_t d = 0; lead >= 0 && d < like->ndim; d++)
        if (like->sizes[d] != 1 && like->sizes[d] != grad->sizes[lead + d])
            return false;
    return lead >= 0;
}

/* `grad` with the sizes, dtype and device of an output; a scope is open. */
static tn_tensor *engine_fit(tn_tensor *grad, const tni_output *like, const tni_node *from) {
    tn_dims sizes = {like->sizes, like->ndim};
    if (!engine_same_sizes(grad, like)) {
        if (!engine_reduces(grad, like))
            return tni_raise_null(TN_ERROR_SHAPE, "%s gave a gradient of sizes %s where %s are expected", tni_node_name(from),
                                  tni_show_dims(grad->sizes, grad->ndim), tni_show_dims(like->sizes, like->ndim));
        grad = tn_sum_to_size(grad, sizes);
    }
    if (grad && grad->dtype != like->dtype) {
        if (tn_dtype_is_complex((tn_dtype)grad->dtype) && !tn_dtype_is_complex((tn_dtype)like->dtype))
            grad = tn_real(grad);
        grad = tn_to(grad, (tn_dtype)like->dtype);
    }
    if (grad && !tn_device_equal(tni_tensor_device(grad), like->device))
        grad = tn_to_device(grad, like->device);
    return grad;
}

/* Whether nobody else can see a gradient or its memory, so that it can be added to. */
static bool engine_is_own(const tn_tensor *grad) {
    return tni_object_is_last(&grad->object) && tni_object_is_last(&grad->storage->object) && !grad->tracked &&
           !grad->readonly && !grad->storage->locked && tni_tensor_is_dense(grad);
}

/* Adds to a place that holds a gradient or NULL; takes the reference `grad`. */
static bool engine_add(tn_tensor **place, tn_tensor *grad) {
    if (!*place) {
        *place = grad;
        return true;
    }
    tn_scope scope = tni_scope_open_hidden();
    tn_tensor *sum = NULL;
    bool record = tni_recording();
    if (scope.id != 0)
        sum = !record && engine_is_own(*place) ? tn_add_(*place, grad)
              : !record && engine_is_own(grad) ? tn_add_(grad, *place)
                                               : tn_add(*place, grad);
    if (sum)
        tni_object_retain(&sum->object);
    if (scope.id != 0)
        (void)tni_scope_close_hidden(scope, NULL);
    tni_tensor_release(grad);
    if (!sum)
        return false;
    tni_tensor_release(*place);
    *place = sum;
    return true;
}

/* ---- one node */

static bool engine_leads_on(const engine *e, const tni_node *node) {
    return !e->selects || tni_node_map_get(&e->marks, node) == ENGINE_LEADS;
}

static bool engine_fits(const tn_tensor *grad, const tni_output *like) {
    tn_device device = tni_tensor_device(grad);
    return engine_same_sizes(grad, like) && grad->dtype == like->dtype && device.type == like->device.type &&
           device.index == like->device.index;
}

/* The gradient of an edge goes to the node it leads to; takes the reference. */
static tn_error engine_send(engine *e, const tni_node *from, tni_edge edge, tn_tensor *grad) {
    const tni_output *like = &edge.node->outputs[edge.output];
    if (!engine_fits(grad, like)) {
        tn_scope scope = tni_scope_open_hidden();
        tn_tensor *fitting = scope.id ? engine_fit(grad, like, from) : NULL;
        if (fitting)
            tni_object_retain(&fitting->object);
        if (scope.id)
            (void)tni_scope_close_hidden(scope, NULL);
        tni_tensor_release(grad);
        if (!fitting)
            return tni_failed();
        grad = fitting;
    }
    engine_entry *entry = engine_entry_of(e, edge.node);
    if (!entry) {
        tni_tensor_release(grad);
        return tni_failed();
    }
    return engine_add(&entry->grads[edge.output], grad) ? TN_OK : tni_failed();
}

/* Tensors that retain their gradients, though they are no leaves. */
static tn_error engine_retain(const engine_entry *entry) {
    const tni_node *node = entry->node;
    tn_error code = TN_OK;
    for (uint32_t i = 0; code == TN_OK && i < node->output_count; i++)
        if (node->outputs[i].retains && entry->grads[i])
            code = tni_slot_accumulate(node->outputs[i].retains, tni_tensor_retain(entry->grads[i]));
    return code;
}

/* The hooks of a tensor see its gradient first, then who asked for it, then the tensor itself where it retains its gradient. */
static tn_error engine_look(engine *e, engine_entry *entry) {
    tni_node *node = entry->node;
    tn_hook *hooks = node->leaf ? tni_slot_of(node->ctx)->hooks : node->hooks;
    tn_error code = TN_OK;
    for (uint32_t i = 0; hooks && code == TN_OK && i < node->output_count; i++)
        if (entry->grads[i])
            code = tni_hooks_gradient(hooks, i, &entry->grads[i]);
    for (int64_t i = 0; code == TN_OK && i < e->capture_count; i++) {
        engine_capture *capture = &e->captures[i];
        if (capture->edge.node == node && entry->grads[capture->edge.output])
            capture->grad = tni_tensor_retain(entry->grads[capture->edge.output]);
    }
    return code == TN_OK ? engine_retain(entry) : code;
}

/* The inputs of a node whose gradients somebody wants. */
static uint32_t engine_wanted(const engine *e, const tni_node *node) {
    uint32_t wanted = 0;
    if (!e->selects)
        return node->wanted;
    for (int i = 0; i < node->gradient->input_count; i++) {
        uint32_t first, count = tni_backward_edges(node, i, &first);
        for (uint32_t k = 0; k < count; k++)
            if (node->edges[first + k].node && engine_leads_on(e, node->edges[first + k].node))
                wanted |= UINT32_C(1) << i;
    }
    return wanted & node->wanted;
}

/* ---- NaN */

static _Atomic bool engine_anomalies;

bool tn_set_anomaly_detection(bool on) { return atomic_exchange(&engine_anomalies, on); }
bool tn_anomaly_detection(void) { return atomic_load(&engine_anomalies); }

/* Which call it was, by its operator and the sizes of what it gave. */
static tn_error engine_find_nan(const tni_node *node, tn_tensor *const *results) {
    for (uint32_t i = 0; i < node->edge_count; i++) {
        if (!results[i] || !tni_can_have_gradient(results[i]->dtype))
            continue;
        tn_tensor *any = tn_any(tn_isnan(results[i]));
        if (!any)
            return tni_failed();
        if (!tn_item_bool(any))
            continue;
        const tni_output *output = &node->outputs[0];
        return tni_raise(
            TN_ERROR_STATE,
            "%s gave NaN in the gradient of its input %u; it is the derivative of a call of %s that gave %s of sizes %s",
            tni_node_name(node), (unsigned)i, node->op ? tni_operator_text(node->op, node->op->name) : "a function",
            tn_dtype_name((tn_dtype)output->dtype), tni_show_dims(output->sizes, output->ndim));
    }
    return TN_OK;
}

/* Whether a node is run, or reached only because somebody asked for the gradient that it got. */
static bool engine_runs(const engine *e, const tni_node *node) {
    bool runs = node->leaf ? !e->captures_only : !e->selects;
    for (uint32_t i = 0; !runs && i < node->edge_count; i++)
        runs = node->edges[i].node && engine_leads_on(e, node->edges[i].node);
    return runs;
}

/* How many gradients hooks of a node see: results of an operator that have none, such as indices, are no part of it. */
static uint32_t engine_shown(const tni_node *node) {
    uint32_t count = node->output_count;
    while (!node->kind && count > 1 && !node->outputs[count - 1].has_gradient)
        count--;
    return count;
}

static tn_error engine_run_node(engine *e, engine_entry *entry, tn_tensor **results) {
    tni_node *node = entry->node;
    if (!node->leaf && atomic_load_explicit(&node->released, memory_order_relaxed))
        return tni_raise(
            TN_ERROR_STATE,
            "%s was already run, and what it kept was given back; ask for retain_graph the first time to run it twice",
            tni_node_name(node));
    tn_error code = node->hooks ? tni_hooks_before(node->hooks, node, entry->grads, engine_shown(node)) : TN_OK;
    if (code == TN_OK)
        code = node->kind ? node->kind->run(node, entry->grads, results)
                          : tni_backward_run(node, entry->grads, engine_wanted(e, node), results);
    if (code == TN_OK && atomic_load_explicit(&engine_anomalies, memory_order_relaxed))
        code = engine_find_nan(node, results);
    if (code == TN_OK && node->hooks)
        code = tni_hooks_after(node->hooks, node, results, node->edge_count, entry->grads, engine_shown(node));
    return code;
}

static tn_error engine_send_all(engine *e, tni_node *node, tn_tensor **results) {
    tn_error code = TN_OK;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        tn_tensor *grad = results[i];
        if (!grad)
            continue;
        tni_edge edge = node->edges[i];
        if (code == TN_OK && edge.node && engine_leads_on(e, edge.node))
            code = engine_send(e, node, edge, grad);
        else
            tni_tensor_release(grad);
    }
    return code;
}

/* A leaf that nobody looks at is only added to. */
static bool engine_is_bare(const engine *e, const tni_node *node) {
    return node->leaf && !e->captures && !node->hooks && !tni_slot_of(node->ctx)->hooks && tni_slot_of(node->ctx)->requires;
}

static tn_error engine_step(engine *e, engine_entry *entry) {
    tni_node *node = entry->node;
    if (engine_is_bare(e, node)) {
        tn_tensor *grad = entry->one;
        entry->one = NULL;
        return tni_slot_accumulate(node->ctx, grad);
    }
    tn_tensor *few[ENGINE_RESULTS] = {NULL}, **results = few;
    if (node->edge_count > ENGINE_RESULTS && !(results = tni_heap_calloc(node->edge_count * sizeof *results)))
        return tni_failed();
    tn_scope scope = tni_scope_open_hidden();
    tn_error code = scope.id ? engine_look(e, entry) : tni_failed();
    bool runs = engine_runs(e, node);
    if (code == TN_OK && runs)
        code = engine_run_node(e, entry, results);
    if (scope.id)
        (void)tni_scope_close_hidden(scope, NULL);
    engine_drop_grads(entry);
    if (code == TN_OK && runs && !e->retain)
        tni_node_release_kept(node);
    if (code == TN_OK)
        code = engine_send_all(e, node, results);
    else
        for (uint32_t i = 0; i < node->edge_count; i++)
            tni_tensor_release(results[i]);
    if (results != few)
        tni_heap_free(results, node->edge_count * sizeof *results);
    return code;
}

/* ---- which nodes lead to the inputs */

typedef struct engine_list {
    const tni_node **nodes;
    size_t count, room;
} engine_list;

static bool engine_list_add(engine_list *list, const tni_node *node) {
    void *nodes = (void *)list->nodes;
    bool grown = tni_heap_grow(&nodes, &list->room, list->count + 1, sizeof *list->nodes);
    list->nodes = nodes;
    if (grown)
        list->nodes[list->count++] = node;
    return grown;
}

static int engine_older(const void *a, const void *b) {
    uint64_t x = (*(const tni_node *const *)a)->number, y = (*(const tni_node *const *)b)->number;
    return x < y ? -1 : x > y;
}

static bool engine_note(engine *e, engine_list *list, const tni_node *node, uint64_t oldest) {
    if (!node || node->number < oldest || tni_node_map_get(&e->marks, node))
        return true;
    return tni_node_map_set(&e->marks, node, ENGINE_SEEN) && engine_list_add(list, node);
}

/* Everything that can be reached from the roots, and is no older than every input; then, the oldest first, whether an edge leads to
 * a node that leads to an input. */
static bool engine_mark(engine *e) {
    engine_list list = {NULL, 0, 0};
    uint64_t oldest = UINT64_MAX;
    bool done = true;
    for (int64_t i = 0; i < e->capture_count; i++)
        oldest = e->captures[i].edge.node->number < oldest ? e->captures[i].edge.node->number : oldest;
    for (size_t i = 0; done && i < e->waiting; i++)
        done = engine_note(e, &list, e->heap[i]->node, oldest);
    for (size_t i = 0; done && i < list.count; i++)
        for (uint32_t k = 0; done && k < list.nodes[i]->edge_count; k++)
            done = engine_note(e, &list, list.nodes[i]->edges[k].node, oldest);
    if (done && list.count)
        qsort((void *)list.nodes, list.count, sizeof *list.nodes, engine_older);
    for (int64_t i = 0; done && i < e->capture_count; i++)
        done = tni_node_map_set(&e->marks, e->captures[i].edge.node, ENGINE_LEADS);
    for (size_t i = 0; done && i < list.count; i++)
        for (uint32_t k = 0; done && k < list.nodes[i]->edge_count; k++)
            if (list.nodes[i]->edges[k].node && tni_node_map_get(&e->marks, list.nodes[i]->edges[k].node) == ENGINE_LEADS)
                done = tni_node_map_set(&e->marks, list.nodes[i], ENGINE_LEADS);
    tni_heap_free((void *)list.nodes, list.room * sizeof *list.nodes);
    return done;
}

/* ---- all of it */

static tn_error engine_run(engine *e) {
    tn_error code = e->selects && !engine_mark(e) ? tni_failed() : TN_OK;
    while (code == TN_OK && e->waiting) {
        engine_entry *entry = engine_pop(e);
        if (engine_leads_on(e, entry->node))
            code = engine_step(e, entry);
        engine_free(e, entry);
    }
    return code;
}

static void engine_begin(engine *e, const tn_backward_options *options) {
    e->retain = options->retain_graph || options->create_graph;
    e->create = options->create_graph;
    e->heap = e->heap_inline;
    e->waiting = 0;
    e->heap_room = ENGINE_WAITING;
    e->selects = e->captures_only = e->mapped = false;
    e->captures = NULL;
    e->capture_count = 0;
    e->free = (UINT32_C(1) << ENGINE_SCANNED) - 1;
}

static void engine_end(engine *e) {
    while (e->waiting)
        engine_free(e, engine_pop(e));
    if (e->heap != e->heap_inline)
        tni_heap_free(e->heap, e->heap_room * sizeof *e->heap);
    for (int64_t i = 0; i < e->capture_count; i++) {
        tni_tensor_release(e->captures[i].grad);
        tni_node_drop(e->captures[i].edge.node);
    }
    tni_heap_free(e->captures, (size_t)e->capture_count * sizeof *e->captures);
    if (e->mapped)
        tni_node_map_end(&e->entries);
    if (e->selects)
        tni_node_map_end(&e->marks);
}

/* ---- roots and inputs */

/* The gradient of a root: the given one, or 1 for a single real number. */
static tn_tensor *engine_root_gradient(const tn_tensor *root, const tn_tensor *given, int64_t i) {
    if (!given) {
        if (root->numel != 1)
            return tni_raise_null(TN_ERROR_SHAPE,
                                  "tensor %" PRId64
                                  " has sizes %s: only for a tensor of one element can its gradient be left out",
                                  i, tni_show_dims(root->sizes, root->ndim));
        if (tn_dtype_is_complex((tn_dtype)root->dtype))
            return tni_raise_null(TN_ERROR_DTYPE,
                                  "tensor %" PRId64 " is %s: only for a real tensor can its gradient be left out", i,
                                  tn_dtype_name((tn_dtype)root->dtype));
        return tn_ones_like(root, TN_DTYPE_DEFAULT, TN_PRESERVE);
    }
    bool same = given->ndim == root->ndim;
    for (int64_t d = 0; same && d < root->ndim; d++)
        same = given->sizes[d] == root->sizes[d];
    if (!same)
        return tni_raise_null(TN_ERROR_SHAPE, "the gradient of tensor %" PRId64 " has sizes %s, the tensor itself %s", i,
                              tni_show_dims(given->sizes, given->ndim), tni_show_dims(root->sizes, root->ndim));
    if (tn_dtype_is_complex((tn_dtype)given->dtype) && !tn_dtype_is_complex((tn_dtype)root->dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "the gradient of tensor %" PRId64 " is %s, the tensor itself %s", i,
                              tn_dtype_name((tn_dtype)given->dtype), tn_dtype_name((tn_dtype)root->dtype));
    return (tn_tensor *)(uintptr_t)given;
}

static tn_error engine_add_root(engine *e, const tn_tensor *root, const tn_tensor *given, int64_t i) {
    tni_edge edge;
    if (!tni_wants_gradient(root))
        return tni_raise(TN_ERROR_STATE, "tensor %" PRId64 " %s requires no gradient and was not computed from one that does",
                         i, tni_show_tensor(root));
    tn_tensor *grad = engine_root_gradient(root, given, i);
    if (!grad || !tni_slot_edge((tn_tensor *)(uintptr_t)root, &edge))
        return tni_failed();
    tn_error code = engine_send(e, edge.node, edge, tni_tensor_retain(grad));
    tni_node_drop(edge.node);
    return code;
}

static tn_error engine_add_roots(engine *e, const tn_tensor *const *roots, const tn_tensor *const *grads, int64_t count) {
    tn_scope scope = tni_scope_open_hidden();
    if (scope.id == 0)
        return tni_failed();
    tn_error code = TN_OK;
    for (int64_t i = 0; code == TN_OK && i < count; i++)
        code = engine_add_root(e, roots[i], grads ? grads[i] : NULL, i);
    (void)tni_scope_close_hidden(scope, NULL);
    return code;
}

static tn_error engine_add_inputs(engine *e, const tn_tensor *const *inputs, int64_t count) {
    tni_node_map_begin(&e->marks);
    e->selects = true;
    e->captures = tni_heap_calloc((size_t)count * sizeof *e->captures);
    if (!e->captures)
        return tni_failed();
    e->capture_count = count;
    for (int64_t i = 0; i < count; i++) {
        if (!tni_wants_gradient(inputs[i]))
            return tni_raise(TN_ERROR_STATE, "input %" PRId64 " %s requires no gradient", i, tni_show_tensor(inputs[i]));
        if (!tni_slot_edge((tn_tensor *)(uintptr_t)inputs[i], &e->captures[i].edge))
            return tni_failed();
    }
    return TN_OK;
}

/* ---- public functions */

static bool engine_check_all(const tn_tensor *const *tensors, int64_t count, const char *name, bool may_be_null) {
    if (count < 0 || (count > 0 && !tensors)) {
        tni_raise(TN_ERROR_ARGUMENT, count < 0 ? "the number of %s is negative" : "%s is NULL", name);
        return false;
    }
    for (int64_t i = 0; i < count; i++)
        if (!(may_be_null && !tensors[i]) && !tni_tensor_check(tensors[i], name))
            return false;
    return true;
}

static bool engine_options(const tn_backward_options *options, tn_backward_options *read) {
    *read = (tn_backward_options){0};
    if (!options)
        return true;
    if (options->struct_size < sizeof options->struct_size) {
        tni_raise(TN_ERROR_ARGUMENT, "struct_size %zu is not the size of a tn_backward_options", options->struct_size);
        return false;
    }
    memcpy(read, options, options->struct_size < sizeof *read ? options->struct_size : sizeof *read);
    return true;
}

/* Gradients of inputs that are not leaves are set at the end of a run; those that retain theirs have them. */
static tn_error engine_store(engine *e, const tn_tensor *const *inputs) {
    tn_error code = TN_OK;
    for (int64_t i = 0; code == TN_OK && i < e->capture_count; i++) {
        engine_capture *capture = &e->captures[i];
        if (capture->edge.node->leaf || !capture->grad || tni_slot_of(inputs[i])->retains)
            continue;
        tn_scope scope = tni_scope_open_hidden();
        code =
            scope.id ? tni_slot_accumulate((tn_tensor *)(uintptr_t)inputs[i], tni_tensor_retain(capture->grad)) : tni_failed();
        if (scope.id)
            (void)tni_scope_close_hidden(scope, NULL);
    }
    return code;
}

static tn_error engine_backward(const tn_tensor *const *tensors, const tn_tensor *const *grads, int64_t count,
                                const tn_tensor *const *inputs, int64_t input_count, const tn_backward_options *given) {
    tn_backward_options options;
    engine e;
    if (!engine_check_all(tensors, count, "tensors", false) || !engine_check_all(grads, grads ? count : 0, "gradients", true) ||
        !engine_check_all(inputs, input_count, "inputs", false) || !engine_options(given, &options))
        return tni_failed();
    engine_begin(&e, &options);
    tn_key_state before = tni_record_set(options.create_graph);
    tn_error code = inputs && input_count ? engine_add_inputs(&e, inputs, input_count) : TN_OK;
    if (code == TN_OK)
        code = engine_add_roots(&e, tensors, grads, count);
    if (code == TN_OK)
        code = engine_run(&e);
    if (code == TN_OK && e.selects)
        code = engine_store(&e, inputs);
    tn_keys_set(before);
    engine_end(&e);
    return code;
}

tn_error tn_backward_all(const tn_tensor *const *tensors, const tn_tensor *const *gradients, int64_t count,
                         const tn_tensor *const *inputs, int64_t input_count, const tn_backward_options *options) {
    const char *outer = tni_operator_enter("backward");
    tn_error code = engine_backward(tensors, gradients, count, inputs, input_count, options);
    tni_operator_leave(outer);
    return tni_cancel_ends(tni_thread_current, outer) ? TN_ERROR_CANCELLED : code;
}

tn_error tn_backward(const tn_tensor *tensor, const tn_tensor *gradient) {
    return tn_backward_all(&tensor, gradient ? &gradient : NULL, 1, NULL, 0, NULL);
}

/* The gradients that were asked for become the caller's. */
static tn_error engine_hand_out(engine *e, bool allow_unused, tn_tensor **results) {
    for (int64_t i = 0; i < e->capture_count; i++)
        if (!e->captures[i].grad && !allow_unused)
            return tni_raise(TN_ERROR_STATE,
                             "input %" PRId64 " was not used to compute the outputs; with allow_unused it gets no gradient", i);
    for (int64_t i = 0; i < e->capture_count; i++) {
        results[i] = e->captures[i].grad;
        e->captures[i].grad = NULL;
    }
    for (int64_t i = 0; i < e->capture_count; i++) {
        if (!results[i] || tni_scope_adopt(results[i]))
            continue;
        for (int64_t k = 0; k < e->capture_count; k++) { /* no room in the scope: the others go too */
            if (k > i)
                tni_tensor_release(results[k]);
            results[k] = NULL;
        }
        return tni_failed();
    }
    return TN_OK;
}

static tn_error engine_grad(const tn_tensor *const *outputs, const tn_tensor *const *grads, int64_t output_count,
                            const tn_tensor *const *inputs, int64_t input_count, const tn_backward_options *given,
                            tn_tensor **results) {
    tn_backward_options options;
    engine e;
    if (!results)
        return tni_raise(TN_ERROR_ARGUMENT, "results is NULL");
    for (int64_t i = 0; i < input_count; i++)
        results[i] = NULL;
    if (!engine_check_all(outputs, output_count, "outputs", false) ||
        !engine_check_all(grads, grads ? output_count : 0, "gradients", true) ||
        !engine_check_all(inputs, input_count, "inputs", false) || !engine_options(given, &options))
        return tni_failed();
    if (!output_count || !input_count)
        return tni_raise(TN_ERROR_ARGUMENT, "there are no %s", output_count ? "inputs" : "outputs");
    engine_begin(&e, &options);
    tn_key_state before = tni_record_set(options.create_graph);
    e.captures_only = true;
    tn_error code = engine_add_inputs(&e, inputs, input_count);
    if (code == TN_OK)
        code = engine_add_roots(&e, outputs, grads, output_count);
    if (code == TN_OK)
        code = engine_run(&e);
    tn_keys_set(before);
    if (code == TN_OK)
        code = engine_hand_out(&e, options.allow_unused, results);
    engine_end(&e);
    return code;
}

tn_error tn_grad(const tn_tensor *const *outputs, const tn_tensor *const *gradients, int64_t output_count,
                 const tn_tensor *const *inputs, int64_t input_count, const tn_backward_options *options, tn_tensor **results) {
    const char *outer = tni_operator_enter("grad");
    tn_error code = engine_grad(outputs, gradients, output_count, inputs, input_count, options, results);
    tni_operator_leave(outer);
    return tni_cancel_ends(tni_thread_current, outer) ? TN_ERROR_CANCELLED : code;
}
