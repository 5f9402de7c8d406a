/* histogram.c - histc, histogram, bincount: how many elements, or how much weight, fall into each bin.
 *
 * Elements are cut into parts by their number alone; each part fills bins of its own, and those are added in the order of the
 * parts, in float64 or int64. So the result has the same bits for every number of threads.
 *
 * A bin holds what is at least its left edge and less than its right one; the last holds its right edge too. Between equal
 * steps the bin is computed; histogram, which returns the edges, then looks at the edges beside it, so that both agree.
 */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/result.h"
#include "ops/sort.h"

enum { HISTOGRAM_PARTS = 16, HISTOGRAM_PART = 32768 };

typedef struct histogram_job {
    const void *elements; /* float or double, by `wide` */
    const double *edges;  /* (bins + 1); NULL: equal steps, not looked at    */
    const double *weight; /* of each element; NULL: 1                        */
    int64_t count, bins, part;
    double left, right;
    bool wide, steps; /* the edges have equal steps */
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

static int64_t histogram_bin(const histogram_job *job, double value) {
    if (!job->steps)
        return tni_min_i64(histogram_find(job->edges, 0, job->bins + 1, value), job->bins - 1);
    double place =
        job->wide ? (value - job->left) * (double)job->bins / (job->right - job->left)
                  : (double)(((float)value - (float)job->left) * (float)job->bins / ((float)job->right - (float)job->left));
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
    for (int64_t i = begin; i < end; i++) {
        double value = job->wide ? ((const double *)job->elements)[i] : (double)((const float *)job->elements)[i];
        if (value >= job->left && value <= job->right)
            bins[histogram_bin(job, value)] += job->weight ? job->weight[i] : 1;
    }
}

/* Fills the first part with the sums of all. */
static void histogram_fill(histogram_job *job, int64_t parts) {
    memset(job->parts, 0, (size_t)(parts * job->bins) * sizeof *job->parts);
    job->part = tni_max_i64((job->count + parts - 1) / parts, 1);
    tni_parallel_for(job->count, job->part, histogram_part, job);
    for (int64_t part = 1; part < parts; part++)
        for (int64_t bin = 0; bin < job->bins; bin++)
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
    for (int64_t i = 0; i < elements->numel; i++) {
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

/* The first `bins` of float64 numbers as a tensor of a dtype. */
static tn_tensor *histogram_as(const double *numbers, int64_t bins, tn_dtype dtype) {
    tn_tensor *out = tni_tensor_new(1, &bins, dtype, TN_DEVICE_CPU);
    if (out)
        (void)tn_dtype_convert(dtype, tni_tensor_write(out), TN_FLOAT64, numbers, (size_t)bins);
    return out;
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

tn_tensor *tni_op_histc(const tn_tensor *self, int64_t bins, tn_scalar min, tn_scalar max) {
    histogram_job job = {.count = self->numel, .bins = bins, .wide = self->dtype == TN_FLOAT64, .steps = true};
    if (!histogram_check(self, bins, true) || !histc_number(min, "min", &job.left) || !histc_number(max, "max", &job.right))
        return NULL;
    tn_tensor *elements = histogram_elements(self);
    if (!elements)
        return NULL;
    if (job.left == job.right && self->numel > 0)
        histogram_extremes(elements, &job.left, &job.right);
    if (job.left == job.right) {
        job.left -= 1;
        job.right += 1;
    }
    tn_tensor *out = NULL, *memory = NULL;
    if (histogram_range_fits(job.left, job.right)) {
        job.elements = tni_tensor_read(elements);
        memory = histogram_run(&job);
        out = memory ? histogram_as(job.parts, bins, self->dtype) : NULL;
    }
    tni_tensor_release(memory);
    tni_tensor_release(elements);
    return out;
}
tn_error tni_op_histc_out(tn_tensor *out, const tn_tensor *self, int64_t bins, tn_scalar min, tn_scalar max) {
    return tni_result_move(out, tni_op_histc(self, bins, min, max), TNI_RESULT_EXACT);
}

/* ---- histogram */

typedef struct histogram_call {
    const tn_tensor *self, *weight;
    tn_tensor *elements, *edges; /* edges: (bins + 1), of the dtype of self */
    int64_t bins;
    bool density, steps;
} histogram_call;

static bool histogram_weight_fits(const histogram_call *call) {
    const tn_tensor *weight = call->weight, *self = call->self;
    bool fits = !weight || (weight->dtype == self->dtype && weight->numel == self->numel);
    if (!fits)
        tni_raise(weight->dtype != self->dtype ? TN_ERROR_DTYPE : TN_ERROR_SHAPE,
                  "weight is %s; it must have the dtype and as many elements as self %s", tni_show_tensor(weight),
                  tni_show_tensor(self));
    return fits;
}

/* Per unit of width, and of all together. */
static void histogram_density(double *hist, const double *edges, int64_t bins) {
    double sum = 0;
    for (int64_t i = 0; i < bins; i++)
        sum += hist[i];
    for (int64_t i = 0; i < bins; i++)
        hist[i] = hist[i] / sum / (edges[i + 1] - edges[i]);
}

static tn_tensor *histogram_count(const histogram_call *call) {
    tn_tensor *edges = tni_clone_as(call->edges, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "the edges are compared as float64");
    tn_tensor *weight = edges && call->weight ? tni_clone_as(call->weight, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU,
                                                             "the weights are added as float64")
                                              : NULL;
    tn_tensor *memory = NULL, *hist = NULL;
    if (edges && (weight || !call->weight)) {
        const double *at = (const double *)(const void *)tni_tensor_read(edges);
        histogram_job job = {.elements = tni_tensor_read(call->elements),
                             .edges = at,
                             .weight = weight ? (const double *)(const void *)tni_tensor_read(weight) : NULL,
                             .count = call->self->numel,
                             .bins = call->bins,
                             .left = at[0],
                             .right = at[call->bins],
                             .wide = call->self->dtype == TN_FLOAT64,
                             .steps = call->steps};
        memory = histogram_run(&job);
        if (memory && call->density)
            histogram_density(job.parts, at, call->bins);
        hist = memory ? histogram_as(job.parts, call->bins, call->self->dtype) : NULL;
    }
    tni_tensor_release(memory);
    tni_tensor_release(weight);
    tni_tensor_release(edges);
    return hist;
}

/* Takes over what the call owns. */
static tn_list *histogram_list(const histogram_call *call) {
    tn_tensor *results[2] = {call->elements && call->edges ? histogram_count(call) : NULL, call->edges};
    tni_tensor_release(call->elements);
    if (results[0])
        return tni_list_make(results, 2);
    tni_tensor_release(call->edges);
    return NULL;
}

/* With equal steps from left to right, or, `chosen` false, over the range of the elements. */
static tn_list *histogram_with_steps(const tn_tensor *self, int64_t bins, bool chosen, double left, double right,
                                     const tn_tensor *weight, bool density) {
    histogram_call call = {.self = self, .weight = weight, .bins = bins, .density = density, .steps = true};
    if (!histogram_check(self, bins, false) || !histogram_weight_fits(&call))
        return NULL;
    call.elements = histogram_elements(self);
    if (!call.elements)
        return NULL;
    if (!chosen && self->numel > 0)
        histogram_extremes(call.elements, &left, &right);
    if (left == right && (chosen || self->numel > 0)) {
        left -= 0.5;
        right += 0.5;
    }
    if (histogram_range_fits(left, right))
        call.edges = tni_op_linspace(tn_scalar_float(left), tn_scalar_float(right), bins + 1, self->dtype);
    return histogram_list(&call);
}

tn_list *tni_op_histogram(const tn_tensor *self, int64_t bins, const tn_tensor *weight, bool density) {
    return histogram_with_steps(self, bins, false, 0, 1, weight, density);
}
tn_list *tni_op_histogram_range(const tn_tensor *self, int64_t bins, tn_floats range, const tn_tensor *weight, bool density) {
    if (range.count != 2)
        return tni_raise_null(TN_ERROR_ARGUMENT, "range has %" PRId64 " numbers; it is the first and the last edge",
                              range.count);
    return histogram_with_steps(self, bins, true, range.values[0], range.values[1], weight, density);
}
tn_list *tni_op_histogram_bins(const tn_tensor *self, const tn_tensor *bins, const tn_tensor *weight, bool density) {
    histogram_call call = {.self = self, .weight = weight, .bins = bins->numel - 1, .density = density};
    if (bins->ndim != 1 || bins->dtype != self->dtype)
        return tni_raise_null(bins->ndim != 1 ? TN_ERROR_SHAPE : TN_ERROR_DTYPE,
                              "bins is %s; it must have one dimension and the dtype of self %s", tni_show_tensor(bins),
                              tni_show_tensor(self));
    if (!histogram_check(self, call.bins, false) || !histogram_weight_fits(&call))
        return NULL;
    call.elements = histogram_elements(self);
    call.edges = call.elements ? tni_clone_contiguous(bins, "the edges are a result of their own") : NULL;
    return histogram_list(&call);
}

tn_error tni_op_histogram_out(tn_tensor *hist, tn_tensor *bin_edges, const tn_tensor *self, int64_t bins,
                              const tn_tensor *weight, bool density) {
    return tni_result_move_pair(hist, "hist", bin_edges, "bin_edges", tni_op_histogram(self, bins, weight, density),
                                TNI_RESULT_EXACT);
}
tn_error tni_op_histogram_range_out(tn_tensor *hist, tn_tensor *bin_edges, const tn_tensor *self, int64_t bins, tn_floats range,
                                    const tn_tensor *weight, bool density) {
    return tni_result_move_pair(hist, "hist", bin_edges, "bin_edges",
                                tni_op_histogram_range(self, bins, range, weight, density), TNI_RESULT_EXACT);
}
tn_error tni_op_histogram_bins_out(tn_tensor *hist, tn_tensor *bin_edges, const tn_tensor *self, const tn_tensor *bins,
                                   const tn_tensor *weight, bool density) {
    return tni_result_move_pair(hist, "hist", bin_edges, "bin_edges", tni_op_histogram_bins(self, bins, weight, density),
                                TNI_RESULT_EXACT);
}
