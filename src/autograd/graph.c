/* graph.c - the graph as programs see it: nodes and where their inputs come from. */
#include "autograd/rebase.h"
#include "base/error.h"

static bool graph_check(const tn_node *node, const char *function) {
    if (node && node->object.class == &tni_node_class)
        return true;
    const char *outer = tni_operator_enter(function);
    (void)tni_object_check((const tni_object *)node, &tni_node_class, "node");
    tni_operator_leave(outer);
    return false;
}

tn_node *tn_tensor_node(const tn_tensor *tensor) {
    if (!tensor || !tni_tensor_live(tensor, "tensor_node") || !tensor->tracked)
        return NULL;
    if (!tni_rebase_refresh((tn_tensor *)(uintptr_t)tensor))
        return NULL;
    tni_node *node = tni_slot_of(tensor)->node;
    if (node)
        tni_node_retain(node);
    return node;
}

int64_t tn_tensor_node_output(const tn_tensor *tensor) {
    return tensor && tni_tensor_live(tensor, "tensor_node_output") && tensor->tracked ? tni_slot_of(tensor)->output : 0;
}

const char *tn_node_name(const tn_node *node) { return graph_check(node, "node_name") ? tni_node_name(node) : ""; }

int64_t tn_node_input_count(const tn_node *node) { return graph_check(node, "node_input_count") ? node->edge_count : 0; }

tn_node *tn_node_input(const tn_node *node, int64_t i, int64_t *output) {
    if (output)
        *output = 0;
    if (!graph_check(node, "node_input"))
        return NULL;
    if (i < 0 || i >= node->edge_count) {
        tni_raise_in("node_input", TN_ERROR_INDEX, "there is no input %" PRId64 " among %u", i, (unsigned)node->edge_count);
        return NULL;
    }
    tni_edge edge = node->edges[i];
    if (output)
        *output = edge.output;
    if (edge.node)
        tni_node_retain(edge.node);
    return edge.node;
}

tn_node *tn_node_retain(const tn_node *node) {
    if (!node || !graph_check(node, "node_retain"))
        return NULL;
    tni_node *counted = (tni_node *)(uintptr_t)node;
    tni_node_retain(counted);
    return counted;
}

void tn_node_release(tn_node *node) {
    if (node && graph_check(node, "node_release"))
        tni_node_drop(node);
}
