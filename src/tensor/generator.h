/* generator.h - the inside of generators, for the operators that draw from them. See tenon/random.h.
 *
 * Samplers are written against a source: a place in a stream that gives 32 bits at a time. For MT19937 it is the generator
 * itself, drawn from in order while it is locked. A source of Philox is a separate value that can be made for any place, so
 * each element of a tensor has its own source, and nothing depends on who computes it.
 *
 * Philox's counter of 128 bits is (offset: 64, stream: 32, draw: 32). An operator takes as many offsets as it needs and moves
 * the generator's on; samplers that need an unknown number of draws for one element count them in `draw`.
 */
#ifndef TNI_GENERATOR_H
#define TNI_GENERATOR_H

#include <pthread.h>

#include <tenon/random.h>

#include "base/object.h"
#include "tensor/tensor.h"

enum { TNI_MT_WORDS = 624 };

typedef struct tni_philox_state {
    uint64_t offset;
    uint32_t stream, word; /* word: how many of the block at `offset` single draws have used */
} tni_philox_state;

struct tn_generator {
    tni_object object;
    pthread_mutex_t lock;
    tn_engine engine;
    bool normal_waits, float_waits; /* a normal number that was computed together with another and not yet given */
    uint64_t seed;
    double normal;
    float float_normal; /* kept because PyTorch keeps it too, though it never draws it on a CPU */
    tni_philox_state philox;
    uint32_t used; /* of the words below: TNI_MT_WORDS asks for the next state            */
    bool begun;    /* drawn from since it was seeded                                       */
    uint32_t state[TNI_MT_WORDS], words[TNI_MT_WORDS]; /* of MT19937, and what it gives    */
};

/* The generator itself, or the default one, with a reference that `drop` gives back: for operators that check the engine before
 * they draw, since the default generator may be replaced in between. */
tn_generator *tni_generator_hold(tn_generator *generator);
void tni_generator_drop(tn_generator *held);

/* The same, and locked until `tni_generator_unlock`. Whoever holds the lock takes no other, so allocates no elements: a fork
 * takes all. */
tn_generator *tni_generator_lock(tn_generator *generator);
void tni_generator_unlock(tn_generator *generator);

/* For the public functions: checked, held and locked; NULL with the error raised. */
tn_generator *tni_generator_enter(const tn_generator *generator, const char *function);

/* ---- engines (generator_engines.c) */

/* The state of MT19937 from a seed; the words that its state gives. */
void tni_generator_mt_seed(tn_generator *generator, uint64_t seed);
void tni_generator_mt_temper(tn_generator *generator);
void tni_generator_mt_refill(tn_generator *generator); /* the next state, and its words */

/* One block of Philox. */
void tni_philox_block(uint64_t seed, uint64_t offset, uint32_t stream, uint32_t draw, uint32_t *out);

/* The next words of MT19937, in order. */
void tni_generator_words(tn_generator *generator, uint32_t *out, int64_t count);

/* A locked Philox generator gives `blocks` blocks away: returns the first offset. What is left of a begun block is dropped. */
uint64_t tni_generator_take(tn_generator *generator, uint64_t blocks);

/* ---- sources */

typedef struct tni_source {
    tn_generator *generator; /* of MT19937; NULL: Philox, with what follows */
    uint64_t seed, offset;
    uint32_t stream, draw, used, words[4];
    bool normal_waits;
    double normal;
} tni_source;

tni_source tni_source_in_order(tn_generator *generator);
tni_source tni_source_at(const tn_generator *philox, uint64_t offset);

/* The next word where there is none at hand. */
uint32_t tni_source_refill(tni_source *source);

static inline uint32_t tni_source_next(tni_source *source) {
    tn_generator *generator = source->generator;
    if (generator ? generator->used < TNI_MT_WORDS : source->used < 4)
        return generator ? generator->words[generator->used++] : source->words[source->used++];
    return tni_source_refill(source);
}

static inline uint64_t tni_source_next64(tni_source *source) {
    uint64_t upper = tni_source_next(source);
    return upper << 32 | tni_source_next(source);
}

/* 53 bits, in [0, 1). */
static inline double tni_source_uniform(tni_source *source) {
    return (double)(int64_t)(tni_source_next64(source) & ((UINT64_C(1) << 53) - 1)) * 0x1p-53;
}

double tni_source_normal(tni_source *source); /* mean 0, deviation 1; every second one comes from the draw before */

#endif
