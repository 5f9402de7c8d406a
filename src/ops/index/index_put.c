/* index_put.c - self[...] with tensors or conditions among the items, assigned to and added to: setitem_, index_put. */
#include "base/error.h"
#include "operators_copy.h"
#include "operators_index.h"
#include "operators_select.h"
#include "ops/copy/copy.h"
#include "ops/index/index_advanced.h"
#include "ops/index/index_picks.h"
#include "ops/index/overlapping.h"
#include "ops/limits.h"
#include "ops/plan.h"
#include "tensor/check.h"

/* Values may have more dimensions than the result, as long as those in front are of size 1. */
static bool put_values(tni_picks *plan, const tn_tensor *values) {
    tni_pick *pick = &plan->pick;
    int64_t extra = tni_max_i64(values->ndim - plan->ndim, 0), lead = plan->ndim - values->ndim + extra;
    bool fit = true;
    for (int64_t d = 0; d < extra; d++)
        fit = fit && values->sizes[d] == 1;
    for (int64_t d = 0; fit && d < plan->ndim; d++) {
        int64_t size = d < lead ? 1 : values->sizes[extra + d - lead];
        fit = size == plan->sizes[d] || size == 1;
        pick->other_strides[d] = size == 1 ? 0 : tni_tensor_step(values, extra + d - lead);
    }
    pick->other = (char *)(uintptr_t)tni_tensor_read(values);
    pick->element = false;
    if (!fit)
        tni_raise(TN_ERROR_SHAPE, "values %s cannot be broadcast to the sizes %s that the index selects",
                  tni_show_tensor(values), tni_show_dims(plan->sizes, plan->ndim));
    return fit;
}

static tn_error put_write_plan(tni_picks *plan, const tn_tensor *values, const void *element, tni_pick_mode mode) {
    if (!values && mode == TNI_PICK_WRITE && tni_picks_is_mask(plan) && plan->picks[0].tensor->dtype == TN_BOOL)
        return tni_picks_mask_fits(plan, &plan->picks[0])
                   ? tni_op_masked_fill_(plan->view, plan->picks[0].tensor, tn_dtype_load(plan->view->dtype, element))
                   : tni_failed();
    if (!(plan->pick_count == 0 ? tni_picks_whole(plan) : tni_picks_finish(plan)))
        return tni_failed();
    plan->pick.mode = mode;
    if (values && !put_values(plan, values))
        return tni_failed();
    if (!values)
        tni_pick_element(&plan->pick, element);
    return tni_pick_run(&plan->pick);
}

/* self has the dtype of values and shares no memory with them or the index. */
static tn_error put_write(tn_tensor *self, tn_index_list index, const tn_tensor *values, const void *element,
                          tni_pick_mode mode, bool quiet) {
    tni_picks plan;
    tni_picks_begin(&plan);
    plan.quiet = quiet;
    tn_error code = tni_picks_read(&plan, self, index) ? put_write_plan(&plan, values, element, mode) : tni_failed();
    tni_picks_end(&plan);
    return code;
}

/* Sums in a wider dtype than that of self: of the places that the index names, where those are few, else of all of self. */
static tn_error put_accumulate(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_dtype wide) {
    static const char reason[] = "sums are formed in a wider dtype";
    bool look = self->numel >= INDEX_FEW && tni_tensor_device(self).type == TN_CPU;
    tn_tensor *places = NULL, *target = NULL, *source = NULL;
    tn_error code = look ? tni_index_places(self, index, self->numel / INDEX_FEW, &places) : TN_OK;
    if (code == TN_OK) {
        source = tni_clone_as(values, wide, TN_PRESERVE, tni_tensor_device(self), reason);
        target = source && !places ? tni_clone_as(self, wide, TN_CONTIGUOUS, tni_tensor_device(self), reason) : NULL;
        code = places && source ? tni_overlapping_add(self, places, source)
               : target         ? put_write(target, index, source, NULL, TNI_PICK_ADD, look)
                                : tni_failed();
    }
    if (code == TN_OK && target)
        code = tni_copy_into(self, target, reason);
    tni_tensor_release(target);
    tni_tensor_release(source);
    tni_tensor_release(places);
    return code;
}

/* A copy of every tensor of the index that self, when written, would change. */
static bool put_apart(const tn_tensor *self, tn_index_list index, tn_index_item *items, tn_tensor **held) {
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

static tn_error put_put(tn_tensor *self, tn_index_list index, const tn_tensor *values, const void *element, bool accumulate) {
    tn_dtype wide = accumulate ? tni_pick_wide(self->dtype, TNI_PICK_ADD) : (tn_dtype)self->dtype;
    if (wide == TN_DTYPE_DEFAULT)
        return tni_raise(TN_ERROR_DTYPE, "there is no sum for self %s", tni_show_tensor(self));
    if (wide != (tn_dtype)self->dtype)
        return put_accumulate(self, index, values, wide);
    tn_index_item items[2 * TN_MAX_DIMS];
    tn_tensor *held[2 * TN_MAX_DIMS], *apart = NULL;
    bool good = put_apart(self, index, items, held);
    if (good && values)
        good = (apart = tni_pick_apart(self, values)) != NULL;
    tn_error code = good ? put_write(self, (tn_index_list){items, index.count}, apart, element,
                                     accumulate ? TNI_PICK_ADD : TNI_PICK_WRITE, false)
                         : tni_failed();
    tni_tensor_bump_after(self, code);
    tni_tensor_release(apart);
    for (int64_t i = 0; i < index.count; i++)
        tni_tensor_release(held[i]);
    return code;
}

/* As in torch, one value under masks alone is a fill, for which a number of another dtype is enough. */
static bool put_fills(const tn_tensor *self, tn_index_list index, const tn_tensor *values, bool accumulate) {
    for (int64_t i = 0; i < index.count; i++)
        if (index.items[i].kind == TN_INDEX_TENSOR && index.items[i].tensor->dtype != TN_BOOL)
            return false;
    return values->numel == 1 && !accumulate && tn_dtype_is_complex(values->dtype) <= tn_dtype_is_complex(self->dtype);
}

/* On the meta device: whether values fit what the index selects, as far as that is known without the elements of masks. */
static bool put_hollow_put(const tn_tensor *self, tn_index_list index, const tn_tensor *values) {
    tni_picks plan;
    tni_picks_begin(&plan);
    bool good = tni_picks_read(&plan, self, index), masks = false;
    for (int64_t i = 0; good && i < plan.pick_count; i++)
        if (plan.picks[i].is_mask) {
            masks = true;
            good = tni_picks_mask_fits(&plan, &plan.picks[i]);
        }
    if (good && plan.pick_count == 0)
        tni_picks_sizes_of_view(&plan);
    else if (good && !masks)
        good = tni_picks_broadcast(&plan) && tni_picks_place(&plan);
    good = good && (masks || !values || put_values(&plan, values));
    tni_picks_end(&plan);
    return good;
}

/* What is not checked here depends on elements: positions and, under masks, sizes. */
bool tni_index_put_allows(const tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value,
                          bool accumulate) {
    if (!tni_check_index_closely(index, "index"))
        return false;
    if (values && values->dtype != self->dtype && !put_fills(self, index, values, accumulate)) {
        tni_raise(TN_ERROR_DTYPE, "values %s must have the dtype of self %s", tni_show_tensor(values), tni_show_tensor(self));
        return false;
    }
    if (!values && !tn_dtype_can_hold(self->dtype, value)) {
        tni_raise(TN_ERROR_DTYPE, "value %s does not fit in %s", tni_show_scalar(value), tn_dtype_name(self->dtype));
        return false;
    }
    if (accumulate && tni_pick_wide(self->dtype, TNI_PICK_ADD) == TN_DTYPE_DEFAULT) {
        tni_raise(TN_ERROR_DTYPE, "there is no sum for self %s", tni_show_tensor(self));
        return false;
    }
    return tni_tensor_device(self).type != TN_META || put_hollow_put(self, index, values);
}

tn_error tni_index_put(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value, bool accumulate) {
    _Alignas(16) char element[16];
    if (values && values->dtype != self->dtype) { /* a fill: see put_fills */
        tn_tensor *same = tni_op_to(values, self->dtype);
        tn_error code = same ? tni_index_put(self, index, same, value, false) : tni_failed();
        tni_tensor_release(same);
        return code;
    }
    if (tni_tensor_overlaps_itself(self))
        return tni_overlapping_put(self, index, values, value, accumulate);
    if (!tni_tensor_prepare_write(self))
        return tni_failed();
    if (!values)
        tn_dtype_store(self->dtype, element, value);
    return put_put(self, index, values, element, accumulate);
}

tn_error tni_index_assign(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value) {
    if (!tni_index_put_allows(self, index, values, value, false))
        return tni_failed();
    if (tni_tensor_device(self).type == TN_META) {
        if (!tni_tensor_prepare_write(self))
            return tni_failed();
        tni_tensor_bump(self);
        return TN_OK;
    }
    return tni_picks_are_there(self, index, values) ? tni_index_put(self, index, values, value, false) : tni_failed();
}

/* ---- index_put: the same, only for values of the dtype of self, and with sums */

bool tni_plan_index_put(tni_plan *plan, const tn_tensor *self, tn_index_list indices, const tn_tensor *values,
                        bool accumulate) {
    if (!tni_index_put_allows(self, indices, values, tn_scalar_none(), accumulate) || !tni_plan_change(plan, self, true))
        return false;
    plan->shared = true;
    return true;
}

tn_error tni_run_index_put(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_index_list indices,
                           const tn_tensor *values, bool accumulate) {
    (void)plan, (void)self;
    return tni_index_put(results[0], indices, values, tn_scalar_none(), accumulate);
}
