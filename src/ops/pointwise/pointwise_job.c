/* pointwise_job.c - between the iterator's form of pointwise work and the public one (tenon/backend.h).
 *
 * They say the same. The iterator's has a loop of the CPU in it and room for its operands; the public one names the kernel, and
 * what it points to belongs to the caller.
 */
#include "ops/pointwise/pointwise_job.h"

#include "base/cancel.h"
#include "base/error.h"
#include "base/limits.h"
#include "dispatch/backend.h"
#include "kernels_arithmetic.h"
#include "kernels/table.h"
#include "ops/pointwise/pointwise.h"

tn_error tni_pointwise_elsewhere(tn_device device, const tni_pointwise_job *job, int kernel, tn_dtype compute) {
    tn_job_operand operand[TNI_OPERANDS];
    tn_job_number number[TNI_PARAMETERS];
    for (int64_t d = 0; d < job->ndim; d++)
        if (job->sizes[d] == 0)
            return TN_OK;
    for (int i = 0; i < job->operands; i++) {
        const tni_pointwise_operand *from = &job->operand[i];
        operand[i] = (tn_job_operand){.data = from->data,
                                      .strides = from->strides,
                                      .device = from->strides ? device : TN_DEVICE_CPU,
                                      .dtype = from->dtype,
                                      .compute = from->compute,
                                      .through = job->rounded >> i & 1 ? job->narrow : TN_DTYPE_DEFAULT};
    }
    for (int i = 0; job->parameters && i < TNI_PARAMETERS; i++)
        number[i] = (tn_job_number){job->parameters->real[i], job->parameters->whole[i], job->parameters->complex[i]};
    tn_job public = {.kind = TN_JOB_POINTWISE,
                     .kernel_id = kernel,
                     .kernel = tn_job_kernel_name(kernel),
                     .compute = compute,
                     .ndim = (int32_t)job->ndim,
                     .sizes = job->sizes,
                     .results = job->results,
                     .operands = job->operands,
                     .operand = operand,
                     .numbers = job->parameters ? TNI_PARAMETERS : 0,
                     .number = number};
    return tni_backend_run(device.type, &public);
}

/* ---- and back */

/* Whether an operand has a 0 once its elements are of dtype `compute`: every element is looked at, a repeated one once. */
static bool pointwise_job_has_zero(const tn_job *job, const tn_job_operand *operand) {
    static const char zero[16];
    int64_t index[TN_MAX_DIMS] = {0}, seen = 0;
    const char *at = operand->data;
    for (;;) {
        char one[16] = {0};
        tn_dtype_store(operand->compute, one, tn_dtype_load(operand->dtype, at));
        if (memcmp(one, zero, sizeof one) == 0)
            return true;
        if (++seen % TNI_STEP == 0 && tni_cancel_poll() != TN_OK)
            return false; /* nothing is written any more */
        int64_t d = operand->strides ? job->ndim - 1 : -1;
        for (; d >= 0; d--) {
            int64_t step = operand->strides[d] * (int64_t)tni_dtype_size(operand->dtype);
            if (step == 0)
                continue;
            at += step;
            if (++index[d] < job->sizes[d])
                break;
            at -= step * job->sizes[d];
            index[d] = 0;
        }
        if (d < 0)
            return false;
    }
}

/* An integer divided by 0 is an error, as it is of the operator. */
static bool pointwise_job_divides_by_zero(const tn_job *job, int kernel) {
    if ((kernel != TNI_KERNEL_div_trunc && kernel != TNI_KERNEL_div_floor && kernel != TNI_KERNEL_remainder &&
         kernel != TNI_KERNEL_fmod) ||
        !tn_dtype_is_integral(job->compute) || job->operands != 3 || job->results != 1)
        return false;
    for (int32_t d = 0; d < job->ndim; d++)
        if (job->sizes[d] == 0)
            return false;
    return pointwise_job_has_zero(job, &job->operand[2]);
}

tn_error tni_pointwise_run_job(const tn_job *job) {
    tni_parameters parameters = {0};
    int32_t id = job->kernel_id >= 0 ? job->kernel_id : tn_job_kernel_id(job->kernel);
    tni_loop loop = id >= 0 && id < TNI_KERNEL_PLACES && (unsigned)job->compute < TN_DTYPE_COUNT
                        ? tni_kernels()->pointwise[id * TN_DTYPE_COUNT + (int)job->compute]
                        : NULL;
    if (!loop)
        return tni_raise(TN_ERROR_UNSUPPORTED, "the CPU has no pointwise kernel \"%s\" for %s", job->kernel ? job->kernel : "",
                         tn_dtype_name(job->compute));
    for (int i = 0; i < tni_pointwise_spec_count; i++) { /* the rows of the table say how many operands a kernel reads */
        const tni_pointwise_spec *spec = &tni_pointwise_specs[i];
        if (spec->kernel == id && (job->results != 1 || job->operands != spec->operands + 1))
            return tni_raise(TN_ERROR_ARGUMENT, "the kernel \"%s\" reads %d operands and writes one; given %d and %d",
                             job->kernel, (int)spec->operands, (int)(job->operands - job->results), (int)job->results);
    }
    if (job->operands > TNI_OPERANDS || job->results < 1 || job->results >= job->operands || job->numbers > TNI_PARAMETERS)
        return tni_raise(TN_ERROR_ARGUMENT,
                         "a pointwise job has 1 or 2 results, up to %d operands and %d numbers; given %d, %d, %d", TNI_OPERANDS,
                         TNI_PARAMETERS, (int)job->results, (int)job->operands, (int)job->numbers);
    if (pointwise_job_divides_by_zero(job, id))
        return tni_raise(TN_ERROR_ARGUMENT, "division by zero: the divisor of an integer division (%s) has a 0",
                         tn_job_kernel_name(id));
    for (int i = 0; i < job->numbers; i++) {
        parameters.real[i] = job->number[i].real;
        parameters.whole[i] = job->number[i].whole;
        parameters.complex[i] = job->number[i].complex;
    }
    tni_pointwise_job work = {.ndim = job->ndim,
                              .sizes = job->sizes,
                              .results = job->results,
                              .operands = job->operands,
                              .loop = loop,
                              .parameters = &parameters,
                              .narrow = TN_FLOAT32};
    for (int i = 0; i < job->operands; i++) {
        const tn_job_operand *from = &job->operand[i];
        work.operand[i] = (tni_pointwise_operand){from->data, from->strides, from->dtype, from->compute};
        if (from->through != TN_DTYPE_DEFAULT) {
            work.narrow = from->through;
            work.rounded |= 1u << i;
        }
    }
    tni_pointwise_run(&work);
    return TN_OK;
}
