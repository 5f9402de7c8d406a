/* frame.hpp - what the snippets beside it have around them. Each must not compile, and its first line has words of the message. */
#include <tenon/tenon.hpp>

using namespace tenon;
using F = Tensor<float, CPU>;
using Gpu = Tensor<float, CUDADevice<float>>;
