/* gather.c - elements read by position into a new tensor: gather, take_along_dim, take, index_select, embedding.
 *
 * Each describes itself to index_engine.c and reads. A new tensor is thrown away when a position turns out to be out of range;
 * for a given `out` the positions are checked first.
 */
#include "base/error.h"
#include "operators_index.h"
#include "ops/copy/copy.h"
#include "ops/index/index_engine.h"
#include "ops/limits.h"
#include "ops/plan.h"

/* Read into `to`; a given result is not touched before all positions have been checked. */
static tn_error gather_into(const tni_plan *plan, tni_pick *pick, const tn_tensor *to) {
    tn_error code = plan->out ? tni_pick_check(pick) : TN_OK;
    if (code != TN_OK)
        return code;
    tni_pick_other(pick, to);
    return tni_pick_run(pick);
}

/* The dimensions of the index, in which only the position decides. */
static void gather_begin(tni_pick *pick, const tn_tensor *self, const tn_tensor *index) {
    pick->mode = TNI_PICK_READ;
    pick->dtype = self->dtype;
    pick->device = tni_tensor_device(self);
    pick->ndim = index->ndim;
    pick->picked = (char *)(uintptr_t)tni_tensor_read(self);
    pick->index = tni_tensor_read(index);
    pick->index_dtype = index->dtype;
    pick->ready = index->numel == 0;
    for (int64_t d = 0; d < index->ndim; d++) {
        pick->sizes[d] = index->sizes[d];
        pick->picked_strides[d] = 0;
        pick->index_strides[d] = tni_tensor_step(index, d);
    }
}

/* The plan of all of them: elements of `self`, in these sizes. */
static bool gather_plan(tni_plan *plan, const tn_tensor *self, int64_t ndim, const int64_t *sizes) {
    tni_plan_begin(plan, self);
    tni_plan_add(plan, ndim, sizes, self->dtype);
    return true;
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

bool tni_plan_gather(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index) {
    return tni_wrap_dim(dim, self->ndim, "dim", &plan->number[0]) && tni_is_index(index, "index") &&
           gather_shapes_fit(self, plan->number[0], index) && gather_plan(plan, self, index->ndim, index->sizes);
}

tn_error tni_run_gather(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                        const tn_tensor *index) {
    tni_pick pick;
    (void)dim;
    if (index->numel == 0)
        return TN_OK;
    tni_pick_along(&pick, TNI_PICK_READ, self, plan->number[0], index, true);
    return gather_into(plan, &pick, results[0]);
}

/* ---- take: self as if it had one dimension */

bool tni_plan_take(tni_plan *plan, const tn_tensor *self, const tn_tensor *index) {
    return tni_is_index(index, "index") && gather_plan(plan, self, index->ndim, index->sizes);
}

/* `target` has the sizes of index. */
static tn_error gather_take(const tni_plan *plan, const tn_tensor *target, const tn_tensor *self, const tn_tensor *index) {
    tn_tensor *held = NULL;
    if (!tni_tensor_is_contiguous(self) && index->numel) {
        held = tni_clone_contiguous(self, "take counts the elements of self in row-major order");
        if (!held)
            return tni_failed();
    }
    tni_pick pick;
    gather_begin(&pick, held ? held : self, index);
    pick.scale = (int64_t)tni_tensor_item_size(self);
    pick.limit = self->numel;
    pick.dim = -1;
    pick.wrap = true;
    tn_error code = gather_into(plan, &pick, target);
    tni_tensor_release(held);
    return code;
}

tn_error tni_run_take(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *index) {
    return gather_take(plan, results[0], self, index);
}

/* ---- take_along_dim: gather with both sides broadcast, and positions that may be negative */

static tn_tensor *gather_expanded(const tn_tensor *self, const int64_t *sizes) {
    int64_t strides[TN_MAX_DIMS];
    for (int64_t d = 0; d < self->ndim; d++)
        strides[d] = self->sizes[d] == sizes[d] ? self->strides[d] : 0;
    return tni_tensor_view(self, self->ndim, sizes, strides, self->offset);
}

/* The sizes of both, broadcast in all dimensions but one. */
static bool gather_broadcast(const tn_tensor *self, const tn_tensor *indices, int64_t dim, int64_t *own, int64_t *theirs) {
    bool fit = self->ndim == indices->ndim;
    for (int64_t d = 0; fit && d < self->ndim; d++) {
        int64_t a = self->sizes[d], b = indices->sizes[d];
        fit = d == dim || a == b || a == 1 || b == 1;
        own[d] = d == dim ? a : a == 1 ? b : a;
        theirs[d] = d == dim ? b : own[d];
    }
    return fit;
}

bool tni_plan_take_along_dim(tni_plan *plan, const tn_tensor *self, const tn_tensor *indices, int64_t dim) {
    int64_t own[TN_MAX_DIMS], theirs[TN_MAX_DIMS];
    if (dim == TN_NONE)
        return tni_is_index(indices, "indices") && gather_plan(plan, self, 1, &indices->numel);
    if (!tni_wrap_dim(dim, self->ndim, "dim", &dim) || !tni_is_index(indices, "indices"))
        return false;
    plan->number[0] = dim;
    if (gather_broadcast(self, indices, dim, own, theirs))
        return gather_plan(plan, self, self->ndim, theirs);
    tni_raise(TN_ERROR_SHAPE, "indices %s and self %s cannot be broadcast together in all dimensions but %" PRId64,
              tni_show_tensor(indices), tni_show_tensor(self), dim);
    return false;
}

/* Without a dimension the result is flat, while the pick has the dimensions of the indices: it is read in their shape. */
static tn_error gather_take_flat(const tni_plan *plan, const tn_tensor *flat, const tn_tensor *self, const tn_tensor *indices) {
    int64_t strides[TN_MAX_DIMS], stride = flat->strides[0];
    if (indices->numel == 0)
        return TN_OK;
    for (int64_t d = indices->ndim - 1; d >= 0; stride *= indices->sizes[d--])
        strides[d] = stride;
    tn_tensor *shaped = tni_tensor_view(flat, indices->ndim, indices->sizes, strides, flat->offset);
    tn_error code = shaped ? gather_take(plan, shaped, self, indices) : tni_failed();
    tni_tensor_release(shaped);
    return code;
}

tn_error tni_run_take_along_dim(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self,
                                const tn_tensor *indices, int64_t dim) {
    int64_t own[TN_MAX_DIMS], theirs[TN_MAX_DIMS];
    if (dim == TN_NONE)
        return gather_take_flat(plan, results[0], self, indices);
    (void)gather_broadcast(self, indices, plan->number[0], own, theirs);
    tn_tensor *wide = gather_expanded(self, own), *positions = wide ? gather_expanded(indices, theirs) : NULL;
    tn_error code = positions ? TN_OK : tni_failed();
    if (positions) {
        tni_pick pick;
        tni_pick_along(&pick, TNI_PICK_READ, wide, plan->number[0], positions, true);
        pick.wrap = true;
        code = gather_into(plan, &pick, results[0]);
    }
    tni_tensor_release(positions);
    tni_tensor_release(wide); /* views: their memory is that of the arguments */
    return code;
}

/* ---- index_select and embedding: whole rows */

bool tni_plan_index_select(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index) {
    if (!tni_wrap_dim(dim, self->ndim, "dim", &dim) || !tni_is_index(index, "index"))
        return false;
    if (index->ndim > 1 || (self->ndim == 0 && index->numel != 1)) {
        tni_raise(TN_ERROR_SHAPE, "index %s must have one dimension%s; self is %s", tni_show_tensor(index),
                  self->ndim ? "" : " and one element", tni_show_tensor(self));
        return false;
    }
    plan->number[0] = dim;
    gather_plan(plan, self, self->ndim, self->sizes);
    if (self->ndim)
        plan->result[0].sizes[dim] = index->numel;
    return true;
}

/* `blocks` times the rows at these positions, of the `length` rows of a block. `bytes` is known where this is inlined. */
TNI_ALWAYS_INLINE void select_rows(char *to, const char *from, const int64_t *positions, int64_t count, int64_t blocks,
                                   int64_t length, int64_t bytes) {
    for (int64_t block = 0; block < blocks; block++, from += length * bytes)
        for (int64_t i = 0; i < count; i++, to += bytes)
            memcpy(to, from + positions[i] * bytes, (size_t)bytes);
}

/* A few elements that lie without gaps, as the positions do. False, with nothing written, where it is not so, and for positions out of
 * range, of which the engine tells. */
static bool select_quickly(tn_tensor *result, const tn_tensor *self, int64_t dim, const tn_tensor *index) {
    if (tni_tensor_device(self).type != TN_CPU || result->numel == 0 || result->numel > SELECT_BRIEF || self->ndim == 0 ||
        index->dtype != TN_INT64 || !tni_tensor_is_contiguous(self) || !tni_tensor_is_contiguous(result) ||
        !tni_tensor_is_contiguous(index))
        return false;
    const int64_t *positions = (const int64_t *)(const void *)tni_tensor_read(index);
    int64_t length = self->sizes[dim], count = index->numel, blocks = 1, bytes = (int64_t)tni_tensor_item_size(self);
    for (int64_t i = 0; i < count; i++)
        if ((uint64_t)positions[i] >= (uint64_t)length)
            return false;
    for (int64_t d = 0; d < dim; d++)
        blocks *= self->sizes[d];
    for (int64_t d = dim + 1; d < self->ndim; d++)
        bytes *= self->sizes[d];
    char *to = tni_tensor_write(result);
    const char *from = tni_tensor_read(self);
    switch (bytes) {
    case 4: select_rows(to, from, positions, count, blocks, length, 4); break;
    case 8: select_rows(to, from, positions, count, blocks, length, 8); break;
    case 16: select_rows(to, from, positions, count, blocks, length, 16); break;
    default: select_rows(to, from, positions, count, blocks, length, bytes);
    }
    return true;
}

tn_error tni_run_index_select(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                              const tn_tensor *index) {
    tni_pick pick;
    (void)dim;
    if (select_quickly(results[0], self, plan->number[0], index))
        return TN_OK;
    tni_pick_along(&pick, TNI_PICK_READ, self, plan->number[0], index, false);
    return gather_into(plan, &pick, results[0]);
}

bool tni_plan_embedding(tni_plan *plan, const tn_tensor *weight, const tn_tensor *indices, int64_t padding_idx,
                        bool scale_grad_by_freq, bool sparse) {
    (void)padding_idx, (void)scale_grad_by_freq, (void)sparse; /* only for the gradient */
    if (!tni_is_index(indices, "indices"))
        return false;
    if (weight->ndim != 2 || indices->ndim == TN_MAX_DIMS) {
        tni_raise(TN_ERROR_SHAPE, "weight must have 2 dimensions and indices at most %d; they are %s and %s", TN_MAX_DIMS - 1,
                  tni_show_tensor(weight), tni_show_tensor(indices));
        return false;
    }
    gather_plan(plan, weight, indices->ndim, indices->sizes);
    plan->result[0].sizes[plan->result[0].ndim++] = weight->sizes[1];
    return true;
}

tn_error tni_run_embedding(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *weight, const tn_tensor *indices,
                           int64_t padding_idx, bool scale_grad_by_freq, bool sparse) {
    tni_pick pick;
    (void)padding_idx, (void)scale_grad_by_freq, (void)sparse;
    gather_begin(&pick, weight, indices);
    pick.scale = tni_tensor_step(weight, 0);
    pick.limit = weight->sizes[0];
    pick.dim = 0;
    pick.wrap = false;
    pick.sizes[pick.ndim] = weight->sizes[1];
    pick.index_strides[pick.ndim] = 0;
    pick.picked_strides[pick.ndim++] = tni_tensor_step(weight, 1);
    return gather_into(plan, &pick, results[0]);
}
