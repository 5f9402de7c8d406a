/* product_small.h - products that need no packing beforehand: small ones, and those of a few rows. See product_small.c. */
#ifndef TNI_PRODUCT_SMALL_H
#define TNI_PRODUCT_SMALL_H

#include "iterate/product_finish.h"

/* Compute c = a b, where that is small and of float32 or float64; columns are next to each other, and strides are those of rows. */
bool tni_small_plainly(tn_dtype dtype, int64_t m, int64_t n, int64_t k, const void *a, int64_t a_row, const void *b,
                       int64_t b_row, void *c, int64_t c_row);

/* The same for a product that may be anything, but is found to be that. */
bool tni_small_quickly(const tni_product *product);

/* Whether a product is so small that its panels are on the stack; from its sizes and strides alone. */
bool tni_small_serves(const tni_product *product);

/* Compute one batch. finish is NULL where sums are left as they are. */
void tni_small_run(const tni_product *product, const tni_finish *finish, int64_t batch);

#endif
