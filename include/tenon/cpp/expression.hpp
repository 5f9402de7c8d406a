/* tenon/cpp/expression.hpp - pointwise expressions and reductions of them: a + b is a value that remembers a and b, and computes
 * nothing until it is assigned, reduced or asked for.
 *
 *     auto e = a * b + c;       // holds its operands by shared ownership: it may outlive a, b and c
 *     Tensor<float, CPU> d = e; // one pass over memory, fused, vectorised, on several threads
 *     float s = e.square().sum();
 *
 * The type of an expression knows the scalar type of its result (by the library's promotion table), the device, and the rank where its
 * operands know theirs; what cannot be combined does not compile. When an operand requires gradients, the same expression is
 * computed by the library's operators instead, one by one, which record it.
 */
#ifndef TENON_CPP_EXPRESSION_HPP
#define TENON_CPP_EXPRESSION_HPP

#include <tenon/cpp/loop.hpp>

namespace tenon {

template <class Scalar, class Device = CPUDevice, int Rank = Dynamic> class Tensor;

struct ExpressionTag {}; /* what tensors and expressions have in common */
template <class T> constexpr bool is_expression = std::is_base_of<ExpressionTag, std::decay_t<T>>::value;

namespace detail {

struct Build {};   /* an expression is made of operands, not copied */
struct AnyKind {}; /* the device of what has none: numbers */
template <class A, class B> struct common_kind {
    static constexpr bool same =
        std::is_same<A, B>::value || std::is_same<A, AnyKind>::value || std::is_same<B, AnyKind>::value;
    static_assert(same, "mixed devices: the operands of an expression are on different devices; copy one of them first");
    using type = std::conditional_t<std::is_same<A, AnyKind>::value, B, A>;
};
/* A device's policies do not matter in an expression; the result of one is on the device's default. */
template <class Kind> struct device_of_kind { template <class Scalar> using type = CPUDevice; };
template <int Index> struct device_of_kind<DeviceKind<CUDATag, Index>> {
    template <class Scalar> using type = CUDADevice<Scalar, Index>;
};
template <int Index> struct device_of_kind<DeviceKind<OpenCLTag, Index>> {
    template <class Scalar> using type = OpenCLDevice<Scalar, Index>;
};
template <class Name, int Index> struct device_of_kind<DeviceKind<Name, Index>> {
    template <class Scalar> using type = RegisteredDevice<Name, Scalar, Index>;
};

constexpr int common_rank(int a, int b) { return a == Dynamic || b == Dynamic ? Dynamic : a > b ? a : b; }

/* ---- operators on one element -------------------------------------------------------------------------------------- */

template <class C> constexpr bool is_integer = std::is_integral<C>::value && !std::is_same<C, bool>::value;
template <class C, bool = is_integer<C>> struct wrapping { using type = C; };
template <class C> struct wrapping<C, true> { /* integers wrap, as the library's do */
    using type = std::common_type_t<std::make_unsigned_t<C>, unsigned>;
};
template <class C> using wrapping_t = typename wrapping<C>::type;
template <class C> constexpr bool is_complex_scalar = dtype_is_complex(dtype_of<C>);
template <class C> constexpr bool is_ordered_number = !is_complex_scalar<C> && !std::is_same<C, bool>::value;
template <class C> using real_math_t = std::conditional_t<std::is_same<C, double>::value, double, float>;
template <class C> constexpr bool is_small_float = std::is_same<C, half>::value || std::is_same<C, bfloat16>::value;
/* What functions compute in: the 16-bit floats in float. */
template <class C> using math_t = std::conditional_t<is_small_float<C>, float, C>;

enum class Gives { Common, Number, Floating, Truth, Real }; /* Number: bool becomes an integer */

/* The type an operator computes in, and what it gives. */
template <Gives G, class C> struct given {
    using compute = std::conditional_t<G == Gives::Floating && in_core<C>, scalar_of<dtype_floating(dtype_of<C>)>,
                                       std::conditional_t<G == Gives::Number && std::is_same<C, bool>::value, int64_t, C>>;
    using type =
        std::conditional_t<G == Gives::Truth, bool,
                           std::conditional_t<G == Gives::Real && in_core<C>, scalar_of<dtype_real(dtype_of<C>)>, compute>>;
};
template <Gives G, class C> struct given_user {
    using compute = C;
    using type = std::conditional_t<G == Gives::Truth, bool, C>;
};
template <Gives G, class C> using given_t = std::conditional_t<in_core<C>, given<G, C>, given_user<G, C>>;

#define TENON_OPERATOR_(Name, gives_, method, supports_, sentence_)                                                            \
    static constexpr Gives gives = gives_;                                                                                     \
    static constexpr const char *name = #method;                                                                               \
    template <class C> static constexpr void require() { static_assert(supports_, sentence_); }

struct Add {
    TENON_OPERATOR_(Add, Gives::Common, add, true, "")
    static constexpr int cost = 1;
    template <class C> static constexpr C apply(C a, C b) {
        return static_cast<C>(static_cast<wrapping_t<C>>(a) + static_cast<wrapping_t<C>>(b));
    }
    template <class A, class B> static AnyTensor call(const A &a, const B &b) { return a + b; }
};
struct Sub {
    TENON_OPERATOR_(Sub, Gives::Common, sub, true, "")
    static constexpr int cost = 1;
    template <class A, class B> static constexpr void require_operands() { /* whatever the other one is */
        static_assert(!std::is_same<A, bool>::value && !std::is_same<B, bool>::value,
                      "sub does not support bool: use !=, or convert first");
    }
    template <class C> static constexpr C apply(C a, C b) {
        return static_cast<C>(static_cast<wrapping_t<C>>(a) - static_cast<wrapping_t<C>>(b));
    }
    template <class A, class B> static AnyTensor call(const A &a, const B &b) { return a - b; }
};
struct Mul {
    TENON_OPERATOR_(Mul, Gives::Common, mul, true, "")
    static constexpr int cost = 1;
    template <class C> static constexpr C apply(C a, C b) {
        return static_cast<C>(static_cast<wrapping_t<C>>(a) * static_cast<wrapping_t<C>>(b));
    }
    template <class A, class B> static AnyTensor call(const A &a, const B &b) { return a * b; }
};
struct Div {
    TENON_OPERATOR_(Div, Gives::Floating, div, true, "")
    static constexpr int cost = 2;
    template <class C> static constexpr C apply(C a, C b) { return static_cast<C>(a / b); }
    template <class A, class B> static AnyTensor call(const A &a, const B &b) { return a / b; }
};
struct Maximum {
    TENON_OPERATOR_(Maximum, Gives::Common, maximum, !is_complex_scalar<C>,
                    "maximum does not support complex numbers: they have no order")
    static constexpr int cost = 1;
    template <class C> static C apply(C a, C b) { return a > b || a != a ? a : b; }
    static AnyTensor call(const AnyTensor &a, const AnyTensor &b) { return a.maximum(b); }
    static AnyTensor call(const AnyTensor &a, Number b) { return a.clamp_min(b); }
    static AnyTensor call(Number a, const AnyTensor &b) { return b.clamp_min(a); }
};
struct Minimum {
    TENON_OPERATOR_(Minimum, Gives::Common, minimum, !is_complex_scalar<C>,
                    "minimum does not support complex numbers: they have no order")
    static constexpr int cost = 1;
    template <class C> static C apply(C a, C b) { return a < b || a != a ? a : b; }
    static AnyTensor call(const AnyTensor &a, const AnyTensor &b) { return a.minimum(b); }
    static AnyTensor call(const AnyTensor &a, Number b) { return a.clamp_max(b); }
    static AnyTensor call(Number a, const AnyTensor &b) { return b.clamp_max(a); }
};
struct Pow {
    TENON_OPERATOR_(Pow, Gives::Common, pow, dtype_is_float(dtype_of<C>) || is_complex_scalar<C>,
                    "pow of integers is not an expression: convert them, or use dynamic().pow()")
    static constexpr int cost = 16;
    template <class C> static C apply(C a, C b) {
        return static_cast<C>(std::pow(static_cast<math_t<C>>(a), static_cast<math_t<C>>(b)));
    }
    template <class B> static AnyTensor call(const AnyTensor &a, const B &b) { return a.pow(b); }
    static AnyTensor call(Number a, const AnyTensor &b) { return pow(a, b); }
};

#define TENON_COMPARE_(Name, symbol, method, supports_)                                                                        \
    struct Name {                                                                                                              \
        TENON_OPERATOR_(Name, Gives::Truth, method, supports_,                                                                 \
                        #method " does not support complex numbers: they have no order")                                       \
        static constexpr int cost = 1;                                                                                         \
        template <class C> static constexpr bool apply(C a, C b) { return a symbol b; }                                        \
        template <class A, class B> static AnyTensor call(const A &a, const B &b) { return a symbol b; }                       \
    };
TENON_COMPARE_(Equal, ==, eq, true)
TENON_COMPARE_(NotEqual, !=, ne, true)
TENON_COMPARE_(Less, <, lt, !is_complex_scalar<C>)
TENON_COMPARE_(LessEqual, <=, le, !is_complex_scalar<C>)
TENON_COMPARE_(Greater, >, gt, !is_complex_scalar<C>)
TENON_COMPARE_(GreaterEqual, >=, ge, !is_complex_scalar<C>)
#undef TENON_COMPARE_

struct LogicalAnd {
    TENON_OPERATOR_(LogicalAnd, Gives::Truth, logical_and, true, "")
    static constexpr int cost = 1;
    template <class C> static bool apply(C a, C b) { return (a != C(0)) & (b != C(0)); }
    static AnyTensor call(const AnyTensor &a, const AnyTensor &b) { return a.logical_and(b); }
};
struct LogicalOr {
    TENON_OPERATOR_(LogicalOr, Gives::Truth, logical_or, true, "")
    static constexpr int cost = 1;
    template <class C> static bool apply(C a, C b) { return (a != C(0)) | (b != C(0)); }
    static AnyTensor call(const AnyTensor &a, const AnyTensor &b) { return a.logical_or(b); }
};
struct LogicalNot {
    TENON_OPERATOR_(LogicalNot, Gives::Truth, logical_not, true, "")
    static constexpr int cost = 1;
    template <class C> static bool apply(C a) { return a == C(0); }
    static AnyTensor call(const AnyTensor &a) { return a.logical_not(); }
};

/* The bits of integers, and the truths of bool. */
#define TENON_BITS_(Name, symbol, method)                                                                                      \
    struct Name {                                                                                                              \
        TENON_OPERATOR_(Name, Gives::Common, method, (std::is_integral<C>::value || !in_core<C>),                              \
                        #method " is for integers and bool")                                                                   \
        static constexpr int cost = 1;                                                                                         \
        template <class C> static constexpr C apply(C a, C b) { return static_cast<C>(a symbol b); }                           \
        template <class A, class B> static AnyTensor call(const A &a, const B &b) { return a symbol b; }                       \
    };
TENON_BITS_(BitAnd, &, bitwise_and)
TENON_BITS_(BitOr, |, bitwise_or)
TENON_BITS_(BitXor, ^, bitwise_xor)
#undef TENON_BITS_
struct BitNot {
    TENON_OPERATOR_(BitNot, Gives::Common, bitwise_not, (std::is_integral<C>::value || !in_core<C>),
                    "bitwise_not is for integers and bool")
    static constexpr int cost = 1;
    template <class C> static constexpr C apply(C a) {
        if constexpr (std::is_same<C, bool>::value)
            return !a;
        else
            return static_cast<C>(~a);
    }
    static AnyTensor call(const AnyTensor &a) { return a.bitwise_not(); }
};

/* -x; integers wrap, and -0.0 comes of 0.0. */
template <class C> C negated(C x) {
    if constexpr (is_integer<C>)
        return static_cast<C>(wrapping_t<C>(0) - static_cast<wrapping_t<C>>(x));
    else
        return static_cast<C>(-x);
}

/* Integers are whole already; as a double, the large ones would not stay what they are. */
template <class C, class F> C rounded(C x, F &&round) {
    if constexpr (std::is_integral<C>::value)
        return x;
    else
        return static_cast<C>(round(x));
}

/* Functions of one operand: what it gives, its cost, which types it takes, and what it does with x of the type M. */
#define TENON_UNARY_(Name, method, gives_, cost_, supports_, sentence_, body_)                                                 \
    struct Name {                                                                                                              \
        TENON_OPERATOR_(Name, gives_, method, supports_, sentence_)                                                            \
        static constexpr int cost = cost_;                                                                                     \
        template <class C> static auto apply(C given) {                                                                        \
            using M = math_t<C>;                                                                                               \
            M x = static_cast<M>(given);                                                                                       \
            return (body_);                                                                                                    \
        }                                                                                                                      \
        static AnyTensor call(const AnyTensor &a) { return a.method(); }                                                       \
    };
TENON_UNARY_(Neg, neg, Gives::Common, 1, (!std::is_same<C, bool>::value), "neg does not support bool: use logical_not",
             negated(x))
TENON_UNARY_(Square, square, Gives::Number, 1, true, "",
             static_cast<M>(static_cast<wrapping_t<M>>(x) * static_cast<wrapping_t<M>>(x)))
TENON_UNARY_(Sqrt, sqrt, Gives::Floating, 4, true, "", std::sqrt(x))
TENON_UNARY_(Rsqrt, rsqrt, Gives::Floating, 4, true, "", M(1) / std::sqrt(x))
TENON_UNARY_(Reciprocal, reciprocal, Gives::Floating, 2, true, "", M(1) / x)
TENON_UNARY_(Exp, exp, Gives::Floating, 6, true, "", math::exp(x))
TENON_UNARY_(Log, log, Gives::Floating, 12, true, "", std::log(x))
TENON_UNARY_(Sin, sin, Gives::Floating, 16, true, "", std::sin(x))
TENON_UNARY_(Cos, cos, Gives::Floating, 16, true, "", std::cos(x))
TENON_UNARY_(Tanh, tanh, Gives::Floating, 8, true, "", math::tanh(x))
TENON_UNARY_(Sigmoid, sigmoid, Gives::Floating, 8, true, "", math::sigmoid(x))
TENON_UNARY_(Relu, relu, Gives::Common, 1, is_ordered_number<C>, "relu does not support complex numbers and bool",
             x > M(0) || x != x ? x : M(0))
TENON_UNARY_(Floor, floor, Gives::Common, 1, is_ordered_number<C>, "floor does not support complex numbers and bool",
             rounded(x, [](auto v) { return std::floor(v); }))
TENON_UNARY_(Ceil, ceil, Gives::Common, 1, is_ordered_number<C>, "ceil does not support complex numbers and bool",
             rounded(x, [](auto v) { return std::ceil(v); }))
TENON_UNARY_(Trunc, trunc, Gives::Common, 1, is_ordered_number<C>, "trunc does not support complex numbers and bool",
             rounded(x, [](auto v) { return std::trunc(v); }))
TENON_UNARY_(Round, round, Gives::Common, 1, is_ordered_number<C>, "round does not support complex numbers and bool",
             rounded(x, [](auto v) { return std::nearbyint(v); }))
#undef TENON_UNARY_

struct Abs {
    TENON_OPERATOR_(Abs, Gives::Real, abs, (!std::is_same<C, bool>::value), "abs does not support bool")
    static constexpr int cost = 1;
    template <class C> static auto apply(C x) {
        if constexpr (is_complex_scalar<C>)
            return std::abs(x);
        else if constexpr (dtype_is_float(dtype_of<C>))
            return std::fabs(static_cast<math_t<C>>(x));
        else if constexpr (in_core<C>)
            return x < C(0) ? static_cast<C>(wrapping_t<C>(0) - static_cast<wrapping_t<C>>(x)) : x;
        else
            return x < C(0) ? C(-x) : x;
    }
    static AnyTensor call(const AnyTensor &a) { return a.abs(); }
};

struct Where {
    static constexpr int cost = 1;
    template <class C> static C choose(bool condition, C a, C b) { return condition ? a : b; }
    template <class A, class B> static AnyTensor call(const AnyTensor &condition, const A &a, const B &b) {
        return condition.where(a, b);
    }
};

template <class To> struct Convert { static constexpr int cost = 1; };

#if TENON_PACKETS
#define TENON_PACKET_UNARY_(Op, body)                                                                                          \
    template <class S> struct PacketOperator<Op, S> : std::true_type {                                                         \
        static TENON_INLINE packet_t<S> apply(packet_t<S> x) { return body; }                                                  \
    };
#define TENON_PACKET_BINARY_(Op, result, body)                                                                                 \
    template <class S> struct PacketOperator<Op, S> : std::true_type {                                                         \
        static TENON_INLINE result<S> apply(packet_t<S> a, packet_t<S> b) { return body; }                                     \
    };
TENON_PACKET_BINARY_(Add, packet_t, a + b)
TENON_PACKET_BINARY_(Sub, packet_t, a - b)
TENON_PACKET_BINARY_(Mul, packet_t, a *b)
TENON_PACKET_BINARY_(Div, packet_t, a / b)
TENON_PACKET_BINARY_(Maximum, packet_t, packet_choose<S>((a > b) | (a != a), a, b))
TENON_PACKET_BINARY_(Minimum, packet_t, packet_choose<S>((a < b) | (a != a), a, b))
TENON_PACKET_BINARY_(Equal, mask_t, a == b)
TENON_PACKET_BINARY_(NotEqual, mask_t, a != b)
TENON_PACKET_BINARY_(Less, mask_t, a < b)
TENON_PACKET_BINARY_(LessEqual, mask_t, a <= b)
TENON_PACKET_BINARY_(Greater, mask_t, a > b)
TENON_PACKET_BINARY_(GreaterEqual, mask_t, a >= b)
TENON_PACKET_UNARY_(Neg, -x)
TENON_PACKET_UNARY_(Square, x *x)
TENON_PACKET_UNARY_(Abs, packet_abs<S>(x))
TENON_PACKET_UNARY_(Sqrt, packet_sqrt<S>(x))
TENON_PACKET_UNARY_(Rsqrt, S(1) / packet_sqrt<S>(x))
TENON_PACKET_UNARY_(Reciprocal, S(1) / x)
TENON_PACKET_UNARY_(Exp, packet_exp<S>(x))
TENON_PACKET_UNARY_(Sigmoid, S(1) / (S(1) + packet_exp<S>(-x)))
TENON_PACKET_UNARY_(Relu, packet_choose<S>(x <= S(0), packet_t<S>{}, x))
template <> struct PacketOperator<Tanh, float> : std::true_type {
    static TENON_INLINE packet_t<float> apply(packet_t<float> x) { return packet_tanh(x); }
};
#undef TENON_PACKET_UNARY_
#undef TENON_PACKET_BINARY_
#endif

/* How reductions combine. Total: the type of long sums. */
struct SumOf {
    static constexpr const char *name = "sum";
    template <class A> static A identity() { return A(0); }
    template <class A> static A combine(A a, A b) {
        return static_cast<A>(static_cast<wrapping_t<A>>(a) + static_cast<wrapping_t<A>>(b));
    }
    template <class V> static TENON_INLINE V lanes(V a, V b) { return a + b; } /* the same for vectors */
    template <class C> using given = std::conditional_t<in_core<C>, scalar_of<dtype_sum(dtype_of<C>)>, C>;
    template <class C> using total = std::conditional_t<std::is_same<C, float>::value || is_small_float<C>, double, given<C>>;
    template <class C> using accumulate = std::conditional_t<is_small_float<C>, float, given<C>>;
    static AnyTensor call(const AnyTensor &a) { return a.sum(); }
    static AnyTensor call(const AnyTensor &a, Dims dims, bool keepdim) { return a.sum(dims, keepdim); }
};
struct ProductOf {
    static constexpr const char *name = "prod";
    template <class A> static A identity() { return A(1); }
    template <class A> static A combine(A a, A b) {
        return static_cast<A>(static_cast<wrapping_t<A>>(a) * static_cast<wrapping_t<A>>(b));
    }
    template <class V> static TENON_INLINE V lanes(V a, V b) { return a * b; }
    template <class C> using given = SumOf::given<C>;
    template <class C> using total = std::conditional_t<is_small_float<C>, float, given<C>>;
    template <class C> using accumulate = total<C>;
    static AnyTensor call(const AnyTensor &a) { return a.prod(); }
    static AnyTensor call(const AnyTensor &a, Dims dims, bool keepdim) { return a.prod(dims[0], keepdim); }
};
template <class A> constexpr A lowest_of() {
    return std::numeric_limits<A>::has_infinity ? static_cast<A>(-std::numeric_limits<A>::infinity())
                                                : std::numeric_limits<A>::lowest();
}
template <class A> constexpr A highest_of() {
    return std::numeric_limits<A>::has_infinity ? std::numeric_limits<A>::infinity() : std::numeric_limits<A>::max();
}
struct MaxOf {
    static constexpr const char *name = "amax";
    template <class A> static A identity() { return lowest_of<A>(); }
    template <class A> static A combine(A a, A b) { return a > b || a != a ? a : b; }
    template <class V> static TENON_INLINE V lanes(V a, V b) { return ((a > b) | (a != a)) ? a : b; }
    template <class C> using given = C;
    template <class C> using total = math_t<C>;
    template <class C> using accumulate = math_t<C>;
    static AnyTensor call(const AnyTensor &a) { return a.amax(); }
    static AnyTensor call(const AnyTensor &a, Dims dims, bool keepdim) { return a.amax(dims, keepdim); }
};
struct MinOf {
    static constexpr const char *name = "amin";
    template <class A> static A identity() { return highest_of<A>(); }
    template <class A> static A combine(A a, A b) { return a < b || a != a ? a : b; }
    template <class V> static TENON_INLINE V lanes(V a, V b) { return ((a < b) | (a != a)) ? a : b; }
    template <class C> using given = C;
    template <class C> using total = math_t<C>;
    template <class C> using accumulate = math_t<C>;
    static AnyTensor call(const AnyTensor &a) { return a.amin(); }
    static AnyTensor call(const AnyTensor &a, Dims dims, bool keepdim) { return a.amin(dims, keepdim); }
};

} // namespace detail

template <class Op, class... Operand> class Node;
template <class Scalar> class Constant;
template <class Scalar, class Kind> class Reduced;
template <class Scalar, class Shape> struct FixedTensor; /* fixed.hpp: on its own, and as an operand, held by value */
template <class Scalar, class Shape> class FixedLeaf;

namespace detail {

/* An operand as an expression holds it: a tensor shared and read-only, an expression by value, a number as a constant. */
template <class T> struct held { using type = Constant<std::decay_t<T>>; };
template <class Op, class... A> struct held<Node<Op, A...>> { using type = Node<Op, A...>; };
template <class S, class K> struct held<Reduced<S, K>> { using type = Reduced<S, K>; };
template <class S, class D, int R> struct held<Tensor<S, D, R>> { using type = Tensor<const S, D, R>; };
template <class S, class D, int R> struct held<Tensor<const S, D, R>> { using type = Tensor<const S, D, R>; };
template <class S, class Shape> struct held<FixedTensor<S, Shape>> { using type = FixedLeaf<S, Shape>; };
template <class S, class Shape> struct held<FixedLeaf<S, Shape>> { using type = FixedLeaf<S, Shape>; };
template <class T> using held_t = typename held<std::decay_t<T>>::type;

/* The common scalar type of operands: tensors by the table, plain numbers only by their kind. */
template <class A, class B> struct operands_common {
    static constexpr bool number_a = A::is_number, number_b = B::is_number;
    using VA = typename A::value_type;
    using VB = typename B::value_type;
    template <class T, class N, bool Core = in_core<T> &&in_core<N>> struct with_number {
        using type = scalar_of<promote_number(dtype_of<T>, dtype_of<N>)>;
    };
    template <class T, class N> struct with_number<T, N, false> {
        static_assert(std::is_convertible<N, T>::value, "this number does not convert to the tensor's scalar type");
        using type = T;
    };
    template <bool NA, bool NB, class Dummy> struct pick { using type = promote_t<VA, VB>; };
    template <class Dummy> struct pick<true, false, Dummy> { using type = typename with_number<VB, VA>::type; };
    template <class Dummy> struct pick<false, true, Dummy> { using type = typename with_number<VA, VB>::type; };
    using type = typename pick<number_a, number_b, void>::type;
};

/* Scalar type, and type of computation, of an operator with these operands. */
template <class Op, class... A> struct node_types;
template <class Op, class A> struct node_types<Op, A> {
    using common = typename A::value_type;
    using compute = typename given_t<Op::gives, common>::compute;
    using type = typename given_t<Op::gives, common>::type;
};
/* Integers are compared with a plain number as what both of them are: 255 is not less than 44 because 300 was cut off to 44. */
#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 wide_integer;
#else
typedef int64_t wide_integer;
#endif
template <class A, class B, bool = is_integer<A> &&is_integer<B>> struct compared { using type = A; };
template <class A, class B> struct compared<A, B, true> {
    static constexpr std::size_t without = std::is_signed<A>::value ? sizeof(B) : sizeof(A), /* the size of the unsigned one */
        with = std::is_signed<A>::value ? sizeof(A) : sizeof(B);
    using larger = std::conditional_t<(sizeof(A) < sizeof(B)), B, A>;
    using both =
        std::conditional_t<(without <= 2 && with <= 4), int32_t, std::conditional_t<(without <= 4), int64_t, wide_integer>>;
    using type = std::conditional_t<std::is_signed<A>::value == std::is_signed<B>::value, larger, both>;
};
template <class Op, class A, class B> struct node_types<Op, A, B> {
    using common = typename operands_common<A, B>::type;
    using number = std::conditional_t<A::is_number, typename A::value_type, typename B::value_type>;
    static constexpr bool compares = Op::gives == Gives::Truth && A::is_number != B::is_number;
    using compute =
        typename given_t<Op::gives, std::conditional_t<compares, typename compared<common, number>::type, common>>::compute;
    using type = typename given_t<Op::gives, common>::type;
};
template <class C, class A, class B> struct node_types<Where, C, A, B> {
    static_assert(std::is_same<typename C::value_type, bool>::value, "where: the condition is not a tensor of bool");
    using common = typename operands_common<A, B>::type;
    using compute = common;
    using type = common;
};
template <class To, class A> struct node_types<Convert<To>, A> {
    using common = typename A::value_type;
    using compute = common;
    using type = To;
};

/* From one scalar to another, as the library converts. */
template <class To, class From> constexpr To convert(const From &value) {
    if constexpr (std::is_same<To, From>::value)
        return value;
    else if constexpr (std::is_same<To, bool>::value)
        return value != From(0);
    else if constexpr (is_complex_scalar<To> && is_complex_scalar<From>)
        return To(static_cast<typename To::value_type>(value.real()), static_cast<typename To::value_type>(value.imag()));
    else if constexpr (is_complex_scalar<To>)
        return To(static_cast<typename To::value_type>(value));
    else if constexpr (is_complex_scalar<From>)
        return convert<To>(value.real());
    else if constexpr (is_integer<To> &&
                       dtype_is_float(dtype_of<From>)) { /* a number that does not fit has no meaning in C++ */
        To result{};
        tn_dtype_store(dtype_of<To>, &result, tn_scalar(static_cast<double>(static_cast<math_t<From>>(value))));
        return result;
    } else if constexpr (is_small_float<From>)
        return static_cast<To>(static_cast<float>(value));
    else
        return static_cast<To>(value);
}

/* The kernels: an expression over addresses, as one small value that the compiler takes apart. operator() gives one element; where
 * packs<S>, packet<S> gives as many as a packet has, from position i on, and packet_part the first `count` of them; where masks<S>,
 * mask<S> and mask_part tell the same of a truth about elements of S. */
template <class S> struct LeafKernel {
    using value_type = S;
    template <class T> static constexpr bool packs = has_packets<T> &&std::is_same<S, T>::value;
    template <class T> static constexpr bool masks = false;
    const S *at;
    S operator()(int64_t i) const { return at[i]; }
#if TENON_PACKETS
    template <class T> TENON_INLINE auto packet(int64_t i) const { return packet_load<T>(at + i); }
    template <class T> TENON_INLINE auto packet_part(int64_t i, int64_t count) const {
        return packet_load_part<T>(at + i, count);
    }
#endif
};
template <class S> struct ConstantKernel {
    using value_type = S;
    template <class T> static constexpr bool packs = has_packets<T> && (std::is_arithmetic<S>::value || is_small_float<S>);
    template <class T> static constexpr bool masks = false;
    S value;
    S operator()(int64_t) const { return value; }
#if TENON_PACKETS
    template <class T> TENON_INLINE auto packet(int64_t) const { return packet_of<T>(convert<T>(value)); }
    template <class T> TENON_INLINE auto packet_part(int64_t i, int64_t) const { return packet<T>(i); }
#endif
};
template <class Op, class Types, class A> struct UnaryKernel {
    using value_type = typename Types::type;
    using C = typename Types::compute;
    template <class T>
    static constexpr bool packs = std::is_same<T, C>::value &&std::is_same<T, value_type>::value
        &&packet_operator_known<Op, T>::value &&A::template packs<T>;
    template <class T>
    static constexpr bool
        masks = (std::is_same<Op, LogicalNot>::value || std::is_same<Op, BitNot>::value) && A::template masks<T>;
    A a;
    value_type operator()(int64_t i) const { return static_cast<value_type>(Op::template apply<C>(convert<C>(a(i)))); }
#if TENON_PACKETS
    template <class T> TENON_INLINE auto packet(int64_t i) const {
        return PacketOperator<Op, T>::apply(a.template packet<T>(i));
    }
    template <class T> TENON_INLINE auto packet_part(int64_t i, int64_t count) const {
        return PacketOperator<Op, T>::apply(a.template packet_part<T>(i, count));
    }
    template <class T> TENON_INLINE auto mask(int64_t i) const { return ~a.template mask<T>(i); }
    template <class T> TENON_INLINE auto mask_part(int64_t i, int64_t count) const {
        return ~a.template mask_part<T>(i, count);
    }
#endif
};
template <class Op, class Types, class A, class B> struct BinaryKernel {
    using value_type = typename Types::type;
    using C = typename Types::compute;
    template <class T>
    static constexpr bool pairs =
        std::is_same<T, C>::value &&packet_operator_known<Op, T>::value &&A::template packs<T> &&B::template packs<T>;
    template <class T> static constexpr bool packs = pairs<T> &&std::is_same<T, value_type>::value;
    static constexpr bool both = std::is_same<Op, LogicalAnd>::value || std::is_same<Op, BitAnd>::value;
    static constexpr bool either = std::is_same<Op, LogicalOr>::value || std::is_same<Op, BitOr>::value;
    static constexpr bool joins = both || either || std::is_same<Op, BitXor>::value;
    template <class T>
    static constexpr bool masks = (pairs<T> && std::is_same<value_type, bool>::value) ||
                                  (joins && A::template masks<T> && B::template masks<T>);
    /* x * x: what is the same memory is read once. */
    static constexpr bool squares =
        std::is_same<Op, Mul>::value && std::is_same<A, LeafKernel<C>>::value && std::is_same<A, B>::value;
    A a;
    B b;
    value_type operator()(int64_t i) const {
        return static_cast<value_type>(Op::template apply<C>(convert<C>(a(i)), convert<C>(b(i))));
    }
#if TENON_PACKETS
    template <class T> TENON_INLINE auto packet(int64_t i) const {
        if constexpr (squares) {
            const packet_t<T> x = a.template packet<T>(i);
            return PacketOperator<Op, T>::apply(x, a.at == b.at ? x : b.template packet<T>(i));
        } else
            return PacketOperator<Op, T>::apply(a.template packet<T>(i), b.template packet<T>(i));
    }
    template <class T> TENON_INLINE auto packet_part(int64_t i, int64_t count) const {
        return PacketOperator<Op, T>::apply(a.template packet_part<T>(i, count), b.template packet_part<T>(i, count));
    }
    template <class T> TENON_INLINE mask_t<T> mask(int64_t i) const {
        if constexpr (!joins)
            return packet<T>(i);
        else
            return join<T>(a.template mask<T>(i), b.template mask<T>(i));
    }
    template <class T> TENON_INLINE mask_t<T> mask_part(int64_t i, int64_t count) const {
        if constexpr (!joins)
            return packet_part<T>(i, count);
        else
            return join<T>(a.template mask_part<T>(i, count), b.template mask_part<T>(i, count));
    }

  private:
    template <class T> static TENON_INLINE mask_t<T> join(mask_t<T> x, mask_t<T> y) {
        return both ? x & y : either ? x | y : x ^ y;
    }
#endif
};
template <class K, class S> struct compares_leaves : std::false_type {};
template <class Op, class Types, class S>
struct compares_leaves<BinaryKernel<Op, Types, LeafKernel<S>, LeafKernel<S>>, S> : std::true_type {
    template <class P> static TENON_INLINE auto truth(P x, P y) { return PacketOperator<Op, S>::apply(x, y); }
};
template <class Types, class C, class A, class B> struct WhereKernel {
    using value_type = typename Types::type;
    /* where(a > b, a, b): what is the same memory is read once. */
    template <class T>
    static constexpr bool picks =
        compares_leaves<C, T>::value &&std::is_same<A, LeafKernel<T>>::value &&std::is_same<A, B>::value;
    template <class T>
    static constexpr bool packs =
        std::is_same<T, value_type>::value &&C::template masks<T> &&A::template packs<T> &&B::template packs<T>;
    template <class T> static constexpr bool masks = false;
    C c;
    A a;
    B b;
    value_type operator()(int64_t i) const {
        return Where::choose<value_type>(c(i), convert<value_type>(a(i)), convert<value_type>(b(i)));
    }
#if TENON_PACKETS
    template <class T> TENON_INLINE auto packet(int64_t i) const {
        if constexpr (picks<T>) {
            const packet_t<T> x = c.a.template packet<T>(i), y = c.b.template packet<T>(i);
            const bool same = c.a.at == a.at && c.b.at == b.at;
            return packet_choose<T>(compares_leaves<C, T>::truth(x, y), same ? x : a.template packet<T>(i),
                                    same ? y : b.template packet<T>(i));
        } else
            return packet_choose<T>(c.template mask<T>(i), a.template packet<T>(i), b.template packet<T>(i));
    }
    template <class T> TENON_INLINE auto packet_part(int64_t i, int64_t count) const {
        return packet_choose<T>(c.template mask_part<T>(i, count), a.template packet_part<T>(i, count),
                                b.template packet_part<T>(i, count));
    }
#endif
};
template <class To, class A> struct ConvertKernel {
    using value_type = To;
    template <class T> static constexpr bool packs = std::is_same<T, To>::value &&A::template packs<T>;
    template <class T> static constexpr bool masks = false;
    A a;
    To operator()(int64_t i) const { return convert<To>(a(i)); }
#if TENON_PACKETS
    template <class T> TENON_INLINE auto packet(int64_t i) const { return a.template packet<T>(i); }
    template <class T> TENON_INLINE auto packet_part(int64_t i, int64_t count) const {
        return a.template packet_part<T>(i, count);
    }
#endif
};
template <class Op, class Types> struct kernel_maker {
    template <class A> static auto make(A a) { return UnaryKernel<Op, Types, A>{a}; }
    template <class A, class B> static auto make(A a, B b) { return BinaryKernel<Op, Types, A, B>{a, b}; }
};
template <class Types> struct kernel_maker<Where, Types> {
    template <class C, class A, class B> static auto make(C c, A a, B b) { return WhereKernel<Types, C, A, B>{c, a, b}; }
};
template <class To, class Types> struct kernel_maker<Convert<To>, Types> {
    template <class A> static auto make(A a) { return ConvertKernel<To, A>{a}; }
};

/* The type a reduction of e gives, and how it is computed: the definitions are at the end. */
template <class Op, class E> auto reduce_all(const E &e);
template <class Op, class E> auto reduce_dims(const E &e, Dims dims, bool keepdim);
template <class E> auto mean_all(const E &e);
template <class E> auto mean_dims(const E &e, Dims dims, bool keepdim);

template <class Op, class A> auto unary(A &&a) { return Node<Op, held_t<A>>(Build(), std::forward<A>(a)); }
template <class Op, class A, class B> auto binary(A &&a, B &&b) {
    return Node<Op, held_t<A>, held_t<B>>(Build(), std::forward<A>(a), std::forward<B>(b));
}
template <class T>
constexpr bool is_number_type = (std::is_arithmetic<std::decay_t<T>>::value || is_scalar<std::decay_t<T>>)&&!is_expression<T>;
template <class T> struct is_reduced : std::false_type {};
template <class S, class K> struct is_reduced<Reduced<S, K>> : std::true_type {};
/* A number, or a reduction of all elements, which is as good as one. */
template <class T> constexpr bool is_single = is_number_type<T> || is_reduced<std::decay_t<T>>::value;
template <class T> auto single(const T &value) {
    if constexpr (is_reduced<T>::value)
        return value.item();
    else
        return value;
}
template <class T> struct is_fixed : std::false_type {};
template <class S, class Shape> struct is_fixed<FixedTensor<S, Shape>> : std::true_type {};
/* What may stand beside an expression. */
template <class T> constexpr bool is_beside = is_expression<T> || is_number_type<T> || is_fixed<std::decay_t<T>>::value;
template <class A, class B>
constexpr bool are_operands = (is_expression<A> && is_beside<B>) || (is_beside<A> && is_expression<B>);

} // namespace detail

/* ---- the methods that tensors and expressions share ------------------------------------------------------------------ */

template <class E> class Lazy : public ExpressionTag {
    const E &self() const { return static_cast<const E &>(*this); }

  public:
    auto neg() const { return detail::unary<detail::Neg>(self()); }
    auto abs() const { return detail::unary<detail::Abs>(self()); }
    auto square() const { return detail::unary<detail::Square>(self()); }
    auto sqrt() const { return detail::unary<detail::Sqrt>(self()); }
    auto rsqrt() const { return detail::unary<detail::Rsqrt>(self()); }
    auto reciprocal() const { return detail::unary<detail::Reciprocal>(self()); }
    auto exp() const { return detail::unary<detail::Exp>(self()); }
    auto log() const { return detail::unary<detail::Log>(self()); }
    auto sin() const { return detail::unary<detail::Sin>(self()); }
    auto cos() const { return detail::unary<detail::Cos>(self()); }
    auto tanh() const { return detail::unary<detail::Tanh>(self()); }
    auto sigmoid() const { return detail::unary<detail::Sigmoid>(self()); }
    auto relu() const { return detail::unary<detail::Relu>(self()); }
    auto floor() const { return detail::unary<detail::Floor>(self()); }
    auto ceil() const { return detail::unary<detail::Ceil>(self()); }
    auto trunc() const { return detail::unary<detail::Trunc>(self()); }
    auto round() const { return detail::unary<detail::Round>(self()); }
    auto logical_not() const { return detail::unary<detail::LogicalNot>(self()); }
    template <class B> auto add(B &&b) const { return detail::binary<detail::Add>(self(), std::forward<B>(b)); }
    template <class B> auto sub(B &&b) const { return detail::binary<detail::Sub>(self(), std::forward<B>(b)); }
    template <class B> auto mul(B &&b) const { return detail::binary<detail::Mul>(self(), std::forward<B>(b)); }
    template <class B> auto div(B &&b) const { return detail::binary<detail::Div>(self(), std::forward<B>(b)); }
    template <class B> auto maximum(B &&b) const { return detail::binary<detail::Maximum>(self(), std::forward<B>(b)); }
    template <class B> auto minimum(B &&b) const { return detail::binary<detail::Minimum>(self(), std::forward<B>(b)); }
    template <class B> auto pow(B &&b) const { return detail::binary<detail::Pow>(self(), std::forward<B>(b)); }
    template <class B> auto eq(B &&b) const { return detail::binary<detail::Equal>(self(), std::forward<B>(b)); }
    template <class B> auto ne(B &&b) const { return detail::binary<detail::NotEqual>(self(), std::forward<B>(b)); }
    template <class B> auto lt(B &&b) const { return detail::binary<detail::Less>(self(), std::forward<B>(b)); }
    template <class B> auto le(B &&b) const { return detail::binary<detail::LessEqual>(self(), std::forward<B>(b)); }
    template <class B> auto gt(B &&b) const { return detail::binary<detail::Greater>(self(), std::forward<B>(b)); }
    template <class B> auto ge(B &&b) const { return detail::binary<detail::GreaterEqual>(self(), std::forward<B>(b)); }
    template <class B> auto logical_and(B &&b) const { return detail::binary<detail::LogicalAnd>(self(), std::forward<B>(b)); }
    template <class B> auto bitwise_and(B &&b) const { return detail::binary<detail::BitAnd>(self(), std::forward<B>(b)); }
    template <class B> auto bitwise_or(B &&b) const { return detail::binary<detail::BitOr>(self(), std::forward<B>(b)); }
    template <class B> auto bitwise_xor(B &&b) const { return detail::binary<detail::BitXor>(self(), std::forward<B>(b)); }
    auto bitwise_not() const { return detail::unary<detail::BitNot>(self()); }
    template <class B> auto logical_or(B &&b) const { return detail::binary<detail::LogicalOr>(self(), std::forward<B>(b)); }

    /* The elements as another scalar type; part of the same pass. */
    template <class To> auto to() const {
        static_assert(is_scalar<To>, "to<T>(): T is not an element type");
        return Node<detail::Convert<To>, detail::held_t<E>>(detail::Build(), self());
    }

    /* Reductions of all elements, or along dimensions, computed at once in the same pass as the expression. */
    auto sum() const { return detail::reduce_all<detail::SumOf>(self()); }
    auto sum(Dims dims, bool keepdim = false) const { return detail::reduce_dims<detail::SumOf>(self(), dims, keepdim); }
    auto prod() const { return detail::reduce_all<detail::ProductOf>(self()); }
    auto prod(int64_t dim, bool keepdim = false) const {
        return detail::reduce_dims<detail::ProductOf>(self(), Dims(dim), keepdim);
    }
    auto amax() const { return detail::reduce_all<detail::MaxOf>(self()); }
    auto amax(Dims dims, bool keepdim = false) const { return detail::reduce_dims<detail::MaxOf>(self(), dims, keepdim); }
    auto amin() const { return detail::reduce_all<detail::MinOf>(self()); }
    auto amin(Dims dims, bool keepdim = false) const { return detail::reduce_dims<detail::MinOf>(self(), dims, keepdim); }
    auto max() const { return amax(); }
    auto min() const { return amin(); }
    auto mean() const { return detail::mean_all(self()); }
    auto mean(Dims dims, bool keepdim = false) const { return detail::mean_dims(self(), dims, keepdim); }
    template <class B> auto dot(B &&b) const { return detail::binary<detail::Mul>(self(), std::forward<B>(b)).sum(); }

    /* Computed now. */
    auto eval() const {
        using Device = typename detail::device_of_kind<typename E::Kind>::template type<typename E::value_type>;
        return Tensor<typename E::value_type, Device, E::Rank>(self());
    }
};

#define TENON_BINARY_(symbol, Op)                                                                                              \
    template <class A, class B, class = std::enable_if_t<detail::are_operands<A, B>>> auto operator symbol(A &&a, B &&b) {     \
        return detail::binary<detail::Op>(std::forward<A>(a), std::forward<B>(b));                                             \
    }
TENON_BINARY_(+, Add)
TENON_BINARY_(-, Sub)
TENON_BINARY_(*, Mul)
TENON_BINARY_(/, Div)
TENON_BINARY_(&, BitAnd)
TENON_BINARY_(|, BitOr)
TENON_BINARY_(^, BitXor)
#undef TENON_BINARY_
/* Two numbers are compared at once. */
#define TENON_COMPARISON_(symbol, Op)                                                                                          \
    template <class A, class B, class = std::enable_if_t<detail::are_operands<A, B>>> auto operator symbol(A &&a, B &&b) {     \
        if constexpr (detail::is_single<A> && detail::is_single<B>) {                                                          \
            using C = decltype(detail::single(a) + detail::single(b));                                                         \
            return static_cast<C>(detail::single(a)) symbol static_cast<C>(detail::single(b));                                 \
        } else                                                                                                                 \
            return detail::binary<detail::Op>(std::forward<A>(a), std::forward<B>(b));                                         \
    }
TENON_COMPARISON_(==, Equal)
TENON_COMPARISON_(!=, NotEqual)
TENON_COMPARISON_(<, Less)
TENON_COMPARISON_(<=, LessEqual)
TENON_COMPARISON_(>, Greater)
TENON_COMPARISON_(>=, GreaterEqual)
#undef TENON_COMPARISON_
template <class A, class = std::enable_if_t<is_expression<A>>> auto operator-(A &&a) {
    return detail::unary<detail::Neg>(std::forward<A>(a));
}
template <class A, class = std::enable_if_t<is_expression<A>>> auto operator~(A &&a) {
    return detail::unary<detail::BitNot>(std::forward<A>(a));
}

#define TENON_FUNCTION_(function, Op)                                                                                          \
    template <class A, class = std::enable_if_t<is_expression<A>>> auto function(A &&a) {                                      \
        return detail::unary<detail::Op>(std::forward<A>(a));                                                                  \
    }
TENON_FUNCTION_(abs, Abs)
TENON_FUNCTION_(square, Square)
TENON_FUNCTION_(sqrt, Sqrt)
TENON_FUNCTION_(rsqrt, Rsqrt)
TENON_FUNCTION_(reciprocal, Reciprocal)
TENON_FUNCTION_(exp, Exp)
TENON_FUNCTION_(log, Log)
TENON_FUNCTION_(sin, Sin)
TENON_FUNCTION_(cos, Cos)
TENON_FUNCTION_(tanh, Tanh)
TENON_FUNCTION_(sigmoid, Sigmoid)
TENON_FUNCTION_(relu, Relu)
TENON_FUNCTION_(floor, Floor)
TENON_FUNCTION_(ceil, Ceil)
TENON_FUNCTION_(trunc, Trunc)
TENON_FUNCTION_(round, Round)
#undef TENON_FUNCTION_
template <class A, class B, class = std::enable_if_t<detail::are_operands<A, B>>> auto maximum(A &&a, B &&b) {
    return detail::binary<detail::Maximum>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, class = std::enable_if_t<detail::are_operands<A, B>>> auto minimum(A &&a, B &&b) {
    return detail::binary<detail::Minimum>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, class = std::enable_if_t<detail::are_operands<A, B>>> auto pow(A &&a, B &&b) {
    return detail::binary<detail::Pow>(std::forward<A>(a), std::forward<B>(b));
}
template <class C, class A, class B, class = std::enable_if_t<is_expression<C>>> auto where(C &&condition, A &&a, B &&b) {
    return Node<detail::Where, detail::held_t<C>, detail::held_t<A>, detail::held_t<B>>(
        detail::Build(), std::forward<C>(condition), std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, class = std::enable_if_t<is_expression<A> && is_expression<B>>> auto dot(const A &a, const B &b) {
    return a.dot(b);
}

/* ---- the nodes ------------------------------------------------------------------------------------------------------- */

/* A plain number. */
template <class Scalar> class Constant {
  public:
    using value_type = Scalar;
    using Kind = detail::AnyKind;
    static constexpr int Rank = 0, leaves = 0, cost = 0, widest = 0;
    static constexpr bool is_number = true, core = in_core<Scalar>;

    Constant(Scalar value) : value_(value) {}
    template <int At, class Rows> auto kernel(const Rows &, int64_t) const { return direct(0); }
    auto direct(int64_t) const { return detail::ConstantKernel<Scalar>{value_}; }
    template <class Reader> static void each_type(Reader &) {}
    template <class F> void each(F &&) const {}
    Number dynamic() const { return Number(value_); }

  private:
    Scalar value_;
};

/* An operator and its operands. */
template <class Op, class... Operand> class Node : public Lazy<Node<Op, Operand...>> {
    using Types = detail::node_types<Op, Operand...>;
    template <class K, class... Rest> struct kinds { using type = K; };
    template <class K, class First, class... Rest> struct kinds<K, First, Rest...> {
        using type = typename kinds<typename detail::common_kind<K, typename First::Kind>::type, Rest...>::type;
    };
    template <class Operator, class C> static constexpr auto require(int) -> decltype(Operator::template require<C>()) {
        return Operator::template require<C>();
    }
    template <class Operator, class C> static constexpr void require(long) {}
    template <class Operator, class... V>
    static constexpr auto require_operands(int) -> decltype(Operator::template require_operands<V...>()) {
        return Operator::template require_operands<V...>();
    }
    template <class Operator, class... V> static constexpr void require_operands(long) {}
    static constexpr int ranks() {
        int rank = 0;
        ((rank = detail::common_rank(rank, Operand::Rank)), ...);
        return rank;
    }
    static constexpr int widths() {
        int width = 0;
        ((width = width > Operand::widest ? width : Operand::widest), ...);
        return width;
    }
    template <std::size_t I> static constexpr int leaves_before() {
        constexpr int counts[] = {Operand::leaves...};
        int sum = 0;
        for (std::size_t i = 0; i < I; i++)
            sum += counts[i];
        return sum;
    }
    using Sequence = std::index_sequence_for<Operand...>;

  public:
    using value_type = typename Types::type;
    using Kind = typename kinds<detail::AnyKind, Operand...>::type;
    static constexpr int Rank = ranks();
    static constexpr int leaves = (0 + ... + Operand::leaves);
    static constexpr int cost = (Op::cost + ... + Operand::cost);
    static constexpr int widest = widths();
    static constexpr bool is_number = false;
    static constexpr bool core = (Operand::core && ...); /* the library can compute it too */

    template <class... A> explicit Node(detail::Build, A &&...operand) : operands_(std::forward<A>(operand)...) {
        require<Op, typename Types::compute>(0);
        require_operands<Op, typename Operand::value_type...>(0);
    }

    template <int At, class Rows> auto kernel(const Rows &rows, int64_t row) const {
        return kernel_of<At>(rows, row, Sequence());
    }
    /* From element number `at` on, where all operands are contiguous. */
    TENON_INLINE auto direct(int64_t at) const { return direct_of(at, Sequence()); }
    template <class Reader> static void each_type(Reader &reader) { (Operand::each_type(reader), ...); }
    /* Calls f with every tensor in it. */
    template <class F> void each(F &&f) const {
        std::apply([&](const Operand &...operand) { (operand.each(f), ...); }, operands_);
    }
    /* The same by the library's operators, one by one, recorded where an operand requires gradients. */
    AnyTensor dynamic() const {
        return std::apply([](const Operand &...operand) { return dynamic_of(operand.dynamic()...); }, operands_);
    }
    operator AnyTensor() const { return this->eval().dynamic(); }

  private:
    template <int At, class Rows, std::size_t... I>
    auto kernel_of(const Rows &rows, int64_t row, std::index_sequence<I...>) const {
        return detail::kernel_maker<Op, Types>::make(
            std::get<I>(operands_).template kernel<At + leaves_before<I>()>(rows, row)...);
    }
    template <std::size_t... I> TENON_INLINE auto direct_of(int64_t at, std::index_sequence<I...>) const {
        return detail::kernel_maker<Op, Types>::make(std::get<I>(operands_).direct(at)...);
    }
    template <class... A> static AnyTensor dynamic_of(const A &...operand) {
        if constexpr (is_convert)
            return first_to(operand...);
        else { /* of a tensor without dimensions, and of two plain numbers, the library thinks less */
            AnyTensor result = Op::call(operand...);
            return result && result.dtype() != dtype_of<value_type> ? first_to(result) : std::move(result);
        }
    }
    template <class T> struct converts : std::false_type {};
    template <class T> struct converts<detail::Convert<T>> : std::true_type {};
    static constexpr bool is_convert = converts<Op>::value;
    static AnyTensor first_to(const AnyTensor &operand) { return operand.to(dtype_of<value_type>); }
    std::tuple<Operand...> operands_;
};

/* What a reduction of all elements gives: a number that also knows how it was computed, where that was recorded. */
template <class Scalar, class DeviceKind_> class Reduced : public Lazy<Reduced<Scalar, DeviceKind_>> {
  public:
    using value_type = Scalar;
    using Kind = DeviceKind_;
    static constexpr int Rank = 0, leaves = 0, cost = 0, widest = 0;
    static constexpr bool is_number = false, core = in_core<Scalar>;

    explicit Reduced(Scalar value) : value_(value) {}
    explicit Reduced(AnyTensor recorded)
        : value_(recorded ? recorded.template item<Scalar>() : Scalar()), recorded_(std::move(recorded)) {}

    operator Scalar() const { return value_; }
    template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value && !std::is_same<T, Scalar>::value>>
    explicit operator T() const {
        return static_cast<T>(static_cast<detail::math_t<Scalar>>(value_));
    }
    Scalar item() const { return value_; }
    template <int At, class Rows> auto kernel(const Rows &, int64_t) const { return direct(0); }
    auto direct(int64_t) const { return detail::ConstantKernel<Scalar>{value_}; }
    template <class Reader> static void each_type(Reader &) {}
    template <class F> void each(F &&f) const { f(*this); }
    bool recorded() const { return static_cast<bool>(recorded_); }
    bool requires_grad() const { return recorded_ && recorded_.requires_grad(); }
    void backward() const { dynamic().backward(); }
    AnyTensor dynamic() const { return recorded_ ? recorded_ : full(Dims(), Number(value_), dtype_of<Scalar>); }
    operator AnyTensor() const { return dynamic(); }

  private:
    Scalar value_;
    AnyTensor recorded_;
};

template <class Scalar, class Kind> std::ostream &operator<<(std::ostream &stream, const Reduced<Scalar, Kind> &number) {
    return stream << static_cast<detail::math_t<Scalar>>(number.item());
}

} // namespace tenon

#endif
