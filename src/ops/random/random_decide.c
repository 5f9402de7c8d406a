/* random_decide.c - decisions, each 0 or 1 with some probability: bernoulli, and dropout, which multiplies by them. */
#include "base/parallel.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_random.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/random/random.h"

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

/* Probabilities in the order of the decisions, one for each. */
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

static bool random_takes_decisions(const char *name, const tn_tensor *self) {
    int64_t low, high;
    if (tni_random_limits(self->dtype, &low, &high))
        return true;
    tni_raise(TN_ERROR_DTYPE, "decisions are not drawn for %s %s", name, tni_show_tensor(self));
    return false;
}

static bool random_is_chance(double p) {
    if (p >= 0 && p <= 1)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "p is %g; a probability is between 0 and 1", p);
    return false;
}

static tn_error random_fill_decisions(tn_tensor *self, double p, tn_generator *generator) {
    return tni_random_fill(self, generator, random_decide, tni_random_blocks_64(self->numel), &p);
}

bool tni_plan_bernoulli_(tni_plan *plan, const tn_tensor *self, double p, tn_generator *generator) {
    (void)generator;
    return random_takes_decisions("self", self) && random_is_chance(p) && tni_random_plan_fill(plan, self);
}

tn_error tni_run_bernoulli_(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double p,
                            tn_generator *generator) {
    (void)plan, (void)self;
    return random_fill_decisions(results[0], p, generator);
}

bool tni_plan_bernoulli_p(tni_plan *plan, const tn_tensor *self, double p, tn_generator *generator) {
    (void)generator;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim, self->sizes, self->dtype);
    return random_takes_decisions("self", self) && random_is_chance(p);
}

tn_error tni_run_bernoulli_p(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double p,
                             tn_generator *generator) {
    (void)plan, (void)self;
    return random_fill_decisions(results[0], p, generator);
}

static bool random_chances_are_good(const tn_tensor *flat) {
    TNI_IN_STEPS (begin, end, flat->numel)
        for (int64_t i = begin; i < end; i++) {
            double p = flat->dtype == TN_FLOAT64 ? ((const double *)(const void *)tni_tensor_read(flat))[i]
                                                 : (double)((const float *)(const void *)tni_tensor_read(flat))[i];
            if (!(p >= 0 && p <= 1)) {
                tni_raise(TN_ERROR_ARGUMENT, "element %" PRId64 " of p is %g; a probability is between 0 and 1", i, p);
                return false;
            }
        }
    return !tni_stopped();
}

/* The probabilities in the order of self: in memory for MT19937, of the indices for Philox. NULL with the error raised. */
static tn_tensor *random_chances_for(const tn_tensor *self, const tn_tensor *p, tn_engine engine) {
    tn_dtype dtype = p->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    tn_tensor *wide = tni_op_expand(p, (tn_dims){self->sizes, self->ndim});
    tn_memory_format format = engine == TN_PHILOX ? TN_CONTIGUOUS : TN_PRESERVE;
    tn_tensor *flat = wide ? tni_empty_like_on(self, dtype, format, TN_DEVICE_CPU) : NULL;
    bool good = flat && tni_copy_into(flat, wide, "probabilities are copied to the order of the decisions") == TN_OK &&
                random_chances_are_good(flat);
    tni_tensor_release(wide);
    if (good)
        return flat;
    tni_tensor_release(flat);
    return NULL;
}

static tn_error random_decide_for(tn_tensor *self, const tn_tensor *p, tn_generator *generator) {
    tn_generator *held = tni_generator_hold(generator);
    tn_tensor *flat = random_chances_for(self, p, held->engine);
    tn_error code = TN_OK;
    if (flat) {
        random_chances chances = {flat->dtype, tni_tensor_read(flat)};
        uint64_t blocks = flat->dtype == TN_FLOAT64 ? tni_random_blocks_64(self->numel) : tni_random_blocks_32(self->numel);
        code = tni_random_fill(self, held, random_decide_each, blocks, &chances);
    } else
        code = tni_failed();
    tni_tensor_release(flat);
    tni_generator_drop(held);
    return code;
}

bool tni_plan_bernoulli_tensor_(tni_plan *plan, const tn_tensor *self, const tn_tensor *p, tn_generator *generator) {
    (void)generator;
    return random_takes_decisions("self", self) && tni_random_is_real(p, "p") &&
           tni_random_expands(p, "p", (tn_dims){self->sizes, self->ndim}) && tni_random_plan_fill(plan, self);
}

tn_error tni_run_bernoulli_tensor_(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *p,
                                   tn_generator *generator) {
    (void)plan, (void)self;
    return random_decide_for(results[0], p, generator);
}

/* Decisions of any dtype that is given for them. */
bool tni_plan_bernoulli(tni_plan *plan, const tn_tensor *self, tn_generator *generator) {
    (void)generator;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim, self->sizes, plan->out ? plan->out->dtype : self->dtype);
    return random_takes_decisions(plan->out ? "out" : "self", plan->out ? plan->out : self) && tni_random_is_real(self, "self");
}

tn_error tni_run_bernoulli(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_generator *generator) {
    (void)plan;
    return random_decide_for(results[0], self, generator);
}

/* ---- dropout: some elements become 0, the others grow so that the mean stays */

static bool random_can_grow(const tn_tensor *self) {
    if (tn_dtype_is_floating(self->dtype) || tn_dtype_is_complex(self->dtype))
        return true;
    tni_raise(TN_ERROR_DTYPE, "kept elements are divided by 1 - p, which self %s cannot hold", tni_show_tensor(self));
    return false;
}

/* Decisions as bits. Pieces and blocks are whole bytes. */
static void random_decide_bits(const tni_random_piece *piece) {
    double chance = *(const double *)piece->context;
    if (piece->count == 0)
        return;
    uint8_t *bytes = (uint8_t *)piece->out - piece->first + piece->first / 8;
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_BLOCK) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_BLOCK);
        double values[TNI_RANDOM_BLOCK];
        tni_random_doubles(piece, at, many, values);
        for (int64_t i = 0; i < many; i += 8) {
            unsigned byte = 0;
            for (int64_t bit = 0; bit < 8 && i + bit < many; bit++)
                byte |= (unsigned)(values[i + bit] < chance) << bit;
            bytes[(at + i) / 8] = (uint8_t)byte;
        }
    }
}

bool tni_plan__dropout_bits(tni_plan *plan, const tn_tensor *self, tn_dims size, double p, tn_generator *generator) {
    int64_t numel;
    (void)generator;
    if (!random_is_chance(p))
        return false;
    tn_geometry_result found = tn_geometry_numel(size.count, size.values, &numel);
    if (found != TN_GEOMETRY_OK) {
        tni_raise(tn_geometry_result_error(found), "size %s: %s", tni_show_dims(size.values, size.count),
                  tn_geometry_result_text(found));
        return false;
    }
    tni_plan_begin(plan, self);
    tni_plan_add(plan, 1, (int64_t[]){numel / 8 + (numel % 8 != 0)}, TN_UINT8);
    plan->number[0] = numel;
    return true;
}

tn_error tni_run__dropout_bits(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims size, double p,
                               tn_generator *generator) {
    double chance = 1 - p;
    (void)self, (void)size;
    tni_random_draw(tni_tensor_write(results[0]), plan->number[0], generator, random_decide_bits,
                    tni_random_blocks_64(plan->number[0]), &chance);
    return TN_OK;
}

static tn_tensor *random_dropout_noise(const tn_tensor *self, double p, tn_generator *generator) {
    if (!random_can_grow(self))
        return NULL;
    tn_tensor *noise = tn_empty_like(self, tn_dtype_to_real(self->dtype), TN_PRESERVE);
    return tn_div_scalar_(tn_bernoulli_(noise, 1 - p, generator), tn_scalar_float(1 - p));
}

tn_tensor *tni_composite_dropout(const tn_tensor *self, double p, bool train, tn_generator *generator) {
    if (!random_is_chance(p))
        return NULL;
    if (!train || p == 0 || self->numel == 0)
        return tn_alias(self);
    if (p == 1)
        return tn_mul_scalar(self, tn_scalar_bool(false));
    return tn_mul(self, random_dropout_noise(self, p, generator));
}

tn_tensor *tni_composite_dropout_(tn_tensor *self, double p, bool train, tn_generator *generator) {
    if (!random_is_chance(p) || !tni_random_is_writable(self))
        return NULL;
    if (!train || p == 0 || self->numel == 0)
        return self;
    if (p == 1)
        return tn_mul_scalar_(self, tn_scalar_bool(false));
    return tn_mul_(self, random_dropout_noise(self, p, generator));
}

tn_list *tni_composite_native_dropout(const tn_tensor *input, double p, bool train, tn_generator *generator) {
    if (!random_is_chance(p))
        return NULL;
    bool drawn = train && input->numel > 0;
    tn_tensor *mask = drawn ? tn_bernoulli_(tn_empty_like(input, TN_BOOL, TN_PRESERVE), 1 - p, generator)
                            : tn_ones_like(input, TN_BOOL, TN_PRESERVE);
    tn_tensor *kept = drawn ? tn_mul(input, tn_to(mask, tn_dtype_to_real(input->dtype))) : tn_clone(input, TN_PRESERVE);
    const tn_tensor *results[2] = {drawn ? tn_mul_scalar(kept, tn_scalar_float(p == 1 ? 0 : 1 / (1 - p))) : kept, mask};
    return results[0] && mask ? tn_list_new(results, 2) : NULL;
}

/* The same without scopes. What is dropped with a chance of 1, or not at all in place, is left to the bodies. */

static tn_tensor *random_dropout_noise_here(const tn_tensor *self, double p, tn_generator *generator) {
    if (!random_can_grow(self))
        return NULL;
    tn_tensor *noise = tni_op_empty_like(self, tn_dtype_to_real(self->dtype), TN_PRESERVE);
    if (noise && random_takes_decisions("self", noise) && random_fill_decisions(noise, 1 - p, generator) == TN_OK &&
        tni_op_div_scalar_(noise, tn_scalar_float(1 - p)) == TN_OK)
        return noise;
    tni_tensor_release(noise);
    return NULL;
}

tn_tensor *tni_shortcut_dropout(const tn_tensor *self, double p, bool train, tn_generator *generator) {
    if (!random_is_chance(p))
        return NULL;
    if (!train || p == 0 || self->numel == 0)
        return tni_op_alias(self);
    if (p == 1)
        return tni_op_dropout(self, p, train, generator);
    tn_tensor *noise = random_dropout_noise_here(self, p, generator), *made = noise ? tni_op_mul(self, noise) : NULL;
    tni_tensor_release(noise);
    return made;
}

tn_error tni_shortcut_dropout_(tn_tensor *self, double p, bool train, tn_generator *generator) {
    if (!train || !(p > 0 && p < 1) || self->numel == 0)
        return tni_op_dropout_(self, p, train, generator);
    tn_tensor *noise = tni_random_is_writable(self) ? random_dropout_noise_here(self, p, generator) : NULL;
    tn_error code = noise ? tni_op_mul_(self, noise) : tni_failed();
    tni_tensor_release(noise);
    return code;
}
