// the condition is not a tensor of bool
#include "frame.hpp"

void refused() {
    F a({2});
    auto b = where(a, a, a);
}
