/* loop.c - the numbers that come with an operator, in every form a kernel may want. */
#include "dispatch/loop.h"

void tni_parameters_set(tni_parameters *parameters, int position, tn_scalar value) {
    tn_dtype_store(TN_INT64, &parameters->whole[position], value);
    tn_dtype_store(TN_FLOAT64, &parameters->real[position], value);
    tn_dtype_store(TN_COMPLEX128, &parameters->complex[position], value);
}
