/* gradients_join.c - derivatives of operators that take or give several tensors: each gets its part. */
#include "autograd/backward.h"
#include "base/heap.h"
#include "operator_gradients.h"
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
