/* toy_jobs.h - the toy of toy_backend.h as a backend: it translates the addresses of jobs and lets the CPU do them. */
#ifndef TENON_TOY_JOBS_H
#define TENON_TOY_JOBS_H

#include "toy_backend.h"

#include <tenon/backend.h>

static int jobs_done[TN_JOB_KINDS];
static tn_error next_answer;

/* Translates the addresses and lets the CPU do it. */
static inline tn_error toy_job(void *ctx, const tn_job *job) {
    tn_job_operand operand[8];
    tn_job work = *job;
    CHECK(job->struct_size == sizeof *job && job->operands <= 8);
    CHECK_INT(tn_job_kernel_id(job->kernel), job->kernel_id);
    for (int i = 0; i < job->operands; i++) {
        operand[i] = job->operand[i];
        if (operand[i].device.type != TN_CPU)
            operand[i].data = toy_real(operand[i].data);
        else
            CHECK(job->kind == TN_JOB_COPY || !operand[i].strides);
    }
    work.operand = operand;
    work.struct_size = sizeof work;
    jobs_done[job->kind]++;
    if (ctx)
        ++*(int *)ctx;
    return next_answer ? next_answer : tn_job_run_on_cpu(&work);
}

static inline void toy_drop_backend(void *unused) {
    (void)unused;
    bool waiting = tn_error_code() != TN_OK;
    if (tn_backend_unregister(tn_device_type_register("toy")) != TN_OK && !waiting)
        tn_error_clear();
    next_answer = TN_OK;
}

static inline int32_t backend_begin(tn_backend backend) {
    int32_t type = toy_device();
    CHECK(type >= TN_DEVICE_USER);
    TEST_DEFER(toy_no_device, NULL);
    backend.struct_size = sizeof backend;
    CHECK(tn_backend_register(type, &backend) == TN_OK);
    TEST_DEFER(toy_drop_backend, NULL);
    memset(jobs_done, 0, sizeof jobs_done);
    return type;
}

static const tn_backend whole = {.copy = toy_job,
                                 .fill = toy_job,
                                 .pointwise = toy_job,
                                 .reduce = toy_job,
                                 .index = toy_job,
                                 .lines = toy_job,
                                 .product = toy_job};

static inline bool same_bits(const tn_tensor *a, const tn_tensor *b) {
    if (tn_ndim(a) != tn_ndim(b) || tn_dtype_of(a) != tn_dtype_of(b) ||
        memcmp(tn_sizes(a).values, tn_sizes(b).values, (size_t)tn_ndim(a) * sizeof(int64_t)) != 0)
        return false;
    tn_tensor *x = tn_contiguous(a, TN_CONTIGUOUS), *y = tn_contiguous(b, TN_CONTIGUOUS);
    CHECK(x && y);
    return tn_numel(x) == 0 || memcmp(tn_storage_data(tn_storage_of(x)), tn_storage_data(tn_storage_of(y)), tn_nbytes(x)) == 0;
}

/* What was computed on the device is what was computed on the CPU. */
static inline void same_there(const char *file, int line, int64_t call, const tn_tensor *here, const tn_tensor *there) {
    CHECK(here && there);
    CHECK(tn_device_of(there).type == tn_device_type_register("toy"));
    tn_tensor *back = tn_to_device(there, TN_DEVICE_CPU);
    CHECK(back);
    if (!same_bits(here, back))
        test_fail(file, line, "call %d differs on the device: %s", (int)call, tn_dtype_name(tn_dtype_of(here)));
}

#endif
