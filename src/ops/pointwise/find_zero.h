/* find_zero.h - see find_zero.c. */
#ifndef TNI_FIND_ZERO_H
#define TNI_FIND_ZERO_H

#include "tensor/tensor.h"

/* `tensor` is of an integer dtype or bool, on the CPU. */
bool tni_has_zero(const tn_tensor *tensor);

#endif
