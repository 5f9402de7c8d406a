/* histogram_dims.c - histogramdd: how many points of several dimensions fall into each cell of a grid.
 *
 * Made of operators: the edges of each dimension are histogram's, bucketize finds the place of each coordinate among them, and
 * bincount counts the cells. A point with a coordinate outside, or NaN, is in no cell.
 */
#include "base/common.h"
#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_logic.h"
#include "operators_reduce.h"
#include "operators_search.h"
#include "operators_select.h"
#include "operators_view.h"
#include "tensor/tensor.h"

/* The points as rows, and the number of their coordinates; NULL with the error raised. */
static const tn_tensor *histogram_points(const tn_tensor *self, int64_t dimensions) {
    if (self->ndim < 2) {
        tni_raise(TN_ERROR_SHAPE, "self has %d dimensions, and needs 2 or more: points, and their coordinates in the last",
                  self->ndim);
        return NULL;
    }
    if (self->sizes[self->ndim - 1] != dimensions) {
        tni_raise(TN_ERROR_SHAPE, "self has points of %lld coordinates, and there are bins for %lld",
                  (long long)self->sizes[self->ndim - 1], (long long)dimensions);
        return NULL;
    }
    if (dimensions > TN_MAX_DIMS) {
        tni_raise(TN_ERROR_SHAPE, "bins has %lld dimensions; a tensor has at most %d", (long long)dimensions, TN_MAX_DIMS);
        return NULL;
    }
    int64_t count = 1; /* -1 would be unknown where there is no coordinate */
    for (int i = 0; i + 1 < self->ndim; i++)
        count *= self->sizes[i];
    return tn_reshape(self, TN_DIMS(count, dimensions));
}

static bool histogram_points_weigh(const tn_tensor *self, const tn_tensor *weight) {
    if (!weight)
        return true;
    bool same = weight->dtype == self->dtype && weight->ndim == self->ndim - 1;
    for (int i = 0; same && i < weight->ndim; i++)
        same = weight->sizes[i] == self->sizes[i];
    if (!same)
        tni_raise(TN_ERROR_SHAPE, "weight must have the dtype of self and its sizes without the last");
    return same;
}

/* The list of the counts and all edges. edges: (bins[k] + 1) each, points: (count, dimensions) */
static tn_list *histogram_cells(const tn_tensor *self, const tn_tensor *points, const tn_tensor **edges, int64_t dimensions,
                                const tn_tensor *weight, bool density) {
    int64_t bins[TN_MAX_DIMS], cells = 1;
    const tn_tensor *place = NULL, *inside = NULL;
    for (int64_t k = 0; k < dimensions; k++) {
        if (!edges[k])
            return NULL;
        if (edges[k]->ndim != 1 || edges[k]->sizes[0] < 2) {
            tni_raise(TN_ERROR_SHAPE, "bins %lld must be a vector of 2 or more edges", (long long)k);
            return NULL;
        }
        bins[k] = edges[k]->sizes[0] - 1;
        if (tni_mul_overflows(cells, bins[k], &cells)) {
            tni_raise(TN_ERROR_SHAPE, "the grid has more cells than an int64 can count");
            return NULL;
        }
        tn_tensor *x = tn_contiguous(tn_select(points, 1, k), TN_CONTIGUOUS), *last = tn_select(edges[k], 0, bins[k]);
        tn_tensor *at = tn_sub_scalar(tn_bucketize(x, edges[k], false, true), tn_scalar_int(1));
        at = tn_where(tn_eq(x, last), tn_full_like(at, tn_scalar_int(bins[k] - 1), TN_DTYPE_DEFAULT, TN_PRESERVE), at);
        tn_tensor *fits = tn_logical_and(tn_ge_scalar(at, tn_scalar_int(0)), tn_le(x, last));
        place = place ? tn_add(tn_mul_scalar(place, tn_scalar_int(bins[k])), at) : at;
        inside = inside ? tn_logical_and(inside, fits) : fits;
        if (!place || !inside)
            return NULL;
    }
    tn_dims sizes = {bins, dimensions};
    const tn_tensor *weights = weight ? tn_masked_select(tn_reshape(weight, TN_DIMS(-1)), inside) : NULL;
    if (weight && !weights)
        return NULL;
    tn_tensor *counted = tn_bincount(tn_masked_select(place, inside), weights, cells);
    const tn_tensor *hist = tn_to(tn_reshape(counted, sizes), self->dtype);
    if (density && hist) {
        hist = tn_div(hist, tn_sum(hist, TN_DTYPE_DEFAULT));
        for (int64_t k = 0; hist && k < dimensions; k++) {
            int64_t shape[TN_MAX_DIMS];
            for (int64_t j = 0; j < dimensions; j++)
                shape[j] = j == k ? bins[k] : 1;
            const tn_tensor *right = tn_narrow(edges[k], 0, 1, bins[k]), *left = tn_narrow(edges[k], 0, 0, bins[k]);
            hist = tn_div(hist, tn_view(tn_sub(right, left), (tn_dims){shape, dimensions}));
        }
    }
    if (!hist)
        return NULL;
    const tn_tensor *made[TN_MAX_DIMS + 1];
    made[0] = hist;
    for (int64_t k = 0; k < dimensions; k++)
        made[k + 1] = edges[k];
    return tn_list_new(made, dimensions + 1);
}

tn_list *tni_composite_histogramdd(const tn_tensor *self, tn_dims bins, tn_floats range, const tn_tensor *weight,
                                   bool density) {
    const tn_tensor *edges[TN_MAX_DIMS], *points = histogram_points(self, bins.count);
    if (!points || !histogram_points_weigh(self, weight))
        return NULL;
    if (range.count != 0 && range.count != 2 * bins.count) {
        tni_raise(TN_ERROR_ARGUMENT, "range has %lld numbers, and needs %lld: two for each of the %lld dimensions",
                  (long long)range.count, 2 * (long long)bins.count, (long long)bins.count);
        return NULL;
    }
    for (int64_t k = 0; k < bins.count; k++) {
        const tn_tensor *column = tn_select(points, 1, k);
        tn_list *made = range.count
                            ? tn_histogram_range(column, bins.values[k], (tn_floats){range.values + 2 * k, 2}, NULL, false)
                            : tn_histogram(column, bins.values[k], NULL, false);
        edges[k] = made ? tn_list_at(made, 1) : NULL;
    }
    return histogram_cells(self, points, edges, bins.count, weight, density);
}

tn_list *tni_composite_histogramdd_edges(const tn_tensor *self, const tn_tensor *const *bins, int64_t bins_count,
                                         const tn_tensor *weight, bool density) {
    const tn_tensor *edges[TN_MAX_DIMS], *points = histogram_points(self, bins_count);
    if (!points || !histogram_points_weigh(self, weight))
        return NULL;
    for (int64_t k = 0; k < bins_count; k++) {
        edges[k] = bins[k];
        if (bins[k]->dtype != self->dtype) {
            tni_raise(TN_ERROR_DTYPE, "bins %lld is %s, and self %s: edges have the dtype of self", (long long)k,
                      tn_dtype_name(bins[k]->dtype), tn_dtype_name(self->dtype));
            return NULL;
        }
    }
    return histogram_cells(self, points, edges, bins_count, weight, density);
}
