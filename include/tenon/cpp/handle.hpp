/* tenon/cpp/handle.hpp - what the dynamic face is made of: errors, lists of numbers, and the three handles DataPtr, AnyStorage and
 * the part of AnyTensor that is not generated.
 *
 * A handle is one pointer: a copy retains, a move steals, the destructor releases. What the library returns belongs to the handle
 * even while a scope is open.
 *
 * Errors go one of two ways. With exceptions a call that fails throws tenon::Error, and the error record is empty again. Without them
 * (-fno-exceptions, or TENON_NO_EXCEPTIONS) it gives an empty handle, and the record keeps the first error: operators given an empty
 * handle give an empty one back, so that a chain is checked once, at its end.
 */
#ifndef TENON_CPP_HANDLE_HPP
#define TENON_CPP_HANDLE_HPP

#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>
#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define TENON_KNOWS_THREADS 1
#endif
#endif

#include <tenon/cpp/scalar.hpp>
#include <tenon/tenon.h>

#if !defined(TENON_NO_EXCEPTIONS) && (defined(__cpp_exceptions) || defined(__EXCEPTIONS))
#define TENON_EXCEPTIONS 1
#include <exception>
#else
#define TENON_EXCEPTIONS 0
#endif

namespace tenon {

/* ---- errors -------------------------------------------------------------------------------------------------------- */

#if TENON_EXCEPTIONS
/* What went wrong: the code to act on, the operator, and the message, which begins with the operator's name. */
class Error : public std::exception {
  public:
    explicit Error(const tn_error_record &record) noexcept : record_(record) {}
    tn_error code() const noexcept { return record_.code; }
    const char *operator_name() const noexcept { return record_.operator_name; }
    const char *message() const noexcept { return record_.message; }
    const char *what() const noexcept override { return record_.message; }

  private:
    tn_error_record record_;
};
#endif

namespace detail {

/* A call has failed, and said why in the error record. */
#if TENON_EXCEPTIONS
[[noreturn]] inline void fail() {
    tn_error_record record;
    if (tn_error_take(&record) == TN_OK) {
        tn_error_raise(TN_ERROR_INTERNAL, nullptr, "a call failed, and the reason was cleared");
        tn_error_take(&record);
    }
    throw Error(record);
}
#else
inline void fail() {}
#endif

inline void check(tn_error error) {
    if (error != TN_OK)
        fail();
}

} // namespace detail

/* ---- lists of numbers ---------------------------------------------------------------------------------------------- */

/* Sizes, strides or dimensions, only read: {2, 3}, one number, an array or a vector. Pass it, do not keep it. */
class Dims {
  public:
    Dims() : values_(nullptr), count_(0) {}
    Dims(std::initializer_list<int64_t> list) : count_(static_cast<int64_t>(list.size())) { values_ = list.begin(); }
    Dims(const int64_t *values, int64_t count) : values_(values), count_(count) {}
    Dims(tn_dims dims) : values_(dims.values), count_(dims.count) {}
    template <class Integer, class = std::enable_if_t<std::is_integral<Integer>::value>>
    Dims(Integer value) : one_(static_cast<int64_t>(value)), values_(nullptr), count_(1) {}
    template <
        class List, class = decltype(std::declval<const List &>().data() + std::declval<const List &>().size()),
        class = std::enable_if_t<std::is_same<std::decay_t<decltype(*std::declval<const List &>().data())>, int64_t>::value>>
    Dims(const List &list) : values_(list.data()), count_(static_cast<int64_t>(list.size())) {}

    static Dims small(int64_t value) { return Dims(value); }

    const int64_t *begin() const { return values_ || count_ == 0 ? values_ : &one_; }
    const int64_t *end() const { return begin() + count_; }
    const int64_t *data() const { return begin(); }
    std::size_t size() const { return static_cast<std::size_t>(count_); }
    int64_t operator[](int64_t i) const { return begin()[i]; }
    operator tn_dims() const { return tn_dims{begin(), count_}; }

    friend bool operator==(const Dims &a, const Dims &b) {
        bool same = a.count_ == b.count_;
        for (int64_t i = 0; same && i < a.count_; i++)
            same = a[i] == b[i];
        return same;
    }
    friend bool operator!=(const Dims &a, const Dims &b) { return !(a == b); }

  private:
    int64_t one_ = 0; /* a single number is kept here */
    const int64_t *values_;
    int64_t count_;
};

/* The same for real numbers. */
class Floats {
  public:
    Floats() : values_(nullptr), count_(0) {}
    Floats(std::initializer_list<double> list) : count_(static_cast<int64_t>(list.size())) { values_ = list.begin(); }
    operator tn_floats() const { return tn_floats{values_, count_}; }

  private:
    const double *values_;
    int64_t count_;
};

/* Items of an index: x.index({TN_ALL, TN_RANGE(1, TN_END)}). */
class Indices {
  public:
    Indices() : list_{nullptr, 0} {}
    Indices(std::initializer_list<tn_index_item> list) {
        list_.items = list.begin();
        list_.count = static_cast<int64_t>(list.size());
    }
    operator tn_index_list() const { return list_; }

  private:
    tn_index_list list_;
};

/* One number of any kind, std::complex and the 16-bit floats too. */
struct Number : tn_scalar {
    template <class N, class = std::enable_if_t<std::is_arithmetic<N>::value>> Number(N number) : tn_scalar(number) {}
    Number(half number) : tn_scalar(static_cast<float>(number)) {}
    Number(bfloat16 number) : tn_scalar(static_cast<float>(number)) {}
    template <class R>
    Number(std::complex<R> number)
        : tn_scalar(tn_complex128{static_cast<double>(number.real()), static_cast<double>(number.imag())}) {}
    Number(const tn_scalar &scalar) : tn_scalar(scalar) {}
    static Number none() { return Number(tn_scalar_none()); }
};

/* ---- handles ------------------------------------------------------------------------------------------------------- */

/* Memory with how to give it back: one owner, moved, never copied. */
class DataPtr {
  public:
    DataPtr() : pointer_(tn_data_ptr_make(nullptr, nullptr, nullptr, TN_DEVICE_CPU)) {}
    explicit DataPtr(void *borrowed, tn_device device = TN_DEVICE_CPU)
        : pointer_(tn_data_ptr_make(borrowed, nullptr, nullptr, device)) {}
    DataPtr(void *data, void *context, tn_deleter deleter, tn_device device = TN_DEVICE_CPU)
        : pointer_(tn_data_ptr_make(data, context, deleter, device)) {}
    explicit DataPtr(tn_data_ptr taken) : pointer_(taken) {}
    DataPtr(DataPtr &&other) noexcept : pointer_(tn_data_ptr_move(&other.pointer_)) {}
    DataPtr &operator=(DataPtr &&other) noexcept {
        if (this != &other) {
            tn_data_ptr_clear(&pointer_);
            pointer_ = tn_data_ptr_move(&other.pointer_);
        }
        return *this;
    }
    DataPtr(const DataPtr &) = delete;
    DataPtr &operator=(const DataPtr &) = delete;
    ~DataPtr() { tn_data_ptr_clear(&pointer_); }

    void *get() const { return pointer_.data; }
    void *operator->() const { return pointer_.data; }
    void *context() const { return pointer_.ctx; }
    void clear() { tn_data_ptr_clear(&pointer_); }
    void *release_context() { return tn_data_ptr_release_ctx(&pointer_); } /* the caller frees it now; get() still reads */
    tn_device device() const { return pointer_.device; }
    explicit operator bool() const { return pointer_.data != nullptr; }
    tn_data_ptr *c_pointer() { return &pointer_; } /* for functions of C that take it over */

  private:
    tn_data_ptr pointer_;
};

namespace detail {

/* The typed pointers of a storage and of a tensor: T const reads, T writes. The dtype is that of T, and is checked by `data`. */
template <class T> bool dtype_fits(tn_dtype dtype, const char *what) {
    static_assert(is_scalar<T> && in_core<T>, "data<T>(): T is not an element type of the library");
    if (dtype == dtype_of<T>)
        return true;
    if (dtype != TN_DTYPE_DEFAULT)
        tn_error_raise(TN_ERROR_DTYPE, "data", "%s: the elements are %s, not %s", what, tn_dtype_name(dtype),
                       tn_dtype_name(dtype_of<T>));
    fail();
    return false;
}

} // namespace detail

namespace detail {

/* Whether no other thread exists: then counting needs no atomic operation, which would cost more than a short loop. */
inline bool one_thread() {
#if defined(TENON_KNOWS_THREADS)
    return __libc_single_threaded;
#else
    return false;
#endif
}

/* One reference more, and one less: tn_storage_retain and tn_storage_release without a call, where the count alone changes. */
#if defined(__GNUC__)
inline tn_storage *storage_retain(tn_storage *storage) {
    if (storage) {
        uint64_t *counts = &reinterpret_cast<tn_storage_head *>(storage)->counts;
        if (one_thread())
            __atomic_store_n(counts, __atomic_load_n(counts, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
        else
            __atomic_fetch_add(counts, 1, __ATOMIC_RELAXED);
    }
    return storage;
}
inline void storage_release(tn_storage *storage) {
    if (!storage)
        return;
    uint64_t *counts = &reinterpret_cast<tn_storage_head *>(storage)->counts, now = __atomic_load_n(counts, __ATOMIC_RELAXED);
    if (one_thread() && now > 1 && now <= UINT32_MAX)
        __atomic_store_n(counts, now - 1, __ATOMIC_RELAXED);
    else
        tn_storage_release(storage);
}
inline bool storage_unique(const tn_storage *storage) {
    if (!storage)
        return false;
    const uint64_t *counts = &reinterpret_cast<const tn_storage_head *>(storage)->counts;
    uint64_t now = one_thread() ? __atomic_load_n(counts, __ATOMIC_RELAXED) : __atomic_load_n(counts, __ATOMIC_ACQUIRE);
    return static_cast<uint32_t>(now) == 1;
}
#else
inline bool storage_unique(const tn_storage *storage) { return tn_storage_unique(storage); }
inline tn_storage *storage_retain(tn_storage *storage) { return storage ? tn_storage_retain(storage) : nullptr; }
inline void storage_release(tn_storage *storage) {
    if (storage)
        tn_storage_release(storage);
}
#endif

} // namespace detail

/* A storage: a block of bytes that tensors look into. */
class AnyStorage {
  public:
    AnyStorage() : storage_(nullptr) {}
    explicit AnyStorage(tn_storage *owned) : storage_(owned) {}
    AnyStorage(const AnyStorage &other) : storage_(detail::storage_retain(other.storage_)) {}
    AnyStorage(AnyStorage &&other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
    AnyStorage &operator=(AnyStorage other) noexcept {
        std::swap(storage_, other.storage_);
        return *this;
    }
    ~AnyStorage() { detail::storage_release(storage_); }

    /* A new one of `bytes`; and one over memory that exists, which is taken over (and left alone where that fails). */
    static AnyStorage create(std::size_t bytes, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_allocator *allocator = nullptr);
    static AnyStorage from(DataPtr &&pointer, std::size_t bytes, tn_dtype dtype = TN_DTYPE_DEFAULT);

    tn_storage *get() const { return storage_; }
    tn_storage *release() { return std::exchange(storage_, nullptr); }
    explicit operator bool() const { return storage_ != nullptr; }

    /* The bytes as T, checked against the dtype that the storage was made for, and not. */
    template <class T> T *data() const {
        return detail::dtype_fits<T>(tn_storage_dtype(storage_), "storage") ? unsafe_data<T>() : nullptr;
    }
    template <class T> T *unsafe_data() const {
        if constexpr (std::is_const<T>::value)
            return static_cast<T *>(tn_storage_data(storage_));
        else {
            void *data = tn_storage_mutable_data(storage_);
            if (!data && (!storage_ || tn_storage_nbytes(storage_) != 0 || tn_storage_readonly(storage_)))
                detail::fail();
            return static_cast<T *>(data);
        }
    }
    bool unique() const { return detail::storage_unique(storage_); }
    int64_t use_count() const { return tn_storage_use_count(storage_); }
    std::size_t itemsize() const { return tn_storage_itemsize(storage_); }
    int64_t numel() const { return tn_storage_numel(storage_); }
    std::size_t nbytes() const { return tn_storage_nbytes(storage_); }
    std::size_t capacity() const { return tn_storage_capacity(storage_); }
    bool resizable() const { return tn_storage_resizable(storage_); }
    void resize(std::size_t bytes) { detail::check(tn_storage_resize(storage_, bytes)); }
    tn_dtype dtype() const { return tn_storage_dtype(storage_); }
    tn_device device() const { return tn_storage_device(storage_); }
    /* The memory, borrowed: the storage still frees it. */
    DataPtr data_ptr() const {
        const tn_data_ptr *pointer = tn_storage_data_ptr(storage_);
        return pointer ? DataPtr(pointer->data, pointer->device) : DataPtr();
    }

  private:
    tn_storage *storage_;
};

class AnyTensor;

/* Several tensors, only read: {a, b}, or a vector of them. */
class TensorList {
  public:
    TensorList(std::initializer_list<AnyTensor> list) : count_(list.size()) { items_ = list.begin(); }
    TensorList(const std::vector<AnyTensor> &list);
    /* A handle is one pointer, so an array of handles is an array of pointers. */
    const tn_tensor *const *items() const { return reinterpret_cast<const tn_tensor *const *>(items_); }
    int64_t count() const { return static_cast<int64_t>(count_); }

  private:
    const AnyTensor *items_;
    std::size_t count_;
};

namespace detail {

/* Around a call: what it returns is the caller's, whatever scopes are open. */
class Own {
  public:
    Own() : scope_{0} {
        if (tn_scope_depth() > 0)
            scope_ = tn_scope_pause();
    }
    ~Own() {
        if (scope_.id)
            tn_scope_close(scope_);
    }
    Own(const Own &) = delete;
    Own &operator=(const Own &) = delete;

    AnyTensor operator()(tn_tensor *tensor) const;
    std::vector<AnyTensor> all(tn_list *list) const;
    template <class Named, int Count> Named named(tn_list *list) const;
    AnyStorage storage(tn_storage *storage) const {
        if (!storage)
            fail();
        return AnyStorage(storage);
    }

  private:
    tn_scope scope_;
};

inline bool answer(bool yes) {
    if (!yes && TENON_EXCEPTIONS && tn_error_code() != TN_OK)
        fail();
    return yes;
}

/* The part of AnyTensor that the table does not tell. */
template <class Any> class Handle {
  public:
    Handle() : tensor_(nullptr) {}
    explicit Handle(tn_tensor *owned) : tensor_(owned) {}
    Handle(const Handle &other) : tensor_(other.tensor_ ? tn_retain(other.tensor_) : nullptr) {}
    Handle(Handle &&other) noexcept : tensor_(std::exchange(other.tensor_, nullptr)) {}
    Handle &operator=(const Handle &other) {
        tn_tensor *before = tensor_;
        tensor_ = other.tensor_ ? tn_retain(other.tensor_) : nullptr;
        if (before)
            tn_release(before);
        return *this;
    }
    Handle &operator=(Handle &&other) noexcept {
        if (this != &other) {
            if (tensor_)
                tn_release(tensor_);
            tensor_ = std::exchange(other.tensor_, nullptr);
        }
        return *this;
    }
    ~Handle() {
        if (tensor_)
            tn_release(tensor_);
    }

    tn_tensor *get() const { return tensor_; }
    tn_tensor *release() { return std::exchange(tensor_, nullptr); } /* the caller owns it now */
    explicit operator bool() const { return tensor_ != nullptr; }
    int64_t use_count() const { return tn_use_count(tensor_); }

    int64_t dim() const { return tn_ndim(tensor_); }
    int64_t numel() const { return tn_numel(tensor_); }
    int64_t size(int64_t dim) const { return checked(tn_size(tensor_, dim), int64_t{-1}); }
    int64_t stride(int64_t dim) const { return checked(tn_stride(tensor_, dim), INT64_MIN); }
    Dims sizes() const { return tn_sizes(tensor_); }
    Dims strides() const { return tn_strides(tensor_); }
    int64_t storage_offset() const { return tn_storage_offset(tensor_); }
    tn_dtype dtype() const { return tn_dtype_of(tensor_); }
    tn_device device() const { return tn_device_of(tensor_); }
    std::size_t itemsize() const { return tn_element_size(tensor_); }
    std::size_t nbytes() const { return tn_nbytes(tensor_); }
    bool is_contiguous() const { return tn_is_contiguous(tensor_); }
    bool is_readonly() const { return tn_is_readonly(tensor_); }
    bool shares_memory(const Any &other) const { return tn_shares_memory(tensor_, other.get()); }
    AnyStorage storage() const { return AnyStorage(tn_storage_retain(tn_storage_of(tensor_))); }

    /* The first element's address as T (T const reads, T writes), checked against the dtype, and not. */
    template <class T> T *data() const { return dtype_fits<T>(dtype(), "tensor") ? unsafe_data<T>() : nullptr; }
    template <class T> T *unsafe_data() const {
        if constexpr (std::is_const<T>::value)
            return static_cast<T *>(tn_data(tensor_));
        else {
            void *data = tn_mutable_data(tensor_);
            if (!data && (numel() != 0 || is_readonly()))
                fail();
            return static_cast<T *>(data);
        }
    }

    /* The value of a tensor of one element. */
    template <class T = double> T item() const {
        tn_scalar value = tn_item(tensor_);
        if (TENON_EXCEPTIONS && tn_error_code() != TN_OK)
            fail();
        T result{};
        static_assert(in_core<T>, "item<T>(): T is not an element type of the library");
        tn_dtype_store(dtype_of<T>, &result, value);
        return result;
    }

    /* As tn_print writes it. */
    std::string str() const {
        int64_t length = tn_format(tensor_, nullptr, 0, nullptr);
        std::string text(length > 0 ? static_cast<std::size_t>(length) : 0, ' ');
        if (length < 0)
            fail();
        else
            tn_format(tensor_, &text[0], text.size() + 1, nullptr);
        return text;
    }

    /* ---- gradients */
    bool requires_grad() const { return tn_requires_grad(tensor_); }
    Any &requires_grad_(bool on = true) { return did(tn_requires_grad_(tensor_, on)); }
    bool is_leaf() const { return tn_is_leaf(tensor_); }
    Any grad() const {
        Own own;
        return Any(tn_tensor_grad(tensor_)); /* empty, without an error, where there is none */
    }
    void set_grad(const Any &grad) { check(tn_tensor_set_grad(tensor_, grad.get())); }
    void backward() const { check(tn_backward(tensor_, nullptr)); }
    void backward(const Any &gradient) const { check(tn_backward(tensor_, gradient.get())); }

    /* After an operator that changes this tensor. */
    Any &did(const tn_tensor *result) {
        if (!result)
            fail();
        return static_cast<Any &>(*this);
    }

  private:
    template <class T> static T checked(T value, T failed) {
        if (value == failed && TENON_EXCEPTIONS && tn_error_code() != TN_OK)
            fail();
        return value;
    }
    tn_tensor *tensor_;
};

} // namespace detail

inline AnyStorage AnyStorage::create(std::size_t bytes, tn_dtype dtype, tn_allocator *allocator) {
    return detail::Own().storage(tn_storage_create(bytes, dtype, allocator));
}
inline AnyStorage AnyStorage::from(DataPtr &&pointer, std::size_t bytes, tn_dtype dtype) {
    return detail::Own().storage(tn_storage_from_pointer(pointer.c_pointer(), bytes, dtype));
}

/* ---- what the typed operators are written with; tensor.hpp has the rest ------------------------------------------------ */

template <class Derived> class TypedCalls;
template <class Derived> class Operand;

/* The scalar type of a result, given that of self. */
namespace rules {
struct Same {
    static constexpr tn_dtype of(tn_dtype d) { return d; }
};
struct Bool {
    static constexpr tn_dtype of(tn_dtype) { return TN_BOOL; }
};
struct Index {
    static constexpr tn_dtype of(tn_dtype) { return TN_INT64; }
};
struct Truth {
    static constexpr tn_dtype of(tn_dtype d) { return d == TN_UINT8 ? TN_UINT8 : TN_BOOL; }
};
struct Floating {
    static constexpr tn_dtype of(tn_dtype d) { return detail::dtype_floating(d); }
};
struct Real {
    static constexpr tn_dtype of(tn_dtype d) { return detail::dtype_real(d); }
};
struct Complex {
    static constexpr tn_dtype of(tn_dtype d) { return detail::dtype_complex(d); }
};
struct Sum {
    static constexpr tn_dtype of(tn_dtype d) { return detail::dtype_sum(d); }
};
} // namespace rules

} // namespace tenon

#endif
