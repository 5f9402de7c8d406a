/* tenon/cpp/fixed.hpp - FixedTensor<Scalar, Fixed<3, 4>>: sizes that the compiler knows, elements inside the object, on the stack.
 *
 * For small matrices and vectors: no allocation, no reference, every loop unrolled. Operators are computed at once, since there is
 * nothing to gain by waiting; in an expression with other tensors it is an operand that the expression holds by value. It is an
 * aggregate: FixedTensor<float, Fixed<2, 2>> m{{1, 2, 3, 4}};
 */
#ifndef TENON_CPP_FIXED_HPP
#define TENON_CPP_FIXED_HPP

#include <tenon/cpp/tensor.hpp>

namespace tenon {

template <int64_t... Size> struct Fixed {
    static constexpr int rank = static_cast<int>(sizeof...(Size));
    static constexpr int64_t numel = (int64_t{1} * ... * Size);
    static_assert(((Size > 0) && ...), "Fixed: sizes are at least 1");
};

template <class Scalar, int64_t... Size> struct FixedTensor<Scalar, Fixed<Size...>> {
    static_assert(is_scalar<Scalar>,
                  "FixedTensor<Scalar>: not an element type; specialise tenon::scalar_traits<Scalar> to make it one");
    using value_type = Scalar;
    using Shape = Fixed<Size...>;
    static constexpr int Rank = Shape::rank;
    static constexpr int64_t sizes[sizeof...(Size) + 1] = {Size..., 0};

    Scalar values[Shape::numel]; /* row by row */

    static constexpr int64_t numel() { return Shape::numel; }
    static constexpr int64_t dim() { return Rank; }
    static Dims shape() { return Dims(sizes, Rank); }
    Scalar *data() { return values; }
    const Scalar *data() const { return values; }
    Scalar *begin() { return values; }
    Scalar *end() { return values + numel(); }
    const Scalar *begin() const { return values; }
    const Scalar *end() const { return values + numel(); }

    template <class... Index> constexpr Scalar &operator()(Index... index) { return values[place(index...)]; }
    template <class... Index> constexpr const Scalar &operator()(Index... index) const { return values[place(index...)]; }

    static constexpr FixedTensor full(Scalar value) {
        FixedTensor made{};
        for (Scalar &x : made.values)
            x = value;
        return made;
    }
    template <class F> constexpr FixedTensor map(F &&f) const {
        FixedTensor made{};
        for (int64_t i = 0; i < Shape::numel; i++)
            made.values[i] = f(values[i]);
        return made;
    }
    constexpr Scalar sum() const {
        Scalar total = values[0];
        for (int64_t i = 1; i < Shape::numel; i++)
            total = static_cast<Scalar>(total + values[i]);
        return total;
    }
    template <class B> constexpr FixedTensor &operator+=(const B &b) { return *this = *this + b; }
    template <class B> constexpr FixedTensor &operator-=(const B &b) { return *this = *this - b; }
    template <class B> constexpr FixedTensor &operator*=(const B &b) { return *this = *this * b; }
    template <class B> constexpr FixedTensor &operator/=(const B &b) { return *this = *this / b; }

    /* (rows, k) by (k, columns). */
    template <int64_t K, int64_t Columns> constexpr auto matmul(const FixedTensor<Scalar, Fixed<K, Columns>> &other) const {
        static_assert(Rank == 2, "matmul: the first operand is not a matrix");
        static_assert(Rank != 2 || sizes[1] == K, "matmul: the inner sizes of the product differ");
        FixedTensor<Scalar, Fixed<sizes[0], Columns>> result{};
        for (int64_t i = 0; i < sizes[0]; i++) {
            Scalar row[Columns] = {};
            for (int64_t k = 0; k < K; k++)
                for (int64_t j = 0; j < Columns; j++)
                    row[j] = static_cast<Scalar>(row[j] + values[i * K + k] * other.values[k * Columns + j]);
            for (int64_t j = 0; j < Columns; j++)
                result.values[i * Columns + j] = row[j];
        }
        return result;
    }
    constexpr auto t() const {
        static_assert(Rank == 2, "t() transposes a matrix");
        FixedTensor<Scalar, Fixed<sizes[1], sizes[0]>> result{};
        for (int64_t i = 0; i < sizes[0]; i++)
            for (int64_t j = 0; j < sizes[1]; j++)
                result.values[j * sizes[0] + i] = values[i * sizes[1] + j];
        return result;
    }

    std::string str() const { return tensor().str(); }
    /* A copy as an ordinary tensor, and from one of the same sizes. */
    Tensor<Scalar, CPU, Rank> tensor() const {
        Tensor<Scalar, CPU, Rank> made(shape());
        if (made)
            std::memcpy(made.data(), values, sizeof values);
        return made;
    }
    template <int R, class = std::enable_if_t<R == Rank || R == Dynamic>> operator Tensor<Scalar, CPU, R>() const {
        return tensor();
    }
    template <class E, class = std::enable_if_t<is_expression<E> && !is_tensor<E>::value>> static FixedTensor from(const E &e) {
        static_assert(std::is_same<typename E::value_type, Scalar>::value,
                      "from: the expression has another scalar type; convert it with .to<Scalar>()");
        return from(e.eval());
    }
    template <class S, class D, int R> static FixedTensor from(const Tensor<S, D, R> &tensor) {
        FixedTensor made{};
        if (!tensor || tensor.shape() != shape()) {
            if (!tensor)
                tn_error_raise(TN_ERROR_ARGUMENT, "from", "the tensor is NULL: it was moved from, or could not be made");
            tn_error_raise(TN_ERROR_SHAPE, "from", "the tensor has the shape %s, not %s",
                           detail::shape_text(tensor.shape()).c_str(), detail::shape_text(sizes, Rank).c_str());
            detail::fail();
            return made;
        }
        int64_t i = 0;
        for (const auto &x : tensor)
            made.values[i++] = x;
        return made;
    }

  private:
    template <class... Index> static constexpr std::size_t place(Index... index) {
        static_assert(sizeof...(Index) == sizeof...(Size), "the number of indices is not the tensor's rank");
        static_assert((detail::is_index<Index> && ...), "an index is an integer");
        int64_t at = 0;
        int k = 0;
        ((at = at * sizes[k] + inside(k, static_cast<int64_t>(index)), k++), ...);
        return static_cast<std::size_t>(at);
    }
    /* Debug builds check each index, and without exceptions go on with the first. */
    static constexpr int64_t inside(int k, int64_t index) {
#if TENON_DEBUG
        if (index < 0 || index >= sizes[k]) {
            outside(k, index);
            return 0;
        }
#endif
        return (void)k, index;
    }
    static void outside(int k, int64_t index) {
        tn_error_raise(TN_ERROR_INDEX, "operator()", "index %lld is out of range for dimension %d of the shape %s",
                       static_cast<long long>(index), k, detail::shape_text(sizes, Rank).c_str());
        detail::fail();
    }
};

/* A fixed tensor as an operand of an expression with others: the expression holds its elements. */
template <class Scalar, int64_t... Size>
class FixedLeaf<Scalar, Fixed<Size...>> : public Lazy<FixedLeaf<Scalar, Fixed<Size...>>> {
    using Held = FixedTensor<Scalar, Fixed<Size...>>;

  public:
    using value_type = Scalar;
    using Kind = CPUDevice;
    static constexpr int Rank = Held::Rank, leaves = 1, cost = 1, widest = static_cast<int>(sizeof(Scalar));
    static constexpr bool is_number = false, core = in_core<Scalar>;

    FixedLeaf(const Held &held) : held_(held) {}
    int64_t dim() const { return Rank; }
    int64_t numel() const { return Held::numel(); }
    Dims shape() const { return Held::shape(); }
    Dims strides() const { return Dims(steps.values, Rank); }
    int64_t size(int64_t k) const { return Held::sizes[k < 0 ? k + Rank : k]; }
    bool is_contiguous() const { return true; }
    bool recorded() const { return false; }
    explicit operator bool() const { return true; }
    const Scalar *origin() const { return held_.values; }
    auto extents() const {
        detail::Extents<Rank> made;
        made.fill(Rank, Held::sizes, steps.values);
        return made;
    }
    template <int At, class Rows> auto kernel(const Rows &rows, int64_t row) const {
        return detail::LeafKernel<Scalar>{static_cast<const Scalar *>(rows.at[At]) + row * rows.pitch[At]};
    }
    auto direct(int64_t at) const { return detail::LeafKernel<Scalar>{held_.values + at}; }
    template <class Reader> static void each_type(Reader &reader) { reader.template leaf<Scalar>(); }
    template <class F> void each(F &&f) const { f(*this); }
    AnyTensor dynamic() const { return held_.tensor().dynamic(); }
    operator AnyTensor() const { return dynamic(); }

  private:
    struct Steps {
        int64_t values[Rank + 1] = {};
        constexpr Steps() {
            int64_t step = 1;
            for (int d = Rank - 1; d >= 0; step *= Held::sizes[d--])
                values[d] = step;
        }
    };
    static constexpr Steps steps{};
    Held held_;
};

namespace detail {

template <class S, class Shape> struct is_leaf<FixedLeaf<S, Shape>> : std::true_type {};

template <class S, class Shape> constexpr S fixed_at(const FixedTensor<S, Shape> &fixed, int64_t i) { return fixed.values[i]; }
template <class N> constexpr N fixed_at(const N &number, int64_t) { return number; }

/* Op of two fixed tensors of one shape, or of one and a number: promoted as everywhere. */
template <class Op, class Shape, class A, class B> constexpr auto fixed_binary(const A &a, const B &b) {
    using Types = node_types<Op, held_t<A>, held_t<B>>;
    using C = typename Types::compute;
    Op::template require<C>();
    if constexpr (std::is_same<Op, Sub>::value)
        Op::template require_operands<typename held_t<A>::value_type, typename held_t<B>::value_type>();
    FixedTensor<typename Types::type, Shape> made{};
    for (int64_t i = 0; i < Shape::numel; i++)
        made.values[i] =
            static_cast<typename Types::type>(Op::template apply<C>(convert<C>(fixed_at(a, i)), convert<C>(fixed_at(b, i))));
    return made;
}
template <class Op, class S, class Shape> constexpr auto fixed_unary(const FixedTensor<S, Shape> &a) {
    using Types = node_types<Op, FixedLeaf<S, Shape>>;
    using C = typename Types::compute;
    Op::template require<C>();
    FixedTensor<typename Types::type, Shape> made{};
    for (int64_t i = 0; i < Shape::numel; i++)
        made.values[i] = static_cast<typename Types::type>(Op::template apply<C>(convert<C>(a.values[i])));
    return made;
}

} // namespace detail

#define TENON_FIXED_OPERATOR_(symbol, Op)                                                                                      \
    template <class S, class T, class Shape>                                                                                   \
    constexpr auto operator symbol(const FixedTensor<S, Shape> &a, const FixedTensor<T, Shape> &b) {                           \
        return detail::fixed_binary<detail::Op, Shape>(a, b);                                                                  \
    }                                                                                                                          \
    template <class S, class T, class Shape, class Other>                                                                      \
    constexpr void operator symbol(const FixedTensor<S, Shape> &, const FixedTensor<T, Other> &) {                             \
        static_assert(std::is_same<Shape, Other>::value,                                                                       \
                      "the sizes of these fixed tensors differ; .tensor() makes one that broadcasts");                         \
    }                                                                                                                          \
    template <class S, class Shape, class N, class = std::enable_if_t<detail::is_number_type<N>>>                              \
    constexpr auto operator symbol(const FixedTensor<S, Shape> &a, const N &b) {                                               \
        return detail::fixed_binary<detail::Op, Shape>(a, b);                                                                  \
    }                                                                                                                          \
    template <class S, class Shape, class N, class = std::enable_if_t<detail::is_number_type<N>>>                              \
    constexpr auto operator symbol(const N &a, const FixedTensor<S, Shape> &b) {                                               \
        return detail::fixed_binary<detail::Op, Shape>(a, b);                                                                  \
    }
TENON_FIXED_OPERATOR_(+, Add)
TENON_FIXED_OPERATOR_(-, Sub)
TENON_FIXED_OPERATOR_(*, Mul)
TENON_FIXED_OPERATOR_(/, Div)
TENON_FIXED_OPERATOR_(==, Equal)
TENON_FIXED_OPERATOR_(!=, NotEqual)
TENON_FIXED_OPERATOR_(<, Less)
TENON_FIXED_OPERATOR_(<=, LessEqual)
TENON_FIXED_OPERATOR_(>, Greater)
TENON_FIXED_OPERATOR_(>=, GreaterEqual)
#undef TENON_FIXED_OPERATOR_
template <class S, class Shape> constexpr auto operator-(const FixedTensor<S, Shape> &a) {
    return detail::fixed_unary<detail::Neg>(a);
}
#define TENON_FIXED_FUNCTION_(function, Op)                                                                                    \
    template <class S, class Shape> auto function(const FixedTensor<S, Shape> &a) { return detail::fixed_unary<detail::Op>(a); }
TENON_FIXED_FUNCTION_(abs, Abs)
TENON_FIXED_FUNCTION_(square, Square)
TENON_FIXED_FUNCTION_(sqrt, Sqrt)
TENON_FIXED_FUNCTION_(exp, Exp)
TENON_FIXED_FUNCTION_(log, Log)
TENON_FIXED_FUNCTION_(sin, Sin)
TENON_FIXED_FUNCTION_(cos, Cos)
TENON_FIXED_FUNCTION_(tanh, Tanh)
#undef TENON_FIXED_FUNCTION_

template <class S, class Shape> std::ostream &operator<<(std::ostream &stream, const FixedTensor<S, Shape> &tensor) {
    return stream << tensor.tensor();
}

} // namespace tenon

#endif
