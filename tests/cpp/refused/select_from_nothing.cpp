// a tensor of no dimensions has nothing to select from
#include "frame.hpp"

void refused() {
    Tensor<float, CPU, 0> a;
    (void)a.select(0, 0);
}
