/* generator_state.c - states of generators as bytes: tn_generator_state and back. For MT19937 the layout is PyTorch's. */
#include "base/error.h"
#include "base/scope.h"
#include "tensor/generator.h"

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
    tn_generator *held = tni_generator_enter(generator, "generator_state");
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
    tni_generator_mt_temper(generator);
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

/* NULL, or why it is not a state. */
static const char *generator_load(tn_generator *generator, const tn_tensor *state) {
    generator_bytes bytes;
    bool philox = generator->engine == TN_PHILOX;
    size_t size = philox ? sizeof bytes.philox : sizeof bytes.mt;
    if (state->dtype != TN_UINT8 || state->ndim != 1 || state->numel != (int64_t)size ||
        tni_tensor_device(state).type != TN_CPU)
        return philox ? "a state is 48 bytes of dtype uint8 on the CPU" : "a state is 5056 bytes of dtype uint8 on the CPU";
    const char *from = tni_tensor_read(state);
    for (size_t i = 0; i < size; i++)
        ((char *)&bytes)[i] = from[(int64_t)i * state->strides[0]];
    if (philox ? generator_load_philox(generator, &bytes.philox) : generator_load_mt(generator, &bytes.mt))
        return NULL;
    return philox ? "its first bytes are not those of a state, or its counters are out of range"
                  : "it says that it was not seeded, or its counters of words given and left do not agree";
}

tn_error tn_generator_set_state(tn_generator *generator, const tn_tensor *state) {
    if (!tni_tensor_live(state, "generator_set_state"))
        return tni_tensor_handle_error(state);
    tn_generator *held = tni_generator_enter(generator, "generator_set_state");
    if (!held)
        return tni_failed();
    const char *problem = generator_load(held, state);
    tn_engine engine = held->engine;
    tni_generator_unlock(held);
    if (!problem)
        return TN_OK;
    return tni_raise_in("generator_set_state", TN_ERROR_ARGUMENT, "%s is not a state of %s: %s", tni_show_tensor(state),
                        engine == TN_PHILOX ? "Philox" : "MT19937", problem);
}
