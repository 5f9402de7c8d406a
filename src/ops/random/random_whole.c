/* random_whole.c - whole numbers and permutations.
 *
 * With MT19937 the number of words drawn for an element, and how the remainder is formed, are PyTorch's.
 */
#include <stdlib.h>

#include "base/parallel.h"
#include "kernels/table.h"
#include "operators_random.h"
#include "ops/copy/copy.h"
#include "ops/random/random.h"

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
        double inverse = 1.0 / (double)range.width; /* the quotient is off by at most one: the remainder shows it */
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

/* The bits of whole numbers a float holds without gaps; 0 for other dtypes. */
static int random_digits(tn_dtype dtype) {
    return dtype == TN_FLOAT64 ? 53 : dtype == TN_FLOAT32 ? 24 : dtype == TN_FLOAT16 ? 11 : dtype == TN_BFLOAT16 ? 8 : 0;
}

/* The smallest and the largest whole number that are drawn for a dtype: for floats all up to the first gap. */
bool tni_random_limits(tn_dtype dtype, int64_t *low, int64_t *high) {
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

static bool random_refuse_whole(const char *shown) {
    tni_raise(TN_ERROR_DTYPE, "whole numbers are drawn for bool, integers, float16 to float64, not for %s", shown);
    return false;
}

/* What a plan found out about the range, for the run. */
static void random_plan_range(tni_plan *plan, random_range range) {
    plan->number[0] = (int64_t)range.width;
    plan->number[1] = range.base;
    plan->number[2] = range.wide;
}

static tn_error random_run_range(const tni_plan *plan, tn_tensor *self, tn_generator *generator) {
    random_range range = {(uint64_t)plan->number[0], plan->number[1], plan->number[2]};
    return random_fill_range(self, range, generator);
}

bool tni_plan_random_(tni_plan *plan, const tn_tensor *self, tn_generator *generator) {
    int64_t low, high;
    (void)generator;
    if (!tni_random_limits(self->dtype, &low, &high))
        return random_refuse_whole(tni_show_tensor(self));
    random_range range = {(uint64_t)high + 1, 0, self->dtype == TN_INT64 || self->dtype == TN_FLOAT64};
    if (self->dtype == TN_UINT64)
        range = (random_range){0, 0, true};
    random_plan_range(plan, range);
    return tni_random_plan_fill(plan, self);
}

tn_error tni_run_random_(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_generator *generator) {
    (void)self;
    return random_run_range(plan, results[0], generator);
}

static int64_t random_rounded(tn_dtype dtype, int64_t value) {
    char one[16];
    double back;
    (void)tn_dtype_convert(dtype, one, TN_INT64, &value, 1);
    (void)tn_dtype_convert(TN_FLOAT64, &back, dtype, one, 1);
    return back >= -0x1p63 && back < 0x1p63 ? (int64_t)back
                                            : INT64_MIN; /* what an overflowing conversion gives in PyTorch on x86-64 */
}

/* Where floats have gaps, an end that rounds out of the range moves inwards by the width of a gap, as in PyTorch. */
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

/* The range from `from` to before `to`, for a dtype that has these limits; raises where they are not in it. */
static bool random_plan_between(tni_plan *plan, tn_dtype dtype, int64_t low, int64_t high, int64_t from, int64_t to) {
    int64_t last = high;
    if (random_digits(dtype) && from > INT64_MIN && (to == TN_NONE || from < to)) {
        from = random_moved_from(dtype, from);
        to = to != TN_NONE ? random_moved_to(dtype, to) : to;
    }
    if (to != TN_NONE) {
        if (from >= to) {
            tni_raise(TN_ERROR_ARGUMENT, "from %" PRId64 " is not below to %" PRId64, from, to);
            return false;
        }
        last = to - 1;
    }
    int64_t begins = high - (random_digits(dtype) != 0); /* for floats PyTorch wants two numbers to choose from */
    if (to == TN_NONE && from > begins) {
        tni_raise(TN_ERROR_ARGUMENT, "from %" PRId64 " is above %" PRId64 ", the last number that a range of %s begins with",
                  from, begins, tn_dtype_name(dtype));
        return false;
    }
    if (dtype == TN_FLOAT16) /* other floats round what they cannot hold; for float16 that would be infinity */
        low = -65504, high = 65504;
    bool bounded = tn_dtype_is_integral(dtype) || dtype == TN_FLOAT16;
    if (bounded && (from < low || last > high)) {
        tni_raise(TN_ERROR_ARGUMENT,
                  "from %" PRId64 " and the last number %" PRId64 " must lie in %" PRId64 " .. %" PRId64 ", what %s holds",
                  from, last, low, high, tn_dtype_name(dtype));
        return false;
    }
    uint64_t width = (uint64_t)last - (uint64_t)from + 1;
    random_plan_range(plan, (random_range){width, from, width == 0 || width >= UINT64_C(1) << 28});
    return true;
}

bool tni_plan_random_from_(tni_plan *plan, const tn_tensor *self, int64_t from, int64_t to, tn_generator *generator) {
    int64_t low, high;
    (void)generator;
    if (!tni_random_limits(self->dtype, &low, &high))
        return random_refuse_whole(tni_show_tensor(self));
    return random_plan_between(plan, self->dtype, low, high, from, to) && tni_random_plan_fill(plan, self);
}

tn_error tni_run_random_from_(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t from, int64_t to,
                              tn_generator *generator) {
    (void)self, (void)from, (void)to;
    return random_run_range(plan, results[0], generator);
}

bool tni_plan_random_to_(tni_plan *plan, const tn_tensor *self, int64_t to, tn_generator *generator) {
    return tni_plan_random_from_(plan, self, 0, to, generator);
}

tn_error tni_run_random_to_(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t to,
                            tn_generator *generator) {
    (void)self, (void)to;
    return random_run_range(plan, results[0], generator);
}

/* Of the result, which the plan has. */
static bool random_plan_result(tni_plan *plan, int64_t from, int64_t to) {
    int64_t low, high;
    tn_dtype dtype = plan->result[0].dtype;
    if (!tni_random_limits(dtype, &low, &high))
        return random_refuse_whole(tni_random_show(plan));
    return random_plan_between(plan, dtype, low, high, from, to);
}

bool tni_plan_randint_low(tni_plan *plan, int64_t low, int64_t high, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    (void)generator;
    return tni_random_plan_new(plan, size, dtype, TN_INT64) && random_plan_result(plan, low, high);
}

tn_error tni_run_randint_low(const tni_plan *plan, tn_tensor *const *results, int64_t low, int64_t high, tn_dims size,
                             tn_dtype dtype, tn_generator *generator) {
    (void)low, (void)high, (void)size, (void)dtype;
    return random_run_range(plan, results[0], generator);
}

bool tni_plan_randint(tni_plan *plan, int64_t high, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    return tni_plan_randint_low(plan, 0, high, size, dtype, generator);
}

tn_error tni_run_randint(const tni_plan *plan, tn_tensor *const *results, int64_t high, tn_dims size, tn_dtype dtype,
                         tn_generator *generator) {
    (void)high, (void)size, (void)dtype;
    return random_run_range(plan, results[0], generator);
}

bool tni_plan_randint_like_low(tni_plan *plan, const tn_tensor *self, int64_t low, int64_t high, tn_dtype dtype,
                               tn_memory_format format, tn_generator *generator) {
    (void)generator;
    return tni_random_plan_like(plan, self, dtype, format) && random_plan_result(plan, low, high);
}

tn_error tni_run_randint_like_low(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t low,
                                  int64_t high, tn_dtype dtype, tn_memory_format format, tn_generator *generator) {
    (void)self, (void)low, (void)high, (void)dtype, (void)format;
    return random_run_range(plan, results[0], generator);
}

bool tni_plan_randint_like(tni_plan *plan, const tn_tensor *self, int64_t high, tn_dtype dtype, tn_memory_format format,
                           tn_generator *generator) {
    return tni_plan_randint_like_low(plan, self, 0, high, dtype, format, generator);
}

tn_error tni_run_randint_like(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t high,
                              tn_dtype dtype, tn_memory_format format, tn_generator *generator) {
    (void)self, (void)high, (void)dtype, (void)format;
    return random_run_range(plan, results[0], generator);
}

/* ---- permutations */

static void random_shuffle(int64_t *numbers, int64_t n, tni_source *source) {
    if (n < (int64_t)(UINT32_MAX / 20)) {
        TNI_IN_STEPS (begin, end, n)
            for (int64_t i = begin; i < end; i++)
                numbers[i] = i;
        TNI_IN_STEPS (begin, end, tni_stopped() ? 0 : n - 1)
            for (int64_t i = begin; i < end; i++) {
                int64_t other = i + (int64_t)(tni_source_next(source) % (uint64_t)(n - i)), kept = numbers[i];
                numbers[i] = numbers[other];
                numbers[other] = kept;
            }
        return;
    }
    TNI_IN_STEPS (begin, end, n)
        for (int64_t i = begin; i < end; i++) { /* each number is put in at a place drawn for it */
            int64_t place = (int64_t)(tni_source_next64(source) % (uint64_t)(i + 1));
            numbers[i] = i;
            numbers[i] = numbers[place];
            numbers[place] = i;
        }
}

/* Philox draws places as it draws integers: 64 bits times the range, which is below 2^32. */
static void random_shuffle_philox(int64_t *numbers, int64_t n, tn_generator *generator) {
    enum { WORDS = 512, PLACES = WORDS / 2 }; /* not limits: how far the generator moves is visible */
    uint64_t offset = tni_generator_take(generator, (uint64_t)(n + PLACES - 1) / PLACES * (WORDS / 4));
    uint32_t words[WORDS];
    TNI_IN_STEPS (begin, end, n)
        for (int64_t i = begin; i < end; i++)
            numbers[i] = i;
    for (int64_t begin = 0, end; begin < n - 1; begin = end) {
        end = tni_min_i64(begin + PLACES, n - 1);
        if (begin % TNI_STEP < PLACES && !tni_goes_on())
            return;
        tni_kernels()->philox[0](words, generator->seed, offset + (uint64_t)(begin / PLACES * (WORDS / 4)),
                                 generator->philox.stream, WORDS / 64);
        for (int64_t i = begin; i < end; i++) {
            uint64_t upper = words[(i - begin) * 2], lower = words[(i - begin) * 2 + 1], range = (uint64_t)(n - i);
            int64_t other = i + (int64_t)((upper * range + (lower * range >> 32)) >> 32), kept = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = kept;
        }
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

bool tni_plan_randperm(tni_plan *plan, int64_t n, tn_dtype dtype, tn_generator *generator) {
    int64_t low, high;
    (void)generator;
    if (!tni_random_plan_new(plan, (tn_dims){&n, 1}, dtype, TN_INT64))
        return false;
    if (n < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "n is %" PRId64 "; there is no permutation of fewer than 0 numbers", n);
        return false;
    }
    dtype = plan->result[0].dtype;
    bool rounds = dtype == TN_BFLOAT16; /* this is the only dtype for which PyTorch allows repeated numbers */
    if (TNI_LIKELY(dtype == TN_INT64))
        return true;
    if (tni_random_limits(dtype, &low, &high) && dtype != TN_BOOL && (n - 1 <= high || rounds))
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s does not hold the numbers up to %" PRId64, tn_dtype_name(dtype), n - 1);
    return false;
}

tn_error tni_run_randperm(const tni_plan *plan, tn_tensor *const *results, int64_t n, tn_dtype dtype, tn_generator *generator) {
    (void)plan, (void)dtype;
    tn_tensor *result = results[0];
    bool direct = result->dtype == TN_INT64 && tni_tensor_is_contiguous(result);
    tn_tensor *numbers = direct ? result : tni_tensor_new(1, &n, TN_INT64, TN_DEVICE_CPU);
    if (!numbers)
        return tni_failed();
    if (n > 0) {
        tn_generator *held = tni_generator_lock(generator);
        random_permute((int64_t *)(void *)tni_tensor_write(numbers), n, held);
        tni_generator_unlock(held);
    }
    tn_error code = tni_stopped() ? TN_ERROR_CANCELLED : TN_OK; /* the caller may use them as positions */
    if (direct)
        return code;
    if (code == TN_OK)
        code = tni_copy_into(result, numbers, "a permutation in another dtype or memory order");
    tni_tensor_release(numbers);
    return code;
}
