/* loop.c - the numbers that come with an operator, in every form a kernel may want; and loops that other operators use. */
#include "kernels/loop.h"

#include "base/error.h"
#include "dispatch/parts.h"
#include "kernels/table.h"

void tni_parameters_set(tni_parameters *parameters, int position, tn_scalar value) {
    tn_dtype_store(TN_INT64, &parameters->whole[position], value);
    tn_dtype_store(TN_FLOAT64, &parameters->real[position], value);
    tn_dtype_store(TN_COMPLEX128, &parameters->complex[position], value);
}

tni_loop tni_loop_of(int kernel, tn_dtype dtype) {
    tni_loop loop = tni_kernels()->pointwise[kernel * TN_DTYPE_COUNT + (int)dtype];
    if (TNI_UNLIKELY(!loop))
        (void)tni_loop_left_out(kernel, dtype);
    return loop;
}
