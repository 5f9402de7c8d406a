/* tenon/cpp/tensor.hpp - Tensor<Scalar, Device, Rank>: shared storage, and the numbers that say where the elements are.
 *
 * Copying a tensor shares its storage (one more reference), clone() copies elements, a move costs nothing. A view is a tensor over the
 * same storage with other numbers. Tensor<const float, CPU> reads only, and so do all views of it; a const Tensor<float, CPU> gives
 * read-only views and pointers.
 *
 * Assigning to a name gives it other elements, as in Python; assigning to a view that has no name writes through it:
 *
 *     d = a * b + c;                  // d is a new tensor (in its own memory where nobody else uses that)
 *     d.slice(0, 1, 3) = a + 1;       // elements of d are written
 *     d.assign(a + b);                // the same for all of d
 */
#ifndef TENON_CPP_TENSOR_HPP
#define TENON_CPP_TENSOR_HPP

#include <iterator>
#if __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif
#if defined(__cpp_lib_mdspan)
#include <array>
#include <mdspan>
#endif

#include <tenon/cpp/expression.hpp>

namespace tenon {

namespace detail {

template <class S, class D, int R> struct rank_of<Tensor<S, D, R>> : std::integral_constant<int, R> {};
constexpr int rank_less(int rank) { return rank == Dynamic ? Dynamic : rank - 1; }
constexpr int rank_more(int rank) { return rank == Dynamic ? Dynamic : rank + 1; }

/* Goes through the elements row by row, whatever the strides, and to any of them. Those of a contiguous tensor are one row. */
template <class Scalar, int Room> class Iterator {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_const_t<Scalar>;
    using difference_type = std::ptrdiff_t;
    using pointer = Scalar *;
    using reference = Scalar &;

    Iterator() = default;
    Iterator(const Iterator &other) { copy(other); }
    template <class S, class = std::enable_if_t<std::is_same<const S, Scalar>::value && !std::is_same<S, Scalar>::value>>
    Iterator(const Iterator<S, Room> &other) {
        copy(other);
    }
    Iterator &operator=(const Iterator &other) {
        if (this != &other)
            copy(other);
        return *this;
    }
    /* Elements that are next to each other, and any others. */
    Iterator(Scalar *at, int64_t count) : at_(at), rank_(1) { dims_[0] = Dim{count, 1, 0}; }
    Iterator(Scalar *at, Dims sizes, Dims strides) : at_(at), rank_(static_cast<int>(sizes.size())) {
        for (int d = 0; d < rank_; d++)
            dims_[d] = Dim{sizes[d], strides[d], 0};
    }
    reference operator*() const { return *at_; }
    pointer operator->() const { return at_; }
    reference operator[](difference_type n) const { return *(*this + n); }
    Iterator &operator++() {
        position_++;
        int d = rank_ - 1;
        for (; d > 0 && dims_[d].index + 1 == dims_[d].size; d--) {
            at_ -= dims_[d].stride * dims_[d].index;
            dims_[d].index = 0;
        }
        return step(d, 1);
    }
    Iterator &operator--() {
        position_--;
        int d = rank_ - 1;
        for (; d > 0 && dims_[d].index == 0; d--) {
            dims_[d].index = dims_[d].size - 1;
            at_ += dims_[d].stride * dims_[d].index;
        }
        return step(d, -1);
    }
    Iterator &operator+=(difference_type n) {
        position_ += n;
        if (n == 0 || rank_ == 1)
            return step(rank_ - 1, n);
        int64_t rest = position_;
        for (int d = rank_ - 1; d >= 0; d--) { /* the end is one further along the first dimension */
            int64_t index = d > 0 ? rest % dims_[d].size : rest;
            rest = d > 0 ? rest / dims_[d].size : 0;
            step(d, index - dims_[d].index);
        }
        return *this;
    }
    Iterator &operator-=(difference_type n) { return *this += -n; }
    Iterator operator++(int) {
        Iterator before = *this;
        ++*this;
        return before;
    }
    Iterator operator--(int) {
        Iterator before = *this;
        --*this;
        return before;
    }
    friend Iterator operator+(Iterator a, difference_type n) { return a += n; }
    friend Iterator operator+(difference_type n, Iterator a) { return a += n; }
    friend Iterator operator-(Iterator a, difference_type n) { return a -= n; }
    friend difference_type operator-(const Iterator &a, const Iterator &b) { return a.position_ - b.position_; }
    friend bool operator==(const Iterator &a, const Iterator &b) { return a.position_ == b.position_; }
    friend bool operator!=(const Iterator &a, const Iterator &b) { return a.position_ != b.position_; }
    friend bool operator<(const Iterator &a, const Iterator &b) { return a.position_ < b.position_; }
    friend bool operator>(const Iterator &a, const Iterator &b) { return a.position_ > b.position_; }
    friend bool operator<=(const Iterator &a, const Iterator &b) { return a.position_ <= b.position_; }
    friend bool operator>=(const Iterator &a, const Iterator &b) { return a.position_ >= b.position_; }

  private:
    template <class, int> friend class Iterator;
    struct Dim {
        int64_t size, stride, index;
    };
    Iterator &step(int d, int64_t n) {
        if (d >= 0) {
            dims_[d].index += n;
            at_ += n * dims_[d].stride;
        }
        return *this;
    }
    template <class S> void copy(const Iterator<S, Room> &other) {
        at_ = other.at_;
        rank_ = other.rank_;
        position_ = other.position_;
        for (int d = 0; d < rank_; d++)
            dims_[d] = Dim{other.dims_[d].size, other.dims_[d].stride, other.dims_[d].index};
    }
    Scalar *at_ = nullptr;
    int rank_ = 0;
    int64_t position_ = 0;
    Dim dims_[Room]; /* the first rank_ of them */
};

} // namespace detail

template <class T> struct is_tensor : std::false_type {};
template <class S, class D, int R> struct is_tensor<Tensor<S, D, R>> : std::true_type {};

namespace detail {

/* What an expression reads elements of: tensors, and fixed ones, which it holds by value. */
template <class T> struct is_leaf : is_tensor<T> {};

/* The shape of an expression: that of its operands, broadcast together. */
template <class E> struct Shape {
    static constexpr int room = room_of(E::Rank);
    int64_t sizes[room];
    int rank = 0;
    bool fits = true; /* false: sizes that do not broadcast, too many dimensions, or an operand that is empty */

    explicit Shape(const E &e) {
        e.each([this](const auto &operand) {
            if constexpr (is_leaf<std::decay_t<decltype(operand)>>::value)
                this->join(operand);
        });
    }
    template <class T> void join(const T &tensor) {
        int more = static_cast<int>(tensor.dim());
        if (!tensor || more > room) {
            fits = false;
            return;
        }
        Dims other = tensor.shape();
        if (more > rank) { /* dimensions are counted from the last */
            for (int i = rank - 1; i >= 0; i--)
                sizes[i + more - rank] = sizes[i];
            for (int i = 0; i < more - rank; i++)
                sizes[i] = 1;
            rank = more;
        }
        for (int i = 0; i < more; i++) {
            int64_t &size = sizes[rank - more + i];
            if (size == 1)
                size = other[i];
            else if (other[i] != 1 && other[i] != size)
                fits = false;
        }
    }
};

template <class E> bool has_shape(const E &e, Dims shape) {
    Shape<E> own(e);
    return own.fits && Dims(own.sizes, own.rank) == shape;
}

/* Whether an operand's history is recorded, so that the library has to compute the result. */
template <class E> bool is_recorded(const E &e) {
    bool found = false;
    e.each([&](const auto &operand) { found = found || operand.recorded(); });
    return found;
}

/* Whether all operands are contiguous and of these sizes, and none is recorded: then there is one long row, and nothing to plan.
 * evaluate.hpp has the loop. */
template <class E, class Extents> TENON_INLINE bool all_lie_like(const E &e, const Extents &extents) {
    bool same = true;
    e.each([&](const auto &operand) {
        same = same && !operand.recorded();
        if constexpr (is_leaf<std::decay_t<decltype(operand)>>::value)
            same = same && operand.is_contiguous() && operand && same_sizes(operand.extents(), extents);
    });
    return same;
}
/* The same by the shape of the operands alone, which are of one; gives the number of elements, -1 where it is not so. */
template <class E> int64_t count_in_step(const E &e) {
    Dims first;
    int64_t count = -1;
    bool same = true;
    e.each([&](const auto &operand) {
        same = same && !operand.recorded();
        if constexpr (is_leaf<std::decay_t<decltype(operand)>>::value) {
            same = same && operand.is_contiguous() && operand && (count < 0 || operand.shape() == first);
            if (count < 0) {
                first = operand.shape();
                count = operand.numel();
            }
        }
    });
    return same ? count : -1;
}
template <class Out, class E> void store_many(Out *out, const E &e, int64_t count, bool apart);
template <class Out, class E> TENON_INLINE void store_contiguous(Out *out, const E &e, int64_t count, bool apart) {
    if (count <= grain_of<E>())
        store_row(out, e.direct(0), count);
    else
        store_many(out, e, count, apart);
}

} // namespace detail

/* A tensor argument of a typed operator: a typed tensor on the same device, an expression, or an AnyTensor. */
template <class Derived> class Operand {
  public:
    Operand() = default;
    Operand(const AnyTensor &tensor) : tensor_(tensor) {}
    template <class E, class = std::enable_if_t<is_expression<E>>> Operand(const E &e) : tensor_(AnyTensor(e)) {
        using Kind = typename detail::common_kind<typename Derived::Kind, typename E::Kind>::type;
        static_assert(!std::is_void<Kind>::value, "");
    }
    operator const AnyTensor &() const { return tensor_; }

  private:
    AnyTensor tensor_;
};

template <class S, class D, int R> class TypedCalls<Tensor<S, D, R>> {
  protected:
    using Derived = Tensor<S, D, R>;
    using Value = std::remove_const_t<S>;
    template <class T>
    using Other = Tensor<T, typename detail::device_of_kind<typename D::Kind>::template type<std::remove_const_t<T>>>;

    /* As the library's tensor; that of a const one is read-only. */
    AnyTensor dynamic() const {
        static_assert(in_core<S>, "this operator is the library's, which does not know this scalar type");
        return static_cast<const Derived &>(*this).dynamic();
    }
    AnyTensor dynamic() {
        static_assert(in_core<S>, "this operator is the library's, which does not know this scalar type");
        return static_cast<Derived &>(*this).dynamic();
    }
    /* A result whose type can be written to. Where the library gave the read-only operand itself, that is a copy. */
    template <class Rule> static auto typed(AnyTensor &&result) {
        using T = scalar_of<Rule::of(dtype_of<Value>)>;
        return Other<T>(result && result.is_readonly() ? result.clone() : std::move(result));
    }
    /* A view: of const elements where the tensor is const, or its elements are. */
    template <class Rule> static auto viewed(AnyTensor &&result) {
        using T = scalar_of<Rule::of(dtype_of<Value>)>;
        return Other<std::conditional_t<std::is_const<S>::value, const T, T>>(std::move(result));
    }
    template <class Rule> static auto viewed_const(AnyTensor &&result) {
        return Other<const scalar_of<Rule::of(dtype_of<Value>)>>(std::move(result));
    }
    template <class T> static T plain(T &&result) { return std::move(result); }
    static auto pair(ValuesIndices<> &&result) {
        return ValuesIndices<Other<Value>, Other<int64_t>>{std::move(result.values), std::move(result.indices)};
    }
    Derived &wrote(const AnyTensor &result) {
        static_assert(!std::is_const<S>::value, "a tensor of const elements is read-only: it cannot be changed in place");
        return static_cast<Derived &>(*this).adopt(result);
    }
    template <int Kinds> static void supported() {
        static_assert(
            (Kinds & 0x1000 && std::is_same<Value, bool>::value) ||
                (Kinds & 0x100 && detail::dtype_is_integral(dtype_of<Value>)) ||
                (Kinds & 0x10 && (detail::dtype_is_float(dtype_of<Value>) || detail::dtype_is_integral(dtype_of<Value>))) ||
                (Kinds & 1 && detail::dtype_is_complex(dtype_of<Value>)),
            "this operator does not support this scalar type");
    }
};

template <class Scalar, class Device, int Rank_>
class Tensor : public TensorBase<Tensor<Scalar, Device, Rank_>>,
               public TypedOperators<Tensor<Scalar, Device, Rank_>>,
               public Lazy<Tensor<Scalar, Device, Rank_>> {
    static_assert(is_scalar<Scalar>,
                  "Tensor<Scalar>: not an element type; specialise tenon::scalar_traits<Scalar> to make it one");
    static_assert(
        detail::device_takes<Device, std::remove_const_t<Scalar>>::value,
        "Tensor<Scalar, Device>: the device policy is for another scalar type; write Tensor<float, CUDADevice<float>>");
    static_assert(Rank_ >= Dynamic && Rank_ <= TN_MAX_DIMS, "Tensor: a rank is 0 to 64, or Dynamic");
    using Base = TensorBase<Tensor>;
    template <class, class, int> friend class Tensor;
    using Base::extents_;
    using Base::offset_;

  public:
    using value_type = std::remove_const_t<Scalar>;
    using element_type = Scalar;
    using DeviceType = Device;
    using Kind = typename Device::Kind;
    using AllocatorType = allocator_of_t<Device, value_type>;
    using StorageType = Storage<value_type, AllocatorType>;
    static constexpr int Rank = Rank_;
    static constexpr bool is_const = std::is_const<Scalar>::value;
    using Const = Tensor<const value_type, Device, Rank>;
    using Any = Tensor<Scalar, Device, Dynamic>; /* a view of it whose rank is not known */
    using ConstAny = Tensor<const value_type, Device, Dynamic>;

    /* ---- making one */

    Tensor() = default;

    /* Of the given sizes, not initialised: one call of the allocator. */
    explicit Tensor(Dims shape) : Tensor(shape, AllocatorType()) {}
    explicit Tensor(std::initializer_list<int64_t> shape) : Tensor(Dims(shape), AllocatorType()) {}
    explicit Tensor(Dims shape, const AllocatorType &allocator) : Tensor(shape, allocator.handle()) {}

  private:
    Tensor(Dims shape, tn_allocator *allocator) {
        static_assert(!is_const, "a tensor of const elements cannot be made empty: it could never be filled");
        int64_t count = 0;
        tn_geometry_result result = tn_geometry_numel(static_cast<int64_t>(shape.size()), shape.data(), &count);
        if (result != TN_GEOMETRY_OK) {
            if constexpr (in_core<Scalar>)
                empty(shape, dtype_of<Scalar>); /* says what is wrong, as everywhere */
            else
                tn_error_raise(tn_geometry_result_error(result), "empty", "%s", tn_geometry_result_text(result));
            detail::fail();
        } else if (set_shape(shape))
            set_storage(StorageType::allocate(count, allocator));
        if (!storage_)
            extents_.clear();
    }

  public:
    static Tensor full(Dims shape, value_type value, const AllocatorType &allocator = AllocatorType()) {
        Tensor made(shape, allocator);
        made.fill(value);
        return made;
    }
    static Tensor zeros(Dims shape, const AllocatorType &allocator = AllocatorType()) {
        return full(shape, value_type(0), allocator);
    }
    static Tensor ones(Dims shape, const AllocatorType &allocator = AllocatorType()) {
        return full(shape, value_type(1), allocator);
    }
    /* From rows of numbers: Tensor<float, CPU>::of({1, 2, 3}), ::of({{1, 2}, {3, 4}}). */
    static Tensor of(std::initializer_list<value_type> values) {
        Tensor made(Dims(static_cast<int64_t>(values.size())));
        return made.take_values(values, 0), made;
    }
    static Tensor of(std::initializer_list<std::initializer_list<value_type>> rows) {
        int64_t columns = rows.size() ? static_cast<int64_t>(rows.begin()->size()) : 0, i = 0;
        for (const auto &row : rows)
            if (static_cast<int64_t>(row.size()) != columns) {
                tn_error_raise(TN_ERROR_SHAPE, "of", "rows of %lld and of %zu numbers", static_cast<long long>(columns),
                               row.size());
                detail::fail();
                return Tensor();
            }
        Tensor made({static_cast<int64_t>(rows.size()), columns});
        for (const auto &row : rows)
            i = made.take_values(row, i);
        return made;
    }
    /* Over memory that exists: TN_COPY, TN_BORROW, TN_FREE_WITH(...). */
    static Tensor from_memory(Scalar *data, Dims shape, tn_ownership ownership) {
        return Tensor(tenon::from_memory(const_cast<const value_type *>(data), shape, ownership));
    }

    Tensor(const Tensor &) = default;
    Tensor &operator=(const Tensor &other) & {
        Tensor copy(other);
        return *this = std::move(copy);
    }
    Tensor(Tensor &&other) noexcept
        : Base(other), storage_(std::move(other.storage_)), origin_(std::exchange(other.origin_, nullptr)),
          recorded_(std::move(other.recorded_)) {
        other.offset_ = 0;
        other.extents_.clear();
    }
    Tensor &operator=(Tensor &&other) &noexcept {
        if (this != &other)
            take(std::move(other));
        return *this;
    }

    /* One of the same elements with another rank in its type, or read-only. The rank is checked. */
    template <class S, class D, int R,
              class = std::enable_if_t<std::is_same<std::remove_const_t<S>, value_type>::value &&
                                       std::is_same<typename D::Kind, Kind>::value>>
    Tensor(const Tensor<S, D, R> &other) : storage_(share(other.storage_)), recorded_(other.recorded_) {
        static_assert(is_const || !std::is_const<S>::value, "a read-only tensor does not become a writable one; clone() it");
        static_assert(R == Dynamic || Rank == Dynamic || R == Rank, "the ranks of these tensors cannot match");
        bool fits = true;
        if constexpr (R == Rank)
            extents_ = other.extents_;
        else
            fits = set_numbers(other.dim(), other.extents_.sizes(), other.extents_.strides());
        if (fits) {
            offset_ = other.offset_;
            origin_ = other.origin_;
        } else {
            storage_ = StorageType();
            recorded_ = AnyTensor();
        }
    }

    /* From a tensor of the dynamic face, over the same storage: dtype, device and rank are checked once. */
    Tensor(const AnyTensor &tensor) {
        static_assert(in_core<Scalar>, "the library has no tensors of this scalar type");
        if (!tensor) {
            detail::fail();
            return;
        }
        if (tensor.dtype() != dtype_of<Scalar>)
            tn_error_raise(TN_ERROR_DTYPE, "Tensor", "the tensor is %s, not %s", tn_dtype_name(tensor.dtype()),
                           tn_dtype_name(dtype_of<Scalar>));
        else if (!tn_device_equal(tensor.device(), Device::device()))
            tn_error_raise(TN_ERROR_DEVICE, "Tensor", "the tensor is on %s:%d, not on %s",
                           tn_device_type_name(tensor.device().type), tensor.device().index, Device::name);
        else if (!is_const && tensor.is_readonly())
            tn_error_raise(TN_ERROR_READONLY, "Tensor", "the tensor is read-only; take it as Tensor<const Scalar>");
        else {
            if (set_numbers(tensor.dim(), tensor.sizes().data(), tensor.strides().data())) {
                tn_storage *storage = tn_storage_of(tensor.get());
                if (tn_storage_is_lazy(storage) && !tn_storage_mutable_data(storage)) { /* its bytes may move later: now */
                    detail::fail();
                    return;
                }
                value_type *data = static_cast<value_type *>(const_cast<void *>(tn_storage_data(storage)));
                offset_ = tensor.storage_offset();
                origin_ = data ? data + offset_ : nullptr;
                storage_ = StorageType(tensor.storage(), data, tn_storage_resizable(storage));
                if (tensor.requires_grad())
                    recorded_ = tensor;
            }
            return;
        }
        detail::fail();
    }

    /* The value of an expression. */
    template <class E, class = std::enable_if_t<is_expression<E> && !is_tensor<E>::value>, class = void> Tensor(const E &e) {
        *this = computed(e, [](Dims shape) { return Tensor<value_type, Device, Rank>(shape); });
    }
    template <class E, class = std::enable_if_t<is_expression<E> && !is_tensor<E>::value>>
    Tensor(const E &e, const AllocatorType &allocator) {
        *this = computed(e, [&](Dims shape) { return Tensor<value_type, Device, Rank>(shape, allocator); });
    }
    template <class E, class = std::enable_if_t<is_expression<E> && !is_tensor<E>::value>> Tensor &operator=(const E &e) & {
        if (in_step(e)) /* the usual case, and the shortest way */
            detail::store_contiguous(origin_, e, this->numel(), true);
        else
            become(e);
        return *this;
    }
    template <class E, class = std::enable_if_t<is_expression<E>>> Tensor &operator=(const E &e) && { return assign(e); }
    Tensor &operator=(const Tensor &other) && { return assign(other); }
    Tensor &operator=(value_type value) && { return fill(value); }

    /* Writes the elements of e, which is broadcast, into this tensor's. */
    template <class S, class Shape> Tensor &assign(const FixedTensor<S, Shape> &fixed) {
        return assign(FixedLeaf<S, Shape>(fixed));
    }
    template <class E, class = std::enable_if_t<is_expression<E>>> Tensor &assign(const E &e) {
        writable();
        using Given = typename E::value_type;
        static_assert(std::is_same<Given, value_type>::value || in_core<value_type>,
                      "assign: these scalar types do not convert into each other");
        if constexpr (in_core<value_type> && E::core)
            if (recorded_ || e_recorded(e)) {
                AnyTensor self = dynamic();
                return adopt(self.copy_(AnyTensor(e)));
            }
        if constexpr (is_tensor<E>::value)
            store(typename E::Const(e).template to<value_type>());
        else if constexpr (std::is_same<Given, value_type>::value)
            store(e);
        else
            store(e.template to<value_type>());
        return *this;
    }
    Tensor &fill(value_type value) {
        writable();
        if constexpr (in_core<value_type>)
            if (recorded_) {
                dynamic().fill_(Number(value));
                return *this;
            }
        store(Filled{value});
        return *this;
    }
    template <class E> Tensor &operator+=(const E &e) { return assign_back(Const(*this) + e); }
    template <class E> Tensor &operator-=(const E &e) { return assign_back(Const(*this) - e); }
    template <class E> Tensor &operator*=(const E &e) { return assign_back(Const(*this) * e); }
    template <class E> Tensor &operator/=(const E &e) { return assign_back(Const(*this) / e); }

    /* ---- elements */

    /* The first element's address, which is that of index 0, 0, ... */
    Scalar *data() { return origin_; }
    const value_type *data() const { return origin_; }
    /* The address on the device. */
    Scalar *cuda_data() { return on_cuda(), origin_; }
    const value_type *cuda_data() const { return on_cuda(), origin_; }

    template <class... Index> Scalar &operator()(Index... index) {
        addressable();
        return is_here() && this->fits(index...) ? origin_[this->relative(index...)] : outside();
    }
    template <class... Index> const value_type &operator()(Index... index) const {
        addressable();
        return is_here() && this->fits(index...) ? origin_[this->relative(index...)] : outside();
    }
    value_type item() const {
        addressable();
        if (this->numel() == 1 && origin_)
            return *origin_;
        if (!storage_)
            tn_error_raise(TN_ERROR_ARGUMENT, "item", "%s", missing);
        tn_error_raise(TN_ERROR_SHAPE, "item", "a tensor of %lld elements has no single value",
                       static_cast<long long>(this->numel()));
        detail::fail();
        return value_type();
    }

    using iterator = detail::Iterator<Scalar, detail::room_of(Rank)>;
    using const_iterator = detail::Iterator<const value_type, detail::room_of(Rank)>;
    iterator begin() { return first<iterator>(); }
    iterator end() { return first<iterator>() + count(); }
    const_iterator begin() const { return first<const_iterator>(); }
    const_iterator end() const { return first<const_iterator>() + count(); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }

#if defined(__cpp_lib_span)
    /* All elements, which must be contiguous. */
    std::span<Scalar> span() { return {contiguous_data(), static_cast<std::size_t>(this->is_contiguous() ? count() : 0)}; }
    std::span<const value_type> span() const {
        return {contiguous_data(), static_cast<std::size_t>(this->is_contiguous() ? count() : 0)};
    }
#endif
#if defined(__cpp_lib_mdspan)
    /* With its strides, as the standard's view. */
    auto mdspan() { return mdspan_of<Scalar>(); }
    auto mdspan() const { return mdspan_of<const value_type>(); }
#endif

    /* ---- views: other numbers over the same storage */

    Any view(Dims shape) { return view_as<Any>(shape); }
    ConstAny view(Dims shape) const { return view_as<ConstAny>(shape); }
    Any reshape(Dims shape) { return reshape_as<Any>(shape); }
    ConstAny reshape(Dims shape) const { return reshape_as<ConstAny>(shape); }
    Tensor permute(Dims dims) { return permute_as<Tensor>(dims); }
    Const permute(Dims dims) const { return permute_as<Const>(dims); }
    Tensor transpose(int64_t a, int64_t b) { return transpose_as<Tensor>(a, b); }
    Const transpose(int64_t a, int64_t b) const { return transpose_as<Const>(a, b); }
    Tensor t() { return matrix_transpose<Tensor>(); }
    Const t() const { return matrix_transpose<Const>(); }
    /* start : end : step of a dimension, as in Python: negative numbers count from the end, TN_NONE is an omitted one. */
    Tensor slice(int64_t dim, int64_t start, int64_t end = TN_NONE, int64_t step = 1) {
        return slice_as<Tensor>(dim, start, end, step);
    }
    Const slice(int64_t dim, int64_t start, int64_t end = TN_NONE, int64_t step = 1) const {
        return slice_as<Const>(dim, start, end, step);
    }
    Tensor narrow(int64_t dim, int64_t start, int64_t length) { return narrow_as<Tensor>(dim, start, length); }
    Const narrow(int64_t dim, int64_t start, int64_t length) const { return narrow_as<Const>(dim, start, length); }
    Tensor flip(Dims dims) { return flip_as<Tensor>(dims); }
    Const flip(Dims dims) const { return flip_as<Const>(dims); }
    /* One position of a dimension, which is gone in the result. */
    auto select(int64_t dim, int64_t index) { return select_as<Tensor<Scalar, Device, detail::rank_less(Rank)>>(dim, index); }
    auto select(int64_t dim, int64_t index) const {
        return select_as<Tensor<const value_type, Device, detail::rank_less(Rank)>>(dim, index);
    }
    auto operator[](int64_t index) { return select(0, index); }
    auto operator[](int64_t index) const { return select(0, index); }
    auto unsqueeze(int64_t dim) { return unsqueeze_as<Tensor<Scalar, Device, detail::rank_more(Rank)>>(dim); }
    auto unsqueeze(int64_t dim) const { return unsqueeze_as<Tensor<const value_type, Device, detail::rank_more(Rank)>>(dim); }
    Any squeeze() { return squeeze_as<Any>(); }
    ConstAny squeeze() const { return squeeze_as<ConstAny>(); }
    Any squeeze(Dims dims) { return squeeze_as<Any>(dims); }
    ConstAny squeeze(Dims dims) const { return squeeze_as<ConstAny>(dims); }
    /* Read-only: several indices name the same element. */
    ConstAny expand(Dims shape) const {
        tn_geometry to;
        tn_geometry_result result = tn_geometry_expand(this->reference(), shape, &to);
        return made<ConstAny>(result, to, [&](const AnyTensor &x) { return x.expand(shape); });
    }
    Any flatten() { return reshape(Dims(int64_t{-1})); }
    ConstAny flatten() const { return reshape(Dims(int64_t{-1})); }
    Const as_const() const { return Const(*this); }

    /* ---- copies */

    /* The same elements in memory of their own, row by row; of the same allocator, where that has a state. */
    Tensor<value_type, Device, Rank> clone() const {
        if constexpr (in_core<value_type>)
            if (recorded_ || !storage_ || !Device::addressable)
                return Tensor<value_type, Device, Rank>(dynamic().clone(TN_CONTIGUOUS));
        Tensor<value_type, Device, Rank> copy = like(this->shape());
        if constexpr (Device::addressable)
            copy.store(Const(*this));
        return copy;
    }
    /* Itself where it is contiguous already. */
    Const contiguous() const { return this->is_contiguous() ? Const(*this) : Const(clone()); }

    /* ---- the rest of the library */

    const StorageType &storage() const { return storage_; }
    explicit operator bool() const { return static_cast<bool>(storage_); } /* false for one that was moved from, or failed */

    /* As a tensor of the dynamic face, over the same storage; read-only where this one is const, or its elements are. */
    AnyTensor dynamic() { return dynamic_as(is_const); }
    AnyTensor dynamic() const { return dynamic_as(true); }
    operator AnyTensor() { return dynamic(); }
    operator AnyTensor() const { return dynamic(); }
    std::string str() const { return dynamic().str(); }

    /* ---- gradients: recorded by the library, for this tensor and its copies */

    bool requires_grad() const { return recorded_ && recorded_.requires_grad(); }
    Tensor &requires_grad_(bool on = true) {
        recorded_ = dynamic();
        recorded_.requires_grad_(on);
        return *this;
    }
    Tensor grad() const {
        AnyTensor gradient = recorded_ ? recorded_.grad() : AnyTensor();
        return gradient ? Tensor(gradient) : Tensor();
    }
    void backward() const { dynamic().backward(); }
    void backward(const Tensor &gradient) const { dynamic().backward(gradient.dynamic()); }
    /* The same elements, without how they were computed. */
    Tensor detach() { return detach_as<Tensor>(); }
    Const detach() const { return detach_as<Const>(); }

    /* After an operator in place: the numbers, the memory and the record that this tensor has as the library's. */
    Tensor &adopt(const AnyTensor &changed) {
        if (!changed)
            return *this;
        bool same = changed.sizes() == this->shape() && changed.strides() == this->strides() &&
                    changed.storage_offset() == offset_ && tn_storage_of(changed.get()) == storage_.dynamic().get() &&
                    (changed.numel() == 0 || tn_data(changed.get()) == static_cast<const void *>(origin_));
        if (!same)
            *this = Tensor(changed);
        else if (changed.requires_grad())
            recorded_ = changed;
        return *this;
    }

    /* ---- as part of an expression */

    static constexpr int leaves = 1, cost = 1, widest = static_cast<int>(sizeof(value_type));
    static constexpr bool is_number = false, core = in_core<value_type>;
    template <int At, class Rows> auto kernel(const Rows &rows, int64_t row) const {
        return detail::LeafKernel<value_type>{static_cast<const value_type *>(rows.at[At]) + row * rows.pitch[At]};
    }
    TENON_INLINE auto direct(int64_t at) const {
        return detail::LeafKernel<value_type>{detail::alone<const value_type *>(origin_) + at};
    }
    template <class Reader> static void each_type(Reader &reader) { reader.template leaf<value_type>(); }
    template <class F> void each(F &&f) const { f(*this); }
    bool recorded() const { return static_cast<bool>(recorded_); }
    const value_type *origin() const { return origin_; }

  private:
    /* What += and the others write: a result of a higher kind than the elements does not go back, as in the library. */
    template <class E> Tensor &assign_back(const E &e) {
        static_assert(detail::dtype_kind(dtype_of<typename E::value_type>) <= detail::dtype_kind(dtype_of<value_type>),
                      "the result is of a higher kind than the elements: a float does not go back into an integer, nor an "
                      "integer into a bool; write assign(...) to convert it");
        return assign(e);
    }

    /* ---- filling in */

    bool set_numbers(int64_t rank, const int64_t *sizes, const int64_t *strides) {
        detail::Taken taken = extents_.fill(rank, sizes, strides);
        if (taken == detail::Taken::Yes)
            return true;
        if (taken == detail::Taken::NoMemory)
            tn_error_raise(TN_ERROR_MEMORY, "Tensor", "no memory for the sizes of %lld dimensions",
                           static_cast<long long>(rank));
        else if (Rank == Dynamic)
            tn_error_raise(TN_ERROR_SHAPE, "Tensor", "%lld dimensions are more than %d", static_cast<long long>(rank),
                           TN_MAX_DIMS);
        else
            tn_error_raise(TN_ERROR_SHAPE, "Tensor", "the tensor has %lld dimensions, not %d", static_cast<long long>(rank),
                           Rank);
        detail::fail();
        return false;
    }
    /* Elements from number `at` on; where the next ones go. */
    int64_t take_values(std::initializer_list<value_type> values, int64_t at) {
        for (const value_type &value : values)
            if (origin_)
                origin_[at++] = value;
        return at;
    }
    bool set_shape(Dims shape) {
        int64_t strides[TN_MAX_DIMS], step = 1;
        for (int64_t i = static_cast<int64_t>(shape.size()) - 1; i >= 0; i--) {
            if (i < TN_MAX_DIMS)
                strides[i] = step;
            step *= shape[i] > 1 ? shape[i] : 1;
        }
        return set_numbers(static_cast<int64_t>(shape.size()), shape.data(), strides);
    }
    void set_storage(StorageType storage) {
        storage_ = std::move(storage);
        origin_ = storage_.data();
    }
    void take(Tensor &&other) noexcept {
        extents_ = other.extents_;
        offset_ = std::exchange(other.offset_, 0);
        storage_ = std::move(other.storage_);
        origin_ = std::exchange(other.origin_, nullptr);
        recorded_ = std::move(other.recorded_);
        other.extents_.clear();
    }

    AnyTensor dynamic_as(bool readonly) const {
        static_assert(in_core<Scalar>, "the library has no tensors of this scalar type");
        if (recorded_ || !storage_)
            return recorded_;
        AnyTensor made =
            detail::Own()(tn_from_storage(storage_.dynamic().get(), offset_, this->shape(), this->strides(), dtype_of<Scalar>));
        if (readonly && made)
            detail::check(tn_set_readonly(made.get()));
        return made;
    }
    template <class Result> Result detach_as() const {
        Result copy(*this);
        copy.recorded_ = AnyTensor();
        return copy;
    }
    int64_t count() const { return origin_ ? this->numel() : 0; } /* an empty tensor has no elements, whatever its rank */
    template <class It> It first() const {
        addressable();
        return this->is_contiguous() ? It(origin_, count()) : It(origin_, this->shape(), this->strides());
    }
#if defined(__cpp_lib_mdspan)
    template <class Element> auto mdspan_of() const {
        static_assert(Rank != Dynamic, "mdspan() needs a rank that the type knows: Tensor<float, CPU, 2>");
        addressable();
        using Extents = std::dextents<int64_t, static_cast<std::size_t>(Rank)>;
        std::array<int64_t, static_cast<std::size_t>(Rank)> sizes{}, strides{};
        for (std::size_t i = 0; i < sizes.size(); i++) {
            sizes[i] = extents_.sizes()[i];
            strides[i] = extents_.strides()[i];
            if (strides[i] <= 0 && sizes[i] <= 1)
                strides[i] = 1; /* of no element, or of one, any will do */
            else if (strides[i] <= 0) {
                tn_error_raise(TN_ERROR_SHAPE, "mdspan",
                               "stride %lld of dimension %zu: the standard's view has none below 1; clone() the tensor first",
                               static_cast<long long>(strides[i]), i);
                detail::fail();
                return std::mdspan<Element, Extents, std::layout_stride>();
            }
        }
        return std::mdspan<Element, Extents, std::layout_stride>(origin_,
                                                                 std::layout_stride::mapping<Extents>(Extents(sizes), strides));
    }
#endif

    static const StorageType &share(const StorageType &storage) { return storage; }
    template <class Other> static StorageType share(const Other &storage) {
        return StorageType(storage.dynamic(), storage.mutable_data(), storage.own());
    }

    template <class Result, class Call> Result made(tn_geometry_result result, const tn_geometry &to, Call &&call) const {
        if (result == TN_GEOMETRY_OK && storage_ && !recorded_) {
            Result view;
            if (view.set_numbers(to.ndim, to.sizes, to.strides)) {
                view.offset_ = to.offset;
                view.storage_ = storage_;
                view.origin_ = origin_ ? origin_ + (to.offset - offset_) : nullptr;
            }
            return view;
        }
        if constexpr (in_core<Scalar>)
            return Result(call(dynamic())); /* records the view, or says why there is none */
        else {
            tn_error_raise(tn_geometry_result_error(result), "view", "%s", tn_geometry_result_text(result));
            detail::fail();
            return Result();
        }
    }
    template <class Result> Result view_as(Dims shape) const {
        tn_geometry to;
        tn_geometry_result result = tn_geometry_view(this->reference(), shape, &to);
        return made<Result>(result, to, [&](const AnyTensor &x) { return x.view(shape); });
    }
    template <class Result> Result reshape_as(Dims shape) const {
        tn_geometry to;
        tn_geometry_result result = tn_geometry_view(this->reference(), shape, &to);
        if (result == TN_GEOMETRY_NOT_A_VIEW && !in_core<Scalar>)
            return Result(clone().view(shape));
        return made<Result>(result, to, [&](const AnyTensor &x) { return x.reshape(shape); });
    }
    template <class Result> Result permute_as(Dims dims) const {
        tn_geometry to;
        tn_geometry_result result = tn_geometry_permute(this->reference(), dims, &to);
        return made<Result>(result, to, [&](const AnyTensor &x) { return x.permute(dims); });
    }
    template <class Result> Result transpose_as(int64_t a, int64_t b) const {
        tn_geometry to;
        tn_geometry_result result = tn_geometry_transpose(this->reference(), a, b, &to);
        return made<Result>(result, to, [&](const AnyTensor &x) { return x.transpose(a, b); });
    }
    template <class Result> Result matrix_transpose() const {
        static_assert(Rank == Dynamic || Rank <= 2, "t() transposes a matrix: the tensor's rank is more than 2");
        tn_geometry none{};
        return this->dim() == 2  ? transpose_as<Result>(0, 1)
               : this->dim() < 2 ? Result(*this)
                                 : made<Result>(TN_GEOMETRY_RANK, none, [&](const AnyTensor &x) { return x.t(); });
    }
    template <class Result> Result slice_as(int64_t dim, int64_t start, int64_t end, int64_t step) const {
        tn_geometry to;
        tn_geometry_result result = tn_geometry_slice(this->reference(), dim, start, end, step, &to);
        return made<Result>(result, to, [&](const AnyTensor &x) { return x.slice(dim, start, end, step); });
    }
    template <class Result> Result narrow_as(int64_t dim, int64_t start, int64_t length) const {
        tn_geometry to;
        tn_geometry_result result = tn_geometry_narrow(this->reference(), dim, start, length, &to);
        return made<Result>(result, to, [&](const AnyTensor &x) { return x.narrow(dim, start, length); });
    }
    template <class Result> Result flip_as(Dims dims) const {
        tn_geometry to;
        tn_geometry_result result = tn_geometry_flip(this->reference(), dims, &to);
        return made<Result>(result, to, [&](const AnyTensor &x) { return x.flip(dims); });
    }
    template <class Result> Result select_as(int64_t dim, int64_t index) const {
        static_assert(Rank != 0, "select: a tensor of no dimensions has nothing to select from");
        tn_geometry to;
        tn_geometry_result result = tn_geometry_select(this->reference(), dim, index, &to);
        return made<Result>(result, to, [&](const AnyTensor &x) { return x.select(dim, index); });
    }
    template <class Result> Result unsqueeze_as(int64_t dim) const {
        tn_geometry to;
        tn_geometry_result result = tn_geometry_unsqueeze(this->reference(), dim, &to);
        return made<Result>(result, to, [&](const AnyTensor &x) { return x.unsqueeze(dim); });
    }
    template <class Result> Result squeeze_as() const {
        tn_geometry to;
        tn_geometry_result result = tn_geometry_squeeze(this->reference(), &to);
        return made<Result>(result, to, [&](const AnyTensor &x) { return x.squeeze(); });
    }
    template <class Result> Result squeeze_as(Dims dims) const {
        tn_geometry to;
        tn_geometry_result result = tn_geometry_squeeze_dims(this->reference(), dims, &to);
        return made<Result>(result, to, [&](const AnyTensor &x) { return x.squeeze(dims); });
    }

    static void on_cuda() {
        static_assert(detail::is_cuda<Device>::value,
                      "cuda_data() needs a tensor on a CUDA device: Tensor<Scalar, CUDADevice<Scalar>>");
    }
    static void addressable() {
        static_assert(Device::addressable,
                      "the CPU cannot read the elements of a tensor on this device; copy it to the CPU first");
    }
    static constexpr const char *missing = "the tensor is NULL: it was moved from, or could not be made";
    /* Debug builds: whether there are elements at all. */
    bool is_here() const {
#if TENON_DEBUG
        if (!storage_) {
            tn_error_raise(TN_ERROR_ARGUMENT, "operator()", "%s", missing);
            detail::fail();
            return false;
        }
#endif
        return true;
    }
    static void writable() {
        static_assert(!is_const, "a tensor of const elements is read-only");
        addressable();
    }
    /* Where an index out of range leads without exceptions. */
    static value_type &outside() {
        static thread_local value_type element;
        element = value_type();
        return element;
    }
    Scalar *contiguous_data() const {
        addressable();
        if (!this->is_contiguous()) {
            tn_error_raise(TN_ERROR_SHAPE, "span", "the elements are not contiguous; clone() the tensor first");
            detail::fail();
            return nullptr;
        }
        return origin_;
    }

    /* ---- evaluating */

    struct Filled : Lazy<Filled> { /* one value for all elements */
        using value_type = Tensor::value_type;
        using Kind = detail::AnyKind;
        static constexpr int Rank = 0, leaves = 0, cost = 1, widest = 0;
        static constexpr bool core = in_core<value_type>;
        value_type value;
        explicit Filled(value_type v) : value(v) {}
        template <int At, class Rows> auto kernel(const Rows &, int64_t) const { return direct(0); }
        auto direct(int64_t) const { return detail::ConstantKernel<value_type>{value}; }
        template <class Reader> static void each_type(Reader &) {}
        template <class F> void each(F &&) const {}
        AnyTensor dynamic() const { return AnyTensor(); }
    };

    template <class E> static bool e_recorded(const E &e) { return detail::is_recorded(e); }

    /* Whether the value of e can go to the memory that is here: nobody else uses it, and the sizes are the same. An expression that
     * reads this tensor holds its storage, so it does not. */
    template <class E> bool fits_memory(const E &e) const {
        if constexpr (!std::is_same<typename E::value_type, value_type>::value || is_const || !Device::addressable)
            return false;
        else
            return !recorded_ && storage_.replaceable() && this->is_contiguous() && !e_recorded(e) &&
                   detail::has_shape(e, this->shape());
    }
    template <class E> bool in_step(const E &e) const {
        if constexpr (!std::is_same<typename E::value_type, value_type>::value || is_const || !Device::addressable)
            return false;
        else
            return E::leaves > 0 && !recorded_ && storage_.replaceable() && this->is_contiguous() &&
                   detail::all_lie_like(e, extents_);
    }
    template <class E> TENON_NOINLINE void become(const E &e) {
        if (fits_memory(e))
            store(e);
        else
            *this = computed(e, [this](Dims shape) { return like(shape); });
    }
    /* A new one with memory of the same allocator, where that has a state; otherwise of the device's. */
    Tensor<value_type, Device, Rank> like(Dims shape) const {
        if constexpr (!std::is_empty<AllocatorType>::value)
            if (tn_allocator *own = storage_.allocator())
                return Tensor<value_type, Device, Rank>(shape, own);
        return Tensor<value_type, Device, Rank>(shape);
    }
    /* The value of e, in memory that `make` gives for a shape. */
    template <class E, class Make> static Tensor computed(const E &e, const Make &make) {
        static_assert(std::is_same<typename E::value_type, value_type>::value,
                      "the expression has another scalar type than the tensor; convert it with .to<Scalar>()");
        static_assert(E::Rank == Dynamic || Rank == Dynamic || E::Rank == Rank,
                      "the ranks of the tensor and of the expression cannot match");
        static_assert(Device::addressable || in_core<value_type>, "the library does not know this scalar type");
        static_assert(std::is_same<typename detail::common_kind<typename E::Kind, Kind>::type, Kind>::value, "");
        if constexpr (!Device::addressable)
            return Tensor(e.dynamic());
        else {
            detail::Shape<E> shape(e);
            if (!shape.fits || detail::is_recorded(e)) { /* an error has the library's own words */
                if constexpr (E::core && in_core<value_type>) {
                    AnyTensor result = e.dynamic();
                    if (result && result.dtype() != dtype_of<value_type>)
                        result = result.to(dtype_of<value_type>);
                    return Tensor(result);
                } else {
                    tn_error_raise(TN_ERROR_SHAPE, "expression", "the sizes of the operands do not fit together");
                    detail::fail();
                    return Tensor();
                }
            }
            Tensor<value_type, Device, Rank> made = make(Dims(shape.sizes, shape.rank));
            if (made.storage_)
                made.store(e);
            return Tensor(std::move(made));
        }
    }
    template <class E> void store(const E &e);

    StorageType storage_;
    Scalar *origin_ = nullptr;
    AnyTensor recorded_; /* empty, or this tensor as the library records it */
};

/* As the library writes it; elements of a program's own type by their own operator, one after the other. */
template <class Scalar, class Device, int Rank>
std::ostream &operator<<(std::ostream &stream, const Tensor<Scalar, Device, Rank> &tensor) {
    if constexpr (in_core<Scalar>)
        return stream << tensor.str();
    else {
        const char *between = "tensor(";
        for (const auto &element : tensor) {
            stream << between << element;
            between = ", ";
        }
        return stream << (tensor.numel() ? "" : between) << "; " << detail::shape_text(tensor.shape()).c_str() << ")";
    }
}

} // namespace tenon

#include <tenon/cpp/evaluate.hpp>

#endif
