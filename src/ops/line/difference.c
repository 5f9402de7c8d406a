/* difference.c - gradient: the derivative of a function known at points, along each dimension.
 *
 * Inside, the slope of the parabola through a point and its neighbours; at the ends, that of a line (edge_order 1) or of the
 * parabola through the last three points (edge_order 2). Made of operators.
 */
#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_statistics.h"
#include "operators_view.h"
#include "tensor/tensor.h"

static const tn_tensor *difference_times(const tn_tensor *x, double factor) {
    return tn_mul_scalar(x, tn_scalar_float(factor));
}

static const tn_tensor *difference_less(const tn_tensor *a, const tn_tensor *b) { return tn_sub(a, b); }

/* The part of length elements from start. */
static const tn_tensor *difference_part(const tn_tensor *x, int64_t dim, int64_t start, int64_t length) {
    return tn_narrow(x, dim, start, length);
}

/* f0 w0 + f1 w1 + f2 w2 */
static const tn_tensor *difference_sum(const tn_tensor *const *f, const tn_tensor *const *w) {
    return tn_add(tn_add(tn_mul(f[0], w[0]), tn_mul(f[1], w[1])), tn_mul(f[2], w[2]));
}

/* Steps h[i] = x[i + 1] - x[i], shaped to stand beside f along dim. */
static const tn_tensor *difference_steps(const tn_tensor *f, const tn_tensor *x, int64_t dim) {
    int64_t shape[TN_MAX_DIMS];
    for (int i = 0; i < f->ndim; i++)
        shape[i] = i == dim ? f->sizes[dim] - 1 : 1;
    int64_t n = f->sizes[dim];
    return tn_view(difference_less(difference_part(x, 0, 1, n - 1), difference_part(x, 0, 0, n - 1)),
                   (tn_dims){shape, f->ndim});
}

/* The slope at `at` (-1: the first point, 1: the last, 0: all inside) of parabolas through three points at distances a and b. */
static const tn_tensor *difference_parabola(const tn_tensor *const *f, const tn_tensor *a, const tn_tensor *b, int at) {
    const tn_tensor *both = tn_add(a, b), *w[3];
    if (at == 0) {
        w[0] = tn_neg(tn_div(b, tn_mul(a, both)));
        w[1] = tn_div(difference_less(b, a), tn_mul(a, b));
        w[2] = tn_div(a, tn_mul(b, both));
    } else if (at < 0) {
        w[0] = tn_neg(tn_div(tn_add(both, a), tn_mul(a, both)));
        w[1] = tn_div(both, tn_mul(a, b));
        w[2] = tn_neg(tn_div(a, tn_mul(b, both)));
    } else {
        w[0] = tn_div(b, tn_mul(a, both));
        w[1] = tn_neg(tn_div(both, tn_mul(a, b)));
        w[2] = tn_div(tn_add(both, b), tn_mul(b, both));
    }
    return difference_sum(f, w);
}

static const tn_tensor *difference_along(const tn_tensor *f, int64_t dim, double step, const tn_tensor *x, int64_t edge_order) {
    int64_t n = f->sizes[dim];
    const tn_tensor *p[3], *parts[3], *h = x ? difference_steps(f, x, dim) : NULL;
    if (x && !h)
        return NULL;
    const tn_tensor *first = difference_part(f, dim, 0, 1), *second = difference_part(f, dim, 1, 1);
    const tn_tensor *last = difference_part(f, dim, n - 1, 1), *before = difference_part(f, dim, n - 2, 1);
    for (int i = 0; i < 3; i++)
        p[i] = n > 2 && (h || i != 1) ? difference_part(f, dim, i, n - 2) : NULL;
    const tn_tensor *middle = NULL;
    if (n > 2)
        middle = h ? difference_parabola(p, difference_part(h, dim, 0, n - 2), difference_part(h, dim, 1, n - 2), 0)
                   : difference_times(difference_less(p[2], p[0]), 0.5 / step);
    if (edge_order == 1) {
        parts[0] = difference_less(second, first);
        parts[2] = difference_less(last, before);
        parts[0] = h ? tn_div(parts[0], difference_part(h, dim, 0, 1)) : difference_times(parts[0], 1 / step);
        parts[2] = h ? tn_div(parts[2], difference_part(h, dim, n - 2, 1)) : difference_times(parts[2], 1 / step);
    } else {
        const tn_tensor *low[3] = {first, second, difference_part(f, dim, 2, 1)};
        const tn_tensor *high[3] = {difference_part(f, dim, n - 3, 1), before, last};
        if (h) {
            parts[0] = difference_parabola(low, difference_part(h, dim, 0, 1), difference_part(h, dim, 1, 1), -1);
            parts[2] = difference_parabola(high, difference_part(h, dim, n - 3, 1), difference_part(h, dim, n - 2, 1), 1);
        } else {
            parts[0] = tn_add(tn_add(difference_times(low[0], -1.5 / step), difference_times(low[1], 2 / step)),
                              difference_times(low[2], -0.5 / step));
            parts[2] = tn_add(tn_add(difference_times(high[2], 1.5 / step), difference_times(high[1], -2 / step)),
                              difference_times(high[0], 0.5 / step));
        }
    }
    parts[1] = middle;
    const tn_tensor *ends[2] = {parts[0], parts[2]};
    return middle ? tn_cat(parts, 3, dim) : n > 2 ? NULL : tn_cat(ends, 2, dim);
}

/* Where dim names none, all dimensions. given: how many steps or coordinates there are; 0 or 1 of them serve every dimension. */
static tn_list *difference_all(const tn_tensor *self, tn_dims dim, int64_t given, tn_floats steps,
                               const tn_tensor *const *coordinates, int64_t edge_order) {
    bool all = dim.count <= 0;
    int64_t count = all ? self->ndim : dim.count, dims[TN_MAX_DIMS];
    if (edge_order != 1 && edge_order != 2) {
        tni_raise(TN_ERROR_ARGUMENT, "edge_order = %lld must be 1 or 2", (long long)edge_order);
        return NULL;
    }
    if (given > 1 ? given != count : coordinates && given != count) {
        tni_raise(TN_ERROR_ARGUMENT, "spacing has %lld entries for %lld dimensions", (long long)given, (long long)count);
        return NULL;
    }
    uint64_t seen = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t wrapped = all ? k : dim.values[k];
        if (wrapped < -self->ndim || wrapped >= self->ndim) {
            tni_raise(TN_ERROR_ARGUMENT, "dim %lld is not a dimension of self, which has %d", (long long)wrapped, self->ndim);
            return NULL;
        }
        dims[k] = wrapped < 0 ? wrapped + self->ndim : wrapped;
        if (seen >> dims[k] & 1) {
            tni_raise(TN_ERROR_ARGUMENT, "dim has %lld twice", (long long)dims[k]);
            return NULL;
        }
        seen |= (uint64_t)1 << dims[k];
        if (self->sizes[dims[k]] < edge_order + 1) {
            tni_raise(TN_ERROR_SHAPE, "self has %lld elements along dimension %lld; with edge_order %lld it takes %lld or more",
                      (long long)self->sizes[dims[k]], (long long)dims[k], (long long)edge_order, (long long)edge_order + 1);
            return NULL;
        }
        if (coordinates && (coordinates[k]->ndim != 1 || coordinates[k]->sizes[0] != self->sizes[dims[k]])) {
            tni_raise(TN_ERROR_SHAPE, "spacing %lld must be a vector of the %lld coordinates along dimension %lld",
                      (long long)k, (long long)self->sizes[dims[k]], (long long)dims[k]);
            return NULL;
        }
    }
    bool whole = !tn_dtype_is_floating(self->dtype) && !tn_dtype_is_complex(self->dtype);
    const tn_tensor *f = whole ? tn_to(self, tn_default_dtype()) : self, *made[TN_MAX_DIMS];
    for (int64_t k = 0; k < count; k++) {
        double step = coordinates || given == 0 ? 1 : steps.values[given == 1 ? 0 : k];
        made[k] = f ? difference_along(f, dims[k], step, coordinates ? coordinates[k] : NULL, edge_order) : NULL;
        if (!made[k])
            return NULL;
    }
    return tn_list_new(made, count);
}

tn_list *tni_composite_gradient(const tn_tensor *self, tn_floats spacing, tn_dims dim, int64_t edge_order) {
    return difference_all(self, dim, spacing.count, spacing, NULL, edge_order);
}

tn_list *tni_composite_gradient_coordinates(const tn_tensor *self, const tn_tensor *const *spacing, int64_t spacing_count,
                                            tn_dims dim, int64_t edge_order) {
    return difference_all(self, dim, spacing_count, (tn_floats){NULL, 0}, spacing, edge_order);
}
