// the number of indices is not the tensor's rank
#include "frame.hpp"

void refused() {
    Tensor<float, CPU, 2> a({2, 2});
    (void)a(1);
}
