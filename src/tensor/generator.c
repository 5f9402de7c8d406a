/* generator.c - generators as objects, and the default one. Their engines are in generator_engines.c, their states as bytes in
 * generator_state.c.
 */
#include "tensor/generator.h"

#include <time.h>
#include <unistd.h>

#include "base/entropy.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"

/* ---- the objects */

static void generator_destroy(tni_object *object) {
    tn_generator *generator = (tn_generator *)object;
    (void)pthread_mutex_destroy(&generator->lock);
    object->class = &tni_dead_class;
    tni_heap_free(generator, sizeof *generator);
}

const tni_class tni_generator_class = {"generator", generator_destroy};

static void generator_restart(tn_generator *generator, uint64_t seed) {
    generator->seed = seed;
    generator->normal_waits = generator->float_waits = false;
    generator->normal = 0;
    generator->float_normal = 0;
    generator->philox.offset = 0;
    generator->philox.word = 0;
    if (generator->engine == TN_MT19937)
        tni_generator_mt_seed(generator, seed);
}

/* A callback in the middle of a draw (a cancel check) may draw from the same generator: the thread may lock it again. */
static void generator_lock_make(pthread_mutex_t *lock) {
    pthread_mutexattr_t again;
    bool made = pthread_mutexattr_init(&again) == 0;
    if (made)
        (void)pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    (void)pthread_mutex_init(lock, made ? &again : NULL);
    if (made)
        (void)pthread_mutexattr_destroy(&again);
}

static tn_generator *generator_make(tn_engine engine, uint64_t seed) {
    tn_generator *generator = tni_heap_calloc(sizeof *generator);
    if (!generator)
        return NULL;
    tni_object_init(&generator->object, &tni_generator_class);
    generator_lock_make(&generator->lock);
    generator->engine = engine;
    generator_restart(generator, seed);
    return generator;
}

/* ---- the default one. It is made in static memory, so that asking for it cannot fail. */

static tn_generator generator_first;
static tn_generator *generator_default; /* NULL: generator_first */
static pthread_mutex_t generator_default_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t generator_once = PTHREAD_ONCE_INIT;

/* 53 bits, as PyTorch's: every language can hold them. */
static uint64_t generator_entropy(void) { return tni_entropy_bits() >> 11; }

static tn_generator *generator_hold_default(void);

static void generator_unlock_all(tn_generator *other) {
    (void)pthread_mutex_unlock(&generator_default_lock);
    if (other != &generator_first)
        (void)pthread_mutex_unlock(&other->lock);
    (void)pthread_mutex_unlock(&generator_first.lock);
}

/* A fork in the middle of a draw would leave the child with a lock that nobody releases: the default generators, the first and
 * the one it may have been replaced by, are locked meanwhile. Whoever draws may be in a callback that asks which generator is
 * the default: so that lock is taken last, and then it is checked whether the default is still the same. */
static tn_generator *generator_forking;
static void generator_before_fork(void) {
    for (;;) {
        tn_generator *other = generator_hold_default();
        (void)pthread_mutex_lock(&generator_first.lock);
        if (other != &generator_first)
            (void)pthread_mutex_lock(&other->lock);
        (void)pthread_mutex_lock(&generator_default_lock);
        if (other == (generator_default ? generator_default : &generator_first)) {
            generator_forking = other;
            return;
        }
        generator_unlock_all(other);
        tni_generator_drop(other);
    }
}

static void generator_after_fork(void) {
    tn_generator *other = generator_forking;
    generator_unlock_all(other);
    tni_generator_drop(other);
}

/* Its thread has a different number from the one that locked them: they are made again. */
static void generator_after_fork_in_child(void) {
    tn_generator *other = generator_forking;
    if (other != &generator_first)
        generator_lock_make(&other->lock);
    generator_lock_make(&generator_first.lock);
    (void)pthread_mutex_unlock(&generator_default_lock);
    tni_generator_drop(other);
}

static void generator_begin(void) {
    tni_object_init(&generator_first.object, &tni_generator_class);
    tni_object_hand_over(&generator_first.object); /* never given back: it is never freed */
    generator_lock_make(&generator_first.lock);
    generator_first.engine = TN_MT19937;
    generator_restart(&generator_first, generator_entropy());
    (void)pthread_atfork(generator_before_fork, generator_after_fork, generator_after_fork_in_child);
}

/* The default generator with a reference. */
static tn_generator *generator_hold_default(void) {
    (void)pthread_once(&generator_once, generator_begin);
    (void)pthread_mutex_lock(&generator_default_lock);
    tn_generator *generator = generator_default ? generator_default : &generator_first;
    tni_object_retain(&generator->object);
    (void)pthread_mutex_unlock(&generator_default_lock);
    return generator;
}

tn_generator *tni_generator_hold(tn_generator *generator) {
    if (!generator)
        return generator_hold_default();
    tni_object_retain(&generator->object);
    return generator;
}

void tni_generator_drop(tn_generator *held) { tni_object_release(&held->object); }

tn_generator *tni_generator_lock(tn_generator *generator) {
    generator = tni_generator_hold(generator);
    (void)pthread_mutex_lock(&generator->lock);
    return generator;
}

void tni_generator_unlock(tn_generator *generator) {
    (void)pthread_mutex_unlock(&generator->lock);
    tni_generator_drop(generator);
}

/* For the public functions: checked, held and locked; NULL with the error raised. */
tn_generator *tni_generator_enter(const tn_generator *generator, const char *function) {
    const char *outer = tni_operator_enter(function);
    bool good = !generator || tni_object_check((const tni_object *)generator, &tni_generator_class, "generator");
    tni_operator_leave(outer);
    return good ? tni_generator_lock((tn_generator *)(uintptr_t)generator) : NULL;
}

tn_generator *tn_default_generator(void) { return tni_scope_adopt(generator_hold_default()); }

tn_error tn_set_default_generator(tn_generator *generator) {
    tn_generator *held = tni_generator_enter(generator, "set_default_generator");
    if (!held)
        return tni_failed();
    if (generator)
        tni_object_hold(&held->object);
    tni_generator_unlock(held);
    (void)pthread_mutex_lock(&generator_default_lock);
    tn_generator *before = generator_default;
    generator_default = generator;
    (void)pthread_mutex_unlock(&generator_default_lock);
    if (before)
        tni_object_drop(&before->object);
    return TN_OK;
}

/* ---- the public functions */

tn_generator *tn_generator_new(tn_engine engine, uint64_t seed) {
    if (engine != TN_MT19937 && engine != TN_PHILOX) {
        tni_raise_in("generator_new", TN_ERROR_ARGUMENT, "there is no engine number %d", (int)engine);
        return NULL;
    }
    return tni_scope_adopt(generator_make(engine, seed));
}

tn_generator *tn_generator_retain(tn_generator *generator) {
    if (generator && tni_object_check(&generator->object, &tni_generator_class, "generator"))
        tni_object_retain(&generator->object);
    return generator;
}

void tn_generator_release(tn_generator *generator) {
    if (generator && tni_object_check(&generator->object, &tni_generator_class, "generator"))
        tni_scope_release(&generator->object, "generator_release");
}

tn_generator *tn_generator_keep(tn_generator *generator) {
    if (generator && tni_object_check(&generator->object, &tni_generator_class, "generator"))
        (void)tni_scope_forget(&generator->object);
    return generator;
}

tn_error tn_generator_seed(tn_generator *generator, uint64_t seed) {
    tn_generator *held = tni_generator_enter(generator, "generator_seed");
    if (!held)
        return tni_failed();
    generator_restart(held, seed);
    tni_generator_unlock(held);
    return TN_OK;
}

uint64_t tn_generator_seed_randomly(tn_generator *generator) {
    tn_generator *held = tni_generator_enter(generator, "generator_seed_randomly");
    if (!held)
        return 0;
    uint64_t seed = generator_entropy();
    generator_restart(held, seed);
    tni_generator_unlock(held);
    return seed;
}

uint64_t tn_generator_initial_seed(const tn_generator *generator) {
    tn_generator *held = tni_generator_enter(generator, "generator_initial_seed");
    uint64_t seed = held ? held->seed : 0;
    if (held)
        tni_generator_unlock(held);
    return seed;
}

tn_engine tn_generator_engine(const tn_generator *generator) {
    tn_generator *held = tni_generator_enter(generator, "generator_engine");
    tn_engine engine = held ? held->engine : TN_MT19937;
    if (held)
        tni_generator_unlock(held);
    return engine;
}

static uint32_t generator_next(tn_generator *generator) {
    tni_philox_state *at = &generator->philox;
    if (generator->engine == TN_MT19937) {
        tni_source source = tni_source_in_order(generator);
        return tni_source_next(&source);
    }
    uint32_t words[4];
    tni_philox_block(generator->seed, at->offset, at->stream, 0, words);
    uint32_t word = words[at->word++];
    at->offset += at->word == 4;
    at->word &= 3;
    return word;
}

uint32_t tn_generator_next(tn_generator *generator) {
    tn_generator *held = tni_generator_enter(generator, "generator_next");
    uint32_t word = held ? generator_next(held) : 0;
    if (held)
        tni_generator_unlock(held);
    return word;
}

uint64_t tn_generator_next64(tn_generator *generator) {
    tn_generator *held = tni_generator_enter(generator, "generator_next64");
    uint64_t words = 0;
    if (held) {
        words = (uint64_t)generator_next(held) << 32;
        words |= generator_next(held);
        tni_generator_unlock(held);
    }
    return words;
}

static void generator_copy(tn_generator *to, const tn_generator *from) {
    to->normal_waits = from->normal_waits;
    to->float_waits = from->float_waits;
    to->seed = from->seed;
    to->normal = from->normal;
    to->float_normal = from->float_normal;
    to->philox = from->philox;
    to->used = from->used;
    to->begun = from->begun;
    memcpy(to->state, from->state, sizeof to->state);
    memcpy(to->words, from->words, sizeof to->words);
}

tn_generator *tn_generator_clone(const tn_generator *generator) {
    tn_generator *held = tni_generator_enter(generator, "generator_clone");
    if (!held)
        return NULL;
    tn_generator *made = generator_make(held->engine, held->seed);
    if (made)
        generator_copy(made, held);
    tni_generator_unlock(held);
    return tni_scope_adopt(made);
}

tn_generator *tn_generator_split(const tn_generator *generator, uint64_t number) {
    tn_generator *held = tni_generator_enter(generator, "generator_split");
    if (!held)
        return NULL;
    tn_engine engine = held->engine;
    uint64_t seed = held->seed;
    uint32_t stream = held->philox.stream;
    tni_generator_unlock(held);
    if (engine == TN_PHILOX && number >= UINT32_MAX) {
        tni_raise_in("generator_split", TN_ERROR_ARGUMENT, "there is no stream number %" PRIu64 ": the last is %" PRIu32,
                     number, UINT32_MAX - 1);
        return NULL;
    }
    if (stream != 0 || engine == TN_MT19937) { /* a stream of a stream, or one that needs a seed of its own: both are hashed */
        uint32_t words[4];
        tni_philox_block(seed, number, stream, UINT32_MAX, words);
        seed = (uint64_t)words[0] << 32 | words[1];
    }
    tn_generator *made = generator_make(engine, seed);
    if (made && engine == TN_PHILOX)
        made->philox.stream = (uint32_t)number + 1;
    return tni_scope_adopt(made);
}

tn_error tn_generator_skip(tn_generator *generator, uint64_t count) {
    tn_generator *held = tni_generator_enter(generator, "generator_skip");
    if (!held)
        return tni_failed();
    if (held->engine == TN_PHILOX) {
        uint64_t word = held->philox.word + count % 4;
        held->philox.offset += count / 4 + word / 4;
        held->philox.word = (uint32_t)(word % 4);
    } else
        while (count > 0) {
            if (held->used == TNI_MT_WORDS)
                tni_generator_mt_refill(held);
            uint64_t left = TNI_MT_WORDS - held->used, many = count < left ? count : left;
            held->used += (uint32_t)many;
            count -= many;
        }
    tni_generator_unlock(held);
    return TN_OK;
}

tn_error tn_manual_seed(uint64_t seed) { return tn_generator_seed(NULL, seed); }
uint64_t tn_seed(void) { return tn_generator_seed_randomly(NULL); }
uint64_t tn_initial_seed(void) { return tn_generator_initial_seed(NULL); }
