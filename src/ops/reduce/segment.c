/* segment.c - segment_reduce: groups of neighbours along one dimension, each reduced to one.
 *
 * lengths has the dimensions of data up to the one that is cut, whose size there is the number of segments: data is `outer`
 * rows of `size` elements of `inner` columns, and every row is cut its own way. Lengths become bounds first (where each segment
 * begins and ends), which also finds errors in them; then each segment is a task by itself. Sums and products are formed in
 * double, sums with their rounding errors, so they are rounded once.
 */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "operators_reduce.h"
#include "ops/copy/copy.h"
#include "ops/limits.h"
#include "ops/plan.h"
#include "ops/reduce/reduce.h"

typedef enum segment_kind { SEGMENT_SUM, SEGMENT_MEAN, SEGMENT_PRODUCT, SEGMENT_MAX, SEGMENT_MIN } segment_kind;

typedef struct segment_job {
    segment_kind kind;
    bool begins;    /* `initial` was given */
    double initial; /* else the value of an empty segment, before it is divided */
    int64_t outer, segments, size, inner;
    const int64_t *bounds; /* outer rows of segments + 1 */
    const double *data;
    double *target;
} segment_job;

static void segment_take(segment_kind kind, double *value, double *lost, double x) {
    switch (kind) {
    case SEGMENT_SUM:
    case SEGMENT_MEAN: {
        double sum = *value + x, back = sum - *value;
        *lost += (*value - (sum - back)) + (x - back);
        *value = sum;
        break;
    }
    case SEGMENT_PRODUCT: *value *= x; break;
    case SEGMENT_MAX: *value = *value > x || isnan(*value) ? *value : x; break;
    case SEGMENT_MIN: *value = *value < x || isnan(*value) ? *value : x; break;
    }
}

static double segment_end(const segment_job *job, double value, double lost, int64_t count) {
    bool adds = job->kind == SEGMENT_SUM || job->kind == SEGMENT_MEAN;
    if (adds && isfinite(value))
        value += lost;
    if (job->kind != SEGMENT_MEAN)
        return value;
    return count > 0 ? value / (double)count : job->begins ? value : (double)NAN;
}

static void segment_task(void *argument, int64_t begin, int64_t end) {
    const segment_job *job = argument;
    double value[SEGMENT_COLUMNS], lost[SEGMENT_COLUMNS];
    for (int64_t task = begin; task < end; task++) {
        int64_t row = task / job->segments;
        const int64_t *bounds = job->bounds + row * (job->segments + 1) + task % job->segments;
        const double *from = job->size ? job->data + row * job->size * job->inner : NULL;
        for (int64_t first = 0; first < job->inner; first += SEGMENT_COLUMNS) {
            int64_t columns = tni_min_i64(SEGMENT_COLUMNS, job->inner - first);
            for (int64_t k = 0; k < columns; k++) {
                value[k] = job->initial;
                lost[k] = 0;
            }
            TNI_IN_STEPS_OF (tni_max_i64(1, TNI_STEP / columns), from_row, to_row, bounds[1] - bounds[0])
                for (int64_t i = bounds[0] + from_row; i < bounds[0] + to_row; i++)
                    for (int64_t k = 0; k < columns; k++)
                        segment_take(job->kind, &value[k], &lost[k], from[i * job->inner + first + k]);
            for (int64_t k = 0; k < columns; k++)
                job->target[task * job->inner + first + k] = segment_end(job, value[k], lost[k], bounds[1] - bounds[0]);
        }
    }
}

/* ---- what is asked for */

static bool segment_find_kind(const char *reduce, segment_kind *kind) {
    static const struct {
        const char *name;
        segment_kind kind;
    } names[] = {{"sum", SEGMENT_SUM},  {"mean", SEGMENT_MEAN}, {"prod", SEGMENT_PRODUCT}, {"max", SEGMENT_MAX},
                 {"amax", SEGMENT_MAX}, {"min", SEGMENT_MIN},   {"amin", SEGMENT_MIN}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(reduce, names[i].name) == 0) {
            *kind = names[i].kind;
            return true;
        }
    tni_raise(TN_ERROR_ARGUMENT, "reduce is '%s'; it can be sum, mean, prod, max or min", reduce);
    return false;
}

static double segment_nothing(segment_kind kind) {
    return kind == SEGMENT_PRODUCT ? 1 : kind == SEGMENT_MAX ? (double)-INFINITY : kind == SEGMENT_MIN ? (double)INFINITY : 0;
}

static bool segment_allows(const tn_tensor *data, const tn_tensor *cuts, const char *name, int64_t axis, int64_t *wrapped) {
    if (!tn_dtype_is_floating(data->dtype) || tni_reduce_is_float8(data->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "defined for floats of 16 bits and more; given data %s", tni_show_tensor(data));
        return false;
    }
    if (!tni_wrap_dim(axis, data->ndim, "axis", wrapped))
        return false;
    if (!tn_dtype_is_integral(cuts->dtype) || cuts->dtype == TN_BOOL) {
        tni_raise(TN_ERROR_DTYPE, "%s is %s; positions are integers, as int64", name, tni_show_tensor(cuts));
        return false;
    }
    bool fits = data->ndim > 0 && cuts->ndim == *wrapped + 1;
    for (int64_t d = 0; fits && d < *wrapped; d++)
        fits = cuts->sizes[d] == data->sizes[d];
    if (!fits)
        tni_raise(TN_ERROR_SHAPE, "%s %s must have the dimensions of data %s up to axis %" PRId64 ", which is its last", name,
                  tni_show_tensor(cuts), tni_show_tensor(data), axis);
    return fits;
}

/* Lengths, or offsets, to bounds in place of the copy `cuts`: one more than there are lengths. */
static bool segment_bounds(segment_job *job, const int64_t *cuts, int64_t many, bool lengths, bool unsafe, int64_t *bounds) {
    TNI_IN_STEPS_OF (tni_max_i64(1, TNI_STEP / tni_max_i64(job->segments, 1)), first, last, job->outer)
        for (int64_t row = first; row < last; row++, bounds += job->segments + 1) {
            bounds[0] = lengths || many == 0 ? 0 : cuts[0];
            TNI_IN_STEPS (begin, end, job->segments)
                for (int64_t i = begin; i < end; i++) {
                    bool good = lengths ? cuts[i] >= 0 && !tni_add_overflows(bounds[i], cuts[i], &bounds[i + 1])
                                        : (bounds[i + 1] = cuts[i + 1]) >= bounds[i];
                    if (!good || bounds[i] < 0 || bounds[i + 1] > job->size) {
                        tni_raise(TN_ERROR_ARGUMENT,
                                  "segment %" PRId64 " of row %" PRId64 " is not within the %" PRId64 " elements of data", i,
                                  row, job->size);
                        return false;
                    }
                }
            if (tni_stopped())
                return false;
            if (lengths && !unsafe && bounds[job->segments] != job->size) {
                tni_raise(TN_ERROR_ARGUMENT,
                          "the lengths of row %" PRId64 " add up to %" PRId64 ", data has %" PRId64 " elements there", row,
                          bounds[job->segments], job->size);
                return false;
            }
            if (many)
                cuts += many;
        }
    return !tni_stopped();
}

/* `wide` has the elements of data as doubles, row by row, and `made` takes them. */
static tn_error segment_run(segment_job *job, tn_tensor *made, const tn_tensor *wide, const tn_tensor *cuts, int64_t axis,
                            bool lengths, bool unsafe) {
    tn_tensor *bounds = tni_tensor_new(2, (int64_t[]){job->outer, job->segments + 1}, TN_INT64, TN_DEVICE_CPU);
    bool good = bounds != NULL;
    if (good && job->outer > 0) /* without rows there is nothing to check */
        good = segment_bounds(job, (const void *)tni_tensor_read(cuts), cuts->sizes[axis], lengths, unsafe,
                              (void *)tni_tensor_write(bounds));
    if (good && made->numel > 0) {
        job->bounds = (const void *)tni_tensor_read(bounds);
        job->data = (const void *)tni_tensor_read(wide);
        job->target = (void *)tni_tensor_write(made);
        int64_t work = tni_max_i64(1, job->size / job->segments * job->inner);
        tni_parallel_for(job->outer * job->segments, tni_max_i64(1, SEGMENT_PIECE / work), segment_task, job);
    }
    tni_tensor_release(bounds);
    return good ? TN_OK : tni_failed();
}

bool tni_plan_segment_reduce(tni_plan *plan, const tn_tensor *data, const char *reduce, const tn_tensor *lengths,
                             const tn_tensor *indices, const tn_tensor *offsets, int64_t axis, bool unsafe, tn_scalar initial) {
    segment_kind kind;
    const tn_tensor *cuts = offsets ? offsets : lengths; /* as in torch, where both are given */
    int64_t dim;
    (void)unsafe;
    if (indices || !cuts) {
        tni_raise(TN_ERROR_ARGUMENT,
                  indices ? "indices cannot be given yet; give lengths or offsets" : "neither lengths nor offsets is given");
        return false;
    }
    if (!segment_find_kind(reduce, &kind) || !segment_allows(data, cuts, offsets ? "offsets" : "lengths", axis, &dim))
        return false;
    if (initial.kind != TN_SCALAR_NONE && !tn_dtype_can_hold(TN_FLOAT64, initial)) {
        tni_raise(TN_ERROR_DTYPE, "initial = %s must be a real number", tni_show_scalar(initial));
        return false;
    }
    tni_plan_begin(plan, data);
    tni_plan_add(plan, data->ndim, data->sizes, data->dtype);
    plan->result[0].sizes[dim] = tni_max_i64(0, cuts->sizes[dim] - (offsets != NULL));
    plan->number[0] = dim;
    return true;
}

tn_error tni_run_segment_reduce(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *data, const char *reduce,
                                const tn_tensor *lengths, const tn_tensor *indices, const tn_tensor *offsets, int64_t axis,
                                bool unsafe, tn_scalar initial) {
    static const char reason[] = "segments are reduced in double";
    segment_job job = {.outer = 1, .inner = 1, .begins = initial.kind != TN_SCALAR_NONE};
    const tn_tensor *cuts = offsets ? offsets : lengths;
    int64_t dim = plan->number[0];
    (void)indices, (void)axis;
    (void)segment_find_kind(reduce, &job.kind);
    job.initial = segment_nothing(job.kind);
    if (job.begins)
        tn_dtype_store(TN_FLOAT64, &job.initial, initial);
    job.size = data->sizes[dim];
    for (int64_t d = 0; d < data->ndim; d++) /* beside a size of 0 the others may overflow; then there is nothing to write */
        if (d != dim) {
            int64_t *rest = d < dim ? &job.outer : &job.inner;
            *rest = (int64_t)((uint64_t)*rest * (uint64_t)data->sizes[d]);
        }
    job.segments = plan->result[0].sizes[dim];
    bool direct = data->dtype == TN_FLOAT64; /* else the result is made of doubles first */
    tn_tensor *wide = tni_clone_as(data, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU, reason);
    tn_tensor *whole = wide ? tni_clone_as(cuts, TN_INT64, TN_CONTIGUOUS, TN_DEVICE_CPU, reason) : NULL;
    tn_tensor *made = !whole   ? NULL
                      : direct ? tni_tensor_retain(results[0])
                               : tni_tensor_new(data->ndim, plan->result[0].sizes, TN_FLOAT64, TN_DEVICE_CPU);
    tn_error code = made ? segment_run(&job, made, wide, whole, dim, !offsets, unsafe) : tni_failed();
    if (code == TN_OK && !direct)
        code = tni_copy_into(results[0], made, reason);
    tni_tensor_release(made);
    tni_tensor_release(whole);
    tni_tensor_release(wide);
    return code;
}
