/* search_nonzero.c - nonzero and argwhere: the places of the elements that are not 0.
 *
 * The elements are cut into chunks that are counted first, so that each knows where its indices go. An element is 0 when all
 * its bits are, except the sign of a float. The indices of one dimension are adjacent, as in PyTorch: the result is a
 * transposed matrix, whose columns index without a copy.
 */
#include "base/error.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_move.h"
#include "operators_search.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/result.h"
#include "ops/limits.h"

typedef struct nonzero_job {
    const char *elements;
    size_t item;
    uint64_t mask; /* of the bits of 8 bytes that count */
    tni_nonzero_function find;
    int64_t ndim;
    const int64_t *sizes;
    int64_t *starts;  /* one for each chunk: how many it has, then where they go */
    int64_t *indices; /* (ndim, total) */
    int64_t total;
} nonzero_job;

/* The bits of an element (or of 8 bytes of it) that are not the sign of a float. */
static uint64_t nonzero_mask(tn_dtype dtype) {
    if (!tn_dtype_is_floating(dtype) && !tn_dtype_is_complex(dtype))
        return UINT64_MAX;
    switch (tni_dtype_size(dtype)) {
    case 1: return 0x7f;
    case 2: return 0x7fff;
    case 4: return 0x7fffffff;
    default: return dtype == TN_COMPLEX64 ? UINT64_C(0x7fffffff7fffffff) : UINT64_MAX >> 1;
    }
}

/* In a build without reductions: by finding them. */
static int64_t nonzero_count_found(const nonzero_job *job, int64_t begin, int64_t end) {
    int64_t block[NONZERO_BLOCK], found = 0;
    for (int64_t i = begin; i < end; i += NONZERO_BLOCK)
        found += job->find(job->elements + (size_t)i * job->item, job->mask, tni_min_i64(NONZERO_BLOCK, end - i), i, block);
    return found;
}

/* The kernels that count take a dtype of the element's size. */
static void nonzero_count(void *arg, int64_t begin, int64_t end) {
    static const uint8_t dtypes[] = {TN_UINT8, TN_UINT16, TN_UINT32, TN_UINT64, TN_COMPLEX128};
    const nonzero_job *job = arg;
    tni_reduce_loop loop =
        tni_kernels()->reduce_run[TNI_REDUCE_NONZERO * TN_DTYPE_COUNT + dtypes[tni_element_index(job->item)]];
    if (!loop) {
        job->starts[begin / NONZERO_CHUNK] = nonzero_count_found(job, begin, end);
        return;
    }
    _Alignas(8) char found[8] = {0};
    tni_reduce_span span = {.data = job->elements + (size_t)begin * job->item, .count = end - begin, .rows = 1, .parts = 1};
    loop(&(tni_reduce_states){.words = found, .capacity = 1}, &span, &job->mask);
    memcpy(&job->starts[begin / NONZERO_CHUNK], found, sizeof found);
}

/* The index, in each dimension, of a position. */
static void nonzero_unravel(const nonzero_job *job, int64_t position, int64_t *index) {
    for (int64_t d = job->ndim; d-- > 0; position /= job->sizes[d])
        index[d] = position % job->sizes[d];
}

static void nonzero_fill(void *arg, int64_t begin, int64_t end) {
    const nonzero_job *job = arg;
    int64_t block[NONZERO_BLOCK], chunk = begin / NONZERO_CHUNK;
    int64_t *to = job->indices + job->starts[chunk], *stop = job->indices + job->starts[chunk + 1];
    int64_t last = job->ndim - 1, size = job->ndim ? job->sizes[last] : 1;
    int64_t row = -1, index[TN_MAX_DIMS]; /* the row that `index` is in, counted along the last dimension */
    for (int64_t i = begin; i < end; i += NONZERO_BLOCK) {
        int64_t many = tni_min_i64(NONZERO_BLOCK, end - i);
        bool there = job->ndim == 1 && stop - to >= many; /* what it overwrites is still its own */
        int64_t *at = there ? to : block;
        int64_t found = job->find(job->elements + (size_t)i * job->item, job->mask, many, i, at);
        if (job->ndim == 1) {
            if (!there)
                memcpy(to, at, (size_t)found * sizeof *to);
            to += found;
            continue;
        }
        for (int64_t k = 0; k < found && job->ndim > 0; k++) {
            int64_t position = at[k];
            if (row < 0 || position - row * size >= size) {
                nonzero_unravel(job, position, index);
                row = position / size;
            }
            for (int64_t d = 0; d < last; d++)
                to[d * job->total] = index[d];
            to[last * job->total] = position - row * size;
            to++;
        }
    }
}

static tn_tensor *nonzero_run(nonzero_job *job, int64_t numel) {
    int64_t chunks = numel / NONZERO_CHUNK + 2, total = 0; /* one more than there are: where the last ends */
    job->starts = tni_heap_calloc((size_t)chunks * sizeof *job->starts);
    if (!job->starts)
        return NULL;
    if (!tni_parallel_for(numel, NONZERO_CHUNK, nonzero_count, job)) {
        tni_heap_free(job->starts, (size_t)chunks * sizeof *job->starts);
        return NULL;
    }
    for (int64_t i = 0; i < chunks; i++) {
        int64_t many = job->starts[i];
        job->starts[i] = total;
        total += many;
    }
    tn_tensor *indices = tni_tensor_new_strided(2, (const int64_t[]){total, job->ndim}, (const int64_t[]){1, total}, 0,
                                                total * job->ndim, TN_INT64, TN_DEVICE_CPU);
    if (indices && indices->numel != 0) {
        job->indices = (int64_t *)(void *)tni_tensor_write(indices);
        job->total = total;
        tni_parallel_for(numel, NONZERO_CHUNK, nonzero_fill, job);
    }
    tni_heap_free(job->starts, (size_t)chunks * sizeof *job->starts);
    return indices;
}

tn_tensor *tni_op_nonzero(const tn_tensor *self) {
    tn_tensor *dense =
        tni_tensor_is_contiguous(self) ? tni_tensor_retain(self) : tni_clone_contiguous(self, "its elements are read in order");
    if (!dense)
        return NULL;
    nonzero_job job = {.elements = tni_tensor_read(dense),
                       .item = tni_tensor_item_size(dense),
                       .mask = nonzero_mask(dense->dtype),
                       .find = tni_kernels()->nonzero[tni_element_index(tni_tensor_item_size(dense))],
                       .ndim = dense->ndim,
                       .sizes = dense->sizes};
    tn_tensor *indices = nonzero_run(&job, dense->numel);
    tni_tensor_release(dense);
    return indices;
}
tn_error tni_op_nonzero_out(tn_tensor *out, const tn_tensor *self) {
    return tni_result_move(out, tni_op_nonzero(self), TNI_RESULT_EXACT);
}

tn_tensor *tni_composite_argwhere(const tn_tensor *self) { return tn_nonzero(self); }

tn_list *tni_composite_nonzero_numpy(const tn_tensor *self) {
    return tn_unbind(tn_nonzero(self->ndim ? self : tn_unsqueeze(self, 0)), 1);
}

tn_tensor *tni_composite_nonzero_static(const tn_tensor *self, int64_t size, int64_t fill_value) {
    if (size < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "size = %lld must not be below 0", (long long)size);
        return NULL;
    }
    tn_tensor *found = tn_nonzero(self);
    if (!found)
        return NULL;
    int64_t count = found->sizes[0];
    return count < size ? tn_constant_pad_nd(found, TN_DIMS(0, 0, 0, size - count), tn_scalar_int(fill_value))
                        : tn_contiguous(tn_narrow(found, 0, 0, size), TN_CONTIGUOUS);
}

tn_tensor *tni_composite_nonzero_static_out(tn_tensor *out, const tn_tensor *self, int64_t size, int64_t fill_value) {
    return tni_result_put(out, tni_composite_nonzero_static(self, size, fill_value), TNI_RESULT_EXACT);
}

/* The place of element `indices` of a tensor of these sizes, dimension by dimension, counted from the last. */
tn_list *tni_composite_unravel_index(const tn_tensor *indices, tn_dims shape) {
    if (tn_dtype_is_floating(indices->dtype) || tn_dtype_is_complex(indices->dtype) || indices->dtype == TN_BOOL) {
        tni_raise(TN_ERROR_DTYPE, "indices is %s, and must be integers", tn_dtype_name(indices->dtype));
        return NULL;
    }
    const tn_tensor *made[TN_MAX_DIMS], *rest = tn_to(indices, TN_INT64);
    for (int64_t k = shape.count; k-- > 0;) {
        if (shape.values[k] < 0) {
            tni_raise(TN_ERROR_SHAPE, "shape has a size of %lld", (long long)shape.values[k]);
            return NULL;
        }
        tn_scalar size = tn_scalar_int(shape.values[k]);
        made[k] = shape.values[k] ? tn_remainder_scalar(rest, size) : tn_zeros_like(rest, TN_DTYPE_DEFAULT, TN_PRESERVE);
        rest = shape.values[k] ? tn_floor_divide_scalar(rest, size) : rest;
        if (!made[k] || !rest)
            return NULL;
    }
    return tn_list_new(made, shape.count);
}
