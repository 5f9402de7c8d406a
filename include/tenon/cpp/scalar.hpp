/* tenon/cpp/scalar.hpp - which C++ types are elements, and which type a result of two of them has.
 *
 * scalar_traits<S> says what the library calls a type. A type of your own becomes an element with one line:
 *
 *     template <> struct tenon::scalar_traits<Fixed16> : tenon::user_scalar {};
 *
 * It can then be stored, viewed and used in expressions (with its own operators); the library's operators, which do not know it,
 * refuse it at compile time.
 */
#ifndef TENON_CPP_SCALAR_HPP
#define TENON_CPP_SCALAR_HPP

#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tenon/cpp/promotion.hpp>
#include <tenon/dtype.h>

#if defined(__GNUC__)
#define TENON_NOINLINE __attribute__((noinline))           /* one copy of each loop, and what is rare out of the way */
#define TENON_INLINE inline __attribute__((always_inline)) /* what is a few instructions of a loop */
#define TENON_LAMBDA_INLINE __attribute__((always_inline))
#else
#define TENON_NOINLINE
#define TENON_INLINE inline
#define TENON_LAMBDA_INLINE
#endif

namespace tenon {
namespace detail {
/* A number or an address that may have been stored a moment ago, loaded by itself: compilers like to load two of them at once, and
 * that would wait until both stores are done. */
template <class T> TENON_INLINE T alone(T value) {
#if defined(__GNUC__) && defined(__x86_64__)
    __asm__("" : "+r"(value));
#endif
    return value;
}
} // namespace detail

/* ---- 16-bit floats ------------------------------------------------------------------------------------------------- */

namespace detail {
inline tn_float16 narrow(float value, tn_float16) { return tn_float16_from_float(value); }
inline tn_bfloat16 narrow(float value, tn_bfloat16) { return tn_bfloat16_from_float(value); }
inline tn_float16 narrow(double value, tn_float16) { return tn_float16_from_double(value); }
inline tn_bfloat16 narrow(double value, tn_bfloat16) { return tn_bfloat16_from_double(value); }
inline float widen(tn_float16 value) { return tn_float16_to_float(value); }
inline float widen(tn_bfloat16 value) {
    uint32_t bits = static_cast<uint32_t>(value.bits) << 16;
    float result;
    std::memcpy(&result, &bits, sizeof result);
    return result;
}
} // namespace detail

/* A float of 16 bits: stored as such, computed with as a float. Becoming one from a wider number rounds once, to nearest even. */
template <class Bits> struct small_float {
    Bits value;

    small_float() = default;
    constexpr explicit small_float(Bits bits) : value(bits) {}
    template <class Number, class = std::enable_if_t<std::is_arithmetic<Number>::value>>
    small_float(Number number)
        : value(detail::narrow(static_cast<std::conditional_t<std::is_same<Number, float>::value, float, double>>(number),
                               Bits())) {}
    operator float() const { return detail::widen(value); }
    small_float &operator+=(float other) { return *this = float(*this) + other; }
    small_float &operator-=(float other) { return *this = float(*this) - other; }
    small_float &operator*=(float other) { return *this = float(*this) * other; }
    small_float &operator/=(float other) { return *this = float(*this) / other; }
};
using half = small_float<tn_float16>;
using bfloat16 = small_float<tn_bfloat16>;

namespace literals {
inline half operator""_h(long double value) { return half(static_cast<double>(value)); }
inline half operator""_h(unsigned long long value) { return half(static_cast<double>(value)); }
inline bfloat16 operator""_bf(long double value) { return bfloat16(static_cast<double>(value)); }
inline bfloat16 operator""_bf(unsigned long long value) { return bfloat16(static_cast<double>(value)); }
} // namespace literals

/* ---- traits -------------------------------------------------------------------------------------------------------- */

/* No element type, unless a specialisation says so. dtype: what the library calls it, TN_DTYPE_DEFAULT where it does not know it. */
template <class S> struct scalar_traits {
    static constexpr bool is_scalar = false;
    static constexpr tn_dtype dtype = TN_DTYPE_DEFAULT;
};
template <tn_dtype D> struct core_scalar {
    static constexpr bool is_scalar = true;
    static constexpr tn_dtype dtype = D;
};
using user_scalar = core_scalar<TN_DTYPE_DEFAULT>;

template <> struct scalar_traits<bool> : core_scalar<TN_BOOL> {};
template <> struct scalar_traits<unsigned char> : core_scalar<TN_UINT8> {};
template <> struct scalar_traits<unsigned short> : core_scalar<TN_UINT16> {};
template <> struct scalar_traits<unsigned> : core_scalar<TN_UINT32> {};
template <> struct scalar_traits<unsigned long> : core_scalar<sizeof(long) == 8 ? TN_UINT64 : TN_UINT32> {};
template <> struct scalar_traits<unsigned long long> : core_scalar<TN_UINT64> {};
template <> struct scalar_traits<signed char> : core_scalar<TN_INT8> {};
template <> struct scalar_traits<char> : core_scalar<std::is_signed<char>::value ? TN_INT8 : TN_UINT8> {};
template <> struct scalar_traits<short> : core_scalar<TN_INT16> {};
template <> struct scalar_traits<int> : core_scalar<TN_INT32> {};
template <> struct scalar_traits<long> : core_scalar<sizeof(long) == 8 ? TN_INT64 : TN_INT32> {};
template <> struct scalar_traits<long long> : core_scalar<TN_INT64> {};
template <> struct scalar_traits<half> : core_scalar<TN_FLOAT16> {};
template <> struct scalar_traits<bfloat16> : core_scalar<TN_BFLOAT16> {};
template <> struct scalar_traits<tn_float16> : core_scalar<TN_FLOAT16> {};
template <> struct scalar_traits<tn_bfloat16> : core_scalar<TN_BFLOAT16> {};
template <> struct scalar_traits<tn_float8_e4m3fn> : core_scalar<TN_FLOAT8_E4M3FN> {};
template <> struct scalar_traits<tn_float8_e5m2> : core_scalar<TN_FLOAT8_E5M2> {};
template <> struct scalar_traits<float> : core_scalar<TN_FLOAT32> {};
template <> struct scalar_traits<double> : core_scalar<TN_FLOAT64> {};
template <> struct scalar_traits<std::complex<float>> : core_scalar<TN_COMPLEX64> {};
template <> struct scalar_traits<std::complex<double>> : core_scalar<TN_COMPLEX128> {};
template <> struct scalar_traits<tn_complex64> : core_scalar<TN_COMPLEX64> {};
template <> struct scalar_traits<tn_complex128> : core_scalar<TN_COMPLEX128> {};
template <class S> struct scalar_traits<const S> : scalar_traits<S> {};

template <class S> constexpr tn_dtype dtype_of = scalar_traits<S>::dtype;
template <class S> constexpr bool is_scalar = scalar_traits<S>::is_scalar;
template <class S> constexpr bool in_core = dtype_of<S> != TN_DTYPE_DEFAULT;

/* The type that elements of a dtype have here. */
template <tn_dtype D> struct scalar_of_dtype { using type = void; };
#define TENON_SCALAR_OF_(dtype, scalar)                                                                                        \
    template <> struct scalar_of_dtype<dtype> { using type = scalar; };
TENON_SCALAR_OF_(TN_BOOL, bool)
TENON_SCALAR_OF_(TN_UINT8, uint8_t)
TENON_SCALAR_OF_(TN_UINT16, uint16_t)
TENON_SCALAR_OF_(TN_UINT32, uint32_t)
TENON_SCALAR_OF_(TN_UINT64, uint64_t)
TENON_SCALAR_OF_(TN_INT8, int8_t)
TENON_SCALAR_OF_(TN_INT16, int16_t)
TENON_SCALAR_OF_(TN_INT32, int32_t)
TENON_SCALAR_OF_(TN_INT64, int64_t)
TENON_SCALAR_OF_(TN_FLOAT16, half)
TENON_SCALAR_OF_(TN_BFLOAT16, bfloat16)
TENON_SCALAR_OF_(TN_FLOAT32, float)
TENON_SCALAR_OF_(TN_FLOAT64, double)
TENON_SCALAR_OF_(TN_COMPLEX64, std::complex<float>)
TENON_SCALAR_OF_(TN_COMPLEX128, std::complex<double>)
TENON_SCALAR_OF_(TN_FLOAT8_E4M3FN, tn_float8_e4m3fn)
TENON_SCALAR_OF_(TN_FLOAT8_E5M2, tn_float8_e5m2)
#undef TENON_SCALAR_OF_
template <tn_dtype D> using scalar_of = typename scalar_of_dtype<D>::type;

namespace detail {

constexpr bool dtype_is_float(tn_dtype d) { return d == TN_FLOAT16 || d == TN_BFLOAT16 || d == TN_FLOAT32 || d == TN_FLOAT64; }
constexpr bool dtype_is_complex(tn_dtype d) { return d == TN_COMPLEX64 || d == TN_COMPLEX128; }
constexpr bool dtype_is_integral(tn_dtype d) { return d >= TN_BOOL && d <= TN_INT64; }
/* bool, integers, floats, complex numbers: a result goes back into elements of its own kind or of a higher one. */
constexpr int dtype_kind(tn_dtype d) {
    return dtype_is_complex(d) ? 3 : dtype_is_float(d) ? 2 : d == TN_BOOL || !dtype_is_integral(d) ? 0 : 1;
}
constexpr tn_dtype dtype_real(tn_dtype d) { return d == TN_COMPLEX64 ? TN_FLOAT32 : d == TN_COMPLEX128 ? TN_FLOAT64 : d; }
constexpr tn_dtype dtype_complex(tn_dtype d) {
    return d == TN_FLOAT64                             ? TN_COMPLEX128
           : dtype_is_complex(d)                       ? d
           : dtype_is_float(d) || dtype_is_integral(d) ? TN_COMPLEX64
                                                       : d;
}
constexpr tn_dtype dtype_floating(tn_dtype d) { return dtype_is_integral(d) ? TN_FLOAT32 : d; }
constexpr tn_dtype dtype_sum(tn_dtype d) { return dtype_is_integral(d) ? TN_INT64 : d; }

/* The dtype of a tensor with a plain number: the tensor's, unless the number is of a higher kind. */
constexpr tn_dtype promote_number(tn_dtype tensor, tn_dtype number) {
    return dtype_is_complex(tensor)                 ? tensor
           : dtype_is_complex(number)               ? dtype_complex(tensor)
           : dtype_is_float(tensor)                 ? tensor
           : dtype_is_float(number)                 ? TN_FLOAT32
           : tensor == TN_BOOL && number != TN_BOOL ? TN_INT64
                                                    : tensor;
}

template <class A, class B> struct promoted {
    static_assert(
        std::is_same<A, B>::value || (in_core<A> && in_core<B>),
        "these scalar types do not promote: one of them is not the library's, so both operands must have the same type");
    static constexpr tn_dtype dtype = promote(dtype_of<A>, dtype_of<B>);
    static_assert(std::is_same<A, B>::value || dtype != TN_DTYPE_DEFAULT,
                  "these scalar types do not promote: an 8-bit float promotes only with itself, convert it first");
    using type = std::conditional_t<std::is_same<A, B>::value, A, scalar_of<dtype>>;
};

} // namespace detail

/* The scalar type of a result of two tensors, by the library's promotion table. */
template <class A, class B> using promote_t = typename detail::promoted<A, B>::type;

} // namespace tenon

#endif
