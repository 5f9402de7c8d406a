// not an element type
#include "frame.hpp"

void refused() { Tensor<const char *, CPU> a; }
