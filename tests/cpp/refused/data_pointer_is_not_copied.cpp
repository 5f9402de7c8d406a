// deleted
#include "frame.hpp"

void refused() {
    DataPtr a;
    DataPtr b = a;
}
