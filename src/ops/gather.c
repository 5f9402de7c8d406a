/* gather.c - elements read by position into a new tensor: gather, take_along_dim, take, index_select, embedding, one_hot.
 *
 * Each describes itself to index_engine.c and reads. A new tensor is thrown away when a position turns out to be out of range;
 * for a given `out` the positions are looked at first.
 */
#include "base/error.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/index_engine.h"
#include "ops/result.h"

/* The operands of a read, described; sizes are those of the result. */
typedef struct gather_plan {
    tni_pick pick;
    int64_t ndim, sizes[TN_MAX_DIMS];
    const tn_tensor *self, *index;
    tn_tensor *held; /* released with the plan: a tensor the pick reads from */
} gather_plan;

/* The strides of the other side are those of `to` in the shape of the result. */
static tn_error gather_into(gather_plan *plan, tn_tensor *to) {
    tni_pick_other(&plan->pick, to);
    return tni_pick_run(&plan->pick);
}

static tn_tensor *gather_new(gather_plan *plan) {
    tn_tensor *result = tni_tensor_new(plan->ndim, plan->sizes, plan->self->dtype, tni_tensor_device(plan->self));
    if (result && gather_into(plan, result) != TN_OK) {
        tni_tensor_release(result);
        result = NULL;
    }
    tni_tensor_release(plan->held);
    return result;
}

static tn_error gather_out(gather_plan *plan, tn_tensor *out) {
    const tn_tensor *operands[] = {plan->self, plan->index};
    tni_result result;
    tn_error code = tni_pick_check(&plan->pick);
    if (code == TN_OK &&
        !tni_result_begin(&result, out, (tn_dims){plan->sizes, plan->ndim}, plan->self->dtype, TNI_RESULT_EXACT, operands, 2))
        code = tn_error_code();
    else if (code == TN_OK)
        code = tni_result_end(&result, gather_into(plan, result.tensor));
    tni_tensor_release(plan->held);
    return code;
}

static void gather_sizes(gather_plan *plan, int64_t ndim, const int64_t *sizes) {
    plan->ndim = ndim;
    memcpy(plan->sizes, sizes, (size_t)ndim * sizeof *sizes);
}

/* ---- gather */

/* A tensor of no dimensions counts as one of one dimension. An index without elements may have any shape. */
static bool gather_shapes_fit(const tn_tensor *self, int64_t dim, const tn_tensor *index) {
    if (index->numel == 0)
        return true;
    bool fit = tni_max_i64(self->ndim, 1) == tni_max_i64(index->ndim, 1);
    for (int64_t d = 0; fit && d < self->ndim && index->ndim; d++)
        fit = d == dim || index->sizes[d] <= self->sizes[d];
    if (!fit)
        tni_raise(TN_ERROR_SHAPE,
                  "index %s must have as many dimensions as self %s, and be no larger than it except along "
                  "dimension %" PRId64,
                  tni_show_tensor(index), tni_show_tensor(self), dim);
    return fit;
}

static bool gather_plan_along(gather_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index) {
    *plan = (gather_plan){.self = self, .index = index};
    if (!tni_wrap_dim(dim, self->ndim, "dim", &dim) || !tni_is_index(index, "index") || !gather_shapes_fit(self, dim, index))
        return false;
    gather_sizes(plan, index->ndim, index->sizes);
    if (index->numel)
        tni_pick_along(&plan->pick, TNI_PICK_READ, self, dim, index, true);
    else
        plan->pick = (tni_pick){.ndim = 1, .ready = true}; /* of size 0 */
    return true;
}

tn_tensor *tni_op_gather(const tn_tensor *self, int64_t dim, const tn_tensor *index) {
    gather_plan plan;
    return gather_plan_along(&plan, self, dim, index) ? gather_new(&plan) : NULL;
}
tn_error tni_op_gather_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index) {
    gather_plan plan;
    return gather_plan_along(&plan, self, dim, index) ? gather_out(&plan, out) : tn_error_code();
}

/* ---- take: self as if it had one dimension */

static bool gather_plan_take(gather_plan *plan, const tn_tensor *self, const tn_tensor *index) {
    *plan = (gather_plan){.self = self, .index = index};
    if (!tni_is_index(index, "index"))
        return false;
    gather_sizes(plan, index->ndim, index->sizes);
    const tn_tensor *flat = self;
    if (!tni_tensor_is_contiguous(self) && index->numel)
        flat = plan->held = tni_clone_contiguous(self, "take counts the elements of self in row-major order");
    if (!flat)
        return false;
    tni_pick *pick = &plan->pick;
    int64_t index_item = (int64_t)tni_tensor_item_size(index);
    pick->mode = TNI_PICK_READ;
    pick->dtype = self->dtype;
    pick->ndim = index->ndim;
    pick->picked = (char *)(uintptr_t)tni_tensor_read(flat);
    pick->index = tni_tensor_read(index);
    pick->index_dtype = index->dtype;
    pick->scale = (int64_t)tni_tensor_item_size(self);
    pick->limit = self->numel;
    pick->dim = -1;
    pick->wrap = true;
    pick->ready = index->numel == 0;
    for (int64_t d = 0; d < index->ndim; d++) {
        pick->sizes[d] = index->sizes[d];
        pick->index_strides[d] = index->strides[d] * index_item;
    }
    return true;
}

tn_tensor *tni_op_take(const tn_tensor *self, const tn_tensor *index) {
    gather_plan plan;
    return gather_plan_take(&plan, self, index) ? gather_new(&plan) : NULL;
}
tn_error tni_op_take_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *index) {
    gather_plan plan;
    return gather_plan_take(&plan, self, index) ? gather_out(&plan, out) : tn_error_code();
}

/* ---- take_along_dim: gather with both sides broadcast, and positions that may be negative */

static tn_tensor *gather_expanded(const tn_tensor *self, const int64_t *sizes) {
    int64_t strides[TN_MAX_DIMS];
    for (int64_t d = 0; d < self->ndim; d++)
        strides[d] = self->sizes[d] == sizes[d] ? self->strides[d] : 0;
    return tni_tensor_view(self, self->ndim, sizes, strides, self->offset);
}

static bool gather_plan_broadcast(gather_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *indices) {
    *plan = (gather_plan){.self = self, .index = indices};
    if (!tni_wrap_dim(dim, self->ndim, "dim", &dim) || !tni_is_index(indices, "indices"))
        return false;
    bool fit = self->ndim == indices->ndim;
    int64_t own[TN_MAX_DIMS], theirs[TN_MAX_DIMS];
    for (int64_t d = 0; fit && d < self->ndim; d++) {
        int64_t a = self->sizes[d], b = indices->sizes[d];
        fit = d == dim || a == b || a == 1 || b == 1;
        own[d] = d == dim ? a : a == 1 ? b : a;
        theirs[d] = d == dim ? b : own[d];
    }
    if (!fit) {
        tni_raise(TN_ERROR_SHAPE, "indices %s and self %s cannot be broadcast together in all dimensions but %" PRId64,
                  tni_show_tensor(indices), tni_show_tensor(self), dim);
        return false;
    }
    tn_tensor *wide = gather_expanded(self, own), *positions = wide ? gather_expanded(indices, theirs) : NULL;
    if (positions) {
        gather_sizes(plan, positions->ndim, positions->sizes);
        tni_pick_along(&plan->pick, TNI_PICK_READ, wide, dim, positions, true);
        plan->pick.wrap = true;
    }
    bool good = positions != NULL;
    tni_tensor_release(positions);
    tni_tensor_release(wide); /* views: their memory is that of the arguments */
    return good;
}

/* Without a dimension the result is flat, while the pick has the dimensions of the indices: it is read in their shape. */
static tn_tensor *gather_take_flat(const tn_tensor *self, const tn_tensor *indices) {
    tn_tensor *shaped = tni_op_take(self, indices);
    tn_tensor *flat = shaped ? tni_tensor_view(shaped, 1, &shaped->numel, (int64_t[]){1}, 0) : NULL;
    tni_tensor_release(shaped);
    return flat;
}

tn_tensor *tni_op_take_along_dim(const tn_tensor *self, const tn_tensor *indices, int64_t dim) {
    gather_plan plan;
    if (dim == TN_NONE)
        return gather_take_flat(self, indices);
    return gather_plan_broadcast(&plan, self, dim, indices) ? gather_new(&plan) : NULL;
}
tn_error tni_op_take_along_dim_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *indices, int64_t dim) {
    gather_plan plan;
    if (dim == TN_NONE)
        return tni_result_move(out, gather_take_flat(self, indices), TNI_RESULT_EXACT);
    return gather_plan_broadcast(&plan, self, dim, indices) ? gather_out(&plan, out) : tn_error_code();
}

/* ---- index_select and embedding: whole rows */

static bool gather_plan_rows(gather_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index) {
    *plan = (gather_plan){.self = self, .index = index};
    if (!tni_wrap_dim(dim, self->ndim, "dim", &dim) || !tni_is_index(index, "index"))
        return false;
    if (index->ndim > 1 || (self->ndim == 0 && index->numel != 1)) {
        tni_raise(TN_ERROR_SHAPE, "index %s must have one dimension%s; self is %s", tni_show_tensor(index),
                  self->ndim ? "" : " and one element", tni_show_tensor(self));
        return false;
    }
    gather_sizes(plan, self->ndim, self->sizes);
    if (self->ndim)
        plan->sizes[dim] = index->numel;
    tni_pick_along(&plan->pick, TNI_PICK_READ, self, dim, index, false);
    return true;
}

tn_tensor *tni_op_index_select(const tn_tensor *self, int64_t dim, const tn_tensor *index) {
    gather_plan plan;
    return gather_plan_rows(&plan, self, dim, index) ? gather_new(&plan) : NULL;
}
tn_error tni_op_index_select_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index) {
    gather_plan plan;
    return gather_plan_rows(&plan, self, dim, index) ? gather_out(&plan, out) : tn_error_code();
}

tn_tensor *tni_op_embedding(const tn_tensor *weight, const tn_tensor *indices, int64_t padding_idx) {
    (void)padding_idx; /* for the gradient alone */
    if (!tni_is_index(indices, "indices"))
        return NULL;
    if (weight->ndim != 2 || indices->ndim == TN_MAX_DIMS)
        return tni_raise_null(TN_ERROR_SHAPE, "weight must have 2 dimensions and indices at most %d; they are %s and %s",
                              TN_MAX_DIMS - 1, tni_show_tensor(weight), tni_show_tensor(indices));
    gather_plan plan = {.self = weight, .index = indices, .ndim = indices->ndim + 1};
    tni_pick *pick = &plan.pick;
    int64_t item = (int64_t)tni_tensor_item_size(weight), last = indices->ndim;
    *pick = (tni_pick){.mode = TNI_PICK_READ,
                       .dtype = weight->dtype,
                       .ndim = plan.ndim,
                       .picked = (char *)(uintptr_t)tni_tensor_read(weight),
                       .index = tni_tensor_read(indices),
                       .scale = weight->strides[0] * item,
                       .limit = weight->sizes[0],
                       .index_dtype = indices->dtype,
                       .ready = indices->numel == 0};
    for (int64_t d = 0; d < last; d++) {
        plan.sizes[d] = indices->sizes[d];
        pick->index_strides[d] = indices->strides[d] * (int64_t)tni_tensor_item_size(indices);
    }
    plan.sizes[last] = weight->sizes[1];
    pick->picked_strides[last] = weight->strides[1] * item;
    memcpy(pick->sizes, plan.sizes, sizeof pick->sizes);
    return gather_new(&plan);
}
