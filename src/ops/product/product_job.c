/* product_job.c - between the products of iterate/product.h and the product jobs of devices (tenon/backend.h).
 *
 * They say the same in two forms: a job has one list of dimensions for all operands, the batch dimensions and then m, n and k, where
 * a product has rows and columns of each matrix. Operands that are not there are left out of a job, and its numbers say which are.
 */
#include "ops/product/product_job.h"

#include <tenon/geometry.h>

enum { JOB_C, JOB_A, JOB_B, JOB_D, JOB_BIAS, JOB_RESIDUAL, JOB_OPERANDS };
enum {
    NUMBER_ALPHA,
    NUMBER_BETA,
    NUMBER_SCALE,
    NUMBER_ACTIVATION,
    NUMBER_CONJUGATE_A,
    NUMBER_CONJUGATE_B,
    NUMBER_D, /* whether there is one, and so on */
    NUMBER_BIAS,
    NUMBER_RESIDUAL,
    JOB_NUMBERS
};
enum { JOB_DIMS = TN_MAX_DIMS + 3 }; /* more than TN_MAX_DIMS only where nothing has elements: on meta */

static tni_product_operand *job_slot(tni_product *product, int slot) {
    tni_product_operand *slots[JOB_OPERANDS] = {&product->c, &product->a,    &product->b,
                                                &product->d, &product->bias, &product->residual};
    return slots[slot];
}

/* ---- to a device */

static tn_job_number job_count(int64_t value) { return (tn_job_number){(double)value, value, {(double)value, 0}}; }

static tn_job_operand job_operand(const tni_product *product, const tni_product_operand *matrix, int slot, tn_device device,
                                  int64_t *strides) {
    int64_t batch = product->batch_ndim;
    for (int64_t d = 0; d < batch; d++)
        strides[d] = matrix->batch ? matrix->batch[d] : 0;
    strides[batch] = slot == JOB_B ? 0 : matrix->row;
    strides[batch + 1] = slot == JOB_A ? 0 : matrix->column;
    strides[batch + 2] = slot == JOB_A ? matrix->column : slot == JOB_B ? matrix->row : 0;
    return (tn_job_operand){.data = matrix->data,
                            .strides = strides,
                            .device = device,
                            .dtype = matrix->dtype,
                            .compute = product->compute,
                            .through = TN_DTYPE_DEFAULT};
}

tn_error tni_product_elsewhere(const tni_product *given, tn_device device) {
    tni_product product = *given;
    int64_t sizes[JOB_DIMS], strides[JOB_OPERANDS][JOB_DIMS], batch = product.batch_ndim;
    tn_job_operand operand[JOB_OPERANDS];
    bool weighs = product.d.data && (product.beta.real != 0 || product.beta.whole != 0 || product.beta.complex.imag != 0);
    tn_job_number number[JOB_NUMBERS] = {[NUMBER_ALPHA] = product.alpha,
                                         [NUMBER_BETA] = weighs ? product.beta : TNI_PRODUCT_ZERO,
                                         [NUMBER_SCALE] = product.scale,
                                         [NUMBER_ACTIVATION] = job_count((int64_t)product.activation),
                                         [NUMBER_CONJUGATE_A] = job_count(product.a.conjugate),
                                         [NUMBER_CONJUGATE_B] = job_count(product.b.conjugate),
                                         [NUMBER_D] = job_count(weighs),
                                         [NUMBER_BIAS] = job_count(product.bias.data != NULL),
                                         [NUMBER_RESIDUAL] = job_count(product.residual.data != NULL)};
    for (int64_t d = 0; d < batch; d++)
        sizes[d] = product.batch_sizes[d];
    sizes[batch] = product.m;
    sizes[batch + 1] = product.n;
    sizes[batch + 2] = product.k;
    tn_job job = tni_job_begin(TN_JOB_PRODUCT, TNI_JOB_product);
    for (int slot = 0; slot < JOB_OPERANDS; slot++)
        if (slot < JOB_D || number[NUMBER_D + slot - JOB_D].whole) {
            operand[job.operands] = job_operand(&product, job_slot(&product, slot), slot, device, strides[job.operands]);
            job.operands++;
        }
    job.compute = product.compute;
    job.ndim = (int32_t)(batch + 3);
    job.sizes = sizes;
    job.results = 1;
    job.operand = operand;
    job.numbers = JOB_NUMBERS;
    job.number = number;
    return tni_backend_run(device.type, &job);
}

/* ---- and back */

static bool job_computes(tn_dtype compute) { return tni_product_compute(compute) == compute && compute != TN_UINT32; }

static int job_rank(tn_dtype dtype) { return tn_dtype_is_complex(dtype) ? 2 : tn_dtype_is_integral(dtype) ? 0 : 1; }

/* Nothing complex is made real on its way, and no fraction whole. */
static bool job_dtypes_go(const tn_job *job) {
    bool go = job_rank(job->operand[JOB_C].dtype) >= job_rank(job->compute);
    for (int32_t i = JOB_A; i < job->operands; i++)
        go = go && job_rank(job->operand[i].dtype) <= job_rank(job->compute);
    return go;
}

static tn_error job_refuses(const tn_job *job) {
    if (!job->kernel || strcmp(job->kernel, tni_job_name(TNI_JOB_product)) != 0)
        return tni_raise(TN_ERROR_UNSUPPORTED, "the CPU has no product job \"%s\"", job->kernel ? job->kernel : "");
    if (job->numbers != JOB_NUMBERS || job->ndim < 3)
        return tni_raise(TN_ERROR_ARGUMENT, "a product job has %d numbers and 3 dimensions or more; given %d and %d",
                         JOB_NUMBERS, (int)job->numbers, (int)job->ndim);
    int32_t operands = 3;
    for (int i = NUMBER_D; i <= NUMBER_RESIDUAL; i++)
        operands += job->number[i].whole != 0;
    if (job->results != 1 || job->operands != operands)
        return tni_raise(TN_ERROR_ARGUMENT, "this product job has 1 result and %d operands in all; given %d and %d",
                         (int)operands, (int)job->results, (int)job->operands);
    int64_t activation = job->number[NUMBER_ACTIVATION].whole;
    if (activation < TNI_ACTIVATION_NONE || activation > TNI_ACTIVATION_SIGMOID)
        return tni_raise(TN_ERROR_ARGUMENT, "there is no activation %" PRId64, activation);
    if ((unsigned)job->compute >= TN_DTYPE_COUNT || !job_computes(job->compute) || !job_dtypes_go(job) ||
        (activation && !tn_dtype_is_floating(job->compute)))
        return tni_raise(TN_ERROR_DTYPE, "the dtypes of the operands of the product job do not go together");
    const int64_t *c = job->operand[JOB_C].strides, *a = job->operand[JOB_A].strides, *b = job->operand[JOB_B].strides;
    int32_t m = job->ndim - 3, n = m + 1, k = m + 2;
    if ((job->sizes[k] > 1 && c[k] != 0) || (job->sizes[n] > 1 && a[n] != 0) || (job->sizes[m] > 1 && b[m] != 0))
        return tni_raise(
            TN_ERROR_ARGUMENT,
            "the result of a product job has no dimension k, its second operand no n and its third no m: strides 0");
    return TN_OK;
}

tn_error tni_product_run_job(const tn_job *job) {
    tn_error code = job_refuses(job);
    if (code != TN_OK)
        return code;
    const tn_job_number *number = job->number;
    int32_t batch = job->ndim - 3, at = 0;
    tni_product product;
    tni_product_begin(&product, job->sizes[batch], job->sizes[batch + 1], job->sizes[batch + 2]);
    product.batch_ndim = batch;
    product.batch_sizes = job->sizes;
    product.compute = job->compute;
    product.alpha = number[NUMBER_ALPHA];
    product.beta = number[NUMBER_BETA];
    product.scale = number[NUMBER_SCALE];
    product.activation = (tni_product_activation)number[NUMBER_ACTIVATION].whole;
    for (int slot = 0; slot < JOB_OPERANDS; slot++) {
        if (slot >= JOB_D && !number[NUMBER_D + slot - JOB_D].whole)
            continue;
        const tn_job_operand *operand = &job->operand[at++];
        *job_slot(&product, slot) = (tni_product_operand){.data = operand->data,
                                                          .row = operand->strides[slot == JOB_B ? batch + 2 : batch],
                                                          .column = operand->strides[slot == JOB_A ? batch + 2 : batch + 1],
                                                          .batch = operand->strides,
                                                          .dtype = operand->dtype};
    }
    product.a.conjugate = number[NUMBER_CONJUGATE_A].whole != 0;
    product.b.conjugate = number[NUMBER_CONJUGATE_B].whole != 0;
    return tni_product_run(&product);
}
