// one of them is not the library
#include "frame.hpp"

struct Own {
    int value;
};
template <> struct tenon::scalar_traits<Own> : tenon::user_scalar {};

void refused() {
    Tensor<Own, CPU> a({2});
    F b({2});
    auto c = a + b;
}
