/* index_rows.c - whole rows written by position along one dimension: index_add, index_copy, index_fill, index_reduce.
 *
 * As in scatter.c, rows that meet are processed in the order of the index, whatever the number of threads. The plans check
 * everything but the positions; a run changes results[0], which is self or a copy of it (ops/plan.h).
 */
#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_index.h"
#include "ops/copy/copy.h"
#include "ops/index/index_along.h"
#include "ops/index/overlapping.h"
#include "ops/plan.h"

static bool rows_index_fits(const tn_tensor *self, const tn_tensor *index) {
    if (!tni_is_index(index, "index"))
        return false;
    if (index->ndim <= 1)
        return true;
    tni_raise(TN_ERROR_SHAPE, "index %s must have one dimension; self is %s", tni_show_tensor(index), tni_show_tensor(self));
    return false;
}

/* The sizes of self, except that `dim` is as long as index. For index_copy no dimensions and one are the same. */
static bool rows_source_fits(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source, bool copy) {
    if (source->dtype != self->dtype) {
        tni_raise(TN_ERROR_DTYPE, "source %s must have the dtype of self %s", tni_show_tensor(source), tni_show_tensor(self));
        return false;
    }
    int64_t least = copy ? 1 : 0;
    bool fit = tni_max_i64(source->ndim, least) == tni_max_i64(self->ndim, least) &&
               (source->ndim ? source->sizes[self->ndim ? dim : 0] : 1) == index->numel;
    for (int64_t d = 0; fit && d < self->ndim && source->ndim; d++)
        fit = d == dim || source->sizes[d] == self->sizes[d];
    if (!fit)
        tni_raise(TN_ERROR_SHAPE,
                  "source %s must have the sizes of self %s, except that dimension %" PRId64 " is as long as index %s",
                  tni_show_tensor(source), tni_show_tensor(self), dim, tni_show_tensor(index));
    return fit;
}

/* Without a source they are filled. */
static bool rows_plan(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source,
                      tni_pick_mode mode, bool mean) {
    return tni_wrap_dim(dim, self->ndim, "dim", &plan->number[0]) && rows_index_fits(self, index) &&
           (!source || rows_source_fits(self, plan->number[0], index, source, mode == TNI_PICK_WRITE)) &&
           (mode == TNI_PICK_WRITE || tni_along_allows(self, mode, mean, &plan->dtype)) && tni_plan_change(plan, self, !source);
}

static tn_error rows_run(const tni_plan *plan, tn_tensor *self, const tn_tensor *index, const tn_tensor *source,
                         tni_along *along) {
    along->dim = plan->number[0];
    if (along->mode != TNI_PICK_WRITE)
        along->wide = plan->dtype;
    along->index = index;
    along->source = source;
    return tni_along_write(self, along);
}

/* ---- index_add */

bool tni_plan_index_add(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source,
                        tn_scalar alpha) {
    if (tn_dtype_can_hold(self->dtype, alpha))
        return rows_plan(plan, self, dim, index, source, TNI_PICK_ADD, false);
    tni_raise(TN_ERROR_DTYPE, "alpha = %s does not fit self %s", tni_show_scalar(alpha), tni_show_tensor(self));
    return false;
}
tn_error tni_run_index_add(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                           const tn_tensor *index, const tn_tensor *source, tn_scalar alpha) {
    tni_along along = {.mode = TNI_PICK_ADD};
    char one[16], factor[16];
    (void)dim;
    if (TNI_LIKELY(alpha.kind == TN_SCALAR_INT && alpha.value.i == 1))
        return rows_run(plan, results[0], index, source, &along);
    tn_dtype_store(self->dtype, one, tn_scalar_int(1));
    tn_dtype_store(self->dtype, factor, alpha);
    alpha = tn_dtype_load(self->dtype, factor); /* as in self: 2.5 is 2 among integers */
    if (memcmp(one, factor, tni_tensor_item_size(self)) == 0)
        return rows_run(plan, results[0], index, source, &along);
    tn_tensor *scaled = tni_op_mul_scalar(source, alpha);
    tn_error code = scaled ? rows_run(plan, results[0], index, scaled, &along) : tni_failed();
    tni_tensor_release(scaled);
    return code;
}

/* ---- index_copy */

bool tni_plan_index_copy(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source) {
    return rows_plan(plan, self, dim, index, source, TNI_PICK_WRITE, false);
}
tn_error tni_run_index_copy(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                            const tn_tensor *index, const tn_tensor *source) {
    (void)self, (void)dim;
    return rows_run(plan, results[0], index, source, &(tni_along){.mode = TNI_PICK_WRITE});
}

/* ---- index_fill */

static tn_error rows_fill_overlapping(tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value) {
    tn_index_item items[TN_MAX_DIMS];
    for (int64_t i = 0; i < dim; i++)
        items[i] = TN_ALL;
    items[dim] = TN_PICK(index);
    return tni_overlapping_put(self, (tn_index_list){items, dim + 1}, NULL, value, false);
}

static bool rows_plan_fill(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index) {
    bool good = rows_plan(plan, self, dim, index, NULL, TNI_PICK_WRITE, false);
    plan->shared = true;
    return good;
}

bool tni_plan_index_fill(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value) {
    if (tn_dtype_can_hold(self->dtype, value))
        return rows_plan_fill(plan, self, dim, index);
    tni_raise(TN_ERROR_DTYPE, "value = %s does not fit self %s", tni_show_scalar(value), tni_show_tensor(self));
    return false;
}
tn_error tni_run_index_fill(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                            const tn_tensor *index, tn_scalar value) {
    _Alignas(16) char element[16];
    (void)self, (void)dim;
    if (tni_tensor_overlaps_itself(results[0]))
        return rows_fill_overlapping(results[0], plan->number[0], index, value);
    tn_dtype_store(results[0]->dtype, element, value);
    return rows_run(plan, results[0], index, NULL, &(tni_along){.mode = TNI_PICK_WRITE, .element = element, .wrap = true});
}

/* The number in a tensor of no dimensions, wherever it is. */
static bool rows_number(const tn_tensor *value, tn_scalar *number) {
    tn_tensor *here = tni_moved(value, TN_DEVICE_CPU, "the number to fill with is looked at");
    if (!here)
        return false;
    *number = tn_dtype_load(here->dtype, tni_tensor_read(here));
    tni_tensor_release(here);
    return true;
}

bool tni_plan_index_fill_tensor(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                const tn_tensor *value) {
    if (value->ndim != 0) {
        tni_raise(TN_ERROR_SHAPE, "value %s must have no dimensions", tni_show_tensor(value));
        return false;
    }
    if (tni_tensor_device(value).type == TN_META) /* there is no number to check */
        return rows_plan_fill(plan, self, dim, index);
    tn_scalar number;
    return rows_number(value, &number) && tni_plan_index_fill(plan, self, dim, index, number);
}
tn_error tni_run_index_fill_tensor(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                                   const tn_tensor *index, const tn_tensor *value) {
    tn_scalar number;
    return rows_number(value, &number) ? tni_run_index_fill(plan, results, self, dim, index, number) : tni_failed();
}

/* ---- index_reduce */

bool tni_plan_index_reduce(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source,
                           const char *reduce, bool include_self) {
    tni_along along = {0};
    return tni_along_reduce(reduce, false, include_self, &along) &&
           rows_plan(plan, self, dim, index, source, along.mode, along.mean);
}
tn_error tni_run_index_reduce(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                              const tn_tensor *index, const tn_tensor *source, const char *reduce, bool include_self) {
    tni_along along = {0};
    (void)self, (void)dim;
    (void)tni_along_reduce(reduce, false, include_self, &along);
    return rows_run(plan, results[0], index, source, &along);
}
