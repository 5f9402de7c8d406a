/* move_repeat.c - the same elements several times: repeat, tile, repeat_interleave.
 *
 * repeat and repeat_interleave by a number are one strided copy: in the result every dimension is two, the copies and the
 * elements, and the source stands still along the copies. repeat_interleave by a tensor copies blocks.
 */
#include "base/error.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/move.h"

tn_tensor *tni_op_repeat(const tn_tensor *self, tn_dims repeats) {
    int64_t lead = repeats.count - self->ndim, sizes[TN_MAX_DIMS];
    if (lead < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "repeats %s must have a number for each dimension of self %s",
                              tni_show_dims(repeats.values, repeats.count), tni_show_tensor(self));
    for (int64_t d = 0; d < repeats.count; d++) {
        if (repeats.values[d] < 0)
            return tni_raise_null(TN_ERROR_ARGUMENT, "repeats %s must not be negative",
                                  tni_show_dims(repeats.values, repeats.count));
        if (!tni_move_size(repeats.values[d], d < lead ? 1 : self->sizes[d - lead], "repeats", &sizes[d]))
            return NULL;
    }
    tn_tensor *result = tni_tensor_new(repeats.count, sizes, self->dtype, TN_DEVICE_CPU);
    if (!result || result->numel == 0)
        return result;
    tni_move move;
    tni_move_begin(&move, result, self);
    for (int64_t d = 0; d < repeats.count; d++) {
        int64_t size = d < lead ? 1 : self->sizes[d - lead], stride = result->strides[d];
        tni_move_dim(&move, repeats.values[d], size * stride, 0);
        tni_move_dim(&move, size, stride, d < lead ? 0 : self->strides[d - lead]);
    }
    tni_move_run(&move);
    return result;
}

tn_tensor *tni_op_tile(const tn_tensor *self, tn_dims dims) {
    if (dims.count >= self->ndim)
        return tni_op_repeat(self, dims);
    int64_t repeats[TN_MAX_DIMS], lead = self->ndim - dims.count;
    for (int64_t d = 0; d < self->ndim; d++)
        repeats[d] = d < lead ? 1 : dims.values[d - lead];
    return tni_op_repeat(self, (tn_dims){repeats, self->ndim});
}

/* ---- repeat_interleave */

/* Without a dim all elements are one dimension, in row-major order; *seen is a new reference. */
static tn_tensor *repeat_see(const tn_tensor *self, int64_t dim, int64_t *wrapped) {
    *wrapped = 0;
    if (dim == TN_NONE)
        return tni_op_reshape(self, (tn_dims){(const int64_t[]){-1}, 1});
    if (!tni_wrap_dim(dim, self->ndim, "dim", wrapped))
        return NULL;
    if (self->ndim == 0)
        return tni_raise_null(TN_ERROR_INDEX, "dim = %" PRId64 ": self has no dimensions", dim);
    return tni_tensor_retain(self);
}

static bool repeat_output_fits(int64_t output_size, int64_t size) {
    if (output_size == TN_NONE || output_size == size)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "output_size = %" PRId64 ", but the repeats add up to %" PRId64, output_size, size);
    return false;
}

static tn_tensor *repeat_new(const tn_tensor *self, int64_t dim, int64_t size) {
    int64_t sizes[TN_MAX_DIMS];
    memcpy(sizes, self->sizes, self->ndim * sizeof *sizes);
    sizes[dim] = size;
    return tni_tensor_new(self->ndim, sizes, self->dtype, TN_DEVICE_CPU);
}

static tn_tensor *repeat_evenly(const tn_tensor *self, int64_t repeats, int64_t dim, int64_t output_size) {
    int64_t size;
    if (!tni_move_size(self->sizes[dim], repeats, "repeats", &size) || !repeat_output_fits(output_size, size))
        return NULL;
    tn_tensor *result = repeat_new(self, dim, size);
    if (!result || result->numel == 0)
        return result;
    tni_move move;
    tni_move_begin(&move, result, self);
    for (int64_t d = 0; d < self->ndim; d++) {
        int64_t stride = result->strides[d];
        tni_move_dim(&move, self->sizes[d], d == dim ? repeats * stride : stride, self->strides[d]);
        if (d == dim)
            tni_move_dim(&move, repeats, stride, 0);
    }
    tni_move_run(&move);
    return result;
}

tn_tensor *tni_op_repeat_interleave(const tn_tensor *self, int64_t repeats, int64_t dim, int64_t output_size) {
    if (repeats < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "repeats = %" PRId64 " must not be negative", repeats);
    int64_t wrapped;
    tn_tensor *seen = repeat_see(self, dim, &wrapped);
    tn_tensor *result = seen ? repeat_evenly(seen, repeats, wrapped, output_size) : NULL;
    tni_tensor_release(seen);
    return result;
}

/* Where each position begins in the result: count + 1 numbers on the heap, the last the total. */
typedef struct repeat_starts {
    int64_t count;
    int64_t *at;
} repeat_starts;

static size_t repeat_starts_bytes(int64_t count) { return ((size_t)count + 1) * sizeof(int64_t); }

static bool repeat_add_up(const tn_tensor *repeats, repeat_starts *starts) {
    bool wide = repeats->dtype == TN_INT64;
    if (!wide && repeats->dtype != TN_INT32) {
        tni_raise(TN_ERROR_DTYPE, "repeats must be int32 or int64, they are %s", tni_show_tensor(repeats));
        return false;
    }
    int64_t count = repeats->numel, stride = repeats->ndim ? repeats->strides[0] : 0;
    *starts = (repeat_starts){count, tni_heap_alloc(repeat_starts_bytes(count))};
    if (!starts->at)
        return false;
    starts->at[0] = 0;
    const char *values = tni_tensor_read(repeats);
    for (int64_t i = 0; i < count; i++) {
        int64_t many =
            wide ? ((const int64_t *)(const void *)values)[i * stride] : ((const int32_t *)(const void *)values)[i * stride];
        if (many >= 0 && !tni_add_overflows(starts->at[i], many, &starts->at[i + 1]))
            continue;
        if (many < 0)
            tni_raise(TN_ERROR_ARGUMENT, "repeats[%" PRId64 "] = %" PRId64 " is negative", i, many);
        else
            tni_raise(TN_ERROR_SHAPE, "the repeats add up to more than 2^63");
        tni_heap_free(starts->at, repeat_starts_bytes(count));
        return false;
    }
    return true;
}

/* source: (outer, count, inner), target: (outer, total, inner), both contiguous; inner in bytes */
typedef struct repeat_blocks {
    char *target;
    const char *source;
    int64_t count, total, inner;
    const int64_t *starts;
} repeat_blocks;

static void repeat_run_blocks(void *argument, int64_t begin, int64_t end) {
    const repeat_blocks *blocks = argument;
    int64_t inner = blocks->inner, outer = begin / blocks->count, i = begin % blocks->count;
    for (int64_t n = begin; n < end; n++) {
        const char *source = blocks->source + n * inner;
        char *target = blocks->target + (outer * blocks->total + blocks->starts[i]) * inner;
        for (int64_t k = blocks->starts[i]; k < blocks->starts[i + 1]; k++, target += inner)
            memcpy(target, source, (size_t)inner);
        if (++i == blocks->count) {
            i = 0;
            outer++;
        }
    }
}

enum { REPEAT_PIECE = 256 << 10 }; /* bytes of the result that are worth handing to another thread */

static tn_tensor *repeat_by_starts(const tn_tensor *self, const repeat_starts *starts, int64_t dim) {
    tn_tensor *result = repeat_new(self, dim, starts->at[starts->count]);
    tn_tensor *source = result ? tni_op_contiguous(self, TN_CONTIGUOUS) : NULL;
    if (!source) {
        tni_tensor_release(result);
        return NULL;
    }
    if (result->numel > 0) {
        int64_t outer = 1, inner = (int64_t)tni_tensor_item_size(self);
        for (int64_t d = 0; d < self->ndim; d++)
            if (d != dim)
                *(d < dim ? &outer : &inner) *= self->sizes[d];
        repeat_blocks blocks = {.target = tni_tensor_write(result),
                                .source = tni_tensor_read(source),
                                .count = starts->count,
                                .total = starts->at[starts->count],
                                .inner = inner,
                                .starts = starts->at};
        int64_t each = tni_max_i64(blocks.total / blocks.count, 1) * inner; /* bytes that one position becomes, on average */
        tni_parallel_for(outer * starts->count, tni_max_i64(REPEAT_PIECE / each, 1), repeat_run_blocks, &blocks);
    }
    tni_tensor_release(source);
    return result;
}

static tn_tensor *repeat_unevenly(const tn_tensor *self, const tn_tensor *repeats, int64_t dim, int64_t output_size) {
    if (repeats->ndim > 1)
        return tni_raise_null(TN_ERROR_SHAPE, "repeats must have at most one dimension, they are %s", tni_show_tensor(repeats));
    bool one = repeats->numel == 1;
    if (!one && repeats->numel != self->sizes[dim])
        return tni_raise_null(TN_ERROR_SHAPE, "repeats %s must be one number, or as many as dimension %" PRId64 " of self %s",
                              tni_show_tensor(repeats), dim, tni_show_tensor(self));
    repeat_starts starts;
    if (!repeat_add_up(repeats, &starts))
        return NULL;
    tn_tensor *result = NULL;
    if (one)
        result = repeat_evenly(self, starts.at[1], dim, output_size);
    else if (repeat_output_fits(output_size, starts.at[starts.count]))
        result = repeat_by_starts(self, &starts, dim);
    tni_heap_free(starts.at, repeat_starts_bytes(starts.count));
    return result;
}

tn_tensor *tni_op_repeat_interleave_tensor(const tn_tensor *self, const tn_tensor *repeats, int64_t dim, int64_t output_size) {
    int64_t wrapped;
    tn_tensor *seen = repeat_see(self, dim, &wrapped);
    tn_tensor *result = seen ? repeat_unevenly(seen, repeats, wrapped, output_size) : NULL;
    tni_tensor_release(seen);
    return result;
}

tn_tensor *tni_op_repeat_interleave_counts(const tn_tensor *repeats, int64_t output_size) {
    if (repeats->ndim != 1)
        return tni_raise_null(TN_ERROR_SHAPE, "repeats must have one dimension, they are %s", tni_show_tensor(repeats));
    tn_tensor *positions = tni_op_arange(tn_scalar_int(repeats->numel), repeats->dtype == TN_INT32 ? TN_INT32 : TN_INT64);
    tn_tensor *result = positions ? repeat_unevenly(positions, repeats, 0, output_size) : NULL;
    tni_tensor_release(positions);
    return result;
}
