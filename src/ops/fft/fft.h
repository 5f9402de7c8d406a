/* fft.h - shared by the Fourier transforms. */
#ifndef TNI_FFT_H
#define TNI_FFT_H

#include "tensor/tensor.h"

/* Dimensions that are transformed, counted from 0; false, raised, where one does not exist, or is there twice. */
bool tni_fft_dims(const tn_tensor *self, tn_dims dim, int64_t *dims);

#endif
