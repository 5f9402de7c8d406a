/* random_counts.c - distributions that need an unknown number of draws for each element: gamma, Poisson, binomial, and what is
 * chosen by weights.
 *
 * The methods are those of the literature that PyTorch uses too (Marsaglia and Tsang 2000 for gamma; Hoermann 1993 for Poisson
 * and binomial), with its constants, some of which are of single precision, so that its numbers come out.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/random.h"
#include "ops/result.h"

/* ---- one element */

/* PyTorch computes with the parameters in the dtype they have, and in double precision from there on. */
static double random_round(double value, bool narrow) { return narrow ? (double)(float)value : value; }

static double random_gamma(double alpha, bool narrow, tni_source *source) {
    double scale = 1;
    if (alpha < 1) {
        if (alpha == 0)
            return 0;
        scale = pow(1 - tni_source_uniform(source), random_round(1.0 / alpha, narrow));
        alpha = random_round(alpha + 1, narrow);
    }
    double d = random_round(alpha - (double)(1.0F / 3.0F), narrow), c = 1.0 / sqrt(9.0 * d);
    for (;;) {
        double x, y;
        do {
            x = tni_source_normal(source);
            y = 1.0 + c * x;
        } while (y <= 0);
        double v = y * y * y, u = 1 - tni_source_uniform(source), xx = x * x;
        if (u < 1.0 - (double)0.0331F * xx * xx || log(u) < 0.5 * xx + d * (1.0 - v + log(v)))
            return scale * d * v;
    }
}

static double random_poisson_large(double rate, tni_source *source) {
    double root = sqrt(rate), log_rate = log(rate);
    double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), tight = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        double u = tni_source_uniform(source) - 0.5, v = tni_source_uniform(source), us = 0.5 - fabs(u);
        double k = floor((2 * a / us + b) * u + rate + 0.43);
        if (us >= 0.07 && v <= tight)
            return k;
        if (k < 0 || (us < 0.013 && v > us))
            continue;
        if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <= -rate + k * log_rate - lgamma(k + 1))
            return k;
    }
}

static double random_poisson(double rate, bool narrow, tni_source *source) {
    (void)narrow;
    if (rate >= 10)
        return random_poisson_large(rate, source);
    if (rate == 0)
        return 0;
    double least = exp(-rate), product = 1, count = 0;
    while ((product *= tni_source_uniform(source)) > least)
        count++;
    return count;
}

/* How far Stirling's approximation of log(k!) is off. */
static double random_stirling_rest(double k) {
    static const double small[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                                   0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                                   0.00925546218271273, 0.00833056343336287};
    if (k < 10)
        return small[(int)k];
    double square = (k + 1) * (k + 1);
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

static double random_binomial_small(double count, double chance, bool narrow, tni_source *source) {
    double sum = 0, hits = 0, log_miss = narrow ? (double)log1pf(-(float)chance) : log1p(-chance);
    while ((sum += ceil(log(tni_source_uniform(source)) / log_miss)) <= count)
        hits++;
    return hits;
}

static double random_binomial_large(double count, double chance, bool narrow, tni_source *source) {
    double mean = random_round(count * chance, narrow), miss = random_round(1 - chance, narrow);
    double deviation = random_round(sqrt(random_round(mean * miss, narrow)), narrow);
    double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * chance, c = mean + 0.5;
    double tight = 0.92 - 4.2 / b, odds = random_round(chance / miss, narrow), alpha = (2.83 + 5.1 / b) * deviation;
    double m = floor(random_round((count + 1) * chance, narrow));
    for (;;) {
        double u = tni_source_uniform(source) - 0.5, v = tni_source_uniform(source), us = 0.5 - fabs(u);
        double k = floor((2 * a / us + b) * u + c);
        if (k < 0 || k > count)
            continue;
        if (us >= 0.07 && v <= tight)
            return k;
        double bound = (m + 0.5) * log((m + 1) / (odds * (count - m + 1))) +
                       (count + 1) * log((count - m + 1) / (count - k + 1)) +
                       (k + 0.5) * log(odds * (count - k + 1) / (k + 1)) + random_stirling_rest(m) +
                       random_stirling_rest(count - m) - random_stirling_rest(k) - random_stirling_rest(count - k);
        if (log(v * alpha / (a / (us * us) + b)) <= bound)
            return k;
    }
}

static double random_binomial_below_half(double count, double chance, bool narrow, tni_source *source) {
    return random_round(count * chance, narrow) >= 10 ? random_binomial_large(count, chance, narrow, source)
                                                      : random_binomial_small(count, chance, narrow, source);
}

static double random_binomial(double count, double chance, bool narrow, tni_source *source) {
    if (count <= 0 || chance <= 0)
        return 0;
    if (chance >= 1)
        return count;
    if (chance <= 0.5)
        return random_binomial_below_half(count, chance, narrow, source);
    return chance > 0.5 ? count - random_binomial_below_half(count, random_round(1 - chance, narrow), narrow, source)
                        : (double)NAN;
}

/* ---- all elements: the parameters lie row by row, as float64 */

typedef struct random_parameters {
    const double *first, *second; /* second: NULL where there is one parameter */
    bool narrow;                  /* they were floats narrower than float64     */
    double (*one)(double, bool, tni_source *);
    double (*two)(double, double, bool, tni_source *);
    double least; /* what smaller results are raised to; 0: nothing              */
} random_parameters;

static double random_element(const random_parameters *parameters, int64_t at, tni_source *source) {
    double value = parameters->second
                       ? parameters->two(parameters->first[at], parameters->second[at], parameters->narrow, source)
                       : parameters->one(parameters->first[at], parameters->narrow, source);
    bool raised = parameters->least > 0 && !(value > parameters->least); /* what is no number too, as in PyTorch */
    return raised ? parameters->least : value;
}

static void random_each(const tni_random_piece *piece) {
    const random_parameters *parameters = piece->context;
    tni_source sources[TNI_RANDOM_SOURCES];
    for (int64_t at = 0; at < piece->count; at += TNI_RANDOM_SOURCES) {
        int64_t many = tni_min_i64(piece->count - at, TNI_RANDOM_SOURCES);
        double values[TNI_RANDOM_SOURCES];
        tni_random_sources(piece, at, sources);
        for (int64_t i = 0; i < many; i++)
            values[i] = random_element(parameters, piece->first + at + i, &sources[i]);
        tni_random_store(piece, at, TN_FLOAT64, values, many);
    }
}

/* A row-major float64 copy of `of`, seen under `sizes`. */
static tn_tensor *random_doubles_of(const tn_tensor *of, tn_dims sizes) {
    tn_tensor *wide = tni_op_expand(of, sizes);
    tn_tensor *flat =
        wide ? tni_clone_as(wide, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "parameters in double precision") : NULL;
    tni_tensor_release(wide);
    return flat;
}

static bool random_all_at_least(const tn_tensor *flat, double least, const char *name) {
    const double *values = (const double *)(const void *)tni_tensor_read(flat);
    for (int64_t i = 0; i < flat->numel; i++)
        if (!(values[i] >= least)) {
            tni_raise(TN_ERROR_ARGUMENT, "element %" PRId64 " of %s is %g, not at least %g", i, name, values[i], least);
            return false;
        }
    return true;
}

static tn_error random_fill_each(tn_tensor *out, random_parameters *parameters, tn_generator *generator) {
    return tni_random_fill(out, generator, random_each, tni_random_blocks_each(out->numel), parameters);
}

static tn_tensor *random_one_parameter(const tn_tensor *self, double (*one)(double, bool, tni_source *), tn_dtype dtype,
                                       double least, const char *name, tn_generator *generator) {
    tn_dims sizes = {self->sizes, self->ndim};
    if (!tni_random_is_real(self))
        return NULL;
    tn_tensor *flat = random_doubles_of(self, sizes);
    tn_tensor *made = flat && (!name || random_all_at_least(flat, 0, name))
                          ? tni_tensor_new(sizes.count, sizes.values, dtype, TN_DEVICE_CPU)
                          : NULL;
    if (made) {
        random_parameters parameters = {.first = (const double *)(const void *)tni_tensor_read(flat),
                                        .one = one,
                                        .least = least,
                                        .narrow = dtype != TN_FLOAT64};
        if (random_fill_each(made, &parameters, generator) != TN_OK) {
            tni_tensor_release(made);
            made = NULL;
        }
    }
    tni_tensor_release(flat);
    return made;
}

static double random_smallest(tn_dtype dtype) {
    return dtype == TN_FLOAT64 ? DBL_MIN : dtype == TN_FLOAT16 ? 0x1p-14 : (double)FLT_MIN;
}

tn_tensor *tni_op_poisson(const tn_tensor *self, tn_generator *generator) {
    return random_one_parameter(self, random_poisson, self->dtype, 0, "self", generator);
}

tn_tensor *tni_op_standard_gamma(const tn_tensor *self, tn_generator *generator) {
    return random_one_parameter(self, random_gamma, self->dtype, random_smallest(self->dtype), NULL, generator);
}

tn_tensor *tni_op_sample_dirichlet(const tn_tensor *self, tn_generator *generator) {
    tn_tensor *gamma = random_one_parameter(self, random_gamma, TN_FLOAT64, DBL_MIN, NULL, generator);
    if (!gamma)
        return NULL;
    int64_t length = self->ndim == 0 ? 1 : self->sizes[self->ndim - 1];
    double *parts = (double *)(void *)tni_tensor_write(gamma), least = random_smallest(self->dtype);
    double most = 1 - (self->dtype == TN_FLOAT64    ? DBL_EPSILON
                       : self->dtype == TN_FLOAT32  ? (double)FLT_EPSILON
                       : self->dtype == TN_BFLOAT16 ? 0x1p-7
                                                    : 0x1p-10) /
                          2;
    for (int64_t row = 0; length && row < gamma->numel / length; row++, parts += length) {
        double sum = 0;
        for (int64_t i = 0; i < length; i++)
            sum += parts[i];
        for (int64_t i = 0; i < length; i++) {
            parts[i] /= sum;
            parts[i] = parts[i] < least ? least : parts[i] > most ? most : parts[i];
        }
    }
    if (self->dtype == TN_FLOAT64)
        return gamma;
    tn_tensor *made = tni_clone_as(gamma, self->dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, "parts in the dtype of self");
    tni_tensor_release(gamma);
    return made;
}

tn_tensor *tni_op_binomial(const tn_tensor *count, const tn_tensor *prob, tn_generator *generator) {
    if (!tni_random_is_real(count) || !tni_random_is_real(prob))
        return NULL;
    if (count->dtype != prob->dtype)
        return tni_raise_null(TN_ERROR_DTYPE, "count is %s and prob %s; they must be of one dtype", tn_dtype_name(count->dtype),
                              tn_dtype_name(prob->dtype));
    tn_dims sizes = {count->sizes, count->ndim};
    tn_tensor *counts = random_doubles_of(count, sizes), *chances = counts ? random_doubles_of(prob, sizes) : NULL;
    tn_tensor *made = chances ? tni_tensor_new(sizes.count, sizes.values, count->dtype, TN_DEVICE_CPU) : NULL;
    if (made) {
        random_parameters parameters = {.first = (const double *)(const void *)tni_tensor_read(counts),
                                        .second = (const double *)(const void *)tni_tensor_read(chances),
                                        .two = random_binomial,
                                        .narrow = count->dtype != TN_FLOAT64};
        if (random_fill_each(made, &parameters, generator) != TN_OK) {
            tni_tensor_release(made);
            made = NULL;
        }
    }
    tni_tensor_release(counts);
    tni_tensor_release(chances);
    return made;
}

/* ---- choosing by weights */

static bool random_weights_are_good(const tn_tensor *flat, int64_t length) {
    const double *weights = (const double *)(const void *)tni_tensor_read(flat);
    for (int64_t row = 0; row < flat->numel / length; row++, weights += length) {
        bool good = true, any = false;
        for (int64_t i = 0; i < length; i++) {
            good &= weights[i] >= 0 && weights[i] <= DBL_MAX;
            any |= weights[i] > 0;
        }
        for (int64_t i = 0; !good && i < length; i++)
            if (!(weights[i] >= 0 && weights[i] <= DBL_MAX)) {
                tni_raise(TN_ERROR_ARGUMENT, "weight %" PRId64 " of row %" PRId64 " is %g, not a number from 0 on", i, row,
                          weights[i]);
                return false;
            }
        if (!any) {
            tni_raise(TN_ERROR_ARGUMENT, "all weights of row %" PRId64 " are 0", row);
            return false;
        }
    }
    return true;
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
        for (int64_t i = 0; i < length; i++)
            weights[i] = (double)(single += (float)weights[i]);
    else
        for (int64_t i = 0; i < length; i++)
            weights[i] = wide += weights[i];
    return (random_shares){weights, narrow ? (double)single : wide, length, narrow};
}

static void random_divide(random_shares *shares) {
    for (int64_t i = 0; i < shares->length; i++)
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
    enum { RANDOM_PROBES = 32 }; /* for each sample, about: fewer divisions than weights are made on the way */
    random_shares shares = random_sum(weights, length, narrow);
    if (samples > length / RANDOM_PROBES)
        random_divide(&shares);
    for (int64_t k = 0; k < samples; k++)
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

/* Larger keys first, and of equal ones, as narrow dtypes have them, the first: which is what topk does. */
static tn_tensor *random_choose_once(const tn_tensor *self, const double *weights, int64_t samples, tn_generator *generator) {
    tn_dims sizes = {self->sizes, self->ndim};
    tn_tensor *drawn = tni_op_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE);
    tn_tensor *quotients = drawn && tni_op_exponential_(drawn, 1, generator) == TN_OK ? tni_op_div(self, drawn) : NULL;
    tn_tensor *wide = quotients ? random_doubles_of(quotients, sizes) : NULL;
    tn_tensor *keys = wide ? tni_tensor_new(sizes.count, sizes.values, TN_UINT64, TN_DEVICE_CPU) : NULL;
    const double *quotient = wide ? (const double *)(const void *)tni_tensor_read(wide) : NULL;
    uint64_t *key = keys ? (uint64_t *)(void *)tni_tensor_write(keys) : NULL;
    for (int64_t i = 0; key && i < self->numel; i++)
        key[i] = random_key_of(weights[i], quotient[i]);
    tn_list *chosen = keys ? tni_op_topk(keys, samples, -1, true, true) : NULL;
    tn_tensor *indices = chosen ? tni_tensor_retain(chosen->items[1]) : NULL;
    if (chosen)
        tni_object_release(&chosen->object);
    tni_tensor_release(keys);
    tni_tensor_release(wide);
    tni_tensor_release(quotients);
    tni_tensor_release(drawn);
    return indices;
}

static tn_tensor *random_choose_often(const tn_tensor *self, tn_tensor *flat, tn_dims sizes, tn_generator *generator) {
    tn_tensor *made = tni_tensor_new(sizes.count, sizes.values, TN_INT64, TN_DEVICE_CPU);
    if (!made)
        return NULL;
    int64_t length = self->sizes[self->ndim - 1], rows = flat->numel / length, samples = sizes.values[sizes.count - 1];
    double *weights = (double *)(void *)tni_tensor_write(flat);
    int64_t *chosen = (int64_t *)(void *)tni_tensor_write(made);
    tn_generator *held = tni_generator_lock(generator);
    bool philox = held->engine == TN_PHILOX;
    uint64_t offset = philox ? tni_generator_take(held, (uint64_t)rows) : 0;
    for (int64_t row = 0; row < rows; row++) {
        tni_source source = philox ? tni_source_at(held, offset + (uint64_t)row) : tni_source_in_order(held);
        random_choose(weights + row * length, length, chosen + row * samples, samples, &source, self->dtype != TN_FLOAT64);
    }
    tni_generator_unlock(held);
    return made;
}

/* Whether so many can be chosen. sizes: one for each dimension of self, those of the result. */
static bool random_multinomial_sizes(const tn_tensor *self, int64_t num_samples, bool replacement, int64_t *sizes) {
    if (!tni_random_is_real(self))
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

tn_tensor *tni_op_multinomial(const tn_tensor *self, int64_t num_samples, bool replacement, tn_generator *generator) {
    int64_t sizes[2];
    if (!random_multinomial_sizes(self, num_samples, replacement, sizes))
        return NULL;
    tn_tensor *flat = random_doubles_of(self, (tn_dims){self->sizes, self->ndim}), *chosen = NULL;
    if (flat && random_weights_are_good(flat, self->sizes[self->ndim - 1]))
        chosen = replacement && num_samples > 1
                     ? random_choose_often(self, flat, (tn_dims){sizes, self->ndim}, generator)
                     : random_choose_once(self, (const double *)(const void *)tni_tensor_read(flat), num_samples, generator);
    tni_tensor_release(flat);
    return chosen;
}

/* What an out cannot take is refused before anything is drawn. */

tn_error tni_op_multinomial_out(tn_tensor *out, const tn_tensor *self, int64_t num_samples, bool replacement,
                                tn_generator *generator) {
    int64_t sizes[2];
    if (!random_multinomial_sizes(self, num_samples, replacement, sizes) ||
        !tni_result_fits(out, (tn_dims){sizes, self->ndim}, TN_INT64, TNI_RESULT_EXACT))
        return tn_error_code();
    return tni_result_move(out, tni_op_multinomial(self, num_samples, replacement, generator), TNI_RESULT_EXACT);
}

tn_error tni_op_poisson_out(tn_tensor *out, const tn_tensor *self, tn_generator *generator) {
    if (!tni_result_fits(out, (tn_dims){self->sizes, self->ndim}, self->dtype, TNI_RESULT_EXACT))
        return tn_error_code();
    return tni_result_move(out, tni_op_poisson(self, generator), TNI_RESULT_EXACT);
}

tn_error tni_op_binomial_out(tn_tensor *out, const tn_tensor *count, const tn_tensor *prob, tn_generator *generator) {
    if (!tni_result_fits(out, (tn_dims){count->sizes, count->ndim}, count->dtype, TNI_RESULT_EXACT))
        return tn_error_code();
    return tni_result_move(out, tni_op_binomial(count, prob, generator), TNI_RESULT_EXACT);
}
