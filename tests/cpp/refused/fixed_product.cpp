// the inner sizes of the product differ
#include "frame.hpp"

void refused() {
    FixedTensor<float, Fixed<2, 3>> a{};
    (void)a.matmul(a);
}
