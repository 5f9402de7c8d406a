// the ranks of these tensors cannot match
#include "frame.hpp"

void refused() {
    Tensor<float, CPU, 2> a({2, 2});
    Tensor<float, CPU, 3> b = a;
}
