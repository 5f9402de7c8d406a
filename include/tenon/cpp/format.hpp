/* tenon/cpp/format.hpp - std::format, where the standard library has it: tensors as the library writes them, with the width, fill and
 * precision of text; numbers of 16 bits, and reductions of all elements, as the numbers that they are.
 *
 *     std::format("{} {:.3f}", t, t.mean());
 */
#ifndef TENON_CPP_FORMAT_HPP
#define TENON_CPP_FORMAT_HPP

#include <tenon/cpp/fixed.hpp>

#if defined(__cpp_lib_format)
#include <format>
#include <string>

namespace tenon {
namespace detail {

/* Whatever has str(), as that text. */
template <class T> struct TextFormatter : std::formatter<std::string> {
    template <class Context> auto format(const T &tensor, Context &context) const {
        return std::formatter<std::string>::format(tensor.str(), context);
    }
};

} // namespace detail
} // namespace tenon

template <> struct std::formatter<tenon::AnyTensor> : tenon::detail::TextFormatter<tenon::AnyTensor> {};
template <class Scalar, class Device, int Rank>
struct std::formatter<tenon::Tensor<Scalar, Device, Rank>> : tenon::detail::TextFormatter<tenon::Tensor<Scalar, Device, Rank>> {
};
template <class Scalar, class Shape>
struct std::formatter<tenon::FixedTensor<Scalar, Shape>> : tenon::detail::TextFormatter<tenon::FixedTensor<Scalar, Shape>> {};

template <class Bits> struct std::formatter<tenon::small_float<Bits>> : std::formatter<float> {
    template <class Context> auto format(tenon::small_float<Bits> number, Context &context) const {
        return std::formatter<float>::format(static_cast<float>(number), context);
    }
};
template <class Scalar, class Kind>
struct std::formatter<tenon::Reduced<Scalar, Kind>> : std::formatter<tenon::detail::math_t<Scalar>> {
    template <class Context> auto format(const tenon::Reduced<Scalar, Kind> &number, Context &context) const {
        using Number = tenon::detail::math_t<Scalar>;
        return std::formatter<Number>::format(static_cast<Number>(number.item()), context);
    }
};
#endif

#endif
