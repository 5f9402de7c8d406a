// mixed devices
#include "frame.hpp"

void refused() {
    F a({2});
    Gpu b;
    auto c = a + b;
}
