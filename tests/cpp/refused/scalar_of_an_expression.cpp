// the expression has another scalar type than the tensor
#include "frame.hpp"

void refused() {
    F a({2});
    Tensor<double, CPU> b = a + a;
}
