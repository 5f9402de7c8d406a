/* scan.c - running sums and products along a dimension: cumsum, cumprod.
 *
 * Integers are computed in int64, whose low bits are right whatever the dtype; complex64 in complex128; float64 and these in
 * plain order. float32, and the smaller floats through it, is carried in double, in an order in which a step need not wait for
 * the one before (cpu/bodies/scan_float32.inc).
 *
 * Invariant: a line of float32 is cut into chunks only by position, and a chunk begins with the sum of the sums of earlier
 * chunks, which do not depend on what came before them. So one thread may go through a line once, and several may first sum the
 * chunks of a part that fits the cache and then go through it again: the bits are the same.
 */
#include "ops/line/line_call.h"

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "operators_scan.h"
#include "ops/copy/copy.h"
#include "ops/result.h"
#include "ops/line/line_job.h"
#include "ops/limits.h"

/* ---- shared with softmax and the norms */

tn_tensor *tni_line_source(const tn_tensor *self, tn_dtype dtype, tn_dtype compute) {
    if (self->dtype == (uint8_t)dtype || dtype == compute || (tni_line_is_whole(self->dtype) && tni_line_is_whole(dtype)))
        return tni_tensor_retain(self);
    return tni_clone_as(self, dtype, TN_PRESERVE, tni_tensor_device(self), "self is converted before the computation");
}

tn_error tni_line_call_run(const tni_line_call *call, tni_line_function function, void *context) {
    const tn_tensor *self = call->self;
    if (self->numel == 0)
        return TN_OK;
    tni_lines_job job = {.ndim = self->ndim,
                         .dim = call->dim,
                         .sizes = self->sizes,
                         .function = function,
                         .together = call->together,
                         .context = context,
                         .work = call->work,
                         .device = tni_tensor_device(self),
                         .kernel = call->kernel,
                         .numbers = call->numbers,
                         .number = call->number};
    job.operand[job.operands++] = tni_line_write(call->result, call->dim, call->result_compute);
    if (call->second)
        job.operand[job.operands++] = tni_line_write(call->second, call->dim, TN_INT64);
    job.operand[job.operands++] = tni_line_read(self, call->dim, call->self_compute);
    return tni_lines_do(&job);
}

/* ---- one line of float32; of the other dtypes that are computed in, it is a kernel */

static void scan_sum_float32(void *out, const void *in, int64_t count) {
    double before = 0;
    TNI_IN_STEPS_OF (SCAN_CHUNK, begin, end, count)
        before += tni_kernels()->scan[0]((float *)out + begin, (const float *)in + begin, end - begin, before, false);
}

/* Chunks of products would leave the range of double where the whole does not: each continues from the product before it. A
 * step is whole eights, so the bits are those of one run. */
static void scan_product_float32(void *out, const void *in, int64_t count) {
    double before = 1;
    TNI_IN_STEPS (begin, end, count)
        before = tni_kernels()->scan[1]((float *)out + begin, (const float *)in + begin, end - begin, before, false);
}

static tni_scan_line_function scan_line_of(tn_dtype compute, bool product) {
    if (compute == TN_FLOAT32)
        return product ? scan_product_float32 : scan_sum_float32;
    return tni_kernels()->scan_line[2 * (int)compute + product];
}

/* ---- one long line of float32, on all threads and around the caches */

typedef struct scan_long {
    float *out;
    const float *in;
    int64_t count, first; /* elements; the first chunk of the wave */
    bool streams;
    double sums[SCAN_WAVE]; /* of the chunks of the wave; then what came before each */
} scan_long;

static int64_t scan_long_chunk(const scan_long *line, int64_t chunk, int64_t *begin) {
    *begin = (line->first + chunk) * SCAN_CHUNK;
    return tni_min_i64(line->count - *begin, SCAN_CHUNK);
}

static void scan_long_sum(void *arg, int64_t begin, int64_t end) {
    scan_long *line = arg;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        int64_t at, length = scan_long_chunk(line, chunk, &at);
        line->sums[chunk] = tni_kernels()->scan[0](NULL, line->in + at, length, 0, false);
    }
}

/* Goes through one chunk and returns its own sum. */
static double scan_long_write(const scan_long *line, int64_t chunk, double before) {
    int64_t at, length = scan_long_chunk(line, chunk, &at);
    return tni_kernels()->scan[0](line->out + at, line->in + at, length, before, line->streams);
}

static void scan_long_pass(void *arg, int64_t begin, int64_t end) {
    const scan_long *line = arg;
    for (int64_t chunk = begin; chunk < end; chunk++)
        (void)scan_long_write(line, chunk, line->sums[chunk]);
    if (line->streams)
        tni_kernels()->stream[0](&(tni_stream){.rows = 0});
}

static void scan_long_run(scan_long *line) {
    int64_t chunks = (line->count + SCAN_CHUNK - 1) / SCAN_CHUNK;
    bool alone = tn_num_threads() < 2 || tni_parallel_inside();
    double before = 0;
    for (line->first = 0; line->first < chunks && !tni_stopped(); line->first += SCAN_WAVE) {
        int64_t wave = tni_min_i64(chunks - line->first, SCAN_WAVE);
        if (alone) {
            for (int64_t chunk = 0; chunk < wave && tni_goes_on(); chunk++)
                before += scan_long_write(line, chunk, before);
            continue;
        }
        tni_parallel_for(wave, SCAN_GRAIN, scan_long_sum, line);
        for (int64_t chunk = 0; chunk < wave; chunk++) {
            double sum = line->sums[chunk];
            line->sums[chunk] = before;
            before += sum;
        }
        tni_parallel_for(wave, SCAN_GRAIN, scan_long_pass, line);
    }
    if (alone && line->streams)
        tni_kernels()->stream[0](&(tni_stream){.rows = 0});
}

/* Whether there is only one line, which is long and in memory as it is computed. */
static bool scan_is_long(const tn_tensor *result, const tn_tensor *source) {
    return result->dtype == TN_FLOAT32 && source->dtype == TN_FLOAT32 && source->ndim == 1 && source->numel >= 4 * SCAN_CHUNK &&
           source->strides[0] == 1 && result->strides[0] == 1 && tni_tensor_device(result).type == TN_CPU;
}

/* ---- the operators */

typedef struct scan_call {
    tni_scan_line_function line;
    int64_t count;
} scan_call;

static void scan_one_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const scan_call *call = context;
    (void)number, (void)scratch;
    call->line(lines[0], lines[1], call->count);
}

static tn_dtype scan_compute(tn_dtype dtype) {
    return tni_line_is_whole(dtype)     ? TN_INT64
           : tn_dtype_is_complex(dtype) ? TN_COMPLEX128
           : dtype == TN_FLOAT64        ? TN_FLOAT64
                                        : TN_FLOAT32;
}

/* The dtype of the result: the one asked for, or that of self; integers and bool give int64. */
static tn_dtype scan_dtype(const tn_tensor *self, tn_dtype dtype) {
    return dtype != TN_DTYPE_DEFAULT ? dtype : tni_line_is_whole(self->dtype) ? TN_INT64 : (tn_dtype)self->dtype;
}

static bool scan_check(const tn_tensor *self, tn_dtype dtype, int64_t *dim) {
    if (dtype == TN_BOOL || (tni_dtypes[dtype].kind == TN_KIND_FLOAT && !tni_line_is_float(dtype))) {
        tni_raise(TN_ERROR_DTYPE, "nothing is added up or multiplied in dtype %s; self is %s, give another dtype",
                  tn_dtype_name(dtype), tni_show_tensor(self));
        return false;
    }
    return tni_wrap_dim(*dim, self->ndim, "dim", dim);
}

/* result has the sizes of self and `dtype`; it may be self. */
static tn_error scan_into(tn_tensor *result, const tn_tensor *self, int64_t dim, bool product) {
    tn_dtype dtype = result->dtype, compute = scan_compute(dtype);
    tn_tensor *converted = self->dtype == (uint8_t)dtype ? NULL : tni_line_source(self, dtype, compute);
    const tn_tensor *source = converted ? converted : self;
    if (!converted && self->dtype != (uint8_t)dtype)
        return tni_failed();
    tn_error code = TN_OK;
    if (!product && scan_is_long(result, source)) {
        scan_long line = {.out = (float *)(void *)tni_tensor_write(result),
                          .in = (const float *)(const void *)tni_tensor_read(source),
                          .count = source->numel};
        line.streams = line.out != line.in && 8 * line.count > tni_cpu_last_level_bytes() / 2;
        scan_long_run(&line);
    } else {
        scan_call call = {scan_line_of(compute, product), source->ndim ? source->sizes[dim] : 1};
        tni_line_call scan = {.result = result,
                              .result_compute = compute,
                              .self = source,
                              .self_compute = compute,
                              .dim = dim,
                              .kernel = product ? TNI_JOB_cumprod : TNI_JOB_cumsum};
        code = tni_line_call_run(&scan, scan_one_line, &call);
    }
    tni_tensor_release(converted);
    return code;
}

/* Without a dtype, that of a given result decides. */
static bool scan_plan(tni_plan *plan, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    dtype = dtype == TN_DTYPE_DEFAULT && plan->out ? (tn_dtype)plan->out->dtype : scan_dtype(self, dtype);
    if (!scan_check(self, dtype, &dim))
        return false;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim, self->sizes, dtype);
    plan->over_first = true;
    plan->number[0] = dim;
    return true;
}

bool tni_plan_cumsum(tni_plan *plan, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    return scan_plan(plan, self, dim, dtype);
}
tn_error tni_run_cumsum(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    (void)dim, (void)dtype;
    return scan_into(results[0], self, plan->number[0], false);
}

bool tni_plan_cumprod(tni_plan *plan, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    return scan_plan(plan, self, dim, dtype);
}
tn_error tni_run_cumprod(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    (void)dim, (void)dtype;
    return scan_into(results[0], self, plan->number[0], true);
}
