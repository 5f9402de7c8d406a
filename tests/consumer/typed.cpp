// typed.cpp - the same stranger, in C++17, with the typed header.
#include <cstdio>

#ifdef CONSUMER_TWO_FILES
#include "tenon.hpp"
#else
#include <tenon/tenon.hpp>
#endif

int main() {
    tenon::Tensor<float, tenon::CPU> a({3, 4});
    a.fill(2.5f);
    float sum = (a * 2 + 1).sum();
    tenon::AnyTensor any = a;
    if (sum != 72 || any.sum().item() != 30) {
        std::fprintf(stderr, "sums %g, %g\n", static_cast<double>(sum), any.sum().item());
        return 1;
    }
    std::puts("consumer: fine");
    return 0;
}
