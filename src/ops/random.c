/* random.c - see random.h. Invariant: the generator is locked from before the first draw until after the last, no memory is taken in
 * between (a fork waits for the one lock while it holds the other), and what has been drawn does not depend on the number of
 * threads. */
#include "ops/random.h"

#include "base/parallel.h"
#include "dispatch/kernels.h"
#include "ops/copy.h"

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
    tni_convert_function convert = tni_kernel_convert(tni_kernels(), from, piece->dtype);
    if (from == piece->dtype)
        memcpy(out, values, (size_t)count * tni_dtype_size(from));
    else if (convert)
        convert(out, values, (size_t)count);
    else
        (void)tn_dtype_convert(piece->dtype, out, from, values, (size_t)count);
}

bool tni_random_is_real(const tn_tensor *self) {
    tn_dtype dtype = self->dtype;
    if (dtype == TN_FLOAT32 || dtype == TN_FLOAT64 || dtype == TN_FLOAT16 || dtype == TN_BFLOAT16)
        return true;
    tni_raise(TN_ERROR_DTYPE, "real numbers are drawn for float16, bfloat16, float32 and float64, not for self %s",
              tni_show_tensor(self));
    return false;
}

bool tni_random_dtype_is_of(tn_dtype dtype, const tn_tensor *out) {
    if (dtype == TN_DTYPE_DEFAULT || dtype == (tn_dtype)out->dtype)
        return true;
    tni_raise(TN_ERROR_DTYPE, "dtype %s was asked for, and out is %s", tn_dtype_name(dtype), tni_show_tensor(out));
    return false;
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
    if (philox)
        tni_parallel_for(total, TNI_RANDOM_PIECE, random_piece, &work);
    else
        for (int64_t at = 0; at < total; at += TNI_RANDOM_PIECE)
            random_piece(&work, at, tni_min_i64(total, at + TNI_RANDOM_PIECE));
}

/* Whether the elements of `self` lie in memory one after the other from its first on, in the order the engine wants. */
static bool random_lies_in_order(const tn_tensor *self, tn_engine engine) {
    if (tni_tensor_is_contiguous(self))
        return true;
    if (engine == TN_PHILOX || !tni_tensor_is_dense(self))
        return false;
    for (int64_t d = 0; d < self->ndim; d++)
        if (self->strides[d] < 0 && self->sizes[d] > 1)
            return false;
    return true;
}

bool tni_random_is_writable(tn_tensor *self) {
    if (!tni_tensor_overlaps_itself(self))
        return tni_tensor_prepare_write(self);
    tni_raise(TN_ERROR_OVERLAP, "several elements of self %s with strides %s share one place; clone it first",
              tni_show_tensor(self), tni_show_dims(self->strides, self->ndim));
    return false;
}

tn_error tni_random_fill(tn_tensor *self, tn_generator *generator, tni_random_sampler sampler, uint64_t blocks,
                         const void *context) {
    if (!tni_random_is_writable(self))
        return tn_error_code();
    tn_generator *held = tni_generator_hold(generator);
    tn_error code = TN_OK;
    tn_tensor *beside = NULL;
    if (!random_lies_in_order(self, held->engine)) {
        tn_memory_format format = held->engine == TN_PHILOX ? TN_CONTIGUOUS : TN_PRESERVE;
        beside = tni_empty_like_on(self, self->dtype, format, TN_DEVICE_CPU);
        code = beside ? TN_OK : tn_error_code();
    }
    if (code == TN_OK) {
        char *memory = tni_tensor_write(beside ? beside : self);
        (void)tni_generator_lock(held); /* while nothing else is waited for: memory has been taken, and is copied afterwards */
        random_run(memory, self->dtype, self->numel, held, sampler, blocks, context);
        tni_generator_unlock(held);
    }
    if (code == TN_OK && beside)
        code = tni_copy_into(self, beside, "random numbers were drawn in another order than they lie in");
    else if (code == TN_OK)
        tni_storage_bump(self->storage);
    tni_tensor_release(beside);
    tni_generator_drop(held);
    return code;
}
