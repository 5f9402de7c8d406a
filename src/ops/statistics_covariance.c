/* statistics_covariance.c - cov and corrcoef: how the rows of a matrix vary together.
 *
 * Means and products are formed in double (or complex128) from the centred rows, and rounded once; what is made of the weights
 * alone is rounded to their dtype, as in PyTorch. Row i, column j of the
 * result and row j, column i are one number, so the result is exactly symmetric.
 */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "iterate/promote.h"
#include "operator_impls.h"
#include "ops/copy.h"

enum { COVARIANCE_PIECE = 64 << 10 }; /* products that are worth handing to another thread */

/* rows: (variables, count) numbers of one or two doubles, centred; target: (variables, variables) */
typedef struct covariance_job {
    double *target;
    double *rows;
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
            for (int64_t k = 0; k < job->count; k++)
                sum += row[k * parts] * (job->weights ? job->weights[k] : 1);
            for (int64_t k = 0; k < job->count; k++)
                row[k * parts] -= sum / job->total;
        }
}

static void covariance_products(void *argument, int64_t begin, int64_t end) {
    const covariance_job *job = argument;
    int64_t parts = job->complex ? 2 : 1, width = job->count * parts;
    for (int64_t i = begin; i < end; i++)
        for (int64_t j = i; j < job->variables; j++) {
            const double *a = job->rows + i * width, *b = job->rows + j * width;
            double real = 0, imag = 0;
            for (int64_t k = 0; k < job->count; k++) { /* a times the conjugate of b */
                double weight = job->weights ? job->weights[k] : 1;
                if (job->complex) {
                    real += weight * (a[2 * k] * b[2 * k] + a[2 * k + 1] * b[2 * k + 1]);
                    imag += weight * (a[2 * k + 1] * b[2 * k] - a[2 * k] * b[2 * k + 1]);
                } else {
                    real += weight * (a[k] * b[k]);
                }
            }
            double *one = job->target + (i * job->variables + j) * parts,
                   *other = job->target + (j * job->variables + i) * parts;
            *one = *other = real / job->factor;
            if (job->complex) {
                one[1] = i == j ? 0 * real / job->factor : imag / job->factor;
                other[1] = -one[1];
            }
        }
}

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
    for (int64_t i = 0; i < weights->numel; i++)
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
        for (int64_t k = 0; k < job->count; k++) {
            double importance = important ? (second ? second[k] : product[k]) : 1;
            product[k] = covariance_rounded(product[k] * (second ? second[k] : 1), aweights);
            total += product[k];
            squares += covariance_rounded(product[k] * importance, aweights);
        }
        job->weights = product;
        job->total = total = covariance_rounded(total, aweights);
        if (important)
            reduced = covariance_rounded((double)correction * covariance_rounded(squares, aweights), aweights) / total;
        if (total == 0) {
            tni_raise(TN_ERROR_ARGUMENT, "the weights add up to 0");
            tni_tensor_release(*weights);
            good = false;
        }
    }
    job->factor =
        correction ? fmax(covariance_rounded(job->total - covariance_rounded(reduced, aweights), aweights), 0) : job->total;
    tni_tensor_release(important);
    tni_tensor_release(often);
    return good;
}

/* ---- cov */

/* The matrix in double; NULL with the error raised. */
static tn_tensor *covariance_compute(const tn_tensor *self, covariance_job *job) {
    int64_t sizes[2] = {job->variables, job->variables};
    tn_dtype compute = job->complex ? TN_COMPLEX128 : TN_FLOAT64;
    tn_tensor *rows = covariance_wide(self, compute), *wide = rows ? tni_tensor_new(2, sizes, compute, TN_DEVICE_CPU) : NULL;
    if (wide && wide->numel > 0) {
        double nothing = 0; /* where there are no observations there is no memory either, and nothing is read */
        job->rows = rows->numel ? (void *)tni_tensor_write(rows) : &nothing;
        job->target = (void *)tni_tensor_write(wide);
        int64_t work = tni_max_i64(job->count, 1) * tni_min_i64(job->variables, COVARIANCE_PIECE);
        tni_parallel_for(job->variables, tni_max_i64(1, COVARIANCE_PIECE / tni_max_i64(job->count, 1)), covariance_centre, job);
        tni_parallel_for(job->variables, tni_max_i64(1, COVARIANCE_PIECE / work), covariance_products, job);
    }
    tni_tensor_release(rows);
    return wide;
}

/* In double, with the dimensions torch gives: none for one variable. */
static tn_tensor *covariance_wide_matrix(const tn_tensor *self, int64_t correction, const tn_tensor *fweights,
                                         const tn_tensor *aweights) {
    if (self->ndim > 2)
        return tni_raise_null(TN_ERROR_SHAPE, "self must have at most 2 dimensions, it is %s", tni_show_tensor(self));
    if (self->dtype == TN_BOOL)
        return tni_raise_null(TN_ERROR_DTYPE, "not defined for bool: convert self %s with to", tni_show_tensor(self));
    covariance_job job = {.variables = self->ndim == 2 ? self->sizes[0] : 1,
                          .count = self->ndim ? self->sizes[self->ndim - 1] : 1,
                          .complex = tn_dtype_is_complex(self->dtype)};
    if (!covariance_check_weights(fweights, "fweights", true, job.count) ||
        !covariance_check_weights(aweights, "aweights", false, job.count))
        return NULL;
    tn_tensor *weights;
    if (!covariance_weigh(fweights, aweights, correction, &job, &weights))
        return NULL;
    tn_tensor *wide = covariance_compute(self, &job);
    tni_tensor_release(weights);
    if (!wide || job.variables != 1)
        return wide;
    tn_tensor *number = tni_op_view(wide, (tn_dims){NULL, 0});
    tni_tensor_release(wide);
    return number;
}

/* `wide` is taken over. */
static tn_tensor *covariance_round(tn_tensor *wide, tn_dtype dtype) {
    tn_tensor *result = wide ? tni_op_to(wide, tn_dtype_is_integral(dtype) ? tn_default_dtype() : dtype) : NULL;
    tni_tensor_release(wide);
    return result;
}

tn_tensor *tni_op_cov(const tn_tensor *self, int64_t correction, const tn_tensor *fweights, const tn_tensor *aweights) {
    tn_dtype dtype = aweights ? tni_promote(self->dtype, aweights->dtype) : (tn_dtype)self->dtype;
    if (dtype == TN_DTYPE_DEFAULT)
        return tni_raise_null(TN_ERROR_DTYPE, "there is no dtype for both self %s and aweights %s", tni_show_tensor(self),
                              tni_show_tensor(aweights));
    return covariance_round(covariance_wide_matrix(self, correction, fweights, aweights), dtype);
}

/* ---- corrcoef */

static double covariance_limit(double value) { return value > 1 ? 1 : value < -1 ? -1 : value; }

tn_tensor *tni_op_corrcoef(const tn_tensor *self) {
    tn_tensor *wide = covariance_wide_matrix(self, 1, NULL, NULL);
    if (!wide || wide->numel == 0)
        return covariance_round(wide, self->dtype);
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
    return covariance_round(wide, self->dtype);
}
