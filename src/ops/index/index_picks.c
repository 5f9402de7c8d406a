/* index_picks.c - see index_picks.h.
 *
 * Invariant: picks are in the order of their dimensions, and no two share one.
 */
#include "ops/index/index_picks.h"

#include "base/error.h"
#include "base/warn.h"
#include "dispatch/backend.h"
#include "operators_index.h"
#include "ops/copy/copy.h"
#include "ops/index/masked.h"

void tni_picks_begin(tni_picks *plan) {
    memset(plan, 0, offsetof(tni_picks, shape));
    plan->pick.ready = plan->pick.wrap = false;
    plan->pick.scale = plan->pick.limit = 0;
}

/* ---- from items to a view and picks */

typedef struct picks_reader {
    tn_index_item items[3 * TN_MAX_DIMS]; /* without tensors */
    int64_t count, used, before;          /* used: dimensions of self; before: dimensions of the view before the next */
    int64_t ellipsis_at; /* picks before the ellipsis; -1: none yet                                             */
} picks_reader;

static bool picks_push(picks_reader *reader, const tn_tensor *self, tn_index_item item) {
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

static tni_picks_item *picks_add(tni_picks *plan, const picks_reader *reader, int64_t item) {
    tni_picks_item *pick = &plan->picks[plan->pick_count++];
    *pick = (tni_picks_item){.dim = reader->before, .item = item, .of_self = reader->used};
    return pick;
}

static bool picks_condition(tni_picks *plan, picks_reader *reader, const tn_tensor *self, int64_t item, bool truth) {
    tni_picks_item *pick = picks_add(plan, reader, item);
    pick->truth = truth;
    pick->dims = 1;
    return picks_push(reader, self, TN_NEW_AXIS);
}

/* On the meta device. */
TNI_COLD bool tni_picks_hollow_mask(const tn_tensor *mask, int64_t item) {
    tni_raise(TN_ERROR_DEVICE,
              "item %" PRId64 " of the index is the mask %s: the sizes of what it picks depend on its elements, but on device "
              "meta there are none",
              item, tni_show_tensor(mask));
    return false;
}

/* The one position, or byte of a mask, in a tensor of no dimensions, wherever it is. */
static bool picks_number(const tn_tensor *tensor, int64_t *number) {
    tn_tensor *here = tni_moved(tensor, TN_DEVICE_CPU, "a single position is looked at");
    if (!here)
        return false;
    *number = here->dtype == TN_BOOL ? *tni_tensor_read(here) != 0 : tni_position_load(here->dtype, tni_tensor_read(here));
    tni_tensor_release(here);
    return true;
}

static bool picks_tensor(tni_picks *plan, picks_reader *reader, const tn_tensor *self, int64_t item, const tn_tensor *tensor) {
    bool is_mask = tensor->dtype == TN_BOOL || tensor->dtype == TN_UINT8;
    if (!is_mask && tni_dtype_row(tensor->dtype)->kind != TN_KIND_SIGNED &&
        tni_dtype_row(tensor->dtype)->kind != TN_KIND_UNSIGNED) {
        tni_raise(TN_ERROR_DTYPE, "item %" PRId64 " of the index is %s; positions are integers, as int64, and masks bool", item,
                  tni_show_tensor(tensor));
        return false;
    }
    if (tensor->dtype == TN_UINT8 && !plan->quiet)
        tni_warn("item %" PRId64 " of the index is %s, which is a mask as in old programs; use a mask of bool", item,
                 tni_show_tensor(tensor));
    bool hollow = tni_tensor_device(tensor).type == TN_META; /* any position stands for one that cannot be read */
    if (is_mask && tensor->ndim == 0 && hollow)
        return tni_picks_hollow_mask(tensor, item);
    if (tensor->ndim == 0) {
        int64_t number = 0;
        return (hollow || picks_number(tensor, &number)) &&
               (is_mask ? picks_condition(plan, reader, self, item, number != 0) : picks_push(reader, self, TN_AT(number)));
    }
    tni_picks_item *pick = picks_add(plan, reader, item);
    pick->tensor = tensor;
    pick->is_mask = is_mask;
    pick->dims = is_mask ? tensor->ndim : 1;
    for (int64_t d = 0; d < pick->dims; d++)
        if (!picks_push(reader, self, TN_ALL))
            return false;
    return true;
}

bool tni_picks_read(tni_picks *plan, const tn_tensor *self, tn_index_list index) {
    picks_reader reader; /* without its items, which are many */
    reader.count = reader.used = reader.before = 0;
    reader.ellipsis_at = -1;
    for (int64_t i = 0; i < index.count; i++) {
        const tn_index_item *item = &index.items[i];
        bool good = item->kind == TN_INDEX_TENSOR ? picks_tensor(plan, &reader, self, i, item->tensor)
                    : item->kind == TN_INDEX_WHEN ? picks_condition(plan, &reader, self, i, item->start != 0)
                                                  : picks_push(&reader, self, *item);
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

/* The distance from one element of the view to the next; 0 where no element depends on it. */
static int64_t picks_stride(const tni_picks *plan, int64_t dim) {
    int64_t stride = tni_tensor_step(plan->view, dim);
    return plan->elements ? stride / (int64_t)tni_tensor_item_size(plan->view) : stride;
}

bool tni_picks_mask_fits(const tni_picks *plan, const tni_picks_item *pick) {
    for (int64_t d = 0; d < pick->dims; d++)
        if (pick->tensor->sizes[d] != plan->view->sizes[pick->dim + d]) {
            tni_raise(TN_ERROR_INDEX,
                      "item %" PRId64 " of the index is the mask %s; it stands for dimensions of sizes %s, which it must have",
                      pick->item, tni_show_tensor(pick->tensor), tni_show_dims(plan->view->sizes + pick->dim, pick->dims));
            return false;
        }
    return true;
}

static bool picks_list_mask(const tni_picks *plan, tni_picks_item *pick) {
    tni_mask mask;
    int64_t strides[TN_MAX_DIMS];
    for (int64_t d = 0; d < pick->dims; d++)
        strides[d] = picks_stride(plan, pick->dim + d);
    if (!tni_picks_mask_fits(plan, pick) || !tni_mask_begin(&mask, pick->tensor))
        return false;
    pick->offsets = tni_mask_offsets(&mask, strides, tni_tensor_device(plan->view));
    tni_mask_end(&mask);
    return pick->offsets != NULL;
}

/* The sizes of a pick's positions: of the tensor, of the true elements of a mask, [1] or [0] for a condition. */
static int64_t picks_sizes(const tni_picks_item *pick, const int64_t **sizes) {
    static const int64_t conditions[] = {0, 1};
    const tn_tensor *positions = pick->is_mask ? pick->offsets : pick->tensor;
    *sizes = positions ? positions->sizes : &conditions[pick->truth];
    return positions ? positions->ndim : 1;
}

bool tni_picks_broadcast(tni_picks *plan) {
    for (int64_t i = 0; i < plan->pick_count; i++) {
        const int64_t *sizes;
        int64_t ndim = picks_sizes(&plan->picks[i], &sizes), common = tni_max_i64(ndim, plan->shape_count);
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
 * when those are not together. */
bool tni_picks_place(tni_picks *plan) {
    const tn_tensor *view = plan->view;
    tni_pick *pick = &plan->pick;
    int64_t picked = 0;
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
        pick->picked_strides[to++] = picks_stride(plan, d);
    }
    pick->ndim = plan->ndim;
    memcpy(pick->sizes, plan->sizes, (size_t)plan->ndim * sizeof *pick->sizes);
    pick->dtype = view->dtype;
    pick->device = tni_tensor_device(view);
    pick->picked = (char *)(uintptr_t)tni_tensor_read(view);
    return true;
}

/* Let `pick` take its positions from a tensor, broadcast to the shape, whose first dimension is `first` of the pick. */
static void picks_positions(const tni_picks *plan, tni_pick *pick, int64_t first, const tn_tensor *positions) {
    int64_t lead = plan->shape_count - positions->ndim;
    memset(pick->index_strides, 0, (size_t)pick->ndim * sizeof *pick->index_strides);
    for (int64_t d = 0; d < positions->ndim; d++)
        pick->index_strides[first + lead + d] =
            positions->sizes[d] == plan->shape[lead + d] ? tni_tensor_step(positions, d) : 0;
    pick->index = tni_tensor_read(positions);
    pick->index_dtype = positions->dtype;
}

static void picks_along(const tni_picks *plan, tni_pick *pick, int64_t first, const tni_picks_item *from) {
    picks_positions(plan, pick, first, from->is_mask ? from->offsets : from->tensor);
    pick->ready = from->is_mask || from->tensor->numel == 0;
    pick->wrap = true;
    pick->dim = from->of_self;
    pick->limit = pick->ready ? 0 : plan->view->sizes[from->dim];
    pick->scale = pick->ready ? 0 : picks_stride(plan, from->dim);
}

/* Zeros, on the device of the view, for offsets to be added to. */
static bool picks_zeros(tni_picks *plan, int64_t ndim, const int64_t *sizes) {
    plan->list = tni_tensor_new(ndim, sizes, TN_INT64, tni_tensor_device(plan->view));
    return plan->list && tni_fill_into(plan->list, tn_scalar_int(0)) == TN_OK;
}

/* Several tensors: their offsets are added up. */
static bool picks_sum(tni_picks *plan) {
    if (!picks_zeros(plan, plan->shape_count, plan->shape))
        return false;
    tni_pick list;
    list.mode = TNI_PICK_LIST;
    list.dtype = TN_INT64;
    list.device = tni_tensor_device(plan->view);
    list.picked = NULL;
    for (int64_t i = 0; i < plan->pick_count; i++) {
        if (!plan->picks[i].tensor)
            continue;
        list.ndim = plan->shape_count;
        memcpy(list.sizes, plan->shape, (size_t)list.ndim * sizeof *list.sizes);
        memset(list.picked_strides, 0, (size_t)list.ndim * sizeof *list.picked_strides);
        picks_along(plan, &list, 0, &plan->picks[i]);
        tni_pick_other(&list, plan->list);
        if (tni_pick_run(&list) != TN_OK)
            return false;
    }
    picks_positions(plan, &plan->pick, plan->place, plan->list);
    plan->pick.ready = true;
    return true;
}

static bool picks_index(tni_picks *plan) {
    const tni_picks_item *only = NULL;
    int64_t tensors = 0;
    for (int64_t i = 0; i < plan->pick_count; i++)
        if (plan->picks[i].tensor) {
            only = &plan->picks[i];
            tensors++;
        }
    if (tensors != 1)
        return picks_sum(plan);
    picks_along(plan, &plan->pick, plan->place, only);
    return true;
}

void tni_picks_end(tni_picks *plan) {
    for (int64_t i = 0; i < plan->pick_count; i++)
        tni_tensor_release(plan->picks[i].offsets);
    tni_tensor_release(plan->list);
    tni_tensor_release(plan->view);
}

/* Whether the device of self can be asked, and the tensors that go with self are there too. */
bool tni_picks_are_there(const tn_tensor *self, tn_index_list index, const tn_tensor *values) {
    tn_device device = tni_tensor_device(self);
    if (device.type != TN_CPU && !tni_backend_does(device.type, TN_JOB_INDEX)) {
        tni_raise(TN_ERROR_DEVICE, "self is on device %s, which has no kernel for an index with tensors",
                  tn_device_type_name(device.type));
        return false;
    }
    for (int64_t i = -1; i < index.count; i++) {
        const tn_tensor *other = i < 0 ? values : index.items[i].kind == TN_INDEX_TENSOR ? index.items[i].tensor : NULL;
        if (other && !tn_device_equal(tni_tensor_device(other), device)) {
            tni_raise(TN_ERROR_DEVICE, "self is on %s:%d and %s on %s:%d; move one of them first",
                      tn_device_type_name(device.type), (int)device.index, i < 0 ? "source" : "a tensor of the index",
                      tn_device_type_name(tni_tensor_device(other).type), (int)tni_tensor_device(other).index);
            return false;
        }
    }
    return true;
}

/* Everything, except for masks that one operator does alone. There may be no picks: then the view is the result. */
bool tni_picks_finish(tni_picks *plan) {
    if (plan->pick_count == 0)
        return true;
    for (int64_t i = 0; i < plan->pick_count; i++)
        if (plan->picks[i].is_mask && !picks_list_mask(plan, &plan->picks[i]))
            return false;
    return tni_picks_broadcast(plan) && tni_picks_place(plan) && picks_index(plan);
}

/* Whether the index is one mask over everything. */
bool tni_picks_is_mask(const tni_picks *plan) {
    return plan->pick_count == 1 && plan->picks[0].is_mask && plan->picks[0].dims == plan->view->ndim;
}

void tni_picks_sizes_of_view(tni_picks *plan) {
    plan->ndim = plan->view->ndim;
    memcpy(plan->sizes, plan->view->sizes, (size_t)plan->ndim * sizeof *plan->sizes);
}

/* No tensor is left: the view itself is what is picked. */
bool tni_picks_whole(tni_picks *plan) {
    static const int64_t nowhere = 0;
    bool here = tni_tensor_device(plan->view).type == TN_CPU;
    if (!here && !picks_zeros(plan, 0, NULL))
        return false;
    tni_pick *pick = &plan->pick;
    tni_picks_sizes_of_view(plan);
    pick->ndim = plan->ndim;
    for (int64_t d = 0; d < plan->ndim; d++) {
        pick->sizes[d] = plan->sizes[d];
        pick->picked_strides[d] = picks_stride(plan, d);
        pick->index_strides[d] = 0;
    }
    pick->dtype = plan->view->dtype;
    pick->device = tni_tensor_device(plan->view);
    pick->picked = (char *)(uintptr_t)tni_tensor_read(plan->view);
    pick->index = here ? (const char *)&nowhere : tni_tensor_read(plan->list);
    pick->index_dtype = TN_INT64;
    pick->ready = true;
    return true;
}
