/* index_rows.c - whole rows written by position along one dimension: index_add, index_copy, index_fill, index_reduce.
 *
 * As in scatter.c, rows that meet are taken in the order of the index, whatever the number of threads.
 */
#include "base/error.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/index_along.h"
#include "ops/result.h"

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

static tn_error rows_write(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source, tni_along *along) {
    if (!tni_wrap_dim(dim, self->ndim, "dim", &along->dim) || !rows_index_fits(self, index) ||
        (source && !rows_source_fits(self, along->dim, index, source, along->mode == TNI_PICK_WRITE)))
        return tn_error_code();
    along->index = index;
    along->source = source;
    return tni_along_write(self, along);
}

/* ---- index_add */

tn_error tni_op_index_add_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source, tn_scalar alpha) {
    tni_along along = {.mode = TNI_PICK_ADD};
    char one[16], factor[16];
    if (!tn_dtype_can_hold(self->dtype, alpha))
        return tni_raise(TN_ERROR_DTYPE, "alpha = %s does not fit self %s", tni_show_scalar(alpha), tni_show_tensor(self));
    tn_dtype_store(self->dtype, one, tn_scalar_int(1));
    tn_dtype_store(self->dtype, factor, alpha);
    alpha = tn_dtype_load(self->dtype, factor); /* as it is in self: 2.5 is 2 among integers */
    if (memcmp(one, factor, tni_tensor_item_size(self)) == 0)
        return rows_write(self, dim, index, source, &along);
    tn_tensor *scaled = tni_op_mul_scalar(source, alpha);
    tn_error code = scaled ? rows_write(self, dim, index, scaled, &along) : tn_error_code();
    tni_tensor_release(scaled);
    return code;
}
tn_tensor *tni_op_index_add(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source,
                            tn_scalar alpha) {
    tn_tensor *made = tni_pick_copy(self);
    return tni_pick_kept(made, made ? tni_op_index_add_(made, dim, index, source, alpha) : TN_OK);
}
tn_error tni_op_index_add_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                              const tn_tensor *source, tn_scalar alpha) {
    return tni_result_move(out, tni_op_index_add(self, dim, index, source, alpha), TNI_RESULT_EXACT);
}

/* ---- index_copy */

tn_error tni_op_index_copy_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source) {
    tni_along along = {.mode = TNI_PICK_WRITE};
    return rows_write(self, dim, index, source, &along);
}
tn_tensor *tni_op_index_copy(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source) {
    tn_tensor *made = tni_pick_copy(self);
    return tni_pick_kept(made, made ? tni_op_index_copy_(made, dim, index, source) : TN_OK);
}
tn_error tni_op_index_copy_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                               const tn_tensor *source) {
    return tni_result_move(out, tni_op_index_copy(self, dim, index, source), TNI_RESULT_EXACT);
}

/* ---- index_fill */

tn_error tni_op_index_fill_(tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value) {
    _Alignas(16) char element[16];
    if (!tn_dtype_can_hold(self->dtype, value))
        return tni_raise(TN_ERROR_DTYPE, "value = %s does not fit self %s", tni_show_scalar(value), tni_show_tensor(self));
    tn_dtype_store(self->dtype, element, value);
    tni_along along = {.mode = TNI_PICK_WRITE, .element = element, .wrap = true};
    return rows_write(self, dim, index, NULL, &along);
}
tn_tensor *tni_op_index_fill(const tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value) {
    tn_tensor *made = tni_op_clone(self, TN_PRESERVE);
    return tni_pick_kept(made, made ? tni_op_index_fill_(made, dim, index, value) : TN_OK);
}

static bool rows_value(const tn_tensor *value, tn_scalar *number) {
    if (value->ndim != 0) {
        tni_raise(TN_ERROR_SHAPE, "value %s must have no dimensions", tni_show_tensor(value));
        return false;
    }
    *number = tn_dtype_load(value->dtype, tni_tensor_read(value));
    return true;
}

tn_error tni_op_index_fill_tensor_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *value) {
    tn_scalar number;
    return rows_value(value, &number) ? tni_op_index_fill_(self, dim, index, number) : tn_error_code();
}
tn_tensor *tni_op_index_fill_tensor(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *value) {
    tn_scalar number;
    return rows_value(value, &number) ? tni_op_index_fill(self, dim, index, number) : NULL;
}

/* ---- index_reduce */

tn_error tni_op_index_reduce_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source, const char *reduce,
                              bool include_self) {
    tni_along along = {0};
    if (!tni_along_reduce(reduce, false, include_self, &along))
        return tn_error_code();
    return rows_write(self, dim, index, source, &along);
}
tn_tensor *tni_op_index_reduce(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source,
                               const char *reduce, bool include_self) {
    tn_tensor *made = tni_pick_copy(self);
    return tni_pick_kept(made, made ? tni_op_index_reduce_(made, dim, index, source, reduce, include_self) : TN_OK);
}
tn_error tni_op_index_reduce_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                 const tn_tensor *source, const char *reduce, bool include_self) {
    return tni_result_move(out, tni_op_index_reduce(self, dim, index, source, reduce, include_self), TNI_RESULT_EXACT);
}
