// an index is an integer
#include "frame.hpp"

void refused() {
    F a({2});
    a(1.5) = 1;
}
