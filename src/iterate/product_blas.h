/* product_blas.h - products that a BLAS computes (tenon/blas.h), for those who chose one. */
#ifndef TNI_PRODUCT_BLAS_H
#define TNI_PRODUCT_BLAS_H

#include <tenon/blas.h>

#include "iterate/product_finish.h"

/* Compute `count` batches, if a provider is in use that can; *done is false then when the call was cancelled. Everything is built in
 * otherwise. finish is NULL where sums are left as they are. */
bool tni_blas_takes(const tni_product *product, const tni_finish *finish, int64_t count, bool *done);

/* product_blas_load.c: finds a library. Where that fails, the reason is in `why`. */
tn_error tni_blas_find(const char *name, tn_blas *blas, char *why, size_t size);

#endif
