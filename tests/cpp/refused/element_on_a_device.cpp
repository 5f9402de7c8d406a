// the CPU cannot read the elements of a tensor on this device
#include "frame.hpp"

void refused() {
    Gpu a;
    (void)a(0);
}
