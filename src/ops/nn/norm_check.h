/* norm_check.h - what the norms ask of their arguments. Each raises and returns false when it is not so. */
#ifndef TNI_NORM_CHECK_H
#define TNI_NORM_CHECK_H

#include "tensor/tensor.h"

/* normalized_shape is the end of the sizes of input. */
bool tni_norm_check_shape(const tn_tensor *input, tn_dims shape);

/* A float of 16 bits or more. */
bool tni_norm_check_dtype(const tn_tensor *input, const char *name);

/* NULL, or of these sizes. */
bool tni_norm_check_parameter(const tn_tensor *tensor, tn_dims shape, const char *name);

/* weight and bias have the dtype of input; beside float16 or bfloat16 both may be float32. */
bool tni_norm_check_mixture(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias);

/* The dtype of statistics: that of weight or bias, or of input. */
tn_dtype tni_norm_statistics_dtype(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias);

/* input is N times C channels of HxW elements, and C are whole groups. */
bool tni_norm_check_groups(const tn_tensor *input, int64_t N, int64_t C, int64_t HxW, int64_t group);

/* input has channels as its second dimension, and the others, where they are given, one number for each. */
bool tni_norm_check_batch(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, const tn_tensor *mean,
                          const tn_tensor *var);

#endif
