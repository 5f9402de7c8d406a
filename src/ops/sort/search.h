/* search.h - shared by the operators that look for values in others: a dtype for both, and numbers as tensors. */
#ifndef TNI_OPS_SEARCH_H
#define TNI_OPS_SEARCH_H

#include "tensor/tensor.h"

/* A side of a search: a tensor, or (tensor NULL) a plain number. */
typedef struct tni_search_side {
    const tn_tensor *tensor;
    const tn_scalar *number;
} tni_search_side;

/* The dtype in which the two are compared, or TN_DTYPE_DEFAULT with the error raised: there is no common one, or it is complex.
 * */
tn_dtype tni_search_dtype(tni_search_side a, tni_search_side b);

/* The side as a tensor without gaps of the dtype; a number has no dimensions, and wraps where the dtype cannot hold it. NULL
 * with the error raised. */
tn_tensor *tni_search_cast(tni_search_side side, tn_dtype dtype);

#endif
