// bitwise_not is for integers and bool
#include "frame.hpp"

void refused() {
    F a({2});
    (void)a.bitwise_not();
}
