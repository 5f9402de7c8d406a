/* random_choose.c - multinomial: choosing by weights, with or without replacement. */
#include <float.h>

#include "base/parallel.h"
#include "operators_arithmetic.h"
#include "operators_create.h"
#include "operators_random.h"
#include "operators_sort.h"
#include "ops/random/random.h"
#include "ops/result.h"

static bool random_weights_are_good(const tn_tensor *flat, int64_t length) {
    const double *weights = (const double *)(const void *)tni_tensor_read(flat);
    TNI_IN_STEPS_OF (tni_random_rows_step(length), first, last, flat->numel / length)
        for (int64_t row = first; row < last; row++, weights += length) {
            bool good = true, any = false;
            TNI_IN_STEPS (begin, end, length)
                for (int64_t i = begin; i < end; i++) {
                    good &= weights[i] >= 0 && weights[i] <= DBL_MAX;
                    any |= weights[i] > 0;
                }
            for (int64_t i = 0; !good && i < length; i++)
                if (!(weights[i] >= 0 && weights[i] <= DBL_MAX)) {
                    tni_raise(TN_ERROR_ARGUMENT,
                              "weight %" PRId64 " of row %" PRId64 " is %g, but a weight must be a finite "
                              "number from 0 on",
                              i, row, weights[i]);
                    return false;
                }
            if (!any && !tni_stopped()) {
                tni_raise(TN_ERROR_ARGUMENT, "all weights of row %" PRId64 " are 0", row);
                return false;
            }
        }
    return !tni_stopped();
}

/* With replacement: where a uniform number falls among the sums of the weights, as shares of the whole. The sums are float32
 * unless self is float64. */
typedef struct random_shares {
    double *sums, whole; /* whole: 1 once the sums have been divided by it */
    int64_t length;
    bool narrow;
} random_shares;

static double random_share(const random_shares *shares, int64_t i) {
    return shares->narrow ? (double)((float)shares->sums[i] / (float)shares->whole) : shares->sums[i] / shares->whole;
}

static random_shares random_sum(double *weights, int64_t length, bool narrow) {
    double wide = 0;
    float single = 0;
    if (narrow)
        TNI_IN_STEPS (begin, end, length)
            for (int64_t i = begin; i < end; i++)
                weights[i] = (double)(single += (float)weights[i]);
    else
        TNI_IN_STEPS (begin, end, length)
            for (int64_t i = begin; i < end; i++)
                weights[i] = wide += weights[i];
    return (random_shares){weights, narrow ? (double)single : wide, length, narrow};
}

static void random_divide(random_shares *shares) {
    TNI_IN_STEPS (begin, end, shares->length)
        for (int64_t i = begin; i < end; i++)
            shares->sums[i] = random_share(shares, i);
    shares->whole = 1;
}

static int64_t random_find(const random_shares *shares, double u) {
    bool divided = shares->whole == 1;
    int64_t left = 0, right = shares->length - 1; /* the last share is 1, however the sums were rounded */
    while (left < right) {
        int64_t middle = left + (right - left) / 2;
        if ((divided ? shares->sums[middle] : random_share(shares, middle)) < u)
            left = middle + 1;
        else
            right = middle;
    }
    return left;
}

static void random_choose(double *weights, int64_t length, int64_t *chosen, int64_t samples, tni_source *source, bool narrow) {
    random_shares shares = random_sum(weights, length, narrow);
    if (samples > length / RANDOM_PROBES)
        random_divide(&shares);
    TNI_IN_STEPS (begin, end, samples)
        for (int64_t k = begin; k < end; k++)
            chosen[k] = random_find(&shares, tni_source_uniform(source));
}

/* ---- without replacement: the largest of weight over exponential number */

/* The bits of a quotient, which are in its order; 0 for a weight of 0, so that it comes after all others, even where 0 was
 * divided by 0 or another quotient rounded to 0. */
static uint64_t random_key_of(double weight, double quotient) {
    uint64_t key;
    memcpy(&key, &quotient, sizeof key);
    return weight > 0 ? key + 1 : 0;
}

/* Larger keys first, and the first of equal ones, which narrow dtypes have, as in topk. */
static tn_error random_choose_keys(tn_tensor *chosen, const tn_tensor *keys) {
    tn_tensor *values = tni_tensor_new(chosen->ndim, chosen->sizes, TN_UINT64, TN_DEVICE_CPU);
    tn_error code =
        values ? tni_op_topk_out(values, chosen, keys, chosen->sizes[chosen->ndim - 1], -1, true, true) : tni_failed();
    tni_tensor_release(values);
    return code;
}

static tn_error random_choose_once(tn_tensor *chosen, const tn_tensor *self, const double *weights, tn_generator *generator) {
    tn_dims sizes = {self->sizes, self->ndim};
    tn_tensor *drawn = tni_op_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE);
    tn_tensor *quotients = drawn && tni_op_exponential_(drawn, 1, generator) == TN_OK ? tni_op_div(self, drawn) : NULL;
    tn_tensor *wide = quotients ? tni_random_doubles_of(quotients, sizes) : NULL;
    tn_tensor *keys = wide ? tni_tensor_new(sizes.count, sizes.values, TN_UINT64, TN_DEVICE_CPU) : NULL;
    const double *quotient = wide ? (const double *)(const void *)tni_tensor_read(wide) : NULL;
    uint64_t *key = keys ? (uint64_t *)(void *)tni_tensor_write(keys) : NULL;
    TNI_IN_STEPS (begin, end, key ? self->numel : 0)
        for (int64_t i = begin; i < end; i++)
            key[i] = random_key_of(weights[i], quotient[i]);
    tn_error code = keys ? random_choose_keys(chosen, keys) : tni_failed();
    tni_tensor_release(keys);
    tni_tensor_release(wide);
    tni_tensor_release(quotients);
    tni_tensor_release(drawn);
    return code;
}

static tn_error random_choose_often(tn_tensor *chosen, const tn_tensor *self, tn_tensor *flat, tn_generator *generator) {
    tn_tensor *rows_of = tni_result_rows(chosen);
    if (!rows_of)
        return tni_failed();
    int64_t length = self->sizes[self->ndim - 1], rows = flat->numel / length, samples = chosen->sizes[chosen->ndim - 1];
    double *weights = (double *)(void *)tni_tensor_write(flat);
    int64_t *to = (int64_t *)(void *)tni_tensor_write(rows_of);
    tn_generator *held = tni_generator_lock(generator);
    bool philox = held->engine == TN_PHILOX;
    uint64_t offset = philox ? tni_generator_take(held, (uint64_t)rows) : 0;
    TNI_IN_STEPS_OF (tni_random_rows_step(length + samples), first, last, rows)
        for (int64_t row = first; row < last; row++) {
            tni_source source = philox ? tni_source_at(held, offset + (uint64_t)row) : tni_source_in_order(held);
            random_choose(weights + row * length, length, to + row * samples, samples, &source, self->dtype != TN_FLOAT64);
        }
    tni_generator_unlock(held);
    return tni_result_rows_end(chosen, rows_of, TN_OK);
}

/* Whether this many can be chosen. sizes: one for each dimension of self, those of the result. */
static bool random_multinomial_sizes(const tn_tensor *self, int64_t num_samples, bool replacement, int64_t *sizes) {
    if (!tni_random_is_real(self, "self"))
        return false;
    if (self->ndim < 1 || self->ndim > 2) {
        tni_raise(TN_ERROR_SHAPE, "self %s is neither one row of weights nor several", tni_show_tensor(self));
        return false;
    }
    int64_t length = self->sizes[self->ndim - 1];
    if (num_samples <= 0 || (!replacement && num_samples > length) || length == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "num_samples is %" PRId64 " of %" PRId64 " weights%s", num_samples, length,
                  replacement ? "" : "; without replacement there are no more than that");
        return false;
    }
    sizes[0] = self->sizes[0];
    sizes[self->ndim - 1] = num_samples;
    return true;
}

bool tni_plan_multinomial(tni_plan *plan, const tn_tensor *self, int64_t num_samples, bool replacement,
                          tn_generator *generator) {
    int64_t sizes[2];
    (void)generator;
    if (!random_multinomial_sizes(self, num_samples, replacement, sizes))
        return false;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim, sizes, TN_INT64);
    return true;
}

tn_error tni_run_multinomial(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t num_samples,
                             bool replacement, tn_generator *generator) {
    (void)plan;
    tn_tensor *flat = tni_random_doubles_of(self, (tn_dims){self->sizes, self->ndim});
    tn_error code = TN_OK;
    if (!flat || !random_weights_are_good(flat, self->sizes[self->ndim - 1]))
        code = tni_failed();
    else if (replacement && num_samples > 1)
        code = random_choose_often(results[0], self, flat, generator);
    else
        code = random_choose_once(results[0], self, (const double *)(const void *)tni_tensor_read(flat), generator);
    tni_tensor_release(flat);
    return code;
}
