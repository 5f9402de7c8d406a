// the library has no tensors of this scalar type
#include "frame.hpp"

struct Own {
    int value;
};
template <> struct tenon::scalar_traits<Own> : tenon::user_scalar {};

void refused() {
    Tensor<Own, CPU> a({2});
    AnyTensor x = a;
}
