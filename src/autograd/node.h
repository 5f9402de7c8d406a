/* node.h - the tape: a node for each operator call that a gradient goes through.
 *
 * A node is one block: the node itself, an edge to what made each input, a record of each output, what was kept of the call, and
 * behind them the numbers that those point at. Edges count references, so a result holds everything it was computed from, and
 * nothing that was computed from it; a tensor's node lives as long as the tensor or a later node does.
 *
 * Invariant: an edge goes to a node of a smaller number. A thread numbers its nodes in the order in which it makes them, and goes on
 * from the number of another thread's node where an edge leads to one; so the engine needs no other order (engine.c). A leaf, which
 * has no edges, has the number of the node before the first that leads to it.
 *
 * Freeing a chain of a million nodes takes no more stack than freeing one: a node that ends while another is being freed waits in
 * the thread's list for its turn (node.c).
 */
#ifndef TNI_NODE_H
#define TNI_NODE_H

#include "autograd/gradient.h"

typedef struct tn_node tni_node;
typedef struct tni_saved_packed tni_saved_packed;

typedef struct tni_edge {
    tni_node *node;  /* NULL: no gradient is wanted */
    uint32_t output; /* which of that node's        */
} tni_edge;

/* An output: what a gradient for it must look like. */
typedef struct tni_output {
    const int64_t *sizes;
    uint8_t ndim, dtype;
    bool has_gradient; /* integers have none */
    tn_device device;
    tn_tensor *retains; /* a tensor whose gradient is to be set on the way; not counted: it clears this when it ends */
} tni_output;

/* Something kept. A tensor is held, and remembered with the version of its memory; of an output only the memory is (an alias
 * without history), since a node that held its own result would never be freed. */
typedef struct tni_kept_value {
    union tni_kept_as {
        tn_tensor *tensor;
        tni_saved_packed *packed;
        struct {
            tn_tensor *const *items;
            int64_t count;
        } tensors;
        tn_dims dims;
        struct {
            const tn_dims *items;
            int64_t count;
        } shapes;
        tn_index_list index;
        int64_t integer;
        double real;
        bool boolean;
        const char *text;
        tn_scalar scalar;
        tn_dtype dtype;
        tn_device device;
        tn_memory_format format;
        tn_generator *generator;
        tn_floats floats;
    } as;
    uint32_t version, output;
    uint8_t kind; /* TNI_KEPT_... */
} tni_kept_value;

enum {
    TNI_KEPT_NOTHING,
    TNI_KEPT_NUMBERS,
    TNI_KEPT_TENSOR,
    TNI_KEPT_RESULT,
    TNI_KEPT_TENSORS,
    TNI_KEPT_INDEX,
    TNI_KEPT_GENERATOR,
    TNI_KEPT_PACKED /* a tensor that went through a function of the program: saved.c */
};

struct tn_node {
    tni_object object;
    const tni_gradient *gradient; /* NULL for what has a function of its own (kind) */
    const struct tni_node_kind *kind;
    void *ctx;             /* the kind's */
    const tn_operator *op; /* that was called; NULL for others, and for registered operators, which may go */
    uint64_t number;
    size_t bytes;
    tni_edge *edges;
    tni_output *outputs;
    tni_kept_value *kept;
    uint32_t edge_count, output_count, kept_count;
    uint32_t wanted;       /* bits: the gradient's inputs that have a gradient to get */
    uint32_t list_count;   /* edges of the input that is a list of tensors */
    int8_t list_input;     /* which that is; -1 */
    bool leaf;             /* it adds to the gradient of a tensor (leaf.c) */
    _Atomic bool released; /* what was kept is gone: it was run without retain_graph */
    struct tn_hook *hooks; /* hook.c */
    tni_node *next_dead;   /* waiting to be freed */
};

/* Nodes that are not an operator's: leaves (accumulate.c), functions of the program. */
typedef struct tni_node_kind {
    const char *name;
    tn_error (*run)(tni_node *node, tn_tensor *const *grads, tn_tensor **results);
    void (*release)(tni_node *node); /* what it kept; may be NULL */
    void (*destroy)(tni_node *node); /* may be NULL */
} tni_node_kind;

TNI_EXTERN const tni_class tni_node_class;

/* A node with room for so many edges, outputs and kept things, none of which is set, and `tail` bytes for what they point at. */
tni_node *tni_node_new(uint32_t edges, uint32_t outputs, uint32_t kept, size_t tail, char **room);

/* The next number of the thread, once all of its edges are there: those may have led to new nodes. after: and not before it. */
static inline void tni_node_number_after(const tni_node *node) {
    tni_thread *thread = tni_thread_current;
    thread->node_number = node && node->number > thread->node_number ? node->number : thread->node_number;
}
static inline void tni_node_give_number(tni_node *node) {
    for (uint32_t i = 0; i < node->edge_count; i++)
        tni_node_number_after(node->edges[i].node);
    node->number = ++tni_thread_current->node_number;
}

/* Gives what was kept back; the node stays, and says so when it is run again. */
void tni_node_release_kept(tni_node *node);

void tni_leaf_retain(tni_node *node); /* leaf.c */
void tni_leaf_drop(tni_node *node);
static inline void tni_node_retain(tni_node *node) {
    if (node->leaf)
        tni_leaf_retain(node);
    else
        tni_object_retain(&node->object);
}
static inline void tni_node_drop(tni_node *node) {
    if (node && node->leaf)
        tni_leaf_drop(node);
    else if (node)
        tni_object_release(&node->object);
}

static inline const char *tni_node_name(const tni_node *node) {
    return node->kind ? node->kind->name : node->gradient->name ? node->gradient->name : "NoGradient";
}

#endif
