/* line_job.h - lines as a job for a device, and a device's job as work for the CPU. */
#ifndef TNI_LINE_JOB_H
#define TNI_LINE_JOB_H

#include "dispatch/backend.h"
#include "iterate/lines.h"

/* Run a job where its tensors are: on the CPU, or as a job of their device, to which its function and scratch say nothing. */
tn_error tni_lines_elsewhere(const tni_lines_job *job);
static inline tn_error tni_lines_do(const tni_lines_job *job) {
    return TNI_LIKELY(job->device.type == TN_CPU) ? tni_lines_run(job) : tni_lines_elsewhere(job);
}

/* The other way: run a lines job over memory that the CPU can address. */
tn_error tni_lines_run_job(const tn_job *job);

#endif
