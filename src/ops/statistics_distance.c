/* statistics_distance.c - distances between all pairs of rows: cdist, pdist.
 *
 * Differences are formed and added in double, so that close points have exact distances; torch's detour through a matrix
 * product, which loses them, is not taken for any compute mode. The order of the additions depends on the length of a row alone.
 */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "operator_impls.h"
#include "ops/copy.h"

enum { DISTANCE_PIECE = 64 << 10 }; /* differences that are worth handing to another thread */

typedef double (*distance_function)(const double *a, const double *b, int64_t count, double p);

static double distance_sum(const double *a, const double *b, int64_t count, double p) {
    double sum = 0;
    (void)p;
    for (int64_t i = 0; i < count; i++)
        sum += fabs(a[i] - b[i]);
    return sum;
}

static double distance_euclid(const double *a, const double *b, int64_t count, double p) {
    double sums[4] = {0, 0, 0, 0}; /* several at once: an addition waits for the one before it */
    int64_t i = 0;
    (void)p;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++)
            sums[k] += (a[i + k] - b[i + k]) * (a[i + k] - b[i + k]);
    for (; i < count; i++)
        sums[0] += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

static double distance_largest(const double *a, const double *b, int64_t count, double p) {
    double largest = 0;
    (void)p;
    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(a[i] - b[i])); /* a NaN is passed over, as torch does in cdist */
    return largest;
}

/* And as it does in pdist. */
static double distance_largest_or_nan(const double *a, const double *b, int64_t count, double p) {
    double largest = 0;
    (void)p;
    for (int64_t i = 0; i < count; i++) {
        double apart = fabs(a[i] - b[i]);
        largest = apart > largest || isnan(apart) ? apart : largest; /* nothing is above a NaN */
    }
    return largest;
}

static double distance_count(const double *a, const double *b, int64_t count, double p) {
    double sum = 0;
    (void)p;
    for (int64_t i = 0; i < count; i++)
        sum += isnan(a[i] - b[i]) ? a[i] - b[i] : a[i] != b[i];
    return sum;
}

static double distance_power(const double *a, const double *b, int64_t count, double p) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += pow(fabs(a[i] - b[i]), p);
    return pow(sum, 1 / p);
}

static distance_function distance_for(double p) {
    return p == 0     ? distance_count
           : p == 1   ? distance_sum
           : p == 2   ? distance_euclid
           : isinf(p) ? distance_largest
                      : distance_power;
}

static bool distance_check(const tn_tensor *x, const char *name, double p) {
    if (!tn_dtype_is_floating(x->dtype))
        tni_raise(TN_ERROR_DTYPE, "%s must be floating, it is %s", name, tni_show_tensor(x));
    else if (!(p >= 0))
        tni_raise(TN_ERROR_ARGUMENT, "p = %g must not be negative", p);
    else
        return true;
    return false;
}

static tn_tensor *distance_operand(const tn_tensor *x) {
    if (x->dtype == TN_FLOAT64 && tni_tensor_is_contiguous(x))
        return tni_tensor_retain(x);
    return tni_clone_as(x, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "distances are formed in double");
}

/* Results are rounded from double in one step at the end; `wide` is taken over. */
static tn_tensor *distance_round(tn_tensor *wide, tn_dtype dtype) {
    tn_tensor *result = wide ? tni_op_to(wide, dtype) : NULL;
    tni_tensor_release(wide);
    return result;
}

/* ---- cdist */

/* a: (batches of a, rows, length), b: (batches of b, columns, length), target: (batches, rows, columns) */
typedef struct distance_job {
    double *target;
    const double *a, *b;
    int64_t rows, columns, length;
    int64_t ndim; /* of the batch */
    const int64_t *sizes;
    int64_t strides[2][TN_MAX_DIMS]; /* of a and b, in batches */
    double p;
    distance_function function;
} distance_job;

static void distance_run(void *argument, int64_t begin, int64_t end) {
    const distance_job *job = argument;
    for (int64_t n = begin; n < end; n++) {
        int64_t rest = n / job->rows, batch[2] = {0, 0};
        for (int64_t d = job->ndim - 1; d >= 0; d--) {
            batch[0] += rest % job->sizes[d] * job->strides[0][d];
            batch[1] += rest % job->sizes[d] * job->strides[1][d];
            rest /= job->sizes[d];
        }
        const double *a = job->a + (batch[0] * job->rows + n % job->rows) * job->length;
        const double *b = job->b + batch[1] * job->columns * job->length;
        for (int64_t j = 0; j < job->columns; j++)
            job->target[n * job->columns + j] = job->function(a, b + j * job->length, job->length, job->p);
    }
}

/* How far one step in a dimension of the common batch goes among the batches of x. */
static void distance_batch_strides(const tn_tensor *x, int64_t ndim, int64_t *strides) {
    int64_t stride = 1, lead = ndim - (x->ndim - 2);
    for (int64_t d = ndim - 1; d >= 0; d--) {
        int64_t size = d < lead ? 1 : x->sizes[d - lead];
        strides[d] = size == 1 ? 0 : stride;
        stride *= size;
    }
}

/* Rows of no elements have no memory, and nothing of them is read. */
static const double *distance_elements(const tn_tensor *rows) {
    static const double nothing = 0;
    return rows->numel ? (const void *)tni_tensor_read(rows) : &nothing;
}

static tn_tensor *distance_compute(const tn_tensor *x1, const tn_tensor *x2, double p, int64_t ndim, const int64_t *sizes) {
    tn_tensor *wide = tni_tensor_new(ndim, sizes, TN_FLOAT64, TN_DEVICE_CPU);
    tn_tensor *a = wide ? distance_operand(x1) : NULL, *b = a ? distance_operand(x2) : NULL;
    if (b && wide->numel > 0) {
        distance_job job = {.target = (void *)tni_tensor_write(wide),
                            .a = distance_elements(a),
                            .b = distance_elements(b),
                            .rows = sizes[ndim - 2],
                            .columns = sizes[ndim - 1],
                            .length = x1->sizes[x1->ndim - 1],
                            .ndim = ndim - 2,
                            .sizes = sizes,
                            .p = p,
                            .function = distance_for(p)};
        distance_batch_strides(x1, ndim - 2, job.strides[0]);
        distance_batch_strides(x2, ndim - 2, job.strides[1]);
        int64_t work = tni_max_i64(job.length, 1) * tni_min_i64(job.columns, DISTANCE_PIECE);
        tni_parallel_for(wide->numel / job.columns, tni_max_i64(1, DISTANCE_PIECE / work), distance_run, &job);
    }
    tni_tensor_release(a);
    if (b) {
        tni_tensor_release(b);
        return wide;
    }
    tni_tensor_release(wide);
    return NULL;
}

tn_tensor *tni_op_cdist(const tn_tensor *x1, const tn_tensor *x2, double p) {
    if (!distance_check(x1, "x1", p) || !distance_check(x2, "x2", p))
        return NULL;
    if (x1->dtype != x2->dtype)
        return tni_raise_null(TN_ERROR_DTYPE, "x1 %s and x2 %s must have the same dtype", tni_show_tensor(x1),
                              tni_show_tensor(x2));
    if (x1->ndim < 2 || x2->ndim < 2 || x1->sizes[x1->ndim - 1] != x2->sizes[x2->ndim - 1])
        return tni_raise_null(TN_ERROR_SHAPE, "x1 %s and x2 %s must have at least 2 dimensions, and rows of the same length",
                              tni_show_tensor(x1), tni_show_tensor(x2));
    int64_t ndim, sizes[TN_MAX_DIMS];
    if (tn_geometry_broadcast((tn_dims){x1->sizes, x1->ndim - 2}, (tn_dims){x2->sizes, x2->ndim - 2}, &ndim, sizes, NULL) !=
        TN_GEOMETRY_OK)
        return tni_raise_null(TN_ERROR_SHAPE, "x1 %s and x2 %s: what comes before the last 2 dimensions cannot be broadcast",
                              tni_show_tensor(x1), tni_show_tensor(x2));
    sizes[ndim] = x1->sizes[x1->ndim - 2];
    sizes[ndim + 1] = x2->sizes[x2->ndim - 2];
    return distance_round(distance_compute(x1, x2, p, ndim + 2, sizes), x1->dtype);
}

tn_tensor *tni_op_cdist_compute_mode(const tn_tensor *x1, const tn_tensor *x2, double p, const char *compute_mode) {
    static const char *const modes[] = {"use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist",
                                        "donot_use_mm_for_euclid_dist"};
    for (size_t i = 0; i < TNI_COUNT_OF(modes); i++)
        if (strcmp(compute_mode, modes[i]) == 0)
            return tni_op_cdist(x1, x2, p);
    return tni_raise_null(TN_ERROR_ARGUMENT, "compute_mode '%.40s' must be '%s', '%s' or '%s'", compute_mode, modes[0],
                          modes[1], modes[2]);
}

/* ---- pdist */

/* rows: (count, length); target: for each row, its distances to the rows after it */
typedef struct distance_pairs {
    double *target;
    const double *rows;
    int64_t count, length;
    double p;
    distance_function function;
} distance_pairs;

static void distance_run_pairs(void *argument, int64_t begin, int64_t end) {
    const distance_pairs *pairs = argument;
    for (int64_t i = begin; i < end; i++) {
        double *target = pairs->target + (i * (pairs->count - 1) - i * (i - 1) / 2); /* count - 1, count - 2, ... before it */
        const double *row = pairs->rows + i * pairs->length;
        for (int64_t j = i + 1; j < pairs->count; j++)
            *target++ = pairs->function(row, pairs->rows + j * pairs->length, pairs->length, pairs->p);
    }
}

tn_tensor *tni_op_pdist(const tn_tensor *self, double p) {
    if (!distance_check(self, "self", p))
        return NULL;
    if (self->ndim != 2)
        return tni_raise_null(TN_ERROR_SHAPE, "self must have 2 dimensions, it is %s", tni_show_tensor(self));
    int64_t count = self->sizes[0], many;
    if (tni_mul_overflows(count, count - 1, &many))
        return tni_raise_null(TN_ERROR_SHAPE, "self %s has more than 2^63 pairs of rows", tni_show_tensor(self));
    many /= 2;
    tn_tensor *wide = tni_tensor_new(1, &many, TN_FLOAT64, TN_DEVICE_CPU), *rows = wide ? distance_operand(self) : NULL;
    if (rows && many > 0) {
        distance_pairs pairs = {.target = (void *)tni_tensor_write(wide),
                                .rows = distance_elements(rows),
                                .count = count,
                                .length = self->sizes[1],
                                .p = p,
                                .function = isinf(p) ? distance_largest_or_nan : distance_for(p)};
        int64_t work = tni_max_i64(pairs.length, 1) * tni_min_i64(count, DISTANCE_PIECE);
        tni_parallel_for(count, tni_max_i64(1, DISTANCE_PIECE / work), distance_run_pairs, &pairs);
    }
    if (!rows) {
        tni_tensor_release(wide);
        return NULL;
    }
    tni_tensor_release(rows);
    return distance_round(wide, self->dtype);
}
