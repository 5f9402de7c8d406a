// the ranks of the tensor and of the expression cannot match
#include "frame.hpp"

void refused() {
    Tensor<float, CPU, 2> a({2, 2});
    Tensor<float, CPU, 1> b = a + a;
}
