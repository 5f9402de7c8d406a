/* statistics_covariance.c - cov and corrcoef: how the rows of a matrix vary together.
 *
 * Means and products are formed in double (or complex128) from the centred rows, and rounded once; what depends only on the
 * weights is rounded to their dtype, as in PyTorch. For more than a few rows the products are one matrix product of the centred rows,
 * weighted and not, in double too. Row i, column j of the result and row j, column i are one number, so the
 * result is exactly symmetric.
 */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/warn.h"
#include "iterate/product.h"
#include "iterate/promote.h"
#include "operators_statistics.h"
#include "ops/copy/copy.h"
#include "ops/limits.h"

/* rows: (variables, count) numbers of one or two doubles, centred; target: (variables, variables) */
typedef struct covariance_job {
    double *target;
    double *rows;
    double *weighted;      /* the same, each observation times its weight */
    const double *weights; /* of the observations; NULL: all 1 */
    int64_t variables, count;
    bool complex;
    double total;  /* of the weights                  */
    double factor; /* what the products are divided by */
} covariance_job;

static void covariance_centre(void *argument, int64_t begin, int64_t end) {
    const covariance_job *job = argument;
    int64_t parts = job->complex ? 2 : 1;
    for (int64_t i = begin; i < end; i++)
        for (int64_t part = 0; part < parts; part++) {
            double *row = job->rows + i * job->count * parts + part, sum = 0;
            TNI_IN_STEPS (from, to, job->count)
                for (int64_t k = from; k < to; k++)
                    sum += row[k * parts] * (job->weights ? job->weights[k] : 1);
            double mean = sum / job->total;
            TNI_IN_STEPS (from, to, job->count)
                for (int64_t k = from; k < to; k++)
                    row[k * parts] -= mean;
        }
}

/* Adds a times the conjugate of b to the two parts of a sum, from one observation to another. */
static void covariance_add(const covariance_job *job, const double *a, const double *b, int64_t from, int64_t to, double *sum) {
    const double *weights = job->weights;
    double real = sum[0], imag = sum[1];
    if (job->complex)
        for (int64_t k = from; k < to; k++) {
            double weight = weights ? weights[k] : 1;
            real += weight * (a[2 * k] * b[2 * k] + a[2 * k + 1] * b[2 * k + 1]);
            imag += weight * (a[2 * k + 1] * b[2 * k] - a[2 * k] * b[2 * k + 1]);
        }
    else
        for (int64_t k = from; k < to; k++)
            real += (weights ? weights[k] : 1) * (a[k] * b[k]);
    sum[0] = real;
    sum[1] = imag;
}

static void covariance_products(void *argument, int64_t begin, int64_t end) {
    const covariance_job *job = argument;
    int64_t parts = job->complex ? 2 : 1, width = job->count * parts;
    for (int64_t i = begin; i < end; i++)
        for (int64_t j = i; j < job->variables && (j % 16 != 0 || !tni_stopped()); j++) {
            const double *a = job->rows + i * width, *b = job->rows + j * width;
            double sum[2] = {0, 0};
            TNI_IN_STEPS (from, to, job->count)
                covariance_add(job, a, b, from, to, sum);
            double real = sum[0], imag = sum[1];
            double *one = job->target + (i * job->variables + j) * parts,
                   *other = job->target + (j * job->variables + i) * parts;
            *one = *other = real / job->factor;
            if (job->complex) {
                one[1] = i == j ? 0 * real / job->factor : imag / job->factor;
                other[1] = -one[1];
            }
        }
}

/* ---- the same through the engine of matrix products */

#ifndef TN_WITHOUT_PRODUCT
static void covariance_weigh_rows(void *argument, int64_t begin, int64_t end) {
    const covariance_job *job = argument;
    int64_t parts = job->complex ? 2 : 1;
    for (int64_t i = begin; i < end; i++)
        for (int64_t k = 0; k < job->count * parts; k++)
            job->weighted[i * job->count * parts + k] = job->rows[i * job->count * parts + k] * job->weights[k / parts];
}

/* What the sums become: divided, and the lower triangle the conjugate of the upper one. */
static void covariance_mirror(const covariance_job *job) {
    int64_t parts = job->complex ? 2 : 1, many = job->variables;
    TNI_IN_STEPS_OF (tni_max_i64(1, TNI_STEP / many), from, to, many)
        for (int64_t i = from; i < to; i++)
            for (int64_t j = i; j < many; j++) {
                double *one = job->target + (i * many + j) * parts, *other = job->target + (j * many + i) * parts;
                *one = *other = *one / job->factor;
                if (job->complex) {
                    one[1] = i == j ? 0 * one[0] : one[1] / job->factor;
                    other[1] = -one[1];
                }
            }
}

static tn_error covariance_multiply(covariance_job *job, const tn_tensor *rows) {
    tn_tensor *weighted = NULL;
    job->weighted = job->rows;
    if (job->weights) {
        if (!(weighted = tni_tensor_new(2, (int64_t[]){job->variables, job->count}, rows->dtype, TN_DEVICE_CPU)))
            return tni_failed();
        job->weighted = (void *)tni_tensor_write(weighted);
        tni_parallel_for(job->variables, tni_max_i64(1, COVARIANCE_PIECE / job->count), covariance_weigh_rows, job);
    }
    tni_product product;
    tni_product_begin(&product, job->variables, job->variables, job->count);
    product.compute = rows->dtype;
    product.a = (tni_product_operand){.data = job->weighted, .row = job->count, .column = 1, .dtype = rows->dtype};
    product.b = (tni_product_operand){
        .data = job->rows, .row = 1, .column = job->count, .dtype = rows->dtype, .conjugate = job->complex};
    product.c = (tni_product_operand){.data = job->target, .row = job->variables, .column = 1, .dtype = rows->dtype};
    tn_error code = tni_product_run(&product);
    if (code == TN_OK)
        covariance_mirror(job);
    tni_tensor_release(weighted);
    return code;
}
#endif

/* ---- weights */

static bool covariance_check_weights(const tn_tensor *weights, const char *name, bool integral, int64_t count) {
    if (!weights)
        return true;
    bool kind = integral ? tn_dtype_is_integral(weights->dtype) : tn_dtype_is_floating(weights->dtype);
    if (kind && weights->ndim <= 1 && weights->numel == count)
        return true;
    tni_raise(kind ? TN_ERROR_SHAPE : TN_ERROR_DTYPE,
              "%s %s must be %" PRId64 " %s numbers, one for each observation, in one dimension", name,
              tni_show_tensor(weights), count, integral ? "whole" : "floating");
    return false;
}

static bool covariance_weights_are_positive(const tn_tensor *weights, const char *name) {
    const double *values = (const void *)tni_tensor_read(weights);
    TNI_IN_STEPS (begin, end, weights->numel)
        for (int64_t i = begin; i < end; i++)
            if (values[i] < 0) {
                tni_raise(TN_ERROR_ARGUMENT, "%s[%" PRId64 "] = %g is negative", name, i, values[i]);
                return false;
            }
    return true;
}

static tn_tensor *covariance_wide(const tn_tensor *tensor, tn_dtype dtype) {
    return tni_clone_as(tensor, dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, "covariances are formed in double");
}

static double covariance_rounded(double value, const tn_tensor *aweights) {
    double rounded = value;
    if (aweights && tni_dtype_size(aweights->dtype) < sizeof(double)) {
        uint32_t narrow; /* room for any such float */
        if (tn_dtype_convert(aweights->dtype, &narrow, TN_FLOAT64, &value, 1) == TN_OK)
            (void)tn_dtype_convert(TN_FLOAT64, &rounded, aweights->dtype, &narrow, 1);
    }
    return rounded;
}

/* The product of both kinds of weights in *weights, which stays NULL without any, and what depends on them. */
static bool covariance_weigh(const tn_tensor *fweights, const tn_tensor *aweights, int64_t correction, covariance_job *job,
                             tn_tensor **weights) {
    tn_tensor *often = fweights ? covariance_wide(fweights, TN_FLOAT64) : NULL;
    tn_tensor *important = aweights ? covariance_wide(aweights, TN_FLOAT64) : NULL;
    bool good = (!fweights || often) && (!aweights || important) &&
                (!often || covariance_weights_are_positive(often, "fweights")) &&
                (!important || covariance_weights_are_positive(important, "aweights"));
    job->total = (double)job->count;
    double reduced = (double)correction;
    *weights = NULL;
    if (good && (often || important)) {
        *weights = tni_tensor_retain(often ? often : important);
        double *product = (void *)tni_tensor_write(*weights);
        const double *second = often && important ? (const void *)tni_tensor_read(important) : NULL;
        double total = 0, squares = 0;
        TNI_IN_STEPS (begin, end, job->count)
            for (int64_t k = begin; k < end; k++) {
                double importance = important ? (second ? second[k] : product[k]) : 1;
                product[k] = covariance_rounded(product[k] * (second ? second[k] : 1), aweights);
                total += product[k];
                squares += covariance_rounded(product[k] * importance, aweights);
            }
        good = !tni_stopped();
        job->weights = product;
        job->total = total = covariance_rounded(total, aweights);
        if (important)
            reduced = covariance_rounded((double)correction * covariance_rounded(squares, aweights), aweights) / total;
        if (good && total == 0) {
            tni_raise(TN_ERROR_ARGUMENT, "the weights add up to 0");
            good = false;
        }
        if (!good)
            tni_tensor_release(*weights);
    }
    job->factor =
        correction ? fmax(covariance_rounded(job->total - covariance_rounded(reduced, aweights), aweights), 0) : job->total;
    tni_tensor_release(important);
    tni_tensor_release(often);
    return good;
}

/* ---- cov */

/* The matrix in double, in `wide`. */
static tn_error covariance_compute(const tn_tensor *self, tn_tensor *wide, covariance_job *job) {
    tn_tensor *rows = covariance_wide(self, wide->dtype);
    tn_error code = TN_OK;
    if (!rows)
        return tni_failed();
    if (wide->numel > 0) {
        double nothing = 0; /* without observations there is no memory either, and nothing is read */
        job->rows = rows->numel ? (void *)tni_tensor_write(rows) : &nothing;
        job->target = (void *)tni_tensor_write(wide);
        int64_t work = tni_max_i64(job->count, 1) * tni_min_i64(job->variables, COVARIANCE_PIECE);
        tni_parallel_for(job->variables, tni_max_i64(1, COVARIANCE_PIECE / tni_max_i64(job->count, 1)), covariance_centre, job);
#ifndef TN_WITHOUT_PRODUCT
        if (job->variables > COVARIANCE_FEW && job->count > 0)
            code = covariance_multiply(job, rows);
        else
#endif
            tni_parallel_for(job->variables, tni_max_i64(1, COVARIANCE_PIECE / work), covariance_products, job);
    }
    tni_tensor_release(rows);
    return code;
}

static covariance_job covariance_of(const tn_tensor *self) {
    return (covariance_job){.variables = self->ndim == 2 ? self->sizes[0] : 1,
                            .count = self->ndim ? self->sizes[self->ndim - 1] : 1,
                            .complex = tn_dtype_is_complex(self->dtype)};
}

/* In double, with the dimensions torch gives: none for one variable. */
static tn_error covariance_fill(tn_tensor *wide, const tn_tensor *self, int64_t correction, const tn_tensor *fweights,
                                const tn_tensor *aweights) {
    covariance_job job = covariance_of(self);
    tn_tensor *weights;
    if (!covariance_weigh(fweights, aweights, correction, &job, &weights))
        return tni_failed();
    if (job.factor <= 0)
        tni_warn("%" PRId64 " observations minus a correction of %" PRId64
                 " leave no degrees of freedom, so their spread is not defined",
                 job.count, correction);
    tn_error code = covariance_compute(self, wide, &job);
    tni_tensor_release(weights);
    return code;
}

static bool covariance_plan(tni_plan *plan, const tn_tensor *self, tn_dtype dtype) {
    if (self->ndim > 2) {
        tni_raise(TN_ERROR_SHAPE, "self must have at most 2 dimensions, it is %s", tni_show_tensor(self));
        return false;
    }
    if (self->dtype == TN_BOOL) {
        tni_raise(TN_ERROR_DTYPE, "not defined for bool: convert self %s with to", tni_show_tensor(self));
        return false;
    }
    int64_t variables = covariance_of(self).variables;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, variables == 1 ? 0 : 2, (int64_t[]){variables, variables},
                 tn_dtype_is_integral(dtype) ? tn_default_dtype() : dtype);
    return true;
}

/* The tensor that is filled in double: the result, or one from which the result is rounded at the end. */
static tn_tensor *covariance_begin(tn_tensor *result) {
    tn_dtype compute = tn_dtype_is_complex(result->dtype) ? TN_COMPLEX128 : TN_FLOAT64;
    return result->dtype == compute ? tni_tensor_retain(result)
                                    : tni_tensor_new(result->ndim, result->sizes, compute, TN_DEVICE_CPU);
}

static tn_error covariance_round(tn_tensor *result, tn_tensor *wide, tn_error code) {
    if (code == TN_OK && wide != result)
        code = tni_copy_into(result, wide, "covariances are formed in double");
    tni_tensor_release(wide);
    return code;
}

bool tni_plan_cov(tni_plan *plan, const tn_tensor *self, int64_t correction, const tn_tensor *fweights,
                  const tn_tensor *aweights) {
    (void)correction;
    tn_dtype dtype = aweights ? tni_promote(self->dtype, aweights->dtype) : (tn_dtype)self->dtype;
    int64_t count = covariance_of(self).count;
    if (dtype == TN_DTYPE_DEFAULT) {
        tni_raise(TN_ERROR_DTYPE, "there is no dtype for both self %s and aweights %s", tni_show_tensor(self),
                  tni_show_tensor(aweights));
        return false;
    }
    return covariance_plan(plan, self, dtype) && covariance_check_weights(fweights, "fweights", true, count) &&
           covariance_check_weights(aweights, "aweights", false, count);
}

tn_error tni_run_cov(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t correction,
                     const tn_tensor *fweights, const tn_tensor *aweights) {
    (void)plan;
    tn_tensor *wide = covariance_begin(results[0]);
    return wide ? covariance_round(results[0], wide, covariance_fill(wide, self, correction, fweights, aweights))
                : tni_failed();
}

/* ---- corrcoef */

static double covariance_limit(double value) { return value > 1 ? 1 : value < -1 ? -1 : value; }

/* Covariances become correlations. */
static void covariance_normalise(tn_tensor *wide) {
    int64_t count = wide->ndim ? wide->sizes[0] : 1, parts = tn_dtype_is_complex(wide->dtype) ? 2 : 1;
    double *values = (void *)tni_tensor_write(wide);
    for (int64_t i = 0; i < count; i++) /* the diagonal last: the others need it */
        for (int64_t j = 0; j < count; j++) {
            double deviations = sqrt(values[i * (count + 1) * parts]) * sqrt(values[j * (count + 1) * parts]);
            for (int64_t part = 0; part < parts && i != j; part++) {
                double *value = &values[(i * count + j) * parts + part];
                *value = covariance_limit(*value / deviations);
            }
        }
    for (int64_t i = 0; i < count; i++)
        for (int64_t part = 0; part < parts; part++) {
            double *value = &values[i * (count + 1) * parts];
            value[part] = part ? 0 * value[0] : covariance_limit(value[0] / value[0]);
        }
}

bool tni_plan_corrcoef(tni_plan *plan, const tn_tensor *self) { return covariance_plan(plan, self, self->dtype); }

tn_error tni_run_corrcoef(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self) {
    (void)plan;
    tn_tensor *wide = covariance_begin(results[0]);
    tn_error code = wide ? covariance_fill(wide, self, 1, NULL, NULL) : tni_failed();
    if (code == TN_OK && wide->numel > 0)
        covariance_normalise(wide);
    return wide ? covariance_round(results[0], wide, code) : code;
}
