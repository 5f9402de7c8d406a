/* product.h - matrix products, for matrices of any strides and dtypes, and batches of them:
 *
 *     C = scale * activation(alpha * A B + beta * D + bias) + residual
 *
 * A is (m, k), B is (k, n), C is (m, n); each element of C is a sum over k, accumulated in one dtype (`compute`) in an order
 * that follows from the sizes alone, and rounded to the dtype of C once, after everything else has been done to it. So the bits
 * depend neither on the number of threads nor on where the matrices are in memory.
 *
 * Nothing is copied beforehand: A and B are packed, block by block, into panels that the inner loops read (product_pack.c), and
 * conversion, conjugation and transposition happen on that way. Small products and those of a few rows read the matrices where
 * they are. product.c chooses.
 *
 * Everything has been checked before: the operands are in the CPU's memory, C does not overlap itself, nor A, B or bias; D and
 * residual overlap C only where they are the very same elements.
 */
#ifndef TNI_PRODUCT_H
#define TNI_PRODUCT_H

#include <tenon/backend.h>

#include "base/common.h"
#include "base/error.h"
#include "tensor/dtype.h"

/* A matrix, or one for each batch: strides are in elements, any sign. */
typedef struct tni_product_operand {
    void *data;          /* the element at 0, 0 of the first batch; NULL: there is no such operand (D, bias, residual)       */
    int64_t row, column; /* strides along m (of B: k) and along n (of A: k)                                                   */
    const int64_t
        *batch; /* strides, one for each batch dimension; NULL: the same matrix for all batches                      */
    tn_dtype dtype;
    bool conjugate; /* of A and B: the complex conjugate of every element                                                 */
} tni_product_operand;

typedef enum tni_product_activation {
    TNI_ACTIVATION_NONE = 0,
    TNI_ACTIVATION_RELU,
    TNI_ACTIVATION_GELU,
    TNI_ACTIVATION_GELU_TANH,
    TNI_ACTIVATION_SILU,
    TNI_ACTIVATION_TANH,
    TNI_ACTIVATION_SIGMOID
} tni_product_activation;

/* A number in the forms that dtypes want: tn_job_number. */
#define TNI_PRODUCT_ONE ((tn_job_number){1, 1, {1, 0}})
#define TNI_PRODUCT_ZERO ((tn_job_number){0, 0, {0, 0}})

/* Begin with (tni_product){0} and set what there is; alpha and scale of all zeros are zeros, so use tni_product_begin. */
typedef struct tni_product {
    int64_t m, n, k;
    int64_t batch_ndim;
    const int64_t *batch_sizes;
    tni_product_operand a, b, c;
    tn_dtype compute; /* float32, float64, complex64, complex128, int32 or int64: tni_product_compute(dtype)                  */
    tn_job_number alpha;
    tn_job_number beta; /* 0: D is not read                                                                                   */
    tni_product_operand d;
    tni_product_operand bias; /* row 0: one number a column; column 0: one a row                                           */
    tni_product_activation activation; /* of float32 and float64                                                              */
    tn_job_number scale;
    tni_product_operand residual;
} tni_product;

static inline void tni_product_begin(tni_product *product, int64_t m, int64_t n, int64_t k) {
    *product = (tni_product){.m = m, .n = n, .k = k, .alpha = TNI_PRODUCT_ONE, .scale = TNI_PRODUCT_ONE};
}

/* What products of a dtype are accumulated in: float32 for float16, bfloat16 and float32; int32 for integers of up to 32 bits
 * and int64 for the others, modulo their size. */
tn_dtype tni_product_compute(tn_dtype dtype);

/* Computes. Fails for lack of memory for packed blocks, before C is written, or when the call was cancelled. Sizes may be 0:
 * without elements of C nothing is done, and without k the sums are 0. */
tn_error tni_product_run(const tni_product *product);

#endif
