/* show.c - short texts of tensors and numbers for error messages; whole tensors are printed by interchange/print.c. */
#include "tensor/show.h"

#include <stdio.h>

#include "base/error.h"
#include "tensor/tensor.h"

const char *tni_show_tensor(const tn_tensor *tensor) {
    char *text = tni_show_buffer();
    snprintf(text, TNI_SHOW_SIZE, "%.150s %s", tni_show_dims(tensor->sizes, tensor->ndim), tn_dtype_name(tensor->dtype));
    return text;
}

const char *tni_show_scalar(tn_scalar value) {
    char *text = tni_show_buffer();
    snprintf(text, TNI_SHOW_SIZE, "(a scalar of kind %d, which does not exist)", (int)value.kind);
    switch (value.kind) {
    case TN_SCALAR_BOOL: snprintf(text, TNI_SHOW_SIZE, "%s", value.value.b ? "true" : "false"); break;
    case TN_SCALAR_INT: snprintf(text, TNI_SHOW_SIZE, "%" PRId64, value.value.i); break;
    case TN_SCALAR_UINT: snprintf(text, TNI_SHOW_SIZE, "%" PRIu64, value.value.u); break;
    case TN_SCALAR_FLOAT: snprintf(text, TNI_SHOW_SIZE, "%.17g", value.value.d); break;
    case TN_SCALAR_COMPLEX: snprintf(text, TNI_SHOW_SIZE, "%.17g%+.17gj", value.value.c.real, value.value.c.imag); break;
    }
    return text;
}
