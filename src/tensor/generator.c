/* generator.c - generators: their engines, their states, and the default one.
 *
 * Invariant of MT19937: words[used..] are the tempered words of state[] that have not been given yet. After seeding there are
 * none: the state is that of before the first step.
 */
#include "tensor/generator.h"

#include <math.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"

/* ---- MT19937 */

enum { MT_MIDDLE = 397 };

static void generator_mt_seed(tn_generator *generator, uint64_t seed) {
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

static void generator_mt_temper(tn_generator *generator) {
    for (int i = 0; i < TNI_MT_WORDS; i++) {
        uint32_t y = generator->state[i];
        y ^= y >> 11;
        y ^= (y << 7) & UINT32_C(0x9d2c5680);
        y ^= (y << 15) & UINT32_C(0xefc60000);
        generator->words[i] = y ^ (y >> 18);
    }
}

static void generator_mt_refill(tn_generator *generator) {
    uint32_t *state = generator->state;
    for (int i = 0; i < TNI_MT_WORDS - MT_MIDDLE; i++)
        state[i] = generator_mt_step(state[i], state[i + 1], state[i + MT_MIDDLE]);
    for (int i = TNI_MT_WORDS - MT_MIDDLE; i < TNI_MT_WORDS - 1; i++)
        state[i] = generator_mt_step(state[i], state[i + 1], state[i + MT_MIDDLE - TNI_MT_WORDS]);
    state[TNI_MT_WORDS - 1] = generator_mt_step(state[TNI_MT_WORDS - 1], state[0], state[MT_MIDDLE - 1]);
    generator_mt_temper(generator);
    generator->used = 0;
    generator->begun = true;
}

void tni_generator_words(tn_generator *generator, uint32_t *out, int64_t count) {
    while (count > 0) {
        if (generator->used == TNI_MT_WORDS)
            generator_mt_refill(generator);
        int64_t many = tni_min_i64(count, TNI_MT_WORDS - (int64_t)generator->used);
        memcpy(out, generator->words + generator->used, (size_t)many * sizeof *out);
        generator->used += (uint32_t)many;
        out += many;
        count -= many;
    }
}

/* ---- Philox */

void tn_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
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

static void generator_philox_block(uint64_t seed, uint64_t offset, uint32_t stream, uint32_t draw, uint32_t *out) {
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
        generator_mt_refill(source->generator);
        return source->generator->words[source->generator->used++];
    }
    generator_philox_block(source->seed, source->offset, source->stream, source->draw++, source->words);
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
        generator_mt_seed(generator, seed);
}

static tn_generator *generator_make(tn_engine engine, uint64_t seed) {
    tn_generator *generator = tni_heap_calloc(sizeof *generator);
    if (!generator)
        return NULL;
    tni_object_init(&generator->object, &tni_generator_class);
    (void)pthread_mutex_init(&generator->lock, NULL);
    generator->engine = engine;
    generator_restart(generator, seed);
    return generator;
}

/* ---- the default one. It is made in static memory, so that asking for it cannot fail. */

static tn_generator generator_first;
static tn_generator *generator_default; /* NULL: generator_first */
static pthread_mutex_t generator_default_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t generator_once = PTHREAD_ONCE_INIT;

static uint64_t generator_entropy(void) {
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed) {
        struct timespec now;
        (void)clock_gettime(CLOCK_REALTIME, &now);
        uint32_t words[4];
        generator_philox_block((uint64_t)now.tv_nsec, (uint64_t)now.tv_sec, (uint32_t)getpid(), 0, words);
        seed = (uint64_t)words[0] << 32 | words[1];
    }
    return seed & ((UINT64_C(1) << 53) - 1); /* as PyTorch's: every language can hold it */
}

/* A fork in the middle of a draw would leave the child with a lock nobody gives back: the default generators, the first
 * and the one it may have been replaced by, are locked meanwhile. Whoever draws holds one lock of a generator and waits for
 * no other, so the order does not matter. */
static void generator_before_fork(void) {
    (void)pthread_mutex_lock(&generator_default_lock);
    (void)pthread_mutex_lock(&generator_first.lock);
    if (generator_default && generator_default != &generator_first)
        (void)pthread_mutex_lock(&generator_default->lock);
}

static void generator_after_fork(void) {
    if (generator_default && generator_default != &generator_first)
        (void)pthread_mutex_unlock(&generator_default->lock);
    (void)pthread_mutex_unlock(&generator_first.lock);
    (void)pthread_mutex_unlock(&generator_default_lock);
}

static void generator_begin(void) {
    tni_object_init(&generator_first.object, &tni_generator_class);
    tni_object_retain(&generator_first.object); /* never given back: it is never freed */
    (void)pthread_mutex_init(&generator_first.lock, NULL);
    generator_first.engine = TN_MT19937;
    generator_restart(&generator_first, generator_entropy());
    (void)pthread_atfork(generator_before_fork, generator_after_fork, generator_after_fork);
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
static tn_generator *generator_enter(const tn_generator *generator, const char *function) {
    const char *outer = tni_operator_enter(function);
    bool good = !generator || tni_object_check((const tni_object *)generator, &tni_generator_class, "generator");
    tni_operator_leave(outer);
    return good ? tni_generator_lock((tn_generator *)(uintptr_t)generator) : NULL;
}

tn_generator *tn_default_generator(void) { return tni_scope_adopt(generator_hold_default()); }

tn_error tn_set_default_generator(tn_generator *generator) {
    tn_generator *held = generator_enter(generator, "set_default_generator");
    if (!held)
        return tn_error_code();
    if (generator)
        tni_object_retain(&held->object);
    tni_generator_unlock(held);
    (void)pthread_mutex_lock(&generator_default_lock);
    tn_generator *before = generator_default;
    generator_default = generator;
    (void)pthread_mutex_unlock(&generator_default_lock);
    if (before)
        tni_object_release(&before->object);
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
        tni_object_release(&generator->object);
}

tn_generator *tn_generator_keep(tn_generator *generator) {
    if (generator && tni_object_check(&generator->object, &tni_generator_class, "generator"))
        (void)tni_scope_forget(&generator->object);
    return generator;
}

tn_error tn_generator_seed(tn_generator *generator, uint64_t seed) {
    tn_generator *held = generator_enter(generator, "generator_seed");
    if (!held)
        return tn_error_code();
    generator_restart(held, seed);
    tni_generator_unlock(held);
    return TN_OK;
}

uint64_t tn_generator_seed_randomly(tn_generator *generator) {
    tn_generator *held = generator_enter(generator, "generator_seed_randomly");
    if (!held)
        return 0;
    uint64_t seed = generator_entropy();
    generator_restart(held, seed);
    tni_generator_unlock(held);
    return seed;
}

uint64_t tn_generator_initial_seed(const tn_generator *generator) {
    tn_generator *held = generator_enter(generator, "generator_initial_seed");
    uint64_t seed = held ? held->seed : 0;
    if (held)
        tni_generator_unlock(held);
    return seed;
}

tn_engine tn_generator_engine(const tn_generator *generator) {
    tn_generator *held = generator_enter(generator, "generator_engine");
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
    generator_philox_block(generator->seed, at->offset, at->stream, 0, words);
    uint32_t word = words[at->word++];
    at->offset += at->word == 4;
    at->word &= 3;
    return word;
}

uint32_t tn_generator_next(tn_generator *generator) {
    tn_generator *held = generator_enter(generator, "generator_next");
    uint32_t word = held ? generator_next(held) : 0;
    if (held)
        tni_generator_unlock(held);
    return word;
}

uint64_t tn_generator_next64(tn_generator *generator) {
    tn_generator *held = generator_enter(generator, "generator_next64");
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
    tn_generator *held = generator_enter(generator, "generator_clone");
    if (!held)
        return NULL;
    tn_generator *made = generator_make(held->engine, held->seed);
    if (made)
        generator_copy(made, held);
    tni_generator_unlock(held);
    return tni_scope_adopt(made);
}

tn_generator *tn_generator_split(const tn_generator *generator, uint64_t number) {
    tn_generator *held = generator_enter(generator, "generator_split");
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
        generator_philox_block(seed, number, stream, UINT32_MAX, words);
        seed = (uint64_t)words[0] << 32 | words[1];
    }
    tn_generator *made = generator_make(engine, seed);
    if (made && engine == TN_PHILOX)
        made->philox.stream = (uint32_t)number + 1;
    return tni_scope_adopt(made);
}

tn_error tn_generator_skip(tn_generator *generator, uint64_t count) {
    tn_generator *held = generator_enter(generator, "generator_skip");
    if (!held)
        return tn_error_code();
    if (held->engine == TN_PHILOX) {
        uint64_t word = held->philox.word + count % 4;
        held->philox.offset += count / 4 + word / 4;
        held->philox.word = (uint32_t)(word % 4);
    } else
        while (count > 0) {
            if (held->used == TNI_MT_WORDS)
                generator_mt_refill(held);
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

/* ---- states as bytes: for MT19937 the layout of PyTorch's */

typedef struct generator_mt_bytes {
    uint64_t seed;
    int32_t left, seeded;
    uint64_t next, state[TNI_MT_WORDS];
    double normal_x, normal, normal_rho;
    int32_t normal_waits, unused;
    float float_normal;
    uint8_t float_waits, padding[3];
} generator_mt_bytes;

typedef struct generator_philox_bytes {
    uint64_t mark, seed, offset;
    uint32_t stream, word;
    double normal;
    uint64_t normal_waits;
} generator_philox_bytes;

_Static_assert(sizeof(generator_mt_bytes) == 5056 && sizeof(generator_philox_bytes) == 48, "as tenon/random.h promises");

static const uint64_t generator_philox_mark = UINT64_C(0x30317834786f6c69); /* "ilox4x10", so that other bytes are noticed */

typedef union generator_bytes {
    generator_mt_bytes mt;
    generator_philox_bytes philox;
} generator_bytes;

static size_t generator_save(const tn_generator *generator, generator_bytes *bytes) {
    memset(bytes, 0, sizeof *bytes);
    if (generator->engine == TN_PHILOX) {
        bytes->philox = (generator_philox_bytes){generator_philox_mark,    generator->seed,        generator->philox.offset,
                                                 generator->philox.stream, generator->philox.word, generator->normal,
                                                 generator->normal_waits};
        return sizeof bytes->philox;
    }
    generator_mt_bytes *mt = &bytes->mt;
    mt->seed = generator->seed;
    mt->seeded = 1;
    mt->next = generator->begun ? generator->used : 0;
    mt->left = (int32_t)(TNI_MT_WORDS + 1 - generator->used);
    for (int i = 0; i < TNI_MT_WORDS; i++)
        mt->state[i] = generator->state[i];
    mt->normal = generator->normal_waits ? generator->normal : 0;
    mt->normal_waits = generator->normal_waits;
    mt->float_normal = generator->float_waits ? generator->float_normal : 0;
    mt->float_waits = generator->float_waits;
    return sizeof *mt;
}

tn_tensor *tn_generator_state(const tn_generator *generator) {
    tn_generator *held = generator_enter(generator, "generator_state");
    if (!held)
        return NULL;
    generator_bytes bytes;
    int64_t size = (int64_t)generator_save(held, &bytes);
    tni_generator_unlock(held);
    tn_tensor *state = tni_tensor_new(1, &size, TN_UINT8, TN_DEVICE_CPU);
    if (state)
        memcpy(tni_tensor_write(state), &bytes, (size_t)size);
    return tni_scope_adopt(state);
}

/* Whether a generator could have this state. */
static bool generator_load_mt(tn_generator *generator, const generator_mt_bytes *mt) {
    bool unused = mt->next == 0 && mt->left == 1;
    if (mt->seeded != 1 || mt->left < 1 || mt->left > TNI_MT_WORDS ||
        (!unused && mt->next + (uint64_t)mt->left != TNI_MT_WORDS + 1))
        return false;
    generator->seed = mt->seed;
    for (int i = 0; i < TNI_MT_WORDS; i++)
        generator->state[i] = (uint32_t)mt->state[i];
    generator_mt_temper(generator);
    generator->begun = !unused;
    generator->used = (uint32_t)(TNI_MT_WORDS + 1 - mt->left);
    generator->normal_waits = mt->normal_waits != 0;
    generator->normal = mt->normal;
    generator->float_waits = mt->float_waits != 0;
    generator->float_normal = mt->float_normal;
    return true;
}

static bool generator_load_philox(tn_generator *generator, const generator_philox_bytes *philox) {
    if (philox->mark != generator_philox_mark || philox->word > 3 || philox->normal_waits > 1)
        return false;
    generator->seed = philox->seed;
    generator->philox = (tni_philox_state){philox->offset, philox->stream, philox->word};
    generator->normal = philox->normal;
    generator->normal_waits = philox->normal_waits == 1;
    return true;
}

/* NULL, or why it is no state. */
static const char *generator_load(tn_generator *generator, const tn_tensor *state) {
    generator_bytes bytes;
    bool philox = generator->engine == TN_PHILOX;
    size_t size = philox ? sizeof bytes.philox : sizeof bytes.mt;
    if (state->dtype != TN_UINT8 || state->ndim != 1 || state->numel != (int64_t)size ||
        tni_tensor_device(state).type != TN_CPU)
        return philox ? "that is 48 bytes of dtype uint8 on the CPU" : "that is 5056 bytes of dtype uint8 on the CPU";
    const char *from = tni_tensor_read(state);
    for (size_t i = 0; i < size; i++)
        ((char *)&bytes)[i] = from[(int64_t)i * state->strides[0]];
    if (philox ? generator_load_philox(generator, &bytes.philox) : generator_load_mt(generator, &bytes.mt))
        return NULL;
    return philox ? "its first bytes are not those of one, or its counters are out of range"
                  : "it says that it was not seeded, or its counters of words given and left do not go together";
}

tn_error tn_generator_set_state(tn_generator *generator, const tn_tensor *state) {
    if (!tni_tensor_live(state, "generator_set_state"))
        return tni_tensor_handle_error(state);
    tn_generator *held = generator_enter(generator, "generator_set_state");
    if (!held)
        return tn_error_code();
    const char *problem = generator_load(held, state);
    tn_engine engine = held->engine;
    tni_generator_unlock(held);
    if (!problem)
        return TN_OK;
    return tni_raise_in("generator_set_state", TN_ERROR_ARGUMENT, "%s is no state of %s: %s", tni_show_tensor(state),
                        engine == TN_PHILOX ? "Philox" : "MT19937", problem);
}
