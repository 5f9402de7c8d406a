/* embedding.c - rows of a weight by their numbers, beyond the row `embedding` itself: bags of rows, rows kept short, and gradients.
 *
 * A bag is a run of indices: those from one offset to the next. Its result is the sum, the mean or, feature by feature, the largest of
 * the rows they name. All of it is made of public operators, so gradients follow from theirs.
 */
#include <math.h>

#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_embedding.h"
#include "operators_index.h"
#include "operators_join.h"
#include "operators_move.h"
#include "operators_reduce.h"
#include "operators_logic.h"
#include "operators_scan.h"
#include "operators_search.h"
#include "operators_select.h"
#include "operators_sort.h"
#include "operators_view.h"
#include "ops/copy/copy.h"

enum { BAG_SUM = 0, BAG_MEAN, BAG_MAX };

static bool embedding_is_index(const tn_tensor *tensor, const char *name) {
    if (tensor->dtype == TN_INT64 || tensor->dtype == TN_INT32)
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s %s must be int64 or int32", name, tni_show_tensor(tensor));
    return false;
}

static bool embedding_is_weight(const tn_tensor *weight, const char *name) {
    if (weight->ndim != 2) {
        tni_raise(TN_ERROR_SHAPE, "%s %s must have 2 dimensions, (rows, features)", name, tni_show_tensor(weight));
        return false;
    }
    if (tn_dtype_is_floating(weight->dtype))
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s %s must be of floats", name, tni_show_tensor(weight));
    return false;
}

static bool embedding_on_meta(const tn_tensor *tensor) { return tni_tensor_device(tensor).type == TN_META; }

static tn_tensor *embedding_zeros(const tn_tensor *like, tn_dims sizes) {
    return tn_zero_(tn_empty_device(sizes, like->dtype, tni_tensor_device(like)));
}

/* ---- rows that are too long */

tn_tensor *tni_composite_embedding_renorm_(tn_tensor *self, const tn_tensor *indices, double max_norm, double norm_type) {
    if (!embedding_is_weight(self, "self") || !embedding_is_index(indices, "indices"))
        return NULL;
    if (indices->numel == 0 || embedding_on_meta(indices))
        return self;
    tn_tensor *rows = tn_unique(tn_reshape(indices, TN_DIMS(-1)));
    tn_tensor *chosen = rows ? tn_index_select(self, 0, rows) : NULL;
    tn_tensor *norms = chosen ? tn_norm_dim(chosen, tn_scalar_float(norm_type), TN_DIMS(1), true, TN_DTYPE_DEFAULT) : NULL;
    tn_tensor *factor =
        norms ? tn_mul_scalar(tn_reciprocal(tn_add_scalar(norms, tn_scalar_float(1e-7))), tn_scalar_float(max_norm)) : NULL;
    tn_tensor *scaled =
        factor ? tn_where(tn_gt_scalar(norms, tn_scalar_float(max_norm)), tn_mul(chosen, factor), chosen) : NULL;
    return scaled ? tn_index_copy_(self, 0, rows, scaled) : NULL;
}

/* ---- gradients of embedding */

tn_tensor *tni_composite_embedding_dense_backward(const tn_tensor *grad_output, const tn_tensor *indices, int64_t num_weights,
                                                  int64_t padding_idx, bool scale_grad_by_freq) {
    if (!embedding_is_index(indices, "indices"))
        return NULL;
    bool fit = grad_output->ndim == indices->ndim + 1;
    for (int64_t d = 0; fit && d < indices->ndim; d++)
        fit = grad_output->sizes[d] == indices->sizes[d];
    if (!fit)
        return tni_raise_null(TN_ERROR_SHAPE, "grad_output %s must have the sizes of indices %s, and features",
                              tni_show_tensor(grad_output), tni_show_tensor(indices));
    if (num_weights < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "num_weights is %" PRId64 ", and cannot be negative", num_weights);
    int64_t features = grad_output->sizes[grad_output->ndim - 1];
    const tn_tensor *rows = tn_reshape(grad_output, TN_DIMS(indices->numel, features));
    tn_tensor *at = tn_reshape(indices, TN_DIMS(-1));
    if (!rows || !at)
        return NULL;
    if (padding_idx >= 0)
        rows = tn_masked_fill(rows, tn_unsqueeze(tn_eq_scalar(at, tn_scalar_int(padding_idx)), 1), tn_scalar_int(0));
    if (scale_grad_by_freq && rows) {
        tn_tensor *ones = tn_ones_like(at, rows->dtype, TN_PRESERVE);
        tn_tensor *counts =
            ones ? tn_index_add(embedding_zeros(rows, TN_DIMS(num_weights)), 0, at, ones, tn_scalar_int(1)) : NULL;
        rows = counts ? tn_div(rows, tn_unsqueeze(tn_index_select(counts, 0, at), 1)) : NULL;
    }
    return rows ? tn_index_add(embedding_zeros(rows, TN_DIMS(num_weights, features)), 0, at, rows, tn_scalar_int(1)) : NULL;
}

/* ---- bags */

typedef struct bag_call {
    const tn_tensor *weight, *indices, *offsets, *weights;
    int64_t mode, padding;
    bool last;   /* the last offset is the end of the last bag */
    bool by_use; /* gradients are divided by how often a row is used */
    int64_t bags;
    tn_dtype whole; /* of the results that are positions */
} bag_call;

static bool bag_offsets_fit(const bag_call *call) {
    if (embedding_on_meta(call->offsets) || call->offsets->numel == 0)
        return true;
    const tn_tensor *offsets = tn_to_device(call->offsets, TN_DEVICE_CPU);
    if (!offsets)
        return false;
    tni_failed_forget();
    int64_t first = tn_item_int64(tn_select(offsets, 0, 0)), end = tn_item_int64(tn_select(offsets, 0, -1));
    tn_tensor *grows =
        tn_all(tn_ge(tn_narrow(offsets, 0, 1, offsets->numel - 1), tn_narrow(offsets, 0, 0, offsets->numel - 1)));
    if (!grows)
        return false;
    if (first != 0 || !tn_item_bool(grows) || end > call->indices->numel) {
        tni_raise(TN_ERROR_ARGUMENT,
                  "offsets begin with %" PRId64 " and end with %" PRId64
                  "%s: they begin with 0, never fall, and do not pass the %" PRId64 " indices",
                  first, end, tn_item_bool(grows) ? "" : ", and fall between", call->indices->numel);
        return false;
    }
    return tni_failed_silently();
}

static bool bag_check(bag_call *call) {
    const tn_tensor *indices = call->indices, *offsets = call->offsets, *weights = call->weights;
    if (!embedding_is_weight(call->weight, "weight") || !embedding_is_index(indices, "indices") ||
        !embedding_is_index(offsets, "offsets"))
        return false;
    if (indices->ndim != 1 || offsets->ndim != 1) {
        tni_raise(TN_ERROR_SHAPE, "%s %s must have one dimension", indices->ndim != 1 ? "indices" : "offsets",
                  tni_show_tensor(indices->ndim != 1 ? indices : offsets));
        return false;
    }
    if (call->mode < BAG_SUM || call->mode > BAG_MAX) {
        tni_raise(TN_ERROR_ARGUMENT, "mode is %" PRId64 ": 0 is the sum, 1 the mean and 2 the largest", call->mode);
        return false;
    }
    if (weights && call->mode != BAG_SUM) {
        tni_raise(TN_ERROR_ARGUMENT, "per_sample_weights are for mode 0, the sum; mode is %" PRId64, call->mode);
        return false;
    }
    if (weights && (weights->dtype != call->weight->dtype || weights->ndim != 1 || weights->numel != indices->numel)) {
        tni_raise(weights->dtype != call->weight->dtype ? TN_ERROR_DTYPE : TN_ERROR_SHAPE,
                  "per_sample_weights %s must have the dtype of weight %s and one number for each of the %" PRId64 " indices",
                  tni_show_tensor(weights), tni_show_tensor(call->weight), indices->numel);
        return false;
    }
    if (call->last && offsets->numel == 0) {
        tni_raise(TN_ERROR_SHAPE, "offsets has no elements: with include_last_offset there is the end of the last bag");
        return false;
    }
    call->bags = offsets->numel - (call->last ? 1 : 0);
    call->whole = indices->dtype == TN_INT32 && offsets->dtype == TN_INT32 ? TN_INT32 : TN_INT64;
    return bag_offsets_fit(call);
}

/* The rows that indices name, in the dtype that they are summed in. */
static tn_tensor *bag_rows(const bag_call *call, const tn_tensor *skipped) {
    tn_tensor *rows = tn_embedding(call->weight, call->indices, -1, call->by_use, false);
    if (rows && tni_dtype_size(rows->dtype) < 4)
        rows = tn_to(rows, TN_FLOAT32);
    if (rows && call->weights)
        rows = tn_mul(rows, tn_unsqueeze(tn_to(call->weights, rows->dtype), 1));
    if (rows && skipped)
        rows = tn_masked_fill(rows, tn_unsqueeze(skipped, 1),
                              call->mode == BAG_MAX ? tn_scalar_float(-INFINITY) : tn_scalar_int(0));
    return rows;
}

/* The largest of each bag, and the index that it came from: the first one, where several have it. */
static tn_tensor *bag_largest(const bag_call *call, const tn_tensor *given, const tn_tensor *bag, const tn_tensor *sizes,
                              tn_tensor **where) {
    tn_tensor *rows = tn_detach(given);
    if (!rows)
        return NULL;
    int64_t count = call->indices->numel, features = rows->sizes[1];
    tn_tensor *wide = tn_expand(tn_unsqueeze(bag, 1), TN_DIMS(count, features));
    tn_tensor *empty = embedding_zeros(rows, TN_DIMS(call->bags, features));
    tn_tensor *full = tn_unsqueeze(tn_gt_scalar(sizes, tn_scalar_int(0)), 1);
    tn_tensor *most = wide && empty ? tn_scatter_reduce(empty, 0, wide, rows, "amax", false) : NULL;
    most = most && full ? tn_where(full, most, empty) : NULL;
    if (!most)
        return NULL;
    tn_tensor *places = tn_unsqueeze(tn_cumsum(tn_ones_like(bag, TN_INT64, TN_PRESERVE), 0, TN_DTYPE_DEFAULT), 1);
    tn_tensor *found = tn_where(tn_eq(rows, tn_index_select(most, 0, bag)), places,
                                tn_full_like(places, tn_scalar_int(count + 1), TN_DTYPE_DEFAULT, TN_PRESERVE));
    tn_tensor *late = tn_full_like(empty, tn_scalar_int(count + 1), TN_INT64, TN_PRESERVE);
    tn_tensor *first =
        found && late ? tn_scatter_reduce(late, 0, wide, tn_expand(found, TN_DIMS(count, features)), "amin", true) : NULL;
    tn_tensor *known =
        first
            ? tn_cat((const tn_tensor *[]){tn_zeros_like(tn_narrow(call->indices, 0, 0, count ? 1 : 0), TN_INT64, TN_PRESERVE),
                                           tn_to(call->indices, TN_INT64)},
                     2, 0)
            : NULL;
    /* place 0 is that of no index at all */
    tn_tensor *place = known ? tn_where(tn_logical_and(full, tn_le_scalar(first, tn_scalar_int(count))), first,
                                        tn_zeros_like(first, TN_DTYPE_DEFAULT, TN_PRESERVE))
                             : NULL;
    tn_tensor *from = place && count ? tn_take(known, place) : place;
    *where = from ? tn_to(from, call->whole) : NULL;
    if (!*where || count == 0)
        return *where ? most : NULL;
    /* The largest once more, from weight itself: its gradient goes to the index that it came from, and not to equal ones. */
    tn_tensor *taken = tn_to(tn_gather(call->weight, 0, from), most->dtype);
    return tn_where(tn_gt_scalar(place, tn_scalar_int(0)), taken, most);
}

static tn_list *bag_make(const bag_call *call) {
    const tn_tensor *indices = call->indices;
    tn_tensor *skipped = call->padding >= 0 ? tn_eq_scalar(indices, tn_scalar_int(call->padding)) : NULL;
    tn_tensor *places =
        tn_sub_scalar(tn_cumsum(tn_ones_like(indices, TN_INT64, TN_PRESERVE), 0, TN_DTYPE_DEFAULT), tn_scalar_int(1));
    tn_tensor *starts = tn_to(tn_narrow(call->offsets, 0, 0, call->bags), TN_INT64);
    tn_tensor *bag =
        places && starts ? tn_sub_scalar(tn_searchsorted(starts, places, false, true, "none", NULL), tn_scalar_int(1)) : NULL;
    tn_tensor *rows = bag && (skipped || call->padding < 0) ? bag_rows(call, skipped) : NULL;
    if (!rows)
        return NULL;
    tn_tensor *counted = skipped ? tn_to(tn_logical_not(skipped), TN_INT64) : tn_ones_like(bag, TN_INT64, TN_PRESERVE);
    tn_tensor *sizes = tn_index_add(tn_zeros_like(starts, TN_INT64, TN_PRESERVE), 0, bag, counted, tn_scalar_int(1));
    tn_tensor *output, *where = NULL;
    if (!sizes)
        return NULL;
    if (call->mode == BAG_MAX)
        output = bag_largest(call, rows, bag, sizes, &where);
    else
        output = tn_index_add(embedding_zeros(rows, TN_DIMS(call->bags, rows->sizes[1])), 0, bag, rows, tn_scalar_int(1));
    if (call->mode == BAG_MEAN)
        output = tn_div(output, tn_unsqueeze(tn_to(tn_clamp_min(sizes, tn_scalar_int(1)), rows->dtype), 1));
    output = output && output->dtype != call->weight->dtype ? tn_to(output, call->weight->dtype) : output;
    sizes = call->mode == BAG_SUM ? tn_zeros_like(call->offsets, call->whole, TN_PRESERVE) : tn_to(sizes, call->whole);
    const tn_tensor *results[4] = {output, tn_to(bag, call->whole), sizes, where ? where : tn_clone(sizes, TN_PRESERVE)};
    for (int i = 0; i < 4; i++)
        if (!results[i])
            return NULL;
    return tn_list_new(results, 4);
}

tn_list *tni_composite__embedding_bag(const tn_tensor *weight, const tn_tensor *indices, const tn_tensor *offsets,
                                      bool scale_grad_by_freq, int64_t mode, bool sparse, const tn_tensor *per_sample_weights,
                                      bool include_last_offset, int64_t padding_idx) {
    bag_call call = {weight, indices, offsets, per_sample_weights, mode, padding_idx, include_last_offset, scale_grad_by_freq,
                     0,      TN_INT64};
    (void)sparse;
    return bag_check(&call) ? bag_make(&call) : NULL;
}

tn_list *tni_composite_embedding_bag(const tn_tensor *weight, const tn_tensor *indices, const tn_tensor *offsets,
                                     bool scale_grad_by_freq, int64_t mode, bool sparse, const tn_tensor *per_sample_weights,
                                     bool include_last_offset) {
    return tni_composite__embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                                        include_last_offset, -1);
}

tn_list *tni_composite_embedding_bag_padding_idx(const tn_tensor *weight, const tn_tensor *indices, const tn_tensor *offsets,
                                                 bool scale_grad_by_freq, int64_t mode, bool sparse,
                                                 const tn_tensor *per_sample_weights, bool include_last_offset,
                                                 int64_t padding_idx) {
    if (!embedding_is_weight(weight, "weight"))
        return NULL;
    int64_t rows = weight->sizes[0];
    if (padding_idx != TN_NONE && (padding_idx < -rows || padding_idx >= rows))
        return tni_raise_null(TN_ERROR_INDEX, "padding_idx %" PRId64 " is out of range for the %" PRId64 " rows of weight",
                              padding_idx, rows);
    int64_t padding = padding_idx == TN_NONE ? -1 : padding_idx < 0 ? padding_idx + rows : padding_idx;
    return tni_composite__embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                                        include_last_offset, padding);
}
