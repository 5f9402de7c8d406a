/* generator_engines.c - MT19937 and Philox, and the sources of numbers that samplers draw from.
 *
 * Invariant of MT19937: words[used..] are the tempered words of state[] that have not been given yet. After seeding there are
 * none: the state is the one before the first step.
 */
#include "tensor/generator.h"

#include <math.h>

#include "base/error.h"

/* ---- MT19937 */

enum { MT_MIDDLE = 397 };

void tni_generator_mt_seed(tn_generator *generator, uint64_t seed) {
    uint32_t *state = generator->state;
    state[0] = (uint32_t)seed;
    for (uint32_t i = 1; i < TNI_MT_WORDS; i++)
        state[i] = UINT32_C(1812433253) * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
    generator->used = TNI_MT_WORDS;
    generator->begun = false;
}

static inline uint32_t generator_mt_step(uint32_t upper, uint32_t lower, uint32_t middle) {
    uint32_t mixed = (upper & UINT32_C(0x80000000)) | (lower & UINT32_C(0x7fffffff));
    return middle ^ (mixed >> 1) ^ ((0U - (lower & 1U)) & UINT32_C(0x9908b0df));
}

void tni_generator_mt_temper(tn_generator *generator) {
    for (int i = 0; i < TNI_MT_WORDS; i++) {
        uint32_t y = generator->state[i];
        y ^= y >> 11;
        y ^= (y << 7) & UINT32_C(0x9d2c5680);
        y ^= (y << 15) & UINT32_C(0xefc60000);
        generator->words[i] = y ^ (y >> 18);
    }
}

void tni_generator_mt_refill(tn_generator *generator) {
    uint32_t *state = generator->state;
    for (int i = 0; i < TNI_MT_WORDS - MT_MIDDLE; i++)
        state[i] = generator_mt_step(state[i], state[i + 1], state[i + MT_MIDDLE]);
    for (int i = TNI_MT_WORDS - MT_MIDDLE; i < TNI_MT_WORDS - 1; i++)
        state[i] = generator_mt_step(state[i], state[i + 1], state[i + MT_MIDDLE - TNI_MT_WORDS]);
    state[TNI_MT_WORDS - 1] = generator_mt_step(state[TNI_MT_WORDS - 1], state[0], state[MT_MIDDLE - 1]);
    tni_generator_mt_temper(generator);
    generator->used = 0;
    generator->begun = true;
}

void tni_generator_words(tn_generator *generator, uint32_t *out, int64_t count) {
    while (count > 0) {
        if (generator->used == TNI_MT_WORDS)
            tni_generator_mt_refill(generator);
        int64_t many = tni_min_i64(count, TNI_MT_WORDS - (int64_t)generator->used);
        memcpy(out, generator->words + generator->used, (size_t)many * sizeof *out);
        generator->used += (uint32_t)many;
        out += many;
        count -= many;
    }
}

/* ---- Philox */

void tn_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    if (!counter || !key || !out) {
        tni_raise_in("philox", TN_ERROR_ARGUMENT, "%s is NULL", !counter ? "counter" : !key ? "key" : "out");
        return;
    }
    uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3], first = key[0], second = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t left = (uint64_t)a * UINT32_C(0xD2511F53), right = (uint64_t)c * UINT32_C(0xCD9E8D57);
        a = (uint32_t)(right >> 32) ^ b ^ first;
        c = (uint32_t)(left >> 32) ^ d ^ second;
        b = (uint32_t)right;
        d = (uint32_t)left;
        first += UINT32_C(0x9E3779B9);
        second += UINT32_C(0xBB67AE85);
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}

void tni_philox_block(uint64_t seed, uint64_t offset, uint32_t stream, uint32_t draw, uint32_t *out) {
    tn_philox((uint32_t[]){(uint32_t)offset, (uint32_t)(offset >> 32), stream, draw},
              (uint32_t[]){(uint32_t)seed, (uint32_t)(seed >> 32)}, out);
}

uint64_t tni_generator_take(tn_generator *generator, uint64_t blocks) {
    tni_philox_state *at = &generator->philox;
    at->offset += at->word != 0;
    at->word = 0;
    uint64_t first = at->offset;
    at->offset += blocks;
    return first;
}

/* ---- sources */

tni_source tni_source_in_order(tn_generator *generator) { return (tni_source){.generator = generator}; }

tni_source tni_source_at(const tn_generator *philox, uint64_t offset) {
    return (tni_source){.seed = philox->seed, .offset = offset, .stream = philox->philox.stream, .used = 4};
}

uint32_t tni_source_refill(tni_source *source) {
    if (source->generator) {
        tni_generator_mt_refill(source->generator);
        return source->generator->words[source->generator->used++];
    }
    tni_philox_block(source->seed, source->offset, source->stream, source->draw++, source->words);
    source->used = 1;
    return source->words[0];
}

double tni_source_normal(tni_source *source) {
    bool *waits = source->generator ? &source->generator->normal_waits : &source->normal_waits;
    double *kept = source->generator ? &source->generator->normal : &source->normal;
    if (*waits) {
        *waits = false;
        return *kept;
    }
    double turn = tni_source_uniform(source), distance = tni_source_uniform(source);
    double radius = sqrt(-2.0 * log1p(-distance)), angle = 2.0 * 3.14159265358979323846 * turn;
    *kept = radius * sin(angle);
    *waits = true;
    return radius * cos(angle);
}
