/* access.cc - an element of a typed tensor, and the same by hand: tests/cpp.sh compares the instructions. */
#include <tenon/tenon.hpp>

struct Matrix {
    int64_t sizes[2], strides[2];
    float *data;
};
struct Cube {
    int64_t sizes[3], strides[3];
    float *data;
};

extern "C" {
float typed_2(const tenon::Tensor<float, tenon::CPU, 2> &t, int64_t i, int64_t j) { return t(i, j); }
float typed_any(const tenon::Tensor<float, tenon::CPU> &t, int64_t i, int64_t j) { return t(i, j); }
float typed_3(const tenon::Tensor<float, tenon::CPU, 3> &t, int64_t i, int64_t j, int64_t k) { return t(i, j, k); }
float pointer_2(const Matrix &m, int64_t i, int64_t j) { return m.data[i * m.strides[0] + j * m.strides[1]]; }
float pointer_3(const Cube &m, int64_t i, int64_t j, int64_t k) {
    return m.data[i * m.strides[0] + j * m.strides[1] + k * m.strides[2]];
}
}
