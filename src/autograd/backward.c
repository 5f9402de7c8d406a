/* backward.c - what derivatives are made of: see backward.h. */
#include "autograd/backward.h"

#include "autograd/saved.h"
#include "autograd/slot.h"
#include "autograd/writes.h"
#include "base/heap.h"
#include "base/scope.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"

/* ---- gradients of outputs */

tn_tensor *tni_zeros_on(tn_dims sizes, tn_dtype dtype, tn_device device) {
    return device.type == TN_CPU ? tn_zeros(sizes, dtype) : tn_zero_(tn_empty_device(sizes, dtype, device));
}

const tn_tensor *tni_backward_grad(tni_backward *b, int output) {
    const tni_output *like = &b->node->outputs[output];
    if (b->grads[output])
        return b->grads[output];
    return tni_zeros_on((tn_dims){like->sizes, like->ndim}, (tn_dtype)like->dtype, like->device);
}

const tn_tensor *const *tni_backward_grads(tni_backward *b) {
    uint32_t count = b->node->output_count;
    if (b->all)
        return b->all;
    b->all = tni_heap_calloc(count * sizeof *b->all);
    for (uint32_t i = 0; b->all && i < count; i++)
        if (!(b->all[i] = tni_backward_grad(b, (int)i)))
            return NULL;
    return b->all;
}

/* ---- what was kept */

static const char *backward_op_name(const tni_node *node) {
    return node->op ? tni_operator_text(node->op, node->op->name) : tni_node_name(node);
}

static bool backward_is_current(const tni_backward *b, const tn_tensor *tensor, uint32_t version) {
    uint32_t now = tni_storage_version(tensor->storage);
    if (TNI_LIKELY(now == version))
        return true;
    char by[TNI_WRITES_NAME];
    if (tni_writes_spared(tensor, version, by))
        return true;
    tni_raise(
        TN_ERROR_STATE,
        "the derivative of %s needs the tensor %s as it was at version %u, but it was changed in place since%s%s and is at "
        "version %u",
        backward_op_name(b->node), tni_show_tensor(tensor), (unsigned)version, by[0] ? " by " : "", by, (unsigned)now);
    return false;
}

/* The output of a node with its history, for gradients of gradients. */
static tn_tensor *backward_output(const tni_backward *b, const tni_kept_value *kept) {
    const tn_tensor *alias = kept->as.tensor;
    tn_tensor *made = tni_tensor_view(alias, alias->ndim, alias->sizes, alias->strides, alias->offset);
    if (!made || !tni_slot_make(made)) {
        tni_tensor_release(made);
        return NULL;
    }
    tni_slot_set_node(made, b->node, kept->output);
    return tni_scope_adopt(made);
}

bool tni_kept_tensor(tni_backward *b, int i, const tn_tensor **tensor) {
    const tni_kept_value *kept = &b->node->kept[i];
    *tensor = kept->as.tensor;
    if (!kept->as.tensor)
        return true; /* an optional one */
    if (kept->kind == TNI_KEPT_PACKED)
        return (*tensor = tni_saved_unpack(b, kept)) != NULL;
    if (!backward_is_current(b, kept->as.tensor, kept->version))
        return false;
    if (kept->kind == TNI_KEPT_RESULT && tni_recording() && b->node->outputs[kept->output].has_gradient)
        *tensor = backward_output(b, kept);
    return *tensor != NULL;
}

bool tni_kept_tensors(tni_backward *b, int i) {
    const tni_kept_value *kept = &b->node->kept[i];
    const uint32_t *versions = (const uint32_t *)(kept->as.tensors.items + kept->as.tensors.count);
    for (int64_t k = 0; k < kept->as.tensors.count; k++)
        if (!backward_is_current(b, kept->as.tensors.items[k], versions[k]))
            return false;
    return true;
}

bool tni_kept_index(tni_backward *b, int i) {
    const tni_kept_value *kept = &b->node->kept[i];
    const uint32_t *versions = (const uint32_t *)(kept->as.index.items + kept->as.index.count);
    for (int64_t k = 0; k < kept->as.index.count; k++)
        if (kept->as.index.items[k].tensor && !backward_is_current(b, kept->as.index.items[k].tensor, versions[k]))
            return false;
    return true;
}

/* ---- gradients of inputs */

static tn_tensor backward_none;
tn_tensor *tni_no_gradient(void) { return &backward_none; }

/* One that is a list has several. */
uint32_t tni_backward_edges(const tni_node *node, int input, uint32_t *first) {
    bool after = node->list_input >= 0 && input > node->list_input;
    *first = (uint32_t)input + (after ? node->list_count - 1 : 0);
    return input == node->list_input ? node->list_count : 1;
}

static uint32_t backward_edge(const tni_backward *b, int input) {
    uint32_t first;
    (void)tni_backward_edges(b->node, input, &first);
    return first;
}

static void backward_set(tni_backward *b, uint32_t edge, const tn_tensor *made) {
    if (made != &backward_none && b->node->edges[edge].node) {
        b->results[edge] = (tn_tensor *)(uintptr_t)made;
        tni_scope_take(&b->results[edge]->object); /* or counts it, where it was not made here */
    }
}

bool tni_backward_give(tni_backward *b, int input, const tn_tensor *made) {
    if (!made)
        return false;
    backward_set(b, backward_edge(b, input), made);
    return true;
}

bool tni_backward_give_each(tni_backward *b, int input, tn_list *made) {
    if (!made)
        return false;
    uint32_t count = input == b->node->list_input ? b->node->list_count : 1;
    if (made->count != count) {
        tni_raise(TN_ERROR_INTERNAL, "the derivative of %s gave %" PRId64 " gradients for %u tensors",
                  backward_op_name(b->node), made->count, (unsigned)count);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        backward_set(b, backward_edge(b, input) + i, made->items[i]);
    return true;
}

bool tni_backward_give_joint(tni_backward *b, const int *inputs, int count, tn_list *made) {
    if (!made)
        return false;
    if (made->count != count) {
        tni_raise(TN_ERROR_INTERNAL, "the derivative of %s gave %" PRId64 " gradients for %d inputs", backward_op_name(b->node),
                  made->count, count);
        return false;
    }
    for (int i = 0; i < count; i++)
        if (tni_backward_wants(b, inputs[i]))
            backward_set(b, backward_edge(b, inputs[i]), made->items[i]);
    return true;
}

tn_error tni_backward_run(tni_node *node, tn_tensor *const *grads, uint32_t wanted, tn_tensor **results) {
    if (!node->gradient->backward)
        return TN_OK;
    tni_backward b = {.node = node, .grads = grads, .wanted = wanted, .results = results};
    tn_error code = node->gradient->backward(&b);
    if (b.all)
        tni_heap_free(b.all, node->output_count * sizeof *b.all);
    return code;
}

/* ---- small operations */

tn_tensor *tni_conj_of(const tn_tensor *tensor) {
    return tensor && tn_dtype_is_complex((tn_dtype)tensor->dtype) ? tn_conj(tensor) : (tn_tensor *)(uintptr_t)tensor;
}

tn_tensor *tni_item_of(const tn_list *list, int64_t i) { return list ? list->items[i] : NULL; }

static tn_complex128 backward_complex(tn_scalar n) {
    switch (n.kind) {
    case TN_SCALAR_BOOL: return (tn_complex128){n.value.b, 0};
    case TN_SCALAR_INT: return (tn_complex128){(double)n.value.i, 0};
    case TN_SCALAR_UINT: return (tn_complex128){(double)n.value.u, 0};
    case TN_SCALAR_FLOAT: return (tn_complex128){n.value.d, 0};
    case TN_SCALAR_COMPLEX: return n.value.c;
    default: return (tn_complex128){0, 0};
    }
}

double tni_number_real(tn_scalar number) { return backward_complex(number).real; }

static bool backward_is_whole(tn_scalar n) { return n.kind == TN_SCALAR_INT || n.kind == TN_SCALAR_BOOL; }
static int64_t backward_whole(tn_scalar n) { return n.kind == TN_SCALAR_BOOL ? n.value.b : n.value.i; }

tn_scalar tni_number_conj(tn_scalar number) {
    if (number.kind == TN_SCALAR_COMPLEX)
        number.value.c.imag = -number.value.c.imag;
    return number;
}

tn_scalar tni_number_neg(tn_scalar number) { return tni_number_sub(tn_scalar_int(0), number); }

static bool backward_is_complex(tn_scalar a, tn_scalar b) { return a.kind == TN_SCALAR_COMPLEX || b.kind == TN_SCALAR_COMPLEX; }

tn_scalar tni_number_add(tn_scalar a, tn_scalar b) {
    int64_t sum;
    if (backward_is_whole(a) && backward_is_whole(b) && !__builtin_add_overflow(backward_whole(a), backward_whole(b), &sum))
        return tn_scalar_int(sum);
    tn_complex128 x = backward_complex(a), y = backward_complex(b);
    return backward_is_complex(a, b) ? tn_scalar_complex(x.real + y.real, x.imag + y.imag) : tn_scalar_float(x.real + y.real);
}

tn_scalar tni_number_sub(tn_scalar a, tn_scalar b) {
    int64_t difference;
    if (backward_is_whole(a) && backward_is_whole(b) &&
        !__builtin_sub_overflow(backward_whole(a), backward_whole(b), &difference))
        return tn_scalar_int(difference);
    tn_complex128 x = backward_complex(a), y = backward_complex(b);
    return backward_is_complex(a, b) ? tn_scalar_complex(x.real - y.real, x.imag - y.imag) : tn_scalar_float(x.real - y.real);
}

tn_scalar tni_number_mul(tn_scalar a, tn_scalar b) {
    int64_t product;
    if (backward_is_whole(a) && backward_is_whole(b) && !__builtin_mul_overflow(backward_whole(a), backward_whole(b), &product))
        return tn_scalar_int(product);
    tn_complex128 x = backward_complex(a), y = backward_complex(b);
    if (backward_is_complex(a, b))
        return tn_scalar_complex(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real);
    return tn_scalar_float(x.real * y.real);
}

tn_scalar tni_number_div(tn_scalar a, tn_scalar b) {
    tn_complex128 x = backward_complex(a), y = backward_complex(b);
    if (!backward_is_complex(a, b))
        return tn_scalar_float(x.real / y.real);
    double size = y.real * y.real + y.imag * y.imag;
    return tn_scalar_complex((x.real * y.real + x.imag * y.imag) / size, (x.imag * y.real - x.real * y.imag) / size);
}
