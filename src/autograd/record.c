/* record.c - what happens at TN_KEY_AUTOGRAD: a call is passed on to the keys below, and remembered in a node.
 *
 * Everything that can be refused is refused before the call runs. A call that makes new tensors runs first and gets its node
 * afterwards, since the node remembers the sizes of its outputs; what cannot be remembered for lack of memory is released again. A
 * call in place gets its node first, because what was overwritten could not be put back.
 *
 * Only inputs that want a gradient count: what is kept is what their formulas name (the masks of tni_keep).
 *
 * Plain calls, calls by name, modes and the profiler come here the same way, with their arguments as values.
 */
#include "autograd/record.h"

#include "autograd/rebase.h"
#include "autograd/saved.h"
#include "autograd/writes.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "operators_copy.h"
#include "tensor/tensor.h"

typedef struct record_state {
    const tn_operator *op;
    const tni_gradient *gradient;
    tn_values values;
    uint32_t wanted; /* bits of the gradient's inputs */
    uint32_t edges;
    int list_input; /* the input that is a list, or -1 */
    int64_t list_count;
    tn_tensor *const *outputs;
    int64_t output_count;
    bool geometry;       /* in place, and what changes is the geometry: the sizes of the output come later */
    tn_tensor *original; /* in place: a copy of self as it was, where a formula names it */
} record_state;

/* On to the keys below. Where only the CPU is concerned, that is its kernel, and there is nothing to walk through. */
static tn_error record_below(const tn_frame *frame, tn_values values, tn_value *result) {
    tn_keys keys = TNI_KEYS_CPU;
    for (int64_t i = 0; i < values.count; i++)
        keys |= tni_keys_of_value(&values.items[i]);
    if (!frame->op->kernel || tni_keys_add_thread(keys) != TNI_KEYS_CPU)
        return tni_redispatch(frame, values, result, false);
    *result = tn_value_none();
    tn_error code = tni_callers[frame->op->caller](frame->op, values.items, result);
    if (code != TN_OK)
        *result = tn_value_none();
    return code;
}

/* ---- questions about arguments */

/* Whether a formula would keep a tensor that was made in inference mode: raised. */
static bool record_refuses_value(const tn_operator *op, const tn_value *value) {
    const tn_tensor *found = NULL;
    if (value->kind == TN_VALUE_TENSOR && value->as.tensor && tni_storage_is_inference(value->as.tensor->storage))
        found = value->as.tensor;
    for (int64_t i = 0; value->kind == TN_VALUE_TENSORS && i < value->as.tensors.count; i++)
        if (tni_storage_is_inference(value->as.tensors.items[i]->storage))
            found = value->as.tensors.items[i];
    for (int64_t i = 0; value->kind == TN_VALUE_INDEX && i < value->as.index.count; i++)
        if (value->as.index.items[i].kind == TN_INDEX_TENSOR && value->as.index.items[i].tensor &&
            tni_storage_is_inference(value->as.index.items[i].tensor->storage))
            found = value->as.index.items[i].tensor;
    if (found)
        tni_raise(TN_ERROR_STATE, "the derivative of %s would keep %s, which was made in inference mode; clone it first",
                  tni_operator_text(op, op->name), tni_show_tensor(found));
    return found != NULL;
}

static TNI_NOINLINE bool record_refuses_keeps(const tn_operator *op, const tni_gradient *gradient, const tn_value *values,
                                              uint32_t wanted) {
    for (int i = 0; i < gradient->keep_count; i++) {
        const tni_keep *keep = &gradient->keeps[i];
        if (keep->what == TNI_KEEP_VALUE && keep->inputs & wanted && record_refuses_value(op, &values[keep->place]))
            return true;
    }
    return false;
}

static inline bool record_refuses(const tn_operator *op, const tni_gradient *gradient, const tn_value *values,
                                  uint32_t wanted) {
    return TNI_UNLIKELY(atomic_load_explicit(&tni_inference_known, memory_order_relaxed)) &&
           record_refuses_keeps(op, gradient, values, wanted);
}

static bool record_any_wants(const tn_value *value) {
    if (value->kind == TN_VALUE_TENSOR)
        return value->as.tensor && tni_wants_gradient(value->as.tensor);
    if (value->kind == TN_VALUE_TENSORS)
        for (int64_t i = 0; i < value->as.tensors.count; i++)
            if (tni_wants_gradient(value->as.tensors.items[i]))
                return true;
    return false;
}

static const tn_value *record_wanting(tn_values values) {
    for (int64_t i = 0; i < values.count; i++)
        if (record_any_wants(&values.items[i]))
            return &values.items[i];
    return NULL;
}

static const char *record_parameter_name(const tn_operator *op, int64_t place) {
    return tni_operator_text(op, tni_operator_parameter(op, place)->name);
}

/* Which inputs want gradients, and how many edges that makes. */
static void record_count(record_state *r) {
    r->list_input = -1;
    for (int i = 0; i < r->gradient->input_count; i++) {
        const tn_value *value = &r->values.items[r->gradient->inputs[i]];
        r->wanted |= (uint32_t)record_any_wants(value) << i;
        if (value->kind == TN_VALUE_TENSORS) {
            r->list_input = i;
            r->list_count = value->as.tensors.count;
            r->edges += (uint32_t)value->as.tensors.count;
        } else
            r->edges++;
    }
}

/* ---- the size of what is kept */

static size_t record_dims_bytes(int64_t count) { return (size_t)count * sizeof(int64_t); }
static size_t record_text_bytes(const char *text) { return text ? (strlen(text) + 8) & ~(size_t)7 : 0; }
static size_t record_versions_bytes(int64_t count) { return ((size_t)count * sizeof(uint32_t) + 7) & ~(size_t)7; }

static size_t record_value_bytes(const tn_value *value) {
    switch (value->kind) {
    case TN_VALUE_DIMS: return record_dims_bytes(value->as.dims.count);
    case TN_VALUE_TENSORS:
        return (size_t)value->as.tensors.count * sizeof(tn_tensor *) + record_versions_bytes(value->as.tensors.count);
    case TN_VALUE_INDEX:
        return (size_t)value->as.index.count * sizeof(tn_index_item) + record_versions_bytes(value->as.index.count);
    case TN_VALUE_TEXT: return record_text_bytes(value->as.text);
    case TN_VALUE_FLOATS: return (size_t)value->as.floats.count * sizeof(double);
    default: return 0;
    }
}

static size_t record_shapes_bytes(const tn_value *value) {
    size_t bytes = (size_t)value->as.tensors.count * sizeof(tn_dims);
    for (int64_t i = 0; i < value->as.tensors.count; i++)
        bytes += record_dims_bytes(value->as.tensors.items[i]->ndim);
    return bytes;
}

static size_t record_keep_bytes(const tni_keep *keep, const tn_value *values, uint32_t wanted) {
    const tn_value *value = &values[keep->place];
    if (!(keep->inputs & wanted))
        return 0;
    switch (keep->what) {
    case TNI_KEEP_VALUE: return record_value_bytes(value);
    case TNI_KEEP_SIZES:
    case TNI_KEEP_STRIDES: return value->as.tensor ? record_dims_bytes(value->as.tensor->ndim) : 0;
    case TNI_KEEP_SHAPES: return record_shapes_bytes(value);
    default: return 0;
    }
}

/* ---- keeping */

static const int64_t *record_dims(char **room, const int64_t *values, int64_t count) {
    int64_t *copy = (int64_t *)*room;
    if (count)
        memcpy(copy, values, record_dims_bytes(count));
    *room += record_dims_bytes(count);
    return copy;
}

/* A view holds its base, and the base its history: a node in that history must not hold the view. It keeps another tensor of the same
 * place and history, which knows no base. */
static inline bool record_has_base(const tn_tensor *tensor) {
    const tni_slot *slot = tni_slot_of(tensor);
    return slot->base && slot->node && tni_slot_of(slot->base)->node;
}

static TNI_NOINLINE tn_tensor *record_alias(const tn_tensor *tensor) {
    tn_tensor *alias = tni_tensor_view(tensor, tensor->ndim, tensor->sizes, tensor->strides, tensor->offset);
    if (alias && !tni_slot_make(alias)) {
        tni_tensor_release(alias);
        return NULL;
    }
    if (alias)
        tni_slot_set_node(alias, tni_slot_of(tensor)->node, tni_slot_of(tensor)->output);
    return alias;
}

static bool record_tensor(tni_kept_value *kept, const tn_tensor *tensor, int kind) {
    kept->as.tensor = (tn_tensor *)(uintptr_t)tensor;
    kept->kind = (uint8_t)kind;
    if (!tensor)
        return true;
    if (TNI_UNLIKELY(tensor->tracked && record_has_base(tensor)) && !(kept->as.tensor = record_alias(tensor)))
        return false;
    tni_object_hold(&kept->as.tensor->object);
    if (kept->as.tensor != tensor)
        tni_tensor_release(kept->as.tensor);
    tni_writes_watch(tensor->storage);
    kept->version = tni_storage_version(tensor->storage);
    return true;
}

static void record_tensors(tni_kept_value *kept, const tn_value *value, char **room) {
    int64_t count = value->as.tensors.count;
    tn_tensor **items = (tn_tensor **)*room;
    uint32_t *versions = (uint32_t *)(items + count);
    for (int64_t i = 0; i < count; i++) {
        items[i] = (tn_tensor *)(uintptr_t)value->as.tensors.items[i];
        tni_object_hold(&items[i]->object);
        tni_writes_watch(items[i]->storage);
        versions[i] = tni_storage_version(items[i]->storage);
    }
    kept->as.tensors.items = items;
    kept->as.tensors.count = count;
    kept->kind = TNI_KEPT_TENSORS;
    *room += record_value_bytes(value);
}

static void record_index(tni_kept_value *kept, const tn_value *value, char **room) {
    int64_t count = value->as.index.count;
    tn_index_item *items = (tn_index_item *)*room;
    uint32_t *versions = (uint32_t *)(items + count);
    for (int64_t i = 0; i < count; i++) {
        items[i] = value->as.index.items[i];
        if (items[i].kind != TN_INDEX_TENSOR)
            items[i].tensor = NULL;
        if (!items[i].tensor)
            continue;
        tni_object_hold((tni_object *)(uintptr_t)items[i].tensor);
        tni_writes_watch(items[i].tensor->storage);
        versions[i] = tni_storage_version(items[i].tensor->storage);
    }
    kept->as.index = (tn_index_list){items, count};
    kept->kind = TNI_KEPT_INDEX;
    *room += record_value_bytes(value);
}

static bool record_value(tni_kept_value *kept, const tn_value *value, char **room) {
    kept->kind = TNI_KEPT_NUMBERS;
    switch (value->kind) {
    case TN_VALUE_TENSOR: return record_tensor(kept, value->as.tensor, TNI_KEPT_TENSOR);
    case TN_VALUE_TENSORS: record_tensors(kept, value, room); break;
    case TN_VALUE_INDEX: record_index(kept, value, room); break;
    case TN_VALUE_DIMS:
        kept->as.dims.count = value->as.dims.count;
        kept->as.dims.values = record_dims(room, value->as.dims.values, value->as.dims.count);
        break;
    case TN_VALUE_TEXT:
        if (value->as.text)
            kept->as.text = memcpy(*room, value->as.text, strlen(value->as.text) + 1);
        *room += record_text_bytes(value->as.text);
        break;
    case TN_VALUE_FLOATS:
        kept->as.floats.count = value->as.floats.count;
        if (value->as.floats.count)
            kept->as.floats.values = memcpy(*room, value->as.floats.values, record_value_bytes(value));
        *room += record_value_bytes(value);
        break;
    case TN_VALUE_INT: kept->as.integer = value->as.integer; break;
    case TN_VALUE_FLOAT: kept->as.real = value->as.real; break;
    case TN_VALUE_BOOL: kept->as.boolean = value->as.boolean; break;
    case TN_VALUE_SCALAR: kept->as.scalar = value->as.scalar; break;
    case TN_VALUE_DTYPE: kept->as.dtype = value->as.dtype; break;
    case TN_VALUE_DEVICE: kept->as.device = value->as.device; break;
    case TN_VALUE_FORMAT: kept->as.format = value->as.format; break;
    default: break;
    }
    return true;
}

static void record_shapes(tni_kept_value *kept, const tn_value *value, char **room) {
    int64_t count = value->as.tensors.count;
    tn_dims *shapes = (tn_dims *)*room;
    *room += (size_t)count * sizeof *shapes;
    for (int64_t i = 0; i < count; i++) {
        const tn_tensor *tensor = value->as.tensors.items[i];
        shapes[i] = (tn_dims){record_dims(room, tensor->sizes, tensor->ndim), tensor->ndim};
    }
    kept->as.shapes.items = shapes;
    kept->as.shapes.count = count;
}

/* Numbers about an argument. An optional tensor that is not there has none. */
static void record_numbers(tni_kept_value *kept, const tni_keep *keep, const tn_value *value, char **room) {
    const tn_tensor *tensor = value->as.tensor;
    kept->kind = TNI_KEPT_NUMBERS;
    if (keep->what == TNI_KEEP_SHAPES) {
        record_shapes(kept, value, room);
        return;
    }
    if (!tensor)
        return;
    switch (keep->what) {
    case TNI_KEEP_SIZES:
    case TNI_KEEP_STRIDES:
        kept->as.dims.values = record_dims(room, keep->what == TNI_KEEP_SIZES ? tensor->sizes : tensor->strides, tensor->ndim);
        kept->as.dims.count = tensor->ndim;
        break;
    case TNI_KEEP_OFFSET: kept->as.integer = tensor->offset; break;
    case TNI_KEEP_DTYPE: kept->as.dtype = (tn_dtype)tensor->dtype; break;
    case TNI_KEEP_DEVICE: kept->as.device = tni_tensor_device(tensor); break;
    case TNI_KEEP_NDIM: kept->as.integer = tensor->ndim; break;
    case TNI_KEEP_NUMEL: kept->as.integer = tensor->numel; break;
    default: break;
    }
}

bool tni_record_keep(tni_kept_value *kept, const tn_tensor *tensor) { return record_tensor(kept, tensor, TNI_KEPT_TENSOR); }

/* An output is kept as another tensor over its memory, without history: see node.h. */
bool tni_record_keep_output(tni_kept_value *kept, const tn_tensor *output, uint32_t number) {
    tn_tensor *alias = tni_tensor_view(output, output->ndim, output->sizes, output->strides, output->offset);
    if (!alias)
        return false;
    (void)record_tensor(kept, alias, TNI_KEPT_RESULT); /* which has no base */
    kept->output = number;
    tni_tensor_release(alias);
    return true;
}

static bool record_keep_all(record_state *r, tni_node *node, char **room) {
    bool good = true;
    for (int i = 0; good && i < r->gradient->keep_count; i++) {
        const tni_keep *keep = &r->gradient->keeps[i];
        if (!(keep->inputs & r->wanted))
            continue;
        if (keep->what == TNI_KEEP_VALUE && keep->place == 0 && r->original)
            good = record_tensor(&node->kept[i], r->original, TNI_KEPT_TENSOR);
        else if (keep->what == TNI_KEEP_VALUE)
            good = record_value(&node->kept[i], &r->values.items[keep->place], room);
        else if (keep->what != TNI_KEEP_RESULT)
            record_numbers(&node->kept[i], keep, &r->values.items[keep->place], room);
        else
            good = tni_record_keep_output(&node->kept[i], r->outputs[keep->place], keep->place);
    }
    return good;
}

/* ---- the node */

static bool record_edges(record_state *r, tni_node *node) {
    uint32_t edge = 0;
    for (int i = 0; i < r->gradient->input_count; i++) {
        const tn_value *value = &r->values.items[r->gradient->inputs[i]];
        int64_t count = value->kind == TN_VALUE_TENSORS ? value->as.tensors.count : 1;
        for (int64_t k = 0; k < count; k++, edge++) {
            const tn_tensor *tensor = value->kind == TN_VALUE_TENSORS ? value->as.tensors.items[k] : value->as.tensor;
            if (tensor && !tni_slot_edge((tn_tensor *)(uintptr_t)tensor, &node->edges[edge]))
                return false;
        }
    }
    return true;
}

void tni_record_output(tni_output *output, const tn_tensor *tensor, char **room) {
    *output = (tni_output){.ndim = tensor->ndim,
                           .dtype = tensor->dtype,
                           .has_gradient = tni_can_have_gradient(tensor->dtype),
                           .device = tni_tensor_device(tensor)};
    output->sizes = record_dims(room, tensor->sizes, tensor->ndim);
}

static tni_node *record_node(record_state *r) {
    size_t tail = 0;
    char *room;
    if (record_refuses(r->op, r->gradient, r->values.items, r->wanted))
        return NULL;
    for (int i = 0; i < r->gradient->keep_count; i++)
        tail += record_keep_bytes(&r->gradient->keeps[i], r->values.items, r->wanted);
    for (int64_t i = 0; i < r->output_count; i++)
        tail += record_dims_bytes(r->geometry ? TN_MAX_DIMS : r->outputs[i]->ndim);
    tni_node *node = tni_node_new(r->edges, (uint32_t)r->output_count, r->gradient->keep_count, tail, &room);
    if (!node)
        return NULL;
    node->gradient = r->gradient;
    node->op = r->op;
    node->wanted = r->wanted;
    node->list_input = (int8_t)r->list_input;
    node->list_count = (uint32_t)r->list_count;
    if (!record_edges(r, node) || !record_keep_all(r, node, &room) ||
        (tni_saved_has_hooks() && !tni_saved_pack(node, r->op->variant == TN_VARIANT_FUNCTIONAL))) {
        tni_node_drop(node);
        return NULL;
    }
    for (int64_t i = 0; i < r->output_count; i++) /* last: the room for sizes that are not known yet ends the block */
        tni_record_output(&node->outputs[i], r->outputs[i], &room);
    tni_node_give_number(node);
    return node;
}

/* ---- new tensors */

/* Whether a call gave back a tensor that it was given: then there is nothing to record. */
static bool record_is_argument(tn_values values, const tn_tensor *made) {
    for (int64_t i = 0; i < values.count; i++)
        if (values.items[i].kind == TN_VALUE_TENSOR && values.items[i].as.tensor == made)
            return true;
    return false;
}

/* A view knows what it is a view of: the tensor that was first in the chain of them. */
static void record_view(const tn_operator *op, const tn_value *values, tn_tensor *made) {
    tni_slot *slot = tni_slot_of(made);
    tn_tensor *self = values[0].kind == TN_VALUE_TENSOR ? values[0].as.tensor : NULL;
    if (op->result != TN_RESULT_VIEW && op->result != TN_RESULT_VIEWS && op->result != TN_RESULT_MAYBE_VIEW)
        return;
    if (!self || self->storage != made->storage)
        return;
    tn_tensor *base = self->tracked && tni_slot_of(self)->base ? tni_slot_of(self)->base : self;
    slot->base = base;
    tni_rebase_note(slot, base);
    slot->several = op->result == TN_RESULT_VIEWS || (self->tracked && tni_slot_of(self)->several);
    tni_object_hold(&base->object);
}

static bool record_new(record_state *r) {
    for (int64_t i = 0; i < r->output_count; i++)
        if (tni_can_have_gradient(r->outputs[i]->dtype) && !tni_slot_make(r->outputs[i]))
            return false;
    tni_node *node = record_node(r);
    if (!node)
        return false;
    bool given = false; /* the reference to the node: to the first output */
    for (int64_t i = 0; i < r->output_count; i++)
        if (tni_can_have_gradient(r->outputs[i]->dtype)) {
            record_view(r->op, r->values.items, r->outputs[i]);
            (given ? tni_slot_set_node : tni_slot_give_node)(r->outputs[i], node, (uint32_t)i);
            given = true;
        }
    if (!given)
        tni_node_drop(node);
    return true;
}

/* What a call made; released where it cannot be recorded. */
static tn_error record_made(record_state *r, tn_value *result) {
    if (!r->wanted || (result->kind != TN_VALUE_TENSOR && result->kind != TN_VALUE_LIST))
        return TN_OK;
    tn_tensor *one = result->as.tensor;
    if (result->kind == TN_VALUE_TENSOR) {
        if (record_is_argument(r->values, one))
            return TN_OK;
        r->outputs = &one;
        r->output_count = 1;
    } else {
        r->outputs = result->as.list->items;
        r->output_count = result->as.list->count;
    }
    if (record_new(r))
        return TN_OK;
    tni_value_drop(r->op, result);
    return tni_failed();
}

/* ---- in place */

static tn_error record_refuse_view(const tn_tensor *self, const tni_slot *slot) {
    const tni_slot *base = tni_slot_of(slot->base);
    if (base && base->requires)
        return tni_raise(
            TN_ERROR_STATE,
            "self %s is a view of a leaf that requires a gradient: it cannot be changed in place while gradients are recorded",
            tni_show_tensor(self));
    if (slot->several)
        return tni_raise(TN_ERROR_STATE, "self %s is one of several views that one call made: those cannot be changed in place",
                         tni_show_tensor(self));
    if (!tni_rebase_sees(slot->base, self))
        return tni_raise(TN_ERROR_UNSUPPORTED,
                         "self %s is a view of a tensor of dtype %s: a change in place cannot be recorded",
                         tni_show_tensor(self), tn_dtype_name((tn_dtype)slot->base->dtype));
    return TN_OK;
}

static tn_error record_refuse_in_place(const tn_tensor *self, bool wanted) {
    const tni_slot *slot = tni_slot_of(self);
    if (slot && slot->requires)
        return tni_raise(
            TN_ERROR_STATE,
            "self %s is a leaf that requires a gradient: it cannot be changed in place while gradients are recorded",
            tni_show_tensor(self));
    if (slot && slot->base) {
        tn_error code = record_refuse_view(self, slot);
        if (code != TN_OK)
            return code;
    }
    /* Tensors that look into memory nobody recorded anything of: self, and the base that it knows. */
    uint64_t counts = atomic_load_explicit(&self->storage->object.counts, memory_order_relaxed), known = 0;
    if (!slot)
        known = 1;
    else if (slot->base && !tni_wants_gradient(self) && !tni_wants_gradient(slot->base))
        known = 2;
    if (known && wanted && (counts & ~TNI_SCOPED) / TNI_HELD > known)
        return tni_raise(
            TN_ERROR_STATE,
            "self %s shares its memory with other tensors, which were made without gradients and would not know of this "
            "one; change a clone, or the tensor that they are views of",
            tni_show_tensor(self));
    return TN_OK;
}

/* self as it was, with its history, for formulas that name it. */
static bool record_original(record_state *r, tn_tensor *self) {
    bool named = false;
    for (int i = 0; i < r->gradient->keep_count; i++) {
        const tni_keep *keep = &r->gradient->keeps[i];
        named = named || (keep->what == TNI_KEEP_VALUE && keep->place == 0 && (keep->inputs & r->wanted));
    }
    if (!named)
        return true;
    r->original = tn_clone(self, TN_PRESERVE);
    if (!r->original || !tni_wants_gradient(self))
        return r->original != NULL;
    if (!tni_slot_make(r->original))
        return false;
    tni_slot_set_node(r->original, tni_slot_of(self)->node, tni_slot_of(self)->output);
    return true;
}

/* What was kept of the result has its version after the call. False, raised, where a hook fails to pack it. */
static bool record_settle(tni_node *node, const tn_tensor *self) {
    if (node->kind)
        node = tni_rebase_inner(node);
    for (uint32_t i = 0; i < node->kept_count; i++)
        if (node->kept[i].kind == TNI_KEPT_RESULT)
            node->kept[i].version = tni_storage_version(self->storage);
    return !tni_saved_has_hooks() || tni_saved_pack(node, true);
}

/* The node of a change in place, before it happens. Of a view it is also the base's. Views tell by its number that it is another
 * than the one before. */
static tni_node *record_change_node(record_state *r, tn_tensor *self) {
    const tni_slot *slot = tni_slot_make(self);
    if (slot)
        tni_node_number_after(slot->node);
    tni_node *node = slot && record_original(r, self) ? record_node(r) : NULL;
    tn_tensor *base = node ? slot->base : NULL;
    return base && !r->geometry ? tni_rebase_node(base, self, node) : node;
}

/* Afterwards. Other views find their new nodes when they are used next. */
static bool record_change(const record_state *r, tn_tensor *self, tni_node *node) {
    tn_tensor *base = tni_slot_of(self)->base;
    if (r->geometry) {
        memcpy((int64_t *)(uintptr_t)node->outputs[0].sizes, self->sizes, record_dims_bytes(self->ndim));
        node->outputs[0].ndim = self->ndim;
        tni_slot_set_node(self, node, 0);
        return true;
    }
    bool settled = record_settle(node, self);
    tni_slot_set_node(base ? base : self, node, 0);
    return settled && (!base || tni_rebase_refresh(self));
}

static tn_error record_changed(record_state *r, const tn_frame *frame, tn_value *result) {
    tn_tensor *self = r->values.items[0].as.tensor;
    bool tracked = tni_wants_gradient(self) || r->wanted;
    if (!tracked || !tni_can_have_gradient(self->dtype))
        return record_below(frame, r->values, result);
    tn_error code = record_refuse_in_place(self, r->wanted != 0);
    if (code != TN_OK)
        return code;
    r->outputs = &self;
    r->output_count = 1;
    tn_scope scope = tni_scope_open_hidden();
    if (scope.id == 0)
        return tni_failed();
    tni_node *node = record_change_node(r, self);
    (void)tni_scope_close_hidden(scope, NULL);
    if (!node)
        return tni_failed();
    code = record_below(frame, r->values, result);
    if (code == TN_OK && !record_change(r, self, node))
        code = tni_failed();
    tni_node_drop(node);
    return code;
}

/* ---- a view as a part of its base */

tni_node *tni_record_as_strided(tn_tensor *base, tn_tensor *part) {
    static _Atomic(const tn_operator *) found;
    const tn_operator *op = atomic_load_explicit(&found, memory_order_relaxed);
    if (!op) {
        op = tn_operator_find("as_strided");
        atomic_store_explicit(&found, op, memory_order_relaxed);
    }
    tn_value values[] = {tn_value_tensor(base), tn_value_dims((tn_dims){part->sizes, part->ndim}),
                         tn_value_dims((tn_dims){part->strides, part->ndim}), tn_value_int(part->offset)};
    record_state r = {
        .op = op, .gradient = &tni_gradients[op->gradient], .values = {values, 4}, .outputs = &part, .output_count = 1};
    record_count(&r);
    return record_node(&r);
}

/* ---- the key */

static tn_error record_refuse_out(const tn_operator *op, tn_values values) {
    int64_t place = record_wanting(values) - values.items;
    return tni_raise(TN_ERROR_STATE,
                     "%s requires a gradient, and a result in a given tensor cannot be recorded; use %s without out",
                     record_parameter_name(op, place), tni_operator_text(op, op->base));
}

/* A registered operator is passed on, so that what it is made of is recorded; an operator of the table has no formula yet. */
static tn_error record_without(const tn_frame *frame, tn_values values, tn_value *result) {
    const tn_operator *op = frame->op;
    if (tni_operator_is_registered(op))
        return tni_redispatch(frame, values, result, true);
    int64_t place = record_wanting(values) - values.items;
    return tni_raise(TN_ERROR_UNSUPPORTED, "%s requires a gradient, and %s has no derivative yet",
                     record_parameter_name(op, place), tni_operator_text(op, op->name));
}

/* resize_ and set_: what was recorded of a tensor is for its sizes and its memory. */
static tn_error record_refuse_geometry(const tn_operator *op, tn_values values) {
    int64_t place = record_wanting(values) - values.items;
    return tni_raise(TN_ERROR_STATE, "%s %s requires a gradient: %s cannot take it while gradients are recorded",
                     record_parameter_name(op, place), tni_show_tensor(values.items[place].as.tensor),
                     tni_operator_text(op, op->name));
}

static tn_error record_call(void *ctx, const tn_frame *frame, tn_values values, tn_value *result) {
    (void)ctx;
    const tn_operator *op = frame->op;
    bool tensors = op->result <= TN_RESULT_VIEWS;
    if (!tensors || !record_wanting(values))
        return record_below(frame, values, result);
    if (op->variant == TN_VARIANT_OUT)
        return record_refuse_out(op, values);
    if (!op->gradient)
        return record_without(frame, values, result);
    record_state r = {.op = op, .gradient = &tni_gradients[op->gradient], .values = values};
    record_count(&r);
    if (op->variant == TN_VARIANT_FUNCTIONAL) {
        tn_error code = record_below(frame, values, result);
        return code == TN_OK ? record_made(&r, result) : code;
    }
    r.geometry = op->result == TN_RESULT_VIEW;
    if (r.geometry && !r.gradient->backward)
        return record_refuse_geometry(op, values);
    return record_changed(&r, frame, result);
}

/* ---- the short way, for most calls: one new tensor of single ones */

static uint32_t record_short_wanted(const tni_gradient *gradient, const tn_value *values) {
    uint32_t wanted = 0;
    for (int i = 0; i < gradient->input_count; i++) {
        const tn_tensor *tensor = values[gradient->inputs[i]].as.tensor;
        wanted |= (uint32_t)(tensor && tni_wants_gradient(tensor)) << i;
    }
    return wanted;
}

static bool record_short_edges(tni_node *node, const tn_value *values) {
    const tni_gradient *gradient = node->gradient;
    for (int i = 0; i < gradient->input_count; i++)
        if (node->wanted >> i & 1 && !tni_slot_edge(values[gradient->inputs[i]].as.tensor, &node->edges[i]))
            return false;
    return true;
}

static bool record_short_keeps(tni_node *node, const tn_value *values, const tn_tensor *made, char **room) {
    const tni_gradient *gradient = node->gradient;
    bool good = true;
    for (int i = 0; good && i < gradient->keep_count; i++) {
        const tni_keep *keep = &gradient->keeps[i];
        const tn_value *value = &values[keep->place];
        tni_kept_value *kept = &node->kept[i];
        if (!(keep->inputs & node->wanted))
            continue;
        if (keep->what == TNI_KEEP_RESULT)
            good = tni_record_keep_output(kept, made, 0);
        else if (keep->what != TNI_KEEP_VALUE)
            record_numbers(kept, keep, value, room);
        else if (value->kind == TN_VALUE_TENSOR)
            good = record_tensor(kept, value->as.tensor, TNI_KEPT_TENSOR);
        else
            good = record_value(kept, value, room);
    }
    return good;
}

static bool record_short(const tn_operator *op, const tni_gradient *gradient, const tn_value *values, tn_tensor *made) {
    uint32_t wanted = record_short_wanted(gradient, values);
    size_t tail = record_dims_bytes(made->ndim);
    char *room;
    if (!wanted || !tni_can_have_gradient(made->dtype))
        return true;
    if (record_refuses(op, gradient, values, wanted))
        return false;
    for (int i = 0; i < gradient->keep_count; i++)
        tail += record_keep_bytes(&gradient->keeps[i], values, wanted);
    tni_node *node = tni_slot_make(made) ? tni_node_new(gradient->input_count, 1, gradient->keep_count, tail, &room) : NULL;
    if (!node)
        return false;
    node->gradient = gradient;
    node->op = op;
    node->wanted = wanted;
    tni_record_output(&node->outputs[0], made, &room);
    if (TNI_UNLIKELY(!record_short_edges(node, values) || !record_short_keeps(node, values, made, &room) ||
                     (tni_saved_has_hooks() && !tni_saved_pack(node, true)))) {
        tni_node_drop(node);
        return false;
    }
    tni_node_give_number(node);
    if (op->result != TN_RESULT_TENSOR)
        record_view(op, values, made);
    tni_slot_give_node(made, node, 0);
    return true;
}

static TNI_NOINLINE bool record_any(const tn_operator *op, const tn_value *values, tn_value *result) {
    record_state r = {.op = op, .gradient = &tni_gradients[op->gradient], .values = {values, op->count}};
    record_count(&r);
    return record_made(&r, result) == TN_OK;
}

/* An argument wants a gradient, there is a formula, and the call has been made: see dispatch.h. */
static bool record_result(const tn_operator *op, const tn_value *values, tn_value *result) {
    const tni_gradient *gradient = &tni_gradients[op->gradient];
    if (TNI_LIKELY(gradient->single && op->result <= TN_RESULT_MAYBE_VIEW && tni_object_is_last(&result->as.tensor->object))) {
        if (TNI_LIKELY(record_short(op, gradient, values, result->as.tensor)))
            return true;
        tni_value_drop(op, result);
        return false;
    }
    return record_any(op, values, result);
}

void tni_record_begin(void) {
    tni_dispatch_provide(TN_KEY_AUTOGRAD, record_call);
    tni_writes_begin();
    atomic_store_explicit(&tni_record_result, record_result, memory_order_release);
}
