/* backend.h - the devices that take jobs (tenon/backend.h), as the operators see them. */
#ifndef TNI_BACKEND_H
#define TNI_BACKEND_H

#include <tenon/backend.h>

#include "base/error.h"

/* Bits of the jobs that the backend of a device type does: 1 << tn_job_kind. 0 where it has none. */
unsigned tni_backend_jobs(int32_t device_type);

static inline bool tni_backend_does(int32_t device_type, tn_job_kind kind) { return tni_backend_jobs(device_type) >> kind & 1; }

/* What jobs compute that are not pointwise, by their names. The name of a kernel is one for all kinds. */
#define TNI_JOB_KERNELS(X)                                                                                                     \
    X(copy)                                                                                                                    \
    X(fill)                                                                                                                    \
    X(sum)                                                                                                                     \
    X(mean)                                                                                                                    \
    X(nansum)                                                                                                                  \
    X(prod)                                                                                                                    \
    X(amax)                                                                                                                    \
    X(amin)                                                                                                                    \
    X(argmax)                                                                                                                  \
    X(argmin)                                                                                                                  \
    X(any)                                                                                                                     \
    X(all)                                                                                                                     \
    X(count_nonzero)                                                                                                           \
    X(logsumexp)                                                                                                               \
    X(max)                                                                                                                     \
    X(min)                                                                                                                     \
    X(aminmax)                                                                                                                 \
    X(var)                                                                                                                     \
    X(std)                                                                                                                     \
    X(var_mean)                                                                                                                \
    X(std_mean)                                                                                                                \
    X(vector_norm)                                                                                                             \
    X(index_read)                                                                                                              \
    X(index_write)                                                                                                             \
    X(index_add)                                                                                                               \
    X(index_multiply)                                                                                                          \
    X(index_maximum)                                                                                                           \
    X(index_minimum)                                                                                                           \
    X(index_offsets)                                                                                                           \
    X(index_check)                                                                                                             \
    X(softmax)                                                                                                                 \
    X(log_softmax)                                                                                                             \
    X(cumsum)                                                                                                                  \
    X(cumprod)                                                                                                                 \
    X(cummax)                                                                                                                  \
    X(cummin)                                                                                                                  \
    X(logcumsumexp)                                                                                                            \
    X(layer_norm)                                                                                                              \
    X(rms_norm)                                                                                                                \
    X(normalize)                                                                                                               \
    X(sort)                                                                                                                    \
    X(argsort)                                                                                                                 \
    X(topk)                                                                                                                    \
    X(kthvalue)                                                                                                                \
    X(median)                                                                                                                  \
    X(nanmedian)                                                                                                               \
    X(mode)                                                                                                                    \
    X(quantile)                                                                                                                \
    X(nanquantile)                                                                                                             \
    X(trapezoid)                                                                                                               \
    X(cumulative_trapezoid)                                                                                                    \
    X(product)

typedef enum tni_job_kernel {
#define TNI_JOB_KERNEL(name) TNI_JOB_##name,
    TNI_JOB_KERNELS(TNI_JOB_KERNEL)
#undef TNI_JOB_KERNEL
        TNI_JOB_KERNEL_COUNT
} tni_job_kernel;

const char *tni_job_name(tni_job_kernel kernel);

/* A job that computes this, all else being 0. */
tn_job tni_job_begin(tn_job_kind kind, tni_job_kernel kernel);

/* Give a job to a device; its struct_size and the operator's name are filled in. Raises an error that the backend returned
 * without raising it, and one where it has no function for the job. */
tn_error tni_backend_run(int32_t device_type, tn_job *job);

/* The name of each row of the kernel table, NULL where there is none (operator_calls.c). */
TNI_EXTERN const char *const *const tni_kernel_names;

#endif
