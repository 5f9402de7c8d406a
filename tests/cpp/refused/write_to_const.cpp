// a tensor of const elements is read-only
#include "frame.hpp"

void refused() {
    Tensor<const float, CPU> a;
    a.fill(1);
}
