/* pointwise_job.h - pointwise work as a job for a device, and a device's job as work for the CPU. */
#ifndef TNI_POINTWISE_JOB_H
#define TNI_POINTWISE_JOB_H

#include <tenon/backend.h>

#include "iterate/elements.h"

/* Give to a device what the iterator would run on the CPU: the job's `loop` is ignored; kernel and compute say what it is. */
tn_error tni_pointwise_elsewhere(tn_device device, const tni_pointwise_job *job, int kernel, tn_dtype compute);

/* The other way: run a pointwise job over memory that the CPU can address. */
tn_error tni_pointwise_run_job(const tn_job *job);

#endif
