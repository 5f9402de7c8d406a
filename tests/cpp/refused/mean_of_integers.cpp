// mean does not support integers and bool
#include "frame.hpp"

void refused() {
    Tensor<int, CPU> a({2});
    (void)a.mean();
}
