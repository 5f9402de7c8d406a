/* node.c - makes and frees the nodes of the tape. See node.h. */
#include "autograd/node.h"

#include "autograd/hook.h"
#include "autograd/saved.h"
#include "base/heap.h"
#include "tensor/generator.h"

tni_node *tni_node_new(uint32_t edges, uint32_t outputs, uint32_t kept, size_t tail, char **room) {
    size_t bytes =
        sizeof(tni_node) + edges * sizeof(tni_edge) + outputs * sizeof(tni_output) + kept * sizeof(tni_kept_value) + tail;
    tni_thread *thread = tni_thread_get();
    size_t whole = (bytes + TNI_HEAP_STEP - 1) & ~(size_t)(TNI_HEAP_STEP - 1);
    tni_node *node = tni_heap_has(thread, whole) ? tni_heap_pop(thread, whole) : tni_heap_alloc(bytes);
    if (!node)
        return NULL;
    memset(node, 0, bytes - tail);
    tni_object_init(&node->object, &tni_node_class);
    node->bytes = bytes;
    node->kept = (tni_kept_value *)(node + 1);
    node->outputs = (tni_output *)(node->kept + kept);
    node->edges = (tni_edge *)(node->outputs + outputs);
    node->edge_count = edges;
    node->output_count = outputs;
    node->kept_count = kept;
    node->list_input = -1;
    *room = (char *)(node->edges + edges);
    return node;
}

static void node_drop_tensor(const tn_tensor *tensor) {
    if (tensor)
        tni_object_drop((tni_object *)(uintptr_t)tensor);
}

static void node_drop_kept(tni_kept_value *kept) {
    switch (kept->kind) {
    case TNI_KEPT_TENSOR:
    case TNI_KEPT_RESULT: node_drop_tensor(kept->as.tensor); break;
    case TNI_KEPT_TENSORS:
        for (int64_t i = 0; i < kept->as.tensors.count; i++)
            node_drop_tensor(kept->as.tensors.items[i]);
        break;
    case TNI_KEPT_INDEX:
        for (int64_t i = 0; i < kept->as.index.count; i++)
            node_drop_tensor(kept->as.index.items[i].tensor);
        break;
    case TNI_KEPT_PACKED: tni_saved_drop(kept->as.packed); break;
    case TNI_KEPT_GENERATOR:
        if (kept->as.generator)
            tni_object_drop((tni_object *)kept->as.generator);
        break;
    default: break;
    }
    kept->kind = TNI_KEPT_NOTHING;
}

void tni_node_release_kept(tni_node *node) {
    bool gone = node->kind && node->kind->release;
    if (gone)
        node->kind->release(node);
    for (uint32_t i = 0; i < node->kept_count; i++)
        if (node->kept[i].kind > TNI_KEPT_NUMBERS) {
            node_drop_kept(&node->kept[i]);
            gone = true;
        }
    if (gone) /* one that keeps no tensors can run again */
        atomic_store_explicit(&node->released, true, memory_order_relaxed);
}

static void node_free(tni_node *node) {
    if (node->kind && node->kind->destroy)
        node->kind->destroy(node);
    for (uint32_t i = 0; i < node->kept_count; i++)
        if (node->kept[i].kind != TNI_KEPT_NOTHING)
            node_drop_kept(&node->kept[i]);
    if (node->hooks)
        tni_hooks_drop(node->hooks);
    for (uint32_t i = 0; i < node->edge_count; i++)
        tni_node_drop(node->edges[i].node);
    tni_heap_free(node, node->bytes);
}

/* The first of a thread frees those that end meanwhile, one after the other. */
static void node_destroy(tni_object *object) {
    tni_node *node = (tni_node *)object;
    tni_thread *thread = tni_thread_get();
    tni_node **waiting = thread->slots[TNI_SLOT_NODES];
    object->class = &tni_dead_class;
    if (waiting) {
        node->next_dead = *waiting;
        *waiting = node;
        return;
    }
    tni_node *first = node;
    thread->slots[TNI_SLOT_NODES] = &first;
    while (first) {
        tni_node *now = first;
        first = now->next_dead;
        node_free(now);
    }
    thread->slots[TNI_SLOT_NODES] = NULL;
}

const tni_class tni_node_class = {"node", node_destroy};
