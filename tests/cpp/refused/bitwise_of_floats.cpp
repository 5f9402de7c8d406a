// this operator does not support this scalar type
#include "frame.hpp"

void refused() {
    F a({2});
    (void)a.bitwise_not();
}
