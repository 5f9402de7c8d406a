/* gradients_view.c - derivatives of views: what was read through a view is written through it.
 *
 * Everything here is made of public operators, so gradients of gradients need nothing more. Where elements of a view share memory
 * (unfold, as_strided), the places that each came from are found by taking the same view of the numbers 0, 1, 2, ...; the
 * gradients are added up there.
 */
#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_view.h"

tn_tensor *tni_gradient_zeros(tn_dims sizes, const tn_tensor *like) {
    return like ? tni_zeros_on(sizes, (tn_dtype)like->dtype, tni_tensor_device(like)) : NULL;
}

/* A result that depends on values, without a derivative that is known. */
tn_tensor *tni_gradient_refused(const char *name) {
    return tni_raise_null(TN_ERROR_UNSUPPORTED, "%s has no derivative: use its result without gradients (detach)", name);
}

tn_tensor *tni_gradient_permute(const tn_tensor *grad, tn_dims dims) {
    int64_t inverse[TN_MAX_DIMS];
    for (int64_t i = 0; i < dims.count; i++)
        inverse[dims.values[i] < 0 ? dims.values[i] + dims.count : dims.values[i]] = i;
    return tn_permute(grad, (tn_dims){inverse, dims.count});
}

static int64_t view_wrap(int64_t dim, int64_t ndim) { return dim < 0 ? dim + ndim : dim; }

tn_tensor *tni_gradient_narrow(const tn_tensor *grad, tn_dims sizes, int64_t dim, int64_t start, int64_t length) {
    int64_t d = view_wrap(dim, sizes.count), first = start < 0 ? start + sizes.values[d] : start;
    return tn_slice_scatter(tni_gradient_zeros(sizes, grad), grad, d, first, first + length, 1);
}

/* A step backwards is a flip of a step forwards, over the same positions. */
tn_tensor *tni_gradient_slice(const tn_tensor *grad, tn_dims sizes, int64_t dim, int64_t start, int64_t end, int64_t step) {
    int64_t d = view_wrap(dim, sizes.count), first, count;
    tn_geometry_slice_range(sizes.values[d], start, end, step, &first, &count);
    int64_t lowest = first + (count - 1) * step;
    if (count == 0)
        return tni_gradient_zeros(sizes, grad);
    if (step > 0)
        return tn_slice_scatter(tni_gradient_zeros(sizes, grad), grad, d, first, first + (count - 1) * step + 1, step);
    return tn_slice_scatter(tni_gradient_zeros(sizes, grad), tn_flip(grad, (tn_dims){&d, 1}), d, lowest, first + 1, -step);
}

static int64_t view_numel(tn_dims sizes) {
    int64_t numel = 1;
    for (int64_t d = 0; d < sizes.count; d++)
        numel *= sizes.values[d];
    return numel;
}

/* `count` numbers 0, 1, 2, ... on the device of a tensor. */
tn_tensor *tni_places(int64_t count, const tn_tensor *like) {
    tn_tensor *places = tn_arange(tn_scalar_int(count), TN_INT64);
    return tni_tensor_device(like).type == TN_CPU ? places : tn_to_device(places, tni_tensor_device(like));
}

/* The sums of the gradients that belong to each of `count` places. */
tn_tensor *tni_place_sums(const tn_tensor *grad, const tn_tensor *places, int64_t count) {
    tn_dims flat = {(int64_t[]){-1}, 1};
    tn_tensor *zeros = tni_gradient_zeros((tn_dims){&count, 1}, grad);
    if (!places || places->numel == 0)
        return places ? zeros : NULL;
    return tn_index_add(zeros, 0, tn_reshape(places, flat), tn_reshape(grad, flat), tn_scalar_int(1));
}

tn_tensor *tni_gradient_unfold(const tn_tensor *grad, tn_dims sizes, int64_t dimension, int64_t size, int64_t step) {
    int64_t numel = view_numel(sizes);
    tn_tensor *places = tn_unfold(tn_view(tni_places(numel, grad), sizes), dimension, size, step);
    return tn_view(tni_place_sums(grad, places, numel), sizes);
}

tn_tensor *tni_gradient_sliding_window_view(const tn_tensor *grad, tn_dims sizes, tn_dims window, tn_dims dims) {
    int64_t numel = view_numel(sizes);
    tn_tensor *places = tn_sliding_window_view(tn_view(tni_places(numel, grad), sizes), window, dims);
    return tn_view(tni_place_sums(grad, places, numel), sizes);
}

/* The first and the last place that a geometry reaches; false where it has no elements. */
static bool view_reach(tn_dims sizes, tn_dims strides, int64_t offset, int64_t *first, int64_t *last) {
    *first = *last = offset;
    for (int64_t d = 0; d < sizes.count; d++) {
        int64_t reach = (sizes.values[d] - 1) * strides.values[d];
        if (sizes.values[d] == 0)
            return false;
        *(reach < 0 ? first : last) += reach;
    }
    return true;
}

/* Through the memory that both geometries look into: what a place got is shared by the elements of self that are there. */
tn_tensor *tni_gradient_as_strided(const tn_tensor *grad, tn_dims self_sizes, tn_dims self_strides, int64_t self_offset,
                                   tn_dims size, tn_dims stride, int64_t storage_offset) {
    int64_t offset = storage_offset == TN_NONE ? self_offset : storage_offset, first, last, low, high;
    if (!view_reach(self_sizes, self_strides, self_offset, &first, &last) || !view_reach(size, stride, offset, &low, &high))
        return tni_gradient_zeros(self_sizes, grad);
    first = low < first ? low : first;
    last = high > last ? high : last;
    int64_t count = last - first + 1;
    tn_tensor *places = tni_places(count, grad);
    tn_tensor *sums = tni_place_sums(grad, tn_as_strided(places, size, stride, offset - first), count);
    tn_tensor *own = tn_as_strided(places, self_sizes, self_strides, self_offset - first);
    tn_tensor *back = tn_as_strided(sums, self_sizes, self_strides, self_offset - first);
    if (!back || !own || !tni_tensor_overlaps_itself(own))
        return own ? back : NULL;
    tn_tensor *ones = tn_ones_like(own, (tn_dtype)grad->dtype, TN_CONTIGUOUS);
    tn_tensor *shares = tn_as_strided(tni_place_sums(ones, own, count), self_sizes, self_strides, self_offset - first);
    return tn_div(back, shares);
}

tn_tensor *tni_gradient_imag(const tn_tensor *grad) { return tn_mul_scalar(grad, tn_scalar_complex(0, 1)); }

/* Memory that a tensor and a part of it look into: the gradient as it is laid out there, and the places of both. */
typedef struct view_memory {
    tn_tensor *laid_out, *own, *part;
    int64_t count;
} view_memory;

static bool view_lay_out(view_memory *m, const tn_tensor *grad, tn_dims sizes, tn_dims strides, int64_t offset, tn_dims size,
                         tn_dims stride, int64_t storage_offset) {
    int64_t start = storage_offset == TN_NONE ? offset : storage_offset, first, last, low, high;
    tn_dims flat = {(int64_t[]){-1}, 1};
    if (!view_reach(sizes, strides, offset, &first, &last))
        return false;
    if (view_reach(size, stride, start, &low, &high)) {
        first = low < first ? low : first;
        last = high > last ? high : last;
    }
    m->count = last - first + 1;
    tn_tensor *places = tni_places(m->count, grad);
    m->own = tn_reshape(tn_as_strided(places, sizes, strides, offset - first), flat);
    m->part = tn_reshape(tn_as_strided(places, size, stride, view_numel(size) ? start - first : 0), flat);
    m->laid_out = tni_place_sums(grad, m->own, m->count);
    return true;
}

tn_tensor *tni_gradient_as_strided_scatter_src(const tn_tensor *grad, tn_dims sizes, tn_dims strides, int64_t offset,
                                               tn_dims size, tn_dims stride, int64_t storage_offset) {
    view_memory m;
    if (!view_lay_out(&m, grad, sizes, strides, offset, size, stride, storage_offset))
        return tni_gradient_zeros(size, grad);
    return tn_reshape(tn_index_select(m.laid_out, 0, m.part), size);
}

tn_tensor *tni_gradient_as_strided_scatter_self(const tn_tensor *grad, tn_dims sizes, tn_dims strides, int64_t offset,
                                                tn_dims size, tn_dims stride, int64_t storage_offset) {
    view_memory m;
    if (!view_lay_out(&m, grad, sizes, strides, offset, size, stride, storage_offset))
        return tni_gradient_zeros(sizes, grad);
    tn_index_item there = TN_PICK(m.part);
    tn_tensor *zero = tni_gradient_zeros((tn_dims){NULL, 0}, grad);
    return tn_reshape(tn_index_select(tn_index_put(m.laid_out, (tn_index_list){&there, 1}, zero, false), 0, m.own), sizes);
}

tn_tensor *tni_gradient_fill_diagonal(const tn_tensor *grad, bool wrap) {
    return tn_fill_diagonal_(tn_clone(grad, TN_PRESERVE), tn_scalar_int(0), wrap);
}
