/* random.c - see random.h. Invariant: the generator is locked from before the first draw until after the last, no memory is
 * taken in between (a fork waits for the one lock while it holds the other), and what has been drawn does not depend on the
 * number of threads. */
#include "ops/random/random.h"

#include "base/cancel.h"
#include "base/parallel.h"
#include "kernels/blocks.h"
#include "ops/copy/copy.h"

/* ---- numbers for a piece */

uint64_t tni_random_blocks_32(int64_t count) { return ((uint64_t)count + 63) / 64 * 16; }
uint64_t tni_random_blocks_64(int64_t count) { return ((uint64_t)count + 31) / 32 * 16; }
uint64_t tni_random_blocks_each(int64_t count) { return ((uint64_t)count + 15) / 16 * 16; }

static bool random_is_philox(const tni_random_piece *piece) { return piece->generator->engine == TN_PHILOX; }

void tni_random_words(const tni_random_piece *piece, int64_t at, int64_t count, uint32_t *out) {
    if (!random_is_philox(piece)) {
        tni_generator_words(piece->generator, out, count);
        return;
    }
    uint64_t block = piece->offset + (uint64_t)(piece->first + at) / 64 * 16;
    tni_kernels()->philox[0](out, piece->generator->seed, block, piece->generator->philox.stream, (count + 63) / 64);
}

void tni_random_floats(const tni_random_piece *piece, int64_t at, int64_t count, float *out) {
    uint32_t words[TNI_RANDOM_BLOCK];
    tni_random_words(piece, at, count, words);
    tni_kernels()->unit_float[0](out, words, count);
}

void tni_random_doubles(const tni_random_piece *piece, int64_t at, int64_t count, double *out) {
    uint32_t words[2 * TNI_RANDOM_BLOCK];
    const tni_kernel_table *kernels = tni_kernels();
    if (!random_is_philox(piece)) {
        tni_generator_words(piece->generator, words, 2 * count);
        kernels->unit_double[0](out, words, words + 1, 2, count);
        return;
    }
    uint64_t block = piece->offset + (uint64_t)(piece->first + at) / 32 * 16;
    int64_t groups = (count + 31) / 32;
    kernels->philox[0](words, piece->generator->seed, block, piece->generator->philox.stream, groups);
    for (int64_t i = 0; i < groups; i++)
        for (int64_t half = 0; half < 2; half++)
            kernels->unit_double[0](out + 32 * i + 16 * half, words + 64 * i + 32 * half, words + 64 * i + 32 * half + 16, 1,
                                    16);
}

void tni_random_sources(const tni_random_piece *piece, int64_t at, tni_source sources[TNI_RANDOM_SOURCES]) {
    if (!random_is_philox(piece)) {
        for (int i = 0; at == 0 && i < TNI_RANDOM_SOURCES; i++)
            sources[i] = tni_source_in_order(piece->generator);
        return;
    }
    uint64_t offset = piece->offset + (uint64_t)(piece->first + at);
    uint32_t words[64]; /* the first block of each, computed together */
    tni_kernels()->philox[0](words, piece->generator->seed, offset, piece->generator->philox.stream, 1);
    for (int i = 0; i < TNI_RANDOM_SOURCES; i++) {
        sources[i] = tni_source_at(piece->generator, offset + (uint64_t)i);
        for (int w = 0; w < 4; w++)
            sources[i].words[w] = words[16 * w + i];
        sources[i].used = 0;
        sources[i].draw = 1;
    }
}

void tni_random_store(const tni_random_piece *piece, int64_t at, tn_dtype from, const void *values, int64_t count) {
    float through[TNI_RANDOM_BLOCK];
    bool narrow = piece->dtype == TN_FLOAT16 || piece->dtype == TN_BFLOAT16;
    if (narrow && (from == TN_FLOAT64 || from == TN_INT64)) { /* rounded twice, as PyTorch does */
        for (int64_t i = 0; i < count; i++)
            through[i] = from == TN_FLOAT64 ? (float)((const double *)values)[i] : (float)((const int64_t *)values)[i];
        from = TN_FLOAT32;
        values = through;
    }
    char *out = piece->out + at * (int64_t)tni_dtype_size(piece->dtype);
    tni_block_convert(piece->dtype, out, from, values, count);
}

bool tni_random_is_real(const tn_tensor *tensor, const char *argument) {
    if (tni_random_takes(tensor->dtype))
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s is %s; real numbers are drawn with float16, bfloat16, float32 and float64", argument,
              tni_show_tensor(tensor));
    return false;
}

/* ---- plans */

bool tni_random_has_room(const tn_tensor *self) {
    if (!tni_tensor_overlaps_itself(self))
        return true;
    tni_raise(TN_ERROR_OVERLAP, "several elements of self %s with strides %s share one place; clone it first",
              tni_show_tensor(self), tni_show_dims(self->strides, self->ndim));
    return false;
}

bool tni_random_plan_like(tni_plan *plan, const tn_tensor *self, tn_dtype dtype, tn_memory_format format) {
    tni_plan_begin(plan, self);
    return tni_plan_add_as(plan, self, dtype == TN_DTYPE_DEFAULT ? (tn_dtype)self->dtype : dtype, format);
}

const char *tni_random_show(const tni_plan *plan) {
    return plan->out ? tni_show_tensor(plan->out) : tn_dtype_name(plan->result[0].dtype);
}

bool tni_random_takes_real(const tni_plan *plan) {
    tn_dtype dtype = plan->result[0].dtype;
    if (TNI_LIKELY(tni_random_takes(dtype) || tn_dtype_is_complex(dtype)))
        return true;
    tni_raise(TN_ERROR_DTYPE, "real numbers are drawn for float16, bfloat16, float32 and float64, not for %s",
              tni_random_show(plan));
    return false;
}

bool tni_random_expands(const tn_tensor *parameter, const char *name, tn_dims sizes) {
    tn_geometry wide;
    if (parameter->ndim == sizes.count &&
        memcmp(parameter->sizes, sizes.values, (size_t)sizes.count * sizeof *sizes.values) == 0)
        return true;
    tn_geometry_result found = tn_geometry_expand(tni_tensor_geometry(parameter), sizes, &wide);
    if (found != TN_GEOMETRY_OK)
        tni_raise(tn_geometry_result_error(found), "%s %s does not expand to sizes %s: %s", name, tni_show_tensor(parameter),
                  tni_show_dims(sizes.values, sizes.count), tn_geometry_result_text(found));
    return found == TN_GEOMETRY_OK;
}

/* ---- a whole tensor */

typedef struct random_work {
    tni_random_piece whole;
    tni_random_sampler sampler;
} random_work;

static void random_piece(void *arg, int64_t begin, int64_t end) {
    const random_work *work = arg;
    tni_random_piece piece = work->whole;
    piece.first = begin;
    piece.count = end - begin;
    piece.out += begin * (int64_t)tni_dtype_size(piece.dtype);
    work->sampler(&piece);
}

static void random_run(char *memory, tn_dtype dtype, int64_t total, tn_generator *generator, tni_random_sampler sampler,
                       uint64_t blocks, const void *context) {
    bool philox = generator->engine == TN_PHILOX;
    random_work work = {.whole = {.generator = generator,
                                  .offset = philox ? tni_generator_take(generator, blocks) : 0,
                                  .total = total,
                                  .dtype = dtype,
                                  .out = memory,
                                  .context = context},
                        .sampler = sampler};
    if (total <= TNI_RANDOM_PIECE && tni_cancel_poll() == TN_OK) {
        work.whole.count = total;
        sampler(&work.whole);
    } else if (philox)
        tni_parallel_for(total, TNI_RANDOM_PIECE, random_piece, &work);
    else
        for (int64_t at = 0; at < total && tni_cancel_poll() == TN_OK; at += TNI_RANDOM_PIECE)
            random_piece(&work, at, tni_min_i64(total, at + TNI_RANDOM_PIECE));
}

/* Whether the elements of `self`, which is not contiguous, are in memory one after the other from its first on, in the order
 * that the engine wants. */
static bool random_lies_in_order(const tn_tensor *self, tn_engine engine) {
    if (engine == TN_PHILOX || !tni_tensor_is_dense(self))
        return false;
    for (int64_t d = 0; d < self->ndim; d++)
        if (self->strides[d] < 0 && self->sizes[d] > 1)
            return false;
    return true;
}

bool tni_random_is_writable(tn_tensor *self) { return tni_random_has_room(self) && tni_tensor_prepare_write(self); }

tn_error tni_random_fill(tn_tensor *self, tn_generator *generator, tni_random_sampler sampler, uint64_t blocks,
                         const void *context) {
    tn_error code = TN_OK;
    tn_tensor *beside = NULL;
    if (TNI_LIKELY(tni_tensor_is_contiguous(self))) { /* in any engine's order */
        char *memory = tni_tensor_write(self);
        tn_generator *locked = tni_generator_lock(generator);
        random_run(memory, self->dtype, self->numel, locked, sampler, blocks, context);
        tni_generator_unlock(locked);
        tni_tensor_bump(self);
        return TN_OK;
    }
    tn_generator *held = tni_generator_hold(generator);
    if (!random_lies_in_order(self, held->engine)) {
        tn_memory_format format = held->engine == TN_PHILOX ? TN_CONTIGUOUS : TN_PRESERVE;
        beside = tni_empty_like_on(self, self->dtype, format, TN_DEVICE_CPU);
        code = beside ? TN_OK : tni_failed();
    }
    if (code == TN_OK) {
        char *memory = tni_tensor_write(beside ? beside : self);
        (void)tni_generator_lock(held); /* without waiting for anything else: memory has been taken, and is copied afterwards */
        random_run(memory, self->dtype, self->numel, held, sampler, blocks, context);
        tni_generator_unlock(held);
    }
    if (code == TN_OK && beside)
        code = tni_copy_into(self, beside, "random numbers were drawn in an order other than that in memory");
    else if (code == TN_OK)
        tni_tensor_bump(self);
    tni_tensor_release(beside);
    tni_generator_drop(held);
    return code;
}

void tni_random_draw(char *memory, int64_t total, tn_generator *generator, tni_random_sampler sampler, uint64_t blocks,
                     const void *context) {
    tn_generator *locked = tni_generator_lock(generator);
    random_run(memory, TN_UINT8, total, locked, sampler, blocks, context);
    tni_generator_unlock(locked);
}
