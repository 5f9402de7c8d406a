/* tenon/cpp/any.hpp - the dynamic face whole: AnyTensor's methods come from the table (operators.hpp), its operators are here. */
#ifndef TENON_CPP_ANY_HPP
#define TENON_CPP_ANY_HPP

#include <ostream>

#include <tenon/cpp/operators.hpp>

namespace tenon {

static_assert(sizeof(AnyTensor) == sizeof(void *), "AnyTensor is one pointer");

inline TensorList::TensorList(const std::vector<AnyTensor> &list) : items_(list.data()), count_(list.size()) {}

namespace detail {

inline AnyTensor Own::operator()(tn_tensor *tensor) const {
    if (!tensor)
        fail();
    return AnyTensor(tensor);
}

inline std::vector<AnyTensor> Own::all(tn_list *list) const {
    struct Released { /* also where the vector has no memory */
        tn_list *list;
        ~Released() { tn_list_release(list); }
    } released{list};
    std::vector<AnyTensor> tensors;
    if (!list) {
        fail();
        return tensors;
    }
    int64_t count = tn_list_count(list);
    tensors.reserve(static_cast<std::size_t>(count));
    for (int64_t i = 0; i < count; i++)
        tensors.emplace_back(tn_retain(tn_list_at(list, i)));
    return tensors;
}

template <class Named, std::size_t... I> Named named_of(const tn_list *list, std::index_sequence<I...>) {
    return Named{AnyTensor(list ? tn_retain(tn_list_at(list, static_cast<int64_t>(I))) : nullptr)...};
}
template <class Named, int Count> Named Own::named(tn_list *list) const {
    if (!list)
        fail();
    Named result = named_of<Named>(list, std::make_index_sequence<static_cast<std::size_t>(Count)>());
    tn_list_release(list);
    return result;
}

} // namespace detail

#define TENON_ANY_OPERATOR_(symbol, method)                                                                                    \
    inline AnyTensor operator symbol(const AnyTensor &a, const AnyTensor &b) { return a.method(b); }                           \
    inline AnyTensor operator symbol(const AnyTensor &a, Number b) { return a.method(b); }
TENON_ANY_OPERATOR_(+, add)
TENON_ANY_OPERATOR_(-, sub)
TENON_ANY_OPERATOR_(*, mul)
TENON_ANY_OPERATOR_(/, div)
TENON_ANY_OPERATOR_(==, eq)
TENON_ANY_OPERATOR_(!=, ne)
TENON_ANY_OPERATOR_(<, lt)
TENON_ANY_OPERATOR_(<=, le)
TENON_ANY_OPERATOR_(>, gt)
TENON_ANY_OPERATOR_(>=, ge)
TENON_ANY_OPERATOR_(&, bitwise_and)
TENON_ANY_OPERATOR_(|, bitwise_or)
TENON_ANY_OPERATOR_(^, bitwise_xor)
TENON_ANY_OPERATOR_(%, remainder)
#undef TENON_ANY_OPERATOR_
/* The number first. */
inline AnyTensor operator==(Number a, const AnyTensor &b) { return b.eq(a); }
inline AnyTensor operator!=(Number a, const AnyTensor &b) { return b.ne(a); }
inline AnyTensor operator<(Number a, const AnyTensor &b) { return b.gt(a); }
inline AnyTensor operator<=(Number a, const AnyTensor &b) { return b.ge(a); }
inline AnyTensor operator>(Number a, const AnyTensor &b) { return b.lt(a); }
inline AnyTensor operator>=(Number a, const AnyTensor &b) { return b.le(a); }
inline AnyTensor operator&(Number a, const AnyTensor &b) { return b.bitwise_and(a); }
inline AnyTensor operator|(Number a, const AnyTensor &b) { return b.bitwise_or(a); }
inline AnyTensor operator^(Number a, const AnyTensor &b) { return b.bitwise_xor(a); }
inline AnyTensor operator+(Number a, const AnyTensor &b) { return b.add(a); }
inline AnyTensor operator*(Number a, const AnyTensor &b) { return b.mul(a); }
inline AnyTensor operator-(Number a, const AnyTensor &b) { return b.rsub(a); }
inline AnyTensor operator/(Number a, const AnyTensor &b) { return div(a, b); }
inline AnyTensor operator-(const AnyTensor &a) { return a.neg(); }
inline AnyTensor operator~(const AnyTensor &a) { return a.bitwise_not(); }
inline AnyTensor &operator+=(AnyTensor &a, const AnyTensor &b) { return a.add_(b); }
inline AnyTensor &operator-=(AnyTensor &a, const AnyTensor &b) { return a.sub_(b); }
inline AnyTensor &operator*=(AnyTensor &a, const AnyTensor &b) { return a.mul_(b); }
inline AnyTensor &operator/=(AnyTensor &a, const AnyTensor &b) { return a.div_(b); }
inline AnyTensor &operator+=(AnyTensor &a, Number b) { return a.add_(b); }
inline AnyTensor &operator-=(AnyTensor &a, Number b) { return a.sub_(b); }
inline AnyTensor &operator*=(AnyTensor &a, Number b) { return a.mul_(b); }
inline AnyTensor &operator/=(AnyTensor &a, Number b) { return a.div_(b); }

inline std::ostream &operator<<(std::ostream &stream, const AnyTensor &tensor) { return stream << tensor.str(); }

/* A tensor from text, as tn_from_text reads it. */
inline AnyTensor from_text(const char *text, tn_dtype dtype = TN_DTYPE_DEFAULT) {
    return detail::Own()(tn_from_text(text, dtype));
}

/* A tensor over memory that exists: TN_COPY, TN_BORROW, TN_FREE_WITH(...). */
template <class S> AnyTensor from_memory(const S *data, Dims size, tn_ownership ownership = TN_COPY) {
    static_assert(in_core<S>, "from_memory: not an element type of the library");
    return detail::Own()(tn_from_memory(data, size, dtype_of<S>, ownership));
}

} // namespace tenon

#endif
