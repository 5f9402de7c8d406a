/* reduce_job.h - a reduction as a job for a device, and a device's job as work for the CPU. */
#ifndef TNI_REDUCE_JOB_H
#define TNI_REDUCE_JOB_H

#include "dispatch/backend.h"
#include "iterate/runs.h"

/* Give to a device what the iterator would run on the CPU: the job's `what` is used only for the number of results. Elements
 * become `elements` before they are reduced. */
tn_error tni_reduce_elsewhere(tn_device device, const tni_reduce_job *job, tni_job_kernel kernel, tn_dtype elements,
                              double number);

/* The other way: run a reduction over memory that the CPU can address. */
tn_error tni_reduce_run_job(const tn_job *job);

#endif
