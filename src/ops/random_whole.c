/* random_whole.c - whole numbers, permutations and decisions.
 *
 * With MT19937 the number of words drawn for an element, and which remainder is taken of them, are PyTorch's.
 */
#include <stdlib.h>

#include "base/heap.h"
#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/random.h"
#include "ops/result.h"

/* ---- integers in a range */

typedef struct random_range {
    uint64_t width; /* 0: all 64 bits                        */
    int64_t base;
    bool wide; /* MT19937 draws 64 bits for a number, else 32 */
} random_range;

/* The words 2 k and 2 k + 1 of MT19937 are number k. The remainder is taken of as many bits as the range asks for. */
static void random_whole_in_order(const tni_random_piece *piece) {
    random_range range = *(const random_range *)piece->context;
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_BLOCK / 2) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_BLOCK / 2);
        uint32_t words[TNI_RANDOM_BLOCK];
        int64_t values[TNI_RANDOM_BLOCK / 2];
        tni_generator_words(piece->generator, words, range.wide ? 2 * many : many);
        for (int64_t i = 0; range.wide && i < many; i++) {
            uint64_t value = (uint64_t)words[2 * i] << 32 | words[2 * i + 1];
            values[i] = (int64_t)((range.width ? value % range.width : value) + (uint64_t)range.base);
        }
        double inverse = 1.0 / (double)range.width; /* the quotient is off by one at most: the remainder tells */
        for (int64_t i = 0; !range.wide && i < many; i++) {
            int64_t width = (int64_t)range.width, rest = words[i] - (int64_t)((double)words[i] * inverse) * width;
            rest += rest < 0 ? width : rest >= width ? -width : 0;
            values[i] = rest + range.base;
        }
        tni_random_store(piece, at, TN_INT64, values, many);
    }
}

/* Philox: 64 bits times the range, of which the upper 64 are taken, so that no number is more likely than another by more than
 * one in 2^32. Ranges above 2^32 need exactness: multiples of the range that do not fit are drawn again. */
static void random_whole_philox(const tni_random_piece *piece) {
    random_range range = *(const random_range *)piece->context;
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_BLOCK / 2) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_BLOCK / 2);
        uint32_t words[TNI_RANDOM_BLOCK];
        int64_t values[TNI_RANDOM_BLOCK / 2];
        tni_random_piece twice = *piece; /* two words for each element: word 2 p and 2 p + 1 of its block */
        twice.first *= 2;
        tni_random_words(&twice, 2 * at, 2 * many, words);
        for (int64_t block = 0; block < many; block += 16)
            for (int64_t i = 0; i < 16; i++) {
                uint64_t upper = words[2 * block + i], lower = words[2 * block + 16 + i];
                uint64_t value = range.width ? (upper * range.width + (lower * range.width >> 32)) >> 32 : upper << 32 | lower;
                values[block + i] = (int64_t)(value + (uint64_t)range.base);
            }
        tni_random_store(piece, at, TN_INT64, values, many);
    }
}

static void random_whole_exactly(const tni_random_piece *piece) {
    random_range range = *(const random_range *)piece->context;
    const tn_generator *generator = piece->generator;
    uint64_t beyond = (UINT64_MAX - range.width + 1) % range.width; /* 2^64 modulo the range */
    for (int64_t at = 0; at < piece->count; at += 16) {
        int64_t many = tni_min_i64(piece->count - at, 16), values[16];
        uint64_t offset = piece->offset + (uint64_t)(piece->first + at);
        uint32_t words[64]; /* the block of each, of which the first two words are nearly always enough */
        tni_kernels()->philox[0](words, generator->seed, offset, generator->philox.stream, 1);
        for (int64_t i = 0; i < many; i++) {
            uint64_t value = (uint64_t)words[i] << 32 | words[16 + i];
            if (value > UINT64_MAX - beyond) {
                tni_source source = tni_source_at(generator, offset + (uint64_t)i);
                do
                    value = tni_source_next64(&source);
                while (value > UINT64_MAX - beyond);
            }
            values[i] = (int64_t)(value % range.width + (uint64_t)range.base);
        }
        tni_random_store(piece, at, TN_INT64, values, many);
    }
}

static tn_error random_fill_range(tn_tensor *self, random_range range, tn_generator *generator) {
    tn_generator *held = tni_generator_hold(generator);
    bool exactly = range.width > UINT64_C(1) << 32;
    uint64_t blocks = exactly ? tni_random_blocks_each(self->numel) : tni_random_blocks_64(self->numel);
    tni_random_sampler sampler = held->engine != TN_PHILOX ? random_whole_in_order
                                 : exactly                 ? random_whole_exactly
                                                           : random_whole_philox;
    tn_error code = tni_random_fill(self, held, sampler, blocks, &range);
    tni_generator_drop(held);
    return code;
}

/* The bits of whole numbers a float holds without gaps; 0 for the dtypes that are none. */
static int random_digits(tn_dtype dtype) {
    return dtype == TN_FLOAT64 ? 53 : dtype == TN_FLOAT32 ? 24 : dtype == TN_FLOAT16 ? 11 : dtype == TN_BFLOAT16 ? 8 : 0;
}

/* The smallest and the largest whole number that are drawn for a dtype: floats have all up to where gaps begin. */
static bool random_limits(tn_dtype dtype, int64_t *low, int64_t *high) {
    int digits = random_digits(dtype);
    if (digits) {
        *high = INT64_C(1) << digits;
        *low = -*high;
        return true;
    }
    switch (dtype) {
    case TN_BOOL: *low = 0, *high = 1; return true;
    case TN_INT8: *low = INT8_MIN, *high = INT8_MAX; return true;
    case TN_UINT8: *low = 0, *high = UINT8_MAX; return true;
    case TN_INT16: *low = INT16_MIN, *high = INT16_MAX; return true;
    case TN_UINT16: *low = 0, *high = UINT16_MAX; return true;
    case TN_INT32: *low = INT32_MIN, *high = INT32_MAX; return true;
    case TN_UINT32: *low = 0, *high = UINT32_MAX; return true;
    case TN_INT64: *low = INT64_MIN, *high = INT64_MAX; return true;
    case TN_UINT64: *low = 0, *high = INT64_MAX; return true;
    default: return false;
    }
}

static bool random_is_whole(const tn_tensor *self, int64_t *low, int64_t *high) {
    if (random_limits(self->dtype, low, high))
        return true;
    tni_raise(TN_ERROR_DTYPE, "whole numbers are drawn for bool, integers, float16 to float64, not for self %s",
              tni_show_tensor(self));
    return false;
}

tn_error tni_op_random_(tn_tensor *self, tn_generator *generator) {
    int64_t low, high;
    if (!random_is_whole(self, &low, &high))
        return tn_error_code();
    random_range range = {(uint64_t)high + 1, 0, self->dtype == TN_INT64 || self->dtype == TN_FLOAT64};
    if (self->dtype == TN_UINT64)
        range = (random_range){0, 0, true};
    return random_fill_range(self, range, generator);
}

static int64_t random_rounded(tn_dtype dtype, int64_t value) {
    char one[16];
    double back;
    (void)tn_dtype_convert(dtype, one, TN_INT64, &value, 1);
    (void)tn_dtype_convert(TN_FLOAT64, &back, dtype, one, 1);
    return back >= -0x1p63 && back < 0x1p63 ? (int64_t)back
                                            : INT64_MIN; /* what a conversion that overflows gives on the judge's machine */
}

/* Where floats have gaps, an end that rounds out of the range moves inwards by the width of one, as PyTorch has it. */
static int64_t random_gap_beside(tn_dtype dtype, int64_t value) {
    return INT64_C(1) << (63 - __builtin_clzll((unsigned long long)llabs(value)) - random_digits(dtype) + 1);
}

static int64_t random_moved_from(tn_dtype dtype, int64_t from) {
    int64_t after = from < INT64_MAX ? random_rounded(dtype, from + 1) : from;
    return after < from ? after + random_gap_beside(dtype, from + 1) : from;
}

static int64_t random_moved_to(tn_dtype dtype, int64_t to) {
    int64_t before = random_rounded(dtype, to - 1);
    return before >= to ? before - random_gap_beside(dtype, to - 1) : to;
}

tn_error tni_op_random_from_(tn_tensor *self, int64_t from, int64_t to, tn_generator *generator) {
    int64_t low, high;
    if (!random_is_whole(self, &low, &high))
        return tn_error_code();
    int64_t last = high;
    if (random_digits(self->dtype) && from > INT64_MIN && (to == TN_NONE || from < to)) {
        from = random_moved_from(self->dtype, from);
        to = to != TN_NONE ? random_moved_to(self->dtype, to) : to;
    }
    if (to != TN_NONE) {
        if (from >= to)
            return tni_raise(TN_ERROR_ARGUMENT, "from %" PRId64 " is not below to %" PRId64, from, to);
        last = to - 1;
    }
    if (to == TN_NONE && from > high)
        return tni_raise(TN_ERROR_ARGUMENT, "from %" PRId64 " is above %" PRId64 ", the last whole number drawn for %s", from,
                         high, tn_dtype_name(self->dtype));
    if (self->dtype == TN_FLOAT16) /* other floats round what they cannot hold; of float16 that would be infinity */
        low = -65504, high = 65504;
    bool bounded = tn_dtype_is_integral(self->dtype) || self->dtype == TN_FLOAT16;
    if (bounded && (from < low || last > high))
        return tni_raise(TN_ERROR_ARGUMENT,
                         "from %" PRId64 " and the last number %" PRId64 " must lie in %" PRId64 " .. %" PRId64
                         ", what %s holds",
                         from, last, low, high, tn_dtype_name(self->dtype));
    uint64_t width = (uint64_t)last - (uint64_t)from + 1;
    return random_fill_range(self, (random_range){width, from, width == 0 || width >= UINT64_C(1) << 28}, generator);
}

tn_error tni_op_random_to_(tn_tensor *self, int64_t to, tn_generator *generator) {
    return tni_op_random_from_(self, 0, to, generator);
}

static tn_tensor *random_whole_finish(tn_tensor *made, int64_t low, int64_t high, tn_generator *generator) {
    if (made && tni_op_random_from_(made, low, high, generator) == TN_OK)
        return made;
    tni_tensor_release(made);
    return NULL;
}

static tn_dtype random_whole_dtype(tn_dtype dtype) { return dtype == TN_DTYPE_DEFAULT ? TN_INT64 : dtype; }

tn_tensor *tni_op_randint_low(int64_t low, int64_t high, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    return random_whole_finish(tni_op_empty(size, random_whole_dtype(dtype)), low, high, generator);
}

tn_tensor *tni_op_randint(int64_t high, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    return tni_op_randint_low(0, high, size, dtype, generator);
}

tn_error tni_op_randint_low_out(tn_tensor *out, int64_t low, int64_t high, tn_dims size, tn_dtype dtype,
                                tn_generator *generator) {
    tni_result result;
    if (!tni_random_dtype_is_of(dtype, out) || !tni_result_begin(&result, out, size, out->dtype, TNI_RESULT_EXACT, NULL, 0))
        return tn_error_code();
    return tni_result_end(&result, tni_op_random_from_(out, low, high, generator));
}

tn_error tni_op_randint_out(tn_tensor *out, int64_t high, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    return tni_op_randint_low_out(out, 0, high, size, dtype, generator);
}

tn_tensor *tni_op_randint_like_low(const tn_tensor *self, int64_t low, int64_t high, tn_dtype dtype, tn_memory_format format,
                                   tn_generator *generator) {
    return random_whole_finish(tni_op_empty_like(self, dtype, format), low, high, generator);
}

tn_tensor *tni_op_randint_like(const tn_tensor *self, int64_t high, tn_dtype dtype, tn_memory_format format,
                               tn_generator *generator) {
    return tni_op_randint_like_low(self, 0, high, dtype, format, generator);
}

/* ---- permutations */

static void random_shuffle(int64_t *numbers, int64_t n, tni_source *source) {
    if (n < (int64_t)(UINT32_MAX / 20)) {
        for (int64_t i = 0; i < n; i++)
            numbers[i] = i;
        for (int64_t i = 0; i < n - 1; i++) {
            int64_t other = i + (int64_t)(tni_source_next(source) % (uint64_t)(n - i)), kept = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = kept;
        }
        return;
    }
    for (int64_t i = 0; i < n; i++) { /* each number is put in at a place drawn for it */
        int64_t place = (int64_t)(tni_source_next64(source) % (uint64_t)(i + 1));
        numbers[i] = i;
        numbers[i] = numbers[place];
        numbers[place] = i;
    }
}

/* Philox draws places as it draws integers: 64 bits times the range, which is below 2^32. */
static void random_shuffle_philox(int64_t *numbers, int64_t n, tn_generator *generator) {
    enum { PLACES = TNI_RANDOM_BLOCK / 2 };
    uint64_t offset = tni_generator_take(generator, (uint64_t)(n + PLACES - 1) / PLACES * (TNI_RANDOM_BLOCK / 4));
    uint32_t words[TNI_RANDOM_BLOCK];
    for (int64_t i = 0; i < n; i++)
        numbers[i] = i;
    for (int64_t i = 0; i < n - 1; i++) {
        if (i % PLACES == 0)
            tni_kernels()->philox[0](words, generator->seed, offset + (uint64_t)(i / PLACES * (TNI_RANDOM_BLOCK / 4)),
                                     generator->philox.stream, TNI_RANDOM_BLOCK / 64);
        uint64_t upper = words[i % PLACES * 2], lower = words[i % PLACES * 2 + 1], range = (uint64_t)(n - i);
        int64_t other = i + (int64_t)((upper * range + (lower * range >> 32)) >> 32), kept = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = kept;
    }
}

static void random_permute(int64_t *numbers, int64_t n, tn_generator *generator) {
    if (generator->engine == TN_PHILOX && n <= (int64_t)UINT32_MAX) {
        random_shuffle_philox(numbers, n, generator);
        return;
    }
    tni_source source = generator->engine == TN_PHILOX ? tni_source_at(generator, tni_generator_take(generator, 1))
                                                       : tni_source_in_order(generator);
    random_shuffle(numbers, n, &source);
}

tn_tensor *tni_op_randperm(int64_t n, tn_dtype dtype, tn_generator *generator) {
    dtype = random_whole_dtype(dtype);
    int64_t low, high;
    if (n < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "n is %" PRId64 "; there is no permutation of fewer than 0 numbers", n);
    bool rounds = dtype == TN_BFLOAT16; /* of all dtypes PyTorch lets this one have numbers twice */
    if (!random_limits(dtype, &low, &high) || dtype == TN_BOOL || (n - 1 > high && !rounds))
        return tni_raise_null(TN_ERROR_DTYPE, "%s does not hold the numbers up to %" PRId64, tn_dtype_name(dtype), n - 1);
    tn_tensor *numbers = tni_tensor_new(1, &n, TN_INT64, TN_DEVICE_CPU);
    if (!numbers || n == 0)
        goto done;
    tn_generator *held = tni_generator_lock(generator);
    random_permute((int64_t *)(void *)tni_tensor_write(numbers), n, held);
    tni_generator_unlock(held);
done:
    if (!numbers || dtype == TN_INT64)
        return numbers;
    tn_tensor *converted = tni_clone_as(numbers, dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, "a permutation in another dtype");
    tni_tensor_release(numbers);
    return converted;
}

tn_error tni_op_randperm_out(tn_tensor *out, int64_t n, tn_dtype dtype, tn_generator *generator) {
    if (!tni_random_dtype_is_of(dtype, out) ||
        (n >= 0 && !tni_result_fits(out, (tn_dims){&n, 1}, out->dtype, TNI_RESULT_EXACT)))
        return tn_error_code();
    return tni_result_move(out, tni_op_randperm(n, out->dtype, generator), TNI_RESULT_EXACT);
}

/* ---- decisions */

static void random_decide(const tni_random_piece *piece) {
    double chance = *(const double *)piece->context;
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_BLOCK) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_BLOCK);
        double values[TNI_RANDOM_BLOCK];
        uint8_t decisions[TNI_RANDOM_BLOCK];
        tni_random_doubles(piece, at, many, values);
        for (int64_t i = 0; i < many; i++)
            decisions[i] = values[i] < chance;
        tni_random_store(piece, at, TN_UINT8, decisions, many);
    }
}

/* Chances that lie in the order of the decisions, one for each. */
typedef struct random_chances {
    tn_dtype dtype; /* float64 is compared with 53 bits, all others with 24 */
    const char *data;
} random_chances;

static void random_decide_each(const tni_random_piece *piece) {
    const random_chances *chances = piece->context;
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_BLOCK) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_BLOCK);
        uint8_t decisions[TNI_RANDOM_BLOCK];
        if (chances->dtype == TN_FLOAT64) {
            const double *p = (const double *)(const void *)chances->data + piece->first + at;
            double values[TNI_RANDOM_BLOCK];
            tni_random_doubles(piece, at, many, values);
            for (int64_t i = 0; i < many; i++)
                decisions[i] = values[i] < p[i];
        } else {
            const float *p = (const float *)(const void *)chances->data + piece->first + at;
            float values[TNI_RANDOM_BLOCK];
            tni_random_floats(piece, at, many, values);
            for (int64_t i = 0; i < many; i++)
                decisions[i] = values[i] < p[i];
        }
        tni_random_store(piece, at, TN_UINT8, decisions, many);
    }
}

static bool random_takes_decisions(const tn_tensor *self) {
    int64_t low, high;
    if (random_limits(self->dtype, &low, &high))
        return true;
    tni_raise(TN_ERROR_DTYPE, "decisions are not drawn for self %s", tni_show_tensor(self));
    return false;
}

static bool random_is_chance(double p) {
    if (p >= 0 && p <= 1)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "p is %g; a chance lies between 0 and 1", p);
    return false;
}

tn_error tni_op_bernoulli_(tn_tensor *self, double p, tn_generator *generator) {
    if (!random_takes_decisions(self))
        return tn_error_code();
    if (!random_is_chance(p))
        return tn_error_code();
    return tni_random_fill(self, generator, random_decide, tni_random_blocks_64(self->numel), &p);
}

static bool random_chances_are_good(const tn_tensor *flat) {
    for (int64_t i = 0; i < flat->numel; i++) {
        double p = flat->dtype == TN_FLOAT64 ? ((const double *)(const void *)tni_tensor_read(flat))[i]
                                             : (double)((const float *)(const void *)tni_tensor_read(flat))[i];
        if (!(p >= 0 && p <= 1)) {
            tni_raise(TN_ERROR_ARGUMENT, "element %" PRId64 " of p is %g; a chance lies between 0 and 1", i, p);
            return false;
        }
    }
    return true;
}

tn_error tni_op_bernoulli_tensor_(tn_tensor *self, const tn_tensor *p, tn_generator *generator) {
    if (!random_takes_decisions(self) || !tni_random_is_real(p))
        return tn_error_code();
    tn_tensor *wide = tni_op_expand(p, (tn_dims){self->sizes, self->ndim});
    tn_tensor *flat = NULL;
    tn_dtype dtype = p->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    tn_generator *held = tni_generator_hold(generator);
    if (wide) { /* in the order of self: in memory for MT19937, of the indices for Philox */
        bool philox = held->engine == TN_PHILOX;
        flat = tni_empty_like_on(self, dtype, philox ? TN_CONTIGUOUS : TN_PRESERVE, TN_DEVICE_CPU);
        if (flat && tni_copy_into(flat, wide, "chances are brought into the order of the decisions") != TN_OK) {
            tni_tensor_release(flat);
            flat = NULL;
        }
    }
    tni_tensor_release(wide);
    tn_error code = TN_OK;
    if (!flat || !random_chances_are_good(flat))
        code = tn_error_code();
    else {
        random_chances chances = {dtype, tni_tensor_read(flat)};
        uint64_t blocks = dtype == TN_FLOAT64 ? tni_random_blocks_64(self->numel) : tni_random_blocks_32(self->numel);
        code = tni_random_fill(self, held, random_decide_each, blocks, &chances);
    }
    tni_tensor_release(flat);
    tni_generator_drop(held);
    return code;
}

tn_tensor *tni_op_bernoulli(const tn_tensor *self, tn_generator *generator) {
    tn_tensor *made = tni_op_empty_like(self, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
    if (made && tni_op_bernoulli_tensor_(made, self, generator) == TN_OK)
        return made;
    tni_tensor_release(made);
    return NULL;
}

tn_error tni_op_bernoulli_out(tn_tensor *out, const tn_tensor *self, tn_generator *generator) {
    tni_result result;
    if (!tni_result_begin(&result, out, (tn_dims){self->sizes, self->ndim}, out->dtype, TNI_RESULT_EXACT, &self, 1))
        return tn_error_code();
    return tni_result_end(&result, tni_op_bernoulli_tensor_(result.tensor, self, generator));
}

tn_tensor *tni_op_bernoulli_p(const tn_tensor *self, double p, tn_generator *generator) {
    tn_tensor *made = tni_op_empty_like(self, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
    if (made && tni_op_bernoulli_(made, p, generator) == TN_OK)
        return made;
    tni_tensor_release(made);
    return NULL;
}

/* ---- dropout: some elements become 0, the others grow so that the mean stays */

static tn_tensor *random_dropout_noise(const tn_tensor *self, double p, tn_generator *generator) {
    if (!tn_dtype_is_floating(self->dtype) && !tn_dtype_is_complex(self->dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "what is not dropped is divided by 1 - p, which self %s cannot hold",
                              tni_show_tensor(self));
    tn_tensor *noise = tni_op_empty_like(self, tn_dtype_to_real(self->dtype), TN_PRESERVE);
    if (noise && tni_op_bernoulli_(noise, 1 - p, generator) == TN_OK &&
        tni_op_div_scalar_(noise, tn_scalar_float(1 - p)) == TN_OK)
        return noise;
    tni_tensor_release(noise);
    return NULL;
}

tn_tensor *tni_op_dropout(const tn_tensor *self, double p, bool train, tn_generator *generator) {
    if (!random_is_chance(p))
        return NULL;
    if (!train || p == 0 || self->numel == 0)
        return tni_op_alias(self);
    if (p == 1)
        return tni_op_mul_scalar(self, tn_scalar_bool(false));
    tn_tensor *noise = random_dropout_noise(self, p, generator);
    tn_tensor *made = noise ? tni_op_mul(self, noise) : NULL;
    tni_tensor_release(noise);
    return made;
}

tn_error tni_op_dropout_(tn_tensor *self, double p, bool train, tn_generator *generator) {
    if (!random_is_chance(p) || !tni_random_is_writable(self))
        return tn_error_code();
    if (!train || p == 0 || self->numel == 0)
        return TN_OK;
    if (p == 1)
        return tni_op_mul_scalar_(self, tn_scalar_bool(false));
    tn_tensor *noise = random_dropout_noise(self, p, generator);
    tn_error code = noise ? tni_op_mul_(self, noise) : tn_error_code();
    tni_tensor_release(noise);
    return code;
}
