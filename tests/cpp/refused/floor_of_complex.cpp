// floor does not support complex numbers
#include "frame.hpp"

void refused() {
    Tensor<std::complex<float>, CPU> a({2});
    auto b = a.floor();
}
