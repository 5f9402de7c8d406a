/* index_job.c - between the walk of index_engine.c and the index jobs of devices (tenon/backend.h).
 *
 * They say the same, but for two things: a job counts strides in elements, as all jobs do, and has offsets that have been made
 * before as positions one byte apart.
 */
#include "base/error.h"
#include "dispatch/backend.h"
#include "ops/index/index_engine.h"

static const struct index_kernel {
    tni_job_kernel kernel;
    int results, operands;
} index_kernels[] = {
    [TNI_PICK_READ] = {TNI_JOB_index_read, 1, 3},       [TNI_PICK_WRITE] = {TNI_JOB_index_write, 1, 3},
    [TNI_PICK_ADD] = {TNI_JOB_index_add, 1, 3},         [TNI_PICK_MULTIPLY] = {TNI_JOB_index_multiply, 1, 3},
    [TNI_PICK_MAXIMUM] = {TNI_JOB_index_maximum, 1, 3}, [TNI_PICK_MINIMUM] = {TNI_JOB_index_minimum, 1, 3},
    [TNI_PICK_LIST] = {TNI_JOB_index_offsets, 1, 2},    [TNI_PICK_CHECK] = {TNI_JOB_index_check, 0, 1},
};

/* ---- to a device */

static tn_job_operand index_operand(const tni_pick *pick, const void *data, tn_dtype dtype, const int64_t *bytes,
                                    int64_t *strides) {
    int64_t item = (int64_t)tni_dtype_size(dtype);
    for (int64_t d = 0; d < pick->ndim; d++)
        strides[d] = bytes[d] / item;
    return (tn_job_operand){.data = (char *)(uintptr_t)data,
                            .strides = strides,
                            .device = pick->device,
                            .dtype = dtype,
                            .compute = dtype,
                            .through = TN_DTYPE_DEFAULT};
}

tn_error tni_pick_elsewhere(const tni_pick *pick, bool checked) {
    const struct index_kernel *what = &index_kernels[pick->mode];
    int64_t picked_strides[TN_MAX_DIMS], other_strides[TN_MAX_DIMS], index_strides[TN_MAX_DIMS];
    tn_job_operand operand[3];
    if (what->operands > 1) { /* the two sides, what is written first */
        tn_dtype other_dtype = pick->mode == TNI_PICK_LIST ? TN_INT64 : pick->dtype;
        bool other_first = pick->mode == TNI_PICK_READ || pick->mode == TNI_PICK_LIST;
        tn_job_operand *other = &operand[other_first ? 0 : 1];
        *other = index_operand(pick, pick->other, other_dtype, pick->other_strides, other_strides);
        if (pick->element) {
            other->strides = NULL;
            other->device = TN_DEVICE_CPU;
        }
        if (what->operands > 2)
            operand[other_first ? 1 : 0] = index_operand(pick, pick->picked, pick->dtype, pick->picked_strides, picked_strides);
    }
    operand[what->operands - 1] = index_operand(pick, pick->index, pick->index_dtype, pick->index_strides, index_strides);
    tn_job job = tni_job_begin(TN_JOB_INDEX, what->kernel);
    job.compute = operand[0].dtype;
    job.ndim = (int32_t)pick->ndim;
    job.sizes = pick->sizes;
    job.results = what->results;
    job.operands = what->operands;
    job.operand = operand;
    job.dim = (int32_t)pick->dim;
    job.step = pick->ready ? 1 : pick->scale;
    job.limit = pick->ready ? INT64_MAX : pick->limit;
    job.wraps = !pick->ready && pick->wrap;
    job.checked = checked;
    return tni_backend_run(pick->device.type, &job);
}

/* ---- and back */

static char *index_side(const tn_job *job, int at, int64_t *bytes) {
    const tn_job_operand *operand = &job->operand[at];
    for (int32_t d = 0; d < job->ndim; d++)
        bytes[d] = operand->strides ? operand->strides[d] * (int64_t)tni_dtype_size(operand->dtype) : 0;
    return operand->data;
}

static tn_error index_refuses(const tn_job *job, const struct index_kernel *what) {
    if (job->results != what->results || job->operands != what->operands)
        return tni_raise(TN_ERROR_ARGUMENT, "the job \"%s\" has %d result(s) and %d operand(s) in all; given %d and %d",
                         job->kernel, what->results, what->operands, (int)job->results, (int)job->operands);
    tn_dtype_kind positions = tni_dtype_row(job->operand[job->operands - 1].dtype)->kind;
    tn_dtype dtype = job->operand[0].dtype;
    if ((positions != TN_KIND_SIGNED && positions != TN_KIND_UNSIGNED) || (what->operands == 2 && dtype != TN_INT64) ||
        (what->operands == 3 && dtype != job->operand[1].dtype))
        return tni_raise(TN_ERROR_DTYPE, "the dtypes of the operands of the job \"%s\" do not go together", job->kernel);
    return TN_OK;
}

tn_error tni_index_run_job(const tn_job *job) {
    int mode = 0, last = job->operands - 1, modes = (int)TNI_COUNT_OF(index_kernels);
    while (mode < modes && (!job->kernel || strcmp(job->kernel, tni_job_name(index_kernels[mode].kernel)) != 0))
        mode++;
    if (mode == modes)
        return tni_raise(TN_ERROR_UNSUPPORTED, "the CPU has no index job \"%s\"", job->kernel ? job->kernel : "");
    tn_error code = index_refuses(job, &index_kernels[mode]);
    if (code != TN_OK)
        return code;
    tni_pick pick = {.mode = (tni_pick_mode)mode,
                     .dtype = job->operand[0].dtype,
                     .scale = job->step,
                     .limit = job->limit,
                     .dim = job->dim,
                     .index_dtype = job->operand[last].dtype,
                     .wrap = job->wraps,
                     .ready = job->checked && !job->wraps && job->step == 1 && job->operand[last].dtype == TN_INT64,
                     .ndim = job->ndim};
    if (mode >= TNI_PICK_ADD && mode <= TNI_PICK_MINIMUM && tni_pick_wide(pick.dtype, pick.mode) != pick.dtype)
        return tni_raise(TN_ERROR_DTYPE, "the CPU has no index job \"%s\" for %s", job->kernel, tn_dtype_name(pick.dtype));
    if (job->ndim)
        memcpy(pick.sizes, job->sizes, (size_t)job->ndim * sizeof *pick.sizes);
    pick.index = index_side(job, last, pick.index_strides);
    bool other_first = pick.mode == TNI_PICK_READ || pick.mode == TNI_PICK_LIST;
    if (last > 0)
        pick.other = index_side(job, other_first ? 0 : 1, pick.other_strides);
    if (last > 1)
        pick.picked = index_side(job, other_first ? 1 : 0, pick.picked_strides);
    return pick.mode == TNI_PICK_CHECK ? tni_pick_check(&pick) : tni_pick_run(&pick);
}
