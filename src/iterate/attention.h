/* attention.h - attention, for operands of any strides and dtypes, and batches of it:
 *
 *     weights = softmax(scale * query key^T + mask)          (rows, keys), never in memory as a whole
 *     output  = weights value
 *
 * query is (rows, depth), key (keys, depth), value (keys, width) and output (rows, width), for each index of some batch dimensions.
 * Softmax goes along keys. A row of which everything is masked gives zeros. Weights may be dropped: those whose bit is 0 become 0, and
 * the others grow.
 *
 * How: a block of rows meets one block of keys after the other (online softmax: M. Milakov and N. Gimelshein, 2018; T. Dao et al.,
 * FlashAttention, 2022). Each row keeps the largest score so far, the sum of e^(score - largest) and the sums of the values; where a block
 * has a larger score, what was summed before is scaled down. Memory is a few blocks for each thread. The backward pass computes weights
 * again, from the logarithm of each row's sum.
 *
 * Keys are cut at multiples of a constant and every row is on its own, so the bits depend neither on the number of threads nor on strides.
 *
 * Everything has been checked before: sizes fit, operands are in the CPU's memory, and results do not overlap themselves or operands.
 */
#ifndef TNI_ATTENTION_H
#define TNI_ATTENTION_H

#include "base/common.h"
#include "base/error.h"
#include "kernels/loop.h"
#include "tensor/dtype.h"
#include "tensor/tensor.h"

/* A matrix for each batch. Along a batch dimension it may have fewer than there are (`own`): each then serves the same number of
 * batches that follow each other. That is how operands are broadcast (1), and how heads share keys and values. */
typedef struct tni_attention_operand {
    char *data;          /* NULL: there is none                                                     */
    int64_t row, column; /* strides, in elements, any sign                                          */
    int64_t own[TN_MAX_DIMS], stride[TN_MAX_DIMS];
    tn_dtype dtype;
} tni_attention_operand;

typedef struct tni_attention {
    int64_t rows, keys, depth, width;
    int64_t batch_ndim, batch_sizes[TN_MAX_DIMS], batches;
    tn_dtype compute; /* float32 or float64                                                                           */
    tni_loop exponential;
    double scale;
    bool causal;         /* row i takes keys up to i only                                                                */
    const uint8_t *kept; /* NULL, or a bit for each weight: batches, rows and keys in order, the lowest bit of a byte first */
    double kept_factor;
    tni_attention_operand query, key, value;
    tni_attention_operand mask;   /* (rows, keys) of bool (true: takes part) or of a float dtype (added to the scores)   */
    tni_attention_operand output; /* written by the forward pass, read by the backward                                   */
    tni_attention_operand
        logs; /* of each row, the logarithm of the sum of its e^score, 0 where all are masked: dtype of compute,
                                     column is 0. The forward pass writes it where there is one                          */
    tni_attention_operand grad; /* of output                                                                           */
    tni_attention_operand grad_query, grad_key, grad_value;
    tni_attention_operand grad_mask; /* a sum over the batches that share it, but for each row and key                      */
} tni_attention;

/* Compute output, and logs. Fails for lack of memory before anything is written, or when the call was cancelled. */
tn_error tni_attention_forward(const tni_attention *attention);

/* Compute those of grad_query, grad_key, grad_value and grad_mask that there are. */
tn_error tni_attention_backward(const tni_attention *attention);

#endif
