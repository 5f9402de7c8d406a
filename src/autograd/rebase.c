/* rebase.c - changes in place, through views.
 *
 * A view and its base are the same memory, so a change of the view is one of the base. The base gets a new node, CopySlices: it lays
 * the gradient out as the base's memory is, takes the part that the view looks at, sends that through the derivative of what was
 * done to the view, and puts the result back in its place. The view itself, and all others of the base, find out when they are
 * used next that the base has another node, and get one of their own: their elements of the base as it is now (as_strided).
 *
 * A view of complex numbers as pairs of real ones, or of pairs as complex numbers, is like any other: its places are counted in real
 * numbers.
 */
#include "autograd/rebase.h"

#include "autograd/backward.h"
#include "autograd/record.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_view.h"

typedef struct rebase {
    tni_node *inner; /* counted */
    int self_edge;   /* the edge of the view among inner's; -1: the formula gives nothing to it */
    tn_dims base_sizes, base_strides, view_sizes, view_strides;
    int64_t base_offset, view_offset, count; /* in memory of `count` elements that both look into */
    tn_dtype dtype;
    tn_device device;
    bool pairs; /* the view has another dtype than the base */
} rebase;

uint64_t tni_rebase_number(const tn_tensor *base) {
    const tni_slot *slot = tni_slot_of(base);
    return slot && slot->node ? slot->node->number : 0;
}

bool tni_rebase_sees(const tn_tensor *base, const tn_tensor *view) {
    tn_dtype from = (tn_dtype)base->dtype, to = (tn_dtype)view->dtype;
    return from == to ||
           (tn_dtype_is_complex(from) ? tn_dtype_to_real(from) == to : tn_dtype_is_complex(to) && tn_dtype_to_real(to) == from);
}

/* ---- the node of the base */

/* Numbers in an element, where single numbers are counted. */
static int64_t rebase_unit(const tn_tensor *tensor, bool pairs) { return pairs && tn_dtype_is_complex(tensor->dtype) ? 2 : 1; }

static void rebase_reach(const tn_tensor *tensor, int64_t unit, int64_t *first, int64_t *last) {
    int64_t low = tensor->offset, high = tensor->offset;
    for (int64_t d = 0; d < tensor->ndim; d++) {
        int64_t reach = (tensor->sizes[d] - 1) * tensor->strides[d];
        *(reach < 0 ? &low : &high) += reach;
    }
    *first = tni_min_i64(low * unit, *first);
    *last = tni_max_i64(high * unit + unit - 1, *last);
}

/* Memory in a line, as a view of the other dtype reads it. */
static tn_tensor *rebase_look(tn_tensor *memory, bool pairs) {
    if (!pairs)
        return memory;
    return memory && tn_dtype_is_complex(memory->dtype) ? tn_view(tn_view_as_real(memory), TN_DIMS(-1))
                                                        : tn_view_as_complex(tn_view(memory, TN_DIMS(-1, 2)));
}

static tn_dims rebase_dims(char **room, const int64_t *values, int64_t count) {
    int64_t *copy = (int64_t *)*room;
    if (count)
        memcpy(copy, values, (size_t)count * sizeof *copy);
    *room += (size_t)count * sizeof *copy;
    return (tn_dims){copy, count};
}

static void rebase_measure(rebase *r, const tn_tensor *base, const tn_tensor *view, char *room) {
    int64_t first = INT64_MAX, last = 0;
    r->pairs = base->dtype != view->dtype;
    int64_t base_unit = rebase_unit(base, r->pairs), view_unit = rebase_unit(view, r->pairs);
    if (base->numel)
        rebase_reach(base, base_unit, &first, &last);
    if (view->numel)
        rebase_reach(view, view_unit, &first, &last);
    first = first == INT64_MAX ? 0 : first & ~(int64_t)r->pairs; /* whole pairs */
    last |= (int64_t)r->pairs;
    r->base_sizes = rebase_dims(&room, base->sizes, base->ndim);
    r->base_strides = rebase_dims(&room, base->strides, base->ndim);
    r->view_sizes = rebase_dims(&room, view->sizes, view->ndim);
    r->view_strides = rebase_dims(&room, view->strides, view->ndim);
    r->base_offset = base->numel ? base->offset - first / base_unit : 0;
    r->view_offset = view->numel ? view->offset - first / view_unit : 0;
    r->count = base->numel || view->numel ? (last - first + 1) / base_unit : 0;
    r->dtype = (tn_dtype)base->dtype;
    r->device = tni_tensor_device(base);
}

/* What is left of the base's gradient where the view is: that of what the view was before. */
static bool rebase_put_back(tn_tensor *part, const tn_tensor *before) {
    return (before ? tn_copy_(part, before) : tn_zero_(part)) != NULL;
}

static tn_error rebase_run_inner(const rebase *r, tn_tensor *part, tn_tensor **results) {
    tn_tensor *grad = tn_clone(part, TN_CONTIGUOUS);
    return grad ? tni_backward_run(r->inner, &grad, r->inner->wanted, results) : tni_failed();
}

/* The gradient as the base's memory is laid out. */
static tn_tensor *rebase_memory(const rebase *r, const tn_tensor *grad) {
    tn_tensor *memory = tni_zeros_on((tn_dims){&r->count, 1}, r->dtype, r->device);
    if (tni_recording())
        return tn_as_strided_scatter(memory, grad, r->base_sizes, r->base_strides, r->base_offset);
    return tn_copy_(tn_as_strided(memory, r->base_sizes, r->base_strides, r->base_offset), grad) ? memory : NULL;
}

static tn_error rebase_run(tni_node *node, tn_tensor *const *grads, tn_tensor **results) {
    const rebase *r = node->ctx;
    tn_tensor *memory = rebase_memory(r, grads[0]);
    tn_tensor *part = tn_as_strided(rebase_look(memory, r->pairs), r->view_sizes, r->view_strides, r->view_offset);
    tn_error code = part ? rebase_run_inner(r, part, results + 1) : tni_failed();
    tn_tensor *before = r->self_edge >= 0 ? results[1 + r->self_edge] : NULL;
    if (code == TN_OK && !rebase_put_back(part, before))
        code = tni_failed();
    if (before) {
        results[1 + r->self_edge] = NULL;
        tni_tensor_release(before);
    }
    if (code == TN_OK && node->edges[0].node) {
        tn_tensor *back = tn_as_strided(memory, r->base_sizes, r->base_strides, r->base_offset);
        if (!back)
            return tni_failed();
        results[0] = tni_tensor_retain(back);
    }
    return code;
}

static void rebase_release(tni_node *node) { tni_node_release_kept(((rebase *)node->ctx)->inner); }
static void rebase_destroy(tni_node *node) { tni_node_drop(((rebase *)node->ctx)->inner); }

static const tni_node_kind rebase_kind = {"CopySlices", rebase_run, rebase_release, rebase_destroy};

tni_node *tni_rebase_inner(const tni_node *node) { return ((rebase *)node->ctx)->inner; }

/* Where the gradient of the view as it was goes: not on from here, but back into the base's. */
static int rebase_self_edge(const tni_node *inner) {
    for (int i = 0; i < inner->gradient->input_count; i++)
        if (inner->gradient->inputs[i] == 0) {
            uint32_t first;
            (void)tni_backward_edges(inner, i, &first);
            return (int)first;
        }
    return -1;
}

tni_node *tni_rebase_node(tn_tensor *base, const tn_tensor *view, tni_node *inner) {
    char *room;
    size_t base_dims = (size_t)base->ndim * sizeof(int64_t), view_dims = (size_t)view->ndim * sizeof(int64_t);
    tni_node *node = tni_node_new(1 + inner->edge_count, 1, 0, sizeof(rebase) + 3 * base_dims + 2 * view_dims, &room);
    if (!node) {
        tni_node_drop(inner);
        return NULL;
    }
    rebase *r = (rebase *)room;
    room += sizeof *r;
    rebase_measure(r, base, view, room);
    r->inner = inner;
    r->self_edge = rebase_self_edge(inner);
    node->kind = &rebase_kind;
    node->ctx = r;
    node->op = inner->op;
    node->outputs[0] = (tni_output){
        .sizes = r->base_sizes.values, .ndim = base->ndim, .dtype = base->dtype, .has_gradient = true, .device = r->device};
    for (uint32_t i = 0; i < inner->edge_count; i++)
        if ((int)i != r->self_edge && inner->edges[i].node) {
            node->edges[1 + i] = inner->edges[i];
            tni_node_retain(inner->edges[i].node);
        }
    if (!tni_slot_edge(base, &node->edges[0])) {
        tni_node_drop(node);
        return NULL;
    }
    tni_node_give_number(node);
    return node;
}

/* ---- the nodes of views */

/* The base was detached. Its views were not, and keep their history for as long as nothing is written: after that they are parts of what
 * has none. */
static bool rebase_is_cut(const tni_slot *slot, const tn_tensor *view) {
    return tni_wants_gradient(view) && slot->base_version != tni_storage_version(view->storage);
}

void tni_rebase_note(tni_slot *slot, const tn_tensor *base) {
    slot->base_number = tni_rebase_number(base);
    slot->base_version = tni_storage_version(base->storage);
}

/* The node of a view of the other dtype: made by taking it once more, of the elements that it reads. */
static tni_node *rebase_pairs_node(const tn_tensor *base, const tn_tensor *view) {
    int64_t first = INT64_MAX, last = -1, unit = rebase_unit(base, true);
    tni_node *node = NULL;
    if (view->numel)
        rebase_reach(view, rebase_unit(view, true), &first, &last);
    first = last < 0 ? 0 : first / unit;
    tn_scope scope = tni_scope_open_hidden();
    if (scope.id == 0)
        return NULL;
    tn_key_state before = tni_record_set(true);
    tn_tensor *flat = tn_as_strided(base, TN_DIMS((last + unit) / unit - first), TN_DIMS(1), first);
    tn_tensor *again = tn_as_strided(rebase_look(flat, true), (tn_dims){view->sizes, view->ndim},
                                     (tn_dims){view->strides, view->ndim}, view->offset);
    if (again)
        tni_node_retain(node = tni_slot_of(again)->node);
    tn_keys_set(before);
    (void)tni_scope_close_hidden(scope, NULL);
    return node;
}

bool tni_rebase_refresh(tn_tensor *tensor) {
    tni_slot *slot = tni_slot_of(tensor);
    uint64_t number = slot->base ? tni_rebase_number(slot->base) : 0;
    if (!slot->base || slot->base_number == number || (number == 0 && !rebase_is_cut(slot, tensor)))
        return true;
    if (!tni_rebase_sees(slot->base, tensor)) {
        tni_raise(TN_ERROR_UNSUPPORTED,
                  "the tensor %s is a view of one of dtype %s, which was changed in place since: make the view again",
                  tni_show_tensor(tensor), tn_dtype_name((tn_dtype)slot->base->dtype));
        return false;
    }
    bool pairs = slot->base->dtype != tensor->dtype && tni_wants_gradient(slot->base);
    tni_node *node = pairs ? rebase_pairs_node(slot->base, tensor) : tni_record_as_strided(slot->base, tensor);
    if (!node)
        return false;
    tni_slot_set_node(tensor, node, 0);
    tni_rebase_note(slot, slot->base);
    tni_node_drop(node);
    return true;
}

/* ---- views that were made while nothing was recorded */

static tn_error rebase_attach(tn_tensor *view, tn_tensor *base) {
    if (view->tracked || view == base || view->storage != base->storage || view->dtype != base->dtype ||
        !tni_can_have_gradient(base->dtype))
        return TN_OK;
    if (base->tracked && tni_slot_of(base)->base)
        base = tni_slot_of(base)->base;
    uint64_t counts = atomic_load_explicit(&view->storage->object.counts, memory_order_relaxed);
    if ((counts & ~TNI_SCOPED) / TNI_HELD > 2) /* others look into it too, and would not know */
        return TN_OK;
    if (!tni_slot_make(base) || !tni_slot_make(view))
        return tni_failed();
    tni_slot *slot = tni_slot_of(view);
    slot->base = base;
    tni_rebase_note(slot, base);
    tni_object_hold(&base->object);
    return TN_OK;
}

tn_error tn_view_attach(tn_tensor *view, tn_tensor *base) {
    const char *outer = tni_operator_enter("view_attach");
    tn_error code = tni_tensor_check(view, "view") && tni_tensor_check(base, "base") ? rebase_attach(view, base) : tni_failed();
    tni_operator_leave(outer);
    return code;
}
