/* tenon/cpp/math.hpp - the functions of expressions on one element, written so that compilers turn a loop over them into vectors:
 * no branch, no table, no call. exp follows Cody and Waite's reduction, x = n ln 2 + r, with a polynomial for e^r.
 */
#ifndef TENON_CPP_MATH_HPP
#define TENON_CPP_MATH_HPP

#include <cmath>
#include <limits>

#include <tenon/cpp/scalar.hpp>

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tenon {
namespace math {

template <class To, class From> inline To bits_as(From value) {
    static_assert(sizeof(To) == sizeof(From), "same size");
    To result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

/* Within 1 unit in the last place. The reduced argument is kept in two parts; 2^n is made of two factors, so that results that
 * are subnormal come out right, and the numbers beyond the range are clamped before. */
inline float exp(float x) {
    float y = x < -104.0f ? -104.0f : x;
    y = y > 89.0f ? 89.0f : y;
    float n = y * 1.44269504088896341f + 12582912.0f; /* 1.5 * 2^23: rounds to an integer, which is in the low bits */
    uint32_t whole = bits_as<uint32_t>(n) - bits_as<uint32_t>(12582912.0f);
    n -= 12582912.0f;
    float r = y - n * 0.693145751953125f - n * 1.42860677e-6f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    uint32_t low = static_cast<uint32_t>(bits_as<int32_t>(whole) >> 1);
    return p * bits_as<float>((low + 127u) << 23) *
           bits_as<float>((whole - low + 127u) << 23); /* NaN has stayed one all the way */
}

inline double exp(double x) {
    double y = x < -746.0 ? -746.0 : x;
    y = y > 710.0 ? 710.0 : y;
    double n = y * 1.4426950408889634074 + 6755399441055744.0; /* 1.5 * 2^52 */
    uint64_t whole = bits_as<uint64_t>(n) - bits_as<uint64_t>(6755399441055744.0);
    n -= 6755399441055744.0;
    double r = y - n * 0.693147180369123816490 - n * 1.90821492927058770002e-10;
    double p = 1.6059043836821613e-10; /* 1/13!, and the others before it: Taylor's series, enough for |r| < 0.347 */
    p = p * r + 2.08767569878681e-9;
    p = p * r + 2.505210838544172e-8;
    p = p * r + 2.755731922398589e-7;
    p = p * r + 2.7557319223985893e-6;
    p = p * r + 2.48015873015873e-5;
    p = p * r + 1.984126984126984e-4;
    p = p * r + 1.388888888888889e-3;
    p = p * r + 8.333333333333333e-3;
    p = p * r + 4.1666666666666664e-2;
    p = p * r + 1.6666666666666666e-1;
    p = p * r + 0.5;
    p = p * r * r + r + 1.0;
    uint64_t low = static_cast<uint64_t>(bits_as<int64_t>(whole << 20) >> 21); /* whole / 2, of the bits that matter */
    return p * bits_as<double>((low + 1023u) << 52) * bits_as<double>((whole - low + 1023u) << 52);
}
template <class T> inline std::complex<T> exp(const std::complex<T> &x) { return std::exp(x); }

/* The square roots of Count numbers, correctly rounded: where errno must be set, compilers call a function for each. */
template <int Count, class T> inline void roots(T *x) {
    int i = 0;
#if defined(__SSE2__)
    if constexpr (std::is_same<T, float>::value) {
#if defined(__AVX512F__)
        for (; i + 16 <= Count; i += 16)
            _mm512_storeu_ps(x + i, _mm512_sqrt_ps(_mm512_loadu_ps(x + i)));
#endif
#if defined(__AVX__)
        for (; i + 8 <= Count; i += 8)
            _mm256_storeu_ps(x + i, _mm256_sqrt_ps(_mm256_loadu_ps(x + i)));
#endif
        for (; i + 4 <= Count; i += 4)
            _mm_storeu_ps(x + i, _mm_sqrt_ps(_mm_loadu_ps(x + i)));
    } else if constexpr (std::is_same<T, double>::value) {
#if defined(__AVX__)
        for (; i + 4 <= Count; i += 4)
            _mm256_storeu_pd(x + i, _mm256_sqrt_pd(_mm256_loadu_pd(x + i)));
#endif
        for (; i + 2 <= Count; i += 2)
            _mm_storeu_pd(x + i, _mm_sqrt_pd(_mm_loadu_pd(x + i)));
    }
#endif
    for (; i < Count; i++)
        x[i] = std::sqrt(x[i]);
}

template <class T> inline T sigmoid(T x) { return T(1) / (T(1) + math::exp(-x)); }

/* Where |x| is small the quotient would cancel: a polynomial there. */
inline float tanh(float x) {
    float a = x < 0 ? -x : x;
    float e = exp(a * -2.0f);
    float large = (1.0f - e) / (1.0f + e);
    float s = x * x;
    float p = -5.70498872745e-3f;
    p = p * s + 2.06390887954e-2f;
    p = p * s - 5.37397155531e-2f;
    p = p * s + 1.33314422036e-1f;
    p = p * s - 3.33332819422e-1f;
    float small = p * s * a + a;
    float result = a < 0.625f ? small : large;
    return x != x ? x : std::copysign(result, x);
}
inline double tanh(double x) { return std::tanh(x); }
template <class T> inline std::complex<T> tanh(const std::complex<T> &x) { return std::tanh(x); }

} // namespace math
} // namespace tenon

#endif
