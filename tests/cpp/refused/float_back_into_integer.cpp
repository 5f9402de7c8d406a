// a float does not go back into an integer
#include "frame.hpp"

void refused() {
    Tensor<int, CPU> a({2});
    a /= 2;
}
