/* masked.c - masked_select, masked_scatter, and where a mask is true, for x[mask].
 *
 * A mask is read twice: once to count, in chunks, and once to act, when each chunk knows how many are true before it. Both
 * passes run on several threads, and the result depends on neither their number nor the chunks.
 */
#include "ops/masked.h"

#include "base/error.h"
#include "base/parallel.h"
#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/index_engine.h"
#include "ops/result.h"

enum { MASK_CHUNK = 1 << 14, MASK_BLOCK = 256 };

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

static int64_t mask_count_block(const uint8_t *bytes, int64_t count) {
    int64_t total = 0;
    for (int64_t i = 0; i < count;) {
        int64_t stop = tni_min_i64(count, i + 255); /* sums of bytes do not overflow one */
        uint8_t sum = 0;
        for (; i < stop; i++)
            sum = (uint8_t)(sum + (bytes[i] != 0));
        total += sum;
    }
    return total;
}

static void mask_count_chunks(void *arg, int64_t begin, int64_t end) {
    const mask_job *job = arg;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        int64_t first = chunk * MASK_CHUNK;
        job->begins[chunk + 1] = mask_count_block(job->bytes + first, tni_min_i64(MASK_CHUNK, job->size - first));
    }
}

bool tni_mask_begin(tni_mask *mask, const tn_tensor *tensor) {
    *mask = (tni_mask){.chunks = tensor->numel / MASK_CHUNK + (tensor->numel % MASK_CHUNK != 0)};
    mask->tensor = tni_op_contiguous(tensor, TN_CONTIGUOUS);
    int64_t length = mask->chunks + 1;
    mask->begins = mask->tensor ? tni_tensor_new(1, &length, TN_INT64, TN_DEVICE_CPU) : NULL;
    if (!mask->begins) {
        tni_mask_end(mask);
        return false;
    }
    int64_t *begins = (int64_t *)tni_tensor_write(mask->begins);
    mask_job job = {.bytes = (const uint8_t *)tni_tensor_read(mask->tensor), .size = tensor->numel, .begins = begins};
    begins[0] = 0;
    tni_parallel_for(mask->chunks, 4, mask_count_chunks, &job);
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
        *to = 0; /* true, or nothing would be listed */
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

tn_tensor *tni_mask_offsets(const tni_mask *mask, const int64_t *strides) {
    tn_tensor *offsets = tni_tensor_new(1, &mask->count, TN_INT64, TN_DEVICE_CPU);
    if (!offsets || mask->count == 0)
        return offsets;
    mask_job job = mask_job_of(mask);
    job.strides = strides;
    job.target = tni_tensor_write(offsets);
    tni_parallel_for(mask->chunks, 4, mask_list_chunks, &job);
    return offsets;
}

/* ---- selection */

typedef struct mask_bytes16 {
    uint64_t half[2];
} mask_bytes16;

/* Without a branch on the mask: every element is stored, and the next one over it unless it counts. The block beside takes
 * what is stored past the end. */
#define MASK_SELECT(name, type)                                                                                                \
    static int64_t mask_select_##name(char *target, const char *source, const uint8_t *bytes, int64_t count) {                 \
        type block[MASK_BLOCK + 1];                                                                                            \
        int64_t kept = 0;                                                                                                      \
        for (int64_t i = 0; i < count; i++) {                                                                                  \
            memcpy(&block[kept], source + i * (int64_t)sizeof(type), sizeof(type));                                            \
            kept += bytes[i] != 0;                                                                                             \
        }                                                                                                                      \
        memcpy(target, block, (size_t)kept * sizeof(type));                                                                    \
        return kept;                                                                                                           \
    }
MASK_SELECT(1, uint8_t)
MASK_SELECT(2, uint16_t)
MASK_SELECT(4, uint32_t)
MASK_SELECT(8, uint64_t)
MASK_SELECT(16, mask_bytes16)
#undef MASK_SELECT

static void mask_select_chunks(void *arg, int64_t begin, int64_t end) {
    static int64_t (*const select[TNI_ELEMENT_SIZES])(char *, const char *, const uint8_t *, int64_t) = {
        mask_select_1, mask_select_2, mask_select_4, mask_select_8, mask_select_16};
    const mask_job *job = arg;
    const int64_t item = (int64_t)job->item, stop = tni_min_i64(job->size, end * MASK_CHUNK);
    char *target = job->target + job->begins[begin] * item;
    for (int64_t i = begin * MASK_CHUNK; i < stop; i += MASK_BLOCK)
        target += item * select[tni_element_index(job->item)](target, job->source + i * item, job->bytes + i,
                                                              tni_min_i64(MASK_BLOCK, stop - i));
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

/* Both in their common shape, contiguous. False, raised, when they have none. */
static bool masked_broadcast(const tn_tensor *self, const tn_tensor *mask, tn_tensor **wide_self, tn_tensor **wide_mask) {
    int64_t ndim = tni_max_i64(self->ndim, mask->ndim), sizes[TN_MAX_DIMS];
    bool fit = true;
    for (int64_t d = 0; d < ndim; d++) {
        int64_t a = d < ndim - self->ndim ? 1 : self->sizes[d - ndim + self->ndim];
        int64_t b = d < ndim - mask->ndim ? 1 : mask->sizes[d - ndim + mask->ndim];
        fit = fit && (a == b || a == 1 || b == 1);
        sizes[d] = a == 1 ? b : a;
    }
    if (!fit) {
        tni_raise(TN_ERROR_SHAPE, "mask %s and self %s cannot be broadcast together", tni_show_tensor(mask),
                  tni_show_tensor(self));
        return false;
    }
    tn_dims shape = {sizes, ndim};
    tn_tensor *view = tni_op_expand(self, shape);
    *wide_self = view ? tni_op_contiguous(view, TN_CONTIGUOUS) : NULL;
    tni_tensor_release(view);
    view = *wide_self ? tni_op_expand(mask, shape) : NULL;
    *wide_mask = view ? tni_op_contiguous(view, TN_CONTIGUOUS) : NULL;
    tni_tensor_release(view);
    if (*wide_mask)
        return true;
    tni_tensor_release(*wide_self);
    return false;
}

tn_tensor *tni_op_masked_select(const tn_tensor *self, const tn_tensor *mask) {
    tn_tensor *wide_self, *wide_mask, *result = NULL;
    tni_mask counted;
    if (!masked_is_bool(mask) || !masked_broadcast(self, mask, &wide_self, &wide_mask))
        return NULL;
    if (tni_mask_begin(&counted, wide_mask)) {
        result = tni_tensor_new(1, &counted.count, self->dtype, tni_tensor_device(self));
        if (result)
            tni_mask_select(&counted, wide_self, tni_tensor_write(result));
        tni_mask_end(&counted);
    }
    tni_tensor_release(wide_mask);
    tni_tensor_release(wide_self);
    return result;
}

/* How many there are is known only after counting, so an `out` of any size takes them. */
tn_error tni_op_masked_select_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mask) {
    if (out->dtype != self->dtype)
        return tni_raise(TN_ERROR_DTYPE, "out %s must have the dtype of self %s", tni_show_tensor(out), tni_show_tensor(self));
    tn_tensor *made = tni_op_masked_select(self, mask);
    if (!made)
        return tn_error_code();
    if (out->numel && (out->ndim != 1 || out->sizes[0] != made->sizes[0])) {
        tn_error code = tni_tensor_prepare_write(out) ? tni_op_resize_(out, (tn_dims){made->sizes, 1}) : tn_error_code();
        if (code) {
            tni_tensor_release(made);
            return code;
        }
    }
    return tni_result_move(out, made, TNI_RESULT_EXACT);
}

static tn_error masked_scatter_counted(tn_tensor *self, const tni_mask *mask, const tn_tensor *source) {
    if (source->numel < mask->count)
        return tni_raise(TN_ERROR_SHAPE, "source %s has fewer elements than the mask has true ones, %" PRId64,
                         tni_show_tensor(source), mask->count);
    int64_t strides[TN_MAX_DIMS], item = (int64_t)tni_tensor_item_size(self);
    for (int64_t d = 0; d < self->ndim; d++)
        strides[d] = self->strides[d] * item;
    tn_tensor *apart = tni_pick_apart(self, source), *flat = apart ? tni_op_contiguous(apart, TN_CONTIGUOUS) : NULL;
    tn_tensor *offsets = !flat ? NULL : tni_mask_offsets(mask, strides);
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
                         .ready = true};
        (void)tni_pick_run(&pick);
        tni_storage_bump(self->storage);
    }
    tn_error code = offsets ? TN_OK : tn_error_code();
    tni_tensor_release(offsets);
    tni_tensor_release(flat);
    tni_tensor_release(apart);
    return code;
}

tn_error tni_op_masked_scatter_(tn_tensor *self, const tn_tensor *mask, const tn_tensor *source) {
    if (!masked_is_bool(mask) || !tni_pick_writable(self))
        return tn_error_code();
    if (source->dtype != self->dtype)
        return tni_raise(TN_ERROR_DTYPE, "source %s must have the dtype of self %s", tni_show_tensor(source),
                         tni_show_tensor(self));
    tni_mask counted;
    tn_tensor *apart = tni_pick_apart(self, mask);
    tn_tensor *view = apart ? tni_op_expand(apart, (tn_dims){self->sizes, self->ndim}) : NULL;
    tn_error code = view && tni_mask_begin(&counted, view) ? TN_OK : tn_error_code();
    if (code == TN_OK) {
        code = masked_scatter_counted(self, &counted, source);
        tni_mask_end(&counted);
    }
    tni_tensor_release(view);
    tni_tensor_release(apart);
    return code;
}

tn_tensor *tni_op_masked_scatter(const tn_tensor *self, const tn_tensor *mask, const tn_tensor *source) {
    tn_tensor *wide_self, *wide_mask;
    if (!masked_is_bool(mask) || !masked_broadcast(self, mask, &wide_self, &wide_mask))
        return NULL;
    tn_tensor *made = tni_pick_copy(wide_self);
    tn_error code = made ? tni_op_masked_scatter_(made, wide_mask, source) : TN_OK;
    tni_tensor_release(wide_mask);
    tni_tensor_release(wide_self);
    return tni_pick_kept(made, code);
}
