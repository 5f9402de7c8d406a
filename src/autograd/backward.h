/* backward.h - what the generated derivatives (operator_gradients.c), and the C functions that they name, are made of.
 *
 * While one runs, a scope is open that takes everything it makes, and the thread records only if gradients of gradients are
 * wanted. A NULL tensor passes through the operators around it, so an expression is checked once, by tni_backward_give.
 */
#ifndef TNI_BACKWARD_H
#define TNI_BACKWARD_H

#include "autograd/node.h"
#include "base/error.h"
#include "tensor/tensor.h"

struct tni_backward {
    tni_node *node;
    tn_tensor *const *grads; /* of each output; NULL: there is none, which counts as 0 */
    const tn_tensor **all;   /* the same with zeros for those, once asked for */
    uint32_t wanted;         /* bits of the inputs */
    tn_tensor **results;     /* for each edge; each gets a reference */
};

static inline bool tni_backward_wants(const tni_backward *b, int input) { return b->wanted >> input & 1; }

/* The gradient of an output: zeros where there is none; NULL, raised, where there is no memory. or_null: as it is. all: of every
 * output, with zeros. */
const tn_tensor *tni_backward_grad(tni_backward *b, int output);
const tn_tensor *const *tni_backward_grads(tni_backward *b);
static inline const tn_tensor *tni_backward_grad_or_null(const tni_backward *b, int output) { return b->grads[output]; }
static inline int64_t tni_backward_grad_count(const tni_backward *b) { return b->node->output_count; }

/* What was kept: numbers as they are; tensors after a look at their version: false, raised, where they were changed since. */
static inline const union tni_kept_as *tni_kept(const tni_backward *b, int i) { return &b->node->kept[i].as; }
bool tni_kept_tensor(tni_backward *b, int i, const tn_tensor **tensor);
bool tni_kept_tensors(tni_backward *b, int i);
bool tni_kept_index(tni_backward *b, int i);

/* Hand over the gradient of an input, or of each tensor of an input that is a list, or of several inputs, from a list. False where
 * it is NULL: something failed. tni_no_gradient() says that there is none. */
bool tni_backward_give(tni_backward *b, int input, const tn_tensor *made);
bool tni_backward_give_each(tni_backward *b, int input, tn_list *made);
bool tni_backward_give_joint(tni_backward *b, const int *inputs, int count, tn_list *made);
tn_tensor *tni_no_gradient(void);

/* Small operations that formulas are written with. conj_of gives a real tensor back as it is. */
tn_tensor *tni_conj_of(const tn_tensor *tensor);
tn_tensor *tni_item_of(const tn_list *list, int64_t i);
tn_scalar tni_number_conj(tn_scalar number);
tn_scalar tni_number_neg(tn_scalar number);
tn_scalar tni_number_add(tn_scalar a, tn_scalar b);
tn_scalar tni_number_sub(tn_scalar a, tn_scalar b);
tn_scalar tni_number_mul(tn_scalar a, tn_scalar b);
tn_scalar tni_number_div(tn_scalar a, tn_scalar b);
double tni_number_real(tn_scalar number);
static inline tn_dims tni_sizes_of(const tn_tensor *t) { return t ? (tn_dims){t->sizes, t->ndim} : (tn_dims){NULL, 0}; }
static inline tn_dtype tni_dtype_of(const tn_tensor *t) { return t ? (tn_dtype)t->dtype : TN_DTYPE_DEFAULT; }
static inline int64_t tni_ndim_of(const tn_tensor *t) { return t ? t->ndim : 0; }
static inline int64_t tni_numel_of(const tn_tensor *t) { return t ? t->numel : 0; }
static inline tn_device tni_device_of(const tn_tensor *t) { return t ? tni_tensor_device(t) : TN_DEVICE_CPU; }

/* Whether an element may be 0: looked up on the CPU, assumed elsewhere. */
bool tni_may_be_zero(const tn_tensor *self);

/* The gradient of a p-norm over dimensions, all where none is named; grad and norm as they are with keepdim. */
tn_tensor *tni_norm_gradient(const tn_tensor *grad, const tn_tensor *self, double p, const tn_tensor *norm, tn_dims dim);

/* The numbers 0, 1, 2, ... on the device of a tensor; the sums of the gradients that belong to each of `count` places. */
tn_tensor *tni_places(int64_t count, const tn_tensor *like);
tn_tensor *tni_place_sums(const tn_tensor *grad, const tn_tensor *places, int64_t count);

/* Zeros on a device, in the open scope. */
tn_tensor *tni_zeros_on(tn_dims sizes, tn_dtype dtype, tn_device device);

/* Runs the derivative of a node for the inputs wanted (bits): grads has one for each output, results room for one for each edge.
 * edges: those of an input, the first and how many. */
tn_error tni_backward_run(tni_node *node, tn_tensor *const *grads, uint32_t wanted, tn_tensor **results);
uint32_t tni_backward_edges(const tni_node *node, int input, uint32_t *first);

#endif
