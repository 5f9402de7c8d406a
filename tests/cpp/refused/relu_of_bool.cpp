// relu does not support complex numbers and bool
#include "frame.hpp"

void refused() {
    Tensor<bool, CPU> a({2});
    auto b = a.relu();
}
