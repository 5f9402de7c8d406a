/* pointwise_complex.c - operators on complex numbers that differ for real ones. Nothing here is lazy: a conjugate is a copy
 * with other values, and a real number is its own conjugate. */
#include "kernels_complex.h"
#include "operators_complex.h"
#include "operators_view.h"
#include "ops/pointwise/pointwise_prepare.h"

tn_tensor *tni_op_conj(const tn_tensor *self) {
    return tn_dtype_is_complex(self->dtype) ? tni_op_conj_physical(self) : tni_op_alias(self);
}

/* A complex dtype gives its real one; the integers, which have no angle of their own dtype, the default float. */
bool tni_prepare_angle(tni_prepared *call, const tn_tensor *self) {
    if (tn_dtype_is_complex(self->dtype))
        tni_prepared_begin(call, TNI_KERNEL_angle, REAL, CHECK_NOTHING, TNI_TAKES_COMPLEX | LAYOUT_ROWS);
    else
        tni_prepared_begin(call, TNI_KERNEL_angle, FLOATING, CHECK_NOTHING, TNI_TAKES_FLOAT);
    tni_prepared_tensor(call, self);
    return true;
}
