/* create.h - what the factories have in common. */
#ifndef TNI_CREATE_H
#define TNI_CREATE_H

#include "tensor/tensor.h"

/* Whether a dtype can hold a number; raises TN_ERROR_DTYPE when not. */
bool tni_create_can_hold(tn_dtype dtype, tn_scalar value);

#endif
