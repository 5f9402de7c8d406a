// max and min do not support complex numbers
#include "frame.hpp"

void refused() {
    Tensor<std::complex<float>, CPU> a({2});
    (void)a.max();
}
