/* scatter.c - elements written by position, one position for each: scatter, scatter_add, scatter_reduce, put.
 *
 * Where several meet at one place they are taken in row-major order of the index: the last one stays, sums are formed in that
 * order. So the result is the same whatever the number of threads. The forms that give a new tensor write into a copy of self;
 * so do the out forms, which are not touched before everything has gone well.
 */
#include "base/error.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/index_along.h"
#include "ops/result.h"

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

/* along has its mode and what goes with it. */
static tn_error scatter_write(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src, tni_along *along) {
    if (!tni_wrap_dim(dim, self->ndim, "dim", &along->dim) || !tni_is_index(index, "index") ||
        !scatter_fits(self, along->dim, index, src))
        return tn_error_code();
    if (index->numel == 0)
        return TN_OK;
    along->index = index;
    along->each = true;
    along->source = src;
    return tni_along_write(self, along);
}

static tn_error scatter_write_value(tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value, tni_along *along) {
    _Alignas(16) char element[16];
    if (!tn_dtype_can_hold(self->dtype, value))
        return tni_raise(TN_ERROR_DTYPE, "value = %s does not fit self %s", tni_show_scalar(value), tni_show_tensor(self));
    tn_dtype_store(self->dtype, element, value);
    along->element = element;
    return scatter_write(self, dim, index, NULL, along);
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

tn_error tni_op_scatter_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src) {
    tni_along along = {.mode = TNI_PICK_WRITE};
    return scatter_write(self, dim, index, src, &along);
}
tn_tensor *tni_op_scatter(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src) {
    tn_tensor *made = tni_pick_copy(self);
    return tni_pick_kept(made, made ? tni_op_scatter_(made, dim, index, src) : TN_OK);
}
tn_error tni_op_scatter_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src) {
    return tni_result_move(out, tni_op_scatter(self, dim, index, src), TNI_RESULT_EXACT);
}

tn_error tni_op_scatter_value_(tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value) {
    tni_along along = {.mode = TNI_PICK_WRITE};
    return scatter_write_value(self, dim, index, value, &along);
}
tn_tensor *tni_op_scatter_value(const tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value) {
    tn_tensor *made = tni_pick_copy(self);
    return tni_pick_kept(made, made ? tni_op_scatter_value_(made, dim, index, value) : TN_OK);
}
tn_error tni_op_scatter_value_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value) {
    return tni_result_move(out, tni_op_scatter_value(self, dim, index, value), TNI_RESULT_EXACT);
}

tn_error tni_op_scatter_reduction_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src,
                                   const char *reduce) {
    tni_along along = {0};
    return scatter_names(reduce, &along) ? scatter_write(self, dim, index, src, &along) : tn_error_code();
}
tn_tensor *tni_op_scatter_reduction(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src,
                                    const char *reduce) {
    tn_tensor *made = tni_pick_copy(self);
    return tni_pick_kept(made, made ? tni_op_scatter_reduction_(made, dim, index, src, reduce) : TN_OK);
}
tn_error tni_op_scatter_reduction_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                      const tn_tensor *src, const char *reduce) {
    return tni_result_move(out, tni_op_scatter_reduction(self, dim, index, src, reduce), TNI_RESULT_EXACT);
}

tn_error tni_op_scatter_value_reduction_(tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value,
                                         const char *reduce) {
    tni_along along = {0};
    return scatter_names(reduce, &along) ? scatter_write_value(self, dim, index, value, &along) : tn_error_code();
}
tn_tensor *tni_op_scatter_value_reduction(const tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value,
                                          const char *reduce) {
    tn_tensor *made = tni_pick_copy(self);
    return tni_pick_kept(made, made ? tni_op_scatter_value_reduction_(made, dim, index, value, reduce) : TN_OK);
}
tn_error tni_op_scatter_value_reduction_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                            tn_scalar value, const char *reduce) {
    return tni_result_move(out, tni_op_scatter_value_reduction(self, dim, index, value, reduce), TNI_RESULT_EXACT);
}

tn_error tni_op_scatter_add_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src) {
    tni_along along = {.mode = TNI_PICK_ADD};
    return scatter_write(self, dim, index, src, &along);
}
tn_tensor *tni_op_scatter_add(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src) {
    tn_tensor *made = tni_pick_copy(self);
    return tni_pick_kept(made, made ? tni_op_scatter_add_(made, dim, index, src) : TN_OK);
}
tn_error tni_op_scatter_add_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                const tn_tensor *src) {
    return tni_result_move(out, tni_op_scatter_add(self, dim, index, src), TNI_RESULT_EXACT);
}

tn_error tni_op_scatter_reduce_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src, const char *reduce,
                                bool include_self) {
    tni_along along = {0};
    if (!tni_along_reduce(reduce, true, include_self, &along))
        return tn_error_code();
    return scatter_write(self, dim, index, src, &along);
}
tn_tensor *tni_op_scatter_reduce(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src,
                                 const char *reduce, bool include_self) {
    tn_tensor *made = tni_pick_copy(self);
    return tni_pick_kept(made, made ? tni_op_scatter_reduce_(made, dim, index, src, reduce, include_self) : TN_OK);
}
tn_error tni_op_scatter_reduce_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                   const tn_tensor *src, const char *reduce, bool include_self) {
    return tni_result_move(out, tni_op_scatter_reduce(self, dim, index, src, reduce, include_self), TNI_RESULT_EXACT);
}

/* ---- put: self, index and source as if they had one dimension */

static tn_tensor *scatter_flat(const tn_tensor *self) { return tni_op_reshape(self, (tn_dims){(const int64_t[]){-1}, 1}); }

/* A self that is not contiguous is written in a row-major copy, and that copied back. */
static tn_error scatter_put(tn_tensor *self, const tn_tensor *index, const tn_tensor *source, tni_along *along) {
    bool flat = tni_tensor_is_contiguous(self);
    tn_tensor *rows = flat ? NULL : tni_clone_contiguous(self, "put counts the elements of self in row-major order");
    const tn_tensor *whole = flat ? self : rows;
    tn_tensor *line = whole ? tni_tensor_view(whole, 1, &whole->numel, (int64_t[]){1}, whole->offset) : NULL;
    tn_tensor *positions = line ? scatter_flat(index) : NULL, *values = positions ? scatter_flat(source) : NULL;
    tn_error code = values ? TN_OK : tn_error_code();
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

tn_error tni_op_put_(tn_tensor *self, const tn_tensor *index, const tn_tensor *source, bool accumulate) {
    if (!tni_is_index(index, "index"))
        return tn_error_code();
    if (source->dtype != self->dtype)
        return tni_raise(TN_ERROR_DTYPE, "source %s must have the dtype of self %s", tni_show_tensor(source),
                         tni_show_tensor(self));
    if (source->numel != index->numel)
        return tni_raise(TN_ERROR_SHAPE, "source %s must have as many elements as index %s", tni_show_tensor(source),
                         tni_show_tensor(index));
    if (!tni_pick_writable(self))
        return tn_error_code();
    tni_along along = {.mode = accumulate ? TNI_PICK_ADD : TNI_PICK_WRITE, .wrap = true};
    return index->numel ? scatter_put(self, index, source, &along) : TN_OK;
}
tn_tensor *tni_op_put(const tn_tensor *self, const tn_tensor *index, const tn_tensor *source, bool accumulate) {
    tn_tensor *made = tni_op_clone(self, TN_PRESERVE);
    return tni_pick_kept(made, made ? tni_op_put_(made, index, source, accumulate) : TN_OK);
}
