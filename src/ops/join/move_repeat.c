/* move_repeat.c - the same elements several times: repeat, tile, repeat_interleave.
 *
 * repeat and repeat_interleave by a number are one strided copy: in the result every dimension is two, the copies and the
 * elements, and the source has stride 0 along the copies. repeat_interleave by a tensor copies blocks.
 */
#include "base/error.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "operators_copy.h"
#include "operators_move.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/create/fill.h"
#include "ops/join/move.h"
#include "ops/limits.h"

bool tni_plan_repeat(tni_plan *plan, const tn_tensor *self, tn_dims repeats) {
    int64_t lead = repeats.count - self->ndim, sizes[TN_MAX_DIMS];
    tni_plan_begin(plan, self);
    if (lead < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "repeats %s must have a number for each dimension of self %s",
                  tni_show_dims(repeats.values, repeats.count), tni_show_tensor(self));
        return false;
    }
    for (int64_t d = 0; d < repeats.count; d++) {
        if (repeats.values[d] < 0) {
            tni_raise(TN_ERROR_ARGUMENT, "repeats %s must not be negative", tni_show_dims(repeats.values, repeats.count));
            return false;
        }
        if (!tni_move_size(repeats.values[d], d < lead ? 1 : self->sizes[d - lead], "repeats", &sizes[d]))
            return false;
    }
    tni_plan_add(plan, repeats.count, sizes, self->dtype);
    return true;
}

tn_error tni_run_repeat(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims repeats) {
    tn_tensor *result = results[0];
    int64_t lead = repeats.count - self->ndim;
    (void)plan;
    if (result->numel == 0)
        return TN_OK;
    tni_move move;
    tni_move_begin(&move, result, self);
    for (int64_t d = 0; d < repeats.count; d++) {
        int64_t size = d < lead ? 1 : self->sizes[d - lead], stride = result->strides[d];
        tni_move_dim(&move, repeats.values[d], size * stride, 0);
        tni_move_dim(&move, size, stride, d < lead ? 0 : self->strides[d - lead]);
    }
    return tni_move_run(&move);
}

tn_tensor *tni_composite_tile(const tn_tensor *self, tn_dims dims) {
    int64_t repeats[TN_MAX_DIMS], lead = self->ndim - dims.count;
    for (int64_t d = 0; d < dims.count; d++)
        if (dims.values[d] < 0)
            return tni_raise_null(TN_ERROR_ARGUMENT, "dims %s must not be negative", tni_show_dims(dims.values, dims.count));
    for (int64_t d = 0; d < self->ndim && lead > 0; d++)
        repeats[d] = d < lead ? 1 : dims.values[d - lead];
    return tn_repeat(self, lead > 0 ? (tn_dims){repeats, self->ndim} : dims);
}

/* ---- repeat_interleave */

/* Along which dimension, and how many positions it has. Without a dim all elements are one dimension, in row-major order. */
static bool repeat_find_dim(const tn_tensor *self, int64_t dim, int64_t *wrapped, int64_t *positions) {
    *wrapped = 0;
    *positions = self->numel;
    if (dim == TN_NONE)
        return true;
    if (!tni_wrap_dim(dim, self->ndim, "dim", wrapped))
        return false;
    if (self->ndim == 0)
        tni_raise(TN_ERROR_INDEX, "dim = %" PRId64 ": self has no dimensions", dim);
    else
        *positions = self->sizes[*wrapped];
    return self->ndim != 0;
}

/* self, or a row of all its elements: a new reference. */
static tn_tensor *repeat_see(const tn_tensor *self, int64_t dim) {
    return dim == TN_NONE ? tni_op_reshape(self, (tn_dims){(const int64_t[]){-1}, 1}) : tni_tensor_retain(self);
}

static bool repeat_output_fits(int64_t output_size, int64_t size) {
    if (output_size == TN_NONE || output_size == size)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "output_size = %" PRId64 ", but the repeats add up to %" PRId64, output_size, size);
    return false;
}

static bool repeat_plan(tni_plan *plan, const tn_tensor *self, int64_t dim, int64_t wrapped, int64_t size) {
    tni_plan_begin(plan, self);
    plan->number[0] = wrapped;
    tni_plan_add(plan, dim == TN_NONE ? 1 : self->ndim, dim == TN_NONE ? &size : self->sizes, self->dtype);
    plan->result[0].sizes[wrapped] = size;
    return true;
}

static tn_error repeat_evenly(tn_tensor *result, const tn_tensor *self, int64_t repeats, int64_t dim) {
    if (result->numel == 0)
        return TN_OK;
    tni_move move;
    tni_move_begin(&move, result, self);
    for (int64_t d = 0; d < self->ndim; d++) {
        int64_t stride = result->strides[d];
        tni_move_dim(&move, self->sizes[d], d == dim ? repeats * stride : stride, self->strides[d]);
        if (d == dim)
            tni_move_dim(&move, repeats, stride, 0);
    }
    return tni_move_run(&move);
}

bool tni_plan_repeat_interleave(tni_plan *plan, const tn_tensor *self, int64_t repeats, int64_t dim, int64_t output_size) {
    int64_t wrapped, positions, size;
    if (repeats < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "repeats = %" PRId64 " must not be negative", repeats);
        return false;
    }
    return repeat_find_dim(self, dim, &wrapped, &positions) && tni_move_size(positions, repeats, "repeats", &size) &&
           repeat_output_fits(output_size, size) && repeat_plan(plan, self, dim, wrapped, size);
}

tn_error tni_run_repeat_interleave(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t repeats,
                                   int64_t dim, int64_t output_size) {
    (void)output_size;
    tn_tensor *seen = repeat_see(self, dim);
    tn_error code = seen ? repeat_evenly(results[0], seen, repeats, plan->number[0]) : tni_failed();
    tni_tensor_release(seen);
    return code;
}

/* ---- by a tensor */

/* repeats[i], which is int32 or int64. */
static int64_t repeat_count(const tn_tensor *repeats, int64_t i) {
    const void *values = tni_tensor_read(repeats);
    int64_t at = repeats->ndim ? i * repeats->strides[0] : 0;
    return repeats->dtype == TN_INT64 ? ((const int64_t *)values)[at] : ((const int32_t *)values)[at];
}

/* How many elements `repeats`, a vector or a number, makes in all. */
static bool repeat_sum(const tn_tensor *repeats, int64_t *total) {
    *total = 0;
    TNI_IN_STEPS (begin, end, repeats->numel)
        for (int64_t i = begin; i < end; i++) {
            int64_t many = repeat_count(repeats, i);
            if (many >= 0 && !tni_add_overflows(*total, many, total))
                continue;
            if (many < 0)
                tni_raise(TN_ERROR_ARGUMENT, "repeats[%" PRId64 "] = %" PRId64 " is negative", i, many);
            else
                tni_raise(TN_ERROR_SHAPE, "the repeats add up to more than 2^63");
            return false;
        }
    return !tni_stopped();
}

/* The same for all `positions`. On the meta device only output_size can say. */
static bool repeat_add_up(const tn_tensor *repeats, int64_t positions, int64_t output_size, int64_t *total) {
    if (repeats->dtype != TN_INT64 && repeats->dtype != TN_INT32) {
        tni_raise(TN_ERROR_DTYPE, "repeats must be int32 or int64, they are %s", tni_show_tensor(repeats));
        return false;
    }
    if (tni_tensor_device(repeats).type != TN_META)
        return repeat_sum(repeats, total) && (repeats->numel != 1 || tni_move_size(positions, *total, "repeats", total)) &&
               repeat_output_fits(output_size, *total);
    *total = output_size;
    if (output_size != TN_NONE && output_size >= 0)
        return true;
    tni_raise(TN_ERROR_DEVICE, "repeats is on the meta device, where it has no elements to add up; give output_size");
    return false;
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
        TNI_IN_STEPS_OF (tni_max_i64(TNI_STEP / inner, 1), first, last, blocks->starts[i + 1] - blocks->starts[i])
            for (int64_t k = first; k < last; k++, target += inner)
                memcpy(target, source, (size_t)inner);
        if (++i == blocks->count) {
            i = 0;
            outer++;
        }
    }
}

/* Where each position begins in the result: one number more than there are positions, the last the total. */
static size_t repeat_starts_bytes(const tn_tensor *repeats) { return ((size_t)repeats->numel + 1) * sizeof(int64_t); }

static int64_t *repeat_starts(const tn_tensor *repeats) {
    int64_t *starts = tni_heap_alloc(repeat_starts_bytes(repeats));
    if (!starts)
        return NULL;
    starts[0] = 0;
    TNI_IN_STEPS (begin, end, repeats->numel)
        for (int64_t i = begin; i < end; i++)
            starts[i + 1] = starts[i] + repeat_count(repeats, i);
    if (!tni_stopped())
        return starts;
    tni_heap_free(starts, repeat_starts_bytes(repeats));
    return NULL;
}

static tn_error repeat_unevenly(tn_tensor *result, const tn_tensor *self, const tn_tensor *repeats, int64_t dim) {
    if (result->numel == 0)
        return TN_OK;
    tn_tensor *source = tni_op_contiguous(self, TN_CONTIGUOUS);
    int64_t *starts = source ? repeat_starts(repeats) : NULL;
    if (starts) {
        int64_t outer = 1, inner = (int64_t)tni_tensor_item_size(self);
        for (int64_t d = 0; d < self->ndim; d++)
            if (d != dim)
                *(d < dim ? &outer : &inner) *= self->sizes[d];
        repeat_blocks blocks = {.target = tni_tensor_write(result),
                                .source = tni_tensor_read(source),
                                .count = repeats->numel,
                                .total = starts[repeats->numel],
                                .inner = inner,
                                .starts = starts};
        int64_t each = tni_max_i64(blocks.total / blocks.count, 1) * inner; /* bytes that one position becomes, on average */
        tni_parallel_for(outer * blocks.count, tni_max_i64(REPEAT_PIECE / each, 1), repeat_run_blocks, &blocks);
    }
    tn_error code = starts ? TN_OK : tni_failed();
    if (starts)
        tni_heap_free(starts, repeat_starts_bytes(repeats));
    tni_tensor_release(source);
    return code;
}

bool tni_plan_repeat_interleave_tensor(tni_plan *plan, const tn_tensor *self, const tn_tensor *repeats, int64_t dim,
                                       int64_t output_size) {
    int64_t wrapped, positions, total;
    if (!repeat_find_dim(self, dim, &wrapped, &positions))
        return false;
    if (repeats->ndim > 1) {
        tni_raise(TN_ERROR_SHAPE, "repeats must have at most one dimension, they are %s", tni_show_tensor(repeats));
        return false;
    }
    if (repeats->numel != 1 && repeats->numel != positions) {
        tni_raise(TN_ERROR_SHAPE, "repeats %s must be one number, or as many as dimension %" PRId64 " of self %s",
                  tni_show_tensor(repeats), wrapped, tni_show_tensor(self));
        return false;
    }
    return repeat_add_up(repeats, positions, output_size, &total) && repeat_plan(plan, self, dim, wrapped, total);
}

tn_error tni_run_repeat_interleave_tensor(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self,
                                          const tn_tensor *repeats, int64_t dim, int64_t output_size) {
    (void)output_size;
    tn_tensor *seen = repeat_see(self, dim);
    tn_error code = !seen                 ? tni_failed()
                    : repeats->numel == 1 ? repeat_evenly(results[0], seen, repeat_count(repeats, 0), plan->number[0])
                                          : repeat_unevenly(results[0], seen, repeats, plan->number[0]);
    tni_tensor_release(seen);
    return code;
}

bool tni_plan_repeat_interleave_counts(tni_plan *plan, const tn_tensor *repeats, int64_t output_size) {
    int64_t total;
    if (repeats->ndim != 1) {
        tni_raise(TN_ERROR_SHAPE, "repeats must have one dimension, they are %s", tni_show_tensor(repeats));
        return false;
    }
    if (!repeat_add_up(repeats, 1, output_size, &total))
        return false;
    tni_plan_begin(plan, repeats);
    tni_plan_add(plan, 1, &total, repeats->dtype);
    return true;
}

/* Each position as often as it says. */
tn_error tni_run_repeat_interleave_counts(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *repeats,
                                          int64_t output_size) {
    (void)plan, (void)output_size;
    size_t item = tni_tensor_item_size(repeats);
    char *target = tni_tensor_write(results[0]);
    int64_t at = 0, done = 0; /* since the last question whether to go on */
    for (int64_t i = 0; i < repeats->numel; i++) {
        _Alignas(16) char position[16];
        int64_t many = repeat_count(repeats, i);
        if (done >= TNI_STEP) {
            done = 0;
            if (!tni_goes_on())
                break;
        }
        tn_dtype_store(repeats->dtype, position, tn_scalar_int(i));
        TNI_IN_STEPS (begin, end, many)
            tni_fill_contiguous(target + (size_t)(at + begin) * item, position, item, end - begin);
        at += many;
        done += many + 1;
    }
    return TN_OK;
}
