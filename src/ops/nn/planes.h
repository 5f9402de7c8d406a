/* planes.h - runs a function over the planes of tensors: the last dimensions (a row, an image, a volume) seen as one line.
 *
 * The walk is that of iterate/lines.c: the function sees each plane as contiguous elements of the dtype that it computes in, whatever the
 * strides and the dtype in memory, so that planes which lie interleaved (channels_last) are packed a few at a time. What is added here
 * is that several dimensions become one: an operand whose last dimensions cannot be merged is copied first, and a result is computed
 * in a temporary and copied when all is done.
 */
#ifndef TNI_PLANES_H
#define TNI_PLANES_H

#include "iterate/lines.h"
#include "tensor/tensor.h"

typedef struct tni_plane_operand {
    const tn_tensor *tensor; /* results are written, whatever this says */
    int64_t merged;          /* how many of its last dimensions make a plane */
    tn_dtype compute;
} tni_plane_operand;

typedef struct tni_planes {
    int results, operands; /* the first `results` operands are written, the others read                             */
    tni_plane_operand operand[TNI_LINE_OPERANDS]; /* what is before the planes has the same sizes in all            */
    tni_line_function function;                   /* lines[k] is a plane of operand k; number counts planes          */
    void *context;
    size_t scratch; /* bytes that a thread needs                                                */
    int64_t work;   /* of a plane, in elements; 0: those of the largest                          */
} tni_planes;

/* Fails for lack of memory, or when it is cancelled. There must be elements in every operand. */
tn_error tni_planes_run(const tni_planes *planes);

/* Elements of the last dimensions of a tensor. */
static inline int64_t tni_plane_size(const tn_tensor *tensor, int64_t merged) {
    int64_t size = 1;
    for (int64_t d = tensor->ndim - merged; d < tensor->ndim; d++)
        size *= tensor->sizes[d];
    return size;
}

/* What floats are computed in: float64, or float32 for narrower ones; whole numbers in int64. */
static inline tn_dtype tni_plane_compute(tn_dtype dtype) {
    return dtype == TN_FLOAT64 ? TN_FLOAT64 : tn_dtype_is_floating(dtype) ? TN_FLOAT32 : TN_INT64;
}

/* The place of that dtype among the kernels that exist for float32, float64 and int64. */
static inline int tni_plane_kernel(tn_dtype compute) { return compute == TN_FLOAT32 ? 0 : compute == TN_FLOAT64 ? 1 : 2; }

/* A tensor (batch, channels, ...) with its channels last, as a view: then a plane of all but the batch is rows of channels. */
tn_tensor *tni_plane_turned(const tn_tensor *tensor);

/* Whether a new result is channels_last as torch has it: where self, with a batch, is and is not row-major as well. */
bool tni_plane_is_channels_last(const tn_tensor *self, int64_t spatial);

#endif
