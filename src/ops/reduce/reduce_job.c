/* reduce_job.c - between the reductions of the operators and those of devices (tenon/backend.h).
 *
 * The names of reductions are those of the operators that need no other:
 *
 *   sum, mean, nansum, prod                         of elements converted to what the operand says it computes in
 *   amax, amin; argmax, argmin; any, all, count_nonzero, logsumexp
 *   max, min; aminmax; var_mean, std_mean           two results: values and indices; min and max; the spread and the mean
 *   var, std, var_mean, std_mean                    number 0 is the correction
 *   vector_norm                                     number 0 is the order
 *
 * Complex numbers come as pairs of real ones, in a last dimension of two that is not reduced, except to prod and vector_norm.
 * An index counts in row-major order of the reduced dimensions.
 */
#include "ops/reduce/reduce_job.h"

#include "base/error.h"
#include "base/scope.h"
#include "dispatch/backend.h"
#include "operators_reduce.h"
#include "tensor/tensor.h"

tn_error tni_reduce_elsewhere(tn_device device, const tni_reduce_job *job, tni_job_kernel kernel, tn_dtype elements,
                              double number) {
    tn_job_operand operand[TNI_REDUCE_RESULTS + 1];
    int results = job->what->results;
    for (int64_t d = 0; d < job->ndim; d++)
        if (job->sizes[d] == 0 && !job->reduced[d])
            return TN_OK;
    for (int k = 0; k < results; k++)
        operand[k] = (tn_job_operand){.data = job->result[k].data,
                                      .strides = job->result[k].strides,
                                      .device = device,
                                      .dtype = job->result[k].dtype,
                                      .compute = job->result[k].dtype,
                                      .through = TN_DTYPE_DEFAULT};
    operand[results] = (tn_job_operand){.data = (char *)(uintptr_t)job->data,
                                        .strides = job->strides,
                                        .device = device,
                                        .dtype = job->dtype,
                                        .compute = elements,
                                        .through = TN_DTYPE_DEFAULT};
    /* An order may be infinite, which is not a whole number. */
    tn_job_number own = {number, number > -0x1p62 && number < 0x1p62 ? (int64_t)number : 0, {number, 0}};
    tn_job public = tni_job_begin(TN_JOB_REDUCE, kernel);
    public.compute = elements;
    public.ndim = (int32_t)job->ndim;
    public.sizes = job->sizes;
    public.reduced = job->reduced;
    public.results = results;
    public.operands = results + 1;
    public.operand = operand;
    public.numbers = 1;
    public.number = &own;
    return tni_backend_run(device.type, &public);
}

/* ---- and back: the operators themselves, over borrowed memory. The tensors are a scope's. */

typedef struct reduce_work {
    tn_tensor *self;
    tn_tensor *out[TNI_REDUCE_RESULTS];  /* with a dimension of size 1 for each that is reduced */
    tn_tensor *flat[TNI_REDUCE_RESULTS]; /* without it                                          */
    int64_t dims[TN_MAX_DIMS], count;    /* those that are reduced                              */
    bool all;                            /* which is every one                                  */
    tn_dtype elements;
    tn_scalar number;
} reduce_work;

static tn_dims reduce_dims(const reduce_work *work) { return (tn_dims){work->dims, work->count}; }

/* For operators that take one dimension, or all. */
static int64_t reduce_dim(const reduce_work *work) { return work->all ? TN_NONE : work->dims[0]; }

typedef struct reduce_name {
    const char *kernel;
    int results;
    bool one; /* takes one dimension, or all */
    tn_error (*run)(const reduce_work *w);
} reduce_name;

#define REDUCE_AS(kernel, call)                                                                                                \
    static tn_error reduce_as_##kernel(const reduce_work *w) { return call; }
REDUCE_AS(sum, tni_op_sum_dim_out(w->out[0], w->self, reduce_dims(w), true, w->elements))
REDUCE_AS(mean, tni_op_mean_dim_out(w->out[0], w->self, reduce_dims(w), true, w->elements))
REDUCE_AS(nansum, tni_op_nansum_out(w->out[0], w->self, reduce_dims(w), true, w->elements))
REDUCE_AS(prod, w->all ? tni_op_prod_out(w->flat[0], w->self, w->elements)
                       : tni_op_prod_dim_out(w->out[0], w->self, w->dims[0], true, w->elements))
REDUCE_AS(amax, tni_op_amax_out(w->out[0], w->self, reduce_dims(w), true))
REDUCE_AS(amin, tni_op_amin_out(w->out[0], w->self, reduce_dims(w), true))
REDUCE_AS(argmax, tni_op_argmax_out(w->flat[0], w->self, reduce_dim(w), false))
REDUCE_AS(argmin, tni_op_argmin_out(w->flat[0], w->self, reduce_dim(w), false))
REDUCE_AS(any, tni_op_any_dims_out(w->out[0], w->self, reduce_dims(w), true))
REDUCE_AS(all, tni_op_all_dims_out(w->out[0], w->self, reduce_dims(w), true))
REDUCE_AS(count_nonzero, tni_op_count_nonzero_dims_out(w->flat[0], w->self, reduce_dims(w)))
REDUCE_AS(logsumexp, tni_op_logsumexp_out(w->out[0], w->self, reduce_dims(w), true))
REDUCE_AS(vector_norm, tni_op_linalg_vector_norm_out(w->out[0], w->self, w->number, reduce_dims(w), true, w->elements))
REDUCE_AS(max, tni_op_max_dim_out(w->out[0], w->out[1], w->self, w->dims[0], true))
REDUCE_AS(min, tni_op_min_dim_out(w->out[0], w->out[1], w->self, w->dims[0], true))
REDUCE_AS(aminmax, tni_op_aminmax_out(w->flat[0], w->flat[1], w->self, reduce_dim(w), false))
REDUCE_AS(var, tni_op_var_correction_out(w->out[0], w->self, reduce_dims(w), w->number, true))
REDUCE_AS(std, tni_op_std_correction_out(w->out[0], w->self, reduce_dims(w), w->number, true))
REDUCE_AS(var_mean, tni_op_var_mean_correction_out(w->out[0], w->out[1], w->self, reduce_dims(w), w->number, true))
REDUCE_AS(std_mean, tni_op_std_mean_correction_out(w->out[0], w->out[1], w->self, reduce_dims(w), w->number, true))
#undef REDUCE_AS

static const reduce_name *reduce_find(const char *kernel) {
#define REDUCE_ROW(name, results, one)                                                                                         \
    { #name, results, one, reduce_as_##name }
    static const reduce_name names[] = {
        REDUCE_ROW(sum, 1, false),
        REDUCE_ROW(mean, 1, false),
        REDUCE_ROW(nansum, 1, false),
        REDUCE_ROW(prod, 1, true),
        REDUCE_ROW(amax, 1, false),
        REDUCE_ROW(amin, 1, false),
        REDUCE_ROW(argmax, 1, true),
        REDUCE_ROW(argmin, 1, true),
        REDUCE_ROW(any, 1, false),
        REDUCE_ROW(all, 1, false),
        REDUCE_ROW(count_nonzero, 1, false),
        REDUCE_ROW(logsumexp, 1, false),
        REDUCE_ROW(max, 2, true),
        REDUCE_ROW(min, 2, true),
        REDUCE_ROW(aminmax, 2, true),
        REDUCE_ROW(var, 1, false),
        REDUCE_ROW(std, 1, false),
        REDUCE_ROW(var_mean, 2, false),
        REDUCE_ROW(std_mean, 2, false),
        REDUCE_ROW(vector_norm, 1, false),
    };
#undef REDUCE_ROW
    for (size_t i = 0; kernel && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].kernel, kernel) == 0)
            return &names[i];
    return NULL;
}

static tn_tensor *reduce_borrow(const tn_job_operand *operand, int64_t ndim, const int64_t *sizes, const int64_t *strides) {
    return tn_from_memory_strided(operand->data, (tn_dims){sizes, ndim}, (tn_dims){strides, ndim}, operand->dtype, TN_BORROW);
}

static tn_error reduce_make_work(const tn_job *job, reduce_work *work) {
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS], ones[TN_MAX_DIMS], kept[TN_MAX_DIMS];
    const tn_job_operand *from = &job->operand[job->results];
    int64_t ndim = job->ndim;
    memcpy(sizes, job->sizes, (size_t)ndim * sizeof *sizes);
    memcpy(strides, from->strides, (size_t)ndim * sizeof *strides);
    for (int64_t d = 0; d < ndim; d++)
        if (job->reduced[d])
            work->dims[work->count++] = d;
    bool none =
        work->count == 0 && ndim > 0; /* where an empty list would mean all: one more dimension, of size 1, is reduced */
    if (none && ndim == TN_MAX_DIMS)
        return tni_raise(TN_ERROR_UNSUPPORTED, "a reduction of %d dimensions over none of them", TN_MAX_DIMS);
    if (none) {
        sizes[ndim] = 1;
        strides[ndim] = 0;
        work->dims[work->count++] = ndim++;
    }
    work->all = work->count == ndim;
    work->self = reduce_borrow(from, ndim, sizes, strides);
    for (int k = 0; k < job->results && work->self; k++) {
        const tn_job_operand *to = &job->operand[k];
        int64_t left = 0;
        for (int64_t d = 0; d < ndim; d++) {
            bool reduced = d == job->ndim || job->reduced[d];
            ones[d] = reduced ? 1 : sizes[d];
            strides[d] = reduced ? 0 : to->strides[d];
        }
        work->out[k] = reduce_borrow(to, ndim, ones, strides);
        for (int64_t d = 0; d < job->ndim; d++)
            if (!job->reduced[d]) {
                ones[left] = sizes[d];
                kept[left++] = to->strides[d];
            }
        work->flat[k] = work->out[k] ? reduce_borrow(to, left, ones, kept) : NULL;
        if (!work->flat[k])
            return tni_failed();
    }
    return work->self ? TN_OK : tni_failed();
}

tn_error tni_reduce_run_job(const tn_job *job) {
    const reduce_name *name = reduce_find(job->kernel);
    if (!name)
        return tni_raise(TN_ERROR_UNSUPPORTED, "the CPU has no reduction \"%s\"", job->kernel ? job->kernel : "");
    if (job->results != name->results || job->operands != job->results + 1 || !job->reduced)
        return tni_raise(TN_ERROR_ARGUMENT, "the reduction \"%s\" has %d result(s) and one operand; given %d of %d",
                         name->kernel, name->results, (int)job->results, (int)job->operands);
    reduce_work work = {.elements = job->operand[job->results].compute,
                        .number = tn_scalar_float(job->numbers > 0 ? job->number[0].real : 0)};
    tn_scope scope = tni_scope_open_hidden();
    tn_error code = scope.id ? reduce_make_work(job, &work) : tni_failed();
    if (code == TN_OK && name->one && !work.all && work.count != 1)
        code = tni_raise(TN_ERROR_ARGUMENT, "the reduction \"%s\" is of one dimension or of all, not of %" PRId64, name->kernel,
                         work.count);
    if (code == TN_OK)
        code = name->run(&work);
    if (scope.id)
        (void)tn_scope_close(scope);
    return code;
}
