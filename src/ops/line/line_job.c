/* line_job.c - between the lines of the operators and those of devices (tenon/backend.h, which lists the kernels).
 *
 * To a device goes what the iterator would run on the CPU, results first. What comes back from one is done by the operators
 * themselves, over borrowed memory in which the dimension of the lines is the last.
 */
#include "ops/line/line_job.h"

#include "base/heap.h"
#include "base/scope.h"
#include "operators_create.h"
#include "operators_scan.h"
#include "operators_softmax.h"
#include "operators_sort.h"
#include "operators_statistics.h"
#include "ops/copy/copy.h"

/* ---- to a device */

/* A tensor of no dimensions is a line of one element. */
typedef struct line_shape {
    int64_t ndim, dim, sizes[TN_MAX_DIMS], one;
} line_shape;

static void line_add(tn_job *job, tn_job_operand *operands, int64_t *lengths, const tni_lines_job *from, int k,
                     const int64_t *one) {
    const tni_line_operand *operand = &from->operand[k];
    bool strided = from->ndim || operand->length > 1;
    lengths[job->operands] = operand->length;
    operands[job->operands++] = (tn_job_operand){.data = operand->data,
                                                 .strides = strided ? operand->strides : one,
                                                 .device = from->device,
                                                 .dtype = operand->dtype,
                                                 .compute = operand->compute,
                                                 .through = TN_DTYPE_DEFAULT};
}

static tn_error line_run(tn_job *job, const tni_lines_job *from) {
    line_shape shape = {.ndim = tni_max_i64(from->ndim, 1), .dim = from->ndim ? from->dim : 0, .one = 1};
    tn_job_operand operands[TNI_LINE_OPERANDS];
    int64_t lengths[TNI_LINE_OPERANDS];
    if (from->ndim)
        memcpy(shape.sizes, from->sizes, (size_t)from->ndim * sizeof *shape.sizes);
    for (int k = 0; k < from->operands; k++)
        if (from->operand[k].writes)
            line_add(job, operands, lengths, from, k, &shape.one);
    job->results = job->operands;
    for (int k = 0; k < from->operands; k++)
        if (!from->operand[k].writes)
            line_add(job, operands, lengths, from, k, &shape.one);
    shape.sizes[shape.dim] = lengths[job->results];
    for (int64_t d = 0; d < shape.ndim; d++)
        if (shape.sizes[d] == 0)
            return TN_OK;
    job->compute = operands[job->results].compute;
    job->ndim = (int32_t)shape.ndim;
    job->sizes = shape.sizes;
    job->dim = (int32_t)shape.dim;
    job->lengths = lengths;
    job->operand = operands;
    return tni_backend_run(from->device.type, job);
}

tn_error tni_lines_elsewhere(const tni_lines_job *from) {
    tn_job job = tni_job_begin(TN_JOB_LINES, from->kernel);
    size_t bytes = (size_t)(from->numbers + 1) * sizeof(tn_job_number);
    tn_job_number *number = tni_heap_alloc(bytes);
    if (!number)
        return TN_ERROR_MEMORY;
    for (int64_t i = 0; i < from->numbers; i++) {
        double real = from->number[i];
        int64_t whole = real >= -0x1p63 && real < 0x1p63 ? (int64_t)real : 0;
        number[i] = (tn_job_number){real, whole, {real, 0}};
    }
    job.numbers = (int32_t)from->numbers;
    job.number = number;
    tn_error code = line_run(&job, from);
    tni_heap_free(number, bytes);
    return code;
}

/* ---- and back */

enum { LINE_RESULTS = 2, LINE_READS = 3 };

typedef struct line_work {
    const tn_job *job;
    int64_t dim;                                /* the last                                       */
    tn_tensor *out[LINE_RESULTS];               /* each with its own length there                 */
    tn_tensor *read[LINE_READS];                /* the same                                       */
    const tn_tensor *parameter[LINE_READS - 1]; /* one line of what is read after the first, or NULL */
} line_work;

static double line_number(const line_work *w, int64_t at) { return at < w->job->numbers ? w->job->number[at].real : 0; }
static bool line_flag(const line_work *w, int64_t at) { return line_number(w, at) != 0; }

/* What an operator without an out variant made, to where it is wanted; NULL is passed on. */
static tn_error line_put(tn_tensor *out, tn_tensor *made) {
    tn_error code = made ? tni_copy_into(out, made, "the result of a job is put in its place") : tni_failed();
    tni_tensor_release(made);
    return code;
}

/* The result without the dimension, of which it has one element. */
static tn_error line_put_flat(const line_work *w, tn_tensor *made) {
    tn_tensor *out = w->out[0], *flat = made ? tni_tensor_view(out, w->dim, out->sizes, out->strides, out->offset) : NULL;
    if (made && !flat) {
        tni_tensor_release(made);
        return tni_failed();
    }
    tn_error code = line_put(flat, made);
    tni_tensor_release(flat);
    return code;
}

/* The quantiles of a line stand together in a job, and in front in the operator's result. */
static tn_error line_quantile(const line_work *w, bool ignores_nan) {
    static const char *const names[] = {"linear", "lower", "higher", "midpoint", "nearest"};
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS], count = w->out[0]->sizes[w->dim], how = (int64_t)line_number(w, 0);
    if (how < 0 || how >= (int64_t)TNI_COUNT_OF(names) || w->job->numbers != count + 1)
        return tni_raise(TN_ERROR_ARGUMENT, "the job \"%s\" has an interpolation and %" PRId64 " quantiles; given %d number(s)",
                         w->job->kernel, count, (int)w->job->numbers);
    tn_dtype dtype = w->read[0]->dtype;
    tn_tensor *q = tni_tensor_new(1, &count, dtype, TN_DEVICE_CPU);
    for (int64_t i = 0; q && i < count; i++)
        tn_dtype_store(dtype, tni_tensor_write(q) + (size_t)i * tni_tensor_item_size(q),
                       tn_scalar_float(line_number(w, i + 1)));
    for (int64_t d = 0; d <= w->dim; d++) {
        sizes[d] = d ? w->out[0]->sizes[d - 1] : count;
        strides[d] = d ? w->out[0]->strides[d - 1] : w->out[0]->strides[w->dim];
    }
    tn_tensor *out = q ? tni_tensor_view(w->out[0], w->dim + 1, sizes, strides, w->out[0]->offset) : NULL;
    tn_error code = !out          ? tni_failed()
                    : ignores_nan ? tni_op_nanquantile_out(out, w->read[0], q, w->dim, false, names[how])
                                  : tni_op_quantile_out(out, w->read[0], q, w->dim, false, names[how]);
    tni_tensor_release(out);
    tni_tensor_release(q);
    return code;
}

typedef struct line_name {
    const char *kernel;
    int least_results, results, least_reads, reads;
    bool single; /* gives one element a line */
    tn_error (*run)(const line_work *w);
} line_name;

#define LINE_AS(kernel, call)                                                                                                  \
    static tn_error line_as_##kernel(const line_work *w) { return call; }
LINE_AS(softmax, tni_op_softmax_out(w->out[0], w->read[0], w->dim, w->out[0]->dtype))
LINE_AS(log_softmax, tni_op_log_softmax_out(w->out[0], w->read[0], w->dim, w->out[0]->dtype))
LINE_AS(cumsum, tni_op_cumsum_out(w->out[0], w->read[0], w->dim, w->out[0]->dtype))
LINE_AS(cumprod, tni_op_cumprod_out(w->out[0], w->read[0], w->dim, w->out[0]->dtype))
LINE_AS(cummax, tni_op_cummax_out(w->out[0], w->out[1], w->read[0], w->dim))
LINE_AS(cummin, tni_op_cummin_out(w->out[0], w->out[1], w->read[0], w->dim))
LINE_AS(logcumsumexp, tni_op_logcumsumexp_out(w->out[0], w->read[0], w->dim))
LINE_AS(normalize, tni_op_normalize_out(w->out[0], w->read[0], line_number(w, 0), w->dim, line_number(w, 1)))
LINE_AS(layer_norm, line_put(w->out[0], tni_op_layer_norm(w->read[0], (tn_dims){&w->read[0]->sizes[w->dim], 1}, w->parameter[0],
                                                          w->parameter[1], line_number(w, 0))))
LINE_AS(rms_norm, line_put(w->out[0], tni_op_rms_norm(w->read[0], (tn_dims){&w->read[0]->sizes[w->dim], 1}, w->parameter[0],
                                                      tn_scalar_float(line_number(w, 0)))))
LINE_AS(sort, tni_op_sort_out(w->out[0], w->out[1], w->read[0], w->dim, line_flag(w, 0)))
LINE_AS(argsort, line_put(w->out[0], tni_op_argsort(w->read[0], w->dim, line_flag(w, 0))))
LINE_AS(topk,
        tni_op_topk_out(w->out[0], w->out[1], w->read[0], w->out[0]->sizes[w->dim], w->dim, line_flag(w, 0), line_flag(w, 1)))
LINE_AS(kthvalue, tni_op_kthvalue_out(w->out[0], w->out[1], w->read[0], (int64_t)line_number(w, 0), w->dim, true))
LINE_AS(median, tni_op_median_dim_out(w->out[0], w->out[1], w->read[0], w->dim, true))
LINE_AS(nanmedian, tni_op_nanmedian_dim_out(w->out[0], w->out[1], w->read[0], w->dim, true))
LINE_AS(mode, tni_op_mode_out(w->out[0], w->out[1], w->read[0], w->dim, true))
LINE_AS(quantile, line_quantile(w, false))
LINE_AS(nanquantile, line_quantile(w, true))
LINE_AS(trapezoid, line_put_flat(w, w->read[1] ? tni_op_trapezoid_x(w->read[0], w->read[1], w->dim)
                                               : tni_op_trapezoid(w->read[0], tn_scalar_float(line_number(w, 0)), w->dim)))
LINE_AS(cumulative_trapezoid,
        line_put(w->out[0], w->read[1] ? tni_op_cumulative_trapezoid_x(w->read[0], w->read[1], w->dim)
                                       : tni_op_cumulative_trapezoid(w->read[0], tn_scalar_float(line_number(w, 0)), w->dim)))
#undef LINE_AS

static const line_name *line_find(const char *kernel) {
#define LINE_ROW(name, least_results, results, least_reads, reads, single)                                                     \
    { #name, least_results, results, least_reads, reads, single, line_as_##name }
    static const line_name names[] = {
        LINE_ROW(softmax, 1, 1, 1, 1, false),
        LINE_ROW(log_softmax, 1, 1, 1, 1, false),
        LINE_ROW(cumsum, 1, 1, 1, 1, false),
        LINE_ROW(cumprod, 1, 1, 1, 1, false),
        LINE_ROW(cummax, 2, 2, 1, 1, false),
        LINE_ROW(cummin, 2, 2, 1, 1, false),
        LINE_ROW(logcumsumexp, 1, 1, 1, 1, false),
        LINE_ROW(normalize, 1, 1, 1, 1, false),
        LINE_ROW(layer_norm, 1, 1, 1, 3, false),
        LINE_ROW(rms_norm, 1, 1, 1, 2, false),
        LINE_ROW(sort, 1, 2, 1, 1, false),
        LINE_ROW(argsort, 1, 1, 1, 1, false),
        LINE_ROW(topk, 2, 2, 1, 1, false),
        LINE_ROW(kthvalue, 2, 2, 1, 1, true),
        LINE_ROW(median, 1, 2, 1, 1, true),
        LINE_ROW(nanmedian, 1, 2, 1, 1, true),
        LINE_ROW(mode, 1, 2, 1, 1, true),
        LINE_ROW(quantile, 1, 1, 1, 1, false),
        LINE_ROW(nanquantile, 1, 1, 1, 1, false),
        LINE_ROW(trapezoid, 1, 1, 1, 2, true),
        LINE_ROW(cumulative_trapezoid, 1, 1, 1, 2, false),
    };
#undef LINE_ROW
    for (size_t i = 0; kernel && i < TNI_COUNT_OF(names); i++)
        if (strcmp(names[i].kernel, kernel) == 0)
            return &names[i];
    return NULL;
}

/* An operand as a tensor, its lines along the last dimension; a scope's. */
static tn_tensor *line_borrow(const tn_job *job, int at) {
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS], last = 0;
    const tn_job_operand *operand = &job->operand[at];
    for (int64_t d = 0; d < job->ndim; d++)
        if (d != job->dim) {
            sizes[last] = job->sizes[d];
            strides[last++] = operand->strides[d];
        }
    sizes[last] = job->lengths[at];
    strides[last] = operand->strides[job->dim];
    return tn_from_memory_strided(operand->data, (tn_dims){sizes, job->ndim}, (tn_dims){strides, job->ndim}, operand->dtype,
                                  TN_BORROW);
}

static tn_tensor *line_borrow_one(const tn_job *job, int at) {
    const tn_job_operand *operand = &job->operand[at];
    return tn_from_memory_strided(operand->data, (tn_dims){&job->lengths[at], 1}, (tn_dims){&operand->strides[job->dim], 1},
                                  operand->dtype, TN_BORROW);
}

static bool line_make_work(const line_name *name, line_work *w) {
    const tn_job *job = w->job;
    bool good = true;
    for (int k = 0; good && k < job->results; k++)
        good = (w->out[k] = line_borrow(job, k)) != NULL;
    for (int k = 0; good && job->results + k < job->operands; k++)
        good = (w->read[k] = line_borrow(job, job->results + k)) != NULL;
    if (good && job->results < name->results) { /* indices that are not wanted */
        const tn_tensor *like = w->out[0];
        w->out[1] = tn_empty((tn_dims){like->sizes, like->ndim}, TN_INT64);
        good = w->out[1] != NULL;
    }
    int at = job->results + 1; /* the weight and the bias of a norm, which are there or not */
    for (int k = 0; good && k < LINE_READS - 1 && name->reads > 1; k++)
        if (line_flag(w, k + 1) && at < job->operands)
            good = (w->parameter[k] = line_borrow_one(job, at++)) != NULL;
    return good;
}

static tn_error line_refuses(const tn_job *job, const line_name *name) {
    int reads = job->operands - job->results;
    if (job->results < name->least_results || job->results > name->results || reads < name->least_reads || reads > name->reads)
        return tni_raise(TN_ERROR_ARGUMENT,
                         "the job \"%s\" has %d to %d result(s) and reads %d to %d operand(s); given %d and %d", name->kernel,
                         name->least_results, name->results, name->least_reads, name->reads, (int)job->results, reads);
    if (!job->lengths || job->ndim < 1 || job->dim < 0 || job->dim >= job->ndim)
        return tni_raise(TN_ERROR_ARGUMENT, "the job \"%s\" goes along dimension %d of %d, or its lengths are missing",
                         name->kernel, (int)job->dim, (int)job->ndim);
    for (int i = 0; i < job->operands; i++)
        if (job->lengths[i] < 0 || (name->single && i < job->results && job->lengths[i] != 1))
            return tni_raise(TN_ERROR_ARGUMENT, "operand %d of the job \"%s\" has lines of %" PRId64 " elements", i,
                             name->kernel, job->lengths[i]);
    return TN_OK;
}

tn_error tni_lines_run_job(const tn_job *job) {
    const line_name *name = line_find(job->kernel);
    if (!name)
        return tni_raise(TN_ERROR_UNSUPPORTED, "the CPU has no lines job \"%s\"", job->kernel ? job->kernel : "");
    tn_error code = line_refuses(job, name);
    if (code != TN_OK)
        return code;
    line_work work = {.job = job, .dim = job->ndim - 1};
    tn_scope scope = tni_scope_open_hidden();
    code = scope.id && line_make_work(name, &work) ? name->run(&work) : tni_failed();
    if (scope.id)
        (void)tn_scope_close(scope);
    return code;
}
