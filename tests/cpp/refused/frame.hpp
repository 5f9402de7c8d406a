/* frame.hpp - what the snippets beside it have around them. Each must not compile, and its first line has words of the message. */
#ifndef TESTS_CPP_REFUSED_FRAME_HPP
#define TESTS_CPP_REFUSED_FRAME_HPP

#include <tenon/tenon.hpp>

using namespace tenon;
using F = Tensor<float, CPU>;
using Gpu = Tensor<float, CUDADevice<float>>;

#endif
