// T is not an element type of the library
#include "frame.hpp"

void refused() {
    AnyTensor x;
    (void)x.data<long double>();
}
