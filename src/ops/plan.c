/* plan.c - what the generated variants of planned rows have in common. See plan.h. */
#include "ops/result_many.h"
#include "ops/plan.h"

#include "base/error.h"
#include "ops/copy/copy.h"

bool tni_plan_refuse_dtype(const tni_plan *plan, tn_dtype asked) { return tni_result_takes_dtype(plan->out, asked); }

bool tni_plan_add_as(tni_plan *plan, const tn_tensor *like, tn_dtype dtype, tn_memory_format format) {
    tni_plan_result *result = &plan->result[plan->count];
    tni_plan_add(plan, like->ndim, like->sizes, dtype);
    return tni_like_strides(like, format, &result->strided, result->strides);
}

bool tni_plan_add_like(tni_plan *plan, const tn_tensor *like, tn_dtype dtype) {
    return tni_plan_add_as(plan, like, dtype, TN_PRESERVE);
}

bool tni_plan_add_ordered(tni_plan *plan, const tn_tensor *like, int64_t ndim, const int64_t *sizes, const int64_t *strides) {
    tni_plan_result *result = &plan->result[plan->count];
    tni_plan_add(plan, ndim, sizes, like->dtype);
    result->strided = true;
    tn_geometry_result found = tn_geometry_dense_strides(ndim, sizes, strides, result->strides);
    if (found != TN_GEOMETRY_OK)
        tni_raise(tn_geometry_result_error(found), "self %s: %s", tni_show_tensor(like), tn_geometry_result_text(found));
    return found == TN_GEOMETRY_OK;
}

void tni_plan_add_format(tni_plan *plan, int64_t ndim, const int64_t *sizes, tn_dtype dtype, bool channels_last) {
    tni_plan_result *result = &plan->result[plan->count];
    int64_t numel;
    tni_plan_add(plan, ndim, sizes, dtype);
    result->strided = channels_last && tn_geometry_numel(ndim, sizes, &numel) == TN_GEOMETRY_OK &&
                      tn_geometry_channels_last_strides(ndim, sizes, result->strides) == TN_GEOMETRY_OK;
}

static tn_tensor *plan_new(const tni_plan_result *result, tn_device device) {
    if (!result->strided)
        return tni_tensor_new(result->ndim, result->sizes, result->dtype, device);
    int64_t elements = 1;
    for (int64_t d = 0; d < result->ndim; d++)
        elements *= result->sizes[d];
    return tni_tensor_new_strided(result->ndim, result->sizes, result->strides, 0, elements, result->dtype, device);
}

static void plan_release(tn_tensor **made, int count) {
    for (int i = 0; i < count; i++)
        tni_tensor_release(made[i]);
}

/* The copy that a run changes. */
static tn_tensor *plan_copy(const tni_plan *plan) {
    static const char reason[] = "elements are written into a copy of self";
    const tn_tensor *self = plan->changes;
    const tni_plan_result *result = &plan->result[0];
    if (tni_plan_has_sizes(result, self))
        return tni_clone_as(self, self->dtype, result->strided ? TN_PRESERVE : TN_CONTIGUOUS, plan->device, reason);
    tn_tensor *made = plan_new(result, plan->device);
    if (made && tni_copy_into(made, self, reason) != TN_OK) {
        tni_tensor_release(made);
        return NULL;
    }
    return made;
}

bool tni_plan_make_any(const tni_plan *plan, tn_tensor **made) {
    if (plan->changes)
        return (made[0] = plan_copy(plan)) != NULL;
    for (int i = 0; i < plan->count; i++) {
        made[i] = plan_new(&plan->result[i], plan->device);
        if (!made[i]) {
            plan_release(made, i);
            return false;
        }
    }
    return true;
}

void tni_plan_drop(const tni_plan *plan, tn_tensor **made) { plan_release(made, plan->count); }

tn_list *tni_plan_give_list(const tni_plan *plan, tn_tensor **made, tn_error code) {
    if (TNI_LIKELY(code == TN_OK))
        return tni_list_make(made, plan->count);
    plan_release(made, plan->count);
    return NULL;
}

static bool plan_fits_in_place(const tni_plan *plan, const tn_tensor *self) {
    const tni_plan_result *result = &plan->result[0];
    if (tni_plan_has_sizes(result, self))
        return true;
    tni_raise(TN_ERROR_SHAPE, "the result has sizes %s and cannot replace self %s", tni_show_dims(result->sizes, result->ndim),
              tni_show_tensor(self));
    return false;
}

bool tni_plan_may_write(const tni_plan *plan, tn_tensor *self) {
    if (plan->shared || !tni_tensor_overlaps_itself(self))
        return tni_tensor_prepare_write(self);
    tni_raise(TN_ERROR_OVERLAP, "self %s with strides %s cannot be written: several of its elements share a place",
              tni_show_tensor(self), tni_show_dims(self->strides, self->ndim));
    return false;
}

/* What changes self is written to self, or computed in a temporary; `out` is not touched before everything has succeeded. */
static bool plan_take_changed(const tni_plan *plan, tni_plan_out *out, tn_tensor *given, bool in_place) {
    const tni_plan_result *result = &plan->result[0];
    out->self = in_place;
    if (in_place) {
        out->written[0] = given;
        return (!plan->broadcasts || plan_fits_in_place(plan, given)) && tni_plan_may_write(plan, given);
    }
    out->result[0].out = given;
    return tni_result_fits(given, (tn_dims){result->sizes, result->ndim}, result->dtype, plan->rule) &&
           tni_plan_make(plan, out->written);
}

static tn_error plan_end_changed(const tni_plan *plan, tni_plan_out *out, tn_error code) {
    if (out->self) {
        if (code == TN_OK && !tni_plan_runs(plan))
            tni_tensor_bump(out->written[0]); /* as the run would */
        return code;
    }
    if (code == TN_OK)
        return tni_result_move(out->result[0].out, out->written[0], plan->rule);
    tni_tensor_release(out->written[0]);
    return code;
}

static bool plan_receive_one(const tni_plan *plan, tni_plan_out *out, tn_tensor *given, const tn_tensor *const *operands,
                             int64_t operand_count) {
    const tni_plan_result *result = &plan->result[0];
    if (!tni_result_begin(&out->result[0], given, (tn_dims){result->sizes, result->ndim}, result->dtype, plan->rule, operands,
                          operand_count))
        return false;
    out->written[0] = out->result[0].tensor;
    return true;
}

static TNI_NOINLINE bool plan_receive_pair(const tni_plan *plan, tni_plan_out *out, tn_tensor *const *given,
                                           const char *const *names, const tn_tensor *const *operands, int64_t operand_count) {
    tni_result_wish wishes[TNI_PLAN_RESULTS];
    for (int i = 0; i < plan->count; i++)
        wishes[i] = (tni_result_wish){given[i], names[i], {plan->result[i].sizes, plan->result[i].ndim}, plan->result[i].dtype};
    if (!tni_result_begin_many(out->result, wishes, plan->count, plan->rule, operands, operand_count))
        return false;
    for (int i = 0; i < plan->count; i++)
        out->written[i] = out->result[i].tensor;
    return true;
}

bool tni_plan_receive_any(const tni_plan *plan, tni_plan_out *out, tn_tensor *const *given, const char *const *names,
                          const tn_tensor *const *operands, int64_t operand_count, bool in_place) {
    if (plan->changes)
        return plan_take_changed(plan, out, given[0], in_place);
    if (in_place && !plan_fits_in_place(plan, given[0]))
        return false;
    if (plan->beside) { /* as where a result is read */
        operands = (const tn_tensor *const *)given;
        operand_count = plan->count;
    } else if (plan->over_first && operand_count > 0 && operands[0] == given[0]) {
        operands++;
        operand_count--;
    }
    return plan->count == 1 ? plan_receive_one(plan, out, given[0], operands, operand_count)
                            : plan_receive_pair(plan, out, given, names, operands, operand_count);
}

tn_error tni_plan_end_any(const tni_plan *plan, tni_plan_out *out, tn_error code) {
    if (plan->changes)
        return plan_end_changed(plan, out, code);
    return plan->count == 1 ? tni_result_end(&out->result[0], code) : tni_result_end_many(out->result, plan->count, code);
}
