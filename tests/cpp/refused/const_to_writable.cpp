// a read-only tensor does not become a writable one
#include "frame.hpp"

void refused() {
    Tensor<const float, CPU> a;
    F b = a;
}
