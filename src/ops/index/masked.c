/* masked.c - masked_select, masked_scatter, and where a mask is true, for x[mask].
 *
 * A mask is read twice: once to count, in chunks, and once to act, when it is known how many are true before each chunk. Both
 * passes run on several threads, and the result depends on neither their number nor the chunks.
 */
#include "ops/index/masked.h"

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "operators_copy.h"
#include "operators_index.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/index/index_advanced.h"
#include "ops/index/index_engine.h"
#include "ops/plan.h"
#include "ops/limits.h"

/* ---- counting */

typedef struct mask_job {
    const uint8_t *bytes;
    int64_t size;
    int64_t *begins;
    /* the second pass */
    const tn_tensor *mask;
    const int64_t *strides; /* of each dimension: where offsets are wanted */
    char *target;
    const char *source;
    size_t item;
} mask_job;

static void mask_count_chunks(void *arg, int64_t begin, int64_t end) {
    const mask_job *job = arg;
    tni_mask_count_function count = tni_kernels()->mask_count[0];
    for (int64_t chunk = begin; chunk < end; chunk++) {
        int64_t first = chunk * MASK_CHUNK;
        job->begins[chunk + 1] = count(job->bytes + first, tni_min_i64(MASK_CHUNK, job->size - first));
    }
}

bool tni_mask_begin(tni_mask *mask, const tn_tensor *tensor) {
    *mask = (tni_mask){.chunks = tensor->numel / MASK_CHUNK + (tensor->numel % MASK_CHUNK != 0)};
    tn_tensor *here = tni_moved(tensor, TN_DEVICE_CPU, "what a mask picks depends on its elements");
    mask->tensor = here ? tni_op_contiguous(here, TN_CONTIGUOUS) : NULL;
    tni_tensor_release(here);
    int64_t length = mask->chunks + 1;
    mask->begins = mask->tensor ? tni_tensor_new(1, &length, TN_INT64, TN_DEVICE_CPU) : NULL;
    if (!mask->begins) {
        tni_mask_end(mask);
        return false;
    }
    int64_t *begins = (int64_t *)tni_tensor_write(mask->begins);
    mask_job job = {.bytes = (const uint8_t *)tni_tensor_read(mask->tensor), .size = tensor->numel, .begins = begins};
    begins[0] = 0;
    if (!tni_parallel_for(mask->chunks, 4, mask_count_chunks, &job)) {
        tni_mask_end(mask);
        return false;
    }
    for (int64_t chunk = 0; chunk < mask->chunks; chunk++)
        begins[chunk + 1] += begins[chunk];
    mask->count = begins[mask->chunks];
    return true;
}

void tni_mask_end(tni_mask *mask) {
    tni_tensor_release(mask->begins);
    tni_tensor_release(mask->tensor);
}

static mask_job mask_job_of(const tni_mask *mask) {
    return (mask_job){.bytes = (const uint8_t *)tni_tensor_read(mask->tensor),
                      .size = mask->tensor->numel,
                      .begins = (int64_t *)tni_tensor_write(mask->begins),
                      .mask = mask->tensor};
}

/* ---- offsets */

/* One chunk. The position is kept as an index, and its offset with it. */
static void mask_list_chunk(const mask_job *job, int64_t first, int64_t *to) {
    int64_t at[TN_MAX_DIMS], offset = 0, rest = first, last = job->mask->ndim - 1;
    if (last < 0) {
        *to = 0; /* true: otherwise nothing would be listed */
        return;
    }
    for (int64_t d = last; d >= 0; d--) {
        at[d] = rest % job->mask->sizes[d];
        rest /= job->mask->sizes[d];
        offset += at[d] * job->strides[d];
    }
    int64_t stop = tni_min_i64(job->size, first + MASK_CHUNK), stride = job->strides[last];
    for (int64_t i = first; i < stop;) {
        int64_t run = tni_min_i64(stop - i, job->mask->sizes[last] - at[last]);
        for (int64_t k = 0; k < run; k++)
            if (job->bytes[i + k])
                *to++ = offset + k * stride;
        i += run;
        offset -= at[last] * stride;
        at[last] = 0;
        for (int64_t d = last - 1; d >= 0; d--) {
            offset += job->strides[d];
            if (++at[d] < job->mask->sizes[d])
                break;
            offset -= at[d] * job->strides[d];
            at[d] = 0;
        }
    }
}

static void mask_list_chunks(void *arg, int64_t begin, int64_t end) {
    const mask_job *job = arg;
    for (int64_t chunk = begin; chunk < end; chunk++)
        if (job->begins[chunk] < job->begins[chunk + 1])
            mask_list_chunk(job, chunk * MASK_CHUNK, (int64_t *)(void *)job->target + job->begins[chunk]);
}

static tn_tensor *mask_offsets(const tni_mask *mask, const int64_t *strides) {
    tn_tensor *offsets = tni_tensor_new(1, &mask->count, TN_INT64, TN_DEVICE_CPU);
    if (!offsets || mask->count == 0)
        return offsets;
    mask_job job = mask_job_of(mask);
    job.strides = strides;
    job.target = tni_tensor_write(offsets);
    if (!tni_parallel_for(mask->chunks, 4, mask_list_chunks, &job)) {
        tni_tensor_release(offsets);
        return NULL;
    }
    return offsets;
}

tn_tensor *tni_mask_offsets(const tni_mask *mask, const int64_t *strides, tn_device device) {
    tn_tensor *offsets = mask_offsets(mask, strides);
    if (TNI_LIKELY(device.type == TN_CPU) || !offsets)
        return offsets;
    tn_tensor *there = tni_moved(offsets, device, "positions are used on the device of self");
    tni_tensor_release(offsets);
    return there;
}

/* ---- selection */

static void mask_select_chunks(void *arg, int64_t begin, int64_t end) {
    const mask_job *job = arg;
    tni_mask_select_function select = tni_kernels()->mask_select[tni_element_index(job->item)];
    const int64_t item = (int64_t)job->item, stop = tni_min_i64(job->size, end * MASK_CHUNK);
    char *target = job->target + job->begins[begin] * item;
    for (int64_t i = begin * MASK_CHUNK; i < stop; i += TNI_MASK_BLOCK)
        target += item * select(target, job->source + i * item, job->bytes + i, tni_min_i64(TNI_MASK_BLOCK, stop - i));
}

void tni_mask_select(const tni_mask *mask, const tn_tensor *self, char *target) {
    mask_job job = mask_job_of(mask);
    job.target = target;
    job.source = tni_tensor_read(self);
    job.item = tni_tensor_item_size(self);
    if (mask->count)
        tni_parallel_for(mask->chunks, 4, mask_select_chunks, &job);
}

/* ---- the operators */

static bool masked_is_bool(const tn_tensor *mask) {
    if (mask->dtype == TN_BOOL)
        return true;
    tni_raise(TN_ERROR_DTYPE, "mask must be bool, it is %s", tni_show_tensor(mask));
    return false;
}

/* The common shape. False, raised, when there is none. */
static bool masked_shape(const tn_tensor *self, const tn_tensor *mask, int64_t *sizes, tn_dims *shape) {
    int64_t ndim = tni_max_i64(self->ndim, mask->ndim);
    bool fit = true;
    for (int64_t d = 0; d < ndim; d++) {
        int64_t a = d < ndim - self->ndim ? 1 : self->sizes[d - ndim + self->ndim];
        int64_t b = d < ndim - mask->ndim ? 1 : mask->sizes[d - ndim + mask->ndim];
        fit = fit && (a == b || a == 1 || b == 1);
        sizes[d] = a == 1 ? b : a;
    }
    if (!fit)
        tni_raise(TN_ERROR_SHAPE, "mask %s and self %s cannot be broadcast together", tni_show_tensor(mask),
                  tni_show_tensor(self));
    *shape = (tn_dims){sizes, ndim};
    return fit;
}

/* In this shape, contiguous. */
static tn_tensor *masked_wide(const tn_tensor *tensor, tn_dims shape) {
    tn_tensor *view = tni_op_expand(tensor, shape);
    tn_tensor *wide = view ? tni_op_contiguous(view, TN_CONTIGUOUS) : NULL;
    tni_tensor_release(view);
    return wide;
}

/* On a device: what an index with the mask picks. */
static tn_tensor *masked_select_elsewhere(const tn_tensor *self, const tn_tensor *mask, tn_dims shape) {
    tn_tensor *wide_self = tni_op_expand(self, shape), *wide_mask = wide_self ? tni_op_expand(mask, shape) : NULL;
    tn_index_item item = TN_PICK(wide_mask);
    tn_tensor *result = wide_mask ? tni_index_advanced(wide_self, (tn_index_list){&item, 1}) : NULL;
    tni_tensor_release(wide_mask);
    tni_tensor_release(wide_self);
    return result;
}

tn_tensor *tni_op_masked_select(const tn_tensor *self, const tn_tensor *mask) {
    int64_t sizes[TN_MAX_DIMS];
    tn_dims shape;
    tni_mask counted;
    if (!masked_is_bool(mask) || !masked_shape(self, mask, sizes, &shape))
        return NULL;
    if (TNI_UNLIKELY(tni_tensor_device(self).type != TN_CPU))
        return masked_select_elsewhere(self, mask, shape);
    tn_tensor *wide_self = masked_wide(self, shape), *wide_mask = wide_self ? masked_wide(mask, shape) : NULL, *result = NULL;
    if (wide_mask && tni_mask_begin(&counted, wide_mask)) {
        result = tni_tensor_new(1, &counted.count, self->dtype, tni_tensor_device(self));
        if (result)
            tni_mask_select(&counted, wide_self, tni_tensor_write(result));
        tni_mask_end(&counted);
    }
    tni_tensor_release(wide_mask);
    tni_tensor_release(wide_self);
    return result;
}

tn_error tni_op_masked_select_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mask) {
    if (out->dtype != self->dtype)
        return tni_raise(TN_ERROR_DTYPE, "out %s must have the dtype of self %s", tni_show_tensor(out), tni_show_tensor(self));
    return tni_result_move(out, tni_op_masked_select(self, mask), TNI_RESULT_EXACT);
}

static tn_error masked_scatter_counted(tn_tensor *self, const tni_mask *mask, const tn_tensor *source) {
    if (source->numel < mask->count)
        return tni_raise(TN_ERROR_SHAPE, "source %s has fewer elements than the mask has true ones, %" PRId64,
                         tni_show_tensor(source), mask->count);
    int64_t strides[TN_MAX_DIMS], item = (int64_t)tni_tensor_item_size(self);
    for (int64_t d = 0; d < self->ndim; d++)
        strides[d] = tni_tensor_step(self, d);
    tn_tensor *apart = tni_pick_apart(self, source), *flat = apart ? tni_op_contiguous(apart, TN_CONTIGUOUS) : NULL;
    tn_tensor *offsets = !flat ? NULL : tni_mask_offsets(mask, strides, tni_tensor_device(self));
    tn_error code = offsets ? TN_OK : tni_failed();
    if (offsets && mask->count) {
        tni_pick pick = {.mode = TNI_PICK_WRITE,
                         .dtype = self->dtype,
                         .ndim = 1,
                         .sizes = {mask->count},
                         .picked = tni_tensor_write(self),
                         .other = (char *)(uintptr_t)tni_tensor_read(flat),
                         .other_strides = {item},
                         .index = tni_tensor_read(offsets),
                         .index_strides = {sizeof(int64_t)},
                         .index_dtype = TN_INT64,
                         .ready = true,
                         .device = tni_tensor_device(self)};
        code = tni_pick_run(&pick);
        tni_tensor_bump(self);
    }
    tni_tensor_release(offsets);
    tni_tensor_release(flat);
    tni_tensor_release(apart);
    return code;
}

/* In place the mask is broadcast to self; else both to the shape they have in common. */
bool tni_plan_masked_scatter(tni_plan *plan, const tn_tensor *self, const tn_tensor *mask, const tn_tensor *source) {
    int64_t sizes[TN_MAX_DIMS];
    tn_dims shape;
    if (!masked_is_bool(mask))
        return false;
    if (source->dtype != self->dtype) {
        tni_raise(TN_ERROR_DTYPE, "source %s must have the dtype of self %s", tni_show_tensor(source), tni_show_tensor(self));
        return false;
    }
    if (!masked_shape(self, mask, sizes, &shape))
        return false;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, shape.count, shape.values, self->dtype);
    plan->changes = self;
    plan->broadcasts = true;
    return true;
}

tn_error tni_run_masked_scatter(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *mask,
                                const tn_tensor *source) {
    tni_mask counted;
    tn_tensor *changed = results[0], *apart = tni_pick_apart(changed, mask);
    (void)plan, (void)self;
    tn_tensor *view = apart ? tni_op_expand(apart, (tn_dims){changed->sizes, changed->ndim}) : NULL;
    tn_error code = view && tni_mask_begin(&counted, view) ? TN_OK : tni_failed();
    if (code == TN_OK) {
        code = masked_scatter_counted(changed, &counted, source);
        tni_mask_end(&counted);
    }
    tni_tensor_release(view);
    tni_tensor_release(apart);
    return code;
}
