/* histogram.c - histc, histogram, bincount: how many elements, or how much weight, fall into each bin.
 *
 * Elements are cut into parts only by their number; each part fills its own bins, and those are added in the order of the
 * parts, in float64 or int64. So the result has the same bits for every number of threads.
 *
 * A bin holds values from its left edge up to, but not including, its right edge; the last holds its right edge too. With equal
 * steps the bin is computed; histogram, which returns the edges, then looks at the edges beside it, so that both agree.
 */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "operators_create.h"
#include "operators_search.h"
#include "ops/copy/copy.h"
#include "ops/result.h"
#include "ops/sort/sort.h"
#include "ops/limits.h"
#include "tensor/small_floats.h"

typedef struct histogram_job {
    const void *elements; /* float or double, by `wide` */
    const double *edges;  /* (bins + 1); NULL: equal steps, not needed       */
    const double *weight; /* of each element; NULL: 1                        */
    int64_t count, bins, part;
    double left, right;
    bool wide, steps; /* the edges have equal steps */
    tn_dtype dtype;   /* of self                    */
    double *parts;    /* (parts, bins)              */
} histogram_job;

/* How many parts, by the data alone: bins that outnumber the elements of a part cost more than they gain. */
static int64_t histogram_parts(int64_t count, int64_t bins) {
    int64_t parts = tni_min_i64(count / tni_max_i64(HISTOGRAM_PART, bins), HISTOGRAM_PARTS);
    return tni_max_i64(parts, 1);
}

/* The last edge of [low, high) that is not greater than the value. */
static int64_t histogram_find(const double *edges, int64_t low, int64_t high, double value) {
    int64_t start = low;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        bool after = !(value < edges[middle]);
        low = after ? middle + 1 : low;
        high = after ? high : middle;
    }
    return tni_max_i64(low - 1, start);
}

/* A number as one of a float dtype. */
static double histogram_rounded(tn_dtype dtype, double value) {
    switch (dtype) {
    case TN_FLOAT16: return (double)tni_float16_to_float(tni_float16_from_double(value));
    case TN_BFLOAT16: return (double)tni_bfloat16_to_float(tni_bfloat16_from_double(value));
    case TN_FLOAT32: return (double)(float)value;
    default: return value;
    }
}

/* How many bins are before a value, in the dtype of self at every step, as in PyTorch: with 16 bits that may be a bin too far.
 * */
static double histogram_place(const histogram_job *job, double value) {
    if (job->wide)
        return (value - job->left) * (double)job->bins / (job->right - job->left);
    if (job->dtype == TN_FLOAT32)
        return (double)(((float)value - (float)job->left) * (float)job->bins / ((float)job->right - (float)job->left));
    double from = histogram_rounded(job->dtype, value - job->left),
           range = histogram_rounded(job->dtype, job->right - job->left);
    from = histogram_rounded(job->dtype, from * histogram_rounded(job->dtype, (double)job->bins));
    return histogram_rounded(job->dtype, from / range);
}

static int64_t histogram_bin(const histogram_job *job, double value) {
    if (!job->steps)
        return tni_min_i64(histogram_find(job->edges, 0, job->bins + 1, value), job->bins - 1);
    double place = histogram_place(job, value);
    if (job->left == job->right) /* which have become one in a narrow dtype */
        return 0;
    if (!(place <= (double)job->bins)) /* what was multiplied, or the range itself, is beyond the largest float */
        place = (value / 2 - job->left / 2) / (job->right / 2 - job->left / 2) * (double)job->bins;
    int64_t bin = place < (double)job->bins ? (int64_t)place : job->bins - 1;
    if (job->edges)
        bin = histogram_find(job->edges, tni_max_i64(bin - 1, 0), tni_min_i64(bin + 2, job->bins + 1), value);
    return bin < job->bins ? bin : job->bins - 1;
}

static void histogram_part(void *arg, int64_t begin, int64_t end) {
    const histogram_job *job = arg;
    double *bins = job->parts + begin / job->part * job->bins;
    TNI_IN_STEPS (from, to, end - begin)
        for (int64_t i = begin + from; i < begin + to; i++) {
            double value = job->wide ? ((const double *)job->elements)[i] : (double)((const float *)job->elements)[i];
            if (value >= job->left && value <= job->right)
                bins[histogram_bin(job, value)] += job->weight ? job->weight[i] : 1;
        }
}

/* Fills the first part with the sums of all. */
static void histogram_fill(histogram_job *job, int64_t parts) {
    tni_clear_in_steps(job->parts, (size_t)(parts * job->bins) * sizeof *job->parts);
    job->part = tni_max_i64((job->count + parts - 1) / parts, 1);
    tni_parallel_for(job->count, job->part, histogram_part, job);
    for (int64_t part = 1; part < parts; part++)
        TNI_IN_STEPS (begin, end, job->bins)
            for (int64_t bin = begin; bin < end; bin++)
                job->parts[bin] += job->parts[part * job->bins + bin];
}

/* ---- ranges */

/* Elements without gaps as float or double. */
static tn_tensor *histogram_elements(const tn_tensor *self) {
    tn_dtype compute = self->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    if (self->dtype == compute && tni_tensor_is_contiguous(self))
        return tni_tensor_retain(self);
    return tni_clone_as(self, compute, TN_CONTIGUOUS, TN_DEVICE_CPU, "its elements are counted in order");
}

static double histogram_element(const tn_tensor *elements, int64_t i) {
    return elements->dtype == TN_FLOAT64 ? ((const double *)(const void *)tni_tensor_read(elements))[i]
                                         : (double)((const float *)(const void *)tni_tensor_read(elements))[i];
}

/* The least and the greatest element; NaN for both where there is one. */
static void histogram_extremes(const tn_tensor *elements, double *left, double *right) {
    double least = INFINITY, greatest = -INFINITY;
    bool ordered = true;
    TNI_IN_STEPS (begin, end, elements->numel)
        for (int64_t i = begin; i < end; i++) {
            double value = histogram_element(elements, i);
            ordered = ordered && value == value;
            least = value < least ? value : least;
            greatest = value > greatest ? value : greatest;
        }
    *left = ordered ? least : NAN;
    *right = ordered ? greatest : NAN;
}

static bool histogram_check(const tn_tensor *self, int64_t bins, bool narrow) {
    bool fits = self->dtype == TN_FLOAT32 || self->dtype == TN_FLOAT64 ||
                (narrow && (self->dtype == TN_FLOAT16 || self->dtype == TN_BFLOAT16));
    if (!fits)
        tni_raise(TN_ERROR_DTYPE, "self is %s, not a float; convert with to, or use bincount for integers",
                  tni_show_tensor(self));
    else if (bins < 1 || bins == INT64_MAX) /* there is one edge more than bins */
        tni_raise(TN_ERROR_ARGUMENT, "bins = %" PRId64 ": there must be at least one, and fewer than 2^63 - 1", bins);
    return fits && bins >= 1 && bins < INT64_MAX;
}

static bool histogram_range_fits(double left, double right) {
    if (!isfinite(left) || !isfinite(right)) {
        tni_raise(TN_ERROR_ARGUMENT, "the range from %g to %g is not finite", left, right);
        return false;
    }
    if (left > right)
        tni_raise(TN_ERROR_ARGUMENT, "the range from %g to %g ends before it begins", left, right);
    return left <= right;
}

/* Memory for the parts, counted; NULL with the error raised. */
static tn_tensor *histogram_run(histogram_job *job) {
    int64_t parts = histogram_parts(job->count, job->bins);
    tn_tensor *memory = tni_tensor_new(2, (const int64_t[]){parts, job->bins}, TN_FLOAT64, TN_DEVICE_CPU);
    if (memory) {
        job->parts = (double *)(void *)tni_tensor_write(memory);
        histogram_fill(job, parts);
    }
    return memory;
}

/* The first numbers as elements of `out`, which has as many. */
static tn_error histogram_store(tn_tensor *out, const double *numbers) {
    tn_tensor *rows = tni_result_rows(out);
    size_t item = tni_tensor_item_size(out);
    TNI_IN_STEPS (begin, end, rows ? out->numel : 0)
        (void)tn_dtype_convert(out->dtype, tni_tensor_write(rows) + (size_t)begin * item, TN_FLOAT64, numbers + begin,
                               (size_t)(end - begin));
    return tni_result_rows_end(out, rows, rows ? TN_OK : tni_failed());
}

/* ---- histc */

static bool histc_number(tn_scalar number, const char *argument, double *out) {
    switch (number.kind) {
    case TN_SCALAR_BOOL: *out = number.value.b; return true;
    case TN_SCALAR_INT: *out = (double)number.value.i; return true;
    case TN_SCALAR_UINT: *out = (double)number.value.u; return true;
    case TN_SCALAR_FLOAT: *out = number.value.d; return true;
    default: tni_raise(TN_ERROR_DTYPE, "%s = %s is not a real number", argument, tni_show_scalar(number)); return false;
    }
}

bool tni_plan_histc(tni_plan *plan, const tn_tensor *self, int64_t bins, tn_scalar min, tn_scalar max) {
    double left, right;
    if (!histogram_check(self, bins, true) || !histc_number(min, "min", &left) || !histc_number(max, "max", &right))
        return false;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, 1, &bins, self->dtype);
    return left == right || histogram_range_fits(left, right);
}

tn_error tni_run_histc(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t bins, tn_scalar min,
                       tn_scalar max) {
    histogram_job job = {
        .count = self->numel, .bins = bins, .wide = self->dtype == TN_FLOAT64, .steps = true, .dtype = self->dtype};
    (void)plan;
    tn_tensor *elements =
        histc_number(min, "min", &job.left) && histc_number(max, "max", &job.right) ? histogram_elements(self) : NULL;
    if (!elements)
        return tni_failed();
    if (job.left == job.right && self->numel > 0)
        histogram_extremes(elements, &job.left, &job.right);
    if (job.left == job.right) {
        job.left -= 1;
        job.right += 1;
    }
    tn_tensor *memory = NULL;
    if (!tni_stopped() && histogram_range_fits(job.left, job.right)) {
        job.left = histogram_rounded(self->dtype, job.left); /* edges of the dtype of self, so that max itself is counted */
        job.right = histogram_rounded(self->dtype, job.right);
        job.elements = tni_tensor_read(elements);
        memory = histogram_run(&job);
    }
    tn_error code = memory ? histogram_store(results[0], job.parts) : tni_failed();
    tni_tensor_release(memory);
    tni_tensor_release(elements);
    return code;
}

/* ---- histogram */

static bool histogram_weight_fits(const tn_tensor *self, const tn_tensor *weight) {
    bool fits = !weight || (weight->dtype == self->dtype && weight->numel == self->numel);
    if (!fits)
        tni_raise(weight->dtype != self->dtype ? TN_ERROR_DTYPE : TN_ERROR_SHAPE,
                  "weight is %s; it must have the dtype and as many elements as self %s", tni_show_tensor(weight),
                  tni_show_tensor(self));
    return fits;
}

/* A number for each bin, and the edges: one more. */
static bool histogram_plan(tni_plan *plan, const tn_tensor *self, int64_t bins, const tn_tensor *weight) {
    if (!histogram_check(self, bins, false) || !histogram_weight_fits(self, weight))
        return false;
    tni_plan_begin(plan, self);
    int64_t edges = bins + 1;
    tni_plan_add(plan, 1, &bins, self->dtype);
    tni_plan_add(plan, 1, &edges, self->dtype);
    return true;
}

/* Per unit of width, and of all together. */
static void histogram_density(double *hist, const double *edges, int64_t bins) {
    double sum = 0;
    TNI_IN_STEPS (begin, end, bins)
        for (int64_t i = begin; i < end; i++)
            sum += hist[i];
    TNI_IN_STEPS (begin, end, bins)
        for (int64_t i = begin; i < end; i++)
            hist[i] = hist[i] / sum / (edges[i + 1] - edges[i]);
}

typedef struct histogram_call {
    const tn_tensor *self, *weight, *edges; /* edges: (bins + 1), of the dtype of self */
    const tn_tensor *elements;              /* of self, in order                       */
    bool density, steps;
} histogram_call;

/* `results` are written when nothing can fail any more, except edges that are already the result. */
static tn_error histogram_count(const histogram_call *call, tn_tensor *const *results) {
    tn_tensor *edges = tni_clone_as(call->edges, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "the edges are compared as float64");
    tn_tensor *weight = edges && call->weight ? tni_clone_as(call->weight, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU,
                                                             "the weights are added as float64")
                                              : NULL;
    tn_tensor *memory = NULL;
    tn_error code = TN_OK;
    if (edges && (weight || !call->weight)) {
        const double *at = (const double *)(const void *)tni_tensor_read(edges);
        int64_t bins = edges->numel - 1;
        histogram_job job = {.elements = tni_tensor_read(call->elements),
                             .edges = at,
                             .weight = weight ? (const double *)(const void *)tni_tensor_read(weight) : NULL,
                             .count = call->self->numel,
                             .bins = bins,
                             .left = at[0],
                             .right = at[bins],
                             .wide = call->self->dtype == TN_FLOAT64,
                             .dtype = call->self->dtype,
                             .steps = call->steps};
        memory = histogram_run(&job);
        if (memory && call->density)
            histogram_density(job.parts, at, bins);
        code = memory ? histogram_store(results[0], job.parts) : tni_failed();
        if (code == TN_OK && results[1] != call->edges)
            code = tni_copy_into(results[1], call->edges, "the edges are a separate result");
    } else
        code = tni_failed();
    tni_tensor_release(memory);
    tni_tensor_release(weight);
    tni_tensor_release(edges);
    return code;
}

/* Edges with equal steps: the new result itself or, where one is given, a temporary. */
static tn_tensor *histogram_edges(const tni_plan *plan, tn_tensor *result, double left, double right) {
    tn_scalar first = tn_scalar_float(left), last = tn_scalar_float(right);
    if (!histogram_range_fits(left, right))
        return NULL;
    if (plan->out)
        return tni_op_linspace(first, last, result->numel, result->dtype);
    tni_plan steps;
    steps.out = NULL;
    bool made = tni_plan_linspace(&steps, first, last, result->numel, result->dtype) &&
                tni_run_linspace(&steps, &result, first, last, result->numel, result->dtype) == TN_OK;
    return made ? tni_tensor_retain(result) : NULL;
}

/* With equal steps from left to right, or, `chosen` false, over the range of the elements. */
static tn_error histogram_with_steps(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, bool chosen,
                                     double left, double right, const tn_tensor *weight, bool density) {
    tn_tensor *elements = histogram_elements(self);
    if (!elements)
        return tni_failed();
    if (!chosen && self->numel > 0)
        histogram_extremes(elements, &left, &right);
    if (left == right && (chosen || self->numel > 0)) {
        left -= 0.5;
        right += 0.5;
    }
    tn_tensor *edges = tni_stopped() ? NULL : histogram_edges(plan, results[1], left, right);
    histogram_call call = {
        .self = self, .weight = weight, .edges = edges, .elements = elements, .density = density, .steps = true};
    tn_error code = edges ? histogram_count(&call, results) : tni_failed();
    tni_tensor_release(edges);
    tni_tensor_release(elements);
    return code;
}

bool tni_plan_histogram(tni_plan *plan, const tn_tensor *self, int64_t bins, const tn_tensor *weight, bool density) {
    (void)density;
    return histogram_plan(plan, self, bins, weight);
}
tn_error tni_run_histogram(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t bins,
                           const tn_tensor *weight, bool density) {
    (void)bins;
    return histogram_with_steps(plan, results, self, false, 0, 1, weight, density);
}

bool tni_plan_histogram_range(tni_plan *plan, const tn_tensor *self, int64_t bins, tn_floats range, const tn_tensor *weight,
                              bool density) {
    (void)density;
    if (range.count != 2) {
        tni_raise(TN_ERROR_ARGUMENT, "range has %" PRId64 " numbers; it is the first and the last edge", range.count);
        return false;
    }
    return histogram_plan(plan, self, bins, weight) && histogram_range_fits(range.values[0], range.values[1]);
}
tn_error tni_run_histogram_range(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t bins,
                                 tn_floats range, const tn_tensor *weight, bool density) {
    (void)bins;
    return histogram_with_steps(plan, results, self, true, range.values[0], range.values[1], weight, density);
}

bool tni_plan_histogram_bins(tni_plan *plan, const tn_tensor *self, const tn_tensor *bins, const tn_tensor *weight,
                             bool density) {
    (void)density;
    if (bins->ndim != 1 || bins->dtype != self->dtype) {
        tni_raise(bins->ndim != 1 ? TN_ERROR_SHAPE : TN_ERROR_DTYPE,
                  "bins is %s; it must have one dimension and the dtype of self %s", tni_show_tensor(bins),
                  tni_show_tensor(self));
        return false;
    }
    return histogram_plan(plan, self, bins->numel - 1, weight);
}
tn_error tni_run_histogram_bins(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *bins,
                                const tn_tensor *weight, bool density) {
    (void)plan;
    tn_tensor *elements = histogram_elements(self);
    histogram_call call = {.self = self, .weight = weight, .edges = bins, .elements = elements, .density = density};
    tn_error code = elements ? histogram_count(&call, results) : tni_failed();
    tni_tensor_release(elements);
    return code;
}
