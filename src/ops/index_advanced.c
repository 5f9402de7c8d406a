/* index_advanced.c - self[...] with tensors or conditions among the items: read, assigned to, added to.
 *
 * First the items that select a view are done (index.c), with every tensor standing for whole dimensions and every condition
 * for a new axis. What is left is a list of picks: some dimensions of that view, and the positions wanted there. Masks become
 * positions, all positions are broadcast to one shape, and that shape takes the place of the picked dimensions; the rest is
 * index_engine.c.
 *
 * Invariant: picks are in the order of their dimensions, and no two share one.
 */
#include "ops/index_advanced.h"

#include "base/error.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/index_engine.h"
#include "ops/masked.h"
#include "tensor/check.h"

typedef struct advanced_pick {
    const tn_tensor *tensor; /* NULL for a condition */
    bool is_mask, truth;
    int64_t dim, dims;  /* of the view: the first one and how many          */
    tn_tensor *offsets; /* of a mask: in bytes, where it is true            */
    int64_t item;       /* its number in the index, for messages            */
    int64_t of_self;    /* the dimension of self, also for messages         */
} advanced_pick;

typedef struct advanced {
    tn_tensor *view, *list; /* list: offsets the pick reads, where it made some            */
    int64_t pick_count, shape_count, ndim;
    int64_t place;              /* where the shape stands in the result     */
    int64_t shape[TN_MAX_DIMS]; /* what the positions have in common        */
    int64_t sizes[TN_MAX_DIMS]; /* of the result                            */
    advanced_pick picks[2 * TN_MAX_DIMS];
    tni_pick pick;
} advanced;

static void advanced_begin(advanced *plan) {
    memset(plan, 0, offsetof(advanced, shape));
    plan->pick.ready = plan->pick.wrap = false;
    plan->pick.scale = plan->pick.limit = 0;
}

/* ---- from items to a view and picks */

typedef struct advanced_reader {
    tn_index_item items[3 * TN_MAX_DIMS]; /* without tensors */
    int64_t count, used, before; /* used: dimensions of self; before: dimensions of the view that stand before the next */
    int64_t ellipsis_at;         /* picks before the ellipsis; -1: none yet                                             */
} advanced_reader;

static bool advanced_push(advanced_reader *reader, const tn_tensor *self, tn_index_item item) {
    bool uses = item.kind == TN_INDEX_AT || item.kind == TN_INDEX_RANGE;
    reader->used += uses;
    if (reader->used > self->ndim) {
        tni_raise(TN_ERROR_INDEX, "the index names more dimensions than self %s has", tni_show_tensor(self));
        return false;
    }
    reader->before += item.kind == TN_INDEX_RANGE || item.kind == TN_INDEX_NEW_AXIS;
    reader->items[reader->count++] = item;
    return true;
}

static advanced_pick *advanced_add(advanced *plan, const advanced_reader *reader, int64_t item) {
    advanced_pick *pick = &plan->picks[plan->pick_count++];
    *pick = (advanced_pick){.dim = reader->before, .item = item, .of_self = reader->used};
    return pick;
}

static bool advanced_condition(advanced *plan, advanced_reader *reader, const tn_tensor *self, int64_t item, bool truth) {
    advanced_pick *pick = advanced_add(plan, reader, item);
    pick->truth = truth;
    pick->dims = 1;
    return advanced_push(reader, self, TN_NEW_AXIS);
}

static bool advanced_tensor(advanced *plan, advanced_reader *reader, const tn_tensor *self, int64_t item,
                            const tn_tensor *tensor) {
    bool is_mask = tensor->dtype == TN_BOOL || tensor->dtype == TN_UINT8;
    if (!is_mask && tni_dtype_row(tensor->dtype)->kind != TN_KIND_SIGNED &&
        tni_dtype_row(tensor->dtype)->kind != TN_KIND_UNSIGNED) {
        tni_raise(TN_ERROR_DTYPE, "item %" PRId64 " of the index is %s; positions are integers, as int64, and masks bool", item,
                  tni_show_tensor(tensor));
        return false;
    }
    if (is_mask && tensor->ndim == 0)
        return advanced_condition(plan, reader, self, item, *tni_tensor_read(tensor) != 0);
    if (tensor->ndim == 0)
        return advanced_push(reader, self, TN_AT(tni_position_load(tensor->dtype, tni_tensor_read(tensor))));
    advanced_pick *pick = advanced_add(plan, reader, item);
    pick->tensor = tensor;
    pick->is_mask = is_mask;
    pick->dims = is_mask ? tensor->ndim : 1;
    for (int64_t d = 0; d < pick->dims; d++)
        if (!advanced_push(reader, self, TN_ALL))
            return false;
    return true;
}

static bool advanced_read(advanced *plan, const tn_tensor *self, tn_index_list index) {
    advanced_reader reader; /* without its items, which are many */
    reader.count = reader.used = reader.before = 0;
    reader.ellipsis_at = -1;
    for (int64_t i = 0; i < index.count; i++) {
        const tn_index_item *item = &index.items[i];
        bool good = item->kind == TN_INDEX_TENSOR ? advanced_tensor(plan, &reader, self, i, item->tensor)
                    : item->kind == TN_INDEX_WHEN ? advanced_condition(plan, &reader, self, i, item->start != 0)
                                                  : advanced_push(&reader, self, *item);
        if (!good)
            return false;
        if (item->kind == TN_INDEX_ELLIPSIS && reader.ellipsis_at < 0)
            reader.ellipsis_at = plan->pick_count;
    }
    for (int64_t i = reader.ellipsis_at; i >= 0 && i < plan->pick_count; i++) {
        plan->picks[i].dim += self->ndim - reader.used;
        plan->picks[i].of_self += self->ndim - reader.used;
    }
    plan->view = tni_op_index(self, (tn_index_list){reader.items, reader.count});
    return plan->view != NULL;
}

/* ---- positions */

static bool advanced_mask_fits(const advanced *plan, const advanced_pick *pick) {
    for (int64_t d = 0; d < pick->dims; d++)
        if (pick->tensor->sizes[d] != plan->view->sizes[pick->dim + d]) {
            tni_raise(TN_ERROR_INDEX,
                      "item %" PRId64 " of the index is the mask %s; it stands for dimensions of sizes %s, which it must have",
                      pick->item, tni_show_tensor(pick->tensor), tni_show_dims(plan->view->sizes + pick->dim, pick->dims));
            return false;
        }
    return true;
}

static bool advanced_list_mask(const advanced *plan, advanced_pick *pick) {
    tni_mask mask;
    int64_t strides[TN_MAX_DIMS];
    for (int64_t d = 0; d < pick->dims; d++)
        strides[d] = plan->view->strides[pick->dim + d] * (int64_t)tni_tensor_item_size(plan->view);
    if (!advanced_mask_fits(plan, pick) || !tni_mask_begin(&mask, pick->tensor))
        return false;
    pick->offsets = tni_mask_offsets(&mask, strides);
    tni_mask_end(&mask);
    return pick->offsets != NULL;
}

/* The sizes of a pick's positions: of the tensor, of the true elements of a mask, [1] or [0] for a condition. */
static int64_t advanced_sizes(const advanced_pick *pick, const int64_t **sizes) {
    static const int64_t conditions[] = {0, 1};
    const tn_tensor *positions = pick->is_mask ? pick->offsets : pick->tensor;
    *sizes = positions ? positions->sizes : &conditions[pick->truth];
    return positions ? positions->ndim : 1;
}

static bool advanced_broadcast(advanced *plan) {
    for (int64_t i = 0; i < plan->pick_count; i++) {
        const int64_t *sizes;
        int64_t ndim = advanced_sizes(&plan->picks[i], &sizes), common = tni_max_i64(ndim, plan->shape_count);
        int64_t shape[TN_MAX_DIMS];
        for (int64_t d = 0; d < common; d++) {
            int64_t a = d < common - plan->shape_count ? 1 : plan->shape[d - common + plan->shape_count];
            int64_t b = d < common - ndim ? 1 : sizes[d - common + ndim];
            if (a != b && a != 1 && b != 1) {
                tni_raise(TN_ERROR_INDEX,
                          "item %" PRId64
                          " of the index has positions of sizes %s, which cannot be broadcast with %s of those before",
                          plan->picks[i].item, tni_show_dims(sizes, ndim), tni_show_dims(plan->shape, plan->shape_count));
                return false;
            }
            shape[d] = a == 1 ? b : a;
        }
        plan->shape_count = common;
        memcpy(plan->shape, shape, (size_t)common * sizeof *shape);
    }
    return true;
}

/* ---- the pick */

/* Sizes of the result, and the view's strides in it: the shape of the positions where the picked dimensions were, or in front
 * when those do not stand together. */
static bool advanced_place(advanced *plan) {
    const tn_tensor *view = plan->view;
    tni_pick *pick = &plan->pick;
    int64_t picked = 0, item = (int64_t)tni_tensor_item_size(view);
    bool together = true;
    for (int64_t i = 0; i < plan->pick_count; i++) {
        picked += plan->picks[i].dims;
        if (i > 0)
            together = together && plan->picks[i].dim == plan->picks[i - 1].dim + plan->picks[i - 1].dims;
    }
    plan->place = together ? plan->picks[0].dim : 0;
    plan->ndim = view->ndim - picked + plan->shape_count;
    if (plan->ndim > TN_MAX_DIMS) {
        tni_raise(TN_ERROR_SHAPE, "the result would have %" PRId64 " dimensions; at most %d are possible", plan->ndim,
                  TN_MAX_DIMS);
        return false;
    }
    int64_t to = 0, next = 0;
    for (int64_t d = 0; d <= view->ndim; d++) {
        if (to == plan->place)
            for (int64_t k = 0; k < plan->shape_count; k++) {
                plan->sizes[to] = plan->shape[k];
                pick->picked_strides[to++] = 0;
            }
        if (d == view->ndim)
            break;
        if (next < plan->pick_count && d == plan->picks[next].dim) {
            d += plan->picks[next++].dims - 1;
            continue;
        }
        plan->sizes[to] = view->sizes[d];
        pick->picked_strides[to++] = view->strides[d] * item;
    }
    pick->ndim = plan->ndim;
    memcpy(pick->sizes, plan->sizes, (size_t)plan->ndim * sizeof *pick->sizes);
    pick->dtype = view->dtype;
    pick->picked = (char *)(uintptr_t)tni_tensor_read(view);
    return true;
}

/* Let `pick` take its positions from a tensor, broadcast to the shape, whose first dimension is `first` of the pick. */
static void advanced_positions(const advanced *plan, tni_pick *pick, int64_t first, const tn_tensor *positions) {
    int64_t lead = plan->shape_count - positions->ndim, item = (int64_t)tni_tensor_item_size(positions);
    memset(pick->index_strides, 0, (size_t)pick->ndim * sizeof *pick->index_strides);
    for (int64_t d = 0; d < positions->ndim; d++)
        pick->index_strides[first + lead + d] = positions->sizes[d] == plan->shape[lead + d] ? positions->strides[d] * item : 0;
    pick->index = tni_tensor_read(positions);
    pick->index_dtype = positions->dtype;
}

static void advanced_along(const advanced *plan, tni_pick *pick, int64_t first, const advanced_pick *from) {
    advanced_positions(plan, pick, first, from->is_mask ? from->offsets : from->tensor);
    pick->ready = from->is_mask || from->tensor->numel == 0;
    pick->wrap = true;
    pick->dim = from->of_self;
    pick->limit = pick->ready ? 0 : plan->view->sizes[from->dim];
    pick->scale = pick->ready ? 0 : plan->view->strides[from->dim] * (int64_t)tni_tensor_item_size(plan->view);
}

/* Several tensors: their offsets are added up. */
static bool advanced_sum(advanced *plan) {
    plan->list = tni_op_zeros((tn_dims){plan->shape, plan->shape_count}, TN_INT64);
    if (!plan->list)
        return false;
    tni_pick list;
    list.mode = TNI_PICK_LIST;
    list.dtype = TN_INT64;
    list.picked = NULL;
    for (int64_t i = 0; i < plan->pick_count; i++) {
        if (!plan->picks[i].tensor)
            continue;
        list.ndim = plan->shape_count;
        memcpy(list.sizes, plan->shape, (size_t)list.ndim * sizeof *list.sizes);
        memset(list.picked_strides, 0, (size_t)list.ndim * sizeof *list.picked_strides);
        advanced_along(plan, &list, 0, &plan->picks[i]);
        tni_pick_other(&list, plan->list);
        if (tni_pick_run(&list) != TN_OK)
            return false;
    }
    advanced_positions(plan, &plan->pick, plan->place, plan->list);
    plan->pick.ready = true;
    return true;
}

static bool advanced_index(advanced *plan) {
    const advanced_pick *only = NULL;
    int64_t tensors = 0;
    for (int64_t i = 0; i < plan->pick_count; i++)
        if (plan->picks[i].tensor) {
            only = &plan->picks[i];
            tensors++;
        }
    if (tensors != 1)
        return advanced_sum(plan);
    advanced_along(plan, &plan->pick, plan->place, only);
    return true;
}

static void advanced_end(advanced *plan) {
    for (int64_t i = 0; i < plan->pick_count; i++)
        tni_tensor_release(plan->picks[i].offsets);
    tni_tensor_release(plan->list);
    tni_tensor_release(plan->view);
}

static bool advanced_on_cpu(const tn_tensor *self) {
    tn_device device = tni_tensor_device(self);
    if (device.type == TN_CPU)
        return true;
    tni_raise(TN_ERROR_DEVICE, "self is on device %s, which has no kernel for an index with tensors",
              tn_device_type_name(device.type));
    return false;
}

/* The whole of it, but for masks that one operator does alone. Picks may be none: then the view is all. */
static bool advanced_finish(advanced *plan) {
    if (plan->pick_count == 0)
        return true;
    for (int64_t i = 0; i < plan->pick_count; i++)
        if (plan->picks[i].is_mask && !advanced_list_mask(plan, &plan->picks[i]))
            return false;
    return advanced_broadcast(plan) && advanced_place(plan) && advanced_index(plan);
}

/* Whether the index is one mask over everything. */
static bool advanced_is_mask(const advanced *plan) {
    return plan->pick_count == 1 && plan->picks[0].is_mask && plan->picks[0].dims == plan->view->ndim;
}

/* ---- reading */

static tn_tensor *advanced_select(const advanced *plan) {
    tni_mask mask;
    if (!advanced_mask_fits(plan, &plan->picks[0]) || !tni_mask_begin(&mask, plan->picks[0].tensor))
        return NULL;
    tn_tensor *result = tni_tensor_new(1, &mask.count, plan->view->dtype, tni_tensor_device(plan->view));
    if (result)
        tni_mask_select(&mask, plan->view, tni_tensor_write(result));
    tni_mask_end(&mask);
    return result;
}

static tn_tensor *advanced_get(advanced *plan) {
    if (plan->pick_count == 0)
        return tni_tensor_retain(plan->view);
    if (advanced_is_mask(plan) && tni_tensor_is_contiguous(plan->view))
        return advanced_select(plan);
    if (!advanced_finish(plan))
        return NULL;
    tn_tensor *result = tni_tensor_new(plan->ndim, plan->sizes, plan->view->dtype, tni_tensor_device(plan->view));
    if (!result)
        return NULL;
    plan->pick.mode = TNI_PICK_READ;
    tni_pick_other(&plan->pick, result);
    return tni_pick_kept(result, tni_pick_run(&plan->pick));
}

tn_tensor *tni_index_advanced(const tn_tensor *self, tn_index_list index) {
    advanced plan;
    advanced_begin(&plan);
    tn_tensor *result = tni_check_index_closely(index, "index") && advanced_on_cpu(self) && advanced_read(&plan, self, index)
                            ? advanced_get(&plan)
                            : NULL;
    advanced_end(&plan);
    return result;
}

/* ---- writing */

/* Values may have more dimensions than the result, as long as those in front are of size 1. */
static bool advanced_values(advanced *plan, const tn_tensor *values) {
    tni_pick *pick = &plan->pick;
    int64_t extra = tni_max_i64(values->ndim - plan->ndim, 0), lead = plan->ndim - values->ndim + extra;
    int64_t item = (int64_t)tni_tensor_item_size(values);
    bool fit = true;
    for (int64_t d = 0; d < extra; d++)
        fit = fit && values->sizes[d] == 1;
    for (int64_t d = 0; fit && d < plan->ndim; d++) {
        int64_t size = d < lead ? 1 : values->sizes[extra + d - lead];
        fit = size == plan->sizes[d] || size == 1;
        pick->other_strides[d] = size == 1 ? 0 : values->strides[extra + d - lead] * item;
    }
    pick->other = (char *)(uintptr_t)tni_tensor_read(values);
    if (!fit)
        tni_raise(TN_ERROR_SHAPE, "values %s cannot be broadcast to the sizes %s that the index selects",
                  tni_show_tensor(values), tni_show_dims(plan->sizes, plan->ndim));
    return fit;
}

/* No tensor is left: the view itself is what is written. */
static void advanced_whole(advanced *plan) {
    static const int64_t nowhere = 0;
    tni_pick *pick = &plan->pick;
    plan->ndim = pick->ndim = plan->view->ndim;
    for (int64_t d = 0; d < plan->ndim; d++) {
        plan->sizes[d] = pick->sizes[d] = plan->view->sizes[d];
        pick->picked_strides[d] = plan->view->strides[d] * (int64_t)tni_tensor_item_size(plan->view);
        pick->index_strides[d] = 0;
    }
    pick->dtype = plan->view->dtype;
    pick->picked = tni_tensor_write(plan->view);
    pick->index = (const char *)&nowhere;
    pick->index_dtype = TN_INT64;
    pick->ready = true;
}

static tn_error advanced_write_plan(advanced *plan, const tn_tensor *values, const void *element, tni_pick_mode mode) {
    if (!values && mode == TNI_PICK_WRITE && advanced_is_mask(plan) && plan->picks[0].tensor->dtype == TN_BOOL)
        return advanced_mask_fits(plan, &plan->picks[0])
                   ? tni_op_masked_fill_(plan->view, plan->picks[0].tensor, tn_dtype_load(plan->view->dtype, element))
                   : tn_error_code();
    if (plan->pick_count == 0)
        advanced_whole(plan);
    else if (!advanced_finish(plan))
        return tn_error_code();
    plan->pick.mode = mode;
    if (values && !advanced_values(plan, values))
        return tn_error_code();
    if (!values)
        tni_pick_element(&plan->pick, element);
    return tni_pick_run(&plan->pick);
}

/* self has the dtype of values and shares no memory with them or the index. */
static tn_error advanced_write(tn_tensor *self, tn_index_list index, const tn_tensor *values, const void *element,
                               tni_pick_mode mode) {
    advanced plan;
    advanced_begin(&plan);
    tn_error code = advanced_read(&plan, self, index) ? advanced_write_plan(&plan, values, element, mode) : tn_error_code();
    advanced_end(&plan);
    return code;
}

static tn_error advanced_accumulate(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_dtype wide) {
    static const char reason[] = "sums are formed in a wider dtype";
    tn_tensor *target = tni_clone_as(self, wide, TN_CONTIGUOUS, tni_tensor_device(self), reason);
    tn_tensor *source = target ? tni_clone_as(values, wide, TN_PRESERVE, tni_tensor_device(self), reason) : NULL;
    tn_error code = source ? advanced_write(target, index, source, NULL, TNI_PICK_ADD) : tn_error_code();
    if (code == TN_OK)
        code = tni_copy_into(self, target, reason);
    tni_tensor_release(source);
    tni_tensor_release(target);
    return code;
}

/* A copy of every tensor of the index that self, when written, would change. */
static bool advanced_apart(const tn_tensor *self, tn_index_list index, tn_index_item *items, tn_tensor **held) {
    for (int64_t i = 0; i < index.count; i++) {
        items[i] = index.items[i];
        held[i] = NULL;
    }
    for (int64_t i = 0; i < index.count; i++)
        if (items[i].kind == TN_INDEX_TENSOR) {
            items[i].tensor = held[i] = tni_pick_apart(self, items[i].tensor);
            if (!held[i])
                return false;
        }
    return true;
}

static tn_error advanced_put(tn_tensor *self, tn_index_list index, const tn_tensor *values, const void *element,
                             bool accumulate) {
    tn_dtype wide = accumulate ? tni_pick_wide(self->dtype, TNI_PICK_ADD) : (tn_dtype)self->dtype;
    if (wide == TN_DTYPE_DEFAULT)
        return tni_raise(TN_ERROR_DTYPE, "there is no sum for self %s", tni_show_tensor(self));
    if (wide != (tn_dtype)self->dtype)
        return advanced_accumulate(self, index, values, wide);
    tn_index_item items[2 * TN_MAX_DIMS];
    tn_tensor *held[2 * TN_MAX_DIMS], *apart = NULL;
    bool good = advanced_apart(self, index, items, held);
    if (good && values)
        good = (apart = tni_pick_apart(self, values)) != NULL;
    tn_error code = good ? advanced_write(self, (tn_index_list){items, index.count}, apart, element,
                                          accumulate ? TNI_PICK_ADD : TNI_PICK_WRITE)
                         : tn_error_code();
    if (code == TN_OK)
        tni_storage_bump(self->storage);
    tni_tensor_release(apart);
    for (int64_t i = 0; i < index.count; i++)
        tni_tensor_release(held[i]);
    return code;
}

/* As in torch, one value under masks alone is a fill, for which a number of another dtype will do. */
static bool advanced_fills(const tn_tensor *self, tn_index_list index, const tn_tensor *values, bool accumulate) {
    for (int64_t i = 0; i < index.count; i++)
        if (index.items[i].kind == TN_INDEX_TENSOR && index.items[i].tensor->dtype != TN_BOOL)
            return false;
    return values->numel == 1 && !accumulate && tn_dtype_is_complex(values->dtype) <= tn_dtype_is_complex(self->dtype);
}

tn_error tni_index_put(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value, bool accumulate) {
    _Alignas(16) char element[16];
    if (!tni_check_index_closely(index, "index"))
        return tn_error_code();
    if (values && values->dtype != self->dtype && advanced_fills(self, index, values, accumulate)) {
        tn_tensor *same = tni_op_to(values, self->dtype);
        tn_error code = same ? tni_index_put(self, index, same, value, false) : tn_error_code();
        tni_tensor_release(same);
        return code;
    }
    if (values && values->dtype != self->dtype)
        return tni_raise(TN_ERROR_DTYPE, "values %s must have the dtype of self %s", tni_show_tensor(values),
                         tni_show_tensor(self));
    if (!values && !tn_dtype_can_hold(self->dtype, value))
        return tni_raise(TN_ERROR_DTYPE, "value %s does not fit in %s", tni_show_scalar(value), tn_dtype_name(self->dtype));
    if (!advanced_on_cpu(self) || !tni_pick_writable(self))
        return tn_error_code();
    if (!values)
        tn_dtype_store(self->dtype, element, value);
    return advanced_put(self, index, values, element, accumulate);
}
