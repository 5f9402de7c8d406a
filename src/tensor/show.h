/* show.h - tensors and numbers inside error messages. Each returns one of the rotating buffers of base/error.h. */
#ifndef TNI_SHOW_H
#define TNI_SHOW_H

#include <tenon/tensor.h>

const char *tni_show_tensor(const tn_tensor *tensor); /* "[2, 3] float32" */
const char *tni_show_scalar(tn_scalar value);         /* "true", "-5", "2.5", "1+2j" */

#endif
