// cuda_data() needs a tensor on a CUDA device
#include "frame.hpp"

void refused() {
    F a({2});
    (void)a.cuda_data();
}
