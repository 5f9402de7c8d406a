/* index_advanced.c - self[...] with tensors or conditions among the items, read; and where the elements are that it selects. */
#include "ops/index/index_advanced.h"

#include "base/error.h"
#include "base/parallel.h"
#include "ops/copy/copy.h"
#include "ops/index/index_picks.h"
#include "ops/index/masked.h"
#include "tensor/check.h"

/* ---- reading */

static tn_tensor *advanced_select(const tni_picks *plan) {
    tni_mask mask;
    if (!tni_picks_mask_fits(plan, &plan->picks[0]) || !tni_mask_begin(&mask, plan->picks[0].tensor))
        return NULL;
    tn_tensor *result = tni_tensor_new(1, &mask.count, plan->view->dtype, tni_tensor_device(plan->view));
    if (result)
        tni_mask_select(&mask, plan->view, tni_tensor_write(result));
    tni_mask_end(&mask);
    return result;
}

static tn_tensor *advanced_get(tni_picks *plan) {
    if (plan->pick_count == 0)
        return tni_tensor_retain(plan->view);
    if (tni_picks_is_mask(plan) && tni_tensor_is_contiguous(plan->view) && tni_tensor_device(plan->view).type == TN_CPU)
        return advanced_select(plan);
    if (!tni_picks_finish(plan))
        return NULL;
    tn_tensor *result = tni_tensor_new(plan->ndim, plan->sizes, plan->view->dtype, tni_tensor_device(plan->view));
    if (!result)
        return NULL;
    plan->pick.mode = TNI_PICK_READ;
    tni_pick_other(&plan->pick, result);
    return tni_pick_kept(result, tni_pick_run(&plan->pick));
}

/* On the meta device: the result of a read. */
static tn_tensor *advanced_hollow_get(tni_picks *plan) {
    if (plan->pick_count == 0)
        return tni_tensor_retain(plan->view);
    for (int64_t i = 0; i < plan->pick_count; i++)
        if (plan->picks[i].is_mask && !tni_picks_hollow_mask(plan->picks[i].tensor, plan->picks[i].item))
            return NULL;
    if (!tni_picks_broadcast(plan) || !tni_picks_place(plan))
        return NULL;
    return tni_tensor_new(plan->ndim, plan->sizes, plan->view->dtype, tni_tensor_device(plan->view));
}

tn_tensor *tni_index_advanced(const tn_tensor *self, tn_index_list index) {
    tni_picks plan;
    tni_picks_begin(&plan);
    bool hollow = tni_tensor_device(self).type == TN_META;
    tn_tensor *result = NULL;
    if (tni_check_index_closely(index, "index") && (hollow || tni_picks_are_there(self, index, NULL)) &&
        tni_picks_read(&plan, self, index))
        result = hollow ? advanced_hollow_get(&plan) : advanced_get(&plan);
    tni_picks_end(&plan);
    return result;
}

/* ---- where the elements are */

/* What an index picks, without the pick: where each line of it begins. */
static void advanced_begin_places(const tni_picks *plan, int64_t *places, int64_t count) {
    const tni_pick *pick = &plan->pick;
    int64_t at[TN_MAX_DIMS] = {0}, place = plan->first;
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin; i < end; i++) {
            places[i] = place;
            for (int64_t d = pick->ndim - 1; d >= 0; d--) {
                place += pick->picked_strides[d];
                if (++at[d] < pick->sizes[d])
                    break;
                place -= pick->picked_strides[d] * at[d];
                at[d] = 0;
            }
        }
}

static tn_error advanced_places(tni_picks *plan, int64_t most, tn_tensor **places) {
    if (!(plan->pick_count == 0 ? tni_picks_whole(plan) : tni_picks_finish(plan)))
        return tni_failed();
    int64_t count = 1;
    for (int64_t d = 0; d < plan->ndim; d++)
        if (tni_mul_overflows(count, plan->sizes[d], &count))
            count = plan->sizes[d] == 0 ? 0 : INT64_MAX;
    if (count > most)
        return TN_OK;
    tn_tensor *begun = tni_tensor_new(plan->ndim, plan->sizes, TN_INT64, TN_DEVICE_CPU);
    if (!begun)
        return tni_failed();
    tni_pick *pick = &plan->pick;
    advanced_begin_places(plan, (void *)tni_tensor_write(begun), count);
    tn_tensor *result = tni_moved(begun, pick->device, "positions are used on the device of self");
    tni_tensor_release(begun);
    if (!result)
        return tni_failed();
    pick->mode = TNI_PICK_LIST;
    pick->dtype = TN_INT64;
    pick->picked = NULL;
    memset(pick->picked_strides, 0, (size_t)pick->ndim * sizeof *pick->picked_strides);
    tni_pick_other(pick, result);
    tn_error code = tni_pick_run(pick);
    *places = tni_pick_kept(result, code);
    return code;
}

tn_error tni_index_places(const tn_tensor *self, tn_index_list index, int64_t most, tn_tensor **places) {
    tni_picks plan;
    int64_t lowest = 0, highest = -1;
    *places = NULL;
    tni_picks_begin(&plan);
    plan.elements = true;
    (void)tn_geometry_extent(tni_tensor_geometry(self), &lowest, &highest); /* of an existing tensor: it has one */
    tn_error code = tni_picks_read(&plan, self, index) ? TN_OK : tni_failed();
    if (code == TN_OK) {
        plan.first = plan.view->offset - lowest;
        code = advanced_places(&plan, most, places);
    }
    tni_picks_end(&plan);
    return code;
}
