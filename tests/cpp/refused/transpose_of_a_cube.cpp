// t() transposes a matrix
#include "frame.hpp"

void refused() {
    Tensor<float, CPU, 3> a({2, 2, 2});
    (void)a.t();
}
