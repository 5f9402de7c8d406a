/* random_counts.c - distributions that need an unknown number of draws for each element: gamma, Poisson, binomial.
 *
 * The methods are those of the literature that PyTorch uses too (Marsaglia and Tsang 2000 for gamma; Hoermann 1993 for Poisson
 * and binomial), with its constants, some of them in single precision, so that the numbers agree.
 */
#include <float.h>
#include <math.h>

#include "base/parallel.h"
#include "operators_random.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/random/random.h"
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

/* ---- all elements: the parameters are row by row, as float64 */

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
    bool raised = parameters->least > 0 && !(value > parameters->least); /* NaN too, as in PyTorch */
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
tn_tensor *tni_random_doubles_of(const tn_tensor *of, tn_dims sizes) {
    tn_tensor *wide = tni_op_expand(of, sizes);
    tn_tensor *flat =
        wide ? tni_clone_as(wide, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "parameters in double precision") : NULL;
    tni_tensor_release(wide);
    return flat;
}

static bool random_all_at_least(const tn_tensor *flat, double least, const char *name) {
    const double *values = (const double *)(const void *)tni_tensor_read(flat);
    TNI_IN_STEPS (begin, end, flat->numel)
        for (int64_t i = begin; i < end; i++)
            if (!(values[i] >= least)) {
                tni_raise(TN_ERROR_ARGUMENT, "element %" PRId64 " of %s is %g, not at least %g", i, name, values[i], least);
                return false;
            }
    return !tni_stopped();
}

/* Elements are drawn row by row, in the order of their parameters. */
static tn_error random_fill_each(tn_tensor *out, random_parameters *parameters, tn_generator *generator) {
    tn_tensor *rows = tni_result_rows(out);
    tn_error code =
        rows ? tni_random_fill(rows, generator, random_each, tni_random_blocks_each(rows->numel), parameters) : tni_failed();
    return tni_result_rows_end(out, rows, code);
}

static tn_error random_one_parameter(tn_tensor *out, const tn_tensor *self, double (*one)(double, bool, tni_source *),
                                     double least, const char *name, tn_generator *generator) {
    tn_tensor *flat = tni_random_doubles_of(self, (tn_dims){self->sizes, self->ndim});
    tn_error code = TN_OK;
    if (flat && (!name || random_all_at_least(flat, 0, name))) {
        random_parameters parameters = {.first = (const double *)(const void *)tni_tensor_read(flat),
                                        .one = one,
                                        .least = least,
                                        .narrow = out->dtype != TN_FLOAT64};
        code = random_fill_each(out, &parameters, generator);
    } else
        code = tni_failed();
    tni_tensor_release(flat);
    return code;
}

/* Rows that are gone through between two questions whether to go on. */
int64_t tni_random_rows_step(int64_t length) { return tni_max_i64(1, TNI_STEP / tni_max_i64(length, 1)); }

static double random_smallest(tn_dtype dtype) {
    return dtype == TN_FLOAT64 ? DBL_MIN : dtype == TN_FLOAT16 ? 0x1p-14 : (double)FLT_MIN;
}

/* One number of the dtype of self for each of its elements. */
static bool random_plan_each(tni_plan *plan, const tn_tensor *self, const char *argument) {
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim, self->sizes, self->dtype);
    return tni_random_is_real(self, argument);
}

bool tni_plan_poisson(tni_plan *plan, const tn_tensor *self, tn_generator *generator) {
    (void)generator;
    return random_plan_each(plan, self, "self");
}

tn_error tni_run_poisson(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_generator *generator) {
    (void)plan;
    return random_one_parameter(results[0], self, random_poisson, 0, "self", generator);
}

bool tni_plan_standard_gamma(tni_plan *plan, const tn_tensor *self, tn_generator *generator) {
    (void)generator;
    return random_plan_each(plan, self, "self");
}

tn_error tni_run_standard_gamma(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self,
                                tn_generator *generator) {
    (void)plan;
    return random_one_parameter(results[0], self, random_gamma, random_smallest(self->dtype), NULL, generator);
}

bool tni_plan_sample_dirichlet(tni_plan *plan, const tn_tensor *self, tn_generator *generator) {
    (void)generator;
    return random_plan_each(plan, self, "self");
}

/* Each line becomes its shares of its sum, which are kept away from 0 and 1 by the resolution of the dtype. */
static void random_divide_lines(double *parts, int64_t lines, int64_t length, tn_dtype dtype) {
    double least = random_smallest(dtype), most = 1 - (dtype == TN_FLOAT64    ? DBL_EPSILON
                                                       : dtype == TN_FLOAT32  ? (double)FLT_EPSILON
                                                       : dtype == TN_BFLOAT16 ? 0x1p-7
                                                                              : 0x1p-10) /
                                                          2;
    TNI_IN_STEPS_OF (tni_random_rows_step(length), first, last, lines)
        for (int64_t line = first; line < last; line++, parts += length) {
            double sum = 0;
            TNI_IN_STEPS (begin, end, length)
                for (int64_t i = begin; i < end; i++)
                    sum += parts[i];
            TNI_IN_STEPS (begin, end, length)
                for (int64_t i = begin; i < end; i++) {
                    parts[i] /= sum;
                    parts[i] = parts[i] < least ? least : parts[i] > most ? most : parts[i];
                }
        }
}

tn_error tni_run_sample_dirichlet(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self,
                                  tn_generator *generator) {
    (void)plan;
    bool direct = self->dtype == TN_FLOAT64;
    tn_tensor *gamma = direct ? results[0] : tni_tensor_new(self->ndim, self->sizes, TN_FLOAT64, TN_DEVICE_CPU);
    tn_error code = gamma ? random_one_parameter(gamma, self, random_gamma, DBL_MIN, NULL, generator) : tni_failed();
    if (code == TN_OK && self->numel > 0) {
        int64_t length = self->ndim == 0 ? 1 : self->sizes[self->ndim - 1];
        random_divide_lines((double *)(void *)tni_tensor_write(gamma), self->numel / length, length, self->dtype);
    }
    if (direct)
        return code;
    if (code == TN_OK)
        code = tni_copy_into(results[0], gamma, "parts in the dtype of self");
    tni_tensor_release(gamma);
    return code;
}

bool tni_plan_binomial(tni_plan *plan, const tn_tensor *count, const tn_tensor *prob, tn_generator *generator) {
    (void)generator;
    if (!random_plan_each(plan, count, "count") || !tni_random_is_real(prob, "prob"))
        return false;
    if (count->dtype != prob->dtype) {
        tni_raise(TN_ERROR_DTYPE, "count is %s and prob is %s; they must have the same dtype", tn_dtype_name(count->dtype),
                  tn_dtype_name(prob->dtype));
        return false;
    }
    return tni_random_expands(prob, "prob", (tn_dims){count->sizes, count->ndim});
}

tn_error tni_run_binomial(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *count, const tn_tensor *prob,
                          tn_generator *generator) {
    (void)plan;
    tn_dims sizes = {count->sizes, count->ndim};
    tn_tensor *counts = tni_random_doubles_of(count, sizes), *chances = counts ? tni_random_doubles_of(prob, sizes) : NULL;
    tn_error code = TN_OK;
    if (chances) {
        random_parameters parameters = {.first = (const double *)(const void *)tni_tensor_read(counts),
                                        .second = (const double *)(const void *)tni_tensor_read(chances),
                                        .two = random_binomial,
                                        .narrow = count->dtype != TN_FLOAT64};
        code = random_fill_each(results[0], &parameters, generator);
    } else
        code = tni_failed();
    tni_tensor_release(counts);
    tni_tensor_release(chances);
    return code;
}
