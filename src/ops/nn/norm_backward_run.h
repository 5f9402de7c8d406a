/* norm_backward_run.h - the gradients of a norm, computed at once. */
#ifndef TNI_NORM_BACKWARD_RUN_H
#define TNI_NORM_BACKWARD_RUN_H

#include "tensor/tensor.h"

/* Lines with a weight for each element, or (channels) planes with a weight for each channel. Everything was checked, and there are elements. */
typedef struct tni_norm_backward {
    const tn_tensor *grad, *input, *weight; /* weight may be NULL */
    const tn_tensor *mean, *rstd;           /* of each line, group or channel, unless it `finds` them */
    int64_t lines;                          /* or planes */
    int64_t channels, groups;               /* of an input; 0: lines. groups 0: a channel has its statistics */
    double eps;
    bool finds, centred; /* statistics are those of the line; not centred: the mean is 0 */
    bool shares;         /* of planes: the statistics are those of input, and move with it */
    bool variances;      /* rstd is a variance */
} tni_norm_backward;

/* The gradients of input, weight and bias, the last two with these sizes and dtype; what mask does not want has no elements. */
tn_list *tni_norm_backward_run(const tni_norm_backward *of, tn_dtype dtype, tn_dims sizes, tn_dims mask);

#endif
