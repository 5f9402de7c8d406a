/* tenon/cpp/packet.hpp - several elements as one value: the widest vectors that the program is compiled for, and the operators of
 * expressions on them.
 *
 * A loop over packets does not depend on what a compiler makes of a loop over elements: it is the same at -O2 and at -O3, and every
 * element is computed by the same instructions wherever it stands in a row. Compilers without vector types, and the element types that
 * have no packets (integers, bool, the 16-bit floats, complex numbers), use the loops over elements instead.
 */
#ifndef TENON_CPP_PACKET_HPP
#define TENON_CPP_PACKET_HPP

#include <cstring>

#include <tenon/cpp/math.hpp>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(TENON_NO_PACKETS) &&                                                 \
    (defined(__SSE2__) || (defined(__ARM_NEON) && defined(__aarch64__)))
#define TENON_PACKETS 1
#else
#define TENON_PACKETS 0
#endif

namespace tenon {
namespace detail {

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
constexpr int packet_bytes = 64;
#elif defined(__AVX__)
constexpr int packet_bytes = 32;
#else
constexpr int packet_bytes = 16;
#endif

/* Whether elements of this type are computed in packets. */
template <class S>
constexpr bool has_packets = TENON_PACKETS && (std::is_same<S, float>::value || std::is_same<S, double>::value);

template <class S> struct Packet; /* of float and double: type, mask (of integers as wide, all bits or none), lanes */
#if TENON_PACKETS
template <> struct Packet<float> {
    typedef float type __attribute__((vector_size(packet_bytes)));
    typedef int32_t mask __attribute__((vector_size(packet_bytes)));
    static constexpr int lanes = packet_bytes / 4;
};
template <> struct Packet<double> {
    typedef double type __attribute__((vector_size(packet_bytes)));
    typedef int64_t mask __attribute__((vector_size(packet_bytes)));
    static constexpr int lanes = packet_bytes / 8;
};
template <class S, int Lanes> struct HalfVector;
template <> struct HalfVector<float, 8> { typedef float type __attribute__((vector_size(32))); };
template <> struct HalfVector<float, 4> { typedef float type __attribute__((vector_size(16))); };
template <> struct HalfVector<double, 4> { typedef double type __attribute__((vector_size(32))); };
template <> struct HalfVector<double, 2> { typedef double type __attribute__((vector_size(16))); };
template <class S> using packet_t = typename Packet<S>::type;
template <class S> using mask_t = typename Packet<S>::mask;

template <class S> TENON_INLINE packet_t<S> packet_load(const S *from) {
    packet_t<S> p;
    std::memcpy(&p, from, sizeof p);
    return p;
}
template <class S> TENON_INLINE void packet_store(S *to, packet_t<S> p) { std::memcpy(to, &p, sizeof p); }
template <class S> TENON_INLINE packet_t<S> packet_of(S value) { return value - packet_t<S>{}; /* -0 stays what it is */ }

/* The first `count` elements, 1 to lanes - 1; the others are copies of the first, so that nothing strange is computed with them. */
template <class S> TENON_INLINE packet_t<S> packet_load_part(const S *from, int64_t count) {
    packet_t<S> p = packet_of<S>(*from);
#if defined(__AVX512F__)
    if constexpr (packet_bytes == 64 && std::is_same<S, float>::value)
        return _mm512_mask_loadu_ps(p, static_cast<__mmask16>((1u << count) - 1), from);
    else if constexpr (packet_bytes == 64)
        return _mm512_mask_loadu_pd(p, static_cast<__mmask8>((1u << count) - 1), from);
#endif
    S few[Packet<S>::lanes];
    packet_store<S>(few, p);
    for (int64_t j = 0; j < count && j < Packet<S>::lanes; j++)
        few[j] = from[j];
    return packet_load<S>(few);
}
template <class S> TENON_INLINE void packet_store_part(S *to, packet_t<S> p, int64_t count) {
#if defined(__AVX512F__)
    if constexpr (packet_bytes == 64 && std::is_same<S, float>::value) {
        _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << count) - 1), p);
        return;
    } else if constexpr (packet_bytes == 64) {
        _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1u << count) - 1), p);
        return;
    }
#endif
    S few[Packet<S>::lanes];
    packet_store<S>(few, p);
    for (int64_t j = 0; j < count && j < Packet<S>::lanes; j++)
        to[j] = few[j];
}

/* Every second element of two packets' worth of memory. */
template <class S> TENON_INLINE packet_t<S> packet_load_even(const S *from) {
#if defined(__AVX512F__)
    if constexpr (packet_bytes == 64 && std::is_same<S, float>::value) {
        const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        return _mm512_permutex2var_ps(_mm512_loadu_ps(from), even, _mm512_loadu_ps(from + 16));
    }
#endif
    S few[Packet<S>::lanes];
    for (int j = 0; j < Packet<S>::lanes; j++)
        few[j] = from[2 * j];
    return packet_load<S>(few);
}

/* Past the caches: a result that is larger than they are would only push out what is read. `to` is aligned to the packet. */
constexpr bool can_stream =
#if defined(__SSE2__)
    true;
#else
    false;
#endif
template <class S> TENON_INLINE void packet_stream(S *to, packet_t<S> p) {
#if defined(__SSE2__)
#if defined(__AVX512F__)
    if constexpr (packet_bytes == 64) {
        __m512i bits;
        std::memcpy(&bits, &p, sizeof bits);
        _mm512_stream_si512(reinterpret_cast<__m512i *>(to), bits);
        return;
    }
#endif
#if defined(__AVX__)
    if constexpr (packet_bytes == 32) {
        __m256i bits;
        std::memcpy(&bits, &p, sizeof bits);
        _mm256_stream_si256(reinterpret_cast<__m256i *>(to), bits);
        return;
    }
#endif
    if constexpr (packet_bytes == 16) {
        __m128i bits;
        std::memcpy(&bits, &p, sizeof bits);
        _mm_stream_si128(reinterpret_cast<__m128i *>(to), bits);
    }
#else
    packet_store<S>(to, p);
#endif
}
/* Before other threads read what was streamed. */
inline void stream_end() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

/* condition ? a : b, by lanes. */
template <class S> TENON_INLINE packet_t<S> packet_choose(mask_t<S> condition, packet_t<S> a, packet_t<S> b) {
    return condition ? a : b;
}

template <class S> TENON_INLINE packet_t<S> packet_sqrt(packet_t<S> x) {
    if constexpr (std::is_same<S, float>::value) {
#if defined(__AVX512F__)
        if constexpr (packet_bytes == 64)
            return _mm512_mask_sqrt_ps(x, static_cast<__mmask16>(-1), x);
#endif
#if defined(__AVX__)
        if constexpr (packet_bytes == 32)
            return _mm256_sqrt_ps(x);
#endif
#if defined(__SSE2__)
        if constexpr (packet_bytes == 16)
            return _mm_sqrt_ps(x);
#endif
    } else {
#if defined(__AVX512F__)
        if constexpr (packet_bytes == 64)
            return _mm512_mask_sqrt_pd(x, static_cast<__mmask8>(-1), x);
#endif
#if defined(__AVX__)
        if constexpr (packet_bytes == 32)
            return _mm256_sqrt_pd(x);
#endif
#if defined(__SSE2__)
        if constexpr (packet_bytes == 16)
            return _mm_sqrt_pd(x);
#endif
    }
    for (int j = 0; j < Packet<S>::lanes; j++)
        x[j] = std::sqrt(x[j]);
    return x;
}

template <class S> TENON_INLINE packet_t<S> packet_abs(packet_t<S> x) {
    mask_t<S> bits;
    std::memcpy(&bits, &x, sizeof bits);
    bits &= std::is_same<S, float>::value ? INT32_MAX : static_cast<decltype(bits[0] + 0)>(INT64_MAX);
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^n of whole numbers that a normal number can have, from the bits. */
template <class S> TENON_INLINE packet_t<S> packet_power(mask_t<S> n) {
    mask_t<S> bits = std::is_same<S, float>::value ? (n + 127) << 23 : (n + 1023) << (std::is_same<S, float>::value ? 0 : 52);
    packet_t<S> power;
    std::memcpy(&power, &bits, sizeof power);
    return power;
}

/* math::exp for packets. */
template <class S> TENON_INLINE packet_t<S> packet_exp(packet_t<S> x) {
    using P = packet_t<S>;
    using I = mask_t<S>;
    constexpr bool single = std::is_same<S, float>::value;
    const P low = packet_of<S>(single ? S(-104) : S(-746)), high = packet_of<S>(single ? S(89) : S(710));
    P y = x < low ? low : x; /* in this order NaN stays one */
    y = y > high ? high : y;
    const S magic = single ? S(12582912.0) : S(6755399441055744.0); /* 1.5 * 2^23, 1.5 * 2^52: rounds to a whole number */
    P shifted = y * S(1.4426950408889634074) + magic;
    P n = shifted - magic;
    P r = y - n * (single ? S(0.693145751953125) : S(0.693147180369123816490));
    r = r - n * (single ? S(1.42860677e-6) : S(1.90821492927058770002e-10));
    P p;
    if constexpr (single) {
        p = S(1.9875691500e-4) * r + S(1.3981999507e-3);
        p = p * r + S(8.3334519073e-3);
        p = p * r + S(4.1665795894e-2);
        p = p * r + S(1.6666665459e-1);
        p = p * r + S(5.0000001201e-1);
    } else {
        p = S(1.6059043836821613e-10) * r + S(2.08767569878681e-9);
        p = p * r + S(2.505210838544172e-8);
        p = p * r + S(2.755731922398589e-7);
        p = p * r + S(2.7557319223985893e-6);
        p = p * r + S(2.48015873015873e-5);
        p = p * r + S(1.984126984126984e-4);
        p = p * r + S(1.388888888888889e-3);
        p = p * r + S(8.333333333333333e-3);
        p = p * r + S(4.1666666666666664e-2);
        p = p * r + S(1.6666666666666666e-1);
        p = p * r + S(0.5);
    }
    p = p * (r * r) + r + S(1);
#if defined(__AVX512F__)
    if constexpr (packet_bytes == 64 && single)
        return _mm512_mask_scalef_ps(p, static_cast<__mmask16>(-1), p, n);
    else if constexpr (packet_bytes == 64)
        return _mm512_mask_scalef_pd(p, static_cast<__mmask8>(-1), p, n);
#endif
    I whole, offset; /* n, as integers, from the low bits of `shifted` */
    const P magics = packet_of<S>(magic);
    std::memcpy(&whole, &shifted, sizeof whole);
    std::memcpy(&offset, &magics, sizeof offset);
    whole -= offset;
    const I half = whole >> 1; /* two factors, so that results that are subnormal come out right */
    return p * packet_power<S>(half) * packet_power<S>(whole - half);
}

/* math::tanh for packets of float. */
TENON_INLINE packet_t<float> packet_tanh(packet_t<float> x) {
    using P = packet_t<float>;
    P a = packet_abs<float>(x);
    P e = packet_exp<float>(a * -2.0f);
    P large = (1.0f - e) / (1.0f + e);
    P s = a * a;
    P p = -5.70498872745e-3f * s + 2.06390887954e-2f;
    p = p * s - 5.37397155531e-2f;
    p = p * s + 1.33314422036e-1f;
    p = p * s - 3.33332819422e-1f;
    P small = p * s * a + a;
    P result = a < 0.625f ? small : large; /* NaN is not below 0.625, nor lost in `large` */
    mask_t<float> bits, sign;
    std::memcpy(&bits, &result, sizeof bits);
    std::memcpy(&sign, &x, sizeof sign);
    bits |= sign & INT32_MIN;
    std::memcpy(&result, &bits, sizeof bits);
    return result;
}

#endif

/* What each operator does with packets of S. Those that are not here have none. */
template <class Op, class S> struct PacketOperator : std::false_type {};
template <class Op, class S, bool = has_packets<S>> struct packet_operator_known : std::false_type {};
template <class Op, class S> struct packet_operator_known<Op, S, true> : std::bool_constant<PacketOperator<Op, S>::value> {};

} // namespace detail
} // namespace tenon

#endif
