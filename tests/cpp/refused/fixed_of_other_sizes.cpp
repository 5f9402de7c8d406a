// the sizes of these fixed tensors differ
#include "frame.hpp"

void refused() {
    FixedTensor<float, Fixed<2, 3>> a{};
    FixedTensor<float, Fixed<3>> b{};
    auto c = a + b;
}
