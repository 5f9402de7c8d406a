/* tenon/cpp/base.hpp - TensorBase<Derived>: where the elements are. Sizes, strides and an offset, inside the object.
 *
 *     element (i, j, ...) is number offset + i * stride[0] + j * stride[1] + ... of the storage
 *
 * The number of dimensions is part of the type (Tensor<float, CPU, 2>) or a number in the object (Tensor<float, CPU>), which then has
 * room for TENON_MAX_RANK of them; the numbers of a tensor with more, up to 64, are in a counted block that its copies share. Everything here is arithmetic on these numbers; no memory is touched.
 */
#ifndef TENON_CPP_BASE_HPP
#define TENON_CPP_BASE_HPP

#include <atomic>
#include <cstdio>
#include <new>

#include <tenon/cpp/storage.hpp>

#ifndef TENON_MAX_RANK
#define TENON_MAX_RANK 8 /* dimensions in the object, of a tensor whose rank is not part of its type; more are kept beside it */
#endif

#if !defined(TENON_DEBUG) && !defined(NDEBUG)
#define TENON_DEBUG 1 /* indices are checked */
#elif !defined(TENON_DEBUG)
#define TENON_DEBUG 0
#endif

namespace tenon {

constexpr int Dynamic = -1; /* a rank known at run time */

namespace detail {

template <class Derived> struct rank_of; /* tensor.hpp */

/* Integers, and what becomes one without asking; floats do not, although C++ would cut them off. */
template <class I>
constexpr bool is_index = std::is_integral<I>::value ||
                          (std::is_convertible<I, int64_t>::value && !std::is_floating_point<I>::value && !is_scalar<I>);

/* Whether elements with these numbers are next to each other, row by row. */
inline bool numbers_contiguous(int rank, const int64_t *sizes, const int64_t *strides) {
    int64_t expected = 1;
    bool so = true;
    for (int i = rank - 1; i >= 0; i--) {
        if (sizes[i] == 0)
            return true;
        so = so && (sizes[i] == 1 || strides[i] == expected);
        expected *= sizes[i];
    }
    return so;
}

/* The numbers of a geometry: of a rank that the type knows, or of any. An empty tensor has the sizes 0. */
enum class Taken { Yes, WrongRank, NoMemory };

template <int Rank> struct Extents {
    static constexpr int room = Rank > 0 ? Rank : 1;
    int64_t first_sizes[room] = {}, first_strides[room] = {};
    bool contiguous = true;
    static constexpr int rank() { return Rank; }
    TENON_INLINE const int64_t *sizes() const { return first_sizes; }
    TENON_INLINE const int64_t *strides() const { return first_strides; }
    template <int Count> TENON_INLINE int64_t stride_of(std::size_t k) const { return first_strides[k]; }
    void clear() { *this = Extents(); }
    Taken fill(int64_t rank, const int64_t *sizes, const int64_t *strides) {
        if (rank != Rank)
            return Taken::WrongRank;
        for (int i = 0; i < Rank; i++) {
            first_sizes[i] = sizes[i];
            first_strides[i] = strides[i];
        }
        contiguous = numbers_contiguous(Rank, first_sizes, first_strides);
        return Taken::Yes;
    }
    TENON_INLINE int64_t numel() const {
        int64_t count = 1;
        for (int i = 0; i < Rank; i++)
            count *= first_sizes[i];
        return count;
    }
    TENON_INLINE bool same_sizes(const Extents &other) const {
        bool same = true;
        for (int i = 0; i < Rank; i++)
            same = same && first_sizes[i] == other.first_sizes[i];
        return same;
    }
};

/* The dimensions of a tensor that has more of them than there is room in the object: shared, and never changed once filled. */
struct ManyDims {
    std::atomic<int64_t> count{1};
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS];
};

template <> struct Extents<Dynamic> {
    static constexpr int room = TENON_MAX_RANK;
    static_assert(room >= 2 && room <= TN_MAX_DIMS, "TENON_MAX_RANK is 2 to 64");
    int64_t first_sizes[room], first_strides[room]; /* of these, what is beyond the rank is 0 among the first two */
    int rank_ = 1;
    bool contiguous = true;
    int rank() const { return rank_; }
    TENON_INLINE const int64_t *sizes() const { return rank_ <= room ? first_sizes : many_->sizes; }
    TENON_INLINE const int64_t *strides() const { return rank_ <= room ? first_strides : many_->strides; }
    /* Of a tensor of Count dimensions: the usual ones are in the object. */
    template <int Count> TENON_INLINE int64_t stride_of(std::size_t k) const {
        if constexpr (Count <= room)
            return first_strides[k];
        else
            return strides()[k];
    }
    TENON_NOINLINE Taken fill(int64_t rank, const int64_t *sizes, const int64_t *strides) {
        if (rank < 0 || rank > TN_MAX_DIMS)
            return Taken::WrongRank;
        ManyDims *many = rank > room ? new (std::nothrow) ManyDims : nullptr;
        if (rank > room && !many)
            return Taken::NoMemory;
        clear();
        rank_ = static_cast<int>(rank);
        many_ = many;
        for (int i = 0; i < rank_; i++) {
            if (i < room) {
                first_sizes[i] = sizes[i];
                first_strides[i] = strides[i];
            }
            if (many) {
                many->sizes[i] = sizes[i];
                many->strides[i] = strides[i];
            }
        }
        contiguous = numbers_contiguous(rank_, sizes, strides);
        return Taken::Yes;
    }
    TENON_INLINE int64_t numel() const {
        return rank_ == 1 ? first_sizes[0] : rank_ == 2 ? first_sizes[0] * first_sizes[1] : numel_of_many();
    }
    TENON_INLINE bool same_sizes(const Extents &other) const {
        return rank_ == other.rank_ && first_sizes[0] == other.first_sizes[0] && first_sizes[1] == other.first_sizes[1] &&
               (rank_ <= 2 || same_rest(other));
    }
    /* The usual two dimensions are copied as they are, without a loop. */
    Extents() { first_sizes[0] = first_sizes[1] = first_strides[0] = first_strides[1] = 0; }
    Extents(const Extents &other) { *this = other; }
    ~Extents() {
        if (rank_ > room)
            drop();
    }
    TENON_INLINE Extents &operator=(const Extents &other) {
        if (rank_ > room || other.rank_ > 2)
            return copy_rest(other);
        copy_first(other);
        return *this;
    }
    TENON_INLINE void clear() {
        if (rank_ > room)
            drop();
        rank_ = 1;
        contiguous = true;
        first_sizes[0] = first_sizes[1] = first_strides[0] = first_strides[1] = 0;
    }

  private:
    TENON_INLINE void copy_first(const Extents &other) {
        rank_ = other.rank_;
        contiguous = other.contiguous;
        first_sizes[0] = other.first_sizes[0];
        first_sizes[1] = other.first_sizes[1];
        first_strides[0] = other.first_strides[0];
        first_strides[1] = other.first_strides[1];
    }
    TENON_NOINLINE Extents &copy_rest(const Extents &other) {
        if (this == &other)
            return *this;
        clear();
        copy_first(other);
        for (int i = 2; i < rank_ && i < room; i++) {
            first_sizes[i] = other.first_sizes[i];
            first_strides[i] = other.first_strides[i];
        }
        if (rank_ > room) {
            many_ = other.many_;
            many_->count.fetch_add(1, std::memory_order_relaxed);
        }
        return *this;
    }
    TENON_NOINLINE void drop() {
        if (many_->count.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete many_;
    }
    TENON_NOINLINE bool same_rest(const Extents &other) const {
        const int64_t *a = sizes(), *b = other.sizes();
        bool same = true;
        for (int i = 2; i < rank_; i++)
            same = same && a[i] == b[i];
        return same;
    }
    TENON_NOINLINE int64_t numel_of_many() const {
        const int64_t *size = sizes();
        int64_t count = 1;
        for (int i = 0; i < rank_; i++)
            count *= size[i];
        return count;
    }
    ManyDims *many_; /* of more dimensions than `room`; not set otherwise */
};
/* Room for the dimensions of a rank, where they are not kept. */
constexpr int room_of(int rank) { return rank == Dynamic ? TN_MAX_DIMS : rank > 0 ? rank : 1; }

template <int A, int B> TENON_INLINE bool same_sizes(const Extents<A> &a, const Extents<B> &b) {
    if constexpr (A == B)
        return a.same_sizes(b);
    else {
        bool same = a.rank() == b.rank();
        for (int i = 0; same && i < a.rank(); i++)
            same = a.sizes()[i] == b.sizes()[i];
        return same;
    }
}

/* A shape as the library writes it, without asking for memory. */
class ShapeText {
  public:
    ShapeText(const int64_t *sizes, int64_t rank) {
        std::size_t at = add(0, "[");
        for (int64_t i = 0; i < rank; i++) {
            char number[24];
            std::snprintf(number, sizeof number, i ? ", %lld" : "%lld", static_cast<long long>(sizes[i]));
            at = add(at, number);
        }
        add(at, "]");
    }
    const char *c_str() const { return text_; }

  private:
    std::size_t add(std::size_t at, const char *part) { /* what does not fit is left out */
        std::size_t length = std::strlen(part);
        if (at + length >= sizeof text_)
            return at;
        std::memcpy(text_ + at, part, length + 1);
        return at + length;
    }
    char text_[400] = "";
};
inline ShapeText shape_text(const int64_t *sizes, int64_t rank) { return ShapeText(sizes, rank); }
inline ShapeText shape_text(Dims shape) { return ShapeText(shape.data(), static_cast<int64_t>(shape.size())); }

} // namespace detail

template <class Derived> class TensorBase {
  public:
    static constexpr int Rank = detail::rank_of<Derived>::value;

    Derived &derived() { return static_cast<Derived &>(*this); }
    const Derived &derived() const { return static_cast<const Derived &>(*this); }

    int64_t dim() const { return extents_.rank(); }
    Dims shape() const { return Dims(extents_.sizes(), dim()); }
    Dims strides() const { return Dims(extents_.strides(), dim()); }
    int64_t offset() const { return offset_; } /* of the first element in the storage, in elements */
    int64_t shape(int64_t k) const { return extents_.sizes()[wrap(k)]; }
    int64_t size(int64_t k) const { return shape(k); }
    int64_t stride(int64_t k) const { return extents_.strides()[wrap(k)]; }

    TENON_INLINE int64_t numel() const { return extents_.numel(); }

    /* Whether the elements are next to each other, row by row. */
    bool is_contiguous() const { return extents_.contiguous; }

    /* Which element of the storage an index names: one multiply-add chain. Debug builds check every index. */
    template <class... Index> int64_t compute_offset(Index... index) const {
        return fits(index...) ? offset_ + relative(index...) : offset_;
    }

  protected:
    TensorBase() = default;

    template <class... Index> int64_t relative(Index... index) const {
        static_assert((detail::is_index<Index> && ...), "an index is an integer");
        static_assert(Rank == Dynamic || Rank == static_cast<int>(sizeof...(Index)),
                      "the number of indices is not the tensor's rank");
        return chain(std::make_index_sequence<sizeof...(Index)>(), index...);
    }

    /* Whether an index is inside; in other than debug builds always. */
    template <class... Index> bool fits(Index... index) const {
#if TENON_DEBUG
        const int64_t list[sizeof...(Index) + 1] = {static_cast<int64_t>(index)..., 0};
        return in_range(list, static_cast<int>(sizeof...(Index)));
#else
        return ((void)index, ..., true);
#endif
    }

  public:
    const detail::Extents<Rank> &extents() const { return extents_; }

  protected:
    tn_geometry_ref reference() const { return tn_geometry_ref{dim(), offset_, extents_.sizes(), extents_.strides()}; }

    detail::Extents<Rank> extents_;
    int64_t offset_ = 0;

  private:
    template <std::size_t... K, class... Index> int64_t chain(std::index_sequence<K...>, Index... index) const {
        return (int64_t{0} + ... +
                (static_cast<int64_t>(index) * extents_.template stride_of<static_cast<int>(sizeof...(K))>(K)));
    }
    int64_t wrap(int64_t k) const {
        int64_t rank = dim(), at = k < 0 ? k + rank : k;
        if (at >= 0 && at < rank)
            return at;
        tn_error_raise(TN_ERROR_INDEX, "shape", "dimension %lld is out of range for the shape %s", static_cast<long long>(k),
                       detail::shape_text(shape()).c_str());
        detail::fail();
        return 0;
    }
    bool in_range(const int64_t *index, int count) const {
        if (count != extents_.rank())
            tn_error_raise(TN_ERROR_INDEX, "operator()", "%d indices were given for the shape %s", count,
                           detail::shape_text(shape()).c_str());
        else {
            int k = 0;
            while (k < count && index[k] >= 0 && index[k] < extents_.sizes()[k])
                k++;
            if (k == count)
                return true;
            tn_error_raise(TN_ERROR_INDEX, "operator()", "index %lld is out of range for dimension %d of the shape %s",
                           static_cast<long long>(index[k]), k, detail::shape_text(shape()).c_str());
        }
        detail::fail();
        return false;
    }
};

} // namespace tenon

#endif
