// an 8-bit float promotes only with itself
#include "frame.hpp"

void refused() {
    Tensor<tn_float8_e5m2, CPU> a({2});
    F b({2});
    auto c = a + b;
}
