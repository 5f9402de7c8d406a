/* gradients_join.c - derivatives of operators that take or give several tensors: each gets its part. */
#include "autograd/backward.h"
#include "base/heap.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_join.h"
#include "operators_move.h"
#include "operators_reduce.h"
#include "operators_view.h"

/* A vector without elements fits between tensors of any rank, and has no part in the gradient. */
static bool join_is_nothing(tn_dims sizes) { return sizes.count == 1 && sizes.values[0] == 0; }

tn_list *tni_gradient_cat(const tn_tensor *grad, const tn_dims *sizes, int64_t count, int64_t dim) {
    size_t bytes = (size_t)count * sizeof(tn_tensor *);
    const tn_tensor **parts = tni_heap_calloc(bytes);
    int64_t d = dim < 0 ? dim + grad->ndim : dim, start = 0;
    bool done = parts != NULL;
    for (int64_t i = 0; done && i < count; i++) {
        bool nothing = join_is_nothing(sizes[i]);
        int64_t length = nothing ? 0 : sizes[i].values[d];
        parts[i] = nothing ? tni_gradient_zeros(sizes[i], grad) : tn_narrow(grad, d, start, length);
        done = parts[i] != NULL;
        start += length;
    }
    tn_list *list = done ? tn_list_new(parts, count) : NULL;
    tni_heap_free((void *)parts, bytes);
    return list;
}

tn_tensor *tni_gradient_hsplit(const tn_tensor *const *grads, int64_t count, int64_t ndim) {
    return tn_cat(grads, count, ndim > 1);
}

/* Pieces between positions, which may count from the end, lie beyond it, or go backwards: then pieces overlap, or leave some out. */
tn_tensor *tni_gradient_split_at(const tn_tensor *const *grads, int64_t count, tn_dims sizes, tn_dims indices, int64_t dim) {
    int64_t d = dim < 0 ? dim + sizes.count : dim, before = 0;
    bool ordered = true;
    for (int64_t i = 0; i < indices.count; i++) {
        int64_t at = indices.values[i] < 0 ? indices.values[i] + sizes.values[d] : indices.values[i];
        ordered = ordered && at >= before;
        before = at;
    }
    if (ordered)
        return tn_cat(grads, count, d);
    tn_tensor *sum = tni_gradient_zeros(sizes, grads[0]);
    for (int64_t i = 0; sum && i < count; i++)
        sum = tn_add(sum, tni_gradient_slice(grads[i], sizes, d, i ? indices.values[i - 1] : 0,
                                             i + 1 < count ? indices.values[i] : TN_NONE, 1));
    return sum;
}

tn_tensor *tni_gradient_hsplit_at(const tn_tensor *const *grads, int64_t count, tn_dims sizes, tn_dims indices) {
    return tni_gradient_split_at(grads, count, sizes, indices, sizes.count > 1);
}

tn_tensor *tni_gradient_split_at_tensor(const tn_tensor *const *grads, int64_t count, tn_dims sizes, const tn_tensor *cuts,
                                        int64_t dim) {
    if (cuts->ndim == 0)
        return tn_cat(grads, count, dim);
    tn_tensor *near = tn_contiguous(tn_to_device(cuts, TN_DEVICE_CPU), TN_CONTIGUOUS);
    return near ? tni_gradient_split_at(grads, count, sizes, (tn_dims){tn_data(near), near->numel}, dim) : NULL;
}

/* Each vector was spread over all dimensions but its own: "xy" exchanges the first two. */
tn_list *tni_gradient_meshgrid(const tn_tensor *const *grads, int64_t count, const tn_dims *sizes, int64_t size_count,
                               const char *indexing) {
    size_t bytes = (size_t)count * sizeof(tn_tensor *);
    const tn_tensor **parts = tni_heap_calloc(bytes);
    bool swap = strcmp(indexing, "xy") == 0 && count > 1, done = parts != NULL;
    (void)size_count;
    for (int64_t i = 0; done && i < count; i++) {
        int64_t own = swap && i < 2 ? 1 - i : i, others[TN_MAX_DIMS], other_count = 0;
        for (int64_t d = 0; d < count; d++)
            if (d != own)
                others[other_count++] = d;
        const tn_tensor *sum =
            other_count ? tn_sum_dim(grads[i], (tn_dims){others, other_count}, false, TN_DTYPE_DEFAULT) : grads[i];
        parts[i] = tn_reshape(sum, sizes[i]);
        done = parts[i] != NULL;
    }
    tn_list *list = done ? tn_list_new(parts, count) : NULL;
    tni_heap_free((void *)parts, bytes);
    return list;
}

/* Pads that are negative cut off what the others added. */
tn_tensor *tni_gradient_constant_pad_nd(const tn_tensor *grad, tn_dims pad) {
    int64_t cut[2 * TN_MAX_DIMS];
    for (int64_t i = 0; i < pad.count; i++)
        cut[i] = -pad.values[i];
    return tn_constant_pad_nd(grad, ((tn_dims){cut, pad.count}), tn_scalar_int(0));
}

/* Zeros behind a gradient of which only the first elements of each dimension took part. */
tn_tensor *tni_gradient_pad_to(const tn_tensor *grad, tn_dims sizes) {
    int64_t pad[2 * TN_MAX_DIMS];
    bool same = true;
    for (int64_t d = 0; grad && d < sizes.count; d++) {
        int64_t *at = pad + 2 * (sizes.count - 1 - d);
        at[0] = 0;
        at[1] = sizes.values[d] - grad->sizes[d];
        same = same && at[1] == 0;
    }
    return same ? (tn_tensor *)(uintptr_t)grad : tn_constant_pad_nd(grad, ((tn_dims){pad, 2 * sizes.count}), tn_scalar_int(0));
}

/* Each element was copied once for each repetition in each dimension: dimensions of (repeats, size), summed over the first of each. */
tn_tensor *tni_gradient_repeat(const tn_tensor *grad, tn_dims sizes, tn_dims repeats) {
    int64_t split[2 * TN_MAX_DIMS], over[TN_MAX_DIMS], count = 0, lead = repeats.count - sizes.count, ndim = 0;
    for (int64_t d = 0; d < repeats.count; d++) {
        if (repeats.values[d] == 0)
            return tni_gradient_zeros(sizes, grad);
        if (d < lead || repeats.values[d] > 1) {
            over[count++] = ndim;
            split[ndim++] = repeats.values[d];
        }
        if (d >= lead)
            split[ndim++] = sizes.values[d - lead];
    }
    tn_tensor *apart = tn_reshape(grad, (tn_dims){split, ndim});
    return count ? tn_reshape(tn_sum_dim(apart, (tn_dims){over, count}, false, TN_DTYPE_DEFAULT), sizes) : apart;
}

tn_tensor *tni_gradient_roll(const tn_tensor *grad, tn_dims shifts, tn_dims dims) {
    int64_t back[TN_MAX_DIMS];
    for (int64_t i = 0; i < shifts.count; i++)
        back[i] = -shifts.values[i];
    return tn_roll(grad, (tn_dims){back, shifts.count}, dims);
}

/* Tensors along the diagonal of a matrix; a vector is a row, a number both. */
tn_list *tni_gradient_block_diag(const tn_tensor *grad, const tn_dims *sizes, int64_t count) {
    size_t bytes = (size_t)count * sizeof(tn_tensor *);
    const tn_tensor **parts = tni_heap_calloc(bytes);
    int64_t row = 0, column = 0;
    bool done = parts != NULL || count == 0;
    for (int64_t i = 0; done && i < count; i++) {
        int64_t ndim = sizes[i].count, rows = ndim == 2 ? sizes[i].values[0] : 1,
                columns = ndim ? sizes[i].values[ndim - 1] : 1;
        parts[i] = tn_reshape(tn_narrow(tn_narrow(grad, 0, row, rows), 1, column, columns), sizes[i]);
        done = parts[i] != NULL;
        row += rows;
        column += columns;
    }
    tn_list *list = done ? tn_list_new(parts, count) : NULL;
    tni_heap_free((void *)parts, bytes);
    return list;
}

/* Column i of the result has each element of vector i once for each choice from the others. */
tn_list *tni_gradient_cartesian_prod(const tn_tensor *grad, const tn_dims *sizes, int64_t count) {
    size_t bytes = (size_t)count * sizeof(tn_tensor *);
    const tn_tensor **parts = tni_heap_calloc(bytes);
    int64_t before = 1, all = grad->ndim ? grad->sizes[0] : 1;
    bool done = parts != NULL;
    for (int64_t i = 0; done && i < count; i++) {
        int64_t own = sizes[i].count ? sizes[i].values[0] : 1, each = before * own, after = each > 0 ? all / each : 0;
        tn_tensor *column = count == 1 ? (tn_tensor *)(uintptr_t)grad : tn_select(grad, 1, i);
        tn_tensor *apart = tn_reshape(column, (tn_dims){(int64_t[]){before, own, after}, 3});
        parts[i] = all ? tn_reshape(tn_sum_dim(apart, (tn_dims){(int64_t[]){0, 2}, 2}, false, TN_DTYPE_DEFAULT), sizes[i])
                       : tni_gradient_zeros(sizes[i], grad);
        done = parts[i] != NULL;
        before *= own;
    }
    tn_list *list = done ? tn_list_new(parts, count) : NULL;
    tni_heap_free((void *)parts, bytes);
    return list;
}

/* The same choices of places. */
tn_tensor *tni_gradient_combinations(const tn_tensor *grad, tn_dims sizes, int64_t r, bool with_replacement) {
    tn_tensor *places = tn_combinations(tni_places(sizes.values[0], grad), r, with_replacement);
    return tni_place_sums(grad, places, sizes.values[0]);
}

/* Without dim the elements are one line. */
tn_tensor *tni_gradient_repeat_interleave(const tn_tensor *grad, tn_dims sizes, int64_t repeats, int64_t dim) {
    int64_t apart[TN_MAX_DIMS + 1], over = 1, ndim = 0;
    if (repeats == 0)
        return tni_gradient_zeros(sizes, grad);
    if (dim == TN_NONE) {
        apart[0] = grad->numel / repeats;
        apart[1] = repeats;
        ndim = 2;
    } else {
        int64_t d = dim < 0 ? dim + sizes.count : dim;
        for (int64_t i = 0; i < sizes.count; i++) {
            apart[ndim++] = sizes.values[i];
            if (i == d)
                apart[ndim++] = repeats;
        }
        over = d + 1;
    }
    tn_tensor *sums = tn_sum_dim(tn_reshape(grad, (tn_dims){apart, ndim}), (tn_dims){&over, 1}, false, TN_DTYPE_DEFAULT);
    return tn_reshape(sums, sizes);
}

tn_tensor *tni_gradient_repeat_interleave_each(const tn_tensor *grad, tn_dims sizes, const tn_tensor *repeats, int64_t dim) {
    int64_t numel = 1, d = dim == TN_NONE || sizes.count == 0 ? 0 : dim < 0 ? dim + sizes.count : dim;
    for (int64_t i = 0; i < sizes.count; i++)
        numel *= sizes.values[i];
    bool whole = dim == TN_NONE || sizes.count == 0;
    int64_t size = whole ? numel : sizes.values[d];
    tn_tensor *counts = tn_expand(tn_reshape(repeats, (tn_dims){(int64_t[]){-1}, 1}), (tn_dims){&size, 1});
    tn_tensor *places = tn_repeat_interleave_counts(counts, TN_NONE);
    if (whole)
        return tn_reshape(tni_place_sums(grad, places, numel), sizes);
    return tn_index_add(tni_gradient_zeros(sizes, grad), d, places, grad, tn_scalar_int(1));
}

/* Each dimension was filled up by itself: what was read more than once is added up, dimension by dimension. */
tn_tensor *tni_gradient_pad(const tn_tensor *grad, tn_dims sizes, tn_dims pad, const char *mode) {
    if (strcmp(mode, "constant") == 0)
        return tni_gradient_constant_pad_nd(grad, pad);
    tn_tensor *made = (tn_tensor *)(uintptr_t)grad;
    for (int64_t i = 0; made && 2 * i + 1 < pad.count; i++) {
        int64_t d = sizes.count - 1 - i, now[TN_MAX_DIMS];
        if (pad.values[2 * i] == 0 && pad.values[2 * i + 1] == 0)
            continue;
        tn_tensor *line = tn_unsqueeze(tni_places(sizes.values[d], grad), 0);
        tn_tensor *places = tn_pad(line, ((tn_dims){&pad.values[2 * i], 2}), mode, tn_scalar_none());
        for (int64_t k = 0; k < made->ndim; k++)
            now[k] = k == d ? sizes.values[d] : made->sizes[k];
        made = tn_index_add(tni_gradient_zeros((tn_dims){now, made->ndim}, grad), d, tn_squeeze_dim(places, 0), made,
                            tn_scalar_int(1));
    }
    return made;
}

/* Column k is x^k: k x^(k-1) of the gradient. */
tn_tensor *tni_gradient_vander(const tn_tensor *grad, const tn_tensor *x, bool increasing) {
    int64_t count = grad->sizes[grad->ndim - 1], last = grad->ndim - 1;
    if (count < 2 || grad->numel == 0)
        return tni_gradient_zeros(tni_sizes_of(x), grad);
    const tn_tensor *columns = increasing ? grad : tn_flip(grad, (tn_dims){&last, 1});
    tn_tensor *factors = tn_add_scalar(tni_places(count - 1, grad), tn_scalar_int(1));
    tn_tensor *powers = tn_mul(tn_narrow(tn_linalg_vander(x, count), last, 0, count - 1), factors);
    tn_tensor *each = tn_mul(tn_narrow(columns, last, 1, count - 1), tni_conj_of(powers));
    return tn_sum_dim(each, (tn_dims){&last, 1}, false, TN_DTYPE_DEFAULT);
}
