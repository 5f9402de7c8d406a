/* slot.h - what a tensor knows about gradients: the block its `autograd` points at.
 *
 * A tensor has one from the moment it requires a gradient, or is given one. A computed tensor has the node that made it, a leaf a node
 * that adds to its gradient, and holds the tensor while some graph leads to it.
 *
 * Invariant: `node` and `requires` are never both set; the tensor's keys have TN_KEY_AUTOGRAD exactly while either is.
 */
#ifndef TNI_SLOT_H
#define TNI_SLOT_H

#include <tenon/autograd.h>

#include "autograd/node.h"

typedef struct tni_slot {
    tni_node *node;        /* what computed it; NULL for a leaf */
    uint32_t output;       /* which of the node's               */
    bool requires;         /* a leaf that wants a gradient      */
    bool retains;          /* not a leaf, but its gradient is wanted */
    _Atomic bool busy;     /* the lock of `leaf`               */
    _Atomic bool adding;   /* the lock of `grad` while backward adds to it */
    bool several;          /* one of several views that one call made */
    uint32_t base_version; /* of the memory, when `node` was made: see base_number */
    tni_node *leaf;        /* its block is this slot's; it has references only while graphs lead to it */
    tn_tensor *grad;       /* held, or NULL                     */
    tn_tensor *base;       /* held: the tensor that it is a view of; NULL */
    uint64_t
        base_number; /* of the base's node when `node` was made: another one asks for another node (rebase.c); 0: it had none */
    struct tn_hook *hooks; /* of a leaf: see hook.c */
} tni_slot;

static inline tni_slot *tni_slot_of(const tn_tensor *tensor) { return tensor->autograd; }

/* Whether operators on the tensor are recorded where the thread records. */
static inline bool tni_wants_gradient(const tn_tensor *tensor) { return (tensor->keys >> TN_KEY_AUTOGRAD) & 1; }

/* Whether the tensor can have a gradient: floats and complex numbers. */
static inline bool tni_can_have_gradient(int dtype) { return tni_dtypes[dtype].kind >= TN_KIND_FLOAT; }

/* The slot, made where there is none. NULL, raised, where there is no memory. */
tni_slot *tni_slot_new(tn_tensor *tensor);
static inline tni_slot *tni_slot_make(tn_tensor *tensor) { return tensor->autograd ? tensor->autograd : tni_slot_new(tensor); }

/* From now on the tensor is output `output` of `node`, which gains a reference; NULL: it is a leaf that requires nothing. */
void tni_slot_set_node(tn_tensor *tensor, tni_node *node, uint32_t output);
void tni_slot_give_node(tn_tensor *tensor, tni_node *node, uint32_t output); /* the caller's reference becomes the slot's */

/* Where a tensor's gradient goes: {NULL, 0} where it wants none. The edge has a reference to its node. False, raised, where there
 * is no memory. */
bool tni_slot_edge(tn_tensor *tensor, tni_edge *edge);

/* The node that adds to the gradient of a leaf, with a new reference: the same for all that hold one. NULL, raised. */
tni_node *tni_leaf_node(tn_tensor *tensor);
void tni_leaf_free(tni_node *node); /* nobody holds it */

/* Whether any thread has been in inference mode: then there may be tensors that cannot be kept. */
TNI_EXTERN _Atomic bool tni_inference_known;

/* Whether the calling thread records. */
static inline bool tni_recording(void) { return !(tni_thread_get()->keys_excluded & TN_KEYS(TN_KEY_AUTOGRAD)); }

/* The thread records from now on, or not; returns its keys before, for tn_keys_set. */
tn_key_state tni_record_set(bool on);

/* Adds to the gradient of a tensor; takes over the reference `grad`. Where the thread records, the sum is a new tensor. */
tn_error tni_slot_accumulate(tn_tensor *tensor, tn_tensor *grad);

/* The tensor of a leaf's node; NULL for other nodes. */
tn_tensor *tni_leaf_tensor(const tni_node *node);

#endif
