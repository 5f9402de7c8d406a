/* statistics_distance.c - distances between all pairs of rows: cdist, pdist.
 *
 * Differences are formed and added in double, so that close points have exact distances. The order of the additions depends only on
 * the length of a row. Euclidean distances of many rows come from a matrix product, |a|^2 + |b|^2 - 2 ab, as in PyTorch, but also in
 * double, and where that cancels so much that a float32 would show it, from the differences after all. float64 has no digits to
 * spare, and never goes that way. So a compute_mode changes nothing.
 */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "iterate/product.h"
#include "operators_statistics.h"
#include "ops/copy/copy.h"
#include "ops/limits.h"

/* What elements of two rows add to the sums of a distance. Inlined below, so that sums of short rows are never in memory. */
typedef struct distance_sums {
    double of[4];
} distance_sums;
typedef distance_sums (*distance_part)(distance_sums sums, const double *a, const double *b, int64_t count, double p);

static inline distance_sums distance_add(distance_sums sums, const double *a, const double *b, int64_t count, double p) {
    (void)p;
    for (int64_t i = 0; i < count; i++)
        sums.of[0] += fabs(a[i] - b[i]);
    return sums;
}

/* Several sums at once: an addition waits for the one before it. All but the last part of a row is whole fours. */
static inline distance_sums distance_square(distance_sums sums, const double *a, const double *b, int64_t count, double p) {
    int64_t i = 0;
    (void)p;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++)
            sums.of[k] += (a[i + k] - b[i + k]) * (a[i + k] - b[i + k]);
    for (; i < count; i++)
        sums.of[0] += (a[i] - b[i]) * (a[i] - b[i]);
    return sums;
}

static inline distance_sums distance_most(distance_sums sums, const double *a, const double *b, int64_t count, double p) {
    (void)p;
    for (int64_t i = 0; i < count; i++)
        sums.of[0] = fmax(sums.of[0], fabs(a[i] - b[i])); /* a NaN is skipped, as in torch's cdist */
    return sums;
}

/* And as in its pdist. */
static inline distance_sums distance_most_or_nan(distance_sums sums, const double *a, const double *b, int64_t count,
                                                 double p) {
    (void)p;
    for (int64_t i = 0; i < count; i++) {
        double apart = fabs(a[i] - b[i]);
        sums.of[0] = apart > sums.of[0] || isnan(apart) ? apart : sums.of[0]; /* nothing is above a NaN */
    }
    return sums;
}

static inline distance_sums distance_differ(distance_sums sums, const double *a, const double *b, int64_t count, double p) {
    (void)p;
    for (int64_t i = 0; i < count; i++)
        sums.of[0] += isnan(a[i] - b[i]) ? a[i] - b[i] : a[i] != b[i];
    return sums;
}

static inline distance_sums distance_raise(distance_sums sums, const double *a, const double *b, int64_t count, double p) {
    for (int64_t i = 0; i < count; i++)
        sums.of[0] += pow(fabs(a[i] - b[i]), p);
    return sums;
}

static TNI_NOINLINE distance_sums distance_in_steps(distance_part part, const double *a, const double *b, int64_t count,
                                                    double p) {
    distance_sums sums = {{0, 0, 0, 0}};
    TNI_IN_STEPS (begin, end, count)
        sums = part(sums, a + begin, b + begin, end - begin, p);
    return sums;
}

/* The distance of two rows, and what it is of the sums. */
typedef double (*distance_function)(const double *a, const double *b, int64_t count, double p);
#define DISTANCE(name, part, worth)                                                                                            \
    static double name(const double *a, const double *b, int64_t count, double p) {                                            \
        distance_sums sums = {{0, 0, 0, 0}};                                                                                   \
        sums = TNI_LIKELY(count <= TNI_STEP) ? part(sums, a, b, count, p) : distance_in_steps(part, a, b, count, p);           \
        return worth;                                                                                                          \
    }
DISTANCE(distance_sum, distance_add, sums.of[0])
DISTANCE(distance_euclid, distance_square, sqrt((sums.of[0] + sums.of[1]) + (sums.of[2] + sums.of[3])))
DISTANCE(distance_largest, distance_most, sums.of[0])
DISTANCE(distance_largest_or_nan, distance_most_or_nan, sums.of[0])
DISTANCE(distance_count, distance_differ, sums.of[0])
DISTANCE(distance_power, distance_raise, pow(sums.of[0], 1 / p))
#undef DISTANCE

/* Distances between two questions whether to go on. */
static int64_t distance_step(int64_t length) { return tni_max_i64(1, TNI_STEP / tni_max_i64(length, 1)); }

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

/* The tensor that is filled in double: the result, or one from which the result is rounded in one step at the end. */
static tn_tensor *distance_begin(tn_tensor *result) {
    return result->dtype == TN_FLOAT64 ? tni_tensor_retain(result)
                                       : tni_tensor_new(result->ndim, result->sizes, TN_FLOAT64, TN_DEVICE_CPU);
}

static tn_error distance_round(tn_tensor *result, tn_tensor *wide) {
    tn_error code = wide == result ? TN_OK : tni_copy_into(result, wide, "distances are formed in double");
    tni_tensor_release(wide);
    return code;
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
    double *squares[2]; /* of the lengths of all rows of a, and of b */
} distance_job;

/* Which batches of a and b a batch of the result is made of. */
static void distance_batch(const distance_job *job, int64_t rest, int64_t *batch) {
    batch[0] = batch[1] = 0;
    for (int64_t d = job->ndim - 1; d >= 0; d--) {
        batch[0] += rest % job->sizes[d] * job->strides[0][d];
        batch[1] += rest % job->sizes[d] * job->strides[1][d];
        rest /= job->sizes[d];
    }
}

static void distance_run(void *argument, int64_t begin, int64_t end) {
    const distance_job *job = argument;
    for (int64_t n = begin; n < end; n++) {
        int64_t batch[2];
        distance_batch(job, n / job->rows, batch);
        const double *a = job->a + (batch[0] * job->rows + n % job->rows) * job->length;
        const double *b = job->b + batch[1] * job->columns * job->length;
        TNI_IN_STEPS_OF (distance_step(job->length), from, to, job->columns)
            for (int64_t j = from; j < to; j++)
                job->target[n * job->columns + j] = job->function(a, b + j * job->length, job->length, job->p);
    }
}

/* How many batches of x one step in a dimension of the common batch moves. */
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

/* ---- through the engine of matrix products */

#ifndef TN_WITHOUT_PRODUCT
enum { DISTANCE_MANY = 25 }; /* rows of one side beyond which PyTorch uses a product */

static bool distance_multiplies(const tn_tensor *x1, int64_t rows, int64_t columns, double p) {
    return p == 2 && x1->dtype != TN_FLOAT64 && (rows > DISTANCE_MANY || columns > DISTANCE_MANY);
}

static double distance_of_origin(const double *row, int64_t length) {
    distance_sums sums = {{0, 0, 0, 0}};
    for (int64_t i = 0; i < length; i++)
        sums.of[i % 4] += row[i] * row[i];
    return (sums.of[0] + sums.of[1]) + (sums.of[2] + sums.of[3]);
}

static void distance_squares_run(void *argument, int64_t begin, int64_t end) {
    const distance_job *job = argument;
    for (int64_t i = begin; i < end; i++)
        job->squares[0][i] = distance_of_origin(job->a + i * job->length, job->length);
}

static void distance_other_squares_run(void *argument, int64_t begin, int64_t end) {
    const distance_job *job = argument;
    for (int64_t i = begin; i < end; i++)
        job->squares[1][i] = distance_of_origin(job->b + i * job->length, job->length);
}

/* From -2 ab to the distance. Below this part of |a|^2 + |b|^2 too few digits are left, and where something is infinite, none. */
static void distance_from_product(void *argument, int64_t begin, int64_t end) {
    const distance_job *job = argument;
    for (int64_t n = begin; n < end; n++) {
        int64_t batch[2];
        distance_batch(job, n / job->rows, batch);
        int64_t row = batch[0] * job->rows + n % job->rows, first = batch[1] * job->columns;
        double *target = job->target + n * job->columns;
        TNI_IN_STEPS_OF (distance_step(job->length), from, to, job->columns)
            for (int64_t j = from; j < to; j++) {
                double squares = job->squares[0][row] + job->squares[1][first + j], square = squares + target[j];
                target[j] = square > 0x1p-20 * squares && square < INFINITY
                                ? sqrt(square)
                                : job->function(job->a + row * job->length, job->b + (first + j) * job->length, job->length, 2);
            }
    }
}

static tn_error distance_multiply(distance_job *job, int64_t a_rows, int64_t b_rows) {
    tn_tensor *squares = tni_tensor_new(1, (int64_t[]){a_rows + b_rows}, TN_FLOAT64, TN_DEVICE_CPU);
    int64_t strides[3][TN_MAX_DIMS], size = job->rows * job->columns, grain = distance_step(job->length);
    if (!squares)
        return tni_failed();
    job->squares[0] = (void *)tni_tensor_write(squares);
    job->squares[1] = job->squares[0] + a_rows;
    tni_parallel_for(a_rows, grain, distance_squares_run, job);
    tni_parallel_for(b_rows, grain, distance_other_squares_run, job);
    for (int64_t d = job->ndim; d-- > 0; size *= job->sizes[d]) {
        strides[0][d] = job->strides[0][d] * job->rows * job->length;
        strides[1][d] = job->strides[1][d] * job->columns * job->length;
        strides[2][d] = size;
    }
    tni_product product;
    tni_product_begin(&product, job->rows, job->columns, job->length);
    product.batch_ndim = job->ndim;
    product.batch_sizes = job->sizes;
    product.compute = TN_FLOAT64;
    product.alpha = (tn_job_number){-2, -2, {-2, 0}};
    product.a = (tni_product_operand){(void *)(uintptr_t)job->a, job->length, 1, strides[0], TN_FLOAT64, false};
    product.b = (tni_product_operand){(void *)(uintptr_t)job->b, 1, job->length, strides[1], TN_FLOAT64, false};
    product.c = (tni_product_operand){job->target, job->columns, 1, strides[2], TN_FLOAT64, false};
    tn_error code = tni_product_run(&product);
    int64_t rows = size / job->columns;
    if (code == TN_OK)
        tni_parallel_for(rows, tni_max_i64(1, DISTANCE_PIECE / job->columns), distance_from_product, job);
    tni_tensor_release(squares);
    return code;
}
#endif

static tn_error distance_compute(tn_tensor *wide, const tn_tensor *x1, const tn_tensor *x2, double p) {
    tn_tensor *a = distance_operand(x1), *b = a ? distance_operand(x2) : NULL;
    tn_error code = b ? TN_OK : tni_failed();
    if (b && wide->numel > 0) {
        int64_t ndim = wide->ndim;
        distance_job job = {.target = (void *)tni_tensor_write(wide),
                            .a = distance_elements(a),
                            .b = distance_elements(b),
                            .rows = wide->sizes[ndim - 2],
                            .columns = wide->sizes[ndim - 1],
                            .length = x1->sizes[x1->ndim - 1],
                            .ndim = ndim - 2,
                            .sizes = wide->sizes,
                            .p = p,
                            .function = distance_for(p)};
        distance_batch_strides(x1, ndim - 2, job.strides[0]);
        distance_batch_strides(x2, ndim - 2, job.strides[1]);
        int64_t work = tni_max_i64(job.length, 1) * tni_min_i64(job.columns, DISTANCE_PIECE);
#ifndef TN_WITHOUT_PRODUCT
        if (job.length > 0 && distance_multiplies(x1, job.rows, job.columns, p))
            code = distance_multiply(&job, a->numel / job.length, b->numel / job.length);
        else
#endif
            tni_parallel_for(wide->numel / job.columns, tni_max_i64(1, DISTANCE_PIECE / work), distance_run, &job);
    }
    tni_tensor_release(b);
    tni_tensor_release(a);
    return code;
}

bool tni_plan_cdist(tni_plan *plan, const tn_tensor *x1, const tn_tensor *x2, double p) {
    int64_t ndim, sizes[TN_MAX_DIMS];
    if (!distance_check(x1, "x1", p) || !distance_check(x2, "x2", p))
        return false;
    if (x1->dtype != x2->dtype)
        tni_raise(TN_ERROR_DTYPE, "x1 %s and x2 %s must have the same dtype", tni_show_tensor(x1), tni_show_tensor(x2));
    else if (x1->ndim < 2 || x2->ndim < 2 || x1->sizes[x1->ndim - 1] != x2->sizes[x2->ndim - 1])
        tni_raise(TN_ERROR_SHAPE, "x1 %s and x2 %s must have at least 2 dimensions, and rows of the same length",
                  tni_show_tensor(x1), tni_show_tensor(x2));
    else if (tn_geometry_broadcast((tn_dims){x1->sizes, x1->ndim - 2}, (tn_dims){x2->sizes, x2->ndim - 2}, &ndim, sizes,
                                   NULL) != TN_GEOMETRY_OK)
        tni_raise(TN_ERROR_SHAPE, "x1 %s and x2 %s: the dimensions before the last 2 cannot be broadcast", tni_show_tensor(x1),
                  tni_show_tensor(x2));
    else {
        sizes[ndim] = x1->sizes[x1->ndim - 2];
        sizes[ndim + 1] = x2->sizes[x2->ndim - 2];
        tni_plan_begin(plan, x1);
        tni_plan_add(plan, ndim + 2, sizes, x1->dtype);
        return true;
    }
    return false;
}

tn_error tni_run_cdist(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *x1, const tn_tensor *x2, double p) {
    (void)plan;
    tn_tensor *wide = distance_begin(results[0]);
    tn_error code = wide ? distance_compute(wide, x1, x2, p) : tni_failed();
    if (code == TN_OK)
        return distance_round(results[0], wide);
    tni_tensor_release(wide);
    return code;
}

tn_tensor *tni_composite_cdist_compute_mode(const tn_tensor *x1, const tn_tensor *x2, double p, const char *compute_mode) {
    static const char *const modes[] = {"use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist",
                                        "donot_use_mm_for_euclid_dist"};
    for (size_t i = 0; i < TNI_COUNT_OF(modes); i++)
        if (strcmp(compute_mode, modes[i]) == 0)
            return tn_cdist(x1, x2, p);
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
        TNI_IN_STEPS_OF (distance_step(pairs->length), from, to, pairs->count - i - 1)
            for (int64_t j = i + 1 + from; j <= i + to; j++)
                *target++ = pairs->function(row, pairs->rows + j * pairs->length, pairs->length, pairs->p);
    }
}

bool tni_plan_pdist(tni_plan *plan, const tn_tensor *self, double p) {
    int64_t many;
    if (!distance_check(self, "self", p))
        return false;
    if (self->ndim != 2) {
        tni_raise(TN_ERROR_SHAPE, "self must have 2 dimensions, it is %s", tni_show_tensor(self));
        return false;
    }
    if (tni_mul_overflows(self->sizes[0], self->sizes[0] - 1, &many)) {
        tni_raise(TN_ERROR_SHAPE, "self %s has more than 2^63 pairs of rows", tni_show_tensor(self));
        return false;
    }
    many /= 2;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, 1, &many, self->dtype);
    return true;
}

tn_error tni_run_pdist(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, double p) {
    (void)plan;
    tn_tensor *wide = distance_begin(results[0]), *rows = wide ? distance_operand(self) : NULL;
    if (!rows) {
        tni_tensor_release(wide);
        return tni_failed();
    }
    if (wide->numel > 0) {
        distance_pairs pairs = {.target = (void *)tni_tensor_write(wide),
                                .rows = distance_elements(rows),
                                .count = self->sizes[0],
                                .length = self->sizes[1],
                                .p = p,
                                .function = isinf(p) ? distance_largest_or_nan : distance_for(p)};
        int64_t work = tni_max_i64(pairs.length, 1) * tni_min_i64(pairs.count, DISTANCE_PIECE);
        tni_parallel_for(pairs.count, tni_max_i64(1, DISTANCE_PIECE / work), distance_run_pairs, &pairs);
    }
    tni_tensor_release(rows);
    return distance_round(results[0], wide);
}
