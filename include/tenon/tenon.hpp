/* tenon/tenon.hpp - Tenon for C++17: header only, over the same storage, views and operators as the C library, which is linked.
 *
 *     #include <tenon/tenon.hpp>
 *     using namespace tenon;
 *
 *     Tensor<float, CPU> a({2, 3}), b({2, 3});    // types that the compiler knows: scalar, device and, if wanted, rank
 *     Tensor<float, CPU> c = a * b + 1;           // one fused pass
 *     auto row = c.slice(0, 0, 1);                // a view: numbers and a reference, no copy
 *     AnyTensor x = c;                            // the same memory, with every operator of the library
 *     auto [values, indices] = x.sort();
 *
 * docs/cpp.md builds the classes up one after the other. With exceptions a failure is tenon::Error; with -fno-exceptions it is an empty
 * handle and the library's error record.
 */
#ifndef TENON_TENON_HPP
#define TENON_TENON_HPP

#include <tenon/cpp/any.hpp>
#include <tenon/cpp/fixed.hpp>
#include <tenon/cpp/format.hpp>
#include <tenon/cpp/tensor.hpp>

#endif
