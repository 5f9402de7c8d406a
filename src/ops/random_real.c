/* random_real.c - real numbers: uniform, normal, and what is computed from one uniform number for each element.
 *
 * With MT19937 every formula, the number of bits it takes and even the size and layout at which the normal numbers change
 * their method are PyTorch's, so that its numbers come out. Philox has no such past: pairs of normal numbers lie in one block.
 */
#include <math.h>

#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/random.h"
#include "ops/result.h"

#define RANDOM_TURN 6.28318530717958647692 /* 2 pi */

typedef struct random_two {
    double a, b;
} random_two;

static const random_two *random_two_of(const tni_random_piece *piece) { return piece->context; }

/* Elements of a float32 piece, where they can be computed in place. */
static float *random_floats_at(const tni_random_piece *piece, int64_t at) { return (float *)(void *)piece->out + at; }

/* ---- uniform */

/* A number rounded up to the end of the range, which does not belong to it, becomes the beginning. */
static void random_store_below(const tni_random_piece *piece, int64_t at, float *values, int64_t count, random_two range) {
    uint16_t narrow[TNI_RANDOM_BLOCK], from, to;
    float from_wide = (float)range.a, to_wide = (float)range.b;
    (void)tn_dtype_convert(piece->dtype, narrow, TN_FLOAT32, values, (size_t)count);
    (void)tn_dtype_convert(piece->dtype, &from, TN_FLOAT32, &from_wide, 1);
    (void)tn_dtype_convert(piece->dtype, &to, TN_FLOAT32, &to_wide, 1);
    for (int64_t i = 0; i < count; i++)
        if (narrow[i] == to)
            narrow[i] = from;
    tni_random_store(piece, at, piece->dtype, narrow, count);
}

static void random_uniform_float(const tni_random_piece *piece, random_two range) {
    float from = (float)range.a, to = (float)range.b, width = to - from;
    bool unit = from == 0 && to == 1;
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_BLOCK) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_BLOCK);
        float room[TNI_RANDOM_BLOCK], *values = piece->dtype == TN_FLOAT32 ? random_floats_at(piece, at) : room;
        tni_random_floats(piece, at, many, values);
        if (!unit)
            tni_kernels()->scale_float[0](values, width, from, many);
        for (int64_t i = 0; !unit && i < many; i++)
            values[i] = values[i] == to ? from : values[i];
        if (values == room)
            random_store_below(piece, at, values, many, range);
    }
}

static void random_uniform_double(const tni_random_piece *piece, random_two range) {
    double width = range.b - range.a;
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_BLOCK) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_BLOCK);
        double values[TNI_RANDOM_BLOCK];
        tni_random_doubles(piece, at, many, values);
        tni_kernels()->scale_double[0](values, width, range.a, many);
        for (int64_t i = 0; i < many; i++)
            values[i] = values[i] == range.b ? range.a : values[i];
        tni_random_store(piece, at, TN_FLOAT64, values, many);
    }
}

static void random_uniform(const tni_random_piece *piece) {
    if (piece->dtype == TN_FLOAT64)
        random_uniform_double(piece, *random_two_of(piece));
    else
        random_uniform_float(piece, *random_two_of(piece));
}

static double random_largest(tn_dtype dtype) {
    return dtype == TN_FLOAT16    ? 65504.0
           : dtype == TN_BFLOAT16 ? 3.3895313892515355e38
           : dtype == TN_FLOAT32  ? 3.40282346638528859812e38
                                  : 1.79769313486231570815e308;
}

static uint64_t random_blocks_of(const tn_tensor *self) {
    return self->dtype == TN_FLOAT64 ? tni_random_blocks_64(self->numel) : tni_random_blocks_32(self->numel);
}

tn_error tni_op_uniform_(tn_tensor *self, double from, double to, tn_generator *generator) {
    if (tn_dtype_is_complex(self->dtype)) { /* each part for itself */
        tn_tensor *parts = tni_op_view_as_real(self);
        tn_error code = parts ? tni_op_uniform_(parts, from, to, generator) : tn_error_code();
        tni_tensor_release(parts);
        return code;
    }
    if (!tni_random_is_real(self))
        return tn_error_code();
    double largest = random_largest(self->dtype);
    if (!(from >= -largest && to <= largest))
        return tni_raise(TN_ERROR_ARGUMENT, "from %g and to %g must be numbers that %s holds", from, to,
                         tn_dtype_name(self->dtype));
    if (!(from <= to) || to - from > largest)
        return tni_raise(TN_ERROR_ARGUMENT, "from %g is above to %g, or further below it than %s can say", from, to,
                         tn_dtype_name(self->dtype));
    return tni_random_fill(self, generator, random_uniform, random_blocks_of(self), &(random_two){from, to});
}

/* ---- normal */

static void random_polar_double(double *distances, double *turns, int64_t pairs, random_two normal) {
    for (int64_t i = 0; i < pairs; i++) {
        double radius = sqrt(-2.0 * log(1.0 - distances[i])), angle = RANDOM_TURN * turns[i];
        distances[i] = fma(radius * cos(angle), normal.b, normal.a);
        turns[i] = fma(radius * sin(angle), normal.b, normal.a);
    }
}

/* Numbers in groups of 2 * half become normal ones: the first half of a group are distances, the second angles. In float32
 * through the library's own loops. */
static void random_normal_floats(float *values, int64_t count, int64_t half, random_two normal) {
    const tni_kernel_table *kernels = tni_kernels();
    float logs[TNI_RANDOM_BLOCK / 2], turns[TNI_RANDOM_BLOCK / 2], sines[TNI_RANDOM_BLOCK / 2], cosines[TNI_RANDOM_BLOCK / 2];
    int64_t pairs = count / 2;
    kernels->polar_begin[0](values, half, pairs, logs, turns);
    kernels->pointwise[TNI_KERNEL_log * TN_DTYPE_COUNT + TN_FLOAT32]((void *[]){logs, logs}, pairs, NULL);
    kernels->pointwise[TNI_KERNEL_sin * TN_DTYPE_COUNT + TN_FLOAT32]((void *[]){sines, turns}, pairs, NULL);
    kernels->pointwise[TNI_KERNEL_cos * TN_DTYPE_COUNT + TN_FLOAT32]((void *[]){cosines, turns}, pairs, NULL);
    kernels->polar_end[0](values, half, pairs, logs, sines, cosines);
    if (normal.a != 0 || normal.b != 1)
        kernels->scale_float[0](values, (float)normal.b, (float)normal.a, count);
}

static void random_normal_doubles(double *values, int64_t count, int64_t half, random_two normal) {
    for (int64_t i = 0; i < count; i += 2 * half)
        random_polar_double(values + i, values + i + half, half, normal);
}

/* Philox: each block of four words gives its normal numbers, so groups of 16 blocks hold distances and angles in turn. */
static void random_normal_philox(const tni_random_piece *piece) {
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_BLOCK) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_BLOCK), whole = (many + 63) / 64 * 64;
        if (piece->dtype == TN_FLOAT64) {
            double values[TNI_RANDOM_BLOCK];
            tni_random_doubles(piece, at, whole, values);
            random_normal_doubles(values, whole, 16, *random_two_of(piece));
            tni_random_store(piece, at, TN_FLOAT64, values, many);
        } else {
            uint32_t words[TNI_RANDOM_BLOCK];
            float room[TNI_RANDOM_BLOCK],
                *values = piece->dtype == TN_FLOAT32 && many == whole ? random_floats_at(piece, at) : room;
            random_two normal = *random_two_of(piece);
            tni_random_words(piece, at, whole, words);
            tni_kernels()->normal_float[0](values, words, whole / 64);
            if (normal.a != 0 || normal.b != 1)
                tni_kernels()->scale_float[0](values, (float)normal.b, (float)normal.a, many);
            if (values == room)
                tni_random_store(piece, at, TN_FLOAT32, values, many);
        }
    }
}

/* Pairs of distances and angles are 32 blocks of float64 numbers: no other call may have a part of them. */
static uint64_t random_blocks_normal(uint64_t blocks) { return (blocks + 31) / 32 * 32; }

/* MT19937, sixteen elements or more without gaps. float32 and float64 take all their uniform numbers first, the narrow floats
 * only whole sixteens; then, where the last sixteen are not whole, sixteen more are drawn for the last sixteen elements. */
static void random_normal_sixteens(const tni_random_piece *piece) {
    random_two normal = *random_two_of(piece);
    bool narrow = piece->dtype == TN_FLOAT16 || piece->dtype == TN_BFLOAT16;
    bool last = piece->first + piece->count == piece->total;
    int64_t whole = piece->count / 16 * 16, drawn = narrow ? whole : piece->count;
    for (int64_t at = 0; at < drawn; at += TNI_RANDOM_BLOCK) {
        int64_t many = tni_min_i64(drawn - at, TNI_RANDOM_BLOCK);
        if (piece->dtype == TN_FLOAT64) {
            double values[TNI_RANDOM_BLOCK];
            tni_random_doubles(piece, at, many, values);
            random_normal_doubles(values, many / 16 * 16, 8, normal);
            tni_random_store(piece, at, TN_FLOAT64, values, many);
        } else {
            float values[TNI_RANDOM_BLOCK];
            tni_random_floats(piece, at, many, values);
            random_normal_floats(values, many / 16 * 16, 8, normal);
            tni_random_store(piece, at, TN_FLOAT32, values, many);
        }
    }
    if (!last || piece->count == whole)
        return;
    int64_t at = piece->count - 16; /* may lie before this piece, never before the tensor */
    if (piece->dtype == TN_FLOAT64) {
        double values[16];
        tni_random_doubles(piece, at, 16, values);
        random_normal_doubles(values, 16, 8, normal);
        tni_random_store(piece, at, TN_FLOAT64, values, 16);
    } else {
        float values[16];
        tni_random_floats(piece, at, 16, values);
        random_normal_floats(values, 16, 8, normal);
        tni_random_store(piece, at, TN_FLOAT32, values, 16);
    }
}

/* MT19937, few or with gaps. `finish` is what becomes of each. */
static void random_normal_in_order(const tni_random_piece *piece, double (*finish)(double)) {
    random_two normal = *random_two_of(piece);
    tni_source source = tni_source_in_order(piece->generator);
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_BLOCK) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_BLOCK);
        double values[TNI_RANDOM_BLOCK];
        for (int64_t i = 0; i < many; i++) {
            double value = fma(tni_source_normal(&source), normal.b, normal.a);
            values[i] = finish ? finish(value) : value;
        }
        tni_random_store(piece, at, TN_FLOAT64, values, many);
    }
}

static void random_normal_singly(const tni_random_piece *piece) { random_normal_in_order(piece, NULL); }

/* Complex numbers are two real ones, each with the mean and half the variance. */
static tn_error random_normal_complex(tn_tensor *self, double mean, double std, tn_generator *generator) {
    tn_tensor *parts = tni_op_view_as_real(self);
    tn_error code = parts ? tni_op_normal_(parts, mean, std / sqrt(2.0), generator) : tn_error_code();
    tni_tensor_release(parts);
    return code;
}

tn_error tni_op_normal_(tn_tensor *self, double mean, double std, tn_generator *generator) {
    if (!(std >= 0))
        return tni_raise(TN_ERROR_ARGUMENT, "std is %g; a standard deviation is not negative", std);
    if (tn_dtype_is_complex(self->dtype))
        return random_normal_complex(self, mean, std, generator);
    if (!tni_random_is_real(self))
        return tn_error_code();
    tn_generator *held = tni_generator_hold(generator);
    tni_random_sampler sampler = held->engine == TN_PHILOX                             ? random_normal_philox
                                 : self->numel >= 16 && tni_tensor_is_contiguous(self) ? random_normal_sixteens
                                                                                       : random_normal_singly;
    tn_error code =
        tni_random_fill(self, held, sampler, random_blocks_normal(random_blocks_of(self)), &(random_two){mean, std});
    tni_generator_drop(held);
    return code;
}

/* ---- from one uniform double for each element */

typedef double (*random_formula)(double u, random_two parameters);

typedef struct random_recipe {
    random_formula formula;
    random_two parameters;
} random_recipe;

static void random_by_formula(const tni_random_piece *piece) {
    const random_recipe *recipe = piece->context;
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_BLOCK) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_BLOCK);
        double values[TNI_RANDOM_BLOCK];
        tni_random_doubles(piece, at, many, values);
        for (int64_t i = 0; i < many; i++)
            values[i] = recipe->formula(values[i], recipe->parameters);
        tni_random_store(piece, at, TN_FLOAT64, values, many);
    }
}

static tn_error random_fill_by_formula(tn_tensor *self, tn_generator *generator, random_formula formula, double a, double b) {
    random_recipe recipe = {formula, {a, b}};
    return tni_random_fill(self, generator, random_by_formula, tni_random_blocks_64(self->numel), &recipe);
}

static double random_exponential(double u, random_two rate) { return -1.0 / rate.a * log1p(-u); }
static double random_cauchy(double u, random_two shape) { return fma(shape.b, tan(RANDOM_TURN / 2 * (u - 0.5)), shape.a); }
static double random_geometric(double u, random_two log_miss) { return ceil(log(u) / log_miss.a); }

tn_error tni_op_exponential_(tn_tensor *self, double lambd, tn_generator *generator) {
    if (!tni_random_is_real(self))
        return tn_error_code();
    if (!(lambd > 0))
        return tni_raise(TN_ERROR_ARGUMENT, "lambd is %g; a rate is above 0", lambd);
    return random_fill_by_formula(self, generator, random_exponential, lambd, 0);
}

tn_error tni_op_cauchy_(tn_tensor *self, double median, double sigma, tn_generator *generator) {
    if (!tni_random_is_real(self))
        return tn_error_code();
    if (!(sigma > 0))
        return tni_raise(TN_ERROR_ARGUMENT, "sigma is %g; a width is above 0", sigma);
    return random_fill_by_formula(self, generator, random_cauchy, median, sigma);
}

tn_error tni_op_geometric_(tn_tensor *self, double p, tn_generator *generator) {
    if (self->dtype == TN_BOOL || tn_dtype_is_complex(self->dtype))
        return tni_raise(TN_ERROR_DTYPE, "numbers of trials are drawn for integers and floats, not for self %s",
                         tni_show_tensor(self));
    if (!(p > 0 && p < 1))
        return tni_raise(TN_ERROR_ARGUMENT, "p is %g; a chance that decides something lies between 0 and 1", p);
    return random_fill_by_formula(self, generator, random_geometric, log1p(-p), 0);
}

static void random_log_normal_singly(const tni_random_piece *piece) { random_normal_in_order(piece, exp); }

static void random_log_normal_philox(const tni_random_piece *piece) {
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_BLOCK) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_BLOCK), whole = (many + 63) / 64 * 64;
        double values[TNI_RANDOM_BLOCK];
        tni_random_doubles(piece, at, whole, values);
        random_normal_doubles(values, whole, 16, *random_two_of(piece));
        for (int64_t i = 0; i < many; i++)
            values[i] = exp(values[i]);
        tni_random_store(piece, at, TN_FLOAT64, values, many);
    }
}

tn_error tni_op_log_normal_(tn_tensor *self, double mean, double std, tn_generator *generator) {
    if (!tni_random_is_real(self))
        return tn_error_code();
    if (!(std > 0))
        return tni_raise(TN_ERROR_ARGUMENT, "std is %g; a standard deviation is above 0", std);
    tn_generator *held = tni_generator_hold(generator);
    tn_error code = tni_random_fill(self, held, held->engine == TN_PHILOX ? random_log_normal_philox : random_log_normal_singly,
                                    random_blocks_normal(tni_random_blocks_64(self->numel)), &(random_two){mean, std});
    tni_generator_drop(held);
    return code;
}

/* ---- new tensors */

typedef tn_error (*random_in_place)(tn_tensor *self, double a, double b, tn_generator *generator);

/* Fills `made` and passes it on, or releases it when that fails. */
static tn_tensor *random_finish(tn_tensor *made, random_in_place fill, double a, double b, tn_generator *generator) {
    if (made && fill(made, a, b, generator) == TN_OK)
        return made;
    tni_tensor_release(made);
    return NULL;
}

static tn_error random_finish_out(tn_tensor *out, tn_dims size, tn_dtype dtype, random_in_place fill, tn_generator *generator) {
    tni_result result;
    if (!tni_random_dtype_is_of(dtype, out) || !tni_result_begin(&result, out, size, out->dtype, TNI_RESULT_EXACT, NULL, 0))
        return tn_error_code();
    return tni_result_end(&result, fill(out, 0, 1, generator));
}

tn_tensor *tni_op_rand(tn_dims size, tn_dtype dtype, tn_generator *generator) {
    return random_finish(tni_op_empty(size, dtype), tni_op_uniform_, 0, 1, generator);
}

tn_error tni_op_rand_out(tn_tensor *out, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    return random_finish_out(out, size, dtype, tni_op_uniform_, generator);
}

tn_tensor *tni_op_randn(tn_dims size, tn_dtype dtype, tn_generator *generator) {
    return random_finish(tni_op_empty(size, dtype), tni_op_normal_, 0, 1, generator);
}

tn_error tni_op_randn_out(tn_tensor *out, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    return random_finish_out(out, size, dtype, tni_op_normal_, generator);
}

tn_tensor *tni_op_rand_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_generator *generator) {
    return random_finish(tni_op_empty_like(self, dtype, format), tni_op_uniform_, 0, 1, generator);
}

tn_tensor *tni_op_randn_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_generator *generator) {
    return random_finish(tni_op_empty_like(self, dtype, format), tni_op_normal_, 0, 1, generator);
}

/* ---- normal numbers around tensors: standard ones, scaled and moved */

static tn_tensor *random_scale(tn_tensor *made, const tn_tensor *mean, const tn_tensor *std) {
    if (made && ((std && tni_op_mul_(made, std) != TN_OK) || (mean && tni_op_add_(made, mean) != TN_OK))) {
        tni_tensor_release(made);
        return NULL;
    }
    return made;
}

/* Beside a mean, which decides the dtype, they may be whole numbers. */
static bool random_deviations_are_good(const tn_tensor *std, bool whole) {
    if (!(whole && std->dtype != TN_BOOL && tn_dtype_is_integral(std->dtype)) && !tni_random_is_real(std))
        return false;
    tn_dtype dtype = std->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    bool direct = std->dtype == dtype && tni_tensor_is_contiguous(std);
    tn_tensor *copy =
        direct ? NULL : tni_clone_as(std, dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, "standard deviations are looked at first");
    if (!direct && !copy)
        return false;
    const char *data = tni_tensor_read(direct ? std : copy);
    int64_t at = 0;
    if (dtype == TN_FLOAT64)
        while (at < std->numel && ((const double *)(const void *)data)[at] >= 0)
            at++;
    else
        while (at < std->numel && ((const float *)(const void *)data)[at] >= 0)
            at++;
    if (at < std->numel)
        tni_raise(TN_ERROR_ARGUMENT, "element %" PRId64 " of std is %g; a standard deviation is not negative", at,
                  dtype == TN_FLOAT64 ? ((const double *)(const void *)data)[at]
                                      : (double)((const float *)(const void *)data)[at]);
    tni_tensor_release(copy);
    return at == std->numel;
}

static tn_tensor *random_empty_broadcast(const tn_tensor *mean, const tn_tensor *std) {
    int64_t sizes[TN_MAX_DIMS], ndim;
    tn_geometry_conflict conflict = {0};
    if (tn_geometry_broadcast_all((tn_dims[]){{mean->sizes, mean->ndim}, {std->sizes, std->ndim}}, 2, &ndim, sizes,
                                  &conflict) != TN_GEOMETRY_OK)
        return tni_raise_null(TN_ERROR_SHAPE, "mean %s and std %s do not broadcast", tni_show_tensor(mean),
                              tni_show_tensor(std));
    return tni_tensor_new(ndim, sizes, mean->dtype, TN_DEVICE_CPU);
}

static bool random_mean_is_good(const tn_tensor *mean) { return tn_dtype_is_complex(mean->dtype) || tni_random_is_real(mean); }

tn_tensor *tni_op_normal_tensor(const tn_tensor *mean, const tn_tensor *std, tn_generator *generator) {
    if (!random_mean_is_good(mean) || !random_deviations_are_good(std, true))
        return NULL;
    return random_scale(random_finish(random_empty_broadcast(mean, std), tni_op_normal_, 0, 1, generator), mean, std);
}

tn_tensor *tni_op_normal_tensor_float(const tn_tensor *mean, double std, tn_generator *generator) {
    if (!random_mean_is_good(mean))
        return NULL;
    tn_tensor *made = tni_op_empty_like(mean, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
    return random_scale(random_finish(made, tni_op_normal_, 0, std, generator), mean, NULL);
}

tn_tensor *tni_op_normal_float_tensor(double mean, const tn_tensor *std, tn_generator *generator) {
    if (!random_deviations_are_good(std, false))
        return NULL;
    tn_tensor *made = random_finish(tni_op_empty_like(std, TN_DTYPE_DEFAULT, TN_CONTIGUOUS), tni_op_normal_, 0, 1, generator);
    made = random_scale(made, NULL, std);
    if (made && tni_op_add_scalar_(made, tn_scalar_float(mean)) != TN_OK) {
        tni_tensor_release(made);
        return NULL;
    }
    return made;
}

tn_tensor *tni_op_normal(double mean, double std, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    return random_finish(tni_op_empty(size, dtype), tni_op_normal_, mean, std, generator);
}
