// the device policy is for another scalar type
#include "frame.hpp"

void refused() { Tensor<double, CUDADevice<float>> a; }
