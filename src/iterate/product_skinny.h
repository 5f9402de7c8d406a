/* product_skinny.h - products of a few rows with a large matrix; see product_skinny.c. */
#ifndef TNI_PRODUCT_SKINNY_H
#define TNI_PRODUCT_SKINNY_H

#include "iterate/product_finish.h"

/* Whether a product of few rows can be computed so; from its sizes, strides and dtypes alone. */
bool tni_skinny_serves(const tni_product *product);

/* Bytes that are needed for it, beside what is on the stack. */
size_t tni_skinny_bytes(const tni_product *product);

/* Compute one batch, with that memory. `finish` may be of no effect. False when the call was cancelled. */
bool tni_skinny_run(const tni_product *product, const tni_finish *finish, int64_t batch, char *memory);

#endif
