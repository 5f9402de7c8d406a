/* product_job.h - a product as a job for a device, and a device's job as work for the CPU. */
#ifndef TNI_PRODUCT_JOB_H
#define TNI_PRODUCT_JOB_H

#include "dispatch/backend.h"
#include "iterate/product.h"

/* Compute a product where its matrices are: on the CPU, or as a job of their device. A build without products has job.c and
 * left_out.c, which need the function below alone. */
#ifndef TN_WITHOUT_PRODUCT
tn_error tni_product_elsewhere(const tni_product *product, tn_device device);
static inline tn_error tni_product_do(const tni_product *product, tn_device device) {
    return TNI_LIKELY(device.type == TN_CPU) ? tni_product_run(product) : tni_product_elsewhere(product, device);
}
#endif

/* The other way: run a product job over memory that the CPU can address. */
tn_error tni_product_run_job(const tn_job *job);

#endif
