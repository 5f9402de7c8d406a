/* job.c - tn_job_run_on_cpu: a job of a device, done by the CPU. */
#include <tenon/backend.h>

#include "base/cancel.h"
#include "ops/copy/copy_engine.h"
#include "ops/index/index_engine.h"
#include "ops/line/line_job.h"
#include "ops/pointwise/pointwise_job.h"
#include "ops/product/product_job.h"
#include "ops/reduce/reduce_job.h"
#include "tensor/dtype.h"

/* A fill is a copy of one element to all places, converted or not. */
static tn_error job_copy(const tn_job *job) {
    static const int64_t nowhere[TN_MAX_DIMS] = {0};
    if (job->results != 1 || job->operands != 2)
        return tni_raise(TN_ERROR_ARGUMENT, "a %s job has one result and one operand; given %d of %d",
                         tn_job_kind_name(job->kind), (int)job->results, (int)job->operands);
    const tn_job_operand *to = &job->operand[0], *from = &job->operand[1];
    tni_copy_elements(&(tni_copy){.ndim = job->ndim,
                                  .sizes = job->sizes,
                                  .target = to->data,
                                  .target_strides = to->strides,
                                  .target_dtype = to->dtype,
                                  .source = from->data,
                                  .source_strides = from->strides ? from->strides : nowhere,
                                  .source_dtype = from->dtype});
    return TN_OK;
}

/* How much of a job its kind needs: one that was put together for an older Tenon ends before what came later. */
static size_t job_least_size(const tn_job *job) {
    return job->struct_size >= offsetof(tn_job, kernel) && job->kind < TN_JOB_INDEX ? offsetof(tn_job, dim) : sizeof *job;
}

static bool job_is_sound(const tn_job *job) {
    if (!job || job->struct_size < job_least_size(job) || !job->operand || job->numbers < 0 ||
        (job->numbers > 0 && !job->number) || job->ndim < 0 || job->ndim > TN_MAX_DIMS || (job->ndim > 0 && !job->sizes)) {
        tni_raise(TN_ERROR_ARGUMENT,
                  job ? "the job is not complete: its size, its operands, its numbers or its dimensions" : "job is NULL");
        return false;
    }
    for (int32_t d = 0; d < job->ndim; d++)
        if (job->sizes[d] < 0) {
            tni_raise(TN_ERROR_ARGUMENT, "dimension %d of the job has size %" PRId64, (int)d, job->sizes[d]);
            return false;
        }
    for (int32_t i = 0; i < job->operands; i++) {
        const tn_job_operand *operand = &job->operand[i];
        bool number = i >= job->results && !operand->strides && job->kind != TN_JOB_REDUCE && job->kind != TN_JOB_LINES &&
                      job->kind != TN_JOB_PRODUCT;
        if ((operand->through != TN_DTYPE_DEFAULT && (unsigned)operand->through >= TN_DTYPE_COUNT) ||
            (unsigned)operand->dtype >= TN_DTYPE_COUNT || (unsigned)operand->compute >= TN_DTYPE_COUNT ||
            (job->ndim > 0 && !operand->strides && !number)) {
            tni_raise(TN_ERROR_ARGUMENT, "operand %d of the job has no dtype or no strides", (int)i);
            return false;
        }
    }
    return true;
}

tn_error tn_job_run_on_cpu(const tn_job *job) {
    const char *outer = tni_operator_enter("job_run_on_cpu");
    tn_error code = TN_ERROR_ARGUMENT;
    if (job_is_sound(job))
        switch (job->kind) {
        case TN_JOB_COPY:
        case TN_JOB_FILL: code = job_copy(job); break;
        case TN_JOB_POINTWISE: code = tni_pointwise_run_job(job); break;
        case TN_JOB_REDUCE: code = tni_reduce_run_job(job); break;
        case TN_JOB_INDEX: code = tni_index_run_job(job); break;
        case TN_JOB_LINES: code = tni_lines_run_job(job); break;
        case TN_JOB_PRODUCT: code = tni_product_run_job(job); break;
        default: code = tni_raise(TN_ERROR_UNSUPPORTED, "the CPU knows no jobs of kind %d", (int)job->kind);
        }
    tni_operator_leave(outer);
    return tni_cancel_ends(tni_thread_current, outer) ? TN_ERROR_CANCELLED : code;
}
