/* tensordot.c - sums over pairs of dimensions of two tensors: the rest of self, then the rest of other, are the result.
 *
 * Both are views, the summed dimensions last, of what sumproduct takes: nothing is copied here.
 */
#include "base/error.h"
#include "operators_product.h"
#include "operators_view.h"
#include "ops/product/product_call.h"

/* Which dimensions are summed over, wrapped, for self and other. */
typedef struct tensordot_pairs {
    int64_t count, dims[2][TN_MAX_DIMS];
    bool summed[2][TN_MAX_DIMS];
} tensordot_pairs;

static const char *const tensordot_names[2] = {"self", "other"};

static bool tensordot_pair(const tn_tensor *self, const tn_tensor *other, tn_dims dims_self, tn_dims dims_other,
                           tensordot_pairs *pairs) {
    const tn_tensor *tensors[2] = {self, other};
    const tn_dims dims[2] = {dims_self, dims_other};
    if (dims_self.count != dims_other.count) {
        tni_raise(TN_ERROR_ARGUMENT,
                  "dims_self %s names %" PRId64 " and dims_other %s names %" PRId64 " dimensions: they go in pairs",
                  tni_show_dims(dims_self.values, dims_self.count), dims_self.count,
                  tni_show_dims(dims_other.values, dims_other.count), dims_other.count);
        return false;
    }
    memset(pairs->summed, 0, sizeof pairs->summed);
    pairs->count = dims_self.count;
    for (int t = 0; t < 2; t++)
        for (int64_t i = 0; i < pairs->count; i++) {
            int64_t d;
            if (tensors[t]->ndim == 0) {
                tni_raise(TN_ERROR_INDEX, "dims_%s: %s has no dimensions, and dimension %" PRId64 " is named",
                          tensordot_names[t], tensordot_names[t], dims[t].values[i]);
                return false;
            }
            if (!tni_wrap_dim(dims[t].values[i], tensors[t]->ndim, t ? "dims_other" : "dims_self", &d))
                return false;
            if (pairs->summed[t][d]) {
                tni_raise(TN_ERROR_ARGUMENT, "dims_%s %s names dimension %" PRId64 " twice", tensordot_names[t],
                          tni_show_dims(dims[t].values, dims[t].count), d);
                return false;
            }
            pairs->summed[t][d] = true;
            pairs->dims[t][i] = d;
        }
    for (int64_t i = 0; i < pairs->count; i++) {
        int64_t d = pairs->dims[0][i], e = pairs->dims[1][i], one = self->sizes[d], two = other->sizes[e];
        if (one != two && one != 1 && two != 1) {
            tni_raise(TN_ERROR_SHAPE,
                      "self %s and other %s do not fit: dimension %" PRId64 " of self has size %" PRId64
                      ", and dimension %" PRId64 " of other has size %" PRId64,
                      tni_show_tensor(self), tni_show_tensor(other), d, one, e, two);
            return false;
        }
    }
    if (self->ndim + other->ndim - pairs->count > TN_MAX_DIMS) {
        tni_raise(TN_ERROR_SHAPE, "self has %d and other %d dimensions: together, pairs counted once, they are more than %d",
                  self->ndim, other->ndim, TN_MAX_DIMS);
        return false;
    }
    return tni_product_check_dtypes((tni_product_argument){self, "self"}, (tni_product_argument){other, "other"});
}

/* (what self keeps, 1 for each that other keeps, summed), or for other the same the other way around. */
static tn_tensor *tensordot_align(const tn_tensor *tensor, const tensordot_pairs *pairs, int t, int64_t kept_by_other) {
    int64_t order[TN_MAX_DIMS], sizes[TN_MAX_DIMS], kept = 0, count = 0;
    for (int64_t i = 0; t == 1 && i < kept_by_other; i++)
        sizes[count++] = 1;
    for (int64_t d = 0; d < tensor->ndim; d++)
        if (!pairs->summed[t][d]) {
            order[kept++] = d;
            sizes[count++] = tensor->sizes[d];
        }
    for (int64_t i = 0; t == 0 && i < kept_by_other; i++)
        sizes[count++] = 1;
    for (int64_t i = 0; i < pairs->count; i++) {
        order[kept++] = pairs->dims[t][i];
        sizes[count++] = tensor->sizes[pairs->dims[t][i]];
    }
    return tn_view(tn_permute(tensor, (tn_dims){order, kept}), (tn_dims){sizes, count});
}

/* The result row by row, as in PyTorch, also in the strides of sizes of 1, which no element depends on. */
static tn_tensor *tensordot_rows(tn_tensor *result) {
    return result && !tni_tensor_is_plain(result) ? tn_view(result, (tn_dims){result->sizes, result->ndim}) : result;
}

/* With the pairs given: into `out`, or (NULL) a new tensor. */
static tn_tensor *tensordot_compute(tn_tensor *out, const tn_tensor *self, const tn_tensor *other,
                                    const tensordot_pairs *pairs) {
    int64_t dims[TN_MAX_DIMS], kept = self->ndim - pairs->count, others = other->ndim - pairs->count;
    tn_dims sum = {dims, pairs->count};
    tn_tensor *a = tensordot_align(self, pairs, 0, others), *b = tensordot_align(other, pairs, 1, kept);
    for (int64_t i = 0; i < pairs->count; i++)
        dims[i] = kept + others + i;
    return out ? tn_sumproduct_out(out, a, b, sum, false) : tensordot_rows(tn_sumproduct(a, b, sum, false));
}

tn_tensor *tni_composite_tensordot(const tn_tensor *self, const tn_tensor *other, tn_dims dims_self, tn_dims dims_other) {
    tensordot_pairs pairs;
    return tensordot_pair(self, other, dims_self, dims_other, &pairs) ? tensordot_compute(NULL, self, other, &pairs) : NULL;
}

tn_tensor *tni_composite_tensordot_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_dims dims_self,
                                       tn_dims dims_other) {
    tensordot_pairs pairs;
    return tensordot_pair(self, other, dims_self, dims_other, &pairs) ? tensordot_compute(out, self, other, &pairs) : NULL;
}

/* The last `dims` dimensions of self with the first of other. */
static bool tensordot_count(const tn_tensor *self, const tn_tensor *other, int64_t dims, tensordot_pairs *pairs) {
    int64_t last[TN_MAX_DIMS], first[TN_MAX_DIMS];
    if (dims < 0 || dims > self->ndim || dims > other->ndim) {
        tni_raise(TN_ERROR_ARGUMENT,
                  "dims is %" PRId64 ": it must be from 0 to the number of dimensions of self %s and of other %s", dims,
                  tni_show_tensor(self), tni_show_tensor(other));
        return false;
    }
    for (int64_t i = 0; i < dims; i++) {
        last[i] = self->ndim - dims + i;
        first[i] = i;
    }
    return tensordot_pair(self, other, (tn_dims){last, dims}, (tn_dims){first, dims}, pairs);
}

tn_tensor *tni_composite_tensordot_count(const tn_tensor *self, const tn_tensor *other, int64_t dims) {
    tensordot_pairs pairs;
    return tensordot_count(self, other, dims, &pairs) ? tensordot_compute(NULL, self, other, &pairs) : NULL;
}

tn_tensor *tni_composite_tensordot_count_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, int64_t dims) {
    tensordot_pairs pairs;
    return tensordot_count(self, other, dims, &pairs) ? tensordot_compute(out, self, other, &pairs) : NULL;
}
