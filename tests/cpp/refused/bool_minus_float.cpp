// sub does not support bool
#include "frame.hpp"

void refused() {
    Tensor<bool, CPU> a({2});
    auto b = F({2}) - a;
}
