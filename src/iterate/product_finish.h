/* product_finish.h - what is done to the sums of a product on their way to C; see product.h. */
#ifndef TNI_PRODUCT_FINISH_H
#define TNI_PRODUCT_FINISH_H

#include "iterate/limits.h"
#include "iterate/product.h"
#include "kernels/loop.h"

typedef struct tni_finish {
    const tni_product *product;
    tni_loop add_alpha, mul, add, activation; /* NULL: not wanted */
    tni_parameters beta;
    bool scales;
    _Alignas(64) char alphas[TNI_FINISH_BLOCK * 16], scale[TNI_FINISH_BLOCK * 16]; /* the numbers, repeated */
} tni_finish;

/* Whether sums can be left in C as they are. */
bool tni_finish_is_plain(const tni_product *product);

/* Whether D counts: it is there, and beta is not 0. */
bool tni_finish_reads_d(const tni_product *product);

/* False, raised, where this build lacks a loop that is wanted. */
bool tni_finish_begin(tni_finish *finish, const tni_product *product);

/* `count` sums of a row, from row i and column j of one batch on, are finished and written to C. The sums are written over. `batch` is
 * the number of the batch in row-major order of the batch dimensions. */
void tni_finish_row(const tni_finish *finish, int64_t batch, int64_t i, int64_t j, void *sums, int64_t count);

/* The matrix of an operand for a batch. */
static inline char *tni_product_at(const tni_product *product, const tni_product_operand *operand, int64_t batch) {
    int64_t offset = 0;
    if (operand->batch)
        for (int64_t d = product->batch_ndim; d-- > 0; batch /= product->batch_sizes[d])
            offset += batch % product->batch_sizes[d] * operand->batch[d];
    return (char *)operand->data + offset * (int64_t)tni_dtype_size(operand->dtype);
}

#endif
