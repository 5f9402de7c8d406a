/* scan.c - running sums and products along a dimension: cumsum, cumprod.
 *
 * Integers are computed in int64, whose low bits are right whatever the dtype; complex64 in complex128; float64 and these in
 * plain order. float32, and the smaller floats through it, is carried in double, in an order that does not need each step to
 * wait for the one before (cpu/bodies/scan_float32.inc).
 *
 * Invariant: a line of float32 is cut into chunks by position alone, and before a chunk stands the sum of the chunks' own sums,
 * which do not depend on what came before them. So one thread may go through a line once, and several may first sum the chunks
 * of a part that fits the cache and then go through it again: the bits are the same.
 */
#include "ops/scan.h"

#include "base/error.h"
#include "base/parallel.h"
#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/result.h"

enum {
    SCAN_CHUNK = 16384, /* elements                                                             */
    SCAN_WAVE = 128,    /* chunks that are summed, and then gone through while they are cached  */
    SCAN_GRAIN = 4      /* chunks of a thread's piece                                           */
};

/* ---- shared with softmax and the norms */

tn_tensor *tni_scan_source(const tn_tensor *self, tn_dtype dtype, tn_dtype compute) {
    if (self->dtype == (uint8_t)dtype || dtype == compute || (tni_scan_is_whole(self->dtype) && tni_scan_is_whole(dtype)))
        return tni_tensor_retain(self);
    return tni_clone_as(self, dtype, TN_PRESERVE, tni_tensor_device(self), "self is converted before it is computed with");
}

tn_error tni_scan_run(const tni_scan *scan, tni_line_function function, void *context) {
    const tn_tensor *self = scan->self;
    if (self->numel == 0)
        return TN_OK;
    tni_lines_job job = {.ndim = self->ndim,
                         .dim = scan->dim,
                         .sizes = self->sizes,
                         .function = function,
                         .context = context,
                         .work = scan->work};
    job.operand[job.operands++] = tni_line_write(scan->result, scan->dim, scan->result_compute);
    if (scan->second)
        job.operand[job.operands++] = tni_line_write(scan->second, scan->dim, TN_INT64);
    job.operand[job.operands++] = tni_line_read(self, scan->dim, scan->self_compute);
    return tni_lines_run(&job);
}

/* ---- one line of each dtype that is computed in */

typedef void (*scan_line)(void *out, const void *in, int64_t count);

#define SCAN_IN_ORDER(name, type, wide, start, step)                                                                           \
    static void name(void *out, const void *in, int64_t count) {                                                               \
        const type *x = in;                                                                                                    \
        type *y = out;                                                                                                         \
        wide so_far = start;                                                                                                   \
        for (int64_t i = 0; i < count; i++) {                                                                                  \
            so_far = step;                                                                                                     \
            y[i] = (type)so_far;                                                                                               \
        }                                                                                                                      \
    }

SCAN_IN_ORDER(scan_sum_int64, int64_t, uint64_t, 0, so_far + (uint64_t)x[i])
SCAN_IN_ORDER(scan_product_int64, int64_t, uint64_t, 1, so_far *(uint64_t)x[i])
SCAN_IN_ORDER(scan_sum_float64, double, double, 0, so_far + x[i])
SCAN_IN_ORDER(scan_product_float64, double, double, 1, so_far *x[i])
#undef SCAN_IN_ORDER

static void scan_sum_complex128(void *out, const void *in, int64_t count) {
    const tn_complex128 *x = in;
    tn_complex128 *y = out, so_far = {0, 0};
    for (int64_t i = 0; i < count; i++)
        y[i] = so_far = (tn_complex128){so_far.real + x[i].real, so_far.imag + x[i].imag};
}

static void scan_product_complex128(void *out, const void *in, int64_t count) {
    const tn_complex128 *x = in;
    tn_complex128 *y = out, so_far = {1, 0};
    for (int64_t i = 0; i < count; i++)
        y[i] = so_far = (tn_complex128){so_far.real * x[i].real - so_far.imag * x[i].imag,
                                        so_far.real * x[i].imag + so_far.imag * x[i].real};
}

static void scan_sum_float32(void *out, const void *in, int64_t count) {
    double before = 0;
    for (int64_t i = 0; i < count; i += SCAN_CHUNK)
        before +=
            tni_kernels()->scan[0]((float *)out + i, (const float *)in + i, tni_min_i64(count - i, SCAN_CHUNK), before, false);
}

/* Chunks of products would leave the range of double where the whole does not: a product is one chunk. */
static void scan_product_float32(void *out, const void *in, int64_t count) {
    (void)tni_kernels()->scan[1](out, in, count, 1, false);
}

static scan_line scan_line_of(tn_dtype compute, bool product) {
    switch (compute) {
    case TN_INT64: return product ? scan_product_int64 : scan_sum_int64;
    case TN_FLOAT64: return product ? scan_product_float64 : scan_sum_float64;
    case TN_COMPLEX128: return product ? scan_product_complex128 : scan_sum_complex128;
    default: return product ? scan_product_float32 : scan_sum_float32;
    }
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
    for (line->first = 0; line->first < chunks; line->first += SCAN_WAVE) {
        int64_t wave = tni_min_i64(chunks - line->first, SCAN_WAVE);
        if (alone) {
            for (int64_t chunk = 0; chunk < wave; chunk++)
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

/* Whether there is nothing but one line, and that is long and lies in memory as it is computed. */
static bool scan_is_long(const tn_tensor *result, const tn_tensor *source) {
    return result->dtype == TN_FLOAT32 && source->dtype == TN_FLOAT32 && source->ndim == 1 && source->numel >= 4 * SCAN_CHUNK &&
           source->strides[0] == 1 && result->strides[0] == 1;
}

/* ---- the operators */

typedef struct scan_call {
    scan_line line;
    int64_t count;
} scan_call;

static void scan_one_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const scan_call *call = context;
    (void)number, (void)scratch;
    call->line(lines[0], lines[1], call->count);
}

static tn_dtype scan_compute(tn_dtype dtype) {
    return tni_scan_is_whole(dtype)     ? TN_INT64
           : tn_dtype_is_complex(dtype) ? TN_COMPLEX128
           : dtype == TN_FLOAT64        ? TN_FLOAT64
                                        : TN_FLOAT32;
}

/* The dtype of the result: what is asked for, or that of self, integers and bool adding up to int64. */
static tn_dtype scan_dtype(const tn_tensor *self, tn_dtype dtype) {
    return dtype != TN_DTYPE_DEFAULT ? dtype : tni_scan_is_whole(self->dtype) ? TN_INT64 : (tn_dtype)self->dtype;
}

static bool scan_check(const tn_tensor *self, tn_dtype dtype, int64_t *dim) {
    if (dtype == TN_BOOL || (tni_dtypes[dtype].kind == TN_KIND_FLOAT && !tni_scan_is_float(dtype))) {
        tni_raise(TN_ERROR_DTYPE, "nothing is added up or multiplied in dtype %s; self is %s, give another dtype",
                  tn_dtype_name(dtype), tni_show_tensor(self));
        return false;
    }
    return tni_wrap_dim(*dim, self->ndim, "dim", dim);
}

/* result has the sizes of self and `dtype`; it may be self. */
static tn_error scan_into(tn_tensor *result, const tn_tensor *self, int64_t dim, bool product) {
    tn_dtype dtype = result->dtype, compute = scan_compute(dtype);
    tn_tensor *source = tni_scan_source(self, dtype, compute);
    if (!source)
        return tn_error_code();
    tn_error code = TN_OK;
    if (!product && scan_is_long(result, source)) {
        scan_long line = {.out = (float *)(void *)tni_tensor_write(result),
                          .in = (const float *)(const void *)tni_tensor_read(source),
                          .count = source->numel};
        line.streams = line.out != line.in && 8 * line.count > tni_cpu_last_level_bytes() / 2;
        scan_long_run(&line);
    } else {
        scan_call call = {scan_line_of(compute, product), source->ndim ? source->sizes[dim] : 1};
        tni_scan scan = {.result = result, .result_compute = compute, .self = source, .self_compute = compute, .dim = dim};
        code = tni_scan_run(&scan, scan_one_line, &call);
    }
    tni_tensor_release(source);
    return code;
}

static tn_tensor *scan_new(const tn_tensor *self, int64_t dim, tn_dtype dtype, bool product) {
    dtype = scan_dtype(self, dtype);
    if (!scan_check(self, dtype, &dim))
        return NULL;
    tn_tensor *result = tni_tensor_new(self->ndim, self->sizes, dtype, tni_tensor_device(self));
    if (result && scan_into(result, self, dim, product) != TN_OK) {
        tni_tensor_release(result);
        return NULL;
    }
    return result;
}

/* Without a dtype, that of `out` decides. */
static tn_error scan_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype, bool product) {
    dtype = dtype == TN_DTYPE_DEFAULT ? (tn_dtype)out->dtype : dtype;
    tni_result result;
    if (!scan_check(self, dtype, &dim) || !tni_result_begin(&result, out, (tn_dims){self->sizes, self->ndim}, dtype,
                                                            TNI_RESULT_EXACT, &self, self == out ? 0 : 1))
        return tn_error_code();
    return tni_result_end(&result, scan_into(result.tensor, self, dim, product));
}

tn_tensor *tni_op_cumsum(const tn_tensor *self, int64_t dim, tn_dtype dtype) { return scan_new(self, dim, dtype, false); }

tn_error tni_op_cumsum_(tn_tensor *self, int64_t dim, tn_dtype dtype) { return scan_out(self, self, dim, dtype, false); }

tn_error tni_op_cumsum_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    return scan_out(out, self, dim, dtype, false);
}

tn_tensor *tni_op_cumprod(const tn_tensor *self, int64_t dim, tn_dtype dtype) { return scan_new(self, dim, dtype, true); }

tn_error tni_op_cumprod_(tn_tensor *self, int64_t dim, tn_dtype dtype) { return scan_out(self, self, dim, dtype, true); }

tn_error tni_op_cumprod_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype) {
    return scan_out(out, self, dim, dtype, true);
}
