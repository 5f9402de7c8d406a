/* random_real.c - real numbers: uniform, normal, and what is computed from one uniform number for each element.
 *
 * With MT19937 every formula, its number of bits and even the size and strides at which the normal numbers change their method
 * are PyTorch's, so that the numbers agree. Philox has no such history: pairs of normal numbers are in one block.
 */
#include <math.h>

#include "base/parallel.h"
#include "kernels/table.h"
#include "kernels_shared.h"
#include "operators_random.h"
#include "operators_view.h"
#include "ops/random/random.h"

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

/* Complex numbers are drawn as their parts. */
bool tni_random_takes_parts(const tn_tensor *self) {
    return tni_random_takes(self->dtype) || tn_dtype_is_complex(self->dtype) || tni_random_is_real(self, "self");
}

tn_error tni_random_fill_uniform(tn_tensor *self, double from, double to, tn_generator *generator) {
    if (TNI_LIKELY(tni_random_takes(self->dtype)))
        return tni_random_fill(self, generator, random_uniform, random_blocks_of(self), &(random_two){from, to});
    tn_tensor *parts = tni_op_view_as_real(self);
    tn_error code = parts ? tni_random_fill_uniform(parts, from, to, generator) : tni_failed();
    tni_tensor_release(parts);
    return code;
}

bool tni_plan_uniform_(tni_plan *plan, const tn_tensor *self, double from, double to, tn_generator *generator) {
    (void)generator;
    if (!tni_random_takes_parts(self))
        return false;
    tn_dtype part = tni_random_takes(self->dtype) ? (tn_dtype)self->dtype : tn_dtype_to_real(self->dtype);
    double largest = random_largest(part);
    if (!(from >= -largest && to <= largest)) {
        tni_raise(TN_ERROR_ARGUMENT, "from %g and to %g must be numbers that %s holds", from, to, tn_dtype_name(part));
        return false;
    }
    if (!(from <= to) || to - from > largest) {
        tni_raise(TN_ERROR_ARGUMENT, "from %g is above to %g, or further below it than %s can hold", from, to,
                  tn_dtype_name(part));
        return false;
    }
    return tni_random_plan_fill(plan, self);
}

tn_error tni_run_uniform_(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double from, double to,
                          tn_generator *generator) {
    (void)plan, (void)self;
    return tni_random_fill_uniform(results[0], from, to, generator);
}

/* ---- normal */

static void random_polar_double(double *distances, double *turns, int64_t pairs, random_two normal) {
    for (int64_t i = 0; i < pairs; i++) {
        double radius = sqrt(-2.0 * log(1.0 - distances[i])), angle = RANDOM_TURN * turns[i];
        distances[i] = fma(radius * cos(angle), normal.b, normal.a);
        turns[i] = fma(radius * sin(angle), normal.b, normal.a);
    }
}

/* A function of float32 through the library's own loop, or, in a build without mathematics, the C library's. */
static void random_through(int kernel, float (*plain)(float), float *out, const float *in, int64_t count) {
    tni_loop loop = tni_kernels()->pointwise[kernel * TN_DTYPE_COUNT + TN_FLOAT32];
    if (loop)
        loop((void *[]){out, (void *)(uintptr_t)in}, count, NULL);
    else
        for (int64_t i = 0; i < count; i++)
            out[i] = plain(in[i]);
}

/* Numbers in groups of 2 * half become normal ones: the first half of a group are distances, the second angles. In float32
 * through the library's own loops. */
static void random_normal_floats(float *values, int64_t count, int64_t half, random_two normal) {
    const tni_kernel_table *kernels = tni_kernels();
    float logs[TNI_RANDOM_BLOCK / 2], turns[TNI_RANDOM_BLOCK / 2], sines[TNI_RANDOM_BLOCK / 2], cosines[TNI_RANDOM_BLOCK / 2];
    int64_t pairs = count / 2;
    kernels->polar_begin[0](values, half, pairs, logs, turns);
    random_through(TNI_KERNEL_log, logf, logs, logs, pairs);
    random_through(TNI_KERNEL_sin, sinf, sines, turns, pairs);
    random_through(TNI_KERNEL_cos, cosf, cosines, turns, pairs);
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

/* Pairs of distances and angles are 32 blocks of float64 numbers: no other call may use part of them. */
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
    int64_t at = piece->count - 16; /* may be before this piece, never before the tensor */
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

/* MT19937, few or with gaps. `finish` is applied to each. */
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
tn_error tni_random_fill_normal(tn_tensor *self, double mean, double std, tn_generator *generator) {
    if (TNI_UNLIKELY(!tni_random_takes(self->dtype))) {
        tn_tensor *parts = tni_op_view_as_real(self);
        tn_error done = parts ? tni_random_fill_normal(parts, mean, std / sqrt(2.0), generator) : tni_failed();
        tni_tensor_release(parts);
        return done;
    }
    tn_generator *held = tni_generator_hold(generator);
    tni_random_sampler sampler = held->engine == TN_PHILOX                             ? random_normal_philox
                                 : self->numel >= 16 && tni_tensor_is_contiguous(self) ? random_normal_sixteens
                                                                                       : random_normal_singly;
    tn_error code =
        tni_random_fill(self, held, sampler, random_blocks_normal(random_blocks_of(self)), &(random_two){mean, std});
    tni_generator_drop(held);
    return code;
}

bool tni_random_is_deviation(double std) {
    if (!(std >= 0))
        tni_raise(TN_ERROR_ARGUMENT, "std is %g; a standard deviation is not negative", std);
    return std >= 0;
}

bool tni_plan_normal_(tni_plan *plan, const tn_tensor *self, double mean, double std, tn_generator *generator) {
    (void)mean, (void)generator;
    return tni_random_is_deviation(std) && tni_random_takes_parts(self) && tni_random_plan_fill(plan, self);
}

tn_error tni_run_normal_(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double mean, double std,
                         tn_generator *generator) {
    (void)plan, (void)self;
    return tni_random_fill_normal(results[0], mean, std, generator);
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

bool tni_plan_exponential_(tni_plan *plan, const tn_tensor *self, double lambd, tn_generator *generator) {
    (void)generator;
    if (!tni_random_is_real(self, "self"))
        return false;
    if (!(lambd > 0)) {
        tni_raise(TN_ERROR_ARGUMENT, "lambd is %g; a rate is above 0", lambd);
        return false;
    }
    return tni_random_plan_fill(plan, self);
}

tn_error tni_run_exponential_(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double lambd,
                              tn_generator *generator) {
    (void)plan, (void)self;
    return random_fill_by_formula(results[0], generator, random_exponential, lambd, 0);
}

bool tni_plan_cauchy_(tni_plan *plan, const tn_tensor *self, double median, double sigma, tn_generator *generator) {
    (void)median, (void)generator;
    if (!tni_random_is_real(self, "self"))
        return false;
    if (!(sigma > 0)) {
        tni_raise(TN_ERROR_ARGUMENT, "sigma is %g; a width is above 0", sigma);
        return false;
    }
    return tni_random_plan_fill(plan, self);
}

tn_error tni_run_cauchy_(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double median, double sigma,
                         tn_generator *generator) {
    (void)plan, (void)self;
    return random_fill_by_formula(results[0], generator, random_cauchy, median, sigma);
}

bool tni_plan_geometric_(tni_plan *plan, const tn_tensor *self, double p, tn_generator *generator) {
    (void)generator;
    if (self->dtype == TN_BOOL || tn_dtype_is_complex(self->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "numbers of trials are drawn for integers and floats, not for self %s",
                  tni_show_tensor(self));
        return false;
    }
    if (!(p > 0 && p < 1)) {
        tni_raise(TN_ERROR_ARGUMENT, "p is %g; the probability must be above 0 and below 1", p);
        return false;
    }
    return tni_random_plan_fill(plan, self);
}

tn_error tni_run_geometric_(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double p,
                            tn_generator *generator) {
    (void)plan, (void)self;
    return random_fill_by_formula(results[0], generator, random_geometric, log1p(-p), 0);
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

bool tni_plan_log_normal_(tni_plan *plan, const tn_tensor *self, double mean, double std, tn_generator *generator) {
    (void)mean, (void)generator;
    if (!tni_random_is_real(self, "self"))
        return false;
    if (!(std > 0)) {
        tni_raise(TN_ERROR_ARGUMENT, "std is %g; a standard deviation is above 0", std);
        return false;
    }
    return tni_random_plan_fill(plan, self);
}

tn_error tni_run_log_normal_(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double mean, double std,
                             tn_generator *generator) {
    (void)plan, (void)self;
    tn_generator *held = tni_generator_hold(generator);
    tni_random_sampler sampler = held->engine == TN_PHILOX ? random_log_normal_philox : random_log_normal_singly;
    uint64_t blocks = random_blocks_normal(tni_random_blocks_64(results[0]->numel));
    tn_error code = tni_random_fill(results[0], held, sampler, blocks, &(random_two){mean, std});
    tni_generator_drop(held);
    return code;
}
