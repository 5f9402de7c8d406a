/* attention_call.h - from tensors to attention (iterate/attention.h): the checks and the sizes that all rows of attention share.
 *
 *     query (..., L, E)    key (..., S, E)    value (..., S, Ev)    attn_mask: broadcast to (..., L, S)    result (..., L, Ev)
 *
 * Batch dimensions are broadcast. With enable_gqa the last of them, the heads, may be fewer in key and in value: each then serves as
 * many heads of query, one after the other.
 */
#ifndef TNI_ATTENTION_CALL_H
#define TNI_ATTENTION_CALL_H

#include "iterate/attention.h"
#include "ops/plan.h"
#include "tensor/tensor.h"

typedef struct tni_attention_arguments {
    const tn_tensor *query, *key, *value, *mask, *kept;
    double dropout_p;
    bool is_causal;
    tn_scalar scale;
    bool enable_gqa;
} tni_attention_arguments;

/* What the sizes of the arguments say. */
typedef struct tni_attention_sizes {
    int64_t batch_ndim, batch[TN_MAX_DIMS];
    int64_t rows, keys, depth, width;
} tni_attention_sizes;

/* Whether the arguments fit; raised where not. */
bool tni_attention_check(const tni_attention_arguments *arguments, tni_attention_sizes *sizes);

/* Whether a tensor has the batch sizes and then these; raised where not. `last` is -1 where there is only one. */
bool tni_attention_check_like(const tn_tensor *tensor, const char *name, const tni_attention_sizes *sizes, int64_t rows,
                              int64_t last);

/* Fill in the call: the operands that are read. */
void tni_attention_begin(tni_attention *call, const tni_attention_arguments *arguments, const tni_attention_sizes *sizes);

/* One operand: its last dimensions are rows and columns, or (no column) rows alone. */
void tni_attention_take(const tni_attention *call, tni_attention_operand *operand, const tn_tensor *tensor, bool column);

#endif
