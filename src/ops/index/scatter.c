/* scatter.c - elements written by position, one position for each: scatter, scatter_add, scatter_reduce, put.
 *
 * Where several meet at one place they are processed in row-major order of the index: the last one stays, sums are formed in
 * that order. So the result is the same whatever the number of threads. The plans check everything but the positions; a run
 * changes results[0], which is self or a copy of it (ops/plan.h).
 */
#include "base/error.h"
#include "operators_index.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/index/index_along.h"
#include "ops/plan.h"

/* ---- scatter */

static bool scatter_fits(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src) {
    if (src && src->dtype != self->dtype) {
        tni_raise(TN_ERROR_DTYPE, "src %s must have the dtype of self %s", tni_show_tensor(src), tni_show_tensor(self));
        return false;
    }
    if (index->numel == 0)
        return true;
    int64_t ndim = tni_max_i64(self->ndim, 1);
    bool fit = tni_max_i64(index->ndim, 1) == ndim && (!src || tni_max_i64(src->ndim, 1) == ndim);
    for (int64_t d = 0; fit && d < ndim; d++) {
        int64_t size = index->ndim ? index->sizes[d] : 1;
        fit = (d == dim || size <= (self->ndim ? self->sizes[d] : 1)) && (!src || size <= (src->ndim ? src->sizes[d] : 1));
    }
    if (!fit)
        tni_raise(TN_ERROR_SHAPE,
                  "index %s must have as many dimensions as self %s, and be no larger than it except along dimension %" PRId64
                  "%s%s",
                  tni_show_tensor(index), tni_show_tensor(self), dim, src ? ", and no larger than src " : "",
                  src ? tni_show_tensor(src) : "");
    return fit;
}

static bool scatter_plan(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src,
                         tni_pick_mode mode, bool mean) {
    return tni_wrap_dim(dim, self->ndim, "dim", &plan->number[0]) && tni_is_index(index, "index") &&
           scatter_fits(self, plan->number[0], index, src) &&
           (mode == TNI_PICK_WRITE || index->numel == 0 || tni_along_allows(self, mode, mean, &plan->dtype)) &&
           tni_plan_change(plan, self, false);
}

static bool scatter_plan_value(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value,
                               tni_pick_mode mode) {
    if (tn_dtype_can_hold(self->dtype, value))
        return scatter_plan(plan, self, dim, index, NULL, mode, false);
    tni_raise(TN_ERROR_DTYPE, "value = %s does not fit self %s", tni_show_scalar(value), tni_show_tensor(self));
    return false;
}

/* `along` has its mode and what the mode needs. */
static tn_error scatter_run(const tni_plan *plan, tn_tensor *self, const tn_tensor *index, const tn_tensor *src,
                            tni_along *along) {
    if (index->numel == 0)
        return TN_OK;
    along->dim = plan->number[0];
    if (along->mode != TNI_PICK_WRITE)
        along->wide = plan->dtype;
    along->index = index;
    along->each = true;
    along->source = src;
    return tni_along_write(self, along);
}

static tn_error scatter_run_value(const tni_plan *plan, tn_tensor *self, const tn_tensor *index, tn_scalar value,
                                  const tni_along *along) {
    _Alignas(16) char element[16];
    tni_along own = *along;
    tn_dtype_store(self->dtype, element, value);
    own.element = element;
    return scatter_run(plan, self, index, NULL, &own);
}

/* The two reductions that scatter itself names. */
static bool scatter_names(const char *reduce, tni_along *along) {
    bool add = strcmp(reduce, "add") == 0;
    along->mode = add ? TNI_PICK_ADD : TNI_PICK_MULTIPLY;
    if (add || strcmp(reduce, "multiply") == 0)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "reduce is \"%s\"; it may be \"add\" or \"multiply\"", reduce);
    return false;
}

bool tni_plan_scatter(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src) {
    return scatter_plan(plan, self, dim, index, src, TNI_PICK_WRITE, false);
}
tn_error tni_run_scatter(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                         const tn_tensor *index, const tn_tensor *src) {
    (void)self, (void)dim;
    return scatter_run(plan, results[0], index, src, &(tni_along){.mode = TNI_PICK_WRITE});
}

bool tni_plan_scatter_value(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value) {
    return scatter_plan_value(plan, self, dim, index, value, TNI_PICK_WRITE);
}
tn_error tni_run_scatter_value(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                               const tn_tensor *index, tn_scalar value) {
    (void)self, (void)dim;
    return scatter_run_value(plan, results[0], index, value, &(tni_along){.mode = TNI_PICK_WRITE});
}

bool tni_plan_scatter_reduction(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                const tn_tensor *src, const char *reduce) {
    tni_along along = {0};
    return scatter_names(reduce, &along) && scatter_plan(plan, self, dim, index, src, along.mode, along.mean);
}
tn_error tni_run_scatter_reduction(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                                   const tn_tensor *index, const tn_tensor *src, const char *reduce) {
    tni_along along = {0};
    (void)self, (void)dim;
    (void)scatter_names(reduce, &along);
    return scatter_run(plan, results[0], index, src, &along);
}

bool tni_plan_scatter_value_reduction(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                      tn_scalar value, const char *reduce) {
    tni_along along = {0};
    return scatter_names(reduce, &along) && scatter_plan_value(plan, self, dim, index, value, along.mode);
}
tn_error tni_run_scatter_value_reduction(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                                         const tn_tensor *index, tn_scalar value, const char *reduce) {
    tni_along along = {0};
    (void)self, (void)dim;
    (void)scatter_names(reduce, &along);
    return scatter_run_value(plan, results[0], index, value, &along);
}

bool tni_plan_scatter_add(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src) {
    return scatter_plan(plan, self, dim, index, src, TNI_PICK_ADD, false);
}
tn_error tni_run_scatter_add(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                             const tn_tensor *index, const tn_tensor *src) {
    (void)self, (void)dim;
    return scatter_run(plan, results[0], index, src, &(tni_along){.mode = TNI_PICK_ADD});
}

bool tni_plan_scatter_reduce(tni_plan *plan, const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src,
                             const char *reduce, bool include_self) {
    tni_along along = {0};
    return tni_along_reduce(reduce, true, include_self, &along) &&
           scatter_plan(plan, self, dim, index, src, along.mode, along.mean);
}
tn_error tni_run_scatter_reduce(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                                const tn_tensor *index, const tn_tensor *src, const char *reduce, bool include_self) {
    tni_along along = {0};
    (void)self, (void)dim;
    (void)tni_along_reduce(reduce, true, include_self, &along);
    return scatter_run(plan, results[0], index, src, &along);
}

/* ---- put: self, index and source as if they had one dimension */

static tn_tensor *scatter_flat(const tn_tensor *self) { return tni_op_reshape(self, (tn_dims){(const int64_t[]){-1}, 1}); }

/* For a self that is not contiguous a row-major copy is written and copied back. */
static tn_error scatter_put(tn_tensor *self, const tn_tensor *index, const tn_tensor *source, tni_along *along) {
    bool flat = tni_tensor_is_contiguous(self);
    tn_tensor *rows = flat ? NULL : tni_clone_contiguous(self, "put counts the elements of self in row-major order");
    const tn_tensor *whole = flat ? self : rows;
    tn_tensor *line = whole ? tni_tensor_view(whole, 1, &whole->numel, (int64_t[]){1}, whole->offset) : NULL;
    tn_tensor *positions = line ? scatter_flat(index) : NULL, *values = positions ? scatter_flat(source) : NULL;
    tn_error code = values ? TN_OK : tni_failed();
    if (code == TN_OK) {
        along->index = positions;
        along->source = values;
        code = tni_along_write(line, along);
    }
    if (code == TN_OK && rows)
        code = tni_copy_into(self, rows, "put counts the elements of self in row-major order");
    tni_tensor_release(values);
    tni_tensor_release(positions);
    tni_tensor_release(line);
    tni_tensor_release(rows);
    return code;
}

bool tni_plan_put(tni_plan *plan, const tn_tensor *self, const tn_tensor *index, const tn_tensor *source, bool accumulate) {
    if (!tni_is_index(index, "index"))
        return false;
    if (source->dtype != self->dtype) {
        tni_raise(TN_ERROR_DTYPE, "source %s must have the dtype of self %s", tni_show_tensor(source), tni_show_tensor(self));
        return false;
    }
    if (source->numel != index->numel) {
        tni_raise(TN_ERROR_SHAPE, "source %s must have as many elements as index %s", tni_show_tensor(source),
                  tni_show_tensor(index));
        return false;
    }
    return (!accumulate || index->numel == 0 || tni_along_allows(self, TNI_PICK_ADD, false, &plan->dtype)) &&
           tni_plan_change(plan, self, true);
}
tn_error tni_run_put(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *index,
                     const tn_tensor *source, bool accumulate) {
    tni_along along = {.mode = TNI_PICK_WRITE, .wrap = true};
    (void)self;
    if (accumulate) {
        along.mode = TNI_PICK_ADD;
        along.wide = plan->dtype;
    }
    return index->numel ? scatter_put(results[0], index, source, &along) : TN_OK;
}
