/* pointwise_complex.c - the operators on complex numbers that are something else for real ones. Nothing here is lazy: a
 * conjugate is a copy with other values, a real number its own conjugate. */
#include "operator_impls.h"
#include "ops/pointwise.h"

tn_tensor *tni_op_conj(const tn_tensor *self) {
    return tn_dtype_is_complex(self->dtype) ? tni_op_conj_physical(self) : tni_op_alias(self);
}

/* A complex dtype gives its real one; the integers, which have no angle of their own dtype, the default float. */
static const tni_pointwise_spec *complex_angle_spec(const tn_tensor *self) {
    static const tni_pointwise_spec of_complex = {
        TNI_KERNEL_angle, REAL, CHECK_NOTHING, 1, TNI_TAKES_COMPLEX | LAYOUT_ROWS, NULL};
    static const tni_pointwise_spec of_real = {TNI_KERNEL_angle, FLOATING, CHECK_NOTHING, 1, TNI_TAKES_FLOAT, NULL};
    return tn_dtype_is_complex(self->dtype) ? &of_complex : &of_real;
}

tn_tensor *tni_op_angle(const tn_tensor *self) {
    const tni_pointwise_argument argument = {self, NULL};
    return tni_pointwise_new(complex_angle_spec(self), &argument, NULL);
}

tn_error tni_op_angle_out(tn_tensor *out, const tn_tensor *self) {
    const tni_pointwise_argument argument = {self, NULL};
    return tni_pointwise_into(complex_angle_spec(self), out, &argument, NULL);
}
